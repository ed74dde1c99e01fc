//! Fixes: the text after all safe fixes, and after guesses too.

use jsonx_core::path::Notation;
use jsonx_diagnose::{Applicability, DiagnoseOptions, Report, apply, diagnose, edits};

fn examine(text: &str) -> Report {
    diagnose(text.as_bytes(), &DiagnoseOptions::default())
}

fn fixed(text: &str, with: Applicability) -> String {
    let fixed = apply(text.as_bytes(), &edits(&examine(text).diagnostics, with));
    String::from_utf8(fixed).expect("UTF-8")
}

/// The finding's code and label, the text with safe fixes, and the text with all.
#[track_caller]
fn check(text: &str, code: &str, label: &str, safe: &str, all: &str) {
    let report = examine(text);
    let found: Vec<(&str, &str)> = report
        .diagnostics
        .iter()
        .map(|d| (d.code.as_str(), d.label.as_str()))
        .collect();
    assert_eq!(found, [(code, label)], "{text}");
    assert_eq!(fixed(text, Applicability::Safe), safe, "{text}");
    assert_eq!(fixed(text, Applicability::Review), all, "{text}");
}

/// The same if the only fix is safe.
#[track_caller]
fn safe(text: &str, code: &str, label: &str, expected: &str) {
    check(text, code, label, expected, expected);
}

/// The same if the only fix is a guess.
#[track_caller]
fn review(text: &str, code: &str, label: &str, expected: &str) {
    check(text, code, label, text, expected);
}

