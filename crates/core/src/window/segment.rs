//! Parts of one text, each checked without what is before it.
//!
//! ```text
//! text      ├──────────────┼──────────────┼──────────────┤
//! segments          ,──────►       ,──────►       ,──────►   at the same time, each from a comma on
//! join      ────────►──────┼───────►──────┼───────►──────►   in order: the state that was guessed is the real one
//! ```
//!
//! After a comma the state of the grammar is known but for the container around it, which is guessed from the tokens that
//! follow (`guess.rs`). A segment starts with this one container open, its floor. Where that is closed, the segment
//! continues with the one below, guessed in the same way. A join compares the floors with the containers that are open; if one
//! differs, or if a segment has an error, it is checked again in the ordinary way. So a guess never changes a verdict.
//!
//! The tokens of a segment may go to a sink at once. It counts if the guesses are right; what it has found is then joined with
//! what a sink of the text before has found.

use core::convert::Infallible;
use core::fmt;

use super::guess::{Floor, after_value, start};
use super::segment_sink::{FloorSink, Placed, SegmentSink};
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

/// Part of a text that has been checked without the text before it, on any thread. [`Validator::join`] finds out
/// whether that was right.
///
/// The program cuts large files into such segments; a library user does it with threads of their own:
///
/// ```
/// use std::thread;
///
/// use jsonx_core::{Options, TextSegment, Validator, Verdict};
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

/// What was found, if the guesses are right.
pub(super) struct Guess {
    pub(super) mode: Mode,
    /// Levels that may be open above a floor.
    max_levels: u64,
    /// The first byte that was checked: the one after a comma.
    start: usize,
    /// The containers that are the innermost at first, and after each closing bracket that closes one of them.
    pub(super) floors: Vec<Floor>,
    /// Where the last of them was reached: after a comma or a closing bracket.
    pub(super) last_start: usize,
    /// The state at the end, above the last floor. Its offset counts from the start of the segment.
    pub(super) end: Validator,
    /// States on the way, and the number of floors that were closed before.
    checkpoints: Vec<(usize, Validator)>,
}

/// The maximum number of floors. A segment that closes more is checked up to that place.
const MAX_FLOORS: usize = 1024;

/// Bytes checked at once after a floor was guessed. The next one is often near, and to find it, the chunk with it is read
/// again a byte at a time; so the first chunks are short.
const FIRST_CHUNK: usize = 4 * BLOCK;

/// Bytes in a chunk later on.
const CHUNK: usize = 128 * BLOCK;

