//! Detects the indentation of a text.

use jsonx_core::format::Indent;

/// Bytes at the start of a text that tell it.
const EXAMINED: usize = 8 << 10;

/// The indentation of a level, if all lines that begin with a token have it as often as brackets are open.
pub fn of(text: &[u8]) -> Option<Indent> {
    let text = &text[..text.len().min(EXAMINED)];
    let mut depth = 0usize;
    let mut unit: Option<&[u8]> = None;
    let mut at = 0;
    let mut begins_line = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' | b'\r' => begins_line = true,
            b' ' | b'\t' if begins_line => {
                let blank = text[at..].iter();
                let length = blank
                    .take_while(|byte| matches!(byte, b' ' | b'\t'))
                    .count();
                let next = text.get(at + length)?;
                let closes = matches!(next, b'}' | b']');
                let levels = depth.saturating_sub(usize::from(closes));
                if !matches!(next, b'\n' | b'\r' | b'/') {
                    let indentation = &text[at..at + length];
                    let unit = *unit.get_or_insert(&indentation[..length / levels.max(1)]);
                    let is_regular = unit.len() * levels == length
                        && indentation.iter().all(|byte| *byte == unit[0]);
                    if !is_regular {
                        return None;
                    }
                    begins_line = false;
                }
                at += length;
                continue;
            }
            // A line of an open container without indentation.
            byte if begins_line && depth > 0 && !matches!(byte, b'}' | b']' | b'/') => return None,
            b'"' => {
                let mut escaped = false;
                let rest = text[at + 1..].iter();
                let end = rest.take_while(|&&byte| {
                    let ends = byte == b'"' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    !ends
                });
                at += 1 + end.count();
                begins_line = false;
            }
            b'/' => {
                let rest = &text[at..];
                let length = match rest.get(1) {
                    Some(b'*') => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
                    _ => memchr::memchr2(b'\n', b'\r', rest),
                };
                at += length.unwrap_or(rest.len());
                begins_line = false;
                continue;
            }
            byte => {
                match byte {
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                begins_line = false;
            }
        }
        at += 1;
    }
    let unit = unit?;
    match unit {
        [b'\t'] => Some(Indent::Tab),
        [b' ', ..] => u8::try_from(unit.len()).ok().map(Indent::Spaces),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent_indentation() {
        for (text, expected) in [
            ("", None),
            ("[1, 2]", None),
            ("[\n1\n]", None),
            ("{\n \"a\": [\n  1\n ]\n}\n", Some(Indent::Spaces(1))),
            (
                "{\r\n\t\"a\": {\r\n\t\t\"b\\\"{\": 1\r\n\t}\r\n}",
                Some(Indent::Tab),
            ),
            ("[\n    1,\n\n    2\n]", Some(Indent::Spaces(4))),
            ("[\n   // [ {\n  1\n]", Some(Indent::Spaces(2))),
            ("[\n  1, /* [\n {*/ 2,\n  3\n]", Some(Indent::Spaces(2))),
            // Mixed, and without.
            ("[\n  1,\n\t2\n]", None),
            ("[\n  1,\n   2\n]", None),
            ("[\n  1,\n2\n]", None),
            ("[\n \t1\n]", None),
            ("[\n\t\t1\n]", None),
            ("  [\n 1\n]", Some(Indent::Spaces(1))),
        ] {
            assert_eq!(of(text.as_bytes()), expected, "{text:?}");
        }
    }
}
