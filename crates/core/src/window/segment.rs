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
//! The tokens of a segment may be passed to a sink while it is checked. If the guesses are right, the findings of that sink are
//! merged into those of the sink for the preceding text.

use core::convert::Infallible;
use core::fmt;

use super::guess::{EnclosingContainer, after_value, start};
use super::segment_sink::{ContainerSink, Placed, SegmentSink};
use super::{Options, Validator};
use crate::chunk::State;
use crate::jsonc::Dialect;
use crate::kernel::BLOCK;
use crate::stack::Stack;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::consume::catch;
use crate::token::{Mode, Sink, Stop, Verdict};
use crate::verify::grammar::Grammar;
use crate::verify::machine::{Expect, Lexical, Machine};

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
///     let threads: Vec<_> = parts.map(|part| scope.spawn(move || TextSegment::new(part, options))).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect()
/// });
///
/// let mut validator = Validator::new(options);
/// for segment in &segments {
///     validator.join(segment)?;
/// }
/// assert_eq!(validator.finish(Verdict), Ok(()));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub struct TextSegment<T> {
    pub(super) text: T,
    pub(super) guess: Option<Guess>,
}

/// The result of the check, valid if the guesses are right.
pub(super) struct Guess {
    pub(super) mode: Mode,
    /// Maximum number of open levels above an enclosing container.
    max_levels: u64,
    /// The first byte that was checked: the one after a comma.
    start: usize,
    /// The enclosing containers in order: the first one, and one after each closing bracket of such a container.
    pub(super) enclosing: Vec<EnclosingContainer>,
    /// Where the last enclosing container was reached: after a comma or a closing bracket.
    pub(super) last_start: usize,
    /// The state at the end, above the last enclosing container. Its offset counts from the start of the segment.
    pub(super) end: Validator,
    /// Intermediate states, each with the number of enclosing containers closed before it.
    checkpoints: Vec<(usize, Validator)>,
}

/// Maximum number of enclosing containers. A segment that closes more is checked up to there.
const MAX_ENCLOSING: usize = 1024;

/// Size of the first chunks after an enclosing container was guessed. Its end is often near, and the chunk with it is read again
/// byte by byte to find it, so these chunks are short.
const FIRST_CHUNK: usize = 4 * BLOCK;

/// Size of later chunks.
const CHUNK: usize = 128 * BLOCK;

impl<T: AsRef<[u8]>> TextSegment<T> {
    /// Checks a segment as far as possible. It may have any length and begin anywhere in a text. `options` must be those of the
    /// validator that it will be joined to. In dialects other than JSON, nothing is checked before the join.
    ///
    /// Takes about as long as [`Validator::write`], and a few hundred bytes of memory.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment};
    ///
    /// let segment = TextSegment::new(b"1, 2, 3], [4, 5", Options::default());
    /// assert!(segment.is_guessed());
    /// // Without a comma there is no known grammar state to start from.
    /// assert!(!TextSegment::new(b"a very long string", Options::default()).is_guessed());
    /// ```
    pub fn new(text: T, options: Options) -> TextSegment<T> {
        TextSegment::with_checkpoints(text, options, usize::MAX)
    }

