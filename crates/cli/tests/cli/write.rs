//! `jsonx fmt --write`: a file has its old or its new contents, and keeps its metadata.

use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::{Folder, Ran};

const UGLY: &[u8] = b"{\"a\":1.50,\n\"b\": [ ]}";
const FORMATTED: &str = "{\n  \"a\": 1.50,\n  \"b\": []\n}\n";

/// Inode and ctime, which any write changes.
fn stamp(path: &Path) -> (u64, i64, i64) {
    let metadata = fs::metadata(path).unwrap();
    (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
}

fn names(folder: &Folder) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path(name)).unwrap()
}

/// Asserts that nothing was printed, and the exit code.
fn silent(ran: Ran, code: i32) {
    let expected = Ran {
        out: String::new(),
        err: String::new(),
        code,
    };
    assert_eq!(ran, expected);
}

/// The names of rewritten files go to standard error.
fn rewritten(ran: Ran) {
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    let mut message = ran.err.lines();
    assert!(
        message.all(|line| line.ends_with(": rewritten")),
        "{}",
        ran.err
    );
}

#[test]
fn files_are_rewritten_and_listed_on_request() {
    let folder = Folder::with(&[("a.json", UGLY), ("b.json", FORMATTED.as_bytes())]);
    fs::create_dir(folder.path("deep")).unwrap();
    fs::write(folder.path("deep/c.jsonl"), "[ 1 ]\n\n[2]\n").unwrap();
    fs::write(folder.path("deep/d.txt"), UGLY).unwrap();
    rewritten(folder.run(&["fmt", "-w", "."]));
    assert_eq!(text(&folder, "a.json"), FORMATTED);
    assert_eq!(text(&folder, "b.json"), FORMATTED);
    // JSON Lines stay lines.
    assert_eq!(text(&folder, "deep/c.jsonl"), "[1]\n[2]\n");
    assert_eq!(text(&folder, "deep/d.txt").as_bytes(), UGLY);

    let ran = folder.run(&["fmt", "-c", "-w", "-v", "a.json", "deep", "deep/d.txt"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0));
    assert_eq!(
        ran.err,
        "a.json: rewritten\ndeep/c.jsonl: already formatted\ndeep/d.txt: rewritten\n"
    );
    assert_eq!(text(&folder, "deep/d.txt"), "{\"a\":1.50,\"b\":[]}\n");
    assert_eq!(names(&folder), ["a.json", "b.json", "deep"]);
}

#[test]
fn formatted_and_invalid_files_are_not_touched() {
    let folder = Folder::with(&[
        ("good.json", FORMATTED.as_bytes()),
        ("bad.json", b"{\"a\": [1, 2}\n"),
        ("deep.json", b"[[[1]]]"),
        ("ugly.json", UGLY),
    ]);
    let before = ["good.json", "bad.json", "deep.json"].map(|name| stamp(&folder.path(name)));
    std::thread::sleep(Duration::from_millis(20));
    let ran = folder.run(&["fmt", "-w", "--max-depth", "2", "."]);
    let after = ["good.json", "bad.json", "deep.json"].map(|name| stamp(&folder.path(name)));
    assert_eq!(before, after);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert!(ran.err.contains(" --> bad.json:1:"), "{}", ran.err);
    assert!(ran.err.contains("error[deep-nesting]: "), "{}", ran.err);
    // An error in one file does not stop the others.
    assert_eq!(text(&folder, "ugly.json"), FORMATTED);
    assert_eq!(folder.run(&["fmt", "-w", "bad.json", "good.json"]).code, 3);
}

