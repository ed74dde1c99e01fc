//! Single escapes: decoding one, and escaping a character.
//!
//! [`Escape::first`] is the only reader of single escapes; key comparison, paths and the tolerant lexer of `diagnose`
//! use it. `decode.rs` decodes whole strings, many escapes at a time, with the same tables: [`SHORT`] and those of
//! [`hex`].

use core::fmt;
use core::ops::Range;

use crate::hex;

/// The character that a letter after a backslash encodes; 0 for `u` and for bytes that are not allowed there.
pub(super) static SHORT: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0c;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};

/// One escape, or the two escapes of a surrogate pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// What it encodes.
    pub value: Value,
    /// Its length in bytes: 2, 6, or 12 for a pair.
    pub length: usize,
}

/// The characters that an escape encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A character.
    Char(char),
    /// A lone surrogate, 0xD800 to 0xDFFF.
    Surrogate(u16),
}

impl Escape {
    /// Reads the escape at the start of `bytes`; `None` if it is malformed or cut off.
    #[inline]
    pub fn first(bytes: &[u8]) -> Option<Escape> {
        let [b'\\', letter, ..] = *bytes else {
            return None;
        };
        if letter != b'u' {
            let byte = SHORT[usize::from(letter)];
            return (byte != 0).then_some(Escape {
                value: Value::Char(char::from(byte)),
                length: 2,
            });
        }
        let unit = code_unit(bytes)?;
        if let Some(c) = char::from_u32(u32::from(unit)) {
            return Some(Escape {
                value: Value::Char(c),
                length: 6,
            });
        }
        let next = code_unit(&bytes[6..]);
        let pair = next.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
        Some(match pair {
            Some(c) => Escape {
                value: Value::Char(c),
                length: 12,
            },
            None => Escape {
                value: Value::Surrogate(unit),
                length: 6,
            },
        })
    }
}

/// The spans of the lone surrogates in a JSON text, all of six bytes.
#[doc(hidden)]
pub fn lone_surrogates(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += memchr::memchr(b'\\', &text[at..])?;
            let start = at;
            let escape = Escape::first(&text[at..]);
            at = text
                .len()
                .min(at + escape.map_or(2, |escape| escape.length));
            if escape.is_some_and(|escape| matches!(escape.value, Value::Surrogate(_))) {
                return Some(start..at);
            }
        }
    })
}

impl Value {
    /// Encodes the character as UTF-8, or the surrogate as WTF-8, into `buffer`.
    pub fn encode(self, buffer: &mut [u8; 4]) -> &[u8] {
        match self {
            Value::Char(c) => c.encode_utf8(buffer).as_bytes(),
            Value::Surrogate(unit) => {
                buffer[..3].copy_from_slice(&wtf8(unit));
                &buffer[..3]
            }
        }
    }
}

/// The code unit of the `\uXXXX` at the start of `bytes`, if there is one.
#[inline(always)]
pub(super) fn code_unit(bytes: &[u8]) -> Option<u16> {
    let &[backslash, u, a, b, c, d] = bytes.first_chunk()?;
    if [backslash, u] != *b"\\u" {
        return None;
    }
    hex::decode4(&[a, b, c, d])
}

/// A lone surrogate in WTF-8: the three bytes that UTF-8 would use if it were a character.
pub(super) fn wtf8(surrogate: u16) -> [u8; 3] {
    let six = |shift: u32| 0x80 | (surrogate >> shift & 0x3f) as u8;
    [0xe0 | (surrogate >> 12) as u8, six(6), six(0)]
}

/// Escapes a character: as the short form if JSON has one, otherwise as one or two `\uXXXX` in lower case.
///
/// Allocates no memory.
///
/// ```
/// use jsonx_core::string::escape;
///
/// assert_eq!(escape('\n').as_str(), r"\n");
/// assert_eq!(escape('"').as_str(), r#"\""#);
/// assert_eq!(escape('\u{1b}').as_str(), r"\u001b");
/// assert_eq!(escape('😀').to_string(), r"\ud83d\ude00");
/// ```
pub fn escape(c: char) -> EscapedChar {
    let short = match c {
        '"' => b'"',
        '\\' => b'\\',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        _ => return EscapedChar::utf16(c),
    };
    let mut bytes = [0; 12];
    bytes[..2].copy_from_slice(&[b'\\', short]);
    EscapedChar { bytes, length: 2 }
}

