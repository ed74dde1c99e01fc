//! Filters in progress: the values they test, and the text copied for them.

use super::conditions::{CERTAIN, Conditions};
use super::filter::{Candidate, Decision, Patterns, RootSlot, Slots};
use super::program::Program;

/// The text, as far as read, of a value that a filter needs.
#[derive(Clone, Debug)]
struct Capture {
    candidate: u32,
    slot: u32,
    condition: u32,
    copies: u64,
    start: u64,
    text: Vec<u8>,
}

/// All undecided filters.
#[derive(Clone, Debug, Default)]
pub(super) struct Asking {
    candidates: Vec<Candidate>,
    free: Vec<u32>,
    /// Candidates of the open values, innermost last.
    open: Vec<u32>,
    /// Filters that wait for the end of the root.
    waiting: Vec<Waiting>,
    /// Saved candidates of the waiting filters.
    saved: Vec<u8>,
    /// The candidate of the queries that begin at `$`.
    root: Option<u32>,
    /// Captures of the open values, innermost last.
    captures: Vec<Capture>,
    patterns: Patterns,
}

/// A filter on a value that has ended, to be decided at the end of the root. The document may have one for each of its
/// values, so this struct is small.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    round: u32,
    filter: u32,
    condition: u32,
    what: Origin,
}

#[derive(Clone, Copy, Debug)]
enum Origin {
    /// Number of a candidate whose values are undecided.
    Candidate(u32),
    /// Offset in `saved` of the saved candidate.
    Saved(usize),
}

impl Asking {
    /// Prepares for the queries that begin at `$`. Returns their candidate.
    pub(super) fn begin_root(&mut self, queries: usize) -> u32 {
        let number = self.candidate(0, CERTAIN, queries);
        self.root = Some(number);
        number
    }

    /// Starts a filter on the value that begins; its decision decides the condition, of which it consumes a use.
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

    /// Counts a result of a query. Consumes a use of the condition.
    pub(super) fn count(
        &mut self,
        candidate: u32,
        slot: u32,
        condition: u32,
        copies: u64,
        conditions: &mut Conditions,
    ) {
        let candidate = &mut self.candidates[candidate as usize];
        candidate.count(slot, condition, copies, conditions);
    }

    /// Adds `text` in place of an array or object whose content does not matter. Consumes a use of the condition.
    pub(super) fn stand_in(
        &mut self,
        candidate: u32,
        slot: u32,
        condition: u32,
        copies: u64,
        text: &str,
        conditions: &mut Conditions,
    ) {
        let candidate = &mut self.candidates[candidate as usize];
        candidate.add(slot, condition, copies, text.into(), conditions);
    }

    /// Begins to copy a result of a query. Consumes a use of the condition.
    pub(super) fn capture(
        &mut self,
        candidate: u32,
        slot: u32,
        condition: u32,
        copies: u64,
        start: u64,
    ) {
        self.captures.push(Capture {
            candidate,
            slot,
            condition,
            copies,
            start,
            text: Vec::new(),
        });
    }

    /// Number of values being copied.
    pub(super) fn capturing(&self) -> usize {
        self.captures.len()
    }

    /// Copies the bytes from `offset` on to the `count` newest captures, without those before the start of each.
    pub(super) fn copy(&mut self, count: usize, offset: u64, bytes: &[u8]) {
        let from = self.captures.len() - count;
        for capture in &mut self.captures[from..] {
            let from = capture.start.saturating_sub(offset) as usize;
            let part = bytes.get(from..).unwrap_or_default();
            capture.text.extend_from_slice(part);
        }
    }

    /// Ends the `count` newest captures at `end`.
    pub(super) fn end_captures(&mut self, count: usize, end: u64, conditions: &mut Conditions) {
        for _ in 0..count {
            if let Some(mut capture) = self.captures.pop() {
                capture.text.truncate((end - capture.start) as usize);
                let (condition, copies) = (capture.condition, capture.copies);
                self.candidates[capture.candidate as usize].add(
                    capture.slot,
                    condition,
                    copies,
                    capture.text,
                    conditions,
                );
            }
        }
    }

    /// Ends the value that the `count` newest candidates test.
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
                what: Origin::Candidate(number),
            };
            if round == 0 {
                self.decide(program, waiting, &[], conditions);
                continue;
            }
            let at = self.saved.len();
            let candidate = &mut self.candidates[number as usize];
            if candidate.save(conditions, &mut self.saved) {
                waiting.what = Origin::Saved(at);
                candidate.clear(conditions);
                self.free.push(number);
            }
            self.waiting.push(waiting);
        }
    }

    /// Ends the root. Decides the filters that use `$`, in rounds, because such filters may be nested.
    pub(super) fn end_root(&mut self, program: &Program, conditions: &mut Conditions) {
        let Some(number) = self.root.take() else {
            return;
        };
        let mut root = std::mem::take(&mut self.candidates[number as usize]);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| one.round);
        for round in waiting.chunk_by(|a, b| a.round == b.round) {
            let slots = RootSlot::of(&root, conditions);
            for one in round {
                self.decide(program, *one, &slots, conditions);
            }
        }
        root.clear(conditions);
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
        root: &[RootSlot<'_>],
        conditions: &mut Conditions,
    ) {
        let slots = match waiting.what {
            Origin::Candidate(number) => Slots::Live(&self.candidates[number as usize], conditions),
            Origin::Saved(at) => Slots::Saved(&self.saved[at..]),
        };
        let decision = Decision { slots, root };
        let test = &program.filters[waiting.filter as usize].test;
        let patterns = &mut self.patterns;
        let holds = test
            .as_ref()
            .is_some_and(|test| decision.holds(test, patterns));
        conditions.decide(waiting.condition, holds);
        conditions.release(waiting.condition);
        if let Origin::Candidate(number) = waiting.what {
            self.candidates[number as usize].clear(conditions);
            self.free.push(number);
        }
    }

    /// Whether no filter is undecided.
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_empty()
            && self.waiting.is_empty()
            && self.captures.is_empty()
            && self.root.is_none()
    }

    /// Adds what is known of patterns elsewhere.
    pub(super) fn note_oversized(&mut self, were_oversized: bool) {
        self.patterns.oversized |= were_oversized;
    }

    /// Whether a computed pattern was too large to be compiled.
    pub(super) fn has_oversized_patterns(&self) -> bool {
        self.patterns.oversized
    }
}

/// Capacity retained between roots: of waiting filters, and of bytes in `saved`.
const RETAINED: usize = 4096;
