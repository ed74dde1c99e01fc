//! Guesses the grammar state in the middle of a text.
//!
//! Guesses never affect the verdict: each is compared with the real state once the preceding text is checked, and a wrong one
//! only costs time.

use memchr::{memchr, memchr2};

use crate::token::Kind;

/// The container that encloses a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnclosingContainer {
    Array,
    Object,
    /// No container: the byte is between values of a stream.
    Root,
    /// Cannot be guessed from these bytes.
    Unknown,
}

impl EnclosingContainer {
    /// The kind of the container, if there is one and it is known.
    pub(super) fn kind(self) -> Option<Kind> {
        match self {
            EnclosingContainer::Array => Some(Kind::Array),
            EnclosingContainer::Object => Some(Kind::Object),
            EnclosingContainer::Root | EnclosingContainer::Unknown => None,
        }
    }
}

/// Number of bytes read to decide whether the text starts inside a string (more if ambiguous), and to find a comma.
const NEAR: usize = 4 << 10;
const FAR: usize = 64 << 10;

/// The offset just after a nearby comma outside strings, and the container that encloses it.
pub(super) fn start(text: &[u8]) -> Option<(usize, EnclosingContainer)> {
    let comma = first_comma(text)?;
    match after_comma(text, comma + 1) {
        EnclosingContainer::Unknown => None,
        enclosing => Some((comma + 1, enclosing)),
    }
}

/// The first comma outside strings, or a later one.
fn first_comma(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(NEAR)];
    let far = &text[..text.len().min(FAR)];
    let first = |at, place| walk(far, at, place, Until::Comma).comma;
    // A line feed is outside strings.
    if let Some(line_feed) = memchr(b'\n', near) {
        return first(line_feed + 1, Context::Between);
    }
    // A byte that is not preceded by a backslash is not escaped.
    let unescaped = near.iter().position(|&byte| byte != b'\\')? + 1;
    // Without a quote, reading more bytes does not resolve the ambiguity.
    let is_ambiguous = memchr(b'"', near).is_some();
    for bytes in [near, far] {
        let between = walk(bytes, unescaped, Context::Between, Until::End);
        let inside = walk(bytes, unescaped, Context::String, Until::End);
        match (between.plausible, inside.plausible) {
            (true, false) => return first(unescaped, Context::Between),
            (false, true) => return first(unescaped, Context::String),
            (false, false) => return None,
            (true, true) if is_ambiguous => {}
            (true, true) => break,
        }
    }
    // Either numbers or a long string; numbers are more common.
    first(unescaped, Context::Between)
}

/// The end of a walk in which every byte is plausible.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// At the first comma outside of strings.
    Comma,
    /// At the end of the bytes.
    End,
}

/// The assumed context at the start of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Outside strings, possibly in a number.
    Between,
    String,
}

/// The result of a walk.
struct CommaScan {
    /// No byte contradicts the assumed context.
    plausible: bool,
    /// The first comma outside of strings.
    comma: Option<usize>,
}

