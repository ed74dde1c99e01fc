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
    let options = session.options().clone();
    let is_verbose = session.is_verbose();
    let work = Work {
        options: options.check.clone(),
        diagnoser: options.diagnoser.clone(),
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
        |found| found.map(|path| work.on_configured(&options, &path, is_verbose)),
        |done| match done {
            Ok(Err(unusable)) => {
                let is_of_biome = matches!(&unusable, Unusable::Layout(it) if it.is_of_biome);
                counts.failed += u64::from(!is_of_biome);
                match unusable {
                    Unusable::Config(name, config) => session.report_config(&name, &config),
                    Unusable::Layout(unknown) => session.report_unknown(&unknown, true),
                }
            }
            Ok(Ok(done)) => report_file::<T>(session, Ok(done), is_one, &mut counts),
            Err(problem) => report_file::<T>(session, Err(problem), is_one, &mut counts),
        },
    )?;
    let is_to_be_told = match action {
        Action::Check => counts.changed > 0 && work.transform.advice().is_some(),
        Action::Print | Action::Write { .. } | Action::Diff => false,
    };
    if !session.is_quiet() && (is_to_be_told || io::stderr().is_terminal()) {
        session.out.flush()?;
        messages::line(&counts.summary(action, &work.transform));
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
            if T::IS_EDIT && is_file && !session.is_quiet() && session.out.is_terminal() {
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

/// The change of each file.
struct Work<T> {
    options: CheckOptions,
    diagnoser: Arc<Diagnoser>,
    transform: T,
    action: Action,
    style: DiffStyle,
}

/// The result for one file.
struct Done {
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

/// Reasons, apart from its text, for not changing a file.
enum LeftAlone {
    Replace(ReplaceError),
    /// The text is longer than [`MAX_DIFFED`].
    TooLong,
}

/// Settings that cannot be used.
enum Unusable {
    /// Those of a `jsonx.json`, and a file that they apply to.
    Config(Name, Arc<Config>),
    /// Those of a formatter.
    Layout(Unknown),
}

/// The reason for stopping work on a file.
type Interrupted = check::Interrupted<LeftAlone>;

impl<T: Transform> Work<T> {
    /// Works on a file with the options for it.
    ///
    /// # Errors
    /// Settings that cannot be used.
    fn on_configured(
        &self,
        run: &RunOptions,
        path: &Path,
        is_verbose: bool,
    ) -> Result<io::Result<Done>, Unusable> {
        let name = Name::new(path);
        let file = match run.for_file(&name) {
            Ok(file) => file,
            Err(config) => return Err(Unusable::Config(name, config)),
        };
        let kind = file.check.kind_of_path(name.path());
        if let Some(unknown) = self.transform.unknown(&name, kind) {
            return Err(Unusable::Layout(unknown));
        }
        if file.settings.is_none() {
            return Ok(self.on(path));
        }
        let note = file.note(&name).filter(|_| is_verbose);
        let work = Work {
            transform: self.transform.with_options(&file),
            options: file.check,
            diagnoser: file.diagnoser,
            ..*self
        };
        Ok(work.on(path).map(|mut done| {
            let note = note.map(|note| note + "\n").unwrap_or_default();
            done.report.messages.insert_str(0, &note);
            done
        }))
    }

    fn on(&self, path: &Path) -> io::Result<Done> {
        let (done, said) = messages::collect(|| self.transform_file(path));
        let mut done = done?;
        done.report.messages.insert_str(0, &said);
        let report = std::mem::take(&mut done.report);
        done.report = self.transform.report(report, &done.name, &self.diagnoser);
        // An unchanged file with errors.
        if done.report.exit != Exit::Done && matches!(done.outcome, Some(Outcome::Unchanged)) {
            done.outcome = None;
        }
        Ok(done)
    }

    fn transform_file(&self, path: &Path) -> io::Result<Done> {
        let name = Name::new(path);
        // Before opening: only regular files are opened.
        let target = match self.action {
            Action::Write { .. } if name.is_stdin() => Err(ReplaceError::STDIN),
            Action::Write { in_place } => FileToReplace::new(path, in_place).map(Some),
            _ => Ok(None),
        };
        // Nothing is printed into a file that is rewritten.
        let open = || match self.action {
            Action::Write { .. } => Input::open(path),
            _ => self.options.open(path),
        };
        let opened = match target {
            Ok(target) => match open() {
                // Truncated data may lack the signature that the name implies.
                Ok(input)
                    if target.is_some()
                        && !input.is_messagepack()
                        && (input.encoding().is_some() || text_name(path).is_some()) =>
                {
                    let error = match input.encoding() {
                        Some(Encoding::Sequence) => ReplaceError::SEQUENCE,
                        _ => ReplaceError::COMPRESSED,
                    };
                    Err(self.diagnoser.not_processed(&name, &error.to_string()))
                }
                opened => match opened.and_then(|input| self.options.translated(input)) {
                    Ok(input) if input.is_messagepack() => {
                        let error = ReplaceError::MESSAGEPACK.to_string();
                        Err(self.diagnoser.not_processed(&name, &error))
                    }
                    Ok(input) => Ok((target, input)),
                    Err(error) => Err(self.diagnoser.unreadable(&name, &error)),
                },
            },
            Err(error) => Err(self.diagnoser.not_processed(&name, &error.to_string())),
        };
        let (target, mut input) = match opened {
            Ok(opened) => opened,
            Err(report) => {
                return Ok(Done {
                    name,
                    note: "",
                    outcome: None,
                    report,
                    read_as: None,
                });
            }
        };
        let mut kind = self.options.kind_of(&input);
        let by_name = kind;
        let outcome = match (self.action, target) {
            (_, Some(target)) => match self.transformed(target, &mut input, &mut kind) {
                Ok(Some(replacement)) => {
                    // Windows does not replace a file that is open.
                    drop(input);
                    return Ok(Done {
                        read_as: read_as(by_name, kind),
                        ..self.commit(name, kind, replacement)
                    });
                }
                Ok(None) => Ok(Outcome::Unchanged),
                Err(stopped) => Err(stopped),
            },
            (Action::Diff, None) => {
                let diff = |input: &mut Input, kind| self.diff(input, kind);
                self.options.by_content(&mut input, &mut kind, diff)
            }
            (_, None) => self.check(&mut input, &mut kind),
        };
        let (outcome, report) = match outcome {
            Ok(outcome) => {
                let messages = byte_order_mark(&input).unwrap_or_default();
                let report = match (self.action, &outcome) {
                    (Action::Check, Outcome::Unchanged | Outcome::WouldChange(_)) => {
                        let is_formatted = matches!(outcome, Outcome::Unchanged);
                        self.diagnoser.layout(&name, input.length(), is_formatted)
                    }
                    _ => FileReport::default(),
                };
                let report = FileReport { messages, ..report };
                (Some(outcome), report)
            }
            Err(stopped) => (None, self.report(&mut input, kind, stopped)?),
        };
        Ok(Done {
            name,
            note: kind.note(),
            outcome,
            report,
            read_as: read_as(by_name, kind),
        })
    }

    /// The report of an unchanged file.
    fn report(
        &self,
        input: &mut Input,
        kind: InputKind,
        stopped: Interrupted,
    ) -> io::Result<FileReport> {
        match stopped {
            Interrupted::Failed(failure) => self.diagnoser.failure(input, kind, failure),
            Interrupted::Early(LeftAlone::Replace(error)) => Ok(self
                .diagnoser
                .not_processed(input.name(), &error.to_string())),
            Interrupted::Early(LeftAlone::TooLong) => Ok(self.diagnoser.not_processed(
                input.name(),
                "too long to be compared line by line; --check tells whether it would change",
            )),
        }
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
            .map_err(|error| Interrupted::Early(LeftAlone::Replace(error)))?;
        let written = self.transform.write(&plan, input, *kind, &mut replacement);
        match written {
            Ok(()) => Ok(Some(replacement)),
            Err(Failure::Write(error)) => Err(Interrupted::Early(LeftAlone::Replace(
                ReplaceError::unwritten(error),
            ))),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Replaces the file. There is no warning about a byte-order mark, which is removed.
    fn commit(&self, name: Name, kind: InputKind, replacement: Replacement) -> Done {
        let (outcome, report) = match replacement.commit() {
            Ok(()) => (Some(Outcome::Rewritten), FileReport::default()),
            Err(error) => (
                None,
                self.diagnoser.not_processed(&name, &error.to_string()),
            ),
        };
        Done {
            name,
            note: kind.note(),
            outcome,
            report,
            read_as: None,
        }
    }

    /// Compares both versions in memory; for a file, only if they are known to differ.
    fn diff(&self, input: &mut Input, kind: InputKind) -> Result<Outcome, Interrupted> {
        let too_long = Interrupted::Early(LeftAlone::TooLong);
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
            Err(Failure::Write(_)) => return Err(too_long),
            written => written?,
        }
        let (before, after) = (input.original(MAX_DIFFED)?, after.text);
        let before = before.ok_or(too_long)?;
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
    done: Result<io::Result<Done>, Problem>,
    is_one: bool,
    counts: &mut Counts,
) -> io::Result<()> {
    let Done {
        name,
        note,
        outcome,
        mut report,
        read_as,
    } = match done {
        Ok(done) => done?,
        Err(problem) => {
            counts.failed += u64::from(problem.is_failure());
            return session.report_problem(&problem);
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
        Some(Outcome::Rewritten) => !session.is_quiet() && (!is_one || session.is_verbose()),
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
            if let Some(difference) = difference.filter(|_| !session.is_quiet()) {
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
fn list(session: &mut Session, name: &Name) -> io::Result<()> {
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
