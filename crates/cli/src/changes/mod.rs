//! Changes the text of inputs: prints the result, replaces files, or shows what would change, with `--write`, `--check` and `--diff` of
//! all commands.
//!
//! ```text
//!           open ─► transform ─► standard output
//! --write   open ─► check and compare ─► transform into a temporary file ─► commit
//! --check   open ─► check and compare ─► print the name
//! --diff    open ─► check and compare ─► transform in memory ─► print the differences
//! ```
//!
//! The change of the text is a [`Transform`]. Several files are processed at a time and reported in order.

mod change;
pub mod comments;
mod diff;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::change::{Action, NewText, Transform};
use self::diff::DiffStyle;
use crate::check::{self, CheckOptions, Failure, InputKind};
use crate::config::{Config, RunOptions};
use crate::diagnostics::{Diagnoser, FileReport, byte_order_mark};
use crate::exit::Exit;
use crate::files::compression::text_name;
use crate::files::layout::Unknown;
use crate::files::{Files, Problem, Selection};
use crate::input::{Encoding, Input, Name};
use crate::messages;
use crate::output::{FileToReplace, HeldOutput, ReplaceError, Replacement, TerminalOutput};
use crate::session::{Session, read_as};
use crate::terminal::{is_ci, is_colored};
use crate::threads::in_order;

/// Maximum length of a text whose differences are printed: both versions are then in memory.
const MAX_DIFFED: usize = 256 << 20;

/// Applies a transform to the selected files. Nothing is written if a file on the command line cannot be read: its name is mistyped, or
/// it is another argument.
///
/// # Errors
/// Standard output cannot be written.
pub fn run<T: Transform>(
    session: &mut Session,
    transform: T,
    action: Action,
    selection: &Selection,
    files: Files<'_>,
) -> io::Result<()> {
    let files = session.select_to_rewrite(files, action != Action::Print);
    run_selected(session, transform, action, selection, files)
}

/// Does the same for files that the repository does not exclude.
///
/// # Errors
/// Standard output cannot be written.
pub fn run_selected<T: Transform>(
    session: &mut Session,
    transform: T,
    action: Action,
    selection: &Selection,
    mut files: impl Iterator<Item = Result<PathBuf, Problem>>,
) -> io::Result<()> {
    if action == Action::Print {
        return files.try_for_each(|found| match found {
            Ok(path) => print(session, &transform, &path),
            Err(problem) => session.report_problem(&problem),
        });
    }
    if matches!(action, Action::Write { .. }) {
        let mut problems = selection.unreadable().peekable();
        if problems.peek().is_some() {
            problems.try_for_each(|problem| session.report_problem(&problem))?;
            if !selection.is_one() {
                session.out.flush()?;
                messages::line("jsonx: nothing was written");
            }
            return Ok(());
        }
    }
    let run = Run {
        options: session.options().clone(),
        is_verbose: session.is_verbose(),
        transform,
        action,
        style: DiffStyle {
            colored: is_colored(session.color(), &io::stdout()),
            escaped: session.out.is_terminal(),
        },
    };
    let is_one = selection.is_one();
    let mut counts = Counts::default();
    in_order(
        selection.threads(),
        files,
        |found| match found {
            Ok(path) => run.on(&path),
            Err(problem) => Ok(Done::Missed(problem)),
        },
        |done| report_file::<T>(session, done?, is_one, &mut counts),
    )?;
    let is_to_be_told = match action {
        Action::Check => counts.changed > 0 && run.transform.advice().is_some(),
        Action::Print | Action::Write { .. } | Action::Diff => false,
    };
    if is_to_be_told || io::stderr().is_terminal() {
        session.out.flush()?;
        messages::line(&counts.summary(action, &run.transform));
    }
    Ok(())
}

/// Prints the result for one input, or reports its failure.
fn print<T: Transform>(session: &mut Session, transform: &T, path: &Path) -> io::Result<()> {
    let Some(mut input) = session.open(path)? else {
        return Ok(());
    };
    let transform = transform.with_options(session.file_options());
    let options = session.check_options();
    let is_file = input.is_file();
    let mut kind = options.kind_of(&input);
    let printed = session.by_content(&mut input, &mut kind, |session, input, kind| {
        let plan = transform.plan(input, kind)?;
        let mut out = TerminalOutput::plain(&mut session.out);
        transform.write(&plan, input, kind, &mut *out)
    });
    match printed {
        Ok(()) => {
            let (report, diagnoser) = (FileReport::default(), session.diagnoser());
            let report = transform.report(report, input.name(), &diagnoser);
            session.print_report(report)?;
            if T::IS_EDIT && is_file && session.out.is_terminal() {
                session.out.flush()?;
                let name = input.name();
                messages::line(&format!(
                    "jsonx: {name} is unchanged; -w writes the result to it"
                ));
            }
            Ok(())
        }
        Err(failure) => session.report_failure(&mut input, kind, failure),
    }
}

