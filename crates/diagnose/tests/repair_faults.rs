//! Repairs of documents with injected faults: nearly always the original value, and always valid or refused. The
//! documents and faults are those of `diagnostics_faults.rs`.

// The exact position of a finding does not matter here.

use std::collections::BTreeMap;

use jsonx_diagnose::repair::{Repair, RepairOptions, repair};
use jsonx_diagnose::{Applicability, DiagnoseOptions, diagnose};
use jsonx_testing::documents::{documents, value};
use jsonx_testing::inject::{Document, Fault, KINDS, Random, UNFIXABLE, apply, inject};

/// Faults of each kind in each document.
const EACH: usize = 6;

/// Pairs of faults in each document.
const PAIRS: usize = 200;

fn repaired(text: &[u8], with: Applicability) -> Repair {
    let options = RepairOptions::default().with(with);
    let repaired = repair(text, &options);
    if repaired.is_valid() {
        // A second document on a line of its own stays there.
        let options = options.framing(repaired.framing);
        let report = DiagnoseOptions::default().framing(repaired.framing);
        assert!(diagnose(&repaired.text, &report).is_valid());
        let again = repair(&repaired.text, &options);
        assert_eq!(again.text, repaired.text, "repaired once more");
        assert!(again.changes.is_empty());
    } else {
        assert!(!repaired.left.diagnostics.is_empty());
    }
    repaired
}

/// The intended text of a fault: none, or the inserted text as JSON.
fn meant(fault: &Fault) -> Option<Fault> {
    let quoted = [b"\"", &*fault.by, b"\""].concat();
    let by: &[u8] = match fault.kind {
        "hexadecimal" => b"31",
        "not-a-number" | "minus" => b"null",
        "emphasis" | "unit" => &quoted,
        "bare-element" => b", \"BOGUS\"",
        "cut-character" => "\u{fffd}".as_bytes(),
        "bad-escape" => b"\\\\d",
        "lone-surrogate" => b"\\ufffd",
        // Nobody means U+0012.
        "short-unicode-escape" => b"\\\\u12 ",
        "line-break" => b"\\n",
        "carriage-return" => b"\\r",
        "lines-of-code" => b"\\ntry:\\n    f(x)  # {y: 1},\\n",
        "tab" => b"\\t",
        "inner-quotes" => b"\\\"so\\\"",
        "inner-quotes-and-comma" => b" \\\"so\\\", then ",
        _ => return None,
    };
    Some(Fault {
        by: by.to_vec(),
        ..fault.clone()
    })
}

/// The intended value of a text with these faults.
fn original(document: &Document, faults: &[&Fault]) -> Option<serde_json::Value> {
    let meant: Vec<Fault> = faults.iter().filter_map(|fault| meant(fault)).collect();
    let (text, _) = apply(&document.text, &meant.iter().collect::<Vec<_>>());
    value(&text)
}

/// Counts of repairs to the original value, by kind of fault.
#[derive(Default)]
struct Score {
    kinds: BTreeMap<String, (usize, usize, usize)>,
}

impl Score {
    fn add(&mut self, kind: &str, same: bool, valid: bool) {
        let (sames, valids, all) = self.kinds.entry(kind.to_owned()).or_default();
        *sames += usize::from(same);
        *valids += usize::from(valid);
        *all += 1;
    }

    fn floor(&self, what: &str, percent: f64) {
        let sum =
            |of: fn(&(usize, usize, usize)) -> usize| self.kinds.values().map(of).sum::<usize>();
        let (same, valid, all) = (sum(|it| it.0), sum(|it| it.1), sum(|it| it.2));
        let share = |count: usize| 100.0 * count as f64 / all as f64;
        eprintln!(
            "{what}: {:.2} % same, {:.2} % valid, of {all}",
            share(same),
            share(valid)
        );
        if std::env::var_os("JSONX_FAULTS").is_some() {
            for (kind, (same, valid, all)) in &self.kinds {
                if same < all {
                    eprintln!("  {kind}: {same} same, {valid} valid of {all}");
                }
            }
        }
        assert!(share(same) >= percent, "{what}: {:.2} %", share(same));
    }
}

