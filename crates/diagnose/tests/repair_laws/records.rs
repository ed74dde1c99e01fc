//! Damaged records of JSON Lines: every whole record is kept.

use jsonx_diagnose::repair::repair;
use jsonx_diagnose::{Applicability, Framing};

use jsonx_testing::documents::value;
use jsonx_testing::inject::Random;
use jsonx_testing::records::{DAMAGES, damage};
use serde_json::Value;

use crate::{options, report, show};

#[test]
fn whole_records_are_kept() {
    let options = options(Applicability::Review).framing(Framing::Lines);
    for (text, expected) in [
        ("{\"a\":1}{\"a\":2}", "{\"a\":1}\n{\"a\":2}"),
        ("{\"a\":1}{\"b\":2}[3]\n", "{\"a\":1}\n{\"b\":2}\n[3]\n"),
        (
            "{\"a\":1}\n{\"a\":2,\"b\":\"x{\"a\":3}\n",
            "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n{\"a\":3}\n",
        ),
        ("b\":3}\n{\"a\":4}\n", "{\"a\":4}\n"),
        ("xt\",\"b\":3}\n{\"a\":4}\n", "{\"a\":4}\n"),
        // No value of the torn record is left; a byte-order mark is no text.
        ("{\"a\":1}\n{\"wa", "{\"a\":1}\n"),
        (
            "{\"a\":1}\n{\"a\":\n{\"a\":2}\n{\"b\":[",
            "{\"a\":1}\n{\"a\":2}\n{\"b\":[]}",
        ),
        ("{\"a\":1}\n\u{feff}{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"),
        (
            "{\"a\":{\"a\":1}\n{\"a\":2}\n",
            "{\"a\":{\"a\":1}}\n{\"a\":2}\n",
        ),
    ] {
        let repaired = repair(text.as_bytes(), &options);
        assert_eq!(show(&repaired), expected, "{text:?}");
        assert!(!repaired.changes.is_empty(), "{text:?}");
    }
}

/// Nothing but the first key shows that these are records.
#[test]
fn records_that_are_all_broken_are_lines() {
    for (text, expected) in [
        ("{\"a\":1\n{\"a\":[2\n", "{\"a\":1}\n{\"a\":[2]}\n"),
        ("\"a\":1}\n\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"),
        ("{\"a\":1,}\n{\"a\":2,}\n", "{\"a\":1}\n{\"a\":2}\n"),
        // An array without brackets.
        ("{\"a\":1},\n{\"a\":2},\n", "[{\"a\":1},\n{\"a\":2}]\n"),
    ] {
        assert_eq!(show(&crate::all(text)), expected, "{text:?}");
    }
}

#[test]
fn a_torn_record_does_not_contain_those_after_it() {
    for torn in [
        "{\"a\":[1,2",
        "{\"a\":1,",
        "{\"a\":{\"x\":1,\"y\":",
        "{\"a\":\"x",
        "{\"a\":{",
        "{",
    ] {
        for place in 0..3 {
            let mut lines = vec!["{\"b\":1}", "{\"b\":{\"c\":2}}", "{\"d\":[{}]}"];
            lines.insert(place, torn);
            let text = lines.join("\n");
            let repaired = show(&repair(text.as_bytes(), &options(Applicability::Review)));
            let found: Vec<&str> = repaired
                .lines()
                .filter(|line| lines.contains(line))
                .collect();
            lines.remove(place);
            assert_eq!(found, lines, "{text:?} {repaired:?}");
        }
    }
    // Objects in an array without commas are one value.
    let array = "{\"a\":[1,\n{\"b\":1}\n{\"c\":2}]}";
    let repaired = show(&repair(array.as_bytes(), &options(Applicability::Review)));
    assert_eq!(repaired, "{\"a\":[1,\n{\"b\":1},\n{\"c\":2}]}");
}

/// The framing is known from a name such as `.jsonl`, but not from `.log`.
#[test]
fn whole_records_of_damaged_files_are_kept() {
    let mut wrong = Vec::new();
    for kind in DAMAGES {
        for seed in 0..200 {
            let damaged = damage(kind, &mut Random(seed));
            for framing in [Framing::Lines, Framing::OneValue] {
                let options = options(Applicability::Review).framing(framing);
                let repaired = repair(damaged.text.as_bytes(), &options);
                let kept: Vec<Value> = match repaired.framing {
                    Framing::OneValue => match value(&repaired.text) {
                        Some(Value::Array(values)) => values,
                        value => value.into_iter().collect(),
                    },
                    _ => show(&repaired)
                        .lines()
                        .filter_map(|line| value(line.as_bytes()))
                        .collect(),
                };
                let whole = damaged.whole.iter().map(|record| value(record.as_bytes()));
                let mut kept = kept.into_iter();
                let are_kept = whole
                    .clone()
                    .all(|record| kept.any(|kept| Some(kept) == record));
                if !repaired.is_valid() || !are_kept || repaired.guesses == 0 {
                    wrong.push(format!(
                        "{kind} {framing:?}: {:?} is {:?}",
                        damaged.text,
                        show(&repaired)
                    ));
                }
            }
        }
    }
    report(&wrong);
}

/// Texts between records are named each, unless they are the same but for their digits.
#[test]
fn each_text_between_records_is_listed() {
    let text =
        "1. {\"b\":1}\nremember the milk\n2. {\"c\":1} and\n3. {\"d\":1} more\n4. {\"e\":1}\n";
    let repaired = repair(text.as_bytes(), &options(Applicability::Review));
    let listed: Vec<(&str, usize)> = (repaired.changes.iter())
        .map(|change| (change.removed.trim_start_matches('␊'), change.places))
        .collect();
    let expected = [
        ("1. ", 4),
        ("remember the milk", 1),
        (" and", 1),
        (" more", 1),
    ];
    assert_eq!(listed, expected);
}

/// The number of a list is no value.
#[test]
fn a_number_before_a_document_is_dropped() {
    for (text, expected) in [
        ("1. {\"a\": 1}\n", "{\"a\": 1}\n"),
        ("2. {\"h\": \"x\"\", \"b\": 1}", "{\"h\": \"x\", \"b\": 1}"),
        ("12. [1, 2]", "[1, 2]"),
    ] {
        let repaired = repair(text.as_bytes(), &options(Applicability::Review));
        assert_eq!(repaired.text, expected.as_bytes(), "{text}");
        assert!(repaired.changes[0].removed.ends_with(". "), "{text}");
    }
}
