//! `jsonx jq`. The language is tested in `crates/jq`, programs for common questions in `docs/jq.md`.

use jsonx_testing::cases;
use proptest::prelude::*;

use crate::{Folder, jsonx, piped, run};

/// Options, input, output and exit code, as in jq.
#[test]
fn options_and_exit_codes_equal_those_of_jq() {
    for (args, input, out, code) in [
        (
            &[".", "-c"][..],
            "{\"a\": [1, 2.50]}",
            "{\"a\":[1,2.50]}\n",
            0,
        ),
        (&["."], "{\"a\":[]}", "{\n  \"a\": []\n}\n", 0),
        (&["--tab", "."], "[1]", "[\n\t1\n]\n", 0),
        // The last of the layouts is used.
        (&["--tab", "-c", "."], "[1]", "[1]\n", 0),
        (&["-c", "--tab", "."], "[1]", "[\n\t1\n]\n", 0),
        (&["--tab", "--indent", "1", "."], "[1]", "[\n 1\n]\n", 0),
        (&["--indent", "1", "--tab", "."], "[1]", "[\n\t1\n]\n", 0),
        (&["--indent", "1", "."], "[1]", "[\n 1\n]\n", 0),
        (&["-r", ".[]"], r#"["a\n", 1]"#, "a\n\n1\n", 0),
        (&["-j", ".[]"], r#"["a", 1]"#, "a1", 0),
        // Strings with escapes have quotes.
        (&["-ar", ".[]"], "[\"é\", 1]", "\"\\u00e9\"\n1\n", 0),
        // The first of several variables with the same name is used.
        (
            &[
                "-n",
                "--arg",
                "a",
                "1",
                "--argjson",
                "a",
                "2",
                "$a, $ARGS.named.a",
            ],
            "",
            "\"1\"\n\"1\"\n",
            0,
        ),
        (&["--raw-output0", ".[]"], r#"["a", 1]"#, "a\x001\0", 0),
        (&["-a", "."], "\"é😀\"", "\"\\u00e9\\ud83d\\ude00\"\n", 0),
        (
            &["-cS", "."],
            r#"{"b": 1, "a": {"d": 1, "c": 2}}"#,
            "{\"a\":{\"c\":2,\"d\":1},\"b\":1}\n",
            0,
        ),
        (&["-cs", "."], "1 2\n3", "[1,2,3]\n", 0),
        (&["-n", "[inputs]", "-c"], "1 2\n3", "[1,2,3]\n", 0),
        (&["-cns", "[inputs]"], "1 2\n3", "[[1,2,3]]\n", 0),
        (&["-cns", "input, [inputs]"], "1 2", "[1,2]\n[]\n", 0),
        (&["-cns", "[inputs]"], "", "[[]]\n", 0),
        (&["-cnRs", "[inputs]"], "a\nb", "[\"a\\nb\"]\n", 0),
        (&["-cnRs", "input"], "", "\"\"\n", 0),
        (&["-n", "input, input"], "1 2\n3", "1\n2\n", 0),
        (&["-c", "[., input]"], "1 2\n3 4", "[1,2]\n[3,4]\n", 0),
        (&["-R", "."], "a\nb", "\"a\"\n\"b\"\n", 0),
        (&["-Rs", "."], "a\nb", "\"a\\nb\"\n", 0),
        (&["-Rn", "[inputs]", "-c"], "a\nb", "[\"a\",\"b\"]\n", 0),
        (&["--seq", "."], "1", "\x1e1\n", 0),
        (&["--seq", "-r", ".[]"], "[\"a\",1]", "a\n\x1e1\n", 0),
        (&["--seq", "-ja", ".[]"], "[\"a\",1]", "\"a\"\x1e1", 0),
        (
            &["-n", "\"\\ud83d\\ude00\\ude00\""],
            "",
            "\"😀\u{fffd}\"\n",
            0,
        ),
        (&["-n", "\"\\ud83dx\""], "", "", 3),
        (&["-n", "\"\\ud83d\\ud83d\\ude00\""], "", "", 3),
        (
            &["--csv", "[nan, 1, null, infinite]"],
            "1",
            ",1,,1.7976931348623157e+308\n",
            0,
        ),
        (
            &["-c", "[., input_line_number]"],
            "{\"a\":1}\n\n[\n2] 3\n4",
            "[{\"a\":1},1]\n[[2],4]\n[3,4]\n[4,4]\n",
            0,
        ),
        (
            &["-cn", "[inputs | [., input_line_number]]"],
            "1\n2\n\n3\n",
            "[[1,1],[2,2],[3,4]]\n",
            0,
        ),
        (&["-Rs", "input_line_number"], "a\nb\nc", "2\n", 0),
        (&["-R", "input_line_number"], "a\nb\n", "1\n2\n", 0),
        (
            &["-c", "--stream", "."],
            "3 []\n{\"a\":{}}",
            "[[],3]\n[[],[]]\n[[\"a\"],{}]\n[[\"a\"]]\n",
            0,
        ),
        (
            &["-c", "--stream", "."],
            r#"{"a": [1, {}]}"#,
            "[[\"a\",0],1]\n[[\"a\",1],{}]\n[[\"a\",1]]\n[[\"a\"]]\n",
            0,
        ),
        // As jq 1.8.2 prints them.
        (&["-1"], "1", "-1\n", 0),
        (&["-.a"], r#"{"a": 1}"#, "-1\n", 0),
        (&["-c", "-c", "."], "[1]", "[1]\n", 0),
        (
            &["-n", "--argjson", "a", "1", "--arg", "a", "2", "$a"],
            "",
            "1\n",
            0,
        ),
        (
            &[
                "-nc",
                "$ARGS.positional",
                "--args",
                "a",
                "--jsonargs",
                "1",
                "--args",
                "-2",
            ],
            "",
            "[\"a\",1,\"-2\"]\n",
            0,
        ),
        (&["-n", "1", "no file"], "", "1\n", 0),
        (&["--indent", "0", "."], "[1]", "[\n1\n]\n", 0),
        (&["--raw-output0", "."], r#""a\u0000b""#, "", 5),
        (&["def f: 1;"], "1", "", 3),
        (&[""], "1", "", 3),
        (&["-n", "null | halt_error(1)"], "", "", 1),
        (&["input_filename"], "1", "\"<stdin>\"\n", 0),
        (&["-R", "."], "a\r\n\nb", "\"a\\r\"\n\"\"\n\"b\"\n", 0),
        (&["-R", "--stream", "."], "1", "\"1\"\n", 0),
        (
            &["-cs", "--stream", "."],
            r#"{"a":1}"#,
            "[[[\"a\"],1],[[\"a\"]]]\n",
            0,
        ),
        (&["-c", "--stream", "."], "[1,2", "[[0],1]\n", 5),
        (&["-c", "--stream", "."], "1", "[[],1]\n", 0),
        (&["-c", "--stream", "."], "[1]2x", "[[0],1]\n[[0]]\n", 5),
        (
            &["-c", "--stream", "."],
            r#"{"a":1,"a":2}"#,
            "[[\"a\"],1]\n[[\"a\"],2]\n[[\"a\"]]\n",
            0,
        ),
        (
            &["-c", "."],
            "{\"a\":1} {\"a\":2} {\"a\":",
            "{\"a\":1}\n{\"a\":2}\n",
            5,
        ),
        (&["try input catch 3"], "1 x", "3\n", 5),
        (&["-n", "first(inputs)"], "1 2 x", "1\n", 0),
        (&["-1, 2"], "1", "-1\n2\n", 0),
        (&["-n", "-3|abs"], "", "3\n", 0),
        (&["--indent", "-1", "-."], "1", "-1\n", 0),
        (&["--arg", "a", "-.b", "$a"], "1", "\"-.b\"\n", 0),
        // The exit code is that of the last input.
        (&[". + \"x\""], "1\n\"a\"\n", "\"ax\"\n", 0),
        (&[". + \"x\""], "\"a\"\n1\n", "\"ax\"\n", 5),
        (&["-n", "try error(null) catch ."], "", "null\n", 0),
        (&["-R", "input_line_number"], "a\nb", "1\n1\n", 0),
        (&["-C", "-M", "-c", "."], "[1]", "[1]\n", 0),
        (&["."], "", "", 0),
        (
            &["-C", "-c", "."],
            r#"{"a":[]}"#,
            "\x1b[1;39m{\x1b[0m\x1b[1;34m\"a\"\x1b[0m\x1b[1;39m:\x1b[0m\x1b[1;39m[]\x1b[0m\x1b[1;39m}\x1b[0m\n",
            0,
        ),
        (&["-e", ".a"], "{}", "null\n", 1),
        (&["-e", ".a"], r#"{"a": 1}"#, "1\n", 0),
        (&["-e", "empty"], "1", "", 4),
        (&[".a"], "1", "", 5),
        (&[".a("], "1", "", 3),
        (&["."], "{", "", 5),
        (&["halt"], "1", "", 0),
        (&["halt_error"], "{}", "", 5),
        (&["\"x\" | halt_error(7)"], "1", "", 7),
        (&["--arg", "x", "-1", "$x"], "1", "\"-1\"\n", 0),
        (
            &[
                "--argjson",
                "x",
                "[1]",
                "-c",
                "$x, $named",
                "--arg",
                "named",
                "2",
            ],
            "1",
            "[1]\n\"2\"\n",
            0,
        ),
        (
            &["-c", "$ARGS", "--args", "a", "--jsonargs", "[2]"],
            "1",
            "{\"positional\":[\"a\",[2]],\"named\":{}}\n",
            0,
        ),
        (
            &["-C", "-c", "[1]"],
            "1",
            "\x1b[1;39m[\x1b[0m\x1b[0;39m1\x1b[0m\x1b[1;39m]\x1b[0m\n",
            0,
        ),
    ] {
        let args: Vec<&str> = std::iter::once("jq").chain(args.iter().copied()).collect();
        let ran = piped(&args, input);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, code),
            "{args:?}: {}",
            ran.err
        );
    }
}

/// Every kind of input, by name and by content.
#[test]
fn all_inputs_are_read() {
    let files: &[(&str, &[u8])] = &[
        ("a.json", b"{\"n\": 1}"),
        ("b.jsonc", b"{\"n\": 2, // two\n}"),
        ("c.json5", b"{n: +0x3}"),
        ("d.jsonl", b"{\"n\": 4}\n{\"n\": 5}\n"),
        ("e.txt", b"{\"n\":\n6} {\"n\": 7}"),
    ];
    let folder = Folder::with(files);
    let args = [
        "jq", ".n", "a.json", "b.jsonc", "c.json5", "d.jsonl", "e.txt",
    ];
    let ran = folder.run(&args);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("1\n2\n3\n4\n5\n6\n7\n", 0),
        "{}",
        ran.err
    );
    let ran = folder.run(&["jq", "-c", "[.n, input_filename]", ".", "-g", "*.json*"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.out);
    let ran = folder.run(&[
        "jq",
        "-n",
        "reduce inputs as $x (0; . + $x.n)",
        "a.json",
        "d.jsonl",
    ]);
    assert_eq!(ran.out, "10\n");
}

#[test]
fn names_stand_before_results() {
    let folder = Folder::with(&[("a.json", b"[1, [2]]"), ("b.jsonl", b"{\"n\":\"x\"}\n")]);
    for (args, out) in [
        (&["-H", "."][..], "a.json:[1,[2]]\nb.jsonl:{\"n\":\"x\"}\n"),
        (&["-rH", ".n?"], "b.jsonl:x\n"),
        (&["-H", "--indent=0", ".[0]?"], "a.json:1\n"),
        (
            &["-nH", "inputs"],
            "a.json:[1,[2]]\nb.jsonl:{\"n\":\"x\"}\n",
        ),
        (&["-H", ".[]?"], "a.json:1\na.json:[2]\nb.jsonl:\"x\"\n"),
    ] {
        let ran = folder.run(&[&["jq"], args, &["a.json", "b.jsonl"]].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{args:?} {}",
            ran.err
        );
    }
    assert_eq!(piped(&["jq", "-H", "."], "1").out, "<stdin>:1\n");
    // An array of all inputs has no name.
    let ran = folder.run(&["jq", "-Hs", ".[]", "a.json", "b.jsonl"]);
    assert_eq!(ran.out, "[1,[2]]\n{\"n\":\"x\"}\n");
}

/// The values before invalid text are processed; nothing is read after it, except with --skip-invalid.
#[test]
fn invalid_input_is_reported() {
    let lines = "{\"n\": 1}\n{\"n\": 2}\n{\"n\": }\n{\"n\": 3}\n";
    let glued = "{\"n\": 1} {\"n\": 2} {\"n\":";
    let folder = Folder::with(&[
        ("l.jsonl", lines.as_bytes()),
        ("l.json", lines.as_bytes()),
        ("glued.json", glued.as_bytes()),
        ("bad.json", b"{\"n\": 1,}"),
        ("ok.json", b"{\"n\": 2}"),
    ]);
    for ran in [
        folder.run(&["jq", ".n", "l.jsonl"]),
        folder.run(&["jq", ".n", "l.json"]),
        piped(&["jq", ".n"], lines),
        folder.run(&["jq", ".n", "l.jsonl", "ok.json"]),
        folder.run(&["jq", "-n", "inputs.n", "l.jsonl", "ok.json"]),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("1\n2\n", 5), "{}", ran.err);
        assert!(ran.err.contains(":3:6"), "{}", ran.err);
        assert!(ran.err.contains("--skip-invalid"), "{}", ran.err);
    }
    for ran in [
        folder.run(&["jq", ".n", "l.jsonl"]),
        folder.run(&["jq", ".n", "l.json"]),
        piped(&["jq", "-n", "inputs.n"], lines),
        piped(&["jq", "--threads=1", ".n"], lines),
    ] {
        assert!(ran.err.contains(":3:6 (record 3)"), "{}", ran.err);
        assert!(ran.err.contains("= help: `--skip-invalid`"), "{}", ran.err);
    }
    for args in [
        &["-s", "."][..],
        &["-n", "[inputs]"],
        &["-n", "reduce inputs as $x (0; . + $x.n)"],
    ] {
        let ran = folder.run(&[&["jq"], args, &["l.jsonl"]].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("", 5),
            "{args:?} {}",
            ran.err
        );
    }
    let ran = folder.run(&["jq", "--skip-invalid", ".n", "l.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n2\n3\n", 0));
    // Values that span lines are printed up to the first error; other text before values is skipped.
    let spread = "{\n\"n\":1\n}\n{\n\"n\":2\n}\n{\n\"n\":x\n}\n{\n\"n\":3\n}\n";
    for (args, text, out, code) in [
        (&["-c", ".n"][..], spread, "1\n2\n", 5),
        (&["-s", "."], spread, "", 5),
        (&["."], "x\n1\n", "1\n", 0),
        (&["-nc", "[inputs]"], "x\n1\n", "[1]\n", 0),
        (&["-sc", "."], "x\n1\n", "[1]\n", 0),
        (
            &["-c", "--stream", "."],
            "x\n[1]\n{\n[2]\n",
            "[[0],1]\n[[0]]\n[[0],2]\n[[0]]\n",
            0,
        ),
    ] {
        let folder = Folder::with(&[("a", text.as_bytes())]);
        let args = [&["jq", "--skip-invalid"], args].concat();
        for ran in [
            folder.run(&[&args[..], &["a"]].concat()),
            piped(&args, text),
        ] {
            assert_eq!(
                (ran.out.as_str(), ran.code),
                (out, code),
                "{args:?} {}",
                ran.err
            );
        }
    }
    let ran = folder.run(&["jq", "-w", "--skip-invalid", ".", "l.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("--skip-invalid does not go with them"),
        "{}",
        ran.err
    );
    for ran in [
        folder.run(&["jq", ".n", "glued.json"]),
        piped(&["jq", ".n"], glued),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("1\n2\n", 5), "{}", ran.err);
        assert!(ran.err.contains(":1:24"), "{}", ran.err);
        assert!(!ran.err.contains("multiple-values"), "{}", ran.err);
    }
    let ran = folder.run(&["jq", ".n", "none.json", "ok.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("2\n", 2), "{}", ran.err);
    let ran = folder.run(&["jq", ".n", "bad.json", "ok.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 5), "{}", ran.err);
    assert!(ran.err.contains("trailing-comma"), "{}", ran.err);
    // As in jq, with a warning.
    let ran = piped(
        &["jq", "-c", "."],
        b"[\"a\xffb\"]\n[\"\xc3\xa9\"]\n\"\xff\"",
    );
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("[\"a\u{fffd}b\"]\n[\"é\"]\n\"\u{fffd}\"\n", 0)
    );
    assert!(ran.err.contains("warning"), "{}", ran.err);
}

/// A value that spans the chunks of a pipe, and values of several lines.
#[test]
fn long_values_pass_through_pipes() {
    let long = format!("[\"{}\"]", "x".repeat(200_000));
    let text = format!("{long}\n{{\n\"a\": 1\n}}\n{long}\n");
    let ran = piped(&["jq", "-c", "length"], &text);
    assert_eq!(ran.out, "1\n1\n1\n");
}

/// Errors have a position in the program and in the input.
#[test]
fn errors_have_places() {
    let folder = Folder::with(&[("a.jsonl", b"{\"a\": [{\"b\": 1}]}\n{\"a\": [7]}\n")]);
    let ran = folder.run(&["jq", "-c", ".a[] |\n  .b", "a.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n", 5));
    let expected = "jsonx jq: error: a.jsonl:2:8 (.a[0]): Cannot index number with string (\"b\")\n    .b\n    ^^\n";
    assert_eq!(ran.err, expected);
    // An error in a library function has the position of the call.
    let ran = folder.run(&["jq", ".a | first | test(\"x\")", "a.jsonl"]);
    assert!(
        ran.err
            .ends_with("  .a | first | test(\"x\")\n               ^^^^^^^^^\n"),
        "{}",
        ran.err
    );
    for (program, message) in [
        (
            ".a.",
            "program:1:4: expected a key, found the end of the program",
        ),
        ("selct(.a)", "did you mean `select`?"),
        ("map(.a; 1)", "`map` takes 1 argument"),
        (". as $abc | $abd", "did you mean `$abc`?"),
        ("@cvs", "did you mean `@csv`?"),
        ("'a'", "strings are in double quotes"),
        ("if . then 1", "expected `elif`, `else` or `end`"),
    ] {
        let ran = piped(&["jq", program], "1");
        assert!(
            ran.err.contains(message) && ran.code == 3,
            "{program}: {}",
            ran.err
        );
    }
}

/// A value of another text than the input has no position in the input.
#[test]
fn values_of_other_texts_have_no_places() {
    let folder = Folder::with(&[("d.json", b"[\n7]"), ("a.json", b"\"[7]\"")]);
    for (args, program) in [
        (&["a.json"][..], "fromjson | .[0].b"),
        (&["-n", "--slurpfile", "d", "d.json"], "$d[0][0].b"),
        (&["-n", "--argjson", "d", "[7]"], "$d[0].b"),
        (&["-n", "-L", "."], "import \"d\" as $d; $d[0][0].b"),
    ] {
        let ran = folder.run(&[&["jq", program], args].concat());
        let message = "jsonx jq: error: Cannot index number with string (\"b\")\n";
        assert!(ran.err.starts_with(message), "{program}: {}", ran.err);
    }
}

/// Programs without end, and results without bounds, are errors.
#[test]
fn limits_are_errors() {
    for program in [
        "def f: f; f",
        "def f: 1 + f; f",
        "def f(g): f(g | g); f(.)",
        "[recurse([.])] | length",
        "\"x\" * 1e9",
        ".[1e9] = 1",
        "[limit(3; repeat(.))] | length | error",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\" | test(\"(?=(a+)+$)(a+)+$x\")",
    ] {
        if program.starts_with("[recurse") {
            continue;
        }
        let ran = piped(&["jq", program], "null");
        assert!(
            ran.code == 5 || ran.out == "false\n",
            "{program}: {} {}",
            ran.code,
            ran.err
        );
    }
    // Inputs do not nest.
    let ran = piped(
        &["jq", "-n", "reduce inputs as $x (0; . + $x)"],
        "1\n".repeat(400_000),
    );
    assert_eq!((ran.out.as_str(), ran.code), ("400000\n", 0), "{}", ran.err);
    // Deep values are built, compared and dropped.
    let ran = piped(
        &[
            "jq",
            "-n",
            "reduce range(200000) as $i (1; [.]) | [.] | length",
        ],
        "",
    );
    assert_eq!((ran.out.as_str(), ran.code), ("1\n", 0), "{}", ran.err);
}

/// Modules and data files.
/// Definitions in the file `~/.jq`, or modules in a folder of this name, as in jq.
#[test]
fn the_definitions_of_the_user_are_known() {
    let file = Folder::with(&[(".jq", b"def twice: . * 2;")]);
    let folder = Folder::with(&[(".jq/m.jq", b"def twice: . * 2;")]);
    for (home, program) in [
        (&file, "twice"),
        (&folder, "include \"m\"; twice"),
        (&folder, "import \"m\" as m; m::twice"),
    ] {
        let ran = run(jsonx(&["jq", program])
            .env("HOME", home.path(""))
            .write_stdin("2"));
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("4\n", 0),
            "{program} {}",
            ran.err
        );
    }
    let wrong = Folder::with(&[(".jq", b"def f: nosuch"), ("a.json", b"1")]);
    let ran = run(jsonx(&["jq", ".", "a.json"])
        .env("HOME", wrong.path(""))
        .current_dir(wrong.path("")));
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains(".jq"), "{}", ran.err);
}

#[test]
fn a_file_in_place_of_the_program_is_answered() {
    let folder = Folder::with(&[("v w.json", b"1")]);
    let ran = folder.run(&["jq", "v w.json"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err
            .ends_with("the program comes first: `jsonx jq . 'v w.json'`\n"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["jq", "--argfile", "a", "v w.json", "."]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--slurpfile"), "{}", ran.err);
}

#[test]
fn modules_are_found() {
    let folder = Folder::with(&[
        ("m.jq", b"def twice: . * 2;"),
        ("p.jq", b"import \"m\" as m; m::twice"),
        ("d.json", b"{\"x\": 4}"),
        ("wrong.jq", b"\ndef f: g;"),
        ("nested.jq", b"import \"wrong\" as w; def f: w::f;"),
    ]);
    for (module, place) in [("wrong", ""), ("nested", "nested.jq:1:1: ./")] {
        let program = format!("import \"{module}\" as m; m::f");
        let ran = folder.run(&["jq", "-L", ".", &program, "-n"]);
        let expected = format!("program:1:1: ./{place}wrong.jq:2:8: g/0 is not defined\n");
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains(&expected), "{}", ran.err);
    }
    let folder_of_circle = Folder::with(&[
        ("a.jq", b"import \"b\" as b; def f: b::g;"),
        ("b.jq", b"import \"a\" as a; def g: a::f;"),
    ]);
    let ran = folder_of_circle.run(&["jq", "-L", ".", "import \"a\" as a; a::f", "-n"]);
    let expected = "program:1:1: ./a.jq:1:1: ./b.jq:1:1: module \"a\" imports itself, directly or by other modules\n";
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains(expected), "{}", ran.err);
    let ran = folder.run(&["jq", "-L", ".", "-f", "p.jq", "-n"]);
    assert_eq!(ran.code, 5, "null cannot be multiplied");
    let ran = folder.run(&["jq", "-L", ".", "import \"d\" as $d; $d[0].x", "-n"]);
    assert_eq!((ran.out.as_str(), ran.code), ("4\n", 0), "{}", ran.err);
    // The current folder is searched first, as in jq.
    let ran = folder.run(&["jq", "import \"m\" as m; 2 | m::twice", "-n"]);
    assert_eq!((ran.out.as_str(), ran.code), ("4\n", 0), "{}", ran.err);
    let ran = folder.run(&["jq", "import \"none\" as m; .", "-n"]);
    assert_eq!(ran.code, 3);
}

/// `-w`, `--check` and `--diff`: one result per value, every other byte is kept, and errors write nothing.
#[test]
fn files_are_changed_in_place() {
    let config = "\u{feff}{ // c\r\n\t\"a\" : 1.0,\r\n\t\"b\":[ 1,2 ] // d\r\n}\r\n";
    let lines = "{\"n\":1 }\n\n{\"n\": 2}\n";
    let files: &[(&str, &[u8])] = &[
        ("c.jsonc", config.as_bytes()),
        ("l.jsonl", lines.as_bytes()),
        ("bad.json", b"{"),
        ("x.json5", b"{a: 1}"),
    ];
    let folder = Folder::with(files);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let ran = folder.run(&["jq", "--check", ".a = 1", "c.jsonc"]);
    assert_eq!(ran.code, 0, "1 is 1.0: {}{}", ran.out, ran.err);
    let ran = folder.run(&["jq", "--check", ".a = 2", "c.jsonc", "l.jsonl"]);
    assert_eq!((ran.out.lines().count(), ran.code), (2, 1), "{}", ran.err);
    let ran = folder.run(&["jq", "-w", ".b += [3]", "c.jsonc"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    assert_eq!(read("c.jsonc"), config.replace("[ 1,2 ]", "[ 1,2,3 ]"));
    let ran = folder.run(&["jq", "-w", ".n *= 10", "l.jsonl"]);
    assert_eq!(
        (read("l.jsonl").as_str(), ran.code),
        ("{\"n\":10 }\n\n{\"n\": 20}\n", 0),
        "{}",
        ran.err
    );
    let ran = folder.run(&["jq", "-w", ".f = input_filename", "l.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        read("l.jsonl").contains("\"f\":\"l.jsonl\""),
        "{}",
        read("l.jsonl")
    );
    for (program, file, code, message) in [
        ("., .", "l.jsonl", 5, "2 results"),
        ("empty", "c.jsonc", 5, "0 results"),
        (
            ".missing",
            "c.jsonc",
            5,
            "null, would replace the whole object",
        ),
        (
            ".a == 2",
            "c.jsonc",
            5,
            "a boolean, would replace the whole object",
        ),
        (
            ".n",
            "l.jsonl",
            5,
            "a number, would replace the whole object",
        ),
        (".b.c", "c.jsonc", 5, "Cannot index array"),
        (".", "bad.json", 5, "not closed"),
        (".a = 2", "x.json5", 2, "JSON5"),
        (
            "to_entries | reverse | from_entries",
            "c.jsonc",
            5,
            "comments",
        ),
    ] {
        let before = read(file);
        let ran = folder.run(&["jq", "-w", program, file]);
        assert_eq!(ran.code, code, "{program} {file}");
        assert_eq!(read(file), before, "{program} {file}");
        assert!(ran.err.contains(message), "{program} {file}: {}", ran.err);
    }
    let ran = folder.run(&["jq", "-w", ".", "missing.json"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    for option in [
        "-n",
        "-R",
        "-s",
        "-r",
        "-j",
        "-c",
        "-a",
        "-S",
        "--tab",
        "--indent=3",
    ] {
        let ran = folder.run(&["jq", "-w", option, ".", "c.jsonc"]);
        assert_eq!(ran.code, 2, "{option}");
        assert!(ran.err.contains("do not go with them"), "{}", ran.err);
    }
}

/// The text of a pipe is printed with only the changes.
#[test]
fn pipes_are_changed() {
    let spread = "{ \"a\": 1, \"b\": [1.0,\n 2 ] }\n";
    let changed = spread.replace("\"a\": 1", "\"a\": 2");
    let records = "{\"a\": 1}\n{\"a\" :2} {\"a\":3.0}\n";
    let raised = "{\"a\": 2}\n{\"a\" :3} {\"a\":4}\n";
    let commented = ["// c\n{\"a\": 1,}", "// c\n{\"a\": 2,}"];
    // The comment would stay where it is, after one element was deleted, too.
    let halved = ["-w", "del(.[1]) | .[0] |= {a, b}", "--input=jsonc"];
    for (args, text, out, code) in [
        (&halved[..], "[{\"b\": 1, /* b */ \"a\": 2}, {}, 3]", "", 5),
        (&["-w", ".a = 2"], spread, changed.as_str(), 0),
        (&["-w", ".a = 2", "-"], spread, &changed, 0),
        (&["-w", ".a += 1"], records, raised, 0),
        (
            &["-w", ".a = 2", "--input=jsonc"],
            commented[0],
            commented[1],
            0,
        ),
        (&["--check", ".a = 2"], spread, "<stdin>\n", 1),
        (&["--check", ".a = 1"], spread, "", 0),
        // Nothing is printed of a result that would not be written.
        (&["-w", ".a"], spread, "", 5),
        (&["-w", "error"], spread, "", 5),
        (&["-w", "."], "{\"a\": 1", "", 5),
        (&["-w", "."], "", "", 5),
    ] {
        let ran = piped(&[&["jq"], args].concat(), text);
        let seen = (ran.out.as_str(), ran.code);
        assert_eq!(seen, (out, code), "{args:?} {}", ran.err);
    }
}

/// A link named `jq` is `jsonx jq`.
#[cfg(unix)]
#[test]
fn a_link_named_jq_runs_programs() {
    let folder = Folder::with(&[("a.json", b"{\"a\": [1]}")]);
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("jsonx"), folder.path("jq")).unwrap();
    let output = std::process::Command::new(folder.path("jq"))
        .args(["-c", ".a", "a.json"])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"[1]\n");
}

/// A file of lines is processed in batches, on several threads, and reduced to the paths that the program reads, unless
/// --unbuffered is given.
#[test]
fn batches_change_nothing() {
    let pad = "x".repeat(900);
    let line = |at: u32| match at % 97 {
        5 => "[1, 2]".to_owned(),
        6 => String::new(),
        7 => format!("{{\"id\": {at}, \"user\": \"none\"}}"),
        8 => format!("{{\"id\": {at}, \"user\": null, \"id\": \"again\"}}\r"),
        9 if at > 2_000 => "{\"id\": tru}".to_owned(),
        _ => format!(
            "{{\"id\": {at}, \"pad\": \"{pad}\", \"user\": {{\"n\": {}.50, \"name\": \"\\u00e9\"}}}}",
            at % 7
        ),
    };
    let broken: String = (0..2_600).map(|at| line(at) + "\n").collect();
    let valid: String = broken
        .lines()
        .filter(|line| !line.contains("tru}"))
        .map(|line| line.to_owned() + "\n")
        .collect();
    let folder = Folder::with(&[
        ("a.jsonl", broken.as_bytes()),
        ("b.jsonl", valid.as_bytes()),
    ]);
    for program in [
        ".id?",
        "select(.user.n? > 3) | {id, n: .user.name}",
        "[.user.n] | add",
        ".user.name",
        ".user | debug | .n?",
        "if .id? == 1500 then halt_error(3) else .id? end",
        "if .id? == 1500 then range(20000) | \"x\" * 1000 else .id? end",
        "def f: [f]; if .id? == 1500 then f else .id? end",
        "select(.user.n? > 3)",
        "select(.user.name? | debug)",
        "if .user == null then . else empty end",
        ".[0]?, length",
        "input_filename, .id?",
        "input_line_number",
    ] {
        for name in ["a.jsonl", "b.jsonl"] {
            for options in [&[][..], &["--skip-invalid", "-e"]] {
                let run = |more: &[&str]| {
                    let args = [more, &["jq", "-c", program, name], options].concat();
                    folder.run(&args)
                };
                let expected =
                    folder.run(&[&["jq", "-c", "--unbuffered", program, name], options].concat());
                for threads in if options.is_empty() {
                    &["1", "3"][..]
                } else {
                    &["2"]
                } {
                    let found = run(&["--threads", threads]);
                    let label = format!("{program} {name} {options:?} {threads}");
                    assert_eq!(
                        (found.code, &found.err),
                        (expected.code, &expected.err),
                        "{label}"
                    );
                    assert!(found.out == expected.out, "{label}");
                }
            }
        }
    }
}

/// Records on lines: with equal keys, escapes, missing members and values of other types.
fn records() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "false",
        "0",
        "1",
        "-0",
        "1.50",
        "1e3",
        "12345678901234567890",
        "\"\"",
        "\"x\"",
        r#""\u0061\/\"\n""#,
        r#""\ud800""#,
        "\"é\u{7f}\"",
        "[]",
        "{}",
        "[1, 2]",
        "[ ]",
    ]);
    let key = prop::sample::select(vec!["a", "a", "b", "b", r"\u0061", "c", "k v", "é"]);
    let value = leaf.prop_map(str::to_owned).prop_recursive(3, 12, 4, move |inner| {
        let member = (key.clone(), inner.clone(), prop::sample::select(vec!["", " "]));
        let member = member.prop_map(|(key, value, space)| format!("{space}\"{key}\":{space}{value}{space}"));
        prop_oneof![
            4 => prop::collection::vec(member, 0..5).prop_map(|all| format!("{{{}}}", all.join(","))),
            1 => prop::collection::vec(inner, 0..3).prop_map(|all| format!("[{}]", all.join(", "))),
        ]
    });
    let end = prop::sample::select(vec!["\n", "\n", " \r\n", "\n\n"]);
    let line = (value, end).prop_map(|(value, end)| value + end);
    prop::collection::vec(line, 1..60).prop_map(|lines| lines.concat())
}

fn program() -> impl Strategy<Value = String> {
    let condition = prop::sample::select(vec![
        ".a",
        ".a == 1",
        ".a.b?",
        ".b | length > 1",
        ".c | not",
        ".a, .b",
        ".[\"k v\"] == null",
        ".a | error",
        ".a < .b",
        ".a.b.c",
        "-.a?",
        ".é",
        ".a | keys?",
        "(.a | tostring) + \"!\"",
        ".b[0]?",
        "try .a.b catch .",
    ]);
    let form = prop::sample::select(vec![
        "select(C)",
        "select(C)",
        "if C then . else empty end",
        "if C then . end",
        "select(C) | .b",
        "select(C), .a",
        ".b, select(C)",
        "select(C) | select(D)",
        ". as $r | C | if . then $r else empty end",
        "first(select(C), .)",
        "select(C) // .b",
        "C",
        "C, D",
        "[C, D] | @csv",
        "[C, D] | @tsv",
        "{a, x: [C]}",
        "(C) | tojson",
        "label $f | select(C), break $f",
        "[C, D] | sort, unique",
        "{(.a | tostring): C}",
        "select(C) | debug",
        "select(C | debug)",
        "(C) as $x | .b as $y | [$x, $y]",
        "C | tostring | @html",
    ]);
    (form, condition.clone(), condition).prop_map(|(form, c, d)| {
        form.replace('C', &format!("({c})"))
            .replace('D', &format!("({d})"))
    })
}

proptest! {
    #![proptest_config(cases(40))]

    /// What is run for the values that a program reads is what it does for whole records.
    #[test]
    fn reduced_records_change_nothing(
        records in records(),
        programs in prop::collection::vec(program(), 4),
        options in prop::sample::select(vec![
            &[][..], &["-c"], &["-S", "-c"], &["-e"], &["-r"], &["-a", "--tab"], &["--tally"], &["-H"], &["--seq", "-c"], &["-C"],
        ]),
    ) {
        let folder = Folder::with(&[("a.jsonl", records.as_bytes())]);
        for program in programs {
            let run = |more: &[&str]| folder.run(&[&["jq", &program, "a.jsonl"], options, more].concat());
            let (found, expected) = (run(&[]), run(&["--unbuffered"]));
            prop_assert_eq!((&found.out, &found.err), (&expected.out, &expected.err), "{} {:?} {}", program, options, records);
            prop_assert_eq!(found.code, expected.code, "{} {:?} {}", program, options, records);
        }
    }
}

/// The elements of a large array are processed in batches if the program takes them one by one and does not read inputs.
#[test]
fn batches_of_elements_change_nothing() {
    let pad = "x".repeat(7_000);
    let element = |at: u32| match at % 97 {
        5 => "[1,\n2]".to_owned(),
        6 => format!("{{\"id\": {at}, \"user\": null, \"id\": \"again\"}}"),
        7 if at > 2_000 => format!("{{\"id\": {at}, \"user\": \"none\"}}"),
        _ => format!(
            "{{\"id\": {at},\n \"pad\": \"{pad}\", \"user\": {{\"n\": {}.50}}}}",
            at % 7
        ),
    };
    let elements: Vec<String> = (0..2_500).map(element).collect();
    let elements = elements.join(" ,\n ");
    let folder = Folder::with(&[
        ("a.json", format!("\n[ {elements}\n]\n").as_bytes()),
        (
            "b.json",
            format!("{{\"x\": {{\"rows\": [{elements}]}}, \"y\": 1}}").as_bytes(),
        ),
        ("cut.json", format!("[{elements}").as_bytes()),
    ]);
    for (program, names) in [
        (".[] | select(.user.n? > 3) | .id", "a.json"),
        (".x.rows[].user.n?", "b.json"),
        (".[] | objects | .user.n", "a.json"),
        (
            ".[] | if .id? == 1500 then range(20000) | \"x\" * 1000 else .id? end",
            "a.json",
        ),
        (
            "def f: [f]; .[] | if .id? == 1500 then f else .id? end",
            "a.json a.json",
        ),
        (
            ".[] | if .id? == 1500 then halt_error(3) else .id? end",
            "a.json a.json",
        ),
        (".[].id?", "cut.json a.json"),
    ] {
        let names: Vec<&str> = names.split(' ').collect();
        let run = |options: &[&str], program: &str| {
            folder.run(&[options, &["jq", "-c", program], &names].concat())
        };
        let expected = run(&[], &format!("(input_line_number | empty), ({program})"));
        for threads in ["1", "3"] {
            let found = run(&["--threads", threads], program);
            let label = format!("{program} {threads}");
            assert_eq!(found.code, expected.code, "{label}");
            assert!(found.out == expected.out, "{label}");
            let places = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.starts_with("  "));
                lines.map(str::to_owned).collect()
            };
            assert_eq!(places(&found.err), places(&expected.err), "{label}");
        }
    }
}
