//! `--write`, `--check`, `--diff`: many files, several at a time, told of in their order.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use jsonx_core::{Output, RewriteError, RewriteOptions, Rewriter, Stop, Validator};

use super::compare::is_formatted;
use super::diff::{self, Look};
use crate::args::{Action, Fmt};
use crate::check::InputKind;
use crate::check::{self, CheckOptions, Failure, output_error, push};
use crate::diagnostics::{Diagnoser, FileReport, byte_order_mark};
use crate::exit::Exit;
use crate::files::{Files, Problem};
use crate::input::{BYTE_ORDER_MARK, Input, Name};
use crate::messages;
use crate::output::{ReplaceError, Replacement, Target};
use crate::session::Session;
use crate::terminal::{is_ci, is_colored};
use crate::threads::in_order;

/// Bytes of a text before and after that are compared line by line: both are in memory then.
const LONGEST: usize = 256 << 20;

/// Does what was asked for to each file.
pub fn run(session: &mut Session, args: &Fmt, action: Action, files: Files<'_>) -> io::Result<()> {
    let work = Work {
        options: session.check_options(),
        diagnoser: session.diagnoser(),
        rewrite: super::rewrite(&args.layout),
        action,
        look: Look {
            colour: is_colored(session.color(), &io::stdout()),
            escape: session.out.is_terminal(),
        },
    };
    let mut tally = Tally::default();
    in_order(
        args.selection.threads(),
        files,
        |found| found.map(|path| work.on(&path)),
        |done| report_file(session, done, &mut tally),
    )?;
    if !session.is_quiet() && io::stderr().is_terminal() {
        session.out.flush()?;
        messages::line(&tally.summary(action));
    }
    Ok(())
}

/// What to do with each file.
struct Work {
    options: CheckOptions,
    diagnoser: Arc<Diagnoser>,
    rewrite: RewriteOptions,
    action: Action,
    look: Look,
}

/// What became of a file.
struct Done {
    name: Name,
    /// `None` where something was in the way.
    outcome: Option<Outcome>,
    /// What is to be said about it.
    said: FileReport,
}

enum Outcome {
    /// It is as it should be.
    Formatted,
    /// It is not.
    Differs,
    /// It was not.
    Rewritten,
    /// It is not, and this is what differs.
    Diff(Vec<u8>),
}

/// What was in the way.
enum Obstacle {
    Failure(Failure),
    Unwritten(ReplaceError),
    /// The texts are too long to be compared line by line.
    TooLong,
}

impl<T: Into<Failure>> From<T> for Obstacle {
    fn from(failure: T) -> Obstacle {
        Obstacle::Failure(failure.into())
    }
}

impl Work {
    fn on(&self, path: &Path) -> io::Result<Done> {
        let name = Name::of(path);
        // Before it is opened: what is not a regular file is not even that.
        let target = match self.action {
            Action::Write if name.is_stdin() => Err(ReplaceError::STDIN),
            Action::Write => Target::of(path).map(Some),
            _ => Ok(None),
        };
        // Nothing is printed into a file that is rewritten.
        let open = match self.action {
            Action::Write => Input::open,
            _ => check::open,
        };
        let opened = match target {
            Ok(target) => open(path)
                .map(|input| (target, input))
                .map_err(|error| self.diagnoser.unreadable(&name, &error)),
            Err(error) => Err(self.diagnoser.trouble(&name, &error.to_string())),
        };
        let (target, mut input) = match opened {
            Ok(opened) => opened,
            Err(said) => {
                return Ok(Done {
                    name,
                    outcome: None,
                    said,
                });
            }
        };
        let kind = self.options.kind_of(&input);
        let outcome = match (self.action, target) {
            (_, Some(target)) => match self.rewrite(target, &mut input, kind) {
                Ok(Some(replacement)) => {
                    // Windows puts nothing in the place of a file that is open.
                    drop(input);
                    return Ok(self.replace(name, replacement));
                }
                Ok(None) => Ok(Outcome::Formatted),
                Err(obstacle) => Err(obstacle),
            },
            (Action::Diff, None) => self.differ(&mut input, kind),
            (_, None) => self.check(&mut input, kind),
        };
        let (outcome, said) = match outcome {
            Ok(outcome) => {
                let aside = byte_order_mark(&input).unwrap_or_default();
                let said = FileReport {
                    aside,
                    ..FileReport::default()
                };
                (Some(outcome), said)
            }
            Err(obstacle) => (None, self.say(&mut input, kind, obstacle)?),
        };
        Ok(Done {
            name,
            outcome,
            said,
        })
    }

    /// What is to be said about an input that something was in the way of.
    fn say(
        &self,
        input: &mut Input,
        kind: InputKind,
        obstacle: Obstacle,
    ) -> io::Result<FileReport> {
        match obstacle {
            Obstacle::Failure(failure) => self.diagnoser.failure(input, kind, failure),
            Obstacle::Unwritten(error) => {
                Ok(self.diagnoser.trouble(input.name(), &error.to_string()))
            }
            Obstacle::TooLong => Ok(self.diagnoser.trouble(
                input.name(),
                "too long to be compared line by line; --check says whether it would change",
            )),
        }
    }

    fn check(&self, input: &mut Input, kind: InputKind) -> Result<Outcome, Obstacle> {
        match is_formatted(
            self.options,
            super::rewriting(self.rewrite, kind),
            input,
            kind,
        )? {
            true => Ok(Outcome::Formatted),
            false => Ok(Outcome::Differs),
        }
    }

