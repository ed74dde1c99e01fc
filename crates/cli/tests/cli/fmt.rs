//! `jsonx fmt`.

use crate::{Folder, jsonx, piped, run, samples};

const SMALL: &str = r#"{"a":[1.50,{},[ ]],"\u0061":"x" , "a":1E400}"#;

#[test]
fn the_default_look_is_that_of_jq() {
    let ran = piped(&["fmt"], SMALL);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert_eq!(
        ran.out,
        "{\n  \"a\": [\n    1.50,\n    {},\n    []\n  ],\n  \"\\u0061\": \"x\",\n  \"a\": 1E400\n}\n"
    );
}

#[test]
fn looks_can_be_chosen_and_the_last_choice_counts() {
    let compact = "{\"a\":[1.50,{},[]],\"\\u0061\":\"x\",\"a\":1E400}\n";
    for args in [&["fmt", "-c"][..], &["fmt", "--compact"]] {
        assert_eq!(piped(args, SMALL).out, compact, "{args:?}");
    }
    // Options for lines conflict with it.
    for option in [
        "--tab",
        "--indent=3",
        "--indent=keep",
        "--width=40",
        "--style=lines",
        "--style=prettier",
        "--trailing-commas=all",
        "--canonical",
    ] {
        for args in [["fmt", "-c", option], ["fmt", option, "-c"]] {
            let ran = piped(&args, SMALL);
            assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
            let name = option.split('=').next().unwrap();
            assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
            assert!(ran.err.contains(name), "{}", ran.err);
        }
    }
    assert_eq!(
        piped(&["fmt", "--indent=tab"], "[[1]]").out,
        "[\n\t[\n\t\t1\n\t]\n]\n"
    );
    assert_eq!(piped(&["fmt", "--indent", "4"], "[1]").out, "[\n    1\n]\n");
    assert_eq!(
        piped(&["fmt", "--tab", "--indent", "1"], "[1]").out,
        "[\n 1\n]\n"
    );
    for wrong in ["0", "256"] {
        assert_eq!(piped(&["fmt", "--indent", wrong], "[1]").code, 2);
    }
}

#[test]
fn files_and_pipes_give_the_same_and_formatting_again_changes_nothing() {
    for file in samples() {
        let text = std::fs::read(&file).unwrap();
        let kind = if file.extension().is_some_and(|name| name == "jsonl") {
            "jsonl"
        } else {
            "json"
        };
        for look in [
            &["fmt", "--indent=2"][..],
            &["fmt", "-c"],
            &["fmt", "--tab"],
        ] {
            let from_file = run(jsonx(look).arg(&file).write_stdin(""));
            assert_eq!(
                (from_file.err.as_str(), from_file.code),
                ("", 0),
                "{}",
                file.display()
            );
            let look = [look, &["--input", kind]].concat();
            let from_pipe = run(jsonx(&look).write_stdin(&*text));
            assert!(from_file == from_pipe, "{}", file.display());
            assert!(
                piped(&look, &from_file.out) == from_file,
                "{}",
                file.display()
            );
        }
        let compact = piped(&["fmt", "-c"], &text).out;
        assert!(
            piped(&["fmt", "-c"], piped(&["fmt"], &text).out).out == compact,
            "{}",
            file.display()
        );
    }
}

#[test]
fn standard_input_is_a_stream_of_values() {
    assert_eq!(
        piped(&["fmt", "-c"], "1 [2,\n3]{}\"x\"").out,
        "1\n[2,3]\n{}\n\"x\"\n"
    );
    let nothing = piped(&["fmt", "--input=stream"], "");
    assert_eq!(
        (nothing.out.as_str(), nothing.err.as_str(), nothing.code),
        ("", "", 0)
    );
    assert_eq!(piped(&["fmt", "--input", "json"], "1 2").code, 3);
    assert_eq!(piped(&["fmt", "--input", "jsonl"], "1 2\n").code, 0);
}

