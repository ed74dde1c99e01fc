//! The data of the specification, properties against `rmpv`, and hostile input.

use proptest::prelude::*;
use rmpv::Value;

use super::*;
use jsonx_core::Error;
use jsonx_core::engine::{Kernel, Mode, Options, Sink, Stop, Validator, Verdict};
use jsonx_core::format::WriteTo;
use jsonx_core::path::Notation;
use jsonx_testing::cases;
use jsonx_testing::documents::valid_text;

fn encode(text: &str) -> Vec<u8> {
    from_json(text.as_bytes(), EncodeOptions::default()).unwrap()
}

fn encode_error(text: &str) -> (EncodeErrorKind, u64) {
    match from_json(text.as_bytes(), EncodeOptions::default()) {
        Err(Stop::Sink(EncodeError::Value { kind, offset })) => (kind, offset),
        other => panic!("{other:?}"),
    }
}

fn decode(bytes: &[u8]) -> String {
    String::from_utf8(to_json(bytes, JsonOptions::default()).unwrap()).unwrap()
}

fn decode_error(bytes: &[u8]) -> (DecodeErrorKind, u64, String) {
    let error = to_json(bytes, JsonOptions::default()).unwrap_err();
    (error.kind, error.offset, location(bytes))
}

/// The location at which the decoder stops.
fn location(bytes: &[u8]) -> String {
    let mut decoder = Decoder::new(JsonOptions::default(), WriteTo(std::io::sink()));
    let _ = decoder.write(bytes);
    decoder.location().display(Notation::JsonPath).to_string()
}

