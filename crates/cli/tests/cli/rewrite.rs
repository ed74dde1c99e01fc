//! `jsonx fmt` with widths, line ends and changes of tokens.

use std::process::{Command, Stdio};

use crate::{Folder, jq, jsonx, piped, run, samples};

const SMALL: &str =
    r#"{"z": [1, 2.50, {"é": "<b>"}], "a": {"y": [], "x": "😀"}, "a": 1e2, "\u0062": null}"#;

#[test]
fn one_line_where_it_fits() {
    let ran = piped(&["fmt", "--width", "40"], SMALL);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert_eq!(
        ran.out,
        "{\n  \"z\": [1, 2.50, {\"é\": \"<b>\"}],\n  \"a\": {\"y\": [], \"x\": \"😀\"},\n  \"a\": 1e2,\n  \"\\u0062\": null\n}\n"
    );
    // The comma after a container and the key before it count; characters are counted, not bytes.
    for (text, width, lines) in [
        ("[[1,2],[3,4]]", 16, 1),
        ("[[1,2],[3,4]]", 15, 4),
        ("[[1,2],[3,4]]", 9, 4),
        ("[[1,2],[3,4]]", 8, 7),
        ("[[1,2],[3,4]]", 7, 10),
        ("{\"é\":[\"é\"]}", 12, 1),
        ("{\"é\":[\"é\"]}", 11, 5),
        ("{\"é\":[\"é\"],\"a\":1}", 13, 4),
        ("[[[[]]]]", 1, 7),
        ("[1][2]\n[3]", 3, 3),
    ] {
        let ran = piped(&["fmt", "--width", &width.to_string()], text);
        assert_eq!(
            ran.out.lines().count(),
            lines,
            "{text} {width}: {}",
            ran.out
        );
    }
    let tabs = piped(
        &["fmt", "--tab", "--width=20"],
        "[[1,2,3],{\"a\":[]}, \"long enough\"]",
    );
    assert_eq!(
        tabs.out,
        "[\n\t[1, 2, 3],\n\t{\"a\": []},\n\t\"long enough\"\n]\n"
    );
    assert_eq!(piped(&["fmt", "--width", "0"], "[1, 2]").code, 2);
}

#[test]
fn line_ends_follow_the_option() {
    assert_eq!(
        piped(&["fmt", "--eol", "crlf"], "[1]").out,
        "[\r\n  1\r\n]\r\n"
    );
    assert_eq!(piped(&["fmt", "-c", "--eol=crlf"], "1 2").out, "1\r\n2\r\n");
    assert_eq!(
        piped(&["fmt", "--eol", "lf"], "[\r\n1]\r\n").out,
        "[\n  1\n]\n"
    );
    assert_eq!(piped(&["fmt", "--eol", "cr"], "[1]").code, 2);
}

#[test]
fn json_lines_are_written_as_lines() {
    let folder = Folder::with(&[
        ("a.jsonl", b"{\"a\":  1}\n\n[ 1, 2]\n"),
        ("b.json", b"[\n1\n]"),
    ]);
    assert_eq!(
        folder.run(&["fmt", "--compact", "a.jsonl"]).out,
        "{\"a\":1}\n[1,2]\n"
    );
    assert_eq!(folder.run(&["fmt", "--compact", "b.json"]).out, "[1]\n");
}

#[test]
fn keys_are_sorted_on_request() {
    assert_eq!(
        piped(&["fmt", "-c", "-S"], SMALL).out,
        "{\"a\":{\"x\":\"😀\",\"y\":[]},\"a\":1e2,\"\\u0062\":null,\"z\":[1,2.50,{\"é\":\"<b>\"}]}\n"
    );
    assert_eq!(
        piped(
            &["fmt", "--sort-keys", "--width=30"],
            "[{\"b\": 1, \"a\": [2]}] {\"d\":1,\"c\":2}"
        )
        .out,
        "[{\"a\": [2], \"b\": 1}]\n{\"c\": 2, \"d\": 1}\n"
    );
}