impl<T: AsRef<[u8]>> TextSegment<T> {
    /// Checks part of a text as far as possible: text of any length, that begins anywhere in a text. `options` must be
    /// those of the validator that it will be joined to. With another dialect than JSON nothing is checked before it is
    /// joined.
    ///
    /// Costs about as much as [`Validator::write`], and some hundred bytes of memory.
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment};
    ///
    /// let segment = TextSegment::new(b"1, 2, 3], [4, 5", Options::default());
    /// assert!(segment.is_guessed());
    /// // Without a comma there is no place to begin.
    /// assert!(!TextSegment::new(b"a very long string", Options::default()).is_guessed());
    /// ```
    pub fn new(text: T, options: Options) -> TextSegment<T> {
        TextSegment::with_checkpoints(text, options, usize::MAX)
    }

    /// As [`new`](TextSegment::new), with checkpoints about every `spacing` bytes for [`Validator::join_noting`]. They are at
    /// multiples of 64 bytes, counted from the start of the segment.
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment, Validator};
    ///
    /// let part = "1, ".repeat(100_000);
    /// let segment = TextSegment::with_checkpoints(part, Options::default(), 64 << 10);
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(b"[", &mut jsonx_core::Verdict).unwrap();
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

    /// A segment whose text is checked when it is joined.
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment, Validator};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// assert_eq!(validator.join(&TextSegment::unchecked("[1, 2]")), Ok(false));
    /// ```
    pub fn unchecked(text: T) -> TextSegment<T> {
        TextSegment { text, guess: None }
    }

    /// As [`new`](TextSegment::new), and passes the tokens of the last container that the segment is in to `sink`, for
    /// [`Validator::join_sink`]. `offset` is that of the segment in the text.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Options, Query, QueryOptions, SegmentedSink, TextSegment, Validator};
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
    /// // The first segment shows what there is to do in the next ones; the last one has the match.
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

    /// Whether some of the text could be checked.
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment};
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
    /// use jsonx_core::TextSegment;
    ///
    /// assert_eq!(*TextSegment::unchecked("1, 2").text(), "1, 2");
    /// ```
    pub fn text(&self) -> &T {
        &self.text
    }

    /// The text of the segment.
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment};
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
    /// Checks `text`; `None` if no comma is near its start, or if it has an error if the guesses are right.
    pub(super) fn of<S: FloorSink>(
        text: &[u8],
        options: Options,
        spacing: usize,
        sink: &mut S,
    ) -> Option<Guess> {
        // What comments hide cannot be guessed.
        if options.dialect != Dialect::Json {
            return None;
        }
        let (start, floor) = start(text)?;
        // What is below the floor takes the other half at most, or the guess is abandoned.
        let max_levels = match options.max_depth {
            u64::MAX => u64::MAX,
            max_depth => max_depth / 2,
        };
        let mut guess = Guess {
            mode: options.mode,
            max_levels,
            start,
            floors: vec![floor],
            last_start: start,
            end: inside(floor, options, max_levels, start),
            checkpoints: Vec::new(),
        };
        guess.end.state.carry.grammar.after = 0;
        guess.end.state.carry.grammar.key = u64::from(floor == Floor::Object);
        guess.end.state.carry.grammar.value = u64::from(floor == Floor::Array);
        guess.end.last_kind = b',';
        let mut floor = floor;
        sink.begin(floor, true, start);
        while let Err(error) = guess.advance(text, spacing, sink) {
            if error.kind != ErrorKind::TrailingContent || floor == Floor::Root {
                return None;
            }
            let at = error.offset as usize;
            if S::SEES_ALL {
                guess.deliver(&text[..at], sink).ok()?;
            }
            let closed = if floor == Floor::Object { b'}' } else { b']' };
            floor = after_value(text, at, options.mode == Mode::Stream)?;
            if guess.floors.len() == MAX_FLOORS {
                floor = Floor::Unknown;
            }
            let streams = guess.end.streams.take();
            guess.end = inside(floor, options, max_levels, at);
            guess.end.streams = streams;
            guess.end.last_kind = closed;
            guess.floors.push(floor);
            guess.last_start = at;
            sink.begin(floor, false, at);
            if floor == Floor::Unknown {
                break;
            }
        }
        guess.end.streams = None;
        Some(guess)
    }

    /// Checks `text` from the last state on to its end.
    fn advance<S: FloorSink>(
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
                    .push((self.floors.len() - 1, self.end.clone()));
            }
            let (bytes, after) = rest.split_at(rest.len().min(chunk - self.end.held));
            verdict(self.end.write(bytes, sink))?;
            rest = after;
            chunk = (2 * chunk).min(CHUNK);
        }
        Ok(())
    }

    /// Passes on the bytes of a chunk up to the end of `text`, after which it had an error.
    fn deliver<S: FloorSink>(&mut self, text: &[u8], sink: &mut S) -> Result<(), SyntaxError> {
        let from = text.len().min(self.end.offset as usize);
        let mut bytes = text[from..].to_vec();
        let blank = bytes.len().min(self.last_start.saturating_sub(from));
        bytes[..blank].fill(b' ');
        verdict(catch(sink, |consumer| {
            self.end.padded(&bytes, &bytes, consumer)
        }))
    }
}