/// Scans tokens approximately from `at` on, until one is impossible.
fn walk(text: &[u8], at: usize, context: Context, until: Until) -> CommaScan {
    let mut walk = CommaScan {
        plausible: true,
        comma: None,
    };
    // The last token: `"` for a string, `0` for a number or a literal, and a space before the first one.
    let mut last = b' ';
    let mut at = at;
    if context == Context::String {
        match string_end(text, at) {
            Ok(end) => (at, last) = (end, b'"'),
            Err(plausible) => return CommaScan { plausible, ..walk },
        }
    }
    while let Some(&byte) = text.get(at) {
        let value_may_follow = matches!(last, b' ' | b':' | b',' | b'[' | b'{');
        let ends_value = matches!(last, b' ' | b'"' | b'0' | b']' | b'}');
        let (possible, kind) = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => (true, last),
            b'"' => match string_end(text, at + 1) {
                Ok(end) => {
                    at = end - 1;
                    (value_may_follow, b'"')
                }
                Err(plausible) => {
                    walk.plausible = plausible && value_may_follow;
                    return walk;
                }
            },
            b',' => {
                if ends_value {
                    walk.comma = walk.comma.or(Some(at));
                }
                (ends_value, byte)
            }
            b':' => (matches!(last, b' ' | b'"'), byte),
            b'[' | b'{' => (value_may_follow, byte),
            b']' => (ends_value || last == b'[', byte),
            b'}' => (ends_value || last == b'{', byte),
            b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E' => {
                (value_may_follow || last == b'0', b'0')
            }
            b't' | b'r' | b'u' | b'f' | b'a' | b'l' | b's' | b'n' => {
                (value_may_follow || last == b'0', b'0')
            }
            _ => (false, byte),
        };
        if !possible {
            walk.plausible = false;
            return walk;
        }
        if until == Until::Comma && walk.comma.is_some() {
            return walk;
        }
        last = kind;
        at += 1;
    }
    walk
}

/// The offset after the closing quote of the string that contains `at`. If there is none, whether the bytes may be a string.
fn string_end(text: &[u8], mut at: usize) -> Result<usize, bool> {
    let begun = at;
    while let Some(next) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next;
        if text[at] == b'"' {
            return if text[begun..at].iter().any(|&byte| byte < 0x20) {
                Err(false)
            } else {
                Ok(at + 1)
            };
        }
        at += 2;
    }
    Err(!text[begun.min(text.len())..]
        .iter()
        .any(|&byte| byte < 0x20))
}

/// The container that encloses a token after a complete value; with `stream`, the token may be the next value.
pub(super) fn after_value(text: &[u8], at: usize, stream: bool) -> Option<EnclosingContainer> {
    match text[at] {
        b',' => Some(after_comma(text, at + 1)),
        b']' => Some(EnclosingContainer::Array),
        b'}' => Some(EnclosingContainer::Object),
        _ => stream.then_some(EnclosingContainer::Root),
    }
}

/// The container that encloses a comma: in an object, a string and a colon follow.
fn after_comma(text: &[u8], at: usize) -> EnclosingContainer {
    match next_token(text, at) {
        None => EnclosingContainer::Unknown,
        Some((at, b'"')) => match string_end(text, at + 1)
            .ok()
            .and_then(|end| next_token(text, end))
        {
            None => EnclosingContainer::Unknown,
            Some((_, b':')) => EnclosingContainer::Object,
            Some(_) => EnclosingContainer::Array,
        },
        Some(_) => EnclosingContainer::Array,
    }
}

/// The first byte from `at` on that is not white space.
fn next_token(text: &[u8], at: usize) -> Option<(usize, u8)> {
    let is_token = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let at = at + text.get(at..)?.iter().position(is_token)?;
    Some((at, text[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_strings_do_not_count() {
        // In a member whose string value looks like structure.
        let text = br#"x","y":1},{"a":"[1,2],","b":3}"#;
        assert_eq!(start(text), Some((3, EnclosingContainer::Object)));
        let text = br#""y","z",1,2"#;
        assert_eq!(start(text), Some((4, EnclosingContainer::Array)));
        assert_eq!(start(b"12,13,14"), Some((3, EnclosingContainer::Array)));
        assert_eq!(
            start(b"a, b\n  \"c\": {\"d\": 1}, \"e\": 2"),
            Some((21, EnclosingContainer::Object))
        );
    }

    #[test]
    fn without_a_comma_nothing_is_guessed() {
        for text in [
            &b""[..],
            b"\\",
            b"\\\\\\",
            b"   ",
            b"12345",
            b"{\"a\":",
            b"abc def",
            b"1,",
            b"1, \"a",
        ] {
            assert_eq!(start(text), None, "{:?}", String::from_utf8_lossy(text));
        }
    }
}
