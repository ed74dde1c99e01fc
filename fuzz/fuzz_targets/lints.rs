//! Lints find the same in valid text as `diagnose`, with every kernel and window, and in segments linted separately.

#![no_main]

use jsonx_core::engine::{Kernel, Mode, Options, SegmentedSink, TextSegment, Validator};
use jsonx_diagnose::lint::{Findings, Linter};
use jsonx_diagnose::{DiagnoseOptions, Diagnostic, Framing, Lints, diagnose};
use jsonx_fuzz::{MODES, in_windows};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &[u8]| -> Corpus {
    let mut valid = false;
    for mode in MODES {
        if let Some(expected) = expected(text, mode) {
            valid = true;
            check(text, mode, &expected);
        }
    }
    match valid {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});

/// The findings of the cold path, if the text is valid.
fn expected(text: &[u8], mode: Mode) -> Option<Vec<Diagnostic>> {
    // The mark is not part of the text.
    if text.starts_with(b"\xEF\xBB\xBF") {
        return None;
    }
    let options = DiagnoseOptions::default()
        .framing(match mode {
            Mode::One => Framing::OneValue,
            Mode::Stream => Framing::Stream,
        })
        .lints(Lints::ALL)
        .limit(0);
    let report = diagnose(text, &options);
    report.is_valid().then_some(report.diagnostics)
}

fn check(text: &[u8], mode: Mode, expected: &[Diagnostic]) {
    for kernel in Kernel::available() {
        for size in [64, 256, usize::MAX] {
            let options = Options::default().mode(mode).kernel(kernel);
            let mut linter = Linter::new(Lints::ALL, 0);
            in_windows(text, options, size, &mut linter).expect("valid text");
            let report = linter.finish().report(text, 0, mode);
            assert_eq!(
                report.diagnostics, expected,
                "{mode:?} with {kernel:?} in windows of {size}"
            );
        }
        for size in [32, 100] {
            let options = Options::default().mode(mode).kernel(kernel);
            let report = in_segments(text, options, size).report(text, 0, mode);
            assert_eq!(
                report.diagnostics, expected,
                "{mode:?} with {kernel:?} in segments of {size}"
            );
        }
    }
}

/// The findings in a text whose segments of `size` bytes are linted separately.
fn in_segments(text: &[u8], options: Options, size: usize) -> Findings {
    let mut linter = Linter::new(Lints::ALL, 0);
    let mut validator = Validator::new(options);
    for part in text.chunks(size) {
        let mut work = linter.for_segment();
        let segment = TextSegment::new(part, validator.offset(), options, &mut work);
        let joined = validator.join(&segment, work, &mut linter);
        joined.expect("valid text");
    }
    validator.finish(linter).expect("valid text")
}
