//! Logs with every kind of damage: each record is read, and each other line is reported once, by every command, from every
//! source.

use crate::{Folder, Ran, headlines, piped};

/// The records of a log, the first of them nested.
const RECORDS: [&str; 6] = [
    "{\"a\":1,\"b\":{\"c\":[1,{}]}}",
    "{\"a\":2}",
    "{\"a\":3}",
    "{\"a\":4}",
    "{\"a\":5}",
    "{\"a\":6}",
];

/// Lines between records, by cause.
const LINES: [&[u8]; 18] = [
    b"> app@1 dev",
    b"\n> app@1 dev",
    b"-- Logs begin at Mon 2024-01-01 --",
    b"[INFO] starting",
    b"2024-01-01 12:00:00 start",
    b"12:00",
    b"\"x\" is on",
    b"{not json",
    b"[1, 2",
    b"# note",
    b"    at f (x.js:1)",
    b"Traceback (most recent call last):",
    b"  File \"a.py\", line 1, in f",
    b"\tat a.B.c(B.java:5) ~[b.jar:1]",
    b"\t... 12 more",
    b"<html>",
    b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\xe9t\xe9",
];

/// Each kind of damage to each record: the text, the number of skipped lines, and the values of `a` that are read.
fn damaged() -> Vec<(Vec<u8>, usize, Vec<usize>)> {
    let mut all = Vec::new();
    let mut put = |at: usize, line: Vec<u8>, lost: usize, is_last_cut: bool| {
        let mut text = Vec::new();
        let mut values = Vec::new();
        for (number, record) in RECORDS.iter().enumerate() {
            if number == at {
                text.extend_from_slice(&line);
                if !is_last_cut {
                    text.push(b'\n');
                }
            }
            if number < at || number >= at + lost {
                text.extend_from_slice(record.as_bytes());
                text.push(b'\n');
                values.push(number + 1);
            }
        }
        let lines = line.split(|&byte| byte == b'\n');
        all.push((text, lines.filter(|line| !line.is_empty()).count(), values));
    };
    let last = RECORDS.len() - 1;
    for line in LINES {
        for at in [0, 3] {
            put(at, line.to_vec(), 0, false);
        }
    }
    put(last - 1, b"{\"a\":\n\"b".to_vec(), 2, false);
    put(last - 1, b"{\"a\":\n\"b".to_vec(), 2, true);
    for at in [0, 3, last] {
        let record = RECORDS[at].as_bytes();
        for prefix in [&b"Jan 01 12:00:00 app[1]: "[..], b"web-1 | ", b"\0\0\0\0"] {
            put(at, [prefix, record].concat(), 1, false);
        }
        for cut in 1..record.len() {
            put(at, record[..cut].to_vec(), 1, false);
            if at == last {
                put(at, record[..cut].to_vec(), 1, true);
            }
            let rest = &record[cut..];
            // Some truncated records are still valid.
            if serde_json::from_slice::<serde_json::Value>(rest).is_err() {
                put(at, rest.to_vec(), 1, false);
            }
        }
        if at < last {
            let glued = [&record[..record.len() - 1], RECORDS[at + 1].as_bytes()].concat();
            put(at, glued, 2, false);
        }
    }
    all
}

/// The output of a command: the values, and the number of findings.
fn seen(ran: &Ran) -> (Vec<usize>, usize, i32) {
    let values = ran.out.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let value = value.get("a").unwrap_or(&value);
        value.as_u64().unwrap() as usize
    });
    (values.collect(), headlines(&ran.err).len(), ran.code)
}

#[test]
fn damage_of_a_log_is_passed_over_by_every_command_from_every_source() {
    let folder = Folder::with(&[("a.log", b""), ("a.jsonl", b"")]);
    for (number, (text, lines, values)) in damaged().into_iter().enumerate() {
        let shown = text.escape_ascii().to_string();
        for file in ["a.log", "a.jsonl"] {
            std::fs::write(folder.path(file), &text).unwrap();
        }
        // A process takes milliseconds: each text with one of the commands.
        let (command, refusal) = [
            (&["get", ".a"][..], 3),
            (&["jq", "-c", ".a"], 5),
            (&["fmt", "-c"], 3),
        ][number % 3];
        let from_each = |option: &[&str]| {
            let args = [command, option].concat();
            let of_file = |file| folder.run(&[&args[..], &[file]].concat());
            [of_file("a.log"), of_file("a.jsonl"), piped(&args, &text)]
        };
        for ran in from_each(&["--skip-invalid"]) {
            assert_eq!(
                seen(&ran),
                (values.clone(), lines, 0),
                "{command:?} {shown}\n{}",
                ran.err
            );
            assert!(ran.err.starts_with("warning"), "{shown}\n{}", ran.err);
        }
        for ran in from_each(&[]) {
            let (printed, found, code) = seen(&ran);
            if command[0] == "jq" {
                // As in jq, nothing is read after the first error.
                assert!(values.starts_with(&printed), "{shown}\n{}", ran.err);
                assert_eq!(code, refusal, "{shown}\n{}", ran.err);
                continue;
            }
            assert_eq!(
                (printed, found, code),
                (values.clone(), lines, refusal),
                "{command:?} {shown}\n{}",
                ran.err
            );
            let hints = ran.err.matches("--skip-invalid").count();
            assert_eq!(hints, 1, "{shown}\n{}", ran.err);
        }
        let args = ["validate", "--input=jsonl", "--reporter=concise"];
        let of_file = folder.run(&[&args[..], &["a.jsonl"]].concat());
        let of_pipe = piped(&args, &text);
        assert_eq!(of_pipe.out.replace("<stdin>", "a.jsonl"), of_file.out);
        let mut places: Vec<_> = of_pipe.out.lines().map(|it| it.split(':').nth(1)).collect();
        places.dedup();
        assert_eq!((places.len(), of_pipe.code), (lines, 1), "{shown}");
    }
}

