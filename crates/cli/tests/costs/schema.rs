//! Costs of schemas: eight times the length of schema and text may take at most sixteen times as many instructions.

use std::fs;

use super::{LONG, SHORT, has_valgrind, instructions_of, object};

/// A schema and a text of one kind, by the length of the text.
type Family = (&'static str, fn(usize) -> (String, String));

/// `{"id":000000}`, and so on.
fn id(number: usize) -> String {
    format!("{{\"id\":\"{number:06}\"}}")
}

fn name(number: usize) -> String {
    format!("\"name_{number:06}\"")
}

fn array(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(","))
}

const FAMILIES: &[Family] = &[
    ("an enum of objects", |n| {
        let schema = format!("{{\"items\":{{\"enum\":{}}}}}", array((0..n / 16).map(id)));
        (schema, array((0..n / 16).rev().map(id)))
    }),
    ("an enum of strings", |n| {
        let names = array((0..n / 14).map(name));
        let schema = format!("{{\"items\":{{\"enum\":{names}}}}}");
        (schema, array((0..n / 14).rev().map(name)))
    }),
    ("rows, one of them with a wrong value", |n| {
        let names = array((0..n / 20).map(name));
        let schema = format!("{{\"items\":{{\"properties\":{{\"a\":{{\"enum\":{names}}}}}}}}}");
        let row = |number: usize| format!("{{\"a\":{}}}", name(number));
        let rows = (0..n / 20).rev().map(row);
        (
            schema,
            array(rows.chain([r#"{"a":"name_00000"}"#.to_owned()])),
        )
    }),
    ("unknown keys near to known ones", |n| {
        // Each is compared with all others, up to a million comparisons: a fifth of those for the short text.
        let known = object(n / 11, |i| format!("\"p{i:05}\":true"));
        let schema = format!("{{\"properties\":{known},\"additionalProperties\":false}}");
        (schema, object(n / 11, |i| format!("\"q{i:05}\":1")))
    }),
    ("required keys", |n| {
        let schema = format!("{{\"required\":{}}}", array((0..n / 16).map(name)));
        (schema, object(n / 16, |i| format!("{}:1", name(i))))
    }),
    ("a pattern with look-behind", |n| {
        let schema = r#"{"items":{"pattern":"(?<=(a|aa)*)b"}}"#.to_owned();
        (
            schema,
            array((0..n / 43).map(|_| format!("\"{}b\"", "a".repeat(39)))),
        )
    }),
    ("names and a pattern with look-behind", |n| {
        let schema = r#"{"patternProperties":{"(?<=(a|aa)*)b":{"type":"integer"}},"additionalProperties":false}"#;
        let member = |i| format!("\"{}{i:06}b\":1", "a".repeat(33));
        (schema.to_owned(), object(n / 45, member))
    }),
    ("an array of unique objects", |n| {
        (
            r#"{"uniqueItems":true}"#.to_owned(),
            array((0..n / 16).map(id)),
        )
    }),
    ("an array of unique objects, but for two", |n| {
        let objects = (0..n / 16).chain([n / 32]).map(id);
        (r#"{"uniqueItems":true}"#.to_owned(), array(objects))
    }),
    ("a schema within itself", |n| {
        let schema = r##"{"properties":{"a":{"$ref":"#"}},"minProperties":1}"##;
        let text = format!(
            "{}{{\"b\":1}}{}",
            r#"{"a":"#.repeat(n / 6),
            "}".repeat(n / 6)
        );
        (schema.to_owned(), text)
    }),
    ("a schema within itself, broken at the end", |n| {
        let schema = r##"{"properties":{"a":{"$ref":"#"}},"type":"object"}"##;
        let text = format!("{}1{}", r#"{"a":"#.repeat(n / 6), "}".repeat(n / 6));
        (schema.to_owned(), text)
    }),
    ("multiples of a long number", |n| {
        let long = "123456789".repeat(10);
        let text = format!("{}0", long.repeat(n / 90));
        (format!("{{\"multipleOf\":{long}}}"), text)
    }),
];

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn follows_the_length() {
    if !has_valgrind() {
        return;
    }
    let schema = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let count = |(rules, text): (String, String)| {
        fs::write(schema.path(), rules).unwrap();
        let name = schema.path().to_str().unwrap();
        instructions_of(&["validate", "--schema", name, "a.json"], &text)
    };
    let start_up = count(("{}".to_owned(), "1".to_owned()));
    for (name, made) in FAMILIES {
        let cost = |length| count(made(length)).saturating_sub(start_up);
        let (short, long) = (cost(SHORT), cost(LONG));
        assert!(
            long <= 16 * short.max(20_000),
            "{name}: {short} and {long} instructions"
        );
    }
}
