//! Every kernel, every window size and the byte-at-a-time machine return the same verdict at the same offset as a reference
//! that shares no code with them.

mod scalars;
mod segments;
mod sinks;

use jsonx_testing::cases;
use proptest::prelude::*;

use crate::SyntaxError;
use crate::engine::{
    Checkpoints, Kernel, Mode, Options, SegmentedSink, Sink, Stop, TextSegment, Validator, Verdict,
    validate_with,
};
use crate::verify::machine::Machine;
pub(crate) use jsonx_testing::documents::valid_text;
use jsonx_testing::reference::first_error;

/// The verdict of the byte-at-a-time machine.
fn machine(text: &[u8], mode: Mode, max_depth: u64) -> Result<(), SyntaxError> {
    let mut machine = Machine::new(mode == Mode::Stream, max_depth);
    machine.run(text).map_err(|(kind, at)| SyntaxError {
        kind,
        offset: at as u64,
    })?;
    machine.finish().map_err(|kind| SyntaxError {
        kind,
        offset: text.len() as u64,
    })
}

/// The verdict on an input read in windows of `size` bytes.
pub(crate) fn windowed(text: &[u8], options: Options, size: usize) -> Result<(), SyntaxError> {
    let mut validator = Validator::new(options);
    let verdict = |stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    };
    for window in text.chunks(size) {
        validator.write(window, &mut Verdict).map_err(verdict)?;
    }
    validator.finish(Verdict).map_err(verdict)
}

/// The verdict on an input that is checked in segments of `size` bytes, each without the preceding text, and the number of
/// segments with right guesses. Checking continues from some of the checkpoints with the same result.
fn segmented(text: &[u8], options: Options, size: usize) -> (Result<(), SyntaxError>, usize) {
    let mut validator = Validator::new(options);
    let mut right = 0;
    let mut checkpoints = Vec::new();
    let mut sink = Checkpoints::new(size as u64 / 2, |state: &Validator| {
        checkpoints.push(state.clone())
    });
    let join = || {
        for part in text.chunks(size) {
            let mut work = sink.for_segment();
            let segment = TextSegment::new(part, validator.offset(), options, &mut work);
            right += usize::from(validator.join(&segment, work, &mut sink)?);
        }
        validator.finish(&mut sink)
    };
    let verdict = join().map_err(|stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    });
    for checkpoint in checkpoints.into_iter().step_by(7) {
        let rest = &text[checkpoint.offset() as usize..];
        let again = checkpoint.check(rest, Verdict).map_err(|stop| match stop {
            Stop::Invalid(error) => error,
            Stop::Sink(never) => match never {},
        });
        assert_eq!(again, verdict, "from a checkpoint");
    }
    (verdict, right)
}

/// Passes an input to a sink line by line, as from a pipe.
fn in_lines<S: Sink>(text: &[u8], options: Options, sink: &mut S) -> Result<(), Stop<S::Error>> {
    let mut validator = Validator::new(options);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        validator.write(line, sink)?;
        validator.flush(sink)?;
    }
    validator.finish(sink)
}

/// The verdict if each window is checked with a different kernel.
fn in_turns(text: &[u8], mode: Mode, max_depth: u64) -> Result<(), SyntaxError> {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    let mut validator = Validator::new(Options::default().mode(mode).max_depth(max_depth));
    let verdict = |stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    };
    for (number, window) in text.chunks(64).enumerate() {
        validator.kernel = Some(kernels[number % kernels.len()]);
        validator.write(window, &mut Verdict).map_err(verdict)?;
    }
    validator.kernel = None;
    validator.finish(Verdict).map_err(verdict)
}

fn check(text: &[u8], mode: Mode, max_depth: u64) {
    let expected = machine(text, mode, max_depth);
    if max_depth == u64::MAX {
        let first = first_error(text, mode == Mode::Stream);
        let at = expected.err().map(|error| error.offset);
        assert_eq!(at, first.map(|at| at as u64), "the plain reference");
    }
    assert_eq!(
        in_turns(text, mode, max_depth),
        expected,
        "kernels in turns"
    );
    for kernel in Kernel::available() {
        let options = Options::default()
            .mode(mode)
            .max_depth(max_depth)
            .kernel(kernel);
        let shown = String::from_utf8_lossy(&text[..text.len().min(400)]);
        assert_eq!(
            validate_with(text, options),
            expected,
            "{kernel:?} on {shown:?}"
        );
        let lined = in_lines(text, options, &mut Verdict).map_err(|stop| match stop {
            Stop::Invalid(error) => error,
            Stop::Sink(never) => match never {},
        });
        assert_eq!(lined, expected, "{kernel:?} line by line on {shown:?}");
        for size in [16, 64, 100, 1000] {
            assert_eq!(
                segmented(text, options, size).0,
                expected,
                "{kernel:?} in segments of {size} on {shown:?}"
            );
        }
        for size in [64, 65, 127, 128, 192, 1000, 8192] {
            assert_eq!(
                windowed(text, options, size),
                expected,
                "{kernel:?} in windows of {size} on {shown:?}"
            );
        }
    }
}

