//! The error reported for a value that matches none of several alternatives, compared with the tests of `best_match` in
//! python-jsonschema 4.26.
//!
//! `best_match` picks one error; `validate --schema` shows all independent errors, but those of only one alternative of
//! `anyOf` and `oneOf`. So the two agree if the picked error is shown, and no error of another alternative.

use crate::schema::findings;

/// A schema, an instance, the pick of `best_match`, and the findings, as `PLACE CODE`.
struct Case {
    schema: &'static str,
    instance: &'static str,
    picked: &'static str,
    shown: &'static [&'static str],
}

const fn case(
    schema: &'static str,
    instance: &'static str,
    picked: &'static str,
    shown: &'static [&'static str],
) -> Case {
    Case {
        schema,
        instance,
        picked,
        shown,
    }
}

const CASES: &[Case] = &[
    // An error of an object comes before those of its members. Both are shown: neither follows from the other.
    case(
        r#"{"properties": {"a": {"minProperties": 2, "properties": {"b": {"type": "object"}}}}}"#,
        r#"{"a": {"b": []}}"#,
        "1:7 minProperties",
        &["1:7 minProperties", "1:13 type"],
    ),
    // A rule comes before alternatives, whose equal errors are shown once.
    case(
        r#"{"minProperties": 2, "anyOf": [{"type": "string"}, {"type": "number"}], "oneOf": [{"type": "string"}, {"type": "number"}]}"#,
        "{}",
        "1:1 minProperties",
        &["1:1 minProperties", "1:1 anyOf"],
    ),
    // The alternative whose error is deeper.
    case(
        r#"{"properties": {"a": {"anyOf": [{"type": "string"}, {"properties": {"b": {"type": "array"}}}]}}}"#,
        r#"{"a": {"b": 12}}"#,
        "1:13 type",
        &["1:13 type"],
    ),
    case(
        r#"{"properties": {"a": {"oneOf": [{"type": "string"}, {"properties": {"b": {"type": "array"}}}]}}}"#,
        r#"{"a": {"b": 12}}"#,
        "1:13 type",
        &["1:13 type"],
    ),
    // None is nearer than the others.
    case(
        r#"{"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "object"}]}"#,
        "[]",
        "1:1 anyOf",
        &["1:1 anyOf"],
    ),
    case(
        r#"{"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "object"}]}"#,
        "[]",
        "1:1 oneOf",
        &["1:1 oneOf"],
    ),
    // There is only one.
    case(
        r#"{"anyOf": [{"type": "string"}]}"#,
        "[]",
        "1:1 type",
        &["1:1 type"],
    ),
    case(
        r#"{"oneOf": [{"type": "string"}]}"#,
        "[]",
        "1:1 type",
        &["1:1 type"],
    ),
    // There is only one, with an error in each element: one is picked, both are shown.
    case(
        r#"{"anyOf": [{"items": {"const": 37}}]}"#,
        "[12, 12]",
        "1:2 const",
        &["1:2 const", "1:6 const"],
    ),
    case(
        r#"{"oneOf": [{"items": {"const": 37}}]}"#,
        "[12, 12]",
        "1:2 const",
        &["1:2 const", "1:6 const"],
    ),
    // Only one has the type of the value.
    case(
        r#"{"anyOf": [{"type": "object"}, {"items": {"const": 37}}]}"#,
        "[12, 12]",
        "1:2 const",
        &["1:2 const", "1:6 const"],
    ),
    case(
        r#"{"oneOf": [{"type": "object"}, {"items": {"const": 37}}]}"#,
        "[12, 12]",
        "1:2 const",
        &["1:2 const", "1:6 const"],
    ),
    // All of `allOf` must hold, so the error of the outer value comes first. Both are shown.
    case(
        r#"{"properties": {"a": {"allOf": [{"type": "string"}, {"properties": {"b": {"type": "array"}}}]}}}"#,
        r#"{"a": {"b": 12}}"#,
        "1:7 type",
        &["1:7 type", "1:13 type"],
    ),
    // Alternatives within alternatives.
    case(
        r#"{"properties": {"a": {"oneOf": [{"type": "string"}, {"oneOf": [{"type": "string"}, {"properties": {"b": {"type": "array"}}}]}]}}}"#,
        r#"{"a": {"b": 12}}"#,
        "1:13 type",
        &["1:13 type"],
    ),
    // The one with the type of the value, in any order, also if it has several.
    case(
        r#"{"properties": {"a": {"anyOf": [{"type": "array", "minItems": 2}, {"type": "string", "minLength": 10}]}}}"#,
        r#"{"a": "bar"}"#,
        "1:7 minLength",
        &["1:7 minLength"],
    ),
    case(
        r#"{"properties": {"a": {"anyOf": [{"type": "string", "minLength": 10}, {"type": "array", "minItems": 2}]}}}"#,
        r#"{"a": "bar"}"#,
        "1:7 minLength",
        &["1:7 minLength"],
    ),
    case(
        r#"{"properties": {"a": {"anyOf": [{"type": ["array", "object"], "minItems": 2}, {"type": ["integer", "string"], "minLength": 10}]}}}"#,
        r#"{"a": "bar"}"#,
        "1:7 minLength",
        &["1:7 minLength"],
    ),
    // A schema that allows nothing, a single error, and none.
    case(
        r#"{"properties": {"a": false}}"#,
        r#"{"a": "bar"}"#,
        "1:2 false",
        &["1:2 false"],
    ),
    case(
        r#"{"minProperties": 2}"#,
        "{}",
        "1:1 minProperties",
        &["1:1 minProperties"],
    ),
    case("{}", "{}", "", &[]),
];

#[test]
fn the_alternative_is_the_one_that_others_choose() {
    let mut differing = Vec::new();
    for case in CASES {
        let found = findings(case.schema, case.instance);
        let found: Vec<&str> = found
            .iter()
            .filter_map(|finding| Some(finding.split_once(':')?.0).and(finding.split_once(": ")))
            .map(|(place, _)| place)
            .collect();
        assert_eq!(found, case.shown, "{} of {}", case.schema, case.instance);
        let agrees = case.picked.is_empty() && found.is_empty() || found.contains(&case.picked);
        if !agrees {
            differing.push(case.schema);
        }
    }
    assert_eq!(differing, [""; 0]);
}
