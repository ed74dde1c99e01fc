//! Compares documents with serde_json; tests depth, length and duplicates.

use proptest::prelude::*;
use serde_json::Value;

use super::{Document, Node};
use crate::Kind;
use crate::agreement::valid_text;
use crate::engine::{Kernel, Options};
use jsonx_testing::cases;

/// Compares a value and its contents with those of serde_json. serde_json keeps the last of duplicate keys, and so few levels
/// that recursion is fine.
fn is_like(node: Node<'_, '_>, value: &Value) {
    match value {
        Value::Null => assert!(node.is_null()),
        Value::Bool(bool) => assert_eq!(node.as_bool(), Some(*bool)),
        Value::Number(number) => {
            assert_eq!(node.kind(), Kind::Number);
            assert_eq!(serde_json::from_slice::<Value>(node.raw()).unwrap(), *value);
            if let Some(integer) = number.as_i64() {
                assert_eq!(node.as_i64(), Some(integer));
            }
        }
        Value::String(text) => assert_eq!(node.as_str().unwrap(), text.as_str()),
        Value::Array(elements) => {
            assert_eq!((node.kind(), node.len()), (Kind::Array, elements.len()));
            assert_eq!(node.elements().count(), elements.len());
            for (index, (child, element)) in node.elements().zip(elements).enumerate() {
                assert_eq!(node.get(index).unwrap().span(), child.span());
                is_like(child, element);
            }
            assert!(node.get(elements.len()).is_none());
        }
        Value::Object(members) => {
            assert_eq!(node.kind(), Kind::Object);
            assert_eq!(node.len(), node.members().count());
            assert!(node.len() >= members.len());
            for (key, member) in members {
                is_like(node.get(key.as_str()).unwrap(), member);
            }
            for (key, _) in node.members() {
                assert!(members.contains_key(&*key.as_str().unwrap()));
            }
        }
    }
}

/// Whether two values differ at most in the notation of numbers: serde_json distinguishes `0`, `-0` and `0.0`.
fn may_be_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_be_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, value): (_, &Value)| {
                b.get::<String>(key)
                    .is_some_and(|other| may_be_equal(value, other))
            };
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn like_serde_json(choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let text = valid_text(&choices);
        let Ok(value) = serde_json::from_slice::<Value>(&text) else {
            return Ok(());
        };
        for kernel in Kernel::available() {
            let document = Document::index(&text, Options::default().kernel(kernel)).unwrap();
            is_like(document.root(), &value);
            prop_assert_eq!(document.root().raw(), text.trim_ascii());
        }
    }

    /// A value equals itself in every notation, and no value that serde_json distinguishes from it.
    #[test]
    fn equality_is_that_of_values(
        a in prop::collection::vec(any::<u32>(), 0..40),
        b in prop::collection::vec(any::<u32>(), 0..40),
    ) {
        let (a, b) = (valid_text(&a), valid_text(&b));
        let (Ok(x), Ok(y)) = (serde_json::from_slice::<Value>(&a), serde_json::from_slice::<Value>(&b)) else {
            return Ok(());
        };
        let (first, second) = (Document::parse(&a).unwrap(), Document::parse(&b).unwrap());
        if !may_be_equal(&x, &y) {
            prop_assert!(!first.root().equals(second.root()));
        }
        let pretty = serde_json::to_vec_pretty(&x).unwrap();
        let again = Document::parse(&pretty).unwrap();
        let is_exact = serde_json::to_string(&x).unwrap().len() == a.len();
        if is_exact {
            prop_assert!(first.root().equals(again.root()));
        }
    }
}

fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (
        Document::parse(a.as_bytes()).unwrap(),
        Document::parse(b.as_bytes()).unwrap(),
    );
    a.root().equals(b.root())
}