/// Fragments from which inputs are generated: tokens, halves of tokens, and invalid bytes.
const FRAGMENTS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b" ",
    b"\n",
    b"\t",
    b"\r",
    b"  ",
    b"\"a\"",
    b"\"\"",
    b"\"",
    b"\\",
    b"\\\"",
    b"\\u",
    b"00e9",
    b"\\ud83d",
    b"\\n",
    b"\\x",
    b"1",
    b"0",
    b"-",
    b"-1",
    b"01",
    b"1.5",
    b".",
    b"e",
    b"E+",
    b"1e5",
    b"1E-07",
    b"0.0",
    b"123456789012345678901234567890",
    b"true",
    b"false",
    b"null",
    b"tru",
    b"nul",
    b"falsey",
    b"\x00",
    b"\x1f",
    b"\x7f",
    b"\x80",
    b"\xc0",
    b"\xc3",
    b"\xc3\xa9",
    b"\xe2\x82\xac",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\xf0\x9f\x98",
    b"\xf4\x90\x80\x80",
    b"\xf8",
    b"\xff",
    b"\xef\xbb\xbf",
    b"{}",
    b"[]",
    b"{\"k\":",
    b"[1,",
    b"\"k\":",
    b"\x1a",
    b"\x0c",
    b"0123456789abcdefABCDEF",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(FRAGMENTS), 0..120)
        .prop_map(|pieces| pieces.concat())
}

fn valid() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u32>(), 0..400).prop_map(|choices| valid_text(&choices))
}

