//! Outputs that are full, slow or closed.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};

use crate::hostile::{binary, ended};
use crate::{Folder, Ran};

#[test]
fn a_nonblocking_standard_output_is_awaited() {
    let (reader, writer) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
    let text = format!("[{}0]", "1,".repeat(300_000));
    let folder = Folder::with(&[("long.json", text.as_bytes())]);
    let child = binary()
        .args(["fmt", "-c"])
        .arg(folder.path("long.json"))
        .stdin(Stdio::null())
        .stdout(writer)
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(50));
    let mut out = Vec::new();
    let mut reader = File::from(reader);
    loop {
        let mut piece = [0; 4096];
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => out.extend_from_slice(&piece[..n]),
            Err(error) => {
                assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert!(out == format!("{text}\n").as_bytes());
}

#[test]
fn a_nonblocking_standard_error_is_awaited() {
    let (reader, writer) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
    let names: Vec<String> = (0..2000).map(|n| format!("{n:0>80}.json")).collect();
    let mut child = binary()
        .arg("validate")
        .args(&names)
        .current_dir(Folder::with(&[]).0.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(writer)
        .spawn()
        .unwrap();
    // Not read until it is full, or the program has exited.
    while rustix::io::ioctl_fionread(&reader).unwrap() < 60_000
        && child.try_wait().unwrap().is_none()
    {
        thread::sleep(Duration::from_millis(1));
    }
    rustix::fs::fcntl_setfl(&reader, rustix::fs::OFlags::empty()).unwrap();
    let mut err = String::new();
    File::from(reader).read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let expected: String = names
        .iter()
        .map(|name| format!("jsonx: {name}: No such file or directory\n"))
        .collect();
    assert!(err == expected, "{} of {} bytes", err.len(), expected.len());
}

#[test]
fn quiet_is_quiet() {
    let folder = Folder::with(&[
        ("marked.json", "\u{feff}{\"a\":1,\"a\":2}".as_bytes()),
        ("broken.json", b"{\"a\":"),
    ]);
    for (args, code) in [
        (&["get", "-q", ".a", "marked.json"][..], 0),
        (&["get", "-q", ".b", "marked.json"], 1),
        (&["get", "-q", ".a", "broken.json"], 3),
        (&["get", "-q", ".a", "missing.json"], 4),
        (&["validate", "-q", "marked.json"], 0),
        (&["validate", "-q", "broken.json"], 1),
        (&["validate", "-q", "--max-depth", "5", "missing.json"], 4),
        (&["fmt", "--check", "-q", "marked.json"], 1),
        (&["fmt", "--check", "-q", "broken.json"], 3),
    ] {
        let ran = folder.run(args);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            ("", "", code),
            "{args:?}"
        );
    }
}

#[test]
fn the_file_that_is_read_is_not_written_by_redirection() {
    let folder = Folder::with(&[("a.json", b"{\"a\":1}")]);
    let path = folder.path("a.json");
    let open = || File::options().append(true).open(&path).unwrap();
    for (args, input) in [
        (&["fmt", "a.json"][..], Stdio::null()),
        (&["fmt", "-"], File::open(&path).unwrap().into()),
        (&["fmt", "--diff", "--indent=4", "a.json"], Stdio::null()),
        (&["get", ".", "a.json"], Stdio::null()),
        (&["get", "."], File::open(&path).unwrap().into()),
        (&["locate", "a.json:1"], Stdio::null()),
        (&["validate", "a.json"], Stdio::null()),
    ] {
        let child = binary()
            .args(args)
            .current_dir(folder.0.path())
            .stdin(input)
            .stdout(open())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.ends_with(": standard output goes to the same file\n"),
            "{args:?}: {message}"
        );
        assert_eq!(output.status.code(), Some(4), "{args:?}");
        assert_eq!(std::fs::read(&path).unwrap(), b"{\"a\":1}", "{args:?}");
    }
    // A report written into the checked directory is not an input.
    let report = File::create(folder.path("report.json")).unwrap();
    let child = binary()
        .args(["validate", "--reporter=json", "."])
        .current_dir(folder.0.path())
        .stdout(report)
        .spawn()
        .unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    let report = std::fs::read_to_string(folder.path("report.json")).unwrap();
    assert!(!report.contains("report.json"), "{report}");
    // Writing to another file is fine.
    let other = File::create(folder.path("b.json")).unwrap();
    let child = binary()
        .args(["fmt", "-c", "a.json"])
        .current_dir(folder.0.path())
        .stdout(other)
        .spawn()
        .unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(
        std::fs::read(folder.path("b.json")).unwrap(),
        b"{\"a\":1}\n"
    );
}

