//! Damaged JSON Lines: every whole record is kept.

use super::super::*;

const RECORDS: [&str; 5] = [
    r#"{"a":1,"b":{"c":[1,{}],"d":"x, y"}}"#,
    r#"{"a":2,"t":"{\"e\": [] }"}"#,
    r#"{"a":3,"b":{"c":[]}}"#,
    r#"{"a":4}"#,
    r#"{"a":5,"t":"z"}"#,
];

/// Texts with damage at one of the records, and which of them are whole.
fn damaged() -> Vec<(String, Vec<&'static str>)> {
    let mut all = Vec::new();
    for (at, record) in RECORDS.iter().enumerate() {
        let (before, after) = (&RECORDS[..at], &RECORDS[at + 1..]);
        let mut put = |line: &str, between: &str, lost: bool| {
            let mut whole = RECORDS.to_vec();
            if lost {
                whole.remove(at);
            }
            let lines = |records: &[&str]| {
                records
                    .iter()
                    .map(|it| format!("{it}\n"))
                    .collect::<String>()
            };
            all.push((
                format!("{}{line}{between}{}", lines(before), lines(after)),
                whole,
            ));
        };
        for between in ["", ",", " ", ", "] {
            if !after.is_empty() {
                put(record, between, false);
            }
        }
        for cut in 1..record.len() {
            // Torn, with its line break or without.
            put(&record[..cut], "\n", true);
            // Where a value may follow, the next record may be it.
            if ![":", "[", "[1,"]
                .iter()
                .any(|it| record[..cut].ends_with(it))
            {
                put(&record[..cut], "", true);
            }
            if at == 0 {
                put(&record[cut..], "\n", true);
            }
        }
    }
    all
}

#[test]
fn every_whole_record_is_kept() {
    let options = RepairOptions::default().with(Applicability::Review);
    for framing in [Framing::Lines, Framing::OneValue] {
        // Otherwise, a text with a torn record may be one broken value.
        let is_clear = |whole: &[&str]| framing == Framing::Lines || whole.len() == RECORDS.len();
        for (text, whole) in damaged().into_iter().filter(|(_, whole)| is_clear(whole)) {
            let repaired = repair(text.as_bytes(), &options.framing(framing));
            let lines = String::from_utf8_lossy(&repaired.text);
            let kept = |record: &&&str| lines.lines().any(|line| line == **record);
            let lost: Vec<_> = whole.iter().filter(|it| !kept(it)).collect();
            assert!(
                lost.is_empty() && repaired.is_valid(),
                "{framing:?}\n{text}\n{lines}\n{lost:?}"
            );
            assert_eq!(repaired.framing, Framing::Lines);
            assert!(!repaired.changes.is_empty(), "{text}");
        }
    }
}

/// A line that begins a record is repaired, or an error remains; it is not dropped.
#[test]
fn no_record_is_dropped() {
    let options = RepairOptions::default().with(Applicability::Review);
    let options = options.framing(Framing::Lines);
    for (number, record) in RECORDS.iter().enumerate() {
        for at in 1..=record.len() {
            for fault in ["\"", "}", "]", ":", ",", "x"] {
                let broken = [&record[..at], fault, &record[at..]].concat();
                let mut lines = RECORDS.to_vec();
                lines[number] = &broken;
                let text = lines.join("\n");
                let repaired = repair(text.as_bytes(), &options);
                let left = String::from_utf8_lossy(&repaired.text);
                let count = left.lines().filter(|line| line.starts_with('{')).count();
                assert!(count >= RECORDS.len(), "{text}\n{left}");
                // Without it, the rest is valid.
                let rest = repair(text.as_bytes(), &options.whole(true));
                assert!(rest.is_valid() || repaired.is_valid(), "{text}");
            }
        }
    }
}

#[test]
fn other_text_is_dropped() {
    let options = RepairOptions::default().with(Applicability::Review);
    for other in [
        "[INFO] done",
        "[webpack] compiled",
        "[2024-01-05 10:00:00] x",
        "panic: index out of range [5]",
        "undefined",
        "<html>",
        "at line 5",
        "Traceback (most recent call last):",
        "  File \"a.py\", line 1, in <module>",
        "    raise ValueError(\"x\")",
        "ValueError: x",
        "    at foo (/a.js:1:2)",
        "12",
    ] {
        for at in 0..=RECORDS.len() {
            let mut lines = RECORDS.to_vec();
            lines.insert(at, other);
            let text = lines.join("\n") + "\n";
            let repaired = repair(text.as_bytes(), &options.framing(Framing::Lines));
            // A value is no other text.
            let is_value = jsonx_core::validate(other.as_bytes()).is_ok();
            let kept = if is_value {
                text.clone()
            } else {
                RECORDS.join("\n") + "\n"
            };
            assert_eq!(String::from_utf8_lossy(&repaired.text), kept, "{text}");
            assert_eq!(repaired.guesses, u64::from(!is_value), "{text}");
        }
    }
}

#[test]
fn a_merge_conflict_is_left() {
    let text = b"<<<<<<< a\n{\"b\":1}\n=======\n{\"b\":2}\n>>>>>>> x\n{\"c\":1}\n";
    let options = RepairOptions::default().with(Applicability::Review);
    let repaired = repair(text, &options.framing(Framing::Lines));
    assert_eq!(repaired.text, text);
    let codes = repaired.left.diagnostics.iter().map(|it| it.code);
    assert_eq!(codes.collect::<Vec<_>>(), [Code::MergeConflict; 3]);
}
