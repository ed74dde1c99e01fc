//! The results of the queries of one filter for one tested value.

use super::conditions::{Conditions, Truth};
use super::texts::{Span, Texts};

/// The part of a value that its filter needs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Captured {
    /// Only that it exists.
    Nothing,
    /// An empty container in place of one whose content does not matter.
    StandIn(&'static [u8]),
    /// The number of children of a container whose content does not matter.
    Length(u64),
    Text(Span),
}

/// A value as the decision reads it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'c> {
    Length(u64),
    /// Its text, and the span of a container.
    Text(&'c [u8], Option<Span>),
}

/// All results, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    pub(super) filter: u32,
    /// The condition that is decided with the filter.
    pub(super) condition: u32,
    slots: Vec<Values>,
    /// Slots whose results are shared with an outer candidate, and that candidate.
    shared: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, Default)]
struct Values {
    /// Number of values whose conditions hold.
    certain: u64,
    /// The first value among them.
    first: Option<Captured>,
    /// Values whose conditions, which they own a use of, were open when they were added.
    open: Vec<(u32, u64, Captured)>,
    /// Number of values left in `open` by the last call of `settle_decided`.
    retained: usize,
}

/// The results in a slot of a candidate that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotResult {
    pub(super) count: u64,
    /// The value of a slot that has exactly one.
    pub(super) only: Option<Captured>,
}

impl Captured {
    /// A copy for another candidate.
    fn shared(self, texts: &mut Texts) -> Captured {
        if let Captured::Text(span) = self {
            texts.hold(span);
        }
        self
    }

    pub(super) fn release(self, texts: &mut Texts) {
        if let Captured::Text(span) = self {
            texts.release(span);
        }
    }

    pub(super) fn item(self, texts: &Texts) -> Item<'_> {
        match self {
            Captured::Nothing => Item::Text(&[], None),
            Captured::StandIn(text) => Item::Text(text, None),
            Captured::Length(length) => Item::Length(length),
            Captured::Text(span) => {
                let text = texts.get(span);
                Item::Text(text, is_container(text).then_some(span))
            }
        }
    }

    /// Whether it is a container that has not been read to its end.
    fn is_incomplete(self, texts: &Texts) -> bool {
        matches!(self, Captured::Text(span) if texts.is_open(span) && is_container(texts.get(span)))
    }
}

fn is_container(text: &[u8]) -> bool {
    matches!(text, [b'{' | b'[', ..])
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
        condition: u32,
        copies: u64,
        value: Captured,
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let values = &mut self.slots[slot as usize];
        if matches!(value, Captured::Nothing) && conditions.truth(condition) != Truth::Open {
            return values.settle((condition, copies, value), conditions, texts);
        }
        values.open.push((condition, copies, value));
        if values.open.len() >= FEW.max(2 * values.retained) {
            values.settle_decided(conditions, texts);
        }
    }

    /// Shares the results in a slot with `outer`.
    pub(super) fn share(&mut self, slot: u32, outer: u32) {
        self.shared.push((slot, outer));
    }

    /// Takes the slots whose results are shared, each with its outer candidate.
    pub(super) fn take_shared(&mut self) -> Vec<(u32, u32)> {
        std::mem::take(&mut self.shared)
    }

    /// Adds the results in a slot of an inner candidate.
    pub(super) fn add_shared(
        &mut self,
        inner: &Candidate,
        slot: u32,
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let from = &inner.slots[slot as usize];
        let values = &mut self.slots[slot as usize];
        values.certain = values.certain.saturating_add(from.certain);
        if let (None, Some(value)) = (values.first, from.first) {
            values.first = Some(value.shared(texts));
        }
        for &(condition, copies, value) in &from.open {
            conditions.hold(condition);
            self.add(
                slot,
                condition,
                copies,
                value.shared(texts),
                conditions,
                texts,
            );
        }
    }

    /// Discards all values.
    pub(super) fn clear(&mut self, conditions: &mut Conditions, texts: &mut Texts) {
        for values in &mut self.slots {
            for (condition, _, value) in values.open.drain(..) {
                conditions.release(condition);
                value.release(texts);
            }
            if let Some(value) = values.first.take() {
                value.release(texts);
            }
            *values = Values {
                open: std::mem::take(&mut values.open),
                ..Values::default()
            };
        }
    }

    /// Counts the decided values. Returns whether no undecided value is left and all texts are complete.
    pub(super) fn is_ready(&mut self, conditions: &mut Conditions, texts: &mut Texts) -> bool {
        self.slots
            .iter_mut()
            .for_each(|values| values.settle_decided(conditions, texts));
        self.slots.iter().all(|values| {
            let first = values.first.is_none_or(|value| !value.is_incomplete(texts));
            first && values.open.is_empty()
        })
    }

    /// Number of values in a slot. The candidate must be [ready](Candidate::is_ready).
    pub(super) fn count(&self, slot: u32) -> u64 {
        self.slots
            .get(slot as usize)
            .map_or(0, |values| values.certain)
    }

    /// The value of a slot that has exactly one.
    pub(super) fn only(&self, slot: u32) -> Option<Captured> {
        let values = self.slots.get(slot as usize)?;
        values.first.filter(|_| values.certain == 1)
    }

    /// Appends the results of the slots, and clears the candidate.
    pub(super) fn save(
        &mut self,
        conditions: &mut Conditions,
        texts: &mut Texts,
        out: &mut Vec<SlotResult>,
    ) {
        for values in &mut self.slots {
            let only = values.first.take_if(|_| values.certain == 1);
            out.push(SlotResult {
                count: values.certain,
                only: only.map(|value| match value {
                    // The regions of containers have fingerprints.
                    Captured::Text(span) if !is_container(texts.get(span)) => {
                        Captured::Text(texts.pack(span))
                    }
                    value => value,
                }),
            });
        }
        self.clear(conditions, texts);
    }
}

/// `settle_decided` is not called for fewer values than this.
const FEW: usize = 16;

impl Values {
    /// Counts a decided value. Consumes a use of its condition, and the text.
    fn settle(
        &mut self,
        (condition, copies, value): (u32, u64, Captured),
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let holds = conditions.count(condition).unwrap_or(0);
        conditions.release(condition);
        self.certain = self.certain.saturating_add(copies.saturating_mul(holds));
        match self.first {
            None if holds > 0 => self.first = Some(value),
            _ => value.release(texts),
        }
    }

    /// Settles the decided values. Called each time their number has doubled, and before a decision.
    fn settle_decided(&mut self, conditions: &mut Conditions, texts: &mut Texts) {
        // Keeps the allocation: this runs for each tested value.
        let mut open = std::mem::take(&mut self.open);
        open.retain(|&one| {
            let is_open = conditions.truth(one.0) == Truth::Open;
            if !is_open {
                self.settle(one, conditions, texts);
            }
            is_open
        });
        self.open = open;
        self.retained = self.open.len();
    }
}
