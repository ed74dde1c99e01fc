//! The formats of other programs, each checked with its schema, its rules, or a parser.

mod external;
mod github;
mod json;
mod schema;
mod xml;

use crate::{Folder, Ran, jsonx, run};

const ALL: [&str; 7] = [
    "human", "concise", "json", "sarif", "github", "gitlab", "junit",
];

/// A text in which the column differs in every unit: characters of two, three and four bytes precede the error.
const UNITS: &str = "{\r\n  \"é\": \"語😀\", \"n\": 01\r\n}";

/// Files broken in many ways, some with unusual names.
fn tree() -> Folder {
    let folder = Folder::with(&[
        ("a.json", b"{\n  \"a\": 1\n  \"b\": [1, 2,],\n  c: (1)\n}\n"),
        (
            "bom.json",
            b"\xef\xbb\xbf{\"x\": 01, \"a\": 1, \"a\": \"\\ud800\"}",
        ),
        ("empty.json", b""),
        ("good.json", b"{}"),
        (
            "hostile.json",
            "[\"\u{1b}[31m\u{9b}\", ##[x](y), \"]]>\", <&>, '\u{fffe}\u{202e}']".as_bytes(),
        ),
        ("latin1.json", b"{\"city\": \"Orl\xe9ans\",}"),
        ("lines.jsonl", b"{\"a\": 1}\n[1 2]\n\n{\"b\": 01}\n[1 2]\n"),
        ("page.json", b"<!DOCTYPE html>\n<title>502</title>\n"),
        ("units.json", UNITS.as_bytes()),
        ("utf16.json", b"\xff\xfe[\x001\0,\0]\0"),
        ("a, b: 100%;'<&\">.json", b"[1,]"),
    ]);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"\x1b]0;\xff\n::error::.json");
        std::fs::write(folder.path("").join(name), b"[01]").expect("a file");
    }
    folder
}

/// The report on `tree` in a format, with an unreadable file.
fn shown(folder: &Folder, format: &str) -> Ran {
    let ran = folder.run(&["validate", "--reporter", format, ".", "gone.json"]);
    assert_eq!(ran.code, 4, "{format}: {}", ran.err);
    ran
}

/// Runs with few findings, and their exit codes: no files, only valid ones, only unreadable ones.
const QUIET: [(&str, [&str; 2], i32); 3] = [
    ("nothing", ["empty", "--allow-no-files"], 0),
    ("valid", ["good.json", "empty/../good.json"], 0),
    ("unreadable", ["gone.json", "gone too.json"], 4),
];

/// Every document of a format: that of the tree, and those of the quiet runs.
fn documents(format: &str) -> Vec<(&'static str, String)> {
    let mut out = vec![("tree", shown(&tree(), format).out)];
    let folder = Folder::with(&[("good.json", b"{}")]);
    std::fs::create_dir(folder.path("empty")).expect("a directory");
    for (name, [first, second], code) in QUIET {
        let ran = folder.run(&["validate", "--reporter", format, first, second]);
        assert_eq!(ran.code, code, "{format} {name}: {}", ran.err);
        out.push((name, ran.out));
    }
    out
}

#[test]
fn nothing_in_any_format_is_a_command_to_a_terminal_or_a_service() {
    let folder = tree();
    for format in ALL {
        let args = ["validate", "--reporter", format, ".", "gone.json"];
        let ran = run(jsonx(&args)
            .current_dir(folder.path(""))
            .env("GITHUB_ACTIONS", "true")
            .write_stdin(""));
        let hostile = ran
            .out
            .chars()
            .find(|&c| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c));
        assert_eq!(hostile, None, "{format}: {}", ran.out);
        assert!(!ran.out.contains("##["), "{format}: {}", ran.out);
        if format != "github" {
            let commands = ran
                .out
                .lines()
                .filter(|line| line.trim_start().starts_with("::"));
            assert_eq!(commands.count(), 0, "{format}: {}", ran.out);
        }
    }
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    let ran = run(&mut jsonx(&["validate", "--reporter", "xml", "a.json"]));
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    for format in ALL {
        assert!(ran.err.contains(format), "{format}: {}", ran.err);
    }
}

