//! Workflow commands of GitHub Actions: lines in the log that become annotations on the files of a pull request.
//!
//! Lines and columns count from 1; columns are Unicode code points, and an end is exclusive. A region of several lines
//! has no columns, because the service would drop them. `%` and line breaks are escaped in data, in properties also `:`
//! and `,`; commands that the runner would execute anywhere in a line are escaped.

use super::entry::FileEntries;
use super::path::Repository;
use super::{Checked, Outcome, Run, escape};

/// Number of annotations of each severity that the service shows per step.
const SHOWN: u64 = 10;

/// The commands for one file, at most `most` findings of each severity (0 for all).
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    let path = repository.path(checked.file.name);
    // The service reads `%0A` as part of the name.
    let lines: Vec<String> = path
        .split(|&byte| byte == b'\n')
        .map(escape::escape)
        .collect();
    let name = property(&lines.join("\n"));
    if let Outcome::Unreadable { reason } = &checked.outcome {
        return format!(
            "::error file={name},title=jsonx unreadable::{}\n",
            data(&escape::escape(reason))
        );
    }
    let source = FileEntries::new(checked, most);
    let mut out = String::new();
    for entry in &source.entries {
        let region = source.region(entry.span);
        let (start, end) = (region.start, region.end);
        let columns = if start.line == end.line {
            format!(",col={},endColumn={}", start.column, end.column)
        } else {
            String::new()
        };
        out.push_str(&format!(
            "::{} file={name},line={},endLine={}{columns},title=jsonx {}::{}\n",
            entry.severity.as_str(),
            start.line,
            end.line,
            entry.code,
            data(&entry.details_and_places(&source.index, repository)),
        ));
    }
    out
}

/// A notice if the run had more findings or failures than the service shows.
pub(super) fn end(run: &Run) -> String {
    let totals = &run.totals;
    if totals.errors.max(totals.warnings).max(run.failures) <= SHOWN {
        return String::new();
    }
    format!(
        "::notice title=jsonx::{}; only the first {SHOWN} of each kind become annotations, the log has all\n",
        data(&totals.summary()),
    )
}

fn data(text: &str) -> String {
    escape::defuse(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
