//! Faults put into sound documents: what is reported, where, and whether the fixes mend it.
//!
//! The documents are our own; the faults are drawn with a fixed seed. Every figure has a floor.

mod inject;

use std::collections::BTreeMap;
use std::path::Path;

use inject::{Document, Fault, KINDS, Random, UNFIXABLE, apply, inject, is_exact};
use jsonx_core::diagnose::{self, Applicability, Options, Report, diagnose};

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
    diagnose(text, &Options::default())
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|d| d.code.as_str()).collect()
}

/// How often something held, and for how many of each kind it did not.
#[derive(Default)]
struct Score {
    held: usize,
    of: usize,
    misses: BTreeMap<String, usize>,
}

impl Score {
    fn add(&mut self, held: bool, kind: &str) {
        self.of += 1;
        self.held += usize::from(held);
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
}

/// Says which cases were missed, when asked to.
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
    let (mut one, mut exact) = (Score::default(), Score::default());
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
                let single = report.diagnostics.len() == 1;
                let near = report
                    .diagnostics
                    .first()
                    .is_some_and(|d| is_exact(&text, &places[0], d.span.start));
                one.add(single, kind);
                exact.add(near, kind);
                if !single || !near {
                    show(kind, document, &text, &report, places[0].start);
                }
            }
        }
    }
    one.floor("exactly one finding", 97.0);
    exact.floor("exact place", 97.0);
}

/// Two faults that are far enough apart not to be one, of kinds that are reported one by one.
fn pair(document: &Document, random: &mut Random) -> Option<(Fault, Fault)> {
    let first = inject(document, KINDS[random.below(KINDS.len())], random)?;
    let second = inject(document, KINDS[random.below(KINDS.len())], random)?;
    let (before, after) = if first.replaced.start <= second.replaced.start {
        (first, second)
    } else {
        (second, first)
    };
    let apart = after.replaced.start.saturating_sub(before.replaced.end) >= 16;
    let cut = before.kind == "truncated" || before.kind == after.kind && before.kind == "latin-1";
    // Behind the end of the document there is one thing to say.
    let both_after = ["second-document", "trailing-text"];
    let at_end = both_after.contains(&before.kind)
        || after.kind == "truncated" && both_after.contains(&before.kind);
    (apart && !cut && !at_end).then_some((before, after))
}

#[test]
fn two_faults_give_two_findings_and_nothing_else() {
    let mut both = Score::default();
    for (number, document) in documents().iter().enumerate() {
        let mut random = Random(77 + number as u64);
        for _ in 0..PAIRS {
            let Some((before, after)) = pair(document, &mut random) else {
                continue;
            };
            let (text, places) = apply(&document.text, &[&before, &after]);
            // Each must be a fault by itself.
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
                let mended = diagnose::apply(&text, &diagnose::edits(&report.diagnostics, false));
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
                    let mended =
                        diagnose::apply(&text, &diagnose::edits(&report.diagnostics, true));
                    let valid = jsonx_core::validate(&mended).is_ok();
                    assert!(valid, "{}: {kind}: {:?}", document.name, codes(&report));
                    safe.add(valid, kind);
                }
            }
        }
    }
    assert!(safe.of > 500, "safe fixes were tried: {}", safe.of);
    fixable.floor("all fixes applied, where what was meant can be told", 91.0);
    all.floor("all fixes applied, every kind of fault", 78.0);
}
