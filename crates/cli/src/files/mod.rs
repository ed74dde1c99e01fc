//! Selects the files that a command processes.
//!
//! ```text
//! PATH… ──┬─ a directory ──► tree: what its names and .gitignore select, sorted
//!         └─ anything else ──► itself, whatever its name
//! ```
//!
//! Directories are walked lazily. Nothing is collected, except that with several names, [`seen`] records
//! files to skip duplicates.

pub mod compression;
pub mod dialects;
pub mod editorconfig;
pub mod folders;
pub mod formatters;
pub mod globs;
pub mod layout;
pub mod rules;
mod seen;
pub mod staged;
mod walk;

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use clap::Args;
use ignore::Match;

use crate::input::Name;
use crate::system::{self, FileId};
use crate::threads;
use seen::Seen;
use walk::{Tree, Trees};

/// Extensions of the files that a walk selects: formats that are JSON by definition, JSON with comments, JSON5, and JSON Lines.
/// Not `.hjson`, which is another language, nor `.map` and `.config`, which may be anything. The names in [`dialects`],
/// including source maps, are selected too.
pub const EXTENSIONS: [&str; 15] = [
    "json",
    "jsonc",
    "json5",
    "code-workspace",
    "jsonl",
    "ndjson",
    "jsonlines",
    "ldjson",
    "geojsonl",
    "geojson",
    "topojson",
    "jsonld",
    "webmanifest",
    "har",
    "sarif",
];

/// A regular expression for the paths of the files that a walk selects, for hooks; if they are `rewritten`, without those that
/// `fmt -w` leaves alone.
pub fn hook_pattern(rewritten: bool) -> String {
    let names = dialects::expressions(&EXTENSIONS);
    let is_map = |name: &String| {
        let before = name.strip_suffix(SOURCE_MAP);
        before.is_some_and(|before| before.ends_with('.'))
    };
    let is_taken = |name: &String| !rewritten || !is_map(name);
    let names: Vec<String> = names.into_iter().filter(is_taken).collect();
    let compressed = if rewritten {
        String::new()
    } else {
        format!("(\\.({}))?", compression::EXTENSIONS.join("|"))
    };
    format!(
        "(\\.(?i:{})|{}){compressed}$",
        EXTENSIONS.join("|"),
        names.join("|")
    )
}

/// Whether a walk selects a file with this name.
pub fn is_selected(path: &Path) -> bool {
    let extension = path
        .extension()
        .map(|name| name.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|name| EXTENSIONS.contains(&&*name))
        || path.file_name().is_some_and(dialects::has)
}

/// The extension of source maps, which no formatter takes.
pub const SOURCE_MAP: &str = "map";

/// Extensions of JSON Lines.
pub const LINES: [&str; 5] = ["jsonl", "ndjson", "jsonlines", "ldjson", "geojsonl"];

/// Directories of dependencies and build results, which are not walked unless they are named.
const SKIPPED: [&str; 4] = ["node_modules", "target", "vendor", ".venv"];

/// Directories of version control systems.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

const HEADING: &str = "File selection";

/// The file arguments of a command.
#[derive(Clone, Debug, Default, Args)]
pub struct Selection {
    /// Files, directories, and `-` for standard input
    ///
    /// A named file is always processed, whatever its name, and only once even if it is named twice. In directories, files are
    /// selected by --ext or --glob, including hidden files. Files excluded by .gitignore, .ignore or .jsonxignore are skipped,
    /// as are the directories node_modules, target, vendor, .venv, .git, .hg, .svn and .jj, unless they are named. Files
    /// excluded by `ignore` in jsonx.json are skipped too, by validate, --write, --check and --diff even if they are named.
    /// --verbose lists the skipped files, each with the reason.
    #[arg(value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub walk: WalkOptions,
}

/// The options for files in directories.
#[derive(Clone, Debug, Default, Args)]
pub struct WalkOptions {
    /// Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson,
    /// jsonlines, ldjson, geojsonl, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]
    #[arg(long, value_name = "EXT", value_delimiter = ',', help_heading = HEADING, hide_short_help = true)]
    pub ext: Vec<String>,

