use super::*;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

/// A directory with these files, each containing its own name.
fn tree(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    folder
}

/// The selected files, relative to `folder`; for a problem, the name and the error of the system.
fn selected(folder: &Path, selection: &Selection) -> Vec<String> {
    let prefix = format!("{}/", folder.display());
    let show = |found: Result<PathBuf, Problem>| match found {
        Ok(path) => path.display().to_string().replace(&prefix, ""),
        Err(Problem::NoFiles) => "nothing".to_owned(),
        Err(Problem::LeftOut { name, .. }) => format!("{name} is left out"),
        Err(Problem::Unreadable { name, error }) => {
            format!("{name}: {:?}", error.kind()).replace(&prefix, "")
        }
    };
    selection.files().unwrap().map(show).collect()
}

fn of(folder: &Path) -> Selection {
    Selection {
        paths: vec![folder.to_owned()],
        ..Selection::default()
    }
}

#[test]
fn a_directory_is_walked_in_the_order_of_its_names() {
    let folder = tree(&[
        "b.json",
        "a/z.JSON",
        "a/b/c.ndjson",
        "a.json",
        "notes.txt",
        "json",
        ".hidden.json",
        ".hidden/in.json",
        "c/tsconfig.jsonc",
    ]);
    let mut selection = of(folder.path());
    assert_eq!(
        selected(folder.path(), &selection),
        [
            ".hidden/in.json",
            ".hidden.json",
            "a/b/c.ndjson",
            "a/z.JSON",
            "a.json",
            "b.json",
            "c/tsconfig.jsonc"
        ]
    );
    selection.walk.no_hidden = true;
    assert_eq!(
        selected(folder.path(), &selection)[..2],
        ["a/b/c.ndjson", "a/z.JSON"]
    );
    selection.walk.no_hidden = false;
    for ext in ["txt", ".txt"] {
        selection.walk.ext = vec![ext.to_owned()];
        assert_eq!(selected(folder.path(), &selection), ["notes.txt"]);
    }
}

#[test]
fn a_gitignore_applies_except_to_named_files() {
    let folder = tree(&["a.json", "out/b.json", "deep/out/c.json", "deep/d.json"]);
    fs::write(folder.path().join(".gitignore"), "out/\n").unwrap();
    let mut selection = of(folder.path());
    assert_eq!(
        selected(folder.path(), &selection),
        ["a.json", "deep/d.json"]
    );
    selection.walk.no_ignore = true;
    assert_eq!(selected(folder.path(), &selection).len(), 4);
    selection.walk.no_ignore = false;
    // A named directory is walked; files that it shares with others are listed once.
    selection.paths = [".gitignore", "out", "out/b.json", "out"]
        .map(|name| folder.path().join(name))
        .to_vec();
    assert_eq!(
        selected(folder.path(), &selection),
        [".gitignore", "out/b.json"]
    );
}

#[test]
fn globs_take_and_leave_out() {
    let folder = tree(&["a.json", "b.conf", "test/c.json", "test/d.conf"]);
    for (globs, expected) in [
        (&["*.conf"][..], &["b.conf", "test/d.conf"][..]),
        (&["!test"], &["a.json"]),
        (&["*.conf", "!d.*"], &["b.conf"]),
        (&["nothing*"], &["nothing"]),
    ] {
        let mut selection = of(folder.path());
        selection.walk.glob = globs.iter().map(|&glob| glob.to_owned()).collect();
        assert_eq!(selected(folder.path(), &selection), expected, "{globs:?}");
    }
    let mut selection = of(folder.path());
    selection.walk.glob = vec!["{a".to_owned()];
    let message = format!("{:#}", selection.files().err().unwrap());
    assert!(message.starts_with("bad glob {a: "), "{message}");
}

