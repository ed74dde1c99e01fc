//! Reports on broken inputs, in every format and from every kind of input.

use serde_json::{Value, json};

use crate::{Folder, jsonx, piped, run};

const BROKEN: &[u8] = b"{\n  \"a\": 1\n  \"b\": [1, 2,],\n  c: 0x1f\n}\n";

fn records(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).expect("a record a line"))
        .collect()
}

#[test]
fn every_error_of_every_file_is_shown() {
    let folder = Folder::with(&[
        ("bad.json", BROKEN),
        ("good.json", b"{}"),
        ("worse.json", b"[1 2]"),
    ]);
    let ran = folder.run(&["validate", "bad.json", "good.json", "worse.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.out, @r#"
    error[missing-comma]: missing comma between members
     --> bad.json:2:9
      |
    2 |   "a": 1
      |         ^ insert `,` here
    3 |   "b": [1, 2,],
      = at: .a

    error[trailing-comma]: trailing comma in array
     --> bad.json:3:13
      |
    3 |   "b": [1, 2,],
      |             ^ remove this comma
      = at: .b

    error[unquoted-key]: object keys must be strings in double quotes
     --> bad.json:4:3
      |
    4 |   c: 0x1f
      |   ^ write `"c"`

    error[non-decimal-number]: hexadecimal numbers are not allowed in JSON
     --> bad.json:4:6
      |
    4 |   c: 0x1f
      |      ^^^^ write `31`
      = at: .c

    error[missing-comma]: missing comma between elements
     --> worse.json:1:3
      |
    1 | [1 2]
      |   ^ insert `,` here
      = at: .[0]

    5 errors in 2 files; 3 files checked
    "#);
}

#[test]
fn warnings_accompany_errors_and_do_not_change_the_code() {
    let marked = b"\xef\xbb\xbf{\"a\": 1, \"a\": \"\\ud800\",}";
    let ran = piped(&["validate"], marked);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    for code in ["byte-order-mark", "duplicate-key", "lone-surrogate"] {
        assert!(
            ran.out.contains(&format!("warning[{code}]: ")),
            "{}",
            ran.out
        );
    }
    assert!(
        ran.out
            .ends_with("1 error in 1 file, 3 warnings; 1 file checked\n"),
        "{}",
        ran.out
    );
}

#[test]
fn a_small_pipe_is_as_good_as_a_file() {
    let folder = Folder::with(&[("bad.json", BROKEN)]);
    for reporter in ["human", "concise", "json"] {
        let from_file = folder.run(&["validate", "--reporter", reporter, "bad.json"]);
        let from_pipe = piped(&["validate", "--reporter", reporter], BROKEN);
        assert_eq!(
            from_file.out.replace("bad.json", "<stdin>"),
            from_pipe.out,
            "{reporter}"
        );
        assert_eq!((from_file.code, from_pipe.code), (1, 1));
    }
    // Three MiB before the error, and one after it.
    let text = format!("[{}1 2,{}01]", "1,\n".repeat(1 << 20), "3,".repeat(1 << 17));
    let ran = piped(&["validate", "--reporter", "concise"], &text);
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    assert!(
        ran.out
            .starts_with("<stdin>:1048577:2: error[missing-comma]: "),
        "{}",
        ran.out
    );
    // Six MiB, with an error at the beginning and one at the end.
    let text = format!("[1 2,\n{}01]", "3,\n".repeat(2 << 20));
    let folder = Folder::with(&[("long.json", text.as_bytes())]);
    for reporter in ["human", "json"] {
        let from_file = folder.run(&["validate", "--reporter", reporter, "long.json"]);
        let from_pipe = piped(&["validate", "--reporter", reporter], &text);
        let expected = from_file.out.replace("long.json", "<stdin>");
        assert_eq!(expected, from_pipe.out, "{reporter}");
        assert!(expected.contains("2097154"), "{expected}");
    }
}

#[test]
fn errors_far_into_a_pipe_have_a_position_without_a_cause() {
    let text = format!("[{}1 2,{}01]", "1,\n".repeat(2 << 20), "3,".repeat(1 << 17));
    let ran = piped(&["validate"], &text);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    assert_eq!(
        crate::headlines(&ran.out),
        ["error[syntax-error] <stdin>:2097153:3"]
    );
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[3].starts_with("2097153 | 1 2,3,3,3,") && lines[3].ends_with("..."));
    assert_eq!(lines[4], "        |   ^ not JSON from here on");
    assert_eq!(
        lines[5],
        "        = note: after the first 4 MB of a pipe only the first error is reported"
    );
    assert_eq!(lines[7], "1 error in 1 file; 1 file checked");

    // The same from the middle of a long line of characters of three bytes.
    let text = format!("[\"{}\" \"x\"]", "語".repeat(2 << 20));
    let ran = piped(&["validate", "--reporter", "json"], &text);
    let found = &records(&ran.out);
    let at = text.len() - 4;
    assert_eq!(
        (
            &found[0]["line"],
            &found[0]["column"],
            &found[0]["byteOffset"]
        ),
        (&json!(1), &json!((2 << 20) + 5), &json!(at))
    );
    assert_eq!(found[1]["invalidAt"], json!(at));

    // The first bytes identify the format.
    let page = format!("<!DOCTYPE html>\n{}", "<p>text</p>\n".repeat(1 << 19));
    let ran = piped(&["validate"], &page);
    assert_eq!(
        crate::headlines(&ran.out)[0],
        "error[wrong-format] <stdin>:1:1"
    );
    let deep = "[".repeat(8 << 20);
    let ran = piped(&["validate"], &deep);
    assert_eq!(ran.code, 4);
    assert_eq!(
        crate::headlines(&ran.out),
        [
            "error[deep-nesting] <stdin>:1:10001",
            "error[syntax-error] <stdin>:1:8388609"
        ]
    );
}

/// A sparse file, too long to be diagnosed, whose first bytes are not JSON.
#[test]
fn very_long_files_have_a_position_without_a_cause() {
    let folder = Folder::with(&[("long.json", b"{\n  \"a\": 1,\n  \"b\": 2,\n}")]);
    let file = std::fs::File::options()
        .write(true)
        .open(folder.path("long.json"))
        .unwrap();
    if file.set_len(1 << 30).is_err() {
        eprintln!("skipped: no room for a sparse file");
        return;
    }
    let ran = folder.run(&["validate", "long.json"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.out.lines().take(3).collect::<Vec<_>>().join("\n"), @r"
    error[syntax-error]: invalid JSON: expected a key in double quotes
     --> long.json:4:1
      |
    ");
    let ran = folder.run(&["validate", "--reporter", "json", "long.json"]);
    let found = records(&ran.out);
    assert_eq!(
        found[1],
        json!({"type": "file", "file": "long.json", "valid": false, "invalidAt": 22, "errors": 1, "warnings": 0,
            "bytes": 1 << 30, "truncated": false})
    );
}

#[test]
fn concise_is_one_line_for_each_finding() {
    let folder = Folder::with(&[("bad.json", BROKEN), ("good.json", b"1")]);
    let ran = folder.run(&["validate", "--reporter=concise", "bad.json", "good.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.out, @r#"
    bad.json:2:9: error[missing-comma]: missing comma between members (insert `,` here)
    bad.json:3:13: error[trailing-comma]: trailing comma in array (remove this comma)
    bad.json:4:3: error[unquoted-key]: object keys must be strings in double quotes (write `"c"`)
    bad.json:4:6: error[non-decimal-number]: hexadecimal numbers are not allowed in JSON (write `31`)
    "#);
}

#[test]
fn json_has_a_record_for_each_finding_each_file_and_the_run() {
    let folder = Folder::with(&[("bad.json", BROKEN), ("good.json", b"\xef\xbb\xbf[1]")]);
    let ran = folder.run(&[
        "validate",
        "--reporter",
        "json",
        "bad.json",
        "good.json",
        "gone.json",
    ]);
    assert_eq!(ran.code, 4);
    let mut found = records(&ran.out);
    let types: Vec<&str> = found.iter().map(|r| r["type"].as_str().unwrap()).collect();
    let diagnostic = "diagnostic";
    assert_eq!(
        types,
        [
            diagnostic, diagnostic, diagnostic, diagnostic, "file", diagnostic, "file", "failure",
            "summary"
        ]
    );
    let mark = found.remove(5);
    assert_eq!(
        (&mark["code"], &mark["severity"]),
        (&json!("byte-order-mark"), &json!("warning"))
    );
    assert_eq!(found[1]["fix"]["applicability"], "safe");
    assert_eq!(
        found[4],
        json!({"type": "file", "file": "bad.json", "valid": false, "invalidAt": 13, "errors": 4, "warnings": 0,
            "bytes": BROKEN.len(), "truncated": false})
    );
    assert_eq!(
        found[5],
        json!({"type": "file", "file": "good.json", "valid": true, "invalidAt": null, "errors": 0, "warnings": 1,
            "bytes": 6, "truncated": false})
    );
    assert_eq!(found[6]["message"], "No such file or directory");
    assert_eq!(
        found[7],
        json!({"type": "summary", "v": 1, "files": 2, "errors": 4, "warnings": 1, "truncated": false})
    );
    // A limit does not locate the error.
    let ran = piped(&["validate", "--reporter=json", "--max-depth=1"], "[[]]");
    assert_eq!(ran.code, 4);
    assert_eq!(records(&ran.out)[1]["invalidAt"], Value::Null);
}

#[test]
fn many_errors_are_counted_and_as_many_shown_as_are_wanted() {
    let text = format!("[{}1]", "01,\n".repeat(2000));
    let shown = |args: &[&str]| {
        let ran = piped(&[&["validate"][..], args].concat(), &text);
        assert_eq!(ran.code, 1, "{args:?}");
        ran.out
    };
    let human = shown(&[]);
    assert_eq!(human.matches("error[").count(), 6);
    assert!(
        human.contains(
            "note: 1994 more `leading-zero` on lines 7 to 2000 of <stdin> not shown (--max-errors 0 shows all)\n"
        ) && human.ends_with("\n2000 errors in 1 file; 1 file checked\n"),
        "{human}"
    );
    assert_eq!(shown(&["--max-errors=2"]).matches("error[").count(), 2);
    assert_eq!(shown(&["--max-errors=0"]).matches("error[").count(), 2000);

    let concise = |args: &[&str]| shown(&[&["--reporter=concise"][..], args].concat());
    assert_eq!(concise(&[]).lines().count(), 1001);
    assert!(concise(&[]).ends_with(": 1000 more like this from here on\n"));
    assert_eq!(concise(&["--max-errors=3"]).lines().count(), 4);
    assert_eq!(concise(&["--max-errors=0"]).lines().count(), 2000);

    let found = records(&shown(&["--reporter=json", "--max-errors=5"]));
    assert_eq!(found.len(), 7);
    assert_eq!(
        (
            &found[5]["errors"],
            &found[5]["truncated"],
            &found[6]["truncated"]
        ),
        (&json!(2000), &json!(true), &json!(true))
    );
}

#[test]
fn every_bad_line_is_reported_with_its_number() {
    let lines = "{\"a\": 1}\n\n[1 2]\n{\"b\": 2}\n{\"c\"}\n{\"d\": [";
    let ran = piped(&["validate", "--input=jsonl"], lines);
    assert_eq!(ran.code, 1);
    for place in [
        "<stdin>:3:3 (record 2)\n",
        "<stdin>:5:5 (record 4)\n",
        "<stdin>:6:8 (record 5)\n",
    ] {
        assert!(ran.out.contains(place), "{place}: {}", ran.out);
    }
    assert!(
        ran.out.contains("the last record is truncated"),
        "{}",
        ran.out
    );
    let ran = piped(&["validate", "--input=jsonl", "--reporter=json"], lines);
    let numbers: Vec<u64> = records(&ran.out)
        .iter()
        .filter_map(|record| record["record"].as_u64())
        .collect();
    assert_eq!(numbers, [2, 4, 5]);

    let ran = piped(&["validate", "--input=stream"], "1 {\"a\" 2}\n[3,] 4");
    assert_eq!(ran.out.matches("error[").count(), 2, "{}", ran.out);
}

#[test]
fn fmt_and_get_have_the_same_messages() {
    let folder = Folder::with(&[("bad.json", BROKEN)]);
    let validate = folder.run(&["validate", "bad.json"]);
    let findings = validate
        .out
        .strip_suffix("4 errors in 1 file; 1 file checked\n")
        .unwrap();
    for args in [&["fmt", "bad.json"][..], &["get", ".a", "bad.json"]] {
        let ran = folder.run(args);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", findings, 3)
        );
    }
    let ran = piped(&["fmt"], BROKEN);
    assert_eq!(
        (ran.err.as_str(), ran.code),
        (&*findings.replace("bad.json", "<stdin>"), 3)
    );
    // These commands report duplicate keys themselves, or ignore them.
    let ran = piped(&["fmt", "-c"], "{\"a\":1,\"a\":2,}");
    assert!(!ran.err.contains("warning"), "{}", ran.err);
    let ran = run(jsonx(&["fmt", "--max-errors=1"]).write_stdin(BROKEN));
    assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
}

#[test]
fn logs_of_ci_services_contain_no_commands() {
    let text = "[\"##[error]x ##vso[task.complete]\" oops ##teamcity[x]]";
    for variable in ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
        for reporter in ["human", "concise", "json"] {
            let args = ["validate", "--reporter", reporter];
            let ran = run(jsonx(&args).env(variable, "1").write_stdin(text));
            assert_eq!(ran.code, 1);
            assert!(!ran.out.contains("##"), "{reporter}: {}", ran.out);
        }
    }
    assert!(piped(&["validate"], text).out.contains("##[error]"));
    let folder = Folder::with(&[("::error::x.json", b"[1,]")]);
    let mut command = jsonx(&["validate", "--reporter=concise", "::error::x.json"]);
    command.current_dir(folder.path(""));
    let ran = run(command.env("GITHUB_ACTIONS", "true").write_stdin(""));
    assert!(
        ran.out.starts_with("./::error::x.json:1:3: "),
        "{}",
        ran.out
    );
}

/// For a file that is too long to be diagnosed, lines are counted during the check.
#[test]
fn an_error_far_into_a_long_file_has_its_line_and_column() {
    use std::io::Write;

    let line = "\"é\", 1234567890, \"a line of an array that is long enough\",\r\n";
    let lines = (257 << 20) / line.len();
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    let block = line.repeat(1000);
    file.write_all(b"[\n").expect("written");
    for _ in 0..lines / 1000 + 1 {
        file.write_all(block.as_bytes()).expect("written");
    }
    file.write_all("  \"€\" x]".as_bytes()).expect("written");
    file.flush().expect("written");
    let path = file.path().to_str().expect("a path in UTF-8");
    let ran = run(jsonx(&["validate", "--reporter", "concise", path]).write_stdin(""));
    let place = format!(
        "{path}:{}:7: error[syntax-error]: ",
        (lines / 1000 + 1) * 1000 + 2
    );
    assert!(ran.out.starts_with(&place), "{} is not at {place}", ran.out);
    assert_eq!((ran.out.lines().count(), ran.code), (1, 1));
}
