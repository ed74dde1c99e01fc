//! Verified text at any offset, and short walks over the tokens around one.

use std::ops::Range;

use super::error::EditError;
use crate::window::validate;

/// The number of bytes to search for a line.
pub(super) const LINES: usize = 1 << 16;

/// A verified text whose bytes can be read in any order.
///
/// Implemented for slices. A program that edits files larger than memory can implement it with reads of the file. Edits read a
/// few bytes around each position that they change.
///
/// ```
/// use jsonx_core::edit::Text;
///
/// let text: &[u8] = br#"{"a": 1}"#;
/// assert_eq!((text.length(), text.byte(1), text.copy(6..7)), (8, b'"', b"1".to_vec()));
/// ```
pub trait Text {
    /// Its length in bytes.
    fn length(&self) -> usize;

    /// The byte at an offset below the length.
    fn byte(&self, at: usize) -> u8;

    /// The bytes of a span.
    fn copy(&self, span: Range<usize>) -> Vec<u8> {
        span.map(|at| self.byte(at)).collect()
    }

    /// The white space at the start of the line of `at`.
    #[doc(hidden)]
    fn indentation(&self, at: usize) -> Range<usize> {
        indentation(self, at)
    }
}

impl Text for [u8] {
    fn length(&self) -> usize {
        self.len()
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self[at]
    }

