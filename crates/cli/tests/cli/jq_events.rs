//! `--stream` and `--stream-errors`: events of valid text, before errors, and of errors.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::hostile::binary;
use crate::jq_arrival::fed;
use crate::piped;

/// Texts with an error; the events before it, and the path of the error, as jq prints them.
const ERRORS: &[(&str, &str, &str)] = &[
    ("[1]]", "[[0],1] [[0]]", "[]"),
    ("1 ]", "[[],1]", "[]"),
    ("1 2 x", "[[],1] [[],2]", "[]"),
    ("nul", "", "[]"),
    (",", "", "[]"),
    ("\"a", "", "[]"),
    ("[", "", "[0]"),
    ("[x", "", "[0]"),
    ("[1", "", "[0]"),
    ("[1}", "", "[0]"),
    ("[1x", "", "[0]"),
    ("[1:", "", "[0]"),
    ("[\"\\x\"]", "", "[0]"),
    ("[1,", "[[0],1]", "[1]"),
    ("[1,]", "[[0],1]", "[1]"),
    ("[1,,", "[[0],1]", "[1]"),
    ("[1,x", "[[0],1]", "[1]"),
    ("[1,\"a", "[[0],1]", "[1]"),
    // A scalar in a container is an event after the comma or the bracket that follows it.
    ("[[], \"\"}", "[[0],[]]", "[1]"),
    ("[1, 2 x", "[[0],1]", "[1]"),
    ("{\"a\":1 \"b\"", "", "[\"a\"]"),
    ("{\"a\":1\n ", "", "[\"a\"]"),
    ("1}", "", "[]"),
    ("[1,\",", "[[0],1]", "[1]"),
    ("[1,\"a\",\",\\x", "[[0],1] [[1],\"a\"]", "[2]"),
    ("[[1,", "[[0,0],1]", "[0,1]"),
    ("[[1]", "[[0,0],1] [[0,0]]", "[0]"),
    ("[[1],", "[[0,0],1] [[0,0]]", "[1]"),
    ("[[],2", "[[0],[]]", "[1]"),
    ("[[1}", "", "[0,0]"),
    ("[1,2] [3,x", "[[0],1] [[1],2] [[1]] [[0],3]", "[1]"),
    ("{", "", "[null]"),
    ("{,", "", "[null]"),
    ("{1:2}", "", "[null]"),
    ("{\"a\"", "", "[null]"),
    ("{\"a\",", "", "[null]"),
    ("{\"a\" 1", "", "[null]"),
    ("{\"\\x\":1}", "", "[null]"),
    ("{\"a\":", "", "[\"a\"]"),
    ("{\"a\":}", "", "[\"a\"]"),
    ("{\"a\":tru}", "", "[\"a\"]"),
    ("{\"a\":1", "", "[\"a\"]"),
    ("{\"a\":1,", "[[\"a\"],1]", "[null]"),
    ("{\"a\":1,}", "[[\"a\"],1]", "[null]"),
    ("{\"a\":1,2", "[[\"a\"],1]", "[null]"),
    ("{\"a\":1,\"b\"", "[[\"a\"],1]", "[null]"),
    ("{\"a\":1,\"b\":", "[[\"a\"],1]", "[\"b\"]"),
    ("{\"a\":{},x", "[[\"a\"],{}]", "[null]"),
    ("{\"a\":[}", "", "[\"a\",0]"),
    (
        "[1,{\"a\":1},{\"b\"",
        "[[0],1] [[1,\"a\"],1] [[1,\"a\"]]",
        "[2,null]",
    ),
];

#[test]
fn events_before_an_error_are_printed() {
    for &(text, events, path) in ERRORS {
        let ran = piped(&["jq", "-c", "--stream", "."], text);
        let lines: Vec<&str> = ran.out.lines().collect();
        assert_eq!(
            (lines.join(" ").as_str(), ran.code),
            (events, 5),
            "{text} {ran:?}"
        );
        assert!(ran.err.contains("<stdin>:1:"), "{text} {ran:?}");
        let ran = piped(&["jq", "-c", "--stream-errors", "."], text);
        let mut lines: Vec<&str> = ran.out.lines().collect();
        let error = lines.pop().unwrap_or_default();
        assert!(error.starts_with("[\""), "{text} {ran:?}");
        assert!(error.ends_with(&format!("\",{path}]")), "{text} {ran:?}");
        assert_eq!(
            (lines.join(" ").as_str(), ran.code),
            (events, 0),
            "{text} {ran:?}"
        );
        // Byte by byte.
        let parts: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        let pause = |_, _: &[u8]| {
            thread::sleep(Duration::from_millis(1));
            true
        };
        let (out, _) = fed(&["jq", "-c", "--stream-errors", "."], &parts, pause, false);
        let out = String::from_utf8(out).unwrap();
        let paths: Vec<&str> = out.lines().collect();
        assert_eq!(
            (
                &paths[..paths.len() - 1],
                &error[error.len() - path.len() - 2..]
            ),
            (&lines[..], format!(",{path}]").as_str()),
            "{text} {out}"
        );
    }
}

