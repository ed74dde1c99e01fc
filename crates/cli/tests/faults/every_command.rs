//! Every writing command, with a fault at every system call from the open of the file on: the file has its old or new
//! contents, and nothing else remains.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::{RENAMES, has_strace, wait_for_a_temporary_file};

/// A command, a file, and the result.
struct Job {
    args: &'static [&'static str],
    old: &'static str,
    new: &'static str,
}

static JOBS: [Job; 10] = [
    Job {
        args: &["set", ".a", "2", "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"a\": 2, \"b\": [1]}\n",
    },
    Job {
        args: &["append", ".b", "2", "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"a\": 1.50, \"b\": [1, 2]}\n",
    },
    Job {
        args: &["del", ".a", "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"b\": [1]}\n",
    },
    Job {
        args: &[
            "patch",
            r#"[{"op": "move", "from": "/a", "path": "/c"}, {"op": "replace", "path": "/b/0", "value": 2}]"#,
            "-w",
        ],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"c\": 1.50, \"b\": [2]}\n",
    },
    Job {
        args: &["set", ".a", "2", "-w", "--input", "jsonl"],
        old: "{\"a\": 1.50}\n{\"b\": [1]}\n",
        new: "{\"a\": 2}\n{\"b\": [1], \"a\": 2}\n",
    },
    Job {
        args: &["del", ".a", "-w", "--input", "jsonc"],
        old: "{\n  \"a\": 1.50,\n  \"b\": [1] // one\n}\n",
        new: "{\n  \"b\": [1] // one\n}\n",
    },
    Job {
        args: &["patch", r#"[{"op": "remove", "path": "/a"}]"#, "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"b\": [1]}\n",
    },
    Job {
        args: &["patch", r#"{"a": null}"#, "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"b\": [1]}\n",
    },
    Job {
        args: &["fix", "-w"],
        old: "{\"a\": 1.50, \"b\": [1,]}\n",
        new: "{\"a\": 1.50, \"b\": [1]}\n",
    },
    Job {
        args: &["fmt", "-w"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\n  \"a\": 1.50,\n  \"b\": [\n    1\n  ]\n}\n",
    },
];

/// A folder with the file of a job.
struct Place {
    folder: TempDir,
    job: &'static Job,
}

impl Place {
    fn of(job: &'static Job) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.json"), job.old).unwrap();
        Place { folder, job }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// The other files.
    fn others(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "a.json").collect()
    }

    /// Those of the other files that are not empty.
    fn written(&self) -> Vec<String> {
        let length = |name: &String| fs::metadata(self.folder.path().join(name)).map(|m| m.len());
        let mut names = self.others();
        names.retain(|name| length(name).is_ok_and(|bytes| bytes > 0));
        names
    }

    /// Adds the arguments of the job, for the file of this name.
    fn arguments<'c>(&self, command: &'c mut Command, name: &str) -> &'c mut Command {
        command
            .args(self.job.args)
            .args(["--threads", "1", name])
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
    }

    fn run(&self, name: &str) -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_jsonx"));
        self.arguments(&mut program, name).output().unwrap()
    }

    /// Runs it with a fault in the call of this name and number.
    fn run_with(&self, call: &str, number: usize, fault: &str) -> Output {
        let mut program = Command::new("strace");
        program
            .args(["-f", "-o", "/dev/null", "-e", &format!("trace={call}")])
            .args(["-e", &format!("inject={call}:{fault}:when={number}")])
            .arg(env!("CARGO_BIN_EXE_jsonx"));
        self.arguments(&mut program, "a.json").output().unwrap()
    }

    /// The system calls of a run from the open of the file on: name and index among calls of that name.
    fn calls(&self) -> Vec<(String, usize)> {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut program = Command::new("strace");
        program
            .args(["-f", "-o"])
            .arg(log.path())
            .arg(env!("CARGO_BIN_EXE_jsonx"));
        let ran = self.arguments(&mut program, "a.json").output().unwrap();
        assert!(ran.status.success(), "{:?}: {ran:?}", self.job.args);
        let log = fs::read_to_string(log.path()).unwrap();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut calls = Vec::new();
        for line in log.lines() {
            // `12345 openat(AT_FDCWD, "a.json", …) = 3`, with the process ID first.
            let call = line
                .split_once(' ')
                .map_or(line, |(_, rest)| rest.trim_start());
            let Some((name, _)) = call.split_once('(') else {
                continue;
            };
            if name.is_empty()
                || !name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            {
                continue;
            }
            let number = numbers.entry(name).or_default();
            *number += 1;
            let is_begun = !calls.is_empty() || call.contains("\"a.json\"") && name != "execve";
            if is_begun && name != "exit_group" {
                calls.push((name.to_owned(), *number));
            }
        }
        calls
    }
}

/// Calls whose errors concern files or memory. Others fail only on a broken system.
const MAY_FAIL: [&str; 24] = [
    "open",
    "openat",
    "read",
    "pread64",
    "write",
    "pwrite64",
    "stat",
    "fstat",
    "lstat",
    "newfstatat",
    "statx",
    "readlink",
    "readlinkat",
    "access",
    "faccessat",
    "faccessat2",
    "fsync",
    "fchmod",
    "fchown",
    "flistxattr",
    "rename",
    "renameat",
    "renameat2",
    "mmap",
];

/// Checks the state after a run. Returns whether the fault stopped the run.
fn check(place: &Place, ran: &Output, what: &str) -> bool {
    let text = place.text();
    let job = place.job;
    let message = String::from_utf8_lossy(&ran.stderr);
    assert!(
        text == job.old || text == job.new,
        "{what}: neither old nor new: {text:?}"
    );
    let others = place.others();
    match (ran.status.code(), ran.status.signal()) {
        (Some(0), _) => assert!(text == job.new && others.is_empty(), "{what}: {others:?}"),
        (Some(4), _) => assert!(
            others.is_empty() && !message.is_empty(),
            "{what}: {others:?}"
        ),
        (_, Some(9)) => assert!(
            others.len() <= 1 && others.iter().all(|name| name.starts_with(".jsonx-")),
            "{what}: {others:?}"
        ),
        _ => panic!("{what}: {}: {message}", ran.status),
    }
    !ran.status.success()
}

fn each_call(job: &'static Job) {
    if !has_strace() {
        return;
    }
    let (mut failed, mut killed) = (0, 0);
    let calls = Place::of(job).calls();
    for call in ["write", "fsync", "rename"] {
        let is_met = calls.iter().any(|(name, _)| name.starts_with(call));
        assert!(is_met, "{:?}: no {call} in {calls:?}", job.args);
    }
    for (name, number) in &calls {
        let what = |fault: &str| format!("{:?}, {fault} at {name} {number}", job.args);
        if MAY_FAIL.contains(&&name[..]) {
            let error = if name == "mmap" { "ENOMEM" } else { "EIO" };
            let place = Place::of(job);
            let ran = place.run_with(name, *number, &format!("error={error}"));
            failed += u32::from(check(&place, &ran, &what(error)));
        }
        let place = Place::of(job);
        let ran = place.run_with(name, *number, "signal=KILL");
        if check(&place, &ran, &what("KILL")) {
            killed += 1;
            // The next run completes the work.
            if place.text() == job.old {
                assert_eq!(
                    place.run("a.json").status.code(),
                    Some(0),
                    "{}",
                    what("KILL")
                );
                assert_eq!(place.text(), job.new, "{}", what("KILL"));
            }
        }
    }
    // At least the write, the sync and the rename.
    assert!(
        failed >= 3 && killed >= 10,
        "{failed} and {killed} of {} calls",
        calls.len()
    );
}

macro_rules! each_call {
    ($($name:ident: $job:literal),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                each_call(&JOBS[$job]);
            }
        )*

        #[test]
        fn every_job_has_a_test() {
            assert_eq!([$($job),*].len(), JOBS.len());
        }
    };
}

each_call! {
    at_each_call_of_set: 0,
    at_each_call_of_append: 1,
    at_each_call_of_del: 2,
    at_each_call_of_several_edits: 3,
    at_each_call_of_set_in_lines: 4,
    at_each_call_of_del_beside_comments: 5,
    at_each_call_of_patch: 6,
    at_each_call_of_merge: 7,
    at_each_call_of_fix: 8,
    at_each_call_of_fmt: 9,
}

/// If the file itself is written, an error restores the old text, and a copy has it after SIGKILL.
#[test]
fn at_each_call_of_a_write_in_place() {
    static JOB: Job = Job {
        args: &["set", ".a", "2", "--in-place"],
        old: "{\"a\": 1.50, \"b\": [1]}\n",
        new: "{\"a\": 2, \"b\": [1]}\n",
    };
    if !has_strace() {
        return;
    }
    let (mut failed, mut copied) = (0, 0);
    for (name, number) in Place::of(&JOB).calls() {
        let what = format!("{name} {number}");
        let writes = ["copy_file_range", "sendfile", "ftruncate", "lseek"];
        if MAY_FAIL.contains(&&name[..]) && name != "mmap" || writes.contains(&&name[..]) {
            let place = Place::of(&JOB);
            let ran = place.run_with(&name, number, "error=EIO");
            failed += u32::from(check(&place, &ran, &what));
        }
        let place = Place::of(&JOB);
        place.run_with(&name, number, "signal=KILL");
        let text = place.text();
        if text != JOB.old && text != JOB.new {
            let is_copy = |name: &String| {
                fs::read_to_string(place.folder.path().join(name)).unwrap() == JOB.old
            };
            assert!(place.others().iter().any(is_copy), "{what}: {text:?}");
            copied += 1;
        }
    }
    assert!(
        failed >= 5 && copied >= 1,
        "{failed} failed, {copied} copied"
    );
}

/// A symbolic link stays and its target changes; another hard link keeps the old text; mode, owner and extended attributes
/// are kept.
#[test]
fn links_and_metadata_are_kept() {
    for job in &JOBS {
        let place = Place::of(job);
        let (path, folder) = (place.path(), place.folder.path());
        fs::hard_link(&path, folder.join("hard.json")).unwrap();
        symlink("a.json", folder.join("link.json")).unwrap();
        if std::os::unix::fs::chown(&path, Some(12345), Some(54321)).is_err() {
            eprintln!("skipped: only the superuser can give a file away");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o2751)).unwrap();
        let has_attributes = xattr::set(&path, "user.origin", b"somewhere").is_ok();
        if !has_attributes {
            eprintln!("skipped: this file system has no extended attributes");
        }
        let before = fs::metadata(&path).unwrap();
        let ran = place.run("link.json");
        assert!(ran.status.success(), "{:?}: {ran:?}", job.args);
        assert_eq!(place.text(), job.new, "{:?}", job.args);
        let target = fs::read_link(folder.join("link.json")).unwrap();
        assert_eq!(target, Path::new("a.json"), "{:?}", job.args);
        let hard = fs::read_to_string(folder.join("hard.json")).unwrap();
        assert_eq!(hard, job.old, "{:?}", job.args);
        let after = fs::metadata(&path).unwrap();
        assert_eq!(
            (after.mode(), after.uid(), after.gid()),
            (before.mode(), before.uid(), before.gid()),
            "{:?}",
            job.args
        );
        if has_attributes {
            let kept = xattr::get(&path, "user.origin").unwrap();
            assert_eq!(kept.as_deref(), Some(&b"somewhere"[..]), "{:?}", job.args);
        }
        assert_eq!(place.others().len(), 2, "{:?}", job.args);
    }
}