#[test]
fn characters_are_escaped_on_request() {
    let ascii = piped(&["fmt", "-c", "-a"], SMALL).out;
    assert!(ascii.is_ascii());
    assert!(ascii.contains("\"\\u00e9\":\"<b>\"") && ascii.contains("\"\\ud83d\\ude00\""));
    let html = piped(
        &["fmt", "-c", "--html-safe"],
        "[\"</script>&\u{2028}\u{2029}é\"]",
    )
    .out;
    assert_eq!(html, "[\"\\u003c/script\\u003e\\u0026\\u2028\\u2029é\"]\n");
    let both = piped(&["fmt", "-c", "--html-safe", "-a"], "[\"<é\u{2028}\"]").out;
    assert_eq!(both, "[\"\\u003c\\u00e9\\u2028\"]\n");
    // The width is measured after escaping.
    assert_eq!(
        piped(&["fmt", "-a", "--width=9"], "[\"é\"]").out,
        "[\n  \"\\u00e9\"\n]\n"
    );
    assert_eq!(
        piped(&["fmt", "-a", "--width=10"], "[\"é\"]").out,
        "[\"\\u00e9\"]\n"
    );
}

#[test]
fn the_canonical_form_is_exactly_its_bytes() {
    let text = r#" {"b": [1.0, 1e2, -0, "\u0041\/"], "\u0061": "\ud83d\ude00\u001f"} "#;
    let canonical = "{\"a\":\"😀\\u001f\",\"b\":[1,100,0,\"A/\"]}";
    assert_eq!(piped(&["fmt", "--canonical"], text).out, canonical);
    let folder = Folder::with(&[("a.json", text.as_bytes()), ("b.jsonl", b"1.0\n{ }\n")]);
    assert_eq!(folder.run(&["fmt", "--canonical", "a.json"]).out, canonical);
    assert_eq!(folder.run(&["fmt", "--canonical", "b.jsonl"]).out, "1\n{}");
    for flag in [
        "-c",
        "--tab",
        "--indent=3",
        "-S",
        "-a",
        "--html-safe",
        "--width=9",
        "--eol=lf",
    ] {
        assert_eq!(piped(&["fmt", "--canonical", flag], "1").code, 2, "{flag}");
    }
}

