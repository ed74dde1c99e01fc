//! Inputs that are endless, enormous, deep, or of another size than the system reports.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::{Folder, Ran, piped};

/// The binary in the environment of the tests.
pub(super) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jsonx"))
}

/// A run with this standard input, whose outputs are read through pipes.
pub(super) fn started(args: &[&str], stdin: impl Into<Stdio>) -> Child {
    binary()
        .args(args)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Waits for the end of a run.
pub(super) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().expect("no signal"),
    }
}

/// The first once blocked the program forever, and the second took all memory.
#[test]
fn only_regular_ignore_files_of_a_sane_size_are_read() {
    let fifo = |at: &Path| {
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
        rustix::fs::mknodat(rustix::fs::CWD, at, kind, mode, 0).unwrap();
    };
    let zero = |at: &Path| std::os::unix::fs::symlink("/dev/zero", at).unwrap();
    let dangling = |at: &Path| std::os::unix::fs::symlink("nothing", at).unwrap();
    let directory = |at: &Path| std::fs::create_dir(at).unwrap();
    let long = |at: &Path| std::fs::write(at, "b.json\n".repeat(1 << 18)).unwrap();
    let irregular = Some("it is not a regular file");
    type Kind<'a> = (&'a str, &'a dyn Fn(&Path), Option<&'a str>);
    let kinds: [Kind<'_>; 5] = [
        ("a-fifo", &fifo, irregular),
        ("b-zero", &zero, irregular),
        ("c-dangling", &dangling, None),
        ("d-directory", &directory, None),
        ("e-long", &long, Some("it is larger than 1 MiB")),
    ];
    for name in [".ignore", ".gitignore"] {
        let folder = Folder::with(&[]);
        let (mut out, mut err) = (String::new(), String::new());
        for (kind, make, refusal) in &kinds {
            let inside = folder.path(kind);
            std::fs::create_dir_all(inside.join("sub")).unwrap();
            make(&inside.join(name));
            std::fs::write(inside.join("b.json"), "1").unwrap();
            // The others still count.
            std::fs::write(inside.join("sub").join(name), "c.json\n").unwrap();
            std::fs::write(inside.join("sub/c.json"), "broken").unwrap();
            if let Some(refusal) = refusal {
                err += &format!("jsonx: {kind}/{name}: warning: ignore file not read: {refusal}\n");
            }
            out += &format!("{kind}/b.json: valid\n");
        }
        let child = Command::new("sh")
            .args(["-c", "ulimit -v 4000000; exec \"$0\" validate -v ."])
            .arg(env!("CARGO_BIN_EXE_jsonx"))
            .current_dir(folder.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let ran = ended(child);
        let (warnings, verdicts): (Vec<&str>, Vec<&str>) = ran
            .err
            .lines()
            .filter(|line| !line.contains("excluded"))
            .partition(|line| line.contains("warning"));
        assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
        assert_eq!(warnings.join("\n"), err.trim_end());
        assert_eq!(verdicts.join("\n"), out.trim_end());
    }
}

#[test]
fn sizes_that_the_system_reports_are_not_believed() {
    // These report 0 bytes, and 4096, and hold a number.
    for path in ["/proc/sys/kernel/pid_max", "/sys/class/net/lo/mtu"] {
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("skipped: no {path}");
            continue;
        };
        for (args, printed) in [
            (&["fmt", path][..], text.as_str()),
            (&["get", ".", path], &text),
            (&["validate", path], ""),
        ] {
            let ran = piped(args, "");
            assert_eq!(
                (ran.out.as_str(), ran.err.as_str(), ran.code),
                (printed, "", 0),
                "{args:?}"
            );
        }
    }
    if Path::new("/proc/self/maps").exists() {
        assert_eq!(piped(&["validate", "/proc/self/maps"], "").code, 1);
        assert_eq!(piped(&["fmt", "/proc/self/maps"], "").code, 3);
        assert_eq!(piped(&["get", ".", "/proc/self/maps"], "").code, 3);
    }
}