/// A valid document with one to three edits.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0..4_u8,
        prop::sample::select(FRAGMENTS),
    );
    (valid(), prop::collection::vec(edit, 1..4)).prop_map(|(mut text, edits)| {
        for (place, what, piece) in edits {
            let at = place.index(text.len() + 1);
            match what {
                0 => drop(text.splice(at..at, piece.iter().copied())),
                1 if at < text.len() => drop(text.remove(at)),
                2 if at < text.len() => text[at] = piece[0],
                _ => text.truncate(at),
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn on_token_soup(text in soup(), stream: bool, max_depth in prop::sample::select(&[u64::MAX, 0, 1, 3][..])) {
        check(&text, if stream { Mode::Stream } else { Mode::One }, max_depth);
    }

    #[test]
    fn on_valid_texts(text in valid()) {
        prop_assert_eq!(machine(&text, Mode::One, u64::MAX), Ok(()));
        check(&text, Mode::One, u64::MAX);
        check(&text, Mode::Stream, u64::MAX);
        check(&text, Mode::One, 2);
    }

    #[test]
    fn on_mutated_texts(text in mutated(), stream: bool) {
        check(&text, if stream { Mode::Stream } else { Mode::One }, u64::MAX);
    }

    #[test]
    fn consumers_line_by_line(
        texts in prop::collection::vec(valid(), 0..5),
        gap in prop::sample::select(&["\n", " \n\n", "\r\n \r\n"][..]),
    ) {
        let text = texts.join(gap.as_bytes());
        let paths = [".a", "..", ".[0]"].map(|path| crate::path::Path::parse(path).unwrap());
        for kernel in Kernel::available() {
            let options = Options::default().mode(Mode::Stream).kernel(kernel);
            for style in [crate::format::Style::Compact, crate::format::Style::Pretty(crate::format::Indent::Spaces(2))] {
                let mut whole = crate::format::Formatter::new(style, Vec::new());
                let mut lined = crate::format::Formatter::new(style, Vec::new());
                Validator::new(options).check(&text, &mut whole).unwrap();
                in_lines(&text, options, &mut lined).unwrap();
                prop_assert_eq!(lined.finish(), whole.finish());
            }
            let ask = || crate::query::Query::new(&paths, crate::query::QueryOptions::default().locations(true));
            let (mut whole, mut lined) = (ask(), ask());
            Validator::new(options).check(&text, &mut whole).unwrap();
            in_lines(&text, options, &mut lined).unwrap();
            whole.end();
            lined.end();
            prop_assert!(lined.answers().eq(whole.answers()));
        }
    }

    #[test]
    fn on_streams(texts in prop::collection::vec(valid(), 0..5), gap in prop::sample::select(&["", " ", "\n", "\r\n\n", ","][..])) {
        let text = texts.join(gap.as_bytes());
        check(&text, Mode::Stream, u64::MAX);
        check(&text, Mode::One, u64::MAX);
    }

    #[test]
    fn with_serde_json(text in mutated()) {
        // Differences of serde_json: it limits depth and the range of numbers, and rejects lone surrogates.
        let ours = machine(&text, Mode::One, u64::MAX);
        match serde_json::from_slice::<serde_json::Value>(&text) {
            Ok(_) => prop_assert_eq!(ours, Ok(())),
            Err(error) => {
                let known = ["recursion limit", "number out of range", "lone leading surrogate", "unexpected end of hex escape"];
                let excused = known.iter().any(|known| error.to_string().contains(known));
                prop_assert!(ours.is_err() || excused, "{}", error);
            }
        }
    }
}

/// Every short input over a small alphabet, after a run of white space that shifts it to each position of a block.
#[test]
fn on_all_short_texts_at_block_boundaries() {
    let alphabet = b"{}[]:,\"\\u0-1.eE+t \x1f\xc3\xa9";
    let mut texts = vec![Vec::new()];
    for _ in 0..3 {
        texts = texts
            .iter()
            .flat_map(|text: &Vec<u8>| {
                alphabet.iter().map(move |&byte| {
                    let mut longer = text.clone();
                    longer.push(byte);
                    longer
                })
            })
            .collect();
        for (number, text) in texts.iter().enumerate() {
            for prefix in ["", "[", "[\"", "{\"a\":", "{\"a\":1,", "[1", "[1.5e"] {
                let spaces = 60 - (number % 7) - prefix.len().min(8);
                let text = [" ".repeat(spaces).as_bytes(), prefix.as_bytes(), text].concat();
                let expected = machine(&text, Mode::One, u64::MAX);
                for kernel in Kernel::available() {
                    let options = Options::default().kernel(kernel);
                    let shown = String::from_utf8_lossy(&text);
                    assert_eq!(
                        validate_with(&text, options),
                        expected,
                        "{kernel:?} on {shown:?}"
                    );
                    assert_eq!(
                        windowed(&text, options, 64),
                        expected,
                        "{kernel:?} in windows on {shown:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn on_literals_numbers_and_sequences_truncated_at_every_position() {
    let tokens: [&[u8]; 8] = [
        b"true",
        b"false",
        b"null",
        b"-12.5e+10",
        b"0.0E-7",
        b"\"\\ud83d\\ude00\\\\\"",
        "\"\u{e9}\u{20ac}\u{1F600}\"".as_bytes(),
        b"{\"a\":[]}",
    ];
    for token in tokens {
        for spaces in 40..70 {
            for wrong in [
                None,
                Some(b'x'),
                Some(b'"'),
                Some(0xC3),
                Some(b'0'),
                Some(b' '),
            ] {
                for at in 0..=token.len() {
                    let mut text = [b"[".as_slice(), &b" ".repeat(spaces), &token[..at]].concat();
                    text.extend(wrong);
                    text.extend(&token[at..]);
                    text.extend(b"]");
                    check(&text, Mode::One, u64::MAX);
                    text.truncate(spaces + 1 + at);
                    check(&text, Mode::One, u64::MAX);
                }
            }
        }
    }
}

/// Bugs of other parsers, from their issue trackers: the input, and the offset of the error.
#[test]
fn on_bugs_of_other_parsers() {
    let long = "9".repeat(1_000);
    let far = format!("-1e-{long}");
    let cases: [(&[u8], Option<usize>); 16] = [
        // Overlong, out of range, lone surrogate, and truncated sequences, in strings and outside (simdjson 1169,
        // 1187).
        (b"\xff", Some(0)),
        (b"\"\xf0\x8f\xbf\xbf\"", Some(2)),
        (b"\"\xf4\x90\x80\x80\"", Some(2)),
        (b"\"\xed\xa0\x80\"", Some(2)),
        (b"\"\xf0\x9f\x98", Some(4)),
        // A quote inside an escape, at the end (simdjson 404).
        (b"\"\\u", Some(3)),
        (b"\"\\u\"", Some(3)),
        (b"\"\\u12\"", Some(5)),
        (b"\"\\", Some(2)),
        // Numbers beyond the range of a double are valid (simd-json 268, CVE-2023-50246).
        (b"9e999", None),
        (far.as_bytes(), None),
        (long.as_bytes(), None),
        (b"-", Some(1)),
        // Bytes after NUL are part of the input (CVE-2026-33948).
        (b"1\0", Some(1)),
        (b"{}\0{", Some(2)),
        (b"\"\0\"", Some(1)),
    ];
    for (text, wrong) in cases {
        for spaces in (0..130).chain([8_190, 8_191, 8_192]) {
            let text = [&b" ".repeat(spaces), text].concat();
            let offset = machine(&text, Mode::One, u64::MAX)
                .err()
                .map(|error| error.offset);
            assert_eq!(offset, wrong.map(|at| (spaces + at) as u64), "{text:?}");
            check(&text, Mode::One, u64::MAX);
        }
    }
}

#[test]
fn ten_million_levels_and_no_recursion() {
    let levels = 10_000_000;
    let mut text = vec![b'['; levels];
    let expected = Err(SyntaxError {
        kind: crate::ErrorKind::UnexpectedEnd,
        offset: levels as u64,
    });
    for kernel in Kernel::available() {
        assert_eq!(
            validate_with(&text, Options::default().kernel(kernel)),
            expected
        );
    }
    text.resize(2 * levels, b']');
    for kernel in Kernel::available() {
        assert_eq!(
            validate_with(&text, Options::default().kernel(kernel)),
            Ok(())
        );
    }
    *text.last_mut().unwrap() = b'}';
    let expected = Err(SyntaxError {
        kind: crate::ErrorKind::ExpectedCommaOrCloseArray,
        offset: 2 * levels as u64 - 1,
    });
    assert_eq!(validate_with(&text, Options::default()), expected);
}
