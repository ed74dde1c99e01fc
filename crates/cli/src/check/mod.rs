//! Runs the engine over inputs: check options, failures, and the sinks of a check. Several threads may check at once.

mod checks;
mod classify;
mod failure;
mod kind;
pub mod lines;
mod offload;

pub mod segments;

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::jsonc::Dialect;
use jsonx_core::position::LineCounter;
use jsonx_core::{Kernel, Mode, OnePerLine, Options, Sink, Stop, SyntaxError, Validator, Verdict};

use crate::input::{Input, MAX_EVIDENCE, Taken, Window};
use crate::threads::{self, has_spare_core};
use checks::CheckedSegment;
pub use checks::{Check, Checks, Findings, Value};
pub use failure::{Failure, Stopped, output_error};
pub use kind::{InputKind, InputRule};
use lines::Live;
use offload::{OFFLOAD_FROM, run_offloaded};
use segments::blocks::InBlocks;
use segments::verdict::{Noting, Pool};
use segments::{SEGMENTS_FROM, Work, verdict};

/// Opens an input, unless standard output is redirected to the same file: the shell has truncated it
/// (`jsonx fmt a > a`), or the program would read its own output forever (`jsonx get . a >> a`).
///
/// # Errors
/// The file cannot be opened, or is also standard output.
pub fn open(path: &Path) -> io::Result<Input> {
    let input = Input::open(path)?;
    match input.is_stdout() {
        true => Err(io::Error::other("standard output goes into the same file")),
        false => Ok(input),
    }
}

/// The settings of a run that determine validity.
#[derive(Clone)]
pub struct CheckOptions {
    /// The requested kernel.
    pub kernel: Option<Kernel>,
    /// Maximum nesting depth; `u64::MAX` for no limit.
    pub max_depth: u64,
    /// `--input`: the kinds of the inputs.
    pub rules: Arc<[InputRule]>,
    /// Whether an input may hold any number of values unless a rule or its name says otherwise. If not, such an input is one
    /// value.
    pub takes_streams: bool,
}

impl CheckOptions {
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
        self.check_noting(input, kind, |_| {})
    }

    /// Like [`CheckOptions::check`], but passes the validator to `note` at regular intervals. JSON Lines have no
    /// validator for the whole input, so `note` is not called for them.
    ///
    /// # Errors
    /// As for [`CheckOptions::check`].
    pub fn check_noting(
        &self,
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
        if self.pays_in_segments(input, kind) {
            return verdict::check(self.engine(kind), input, threads::count(), note);
        }
        self.watch(input, kind, &mut Verdict, note)
    }

    /// Whether an input that is not JSON Lines should be checked on several threads.
    pub fn pays_in_segments(&self, input: &Input, kind: InputKind) -> bool {
        input.size() >= SEGMENTS_FROM && kind.dialect() == Dialect::Json && has_spare_core()
    }

    /// Checks whether an input is valid, and runs those `checks` that see tokens.
    ///
    /// # Errors
    /// As for [`CheckOptions::check`].
    pub fn run(
        &self,
        input: &mut Input,
        kind: InputKind,
        checks: &Checks,
    ) -> Result<Findings, Failure> {
        if checks.are_none() {
            return self.check(input, kind).map(|()| Findings::default());
        }
        if kind == InputKind::Jsonl {
            if input.is_file()
                && let Some(mut checked) = self.lines_with(checks.clone(), input)
            {
                let findings = checked.end();
                if findings.are_none() {
                    return Ok(findings);
                }
            }
            let mut lines = Live::new(self.engine(InputKind::Json)).with_checks(checks.clone());
            input.each_window_noting(|window| {
                lines.look(window)?;
                Ok::<_, Failure>((window.bytes().len().into(), lines.first()))
            })?;
            return Ok(lines.finish());
        }
        let mut checks = checks.clone();
        if self.pays_in_segments(input, kind) {
            verdict::check_with(self.engine(kind), input, threads::count(), &mut checks)?;
            return Ok(checks.end());
        }
        let offload = input.size() >= OFFLOAD_FROM && has_spare_core();
        let done = match offload {
            true => run_offloaded(&mut checks, |relay| self.watch(input, kind, relay, |_| {})),
            false => None,
        };
        match done {
            Some(checked) => checked?,
            None => self.watch(input, kind, &mut checks, |_| {})?,
        }
        Ok(checks.end())
    }

    /// Checks an input that is not JSON Lines.
    fn watch<W: Watcher>(
        &self,
        input: &mut Input,
        kind: InputKind,
        watcher: &mut W,
        mut note: impl FnMut(&Validator),
    ) -> Result<(), Failure> {
        let mut validator = Validator::new(self.engine(kind));
        if input.size() > MAX_EVIDENCE {
            return count_and_check(&mut validator, input, watcher, note);
        }
        let mut blocks = watcher.in_blocks(self.engine(kind));
        loop {
            let may_help = blocks.as_ref().is_some_and(InBlocks::may_help);
            let read = input.each_window_noting(|window| {
                if may_help && window.is_fast() {
                    return Err(Stopped::Early(Fast));
                }
                let taken = in_segments::<CHECKPOINT_SPACING>(
                    &mut validator,
                    window,
                    watcher,
                    |validator, _| note(validator),
                );
                Ok((taken?, watcher.first()))
            });
            match (read, &mut blocks) {
                (Err(Stopped::Early(Fast)), Some(blocks)) => {
                    if validator.offset() == 0 {
                        watcher.begin(input.text_start());
                    }
                    blocks.check(
                        input,
                        &mut validator,
                        watcher,
                        W::merge,
                        |validator, watcher| {
                            note(validator);
                            watcher.first()
                        },
                    )?;
                }
                (Err(Stopped::Failed(failure)), _) => return Err(failure),
                _ => return Ok(()),
            }
        }
    }

    /// Checks a file of lines as a stream of values, and returns the sink if the file is readable and has one value per
    /// line. A validator per line takes four times as long, a linter per line of 60 bytes six times.
    fn lines_with<S: Sink<Error = Infallible>>(&self, sink: S, input: &mut Input) -> Option<S> {
        let mut validator = Validator::new(self.engine(InputKind::Jsonl));
        let mut lines = OnePerLine::new(sink);
        let read = input
            .each_window(|window| push(&mut validator, window, &mut lines).map_err(Failure::from));
        (read.is_ok() && lines.holds()).then(|| lines.into_inner())
    }

    /// The per-line check, if inputs of this kind need one value per line.
    pub fn lines(&self, kind: InputKind) -> Option<Live> {
        (kind == InputKind::Jsonl).then(|| Live::new(self.engine(InputKind::Json)))
    }
}

