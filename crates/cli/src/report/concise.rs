//! One line a finding: `FILE:LINE:COL: SEVERITY[CODE]: MESSAGE (LABEL)`.
//!
//! Editors and scripts find the place in front of the first two colons after the name; the head of the message is that
//! of the human form, so that one can be searched for with the other.

use super::entry::Source;
use super::{Checked, escape};

/// The findings of one file, one a line, at most `most` of each severity (0 is all), and a line for each code of which
/// some were left out.
///
/// With `ci`, the output is the log of a CI service that carries out commands in it: they are broken.
///
/// ```
/// use jsonx_cli::report::{concise, Checked, File};
/// use jsonx_core::diagnose::{diagnose, DiagnoseOptions};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let checked = Checked::invalid(File::new("a.json", b"[1,]"), report, Some(3), 4);
/// let shown = concise::file(&checked, 0, false);
/// assert_eq!(shown, "a.json:1:3: error[trailing-comma]: trailing comma in array (remove this comma)\n");
/// ```
pub fn file(checked: &Checked, most: usize, ci: bool) -> String {
    let name = escape::escape_name(checked.file.name);
    let source = Source::of(checked, most);
    let mut out = String::new();
    for entry in &source.entries {
        let place = source.index.position(entry.span.start);
        let severity = entry.severity.as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}[{}]: {}\n",
            place.line, place.column, entry.code, entry.text,
        ));
    }
    if ci {
        out = escape::defuse(&out).into_owned();
    }
    out
}
