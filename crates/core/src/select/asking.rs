//! Filters in progress: the values they test, and the text stored for them.

use super::conditions::{CERTAIN, Conditions};
use super::filter::{Candidate, Decision, Patterns, RootSlot, Slots};
use super::program::{Need, Program};
use super::texts::{Text, Texts};
use super::values::Value;

/// An open value whose text a filter needs.
#[derive(Clone, Copy, Debug)]
struct Capture {
    candidate: u32,
    slot: u32,
    condition: u32,
    copies: u64,
    start: u64,
    need: Need,
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
    texts: Texts,
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
        let value = (condition, copies, Text::None);
        candidate.add(slot, value, conditions, &mut self.texts);
    }

    /// Adds `text` in place of a value whose content does not matter. Consumes a use of the condition.
    pub(super) fn stand_in(
        &mut self,
        candidate: u32,
        slot: u32,
        condition: u32,
        copies: u64,
        text: &[u8],
        conditions: &mut Conditions,
    ) {
        let value = (condition, copies, Text::Copy(text.into()));
        self.candidates[candidate as usize].add(slot, value, conditions, &mut self.texts);
    }

    /// Begins to store the text of a result of a query. Consumes a use of the condition.
    pub(super) fn capture(
        &mut self,
        candidate: u32,
        slot: u32,
        condition: u32,
        copies: u64,
        start: u64,
        need: Need,
    ) {
        self.texts.begin(start);
        self.captures.push(Capture {
            candidate,
            slot,
            condition,
            copies,
            start,
            need,
        });
    }

    /// Number of values whose text is being stored.
    pub(super) fn capturing(&self) -> usize {
        self.captures.len()
    }

    /// Stores the bytes from `offset` on, if there are captures: as far as the `count` newest of them need it.
    pub(super) fn copy(&mut self, count: usize, offset: u64, bytes: &[u8]) {
        if count > 0 {
            self.texts.copy(offset, bytes);
        }
    }

    /// Ends the `count` newest captures at `end`: all of them began at the same offset.
    pub(super) fn end_captures(&mut self, count: usize, end: u64, conditions: &mut Conditions) {
        let mut length = None;
        for _ in 0..count {
            let Some(capture) = self.captures.pop() else {
                return;
            };
            let text = match capture.need {
                Need::Length => {
                    let text = self.texts.between(capture.start, end);
                    let length = *length.get_or_insert_with(|| Value::of(text).length());
                    Text::Copy(length.map_or(Box::default(), |length| {
                        length.to_string().into_bytes().into()
                    }))
                }
                _ => self.texts.text(capture.start, end),
            };
            let value = (capture.condition, capture.copies, text);
            let candidate = &mut self.candidates[capture.candidate as usize];
            candidate.add(capture.slot, value, conditions, &mut self.texts);
        }
        if count > 0 && self.captures.is_empty() {
            self.texts.end();
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
                let mut texts = std::mem::take(&mut self.texts);
                self.decide(program, waiting, &[], conditions, &texts);
                self.release(&waiting, conditions, &mut texts);
                self.texts = texts;
                continue;
            }
            let at = self.saved.len();
            let candidate = &mut self.candidates[number as usize];
            if candidate.save(conditions, &mut self.texts, &mut self.saved) {
                waiting.what = Origin::Saved(at);
                candidate.clear(conditions, &mut self.texts);
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
        // Prepared values refer to texts, which no decision changes.
        let mut texts = std::mem::take(&mut self.texts);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| one.round);
        for round in waiting.chunk_by(|a, b| a.round == b.round) {
            let slots = RootSlot::of(&root, conditions, &texts);
            for one in round {
                self.decide(program, *one, &slots, conditions, &texts);
            }
        }
        for one in &waiting {
            self.release(one, conditions, &mut texts);
        }
        root.clear(conditions, &mut texts);
        texts.clear();
        self.texts = texts;
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
        texts: &Texts,
    ) {
        let slots = match waiting.what {
            Origin::Candidate(number) => Slots::Live(&self.candidates[number as usize], conditions),
            Origin::Saved(at) => Slots::Saved(&self.saved[at..]),
        };
        let decision = Decision { slots, root, texts };
        let test = &program.filters[waiting.filter as usize].test;
        let patterns = &mut self.patterns;
        let holds = test
            .as_ref()
            .is_some_and(|test| decision.holds(test, patterns));
        conditions.decide(waiting.condition, holds);
        conditions.release(waiting.condition);
    }

    /// Frees the candidate of a filter that has been decided.
    fn release(&mut self, waiting: &Waiting, conditions: &mut Conditions, texts: &mut Texts) {
        if let Origin::Candidate(number) = waiting.what {
            self.candidates[number as usize].clear(conditions, texts);
            self.free.push(number);
        }
    }

    /// Bytes of the texts in memory.
    #[cfg(test)]
    pub(super) fn stored(&self) -> usize {
        self.texts.in_use()
    }

    /// Whether no filter is undecided.
    pub(super) fn is_idle(&self) -> bool {
        self.open.is_empty()
            && self.waiting.is_empty()
            && self.captures.is_empty()
            && self.root.is_none()
    }

    /// Adds whether a pattern was too large elsewhere.
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
