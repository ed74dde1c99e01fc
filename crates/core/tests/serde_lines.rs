//! Lines and elements, compared with reading each separately, and in constant memory.

use std::io::{self, BufReader, ErrorKind, Read};

use jsonx_core::{Error, elements, from_slice, lines, lines_in};
use jsonx_testing::cases;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// Lines: values, fragments that form a value together, blank lines.
fn line() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        " ",
        "\r",
        "1",
        "1 2",
        "[1,",
        "2]",
        "{\"a\":",
        "\"b\"}",
        "\"a\\n\\u00e9\"",
        " [1, {\"a\": null}] \r",
        "{\"a\": [1.5, \"é\"]}",
        "nul",
        "\"",
        "]",
        "{} x",
        "[[[]]]",
        "true\t",
        "\u{1}",
    ])
    .prop_map(str::to_owned)
}

type Read1 = Result<Value, (String, Option<u64>)>;

fn outcome(error: &Error) -> (String, Option<u64>) {
    (error.to_string(), error.offset())
}

/// Reads each line separately, with its number.
fn by_itself(text: &[u8]) -> Vec<(u64, usize, Read1)> {
    let mut read = Vec::new();
    let mut start = 0;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if !line.trim_ascii().is_empty() {
            let number = index as u64 + 1;
            let value = from_slice::<Value>(line).map_err(|error| {
                let (message, offset) = outcome(&error);
                let on_line = format!(" at line {number} column ");
                (message.replace(" at line 1 column ", &on_line), offset)
            });
            read.push((number, start, value));
        }
        start += line.len() + 1;
    }
    read
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn lines_are_read_as_each_by_itself(
        text in prop::collection::vec(line(), 0..12),
        capacity in 1..100usize,
    ) {
        are_read_as_each_by_itself(&text.join("\n"), capacity);
    }
}

/// Alternates between at most this many bytes and an error; at the end of the text, repeats the last error, if any.
struct Failing<'t> {
    text: &'t [u8],
    size: usize,
    pause: Option<ErrorKind>,
    last: Option<ErrorKind>,
    is_due: bool,
}

impl Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.is_due = !self.is_due;
        let error = match self.text {
            [] => self.last,
            _ => self.pause.filter(|_| self.is_due),
        };
        if let Some(kind) = error {
            return Err(kind.into());
        }
        let count = out.len().min(self.size);
        self.text.read(&mut out[..count])
    }
}

proptest! {
    #![proptest_config(cases(500))]

    /// A pause of the reader loses no bytes; a failure comes after the lines before it, and ends the iteration.
    #[test]
    fn a_reader_that_fails_loses_no_line(
        text in prop::collection::vec(line(), 0..12),
        capacity in 1..100usize,
        size in 1..20usize,
        kind in prop::sample::select(vec![ErrorKind::Interrupted, ErrorKind::WouldBlock, ErrorKind::TimedOut]),
        fails: prop::sample::Index,
    ) {
        let text = text.join("\n");
        let of = |text, pause, last| {
            let reader = Failing { text, size, pause, last, is_due: false };
            let mut records = lines::<Value, _>(BufReader::with_capacity(capacity, reader));
            let (mut read, mut errors) = (Vec::new(), Vec::new());
            while let Some(record) = records.next() {
                match record {
                    Err(error) if error.io_error_kind().is_some() => errors.extend(error.io_error_kind()),
                    record => read.push((records.line(), record.map_err(|error| outcome(&error)))),
                }
                assert!(errors.len() <= text.len() + 1, "an error that does not end");
            }
            (read, errors)
        };
        let by_itself = |text| by_itself(text).into_iter().map(|(line, _, value)| (line, value)).collect::<Vec<_>>();

        let (read, errors) = of(text.as_bytes(), Some(kind), None);
        prop_assert_eq!(read, by_itself(text.as_bytes()));
        prop_assert_eq!(errors.is_empty(), kind == ErrorKind::Interrupted || text.is_empty());
        prop_assert!(errors.iter().all(|&error| error == kind));

        let text = &text.as_bytes()[..fails.index(text.len() + 1)];
        let (read, errors) = of(text, None, Some(ErrorKind::ConnectionReset));
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        prop_assert_eq!(read, by_itself(&text[..whole]));
        prop_assert_eq!(errors, [ErrorKind::ConnectionReset]);
    }
}

/// Texts of many chunks, most with occasional invalid lines.
#[test]
fn long_texts_are_read_like_separate_lines() {
    let sound = "{\"id\": 12345, \"name\": \"a line of a few bytes\", \"x\": [1.5, null]}\n";
    for wrong in ["", "nul\n", "[1,\n2]\n", "1 2\n", "\"\n", "\n\n", "]\n"] {
        for every in [90, 300] {
            let text = format!("{}{wrong}", sound.repeat(every)).repeat(600 / every);
            are_read_as_each_by_itself(&text, 8 << 10);
        }
    }
}

