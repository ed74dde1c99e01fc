//! Runs the engine over inputs: check options, failures, and the sinks of a check. Several threads may check at once.

mod checks;
mod classify;
mod failure;
pub mod json5;
pub mod lines;
mod rules;

pub mod segments;

use std::io;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{
    Checkpoints, Kernel, Mode, OnePerLine, Options, Sink, Stop, Validator, Verdict,
};

use crate::files::staged::Staged;
pub use crate::input::InputKind;
use crate::input::{Consumed, Input, Strategy, Task, Window};
pub use checks::{Checks, Findings, Value};
pub use classify::by_name;
pub use failure::{Failure, Interrupted, SinkError, moved};
use lines::LineValidator;
pub use rules::InputRule;
use segments::verdict::{self, CheckSink};
use segments::{Cut, SEGMENT};

/// Opens an input, unless standard output is redirected to the same file: the shell has truncated it
/// (`jsonx fmt a > a`), or the program would read its own output forever (`jsonx get . a >> a`).
///
/// # Errors
/// The file cannot be opened, or is also standard output.
pub fn open(path: &Path) -> io::Result<Input> {
    unless_stdout(Input::open(path)?)
}

/// Opens an input whose bytes are not JSON.
///
/// # Errors
/// As [`open`].
#[cfg(feature = "jq")]
pub fn open_raw(path: &Path) -> io::Result<Input> {
    unless_stdout(Input::open_raw(path)?)
}

fn unless_stdout(input: Input) -> io::Result<Input> {
    if input.is_stdout() {
        Err(io::Error::other("standard output goes to the same file"))
    } else {
        Ok(input)
    }
}

/// The settings of a run that determine validity.
#[derive(Clone)]
pub struct CheckOptions {
    /// The requested kernel.
    pub kernel: Option<Kernel>,
    /// Maximum nesting depth; `u64::MAX` for no limit.
    pub max_depth: u64,
    /// `--lossy`: values that JSON or MessagePack does not have are replaced.
    pub lossy: bool,
    /// `--input`: the kinds of the inputs.
    pub rules: Arc<[InputRule]>,
    /// The kind set by `jsonx.json`, for inputs without a matching rule.
    pub configured: Option<InputKind>,
    /// Whether an input may hold any number of values unless a rule or its name says otherwise. If not, such an input is one
    /// value.
    pub takes_streams: bool,
    /// `--staged`: the texts of git's index.
    pub staged: Option<Arc<Staged>>,
}

impl CheckOptions {
    /// Opens an input: what is staged of it, or as [`open`] does.
    ///
    /// # Errors
    /// The file cannot be opened, or is also standard output.
    pub fn open(&self, path: &Path) -> io::Result<Input> {
        let staged = self.staged.as_ref().and_then(|staged| staged.open(path));
        staged.unwrap_or_else(|| open(path))
    }

    /// The engine's options for an input of this kind.
    pub fn engine(&self, kind: InputKind) -> Options {
        let mode = if matches!(kind, InputKind::Stream | InputKind::Jsonl) {
            Mode::Stream
        } else {
            Mode::One
        };
        let options = Options::default()
            .mode(mode)
            .max_depth(self.max_depth)
            .dialect(kind.dialect());
        match self.kernel {
            Some(kernel) => options.kernel(kernel),
            None => options,
        }
    }

    /// Checks whether an input is valid.
    ///
    /// # Errors
    /// The first error in the input, or the failure to read it.
    pub fn check(&self, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
        self.run(input, kind, &Checks::default()).map(drop)
    }

    /// Like [`CheckOptions::check`], but passes the validator to `note` at regular intervals. JSON Lines have no
    /// validator for the whole input, so `note` is not called for them.
    ///
    /// # Errors
    /// As [`CheckOptions::check`].
    pub fn check_noting(
        &self,
        input: &mut Input,
        kind: InputKind,
        note: impl FnMut(&Validator),
    ) -> Result<(), Failure> {
        if kind == InputKind::Jsonl {
            return self.check(input, kind);
        }
        let mut noting = Checkpoints::new(CHECKPOINT_SPACING as u64, note);
        self.check_with(input, kind, &mut noting)
    }

    /// Appends an input to `text` while checking it; after an error, `text` has the part that was read.
    ///
    /// # Errors
    /// As [`CheckOptions::check`].
    pub fn read_checked(
        &self,
        input: &mut Input,
        kind: InputKind,
        text: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let mut validator = self.validator(kind);
        input.each_window(|window| {
            window.append_to(text);
            validator.push(window, &mut Verdict)
        })
    }

    /// Checks whether an input is valid, and runs those `checks` that see tokens.
    ///
    /// # Errors
    /// As [`CheckOptions::check`].
    pub fn run(
        &self,
        input: &mut Input,
        kind: InputKind,
        checks: &Checks,
    ) -> Result<Findings, Failure> {
        if kind == InputKind::Jsonl {
            return self.check_lines(input, checks);
        }
        let mut checks = checks.clone();
        self.check_with(input, kind, &mut checks)?;
        Ok(checks.end())
    }

    /// Checks JSON Lines: all at once, and line by line only if that fails or there are findings.
    fn check_lines(&self, input: &mut Input, checks: &Checks) -> Result<Findings, Failure> {
        if input.strategy(InputKind::Jsonl, Task::Checks) == Strategy::LinesAtOnce
            && let Some(mut checked) = self.lines_with(checks.clone(), input)
        {
            let findings = checked.end();
            if findings.are_none() {
                return Ok(findings);
            }
        }
        let lines = LineValidator::new(self.engine(InputKind::Json));
        let mut lines = lines.with_checks(checks.clone());
        input.each_window_noting(|window| {
            lines.push(window)?;
            Ok::<_, Failure>((window.bytes().len().into(), lines.first()))
        })?;
        Ok(lines.finish())
    }