    /// Like [`new`](TextSegment::new), with checkpoints about every `spacing` bytes for [`Validator::join_noting`], at
    /// multiples of 64 bytes from the start of the segment.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    ///
    /// let part = "1, ".repeat(100_000);
    /// let segment = TextSegment::with_checkpoints(part, Options::default(), 64 << 10);
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(b"[", &mut jsonx_core::engine::Verdict).unwrap();
    /// let mut checkpoints = Vec::new();
    /// validator.join_noting(&segment, |checkpoint| checkpoints.push(checkpoint.clone()))?;
    /// assert_eq!(checkpoints.len(), 4);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn with_checkpoints(text: T, options: Options, spacing: usize) -> TextSegment<T> {
        let sink = &mut Placed {
            sink: &mut Verdict,
            offset: 0,
        };
        let guess = Guess::of(text.as_ref(), options, spacing, sink);
        TextSegment { text, guess }
    }

    /// Creates a segment whose text is checked when it is joined.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// assert_eq!(validator.join(&TextSegment::unchecked("[1, 2]")), Ok(false));
    /// ```
    pub fn unchecked(text: T) -> TextSegment<T> {
        TextSegment { text, guess: None }
    }

    /// Like [`new`](TextSegment::new), and passes the tokens in the last enclosing container of the segment to `sink`, for
    /// [`Validator::join_sink`]. `offset` is the offset of the segment in the text.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, SegmentedSink, TextSegment, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let text = format!("[{}1]", "[2], ".repeat(1000));
    /// let options = Options::default();
    /// let mut query = Query::new(&[Path::parse("$[1000]")?], QueryOptions::default());
    /// let mut validator = Validator::new(options);
    /// let mut taken = 0;
    /// for (number, part) in text.as_bytes().chunks(1000).enumerate() {
    ///     // On any thread.
    ///     let mut sink = query.for_segment();
    ///     let segment = TextSegment::with_segment_sink(part, 1000 * number as u64, options, &mut sink);
    ///     taken += usize::from(validator.join_sink(&segment, sink, &mut query).unwrap());
    /// }
    /// validator.finish(&mut query).unwrap();
    /// query.end();
    /// // The first segment shows what the next ones need; the match is in the last one.
    /// assert_eq!((taken, query.answers().count()), (4, 1));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn with_segment_sink<S: SegmentSink>(
        text: T,
        offset: u64,
        options: Options,
        sink: &mut S,
    ) -> TextSegment<T> {
        let sink = &mut Placed { sink, offset };
        let guess = Guess::of(text.as_ref(), options, usize::MAX, sink);
        TextSegment { text, guess }
    }

    /// Whether any of the text was checked.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment};
    ///
    /// assert!(!TextSegment::new("1, 2 ".repeat(100), Options::default()).is_guessed());
    /// assert!(TextSegment::new("1, 2, ".repeat(100), Options::default()).is_guessed());
    /// ```
    pub fn is_guessed(&self) -> bool {
        self.guess.is_some()
    }

    /// The text of the segment.
    ///
    /// ```
    /// use jsonx_core::engine::TextSegment;
    ///
    /// assert_eq!(*TextSegment::unchecked("1, 2").text(), "1, 2");
    /// ```
    pub fn text(&self) -> &T {
        &self.text
    }

    /// The text of the segment.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment};
    ///
    /// assert_eq!(TextSegment::new("1, 2", Options::default()).into_text(), "1, 2");
    /// ```
    pub fn into_text(self) -> T {
        self.text
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
    pub(super) fn of<S: ContainerSink>(
        text: &[u8],
        options: Options,
        spacing: usize,
        sink: &mut S,
    ) -> Option<Guess> {
        // Comments make guessing impossible.
        if options.dialect != Dialect::Json {
            return None;
        }
        let (start, enclosing) = start(text)?;
        // The levels below the enclosing container may take the other half; if they need more, the guess is discarded.
        let max_levels = match options.max_depth {
            u64::MAX => u64::MAX,
            max_depth => max_depth / 2,
        };
        let mut guess = Guess {
            mode: options.mode,
            max_levels,
            start,
            enclosing: vec![enclosing],
            last_start: start,
            end: inside(enclosing, options, max_levels, start),
            checkpoints: Vec::new(),
        };
        guess.end.state.carry.grammar.after = 0;
        guess.end.state.carry.grammar.key = u64::from(enclosing == EnclosingContainer::Object);
        guess.end.state.carry.grammar.value = u64::from(enclosing == EnclosingContainer::Array);
        guess.end.last_kind = b',';
        let mut enclosing = enclosing;
        sink.begin(enclosing, true, start);
        while let Err(error) = guess.advance(text, spacing, sink) {
            if error.kind != ErrorKind::TrailingContent || enclosing == EnclosingContainer::Root {
                return None;
            }
            let at = error.offset as usize;
            if S::SEES_ALL {
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
            guess.end = inside(enclosing, options, max_levels, at);
            guess.end.streams = streams;
            guess.end.last_kind = closed;
            guess.enclosing.push(enclosing);
            guess.last_start = at;
            sink.begin(enclosing, false, at);
            if enclosing == EnclosingContainer::Unknown {
                break;
            }
        }
        guess.end.streams = None;
        Some(guess)
    }

    /// Checks `text` from the last state on to its end.
    fn advance<S: ContainerSink>(
        &mut self,
        text: &[u8],
        spacing: usize,
        sink: &mut S,
    ) -> Result<(), SyntaxError> {
        let mut chunk = FIRST_CHUNK;
        let mut rest = &text[self.end.offset() as usize..];
        let mut noted = self.checkpoints.last().map_or(0, |(_, last)| last.offset);
        while !rest.is_empty() {
            if self.end.held == 0 && self.end.offset - noted >= spacing as u64 {
                noted = self.end.offset;
                self.checkpoints
                    .push((self.enclosing.len() - 1, self.end.clone()));
            }
            let (bytes, after) = rest.split_at(rest.len().min(chunk - self.end.held));
            verdict(self.end.write(bytes, sink))?;
            rest = after;
            chunk = (2 * chunk).min(CHUNK);
        }
        Ok(())
    }

    /// Passes on the bytes of a chunk up to the end of `text`, where the error is.
    fn deliver<S: ContainerSink>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        let from = text.len().min(self.end.offset as usize);
        let mut bytes = text[from..].to_vec();
        let blank = bytes.len().min(self.last_start.saturating_sub(from));
        bytes[..blank].fill(b' ');
        verdict(catch(sink, |consumer| {
            self.end.padded(&bytes, &bytes, consumer)
        }))
    }
}

