//! How inputs are read: what a command asks of the engine, and what can come of it. Several threads may read at once.

mod kind;
pub mod lines;
mod offload;

use std::convert::Infallible;
use std::io;
use std::path::Path;

use jsonx_core::lint::{self, Linter};
use jsonx_core::position::LineCounter;
use jsonx_core::{
    Error, Kernel, Mode, NotCanonical, OnePerLine, Options, RewriteError, Sink, Stop, Validator,
    Verdict,
};

use crate::input::{Input, MAX_EVIDENCE, Taken, Window};
use crate::system;
use crate::threads::has_spare_core;
pub use kind::InputKind;
use lines::Live;
use offload::{OFFLOAD_FROM, lint_offloaded};

/// Why the work on an input ended early.
pub enum Failure {
    /// It is not what was asked for; the offset counts from the start of the input.
    Invalid(Error),
    /// It has no canonical form; the offset counts from the start of the text, behind a byte-order mark.
    Refused(NotCanonical),
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

impl From<Stop<Infallible>> for Failure {
    fn from(stop: Stop<Infallible>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(never) => match never {},
        }
    }
}

/// Tells a failure of the output from the others.
///
/// # Errors
/// It is no failure of the output.
pub fn output_error<E: std::fmt::Debug>(halt: RewriteError<E>) -> Result<E, Failure> {
    match halt {
        RewriteError::Output(error) => Ok(error),
        RewriteError::NotCanonical(refusal) => Err(Failure::Refused(refusal)),
        RewriteError::OutOfMemory => Err(Failure::Read(io::ErrorKind::OutOfMemory.into())),
        other => Err(Failure::Read(io::Error::other(format!(
            "what was made of it is not JSON, which is a fault of jsonx; please report it ({other:?})"
        )))),
    }
}

impl From<RewriteError<io::Error>> for Failure {
    fn from(halt: RewriteError<io::Error>) -> Failure {
        output_error(halt).map_or_else(|failure| failure, Failure::Write)
    }
}

impl From<RewriteError<std::convert::Infallible>> for Failure {
    fn from(halt: RewriteError<std::convert::Infallible>) -> Failure {
        match output_error(halt) {
            Ok(never) => match never {},
            Err(failure) => failure,
        }
    }
}

impl From<Stop<RewriteError<std::convert::Infallible>>> for Failure {
    fn from(stop: Stop<RewriteError<std::convert::Infallible>>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(halt) => halt.into(),
        }
    }
}

impl From<Stop<RewriteError<io::Error>>> for Failure {
    fn from(stop: Stop<RewriteError<io::Error>>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(halt) => halt.into(),
        }
    }
}

/// Opens an input, unless it is the file that standard output goes into: the shell has emptied it (`jsonx fmt a > a`), or
/// what is printed would be read again without end (`jsonx get . a >> a`).
///
/// # Errors
/// Those of the system; the input is the output.
pub fn open(path: &Path) -> io::Result<Input> {
    if system::is_stdout(path) {
        return Err(io::Error::other("standard output goes into the same file"));
    }
    Input::open(path)
}

/// The settings of a run that decide what is valid.
#[derive(Clone, Copy)]
pub struct CheckOptions {
    /// The kernel that was asked for.
    pub kernel: Option<Kernel>,
    /// The limit of nesting; `u64::MAX` is none.
    pub max_depth: u64,
    /// What inputs hold.
    pub kind: InputKind,
    /// Standard input holds any number of values, where nothing else is said.
    pub stdin_is_a_stream: bool,
}

