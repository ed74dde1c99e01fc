//! Sinks that can start work on a segment before the preceding text has been checked.
//!
//! ```text
//! segment  ├──────┬─────────────────────────────────┤
//!          sink of│   sink of the segment, on any    merged by the sink of the text,
//!         the text│   thread: knows only one         if its assumptions hold
//!                 │   container
//!                 the last enclosing container of the guess begins
//! ```

use core::convert::Infallible;

use super::guess::EnclosingContainer;
use super::segment::Guess;
use super::{TextSegment, Validator};
use crate::token::{Chunk, Interest, Kind, Mode, Sink, Stop, Verdict};
use crate::verify::machine::{Expect, Lexical, Machine};

/// Receives the tokens of a segment without knowledge of the text before it.
///
/// ```
/// use jsonx_core::engine::{Chunk, Options, SegmentSink, Sink, TextSegment};
/// use jsonx_core::Kind;
///
/// /// The offset from which the container is known, and its kind.
/// #[derive(Debug, Default)]
/// struct Container(Option<Kind>, u64);
///
/// impl Sink for Container {
///     type Error = std::convert::Infallible;
///     type Output = ();
///
///     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
///         self.1 = chunk.offset + chunk.bytes.len() as u64;
///         Ok(())
///     }
///
///     fn finish(self) -> Result<(), Self::Error> {
///         Ok(())
///     }
/// }
///
/// impl SegmentSink for Container {
///     fn begin(&mut self, container: Option<Kind>, _: bool, _: u64) {
///         self.0 = container;
///     }
/// }
///
/// let text = format!("1, 2], {}", "{\"a\": 1}, ".repeat(100));
/// let segment = TextSegment::with_segment_sink(text, 5000, Options::default(), &mut Container::default());
/// assert!(segment.is_guessed());
/// ```
pub trait SegmentSink: Sink<Error = Infallible> {
    /// Begins in a container, or if `None`, in one of unknown kind or at the root. Discards all state: the previous container
    /// has closed. `after_comma` tells whether the next token begins a member or an element; otherwise one has just ended.
    /// `offset` is the offset of the next byte in the text.
    fn begin(&mut self, container: Option<Kind>, after_comma: bool, offset: u64);
}

impl SegmentSink for Verdict {
    fn begin(&mut self, _: Option<Kind>, _: bool, _: u64) {}
}

/// A sink for a text whose segments are checked on several threads. It merges the work of their sinks.
///
/// [`Query`](crate::query::Query) and [`Locator`](crate::engine::Locator) implement it.
///
/// ```
/// use jsonx_core::engine::{Locator, Options, SegmentedSink, TextSegment, Validator};
///
/// let text = format!("[{}1]", "1, ".repeat(1000));
/// let (first, second) = text.split_at(1500);
/// let mut validator = Validator::new(Options::default());
/// let mut locator = Locator::new(2997);
/// validator.write(first.as_bytes(), &mut locator)?;
/// // Possibly on another thread:
/// let mut work = locator.for_segment();
/// let segment = TextSegment::with_segment_sink(second, 1500, Options::default(), &mut work);
/// validator.join_sink(&segment, work, &mut locator)?;
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub trait SegmentedSink: Sink {
    /// The sink of a segment.
    type Segment: SegmentSink;

    /// Creates a sink for a later segment from the current state.
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// let segment = Locator::new(5_000_000).for_segment();
    /// # let _ = segment;
    /// ```
    fn for_segment(&self) -> Self::Segment;

    /// Merges the work of `segment` on the tokens from here on, after which `levels` more containers are open, and returns
    /// true. Returns false if `segment` was based on another state; the tokens are then passed to this sink.
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// // No token has been passed yet, so there is no container that the segment could continue.
    /// let mut locator = Locator::new(100);
    /// let segment = locator.for_segment();
    /// assert!(!locator.take(segment, 0));
    /// ```
    fn take(&mut self, segment: Self::Segment, levels: u64) -> bool;

    /// Whether it may ever owe a replay, because the caller allowed it. See [`DeferredReplay`].
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// assert!(!Locator::new(100).may_defer());
    /// assert!(Locator::new(100).deferring().may_defer());
    /// ```
    fn may_defer(&self) -> bool {
        false
    }

    /// The text that this sink has skipped and may need to replay.
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// assert_eq!(Locator::new(100).deferred(), None);
    /// ```
    fn deferred(&self) -> Option<DeferredReplay> {
        None
    }

    /// The number of members or elements begun so far in the container that begins at the offset `container`; 0 if the sink has
    /// not seen the start of the container.
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// assert_eq!(Locator::new(100).begun(0), 0);
    /// ```
    fn begun(&self, container: u64) -> u64 {
        let _ = container;
        0
    }
}

