//! `.prettierignore`, and the files of `--ignore-path`: the files that Prettier skips.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::Gitignore;

use crate::files::folders::{Folders, full};
use crate::files::rules::{rules, shown};

/// The name of the files.
const NAME: &str = ".prettierignore";

/// The ignore files, each read once.
#[derive(Debug)]
pub struct Ignored {
    /// Ignore files of the command line, which replace those in folders.
    named: Vec<Gitignore>,
    /// The rules of each folder, and whether it is the root of a repository.
    folders: Folders<(Arc<Gitignore>, bool)>,
}

impl Ignored {
    /// With the files of `--ignore-path`.
    pub fn new(named: &[PathBuf]) -> Ignored {
        let read = |file: &PathBuf| {
            let file = full(file).unwrap_or_else(|| file.clone());
            rules(file.parent().unwrap_or(Path::new("")), &file, true)
        };
        Ignored {
            named: named.iter().map(read).collect(),
            folders: Folders::default(),
        }
    }

    /// The rule that excludes a file or a folder, as text. Each ignore file decides independently, as in Prettier.
    pub fn reason(&self, path: &Path, is_dir: bool) -> Option<String> {
        let path = full(path)?;
        if !self.named.is_empty() {
            return self
                .named
                .iter()
                .find_map(|rules| excluding(rules, &path, is_dir));
        }
        for folder in path.ancestors().skip(1) {
            let (rules, is_root) = self.folders.get(folder, || {
                let rules = rules(folder, &folder.join(NAME), true);
                (Arc::new(rules), folder.join(".git").exists())
            });
            let reason = excluding(&rules, &path, is_dir);
            if reason.is_some() || is_root {
                return reason;
            }
        }
        None
    }
}

/// The rule that excludes a path or a folder above it: files in an excluded folder cannot be included again.
fn excluding(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<String> {
    let inside = path.strip_prefix(rules.path()).ok()?;
    if rules.is_empty() {
        return None;
    }
    let mut levels: Vec<&Path> = inside.ancestors().collect();
    levels.pop();
    levels.iter().rev().find_map(
        |level| match rules.matched(level, is_dir || *level != inside) {
            ignore::Match::Ignore(rule) => Some(shown(rule)),
            _ => None,
        },
    )
}