fn are_read_as_each_by_itself(text: &str, capacity: usize) {
    let expected = by_itself(text.as_bytes());

    let mut read = Vec::new();
    let mut records = lines_in::<Value>(text.as_bytes());
    while let Some(record) = records.next() {
        read.push((records.line(), record.map_err(|error| outcome(&error))));
    }
    let moved = expected.iter().map(|(line, start, value)| {
        let moved = value
            .clone()
            .map_err(|(text, offset)| (text, offset.map(|at| at + *start as u64)));
        (*line, moved)
    });
    assert_eq!(read, moved.collect::<Vec<_>>());

    let mut read = Vec::new();
    let mut records = lines::<Value, _>(BufReader::with_capacity(capacity, text.as_bytes()));
    while let Some(record) = records.next() {
        let record = record.map_err(|error| outcome(&error));
        read.push((records.line(), record));
    }
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(line, _, value)| (line, value))
        .collect();
    assert_eq!(read, expected);
}

/// Fields in another order, missing, unknown, twice, and with escapes in their names.
#[derive(Debug, Deserialize, PartialEq)]
struct Fields<'a> {
    first: u8,
    #[serde(alias = "zweites", default)]
    second: Option<String>,
    #[serde(rename = "back\\slash")]
    third: Option<bool>,
    #[serde(skip)]
    skipped: u8,
    #[serde(borrow, default)]
    fourth: &'a str,
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn fields_in_any_order(members in prop::collection::vec(prop::sample::select(vec![
        "\"first\": 1", "\"f\\u0069rst\": 2", "\"first\" : 300", "\"second\": \"x\\ty\"", "\"zweites\": null",
        "\"back\\\\slash\": true", "\"back\\slash\": true", "\"backslash\": true", "\"fourth\": \"é\"",
        "\"skipped\": 7", "\"unknown\": [{\"first\": 3}]", "\"\": 1", "\"firs\": 1", "\"first \": 1",
    ]), 0..8)) {
        let text = format!("{{{}}}", members.join(", "));
        let ours = jsonx_core::from_str::<Fields<'_>>(&text);
        let theirs = serde_json::from_str::<Fields<'_>>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
            (ours, theirs) => prop_assert!(ours.is_err() && theirs.is_err(), "{}", text),
        }
    }
}

/// An array that is not in memory.
struct Generated {
    left: u64,
    row: &'static [u8],
    at: usize,
}

impl Read for Generated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < buffer.len() && self.left > 0 {
            let rest = &self.row[self.at..];
            let count = rest.len().min(buffer.len() - written);
            buffer[written..written + count].copy_from_slice(&rest[..count]);
            written += count;
            self.at += count;
            if self.at == self.row.len() {
                self.at = 0;
                self.left -= 1;
            }
        }
        Ok(written)
    }
}

/// The peak memory of the process in KiB.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of the process");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|number| number.parse().ok())
        .expect("a peak")
}

#[cfg(target_os = "linux")]
fn read_generated(bytes: u64) {
    #[derive(Deserialize)]
    struct Row {
        id: u64,
    }

    const ROW: &[u8] =
        b"{\"id\": 3, \"name\": \"a row of the array\", \"tags\": [\"one\", \"two\"]},\n";
    let rows = bytes / ROW.len() as u64;
    let generated = Generated {
        left: rows,
        row: ROW,
        at: 0,
    };
    let reader = (&b"{\"rows\": ["[..])
        .chain(generated)
        .chain(&b"{\"id\": 4}]}"[..]);
    let sum: u64 = elements::<Row, _>(reader, "/rows")
        .expect("a path")
        .map(|row| row.expect("a row").id)
        .sum();
    assert_eq!(sum, 3 * rows + 4);
    let generated = Generated {
        left: rows,
        row: b"{\"id\": 3, \"name\": \"a row of the lines\", \"tags\": [\"one\", \"two\"]}\n",
        at: 0,
    };
    let sum: u64 = lines::<Row, _>(BufReader::new(generated))
        .map(|row| row.expect("a row").id)
        .sum();
    assert_eq!(sum, 3 * rows);
    assert!(peak() < 16 << 10, "{} KiB", peak());
}

/// In a separate process, so that the memory of other tests does not count.
#[cfg(target_os = "linux")]
fn alone(name: &str) {
    let output = std::process::Command::new(std::env::current_exe().expect("the test"))
        .args(["--exact", name, "--ignored", "--nocapture"])
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "run by constant_memory in a process of its own"]
fn a_few_megabytes() {
    read_generated(4_000_000);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes: cargo test --release --test serde_lines ten_gigabytes -- --ignored"]
fn ten_gigabytes() {
    read_generated(10_000_000_000);
}

#[cfg(target_os = "linux")]
#[test]
fn constant_memory() {
    alone("a_few_megabytes");
}
