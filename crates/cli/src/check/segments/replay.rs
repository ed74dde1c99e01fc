//! Earlier copies of a sink, for replaying skipped text that turns out to matter.

use std::collections::VecDeque;

use jsonx_core::engine::{DeferredReplay, SegmentedSink, Validator};

/// The sink and the validator before a segment that was skipped and may have to be replayed.
struct Checkpoint<S> {
    sink: S,
    validator: Validator,
    /// Number of elements of the container that had begun.
    begun: u64,
}

/// The checkpoints of a text; the first one is early enough.
pub struct Replays<S> {
    checkpoints: VecDeque<Checkpoint<S>>,
    /// The container of the checkpoints.
    container: u64,
}

impl<S> Default for Replays<S> {
    fn default() -> Replays<S> {
        Replays {
            checkpoints: VecDeque::new(),
            container: 0,
        }
    }
}

impl<S: SegmentedSink> Replays<S> {
    /// Whether nothing is skipped.
    pub fn are_none(&self) -> bool {
        self.checkpoints.is_empty()
    }

    /// Adds a copy from before the text that is now deferred. Returns false if nothing is deferred, or another container than
    /// before: the skipped text must be replayed now.
    pub fn note(&mut self, deferred: Option<DeferredReplay>, copy: Option<(S, Validator)>) -> bool {
        let (Some(deferred), Some((sink, validator))) = (deferred, copy) else {
            return false;
        };
        if !self.are_none() && self.container != deferred.container {
            return false;
        }
        self.container = deferred.container;
        let begun = sink.begun(deferred.container);
        self.checkpoints.push_back(Checkpoint {
            sink,
            validator,
            begun,
        });
        let is_early = |second: &Checkpoint<S>| second.begun <= deferred.from;
        while self.checkpoints.get(1).is_some_and(is_early) {
            self.checkpoints.pop_front();
        }
        true
    }

    /// The sink and the validator from which to replay, if anything was skipped.
    pub fn take(&mut self) -> Option<(S, Validator)> {
        let first = self.checkpoints.pop_front()?;
        self.checkpoints.clear();
        Some((first.sink, first.validator))
    }
}
