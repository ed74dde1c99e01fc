//! JSON converts to MessagePack that `rmpv` reads, that uses the smallest formats, and that converts back to the same value.

#![no_main]

use jsonx_core::engine::{Kernel, Mode, Options, Stop, validate_with};
use jsonx_fuzz::in_windows;
use jsonx_msgpack::{EncodeOptions, Encoder, JsonOptions, Lengths, LongValues, from_json, to_json};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &[u8]| -> Corpus {
    let encode = EncodeOptions::default().lossy(true);
    let packed = match from_json(text, encode) {
        Ok(packed) => packed,
        Err(Stop::Invalid(_)) => {
            assert!(validate_with(text, Options::default()).is_err());
            return Corpus::Reject;
        }
        // A lone surrogate.
        Err(Stop::Sink(_)) => return Corpus::Keep,
    };
    let mut rest = &packed[..];
    let value = rmpv::decode::read_value(&mut rest).expect("MessagePack");
    assert!(rest.is_empty(), "one value");
    let mut smallest = Vec::new();
    rmpv::encode::write_value(&mut smallest, &value).expect("a vector takes all bytes");
    assert_eq!(packed, smallest, "the smallest forms");

    let json = to_json(&packed, JsonOptions::default()).expect("what JSON has");
    validate_with(&json, Options::default()).expect("JSON");
    assert_eq!(
        from_json(&json, encode),
        Ok(packed.clone()),
        "there and back"
    );

    for kernel in Kernel::available() {
        let options = Options::default().mode(Mode::One).kernel(kernel);
        for size in [64, usize::MAX] {
            let encoder = |long| {
                let mut encoder = Encoder::new(encode, Vec::new()).limit(8, long);
                in_windows(text, options, size, &mut encoder).expect("valid text");
                encoder
            };
            let measured = encoder(LongValues::Measure(Lengths::default()));
            let lengths = measured.lengths().expect("the text was encoded before");
            let written = encoder(LongValues::Write(lengths)).finish();
            assert_eq!(written, Ok(packed.clone()), "{kernel:?}, measured");
        }
    }
    Corpus::Keep
});
