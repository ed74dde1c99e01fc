//! One line per finding: `FILE:LINE:COL: SEVERITY[CODE]: MESSAGE (LABEL)`.
//!
//! Editors and scripts parse the position after the file name. The message starts like that of the human format, so one
//! can be found by searching for the other.

use super::entry::FileEntries;
use super::{Checked, escape};

/// The findings of one file, one per line, at most `most` of each severity (0 for all), then a line per code with
/// omitted findings.
///
/// With `ci`, the output is the log of a CI service that executes commands in it, so such commands are escaped.
///
/// ```
/// use jsonx_cli::report::{concise, Checked, File};
/// use jsonx_diagnose::{diagnose, DiagnoseOptions};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let checked = Checked::invalid(File::new("a.json", b"[1,]"), report, Some(3), 4);
/// let shown = concise::file(&checked, 0, false);
/// assert_eq!(shown, "a.json:1:3: error[trailing-comma]: trailing comma in array (remove this comma)\n");
/// ```
pub fn file(checked: &Checked, most: usize, ci: bool) -> String {
    let name = escape::escape_name(checked.file.name);
    let source = FileEntries::new(checked, most);
    let mut out = String::new();
    for entry in &source.entries {
        let place = source.index.position(entry.span.start);
        let severity = entry.severity.as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}[{}]: {}",
            place.line, place.column, entry.code, entry.text,
        ));
        for (place, label) in entry.elsewhere(super::escape_name) {
            out.push_str(&format!(" [{label}: {place}]"));
        }
        out.push('\n');
    }
    if ci {
        out = escape::defuse(&out).into_owned();
    }
    out
}
