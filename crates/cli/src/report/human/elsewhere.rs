//! Lines of other texts that explain a finding.

use std::collections::BTreeMap;

use jsonx_diagnose::Diagnostic;

use super::super::{File, Index, escape};
use super::lines::{Line, Mark, fill_gaps};

/// The marked lines of one other text.
pub(super) struct Excerpt<'a> {
    pub file: File<'a>,
    /// Name, line and column of the first mark.
    pub place: String,
    pub lines: Vec<Line>,
}

/// The excerpts of a finding.
pub(super) fn excerpts(finding: &Diagnostic) -> Vec<Excerpt<'_>> {
    let all = finding.elsewhere.iter();
    all.map(|other| {
        let file = File::new(&other.source.name, &other.source.text);
        let index = Index::new(&file);
        let place = index.position(other.span.start);
        let line = Line {
            number: place.line,
            start: index.line_start(other.span.start),
            marks: vec![Mark {
                start: other.span.start,
                end: other.span.end,
                label: jsonx_core::terminal::sanitize(&other.label).into_owned(),
                primary: false,
            }],
            gap: false,
        };
        let lines = fill_gaps(BTreeMap::from([(place.line, line)]), &index);
        let name = escape::escape_name(file.name);
        Excerpt {
            place: format!("{name}:{}:{}", place.line, place.column),
            lines,
            file,
        }
    })
    .collect()
}
