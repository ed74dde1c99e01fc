//! Records for programs: JSON Lines, one record a finding, one a file, one at the end of the run.
//!
//! Columns count Unicode code points from 1; `columnUtf16` counts UTF-16 code units, as LSP does; byte
//! offsets count from 0, and an end is exclusive. Fields may be added; `v` in the summary is raised when one
//! changes its meaning or goes. Whatever a terminal would obey is written `\uXXXX`.

use jsonx_core::diagnose::{Diagnostic, Fix, Report, Span};

use super::{File, Index, Position, Totals, escape};

/// The version of the records.
pub const VERSION: u32 = 1;

/// Appends the records of one file: its findings, and then the file itself.
///
/// `invalid_at` is the first byte at which the text stops being the beginning of any valid JSON text, `None`
/// for a valid one. `bytes` is the length of the whole file.
///
/// ```
/// use jsonx_cli::report::{json, File};
/// use jsonx_core::diagnose::{diagnose, Options};
///
/// let report = diagnose(b"[1]", &Options::default());
/// let mut out = String::new();
/// json::file(&report, &File::new("a.json", b"[1]"), None, 3, &mut out);
/// assert_eq!(
///     out,
///     "{\"type\":\"file\",\"file\":\"a.json\",\"valid\":true,\"invalidAt\":null,\
///      \"errors\":0,\"warnings\":0,\"bytes\":3,\"truncated\":false}\n"
/// );
/// ```
pub fn file(report: &Report, file: &File, invalid_at: Option<u64>, bytes: u64, out: &mut String) {
    let source = &file.text_of(report);
    let index = Index::new(source);
    for diagnostic in &report.diagnostics {
        finding(diagnostic, source, &index, out);
    }
    let mut record = Object::open("file", out);
    record.name(file.name);
    record.raw(
        "valid",
        if report.is_valid() && invalid_at.is_none() {
            "true"
        } else {
            "false"
        },
    );
    record.raw(
        "invalidAt",
        &invalid_at.map_or("null".to_string(), |at| at.to_string()),
    );
    record.number("errors", report.errors);
    record.number("warnings", report.warnings);
    record.number("bytes", bytes);
    record.raw(
        "truncated",
        if report.omitted.is_empty() {
            "false"
        } else {
            "true"
        },
    );
    record.close();
}

/// Appends the record of a file that could not be checked.
pub fn unreadable(name: &[u8], message: &str, out: &mut String) {
    let mut record = Object::open("failure", out);
    record.name(name);
    record.text("message", message);
    record.close();
}

/// Appends the last record. `truncated` says whether findings of any file were left out.
pub fn summary(totals: &Totals, truncated: bool, out: &mut String) {
    let mut record = Object::open("summary", out);
    record.number("v", u64::from(VERSION));
    record.number("files", totals.files);
    record.number("errors", totals.errors);
    record.number("warnings", totals.warnings);
    record.raw("truncated", if truncated { "true" } else { "false" });
    record.close();
}

fn finding(diagnostic: &Diagnostic, file: &File, index: &Index, out: &mut String) {
    let mut record = Object::open("diagnostic", out);
    record.name(file.name);
    record.text("code", diagnostic.code.as_str());
    record.text("severity", diagnostic.severity.as_str());
    record.text("message", &diagnostic.message);
    record.text("label", &diagnostic.label);
    record.region(diagnostic.span, file, index);
    if let Some(number) = diagnostic.record {
        record.number("record", number);
    }
    record.text("path", &diagnostic.path.to_jq());
    match diagnostic.path.to_pointer() {
        Some(pointer) => record.text("pointer", &pointer),
        None => record.raw("pointer", "null"),
    }
    record.list("more", &diagnostic.more, |&span, out| {
        let mut region = Object::bare(out);
        region.region(span, file, index);
        region.end();
    });
    record.list("related", &diagnostic.related, |related, out| {
        let mut region = Object::bare(out);
        region.text("message", &related.label);
        region.region(related.span, file, index);
        region.end();
    });
    record.list("notes", &diagnostic.notes, |note, out| {
        escape::json_string(note, out)
    });
    record.list("help", &diagnostic.help, |help, out| {
        escape::json_string(help, out)
    });
    if let Some(detected) = diagnostic.detected {
        record.text("detected", detected);
    }
    match &diagnostic.fix {
        Some(fix) if is_short(fix) => record.fix(fix, file, index),
        _ => record.raw("fix", "null"),
    }
    record.close();
}

