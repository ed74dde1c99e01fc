//! Faults injected into valid documents: codes, positions and fixes.
//!
//! The documents are our own; the faults are drawn with a fixed seed. Every score has a lower bound.

use std::collections::BTreeMap;
use std::path::Path;

use jsonx_diagnose::{Applicability, DiagnoseOptions, Report, diagnose, edits};
use jsonx_testing::inject::{Document, Fault, KINDS, Random, UNFIXABLE, apply, inject, is_exact};

/// Faults of each kind in each document.
const EACH: usize = 6;

/// Pairs of faults in each document.
const PAIRS: usize = 200;

fn documents() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/documents");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the documents")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 12, "there are documents of many kinds");
    let mut documents = Vec::new();
    for path in paths {
        let text = std::fs::read(&path).expect("a document");
        assert!(
            jsonx_core::validate(&text).is_ok(),
            "{} is sound",
            path.display()
        );
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let document = Document::new(name, text);
        documents.push(document.minified());
        documents.push(document);
    }
    documents
}

fn examine(text: &[u8]) -> Report {
    diagnose(text, &DiagnoseOptions::default())
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|d| d.code.as_str()).collect()
}

/// Counts of successes, and of cases and failures of each kind.
#[derive(Default)]
struct Score {
    held: usize,
    of: usize,
    kinds: BTreeMap<String, usize>,
    misses: BTreeMap<String, usize>,
}

impl Score {
    fn add(&mut self, held: bool, kind: &str) {
        self.of += 1;
        self.held += usize::from(held);
        *self.kinds.entry(kind.to_string()).or_default() += 1;
        if !held {
            *self.misses.entry(kind.to_string()).or_default() += 1;
        }
    }

    fn floor(&self, what: &str, percent: f64) {
        let reached = 100.0 * self.held as f64 / self.of as f64;
        eprintln!("{what}: {reached:.2} % of {} (floor {percent} %)", self.of);
        if std::env::var_os("JSONX_FAULTS").is_some() {
            eprintln!("  {:?}", self.misses);
        }
        assert!(
            reached >= percent,
            "{what}: {reached:.2} % of {}; missed: {:?}",
            self.of,
            self.misses
        );
    }

    /// A lower bound for each kind. A single kind of 42 is 2.4 % of all cases, so a total could hide its failure.
    fn floor_of_each(&self, what: &str, percent: f64) {
        for (kind, &of) in &self.kinds {
            let missed = self.misses.get(kind).copied().unwrap_or(0);
            let reached = 100.0 * (of - missed) as f64 / of as f64;
            assert!(
                reached >= percent,
                "{what}, {kind}: {reached:.2} % of {of} (floor {percent} %); JSONX_FAULTS={kind} shows them"
            );
        }
    }
}

/// Prints the missed cases if requested.
fn show(kind: &str, document: &Document, text: &[u8], report: &Report, place: usize) {
    let wanted = std::env::var("JSONX_FAULTS").unwrap_or_default();
    if !wanted.is_empty() && kind.contains(&wanted) {
        let from = place.saturating_sub(60);
        eprintln!("{kind} in {} at {place}: …{}", document.name, {
            String::from_utf8_lossy(&text[from..text.len().min(place + 60)]).into_owned()
        });
        for d in &report.diagnostics {
            eprintln!(
                "   {} at {}..{}: {} / {}",
                d.code, d.span.start, d.span.end, d.message, d.label
            );
        }
    }
}

#[test]
fn one_fault_gives_one_finding_at_its_place() {
    let (mut one, mut exact, mut named) = (Score::default(), Score::default(), Score::default());
    for (number, document) in documents().iter().enumerate() {
        for kind in KINDS {
            let mut random = Random(number as u64 * 1000);
            for _ in 0..EACH {
                let Some(fault) = inject(document, kind, &mut random) else {
                    continue;
                };
                let (text, places) = apply(&document.text, &[&fault]);
                if jsonx_core::validate(&text).is_ok() {
                    continue;
                }
                let report = examine(&text);
                // A word after an element lacks a comma and quotes.
                let single = report.diagnostics.len() == 1 + usize::from(kind == "bare-element");
                let near = report
                    .diagnostics
                    .first()
                    .is_some_and(|d| is_exact(&text, &places[0], d.span.start));
                let cause = codes(&report)
                    .first()
                    .is_some_and(|code| causes(kind).contains(code));
                named.add(cause, kind);
                one.add(single, kind);
                exact.add(near, kind);
                if !single || !near || !cause {
                    show(kind, document, &text, &report, places[0].start);
                }
            }
        }
    }
    one.floor("exactly one finding", 97.0);
    one.floor_of_each("exactly one finding", 90.0);
    exact.floor("exact place", 97.0);
    exact.floor_of_each("exact place", 60.0);
    named.floor("the cause is named", 97.0);
    named.floor_of_each("the cause is named", 90.0);
}

