//! One run of a command over some inputs: the settings, where things are printed, and the exit code.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use jsonx_core::diagnose::Lints;
use jsonx_core::position::LineCounter;
use jsonx_core::{
    Error, ErrorKind as Wrong, Kernel, Mode, Options, Sink, Stop, Validator, Verdict,
};

use super::findings::{Findings, Wanted};
use super::lines::Lines;
use super::{tell, written};
use crate::args::{Common, InputKind, Reporter};
use crate::exit::Exit;
use crate::input::{Input, Name, Taken, Window};
use crate::output::Stdout;

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}

/// Why the work on an input ended early.
pub enum Failure {
    /// It is not what was asked for; the offset counts from the start of the input.
    Invalid(Error),
    /// It could not be read.
    Read(io::Error),
    /// Standard output could not be written: the end of the whole run.
    Write(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Read(error)
    }
}

impl From<Stop<io::Error>> for Failure {
    fn from(stop: Stop<io::Error>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(error) => Failure::Write(error),
        }
    }
}

impl From<Stop<std::convert::Infallible>> for Failure {
    fn from(stop: Stop<std::convert::Infallible>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(never) => match never {},
        }
    }
}

/// Where messages about the text of an input go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: the findings of `validate` are its data.
    Data,
    /// Standard error.
    Diagnostics,
}

/// One run of a command over some inputs.
pub struct Session {
    kernel: Option<Kernel>,
    max_depth: u64,
    kind: InputKind,
    channel: Channel,
    findings: Findings,
    /// Standard output.
    pub out: Stdout,
    exit: Exit,
}

impl Session {
    /// A session for a command whose messages go to `channel`, in the form of `reporter`.
    ///
    /// # Errors
    /// There is no standard output to be had.
    pub fn new(
        kernel: Option<Kernel>,
        common: &Common,
        channel: Channel,
        reporter: Reporter,
    ) -> io::Result<Session> {
        let max_depth = match common.max_depth {
            0 => u64::MAX,
            levels => levels,
        };
        let wanted = Wanted {
            reporter,
            max_errors: common.max_errors,
            color: common.color,
            max_depth,
            // The other commands do what they do with a duplicate key, and say so themselves.
            lints: match channel {
                Channel::Data => Lints::default(),
                Channel::Diagnostics => Lints::NONE,
            },
        };
        Ok(Session {
            out: Stdout::new()?,
            kernel,
            max_depth,
            kind: common.input,
            channel,
            findings: match channel {
                Channel::Data => Findings::shown_on(wanted, &io::stdout()),
                Channel::Diagnostics => Findings::shown_on(wanted, &io::stderr()),
            },
            exit: Exit::Done,
        })
    }

