//! Positions in code points, as in Python.

use jsonx_core::position::LineCounter;

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The offset in code points.
    pub pos: usize,
    /// The line, from 1.
    pub line: u64,
    /// The column in code points, from 1.
    pub column: u64,
}

/// Bytes between two states that are kept.
const STEP: usize = 1024;

/// The state before a byte of the text.
#[derive(Clone)]
struct Cursor {
    at: usize,
    pos: usize,
    lines: LineCounter,
}

/// Converts offsets in one pass over the text; a smaller offset than the last one, as findings overlap, goes back by less than
/// [`STEP`].
pub struct Places<'t> {
    text: &'t [u8],
    is_ascii: bool,
    cursor: Cursor,
    /// The states at multiples of [`STEP`].
    kept: Vec<Cursor>,
}

impl<'t> Places<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        let cursor = Cursor {
            at: 0,
            pos: 0,
            lines: LineCounter::new(),
        };
        Places {
            text,
            is_ascii: text.is_ascii(),
            kept: vec![cursor.clone()],
            cursor,
        }
    }

    /// The code points before an offset.
    pub fn pos(&mut self, offset: usize) -> usize {
        self.go_to(offset).pos
    }

    /// The place of an offset.
    pub fn place(&mut self, offset: usize) -> Place {
        let text = self.text;
        let cursor = self.go_to(offset);
        let position = cursor.lines.position(&text[cursor.at..]);
        Place {
            pos: cursor.pos,
            line: position.line,
            column: position.column,
        }
    }

    fn go_to(&mut self, offset: usize) -> &Cursor {
        let offset = offset.min(self.text.len());
        if offset < self.cursor.at {
            self.cursor = self.kept[offset / STEP].clone();
        }
        while self.kept.len() * STEP <= offset {
            self.advance(self.kept.len() * STEP);
            self.kept.push(self.cursor.clone());
        }
        self.advance(offset);
        &self.cursor
    }

    fn advance(&mut self, offset: usize) {
        let between = &self.text[self.cursor.at..offset];
        self.cursor.lines.feed(between);
        self.cursor.pos += match self.is_ascii {
            true => between.len(),
            // Every byte of a code point except the first is a continuation.
            false => between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
        };
        self.cursor.at = offset;
    }
}
