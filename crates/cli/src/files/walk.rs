//! Walks a directory tree: files sorted by name, directory by directory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Error, Match, Walk, WalkBuilder};

use super::rules::Rules;
use super::{
    EXTENSIONS, Exceptions, Problem, SKIPPED, VERSION_CONTROL, WalkOptions, compression, dialects,
};
use crate::input::Name;
use crate::report::escape;
use crate::{messages, system};

/// The settings for walking directories.
pub struct Trees {
    /// The globs; none if there are none.
    globs: Override,
    names: Arc<Names>,
    no_hidden: bool,
    no_ignore: bool,
    follow: bool,
    /// Names of directories that are not entered.
    skipped: Vec<&'static str>,
    /// Further exclusions.
    exceptions: Option<Arc<dyn Exceptions>>,
    /// Whether excluded files are listed on standard error.
    pub notes: bool,
}

/// The selection of files by name.
struct Names {
    /// Extensions, with the dot; `None` where globs select files.
    endings: Option<Vec<String>>,
    /// Files that may have comments are selected whatever their extension.
    dialects: bool,
    /// Compressed files too, by the names of their texts.
    compressed: bool,
}

impl Names {
    fn have(&self, name: &OsStr) -> bool {
        let text = compression::text_name(Path::new(name));
        let name = match &text {
            Some(_) if !self.compressed => return false,
            Some(text) => text.as_os_str(),
            None => name,
        };
        if self.dialects && dialects::has(name) {
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
}

impl Trees {
    /// The same without compressed files.
    pub fn without_compressed(&mut self) {
        if let Some(names) = Arc::get_mut(&mut self.names) {
            names.compressed = false;
        }
    }

    /// Skips these files and directories, unless exclusions are turned off.
    pub fn leave_out(&mut self, exceptions: Arc<dyn Exceptions>) {
        self.exceptions = (!self.no_ignore).then_some(exceptions);
    }

    /// The settings for these options.
    ///
    /// # Errors
    /// An invalid glob.
    pub fn new(options: &WalkOptions) -> anyhow::Result<Trees> {
        let globs = globs(&options.glob)?;
        let is_named = |name: &&str| options.glob.iter().any(|glob| glob.contains(*name));
        let skipped = SKIPPED.into_iter().filter(|name| !is_named(name)).collect();
        let dotted = |name: &str| format!(".{}", name.trim_start_matches('.'));
        let endings = match &options.ext[..] {
            [] if globs.num_whitelists() > 0 => None,
            [] => Some(EXTENSIONS.map(dotted).to_vec()),
            names => Some(names.iter().map(|name| dotted(name)).collect()),
        };
        Ok(Trees {
            globs,
            names: Arc::new(Names {
                endings,
                dialects: options.ext.is_empty(),
                compressed: true,
            }),
            no_hidden: options.no_hidden,
            no_ignore: options.no_ignore,
            follow: options.follow,
            skipped,
            exceptions: None,
            notes: false,
        })
    }

    /// The files under a directory.
    pub fn under(&self, directory: &Path) -> Tree {
        let mut walk = WalkBuilder::new(directory);
        let filter = Filter {
            globs: self.globs.clone(),
            rules: (!self.no_ignore).then(|| Mutex::new(Rules::new(directory))),
            no_hidden: self.no_hidden,
            exceptions: self.exceptions.clone(),
            skipped: if self.no_ignore {
                Vec::new()
            } else {
                self.skipped.clone()
            },
            noted: self.notes.then(|| self.names.clone()),
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
            names: self.names.clone(),
            current: directory == Path::new("."),
            root: directory.to_owned(),
        }
    }
}

/// Decides which entries are selected, and which directories are entered.
struct Filter {
    globs: Override,
    /// Locked because the walk requires a filter that threads can share; this walk has one thread.
    rules: Option<Mutex<Rules>>,
    no_hidden: bool,
    exceptions: Option<Arc<dyn Exceptions>>,
    skipped: Vec<&'static str>,
    /// Lists excluded directories, and excluded files with these names, on standard error.
    noted: Option<Arc<Names>>,
}

impl Filter {
    fn takes(&self, entry: &DirEntry) -> bool {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let mut rules = self.rules.as_ref().map(|rules| {
            // A panic elsewhere cannot have changed them.
            rules.lock().unwrap_or_else(PoisonError::into_inner)
        });
        let reason = self.left_out(entry, is_dir, rules.as_deref_mut());
        if let (Some(rules), None, true) = (&mut rules, &reason, is_dir) {
            rules.enter(entry.path(), entry.depth());
        }
        if let (Some(reason), Some(names)) = (&reason, &self.noted)
            && (is_dir || names.have(entry.file_name()))
        {
            self.note(entry.path(), is_dir, reason);
        }
        reason.is_none()
    }

    /// The reason for excluding an entry, if it is excluded.
    fn left_out(
        &self,
        entry: &DirEntry,
        is_dir: bool,
        rules: Option<&mut Rules>,
    ) -> Option<LeftOut> {
        let path = entry.path();
        // Named directories are always walked.
        let is_found = entry.depth() > 0;
        let is_one_of = |names: &[&str]| names.iter().any(|name| entry.file_name() == *name);
        match self.globs.matched(path, is_dir) {
            Match::Ignore(_) => return Some(LeftOut::Globs),
            Match::Whitelist(_) => return None,
            Match::None => {}
        }
        if is_found && is_dir && is_one_of(&VERSION_CONTROL) {
            return Some(LeftOut::VersionControl);
        }
        if let Some(exceptions) = self.exceptions.as_ref().filter(|_| is_found) {
            match exceptions.decision(path, is_dir) {
                Match::Ignore(()) => return Some(LeftOut::Settings),
                Match::Whitelist(()) => return None,
                Match::None => {}
            }
        }
        if let Some(rules) = rules {
            match rules.matched(path, entry.depth(), is_dir) {
                Match::Ignore(rule) => return Some(LeftOut::Rule(rule)),
                Match::Whitelist(_) => return None,
                Match::None => {}
            }
        }
        if is_found && is_dir && is_one_of(&self.skipped) {
            return Some(LeftOut::Usual);
        }
        (self.no_hidden && is_hidden(entry)).then_some(LeftOut::Hidden)
    }

    fn note(&self, path: &Path, is_dir: bool, reason: &LeftOut) {
        let name = Name::new(path);
        let by = match reason {
            // With explicit globs, the user decides.
            LeftOut::Globs => return,
            LeftOut::VersionControl => {
                messages::line(&format!("jsonx: {name}: excluded as version control"));
                return;
            }
            LeftOut::Hidden => {
                messages::line(&format!("jsonx: {name}: excluded by --no-hidden"));
                return;
            }
            LeftOut::Settings => {
                let exceptions = self.exceptions.as_ref();
                let reason = exceptions.and_then(|it| it.reason(path, is_dir));
                reason.unwrap_or_else(|| "jsonx.json".to_owned())
            }
            LeftOut::Rule(rule) => rule.clone(),
            LeftOut::Usual => "default".to_owned(),
        };
        messages::line(&format!(
            "jsonx: {name}: excluded by {by}; --no-ignore includes it"
        ));
    }
}

/// The reason for excluding an entry.
enum LeftOut {
    /// The globs of the command line.
    Globs,
    VersionControl,
    /// `ignore` of jsonx.json.
    Settings,
    /// A line of an ignore file, and the file.
    Rule(String),
    /// One of [`SKIPPED`].
    Usual,
    Hidden,
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
        || system::has_hidden_attribute(|| entry.metadata().ok())
}

/// The globs of the command line, relative to the current directory.
fn globs(globs: &[String]) -> anyhow::Result<Override> {
    if globs.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
    for glob in globs {
        let added = builder.add(glob).map(drop);
        added.map_err(|error| {
            anyhow!("bad glob {}: {}", escape(glob), escape(&error.to_string()))
        })?;
    }
    builder.build().context("bad glob")
}

/// A walk through one directory.
pub struct Tree {
    walk: Walk,
    names: Arc<Names>,
    /// The root is the current directory, whose name is omitted.
    current: bool,
    root: PathBuf,
}

impl Tree {
    fn named(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(".") {
            // `-` would mean standard input.
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
                    if regular && self.names.have(entry.file_name()) {
                        return Some(Ok(self.named(entry.into_path())));
                    }
                }
                Err(error) => {
                    let path = place(&error).unwrap_or(&self.root).to_owned();
                    // The files in a loop of links were listed before the loop was detected.
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
