//! Queries over segments of a text on several threads, before the state of the query at the segment is known.
//!
//! The work for a segment depends on what the query does in the enclosing container:
//!
//! | in the container | for a segment |
//! |---|---|
//! | nothing | only the depth at its end |
//! | selects elements by index, elsewhere | counts elements |
//! | selects members or elements anywhere | runs a copy of the walk, made elsewhere in the same container |
//!
//! The copied walk has no undecided match and waits for no key: keys so far are assumed to be unique.
//! [`Query::had_late_duplicates`] reports a repeated key, as always. So the final state of the copy can replace the walk of the
//! query, except for the number of children of the container. If a path selects elements from the end, a caller that allows it
//! replays the last segments ([`DeferredReplay`]).

#[cfg(test)]
mod tests;

use core::convert::Infallible;
use std::sync::Arc;

use super::plan::Indices;
use super::program::{Choice, Element, Program};
use super::query::Query;
use super::tokens::State;
use super::walk::{Frame, PathWalk};
use crate::skip::Elements;
use crate::token::{Chunk, Interest, Kind, Mode, Sink};
use crate::window::{DeferredReplay, SegmentSink, SegmentedSink};

/// Limit of matches in a segment. A segment with more is searched again when it is joined.
const MAX_MATCHES: usize = 1 << 15;

/// The same limit for matches with locations.
const MAX_LOCATED: usize = 1 << 13;

/// Limit of elements at the end of an array that may be replayed. The steps to them are pending in the query, which is copied
/// for each segment.
const MAX_TAIL: u64 = 1 << 10;

/// The state of a query for segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    next: QuerySegment,
    /// The caller replays what is deferred.
    defers: bool,
    deferred: Option<DeferredReplay>,
}

/// The work of a [`Query`] for one segment of a text, on any thread. Created by [`for_segment`](SegmentedSink::for_segment);
/// see [`TextSegment::with_segment_sink`](crate::engine::TextSegment::with_segment_sink).
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, SegmentedSink, TextSegment};
/// use jsonx_core::query::{Query, QueryOptions};
///
/// let query = Query::new(&[Path::parse("..name")?], QueryOptions::default());
/// let segment = TextSegment::with_segment_sink("1, 2", 1000, Options::default(), &mut query.for_segment());
/// assert!(segment.is_guessed());
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QuerySegment(Work);

#[derive(Clone, Debug, Default)]
enum Work {
    /// The segment cannot be searched ahead.
    #[default]
    Unknown,
    /// No path selects anything in the segment.
    Pass,
    Count(Elements),
    PathWalk(Copied),
}

/// A copy of a walk.
#[derive(Clone, Debug)]
struct Copied {
    program: Arc<Program>,
    /// The walk at the position of the copy.
    origin: Arc<PathWalk>,
    /// Its current state; `None` if it does not match the container, or has too many matches.
    walk: Option<Box<PathWalk>>,
}

impl Query {
    /// Lets [`for_segment`](SegmentedSink::for_segment) count the elements of an array even if a path selects the last ones.
    /// The caller then replays what is [`deferred`](SegmentedSink::deferred).
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::SegmentedSink;
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let query = Query::new(&[Path::parse("$[-1]")?], QueryOptions::default()).deferring();
    /// assert_eq!(query.deferred(), None);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    #[must_use]
    pub fn deferring(mut self) -> Query {
        let tail = |choice: &Choice| match choice.element {
            Element::Last(count) => Some(count),
            Element::Slice(slice) => slice
                .start
                .filter(|&start| start < 0)
                .map(|start| start.unsigned_abs()),
            _ => None,
        };
        let choices = self.program.states.iter().flat_map(|state| &state.choices);
        let longest = choices.filter_map(tail).max();
        self.segments.defers = longest.is_some_and(|count| count <= MAX_TAIL);
        self
    }

    /// Decides every pending match that can be decided, assuming that the keys so far are unique.
    fn settle(&mut self) {
        self.walk.assume_unique_keys(u64::MAX);
        while self.ready.try_reserve(1).is_ok()
            && let Some(answer) = self.walk.next_answer()
        {
            self.ready.push_back(answer);
        }
    }

