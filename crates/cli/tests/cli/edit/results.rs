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
            let ran = folder.run(&["set", path, &value, "--check", "a.jsonc"]);
            assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{path} {}", ran.err);
            assert_eq!(folder.run(&["set", path, &value, "a.jsonc"]).out, text);
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
        let ran = piped(&["set", "-p", path, "1"], "{}");
        let compact = ran.out.replace(' ', "");
        assert_eq!(
            (compact.as_str(), ran.code),
            (expected, 0),
            "{path} {}",
            ran.err
        );
        let warned = container.map(warning).unwrap_or_default();
        assert_eq!(ran.err, warned, "{path}");
        // An array at the end.
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