/// The formats of <https://github.com/msgpack/msgpack/blob/master/spec.md>, each at its limits: JSON, and its smallest form.
#[test]
fn every_format_of_the_specification() {
    let string = |length: usize| format!("\"{}\"", "x".repeat(length));
    let array = |length: usize| format!("[{}]", vec!["0"; length].join(","));
    let map = |length: usize| format!("{{{}}}", vec!["\"\":0"; length].join(","));
    let text = |header: &[u8], length: usize| [header, &vec![b'x'; length]].concat();
    let zeros = |header: &[u8], length: usize| [header, &vec![0; length]].concat();
    let pairs = |header: &[u8], length: usize| [header, &b"\xa0\x00".repeat(length)].concat();
    for (json, expected) in [
        ("null".into(), b"\xc0".to_vec()),
        ("false".into(), b"\xc2".to_vec()),
        ("true".into(), b"\xc3".to_vec()),
        ("0".into(), b"\x00".to_vec()),
        ("127".into(), b"\x7f".to_vec()),
        ("128".into(), b"\xcc\x80".to_vec()),
        ("255".into(), b"\xcc\xff".to_vec()),
        ("256".into(), b"\xcd\x01\x00".to_vec()),
        ("65535".into(), b"\xcd\xff\xff".to_vec()),
        ("65536".into(), b"\xce\x00\x01\x00\x00".to_vec()),
        ("4294967295".into(), b"\xce\xff\xff\xff\xff".to_vec()),
        ("4294967296".into(), b"\xcf\0\0\0\x01\0\0\0\0".to_vec()),
        (
            "999999999999999999".into(),
            b"\xcf\x0d\xe0\xb6\xb3\xa7\x63\xff\xff".to_vec(),
        ),
        (
            "9223372036854775808".into(),
            b"\xcf\x80\0\0\0\0\0\0\0".to_vec(),
        ),
        (
            u64::MAX.to_string(),
            b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
        ),
        ("-1".into(), b"\xff".to_vec()),
        ("-32".into(), b"\xe0".to_vec()),
        ("-33".into(), b"\xd0\xdf".to_vec()),
        ("-128".into(), b"\xd0\x80".to_vec()),
        ("-129".into(), b"\xd1\xff\x7f".to_vec()),
        ("-32768".into(), b"\xd1\x80\x00".to_vec()),
        ("-32769".into(), b"\xd2\xff\xff\x7f\xff".to_vec()),
        ("-2147483648".into(), b"\xd2\x80\x00\x00\x00".to_vec()),
        (
            "-2147483649".into(),
            b"\xd3\xff\xff\xff\xff\x7f\xff\xff\xff".to_vec(),
        ),
        (i64::MIN.to_string(), b"\xd3\x80\0\0\0\0\0\0\0".to_vec()),
        ("0.0".into(), b"\xcb\0\0\0\0\0\0\0\0".to_vec()),
        ("-0.0".into(), b"\xcb\x80\0\0\0\0\0\0\0".to_vec()),
        ("1.5".into(), b"\xcb\x3f\xf8\0\0\0\0\0\0".to_vec()),
        (
            "1e300".into(),
            b"\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c".to_vec(),
        ),
        (string(0), b"\xa0".to_vec()),
        (string(31), text(b"\xbf", 31)),
        (string(32), text(b"\xd9\x20", 32)),
        (string(255), text(b"\xd9\xff", 255)),
        (string(256), text(b"\xda\x01\x00", 256)),
        (string(65_535), text(b"\xda\xff\xff", 65_535)),
        (string(65_536), text(b"\xdb\x00\x01\x00\x00", 65_536)),
        (array(0), b"\x90".to_vec()),
        (array(15), zeros(b"\x9f", 15)),
        (array(16), zeros(b"\xdc\x00\x10", 16)),
        (array(65_535), zeros(b"\xdc\xff\xff", 65_535)),
        (array(65_536), zeros(b"\xdd\x00\x01\x00\x00", 65_536)),
        (map(0), b"\x80".to_vec()),
        (map(15), pairs(b"\x8f", 15)),
        (map(16), pairs(b"\xde\x00\x10", 16)),
        (map(65_535), pairs(b"\xde\xff\xff", 65_535)),
        (map(65_536), pairs(b"\xdf\x00\x01\x00\x00", 65_536)),
    ] {
        let shown = &json[..json.len().min(40)];
        assert!(encode(&json) == expected, "{shown}");
        let decoded = decode(&expected);
        let decoded = decoded.trim_end();
        assert!(
            decoded == json,
            "{shown}: {}",
            &decoded[..decoded.len().min(40)]
        );
    }
    // Values that do not round-trip to the same text.
    assert_eq!(encode("-0"), b"\xcb\x80\0\0\0\0\0\0\0");
    assert_eq!(encode("1e2"), b"\xcb\x40\x59\0\0\0\0\0\0");
    assert_eq!(
        encode(r#""\u00e9\n\ud83d\ude00\u0000""#),
        b"\xa8\xc3\xa9\n\xf0\x9f\x98\x80\0"
    );
}

#[test]
fn forms_that_a_packer_may_choose_are_read_alike() {
    for (bytes, json) in [
        (&b"\xcc\x01"[..], "1"),
        (b"\xcd\0\x01", "1"),
        (b"\xce\0\0\0\x01", "1"),
        (b"\xcf\0\0\0\0\0\0\0\x01", "1"),
        (b"\xd0\x01", "1"),
        (b"\xd1\0\x01", "1"),
        (b"\xd2\0\0\0\x01", "1"),
        (b"\xd3\0\0\0\0\0\0\0\x01", "1"),
        (b"\xd3\xff\xff\xff\xff\xff\xff\xff\xff", "-1"),
        (b"\xd9\x01x", "\"x\""),
        (b"\xda\0\x01x", "\"x\""),
        (b"\xdb\0\0\0\x01x", "\"x\""),
        (b"\xdc\0\x01\x01", "[1]"),
        (b"\xdd\0\0\0\x01\x01", "[1]"),
        (b"\xde\0\x01\xa0\x01", "{\"\":1}"),
        (b"\xdf\0\0\0\x01\xa0\x01", "{\"\":1}"),
        (b"\xc4\x01a", "\"YQ==\""),
        (b"\xc5\0\x01a", "\"YQ==\""),
        (b"\xc6\0\0\0\x01a", "\"YQ==\""),
        (b"\xc7\0\x07", "{\"$ext\":[7,\"\"]}"),
        (b"\xc8\0\x01\x07a", "{\"$ext\":[7,\"YQ==\"]}"),
        (b"\xc9\0\0\0\x01\x07a", "{\"$ext\":[7,\"YQ==\"]}"),
        (b"\xd4\xf9a", "{\"$ext\":[-7,\"YQ==\"]}"),
        (b"\xd5\x07ab", "{\"$ext\":[7,\"YWI=\"]}"),
        (b"\xd6\x07abcd", "{\"$ext\":[7,\"YWJjZA==\"]}"),
        (b"\xd7\x07abcdefgh", "{\"$ext\":[7,\"YWJjZGVmZ2g=\"]}"),
        (
            b"\xd8\x070123456789abcdef",
            "{\"$ext\":[7,\"MDEyMzQ1Njc4OWFiY2RlZg==\"]}",
        ),
        (b"\xd6\xff\0\0\0\x01", "\"1970-01-01T00:00:01Z\""),
        (b"\xc7\x02\xffab", "{\"$ext\":[-1,\"YWI=\"]}"),
        (b"\xca\x3d\xcc\xcc\xcd", "0.10000000149011612"),
        (b"\xca\x4b\x80\0\0", "16777216.0"),
    ] {
        assert_eq!(decode(bytes), json, "{bytes:x?}");
    }
}

#[test]
fn values_that_messagepack_does_not_have() {
    for (text, kind, offset) in [
        ("[18446744073709551616]", EncodeErrorKind::BigNumber, 1),
        ("[-9223372036854775809]", EncodeErrorKind::BigNumber, 1),
        ("-1e309", EncodeErrorKind::BigNumber, 0),
        (r#"{"a": "x\ud800"}"#, EncodeErrorKind::LoneSurrogate, 8),
        (r#"{"\udc00": 1}"#, EncodeErrorKind::LoneSurrogate, 2),
    ] {
        assert_eq!(encode_error(text), (kind, offset), "{text}");
        let padded = format!("{}{text}", " ".repeat(10_000));
        assert_eq!(encode_error(&padded), (kind, offset + 10_000), "{text}");
    }
    let options = EncodeOptions::default().lossy(true);
    let lossy = |text: &str| decode(&from_json(text.as_bytes(), options).unwrap());
    assert_eq!(lossy("-18446744073709551616"), "-1.8446744073709552e19");
    assert_eq!(
        lossy("[1e309,-1e309]"),
        "[1.7976931348623157e308,-1.7976931348623157e308]"
    );
    assert!(from_json(br#""\ud800""#, options).is_err());
}

#[test]
fn values_that_json_does_not_have() {
    let path = |text: &str| text.to_owned();
    for (bytes, expected) in [
        (
            &b"\xcb\x7f\xf0\0\0\0\0\0\0"[..],
            (DecodeErrorKind::NonFinite, 0, path("$")),
        ),
        (
            b"\x92\xc0\xca\xff\x80\0\0",
            (DecodeErrorKind::NonFinite, 2, path("$[1]")),
        ),
        (
            b"\x81\xa1k\x82\xa1a\x01\x02\x03",
            (DecodeErrorKind::Key, 7, path("$['k']")),
        ),
        (b"\x81\x80\x01", (DecodeErrorKind::Key, 1, path("$"))),
        (b"\x81\x91\x01\x01", (DecodeErrorKind::Key, 1, path("$"))),
        (b"\x81\xd4\x05a\x01", (DecodeErrorKind::Key, 1, path("$"))),
        (
            b"\xc0\x91\xc1",
            (DecodeErrorKind::Reserved, 2, path("$[0]")),
        ),
        (
            b"\x81\xa1a\xa2a\xff",
            (DecodeErrorKind::InvalidUtf8, 5, path("$['a']")),
        ),
        (
            b"\x81\xa1\xff\x01",
            (DecodeErrorKind::InvalidUtf8, 2, path("$")),
        ),
        // Surrogates are not UTF-8.
        (
            b"\xa3\xed\xa0\x80",
            (DecodeErrorKind::InvalidUtf8, 1, path("$")),
        ),
        (b"\x92\x90", (DecodeErrorKind::Truncated, 2, path("$[1]"))),
        (
            b"\x92\x91\x01\x92\x02",
            (DecodeErrorKind::Truncated, 5, path("$[1][1]")),
        ),
    ] {
        assert_eq!(decode_error(bytes), expected, "{bytes:x?}");
    }
}

/// Nothing is allocated for a length, and a length that the input cannot hold is an error at once.
#[test]
fn announced_lengths_are_not_believed() {
    for first in [0xc6, 0xc9, 0xdb, 0xdd, 0xdf] {
        let bytes = [first, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0];
        let error = Reader::new(&bytes).token().unwrap_err();
        assert_eq!(
            (error.kind, error.offset),
            (DecodeErrorKind::Truncated, 10),
            "{first:x}"
        );
        // Inside containers too.
        let nested = [&[0x91; 100][..], &bytes].concat();
        assert_eq!(decode_error(&nested).1, 110);
    }
    // As many bytes as elements suffice for an array; a map needs twice as many.
    assert_eq!(
        Reader::new(b"\xdc\0\x02\0\0").token(),
        Ok(Some(Token::Array(2)))
    );
    assert!(Reader::new(b"\xde\0\x02\0\0\0").token().is_err());
}

#[test]
fn input_truncated_at_any_byte_is_an_error_at_its_end() {
    let text =
        r#"{"a": [1, 200, 70000, -1.5, "a long string of more than 31 bytes"], "b": {"c": null}}"#;
    let mut bytes = encode(text);
    // Also the longer forms.
    bytes[0] += 1;
    bytes.extend(b"\xa1x\x98\xc4\x01a\xc5\0\x01a\xc6\0\0\0\x01a\xc7\x01\x05a\xd8\x050123456789abcdef\xdc\0\x01\x01\xdf\0\0\0\x01\xa0\x01\xda\0\x01x");
    assert!(decode(&bytes).contains("\"x\":["));
    for size in 1..20 {
        assert_same_in_slices(&bytes, JsonOptions::default(), size);
        assert_same_in_slices(&bytes[..bytes.len() - 1], JsonOptions::default(), size);
    }
    for length in 1..bytes.len() {
        let (kind, offset, _) = decode_error(&bytes[..length]);
        assert_eq!((kind, offset), (DecodeErrorKind::Truncated, length as u64));
    }
}

/// Long data in slices of all sizes, as a value and as a key: text with characters of all lengths, cut and invalid ones too.
#[test]
fn long_data_is_converted_as_it_arrives() {
    let texts = [
        "a\"é€😀\n".repeat(5).into_bytes(),
        b"x\xff\xe2\x82y\xf0\x9f\x98\xc3\x28\xa0\xa1 and some text\xe2\x82".to_vec(),
        b"\xf0\x9f\x98".repeat(9),
        vec![b'a'; 60],
    ];
    for text in &texts {
        for (header, kind) in [(&b"\xdb"[..], &b""[..]), (b"\xc6", b""), (b"\xc9", b"\x05")] {
            let length = (text.len() as u32).to_be_bytes();
            let token = [header, &length, kind, text].concat();
            let values = [
                token.clone(),
                [&b"\x92"[..], &token, b"\x01"].concat(),
                [&b"\x81"[..], &token, b"\xc1"].concat(),
                [&b"\x82\xa1k\xc0"[..], &token, &token].concat(),
            ];
            for value in values {
                for size in 1..value.len() + 1 {
                    for options in [JsonOptions::default(), JsonOptions::default().lossy(true)] {
                        assert_same_in_slices(&value, options, size);
                        assert_same_in_slices(&value[..value.len() - 3], options, size);
                    }
                }
                let lossy = to_json(&value, JsonOptions::default().lossy(true));
                if let Ok(lossy) = &lossy {
                    let lossy = str::from_utf8(lossy).unwrap();
                    assert!(serde_json::from_str::<serde_json::Value>(lossy).is_ok());
                    if header == b"\xdb" {
                        let text = String::from_utf8_lossy(text);
                        assert!(lossy.contains(&serde_json::to_string(&text).unwrap()));
                    }
                }
            }
        }
    }
}

/// An announced length of 4 GB costs no memory, however the data arrives.
#[test]
fn long_data_is_not_retained() {
    let mut most = 0;
    for form in [0xdb, 0xc6] {
        let mut decoder = Decoder::new(JsonOptions::default(), WriteTo(std::io::sink()));
        decoder.write(&[form, 0xff, 0xff, 0xff, 0xff]).unwrap();
        for _ in 0..1000 {
            decoder.write(&[b'a'; 4097]).unwrap();
            most = most.max(decoder.memory());
        }
        assert_eq!(decoder.end().unwrap_err().offset, 5 + 1000 * 4097);
    }
    assert!(most < 64 << 10, "{most}");
}

#[test]
fn ten_million_levels_in_both_directions() {
    let levels = 10_000_000;
    let text = "[".repeat(levels) + &"]".repeat(levels);
    let options = Options::default();
    let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    Validator::new(options)
        .check(text.as_bytes(), &mut encoder)
        .unwrap();
    let bytes = encoder.finish().unwrap();
    assert_eq!(bytes.len(), levels);
    assert!(bytes[..levels - 1].iter().all(|&byte| byte == 0x91) && bytes[levels - 1] == 0x90);
    assert!(to_json(&bytes, JsonOptions::default()).unwrap() == text.as_bytes());
    let error = to_json(&bytes[..levels - 1], JsonOptions::default()).unwrap_err();
    assert_eq!(
        (error.kind, error.offset),
        (DecodeErrorKind::Truncated, levels as u64 - 1)
    );
    let mut decoder = Decoder::new(JsonOptions::default(), WriteTo(std::io::sink()));
    decoder.write(&bytes[..levels - 1]).unwrap();
    assert_eq!(decoder.location().steps().len(), 1000);
}

/// A value of `rmpv`, of a kind that JSON has.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        (any::<i64>(), 0..64_u32).prop_map(|(value, shift)| Value::from(value >> shift)),
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z]{0,300}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 200, 20, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Value::Array),
            prop::collection::vec((any::<String>().prop_map(Value::from), inner), 0..20)
                .prop_map(Value::Map),
        ]
    })
}

