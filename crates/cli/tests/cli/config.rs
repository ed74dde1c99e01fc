//! `jsonx.json`: the config of a file, its settings, and errors in it.

mod mistakes;
mod settings;

use std::fs;
use std::path::Path;

use crate::{Folder, Ran, headlines, jsonx};

/// A repository: files in folders, and `.git`.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path(".git")).unwrap();
    for (name, text) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut command = jsonx(arguments);
    let output = command.current_dir(folder).write_stdin(input).output();
    let output = output.expect("the binary starts");
    // MessagePack is not UTF-8.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran {
        out: text(&output.stdout),
        err: text(&output.stderr),
        code: output.status.code().expect("no signal"),
    }
}

/// The columns before the second line of a formatted file.
fn indentation(folder: &Folder, name: &str) -> usize {
    let out = folder.run(&["fmt", name]).out;
    let line = out.lines().nth(1).expect("two lines");
    line.len() - line.trim_start().len()
}

const TWICE: &str = "{\"b\": 1, \"b\": 2, \"a\": [[1]]}\n";
const COMMENTED: &str = "{ // one\n \"b\": [1, 2,], \"a\": 1}\n";
const SCHEMA: &str =
    "{\"properties\": {\"b\": {\"type\": \"string\"}, \"d\": {\"format\": \"date\"}}}\n";