/// The change of all files.
struct Run<T> {
    options: RunOptions,
    is_verbose: bool,
    transform: T,
    action: Action,
    style: DiffStyle,
}

/// The change of one file.
struct Work<T> {
    options: CheckOptions,
    diagnoser: Arc<Diagnoser>,
    transform: T,
    action: Action,
    style: DiffStyle,
}

/// The result for one file.
enum Done {
    Processed(Box<Processed>),
    /// Not found.
    Missed(Problem),
    /// Its `jsonx.json` cannot be used.
    WithoutConfig(Name, Arc<Config>),
    /// A setting of its formatter cannot be used.
    WithoutLayout(Unknown),
}

struct Processed {
    name: Name,
    /// The dialect, for `--verbose`.
    note: &'static str,
    /// `None` after an error.
    outcome: Option<Outcome>,
    report: FileReport,
    /// The note on a file whose content overrode its name.
    read_as: Option<&'static str>,
}

enum Outcome {
    Unchanged,
    /// With what differs, if that is hard to see.
    WouldChange(Option<&'static str>),
    Rewritten,
    /// It would change, with these differences.
    Diff(Vec<u8>),
}

/// The reason for stopping work on a file: an error, or why it is left alone apart from its text.
type Interrupted = check::Interrupted<String>;

fn left_alone(error: &ReplaceError) -> Interrupted {
    Interrupted::Early(error.to_string())
}

/// For a text longer than [`MAX_DIFFED`].
const TOO_LONG: &str =
    "too long to be compared line by line; --check tells whether it would change";

impl<T: Transform> Run<T> {
    /// Works on a file with the options for it.
    fn on(&self, path: &Path) -> io::Result<Done> {
        let name = Name::new(path);
        let file = match self.options.for_file(&name) {
            Ok(file) => file,
            Err(config) => return Ok(Done::WithoutConfig(name, config)),
        };
        let kind = file.check.kind_of_path(name.path());
        if let Some(unknown) = self.transform.unknown(&name, kind) {
            return Ok(Done::WithoutLayout(unknown));
        }
        let note = file.note(&name).filter(|_| self.is_verbose);
        let work = Work {
            transform: self.transform.with_options(&file),
            options: file.check,
            diagnoser: file.diagnoser,
            action: self.action,
            style: self.style,
        };
        let (done, said) = messages::collect(|| work.transform_file(path, name));
        let mut done = done?;
        let note = note.map(|note| note + "\n").unwrap_or_default();
        done.report.messages.insert_str(0, &(note + &said));
        done.report = work
            .transform
            .report(done.report, &done.name, &work.diagnoser);
        // An unchanged file with errors.
        if done.report.exit != Exit::Done && matches!(done.outcome, Some(Outcome::Unchanged)) {
            done.outcome = None;
        }
        Ok(Done::Processed(Box::new(done)))
    }
}

impl<T: Transform> Work<T> {
    /// Opens a file, and identifies it first if it is to be replaced.
    fn opened(
        &self,
        path: &Path,
        name: &Name,
    ) -> Result<(Option<FileToReplace>, Input), Box<FileReport>> {
        let unreadable = |error| Box::new(self.diagnoser.unreadable(name, &error));
        let refused =
            |error: ReplaceError| Box::new(self.diagnoser.not_processed(name, &error.to_string()));
        // Before opening: only regular files are opened.
        let target = match self.action {
            Action::Write { .. } if name.is_stdin() => Err(ReplaceError::STDIN),
            Action::Write { in_place } => FileToReplace::new(path, in_place).map(Some),
            _ => Ok(None),
        };
        let target = target.map_err(refused)?;
        // Nothing is printed into a file that is rewritten.
        let opened = match target {
            Some(_) => Input::open(path),
            None => self.options.open(path),
        };
        let input = opened.map_err(unreadable)?;
        // Truncated data may lack the signature that the name implies.
        let is_encoded = || input.encoding().is_some() || text_name(path).is_some();
        if target.is_some() && !input.is_messagepack() && is_encoded() {
            return Err(refused(match input.encoding() {
                Some(Encoding::Sequence) => ReplaceError::SEQUENCE,
                _ => ReplaceError::COMPRESSED,
            }));
        }
        let input = self.options.translated(input).map_err(unreadable)?;
        if input.is_messagepack() {
            return Err(refused(ReplaceError::MESSAGEPACK));
        }
        Ok((target, input))
    }

