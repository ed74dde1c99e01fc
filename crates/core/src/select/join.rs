//! Merges the results of segments into a query.

use std::sync::Arc;

use super::plan::Indices;
use super::program::{Choice, Element};
use super::query::Query;
use super::segment::{Copied, QuerySegment, Work};
use crate::skip::Elements;
use crate::token::Kind;
use crate::window::{DeferredReplay, SegmentedSink};

/// Limit of elements at the end of an array that may be replayed: their steps are pending in the query, which is copied for each
/// segment.
const MAX_TAIL: u64 = 1 << 10;

impl Query {
    /// Lets [`for_segment`](SegmentedSink::for_segment) count the elements of an array even if a path selects the last ones. The
    /// caller must then replay the [`deferred`](SegmentedSink::deferred) elements.
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

    /// The work for the next segments of the current container.
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
        if self.walk.is_divisible() {
            Work::PathWalk(Copied {
                program: Arc::clone(&self.program),
                origin: Arc::new(self.walk.clone()),
                walk: None,
            })
        } else {
            Work::Unknown
        }
    }

    /// Merges the work of a segment. Returns `false` if it cannot be used.
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
        let target = &mut self.walk;
        let Some(mut walk) = walk.filter(|_| target.is_like(&origin)) else {
            return false;
        };
        let last = origin.frames.len() - 1;
        let (frame, before) = (&mut walk.frames[last], &mut target.frames[last]);
        if frame.pending.repeats(&before.pending) {
            return false;
        }
        frame.pending.follow(std::mem::take(&mut before.pending));
        let more = before.children - origin.frames[last].children;
        frame.children += more;
        let container = origin.results.locations.current();
        let locations = &mut walk.results.locations;
        if let (1.., Some(commas)) = (origin.depth, target.commas.last_mut()) {
            // The container that encloses the segment is not the one in which the copy was made.
            locations.replace(
                container,
                origin.depth,
                &target.results.locations,
                target.depth,
            );
            locations.shift(container, *commas);
            let first = origin.commas.len();
            *commas += walk.commas[first - 1];
            target.commas.extend_from_slice(&walk.commas[first..]);
            walk.commas = std::mem::take(&mut target.commas);
        } else if frame.kind == Kind::Array {
            locations.shift(container, more);
        }
        // A key scan at any depth may continue at a different depth.
        let depth = match walk.frames.get_mut(last + 1) {
            Some(inner) => &mut inner.depth,
            None => &mut walk.depth,
        };
        *depth = *depth + target.depth - origin.depth;
        for (thread, before) in walk.threads.iter_mut().zip(&target.threads) {
            thread.matched |= before.matched;
        }
        walk.conditions.merge_flags(&target.conditions);
        walk.pending_filters
            .merge_oversized(target.pending_filters.has_oversized_patterns());
        *target = *walk;
        true
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

    fn to_replay(&self) -> Option<Query> {
        self.segments.defers.then(|| self.clone())
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
