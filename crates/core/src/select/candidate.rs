//! The results of the queries of one filter for one tested value.

use super::conditions::{Conditions, Truth};
use super::texts::{Span, Texts};

/// The part of a value that its filter needs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held {
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
    first: Option<Held>,
    /// Values whose conditions, which they own a use of, were open when they were added.
    open: Vec<(u32, u64, Held)>,
    /// Number of values left in `open` by the last call of `settle_decided`.
    retained: usize,
}

impl Held {
    /// A copy for another candidate.
    fn shared(self, texts: &mut Texts) -> Held {
        if let Held::Text(span) = self {
            texts.hold(span);
        }
        self
    }

    fn release(self, texts: &mut Texts) {
        if let Held::Text(span) = self {
            texts.release(span);
        }
    }

    pub(super) fn item(self, texts: &Texts) -> Item<'_> {
        match self {
            Held::Nothing => Item::Text(&[], None),
            Held::StandIn(text) => Item::Text(text, None),
            Held::Length(length) => Item::Length(length),
            Held::Text(span) => Item::of(texts, span),
        }
    }

    /// Whether it is a container that has not been read to its end.
    fn is_incomplete(self, texts: &Texts) -> bool {
        matches!(self, Held::Text(span) if texts.is_open(span) && is_container(texts.get(span)))
    }
}

impl<'c> Item<'c> {
    fn of(texts: &'c Texts, span: Span) -> Item<'c> {
        let text = texts.get(span);
        Item::Text(text, is_container(text).then_some(span))
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
        held: Held,
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let values = &mut self.slots[slot as usize];
        if matches!(held, Held::Nothing) && conditions.truth(condition) != Truth::Open {
            return values.settle((condition, copies, held), conditions, texts);
        }
        values.open.push((condition, copies, held));
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
        if let (None, Some(held)) = (values.first, from.first) {
            values.first = Some(held.shared(texts));
        }
        for &(condition, copies, held) in &from.open {
            conditions.hold(condition);
            self.add(
                slot,
                condition,
                copies,
                held.shared(texts),
                conditions,
                texts,
            );
        }
    }

    /// Discards all values.
    pub(super) fn clear(&mut self, conditions: &mut Conditions, texts: &mut Texts) {
        for values in &mut self.slots {
            for (condition, _, held) in values.open.drain(..) {
                conditions.release(condition);
                held.release(texts);
            }
            if let Some(held) = values.first.take() {
                held.release(texts);
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
            let first = values.first.is_none_or(|held| !held.is_incomplete(texts));
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
    pub(super) fn only(&self, slot: u32) -> Option<Held> {
        let values = self.slots.get(slot as usize)?;
        values.first.filter(|_| values.certain == 1)
    }

    /// Appends the input of the decision: for each slot the count, and the only value. Clears the candidate.
    pub(super) fn save(
        &mut self,
        conditions: &mut Conditions,
        texts: &mut Texts,
        out: &mut Vec<u8>,
    ) {
        for slot in 0..self.slots.len() as u32 {
            push_number(out, self.count(slot));
            match self.only(slot) {
                None | Some(Held::Nothing) => push_number(out, INLINE),
                Some(Held::StandIn(text)) => push_inline(out, text),
                Some(Held::Length(length)) => {
                    push_number(out, LENGTH);
                    push_number(out, length);
                }
                Some(Held::Text(span)) => {
                    let text = texts.get(span);
                    if texts.is_alone(span) && !is_container(text) {
                        push_inline(out, text);
                        continue;
                    }
                    // The saved candidate takes over the use of the span.
                    self.slots[slot as usize].first = None;
                    push_number(out, SPAN);
                    for part in span.parts() {
                        push_number(out, part);
                    }
                }
            }
        }
        self.clear(conditions, texts);
    }
}

/// The tags of saved values: the text, whose length times 4 is added to the tag; the number of children; the span.
const INLINE: u64 = 0;
const LENGTH: u64 = 1;
const SPAN: u64 = 2;

fn push_inline(out: &mut Vec<u8>, text: &[u8]) {
    push_number(out, INLINE + 4 * text.len() as u64);
    out.extend_from_slice(text);
}

/// `settle_decided` is not called for fewer values than this.
const FEW: usize = 16;

impl Values {
    /// Counts a decided value. Consumes a use of its condition, and the text.
    fn settle(
        &mut self,
        (condition, copies, held): (u32, u64, Held),
        conditions: &mut Conditions,
        texts: &mut Texts,
    ) {
        let holds = conditions.count(condition).unwrap_or(0);
        conditions.release(condition);
        self.certain = self.certain.saturating_add(copies.saturating_mul(holds));
        match self.first {
            None if holds > 0 => self.first = Some(held),
            _ => held.release(texts),
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

/// A waiting candidate, as written by [`Candidate::save`].
#[derive(Clone, Copy)]
pub(super) struct Saved<'c>(pub(super) &'c [u8]);

impl<'c> Saved<'c> {
    /// The count and the only value of a slot.
    pub(super) fn slot(self, slot: u32, texts: &'c Texts) -> (u64, Option<Item<'c>>) {
        let mut bytes = self.0;
        for _ in 0..slot {
            next(&mut bytes);
        }
        let (count, stored) = next(&mut bytes);
        let item = match stored {
            Stored::Inline([]) => None,
            Stored::Inline(text) => Some(Item::Text(text, None)),
            Stored::Length(length) => Some(Item::Length(length)),
            Stored::Span(span) => Some(Item::of(texts, span)),
        };
        (count, item)
    }

    /// Releases the texts of the slots.
    pub(super) fn release(self, slots: usize, texts: &mut Texts) {
        let mut bytes = self.0;
        for _ in 0..slots {
            if let Stored::Span(span) = next(&mut bytes).1 {
                texts.release(span);
            }
        }
    }
}

enum Stored<'c> {
    /// No value has an empty text.
    Inline(&'c [u8]),
    Length(u64),
    Span(Span),
}

/// The count and the value of the next slot.
fn next<'c>(bytes: &mut &'c [u8]) -> (u64, Stored<'c>) {
    let count = take_number(bytes);
    let stored = match take_number(bytes) {
        LENGTH => Stored::Length(take_number(bytes)),
        SPAN => Stored::Span(Span::of([(); 3].map(|()| take_number(bytes)))),
        inline => {
            let length = (inline / 4) as usize;
            let (text, rest) = bytes.split_at(length.min(bytes.len()));
            *bytes = rest;
            Stored::Inline(text)
        }
    };
    (count, stored)
}
