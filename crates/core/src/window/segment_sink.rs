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
use crate::token::{Chunk, Interest, Kind, Mode, Sink, Verdict};

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
