//! The commands suggested by findings work as printed, even for file names that need quotes.

use std::process::{Command, Stdio};

use crate::Folder;

/// The kind of file, the programs that create or read it, and the command that creates it. Single compression is read directly.
const CASES: [(&str, &str, &str); 11] = [
    ("latin-1", "iconv", "printf '{\"a\": \"\\351t\\351\"}'"),
    (
        "utf-16",
        "iconv",
        "printf '{\"a\": 1}' | iconv -f UTF-8 -t UTF-16",
    ),
    ("gzip", "gzip", "printf '[1]' | gzip -c | gzip -c"),
    ("bzip2", "bzip2", "printf '[1]' | bzip2 -c | bzip2 -c"),
    ("xz", "xz", "printf '[1]' | xz -c | xz -c"),
    ("zstd", "zstd", "printf '[1]' | zstd -c | zstd -c"),
    ("yaml", "yq", "printf -- 'a: 1\\nb: 2\\n'"),
    ("javascript", "node", "echo 'module.exports = {a: 1};'"),
    (
        "server-sent events",
        "sed",
        "printf 'event: a\\ndata: {\"a\": 1}\\n\\ndata: [DONE]\\n'",
    ),
    (
        "logfmt",
        "sh",
        r#"printf 'ts=1 level=info msg="a \\"b\" c=d"\nts=2\n'"#,
    ),
    ("lines", "sh", "printf '1\\n2\\n'"),
];

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}

#[test]
fn the_commands_of_hints_work() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().unwrap().display());
    for (what, program, make) in CASES {
        if !is_installed(program) {
            eprintln!("skipped: {program} is not installed");
            continue;
        }
        for name in ["data.json", "my data's.json"] {
            let folder = Folder::with(&[]);
            let run = |script: &str| {
                let mut shell = Command::new("sh");
                let shell = shell.args(["-c", script]).current_dir(folder.path(""));
                shell.env("PATH", &path).output().expect("sh")
            };
            let made = run(make);
            std::fs::write(folder.path(name), &made.stdout).unwrap();
            let report = folder.run(&["validate", name]).out;
            let help: Vec<&str> = report
                .lines()
                .filter_map(|line| line.split_once("= help: ").map(|(_, help)| help))
                .collect();
            let commands: Vec<&str> = help
                .iter()
                .flat_map(|help| help.split('`').skip(1).step_by(2))
                .filter(|code| code.contains(' ') && !code.starts_with("--"))
                .collect();
            assert!(!report.contains("FILE"), "{what}: {report}");
            if what == "lines" {
                assert!(report.contains("--input jsonl"), "{report}");
                continue;
            }
            assert!(!commands.is_empty(), "{what}: {report}");
            // Two programs are called yq; each has its own command.
            let works = |command: &&str| {
                let ran = run(command);
                ran.status.success() && (!ran.stdout.is_empty() || command.contains("jsonx"))
            };
            let working = commands.iter().filter(|command| works(command)).count();
            match what {
                "yaml" => assert!(working >= 1, "{what}: {commands:?}"),
                _ => assert_eq!(working, commands.len(), "{what}: {commands:?}"),
            }
        }
    }
}

#[test]
fn commands_of_others_are_answered_when_they_ask_for_help() {
    for name in ["edit", "convert"] {
        let expected = crate::piped(&[name], "").err;
        let answer = format!("there is no command `{name}`: ");
        assert!(expected.contains(&answer), "{expected}");
        for args in [&[name, "--help"][..], &[name, "-h"], &["help", name]] {
            let ran = crate::piped(args, "");
            assert!(
                ran.code == 2 && ran.err.contains(&answer),
                "{args:?} {}",
                ran.err
            );
        }
    }
}

