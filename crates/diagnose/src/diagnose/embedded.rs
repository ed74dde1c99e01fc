//! Finds JSON values in other text: a log, a list, the answer of a language model.

use jsonx_core::validate;

use super::diagnostic::Span;
use super::lexer::{is_number, is_scalar};

/// The values in a text.
pub(crate) struct Embedded {
    /// In order. A value that is never closed ends with its line.
    pub values: Vec<Span>,
    /// Each value is on one line, and no line has two.
    pub one_a_line: bool,
    /// The number of lines with text but no value.
    pub other_lines: usize,
    /// The bytes read.
    pub steps: u64,
}

/// Finds every array and object from `start` on, and every line that is a JSON value.
///
/// Takes time proportional to the length of the text: the search for the ends of values that have none is limited, and
/// the values after that end with their lines.
pub(crate) fn values(text: &[u8], start: usize) -> Embedded {
    let (found, mark) = scan(text, start, None);
    match mark {
        Some(mark) if found.other_lines > 0 && !mark.is_empty() => {
            let again = values_like(text, start, mark);
            Embedded {
                steps: found.steps + again.steps,
                ..again
            }
        }
        _ => found,
    }
}

/// As [`values`], and also every line that begins like `mark` and continues with a JSON value.
pub(super) fn values_like(text: &[u8], start: usize, mark: &[u8]) -> Embedded {
    scan(text, start, Some(mark)).0
}

/// Also returns the text before the first array or object on its line.
fn scan<'t>(text: &'t [u8], start: usize, mark: Option<&[u8]>) -> (Embedded, Option<&'t [u8]>) {
    let mut found = Embedded {
        values: Vec::new(),
        one_a_line: true,
        other_lines: 0,
        steps: 2 * (text.len() - start) as u64,
    };
    // The budget for searches for the end of a value that has none.
    let mut spare = 4 * text.len() + 4096;
    // The text before the first value on its line.
    let mut prefix = None;
    let mut at = start;
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i);
        let line = text[at..end].trim_ascii();
        if line.is_empty() {
            at = end + 1;
            continue;
        }
        let first = found.values.len();
        let mut done = at;
        while let Some(next) = memchr::memchr2(b'{', b'[', &text[done..end.max(done)]) {
            let open = done + next;
            done = open + 1;
            if !starts_value(text, open) {
                continue;
            }
            let close = match length(&text[open..], spare) {
                Ok(length) => open + length,
                Err(read) => {
                    spare -= read.min(spare);
                    found.steps += read as u64;
                    // In a log, it is truncated; elsewhere, its end is unknown.
                    let mark = *prefix.get_or_insert(&text[at..open]);
                    found.one_a_line &= !mark.trim_ascii().is_empty()
                        && (like(mark, &text[at..]).is_some()
                            || are_stamped(mark, &text[at..open]));
                    open + text[open..end].trim_ascii_end().len()
                }
            };
            prefix.get_or_insert(&text[at..open]);
            found.one_a_line &= close <= end;
            found.values.push(Span::new(open, close));
            done = close;
        }
        if found.values.len() == first {
            let whole = text[at..end].len() - text[at..end].trim_ascii_start().len();
            let marked = mark.and_then(|mark| like(mark, &text[at..end]));
            let scalar = [Some(whole), marked]
                .into_iter()
                .flatten()
                .find_map(|start| {
                    let rest = text[at + start..end].trim_ascii_end();
                    let blank = rest.len() - rest.trim_ascii_start().len();
                    let value = Span::new(at + start + blank, at + start + rest.len());
                    // Most lines of prose need no validator.
                    let begins = rest.trim_ascii_start().first().is_some_and(may_begin);
                    (begins && validate(&text[value.start..value.end]).is_ok()).then_some(value)
                });
            match scalar {
                Some(value) => found.values.push(value),
                None => found.other_lines += 1,
            }
        }
        found.one_a_line &= found.values.len() <= first + 1;
        // At most the rest of a line on which a value from an earlier line ends.
        at = if done > end { done } else { end + 1 };
    }
    (found, prefix)
}

/// Whether a value may begin with this byte.
fn may_begin(byte: &u8) -> bool {
    matches!(
        byte,
        b'"' | b'-' | b'0'..=b'9' | b'[' | b'f' | b'n' | b't' | b'{'
    )
}

/// The length of the start of a line, up to its value, if it equals the start of another line except for digits.
pub(super) fn like(start: &[u8], line: &[u8]) -> Option<usize> {
    let (mut one, mut other) = (start, line);
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    while let Some((&byte, rest)) = one.split_first() {
        let (left, right) = (digits(one), digits(other));
        (one, other) = match (left, right) {
            (0, 0) if other.first() == Some(&byte) => (rest, &other[1..]),
            (1.., 1..) => (&one[left..], &other[right..]),
            _ => return None,
        };
    }
    Some(line.len() - other.len())
}

/// Whether the texts before two values begin like each other with a date or time: only words after it differ.
fn are_stamped(one: &[u8], other: &[u8]) -> bool {
    let stamp = one
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or_default();
    let digits = one[..stamp].iter().filter(|byte| byte.is_ascii_digit());
    let words = |text: &[u8]| text.split(u8::is_ascii_whitespace).count();
    digits.count() >= STAMP && like(&one[..=stamp], other).is_some() && words(one) == words(other)
}

/// The minimum number of digits of a date or time.
const STAMP: usize = 4;

