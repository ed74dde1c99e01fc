//! Comparing a key with a wanted text, without decoding it first.

use super::decode::SHORT;
use super::unicode_escape;

/// Whether a key says `wanted`, where `raw` is what stands between its quotes.
///
/// Bytes are compared as they are; an escape is resolved only where one stands, and nothing is allocated. A key with an
/// escaped surrogate that has no partner equals nothing, as no UTF-8 text can say it; neither does a malformed one.
///
/// ```
/// use jsonx_core::string::key_equals;
///
/// assert!(key_equals(b"name", b"name"));
/// assert!(key_equals(br"n\u0061me", b"name"));
/// assert!(!key_equals(br"a\\b", br"a\\b"));
/// assert!(!key_equals(br"\uD800", "\u{fffd}".as_bytes()));
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
        let Some((character, length)) = escaped(escape) else {
            return false;
        };
        let Some(rest) = rest.strip_prefix(character.encode_utf8(&mut [0; 4]).as_bytes()) else {
            return false;
        };
        raw = &escape[length..];
        wanted = rest;
    }
}

/// The character that is escaped at the start of `bytes` and the length of its escape.
fn escaped(bytes: &[u8]) -> Option<(char, usize)> {
    let &letter = bytes.get(1)?;
    if letter != b'u' {
        let byte = SHORT[usize::from(letter)];
        return (byte != 0).then_some((char::from(byte), 2));
    }
    let unit = unicode_escape(bytes)?;
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return Some((character, 6));
    }
    // A lone half, of either kind, comes out of this as an error.
    let pair = [unit, unicode_escape(&bytes[6..])?];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, 12))
}