/// Text that a [`SegmentedSink`] has skipped because only the end of a container matters, which is not known yet. For `$[-1]`,
/// elements of segments are only counted, and the last two segments are replayed.
///
/// A caller that allows this keeps clones of the sink and the validator from before each such segment. After a segment that was
/// not taken, or after which nothing or another container is deferred, and at the end of the text, it replaces the sink with the
/// last clone in which at most [`from`](DeferredReplay::from) elements had begun, and writes the text from there on again.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, DeferredReplay, SegmentedSink, TextSegment, Validator};
/// use jsonx_core::query::{Query, QueryOptions};
///
/// let text = format!("[{}1]", "[2], ".repeat(1000));
/// let mut query = Query::new(&[Path::parse("$[-1]")?], QueryOptions::default()).deferring();
/// let mut validator = Validator::default();
/// for (number, part) in text.as_bytes().chunks(1000).take(3).enumerate() {
///     let mut sink = query.for_segment();
///     let segment = TextSegment::with_segment_sink(part, 1000 * number as u64, Options::default(), &mut sink);
///     validator.join_sink(&segment, sink, &mut query).unwrap();
/// }
/// assert_eq!(query.deferred(), Some(DeferredReplay { container: 0, from: 591 }));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeferredReplay {
    /// The offset of the container in the text.
    pub container: u64,
    /// The index of the first of its members or elements that may matter.
    pub from: u64,
}

/// Receives a segment while its enclosing containers are guessed.
pub(super) trait ContainerSink: Sink<Error = Infallible> {
    /// Whether the bytes before the end of an enclosing container are passed on if the rest of their chunk is an error.
    const SEES_ALL: bool;

    /// An enclosing container was guessed at this offset in the segment.
    fn begin(&mut self, enclosing: EnclosingContainer, after_comma: bool, at: usize);
}

/// Passes on chunks with offsets in the text.
pub(super) struct Placed<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) offset: u64,
}

impl<S: SegmentSink> ContainerSink for Placed<'_, S> {
    const SEES_ALL: bool = false;

    fn begin(&mut self, enclosing: EnclosingContainer, after_comma: bool, at: usize) {
        let container = match enclosing {
            EnclosingContainer::Array => Some(Kind::Array),
            EnclosingContainer::Object => Some(Kind::Object),
            EnclosingContainer::Root | EnclosingContainer::Unknown => None,
        };
        self.sink
            .begin(container, after_comma, self.offset + at as u64);
    }
}

impl<S: SegmentSink> Sink for Placed<'_, S> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        self.sink.interest(mode)
    }

    #[inline]
    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.sink.chunk(&Chunk {
            offset: chunk.offset + self.offset,
            ..*chunk
        })
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Validator {
    /// Equivalent to [`write`](Validator::write) with the text of the segment: `sink` either receives the tokens or merges the
    /// work of `segment_sink`, the sink of [`TextSegment::with_segment_sink`]. Returns whether it merged.
    ///
    /// If so, only the bytes before the last enclosing container of the segment were read again.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, SegmentedSink, TextSegment, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let mut query = Query::new(&[Path::parse("$[*].a")?], QueryOptions::default());
    /// let mut validator = Validator::default();
    /// for (number, part) in ["[{\"a\": 1}, 2, ", "{\"b\": 3}, 4, {\"a\": 5}, 6]"].iter().enumerate() {
    ///     let mut sink = query.for_segment();
    ///     let segment = TextSegment::with_segment_sink(part, 15 * number as u64, Options::default(), &mut sink);
    ///     validator.join_sink(&segment, sink, &mut query).unwrap();
    /// }
    /// validator.finish(&mut query).unwrap();
    /// query.end();
    /// assert_eq!(query.answers().count(), 2);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn join_sink<T: AsRef<[u8]>, S: SegmentedSink>(
        &mut self,
        segment: &TextSegment<T>,
        segment_sink: S::Segment,
        sink: &mut S,
    ) -> Result<bool, Stop<S::Error>> {
        let take = |sink: &mut S, guess: &Guess, _| {
            // The enclosing container counts as a level, unless the segment ends with its bracket.
            let levels = guess.end.state.stack.depth.checked_sub(1);
            levels.is_some_and(|levels| sink.take(segment_sink, levels))
        };
        self.join_from(
            segment,
            sink,
            |guess| guess.last_start,
            Validator::after_last,
            take,
        )
    }

    /// The state after a segment that begins at `origin`, if `self` is the state where its last enclosing container was
    /// guessed, and that is an array or an object.
    fn after_last(&self, guess: &Guess, origin: u64) -> Option<Validator> {
        let enclosing = *guess.enclosing.last()?;
        let object = match enclosing {
            EnclosingContainer::Array => 0,
            EnclosingContainer::Object => 1,
            EnclosingContainer::Root | EnclosingContainer::Unknown => return None,
        };
        if guess.mode != self.mode || self.feed.is_some() {
            return None;
        }
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.held]).ok()?;
        let expected = match (guess.enclosing.len(), object) {
            (1, 1) => Expect::Key,
            (1, _) => Expect::Value,
            _ => Expect::Comma,
        };
        let below = &machine.stack;
        let same = machine.lexical == Lexical::Between
            && machine.expect == expected
            && below.depth > 0
            && below.object() == object;
        if !same || !self.fits(guess, below) {
            return None;
        }
        self.above(below, enclosing, &guess.end, origin)
    }
}