    /// Only process files that match GLOB, or with `!`, files that do not
    ///
    /// In directories only; replaces --ext. May be repeated. The last matching glob decides, and overrides .gitignore.
    #[arg(short, long, value_name = "GLOB", help_heading = HEADING)]
    pub glob: Vec<String>,

    /// Do not fail when no files match
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub allow_no_files: bool,

    /// Skip hidden files and directories
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub no_hidden: bool,

    /// The default; accepted because ripgrep has the option.
    #[arg(long, hide = true, overrides_with = "no_hidden")]
    pub hidden: bool,

    /// Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target,
    /// vendor and .venv
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub no_ignore: bool,

    /// Follow symbolic links in directories
    #[arg(short = 'L', long, help_heading = HEADING, hide_short_help = true)]
    pub follow: bool,
}

impl Selection {
    /// Whether no input was named, so that standard input is read. With --ext or --glob and no path, the current directory is
    /// the input.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.walk.ext.is_empty() && self.walk.glob.is_empty()
    }

    /// Whether there is exactly one input: a single file, or standard input.
    pub fn is_one(&self) -> bool {
        match &*self.paths {
            [] => self.is_empty(),
            [path] => !is_directory(path),
            _ => false,
        }
    }

    /// Whether standard input is one of the inputs.
    pub fn has_stdin(&self) -> bool {
        self.is_empty() || self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// The number of files processed at the same time.
    pub fn threads(&self) -> NonZeroUsize {
        if self.is_one() {
            NonZeroUsize::MIN
        } else {
            threads::count()
        }
    }

    /// The files in order: see [`WalkOptions::files`].
    ///
    /// # Errors
    /// An invalid glob; the text names it.
    pub fn files(&self) -> anyhow::Result<Files<'_>> {
        let implied = if self.is_empty() { "-" } else { "." };
        self.walk.files(if self.paths.is_empty() {
            Cow::Owned(vec![PathBuf::from(implied)])
        } else {
            Cow::Borrowed(&self.paths)
        })
    }

    /// The errors of files and directories of the command line that do not exist or cannot be read.
    pub fn unreadable(&self) -> impl Iterator<Item = Problem> {
        let named = self.paths.iter().filter(|path| path.as_os_str() != "-");
        named.filter_map(|path| {
            let about = fs::metadata(path);
            // Opening a pipe waits for its writer.
            let opened = about.and_then(|about| {
                if about.is_file() {
                    fs::File::open(path).map(drop)
                } else {
                    Ok(())
                }
            });
            Some(Problem::unreadable(path, opened.err()?))
        })
    }
}

impl WalkOptions {
    /// The files of these paths in order: those that are named as given, those of a directory sorted by name. Errors are
    /// returned in the place of unreadable files.
    ///
    /// # Errors
    /// An invalid glob; the text names it.
    pub fn files<'f>(&self, paths: Cow<'f, [PathBuf]>) -> anyhow::Result<Files<'f>> {
        let (count, follow) = (paths.len(), self.follow);
        Ok(Files {
            names: Box::new((0..count).map(move |at| paths[at].clone())),
            trees: Trees::new(self)?,
            tree: None,
            seen: (count > 1 || follow).then(Seen::new),
            left_out: Vec::new(),
            none: (!self.allow_no_files).then_some(Problem::NoFiles),
            exceptions: None,
            no_ignore: self.no_ignore,
            is_one: count == 1,
        })
    }
}

/// An unreadable or excluded file, or the absence of any file.
#[derive(Debug)]
pub enum Problem {
    /// An argument or a file of a directory cannot be read.
    Unreadable {
        /// Its name.
        name: Name,
        /// The error of the system.
        error: io::Error,
    },
    /// A named file is excluded; this is not a failure.
    LeftOut {
        /// Its name.
        name: Name,
        /// The rule that excludes it.
        reason: String,
        /// No other input was named.
        is_only: bool,
    },
    /// No file was selected, which in a script is usually a mistake.
    NoFiles,
}

