//! An error is reported exactly if the verdict path rejects the text, and the work is proportional to the length of any text.

#[allow(
    dead_code,
    reason = "only the documents' random numbers are needed here"
)]
use std::path::{Path, PathBuf};

use jsonx_core::engine::{Options as Verdict, validate_with};
use jsonx_diagnose::{
    Applicability, Code, DiagnoseOptions, Diagnostic, Framing, Lints, Report, Severity, Span,
    apply, diagnose, edits,
};
use jsonx_testing::inject::Random;
use jsonx_testing::suite;

/// Fragments for mutations.
const PIECES: [&str; 56] = [
    "｛",
    "］",
    "：",
    "，",
    "、",
    "C:\\new\\x",
    "None",
    "/*c*/",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "'",
    "`",
    "“",
    "”",
    " ",
    "\n",
    "\r",
    "\t",
    "0",
    "1",
    "-",
    "+",
    ".",
    "e",
    "true",
    "null",
    "nan",
    "a",
    "é",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "<<<<<<< x\n",
    "=======\n",
    ">>>>>>> y\n",
    "{{x}}",
    "${",
    "(",
    ")",
    "=",
    ";",
    "...",
    "\u{0}",
    "\u{a0}",
    "\u{feff}",
    "\\u12",
    "\"a\":",
    "_",
];

fn documents() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/documents");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the documents")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).expect("a document"))
        .collect()
}

/// Whether the verdict path accepts the text. A byte-order mark is a warning, and not part of the text.
fn is_json(text: &[u8], mode: jsonx_core::engine::Mode) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    validate_with(text, Verdict::default().mode(mode)).is_ok()
}

fn agree(text: &[u8]) {
    for (framing, verdict) in [
        (Framing::OneValue, jsonx_core::engine::Mode::One),
        (Framing::Stream, jsonx_core::engine::Mode::Stream),
    ] {
        let options = DiagnoseOptions::default().framing(framing);
        let report = diagnose(text, &options);
        let shown = String::from_utf8_lossy(&text[..text.len().min(2000)]).into_owned();
        assert_eq!(
            report.is_valid(),
            is_json(text, verdict),
            "{framing:?}: {shown:?}: {:#?}",
            report.diagnostics
        );
        let fell_back = report
            .diagnostics
            .iter()
            .any(|d| d.code == Code::SyntaxError);
        assert!(!fell_back, "no cause was found: {framing:?}: {shown:?}");
        let most = 60 * text.len() as u64 + 1000;
        assert!(report.steps <= most, "{} steps: {shown:?}", report.steps);
        let examined = report.text.as_deref().unwrap_or(text);
        let inside = characters(examined);
        for d in &report.diagnostics {
            for span in spans(d) {
                assert!(
                    span.start <= span.end && span.end <= examined.len(),
                    "outside the text: {shown:?}: {d:?}"
                );
                assert!(
                    !inside[span.start] && !inside[span.end],
                    "inside a character: {shown:?}: {d:?}"
                );
            }
            assert!(
                !d.message.is_empty() && !d.message.contains('\n') && !d.message.ends_with('.'),
                "{d:?}"
            );
            assert!(!d.label.is_empty(), "{d:?}");
        }
        fixes_hold(examined, &report, &options, &shown);
    }
}

/// Whether an offset is inside a character: one flag for each byte, and one for the end.
fn characters(text: &[u8]) -> Vec<bool> {
    let mut inside = Vec::with_capacity(text.len() + 1);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            inside.push(false);
            inside.extend(std::iter::repeat_n(true, c.len_utf8() - 1));
        }
        inside.extend(std::iter::repeat_n(false, chunk.invalid().len()));
    }
    inside.push(false);
    inside
}

/// Every span of a finding.
fn spans(d: &Diagnostic) -> Vec<Span> {
    let mut spans = vec![d.span];
    spans.extend(&d.more);
    spans.extend(d.related.iter().map(|related| related.span));
    spans.extend(d.show.iter().map(|&at| Span::point(at)));
    if let Some(fix) = &d.fix {
        spans.extend(fix.edits.iter().map(|edit| edit.span));
    }
    spans
}

/// Safe fixes do not overlap, and applying them all removes their errors.
fn fixes_hold(text: &[u8], report: &Report, options: &DiagnoseOptions, shown: &str) {
    for with in [Applicability::Safe, Applicability::Review] {
        let chosen = edits(&report.diagnostics, with);
        let mut end = 0;
        for edit in &chosen {
            assert!(
                end <= edit.span.start,
                "fixes overlap: {shown:?}: {chosen:#?}"
            );
            end = edit.span.end;
        }
        apply(text, &chosen);
    }
    let is_safe = |d: &Diagnostic| {
        d.fix
            .as_ref()
            .is_some_and(|fix| fix.applicability == Applicability::Safe)
    };
    let offered = report.diagnostics.iter().filter(|d| is_safe(d));
    let offered: usize = offered
        .flat_map(|d| &d.fix)
        .map(|fix| fix.edits.len())
        .sum();
    assert_eq!(
        offered,
        edits(&report.diagnostics, Applicability::Safe).len(),
        "safe fixes exclude each other: {shown:?}: {:#?}",
        report.diagnostics
    );
    let errors = || {
        report
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
    };
    if report.omitted.is_empty() && errors().all(is_safe) {
        let fixed = apply(text, &edits(&report.diagnostics, Applicability::Safe));
        let after = diagnose(&fixed, options);
        assert!(
            after.is_valid(),
            "{shown:?} became {:?}: {:#?}",
            String::from_utf8_lossy(&fixed),
            after.diagnostics
        );
    }
}

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(20) {
        0 => vec![(random.draw() & 0xFF) as u8],
        _ => PIECES[random.below(PIECES.len())].as_bytes().to_vec(),
    }
}

fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        match random.below(4) {
            0 => {
                text.splice(at..at, piece(random));
            }
            1 => {
                let end = (at + 1 + random.below(3)).min(text.len());
                text.splice(at..end, piece(random));
            }
            2 => {
                let end = (at + 1 + random.below(4)).min(text.len());
                text.drain(at..end);
            }
            _ => text.truncate(at.max(1)),
        }
    }
    text
}

/// All of them in CI, an eighth elsewhere.
fn rounds(full: usize) -> usize {
    match std::env::var_os("JSONX_CASES") {
        Some(_) => full,
        None => full / 8,
    }
}

/// No span, related ones included, ends inside a character if quotes have several bytes.
#[test]
fn typographic_quotes() {
    for text in ["“c”1", "“c”“d”", "{“c”1}", "[«é»2 ‘é’]", "“c” \u{1F600}"]
    {
        agree(text.as_bytes());
    }
}

#[test]
fn mutated_documents() {
    let documents = documents();
    let mut random = Random(20_240_709);
    for _ in 0..rounds(100_000) {
        let document = &documents[random.below(documents.len())];
        // A fragment of a document is faster, and breaks in the same ways.
        let start = random.below(document.len());
        let end = (start + 200).min(document.len());
        let text = mutate(&document[start..end], &mut random);
        agree(&text);
    }
    for _ in 0..rounds(6_000) {
        let document = &documents[random.below(documents.len())];
        agree(&mutate(document, &mut random));
    }
}

/// A small document, token by token.
const TOKENS: [&str; 36] = [
    "{", "\"a\"", ":", "1", ",", "\n  ", "\"b\"", ":", " ", "[", "\"é\"", ",", " ", "true", ",",
    "-2.5e3", "]", ",", "\n  ", "\"c\"", ": ", "{", "\"d\"", ":", "null", ",", "\"e\"", ":",
    "\"x y\"", "}", ",", "\"f\"", ":", "[]", "}", "\n",
];

/// Common replacements of a token.
const FAULTS: [&str; 40] = [
    "=",
    ":=",
    "=>",
    ";",
    ",,",
    "::",
    "'a'",
    "“c”",
    "`x`",
    "a",
    "key",
    "True",
    "None",
    "NaN",
    "0x1F",
    "+1",
    ".5",
    "1.",
    "1_000",
    "007",
    "1,5",
    "10n",
    "--1",
    "(1, 2)",
    "(",
    ")",
    "// no\n",
    "/* no */",
    "# no\n",
    "...",
    "${x}",
    "\"\\x41\"",
    "\"a\tb\"",
    "\"a\nb\"",
    "\"a\\\nb\"",
    "\"\\u{41}\"",
    "\u{a0}",
    "\u{200b}",
    "\0",
    "undefined",
];

#[test]
fn faulty_tokens() {
    let mut random = Random(41);
    for _ in 0..rounds(60_000) {
        agree(&faulty(&mut random));
    }
}

/// A document with one to three tokens missing, doubled or replaced.
fn faulty(random: &mut Random) -> Vec<u8> {
    let mut tokens = TOKENS.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        match random.below(5) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens[at] = FAULTS[random.below(FAULTS.len())],
            _ => tokens.insert(at, FAULTS[random.below(FAULTS.len())]),
        }
    }
    tokens.concat().into_bytes()
}

#[test]
fn pieces_at_random() {
    let mut random = Random(7);
    for _ in 0..rounds(120_000) {
        let mut text = Vec::new();
        for _ in 0..=random.below(14) {
            text.extend(piece(&mut random));
        }
        agree(&text);
    }
}