fn show(kind: &str, text: &[u8], place: usize, result: &Repair) {
    let wanted = std::env::var("JSONX_FAULTS").unwrap_or_default();
    if wanted.is_empty() || !kind.contains(&wanted) {
        return;
    }
    let near = |text: &[u8]| {
        let range = place.saturating_sub(50).min(text.len())..text.len().min(place + 50);
        String::from_utf8_lossy(&text[range]).into_owned()
    };
    eprintln!(
        "{kind} at {place}\n  {:?}\n  {:?}",
        near(text),
        near(&result.text)
    );
}

#[test]
fn one_fault_is_repaired() {
    let mut score = Score::default();
    for (number, document) in documents().iter().enumerate() {
        for kind in KINDS {
            let mut random = Random(9_000_000 + number as u64);
            for _ in 0..EACH {
                let Some(fault) = inject(document, kind, &mut random) else {
                    continue;
                };
                let (text, places) = apply(&document.text, &[&fault]);
                // A lone surrogate is valid, but no character.
                if kind != "lone-surrogate" && jsonx_core::validate(&text).is_ok() {
                    continue;
                }
                let result = repaired(&text, Applicability::Review);
                if UNFIXABLE.contains(&kind) {
                    continue;
                }
                let original = original(document, &[&fault]);
                let same = result.is_valid() && value(&result.text) == original;
                score.add(kind, same, result.is_valid());
                if !same {
                    show(kind, &text, places[0].start, &result);
                }
            }
        }
    }
    score.floor("one fault", 98.0);
}

#[test]
fn two_faults_are_repaired() {
    let mut score = Score::default();
    for (number, document) in documents().iter().enumerate() {
        let mut random = Random(33 + number as u64);
        for _ in 0..PAIRS {
            let kinds: Vec<&'static str> = KINDS
                .into_iter()
                .filter(|kind| !UNFIXABLE.contains(kind))
                .collect();
            let mut draw = || {
                let kind = kinds[random.below(kinds.len())];
                inject(document, kind, &mut random)
            };
            let (Some(first), Some(second)) = (draw(), draw()) else {
                continue;
            };
            let (before, after) = if first.replaced.start <= second.replaced.start {
                (first, second)
            } else {
                (second, first)
            };
            if after.replaced.start < before.replaced.end + 16 {
                continue;
            }
            let (text, places) = apply(&document.text, &[&before, &after]);
            let alone = |fault| jsonx_core::validate(&apply(&document.text, &[fault]).0).is_err();
            if !alone(&before) || !alone(&after) {
                continue;
            }
            let result = repaired(&text, Applicability::Review);
            let original = original(document, &[&before, &after]);
            let same = result.is_valid() && value(&result.text) == original;
            let kind = format!("{}+{}", before.kind, after.kind);
            score.add(&kind, same, result.is_valid());
            if !same {
                show(&format!("two {kind}"), &text, places[0].start, &result);
            }
        }
    }
    score.floor("two faults", 95.0);
}

#[test]
fn safe_fixes_leave_other_errors() {
    for (number, document) in documents().iter().enumerate() {
        for kind in KINDS {
            let mut random = Random(11_000_000 + number as u64);
            let Some(fault) = inject(document, kind, &mut random) else {
                continue;
            };
            let (text, _) = apply(&document.text, &[&fault]);
            if jsonx_core::validate(&text).is_ok() {
                continue;
            }
            let result = repaired(&text, Applicability::Safe);
            assert_eq!(result.guesses, 0, "{kind}");
            assert!(
                kind != "truncated"
                    || !result.is_valid()
                    || jsonx_core::validate(&result.text).is_ok()
            );
            if !result.is_valid() {
                // A remaining error is a finding in the text, at its position.
                let report = diagnose(&text, &DiagnoseOptions::default());
                let codes: Vec<_> = report.diagnostics.iter().map(|d| d.code).collect();
                assert!(
                    codes.contains(&result.left.diagnostics[0].code),
                    "{kind}: {codes:?}"
                );
            }
        }
    }
}
