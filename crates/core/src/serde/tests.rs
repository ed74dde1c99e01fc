//! Compares with `serde_json`: the same values, and errors for the same texts.

mod generated;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Error, Raw, Spanned, elements, from_reader, from_slice, from_str, lines, to_string, to_vec,
};
use jsonx_testing::cases;

/// Reads a text with both, which must agree on the value or both fail.
fn same<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    match (from_slice::<T>(text), serde_json::from_slice::<T>(text)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{shown}"),
        (Err(_), Err(_)) => {}
        (ours, theirs) => panic!("{shown}: {ours:?}, {theirs:?}"),
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, Option<String>),
    Struct { a: i32, b: Vec<bool> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Struct { a: i32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(f64),
    Tuple(u8, u8),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Text(String),
    List(Vec<Untagged>),
    Object { a: Option<Box<Untagged>> },
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Green,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
struct Unit;

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
struct Newtype(i64);

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
    #[serde(default)]
    b: String,
    #[serde(skip)]
    skipped: u8,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    c: Option<char>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Clone)]
struct Everything {
    external: Vec<External>,
    internal: Internal,
    adjacent: Vec<Adjacent>,
    untagged: Untagged,
    unit: Unit,
    newtype: Newtype,
    strict: Strict,
    flat: Flat,
    tuple: (u8, String, ()),
    by_integer: BTreeMap<i16, u64>,
    by_variant: BTreeMap<Color, f32>,
    by_bool: BTreeMap<bool, f64>,
    wide: (i128, u128),
}

#[test]
fn the_whole_data_model() {
    let text = r#"{
        "external": ["Unit", {"Newtype": 255}, {"Tuple": [1, null]}, {"Struct": {"b": [true], "a": -1}}, {"Unit": null}],
        "internal": {"a": 5, "type": "Struct"},
        "adjacent": [{"t": "Unit"}, {"c": 1.5, "t": "Newtype"}, {"t": "Tuple", "c": [1, 2]}],
        "untagged": [1, "two", {"a": {"a": 3}}, {}],
        "unit": null,
        "newtype": -9223372036854775808,
        "strict": {"a": 1, "c": "é"},
        "flat": {"x": 1, "id": 7, "y": "\u00e9\n"},
        "tuple": [1, "a\"b", null],
        "by_integer": {"-5": 18446744073709551615},
        "by_variant": {"green": 0.1, "red": 16777217},
        "by_bool": {"true": 1e-300},
        "wide": [-170141183460469231731687303715884105728, 340282366920938463463374607431768211455]
    }"#;
    same::<Everything>(text.as_bytes());
    let value: Everything = from_str(text).unwrap();
    assert_eq!(value.by_variant[&Color::Red], 16_777_216.0);
    let written = to_string(&value).unwrap();
    assert_eq!(written, serde_json::to_string(&value).unwrap());
    assert_eq!(from_str::<Everything>(&written).unwrap(), value);
    assert_eq!(
        from_reader::<Everything, _>(text.as_bytes()).unwrap(),
        value
    );
}

/// Data that does not fit a type is rejected by `serde_json` too.
#[test]
fn data_that_does_not_fit() {
    let texts = [
        "null",
        "true",
        "0",
        "-1",
        "-0",
        "256",
        "1.0",
        "1e2",
        "1e400",
        "18446744073709551616",
        "\"a\"",
        "\"\"",
        "\"ab\"",
        "[]",
        "[1]",
        "[1, 2]",
        "[1, 2, 3]",
        "{}",
        "{\"a\": 1}",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": 1, \"z\": 2}",
        "{\"1\": 1}",
        "{\"01\": 1}",
        "{\"+1\": 1}",
        "{\"1.0\": 1}",
        "{\" 1\": 1}",
        "{\"true\": 1}",
        "\"Unit\"",
        "{\"Unit\": null}",
        "{\"Unit\": 1}",
        "{\"Newtype\": 1}",
        "{\"Newtype\": 1, \"Unit\": null}",
        "{\"Tuple\": [1]}",
        "{\"Tuple\": [1, \"a\", 2]}",
        "{\"Struct\": {\"a\": 1}}",
        "{\"Struct\": [1, [true]]}",
        "{\"type\": \"Unit\"}",
        "{\"type\": \"Struct\", \"a\": 1}",
        "{\"t\": \"Tuple\", \"c\": [1]}",
        "\"\\ud800\"",
        "\"\\u00e9\"",
        "[null]",
        "[1, null]",
        "{\"a\": null}",
        "{\"id\": 1}",
        "{\"id\": 1, \"q\": [[]]}",
        "\"red\"",
        "{\"red\": 1}",
        "[1, 2",
        "[1,]",
        "1 2",
        "",
        " ",
    ];
    for text in texts {
        let text = text.as_bytes();
        same::<()>(text);
        same::<bool>(text);
        same::<u8>(text);
        same::<i64>(text);
        same::<u64>(text);
        same::<i128>(text);
        same::<f64>(text);
        same::<char>(text);
        same::<String>(text);
        same::<Option<u8>>(text);
        same::<Vec<u8>>(text);
        same::<(u8, u8)>(text);
        same::<[u8; 2]>(text);
        same::<HashMap<String, u8>>(text);
        same::<BTreeMap<u8, u8>>(text);
        same::<BTreeMap<Color, u8>>(text);
        same::<BTreeMap<bool, u8>>(text);
        same::<Value>(text);
        same::<External>(text);
        same::<Internal>(text);
        same::<Adjacent>(text);
        same::<Untagged>(text);
        same::<Color>(text);
        same::<Unit>(text);
        same::<Newtype>(text);
        same::<Strict>(text);
        same::<Flat>(text);
    }
}