#[test]
fn lines_of_a_file_stay_values_of_their_own() {
    let folder = Folder::with(&[
        ("a.jsonl", b"{\"a\":  1}\n\n[ ]\n"),
        ("b.jsonl", b"1\n2 3\n"),
    ]);
    for look in [&["-c"][..], &[], &["--tab"], &["--width=9"]] {
        let ran = folder.run(&[&["fmt", "a.jsonl"], look].concat());
        assert_eq!(ran.out, "{\"a\":1}\n[]\n", "{look:?}");
    }
    let spread = folder.run(&["fmt", "--input=stream", "a.jsonl"]);
    assert_eq!(spread.out, "{\n  \"a\": 1\n}\n[]\n");
    let ran = folder.run(&["fmt", "-c", "b.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n2\n3\n", 0));
    assert!(
        ran.err.contains(" --> b.jsonl:2:3 (record 2)\n"),
        "{}",
        ran.err
    );
}

#[test]
fn nothing_of_an_invalid_file_is_printed() {
    let text = format!("[{}1 2]", "[1, 2, 3],".repeat(500_000));
    let folder = Folder::with(&[
        ("bad.json", b"{\"a\": 1,\n}"),
        ("large.json", text.as_bytes()),
    ]);
    let ran = folder.run(&["fmt", "bad.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    insta::assert_snapshot!(ran.err, @r#"
    error[trailing-comma]: trailing comma in object
     --> bad.json:1:8
      |
    1 | {"a": 1,
      |        ^ remove this comma
    2 | }
    "#);
    let ran = folder.run(&["fmt", "large.json"]);
    assert_eq!((ran.out.len(), ran.code), (0, 3));
    assert!(
        ran.err.contains(" --> large.json:1:5000003\n"),
        "{}",
        ran.err
    );
    // A redirected file is still a file.
    let ran = run(jsonx(&["fmt"]).pipe_stdin(folder.path("bad.json")).unwrap());
    assert_eq!(ran.code, 3);
}

#[test]
fn a_broken_pipe_keeps_the_printed_output() {
    let text = format!("{}[1,", "{\"a\": 1}\n".repeat(100_000));
    let ran = piped(&["fmt", "-c"], text);
    assert_eq!(ran.code, 3);
    assert!(ran.out.starts_with("{\"a\":1}\n{\"a\":1}\n"));
    assert!(ran.out.lines().count() > 90_000);
    assert!(ran.err.contains(" --> <stdin>:100001:4 ("), "{}", ran.err);
}

#[test]
fn depth_is_limited() {
    let ran = piped(&["fmt", "--max-depth", "2"], "[[[]]]");
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    let folder = Folder::with(&[("deep.json", b"[[[]]]")]);
    let ran = folder.run(&["fmt", "--max-depth", "2", "deep.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert_eq!(
        crate::headlines(&ran.err),
        ["error[deep-nesting] deep.json:1:3"]
    );
    assert_eq!(
        folder.run(&["fmt", "--max-depth", "0", "deep.json"]).code,
        2
    );
}

#[test]
fn a_byte_order_mark_is_not_printed() {
    let folder = Folder::with(&[("marked.json", b"\xef\xbb\xbf[1]")]);
    for ran in [
        folder.run(&["fmt", "-c", "marked.json"]),
        piped(&["fmt", "-c"], b"\xef\xbb\xbf[1]"),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("[1]\n", 0));
        assert_eq!(ran.err.matches("byte-order mark").count(), 1);
    }
}

#[test]
fn a_file_that_differs_in_line_ends_only_is_said_to() {
    for (text, args, differs) in [
        ("[\r\n  1\r\n]\r\n", &["--eol", "lf"][..], true),
        ("[\n  1\n]\n", &["--eol", "crlf"], true),
        ("[\r\n  1\n]\n", &[], true),
        ("[\r\n 1\r\n]\r\n", &["--eol", "lf", "--indent", "2"], false),
        ("[ 1]\n", &[], false),
    ] {
        let folder = Folder::with(&[("a.json", text.as_bytes())]);
        let ran = folder.run(&[&["fmt", "--check", "a.json"], args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("a.json\n", 1), "{text:?}");
        let note = "a.json: only its line ends differ\n";
        assert_eq!(ran.err.starts_with(note), differs, "{text:?}: {}", ran.err);
        let quiet = folder.run(&[&["fmt", "--check", "-q", "a.json"], args].concat());
        assert_eq!((quiet.err.as_str(), quiet.code), ("", 1), "{text:?}");
        let diff = folder.run(&[&["fmt", "--diff", "a.json"], args].concat());
        assert_eq!(
            diff.out.contains('\r'),
            text.contains('\r') || args.contains(&"crlf")
        );
    }
}