/// A validator after a value in a container, with no outer containers. White space replaces the preceding bytes of the block,
/// so that blocks and checkpoints are aligned to the start of the segment.
fn inside(
    enclosing: EnclosingContainer,
    options: Options,
    max_levels: u64,
    offset: usize,
) -> Validator {
    // The enclosing container is checked as a whole text, so the error after it shows where it was closed.
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
    validator.held = offset % BLOCK;
    validator.offset = (offset - validator.held) as u64;
    validator
}

fn verdict<R>(done: Result<R, Stop<Infallible>>) -> Result<R, SyntaxError> {
    done.map_err(|stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    })
}

impl Validator {
    /// Equivalent to [`write`](Validator::write) with the text of the segment and [`Verdict`](crate::engine::Verdict). Returns whether
    /// the guesses were right; if not, the text was checked again.
    ///
    /// If they were right, this takes a few microseconds: only the bytes before the first comma are checked.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator, Verdict};
    ///
    /// let options = Options::default();
    /// let mut validator = Validator::new(options);
    /// validator.write(b"[[0, 1", &mut Verdict).unwrap();
    /// let segment = TextSegment::new(", 2, 3], {\"a\": 4}]", options);
    /// assert_eq!(validator.join(&segment), Ok(true));
    /// assert_eq!(validator.finish(Verdict), Ok(()));
    ///
    /// // A text full of quotes can be misread.
    /// let mut validator = Validator::new(options);
    /// validator.write(b"[\"", &mut Verdict).unwrap();
    /// let segment = TextSegment::new("1, 2\"]", options);
    /// assert_eq!(validator.join(&segment), Ok(false));
    /// assert_eq!(validator.finish(Verdict), Ok(()));
    /// ```
    pub fn join<T: AsRef<[u8]>>(&mut self, segment: &TextSegment<T>) -> Result<bool, SyntaxError> {
        self.join_noting(segment, |_| {})
    }

    /// Like [`join`](Validator::join), and calls `note` with the checkpoints of the segment in order, if its guesses are right.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator, Verdict};
    ///
    /// let options = Options::default();
    /// let segment = TextSegment::with_checkpoints("1, ".repeat(1000), options, 100);
    /// let mut validator = Validator::new(options);
    /// validator.write(b"[", &mut Verdict).unwrap();
    /// validator.join_noting(&segment, |checkpoint| {
    ///     assert_eq!(checkpoint.offset() % 64, 1);
    /// })?;
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn join_noting<T: AsRef<[u8]>>(
        &mut self,
        segment: &TextSegment<T>,
        note: impl FnMut(&Validator),
    ) -> Result<bool, SyntaxError> {
        verdict(self.join_all(segment, &mut Verdict, note, |_, _| ()))
    }

    /// Implements [`join_noting`](Validator::join_noting) and [`join_with`](Validator::join_with).
    pub(super) fn join_all<T: AsRef<[u8]>, S: Sink>(
        &mut self,
        segment: &TextSegment<T>,
        sink: &mut S,
        note: impl FnMut(&Validator),
        merge: impl FnOnce(&mut S, u64),
    ) -> Result<bool, Stop<S::Error>> {
        let take = |sink: &mut S, _: &Guess, origin| {
            merge(sink, origin);
            true
        };
        let after = |before: &Validator, guess: &Guess, origin| before.after(guess, origin, note);
        self.join_from(segment, sink, |guess| guess.start, after, take)
    }

