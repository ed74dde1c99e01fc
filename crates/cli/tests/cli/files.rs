//! Many files in one run: selection, order and messages.

use crate::{Folder, Ran, jsonx, run};

fn names(out: &str) -> Vec<&str> {
    out.lines()
        .map(|line| line.split_once(':').expect("a place").0)
        .collect()
}

/// A folder of many files; every third one is broken, and some are large enough to finish late.
fn forest() -> (Folder, Vec<String>) {
    let folder = Folder::with(&[]);
    let mut broken = Vec::new();
    for number in 0..120 {
        let name = format!("{}/{number:03}.json", number / 40);
        std::fs::create_dir_all(folder.path(&name).parent().unwrap()).unwrap();
        let long = if number % 10 == 0 { 200_000 } else { 1 };
        let mut text = "[1,\n".repeat(long) + "1" + &"]".repeat(long);
        if number % 3 == 0 {
            text.pop();
            broken.push(name.clone());
        }
        std::fs::write(folder.path(&name), text).unwrap();
    }
    (folder, broken)
}

#[test]
fn results_come_in_path_order_whatever_the_threads_do() {
    let (folder, broken) = forest();
    let args = |threads| {
        let common = ["validate", "--reporter=concise", "--max-depth=0", "."];
        folder.run(&[&common[..], &["--threads", threads]].concat())
    };
    let one = args("1");
    assert_eq!(
        (names(&one.out), one.code),
        (broken.iter().map(String::as_str).collect(), 1)
    );
    for threads in ["2", "3", "16"] {
        assert_eq!(args(threads), one, "{threads} threads");
    }
}

#[test]
fn the_first_failure_in_path_order_ends_it_if_that_is_wanted() {
    let (folder, broken) = forest();
    for threads in ["1", "4"] {
        let ran = folder.run(&[
            "validate",
            "--reporter=concise",
            "--max-depth=0",
            "--fail-fast",
            "--threads",
            threads,
            "1",
            "0",
        ]);
        assert_eq!(ran.code, 1);
        let first = broken.iter().find(|name| name.starts_with('1')).unwrap();
        assert_eq!(names(&ran.out), [first.as_str()], "{threads} threads");
    }
}

#[test]
fn unreadable_files_are_reported_and_the_rest_processed() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("z.json", b"{")]);
    let ran = folder.run(&[
        "validate",
        "--reporter=concise",
        "a.json",
        "gone.json",
        "gone-too.json",
        "z.json",
    ]);
    assert_eq!(ran.code, 4);
    assert_eq!(names(&ran.out), ["a.json", "z.json"]);
    insta::assert_snapshot!(ran.err, @r"
    jsonx: gone.json: No such file or directory
    jsonx: gone-too.json: No such file or directory
    ");
}

#[cfg(unix)]
#[test]
fn unreadable_entries_of_a_directory_are_reported_once() {
    let folder = Folder::with(&[]);
    std::os::unix::fs::symlink("gone", folder.path("link.json")).unwrap();
    let ran = folder.run(&["validate", "--follow", "."]);
    assert_eq!(
        (ran.err.as_str(), ran.code),
        ("jsonx: link.json: No such file or directory\n", 4)
    );
}

#[test]
fn a_file_named_twice_is_processed_once() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("b.json", b"[2,]")]);
    std::fs::create_dir(folder.path("d")).unwrap();
    std::fs::write(folder.path("d/c.json"), "[3,]").unwrap();
    let whole = folder.path("b.json");
    for (args, taken) in [
        (&["a.json", "./a.json"][..], &["a.json"][..]),
        (&["b.json", "."], &["b.json", "a.json", "d/c.json"]),
        (&["d", "d/c.json", ".//d/./c.json"], &["d/c.json"]),
        (
            &["a.json", "./a.json", whole.to_str().unwrap(), "b.json"],
            &["a.json", "b.json"],
        ),
        (&["gone.json", "gone.json"], &[]),
    ] {
        let ran = folder.run(&[&["validate", "--reporter=concise"], args].concat());
        assert_eq!(names(&ran.out), taken, "{args:?}");
        assert_eq!(
            ran.err.lines().count(),
            usize::from(taken.is_empty()),
            "{}",
            ran.err
        );
    }
    let ran = folder.run(&["fmt", "--check", "d", ".", "d/c.json"]);
    assert_eq!(ran.out.lines().count(), 0);
    assert_eq!(ran.err.matches("error[").count(), 3, "{}", ran.err);
}

