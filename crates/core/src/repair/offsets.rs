//! Maps positions in an edited text to the original.

use std::ops::Range;

use crate::diagnose::{Diagnostic, Replacements, Span};

/// A replaced range: its start and end after the edit, and before.
#[derive(Clone, Copy)]
struct Replaced {
    start: u32,
    end: u32,
    old_start: u32,
    old_end: u32,
}

impl Replaced {
    fn before(&self) -> Range<usize> {
        self.old_start as usize..self.old_end as usize
    }

    fn after(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The edits of all rounds.
#[derive(Default)]
pub(crate) struct Offsets {
    rounds: Vec<Vec<Replaced>>,
}

impl Offsets {
    /// Adds a round of edits, which must be sorted and must not overlap.
    pub fn push(&mut self, replacements: &Replacements) {
        let mut round = Vec::new();
        let (mut done, mut length) = (0, 0);
        for (span, text) in replacements.iter() {
            let start = length + (span.start - done);
            length = start + text.len();
            done = span.end;
            round.push(Replaced {
                start: start as u32,
                end: length as u32,
                old_start: span.start as u32,
                old_end: done as u32,
            });
        }
        self.rounds.push(round);
    }

    /// Whether there were any edits.
    pub fn is_changed(&self) -> bool {
        !self.rounds.is_empty()
    }

    /// The span in the source. Takes O(log *n*) time for *n* edits a round.
    pub fn source(&self, span: Span) -> Span {
        let mut span = span;
        for round in self.rounds.iter().rev() {
            // An insertion is where the text before it ends.
            let start = match span.is_empty() && span.start > 0 {
                true => after(round, span.start),
                false => before(round, span.start),
            };
            let end = match span.is_empty() {
                true => start,
                false => after(round, span.end),
            };
            span = Span::new(start, end.max(start));
        }
        span
    }

    /// The offset in the text for an offset of the source: the start of its replacement, if it was replaced.
    pub fn result(&self, at: usize) -> usize {
        let rounds = self.rounds.iter();
        rounds.fold(at, |at, round| {
            moved(round, at, Replaced::before, Replaced::after)
        })
    }

    /// Moves a finding to the source. A fix is dropped if the text has changed: it may not fit there.
    pub fn locate(&self, finding: &mut Diagnostic) {
        if !self.is_changed() {
            return;
        }
        finding.span = self.source(finding.span);
        for span in &mut finding.more {
            *span = self.source(*span);
        }
        for related in &mut finding.related {
            related.span = self.source(related.span);
        }
        for at in &mut finding.show {
            *at = self.source(Span::point(*at)).start;
        }
        finding.fix = None;
    }
}

/// The position before a round of the end of the text before `at`; for one inside a replacement, the end of the replaced range.
fn after(round: &[Replaced], at: usize) -> usize {
    let next = round.partition_point(|replaced| (replaced.start as usize) < at);
    let Some(replaced) = next.checked_sub(1).map(|last| &round[last]) else {
        return at;
    };
    replaced.old_end as usize + at.saturating_sub(replaced.end as usize)
}

/// The position `at` before a round; for one inside a replacement, the start of the replaced range.
fn before(round: &[Replaced], at: usize) -> usize {
    moved(round, at, Replaced::after, Replaced::before)
}

/// A position on one side of a round on the other; for one inside a range, the start of the range there.
fn moved(
    round: &[Replaced],
    at: usize,
    here: fn(&Replaced) -> Range<usize>,
    there: fn(&Replaced) -> Range<usize>,
) -> usize {
    let next = round.partition_point(|replaced| here(replaced).start <= at);
    let Some(replaced) = next.checked_sub(1).map(|last| &round[last]) else {
        return at;
    };
    match at < here(replaced).end {
        true => there(replaced).start,
        false => at - here(replaced).end + there(replaced).end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::{Edit, Selection};

    fn replacements(edits: &[Edit]) -> Replacements {
        let mut selection = Selection::default();
        assert!(selection.add(edits));
        selection.into_replacements()
    }

    #[test]
    fn positions_lead_back_through_all_rounds() {
        let edit = |start, end, text: &str| Edit {
            span: Span::new(start, end),
            text: text.to_owned(),
        };
        let mut offsets = Offsets::default();
        // `abcdef` → `XbcdYYef` → `bcZf`
        offsets.push(&replacements(&[edit(0, 1, "X"), edit(4, 4, "YY")]));
        offsets.push(&replacements(&[edit(0, 1, ""), edit(3, 7, "Z")]));
        let start = |at| offsets.source(Span::point(at)).start;
        assert_eq!([start(0), start(1), start(2), start(3)], [1, 2, 3, 5]);
        assert_eq!(offsets.source(Span::new(1, 4)), Span::new(2, 6));
        assert_eq!(offsets.source(Span::new(2, 3)), Span::new(3, 5));
        // It ends where a replacement begins.
        assert_eq!(offsets.source(Span::new(0, 2)), Span::new(1, 3));
        // `a` and `d` are gone: there is `Z` instead of the latter.
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|at| offsets.result(at)),
            [0, 0, 1, 2, 2, 3]
        );
    }
}