fn packed(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, value).unwrap();
    bytes
}

fn in_windows<S: Sink>(text: &[u8], options: Options, size: usize, mut sink: S) -> S::Output
where
    S::Error: std::fmt::Debug,
{
    let mut validator = Validator::new(options);
    for window in text.chunks(size) {
        validator.write(window, &mut sink).unwrap();
    }
    validator.finish(sink).unwrap()
}

fn encode_everywhere(text: &[u8], mode: Mode) -> Vec<u8> {
    let mut results = Vec::new();
    for kernel in Kernel::available() {
        let options = Options::default().mode(mode).kernel(kernel);
        for size in [64, 1000, usize::MAX] {
            let encoder = Encoder::new(EncodeOptions::default(), Vec::new());
            results.push(in_windows(text, options, size, encoder));
            for limit in [1, 100] {
                let encode = |long| {
                    let encoder = Encoder::new(EncodeOptions::default(), Vec::new());
                    let mut encoder = encoder.limit(limit, long);
                    in_windows(text, options, size, &mut encoder);
                    encoder
                };
                let measured = encode(LongValues::Measure(Lengths::default()));
                let lengths = measured.lengths().unwrap();
                results.push(encode(LongValues::Write(lengths)).finish().unwrap());
            }
        }
    }
    assert!(results.iter().all(|result| *result == results[0]));
    results.swap_remove(0)
}