#[test]
fn strings_without_escapes_are_borrowed() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        plain: &'a str,
        #[serde(borrow)]
        cow: Cow<'a, str>,
        bytes: &'a [u8],
    }
    let text = r#"{"plain": "é", "cow": "a\tb", "bytes": "xyz"}"#;
    let value: Borrowed<'_> = from_str(text).unwrap();
    assert_eq!(
        (value.plain, &*value.cow, value.bytes),
        ("é", "a\tb", &b"xyz"[..])
    );
    assert!(
        text.as_bytes()
            .as_ptr_range()
            .contains(&value.plain.as_ptr())
    );
    assert!(matches!(value.cow, Cow::Owned(_)));
    // A string with escapes cannot be borrowed.
    assert!(from_str::<&str>(r#""a\tb""#).is_err());
}

#[test]
fn errors_have_a_position() {
    let error = |text: &str| {
        let error = from_str::<HashMap<String, Vec<Strict>>>(text).unwrap_err();
        let position = error.line().zip(error.column()).unwrap();
        (error.to_string(), position)
    };
    for (text, message, position) in [
        (
            "{\"x\": [{\"a\": 1},\n {\"a\": 256}]}",
            ".x[1].a: expected u8, found 256",
            (2, 8),
        ),
        (
            "{\"x\": [{\"a\": 1, \"q\": 2}]}",
            ".x[0]: unknown field `q`, expected one of `a`, `b`, `c`",
            (1, 17),
        ),
        (
            "{\"x\": [{\"b\": \"\"}]}",
            ".x[0]: missing field `a`",
            (1, 8),
        ),
        (
            "{\"x\": [{\"a\": \"\\ud800\"}]}",
            ".x[0].a: expected a character, found a lone surrogate",
            (1, 15),
        ),
        (
            "{\"a b\": {}}",
            ".[\"a b\"]: expected a sequence, found an object",
            (1, 9),
        ),
        (
            "{\"x\": [nul]}",
            "expected `true`, `false` or `null`",
            (1, 11),
        ),
        ("[]", "expected a map, found an array", (1, 1)),
        (
            "{} {}",
            "expected the end of the input after the value",
            (1, 4),
        ),
    ] {
        let message = format!("{message} at line {} column {}", position.0, position.1);
        assert_eq!(error(text), (message, position), "{text}");
    }
}

#[test]
fn depth() {
    let levels = 10_000_000;
    let text = "[".repeat(levels) + &"]".repeat(levels);
    from_str::<IgnoredAny>(&text).unwrap();
    let error = from_str::<Value>(&text).unwrap_err();
    assert!(error.is_data());
    assert_eq!(error.offset(), Some(127));
    assert!(serde_json::from_str::<Value>(&text).is_err());
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for levels in [126, 127, 128] {
        same::<Value>(nested(levels).as_bytes());
    }
    // Siblings do not count as levels.
    let siblings = format!("[{}[]]", "[[{}]],".repeat(1000));
    same::<Value>(siblings.as_bytes());
}

#[test]
fn raw_and_spanned() {
    #[derive(Deserialize, Serialize)]
    struct MarkCollector<'a> {
        #[serde(borrow)]
        raw: Vec<Raw<'a>>,
        spanned: Spanned<Vec<Spanned<u8>>>,
    }
    let text = "{\"raw\": [1.50 , {\"a\" : [] } , \"\\u00e9\"], \"spanned\": [1,  22 ] }";
    let both: MarkCollector<'_> = from_str(text).unwrap();
    let raw: Vec<&str> = both.raw.iter().map(Raw::as_str).collect();
    assert_eq!(raw, ["1.50", "{\"a\" : [] }", "\"\\u00e9\""]);
    assert_eq!(&text[both.spanned.span()], "[1,  22 ]");
    assert_eq!(&text[both.spanned.value[1].span()], "22");
    assert_eq!(
        to_string(&both).unwrap(),
        "{\"raw\":[1.50,{\"a\" : [] },\"\\u00e9\"],\"spanned\":[1,22]}"
    );
    assert!(Raw::new("{").is_err());
}

