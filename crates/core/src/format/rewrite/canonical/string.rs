//! Strings with the fewest escapes (RFC 8785, section 3.2.2.2).

use crate::string::{Surrogates, decode, escape, find_special};

/// Appends a string in its canonical form, quotes included.
///
/// # Errors
///
/// The offset from the opening quote of an escaped lone surrogate.
pub(super) fn push(quoted: &[u8], out: &mut Vec<u8>) -> Result<(), u64> {
    let [b'"', raw @ .., b'"'] = quoted else {
        // The engine only passes whole strings.
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
    let (text, mut from) = (&*decoded.text, 0);
    loop {
        let at = find_special(text, from);
        out.extend_from_slice(&text[from..at]);
        let Some(&byte) = text.get(at) else { break };
        out.extend_from_slice(escape(char::from(byte)).as_bytes());
        from = at + 1;
    }
    out.push(b'"');
    Ok(())
}
