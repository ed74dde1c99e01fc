//! Untrusted text in messages.

use crate::{Folder, jsonx, run};

/// Texts of settings and arguments in messages: one line each, without control sequences and workflow commands.
#[test]
fn texts_of_settings_are_escaped() {
    const TEXT: &str = "[\\u001b[31;41m\\n::error::x\\u202e";
    for (name, config) in [
        (
            ".prettierrc",
            format!("{{\"overrides\":[{{\"files\":\"{TEXT}\",\"options\":{{\"tabWidth\":3}}}}]}}"),
        ),
        (".prettierrc", format!("{{\"{TEXT}\": 1}}")),
        (".prettierrc", format!("{{\"endOfLine\": \"{TEXT}\"}}")),
        (".prettierrc", format!("plugins: [\"{TEXT}\"]\n")),
        (
            ".prettierrc",
            "\"x\u{1b}[31;41m\\n::error::x\": 1\n".to_owned(),
        ),
        ("jsonx.json", format!("{{\"{TEXT}\": \"{TEXT}\"}}")),
        ("jsonx.json", format!("{{\"ignore\": [\"{TEXT}\"]}}")),
        ("jsonx.json", format!("{{\"schema\": \"{TEXT}\"}}")),
        (
            "jsonx.json",
            format!("{{\"overrides\": [{{\"files\": \"{TEXT}\", \"{TEXT}\": 1}}]}}"),
        ),
        (".jsonxignore", "[\u{1b}[31;41m\n".to_owned()),
    ] {
        let folder = Folder::with(&[
            ("a.json", b"{\"a\":1}"),
            (".git/HEAD", b""),
            (name, config.as_bytes()),
        ]);
        for args in [
            &["fmt", "--check", "-v", "."][..],
            &["config", "a.json"],
            &["validate", "-v", "."],
        ] {
            let ran = run(jsonx(args)
                .current_dir(folder.path(""))
                .env("GITHUB_ACTIONS", "true"));
            let all = ran.out + &ran.err;
            assert!(
                !all.contains(['\u{1b}', '\u{202e}']),
                "{name} {config}: {args:?} {all}"
            );
            let is_command = |line: &str| line.trim_start().starts_with("::error::x");
            assert!(
                !all.lines().any(is_command),
                "{name} {config}: {args:?} {all}"
            );
        }
    }
    let folder = Folder::with(&[("a.json", b"1")]);
    for args in [
        &["validate", "-g", "[\u{1b}[31m\n::error::x", "a.json"][..],
        &["validate", "--schema", "\u{1b}[31m\n::error::x", "a.json"],
        &[
            "validate",
            "--schema-map",
            "\u{1b}[31m\n::error::x=y",
            "a.json",
        ],
        &["get", "\u{1b}[31m\n::error::x", "a.json"],
        &["jq", "\u{1b}[31m\n::error::x", "a.json"],
        &["fmt", "--config", "\u{1b}[31m\n::error::x", "a.json"],
        &["explain", "\u{1b}[31m\n::error::x"],
    ] {
        let ran = folder.run(args);
        let all = ran.out + &ran.err;
        assert!(
            !all.contains('\u{1b}') && !all.contains("\n::error"),
            "{args:?} {all}"
        );
    }
}

/// Arguments in usage errors and other messages, as the value of every option of every command.
#[test]
fn arguments_are_escaped() {
    const TEXT: &str = "\n::error::x\u{1b}[31m\u{202e}\u{9b}##[error]";
    let folder = Folder::with(&[("a.json", b"{\"a\": 1}")]);
    let check = |args: &[&str]| {
        let ran = folder.run(args);
        let told = if ran.code == 2 {
            ran.out + &ran.err
        } else {
            ran.err
        };
        let hostile = ['\u{1b}', '\u{202e}', '\u{9b}'];
        assert!(!told.contains(hostile), "{args:?} {told}");
        assert!(!told.contains("##["), "{args:?} {told}");
        let mut lines = told.lines().map(str::trim_start);
        assert!(
            !lines.any(|line| line.starts_with("::error")),
            "{args:?} {told}"
        );
    };
    check(&[TEXT]);
    for command in [
        "append",
        "completions",
        "config",
        "del",
        "diff",
        "explain",
        "fix",
        "fmt",
        "get",
        "grep",
        "jq",
        "locate",
        "lsp",
        "merge",
        "patch",
        "set",
        "shape",
        "validate",
    ] {
        let help = folder.run(&[command, "--help"]).out;
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let words = help.split(|c| !is_name(c));
        let mut options: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
        options.sort_unstable();
        options.dedup();
        for option in options.into_iter().chain(["--", "--what"]) {
            check(&[command, &format!("{option}={TEXT}"), "a.json"]);
        }
        for args in [
            &[TEXT][..],
            &[TEXT, "a.json"],
            &["a.json", TEXT],
            &["a.json", "a.json", TEXT],
        ] {
            check(&[&[command], args].concat());
        }
    }
}

/// The service decodes a line break in the name of a file.
#[cfg(unix)]
#[test]
fn annotations_have_the_whole_name_of_a_file() {
    let folder = Folder::with(&[("a\nb:,\u{1b}%.json", b"[1,]")]);
    let ran = folder.run(&["validate", "--reporter=github", "."]);
    let start = "::error file=a%0Ab%3A%2C␛%25.json,line=1,";
    assert!(ran.out.starts_with(start), "{}", ran.out);
}