#[test]
fn endless_and_enormous_inputs_are_refused_at_once() {
    if Path::new("/dev/zero").exists() {
        for (args, code) in [
            (&["validate", "/dev/zero"][..], 1),
            (&["fmt", "/dev/zero"], 3),
            (&["get", ".a", "/dev/zero"], 3),
        ] {
            let ran = piped(args, "");
            assert_eq!(ran.code, code, "{args:?}");
            let message = ran.out + &ran.err;
            assert!(message.contains("/dev/zero:1:1\n"), "{message}");
        }
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

/// Runs in a shell with an address space of 64 MiB.
fn limited(folder: &Folder, command: &str) -> Ran {
    limited_to(64, folder, command)
}

/// Runs in a shell with an address space of this many MiB.
fn limited_to(size: u32, folder: &Folder, command: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit -v {}; {command}", size * 1024)])
        .env("JSONX", env!("CARGO_BIN_EXE_jsonx"))
        .env_remove("GITHUB_ACTIONS")
        .current_dir(folder.0.path());
    let shell = shell
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    ended(shell.spawn().unwrap())
}

/// At most 100,000 are described.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_findings() {
    const COUNT: usize = 500_000;
    const MOST: usize = 100_000;
    let array = format!("[{}1]", "1 ".repeat(COUNT));
    let lints = format!("[{}1]", "1e400,".repeat(COUNT));
    let lines = "tru\n".repeat(COUNT);
    let line = format!("1\n{array}\n");
    let folder = Folder::with(&[
        ("array.json", array.as_bytes()),
        ("lints.json", lints.as_bytes()),
        ("lines.jsonl", lines.as_bytes()),
        ("line.jsonl", line.as_bytes()),
        ("fine.json", b"1"),
    ]);
    for (input, last) in [
        (
            "array.json",
            "array.json:1:200003: error[missing-comma]: 400000 more like this",
        ),
        ("fine.json array.json", "array.json:1:200003: error"),
        ("< array.json", "<stdin>:1:200003: error"),
        (
            "lints.json",
            "lints.json:1:600002: warning[number-range]: 400000 more",
        ),
        ("fine.json lints.json", "lints.json:1:600002: warning"),
        (
            "lines.jsonl",
            "lines.jsonl:100001:1: error[wrong-literal]: 400000 more",
        ),
        ("--input jsonl < lines.jsonl", "<stdin>:100001:1: error"),
        ("fine.json lines.jsonl", "lines.jsonl:100001:1: error"),
        ("line.jsonl", "line.jsonl:2:200003: error"),
    ] {
        // Each takes more than a second: pipes, and those after another file, run only in CI.
        let rare = input.starts_with("fine") || input.contains('<');
        if rare && std::env::var_os("JSONX_CASES").is_none() {
            continue;
        }
        let command = "exec \"$JSONX\" validate --max-errors 0 --threads 1 --reporter concise";
        let ran = limited_to(256, &folder, &format!("{command} {input} > out"));
        let out = std::fs::read_to_string(folder.0.path().join("out")).unwrap();
        assert_eq!(ran.err, "", "{input}");
        assert_eq!(ran.code, i32::from(!last.contains("warning")), "{input}");
        let findings = out.lines();
        assert_eq!(findings.clone().count(), MOST + 1, "{input}");
        let found = findings.last().unwrap();
        assert!(found.starts_with(last), "{input}: {found}");
    }
    let command =
        "exec \"$JSONX\" validate --max-errors 0 --threads 1 --reporter json lines.jsonl > out";
    assert_eq!(limited_to(256, &folder, command).code, 1);
    let out = std::fs::read_to_string(folder.0.path().join("out")).unwrap();
    let ends: Vec<serde_json::Value> = out
        .lines()
        .skip(MOST)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(ends.len(), 2);
    for (end, kind) in ends.iter().zip(["file", "summary"]) {
        assert_eq!(
            (&end["type"], &end["errors"]),
            (&kind.into(), &COUNT.into())
        );
        assert_eq!(end["truncated"], true);
    }
    assert_eq!(
        (&ends[0]["valid"], &ends[0]["invalidAt"]),
        (&false.into(), &3.into())
    );
}

/// The verdict is unknown, and nothing has been printed.
fn ends_without_memory(ran: &Ran, command: &str) {
    assert_eq!((ran.code, &*ran.out), (4, ""), "{command}: {}", ran.err);
    let is_named = ran.err.starts_with("jsonx: out of memory: ");
    assert!(is_named && ran.err.lines().count() == 1, "{}", ran.err);
}

/// One bit per level exceeds memory if levels never end: an error, but not an internal one.
#[cfg(target_os = "linux")]
#[test]
fn levels_for_which_there_is_no_memory_are_a_failure() {
    for command in [
        "validate --max-depth 0 --allow all",
        "get --max-depth 4000000000 .a",
    ] {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("ulimit -v 65536; exec \"$JSONX\" {command}")])
            .env("JSONX", env!("CARGO_BIN_EXE_jsonx"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = thread::spawn(move || {
            let brackets = vec![b'['; 1 << 20];
            // Until the program exits.
            while stdin.write_all(&brackets).is_ok() {}
        });
        let ran = ended(child);
        writer.join().unwrap();
        ends_without_memory(&ran, command);
    }
    const LEVELS: usize = 3_000_000;
    let text = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
    let folder = Folder::with(&[("deep.json", text.as_bytes())]);
    for command in [
        "get '$..*'",
        "get --with-path '$..[0]'",
        "get --count '$..[0]'",
        "locate --offset 3000000",
        "fmt --to msgpack",
    ] {
        let command = format!("exec \"$JSONX\" {command} --max-depth 4000000000 deep.json");
        let ran = limited(&folder, &command);
        ends_without_memory(&ran, &command);
    }
}

/// A program that takes all memory ends with a message, and leaves no temporary file.
#[cfg(all(target_os = "linux", feature = "jq"))]
#[test]
fn a_program_without_memory_ends_with_a_message() {
    let folder = Folder::with(&[("a.json", b"[1]")]);
    for command in [
        "jq -n 'reduce range(60) as $i (\"x\"; \"\\(.)\\(.)\") | length'",
        "jq -n '[range(1e12)]'",
        "jq -n '[limit(1e9; repeat(\"x\"))] | length'",
        "jq -w '[range(1e12)]' a.json",
        "jq -w '., [range(1e12)]' a.json",
    ] {
        let ran = limited_to(700, &folder, &format!("exec \"$JSONX\" {command}"));
        ends_without_memory(&ran, command);
        assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1);
    }
    // Less than the stack of the interpreter.
    for command in ["jq . a.json", "jq -w '.[0] = 2' a.json"] {
        let ran = limited_to(300, &folder, &format!("exec \"$JSONX\" {command}"));
        ends_without_memory(&ran, command);
    }
}

