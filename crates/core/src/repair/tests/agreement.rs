//! Examining only the text near a mistake gives the same repairs as examining all of it.

use proptest::prelude::*;

use super::super::*;
use crate::agreement::valid_text;

/// A list of values, longer than a few chunks, each on its own line or all on one.
fn list(choices: &[u32], pretty: bool) -> Vec<u8> {
    let value = valid_text(choices);
    let between: &[u8] = if pretty { b",\n  " } else { b"," };
    let mut text = b"{\"list\": [".to_vec();
    while text.len() < 40_000 {
        text.extend_from_slice(value.trim_ascii());
        text.extend_from_slice(between);
        text.extend_from_slice(
            br#"{"id": 12, "name": "a \"b\"", "tags": ["x", true, null], "n": -1.5e3}"#,
        );
        text.extend_from_slice(between);
    }
    text.extend_from_slice(b"0], \"end\": true}\n");
    text
}

/// Replacements that introduce mistakes.
const MISTAKES: [&str; 16] = [
    "", ",", ":", "'", "\"", "\\", "\n", " ", "// no\n", "True", "}", "]", "{", ".5", "a b",
    "/* c */",
];

fn broken(text: &[u8], mistakes: &[(usize, usize, usize)]) -> Vec<u8> {
    let mut text = text.to_vec();
    for &(at, removed, mistake) in mistakes {
        let at = at % text.len();
        let end = (at + removed).min(text.len());
        text.splice(at..end, MISTAKES[mistake % MISTAKES.len()].bytes());
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_text_near_a_mistake_suffices(
        choices in prop::collection::vec(any::<u32>(), 0..100),
        pretty in any::<bool>(),
        guesses in any::<bool>(),
        mistakes in prop::collection::vec((any::<usize>(), 0usize..3, any::<usize>()), 1..5),
    ) {
        let text = broken(&list(&choices, pretty), &mistakes);
        let options = RepairOptions {
            with: if guesses { Applicability::Review } else { Applicability::Safe },
            ..RepairOptions::default()
        };
        let (near, whole) = (run(&text, &options, true), run(&text, &options, false));
        prop_assert_eq!(near.is_valid(), whole.is_valid());
        prop_assert_eq!(
            String::from_utf8_lossy(&near.text),
            String::from_utf8_lossy(&whole.text)
        );
        prop_assert_eq!(near.changes, whole.changes);
        prop_assert_eq!((near.safe, near.guesses), (whole.safe, whole.guesses));
    }
}

#[test]
fn little_is_examined_for_one_mistake() {
    let mut text = list(&[], true);
    let comma = 20_000 + memchr::memmem::find(&text[20_000..], b",\n").unwrap();
    text.remove(comma);
    let options = RepairOptions::default();
    let (near, whole) = (run(&text, &options, true), run(&text, &options, false));
    assert!(near.is_valid() && near.text == whole.text);
    // The validator reads the whole text, the parser only the text near the mistake.
    assert!(near.steps < 2 * text.len() as u64, "{}", near.steps);
    assert!(whole.steps > 3 * text.len() as u64, "{}", whole.steps);
    // A missing bracket may be anywhere.
    text.insert(comma, b',');
    let bracket = 10_000 + memchr::memchr(b'}', &text[10_000..]).unwrap();
    text.remove(bracket);
    let near = run(
        &text,
        &RepairOptions {
            with: Applicability::Review,
            ..options
        },
        true,
    );
    assert!(
        near.is_valid() && near.steps > 2 * text.len() as u64,
        "{}",
        near.steps
    );
}
