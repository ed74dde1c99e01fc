//! `jsonx fix`.

use std::fs;

use crate::{Folder, Ran, piped};

fn fixed(args: &[&str], input: impl AsRef<[u8]>) -> (String, i32) {
    let Ran { out, code, .. } = piped(args, input);
    (out, code)
}

#[test]
fn valid_input_is_printed_byte_for_byte() {
    for text in [
        "{ \"b\" : 1.50 ,\r\n\"a\":\"\\u00e9\" }",
        "[1]\n\n",
        "{\"a\":1}\n{\"a\":2}\n",
        "\u{feff}[1]",
    ] {
        let ran = piped(&["fix"], text);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (text, "", 0)
        );
        let name = if text.contains("}\n{") {
            "a.jsonl"
        } else {
            "a.json"
        };
        let folder = Folder::with(&[(name, text.as_bytes())]);
        let ran = folder.run(&["fix", name]);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (text, "", 0)
        );
    }
}

#[test]
fn safe_fixes_by_default_and_guesses_on_request() {
    assert_eq!(fixed(&["fix"], "{'a': 1,}"), ("{\"a\": 1}".into(), 0));
    assert_eq!(fixed(&["fix"], "{'a': NaN,}"), (String::new(), 1));
    assert_eq!(
        fixed(&["fix", "--all"], "{'a': NaN,}"),
        ("{\"a\": null}".into(), 0)
    );
    assert_eq!(
        fixed(&["fix", "--partial"], "{'a': NaN,}"),
        ("{\"a\": NaN}".into(), 1)
    );
    assert_eq!(
        fixed(&["fix", "--all"], "<html><body></body></html>"),
        (String::new(), 3)
    );
    // Remaining errors are reported at their positions in the input.
    let ran = piped(&["fix"], "{'a': 1,\n b: NaN}");
    assert!(ran.err.contains("error[non-finite-number]"), "{}", ran.err);
    assert!(ran.err.contains("--> <stdin>:2:5"), "{}", ran.err);
    assert!(!ran.err.contains("single-quotes"), "{}", ran.err);
    assert!(
        ran.err
            .contains("`jsonx fix --all` guesses how to fix one of these errors"),
        "{}",
        ran.err
    );
}

#[test]
fn a_value_that_was_cut_off_is_named_or_left_out() {
    for (text, place, value, kept, left_out) in [
        (
            "{\"a\":1,\"b\":12",
            "1:12",
            "number `12`",
            "{\"a\":1,\"b\":12}",
            "{\"a\":1}",
        ),
        ("[1,\"xy", "1:4", "string `\"xy`", "[1,\"xy\"]", "[1]"),
        ("[1,nul", "1:4", "literal `nul`", "[1,null]", "[1]"),
        (
            "['ab', 'c",
            "1:8",
            "string `'c`",
            "[\"ab\", \"c\"]",
            "[\"ab\"]",
        ),
        ("[1,23\n", "1:4", "number `23`", "[1,23]\n", "[1]\n"),
    ] {
        let ran = piped(&["fix", "--all"], text);
        assert_eq!((ran.out.as_str(), ran.code), (kept, 0), "{text}");
        let line = format!(
            "<stdin>:{place}: assumed: the text ends with the {value}, which may be incomplete"
        );
        assert!(ran.err.contains(&line), "{text}: {}", ran.err);
        assert!(ran.err.contains("--partial drops"), "{}", ran.err);
        let folder = Folder::with(&[("a.json", text.as_bytes())]);
        for args in [
            &["fix", "--all", "--partial"][..],
            &["fix", "--all", "--partial", "-w"],
        ] {
            let ran = folder.run(&[args, &["a.json"]].concat());
            assert_eq!(ran.code, 0, "{text}: {}", ran.err);
            assert!(
                ran.err
                    .contains("which may be incomplete [truncated-input]"),
                "{}",
                ran.err
            );
            assert!(!ran.err.contains("--partial"), "{}", ran.err);
            if args.contains(&"-w") {
                assert_eq!(fs::read_to_string(folder.path("a.json")).unwrap(), left_out)
            } else {
                assert_eq!(ran.out, left_out)
            }
        }
    }
    // Nothing is truncated here.
    for text in ["[1, \"a\"", "{\n\"a\": 1\n", "[true"] {
        let ran = piped(&["fix", "--all"], text);
        assert!(!ran.err.contains("incomplete"), "{}", ran.err);
    }
}

