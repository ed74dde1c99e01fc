//! Keys of segments of a text, each linted without the text before it.
//!
//! ```text
//! text       {"a": [{"x": 1, │ "y": 2}], "b": {"z": 3, │ "z": 4}}
//! segment                    │ y         b    z        │
//! closes                       ─┘
//! join       a   x           + y
//!            a                         b    z
//! ```
//!
//! In a segment, keys are only collected, not compared, for the object that encloses its start, for outer objects that it
//! closes, and for objects open at its end. A join adds them to the keys of the objects of the preceding text.

use core::ops::Range;

use jsonx_core::engine::Chunk;
use jsonx_core::internal::TokenAssembler;

use super::{COLLECTS, FEW, OpenKeys, UNSURE};
use crate::lint::collector::Collector;
use crate::lint::exact::Store;

/// The keys of a segment that may equal keys of other segments.
#[derive(Debug, Default)]
pub(in crate::lint) struct SegmentKeys {
    /// The keys, each with a fingerprint.
    store: Store,
    fingerprints: Vec<u32>,
    /// The cumulative number of keys up to the end of each object.
    ends: Vec<usize>,
    /// Number of these objects that the segment closes. The next one encloses the end of the segment; those after it begin in
    /// the segment.
    closed: usize,
    /// The key at the end of the last chunk.
    cursor: TokenAssembler,
    #[cfg(test)]
    steps: u64,
}

/// The keys of one object in [`OpenKeys`]: a range in `fingerprints`, or in `offsets`, from this node backwards.
type Run = (u32, Range<usize>);

/// Number of keys added between comparisons.
const AT_ONCE: usize = 1024;

impl OpenKeys {
    /// An empty collection of the keys of a segment.
    pub(in crate::lint) fn new_segment() -> OpenKeys {
        let mut keys = OpenKeys {
            is_segment: true,
            ..OpenKeys::default()
        };
        keys.object = keys.collecting(0);
        keys
    }

    /// No keys yet, of a segment or a text as these are.
    pub(in crate::lint) fn restart(&self) -> OpenKeys {
        if self.is_segment {
            OpenKeys::new_segment()
        } else {
            OpenKeys::default()
        }
    }

    /// Closes the object that encloses the start of the segment, or the next outer one.
    #[cold]
    #[inline(never)]
    pub(super) fn close_enclosing(&mut self, chunk: &Chunk<'_>) {
        if !self.is_segment {
            return;
        }
        self.commit(chunk);
        self.enclosing_ends.push(self.top);
        self.object = self.collecting(self.top);
    }

    /// Ends the segment: only the keys that a join needs are left.
    pub(in crate::lint) fn end_segment(&mut self) {
        let mut keys = SegmentKeys {
            closed: self.enclosing_ends.len(),
            cursor: core::mem::take(&mut self.cursor),
            ..SegmentKeys::default()
        };
        for run in self.runs() {
            keys.add(self, run);
        }
        #[cfg(test)]
        {
            keys.steps = self.steps();
        }
        *self = OpenKeys {
            ended: Some(keys),
            ..OpenKeys::default()
        };
    }

    /// The keys of each object that the segment closes, then of each open object, outermost first.
    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.enclosing_ends.len() + self.outer.len() + 1);
        let (mut top, mut followed) = (self.top, self.followed);
        for object in [&self.object].into_iter().chain(self.outer.iter().rev()) {
            let end = match object.node {
                COLLECTS => &mut top,
                _ => &mut followed,
            };
            runs.push((object.node, object.start..*end));
            *end = object.start;
        }
        for (index, &end) in self.enclosing_ends.iter().enumerate().rev() {
            let start = index
                .checked_sub(1)
                .map_or(0, |before| self.enclosing_ends[before]);
            runs.push((COLLECTS, start..end));
        }
        runs.reverse();
        runs
    }

    /// Adds the keys of the next segment, which has ended. This linter has seen the text up to a comma before it.
    pub(in crate::lint) fn join(&mut self, segment: OpenKeys, findings: &mut Collector) {
        let Some(segment) = segment.ended else {
            return;
        };
        #[cfg(test)]
        {
            self.steps += segment.steps;
        }
        let mut stored = segment.store.keys();
        let mut from = 0;
        for (index, &end) in segment.ends.iter().enumerate() {
            self.reserve();
            if index > segment.closed {
                self.outer.push(self.object);
                self.object = self.collecting(self.top);
            }
            if end > from && self.object.node != COLLECTS {
                self.collect(None);
            }
            let keys = segment.fingerprints[from..end].iter().zip(&mut stored);
            for (&fingerprint, (at, raw)) in keys {
                let position = self.store.push(at, raw);
                self.reserve();
                self.push(fingerprint, position);
                self.stored = self.top;
                if self.top - self.object.start > AT_ONCE {
                    self.object.collected |= UNSURE;
                    self.spill(self.object.start, self.outer.len(), findings);
                }
            }
            if index < segment.closed {
                self.close_stored(findings);
            }
            from = end;
        }
        if self.object.node == COLLECTS && self.top - self.object.start > FEW {
            self.object.collected |= UNSURE;
            self.spill(self.object.start, self.outer.len(), findings);
        }
        self.cursor = segment.cursor;
    }

    /// Closes the innermost object, whose keys are all stored.
    fn close_stored(&mut self, findings: &mut Collector) {
        let Some(outer) = self.outer.pop() else {
            return;
        };
        let object = core::mem::replace(&mut self.object, outer);
        let start = object.start;
        if object.node != COLLECTS {
            // All keys on a path are different.
            self.followed = start;
            return;
        }
        if object.is_unsure() {
            self.compare(start, findings);
        }
        self.top = start;
        self.stored = self.stored.min(start);
        self.trim();
    }
}

impl SegmentKeys {
    /// Adds the keys of an object.
    fn add(&mut self, keys: &mut OpenKeys, (node, run): Run) {
        if node == COLLECTS {
            for (position, fingerprint) in keys.positions[run.clone()]
                .iter()
                .zip(&keys.fingerprints[run])
            {
                let (at, raw) = keys.store.get(*position);
                self.store.push(at, raw);
                self.fingerprints.push(*fingerprint);
            }
        } else {
            keys.path.clear();
            keys.path.extend(keys.shapes.before(node).take(run.len()));
            for (&node, &at) in keys.path.iter().rev().zip(&keys.offsets[run]) {
                let (key, fingerprint) = keys.shapes.key(node);
                self.store.push(at, key.as_slice());
                self.fingerprints.push(fingerprint);
            }
        }
        self.ends.push(self.fingerprints.len());
    }
}
