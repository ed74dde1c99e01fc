//! Files that are schemas.

use std::fs;

use crate::Folder;
use crate::schema::{piped_in, ran};

/// The bounds of 64-bit integers in a schema are compared exactly; other large integers are as error-prone as anywhere.
#[test]
fn bounds_of_a_schema_are_not_unsafe_integers() {
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

/// Schemas with one mistake each that their meta-schema accepts.
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
        // These are not mistakes.
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
        // A pipe has no folder, so other files are not found.
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

/// Files in folders with the names in their URLs are found without options.
#[test]
fn a_url_is_found_where_its_folder_is() {
    let id = |path: &str| format!("\"$id\": \"https://example.com/v1/{path}\"");
    let refers = |path: &str, to: &str| format!("{{{}, \"$ref\": \"{to}\"}}", id(path));
    for (to, exit) in [
        ("https://example.com/v1/a/b/d.json", 1),
        ("https://example.com/v1/a/e.json", 1),
        ("https://example.com/v1/f/e.json", 1),
        ("../../f/e.json", 1),
        // `x` is not part of the URLs of its files.
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
        let ran = folder.run(&[
            "validate",
            "--schema",
            "x/v1/a/b/c.json",
            "--schema-root",
            "x",
            "a.json",
        ]);
        assert_eq!(ran.code, exit, "{to}: {}", ran.err);
    }
}

/// `contentMediaType` and `contentEncoding` are annotations, except in draft 7 with `--formats assert`.
#[test]
fn content_is_asserted_where_formats_are() {
    let folder = Folder::with(&[
        ("type.json", br#"{"contentMediaType": "application/json"}"#),
        ("encoding.json", br#"{"contentEncoding": "base64"}"#),
        ("a.json", br#""{a*b""#),
    ]);
    for draft in ["4", "6", "7", "2019-09", "2020-12"] {
        for formats in [
            &[][..],
            &["--formats", "annotate"],
            &["--formats", "assert"],
        ] {
            for schema in ["type.json", "encoding.json"] {
                let args = ["validate", "--draft", draft, "--schema", schema, "a.json"];
                let ran = folder.run(&[&args, formats].concat());
                let is_asserted = draft == "7" && formats.last() == Some(&"assert");
                assert_eq!(
                    ran.code,
                    i32::from(is_asserted),
                    "{args:?} {formats:?}: {}",
                    ran.out
                );
            }
        }
    }
}

/// An unused definition may refer to a missing file.
#[test]
fn only_references_on_the_way_must_lead_somewhere() {
    let folder = Folder::with(&[
        (
            "other.json",
            br##"{"$defs": {"a": {"type": "string"}, "b": {"$ref": "http://x.test/2.json"}}}"##,
        ),
        ("a.json", br#"{"n": 1}"#),
    ]);
    let defs = r##""$defs": {"dead": {"items": {"$ref": "http://x.test/1.json"}}, "via": {"$ref": "#/$defs/dead"}, "data": {"$ref": "gone.json"}}"##;
    for (rest, blocks) in [
        (r#""type": "object""#, false),
        (r#""default": {"$ref": "http://x.test/1.json"}"#, false),
        (
            r#""properties": {"n": {"$ref": "other.json#/$defs/a"}}"#,
            false,
        ),
        (
            r##""properties": {"definitions": {"$ref": "#/$defs/via"}}"##,
            true,
        ),
        (r##""items": {"$ref": "#/$defs/via"}"##, true),
        (
            r##""anyOf": [true, {"not": {"$ref": "#/$defs/dead"}}]"##,
            true,
        ),
        (
            r#""properties": {"n": {"$ref": "other.json#/$defs/b"}}"#,
            true,
        ),
        (r#""properties": {"n": {"$ref": "other.json"}}"#, false),
        (r##""$dynamicRef": "#anchor""##, true),
    ] {
        let schema = format!("{{{rest}, {defs}}}");
        fs::write(folder.path("s.json"), &schema).unwrap();
        let ran = folder.run(&["validate", "--schema", "s.json", "a.json"]);
        let is_blocked = ran.out.contains("no local copy") || ran.out.contains("does not exist");
        assert_eq!(is_blocked, blocks, "{schema}: {}", ran.out);
    }
    fs::write(folder.path("s.json"), format!("{{{defs}}}")).unwrap();
    for (fragment, blocks) in [("", false), ("#/$defs/via", true), ("#/$defs/data", true)] {
        let schema = format!("s.json{fragment}");
        let ran = folder.run(&["validate", "--schema", &schema, "a.json"]);
        assert_eq!(ran.code != 0, blocks, "{schema}: {}", ran.out);
    }
}

/// A rule of a later draft is silently unchecked, so it causes a warning.
#[test]
fn rules_of_later_drafts_are_warned_of() {
    let folder = Folder::with(&[]);
    let drafts = [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ];
    for (keyword, value, since) in [
        ("enum", "[1]", 0),
        ("const", "1", 1),
        ("propertyNames", "{}", 1),
        ("if", "{}", 2),
        ("minContains", "1", 3),
        ("prefixItems", "[{}]", 4),
    ] {
        for (number, draft) in drafts.iter().enumerate() {
            let text = format!(
                r#"{{"$schema": "{draft}", "properties": {{"a": {{"{keyword}": {value}}}}}}}"#
            );
            fs::write(folder.path("s.json"), &text).unwrap();
            let ran = folder.run(&["validate", "s.json"]);
            let is_warned = ran.out.contains("is new in draft");
            assert_eq!(
                (is_warned, ran.code),
                (number < since, 0),
                "{text}: {}",
                ran.out
            );
            // In data and as a name, it is not a keyword.
            let text = format!(
                r#"{{"$schema": "{draft}", "properties": {{"{keyword}": {{"enum": [{{"{keyword}": 1}}]}}}}}}"#
            );
            fs::write(folder.path("s.json"), &text).unwrap();
            assert_eq!(folder.run(&["validate", "s.json"]).out, "", "{text}");
        }
    }
}

/// Before draft 2019-09, what stands beside a reference is ignored.
#[test]
fn rules_beside_a_reference_are_named_where_they_are_ignored() {
    let folder = Folder::with(&[]);
    for (draft, ignores) in [
        ("http://json-schema.org/draft-04/schema#", true),
        ("http://json-schema.org/draft-07/schema#", true),
        ("https://json-schema.org/draft/2019-09/schema", false),
    ] {
        for (sibling, is_rule) in [
            ("\"minLength\": 3", true),
            ("\"properties\": {}", true),
            ("\"enum\": [1]", true),
            ("\"description\": \"a\"", false),
            ("\"default\": 1", false),
            ("\"x-order\": 1", false),
        ] {
            let text = format!(
                r##"{{"$schema": "{draft}", "$ref": "#/definitions/a", "definitions": {{"a": {{}}, "b": {{"$ref": "#/definitions/a", {sibling}}}}}}}"##
            );
            fs::write(folder.path("s.json"), &text).unwrap();
            let ran = folder.run(&["validate", "s.json"]);
            let is_warned = ran.out.contains("is ignored beside \"$ref\"");
            assert_eq!(is_warned, ignores && is_rule, "{text}: {}", ran.out);
            assert_eq!(ran.code, 0, "{text}");
        }
    }
}

/// The meta-schemas of all drafts are known by their URLs, as in `$ref`.
#[test]
fn a_draft_is_a_schema_without_a_file() {
    let folder = Folder::with(&[
        ("good.json", br#"{"type": "object"}"#),
        ("bad.json", br#"{"type": 1}"#),
    ]);
    for url in [
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema#",
    ] {
        for option in [
            &["--schema", url][..],
            &["--schema-map", &format!("*.json={url}")],
        ] {
            for (name, code) in [("good.json", 0), ("bad.json", 1)] {
                let ran = folder.run(&[&["validate", name], option].concat());
                assert_eq!(ran.code, code, "{option:?} {name}: {}{}", ran.out, ran.err);
            }
        }
    }
}

/// References that lead to a file, a built-in schema, nothing, a place that may not be opened, or something that is no file.
#[test]
fn references_are_listed_with_where_they_lead() {
    let schema = br##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "lib/a.json#/x", "properties": {
        "a": {"$ref": "#/definitions/a"}, "b": {"$ref": "../b.json"}, "c": {"$ref": "no.json"}, "d": {"$ref": "folder"},
        "e": {"$ref": "bad.json"}, "x": {"enum": [{"$ref": "data.json"}]}, "y": {"x-y": {"$ref": "y.json"}}},
        "definitions": {"a": {"$id": "sub/", "$ref": "urn:a"}, "z": {"$ref": "https://example.com/z.json?a#b"}}}"##;
    let folder = crate::Folder::with(&[
        ("in/s.json", schema),
        (
            "in/lib/a.json",
            br#"{"x": {"$ref": "../s.json"}, "y": {"$ref": "a.json"}, "z": {"$ref": "b.json"}}"#,
        ),
        ("in/lib/b.json", b"true"),
        ("in/bad.json", b"{"),
        ("in/folder/x.txt", b""),
        ("b.json", b"{}"),
    ]);
    let expected = [
        "built-in http://json-schema.org/draft-07/schema",
        "file in/lib/a.json",
        "outside b.json",
        "missing in/no.json",
        "unusable in/folder",
        "unusable in/bad.json",
        "missing in/y.json",
        "missing urn:a",
        "missing https://example.com/z.json?a",
        "file in/lib/b.json",
    ];
    let lines = |out: &str| -> Vec<String> {
        let root = std::fs::canonicalize(folder.path("")).unwrap();
        let root = format!("file://{}/", root.to_string_lossy());
        let line = |line: &str| line.replace(&root, "").replace('\t', " ");
        let two = |line: String| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        out.lines().map(line).map(two).collect()
    };
    let root = std::fs::canonicalize(folder.path("in/s.json")).unwrap();
    let root = root.to_string_lossy();
    for args in [&["--schema", &root][..], &[&root]] {
        let ran = folder.run(&[&["validate", "--print-references"], args].concat());
        assert_eq!(
            (lines(&ran.out), ran.code),
            (expected.map(str::to_owned).to_vec(), 1),
            "{}",
            ran.err
        );
    }
    let args = [
        "validate",
        "--print-references",
        &root,
        "--schema-root",
        ".",
    ];
    let ran = folder.run(&args);
    assert!(
        lines(&ran.out).contains(&"file b.json".to_owned()),
        "{}",
        ran.out
    );

    // A file that names no schema, and inputs that cannot be read.
    for (args, code) in [(["b.json"], 0), (["in/bad.json"], 2), (["no.json"], 4)] {
        let ran = folder.run(&[&["validate", "--print-references"][..], &args].concat());
        assert_eq!(
            (ran.out.lines().any(|line| line.contains('\t')), ran.code),
            (false, code),
            "{args:?}"
        );
    }
}

/// Saving what is missing, as curl does with the configuration, ends with a schema that can be used.
#[test]
fn what_is_missing_can_be_saved() {
    let web = [
        (
            "https://example.com/s/a.json",
            r#"{"$ref": "b.json", "items": {"$ref": "/c"}}"#,
        ),
        (
            "https://example.com/s/b.json",
            r#"{"$ref": "http://localhost:8080/d/"}"#,
        ),
        (
            "https://example.com/c",
            r#"{"$id": "https://elsewhere.example/c", "$ref": "s/a.json"}"#,
        ),
        ("https://elsewhere.example/s/a.json", "true"),
        ("http://localhost:8080/d/", r#"{"type": "integer"}"#),
    ];
    let folder = crate::Folder::with(&[
        ("s.json", br#"{"$ref": "https://example.com/s/a.json"}"#),
        ("v.json", br#""x""#),
        ("schemas/x.txt", b""),
    ]);
    let schema = ["validate", "--schema", "s.json", "--schema-dir", "schemas"];
    let mut rounds = 0;
    loop {
        let ran = folder.run(&[&schema[..], &["--print-references=curl"]].concat());
        let values: Vec<&str> = ran.out.split('"').skip(1).step_by(2).collect();
        assert_eq!(values.is_empty(), ran.code == 0, "{}", ran.err);
        if values.is_empty() {
            break;
        }
        for pair in values.chunks(2) {
            let (_, text) = web.iter().find(|(url, _)| *url == pair[0]).expect(pair[0]);
            let path = folder.path(pair[1]);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        rounds += 1;
        assert!(rounds < 9);
    }
    let ran = folder.run(&[&schema[..], &["v.json", "--reporter", "concise"]].concat());
    assert!(
        ran.out.contains("schema/type") && ran.code == 1,
        "{}",
        ran.out
    );

    // Nothing that a schema names becomes an option of curl, or a file elsewhere.
    for hostile in [
        "https://example.com/../../a",
        "https://example.com/a\\nurl = b",
        "file:///no/a",
        "ftp://example.com/a",
    ] {
        let text = format!(r#"{{"$ref": "{hostile}"}}"#);
        std::fs::write(folder.path("s.json"), text).unwrap();
        let ran = folder.run(&[&schema[..], &["--print-references=curl"]].concat());
        for value in ran.out.split('"').skip(1).step_by(2) {
            assert!(
                value.starts_with("https://example.com/")
                    || value.starts_with("schemas/example.com/"),
                "{hostile} {}",
                ran.out
            );
            assert!(
                !value.contains("..") && !value.contains('\n'),
                "{}",
                ran.out
            );
        }
        assert_eq!(ran.code, 1);
    }
    for (uri, is_advised) in [("https://example.com/a", true), ("urn:a", false)] {
        std::fs::write(folder.path("s.json"), format!(r#"{{"$ref": "{uri}"}}"#)).unwrap();
        let ran = folder.run(&["validate", "--schema", "s.json", "--print-references=curl"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        assert_eq!(
            ran.err.contains("--schema-dir DIR"),
            is_advised,
            "{}",
            ran.err
        );
    }
}
