//! `jsonx fmt --check` and `--diff`.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::{Folder, jsonx, piped, run, samples};

const UGLY: &[u8] = b"{\"a\":1.50,\n\"b\": [ ]}";
const FORMATTED: &str = "{\n  \"a\": 1.50,\n  \"b\": []\n}\n";

#[test]
fn names_are_listed_in_order_and_the_highest_code_wins() {
    let folder = Folder::with(&[
        ("a.json", FORMATTED.as_bytes()),
        ("b.json", UGLY),
        ("c.json", b"[1 2]"),
        ("d.json", UGLY),
        ("e.json", b"[[[]]]"),
    ]);
    let ran = folder.run(&["fmt", "--check", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "", 0));
    let ran = folder.run(&["fmt", "--check", "d.json", "a.json", "b.json"]);
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        (
            "d.json\nb.json\n",
            "2 files are not formatted; run jsonx fmt -w\n",
            1
        )
    );
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("b.json\nd.json\ne.json\n", 3)
    );
    assert!(ran.err.contains(" --> c.json:1:3\n"), "{}", ran.err);
    let end = "3 files are not formatted, 1 could not be checked; run jsonx fmt -w\n";
    assert!(ran.err.ends_with(end), "{}", ran.err);
    let ran = folder.run(&["fmt", "--check", "--max-depth=2", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("b.json\nd.json\n", 4));
    let ran = folder.run(&["fmt", "-q", "--check", "b.json", "gone.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert_eq!(folder.run(&["fmt", "-q", "--diff", "b.json"]).out, "");
    // No file was touched.
    assert_eq!(fs::read(folder.path("b.json")).unwrap(), UGLY);
}

/// The reporters of `validate`, with the exit codes of `fmt`.
#[test]
fn check_has_reporters() {
    let folder = Folder::with(&[
        ("a.json", FORMATTED.as_bytes()),
        ("b.json", UGLY),
        ("c.json", b"[1 2]"),
    ]);
    let message = "1 file is not formatted, 1 could not be checked; run jsonx fmt -w\n";
    for (reporter, found) in [
        ("human", "b.json\n"),
        ("concise", "b.json:1:1: error[not-formatted]: not formatted"),
        (
            "json",
            r#""file":"b.json","code":"not-formatted","severity":"error""#,
        ),
        ("sarif", r#"{"ruleId":"not-formatted","level":"error""#),
        ("github", "::error file=b.json,line=1,"),
        ("gitlab", r#""check_name":"not-formatted""#),
        ("junit", r#"<failure type="not-formatted""#),
    ] {
        let args = ["fmt", "--check", "--reporter", reporter, "."];
        let ran = folder.run(&args);
        assert_eq!((ran.err.as_str(), ran.code), (message, 3), "{reporter}");
        assert!(ran.out.contains(found), "{reporter}: {}", ran.out);
        assert!(ran.out.contains("missing-comma"), "{reporter}: {}", ran.out);
        let one = folder.run(&["fmt", "--check", "--reporter", reporter, "a.json", "b.json"]);
        assert_eq!(one.code, 1, "{reporter}");
        assert_eq!(
            one.out.matches("missing-comma").count(),
            usize::from(reporter == "sarif")
        );
    }
    let ran = folder.run(&[
        "fmt",
        "--check",
        "--reporter",
        "json",
        "--reporter=junit=r.xml",
        "a.json",
    ]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert!(
        ran.out
            .starts_with(r#"{"type":"file","file":"a.json","valid":true,"#)
    );
    assert!(
        fs::read_to_string(folder.path("r.xml"))
            .unwrap()
            .contains(r#"failures="0""#)
    );

    // A report never replaces an input, under any name.
    for args in [
        &["fmt", "--check", "--reporter=json=b.json", "b.json"][..],
        &["fmt", "--check", "--reporter=json=b.json", "."],
    ] {
        assert!(folder.run(args).code > 1, "{args:?}");
        assert_eq!(fs::read(folder.path("b.json")).unwrap(), UGLY, "{args:?}");
    }
    for args in [
        &["fmt", "--reporter=json", "a.json"][..],
        &["fmt", "-w", "--reporter=json", "a.json"],
        &["fmt", "--diff", "--reporter=json", "a.json"],
    ] {
        assert_eq!(folder.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn github_actions_get_annotations_of_a_check() {
    let folder = Folder::with(&[("b.json", UGLY)]);
    let ran = run(jsonx(&["fmt", "--check", "b.json"])
        .env("GITHUB_ACTIONS", "true")
        .current_dir(folder.0.path()));
    assert_eq!((ran.out.as_str(), ran.code), ("b.json\n", 1));
    assert_eq!(
        ran.err,
        "::error file=b.json,line=1,endLine=1,col=1,endColumn=1,title=jsonx not-formatted::not formatted \
         (run `jsonx fmt -w`)\n1 file is not formatted; run jsonx fmt -w\n"
    );
}

#[test]
fn output_of_fmt_is_formatted_in_every_layout() {
    for file in samples() {
        let lines = file.extension().is_some_and(|name| name == "jsonl");
        let kind = if lines {
            "--input=jsonl"
        } else {
            "--input=json"
        };
        for look in [&["-c"][..], &["--tab"], &["--indent=3"], &["--indent=2"]] {
            let with = |more: &'static str| [&["fmt", kind, more], look].concat();
            let printed = run(jsonx(&with("--color=auto")).arg(&file)).out;
            let checked = piped(&with("--check"), &printed);
            assert_eq!(
                (checked.out.as_str(), checked.code),
                ("", 0),
                "{look:?} {}",
                file.display()
            );
            // An extra space at any of these offsets is detected.
            let spaces: Vec<usize> = printed
                .match_indices([':', ',', '\n'])
                .map(|at| at.0)
                .collect();
            for at in [0, spaces.len() / 2, spaces.len() - 1] {
                let mut changed = printed.clone();
                changed.insert(spaces[at], ' ');
                let formatted = piped(&with("--color=auto"), &changed).out == changed;
                let code = piped(&with("--check"), &changed).code;
                assert_eq!(
                    code == 0,
                    formatted,
                    "{look:?} {} {}",
                    file.display(),
                    spaces[at]
                );
            }
        }
    }
}

#[test]
fn standard_input_is_checked_too() {
    let formatted = piped(&["fmt", "--check"], FORMATTED);
    assert_eq!((formatted.out.as_str(), formatted.code), ("", 0));
    let ugly = piped(&["fmt", "--check"], UGLY);
    assert_eq!((ugly.out.as_str(), ugly.code), ("<stdin>\n", 1));
    assert_eq!(piped(&["fmt", "--check"], "1\n2\n").code, 0);
    assert_eq!(piped(&["fmt", "--check"], "1 2\n").code, 1);
    assert_eq!(piped(&["fmt", "--check"], "").code, 3);
    assert_eq!(piped(&["fmt", "--check"], "\n").code, 3);
    assert_eq!(piped(&["fmt", "--check"], "[1").code, 3);
    let diff = piped(&["fmt", "--diff"], UGLY);
    assert_eq!(diff.code, 1);
    assert!(
        diff.out
            .starts_with("--- <stdin>\n+++ <stdin>\n@@ -1,2 +1,4 @@\n-{\"a\":1.50,\n")
    );
    assert_eq!(piped(&["fmt", "--diff"], FORMATTED).out, "");
    // Both different and broken: broken wins.
    let broken = piped(&["fmt", "--diff"], "[1,\n2");
    assert_eq!((broken.out.as_str(), broken.code), ("", 3));
}

/// Pipes `diff` to a program in the folder; `None` if it is not installed.
fn applied(folder: &Folder, program: &str, args: &[&str], diff: &str) -> Option<bool> {
    let mut child = match Command::new(program)
        .args(args)
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
    {
        Ok(child) => child,
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            return None;
        }
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(diff.as_bytes())
        .unwrap();
    Some(child.wait().unwrap().success())
}

#[test]
fn a_diff_that_is_applied_gives_the_formatted_files() {
    let long: String = (0..3000)
        .map(|n| match n % 97 {
            0 => format!("  {n} ,\n"),
            5 => format!("\t{n},\r\n"),
            50 => format!("  {n}, [ ],\n"),
            _ => format!("  {n},\n"),
        })
        .collect();
    let texts: [(&str, Vec<u8>); 7] = [
        ("ugly.json", UGLY.to_vec()),
        ("with space.json", UGLY.to_vec()),
        ("formatted.json", FORMATTED.into()),
        ("long.json", format!("[\n{long}  0\n]").into()),
        ("marked.json", [b"\xef\xbb\xbf", UGLY].concat()),
        ("unended.json", FORMATTED.trim_end().into()),
        ("lines.jsonl", b"1\n\n2\n[3]\n".to_vec()),
    ];
    for (program, args) in [
        ("patch", &["-p0", "--binary"][..]),
        ("git", &["apply", "-p0"]),
    ] {
        let folder = Folder::with(&[]);
        for (name, text) in &texts {
            fs::write(folder.path(name), text).unwrap();
        }
        let diff = folder.run(&["fmt", "--diff", "."]);
        assert_eq!((diff.err.contains("error"), diff.code), (false, 1));
        assert!(!diff.out.contains("--- formatted.json"));
        match applied(&folder, program, args, &diff.out) {
            None => continue,
            Some(success) => assert!(success, "{program}: {}", diff.out),
        }
        for (name, _) in &texts {
            // Files keep their mark.
            let mark = if *name == "marked.json" {
                "\u{feff}"
            } else {
                ""
            };
            let expected = mark.to_owned() + &folder.run(&["fmt", name]).out;
            assert_eq!(
                fs::read_to_string(folder.path(name)).unwrap(),
                expected,
                "{name}"
            );
        }
        assert_eq!(folder.run(&["fmt", "--check", "."]).code, 0);
    }
}

#[test]
fn several_files_need_an_output_option() {
    let folder = Folder::with(&[("a.json", b"1"), ("b.json", b"2")]);
    for args in [
        &["fmt", "a.json", "b.json"][..],
        &["fmt", "."],
        &["fmt", "--ext=json"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("add --write, --check or --diff"),
            "{}",
            ran.err
        );
    }
    for args in [
        ["fmt", "--write", "--check", "."],
        ["fmt", "--write", "--diff", "."],
    ] {
        assert_eq!(folder.run(&args).code, 2);
    }
    // The diff includes the name.
    let ran = folder.run(&["fmt", "--check", "--diff", "a.json"]);
    assert_eq!(
        ran.out,
        "--- a.json\n+++ a.json\n@@ -1,1 +1,1 @@\n-1\n\\ No newline at end of file\n+1\n"
    );
}

/// The advice has the options of the layout, and the command mends the file.
#[test]
fn the_advice_mends_the_file() {
    for options in [
        &["-S"][..],
        &["-S", "--indent=3", "--eol=crlf"],
        &["--tab", "-a"],
        &[
            "--width",
            "30",
            "--unescape",
            "--html-safe",
            "--no-editorconfig",
        ],
        &["--style", "prettier"],
        &["--canonical"],
        &["-c"],
    ] {
        let folder = Folder::with(&[("a.json", br#"{"b":  "\u00e9", "a":["</"]}"#)]);
        let ran = folder.run(&[&["fmt", "--check", "a.json"], options].concat());
        let advice = ran.err.trim_end().rsplit_once("; run jsonx ").unwrap().1;
        let words: Vec<&str> = advice.split(' ').chain(["a.json"]).collect();
        assert_eq!(folder.run(&words).code, 0, "{advice}");
        let again = folder.run(&[&["fmt", "--check", "a.json"], options].concat());
        assert_eq!(again.code, 0, "{advice}: {}", again.err);
    }
}
