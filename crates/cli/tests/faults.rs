//! Writing while system calls fail, the disk fills up, or the process is killed; reading a file while it is truncated.
//! `every_command` covers every command and call; the tests here use long files.
//!
//! These need `strace`, which injects the faults, and `unshare`, for a small file system; without them, they are skipped
//! with a message.
#![cfg(target_os = "linux")]

#[path = "faults/cut.rs"]
mod cut;
#[path = "faults/every_command.rs"]
mod every_command;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const RENAMES: &str = "rename,renameat,renameat2";

/// A folder with one file, which is not formatted.
struct Folder {
    folder: TempDir,
    old: String,
    new: String,
}

impl Folder {
    /// A file with few elements is written at once, one with many in several writes.
    fn with(elements: usize) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let old = format!("[{}0]", "10,".repeat(elements));
        let new = format!("[\n{}  0\n]\n", "  10,\n".repeat(elements));
        fs::write(folder.path().join("a.json"), &old).unwrap();
        Folder { folder, old, new }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// The other files.
    fn others(&self) -> Vec<String> {
        fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "a.json")
            .collect()
    }

    /// Starts `fmt --write`, with faults in the system calls `calls`.
    fn start(&self, calls: &str, fault: &str) -> Child {
        self.start_with(&["fmt", "--write", "a.json"], calls, fault)
    }

    /// Starts the program, with faults in the system calls `calls`.
    fn start_with(&self, args: &[&str], calls: &str, fault: &str) -> Child {
        Command::new("strace")
            .args(["-f", "-o", "/dev/null", "-e"])
            .arg(format!("trace={calls}"))
            .arg("-e")
            .arg(format!("inject={calls}:{fault}"))
            .arg(env!("CARGO_BIN_EXE_jsonx"))
            .args(args)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs it to completion: the exit code, or the signal as a negative number, and its messages.
    fn run(&self, calls: &str, fault: &str) -> (i32, String) {
        let output = self.start(calls, fault).wait_with_output().unwrap();
        let signal = output.status.signal().map(|signal| -signal);
        let code = output.status.code().or(signal).unwrap();
        (code, String::from_utf8(output.stderr).unwrap())
    }
}

fn available(program: &str, args: &[&str]) -> bool {
    let ran = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let works = ran.is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: `{program} {}` does not work here", args.join(" "));
    }
    works
}

fn has_strace() -> bool {
    let probe = [
        "-f",
        "-o",
        "/dev/null",
        "-e",
        "inject=fsync:error=EIO",
        "true",
    ];
    available("strace", &probe)
}

#[test]
fn failures_leave_only_the_old_file() {
    if !has_strace() {
        return;
    }
    let faults = [
        (
            "write",
            "error=ENOSPC:when=1",
            "not rewritten: No space left on device",
        ),
        (
            "write",
            "error=EIO:when=1",
            "not rewritten: Input/output error",
        ),
        (
            "fsync",
            "error=EIO:when=1",
            "not rewritten: cannot sync the new file: Input/output error",
        ),
        (
            "fchmod",
            "error=EPERM",
            "not rewritten: cannot preserve its mode: Operation not permitted; --in-place writes the file itself",
        ),
        (
            RENAMES,
            "error=EIO",
            "not rewritten: cannot rename the new file: Input/output error",
        ),
        (
            RENAMES,
            "error=EACCES",
            "not rewritten: cannot rename the new file: Permission denied; --in-place writes the file itself",
        ),
        (
            "flistxattr",
            "error=EIO",
            "not rewritten: cannot preserve an extended attribute: Input/output error",
        ),
    ];
    for (calls, fault, message) in faults {
        let folder = Folder::with(3);
        let ran = folder.run(calls, fault);
        assert_eq!(
            ran,
            (4, format!("jsonx: a.json: {message}\n")),
            "{calls} {fault}"
        );
        assert_eq!(folder.text(), folder.old, "{calls} {fault}");
        assert_eq!(folder.others(), [""; 0], "{calls} {fault}");
    }
    // Somewhere in the middle.
    for when in 2..5 {
        let folder = Folder::with(300_000);
        let (code, _) = folder.run("write", &format!("error=ENOSPC:when={when}"));
        assert_eq!(code, 4);
        assert!(folder.text() == folder.old);
        assert_eq!(folder.others(), [""; 0]);
    }
}

#[test]
fn a_file_system_without_attributes_is_supported() {
    if !has_strace() {
        return;
    }
    let folder = Folder::with(3);
    assert_eq!(
        folder.run("flistxattr", "error=EOPNOTSUPP"),
        (0, String::new())
    );
    assert_eq!(folder.text(), folder.new);
}

