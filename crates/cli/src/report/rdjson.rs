//! The Reviewdog Diagnostic Format, `DiagnosticResult` as JSON.
//!
//! Columns count bytes of UTF-8 from 1, including a byte-order mark, and an end is exclusive. Where bytes cannot be
//! counted, in text decoded from another encoding or in the middle of a very long line, only lines are given, and no
//! suggestions. Numbers have 32 bits in this format; positions that do not fit are omitted.

use jsonx_core::diagnose::{Severity, Span};

use super::entry::FileEntries;
use super::object::Object;
use super::path::Repository;
use super::{Checked, Outcome};

/// The text before the first diagnostic.
pub(super) const BEGIN: &str = "{\"source\":{\"name\":\"jsonx\"},\"diagnostics\":[\n";

/// The text after the last diagnostic.
pub(super) const END: &str = "\n]}\n";

/// The diagnostics of one file, at most `most` findings of each severity (0 for all), joined by commas.
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    let path = repository.path(checked.file.name);
    let path = String::from_utf8_lossy(&path);
    if let Outcome::Unreadable { reason } = &checked.outcome {
        return Object::each([reason], |reason, diagnostic| {
            diagnostic.text("message", reason);
            diagnostic.object("location", |location| location.text("path", &path));
            diagnostic.text("severity", "ERROR");
            diagnostic.object("code", |code| code.text("value", "unreadable"));
        });
    }
    let source = FileEntries::new(checked, most);
    Object::each(&source.entries, |entry, diagnostic| {
        diagnostic.text("message", &entry.details_and_places(&source.index));
        diagnostic.object("location", |location| {
            location.text("path", &path);
            if let Some(range) = Range::new(entry.span, &source) {
                location.object("range", |object| range.put(object));
            }
        });
        diagnostic.text(
            "severity",
            match entry.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARNING",
            },
        );
        diagnostic.object("code", |code| code.text("value", entry.code));
        let edits = entry.fix().map_or(&[][..], |fix| &fix.edits);
        let ranges: Option<Vec<Range>> = edits
            .iter()
            .map(|edit| Range::new(edit.span, &source).filter(Range::has_columns))
            .collect();
        // A fix is written with all of its edits or not at all.
        if let Some(ranges) = ranges.filter(|ranges| !ranges.is_empty()) {
            diagnostic.list(
                "suggestions",
                ranges.iter().zip(edits),
                |(range, edit), object| {
                    object.object("range", |object| range.put(object));
                    object.text("text", &edit.text);
                },
            );
        }
    })
}

/// Lines, with columns where bytes could be counted.
struct Range([(i32, Option<i32>); 2]);

impl Range {
    fn new(span: Span, source: &FileEntries) -> Option<Range> {
        let region = source.region(span);
        let place = |at: usize, line: u64| {
            let start = source.index.line_start(at);
            let column = at - start + 1;
            // In the first line of an excerpt that starts within a line, bytes are missing.
            let counted = !source.file.decoded && source.index.position(start).column == 1;
            let column = i32::try_from(column).ok().filter(|_| counted);
            Some((i32::try_from(line).ok()?, column))
        };
        let mut start = place(span.start, region.start.line)?;
        let mut end = place(span.end, region.end.line)?;
        if start.1.is_none() || end.1.is_none() {
            (start.1, end.1) = (None, None);
        }
        Some(Range([start, end]))
    }

    fn has_columns(&self) -> bool {
        self.0[0].1.is_some()
    }

    fn put(&self, object: &mut Object) {
        for (key, (line, column)) in ["start", "end"].into_iter().zip(self.0) {
            object.object(key, |position| {
                position.raw("line", &line.to_string());
                if let Some(column) = column {
                    position.raw("column", &column.to_string());
                }
            });
        }
    }
}