#[test]
fn lines_go_on_after_a_bad_one() {
    let text = "{\"a\": 1}\r\n\n{\"a\": 300}\n{\"a\"\n{\"a\": 4}";
    let mut read = lines::<Strict, _>(text.as_bytes());
    let mut seen = Vec::new();
    while let Some(result) = read.next() {
        seen.push((read.line(), result.ok().map(|value| value.a)));
    }
    assert_eq!(seen, [(1, Some(1)), (3, None), (4, None), (5, Some(4))]);
}

/// A reader that returns a few bytes at a time, and counts them.
struct Dripping<'a>(&'a [u8], usize);

impl std::io::Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        let (given, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(given);
        self.0 = rest;
        Ok(count)
    }
}

#[test]
fn elements_of_arrays() {
    let text = br#"{"a/b": {"0": [1, [2], {"x": "\u00e9"}]}, "rows": [[10, 20], [30]], "~": 5}"#;
    for (path, expected) in [
        ("/a~1b/0", vec!["1", "[2]", "{\"x\":\"é\"}"]),
        ("/rows/1", vec!["30"]),
        (".rows[0]", vec!["10", "20"]),
        ("$.rows", vec!["[10,20]", "[30]"]),
        ("$.rows[*]", vec!["[10,20]", "[30]"]),
        ("$.rows[*][*]", vec!["10", "20", "30"]),
        ("$..rows[?@[0] > 10]", vec!["[30]"]),
        ("$.rows[?@ == 0]", vec![]),
        (".rows", vec!["[10,20]", "[30]"]),
        (
            "/~0",
            vec!["expected an array or an object, found a number at offset 73"],
        ),
        ("/none", vec!["the path leads to no value"]),
        (
            "",
            vec!["{\"0\":[1,[2],{\"x\":\"é\"}]}", "[[10,20],[30]]", "5"],
        ),
    ] {
        for size in [1, 7, 100_000] {
            let values = elements::<Value, _>(Dripping(text, size), path).unwrap();
            let shown = |value: Result<Value, Error>| {
                value.map_or_else(|error| error.to_string(), |value| value.to_string())
            };
            let values: Vec<String> = values.map(shown).collect();
            assert_eq!(values, expected, "{path} {size}");
        }
    }
    let error = elements::<Value, _>(&text[..], "rows").unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    assert!(source.is::<crate::path::PathError>());
}

