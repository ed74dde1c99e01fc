//! Filters: the results of their queries so far, and the decision.
//!
//! The queries of a filter run with everything else while the walk passes the value that the filter tests; their
//! results are counted or stored. The filter is decided when that value ends. A filter that uses `$` is decided at the
//! end of the value at the root.

use std::borrow::Cow;
use std::collections::HashMap;

use super::conditions::{Conditions, Truth};
use super::texts::{Part, Text, Texts};
use super::values::{Prepared, Value, equal, less};
use crate::path::{Comparison, Regexp};

/// A filter, compiled.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub(super) test: Option<Test>,
    /// The first state of each query that begins at `@`.
    pub(super) queries: Vec<u32>,
    /// When it is decided: 0 at the end of the value, otherwise in this round at the end of the root.
    pub(super) round: u32,
}

#[derive(Debug)]
pub(super) enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Compare(Term, Comparison, Term),
    Exists(Slot),
    /// `None` is an invalid pattern, which matches nothing.
    Matches(Term, Option<Regexp>),
    /// Subject, pattern, and whether the pattern covers all of the subject.
    Computed(Term, Term, bool),
}

#[derive(Debug)]
pub(super) enum Term {
    /// A number or literal as it is written.
    Text(Box<[u8]>),
    /// A string, decoded.
    String(Box<[u8]>),
    /// The only value in the slot.
    Only(Slot),
    Count(Slot),
    /// The length of a term that is not a query: the slot of a query holds its length ([`Need::Length`]).
    ///
    /// [`Need::Length`]: super::program::Need::Length
    Length(Box<Term>),
}

/// The values of one query, which starts at the tested value or at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) absolute: bool,
    pub(super) slot: u32,
}

/// The results of the queries of one filter, for one value that it tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    pub(super) filter: u32,
    /// The condition that its decision decides.
    pub(super) condition: u32,
    slots: Vec<Values>,
}

/// A result of a query: its condition, copies, and the text if it is needed.
pub(super) type Result = (u32, u64, Text);

#[derive(Clone, Debug, Default)]
struct Values {
    /// Number of values known to count.
    certain: u64,
    /// The text of the first of these.
    text: Text,
    /// Values whose conditions, which they hold, were open when they were added.
    open: Vec<Result>,
    /// Number of values left in `open` by the last call of `tidy`.
    tidied: usize,
}

impl Candidate {
    /// Resets it for a filter with `slots` queries.
    pub(super) fn reset(&mut self, filter: u32, condition: u32, slots: usize) {
        self.filter = filter;
        self.condition = condition;
        self.slots.resize_with(slots, Values::default);
    }

    /// Adds a value. Consumes a use of the condition.
    pub(super) fn add(
        &mut self,
        slot: u32,
        value: Result,
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let values = &mut self.slots[slot as usize];
        if conditions.truth(value.0) == Truth::Open {
            values.open.push(value);
            values.tidy(conditions, texts);
        } else {
            values.settle(value, conditions, texts);
        }
    }

    /// Discards all values.
    pub(super) fn clear(&mut self, conditions: &mut Conditions, texts: &mut Texts) {
        for values in &mut self.slots {
            for (condition, _, text) in values.open.drain(..) {
                conditions.release(condition);
                texts.drop(&text);
            }
            texts.drop(&values.text);
            *values = Values {
                open: std::mem::take(&mut values.open),
                ..Values::default()
            };
        }
    }
}

/// `tidy` ignores fewer values than this.
const FEW: usize = 16;

impl Values {
    /// Counts a decided value, and keeps its text if it is the first. Consumes a use of its condition.
    fn settle(&mut self, value: Result, conditions: &mut Conditions, texts: &mut Texts) {
        let (condition, copies, text) = value;
        let holds = conditions.truth(condition) == Truth::Holds;
        conditions.release(condition);
        if !holds || self.certain > 0 {
            texts.drop(&text);
        } else {
            self.text = text;
        }
        if holds {
            self.certain = self.certain.saturating_add(copies);
        }
    }

    /// Compacts the values each time their number has doubled: keeps the open ones, and of the others the text of the
    /// first.
    fn tidy(&mut self, conditions: &mut Conditions, texts: &mut Texts) {
        if self.open.len() < FEW.max(2 * self.tidied) {
            return;
        }
        for value in std::mem::take(&mut self.open) {
            match conditions.truth(value.0) {
                Truth::Open => self.open.push(value),
                _ => self.settle(value, conditions, texts),
            }
        }
        self.tidied = self.open.len();
    }
}