#[test]
fn an_owner_that_cannot_be_kept_is_a_reason_to_stop() {
    if !has_strace() {
        return;
    }
    let folder = Folder::with(3);
    if std::os::unix::fs::chown(folder.path(), Some(12345), None).is_err() {
        eprintln!("skipped: only the superuser can give a file away");
        return;
    }
    let (code, message) = folder.run("fchown", "error=EPERM");
    assert_eq!(code, 4);
    assert!(
        message.contains("cannot preserve its owner or group"),
        "{message}"
    );
    assert_eq!(folder.text(), folder.old);
    assert_eq!(folder.others(), [""; 0]);
}

#[test]
fn a_directory_that_cannot_be_synced_is_reported() {
    if !has_strace() {
        return;
    }
    let folder = Folder::with(3);
    let (code, message) = folder.run("fsync", "error=EIO:when=2");
    assert_eq!(code, 4);
    assert!(
        message.contains("rewritten, but may be lost in a crash"),
        "{message}"
    );
    assert_eq!(folder.text(), folder.new);
    assert_eq!(folder.others(), [""; 0]);
}

/// Killed at certain calls: the file is whole, and the next run completes the work.
#[test]
fn killed_processes_leave_a_whole_file() {
    if !has_strace() {
        return;
    }
    let (mut killed, mut left) = (0, 0);
    for calls in ["write", "fsync", "fchmod", RENAMES] {
        for when in 1..=8 {
            let folder = Folder::with(200_000);
            let (code, _) = folder.run(calls, &format!("signal=KILL:when={when}"));
            let text = folder.text();
            assert!(
                text == folder.old || text == folder.new,
                "{calls} {when}: neither old nor new"
            );
            match code {
                0 => assert!(text == folder.new, "{calls} {when}"),
                -9 => killed += 1,
                other => panic!("{calls} {when}: {other}"),
            }
            let others = folder.others();
            assert!(others.len() <= 1, "{others:?}");
            left += others.len();
            assert!(
                others.iter().all(|name| name.starts_with(".jsonx-")),
                "{others:?}"
            );

            let again = Command::new(env!("CARGO_BIN_EXE_jsonx"))
                .args(["fmt", "--write", "."])
                .current_dir(folder.folder.path())
                .status()
                .unwrap();
            assert!(again.success());
            assert!(folder.text() == folder.new);
        }
    }
    // Eight at a write, two at a synchronization, one at the mode, one at the renaming.
    assert_eq!(killed, 12);
    assert!(
        left > 0,
        "none was killed between making the new file and renaming it"
    );
}

/// Whether this test inherited an ignored signal, for example from `nohup`; its children ignore it too.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
    mask >> (signal - 1) & 1 == 1
}

/// Terminated by a signal that can be handled, at the same calls.
#[test]
fn terminated_processes_leave_only_a_whole_file() {
    if !has_strace() {
        return;
    }
    for (number, signal) in [(2, "INT"), (15, "TERM"), (1, "HUP")] {
        let mut ended = 0;
        for calls in ["write", "fsync", "fchmod", "openat", RENAMES] {
            for when in 1..=8 {
                let folder = Folder::with(100_000);
                let fault = format!("signal={signal}:when={when}");
                let (code, _) = folder.run(calls, &fault);
                let text = folder.text();
                assert!(text == folder.old || text == folder.new, "{calls} {fault}");
                assert!(
                    code == 0 && text == folder.new || code == -(number as i32),
                    "{calls} {fault}: {code}"
                );
                assert_eq!(folder.others(), [""; 0], "{calls} {fault}: {code}");
                ended += u32::from(code != 0);
            }
        }
        let enough = ended >= 8 || is_ignored(number);
        assert!(enough, "only {ended} were ended by {signal}");
    }
}

/// Waits for a temporary file while the run is delayed at its call.
fn wait_for_a_temporary_file(others: impl Fn() -> Vec<String>) {
    let start = Instant::now();
    while others().is_empty() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no temporary file"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_file_that_changes_before_it_is_renamed_keeps_the_change() {
    if !has_strace() {
        return;
    }
    type Change = fn(&Path);
    let changes: [(&str, Change); 3] = [
        ("more text", |path| fs::write(path, "[1, 2, 3, 4]").unwrap()),
        ("another file", |path| {
            let other = path.with_extension("other");
            fs::write(&other, "[]").unwrap();
            fs::rename(other, path).unwrap();
        }),
        ("no file", |path| fs::remove_file(path).unwrap()),
    ];
    // Run in parallel, because of the delays.
    thread::scope(|scope| {
        for (name, change) in changes {
            scope.spawn(move || changed_before_the_rename(name, change));
        }
    });
}

