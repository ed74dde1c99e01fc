//! Compares with a naive formatter, for every kernel and many window sizes.

use jsonx_testing::cases;
use proptest::prelude::*;

use super::buffer::CAPACITY;
use super::*;
use crate::agreement::valid_text;
use crate::engine::{Kernel, Mode, Options, Validator, Verdict};

/// Formats a text that comes in windows of `size` bytes.
fn format(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
    let mut formatter = Formatter::new(style, Vec::new());
    let mut validator = Validator::new(options);
    for window in text.chunks(size) {
        validator.write(window, &mut formatter).expect("valid");
    }
    validator.finish(formatter).expect("valid")
}

/// Formats segments of about `size` bytes separately, each from a checkpoint of a first pass.
fn format_in_parts(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
    let mut validator = Validator::new(options);
    let mut formatted = Vec::new();
    let mut taken = 0;
    loop {
        let mut validator_after = validator.clone();
        let mut formatter = Formatter::new(style, Vec::new());
        if text.len() - taken <= size {
            formatted.extend(
                validator_after
                    .check(&text[taken..], formatter)
                    .expect("valid"),
            );
            return formatted;
        }
        let part = &text[taken..taken + size];
        validator_after.write(part, &mut formatter).expect("valid");
        formatter.flush().expect("infallible");
        formatted.append(formatter.output());
        validator.write(part, &mut Verdict).expect("valid");
        taken += size;
    }
}

proptest! {
    #![proptest_config(cases(80))]

    /// For a truncated text, a prefix of the result is written, and nothing that is not in the text.
    #[test]
    fn cut_text_is_the_beginning_of_the_whole(
        choices in prop::collection::vec(any::<u32>(), 0..40),
        styles in prop::sample::select(vec![Style::Compact, Style::Pretty(Indent::Spaces(2))]),
        size in 1..200_usize,
    ) {
        let text = valid_text(&choices);
        for kernel in Kernel::available() {
            let options = Options::default().kernel(kernel);
            let whole = format(&text, styles, options, size);
            for cut in 0..text.len() {
                let mut formatter = Formatter::new(styles, Vec::new());
                let mut validator = Validator::new(options);
                for window in text[..cut].chunks(size) {
                    validator.write(window, &mut formatter).expect("a prefix of a valid text");
                }
                let _ = validator.finish(&mut formatter);
                formatter.flush().expect("infallible");
                let written = formatter.output();
                prop_assert!(
                    whole.starts_with(written.strip_suffix(b"\n").unwrap_or(written)),
                    "{} {:?}",
                    String::from_utf8_lossy(&text[..cut]),
                    String::from_utf8_lossy(written)
                );
            }
        }
    }
}

/// The style of `jq .`, byte by byte.
fn naive(text: &[u8], style: Style) -> Vec<u8> {
    let step = match style {
        Style::Compact => None,
        Style::Pretty(Indent::Spaces(count)) => Some(" ".repeat(count as usize)),
        Style::Pretty(Indent::Tab) => Some("\t".to_owned()),
    };
    let line = |out: &mut Vec<u8>, depth: usize| {
        if let Some(step) = &step {
            out.push(b'\n');
            out.extend(step.repeat(depth).bytes());
        }
    };
    let (mut out, mut depth, mut at) = (Vec::new(), 0_usize, 0);
    while at < text.len() {
        let byte = text[at];
        let opened = matches!(out.last(), Some(b'{' | b'['));
        let mut end = at + 1;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'}' | b']' => {
                depth -= 1;
                if !opened {
                    line(&mut out, depth);
                }
                out.push(byte);
            }
            b',' => out.push(byte),
            b':' => out.extend(if step.is_some() { &b": "[..] } else { b":" }),
            _ => {
                if byte == b'"' {
                    while text[end] != b'"' {
                        end += if text[end] == b'\\' { 2 } else { 1 };
                    }
                    end += 1;
                } else if !matches!(byte, b'{' | b'[') {
                    while end < text.len() && !b" \t\n\r,:{}[]\"".contains(&text[end]) {
                        end += 1;
                    }
                }
                match out.last() {
                    // Inside a container, a line begins here; a colon is followed by its value.
                    Some(b'{' | b'[' | b',') => line(&mut out, depth),
                    Some(_) if depth == 0 => out.push(b'\n'),
                    _ => {}
                }
                out.extend(&text[at..end]);
                depth += usize::from(matches!(byte, b'{' | b'['));
            }
        }
        at = end;
    }
    if !out.is_empty() {
        out.push(b'\n');
    }
    out
}