impl CheckOptions {
    /// What an input holds: as told, or by its name.
    pub fn kind_of(self, input: &Input) -> InputKind {
        match (self.kind, input.name().extension()) {
            (InputKind::Auto, _) if input.name().is_stdin() && self.stdin_is_a_stream => {
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
    pub fn engine(self, kind: InputKind) -> Options {
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
    ///
    /// # Errors
    /// What is wrong first, or why it cannot be read.
    pub fn check(self, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
        self.check_noting(input, kind, |_| {})
    }

    /// As [`CheckOptions::check`], and shows the validator from time to time, where there is one for the whole input.
    ///
    /// # Errors
    /// As [`CheckOptions::check`].
    pub fn check_noting(
        self,
        input: &mut Input,
        kind: InputKind,
        note: impl FnMut(&Validator),
    ) -> Result<(), Failure> {
        if kind == InputKind::Jsonl && input.is_file() && self.lines_with(Verdict, input).is_some()
        {
            return Ok(());
        }
        if let Some(mut lines) = self.lines(kind) {
            return input.each_window(|window| {
                lines.look(window)?;
                Ok(window.bytes().len().into())
            });
        }
        self.watch(input, kind, &mut Verdict, note)
    }

    /// As [`CheckOptions::check`], and has a linter of this making look at the input.
    ///
    /// # Errors
    /// As [`CheckOptions::check`].
    pub fn lint(
        self,
        input: &mut Input,
        kind: InputKind,
        linter: impl Fn() -> Linter,
    ) -> Result<lint::Findings, Failure> {
        if kind == InputKind::Jsonl {
            if input.is_file()
                && let Some(linted) = self.lines_with(linter(), input).map(Linter::finish)
                && linted.count == 0
            {
                return Ok(linted);
            }
            let mut lines = Live::linting(self.engine(InputKind::Json), linter());
            input.each_window_noting(|window| {
                lines.look(window)?;
                Ok::<_, Failure>((window.bytes().len().into(), lines.first()))
            })?;
            return Ok(lines.finish());
        }
        let mut linter = linter();
        let offload = input.size() >= OFFLOAD_FROM && has_spare_core();
        let done = match offload {
            true => lint_offloaded(&mut linter, |relay| self.watch(input, kind, relay, |_| {})),
            false => None,
        };
        match done {
            Some(checked) => checked?,
            None => self.watch(input, kind, &mut linter, |_| {})?,
        }
        Ok(linter.finish())
    }

    /// Reads an input that is not one of lines.
    fn watch(
        self,
        input: &mut Input,
        kind: InputKind,
        watcher: &mut impl Watcher,
        mut note: impl FnMut(&Validator),
    ) -> Result<(), Failure> {
        let mut validator = Validator::new(self.engine(kind));
        if input.size() > MAX_EVIDENCE {
            return count_and_check(&mut validator, input, watcher, note);
        }
        input.each_window_noting(|window| {
            let taken = in_segments::<CHECKPOINT_SPACING>(
                &mut validator,
                window,
                watcher,
                |validator, _| note(validator),
            );
            Ok((taken?, watcher.first()))
        })
    }

    /// Reads a file as a stream of values, with a consumer. It comes back if the file can be read, and is one value on
    /// each line: a validator for each of them takes four times as long, a linter for each of 60 bytes six times.
    fn lines_with<S: Sink<Error = Infallible>>(self, sink: S, input: &mut Input) -> Option<S> {
        struct No;
        impl From<io::Error> for No {
            fn from(_: io::Error) -> No {
                No
            }
        }
        let mut validator = Validator::new(self.engine(InputKind::Jsonl));
        let mut lines = OnePerLine::new(sink);
        let read =
            input.each_window(|window| push(&mut validator, window, &mut lines).map_err(|_| No));
        (read.is_ok() && lines.holds()).then(|| lines.into_inner())
    }

    /// The check that each line is a value of its own, for inputs where it has to be.
    pub fn lines(self, kind: InputKind) -> Option<Live> {
        (kind == InputKind::Jsonl).then(|| Live::new(self.engine(InputKind::Json)))
    }
}

/// Who looks at an input while it is checked.
pub trait Watcher: Sink<Error = Infallible> {
    /// The text begins at this offset of the input.
    fn begin(&mut self, _offset: u64) {}

    /// The first place about which something is to be said.
    fn first(&self) -> Option<u64> {
        None
    }
}

impl Watcher for Verdict {}

impl Watcher for Linter {
    fn begin(&mut self, offset: u64) {
        Linter::begin(self, offset, None);
    }

    fn first(&self) -> Option<u64> {
        Linter::first(self)
    }
}

/// Bytes between two looks at the validator.
const CHECKPOINT_SPACING: usize = 256 << 10;

/// Bytes that are checked and, while they are in the nearest cache, counted.
const COUNTED_AT_ONCE: usize = 16 << 10;

/// Reads a file that is too long to be read again, with a person waiting, and counts its lines on the way: 5 to 10 % of the
/// time, where counting afterwards took 30 % (300 MB, error at the end).
fn count_and_check(
    validator: &mut Validator,
    input: &mut Input,
    watcher: &mut impl Watcher,
    mut note: impl FnMut(&Validator),
) -> Result<(), Failure> {
    let mut lines = LineCounter::new();
    let mut start = 0;
    let checked = input.each_window(|window| {
        start = window.offset() - validator.offset();
        in_segments::<COUNTED_AT_ONCE>(validator, window, watcher, |validator, piece| {
            lines.feed_verified(piece);
            note(validator);
        })
    });
    input.note_lines(start + lines.offset(), lines);
    checked
}

/// Checks a window piece by piece, and shows the validator after each, and the piece.
fn in_segments<const BYTES: usize>(
    validator: &mut Validator,
    window: &Window<'_>,
    watcher: &mut impl Watcher,
    mut checked: impl FnMut(&Validator, &[u8]),
) -> Result<Taken, Failure> {
    let origin = window.offset() - validator.offset();
    if validator.offset() == 0 {
        watcher.begin(origin);
    }
    let invalid = |stop| match Failure::from(stop) {
        Failure::Invalid(error) => Failure::Invalid(Error {
            offset: error.offset + origin,
            ..error
        }),
        other => other,
    };
    let (pieces, rest) = window.bytes().as_chunks::<BYTES>();
    for piece in pieces {
        validator.write(piece, watcher).map_err(invalid)?;
        checked(validator, piece);
    }
    write(validator, rest, window, watcher).map_err(invalid)?;
    checked(validator, rest);
    Ok(taken(validator, window, origin))
}

/// Hands a window to the engine; offsets in errors become those of the input. The last window ends the text, and leaves
/// a validator at the start of another.
///
/// # Errors
/// Those of the text and of the sink.
pub fn push<S: Sink>(
    validator: &mut Validator,
    window: &Window<'_>,
    sink: &mut S,
) -> Result<Taken, Stop<S::Error>> {
    let origin = window.offset() - validator.offset();
    match write(validator, window.bytes(), window, sink) {
        Ok(()) => Ok(taken(validator, window, origin)),
        Err(Stop::Invalid(error)) => Err(Stop::Invalid(Error {
            offset: error.offset + origin,
            ..error
        })),
        Err(stop) => Err(stop),
    }
}

/// Hands the last bytes of a window to the engine: all lines of one that is live, the end of the last one.
fn write<S: Sink>(
    validator: &mut Validator,
    bytes: &[u8],
    window: &Window<'_>,
    sink: &mut S,
) -> Result<(), Stop<S::Error>> {
    if window.is_last() {
        return std::mem::take(validator).check(bytes, sink);
    }
    validator.write(bytes, sink)?;
    match window.is_live() {
        true => validator.flush_lines(sink),
        false => Ok(()),
    }
}

/// All of a window was taken, and an error may still be found in what was not verified.
fn taken(validator: &Validator, window: &Window<'_>, origin: u64) -> Taken {
    Taken {
        bytes: window.bytes().len(),
        keep_from: origin + validator.verified(),
    }
}
