//! Detects the indentation of a text.

use std::ops::Range;

use jsonx_core::format::Indent;
use jsonx_core::jsonc::comment_length;

/// The number of bytes examined.
const EXAMINED: usize = 8 << 10;

/// The indentation of a level, if all lines that begin with a token have it once per open bracket. If there are no such lines,
/// those that begin with a comment decide.
pub fn find(text: &[u8]) -> Option<Indent> {
    outside(text, &(0..0))
}

/// The same by the lines that do not begin within a range.
pub fn outside(text: &[u8], within: &Range<usize>) -> Option<Indent> {
    let text = &text[..text.len().min(EXAMINED)];
    let mut depth = 0usize;
    let (mut tokens, mut comments) = (Lines::default(), Lines::default());
    let mut at = 0;
    let mut begins_line = false;
    while at < text.len() {
        if std::mem::take(&mut begins_line) {
            let blank = text[at..].iter();
            let length = blank
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count();
            let indentation = &text[at..at + length];
            at += length;
            match text.get(at) {
                // The examined text ends in the indentation.
                None => break,
                Some(b'\n' | b'\r') => {}
                Some(_) if within.contains(&at) => {}
                Some(b'/') => comments.note(indentation, depth),
                Some(b'}' | b']') => tokens.note(indentation, depth.saturating_sub(1)),
                Some(_) => tokens.note(indentation, depth),
            }
        }
        match text[at] {
            b'\n' | b'\r' => begins_line = true,
            b'"' => {
                let mut escaped = false;
                let rest = text[at + 1..].iter();
                let end = rest.take_while(|&&byte| {
                    let ends = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    !ends
                });
                at += 1 + end.count();
            }
            b'/' => {
                at += comment_length(&text[at..]);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    let found = if tokens == Lines::default() {
        comments
    } else {
        tokens
    };
    match found.unit? {
        [b'\t'] => Some(Indent::Tab),
        [b' ', ..] => u8::try_from(found.unit?.len()).ok().map(Indent::Spaces),
        _ => None,
    }
}

/// The indentation of lines so far.
#[derive(Default, PartialEq, Eq)]
struct Lines<'t> {
    /// The indentation of one level.
    unit: Option<&'t [u8]>,
    /// A line has a different indentation.
    are_mixed: bool,
}

impl<'t> Lines<'t> {
    fn note(&mut self, indentation: &'t [u8], levels: usize) {
        if levels == 0 && indentation.is_empty() || self.are_mixed {
            return;
        }
        let first = &indentation[..indentation.len() / levels.max(1)];
        let unit = *self.unit.get_or_insert(first);
        let is_regular = !unit.is_empty()
            && unit.len() * levels == indentation.len()
            && indentation.iter().all(|byte| *byte == unit[0]);
        if !is_regular {
            *self = Lines {
                unit: None,
                are_mixed: true,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent_indentation() {
        for (text, expected) in [
            ("", None),
            ("[1, 2]", None),
            ("[\n1\n]", None),
            ("{\n \"a\": [\n  1\n ]\n}\n", Some(Indent::Spaces(1))),
            (
                "{\r\n\t\"a\": {\r\n\t\t\"b\\\"{\": 1\r\n\t}\r\n}",
                Some(Indent::Tab),
            ),
            ("[\n    1,\n\n    2\n]", Some(Indent::Spaces(4))),
            ("[\n   // [ {\n  1\n]", Some(Indent::Spaces(2))),
            ("[\n  1, /* [\n {*/ 2,\n  3\n]", Some(Indent::Spaces(2))),
            // Lines that begin with comments only.
            ("[\n\t/* a\n b */ 1\n]", Some(Indent::Tab)),
            ("[\n    // a\n    // b\n]", Some(Indent::Spaces(4))),
            ("[\n    // a\n  // b\n]", None),
            ("[\n// a\n    // b\n]", None),
            ("[\n    // a\n 1]", Some(Indent::Spaces(1))),
            // Mixed, and without.
            ("[\n  1,\n\t2\n]", None),
            ("[\n  1,\n   2\n]", None),
            ("[\n  1,\n2\n]", None),
            ("[\n \t1\n]", None),
            ("[\n\t\t1\n]", None),
            ("  [\n 1\n]", Some(Indent::Spaces(1))),
        ] {
            assert_eq!(find(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn the_examined_text_may_end_anywhere() {
        for more in 0..16 {
            let text = format!("[\n    \"{}\"", "a".repeat(more)) + &",\n    1".repeat(EXAMINED);
            assert_eq!(find(text.as_bytes()), Some(Indent::Spaces(4)), "{more}");
        }
    }
}
