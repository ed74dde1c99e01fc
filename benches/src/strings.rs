//! Small parts of the engine: finding the end of a string, decoding it, decoding the digits of its escapes, and finding the
//! line and column of an error.
//!
//! The cases are known to be slow for such code: many empty strings, many short ones, a few long ones, runs of short escapes
//! and of surrogate pairs, and a text that is all escapes.

use crate::report::{geometric_mean, markdown};
use crate::rounds::{Plan, Timed, Times, interleave};
use jsonx_core::hex::decode4;
use jsonx_core::position::locate;
use jsonx_core::string::{decode_into, end};
use jsonx_corpora::{Shape, generate};
use serde::Deserializer as _;
use serde::de::{Error, IgnoredAny, Visitor};
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// A text of JSON strings, one per line.
pub struct Case {
    /// The kind of strings.
    pub name: &'static str,
    /// The text.
    pub text: String,
}

/// Approximate size of each case in bytes.
const SIZE: usize = 200_000;

const ENGLISH: &str = "The boat left the harbour before sunrise, and nobody on board had slept. ";
const RUSSIAN: &str = "Поезд пришёл на станцию поздно вечером, когда снег уже кончился. Никто не встречал его, кроме \
                       старого смотрителя с фонарём в руке; он кивнул машинисту и медленно пошёл назад. ";

/// All cases.
///
/// ```
/// let cases = jsonx_benches::strings::cases();
/// assert!(cases.iter().all(|case| case.text.lines().all(|line| serde_json::from_str::<String>(line).is_ok())));
/// ```
pub fn cases() -> Vec<Case> {
    let lines = |name, lines: &[String]| {
        let bytes: usize = lines.iter().map(|line| line.len() + 3).sum();
        let block: String = lines.iter().map(|line| format!("\"{line}\"\n")).collect();
        Case {
            name,
            text: block.repeat(SIZE.div_ceil(bytes)),
        }
    };
    let words = [
        "green", "table", "night", "third", "alarm", "seven", "cloud",
    ];
    vec![
        lines("empty", &[String::new()]),
        lines("5 bytes", &words.map(str::to_owned)),
        lines("70 bytes", &[ENGLISH.trim().to_owned()]),
        lines("long", &[ENGLISH.repeat(100)]),
        lines("long, UTF-8", &[RUSSIAN.repeat(40)]),
        lines(r"runs of \r\n", &[r"\r\n".repeat(500)]),
        lines(r"runs of \uD801\uDC37", &[r"\uD801\uDC37".repeat(200)]),
        lines(
            "Russian in \\u escapes, short",
            &RUSSIAN.split_whitespace().map(escaped).collect::<Vec<_>>(),
        ),
        lines(
            "Russian in \\u escapes, long",
            &[escaped(RUSSIAN).repeat(20)],
        ),
    ]
}

/// `text` with an escape for each non-ASCII character.
fn escaped(text: &str) -> String {
    let escape = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => format!("\\u{:04x}", u32::from(letter)),
    };
    text.chars().map(escape).collect()
}

/// Counts the length of a string and discards it.
struct Length;

impl Visitor<'_> for Length {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
        Ok(text.len())
    }
}

/// The number of decoded bytes of all strings of `text`, by jsonx: it finds the end of each, then decodes it into `out`.
fn jsonx_decode(text: &[u8], out: &mut Vec<u8>) -> usize {
    let mut total = 0;
    each_string(text, |raw| total += decoded_len(raw, out));
    total
}

fn decoded_len(raw: &[u8], out: &mut Vec<u8>) -> usize {
    out.clear();
    decode_into(raw, out).expect("a valid string");
    out.len()
}

/// Calls `each` with the contents of every string.
fn each_string<'a>(text: &'a [u8], mut each: impl FnMut(&'a [u8])) {
    let mut at = 0;
    while at < text.len() {
        let end = end(text, at + 1).expect("a valid string");
        each(&text[at + 1..end]);
        // The quote and the line end.
        at = end + 2;
    }
}

/// The same by serde_json, at its best: from `str`, whose UTF-8 it need not check, and with one buffer for all strings.
fn serde_decode(text: &str) -> usize {
    let mut values = serde_json::Deserializer::from_str(text);
    let mut total = 0;
    while let Ok(length) = values.deserialize_str(Length) {
        total += length;
    }
    total
}

