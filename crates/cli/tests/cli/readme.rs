//! Runs the examples of README.md, the guides in `docs/` and the man pages.
//!
//! In a block of ```` ```console ````, a line `$ command` is run by `sh` in a folder with the samples in
//! `corpora/samples`; the lines below are its output, both streams together, in which a line `…` matches any lines.
//! A last line `[N]` is the exit code; the default is 0.

use std::path::Path;
use std::process::Command;

pub struct Example {
    pub command: String,
    pub expected: Vec<String>,
    pub code: i32,
}

/// The examples of a Markdown text.
pub fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line.trim_end() == "```console",
            (true, _) if line.starts_with("```") => inside = false,
            (true, Some(command)) => {
                examples.push(Example {
                    command: command.to_owned(),
                    expected: Vec::new(),
                    code: 0,
                });
            }
            (true, None) => {
                let example = examples.last_mut().expect("a command before its output");
                match line
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']')?.parse().ok())
                {
                    Some(code) => example.code = code,
                    None => example.expected.push(line.to_owned()),
                }
            }
        }
    }
    examples
}

/// Whether lines are as expected; `…` matches any number of lines.
pub fn matches(expected: &[String], lines: &[&str]) -> bool {
    match expected {
        [] => lines.is_empty(),
        [dots, rest @ ..] if dots == "…" => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        [first, rest @ ..] => lines.first() == Some(&first.as_str()) && matches(rest, &lines[1..]),
    }
}

/// Runs the examples of a Markdown file, one after another in one folder.
pub fn are_true(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    // Build commands are not run inside a test.
    let examples: Vec<Example> = examples(&text)
        .into_iter()
        .filter(|example| !example.command.starts_with("cargo "))
        .collect();
    assert!(
        !examples.is_empty(),
        "{file:?} has no ```console block with a command"
    );

    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("corpora/samples");
    std::fs::create_dir_all(&samples).unwrap();
    for sample in crate::samples() {
        std::fs::copy(&sample, samples.join(sample.file_name().unwrap())).unwrap();
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_jsonx")).parent().unwrap();
    let path = std::env::join_paths([binary.to_owned()].into_iter().chain(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    )))
    .unwrap();
    let mut wrong = String::new();
    for example in examples {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{{ {}\n}} 2>&1", example.command)])
            .current_dir(folder.path())
            .env("PATH", &path);
        for name in crate::DECIDING {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        if !matches(&example.expected, &lines) || output.status.code() != Some(example.code) {
            let Example {
                command,
                expected,
                code,
            } = example;
            wrong += &format!(
                "$ {command}\n--- {} ({code})\n{}\n--- here ({:?})\n{text}\n",
                file.display(),
                expected.join("\n"),
                output.status.code()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// README, and every guide with examples; those of the path guide run in several shells (`shells.rs`).
#[test]
fn the_examples_of_the_readme_and_the_guides_are_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    are_true(&root.join("README.md"));
    let mut guides = 0;
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let has_examples = path.extension().is_some_and(|extension| extension == "md")
            && std::fs::read_to_string(&path)
                .unwrap()
                .contains("```console\n");
        if has_examples {
            are_true(&path);
            guides += 1;
        }
    }
    assert!(guides >= 2, "only {guides} guides with examples");
}

#[test]
fn the_examples_of_the_man_pages_are_true() {
    let sections = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../man/sections");
    let mut pages = 0;
    for entry in std::fs::read_dir(sections).unwrap() {
        are_true(&entry.unwrap().path());
        pages += 1;
    }
    assert!(pages >= 7, "only {pages} pages");
}

#[test]
fn examples_are_found_and_compared() {
    let text = "# x\n```console\n$ one\nout\n…\nend\n[3]\n$ two\n```\n```sh\n$ three\n```\n";
    let found = examples(text);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].command.as_str(), found[0].code), ("one", 3));
    assert!(matches(&found[0].expected, &["out", "end"]));
    assert!(matches(&found[0].expected, &["out", "a", "b", "end"]));
    assert!(!matches(&found[0].expected, &["out", "a", "b"]));
    assert!(!matches(&found[1].expected, &["anything"]));
}