    fn transform_file(&self, path: &Path, name: Name) -> io::Result<Processed> {
        let (target, mut input) = match self.opened(path, &name) {
            Ok(opened) => opened,
            Err(report) => {
                return Ok(Processed {
                    name,
                    note: "",
                    outcome: None,
                    report: *report,
                    read_as: None,
                });
            }
        };
        let mut kind = self.options.kind_of(&input);
        let by_name = kind;
        let mut replacement = None;
        let outcome = match (self.action, target) {
            (_, Some(target)) => self.transformed(target, &mut input, &mut kind).map(|new| {
                replacement = new;
                match replacement {
                    Some(_) => Outcome::Rewritten,
                    None => Outcome::Unchanged,
                }
            }),
            (Action::Diff, None) => {
                let diff = |input: &mut Input, kind| self.diff(input, kind);
                self.options.by_content(&mut input, &mut kind, diff)
            }
            (_, None) => self.check(&mut input, &mut kind),
        };
        let failed = |reason: &str| self.diagnoser.not_processed(&name, reason);
        let (mut outcome, mut report) = match outcome {
            // There is no warning about a byte-order mark, which is removed.
            Ok(Outcome::Rewritten) => (Some(Outcome::Rewritten), FileReport::default()),
            Ok(outcome) => {
                let messages = byte_order_mark(&input).unwrap_or_default();
                let report = match (self.action, &outcome) {
                    (Action::Check, Outcome::Unchanged | Outcome::WouldChange(_)) => {
                        let is_formatted = matches!(outcome, Outcome::Unchanged);
                        self.diagnoser.layout(&name, input.length(), is_formatted)
                    }
                    _ => FileReport::default(),
                };
                (Some(outcome), FileReport { messages, ..report })
            }
            Err(Interrupted::Failed(failure)) => {
                (None, self.diagnoser.failure(&mut input, kind, failure)?)
            }
            Err(Interrupted::Early(reason)) => (None, failed(&reason)),
        };
        // Windows does not replace a file that is open.
        drop(input);
        if let Some(Err(error)) = replacement.map(Replacement::commit) {
            (outcome, report) = (None, failed(&error.to_string()));
        }
        Ok(Processed {
            name,
            note: kind.note(),
            outcome,
            report,
            read_as: read_as(by_name, kind),
        })
    }

    fn check(&self, input: &mut Input, kind: &mut InputKind) -> Result<Outcome, Interrupted> {
        let is_unchanged = |input: &mut Input, kind| self.transform.is_unchanged(input, kind);
        if self.options.by_content(input, kind, is_unchanged)? {
            Ok(Outcome::Unchanged)
        } else {
            Ok(Outcome::WouldChange(
                self.transform.difference(input, *kind),
            ))
        }
    }