/// A read-only file is refused, and so is a file in a read-only folder.
#[test]
fn read_only_files_are_unchanged() {
    for job in &JOBS {
        let place = Place::of(job);
        fs::set_permissions(place.path(), Permissions::from_mode(0o444)).unwrap();
        let ran = place.run("a.json");
        let message = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(4), "{:?}: {message}", job.args);
        assert!(
            message.contains("jsonx: a.json: not rewritten: read-only file\n"),
            "{:?}: {message}",
            job.args
        );
        assert_eq!((place.text().as_str(), place.others().len()), (job.old, 0));

        if !has_strace() {
            continue;
        }
        // The superuser may write to a read-only folder, so the call that creates the temporary file fails instead.
        let calls = Place::of(job).calls();
        let mut refused = 0;
        for (_, number) in calls.iter().filter(|(name, _)| name == "openat") {
            let place = Place::of(job);
            let ran = place.run_with("openat", *number, "error=EACCES");
            let message = String::from_utf8(ran.stderr).unwrap();
            if message.contains(
                "not rewritten: cannot create a temporary file next to it: Permission denied",
            ) {
                assert_eq!(ran.status.code(), Some(4), "{:?}: {message}", job.args);
                assert_eq!((place.text().as_str(), place.others().len()), (job.old, 0));
                refused += 1;
            }
        }
        assert_eq!(refused, 1, "{:?}", job.args);
    }
}

