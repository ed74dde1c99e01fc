//! The law: every JSON scalar of a text is in the result of its repair, or a change names it.

use std::collections::BTreeMap;
use std::ops::Range;

use jsonx_diagnose::repair::{Repair, repair};
use jsonx_diagnose::{Applicability, Code};
use serde_json::Value;

use crate::{all, options, report, show};
use jsonx_testing::documents::{documents, value};
use jsonx_testing::inject::{KINDS, Random, apply, inject};

/// The JSON scalars and keys of a text outside comments and single quotes, with their spans.
fn scalars(text: &str) -> Vec<(Range<usize>, Value)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b'\'' | b'`' => {
                at += 1;
                while at < bytes.len() && bytes[at] != bytes[start] {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                continue;
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| **byte != b'\n')
                    .count();
                continue;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                let end = text[at..].find("*/").map_or(bytes.len(), |i| at + i + 2);
                at = end;
                continue;
            }
            byte if byte.is_ascii_alphanumeric() || b"+-._$".contains(&byte) => {
                let word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._$".contains(byte);
                at += bytes[at..].iter().take_while(word).count();
            }
            _ => {
                at += 1;
                continue;
            }
        }
        if let Some(value) = text.get(start..at).and_then(|text| value(text.as_bytes())) {
            found.push((start..at, value));
        }
    }
    found
}

/// The scalars of a text that are neither in the result of its repair nor named by a change.
pub fn lost(text: &str, repaired: &Repair) -> Vec<String> {
    let lost = lost_of(&scalars(text), repaired).into_iter();
    lost.map(|lost| format!("{lost} of {text:?}: {:?}", show(repaired)))
        .collect()
}

fn lost_of(scalars_before: &[(Range<usize>, Value)], repaired: &Repair) -> Vec<String> {
    if !repaired.is_valid() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&repaired.text);
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for (_, value) in scalars(&text) {
        *left.entry(value.to_string()).or_default() += 1;
    }
    let mut lost = Vec::new();
    for (place, value) in scalars_before {
        if let Some(count) = left.get_mut(&value.to_string()).filter(|count| **count > 0) {
            *count -= 1;
            continue;
        }
        let is_named = repaired
            .changes
            .iter()
            .any(|change| change.span.start <= place.end && place.start <= change.span.end);
        if !is_named {
            lost.push(format!("lost {value} at {}", place.start));
        }
    }
    lost
}

#[test]
fn no_scalar_is_lost_in_silence() {
    let mut wrong = Vec::new();
    for (number, document) in documents().iter().enumerate() {
        for kind in KINDS {
            let mut random = Random(29_000 + number as u64);
            let Some(fault) = inject(document, kind, &mut random) else {
                continue;
            };
            let (text, _) = apply(&document.text, &[&fault]);
            let Ok(whole) = std::str::from_utf8(&document.text) else {
                continue;
            };
            let (start, end) = (fault.replaced.start, fault.replaced.end);
            let mut sound = scalars(whole);
            sound.retain(|(place, _)| place.end < start || end < place.start);
            for (place, _) in sound.iter_mut().filter(|(place, _)| place.start > end) {
                let moved = |at: usize| at - (end - start) + fault.by.len();
                *place = moved(place.start)..moved(place.end);
            }
            for with in [Applicability::Safe, Applicability::Review] {
                let repaired = repair(&text, &options(with));
                let lost = lost_of(&sound, &repaired);
                let name = &document.name;
                wrong.extend(
                    lost.into_iter()
                        .map(|lost| format!("{kind} at {start} of {name}: {lost}")),
                );
            }
        }
    }
    report(&wrong);
}

/// Each of these once lost a JSON scalar.
#[test]
fn json_is_kept_or_named() {
    for text in [
        "[False, {'a': 1}]",
        "[None, 1, \"b\", {\"a\": 2}]",
        "{2:'b', (1,2):'d'}",
        "{\"a\": 1, (\"b\", 2): 3}",
        "｛\"a\"：1，\"b\"：2｝",
        "{\"a\": [1, 2}, \"b\": 3]",
        "{\"a\": 1 /* x */ \"b\": 2}",
        "[1, 2, ..., 9]",
        "{\"p\": \"C:\\new\\\", \"q\": \"z\"}",
    ] {
        for with in [Applicability::Safe, Applicability::Review] {
            let repaired = repair(text.as_bytes(), &options(with));
            if !text.contains('\\') {
                report(&lost(text, &repaired));
            }
            assert!(
                repaired
                    .changes
                    .iter()
                    .all(|change| change.code != Code::LeadingText),
                "{text}"
            );
        }
    }
    assert!(!all("{2:'b', (1,2):'d'}").is_valid());
}