#[test]
fn a_broken_document_is_not_a_log() {
    for text in [
        // Commas are missing.
        "[\n{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n]\n",
        "{\"a\": [\n{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n]}\n",
        "{\n  \"a\": 1\n  \"b\": {}\n}\n",
        // Text before a document.
        "Here it is:\n{\n  \"a\": 1,\n  \"b\": [],\n}\n",
        "Here it is:\n{\"a\": 1}\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\": 1}\n",
    ] {
        let folder = Folder::with(&[("a.log", text.as_bytes())]);
        for ran in [
            folder.run(&["get", ".a", "a.log"]),
            piped(&["get", ".a"], text),
        ] {
            assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{text}");
            assert!(!ran.err.contains("record"), "{}", ran.err);
            assert!(!ran.err.contains("skip"), "{}", ran.err);
        }
    }
}

#[test]
fn a_log_whose_lines_are_all_broken_is_repaired() {
    let folder = Folder::with(&[("w.log", b"{\"a\":1,}\n{'a':2}\n")]);
    let ran = folder.run(&["fix", "w.log"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{\"a\":1}\n{\"a\":2}\n", 0));
}

#[test]
fn several_records_on_a_line_are_read_with_a_warning() {
    let log = "{\"a\":1}{\"a\":2}\n{\"a\":3}\n{\"a\":4} {\"a\":5}\n{\"a\":6\n";
    let folder = Folder::with(&[("a.jsonl", log.as_bytes()), ("a.log", log.as_bytes())]);
    for command in [&["get", ".a"][..], &["jq", "-c", ".a"], &["fmt", "-c"]] {
        let args = [command, &["--input=jsonl", "--skip-invalid"]].concat();
        for ran in [
            folder.run(&[&args[..], &["a.jsonl"]].concat()),
            piped(&args, log),
        ] {
            assert_eq!(seen(&ran), (vec![1, 2, 3, 4, 5], 3, 0), "{}", ran.err);
            let warnings = ran.err.matches("warning[multiple-values]").count();
            assert_eq!(warnings, 2, "{}", ran.err);
        }
    }
    // Whatever else is in the log.
    let folder = Folder::with(&[("a.log", b"")]);
    for (text, count, values) in [
        (log.to_owned(), 1, vec![1, 2, 3, 4, 5]),
        (
            format!("-- Logs begin at Mon --\n{log}"),
            2,
            vec![1, 2, 3, 4, 5],
        ),
        (format!("> app@1 dev\n{log}"), 2, vec![1, 2, 3, 4, 5]),
        (format!("9}}\n{log}"), 2, vec![1, 2, 3, 4, 5]),
        (format!("\0\0{{\"a\":9}}\n{log}"), 2, vec![1, 2, 3, 4, 5]),
        (
            format!("web-1 | {{\"a\":9}}\n{log}{{\"a\":7}}"),
            2,
            vec![1, 2, 3, 4, 5, 7],
        ),
    ] {
        std::fs::write(folder.path("a.log"), &text).unwrap();
        for command in [&["get", ".a"][..], &["jq", "-c", ".a"], &["fmt", "-c"]] {
            let args = [command, &["--skip-invalid"]].concat();
            let of_file = folder.run(&[&args[..], &["a.log"]].concat());
            for ran in [of_file, piped(&args, &text)] {
                let headlines = headlines(&ran.err);
                let others = headlines
                    .iter()
                    .filter(|it| !it.contains("multiple-values"));
                let seen = (seen(&ran).0, others.count(), ran.code);
                assert_eq!(seen, (values.clone(), count, 0), "{text}\n{}", ran.err);
            }
            assert_eq!(
                piped(command, &text).err.matches("--skip-invalid").count(),
                1
            );
        }
    }
    // A valid stream is a log if most of its lines have one value, and none continues.
    for (text, count) in [
        ("{\"a\":1}\n{\"a\":2}{\"a\":3}\n", 1),
        ("{\"a\":1}{\"a\":2}\n{\"a\":3}\n", 1),
        (
            "{\"a\":1}\r\n{\"a\":2}{\"a\":3} {\"a\":4}\r\n{\"a\":5}\r\n",
            1,
        ),
        (
            "{\"a\":1}\n{\"a\":2}{\"a\":3}\n{\"a\":4}{\"a\":5}\n{\"a\":6}\n",
            2,
        ),
        ("{\"a\":1}{\"a\":2}{\"a\":3}", 0),
        (
            "{\"a\":1} {\"a\":2}\n{\"a\":3} {\"a\":4}\n{\"a\":5}{\"a\":6}\n",
            0,
        ),
        ("{\n\"a\":1\n}{\"a\":2}{\"a\":3}\n{\"a\":4}\n", 0),
        ("{\"a\":1}\n\n{\"a\":2}\n", 0),
    ] {
        std::fs::write(folder.path("a.log"), text).unwrap();
        for command in [&["get", ".a"][..], &["jq", ".a"], &["jq", "."]] {
            let mut all = vec![folder.run(&[command, &["a.log"]].concat())];
            all.extend([piped(command, text), piped(&["fmt", "-c"], text)]);
            all.push(folder.run(&["fmt", "a.log"]));
            for ran in all {
                let warnings = ran.err.matches("warning[multiple-values]").count();
                assert_eq!((warnings, ran.code), (count, 0), "{text}\n{}", ran.err);
            }
            let stream = [command, &["--input=stream", "a.log"]].concat();
            assert_eq!(folder.run(&stream).err, "", "{text}");
        }
        // The warning leads to the error.
        let ran = folder.run(&["validate", "a.log"]);
        let errors = ran.out.matches("error[multiple-values]").count();
        assert!(count == 0 || errors == count, "{}", ran.out);
        assert_eq!(ran.code, i32::from(!text.contains("\n\n")), "{}", ran.out);
    }
    let folder = Folder::with(&[("a.jsonl", log.as_bytes())]);
    // Each line must be one value, by the specification.
    assert_eq!(folder.run(&["validate", "a.jsonl"]).code, 1);
}

#[test]
fn a_text_sequence_is_a_stream() {
    let text = "\x1e{\"a\":1}\n\x1e\x1e{\"a\":\n2}\n\x1e{\"a\":3}\n";
    // A truncated record ends where the next begins.
    let cut = "\x1e{\"a\":1}\n\x1e{\"a\":9\x1e{\"a\":2}\n\x1e{\"a\":3}\n";
    let folder = Folder::with(&[("a.log", text.as_bytes()), ("cut.json", cut.as_bytes())]);
    for command in [&["get", ".a"][..], &["jq", "-c", ".a"], &["fmt", "-c"]] {
        for ran in [
            folder.run(&[command, &["a.log"]].concat()),
            piped(command, text),
        ] {
            assert_eq!(seen(&ran), (vec![1, 2, 3], 0, 0), "{}", ran.err);
            assert_eq!(ran.err, "");
        }
        let args = [command, &["--skip-invalid"]].concat();
        for ran in [
            folder.run(&[&args[..], &["cut.json"]].concat()),
            piped(&args, cut),
        ] {
            assert_eq!(seen(&ran), (vec![1, 2, 3], 1, 0), "{}", ran.err);
        }
    }
    for (text, code) in [(text, 0), (cut, 1)] {
        assert_eq!(piped(&["validate"], text).code, code);
    }
    assert_eq!(folder.run(&["validate", "a.log"]).code, 0);
    let ran = folder.run(&["fmt", "-w", "a.log"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    // In a string, it is not a separator.
    assert_eq!(piped(&["validate"], "\x1e\"a\x1eb\"\n").code, 1);
}

#[test]
fn a_stack_trace_counts_as_one_line() {
    let text = "> app@1.0.0 start\n> node x\n\n{\"a\":1}\n{\"a\":2}\nError: x\n    at foo (/a.js:1:2)\n    at bar (/a.js:1:2)\n";
    let folder = Folder::with(&[("e.log", text.as_bytes())]);
    for ran in [
        folder.run(&["get", ".a", "--skip-invalid", "e.log"]),
        piped(&["get", ".a", "--skip-invalid"], text),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("1\n2\n", 0), "{}", ran.err);
    }
}

#[test]
fn the_causes_of_lines_of_a_stack_trace_are_plain_text() {
    for line in LINES
        .iter()
        .filter(|line| line.starts_with(b"\t") || line.starts_with(b"  "))
    {
        let text = [b"{}\n", *line, b"\n{}\n"].concat();
        let ran = piped(&["validate", "--input=jsonl", "--reporter=concise"], text);
        assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
        assert!(
            ran.out.contains("error[wrong-format]: this is plain text"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_line_without_a_value_has_one_finding() {
    for (line, code) in [
        ("# a", "comment"),
        ("// a", "comment"),
        ("<<<<<<< a", "merge-conflict"),
        ("=======", "merge-conflict"),
        ("\0\0\0", "invalid-whitespace"),
    ] {
        let text = format!("{{}}\n{line}\n{{}}\n");
        let ran = piped(&["validate", "--input=jsonl", "--reporter=concise"], text);
        assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
        assert!(ran.out.contains(&format!("error[{code}]")), "{}", ran.out);
        assert!(!ran.out.contains("file"), "{}", ran.out);
    }
}
