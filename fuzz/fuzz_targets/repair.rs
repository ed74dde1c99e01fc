//! For any text, the repair is valid or refused, valid text is unchanged, repairing is idempotent, and the work is
//! proportional to the length.

#![no_main]

use jsonx_core::engine::{Mode, Options, validate_with};
use jsonx_diagnose::repair::{RepairOptions, repair};
use jsonx_diagnose::{Applicability, Framing};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for framing in [Framing::OneValue, Framing::Lines, Framing::Stream] {
        for with in [Applicability::Safe, Applicability::Review] {
            check(text, framing, with);
        }
    }
});

fn check(text: &[u8], framing: Framing, with: Applicability) {
    let options = RepairOptions::default()
        .framing(framing)
        .with(with)
        .limit(50);
    let repaired = repair(text, &options);
    if is_valid(text, framing) {
        assert_eq!(repaired.text, text);
        assert!(repaired.is_valid() && repaired.changes.is_empty());
    }
    if with == Applicability::Safe {
        assert_eq!(repaired.guesses, 0);
    }
    let source = repaired.source.as_deref().unwrap_or(text);
    for change in &repaired.changes {
        assert!(change.span.start <= change.span.end && change.span.end <= source.len());
        assert!(!change.message.chars().any(char::is_control), "{change:?}");
    }
    if repaired.is_valid() {
        let marked = repaired.text.strip_prefix(b"\xEF\xBB\xBF");
        let body = marked.unwrap_or(&repaired.text);
        assert!(is_valid(body, repaired.framing), "{repaired:?}");
        let again = options.framing(repaired.framing);
        assert_eq!(repair(&repaired.text, &again).text, repaired.text);
    } else {
        assert!(repaired.left.errors > 0);
    }
    let steps = 1000 * text.len() as u64 + 20_000;
    assert!(repaired.steps <= steps, "{} steps", repaired.steps);
}

fn is_valid(text: &[u8], framing: Framing) -> bool {
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
