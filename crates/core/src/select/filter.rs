//! Filters: what their queries have found so far, and whether they hold.
//!
//! The queries of a filter walk along with everything else while the value that the filter is asked about goes by; what
//! they lead to is counted or copied. When that value has ended, the filter is decided. One that asks `$` is
//! decided at the end of the value at the root.

use std::borrow::Cow;

use super::conditions::{Conditions, Truth};
use super::values::{Value, equal, less};
use crate::path::{Comparison, Regexp};

/// A filter, compiled.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub(super) test: Option<Test>,
    /// The first state of each query that begins at `@`.
    pub(super) queries: Vec<u32>,
    /// When it is decided: 0 at the end of the value, else in this round at the end of the root.
    pub(super) round: u32,
}

#[derive(Debug)]
pub(super) enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Compare(Term, Comparison, Term),
    Exists(Slot),
    /// Without a pattern: one that is none, and matches nothing.
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
    Length(Box<Term>),
}

/// Where the values of one query are: of the value the filter is asked about, or of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) absolute: bool,
    pub(super) slot: u32,
}

/// The values that the queries of one filter have led to, for one value that it is asked about.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub(super) filter: u32,
    /// What its decision decides.
    pub(super) condition: u32,
    slots: Vec<Values>,
}

#[derive(Debug, Default)]
struct Values {
    certain: u64,
    uncertain: Vec<(u32, u64)>,
    /// With the text, where it is needed. Its condition is `CERTAIN` or one it uses.
    texts: Vec<(u32, u64, Vec<u8>)>,
}

impl Candidate {
    /// Makes it new, for a filter with so many queries.
    pub(super) fn reset(&mut self, filter: u32, condition: u32, slots: usize) {
        self.filter = filter;
        self.condition = condition;
        self.slots.resize_with(slots, Values::default);
    }

    /// Counts a value. Uses the condition.
    pub(super) fn count(
        &mut self,
        slot: u32,
        condition: u32,
        copies: u64,
        conditions: &mut Conditions,
    ) {
        let values = &mut self.slots[slot as usize];
        match conditions.truth(condition) {
            Truth::Open => values.uncertain.push((condition, copies)),
            truth => {
                conditions.release(condition);
                if truth == Truth::Holds {
                    values.certain = values.certain.saturating_add(copies);
                }
            }
        }
    }

    /// Adds the text of a value. Uses the condition.
    pub(super) fn add(&mut self, slot: u32, condition: u32, copies: u64, text: Vec<u8>) {
        self.slots[slot as usize]
            .texts
            .push((condition, copies, text));
    }

    /// Forgets all values.
    pub(super) fn clear(&mut self, conditions: &mut Conditions) {
        for values in &mut self.slots {
            values.certain = 0;
            for (condition, _) in values.uncertain.drain(..) {
                conditions.release(condition);
            }
            for (condition, _, _) in values.texts.drain(..) {
                conditions.release(condition);
            }
        }
    }
}

/// What a filter is decided from.
pub(super) struct Decision<'c> {
    pub(super) candidate: &'c Candidate,
    pub(super) root: Option<&'c Candidate>,
    pub(super) conditions: &'c Conditions,
}

impl<'c> Decision<'c> {
    // Nested as deep as the text of the path is, `MAX_NESTING` levels at most.
    pub(super) fn holds(&self, test: &'c Test) -> bool {
        match test {
            Test::Or(parts) => parts.iter().any(|part| self.holds(part)),
            Test::And(parts) => parts.iter().all(|part| self.holds(part)),
            Test::Not(part) => !self.holds(part),
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
                        let pattern = std::str::from_utf8(&pattern).ok();
                        let compiled = pattern.and_then(|text| Regexp::new(text, *entire).ok());
                        compiled.is_some_and(|compiled| compiled.is_match(&subject))
                    }
                    _ => false,
                }
            }
        }
    }

    fn values(&self, slot: Slot) -> Option<&'c Values> {
        let candidate = match slot.absolute {
            true => self.root?,
            false => self.candidate,
        };
        candidate.slots.get(slot.slot as usize)
    }

    fn stands(&self, condition: u32) -> bool {
        self.conditions.truth(condition) == Truth::Holds
    }

    fn count(&self, slot: Slot) -> u64 {
        self.values(slot).map_or(0, |values| {
            let uncertain = values.uncertain.iter();
            uncertain
                .filter(|(condition, _)| self.stands(*condition))
                .fold(values.certain, |sum, (_, copies)| {
                    sum.saturating_add(*copies)
                })
        })
    }

    fn value(&self, term: &'c Term) -> Value<'c> {
        match term {
            Term::Text(text) => Value::of(text),
            Term::String(text) => Value::String(Cow::Borrowed(text)),
            Term::Only(slot) => {
                let texts = self.values(*slot).into_iter().flat_map(|v| &v.texts);
                let mut texts = texts.filter(|(condition, _, _)| self.stands(*condition));
                match (texts.next(), texts.next()) {
                    (Some((_, 1, text)), None) => Value::of(text),
                    _ => Value::Nothing,
                }
            }
            Term::Count(slot) => Value::number(self.count(*slot)),
            Term::Length(of) => self.value(of).length(),
        }
    }
}