#[test]
fn a_value_spelled_like_an_option_follows_dashes() {
    let folder = crate::Folder::with(&[("f.json", b"{\"a\": 1}")]);
    for option in ["--foo", "--verbose", "--version", "--quiet", "-v", "-V"] {
        let ran = folder.run(&["set", ".a", option, "f.json", "-w"]);
        let command = format!("`jsonx set .a -w -- {option} f.json`");
        assert!(ran.code == 2 && ran.err.contains(&command), "{}", ran.err);
        let ran = folder.run(&["set", "-w", "--string", ".a", option, "f.json"]);
        let command = format!("`jsonx set -w --string .a -- {option} f.json`");
        assert!(ran.code == 2 && ran.err.contains(&command), "{}", ran.err);
    }
    for args in [
        &["set", ".a", "-v", "5", "f.json"][..],
        &["set", ".a", "5", "-v", "f.json"],
    ] {
        let ran = folder.run(args);
        assert_eq!((&*ran.out, ran.code), ("{\"a\": 5}", 0), "{}", ran.err);
    }
}

/// What is no JSON at all is named alike by every command, from a file and from a pipe.
#[test]
fn other_text_is_recognized_in_pipes_as_in_files() {
    for (text, what) in [
        (
            "ts=1 level=info msg=\"x y\"\nts=2 level=warn msg=z\n",
            "a log in logfmt",
        ),
        ("FOO=bar\nBAZ=qux\n", "environment variables"),
        (
            "HTTP/1.1 500 Internal Server Error\r\n\r\n<html></html>",
            "an HTTP response",
        ),
        (
            "Error from server (NotFound): pods \"x\" not found\n",
            "plain text",
        ),
        (
            "An error occurred (AccessDenied) when calling the X operation\n",
            "plain text",
        ),
        (
            "error: You must be logged in to the server (Unauthorized)\n",
            "plain text",
        ),
        ("a: 1\nb: 2\n", "YAML"),
    ] {
        for args in [
            &["get", "."][..],
            &["jq", "."],
            &["fmt"],
            &["shape"],
            &["validate"],
        ] {
            let folder = Folder::with(&[("data", text.as_bytes())]);
            let of_file = folder.run(&[args, &["data"]].concat());
            let of_pipe = crate::piped(args, text);
            for ran in [of_file, of_pipe] {
                let shown = format!("{}{}", ran.out, ran.err);
                let first = shown.lines().find(|line| line.starts_with("error"));
                let expected = first
                    .is_some_and(|it| it.starts_with("error[wrong-format]") && it.contains(what));
                assert!(expected, "{args:?} {text}: {shown}");
            }
        }
    }
}

/// The name tells that one line is YAML, and no message of a program.
#[test]
fn a_line_of_a_file_named_as_yaml_is_yaml() {
    for (text, place) in [
        ("x: 1\n", "1:1"),
        ("# c\n\n  name: web app\n", "3:3"),
        ("- a\n", "1:1"),
        ("---\nx\n", "1:1"),
        ("\"a\": 1\n", "1:1"),
        ("x: {\"a\": 1}\n", "1:1"),
        ("x:\n", "1:1"),
    ] {
        let folder = Folder::with(&[("a.yaml", text.as_bytes()), ("b.yml", text.as_bytes())]);
        for name in ["a.yaml", "b.yml"] {
            for command in [
                &["get", "."][..],
                &["jq", "."],
                &["fmt"],
                &["validate"],
                &["fix"],
            ] {
                let ran = folder.run(&[command, &[name]].concat());
                if command[0] == "fix" && ran.code == 0 {
                    // Repaired.
                    continue;
                }
                let shown = ran.out + &ran.err;
                let expected = format!(
                    "error[wrong-format]: this looks like YAML, not JSON\n --> {name}:{place}\n"
                );
                assert!(shown.contains(&expected), "{command:?} {text}: {shown}");
                assert!(shown.contains(&format!("`yq -o=json . {name}`")), "{shown}");
            }
        }
    }
    for (text, code) in [("{\"a\": 1}\n", 0), ("[1,]\n", 1), ("plain\n", 1)] {
        let folder = Folder::with(&[("a.yaml", text.as_bytes())]);
        let ran = folder.run(&["validate", "a.yaml"]);
        assert_eq!(ran.code, code, "{}", ran.out);
        assert!(!ran.out.contains("YAML"), "{}", ran.out);
    }
}