#[test]
fn a_long_file_that_differs_late_is_rewritten() {
    let long = |last: &str| format!("[\n{}  {last}\n]\n", "  \"some text\",\n".repeat(400_000));
    let folder = Folder::with(&[
        ("late.json", long("[ ]").as_bytes()),
        ("good.json", long("[]").as_bytes()),
        ("bad.json", long("[").as_bytes()),
    ]);
    let before = [
        stamp(&folder.path("good.json")),
        stamp(&folder.path("bad.json")),
    ];
    let ran = folder.run(&["fmt", "-w", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(text(&folder, "late.json") == long("[]"));
    let after = [
        stamp(&folder.path("good.json")),
        stamp(&folder.path("bad.json")),
    ];
    assert_eq!(before, after);
}

#[test]
fn a_byte_order_mark_is_kept() {
    const JSON: &str = "{\"b\":1,  \"a\":[]}";
    for (name, text, options) in [
        ("a.json", JSON, &[][..]),
        ("a.json", JSON, &["--sort-keys"]),
        ("a.json", JSON, &["--style", "prettier"]),
        ("a.json", JSON, &["--compact"]),
        ("a.json", "[1]\r\n ", &[]),
        ("a.jsonl", "1 \n [2 ]\n", &[]),
        ("a.jsonc", "{ \"b\":1,// x\n\"a\":1}", &[]),
        ("a.jsonc", "{ \"b\":1,// x\n\"a\":1}", &["--sort-keys"]),
        ("a.json5", "{b:  1,a :'x'}", &[]),
    ] {
        let (plain, marked) = (format!("plain-{name}"), format!("marked-{name}"));
        let with_mark = format!("\u{feff}{text}");
        let folder = Folder::with(&[(&*plain, text.as_bytes()), (&*marked, with_mark.as_bytes())]);
        let run = |more: &[&str], name| folder.run(&[&["fmt"], more, options, &[name]].concat());
        assert_eq!(run(&["--check"], &marked).code, 1, "{text} {options:?}");
        for name in [&*plain, &*marked] {
            let ran = run(&["-w"], name);
            assert_eq!(ran.code, 0, "{text} {options:?} {}", ran.err);
        }
        let expected = format!("\u{feff}{}", self::text(&folder, &plain));
        assert_eq!(self::text(&folder, &marked), expected, "{options:?}");
        assert_eq!(run(&["--check"], &marked).code, 0, "{text} {options:?}");
    }
    // Canonical text has none.
    let folder = Folder::with(&[("a.json", "\u{feff}[1]".as_bytes())]);
    assert_eq!(
        folder
            .run(&["fmt", "--canonical", "--check", "a.json"])
            .code,
        1
    );
    assert_eq!(folder.run(&["fmt", "--canonical", "-w", "a.json"]).code, 0);
    assert_eq!(text(&folder, "a.json"), "[1]");
}

#[test]
fn lines_that_end_in_crlf_are_formatted_and_change_on_demand() {
    let crlf = FORMATTED.replace('\n', "\r\n");
    let folder = Folder::with(&[("a.json", crlf.as_bytes())]);
    silent(folder.run(&["fmt", "--check", "a.json"]), 0);
    assert_eq!(
        folder
            .run(&["fmt", "--check", "--eol", "lf", "a.json"])
            .code,
        1
    );
    rewritten(folder.run(&["fmt", "-w", "--eol", "lf", "a.json"]));
    assert_eq!(text(&folder, "a.json"), FORMATTED);
}

#[test]
fn a_link_stays_and_its_target_is_rewritten() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("real")).unwrap();
    fs::write(folder.path("real/a.json"), UGLY).unwrap();
    symlink("real/a.json", folder.path("link.json")).unwrap();
    symlink("link.json", folder.path("second.json")).unwrap();
    rewritten(folder.run(&["fmt", "-w", "second.json"]));
    assert_eq!(text(&folder, "real/a.json"), FORMATTED);
    assert_eq!(
        fs::read_link(folder.path("link.json")).unwrap(),
        Path::new("real/a.json")
    );
    assert_eq!(
        fs::read_link(folder.path("second.json")).unwrap(),
        Path::new("link.json")
    );
    assert_eq!(fs::read_dir(folder.path("real")).unwrap().count(), 1);

    // A file with several names is rewritten once.
    for _ in 0..8 {
        fs::write(folder.path("real/a.json"), UGLY).unwrap();
        let args = ["fmt", "-v", "-w", "link.json", "second.json", "real/a.json"];
        let ran = folder.run(&[&args[..], &["--threads", "4"]].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("link.json: rewritten\n", 0));
        assert_eq!(text(&folder, "real/a.json"), FORMATTED);
    }
}

