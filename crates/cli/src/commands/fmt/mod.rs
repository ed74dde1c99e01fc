//! `jsonx fmt`: changes the white space between tokens and applies the requested rewrites.
//!
//! ```text
//! one input                   check ─► format ─► standard output    here, large files in segments.rs
//! JSON Lines                  record by record ─► standard output    lines.rs
//! --to msgpack                check, measure ─► encode                messagepack.rs
//! --write, --check, --diff    crate::changes, with the transform of transform.rs
//! ```

mod commented;
mod expected;
pub mod indentation;
mod layouts;
mod left_alone;
mod lines;
mod messagepack;
mod segments;
mod staged;
#[cfg(test)]
mod tests;
mod transform;

use std::io;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::engine::Validator;
use jsonx_core::format::{NumberArrays, Output, RewriteOptions, Rewriter, Style, WriteTo};

use self::commented::Writing;
pub use self::layouts::{Layouts, Sources};
use self::segments::Checkpoints;
pub use self::transform::Formatting;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Fmt, Global, Layout, To};
use crate::changes::{self, Action};
use crate::check::{CheckOptions, Failure, InputKind, json5};
use crate::files::{Exceptions, Files, Selection};
use crate::input::{Consumed, Input, Name, Strategy, Task};
use crate::messages;
use crate::output::{AnyOutput, HeldOutput, TerminalOutput};
use crate::session::{Channel, Session, check_targets, default_reporters};

impl Command for Fmt {
    const NAME: &'static str = "fmt";
    type Work<'a> = Files<'a>;

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn staged(&mut self) -> Option<&mut Selection> {
        self.staged.then_some(&mut self.selection)
    }