/// The number of strings, with their ends found by jsonx.
fn jsonx_end(text: &[u8]) -> usize {
    let mut count = 0;
    each_string(text, |_| count += 1);
    count
}

/// The number of strings, skipped by serde_json.
fn serde_skip(text: &str) -> usize {
    serde_json::Deserializer::from_str(text)
        .into_iter::<IgnoredAny>()
        .filter(Result::is_ok)
        .count()
}

/// The sum of the numbers in groups of four hexadecimal digits.
fn hex_sum(digits: &[u8], decode: impl Fn(&[u8; 4]) -> Option<u16>) -> u64 {
    let (groups, _) = digits.as_chunks();
    groups
        .iter()
        .map(|group| u64::from(decode(group).expect("digits")))
        .sum()
}

/// An implementation: its name, and its result.
type Way<'a> = (&'static str, Box<dyn FnMut() -> u64 + 'a>);

/// Runs all benches of this module: a table for each job.
///
/// # Panics
///
/// If the results of jsonx and of the others differ.
pub fn run(plan: Plan, figure: impl Fn(&Times) -> f64) -> String {
    let cases = cases();
    for case in &cases {
        assert_same_text(case);
    }
    let decode = table("decode", &cases, plan, &figure, |case| {
        let text = &case.text;
        let (mut out, mut spans) = (Vec::new(), Vec::new());
        each_string(text.as_bytes(), |raw| spans.push(raw));
        let mut buffer = Vec::new();
        vec![
            (
                "jsonx",
                Box::new(move || jsonx_decode(text.as_bytes(), &mut out) as u64),
            ),
            // In the engine, tokens give the end of a string.
            (
                "jsonx, ends known",
                Box::new(move || {
                    spans
                        .iter()
                        .map(|raw| decoded_len(raw, &mut buffer) as u64)
                        .sum()
                }),
            ),
            ("serde_json", Box::new(|| serde_decode(text) as u64)),
        ]
    });
    let skip = table("find the end", &cases, plan, &figure, |case| {
        let text = &case.text;
        vec![
            ("jsonx", Box::new(|| jsonx_end(text.as_bytes()) as u64)),
            ("serde_json", Box::new(|| serde_skip(text) as u64)),
        ]
    });
    let digits: String = RUSSIAN
        .chars()
        .map(|letter| format!("{:04x}", u32::from(letter)))
        .collect();
    let digits = [Case {
        name: "code points of a Russian text",
        text: digits.repeat(SIZE.div_ceil(digits.len())),
    }];
    let hex = table("four digits at a time", &digits, plan, &figure, |case| {
        let bytes = case.text.as_bytes();
        vec![
            ("jsonx", Box::new(move || hex_sum(bytes, decode4))),
            ("from_str_radix", Box::new(move || hex_sum(bytes, by_radix))),
            ("to_digit", Box::new(move || hex_sum(bytes, by_digits))),
        ]
    });
    let position = table(
        "line and column of the last byte",
        &documents(),
        plan,
        &figure,
        |case| {
            let text = case.text.as_bytes();
            vec![
                ("jsonx", Box::new(move || jsonx_place(text))),
                ("byte by byte", Box::new(move || place_by_bytes(text))),
            ]
        },
    );
    format!("{decode}\n{skip}\n{hex}\n{position}")
}

/// Texts for positions: short lines, one line of everything, and lines that end in CR LF.
fn documents() -> [Case; 3] {
    let document = |shape| {
        let mut bytes = Vec::new();
        generate(shape, 1_000_000, jsonx_corpora::DEFAULT_SEED, &mut bytes)
            .expect("writing to memory");
        String::from_utf8(bytes).expect("documents are UTF-8")
    };
    let pretty = document(Shape::Pretty);
    [
        Case {
            name: "indented, CR LF",
            text: pretty.replace('\n', "\r\n"),
        },
        Case {
            name: "indented",
            text: pretty,
        },
        Case {
            name: "one line, UTF-8",
            text: document(Shape::Tweets),
        },
    ]
}