#[test]
fn another_hard_link_keeps_the_old_text() {
    let folder = Folder::with(&[("a.json", UGLY)]);
    fs::hard_link(folder.path("a.json"), folder.path("b.json")).unwrap();
    rewritten(folder.run(&["fmt", "-w", "a.json"]));
    assert_eq!(text(&folder, "a.json"), FORMATTED);
    assert_eq!(text(&folder, "b.json").as_bytes(), UGLY);
}

#[test]
fn mode_owner_and_attributes_are_kept() {
    let folder = Folder::with(&[("a.json", UGLY)]);
    let path = folder.path("a.json");
    let owned = std::os::unix::fs::chown(&path, Some(12345), Some(54321)).is_ok();
    if !owned {
        eprintln!("skipped: only the superuser can give a file away");
    }
    fs::set_permissions(&path, Permissions::from_mode(0o2751)).unwrap();
    let attributes = [("user.origin", &b"somewhere"[..]), ("user.empty", b"")];
    let kept: Vec<_> = attributes
        .into_iter()
        .filter(|(name, value)| xattr::set(&path, name, value).is_ok())
        .collect();
    if kept.is_empty() {
        eprintln!("skipped: this file system has no extended attributes");
    }
    let before = fs::metadata(&path).unwrap();
    rewritten(folder.run(&["fmt", "-w", "a.json"]));
    let after = fs::metadata(&path).unwrap();
    assert_eq!(text(&folder, "a.json"), FORMATTED);
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_ne!(after.ino(), before.ino());
    for (name, value) in kept {
        assert_eq!(xattr::get(&path, name).unwrap().as_deref(), Some(value));
    }
}

#[test]
fn read_only_files_are_refused() {
    let folder = Folder::with(&[("a.json", UGLY), ("b.json", UGLY)]);
    fs::set_permissions(folder.path("a.json"), Permissions::from_mode(0o444)).unwrap();
    let before = stamp(&folder.path("a.json"));
    let ran = folder.run(&["fmt", "-w", "-v", "a.json", "b.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert_eq!(
        ran.err,
        "jsonx: a.json: not rewritten: read-only file\nb.json: rewritten\n"
    );
    assert_eq!(stamp(&folder.path("a.json")), before);
    // There is nothing to write.
    fs::write(folder.path("c.json"), FORMATTED).unwrap();
    fs::set_permissions(folder.path("c.json"), Permissions::from_mode(0o444)).unwrap();
    silent(folder.run(&["fmt", "-w", "c.json"]), 0);
    // A device, and a pipe without a writer.
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.path("fifo"), rustix::fs::Mode::RWXU).unwrap();
    let ran = folder.run(&["fmt", "-w", "fifo", "/dev/null"]);
    assert_eq!(
        (ran.err.matches("not a regular file").count(), ran.code),
        (2, 4)
    );
}

#[test]
fn nothing_is_written_if_a_named_file_cannot_be_read() {
    let text = b"{\"a\": 1,\"b\": [1] }";
    let commands: &[&[&str]] = &[
        &["fmt"],
        &["fix"],
        &["set", ".a", "2"],
        &["append", ".b", "2"],
        &["del", ".a"],
        &["del", ".a", ".b"],
        &["patch", "p.json"],
        #[cfg(feature = "jq")]
        &["jq", ".a = 2"],
    ];
    for command in commands {
        let folder = Folder::with(&[
            ("a.json", text),
            ("c.json", text),
            ("p.json", b"{\"a\": 2}"),
        ]);
        std::os::unix::fs::symlink("nowhere", folder.path("link.json")).unwrap();
        for missing in [
            &["gone.json"][..],
            &["link.json"],
            &["gone.json", "gone/b.json"],
        ] {
            let args = [*command, &["-w", "a.json"], missing, &["c.json"]].concat();
            let ran = folder.run(&args);
            assert!(ran.code > 1, "{args:?}: {}", ran.err);
            let told = ran.err.matches("No such file or directory").count();
            assert_eq!(told, missing.len(), "{args:?}: {}", ran.err);
            assert!(
                ran.err.ends_with("jsonx: nothing was written\n"),
                "{args:?}: {}",
                ran.err
            );
            for name in ["a.json", "c.json"] {
                assert_eq!(fs::read(folder.path(name)).unwrap(), text, "{args:?}");
            }
        }
    }
}

