//! One line a finding: `FILE:LINE:COL: SEVERITY[CODE]: MESSAGE (LABEL)`.
//!
//! Editors and scripts find the place in front of the first two colons after the name; the head of the message is that
//! of the human form, so that one can be searched for with the other.

use jsonx_core::diagnose::{Diagnostic, visible};

use super::{Checked, Index, escape, select};

/// The findings of one file, one a line, at most `most` of each severity (0 is all), and a line for each code of which
/// some were left out.
///
/// With `ci`, the output is the log of a CI service that carries out commands in it: they are broken.
///
/// ```
/// use jsonx_cli::report::{concise, Checked, File};
/// use jsonx_core::diagnose::{diagnose, Options};
///
/// let report = diagnose(b"[1,]", &Options::default());
/// let checked = Checked::invalid(File::new("a.json", b"[1,]"), report, Some(3), 4);
/// let shown = concise::file(&checked, 0, false);
/// assert_eq!(shown, "a.json:1:3: error[trailing-comma]: trailing comma in array (remove this comma)\n");
/// ```
pub fn file(checked: &Checked, most: usize, ci: bool) -> String {
    let file = &checked.text();
    let index = Index::new(file);
    let (shown, rest) = select::for_programs(&checked.report, most);
    let mut name = escape::escape(file.name);
    // At the start of a line, `::` begins a command of GitHub's runner, and white space does not hide it.
    if ci && name.trim_start().starts_with("::") {
        name.insert_str(0, "./");
    }
    let mut out = String::new();
    for diagnostic in shown {
        let place = index.position(diagnostic.span.start);
        let severity = diagnostic.severity.as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}[{}]: {}\n",
            place.line,
            place.column,
            diagnostic.code,
            text(diagnostic),
        ));
    }
    for omitted in rest {
        let place = index.position(omitted.first);
        let severity = omitted.code.severity().as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}[{}]: {} more like this from here on\n",
            place.line, place.column, omitted.code, omitted.count
        ));
    }
    if ci {
        out = escape::defuse(&out).into_owned();
    }
    out
}

/// The message with the label behind it, safe to show.
pub fn text(diagnostic: &Diagnostic) -> String {
    let message = visible(&diagnostic.message);
    match diagnostic.label.is_empty() {
        true => message.into_owned(),
        false => format!("{message} ({})", visible(&diagnostic.label)),
    }
}
