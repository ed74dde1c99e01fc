//! MessagePack converts to valid JSON with the same meaning, bytes that `rmpv` rejects are an error, and the division of
//! the input into slices does not matter.

#![no_main]

use jsonx_core::engine::{Mode, Options, validate_with};
use jsonx_fuzz::in_windows;
use jsonx_msgpack::{
    DecodeError, DecodeErrorKind, Decoder, EncodeOptions, Encoder, JsonError, JsonOptions, to_json,
};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let options = JsonOptions::default().lossy(true).final_newline(true);
    let whole = to_json(bytes, options);
    for size in [1, 3, 100] {
        check_slices(bytes, options, size, &whole);
    }
    let mut rest = bytes;
    let mut depth = 0;
    let mut valid = true;
    while valid && !rest.is_empty() {
        // `rmpv` recurses, and rejects deeper values.
        valid = rmpv::decode::read_value_with_max_depth(&mut rest, 1000).is_ok();
        depth += 1;
    }
    let text = match whole {
        Ok(text) => text,
        Err(error) => {
            let is_ours = matches!(error.kind, DecodeErrorKind::Key | DecodeErrorKind::Reserved);
            assert!(!valid || is_ours, "{error:?}");
            assert!(error.offset <= bytes.len() as u64);
            return Corpus::Keep;
        }
    };
    assert!(valid || bytes.len() > 1000, "{bytes:x?}");
    assert!(!valid || depth == text.iter().filter(|&&byte| byte == b'\n').count());
    let stream = Options::default().mode(Mode::Stream);
    validate_with(&text, stream).expect("JSON");
    // The JSON survives a round trip unchanged.
    let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    in_windows(&text, stream, usize::MAX, &mut encoder).expect("valid text");
    let packed = encoder.finish().expect("values that MessagePack has");
    assert_eq!(
        to_json(&packed, JsonOptions::default().final_newline(true)),
        Ok(text)
    );
    Corpus::Keep
});

fn check_slices(
    bytes: &[u8],
    options: JsonOptions,
    size: usize,
    whole: &Result<Vec<u8>, DecodeError>,
) {
    let mut decoder = Decoder::new(options, Vec::new());
    let written = bytes
        .chunks(size)
        .try_for_each(|slice| decoder.write(slice))
        .map_err(|error| match error {
            JsonError::Invalid(error) => error,
            JsonError::Output(never) => match never {},
        });
    match (whole, written.and_then(|()| decoder.end())) {
        (Ok(text), Ok(())) => assert_eq!(decoder.finish().as_ref(), Ok(text)),
        // A length beyond the end is found at once only if the input is whole.
        (Err(whole), Err(error)) if whole.kind == DecodeErrorKind::Truncated => {
            assert!(error.offset <= whole.offset);
        }
        (Err(whole), Err(error)) => assert_eq!(error, *whole),
        (whole, sliced) => panic!("{whole:?}, {sliced:?}"),
    }
}