/// The codes for a kind of fault; the first is the expected one.
fn causes(kind: &str) -> &'static [&'static str] {
    match kind {
        "no-comma" => &["missing-comma"],
        "two-commas" => &["extra-comma"],
        "trailing-comma" => &["trailing-comma"],
        "no-colon" => &["missing-colon"],
        "equals" | "semicolon" | "comma-for-colon" | "colon-for-comma" => &["wrong-separator"],
        "no-brace" | "no-bracket" => &["unclosed-bracket", "truncated-input"],
        "no-opener" => &["missing-open-bracket", "extra-bracket"],
        "extra-closer" => &["extra-bracket"],
        "other-closer" => &["mismatched-bracket"],
        "key-no-opening-quote"
        | "key-no-closing-quote"
        | "no-opening-quote"
        | "no-closing-quote" => &["unterminated-string"],
        "single-quotes" => &["single-quotes"],
        "mixed-quotes" => &["single-quotes", "backtick-string"],
        "repeated-quote" => &["unexpected-text"],
        "bare-key" => &["unquoted-key"],
        "bare-value" | "unit" => &["unquoted-value"],
        "bare-element" => &["missing-comma", "unquoted-value"],
        "smart-quotes" => &["smart-quotes"],
        "python-literal" | "typo" => &["wrong-literal"],
        "leading-zero" => &["leading-zero"],
        "plus" => &["leading-plus"],
        "point" => &["missing-digits"],
        "hexadecimal" => &["non-decimal-number"],
        "not-a-number" => &["non-finite-number"],
        "bad-escape" => &["bad-escape"],
        "line-break" | "carriage-return" | "lines-of-code" => &["newline-in-string"],
        "tab" => &["control-character"],
        "inner-quotes" | "inner-quotes-and-comma" => &["unescaped-quote"],
        "comment" => &["comment"],
        "latin-1" | "cut-character" => &["invalid-utf8"],
        "minus" => &["bad-number"],
        "emphasis" => &["unquoted-value"],
        "no-break-space" => &["invalid-whitespace"],
        // The rest may look as if only a quote or a bracket were missing.
        "truncated" => &["truncated-input", "unclosed-bracket", "unterminated-string"],
        "no-value" => &["missing-value"],
        "no-key" => &["missing-key"],
        "ellipsis" => &["ellipsis"],
        "placeholder" => &["template-placeholder"],
        "second-document" => &["multiple-values"],
        "trailing-text" => &["trailing-content"],
        "digit-separator" => &["digit-separator"],
        "short-unicode-escape" => &["bad-unicode-escape"],
        "lone-surrogate" => &["lone-surrogate"],
        _ => unreachable!("{kind} has a cause"),
    }
}