#[test]
fn standard_input_cannot_be_rewritten() {
    let folder = Folder::with(&[("a.json", UGLY)]);
    for args in [
        &["fmt", "-w"][..],
        &["fmt", "-w", "-"],
        &["fmt", "-w", "a.json", "-"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(ran.err.contains("standard input cannot be rewritten"));
    }
    assert_eq!(text(&folder, "a.json").as_bytes(), UGLY);
}

#[test]
fn a_limit_of_file_sizes_is_an_error_and_leaves_nothing() {
    let folder = Folder::with(&[("small.json", b"[ ]")]);
    let long = format!("[{}1]", "1,".repeat(100_000));
    fs::write(folder.path("long.json"), &long).unwrap();
    // The signal is fatal unless handled.
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            "ulimit -f 64; exec \"$0\" fmt -w long.json small.json",
        ])
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .current_dir(folder.path("."));
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{err}");
    assert_eq!(
        err,
        "jsonx: long.json: not rewritten: File too large\nsmall.json: rewritten\n"
    );
    assert_eq!(text(&folder, "small.json"), "[]\n");
    assert!(text(&folder, "long.json") == long);
    assert_eq!(names(&folder), ["long.json", "small.json"]);
}

/// Signals at many moments of a run leave only whole files.
#[test]
fn signals_leave_only_whole_files() {
    let long = format!("[{}1]", "{\"a\":[1,2,3]},".repeat(300_000));
    let folder = Folder::with(&[("a.json", long.as_bytes()), ("b.json", UGLY)]);
    let formatted = {
        let ran = folder.run(&["fmt", "a.json"]);
        assert_eq!(ran.code, 0);
        ran.out
    };
    let start = std::time::Instant::now();
    assert_eq!(folder.run(&["fmt", "-w", "a.json"]).code, 0);
    let whole = start.elapsed();
    let (mut killed, mut rewritten) = (0, 0);
    for moment in 0..60 {
        fs::write(folder.path("a.json"), &long).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(["fmt", "-w", "a.json", "b.json"])
            .current_dir(folder.path("."))
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole * moment / 50);
        let signal = [Signal::INT, Signal::TERM, Signal::HUP][moment as usize % 3];
        // The process may have ended.
        let _ = kill_process(Pid::from_child(&child), signal);
        let status = child.wait().unwrap();
        let signaled = std::os::unix::process::ExitStatusExt::signal(&status);
        assert!(
            signaled.is_none_or(|number| number == signal.as_raw()),
            "{status}"
        );
        killed += u32::from(signaled.is_some());
        let now = text(&folder, "a.json");
        assert!(now == long || now == formatted, "neither old nor new");
        rewritten += u32::from(now == formatted);
        assert_eq!(names(&folder), ["a.json", "b.json"], "{signal:?}");
    }
    assert!(killed > 0, "all runs ended before their signal");
    eprintln!("{killed} of 60 runs were killed, {rewritten} had rewritten the file");
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = Folder::with(&[]);
    for number in 0..40 {
        let long = format!("[{}1]", "{\"a\":[1,2,3]},".repeat(20_000));
        fs::write(folder.path(&format!("{number}.json")), long).unwrap();
    }
    // As `nohup` does.
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; echo >&2; exec \"$0\" fmt -w -v ."])
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The shell has set its trap.
    child.stderr.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    while child.try_wait().unwrap().is_none() {
        let _ = kill_process(Pid::from_child(&child), Signal::HUP);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(err.matches(": rewritten\n").count(), 40, "{err}");
    assert_eq!(names(&folder).len(), 40);
}