#[test]
fn values_without_a_canonical_form_are_refused() {
    let folder = Folder::with(&[
        (
            "twice.json",
            b"[{\"x\": 1},\n {\"a\": 1, \"b\": {}, \"\\u0061\": 2}]",
        ),
        ("number.json", b"\xef\xbb\xbf[1,\n 9007199254740993]"),
        ("half.json", b"[1, \"a\\udc00\"]"),
        ("last.jsonl", b"{\"a\": 1}\n1e400\n"),
        ("broken.jsonl", b"{\"a\": 1}\n[1 2\n"),
    ]);
    for (file, place, message) in [
        ("twice.json", ":2:20", "duplicate key `a`"),
        (
            "number.json",
            ":2:2",
            "the number would be rounded to 9007199254740992",
        ),
        ("half.json", ":1:7", "a lone surrogate is not a character"),
        ("last.jsonl", ":2:1", "the number is too large for a double"),
        ("broken.jsonl", ":2:3", ""),
    ] {
        let ran = folder.run(&["fmt", "--canonical", file]);
        // An invalid record does not stop the others.
        let out = if file == "broken.jsonl" {
            "{\"a\":1}"
        } else {
            ""
        };
        assert_eq!((ran.out.as_str(), ran.code), (out, 3), "{file}");
        assert!(ran.err.contains(&format!("{file}{place}")), "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
        assert_eq!(ran.err.contains("no canonical form"), !message.is_empty());
    }
    let ran = folder.run(&["fmt", "--canonical", "twice.json"]);
    insta::assert_snapshot!(ran.err, @r#"
    error[duplicate-key]: no canonical form: duplicate key `a`
     --> twice.json:2:20
      |
    2 |  {"a": 1, "b": {}, "\u0061": 2}]
      |   ---              ^^^^^^^^ remove or rename one of the two
      |   |
      |   first defined here
      = help: RFC 8785 keeps numbers as doubles and text as Unicode; `--canonical` changes none of them silently
    "#);
    // If the text is no longer buffered, only the offset is reported.
    let text = format!(
        "{{\"a\": 1, \"a\": 2, \"b\": [{}1]}}",
        "1, ".repeat(3_000_000)
    );
    let ran = piped(&["fmt", "--canonical"], text);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(ran.err.contains("byte 9"), "{}", ran.err);
    assert!(
        ran.err.contains("the object has this key already"),
        "{}",
        ran.err
    );
}

#[test]
fn files_are_checked_and_rewritten_with_the_same_flags() {
    let unsorted = b"\xef\xbb\xbf{\"b\": [1, 2],\"a\": \"\xc3\xa9\"}";
    let folder = Folder::with(&[
        ("a.json", unsorted),
        ("a.jsonl", b"{\"b\": 1,\"a\": [1]}\n"),
        ("twice.json", b"{\"a\": 1, \"a\": 2}"),
    ]);
    for (flags, expected) in [
        (
            &["-S", "-a", "--width=80"][..],
            "\u{feff}{\"a\": \"\\u00e9\", \"b\": [1, 2]}\n",
        ),
        (
            &["--eol=crlf", "--tab", "-S"],
            "\u{feff}{\r\n\t\"a\": \"é\",\r\n\t\"b\": [\r\n\t\t1,\r\n\t\t2\r\n\t]\r\n}\r\n",
        ),
        (&["--canonical"], "{\"a\":\"é\",\"b\":[1,2]}"),
    ] {
        std::fs::write(folder.path("a.json"), unsorted).unwrap();
        let ran = |what: &str| folder.run(&[&["fmt", what, "a.json"], flags].concat());
        assert_eq!(
            (ran("--check").out.as_str(), ran("--check").code),
            ("a.json\n", 1)
        );
        assert_eq!(ran("--diff").code, 1, "{flags:?}");
        assert_eq!(ran("--write").code, 0, "{flags:?}");
        let written = std::fs::read_to_string(folder.path("a.json")).unwrap();
        assert_eq!(written, expected, "{flags:?}");
        for what in ["--check", "--diff", "--write"] {
            let again = ran(what);
            assert_eq!((again.out.as_str(), again.code), ("", 0));
            assert_eq!(again.err.is_empty(), !expected.starts_with('\u{feff}'));
        }
    }
    // JSON Lines stay lines.
    assert_eq!(
        folder
            .run(&["fmt", "--write", "-S", "--width=80", "a.jsonl"])
            .code,
        0
    );
    let lines = std::fs::read_to_string(folder.path("a.jsonl")).unwrap();
    assert_eq!(lines, "{\"a\":[1],\"b\":1}\n");
    for what in ["--check", "--diff", "--write"] {
        let ran = folder.run(&["fmt", "--canonical", what, "twice.json"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{what}");
        assert!(ran.err.contains("twice.json:1:10"), "{}", ran.err);
    }
    assert_eq!(
        std::fs::read(folder.path("twice.json")).unwrap(),
        b"{\"a\": 1, \"a\": 2}"
    );
}

#[test]
fn a_broken_pipe_keeps_the_printed_output() {
    for (flags, expected) in [
        (&["-S", "-c"][..], "{\"a\":2,\"b\":1}\n"),
        (&["-S"], "{\n  \"a\": 2,\n  \"b\": 1\n}\n"),
        (&["--width=80"], "{\"b\": 1, \"a\": 2}\n"),
        (&["--width=80", "-a"], "{\"b\": 1, \"a\": 2}\n"),
        (&["--canonical"], "{\"a\":2,\"b\":1}\n"),
    ] {
        let text = format!("{}\n[1 2]", "{\"b\": 1, \"a\": 2}\n".repeat(50_000));
        let ran = piped(&[&["fmt"], flags].concat(), &text);
        assert_eq!(ran.code, 3);
        assert!(ran.out.starts_with(expected), "{flags:?}");
        let whole = ran.out.matches(expected).count();
        assert!((45_000..=50_000).contains(&whole), "{flags:?}: {whole}");
    }
}

#[test]
fn a_line_is_printed_whole_before_the_next_one_comes() {
    use std::io::{BufRead, BufReader, Write};
    use std::sync::mpsc;
    use std::time::Duration;
    for flags in [
        &["-c"][..],
        &["-c", "-S"],
        &["--width=80"],
        &["-a", "--width=80"],
        &["-S", "--width=80"],
        &["-S", "--eol=lf", "-c"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .arg("fmt")
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(from).lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        for (record, line) in [
            ("[\"first\"]\n", "[\"first\"]"),
            ("3\n", "3"),
            ("{ }\n", "{}"),
            ("[\n7]\n", "[7]"),
        ] {
            to.write_all(record.as_bytes()).unwrap();
            // Only waits this long if the line never arrives.
            let came = lines.recv_timeout(Duration::from_secs(60));
            assert_eq!(came.as_deref(), Ok(line), "{flags:?}");
        }
        drop(to);
        assert!(child.wait().unwrap().success());
        reader.join().unwrap();
        assert!(lines.recv().is_err(), "nothing is printed twice: {flags:?}");
    }
}

#[test]
fn samples_keep_their_tokens_in_every_layout() {
    for file in samples() {
        let text = std::fs::read(&file).unwrap();
        let kind = if file.extension().is_some_and(|name| name == "jsonl") {
            "jsonl"
        } else {
            "json"
        };
        let compact = |text: &str| piped(&["fmt", "-c", "--eol=lf"], text).out;
        let expected = compact(str::from_utf8(&text).unwrap());
        for look in [
            &["--width=80", "--indent=2"][..],
            &["--width=30", "--tab"],
            &["--eol=crlf", "--indent=2"],
            &["--indent=1"],
        ] {
            let args = [&["fmt", "--input", kind], look].concat();
            let from_file = run(jsonx(&args).arg(&file));
            assert_eq!((from_file.err.as_str(), from_file.code), ("", 0));
            let from_pipe = run(jsonx(&args).write_stdin(&*text));
            assert!(from_file == from_pipe, "{look:?} {}", file.display());
            assert!(compact(&from_file.out) == expected, "{look:?}");
            assert!(piped(&args, &from_file.out) == from_file, "{look:?}");
        }
        for change in [
            &["-S"][..],
            &["-a"],
            &["--html-safe", "-a", "-S", "--width=70"],
        ] {
            let args = [&["fmt", "--input", "stream"], change].concat();
            let changed = piped(&args, &text);
            assert!(piped(&args, &changed.out) == changed, "{change:?}");
            let values = |text: &[u8]| -> Vec<serde_json::Value> {
                let values = serde_json::Deserializer::from_slice(text).into_iter();
                values.map(|value| value.unwrap()).collect()
            };
            assert!(
                values(changed.out.as_bytes()) == values(&text),
                "{change:?}"
            );
        }
    }
}

/// Whether jq keeps the tokens of a text: integers below 2^53 without exponents, only the shortest escapes, no duplicate keys.
fn jq_keeps(text: &str) -> bool {
    let tokens = text.split('"').collect::<Vec<_>>();
    !text.contains('\\')
        && !text.contains('\u{7f}')
        && tokens.iter().step_by(2).all(|outside| {
            !outside.contains(['.', 'e', 'E', '-'])
                || ["true", "false", "e-"]
                    .iter()
                    .any(|word| outside.contains(word))
                    && !outside.contains(['.', 'E', '-'])
        })
}

#[test]
fn the_same_as_jq_where_jq_keeps_the_tokens() {
    let mut generated = String::from("[");
    for n in 0..2000 {
        generated += &format!(
            "{{\"id\": {n}, \"name\": \"é {n}\", \"tags\": [[], {{}}, true, null, [{n}]], \"A{}\": {{\"z\": 0, \"\u{ffff}\": 1, \"\u{10000}\": 2}}}},\n",
            n % 7
        );
    }
    generated += "false]";
    let mut texts: Vec<Vec<u8>> = vec![generated.into_bytes(), b"1 [2]{\"a\":{}}\n\"x\"".to_vec()];
    texts.extend(samples().iter().map(|file| std::fs::read(file).unwrap()));
    if let Some(corpora) = std::env::var_os("JSONX_CORPORA") {
        for file in std::fs::read_dir(corpora).unwrap() {
            texts.push(std::fs::read(file.unwrap().path()).unwrap());
        }
    } else {
        eprintln!("the documents of JSONX_CORPORA were left out: it is not set");
    }
    let mut compared = 0;
    for text in texts {
        let Ok(shown) = str::from_utf8(&text) else {
            continue;
        };
        if !jq_keeps(shown) || !shown.trim_start().starts_with(['[', '{', '1']) {
            continue;
        }
        for args in [
            &[][..],
            &["-c"],
            &["-S"],
            &["--tab"],
            &["-a"],
            &["--indent", "3", "-S"],
        ] {
            let Some(expected) = jq(&[args, &["."]].concat(), &text) else {
                eprintln!("skipped: there is no jq here");
                return;
            };
            let ran = piped(&[&["fmt"], args].concat(), &text);
            assert!(
                ran.out.as_bytes() == expected,
                "{args:?} of {:?}",
                &shown[..shown.len().min(200)]
            );
        }
        compared += 1;
    }
    assert!(compared >= 2);
}
