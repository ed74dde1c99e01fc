//! Applies fixes.

use super::diagnostic::{Applicability, Diagnostic, Edit, Fix, Span};
use std::collections::{BTreeMap, BTreeSet};

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
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
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
            selection.add(fix);
        }
    }
    selection.into_edits()
}

/// The edits of fixes that do not overlap.
#[derive(Default)]
pub(crate) struct Selection {
    edits: Vec<Edit>,
    taken: Taken,
}

impl Selection {
    /// Adds a fix as a whole, or returns `false` if it overlaps one added before.
    pub fn add(&mut self, fix: &Fix) -> bool {
        if fix.edits.iter().any(|edit| self.taken.overlaps(edit.span)) {
            return false;
        }
        for edit in &fix.edits {
            self.taken.add(edit.span);
            self.edits.push(edit.clone());
        }
        true
    }

    /// The edits, sorted by offset.
    pub fn into_edits(mut self) -> Vec<Edit> {
        // Stable: insertions at the same offset keep their order.
        self.edits
            .sort_by_key(|edit| (edit.span.start, edit.span.end));
        self.edits
    }
}

/// The bytes that are replaced and the offsets of insertions.
#[derive(Default)]
struct Taken {
    /// Start and end of each replaced range.
    replaced: BTreeMap<usize, usize>,
    inserted: BTreeSet<usize>,
}

impl Taken {
    fn overlaps(&self, span: Span) -> bool {
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
        if span.is_empty() {
            self.inserted.insert(span.start);
        } else {
            self.replaced.insert(span.start, span.end);
        }
    }
}
