//! Segments of one text, each checked without the text before it.
//!
//! ```text
//! text      ├──────────────┼──────────────┼──────────────┤
//! segments          ,──────►       ,──────►       ,──────►   at the same time, each from a comma on
//! join      ────────►──────┼───────►──────┼───────►──────►   in order: the state that was guessed is the real one
//! ```
//!
//! After a comma the grammar state is known, except for the enclosing container, which is guessed from the tokens that follow
//! (`guess.rs`). A segment starts with this one container open. When it is closed, the next outer one becomes the enclosing
//! container and is guessed in the same way. A join compares the guesses with the containers that are really open; if one differs,
//! or if a segment has an error, the segment is checked again. So a guess never changes a verdict.
//!
//! The tokens of a segment may be passed to a sink while it is checked. If the guesses are right, that sink is merged into the
//! sink for the preceding text (`join.rs`).

use core::convert::Infallible;
use core::fmt;

use super::guess::{EnclosingContainer, after_value, start};
use super::segment_sink::{SegmentScope, SegmentSink};
use super::{Options, Validator};
use crate::jsonc::Dialect;
use crate::kernel::BLOCK;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::consume::catch;
use crate::token::{Mode, Stop};
use crate::verify::grammar::Grammar;

/// A segment of a text that was checked without the text before it, on any thread. [`Validator::join`] verifies the guesses it
/// is based on.
///
/// The program cuts large files into such segments. In a library, the caller provides the threads:
///
/// ```
/// use std::thread;
///
/// use jsonx_core::engine::{Options, TextSegment, Validator, Verdict};
///
/// let text = format!("[{}1]", "{\"a\": [1, 2]}, ".repeat(10_000));
/// let options = Options::default();
/// let segments: Vec<_> = thread::scope(|scope| {
///     let parts = text.as_bytes().chunks(text.len() / 4 + 1);
///     let check = |(offset, part)| move || TextSegment::new(part, offset, options, &mut Verdict);
///     let offsets = (0..).step_by(text.len() / 4 + 1);
///     let threads: Vec<_> = offsets.zip(parts).map(|part| scope.spawn(check(part))).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect()
/// });
///
/// let mut validator = Validator::new(options);
/// for segment in &segments {
///     validator.join(segment, Verdict, &mut Verdict)?;
/// }
/// assert_eq!(validator.finish(Verdict), Ok(()));
/// # Ok::<(), jsonx_core::engine::Stop<std::convert::Infallible>>(())
/// ```
#[doc(hidden)]
pub struct TextSegment<T> {
    pub(super) text: T,
    pub(super) guess: Option<Guess>,
}

/// The result of the check, valid if the guesses are right.
pub(super) struct Guess {
    pub(super) mode: Mode,
    /// The offset of the segment in the text.
    pub(super) origin: u64,
    /// Maximum number of open levels above an enclosing container.
    pub(super) max_levels: u64,
    /// The first byte of the segment that was checked: the one after a comma.
    pub(super) start: usize,
    /// The enclosing containers in order: the first one, and one after each closing bracket of such a container.
    pub(super) enclosing: Vec<EnclosingContainer>,
    /// The position at which the last enclosing container was reached: after a comma or a closing bracket.
    pub(super) last_start: usize,
    /// The state at the end, above the last enclosing container.
    pub(super) end: Validator,
    /// Intermediate states, each with the number of enclosing containers closed before it.
    pub(super) checkpoints: Vec<(usize, Validator)>,
}

/// Maximum number of enclosing containers. A segment that closes more is checked up to there.
const MAX_ENCLOSING: usize = 1024;

/// Size of the first chunks after an enclosing container was guessed. Its end is often near, and the chunk with it is read again
/// byte by byte to find it, so these chunks are short.
const FIRST_CHUNK: usize = 4 * BLOCK;

/// Size of later chunks.
const CHUNK: usize = 128 * BLOCK;

impl<T: AsRef<[u8]>> TextSegment<T> {
    /// Checks a segment as far as possible, and passes the tokens that it needs to `sink`. The segment may have any length and
    /// begin anywhere in a text; `offset` is its position. `options` must be those of the validator that it will be joined to.
    /// In dialects other than JSON, nothing is checked before the join.
    ///
    /// Takes about as long as [`Validator::write`], and a few hundred bytes of memory.
    pub fn new<S: SegmentSink>(
        text: T,
        offset: u64,
        options: Options,
        sink: &mut S,
    ) -> TextSegment<T> {
        let guess = Guess::new(text.as_ref(), offset, options, sink);
        TextSegment { text, guess }
    }

    /// Creates a segment whose text is checked when it is joined.
    pub fn unchecked(text: T) -> TextSegment<T> {
        TextSegment { text, guess: None }
    }

    /// Whether any of the text was checked.
    pub fn is_guessed(&self) -> bool {
        self.guess.is_some()
    }

    /// The text of the segment.
    pub fn text(&self) -> &T {
        &self.text
    }
}

impl<T: AsRef<[u8]>> fmt::Debug for TextSegment<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextSegment")
            .field("bytes", &self.text.as_ref().len())
            .field("is_guessed", &self.is_guessed())
            .finish()
    }
}

