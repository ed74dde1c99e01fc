//! Operations on single strings: finding the end, decoding, escaping, and comparing keys.
//!
//! The engine validates strings by masks, 64 bytes at a time, and decodes none. These functions work on demand and
//! without masks: `end` finds the closing quote, [`decode`] turns the text between the quotes into UTF-8, and [`decode_key`] decodes a key.

mod decode;
pub(crate) mod distance;
pub(crate) mod escape;
mod key;
// For the other crates.
#[doc(hidden)]
pub mod nearest;
pub(crate) mod word;

// `decode_into`, `find_special`, `end` and those of escapes are for the program.
#[doc(hidden)]
pub use decode::decode_into;
pub use decode::{Decoded, Surrogates, decode};
pub(crate) use distance::edit_distance;
#[doc(hidden)]
pub use escape::lone_surrogates;
pub(crate) use escape::{Escape, Value};
#[doc(hidden)]
pub use escape::{EscapedChar, escape};
pub use key::decode_key;
pub(crate) use key::key_equals;

use self::word::{is_special, lowest_lane, special_marks, word};
use crate::syntax::{ErrorKind, SyntaxError};

/// The offset of the first `"`, `\` or control byte (below 0x20) at or after `from`; the length of `bytes` if there is
/// none.
///
/// ```
/// use jsonx_core::string::find_special;
///
/// assert_eq!(find_special(br"plain \n", 0), 6);
/// assert_eq!(find_special(b"plain", 2), 5);
/// ```
#[inline]
#[doc(hidden)]
pub fn find_special(bytes: &[u8], from: usize) -> usize {
    // Empty strings and runs of escapes are common; they return here, before a word is loaded.
    match bytes.get(from) {
        None => return bytes.len(),
        Some(&byte) if is_special(byte) => return from,
        Some(_) => {}
    }
    let mut at = from;
    while let Some(word) = word(bytes, at) {
        let marks = special_marks(word);
        if marks != 0 {
            return at + lowest_lane(marks);
        }
        at += 8;
    }
    // The last one to seven bytes: the last word of the text, with the bytes before them shifted out. The zeros shifted
    // in count as control bytes, so without a match the result is the length.
    match bytes.last_chunk::<8>() {
        Some(_) if at == bytes.len() => at,
        Some(last) => {
            let seen = 8 - (bytes.len() - at);
            at + lowest_lane(special_marks(u64::from_le_bytes(*last) >> (8 * seen)))
        }
        None => bytes[at..]
            .iter()
            .position(|&byte| is_special(byte))
            .map_or(bytes.len(), |lane| at + lane),
    }
}

/// The offset of the closing quote of a string, where `from` is the offset right after its opening quote.
///
/// Skips escapes without checking them; [`decode`] checks the letters and digits after a backslash.
///
/// # Errors
///
/// The offset is that in `bytes`: [`ErrorKind::ControlCharacter`] at an unescaped byte below 0x20,
/// [`ErrorKind::BadEscape`] at such a byte right after a backslash, [`ErrorKind::UnexpectedEnd`] at the length.
///
/// ```
/// use jsonx_core::{ErrorKind, string::end};
///
/// assert_eq!(end(br#""say \"hi\"": 1"#, 1), Ok(11));
/// assert_eq!(end(b"\"open", 1).unwrap_err().kind, ErrorKind::UnexpectedEnd);
/// ```
#[doc(hidden)]
#[inline]
pub fn end(bytes: &[u8], from: usize) -> Result<usize, SyntaxError> {
    let mut at = from;
    loop {
        at = find_special(bytes, at);
        // Skips runs of `\u` escapes six bytes at a time. This is three times as fast as finding each next backslash,
        // as long as the step is a branch and not a value computed from the digits.
        while bytes.get(at) == Some(&b'\\') && escape::code_unit(&bytes[at..]).is_some() {
            at += 6;
        }
        match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => match bytes.get(at + 1) {
                Some(0..0x20) => return Err(error(ErrorKind::BadEscape, at + 1)),
                Some(_) => at += 2,
                None => return Err(error(ErrorKind::UnexpectedEnd, bytes.len())),
            },
            Some(0..0x20) => return Err(error(ErrorKind::ControlCharacter, at)),
            // The run of escapes ends before an ordinary byte.
            Some(_) => {}
            None => return Err(error(ErrorKind::UnexpectedEnd, bytes.len())),
        }
    }
}

fn error(kind: ErrorKind, at: usize) -> SyntaxError {
    SyntaxError {
        kind,
        offset: at as u64,
    }
}

#[cfg(test)]
mod tests;
