//! Filters: the results of their queries so far, and the decision.
//!
//! The queries of a filter run in the same walk over the tested value; their results are counted or held as text. The filter is
//! decided when that value ends; a filter that uses `$`, when the value at the root ends.

use std::borrow::Cow;
use std::collections::HashMap;

use super::candidate::{Candidate, Captured, Item, SlotResult};
use super::texts::Texts;
use super::values::{Pairs, Value, less};
use crate::path::{Comparison, Regexp};

/// A filter, compiled.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) test: Option<Test>,
    /// The first state of each query that begins at `@`.
    pub(super) queries: Vec<u32>,
    /// 0: decided at the end of the tested value; otherwise the round of its decision at the end of the root.
    pub(super) round: u32,
}

/// The property of the results of a query that the filter depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Their number.
    Count,
    /// Their text if they are scalars: the other operand is a scalar, which no array or object equals.
    Scalar,
    /// The number of their children, or their text if they are strings.
    Length,
    /// Their text.
    Text,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Compare(Term, Comparison, Term),
    Exists(Slot),
    /// `None` is an invalid pattern, which matches nothing.
    Matches(Term, Option<Regexp>),
    /// Subject, pattern, and whether the pattern must match the entire subject.
    Computed(Term, Term, bool),
}

#[derive(Clone, Debug)]
pub(super) enum Term {
    /// The source text of a number or literal.
    Text(Box<[u8]>),
    /// A string, decoded.
    String(Box<[u8]>),
    /// The only value in the slot.
    Only(Slot),
    Count(Slot),
    Length(Box<Term>),
}

/// The results of one query, which starts at the tested value or at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) absolute: bool,
    pub(super) slot: u32,
}

/// The results of the queries of one candidate, by slot.
#[derive(Clone, Copy)]
pub(super) enum Slots<'c> {
    Live(&'c Candidate),
    Saved(&'c [SlotResult]),
}

/// The results of a query at `$` during a round of decisions. They are compared with every candidate, so strings are decoded
/// once.
pub(super) struct RootSlot {
    count: u64,
    only: Option<Captured>,
    decoded: Option<Vec<u8>>,
    length: Option<u64>,
}

impl RootSlot {
    /// Prepares all slots.
    pub(super) fn new(root: &Candidate, slots: usize, texts: &Texts) -> Vec<RootSlot> {
        let slots = 0..slots as u32;
        slots
            .map(|slot| {
                let only = root.only(slot);
                let value = only.map(|captured| Value::of_item(captured.item(texts)));
                RootSlot {
                    count: root.count(slot),
                    only,
                    length: value.as_ref().and_then(Value::length),
                    decoded: match value {
                        Some(Value::String(Cow::Owned(decoded))) => Some(decoded),
                        _ => None,
                    },
                }
            })
            .collect()
    }

    fn value<'c>(&'c self, texts: &'c Texts) -> Value<'c> {
        match (&self.decoded, self.only) {
            (Some(decoded), _) => Value::String(Cow::Borrowed(decoded)),
            (None, Some(captured)) => Value::of_item(captured.item(texts)),
            (None, None) => Value::Nothing,
        }
    }
}

/// The inputs of a filter's decision.
pub(super) struct Decision<'c> {
    pub(super) slots: Slots<'c>,
    pub(super) root: &'c [RootSlot],
    pub(super) texts: &'c Texts,
}

impl<'c> Decision<'c> {
    // Recursion is safe: expressions nest `MAX_NESTING` levels at most.
    pub(super) fn holds(&self, test: &'c Test, memo: &mut Memo) -> bool {
        match test {
            Test::Or(parts) => parts.iter().any(|part| self.holds(part, memo)),
            Test::And(parts) => parts.iter().all(|part| self.holds(part, memo)),
            Test::Not(part) => !self.holds(part, memo),
            Test::Exists(slot) => self.count(*slot) > 0,
            Test::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left), self.value(right));
                let mut equal = || memo.pairs.equal(&left, &right, self.texts);
                match comparison {
                    Comparison::Equal => equal(),
                    Comparison::NotEqual => !equal(),
                    Comparison::Less => less(&left, &right),
                    Comparison::LessOrEqual => less(&left, &right) || equal(),
                    Comparison::Greater => less(&right, &left),
                    Comparison::GreaterOrEqual => less(&right, &left) || equal(),
                }
            }
            Test::Matches(subject, pattern) => match (self.value(subject), pattern) {
                (Value::String(subject), Some(pattern)) => pattern.is_match(&subject),
                _ => false,
            },
            Test::Computed(subject, pattern, entire) => {
                match (self.value(subject), self.value(pattern)) {
                    (Value::String(subject), Value::String(pattern)) => {
                        let compiled = memo.patterns.compile(&pattern, *entire);
                        compiled.is_some_and(|compiled| compiled.is_match(&subject))
                    }
                    _ => false,
                }
            }
        }
    }

    fn at_root(&self, slot: Slot) -> Option<&'c RootSlot> {
        self.root.get(slot.slot as usize)
    }

    fn count(&self, slot: Slot) -> u64 {
        if slot.absolute {
            self.at_root(slot).map_or(0, |slot| slot.count)
        } else {
            match self.slots {
                Slots::Live(candidate) => candidate.count(slot.slot),
                Slots::Saved(saved) => saved[slot.slot as usize].count,
            }
        }
    }

    /// The only value in a slot of the candidate.
    fn only(&self, slot: u32) -> Option<Item<'c>> {
        match self.slots {
            Slots::Live(candidate) => Some(candidate.only(slot)?.item(self.texts)),
            Slots::Saved(saved) => Some(saved[slot as usize].only?.item(self.texts)),
        }
    }

    fn value(&self, term: &'c Term) -> Value<'_> {
        match term {
            Term::Text(text) => Value::new(text),
            Term::String(text) => Value::String(Cow::Borrowed(text)),
            Term::Only(slot) if slot.absolute => {
                let slot = self.at_root(*slot);
                slot.map_or(Value::Nothing, |slot| slot.value(self.texts))
            }
            Term::Only(slot) => self.only(slot.slot).map_or(Value::Nothing, Value::of_item),
            Term::Count(slot) => Value::number(self.count(*slot)),
            Term::Length(of) => {
                let length = match &**of {
                    Term::Only(slot) if slot.absolute => {
                        self.at_root(*slot).and_then(|slot| slot.length)
                    }
                    of => self.value(of).length(),
                };
                length.map_or(Value::Nothing, Value::number)
            }
        }
    }
}

/// Caches of the decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    pub(super) patterns: Patterns,
    pairs: Pairs,
}

/// Cache of compiled patterns from the document. The same few usually recur.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    /// By their text, for `search` and `match`.
    known: [HashMap<Box<[u8]>, Option<Regexp>>; 2],
    /// A pattern was too large to compile.
    pub(super) oversized: bool,
}

/// Capacity of the cache.
const KNOWN: usize = 64;

impl Patterns {
    /// Compiles the pattern; `None` if it is invalid or too large.
    fn compile(&mut self, pattern: &[u8], entire: bool) -> Option<&Regexp> {
        let known = &mut self.known[usize::from(entire)];
        if !known.contains_key(pattern) {
            if known.len() == KNOWN {
                known.clear();
            }
            let compiled = std::str::from_utf8(pattern)
                .ok()
                .map(|text| Regexp::computed(text, entire));
            self.oversized |= matches!(&compiled, Some(Err(error)) if error.is_too_large);
            known.insert(pattern.into(), compiled.and_then(Result::ok));
        }
        known.get(pattern)?.as_ref()
    }
}
