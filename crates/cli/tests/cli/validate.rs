//! `jsonx validate`.

use jsonx_testing::suite;

use crate::{Folder, jsonx, piped, run, samples};

#[test]
fn valid_files_print_nothing() {
    for file in samples() {
        // One of them has integers that doubles cannot hold.
        let args = ["validate", "--allow=unsafe-integer"];
        let ran = run(jsonx(&args).arg(&file).write_stdin(""));
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", "", 0),
            "{}",
            file.display()
        );
    }
}

#[test]
fn an_error_is_shown_with_its_line_and_a_caret() {
    let folder = Folder::with(&[("config.json", b"{\n  \"a\": [1, 2],\n  \"b\": tru\n}\n")]);
    let ran = folder.run(&["validate", "config.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    insta::assert_snapshot!(ran.out, @r#"
    error[wrong-literal]: `tru` is not a JSON value
     --> config.json:3:8
      |
    3 |   "b": tru
      |        ^^^ did you mean `true`?
      = at: .b

    1 error in 1 file; 1 file checked
    "#);
}

#[test]
fn standard_input_is_read_without_a_file_and_for_a_dash() {
    for args in [&["validate"][..], &["validate", "-"]] {
        assert_eq!(piped(args, "[1, 2]").code, 0);
        let ran = piped(args, "[1, 2");
        assert_eq!(ran.code, 1);
        assert!(ran.out.contains(" --> <stdin>:1:6\n"), "{}", ran.out);
    }
}

#[test]
fn every_file_is_checked_and_the_highest_code_wins() {
    let folder = Folder::with(&[
        ("bad.json", b"[1,]"),
        ("good.json", b"{}"),
        ("worse.json", b"]"),
    ]);
    let ran = folder.run(&["validate", "bad.json", "good.json", "worse.json"]);
    assert_eq!(ran.code, 1);
    let (bad, worse) = (
        ran.out.find("bad.json:1:3").unwrap(),
        ran.out.find("worse.json:1:1").unwrap(),
    );
    assert!(bad < worse);

    let ran = folder.run(&["validate", "gone.json", "bad.json"]);
    assert_eq!(ran.code, 4);
    assert!(ran.out.contains("bad.json:1:3"));
    assert_eq!(ran.err, "jsonx: gone.json: No such file or directory\n");
}

#[test]
fn an_empty_input_is_named_as_such() {
    let ran = piped(&["validate"], "");
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.out, @r"
    error[empty-input]: the file is empty
     --> <stdin>:1:1
      |
      = note: 0 bytes; even `null` or `{}` would be valid

    1 error in 1 file; 1 file checked
    ");
    let ran = piped(&["validate"], " \n");
    assert_eq!((ran.code, ran.out.contains("<stdin>:2:1")), (1, true));
}

#[test]
fn a_cut_text_is_wrong_at_its_end() {
    let text = br#"{"a": [1, -2.5e3, "x\u00e9", true, null, {}]}"#;
    for length in 1..text.len() {
        let ran = piped(&["validate", "--reporter=json"], &text[..length]);
        assert_eq!(ran.code, 1);
        assert!(
            ran.out.contains(&format!("\"invalidAt\":{length},")),
            "{length}: {}",
            ran.out
        );
        assert_eq!(ran.out.lines().count(), 3, "one error: {}", ran.out);
    }
}

#[test]
fn other_encodings_are_named() {
    for (bytes, name) in [
        (&b"PK\x03\x04\x14\x00"[..], "zip"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b"\xfe\xff\x00{\x00}", "UTF-16"),
        (b"{\x00\"\x00a\x00", "UTF-16"),
        (b"\xff\xfe\x00\x00{\x00\x00\x00", "UTF-32"),
        (b"<!DOCTYPE html>", "HTML"),
        (b"---\na: 1\n", "YAML"),
    ] {
        let folder = Folder::with(&[("file", bytes)]);
        for ran in [
            piped(&["validate"], bytes),
            folder.run(&["validate", "file"]),
        ] {
            assert_eq!(ran.code, 1);
            assert!(
                ran.out.contains("[wrong-") && ran.out.contains(name),
                "{}",
                ran.out
            );
        }
    }
}

#[test]
fn a_byte_order_mark_is_a_warning_and_has_no_column() {
    let folder = Folder::with(&[
        ("marked.json", b"\xef\xbb\xbf[1, 2]"),
        ("only.json", b"\xef\xbb\xbf"),
    ]);
    let ran = folder.run(&["validate", "marked.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert_eq!(
        crate::headlines(&ran.out),
        ["warning[byte-order-mark] marked.json:1:1"]
    );
    let ran = folder.run(&["validate", "--allow=byte-order-mark", "marked.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0));
    assert!(
        piped(&["validate"], b"\xef\xbb\xbf[1 2]")
            .out
            .contains(":1:3\n")
    );
    assert!(
        folder
            .run(&["validate", "only.json"])
            .out
            .contains(":1:1\n")
    );
    // Anywhere else, it is not white space.
    assert_eq!(piped(&["validate"], b"[\xef\xbb\xbf]").code, 1);
    assert_eq!(piped(&["validate"], b"\xef\xbb\xbf\xef\xbb\xbf[]").code, 1);
}

#[test]
fn nesting_has_a_limit_that_can_be_moved() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(piped(&["validate"], nested(10_000)).code, 0);
    let ran = piped(&["validate"], nested(10_001));
    assert_eq!(ran.code, 4);
    assert_eq!(
        crate::headlines(&ran.out),
        ["error[deep-nesting] <stdin>:1:10001"]
    );
    assert_eq!(
        piped(&["validate", "--max-depth", "20000"], nested(10_001)).code,
        0
    );
    assert_eq!(piped(&["validate", "--max-depth", "1"], "[[]]").code, 4);
    assert_eq!(
        piped(&["validate", "--max-depth", "0"], nested(1_000_000)).code,
        0
    );
    assert_eq!(
        piped(&["validate", "--max-depth", "0"], "[".repeat(1_000_000)).code,
        1
    );
}

#[test]
fn json_lines_are_one_value_each() {
    let good = "{\"a\": 1}\r\n\n  \t\n[2]\n\"three\"";
    let folder = Folder::with(&[
        ("good.jsonl", good.as_bytes()),
        ("good.ndjson", good.as_bytes()),
        ("good.json", good.as_bytes()),
        ("two.jsonl", b"1\n2 3\n"),
        ("spread.jsonl", b"1\n[\n2]\n"),
        ("empty.jsonl", b""),
    ]);
    assert_eq!(
        folder
            .run(&["validate", "good.jsonl", "good.ndjson", "empty.jsonl"])
            .code,
        0
    );
    assert_eq!(folder.run(&["validate", "good.json"]).code, 1);
    assert_eq!(
        folder
            .run(&["validate", "--input", "jsonl", "good.json"])
            .code,
        0
    );
    assert_eq!(
        folder
            .run(&["validate", "--input", "json", "good.jsonl"])
            .code,
        1
    );
    assert_eq!(
        folder
            .run(&["validate", "--input", "stream", "two.jsonl", "spread.jsonl"])
            .code,
        0
    );
    let ran = folder.run(&["validate", "two.jsonl", "spread.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("two.jsonl:2:3 (record 2)\n")
            && ran.out.contains("spread.jsonl:2:2 (record 2)\n")
            && ran.out.contains("spread.jsonl:3:2 (record 3)\n"),
        "{}",
        ran.out
    );
    assert_eq!(piped(&["validate", "--input", "jsonl"], "1\n2 3\n").code, 1);
}

#[test]
fn a_stream_is_any_number_of_values() {
    for text in ["", "1", "1 2", "{}[]\"a\"null", "\n[1]\n[2]\n"] {
        assert_eq!(
            piped(&["validate", "--input", "stream"], text).code,
            0,
            "{text}"
        );
    }
    for text in ["1,2", "truefalse", "[1][", "1 ]"] {
        assert_eq!(
            piped(&["validate", "--input", "stream"], text).code,
            1,
            "{text}"
        );
    }
}

#[test]
fn the_line_is_cut_around_an_error_far_to_the_right() {
    let text = format!("[{}x]", "\"abcdefghij\",".repeat(100_000));
    let folder = Folder::with(&[("one-line.json", text.as_bytes())]);
    for ran in [
        folder.run(&["validate", "one-line.json"]),
        piped(&["validate"], &text),
    ] {
        assert!(ran.out.contains(":1:1300002\n"), "{}", ran.out);
        let lines: Vec<&str> = ran.out.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= 100), "{}", ran.out);
        assert_eq!(
            lines[3].as_bytes()[lines[4].find('^').unwrap()],
            b'x',
            "{}",
            ran.out
        );
    }
}

#[test]
fn the_suite_of_the_grammar_has_the_verdicts_it_should_have() {
    let Some(list) = suite("JSONTestSuite/grammar-verdicts.jsonl") else {
        return;
    };
    let suite = list.parent().expect("a folder");
    let list = std::fs::read_to_string(&list).expect("the list of verdicts");
    let mut files = 0;
    for record in list.lines() {
        let record: serde_json::Value = serde_json::from_str(record).expect("a record");
        let file = suite.join(record["file"].as_str().expect("a name"));
        // A byte-order mark is not part of the grammar; it is accepted with a warning.
        let text = std::fs::read(&file).expect("a file of the list");
        let valid = match text.strip_prefix(b"\xef\xbb\xbf") {
            Some(text) => text == b"{}",
            None => record["valid"].as_bool().expect("a verdict"),
        };
        let expected = i32::from(!valid);
        let args = ["validate", "--max-depth", "0"];
        let ran = run(jsonx(&args).arg(&file).write_stdin(""));
        assert_eq!(
            ran.code,
            expected,
            "{}\n{}{}",
            file.display(),
            ran.out,
            ran.err
        );
        assert_eq!(
            run(jsonx(&args).pipe_stdin(&file).expect("a file")).code,
            expected,
            "{}",
            file.display()
        );
        files += 1;
    }
    assert!(files > 300, "the list is not complete");
}
