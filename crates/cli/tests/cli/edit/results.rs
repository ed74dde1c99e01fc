//! Edits give the same result in each mode, and change nothing else.

use super::*;

/// The same edit of a document from a file, from the same file as standard input, from a pipe, in place and in memory.
fn in_each_mode(text: &str, args: &[&str]) -> Vec<(&'static str, String)> {
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    let printed = folder.run(&[args, &["a.json"]].concat());
    let stdin = std::fs::File::open(folder.path("a.json")).unwrap();
    let command = jsonx(args);
    let redirected = std::process::Command::new(command.get_program())
        .args(args)
        .stdin(stdin)
        .output()
        .unwrap();
    let checked = folder.run(&[args, &["--check", "a.json"]].concat());
    let written = folder.run(&[args, &["--write", "a.json"]].concat());
    assert!(written.code == printed.code, "{}", written.err);
    let written = read(&folder, "a.json");
    assert_eq!(checked.code == 1, written != text.as_bytes(), "{args:?}");
    vec![
        ("file", printed.out),
        ("stdin", String::from_utf8(redirected.stdout).unwrap()),
        ("pipe", piped(args, text).out),
        ("write", String::from_utf8(written).unwrap()),
    ]
}

#[test]
fn the_result_is_the_same_in_each_mode() {
    let value = "{\"x\": [1, {\"y\": 2}], \"z\": {}}";
    let patch = format!("{{\"new\": {value}, \"e\": {{\"f\": 1}}}}");
    let documents = [
        "{\"a\":1,\"e\":{}}",
        "{\"a\": [1], \"e\": {}}",
        "{\n  \"a\": 1,\n  \"e\": {}\n}",
        "{\n    \"a\": {\n        \"b\": 1\n    }\n}",
        "{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}",
        "{ \"a\": 1\n, \"e\": {}\n}",
    ];
    for document in documents {
        let end = if document.contains('\r') {
            "\r\n"
        } else {
            "\n"
        };
        for (before, after) in [
            ("", ""),
            ("", "\n"),
            ("", "\n\n"),
            ("\n", "\n"),
            ("  ", " "),
            ("\t", "\n\n"),
        ] {
            let (before, after) = (before.replace('\n', end), after.replace('\n', end));
            let text = format!("{before}{document}{after}");
            for args in [
                &["set", "-j", "$", value][..],
                &["set", "-j", ".a", value],
                &["set", ".new", value],
                &["set", "-p", ".e.f.g", value],
                &["edit", "--set", ".new", value, "--set", ".", value],
                &["patch", &patch],
            ] {
                let results = in_each_mode(&text, args);
                let (_, first) = &results[0];
                assert!(!first.is_empty());
                for (mode, result) in &results {
                    assert_eq!(result, first, "{mode} {text:?} {args:?}");
                }
            }
        }
    }
}

#[test]
fn setting_a_value_to_its_own_text_changes_nothing() {
    let text = "{ \"a\": {\n  \"x\": 1\n  , \"y\": [ 2,3 ]\n  }, // c\n \"b\": [ ] }\n";
    let folder = Folder::with(&[("a.jsonc", text.as_bytes())]);
    for path in [".", ".a", ".a.y", ".b", ".a.x"] {
        for style in ["--source", "-c"] {
            let value = folder.run(&["get", style, path, "a.jsonc"]).out;
            let value = value.replace("// c", "");
            for args in [
                &["set", path, &value][..],
                &[
                    "edit",
                    "--set",
                    path,
                    &value,
                    "--del",
                    ".no",
                    "--missing-ok",
                ],
            ] {
                let ran = folder.run(&[args, &["--check", "a.jsonc"]].concat());
                assert_eq!(
                    (ran.out.as_str(), ran.code),
                    ("", 0),
                    "{args:?} {}",
                    ran.err
                );
                assert_eq!(folder.run(&[args, &["a.jsonc"]].concat()).out, text);
            }
        }
    }
}

/// Warnings come in the order of the files, with any number of threads.
#[test]
fn warnings_are_in_the_order_of_files() {
    let folder = Folder::with(&[]);
    for number in 0..12 {
        // The first files take longest.
        let padding = " ".repeat((12 - number) * 10_000);
        let text = format!("{{\"a\": 1, \"a\": 2{padding}}}");
        std::fs::write(folder.path(&format!("f{number:02}.json")), text).unwrap();
        let text = format!("{{{padding}\n  \"a\": 1 // one\n}}");
        std::fs::write(folder.path(&format!("f{number:02}.jsonc")), text).unwrap();
    }
    for args in [
        &["set", ".a", "3"][..],
        &["edit", "--set", ".a", "3", "--set", ".b", "4"],
        &["patch", "{\"a\": 3}"],
        &["del", ".a"],
    ] {
        for mode in ["--check", "--diff"] {
            let run =
                |threads: &str| folder.run(&[args, &[mode, "--threads", threads, "."]].concat());
            let (one, many) = (run("1"), run("8"));
            assert!(one.err.lines().count() >= 12, "{}", one.err);
            assert_eq!(one.err, many.err, "{args:?}");
            assert!(one.out == many.out && one.code == many.code, "{args:?}");
        }
    }
}

