//! `jsonx patch`.

use std::fs;
use std::process::{Command, Stdio};

use jsonx_testing::suite;
use serde_json::Value;

use crate::{Folder, Ran, jsonx, piped, run};

const TEXT: &str =
    "{\r\n\t\"name\": \"d\\u0065mo\",\r\n\t\"price\": 1.50,\r\n\t\"tags\": [\"a\", \"b\"]\r\n}";

fn folder() -> Folder {
    Folder::with(&[("a.json", TEXT.as_bytes())])
}

fn patched(patch: &str) -> Ran {
    folder().run(&["patch", patch, "a.json"])
}

#[test]
fn every_other_byte_stays() {
    for (patch, old, new) in [
        (r#"{"price": 2}"#, "1.50", "2"),
        (r#"{"price": null}"#, "\t\"price\": 1.50,\r\n", ""),
        (
            r#"{"new": true}"#,
            "\"b\"]\r\n",
            "\"b\"],\r\n\t\"new\": true\r\n",
        ),
        (
            r#"[{"op": "add", "path": "/tags/-", "value": 1.0}]"#,
            "\"b\"]",
            "\"b\", 1.0]",
        ),
        (r#"[{"op": "remove", "path": "/tags/0"}]"#, "\"a\", ", ""),
        (
            r#"[{"op": "test", "path": "/name", "value": "demo"}, {"op": "test", "path": "/price", "value": 15e-1},
                {"op": "replace", "path": "/name", "value": "\u0078"}]"#,
            r#""d\u0065mo""#,
            r#""\u0078""#,
        ),
    ] {
        let ran = patched(patch);
        assert_eq!(
            (ran.out, ran.err.as_str(), ran.code),
            (TEXT.replacen(old, new, 1), "", 0),
            "{patch}"
        );
    }
}

#[test]
fn the_patch_may_be_a_file_or_a_pipe() {
    let folder = folder();
    fs::write(
        folder.path("p.json"),
        "\u{feff}[ {\"op\":\"remove\",\"path\":\"/tags\"} ]",
    )
    .unwrap();
    let from_file = folder.run(&["patch", "p.json", "a.json"]);
    assert_eq!(from_file.code, 0);
    assert!(!from_file.out.contains("tags"));
    let from_pipe = run(jsonx(&["patch", "-", "a.json"])
        .current_dir(folder.path(""))
        .write_stdin("{\"tags\": null}"));
    assert_eq!((from_pipe.out, from_pipe.code), (from_file.out, 0));
    let document_from_pipe = piped(&["patch", r#"{"a": 1}"#], "{} {\"a\":0}\n");
    assert_eq!(
        (document_from_pipe.out.as_str(), document_from_pipe.code),
        ("{\"a\": 1} {\"a\":1}\n", 0)
    );
    for args in [
        &["patch", "-"][..],
        &["patch", "-", "-"],
        &["patch", "{}", "-w"],
        &["patch", "a.json", "{}"],
        &["patch", "{}", "a.json", "b.json"],
    ] {
        assert_eq!(
            run(jsonx(args).current_dir(folder.path("")).write_stdin("{}")).code,
            2,
            "{args:?}"
        );
    }
    assert_eq!(folder.run(&["patch", "missing.json", "a.json"]).code, 4);
    // The file name decides whether comments are accepted.
    let commented = "// why\n{\"tags\": null,}\n";
    fs::write(folder.path("p.jsonc"), commented).unwrap();
    let ran = folder.run(&["patch", "p.jsonc", "a.json"]);
    assert_eq!(
        (ran.code, ran.out.contains("tags")),
        (0, false),
        "{}",
        ran.err
    );
    fs::write(folder.path("p.json"), commented).unwrap();
    assert_eq!(folder.run(&["patch", "p.json", "a.json"]).code, 3);
    let ran = folder.run(&["patch", "{\"a\": 1}", "p.jsonc", "-w"]);
    assert_eq!(
        (
            ran.code,
            fs::read_to_string(folder.path("p.jsonc")).unwrap().as_str()
        ),
        (0, "// why\n{\"tags\": null, \"a\": 1,}\n")
    );
}

#[test]
fn each_record_is_a_document() {
    let folder = Folder::with(&[("a.jsonl", b"{\"a\":1}\r\n\r\n{\"a\":2, \"b\":3}")]);
    let ran = folder.run(&[
        "patch",
        r#"[{"op": "replace", "path": "/a", "value": null}]"#,
        "a.jsonl",
    ]);
    assert_eq!(ran.out, "{\"a\":null}\r\n\r\n{\"a\":null, \"b\":3}");
    let ran = folder.run(&[
        "patch",
        r#"[{"op": "remove", "path": "/b"}]"#,
        "a.jsonl",
        "-w",
    ]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert!(
        ran.err.starts_with("jsonx: a.jsonl:1:1: operation 1 "),
        "{}",
        ran.err
    );
    assert_eq!(
        fs::read_to_string(folder.path("a.jsonl")).unwrap(),
        "{\"a\":1}\r\n\r\n{\"a\":2, \"b\":3}"
    );
}

#[test]
fn a_failed_operation_changes_nothing() {
    let folder = folder();
    let patch = "[{\"op\": \"remove\", \"path\": \"/tags\"},\n {\"op\": \"test\", \"path\": \"/price\", \"value\": 1.51}]";
    fs::write(folder.path("p.json"), patch).unwrap();
    let ran = folder.run(&["patch", "p.json", "a.json", "--write"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert_eq!(
        ran.err,
        "jsonx: a.json:3:11: operation 2 of the patch, `test /price` (p.json:2:2), failed: the value is 1.50, not 1.51\n"
    );
    assert_eq!(fs::read_to_string(folder.path("a.json")).unwrap(), TEXT);
}

#[test]
fn an_invalid_patch_is_a_usage_error() {
    for (patch, message) in [
        (
            r#"[{"op": "jump", "path": ""}]"#,
            "jsonx: <patch>:1:9: no operation has this name\n  [{\"op\": \"jump\", \"path\": \"\"}]\n          ^^^^^^\n",
        ),
        (
            r#"{"op": "remove", "path": "/a"}"#,
            "jsonx: <patch>:1:1: one operation of a JSON Patch, which is an array of them: `[{…}]`\n  {\"op\": \"remove\", \"path\": \"/a\"}\n  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\nas a merge patch: --merge\n",
        ),
        (
            r#"{"op": "frob", "path": "/a"}"#,
            "jsonx: <patch>:1:1: one operation of a JSON Patch, which is an array of them: `[{…}]`\n  {\"op\": \"frob\", \"path\": \"/a\"}\n  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\nas a merge patch: --merge\n",
        ),
        (
            r#"{"a": {"b": 1, "\u0062": 2}}"#,
            "jsonx: <patch>:1:16: a patch must not have duplicate keys\n  {\"a\": {\"b\": 1, \"\\u0062\": 2}}\n                 ^^^^^^^^\n",
        ),
    ] {
        let ran = patched(patch);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", message, 2)
        );
    }
    for patch in [
        r#"[1]"#,
        r#"[{"op": "add", "path": "/a"}]"#,
        r#"[{"op": "add", "path": "/a", "path": "/b", "value": 1}]"#,
        r#"[{"op": "move", "from": "/tags", "path": "/tags/0"}]"#,
        r#"[{"op": "remove", "path": ".tags"}]"#,
    ] {
        assert_eq!(patched(patch).code, 2, "{patch}");
    }
    // Not JSON: a caret in the patch.
    for patch in ["{\"a\": 1,}", "[{]", "{'a': 1}"] {
        let ran = patched(patch);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{patch}");
        assert!(
            ran.err.contains("--> <patch>:1:") && ran.err.contains('^'),
            "{}",
            ran.err
        );
    }
    let folder = Folder::with(&[
        ("a.json", b"[1,]"),
        ("p.json", b"{\"a\" 1}"),
        ("s.json", b"1"),
    ]);
    let ran = folder.run(&["patch", "p.json", "a.json"]);
    assert_eq!(
        (crate::headlines(&ran.err), ran.code),
        (vec!["error[missing-colon] p.json:1:5".to_owned()], 3)
    );
    let lines = "{\"op\": \"remove\", \"path\": \"/a\"}\n".repeat(2);
    fs::write(folder.path("p.jsonl"), lines).unwrap();
    let ran = folder.run(&["patch", "p.jsonl", "s.json"]);
    assert!(
        ran.code == 3 && ran.err.contains("`jsonx jq -s 'flatten(1)' p.jsonl`"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["patch", "{}", "a.json", "-w"]);
    assert_eq!(
        (crate::headlines(&ran.err), ran.code),
        (vec!["error[trailing-comma] a.json:1:3".to_owned()], 3)
    );
    let operation = r#"{"op": "add", "path": "x"}"#;
    let merged = folder.run(&["patch", "--merge", operation, "s.json"]);
    assert_eq!(merged.out, r#"{"op": "add", "path": "x"}"#);
    assert_eq!(patched(r#"{"op": "add"}"#).code, 0);
    assert_eq!(folder.run(&["patch", "s.json", "s.json"]).code, 2);
    assert_eq!(
        folder.run(&["patch", "--merge", "p.json", "s.json"]).code,
        3
    );
    assert_eq!(
        folder.run(&["patch", "--merge", "s.json", "s.json"]).out,
        "1"
    );
}

#[test]
fn files_are_patched_in_place() {
    let folder = Folder::with(&[
        ("a.json", TEXT.as_bytes()),
        ("b.json", "\u{feff}{\"price\": 2}\n".as_bytes()),
        ("c.json", b"[]"),
    ]);
    let patch = r#"{"price": 2}"#;
    let check = folder.run(&["patch", patch, "--check", "a.json", "b.json"]);
    assert_eq!((check.out.as_str(), check.code), ("a.json\n", 1));
    let diff = folder.run(&["patch", patch, "--diff", "a.json", "b.json"]);
    assert!(
        diff.out.contains("\n-\t\"price\": 1.50,") && !diff.out.contains("b.json"),
        "{}",
        diff.out
    );
    assert_eq!(diff.code, 1);
    let before = fs::metadata(folder.path("b.json"))
        .unwrap()
        .modified()
        .unwrap();
    let write = folder.run(&["patch", patch, "--write", "a.json", "b.json"]);
    assert_eq!((write.out.as_str(), write.code), ("", 0));
    assert_eq!(
        fs::read_to_string(folder.path("a.json")).unwrap(),
        TEXT.replace("1.50", "2")
    );
    assert_eq!(
        fs::metadata(folder.path("b.json"))
            .unwrap()
            .modified()
            .unwrap(),
        before
    );
    let write = folder.run(&["patch", r#"{"price": 3}"#, "--write", "."]);
    assert_eq!(write.code, 0, "{}", write.err);
    assert_eq!(
        fs::read(folder.path("b.json")).unwrap(),
        "\u{feff}{\"price\": 3}\n".as_bytes()
    );
    assert_eq!(
        fs::read_to_string(folder.path("c.json")).unwrap(),
        "{\"price\": 3}"
    );
}

#[test]
fn copies_and_operations_are_bounded() {
    let double = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
    let patch = format!("[{}]", [double; 40].join(","));
    let folder = Folder::with(&[
        ("a.json", b"{\"a\":[\"0123456789\"]}"),
        ("p.json", patch.as_bytes()),
    ]);
    let ran = folder.run(&["patch", "p.json", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert!(
        ran.err.contains("the copies are larger than"),
        "{}",
        ran.err
    );

    let add = r#"{"op":"add","path":"/a/0","value":1}"#;
    let many = format!("[{}]", vec![add; 100_000].join(","));
    fs::write(folder.path("p.json"), many).unwrap();
    let ran = folder.run(&["patch", "p.json", "a.json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["a"].as_array().unwrap().len(), 100_001);
}

/// Every enabled case of json-patch-tests, through the program.
#[test]
fn the_published_cases() {
    let Some(suite) = suite("json-patch-tests") else {
        return;
    };
    let folder = Folder::with(&[]);
    let mut count = 0;
    for file in ["tests.json", "spec_tests.json"] {
        let text = fs::read(suite.join(file)).unwrap();
        let cases: Vec<Value> = serde_json::from_slice(&text).unwrap();
        for case in &cases {
            if case["disabled"] == true || case.get("doc").is_none() {
                continue;
            }
            count += 1;
            fs::write(folder.path("d.json"), case["doc"].to_string()).unwrap();
            fs::write(folder.path("p.json"), case["patch"].to_string()).unwrap();
            let ran = folder.run(&["patch", "p.json", "d.json"]);
            match (case.get("expected"), case.get("error")) {
                (Some(expected), _) => {
                    let found: Value = serde_json::from_str(&ran.out)
                        .unwrap_or_else(|_| panic!("{case}: {}", ran.err));
                    assert_eq!((&found, ran.code), (expected, 0), "{case}");
                }
                (None, Some(_)) => {
                    assert!(
                        ran.out.is_empty() && matches!(ran.code, 1 | 2),
                        "{case}: {ran:?}"
                    );
                }
                (None, None) => assert_eq!(ran.code, 0, "{case}: {}", ran.err),
            }
        }
    }
    assert!(count > 90, "{count} cases");
}

/// Differences are applied by our `patch` and, if installed, by Python's jsonpatch.
#[test]
fn differences_are_patches() {
    let python = ["python3", "python"].into_iter().find(|python| {
        let import = Command::new(python)
            .args(["-c", "import jsonpatch"])
            .stderr(Stdio::null())
            .status();
        import.is_ok_and(|status| status.success())
    });
    if python.is_none() {
        eprintln!("skipped in part: Python's jsonpatch is not installed");
    }
    // 100,000 pairs in CI.
    let (rounds, pairs): (u64, u64) = match std::env::var_os("JSONX_CASES") {
        Some(_) => (100, 1000),
        None => (30, 100),
    };
    let folder = Folder::with(&[]);
    let mut state = 1;
    for round in 0..rounds {
        // Many pairs in one document: their differences are independent.
        let old: Vec<Value> = (0..pairs).map(|_| value(&mut state, 4)).collect();
        let new: Vec<Value> = old.iter().map(|value| changed(value, &mut state)).collect();
        let name = |side: &str| format!("{side}{round}.json");
        fs::write(folder.path(&name("a")), Value::from(old).to_string()).unwrap();
        fs::write(
            folder.path(&name("b")),
            Value::from(new.clone()).to_string(),
        )
        .unwrap();
        let diff = folder.run(&["diff", "--format", "patch", &name("a"), &name("b")]);
        assert!(diff.code < 2, "{}", diff.err);
        fs::write(folder.path(&name("p")), &diff.out).unwrap();
        let ran = folder.run(&["patch", &name("p"), &name("a")]);
        assert_eq!(
            serde_json::from_str::<Value>(&ran.out).unwrap(),
            Value::from(new),
            "{}",
            ran.err
        );
    }
    let Some(python) = python else { return };
    let script = "import json, jsonpatch, sys\n\
        for n in range(int(sys.argv[1])):\n\
        \x20   a, b, p = (json.load(open(f'{s}{n}.json')) for s in 'abp')\n\
        \x20   assert jsonpatch.apply_patch(a, p) == b, n\n";
    let ran = Command::new(python)
        .args(["-c", script, &rounds.to_string()])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(0x5851_f42d_4c95_7f2d)
        .wrapping_add(0x1405_7b7e_f767_814f);
    (*state >> 40) as usize
}

fn value(state: &mut u64, depth: usize) -> Value {
    let kinds = if depth == 0 { 4 } else { 7 };
    let length = next(state) % 5;
    match next(state) % kinds {
        0 => Value::from(next(state) % 4),
        1 => Value::from(["", "a", "~/é\n\"", "b c"][next(state) % 4]),
        2 => Value::Null,
        3 => Value::from(next(state).is_multiple_of(2)),
        4 | 5 => (0..length).map(|_| value(state, depth - 1)).collect(),
        _ => {
            let keys = ["a", "b/c", "d~", "", "0"];
            let member = |_| (keys[next(state) % 5].to_owned(), value(state, depth - 1));
            Value::Object((0..length).map(member).collect())
        }
    }
}

fn changed(old: &Value, state: &mut u64) -> Value {
    if next(state).is_multiple_of(12) {
        return value(state, 2);
    }
    match old {
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.iter().map(|e| changed(e, state)).collect();
            if next(state).is_multiple_of(3) && !elements.is_empty() {
                elements.remove(next(state) % elements.len());
            }
            if next(state).is_multiple_of(3) {
                elements.insert(next(state) % (elements.len() + 1), value(state, 1));
            }
            Value::Array(elements)
        }
        Value::Object(members) => {
            let kept = members.iter().filter(|_| !next(state).is_multiple_of(6));
            let kept: Vec<(String, Value)> = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
            Value::Object(
                kept.iter()
                    .map(|(k, v)| (k.clone(), changed(v, state)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// patch(1) takes the file first.
#[test]
fn a_patch_among_the_files_is_not_patched() {
    let (file, patch) = (
        r#"{"version":"1"}"#,
        r#"[{"op":"replace","path":"/version","value":"2"}]"#,
    );
    for first in [file, "[1]", "1"] {
        let folder = Folder::with(&[("a.json", first.as_bytes()), ("p.json", patch.as_bytes())]);
        for option in ["-w", "--check", "--diff"] {
            let ran = folder.run(&["patch", "a.json", "p.json", option]);
            assert_eq!(ran.code, 2, "{first} {option}: {}", ran.err);
        }
        assert_eq!(
            std::fs::read_to_string(folder.path("p.json")).unwrap(),
            patch
        );
    }
    let folder = Folder::with(&[("a.json", file.as_bytes()), ("p.json", patch.as_bytes())]);
    insta::assert_snapshot!(folder.run(&["patch", "a.json", "p.json", "-w"]).err, @"
    jsonx: p.json is a JSON Patch, and a.json is not
    the patch comes first: jsonx patch p.json a.json
    to patch the patch itself, use --merge
    ");
    assert_eq!(
        folder.run(&["patch", "--merge", "a.json", "p.json"]).code,
        0
    );
    assert_eq!(folder.run(&["patch", "p.json", "a.json"]).code, 0);
}
