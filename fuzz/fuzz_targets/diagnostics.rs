//! For any text in any mode, findings agree with the verdict, lie inside the text, contain no control characters, and take time
//! proportional to its length.

#![no_main]

use jsonx_core::engine::{Mode, Options, validate_with};
use jsonx_diagnose::{
    Applicability, DiagnoseOptions, Diagnostic, Framing, Lints, apply, diagnose, edits,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for framing in [Framing::OneValue, Framing::Lines, Framing::Stream] {
        check(text, framing);
    }
});

fn check(text: &[u8], framing: Framing) {
    let options = DiagnoseOptions::default()
        .framing(framing)
        .lints(Lints::ALL)
        .limit(50);
    let report = diagnose(text, &options);
    assert_eq!(report.is_valid(), is_valid(text, framing), "{framing:?}");
    let steps = 60 * text.len() as u64 + 1000;
    assert!(report.steps <= steps, "{framing:?}: {} steps", report.steps);
    let length = report.text.as_ref().map_or(text.len(), Vec::len);
    for diagnostic in &report.diagnostics {
        is_fit(diagnostic, length);
    }
    for with in [Applicability::Safe, Applicability::Review] {
        apply(text, &edits(&report.diagnostics, with));
    }
    // A limit returns the first of the same findings.
    let one = options.limit(1);
    let fewer = diagnose(text, &one);
    assert_eq!(
        (fewer.errors, fewer.warnings),
        (report.errors, report.warnings)
    );
    assert!(fewer.diagnostics.len() <= 2);
}

fn is_valid(text: &[u8], framing: Framing) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let verdict = |text: &[u8], mode| validate_with(text, Options::default().mode(mode)).is_ok();
    match framing {
        Framing::OneValue => verdict(text, Mode::One),
        Framing::Stream => verdict(text, Mode::Stream),
        Framing::Lines => text.split(|&byte| byte == b'\n').all(|line| {
            let blank = line.iter().all(|byte| b" \t\r".contains(byte));
            blank || verdict(line, Mode::One)
        }),
    }
}

fn is_fit(diagnostic: &Diagnostic, length: usize) {
    let spans = [diagnostic.span].into_iter();
    let spans = spans.chain(diagnostic.more.iter().copied());
    let spans = spans.chain(diagnostic.related.iter().map(|related| related.span));
    for span in spans {
        assert!(
            span.start <= span.end && span.end <= length,
            "{diagnostic:?}"
        );
    }
    assert!(!diagnostic.message.is_empty(), "{diagnostic:?}");
    let texts = [&diagnostic.message, &diagnostic.label].into_iter();
    for text in texts.chain(&diagnostic.notes).chain(&diagnostic.help) {
        assert!(!text.chars().any(char::is_control), "{diagnostic:?}");
    }
}
