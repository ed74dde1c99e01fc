//! `jsonx diff`: the differences between two documents.
//!
//! ```text
//! OLD ─► text.rs: read, validate ─► Document ─┐
//!                                             ├─► jsonx_core::diff ─► print.rs, or a patch
//! NEW ─► text.rs: read, validate ─► Document ─┘
//! ```

mod context;
mod keys;
mod print;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::Document;
use jsonx_core::diff::{DiffOptions, NotMergeable, diff};
use jsonx_core::engine::Options;
use jsonx_core::path::Path;
use jsonx_core::position::locate;

use self::keys::ArrayKeys;
use self::print::Printer;
pub use self::print::shown;
pub use self::text::{CheckedText, open};
use super::{Command, Plan, UsageError};
use crate::args::{Common, Diff, DiffFormat, Global};
use crate::check::Failure;
use crate::exit::Exit;
use crate::files::{Files, Problem, is_directory};
use crate::input::Name;
use crate::messages;
use crate::output::TerminalOutput;
use crate::path_messages::{self, LAST_COUNTS};
use crate::session::Session;
use crate::terminal::is_colored;

/// The documents to compare.
pub enum Inputs<'a> {
    Files([PathBuf; 2]),
    Directories(Box<[Files<'a>; 2]>),
}

impl Command for Diff {
    const NAME: &'static str = "diff";
    type Work<'a> = (DiffOptions, ArrayKeys, Inputs<'a>);

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Self::Work<'_>>, UsageError> {
        if matches!(self.git.len(), 1..=4) {
            let text = "two documents are compared; git gives seven arguments";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        if self.context > 0 && self.format != DiffFormat::Human {
            let text = "--context is for --format human";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        let mut options = DiffOptions::default().exact(self.exact);
        let mut keys = ArrayKeys::default();
        for text in &self.key {
            options = options.key_path(keys.parse(text)?);
        }
        for text in &self.set {
            options = options.set(path("--set", text)?);
        }
        for text in &self.ignore {
            options = options.ignore(path("--ignore", text)?);
        }
        let work = (options, keys, self.inputs()?);
        Ok(Plan::with_findings_on_stderr(work, false))
    }

    fn run(&self, work: Self::Work<'_>, session: &mut Session) -> io::Result<()> {
        let (options, keys, inputs) = work;
        session.expect_documents();
        let mut comparison = Comparison {
            args: self,
            options,
            keys,
            session,
        };
        let [old, new] = match inputs {
            Inputs::Files(files) => files,
            Inputs::Directories(files) => return comparison.directories(*files),
        };
        let Some(path) = self.texts().0 else {
            return comparison.compare(None, [(&old, Name::new(&old)), (&new, Name::new(&new))]);
        };
        // Git takes any other code for the failure of the program.
        comparison.session.exit_with(Exit::Done as u8);
        let new_path = self.git.get(5).unwrap_or(path);
        let version = |file, path| {
            let is_missing = file == "/dev/null" || file == "nul";
            (!is_missing).then(|| (file, Name::new(path)))
        };
        let versions = [version(&old, path), version(&new, new_path)];
        if self.format == DiffFormat::Human && !comparison.session.is_quiet() {
            let changes = self.changes_for_git([path, new_path], &versions);
            comparison.session.out.write_all(changes.as_bytes())?;
        }
        comparison.pair(new_path, versions)?;
        comparison.end()
    }
}

impl Diff {
    /// A line for a rename or copy, and one for a change of the mode, which git leaves to the program that it calls.
    fn changes_for_git(
        &self,
        [path, new_path]: [&PathBuf; 2],
        versions: &[Option<(&PathBuf, Name)>; 2],
    ) -> String {
        let mut changes = String::new();
        let (old_name, name) = (Name::new(path), Name::new(new_path));
        if path != new_path {
            let extended_header = self.git.get(6).map(|header| header.to_string_lossy());
            let is_copy = extended_header.is_some_and(|header| header.contains("copy from"));
            let what = if is_copy { "copied" } else { "renamed" };
            changes += &format!("{old_name} → {name}: {what}\n");
        }
        if let ([_, old_mode, _, _, new_mode, ..], [Some(_), Some(_)]) = (&self.git[..], versions)
            && old_mode != new_mode
        {
            let (old_mode, new_mode) = (Name::new(old_mode), Name::new(new_mode));
            changes += &format!("{name}: mode {old_mode} → {new_mode}\n");
        }
        changes
    }

    fn inputs(&self) -> Result<Inputs<'_>, UsageError> {
        let (_, old, new) = self.texts();
        let reason = match (Name::new(old).is_stdin(), Name::new(new).is_stdin()) {
            (true, true) => Some("standard input can only be one of the two documents"),
            (true, false) if is_directory(new) => Some(STDIN_AND_DIRECTORY),
            (false, true) if is_directory(old) => Some(STDIN_AND_DIRECTORY),
            _ => None,
        };
        if let Some(reason) = reason {
            return Err(UsageError::Arguments(reason.to_owned()));
        }
        let within = |directory: &PathBuf, file: &PathBuf| {
            directory.join(file.file_name().unwrap_or(file.as_os_str()))
        };
        match (is_directory(old), is_directory(new)) {
            (false, false) => Ok(Inputs::Files([old.clone(), new.clone()])),
            (true, false) => Ok(Inputs::Files([within(old, new), new.clone()])),
            (false, true) => Ok(Inputs::Files([old.clone(), within(new, old)])),
            (true, true) if matches!(self.format, DiffFormat::Patch | DiffFormat::Merge) => {
                let text = "a patch applies to one document; for directories, use --format json, or name two files";
                Err(UsageError::Arguments(text.to_owned()))
            }
            (true, true) => {
                let files = |directory| {
                    self.walk
                        .files(Cow::Borrowed(std::slice::from_ref(directory)))
                };
                let files = |directory| files(directory).map_err(|error| UsageError::new(&error));
                Ok(Inputs::Directories(Box::new([files(old)?, files(new)?])))
            }
        }
    }
}

