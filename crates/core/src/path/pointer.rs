//! JSON Pointer: RFC 6901, and its URI fragment form (section 6).

use std::fmt::{self, Write};

use super::cursor::integer;
use super::error::Fault;
use super::quoted::{Unit, units};
use super::syntax_tree::{Reach, Segment, Selector};
use crate::hex;

/// Parses a pointer: any number of tokens, each after a `/`.
pub(super) fn parse(text: &str) -> Result<Vec<Segment>, Fault> {
    parse_bytes(text.as_bytes()).map_err(|at| match text.as_bytes().get(at) {
        Some(b'~') if at > 0 => {
            Fault::at(at, "a tilde is written `~0`, a slash in a key `~1`").repair(at..at + 1, "~0")
        }
        _ => Fault::at(at, "a pointer begins with `/`").repair(at..at, "/"),
    })
}

/// Parses a pointer whose tokens may be any bytes. Fails with the offset of the error.
pub(super) fn parse_bytes(text: &[u8]) -> Result<Vec<Segment>, usize> {
    let Some((slash, tokens)) = text.split_first() else {
        return Ok(Vec::new());
    };
    if *slash != b'/' {
        return Err(0);
    }
    let mut at = 1;
    let token = |token: &[u8]| {
        let mut key = Vec::with_capacity(token.len());
        let mut rest = token;
        while let Some(tilde) = memchr::memchr(b'~', rest) {
            key.extend_from_slice(&rest[..tilde]);
            key.push(match rest.get(tilde + 1) {
                Some(b'0') => b'~',
                Some(b'1') => b'/',
                _ => return Err(at + (token.len() - rest.len()) + tilde),
            });
            rest = &rest[tilde + 2..];
        }
        key.extend_from_slice(rest);
        at += token.len() + 1;
        Ok(child(key.into()))
    };
    tokens.split(|&byte| byte == b'/').map(token).collect()
}

/// The segment of a token: selects the member with this key or, for `0` or digits without a leading zero (section 4), the element
/// at this index. `-`, the element after the last, never exists, but may be a key of an object.
pub(super) fn child(key: Box<[u8]>) -> Segment {
    let text = std::str::from_utf8(&key).ok();
    let index = text.and_then(integer).filter(|&index| index >= 0);
    let selector = match index {
        Some(index) => Selector::KeyOrIndex { key, index },
        None => Selector::Key(key),
    };
    Segment {
        reach: Reach::Child,
        selectors: vec![selector],
        optional: false,
    }
}

/// Parses the fragment form: `#`, and a pointer in which characters may be percent-encoded.
pub(super) fn parse_fragment(text: &str) -> Result<Vec<Segment>, Fault> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    // Source offset of each decoded byte, for errors in the encoded text.
    let mut origin = Vec::with_capacity(bytes.len());
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        origin.push(at);
        if byte != b'%' {
            decoded.push(byte);
            at += 1;
            continue;
        }
        let Some(byte) = bytes[at + 1..].first_chunk().and_then(hex::decode2) else {
            return Err(Fault::at(at, "expected two hexadecimal digits after `%`")
                .repair(at..at + 1, "%25"));
        };
        decoded.push(byte);
        at += 3;
    }
    origin.push(at);
    let pointer = std::str::from_utf8(&decoded).map_err(|error| {
        let at = origin[error.valid_up_to()];
        Fault::at(at, "these percent-encoded bytes are not UTF-8")
    })?;
    parse(pointer).map_err(|mut fault| {
        fault.0.offset = origin[fault.0.offset];
        if let Some(edit) = &mut fault.0.edit {
            edit.range = origin[edit.range.start]..origin[edit.range.end];
        }
        fault
    })
}

/// Writes segments as a pointer. Only called for pointers, so each segment is one key.
pub(super) fn write(f: &mut fmt::Formatter<'_>, segments: &[Segment]) -> fmt::Result {
    segments
        .iter()
        .flat_map(|segment| &segment.selectors)
        .filter_map(Selector::key)
        .try_for_each(|key| write_token(f, key))
}

/// Writes the token of a key. A lone surrogate, which a pointer cannot express, becomes U+FFFD.
pub(super) fn write_token(f: &mut fmt::Formatter<'_>, key: &[u8]) -> fmt::Result {
    f.write_char('/')?;
    for unit in units(key) {
        match unit {
            Unit::Char('~') => f.write_str("~0")?,
            Unit::Char('/') => f.write_str("~1")?,
            Unit::Char(c) => f.write_char(c)?,
            Unit::Surrogate(_) | Unit::Byte(_) => f.write_char(char::REPLACEMENT_CHARACTER)?,
        }
    }
    Ok(())
}