    fn plan(&self, _: &Global) -> Result<Plan<Self::Work<'_>>, UsageError> {
        if let Some(error) = self.changes.usage_error(&self.selection) {
            return Err(UsageError::Arguments(error.to_owned()));
        }
        if self.staged && self.changes.action() == Action::Print {
            let text = "--staged needs --write, --check or --diff";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        let to = self.layout.to.filter(|to| *to == To::MessagePack);
        let alone = Layout {
            to,
            ..Layout::default()
        };
        if to.is_some() && (self.changes.action() != Action::Print || self.layout != alone) {
            let text = "--to msgpack writes to standard output, in no layout: `jsonx fmt --to msgpack FILE > NEW`";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        if let Some(missing) = self.ignore_path.iter().find(|file| !file.is_file()) {
            let name = Name::new(missing);
            return Err(UsageError::message(format!(
                "jsonx: --ignore-path {name}: no such file"
            )));
        }
        let files = self.selection.files().map_err(|e| UsageError::new(&e))?;
        check_targets(&self.reporter, &self.selection).map_err(UsageError::Arguments)?;
        let plan = Plan::with_findings_on_stderr(files, self.selection.is_empty());
        Ok(match (&self.reporter[..], self.changes.action()) {
            ([], Action::Check) => Plan {
                reporters: default_reporters(),
                ..plan
            },
            ([], _) => plan,
            (named, _) => Plan {
                channel: Channel::Check,
                reporters: named.to_vec(),
                ..plan
            },
        })
    }

    fn run(&self, mut files: Files<'_>, session: &mut Session) -> io::Result<()> {
        let layouts = Layouts::new(&self.layout, session.options().configs.clone());
        let layouts = Arc::new(layouts.ignoring(&self.ignore_path));
        let in_place = self.changes.action() != Action::Print;
        files = session
            .select_with(files, layouts.clone(), in_place)
            .rewritten(in_place);
        match self.changes.action() {
            Action::Print => files.try_for_each(|found| match found {
                Ok(path) => {
                    let called = self.stdin_filename.as_deref();
                    let leaves_out = !self.selection.walk.no_ignore;
                    print(session, &layouts, &path, called, leaves_out)
                }
                Err(problem) => session.report_problem(&problem),
            }),
            action => {
                let options = session.check_options();
                let formatting = Formatting {
                    options,
                    layouts,
                    verbose: session.is_verbose(),
                };
                let files = session.without_reports(files);
                if self.staged && matches!(action, Action::Write { .. }) {
                    staged::write(session, formatting, action, &self.selection, files)
                } else {
                    changes::run_selected(session, formatting, action, &self.selection, files)
                }
            }
        }
    }
}

/// Adapts the options to an input: if each value is on its own line, it stays there.
fn rewriting(
    options: &CheckOptions,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
) -> Result<RewriteOptions, Failure> {
    Ok(if options.keeps_lines(input, kind)? {
        rewrite.style(Style::Compact)
    } else {
        rewrite
    })
}

/// Formats one input to standard output, and reports its failure.
fn print(
    session: &mut Session,
    layouts: &Layouts,
    path: &Path,
    called: Option<&Path>,
    leaves_out: bool,
) -> io::Result<()> {
    let name = Name::new(called.unwrap_or(path));
    let Some(mut input) = session.open_as(path, name)? else {
        return Ok(());
    };
    if leaves_out && called.is_some_and(|name| layouts.reason(name, false).is_some()) {
        return copy(session, &mut input);
    }
    if layouts.to == Some(To::MessagePack) {
        let mut kind = InputKind::Auto;
        return match session.by_content(&mut input, &mut kind, messagepack::write) {
            Ok(()) => Ok(()),
            Err(failure) => session.report_failure(&mut input, kind, failure),
        };
    }
    let by_name = session.check_options().kind_of(&input);
    if let Some(unknown) = layouts.unknown(input.name().path(), by_name) {
        // An editor replaces the file with the output.
        session.report_unknown(&unknown, called.is_some())?;
        match called {
            Some(_) if unknown.is_of_biome => return copy(session, &mut input),
            Some(_) => return Ok(()),
            None => {}
        }
    }
    let layout = layouts.for_file(input.name().path(), by_name);
    let comments = layout.comments;
    let rewrite = layout.resolve(&mut input);
    if session.is_verbose()
        && let Some(note) = layouts.note(input.name().path())
    {
        messages::line(&note);
    }
    let mut kind = InputKind::Auto;
    let formatted = session.by_content(&mut input, &mut kind, |session, input, kind| {
        let options = &session.check_options();
        let rewrite = rewriting(options, rewrite, input, kind)?;
        match comments.writing(rewrite, kind) {
            Writing::Commented(commented) if input.is_file() => {
                options.check(input, kind)?;
                let mut out = TerminalOutput::plain(&mut session.out);
                commented::write(options, commented, kind, input, &mut *out)
            }
            Writing::Commented(commented) => {
                let mut out = TerminalOutput::plain(&mut session.out);
                print_whole(&mut *out, |held| {
                    commented::write(options, commented, kind, input, held)
                })
            }
            Writing::Plain(rewrite) if called.is_some() => {
                let pass = Pass::new(options, rewrite, kind);
                let color = session.color();
                let mut out = TerminalOutput::any(&mut session.out, color);
                print_whole(&mut *out, |held| pass.write(input, held))
            }
            Writing::Plain(rewrite) => format(session, rewrite, input, kind),
        }
    });
    session.warn_of_byte_order_mark(&input);
    match formatted {
        Err(failure) => session.report_failure(&mut input, kind, failure),
        Ok(()) if kind == InputKind::Stream => session.warn_of_several(&mut input, None),
        Ok(()) => Ok(()),
    }
}

/// Prints the text of an excluded file unchanged: an editor replaces the file with it.
fn copy(session: &mut Session, input: &mut Input) -> io::Result<()> {
    match input.read_all(u64::MAX) {
        Ok(text) => TerminalOutput::plain(&mut session.out).write(&text),
        Err(error) => session.report_failure(input, InputKind::Json, Failure::Read(error)),
    }
}

/// Prints what `write` writes, once all of it is written: an editor replaces a file with it, and nothing of an invalid pipe with
/// comments is printed.
fn print_whole(
    out: &mut AnyOutput<'_>,
    write: impl FnOnce(&mut AnyOutput<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut held = HeldOutput {
        most: usize::MAX,
        ..HeldOutput::default()
    };
    write(&mut held)?;
    out.write(&held.text).map_err(Failure::Write)
}

/// Formats an input to standard output.
fn format(
    session: &mut Session,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
) -> Result<(), Failure> {
    let check_options = &session.check_options();
    let pass = Pass::new(check_options, rewrite, kind);
    let color = session.color();
    let is_plain = TerminalOutput::new(&mut session.out, color).is_err();
    if kind == InputKind::Jsonl || session.is_piped(input) {
        // Nothing is printed for a file without a canonical form.
        if rewrite.canonical
            && input.is_file()
            && let Err(refused @ Failure::Refused(_)) = pass.check(input)
        {
            return Err(refused);
        }
        if lines::format(session, rewrite, input, kind)?.is_continue() {
            return Ok(());
        }
    }
    // Nothing is printed for an invalid file, so a file is read twice. A pipe cannot be read twice.
    let mut arrays = None;
    if input.is_file() {
        if rewrite.can_resume() {
            let mut checkpoints = Checkpoints::new(Validator::new(check_options.engine(kind)));
            check_options.check_noting(input, kind, |validator| checkpoints.note(validator))?;
            let checked = Task::Resume {
                checkpoints: checkpoints.count(),
            };
            if let Strategy::Segments(threads) = input.strategy(kind, checked)
                && is_plain
            {
                return segments::format(input, &checkpoints, threads, rewrite, &mut session.out);
            }
        } else {
            arrays = pass.number_arrays(input)?;
            if arrays.is_none() {
                pass.check(input)?;
            }
        }
    }
    let mut out = TerminalOutput::any(&mut session.out, color);
    let rewriter = Rewriter::new(rewrite, &mut *out).number_arrays(arrays);
    pass.write_with(rewriter, input)
}

/// Files of this size are read for the layout of Prettier first, so that it need not hold arrays of numbers.
const LARGE: u64 = 1 << 20;

/// Rewrites inputs of a kind.
#[derive(Clone, Copy)]
pub struct Pass<'o> {
    options: &'o CheckOptions,
    rewrite: RewriteOptions,
    kind: InputKind,
}

impl<'o> Pass<'o> {
    /// A pass with these options.
    fn new(options: &'o CheckOptions, rewrite: RewriteOptions, kind: InputKind) -> Pass<'o> {
        Pass {
            options,
            rewrite,
            kind,
        }
    }

    /// Checks whether an input can be rewritten.
    ///
    /// # Errors
    /// The input is invalid, cannot be read, or has no canonical form.
    fn check(self, input: &mut Input) -> Result<(), Failure> {
        // JSON Lines are checked line by line: the rewriter sees a stream of values, in which a line break is white space.
        if !self.rewrite.canonical || self.kind == InputKind::Jsonl {
            self.options.check(input, self.kind)?;
        }
        if self.rewrite.canonical {
            self.write(input, &mut WriteTo(io::sink()))
        } else {
            Ok(())
        }
    }

    /// The arrays of a large file that contain only numbers, if the layout needs them. Checks the file like [`Pass::check`].
    ///
    /// # Errors
    /// The file is invalid, or cannot be read.
    fn number_arrays(self, input: &mut Input) -> Result<Option<NumberArrays>, Failure> {
        let rewrite = self.rewrite;
        let is_prettier = rewrite.style != Style::Compact
            && rewrite.prettier.is_some_and(|prettier| !prettier.comments);
        if !is_prettier || !input.is_file() || input.length() < LARGE {
            return Ok(None);
        }
        let arrays = self.options.read(input, self.kind, NumberArrays::default)?;
        Ok(Some(arrays))
    }

    /// Rewrites an input to an output. Input from a pipe is written as it arrives, and the output flushed.
    ///
    /// # Errors
    /// The input is invalid, cannot be read, or has no canonical form; the output cannot be written.
    fn write(self, input: &mut Input, output: &mut AnyOutput<'_>) -> Result<(), Failure> {
        let arrays = self.number_arrays(input)?;
        let rewriter = Rewriter::new(self.rewrite, output).number_arrays(arrays);
        self.write_with(rewriter, input)
    }

    /// Like [`Pass::write`], with a rewriter.
    ///
    /// # Errors
    /// As [`Pass::write`].
    fn write_with(
        self,
        mut rewriter: Rewriter<&mut AnyOutput<'_>>,
        input: &mut Input,
    ) -> Result<(), Failure> {
        json5::finite(input)?;
        let live = !input.is_file();
        let mut validator = self.options.validator(self.kind).without_lines(!live);
        let read = input.each_window(|window| -> Result<Consumed, Failure> {
            let taken = validator.push(window, &mut rewriter)?;
            // A reader may be waiting for the record that has just arrived.
            if live {
                rewriter.flush()?;
                rewriter.output().flush().map_err(Failure::Write)?;
            }
            Ok(taken)
        });
        match read {
            Ok(()) => Ok(rewriter.finish().map(drop)?),
            // Text rewritten before the error is still written.
            Err(failure) => Err(rewriter.abandon().err().map_or(failure, Failure::from)),
        }
    }
}
