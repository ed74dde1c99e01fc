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