/// A manifest broken in ten ways, two at a time: exactly those two are found, each with advice.
#[test]
fn a_manifest_broken_in_ten_ways_two_at_a_time() {
    const TEN: [&str; 10] = [
        "no-comma",
        "trailing-comma",
        "no-colon",
        "single-quotes",
        "bare-key",
        "comment",
        "no-closing-quote",
        "python-literal",
        "no-brace",
        "inner-quotes",
    ];
    let documents = documents();
    let manifest = documents
        .iter()
        .find(|document| document.name == "package.json")
        .expect("the manifest");
    let mut pairs = 0;
    for (number, first) in TEN.into_iter().enumerate() {
        for second in &TEN[number + 1..] {
            for seed in 0..40 {
                let mut random = Random(seed);
                let Some(a) = inject(manifest, first, &mut random) else {
                    continue;
                };
                let Some(b) = inject(manifest, second, &mut random) else {
                    continue;
                };
                let (before, after) = if a.replaced.start <= b.replaced.start {
                    (&a, &b)
                } else {
                    (&b, &a)
                };
                // Two mistakes on neighboring lines can look like a third.
                if after.replaced.start < before.replaced.end + 120 {
                    continue;
                }
                let (text, _) = apply(&manifest.text, &[before, after]);
                let report = examine(&text);
                let found = codes(&report);
                let text = String::from_utf8_lossy(&text);
                assert_eq!(found.len(), 2, "{first} and {second}: {found:?} in {text}");
                assert!(
                    causes(before.kind).contains(&found[0]),
                    "{}: {found:?} in {text}",
                    before.kind
                );
                assert!(
                    causes(after.kind).contains(&found[1]),
                    "{}: {found:?} in {text}",
                    after.kind
                );
                assert!(report.diagnostics.iter().all(|d| !d.label.is_empty()));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 800, "{pairs} pairs were tried");
}

/// Two faults, far enough apart to be distinct, of kinds that are reported separately.
fn pair(document: &Document, random: &mut Random) -> Option<(Fault, Fault)> {
    let first = inject(document, KINDS[random.below(KINDS.len())], random)?;
    let second = inject(document, KINDS[random.below(KINDS.len())], random)?;
    let (before, after) = if first.replaced.start <= second.replaced.start {
        (first, second)
    } else {
        (second, first)
    };
    let apart = after.replaced.start.saturating_sub(before.replaced.end) >= 16;
    let no_characters = ["latin-1", "cut-character"];
    let cut = before.kind == "truncated"
        || no_characters.contains(&before.kind) && no_characters.contains(&after.kind);
    // After the end of the document, there is only one finding.
    let both_after = ["second-document", "trailing-text"];
    let at_end = both_after.contains(&before.kind)
        || after.kind == "truncated" && both_after.contains(&before.kind);
    (apart && !cut && !at_end).then_some((before, after))
}

#[test]
fn two_faults_give_two_findings() {
    let mut both = Score::default();
    for (number, document) in documents().iter().enumerate() {
        let mut random = Random(77 + number as u64);
        for _ in 0..PAIRS {
            let Some((before, after)) = pair(document, &mut random) else {
                continue;
            };
            let (text, places) = apply(&document.text, &[&before, &after]);
            // Each must be a fault on its own.
            let alone =
                |fault: &Fault| jsonx_core::validate(&apply(&document.text, &[fault]).0).is_err();
            if !alone(&before) || !alone(&after) {
                continue;
            }
            let report = examine(&text);
            let found = report.diagnostics.len() == 2
                && report.diagnostics.iter().zip(&places).all(|(d, place)| {
                    is_exact(&text, place, d.span.start)
                        || same_line(&text, place.start, d.span.start)
                });
            both.add(found, &format!("{}+{}", before.kind, after.kind));
            if !found {
                show(
                    &format!("two {}+{}", before.kind, after.kind),
                    document,
                    &text,
                    &report,
                    places[0].start,
                );
            }
        }
    }
    both.floor("two faults, both and nothing else", 92.0);
}

/// In a document of many lines, the right line counts as found.
fn same_line(text: &[u8], a: usize, b: usize) -> bool {
    let (from, to) = (a.min(b), a.max(b));
    text.contains(&b'\n') && !text[from..to].contains(&b'\n')
}

#[test]
fn the_fixes_mend_the_text() {
    let (mut all, mut fixable, mut safe) = (Score::default(), Score::default(), Score::default());
    for (number, document) in documents().iter().enumerate() {
        for kind in KINDS {
            let mut random = Random(5_000_000 + number as u64);
            for _ in 0..EACH {
                let Some(fault) = inject(document, kind, &mut random) else {
                    continue;
                };
                let (text, places) = apply(&document.text, &[&fault]);
                if jsonx_core::validate(&text).is_ok() {
                    continue;
                }
                let report = examine(&text);
                let mended = jsonx_diagnose::apply(
                    &text,
                    &edits(&report.diagnostics, Applicability::Review),
                );
                let valid = jsonx_core::validate(&mended).is_ok();
                all.add(valid, kind);
                if !UNFIXABLE.contains(&kind) {
                    fixable.add(valid, kind);
                    if !valid {
                        show(
                            &format!("fix {kind}"),
                            document,
                            &text,
                            &report,
                            places[0].start,
                        );
                    }
                }
                let only_safe = report.diagnostics.iter().all(|d| {
                    d.fix
                        .as_ref()
                        .is_some_and(|fix| fix.applicability == Applicability::Safe)
                });
                if only_safe {
                    let mended = jsonx_diagnose::apply(
                        &text,
                        &edits(&report.diagnostics, Applicability::Safe),
                    );
                    let valid = jsonx_core::validate(&mended).is_ok();
                    assert!(valid, "{}: {kind}: {:?}", document.name, codes(&report));
                    safe.add(valid, kind);
                }
            }
        }
    }
    assert!(safe.of > 500, "safe fixes were tried: {}", safe.of);
    fixable.floor("all fixes applied, where the intention is known", 91.0);
    fixable.floor_of_each("all fixes applied", 85.0);
    all.floor("all fixes applied, every kind of fault", 78.0);
}
