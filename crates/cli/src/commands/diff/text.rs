//! A whole input in memory, validated.

use std::io;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::jsonc;
use jsonx_diagnose::json5::Translation;

use crate::check::InputKind;
use crate::input::{self, Input, Name};
use crate::session::Session;

/// An input that was read to its end, and is valid.
pub struct CheckedText {
    pub input: Input,
    pub kind: InputKind,
    pub body: Body,
}

/// The text of an input, without a byte-order mark; the translation of one in JSON5.
pub struct Body {
    text: Vec<u8>,
    /// Its offset in the file, after a byte-order mark.
    start: u64,
    /// JSON Lines as an array: a bracket before the text, and commas for line feeds.
    array: Option<Vec<u8>>,
    translation: Option<Arc<Translation>>,
}

impl CheckedText {
    /// Reads an input, as the text of a file with this name. If that fails, or it is invalid, reports why and returns `None`.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn read(session: &mut Session, path: &Path, name: Name) -> io::Result<Option<CheckedText>> {
        let Some((input, kind, mut text)) = open(session, path, name)? else {
            return Ok(None);
        };
        let array = match kind {
            InputKind::Json | InputKind::Auto | InputKind::MessagePack => None,
            InputKind::Jsonc | InputKind::Comments | InputKind::Json5 => {
                // The text read so far is valid.
                let _ = jsonc::blank(&mut text, kind.dialect());
                None
            }
            InputKind::Jsonl | InputKind::Stream => Some(array(&text)),
        };
        let body = Body {
            text,
            start: input.text_start(),
            array,
            translation: input.json5().cloned(),
        };
        Ok(Some(CheckedText { input, kind, body }))
    }

    /// Whether it is JSON Lines.
    pub fn is_lines(&self) -> bool {
        self.body.array.is_some()
    }
}

/// Opens and reads an input as [`CheckedText::read`] does, with its comments.
///
/// # Errors
/// Standard output cannot be written, which ends the run.
pub fn open(
    session: &mut Session,
    path: &Path,
    name: Name,
) -> io::Result<Option<(Input, InputKind, Vec<u8>)>> {
    let Some(mut input) = session.open_as(path, name)? else {
        return Ok(None);
    };
    let options = session.check_options();
    let kind = options.kind_of(&input);
    let kind = options.by_first_lines(&mut input, kind);
    let text = session.read(&mut input, kind)?;
    Ok(text.map(|text| match memchr::memchr(b'\n', &text) {
        // Each value of MessagePack is a line.
        Some(end) if input.is_messagepack() && end + 1 == text.len() => {
            (input, InputKind::Json, text)
        }
        _ => (input, kind, text),
    }))
}

impl Body {
    /// One JSON value.
    pub fn value(&self) -> &[u8] {
        self.array.as_deref().unwrap_or(&self.text)
    }

    /// The text as it is in the file.
    pub fn text(&self) -> &[u8] {
        match &self.translation {
            Some(translation) => translation.source(),
            None => &self.text,
        }
    }

    /// The offset in the file of an offset in the text.
    pub fn in_file(&self, at: usize) -> u64 {
        self.start + at as u64
    }

    /// The offset in the text of an offset in the value.
    pub fn offset(&self, at: usize) -> usize {
        if let Some(translation) = &self.translation {
            return input::in_source(translation, at as u64);
        }
        match self.array {
            Some(_) => at.saturating_sub(1).min(self.text.len()),
            None => at,
        }
    }
}

/// The values of JSON Lines, each on its own line, as an array in which all offsets are one greater.
fn array(text: &[u8]) -> Vec<u8> {
    let mut array = Vec::with_capacity(text.len() + 2);
    array.push(b'[');
    let mut comma = None;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            if let Some(comma) = comma {
                array[comma] = b',';
            }
            comma = line.ends_with(b"\n").then(|| array.len() + line.len() - 1);
        }
        array.extend_from_slice(line);
    }
    array.push(b']');
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_an_array() {
        for (text, expected) in [
            ("", "[]"),
            ("\n\n", "[\n\n]"),
            ("1\n2", "[1,2]"),
            ("1\r\n\n {}\n\n", "[1\r,\n {}\n\n]"),
        ] {
            let array = array(text.as_bytes());
            assert_eq!(String::from_utf8(array).unwrap(), expected);
        }
    }
}