#[test]
fn guesses_and_losses_are_listed_with_their_places() {
    let ran = piped(&["fix", "--all"], "Hi!\n{'a': [1,, NaN],}\nBye");
    assert_eq!((ran.out.as_str(), ran.code), ("{\"a\": [1, null]}", 0));
    let lines: Vec<&str> = ran.err.lines().collect();
    let codes = [
        "1:1: assumed, dropped `Hi!␊`",
        "2:10: assumed, dropped `,`",
        "2:12: assumed, `NaN` is now `null`",
        "2:16: fixed, dropped `,`",
        "2:18: assumed, dropped `␊Bye`",
    ];
    for (line, expected) in lines.iter().zip(codes) {
        assert!(line.starts_with(&format!("<stdin>:{expected}")), "{line}");
    }
    assert_eq!(lines.len(), codes.len(), "{}", ran.err);
    // Of safe fixes, only removals are listed; -v lists all, -q none.
    let text = "{'a': 1,}";
    assert_eq!(piped(&["fix"], text).err.lines().count(), 1);
    assert_eq!(piped(&["fix", "-v"], text).err.lines().count(), 2);
    assert_eq!(piped(&["fix", "-q"], text).err, "");
    // At most twenty.
    let many = format!("[{}1]", "NaN, ".repeat(30));
    let ran = piped(&["fix", "--all"], &many);
    assert_eq!(ran.err.lines().count(), 21);
    assert!(ran.err.contains("10 more changes"), "{}", ran.err);
    assert_eq!(
        piped(&["fix", "--all", "--max-errors", "0"], &many)
            .err
            .lines()
            .count(),
        30
    );
}

