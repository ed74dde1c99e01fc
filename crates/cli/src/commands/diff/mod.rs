//! `jsonx diff`: the differences between two documents.
//!
//! ```text
//! OLD ─► text.rs: read, validate ─► Document ─┐
//!                                             ├─► jsonx_core::diff ─► print.rs, or a patch
//! NEW ─► text.rs: read, validate ─► Document ─┘
//! ```

mod keys;
mod print;
mod text;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

use jsonx_core::diff::{DiffOptions, NotMergeable, diff};
use jsonx_core::engine::Options;
use jsonx_core::path::Path;
use jsonx_core::position::locate;
use jsonx_core::{Document, ErrorKind};

use self::keys::KeyPath;
use self::print::Printer;
pub use self::print::shown;
pub use self::text::{Text, open};
use super::{Command, Plan, UsageError};
use crate::args::{Common, Diff, DiffFormat, Global};
use crate::check::Failure;
use crate::exit::Exit;
use crate::input::Name;
use crate::messages;
use crate::output::TerminalOutput;
use crate::path_messages::{self, LAST_COUNTS};
use crate::session::Session;
use crate::terminal::is_colored;

impl Command for Diff {
    const NAME: &'static str = "diff";
    type Work<'a> = (DiffOptions, Vec<KeyPath>);

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Self::Work<'_>>, UsageError> {
        if matches!(self.git.len(), 1..=4) {
            let text = "two documents are compared; git gives seven arguments";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        let (_, old, new) = self.texts();
        if Name::of(old).is_stdin() && Name::of(new).is_stdin() {
            let text = "standard input can only be one of the two documents";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        let mut options = DiffOptions::default().exact(self.exact);
        let mut keys = Vec::new();
        for text in &self.key {
            let path = keys::parse(text)?;
            options = options.key_path(&path.keys);
            keys.push(path);
        }
        for text in &self.set {
            options = options.set(path("--set", text)?);
        }
        for text in &self.ignore {
            options = options.ignore(path("--ignore", text)?);
        }
        Ok(Plan::with_findings_on_stderr((options, keys), false))
    }

    fn run(&self, work: Self::Work<'_>, session: &mut Session) -> io::Result<()> {
        let (options, keys) = work;
        let (path, old, new) = self.texts();
        if let Some(path) = path {
            // Git takes any other code for the failure of the program.
            session.exit_with(Exit::Done as u8);
            let missing =
                |file: &PathBuf| file.as_os_str() == "/dev/null" || file.as_os_str() == "nul";
            let name = Name::of(path);
            let line = match (missing(old), missing(new)) {
                (true, _) => format!("{name}: added\n"),
                (_, true) => format!("{name}: deleted\n"),
                _ => String::new(),
            };
            session.out.write_all(line.as_bytes())?;
            if !line.is_empty() {
                return Ok(());
            }
        }
        // Both are read, so that the errors of both are shown.
        let named = |file: &PathBuf| Name::of(path.unwrap_or(file));
        let old = Text::read(session, old, named(old))?;
        let new = Text::read(session, new, named(new))?;
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(());
        };
        compare(session, self, (&options, &keys), old, new)
    }
}

/// Parses the path of an option.
fn path(option: &str, text: &OsStr) -> Result<Path, UsageError> {
    Path::parse(text.as_encoded_bytes()).map_err(|error| {
        let message = path_messages::bad_path(Some(option), text, &error);
        UsageError::Message(message + &path_messages::meant_path(text, &error, |_| None))
    })
}

/// Compares two texts and prints the differences.
fn compare(
    session: &mut Session,
    args: &Diff,
    (options, keys): (&DiffOptions, &[KeyPath]),
    mut old: Text,
    mut new: Text,
) -> io::Result<()> {
    let format = args.format;
    if let Some(why) = unsuitable(format, old.is_lines(), new.is_lines()) {
        messages::line(why);
        session.note(Exit::Usage);
        return Ok(());
    }
    let before = match Document::index(old.body.value(), Options::default()) {
        Ok(document) => document,
        Err(error) => return session.report_failure(&mut old.input, old.kind, memory(error)),
    };
    let after = match Document::index(new.body.value(), Options::default()) {
        Ok(document) => document,
        Err(error) => return session.report_failure(&mut new.input, new.kind, memory(error)),
    };
    let diff = match diff(&before, &after, options) {
        Ok(diff) => diff,
        Err(error) => return session.report_failure(&mut new.input, new.kind, memory(error)),
    };
    let names = [old.input.name(), new.input.name()];
    let (in_old, in_new) = diff.duplicate_keys();
    for (name, _) in names.iter().zip([in_old, in_new]).filter(|(_, is)| *is) {
        path_messages::warn_of_duplicates(&name.to_string(), None, LAST_COUNTS);
    }
    if keys::report_unknown(keys, [&before, &after]) {
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
            let mut printer = Printer::new(names, [&old.body, &new.body], &diff, colored);
            for change in diff.changes() {
                let line = match format {
                    DiffFormat::Json => printer.record(&change),
                    _ => printer.line(&change),
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
        messages::line(&format!("jsonx: {count} change{plural}"));
    }
    Ok(())
}

/// The reason why these inputs cannot be compared in this format.
fn unsuitable(format: DiffFormat, old_is_lines: bool, new_is_lines: bool) -> Option<&'static str> {
    if old_is_lines != new_is_lines {
        return Some(
            "jsonx: one input is JSON Lines and the other is not; --input sets the format of both",
        );
    }
    let is_patch = matches!(format, DiffFormat::Patch | DiffFormat::Merge);
    (old_is_lines && is_patch)
        .then_some("jsonx: a patch applies to one document; for JSON Lines, use --format json")
}

/// The texts are valid, so the only possible error is a lack of memory.
pub fn memory(error: jsonx_core::SyntaxError) -> Failure {
    match error.kind {
        ErrorKind::OutOfMemory => Failure::Read(io::ErrorKind::OutOfMemory.into()),
        _ => Failure::Invalid(error),
    }
}