/// The length of the array or object at the start of a text or, if it is not closed, the number of bytes read, up to
/// `most`.
fn length(text: &[u8], most: usize) -> Result<usize, usize> {
    let mut open = Vec::new();
    let mut at = 0;
    let mut before = b'{';
    while let Some(&byte) = text.get(at) {
        if at > most {
            return Err(at);
        }
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => open.push(byte + 2),
            b'}' | b']' => {
                if open.pop() != Some(byte) {
                    return Err(at);
                }
                if open.is_empty() {
                    return Ok(at);
                }
            }
            // `'` is a quote, not an apostrophe, at the start of a value or key.
            b'"' | b'\'' if byte == b'"' || b"{[(,:".contains(&before) => {
                at = string_end(text, start).ok_or(at)?;
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    Err(at)
}

/// The end of a string that is closed on its line.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let mut at = start + 1;
    loop {
        at += memchr::memchr3(quote, b'\\', b'\n', &text[at..])?;
        match text[at] {
            b'\\' => at = (at + 2).min(text.len()),
            b'\n' => return None,
            _ => return Some(at + 1),
        }
    }
}

/// Whether a `{` or `[` looks like the start of a value rather than of `[INFO]`, `app[12]` or `{placeholder}`.
pub(super) fn starts_value(text: &[u8], at: usize) -> bool {
    let before = text[..at].last();
    let is_index = text[at] == b'['
        && text.get(at + 1) != Some(&b'{')
        && before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_)]".contains(byte));
    let line = text[..at].trim_ascii_end().len();
    let is_first = || memchr::memchr2(b'\n', b'\r', &text[line..at]).is_some();
    // `[`, `[1` and `{` at the end of the text
    let is_cut = || {
        let inside = text[at + 1..].trim_ascii_start();
        inside.is_empty() || text[at] == b'[' && is_number(inside)
    };
    !is_index && (starts_document(&text[at..]) || is_first() && is_cut())
}

/// Whether a `{` or `[` looks like the start of a document rather than of `[INFO]` or `{placeholder}`.
fn starts_document(text: &[u8]) -> bool {
    let inside = text[1..].trim_ascii_start();
    let word = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-+$.".contains(byte));
    let word = word.count();
    let after = inside[word..].trim_ascii_start().first();
    match (text[0], inside.first()) {
        (_, None) => false,
        (_, Some(b'"' | b'\'' | b'/' | 0x80..)) => true,
        (b'{', Some(b'}')) | (b'[', Some(b']')) => true,
        (b'{', Some(_)) => word > 0 && after == Some(&b':'),
        (_, Some(b'{' | b'[')) => true,
        (_, Some(byte)) if byte.is_ascii_digit() || *byte == b'-' => {
            is_number(&inside[..word]) && matches!(after, Some(b',' | b']'))
        }
        _ => is_scalar(&inside[..word]) && matches!(after, Some(b',' | b']')),
    }
}

/// The offset of the answer of a language model, after reasoning that ends with `</think>`.
pub(crate) fn after_reasoning(text: &[u8], start: usize) -> Option<usize> {
    let blank = text[start..].len() - text[start..].trim_ascii_start().len();
    let first = start + blank;
    if matches!(text.get(first), None | Some(b'{' | b'[' | b'"')) {
        return None;
    }
    let end = TAGS.iter().find_map(|(open, close)| {
        let is_open = text[first..].starts_with(open.as_bytes());
        // Chat templates add the opening tag themselves, so the answer lacks it.
        if !is_open && (*close != TAGS[0].1 || text[first] == b'<') {
            return None;
        }
        let last = memchr::memmem::rfind(&text[first..], close.as_bytes())?;
        Some(first + last + close.len())
    })?;
    let rest = text[end..].trim_ascii_start();
    (!rest.is_empty()).then(|| text.len() - rest.len())
}

/// The tags around reasoning.
const TAGS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<&str>, bool, usize) {
        let found = values(text.as_bytes(), 0);
        let values = found.values.iter().map(|span| &text[span.start..span.end]);
        (values.collect(), found.one_a_line, found.other_lines)
    }

    #[test]
    fn values_are_found_in_other_text() {
        for (text, values, one_a_line, other_lines) in [
            (
                "a {\"b\": 1} c\nd [2, {}]\ne\n",
                &["{\"b\": 1}", "[2, {}]"][..],
                true,
                1,
            ),
            ("a {\"b\": 1} {}\n", &["{\"b\": 1}", "{}"], false, 0),
            ("a {\n\"b\": 1} {}\n", &["{\n\"b\": 1}", "{}"], false, 0),
            (
                "a {\"b\": \"}\\\"{\"}\n5\n",
                &["{\"b\": \"}\\\"{\"}", "5"],
                true,
                0,
            ),
            (
                "a {\"b\": [1\nc {\"d\": \"e\n[INFO] app[12] f {g}",
                &["{\"b\": [1", "{\"d\": \"e"],
                false,
                1,
            ),
            (
                "9 a | {}\n10 a | 5\n11 a | b\n12 a | \"c\"\n",
                &["{}", "5", "\"c\""],
                true,
                1,
            ),
            ("x [3]\n", &["[3]"], true, 0),
            ("x [1e+3, -2]\n", &["[1e+3, -2]"], true, 0),
        ] {
            assert_eq!(
                found(text),
                (values.to_vec(), one_a_line, other_lines),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_work_is_linear() {
        for line in [
            "a {\"b\": [\n",
            "{\"a\": 1\n",
            "[[[\n",
            "a {\"b\": 1}\n",
            "{'a\n",
        ] {
            let steps = |count| values(line.repeat(count).as_bytes(), 0).steps;
            assert!(steps(8000) <= 9 * steps(1000) + 100_000, "{line:?}");
        }
    }
}