/// Arguments and texts with errors after which jq reads on, the results, and the lines of the warnings.
const READ_ON: &[(&str, &str, &str, &[u64])] = &[
    (
        "--stream-errors",
        "[1,x]\n4\n",
        "[[0],1] [\"expected a value at line 1, column 4\",[1]] [[],4]",
        &[],
    ),
    (
        "--stream-errors",
        "[1,\n y,3]\n]\n[5]",
        "[[0],1] [\"expected a value at line 2, column 2\",[1]] [\"expected a value at line 3, column 1\",[]] [[0],5] [[0]]",
        &[],
    ),
    ("--seq", "␞{\"a\":1}\n␞{\"a\":\n␞3\n", "␞{\"a\":1} ␞3", &[2]),
    ("--seq", "␞[1] x\n␞2\n", "␞[1] ␞2", &[1]),
    ("--seq", "␞1\n\n[2,}\n[3]\n␞ [4]", "␞1 ␞[4]", &[3]),
    ("--seq", "␞\"a␞\n\"é\u{7ff}\"␞", "␞\"é\u{7ff}\"", &[1]),
    // A number may be cut off.
    ("--seq", "␞1␞\n␞2 3␞\"4\"␞5", "␞2 ␞\"4\"", &[1, 2, 2]),
    ("--seq", "␞true", "␞true", &[]),
    ("--seq", "␞tru␞␞\n[1,2\n", "", &[1, 2]),
    (
        "--seq --stream",
        "␞1\n␞[2,\n␞[3]",
        "␞[[],1] ␞[[0],3] ␞[[0]]",
        &[2],
    ),
];

#[test]
fn text_after_an_error_is_read_as_by_jq() {
    for &(options, text, out, warned) in READ_ON {
        let mut args: Vec<&str> = ["jq", "-c", "."]
            .into_iter()
            .chain(options.split(' '))
            .collect();
        let text = text.replace('␞', "\u{1e}");
        let ran = piped(&args, &text);
        let lines: Vec<&str> = ran.out.lines().collect();
        assert_eq!(
            (lines.join(" ").replace('\u{1e}', "␞").as_str(), ran.code),
            (out, 0)
        );
        let warnings = warned.iter().map(|line| {
            format!("jsonx jq: warning: <stdin>:{line}: not a whole value; ignored up to the next record\n")
        });
        assert_eq!(ran.err, warnings.collect::<String>(), "{text}");
        // Byte by byte, and from a file.
        let parts: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        let pause = |_, _: &[u8]| {
            thread::sleep(Duration::from_millis(1));
            true
        };
        let (seen, _) = fed(&args, &parts, pause, false);
        assert_eq!(String::from_utf8(seen).unwrap(), ran.out, "{text}");
        let folder = crate::Folder::with(&[("a", text.as_bytes())]);
        args.push("a");
        assert_eq!(folder.run(&args).out, ran.out, "{text}");
    }
}

/// U+FFFD takes the place of bytes that are not UTF-8; the places of later errors are those in the input.
#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    let warning = "jsonx jq: warning: <stdin>: not UTF-8; each invalid byte becomes U+FFFD\n";
    for (parts, out) in [
        (
            &[&b"[\"\xff\",\"\xe2\x82\"]"[..]][..],
            "[[0],\"\u{fffd}\"]\n[[1],\"\u{fffd}\"]\n[[1]]\n",
        ),
        (&[b"[\"\xe2", b"\x82", b"\xac\"]"], "[[0],\"€\"]\n[[0]]\n"),
        (&[b"[\"\xe2", b"x\"]"], "[[0],\"\u{fffd}x\"]\n[[0]]\n"),
    ] {
        let args = ["jq", "-c", "--stream", "."];
        let pause = |_, _: &[u8]| {
            thread::sleep(Duration::from_millis(20));
            true
        };
        let (seen, code) = fed(&args, parts, pause, false);
        assert_eq!(
            (String::from_utf8(seen).unwrap().as_str(), code),
            (out, Some(0))
        );
        let ran = piped(&args, parts.concat());
        let err = if out.contains('€') { "" } else { warning };
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (out, err));
    }
    let ran = piped(&["jq", "-c", "--stream", "."], b"[\"\xff\xff\",\nx]");
    assert_eq!(ran.out, "[[0],\"\u{fffd}\u{fffd}\"]\n");
    assert!(ran.err.contains("--> <stdin>:2:1\n"), "{}", ran.err);
}

