//! Differences from `serde_json`: both sides of the table in `docs/library.md`.

use std::collections::{BTreeMap, HashMap};

use jsonx_core::{Error, WriteOptions, from_slice, from_str, to_string, to_string_pretty};
use serde::de::{IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

fn ours<'de, T: Deserialize<'de>>(text: &'de [u8]) -> bool {
    from_slice::<T>(text).is_ok()
}

fn theirs<'de, T: Deserialize<'de>>(text: &'de [u8]) -> bool {
    serde_json::from_slice::<T>(text).is_ok()
}

/// As `serde_json` writes a `RawValue`. Laid out again, 20 kB of brackets would take 200 MB.
#[test]
fn raw_text_is_verbatim_in_indented_text() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let raw = jsonx_core::Raw::new(&deep).unwrap();
    assert_eq!(to_string_pretty(&[raw]).unwrap(), format!("[\n  {deep}\n]"));
}

#[test]
fn invalid_utf_8_that_is_ignored() {
    assert!(theirs::<IgnoredAny>(b"\"\xff\""));
    assert!(!ours::<IgnoredAny>(b"\"\xff\""));
    // In a string that is read, it is an error in both.
    assert!(!theirs::<String>(b"\"\xff\""));
    assert!(!ours::<String>(b"\"\xff\""));
}

#[test]
fn depth_that_is_ignored() {
    let text = "[".repeat(1000) + &"]".repeat(1000);
    assert!(ours::<IgnoredAny>(text.as_bytes()) && theirs::<IgnoredAny>(text.as_bytes()));
    assert!(!theirs::<serde_json::Value>(text.as_bytes()));
    assert!(!ours::<serde_json::Value>(text.as_bytes()));
}

#[test]
fn huge_numbers_that_are_ignored() {
    assert!(ours::<IgnoredAny>(b"[1e400]"));
    assert!(theirs::<IgnoredAny>(b"[1e400]"));
    assert!(!ours::<f32>(b"1e39"));
    assert!(!ours::<f64>(b"1e400"));
    assert!(!theirs::<f64>(b"1e400"));
}

/// Raw bytes.
#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl Visitor<'_> for Collect {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }

        deserializer.deserialize_bytes(Collect)
    }
}

#[test]
fn half_a_surrogate_pair_as_bytes() {
    let text = br#""\ud800""#;
    assert_eq!(
        serde_json::from_slice::<Bytes>(text).unwrap(),
        Bytes(b"\xed\xa0\x80".to_vec())
    );
    assert!(!ours::<Bytes>(text));
    // Whole characters are the same.
    let text = br#""\u00e9\ud83d\ude00""#;
    assert_eq!(
        from_slice::<Bytes>(text).unwrap(),
        serde_json::from_slice(text).unwrap()
    );
    // As a string it is an error in both.
    assert!(!ours::<String>(br#""\ud800""#) && !theirs::<String>(br#""\ud800""#));
}

#[test]
fn strings_as_bytes_are_checked() {
    for text in [&b"\"\n\""[..], b"\"\xff\""] {
        assert!(theirs::<Bytes>(text) && !ours::<Bytes>(text));
        assert!(!theirs::<String>(text) && !ours::<String>(text));
    }
}

/// The notation of `serde_json` depends on its version.
#[test]
fn floats_are_written_in_one_notation() {
    for (float, text) in [(1e16, "1e16"), (1e-7, "1e-7"), (1e15, "1000000000000000.0")] {
        assert_eq!(to_string(&float).unwrap(), text);
        let theirs = serde_json::to_string(&float).unwrap();
        assert_eq!(theirs.replace('+', ""), text);
        assert_eq!(from_str::<f64>(&theirs).unwrap(), float);
    }
}

#[test]
fn keys_that_are_numbers() {
    let same = |key: &str| {
        let text = format!("{{\"{key}\": 1}}");
        fn read<'a, T: Deserialize<'a> + PartialEq + std::fmt::Debug>(text: &'a str) {
            assert_eq!(
                from_str::<T>(text).ok(),
                serde_json::from_str::<T>(text).ok()
            );
        }
        read::<BTreeMap<u8, u8>>(&text);
        read::<BTreeMap<i64, u8>>(&text);
        read::<BTreeMap<i128, u8>>(&text);
        read::<BTreeMap<bool, u8>>(&text);
    };
    for key in [
        "1",
        "-0",
        "300",
        "1.0",
        "1e2",
        "01",
        "+1",
        " 1",
        "1 ",
        "\\u0031",
        "",
        "-",
        "1e400",
        "true",
        "\\u0074rue",
    ] {
        same(key);
    }
}

#[test]
fn singles_are_rounded_once() {
    let text = "1.000000059604644775390626";
    assert_eq!(from_str::<f32>(text).unwrap(), 1.000_000_1);
    assert_eq!(serde_json::from_str::<f32>(text).unwrap(), 1.000_000_1);
}

#[test]
fn names_that_cannot_be_keys() {
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Key;

    impl Serialize for Key {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_f64(f64::NAN)
        }
    }

    let map = BTreeMap::from([(Key, 1)]);
    assert!(to_string(&map).is_err() && serde_json::to_string(&map).is_err());
    let nested = BTreeMap::from([(vec![1], 1)]);
    assert!(to_string(&nested).is_err() && serde_json::to_string(&nested).is_err());
}

#[derive(Debug, Deserialize)]
struct Point {
    #[allow(dead_code)]
    x: u8,
}

#[test]
fn the_place_of_a_missing_field() {
    let text = "[{\"x\": 1},\n {\"y\": 2}]";
    let error: Error = from_str::<Vec<Point>>(text).unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(2), Some(2)));
    let error = serde_json::from_str::<Vec<Point>>(text).unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 9));
}

#[test]
fn the_default_styles_are_the_same() {
    let value = HashMap::from([("a", vec![Some(1.5), None])]);
    assert_eq!(
        to_string(&value).unwrap(),
        serde_json::to_string(&value).unwrap()
    );
    assert_eq!(
        to_string_pretty(&value).unwrap(),
        serde_json::to_string_pretty(&value).unwrap()
    );
    let empty: (Vec<u8>, HashMap<u8, u8>, &str) = (vec![], HashMap::new(), "");
    assert_eq!(
        to_string_pretty(&empty).unwrap(),
        serde_json::to_string_pretty(&empty).unwrap()
    );
    assert_eq!(
        WriteOptions::default().to_string(&empty).unwrap(),
        "[[],{},\"\"]"
    );
}

/// Another writer serializes the value of a `Raw`, not a string with its text; this crate keeps the text.
#[test]
fn raw_values_in_other_writers() {
    let text = r#"{"a": [1, -2, 1.50, "x\u00e9\n", null, true, {}], "b": {"c": [[]]}}"#;
    let raw = jsonx_core::OwnedRaw::new(text).unwrap();
    let document = jsonx_core::Document::parse(text.as_bytes()).unwrap();
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(&raw).unwrap(), value);
    assert_eq!(
        serde_json::to_value([document.root()]).unwrap(),
        serde_json::json!([value])
    );
    assert_eq!(serde_json::to_string(&raw).unwrap(), value.to_string());
    assert_eq!(jsonx_core::to_string(&[&raw]).unwrap(), format!("[{text}]"));
    // The one does not disturb the other.
    assert_eq!(serde_json::to_value(&raw).unwrap(), value);
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let deep = jsonx_core::OwnedRaw::new(&deep).unwrap();
    assert!(serde_json::to_string(&deep).is_err());
    assert_eq!(jsonx_core::to_string(&deep).unwrap(), deep.as_str());
}