#[test]
fn omissions_are_mentioned() {
    let text = format!("[{}1]", "01,\n".repeat(50));
    let folder = Folder::with(&[("many.json", text.as_bytes())]);
    for format in ["concise", "github", "gitlab", "junit", "sarif"] {
        let ran = folder.run(&[
            "validate",
            "--reporter",
            format,
            "--max-errors=5",
            "many.json",
        ]);
        let count = ran.out.matches("45 more like this from here on").count();
        let times = if format == "gitlab" { 2 } else { 1 };
        assert_eq!(count, times, "{format}: {}", ran.out);
    }
}

#[test]
fn a_report_is_not_an_input() {
    let folder = Folder::with(&[("good.json", b"1")]);
    std::fs::create_dir(folder.path("sub")).expect("a directory");
    for name in ["out.json", "sub/good.json"] {
        // The second time, it exists from the start.
        for _ in 0..2 {
            let reporter = format!("gitlab={name}");
            let ran = folder.run(&["validate", ".", "-v", "--reporter", &reporter]);
            assert_eq!(
                (ran.code, ran.err.as_str()),
                (0, "good.json: valid\n"),
                "{name}"
            );
            let report = std::fs::read_to_string(folder.path(name)).expect("the report");
            assert_eq!(report, "[\n\n]\n");
        }
        std::fs::remove_file(folder.path(name)).expect("the report");
    }
}

#[test]
fn a_report_overwrites_no_input_and_no_other_report() {
    let folder = Folder::with(&[("a.json", b"[1,]")]);
    for (args, message) in [
        (
            ["a.json", "--reporter=json=./a.json", "-v"],
            "a.json is an input, which the report would overwrite",
        ),
        (
            [".", "--reporter=sarif=out", "--reporter=junit=out"],
            "two reporters would write to out",
        ),
    ] {
        let ran = folder.run(&[&["validate"][..], &args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    assert_eq!(
        std::fs::read(folder.path("a.json")).expect("the input"),
        b"[1,]"
    );
    assert!(!folder.path("out").exists());
}

/// Two spellings of a file that does not exist yet are the same target.
#[cfg(unix)]
#[test]
fn one_target_has_many_spellings() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("a.json", b"[1,]")]);
    std::fs::create_dir(folder.path("d")).unwrap();
    symlink("out.json", folder.path("link")).unwrap();
    symlink("link", folder.path("link2")).unwrap();
    symlink("../out.json", folder.path("d/up")).unwrap();
    symlink("d", folder.path("e")).unwrap();
    let absolute = folder.path("out.json").display().to_string();
    let spellings = [
        "out.json",
        "./out.json",
        "d/../out.json",
        &absolute,
        "link",
        "link2",
        "d/up",
        "e/up",
        "e/../out.json",
    ];
    for one in spellings {
        for other in spellings {
            let reporters = [
                format!("--reporter=json={one}"),
                format!("--reporter=sarif={other}"),
            ];
            let ran = folder.run(&["validate", "a.json", &reporters[0], &reporters[1]]);
            assert_eq!(ran.code, 2, "{one} {other}: {}", ran.err);
            assert!(
                ran.err.contains("two reporters would write to"),
                "{}",
                ran.err
            );
            assert!(!folder.path("out.json").exists());
        }
        // Another name, and another folder.
        for other in ["out2.json", "d/out.json"] {
            let reporters = [
                format!("--reporter=json={one}"),
                format!("--reporter=sarif={other}"),
            ];
            let ran = folder.run(&["validate", "a.json", &reporters[0], &reporters[1]]);
            assert_eq!(ran.code, 1, "{one} {other}: {}", ran.err);
            for name in ["out.json", other] {
                assert!(
                    std::fs::metadata(folder.path(name)).unwrap().len() > 0,
                    "{name}"
                );
                std::fs::remove_file(folder.path(name)).unwrap();
            }
        }
    }
}
