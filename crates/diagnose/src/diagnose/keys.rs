//! Unescapes keys and detects duplicates.

use std::borrow::Cow;

use jsonx_core::internal::{Escape, Value, is_text};
use jsonx_core::path::Location;
use jsonx_core::string::{self, EscapedChar};
use jsonx_core::terminal::sanitize;

use crate::key_set::KeySet;

/// Passes the decoded bytes of a string token to `sink`. The token may be malformed: quotes of any kind are stripped
/// if present, `\'` is a quote, and a malformed escape is copied verbatim. A lone surrogate becomes the byte FF, which
/// never occurs in UTF-8, followed by its escape in lower case, which a path can show.
pub(super) fn unescape(raw: &[u8], mut sink: impl FnMut(&[u8])) {
    let mut rest = body(raw);
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (literal, escape) = rest.split_at(at);
        sink(literal);
        let length = match Escape::first(escape) {
            Some(Escape { value, length }) => {
                match value {
                    Value::Char(c) => sink(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    Value::Surrogate(unit) => {
                        sink(&[0xFF]);
                        sink(EscapedChar::units(&[unit]).as_bytes());
                    }
                }
                length
            }
            None if escape.starts_with(b"\\'") => {
                sink(b"'");
                2
            }
            None => {
                sink(b"\\");
                1
            }
        };
        rest = &escape[length..];
    }
    sink(rest);
}

/// The content of a string token, without quotes if it has any.
pub(super) fn body(raw: &[u8]) -> &[u8] {
    const QUOTES: [&str; 14] = [
        "\"", "'", "`", "“", "”", "„", "‟", "«", "»", "＂", "‘", "’", "‚", "´",
    ];
    let prefix = raw
        .iter()
        .take(3)
        .take_while(|byte| b"uUbBrRfF".contains(byte))
        .count();
    let mut body = match raw.get(prefix) {
        Some(b'"' | b'\'') => &raw[prefix..],
        _ => raw,
    };
    for quote in QUOTES {
        if let Some(rest) = body.strip_prefix(quote.as_bytes()) {
            body = rest;
            break;
        }
    }
    for quote in QUOTES {
        if let Some(rest) = body.strip_suffix(quote.as_bytes()) {
            // An escaped quote belongs to the content.
            if rest.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0 {
                body = rest;
            }
            break;
        }
    }
    body
}

/// The longest key, in bytes, that a path gives in full.
const MAX_SHOWN: usize = 256;

/// Appends the member with this key, which may be quoted or malformed. A key that is too long is truncated, and one
/// that is not text is shown lossily; the path is then marked as truncated.
pub(crate) fn push_key(path: &mut Location, raw: &[u8]) {
    if let [b'"', content @ .., b'"'] = raw
        && content.len() <= 6 * MAX_SHOWN
        && string::decode(content).is_ok()
    {
        let key = string::decode_key(content);
        if key.len() <= MAX_SHOWN && is_text(&key) {
            path.push_key(&key);
            return;
        }
    }
    let (key, whole) = text(raw);
    path.push_key(key.as_bytes());
    if !whole {
        path.truncate();
    }
}

/// The key as text for a message, and whether that text is exact.
pub(crate) fn text(raw: &[u8]) -> (String, bool) {
    let mut out = Vec::new();
    let cut = raw.len() > 6 * MAX_SHOWN;
    unescape(&raw[..raw.len().min(6 * MAX_SHOWN)], |part| {
        out.extend_from_slice(part)
    });
    let mut whole = !cut && out.len() <= MAX_SHOWN;
    out.truncate(MAX_SHOWN);
    let text = match String::from_utf8(out) {
        Ok(text) => text,
        Err(error) => {
            whole = false;
            sanitize(&String::from_utf8_lossy(error.as_bytes())).into_owned()
        }
    };
    (if whole { text } else { text + "…" }, whole)
}

/// The keys of one object, by the span of each.
pub(super) type Keys = KeySet<(u32, u32)>;

/// The maximum number of keys stored per object: their table then takes about 100 MB. Later keys of a larger object are
/// compared with the first four million.
const MOST: usize = 1 << 22;

/// Adds a key. Returns the first one that is equal after unescaping.
pub(super) fn insert(keys: &mut Keys, text: &[u8], key: (u32, u32)) -> Option<(u32, u32)> {
    keys.insert(key, MOST, |(start, end)| {
        unescaped(&text[start as usize..end as usize])
    })
}

/// The decoded bytes of a key, as [`unescape`] passes them.
fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(body(raw));
    }
    let mut out = Vec::new();
    unescape(raw, |part| out.extend_from_slice(part));
    Cow::Owned(out)
}
