//! The files of a directory and of those in it, sorted by name, directory by directory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Error, Match, Walk, WalkBuilder};

use super::rules::Rules;
use super::{EXTENSIONS, Exceptions, Problem, SKIPPED, Selection, dialects};
use crate::report::escape;
use crate::system;

/// How directories are walked: the settings for all of them.
pub struct Trees {
    /// The globs; none if there are none.
    globs: Override,
    /// Extensions of the files to select, with the dot; `None` where globs select them.
    endings: Option<Vec<String>>,
    /// Files that may have comments are selected whatever their extension.
    named: bool,
    hidden: bool,
    no_ignore: bool,
    follow: bool,
    /// Names of directories that are not entered.
    skipped: Vec<&'static str>,
    /// What else is left out.
    exceptions: Option<Arc<dyn Exceptions>>,
}

impl Trees {
    /// The same without these files and directories, unless nothing is to be left out.
    pub fn leave_out(&mut self, exceptions: Arc<dyn Exceptions>) {
        self.exceptions = (!self.no_ignore).then_some(exceptions);
    }

    /// The settings of a selection.
    ///
    /// # Errors
    /// A glob that is none.
    pub fn new(selection: &Selection) -> anyhow::Result<Trees> {
        let globs = globs(&selection.glob, &selection.exclude)?;
        let is_named = |name: &&str| selection.glob.iter().any(|glob| glob.contains(*name));
        let skipped = SKIPPED.into_iter().filter(|name| !is_named(name)).collect();
        let dotted = |name: &str| format!(".{}", name.trim_start_matches('.'));
        let endings = match &selection.ext[..] {
            [] if globs.num_whitelists() > 0 => None,
            [] => Some(EXTENSIONS.map(dotted).to_vec()),
            given => Some(given.iter().map(|name| dotted(name)).collect()),
        };
        Ok(Trees {
            globs,
            endings,
            named: selection.ext.is_empty(),
            hidden: selection.hidden,
            no_ignore: selection.no_ignore,
            follow: selection.follow,
            skipped,
            exceptions: None,
        })
    }

    /// The files under a directory.
    pub fn under(&self, directory: &Path) -> Tree {
        let mut walk = WalkBuilder::new(directory);
        let filter = Filter {
            globs: self.globs.clone(),
            rules: (!self.no_ignore).then(|| Mutex::new(Rules::new(directory))),
            hidden: self.hidden,
            exceptions: self.exceptions.clone(),
            skipped: match self.no_ignore {
                true => Vec::new(),
                false => self.skipped.clone(),
            },
        };
        // The filter alone decides: the walk would read ignore files that are not regular files.
        walk.standard_filters(false)
            .filter_entry(move |entry| filter.takes(entry))
            .follow_links(self.follow)
            // `jsonx validate . > report.json` must not read its own report.
            .skip_stdout(true)
            .sort_by_file_name(OsStr::cmp);
        Tree {
            walk: walk.build(),
            endings: self.endings.clone(),
            named: self.named,
            current: directory == Path::new("."),
            root: directory.to_owned(),
        }
    }
}

/// Decides which entries are selected, and which directories are entered.
struct Filter {
    globs: Override,
    /// A lock because the walk asks for a filter that threads can share; this walk has one thread.
    rules: Option<Mutex<Rules>>,
    hidden: bool,
    exceptions: Option<Arc<dyn Exceptions>>,
    skipped: Vec<&'static str>,
}

impl Filter {
    fn is_skipped(&self, entry: &DirEntry) -> bool {
        self.skipped.iter().any(|name| entry.file_name() == *name)
    }

    fn takes(&self, entry: &DirEntry) -> bool {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let mut rules = self.rules.as_ref().map(|rules| {
            // A panic elsewhere has left them as they were.
            rules.lock().unwrap_or_else(PoisonError::into_inner)
        });
        let decision = self.globs.matched(entry.path(), is_dir).map(drop);
        let decision = match (&self.exceptions, decision) {
            // What was named is walked.
            (Some(exceptions), Match::None) if entry.depth() > 0 => {
                exceptions.decision(entry.path(), is_dir)
            }
            (_, decision) => decision,
        };
        let decision = match (&mut rules, decision) {
            (Some(rules), Match::None) => rules.matched(entry.path(), entry.depth(), is_dir),
            (_, decision) => decision,
        };
        let is_selected = match decision {
            Match::Ignore(()) => false,
            Match::Whitelist(()) => true,
            Match::None if entry.depth() > 0 && is_dir && self.is_skipped(entry) => false,
            Match::None => self.hidden || !is_hidden(entry),
        };
        if let (Some(rules), true, true) = (&mut rules, is_selected, is_dir) {
            rules.enter(entry.path(), entry.depth());
        }
        is_selected
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
        || system::has_hidden_attribute(|| entry.metadata().ok())
}

/// The globs of the command line, relative to the current directory.
fn globs(globs: &[String], excluded: &[String]) -> anyhow::Result<Override> {
    if globs.is_empty() && excluded.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
    for glob in globs {
        builder
            .add(glob)
            .with_context(|| format!("bad glob {}", escape(glob)))?;
    }
    for glob in excluded {
        builder
            .add(&format!("!{glob}"))
            .with_context(|| format!("bad glob {}", escape(glob)))?;
    }
    builder.build().context("bad glob")
}

/// A walk through one directory.
pub struct Tree {
    walk: Walk,
    endings: Option<Vec<String>>,
    named: bool,
    /// The root is the current directory, whose name goes without saying.
    current: bool,
    root: PathBuf,
}

impl Tree {
    fn wants(&self, name: &OsStr) -> bool {
        if self.named && dialects::has(name) {
            return true;
        }
        let name = name.as_encoded_bytes();
        self.endings.as_ref().is_none_or(|endings| {
            endings.iter().any(|ending| {
                name.len()
                    .checked_sub(ending.len())
                    .is_some_and(|at| name[at..].eq_ignore_ascii_case(ending.as_bytes()))
            })
        })
    }

    fn named(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(".") {
            // `-` would be standard input.
            Ok(short) if self.current && short != Path::new("-") => short.to_owned(),
            _ => path,
        }
    }
}

impl Iterator for Tree {
    type Item = Result<PathBuf, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.walk.next()? {
                Ok(entry) => {
                    let regular = entry.file_type().is_some_and(|kind| kind.is_file());
                    if regular && self.wants(entry.file_name()) {
                        return Some(Ok(self.named(entry.into_path())));
                    }
                }
                Err(error) => {
                    let path = place(&error).unwrap_or(&self.root).to_owned();
                    // The files in a loop of links were found before it closed.
                    if let Some(error) = error.into_io_error() {
                        return Some(Err(Problem::unreadable(
                            &self.named(path),
                            system::plain_error(error),
                        )));
                    }
                }
            }
        }
    }
}

/// The path that an error is about.
fn place(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => place(err),
        _ => None,
    }
}