#[test]
fn lines_are_examined_one_by_one() {
    let mut random = Random(11);
    let options = DiagnoseOptions::default().framing(Framing::Lines);
    for _ in 0..rounds(100_000) {
        let mut text = Vec::new();
        for _ in 0..=random.below(20) {
            text.extend(piece(&mut random));
        }
        if text.starts_with(b"\xEF\xBB\xBF")
            || diagnose(&text, &DiagnoseOptions::default()).text.is_some()
        {
            continue;
        }
        let report = diagnose(&text, &options);
        if report
            .diagnostics
            .iter()
            .any(|d| d.code == Code::WrongFormat)
        {
            continue;
        }
        let blank = |line: &[u8]| line.iter().all(|byte| b" \t\r".contains(byte));
        let bad = text
            .split(|&byte| byte == b'\n')
            .filter(|line| !blank(line))
            .zip(1u64..)
            .filter(|(line, _)| validate_with(line, Verdict::default()).is_err());
        let bad: Vec<u64> = bad.map(|(_, number)| number).collect();
        let mut found: Vec<u64> = report
            .diagnostics
            .iter()
            .filter(|d| d.severity == jsonx_diagnose::Severity::Error)
            .map(|d| d.record.expect("a record"))
            .collect();
        found.dedup();
        assert_eq!(found, bad, "{:?}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn the_suite_of_conformance() {
    let Some(folder) = suite("JSONTestSuite/test_parsing") else {
        return;
    };
    let (mut sound, mut broken) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the suite") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read(&path).expect("a file");
        let report = diagnose(&text, &DiagnoseOptions::default());
        match &name[..2] {
            "y_" => {
                sound += 1;
                assert_eq!(report.errors, 0, "{name}: {:?}", report.diagnostics);
            }
            "n_" => {
                broken += 1;
                assert!(report.errors > 0, "{name}");
                let caused = report
                    .diagnostics
                    .iter()
                    .all(|d| d.code != Code::SyntaxError);
                assert!(caused, "{name}: a cause is named");
            }
            _ => {}
        }
    }
    assert!(
        sound >= 95 && broken >= 188,
        "{sound} sound, {broken} broken: the suite is whole"
    );
}

/// Texts for finding rules with superlinear lookahead: a start, a repeated middle, and an end.
const HOSTILE: [(&str, &str, &str); 47] = [
    ("[\"", "\\\n", "\"]"),
    ("[", "\"a\\\n    ", "\"]"),
    ("[\"a\n", "          \n", "\"]"),
    ("", "[", ""),
    ("", "{", ""),
    ("", "{\"a\":", ""),
    ("", "[{\"a\":", ""),
    ("", "]", ""),
    ("", "a", ""),
    ("", "a ", ""),
    ("[", "a,", "]"),
    ("[", "a,", "\""),
    ("[", "a(,", ")"),
    ("[", "a(,", ""),
    ("[", ",", "]"),
    ("[", "1 ", "]"),
    ("{", "\"a\" ", "}"),
    ("{", "1,", "]"),
    ("{", "{,", "]"),
    ("[\"", "\"", ""),
    ("[\"", "a\"b", ""),
    ("[\"", "a\" b", ""),
    ("[\"", "\n", ""),
    ("[\"", "\n", "\"]"),
    ("[", "\"\n", "]"),
    ("[\"", "\\x", "\"]"),
    ("[\"", "\t", "\"]"),
    ("[", "'", "]"),
    ("[", "'a' ", "]"),
    ("[", "`", "]"),
    ("[", "“", "]"),
    ("", "/*", ""),
    ("", "//\n", "1"),
    ("", "/**/", "1"),
    ("", "#", ""),
    ("", "<<<<<<< a\n", ""),
    ("", "<<<<<<< a\n=======\n", ">>>>>>> b\n"),
    ("", "\u{a0}", ""),
    ("", "\u{0}", ""),
    ("[", "{{", ""),
    ("{", "a:1,", "}"),
    ("{", "\"a\":1,", "}"),
    ("[", "\\\"", "]"),
    ("[", "1}", "]"),
    ("", "[1}\n", ""),
    ("[", "\n }\n  ]", "]"),
    ("{", "\"a\": \n \"b\": {\n", "}"),
];

#[test]
fn the_work_is_linear_in_the_length() {
    for (head, body, tail) in HOSTILE {
        let mut per_byte = Vec::new();
        for size in [20_000, 160_000] {
            let text = [head, &body.repeat(size / body.len()), tail].concat();
            let options = DiagnoseOptions::default().lints(Lints::ALL).limit(20);
            let report = diagnose(text.as_bytes(), &options);
            assert!(report.diagnostics.len() <= 40, "{body:?}");
            per_byte.push(report.steps as f64 / text.len() as f64);
        }
        assert!(
            per_byte[1] < 1.5 * per_byte[0] + 2.0,
            "{head:?} {body:?} {tail:?}: {per_byte:?} steps a byte"
        );
        assert!(
            per_byte[1] < 40.0,
            "{head:?} {body:?} {tail:?}: {per_byte:?} steps a byte"
        );
    }
}

#[test]
fn the_work_is_linear_on_texts_made_of_rules() {
    // Any two pieces in turn, so that rules meet each other.
    for first in PIECES {
        for second in PIECES {
            let text = format!("[{}", format!("{first}{second} ").repeat(4_000));
            let report = diagnose(text.as_bytes(), &DiagnoseOptions::default().limit(5));
            let per_byte = report.steps as f64 / text.len() as f64;
            assert!(
                per_byte < 40.0,
                "{first:?} {second:?}: {per_byte} steps a byte"
            );
        }
    }
}
