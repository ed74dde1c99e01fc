//! `jsonx set`, `append`, `del`, `edit`.

use crate::{Folder, jsonx, piped, run};

/// A folder with files, which may be in folders.
fn files(all: &[(&str, &[u8])]) -> Folder {
    let folder = Folder::with(&[]);
    for (name, bytes) in all {
        std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
        std::fs::write(folder.path(name), bytes).unwrap();
    }
    folder
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).unwrap()
}

const PACKAGE: &[u8] = br#"{
  "name": "demo",
  "version": "1.2.3",
  "files": ["dist"],
  "scripts": {
    "test": "node --test"
  }
}
"#;

/// The standard output of an edit of this text, which must succeed.
fn edited(text: &str, args: &[&str]) -> String {
    let ran = piped(args, text);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{args:?}");
    ran.out
}

#[test]
fn every_other_byte_stays() {
    for (text, args, expected) in [
        (
            "\u{feff}{\r\n\t\"a\" : 1.50\r\n}",
            &["set", ".b", "1e0"][..],
            "\u{feff}{\r\n\t\"a\" : 1.50,\r\n\t\"b\" : 1e0\r\n}",
        ),
        (
            r#"{"a":"\u00e9"}"#,
            &["set", ".b", "\"\\u0041\""],
            r#"{"a":"\u00e9","b":"\u0041"}"#,
        ),
        ("[1,2,3]", &["set", ".-1", "-5"], "[1,2,-5]"),
        ("[1,2,3]", &["del", ".1:"], "[1]"),
        ("[1, 2]", &["append", ".", "a b"], "[1, 2, \"a b\"]"),
        ("{\"a\": 1}\n", &["set", ".a", ""], "{\"a\": \"\"}\n"),
        ("{}", &["set", "-p", ".a.b", "1"], "{\"a\": {\"b\": 1}}"),
        (
            "{\"a\": [{\"b\": 1}, {}]}",
            &["set", ".a[].b", "2"],
            "{\"a\": [{\"b\": 2}, {\"b\": 2}]}",
        ),
        (
            "{\"a\": [{\"b\": 1}, {}]}",
            &["set", "--existing", ".a[].b", "2"],
            "{\"a\": [{\"b\": 2}, {}]}",
        ),
        ("{\"a\": [1]}", &["set", "/a/-", "2"], "{\"a\": [1, 2]}"),
        ("[[1], [2]]", &["set", "/-", "[3]"], "[[1], [2], [3]]"),
        ("{\"a\": 1}", &["set", ".", "2"], "2"),
        ("{\"a\": \"1\"}", &["set", "-j", ".a", "2"], "{\"a\": 2}"),
        (
            "{\"a\": \"1\"}",
            &["set", "-s", ".a", "2"],
            "{\"a\": \"2\"}",
        ),
        ("{\"a\": {\"b\": {\"a\": 1}}}", &["del", "$..a"], "{}"),
        (
            "{\"a\": 1, \"b\": 2}",
            &["edit", "--del", ".a", "--set", ".b", "3"],
            "{\"b\": 3}",
        ),
        (
            "{\"a\": [1, 2]}",
            &["edit", "--del", ".a[]", "--append", ".a", "3"],
            "{\"a\": [3]}",
        ),
        (
            "[1, 2]",
            &["edit", "--insert", ".0", "0", "--insert", ".3", "3"],
            "[0, 1, 2, 3]",
        ),
        ("{\"a\": 1}", &["del", "--missing-ok", ".b"], "{\"a\": 1}"),
        ("{\"a\": [1]}", &["append", "/a/-", "2"], "{\"a\": [1, 2]}"),
        (
            "{\"a\": 1}",
            &["edit", "-p", "--move", ".a", ".b.c"],
            "{\"b\": {\"c\": 1}}",
        ),
        (
            "{\"a\": 1}",
            &["edit", "-p", "--copy", ".a", ".b.c.d"],
            "{\"a\": 1, \"b\": {\"c\": {\"d\": 1}}}",
        ),
        (
            "{\"a\": 1}",
            &["edit", "-p", "--insert", ".b.c", "2", "--del", ".a"],
            "{\"b\": {\"c\": 2}}",
        ),
    ] {
        let marked = text.starts_with('\u{feff}');
        if !marked {
            // A byte-order mark changes nothing else.
            let ran = piped(args, format!("\u{feff}{text}"));
            assert_eq!(ran.out, format!("\u{feff}{expected}"), "{text} {args:?}");
        }
        let ran = piped(args, text);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (expected, 0),
            "{text} {args:?} {}",
            ran.err
        );
        assert!(marked || ran.err.is_empty(), "{}", ran.err);
    }
}