/// Messages come in the order of the files, on both outputs together.
#[cfg(unix)]
#[test]
fn unreadable_files_are_reported_in_order() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("z.json", b"[2,]")]);
    let script = "\"$0\" validate --reporter=concise --threads=\"$1\" z.json gone.json . 2>&1";
    for threads in ["1", "4"] {
        let output = std::process::Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_jsonx"), threads])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let message = String::from_utf8(output.stdout).unwrap();
        let starts: Vec<&str> = message
            .lines()
            .map(|line| line.split(": ").next().unwrap())
            .collect();
        assert_eq!(starts, ["z.json:1:3", "jsonx", "a.json:1:3"], "{message}");
    }
}

#[test]
fn an_empty_selection_is_an_error_by_default() {
    let folder = Folder::with(&[("a.txt", b"no JSON")]);
    for args in [
        &["validate", "."][..],
        &["validate", "--ext", "conf"],
        &["validate", "-g", "*.conf"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.starts_with("jsonx: no files to process: "),
            "{}",
            ran.err
        );
        let fine = folder.run(&[args, &["--allow-no-files"]].concat());
        assert_eq!(
            fine,
            Ran {
                out: String::new(),
                err: String::new(),
                code: 0
            }
        );
    }
    let ran = folder.run(&["validate", "-g", "{a"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(ran.err.starts_with("jsonx: bad glob {a: "), "{}", ran.err);
    // A list of missing names is not an empty list.
    let ran = folder.run(&["validate", "gone.json"]);
    assert_eq!(ran.code, 4);
}

#[test]
fn every_ending_that_is_looked_for_is_named_in_the_help() {
    let help = run(&mut jsonx(&["validate", "--help"])).out;
    let words: Vec<&str> = help.split([' ', ',', '\n', ']']).collect();
    let folder = Folder::with(&[]);
    for ending in [
        "json",
        "jsonc",
        "json5",
        "code-workspace",
        "jsonl",
        "ndjson",
        "geojson",
        "topojson",
        "jsonld",
        "webmanifest",
        "har",
        "sarif",
    ] {
        assert!(words.contains(&ending), "{ending}");
        std::fs::write(folder.path(&format!("a.{ending}")), "]").unwrap();
    }
    std::fs::write(folder.path("a.hjson"), "]").unwrap();
    let ran = folder.run(&["validate", "--reporter=concise", "."]);
    assert_eq!(ran.out.lines().count(), 12, "{}", ran.out);
}

#[test]
fn several_reports_are_written_at_once() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("b.json", b"{}"), ("c.json", b"]")]);
    let ran = folder.run(&[
        "validate",
        "--reporter=concise",
        "--reporter=json=report.txt",
        "--reporter=human=human.txt",
        ".",
    ]);
    assert_eq!((names(&ran.out), ran.code), (vec!["a.json", "c.json"], 1));
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let alone = |form: &str| folder.run(&["validate", "--reporter", form, "."]).out;
    assert_eq!(read("report.txt"), alone("json"));
    assert_eq!(read("human.txt"), alone("human"));

    let ran = folder.run(&["validate", "--reporter=json", "--reporter=human", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(ran.err.contains("only one reporter"), "{}", ran.err);
    let ran = folder.run(&["validate", "--reporter=yaml", "a.json"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("the reporters are human, concise, json"),
        "{}",
        ran.err
    );
}

#[test]
fn an_unwritable_report_is_reported_and_the_others_are_written() {
    let folder = Folder::with(&[("a.json", b"[1,]")]);
    let ran = folder.run(&[
        "validate",
        "--reporter=json=no/such/report.txt",
        "--reporter=concise",
        "a.json",
    ]);
    assert_eq!((names(&ran.out), ran.code), (vec!["a.json"], 4));
    assert_eq!(
        ran.err,
        "jsonx: no/such/report.txt: No such file or directory\n"
    );
    if std::path::Path::new("/dev/full").exists() {
        let ran = folder.run(&["validate", "--reporter=json=/dev/full", "a.json"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 4));
        assert_eq!(ran.err, "jsonx: /dev/full: No space left on device\n");
    }
}

/// An input may be given by its name, a directory, a link or a redirection.
#[test]
fn a_report_does_not_replace_an_input() {
    let folder = Folder::with(&[("in.json", b"[1]")]);
    std::fs::create_dir(folder.path("dir")).unwrap();
    std::fs::write(folder.path("dir/deep.json"), "[2]").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.json", folder.path("link")).unwrap();
    std::fs::hard_link(folder.path("in.json"), folder.path("hard.txt")).unwrap();
    let contents = || {
        ["in.json", "dir/deep.json", "hard.txt"]
            .map(|name| std::fs::read(folder.path(name)).unwrap())
    };
    let before = contents();
    let links: &[&[&str]] = if cfg!(unix) {
        &[&["--reporter=json=link", "in.json"]]
    } else {
        &[]
    };
    let named: [&[&str]; 4] = [
        &["--reporter=json=in.json", "in.json"],
        &["--reporter=json=./in.json", "in.json"],
        &["--reporter=json=hard.txt", "in.json"],
        &["--reporter=json=new", "--reporter=junit=new", "in.json"],
    ];
    for args in links.iter().chain(&named) {
        let ran = folder.run(&[&["validate"], *args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert_eq!(contents(), before, "{args:?}");
    }
    let found: [&[&str]; 3] = [
        &["--reporter=json=in.json", "."],
        &["--reporter=sarif=dir/deep.json", "--ext=json"],
        &["--reporter=concise=dir/deep.json", "dir"],
    ];
    for args in found {
        let ran = folder.run(&[&["validate"], args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 4), "{args:?}");
        assert!(
            ran.err
                .ends_with(": report not written: this file is one of the inputs\n"),
            "{}",
            ran.err
        );
        assert_eq!(contents(), before, "{args:?}");
    }
    // No temporary file remains.
    let mut names: Vec<_> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.retain(|name| name != "link");
    assert_eq!(names.len(), 3, "{names:?}");
    let redirected = std::process::Command::new(env!("CARGO_BIN_EXE_jsonx"))
        .args(["validate", "--reporter=json=in.json"])
        .current_dir(&folder.0)
        .stdin(std::fs::File::open(folder.path("in.json")).unwrap())
        .output()
        .unwrap();
    assert_eq!(redirected.status.code(), Some(4));
    assert_eq!(contents(), before);
}

/// An old report in a searched directory is replaced, and is not an input.
#[test]
fn an_earlier_report_is_not_an_input() {
    for (form, text) in [
        ("json", "[1,]"),
        ("sarif", "[1,]"),
        ("gitlab", "[1,]"),
        ("gitlab", "[1]"),
        ("junit", "[1,]"),
        ("junit", "[1]"),
        ("json", ""),
    ] {
        let folder = Folder::with(&[("a.json", text.as_bytes()), ("r.json", b"")]);
        let args = ["validate", &format!("--reporter={form}=r.json"), "."];
        let first = folder.run(&args);
        let report = std::fs::read(folder.path("r.json")).unwrap();
        assert!(!report.is_empty(), "{form}");
        assert_eq!(folder.run(&args), first, "{form}");
        assert_eq!(std::fs::read(folder.path("r.json")).unwrap(), report);
        assert_eq!(
            first.code,
            i32::from(text != "[1]"),
            "{form}: {}",
            first.err
        );
    }
}

/// `::` at the start of a line is a command for GitHub's runner; `##[`, `##vso[` and `##teamcity[` are commands for
/// other services anywhere.
#[cfg(unix)]
#[test]
fn names_are_not_commands_in_ci_logs() {
    let names = [
        "::error::x.json",
        " ::warning::x.json",
        "##[error]x.json",
        "a ##vso[task.complete]x.json",
        "##teamcity[x].json",
    ];
    let files = names.map(|name| (name, &b"[ 1e400]"[..]));
    let folder = Folder::with(&files);
    let missing = names.map(|name| format!("{name}.gone"));
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    for args in [
        &["validate", "-v", "."][..],
        &["validate", "--deny=all", "--reporter=concise", "."],
        &["fmt", "--check", "."],
        &["fmt", "--check", "-v", "."],
        &["fmt", "--diff", "."],
        &[&["validate"], &missing[..]].concat(),
        &[&["fmt", "--check"], &missing[..]].concat(),
        &[&["get", ".a.b"], &names[..]].concat(),
        &["fmt", "-wv", "."],
    ] {
        for ci in ["GITHUB_ACTIONS", "TF_BUILD"] {
            let mut command = jsonx(args);
            command.current_dir(&folder.0).env(ci, "true");
            // Annotations are intended commands for GitHub's runner.
            if args[0] == "validate" && !args.contains(&"--reporter=concise") {
                command.arg("--reporter=human");
            }
            let ran = run(&mut command);
            let is_ours = |line: &&str| args[1] == "--check" && line.starts_with("::error file=");
            let lines = ran.out.lines().chain(ran.err.lines());
            for line in lines.filter(|line| !is_ours(line)) {
                assert!(!line.trim_start().starts_with("::"), "{args:?}: {line}");
                let command = ["##[", "##vso[", "##teamcity["]
                    .into_iter()
                    .any(|command| line.contains(command));
                assert!(!command, "{args:?}: {line}");
            }
            assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{args:?}");
        }
    }
    // In machine-readable reports, the names of such files can be opened.
    let folder = Folder::with(&files[..1]);
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!(ran.out, "./::error::x.json\n");
}

#[test]
fn it_can_be_talkative_and_it_can_be_silent() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("b.json", b"{}")]);
    let ran = folder.run(&[
        "validate",
        "-v",
        "--reporter=concise",
        "a.json",
        "gone.json",
        "b.json",
    ]);
    assert_eq!(names(&ran.out), ["a.json"]);
    insta::assert_snapshot!(ran.err, @r"
    a.json: invalid
    jsonx: gone.json: No such file or directory
    b.json: valid
    ");
    for (args, code) in [
        (&["validate", "-q", "a.json"][..], 1),
        (&["validate", "-q", "a.json", "gone.json"], 4),
        (&["validate", "-q", "b.json"], 0),
        (&["validate", "-q", "--ext=none"], 2),
    ] {
        assert_eq!(
            folder.run(args),
            Ran {
                out: String::new(),
                err: String::new(),
                code
            },
            "{args:?}"
        );
    }
}

/// Names with control sequences, a pipe without a writer, an unreadable directory.
#[cfg(unix)]
#[test]
fn other_entries_of_a_directory_are_harmless() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with(&[("z.json", b"[1,]")]);
    let make = |name: &[u8], text: &str| {
        let path = folder.0.path().join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(path, text).is_ok()
    };
    let strange = make(b"\xff\x1b[31m.json", "]") && make(b"a\nb.json", "]");
    let pipe = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe.json"))
        .status();
    if !strange || !pipe.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no such names or pipes here");
        return;
    }
    let closed = folder.path("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    let refused = std::fs::read_dir(&closed).is_err();
    for form in ["human", "concise"] {
        let ran = folder.run(&["validate", "-v", "--reporter", form, "."]);
        assert_eq!(ran.code, if refused { 4 } else { 1 }, "{}", ran.err);
        for text in [&ran.out, &ran.err] {
            let harmless = |c: char| c == '\n' || !c.is_control();
            assert!(text.chars().all(harmless), "{text:?}");
        }
        assert_eq!(
            ran.err.lines().count(),
            3 + usize::from(refused),
            "{}",
            ran.err
        );
        assert_eq!(
            ran.err.contains("jsonx: closed: Permission denied\n"),
            refused
        );
    }
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).unwrap();
}
