//! Applying fixes.

use super::diagnostic::{Applicability, Diagnostic, Edit, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes with the edits made.
///
/// Edits are applied by ascending offset. Two that overlap cannot both be right: the one that comes first
/// in the text is made, the other is left out. Insertions at one place are made in the given order.
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

/// The edits of the findings that offer a fix: of safe ones alone, or of those to be reviewed too.
///
/// The edits are in the order of the text and do not overlap. A fix is taken whole or not at all: where two fixes want
/// the same bytes, the one that comes first in `diagnostics` is taken, and the other is left for another round.
///
/// Takes time in proportion to *n* log *n* for *n* edits.
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
    let mut chosen = Vec::new();
    let mut taken = Taken::default();
    for fix in diagnostics.iter().filter_map(|d| d.fix.as_ref()) {
        if fix.applicability > with || fix.edits.iter().any(|edit| taken.overlaps(edit.span)) {
            continue;
        }
        for edit in &fix.edits {
            taken.add(edit.span);
            chosen.push(edit.clone());
        }
    }
    // Stable: insertions at one place stay in their order.
    chosen.sort_by_key(|edit| (edit.span.start, edit.span.end));
    chosen
}

/// The bytes that are replaced, and the places where something is inserted.
#[derive(Default)]
struct Taken {
    /// Start and end of what is replaced.
    replaced: BTreeMap<usize, usize>,
    inserted: BTreeSet<usize>,
}

impl Taken {
    fn overlaps(&self, span: Span) -> bool {
        // An insertion at either end of a replaced range does not touch it.
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
