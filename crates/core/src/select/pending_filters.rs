//! Undecided filters: the values they test, and the results of their queries.
//!
//! ```text
//! the tested value    its filter has a candidate, with one slot for the results of each query
//!
//! begins              begin()                       its condition is open; matches below refer to it
//! has results         add(), capture()              text of a result is read as it passes, or its children are counted
//! ends                end() ──► decided             all results are known
//!                           ├─► deferred              a result is still being read: until the last such text ends
//!                           └─► waiting, saved        the filter uses `$`: until the root ends, innermost filters first
//! ```

use super::candidate::{Candidate, Captured, SlotResult};
use super::conditions::{CERTAIN, Conditions};
use super::filter::{Decision, Memo, RootSlot, Slots};
use super::program::Program;
use super::texts::Texts;

/// An open value that is a result of a filter's query.
#[derive(Clone, Debug)]
struct Capture {
    candidate: u32,
    slot: u32,
    condition: u32,
    copies: u64,
    start: u64,
    /// The filter needs only the number of its children.
    counts: bool,
}

/// All undecided filters.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingFilters {
    candidates: Vec<Candidate>,
    free: Vec<u32>,
    /// Candidates of the open values, innermost last.
    open: Vec<u32>,
    /// Filters that compare containers whose text is incomplete, or depend on such filters.
    deferred: Vec<Waiting>,
    /// Filters that wait for the end of the root.
    waiting: Vec<Waiting>,
    /// The results of the waiting filters, slot by slot.
    saved: Vec<SlotResult>,
    /// The candidate of the queries that begin at `$`.
    root: Option<u32>,
    /// Captures of the open values, innermost last.
    captures: Vec<Capture>,
    /// Number of captures that read the text.
    reading: usize,
    texts: Texts,
    memo: Memo,
}

/// A filter on a value that has ended, to be decided at the end of the root. There may be one per value of the
/// document, so this struct is small.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    round: u32,
    filter: u32,
    condition: u32,
    origin: Origin,
}

#[derive(Clone, Copy, Debug)]
enum Origin {
    /// Number of a candidate whose values are undecided.
    Candidate(u32),
    /// Index in `saved` of its first slot.
    Saved(usize),
}

impl PendingFilters {
    /// Creates the candidate of the queries that begin at `$`.
    pub(super) fn begin_root(&mut self, queries: usize) -> u32 {
        let number = self.candidate(0, CERTAIN, queries);
        self.root = Some(number);
        number
    }

    /// Starts a filter on the value that begins. Its decision decides the condition. Consumes a use of the condition.
    /// Returns the candidate of its queries.
    pub(super) fn begin(&mut self, filter: u32, condition: u32, queries: usize) -> u32 {
        let number = self.candidate(filter, condition, queries);
        self.open.push(number);
        number
    }