/// The results of the queries of one candidate, by slot.
#[derive(Clone, Copy)]
pub(super) enum Slots<'c> {
    Live(&'c Candidate, &'c Conditions),
    /// A waiting candidate, as written by [`Candidate::save`].
    Saved(&'c [u8]),
}

impl<'c> Slots<'c> {
    pub(super) fn count(self, slot: u32) -> u64 {
        match self {
            Slots::Live(candidate, conditions) => candidate.count_of(slot, conditions),
            Slots::Saved(bytes) => saved(bytes, slot).0,
        }
    }

    /// The text of the only value.
    pub(super) fn only(self, slot: u32, texts: &'c Texts) -> Option<&'c [u8]> {
        match self {
            Slots::Live(candidate, conditions) => candidate
                .only(slot, conditions)
                .map(|text| texts.bytes(text)),
            Slots::Saved(bytes) => saved(bytes, slot).1.map(|text| text.of(texts)),
        }
    }
}

impl Candidate {
    fn count_of(&self, slot: u32, conditions: &Conditions) -> u64 {
        self.slots.get(slot as usize).map_or(0, |values| {
            let holds = |condition| conditions.truth(condition) == Truth::Holds;
            let open = values.open.iter();
            open.filter(|(condition, _, _)| holds(*condition))
                .fold(values.certain, |sum, (_, copies, _)| {
                    sum.saturating_add(*copies)
                })
        })
    }

    fn only(&self, slot: u32, conditions: &Conditions) -> Option<&Text> {
        if self.count_of(slot, conditions) != 1 {
            return None;
        }
        let values = self.slots.get(slot as usize)?;
        let mut open = values.open.iter();
        let holds = open.find(|(condition, _, _)| conditions.truth(*condition) == Truth::Holds);
        Some(holds.map_or(&values.text, |(_, _, text)| text))
    }

    /// Appends everything a decision needs: for each slot the count and the text of the only value. Returns false, and
    /// appends nothing, while that depends on an open condition.
    pub(super) fn save(
        &self,
        conditions: &Conditions,
        texts: &mut Texts,
        out: &mut Vec<u8>,
    ) -> bool {
        let mut open = self.slots.iter().flat_map(|values| &values.open);
        if open.any(|(condition, _, _)| conditions.truth(*condition) == Truth::Open) {
            return false;
        }
        for slot in 0..self.slots.len() as u32 {
            push_number(out, self.count_of(slot, conditions));
            match self.only(slot, conditions).unwrap_or(&Text::None) {
                Text::None => push_number(out, 0),
                Text::Copy(text) => {
                    push_number(out, 2 * text.len() as u64);
                    out.extend_from_slice(text);
                }
                Text::Part(part) => {
                    texts.hold(part.text);
                    push_number(out, 2 * part.length as u64 + 1);
                    push_number(out, part.text.into());
                    push_number(out, part.from as u64);
                }
            }
        }
        true
    }
}

/// Appends a number, seven bits per byte, lowest first (LEB128).
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            break;
        };
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// The text in a slot of a saved candidate.
#[derive(Clone, Copy)]
enum Saved<'c> {
    Copy(&'c [u8]),
    Part(Part),
}

impl<'c> Saved<'c> {
    fn of(self, texts: &'c Texts) -> &'c [u8] {
        match self {
            Saved::Copy(text) => text,
            Saved::Part(part) => texts.part(part),
        }
    }
}

/// The count and the text in a slot of a saved candidate. A text that is needed is not empty.
fn saved(mut bytes: &[u8], slot: u32) -> (u64, Option<Saved<'_>>) {
    let mut found = (0, None);
    for _ in 0..=slot {
        let count = take_number(&mut bytes);
        let shape = take_number(&mut bytes);
        let length = (shape / 2) as usize;
        if shape % 2 == 1 {
            let text = take_number(&mut bytes) as u32;
            let from = take_number(&mut bytes) as usize;
            let part = Part { text, from, length };
            found = (count, Some(Saved::Part(part)));
            continue;
        }
        let (text, rest) = bytes.split_at(length.min(bytes.len()));
        found = (count, (length > 0).then_some(Saved::Copy(text)));
        bytes = rest;
    }
    found
}

/// The results of a query at `$`, prepared for a round of decisions.
#[derive(Debug)]
pub(super) struct RootSlot<'c> {
    count: u64,
    only: Option<Prepared<'c>>,
}