    /// The work for segments in the same container.
    fn work(&mut self) -> Work {
        let walk = &self.walk;
        if walk.passes() {
            return Work::Pass;
        }
        match walk.indices() {
            Indices::Known { tail, .. } if tail == 0 || self.segments.defers => {
                return Work::Count(Elements::default());
            }
            Indices::Known { .. } | Indices::Before(_) | Indices::Any => return Work::Unknown,
            Indices::Unused => {}
        }
        self.settle();
        match self.walk.is_divisible() {
            true => Work::PathWalk(Copied {
                program: Arc::clone(&self.program),
                origin: Arc::new(self.walk.clone()),
                walk: None,
            }),
            false => Work::Unknown,
        }
    }

    /// Merges the work for the rest of a segment. Returns false if it cannot be used.
    fn take_work(&mut self, work: Work, levels: u64) -> bool {
        self.segments.deferred = None;
        if self.walk.passes() {
            self.walk.depth += levels;
            return true;
        }
        match work {
            Work::Unknown | Work::Pass => false,
            Work::Count(elements) => self.take_elements(elements, levels),
            Work::PathWalk(copied) => {
                self.settle();
                self.take_walk(copied)
            }
        }
    }

    fn take_elements(&mut self, elements: Elements, levels: u64) -> bool {
        let Indices::Known { from, tail, .. } = self.walk.indices() else {
            return false;
        };
        let Some(frame) = self.walk.frames.last_mut() else {
            return false;
        };
        let total = frame.children + elements.begun;
        let Some(container) = frame.start() else {
            return false;
        };
        if !elements.is_array || total > from || tail > 0 && !self.segments.defers {
            return false;
        }
        frame.children = total;
        self.walk.depth = levels;
        self.segments.deferred = (tail > 0).then_some(DeferredReplay {
            container,
            from: total.saturating_sub(tail),
        });
        true
    }

    fn take_walk(&mut self, copied: Copied) -> bool {
        let Copied { origin, walk, .. } = copied;
        let here = &mut self.walk;
        let Some(mut walk) = walk.filter(|_| here.is_like(&origin)) else {
            return false;
        };
        let last = origin.frames.len() - 1;
        let (frame, before) = (&mut walk.frames[last], &mut here.frames[last]);
        if frame.pending.repeats(&before.pending) {
            return false;
        }
        frame.pending.follow(std::mem::take(&mut before.pending));
        let more = before.children - origin.frames[last].children;
        frame.children += more;
        if frame.kind == Kind::Array {
            let container = origin.results.locations.here();
            walk.results.locations.shift(container, more);
        }
        // A search for keys does not depend on the depth.
        let depth = match walk.frames.get_mut(last + 1) {
            Some(inner) => &mut inner.depth,
            None => &mut walk.depth,
        };
        *depth = *depth + here.depth - origin.depth;
        for (thread, before) in walk.threads.iter_mut().zip(&here.threads) {
            thread.hit |= before.hit;
        }
        walk.conditions.note_keys(&here.conditions);
        walk.asking
            .note_oversized(here.asking.has_oversized_patterns());
        *here = *walk;
        true
    }
}

impl PathWalk {
    /// Whether the next token is in an open container, and no token whose bytes are needed has begun.
    fn is_between(&self) -> bool {
        self.state == State::Inside
            && !self.frames.is_empty()
            && self.asking.capturing() == 0
            && self.scalar.is_none()
            && !self.cursor.is_open()
    }

    /// Whether nothing can match until the innermost open container ends.
    fn passes(&self) -> bool {
        let idle = |frame: &Frame| {
            frame.plan.idle || frame.spent || self.depth > 0 && !self.scans_for_keys()
        };
        self.is_between() && self.frames.last().is_some_and(idle)
    }

    fn scans_for_keys(&self) -> bool {
        self.scans && self.frames.last().is_some_and(|frame| frame.plan.only_keys)
    }

