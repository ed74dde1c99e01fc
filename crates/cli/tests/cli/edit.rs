//! `jsonx set`, `append`, `del`, `edit`.

mod comments;
mod results;

use crate::{Folder, jsonx, piped, run};

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

/// The standard output of a successful edit of this text.
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
        ("[null, 2]", &["append", ".", "a b"], "[null, 2, \"a b\"]"),
        (r#"{"-":[1]}"#, &["append", "/-", "5"], r#"{"-":[1,5]}"#),
        ("[1]", &["append", "/-", "5"], "[1, 5]"),
        (r#"{"a":[]}"#, &["append", "/a/-", "[5]"], r#"{"a":[[5]]}"#),
        ("{}", &["append", "-p", "/a/-", "5"], r#"{"a": [5]}"#),
        (r#"[[1]]"#, &["append", "--unique", "/0/-", "1"], "[[1]]"),
        ("{\"a\": 1}\n", &["set", "-s", ".a", ""], "{\"a\": \"\"}\n"),
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
        ("{\"a\": 1}", &["del", "--missing-ok", ".b"], "{\"a\": 1}"),
        ("{\"a\": [1]}", &["append", "/a/-", "2"], "{\"a\": [1, 2]}"),
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
    let folder = Folder::with(&[
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
        (&["set", ".a.b", "1", "package.json", "-w"], 1),
        (&["set", "--existing", ".a", "1", "package.json", "-w"], 1),
        (&["set", ".files.1", "1", "package.json", "-w"], 1),
        (&["append", ".name", "1", "package.json", "-w"], 1),
        (&["append", ".nothing", "1", "package.json", "-w"], 1),
        (&["del", ".nothing", "package.json", "-w"], 1),
        (&["del", ".", "package.json", "-w"], 1),
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
fn a_refusal_has_a_position_and_a_command() {
    let folder = Folder::with(&[("package.json", PACKAGE)]);
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
    // Several paths: nothing is removed if one has no match.
    insta::assert_snapshot!(message(&["del", ".name", ".versoin", "package.json", "-w"]), @"
    jsonx: no match for .versoin: the document has no key `versoin` (package.json:1:1)
    did you mean .version?
    ");
    assert_eq!(read(&folder, "package.json"), PACKAGE);
    // In JSON Lines, the line.
    let lines = "{\"a\": 1}\n\n{\"b\": 1, \"a\": \"1\"}\n";
    insta::assert_snapshot!(piped(&["set", ".a", "2"], lines).err, @r#"
    jsonx: .a is a string, and 2 reads as a number (<stdin>:3:15)
    -s/--string sets the string "2", -j/--json sets 2
    "#);
}

/// Each value replaces each other one.
#[test]
fn a_type_is_not_changed_by_accident() {
    let is_string = |text: &str| text.starts_with('"');
    for old in ["\"a\"", "1", "-1.5", "true", "false", "null", "[]", "{}"] {
        for typed in [
            "b", "80a", "+1", "False", "", "2", "true", "null", "[1]", "\"c\"",
        ] {
            let is_json = serde_json::from_str::<serde_json::Value>(typed).is_ok();
            let is_refused = if is_json {
                is_string(old) && !is_string(typed) && !typed.starts_with('[')
            } else {
                matches!(old, "1" | "-1.5" | "true" | "false")
            };
            let text = format!("{{\"x\": {old}, \"list\": [ {old}, 1]}}");
            for command in [["set", ".x", typed], ["append", ".list", typed]] {
                let ran = piped(&command, &text);
                assert_eq!(
                    ran.code,
                    if is_refused { 2 } else { 0 },
                    "{command:?} {text}: {}",
                    ran.err
                );
                assert_eq!(ran.out.is_empty(), is_refused, "{command:?} {text}");
            }
            for command in [["set", "-s", ".x", typed], ["append", "-s", ".list", typed]] {
                assert_eq!(piped(&command, &text).code, 0, "{command:?} {text}");
            }
        }
    }
}

/// Like jq's `del` of the same paths: all are resolved before anything is removed.
#[test]
fn del_takes_several_paths() {
    let text =
        r#"{"a": 1, "b": [0, 1, {"a": 2}, 3], "c": {"a": [4], "d": {}}, "e": null, "b.json": 5}"#;
    let folder = Folder::with(&[("a.json", text.as_bytes()), ("b.json", text.as_bytes())]);
    let paths = [
        ".a", ".b[0]", ".b[1]", ".b[-1]", ".b[2].a", ".b", ".c", ".c.a", ".c.d", ".e", ".b[]",
    ];
    let mut checked = 0;
    for one in paths {
        for other in paths {
            for third in [".a", ".b[0]", ".c.a[0]"] {
                let ran = folder.run(&["del", one, other, third, "a.json"]);
                let (Ok(made), 0) = (
                    serde_json::from_str::<serde_json::Value>(&ran.out),
                    ran.code,
                ) else {
                    panic!("{one} {other} {third}: {} {}", ran.out, ran.err);
                };
                let program = format!("del({one}, {other}, {third})");
                let expected = folder.run(&["jq", &program, "a.json"]);
                if cfg!(feature = "jq") {
                    let expected: serde_json::Value = serde_json::from_str(&expected.out).unwrap();
                    assert_eq!(made, expected, "{program}");
                }
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 11 * 11 * 3);
    // The files begin with the first argument that names a file or is not a path.
    assert_eq!(edited("{\"x\": 0, \"y\": 1}", &["del", ".x", ".y"]), "{}");
    for (args, code, err) in [
        (&[".a", "b.json"][..], 0, ""),
        (&[".a", ".e", "./b.json"], 0, ""),
        (&["/a", "/b/0", "b.json"], 0, ""),
        (&[".a", "gone.json"], 4, "jsonx: gone.json: No such file"),
        (&[".a", "./gone.json"], 4, "jsonx: gone.json: No such file"),
        (
            &[".a", "/dev/gone.json"],
            4,
            "jsonx: /dev/gone.json: No such file",
        ),
        (&[".a", ".e", ".none", "b.json"], 1, "no match for .none"),
        (
            &[".a", "b.json", ".e"],
            2,
            "several files cannot be printed as one",
        ),
    ] {
        let ran = folder.run(&[&["del"], args].concat());
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(err), "{args:?}: {}", ran.err);
        assert_eq!(ran.out.is_empty(), code != 0, "{args:?}");
    }
    let lenient = folder.run(&[
        "del",
        "--missing-ok",
        ".none",
        ".a",
        ".b",
        ".c",
        ".e",
        "a.json",
    ]);
    assert_eq!(lenient.out, "{\"b.json\": 5}");
    // Each record loses its own matches.
    let records = "{\"a\": 1, \"k\": 0}\n{\"b\": 1, \"k\": 0}\n{\"k\": 0}\n{\"b\": 1, \"a\": 0}\n";
    let ran = piped(&["del", ".a", ".b"], records);
    assert_eq!(
        ran.out, "{\"k\": 0}\n{\"k\": 0}\n{\"k\": 0}\n{}\n",
        "{}",
        ran.err
    );
    assert_eq!(piped(&["del", ".x", ".y"], records).code, 1);
    let commented = "{\n  // one\n  \"a\": 1, // 1\n  \"b\": 2, // 2\n  \"c\": 3\n}\n";
    let ran = piped(&["del", ".a", ".c", "--input", "jsonc"], commented);
    assert_eq!(ran.out, "{\n  // one\n  \"b\": 2 // 2\n}\n", "{}", ran.err);
}

#[test]
fn duplicate_keys_are_warned_of() {
    let folder = Folder::with(&[("a.json", br#"{"a": 1, "b": 2, "\u0061": 3}"#)]);
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
}

#[test]
fn values_are_read_from_files() {
    let folder = Folder::with(&[
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
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes())]);
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
        let folder = Folder::with(&[("a.jsonl", bad.as_bytes())]);
        assert_eq!(folder.run(&["set", ".a", "2", "a.jsonl", "-w"]).code, 3);
        assert_eq!(read(&folder, "a.jsonl"), bad.as_bytes());
    }
}

#[test]
fn files_change_in_place_or_not_at_all() {
    let folder = Folder::with(&[
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
    let named = "a/package.json: rewritten\nb/package.json: rewritten\n";
    assert_eq!((ran.err.as_str(), ran.code), (named, 0));
    let expected = String::from_utf8_lossy(PACKAGE).replace("demo", "other");
    assert_eq!(read(&folder, "b/package.json"), expected.as_bytes());
}

#[test]
fn a_file_without_text_is_created_on_request() {
    let folder = Folder::with(&[
        ("empty.json", b""),
        ("style/.prettierrc", b"{\"tabWidth\": 4}"),
        ("tsconfig.json", b""),
    ]);
    for (args, name, expected) in [
        (
            &["set", ".a.b", "1"][..],
            "new.json",
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n",
        ),
        (
            &["append", "/a", "x"],
            "style/b.json",
            "{ \"a\": [\"x\"] }\n",
        ),
        (&["set", "/a/-", "[1]"], "new.jsonl", "{\"a\":[[1]]}\n"),
        (&["set", ".", "1.50"], "empty.json", "1.50\n"),
        (&["set", ".a", "1"], "tsconfig.json", "{\n  \"a\": 1\n}\n"),
    ] {
        let without = folder.run(&[args, &[name, "-w"]].concat());
        let [command, path, _] = args else {
            unreachable!()
        };
        let hint = format!("jsonx: `jsonx {command} -p {path} VALUE {name} -w` creates it\n");
        assert!(without.err.ends_with(&hint), "{}", without.err);
        assert!(without.code > 2, "{args:?}");
        let ran = folder.run(&[args, &["-p", name, "-w"]].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{args:?}");
        assert_eq!(String::from_utf8(read(&folder, name)).unwrap(), expected);
    }
    // An array would need elements before the value; the others are not texts, or are several files.
    for args in [
        &["set", "-p", ".a[1]", "1", "no.json"][..],
        &["set", "-p", ".a", "1", "no.json.gz"],
        &["set", "-p", ".a", "1", "no.msgpack"],
        &["set", "-p", ".a", "1", "no/folder.json"],
        &["set", "-p", ".a", "1", "new.json", "no.json"],
        &["del", ".a", "no.json"],
    ] {
        let ran = folder.run(&[args, &["-w"]].concat());
        assert_eq!(
            (ran.code, ran.err.contains("creates it")),
            (4, false),
            "{args:?}"
        );
        let is_explained = ran.err.contains("with its first element only: [0]");
        assert_eq!(is_explained, args[2] == ".a[1]", "{}", ran.err);
        assert!(!folder.path(args[args.len() - 1]).exists(), "{args:?}");
    }
}

/// `.editor.fontSize` may mean one key.
#[test]
fn a_key_with_a_dot_is_named_before_an_object_is_added() {
    let text = r#"{"editor.fontSize": 12}"#;
    for (args, meant) in [
        (
            &["set", ".editor.fontSize", "14"][..],
            ".[\"editor.fontSize\"]",
        ),
        (
            &["set", "-p", ".editor.fontSize", "14"],
            ".[\"editor.fontSize\"]",
        ),
        (
            &["append", "-p", ".editor.fontSize.x", "1"],
            ".[\"editor.fontSize\"].x",
        ),
        (
            &["set", "-p", "--missing-ok", ".editor.fontSize", "14"],
            ".[\"editor.fontSize\"]",
        ),
        (
            &["set", "-p", "$.editor.fontSize", "14"],
            "$['editor.fontSize']",
        ),
        (&["set", "-p", "/editor/fontSize", "14"], "/editor.fontSize"),
    ] {
        let ran = piped(args, text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{args:?}");
        let object = match args[args.len() - 2].chars().next() {
            Some('$') => r"'$['\''editor'\'']'",
            Some('/') => "/editor",
            _ => ".editor",
        };
        let hint = format!(
            "did you mean {meant}?\n`jsonx set {object} '{{}}'` adds an object beside that key\n"
        );
        assert!(ran.err.ends_with(&hint), "{args:?}: {}", ran.err);
    }
    assert_eq!(
        edited(text, &["set", "-p", ".editor.size", "14"]),
        r#"{"editor.fontSize": 12, "editor": {"size": 14}}"#
    );
}

/// Long files are edited in constant memory, with the same result.
#[test]
fn long_files_are_edited_as_short_ones() {
    let row = r#"{"id": 12345, "text": "a \"quoted\" \\ text", "list": [1, 2, {"x": null}]},"#;
    let rows = 9 * 1000 * 1000 / row.len();
    for (head, tail) in [("\u{feff}{\n  \"rows\": [\n", "0],\n  \"last\": \"x\"\n}\n")] {
        let text = [head, &row.repeat(rows), tail].concat();
        let short = [head, row, tail].concat();
        let folder = Folder::with(&[("a.json", text.as_bytes()), ("b.json", short.as_bytes())]);
        for args in [
            &["set", ".new", "[1]"][..],
            &["append", ".rows", "{\"a\":1}"],
            &["del", ".last"],
            &["del", ".last", ".rows.-2.id"],
            &["set", ".rows.-2.id", "6"],
            &["set", ".rows.-2.y.z", "1", "-p"],
        ] {
            let long = folder.run(&[args, &["a.json"]].concat());
            let short = folder.run(&[args, &["b.json"]].concat());
            assert_eq!((long.code, short.code), (0, 0), "{args:?}: {}", long.err);
            let removed = row.repeat(rows - 1);
            let expected = long.out.replacen(&removed, "", 1);
            assert!(expected == short.out, "{args:?}: {}", &short.out);
            // Diffs compare the same texts.
            let ran = folder.run(&[args, &["a.json", "--check"]].concat());
            assert_eq!((ran.out.as_str(), ran.code), ("a.json\n", 1));
        }
        let ran = folder.run(&["del", ".rows.-2.idd", "a.json"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("did you mean .rows.-2.id?"), "{}", ran.err);
    }
}

/// The files of the examples in the help texts.
#[test]
fn examples_of_the_help_texts_run() {
    let config = br#"{"servers": [{"name": "a", "port": 1}], "tags": [], "old": 1}"#;
    for command in ["set", "append", "del"] {
        let help = piped(&[command, "--help"], "").out;
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for line in examples.lines().map(str::trim) {
            let package = br#"{"version": "1.0.0", "private": false, "engines": {"node": ">=18"}, "keywords": [], "scripts": {"prepare": "x"}}"#;
            let folder = Folder::with(&[
                ("package.json", package),
                ("packages/a.json", package),
                ("users.json", br#"{"users": [{"password": "x"}]}"#),
                ("config.json", config),
                ("settings.jsonc", b"{\"extensions\": [\"json\"]} // all\n"),
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
            let is_named = |line: &str| line.ends_with(": rewritten");
            assert!(ran.err.lines().all(is_named), "{line}: {}", ran.err);
            assert_eq!(ran.code, code, "{line}");
        }
    }
}

/// An index at the length of an array names the command that adds an element; no other one does.
#[test]
fn an_index_after_the_last_one_is_for_append() {
    for (args, is_end) in [
        (&["set", ".a[2]", "3"][..], true),
        (&["set", "-p", ".a[2]", "3"], true),
        (&["set", "/a/2", "3"], true),
        (&["set", ".a[3]", "3"], false),
        (&["set", ".a[2].b", "3"], false),
        (&["set", ".o[0]", "3"], false),
        (&["del", ".a[2]"], false),
    ] {
        let ran = piped(args, "{\"a\": [1, 2], \"o\": {}}");
        let hints = ran.err.contains("adds an element at the end");
        assert_eq!(
            (hints, ran.out.as_str()),
            (is_end, ""),
            "{args:?}: {}",
            ran.err
        );
    }
}

#[test]
fn numbers_that_begin_with_a_minus_sign_are_values() {
    for number in ["-1", "-0", "-1.5", "-1e5", "-1E5", "-1e-5", "-1.5E+05"] {
        let set = format!("{{\"a\":[{number}]}}\n");
        let ran = piped(&["set", ".a[0]", number], "{\"a\":[1]}\n");
        assert_eq!((ran.out, ran.code), (set.clone(), 0), "{}", ran.err);
        let ran = piped(&["append", ".a", number], "{\"a\":[]}\n");
        assert_eq!((ran.out, ran.code), (set, 0), "{}", ran.err);
    }
    let ran = piped(&["set", ".a", "-1x"], "{\"a\":1}\n");
    assert_eq!(ran.code, 2);
}

#[test]
fn the_warning_says_what_becomes_of_duplicate_keys() {
    for (args, what) in [
        (
            &["set", ".a", "3"][..],
            "the last one counts, and is changed\n",
        ),
        (&["del", ".a"], "all of them are removed\n"),
    ] {
        let ran = piped(args, "{\"a\":1,\"a\":2,\"b\":3}");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(
            ran.err
                .ends_with(&format!("duplicate keys along .a; {what}")),
            "{}",
            ran.err
        );
    }
}
