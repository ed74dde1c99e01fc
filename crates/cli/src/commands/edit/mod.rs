//! `jsonx set`, `jsonx append` and `jsonx del`: edits that keep every other byte, or the layout of `fmt`.
//!
//! ```text
//! arguments ──► request ──► matches ──► apply ──► transform ──► standard output, or files
//!               path,       one lookup  outcome   a file: one checked pass, then a copy
//!               value                             records: value by value
//! ```

mod apply;
mod create;
mod file_text;
mod matches;
mod outcome;
mod records;
mod request;
mod transform;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

pub use self::outcome::{Failed, Outcome, Refusal, ValueEditor, Warning};
use self::request::{EditKind, NewValue, Request};
pub use self::transform::Editing;
use super::{Command, Plan, UsageError};
use crate::args::{Addition, Append, Common, Del, EditOutput, Global, Set};
use crate::changes::{self, Action};
use crate::exit::Exit;
use crate::files::Selection;
use crate::input::Name;
use crate::messages;
use crate::report::in_shell;
use crate::session::Session;

/// The arguments of any of the commands, parsed.
pub struct Work {
    request: Request,
    selection: Selection,
    action: Action,
    /// The probably intended command, if the value names a file and no file follows, for the message that standard input is not
    /// JSON.
    meant: Option<String>,
}

/// # Errors
/// The combination of options and files is wrong.
fn plan(
    mut request: Request,
    selection: Selection,
    output: EditOutput,
    addition: Option<(&'static str, &OsStr, &OsString)>,
) -> Result<Plan<Work>, UsageError> {
    request.missing_ok = output.missing_ok;
    let action = output.changes.action();
    if let Some(wrong) = output.changes.usage_error(&selection) {
        return Err(UsageError::Arguments(wrong.to_owned()));
    }
    selection.files().map_err(|error| UsageError::new(&error))?;
    let stdin_is_implied = selection.is_empty();
    let addition = addition.filter(|(.., value)| stdin_is_implied && Path::new(value).is_file());
    let meant = addition.map(|(command, path, value)| {
        let name = Name::new(Path::new(value));
        let path = path.to_string_lossy();
        // `.a=1`, as in other programs.
        let pair = path.split_once('=').filter(|(path, _)| !path.is_empty());
        let pair = pair.map(|(path, value)| format!("{} {}", in_shell(path), in_shell(value)));
        let pair = pair.as_deref().unwrap_or("PATH VALUE");
        format!("{name} is the value here; the file comes after it: jsonx {command} {pair} {name}")
    });
    let work = Work {
        request,
        selection,
        action,
        meant: meant.clone(),
    };
    Ok(Plan {
        meant,
        ..Plan::with_findings_on_stderr(work, stdin_is_implied)
    })
}

/// The plan of `set` or `append`.
fn plan_addition(
    command: &'static str,
    path: &OsStr,
    args: &Addition,
    kind: fn(NewValue) -> EditKind,
    unique: bool,
) -> Result<Plan<Work>, UsageError> {
    let mut selection = args.selection.clone();
    let mut request = Request::of_addition(path, args, kind, &mut selection.paths)?;
    request.unique = unique;
    let value = args.value.as_ref().map(|value| (command, path, value));
    plan(request, selection, args.output, value)
}

fn run(work: Work, session: &mut Session) -> io::Result<()> {
    let empty = work.empty_file(session);
    if let Some(path) = empty.filter(|_| work.creates()) {
        if let Err(error) = work.create(path, session) {
            let diagnoser = session.diagnoser();
            let report = diagnoser.not_processed(&Name::new(path), &error.to_string());
            session.print_report(report)?;
        }
        return Ok(());
    }
    let editing = Editing::new(&work.request, session);
    // The globs are valid: the plan has compiled them.
    let files = work.selection.files().map_err(io::Error::other)?;
    changes::run(session, editing, work.action, &work.selection, files)?;
    if let Some(path) = empty.filter(|_| session.exit() != Exit::Done) {
        messages::line(&format!("jsonx: {}", work.creating(path)));
    }
    if let (Action::Print, Some(meant), Exit::NotJson) = (work.action, &work.meant, session.exit())
    {
        messages::line(&format!("jsonx: {meant}"));
    }
    Ok(())
}

impl Command for Set {
    const NAME: &'static str = "set";
    type Work<'a> = Work;

    fn common(&self) -> &Common {
        &self.addition.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Work>, UsageError> {
        plan_addition(Self::NAME, &self.path, &self.addition, EditKind::Set, false)
    }

    fn run(&self, work: Work, session: &mut Session) -> io::Result<()> {
        run(work, session)
    }
}

impl Command for Append {
    const NAME: &'static str = "append";
    type Work<'a> = Work;

    fn common(&self) -> &Common {
        &self.addition.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Work>, UsageError> {
        plan_addition(
            Self::NAME,
            &self.path,
            &self.addition,
            EditKind::Append,
            self.unique,
        )
    }

    fn run(&self, work: Work, session: &mut Session) -> io::Result<()> {
        run(work, session)
    }
}

/// The number of further paths after the first: arguments before the first file name or invalid path.
fn count_paths(arguments: &[PathBuf]) -> usize {
    let is_path = |argument: &PathBuf| {
        let typed = argument.as_os_str().as_encoded_bytes();
        let is_in_folder = argument.is_absolute()
            && argument
                .parent()
                .is_some_and(|folder| folder.parent().is_some() && folder.is_dir());
        let is_of_file = typed.starts_with(b"./") || typed.starts_with(b"../") || is_in_folder;
        typed.first().is_some_and(|first| b".$/#".contains(first))
            && !is_of_file
            && fs::symlink_metadata(argument).is_err()
            && jsonx_core::path::Path::parse(typed).is_ok()
    };
    let files = arguments.iter().position(|argument| !is_path(argument));
    files.unwrap_or(arguments.len())
}

impl Command for Del {
    const NAME: &'static str = "del";
    type Work<'a> = Work;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Work>, UsageError> {
        let mut selection = self.selection.clone();
        let files = selection.paths.split_off(count_paths(&selection.paths));
        let also = std::mem::replace(&mut selection.paths, files);
        let mut request = Request::of_deletion(&self.path, &also)?;
        request.with_comments = self.removes.with_comments;
        plan(request, selection, self.output, None)
    }

    fn run(&self, work: Work, session: &mut Session) -> io::Result<()> {
        run(work, session)
    }
}
