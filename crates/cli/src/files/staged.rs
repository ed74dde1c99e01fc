//! What git's index holds: the staged files, and their texts.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::input::Input;

/// The files below the current directory that differ from the last commit in the index, and the name of the text of each.
#[derive(Debug)]
pub struct Staged(HashMap<PathBuf, String>);

impl Staged {
    /// Asks git for them.
    ///
    /// # Errors
    /// There is no git or no repository; the error has the message of git.
    pub fn list() -> io::Result<Staged> {
        // Its message is clear where there is no repository.
        git(&["rev-parse", "--is-inside-work-tree"])?;
        let listed = git(&[
            "diff",
            "--cached",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--no-ext-diff",
            "--relative",
            "-z",
            "--diff-filter=ACMT",
        ])?;
        let mut fields = listed.split(|&byte| byte == 0);
        let mut staged = HashMap::new();
        // `:100644 100644 OLD NEW M`, and the path.
        while let (Some(about), Some(path)) = (fields.next(), fields.next()) {
            let about = String::from_utf8_lossy(about);
            let mut words = about.split(' ').skip(1);
            // Neither links nor other repositories.
            if words.next().is_some_and(|mode| mode.starts_with("100"))
                && let Some(text) = words.nth(1)
            {
                staged.insert(path_of(path), text.to_owned());
            }
        }
        Ok(Staged(staged))
    }

    /// The paths, sorted.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.0.keys().cloned().collect();
        paths.sort();
        paths
    }

    /// Opens the staged text of a file; `None` of one that is not staged.
    pub fn open(&self, path: &Path) -> Option<io::Result<Input>> {
        let text = self.0.get(path)?;
        let text = git(&["cat-file", "blob", text]);
        Some(text.map(|text| Input::of_text(path, Arc::new(text))))
    }

    /// Those of the paths whose files differ from what is staged.
    ///
    /// # Errors
    /// As for `list`.
    pub fn with_other_changes(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
        // The times of files may be other than those that git remembers.
        git(&["update-index", "-q", "--refresh"]).ok();
        let listed = git(&["diff-files", "--name-only", "--relative", "-z"])?;
        let listed = listed.split(|&byte| byte == 0).map(path_of);
        Ok(listed.filter(|path| paths.contains(path)).collect())
    }

    /// Stages the files as they are.
    ///
    /// # Errors
    /// As for `list`.
    pub fn stage(paths: &[PathBuf]) -> io::Result<()> {
        let stage = |index| git_with(&["update-index", "-z", "--stdin"], paths, index).map(drop);
        stage(None)?;
        later_index().map_or(Ok(()), |index| stage(Some(index)))
    }
}

/// The index after `git commit FILE`, which commits from one of its own, `next-index-PID.lock`.
fn later_index() -> Option<PathBuf> {
    let index = PathBuf::from(env::var_os("GIT_INDEX_FILE")?);
    let name = index.file_name()?.to_string_lossy();
    name.starts_with("next-index-")
        .then(|| index.with_file_name("index.lock"))
}

fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    {
        PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
    }
}

fn git(args: &[&str]) -> io::Result<Vec<u8>> {
    git_with(args, &[], None)
}

/// Runs git with paths as its input, and another index.
fn git_with(args: &[&str], paths: &[PathBuf], index: Option<PathBuf>) -> io::Result<Vec<u8>> {
    let failed = |reason: &str| io::Error::other(format!("git {}: {reason}", args[0]));
    let mut child = Command::new("git")
        .args(args)
        .envs(index.map(|index| ("GIT_INDEX_FILE", index)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error.to_string()))?;
    let mut input = child.stdin.take();
    let paths: Vec<u8> = paths
        .iter()
        .flat_map(|path| [OsStr::as_encoded_bytes(path.as_os_str()), b"\0"].concat())
        .collect();
    if let Some(input) = &mut input {
        // It may end without reading all.
        let _ = input.write_all(&paths);
    }
    drop(input);
    let output = child.wait_with_output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(failed(message.lines().next().unwrap_or("it failed")))
    }
}