#[test]
fn accidents_are_refused() {
    let folder = files(&[
        ("package.json", PACKAGE),
        ("bad.json", b"[1,]"),
        ("value.json", b"{\"a\": nul}"),
    ]);
    for (args, code) in [
        (&["set", ".version", "1.10", "package.json", "-w"][..], 2),
        (&["set", ".version", "true", "package.json", "-w"], 2),
        (&["set", ".version", "null", "package.json", "-w"], 2),
        (&["set", ".files", "[dist]", "package.json", "-w"], 2),
        (&["set", "-j", ".files", "dist", "package.json", "-w"], 2),
        (&["set", "version", "1", "package.json", "-w"], 2),
        (&["set", ".version"], 2),
        (&["set", ".version", "2.0.0", "package.json", "bad.json"], 2),
        (&["set", ".version", "2.0.0", "-w"], 2),
        (&["edit", "package.json", "-w"], 2),
        (
            &["edit", "--move", ".files[]", ".a", "package.json", "-w"],
            2,
        ),
        (&["set", ".a.b", "1", "package.json", "-w"], 1),
        (&["set", "--existing", ".a", "1", "package.json", "-w"], 1),
        (&["set", ".files.1", "1", "package.json", "-w"], 1),
        (&["append", ".name", "1", "package.json", "-w"], 1),
        (&["append", ".nothing", "1", "package.json", "-w"], 1),
        (&["del", ".nothing", "package.json", "-w"], 1),
        (&["del", ".", "package.json", "-w"], 1),
        (
            &[
                "edit",
                "--set",
                ".a",
                "1",
                "--test",
                ".name",
                "other",
                "package.json",
                "-w",
            ],
            1,
        ),
        (
            &[
                "edit",
                "--move",
                ".scripts",
                ".scripts.a",
                "package.json",
                "-w",
            ],
            1,
        ),
        (
            &["set", "--from", "value.json", ".a", "package.json", "-w"],
            3,
        ),
        (
            &["set", "--from", "gone.json", ".a", "package.json", "-w"],
            4,
        ),
        (&["set", ".0", "2", "bad.json", "-w"], 3),
        (&["set", ".0", "2", "gone.json", "-w"], 4),
    ] {
        let ran = folder.run(args);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("", code),
            "{args:?}: {}",
            ran.err
        );
        assert!(!ran.err.is_empty(), "{args:?}");
        assert_eq!(read(&folder, "package.json"), PACKAGE, "{args:?}");
        assert_eq!(read(&folder, "bad.json"), b"[1,]");
    }
}

