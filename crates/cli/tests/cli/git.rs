//! With git: `--staged`, and the arguments of its external differences.

use std::fs;
use std::process::Command;

use crate::{Folder, Ran};

/// Runs git in a folder; `None` if there is no git.
fn git(folder: &Folder, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "core.autocrlf=false",
    ]);
    command.args(args).current_dir(folder.path(""));
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    let output = command.output().ok()?;
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

fn told(ran: &Ran) -> (String, i32) {
    (format!("{}{}", ran.out, ran.err), ran.code)
}

#[test]
fn what_the_index_holds_is_checked_and_formatted() {
    let folder = Folder::with(&[
        ("committed.json", b"["),
        ("a.json", b"[ ]"),
        ("both.json", b"[ ]"),
        ("broken.json", b"["),
        ("d/\u{e9} b.jsonc", b"[ ]"),
        ("other.txt", b"["),
    ]);
    if git(&folder, &["init", "-q"]).is_none() {
        return;
    }
    let ran = folder.run(&["validate", "--staged"]);
    assert_eq!(told(&ran), (String::new(), 0));
    git(&folder, &["add", "committed.json"]);
    git(&folder, &["commit", "-qm", "x"]);
    git(&folder, &["add", "."]);
    fs::write(folder.path("both.json"), "[1 ]").unwrap();
    fs::write(folder.path("broken.json"), "[]").unwrap();

    let ran = folder.run(&["validate", "--staged", "--reporter=concise"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("broken.json:1:2: "), "{}", ran.out);
    assert_eq!(ran.out.matches(".json").count(), 1, "{}", ran.out);
    git(&folder, &["add", "broken.json"]);
    let ran = folder.run(&["fmt", "--check", "--staged"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out.lines().count(), 4, "{}", ran.out);
    assert!(
        ran.err.ends_with("; run jsonx fmt -w --staged\n"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["fmt", "-w", "--staged"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err
            .starts_with("jsonx: both.json: left alone: it has unstaged changes"),
        "{}",
        ran.err
    );
    assert_eq!(git(&folder, &["show", ":a.json"]).unwrap(), "[]\n");
    assert_eq!(fs::read(folder.path("a.json")).unwrap(), b"[]\n");
    // Nothing of the other is changed.
    assert_eq!(git(&folder, &["show", ":both.json"]).unwrap(), "[ ]");
    assert_eq!(fs::read(folder.path("both.json")).unwrap(), b"[1 ]");
    assert_eq!(
        git(&folder, &["diff", "--name-only"]).unwrap(),
        "both.json\n"
    );
    let ran = folder.run(&["fmt", "--check", "--staged"]);
    assert_eq!((&*ran.out, ran.code), ("both.json\n", 1));
    let ran = folder.run(&["fmt", "--staged"]);
    assert_eq!(ran.code, 2);
}

/// `git commit FILE` commits from an index of its own, and then takes another one, in which the file must be formatted as well.
#[cfg(unix)]
#[test]
fn a_commit_of_one_file_leaves_nothing_to_commit() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with(&[("a.json", b"1"), ("d/b.json", b"1")]);
    if git(&folder, &["init", "-q"]).is_none() {
        return;
    }
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "x"]);
    let program = env!("CARGO_BIN_EXE_jsonx");
    let hook = folder.path(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\n'{program}' fmt -w --staged\n")).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    for (text, args) in [
        ("[1 ]", &["d/b.json"][..]),
        ("[2 ]", &["-a"]),
        ("[3 ]", &[]),
    ] {
        fs::write(folder.path("a.json"), text).unwrap();
        fs::write(folder.path("d/b.json"), text).unwrap();
        if args.is_empty() {
            git(&folder, &["add", "."]);
        }
        git(&folder, &[&["commit", "-qm", "y"], args].concat());
        let formatted = format!("[\n  {}\n]\n", &text[1..2]);
        let committed = git(&folder, &["show", "HEAD:d/b.json"]).unwrap();
        assert_eq!((&*committed, args), (&*formatted, args));
        assert_eq!(
            git(&folder, &["diff", "--cached", "--name-only"]).unwrap(),
            ""
        );
        let is_other = args == ["d/b.json"];
        let other = if is_other { "a.json\n" } else { "" };
        assert_eq!(git(&folder, &["diff", "--name-only"]).unwrap(), other);
    }
}

#[test]
fn without_a_repository_nothing_is_staged() {
    let folder = Folder::with(&[("a.json", b"[ ]")]);
    let mut command = crate::jsonx(&["validate", "--staged"]);
    command
        .current_dir(folder.path(""))
        .env("GIT_CEILING_DIRECTORIES", folder.path(".."))
        .env("GIT_DIR", folder.path("none"));
    let ran = crate::run(&mut command);
    assert_eq!(ran.code, 4);
    assert!(ran.err.starts_with("jsonx: --staged: git"), "{}", ran.err);
}

/// Any other exit code ends git.
#[test]
fn git_gives_diff_seven_arguments() {
    let folder = Folder::with(&[
        ("old", b"{\"a\":1}"),
        ("new", b"{\"a\":2}"),
        ("broken", b"{"),
    ]);
    let diff = |old: &str, new: &str| {
        told(&folder.run(&[
            "diff", "x/a.json", old, "0000000", "100644", new, "0000000", "100644",
        ]))
    };
    let changed = "--- x/a.json\n+++ x/a.json\n1:6 \u{2192} 1:6  .a  1 \u{2192} 2\n";
    assert_eq!(diff("old", "new"), (changed.to_owned(), 0));
    assert_eq!(diff("old", "old"), (String::new(), 0));
    assert_eq!(
        diff("/dev/null", "new"),
        ("x/a.json: added\n".to_owned(), 0)
    );
    assert_eq!(
        diff("old", "/dev/null"),
        ("x/a.json: deleted\n".to_owned(), 0)
    );
    let moved = |new_mode: &str, more: &[&str]| {
        let args = [
            "diff", "x/a.json", "old", "0000000", "100644", "new", "0000000",
        ];
        told(&folder.run(&[&args[..], &[new_mode], more].concat()))
    };
    assert_eq!(
        moved("100755", &[]),
        (
            format!("x/a.json: mode 100644 \u{2192} 100755\n{changed}"),
            0
        )
    );
    let changed = "--- x/a.json\n+++ b.json\n1:6 \u{2192} 1:6  .a  1 \u{2192} 2\n";
    for (header, what) in [
        ("rename from x/a.json", "renamed"),
        ("copy from x/a.json", "copied"),
    ] {
        let header = format!("similarity index 90%\n{header}\n");
        assert_eq!(
            moved("100644", &["b.json", &header]),
            (format!("x/a.json \u{2192} b.json: {what}\n{changed}"), 0)
        );
    }
    let (text, code) = diff("old", "broken");
    assert!(text.contains("--> x/a.json:1:2") && code == 0, "{text}");
    let ran = folder.run(&["diff", "old", "new", "broken"]);
    assert_eq!(ran.code, 2);
}

/// Sets what the guide sets, for this program.
fn configure(folder: &Folder, key: &str) {
    let guide = include_str!("../../../../docs/git.md");
    let start = format!("git config {key} '");
    let line = guide.lines().find_map(|line| line.strip_prefix(&start));
    let command = line.unwrap().strip_suffix('\'').unwrap();
    let program = format!("'{}' ", env!("CARGO_BIN_EXE_jsonx"));
    git(
        folder,
        &["config", key, &command.replace("jsonx ", &program)],
    )
    .unwrap();
}

#[test]
fn git_shows_differences_of_a_file_whose_name_begins_with_a_minus_sign() {
    let folder = Folder::with(&[
        (".gitattributes", b"*.json diff=json\n"),
        ("-n.json", b"{\"a\": 1}"),
    ]);
    if git(&folder, &["init", "-q"]).is_none() {
        return;
    }
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "x"]);
    fs::write(folder.path("-n.json"), "{\"a\": 2}").unwrap();
    configure(&folder, "diff.json.command");
    let told = git(&folder, &["diff"]).unwrap();
    assert!(told.contains(".a: 1 -> 2") || told.contains("a"), "{told}");
    configure(&folder, "diff.json.textconv");
    let told = git(&folder, &["diff", "--no-ext-diff"]).unwrap();
    assert!(told.contains("+  \"a\": 2"), "{told}");
}

