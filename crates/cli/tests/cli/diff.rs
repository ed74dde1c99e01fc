//! `jsonx diff`.

use serde_json::{Value, json};

use crate::{Folder, jsonx, piped, run};

const OLD: &str = "{\n  \"name\": \"demo\",\n  \"tags\": [\"a\", \"b\"],\n  \"port\": 80,\n  \"users\": [{\"id\": 1, \"n\": \"x\"}, {\"id\": 2, \"n\": \"y\"}],\n  \"gone\": {\"x\": [1, 2]}\n}\n";
const NEW: &str = "{\"name\": \"demo\",\n \"port\": 8080, \"tags\": [\"b\", \"c\"], \"users\":\n [{\"id\": 2, \"n\": \"z\"}, {\"id\": 1, \"n\": \"x\"}],\n \"é\": true}\n";

fn folder() -> Folder {
    Folder::with(&[("old.json", OLD.as_bytes()), ("new.json", NEW.as_bytes())])
}

#[test]
fn a_change_is_a_line_with_both_positions() {
    let ran = folder().run(&["diff", "--key", "id", "old.json", "new.json"]);
    insta::assert_snapshot!(ran.out, @r#"
    --- old.json
    +++ new.json
    3:12 → 2:24  .tags[0]  - "a"
    3:11 → 2:30  .tags[1]  + "c"
    4:11 → 2:10  .port  80 → 8080
    5:13 → 3:24  .users[1]  moved from .users[0]
    5:49 → 3:18  .users[0].n  "y" → "z"
    6:11 → 1:1  .gone  - {"x":[1,2]}
    1:1 → 4:7  .["é"]  + true
    "#);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
}

#[test]
fn an_invalid_file_is_reported_once() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("b.json", b"[2,]")]);
    for (other, count) in [("a.json", 1), ("b.json", 2)] {
        let ran = folder.run(&["diff", "a.json", other]);
        let shown = ran.err + &ran.out;
        assert_eq!(
            (shown.matches("trailing-comma").count(), ran.code),
            (count, 3),
            "{shown}"
        );
    }
}

#[test]
fn patches_and_records() {
    let folder = folder();
    let ran = folder.run(&[
        "diff", "--format", "patch", "--set", ".tags", "old.json", "new.json",
    ]);
    let patch: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(patch[0], json!({"op": "remove", "path": "/tags/0"}));
    assert_eq!(
        patch[2],
        json!({"op": "replace", "path": "/port", "value": 8080})
    );
    assert_eq!(ran.code, 1);

    let ran = folder.run(&["diff", "--format", "merge", "old.json", "new.json"]);
    let merge: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&merge["port"], &merge["gone"], &merge["é"]),
        (&json!(8080), &json!(null), &json!(true))
    );

    let ran = folder.run(&[
        "diff", "--format", "json", "--ignore", ".users", "old.json", "new.json",
    ]);
    let records: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        records[2],
        json!({"kind": "replaced", "path": ".port", "pointer": "/port",
            "old": {"line": 4, "column": 11, "offset": 52, "value": 80},
            "new": {"line": 2, "column": 10, "offset": 26, "value": 8080}})
    );
    let kinds: Vec<&Value> = records.iter().map(|record| &record["kind"]).collect();
    assert_eq!(kinds, ["removed", "added", "replaced", "removed", "added"]);
}

