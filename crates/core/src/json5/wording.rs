//! Rewords findings for JSON5 where the rules differ.

use crate::diagnose::{Code, Diagnostic};

/// Rewords a finding in this source in terms of JSON5.
pub(super) fn adapt(finding: &mut Diagnostic, source: &[u8]) {
    let span = finding.span;
    let begins_single = |at: usize| source.get(at) == Some(&b'\'');
    match finding.code {
        Code::UnterminatedString
            if finding
                .related
                .iter()
                .any(|start| begins_single(start.span.start)) =>
        {
            finding.label = finding.label.replace("`\"`", "`'`");
            retype(finding, |text| text.replace('"', "'"));
        }
        Code::UnescapedQuote if begins_single(span.start) => {
            finding.message = finding.message.replace("double quote", "single quote");
            finding.label = finding.label.replace("`\\\"`", "`\\'`");
        }
        Code::UnquotedKey => {
            finding.message = "a key that is not a name must be a string in quotes".to_owned();
        }
        // JSON5 has the value under another spelling.
        Code::NonFiniteNumber => {
            let word =
                String::from_utf8_lossy(source.get(span.start..span.end).unwrap_or_default());
            let lower = word.to_ascii_lowercase();
            let sign = if lower.starts_with('-') { "-" } else { "" };
            let name = if lower.ends_with("nan") {
                "NaN"
            } else {
                "Infinity"
            };
            finding.label = format!("write `{sign}{name}`");
            finding.advice = None;
            retype(finding, |_| format!("{sign}{name}"));
        }
        _ => {}
    }
    for text in [&mut finding.message, &mut finding.label] {
        *text = named(text);
    }
}

/// Changes the text that the fix of a finding inserts.
fn retype(finding: &mut Diagnostic, text: impl Fn(&str) -> String) {
    let edits = finding.fix.iter_mut().flat_map(|fix| &mut fix.edits);
    edits.for_each(|edit| edit.text = text(&edit.text));
}

/// Replaces JSON and JSONC by JSON5 in a text, except in quotations.
fn named(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        match number % 2 {
            0 => out += &part.replace("JSONC", "JSON").replace("JSON", "JSON5"),
            _ => out += part,
        }
    }
    out
}
