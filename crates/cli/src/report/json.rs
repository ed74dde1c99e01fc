//! Records for programs: JSON Lines, one record per finding, one per file, one at the end of the run.
//!
//! Columns count Unicode code points from 1; `columnUtf16` counts UTF-16 code units, as LSP does; byte offsets count
//! from 0, and an end is exclusive. Fields may be added; `v` in the summary is incremented when a field changes its
//! meaning or is removed. Characters that control a terminal are written as `\uXXXX`.

use jsonx_core::path::Notation;
use jsonx_diagnose::{Code, Diagnostic, Span};

use super::advice::help;
use super::entry::{NOT_FORMATTED, Region, is_short};
use super::object::Object;
use super::select::{self, MOST_FINDINGS};
use super::{Checked, File, Index, Outcome, Run};

/// The version of the records.
pub const VERSION: u32 = 1;

/// The records of one file: at most `most` findings of each severity (0 for all), then the file itself; or one record
/// with the reason why it could not be checked.
///
/// ```
/// use jsonx_cli::report::{json, Checked, File};
/// use jsonx_diagnose::Report;
///
/// let checked = Checked::valid(File::new("a.json", b"[1]"), Report::default(), 3);
/// assert_eq!(
///     json::file(&checked, 0),
///     "{\"type\":\"file\",\"file\":\"a.json\",\"valid\":true,\"invalidAt\":null,\
///      \"errors\":0,\"warnings\":0,\"bytes\":3,\"truncated\":false}\n"
/// );
/// ```
pub fn file(checked: &Checked, most: usize) -> String {
    let mut out = String::new();
    if let Outcome::Unreadable { reason } = &checked.outcome {
        record("failure", &mut out, |record| {
            record.file(checked.file.name);
            record.text("message", reason);
        });
        return out;
    }
    let report = &checked.report;
    let source = &checked.text();
    let index = Index::new(source);
    let (shown, rest) = select::for_programs(report, most);
    for diagnostic in shown {
        finding(diagnostic, source, &index, &mut out);
    }
    if checked.outcome == Outcome::Unfinished {
        return out;
    }
    if checked.outcome == Outcome::Unformatted {
        let mut unformatted = Diagnostic::new(Code::Custom(NOT_FORMATTED), Span::point(0));
        unformatted.message = "not formatted".to_owned();
        unformatted.help.push("run `jsonx fmt -w`".to_owned());
        finding(&unformatted, source, &index, &mut out);
    }
    record("file", &mut out, |record| {
        record.file(source.name);
        let is_json = matches!(checked.outcome, Outcome::Valid | Outcome::Unformatted);
        record.boolean("valid", is_json && report.errors == 0);
        match checked.outcome {
            Outcome::Invalid { at: Some(at) } => record.number("invalidAt", at),
            _ => record.null("invalidAt"),
        }
        record.number("errors", report.errors);
        record.number("warnings", report.warnings);
        record.number("bytes", checked.length);
        record.boolean("truncated", !rest.is_empty());
    });
    out
}

/// Whether a text starts with a record.
pub(super) fn is_report(head: &[u8]) -> bool {
    ["diagnostic", "file", "failure", "summary"]
        .iter()
        .any(|kind| head.starts_with(format!("{{\"type\":\"{kind}\",").as_bytes()))
}

/// The last record, for a run that showed at most `most` findings of each severity (0 for all).
pub fn summary(run: &Run, most: usize) -> String {
    let most = match most {
        0 => MOST_FINDINGS,
        most => most.min(MOST_FINDINGS),
    };
    let mut out = String::new();
    record("summary", &mut out, |record| {
        record.number("v", u64::from(VERSION));
        record.number("files", run.totals.files);
        record.number("errors", run.totals.errors);
        record.number("warnings", run.totals.warnings);
        record.boolean("truncated", run.most > most as u64);
    });
    out
}

fn record(kind: &str, out: &mut String, fill: impl FnOnce(&mut Object)) {
    Object::write(out, |record| {
        record.text("type", kind);
        fill(record);
    });
    out.push('\n');
}

