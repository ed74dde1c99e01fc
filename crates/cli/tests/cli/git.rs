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
    let ran = folder.run(&["fmt", "-w", "--staged"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err
            .starts_with("jsonx: both.json: left alone: it has changes that are not staged"),
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
    let changed = "x/a.json:1:6 \u{2192} x/a.json:1:6  .a  1 \u{2192} 2\n";
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
    let (text, code) = diff("old", "broken");
    assert!(text.contains("--> x/a.json:1:2") && code == 0, "{text}");
    let ran = folder.run(&["diff", "old", "new", "broken"]);
    assert_eq!(ran.code, 2);
}
