//! Filters at work: the values they are asked about, and the text that is copied for them.

use super::conditions::{CERTAIN, Conditions};
use super::filter::{Candidate, Decision};
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
    /// The candidates that wait for the end of the root, each with its round.
    waiting: Vec<(u32, u32)>,
    /// What the queries that begin at `$` have led to.
    root: Option<u32>,
    /// Of the values that are open, innermost last.
    captures: Vec<Capture>,
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
            let filter = self.candidates[number as usize].filter;
            match program.filters[filter as usize].round {
                0 => self.decide(program, number, conditions),
                round => self.waiting.push((round, number)),
            }
        }
    }

    /// Ends the root: what asks `$` can be decided, in rounds, as one such filter may stand inside another.
    pub(super) fn end_root(&mut self, program: &Program, conditions: &mut Conditions) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|(round, _)| *round);
        for (_, number) in waiting {
            self.decide(program, number, conditions);
        }
        if let Some(root) = self.root.take() {
            self.candidates[root as usize].clear(conditions);
            self.free.push(root);
        }
    }

    fn decide(&mut self, program: &Program, number: u32, conditions: &mut Conditions) {
        let candidate = &self.candidates[number as usize];
        let condition = candidate.condition;
        let decision = Decision {
            candidate,
            root: self.root.map(|root| &self.candidates[root as usize]),
            conditions,
        };
        let test = &program.filters[candidate.filter as usize].test;
        let holds = test.as_ref().is_some_and(|test| decision.holds(test));
        conditions.decide(condition, holds);
        conditions.release(condition);
        self.candidates[number as usize].clear(conditions);
        self.free.push(number);
    }
}