const STYLES: [Style; 5] = [
    Style::Compact,
    Style::Pretty(Indent::Spaces(2)),
    Style::Pretty(Indent::Spaces(0)),
    Style::Pretty(Indent::Spaces(7)),
    Style::Pretty(Indent::Tab),
];

/// Whether a text formats to itself, for every kernel and many window sizes; `None` if it is invalid.
fn is_formatted(text: &[u8], style: Style, mode: Mode) -> Option<bool> {
    let mut answers = Vec::new();
    for kernel in Kernel::available() {
        let options = Options::default().mode(mode).kernel(kernel);
        Validator::new(options).check(text, Verdict).ok()?;
        for size in [64, 200, 8192, usize::MAX] {
            answers.push(format(text, style, options, size) == text);
        }
    }
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{style:?} {answers:?} {:?}",
        String::from_utf8_lossy(text)
    );
    answers.first().copied()
}

fn check(text: &[u8], mode: Mode) {
    for style in STYLES {
        let expected = naive(text, style);
        for kernel in Kernel::available() {
            let options = Options::default().mode(mode).kernel(kernel);
            for size in [64, 65, 200, 8192, usize::MAX] {
                let formatted = format(text, style, options, size);
                assert!(
                    formatted == expected,
                    "{kernel:?} {style:?} in windows of {size} made {:?} of {:?}",
                    String::from_utf8_lossy(&formatted),
                    String::from_utf8_lossy(text)
                );
                assert!(
                    format_in_parts(text, style, options, size) == expected,
                    "{kernel:?} {style:?} in parts of {size}: {:?}",
                    String::from_utf8_lossy(text)
                );
            }
        }
        // Formatted text is valid, and formats to itself.
        assert!(format(&expected, style, Options::default().mode(mode), 1000) == expected);
        assert!(
            format(
                &expected,
                Style::Compact,
                Options::default().mode(mode),
                1000
            ) == naive(text, Style::Compact)
        );
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn like_a_naive_loop(choices in prop::collection::vec(any::<u32>(), 0..400)) {
        check(&valid_text(&choices), Mode::One);
    }

    #[test]
    fn streams_like_a_naive_loop(
        texts in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..60), 0..6),
        gap in prop::sample::select(&[" ", "\n", "\r\n\n"][..]),
    ) {
        let texts: Vec<_> = texts.iter().map(|choices| valid_text(choices)).collect();
        check(&texts.join(gap.as_bytes()), Mode::Stream);
    }
}

/// Inserts, removes and moves white space.
fn disarranged(mut text: Vec<u8>, changes: &[(u8, u32)]) -> Vec<u8> {
    for &(what, place) in changes {
        let spaces = |text: &[u8]| -> Vec<usize> {
            let near = |at: &usize| b" \t\n\r,:[]{}".contains(&text[*at]);
            (0..text.len()).filter(near).collect()
        };
        let places = spaces(&text);
        if places.is_empty() {
            continue;
        }
        let at = places[place as usize % places.len()];
        let blank = text[at].is_ascii_whitespace();
        match what % 8 {
            0..4 => text.insert(
                at + usize::from(what % 2 == 0),
                b" \n\t\r"[what as usize / 8 % 4],
            ),
            4 if blank => drop(text.remove(at)),
            5 if blank && at + 1 < text.len() => text.swap(at, at + 1),
            6 if blank => text[at] = b" \n\t\r"[what as usize / 8 % 4],
            _ => {
                // Moves bytes, so that the counts do not change.
                if blank {
                    let byte = text.remove(at);
                    let to = places[(place >> 16) as usize % places.len()].min(text.len());
                    text.insert(to, byte);
                }
            }
        }
    }
    text
}

