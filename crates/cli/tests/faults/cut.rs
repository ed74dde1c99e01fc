//! Reading a file while it is truncated, on one thread and in segments on several, and while interrupted.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{has_strace, is_ignored};

/// The elements of a file that is read on one thread, and of one that is split for several.
const SHORT: usize = 1 << 20;
const LONG: usize = 6 << 20;

/// Commands that read a long file in segments.
const IN_SEGMENTS: [&[&str]; 5] = [
    &["validate", "--threads=3"],
    &["validate", "--threads=3", "--allow=all"],
    &["fmt", "--threads=3"],
    &["get", "$[-1]", "--threads=3"],
    &["get", "--count", "$..id", "--threads=3"],
];

/// The same for segments of lines.
const IN_LINES: [&[&str]; 2] = [
    &["validate", "--input=jsonl", "--threads=3"],
    &["get", ".", "--input=jsonl", "--threads=3"],
];

/// The way in which a file is read, and the system call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Read {
    /// Mapped.
    Mapped,
    /// Read, because it cannot be mapped.
    Copied,
}

/// A folder with one file, which a command reads.
struct Reading {
    folder: TempDir,
    args: &'static [&'static str],
}

impl Reading {
    fn of(args: &'static [&'static str], elements: usize) -> Reading {
        let folder = tempfile::tempdir().unwrap();
        let text = if args.contains(&"--input=jsonl") {
            "[1234]\n".repeat(elements / 2)
        } else {
            format!("[{}0]", "10,".repeat(elements))
        };
        fs::write(folder.path().join("a.json"), text).unwrap();
        Reading { folder, args }
    }

    /// Starts the command with a fault at these calls that read the file, counted per thread.
    fn start(&self, read: Read, fault: &str, numbers: &str) -> std::process::Child {
        let path = self.folder.path().join("a.json");
        let call = match read {
            Read::Mapped => "mmap",
            Read::Copied => "pread64",
        };
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-P"])
            .arg(&path)
            .arg("-o")
            .arg(self.calls());
        strace.args(["-e", "trace=mmap,pread64"]);
        if read == Read::Copied {
            strace.args(["-e", "inject=mmap:error=ENODEV"]);
        }
        strace
            .args(["-e", &format!("inject={call}:{fault}:when={numbers}")])
            .arg(env!("CARGO_BIN_EXE_jsonx"))
            .args(self.args)
            .arg(&path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The log of the calls before the faults.
    fn calls(&self) -> std::path::PathBuf {
        self.folder.path().join("calls")
    }

    /// Runs it and truncates the file after this many reads.
    fn cut(&self, read: Read, number: usize) -> Output {
        let run = match number {
            1 => self.start(read, "delay_exit=2000000", "1"),
            _ => self.start(read, "delay_exit=200000", "1+"),
        };
        let call = match read {
            Read::Mapped => "mmap(",
            Read::Copied => "pread64(",
        };
        let start = Instant::now();
        while fs::read_to_string(self.calls()).map_or(0, |calls| calls.matches(call).count())
            < number
        {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no {call} {number}"
            );
            thread::sleep(Duration::from_millis(2));
        }
        let file = fs::OpenOptions::new()
            .write(true)
            .open(self.folder.path().join("a.json"));
        file.and_then(|file| file.set_len(100)).unwrap();
        run.wait_with_output().unwrap()
    }
}

fn is_cut(reading: &Reading, read: Read, number: usize) {
    let output = reading.cut(read, number);
    let message = String::from_utf8(output.stderr).unwrap();
    let what = format!("{:?}, {read:?} {number}: {message}", reading.args);
    assert_eq!(output.status.code(), Some(4), "{what}");
    assert!(
        message.ends_with(": the file was truncated while it was being read\n"),
        "{what}"
    );
    assert_eq!(message.lines().count(), 1, "{what}");
}

/// Truncates the file between mapping and reading.
#[test]
fn a_file_truncated_while_mapped_is_reported() {
    if !has_strace() {
        return;
    }
    // The delays at the same time.
    thread::scope(|scope| {
        for args in [
            &["validate"][..],
            &["fmt", "-c"],
            &["fmt", "-w"],
            &["get", "."],
            &["locate", "--offset=3000000"],
        ] {
            scope.spawn(move || is_cut(&Reading::of(args, SHORT), Read::Mapped, 1));
        }
        for args in IN_SEGMENTS {
            scope.spawn(move || is_cut(&Reading::of(args, LONG), Read::Mapped, 1));
        }
    });
}

/// Truncates the file while segments are being read, some of them before the cut.
#[test]
fn a_file_truncated_between_segments_is_reported() {
    if !has_strace() {
        return;
    }
    // The first read detects compression.
    for read in [Read::Mapped, Read::Copied] {
        thread::scope(|scope| {
            for args in IN_SEGMENTS {
                scope.spawn(move || is_cut(&Reading::of(args, LONG), read, 6));
            }
            for args in IN_LINES.iter().filter(|_| read == Read::Copied) {
                scope.spawn(move || is_cut(&Reading::of(args, LONG), read, 6));
            }
        });
    }
}

/// An interrupted command dies from the signal, without a message.
#[test]
fn segments_end_when_they_are_interrupted() {
    if !has_strace() || is_ignored(2) {
        return;
    }
    for args in IN_SEGMENTS {
        let reading = Reading::of(args, LONG);
        // strace itself fails now and then, when it resumes a thread that the signal has just ended (EIO of PTRACE_LISTEN).
        let (output, message) = (0..10)
            .map(|_| {
                let run = reading.start(Read::Mapped, "signal=INT", "2");
                let mut output = run.wait_with_output().unwrap();
                let message = String::from_utf8(std::mem::take(&mut output.stderr)).unwrap();
                (output, message)
            })
            .find(|(_, message)| !message.contains("strace: ptrace("))
            .expect("strace fails at every run");
        assert_eq!(output.status.signal(), Some(2), "{args:?}: {message}");
        assert_eq!(message, "", "{args:?}");
    }
}
