//! Filters at work: the values they are asked about, and the text that is copied for them.

use super::conditions::{CERTAIN, Conditions};
use super::filter::{Candidate, Decision, Patterns, RootSlot, Slots};
use super::program::Program;

/// The text of a value that a filter needs, as far as it has been seen.
#[derive(Debug)]
struct Capture {
    candidate: u32,
    slot: u32,
    condition: u32,
    copies: u64,
    start: u64,
    text: Vec<u8>,
}

/// All filters that are not decided.
#[derive(Debug, Default)]
pub(super) struct Asking {
    candidates: Vec<Candidate>,
    free: Vec<u32>,
    /// The candidates of the values that are open, innermost last.
    open: Vec<u32>,
    /// The filters that wait for the end of the root.
    waiting: Vec<Waiting>,
    /// What is known of those that are saved.
    saved: Vec<u8>,
    /// What the queries that begin at `$` have led to.
    root: Option<u32>,
    /// Of the values that are open, innermost last.
    captures: Vec<Capture>,
    patterns: Patterns,
}

/// A filter about a value that has ended, which is decided at the end of the root. There may be one for each value of the
/// text, so it takes no more room than it needs.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    round: u32,
    filter: u32,
    condition: u32,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// The number of a candidate whose values are not certain yet.
    Candidate(u32),
    /// All that is to be known of it begins here in `saved`.
    Saved(usize),
}

impl Asking {
    /// Prepares for the queries that begin at `$`. Returns the candidate that they work for.
    pub(super) fn begin_root(&mut self, queries: usize) -> u32 {
        let number = self.candidate(0, CERTAIN, queries);
        self.root = Some(number);
        number
    }

    /// A filter is asked about the value that begins; its decision decides the condition, which it uses. Returns the
    /// candidate that its queries work for.
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

    /// Counts a value that a query leads to. Uses the condition.
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

    /// Takes an array or object of which nothing but that it is one has to be known, as this text. Uses the condition.
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

    /// Begins to copy a value that a query leads to. Uses the condition.
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

    /// How many values are being copied.
    pub(super) fn capturing(&self) -> usize {
        self.captures.len()
    }

    /// Copies these bytes, which begin at `offset`, for the `count` newest captures, as far as they are part of them.
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

    /// Ends the value that the `count` newest candidates are asked about.
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
                what: What::Candidate(number),
            };
            if round == 0 {
                self.decide(program, waiting, &[], conditions);
                continue;
            }
            let at = self.saved.len();
            let candidate = &mut self.candidates[number as usize];
            if candidate.save(conditions, &mut self.saved) {
                waiting.what = What::Saved(at);
                candidate.clear(conditions);
                self.free.push(number);
            }
            self.waiting.push(waiting);
        }
    }

    /// Ends the root: what asks `$` can be decided, in rounds, as one such filter may stand inside another.
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
        // What one root needed is no measure of the next.
        waiting.clear();
        waiting.shrink_to(KEPT);
        self.saved.shrink_to(KEPT);
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
            What::Candidate(number) => Slots::Live(&self.candidates[number as usize], conditions),
            What::Saved(at) => Slots::Saved(&self.saved[at..]),
        };
        let decision = Decision { slots, root };
        let test = &program.filters[waiting.filter as usize].test;
        let patterns = &mut self.patterns;
        let holds = test
            .as_ref()
            .is_some_and(|test| decision.holds(test, patterns));
        conditions.decide(waiting.condition, holds);
        conditions.release(waiting.condition);
        if let What::Candidate(number) = waiting.what {
            self.candidates[number as usize].clear(conditions);
            self.free.push(number);
        }
    }

    /// Whether a computed pattern was too large to be compiled.
    pub(super) fn has_oversized_patterns(&self) -> bool {
        self.patterns.oversized
    }
}

/// Room for so many filters, and so many bytes of what is saved of them, is not given back.
const KEPT: usize = 4096;
