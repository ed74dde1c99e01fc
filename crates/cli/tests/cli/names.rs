//! A file has one name, the shortest path from the working directory, however it is spelled.

use std::fs;
use std::os::unix::fs::symlink;

use crate::{Folder, Ran, jsonx, run};

const BROKEN: &[u8] = b"[1,\n";

/// `here` is the working directory, `beside` a directory next to it, in which `here/link` ends.
fn tree() -> Folder {
    let folder = Folder::with(&[
        ("here/a.json", BROKEN),
        ("here/-o.json", BROKEN),
        ("here/deep/b.json", BROKEN),
        ("beside/a.json", BROKEN),
        ("beside/deep/c.json", BROKEN),
    ]);
    symlink("../beside/deep", folder.path("here/link")).expect("a link");
    symlink("here", folder.path("alias")).expect("a link");
    folder
}

fn in_here(folder: &Folder, args: &[&str]) -> Ran {
    run(jsonx(args)
        .current_dir(folder.path("here"))
        .env("PWD", folder.path("alias")))
}

/// The shortest path of a file, and other paths of it; `/` is the folder.
const SPELLINGS: [(&str, &[&str]); 6] = [
    (
        "a.json",
        &[
            "./a.json",
            ".//.//a.json",
            "deep/../a.json",
            "./deep/.././deep/../a.json",
            "../here/a.json",
            "../beside/../here/a.json",
            "/here/a.json",
            "/here/deep/../a.json",
            "/beside/../here/a.json",
            "/alias/a.json",
        ],
    ),
    (
        "deep/b.json",
        &["deep//b.json", "deep/./b.json", "/here/deep/b.json"],
    ),
    (
        "../beside/a.json",
        &["link/../a.json", "./link/../a.json", "/beside/a.json"],
    ),
    (
        "link/c.json",
        &["./link/c.json", "/here/link/c.json", "/alias/link/c.json"],
    ),
    ("./-o.json", &["../here/-o.json", "/here/-o.json"]),
    // There is no such file.
    ("none/../a.json", &[]),
];

fn typed(folder: &Folder, path: &str) -> String {
    match path.strip_prefix('/') {
        Some(path) => folder.path(path).to_str().expect("UTF-8").to_owned(),
        None => path.to_owned(),
    }
}

#[test]
fn every_reporter_gives_a_file_one_name() {
    let folder = tree();
    for reporter in [
        "human", "concise", "json", "github", "gitlab", "sarif", "junit",
    ] {
        for (name, others) in SPELLINGS {
            let ran = |path: &str| in_here(&folder, &["validate", "--reporter", reporter, path]);
            let shortest = ran(name);
            if reporter == "concise" && !others.is_empty() {
                assert!(
                    shortest.out.starts_with(&format!("{name}:")),
                    "{shortest:?}"
                );
            }
            for other in others {
                assert_eq!(ran(&typed(&folder, other)), shortest, "{reporter} {other}");
            }
        }
    }
}

#[test]
fn a_file_named_in_two_ways_is_checked_once() {
    let folder = tree();
    for threads in ["1", "4"] {
        for (name, others) in &SPELLINGS[..5] {
            for other in *others {
                let other = typed(&folder, other);
                let fixed = ["validate", "--reporter=concise", "--threads", threads];
                let ran = |paths: &[&str]| in_here(&folder, &[&fixed[..], paths].concat());
                let one = ran(&[name]);
                assert_eq!(ran(&[name, &other]), one, "{other}");
                assert_eq!(ran(&[&other, name]), one, "{other}");
                assert_eq!(one.out.lines().count(), 1, "{one:?}");
            }
        }
    }
}

#[test]
fn services_get_names_from_the_workspace() {
    let folder = tree();
    for (variable, reporter) in [("GITHUB_WORKSPACE", "github"), ("CI_PROJECT_DIR", "gitlab")] {
        for (name, path) in [
            ("here/a.json", "deep/../a.json"),
            ("here/a.json", "/alias/a.json"),
            ("beside/a.json", "link/../a.json"),
        ] {
            let args = ["validate", "--reporter", reporter, &typed(&folder, path)];
            for root in ["", "alias/.."] {
                let root = folder.path(root);
                let mut command = jsonx(&args);
                let ran = run(command
                    .current_dir(folder.path("here"))
                    .env("PWD", folder.path("alias"))
                    .env(variable, root));
                assert!(ran.out.contains(name), "{ran:?}");
                assert!(!ran.out.contains(".."), "{ran:?}");
            }
        }
    }
}

#[test]
fn every_command_names_files_in_the_same_way() {
    let folder = tree();
    let write = |name: &str, text: &str| fs::write(folder.path(name), text).expect("a file");
    write("here/x.json", "{\"a\":1}");
    write("here/y.json", "{\"a\":2}");
    write("here/s.json", "{\"required\":[\"b\"]}");
    for args in [
        &["get", "-H", ".a", "?x.json"][..],
        &["get", "--locate", ".a", "?x.json", "?y.json"],
        &["get", ".b", "?x.json"],
        &["grep", "-l", "1", "?x.json"],
        &["grep", "1", "?x.json", "?y.json"],
        &["fmt", "--check", "?x.json"],
        &["fmt", "--diff", "?x.json"],
        &["diff", "?x.json", "?y.json"],
        &["set", "--diff", ".a", "3", "?x.json"],
        &["jq", ".a.b", "?x.json"],
        &["fix", "--check", "?a.json"],
        &["validate", "--schema", "?s.json", "?x.json"],
        &["validate", "--schema", "?missing.json", "?x.json"],
        &["validate", "--schema", "?a.json", "?x.json"],
        &["validate", "--config", "?a.json", "?x.json"],
        &["validate", "-v", "?x.json"],
        &["validate", "?missing.json"],
        &["merge", "?x.json", "?y.json", "?s.json"],
    ] {
        let ran = |prefix: &str| {
            let args: Vec<String> = args
                .iter()
                .map(|arg| match arg.strip_prefix('?') {
                    Some(name) => typed(&folder, &format!("{prefix}{name}")),
                    None => (*arg).to_owned(),
                })
                .collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            in_here(&folder, &args)
        };
        let shortest = ran("");
        for prefix in ["./", "../here/", "deep/../", "/here/", "/alias/"] {
            assert_eq!(ran(prefix), shortest, "{prefix} {args:?}");
        }
    }
}