#[test]
fn several_values() {
    assert_eq!(
        fixed(&["fix"], "{a: 1}\n{b: 2}\n"),
        ("{\"a\": 1}\n{\"b\": 2}\n".into(), 0)
    );
    assert_eq!(fixed(&["fix"], "{\"a\":1}{\"b\":2}").1, 1);
    assert_eq!(
        fixed(&["fix", "-a"], "{\"a\":1}{\"b\":2}"),
        ("[{\"a\":1},{\"b\":2}]".into(), 0)
    );
    assert_eq!(
        fixed(&["fix", "--input", "stream"], "{a:1}{\"b\":2}"),
        ("{\"a\":1}{\"b\":2}".into(), 0)
    );
    // Code blocks of an answer, each with a value of several lines.
    let answer = |second: &str| {
        format!("One:\n```json\n{{\n  \"a\": 1\n}}\n```\nand\n```json\n{second}\n```\n")
    };
    for (second, expected) in [
        ("{\"b\":\n  [2,\n\n 3]}", "{\"a\": 1}\n{\"b\":[2,3]}\n"),
        ("[\r\n\"x  y\"\r\n]", "{\"a\": 1}\n[\"x  y\"]\n"),
        // Not closed.
        ("{\"b\":\n  [2,\n\n 3}", ""),
    ] {
        let code = if expected.is_empty() { 3 } else { 0 };
        let fixed = fixed(&["fix", "-a"], answer(second));
        assert_eq!(fixed, (expected.into(), code), "{second}");
    }
    let folder = Folder::with(&[("a.json", b"{\"a\":1}\n{\"b\":2}\n")]);
    assert_eq!(folder.run(&["fix", "a.json"]).code, 1);
    let ran = folder.run(&["fix", "--all", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{\"a\":1}\n{\"b\":2}\n", 0));
    assert!(ran.err.contains("kept as JSON Lines"), "{}", ran.err);
}

#[test]
fn files_are_rewritten_compared_and_listed() {
    let folder = Folder::with(&[
        ("good.json", b"[ 1 ]"),
        ("safe.json", b"{a: 1}\n"),
        ("guess.json", b"{a: NaN}\n"),
    ]);
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    let ran = folder.run(&["fix", "--check", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("safe.json\n", 1));
    let ran = folder.run(&["fix", "--diff", "safe.json"]);
    assert!(ran.out.contains("-{a: 1}\n+{\"a\": 1}\n"), "{}", ran.out);
    assert_eq!(ran.code, 1);
    let ran = folder.run(&["fix", "--write", "-v", "."]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("safe.json: rewritten"), "{}", ran.err);
    assert!(ran.err.contains("good.json: valid"), "{}", ran.err);
    assert_eq!(read("good.json"), "[ 1 ]");
    assert_eq!(read("safe.json"), "{\"a\": 1}\n");
    assert_eq!(read("guess.json"), "{a: NaN}\n");
    let ran = folder.run(&["fix", "--write", "--all", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    assert_eq!(read("guess.json"), "{\"a\": null}\n");
    assert!(
        ran.err.starts_with("guess.json:1:5: assumed"),
        "{}",
        ran.err
    );
    assert_eq!(folder.run(&["fix", "good.json", "safe.json"]).code, 2);
    assert_eq!(piped(&["fix", "--write"], "[1,]").code, 2);
}

#[test]
fn partial_makes_safe_fixes_in_files_and_reports_the_rest() {
    let folder = Folder::with(&[
        ("good.json", b"[ 1 ]"),
        ("safe.json", b"{a: 1,}\n"),
        ("both.json", b"{a: NaN,}\n"),
        ("guess.json", b"[NaN]\n"),
    ]);
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    let ran = folder.run(&["fix", "-w", "--partial", "safe.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    assert!(
        ran.err.contains("safe.json:1:6: fixed, dropped `,`"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["fix", "-w", "--partial", "."]);
    assert_eq!(ran.code, 1);
    assert_eq!(read("safe.json"), "{\"a\": 1}\n");
    assert_eq!(read("good.json"), "[ 1 ]");
    assert_eq!(read("both.json"), "{\"a\": NaN}\n");
    assert_eq!(read("guess.json"), "[NaN]\n");
    assert!(ran.err.contains("guess.json:1:2"), "{}", ran.err);
    // The positions of remaining errors in the new texts.
    let ran = folder.run(&["validate", "."]);
    assert!(ran.out.contains("both.json:1:7"), "{}", ran.out);
    assert!(ran.out.contains("2 errors in 2 files"), "{}", ran.out);
}

#[test]
fn encodings_and_names_are_reported() {
    let utf16: Vec<u8> = "\u{feff}{\"é\": 1}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let folder = Folder::with(&[("a.json", &utf16)]);
    assert_eq!(folder.run(&["fix", "a.json"]).code, 1);
    let ran = folder.run(&["fix", "--all", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{\"é\": 1}", 0));
    assert_eq!(
        ran.err,
        "a.json:1:1: assumed: converted from UTF-16LE to UTF-8 [wrong-encoding]\n"
    );
    assert_eq!(folder.run(&["fix", "missing.json"]).code, 4);
    assert_eq!(fixed(&["fix", "--all"], ""), (String::new(), 1));
}

#[test]
fn comments_stay_in_files() {
    let jsonc: &[u8] = b"{\n  // c\n  \"a\": 1,\n}\n";
    let other: &[u8] = b"{ // d\n'a': 1}\n";
    let folder = Folder::with(&[("c.json", jsonc), ("d.json", other), ("e.json", b"[1,]\n")]);
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    for args in [
        &["fix", "-w", "c.json"][..],
        &["fix", "--check", "c.json"],
        &["fix", "--diff", "c.json"],
        &["fix", "-w", "--partial", "c.json"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.code, &read("c.json")[..]), (1, jsonc), "{args:?}");
        assert!(
            ran.err.contains("`--input 'c.json=jsonc'` makes it valid"),
            "{args:?}: {}",
            ran.err
        );
        assert!(!ran.err.contains("dropped"), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
    // The suggested flag works.
    let ran = folder.run(&["fix", "--check", "--input", "c.json=jsonc", "c.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    let ran = folder.run(&["fix", "-w", "d.json"]);
    assert_eq!((ran.code, &read("d.json")[..]), (1, other));
    assert!(
        ran.err.contains("`--input 'd.json=jsonc'` allows them"),
        "{}",
        ran.err
    );
    // Other errors are repaired.
    assert_eq!(folder.run(&["fix", "-w", "--partial", "."]).code, 1);
    assert_eq!(read("d.json"), b"{ // d\n\"a\": 1}\n");
    assert_eq!(read("e.json"), b"[1]\n");
    // Printed, and with --all, they are removed and listed.
    let ran = folder.run(&["fix", "c.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{\n  \n  \"a\": 1\n}\n", 0));
    assert!(ran.err.contains("dropped `// c`"), "{}", ran.err);
    let ran = folder.run(&["fix", "-w", "--all", "c.json"]);
    assert!(ran.err.contains("dropped `// c`"), "{}", ran.err);
    assert_eq!(
        (ran.code, &read("c.json")[..]),
        (0, &b"{\n  \n  \"a\": 1\n}\n"[..])
    );
    // Also a comment that becomes a space.
    let ran = piped(&["fix"], "[1/*c*/true]");
    assert!(ran.err.contains("`/*c*/`"), "{}", ran.err);
}

#[test]
fn invalid_json_is_refused() {
    let folder = Folder::with(&[
        ("log.json", b"a {\"b\":1}\na {\"b\":2}\n"),
        ("two.json", b"a {\n}\nb {\n}\n"),
        ("data.zip", b"PK\x03\x04\x14\0\0\0\0\0\x03\xABVJ\0"),
    ]);
    for action in [
        &["fix", "--all"][..],
        &["fix", "--all", "-w"],
        &["fix", "--all", "--check"],
    ] {
        let ran = folder.run(&[action, &["two.json"][..]].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{action:?}");
        assert!(ran.err.contains("text around 2 JSON values"), "{}", ran.err);
        let ran = folder.run(&[action, &["data.zip"][..]].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{action:?}");
        assert!(
            ran.err.contains("this is a zip archive, not JSON"),
            "{}",
            ran.err
        );
    }
    let ran = folder.run(&["fix", "log.json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("`jsonx fix --all` guesses"), "{}", ran.err);
    assert_eq!(folder.run(&["fix", "--all", "-w", "log.json"]).code, 0);
    let lines = fs::read_to_string(folder.path("log.json")).unwrap();
    assert_eq!(lines, "{\"b\":1}\n{\"b\":2}\n");
    let ran = piped(&["fix", "--all"], "Service Unavailable");
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(!ran.err.contains("--partial"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn notes_are_kept_by_file() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    // Two names that look the same in messages.
    let folder = Folder::with(&[]);
    let names = [&b"\xFF.json"[..], b"\xFE.json"].map(OsStr::from_bytes);
    for _ in 0..20 {
        for (name, text) in names.iter().zip(["[NaN]\n", "[1,\n"]) {
            if fs::write(folder.path("").join(name), text).is_err() {
                eprintln!("skipped: the file system has no such names");
                return;
            }
        }
        let ran = folder.run(&["fix", "--all", "--write", "."]);
        for part in ["[non-finite-number]", "[truncated-input]"] {
            assert_eq!(ran.err.matches(part).count(), 1, "{part}: {}", ran.err);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_message_begins_on_a_line_of_its_own() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    let both = |args: &[&str], text: &str| {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, text.as_bytes()).unwrap();
        drop(input);
        child.wait().unwrap();
        let mut seen = String::new();
        reader.read_to_string(&mut seen).unwrap();
        seen
    };
    assert!(both(&["fix"], "[1,]").starts_with("[1]\n<stdin>:1:3: "));
    assert!(both(&["fix"], "[1,]\n").starts_with("[1]\n<stdin>:1:3: "));
    assert_eq!(both(&["fix"], "[1]"), "[1]");
    // Standard output alone has only the data.
    let ran = piped(&["fix"], "[1,]");
    assert_eq!(ran.out, "[1]");
    assert!(ran.err.starts_with("<stdin>:1:3: "), "{}", ran.err);
}