/// Minimum number of threads for checking a fast pipe in blocks. With two, and a writer that also needs a core, lints of 200 MB
/// took up to 1.24 times as long as with one.
pub const THREADS_FOR_PIPES: usize = 3;

/// The next bytes of a stream should be checked on several threads.
struct Fast;

/// Receives the tokens of one input during the check.
trait Watcher: Sink<Error = Infallible> {
    /// The work of other threads on blocks of a stream.
    type Work: Work;

    /// Returns that work, if other threads can help.
    fn in_blocks(&self, _options: Options) -> Option<InBlocks<Self::Work>> {
        None
    }

    /// Merges the result of another thread for a segment at an offset in the text.
    fn merge(&mut self, _seen: <Self::Work as Work>::Seen, _offset: u64) {}

    /// Called before the first chunk, with the offset of the text in the input.
    fn begin(&mut self, _offset: u64) {}

    /// Offset of the first finding.
    fn first(&self) -> Option<u64> {
        None
    }
}

impl Watcher for Verdict {
    type Work = Noting;

    /// Reading is half of the work, so three threads gain little.
    fn in_blocks(&self, options: Options) -> Option<InBlocks<Noting>> {
        let pays = cfg!(test) || threads::count().get() > THREADS_FOR_PIPES;
        pays.then(|| InBlocks::new(Noting(options)))
    }
}

impl Watcher for Checks {
    type Work = Pool;

    fn in_blocks(&self, options: Options) -> Option<InBlocks<Pool>> {
        let pays = cfg!(test) || threads::count().get() >= THREADS_FOR_PIPES;
        pays.then(|| InBlocks::new(Pool::new(options, self)))
    }

    fn merge(&mut self, seen: CheckedSegment, offset: u64) {
        self.join(seen, offset);
    }

    fn begin(&mut self, offset: u64) {
        Checks::begin(self, offset, None);
    }

    fn first(&self) -> Option<u64> {
        Checks::first(self)
    }
}

/// Number of bytes between two calls of `note`.
const CHECKPOINT_SPACING: usize = 256 << 10;

/// Number of bytes checked at a time, so that their lines are counted while they are in the L1 cache.
const COUNTED_AT_ONCE: usize = 16 << 10;

/// Checks a file that is too long to read a second time for an error's position, and counts its lines on the way. This
/// costs 5 to 10 % of the time; counting afterwards cost 30 % (300 MB, error at the end).
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
        in_segments::<COUNTED_AT_ONCE>(validator, window, watcher, |validator, segment| {
            lines.feed_verified(segment);
            note(validator);
        })
    });
    input.note_lines(start + lines.offset(), lines);
    checked
}

/// Checks a window in segments of `BYTES`, and calls `checked` with the validator and the segment after each.
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
        Failure::Invalid(error) => Failure::Invalid(SyntaxError {
            offset: error.offset + origin,
            ..error
        }),
        other => other,
    };
    let (segments, rest) = window.bytes().as_chunks::<BYTES>();
    for segment in segments {
        validator.write(segment, watcher).map_err(invalid)?;
        checked(validator, segment);
    }
    write(validator, rest, window, watcher).map_err(invalid)?;
    checked(validator, rest);
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
) -> Result<Taken, Stop<S::Error>> {
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

/// Writes the last bytes of a window to the validator: flushes complete lines of a live window, and ends the text with
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
    match window.is_live() {
        true => validator.flush_lines(sink),
        false => Ok(()),
    }
}

/// Consumes the whole window. Unverified bytes stay available, because an error may still be found in them.
fn taken(validator: &Validator, window: &Window<'_>, origin: u64) -> Taken {
    Taken {
        bytes: window.bytes().len(),
        keep_from: origin + validator.verified(),
    }
}
