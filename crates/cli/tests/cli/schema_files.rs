//! Files that are schemas.

use std::fs;

use crate::Folder;
use crate::schema::{piped_in, ran};

/// The bounds of 64-bit integers in a schema are compared exactly; other large integers in it are as error-prone as anywhere.
#[test]
fn bounds_of_a_schema_are_no_unsafe_integers() {
    let draft = r#""$schema": "http://json-schema.org/draft-07/schema#""#;
    let bounds = r#""minimum": -9223372036854775808, "maximum" : 9223372036854775807"#;
    let folder = Folder::with(&[
        ("bounds.json", format!("{{{draft}, {bounds}}}").as_bytes()),
        ("data.json", format!("{{{bounds}}}").as_bytes()),
        (
            "default.json",
            format!("{{{draft}, {bounds}, \"default\": 9223372036854775807}}").as_bytes(),
        ),
    ]);
    let warnings = |file: &str| {
        let ran = folder.run(&["validate", "--reporter", "concise", file]);
        ran.out.matches("warning[unsafe-integer]").count()
    };
    assert_eq!(
        [
            warnings("bounds.json"),
            warnings("data.json"),
            warnings("default.json")
        ],
        [0, 2, 1]
    );
}

/// Schemas with one mistake each, which their meta-schema does not see.
#[test]
fn a_schema_is_checked_as_one() {
    let mut all = String::new();
    let mut say = |what: &str, ran: &crate::Ran| {
        all += &format!("=== {what}\n{}{}exit {}\n", ran.out, ran.err, ran.code);
    };
    for rest in [
        r#""properties": {"a": {"type": "strin"}}"#,
        r##""$ref": "#/$defs/adress", "$defs": {"address": {}}"##,
        r##""$ref": "#there", "$defs": {"a": {"$anchor": "here"}}"##,
        r#""$ref": "missing.json""#,
        r#""$ref": "other.json#/$defs/b""#,
        r#""$ref": "broken.json""#,
        r##""$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}"##,
        r#""$ref": "https://json-schema.org/draft/2020-12/schema#/$defs/none""#,
        r#""$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}"#,
        r#""$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}"#,
        r#""properties": {"a": {"pattern": "["}}"#,
        r#""patternProperties": {"(a": true}"#,
        r#""propertes": {}, "items": {"minLenght": 1}"#,
        r##""$ref": "#/$defs/a<b>", "not": {"$ref": "#/$defs/a<b>"}, "$defs": {"a<b>": {}}"##,
        // These are none.
        r#""properties": {"propertes": true}, "default": {"propertes": 1}, "x-propertes": 1, "icon": "a""#,
        r##""$ref": "other.json#/$defs/a", "$defs": {"b": {"$ref": "#/$defs/c"}, "c": {"$ref": "#e"}, "d": {"$anchor": "e"}}"##,
        r#""$ref": "https://example.com/none.json""#,
        r#""$defs": {"a": {"$id": "http://e.org/a", "$ref": "b"}, "b": {"$id": "http://e.org/b"}}"#,
    ] {
        let schema =
            format!(r#"{{"$schema": "https://json-schema.org/draft/2020-12/schema", {rest}}}"#);
        let folder = Folder::with(&[
            ("s.json", schema.as_bytes()),
            ("other.json", br#"{"$defs": {"a": true}}"#),
            ("broken.json", b"{"),
        ]);
        let concise = ["validate", "--reporter", "concise"];
        let ran = folder.run(&[&concise[..], &["s.json"]].concat());
        // A pipe has no folder, so what is in others is not found.
        if !rest.contains(".json") {
            let piped = piped_in(&folder, &concise, &schema);
            assert_eq!(piped.out.replace("<stdin>", "s.json"), ran.out, "{schema}");
            assert_eq!(piped.code, ran.code, "{schema}");
        }
        say(rest, &ran);
    }
    let schema = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "propertes": 1, "$ref": "none.json"}"#;
    let folder = Folder::with(&[("s.json", schema.as_bytes())]);
    for options in [
        &["--deny", "schema/unknown-keyword"][..],
        &["--allow", "schema"],
        &["--allow", "schema/unknown-keyword", "--warn", "schema/$ref"],
        &["--schema", "s.json"],
    ] {
        let ran = folder.run(&[&["validate", "s.json"], options].concat());
        say(&options.join(" "), &ran);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_schema_may_refer_to_the_schemas_of_all_drafts() {
    for (at, exit) in [("maximum", 1), ("none", 2)] {
        for draft in ["draft-07", "draft-04", "draft-06"] {
            let schema = format!(
                r#"{{"$schema": "http://json-schema.org/{draft}/schema#",
                    "properties": {{"a": {{"$ref": "http://json-schema.org/draft-04/schema#/properties/{at}"}}}}}}"#
            );
            assert_eq!(ran(&schema, r#"{"a": "x"}"#, &[]).code, exit, "{schema}");
        }
    }
    let folder = Folder::with(&[
        (
            "s.json",
            br#"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "other.json"}"#,
        ),
        (
            "other.json",
            br#"{"allOf": [{"$ref": "http://json-schema.org/draft-04/schema#"}]}"#,
        ),
        ("a.json", br#"{"maximum": "1"}"#),
    ]);
    let ran = folder.run(&["validate", "--schema", "s.json", "a.json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
}

/// Files in folders that are named as those of their URLs: none of them has to be asked for.
#[test]
fn a_url_is_found_where_its_folder_is() {
    let id = |path: &str| format!("\"$id\": \"https://example.com/v1/{path}\"");
    let refers = |path: &str, to: &str| format!("{{{}, \"$ref\": \"{to}\"}}", id(path));
    for (to, exit) in [
        ("https://example.com/v1/a/b/d.json", 1),
        ("https://example.com/v1/a/e.json", 1),
        ("https://example.com/v1/f/e.json", 1),
        ("../../f/e.json", 1),
        // `x` is no part of the URL of what is in it.
        ("https://example.com/g.json", 2),
        ("https://example.org/v1/a/e.json", 2),
    ] {
        let folder = Folder::with(&[("a.json", b"1")]);
        for (path, text) in [
            ("x/v1/a/b/c.json", refers("a/b/c.json", to)),
            (
                "x/v1/a/b/d.json",
                format!("{{{}, \"type\": \"string\"}}", id("a/b/d.json")),
            ),
            ("x/v1/a/e.json", r#"{"type": "string"}"#.to_owned()),
            ("x/v1/f/e.json", r#"{"type": "string"}"#.to_owned()),
            ("g.json", r#"{"type": "string"}"#.to_owned()),
        ] {
            fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
            fs::write(folder.path(path), text).unwrap();
        }
        let ran = folder.run(&["validate", "--schema", "x/v1/a/b/c.json", "a.json"]);
        assert_eq!(ran.code, exit, "{to}: {}", ran.err);
    }
}
