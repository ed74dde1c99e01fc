//! `--slurp` and `--unslurp`: the values of a stream become the elements of one array, and the reverse, in constant memory.
//!
//! ```text
//!              check, minify        one value per line              check, lay out
//! inputs ─────────────────────► {"a":1}⏎{"b":2}⏎ ─► [{"a":1},{"b":2}] ─────► output    --slurp
//!                               [{"a":1},{"b":2}]⏎ ─► {"a":1}⏎{"b":2}⏎ ────► output    --unslurp
//! ```
//!
//! Between the two steps is verified text, in which a line feed is always the end of a value. All inputs share one second
//! step, so that several files make one array.

use std::io::{self, Write};
use std::mem;
use std::path::Path;

use jsonx_core::Kind;
use jsonx_core::engine::{Chunk, Mode, Options, Sink, Stop, Validator};
use jsonx_core::format::{Output, RewriteOptions, Rewriter, Style};

use super::lines;
use crate::check::{Failure, InputKind, push};
use crate::exit::Exit;
use crate::input::{Input, Name};
use crate::messages;
use crate::output::{TerminalOutput, TerminalState};
use crate::session::Session;

/// Bytes of an element that are held until it is complete.
const HELD: usize = 64 << 10;

/// The direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The values of all inputs become the elements of one array.
    Slurp,
    /// The elements of arrays become values, one per line.
    Unslurp,
}

/// A run over all inputs.
pub struct Reshape {
    shape: Shape,
    /// The text between the two steps.
    between: Vec<u8>,
    /// A value has ended, and what separates it from the next one is not written yet.
    separates: bool,
    /// There was a value.
    filled: bool,
    second: SecondStep,
    /// The beginning of the second step.
    options: Options,
    rewrite: RewriteOptions,
    /// Printed text ends with part of a value.
    in_value: bool,
    terminal: Option<TerminalState>,
}

/// The steps for the text between the values.
enum SecondStep {
    Array(Box<(Validator, Rewriter<Vec<u8>>)>),
    Values(Box<(Validator, Elements)>),
    /// A pipe broke off, and the array with it.
    Broken,
}

impl Reshape {
    /// A run in this shape.
    pub fn new(session: &Session, shape: Shape, rewrite: RewriteOptions) -> Reshape {
        // The values are checked before; the array around them may exceed the limit by one level.
        let options = session.check_options().engine(InputKind::Json);
        let options = options.max_depth(u64::MAX);
        Reshape {
            shape,
            between: Vec::new(),
            separates: false,
            filled: false,
            second: SecondStep::new(shape, options, rewrite),
            options,
            rewrite,
            in_value: false,
            terminal: None,
        }
    }

