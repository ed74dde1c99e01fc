//! Allocations of MessagePack: none per value.

use jsonx_core::engine::{Options, Validator};
use jsonx_msgpack::{EncodeOptions, Encoder, JsonOptions, Reader, Writer, to_json};
use jsonx_testing::allocations::{Counting, calls};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn writing_into_a_buffer_and_reading_it_allocate_nothing() {
    let mut writer = Writer::new();
    writer.bin(&[0; 100_000]).unwrap();
    writer.clear();
    let counted = calls(|| {
        for value in 0..1000_u64 {
            writer.uint(value << (value % 64));
            writer.int(-(value as i64));
            writer.float(value as f64);
            writer.str("a string of a few bytes").unwrap();
            writer.ext(3, b"four").unwrap();
            writer.map(0);
        }
        let mut reader = Reader::new(writer.as_bytes());
        let mut tokens = 0;
        while reader.token().unwrap().is_some() {
            tokens += 1;
        }
        assert_eq!(tokens, 6000);
    });
    assert_eq!(counted, 0);
}

/// A buffer that grows doubles, and so does everything else that depends on the length.
#[test]
fn conversion_allocates_as_buffers_double() {
    let value =
        r#"{"id": 12345, "name": "an escaped \u00e9", "tags": ["a", "b", []], "x": -1.5e3},"#;
    let text = |count| format!("[{}null]", value.repeat(count));
    let (few, many) = (text(1000), text(64_000));
    let encode = |text: &str| {
        let mut packed = Vec::new();
        let counted = calls(|| {
            let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
            let validator = Validator::new(Options::default());
            validator.check(text.as_bytes(), &mut encoder).unwrap();
            packed = encoder.finish().unwrap();
        });
        (counted, packed)
    };
    let ((few_calls, few), (many_calls, many)) = (encode(&few), encode(&many));
    assert!(many_calls <= few_calls + 40, "{few_calls} {many_calls}");
    let decode = |packed: &[u8]| calls(|| drop(to_json(packed, JsonOptions::default()).unwrap()));
    let (few_calls, many_calls) = (decode(&few), decode(&many));
    assert!(many_calls <= few_calls + 40, "{few_calls} {many_calls}");
}
