//! Applying fixes.

use super::diagnostic::{Applicability, Diagnostic, Edit};

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

/// The edits of all findings that offer a fix: only the safe ones, or all.
///
/// ```
/// use jsonx_core::diagnose::{apply, diagnose, edits, DiagnoseOptions};
/// let text = b"{'a': [1, 2,]}";
/// let report = diagnose(text, &DiagnoseOptions::default());
/// assert_eq!(apply(text, &edits(&report.diagnostics, true)), br#"{"a": [1, 2]}"#);
/// ```
pub fn edits(diagnostics: &[Diagnostic], only_safe: bool) -> Vec<Edit> {
    diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.fix.as_ref())
        .filter(|fix| !only_safe || fix.applicability == Applicability::Safe)
        .flat_map(|fix| fix.edits.iter().cloned())
        .collect()
}
