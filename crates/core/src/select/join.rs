//! Merges the results of segments into a query.

use std::sync::Arc;

use super::plan::Indices;
use super::query::Query;
use super::segment::{Copied, QuerySegment, Work};
use crate::skip::Elements;
use crate::token::Kind;
use crate::window::SegmentedSink;

impl Query {
    /// Decides every pending match that can be decided, assuming that the keys so far are unique.
    fn settle(&mut self) {
        self.walk.assume_unique_keys(u64::MAX);
        while let Some(answer) = self.walk.next_answer() {
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
            Indices::Known { .. } => return Work::Count(Elements::default()),
            Indices::Before(_) | Indices::Any => return Work::Unknown,
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
        let Indices::Known { from, .. } = self.walk.indices() else {
            return false;
        };
        let Some(frame) = self.walk.frames.last_mut() else {
            return false;
        };
        let total = frame.children + elements.begun;
        if !elements.is_array || total > from {
            return false;
        }
        frame.children = total;
        self.walk.depth = levels;
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
        self.next_segment.clone()
    }

    fn take(&mut self, segment: QuerySegment, levels: u64) -> bool {
        let taken = self.take_work(segment.0, levels);
        if !taken {
            self.next_segment = QuerySegment(self.work());
        }
        taken
    }
}
