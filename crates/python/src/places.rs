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

/// Converts ascending offsets in one pass over the text; a smaller offset starts over.
pub struct Places<'t> {
    text: &'t [u8],
    is_ascii: bool,
    at: usize,
    pos: usize,
    lines: LineCounter,
}

impl<'t> Places<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Places {
            text,
            is_ascii: text.is_ascii(),
            at: 0,
            pos: 0,
            lines: LineCounter::new(),
        }
    }

    /// The code points before an offset.
    pub fn pos(&mut self, offset: usize) -> usize {
        self.advance(offset);
        self.pos
    }

    /// The place of an offset.
    pub fn place(&mut self, offset: usize) -> Place {
        self.advance(offset);
        let position = self.lines.position(&self.text[self.at..]);
        Place {
            pos: self.pos,
            line: position.line,
            column: position.column,
        }
    }

    fn advance(&mut self, offset: usize) {
        let offset = offset.min(self.text.len());
        if offset < self.at {
            (self.at, self.pos, self.lines) = (0, 0, LineCounter::new());
        }
        let between = &self.text[self.at..offset];
        self.lines.feed(between);
        self.pos += match self.is_ascii {
            true => between.len(),
            // Every byte of a code point except the first is a continuation.
            false => between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count(),
        };
        self.at = offset;
    }
}
