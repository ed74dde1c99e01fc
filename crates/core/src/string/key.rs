//! Keys: compared with a wanted text without decoding them first, and decoded so that no two become one.

use std::borrow::Cow;

use super::decode::SHORT;
use super::{Surrogates, decode, unicode_escape};

/// Whether a key says `wanted`, where `raw` is what stands between its quotes.
///
/// Bytes are compared as they are; an escape is resolved only where one stands, and nothing is allocated. An escaped
/// surrogate that has no partner, which no UTF-8 text can say, equals the three bytes that WTF-8 has for it, as
/// [`path`](crate::path) has them too. A key with a malformed escape equals nothing.
///
/// ```
/// use jsonx_core::string::key_equals;
///
/// assert!(key_equals(b"name", b"name"));
/// assert!(key_equals(br"n\u0061me", b"name"));
/// assert!(!key_equals(br"a\\b", br"a\\b"));
/// assert!(!key_equals(br"\uD800", "\u{fffd}".as_bytes()));
/// assert!(key_equals(br"\uD800", b"\xED\xA0\x80"));
/// ```
pub fn key_equals(raw: &[u8], wanted: &[u8]) -> bool {
    // An escape is longer than what it stands for, six bytes at most for one.
    if raw.len() <= wanted.len() {
        return raw == wanted && memchr::memchr(b'\\', raw).is_none();
    }
    if raw.len() > wanted.len().saturating_mul(6) {
        return false;
    }
    let (mut raw, mut wanted) = (raw, wanted);
    loop {
        let Some(at) = memchr::memchr(b'\\', raw) else {
            return raw == wanted;
        };
        let (literal, escape) = raw.split_at(at);
        let Some(rest) = wanted.strip_prefix(literal) else {
            return false;
        };
        let Some(escaped) = Escaped::first(escape) else {
            return false;
        };
        let Some(rest) = rest.strip_prefix(escaped.text()) else {
            return false;
        };
        raw = &escape[escaped.raw..];
        wanted = rest;
    }
}

/// Decodes a key, where `raw` is what stands between its quotes: like [`decode`], but an escaped surrogate without a
/// partner becomes its three bytes in WTF-8 and not U+FFFD, so that different keys stay different. From a malformed
/// escape on the text is kept as it is.
///
/// ```
/// use jsonx_core::string::{decode_key, key_equals};
///
/// let raw = br"\u0061\uD800";
/// let key = decode_key(raw);
/// assert_eq!(&*key, b"a\xED\xA0\x80");
/// assert!(key_equals(raw, &key));
/// ```
pub fn decode_key(raw: &[u8]) -> Cow<'_, [u8]> {
    match decode(raw) {
        Ok(decoded) if decoded.surrogates == Surrogates::Paired => decoded.text,
        _ => Cow::Owned(decode_wtf8(raw)),
    }
}

#[cold]
fn decode_wtf8(raw: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (literal, escape) = rest.split_at(at);
        text.extend_from_slice(literal);
        rest = escape;
        let Some(escaped) = Escaped::first(escape) else {
            break;
        };
        text.extend_from_slice(escaped.text());
        rest = &escape[escaped.raw..];
    }
    text.extend_from_slice(rest);
    text
}

/// One escape, or two that make a pair.
struct Escaped {
    bytes: [u8; 4],
    /// How many of the bytes it stands for.
    length: usize,
    /// How long it is itself.
    raw: usize,
}

impl Escaped {
    /// The escape at the start of `bytes`.
    fn first(bytes: &[u8]) -> Option<Escaped> {
        let &letter = bytes.get(1)?;
        if letter != b'u' {
            let byte = SHORT[usize::from(letter)];
            return (byte != 0).then_some(Escaped {
                bytes: [byte, 0, 0, 0],
                length: 1,
                raw: 2,
            });
        }
        let unit = unicode_escape(bytes)?;
        let next = unicode_escape(&bytes[6..]);
        let pair = next.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
        let (character, raw) = match (char::from_u32(u32::from(unit)), pair) {
            (Some(character), _) => (character, 6),
            (None, Some(character)) => (character, 12),
            (None, None) => return Some(Escaped::lone(unit)),
        };
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len();
        Some(Escaped { bytes, length, raw })
    }

    /// Half of a surrogate pair, as UTF-8 would have it if it were a character.
    fn lone(unit: u16) -> Escaped {
        let six = |shift: u32| 0x80 | (unit >> shift & 0x3f) as u8;
        Escaped {
            bytes: [0xe0 | (unit >> 12) as u8, six(6), six(0), 0],
            length: 3,
            raw: 6,
        }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
