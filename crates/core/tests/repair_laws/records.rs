//! Damaged records of JSON Lines: every whole record is kept.

use jsonx_core::diagnose::{Applicability, Framing};
use jsonx_core::repair::repair;

use crate::{options, show};

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
        (
            "{\"a\":{\"a\":1}\n{\"a\":2}\n",
            "{\"a\":{\"a\":1}}\n{\"a\":2}\n",
        ),
    ] {
        let repaired = repair(text.as_bytes(), &options);
        assert_eq!(show(&repaired), expected, "{text:?}");
        assert!(repaired.guesses > 0, "{text:?}");
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