impl Problem {
    /// Whether it is a failure.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Problem::LeftOut { .. })
    }

    fn unreadable(path: &Path, error: io::Error) -> Problem {
        Problem::Unreadable {
            name: Name::new(path),
            error,
        }
    }
}

/// The exclusions of a repository.
pub trait Exceptions: Send + Sync {
    /// Whether a path is excluded, or included regardless of ignore files.
    fn decision(&self, path: &Path, is_dir: bool) -> Match<()>;

    /// The rule that excludes a file or directory even if it is named, if any.
    fn reason(&self, path: &Path, is_dir: bool) -> Option<String>;
}

/// The files of [`WalkOptions::files`], and errors in their place.
pub struct Files<'a> {
    names: Box<dyn Iterator<Item = PathBuf> + 'a>,
    trees: Trees,
    /// The directory that is being walked.
    tree: Option<Tree>,
    /// Files that are not inputs if a walk finds them.
    left_out: Vec<FileId>,
    /// The files selected so far, if there may be duplicates.
    seen: Option<Seen>,
    /// The message at the end if nothing is found.
    none: Option<Problem>,
    /// Exclusions that apply to named files too.
    exceptions: Option<Arc<dyn Exceptions>>,
    no_ignore: bool,
    is_one: bool,
}

impl Files<'_> {
    /// Skips these files if they are found in directories: reports that an earlier run wrote there.
    #[must_use]
    pub fn leaving_out(self, left_out: Vec<FileId>) -> Self {
        Files { left_out, ..self }
    }

    /// Reports on standard error the files that a walk skips, with the reason.
    #[must_use]
    pub fn noting(mut self) -> Self {
        self.trees.notes = true;
        self
    }

    /// Skips compressed files in directories, if files are to be rewritten.
    #[must_use]
    pub fn rewritten(mut self, in_place: bool) -> Self {
        if in_place {
            self.trees.without_compressed();
        }
        self
    }

    /// Skips files that the repository excludes, `named` or found in directories: hooks and similar programs name every file.
    #[must_use]
    pub fn with_exceptions(mut self, exceptions: Arc<dyn Exceptions>, named: bool) -> Self {
        self.trees.leave_out(exceptions.clone());
        self.exceptions = (named && !self.no_ignore).then_some(exceptions);
        self
    }

    /// The rule that excludes this file or directory even if it is named, if any.
    fn exception(&self, path: &Path, is_dir: bool) -> Option<Problem> {
        let exceptions = self.exceptions.as_ref().filter(|_| self.tree.is_none());
        Some(Problem::LeftOut {
            name: Name::new(path),
            reason: exceptions?.reason(path, is_dir)?,
            is_only: self.is_one,
        })
    }

    fn is_left_out(&self, path: &Path) -> bool {
        !self.left_out.is_empty()
            && self.tree.is_some()
            && system::input_id(path).is_some_and(|id| self.left_out.contains(&id))
    }
}

impl Iterator for Files<'_> {
    type Item = Result<PathBuf, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = match self.tree.as_mut().map(Iterator::next) {
                Some(None) => {
                    self.tree = None;
                    continue;
                }
                Some(Some(found)) => found,
                None => match self.names.next() {
                    None => return self.none.take().map(Err),
                    Some(path) if is_directory(&path) => {
                        if let Some(exception) = self.exception(&path, true) {
                            self.none = None;
                            return Some(Err(exception));
                        }
                        self.tree = Some(self.trees.under(&path));
                        continue;
                    }
                    Some(path) => Ok(path),
                },
            };
            if found.as_ref().is_ok_and(|path| self.is_left_out(path)) {
                continue;
            }
            self.none = None;
            if let (Ok(path), Some(seen)) = (&found, &mut self.seen)
                && !seen.is_new(path)
            {
                continue;
            }
            let exception = found.as_ref().ok();
            let exception = exception.and_then(|path| self.exception(path, false));
            return Some(exception.map_or(found, Err));
        }
    }
}

/// `false` if the path cannot be read: opening it reports why.
pub fn is_directory(path: &Path) -> bool {
    path.as_os_str() != "-" && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

#[cfg(test)]
mod tests;
