//! Strings in quotes, as paths hold them: read into bytes and written back.
//!
//! A key is held as UTF-8 after all escapes are resolved. JSON lets a `\u` escape name half of a
//! surrogate pair, which UTF-8 has no form for; such a half is held in its three-byte generalised
//! form (WTF-8), so that keys which differ only there stay different.

use std::fmt::{self, Write};

use super::cursor::Cursor;
use super::error::Fault;
use super::printable::is_unprintable;

/// Reads a string in double quotes (as JSON has it) or in single quotes (RFC 9535: the same, but
/// `\'` instead of `\"`). RFC 9535 refuses lone surrogates and JSON does not, so in double quotes
/// `lone_surrogates` decides.
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
            Some('\\') => escape(cursor, at, quote, lone_surrogates, &mut decoded)?,
            Some(c) if c < ' ' => {
                return Err(
                    Fault::at(at, "control characters in a string must be escaped")
                        .repair(at..cursor.at, format!("\\u{:04x}", c as u32)),
                );
            }
            Some(c) => push(&mut decoded, c as u32),
        }
    }
}

/// Where a string that begins at `open` and has no end was meant to end: before the bracket it stands in ends.
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

/// Quotes as word processors and other languages have them.
pub(super) fn is_typographic(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201f}' | '«' | '»' | '`' | '´')
}

/// An error for a string in such quotes, the first of which comes next.
pub(super) fn typographic(cursor: &Cursor<'_>) -> Fault {
    let open = cursor.at;
    let found = cursor.found();
    let fault = cursor.fault(format!("strings stand in `\"` or `'`, and not in {found}"));
    let mut end = *cursor;
    end.bump();
    let content = end.take_while(|c| !is_typographic(c) && !matches!(c, ']' | '"' | '\''));
    end.bump();
    match end.text[open..end.at].ends_with(']') {
        true => fault,
        false => fault.repair(open..end.at, format!("\"{content}\"")),
    }
}

/// Reads the rest of an escape whose backslash stands at `at`.
fn escape(
    cursor: &mut Cursor<'_>,
    at: usize,
    quote: char,
    lone_surrogates: bool,
    decoded: &mut Vec<u8>,
) -> Result<(), Fault> {
    let c = match cursor.bump() {
        Some('b') => 0x08,
        Some('t') => 0x09,
        Some('n') => 0x0a,
        Some('f') => 0x0c,
        Some('r') => 0x0d,
        Some('u') => {
            let first = code_unit(cursor, at)?;
            if !(0xd800..0xe000).contains(&first) {
                push(decoded, first);
                return Ok(());
            }
            let mut ahead = *cursor;
            if first < 0xdc00 && ahead.eat("\\u") {
                let second = code_unit(&mut ahead, cursor.at)?;
                if (0xdc00..0xe000).contains(&second) {
                    *cursor = ahead;
                    push(
                        decoded,
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    );
                    return Ok(());
                }
            }
            if !lone_surrogates {
                return Err(Fault::at(at, "half of a surrogate pair names no character"));
            }
            push(decoded, first);
            return Ok(());
        }
        Some(c @ ('\\' | '/')) => c as u32,
        Some(c) if c == quote => c as u32,
        None => return Err(Fault::at(at, "this escape is cut short").repair(at..at + 1, "")),
        Some(other) => {
            let fault = Fault::at(
                at,
                format!("a backslash is followed by one of {quote} \\ / b f n r t u"),
            );
            // `\'` in double quotes and `\"` in single quotes need no backslash; any other most
            // likely is meant as it stands.
            return Err(if matches!(other, '"' | '\'') {
                fault.repair(at..at + 1, "")
            } else {
                fault.repair(at..at + 1, "\\\\")
            });
        }
    };
    push(decoded, c);
    Ok(())
}

/// The four hexadecimal digits of a `\u` escape whose backslash stands at `at`.
fn code_unit(cursor: &mut Cursor<'_>, at: usize) -> Result<u32, Fault> {
    let start = cursor.at;
    let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
    match digits
        .get(..4)
        .and_then(|four| u32::from_str_radix(four, 16).ok())
    {
        Some(unit) => {
            cursor.at = start + 4;
            Ok(unit)
        }
        None => Err(Fault::at(at, "expected four hexadecimal digits after \\u")),
    }
}

/// Appends the UTF-8 form of a code point, surrogates included.
fn push(bytes: &mut Vec<u8>, code_point: u32) {
    match char::from_u32(code_point) {
        Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => bytes.extend_from_slice(&[
            0xe0 | (code_point >> 12) as u8,
            0x80 | (code_point >> 6 & 0x3f) as u8,
            0x80 | (code_point & 0x3f) as u8,
        ]),
    }
}

/// What a key is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Char(char),
    /// Half of a surrogate pair, 0xD800 to 0xDFFF.
    Surrogate(u32),
    /// A byte that belongs to neither: no parser here makes such a key, a caller may.
    Byte(u8),
}

/// Cuts the bytes of a key into characters.
pub(super) fn pieces(mut key: &[u8]) -> impl Iterator<Item = Piece> {
    std::iter::from_fn(move || {
        let &first = key.first()?;
        let width = match first {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let whole = key.get(..width).and_then(|c| std::str::from_utf8(c).ok());
        let (piece, length) = match (whole.and_then(|c| c.chars().next()), key) {
            (Some(c), _) => (Piece::Char(c), width),
            (None, &[0xed, high @ 0xa0..0xc0, low @ 0x80..0xc0, ..]) => {
                let unit = 0xd000 | u32::from(high & 0x3f) << 6 | u32::from(low & 0x3f);
                (Piece::Surrogate(unit), 3)
            }
            (None, _) => (Piece::Byte(first), 1),
        };
        key = &key[length..];
        Some(piece)
    })
}

/// Writes a key as a JSON string. What a terminal would act on is escaped too, so that a printed
/// path is safe to show and still reads back as the same key.
pub(super) fn write_json(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for piece in pieces(key) {
        match piece {
            Piece::Char(c @ ('"' | '\\')) => write!(f, "\\{c}")?,
            Piece::Char(c) if is_unprintable(c) => write_escaped(f, c)?,
            other => write_piece(f, other)?,
        }
    }
    f.write_char('"')
}

/// Writes a key in single quotes, as the normalized paths of RFC 9535, section 2.7, have it.
/// Half a surrogate pair, which they cannot say, is written as its escape.
pub(super) fn write_normalized(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    f.write_char('\'')?;
    for piece in pieces(key) {
        match piece {
            Piece::Char(c @ ('\'' | '\\')) => write!(f, "\\{c}")?,
            Piece::Char(c) if c < ' ' => write_escaped(f, c)?,
            other => write_piece(f, other)?,
        }
    }
    f.write_char('\'')
}

fn write_escaped(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\u{8}' => f.write_str("\\b"),
        '\t' => f.write_str("\\t"),
        '\n' => f.write_str("\\n"),
        '\u{c}' => f.write_str("\\f"),
        '\r' => f.write_str("\\r"),
        _ => write!(f, "\\u{:04x}", c as u32),
    }
}

fn write_piece(f: &mut fmt::Formatter<'_>, piece: Piece) -> fmt::Result {
    match piece {
        Piece::Char(c) => f.write_char(c),
        Piece::Surrogate(unit) => write!(f, "\\u{unit:04x}"),
        Piece::Byte(_) => f.write_char(char::REPLACEMENT_CHARACTER),
    }
}
