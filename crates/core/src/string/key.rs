//! Compares keys without decoding them, and decodes keys without making distinct keys equal.

use std::borrow::Cow;

use super::decode::decode_wtf8;
use super::escape::Escape;

/// Whether a key equals `wanted` after decoding; `raw` is the text between its quotes.
///
/// Resolves escapes as they occur, and allocates no memory. An escaped lone surrogate, which UTF-8 cannot encode, equals its
/// three bytes in WTF-8, as in [`path`](crate::path). A key with a malformed escape never matches.
pub(crate) fn key_equals(raw: &[u8], wanted: &[u8]) -> bool {
    // An escape is longer than the text it encodes, at most six bytes for one.
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

/// Decodes a key; `raw` is the text between its quotes. Like [`decode`](super::decode), but an escaped lone surrogate becomes its
/// three bytes in WTF-8 and not U+FFFD, so that distinct keys stay distinct. The text is copied unchanged from a
/// malformed escape on.
///
/// ```
/// use jsonx_core::string::decode_key;
///
/// let raw = br"\u0061\uD800";
/// let key = decode_key(raw);
/// assert_eq!(&*key, b"a\xED\xA0\x80");
/// ```
pub fn decode_key(raw: &[u8]) -> Cow<'_, [u8]> {
    // Keys are short, and the first call of `memchr` asks for the features of the CPU: 60 µs in a virtual machine.
    match raw.iter().position(|&byte| byte == b'\\') {
        Some(first) => Cow::Owned(decode_wtf8(raw, first)),
        None => Cow::Borrowed(raw),
    }
}
