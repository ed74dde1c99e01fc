//! Command lines of other programs, and the advice.

use std::collections::BTreeSet;

use crate::{Folder, jsonx, piped, run};

#[test]
fn options_of_other_programs_get_a_hint() {
    for (typed, answer) in [
        (
            &["format", "a.json"][..],
            "no command `format`: `jsonx fmt`",
        ),
        (&["-"], "the command comes first: `jsonx validate -`"),
        (&["{\"a\": 1}"], "`echo '…' | jsonx validate`"),
        (
            &["https://example.com/a.json"],
            "`curl -sS https://example.com/a.json | jsonx validate`",
        ),
        (&[".a.b", "a.json"], "`jsonx get .a.b a.json`"),
        (&[".", "a.json"], "`jsonx get . a.json`"),
        (&["-r", ".a b[0]", "a.json"], "unexpected argument '-r'"),
        (&["-r", ".a[0]", "a.json"], "`jsonx get -r '.a[0]' a.json`"),
        (&["."], "jsonx fmt           format standard input"),
        // jq programs without `jq`; the name of a function may also be a command of another program.
        (
            &[".a | length", "a.json"],
            ".a | length is a jq program; the command comes first: `jsonx jq '.a | length' a.json`",
        ),
        (&["-r", ".a|keys"], "`jsonx jq -r '.a|keys'`"),
        (&["{a}", "a.json"], "`jsonx jq '{a}' a.json`"),
        (&["values"], "`jsonx jq values`"),
        (&["to-entries", "a.json"], "`jsonx jq to_entries`"),
        (&["keys", "a.json"], "`jsonx jq '.a | keys_unsorted[]'`"),
        (
            &["get", "--arg", "a", "1", "."],
            "`jsonx jq --arg NAME VALUE PROGRAM`",
        ),
        (&["fmt", "-i", "a.json"], "`--write` rewrites files"),
        (
            &["get", "--raw-output", ".a"],
            "`--raw` prints strings without quotes",
        ),
        (&["get", ".a", "-o", "b.json"], "`> FILE`"),
        (
            &["fmt", "--jsonl", "a.json"],
            "`--input jsonl` reads JSON Lines",
        ),
        (&["validate", "--json"], "`jsonx validate --reporter json`"),
        (
            &["validate", "--ignore", "b", "."],
            "`-g '!GLOB'` skips files",
        ),
        (&["get", "-s", "."], "`jsonx jq -s .` makes one array"),
        (&["get", "--slurp", "."], "`jsonx jq -s .` makes one array"),
        (&["fmt", "-s", "a.jsonl"], "`jsonx jq -s .` makes one array"),
        (
            &["fmt", "--slurp", "a.jsonl"],
            "`jsonx jq -s .` makes one array",
        ),
        (&["fmt", "--fix", "a.json"], "`jsonx fix` repairs files"),
        (&["*.json"], "`jsonx validate *.json`"),
        (&["get", "-"], "`jsonx get PATH -`"),
        (&["get", "{\"a\": 1}"], "`echo '…' | jsonx get PATH`"),
        // A condition, or a path of another program.
        (
            &["get", ".level == \"error\""],
            "`jsonx jq '.level == \"error\"'`",
        ),
        (
            &["get", ".a[?(@.type==\"x\")]"],
            "did you mean $.a[?(@.type==\"x\")]?",
        ),
        (
            &["get", ".a[?(length(@.b) > 1)]"],
            "did you mean $.a[?(length(@.b) > 1)]?",
        ),
        (&["get", "json.a[0].b"], "did you mean .a[0].b?"),
        (&["get", "this.a"], "did you mean .a?"),
        (
            &["get", "$.a[0].length()"],
            "did you mean jsonx jq '.a[0] | length'?",
        ),
        (&["get", ".a | .b[0]"], "did you mean .a.b[0]?"),
        (&["get", "keys"], "did you mean .keys, or `jsonx jq keys`?"),
        (&["get", "name"], "did you mean .name?"),
        // A program in place of the path of an edit.
        (
            &["del", ".a[]|select(.b)", "a.json"],
            "`jsonx jq -w 'del(.a[]|select(.b))' FILE`",
        ),
        (
            &["set", ".a[]|select(.b)|.c", "x", "a.json"],
            "`jsonx jq -w '(.a[]|select(.b)|.c) = \"x\"' FILE`",
        ),
        (
            &["append", "first(.a[])", "1"],
            "`jsonx jq -w '(first(.a[])) += [1]' FILE`",
        ),
        (&["set", ".a |= 1", "1"], "`jsonx jq -w '.a |= 1' FILE`"),
        (
            &["append", ".args", "--port", "a.json", "-w"],
            "`jsonx append .args -w -- --port a.json`",
        ),
        (&["set", ".a", "--b=c"], "`jsonx set .a -- --b=c`"),
        (
            &["config", "init"],
            "there is no such file or command; settings are members of `jsonx.json`",
        ),
    ] {
        let ran = piped(typed, "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{typed:?}");
        assert!(ran.err.contains(answer), "{typed:?}: {}", ran.err);
    }
    let version = run(&mut jsonx(&["version"]));
    assert_eq!(version, run(&mut jsonx(&["--version"])));
    assert_eq!(
        run(&mut jsonx(&["help", "get"])),
        run(&mut jsonx(&["get", "--help"]))
    );
}