#[test]
fn a_reader_that_goes_away_ends_it_silently() {
    let value = format!("[{}0]", "1,".repeat(500_000));
    let folder = Folder::with(&[("long.json", value.as_bytes()), ("bad.json", b"[1,]")]);
    let bad = vec!["bad.json"; 5000];
    // An earlier result counts: the exit code of an invalid file is not lost in `| head`.
    for (args, code) in [
        (&["fmt", "long.json"][..], 0),
        (&["get", ".", "long.json"], 0),
        (&[&["validate"][..], &bad].concat(), 1),
    ] {
        let mut child = binary()
            .args(args)
            .current_dir(folder.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0; 10];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        assert_eq!(
            ended(child),
            Ran {
                out: String::new(),
                err: String::new(),
                code
            },
            "{:?}",
            &args[..2]
        );
    }
}

#[test]
fn a_full_disk_is_reported() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: no /dev/full");
        return;
    }
    let value = format!("[{}0]", "1,".repeat(500_000));
    let folder = Folder::with(&[
        ("long.json", value.as_bytes()),
        ("a.json", b"[1]"),
        ("b.json", b"[2]"),
        ("bad.json", b"[1,]"),
        ("l.jsonl", b"{\"a\": 1}\n{\"a\": 2}\n"),
    ]);
    let commands = "\
        --version; --help; help programs; completions bash; explain; explain trailing-comma; config a.json;
        validate bad.json; validate --reporter json a.json; validate --reporter concise bad.json;
        validate --reporter sarif a.json; validate --reporter junit a.json; validate --reporter github bad.json;
        fmt a.json; fmt long.json; fmt -c l.jsonl; fmt --sort-keys a.json; fmt --check a.json; fmt --diff a.json;
        fix bad.json; fix --check bad.json; fix --diff bad.json;
        get . a.json; get --source . long.json; get -r .[0] a.json; get .a l.jsonl;
        set .[0] 2 a.json; set .a 2 l.jsonl; set .[0] 2 --diff a.json; append . 2 a.json; del .[0] a.json;
        locate a.json:1:2; diff a.json b.json; merge a.json a.json b.json; patch [] a.json; patch [] l.jsonl";
    let jq = if cfg!(feature = "jq") {
        "jq . a.json; jq . long.json; jq . l.jsonl; jq -c . a.json; jq -j .[0] a.json; jq --seq . a.json;
        jq --stream . a.json; jq --tab . a.json; jq -e . a.json; jq -n 1; jq -s . l.jsonl; jq -R . a.json; jq -C . a.json;
        jq --raw-output0 . a.json; jq --unbuffered . a.json; jq .,halt a.json; jq .,halt_error a.json; jq .,error a.json;
        jq .,(1|debug) a.json; jq -n input,halt l.jsonl; jq .,error l.jsonl; jq .[0]=2 --check a.json;
        jq .[0]=2 --diff a.json"
    } else {
        ""
    };
    let commands = commands.split(';').chain(jq.split(';'));
    for line in commands.filter(|line| !line.trim().is_empty()) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = binary();
        command
            .args(line.split_whitespace())
            .current_dir(folder.0.path())
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped());
        let ran = ended(command.spawn().unwrap());
        assert_eq!(ran.code, 4, "{line}: {}", ran.err);
        let last = ran.err.lines().last();
        let reported = "jsonx: standard output: No space left on device";
        assert_eq!(last, Some(reported), "{line}: {}", ran.err);
    }
}

#[test]
fn a_file_size_limit_is_reported() {
    let value = format!("[{}0]", "1,".repeat(50_000));
    let folder = Folder::with(&[("long.json", value.as_bytes())]);
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8; exec \"$0\" fmt -c long.json >out",
        ])
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .current_dir(folder.0.path())
        .stderr(Stdio::piped());
    let ran = ended(command.spawn().unwrap());
    assert_eq!(
        (ran.err.as_str(), ran.code),
        ("jsonx: standard output: File too large\n", 4)
    );
}
