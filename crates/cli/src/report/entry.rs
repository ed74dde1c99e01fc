//! Entries of the machine-readable formats: one per finding, and one per code for omitted findings.

use jsonx_core::path::Notation;
use jsonx_core::terminal::sanitize;
use jsonx_diagnose::{Diagnostic, Fix, Severity, Span};

use super::advice::help;
use super::path::Repository;
use super::{Checked, File, Index, Outcome, Position, select};

/// The code of a file that a formatter would change. It is not a diagnostic code: the text is valid.
pub(super) const NOT_FORMATTED: &str = "not-formatted";

/// Its message.
pub(super) const UNFORMATTED: &str = "not formatted (run `jsonx fmt -w`)";

/// A file whose findings are being written.
pub(super) struct FileEntries<'a> {
    pub file: File<'a>,
    pub index: Index<'a>,
    pub entries: Vec<Entry<'a>>,
}

/// A message about a region of a file.
pub(super) struct Entry<'a> {
    pub code: &'static str,
    pub severity: Severity,
    pub span: Span,
    /// The error and its help, as one line that is safe to print.
    pub text: String,
    /// The finding; `None` if the entry counts omitted findings.
    pub finding: Option<&'a Diagnostic>,
    /// The name of the file.
    pub file: &'a [u8],
}

/// A region of a file, the end exclusive.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub start: Position,
    pub end: Position,
}

impl<'a> FileEntries<'a> {
    /// The entries of a file, at most `most` findings of each severity (0 for all).
    pub fn new(checked: &'a Checked, most: usize) -> Self {
        let file = checked.text();
        let (shown, rest) = select::for_programs(&checked.report, most);
        let shown = shown.into_iter();
        let shown = shown.map(|finding| Entry::new(finding, file.name));
        let rest = rest.into_iter().map(|omitted| Entry {
            code: omitted.code.as_str(),
            severity: omitted.severity,
            span: Span::point(omitted.first),
            text: format!("{} more like this from here on", omitted.count),
            finding: None,
            file: file.name,
        });
        let layout = (checked.outcome == Outcome::Unformatted).then(|| Entry {
            code: NOT_FORMATTED,
            severity: Severity::Error,
            span: Span::point(0),
            text: UNFORMATTED.to_owned(),
            finding: None,
            file: file.name,
        });
        FileEntries {
            index: Index::new(&file),
            entries: shown.chain(rest).chain(layout).collect(),
            file,
        }
    }

    pub fn region(&self, span: Span) -> Region {
        Region::new(span, &self.index)
    }
}

impl Region {
    pub fn new(span: Span, index: &Index) -> Region {
        let start = index.position(span.start);
        Region {
            start,
            end: if span.is_empty() {
                start
            } else {
                index.position(span.end)
            },
        }
    }
}

impl<'a> Entry<'a> {
    fn new(finding: &'a Diagnostic, file: &'a [u8]) -> Entry<'a> {
        Entry {
            code: finding.code.as_str(),
            severity: finding.severity,
            span: finding.span,
            text: text(finding),
            finding: Some(finding),
            file,
        }
    }
}

impl Entry<'_> {
    /// The text, then a line `LINE:COL: LABEL` for each related position, then the lines of [`details`](Entry::details).
    pub fn details_and_places(&self, index: &Index, repository: &Repository) -> String {
        let mut out = self.text.clone();
        for related in self.finding.iter().flat_map(|finding| &finding.related) {
            let place = index.position(related.span.start);
            let label = sanitize(&related.label);
            out.push_str(&format!("\n{}:{}: {label}", place.line, place.column));
        }
        for (place, label) in self.elsewhere(|name| repository.shown(name)) {
            out.push_str(&format!("\n{place}: {label}"));
        }
        out + &self.details()[self.text.len()..]
    }

    /// The positions in other files that explain the finding, as `FILE:LINE:COL` with a name of the file, and their labels.
    pub fn elsewhere<'s>(
        &'s self,
        shown: impl Fn(&[u8]) -> String + 's,
    ) -> impl Iterator<Item = (String, String)> + 's {
        let all = self.finding.iter().flat_map(|finding| &finding.elsewhere);
        all.map(move |other| {
            let file = File::new(&other.source.name, &other.source.text);
            let place = Index::new(&file).position(other.span.start);
            let name = shown(file.name);
            let label = sanitize(&other.label).into_owned();
            (format!("{name}:{}:{}", place.line, place.column), label)
        })
    }

    /// The text, then the path in the document, notes and help, each on a separate line.
    pub fn details(&self) -> String {
        let mut out = self.text.clone();
        let Some(finding) = self.finding else {
            return out;
        };
        let mut line = |name: &str, text: &str| {
            out.push_str(&format!("\n{name}: {}", sanitize(text)));
        };
        if let Some(record) = finding.record {
            line("record", &record.to_string());
        }
        if !finding.path.is_root() {
            line("at", &finding.path.display(Notation::Dot).to_string());
        }
        for note in &finding.notes {
            line("note", note);
        }
        for help in help(finding, self.file) {
            line("help", &help);
        }
        out
    }

    /// The fix, unless it is too long.
    pub fn fix(&self) -> Option<&Fix> {
        self.finding?.fix.as_ref().filter(|fix| is_short(fix))
    }
}

/// A finding in the file `name` as text of several lines: message, advice, notes and help.
pub fn message(finding: &Diagnostic, name: &[u8]) -> String {
    Entry::new(finding, name).details()
}

/// Whether a fix is short enough to print: quotes around 200 MB of text are useless.
pub(super) fn is_short(fix: &Fix) -> bool {
    const MAX_SHOWN_FIX: usize = 64 * 1024;
    fix.edits.iter().map(|edit| edit.text.len()).sum::<usize>() <= MAX_SHOWN_FIX
}

/// The message followed by the label, safe to show.
fn text(finding: &Diagnostic) -> String {
    let message = sanitize(&finding.message);
    if finding.label.is_empty() {
        message.into_owned()
    } else {
        format!("{message} ({})", sanitize(&finding.label))
    }
}