    /// The new self of a file, complete; `None` if it is formatted.
    fn rewrite(
        &self,
        target: Target,
        input: &mut Input,
        kind: InputKind,
    ) -> Result<Option<Replacement>, Obstacle> {
        if is_formatted(
            self.options,
            super::rewriting(self.rewrite, kind),
            input,
            kind,
        )? {
            return Ok(None);
        }
        let original = input.file().ok_or(ReplaceError::CHANGED);
        let replacement = original
            .and_then(|original| target.replacement(original))
            .map_err(Obstacle::Unwritten)?;
        let mut rewriter = Rewriter::new(super::rewriting(self.rewrite, kind), replacement);
        let mut validator = Validator::new(self.options.engine(kind));
        input
            .each_window(|window| push(&mut validator, window, &mut rewriter).map_err(unwritten))?;
        let replacement = rewriter
            .finish()
            .map_err(|halt| unwritten(Stop::Sink(halt)))?;
        Ok(Some(replacement))
    }

    /// Puts it in the place of the old one. A byte-order mark is not spoken of: it is gone.
    fn replace(&self, name: Name, replacement: Replacement) -> Done {
        let (outcome, said) = match replacement.commit() {
            Ok(()) => (Some(Outcome::Rewritten), FileReport::default()),
            Err(error) => (None, self.diagnoser.trouble(&name, &error.to_string())),
        };
        Done {
            name,
            outcome,
            said,
        }
    }

    /// Compares with the whole text and its new self in memory, which for a file is done only if they differ.
    fn differ(&self, input: &mut Input, kind: InputKind) -> Result<Outcome, Obstacle> {
        if input.is_file()
            && is_formatted(
                self.options,
                super::rewriting(self.rewrite, kind),
                input,
                kind,
            )?
        {
            return Ok(Outcome::Formatted);
        }
        let mut lines = self.options.lines(kind).filter(|_| !input.is_file());
        let mut before = Limited(Vec::new());
        let mut rewriter = Rewriter::new(super::rewriting(self.rewrite, kind), Limited(Vec::new()));
        let mut validator = Validator::new(self.options.engine(kind));
        input.each_window(|window| {
            if let Some(lines) = &mut lines {
                lines.look(window)?;
            }
            let taken = push(&mut validator, window, &mut rewriter).map_err(too_long)?;
            before
                .write(window.bytes())
                .map_err(|TooLong| Obstacle::TooLong)?;
            Ok::<_, Obstacle>(taken)
        })?;
        let Limited(after) = rewriter
            .finish()
            .map_err(|halt| too_long(Stop::Sink(halt)))?;
        let mut before = before.0;
        if input.has_byte_order_mark() {
            before.splice(..0, BYTE_ORDER_MARK.iter().copied());
        }
        if before == after {
            return Ok(Outcome::Formatted);
        }
        let diff = diff::unified(input.name(), &before, &after, self.look);
        Ok(Outcome::Diff(diff))
    }
}

/// A text in memory that may not become too long.
struct Limited(Vec<u8>);

/// It did.
#[derive(Debug)]
struct TooLong;

impl Output for Limited {
    type Error = TooLong;

    fn write(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if bytes.len() > LONGEST - self.0.len() || self.0.try_reserve(bytes.len()).is_err() {
            return Err(TooLong);
        }
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

fn unwritten(stop: Stop<RewriteError<ReplaceError>>) -> Obstacle {
    match stop {
        Stop::Invalid(error) => Obstacle::Failure(Failure::Invalid(error)),
        Stop::Sink(halt) => output_error(halt).map_or_else(Obstacle::Failure, Obstacle::Unwritten),
    }
}

fn too_long(stop: Stop<RewriteError<TooLong>>) -> Obstacle {
    match stop {
        Stop::Invalid(error) => Obstacle::Failure(Failure::Invalid(error)),
        Stop::Sink(halt) => {
            output_error(halt).map_or_else(Obstacle::Failure, |TooLong| Obstacle::TooLong)
        }
    }
}

/// Tells of a file what there is to tell, and notes it in the exit code.
fn report_file(
    session: &mut Session,
    done: Result<io::Result<Done>, Problem>,
    tally: &mut Tally,
) -> io::Result<()> {
    let Done {
        name,
        outcome,
        mut said,
    } = match done {
        Ok(done) => done?,
        Err(problem) => {
            tally.failed += 1;
            return session.miss(&problem);
        }
    };
    let (count, what) = match &outcome {
        None => (&mut tally.failed, ""),
        Some(Outcome::Formatted) => (&mut tally.formatted, "already formatted"),
        Some(Outcome::Rewritten) => (&mut tally.changed, "rewritten"),
        Some(Outcome::Differs | Outcome::Diff(_)) => (&mut tally.changed, "not formatted"),
    };
    *count += 1;
    if session.is_verbose() && outcome.is_some() {
        said.aside += &format!("{name}: {what}\n");
    }
    match outcome {
        Some(Outcome::Differs) => {
            session.note(Exit::No);
            if !session.is_quiet() {
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
    session.say(said)
}

/// Prints a name as it is, for programs. A terminal and the log of a CI service get nothing that they would carry out.
fn list(session: &mut Session, name: &Name) -> io::Result<()> {
    let text = match session.out.is_terminal() || is_ci() {
        true => name.to_string().into_bytes(),
        false => name.as_argument().into_owned(),
    };
    session.out.write_all(&[&text[..], b"\n"].concat())
}

/// How many files were what.
#[derive(Default)]
struct Tally {
    formatted: u64,
    changed: u64,
    failed: u64,
}

impl Tally {
    /// The last line of a run, for a person who waits for it.
    fn summary(&self, action: Action) -> String {
        let files = match self.changed {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let mut line = match action {
            Action::Write => format!("{files} rewritten, {} already formatted", self.formatted),
            _ => format!(
                "{files} would be rewritten, {} already formatted",
                self.formatted
            ),
        };
        if self.failed > 0 {
            line += &format!(", {} left alone because of errors", self.failed);
        }
        line
    }
}