#[test]
fn equal_documents_print_nothing() {
    let folder = Folder::with(&[
        ("a.json", b"{\"a\": 1.0, \"b\": \"\\u00e9\"}"),
        ("b.json", "\u{feff}{\"b\": \"é\", \"a\": 1}".as_bytes()),
    ]);
    let ran = folder.run(&["diff", "a.json", "b.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0));
    assert_eq!(folder.run(&["diff", "--exact", "a.json", "b.json"]).code, 1);
    assert_eq!(
        folder
            .run(&["diff", "--format", "patch", "a.json", "b.json"])
            .out,
        "[]\n"
    );
    assert_eq!(
        folder
            .run(&["diff", "--format", "merge", "a.json", "b.json"])
            .out,
        "{}\n"
    );
    let quiet = folder.run(&["diff", "-q", "--exact", "a.json", "b.json"]);
    assert_eq!(
        (quiet.out.as_str(), quiet.err.as_str(), quiet.code),
        ("", "", 1)
    );
}

#[test]
fn one_input_may_be_a_pipe() {
    let folder = folder();
    for args in [["diff", "-", "new.json"], ["diff", "new.json", "-"]] {
        let ran = run(jsonx(&args).current_dir(folder.path("")).write_stdin(NEW));
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", "", 0),
            "{args:?}"
        );
        let ran = run(jsonx(&args)
            .current_dir(folder.path(""))
            .write_stdin("[1] [2]"));
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{args:?}");
    }
    assert_eq!(piped(&["diff", "-", "-"], "1").code, 2);
    assert_eq!(piped(&["diff", "-"], "1").code, 2);
}

#[test]
fn invalid_json_is_reported_in_its_own_file() {
    let folder = Folder::with(&[
        ("good.json", b"{\"a\": 1}\n"),
        ("bad.json", b"{\"a\": 1,}\n"),
        ("cut.json", b"[1, 2"),
        ("empty.json", b""),
    ]);
    for (args, found) in [
        (
            ["good.json", "bad.json"],
            vec!["error[trailing-comma] bad.json:1:8"],
        ),
        (
            ["bad.json", "good.json"],
            vec!["error[trailing-comma] bad.json:1:8"],
        ),
        (
            ["cut.json", "bad.json"],
            vec![
                "error[unclosed-bracket] cut.json:1:6",
                "error[trailing-comma] bad.json:1:8",
            ],
        ),
        (
            ["good.json", "empty.json"],
            vec!["error[empty-input] empty.json:1:1"],
        ),
    ] {
        let ran = folder.run(&["diff", args[0], args[1]]);
        assert_eq!(crate::headlines(&ran.err), found, "{args:?}");
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{args:?}");
    }
    assert_eq!(folder.run(&["diff", "good.json", "missing.json"]).code, 4);
    assert_eq!(folder.run(&["diff", "missing.json", "."]).code, 4);
    let deep = folder.run(&["diff", "--max-depth", "0", "good.json", "good.json"]);
    assert_eq!(deep.code, 2);
    let bad_path = folder.run(&["diff", "--ignore", ".a[", "good.json", "good.json"]);
    assert_eq!((bad_path.out.as_str(), bad_path.code), ("", 2));
    assert!(bad_path.err.contains("--ignore") && bad_path.err.ends_with("^\ndid you mean .a?\n"));
}

#[test]
fn a_merge_patch_that_would_set_null_is_refused() {
    let folder = Folder::with(&[("a.json", b"{}"), ("b.json", b"{\n \"a\": {\"b\": null}}")]);
    let ran = folder.run(&["diff", "--format", "merge", "a.json", "b.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert_eq!(
        ran.err,
        "jsonx: b.json:2:13: a merge patch cannot set a member to null; --format patch can\n"
    );
}

#[test]
fn duplicate_keys_are_warned_of() {
    let folder = Folder::with(&[
        ("a.json", b"{\"a\": 1, \"a\": 2}"),
        ("b.json", b"{\"a\": 2}"),
    ]);
    let ran = folder.run(&["diff", "a.json", "b.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0));
    assert_eq!(
        ran.err,
        "jsonx: a.json: warning: duplicate keys; the last one counts\n"
    );
}

#[test]
fn lines_are_compared_like_elements() {
    let folder = Folder::with(&[
        ("a.jsonl", b"{\"a\":1}\r\n{\"b\":1}\r\n"),
        ("b.jsonl", b"{\"a\":1}\n\n 0\n{\"b\":2}"),
        ("c.json", b"1"),
    ]);
    let ran = folder.run(&["diff", "a.jsonl", "b.jsonl"]);
    assert_eq!(
        ran.out,
        "--- a.jsonl\n+++ b.jsonl\n2:1 → 3:2  .[1]  {\"b\":1} → 0\n1:1 → 4:1  .[2]  + {\"b\":2}\n"
    );
    assert_eq!(folder.run(&["diff", "a.jsonl", "c.json"]).code, 2);
    assert_eq!(
        folder
            .run(&["diff", "--format", "patch", "a.jsonl", "b.jsonl"])
            .code,
        2
    );
}

#[test]
fn values_are_safe_to_show() {
    let folder = Folder::with(&[
        ("a.json", b"{}"),
        (
            "b.json",
            "{\"\u{9b}2J\": \"\u{9b}2J\u{202e}\", \"long\": \"".as_bytes(),
        ),
    ]);
    let text = format!(
        "{{\"\u{9b}2J\": \"\u{9b}2J\u{202e}\", \"long\": \"{}\"}}",
        "é".repeat(500)
    );
    std::fs::write(folder.path("b.json"), text).unwrap();
    for format in ["human", "json"] {
        let ran = folder.run(&["diff", "--format", format, "a.json", "b.json"]);
        let printed: Vec<char> = ran.out.chars().filter(|c| *c != '\n').collect();
        assert!(
            !printed.iter().any(|c| c.is_control() || *c == '\u{202e}'),
            "{}",
            ran.out
        );
        assert_eq!(ran.code, 1);
    }
    let ran = folder.run(&["diff", "--color", "always", "a.json", "b.json"]);
    assert!(ran.out.contains("\u{1b}[32m"), "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.chars().count() < 300),
        "{}",
        ran.out
    );
}

/// The offsets of both sides locate the values in the files, with and without a byte-order mark, in each format.
#[test]
fn offsets_refer_to_the_files() {
    let (old, new) = ("{\"a\": [1, \"é\", 11]}", "{\"a\": [1, \"é\",  22]}");
    let lines = |text: &str| format!("{text}\n\n{text}\n");
    let comments = |text: &str| format!("// é\n{text} /* */");
    for (name, old, new) in [
        ("json", old.to_owned(), new.to_owned()),
        ("jsonl", lines(old), lines(new)),
        ("jsonc", comments(old), comments(new)),
    ] {
        for marks in [
            ["", ""],
            ["\u{feff}", ""],
            ["", "\u{feff}"],
            ["\u{feff}", "\u{feff}"],
        ] {
            let texts = [format!("{}{old}", marks[0]), format!("{}{new}", marks[1])];
            let names = [format!("old.{name}"), format!("new.{name}")];
            let folder = Folder::with(&[
                (&names[0], texts[0].as_bytes()),
                (&names[1], texts[1].as_bytes()),
            ]);
            let ran = folder.run(&["diff", "--format", "json", &names[0], &names[1]]);
            assert_eq!(ran.code, 1, "{}", ran.err);
            for line in ran.out.lines() {
                let change: Value = serde_json::from_str(line).unwrap();
                for (side, text) in ["old", "new"].iter().zip(&texts) {
                    let offset = change[side]["offset"].as_u64().unwrap() as usize;
                    let value = change[side]["value"].to_string();
                    assert!(text[offset..].starts_with(&value), "{line} {text:?}");
                }
            }
            assert!(ran.out.lines().count() > 0);
        }
    }
}

#[test]
fn a_key_that_no_array_has_is_an_error() {
    let folder = folder();
    let error = "jsonx: --key NAME matches nothing: no array begins with an object that has it\n";
    for (name, hint) in [
        ("NOSUCH", ""),
        ("Id", "did you mean --key id?\n"),
        ("x", ""),
        ("name", ""),
        ("id.x", ""),
    ] {
        for format in ["human", "patch", "json"] {
            for files in [["old.json", "new.json"], ["old.json", "old.json"]] {
                let ran = folder.run(&[
                    "diff", "--key", name, "--format", format, files[0], files[1],
                ]);
                assert_eq!(ran.err, error.replace("NAME", name) + hint);
                assert_eq!((ran.out.as_str(), ran.code), ("", 2));
            }
        }
    }
    let quiet = folder.run(&["diff", "-q", "--key", "NOSUCH", "old.json", "new.json"]);
    assert_eq!((quiet.err.as_str(), quiet.code), ("", 2));
    let ran = folder.run(&["diff", "--key", "id", "old.json", "new.json"]);
    assert_eq!(ran.err, "");
    // One of the files has the key.
    std::fs::write(folder.path("b.json"), "[[{\"uid\": 1}]]").unwrap();
    let ran = folder.run(&["diff", "--key", "uid", "old.json", "b.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    // No array has elements to match.
    std::fs::write(folder.path("none.json"), "{\"a\": [], \"b\": [1]}").unwrap();
    let ran = folder.run(&["diff", "--key", "NAME", "none.json", "none.json"]);
    let warning = error.replace("jsonx: ", "jsonx: warning: ");
    assert_eq!((ran.err, ran.code), (warning, 0));
}

#[test]
fn elements_are_matched_by_a_path() {
    let folder = Folder::with(&[
        (
            "a.json",
            br#"[{"metadata": {"name": "x"}, "v": 1}, {"metadata": {"name": "y"}, "v": 1}]"#,
        ),
        ("b.json", br#"[{"metadata": {"name": "y"}, "v": 2}]"#),
        ("c.json", br#"[{"a.b": 1, "v": 1}, {"a.b": 2}]"#),
        ("d.json", br#"[{"a.b": 2}]"#),
    ]);
    for key in [
        "metadata.name",
        ".metadata.name",
        "$.metadata.name",
        "/metadata/name",
    ] {
        let ran = folder.run(&[
            "diff", "--key", key, "--format", "patch", "a.json", "b.json",
        ]);
        assert_eq!((ran.err.as_str(), ran.code), ("", 1), "{key}");
        assert!(
            ran.out.contains("\"/0/v\"") && !ran.out.contains("metadata"),
            "{}",
            ran.out
        );
    }
    let ran = folder.run(&[
        "diff", "--key", ".\"a.b\"", "--format", "patch", "c.json", "d.json",
    ]);
    assert!(
        ran.out.contains("\"remove\"") && ran.code == 1,
        "{} {}",
        ran.out,
        ran.err
    );
    for (key, report) in [
        (
            "metadata.nmae",
            "jsonx: --key metadata.nmae matches nothing: no array begins with an object that has it\ndid you mean --key metadata.name?\n",
        ),
        (
            "metdata.name",
            "jsonx: --key metdata.name matches nothing: no array begins with an object that has it\ndid you mean --key metadata.name?\n",
        ),
        (
            "..name",
            "jsonx: --key ..name: elements are matched by one member, whose path may have only keys\n",
        ),
        (
            ".tags[0]",
            "jsonx: --key .tags[0]: elements are matched by one member, whose path may have only keys\n",
        ),
        (
            ".",
            "jsonx: --key .: elements are matched by one member, whose path may have only keys\n",
        ),
        (
            "a..",
            "jsonx: --key a..: elements are matched by one member, whose path may have only keys\n",
        ),
        (
            "a.[01]",
            "jsonx: bad path for --key: an index has no leading zeros\n  .a.[01]\n      ^\ndid you mean .a.[1]?\n",
        ),
    ] {
        let ran = folder.run(&["diff", "--key", key, "a.json", "b.json"]);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", report, 2),
            "{key}"
        );
    }
}

fn directories() -> Folder {
    Folder::with(&[
        ("old/a.json", OLD.as_bytes()),
        ("new/a.json", NEW.as_bytes()),
        ("old/b/same.json", b"{\"a\": 1}"),
        ("new/b/same.json", b"{ \"a\": 1.0 }"),
        ("old/b/gone.json", b"1"),
        ("new/c.json", b"1"),
        // A directory and a file of one name.
        ("old/d.json/e.json", b"1"),
        ("new/d.json", b"1"),
        ("old/bad.json", b"{"),
        ("new/bad.json", b"{}"),
        ("old/.ignore", b"*.tmp.json"),
        ("old/x.tmp.json", b"1"),
        ("old/notes.txt", b"1"),
    ])
}

#[test]
fn directories_are_compared_file_by_file() {
    let folder = directories();
    let args = ["diff", "--key", "id", "old", "new"];
    let ran = folder.run(&args);
    insta::assert_snapshot!(ran.out, @r#"
    --- old/a.json
    +++ new/a.json
    3:12 → 2:24  .tags[0]  - "a"
    3:11 → 2:30  .tags[1]  + "c"
    4:11 → 2:10  .port  80 → 8080
    5:13 → 3:24  .users[1]  moved from .users[0]
    5:49 → 3:18  .users[0].n  "y" → "z"
    6:11 → 1:1  .gone  - {"x":[1,2]}
    1:1 → 4:7  .["é"]  + true
    old/b/gone.json: deleted
    new/c.json: added
    new/d.json: added
    old/d.json/e.json: deleted
    "#);
    let found = crate::headlines(&ran.err);
    assert_eq!(found, ["error[unclosed-bracket] old/bad.json:1:2"]);
    assert_eq!(ran.code, 3);

    let json = folder.run(&[&args[..], &["--format", "json", "-g", "!bad.json"]].concat());
    let records = json
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let records: Vec<Value> = records.collect();
    assert_eq!(records[2]["file"], "a.json");
    let removed = json!({"file": "b/gone.json", "kind": "removed", "path": ".", "pointer": ""});
    assert_eq!(records[7], removed);
    assert_eq!((records.len(), json.code), (11, 1));

    let ran = folder.run(&["diff", "-r", "-g", "same.json", "old", "new"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "", 0));
    // A key that no file has.
    let ran = folder.run(&["diff", "--key", "NAME", "-g", "[as]*.json", "old", "new"]);
    assert!(
        ran.err.starts_with("jsonx: --key NAME matches nothing"),
        "{}",
        ran.err
    );
    assert_eq!((ran.out.lines().count(), ran.code), (9, 2));
}

#[test]
fn a_directory_is_compared_with_what_can_be_compared() {
    let folder = directories();
    std::fs::create_dir_all(folder.path("empty/deep")).unwrap();
    for (args, code) in [
        (&["old", "new/a.json"][..], 1),
        (&["new/b/same.json", "old/b"], 0),
        (&["new/c.json", "old"], 4),
        (&["old/b", "old/b/"], 0),
        (&["old/b", "empty"], 1),
        (&["empty", "empty"], 2),
        (&["empty", "empty", "--allow-no-files"], 0),
        (&["empty", "missing"], 4),
        (&["old", "-"], 2),
        (&["-", "old"], 2),
        (&["old", "new", "--format", "patch"], 2),
        (&["old", "new", "--format", "merge"], 2),
        (&["old", "new", "--glob", "{"], 2),
    ] {
        let ran = folder.run(&[&["diff"], args].concat());
        assert_eq!(ran.code, code, "{args:?} {}", ran.err);
        // Either the differences are printed, or the reason for their absence.
        assert_eq!(ran.out.is_empty(), code != 1, "{args:?}");
        assert_eq!(ran.err.is_empty(), code < 2, "{args:?} {}", ran.err);
    }
}

#[test]
fn context_is_what_stands_around_a_change_once() {
    let folder = folder();
    let ran = folder.run(&["diff", "-U", "1", "--key", "id", "old.json", "new.json"]);
    insta::assert_snapshot!(ran.out, @r#"
    --- old.json
    +++ new.json
    3:12 → 2:24  .tags[0]  - "a"
      .tags[1]  "b"
    --
      .tags[0]  "b"
    3:11 → 2:30  .tags[1]  + "c"
    --
      .name  "demo"
    4:11 → 2:10  .port  80 → 8080
    --
    5:13 → 3:24  .users[1]  moved from .users[0]
    --
      .users[0].id  2
    5:49 → 3:18  .users[0].n  "y" → "z"
    --
    6:11 → 1:1  .gone  - {"x":[1,2]}
    --
    1:1 → 4:7  .["é"]  + true
    "#);
    let plain = folder.run(&["diff", "--key", "id", "old.json", "new.json"]);
    let is_change = |line: &&str| *line != "--" && !line.starts_with(' ');
    let changes: Vec<&str> = ran.out.lines().filter(is_change).collect();
    assert_eq!(changes, plain.out.lines().collect::<Vec<_>>());

    let ran = folder.run(&["diff", "-U", "0", "--key", "id", "old.json", "new.json"]);
    assert_eq!(ran.out, plain.out);
    let most = usize::MAX.to_string();
    let ran = folder.run(&["diff", "--unified", &most, "old.json", "new.json"]);
    assert!(ran.out.contains("\n  .name  \"demo\"\n"), "{}", ran.out);
    for args in [["-U", "-1"], ["-U", "x"]] {
        assert_eq!(
            folder
                .run(&[&["diff", "old.json", "new.json"][..], &args].concat())
                .code,
            2
        );
    }
    for format in ["json", "patch", "merge"] {
        let ran = folder.run(&["diff", "-U1", "--format", format, "old.json", "new.json"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{format}");
    }
}
