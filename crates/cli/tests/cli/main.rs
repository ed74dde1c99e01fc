//! The binary as people and scripts use it: output streams and exit codes.

#[cfg(unix)]
mod action;
mod alternatives;
mod check;
#[cfg(unix)]
mod ci;
#[cfg(unix)]
mod clusters;
#[cfg(unix)]
mod completions;
mod compressed;
mod config;
mod dialects;
mod diff;
mod edit;
mod escapes;
mod explain;
mod files;
mod filters;
mod fix;
mod fmt;
mod formats;
mod get;
mod git;
#[cfg(unix)]
mod grep;
#[cfg(unix)]
mod hints;
#[cfg(unix)]
mod hostile;
mod jq;
#[cfg(unix)]
mod jq_arrival;
#[cfg(unix)]
mod jq_events;
mod jq_rows;
mod jq_variables;
mod json5;
mod jsonc;
mod layouts;
mod lines;
mod lints;
mod locate;
mod logs;
mod lsp;
mod messagepack;
#[cfg(unix)]
mod modes;
#[cfg(unix)]
mod names;
mod newcomers;
mod options;
#[cfg(unix)]
mod outputs;
#[cfg(unix)]
mod patch;
mod queries;
mod readme;
mod records;
mod replaced;
mod reports;
mod rewrite;
mod schema;
mod schema_costs;
mod schema_faults;
mod schema_files;
mod schemas;
#[cfg(unix)]
mod shape;
mod shells;
mod slurp;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod terminals;
mod threads;
mod validate;
#[cfg(unix)]
mod write;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// The environment variables that affect the program.
const DECIDING: [&str; 10] = [
    "JSONX_KERNEL",
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "CLICOLOR",
    "COLUMNS",
    "GITHUB_ACTIONS",
    "TF_BUILD",
    "TEAMCITY_VERSION",
    "GITHUB_WORKSPACE",
    "CI_PROJECT_DIR",
];

/// The binary, without these environment variables.
fn jsonx(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jsonx"));
    for name in DECIDING {
        command.env_remove(name);
    }
    command.args(args);
    command
}

/// The output and exit code of a run.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    out: String,
    err: String,
    code: i32,
}

/// Runs to completion. Output that is not UTF-8, or a fatal signal, fails the test.
fn run(command: &mut Command) -> Ran {
    let output = command.output().expect("the binary starts");
    Ran {
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        code: output.status.code().expect("no signal"),
    }
}

/// The severity, code and position of each finding in a human report, independent of its wording.
fn headlines(report: &str) -> Vec<String> {
    let lines: Vec<&str> = report.lines().collect();
    let of_finding = |pair: &[&str]| {
        let (head, _) = pair[0].split_once("]: ")?;
        let position = pair[1].trim_start().strip_prefix("--> ")?;
        Some(format!("{head}] {position}"))
    };
    lines.windows(2).filter_map(of_finding).collect()
}

/// Runs with `input` through a pipe.
fn piped(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    run(jsonx(args).write_stdin(input.as_ref()))
}

/// A folder with files, in which the binary runs, so that file names in messages are stable.
struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a temporary folder"));
        for (name, bytes) in files {
            let path = folder.path(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Ran {
        run(jsonx(args).current_dir(self.0.path()).write_stdin(""))
    }
}

/// The output of jq, if installed.
fn jq(args: &[&str], text: &[u8]) -> Option<Vec<u8>> {
    use std::io::Write;
    let mut child = std::process::Command::new("jq")
        .args(args)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    let mut to = child.stdin.take().unwrap();
    let text = text.to_vec();
    let writer = std::thread::spawn(move || to.write_all(&text));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    Some(output.stdout)
}

/// The documents of `corpora/samples`.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/samples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the samples")
        .map(|entry| entry.expect("a sample").path())
        .collect();
    files.sort();
    assert!(files.len() >= 7, "a sample for each shape");
    files
}
