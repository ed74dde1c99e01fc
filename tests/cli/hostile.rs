//! Inputs, outputs and names that behave badly.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, Mode};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::{Folder, Ran, jsonx, piped, run};

fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jsonx"))
}

fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().expect("no signal"),
    }
}

/// Runs with `text` written to its standard input in pieces of `size` bytes.
fn dripped(args: &[&str], text: &[u8], size: usize) -> Ran {
    let mut child = binary()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
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

#[test]
fn one_byte_per_write_changes_nothing() {
    let texts: [&[u8]; 7] = [
        b"{\"a\": [1, 2.5e-7, true, \"\\ud83d\\ude00 \xc3\xa9\"], \"b\": {}}\n",
        b"\xef\xbb\xbf[\"after a byte-order mark\", \"and more than sixty-four bytes of text to read\"]",
        b"{\"a\": [1, 2.5e-7, true, \"\\ud83d\\ude00 \xc3\xa9\"], \n\"b\": {}\n, 1}\n",
        b"[\"a string that is cut in the middle of a character, after more than a block \xe2\x82",
        b"[\"a string with a bad byte behind more than one block of sixty-four bytes \xff\"]",
        b"",
        b"\xef\xbb\xbf",
    ];
    for text in texts {
        for args in [
            &["validate"][..],
            &["fmt", "-c", "--input=json"],
            &["get", "-c", "."],
        ] {
            let whole = piped(args, text);
            for size in [1, 7] {
                assert_eq!(
                    dripped(args, text, size),
                    whole,
                    "{args:?} {size} {}",
                    text.escape_ascii()
                );
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
                // What was printed before the error may differ, not the verdict.
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

#[test]
fn a_fifo_is_read_to_its_end() {
    let folder = Folder::with(&[]);
    let path = folder.path("fifo");
    rustix::fs::mkfifoat(CWD, &path, Mode::RWXU).unwrap();
    let child = binary()
        .args(["fmt", "-c"])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut writer = File::options().write(true).open(&path).unwrap();
    writer.write_all(b"[1,").unwrap();
    thread::sleep(Duration::from_millis(50));
    writer.write_all(b" 2]").unwrap();
    drop(writer);
    assert_eq!(
        ended(child),
        Ran {
            out: "[1,2]\n".into(),
            err: String::new(),
            code: 0
        }
    );
}

#[test]
fn a_non_blocking_standard_input_is_waited_for() {
    let (reader, writer) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC).unwrap();
    let child = binary()
        .arg("validate")
        .stdin(reader)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut writer = File::from(writer);
    for piece in ["[1", ", 2", " 3]"] {
        thread::sleep(Duration::from_millis(30));
        writer.write_all(piece.as_bytes()).unwrap();
    }
    drop(writer);
    let ran = ended(child);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("<stdin>:1:6\n"), "{}", ran.out);
}

#[test]
fn a_non_blocking_standard_output_is_waited_for() {
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
fn sizes_that_the_system_reports_are_not_believed() {
    // These report 0 bytes, and 4096, and hold a number.
    for path in ["/proc/sys/kernel/pid_max", "/sys/class/net/lo/mtu"] {
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("skipped: no {path}");
            continue;
        };
        for args in [&["fmt", path][..], &["get", ".", path]] {
            let ran = piped(args, "");
            assert_eq!(
                (ran.out.as_str(), ran.err.as_str(), ran.code),
                (text.as_str(), "", 0),
                "{args:?}"
            );
        }
    }
    if Path::new("/proc/self/maps").exists() {
        assert_eq!(piped(&["validate", "/proc/self/maps"], "").code, 1);
    }
}

#[test]
fn endless_and_enormous_inputs_are_refused_at_once() {
    if Path::new("/dev/zero").exists() {
        let ran = piped(&["validate", "/dev/zero"], "");
        assert_eq!(ran.code, 1);
        assert!(ran.out.contains("/dev/zero:1:1\n"), "{}", ran.out);
    }
    let folder = Folder::with(&[]);
    let sparse = File::create(folder.path("sparse")).unwrap();
    if sparse.set_len(1 << 40).is_err() {
        eprintln!("skipped: no room for a sparse file");
        return;
    }
    for args in [
        &["validate", "sparse"][..],
        &["fmt", "sparse"],
        &["get", ".a", "sparse"],
    ] {
        let ran = folder.run(args);
        assert!(matches!(ran.code, 1 | 3), "{args:?}");
        assert!((ran.out + &ran.err).contains("sparse:1:1\n"), "{args:?}");
    }
}

#[test]
fn standard_input_is_read_from_where_it_stands() {
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

#[test]
fn a_reader_that_goes_away_ends_it_silently() {
    let value = format!("[{}0]", "1,".repeat(500_000));
    let folder = Folder::with(&[("long.json", value.as_bytes()), ("bad.json", b"[1,]")]);
    let bad = vec!["bad.json"; 5000];
    // What was known before stays true: the code of an invalid file is not lost in `| head`.
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
fn a_full_disk_is_said_so() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: no /dev/full");
        return;
    }
    let value = format!("[{}0]", "1,".repeat(500_000));
    let folder = Folder::with(&[
        ("long.json", value.as_bytes()),
        ("a.json", b"[1]"),
        ("bad.json", b"[1,]"),
    ]);
    for args in [
        &["fmt", "a.json"][..],
        &["fmt", "long.json"],
        &["fmt", "--check", "a.json"],
        &["fmt", "--diff", "a.json"],
        &["get", ".", "a.json"],
        &["get", "--source", ".", "long.json"],
        &["validate", "bad.json"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = binary();
        command
            .args(args)
            .current_dir(folder.0.path())
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped());
        let ran = ended(command.spawn().unwrap());
        assert_eq!(ran.code, 4, "{args:?}");
        assert_eq!(
            ran.err, "jsonx: standard output: No space left on device\n",
            "{args:?}"
        );
    }
}

#[test]
fn a_limit_of_file_sizes_is_said_so() {
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

#[test]
fn hostile_names_and_texts_do_not_reach_the_terminal() {
    let folder = Folder::with(&[]);
    let harmless = |text: &str| {
        text.chars()
            .all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}'))
    };
    for name in [
        &b"\xff.json"[..],
        b"\x1b[31m.json",
        b"a\nb.json",
        "\u{202e}gpj.json".as_bytes(),
        b"\xc2\x9b1m",
    ] {
        let name = OsStr::from_bytes(name);
        let missing = run(jsonx(&["validate"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(missing.code, 4);
        assert_eq!(missing.err.lines().count(), 1, "{}", missing.err);
        assert!(harmless(&missing.err), "{:?}", missing.err);
        if std::fs::write(
            folder.0.path().join(name),
            b"[\"\x1b[2J\xc2\x9b31m\xe2\x80\xae\"]",
        )
        .is_err()
        {
            continue; // Not every file system has every name.
        }
        let found = run(jsonx(&["validate"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(found.code, 1);
        assert!(harmless(&found.out), "{:?}", found.out);
        let looked = run(jsonx(&["get", ".a"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(
            (looked.code, harmless(&looked.err)),
            (3, true),
            "{:?}",
            looked.err
        );
    }
    let ran = run(jsonx(&["get"])
        .arg(OsStr::from_bytes(b".\xff"))
        .write_stdin("{}"));
    assert_eq!(ran.code, 2);
}

#[test]
fn ten_million_levels_fit_a_small_stack() {
    const LEVELS: usize = 10_000_000;
    let mut text = vec![b'['; LEVELS];
    let open = Folder::with(&[("deep.json", &text)]);
    text.resize(2 * LEVELS, b']');
    let closed = Folder::with(&[("deep.json", &text)]);
    for (folder, command, code) in [
        (&closed, "validate --max-depth 0 deep.json", 0),
        (&open, "validate --max-depth 0 deep.json", 1),
        (&closed, "validate deep.json", 4),
        (&open, "fmt deep.json", 4),
        (&closed, "get .0.0 deep.json", 4),
        (&closed, "fmt -c --max-depth 10000000 deep.json", 0),
        (&closed, "get -c --max-depth 10000000 .0.0 deep.json", 0),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -s 1024; exec \"$JSONX\" {command}")]);
        shell
            .env("JSONX", env!("CARGO_BIN_EXE_jsonx"))
            .current_dir(folder.0.path());
        let ran = ended(
            shell
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        );
        assert_eq!(
            ran.code,
            code,
            "{command}: {}{}",
            &ran.out[..ran.out.len().min(500)],
            ran.err
        );
        if code == 0 && !command.starts_with("validate") {
            let levels = if command.starts_with("get") {
                LEVELS - 2
            } else {
                LEVELS
            };
            assert!(ran.out.len() == 2 * levels + 1, "{command}");
        }
    }
}

#[test]
fn a_stream_that_does_not_end_is_not_waited_for() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let child = binary()
        .args(["validate", "--input=jsonl"])
        .stdin(reader)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writer
        .write_all(format!("[1]\n[1 2]\n{}", "[3]\n".repeat(100)).as_bytes())
        .unwrap();
    // The writer is still there, and would be for ever.
    let ran = ended(child);
    drop(writer);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    assert!(
        ran.out.contains(" --> <stdin>:2:3 (record 2)\n") && ran.out.contains("\n2 | [1 2]\n"),
        "{}",
        ran.out
    );
}

/// A terminal with nobody in front of it: the side that programs see, and the side that a person would.
pub(super) fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap();
    let program = File::options()
        .read(true)
        .write(true)
        .open(OsStr::from_bytes(name.as_bytes()))
        .unwrap();
    (program, File::from(person))
}

#[test]
fn without_a_file_and_with_a_terminal_there_is_nothing_to_do() {
    for args in [&["validate"][..], &["fmt"], &["get", ".a"]] {
        let (program, _person) = terminal();
        let mut command = binary();
        command
            .args(args)
            .stdin(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = ended(command.spawn().unwrap());
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("standard input is a terminal") && ran.err.contains("Usage:"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_file_where_the_path_should_be_is_noticed_at_a_terminal() {
    let folder = Folder::with(&[("config.json", b"{}")]);
    let (program, _person) = terminal();
    let mut command = binary();
    command.arg("get").arg(folder.path("config.json"));
    let ran = ended(
        command
            .stdin(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err
            .ends_with("is the name of a file; the path comes first: jsonx get PATH FILE\n"),
        "{}",
        ran.err
    );
}

/// What a person sees of a run.
pub fn seen(command: &mut Command) -> (String, Option<i32>) {
    let (program, mut person) = terminal();
    command.stdin(Stdio::null()).stdout(program);
    let code = command.status().unwrap().code();
    command.stdout(Stdio::null());
    let mut shown = Vec::new();
    let mut piece = [0; 1024];
    // The end of a terminal is an error (EIO) once nobody holds its other side.
    while let Ok(n @ 1..) = person.read(&mut piece) {
        shown.extend_from_slice(&piece[..n]);
    }
    (String::from_utf8(shown).unwrap().replace('\r', ""), code)
}

#[test]
fn a_person_is_told_how_to_learn_more() {
    let folder = Folder::with(&[("bad.json", b"[1,]")]);
    let mut command = binary();
    command
        .args(["validate", "--color=never"])
        .arg(folder.path("bad.json"));
    let (shown, code) = seen(&mut command);
    assert_eq!(code, Some(1));
    assert!(
        shown.ends_with(
            "1 error in 1 file; 1 file checked\nfor more about a code: jsonx explain trailing-comma\n"
        ),
        "{shown}"
    );
}

#[test]
fn text_for_a_terminal_is_shown_harmless_and_for_a_pipe_is_itself() {
    let text = br#"{"a": "\u001b[31mred\u202e\ttab\nline"}"#;
    let folder = Folder::with(&[("a.json", text)]);
    assert_eq!(
        folder.run(&["get", "-r", ".a", "a.json"]).out,
        "\u{1b}[31mred\u{202e}\ttab\nline\n"
    );

    let mut command = binary();
    command.args(["get", "-r", ".a"]).arg(folder.path("a.json"));
    let (shown, code) = seen(&mut command);
    assert_eq!(code, Some(0));
    assert_eq!(shown, "\u{241b}[31mred<U+202E>\ttab\nline\n");
}
