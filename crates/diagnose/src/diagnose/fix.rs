//! Applies fixes.

use jsonx_core::internal::Splices;
use jsonx_core::order::sort_by_place;

use super::diagnostic::{Applicability, Diagnostic, Edit, Span};
use std::collections::BTreeSet;

/// Applies `edits` to `bytes`.
///
/// Edits are applied in ascending order of offset. If two overlap, they cannot both be right: the first one in the
/// text is applied and the other is skipped. Insertions at the same offset are applied in the given order.
///
/// ```
/// use jsonx_diagnose::{apply, Edit, Span};
/// let edits = [Edit { span: Span::new(2, 3), text: String::new() }];
/// assert_eq!(apply(b"[1,]", &edits), b"[1]");
/// ```
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    sort_by_place(&mut order, |edit| (edit.span.start, edit.span.end));
    let (mut splices, mut done) = (Splices::default(), 0);
    for edit in order {
        let end = edit.span.end.min(bytes.len());
        if (done..=end).contains(&edit.span.start) {
            splices.push(edit.span.start..end, edit.text.as_bytes());
            done = end;
        }
    }
    splices.apply(bytes)
}

/// The edits of all findings that have a fix: only the safe ones, or also those that need review.
///
/// The edits are sorted by offset and do not overlap. A fix is applied as a whole or not at all: if two fixes touch
/// the same bytes, the first one in `diagnostics` wins and the other is left for another round.
///
/// Takes O(*n* log *n*) time for *n* edits.
///
/// ```
/// use jsonx_diagnose::{apply, diagnose, edits, Applicability, DiagnoseOptions};
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
    let splices = selection.into_splices();
    let edits = splices.iter();
    edits
        .map(|(span, text)| Edit::new(span, String::from_utf8_lossy(text)))
        .collect()
}

/// The edits of fixes that do not overlap.
#[derive(Default)]
pub(crate) struct Selection {
    splices: Splices,
    /// The start and end of replaced ranges and of insertions, none of which overlap.
    taken: BTreeSet<(usize, usize)>,
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
        !edits.iter().any(|edit| self.overlaps(edit.span))
    }

    /// Adds the edits of a fix, which must fit.
    pub fn take(&mut self, edits: &[Edit]) {
        for edit in edits {
            self.taken.insert((edit.span.start, edit.span.end));
            self.splices
                .push(edit.span.start..edit.span.end, edit.text.as_bytes());
        }
    }

    /// The edits, sorted by offset.
    pub fn into_splices(mut self) -> Splices {
        self.splices.sort();
        self.splices
    }

    fn overlaps(&self, span: Span) -> bool {
        // Of ranges that do not overlap, only the last one before the end can overlap this one. An insertion at either end of
        // a replaced range does not.
        let last = self.taken.range(..(span.end, 0)).next_back();
        last.is_some_and(|&(start, end)| {
            if start == end {
                start > span.start
            } else {
                end > span.start
            }
        })
    }
}