proptest! {
    /// Every function that takes a pointer rejects the same ones, by RFC 6901.
    #[test]
    fn pointers_are_the_same_everywhere(pointer in "[/~012a-]{0,8}") {
        let is_one = (pointer.is_empty() || pointer.starts_with('/'))
            && pointer.replace("~0", "").replace("~1", "").find('~').is_none();
        prop_assert_eq!(crate::path::Path::parse(&pointer).is_ok(), is_one);
        prop_assert_eq!(crate::path::Path::pointer(pointer.as_bytes()).is_ok(), is_one);
        prop_assert_eq!(elements::<Value, _>(&b"[]"[..], &pointer).is_ok(), is_one);
        let patch = format!(r#"[{{"op": "test", "path": {pointer:?}, "value": 1}}]"#);
        let document = crate::Document::parse(patch.as_bytes()).unwrap();
        prop_assert_eq!(crate::patch::Patch::parse(&document).is_ok(), is_one);
    }
}

#[test]
fn elements_and_errors() {
    let text = b"[1, 300, 2, nul, 4]";
    for size in [1, 100] {
        let read: Vec<Result<u8, Option<u64>>> = elements::<u8, _>(Dripping(text, size), "")
            .unwrap()
            .map(|element| element.map_err(|error| error.offset()))
            .collect();
        assert_eq!(read, [Ok(1), Err(Some(4)), Ok(2), Err(Some(15))]);
    }
    // Lines and paths are those of the whole text, however it is read.
    let row = |id: &str| format!("  {{\r\n    \"k\": [\"é\", {id}]}}\n,");
    let text = format!(
        "{{\"rows\": [\n{}{}1\n]}}",
        row("1").repeat(5000),
        row("\"x\"")
    );
    type Row = BTreeMap<String, (String, u8)>;
    for (size, path) in [(1, "/rows"), (100, "$.rows[*]"), (100_000, "$..rows[*]")] {
        let rows = elements::<Row, _>(Dripping(text.as_bytes(), size), path).unwrap();
        let errors: Vec<String> = rows
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(
            errors,
            [
                ".rows[5000].k[1]: expected u8, found string \"x\" at line 10003 column 16",
                ".rows[5001]: expected a map, found 1 at line 10004 column 2",
            ],
            "{size}"
        );
    }
    // Truncated and empty texts.
    for text in ["[1, 2", "", "[1]]"] {
        let last = elements::<u8, _>(text.as_bytes(), "").unwrap().last();
        assert!(last.unwrap().is_err(), "{text}");
    }
}

/// Memory depends on the longest element, not on the array.
#[test]
fn elements_of_a_long_array() {
    let row = format!("{{\"id\": 12345, \"pad\": \"{}\"}}, ", "x".repeat(1000));
    let text = format!("[{}1]", row.repeat(3000));
    let mut rows = elements::<IgnoredAny, _>(text.as_bytes(), "").unwrap();
    let mut count = 0;
    while let Some(row) = rows.next() {
        row.unwrap();
        count += 1;
        assert!(
            rows.held() <= 2 * (64 << 10) + 2 * row_length(&text),
            "{}",
            rows.held()
        );
    }
    assert_eq!(count, 3001);
}

fn row_length(text: &str) -> usize {
    text.find(", {").unwrap_or(text.len())
}

#[test]
fn unsupported_values() {
    assert!(to_vec(&BTreeMap::from([(vec![1], 2)])).is_err());
    assert!(to_vec(&BTreeMap::from([((), 2)])).is_err());
    assert_eq!(
        to_string(&[f64::NAN, f64::INFINITY]).unwrap(),
        "[null,null]"
    );
    assert_eq!(
        to_string("\u{7f}\u{1}\"\\/é").unwrap(),
        "\"\u{7f}\\u0001\\\"\\\\/é\""
    );
}

/// Every byte may be at a chunk boundary.
#[test]
fn long_texts() {
    for filler in 0..70 {
        let padding = " ".repeat(8 * 1024 - 40 + filler);
        let text = format!(
            "[{padding}\"abc\\n\", 12345, true, null, {{\"key\" : [1.5]}} {padding}, \"é\"]"
        );
        same::<Value>(text.as_bytes());
    }
    let long = format!("[\"{}\", 1{}]", "x\\u00e9".repeat(10_000), "0".repeat(200));
    same::<Value>(long.as_bytes());
}

/// A reader reuses the buffers and the validator of the previous one on the thread.
#[test]
fn a_reader_after_another_one() {
    let deep = "[".repeat(300);
    let before: [&[u8]; 8] = [
        b"[1, 2]",
        b"[1, [2, {\"a\"",
        b"[1}",
        b"[1] 2",
        b"{\"a\": \"unfinished",
        b"\xff",
        b"",
        deep.as_bytes(),
    ];
    let long = format!("[{}[1.5]]", "[0], ".repeat(5000));
    for text in before {
        let _ = from_slice::<IgnoredAny>(text);
        assert_eq!(from_slice::<Vec<u8>>(b"[1, 2]").unwrap(), [1, 2]);
        let _ = from_slice::<Vec<u8>>(text);
        assert!(from_slice::<u8>(b"1 2").is_err());
        let _ = from_slice::<String>(text);
        assert_eq!(
            from_slice::<Vec<Vec<f32>>>(long.as_bytes()).unwrap().len(),
            5001
        );
        let mut rows = lines::<Vec<u8>, _>(&b"[1]\n[2\n[3]\n"[..]);
        assert_eq!(rows.next().unwrap().unwrap(), [1]);
        assert!(rows.next().unwrap().is_err());
        assert_eq!(rows.next().unwrap().unwrap(), [3]);
    }
}

/// Short strings are appended as words, which may overlap.
#[test]
fn every_byte_of_a_short_string_is_escaped() {
    for length in 0..=40 {
        for at in 0..length {
            for byte in [b'a', b'"', b'\\', b'\n', 0x1f, 0x7f] {
                let mut text = vec![b'-'; length];
                text[at] = byte;
                let text = String::from_utf8(text).unwrap();
                let expected = serde_json::to_string(&text).unwrap();
                assert_eq!(crate::to_string(&text).unwrap(), expected);
            }
        }
    }
}
