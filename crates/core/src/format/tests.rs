//! Against a naive formatter, on every kernel, in windows of many sizes.

use proptest::prelude::*;

use super::page::PAGE;
use super::*;
use crate::agreement::valid_text;
use crate::{Kernel, Mode, Options, Validator, Verdict};

/// Formats a text that comes in windows of `size` bytes.
fn format(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
    let mut formatter = Formatter::new(style, Vec::new());
    let mut validator = Validator::new(options);
    let mut taken = 0;
    while text.len() - taken > size {
        taken += validator
            .feed(&text[taken..taken + size], &mut formatter)
            .expect("valid");
    }
    validator
        .finish(&text[taken..], &mut formatter)
        .expect("valid");
    formatter.finish().expect("infallible")
}

/// Formats parts of about `size` bytes, each by itself, from where a first pass was when it reached them.
fn format_in_parts(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
    let mut validator = Validator::new(options);
    let mut formatted = Vec::new();
    let mut taken = 0;
    loop {
        let mut here = validator.clone();
        let mut formatter = Formatter::resume(style, Vec::new(), &here);
        if text.len() - taken <= size {
            here.finish(&text[taken..], &mut formatter).expect("valid");
            formatted.extend(formatter.finish().expect("infallible"));
            return formatted;
        }
        let part = &text[taken..taken + size];
        here.feed(part, &mut formatter).expect("valid");
        formatter.flush().expect("infallible");
        formatted.append(formatter.output());
        taken += validator.feed(part, &mut Verdict).expect("valid");
    }
}

/// The look of `jq .`, byte after byte.
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
                    // Inside a container this is a place where a line begins; a colon is followed by its value.
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
        // What was formatted is valid, and formats to itself.
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
    #![proptest_config(ProptestConfig::with_cases(2_000))]

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

#[test]
fn long_tokens_and_deep_indentation() {
    let long = "x".repeat(3 * PAGE);
    let text = format!(
        "{}{{\"{long}\": \"{long} \"  ,\"\":1{}   }}{}",
        "[".repeat(3000),
        "0".repeat(20_000),
        "]".repeat(3000)
    );
    check(text.as_bytes(), Mode::One);
}

#[test]
fn nothing_is_nothing() {
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
