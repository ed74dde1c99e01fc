//! Checkstyle XML, which many services read: a `file` element per file with findings, with its `error` elements.
//!
//! Lines and columns count from 1, and columns are Unicode code points. The error of an unreadable file has line 1,
//! because readers require one.

use super::entry::FileEntries;
use super::path::Repository;
use super::{Checked, Outcome, xml};

/// The text before the first file. The version is that of the Checkstyle release with this format.
pub(super) fn begin() -> String {
    format!("{}<checkstyle version=\"4.3\">\n", xml::DECLARATION)
}

/// The text after the last file.
pub(super) const END: &str = "</checkstyle>\n";

/// The findings of one file, at most `most` of each severity (0 for all).
pub(super) fn file(checked: &Checked, most: usize, repository: &Repository) -> String {
    let mut errors = String::new();
    let mut error = |place: (u64, u64), severity: &str, text: &str, code: &str| {
        errors.push_str(&format!(
            "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"jsonx.{code}\"/>\n",
            place.0,
            place.1,
            xml::attribute(text),
        ));
    };
    if let Outcome::Unreadable { reason } = &checked.outcome {
        error((1, 1), "error", reason, "unreadable");
    }
    let source = FileEntries::new(checked, most);
    for entry in &source.entries {
        let place = source.index.position(entry.span.start);
        error(
            (place.line, place.column),
            entry.severity.as_str(),
            &entry.text,
            entry.code,
        );
    }
    if errors.is_empty() {
        return errors;
    }
    let name = xml::attribute(&repository.shown(checked.file.name));
    format!("  <file name=\"{name}\">\n{errors}  </file>\n")
}
