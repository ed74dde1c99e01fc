//! Messages and positions of errors.

use std::collections::HashMap;

use jsonx_core::{Document, OwnedDocument, OwnedRaw, Raw, Spanned, from_str};
use serde::Deserialize;

fn message<'t, T: Deserialize<'t>>(text: &'t str) -> String {
    match from_str::<T>(text) {
        Ok(_) => panic!("{text}"),
        Err(error) => error.to_string(),
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Point {
    x: u32,
    y: u32,
}

/// At the second key, at any chunk boundary.
#[test]
fn a_duplicate_field_is_at_its_second_key() {
    for blanks in [0, 1, 100, 8170, 8180, 8190, 8200, 20_000] {
        let text = format!("[{{\"x\": 1,{} \"x\": 2}}]", " ".repeat(blanks));
        let error = from_str::<Vec<Point>>(&text).unwrap_err();
        let second = text.rfind("\"x\"").unwrap() as u64;
        assert_eq!(error.offset(), Some(second), "{blanks}");
        assert!(
            error
                .to_string()
                .starts_with(".[0]: duplicate field `x` at line 1 ")
        );
    }
    // Other errors are unaffected.
    let text = r#" {"y": {"x": 1, "y": 2}, "z": {"y": 1}}"#;
    let error = from_str::<HashMap<String, Point>>(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        ".z: missing field `x` at line 1 column 31"
    );
    assert_eq!(from_str::<Point>("  {}").unwrap_err().offset(), Some(2));
    assert_eq!(
        from_str::<Point>("  {\"x\": 1}").unwrap_err().offset(),
        Some(2)
    );
}

#[derive(Debug, Deserialize)]
#[serde(tag = "t")]
#[allow(dead_code)]
enum Tagged<'a> {
    Raw {
        #[serde(borrow)]
        value: Raw<'a>,
    },
    Spanned {
        value: Spanned<u32>,
    },
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Flattened<'a> {
    #[serde(flatten, borrow)]
    rest: HashMap<&'a str, Raw<'a>>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct FlattenedSpans {
    #[serde(flatten)]
    rest: HashMap<String, Spanned<Point>>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct FlattenedOwned<T> {
    #[serde(flatten)]
    rest: HashMap<String, T>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged<'a> {
    Number(u8),
    #[serde(borrow)]
    Raw(Raw<'a>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Plain {
    Number(u8),
    Flag(bool),
}

/// `serde` buffers these without their text: the error names the type that needs it.
#[test]
fn types_that_need_the_text() {
    let reason = |name: &str| {
        format!(
            "`{name}` is read from JSON text by jsonx_core only, and not in flattened, untagged or internally tagged types, which serde buffers; a type such as serde_json::Value can be read there"
        )
    };
    for (found, name) in [
        (message::<Tagged>(r#"{"t": "Raw", "value": [1]}"#), "Raw"),
        (
            message::<Tagged>(r#"{"t": "Spanned", "value": 1}"#),
            "Spanned",
        ),
        (message::<Flattened>(r#"{"a": 1}"#), "Raw"),
        (
            message::<FlattenedSpans>(r#"{"a": {"start": 1, "value": 2, "end": 3}}"#),
            "Spanned",
        ),
        (message::<Untagged>(r#""a""#), "Raw"),
        (
            message::<FlattenedOwned<OwnedRaw>>(r#"{"a": "[1]"}"#),
            "OwnedRaw",
        ),
        (
            message::<FlattenedOwned<OwnedDocument>>(r#"{"a": {}}"#),
            "OwnedDocument",
        ),
    ] {
        assert!(found.contains(&reason(name)), "{found}");
    }
    assert!(
        message::<Untagged>(r#""a""#)
            .starts_with("data did not match any variant of untagged enum Untagged: ")
    );
    // Not for an error in a later text.
    assert!(matches!(from_str::<Flattened>(r#"{"a": 1}"#), Err(error) if error.is_data()));
    assert_eq!(
        message::<Plain>(" null"),
        "data did not match any variant of untagged enum Plain at line 1 column 2"
    );
    let key = message::<HashMap<Raw, u8>>(r#"{"a": 1}"#);
    assert_eq!(
        key,
        "a key cannot be a `Raw` or `Spanned` at line 1 column 2"
    );
    // Another deserializer.
    fn other<'t, T: Deserialize<'t>>() -> String {
        let error = serde_json::from_str::<T>(r#""[1]""#).err().unwrap();
        error.to_string()
    }
    for (found, name) in [
        (other::<Raw>(), "Raw"),
        (other::<OwnedRaw>(), "OwnedRaw"),
        (other::<OwnedDocument>(), "OwnedDocument"),
        (other::<Spanned<u8>>(), "Spanned"),
    ] {
        assert!(found.contains(&reason(name)), "{found}");
    }
}

/// Other fields in the same structures are unaffected.
#[test]
fn types_that_have_the_text() {
    #[derive(Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent<'a> {
        #[serde(borrow)]
        Raw(Raw<'a>),
        Spanned(Spanned<u32>),
    }
    let text = r#"[{"t": "Raw", "c": [1]}, {"t": "Spanned", "c": 7}]"#;
    let [Adjacent::Raw(raw), Adjacent::Spanned(seven)] =
        &from_str::<Vec<Adjacent>>(text).unwrap()[..]
    else {
        panic!("two variants");
    };
    assert_eq!(
        (raw.as_str(), seven.value, &text[seven.span()]),
        ("[1]", 7, "7")
    );
    #[derive(Deserialize)]
    struct Beside<'a> {
        #[serde(borrow)]
        raw: Raw<'a>,
        point: Spanned<Option<Spanned<Point>>>,
        #[serde(flatten)]
        rest: HashMap<String, u8>,
    }
    let text = r#"[{"raw": 1.50, "point": {"x": 1, "y": 2}, "z": 3}]"#;
    let read = &from_str::<Vec<HashMap<&str, Raw>>>(text).unwrap()[0];
    assert_eq!(read["raw"].as_str(), "1.50");
    // Flattening only buffers unknown fields.
    let beside = from_str::<Vec<Beside>>(text);
    match beside {
        Ok(beside) => {
            let [Beside { raw, point, rest }] = &beside[..] else {
                panic!("one")
            };
            assert_eq!(
                (raw.as_str(), &text[point.span()], rest["z"]),
                ("1.50", r#"{"x": 1, "y": 2}"#, 3)
            );
            assert_eq!(point.value.as_ref().unwrap().value.x, 1);
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn lookups_name_the_path() {
    let text = br#"{"servers": [{"name": "a", "po\u0072t": 80}], "a b": {}, "ID": 1}"#;
    let document = Document::parse(text).unwrap();
    let message = |path: &str| document.find(path).unwrap_err().to_string();
    for (path, expected) in [
        (
            ".server",
            ".server: the root has no key `server`; did you mean `servers`?",
        ),
        (
            ".servers[0].prot",
            ".servers[0].prot: .servers[0] has no key `prot`; did you mean `port`?",
        ),
        (
            "/servers/0/zip",
            "/servers/0/zip: /servers/0 has no key `zip`",
        ),
        (
            "$.servers[1]",
            "$['servers'][1]: $['servers'] has 1 element",
        ),
        (
            ".servers.x",
            ".servers.x: .servers is an array, not an object",
        ),
        (".[0]", ".[0]: the root is an object, not an array"),
        (
            ".servers[0].name.x.y",
            ".servers[0].name.x.y: .servers[0].name is a string",
        ),
        (
            ".servers[0].port[2]",
            ".servers[0].port[2]: .servers[0].port is a number",
        ),
        (r#".["a b"].c"#, r#".["a b"].c: .["a b"] has no key `c`"#),
        // Two-letter keys only match apart from case.
        (".id", ".id: the root has no key `id`; did you mean `ID`?"),
        (".ix", ".ix: the root has no key `ix`"),
        (".[\"\\u001b\"]", r#".["\u001b"]: the root has no key `␛`"#),
    ] {
        assert_eq!(message(path), expected);
    }
    // A compiled path may be looked up often.
    let path = jsonx_core::Path::parse(".server").unwrap();
    assert_eq!(
        document.find(&path).unwrap_err().to_string(),
        ".server: the root has no key `server`"
    );
    let array = Document::parse(b"[[], 1, 2]").unwrap();
    assert_eq!(
        array.find(".[-4]").unwrap_err().to_string(),
        ".[-4]: the root has 3 elements"
    );
    assert_eq!(
        array.find("/0/0").unwrap_err().to_string(),
        "/0/0: /0 has 0 elements"
    );
}
