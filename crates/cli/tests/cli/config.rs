//! `jsonx.json`: which config holds for a file, what it sets, and what a broken one does.

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

/// A config does what options do: the same output and exit code.
#[test]
fn a_setting_does_what_its_option_does() {
    let files = [
        ("a.json", TWICE),
        ("c.json", COMMENTED),
        ("x/s.json", SCHEMA),
        (
            "x/draft.json",
            "{\"$schema\": \"x/s.json\", \"b\": 1, \"d\": \"no\"}\n",
        ),
        (
            "cat.json",
            "{\"schemas\": [{\"fileMatch\": [\"a.json\"], \"url\": \"x/s.json\"}]}\n",
        ),
        (
            "d.json",
            "{\"$schema\": \"https://example.com/s.json\", \"b\": 1, \"d\": \"no\"}\n",
        ),
        ("dir/example.com/s.json", SCHEMA),
    ];
    let folder = repository(&files);
    let mut compared = 0;
    for (config, options, command) in [
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"][..],
            &["validate", "-v", "c.json"][..],
        ),
        (
            r#""input": "jsonl""#,
            &["--input=jsonl"],
            &["validate", "c.json"],
        ),
        (
            r#""input": {"c.json": "jsonc"}"#,
            &["--input=c.json=jsonc"],
            &["get", ".b", "c.json"],
        ),
        (
            r#""input": {"*.json": "jsonc"}"#,
            &["--input=*.json=jsonc"],
            &["fmt", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["fix", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["set", ".a", "2", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["set", ".a", "2", "c.json", "--diff"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["del", ".a", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["edit", "--del", ".a", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["append", ".b", "3", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["locate", "c.json:2:7"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["diff", "a.json", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["patch", "--merge", "a.json", "c.json"],
        ),
        (
            r#""input": "jsonc""#,
            &["--input=jsonc"],
            &["convert", "--to=msgpack", "c.json"],
        ),
        (
            r#""lints": {"duplicate-key": "deny"}"#,
            &["--deny=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""lints": {"duplicate-key": "off"}"#,
            &["--allow=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""lints": {"duplicate-key": "warn", "all": "deny"}"#,
            &["--deny=all", "--warn=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json""#,
            &["--schema=x/s.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""schema": {"a.json": "x/s.json"}"#,
            &["--schema-map=a.json=x/s.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""schema": "x/s.json#/properties""#,
            &["--schema=x/s.json#/properties"],
            &["validate", "a.json"],
        ),
        (
            r#""catalog": "cat.json""#,
            &["--schema-map=cat.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""useSchemaKey": true"#,
            &["--use-schema-key"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""useSchemaKey": true, "schemaDir": "dir""#,
            &["--use-schema-key", "--schema-dir=dir"],
            &["validate", "d.json"],
        ),
        (
            r#""useSchemaKey": true, "schemaDir": "dir", "formats": "assert""#,
            &["--use-schema-key", "--schema-dir=dir", "--formats=assert"],
            &["validate", "d.json"],
        ),
        (
            r#""schema": "x/s.json", "draft": "4""#,
            &["--schema=x/s.json", "--draft=4"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json", "lints": {"schema/type": "off"}"#,
            &["--schema=x/s.json", "--allow=schema/type"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json", "lints": {"schema": "warn"}"#,
            &["--schema=x/s.json", "--warn=schema"],
            &["validate", "a.json"],
        ),
        (r#""style": "compact""#, &["--compact"], &["fmt", "a.json"]),
        (r#""indent": 4"#, &["--indent=4"], &["fmt", "a.json"]),
        (r#""indent": 0"#, &["--indent=0"], &["fmt", "a.json"]),
        (
            r#""indent": "tab""#,
            &["--tab"],
            &["fmt", "--check", "--diff", "a.json"],
        ),
        (r#""width": 80"#, &["--width=80"], &["fmt", "a.json"]),
        (r#""eol": "crlf""#, &["--eol=crlf"], &["fmt", "a.json"]),
        (r#""sortKeys": true"#, &["--sort-keys"], &["fmt", "a.json"]),
        (
            r#""sortKeys": true"#,
            &["--sort-keys"],
            &["fmt", "--stdin-filename=a.json"],
        ),
        (
            r#""trailingCommas": "all", "input": "jsonc""#,
            &["--trailing-commas=all", "--input=jsonc"],
            &["fmt", "c.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["validate", "a.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["get", ".a", "a.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["fmt", "--check", "a.json"],
        ),
        (
            r#""maxErrors": 1"#,
            &["--max-errors=1"],
            &["validate", "c.json"],
        ),
        (
            r#""maxErrors": 1"#,
            &["--max-errors=1"],
            &["fix", "--all", "c.json"],
        ),
    ] {
        fs::write(folder.path("jsonx.json"), format!("{{ {config}, }}")).unwrap();
        let input = "{\"b\": 1, \"a\": 2}";
        let configured = run_in(folder.0.path(), command, input);
        let told = [command, options, &["--no-config"]].concat();
        let mut told = run_in(folder.0.path(), &told, input);
        let plain = run_in(
            folder.0.path(),
            &[command, &["--no-config"]].concat(),
            input,
        );
        // `--verbose` names the config.
        if command.contains(&"-v") {
            told.err.insert_str(0, "c.json: settings from jsonx.json\n");
        }
        assert_eq!(configured, told, "{config}: {command:?}");
        // The case shows something, but where a default is made plain.
        compared += usize::from(configured != plain);
    }
    assert!(compared >= 37, "{compared}");
}

#[test]
fn the_command_line_takes_precedence() {
    let folder = repository(&[
        ("a.json", TWICE),
        ("c.json", COMMENTED),
        ("s.json", SCHEMA),
        ("any.json", "true"),
        (
            "jsonx.json",
            r#"{"input": {"c.json": "jsonc"}, "lints": {"all": "deny"}, "schema": "s.json", "indent": 4, "width": 99,
                "eol": "crlf", "sortKeys": true, "maxDepth": 1, "maxErrors": 1, "trailingCommas": "all"}"#,
        ),
    ]);
    let code = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--max-depth=9",
            "--warn=all",
            "a.json"
        ]),
        0
    );
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--max-depth=9",
            "a.json"
        ]),
        1
    );
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--warn=all",
            "a.json"
        ]),
        4
    );
    assert_eq!(code(&["get", ".b", "c.json", "--max-depth=5"]), 0);
    assert_eq!(
        code(&["get", ".b", "c.json", "--max-depth=5", "--input=json"]),
        3
    );
    assert_eq!(
        code(&["get", ".b", "c.json", "--max-depth=5", "--input=auto"]),
        3
    );
    let fmt = |more: &[&str]| {
        let fixed = ["fmt", "--max-depth=9", "--eol=lf", "a.json"];
        folder.run(&[&fixed, more].concat()).out
    };
    assert_eq!(fmt(&[]), "{\"a\": [[1]], \"b\": 1, \"b\": 2}\n");
    assert_eq!(fmt(&["-c"]), "{\"a\":[[1]],\"b\":1,\"b\":2}\n");
    assert_eq!(
        fmt(&["--width=20", "--tab"]),
        "{\n\t\"a\": [[1]],\n\t\"b\": 1,\n\t\"b\": 2\n}\n"
    );
    assert_eq!(
        folder
            .run(&["fmt", "--canonical", "--max-depth=9", "s.json"])
            .code,
        0
    );
}

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
    // One config for all, and for standard input; its globs are relative to the current directory.
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
                "input": {"*.conf": "jsonc", "x/*.json": "jsonc", "!y.json": "jsonc"},
                "overrides": [
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
    // No setting: as in the file.
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
    let note = "jsonx: gen: left out by jsonx.json:1; --no-ignore includes it\n";
    assert_eq!((ran.code, &*ran.err), (0, note));
    // A hook names files that nobody chose.
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
        let note = "jsonx: x.bad.json: left out by jsonx.json:1; --no-ignore includes it\n";
        assert_eq!(ran.err, note, "{command:?}");
    }
    assert_eq!(
        folder
            .run(&["validate", "-v", "a.json", "x.bad.json"])
            .err
            .matches("left out")
            .count(),
        1
    );
    assert_eq!(
        folder.run(&["validate", "--no-ignore", "x.bad.json"]).code,
        1
    );
    // What is printed is not left out; an editor gets the text back as it was.
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
fn editorconfig_sets_what_the_config_does_not() {
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
    // Also where the .editorconfig is nearer.
    assert_eq!(fmt(all, "sub/a.json"), "{\n \"a\": [\n  1,\n  2\n ]\n}\n");
    assert_eq!(fmt(r#"{"style": "compact"}"#, "a.json"), "{\"a\":[1,2]}");
}

#[test]
fn mistakes_are_reported_once_and_nothing_below_is_processed() {
    let folder = repository(&[
        (
            "jsonx.json",
            "{\n  \"indnt\": 4,\n  \"lints\": {\"duplicate-key\": \"of\"},\n}\n",
        ),
        ("a.json", "{}"),
        ("b.json", "[1 2]"),
        ("ok/jsonx.json", "{}"),
        ("ok/c.json", "{\"a\": 1}"),
    ]);
    let ran = folder.run(&["validate", "."]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        headlines(&ran.out),
        [
            "error[config] jsonx.json:2:3",
            "error[config] jsonx.json:3:30"
        ]
    );
    assert!(
        ran.out
            .contains("2 |   \"indnt\": 4,\n  |   ^^^^^^^ did you mean `indent`?\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("did you mean `off`?"), "{}", ran.out);
    assert_eq!(
        ran.err,
        "jsonx: a.json: not processed, because its config jsonx.json cannot be used\n"
    );
    for command in [
        &["fmt", "a.json"][..],
        &["fmt", "--check", "a.json", "b.json"],
        &["fmt", "--write", "a.json"],
        &["fix", "b.json"],
        &["get", ".", "a.json"],
        &["set", ".a", "1", "a.json"],
        &["set", "--write", ".a", "1", "a.json"],
        &["locate", "a.json:1:1"],
        &["convert", "--to=msgpack", "a.json"],
        &["diff", "a.json", "b.json"],
        &["patch", "a.json", "b.json"],
        &["config", "a.json"],
    ] {
        let ran = folder.run(command);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{command:?}: {}", ran.err);
        assert_eq!(
            ran.err.matches("error[config]").count(),
            2,
            "{command:?}: {}",
            ran.err
        );
    }
    assert_eq!(fs::read_to_string(folder.path("a.json")).unwrap(), "{}");
    assert_eq!(folder.run(&["get", ".a", "ok/c.json"]).out, "1\n");
    assert_eq!(
        folder.run(&["get", ".", "--no-config", "a.json"]).out,
        "{}\n"
    );
    // Machine-readable reports have the config, and every file.
    let ran = folder.run(&["validate", ".", "--reporter", "json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out.matches("\"config\"").count(), 2, "{}", ran.out);
    for name in ["a.json", "b.json", "ok/c.json"] {
        assert!(
            ran.out.contains(&format!("\"{name}\"")),
            "{name}: {}",
            ran.out
        );
    }
}

#[test]
fn a_config_that_is_none() {
    for (text, head) in [
        ("", "error[empty-input] jsonx.json:1:1"),
        ("{\"indent\": 2", "error[unclosed-bracket] jsonx.json:1:13"),
        ("{\"indent\" 2}", "error[missing-colon] jsonx.json:1:10"),
        ("[]", "error[config] jsonx.json:1:1"),
        ("{\"overrides\": {}}", "error[config] jsonx.json:1:15"),
    ] {
        let folder = repository(&[("jsonx.json", text), ("a.json", "{}")]);
        let ran = folder.run(&["validate", "a.json"]);
        assert_eq!(
            (ran.code, headlines(&ran.out)),
            (2, vec![head.to_owned()]),
            "{}",
            ran.out
        );
    }
    let folder = repository(&[
        ("jsonx.json", "\u{feff}{\"indent\": 1}"),
        ("a.json", "{\"a\":1}"),
    ]);
    assert_eq!(folder.run(&["fmt", "a.json"]).out, "{\n \"a\": 1\n}\n");
    // A directory may have any name.
    let folder = repository(&[("jsonx.json/x", ""), ("a.json", "{}")]);
    assert_eq!(folder.run(&["validate", "a.json"]).code, 0);
    let ran = folder.run(&["validate", "--config=jsonx.json", "a.json"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.starts_with("jsonx: jsonx.json: "), "{}", ran.err);
    let ran = folder.run(&["validate", "--config=none.json", "a.json"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.starts_with("jsonx: none.json: "), "{}", ran.err);
    assert_eq!(
        folder
            .run(&["validate", "--config=x", "--no-config", "a.json"])
            .code,
        2
    );
    // Neither too large nor too deep.
    let large = format!("{{\"ignore\": [\"{}\"]}}", "x".repeat(1 << 20));
    let folder = repository(&[("jsonx.json", &large), ("a.json", "{}")]);
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err
            .starts_with("jsonx: jsonx.json: it is larger than 1 MiB\n"),
        "{}",
        ran.err
    );
    let deep = format!(
        "{{\"indent\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let folder = repository(&[("jsonx.json", &deep), ("a.json", "{}")]);
    assert_eq!(folder.run(&["validate", "-q", "a.json"]).code, 2);
}

#[cfg(unix)]
#[test]
fn a_config_that_cannot_be_read() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let folder = repository(&[("a.json", "{}"), ("sub/b.json", "{\"a\":1}")]);
    symlink("jsonx.json", folder.path("jsonx.json")).unwrap();
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err.starts_with("jsonx: jsonx.json: ") && ran.err.contains("links"),
        "{}",
        ran.err
    );
    fs::remove_file(folder.path("jsonx.json")).unwrap();
    // It is not opened: that would wait for ever.
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.path("jsonx.json"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("it is not a regular file"), "{}", ran.err);
    fs::remove_file(folder.path("jsonx.json")).unwrap();
    // Names without UTF-8, on the way and in globs.
    let odd = folder.0.path().join(std::ffi::OsStr::from_bytes(b"\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(
        odd.join("jsonx.json"),
        "{\"indent\": 1, \"ignore\": [\"x.json\"], \"nope\": 1}",
    )
    .unwrap();
    fs::write(odd.join("a.json"), "{}").unwrap();
    let ran = folder.run(&["validate", "."]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("jsonx.json:1:37"), "{}", ran.out);
    fs::write(
        odd.join("jsonx.json"),
        "{\"indent\": 1, \"ignore\": [\"x.json\"]}",
    )
    .unwrap();
    fs::write(odd.join("x.json"), "{").unwrap();
    assert_eq!(folder.run(&["validate", "-q", "."]).code, 0);
    let ran = run_in(&odd, &["fmt", "../sub/b.json", "-v"], "");
    assert_eq!((&*ran.out, &*ran.err), ("{\n  \"a\": 1\n}\n", ""));
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
            "{\n  \"input\": {\"*.conf\": \"jsonc\"},\n  \"indent\": 4,\n  \"ignore\": [\n    \"gen/\"\n  ],\n  \
             \"lints\": {\"all\": \"deny\", \"schema/type\": \"warn\"},\n  \"overrides\": [\n    {\"files\": [\"a.*\"], \"width\": 90}\n  ]\n}\n",
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
        "input jsonc jsonx.json:2",
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

#[test]
fn a_value_that_cannot_be_used_is_shown_in_its_config() {
    let folder = repository(&[("a.json", "{}"), ("s.json", "{}"), ("no.json", "[]")]);
    for (config, place) in [
        (
            "{\"schema\": \"s.json\",\n \"schemaDir\": \"nowhere\"}",
            "jsonx.json:2:15",
        ),
        ("{\"catalog\": \"nowhere.json\"}", "jsonx.json:1:13"),
        ("{\"catalog\": \"no.json\"}", "jsonx.json:1:13"),
    ] {
        fs::write(folder.path("jsonx.json"), config).unwrap();
        let ran = folder.run(&["validate", "a.json", "s.json"]);
        assert_eq!(ran.code, 2, "{config}: {}{}", ran.out, ran.err);
        assert_eq!(
            headlines(&ran.out),
            [format!("error[config] {place}")],
            "{}",
            ran.out
        );
    }
}

/// Each config is read once, and two calls per folder look for it.
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
    // Folders: c0 to c4, b, a, and the root of the repository. The config is opened, and again as an input.
    assert_eq!(count("jsonx.json\""), 8 + 2);
    assert!(count("open") >= 200);
    // Of these, ignore files and configurations of formatters are looked for too.
    assert!(count("/.git\"") <= 3 * 8 + 8, "{}", count("/.git\""));
}