    /// Checks an input that is not JSON Lines.
    fn check_with<S: CheckSink>(
        &self,
        input: &mut Input,
        kind: InputKind,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let options = self.engine(kind);
        if let Strategy::Segments(threads) = input.strategy(kind, Task::Checks) {
            return verdict::check(options, input, Cut::every(SEGMENT, threads), sink);
        }
        let mut validator = Validator::new(options);
        input.each_window_noting(|window| {
            let taken = in_parts(&mut validator, window, sink);
            Ok((taken?, sink.first()))
        })
    }

    /// Checks a file of lines as a stream of values, and returns the sink if the file is readable and has one value per
    /// line. A validator per line takes four times as long, a linter per line of 60 bytes six times.
    fn lines_with<S: Sink>(&self, sink: S, input: &mut Input) -> Option<S>
    where
        Failure: From<Stop<S::Error>>,
    {
        let mut validator = Validator::new(self.engine(InputKind::Jsonl));
        let mut lines = OnePerLine::new(sink);
        let read = input
            .each_window(|window| push(&mut validator, window, &mut lines).map_err(Failure::from));
        (read.is_ok() && lines.holds()).then(|| lines.into_inner())
    }

    /// Checks an input, and returns the sink that has received its tokens. It may be created twice.
    ///
    /// # Errors
    /// As [`CheckOptions::check`]; an error of the sink.
    pub fn read<S: Sink>(
        &self,
        input: &mut Input,
        kind: InputKind,
        create: impl Fn() -> S,
    ) -> Result<S, Failure>
    where
        Failure: From<Stop<S::Error>>,
    {
        if input.strategy(kind, Task::Checks) == Strategy::LinesAtOnce
            && let Some(sink) = self.lines_with(create(), input)
        {
            return Ok(sink);
        }
        let mut sink = create();
        let mut validator = self.validator(kind);
        input.each_window(|window| validator.push(window, &mut sink))?;
        Ok(sink)
    }

    /// A check of an input of this kind, window by window, while a sink sees its tokens.
    pub fn validator(&self, kind: InputKind) -> WindowValidator {
        WindowValidator {
            validator: Validator::new(self.engine(kind)),
            lines: self.lines(kind),
        }
    }

    /// The per-line check, if inputs of this kind need one value per line.
    pub fn lines(&self, kind: InputKind) -> Option<LineValidator> {
        (kind == InputKind::Jsonl).then(|| LineValidator::new(self.engine(InputKind::Json)))
    }
}

/// Checks an input window by window.
pub struct WindowValidator {
    validator: Validator,
    lines: Option<LineValidator>,
}

impl WindowValidator {
    /// The same without the check for one value per line, if this is known.
    #[must_use]
    pub fn without_lines(self, are_known: bool) -> WindowValidator {
        WindowValidator {
            lines: self.lines.filter(|_| !are_known),
            ..self
        }
    }

    /// Offset in the input from which a sink counts.
    pub fn origin(&self, window: &Window<'_>) -> u64 {
        window.offset() - self.validator.offset()
    }

    /// Checks a window, and passes it to `sink`.
    ///
    /// # Errors
    /// The text is invalid, or the sink fails.
    pub fn push<S: Sink>(&mut self, window: &Window<'_>, sink: &mut S) -> Result<Consumed, Failure>
    where
        Failure: From<Stop<S::Error>>,
    {
        if let Some(lines) = &mut self.lines {
            lines.push(window)?;
        }
        Ok(push(&mut self.validator, window, sink)?)
    }
}

/// Number of bytes between two states that may be recorded.
const CHECKPOINT_SPACING: usize = 256 << 10;

/// Checks a window in parts, after each of which the sink may record the state.
fn in_parts<S: CheckSink>(
    validator: &mut Validator,
    window: &Window<'_>,
    sink: &mut S,
) -> Result<Consumed, Failure> {
    let origin = window.offset() - validator.offset();
    if validator.offset() == 0 {
        sink.begin(origin);
    }
    let invalid = |stop| moved(Failure::from(stop), origin);
    let (parts, rest) = window.bytes().as_chunks::<CHECKPOINT_SPACING>();
    for part in parts {
        validator.write(part, &mut *sink).map_err(invalid)?;
        sink.checkpoint(validator);
    }
    write(validator, rest, window, sink).map_err(invalid)?;
    sink.checkpoint(validator);
    Ok(taken(validator, window, origin))
}

/// Writes a window to the validator, and converts offsets in errors to offsets in the input. The last window ends the
/// text and resets the validator.
///
/// # Errors
/// The text is invalid, or the sink fails.
pub fn push<S: Sink>(
    validator: &mut Validator,
    window: &Window<'_>,
    sink: &mut S,
) -> Result<Consumed, Stop<S::Error>> {
    let origin = window.offset() - validator.offset();
    match write(validator, window.bytes(), window, sink) {
        Ok(()) => Ok(taken(validator, window, origin)),
        Err(Stop::Invalid(error)) => Err(Stop::Invalid(SyntaxError {
            offset: error.offset + origin,
            ..error
        })),
        Err(stop) => Err(stop),
    }
}

/// Writes the last bytes of a window to the validator: flushes the complete tokens of a live window, and ends the text with
/// the last window.
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
    if window.is_live() {
        validator.flush(sink)
    } else {
        Ok(())
    }
}

/// Consumes the whole window. Unverified bytes stay available, because an error may still be found in them.
fn taken(validator: &Validator, window: &Window<'_>, origin: u64) -> Consumed {
    Consumed {
        bytes: window.bytes().len(),
        keep_from: origin + validator.verified(),
    }
}