#[test]
fn nothing_is_a_problem_unless_that_is_fine() {
    let folder = tree(&["a.txt"]);
    let mut selection = of(folder.path());
    assert_eq!(selected(folder.path(), &selection), ["nothing"]);
    selection.walk.allow_no_files = true;
    assert!(selected(folder.path(), &selection).is_empty());
    // A missing file is its own error, not an empty selection.
    selection.walk.allow_no_files = false;
    selection.paths = vec![folder.path().join("missing.json")];
    assert_eq!(selected(folder.path(), &selection), ["missing.json"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_on_request_but_not_into_loops() {
    let folder = tree(&["a/b.json", "real.txt"]);
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    };
    link("..", "a/up");
    link("../real.txt", "a/link.json");
    link("gone.txt", "a/dangling.json");
    let mut selection = of(folder.path());
    assert_eq!(selected(folder.path(), &selection), ["a/b.json"]);
    selection.walk.follow = true;
    assert_eq!(
        selected(folder.path(), &selection),
        ["a/b.json", "a/dangling.json: NotFound", "a/link.json"]
    );
    // A link to a selected file is the same file.
    link("b.json", "a/c.json");
    link("a/b.json", "b.json");
    fs::hard_link(
        folder.path().join("a/b.json"),
        folder.path().join("a/hard.json"),
    )
    .unwrap();
    assert_eq!(
        selected(folder.path(), &selection),
        [
            "a/b.json",
            "a/dangling.json: NotFound",
            "a/hard.json",
            "a/link.json"
        ]
    );
    selection.walk.follow = false;
    selection.paths = ["a/c.json", "a/b.json", "a/hard.json"]
        .map(|name| folder.path().join(name))
        .to_vec();
    assert_eq!(
        selected(folder.path(), &selection),
        ["a/c.json", "a/hard.json"]
    );
}

/// Compares our decisions with those of the `ignore` crate on files that both read.
mod agreement {
    use super::*;

    const DIRECTORIES: [&str; 6] = ["", "d", "d/e", "d/.h", ".h", "d/e/d"];
    const FILES: [&str; 4] = ["a.json", "b.json", ".h.json", "ab.json"];
    const IGNORE_FILES: [&str; 4] = [
        ".ignore",
        ".gitignore",
        ".git/info/exclude",
        "../.gitignore",
    ];
    const LINES: [&str; 16] = [
        "*.json",
        "!a.json",
        "a.json",
        "/b.json",
        "d/",
        "!d/e",
        "e",
        "/d/*",
        "**/e/*.json",
        "!.h",
        "!.h.json",
        "d/e/d/**",
        "# a.json",
        "!*b.json\r",
        "d/e",
        "inner/d/e/a.json",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn with_the_crate_that_reads_ignore_files_itself(
            rules in prop::collection::vec(
                (0..DIRECTORIES.len(), 0..IGNORE_FILES.len(), prop::collection::vec(0..LINES.len(), 1..4)),
                0..5,
            ),
            no_hidden: bool,
            start in prop::sample::select(vec!["", "d"]),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("inner");
            for directory in DIRECTORIES {
                fs::create_dir_all(root.join(directory).join(".git/info")).unwrap();
                for file in FILES {
                    fs::write(root.join(directory).join(file), "1").unwrap();
                }
            }
            for (directory, name, lines) in rules {
                let lines: Vec<&str> = lines.into_iter().map(|line| LINES[line]).collect();
                fs::write(root.join(DIRECTORIES[directory]).join(IGNORE_FILES[name]), lines.join("\n")).unwrap();
            }
            let start = root.join(start);
            let walk = WalkOptions { no_hidden, allow_no_files: true, ..WalkOptions::default() };
            let selection = Selection { walk, ..of(&start) };
            let expected: Vec<String> = ignore::WalkBuilder::new(&start)
                .hidden(no_hidden)
                .require_git(false)
                .sort_by_file_name(std::ffi::OsStr::cmp)
                .build()
                .map(|entry| entry.unwrap())
                .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
                .map(|entry| entry.path().display().to_string())
                .filter(|path| path.ends_with(".json"))
                .collect();
            let found: Vec<String> = selection
                .files()
                .unwrap()
                .map(|found| found.unwrap().display().to_string())
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