    fn candidate(&mut self, filter: u32, condition: u32, slots: usize) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.candidates.push(Candidate::default());
            self.candidates.len() as u32 - 1
        });
        self.candidates[number as usize].reset(filter, condition, slots);
        number
    }

    /// Adds a result of a query, of which the filter needs only `value`. Consumes a use of the condition.
    pub(super) fn add(
        &mut self,
        (candidate, slot): (u32, u32),
        condition: u32,
        copies: u64,
        value: Captured,
        conditions: &mut Conditions,
    ) {
        let candidate = &mut self.candidates[candidate as usize];
        candidate.add(slot, condition, copies, value, conditions, &mut self.texts);
    }

    /// Shares the results in a slot of a candidate with `outer`, a candidate of the same filter.
    pub(super) fn share(&mut self, candidate: u32, slot: u32, outer: u32) {
        self.candidates[candidate as usize].share(slot, outer);
    }

    /// Begins to read a result of a query, or to count its children. Consumes a use of the condition.
    pub(super) fn capture(
        &mut self,
        (candidate, slot): (u32, u32),
        condition: u32,
        copies: u64,
        start: u64,
        counts: bool,
    ) {
        if !counts {
            self.reading += 1;
            self.texts.begin(start);
        }
        self.captures.push(Capture {
            candidate,
            slot,
            condition,
            copies,
            start,
            counts,
        });
    }

    /// Number of values being read or counted.
    pub(super) fn capturing(&self) -> usize {
        self.captures.len()
    }

    /// Reads the bytes at `offset` for the open captures. Skips bytes that have been read.
    pub(super) fn read(&mut self, offset: u64, bytes: &[u8]) {
        self.texts.read(offset, bytes);
    }

    /// Ends the `count` newest captures, those of a value that ends at `end` and has `children` children. Their text
    /// has been read.
    pub(super) fn end_captures(
        &mut self,
        program: &Program,
        count: usize,
        (end, children): (u64, u64),
        conditions: &mut Conditions,
    ) {
        let reading = self.reading;
        for _ in 0..count {
            let Some(capture) = self.captures.pop() else {
                break;
            };
            let value = if capture.counts {
                Captured::Length(children)
            } else {
                self.reading -= 1;
                let span = self.texts.span(capture.start, end);
                span.map_or(Captured::Nothing, Captured::Text)
            };
            let to = (capture.candidate, capture.slot);
            self.add(to, capture.condition, capture.copies, value, conditions);
        }
        if reading > 0 && self.reading == 0 {
            self.texts.close(end);
            for waiting in std::mem::take(&mut self.deferred) {
                self.decide(program, waiting, &[], conditions);
            }
        }
    }

    /// Ends the value tested by the `count` newest candidates.
    pub(super) fn end(&mut self, program: &Program, count: usize, conditions: &mut Conditions) {
        for _ in 0..count {
            let Some(number) = self.open.pop() else {
                return;
            };
            let Candidate {
                filter, condition, ..
            } = self.candidates[number as usize];
            let round = program.filters[filter as usize].round;
            let mut waiting = Waiting {
                round,
                filter,
                condition,
                origin: Origin::Candidate(number),
            };
            let is_ready = self.candidates[number as usize].is_ready(conditions, &mut self.texts);
            self.forward_shared(number, conditions);
            let candidate = &mut self.candidates[number as usize];
            if round == 0 {
                if is_ready || self.reading == 0 {
                    self.decide(program, waiting, &[], conditions)
                } else {
                    self.deferred.push(waiting)
                }
                continue;
            }
            if is_ready {
                waiting.origin = Origin::Saved(self.saved.len());
                candidate.save(conditions, &mut self.texts, &mut self.saved);
                self.free.push(number);
            }
            self.waiting.push(waiting);
        }
    }

    /// Adds the shared results of a candidate to those of the outer candidates.
    fn forward_shared(&mut self, number: u32, conditions: &mut Conditions) {
        let mut candidate = std::mem::take(&mut self.candidates[number as usize]);
        for (slot, outer) in candidate.take_shared() {
            let outer = &mut self.candidates[outer as usize];
            outer.add_shared(&candidate, slot, conditions, &mut self.texts);
        }
        self.candidates[number as usize] = candidate;
    }

    /// Ends the root. Decides the filters that use `$`, innermost first (by round), because such filters may be nested.
    pub(super) fn end_root(&mut self, program: &Program, conditions: &mut Conditions) {
        let Some(number) = self.root.take() else {
            return;
        };
        let mut root = std::mem::take(&mut self.candidates[number as usize]);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| one.round);
        for round in waiting.chunk_by(|a, b| a.round == b.round) {
            root.is_ready(conditions, &mut self.texts);
            let slots = RootSlot::new(&root, program.absolute.len(), &self.texts);
            for one in round {
                self.decide(program, *one, &slots, conditions);
            }
        }
        root.clear(conditions, &mut self.texts);
        self.candidates[number as usize] = root;
        self.free.push(number);
        self.saved.clear();
        // The next root may need much less memory.
        waiting.clear();
        waiting.shrink_to(RETAINED);
        self.saved.shrink_to(RETAINED);
        self.waiting = waiting;
    }

    fn decide(
        &mut self,
        program: &Program,
        waiting: Waiting,
        root: &[RootSlot],
        conditions: &mut Conditions,
    ) {
        let filter = &program.filters[waiting.filter as usize];
        let slots = match waiting.origin {
            Origin::Candidate(number) => {
                let candidate = &mut self.candidates[number as usize];
                candidate.is_ready(conditions, &mut self.texts);
                Slots::Live(candidate)
            }
            Origin::Saved(at) => Slots::Saved(&self.saved[at..]),
        };
        let decision = Decision {
            slots,
            root,
            texts: &self.texts,
        };
        let test = filter.test.as_ref();
        let holds = test.is_some_and(|test| decision.holds(test, &mut self.memo));
        conditions.decide(waiting.condition, holds);
        conditions.release(waiting.condition);
        match waiting.origin {
            Origin::Candidate(number) => {
                self.candidates[number as usize].clear(conditions, &mut self.texts);
                self.free.push(number);
            }
            Origin::Saved(at) => {
                let saved = &self.saved[at..at + filter.queries.len()];
                for value in saved.iter().filter_map(|slot| slot.only) {
                    value.release(&mut self.texts);
                }
            }
        }
    }

    /// Whether no filter is undecided.
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_empty()
            && self.waiting.is_empty()
            && self.deferred.is_empty()
            && self.captures.is_empty()
            && self.root.is_none()
    }

    /// Merges the flag of a copied walk.
    pub(super) fn merge_oversized(&mut self, were_oversized: bool) {
        self.memo.patterns.oversized |= were_oversized;
    }

    /// Whether a computed pattern was too large to be compiled.
    pub(super) fn has_oversized_patterns(&self) -> bool {
        self.memo.patterns.oversized
    }
}

#[cfg(test)]
impl PendingFilters {
    /// Whether everything has been released.
    pub(super) fn is_clean(&self) -> bool {
        self.is_idle() && self.texts.is_empty()
    }
}

/// Capacity retained between roots: of waiting filters, and of slots.
const RETAINED: usize = 4096;