impl Guess {
    /// Checks `text`. Returns `None` if no comma is near its start, or if it has an error under the guesses.
    fn new<S: SegmentSink>(
        text: &[u8],
        origin: u64,
        options: Options,
        sink: &mut S,
    ) -> Option<Guess> {
        origin.checked_add(text.len() as u64)?;
        // Comments make guessing impossible.
        if options.dialect != Dialect::Json {
            return None;
        }
        let (start, enclosing) = start(text)?;
        // The other half of the limit is for the levels below the enclosing container; if they need more, the guess is discarded.
        let max_levels = match options.max_depth {
            u64::MAX => u64::MAX,
            max_depth => max_depth / 2,
        };
        let mut guess = Guess {
            mode: options.mode,
            origin,
            max_levels,
            start,
            enclosing: vec![enclosing],
            last_start: start,
            end: inside(enclosing, options, max_levels, origin, start),
            checkpoints: Vec::new(),
        };
        guess.end.state.carry.grammar.after = 0;
        guess.end.state.carry.grammar.key = u64::from(enclosing == EnclosingContainer::Object);
        guess.end.state.carry.grammar.value = u64::from(enclosing == EnclosingContainer::Array);
        guess.end.last_kind = b',';
        let mut enclosing = enclosing;
        sink.begin(enclosing.kind(), true, origin + start as u64);
        while let Err(error) = guess.advance(text, sink) {
            if error.kind != ErrorKind::TrailingContent || enclosing == EnclosingContainer::Root {
                return None;
            }
            let at = (error.offset - origin) as usize;
            if sink.scope() == SegmentScope::All {
                guess.deliver(&text[..at], sink).ok()?;
            }
            let closed = if enclosing == EnclosingContainer::Object {
                b'}'
            } else {
                b']'
            };
            enclosing = after_value(text, at, options.mode == Mode::Stream)?;
            if guess.enclosing.len() == MAX_ENCLOSING {
                enclosing = EnclosingContainer::Unknown;
            }
            let streams = guess.end.streams.take();
            guess.end = inside(enclosing, options, max_levels, origin, at);
            guess.end.streams = streams;
            guess.end.last_kind = closed;
            guess.enclosing.push(enclosing);
            guess.last_start = at;
            sink.begin(enclosing.kind(), false, error.offset);
            if enclosing == EnclosingContainer::Unknown {
                break;
            }
        }
        guess.end.streams = None;
        sink.end();
        Some(guess)
    }

    /// Checks `text` from the last state on to its end.
    fn advance<S: SegmentSink>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        let spacing = sink.checkpoint_spacing();
        let mut chunk = FIRST_CHUNK;
        let mut rest = &text[(self.end.offset() - self.origin) as usize..];
        let last = self.checkpoints.last();
        let mut noted = last.map_or(self.origin, |(_, last)| last.offset);
        while !rest.is_empty() {
            if self.end.tail_length == 0 && self.end.offset - noted >= spacing {
                noted = self.end.offset;
                self.checkpoints
                    .push((self.enclosing.len() - 1, self.end.clone()));
            }
            let (bytes, after) = rest.split_at(rest.len().min(chunk - self.end.tail_length));
            verdict(self.end.write(bytes, sink))?;
            rest = after;
            chunk = (2 * chunk).min(CHUNK);
        }
        Ok(())
    }

    /// Passes the bytes of a chunk up to the end of `text`, where the error is, to the sink.
    fn deliver<S: SegmentSink>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        let from = text.len().min((self.end.offset - self.origin) as usize);
        let mut bytes = text[from..].to_vec();
        let blank = bytes.len().min(self.last_start.saturating_sub(from));
        bytes[..blank].fill(b' ');
        verdict(catch(sink, |consumer| {
            self.end.padded(&bytes, &bytes, consumer)
        }))
    }
}

/// A validator after a value in a container, with no outer containers, at an offset in the segment that begins at `origin`. White
/// space replaces the preceding bytes of the block, so that blocks and checkpoints are aligned to the start of the segment.
fn inside(
    enclosing: EnclosingContainer,
    options: Options,
    max_levels: u64,
    origin: u64,
    at: usize,
) -> Validator {
    // The enclosing container is checked as a whole text, so the error after it is the position at which it was closed.
    let mode = match enclosing {
        EnclosingContainer::Root => options.mode,
        _ => Mode::One,
    };
    let mut validator = Validator::new(options.mode(mode));
    let mut max_depth = max_levels;
    if enclosing != EnclosingContainer::Root {
        validator
            .state
            .stack
            .push(u64::from(enclosing == EnclosingContainer::Object));
        max_depth = max_depth.saturating_add(1);
    }
    validator.state.carry.grammar = Grammar {
        value: 0,
        after: 1,
        max_depth,
        ..validator.state.carry.grammar
    };
    validator.tail_length = at % BLOCK;
    validator.offset = origin + (at - validator.tail_length) as u64;
    validator
}

fn verdict<R>(done: Result<R, Stop<Infallible>>) -> Result<R, SyntaxError> {
    done.map_err(|stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    })
}
