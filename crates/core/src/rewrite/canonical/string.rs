//! Strings with as few escapes as there can be (RFC 8785, section 3.2.2.2).

use crate::rewrite::escape::push_unit;
use crate::string::{Surrogates, decode};

/// Appends a string in its canonical form, quotes included.
///
/// # Errors
///
/// Half of a surrogate pair is escaped: its offset from the opening quote.
pub(super) fn push(quoted: &[u8], out: &mut Vec<u8>) -> Result<(), u64> {
    let [b'"', raw @ .., b'"'] = quoted else {
        // The engine hands over whole strings only.
        return Err(0);
    };
    if memchr::memchr(b'\\', raw).is_none() {
        out.extend_from_slice(quoted);
        return Ok(());
    }
    let decoded = decode(raw).map_err(|error| error.offset + 1)?;
    if let Surrogates::Replaced { first } = decoded.surrogates {
        return Err(first + 1);
    }
    out.push(b'"');
    let mut rest = &*decoded.text;
    while let Some(at) = rest
        .iter()
        .position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')
    {
        out.extend_from_slice(&rest[..at]);
        match rest[at] {
            byte @ (b'"' | b'\\') => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            control => push_unit(u16::from(control), out),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
    Ok(())
}
