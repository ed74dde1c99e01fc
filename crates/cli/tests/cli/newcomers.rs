//! What users of other programs type, and the answers.

use std::collections::BTreeSet;

use crate::{Folder, jsonx, piped, run};

#[test]
fn names_of_other_programs_are_answered_with_ours() {
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
        (&["get", "-s", "."], "`jsonx fmt --slurp` makes one array"),
        (
            &["get", "--slurp", "."],
            "`jsonx fmt --slurp` makes one array",
        ),
        (&["fmt", "--fix", "a.json"], "`jsonx fix` repairs files"),
        (&["*.json"], "`jsonx validate *.json`"),
        (&["get", "-"], "`jsonx get PATH -`"),
        (&["get", "{\"a\": 1}"], "`echo '…' | jsonx get PATH`"),
        (
            &["get", ".a[0].b = 5"],
            "did you mean `jsonx set '.a[0].b' 5`?",
        ),
        (&["get", "del(.a)"], "did you mean `jsonx del .a`?"),
        (&["get", ".a |= 1"], "use jq for this"),
        (
            &["get", "{x: .a}"],
            "`jsonx get . --columns x=.a,y=.b --json`",
        ),
        (
            &["get", ".a[] | select(.b | length > 0)"],
            "`jsonx get '.a[]' --where 'length(.b) > 0'`",
        ),
        (&["get", "map(.b) | join(\",\")"], "paste -sd,"),
        (&["get", "..|.b?"], "`jsonx get ..b`"),
        (&["get", ".a | to_entries"], "--with-path"),
        (
            &["get", ".a[] | [.b, .c] | @tsv"],
            "`jsonx get '.a[]' --columns .b,.c --tsv`",
        ),
        (
            &["get", ".a[] | select(.b | test(\"x\"))"],
            "'search(.b, \"x\")'",
        ),
        (
            &["get", "map(select(.a > 1))"],
            "`jsonx get '.[]' --where '.a > 1'`",
        ),
        (&["get", ".a, .b"], "`jsonx get -e .a -e .b`"),
        (&["get", ".a | first"], "`jsonx get .a.0`"),
        (&["get", ".a | keys"], "did you mean --keys .a?"),
        (&["get", ".a // 0"], "did you mean --default 0 .a?"),
        (
            &["get", ".a[] // \"it's\""],
            r#"did you mean --default '"it'\''s"' '.a[]'?"#,
        ),
    ] {
        let ran = piped(typed, "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{typed:?}");
        assert!(ran.err.contains(answer), "{typed:?}: {}", ran.err);
    }
    // What would select something else is not suggested.
    for typed in [".a[] as $x | $x", ".a += 1", ".a = .b", ".a == 1", ".a * 2"] {
        let ran = piped(&["get", typed], "");
        assert!(!ran.err.contains("did you mean"), "{typed}: {}", ran.err);
    }
    let version = run(&mut jsonx(&["version"]));
    assert_eq!(version, run(&mut jsonx(&["--version"])));
    assert_eq!(
        run(&mut jsonx(&["help", "get"])),
        run(&mut jsonx(&["get", "--help"]))
    );
}

#[test]
fn what_is_no_file_is_answered_with_what_to_type() {
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
        "convert",
        "fix",
        "set",
        "append",
        "del",
        "edit",
        "patch",
        "diff",
        "explain",
        "completions",
    ] {
        let help = run(&mut jsonx(&[command, "-h"])).out;
        assert!(help.lines().count() <= 45, "{command}: {help}");
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
fn a_path_is_printed_in_the_language_it_was_asked_in() {
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
            .filter(|line| !line.contains("left out"))
            .map(|line| line.replace(": valid", ""))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(listed(&["."]), "a.json src/c.json");
    assert_eq!(
        listed(&["vendor", "target/"]),
        "vendor/c.json target/c.json"
    );
    assert_eq!(listed(&["--exclude", "src", "."]), "a.json");
    assert_eq!(
        listed(&[
            "--exclude",
            "*/c.json",
            "--exclude=a.*",
            "--allow-no-files",
            "."
        ]),
        ""
    );
    assert_eq!(
        listed(&["--no-ignore", "."]),
        "a.json b.lock.json gen/c.json node_modules/x/c.json src/c.json target/c.json vendor/c.json"
    );
}

#[test]
fn hidden_files_are_found_and_what_is_left_out_is_named_with_the_reason() {
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
        // The walk is ahead of the reports.
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
jsonx: .git: left out, as version control
jsonx: .hg: left out, as version control
jsonx: .jj: left out, as version control
jsonx: .svn: left out, as version control
jsonx: c.lock.json: left out by `/*.lock.json` in .gitignore; --no-ignore includes it
jsonx: d.json: left out by jsonx.json:2; --no-ignore includes it
jsonx: gen: left out by `gen/` in .gitignore; --no-ignore includes it
jsonx: node_modules: left out by default; --no-ignore includes it
"
    );
    let shown = said(&["--no-hidden", "."]);
    for line in [
        "jsonx: .b.json: left out by --no-hidden\n",
        "jsonx: .vscode: left out by --no-hidden\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains(".b.json: valid"), "{shown}");
    assert_eq!(said(&["--no-hidden", "--hidden", "."]), said(&["."]));
    // Without --verbose, nothing is said; what is named is read.
    let ran = folder.run(&["validate", "."]);
    assert!(!ran.err.contains("left out"), "{}", ran.err);
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
    // An editor would replace its text with part of it.
    for text in ["{\"a\": 1}\n{\"a\": \n", "[1, 2"] {
        let ran = piped(&["fmt", "--stdin-filename", "b.jsonl"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3));
        assert!(ran.err.contains("--> b.jsonl:"), "{}", ran.err);
    }
}

#[test]
fn empty_standard_input_is_no_json() {
    for text in ["", " \n\n"] {
        let ran = piped(&["fmt"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{}", ran.err);
        assert!(ran.err.starts_with("error[empty-input]"), "{}", ran.err);
    }
    assert_eq!(piped(&["fmt", "--input=stream"], "").code, 0);
}