    /// The element indices that paths depend on in the innermost open container.
    fn indices(&self) -> Indices {
        match self.frames.last() {
            Some(frame)
                if self.is_between()
                    && self.depth == 0
                    && frame.kind == Kind::Array
                    && !self.scans_for_keys() =>
            {
                match frame.plan.indices {
                    Indices::Known { rest, .. } | Indices::Before(rest)
                        if frame.children >= rest =>
                    {
                        Indices::Unused
                    }
                    indices => indices,
                }
            }
            _ => Indices::Unused,
        }
    }

    /// Whether a copy of this walk may replace it elsewhere in the container: nothing is pending until the container ends.
    fn is_divisible(&self) -> bool {
        self.is_between()
            && self.gathering == 0
            && self.results.are_none()
            && self.asking.is_idle()
            && self.frames.iter().all(|frame| frame.pending.is_settled())
    }

    /// Whether `origin`, which is divisible, is this walk at another position in the same container.
    fn is_like(&self, origin: &PathWalk) -> bool {
        let is_same = |(one, other): (&Frame, &Frame)| {
            (one.kind, one.threads, one.spent, one.depth, one.start())
                == (
                    other.kind,
                    other.threads,
                    other.spent,
                    other.depth,
                    other.start(),
                )
                && one.plan.states == other.plan.states
        };
        self.is_divisible()
            && (self.depth == origin.depth || self.depth > 0 && origin.depth > 0)
            && self.frames.len() == origin.frames.len()
            && self.frames.iter().zip(&origin.frames).all(is_same)
            && self.threads.len() == origin.threads.len()
            && self
                .threads
                .iter()
                .zip(&origin.threads)
                .all(|(one, other)| {
                    one.identity() == other.identity()
                        && (one.condition, one.copies, one.owns)
                            == (other.condition, other.copies, other.owns)
                })
            && self.conditions.are_those_of(&origin.conditions)
    }
}

impl Frame {
    /// The offset of its container; `None` if that does not matter.
    fn start(&self) -> Option<u64> {
        self.opened.as_ref().map(|opened| opened.start)
    }
}

impl SegmentedSink for Query {
    type Segment = QuerySegment;

    fn for_segment(&self) -> QuerySegment {
        self.segments.next.clone()
    }

    fn take(&mut self, segment: QuerySegment, levels: u64) -> bool {
        let taken = self.take_work(segment.0, levels);
        if !taken {
            self.segments.next = QuerySegment(self.work());
        }
        taken
    }

    fn may_defer(&self) -> bool {
        self.segments.defers
    }

    fn deferred(&self) -> Option<DeferredReplay> {
        self.segments.deferred
    }

    fn begun(&self, container: u64) -> u64 {
        let frames = self.walk.frames.iter();
        let mut found = frames.filter(|frame| frame.start() == Some(container));
        found.next().map_or(0, |frame| frame.children)
    }
}

impl Sink for QuerySegment {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: matches!(&self.0, Work::PathWalk(copied) if copied.walk.is_some()),
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        match &mut self.0 {
            Work::Count(elements) => *elements = elements.after(chunk),
            Work::PathWalk(copied) => {
                let Copied { program, walk, .. } = copied;
                let fits = walk.as_mut().is_some_and(|walk| {
                    let most = match walk.options.locations {
                        true => MAX_LOCATED,
                        false => MAX_MATCHES,
                    };
                    walk.chunk(program, chunk).is_ok() && walk.results.len() <= most
                });
                if !fits {
                    *walk = None;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl SegmentSink for QuerySegment {
    fn begin(&mut self, container: Option<Kind>, after_comma: bool, _: u64) {
        match &mut self.0 {
            Work::Unknown | Work::Pass => {}
            Work::Count(elements) => {
                *elements = Elements::new(container == Some(Kind::Array), after_comma);
            }
            Work::PathWalk(Copied { origin, walk, .. }) => {
                let known =
                    (origin.depth == 0).then(|| origin.frames.last().map(|frame| frame.kind));
                let fits = container.is_some() && known.is_none_or(|kind| kind == container);
                *walk = fits.then(|| Box::new((**origin).clone()));
            }
        }
    }
}
