//! Random schemas and instances: the verdict must equal that of the plain validator on `serde_json` values, without our keywords,
//! lookups and step counts. Numbers have few digits, so doubles compare them exactly.

use jsonx_core::Document;
use jsonx_core::engine::Options;
use jsonx_testing::cases;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::compile::Schema;
use crate::store::{Settings, Store};
use crate::validate::NoFiles;
use crate::{DOCUMENT, InstanceOptions};

/// Numbers in several notations.
const NUMBERS: [&str; 16] = [
    "0", "-0", "0.0", "1", "1.0", "10e-1", "2", "3", "-3", "0.5", "-1.25", "6", "1e1", "10",
    "0.1e2", "1E2",
];
const POSITIVE: [&str; 8] = ["1", "2", "3.0", "0.5", "0.25", "15e-1", "1e1", "2.0"];
const SIZES: [&str; 4] = ["0", "1", "2", "3"];
/// Strings and keys: some are equal, others differ only in what a pattern tests.
const STRINGS: [&str; 12] = [
    r#""a""#,
    r#""\u0061""#,
    r#""b""#,
    r#""ab""#,
    r#""aab""#,
    r#""x-a""#,
    r#""""#,
    r#""é""#,
    r#""\u00e9""#,
    r#""😀""#,
    r#""1""#,
    r#""aa aa""#,
];
const KEYS: [&str; 8] = [
    r#""a""#,
    r#""\u0061""#,
    r#""b""#,
    r#""\u0062""#,
    r#""x-a""#,
    // Not an index, although they look like one in a JSON Pointer.
    r#""""#,
    r#""01""#,
    r#""+1""#,
];
/// Few values, so those of a schema and an instance are often equal, in different notations.
const CONTAINERS: [&str; 14] = [
    "[]",
    "[1]",
    "[10e-1]",
    "[1, 2]",
    "[2, 1.0]",
    "[[1], [1.0]]",
    "{}",
    r#"{"a": 1}"#,
    r#"{"\u0061": 1.0}"#,
    r#"{"a": 2, "a": 1}"#,
    r#"{"a": 1, "b": "a"}"#,
    r#"{"b": "\u0061", "a": 10e-1}"#,
    r#"{"a": [1, {"b": 0}]}"#,
    r#"{"a": [1.0, {"b": 0.0}]}"#,
];
const PATTERNS: [&str; 14] = [
    r#""^a""#,
    r#""b$""#,
    r#""^(a|b)$""#,
    r#""^\\S*$""#,
    r#""^ab$""#,
    r#""^x-""#,
    r#""\\d""#,
    r#""^(?!x-)""#,
    r#""(?<=a)b""#,
    r#""(?<=(a|aa)*)b""#,
    r#""^(?=.*b)a+""#,
    r#""(a)\\1""#,
    r#""^(a+)+$""#,
    r#""^.$""#,
];
const DRAFTS: [&str; 4] = [
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

type Texts = BoxedStrategy<String>;

fn one_of(texts: &'static [&'static str]) -> Texts {
    select(texts).prop_map(str::to_owned).boxed()
}

fn array(elements: impl Strategy<Value = Vec<String>> + 'static) -> Texts {
    elements
        .prop_map(|all| format!("[{}]", all.join(", ")))
        .boxed()
}

/// Objects, some with duplicate keys.
fn object(keys: Texts, values: Texts) -> Texts {
    let member = (keys, values).prop_map(|(key, value)| format!("{key}: {value}"));
    let members = vec(member, 0..5);
    members
        .prop_map(|all| format!("{{{}}}", all.join(", ")))
        .boxed()
}

/// Like [`object`], with distinct keys.
fn record(keys: Texts, values: Texts) -> Texts {
    let members = btree_map(keys, values, 1..4);
    let text = |(key, value): (String, String)| format!("{key}: {value}");
    let all = members.prop_map(move |members| members.into_iter().map(text).collect::<Vec<_>>());
    all.prop_map(|all| format!("{{{}}}", all.join(", ")))
        .boxed()
}

/// A value that often equals another one.
fn familiar() -> Texts {
    prop_oneof![
        1 => one_of(&["null", "true", "false"]),
        3 => one_of(&NUMBERS),
        2 => one_of(&STRINGS),
        3 => one_of(&CONTAINERS),
    ]
    .boxed()
}

fn value() -> Texts {
    let nested = familiar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            array(vec(inner.clone(), 0..5)),
            object(one_of(&KEYS), inner.boxed())
        ]
    });
    nested.boxed()
}

