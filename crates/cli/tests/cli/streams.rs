//! Input that arrives byte by byte, late, from the middle on, or without an end.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::mem::take;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, Mode};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::hostile::{binary, ended, started};
use crate::terminals::seen;
use crate::{Folder, Ran, piped};

/// Runs with `text` written to its standard input in blocks of `size` bytes.
fn dripped(args: &[&str], text: &[u8], size: usize) -> Ran {
    let mut child = started(args, Stdio::piped());
    let mut stdin = child.stdin.take().unwrap();
    let pieces: Vec<Vec<u8>> = text.chunks(size).map(<[u8]>::to_vec).collect();
    let writer = thread::spawn(move || {
        for piece in pieces {
            // It may have seen enough.
            if stdin.write_all(&piece).is_err() {
                break;
            }
        }
    });
    let ran = ended(child);
    writer.join().unwrap();
    ran
}

/// Records before a failing one are printed, followed by the same message, for any block size.
#[test]
fn edits_of_lines_do_not_depend_on_pieces() {
    let texts = [
        "{\"a\":1}\n{\"a\":2}\n{\"b\":3}\n",
        "{\"a\":1}\n{\"a\":1} {\"a\":3}\n{\"a\":4}\n",
        "{\"a\":1}\n{\n\"a\":1}\n{\"a\":1}\n3\n",
        "{\"a\":1}\n{\"a\":2\n{\"a\":3}\n",
        "{\"a\":1}\n\n  {\"a\":1}\r\noops\n{\"a\":3}\n",
        "{\"a\":1}\n{\"a\":1",
        "\u{feff}{\"a\":1}\n[1,2] 7",
        "{\"a\":1,\"a\":1}\n{\"a\":1,\"a\":1}",
        "{\"a\":1}\n{\"a\":1}\n\n",
    ];
    for text in texts {
        for kind in ["auto", "jsonl", "stream"] {
            for args in [&["set", ".a", "9"][..], &["append", "-p", ".b.c", "1"]] {
                let args = [args, &["--input", kind]].concat();
                let whole = piped(&args, text);
                for size in [1, 7, 64] {
                    let ran = dripped(&args, text.as_bytes(), size);
                    assert_eq!(
                        (&ran.out, &ran.err, ran.code),
                        (&whole.out, &whole.err, whole.code),
                        "{args:?} {text:?}"
                    );
                }
                // All lines before the failing one.
                if whole.code != 0 && args[0] == "set" {
                    let edited = text.lines().next().unwrap().replace("1}", "9}");
                    assert!(
                        whole.out.starts_with(&format!("{edited}\n")),
                        "{args:?} {text:?} {}",
                        whole.out
                    );
                }
            }
        }
    }
}

fn without_space(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}

#[test]
fn one_byte_per_write_changes_nothing() {
    let texts: [&[u8]; 7] = [
        b"{\"a\": [1, 2.5e-7, true, \"\\ud83d\\ude00 \xc3\xa9\"], \"b\": {}}\n",
        b"\xef\xbb\xbf[\"after a byte-order mark\", \"and more than sixty-four bytes of text to read\"]",
        b"{\"a\": [1, 2.5e-7, true, \"\\ud83d\\ude00 \xc3\xa9\"], \n\"b\": {}\n, 1}\n",
        b"[\"a string that is cut in the middle of a character, after more than a block \xe2\x82",
        b"[\"a string with a bad byte after more than one block of sixty-four bytes \xff\"]",
        b"",
        b"\xef\xbb\xbf",
    ];
    for text in texts {
        for args in [
            &["validate"][..],
            &["fmt", "-c", "--input=json"],
            &["get", "-c", "."],
        ] {
            let mut whole = piped(args, text);
            for size in [1, 7] {
                let mut ran = dripped(args, text, size);
                // The output before the error of a broken text depends on the block size.
                if args[0] == "fmt" && whole.code != 0 {
                    let shown = without_space(&take(&mut ran.out));
                    let all = without_space(&String::from_utf8_lossy(text));
                    assert!(all.starts_with(&shown), "{size} {shown:?} {all:?}");
                    whole.out.clear();
                }
                assert_eq!(ran, whole, "{args:?} {size} {}", text.escape_ascii());
            }
        }
    }
}