/// Clean merges by value, and what is left at a conflict, for the driver of the guide.
#[test]
fn git_merges_by_value() {
    let base: &[u8] = b"{\n  \"v\": 1, // one\n  \"l\": [1, 2],\n}\n";
    let folder = Folder::with(&[
        (
            ".gitattributes",
            b"*.jsonc merge=json\n*.json5 merge=json\n",
        ),
        ("a.jsonc", base),
        ("b.json5", b"{a: 'x', l: [1,],}"),
    ]);
    if git(&folder, &["init", "-q", "-b", "main"]).is_none() {
        return;
    }
    configure(&folder, "merge.json.driver");
    let commit = |files: &[(&str, &str)]| {
        for (name, text) in files {
            fs::write(folder.path(name), text).unwrap();
        }
        git(&folder, &["add", "."]);
        git(&folder, &["commit", "-qm", "x"]);
    };
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    commit(&[]);
    git(&folder, &["checkout", "-qb", "side"]);
    commit(&[
        ("a.jsonc", r#"{"v": 1, "l": [1, 2, 3], "n": true}"#),
        ("b.json5", "{a: 'x', l: [1, 'y']}"),
        ("-n.jsonc", r#"{"b": 2}"#),
    ]);
    git(&folder, &["checkout", "-q", "main"]);
    commit(&[
        ("a.jsonc", "{\n  \"v\": 2, // two\n  \"l\": [0, 1, 2],\n}\n"),
        ("b.json5", "{a: 'z', l: [1,],}"),
        ("-n.jsonc", r#"{"a": 1}"#),
    ]);
    git(&folder, &["merge", "-q", "side", "-m", "x"]);
    let merged = "{\n  \"v\": 2, // two\n  \"l\": [0, 1, 2, 3],\n  \"n\": true,\n}\n";
    assert_eq!(read("a.jsonc"), merged);
    assert_eq!(read("b.json5"), "{a: 'z', l: [1, 'y',],}");
    assert_eq!(read("-n.jsonc"), r#"{"a": 1, "b": 2}"#);

    git(&folder, &["checkout", "-qb", "other"]);
    commit(&[("a.jsonc", r#"{"v": 3, "l": [0, 1, 2, 3], "n": false}"#)]);
    git(&folder, &["checkout", "-q", "main"]);
    commit(&[("a.jsonc", &merged.replace("2, //", "4, //"))]);
    let mut command = Command::new("git");
    command
        .args(["merge", "other"])
        .current_dir(folder.path(""));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("jsonx: a.jsonc: conflict: .v: 4 at 2:8 in ours, 3 at 1:7 in theirs"),
        "{told}"
    );
    let left = merged.replace("2, //", "4, //").replace("true", "false");
    assert_eq!(read("a.jsonc"), left);
    assert!(
        git(&folder, &["status", "--short"])
            .unwrap()
            .contains("UU a.jsonc")
    );
}

/// If ours is the base, the result is theirs, with its comments, layout and byte-order mark; otherwise ours keeps its own.
#[test]
fn what_only_theirs_changes_is_taken_as_it_is() {
    for (name, base, theirs) in [
        (
            "a.json",
            "{\"a\": [1, 2]}\n",
            "{ \"a\":[1,\n3 ], \"n\" : 1.0 }",
        ),
        ("a.json", "{\"a\": 1}\n", "{ \"a\":1 }"),
        ("a.jsonc", "{\"a\": 1} // x", "\u{feff}// y\n{\"a\": 2,}\n"),
        ("a.json5", "{a: 1}", "{'a': 0x1, /* y */ b: +2}"),
    ] {
        let (ours, other) = (format!("ours-{name}"), format!("theirs-{name}"));
        let folder = Folder::with(&[
            (name, base.as_bytes()),
            (&ours, base.as_bytes()),
            (&other, theirs.as_bytes()),
        ]);
        let ran = folder.run(&["merge", name, &ours, &other]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, theirs),
            "{name} {}",
            ran.err
        );
        let ran = folder.run(&["merge", name, &other, &ours]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, theirs),
            "{name} {}",
            ran.err
        );
        let ran = folder.run(&["merge", name, &ours, &other, "--write"]);
        let written = fs::read_to_string(folder.path(&ours)).unwrap();
        assert_eq!(
            (ran.code, written.as_str()),
            (0, theirs),
            "{name} {}",
            ran.err
        );
    }
}

/// Values that a later value with the same key replaces are in no difference by value.
#[test]
fn changes_of_values_that_do_not_count_are_conflicts() {
    let dup = r#"{"x":{"a":1,"a":2}}"#;
    for (base, ours, theirs, merged, lost) in [
        (
            dup,
            r#"{"x":{"a":1,"a":2},"b":0}"#,
            r#"{"x":{"a":5,"a":2}}"#,
            r#"{"x":{"a":1,"a":2},"b":0}"#,
            "1",
        ),
        (
            r#"{"a":1}"#,
            r#"{"a":1,"b":0}"#,
            r#"{"a":5,"a":1}"#,
            r#"{"a":1,"b":0}"#,
            "5",
        ),
        (
            dup,
            r#"{"x":{"a":5,"a":2}}"#,
            r#"{"x":null}"#,
            r#"{"x":null}"#,
            "5",
        ),
        // Nothing is lost.
        (
            dup,
            r#"{"x":{"a":5,"a":2}}"#,
            r#"{"x":{"a":1,"a":3}}"#,
            r#"{"x":{"a":5,"a":3}}"#,
            "",
        ),
        (
            dup,
            r#"{"x":{"a":1,"a":2},"b":0}"#,
            r#"{"x":null}"#,
            r#"{"x":null,"b":0}"#,
            "",
        ),
        (
            dup,
            r#"{"x":{"a":5,"a":2}}"#,
            r#"{"x":{"a":5,"a":2},"b":0}"#,
            r#"{"x":{"a":5,"a":2},"b":0}"#,
            "",
        ),
    ] {
        let folder = Folder::with(&[
            ("b", base.as_bytes()),
            ("o", ours.as_bytes()),
            ("t", theirs.as_bytes()),
        ]);
        let ran = folder.run(&["merge", "b", "o", "t"]);
        assert_eq!(ran.out, merged, "{theirs}");
        let path = if base.contains("\"x\"") { ".x.a" } else { ".a" };
        let conflict = format!(
            "conflict: duplicate key {path}: the versions differ in {lost}, which does not count because a later value does\n"
        );
        assert_eq!(ran.code, i32::from(!lost.is_empty()), "{theirs}");
        assert_eq!(
            ran.err.ends_with(&conflict),
            !lost.is_empty(),
            "{}",
            ran.err
        );
    }
}

#[test]
fn an_empty_file_is_an_empty_object_if_nothing_was_in_it() {
    for base in ["", "{}", " { }\n"] {
        let folder = Folder::with(&[("b", base.as_bytes()), ("o", b""), ("t", b"{\"a\":1 }\n")]);
        let ran = folder.run(&["merge", "b", "o", "t", "x.json", "-w"]);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{base:?}");
        assert_eq!(fs::read(folder.path("o")).unwrap(), b"{\"a\":1 }\n");
    }
    // It would remove everything.
    let folder = Folder::with(&[("b", b"{\"a\":1}"), ("o", b""), ("t", b"{}")]);
    assert_eq!(folder.run(&["merge", "b", "o", "t"]).code, 3);
    assert_eq!(folder.run(&["merge", "b", "t", "o"]).code, 3);
}

#[test]
fn what_cannot_be_merged_is_left() {
    let folder = Folder::with(&[
        ("base", b"{}"),
        ("ours", b"[1]"),
        ("broken", b"{"),
        ("lines.jsonl", b"1\n2\n"),
        ("deep", b"[[[[1]]]]"),
    ]);
    let merge = |args: &[&str]| folder.run(&[&["merge"][..], args].concat());
    for (args, code) in [
        (&["base", "ours", "broken"][..], 3),
        (&["base", "ours", "base", "x.json", "-w"], 0),
        (&["base", "ours", "missing", "-w"], 4),
        (&["base", "missing", "base", "-w"], 4),
        (&["lines.jsonl", "ours", "base", "-w"], 2),
        (&["base", "ours", "deep", "-w", "--max-depth", "3"], 4),
        (&["-", "ours", "-"], 2),
        (&["base", "-", "ours", "-w"], 2),
        (&["base", "ours"], 2),
    ] {
        let ran = merge(args);
        assert_eq!(ran.code, code, "{args:?} {}", ran.err);
        assert!(
            code == 0 || ran.out.is_empty() && !ran.err.is_empty(),
            "{args:?}"
        );
        assert_eq!(fs::read(folder.path("ours")).unwrap(), b"[1]");
    }
    let ran = merge(&["base", "ours", "broken", "x.json"]);
    assert!(
        ran.err
            .ends_with("jsonx: x.json: not merged: THEIRS is broken\n"),
        "{}",
        ran.err
    );
    let ran = merge(&["base", "ours", "deep"]);
    assert_eq!(ran.out, "[1]");
    assert_eq!(
        ran.err,
        "jsonx: ours: conflict: .: [1] at 1:1 in ours, [[[[1]]]] at 1:1 in theirs\n"
    );
    assert_eq!(ran.code, 1);
}

/// What `fmt` would not change before a merge, it would not change after it: any values, settings and changes.
#[test]
fn a_merge_keeps_a_formatted_file_formatted() {
    let values = [
        "1",
        "[1, 2]",
        r#"{"x": {}, "y": [1, [2]], "z": []}"#,
        r#"["a string of some length", "a second string of some length", "a third one"]"#,
        r#"[{"a": 1}, {"b": [true, null]}]"#,
        r#"{"a/b": {"c": "d"}}"#,
    ];
    for (settings, content, name) in [
        (".prettierrc", "{}", "a.json"),
        (".prettierrc", "tabWidth: 3", "a.jsonc"),
        (".editorconfig", "[*]\nindent_style = tab\n", "a.json"),
        ("jsonx.json", "{\"width\": 60}", "a.json"),
        ("none", "", "a.json"),
    ] {
        for (at, theirs) in values.iter().enumerate() {
            let ours = values[(at + 1) % values.len()];
            let version = |k: &str, list: &str, others: &str| {
                format!("{{\"k\": {k}, \"list\": [1, 2{list}], \"o\": {{\"a\": \"1\"}}{others}}}\n")
            };
            let ours = format!(", \"ours\": {ours}");
            let folder = Folder::with(&[
                (settings, content.as_bytes()),
                (".git/HEAD", b""),
                (name, version("0", "", &ours).as_bytes()),
                ("base", version("0", "", "").as_bytes()),
                ("theirs", version(theirs, ", 3", "").as_bytes()),
                ("merged", version(theirs, ", 3", &ours).as_bytes()),
            ]);
            assert_eq!(folder.run(&["fmt", "-w", name]).code, 0, "{content}");
            let ran = folder.run(&["merge", "base", name, "theirs", name, "-w"]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{content} {theirs}");
            let text = fs::read_to_string(folder.path(name)).unwrap();
            let checked = folder.run(&["fmt", "--check", name]);
            assert_eq!(checked.code, 0, "{settings} {content}\n{text}");
            let compared = folder.run(&["diff", "merged", name]);
            assert_eq!(compared.code, 0, "{}\n{text}", compared.out);
        }
    }
}