/// Each successive comma once took hundreds of bytes.
#[cfg(target_os = "linux")]
#[test]
fn consecutive_commas_take_no_memory() {
    const COMMAS: usize = 2_000_000;
    let text = format!("[{}1]", ",".repeat(COMMAS));
    let folder = Folder::with(&[("commas.json", text.as_bytes())]);
    let ran = limited(
        &folder,
        "exec \"$JSONX\" validate --reporter=concise commas.json",
    );
    assert!(
        ran.out.contains("error[extra-comma]"),
        "{}{}",
        ran.out,
        ran.err
    );
    let ran = limited(&folder, "exec \"$JSONX\" fix --all -q commas.json");
    assert_eq!((ran.out.as_str(), ran.code), ("[1]", 0), "{}", ran.err);
}

/// More text than memory: commands in constant memory work, errors are explained with the surrounding text, and other commands
/// fail with a message.
#[test]
fn a_text_may_be_longer_than_there_is_memory() {
    let long = "x".repeat(70 << 20);
    let folder = Folder::with(&[
        (
            "good.json",
            format!("{{\"z\":\"{long}\",\"a\":[1,2]}}").as_bytes(),
        ),
        (
            "bad.json",
            format!("{{\"z\":\"{long}\",\"a\":[1 2]}}").as_bytes(),
        ),
        (
            "twice.json",
            format!("{{\"a\":\"{long}\",\"a\":[1,2]}}").as_bytes(),
        ),
    ]);
    drop(long);
    let memory = "jsonx: out of memory: ";
    let place = ":1:73400336\n";
    let cases = [
        ("validate good.json", 0, ""),
        ("validate bad.json", 1, place),
        ("validate twice.json", 0, ":1:73400329\n"),
        ("fmt --check good.json", 1, "good.json\n"),
        ("fmt bad.json", 3, place),
        ("fmt -S good.json", 4, memory),
        ("fmt -w bad.json", 3, place),
        ("get -c .a good.json", 0, "[1,2]\n"),
        ("get .a bad.json", 3, place),
        ("get -r .z good.json", 4, memory),
    ];
    for (args, code, message) in cases {
        let ran = limited(&folder, &format!("exec \"$JSONX\" {args}"));
        let text = ran.out + &ran.err;
        assert_eq!(ran.code, code, "{args}: {text}");
        assert!(
            text.contains(message) && text.len() < 1000,
            "{args}: {text}"
        );
    }
    for (args, file, code, message) in [
        ("validate", "good.json", 0, ""),
        ("validate", "bad.json", 1, place),
        ("fmt --check", "bad.json", 3, place),
        ("get -c .a", "good.json", 0, "[1,2]\n"),
        ("get .b", "bad.json", 3, place),
        ("get .z", "good.json", 4, memory),
    ] {
        let ran = limited(&folder, &format!("cat {file} | \"$JSONX\" {args}"));
        let text = ran.out + &ran.err;
        assert_eq!(ran.code, code, "{args} <{file}: {text}");
        assert!(
            text.contains(message) && text.len() < 1000,
            "{args}: {text}"
        );
    }
    let good = std::fs::read(folder.path("good.json")).unwrap();
    for command in [
        "fmt -S -w good.json",
        "fmt -S -w --threads 4 good.json bad.json twice.json",
        "fix -w bad.json good.json",
        "diff good.json twice.json",
    ] {
        let ran = limited(&folder, &format!("exec \"$JSONX\" {command}"));
        ends_without_memory(&ran, command);
        assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 3);
        assert!(std::fs::read(folder.path("good.json")).unwrap() == good);
    }
    let ran = limited(&folder, "exec \"$JSONX\" fmt -w good.json");
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    let length = std::fs::metadata(folder.path("good.json")).unwrap().len();
    assert_eq!(length, (70 << 20) + 41);
}

