//! One line a finding, as compilers print them: `FILE:LINE:COL: error: MESSAGE (LABEL) [CODE]`.
//!
//! The form is the one that the problem matchers of editors read (`$gcc` of VS Code, the default
//! `errorformat` of Vim, the compilation mode of Emacs). They want the bare word `error` or `warning`
//! before the message, so the code stands at the end and not behind the severity.

use jsonx_core::diagnose::{Diagnostic, Report, visible};

use super::{File, Index, escape};

/// The findings of one file, one a line, and a line for each code of which some were left out.
pub fn render(report: &Report, file: &File) -> String {
    let file = &file.text_of(report);
    let index = Index::new(file);
    let name = escape::name(file.name);
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        let place = index.position(diagnostic.span.start);
        let severity = diagnostic.severity.as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}: {} [{}]\n",
            place.line,
            place.column,
            text(diagnostic),
            diagnostic.code
        ));
    }
    for omitted in &report.omitted {
        let place = index.position(omitted.first);
        let severity = omitted.code.severity().as_str();
        out.push_str(&format!(
            "{name}:{}:{}: {severity}: {} more like this from here on [{}]\n",
            place.line, place.column, omitted.count, omitted.code
        ));
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