#[test]
fn values_are_compared_and_not_texts() {
    for (a, b) in [
        ("[1, 0.10]", "[1.0e0,1e-1]"),
        ("-0", "0.0e5"),
        (r#"{"a": 1, "b": [{}]}"#, r#"{"b":[{ }],"\u0061":1}"#),
        (r#"{"a": 2, "a": 1}"#, r#"{"a": 1}"#),
        (r#""\ud83d\ude00""#, r#""😀""#),
        (r#"["\ud83d"]"#, r#"["\uD83D"]"#),
    ] {
        assert!(equal(a, b), "{a} {b}");
    }
    for (a, b) in [
        ("9007199254740993", "9007199254740992"),
        ("1e400", "1e401"),
        ("[1, 2]", "[2, 1]"),
        ("[[1], 2]", "[[1, 2]]"),
        (r#"["a", "b"]"#, r#"["ab"]"#),
        (r#"{"a": 1, "a": 2}"#, r#"{"a": 1}"#),
        (r#"["\ud83d"]"#, r#"["\ufffd"]"#),
        ("null", "false"),
        ("[]", "{}"),
        ("true", "false"),
        ("1", "\"1\""),
    ] {
        assert!(!equal(a, b), "{a} {b}");
    }
}

#[test]
fn duplicate_keys_are_all_indexed_and_the_last_one_counts() {
    let document = Document::parse(br#"{"a": 1, "b": 2, "\u0061": 3}"#).unwrap();
    let root = document.root();
    let members: Vec<_> = root
        .members()
        .map(|(key, value)| (key.raw(), value.as_i64().unwrap()))
        .collect();
    assert_eq!(
        members,
        [(&br#""a""#[..], 1), (br#""b""#, 2), (br#""\u0061""#, 3)]
    );
    assert_eq!(root.get("a").unwrap().as_i64(), Some(3));
    assert_eq!(root.get("\\u0061").map(|node| node.span()), None);
}

#[test]
fn long_values_have_their_ends() {
    let long = "x".repeat(3 << 20);
    let text = format!("[[{{\"k\": \"{long}\", \"{long}\" : [ ] }} ] , \"{long}\" ,1]");
    let document = Document::parse(text.as_bytes()).unwrap();
    let root = document.root();
    assert_eq!(root.raw(), text.as_bytes());
    let outer: Vec<Node<'_, '_>> = root.elements().collect();
    assert_eq!(outer.len(), 3);
    assert_eq!(outer[1].as_str().unwrap(), long);
    assert_eq!(outer[2].raw(), b"1");
    let object = outer[0].get(0).unwrap();
    assert_eq!(object.get("k").unwrap().as_str().unwrap(), long);
    assert_eq!(object.get(long.as_str()).unwrap().raw(), b"[ ]");
    assert_eq!(outer[0].raw().len(), object.raw().len() + 3);
}

#[test]
fn depth_takes_no_stack() {
    const DEPTH: usize = 1_000_000;
    let text = [vec![b'['; DEPTH], b"7".to_vec(), vec![b']'; DEPTH]].concat();
    let document = Document::parse(&text).unwrap();
    let mut node = document.root();
    let mut depth = 0;
    while let Some(child) = node.get(0) {
        node = child;
        depth += 1;
    }
    assert_eq!((depth, node.as_i64()), (DEPTH, Some(7)));
    assert!(
        document
            .root()
            .equals(Document::parse(&text).unwrap().root())
    );
    assert!(!document.root().equals(document.root().get(0).unwrap()));
}

#[test]
fn a_scalar_at_the_root_has_no_white_space() {
    for (text, raw) in [(" 12 ", "12"), ("\n\"a \"\t", "\"a \""), ("true", "true")] {
        assert_eq!(
            Document::parse(text.as_bytes()).unwrap().root().raw(),
            raw.as_bytes()
        );
    }
    assert!(Document::parse(b"").is_err());
    assert!(Document::parse(b"1 2").is_err());
}

#[test]
fn comments_are_not_part_of_scalars() {
    let text = br#"{"a" /* "b" */ : 1 /* 2 */, // 3
  "c": ["d" // "e"
  , null/**/,]}"#;
    let options = Options::default().dialect(crate::jsonc::Dialect::Jsonc);
    let document = Document::index(text, options).unwrap();
    let raw: Vec<&[u8]> = document
        .root()
        .members()
        .map(|(key, _)| key.raw())
        .collect();
    assert_eq!(raw, [&br#""a""#[..], br#""c""#]);
    assert_eq!(document.root().get("a").unwrap().raw(), b"1");
    let items: Vec<&[u8]> = document
        .get("c")
        .unwrap()
        .elements()
        .map(|item| item.raw())
        .collect();
    assert_eq!(items, [&br#""d""#[..], b"null"]);

    let error = Document::index(b"[1, /* 2", options).unwrap_err();
    assert_eq!(error.offset, 8);
    assert!(Document::parse(text).is_err());
}