#[test]
fn lines_and_streams_do_not_depend_on_how_they_arrive() {
    let good = "{\"id\": 1, \"text\": \"some words\"}\n\n[1, 2, 3]\r\n".repeat(20);
    let bad = format!("{good}{{\"id\": 2}} {{\"id\": 3}}\n{good}");
    for text in [good, bad] {
        for args in [
            &["validate", "--input=jsonl"][..],
            &["fmt", "-c", "--input=jsonl"],
            &["get", "-c", ".id"],
        ] {
            let whole = piped(args, &text);
            for size in [1, 63, 64, 65] {
                let pieces = dripped(args, text.as_bytes(), size);
                // The output before the error may differ, but not the verdict.
                assert_eq!(
                    (&pieces.err, pieces.code),
                    (&whole.err, whole.code),
                    "{args:?} {size}"
                );
                assert!(
                    whole.code != 0 || pieces.out == whole.out,
                    "{args:?} {size}"
                );
            }
        }
    }
}

/// Each reading command, its exit code for invalid JSON, and its output for `[1, 2]`.
const READERS: [(&[&str], i32, &str); 3] = [
    (&["validate"], 1, ""),
    (&["fmt", "-c"], 3, "[1,2]\n"),
    (&["get", "-c", "."], 3, "[1,2]\n"),
];

#[test]
fn a_fifo_is_read_to_its_end() {
    for (args, refused, printed) in READERS {
        for (end, code) in [(" 2]", 0), (" 2", refused)] {
            let folder = Folder::with(&[]);
            let path = folder.path("fifo");
            rustix::fs::mkfifoat(CWD, &path, Mode::RWXU).unwrap();
            let child = binary()
                .args(args)
                .arg(&path)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut writer = File::options().write(true).open(&path).unwrap();
            writer.write_all(b"[1,").unwrap();
            thread::sleep(Duration::from_millis(50));
            writer.write_all(end.as_bytes()).unwrap();
            drop(writer);
            let ran = ended(child);
            assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
            if code == 0 {
                assert_eq!((ran.out.as_str(), ran.err.as_str()), (printed, ""));
            } else {
                let message = ran.out + &ran.err;
                assert!(message.contains("fifo:1:6\n"), "{args:?}: {message}");
            }
        }
    }
}

#[test]
fn a_nonblocking_standard_input_is_awaited() {
    for (args, refused, printed) in READERS {
        for (pieces, code) in [(["[1", ", 2", "]"], 0), (["[1", ", 2", " 3]"], refused)] {
            let (reader, writer) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
            let child = started(args, reader);
            let mut writer = File::from(writer);
            for piece in pieces {
                thread::sleep(Duration::from_millis(30));
                writer.write_all(piece.as_bytes()).unwrap();
            }
            drop(writer);
            let ran = ended(child);
            assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
            if code == 0 {
                assert_eq!((ran.out.as_str(), ran.err.as_str()), (printed, ""));
            } else {
                let message = ran.out + &ran.err;
                assert!(message.contains("<stdin>:1:6\n"), "{args:?}: {message}");
            }
        }
    }
}

/// Standard input opened by name has no size, and yields only the unread part.
#[cfg(target_os = "linux")]
#[test]
fn standard_input_has_a_name_too() {
    for (args, _, printed) in READERS {
        let ran = piped(&[args, &["/dev/stdin"]].concat(), "[1, 2]");
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (printed, "", 0)
        );
    }
}

#[test]
fn standard_input_is_read_from_its_current_position() {
    let folder = Folder::with(&[
        ("two.txt", b"first line\n{\"a\": 1}\n"),
        ("bad.txt", b"first line\n{\"a\" 1}\n"),
    ]);
    let script = |file: &str| {
        let script = format!("{{ read first; \"$JSONX\" get .a; }} < {file}");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &script])
            .env("JSONX", env!("CARGO_BIN_EXE_jsonx"))
            .current_dir(folder.0.path());
        ended(
            shell
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    };
    assert_eq!(
        script("two.txt"),
        Ran {
            out: "1\n".into(),
            err: String::new(),
            code: 0
        }
    );
    let ran = script("bad.txt");
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("<stdin>:1:5\n"), "{}", ran.err);
}

/// The terminal output of `validate` for a stream whose writer never closes it.
#[test]
fn the_end_of_a_broken_text_is_not_waited_for_at_a_terminal() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"[1 2]\n").unwrap();
    let mut command = binary();
    command.args(["validate", "--color=never"]).stdin(reader);
    let (shown, code) = seen(&mut command);
    drop(writer);
    assert_eq!(code, Some(1));
    assert!(shown.contains(" --> <stdin>:1:4\n"), "{shown}");
}

/// With -q, nothing is waited for.
#[test]
fn the_end_of_a_broken_text_is_not_waited_for_in_silence() {
    for (args, code) in [(&["validate", "-q"][..], 1), (&["fmt", "-q", "--check"], 3)] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let child = started(args, reader);
        writer.write_all(b"[1 2]\n").unwrap();
        // The pipe buffers some unread text.
        let accepted = (0..).take_while(|_| writer.write_all(&[b' '; 4096]).is_ok());
        assert!(accepted.count() * 4096 < 2 << 20, "{args:?}");
        let ran = ended(child);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", "", code)
        );
    }
}

