//! Applies fixes.

use super::diagnostic::{Applicability, Diagnostic, Edit, Span};
use crate::order::sort_by_place;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Applies `edits` to `bytes`.
///
/// Edits are applied in ascending order of offset. If two overlap, they cannot both be right: the first one in the
/// text is applied and the other is skipped. Insertions at the same offset are applied in the given order.
///
/// ```
/// use jsonx_core::diagnose::{apply, Edit, Span};
/// let edits = [Edit { span: Span::new(2, 3), text: String::new() }];
/// assert_eq!(apply(b"[1,]", &edits), b"[1]");
/// ```
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    sort_by_place(&mut order, |edit| (edit.span.start, edit.span.end));
    let mut out = Vec::with_capacity(bytes.len() + 16);
    let mut done = 0;
    for edit in order {
        let end = edit.span.end.min(bytes.len());
        if edit.span.start < done || edit.span.start > end {
            continue;
        }
        out.extend_from_slice(&bytes[done..edit.span.start]);
        out.extend_from_slice(edit.text.as_bytes());
        done = end;
    }
    out.extend_from_slice(&bytes[done..]);
    out
}

/// The edits of all findings that have a fix: only the safe ones, or also those that need review.
///
/// The edits are sorted by offset and do not overlap. A fix is applied as a whole or not at all: if two fixes touch
/// the same bytes, the first one in `diagnostics` wins and the other is left for another round.
///
/// Takes O(*n* log *n*) time for *n* edits.
///
/// ```
/// use jsonx_core::diagnose::{apply, diagnose, edits, Applicability, DiagnoseOptions};
/// let text = b"{'a': [NaN, 2,]}";
/// let report = diagnose(text, &DiagnoseOptions::default());
/// let fixed = |with| apply(text, &edits(&report.diagnostics, with));
/// assert_eq!(fixed(Applicability::Safe), br#"{"a": [NaN, 2]}"#);
/// assert_eq!(fixed(Applicability::Review), br#"{"a": [null, 2]}"#);
/// ```
pub fn edits(diagnostics: &[Diagnostic], with: Applicability) -> Vec<Edit> {
    let mut selection = Selection::default();
    for fix in diagnostics.iter().filter_map(|d| d.fix.as_ref()) {
        if fix.applicability <= with {
            selection.add(&fix.edits);
        }
    }
    selection.into_replacements().edits().collect()
}

/// The edits of fixes that do not overlap.
#[derive(Default)]
pub(crate) struct Selection {
    replacements: Replacements,
    taken: Taken,
}

/// Edits with their texts in one buffer.
#[derive(Default)]
pub(crate) struct Replacements {
    /// The replaced span, and the range of its replacement in `texts`.
    list: Vec<(Span, Range<usize>)>,
    texts: String,
}

impl Replacements {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an edit after all others.
    pub fn push(&mut self, span: Span, text: &str) {
        let start = self.texts.len();
        self.texts.push_str(text);
        self.list.push((span, start..self.texts.len()));
    }

    /// Spans and their replacements.
    pub fn iter(&self) -> impl Iterator<Item = (Span, &str)> {
        let all = self.list.iter();
        all.map(|(span, text)| (*span, &self.texts[text.clone()]))
    }

    fn edits(&self) -> impl Iterator<Item = Edit> {
        self.iter().map(|(span, text)| Edit {
            span,
            text: text.to_owned(),
        })
    }

    /// The text with the edits applied.
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + self.texts.len());
        let mut done = 0;
        for (span, text) in self.iter() {
            out.extend_from_slice(&bytes[done..span.start]);
            out.extend_from_slice(text.as_bytes());
            done = span.end;
        }
        out.extend_from_slice(&bytes[done..]);
        out
    }
}

impl Selection {
    /// Adds the edits of a fix, or returns `false` if one of them overlaps one added before.
    pub fn add(&mut self, edits: &[Edit]) -> bool {
        let fits = self.fits(edits);
        if fits {
            self.take(edits);
        }
        fits
    }

    /// Whether the edits of a fix overlap none added before.
    pub fn fits(&self, edits: &[Edit]) -> bool {
        !edits.iter().any(|edit| self.taken.overlaps(edit.span))
    }

    /// Adds the edits of a fix, which must fit.
    pub fn take(&mut self, edits: &[Edit]) {
        for edit in edits {
            self.taken.add(edit.span);
            self.replacements.push(edit.span, &edit.text);
        }
    }

    /// The edits, sorted by offset.
    pub fn into_replacements(mut self) -> Replacements {
        // Stable: insertions at the same offset keep their order.
        let list = &mut self.replacements.list;
        sort_by_place(list, |(span, _)| (span.start, span.end));
        self.replacements
    }
}

/// The bytes that are replaced and the offsets of insertions.
#[derive(Default)]
struct Taken {
    /// The spans that were added in ascending order, as nearly all are.
    ascending: Vec<Span>,
    /// Start and end of each other replaced range.
    replaced: BTreeMap<usize, usize>,
    /// The other insertions.
    inserted: BTreeSet<usize>,
}

impl Taken {
    fn overlaps(&self, span: Span) -> bool {
        // Of the ascending spans, only the last one before the end can overlap this one.
        let is_last = self
            .ascending
            .last()
            .is_none_or(|last| last.end <= span.start);
        if !is_last {
            let next = self
                .ascending
                .partition_point(|other| other.start < span.end);
            let before = self.ascending[..next].iter().rev();
            let overlaps = |other: &Span| match other.is_empty() {
                true => other.start > span.start,
                false => other.end > span.start,
            };
            if before
                .take_while(|other| other.end > span.start)
                .any(overlaps)
            {
                return true;
            }
        }
        // An insertion at either end of a replaced range does not overlap it.
        let replaced = self.replaced.range(..span.end).next_back();
        if replaced.is_some_and(|(_, &end)| end > span.start) {
            return true;
        }
        self.inserted
            .range(span.start..span.end)
            .any(|&at| at > span.start)
    }

    fn add(&mut self, span: Span) {
        if self
            .ascending
            .last()
            .is_none_or(|last| last.end <= span.start)
        {
            self.ascending.push(span);
        } else if span.is_empty() {
            self.inserted.insert(span.start);
        } else {
            self.replaced.insert(span.start, span.end);
        }
    }
}