#[test]
fn unreadable_files_among_others_are_reported_and_the_rest_processed() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("z.json", b"[ 1 ]")]);
    std::fs::create_dir(folder.path("folder")).unwrap();
    for (args, done) in [
        (&["validate", "-v"][..], "z.json: valid\n"),
        (&["fmt", "--check"], "z.json\n"),
        (&["get", "-c", "."], "z.json:[1]\n"),
    ] {
        let ran = folder.run(&[args, &["a.json", "gone.json", "folder", "z.json"]].concat());
        let message = ran.out + &ran.err;
        assert_eq!(ran.code, 4, "{args:?}: {message}");
        for part in [
            "a.json:1:3\n",
            "jsonx: gone.json: No such file or directory\n",
            done,
        ] {
            assert!(message.contains(part), "{args:?}: {message}");
        }
        // It is searched, and need not have a file.
        assert!(!message.contains("folder"), "{args:?}: {message}");
    }
}

#[test]
fn numbers_without_end_are_kept_as_they_are() {
    let texts = [
        "1e2147483648".to_owned(),
        "-1E-99999999999999999999".to_owned(),
        "0.".to_owned() + &"9".repeat(1000),
        "7".repeat(100_000),
    ];
    for text in texts {
        assert_eq!(piped(&["validate", "--allow=all"], &text).code, 0);
        for args in [&["fmt"][..], &["get", "."]] {
            let ran = piped(args, &text);
            assert_eq!((ran.out, ran.code), (text.clone() + "\n", 0), "{args:?}");
        }
    }
}

