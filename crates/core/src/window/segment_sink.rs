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

use super::Validator;
use crate::token::{Kind, Sink, Verdict};

/// Receives the tokens of a segment without knowledge of the text before it.
///
/// ```
/// use jsonx_core::engine::{Chunk, Options, SegmentScope, SegmentSink, Sink, TextSegment};
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
///     fn chunk(&mut self, _: &Chunk<'_>) -> Result<(), Self::Error> {
///         Ok(())
///     }
///
///     fn finish(self) -> Result<(), Self::Error> {
///         Ok(())
///     }
/// }
///
/// impl SegmentSink for Container {
///     fn scope(&self) -> SegmentScope {
///         SegmentScope::LastContainer
///     }
///
///     fn begin(&mut self, container: Option<Kind>, _: bool, offset: u64) {
///         *self = Container(container, offset);
///     }
/// }
///
/// let text = format!("1, 2], {}", "{\"a\": 1}, ".repeat(100));
/// let mut container = Container::default();
/// assert!(TextSegment::new(text, 5000, Options::default(), &mut container).is_guessed());
/// assert_eq!((container.0, container.1), (Some(Kind::Array), 5005));
/// ```
#[doc(hidden)]
pub trait SegmentSink: Sink<Error = Infallible> {
    /// The tokens that it needs. The same at every call.
    fn scope(&self) -> SegmentScope;

    /// Begins in a container, or if `None`, in one of unknown kind or at the root. With [`SegmentScope::LastContainer`] it discards
    /// all state: the previous container has closed. `after_comma` tells whether the next token begins a member or an element;
    /// otherwise one has just ended. `offset` is the offset of the next byte in the text.
    fn begin(&mut self, container: Option<Kind>, after_comma: bool, offset: u64) {
        let _ = (container, after_comma, offset);
    }

    /// Ends the segment; [`SegmentedSink::take`] then receives this sink.
    fn end(&mut self) {}

    /// The distance in bytes between calls of [`SegmentedSink::checkpoint`], at multiples of 64 bytes from the start of the
    /// segment. By default there are none.
    fn checkpoint_spacing(&self) -> u64 {
        u64::MAX
    }
}

/// The tokens of a segment that a [`SegmentSink`] needs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentScope {
    /// None: only the verdict counts.
    Nothing,
    /// All tokens after the first comma. The sink may see more containers closed than opened. White space replaces some bytes
    /// before the first token, and the last bytes, fewer than 64, go to the sink of the text instead.
    All,
    /// The tokens in the last container that encloses the rest of the segment.
    LastContainer,
}

impl SegmentSink for Verdict {
    fn scope(&self) -> SegmentScope {
        SegmentScope::Nothing
    }
}

impl SegmentedSink for Verdict {
    type Segment = Verdict;

    fn for_segment(&self) -> Verdict {
        Verdict
    }

    fn take(&mut self, _: Verdict, _: u64) -> bool {
        true
    }
}

/// A sink for a text whose segments are checked on several threads. It merges the work of their sinks.
///
/// [`Verdict`] and [`Query`](crate::query::Query) implement it.
#[doc(hidden)]
pub trait SegmentedSink: Sink {
    /// The sink of a segment.
    type Segment: SegmentSink;

    /// Creates a sink for a later segment from the current state.
    fn for_segment(&self) -> Self::Segment;

    /// Merges the work of `segment` on the tokens from here on, and returns true. Returns false if `segment` was based on another
    /// state; the tokens are then passed to this sink. With [`SegmentScope::LastContainer`], `levels` more containers are open
    /// after the segment.
    fn take(&mut self, segment: Self::Segment, levels: u64) -> bool;

    /// Called with the state of the engine between tokens, in order, if [`SegmentSink::checkpoint_spacing`] requests it and the
    /// guesses of the segment are right. A clone of the state can resume from there.
    fn checkpoint(&mut self, validator: &Validator) {
        let _ = validator;
    }
}