#[test]
#[cfg(feature = "jq")]
fn a_jq_program_gets_a_hint_at_the_jq_command() {
    let folder = Folder::with(&[("my data.json", br#"{"a": [{"b": 1, "key": 2}], "n": 7}"#)]);
    let mut asked = 0;
    for program in [
        ".a | length",
        ".a|keys",
        ".a // 0",
        ".none//0",
        ".a | map(.b)",
        ".a[] | select(.b == 1)",
        ".a[] | select(.b | tostring | test(\"1\"))",
        ".a[] | [.b, .key] | @tsv",
        ".a[] | \"\\(.b): it's\"",
        ".a[]|{key}",
        "{x: .a}",
        "[.a[].b] | add",
        "first(.a[])",
        ".a |= map(.b)",
        ".n += 1",
        ".n = 5",
        ".n=5",
        ".n+1",
        ".n%2",
        ".n/7",
        ".n * 2",
        ".n - 1",
        "del(.a)",
        ".a, .n",
        ".a[] as $x | $x.b",
        "to_entries | map(.key)",
        "if .n then 1 else 2 end",
        "[.a[] | .b == 1] | any",
        "reduce .a[] as $x (0; . + $x.b)",
        "with_entries(.value |= 1)",
        "..|numbers",
        "..|.b?",
        ".none?//\"x\"",
        "\"\\(.n) x\"",
        "map_values(1)",
        "try .n",
        ".a[0][\"b\" + \"\"]",
        "@json",
        "$ENV|type",
        ".a|first|.b",
    ] {
        let ran = folder.run(&["get", program, "my data.json"]);
        assert_eq!(ran.out, "", "{program}");
        let (_, command) = ran.err.rsplit_once("`jsonx ").expect(&ran.err);
        let (command, _) = command.split_once('`').expect(command);
        // The shell runs the suggested program.
        let shell = |command: &str| {
            let mut shell = std::process::Command::new("sh");
            let shell = shell.args([
                "-c",
                &format!("\"$0\" {command}"),
                env!("CARGO_BIN_EXE_jsonx"),
            ]);
            let output = shell.current_dir(folder.path("")).output().expect("sh");
            (output.status.code(), output.stdout)
        };
        let direct = folder.run(&["jq", program, "my data.json"]);
        let expected = (Some(direct.code), direct.out.into_bytes());
        assert_eq!(shell(command), expected, "{program}: {command}");
        asked += 1;
    }
    assert_eq!(asked, 40);
    let ran = folder.run(&["get", "$.a|length", "my data.json"]);
    assert!(
        ran.err.contains("`jsonx jq '.a|length' 'my data.json'`"),
        "{}",
        ran.err
    );
    // A key may have such characters, and a text that is not a program was not meant as one.
    for path in [".a-b", ".a@b", ".n/x", "$.n-x", "/n+1", "#/n"] {
        let ran = folder.run(&["get", path, "my data.json"]);
        assert!(!ran.err.contains("jsonx jq"), "{path}: {}", ran.err);
    }
}

#[test]
fn the_advice_for_a_file_is_of_that_file() {
    let schema =
        br#"{"properties": {"a": {"required": true}, "b": {"required": false}}, "required": "a"}"#;
    let folder = Folder::with(&[
        ("k.yaml", b"a: 1\nb: 2\n"),
        ("k 2.yml", b"a: 1\nb: 2\n"),
        ("k.json", b"a: 1\nb: 2\n"),
        ("r.json5", b"{a: 1}"),
        ("r.jsonc", b"{\"a\": 1} // c"),
        ("n.json", b"[nan, -Infinity, NaN]"),
        ("m.json", b"[NaN, Infinity]"),
        ("s.json", schema),
    ]);
    let is_said = |args: &[&str], part: &str| {
        let ran = folder.run(args);
        assert!(ran.code > 0, "{args:?}");
        (ran.out + &ran.err).matches(part).count()
    };
    for (name, renames) in [("k.yaml", 0), ("k 2.yml", 0), ("k.json", 1)] {
        assert_eq!(is_said(&["validate", name], "convert it"), 1, "{name}");
        assert_eq!(is_said(&["validate", name], "rename it"), renames, "{name}");
    }
    for name in ["r.json5", "r.jsonc"] {
        let made = folder.run(&["fmt", "--to", "json", name]);
        assert_eq!(made.out, "{\n  \"a\": 1\n}\n");
    }
    // Once, at the number of JSON5; not everywhere.
    assert_eq!(is_said(&["validate", "n.json"], "`--input json5`"), 1);
    assert_eq!(
        is_said(
            &["validate", "--input", "json5", "n.json"],
            "`--input json5`"
        ),
        0
    );
    assert_eq!(
        folder.run(&["validate", "--input", "json5", "m.json"]).code,
        0
    );
    assert_eq!(folder.run(&["fix", "--all", "m.json"]).out, "[null, null]");
    let checked = ["validate", "--schema", "s.json", "m.json"];
    assert_eq!(is_said(&checked, "`\"required\": [\"a\"]`"), 1);
    assert_eq!(is_said(&checked, "are optional: remove this"), 1);
    assert_eq!(is_said(&checked, "put it in an array"), 1);
}

#[test]
fn names_that_are_not_files_get_a_hint() {
    let folder = Folder::with(&[]);
    for (typed, answer) in [
        ("{\"a\": 1}", "`echo '…' | jsonx …`"),
        (
            "https://example.com/a.json",
            "`curl -sS https://example.com/a.json | jsonx …`",
        ),
        ("*.json", "`--glob '*.json' .`"),
    ] {
        let ran = folder.run(&["validate", typed]);
        assert_eq!(ran.code, 4);
        assert!(ran.err.contains(answer), "{typed}: {}", ran.err);
    }
}

#[test]
fn short_help_is_short_and_examples_are_never_wrapped() {
    for command in [
        "validate",
        "fmt",
        "get",
        "locate",
        "fix",
        "set",
        "append",
        "del",
        "patch",
        "diff",
        "explain",
        "completions",
        "jq",
        "lsp",
        "config",
    ] {
        let help = run(&mut jsonx(&[command, "-h"])).out;
        assert!(help.lines().count() <= 40, "{command}: {help}");
        let long = run(jsonx(&[command, "--help"]).env("COLUMNS", "40")).out;
        let narrow = run(jsonx(&[command, "-h"]).env("COLUMNS", "40")).out;
        let (_, examples) = long.split_once("Examples:\n").unwrap_or_default();
        for line in narrow
            .split_once("Examples:\n")
            .unwrap_or_default()
            .1
            .lines()
        {
            assert!(
                examples.lines().any(|other| other == line),
                "{command}: {line}"
            );
        }
        assert!(!long.contains('\u{a0}'));
    }
}

#[test]
fn a_path_is_printed_in_the_notation_of_the_query() {
    let folder = Folder::with(&[("a.json", b"{\"a\": [{\"b c\": 1}]}")]);
    for (path, expected) in [
        ("..['b c']", ".a[0][\"b c\"]\t1\n"),
        ("$..['b c']", "$['a'][0]['b c']\t1\n"),
        ("/a/0/b c", "/a/0/b c\t1\n"),
    ] {
        let ran = folder.run(&["get", "--with-path", path, "a.json"]);
        assert_eq!(ran.out, expected, "{}", ran.err);
    }
    let located = folder.run(&["locate", "a.json:1:16"]);
    assert_eq!(located.out, ".a[0][\"b c\"]\n");
}

#[test]
fn directories_of_others_are_skipped_unless_named() {
    let folder = Folder::with(&[
        ("a.json", b"1"),
        (".jsonxignore", b"gen/\n*.lock.json\n"),
        ("b.lock.json", b"1"),
    ]);
    for name in ["node_modules/x", "target", "vendor", "gen", "src"] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
        std::fs::write(folder.path(name).join("c.json"), "1").unwrap();
    }
    let listed = |args: &[&str]| {
        let ran = folder.run(&[&["validate", "-v"], args].concat());
        ran.err
            .lines()
            .filter(|line| !line.contains("excluded"))
            .map(|line| line.replace(": valid", ""))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(listed(&["."]), "a.json src/c.json");
    assert_eq!(
        listed(&["vendor", "target/"]),
        "vendor/c.json target/c.json"
    );
    assert_eq!(listed(&["-g", "!src", "."]), "a.json");
    assert_eq!(
        listed(&["-g!*/c.json", "-g!a.*", "--allow-no-files", "."]),
        ""
    );
    assert_eq!(
        listed(&["--no-ignore", "."]),
        "a.json b.lock.json gen/c.json node_modules/x/c.json src/c.json target/c.json vendor/c.json"
    );
}

#[test]
fn hidden_files_are_found_and_excluded_ones_are_listed_with_the_reason() {
    let folder = Folder::with(&[
        ("a.json", b"1"),
        (".b.json", b"1"),
        (".gitignore", b"# generated\ngen/\n/*.lock.json\n"),
        ("c.lock.json", b"1"),
        ("c.lock.txt", b"1"),
        ("jsonx.json", b"{\n  \"ignore\": [\"d.json\"]\n}\n"),
        ("d.json", b"1"),
    ]);
    for name in [
        ".git",
        ".hg",
        ".svn/x",
        ".jj",
        ".vscode",
        "gen",
        "node_modules",
    ] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
        std::fs::write(folder.path(name).join("c.json"), "1").unwrap();
    }
    let said = |args: &[&str]| {
        let ran = folder.run(&[&["validate", "-v"], args].concat());
        assert_eq!((ran.code, &*ran.out), (0, ""), "{}", ran.err);
        let lines = ran.err.lines();
        let lines = lines.filter(|line| !line.contains("settings from"));
        // The directory walk runs ahead of the reports.
        let lines: BTreeSet<_> = lines.map(|line| format!("{line}\n")).collect();
        lines.into_iter().collect::<String>()
    };
    assert_eq!(
        said(&["."]),
        "\
.b.json: valid
.vscode/c.json: valid (JSONC)
a.json: valid
jsonx.json: valid (JSONC)
jsonx: .git: excluded as version control
jsonx: .hg: excluded as version control
jsonx: .jj: excluded as version control
jsonx: .svn: excluded as version control
jsonx: c.lock.json: excluded by `/*.lock.json` in .gitignore; --no-ignore includes it
jsonx: d.json: excluded by jsonx.json:2; --no-ignore includes it
jsonx: gen: excluded by `gen/` in .gitignore; --no-ignore includes it
jsonx: node_modules: excluded by default; --no-ignore includes it
"
    );
    let shown = said(&["--no-hidden", "."]);
    for line in [
        "jsonx: .b.json: excluded by --no-hidden\n",
        "jsonx: .vscode: excluded by --no-hidden\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains(".b.json: valid"), "{shown}");
    assert_eq!(said(&["--no-hidden", "--hidden", "."]), said(&["."]));
    // Without --verbose, nothing is reported; named files are read.
    let ran = folder.run(&["validate", "."]);
    assert!(!ran.err.contains("excluded"), "{}", ran.err);
    assert!(said(&[".git"]).starts_with(".git/c.json: valid"));
    assert!(!said(&["--no-ignore", "."]).contains(".git/c.json"));
}

#[test]
fn editors_name_the_file_whose_text_they_pipe() {
    let ran = piped(&["fmt", "--stdin-filename", "a/b.json"], "{\"a\":1}");
    assert_eq!((ran.out.as_str(), ran.code), ("{\n  \"a\": 1\n}\n", 0));
    let ran = piped(
        &["fmt", "--stdin-filename", "b.jsonl"],
        "{\"a\": 1}\n{\"a\": 2}\n",
    );
    assert_eq!((ran.out.as_str(), ran.code), ("{\"a\":1}\n{\"a\":2}\n", 0));
    // An editor would replace its text with a part of it.
    for text in ["{\"a\": 1}\n{\"a\": \n", "[1, 2"] {
        let ran = piped(&["fmt", "--stdin-filename", "b.jsonl"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3));
        assert!(ran.err.contains("--> b.jsonl:"), "{}", ran.err);
    }
}

#[test]
fn empty_standard_input_is_not_json() {
    for text in ["", " \n\n"] {
        let ran = piped(&["fmt"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{}", ran.err);
        assert!(ran.err.starts_with("error[empty-input]"), "{}", ran.err);
    }
    assert_eq!(piped(&["fmt", "--input=stream"], "").code, 0);
}