fn changed_before_the_rename(name: &str, change: fn(&Path)) {
    let folder = Folder::with(3);
    let run = folder.start("fsync", "delay_enter=2000000:when=1");
    wait_for_a_temporary_file(|| folder.others());
    change(&folder.path());
    let after = fs::read(folder.path()).ok();
    let output = run.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{name}: {message}");
    assert!(
        message.starts_with("jsonx: a.json: not rewritten: "),
        "{message}"
    );
    assert_eq!(fs::read(folder.path()).ok(), after, "{name}");
    assert_eq!(folder.others(), [""; 0], "{name}");
}

#[test]
fn a_full_file_system_leaves_only_the_old_file() {
    let script = r#"
        set -e
        mount -t tmpfs -o size=512k none "$1"
        cd "$1"
        cp "$2" a.json
        set +e
        "$3" fmt --write a.json 2>message
        code=$?
        cmp a.json "$2" && ls -A && cat message && exit $code
        exit 99
    "#;
    if !available("unshare", &["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]) {
        return;
    }
    let folder = Folder::with(80_000);
    let place = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, "sh"])
        .args([place.path(), &folder.path()])
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .output()
        .unwrap();
    let message = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(4),
        "{message} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        message,
        "a.json\nmessage\njsonx: a.json: not rewritten: No space left on device\n"
    );
}

/// A bind mount is written, but not replaced.
#[test]
fn a_bind_mount_is_written_in_place() {
    let script = r#"
        set -e
        cd "$1"
        echo '{"a":1}' > real; echo > a.json
        mount --bind real a.json
        set +e
        "$2" set .a 2 a.json -w; echo $?
        for command in 'set .a 2' 'append -p .b 3' 'jq .c=4' 'patch {"d":5}' 'del .a' fix fmt; do
            "$2" $command --in-place a.json || echo $?
        done
        tr -d '\n ' < a.json; ls -A
    "#;
    if !available("unshare", &["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]) {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, "sh"])
        .arg(place.path())
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "4\n{\"b\":[3],\"c\":4,\"d\":5}a.json\nreal\n"
    );
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("jsonx: a.json: not rewritten: cannot rename the new file: Device or resource busy; --in-place writes the file itself\n"),
        "{message}"
    );
}

/// `jsonx patch --write`, with each kind of fault at each call: the file has its old or its new contents.
#[test]
fn a_patched_file_is_the_old_one_or_the_new_one() {
    if !has_strace() {
        return;
    }
    let patch = r#"[{"op": "replace", "path": "/0", "value": 77}, {"op": "remove", "path": "/1"}]"#;
    let args = ["patch", patch, "--write", "a.json"];
    let mut failed = 0;
    for calls in ["write", "fsync", "fchmod", RENAMES] {
        for fault in [
            "error=EIO:when=1",
            "error=ENOSPC:when=2",
            "signal=KILL:when=1",
            "signal=KILL:when=2",
        ] {
            let folder = Folder::with(200_000);
            let new = folder.old.replacen("[10,10,", "[77,", 1);
            let child = folder.start_with(&args, calls, fault);
            let output = child.wait_with_output().unwrap();
            let text = folder.text();
            assert!(text == folder.old || text == new, "{calls} {fault}");
            match output.status.code() {
                Some(0) => assert!(text == new, "{calls} {fault}"),
                Some(code) => assert_eq!(code, 4, "{calls} {fault}"),
                None => assert_eq!(output.status.signal(), Some(9), "{calls} {fault}"),
            }
            failed += u32::from(!output.status.success());
            if output.status.signal().is_none() {
                assert_eq!(folder.others(), [""; 0], "{calls} {fault}");
            }
        }
    }
    assert!(failed >= 8, "{failed} of 16 faults were met");
}

#[test]
fn each_file_is_queried_once_if_output_is_a_file() {
    if !has_strace() {
        return;
    }
    const FILES: usize = 100;
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    fs::create_dir(&files).unwrap();
    for number in 0..FILES {
        fs::write(files.join(format!("{number}.json")), "[1]\n").unwrap();
    }
    let log = folder.path().join("log");
    let ran = Command::new("strace")
        .args(["-f", "-e", "trace=statx,newfstatat,stat,fstat", "-o"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .args(["validate", "."])
        .current_dir(&files)
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.path().join("out")).unwrap())
        .status()
        .unwrap();
    assert!(ran.success());
    let log = fs::read_to_string(log).unwrap();
    // With two threads, a call may take two lines.
    let calls = log
        .lines()
        .filter(|line| !line.contains(" resumed>"))
        .count();
    // Some concern directories, settings, ignore files and standard output.
    assert!((FILES..FILES * 2).contains(&calls), "{calls} calls");
}