impl<'c> RootSlot<'c> {
    /// Prepares all slots.
    pub(super) fn of(
        root: &'c Candidate,
        conditions: &Conditions,
        texts: &'c Texts,
    ) -> Vec<RootSlot<'c>> {
        (0..root.slots.len() as u32)
            .map(|slot| RootSlot {
                count: root.count_of(slot, conditions),
                only: root
                    .only(slot, conditions)
                    .map(|text| Prepared::new(texts.bytes(text))),
            })
            .collect()
    }
}

/// The inputs of a filter's decision.
pub(super) struct Decision<'c> {
    pub(super) slots: Slots<'c>,
    pub(super) root: &'c [RootSlot<'c>],
    pub(super) texts: &'c Texts,
}

impl<'c> Decision<'c> {
    // Recursion is safe: expressions nest `MAX_NESTING` levels at most.
    pub(super) fn holds(&self, test: &'c Test, patterns: &mut Patterns) -> bool {
        match test {
            Test::Or(parts) => parts.iter().any(|part| self.holds(part, patterns)),
            Test::And(parts) => parts.iter().all(|part| self.holds(part, patterns)),
            Test::Not(part) => !self.holds(part, patterns),
            Test::Exists(slot) => self.count(*slot) > 0,
            Test::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match comparison {
                    Comparison::Equal => equal(&left, &right),
                    Comparison::NotEqual => !equal(&left, &right),
                    Comparison::Less => less(&left, &right),
                    Comparison::LessOrEqual => less(&left, &right) || equal(&left, &right),
                    Comparison::Greater => less(&right, &left),
                    Comparison::GreaterOrEqual => less(&right, &left) || equal(&left, &right),
                }
            }
            Test::Matches(subject, pattern) => match (self.value(subject), pattern) {
                (Value::String(subject), Some(pattern)) => pattern.is_match(&subject),
                _ => false,
            },
            Test::Computed(subject, pattern, entire) => {
                match (self.value(subject), self.value(pattern)) {
                    (Value::String(subject), Value::String(pattern)) => {
                        let compiled = patterns.compile(&pattern, *entire);
                        compiled.is_some_and(|compiled| compiled.is_match(&subject))
                    }
                    _ => false,
                }
            }
        }
    }

    fn at_root(&self, slot: Slot) -> Option<&RootSlot<'c>> {
        self.root.get(slot.slot as usize)
    }

    fn count(&self, slot: Slot) -> u64 {
        match slot.absolute {
            true => self.at_root(slot).map_or(0, |slot| slot.count),
            false => self.slots.count(slot.slot),
        }
    }

    fn value(&self, term: &'c Term) -> Value<'_> {
        match term {
            Term::Text(text) => Value::of(text),
            Term::String(text) => Value::String(Cow::Borrowed(text)),
            Term::Only(slot) if slot.absolute => {
                let only = self.at_root(*slot).and_then(|slot| slot.only.as_ref());
                only.map_or(Value::Nothing, Prepared::value)
            }
            Term::Only(slot) => {
                let only = self.slots.only(slot.slot, self.texts);
                only.map_or(Value::Nothing, Value::of)
            }
            Term::Count(slot) => Value::number(self.count(*slot)),
            Term::Length(of) => {
                let length = self.value(of).length();
                length.map_or(Value::Nothing, Value::number)
            }
        }
    }
}

/// Cache of patterns computed while filters are decided. The same few usually recur.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    /// By their text: for `search`, and for `match`.
    known: [HashMap<Box<[u8]>, Option<Regexp>>; 2],
    /// A pattern was too large to compile.
    pub(super) oversized: bool,
}

/// Capacity of the cache.
const KNOWN: usize = 64;

impl Patterns {
    /// Compiles the pattern; None for an invalid I-Regexp and for one that is too large.
    fn compile(&mut self, pattern: &[u8], entire: bool) -> Option<&Regexp> {
        let known = &mut self.known[usize::from(entire)];
        if !known.contains_key(pattern) {
            if known.len() == KNOWN {
                known.clear();
            }
            let compiled = match std::str::from_utf8(pattern) {
                Ok(text) => Regexp::computed(text, entire),
                Err(_) => Ok(None),
            };
            self.oversized |= compiled.is_err();
            known.insert(pattern.into(), compiled.unwrap_or(None));
        }
        known.get(pattern)?.as_ref()
    }
}
