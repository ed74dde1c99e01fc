//! Laws of repair, over classes of texts in which repairs once lost or changed data: comments at every token boundary,
//! containers that begin with each literal, texts truncated at every byte, Windows paths. The common law: every JSON
//! scalar of the text is in the result, or a change names it.

mod code;
mod comments;
mod cuts;
mod dialects;
mod prose;
mod records;
mod scalars;
mod strings;
mod words;

use jsonx_diagnose::Applicability;
use jsonx_diagnose::repair::{Repair, RepairOptions, repair};
use jsonx_testing::documents::value;
use serde_json::Value;

fn options(with: Applicability) -> RepairOptions {
    RepairOptions::default().with(with).limit(0)
}

fn safe(text: &str) -> Repair {
    repair(text.as_bytes(), &options(Applicability::Safe))
}

fn all(text: &str) -> Repair {
    repair(text.as_bytes(), &options(Applicability::Review))
}

fn result(repaired: &Repair) -> Option<Value> {
    repaired.is_valid().then(|| value(&repaired.text)).flatten()
}

/// Scalars and literals of other languages, with their JSON equivalents.
const SCALARS: &[(&str, &str)] = &[
    ("1", "1"),
    ("-2.5e3", "-2500"),
    ("+3", "3"),
    (".5", "0.5"),
    ("5.", "5.0"),
    ("0x1F", "31"),
    ("1_000", "1000"),
    ("10n", "10"),
    ("true", "true"),
    ("null", "null"),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("nil", "null"),
    ("NULL", "null"),
    ("\"a\"", "\"a\""),
    ("'b'", "\"b\""),
    ("u'c'", "\"c\""),
    ("`d`", "\"d\""),
    ("“e”", "\"e\""),
    ("'''f'''", "\"f\""),
    ("()", "[]"),
    ("(4,)", "[4]"),
    ("[]", "[]"),
];

/// Scalars whose value is a guess.
const GUESSED: &[(&str, &str)] = &[
    ("undefined", "null"),
    ("NaN", "null"),
    ("-Infinity", "null"),
    ("Infinity", "null"),
    ("007", "7"),
    ("yes", "true"),
    ("off", "false"),
    ("b'c'", "\"c\""),
    ("tru", "true"),
    ("word", "\"word\""),
    ("two words", "\"two words\""),
    ("NumberLong(2)", "2"),
    ("Decimal('1.5')", "\"1.5\""),
    ("{{x}}", "\"{{x}}\""),
    ("(1, 2)", "[1, 2]"),
    ("<x>", "\"<x>\""),
];

#[test]
fn containers_that_begin_with_a_literal_are_whole() {
    let mut wrong = Vec::new();
    for (scalar, json) in SCALARS.iter().chain(GUESSED) {
        for (shape, expected) in [
            ("[L, {'a': 1}]", "[L, {\"a\": 1}]"),
            ("[L, {\"a\": 1}]", "[L, {\"a\": 1}]"),
            ("[L,\n  {'a': 1},\n  [2]\n]", "[L, {\"a\": 1}, [2]]"),
            ("[L, [1, 2]]", "[L, [1, 2]]"),
            ("[L,L,{'a':{'b':L}}]\n", "[L,L,{\"a\":{\"b\":L}}]"),
            ("[[L, {'a': 1}], {'b': L}]", "[[L, {\"a\": 1}], {\"b\": L}]"),
            ("(L, {'a': 1})", "[L, {\"a\": 1}]"),
            ("{'k': [L, {'a': 1}]}", "{\"k\": [L, {\"a\": 1}]}"),
            ("{'k': L, 'l': {'a': 1}}", "{\"k\": L, \"l\": {\"a\": 1}}"),
        ] {
            let text = shape.replace('L', scalar);
            let repaired = all(&text);
            // A word in parentheses may be the start of a sentence, which is refused.
            let is_prose = text.starts_with('(') && GUESSED.iter().any(|(word, _)| word == scalar);
            if is_prose && !repaired.is_valid() {
                continue;
            }
            if result(&repaired) != value(expected.replace('L', json).as_bytes()) {
                wrong.push(format!("{text:?} is {:?}", show(&repaired)));
            }
        }
    }
    report(&wrong);
}

fn show(repaired: &Repair) -> String {
    let text = String::from_utf8_lossy(&repaired.text).into_owned();
    if repaired.is_valid() {
        text
    } else {
        format!("refused ({})", repaired.left.diagnostics[0].message)
    }
}

/// Fails with the first errors.
#[track_caller]
fn report(wrong: &[String]) {
    let most = std::env::var("JSONX_FAULTS").map_or(12, |_| usize::MAX);
    let shown: Vec<&str> = wrong.iter().take(most).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}
