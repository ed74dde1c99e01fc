//! `fmt --staged --write`: rewrites files, and stages them as they are then.

use std::io;
use std::path::PathBuf;

use super::Formatting;
use crate::changes::{self, Action};
use crate::exit::Exit;
use crate::files::staged::Staged;
use crate::files::{Problem, Selection};
use crate::input::Name;
use crate::messages;
use crate::report::escape;
use crate::session::Session;

/// A file that has changes besides the staged ones.
const OTHER_CHANGES: &str = "left alone: it has unstaged changes; `git add` stages them, \
    `git stash --keep-index` sets them aside";

/// Formats the staged files that have no other changes.
///
/// # Errors
/// Standard output cannot be written.
pub fn write(
    session: &mut Session,
    formatting: Formatting,
    action: Action,
    selection: &Selection,
    files: impl Iterator<Item = Result<PathBuf, Problem>>,
) -> io::Result<()> {
    let others = match Staged::with_other_changes(&selection.paths) {
        Ok(others) => others,
        Err(error) => return failed(session, &error),
    };
    for path in &others {
        let diagnoser = session.diagnoser();
        let report = diagnoser.not_processed(&Name::new(path), OTHER_CHANGES);
        session.print_report(report)?;
    }
    let is_staged = |path: &PathBuf| !others.contains(path);
    let files = files.filter(|found| found.as_ref().ok().is_none_or(is_staged));
    changes::run_selected(session, formatting, action, selection, files)?;
    let paths = selection.paths.iter().filter(|path| is_staged(path));
    match Staged::stage(&paths.cloned().collect::<Vec<_>>()) {
        Ok(()) => Ok(()),
        Err(error) => failed(session, &error),
    }
}

/// Reports that git has failed.
fn failed(session: &mut Session, error: &io::Error) -> io::Result<()> {
    session.note(Exit::Failure);
    messages::line(&format!("jsonx: --staged: {}", escape(&error.to_string())));
    Ok(())
}
