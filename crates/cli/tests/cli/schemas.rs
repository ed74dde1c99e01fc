//! Sources of schemas, and unusable schemas.

mod limits;
mod reach;
mod suites;

use std::fs;

use serde_json::Value;

use crate::Folder;
use crate::schema::{findings, piped_in, ran};

#[test]
fn a_schema_that_cannot_be_used_is_explained() {
    let mut all = String::new();
    for schema in [
        "{\"type\": \"string\",}",
        "",
        r#"{"type": "strin"}"#,
        r#"{"maximum": "3"}"#,
        r#"{"properties": {"a": {"minLength": -1}}}"#,
        "[]",
        r#"{"pattern": "["}"#,
        r#"{"pattern": "^(a"}"#,
        r#"{"pattern": "((a{1000}){1000}){1000}"}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-13/schema"}"#,
        r##"{"$ref": "#/$defs/adress", "$defs": {"address": {}}}"##,
        r##"{"$ref": "#anchor"}"##,
        r##"{"$ref": "#definitions/ID", "definitions": {"ID": {}}}"##,
        r##"{"$ref": "#definitions/IDs", "definitions": {"ID": {}}}"##,
        r#"{"$ref": "other.json"}"#,
        r#"{"properties": {"a": {"$ref": "https://example.com/schemas/a.json#/x"}}}"#,
        r#"{"items": {"$ref": "https://example.com/b.json"}, "not": {"$ref": "other.json"}, "if": {"$ref": "https://example.com/a.json#a"}, "then": {"$ref": "https://example.com/b.json#/b"}}"#,
        r#"{"patternProperties": {"^a": true, "^\\${{b}}$": true}}"#,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"$ref": "#"}"##,
    ] {
        let ran = ran(schema, "1", &[]);
        all += &format!("=== {schema}\n{}{}exit {}\n", ran.out, ran.err, ran.code);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn references_may_have_characters_that_no_uri_has() {
    for name in [
        "Conditional<ValueDef>",
        "Inputs<alloc::string::String>",
        "Pair<A, B>[]",
        "{a|b}^`\\\\\"",
        "größe",
        "100% sure",
        "a%3Cb",
        "a#b",
    ] {
        let key = serde_json::to_string(name).unwrap();
        let end = &key[1..];
        // `%3C` is `<`, as everywhere.
        let defined = serde_json::to_string(&name.replace("%3C", "<")).unwrap();
        for (wrong, exit) in [("1", 0), ("\"x\"", 1)] {
            let schema = format!(
                r##"{{"$defs": {{{defined}: {{"type": "integer"}}}}, "properties": {{"a": {{"$ref": "#/$defs/{end}}}}}}}"##
            );
            let ran = ran(&schema, &format!("{{\"a\": {wrong}}}"), &[]);
            assert_eq!(ran.code, exit, "{schema} {} {}", ran.out, ran.err);
        }
        let schema = format!(r##"{{"$ref": "#/$defs/{end}}}"##);
        let ran = ran(&schema, "1", &[]);
        assert!(ran.out.contains("leads nowhere"), "{schema} {}", ran.out);
    }
}

/// A document in place of the schema would accept everything without a word.
#[test]
fn a_schema_without_any_keyword_is_warned_of() {
    for (schema, count) in [
        (r#"{"name": "x", "port": 80}"#, 1),
        (r#"{"openapi": "3.1.0"}"#, 1),
        ("{}", 0),
        ("true", 0),
        (r#"{"title": "x", "port": 80}"#, 0),
        (r##"{"$ref": "#/a", "a": {}}"##, 0),
    ] {
        let ran = ran(schema, "1", &[]);
        let warnings = ran.err.matches("is a keyword of JSON Schema").count();
        assert_eq!((warnings, ran.code), (count, 0), "{schema}: {}", ran.err);
    }
}

#[test]
fn a_schema_that_cannot_be_read_is_a_failure() {
    let folder = Folder::with(&[("a.json", b"1")]);
    let ran = folder.run(&["validate", "--schema", "s.json", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err
            .starts_with("jsonx: s.json: the schema cannot be read: "),
        "{}",
        ran.err
    );
}

/// A folder of schemas that refer to each other, and files.
fn tree() -> Folder {
    let folder = Folder::with(&[
        ("user.json", br#"{"name": 1}"#),
        ("other.json", br#"{"name": 1}"#),
        ("own.json", br#"{"$schema": "schemas/user.schema.json", "name": 1}"#),
        ("url.json", br#"{"$schema": "https://example.com/a/name.json#/$defs/long"}"#),
        ("none.json", br#"{"name": 1}"#),
        ("lost.json", br#"{"$schema": "schemas/nobody.json"}"#),
        ("draft.json", br#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": 3}"#),
        ("catalog.json", br#"{"schemas": [{"name": "u", "fileMatch": ["user.json", "*.user.json"], "url": "schemas/user.schema.json"},
            {"name": "n", "fileMatch": ["other.json"], "url": "https://example.com/a/name.json"}]}"#),
    ]);
    for (path, text) in [
        (
            "schemas/user.schema.json",
            r##"{"$id": "https://example.com/schemas/user", "properties": {"name": {"$ref": "https://example.com/a/name.json"}}, "additionalProperties": false}"##,
        ),
        (
            "dir/example.com/a/name.json",
            r##"{"type": "string", "$defs": {"long": {"type": "string"}}}"##,
        ),
    ] {
        fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
        fs::write(folder.path(path), text).unwrap();
    }
    folder
}

#[test]
fn schemas_are_found_by_name_map_and_key() {
    let folder = tree();
    let shown = |arguments: &[&str]| {
        let ran = folder.run(
            &[
                &["validate", "--reporter", "concise", "--schema-dir", "dir"],
                arguments,
            ]
            .concat(),
        );
        let lines = ran
            .out
            .lines()
            .map(|line| line.split(" [").next().unwrap().to_owned());
        (lines.collect::<Vec<_>>(), ran.err, ran.code)
    };
    let wrong = |file: &str| {
        format!("{file}: error[schema/type]: `name` must be a string, but is 1 (put it in quotes)")
    };
    let nothing = String::new;
    let all = ["user.json", "other.json", "own.json", "none.json"];
    let with = |more: &[&'static str]| [more, &all].concat();
    assert_eq!(
        shown(&["--schema", "schemas/user.schema.json", "user.json"]),
        (vec![wrong("user.json:1:10")], nothing(), 1)
    );
    assert_eq!(
        shown(&["--schema", "dir/example.com/a/name.json#/$defs/long", "user.json"]),
        (vec!["user.json:1:1: error[schema/type]: the document must be a string, but is an object".to_owned()], nothing(), 1)
    );
    assert_eq!(
        shown(&with(&["--use-schema-key"])),
        (vec![wrong("own.json:1:49")], nothing(), 1)
    );
    let map = "user.json=schemas/user.schema.json";
    assert_eq!(
        shown(&with(&["--schema-map", map])),
        (vec![wrong("user.json:1:10")], nothing(), 1)
    );
    assert_eq!(
        shown(&with(&["--schema-map", map, "--use-schema-key"])),
        (
            vec![wrong("user.json:1:10"), wrong("own.json:1:49")],
            nothing(),
            1
        )
    );
    let other =
        "other.json:1:1: error[schema/type]: the document must be a string, but is an object"
            .to_owned();
    assert_eq!(
        shown(&with(&["--schema-map", "catalog.json"])),
        (vec![wrong("user.json:1:10"), other], nothing(), 1)
    );
    let (lines, _, code) = shown(&["--use-schema-key", "url.json", "lost.json", "draft.json"]);
    assert_eq!(code, 1);
    assert!(
        lines[0].starts_with("url.json:1:1: error[schema/type]: the document must be a string"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("lost.json:1:13: error[schema/$schema]: no local copy of the schema \"schemas/nobody.json\""), "{lines:?}");
    assert!(
        lines[2].starts_with("draft.json:1:64: error[schema/"),
        "{lines:?}"
    );
}

#[test]
fn a_schema_that_is_not_at_hand_is_one_line_for_all_its_files() {
    let text: &[u8] = br#"{"$schema": "https://example.com/a.json"}"#;
    let folder = Folder::with(&[
        ("1.json", text),
        ("2.json", text),
        ("3.json", text),
        ("4.json", br#"{"$schema": "https://example.com/b.json"}"#),
        ("5.json", b"[1,]"),
        ("own.json", b"{\"type\": \"array\"}"),
        (
            "catalog.json",
            br#"{"schemas": [
                {"fileMatch": ["[123].json"], "url": "https://example.com/a.json"},
                {"fileMatch": ["4.json"], "url": "own.json"}
            ]}"#,
        ),
    ]);
    let files = ["1.json", "2.json", "3.json", "4.json", "5.json"];
    let with = |options: &[&str]| folder.run(&[&["validate"], options, &files].concat());
    let ran = with(&["--use-schema-key"]);
    let line = "error[schema/$schema]: no local copy of the schema \"https://example.com/a.json\", which 3 files name: save it \
                with `curl -sSfL --create-dirs -o DIR/example.com/a.json https://example.com/a.json`, and give --schema-dir DIR\n\n";
    assert!(ran.out.contains(line), "{}", ran.out);
    assert_eq!(ran.out.matches("\"https://example.com/a.json\"").count(), 1);
    assert!(ran.out.contains(" --> 4.json:1:13\n"), "{}", ran.out);
    assert!(
        ran.out.contains("5 errors in 5 files; 5 files checked"),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 1);
    // Machine-readable reports have a record for each file.
    for reporter in ["concise", "json"] {
        let ran = with(&["--use-schema-key", "--reporter", reporter]);
        let is_about = |line: &&str| line.contains("no local copy") && line.contains("a.json");
        assert_eq!(ran.out.lines().filter(is_about).count(), 3, "{}", ran.out);
    }
    assert_eq!(with(&["--use-schema-key", "--quiet"]).out, "");
    // The files of other schemas of a catalog are checked.
    let ran = with(&["--schema-map", "catalog.json"]);
    assert!(ran.out.contains("error[schema/type]"), "{}", ran.out);
    let lines: Vec<_> = ran.err.lines().collect();
    assert!(
        lines[0]
            .starts_with("jsonx: https://example.com/a.json: jsonx does not use the network; save"),
        "{}",
        ran.err
    );
    assert_eq!(
        lines[1..],
        [
            "jsonx: 3 files not checked, because their schema https://example.com/a.json cannot be used"
        ]
    );
    assert_eq!(ran.code, 4);
    let ran = folder.run(&["validate", "--schema-map", "catalog.json", "1.json"]);
    assert!(
        ran.err
            .contains("jsonx: 1.json: not checked, because its schema"),
        "{}",
        ran.err
    );
}

#[test]
fn a_url_without_a_file_says_where_to_put_it() {
    let folder = tree();
    let ran = folder.run(&[
        "validate",
        "--schema",
        "schemas/user.schema.json",
        "user.json",
    ]);
    for part in [
        "error[schema/$ref]: no local copy of https://example.com/a/name.json",
        "jsonx does not use the network",
        "help: save it with `curl -sSfL --create-dirs -o DIR/example.com/a/name.json https://example.com/a/name.json`, and give --schema-dir DIR",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    assert_eq!(ran.code, 2);
}

#[test]
fn a_schema_may_be_named_by_its_url() {
    let folder = tree();
    let url = "https://example.com/a/name.json";
    let found = folder.run(&[
        "validate",
        "--schema",
        url,
        "--schema-dir",
        "dir",
        "--reporter",
        "concise",
        "user.json",
    ]);
    assert!(found.out.contains("error[schema/type]"), "{}", found.err);
    let lost = folder.run(&["validate", "--schema", url, "user.json"]);
    assert_eq!((lost.out.as_str(), lost.code), ("", 4));
    let expected = "jsonx: https://example.com/a/name.json: jsonx does not use the network; save it with `curl";
    assert!(lost.err.starts_with(expected), "{}", lost.err);
}

#[test]
fn long_values_are_quoted_where_they_differ() {
    let folder = tree();
    let long = "k".repeat(120);
    let schema = format!(
        r#"{{"properties": {{"a": {{"const": "{long}END"}}, "b": {{"enum": ["{long}Z", "x", 1]}}, "c": {{"const": "{long}"}}}}}}"#
    );
    let value = format!(r#"{{"a": "{long}EN", "b": "{long}Yz", "c": "{long}!"}}"#);
    fs::write(folder.path("long.schema.json"), schema).unwrap();
    fs::write(folder.path("long.json"), value).unwrap();
    let ran = folder.run(&[
        "validate",
        "--schema",
        "long.schema.json",
        "--reporter",
        "concise",
        "long.json",
    ]);
    let tail = "k".repeat(24);
    for (column, expected) in [
        (
            130,
            format!(r#"`a` must be "…{0}END", but is "…{0}EN""#, &tail[2..]),
        ),
        (
            259,
            format!(r#"`b` must be "…{tail}Z" or 2 other values, but is "…{tail}Yz""#),
        ),
        (390, format!(r#"`c` must be "…{tail}", but is "…{tail}!""#)),
    ] {
        let is_it = |line: &str| line.contains(&format!(":{column}:")) && line.contains(&expected);
        assert!(ran.out.lines().any(is_it), "{expected}\n{}", ran.out);
    }
}

#[test]
fn a_map_may_be_long_and_have_bad_schemas() {
    let folder = tree();
    let mut catalog = String::from("{\"schemas\": [");
    for number in 0..10_000 {
        catalog +=
            &format!("{{\"fileMatch\": [\"{number}.json\"], \"url\": \"no/{number}.json\"}},");
    }
    catalog += "{\"fileMatch\": [\"bad*.json\"], \"url\": \"bad.schema.json\"}, {\"fileMatch\": [\"user.json\"], \"url\": \"schemas/user.schema.json\"}]}";
    fs::write(folder.path("long.json"), catalog).unwrap();
    fs::write(folder.path("bad.schema.json"), "{\"type\": 1}").unwrap();
    fs::write(folder.path("bad1.json"), "1").unwrap();
    fs::write(folder.path("bad2.json"), "1").unwrap();
    let ran = folder.run(&[
        "validate",
        "--schema-map",
        "long.json",
        "--schema-dir",
        "dir",
        "--reporter",
        "concise",
        "bad1.json",
        "bad2.json",
        "user.json",
        "7.json",
    ]);
    fs::write(folder.path("7.json"), "1").unwrap();
    assert_eq!(
        ran.out
            .matches("bad.schema.json:1:10: error[schema/")
            .count(),
        1,
        "{}",
        ran.out
    );
    assert!(ran.out.contains("user.json:1:10: error[schema/type]"));
    let line = "jsonx: 2 files not checked, because their schema bad.schema.json cannot be used\n";
    assert!(ran.err.contains(line), "{}", ran.err);
    assert_eq!(ran.code, 4);
}

#[test]
fn a_schema_may_be_an_instance_too() {
    let text = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "maxProperties": 1}"#;
    let folder = Folder::with(&[("s.json", text.as_bytes())]);
    let ran = folder.run(&[
        "validate",
        "--schema",
        "s.json",
        "s.json",
        "--reporter",
        "concise",
    ]);
    assert_eq!(
        ran.out,
        "s.json:1:1: error[schema/maxProperties]: the document must have at most 1 key, but has 2 [required here: s.json:1:61]\n"
    );
}

#[test]
fn comments_are_not_part_of_values() {
    let folder = Folder::with(&[
        (
            "s.jsonc",
            b"// what it is\n{\"properties\": {\"a\": {\"const\": \"x\" /* no more */, },\n\"b\": {\"items\": {\"maximum\": 2,}}},}",
        ),
        (
            "good.jsonc",
            b"{\"a\": \"x\", // one\n\"b\": [1 /* two */, 2,\n]}",
        ),
        ("bad.jsonc", b"{\"a\": \"y\",\n\"b\": [3,] /* two */,}"),
    ]);
    let ran = folder.run(&[
        "validate",
        "--schema",
        "s.jsonc",
        "good.jsonc",
        "bad.jsonc",
        "--reporter",
        "concise",
    ]);
    assert_eq!(
        ran.out,
        "bad.jsonc:1:7: error[schema/const]: `a` must be \"x\", but is \"y\" [required here: s.jsonc:2:23]\n\
         bad.jsonc:2:7: error[schema/maximum]: `b[0]` must be at most 2, but is 3 [required here: s.jsonc:3:17]\n",
        "{}",
        ran.err
    );
}

#[test]
fn standard_input_is_a_schema_or_a_file() {
    let folder = Folder::with(&[("a.json", b"1"), ("s.json", b"true")]);
    for arguments in [
        &["--schema", "-"][..],
        &["--schema", "-", "-"],
        &["--schema=-#/a", "a.json", "-"],
        &["--schema-map", "a.json=-", "a.json", "-"],
    ] {
        let ran = folder.run(&[&["validate"], arguments].concat());
        let both = "standard input is both the schema and a file to check";
        assert!(
            ran.code == 2 && ran.err.contains(both),
            "{arguments:?} {}{}",
            ran.out,
            ran.err
        );
    }
    for (arguments, code) in [
        (&["--schema", "-", "a.json"][..], 1),
        (&["--schema", "s.json", "-"], 0),
    ] {
        let arguments = [&["validate"], arguments].concat();
        let ran = piped_in(&folder, &arguments, "{\"type\": \"null\"}");
        assert_eq!(ran.code, code, "{arguments:?} {}", ran.err);
    }
}

/// A backslash in the name of a property is not an escape.
#[test]
fn names_with_backslashes_match_the_schema() {
    for (name, instance, code) in [
        (r"a\\n", r#"{"a\\n": 1}"#, 1),
        (r"a\\n", r#"{"a\n": 1}"#, 0),
        (r"a\n", r#"{"a\u000a": 1}"#, 1),
        (r"a\n", r#"{"a\\n": 1}"#, 0),
        (r"ab", r#"{"a\u0062": 1}"#, 1),
        (r"ab", r#"{"a": 1, "abc": 2}"#, 0),
    ] {
        let schema = format!(r#"{{"properties": {{"{name}": false}}}}"#);
        let ran = ran(&schema, instance, &[]);
        assert_eq!(ran.code, code, "{schema} {instance} {}", ran.out);
    }
}

#[test]
fn a_declared_key_is_no_misspelling() {
    let schema = |declared: &str| format!(r#"{{"required": ["host"], {declared}}}"#);
    for (declared, instance, near) in [
        (r#""properties": {"host": {}}"#, r#"{"hots": 1}"#, true),
        (r#""properties": {"most": {}}"#, r#"{"most": 1}"#, false),
        (
            r#""patternProperties": {"^m": {}}"#,
            r#"{"most": 1}"#,
            false,
        ),
        (r#""patternProperties": {"^m": {}}"#, r#"{"hots": 1}"#, true),
        (
            r#""anyOf": [{"patternProperties": {"^m": {}}}]"#,
            r#"{"most": 1}"#,
            false,
        ),
    ] {
        let ran = ran(&schema(declared), instance, &[]);
        assert!(ran.out.contains("lacks the key `host`"), "{}", ran.out);
        let said = ran.out.contains("there is a key");
        assert_eq!(said, near, "{declared} {instance} {}", ran.out);
    }
    // A key whose value a pattern rejects is not unknown as well.
    let rejected = r#"{"allOf": [{"patternProperties": {"^x": {"type": "string"}}}], "unevaluatedProperties": false}"#;
    let found = findings(rejected, r#"{"xa": 1}"#);
    assert_eq!(found, ["1:8 type: `xa` must be a string, but is 1"]);
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let folder = tree();
    for (arguments, code) in [
        (&["--schema", "a", "--use-schema-key"][..], 2),
        (&["--schema", "a", "--schema-map", "b=c"], 2),
        (&["--schema-map", "nothing.json"], 4),
        (&["--schema-map", "user.json"], 2),
        (&["--schema-map", "=x"], 2),
        (&["--draft", "8", "--schema", "x"], 2),
        (&["--draft", "7"], 2),
        (&["--schema-dir", "dir"], 2),
        (&["--schema", "x", "--schema-dir", "no-such-directory"], 4),
    ] {
        let ran = folder.run(&[&["validate", "user.json"], arguments].concat());
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (code, ""),
            "{arguments:?} {}",
            ran.err
        );
        assert!(!ran.err.is_empty());
    }
}

/// Files with these names and texts, and the result of `validate` with these arguments.
fn validated(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String) {
    let folder = Folder::with(&[]);
    for (path, text) in files {
        fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
        fs::write(folder.path(path), text).unwrap();
    }
    let ran = folder.run(&[&["validate"], arguments].concat());
    (ran.code, ran.out + &ran.err)
}

#[test]
fn two_schemas_with_one_id_are_an_error_that_names_both() {
    let one = r#"{"$id": "https://example.com/x", "type": "string"}"#;
    let two = r#"{"$id": "https://example.com/x", "type": "integer"}"#;
    let schema = r#"{"$ref": "https://example.com/x"}"#;
    let value = r#"{"$schema": "https://example.com/x"}"#;
    for (arguments, code) in [
        (&["--schema", "s.json", "v.json"][..], 2),
        (&["--schema", "https://example.com/x", "v.json"], 4),
        (&["--use-schema-key", "v.json"], 1),
        (&["--schema", "s.json", "--print-references", "v.json"], 1),
    ] {
        let arguments = [arguments, &["--schema-dir", "dir"]].concat();
        let files = [
            ("dir/one.json", one),
            ("dir/two.json", two),
            ("s.json", schema),
            ("v.json", value),
        ];
        let (exit, out) = validated(&files, &arguments);
        let names_both = out.contains("one.json") && out.contains("two.json");
        assert!(names_both || out.contains("ambiguous\t"), "{out}");
        assert_eq!(exit, code, "{out}");
        // Copies are no contradiction.
        let files = [
            ("dir/one.json", one),
            ("dir/two.json", one),
            ("s.json", schema),
            ("v.json", value),
        ];
        let (_, out) = validated(&files, &arguments);
        assert!(
            !out.contains("two.json") && !out.contains("ambiguous"),
            "{out}"
        );
    }
    // Schemas within others, whatever the order of the references.
    let inner = |schema: &str| {
        format!(r##"{{"$ref": "https://example.com/x", "$defs": {{"x": {schema}}}}}"##)
    };
    for order in [["a.json", "b.json"], ["b.json", "a.json"]] {
        let both = format!(
            r#"{{"allOf": [{{"$ref": "{}"}}, {{"$ref": "{}"}}]}}"#,
            order[0], order[1]
        );
        let files = [
            ("a.json", &*inner(one)),
            ("b.json", &inner(two)),
            ("s.json", &both),
            ("v.json", "1"),
        ];
        let (exit, out) = validated(&files, &["--schema", "s.json", "v.json"]);
        assert!(
            exit == 2 && out.contains("a.json") && out.contains("b.json"),
            "{out}"
        );
    }
    // Each of two schemas of a run has its own.
    let maps = [
        "--schema-map",
        "p.json=a.json",
        "--schema-map",
        "q.json=b.json",
        "p.json",
        "q.json",
    ];
    let files = [
        ("a.json", &*inner(one)),
        ("b.json", &inner(two)),
        ("p.json", "1"),
        ("q.json", "\"s\""),
    ];
    let (exit, out) = validated(&files, &maps);
    assert!(
        exit == 1 && out.contains("::: a.json:") && out.contains("::: b.json:"),
        "{out}"
    );
}

#[test]
fn mistakes_of_schemas_are_explained() {
    let seven = r#""$schema": "http://json-schema.org/draft-07/schema#", "#;
    let latest = r#""$schema": "https://json-schema.org/draft/2020-12/schema", "#;
    let mut all = String::new();
    for (draft, schema) in [
        ("", r##""allOf": [{"$ref": "#"}]"##),
        (
            "",
            r##""anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#"}}}"##,
        ),
        (
            "",
            r##""properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}"##,
        ),
        ("", r#""type": ["string", "nul"]"#),
        ("", r#""minimum": 1, "exclusiveMinimum": true"#),
        (latest, r#""minimum": 1, "exclusiveMinimum": true"#),
        ("", r#""items": [true]"#),
        (latest, r#""items": [true]"#),
        ("", r#""$id": "urn:example:a", "$ref": "b.json""#),
        (
            seven,
            r##""properties": {"a": {"$id": "urn:a", "$ref": "#/definitions/a"}}, "definitions": {"a": {}}"##,
        ),
        (latest, r#""type": "string", "enum": [1, "a"]"#),
        (latest, r#""minimum": 3, "maximum": 2.5"#),
        (latest, r#""minimum": 3, "exclusiveMaximum": 3.0"#),
        (latest, r#""minLength": 3, "maxLength": 3"#),
        (latest, r#""type": ["integer", "null"], "default": "x""#),
        (latest, r#""type": "integer", "default": 1.0"#),
        (latest, r#""enum": [1, 2], "default": 3"#),
        (latest, r#""enum": [1, 2], "const": 3"#),
        (latest, r#""const": 1.0, "default": 1"#),
        (latest, r#""const": 1, "default": {"a": 1}"#),
        (
            latest,
            r#""type": "string", "nullable": true, "default": null"#,
        ),
        (latest, r#""pattern": "a\\-b""#),
        (latest, r#""patternProperties": {"(?i)abc": true}"#),
        ("", r#""minLength": 1e999"#),
        (seven, r#""contains": {"const": 1}, "minContains": 0"#),
    ] {
        let schema = format!("{{{draft}{schema}}}");
        let value = if schema.contains("contains") {
            "[]"
        } else {
            "\"\""
        };
        let (code, out) = validated(
            &[("s.json", &schema), ("v.json", value)],
            &["--schema", "s.json", "s.json", "v.json"],
        );
        let (_, own) = validated(&[("s.json", &schema)], &["s.json", "--reporter", "concise"]);
        let notes = out.lines().filter(|line| {
            line.starts_with("error")
                || line.starts_with("  = help")
                || line.starts_with("  = note")
        });
        let mut notes: Vec<&str> = notes.collect();
        if schema.contains("enum") && schema.contains("const") {
            // The order of two keywords depends on the features of serde_json, which tests of other crates enable.
            notes.sort_unstable();
        }
        all += &format!(
            "=== {schema}\n{}\nexit {code}\n--- as a document\n{own}\n",
            notes.join("\n")
        );
    }
    insta::assert_snapshot!(all);
}

#[test]
fn deprecated_values_get_a_warning() {
    let schema = r##"{"properties": {"a": {"deprecated": true}, "b": {"anyOf": [{"type": "string", "deprecated": true}, {"type": "integer"}]}, "c": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"deprecated": true}}}"##;
    for (value, found) in [
        (r#"{"a": 1}"#, &["a"][..]),
        (r#"{"b": 1}"#, &[]),
        (r#"{"b": "x", "c": {}}"#, &["b", "c"]),
        ("{}", &[]),
    ] {
        for (name, level) in [("v.json", "warn"), ("v.jsonl", "deny")] {
            let level = format!("--{level}");
            let arguments = ["--schema", "s.json", name, &level, "schema/deprecated"];
            let (code, out) = validated(&[("s.json", schema), (name, value)], &arguments);
            let names = found.iter().map(|name| format!("`{name}` is deprecated"));
            assert!(
                names.clone().all(|name| out.contains(&name)),
                "{value} {out}"
            );
            assert_eq!(
                out.matches("is deprecated").count(),
                found.len(),
                "{value} {out}"
            );
            assert_eq!(
                code,
                i32::from(level == "--deny" && !found.is_empty()),
                "{out}"
            );
        }
    }
}