fn check_disarranged(text: &[u8], changes: &[(u8, u32)], mode: Mode) {
    for style in STYLES {
        let text = disarranged(naive(text, style), changes);
        if let Some(formatted) = is_formatted(&text, style, mode) {
            let expected = naive(&text, style);
            assert_eq!(
                formatted,
                text == expected,
                "{style:?} {:?} should be {:?}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&expected)
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn lines_like_a_naive_loop(
        texts in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..60), 1..12),
        gaps in prop::collection::vec(prop::sample::select(&["\n", "\n", "\n", "\n", "\n\n", "\r\n", " ", " \n\t"][..]), 12),
        changes in prop::collection::vec(any::<(u8, u32)>(), 0..3),
    ) {
        let mut text = Vec::new();
        for (value, gap) in texts.iter().zip(gaps) {
            let compact = naive(&valid_text(value), Style::Compact);
            text.extend_from_slice(compact.trim_ascii_end());
            text.extend_from_slice(gap.as_bytes());
        }
        let text = disarranged(text, &changes);
        let expected = naive(&text, Style::Compact);
        for kernel in Kernel::available() {
            let options = Options::default().mode(Mode::Stream).kernel(kernel);
            if Validator::new(options).check(&text, Verdict).is_err() {
                return Ok(());
            }
            for size in [64, 200, usize::MAX] {
                prop_assert_eq!(&format(&text, Style::Compact, options, size), &expected);
                prop_assert_eq!(&format_in_parts(&text, Style::Compact, options, size), &expected);
            }
            let formatter = Formatter::new(Style::Compact, Vec::new());
            let lines = Validator::new(options).check_lines(&text, formatter);
            prop_assert_eq!(lines.as_ref(), Ok(&expected));
        }
    }
}

/// The counts are right although the positions are wrong.
#[test]
fn misplaced_white_space_is_detected() {
    let (pretty, none) = (
        Style::Pretty(Indent::Spaces(2)),
        Style::Pretty(Indent::Spaces(0)),
    );
    for (style, text) in [
        (
            pretty,
            "[{\"a\"\n: 1\n,\"b\"\n: 2\n,\"c\"\n: 3\n,\"d\"\n: 4}]\n",
        ),
        (
            none,
            "[{\"a\"\n: 1\n,\"b\"\n: 2\n,\"c\"\n: 3\n,\"d\"\n: 4}]\n",
        ),
        (none, "[\n1,\n2\n\n]"),
        (none, "{\n\"a\":1 ,\n\"b\": 2\n}\n"),
        (pretty, "{\n  \"a\":  1,\n  \"b\":2\n}\n"),
        (pretty, "{\n  \"a: \":1,\n  \"b\": 2 \n}\n"),
        (pretty, "[\n]\n"),
        (pretty, "[ ]\n"),
        (pretty, "\n[]"),
        (pretty, "[]"),
        (Style::Compact, "[1,\n2]"),
        (Style::Compact, "[1\n,2]"),
        (Style::Compact, "[\n]"),
        (Style::Compact, "\n[]"),
        (Style::Compact, "{\"a\":\n1}"),
    ] {
        assert_eq!(
            is_formatted(text.as_bytes(), style, Mode::One),
            Some(false),
            "{text}"
        );
    }
    for (text, expected) in [
        ("1\n[]\n", true),
        ("1\n[\n]", false),
        ("{}[]\n\n", false),
        ("1\n\n2\n", false),
    ] {
        assert_eq!(
            is_formatted(text.as_bytes(), Style::Compact, Mode::Stream),
            Some(expected),
            "{text}"
        );
        assert_eq!(
            is_formatted(text.as_bytes(), pretty, Mode::Stream),
            Some(expected),
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn unformatted_text_is_detected(
        texts in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..60), 1..3),
        changes in prop::collection::vec(any::<(u8, u32)>(), 1..7),
    ) {
        let texts: Vec<_> = texts.iter().map(|choices| valid_text(choices)).collect();
        check_disarranged(&texts[0], &changes, Mode::One);
        check_disarranged(&texts.join(&b'\n'), &changes, Mode::Stream);
    }
}

#[test]
fn long_tokens_and_deep_indentation() {
    let long = "x".repeat(3 * CAPACITY);
    let text = format!(
        "{}{{\"{long}\": \"{long} \"  ,\"\":1{}   }}{}",
        "[".repeat(300),
        "0".repeat(20_000),
        "]".repeat(300)
    );
    check(text.as_bytes(), Mode::One);
}

#[test]
fn an_empty_text_stays_empty() {
    assert_eq!(
        format(
            b" \n",
            Style::Pretty(Indent::Tab),
            Options::default().mode(Mode::Stream),
            64
        ),
        b""
    );
}
