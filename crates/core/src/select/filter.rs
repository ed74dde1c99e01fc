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
    /// How many are known to count.
    certain: u64,
    /// The text of the first of these.
    text: Option<Vec<u8>>,
    /// Values whose conditions, which they use, were open when they came: how often each comes, and its text where that
    /// is needed.
    open: Vec<(u32, u64, Vec<u8>)>,
    /// How many were left of them when they were last gone through.
    tidied: usize,
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
        if conditions.truth(condition) == Truth::Open {
            values.open.push((condition, copies, Vec::new()));
            values.tidy(conditions);
        } else {
            values.settle(condition, copies, conditions);
        }
    }

    /// Adds the text of a value. Uses the condition.
    pub(super) fn add(
        &mut self,
        slot: u32,
        condition: u32,
        copies: u64,
        text: Vec<u8>,
        conditions: &mut Conditions,
    ) {
        let values = &mut self.slots[slot as usize];
        values.open.push((condition, copies, text));
        values.tidy(conditions);
    }

    /// Forgets all values.
    pub(super) fn clear(&mut self, conditions: &mut Conditions) {
        for values in &mut self.slots {
            for (condition, _, _) in values.open.drain(..) {
                conditions.release(condition);
            }
            *values = Values {
                open: std::mem::take(&mut values.open),
                ..Values::default()
            };
        }
    }
}

/// Fewer values than this are not gone through until the filter is decided.
const FEW: usize = 16;

impl Values {
    /// Counts a value that is decided. Uses its condition.
    fn settle(&mut self, condition: u32, copies: u64, conditions: &mut Conditions) {
        if conditions.truth(condition) == Truth::Holds {
            self.certain = self.certain.saturating_add(copies);
        }
        conditions.release(condition);
    }

    /// Goes through the values when they have doubled, so that what is kept are the open ones, and of the others the text of
    /// the first.
    fn tidy(&mut self, conditions: &mut Conditions) {
        if self.open.len() < FEW.max(2 * self.tidied) {
            return;
        }
        for (condition, copies, text) in std::mem::take(&mut self.open) {
            if conditions.truth(condition) == Truth::Open {
                self.open.push((condition, copies, text));
                continue;
            }
            if conditions.truth(condition) == Truth::Holds {
                self.text.get_or_insert(text);
            }
            self.settle(condition, copies, conditions);
        }
        self.tidied = self.open.len();
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
            let open = values.open.iter();
            open.filter(|(condition, _, _)| self.stands(*condition))
                .fold(values.certain, |sum, (_, copies, _)| {
                    sum.saturating_add(*copies)
                })
        })
    }

    /// The text of the only value.
    fn only(&self, slot: Slot) -> Option<&'c [u8]> {
        let values = self.values(slot).filter(|_| self.count(slot) == 1)?;
        let mut open = values.open.iter();
        let stands = open.find(|(condition, _, _)| self.stands(*condition));
        let text = stands.map(|(_, _, text)| text).or(values.text.as_ref());
        text.map(Vec::as_slice)
    }

    fn value(&self, term: &'c Term) -> Value<'c> {
        match term {
            Term::Text(text) => Value::of(text),
            Term::String(text) => Value::String(Cow::Borrowed(text)),
            Term::Only(slot) => self.only(*slot).map_or(Value::Nothing, Value::of),
            Term::Count(slot) => Value::number(self.count(*slot)),
            Term::Length(of) => self.value(of).length(),
        }
    }
}
