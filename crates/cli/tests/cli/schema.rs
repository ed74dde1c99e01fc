//! `validate --schema`: messages, positions and limits.

use serde_json::{Value, json};

use crate::{Folder, Ran, jsonx, run};

/// Runs with a schema and an instance.
pub fn ran(schema: &str, instance: &str, options: &[&str]) -> Ran {
    let files = [
        ("s.json", schema.as_bytes()),
        ("a.json", instance.as_bytes()),
    ];
    let arguments = ["validate", "--schema", "s.json", "a.json"];
    Folder::with(&files).run(&[&arguments, options].concat())
}

/// The findings as `FILE:LINE:COL CODE MESSAGE`.
pub fn findings(schema: &str, instance: &str) -> Vec<String> {
    let ran = ran(
        schema,
        instance,
        &["--reporter", "json", "--formats", "assert"],
    );
    let records = ran
        .out
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let records = records.filter(|record| record["type"] == "diagnostic");
    let shown = records.map(|record| {
        let text = |name: &str| record[name].as_str().unwrap().to_owned();
        let code = text("code");
        let code = code.strip_prefix("schema/").unwrap_or(&code).to_owned();
        format!(
            "{}:{} {code}: {}",
            record["line"],
            record["column"],
            text("message")
        )
    });
    shown.collect()
}