    /// Implements all joins: checks the text up to `start` of the guess. If `after` returns the state after the segment and
    /// `take` accepts the work on its tokens, that is the new state; otherwise the rest is checked again. `after` and `take`
    /// receive the offset of the segment.
    pub(super) fn join_from<T: AsRef<[u8]>, S: Sink>(
        &mut self,
        segment: &TextSegment<T>,
        sink: &mut S,
        start: impl FnOnce(&Guess) -> usize,
        after: impl FnOnce(&Validator, &Guess, u64) -> Option<Validator>,
        take: impl FnOnce(&mut S, &Guess, u64) -> bool,
    ) -> Result<bool, Stop<S::Error>> {
        let text = segment.text.as_ref();
        let Some(guess) = &segment.guess else {
            self.write(text, sink)?;
            return Ok(false);
        };
        let origin = self.offset();
        let (before, rest) = text.split_at(start(guess));
        self.write(before, sink)?;
        let Some(joined) = after(self, guess, origin) else {
            self.write(rest, sink)?;
            return Ok(false);
        };
        // Outside all tokens, so white space may follow.
        let tail = self.tail;
        let held = core::mem::take(&mut self.held);
        if held > 0 {
            let tail = &tail[..held];
            catch(sink, |consumer| self.padded(tail, tail, consumer))?;
        }
        if !take(sink, guess, origin) {
            self.write(rest, sink)?;
            return Ok(false);
        }
        let streams = self.streams.take();
        *self = Validator { streams, ..joined };
        let checked = (self.offset() - origin) as usize;
        self.write(&text[checked..], sink)?;
        Ok(true)
    }

    /// The state after a segment that begins at `origin`, if its guesses are right.
    fn after(
        &self,
        guess: &Guess,
        origin: u64,
        mut note: impl FnMut(&Validator),
    ) -> Option<Validator> {
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.held]).ok()?;
        let expected = match guess.enclosing.first() {
            Some(EnclosingContainer::Object) => Expect::Key,
            _ => Expect::Value,
        };
        let same = machine.lexical == Lexical::Between && machine.expect == expected;
        if !same || guess.mode != self.mode || self.feed.is_some() {
            return None;
        }
        let mut below = machine.stack;
        if !self.fits(guess, &below) {
            return None;
        }
        let mut checkpoints = guess.checkpoints.iter().peekable();
        for (number, &enclosing) in guess.enclosing.iter().enumerate() {
            if number > 0 {
                below.pop();
            }
            let right = match enclosing {
                EnclosingContainer::Array => below.depth > 0 && below.object() == 0,
                EnclosingContainer::Object => below.depth > 0 && below.object() == 1,
                EnclosingContainer::Root => below.depth == 0,
                EnclosingContainer::Unknown => true,
            };
            if !right {
                return None;
            }
            // Checkpoints before a wrong guess are right too.
            while let Some((_, state)) = checkpoints.next_if(|(enclosing, _)| *enclosing == number)
            {
                note(&self.above(&below, enclosing, state, origin)?);
            }
        }
        self.above(&below, *guess.enclosing.last()?, &guess.end, origin)
    }

    /// Whether the depth limit holds with the containers `below`.
    pub(super) fn fits(&self, guess: &Guess, below: &Stack) -> bool {
        let max_depth = self.state.carry.grammar.max_depth;
        max_depth == u64::MAX
            || below
                .depth
                .checked_add(guess.max_levels)
                .is_some_and(|levels| levels <= max_depth)
    }

    /// Combines `state` with the containers `below`, the innermost of which encloses it. `None` if memory runs out.
    pub(super) fn above(
        &self,
        below: &Stack,
        enclosing: EnclosingContainer,
        state: &Validator,
        origin: u64,
    ) -> Option<Validator> {
        let mut stack = below.clone();
        match enclosing {
            EnclosingContainer::Unknown => {}
            EnclosingContainer::Root => stack.append(&state.state.stack, 0),
            _ if state.state.stack.depth == 0 => stack.pop(),
            _ => stack.append(&state.state.stack, 1),
        }
        let Grammar {
            stream, max_depth, ..
        } = self.state.carry.grammar;
        let mut carry = state.state.carry;
        carry.grammar = Grammar {
            stream,
            max_depth,
            ..carry.grammar
        };
        let joined = Validator {
            kernel: self.kernel,
            mode: self.mode,
            state: State { carry, stack },
            streams: None,
            offset: origin + state.offset,
            last_kind: state.last_kind,
            held: state.held,
            tail: state.tail,
            padded: Vec::new(),
            feed: None,
            blanked: Vec::new(),
        };
        (!joined.state.stack.exhausted).then_some(joined)
    }
}
