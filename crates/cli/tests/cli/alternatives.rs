//! The error reported for a value that matches none of several alternatives, compared with the tests of `best_match` in
//! python-jsonschema 4.26.
//!
//! `best_match` picks one error; `validate --schema` shows all independent errors, but those of only one alternative of
//! `anyOf` and `oneOf`. So the two agree if the picked error is shown, and no error of another alternative. Which one is meant,
//! by its discriminators and keys, is tested without it.

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

#[test]
fn the_alternative_that_was_meant_is_reported() {
    let shapes = r#"{"oneOf": [
      {"type": "string"},
      {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
      {"type": "object", "properties": {"kind": {"const": "square"}, "a": {"type": "number"}}, "required": ["kind", "a"]},
      {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}}
    ]}"#;
    for (instance, expected) in [
        // By a discriminator.
        (
            r#"{"kind": "square", "a": "1"}"#,
            "1:25 type: `a` must be a number, but is the string \"1\"",
        ),
        (
            r#"{"kind": "circle"}"#,
            "1:18 required: the document lacks the key `r`",
        ),
        // By the type.
        (
            r#"[{"x": 1}, {"x": "1"}]"#,
            "1:18 type: `x` must be an integer, but is the string \"1\"",
        ),
    ] {
        assert_eq!(findings(shapes, instance), [expected], "{instance}");
    }
    let referred = r##"{"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {
      "a": {"properties": {"t": {"enum": ["a"]}, "v": {"type": "string"}}, "required": ["v"]},
      "b": {"properties": {"t": {"enum": ["b"]}, "v": {"properties": {"w": {"type": "string"}}}}, "required": ["v", "w"]}
    }}"##;
    let found = findings(referred, r#"{"t": "b", "v": 1}"#);
    assert_eq!(found, ["1:18 required: the document lacks the key `w`"]);

    // By the keys, also misspelled, in any order of the alternatives.
    let run = r#"{"properties": {"run": {}, "shell": {}}, "required": ["run"], "additionalProperties": false}"#;
    let uses = r#"{"properties": {"uses": {}, "with": {}}, "required": ["uses"], "additionalProperties": false}"#;
    for (first, second) in [(run, uses), (uses, run)] {
        let schema = format!(r#"{{"oneOf": [{first}, {second}]}}"#);
        for (instance, expected) in [
            (
                r#"{"rnu": 1}"#,
                "1:2 additionalProperties: unknown key `rnu`",
            ),
            (
                r#"{"usse": 1, "with": 2}"#,
                "1:2 additionalProperties: unknown key `usse`",
            ),
            (
                r#"{"runs": 1}"#,
                "1:2 additionalProperties: unknown key `runs`",
            ),
            (
                r#"{"with": 1}"#,
                "1:11 required: the document lacks the key `uses`",
            ),
            (
                r#"{"shell": 1, "run": 2, "with": 3}"#,
                "1:24 additionalProperties: unknown key `with`",
            ),
        ] {
            assert_eq!(
                findings(&schema, instance),
                [expected],
                "{schema} {instance}"
            );
        }
    }
}