    fn copy(&self, span: Range<usize>) -> Vec<u8> {
        self[span].to_vec()
    }
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The first byte from `at` on that is not white space; the length if there is none.
pub(super) fn skip_white<T: Text + ?Sized>(text: &T, mut at: usize) -> usize {
    while at < text.length() && is_white(text.byte(at)) {
        at += 1;
    }
    at
}

/// The start of the white space that ends at `at`.
pub(super) fn skip_white_back<T: Text + ?Sized>(text: &T, mut at: usize) -> usize {
    while at > 0 && is_white(text.byte(at - 1)) {
        at -= 1;
    }
    at
}

/// Whether `byte` precedes `at`.
pub(super) fn follows<T: Text + ?Sized>(text: &T, at: usize, byte: u8) -> bool {
    at > 0 && text.byte(at - 1) == byte
}

/// Whether there is a line feed in a span.
pub(super) fn has_line_feed<T: Text + ?Sized>(text: &T, mut span: Range<usize>) -> bool {
    span.any(|at| text.byte(at) == b'\n')
}

/// The quote that opens the string whose closing quote is at `close`. A quote inside the string follows an odd number of
/// backslashes; the opening one follows none.
fn string_start<T: Text + ?Sized>(text: &T, close: usize) -> usize {
    let mut at = close;
    while at > 0 {
        at -= 1;
        if text.byte(at) == b'"' {
            let mut first = at;
            while follows(text, first, b'\\') {
                first -= 1;
            }
            if (at - first).is_multiple_of(2) {
                return at;
            }
        }
    }
    0
}

/// The end of the string that begins at `at`.
fn string_end<T: Text + ?Sized>(text: &T, mut at: usize) -> usize {
    at += 1;
    while at < text.length() {
        match text.byte(at) {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.length()
}

/// The end of the value that begins at `start`; `None` if it is more than `most` bytes away.
pub(super) fn value_end<T: Text + ?Sized>(text: &T, start: usize, most: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        if at >= text.length() || at - start > most {
            return None;
        }
        match text.byte(at) {
            b'"' => at = string_end(text, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            _ => {
                while at < text.length()
                    && !is_white(text.byte(at))
                    && !matches!(text.byte(at), b',' | b']' | b'}')
                {
                    at += 1;
                }
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The start of the value that ends at `end`; `None` if it is more than `most` bytes away.
pub(super) fn value_start<T: Text + ?Sized>(text: &T, end: usize, most: usize) -> Option<usize> {
    let (mut at, mut depth) = (end, 0_usize);
    loop {
        if at == 0 || end - at > most {
            return None;
        }
        match text.byte(at - 1) {
            b'"' => at = string_start(text, at - 1),
            b'}' | b']' => {
                depth += 1;
                at -= 1;
            }
            b'{' | b'[' => {
                depth = depth.saturating_sub(1);
                at -= 1;
            }
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => at -= 1,
            _ => {
                while at > 0
                    && !is_white(text.byte(at - 1))
                    && !matches!(text.byte(at - 1), b',' | b':' | b'[' | b'{')
                {
                    at -= 1;
                }
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The start of the member of the value at `value`: its key or, for an element, the value itself.
pub(super) fn member_start<T: Text + ?Sized>(text: &T, value: usize) -> usize {
    let colon = skip_white_back(text, value);
    if follows(text, colon, b':') {
        string_start(text, skip_white_back(text, colon - 1) - 1)
    } else {
        value
    }
}

/// The start of the value of the member at `start`: after its colon or, for an element, `start` itself.
pub(super) fn member_value<T: Text + ?Sized>(text: &T, start: usize, keyed: bool) -> usize {
    if keyed {
        skip_white(text, skip_white(text, string_end(text, start)) + 1)
    } else {
        start
    }
}

/// The start of the value of the child at `start`, which is a member if it begins with a string before a colon.
pub(super) fn child_value<T: Text + ?Sized>(text: &T, start: usize) -> usize {
    let is_member = text.byte(start) == b'"' && {
        let colon = skip_white(text, string_end(text, start));
        colon < text.length() && text.byte(colon) == b':'
    };
    member_value(text, start, is_member)
}

/// The end of the child at `start`.
pub(super) fn child_end<T: Text + ?Sized>(text: &T, start: usize) -> usize {
    value_end(text, child_value(text, start), usize::MAX).unwrap_or(text.length())
}

/// The start of the child after the one that ends at `end`.
pub(super) fn next_child<T: Text + ?Sized>(text: &T, end: usize) -> Option<usize> {
    let comma = skip_white(text, end);
    let is_comma = comma < text.length() && text.byte(comma) == b',';
    is_comma.then(|| skip_white(text, comma + 1))
}

/// The comma before the child that begins at `start`.
pub(super) fn comma_before<T: Text + ?Sized>(text: &T, start: usize) -> Option<usize> {
    let end = skip_white_back(text, start);
    follows(text, end, b',').then(|| end - 1)
}

/// The white space before and after the colon of a member with a key that begins at `start`.
pub(super) fn around_colon<T: Text + ?Sized>(
    text: &T,
    start: usize,
) -> (Range<usize>, Range<usize>) {
    let key_end = string_end(text, start);
    let colon = skip_white(text, key_end);
    (key_end..colon, colon + 1..skip_white(text, colon + 1))
}

/// The white space at the start of the line of `at`.
pub(super) fn indentation<T: Text + ?Sized>(text: &T, at: usize) -> Range<usize> {
    let mut start = at;
    while start > 0 && text.byte(start - 1) != b'\n' {
        start -= 1;
    }
    let mut end = start;
    while end < at && matches!(text.byte(end), b' ' | b'\t') {
        end += 1;
    }
    start..end
}

/// Whether the value at a span and another verified one have the same tokens, ignoring white space.
pub(super) fn same_tokens<T: Text + ?Sized>(text: &T, span: Range<usize>, other: &[u8]) -> bool {
    let mut old = span.map(|at| text.byte(at));
    let mut new = other.iter().copied();
    let (mut inside, mut escaped) = (false, false);
    loop {
        let is_token = |byte: &u8| inside || !is_white(*byte);
        match (old.find(is_token), new.find(is_token)) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {
                inside ^= a == b'"' && !escaped;
                escaped = inside && a == b'\\' && !escaped;
            }
            _ => return false,
        }
    }
}

/// A value without the white space around it.
pub(super) fn verified(value: &[u8]) -> Result<&[u8], EditError> {
    validate(value).map_err(EditError::Value)?;
    Ok(crate::token::trim_end(value).trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_from_both_ends() {
        let values = [
            r#""""#,
            r#""a\"b\\""#,
            r#""\\\\""#,
            "-1.5e3",
            "null",
            "[]",
            r#"{"a]": ["}", {"\\": [1, 2]}]}"#,
            "[ [ ] , 1 ]",
        ];
        for value in values {
            for (before, after) in [("", ""), ("[1, ", ", 2]"), (r#"{"k" : "#, " }")] {
                let text = format!("{before}{value}{after}").into_bytes();
                let (start, end) = (before.len(), before.len() + value.len());
                let text = &text[..];
                assert_eq!(value_end(text, start, usize::MAX), Some(end), "{value}");
                assert_eq!(value_start(text, end, usize::MAX), Some(start), "{value}");
            }
        }
        let long = format!("[{}1]", "[], ".repeat(100)).into_bytes();
        assert_eq!(value_end(&long[..], 0, 50), None);
        assert_eq!(value_start(&long[..], long.len(), 50), None);
    }

    #[test]
    fn white_space_between_tokens_is_ignored() {
        let text: &[u8] = b" [ {\"a \\\" b\" :1}\n, \"\\\\\" ,[ ] ] ";
        let same = |other: &str| same_tokens(text, 1..text.len() - 1, other.as_bytes());
        assert!(same(r#"[{"a \" b":1},"\\",[]]"#));
        assert!(same("[\n{\"a \\\" b\": 1}, \"\\\\\", []\n]"));
        for other in [
            r#"[{"a\" b":1},"\\",[]]"#,
            r#"[{"a \"  b":1},"\\",[]]"#,
            r#"[{"a \" b":1.0},"\\",[]]"#,
            r#"[{"a \" b":1},"\\",[]"#,
            r#"[{"a \" b":1},"\\",[]]]"#,
            r#"[{"a \" b":1},"\\ ",[]]"#,
        ] {
            assert!(!same(other), "{other}");
        }
    }

    #[test]
    fn members_begin_at_their_keys() {
        let text: &[u8] = br#"{"a\"" : 1, "b":[2, 3]}"#;
        assert_eq!(member_start(text, 9), 1);
        assert_eq!(member_start(text, 16), 12);
        assert_eq!(member_start(text, 20), 20);
        assert_eq!(member_value(text, 1, true), 9);
        assert_eq!(around_colon(text, 1), (6..7, 8..9));
    }
}