    /// Adds the values of an input, and reports its failure.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn input(&mut self, session: &mut Session, path: &Path) -> io::Result<()> {
        if matches!(self.second, SecondStep::Broken) {
            let name = Name::of(path);
            let text = "not added: the array ended with the error in the input before";
            messages::line(&format!("jsonx: {name}: {text}"));
            return Ok(());
        }
        // The values before have ended, and an error in this input does not concern them.
        match &mut self.second {
            SecondStep::Values(values) => {
                let (validator, elements) = &mut **values;
                let _ = validator.flush_lines(elements);
                // They are counted from 1.
                elements.values = 0;
                if let Ok(printed) = elements.take(true) {
                    self.print(session, &printed)?;
                }
            }
            SecondStep::Array(array) => {
                let (validator, rewriter) = &mut **array;
                let written = validator.write(b"\n", rewriter);
                let _ = written.and_then(|()| validator.flush_lines(rewriter));
            }
            SecondStep::Broken => {}
        }
        let Some(mut input) = session.open(path)? else {
            return Ok(());
        };
        let options = session.check_options();
        let (is_open, mut kind) = (options.is_open(&input), options.kind_of(&input));
        // No value makes an array as well.
        let added = match self.shape {
            Shape::Slurp if !input.is_file() => self.add(session, &mut input, kind),
            shape => session.by_content(&mut input, &mut kind, |session, input, kind| {
                let kind = match kind {
                    InputKind::Json if is_open && shape == Shape::Slurp => InputKind::Stream,
                    kind => kind,
                };
                self.add(session, input, kind)
            }),
        };
        session.warn_of_byte_order_mark(&input);
        match added {
            Ok(()) => Ok(()),
            Err(failure) => {
                self.restart_values(session)?;
                session.report_failure(&mut input, kind, failure)
            }
        }
    }

    /// After an error, the elements of the next input begin on a line of their own.
    fn restart_values(&mut self, session: &mut Session) -> io::Result<()> {
        if self.shape == Shape::Slurp {
            return Ok(());
        }
        self.second = SecondStep::new(self.shape, self.options, self.rewrite);
        match self.in_value {
            true => self.print(session, b"\n"),
            false => Ok(()),
        }
    }

    fn add(
        &mut self,
        session: &mut Session,
        input: &mut Input,
        kind: InputKind,
    ) -> Result<(), Failure> {
        let minified = RewriteOptions::from(Style::Compact);
        let name = input.name().to_string();
        if kind == InputKind::Jsonl || session.is_piped(input) {
            let ended = lines::format(session, minified, input, kind, |session, text, is_live| {
                self.push(session, &name, text, is_live)
            })?;
            if ended.is_continue() {
                return Ok(());
            }
        }
        // Nothing of an invalid file is printed.
        if input.is_file() {
            self.check(session, input, kind)?;
        }
        let is_live = !input.is_file();
        let (mut failure, mut is_begun) = (None, false);
        let options = session.check_options();
        let mut first = FirstStep(|text: &[u8]| {
            is_begun |= !text.is_empty();
            // After a failure, the first step writes what it still holds.
            if failure.is_none() {
                failure = self.push(session, &name, text, is_live).err();
            }
            match &failure {
                // The text was verified: it breaks off, and the first step knows where.
                None | Some(Failure::Invalid(_)) => Ok(()),
                Some(_) => Err(io::ErrorKind::Other.into()),
            }
        });
        let written = super::write(&options, minified, kind, input, &mut first);
        let failure = match (failure, written) {
            (None, Ok(())) => return Ok(()),
            (_, Err(failure @ Failure::Invalid(_))) | (None, Err(failure)) => failure,
            (Some(failure), _) => return Err(failure),
        };
        if self.shape == Shape::Slurp && is_begun {
            // The part of a pipe before the error has been written. The array stays open, so a reader sees that it is incomplete.
            if let SecondStep::Array(array) = mem::replace(&mut self.second, SecondStep::Broken) {
                let text = array.1.abandon()?;
                self.print(session, &text).map_err(Failure::Write)?;
            }
        }
        Err(failure)
    }

    /// The first pass over a file.
    fn check(&self, session: &Session, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
        let options = session.check_options();
        if self.shape == Shape::Slurp {
            return options.check(input, kind);
        }
        let name = input.name().to_string();
        let mut validator = Validator::new(options.engine(kind));
        let mut elements = Elements::default();
        input.each_window(|window| {
            push(&mut validator, window, &mut elements).map_err(|stop| match stop {
                Stop::Invalid(error) => Failure::Invalid(error),
                Stop::Sink(refusal) => refusal.failure(&name),
            })
        })
    }

    /// Takes verified values, one per line; the last line may be incomplete.
    fn push(
        &mut self,
        session: &mut Session,
        name: &str,
        text: &[u8],
        is_live: bool,
    ) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        let printed = match &mut self.second {
            SecondStep::Broken => return Ok(()),
            SecondStep::Array(array) => {
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
                mem::take(rewriter.output())
            }
            SecondStep::Values(values) => {
                let (validator, elements) = &mut **values;
                self.filled = true;
                let mut written = validator.write(text, elements);
                if is_live && written.is_ok() && text.ends_with(b"\n") {
                    written = validator.flush_lines(elements);
                }
                let written = written.map_err(|stop| match stop {
                    Stop::Invalid(error) => Failure::Invalid(error),
                    Stop::Sink(refusal) => refusal.failure(name),
                });
                let printed = elements.take(is_live || written.is_err())?;
                if let Err(failure) = written {
                    self.print(session, &printed).map_err(Failure::Write)?;
                    return Err(failure);
                }
                printed
            }
        };
        self.print(session, &printed).map_err(Failure::Write)?;
        match is_live {
            true => session.out.flush().map_err(Failure::Write),
            false => Ok(()),
        }
    }

    /// Ends the array, or the last line.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn finish(mut self, session: &mut Session) -> io::Result<()> {
        // No input had a value, and not because they are empty.
        if !self.filled && session.exit() != Exit::Done {
            return Ok(());
        }
        let text = match mem::replace(&mut self.second, SecondStep::Broken) {
            SecondStep::Broken => return Ok(()),
            SecondStep::Array(array) => {
                let (validator, rewriter) = *array;
                let end: &[u8] = if self.filled { b"]" } else { b"[]" };
                validator.check(end, rewriter).map_err(Failure::from)
            }
            SecondStep::Values(values) => {
                let (validator, mut elements) = *values;
                let ended = validator.finish(&mut elements);
                ended
                    .map_err(|stop| match stop {
                        Stop::Invalid(error) => Failure::Invalid(error),
                        Stop::Sink(refusal) => refusal.failure("<stdin>"),
                    })
                    .and_then(|()| elements.finish())
            }
        };
        match text {
            Ok(text) => self.print(session, &text),
            Err(Failure::Read(error) | Failure::Write(error)) => Err(error),
            Err(_) => Err(io::Error::other(
                "the array is invalid, which is a fault of jsonx; please report it",
            )),
        }
    }

    /// Prints text that may end anywhere; on a terminal, escaped and in color.
    fn print(&mut self, session: &mut Session, text: &[u8]) -> io::Result<()> {
        if let Some(last) = text.last() {
            self.in_value = *last != b'\n';
        }
        let color = session.color();
        let resumed = match self.terminal.take() {
            Some(state) => Ok(state.resume(&mut session.out)),
            None => TerminalOutput::of(&mut session.out, color),
        };
        match resumed {
            Ok(mut guard) => {
                let written = guard.write(text);
                self.terminal = Some(guard.suspend());
                written
            }
            Err(out) => out.write_all(text),
        }
    }
}