/// An encoder of the rest of a text ends with an error or a value, and does not panic.
fn encode_rest(text: &[u8], at: usize) {
    let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    let (before, after) = text.split_at(at);
    validator.write(before, &mut Verdict).unwrap();
    let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    let _ = validator.check(after, &mut encoder);
    let again = Validator::new(Options::default().mode(Mode::Stream)).check(text, &mut encoder);
    let _ = again.map(|()| encoder.finish());
}

#[test]
fn errors_convert_with_their_offset() {
    let decoded = to_json(b"\x91\xc1", JsonOptions::default()).map_err(Error::from);
    let error = decoded.unwrap_err();
    assert_eq!(error.to_string(), "the byte 0xc1 is reserved at offset 1");
    assert_eq!(
        format!("{error:#}"),
        "error: the byte 0xc1 is reserved\n --> offset 1\n"
    );
    let encoded = from_json(b"[1e999]", EncodeOptions::default()).map_err(Error::from);
    let error = encoded.unwrap_err();
    assert!(error.is_data());
    assert_eq!(
        error.to_string(),
        "the number is out of range for MessagePack at offset 1"
    );
}

proptest! {
    #![proptest_config(cases(500))]

    /// `rmpv` also writes the smallest forms.
    #[test]
    fn values_round_trip(values in prop::collection::vec(value(), 1..4)) {
        let bytes: Vec<u8> = values.iter().flat_map(packed).collect();
        let text = to_json(&bytes, JsonOptions::default().final_newline(true)).unwrap();
        assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), values.len());
        let mode = match values.len() {
            1 => Mode::One,
            _ => Mode::Stream,
        };
        assert_eq!(encode_everywhere(&text, mode), bytes);
        let between = to_json(&bytes, JsonOptions::default()).unwrap();
        assert_eq!(text.strip_suffix(b"\n"), Some(&between[..]));
        // `serde_json` reads the same value.
        for (line, value) in text.split(|&byte| byte == b'\n').zip(&values) {
            let json: serde_json::Value = serde_json::from_slice(line).unwrap();
            assert!(is_equal(&json, value), "{json} {value}");
        }
    }

    /// Every text of the generator, with white space and escapes.
    #[test]
    fn texts_round_trip(
        choices in prop::collection::vec(any::<u32>(), 0..300),
        at: prop::sample::Index,
    ) {
        let text = valid_text(&choices);
        encode_rest(&text, at.index(text.len()));
        let Ok(bytes) = from_json(&text, EncodeOptions::default()) else {
            return Ok(());
        };
        assert_eq!(encode_everywhere(&text, Mode::One), bytes);
        let json = to_json(&bytes, JsonOptions::default()).unwrap();
        assert_eq!(from_json(&json, EncodeOptions::default()).unwrap(), bytes);
        let mut rest = &bytes[..];
        let value = rmpv::decode::read_value(&mut rest).unwrap();
        assert!(rest.is_empty());
        assert_eq!(packed(&value), bytes, "the smallest forms");
    }

    /// The reader accepts what `rmpv` accepts, and never panics. (`rmpv` also reads strings that are not UTF-8.)
    #[test]
    fn random_bytes(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), 0x80..=0xa4_u8, 0xc0..=0xdf_u8, 0..4_u8], 0..60,
    )) {
        let options = JsonOptions::default().lossy(true);
        let mut rest = &bytes[..];
        let mut valid = true;
        while valid && !rest.is_empty() {
            valid = rmpv::decode::read_value(&mut rest).is_ok();
        }
        match to_json(&bytes, options) {
            Ok(text) => {
                assert!(valid, "{bytes:x?}");
                let options = Options::default().mode(Mode::Stream);
                assert_eq!(jsonx_core::engine::validate_with(&text, options), Ok(()));
            }
            Err(error) => {
                let is_ours = matches!(error.kind, DecodeErrorKind::Key | DecodeErrorKind::Reserved);
                assert!(!valid || is_ours, "{bytes:x?} {error:?}");
                assert!(error.offset <= bytes.len() as u64);
            }
        }
        for size in [1, 2, 7] {
            assert_same_in_slices(&bytes, options, size);
        }
    }

    /// Single precision keeps its exact value, in the digits of the same double, as a value and as a key.
    #[test]
    fn single_precision(bits in any::<u32>(), whole in any::<i32>()) {
        // Also integers, many of which have shorter digits that are another double.
        for value in [f32::from_bits(bits), whole as f32, (whole as f32) * 4096.0] {
            prop_assume!(value.is_finite());
            let bytes = packed(&Value::F32(value));
            let text = decode(&bytes);
            let double = f64::from(value);
            assert_eq!(text, decode(&packed(&Value::F64(double))));
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), double.to_bits());
            let key = [&b"\x81"[..], &bytes, b"\xc0"].concat();
            let expected = format!("{{\"{text}\":null}}");
            assert_eq!(to_json(&key, JsonOptions::default().lossy(true)).unwrap(), expected.as_bytes());
        }
    }
}