/// Changes by another process before the rename are kept.
#[test]
fn a_file_that_changes_meanwhile_keeps_the_change() {
    if !has_strace() {
        return;
    }
    // Four in parallel, because of the delays.
    for jobs in JOBS.chunks(4) {
        std::thread::scope(|scope| {
            for job in jobs {
                scope.spawn(|| changed_meanwhile(job));
            }
        });
    }
}

fn changed_meanwhile(job: &'static Job) {
    let place = Place::of(job);
    let mut program = Command::new("strace");
    program
        .args(["-f", "-o", "/dev/null", "-e", "trace=fsync"])
        .args(["-e", "inject=fsync:delay_enter=500000:when=1"])
        .arg(env!("CARGO_BIN_EXE_jsonx"));
    let run = place.arguments(&mut program, "a.json").spawn().unwrap();
    // Once the result is written, the file is not read again.
    wait_for_a_temporary_file(|| place.written());
    fs::write(place.path(), "[1, 2, 3]").unwrap();
    let ran = run.wait_with_output().unwrap();
    let message = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(4), "{:?}: {message}", job.args);
    assert!(
        message.contains("a.json: not rewritten: file was modified by another process"),
        "{:?}: {message}",
        job.args
    );
    assert_eq!(place.text(), "[1, 2, 3]", "{:?}", job.args);
    assert_eq!(place.others(), [""; 0], "{:?}", job.args);
}

/// No command leaves files behind after a signal.
#[test]
fn a_signal_that_ends_a_command_leaves_nothing() {
    if !has_strace() {
        return;
    }
    let mut ended = 0;
    for job in &JOBS {
        for calls in ["write", "fsync", "fchmod", RENAMES] {
            // On a busy machine, it may end before the signal is delivered.
            let is_ended = (0..3).any(|_| {
                let place = Place::of(job);
                let ran = place.run_with(calls, 1, "signal=TERM");
                let text = place.text();
                assert!(text == job.old || text == job.new, "{:?}: {text}", job.args);
                assert_eq!(place.others(), [""; 0], "{:?} {calls}", job.args);
                ran.status.signal() == Some(15)
            });
            ended += u32::from(is_ended);
        }
    }
    assert!(ended >= 22, "only {ended} of 44 were ended");
}