fn finding(diagnostic: &Diagnostic, file: &File, index: &Index, out: &mut String) {
    record("diagnostic", out, |record| {
        record.file(file.name);
        record.text("code", diagnostic.code.as_str());
        record.text("severity", diagnostic.severity.as_str());
        record.text("message", &diagnostic.message);
        record.text("label", &diagnostic.label);
        region(diagnostic.span, file, index, record);
        if let Some(number) = diagnostic.record {
            record.number("record", number);
        }
        record.text("path", &diagnostic.path.display(Notation::Dot).to_string());
        if diagnostic.path.is_expressible(Notation::Pointer) {
            record.text(
                "pointer",
                &diagnostic.path.display(Notation::Pointer).to_string(),
            )
        } else {
            record.null("pointer")
        }
        record.list("more", &diagnostic.more, |&span, place| {
            region(span, file, index, place);
        });
        record.list("related", &diagnostic.related, |related, place| {
            place.text("message", &related.label);
            region(related.span, file, index, place);
        });
        if !diagnostic.elsewhere.is_empty() {
            record.list("elsewhere", &diagnostic.elsewhere, |other, place| {
                let file = File::new(&other.source.name, &other.source.text);
                place.file(file.name);
                place.text("message", &other.label);
                region(other.span, &file, &Index::new(&file), place);
            });
        }
        record.texts("notes", &diagnostic.notes);
        record.texts("help", &help(diagnostic, file.name));
        if let Some(detected) = diagnostic.detected {
            record.text("detected", detected);
        }
        match diagnostic.fix.as_ref().filter(|fix| is_short(fix)) {
            None => record.null("fix"),
            Some(fix) => record.object("fix", |object| {
                object.text("description", &fix.description);
                object.text("applicability", fix.applicability.as_str());
                object.list("edits", &fix.edits, |edit, place| {
                    region(edit.span, file, index, place);
                    place.text("text", &edit.text);
                });
            }),
        }
    });
}

fn region(span: Span, file: &File, index: &Index, record: &mut Object) {
    let Region { start, end } = Region::new(span, index);
    record.number("line", start.line);
    record.number("column", start.column);
    record.number("endLine", end.line);
    record.number("endColumn", end.column);
    record.number("columnUtf16", start.column_utf16);
    record.number("endColumnUtf16", end.column_utf16);
    if file.decoded {
        record.null("byteOffset");
        record.null("byteEnd");
    } else {
        let offset = index.offset(span.start);
        record.number("byteOffset", offset);
        record.number("byteEnd", offset + (span.end - span.start) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::{DiagnoseOptions, diagnose};

    #[test]
    fn a_finding_has_all_fields() {
        let text = "{\n  \"é\": [1, 2,]\n}".as_bytes();
        let report = diagnose(text, &DiagnoseOptions::default());
        let length = text.len() as u64;
        let checked = Checked::invalid(File::new("a.json", text), report, Some(16), length);
        let out = file(&checked, 0);
        let records: Vec<serde_json::Value> = out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(
            records[0],
            serde_json::json!({
                "type": "diagnostic", "file": "a.json", "code": "trailing-comma", "severity": "error",
                "message": "trailing comma in array", "label": "remove this comma",
                "line": 2, "column": 13, "endLine": 2, "endColumn": 14, "columnUtf16": 13, "endColumnUtf16": 14,
                "byteOffset": 15, "byteEnd": 16, "path": ".[\"é\"]", "pointer": "/é",
                "more": [], "related": [], "notes": [], "help": [],
                "fix": {
                    "description": "remove this comma", "applicability": "safe",
                    "edits": [{
                        "line": 2, "column": 13, "endLine": 2, "endColumn": 14,
                        "columnUtf16": 13, "endColumnUtf16": 14, "byteOffset": 15, "byteEnd": 16, "text": "",
                    }],
                },
            })
        );
        assert_eq!(
            records[1],
            serde_json::json!({
                "type": "file", "file": "a.json", "valid": false, "invalidAt": 16, "errors": 1, "warnings": 0,
                "bytes": text.len(), "truncated": false,
            })
        );
    }

    #[test]
    fn offsets_in_a_decoded_text_are_not_given() {
        let text = b"\xFF\xFE[\0,\0]\0";
        let report = diagnose(text, &DiagnoseOptions::default());
        let checked = Checked::invalid(File::new("a.json", text), report, Some(0), 8);
        let out = file(&checked, 0);
        let first: serde_json::Value =
            serde_json::from_str(out.lines().nth(1).expect("two")).expect("JSON");
        assert_eq!(
            (&first["byteOffset"], &first["column"]),
            (&serde_json::Value::Null, &serde_json::json!(2))
        );
        assert!(out.contains("\"detected\":\"utf-16le\""));
    }
}