#[test]
fn an_equals_sign_before_a_colon_is_removed() {
    let label = "remove this: `:` is enough";
    safe(r#"{"c"=: 1}"#, "wrong-separator", label, r#"{"c": 1}"#);
    safe(r#"{"c" => : 1}"#, "wrong-separator", label, r#"{"c"  : 1}"#);
}

#[test]
fn a_comma_alone_is_not_fixed() {
    assert_eq!(fixed(",", Applicability::Review), ",");
    assert_eq!(fixed(",1", Applicability::Safe), "1");
}

#[test]
fn an_opening_bracket_belongs_after_the_colon_on_its_line() {
    let text = "{\n  \"key\":\n    \"a\": 1\n  },\n  \"b\": 2\n}\n";
    let mended = "{\n  \"key\": {\n    \"a\": 1\n  },\n  \"b\": 2\n}\n";
    review(text, "missing-open-bracket", "insert `{` here", mended);
    let text = "{\n  \"key\":\n    1,\n    2\n  ],\n  \"b\": 2\n}\n";
    let mended = "{\n  \"key\": [\n    1,\n    2\n  ],\n  \"b\": 2\n}\n";
    review(text, "missing-open-bracket", "insert `[` here", mended);
    let text = "[\n  {\"a\": 1},\n    \"a\": 2\n  }\n]\n";
    let mended = "[\n  {\"a\": 1}, {\n    \"a\": 2\n  }\n]\n";
    review(text, "missing-open-bracket", "insert `{` here", mended);
    // On the same line, before the value.
    review(
        r#"{"key": "a": 1}, "b": 2}"#,
        "missing-open-bracket",
        "insert `{` here",
        r#"{"key": {"a": 1}, "b": 2}"#,
    );
}

#[test]
fn a_comment_that_takes_the_rest_of_the_line_is_one_finding() {
    let label = "the rest of the line is part of this comment";
    for (text, mended) in [
        (
            r#"{"a":1,// no "b":2,"c":[1,2]}"#,
            r#"{"a":1,"b":2,"c":[1,2]}"#,
        ),
        (r#"{"a":[1,2 # no],"b":2}"#, r#"{"a":[1,2 ],"b":2}"#),
        ("{\"a\":1,// no \"b\":2}\r\n\n", "{\"a\":1,\"b\":2}\r\n\n"),
        // If the rest is broken too, nothing is certain.
        (r#"{"a":1,// no "b":tru}"#, r#"{"a":1,// no "b":tru}"#),
    ] {
        review(text, "comment", label, mended);
    }
    // Truncated, but not in the comment.
    let report = examine("{\"a\":{\"b\": // no\n");
    let codes: Vec<_> = report.diagnostics.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["truncated-input", "comment"]);
    // The brackets are on the next line: nothing is lost.
    safe(
        "{\"a\":1 // no }\n}",
        "comment",
        "remove this comment",
        "{\"a\":1 \n}",
    );
}

#[test]
fn digits_grouped_by_commas_are_one_number() {
    let code = "digit-separator";
    review(r#"{"a": 1,000}"#, code, "write `1000`", r#"{"a": 1000}"#);
    review(
        r#"{"a": -12,345,678, "b": 1}"#,
        code,
        "write `-12345678`",
        r#"{"a": -12345678, "b": 1}"#,
    );
    review(
        r#"{"a": 1,234.50}"#,
        code,
        "write `1234.50`",
        r#"{"a": 1234.50}"#,
    );
    // Twice: the digits are not keys.
    let report = examine(r#"{"a": 1,000, "b": 2,000}"#);
    assert_eq!((report.errors, report.warnings), (2, 0));
    assert_eq!(
        report.diagnostics[1]
            .path
            .display(Notation::Dot)
            .to_string(),
        ".b"
    );
    // Not groups of three: only a decimal comma remains, as a guess.
    let label = "expected `:` and a value here";
    review(r#"{"a": 1,5}"#, "missing-value", label, r#"{"a": 1.5}"#);
    // In an array, `1,234` is two elements.
    review("[80, 1,000]", code, "write `1000`", "[80, 1000]");
    review("[1,007]", code, "write `1007`", "[1007]");
    assert_eq!(examine("[1,234]").errors, 0);
}

#[test]
fn a_line_continuation_adds_nothing() {
    let label = "remove the backslash and the line break";
    safe("[\"a\\\nb\"]", "newline-in-string", label, "[\"ab\"]");
    safe("[\"a\\\r\n  b\"]", "newline-in-string", label, "[\"a  b\"]");
}

#[test]
fn characters_without_width_are_removed() {
    safe(
        "{\"a\"\u{200b}: 1}",
        "invalid-whitespace",
        "remove it",
        "{\"a\": 1}",
    );
    safe("[1,\u{feff}2]", "invalid-whitespace", "remove it", "[1,2]");
    safe(
        "[1]\0\0",
        "invalid-whitespace",
        "remove everything from here",
        "[1]",
    );
    let label = "replace with a plain space";
    safe("[1,\u{a0}2]", "invalid-whitespace", label, "[1, 2]");
}

#[test]
fn numbers_of_other_languages() {
    safe("[10n, -2]", "bad-number", "write `10`", "[10, -2]");
    safe("[-10n]", "bad-number", "write `-10`", "[-10]");
    let label = "a number has one minus sign, or none";
    for text in ["[--1]", "[+-1.5]", "[-+1]"] {
        safe(text, "bad-number", label, text);
    }
}

#[test]
fn a_fix_is_applied_completely_or_not_at_all() {
    use jsonx_diagnose::{Edit, Span};
    let report = examine("[tru, (1), fals]");
    let mut findings = report.diagnostics;
    let edit = |start, end| Edit {
        span: Span::new(start, end),
        text: "x".to_owned(),
    };
    // The second overlaps the first with one of its edits, the third touches it.
    for (finding, edits) in findings.iter_mut().zip([
        vec![edit(2, 6), edit(8, 8)],
        vec![edit(0, 1), edit(4, 5)],
        vec![edit(6, 7), edit(2, 2)],
    ]) {
        finding.fix.as_mut().expect("a fix").edits = edits;
    }
    let spans: Vec<_> = edits(&findings, Applicability::Review)
        .iter()
        .map(|edit| edit.span)
        .collect();
    let expected = [(2, 2), (2, 6), (6, 7), (8, 8)].map(|(start, end)| Span::new(start, end));
    assert_eq!(spans, expected);
}

#[test]
fn a_hash_of_ruby_has_a_safe_fix_if_nothing_else_is_wrong() {
    let label = "write `:`, strings and `null`";
    safe(r#"{"a"=>:b}"#, "wrong-format", label, r#"{"a":"b"}"#);
    // Found by a property test.
    review(
        r#"{"a"=>:b, "c": +1}"#,
        "wrong-format",
        label,
        r#"{"a":"b", "c": +1}"#,
    );
}
