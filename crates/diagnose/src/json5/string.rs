//! Translates JSON5 strings to JSON.

use jsonx_core::internal::Splices;

use super::space;

/// Adds the edits that translate the string at `start` to JSON. Escapes that are invalid in JSON5 too are left
/// unchanged.
pub(super) fn translate(token: &[u8], start: usize, edits: &mut Splices) {
    let mut edit = |from: usize, to: usize, text: &str| {
        edits.push(start + from..start + to, text.as_bytes());
    };
    let quote = token[0];
    if quote == b'\'' {
        edit(0, 1, "\"");
    }
    let mut at = 1;
    while at < token.len() {
        let rest = &token[at..];
        at += match *rest {
            // The text after it must not complete it.
            [b'\\', b'u', ref digits @ ..] if !is_complete(digits) => return,
            [b'\\', ref escaped @ ..] => {
                let (length, text) = escape(escaped);
                if let Some(text) = text {
                    edit(at, at + length, &text);
                }
                length
            }
            [b'\''] if quote == b'\'' => {
                edit(at, at + 1, "\"");
                1
            }
            [b'"', ..] if quote == b'\'' => {
                edit(at, at, "\\");
                1
            }
            [byte @ 0..0x20, ..] => {
                edit(at, at + 1, &control(byte));
                1
            }
            _ => 1,
        };
    }
}

/// Whether an escape has its four digits.
fn is_complete(digits: &[u8]) -> bool {
    let first = digits.get(..4);
    first.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// The length of the escape after its backslash, and its replacement if JSON does not have it.
fn escape(escaped: &[u8]) -> (usize, Option<String>) {
    match *escaped {
        [
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u',
            ..,
        ] => (2, None),
        [b'\'', ..] => (2, Some("'".to_owned())),
        [b'v', ..] => (2, Some("\\u000b".to_owned())),
        [b'0', b'0'..=b'9', ..] | [b'1'..=b'9', ..] | [] => (2.min(escaped.len() + 1), None),
        [b'0', ..] => (2, Some("\\u0000".to_owned())),
        [b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            (4, Some(format!("\\u00{}{}", high as char, low as char)))
        }
        [b'x', ..] => (2, None),
        [b'\r', b'\n', ..] => (3, Some(String::new())),
        [b'\r' | b'\n', ..] => (2, Some(String::new())),
        _ if space::is_separator(escaped) => (4, Some(String::new())),
        [byte @ 0..0x20, ..] => (2, Some(control(byte))),
        // The character itself.
        _ => (1, Some(String::new())),
    }
}

/// The escape of a control character.
fn control(byte: u8) -> String {
    match byte {
        b'\t' => "\\t".to_owned(),
        _ => format!("\\u{byte:04x}"),
    }
}