    /// The complete replacement of a file; `None` if nothing changes.
    fn transformed(
        &self,
        target: FileToReplace,
        input: &mut Input,
        kind: &mut InputKind,
    ) -> Result<Option<Replacement>, Interrupted> {
        let plan = |input: &mut Input, kind| self.transform.plan(input, kind);
        let plan = self.options.by_content(input, kind, plan)?;
        if !self.transform.changes(&plan) {
            return Ok(None);
        }
        let original = input.file().ok_or(ReplaceError::CHANGED);
        let mut replacement = original
            .and_then(|original| target.replacement(original))
            .map_err(|error| left_alone(&error))?;
        let written = self.transform.write(&plan, input, *kind, &mut replacement);
        match written {
            Ok(()) => Ok(Some(replacement)),
            Err(Failure::Write(error)) => Err(left_alone(&ReplaceError::unwritten(error))),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Compares both versions in memory; for a file, only if they are known to differ.
    fn diff(&self, input: &mut Input, kind: InputKind) -> Result<Outcome, Interrupted> {
        let too_long = || Interrupted::Early(TOO_LONG.to_owned());
        input.keep();
        let plan = self.transform.plan(input, kind)?;
        if !self.transform.changes(&plan) {
            return Ok(Outcome::Unchanged);
        }
        let mut after = HeldOutput {
            most: MAX_DIFFED,
            ..HeldOutput::default()
        };
        match self.transform.write(&plan, input, kind, &mut after) {
            Err(Failure::Write(_)) => return Err(too_long()),
            written => written?,
        }
        let (before, after) = (input.original(MAX_DIFFED)?, after.text);
        let before = before.ok_or_else(too_long)?;
        if before == after {
            return Ok(Outcome::Unchanged);
        }
        let diff = diff::unified(input.name(), &before, &after, self.style);
        Ok(Outcome::Diff(diff))
    }
}

/// Reports the result of a file, which `is_one` if no others were named, and counts it in the exit code.
fn report_file<T: Transform>(
    session: &mut Session,
    done: Done,
    is_one: bool,
    counts: &mut Counts,
) -> io::Result<()> {
    let Processed {
        name,
        note,
        outcome,
        mut report,
        read_as,
    } = match done {
        Done::Processed(done) => *done,
        Done::Missed(problem) => {
            counts.failed += u64::from(problem.is_failure());
            return session.report_problem(&problem);
        }
        Done::WithoutConfig(name, config) => {
            counts.failed += 1;
            return session.report_config(&name, &config);
        }
        Done::WithoutLayout(unknown) => {
            counts.failed += u64::from(!unknown.is_of_biome);
            return session.report_unknown(&unknown, true);
        }
    };
    let (count, result) = match &outcome {
        None => (&mut counts.failed, ""),
        Some(Outcome::Unchanged) => (&mut counts.unchanged, T::UNCHANGED),
        Some(Outcome::Rewritten) => (&mut counts.changed, "rewritten"),
        Some(Outcome::WouldChange(_) | Outcome::Diff(_)) => (&mut counts.changed, T::WOULD_CHANGE),
    };
    *count += 1;
    if session.is_verbose()
        && let Some(note) = read_as
    {
        report.messages += &format!("{name}: {note}\n");
    }
    let is_told = match outcome {
        // A file that was named alone changed as it was told to.
        Some(Outcome::Rewritten) => !is_one || session.is_verbose(),
        Some(_) => session.is_verbose(),
        None => false,
    };
    if is_told {
        let note = if session.is_verbose() { note } else { "" };
        report.messages += &format!("{name}: {result}{note}\n");
    }
    match outcome {
        Some(Outcome::WouldChange(difference)) => {
            session.note(Exit::No);
            if let Some(difference) = difference {
                report.messages += &format!("{name}: {difference}\n");
            }
            // Requested reporters have it already.
            if !session.is_quiet() && !session.reports_on_stdout() {
                list(session, &name)?;
            }
        }
        Some(Outcome::Diff(text)) => {
            session.note(Exit::No);
            if !session.is_quiet() {
                session.out.write_all(&text)?;
            }
        }
        _ => {}
    }
    session.print_report(report)
}

/// Prints a name, unchanged for programs, escaped on a terminal and in the log of a CI service.
pub fn list(session: &mut Session, name: &Name) -> io::Result<()> {
    let text = if session.out.is_terminal() || is_ci() {
        name.to_string().into_bytes()
    } else {
        name.as_argument().into_owned()
    };
    session.out.write_all(&[&text[..], b"\n"].concat())
}

/// The numbers of files by result.
#[derive(Default)]
struct Counts {
    unchanged: u64,
    changed: u64,
    failed: u64,
}

impl Counts {
    /// The last line of a run.
    fn summary<T: Transform>(&self, action: Action, transform: &T) -> String {
        let files = match self.changed {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let mut line = match (action, transform.advice()) {
            (Action::Write { .. }, _) => {
                format!("{files} rewritten, {} {}", self.unchanged, T::UNCHANGED)
            }
            (Action::Check, Some(advice)) if self.changed > 0 => {
                let are = if self.changed == 1 { "is" } else { "are" };
                let failed = match self.failed {
                    0 => String::new(),
                    failed => format!(", {failed} could not be checked"),
                };
                return format!("{files} {are} {}{failed}; {advice}", T::WOULD_CHANGE);
            }
            _ => format!(
                "{files} would be rewritten, {} {}",
                self.unchanged,
                T::UNCHANGED
            ),
        };
        if self.failed > 0 {
            line += &format!(", {} left alone because of errors", self.failed);
        }
        line
    }
}
