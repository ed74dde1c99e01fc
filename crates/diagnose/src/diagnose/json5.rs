//! Maps findings in the translation of a JSON5 text to the source, and rewords them if the rules differ.

use super::{Code, Diagnostic, Fix};
use crate::json5::Translation;

impl Translation {
    /// Maps a finding in the translation to the source. A fix is kept if it also applies to the source.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    /// use jsonx_diagnose::json5::Translation;
    ///
    /// let translation = Translation::new(b"{key: 1 2}".to_vec());
    /// let mut report = diagnose(translation.text(), &DiagnoseOptions::default());
    /// let finding = &mut report.diagnostics[0];
    /// assert_eq!(finding.span.start, 10);
    /// translation.locate(finding);
    /// assert_eq!(finding.span.start, 8);
    /// ```
    pub fn locate(&self, finding: &mut Diagnostic) {
        let fix = finding.fix.take();
        finding.map_spans(|span| self.in_source(span.into()).into());
        finding.fix = fix.and_then(|fix| self.fix(fix));
    }

    /// Rewords a finding for JSON5, which allows more than JSON.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    /// use jsonx_diagnose::json5::Translation;
    ///
    /// let translation = Translation::new(b"{a-b: 1}".to_vec());
    /// let mut report = diagnose(translation.text(), &DiagnoseOptions::default());
    /// let finding = &mut report.diagnostics[0];
    /// translation.locate(finding);
    /// translation.adapt(finding);
    /// assert_eq!(finding.message, "a key that is not a name must be a string in quotes");
    /// ```
    pub fn adapt(&self, finding: &mut Diagnostic) {
        let source = self.source();
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
            // JSON5 has a different notation for the value.
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
                finding.advice = None;
                // It is valid in JSON5, but was to become JSON.
                if word.strip_prefix(sign) == Some(name) {
                    return;
                }
                finding.label = format!("write `{sign}{name}`");
                retype(finding, |_| format!("{sign}{name}"));
            }
            _ => {}
        }
        for text in [&mut finding.message, &mut finding.label] {
            *text = named(text);
        }
    }

    /// Maps a fix to the source, if it does not touch translated text.
    fn fix(&self, mut fix: Fix) -> Option<Fix> {
        for edit in &mut fix.edits {
            let span = self.in_source(edit.span.into());
            if self.source()[span.clone()] != self.text()[edit.span.start..edit.span.end] {
                return None;
            }
            edit.span = span.into();
        }
        Some(fix)
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
