//! The laws, word by word: each word of a broken text is in the result or within a listed change, each word of the result was in the
//! text or is listed as inserted, and no guess drops a sentence.

use std::collections::BTreeMap;

use jsonx_diagnose::repair::{Repair, repair};
use jsonx_diagnose::{Applicability, Code};

use crate::cuts::is_prefix;
use crate::{options, report, result, show};
use jsonx_testing::documents::{documents, value};
use jsonx_testing::inject::{Fault, KINDS, Random, apply, inject};

/// The words of a text outside escapes, with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let mut escaped = '\0';
    let is_end = move |c: char| {
        let ends = !c.is_alphanumeric() || escaped == '\\';
        escaped = c;
        ends
    };
    text.split(is_end)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - start, word))
}

/// The words of `text` that are not in `other`, each as often as it is missing.
fn missing<'t>(text: &'t str, other: &str) -> Vec<(usize, &'t str)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, word) in words(other) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    let is_missing = |(_, word): &(usize, &str)| match counts.get_mut(*word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    words(text).filter(is_missing).collect()
}

/// What a repair lost or invented in silence.
pub fn broken_laws(text: &str, repaired: &Repair) -> Vec<String> {
    if !repaired.is_valid() {
        return Vec::new();
    }
    let after = String::from_utf8_lossy(&repaired.text);
    let mut wrong = Vec::new();
    let context = || format!("in {text:?}: {:?}", show(repaired));
    for (at, word) in missing(text, &after) {
        let is_listed = repaired.changes.iter().any(|change| {
            change.places > 1 || change.span.start <= at + word.len() && at <= change.span.end
        });
        if !is_listed {
            wrong.push(format!("lost {word:?} {}", context()));
        }
    }
    for (_, word) in missing(&after, text) {
        let is_listed = repaired.changes.iter().any(|change| {
            change.places > 1 || change.inserted.contains(word) || change.inserted.ends_with('…')
        });
        if !is_listed {
            wrong.push(format!("invented {word:?} {}", context()));
        }
    }
    for change in &repaired.changes {
        let is_text = matches!(change.code, Code::UnexpectedText);
        if is_text && change.drops() && words(&change.removed).count() > 1 {
            wrong.push(format!("dropped {:?} {}", change.removed, context()));
        }
    }
    wrong
}

/// Kinds of faults that divide words, which a repair joins.
pub const JOINED: [&str; 2] = ["digit-separator", "lone-surrogate"];

#[test]
fn nothing_is_lost_or_invented_in_broken_documents() {
    let mut wrong = Vec::new();
    for (number, document) in documents().iter().enumerate() {
        for (first, kind) in KINDS.iter().enumerate() {
            for seed in 0..4 {
                let mut random = Random(7_000 + 100 * number as u64 + seed);
                let Some(fault) = inject(document, kind, &mut random) else {
                    continue;
                };
                // Half of the texts have another fault.
                let other = KINDS[(first + 7 * seed as usize) % KINDS.len()];
                let other = inject(document, other, &mut random).filter(|other| {
                    seed > 1
                        && (other.replaced.end < fault.replaced.start
                            || fault.replaced.end < other.replaced.start)
                });
                let faults: Vec<&Fault> = [&fault].into_iter().chain(&other).collect();
                if faults.iter().any(|fault| JOINED.contains(&fault.kind)) {
                    continue;
                }
                let (text, _) = apply(&document.text, &faults);
                let Ok(text) = String::from_utf8(text) else {
                    continue;
                };
                let repaired = repair(text.as_bytes(), &options(Applicability::Review));
                for law in broken_laws(&text, &repaired) {
                    let near: String = law.chars().take(60).collect();
                    let kinds: Vec<_> = faults
                        .iter()
                        .map(|fault| (fault.kind, fault.replaced.start))
                        .collect();
                    wrong.push(format!("{kinds:?} of {}: {near}", document.name));
                }
            }
        }
    }
    report(&wrong);
}

/// A document cut off anywhere is repaired to a start of its value.
#[test]
fn a_document_cut_off_anywhere_is_a_start_of_its_value() {
    let mut wrong = Vec::new();
    for document in documents() {
        let whole = String::from_utf8(document.text).expect("UTF-8");
        let meant = value(whole.as_bytes()).expect("valid");
        for end in (1..whole.trim_end().len()).step_by(17) {
            let Some(text) = whole.get(..end) else {
                continue;
            };
            let left = repair(text.as_bytes(), &options(Applicability::Review).whole(true));
            if !result(&left).is_some_and(|found| is_prefix(&found, &meant)) {
                wrong.push(format!("{} up to {end}: {}", document.name, show(&left)));
            }
            let kept = repair(text.as_bytes(), &options(Applicability::Review));
            wrong.extend(broken_laws(text, &kept));
        }
    }
    report(&wrong);
}