    /// Writes what is left and says how it all ended, where `result` is how the work ended.
    pub fn end(mut self, result: io::Result<()>) -> Exit {
        let last = self.findings.end(self.channel == Channel::Data);
        let result = result.and_then(|()| self.say(&last));
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => self.exit,
            // The reader has seen enough; what is already known stays true.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.exit,
            Err(error) => self.exit.and(written(Err(error))),
        }
    }

    /// Notes how a part of the work ended.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Opens an input, or says why not and goes on.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        match Input::open(path) {
            Ok(input) => Ok(Some(input)),
            Err(error) => self.complain(&Name::of(path), &error).map(|()| None),
        }
    }

    /// Says what the system said about an input.
    fn complain(&mut self, name: &Name, error: &io::Error) -> io::Result<()> {
        let reason = reason(error);
        tell(&format!("jsonx: {name}: {reason}"));
        self.exit = self.exit.and(Exit::Trouble);
        self.say(&self.findings.unreadable(name, &reason))
    }

    /// Notes that an input is valid.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn valid(&mut self, input: &Input) -> io::Result<()> {
        self.warn_of_byte_order_mark(input);
        let text = self.findings.valid(input);
        self.say(&text)
    }

    /// What an input holds: as told, or by its name.
    pub fn kind_of(&self, input: &Input) -> InputKind {
        match (self.kind, input.name().extension()) {
            (InputKind::Auto, _)
                if input.name().is_stdin() && self.channel == Channel::Diagnostics =>
            {
                InputKind::Stream
            }
            (InputKind::Auto, Some(extension)) if extension == "jsonl" || extension == "ndjson" => {
                InputKind::Jsonl
            }
            (InputKind::Auto, _) => InputKind::Json,
            (told, _) => told,
        }
    }

    /// What the engine is told about an input of this kind.
    pub fn options(&self, kind: InputKind) -> Options {
        let mode = if matches!(kind, InputKind::Stream | InputKind::Jsonl) {
            Mode::Stream
        } else {
            Mode::One
        };
        let options = Options::default().mode(mode).max_depth(self.max_depth);
        match self.kernel {
            Some(kernel) => options.kernel(kernel),
            None => options,
        }
    }

    /// Reads an input to its end for the verdict alone.
    pub fn check(&self, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
        if let Some(mut lines) = self.lines(kind) {
            return input.each_window(|window| {
                lines.look(window)?;
                Ok(window.bytes().len().into())
            });
        }
        let mut validator = Validator::new(self.options(kind));
        if input.is_file() && input.length() > super::findings::LONGEST {
            return count_and_check(&mut validator, input);
        }
        input.each_window(|window| Ok(Taken::from(push(&mut validator, window, &mut Verdict)?)))
    }

    /// The check that each line is a value of its own, for inputs where it has to be.
    pub fn lines(&self, kind: InputKind) -> Option<Lines> {
        (kind == InputKind::Jsonl).then(|| Lines::new(self.options(InputKind::Json)))
    }

    /// Tells of a failure in an input of this kind and notes it in the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn report(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        failure: Failure,
    ) -> io::Result<()> {
        let error = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => {
                return self.complain(input.name(), &error);
            }
            Failure::Invalid(error) => error,
        };
        self.exit = self.exit.and(match (error.kind, self.channel) {
            (Wrong::TooDeep | Wrong::OutOfMemory, _) => Exit::Trouble,
            (_, Channel::Data) => Exit::No,
            (_, Channel::Diagnostics) => Exit::NotJson,
        });
        match self.findings.invalid(input, error, kind) {
            Ok(text) => self.say(&text),
            Err(error) => self.complain(input.name(), &error),
        }
    }

    /// Warns of a byte-order mark, once the input was read.
    pub fn warn_of_byte_order_mark(&self, input: &Input) {
        if input.has_byte_order_mark() {
            tell(&format!(
                "jsonx: {}: warning: starts with a byte-order mark, which is ignored",
                input.name()
            ));
        }
    }

    /// Shows text where this command's messages go.
    fn say(&mut self, text: &str) -> io::Result<()> {
        match self.channel {
            Channel::Data => self.out.write_all(text.as_bytes()),
            Channel::Diagnostics => {
                // What was printed so far comes first, where both go to one place.
                self.out.flush()?;
                // With stderr gone there is nobody to tell; the code says it.
                let _ = io::stderr().write_all(text.as_bytes());
                Ok(())
            }
        }
    }
}

/// Bytes that are checked and, while they are in the nearest cache, counted.
const PIECE: usize = 16 << 10;

/// Reads a file that is too long to be read again, with a person waiting, and counts its lines on the way: 5 to 10 % of the
/// time, where counting afterwards took 30 % (300 MB, error at the end).
fn count_and_check(validator: &mut Validator, input: &mut Input) -> Result<(), Failure> {
    let mut lines = LineCounter::new();
    let mut start = 0;
    let checked = input.each_window(|window| {
        let origin = window.offset() - validator.offset();
        start = origin;
        let invalid = |stop| match Failure::from(stop) {
            Failure::Invalid(error) => Failure::Invalid(Error {
                offset: error.offset + origin,
                ..error
            }),
            other => other,
        };
        let (pieces, rest) = window.bytes().as_chunks::<PIECE>();
        for piece in pieces {
            validator.feed(piece, &mut Verdict).map_err(invalid)?;
            lines.feed_verified(piece);
        }
        let taken = match window.is_last() {
            true => validator.finish(rest, &mut Verdict).map(|()| rest.len()),
            false => validator.feed(rest, &mut Verdict),
        };
        let taken = taken.map_err(invalid)?;
        lines.feed_verified(&rest[..taken]);
        Ok::<_, Failure>(Taken::from(pieces.len() * PIECE + taken))
    });
    input.note_lines(start + lines.offset(), lines);
    checked
}

/// Hands a window to the engine; offsets in errors become those of the input.
pub fn push<S: Sink>(
    validator: &mut Validator,
    window: &Window<'_>,
    sink: &mut S,
) -> Result<usize, Stop<S::Error>> {
    let bytes = window.bytes();
    let origin = window.offset() - validator.offset();
    let pushed = if window.is_last() {
        validator.finish(bytes, sink).map(|()| bytes.len())
    } else {
        validator.feed(bytes, sink)
    };
    pushed.map_err(|stop| match stop {
        Stop::Invalid(error) => Stop::Invalid(Error {
            offset: error.offset + origin,
            ..error
        }),
        Stop::Sink(error) => Stop::Sink(error),
    })
}