impl SecondStep {
    fn new(shape: Shape, options: Options, rewrite: RewriteOptions) -> SecondStep {
        if shape == Shape::Slurp {
            let rewriter = Rewriter::new(rewrite, Vec::new());
            return SecondStep::Array(Box::new((Validator::new(options), rewriter)));
        }
        let stream = Validator::new(options.mode(Mode::Stream));
        let rewriter = Rewriter::new(rewrite.style(Style::Compact), Vec::new());
        let elements = Elements {
            written: Some((stream.clone(), rewriter)),
            ..Elements::default()
        };
        SecondStep::Values(Box::new((stream, elements)))
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

/// A sink for arrays: a copy of the text, in which brackets and commas of the outermost arrays are white space, is a stream
/// of their elements.
#[derive(Default)]
struct Elements {
    depth: u64,
    /// Values at the root.
    values: u64,
    text: Vec<u8>,
    /// The last element, as long as it is incomplete and not too long to be held: an input may end in it.
    incomplete: Vec<u8>,
    /// The output for the elements; `None` only checks that all values are arrays.
    written: Option<(Validator, Rewriter<Vec<u8>>)>,
}

/// The reason why a value has no elements.
enum Refusal {
    /// It is something else.
    NotArray { kind: Kind, number: u64 },
    /// The second step failed.
    Failed(Failure),
}

impl Refusal {
    fn failure(self, name: &str) -> Failure {
        let (kind, number) = match self {
            Refusal::Failed(failure) => return failure,
            Refusal::NotArray { kind, number } => (kind, number),
        };
        let advice = match kind {
            Kind::Object => {
                "; the elements of an array inside it: `jsonx get -c 'PATH[]'`, with the path of the array"
            }
            _ => "",
        };
        let which = match number {
            1 => "it is".to_owned(),
            number => format!("value {number} is"),
        };
        Failure::Declined {
            exit: Exit::NotJson,
            message: format!("jsonx: {name}: --unslurp needs an array, and {which} {kind}{advice}"),
        }
    }
}

impl Elements {
    /// The bytes written since.
    fn take(&mut self, is_live: bool) -> Result<Vec<u8>, Failure> {
        let Some((validator, rewriter)) = &mut self.written else {
            return Ok(Vec::new());
        };
        if is_live {
            validator.flush_lines(rewriter)?;
            rewriter.flush()?;
        }
        Ok(mem::take(rewriter.output()))
    }

    /// Ends the last line.
    fn finish(self) -> Result<Vec<u8>, Failure> {
        match self.written {
            Some((validator, rewriter)) => Ok(validator.finish(rewriter)?),
            None => Ok(Vec::new()),
        }
    }
}

impl Sink for Elements {
    type Error = Refusal;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Refusal> {
        self.text.clear();
        self.text.extend_from_slice(chunk.bytes);
        let (mut refused, mut ended) = (None, 0);
        for (&kind, &at) in chunk.kinds.iter().zip(chunk.offsets) {
            let byte = &mut self.text[at as usize];
            match (kind, self.depth) {
                (b'[', 0) => {
                    self.values += 1;
                    self.depth = 1;
                    *byte = b' ';
                }
                (_, 0) => {
                    self.text.truncate(at as usize);
                    refused = Some(Refusal::NotArray {
                        kind: Kind::of(kind),
                        number: self.values + 1,
                    });
                    break;
                }
                (b',' | b']', 1) => {
                    self.depth = u64::from(kind == b',');
                    *byte = b'\n';
                    ended = at as usize + 1;
                }
                (b'[' | b'{', _) => self.depth += 1,
                (b']' | b'}', _) => self.depth -= 1,
                _ => {}
            }
        }
        if let Some((validator, rewriter)) = &mut self.written {
            let mut write = |text: &[u8]| {
                let written = validator.write(text, rewriter);
                written.map_err(|stop| Refusal::Failed(stop.into()))
            };
            let (whole, rest) = self.text.split_at(ended);
            if ended > 0 {
                write(&self.incomplete)?;
                self.incomplete.clear();
                write(whole)?;
            }
            self.incomplete.extend_from_slice(rest);
            if self.incomplete.len() > HELD {
                write(&self.incomplete)?;
                self.incomplete.clear();
            }
        }
        refused.map_or(Ok(()), Err)
    }

    fn finish(self) -> Result<(), Refusal> {
        Ok(())
    }
}