#[test]
fn compressed_data_without_text_is_an_error_of_reading() {
    for (bytes, what) in [
        (
            &b"\x1f\x8b\x08\x00\x00\x00\x00\x00"[..],
            "gzip data is truncated",
        ),
        (b"\x28\xb5\x2f\xfd\x04\x00", "Zstandard data is truncated"),
        (b"BZh91AY&SY\x00\x00", "bzip2 data is truncated"),
        (b"\xfd7zXZ\0\x01\x02\x03\x04", "xz data is "),
    ] {
        let folder = Folder::with(&[("a.json", bytes)]);
        for args in [
            &["validate", "a.json"][..],
            &["fmt", "a.json"],
            &["get", ".", "a.json"],
            &["fix", "a.json"],
            &["diff", "a.json", "a.json"],
            &["fmt", "--to", "msgpack", "a.json"],
        ] {
            let ran = folder.run(args);
            assert_eq!((ran.code, &*ran.out), (4, ""), "{args:?} {ran:?}");
            assert!(
                ran.err.contains(what) && ran.err.contains("before any text"),
                "{args:?} {ran:?}"
            );
        }
        assert_eq!(std::fs::read(folder.path("a.json")).unwrap(), bytes);
    }
    // Archives are named.
    let ran = piped(&["validate"], b"PK\x03\x04\x14\x00");
    assert!(ran.out.contains("unzip -p"), "{ran:?}");
}

/// 4.5 GB, a multiple of the block written at once.
const LENGTH: usize = 4292 << 20;

/// Feeds `before`, then `piece` repeatedly, and `after`. Returns the exit code, the number of printed bytes, and the last of
/// them.
fn fed(args: &[&str], before: &[u8], piece: &[u8], after: &[u8]) -> (i32, u64, String) {
    let mut child = started(args, Stdio::piped());
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let texts = [before, after].map(<[u8]>::to_vec);
    let piece = piece.repeat((1 << 20) / piece.len());
    let writer = thread::spawn(move || {
        let [before, after] = texts;
        // The program may have stopped reading.
        let mut written = stdin.write_all(&before);
        for _ in 0..LENGTH >> 20 {
            written = written.and_then(|()| stdin.write_all(&piece));
        }
        written.and_then(|()| stdin.write_all(&after))
    });
    let (mut printed, mut last) = (0, Vec::new());
    let mut buffer = vec![0; 1 << 20];
    while let Ok(length @ 1..) = stdout.read(&mut buffer) {
        printed += length as u64;
        last = buffer[..length].to_vec();
    }
    last.drain(..last.len().saturating_sub(400));
    let ran = ended(child);
    let _ = writer.join().unwrap();
    let message = String::from_utf8_lossy(&last).into_owned() + &ran.err;
    (ran.code, printed, message)
}

/// Takes a minute with an optimized build: `cargo test --release -p jsonx-tool --test cli four_gigabytes -- --ignored`
#[test]
#[ignore = "feeds 54 GB through pipes"]
fn tokens_beyond_four_gigabytes_are_distinguished() {
    for (before, piece, after) in [("[\"", "x", "\","), ("[", "7", ","), ("[1,", " ", "")] {
        let fed = |args: &[&str], end: &str| {
            let after = format!("{after}{end}");
            fed(args, before.as_bytes(), piece.as_bytes(), after.as_bytes())
        };
        let (code, printed, message) = fed(&["validate", "--allow=all"], "2]");
        assert_eq!((code, printed, message.as_str()), (0, 0, ""), "{piece:?}");

        let (code, _, message) = fed(&["validate"], "2 3]");
        let column = before.len() + LENGTH + after.len() + 3;
        assert_eq!(code, 1, "{piece:?}");
        assert!(
            message.contains(&format!("<stdin>:1:{column}\n")),
            "{message}"
        );

        let (code, printed, message) = fed(&["get", "-c", ".[1]"], "2]");
        assert_eq!(
            (code, printed, message.as_str()),
            (0, 2, "2\n"),
            "{piece:?}"
        );

        let (code, printed, _) = fed(&["fmt", "-c"], "2]");
        let kept = if piece == " " { 0 } else { LENGTH };
        let length = (before.len() + kept + after.len() + 3) as u64;
        assert_eq!((code, printed), (0, length), "{piece:?}");
    }
}