#[test]
fn the_nearest_config_up_to_the_repository_holds() {
    let deny = r#"{"lints": {"duplicate-key": "deny"}, "indent": 1}"#;
    let folder = repository(&[
        ("jsonx.json", deny),
        ("a.json", TWICE),
        ("near/a.json", TWICE),
        ("near/jsonx.json", r#"{"indent": 3}"#),
        ("near/deep/a.json", TWICE),
        ("more/jsonx.json", r#"{"root": false, "indent": 3}"#),
        ("more/a.json", TWICE),
        ("root/jsonx.json", r#"{"root": true}"#),
        ("root/a.json", TWICE),
        ("inner/.git/config", ""),
        ("inner/a.json", TWICE),
    ]);
    let code = |name: &str| folder.run(&["validate", "-q", name]).code;
    assert_eq!(code("a.json"), 1);
    assert_eq!(code("near/a.json"), 0);
    assert_eq!(code("near/deep/a.json"), 0);
    assert_eq!(code("more/a.json"), 1);
    assert_eq!(code("root/a.json"), 0);
    assert_eq!(code("inner/a.json"), 0);
    assert_eq!(code("./near/../a.json"), 1);
    let indent = |name: &str| indentation(&folder, name);
    assert_eq!(indent("a.json"), 1);
    assert_eq!(indent("more/a.json"), 3);
    assert_eq!(indent("root/a.json"), 2);
    // By file, and not by the current directory.
    let ran = run_in(
        &folder.path("near"),
        &["validate", "-q", "../a.json", "a.json"],
        "",
    );
    assert_eq!(ran.code, 1);
    let ran = folder.run(&["validate", "-v", "more/a.json"]);
    assert!(
        ran.err
            .contains("more/a.json: settings from more/jsonx.json, jsonx.json\n"),
        "{}",
        ran.err
    );
    // One config for all inputs, including standard input; its globs are relative to the current directory.
    assert_eq!(
        folder
            .run(&["validate", "-q", "--config=jsonx.json", "inner/a.json"])
            .code,
        1
    );
    let ran = run_in(
        folder.0.path(),
        &["validate", "-q", "--config=jsonx.json"],
        TWICE,
    );
    assert_eq!(ran.code, 1);
    assert_eq!(run_in(folder.0.path(), &["validate", "-q"], TWICE).code, 0);
    assert_eq!(
        folder
            .run(&["validate", "-q", "--no-config", "a.json"])
            .code,
        0
    );
}

#[test]
fn globs_and_overrides_are_relative_to_the_config() {
    let folder = repository(&[
        (
            "sub/jsonx.json",
            r#"{
                "overrides": [
                    {"files": ["*.conf", "x/*.json", "\\!y.json"], "input": "jsonc"},
                    {"files": ["*.json"], "indent": 3},
                    {"files": ["x/"], "indent": 5, "schema": "s.json"},
                    {"files": ["x/no.json"], "schema": null},
                ],
            }"#,
        ),
        ("sub/s.json", "{\"type\": \"array\"}"),
        ("sub/x/a.json", COMMENTED),
        ("sub/x/no.json", COMMENTED),
        ("sub/z/x/a.json", TWICE),
        ("sub/a.conf", COMMENTED),
        ("sub/!y.json", COMMENTED),
    ]);
    let code = |name: &str| folder.run(&["validate", "-q", name]).code;
    assert_eq!(code("sub/a.conf"), 0);
    assert_eq!(code("sub/!y.json"), 0);
    assert_eq!(code("sub/x/a.json"), 1);
    assert_eq!(code("sub/x/no.json"), 0);
    let ran = folder.run(&["validate", "sub/x/a.json"]);
    assert!(
        ran.out.contains("schema/type") && ran.out.contains("sub/s.json:1:"),
        "{}",
        ran.out
    );
    let indent = |name: &str| indentation(&folder, name);
    assert_eq!(indent("sub/x/a.json"), 5);
    // `x/` may be at any depth, as in .gitignore.
    assert_eq!(indent("sub/z/x/a.json"), 5);
    // Without a setting, the file's own.
    assert_eq!(indent("sub/a.conf"), 1);
}

#[test]
fn files_are_left_out() {
    let config = r#"{"ignore": ["gen/", "*.bad.json", "!keep.bad.json"]}"#;
    let folder = repository(&[
        ("jsonx.json", config),
        ("a.json", "{}\n"),
        ("gen/b.json", "{"),
        ("x.bad.json", "{"),
        ("keep.bad.json", "{"),
        ("own/jsonx.json", "{}\n"),
        ("own/y.bad.json", "{"),
    ]);
    let ran = folder.run(&["validate", "."]);
    let found = headlines(&ran.out);
    assert_eq!(found.len(), 2, "{}", ran.out);
    assert!(
        found[0].ends_with(" keep.bad.json:1:2") && found[1].ends_with(" own/y.bad.json:1:2"),
        "{found:?}"
    );
    assert_eq!(folder.run(&["validate", "--no-ignore", "gen"]).code, 1);
    assert_eq!(folder.run(&["validate", "--no-config", "gen"]).code, 1);
    let ran = folder.run(&["validate", "gen"]);
    let note = "jsonx: gen: excluded by jsonx.json:1; --no-ignore includes it\n";
    assert_eq!((ran.code, &*ran.err), (0, note));
    // A hook passes all changed files.
    let ran = folder.run(&["validate", "a.json", "x.bad.json", "gen/b.json"]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
    for command in [
        "validate",
        "fmt --write",
        "fmt --check",
        "fix --write",
        "set --write .a 1",
    ] {
        let command: Vec<&str> = command.split(' ').chain(["x.bad.json"]).collect();
        let ran = folder.run(&command);
        assert_eq!((ran.code, &*ran.out), (0, ""), "{command:?}");
        let note = "jsonx: x.bad.json: excluded by jsonx.json:1; --no-ignore includes it\n";
        assert_eq!(ran.err, note, "{command:?}");
    }
    assert_eq!(
        folder
            .run(&["validate", "-v", "a.json", "x.bad.json"])
            .err
            .matches("excluded")
            .count(),
        1
    );
    assert_eq!(
        folder.run(&["validate", "--no-ignore", "x.bad.json"]).code,
        1
    );
    // Printed text is never skipped; an editor gets its text back unchanged.
    assert_eq!(folder.run(&["fix", "--all", "x.bad.json"]).out, "{}");
    let ran = run_in(
        folder.0.path(),
        &["fmt", "--stdin-filename=gen/b.json"],
        "\u{feff}[ 1,",
    );
    assert_eq!((ran.code, &*ran.out), (0, "\u{feff}[ 1,"));
    assert_eq!(fs::read_to_string(folder.path("x.bad.json")).unwrap(), "{");
}

#[test]
fn comments_survive_a_compact_style() {
    let folder = repository(&[
        ("jsonx.json", r#"{"style": "compact"}"#),
        ("tsconfig.json", COMMENTED),
        ("a.json", TWICE),
    ]);
    assert!(folder.run(&["fmt", "tsconfig.json"]).out.contains("// one"));
    assert_eq!(
        folder.run(&["fmt", "a.json"]).out,
        "{\"b\":1,\"b\":2,\"a\":[[1]]}\n"
    );
}

#[test]
fn editorconfig_supplies_settings_missing_in_the_config() {
    let folder = repository(&[
        (
            ".editorconfig",
            "root = true\n[*]\nindent_style = tab\nmax_line_length = 70\ninsert_final_newline = false\nend_of_line = crlf\n",
        ),
        ("a.json", "{\"a\": [1, 2]}\n"),
        (
            "sub/.editorconfig",
            "[*]\nindent_style = space\nindent_size = 6\n",
        ),
        ("sub/a.json", "{\"a\": [1, 2]}\n"),
    ]);
    let fmt = |config: &str, name: &str| {
        fs::write(folder.path("jsonx.json"), config).unwrap();
        folder.run(&["fmt", name]).out
    };
    assert_eq!(fmt("{}", "a.json"), "{\"a\": [1, 2]}");
    assert_eq!(
        fmt(r#"{"width": "off"}"#, "a.json"),
        "{\r\n\t\"a\": [\r\n\t\t1,\r\n\t\t2\r\n\t]\r\n}"
    );
    let all = r#"{"width": 10, "eol": "keep", "finalNewline": true, "indent": 1}"#;
    assert_eq!(fmt(all, "a.json"), "{\n \"a\": [\n  1,\n  2\n ]\n}\n");
    // Even if the .editorconfig is nearer.
    assert_eq!(fmt(all, "sub/a.json"), "{\n \"a\": [\n  1,\n  2\n ]\n}\n");
    assert_eq!(fmt(r#"{"style": "compact"}"#, "a.json"), "{\"a\":[1,2]}");
}

#[test]
fn config_prints_values_and_their_sources() {
    let folder = repository(&[
        (
            ".editorconfig",
            "root = true\n[*]\nend_of_line = lf\nindent_size = 8\n",
        ),
        (
            "jsonx.json",
            "{\n  \"root\": true,\n  \"indent\": 4,\n  \"ignore\": [\n    \"gen/\"\n  ],\n  \
             \"lints\": {\"all\": \"deny\", \"schema/type\": \"warn\"},\n  \"overrides\": [\n    {\"files\": [\"a.*\"], \"width\": 90, \"input\": \"jsonc\"}\n  ]\n}\n",
        ),
    ]);
    let config = |arguments: &[&str]| {
        let ran = folder.run(&[&["config"], arguments].concat());
        assert_eq!((ran.code, &*ran.err), (0, ""));
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        ran.out.lines().map(words).collect::<Vec<_>>()
    };
    let lines = config(&[
        "a.conf",
        "--max-depth=5",
        "--warn=unsafe-integer",
        "--sort-keys",
    ]);
    for line in [
        "input jsonc jsonx.json:9",
        "lints.duplicate-key deny jsonx.json:7",
        "lints.unsafe-integer warn command line",
        "lints.schema/type warn jsonx.json:7",
        "indent 4 jsonx.json:3",
        "width 90 jsonx.json:9",
        "eol lf .editorconfig",
        "sortKeys true command line",
        "finalNewline true default",
        "maxDepth 5 command line",
        "ignore no default",
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {lines:#?}"
        );
    }
    let lines = config(&["gen/x.json", "b.jsonl", "--compact", "--no-editorconfig"]);
    for line in [
        "gen/x.json",
        "b.jsonl",
        "input jsonl default, by its name",
        "ignore yes jsonx.json:5",
        "style compact command line",
        "eol keep default",
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {lines:#?}"
        );
    }
    assert!(
        !lines.iter().any(|line| line.starts_with("indent")),
        "{lines:#?}"
    );
    let lines = config(&["a.conf", "--no-config"]);
    assert!(
        lines
            .iter()
            .any(|line| line == "input json default, by its name"),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line == "indent 8 .editorconfig"),
        "{lines:#?}"
    );
    assert_eq!(folder.run(&["config"]).code, 2);
    let all = folder.run(&["explain", "config"]).out;
    assert!(all.contains("\n  sortKeys\n"), "{all}");
}

/// Each config is read once, and found with two system calls per folder.
#[cfg(target_os = "linux")]
#[test]
fn folders_are_looked_at_once() {
    let traced = std::process::Command::new("strace").arg("-V").output();
    if !traced.is_ok_and(|output| output.status.success()) {
        return;
    }
    let files: Vec<(String, String)> = (0..200)
        .map(|number| {
            (
                format!("a/b/c{}/{number}.json", number % 5),
                "{}\n".to_owned(),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    files.push(("a/jsonx.json", "{\n  \"root\": false\n}\n"));
    let folder = repository(&files);
    let log = folder.path("log");
    let output = std::process::Command::new("strace")
        .args(["-f", "-e", "trace=file,statx,newfstatat", "-o"])
        .arg(&log)
        .args([
            env!("CARGO_BIN_EXE_jsonx"),
            "fmt",
            "--check",
            "--no-editorconfig",
            "a",
        ])
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let log = fs::read_to_string(log).unwrap();
    let count = |end: &str| log.lines().filter(|line| line.contains(end)).count();
    // Folders: c0 to c4, b, a, and the root of the repository. The config is opened, and again as an input; it
    // might be a link.
    assert_eq!(count("jsonx.json\""), 8 + 3);
    assert!(count("open") >= 200);
    // These are also searched for ignore files and formatter configurations.
    assert!(count("/.git\"") <= 4 * 8 + 8, "{}", count("/.git\""));
}