#[test]
fn parents_that_could_be_arrays_are_a_warning() {
    let warning = |path: &str| {
        format!(
            "jsonx: <stdin>:1:1: warning: {path} is created as an object with the key \"0\"; in a dot path, [0] makes an array, and [\"0\"] an object without this warning\n"
        )
    };
    for (path, expected, container) in [
        (".a.0.b", r#"{"a":{"0":{"b":1}}}"#, Some(".a")),
        ("/a/0", r#"{"a":{"0":1}}"#, Some("/a")),
        (".a[0].b.0", r#"{"a":[{"b":{"0":1}}]}"#, Some(".a[0].b")),
        (".a[0].b", r#"{"a":[{"b":1}]}"#, None),
        (r#".a["0"].b"#, r#"{"a":{"0":{"b":1}}}"#, None),
        ("$.a[0]", r#"{"a":[1]}"#, None),
        ("/a/-/b", r#"{"a":[{"b":1}]}"#, None),
        (".0", r#"{"0":1}"#, None),
    ] {
        for args in [
            &["set", "-p", path, "1"][..],
            &["edit", "-p", "--set", path, "1"],
            &["edit", "-p", "--insert", path, "1"],
        ] {
            let ran = piped(args, "{}");
            let compact = ran.out.replace(' ', "");
            assert_eq!(
                (compact.as_str(), ran.code),
                (expected, 0),
                "{args:?} {}",
                ran.err
            );
            assert_eq!(
                ran.err,
                container.map(warning).unwrap_or_default(),
                "{args:?}"
            );
        }
        // Several operations, and an array at the end.
        let ran = piped(
            &["edit", "-p", "--set", path, "1", "--set", ".z", "2"],
            "{}",
        );
        let both = format!("{},\"z\":2}}", &expected[..expected.len() - 1]);
        assert_eq!(ran.out.replace(' ', ""), both, "{}", ran.err);
        assert_eq!(ran.err, container.map(warning).unwrap_or_default());
        let appended = piped(&["append", "-p", path, "1"], "{}")
            .out
            .replace(' ', "");
        let is_array = path.ends_with("/-");
        let appended_to = expected.replace('1', if is_array { "1" } else { "[1]" });
        assert_eq!(appended, appended_to, "{path}");
    }
    // The existing value decides.
    let ran = piped(&["set", "-p", ".a.0.b", "1"], r#"{"a": [{}]}"#);
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str()),
        (r#"{"a": [{"b": 1}]}"#, "")
    );
    // Once for a path, not for each record.
    let ran = piped(&["set", "-p", ".a.0.b", "1"], "{}\n{}\n{}\n");
    assert_eq!(ran.err, warning(".a"));
    let ran = piped(&["set", "-p", ".a[1].b", "1"], "{}");
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert!(
        ran.err.contains("its first element only: [0]"),
        "{}",
        ran.err
    );
}

#[test]
fn strings_and_values_in_one_edit() {
    let text = r#"{"a": 1, "b": "x", "c": 0}"#;
    for (args, expected) in [
        (
            &["-s", "--set", ".a", "2", "--set", ".b", "3"][..],
            r#"{"a": "2", "b": "3", "c": 0}"#,
        ),
        (
            &["--set", ".a", "2", "--set", ".b", "3", "-s"],
            r#"{"a": "2", "b": "3", "c": 0}"#,
        ),
        (
            &["--set", ".a", "2", "--set", ".b", "3", "-j"],
            r#"{"a": 2, "b": 3, "c": 0}"#,
        ),
        (
            &[
                "--set", ".a", "2", "-s", "--set", ".b", "3", "-j", "--set", ".c", "4",
            ],
            r#"{"a": 2, "b": "3", "c": 4}"#,
        ),
        (
            &[
                "-j", "--set", ".b", "3", "-s", "--set", ".a", "4", "--set", ".c", "4",
            ],
            r#"{"a": "4", "b": 3, "c": "4"}"#,
        ),
        (
            &[
                "-s", "--test", ".b", "x", "-j", "--set", ".b", "3", "-s", "--set", ".c", "4",
            ],
            r#"{"a": 1, "b": 3, "c": "4"}"#,
        ),
        (&["-sj", "--set", ".b", "3"], r#"{"a": 1, "b": 3, "c": 0}"#),
    ] {
        let ran = piped(&[&["edit"], args].concat(), text);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str()),
            (expected, ""),
            "{args:?}"
        );
    }
    // Neither applies before the first of both.
    let ran = piped(
        &["edit", "--set", ".b", "3", "-s", "--set", ".c", "4", "-j"],
        text,
    );
    assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
}

#[test]
fn a_key_is_renamed_in_every_object() {
    let text =
        r#"{"items": [{"old": 1, "b": 2}, {"c": 3}, {"old": {"old": [1]}, "new": 9}], "old": 5}"#;
    for (from, to, expected) in [
        (
            ".items[].old",
            ".new",
            r#"{"items": [{"new": 1, "b": 2}, {"c": 3}, {"new": {"old": [1]}}], "old": 5}"#,
        ),
        (
            "$.items[*].old",
            "$.items[*].new",
            r#"{"items": [{"new": 1, "b": 2}, {"c": 3}, {"new": {"old": [1]}}], "old": 5}"#,
        ),
        (
            "..old",
            ".new",
            r#"{"items": [{"new": 1, "b": 2}, {"c": 3}, {"new": {"new": [1]}}], "new": 5}"#,
        ),
        (
            "$.items[?@.b].old",
            ".\"a.b\"",
            r#"{"items": [{"a.b": 1, "b": 2}, {"c": 3}, {"old": {"old": [1]}, "new": 9}], "old": 5}"#,
        ),
        (".items[].old", ".old", text),
    ] {
        assert_eq!(
            edited(text, &["edit", "--move", from, to]),
            expected,
            "{from}"
        );
        // Among other operations.
        let args = [
            "edit", "--set", ".x", "1", "--move", from, to, "--del", ".x",
        ];
        assert_eq!(edited(text, &args), expected, "{from}");
    }
    // In records; one without a match stays.
    let records = "{\"a\":[{\"old\":1}]}\n{\"b\":2}\n";
    let args = ["edit", "--move", ".a[].old", ".new"];
    assert_eq!(edited(records, &args), "{\"a\":[{\"new\":1}]}\n{\"b\":2}\n");
    let commented = "{\n  // list\n  \"a\": [\n    {\"old\": 1 /* one */, \"b\": 2},\n    {\"old\": 3} // second\n  ]\n}\n";
    let folder = Folder::with(&[
        ("a.jsonc", commented.as_bytes()),
        ("a.json", text.as_bytes()),
    ]);
    let ran = folder.run(&["edit", "--move", ".a[].old", ".new", "a.jsonc", "-w"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "{\n  // list\n  \"a\": [\n    {\"new\": 1 /* one */, \"b\": 2},\n    {\"new\": 3} // second\n  ]\n}\n";
    assert_eq!(read(&folder, "a.jsonc"), expected.as_bytes());
    for (from, to, code) in [
        (".items[].nope", ".new", 1),
        (".items[].old", ".a.b", 2),
        (".items[].old", ".new[]", 2),
        (".items[].old", "..new", 2),
        (".items[]", ".new", 2),
        ("..old", ".items[].new", 2),
        ("$.items['old','b']", ".new", 2),
    ] {
        let ran = folder.run(&["edit", "--move", from, to, "a.json", "-w"]);
        assert_eq!(ran.code, code, "{from} {to}: {}", ran.err);
        assert_eq!(read(&folder, "a.json"), text.as_bytes());
    }
    let kept = folder.run(&[
        "edit",
        "--missing-ok",
        "--move",
        ".items[].nope",
        ".new",
        "a.json",
    ]);
    assert_eq!((kept.out.as_str(), kept.code), (text, 0));
    // Of duplicate keys the last one counts.
    let ran = piped(
        &["edit", "--move", "..a", ".n"],
        r#"[{"a": {"a": 1}, "a": {"a": 2}}]"#,
    );
    assert_eq!((ran.out.as_str(), ran.code), (r#"[{"n": {"n": 2}}]"#, 0));
    assert!(ran.err.contains("duplicate keys"), "{}", ran.err);
}

/// The arguments as other programs take them: the file in the place of the value, path and value in one word.
#[test]
fn a_file_in_the_place_of_the_value_leads_to_the_command() {
    let folder = Folder::with(&[("a.json", b"{}")]);
    for (path, meant) in [
        (".a", "jsonx set PATH VALUE a.json"),
        (".a=5", "jsonx set .a 5 a.json"),
        (".a.b=true", "jsonx set .a.b true a.json"),
    ] {
        let ran = folder.run(&["set", path, "a.json"]);
        assert_eq!(ran.code, 3, "{path}");
        assert!(ran.err.contains(meant), "{path}: {}", ran.err);
    }
}
