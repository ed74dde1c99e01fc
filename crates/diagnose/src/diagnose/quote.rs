//! Quotes text of the input in messages: shortened, decoded, and without terminal control sequences.

use std::fmt;

use jsonx_core::string::escape;
use jsonx_core::terminal::sanitize;

/// The maximum number of characters that a message quotes.
const QUOTED: usize = 32;

/// The start of `bytes` as visible text, at most 32 characters; `...` replaces the rest.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes. Four bytes more put the cut beyond the last quoted character.
    let head = &bytes[..bytes.len().min(4 * QUOTED + 4)];
    let start = &head[..head.len().min(QUOTED)];
    if let (true, Ok(start)) = (is_plain(start), std::str::from_utf8(start)) {
        return if head.len() > QUOTED {
            [start, "..."].concat()
        } else {
            start.to_owned()
        };
    }
    let mut out = String::with_capacity(head.len());
    let mut count = 0;
    for chunk in head.utf8_chunks() {
        for c in chunk.valid().chars() {
            if count == QUOTED {
                out.push_str("...");
                return out;
            }
            match c {
                ' '..='~' => out.push(c),
                _ => out.push_str(&sanitize(c.encode_utf8(&mut [0; 4]))),
            }
            count += 1;
        }
        for byte in chunk.invalid() {
            if count == QUOTED {
                out.push_str("...");
                return out;
            }
            out.push_str(&format!("<{byte:02X}>"));
            count += 1;
        }
    }
    out
}

/// The excerpt of a text, which is returned unchanged if it is short and visible.
pub(crate) fn shortened(text: String) -> String {
    if text.len() <= QUOTED && is_plain(text.as_bytes()) {
        text
    } else {
        excerpt(text.as_bytes())
    }
}

fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The excerpt in backticks, rendered where it is displayed.
#[derive(Clone, Copy)]
pub(super) struct Ticked<'a>(&'a [u8]);

impl fmt::Display for Ticked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", excerpt(self.0))
    }
}

/// The excerpt in backticks.
pub(super) fn ticked(bytes: &[u8]) -> Ticked<'_> {
    Ticked(bytes)
}

/// A suggestion such as ``write `"name"` ``, or `otherwise` if the text is too long to show in full.
pub(super) fn write(text: &str, otherwise: &str) -> String {
    if text.chars().count() <= 40 {
        format!("write `{}`", sanitize(text))
    } else {
        otherwise.to_owned()
    }
}

/// Appends `text` as a JSON string, with quotes.
pub(super) fn json_string(text: &str, out: &mut String) {
    out.push('"');
    if text
        .bytes()
        .any(|byte| matches!(byte, b'"' | b'\\' | ..0x20))
    {
        text.chars().for_each(|c| json_character(c, out))
    } else {
        out.push_str(text)
    }
    out.push('"');
}

/// Appends one character, escaped as in a JSON string.
pub(super) fn json_character(c: char, out: &mut String) {
    match c {
        '"' | '\\' | '\0'..='\x1f' => out.push_str(escape(c).as_str()),
        _ => out.push(c),
    }
}

/// `bytes` as a JSON string; invalid UTF-8 becomes U+FFFD.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    json_string(&String::from_utf8_lossy(bytes), &mut out);
    out
}
