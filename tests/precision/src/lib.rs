//! `serde_json` passes numbers of arbitrary precision and raw values to other formats under private names: `jsonx-core`
//! recognizes them.
#![cfg(test)]

use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_core::{Document, from_reader, from_str, to_string};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};

/// Texts that both write the same way.
const TEXTS: [&str; 9] = [
    "1",
    "-0",
    "1.50",
    "1e400",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "[1,{\"a\":[2.0,null,\"1\"],\"b\":{}}]",
    "{\"n\":-12,\"s\":\"\\n\"}",
    "true",
];

#[derive(Debug, Deserialize, Serialize)]
struct Borrowed<'a> {
    #[serde(borrow)]
    raw: &'a RawValue,
    more: Vec<Box<RawValue>>,
}

#[test]
fn trees_are_written_as_serde_json_writes_them() {
    for text in TEXTS {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            to_string(&value).unwrap(),
            serde_json::to_string(&value).unwrap()
        );
    }
}

/// A deserializer cannot know that a tree would accept all digits of a number, so it gets a double; a raw value keeps all digits.
#[test]
fn trees_are_read_with_doubles() {
    for text in [
        "1",
        "-12",
        "18446744073709551615",
        "1.5",
        "[1,{\"a\":[2.5,null,\"1\"],\"b\":{}}]",
        "true",
    ] {
        assert_eq!(
            from_str::<Value>(text).unwrap(),
            serde_json::from_str::<Value>(text).unwrap()
        );
    }
    let number: Number = from_str("123456789012345678901234567890").unwrap();
    assert_eq!(number.as_f64(), Some(1.2345678901234568e29));
    assert!(from_str::<Value>("1e400").is_err());
    let whole = "[1e+400,123456789012345678901234567890]";
    let raw: Vec<&RawValue> = from_str(whole).unwrap();
    let exact: Vec<Number> = raw
        .iter()
        .map(|raw| serde_json::from_str(raw.get()).unwrap())
        .collect();
    assert_eq!(to_string(&exact).unwrap(), whole);
}

/// Also in a document; comments are not part of a raw value.
#[test]
fn values_of_a_document_are_read_like_text() {
    let text = "{\"a\": [1.50, \"é\"], \"b\": 2}";
    let document = Document::parse(text.as_bytes()).unwrap();
    let raw: &RawValue = document.get("a").unwrap().read().unwrap();
    assert_eq!(raw.get(), "[1.50, \"é\"]");
    let value: Value = document.root().read().unwrap();
    assert_eq!(value, from_str::<Value>(text).unwrap());
    let exact: Number = serde_json::from_str("1e400").unwrap();
    let edited = document.edit().set_value(".b", &exact).unwrap().finish();
    assert_eq!(edited, text.replace('2', "1e+400").into_bytes());

    let options = Options::default().dialect(Dialect::Comments);
    let document = Document::parse_with(b"[1.50/**/, /* a */ 2 // b\n]", options).unwrap();
    let raw: Box<RawValue> = document.root().read().unwrap();
    let values: [f64; 2] = serde_json::from_str(raw.get()).unwrap();
    assert_eq!(values, [1.5, 2.0]);
    assert!(document.root().read::<&RawValue>().is_err());
}

#[test]
fn raw_values_keep_their_text() {
    let text = "{\"raw\":{\"a\" : 1.50},\"more\":[1e400,\"\\u00e9\\n\",[ ]]}";
    let read: Borrowed = from_str(text).unwrap();
    assert_eq!(read.raw.get(), "{\"a\" : 1.50}");
    assert_eq!(to_string(&read).unwrap(), text);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let owned: Vec<Box<RawValue>> = from_reader(&b" [ 1.0 , {}]"[..]).unwrap();
    assert_eq!(to_string(&owned).unwrap(), "[1.0,{}]");
}
