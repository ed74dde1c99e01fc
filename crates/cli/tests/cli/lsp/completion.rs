//! Completion: each item, once applied, leaves a text with no more errors than before.

use std::fs;

use jsonx_core::diagnose::Applicability;
use jsonx_core::repair::{RepairOptions, repair};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::client::{Client, applied, position};

/// A client of a document with a schema; texts with the cursor at `|`.
struct Session {
    client: Client,
    folder: tempfile::TempDir,
    version: i64,
}

impl Session {
    fn new(schema: Option<&Value>) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Vec::new();
        if let Some(schema) = schema {
            fs::write(folder.path().join("s.json"), schema.to_string()).unwrap();
            options = vec!["--schema", "s.json"];
        }
        let mut client = Client::start(folder.path(), &options, json!({}));
        client.open(&folder.path().join("a.json"), "json", "");
        client.published();
        Session {
            client,
            folder,
            version: 1,
        }
    }

    /// The errors in a text: of syntax, or of the schema.
    fn errors(&mut self, text: &str) -> (usize, usize) {
        self.version += 1;
        let path = self.folder.path().join("a.json");
        let change = json!([{"text": text}]);
        self.client.change(&path, self.version, change);
        let found = self.client.published();
        let errors = found.iter().filter(|it| it["severity"] == 1);
        let codes: Vec<&str> = errors.map(|it| it["code"].as_str().unwrap()).collect();
        let of_schema = codes.iter().filter(|it| it.starts_with("schema/")).count();
        (codes.len() - of_schema, of_schema)
    }

    /// The labels of the items at an offset, and the text with each.
    fn items(&mut self, text: &str, at: usize) -> Vec<(String, String)> {
        self.errors(text);
        let path = self.folder.path().join("a.json");
        let line = text[..at].matches('\n').count() as u64;
        let column = text[..at]
            .rsplit('\n')
            .next()
            .unwrap()
            .encode_utf16()
            .count() as u64;
        let params = json!({"position": position(line, column)});
        let found = self.client.about(&path, "completion", params);
        let items = found["items"].as_array().cloned().unwrap_or_default();
        let with = |item: &Value| {
            let mut edits = vec![item["textEdit"].clone()];
            edits.extend(
                item["additionalTextEdits"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default(),
            );
            let label = item["label"].as_str().unwrap().to_owned();
            (label, applied(text, &Value::Array(edits)))
        };
        items.iter().map(with).collect()
    }

    /// The texts with the items at `|`, except `$schema`.
    fn texts(&mut self, text: &str) -> Vec<String> {
        let at = text.find('|').unwrap();
        let items = self.items(&text.replacen('|', "", 1), at).into_iter();
        let items = items.filter(|(label, _)| label != "$schema");
        items.map(|(_, text)| text).collect()
    }
}

fn check(schema: Option<Value>, cases: &[(&str, &[&str])]) {
    let mut session = Session::new(schema.as_ref());
    for (text, expected) in cases {
        assert_eq!(session.texts(text), *expected, "{text}");
    }
}