/// The text of an escape, from [`escape`].
///
/// ```
/// assert_eq!(format!("<{}>", jsonx_core::string::escape('\t')), r"<\t>");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapedChar {
    bytes: [u8; 12],
    length: u8,
}

impl EscapedChar {
    /// `\uXXXX` for each of one or two code units.
    #[inline]
    pub fn units(units: &[u16]) -> EscapedChar {
        let mut bytes = [0; 12];
        let mut length = 0;
        for (escape, &unit) in bytes.as_chunks_mut::<6>().0.iter_mut().zip(units) {
            let [a, b, c, d] = hex::encode4(unit);
            *escape = [b'\\', b'u', a, b, c, d];
            length += 6;
        }
        EscapedChar { bytes, length }
    }

    /// `\uXXXX`, or two of them for a character beyond U+FFFF, even if a short form exists.
    #[inline]
    pub fn utf16(c: char) -> EscapedChar {
        EscapedChar::units(c.encode_utf16(&mut [0; 2]))
    }

    /// The escape as ASCII bytes.
    ///
    /// ```
    /// assert_eq!(jsonx_core::string::escape('<').as_bytes(), br"\u003c");
    /// ```
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The escape as text.
    ///
    /// ```
    /// assert_eq!(jsonx_core::string::escape('é').as_str(), r"\u00e9");
    /// ```
    #[inline]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl fmt::Display for EscapedChar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn char_of(c: char) -> Option<Value> {
        Some(Value::Char(c))
    }

    fn first(bytes: &[u8]) -> (Option<Value>, usize) {
        let escape = Escape::first(bytes);
        (
            escape.map(|escape| escape.value),
            escape.map_or(0, |escape| escape.length),
        )
    }

    #[test]
    fn every_character_survives_escaping() {
        for c in '\0'..=char::MAX {
            let text = escape(c);
            let escape = Escape::first(text.as_bytes()).unwrap();
            assert_eq!(
                (escape.value, escape.length),
                (Value::Char(c), text.as_bytes().len())
            );
            let json: String = serde_json::from_str(&format!("\"{text}\"")).unwrap();
            assert_eq!(json, c.to_string());
        }
    }

    #[test]
    fn every_letter_after_a_backslash() {
        for letter in 0..=u8::MAX {
            let expected = match letter {
                b'"' | b'\\' | b'/' => char_of(char::from(letter)),
                b'b' => char_of('\u{8}'),
                b'f' => char_of('\u{c}'),
                b'n' => char_of('\n'),
                b'r' => char_of('\r'),
                b't' => char_of('\t'),
                _ => None,
            };
            assert_eq!(first(&[b'\\', letter, b'x']).0, expected, "{letter:x}");
        }
    }

    #[test]
    fn pairs_and_halves_of_pairs() {
        let half = |unit| Some(Value::Surrogate(unit));
        assert_eq!(first(br"\uD83D\uDE00!"), (char_of('😀'), 12));
        assert_eq!(first(br"\uD83D"), (half(0xd83d), 6));
        assert_eq!(first(br"\uD83D\uD83D\uDE00"), (half(0xd83d), 6));
        assert_eq!(first(br"\uDE00\uD83D"), (half(0xde00), 6));
        assert_eq!(first(br"\uD83D\n"), (half(0xd83d), 6));
        assert_eq!(first(br"\uD83D\uDE0"), (half(0xd83d), 6));
        for unit in 0xd800..=0xdfff {
            let raw = EscapedChar::units(&[unit]);
            assert_eq!(first(raw.as_bytes()), (half(unit), 6));
            // The standard library does not encode surrogates, but decodes a character that differs only in the lead
            // byte.
            let mut buffer = [0; 4];
            let &[a, b, c] = Value::Surrogate(unit).encode(&mut buffer) else {
                panic!("three bytes");
            };
            let code = u16::from(a & 0xf) << 12 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f);
            assert_eq!((a >> 4, b >> 6, c >> 6, code), (0xe, 2, 2, unit));
        }
    }

    #[test]
    fn malformed_escapes() {
        for text in [
            "", "a", "\\", "\\u", "\\u12", "\\u123", "\\u12g4", "\\U0041", "\\x41", "\\u{41}", "n",
        ] {
            assert_eq!(first(text.as_bytes()), (None, 0), "{text}");
        }
    }
}