#[test]
fn a_refusal_says_where_and_what_to_type() {
    let folder = files(&[("package.json", PACKAGE)]);
    let message = |args: &[&str]| folder.run(args).err;
    insta::assert_snapshot!(message(&["set", ".version", "1.10", "package.json"]), @r#"
    jsonx: .version is a string, and 1.10 reads as a number (package.json:3:14)
    -s/--string sets the string "1.10", -j/--json sets 1.10
    "#);
    insta::assert_snapshot!(message(&["set", ".script.a", "b", "package.json"]), @r"
    jsonx: no match for .script.a: the document has no key `script` (package.json:1:1)
    did you mean .scripts.a?
    -p creates missing objects and arrays
    ");
    insta::assert_snapshot!(message(&["set", ".config.a", "b", "package.json"]), @r"
    jsonx: no match for .config.a: the document has no key `config` (package.json:1:1)
    -p creates missing objects and arrays
    ");
    insta::assert_snapshot!(message(&["set", ".a", "{\"a\": nul}", "package.json"]), @r#"
    jsonx: the value is not JSON: expected `true`, `false` or `null`
      {"a": nul}
               ^
    to set it as a string, add -s
    "#);
    insta::assert_snapshot!(message(&["edit", "--del", ".name", "--set", ".name.first", "x", "package.json"]), @r"
    jsonx: operation 2 (--set .name.first): no match for .name.first: the document has no key `name` (package.json:1:1)
    -p creates missing objects and arrays
    ");
    insta::assert_snapshot!(message(&["edit", "--test", ".name", "x", "--del", ".name", "package.json"]), @r#"jsonx: operation 1 (--test .name): .name is "demo", not "x" (package.json:2:11)"#);
    insta::assert_snapshot!(message(&["edit", "--del", ".name", "--set", ".version", "1.10", "package.json"]), @r#"
    jsonx: operation 2 (--set .version): .version is a string, and 1.10 reads as a number (package.json:3:14)
    -s/--string sets the string "1.10", -j/--json sets 1.10
    "#);
    insta::assert_snapshot!(message(&["edit", "--copy", ".name", ".author.name", "package.json"]), @r"
    jsonx: no match for .author.name: the document has no key `author` (package.json:1:1)
    -p creates missing objects and arrays
    ");
    // In JSON Lines, the line.
    let lines = "{\"a\": 1}\n\n{\"b\": 1, \"a\": \"1\"}\n";
    insta::assert_snapshot!(piped(&["set", ".a", "2"], lines).err, @r#"
    jsonx: .a is a string, and 2 reads as a number (<stdin>:3:15)
    -s/--string sets the string "2", -j/--json sets 2
    "#);
}

#[test]
fn duplicate_keys_are_warned_of() {
    let folder = files(&[("a.json", br#"{"a": 1, "b": 2, "\u0061": 3}"#)]);
    let ran = folder.run(&["set", ".a", "4", "a.json"]);
    assert_eq!(ran.out, r#"{"a": 1, "b": 2, "\u0061": 4}"#);
    assert!(
        ran.err.contains("a.json: warning: duplicate keys"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["del", ".a", "a.json"]);
    assert_eq!(ran.out, r#"{"b": 2}"#);
    assert!(ran.err.contains("all of them are removed"), "{}", ran.err);
    let ran = folder.run(&["edit", "--set", ".b", "1", "--del", ".a", "a.json"]);
    assert_eq!(ran.out, r#"{"b": 1}"#);
    assert!(ran.err.contains("all of them are removed"), "{}", ran.err);
}

#[test]
fn values_come_from_files() {
    let folder = files(&[
        ("a.json", b"{\"a\": 1}"),
        ("v.json", b" [1,  2]\n"),
        ("t.txt", b"two\nlines\n"),
    ]);
    assert_eq!(
        folder.run(&["set", ".a", "--from", "v.json", "a.json"]).out,
        "{\"a\": [1, 2]}"
    );
    assert_eq!(
        folder
            .run(&["set", "-s", ".a", "--from", "t.txt", "a.json"])
            .out,
        "{\"a\": \"two\\nlines\"}"
    );
    let ran = run(jsonx(&["set", ".a", "--from", "-"])
        .arg(folder.path("a.json"))
        .write_stdin("7"));
    assert_eq!(ran.out, "{\"a\": 7}");
}

#[test]
fn each_record_is_a_document() {
    let lines = "{\"a\":1}\n\n{\"a\": 2, \"b\": {}}\r\n[]\n{\"b\": {}}";
    assert_eq!(
        edited(lines, &["set", ".b", "x"]),
        "{\"a\":1,\"b\":\"x\"}\n\n{\"a\": 2, \"b\": \"x\"}\r\n[]\n{\"b\": \"x\"}"
    );
    assert_eq!(
        edited(lines, &["set", ".b.c", "1"]),
        "{\"a\":1}\n\n{\"a\": 2, \"b\": {\"c\": 1}}\r\n[]\n{\"b\": {\"c\": 1}}"
    );
    // A match anywhere prints all, none prints nothing.
    let ran = piped(&["del", ".x"], lines);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert_eq!(piped(&["del", ".x", "--missing-ok"], lines).out, lines);
    let folder = files(&[("a.jsonl", lines.as_bytes())]);
    let ran = folder.run(&["del", ".a", "a.jsonl", "-w"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert_eq!(
        read(&folder, "a.jsonl"),
        b"{}\n\n{\"b\": {}}\r\n[]\n{\"b\": {}}"
    );
    let ran = folder.run(&["del", ".x", "a.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    // Two values on a line, and a broken one.
    for bad in ["{\"a\":1}\n[1] [2]\n", "{\"a\":1}\n{\n"] {
        let folder = files(&[("a.jsonl", bad.as_bytes())]);
        assert_eq!(folder.run(&["set", ".a", "2", "a.jsonl", "-w"]).code, 3);
        assert_eq!(read(&folder, "a.jsonl"), bad.as_bytes());
    }
}

#[test]
fn files_change_in_place_or_not_at_all() {
    let folder = files(&[
        ("a/package.json", PACKAGE),
        ("b/package.json", PACKAGE),
        ("c.json", b"[]"),
    ]);
    let modified = |name: &str| {
        std::fs::metadata(folder.path(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = modified("a/package.json");
    let ran = folder.run(&["set", ".name", "demo", ".", "-w", "-v"]);
    assert_eq!(ran.code, 1, "c.json has no keys: {}", ran.err);
    assert!(ran.err.contains("a/package.json: unchanged"), "{}", ran.err);
    assert_eq!(modified("a/package.json"), before);
    let ran = folder.run(&["set", ".name", "other", "a", "b", "--check"]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 2));
    assert_eq!(read(&folder, "a/package.json"), PACKAGE);
    let ran = folder.run(&["set", ".name", "other", "a", "b", "-w"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    let expected = String::from_utf8_lossy(PACKAGE).replace("demo", "other");
    assert_eq!(read(&folder, "b/package.json"), expected.as_bytes());
}

/// Long files are not read into memory; the result is the same.
#[test]
fn long_files_are_edited_as_short_ones() {
    let row = r#"{"id": 12345, "text": "a \"quoted\" \\ text", "list": [1, 2, {"x": null}]},"#;
    let rows = 9 * 1000 * 1000 / row.len();
    for (head, tail) in [("\u{feff}{\n  \"rows\": [\n", "0],\n  \"last\": \"x\"\n}\n")] {
        let text = [head, &row.repeat(rows), tail].concat();
        let short = [head, row, tail].concat();
        let folder = files(&[("a.json", text.as_bytes()), ("b.json", short.as_bytes())]);
        for args in [
            &["set", ".new", "[1]"][..],
            &["append", ".rows", "{\"a\":1}"],
            &["del", ".last"],
            &["set", ".rows.-2.id", "6"],
            &["edit", "--insert", ".rows.0", "5"],
            &["set", ".rows.-2.y.z", "1", "-p"],
        ] {
            let long = folder.run(&[args, &["a.json"]].concat());
            let short = folder.run(&[args, &["b.json"]].concat());
            assert_eq!((long.code, short.code), (0, 0), "{args:?}: {}", long.err);
            let removed = row.repeat(rows - 1);
            let expected = long.out.replacen(&removed, "", 1);
            assert!(expected == short.out, "{args:?}: {}", &short.out);
            // Diffs are made of the same texts.
            let ran = folder.run(&[args, &["a.json", "--check"]].concat());
            assert_eq!((ran.out.as_str(), ran.code), ("a.json\n", 1));
        }
        let ran = folder.run(&["del", ".rows.-2.idd", "a.json"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("did you mean .rows.-2.id?"), "{}", ran.err);
    }
}

/// What the examples of the help texts speak of.
#[test]
fn examples_of_the_help_texts_run() {
    let config = br#"{"servers": [{"name": "a", "port": 1}], "tags": [], "old": 1}"#;
    for command in ["set", "append", "del", "edit"] {
        let help = piped(&[command, "--help"], "").out;
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for line in examples.lines().map(str::trim) {
            let package = br#"{"version": "1.0.0", "private": false, "engines": {"node": ">=18"}, "keywords": [], "scripts": {"prepare": "x"}}"#;
            let folder = files(&[
                ("package.json", package),
                ("packages/a.json", package),
                ("users.json", br#"{"users": [{"password": "x"}]}"#),
                ("config.json", config),
                ("events.ndjson", b"{\"a\": 1}\n"),
            ]);
            let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
            let mut path = vec![binary.parent().unwrap().to_owned()];
            path.extend(std::env::split_paths(
                &std::env::var_os("PATH").unwrap_or_default(),
            ));
            let mut shell = assert_cmd::Command::new("sh");
            shell
                .args(["-c", line])
                .current_dir(folder.path(""))
                .env("PATH", std::env::join_paths(path).unwrap());
            for name in crate::DECIDING {
                shell.env_remove(name);
            }
            let ran = run(&mut shell);
            let code = i32::from(line.contains("--diff"));
            assert_eq!((ran.err.as_str(), ran.code), ("", code), "{line}");
        }
    }
}

/// Comments stay on their side of their line; those of a removed value are reported.
#[test]
fn json_with_comments_is_edited() {
    let text =
        "{\n  // one\n  \"port\": 80, // two\n  \"hosts\": [\"a\", /* three */ \"b\",],\n}\n";
    let folder = Folder::with(&[("tsconfig.json", text.as_bytes())]);
    let ran = folder.run(&["set", ".port", "81", "tsconfig.json"]);
    assert_eq!((ran.out, ran.code), (text.replace("80", "81"), 0));
    let ran = folder.run(&["set", "-w", ".name", "demo", "tsconfig.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let written = std::fs::read_to_string(folder.path("tsconfig.json")).unwrap();
    assert_eq!(
        written,
        text.replace("],\n}", "],\n  \"name\": \"demo\",\n}")
    );
    let ran = folder.run(&["set", ".hosts", "[]", "tsconfig.json"]);
    assert_eq!((ran.out.contains("\"hosts\": [],"), ran.code), (true, 0));
    assert!(
        ran.err.contains("removed with its value: /* three */"),
        "{}",
        ran.err
    );
    // A member with its comment and its comma.
    let ran = folder.run(&["del", "-w", ".port", "tsconfig.json"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("// two"), "{}", ran.err);
    let expected = written.replace("  \"port\": 80, // two\n", "");
    let after = std::fs::read_to_string(folder.path("tsconfig.json")).unwrap();
    assert_eq!(after, expected);
    let ran = folder.run(&["del", "--with-comments", ".hosts", "tsconfig.json"]);
    let without = "{\n  // one\n  \"name\": \"demo\",\n}\n";
    assert_eq!((ran.out.as_str(), ran.code), (without, 0), "{}", ran.err);
    let above = "{\n  \"a\": 1,\n  // of b\n  // too\n  \"b\": 2, // after\n  \"c\": 3\n}\n";
    for command in [&["del", ".b"][..], &["edit", "--del", ".b"]] {
        let arguments = [command, &["--with-comments", "--input", "jsonc"]].concat();
        let ran = piped(&arguments, above);
        assert_eq!(ran.out, "{\n  \"a\": 1,\n  \"c\": 3\n}\n", "{}", ran.err);
        for comment in ["// of b", "// too", "// after"] {
            assert!(ran.err.contains(comment), "{}", ran.err);
        }
    }
    // Several operations, one after another, and a patch.
    let edits = [
        "edit",
        "--move",
        ".name",
        ".title",
        "--del",
        ".hosts[0]",
        "tsconfig.json",
    ];
    let ran = folder.run(&edits);
    let edited = expected
        .replace("\"name\"", "\"title\"")
        .replace("\"a\", ", "");
    assert_eq!((ran.out, ran.code), (edited, 0), "{}", ran.err);
    let ran = folder.run(&["patch", "{\"name\": null, \"hosts\": 1}", "tsconfig.json"]);
    let patched = expected
        .replace("  \"name\": \"demo\",\n", "")
        .replace("[\"a\", /* three */ \"b\",]", "1");
    assert_eq!((ran.out, ran.code), (patched, 0), "{}", ran.err);
    assert!(ran.err.contains("/* three */"), "{}", ran.err);
}

#[test]
fn a_comment_in_the_way_is_a_refusal_that_says_what_to_do() {
    let text: &[u8] = b"{\"a\": [] // one\n, \"b\": []}\n";
    let folder = files(&[("a.jsonc", text)]);
    let patch = r#"[{"op": "move", "from": "/b", "path": "/a"}]"#;
    for args in [&["edit", "--move", ".b", ".a"][..], &["patch", patch]] {
        for flags in [&[][..], &["--write"], &["--check"], &["--diff"]] {
            let ran = folder.run(&[args, &["a.jsonc"], flags].concat());
            assert_eq!((ran.out.as_str(), ran.code), ("", 4), "{args:?} {flags:?}");
            assert!(ran.err.contains("--del .a --move .b .a"), "{}", ran.err);
        }
    }
    assert_eq!(read(&folder, "a.jsonc"), text);
    let advised = ["edit", "--del", ".a", "--move", ".b", ".a", "a.jsonc"];
    let ran = folder.run(&advised);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("{\"a\": []}\n", 0),
        "{}",
        ran.err
    );
}

/// The same edit of a document from a file, from the same file as standard input, from a pipe, in place and in memory.
fn in_each_mode(text: &str, args: &[&str]) -> Vec<(&'static str, String)> {
    let folder = files(&[("a.json", text.as_bytes())]);
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
fn the_text_of_a_value_is_no_change_of_it() {
    let text = "{ \"a\": {\n  \"x\": 1\n  , \"y\": [ 2,3 ]\n  }, // c\n \"b\": [ ] }\n";
    let folder = files(&[("a.jsonc", text.as_bytes())]);
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

/// Warnings about files come in the order of the files, whatever the threads do.
#[test]
fn warnings_come_in_the_order_of_files() {
    let folder = Folder::with(&[]);
    for number in 0..12 {
        // The first ones take longest.
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
fn parents_that_could_be_arrays_are_told() {
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
        // Of several operations, and an array at the end.
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
    // What is there decides.
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
    // Before the first of both, neither holds.
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
            r#"{"items": [{"b": 2, "new": 1}, {"c": 3}, {"new": {"old": [1]}}], "old": 5}"#,
        ),
        (
            "$.items[*].old",
            "$.items[*].new",
            r#"{"items": [{"b": 2, "new": 1}, {"c": 3}, {"new": {"old": [1]}}], "old": 5}"#,
        ),
        (
            "..old",
            ".new",
            r#"{"items": [{"b": 2, "new": 1}, {"c": 3}, {"new": {"new": [1]}}], "new": 5}"#,
        ),
        (
            "$.items[?@.b].old",
            ".\"a.b\"",
            r#"{"items": [{"b": 2, "a.b": 1}, {"c": 3}, {"old": {"old": [1]}, "new": 9}], "old": 5}"#,
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
    let folder = files(&[
        ("a.jsonc", commented.as_bytes()),
        ("a.json", text.as_bytes()),
    ]);
    let ran = folder.run(&["edit", "--move", ".a[].old", ".new", "a.jsonc", "-w"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "{\n  // list\n  \"a\": [\n    {\"b\": 2, \"new\": 1 /* one */},\n    {\"new\": 3} // second\n  ]\n}\n";
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