/// A schema with `levels` of subschemas. `child` generates further subschemas for the children of a value and `here` for the value
/// itself: references that cannot be circular.
fn schema(levels: u32, child: &'static [&'static str], here: &'static [&'static str]) -> Texts {
    let keyword =
        |name: &'static str, value: Texts| value.prop_map(move |value| (name, value)).boxed();
    let values = || array(vec(familiar(), 1..6));
    let keys = || {
        let keys = btree_set(one_of(&["\"a\"", "\"b\"", "\"x-a\""]), 1..3);
        array(keys.prop_map(|all| all.into_iter().collect()))
    };
    let types = || {
        one_of(&[
            "\"object\"",
            "\"array\"",
            "\"string\"",
            "\"number\"",
            "\"integer\"",
            "\"null\"",
            "\"boolean\"",
        ])
    };
    let mut keywords = vec![
        keyword("type", types()),
        keyword(
            "type",
            array(btree_set(types(), 1..4).prop_map(|all| all.into_iter().collect())),
        ),
        keyword("enum", values()),
        keyword("const", familiar()),
        keyword("uniqueItems", one_of(&["true", "true", "false"])),
        keyword("multipleOf", one_of(&POSITIVE)),
        keyword("pattern", one_of(&PATTERNS)),
        keyword("required", keys()),
    ];
    // Our own keywords as often as all others together.
    keywords = [&keywords[..]; 3].concat();
    for name in ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"] {
        keywords.push(keyword(name, one_of(&NUMBERS)));
    }
    for name in [
        "maxLength",
        "minLength",
        "maxItems",
        "minItems",
        "maxProperties",
        "minProperties",
    ] {
        keywords.push(keyword(name, one_of(&SIZES)));
    }
    if levels > 0 {
        let inner = || schema(levels - 1, child, here);
        let child = || prop_oneof![3 => inner(), 1 => one_of(child)].boxed();
        let here = || prop_oneof![3 => inner(), 1 => one_of(here)].boxed();
        // Keywords that apply to child values.
        for _ in 0..3 {
            keywords.extend([
                keyword("properties", record(one_of(&KEYS), child())),
                keyword("items", child()),
            ]);
        }
        keywords.extend([
            keyword("patternProperties", record(one_of(&PATTERNS), child())),
            keyword("additionalProperties", child()),
            keyword("propertyNames", child()),
            keyword("contains", child()),
            keyword("not", here()),
            keyword("if", here()),
            keyword("then", here()),
            keyword("else", here()),
            keyword("unevaluatedProperties", child()),
        ]);
        for name in ["allOf", "anyOf", "oneOf"] {
            keywords.push(keyword(name, array(vec(here(), 1..4))));
        }
    }
    let members = vec(proptest::strategy::Union::new(keywords), 1..5);
    let text = |(name, value): (&str, String)| format!("\"{name}\": {value}");
    let distinct = move |members: Vec<(&'static str, String)>| {
        let members: std::collections::BTreeMap<_, _> = members.into_iter().collect();
        members.into_iter().map(text).collect::<Vec<_>>().join(", ")
    };
    members
        .prop_map(move |members| format!("{{{}}}", distinct(members)))
        .boxed()
}

/// A schema that may be recursive.
fn whole() -> Texts {
    const A: &str = r##"{"$ref": "#/$defs/a"}"##;
    let parts = (
        select(&DRAFTS[..]),
        schema(1, &["true", "false"], &["true", "false"]),
        schema(
            2,
            &["true", "false", A, r##"{"$ref": "#"}"##],
            &["true", "false", A],
        ),
    );
    let text = |(draft, a, root): (&str, String, String)| {
        let rest = &root[1..];
        format!("{{\"$schema\": \"{draft}\", \"$defs\": {{\"a\": {a}}}, {rest}")
    };
    parts.prop_map(text).boxed()
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn verdicts_are_those_of_the_validator(schema in whole(), instances in vec(value(), 8..24)) {
        let plain: Value = serde_json::from_str(&schema).expect("JSON");
        let plain = jsonschema::options().build(&plain).expect("a schema");
        let store = Store::new(Settings::default(), NoFiles);
        let text = store.add("schema.json", schema.as_bytes()).unwrap_or_else(|_| panic!("JSON: {schema}"));
        let ours = Schema::of_text(&store, text, None).unwrap_or_else(|_| panic!("a schema: {schema}"));
        for instance in instances {
            let document = Document::parse(instance.as_bytes()).expect("JSON");
            let asked = InstanceOptions { options: Options::default(), repeats: None, whole: DOCUMENT };
            let verdict = ours.check(&document, &asked);
            let expected = plain.is_valid(&serde_json::from_str(&instance).expect("JSON"));
            prop_assert!(!verdict.limited, "{} {}", schema, instance);
            prop_assert_eq!(verdict.findings.is_empty(), expected, "{}\n{}", schema, instance);
        }
    }
}