#[test]
fn the_text_of_each_keyword() {
    let mut all = String::new();
    for (schema, instance) in [
        (
            r#"{"properties": {"port": {"type": "integer"}}}"#,
            r#"{"port": "80"}"#,
        ),
        (
            r#"{"properties": {"port": {"type": ["integer", "null"]}}}"#,
            r#"{"port": 1.5}"#,
        ),
        (r#"{"type": "object"}"#, "[1]"),
        (
            r#"{"properties": {"port": {"maximum": 65535}}}"#,
            r#"{"port": 70000}"#,
        ),
        (
            r#"{"properties": {"port": {"minimum": 1}}}"#,
            r#"{"port": 0}"#,
        ),
        (r#"{"items": {"exclusiveMaximum": 1}}"#, "[0, 1]"),
        (r#"{"items": {"exclusiveMinimum": 0}}"#, "[0, 1]"),
        (
            r#"{"properties": {"price": {"multipleOf": 0.01}}}"#,
            r#"{"price": 19.999}"#,
        ),
        (
            r#"{"properties": {"version": {"const": 2}}}"#,
            r#"{"version": 1}"#,
        ),
        (
            r#"{"properties": {"level": {"enum": ["debug", "info"]}}}"#,
            r#"{"level": "inof"}"#,
        ),
        (
            r#"{"properties": {"name": {"minLength": 1}}}"#,
            r#"{"name": ""}"#,
        ),
        (
            r#"{"properties": {"name": {"minLength": 3}}}"#,
            r#"{"name": "é"}"#,
        ),
        (
            r#"{"properties": {"name": {"maxLength": 3}}}"#,
            r#"{"name": "four"}"#,
        ),
        (
            r#"{"properties": {"name": {"pattern": "^[a-z]+$"}}}"#,
            r#"{"name": "Foo"}"#,
        ),
        (
            r#"{"properties": {"born": {"format": "date"}}}"#,
            r#"{"born": "31.1.2026"}"#,
        ),
        (
            r#"{"properties": {"tags": {"minItems": 1}}}"#,
            r#"{"tags": []}"#,
        ),
        (
            r#"{"properties": {"tags": {"minItems": 3}}}"#,
            r#"{"tags": [1]}"#,
        ),
        (
            r#"{"properties": {"tags": {"maxItems": 1}}}"#,
            r#"{"tags": ["a", "b"]}"#,
        ),
        (
            r#"{"properties": {"tags": {"uniqueItems": true}}}"#,
            r#"{"tags": [1, "b", 1.0]}"#,
        ),
        (
            r#"{"properties": {"tags": {"contains": {"const": "a"}}}}"#,
            r#"{"tags": ["b"]}"#,
        ),
        (r#"{"contains": {"const": 1}, "minContains": 2}"#, "[1]"),
        (r#"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1]"),
        (r#"{"prefixItems": [true], "items": false}"#, "[1, 2]"),
        (
            r#"{"prefixItems": [true], "unevaluatedItems": false}"#,
            "[1, 2]",
        ),
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [true], "additionalItems": false}"#,
            "[1, 2]",
        ),
        (r#"{"required": ["name"]}"#, r#"{"a": 1}"#),
        (
            r#"{"properties": {"server": {"required": ["port"]}}}"#,
            r#"{"server": {"prot": 1}}"#,
        ),
        (
            r#"{"properties": {"port": true}, "additionalProperties": false}"#,
            r#"{"prot": 1}"#,
        ),
        (
            r#"{"properties": {"port": true}, "additionalProperties": false}"#,
            r#"{"x": 1}"#,
        ),
        (
            r#"{"allOf": [{"properties": {"port": true}}], "unevaluatedProperties": false}"#,
            r#"{"Port": 1}"#,
        ),
        (r#"{"minProperties": 2}"#, r#"{"a": 1}"#),
        (r#"{"maxProperties": 1}"#, r#"{"a": 1, "b": 2}"#),
        (
            r#"{"propertyNames": {"pattern": "^[a-z]+$"}}"#,
            r#"{"A": 1}"#,
        ),
        (
            r#"{"propertyNames": {"enum": ["width", "height"]}}"#,
            r#"{"widht": 1}"#,
        ),
        (
            r#"{"dependentRequired": {"user": ["password"]}}"#,
            r#"{"user": 1}"#,
        ),
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"user": ["password"]}}"#,
            r#"{"user": 1}"#,
        ),
        (r#"{"properties": {"secret": false}}"#, r#"{"secret": 1}"#),
        (
            r#"{"properties": {"id": {"not": {"const": 0}}}}"#,
            r#"{"id": 0}"#,
        ),
        (r#"{"not": {"required": ["a"]}}"#, r#"{"a": 0}"#),
        (r#"{"not": {"type": "array", "minItems": 1}}"#, "[0]"),
        (
            r#"{"properties": {"id": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}"#,
            r#"{"id": 4}"#,
        ),
        (
            r#"{"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]}"#,
            r#""d""#,
        ),
        (r#"{"oneOf": [{"type": "integer"}, {"minimum": 2}]}"#, "3"),
        (
            r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#,
            r#"{"a": 1}"#,
        ),
        ("false", "1"),
    ] {
        all += &format!("{schema}\n{instance}\n");
        for finding in findings(schema, instance) {
            all += &format!("    {finding}\n");
        }
    }
    insta::assert_snapshot!(all);
}

/// Runs in a folder, with standard input.
pub fn piped_in(folder: &Folder, arguments: &[&str], input: &str) -> Ran {
    run(jsonx(arguments)
        .current_dir(folder.path(""))
        .write_stdin(input))
}

/// A schema with many keywords, and a file that violates most of them.
const EVERYTHING: (&str, &str) = (
    r#"{
  "type": "object",
  "required": ["name", "port"],
  "properties": {
    "name": {"type": "string", "minLength": 2},
    "port": {"type": "integer", "maximum": 65535},
    "level": {"enum": ["debug", "info", "error"]},
    "tags": {"items": {"type": "string"}, "uniqueItems": true},
    "shape": {"oneOf": [
      {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
      {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}
    ]}
  },
  "additionalProperties": false
}
"#,
    r#"{
  "name": "x",
  "prot": 70000,
  "level": "inof",
  "tags": ["a", "b", 3, "a"],
  "shape": {
    "kind": "square",
    "side": "4"
  }
}
"#,
);

#[test]
fn both_places_are_shown() {
    let ran = ran(EVERYTHING.0, EVERYTHING.1, &[]);
    insta::assert_snapshot!(ran.out);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
}

#[test]
fn every_reporter_has_both_places() {
    let (schema, instance) = (r#"{"items": {"maximum": 3}}"#, "[1, 5]\n");
    for (reporter, parts) in [
        ("human", &["--> a.json:1:5", "::: s.json:1:12"][..]),
        (
            "concise",
            &[
                "a.json:1:5: error[schema/maximum]: `[1]` must be at most 3, but is 5 [required here: s.json:1:12]",
            ],
        ),
        (
            "json",
            &[
                r#""code":"schema/maximum""#,
                r#""elsewhere":[{"file":"s.json","message":"required here","line":1,"column":12"#,
            ],
        ),
        (
            "sarif",
            &[
                r#""ruleId":"schema/maximum","ruleIndex":"#,
                r#""relatedLocations":[{"physicalLocation":{"artifactLocation":{"uri":"s.json""#,
            ],
        ),
        (
            "github",
            &["::error file=a.json,line=1", "s.json:1:12: required here"],
        ),
        ("gitlab", &[r#""check_name":"schema/maximum""#]),
        ("junit", &["schema/maximum", "s.json:1:12"]),
    ] {
        let ran = ran(schema, instance, &["--reporter", reporter]);
        for part in parts {
            assert!(ran.out.contains(part), "{reporter}: {part}\n{}", ran.out);
        }
        assert_eq!(ran.code, 1, "{reporter}");
    }
    let ran = ran(schema, instance, &["--reporter", "sarif"]);
    let sarif: Value = serde_json::from_str(&ran.out).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"]
        [result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], "schema/maximum");
}

#[test]
fn one_cause_is_one_finding() {
    for (schema, instance, expected) in [
        // A mistyped key is not also reported as missing.
        (
            r#"{"required": ["port"], "properties": {"port": true}, "additionalProperties": false}"#,
            r#"{"prot": 1}"#,
            &["1:2 additionalProperties: unknown key `prot`"][..],
        ),
        // For a value of the wrong type, no other violation is reported.
        (
            r#"{"properties": {"a": {"type": "string", "enum": ["x"], "minLength": 1}}}"#,
            r#"{"a": 1}"#,
            &["1:7 type: `a` must be a string, but is 1"],
        ),
        // Properties that failed elsewhere are not reported as unevaluated.
        (
            r#"{"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}"#,
            r#"{"a": 1}"#,
            &["1:7 type: `a` must be a string, but is 1"],
        ),
        // The same rule, reached twice.
        (
            r##"{"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "string"}}}"##,
            "1",
            &["1:1 type: the document must be a string, but is 1"],
        ),
    ] {
        assert_eq!(findings(schema, instance), expected, "{schema}");
    }
}

#[test]
fn numbers_are_exact() {
    for (schema, right, wrong) in [
        (
            r#"{"maximum": 12345678901234567890123}"#,
            "12345678901234567890123",
            "12345678901234567890124",
        ),
        (r#"{"maximum": 0.1}"#, "0.1", "0.1000000000000000055"),
        (r#"{"exclusiveMinimum": 1e400}"#, "1.1e400", "1e400"),
        (r#"{"multipleOf": 0.01}"#, "19.99", "19.999"),
        (
            r#"{"multipleOf": 3}"#,
            "300000000000000000000000000003",
            "300000000000000000000000000004",
        ),
        (r#"{"multipleOf": 1e-400}"#, "3e-400", "1e-401"),
        (
            r#"{"multipleOf": 3e10000000000000000000000000000000000000000}"#,
            "0.6e10000000000000000000000000000000000000001",
            "6e9999999999999999999999999999999999999999",
        ),
        (
            r#"{"multipleOf": 1234567890123456789012345678901234567890}"#,
            "1234567890123456789012345678901234567890e400",
            "1234567890123456789012345678901234567891",
        ),
        (
            r#"{"const": 9007199254740993}"#,
            "9007199254740993.0",
            "9007199254740992",
        ),
        (
            r#"{"const": {"a": 12345678901234567890123}}"#,
            r#"{"a": 12345678901234567890123}"#,
            r#"{"a": 12345678901234567890124}"#,
        ),
        (r#"{"enum": [1e400, "x"]}"#, "10e399", "1e401"),
        (r#"{"type": "integer"}"#, "1.0e2", "1.5e0"),
        (
            r#"{"uniqueItems": true}"#,
            "[9007199254740993, 9007199254740992]",
            "[1.0, 1]",
        ),
        (
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3, "exclusiveMaximum": true}"#,
            "2.99",
            "3",
        ),
    ] {
        let broken = |instance| {
            let mut found = findings(schema, instance);
            found.retain(|found| {
                !found.contains("unsafe-integer") && !found.contains("number-range")
            });
            found
        };
        assert_eq!(broken(right), [""; 0], "{schema}");
        assert_eq!(broken(wrong).len(), 1, "{schema}");
    }
    let found = findings(r#"{"maximum": 12345678901234567890123}"#, "1e23");
    assert_eq!(
        found,
        ["1:1 maximum: the document must be at most 12345678901234567890123, but is 1e23"]
    );
    // These are too small for a double.
    for (divisor, is_allowed) in [("1e-400", true), ("-1e-400", false), ("-1e400", false)] {
        let schema = format!("{{\"multipleOf\": {divisor}}}");
        let folder = Folder::with(&[("s.json", schema.as_bytes()), ("a.json", b"0")]);
        let ran = folder.run(&["validate", "--schema", "s.json", "a.json"]);
        assert_eq!(
            ran.code,
            if is_allowed { 0 } else { 2 },
            "{divisor}: {}",
            ran.err
        );
    }
}

#[test]
fn lines_have_their_number() {
    let mut lines = String::new();
    for number in 0..1000 {
        let id = if number == 700 {
            "\"x\"".to_owned()
        } else {
            number.to_string()
        };
        lines += &format!("{{\"id\": {id}}}\n");
    }
    lines += "\n{\"id\": 1, \"id\": 2}\n{\"id\": }\n{\"id\": 1.5}\n";
    let schema = r#"{"properties": {"id": {"type": "integer"}}}"#;
    let files = [("s.json", schema.as_bytes()), ("a.jsonl", lines.as_bytes())];
    let folder = Folder::with(&files);
    let expected = [
        "a.jsonl:701:8: error[schema/type]: `id` must be an integer, but is the string \"x\"",
        "a.jsonl:1002:11: warning[duplicate-key]: duplicate key `id`",
        "a.jsonl:1003:7: error[missing-value]: key `\"id\"` has no value",
        "a.jsonl:1004:8: error[schema/type]: `id` must be an integer, but is 1.5",
    ];
    for more in [&[][..], &["--max-errors", "0"], &["--threads", "1"]] {
        let arguments = [
            "validate",
            "--schema",
            "s.json",
            "a.jsonl",
            "--reporter",
            "concise",
        ];
        let ran = folder.run(&[&arguments, more].concat());
        let mut shown: Vec<&str> = ran.out.lines().collect();
        shown.sort_by_key(|line| {
            line.split(':')
                .nth(1)
                .and_then(|line| line.parse::<u64>().ok())
        });
        assert_eq!(shown.len(), expected.len(), "{}", ran.out);
        for (line, expected) in shown.iter().zip(expected) {
            assert!(line.starts_with(expected), "{line}");
        }
        assert_eq!(ran.code, 1);
    }
    let of_pipe = |kind, reporter, input| {
        let arguments = [
            "validate",
            "--schema",
            "s.json",
            "--input",
            kind,
            "--reporter",
            reporter,
        ];
        piped_in(&folder, &arguments, input).out
    };
    let out = of_pipe("jsonl", "json", "{\"id\": 1}\n{\"id\": null}\n");
    let record: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&record["record"], &record["line"], &record["byteOffset"]),
        (&json!(2), &json!(2), &json!(17))
    );
    let out = of_pipe("stream", "concise", "{\"id\": 1} {\"id\":\n null}");
    let expected = "<stdin>:2:2: error[schema/type]: `id` must be an integer, but is null";
    assert!(out.starts_with(expected), "{out}");
}

#[test]
fn lints_and_syntax_errors_are_in_the_same_run() {
    let schema = r#"{"properties": {"a": {"type": "string"}}}"#;
    let both = ran(
        schema,
        "\u{feff}{\"b\": 1, \"b\": 2, \"a\": 1}",
        &["--reporter", "concise"],
    );
    let codes: Vec<&str> = both
        .out
        .split(['[', ']'])
        .filter(|part| part.contains('-') || part.contains('/'))
        .filter(|part| !part.contains(' '))
        .collect();
    assert_eq!(
        codes,
        ["byte-order-mark", "duplicate-key", "schema/type"],
        "{}",
        both.out
    );
    // Invalid JSON has no other findings.
    let broken = ran(schema, "{\"a\": 1,}", &["--reporter", "concise"]);
    assert_eq!(broken.out.lines().count(), 1);
    assert!(broken.out.contains("error[trailing-comma]"));
    // The last of equal keys counts.
    assert_eq!(ran(schema, "{\"a\": 1, \"\\u0061\": \"x\"}", &[]).code, 0);
    assert_eq!(
        ran(schema, "{\"a\": \"x\", \"a\": 1}", &["--allow", "all"]).code,
        1
    );
    // Comments do not matter.
    let files = [
        ("s.json", schema.as_bytes()),
        ("a.jsonc", b"{// one\n\"a\": 1,}" as &[u8]),
    ];
    let ran = Folder::with(&files).run(&[
        "validate",
        "--schema",
        "s.json",
        "a.jsonc",
        "--reporter",
        "concise",
    ]);
    assert!(
        ran.out.starts_with("a.jsonc:2:6: error[schema/type]"),
        "{}",
        ran.out
    );
}

#[test]
fn levels_apply_to_keywords() {
    let (schema, instance) = (r#"{"required": ["a"], "maxProperties": 0}"#, r#"{"b": 1}"#);
    let run = |options: &[&str]| {
        let ran = ran(
            schema,
            instance,
            &[&["--reporter", "concise"], options].concat(),
        );
        let severities: Vec<String> = ran
            .out
            .lines()
            .map(|line| line.split(": ").nth(1).unwrap().to_owned())
            .collect();
        (severities, ran.code)
    };
    let expect = |options: &[&str], severities: &[&str], code| {
        assert_eq!(
            run(options),
            (severities.iter().map(|&it| it.to_owned()).collect(), code),
            "{options:?}"
        );
    };
    expect(
        &["--allow", "schema/required"],
        &["error[schema/maxProperties]"],
        1,
    );
    expect(
        &["--warn", "schema"],
        &["warning[schema/maxProperties]", "warning[schema/required]"],
        0,
    );
    expect(
        &["--warn", "schema", "--deny", "schema/required"],
        &["warning[schema/maxProperties]", "error[schema/required]"],
        1,
    );
    expect(&["--allow", "schema"], &[], 0);
    expect(
        &["--allow", "all"],
        &["error[schema/maxProperties]", "error[schema/required]"],
        1,
    );
    let ran = ran(schema, instance, &["--allow", "schema/requried"]);
    assert!(
        ran.err.contains("did you mean `schema/required`?"),
        "{}",
        ran.err
    );
    assert_eq!(ran.code, 2);
}

/// The label of the place in the schema is within the width, wherever that place is in its line.
#[test]
fn the_place_in_the_schema_is_labeled_within_the_width() {
    for (blanks, key, after) in [
        (0, 1, 0),
        (0, 30, 0),
        (0, 70, 100),
        (40, 8, 0),
        (60, 30, 30),
        (300, 130, 1),
    ] {
        let (blanks, key, after) = (" ".repeat(blanks), "k".repeat(key), "y".repeat(after));
        let schema =
            format!("{{\"type\":\"object\",{blanks}\"required\":[\"{key}\"],\"x\":\"{after}\"}}");
        let folder = Folder::with(&[("a.json", b"{}"), ("s.json", schema.as_bytes())]);
        for width in [60usize, 80, 120] {
            let mut command = crate::jsonx(&["validate", "--schema", "s.json", "a.json"]);
            command.current_dir(folder.path("."));
            command.env("COLUMNS", width.to_string());
            let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
            let label = out.lines().find(|line| line.ends_with("required here"));
            assert!(
                label.is_some_and(|line| line.len() <= width),
                "{width}: {out}"
            );
        }
    }
}