/// The number of lines does not depend on how a pipe is cut into parts.
#[test]
fn line_numbers_are_those_of_whole_lines() {
    for (option, text, out) in [
        (&[][..], "{\"a\":1}\n[1,\n2]\n\n3", "1 3 4"),
        (&[], "1 2\n3\n", "1 1 2"),
        // Before an error.
        (&[], "1 2 x 3", "0 0"),
        (&[], "1\n[2,\n3] 4 x\n5", "1 3 3"),
        (&["--stream"], "{\"a\":1}\n[1,\n2]\n", "1 1 2 3 3"),
        (&["-R"], "a\n\nb", "1 2 2"),
    ] {
        let args = [&["jq", "-c", "input_line_number"], option].concat();
        let printed = |out: &str| out.lines().collect::<Vec<_>>().join(" ");
        assert_eq!(printed(&piped(&args, text).out), out, "{args:?}");
        for cut in 1..text.len() {
            let parts = [&text.as_bytes()[..cut], &text.as_bytes()[cut..]];
            let pause = |_, _: &[u8]| {
                thread::sleep(Duration::from_millis(5));
                true
            };
            let (seen, _) = fed(&args, &parts, pause, false);
            let seen = String::from_utf8(seen).unwrap();
            assert_eq!(printed(&seen), out, "{args:?} {cut}");
        }
    }
}

/// Raw input has all its bytes, also those that begin an encoding of JSON.
#[test]
fn raw_input_is_raw() {
    for (text, option, out) in [
        ("\u{1e}a\n\u{1e}b\n", "-R", "\"\\u001ea\"\n\"\\u001eb\"\n"),
        ("\u{feff}a\nb", "-R", "\"\u{feff}a\"\n\"b\"\n"),
        ("\u{feff}a\nb", "-Rs", "\"\u{feff}a\\nb\"\n"),
        ("", "-R", ""),
        ("\n\n", "-R", "\"\"\n\"\"\n"),
        ("a\r\nb\r\n", "-R", "\"a\\r\"\n\"b\\r\"\n"),
    ] {
        assert_eq!(piped(&["jq", option, "."], text).out, out, "{text:?}");
        let folder = crate::Folder::with(&[("a", text.as_bytes())]);
        assert_eq!(folder.run(&["jq", option, ".", "a"]).out, out, "{text:?}");
        let ran = folder.run(&["jq", "-nr", "--rawfile", "a", "a", "$a"]);
        assert_eq!(ran.out, format!("{text}\n"));
    }
    // These bytes are MessagePack, a name is that of JSON5.
    let folder = crate::Folder::with(&[
        ("a", b"\x82\xa1a\x01\xa1b\x02".as_slice()),
        ("b.json5", b"{/**/}"),
    ]);
    let ran = folder.run(&["jq", "-R", ".", "a", "b.json5"]);
    let out = "\"\u{fffd}\u{fffd}a\\u0001\u{fffd}b\\u0002\"\n\"{/**/}\"\n";
    assert_eq!(ran.out, out);
}

/// The report of a broken record does not depend on how a pipe is cut into parts.
#[test]
fn a_broken_record_has_its_number() {
    let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n{\"a\":4}\n";
    for cut in 0..text.len() {
        let mut child = binary()
            .args(["jq", "-c", ".a"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for part in [&text[..cut], &text[cut..]] {
            let _ = stdin.write_all(part.as_bytes());
            thread::sleep(Duration::from_millis(5));
        }
        drop(stdin);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.stdout, b"1\n2\n", "{cut}");
        let report = String::from_utf8(ended.stderr).unwrap();
        assert!(
            report.contains(" --> <stdin>:3:6 (record 3)\n"),
            "{cut} {report}"
        );
        assert!(
            report.contains("= help: `--skip-invalid`"),
            "{cut} {report}"
        );
    }
}
