//! Every kernel gives the verdict and the offset of the reference parser, in windows and all at once, and errors are
//! reported exactly for invalid text.

#![no_main]

use std::convert::Infallible;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{
    Kernel, Mode, Options, Stop, TextSegment, Validator, Verdict, validate_with,
};
use jsonx_diagnose::{Applicability, Code, DiagnoseOptions, Framing, apply, diagnose, edits};
use jsonx_fuzz::{MODES, in_windows};
use jsonx_testing::reference::first_error;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for mode in MODES {
        verdicts_agree(text, mode);
        report_agrees(text, mode);
    }
});

/// The verdict on a text in windows of `size` bytes.
fn verdict(text: &[u8], options: Options, size: usize) -> Result<(), SyntaxError> {
    in_windows(text, options, size, &mut Verdict).map_err(invalid)
}

/// The error in a text; the sink has none.
fn invalid(stop: Stop<Infallible>) -> SyntaxError {
    match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    }
}

/// The verdict on a text in segments of `size` bytes, each checked without the text before it.
fn segmented(text: &[u8], options: Options, size: usize) -> Result<(), SyntaxError> {
    let mut validator = Validator::new(options);
    for part in text.chunks(size) {
        let segment = TextSegment::new(part, validator.offset(), options, &mut Verdict);
        validator
            .join(&segment, Verdict, &mut Verdict)
            .map_err(invalid)?;
    }
    validator.finish(Verdict).map_err(invalid)
}

fn verdicts_agree(text: &[u8], mode: Mode) {
    let options = Options::default().mode(mode);
    let expected = validate_with(text, options.kernel(Kernel::swar()));
    let first = first_error(text, mode == Mode::Stream);
    assert_eq!(
        expected.err().map(|error| error.offset),
        first.map(|at| at as u64),
        "{mode:?}: {expected:?}"
    );
    for kernel in Kernel::available() {
        for size in [64, usize::MAX] {
            assert_eq!(
                verdict(text, options.kernel(kernel), size),
                expected,
                "{mode:?} with {kernel:?} in windows of {size}"
            );
        }
        for size in [16, 100] {
            assert_eq!(
                segmented(text, options.kernel(kernel), size),
                expected,
                "{mode:?} with {kernel:?} in segments of {size}"
            );
        }
    }
}

fn report_agrees(text: &[u8], mode: Mode) {
    let options = DiagnoseOptions::default().framing(match mode {
        Mode::One => Framing::OneValue,
        Mode::Stream => Framing::Stream,
    });
    let report = diagnose(text, &options);
    // A byte-order mark is a warning, and not part of the text.
    let bare = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let verdict = validate_with(bare, Options::default().mode(mode));
    assert_eq!(
        report.is_valid(),
        verdict.is_ok(),
        "{mode:?}: {verdict:?}, and the report is {:#?}",
        report.diagnostics
    );
    let length = report.text.as_ref().map_or(text.len(), Vec::len);
    for d in &report.diagnostics {
        assert_ne!(d.code, Code::SyntaxError, "no cause was found: {mode:?}");
        assert!(
            d.span.start <= d.span.end && d.span.end <= length,
            "outside of the text: {d:?}"
        );
    }
    // Applying fixes must not panic, whatever they are.
    apply(text, &edits(&report.diagnostics, Applicability::Review));
}