/// Input that comes in slices of `size` has the same text, error and path as the whole.
fn assert_same_in_slices(bytes: &[u8], options: JsonOptions, size: usize) {
    let mut decoder = Decoder::new(options, Vec::new());
    let written = bytes
        .chunks(size)
        .try_for_each(|slice| decoder.write(slice));
    let error = match written {
        Err(JsonError::Invalid(error)) => Some(error),
        Err(JsonError::Output(never)) => match never {},
        Ok(()) => decoder.end().err(),
    };
    match (to_json(bytes, options), error) {
        (Ok(text), None) => assert_eq!(decoder.finish().unwrap(), text, "{bytes:x?}"),
        // A length beyond the end of the input is only an immediate error if the input is known to end.
        (Err(whole), Some(error)) if whole.kind == DecodeErrorKind::Truncated => {
            assert!(error.offset <= whole.offset, "{bytes:x?}");
        }
        (Err(whole), Some(error)) => {
            assert_eq!(error, whole, "{bytes:x?}");
            let mut at_once = Decoder::new(options, Vec::new());
            let _ = at_once.write(bytes);
            assert_eq!(decoder.location(), at_once.location(), "{bytes:x?}");
        }
        (whole, sliced) => panic!("{bytes:x?}: {whole:?}, {sliced:?}"),
    }
}

