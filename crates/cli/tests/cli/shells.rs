//! The examples of docs/paths.md, in each shell that is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::readme::{examples, matches};

/// Shells, with arguments that ignore the user's settings.
const SHELLS: &[(&str, &[&str])] = &[
    ("bash", &["--noprofile", "--norc"]),
    ("zsh", &["-f"]),
    ("fish", &["--no-config"]),
];

#[test]
fn the_examples_of_the_path_guide_are_true_in_each_shell() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/paths.md");
    let text = std::fs::read_to_string(guide).expect("docs/paths.md");
    let binary = Path::new(env!("CARGO_BIN_EXE_jsonx")).parent().unwrap();
    let path = std::env::join_paths([binary.to_owned()].into_iter().chain(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    )))
    .unwrap();
    let mut wrong = String::new();
    for (shell, flags) in SHELLS {
        let there = Command::new(shell)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if there.is_err() {
            eprintln!("skipped: {shell} is not installed");
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let examples = examples(&text);
        assert!(examples.len() >= 25, "only {} examples", examples.len());
        for example in examples {
            // Both streams into one pipe, independent of the shell's syntax.
            let output = Command::new("sh")
                .args(["-c", "exec \"$0\" \"$@\" 2>&1", shell])
                .args(*flags)
                .args(["-c", &example.command])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("HOME", folder.path())
                .env_remove("JSONX_KERNEL")
                .env_remove("CLICOLOR_FORCE")
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let code = output.status.code();
            if !matches(&example.expected, &lines) || code != Some(example.code) {
                wrong += &format!("{shell}$ {}\n({code:?})\n{text}\n", example.command);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