const STDIN_AND_DIRECTORY: &str =
    "standard input has no name by which to find its file in a directory: name the file";

/// Parses the path of an option.
fn path(option: &str, text: &OsStr) -> Result<Path, UsageError> {
    Path::parse(text.as_encoded_bytes()).map_err(|error| {
        let message = path_messages::bad_path(Some(option), text, &error);
        UsageError::message(message + &path_messages::meant_path(text, &error, |_| None))
    })
}

/// The comparison of one or several pairs of files.
struct Comparison<'a> {
    args: &'a Diff,
    options: DiffOptions,
    keys: ArrayKeys,
    session: &'a mut Session,
}

impl Comparison<'_> {
    /// Compares the files that two directories have in common, and names the others.
    fn directories(&mut self, files: [Files<'_>; 2]) -> io::Result<()> {
        let (_, old, new) = self.args.texts();
        let mut pairs: BTreeMap<PathBuf, [Option<PathBuf>; 2]> = BTreeMap::new();
        let mut empty = None;
        for (side, (directory, files)) in [old, new].into_iter().zip(files).enumerate() {
            for found in self.session.select(files, false) {
                match found {
                    Ok(path) => {
                        let within = path.strip_prefix(directory).unwrap_or(&path).to_owned();
                        pairs.entry(within).or_default()[side] = Some(path);
                    }
                    Err(problem @ Problem::NoFiles) => empty = Some(problem),
                    Err(problem) => self.session.report_problem(&problem)?,
                }
            }
        }
        if let Some(problem) = empty.filter(|_| pairs.is_empty()) {
            self.session.report_problem(&problem)?;
        }
        for (within, sides) in &pairs {
            self.pair(
                within,
                sides
                    .each_ref()
                    .map(|side| side.as_ref().map(|path| (path, Name::new(path)))),
            )?;
        }
        self.end()
    }

    /// Reports the keys that no file has.
    fn end(&mut self) -> io::Result<()> {
        self.session.out.flush()?;
        if self.keys.report_unknown() {
            self.session.note(Exit::Usage);
        }
        Ok(())
    }

    /// Compares two versions of a file, one of which may be missing.
    fn pair(&mut self, file: &FilePath, sides: [Option<(&PathBuf, Name)>; 2]) -> io::Result<()> {
        let (name, human, kind) = match sides {
            [Some(old), Some(new)] => return self.compare(Some(&Name::new(file)), [old, new]),
            [Some((_, name)), None] => (name, "deleted", "removed"),
            [None, new] => (
                new.map_or_else(|| Name::new(file), |new| new.1),
                "added",
                "added",
            ),
        };
        self.session.note(Exit::No);
        if self.session.is_quiet() {
            return Ok(());
        }
        let line = match self.args.format {
            DiffFormat::Json => print::file_record(&Name::new(file), kind),
            _ => format!("{name}: {human}\n"),
        };
        self.session.out.write_all(line.as_bytes())
    }

    /// Compares two files, and prints the differences. If they are versions of a `file`, its path is the one in directories.
    fn compare(
        &mut self,
        file: Option<&Name>,
        [old, new]: [(&PathBuf, Name); 2],
    ) -> io::Result<()> {
        // Both are read, so that the errors of both are shown; those of one file once.
        let is_same = old.0 == new.0;
        let old = CheckedText::read(self.session, old.0, old.1)?;
        if old.is_none() && is_same {
            return Ok(());
        }
        let new = CheckedText::read(self.session, new.0, new.1)?;
        let (Some(mut old), Some(mut new)) = (old, new) else {
            return Ok(());
        };
        let Comparison {
            args,
            options,
            keys,
            session,
        } = self;
        let format = args.format;
        if let Some(reason) = unsuitable(format, [&old, &new]) {
            messages::line(&reason);
            session.note(Exit::Usage);
            return Ok(());
        }
        let before = match Document::index(old.body.value(), Options::default()) {
            Ok(document) => document,
            Err(error) => {
                return session.report_failure(&mut old.input, old.kind, Failure::Invalid(error));
            }
        };
        let after = match Document::index(new.body.value(), Options::default()) {
            Ok(document) => document,
            Err(error) => {
                return session.report_failure(&mut new.input, new.kind, Failure::Invalid(error));
            }
        };
        let diff = diff(&before, &after, options);
        let names = [old.input.name(), new.input.name()];
        let (in_old, in_new) = diff.duplicate_keys();
        for (name, _) in names.iter().zip([in_old, in_new]).filter(|(_, is)| *is) {
            path_messages::warn_of_duplicates(&name.to_string(), None, LAST_COUNTS);
        }
        keys.look_up([&before, &after]);
        // Of several files, one may have the key.
        if file.is_none() && keys.report_unknown() {
            session.note(Exit::Usage);
            return Ok(());
        }
        if !diff.is_empty() {
            session.note(Exit::No);
        }
        if session.is_quiet() {
            return Ok(());
        }
        match format {
            DiffFormat::Patch => TerminalOutput::plain(&mut session.out).write(&diff.to_patch())?,
            DiffFormat::Merge => match diff.to_merge_patch() {
                Ok(patch) => TerminalOutput::plain(&mut session.out).write(&patch)?,
                Err(NotMergeable { null, .. }) => {
                    let position = locate(new.body.text(), new.body.offset(null.span().start));
                    messages::line(&format!(
                        "jsonx: {}:{}:{}: a merge patch cannot set a member to null; --format patch can",
                        names[1], position.line, position.column
                    ));
                    session.note(Exit::Usage);
                }
            },
            DiffFormat::Human | DiffFormat::Json => {
                let colored = is_colored(session.color(), &io::stdout());
                let mut printer = Printer::new(
                    names,
                    [&old.body, &new.body],
                    &diff,
                    file,
                    args.context,
                    colored,
                );
                for change in diff.changes() {
                    let line = match format {
                        DiffFormat::Json => printer.record(&change),
                        _ => printer.lines(&change),
                    };
                    session.out.write_all(line.as_bytes())?;
                }
            }
        }
        if !diff.is_minimal() {
            session.out.flush()?;
            messages::line(
                "jsonx: warning: the search for the fewest changes was cut short: long arrays differ in too many places",
            );
        }
        if session.is_verbose() {
            session.out.flush()?;
            let count = diff.changes().len();
            let plural = if count == 1 { "" } else { "s" };
            messages::line(&format!("jsonx: {}: {count} change{plural}", names[1]));
        }
        Ok(())
    }
}

/// The reason why these inputs cannot be compared in this format.
fn unsuitable(format: DiffFormat, [old, new]: [&CheckedText; 2]) -> Option<String> {
    if old.is_lines() != new.is_lines() {
        let [lines, other] = if old.is_lines() {
            [old, new]
        } else {
            [new, old]
        };
        return Some(format!(
            "jsonx: {} is JSON Lines and {} is not; --input sets the format of both",
            lines.input.name(),
            other.input.name()
        ));
    }
    let is_patch = matches!(format, DiffFormat::Patch | DiffFormat::Merge);
    (old.is_lines() && is_patch).then(|| {
        "jsonx: a patch applies to one document; for JSON Lines, use --format json".to_owned()
    })
}