fn is_equal(json: &serde_json::Value, value: &Value) -> bool {
    match (json, value) {
        (serde_json::Value::Null, Value::Nil) => true,
        (serde_json::Value::Bool(a), Value::Boolean(b)) => a == b,
        (serde_json::Value::Number(a), Value::Integer(b)) => {
            a.as_u64().is_some() && a.as_u64() == b.as_u64() || a.as_i64() == b.as_i64()
        }
        (serde_json::Value::Number(a), Value::F64(b)) => {
            a.as_f64().is_some_and(|a| a.to_bits() == b.to_bits())
        }
        (serde_json::Value::String(a), Value::String(b)) => Some(a.as_str()) == b.as_str(),
        (serde_json::Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (serde_json::Value::Object(a), Value::Map(b)) => {
            // `serde_json` keeps the last of duplicate keys.
            b.iter().enumerate().all(|(index, (key, value))| {
                b[index + 1..].iter().any(|(later, _)| later == key)
                    || key
                        .as_str()
                        .and_then(|key| a.get(key))
                        .is_some_and(|a| is_equal(a, value))
            })
        }
        _ => false,
    }
}

#[test]
fn long_values_are_refused_or_measured() {
    let mode = Options::default().mode(Mode::Stream);
    let text = format!(
        "[1] {{\"a\":[{}[]]}} [2] {}",
        "[1, {}], ".repeat(10_000),
        "[".repeat(5000) + &"]".repeat(5000)
    );
    let encode = |text: &str, limit, long| {
        let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new()).limit(limit, long);
        let checked = Validator::new(mode).check(text.as_bytes(), &mut encoder);
        (encoder, checked)
    };
    let (encoder, checked) = encode(&text, 1000, LongValues::Refuse);
    assert_eq!(checked.unwrap_err(), Stop::Sink(EncodeError::TooLarge));
    drop(encoder);
    let (whole, checked) = encode(&text, usize::MAX, LongValues::Refuse);
    checked.unwrap();
    let whole = whole.finish().unwrap();
    let lengths = || {
        let (encoder, _) = encode(&text, 1000, LongValues::Measure(Lengths::default()));
        encoder.lengths().unwrap()
    };
    let (written, _) = encode(&text, 1000, LongValues::Write(lengths()));
    assert!(written.finish().unwrap() == whole);
    // Another text has other lengths.
    for (from, to) in [
        ("[1, {}]", "[1, {}, 2]"),
        ("[]]}", "[]]} "),
        ("{}]", "[]]"),
        ("[1, {}], ", ""),
        ("[[[", "[[[[],"),
    ] {
        let other = text.replacen(from, to, 1);
        let (encoder, checked) = encode(&other, 1000, LongValues::Write(lengths()));
        let packed = checked.map_err(|stop| matches!(stop, Stop::Sink(EncodeError::OtherText)));
        match packed.map(|()| encoder.finish()) {
            Ok(Ok(packed)) => assert!(to_json(&packed, JsonOptions::default()).is_ok(), "{from}"),
            Ok(Err(error)) => assert_eq!(error, EncodeError::OtherText),
            Err(is_other) => assert!(is_other, "{from}"),
        }
    }
}
