//! Formats JSON5 without changing its tokens: a formatter of JSON with comments is given placeholder tokens of the same kinds
//! and lengths.
//!
//! ```text
//! source      {a:'it\'s',   b :[+.5,0xFF]}
//! stand-ins   {"":"it_'s",   "" :[111,1111]}
//! formatted   { "": "it_'s", "": [111, 1111] }
//! respelled   { a: 'it\'s', b: [+.5, 0xFF] }
//! ```

use super::lexer::{ElementKind, Lexer, Token};
use super::number::{self, Number};
use super::space;

/// A text of JSON with comments that has placeholders for the tokens of a valid JSON5 text, each of the same width, except that
/// keys of one letter take two columns. [`respell`] restores the tokens.
///
/// ```
/// use jsonx_diagnose::json5::stand_ins;
///
/// assert_eq!(stand_ins(b"{key: 'it\\'s', b: +.5}"), br#"{"e": "it_'s", "": 111}"#);
/// ```
pub fn stand_ins(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len() + 16);
    for token in Lexer::new(source) {
        let bytes = &source[token.start..token.end];
        match token.kind {
            ElementKind::OtherSpace if space::is_separator(bytes) => out.push(b'\n'),
            ElementKind::OtherSpace if token.start == 0 && bytes.len() == 3 => {}
            ElementKind::OtherSpace => out.push(b' '),
            ElementKind::String => quoted(bytes, &mut out),
            ElementKind::Key => quoted(bytes, &mut out),
            ElementKind::Word => match number::parse(bytes) {
                // A constant in JavaScript: a formatter must not treat it as a number.
                Some(Number::NonFinite) => quoted(bytes, &mut out),
                Some(_) => out.extend(bytes.iter().map(|_| b'1')),
                None => out.extend_from_slice(bytes),
            },
            ElementKind::Space | ElementKind::Comment | ElementKind::Punctuation => {
                out.extend_from_slice(bytes)
            }
        }
    }
    out
}

/// Writes a string of the width of a token, which has at least two characters.
fn quoted(token: &[u8], out: &mut Vec<u8>) {
    let inner = match token {
        [_, inner @ .., _] => inner,
        _ => b"",
    };
    out.push(b'"');
    // The quotes replace the first and the last character with all their bytes.
    let starts = |byte: &u8| !(0x80..0xC0).contains(byte);
    let from = inner.iter().position(starts).unwrap_or(inner.len());
    let inner = &inner[from..];
    let to = match token.last() {
        Some(0x80..0xC0) => inner.iter().rposition(starts).unwrap_or(0),
        _ => inner.len(),
    };
    out.extend(inner[..to].iter().map(|&byte| match byte {
        b'"' | b'\\' | 0..0x20 => b'_',
        other => other,
    }));
    out.push(b'"');
}

/// A formatted text of [`stand_ins`] with the tokens of the source.
///
/// ```
/// use jsonx_diagnose::json5::{respell, stand_ins};
///
/// let source = b"[+.5,'a']";
/// assert_eq!(stand_ins(source), br#"[111,"a"]"#);
/// assert_eq!(respell(source, br#"[ 111, "a" ]"#), b"[ +.5, 'a' ]");
/// ```
pub fn respell(source: &[u8], formatted: &[u8]) -> Vec<u8> {
    let has_spelling = |token: &Token| {
        matches!(
            token.kind,
            ElementKind::String | ElementKind::Key | ElementKind::Word
        )
    };
    let mut spellings = Lexer::new(source).filter(has_spelling);
    let mut out = Vec::with_capacity(source.len().max(formatted.len()));
    for token in Lexer::new(formatted) {
        let spelling = if has_spelling(&token) {
            spellings.next()
        } else {
            None
        };
        out.extend_from_slice(match spelling {
            Some(spelling) => &source[spelling.start..spelling.end],
            None => &formatted[token.start..token.end],
        });
    }
    out
}

/// Whether Prettier would write all tokens of a valid text as they are, with its default options for JSON5. `false` also where
/// it is not certain.
#[doc(hidden)]
pub fn is_spelled_by_prettier(source: &[u8]) -> bool {
    let is_name = |bytes: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        bytes.iter().all(is_part) && !bytes.first().is_none_or(u8::is_ascii_digit)
    };
    let is_number = |bytes: &[u8]| {
        let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
        let (whole, rest) = match memchr::memchr(b'.', digits) {
            Some(at) => (&digits[..at], Some(&digits[at + 1..])),
            None => (digits, None),
        };
        let is_whole = whole == b"0" || !whole.is_empty() && whole[0] != b'0';
        let are_digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
        is_whole
            && are_digits(whole)
            && rest.is_none_or(|rest| {
                are_digits(rest) && rest.last().is_some_and(|&last| last != b'0')
            })
    };
    let mut string: Option<&[u8]> = None;
    for token in Lexer::new(source) {
        let bytes = &source[token.start..token.end];
        if matches!(
            token.kind,
            ElementKind::Space | ElementKind::OtherSpace | ElementKind::Comment
        ) {
            continue;
        }
        // A key that needs no quotes. Bytes above ASCII may be letters.
        let needless = |key: &[u8]| {
            let is_part = |byte: &u8| !byte.is_ascii() || is_name(&[b'_', *byte]);
            key.iter().all(is_part) && !key.is_empty()
                || key.first().is_some_and(u8::is_ascii_digit)
        };
        if string
            .take()
            .is_some_and(|key| bytes == b":" && needless(key))
        {
            return false;
        }
        match token.kind {
            ElementKind::Key if !is_name(bytes) => return false,
            ElementKind::String => match bytes {
                [b'"', inner @ .., b'"'] if memchr::memchr2(b'\'', b'\\', inner).is_none() => {
                    string = Some(inner);
                }
                _ => return false,
            },
            ElementKind::Word
                if !matches!(bytes, b"true" | b"false" | b"null") && !is_number(bytes) =>
            {
                return false;
            }
            _ => {}
        }
    }
    true
}
