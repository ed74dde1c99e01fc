//! Keys: compared with a wanted text without decoding them first, and decoded so that no two become one.

use std::borrow::Cow;

use super::decode::decode_wtf8;
use super::escape::Escape;

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
        let Some(Escape { value, length }) = Escape::first(escape) else {
            return false;
        };
        let Some(rest) = rest.strip_prefix(value.encode(&mut [0; 4])) else {
            return false;
        };
        raw = &escape[length..];
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
    match memchr::memchr(b'\\', raw) {
        Some(first) => Cow::Owned(decode_wtf8(raw, first)),
        None => Cow::Borrowed(raw),
    }
}
