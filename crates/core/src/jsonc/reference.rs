//! The filter one byte at a time: the reference of the property tests.

use super::Dialect;

/// The filtered text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Filtered {
    /// The text without comments and trailing commas, up to the first invalid byte of a comment.
    pub(super) text: Vec<u8>,
    /// The positions of the trailing commas.
    pub(super) trailing: Vec<usize>,
    /// Whether the text may end here; `None` after an invalid byte.
    pub(super) may_end: Option<bool>,
}

/// Overwrites the comments and trailing commas of a whole text.
pub(super) fn filtered(text: &[u8], dialect: Dialect) -> Filtered {
    let mut trailing = Vec::new();
    let (mut out, end) = walk(text, dialect, &mut trailing);
    if let Err(end) = end {
        out.truncate(end);
    }
    Filtered {
        text: out,
        trailing,
        may_end: end.ok(),
    }
}

fn walk(
    text: &[u8],
    dialect: Dialect,
    trailing: &mut Vec<usize>,
) -> (Vec<u8>, Result<bool, usize>) {
    let mut out = text.to_vec();
    let mut in_string = false;
    let mut escaped = false;
    let mut at = 0;
    // The last byte of a token, and a possible trailing comma with the byte before it.
    let mut last = 0;
    let mut comma: Option<(usize, u8)> = None;
    let mut may_end = true;
    while at < text.len() {
        let byte = text[at];
        let is_escaped = escaped;
        escaped = byte == b'\\' && !is_escaped;
        if in_string {
            in_string = byte != b'"' || is_escaped;
            last = byte;
            at += 1;
            continue;
        }
        if byte == b'/' {
            out[at] = b' ';
            let end = match text.get(at + 1) {
                None => {
                    may_end = false;
                    text.len()
                }
                Some(b'/') => {
                    let end = text[at..].iter().position(|byte| b"\r\n".contains(byte));
                    end.map_or(text.len(), |end| at + end)
                }
                Some(b'*') => {
                    let end = text[at + 2..].windows(2).position(|pair| pair == b"*/");
                    may_end = end.is_some();
                    end.map_or(text.len(), |end| at + 2 + end + 2)
                }
                Some(_) => return (out, Err(at + 1)),
            };
            let comment = &text[at..end];
            if let Err(error) = std::str::from_utf8(comment) {
                // The last byte of the shortest invalid prefix.
                for blank in &mut out[at..end] {
                    if !b"\r\n".contains(blank) {
                        *blank = b' ';
                    }
                }
                let wrong = (error.valid_up_to() + 1..=comment.len())
                    .find(|&end| is_wrong(&comment[..end]))
                    .map(|end| at + end - 1);
                match wrong {
                    Some(wrong) => return (out, Err(wrong)),
                    None if end < text.len() => return (out, Err(end)),
                    None => may_end = false,
                }
            }
            for blank in &mut out[at..end] {
                if !b"\r\n".contains(blank) {
                    *blank = b' ';
                }
            }
            escaped = false;
            at = end;
            continue;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b',' => {
                comma = Some((at, last));
                last = byte;
            }
            _ => {
                let closes = byte == b']' || byte == b'}';
                if let Some((place, before)) = comma.take()
                    && closes
                    && dialect.allows_trailing_commas()
                    && !b"\0[{,:".contains(&before)
                {
                    out[place] = b' ';
                    trailing.push(place);
                }
                in_string = byte == b'"' && !is_escaped;
                last = byte;
            }
        }
        at += 1;
    }
    (out, Ok(may_end))
}

/// Whether no continuation makes the bytes valid UTF-8.
fn is_wrong(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_some())
}
