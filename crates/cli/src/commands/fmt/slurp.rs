//! `--slurp`: the values of all inputs become the elements of one array, in constant memory.
//!
//! ```text
//!              check, minify        one value per line              check, lay out
//! inputs ─────────────────────► {"a":1}⏎{"b":2}⏎ ─► [{"a":1},{"b":2}] ─────► output
//! ```
//!
//! Between the two steps is verified text, in which a line feed is always the end of a value. All inputs share one second
//! step, so that several files make one array.

use std::io::{self, Write};
use std::mem;
use std::path::Path;

use jsonx_core::engine::Validator;
use jsonx_core::format::{Output, RewriteOptions, Rewriter, Style};

use super::{Pass, lines};
use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{Input, Name};
use crate::messages;
use crate::output::TerminalOutput;
use crate::session::Session;

/// A run over all inputs.
pub struct Slurp {
    /// The text between the two steps.
    between: Vec<u8>,
    /// A value has ended, and the separator after it has not been written.
    separates: bool,
    /// A value was written.
    filled: bool,
    /// The second step; `None` after a pipe broke off, and the array with it.
    array: Option<Box<(Validator, Rewriter<Vec<u8>>)>>,
    /// The output, if it goes to a terminal at the end.
    shown: Option<Vec<u8>>,
}

impl Slurp {
    /// A run with this layout.
    pub fn new(session: &mut Session, rewrite: RewriteOptions) -> Slurp {
        // The values have been checked; the array around them may exceed the limit by one level.
        let options = session.check_options().engine(InputKind::Json);
        let validator = Validator::new(options.max_depth(u64::MAX));
        let color = session.color();
        let is_plain = TerminalOutput::new(&mut session.out, color).is_err();
        Slurp {
            between: Vec::new(),
            separates: false,
            filled: false,
            array: Some(Box::new((validator, Rewriter::new(rewrite, Vec::new())))),
            shown: (!is_plain).then(Vec::new),
        }
    }

    /// Adds the values of an input, and reports its failure.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn input(&mut self, session: &mut Session, path: &Path) -> io::Result<()> {
        let Some(array) = &mut self.array else {
            let name = Name::new(path);
            let text = "not added: the array ended at the error in the previous input";
            messages::line(&format!("jsonx: {name}: {text}"));
            return Ok(());
        };
        // The earlier values are complete, and unaffected by an error in this input.
        let (validator, rewriter) = &mut **array;
        let written = validator.write(b"\n", rewriter);
        let _ = written.and_then(|()| validator.flush_lines(rewriter));
        let Some(mut input) = session.open(path)? else {
            return Ok(());
        };
        let options = session.check_options();
        let (is_open, mut kind) = (options.is_open(&input), options.kind_of(&input));
        // Without values, the array is empty.
        let added = if input.is_file() {
            session.by_content(&mut input, &mut kind, |session, input, kind| {
                let kind = match kind {
                    InputKind::Json if is_open => InputKind::Stream,
                    kind => kind,
                };
                self.add(session, input, kind)
            })
        } else {
            self.add(session, &mut input, kind)
        };
        session.warn_of_byte_order_mark(&input);
        match added {
            Ok(()) => Ok(()),
            Err(failure) => session.report_failure(&mut input, kind, failure),
        }
    }

    fn add(
        &mut self,
        session: &mut Session,
        input: &mut Input,
        kind: InputKind,
    ) -> Result<(), Failure> {
        let minified = RewriteOptions::from(Style::Compact);
        if kind == InputKind::Jsonl || session.is_piped(input) {
            let ended = lines::format(session, minified, input, kind, |session, text, is_live| {
                self.push(session, text, is_live)
            })?;
            if ended.is_continue() {
                return Ok(());
            }
        }
        // Nothing is printed for an invalid file.
        if input.is_file() {
            session.check_options().check(input, kind)?;
        }
        let is_live = !input.is_file();
        let (mut failure, mut is_begun) = (None, false);
        let options = session.check_options();
        let pass = Pass::new(&options, minified, kind);
        let mut first = FirstStep(|text: &[u8]| {
            is_begun |= !text.is_empty();
            // After a failure, the first step writes what it still holds.
            if failure.is_none() {
                failure = self.push(session, text, is_live).err();
            }
            match &failure {
                // The text was verified: it breaks off, and the first step knows where.
                None | Some(Failure::Invalid(_)) => Ok(()),
                Some(_) => Err(io::ErrorKind::Other.into()),
            }
        });
        let written = pass.write(input, &mut first);
        let failure = match (failure, written) {
            (None, Ok(())) => return Ok(()),
            (_, Err(failure @ Failure::Invalid(_))) | (None, Err(failure)) => failure,
            (Some(failure), _) => return Err(failure),
        };
        // The part of a pipe before the error has been written. The array stays open, so a reader sees that it is incomplete.
        if is_begun && let Some(array) = self.array.take() {
            let text = array.1.abandon()?;
            self.print(session, &text).map_err(Failure::Write)?;
        }
        Err(failure)
    }

    /// Takes verified values, one per line; the last line may be incomplete.
    fn push(&mut self, session: &mut Session, text: &[u8], is_live: bool) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        let Some(array) = &mut self.array else {
            return Ok(());
        };
        let (validator, rewriter) = &mut **array;
        self.between.clear();
        match mem::replace(&mut self.filled, true) {
            false => self.between.push(b'['),
            true if self.separates => self.between.push(b','),
            true => {}
        }
        self.between.extend_from_slice(text);
        self.separates = text.ends_with(b"\n");
        if self.separates {
            self.between.pop();
        }
        for byte in self.between.iter_mut().filter(|byte| **byte == b'\n') {
            *byte = b',';
        }
        validator.write(&self.between, rewriter)?;
        if is_live {
            rewriter.flush()?;
        }
        let printed = mem::take(rewriter.output());
        self.print(session, &printed).map_err(Failure::Write)?;
        if is_live {
            session.out.flush().map_err(Failure::Write)
        } else {
            Ok(())
        }
    }

    /// Ends the array.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn finish(mut self, session: &mut Session) -> io::Result<()> {
        // No input had a value, and not because they are empty.
        if !self.filled && session.exit() != Exit::Done {
            return Ok(());
        }
        if let Some(array) = self.array.take() {
            let (validator, rewriter) = *array;
            let end: &[u8] = if self.filled { b"]" } else { b"[]" };
            match validator.check(end, rewriter).map_err(Failure::from) {
                Ok(text) => self.print(session, &text)?,
                Err(Failure::Read(error) | Failure::Write(error)) => return Err(error),
                Err(_) => {
                    return Err(io::Error::other(
                        "the array is invalid; this is a bug in jsonx, please report it",
                    ));
                }
            }
        }
        self.show(session)
    }

    /// Prints text that may end anywhere.
    fn print(&mut self, session: &mut Session, text: &[u8]) -> io::Result<()> {
        match &mut self.shown {
            Some(shown) => shown.write_all(text),
            None => session.out.write_all(text),
        }
    }

    /// Prints all text on a terminal, escaped and in color.
    fn show(self, session: &mut Session) -> io::Result<()> {
        let color = session.color();
        let text = self.shown.unwrap_or_default();
        TerminalOutput::any(&mut session.out, color).write(&text)
    }
}

/// The output of the first step.
struct FirstStep<F>(F);

impl<F: FnMut(&[u8]) -> io::Result<()>> Output for FirstStep<F> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.0)(bytes)
    }
}