/// Whether a fix is worth writing: putting quotes around 200 MB of text is no advice.
fn is_short(fix: &Fix) -> bool {
    const LONGEST: usize = 64 * 1024;
    fix.edits.iter().map(|edit| edit.text.len()).sum::<usize>() <= LONGEST
}

/// An object that is being written.
struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> Object<'a> {
    fn bare(out: &'a mut String) -> Self {
        out.push('{');
        Object { out, empty: true }
    }

    fn open(kind: &str, out: &'a mut String) -> Self {
        let mut object = Object::bare(out);
        object.text("type", kind);
        object
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        escape::json_string(value, self.out);
    }

    fn raw(&mut self, key: &str, value: &str) {
        self.key(key);
        self.out.push_str(value);
    }

    fn number(&mut self, key: &str, value: u64) {
        self.raw(key, &value.to_string());
    }

    /// The name of the file; if it is not UTF-8, its bytes too, in Base64.
    fn name(&mut self, name: &[u8]) {
        self.text("file", &String::from_utf8_lossy(name));
        if std::str::from_utf8(name).is_err() {
            self.text("fileBytes", &base64(name));
        }
    }

    fn region(&mut self, span: Span, file: &File, index: &Index) {
        let start = index.position(span.start);
        let end = end_of(span, start, index);
        self.number("line", start.line);
        self.number("column", start.column);
        self.number("endLine", end.line);
        self.number("endColumn", end.column);
        self.number("columnUtf16", start.column_utf16);
        self.number("endColumnUtf16", end.column_utf16);
        if file.decoded {
            self.raw("byteOffset", "null");
            self.raw("byteEnd", "null");
        } else {
            self.number("byteOffset", file.base.offset + span.start as u64);
            self.number("byteEnd", file.base.offset + span.end as u64);
        }
    }

    fn list<T>(&mut self, key: &str, items: &[T], mut put: impl FnMut(&T, &mut String)) {
        self.key(key);
        self.out.push('[');
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.out.push(',');
            }
            put(item, self.out);
        }
        self.out.push(']');
    }

    fn fix(&mut self, fix: &Fix, file: &File, index: &Index) {
        self.key("fix");
        let mut object = Object::bare(self.out);
        object.text("description", &fix.description);
        object.text("applicability", fix.applicability.as_str());
        object.list("edits", &fix.edits, |edit, out| {
            let mut region = Object::bare(out);
            region.region(edit.span, file, index);
            region.text("text", &edit.text);
            region.end();
        });
        object.end();
    }

    fn end(self) {
        self.out.push('}');
    }

    fn close(self) {
        self.out.push_str("}\n");
    }
}

fn end_of(span: Span, start: Position, index: &Index) -> Position {
    if span.is_empty() {
        start
    } else {
        index.position(span.end)
    }
}

/// Base64 of RFC 4648, section 4, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - group.len()));
        for digit in 0..4 {
            if digit <= group.len() {
                out.push(char::from(DIGITS[(bits >> (18 - 6 * digit)) as usize & 63]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::diagnose::{Options, diagnose};

    #[test]
    fn base64_of_rfc_4648() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn a_finding_has_all_fields() {
        let text = "{\n  \"é\": [1, 2,]\n}".as_bytes();
        let report = diagnose(text, &Options::default());
        let mut out = String::new();
        file(
            &report,
            &File::new("a.json", text),
            Some(16),
            text.len() as u64,
            &mut out,
        );
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
        let report = diagnose(text, &Options::default());
        let mut out = String::new();
        file(&report, &File::new("a.json", text), Some(0), 8, &mut out);
        let first: serde_json::Value =
            serde_json::from_str(out.lines().nth(1).expect("two")).expect("JSON");
        assert_eq!(
            (&first["byteOffset"], &first["column"]),
            (&serde_json::Value::Null, &serde_json::json!(2))
        );
        assert!(out.contains("\"detected\":\"utf-16le\""));
    }
}