#[test]
fn commas_are_inserted_where_they_are_missing() {
    let schema = json!({"properties": {"a": {"type": "number"}, "b": {"const": 2}}});
    check(
        Some(schema),
        &[
            (r#"{"a": 1 |}"#, &[r#"{"a": 1, "b": 2}"#]),
            ("{\n  \"a\": 1\n  |\n}", &["{\n  \"a\": 1,\n  \"b\": 2\n}"]),
            ("{\n  |\n  \"a\": 1\n}", &["{\n  \"b\": 2,\n  \"a\": 1\n}"]),
            (
                "{\"a\": [] |, \"c\": 1}",
                &["{\"a\": [], \"b\": 2, \"c\": 1}"],
            ),
            (r#"{"a": 1}|"#, &[]),
            (r#"{"b" | 2}"#, &[]),
            (r#"{"a" |}"#, &[]),
        ],
    );
}

#[test]
fn the_validator_decides() {
    let branches = json!({"oneOf": [
        {"properties": {"a": {}, "b": {}}, "additionalProperties": false},
        {"properties": {"c": {}, "d": {}}, "additionalProperties": false},
    ]});
    let all: [&str; 4] = [
        r#"{"a": null}"#,
        r#"{"b": null}"#,
        r#"{"c": null}"#,
        r#"{"d": null}"#,
    ];
    check(
        Some(branches),
        &[
            ("{|}", &all),
            (r#"{"a": 1, |}"#, &[r#"{"a": 1, "b": null}"#]),
        ],
    );
    let kinds = json!({"oneOf": [
        {"properties": {"k": {"const": "x"}, "b": {"type": "string"}}},
        {"properties": {"k": {"enum": ["y"]}, "d": {"type": "number", "minimum": 5}}},
    ]});
    check(
        Some(kinds),
        &[
            (r#"{"k": "x", |}"#, &[r#"{"k": "x", "b": ""}"#]),
            (r#"{"k": "y", |}"#, &[r#"{"k": "y", "d": 5}"#]),
            (r#"{"k": |}"#, &[r#"{"k": "x"}"#, r#"{"k": "y"}"#]),
        ],
    );
    let values = json!({
        "properties": {
            "off": {"type": "boolean", "const": false},
            "set": {"uniqueItems": true, "items": {"enum": ["a", "b"]}},
        },
        "propertyNames": {"enum": ["off", "set", "more"]},
    });
    check(
        Some(values),
        &[
            (r#"{"off": |}"#, &[r#"{"off": false}"#]),
            (r#"{"set": ["a", |]}"#, &[r#"{"set": ["a", "b"]}"#]),
            (
                r#"{"off": false, "set": [], |}"#,
                &[r#"{"off": false, "set": [], "more": null}"#],
            ),
        ],
    );
    let names = json!({"propertyNames": {"pattern": "^[A-Z]+$"}});
    check(Some(names), &[("{|}", &[r#"{"A": null}"#])]);
    let snippets = json!({"properties": {"s": {"defaultSnippets": [
        {"label": "one", "body": {"x": "$1", "y": ["^${2:true}"]}},
        {"label": "two", "bodyText": "[${1:1}, 2]$0"},
    ]}}});
    let texts: [&str; 2] = [r#"{"s": {"x": "", "y": [true]}}"#, r#"{"s": [1, 2]}"#];
    check(Some(snippets), &[(r#"{"s": |}"#, &texts)]);
}

#[test]
fn every_type_that_a_schema_names_is_offered() {
    let types = json!({"properties": {
        "on": {"type": "boolean", "default": true},
        "off": {"type": "boolean", "examples": [false]},
        "many": {"type": ["string", "array", "object"]},
        "one": {"type": "boolean", "const": true},
    }});
    check(
        Some(types),
        &[
            (r#"{"on": |}"#, &[r#"{"on": true}"#, r#"{"on": false}"#]),
            (r#"{"off": |}"#, &[r#"{"off": false}"#, r#"{"off": true}"#]),
            (r#"{"one": |}"#, &[r#"{"one": true}"#]),
            (r#"{"many": |}"#, &[r#"{"many": {}}"#, r#"{"many": []}"#]),
        ],
    );
    // A key is inserted with a value of its type, or not at all.
    let types = json!({"properties": {"a": {"type": ["object", "null"]}, "b": {"type": "null"}}});
    let texts: [&str; 2] = [r#"{"a": {}}"#, r#"{"b": null}"#];
    check(Some(types), &[("{|}", &texts)]);
    let branches = json!({"oneOf": [
        {"properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false},
        {"properties": {"c": {"type": "boolean"}}, "required": ["c"]},
    ]});
    check(
        Some(branches),
        &[
            ("{|}", &[r#"{"a": 1}"#, r#"{"c": true}"#]),
            (r#"{"c": true, |}"#, &[r#"{"c": true, "a": 1}"#]),
        ],
    );
    let either = json!({"oneOf": [
        {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"properties": {"b": {"type": "string"}}, "required": ["b"]},
    ]});
    check(Some(either), &[(r#"{"a": "", |}"#, &[])]);
}

#[test]
fn a_document_without_a_schema_is_completed_like_its_other_values() {
    check(
        None,
        &[
            (
                r#"[{"a": 1, "b": [2]}, {|}]"#,
                &[
                    r#"[{"a": 1, "b": [2]}, {"a": 1}]"#,
                    r#"[{"a": 1, "b": [2]}, {"b": []}]"#,
                ],
            ),
            (
                r#"[{"a": true}, {"a": |}]"#,
                &[
                    r#"[{"a": true}, {"a": false}]"#,
                    r#"[{"a": true}, {"a": true}]"#,
                ],
            ),
        ],
    );
}

/// Values with few keys and texts.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abcd]", inner, 0..3).prop_map(|it| json!(it)),
        ]
    })
}

/// Schemas with the keywords that completion reads.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!({"type": "string", "minLength": 1})),
        Just(json!({"type": ["integer", "null"], "minimum": 1})),
        Just(json!({"type": "boolean", "const": false})),
        Just(json!({"type": "string", "pattern": "^a+$", "default": "b"})),
        value().prop_map(|it| json!({"const": it})),
        prop::collection::vec(value(), 1..3).prop_map(|it| json!({"enum": it})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let keys = || prop::collection::vec("[abcd]", 0..2);
        let properties = prop::collection::btree_map("[abcd]", inner.clone(), 1..4);
        let is_open = any::<bool>();
        let object = (properties, keys(), is_open).prop_map(|(properties, keys, is_open)| {
            let keys = std::collections::BTreeSet::from_iter(keys);
            json!({
                "type": "object", "properties": properties, "required": keys,
                "additionalProperties": is_open,
            })
        });
        let list = (inner.clone(), any::<bool>(), 0..3);
        let list = list.prop_map(|(items, is_set, least)| {
            json!({"type": "array", "items": items, "uniqueItems": is_set, "minItems": least})
        });
        let both = prop::collection::vec(inner.clone(), 1..3);
        let several = ("oneOf|anyOf|allOf", both).prop_map(|(keyword, all)| json!({keyword: all}));
        let names =
            keys().prop_map(|it| json!({"propertyNames": {"enum": it}, "minProperties": 1}));
        let conditional = (inner.clone(), inner.clone(), inner)
            .prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c}));
        prop_oneof![4 => object, 2 => list, 2 => several, 1 => names, 1 => conditional]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_item_adds_an_error(
        schema in schema(),
        value in value(),
        is_pretty in any::<bool>(),
        cut in prop::option::of((any::<prop::sample::Index>(), 1_usize..6)),
        places in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let mut text = if is_pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        if let Some((at, length)) = cut {
            let at = at.index(text.len());
            text.replace_range(at..text.len().min(at + length), "");
        }
        let mut session = Session::new(Some(&schema));
        let (syntax, of_schema) = session.errors(&text);
        let options = RepairOptions::default().with(Applicability::Review);
        let fixed = String::from_utf8(repair(text.as_bytes(), &options).text).unwrap();
        // What cannot be repaired has other errors.
        let (others, of_fixed) = match syntax {
            0 => (0, of_schema),
            _ => session.errors(&fixed),
        };
        for place in places {
            let at = place.index(text.len() + 1);
            for (label, with) in session.items(&text, at) {
                let (after, of_schema) = session.errors(&with);
                prop_assert!(after <= syntax, "{label} at {at} of {text:?}: {with:?}");
                prop_assert!(of_schema <= others + of_fixed, "{label} at {at} of {text:?}: {with:?}");
            }
        }
    }
}
