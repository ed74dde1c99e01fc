//! Quoted strings in paths: parsed into bytes and written back.
//!
//! A key is stored as UTF-8 after all escapes are resolved. JSON allows a `\u` escape for a lone surrogate, which has
//! no UTF-8 encoding; it is stored in the three-byte generalized form (WTF-8), so that keys that differ only there
//! remain different.

use std::fmt::{self, Write};

use super::cursor::Cursor;
use super::error::Fault;
use crate::string::{Escape, EscapedChar, Value, escape};
use crate::terminal::is_printable;

/// Parses a string in double quotes (JSON) or in single quotes (RFC 9535: the same, but `\'` instead of `\"`). RFC 9535
/// rejects lone surrogates and JSON does not, so `lone_surrogates` decides for double quotes.
pub(super) fn read(cursor: &mut Cursor<'_>, lone_surrogates: bool) -> Result<Box<[u8]>, Fault> {
    let open = cursor.at;
    let quote = cursor.bump().unwrap_or('"');
    let lone_surrogates = lone_surrogates && quote == '"';
    let mut decoded = Vec::new();
    loop {
        let at = cursor.at;
        match cursor.bump() {
            None => {
                let end = likely_end(cursor.text, open);
                return Err(Fault::at(open, "this string is never closed")
                    .repair(end..end, quote.to_string()));
            }
            Some(c) if c == quote => return Ok(decoded.into_boxed_slice()),
            Some('\\') => read_escape(cursor, at, quote, lone_surrogates, &mut decoded)?,
            Some(c) if c < ' ' => {
                return Err(
                    Fault::at(at, "control characters in a string must be escaped")
                        .repair(at..cursor.at, EscapedChar::utf16(c).as_str()),
                );
            }
            Some(c) => push_char(&mut decoded, c),
        }
    }
}

/// The likely end of an unterminated string that begins at `open`: before the end of the enclosing bracket.
fn likely_end(text: &str, open: usize) -> usize {
    let Some(length) = text[open..].find(']') else {
        return text.len();
    };
    let string = &text[open..open + length];
    let before = &text[..open];
    let unclosed = before
        .matches('(')
        .count()
        .saturating_sub(before.matches(')').count());
    let parentheses = string.len() - string.trim_end_matches(')').len();
    open + length - parentheses.min(unclosed)
}

/// Quotation marks of word processors and other languages.
pub(super) fn is_typographic(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201f}' | '«' | '»' | '`' | '´')
}

/// An error for a string in typographic quotes; the next character is the first quote.
pub(super) fn typographic(cursor: &Cursor<'_>) -> Fault {
    let open = cursor.at;
    let found = cursor.found();
    let fault = cursor.fault(format!(
        "strings are quoted with `\"` or `'`, not with {found}"
    ));
    let mut end = *cursor;
    end.bump();
    let content = end.take_while(|c| !is_typographic(c) && !matches!(c, ']' | '"' | '\''));
    end.bump();
    if end.text[open..end.at].ends_with(']') {
        fault
    } else {
        fault.repair(open..end.at, format!("\"{content}\""))
    }
}

/// Parses the rest of an escape whose backslash is at `at`.
fn read_escape(
    cursor: &mut Cursor<'_>,
    at: usize,
    quote: char,
    lone_surrogates: bool,
    decoded: &mut Vec<u8>,
) -> Result<(), Fault> {
    match cursor.peek() {
        Some(c) if c == quote => {
            cursor.bump();
            push_char(decoded, c);
            return Ok(());
        }
        // `\"` in single quotes and `\'` in double quotes need no backslash.
        Some('"' | '\'') => {
            return Err(bad_escape(at, quote).repair(at..at + 1, ""));
        }
        None => return Err(Fault::at(at, "this escape is cut short").repair(at..at + 1, "")),
        Some(_) => {}
    }
    match Escape::first(&cursor.text.as_bytes()[at..]) {
        Some(Escape {
            value: Value::Surrogate(_),
            ..
        }) if !lone_surrogates => Err(Fault::at(at, "a lone surrogate is not a character")),
        Some(Escape { value, length }) => {
            decoded.extend_from_slice(value.encode(&mut [0; 4]));
            cursor.at = at + length;
            Ok(())
        }
        None if cursor.peek() == Some('u') => {
            Err(Fault::at(at, "expected four hexadecimal digits after \\u"))
        }
        // Most likely a backslash is meant.
        None => Err(bad_escape(at, quote).repair(at..at + 1, "\\\\")),
    }
}

fn bad_escape(at: usize, quote: char) -> Fault {
    Fault::at(
        at,
        format!("a backslash is followed by one of {quote} \\ / b f n r t u"),
    )
}

fn push_char(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A unit of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Char(char),
    /// A lone surrogate, 0xD800 to 0xDFFF.
    Surrogate(u16),
    /// Any other byte: no parser here creates such a key, but a caller may.
    Byte(u8),
}

/// Splits the bytes of a key into characters.
pub(super) fn units(mut key: &[u8]) -> impl Iterator<Item = Unit> {
    std::iter::from_fn(move || {
        let &first = key.first()?;
        let width = match first {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let whole = key.get(..width).and_then(|c| std::str::from_utf8(c).ok());
        let (unit, length) = match (whole.and_then(|c| c.chars().next()), key) {
            (Some(c), _) => (Unit::Char(c), width),
            (None, &[0xed, high @ 0xa0..0xc0, low @ 0x80..0xc0, ..]) => {
                let unit = 0xd000 | u16::from(high & 0x3f) << 6 | u16::from(low & 0x3f);
                (Unit::Surrogate(unit), 3)
            }
            (None, _) => (Unit::Byte(first), 1),
        };
        key = &key[length..];
        Some(unit)
    })
}

/// Whether the bytes of a key are UTF-8, except for lone surrogates.
pub fn is_text(key: &[u8]) -> bool {
    std::str::from_utf8(key).is_ok() || units(key).all(|unit| !matches!(unit, Unit::Byte(_)))
}

/// Writes a key as a JSON string. Characters that a terminal would interpret are escaped too, so a printed path is safe
/// to show and still parses back to the same key.
pub(super) fn write_json(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    write_quoted(f, '"', |c| !is_printable(c), key)
}

/// Writes a key as a JSON string with only the required escapes.
pub(super) fn write_json_text(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    write_quoted(f, '"', |c| c < ' ', key)
}

/// Writes a key in single quotes, as in the normalized paths of RFC 9535, section 2.7. A lone surrogate, which they
/// cannot express, is written as its escape.
pub(super) fn write_normalized(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    write_quoted(f, '\'', |c| c < ' ', key)
}

fn write_quoted(
    f: &mut fmt::Formatter<'_>,
    quote: char,
    is_escaped: impl Fn(char) -> bool,
    key: &[u8],
) -> fmt::Result {
    f.write_char(quote)?;
    for unit in units(key) {
        match unit {
            Unit::Char(c) if c == quote || c == '\\' => write!(f, "\\{c}")?,
            Unit::Char(c) if is_escaped(c) => write!(f, "{}", escape(c))?,
            other => write_unit(f, other)?,
        }
    }
    f.write_char(quote)
}

fn write_unit(f: &mut fmt::Formatter<'_>, unit: Unit) -> fmt::Result {
    match unit {
        Unit::Char(c) => f.write_char(c),
        Unit::Surrogate(unit) => f.write_str(EscapedChar::units(&[unit]).as_str()),
        Unit::Byte(_) => f.write_char(char::REPLACEMENT_CHARACTER),
    }
}
