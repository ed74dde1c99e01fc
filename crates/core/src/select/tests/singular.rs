//! Paths that select at most one value.

use proptest::prelude::*;
use serde_json::Value;

use super::super::{Answer, Match, Missing, Query, QueryOptions};
use crate::Kind;
use crate::agreement::valid_text;
use crate::engine::{Kernel, Mode, Options, Validator};
use crate::path::Path;

/// The answer of a path in one value at the root.
type Outcome = Result<Match, Missing>;

fn outcomes(query: &mut Query) -> Vec<Outcome> {
    let outcome = |answer| match answer {
        Answer::Match(one) => Ok(one),
        Answer::Missing { missing, .. } => Err(missing),
    };
    query.end();
    query.answers().map(outcome).collect()
}

fn query(path: &str) -> Query {
    let path = Path::parse(path).unwrap();
    assert!(path.is_singular());
    Query::new(&[path], QueryOptions::default())
}

/// The single outcome of a path in a document read in windows of `size` bytes. Also checks that the retained input is
/// sufficient.
fn select(text: &[u8], path: &str, kernel: Kernel, size: usize) -> Outcome {
    let mut query = query(path);
    let mut validator = Validator::new(Options::default().kernel(kernel));
    let mut kept = 0;
    for window in text.chunks(size) {
        validator.write(window, &mut query).unwrap();
        assert!(query.retain_from() >= kept);
        kept = query.retain_from();
    }
    validator.finish(&mut query).unwrap();
    let mut outcomes = outcomes(&mut query);
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    let outcome = outcomes.remove(0);
    if let Ok(found) = &outcome {
        assert!(found.start >= kept);
    }
    outcome
}

fn raw<'t>(text: &'t [u8], outcome: &Outcome) -> Option<&'t str> {
    match outcome {
        Ok(found) => Some(str::from_utf8(&text[found.start as usize..found.end as usize]).unwrap()),
        Err(_) => None,
    }
}

fn everywhere(text: &str, path: &str) -> Outcome {
    let outcome = select(text.as_bytes(), path, Kernel::swar(), usize::MAX);
    for kernel in Kernel::available() {
        for size in [64, 128, 1000] {
            assert_eq!(
                select(text.as_bytes(), path, kernel, size),
                outcome,
                "{path} in {text}"
            );
        }
    }
    outcome
}

#[test]
fn finds_existing_values() {
    let text = r#" {"a": {"b c": [10, {"x-y": "é"}, [], "last" ]}, "3": true, "n": null ,"\u0061b":-1.5e3 , "long key that fills more than one block of sixty-four bytes": 7} "#;
    for (path, expected) in [
        (".", text.trim()),
        ("", text.trim()),
        (".a.\"b c\"[0]", "10"),
        (".a.\"b c\".1.x-y", "\"é\""),
        ("/a/b c/1/x-y", "\"é\""),
        ("$.a['b c'][2]", "[]"),
        (".a.\"b c\".-1", "\"last\""),
        (".a.\"b c\".-3.x-y", "\"é\""),
        (".3", "true"),
        (".n", "null"),
        (".ab", "-1.5e3"),
        (
            ".\"long key that fills more than one block of sixty-four bytes\"",
            "7",
        ),
    ] {
        assert_eq!(
            raw(text.as_bytes(), &everywhere(text, path)),
            Some(expected),
            "{path}"
        );
    }
}

#[test]
fn reports_where_a_path_stops() {
    let text = r#"{"a": [1, 2, 3], "s": "text", "o": {}}"#;
    for (path, steps, kind, length, at) in [
        (".x", 0, Kind::Object, None, 0),
        (".a.7.b", 1, Kind::Array, Some(3), 6),
        (".a.-4", 1, Kind::Array, Some(3), 6),
        (".a.2.b", 2, Kind::Number, None, 13),
        (".a.b", 1, Kind::Array, None, 6),
        (".s[0]", 1, Kind::String, None, 22),
        (".o.x.y", 1, Kind::Object, None, 35),
        (".[0]", 0, Kind::Object, None, 0),
    ] {
        let Err(miss) = everywhere(text, path) else {
            panic!("{path} leads somewhere");
        };
        let found = (miss.steps, miss.start, miss.kind, miss.length);
        assert_eq!(found, (steps, at, kind, length), "{path}");
        let value = &text[miss.start as usize..miss.end as usize];
        assert_eq!(crate::validate(value.as_bytes()), Ok(()), "{path}: {value}");
        assert_eq!(value, value.trim());
    }
}

#[test]
fn last_duplicate_key_wins() {
    let text = r#"{"a": {"b": 1}, "a": {"b": 2, "\u0062": 3}, "c": 1, "d": 1, "d": []}"#;
    for (path, expected) in [(".a.b", Some("3")), (".c", Some("1")), (".d[0]", None)] {
        let outcome = everywhere(text, path);
        assert_eq!(raw(text.as_bytes(), &outcome), expected);
        if let Ok(found) = outcome {
            assert_eq!(found.duplicate, path == ".a.b");
        }
    }
}

/// The dot paths of all values of a document, found with an explicit stack.
fn paths(document: &Value) -> Vec<(String, Value)> {
    let mut todo = vec![(".".to_owned(), document)];
    let mut paths = Vec::new();
    while let Some((path, value)) = todo.pop() {
        let prefix = path.strip_suffix('.').unwrap_or(&path).to_owned();
        let dot = if prefix.is_empty() { "." } else { "" };
        match value {
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    todo.push((format!("{prefix}{dot}[{index}]"), element));
                    todo.push((
                        format!("{prefix}{dot}[-{}]", elements.len() - index),
                        element,
                    ));
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    todo.push((
                        format!("{prefix}{dot}[{}]", Value::from(key.as_str())),
                        member,
                    ));
                }
            }
            _ => {}
        }
        paths.push((path, value.clone()));
        if paths.len() > 60 {
            break;
        }
    }
    paths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn like_serde_json(choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let text = valid_text(&choices);
        if let Ok(document) = serde_json::from_slice::<Value>(&text) {
            for (path, value) in paths(&document) {
                let outcome = everywhere(str::from_utf8(&text).unwrap(), &path);
                let found = raw(&text, &outcome).map(|raw| serde_json::from_str::<Value>(raw).unwrap());
                prop_assert_eq!(found, Some(value), "{}", path);
            }
        }
    }
}

#[test]
fn one_answer_per_value_of_a_stream() {
    let text = b"{\"a\":1} {\"b\":2}\n[3] 4 \"a\" {\"a\":{}}";
    let mut query = query(".a");
    let options = Options::default().mode(Mode::Stream);
    Validator::new(options).check(text, &mut query).unwrap();
    let outcomes = outcomes(&mut query);
    let values: Vec<_> = outcomes.iter().map(|outcome| raw(text, outcome)).collect();
    assert_eq!(values, [Some("1"), None, None, None, None, Some("{}")]);
}
