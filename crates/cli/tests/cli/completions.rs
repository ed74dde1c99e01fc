//! The completion scripts, run in the shells: Tab completes the start of a command, and the output of the command is checked.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::terminals::terminal;
use super::{Folder, jsonx, run};

/// The timeout of a shell. Long, so that a busy machine does not fail the test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A shell on a terminal.
struct Shell {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    seen: String,
}

impl Shell {
    /// None if there is no such shell here.
    fn start(name: &str, arguments: &[&str]) -> Option<Shell> {
        let (program, person) = terminal();
        let binary = Path::new(env!("CARGO_BIN_EXE_jsonx"));
        let paths = std::env::var("PATH").unwrap_or_default();
        let folder = binary.parent().expect("a folder").display();
        let child = Command::new(name)
            .args(arguments)
            .env("PATH", format!("{folder}:{paths}"))
            .env("TERM", "xterm")
            .env("PS1", "> ")
            .env_remove("COLUMNS")
            .stdin(program.try_clone().unwrap())
            .stdout(program.try_clone().unwrap())
            .stderr(Stdio::from(program))
            .spawn();
        let Ok(child) = child else {
            eprintln!("skipped: there is no {name} here");
            return None;
        };
        let (tell, shown) = channel();
        let mut screen = person.try_clone().unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut buffer) {
                if tell.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Shell {
            child,
            keys: person,
            shown,
            seen: String::new(),
        })
    }

    /// Presses keys, and waits for the expected output.
    fn press(&mut self, keys: &str, expected: &str) {
        self.seen.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
        let end = Instant::now() + PATIENCE;
        while !self.seen.contains(expected) {
            let left = end.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen += &String::from_utf8_lossy(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("no {expected:?} after {keys:?}: {:?}", self.seen)
                }
            }
        }
    }

    /// Commands, options and values are completed.
    fn complete(mut self, prepare: &str) {
        self.press(&format!("{prepare}; echo ready$((1 + 1))\n"), "ready2");
        self.press(
            "jsonx expl\t trailing-comma\n",
            "A comma follows the last member",
        );
        self.press(
            "jsonx --vers\t\n",
            concat!("jsonx ", env!("CARGO_PKG_VERSION")),
        );
        self.press("jsonx comp\telv\t | head -n 3\n", "use builtin;");
        self.press(
            "jsonx help setti\t | head -n 1\n",
            "Settings of a repository",
        );
        self.press("jsonx explain missing-col\t\n", "missing-colon (error)");
        self.press(
            "echo '[' | jsonx validate --reporter conc\t\n",
            ":1:2: error[unclosed-bracket]",
        );
        self.press(
            "echo '[1e999]' | jsonx validate --input jsonl --deny number-r\t; echo code$?\n",
            "code1",
        );
        self.keys.write_all(b"exit\n").unwrap();
        let _ = self.child.wait();
    }
}

fn script(shell: &str) -> String {
    let ran = run(&mut jsonx(&["completions", shell]));
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    ran.out
}

#[test]
fn bash_completes() {
    let folder = Folder::with(&[]);
    let path = folder.path("jsonx.bash");
    fs::write(&path, script("bash")).unwrap();
    if let Some(shell) = Shell::start("bash", &["--norc", "--noprofile", "-i"]) {
        shell.complete(&format!("source {}", path.display()));
    }
}

#[test]
fn zsh_completes() {
    let folder = Folder::with(&[]);
    fs::write(folder.path("_jsonx"), script("zsh")).unwrap();
    let folder = folder.path("");
    if let Some(shell) = Shell::start("zsh", &["-f", "-i"]) {
        shell.complete(&format!(
            "fpath=({} $fpath); autoload -Uz compinit; compinit -u -D",
            folder.display()
        ));
    }
}

#[test]
fn fish_completes() {
    let folder = Folder::with(&[]);
    let path = folder.path("jsonx.fish");
    fs::write(&path, script("fish")).unwrap();
    for (typed, expected) in [
        ("jsonx expl", "explain\t"),
        ("jsonx explain missing-col", "missing-colon"),
        ("jsonx validate --reporter conc", "concise\t"),
        ("jsonx validate --deny lone-s", "lone-surrogate"),
        ("jsonx fmt --input jsonl", "jsonl\t"),
        ("jsonx help path", "paths\t"),
    ] {
        let ask = format!("source {}; complete -C '{typed}'", path.display());
        let Ok(ran) = Command::new("fish")
            .args(["--no-config", "-c", &ask])
            .output()
        else {
            println!("skipped: there is no fish here");
            return;
        };
        let shown = String::from_utf8_lossy(&ran.stdout);
        assert!(shown.starts_with(expected), "{typed}: {shown}");
    }
}

#[test]
fn every_script_lists_the_values_of_arguments() {
    // For Elvish and PowerShell, clap_complete completes commands and options only.
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        for value in [
            "missing-colon",
            "lone-surrogate",
            "gitlab",
            "jsonl",
            "paths",
        ] {
            assert!(script.contains(value), "{shell}: {value}");
        }
    }
}

#[test]
fn there_is_a_script_for_every_shell_and_an_error_for_others() {
    for (shell, part) in [
        ("fish", "complete -c jsonx"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        assert!(script(shell).contains(part), "{shell}");
    }
    let ran = run(&mut jsonx(&["completions", "tcsh"]));
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err.contains("bash, elvish, fish, powershell, zsh"),
        "{}",
        ran.err
    );
}
