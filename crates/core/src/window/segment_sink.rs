//! Consumers whose work on a segment can begin before the text ahead of it is known.
//!
//! ```text
//! segment  ├──────┬─────────────────────────────────┤
//!          sink of│   sink of the segment, on any    taken by the sink of the text, if
//!         the text│   thread: knows no more than     it finds there what that assumed
//!                 │   one container
//!                 the last floor of the guess begins
//! ```

use core::convert::Infallible;

use super::guess::Floor;
use super::segment::Guess;
use super::{TextSegment, Validator};
use crate::token::{Chunk, Interest, Kind, Mode, Sink, Stop, Verdict};
use crate::verify::machine::{Expect, Lexical, Machine};

/// What a thread passes the tokens of a segment to, without knowing what is before them.
///
/// ```
/// use jsonx_core::{Chunk, Kind, Options, SegmentSink, Sink, TextSegment};
///
/// /// Where the container begins to be known, and which one it is.
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
    /// Begins in a container, or in one of unknown kind or outside of all. Everything before is void: that was inside
    /// another container, which has ended. `after_comma` tells whether the next token begins a member or an element;
    /// otherwise one has just ended. `offset` is that of the next byte in the text.
    fn begin(&mut self, container: Option<Kind>, after_comma: bool, offset: u64);
}

impl SegmentSink for Verdict {
    fn begin(&mut self, _: Option<Kind>, _: bool, _: u64) {}
}

/// A sink for a text whose segments are checked on several threads: it takes what other sinks have done for these.
///
/// [`Query`](crate::Query) and [`Locator`](crate::Locator) are the ones of this library.
///
/// ```
/// use jsonx_core::{Locator, Options, SegmentedSink, TextSegment, Validator};
///
/// let text = format!("[{}1]", "1, ".repeat(1000));
/// let (first, second) = text.split_at(1500);
/// let mut validator = Validator::new(Options::default());
/// let mut locator = Locator::new(2997);
/// validator.write(first.as_bytes(), &mut locator)?;
/// // On another thread, if there is one:
/// let mut work = locator.for_segment();
/// let segment = TextSegment::with_segment_sink(second, 1500, Options::default(), &mut work);
/// validator.join_sink(&segment, work, &mut locator)?;
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub trait SegmentedSink: Sink {
    /// The sink of a segment.
    type Segment: SegmentSink;

    /// A sink for a later segment, by what is known now.
    ///
    /// ```
    /// use jsonx_core::{Locator, SegmentedSink};
    ///
    /// let segment = Locator::new(5_000_000).for_segment();
    /// # let _ = segment;
    /// ```
    fn for_segment(&self) -> Self::Segment;

    /// Takes what `segment` has done with the tokens from here on, after which `levels` more containers are open, and
    /// returns true; or leaves it, if it assumed something else, and returns false: then the tokens come in the ordinary
    /// way.
    ///
    /// ```
    /// use jsonx_core::{Locator, SegmentedSink};
    ///
    /// // No token was seen yet, so there is no container that the segment might continue.
    /// let mut locator = Locator::new(100);
    /// let segment = locator.for_segment();
    /// assert!(!locator.take(segment, 0));
    /// ```
    fn take(&mut self, segment: Self::Segment, levels: u64) -> bool;

    /// Whether it may owe something at any time: the caller has allowed it. See [`Owed`].
    ///
    /// ```
    /// use jsonx_core::{Locator, SegmentedSink};
    ///
    /// assert!(!Locator::new(100).may_owe());
    /// assert!(Locator::new(100).deferring().may_owe());
    /// ```
    fn may_owe(&self) -> bool {
        false
    }

    /// What this sink has taken without looking inside, and may need to look into later.
    ///
    /// ```
    /// use jsonx_core::{Locator, SegmentedSink};
    ///
    /// assert_eq!(Locator::new(100).owed(), None);
    /// ```
    fn owed(&self) -> Option<Owed> {
        None
    }

    /// The number of members or elements of the container that begins at the offset `container` of which the sink has seen
    /// the start; 0 if it has not seen that of the container.
    ///
    /// ```
    /// use jsonx_core::{Locator, SegmentedSink};
    ///
    /// assert_eq!(Locator::new(100).begun(0), 0);
    /// ```
    fn begun(&self, container: u64) -> u64 {
        let _ = container;
        0
    }
}

/// Text that a [`SegmentedSink`] has taken without looking inside, because only the end of a container matters, and that is
/// not known yet. For `$[-1]` segments are counted, and the last two of them are read again.
///
/// A caller that allows this has clones of the sink and the validator from before each such segment. After a segment that
/// was not taken, or that was taken and nothing is owed or that of another container, and at the end of the text, the
/// sink is replaced with the last clone in which at most [`from`](Owed::from) elements had begun, and the text from there on
/// is written again.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::{Options, Owed, Query, QueryOptions, SegmentedSink, TextSegment, Validator};
///
/// let text = format!("[{}1]", "[2], ".repeat(1000));
/// let mut query = Query::new(&[Path::parse("$[-1]")?], QueryOptions::default()).deferring();
/// let mut validator = Validator::default();
/// for (number, part) in text.as_bytes().chunks(1000).take(3).enumerate() {
///     let mut sink = query.for_segment();
///     let segment = TextSegment::with_segment_sink(part, 1000 * number as u64, Options::default(), &mut sink);
///     validator.join_sink(&segment, sink, &mut query).unwrap();
/// }
/// assert_eq!(query.owed(), Some(Owed { container: 0, from: 591 }));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owed {
    /// The offset of the container in the text.
    pub container: u64,
    /// The index of the first of its members or elements that may matter.
    pub from: u64,
}

/// What a segment is passed to while its floors are guessed.
pub(super) trait FloorSink: Sink<Error = Infallible> {
    /// Whether the bytes before the end of a floor are passed on although the rest of their chunk was an error.
    const SEES_ALL: bool;

    /// A floor was guessed at this offset in the segment.
    fn begin(&mut self, floor: Floor, after_comma: bool, at: usize);
}

/// Passes on chunks with their offsets in the text.
pub(super) struct Placed<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) offset: u64,
}

impl<S: SegmentSink> FloorSink for Placed<'_, S> {
    const SEES_ALL: bool = false;

    fn begin(&mut self, floor: Floor, after_comma: bool, at: usize) {
        let container = match floor {
            Floor::Array => Some(Kind::Array),
            Floor::Object => Some(Kind::Object),
            Floor::Root | Floor::Unknown => None,
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
    /// As [`write`](Validator::write) with the text of the segment, whatever was guessed: `sink` receives the tokens, or
    /// takes what `segment_sink`, that of [`TextSegment::with_segment_sink`], has done with them. Returns whether it did that.
    ///
    /// Only bytes before the container that the sink of the segment knows are read again.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Options, Query, QueryOptions, SegmentedSink, TextSegment, Validator};
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
            // The floor is one of the levels, unless the segment ends with its bracket.
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

    /// The state after a segment that begins at `origin`, if this one is the state at its last floor, and that is a container.
    fn after_last(&self, guess: &Guess, origin: u64) -> Option<Validator> {
        let floor = *guess.floors.last()?;
        let object = match floor {
            Floor::Array => 0,
            Floor::Object => 1,
            Floor::Root | Floor::Unknown => return None,
        };
        if guess.mode != self.mode || self.feed.is_some() {
            return None;
        }
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.held]).ok()?;
        let expected = match (guess.floors.len(), object) {
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
        self.above(below, floor, &guess.end, origin)
    }
}