/// Line and column of the last byte as one number.
fn jsonx_place(text: &[u8]) -> u64 {
    let place = locate(text, text.len() - 1);
    place.line << 32 | place.column
}

/// The same, done naively. The texts end in `]`, `}` or a line end, so the last byte is a whole code point; a line end is the
/// last of its own line.
fn place_by_bytes(text: &[u8]) -> u64 {
    let (mut line, mut column) = (1, 1);
    for &byte in &text[..text.len() - 1] {
        if byte == b'\n' {
            line += 1;
            column = 1;
        } else if byte & 0xc0 != 0x80 {
            column += 1;
        }
    }
    line << 32 | column
}

fn by_radix(group: &[u8; 4]) -> Option<u16> {
    u16::from_str_radix(str::from_utf8(group).ok()?, 16).ok()
}

fn by_digits(group: &[u8; 4]) -> Option<u16> {
    group.iter().try_fold(0, |value, &digit| {
        Some(value << 4 | char::from(digit).to_digit(16)? as u16)
    })
}

/// Each string of `case` decodes to what serde_json makes of it.
fn assert_same_text(case: &Case) {
    let mut lines = case.text.lines();
    let mut out = Vec::new();
    each_string(case.text.as_bytes(), |raw| {
        let line = lines.next().expect("as many lines as strings");
        out.clear();
        decode_into(raw, &mut out).expect("a valid string");
        let expected: String = serde_json::from_str(line).expect("a valid string");
        assert!(out == expected.as_bytes(), "{}: {line}", case.name);
    });
    assert_eq!(lines.next(), None, "{}", case.name);
}

/// Times `ways` on each of `cases`: GB/s of the text, and the speedup of each jsonx over the best of the others.
fn table<'a>(
    job: &str,
    cases: &'a [Case],
    plan: Plan,
    figure: &dyn Fn(&Times) -> f64,
    mut ways: impl FnMut(&'a Case) -> Vec<Way<'a>>,
) -> String {
    let names: Vec<&str> = ways(&cases[0]).iter().map(|(name, _)| *name).collect();
    let (ours, others): (Vec<usize>, Vec<usize>) =
        (0..names.len()).partition(|&at| names[at].starts_with("jsonx"));
    let mut rows = Vec::new();
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); ours.len()];
    for case in cases {
        let mut ways = ways(case);
        let expected = ways[0].1();
        for (name, way) in &mut ways {
            assert_eq!(way(), expected, "{job}, {}: {name}", case.name);
        }
        let mut timed: Vec<Timed> = ways.into_iter().map(|(_, way)| timed(way)).collect();
        let times = interleave(&mut timed, plan);
        let speeds: Vec<f64> = times
            .iter()
            .map(|times| case.text.len() as f64 / figure(times) / 1e9)
            .collect();
        let best = others.iter().map(|&at| speeds[at]).fold(f64::MIN, f64::max);
        for (column, &own) in ratios.iter_mut().zip(&ours) {
            column.push(speeds[own] / best);
        }
        let figures = speeds
            .iter()
            .copied()
            .chain(ours.iter().map(|&own| speeds[own] / best));
        let figures = figures.map(|figure| format!("{figure:.2}"));
        rows.push([case.name.to_owned()].into_iter().chain(figures).collect());
    }
    let mut mean = vec![String::new(); names.len() + 1];
    mean[0] = "geometric mean".to_owned();
    mean.extend(
        ratios
            .iter()
            .filter_map(|column| geometric_mean(column))
            .map(|mean| format!("{mean:.2}")),
    );
    rows.push(mean);
    let pairs: Vec<String> = ours
        .iter()
        .map(|&own| format!("{} / best", names[own]))
        .collect();
    let head: Vec<&str> = [job]
        .into_iter()
        .chain(names)
        .chain(pairs.iter().map(String::as_str))
        .collect();
    markdown(&head, &rows)
}

fn timed<'a>(mut way: Box<dyn FnMut() -> u64 + 'a>) -> Timed<'a> {
    Box::new(move |repetitions| {
        let start = Instant::now();
        for _ in 0..repetitions {
            black_box(way());
        }
        start.elapsed()
    })
}
