//! A text gives the same result as a file, redirected, through a slow pipe, printed, in place and with `--check`, on one thread and
//! on eight.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::{Folder, Ran, jsonx, run};

/// A text, and the exit code and standard output of commands.
struct Row {
    text: &'static str,
    /// `fmt -c` and `get -c .`, which agree.
    compact: (i32, &'static str),
    /// `fmt` of a file, if different from standard input.
    file: Option<&'static str>,
    /// `fmt` of standard input.
    stdin: (i32, &'static str),
    /// `patch '{"a":3}'`.
    patched: (i32, &'static str),
    /// The same of a pipe, if that is different: the lines before a failing one.
    piped: Option<&'static str>,
}

const ROWS: [Row; 14] = [
    // One value.
    Row {
        text: "{\"a\": 1}\n",
        compact: (0, "{\"a\":1}\n"),
        file: None,
        stdin: (0, "{\n  \"a\": 1\n}\n"),
        patched: (0, "{\"a\": 3}\n"),
        piped: None,
    },
    Row {
        text: "[\n1,\n2]",
        compact: (0, "[1,2]\n"),
        file: None,
        stdin: (0, "[\n  1,\n  2\n]\n"),
        patched: (0, "{\n  \"a\": 3\n}"),
        piped: None,
    },
    // Two lines, with and without the last line feed.
    Row {
        text: "{\"a\":1}\n{\"a\":2}\n",
        compact: (0, "{\"a\":1}\n{\"a\":2}\n"),
        file: Some("{\"a\":1}\n{\"a\":2}\n"),
        stdin: (0, "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
        patched: (0, "{\"a\":3}\n{\"a\":3}\n"),
        piped: None,
    },
    Row {
        text: "{\"a\":1}\n\n{\"a\":2}",
        compact: (0, "{\"a\":1}\n{\"a\":2}\n"),
        file: Some("{\"a\":1}\n{\"a\":2}\n"),
        stdin: (0, "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
        patched: (0, "{\"a\":3}\n\n{\"a\":3}"),
        piped: None,
    },
    // Two pretty-printed values.
    Row {
        text: "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n",
        compact: (0, "{\"a\":1}\n{\"a\":2}\n"),
        file: None,
        stdin: (0, "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
        patched: (0, "{\n  \"a\": 3\n}\n{\n  \"a\": 3\n}\n"),
        piped: None,
    },
    // Lines, and then a value that spans lines.
    Row {
        text: "1\n2\n[\n3]",
        compact: (0, "1\n2\n[3]\n"),
        file: Some("1\n2\n[3]\n"),
        stdin: (0, "1\n2\n[\n  3\n]\n"),
        patched: (0, "{\"a\": 3}\n{\"a\": 3}\n{\n  \"a\": 3\n}"),
        piped: None,
    },
    Row {
        text: "1\n[\n2]",
        compact: (0, "1\n[2]\n"),
        file: None,
        stdin: (0, "1\n[\n  2\n]\n"),
        patched: (0, "{\"a\": 3}\n{\n  \"a\": 3\n}"),
        piped: None,
    },
    // Several values in a line.
    Row {
        text: "1 2\n3\n",
        compact: (0, "1\n2\n3\n"),
        file: None,
        stdin: (0, "1\n2\n3\n"),
        patched: (0, "{\"a\": 3} {\"a\": 3}\n{\"a\": 3}\n"),
        piped: None,
    },
    // None.
    Row {
        text: "",
        compact: (3, ""),
        file: None,
        stdin: (3, ""),
        patched: (3, ""),
        piped: None,
    },
    Row {
        text: " \n",
        compact: (3, ""),
        file: None,
        stdin: (3, ""),
        patched: (3, ""),
        piped: None,
    },
    // A byte-order mark.
    Row {
        text: "\u{feff}{\"a\":1}\n",
        compact: (0, "{\"a\":1}\n"),
        file: None,
        stdin: (0, "{\n  \"a\": 1\n}\n"),
        patched: (0, "\u{feff}{\"a\":3}\n"),
        piped: None,
    },
    Row {
        text: "\u{feff}{\"a\":1}\n{\"a\":2}\n",
        compact: (0, "{\"a\":1}\n{\"a\":2}\n"),
        file: Some("{\"a\":1}\n{\"a\":2}\n"),
        stdin: (0, "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
        patched: (0, "\u{feff}{\"a\":3}\n{\"a\":3}\n"),
        piped: None,
    },
    // A comment.
    Row {
        text: "{\"a\":1} // one\n",
        compact: (3, ""),
        file: None,
        stdin: (3, ""),
        patched: (3, ""),
        piped: None,
    },
    // A broken line among others.
    Row {
        text: "{\"a\":1}\n{\"a\":\n{\"a\":3}\n{\"a\":4}\n",
        compact: (3, "{\"a\":1}\n{\"a\":3}\n{\"a\":4}\n"),
        file: Some("{\"a\":1}\n{\"a\":3}\n{\"a\":4}\n"),
        stdin: (3, "{\n  \"a\": 1\n}\n{\n  \"a\": 3\n}\n{\n  \"a\": 4\n}\n"),
        patched: (3, ""),
        piped: Some("{\"a\":3}\n"),
    },
];

/// Runs with standard input from a pipe, written in blocks of a size, with pauses between the first ones.
fn dripped(args: &[&str], text: &str, size: usize) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for (number, piece) in text.as_bytes().chunks(size).enumerate() {
        // It may have seen enough.
        if stdin.write_all(piece).is_err() {
            break;
        }
        if number < 8 {
            thread::sleep(Duration::from_millis(2));
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Checks every source of standard input.
fn check_stdin(args: &[&str], text: &str, expected: (i32, &str)) {
    check_sources(args, text, expected, expected);
}

/// Checks pipes, and standard input that is redirected.
fn check_sources(args: &[&str], text: &str, piped: (i32, &str), expected: (i32, &str)) {
    let folder = Folder::with(&[("text", text.as_bytes())]);
    for threads in ["--threads=1", "--threads=8"] {
        let args = &[args, &[threads]].concat();
        for size in [1, 7, 64] {
            let ran = dripped(args, text, size);
            let context = format!("{args:?} {text:?} in pieces of {size}: {}", ran.err);
            assert_eq!((ran.code, ran.out.as_str()), piped, "{context}");
        }
        let redirected = fs::File::open(folder.path("text")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(args)
            .stdin(redirected)
            .output()
            .unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let got = (output.status.code().unwrap(), out.as_str());
        assert_eq!(got, expected, "{args:?} < {text:?}");
    }
}

/// Checks a file in every mode: printed, with `--check`, `--diff` and in place.
fn check_file(args: &[&str], text: &str, expected: (i32, &str)) {
    let folder = Folder::with(&[("t.json", text.as_bytes())]);
    let (code, out) = expected;
    for threads in ["--threads=1", "--threads=8"] {
        let on = |more: &[&str]| {
            let args = [args, &[threads], more, &["t.json"]].concat();
            run(jsonx(&args).current_dir(folder.path("")))
        };
        let ran = on(&[]);
        let context = format!("{args:?} {text:?}: {}", ran.err);
        assert_eq!((ran.code, ran.out.as_str()), expected, "{context}");
        if args[0] == "get" {
            continue;
        }
        // A file keeps its byte-order mark, which is not printed.
        let mark = if args[0] == "fmt" && text.starts_with('\u{feff}') {
            "\u{feff}"
        } else {
            ""
        };
        let out = &*format!("{mark}{out}");
        let is_change = code == 0 && out != text;
        let changes = if is_change { 1 } else { code };
        for what in ["--check", "--diff"] {
            assert_eq!(on(&[what]).code, changes, "{what} {context}");
        }
        assert_eq!(on(&["--write"]).code, code, "{context}");
        let written = fs::read_to_string(folder.path("t.json")).unwrap();
        assert_eq!(written, if code == 0 { out } else { text }, "{context}");
        fs::write(folder.path("t.json"), text).unwrap();
    }
}

#[test]
fn a_text_gives_the_same_in_every_mode() {
    for row in ROWS {
        for args in [&["fmt", "-c"][..], &["get", "-c", "."]] {
            check_stdin(args, row.text, row.compact);
            check_file(args, row.text, row.compact);
        }
        let (code, laid_out) = row.stdin;
        check_stdin(&["fmt"], row.text, row.stdin);
        check_file(&["fmt"], row.text, (code, row.file.unwrap_or(laid_out)));
        let named = ["fmt", "--stdin-filename=t.json"];
        if code == 0 {
            check_stdin(&named, row.text, (0, row.file.unwrap_or(laid_out)));
        }
        // Without a match, nothing is printed.
        if code == 0 {
            let set = ["set", ".none.x", "3"];
            check_stdin(&set, row.text, (1, ""));
            check_file(&set, row.text, (1, ""));
        }
        let patch = ["patch", "{\"a\":3}"];
        let (code, patched) = row.patched;
        let piped = (code, row.piped.unwrap_or(patched));
        check_sources(&patch, row.text, piped, row.patched);
        check_file(&patch, row.text, row.patched);
    }
}

/// `validate` takes one value from a file and from a pipe alike.
#[test]
fn a_text_has_one_verdict_in_every_mode() {
    for row in ROWS {
        let folder = Folder::with(&[("t.json", row.text.as_bytes())]);
        let args = ["validate", "-q", "--input=json"];
        let file = folder.run(&["validate", "-q", "t.json"]).code;
        let is_one =
            serde_json::from_str::<serde_json::Value>(row.text.trim_start_matches('\u{feff}'));
        assert_eq!(file, i32::from(is_one.is_err()), "{:?}", row.text);
        for args in [&args[..2], &args] {
            check_stdin(args, row.text, (file, ""));
        }
    }
}
