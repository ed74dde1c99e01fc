//! The cells of a row, as text.

/// The format of rows.
#[cfg_attr(not(feature = "jq"), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Tsv,
    Csv,
    Table,
    Markdown,
}

impl Form {
    /// Appends the text of a cell: quoted by RFC 4180 in CSV; in Markdown with special characters escaped; otherwise with `\t`, `\n`,
    /// `\r` and `\\` for characters that would end a cell.
    pub fn push_cell(self, text: &[u8], out: &mut Vec<u8>) {
        match self {
            Form::Csv => return quote_csv(out, text),
            Form::Markdown => return quote_markdown(out, text),
            _ => {}
        }
        if memchr::memchr3(b'\t', b'\n', b'\r', text).is_none()
            && memchr::memchr(b'\\', text).is_none()
        {
            return out.extend_from_slice(text);
        }
        for &byte in text {
            match byte {
                b'\t' => out.extend_from_slice(b"\\t"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\\' => out.extend_from_slice(b"\\\\"),
                other => out.push(other),
            }
        }
    }
}

fn quote_csv(out: &mut Vec<u8>, text: &[u8]) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    // Spaces are part of a field, but some readers trim them.
    let trimmed =
        matches!(text.first(), Some(b' ' | b'\t')) || matches!(text.last(), Some(b' ' | b'\t'));
    if !trimmed && !text.iter().any(special) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn quote_markdown(out: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        match byte {
            b'|' | b'\\' | b'<' | b'`' | b'*' | b'_' | b'[' => {
                out.extend_from_slice(&[b'\\', byte])
            }
            b'\n' => out.extend_from_slice(b"<br>"),
            b'\t' | b'\r' => out.push(b' '),
            other => out.push(other),
        }
    }
}