#[test]
fn lines_are_reported_while_their_writer_thinks() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let mut child = started(&["validate", "--input=jsonl"], reader);
    let good = "[3]\n".repeat(100);
    writer
        .write_all(format!("\u{feff}[1]\n[1 2]\n{good}").as_bytes())
        .unwrap();
    // The complete output arrives before the writer continues.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    while !first.ends_with("  = at: .[0]\n\n") {
        assert_ne!(stdout.read_line(&mut first).unwrap(), 0, "{first}");
    }
    assert!(first.contains(" --> <stdin>:2:3 (record 2)\n"), "{first}");

    writer
        .write_all(format!("[4 5]\n{good}").as_bytes())
        .unwrap();
    drop(writer);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let whole = piped(
        &["validate", "--input=jsonl"],
        format!("\u{feff}[1]\n[1 2]\n{good}[4 5]\n{good}"),
    );
    assert_eq!(first + &rest, whole.out);
    assert!(
        rest.ends_with("2 errors in 1 file, 1 warning; 1 file checked\n"),
        "{rest}"
    );
    let ran = ended(child);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
}

/// Reports with one document per file are complete at the end.
#[test]
fn a_pause_changes_nothing_in_reports_for_programs() {
    let args = ["validate", "--input=jsonl", "--reporter=json"];
    let (reader, mut writer) = std::io::pipe().unwrap();
    let child = started(&args, reader);
    writer.write_all(b"[1 2]\n").unwrap();
    thread::sleep(Duration::from_millis(2500));
    writer.write_all(b"[3 4]\n").unwrap();
    drop(writer);
    assert_eq!(ended(child), piped(&args, "[1 2]\n[3 4]\n"));
}

/// The writer sends the end of a line and the start of the next one, and then waits for output.
#[test]
fn a_complete_line_does_not_wait_for_the_one_that_has_begun() {
    for (args, answers) in [
        (&["fmt", "-c"][..], ["{\"a\":1}\n", "{\"a\":2}\n"]),
        (&["fmt", "-c", "-S"], ["{\"a\":1}\n", "{\"a\":2}\n"]),
        (&["get", ".a"], ["1\n", "2\n"]),
    ] {
        let mut child = started(args, Stdio::piped());
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut answer = |text: &str| {
            let mut bytes = vec![0; text.len()];
            stdout.read_exact(&mut bytes).unwrap();
            assert_eq!(String::from_utf8_lossy(&bytes), text, "{args:?}");
        };
        let (first, second) = answers[0].split_at(answers[0].len() - 1);
        stdin.write_all(b"{\"a\": 1}\n{\"a\"").unwrap();
        answer(first);
        stdin.write_all(b": 2}\n").unwrap();
        answer(&format!("{second}{}", answers[1].trim_end()));
        drop(stdin);
        answer("\n");
        assert_eq!(ended(child).code, 0, "{args:?}");
    }
}

/// A value that spans lines does not wait for the end of its last one either.
#[test]
fn a_whole_value_does_not_wait_for_the_end_of_its_line() {
    let values = ["{\n \"a\": 1}", "{\n \"a\": [2, 3]}", "{\n\"a\": {}}"];
    for args in [
        &["get", "-c", ".a"][..],
        &["fmt", "-c"],
        &["jq", "-c", ".a"],
    ] {
        for end in ["", " ", "\n", "\n\n"] {
            for first in 0..values.len() {
                let mut child = started(args, Stdio::piped());
                let mut stdin = child.stdin.take().unwrap();
                let mut answers = BufReader::new(child.stdout.take().unwrap()).bytes();
                let (mut text, mut answered) = (String::new(), Vec::new());
                for at in 0..values.len() {
                    let value = format!("{}{end}", values[(first + at) % values.len()]);
                    stdin.write_all(value.as_bytes()).unwrap();
                    text += &value;
                    // Whether white space follows is known later.
                    let expected = piped(args, &text).out;
                    while answered.len() < expected.trim_end().len() {
                        answered.push(answers.next().unwrap().unwrap());
                    }
                    assert!(
                        expected.as_bytes().starts_with(&answered),
                        "{args:?} {text:?}"
                    );
                }
                drop(stdin);
                answered.extend(answers.map(Result::unwrap));
                assert_eq!(String::from_utf8(answered).unwrap(), piped(args, &text).out);
                assert_eq!(ended(child).code, 0, "{args:?}");
            }
        }
    }
}
