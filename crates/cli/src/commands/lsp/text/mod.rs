//! The text of a document, edited in place, and its positions in UTF-8 or UTF-16.
//!
//! Lines are not stored: they are counted from marks, and after a change, later marks are recomputed when needed.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use jsonx_core::position::LineCounter;
use memchr::memchr2;

use crate::report::{Marks, line_start};

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// A position as in the protocol, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u64,
    pub character: u64,
}

/// A text.
pub struct DocumentText {
    bytes: Arc<Vec<u8>>,
    encoding: Encoding,
    marks: Marks,
}

impl DocumentText {
    /// A text in UTF-8.
    pub fn new(text: String, encoding: Encoding) -> DocumentText {
        DocumentText {
            bytes: Arc::new(text.into_bytes()),
            encoding,
            marks: Marks::default(),
        }
    }

    /// All bytes.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// Replaces a range, whose ends may be outside of the text.
    pub fn replace(&mut self, start: Position, end: Position, text: &str) {
        let (start, end) = (self.offset(start), self.offset(end));
        let range = start..end.max(start);
        self.marks.truncate(start);
        let bytes = Arc::make_mut(&mut self.bytes);
        bytes.splice(range, text.bytes());
    }

    /// The position of an offset; inside a character, that of the character.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.bytes.len());
        while offset > 0
            && self
                .bytes
                .get(offset)
                .is_some_and(|byte| byte & 0xC0 == 0x80)
        {
            offset -= 1;
        }
        self.counted(&self.marks.counter(&self.bytes, offset))
    }

    /// The position of a counter.
    fn counted(&self, counter: &LineCounter) -> Position {
        let bytes = &self.bytes;
        let at = place(counter);
        let position = counter.position(&bytes[at..]);
        let line = position.line - 1;
        let character = match self.encoding {
            // A byte-order mark has no column there.
            Encoding::Utf16 if line == 0 && at > 0 && bytes.starts_with(b"\xEF\xBB\xBF") => {
                position.column_utf16
            }
            Encoding::Utf16 => position.column_utf16 - 1,
            Encoding::Utf8 => (at - line_start(counter, bytes)) as u64,
        };
        Position { line, character }
    }

    /// The offset of a position, limited to the end of the line, or to the end of the text if there is no such line.
    pub fn offset(&self, position: Position) -> usize {
        let is_before = |mark: &LineCounter| self.counted(mark) <= position;
        let mark = &self.marks.last(&self.bytes, is_before);
        let Position {
            mut line,
            mut character,
        } = self.counted(mark);
        let bytes = &self.bytes[..];
        let mut at = place(mark);
        while line < position.line {
            let Some(end) = memchr2(b'\n', b'\r', &bytes[at..]) else {
                return bytes.len();
            };
            at += end + 1;
            if bytes[at - 1] == b'\r' && bytes.get(at) == Some(&b'\n') {
                at += 1;
            }
            (line, character) = (line + 1, 0);
        }
        while character < position.character {
            let Some(&first) = bytes.get(at).filter(|byte| !b"\r\n".contains(byte)) else {
                break;
            };
            let (length, units) = match first {
                0..0x80 => (1, 1),
                0x80..0xE0 => (2, 1),
                0xE0..0xF0 => (3, 1),
                0xF0.. => (4, 2),
            };
            character += match self.encoding {
                Encoding::Utf8 => length as u64,
                Encoding::Utf16 => units,
            };
            // Within a character: before it.
            if character > position.character {
                break;
            }
            at = (at + length).min(bytes.len());
        }
        // The mark may be between CR and LF; the line ends before both.
        let is_within = bytes[..at].ends_with(b"\r") && bytes.get(at) == Some(&b'\n');
        at - usize::from(is_within)
    }

    /// The positions of a span.
    pub fn range(&self, span: Range<usize>) -> (Position, Position) {
        let start = self.position(span.start);
        if span.is_empty() {
            (start, start)
        } else {
            (start, self.position(span.end))
        }
    }
}

/// The offset of a counter.
fn place(counter: &LineCounter) -> usize {
    usize::try_from(counter.offset()).unwrap_or(usize::MAX)
}
