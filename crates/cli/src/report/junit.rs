//! JUnit XML in the format shared by Jenkins and Maven Surefire: a test suite with one test case for each file.
//!
//! A suite states the number of its test cases before them, so a single suite could be written only at the end of the
//! run. Warnings do not fail a test; they are its output. Columns are Unicode code points, from 1.

use jsonx_diagnose::Severity;

use super::entry::FileEntries;
use super::path::Repository;
use super::{Checked, Outcome, xml};

/// The text before the first suite.
pub(super) fn begin() -> String {
    format!("{}<testsuites name=\"jsonx\">\n", xml::DECLARATION)
}

/// The text after the last suite.
pub(super) const END: &str = "</testsuites>\n";

/// The suite of one file, with at most `most` findings of each severity (0 for all).
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    let shown = repository.shown(checked.file.name);
    let name = xml::attribute(&shown);
    let unreadable = match &checked.outcome {
        Outcome::Unreadable { reason } => Some(xml::attribute(reason)),
        _ => None,
    };
    let failed = checked.report.errors > 0;
    let mut out = format!(
        "  <testsuite name=\"{name}\" tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n    \
           <testcase name=\"{name}\" classname=\"jsonx\">\n",
        u64::from(failed),
        u64::from(unreadable.is_some()),
    );
    if let Some(reason) = unreadable {
        out.push_str(&format!(
            "      <error type=\"unreadable\" message=\"{reason}\"/>\n"
        ));
    }
    let source = FileEntries::new(checked, most);
    let of = |severity| {
        source
            .entries
            .iter()
            .filter(move |entry| entry.severity == severity)
    };
    let line = |entry: &super::entry::Entry| {
        let place = source.index.position(entry.span.start);
        format!(
            "{shown}:{}:{}: {}[{}]: {}\n",
            place.line,
            place.column,
            entry.severity.as_str(),
            entry.code,
            entry
                .details_and_places(&source.index, repository)
                .replace('\n', "\n  ")
        )
    };
    if let Some(first) = of(Severity::Error).next() {
        let place = source.index.position(first.span.start);
        let more = match checked.report.errors - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let message = format!("{}:{}: {}{more}", place.line, place.column, first.text);
        out.push_str(&format!(
            "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
            first.code,
            xml::attribute(&message),
            xml::content(&of(Severity::Error).map(line).collect::<String>()),
        ));
    }
    let warnings: String = of(Severity::Warning).map(line).collect();
    if !warnings.is_empty() {
        let warnings = xml::content(&warnings);
        out.push_str(&format!("      <system-out>{warnings}</system-out>\n"));
    }
    out.push_str("    </testcase>\n  </testsuite>\n");
    out
}