/// A validator after a value in a container, with nothing below that. White space takes the place of the bytes before it in its
/// block, so that blocks, and with them checkpoints, are counted from the start of the segment.
fn inside(floor: Floor, options: Options, max_levels: u64, offset: usize) -> Validator {
    // A container that is the whole text: what follows it is an error that tells where the floor was closed.
    let mode = match floor {
        Floor::Root => options.mode,
        _ => Mode::One,
    };
    let mut validator = Validator::new(options.mode(mode));
    let mut max_depth = max_levels;
    if floor != Floor::Root {
        validator
            .state
            .stack
            .push(u64::from(floor == Floor::Object));
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
    /// As [`write`](Validator::write) with the text of the segment and [`Verdict`](crate::Verdict), whatever the guesses of
    /// the segment are. Returns whether they were right; if not, the text was checked again here.
    ///
    /// Costs some microseconds for each segment where they are right: its bytes before the first comma are checked here.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment, Validator, Verdict};
    ///
    /// let options = Options::default();
    /// let mut validator = Validator::new(options);
    /// validator.write(b"[[0, 1", &mut Verdict).unwrap();
    /// let segment = TextSegment::new(", 2, 3], {\"a\": 4}]", options);
    /// assert_eq!(validator.join(&segment), Ok(true));
    /// assert_eq!(validator.finish(Verdict), Ok(()));
    ///
    /// // A text full of quotes may look like another one.
    /// let mut validator = Validator::new(options);
    /// validator.write(b"[\"", &mut Verdict).unwrap();
    /// let segment = TextSegment::new("1, 2\"]", options);
    /// assert_eq!(validator.join(&segment), Ok(false));
    /// assert_eq!(validator.finish(Verdict), Ok(()));
    /// ```
    pub fn join<T: AsRef<[u8]>>(&mut self, segment: &TextSegment<T>) -> Result<bool, SyntaxError> {
        self.join_noting(segment, |_| {})
    }

    /// As [`join`](Validator::join); calls `note` in order with the checkpoints of the segment, if its guesses are right.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::{Options, TextSegment, Validator, Verdict};
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

    /// [`join_noting`](Validator::join_noting) and [`join_with`](Validator::join_with).
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

    /// The one way to join: checks the text up to `start` of the guess. If `after` finds the state after the segment from there, and
    /// if `take` takes what was done with its tokens, that is the state; otherwise the rest is checked again, too. `after` and
    /// `take` get the offset of the segment.
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
        // Outside of all tokens, so white space may follow.
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

    /// The state after a segment, which begins at `origin`, if its guesses are right.
    fn after(
        &self,
        guess: &Guess,
        origin: u64,
        mut note: impl FnMut(&Validator),
    ) -> Option<Validator> {
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.held]).ok()?;
        let expected = match guess.floors.first() {
            Some(Floor::Object) => Expect::Key,
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
        for (number, &floor) in guess.floors.iter().enumerate() {
            if number > 0 {
                below.pop();
            }
            let right = match floor {
                Floor::Array => below.depth > 0 && below.object() == 0,
                Floor::Object => below.depth > 0 && below.object() == 1,
                Floor::Root => below.depth == 0,
                Floor::Unknown => true,
            };
            if !right {
                return None;
            }
            // The checkpoints of a guess that turns out to be wrong later on are right, too.
            while let Some((_, state)) = checkpoints.next_if(|(floors, _)| *floors == number) {
                note(&self.above(&below, floor, state, origin)?);
            }
        }
        self.above(&below, *guess.floors.last()?, &guess.end, origin)
    }

    /// Whether the limit of the depth is the same with the containers `below`.
    pub(super) fn fits(&self, guess: &Guess, below: &Stack) -> bool {
        let max_depth = self.state.carry.grammar.max_depth;
        max_depth == u64::MAX
            || below
                .depth
                .checked_add(guess.max_levels)
                .is_some_and(|levels| levels <= max_depth)
    }

    /// The state that is `state` above a floor, with the containers `below`, of which the innermost is that floor. `None` if
    /// there is no memory for it.
    pub(super) fn above(
        &self,
        below: &Stack,
        floor: Floor,
        state: &Validator,
        origin: u64,
    ) -> Option<Validator> {
        let mut stack = below.clone();
        match floor {
            Floor::Unknown => {}
            Floor::Root => stack.append(&state.state.stack, 0),
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
