//! Assembles records: commas, white space, and the length of the document.

use std::io::{self, Write};

/// The white space between tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// None.
    Compact,
    /// A line for each element, indented by two spaces.
    Pretty,
    /// A space after each comma and colon.
    Spaced,
    /// A line for each element, ended by CR LF and indented by tabs.
    Tabs,
}

/// The separator before the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Start,
    Open,
    Key,
    Value,
}

/// A position in a document for [`Document::take_back`].
pub struct Mark {
    len: usize,
    before: Before,
}

/// Length in bytes at which the buffer is flushed.
const FLUSH_AT: usize = 64 << 10;

/// A document being written.
pub struct Document {
    buffer: Vec<u8>,
    /// Number of bytes flushed.
    flushed: u64,
    look: Look,
    before: Before,
    /// The closing bracket of each open container.
    open: Vec<u8>,
}

impl Document {
    pub fn new(look: Look) -> Document {
        Document {
            buffer: Vec::with_capacity(2 * FLUSH_AT),
            flushed: 0,
            look,
            before: Before::Start,
            open: Vec::new(),
        }
    }

    pub fn set_look(&mut self, look: Look) {
        self.look = look;
    }

    pub fn object(&mut self) {
        self.open_container(b'{', b'}');
    }

    pub fn array(&mut self) {
        self.open_container(b'[', b']');
    }

    fn open_container(&mut self, bracket: u8, closing: u8) {
        self.separate();
        self.buffer.push(bracket);
        self.open.push(closing);
        self.before = Before::Open;
    }

    /// Closes the innermost container, if one is open.
    pub fn close(&mut self) {
        let Some(closing) = self.open.pop() else {
            return;
        };
        if self.before != Before::Open {
            self.new_line();
        }
        self.buffer.push(closing);
        self.before = Before::Value;
    }

    /// Writes a key; `raw` goes between the quotes unchanged.
    pub fn key(&mut self, raw: &str) {
        self.key_with(|buffer| buffer.extend_from_slice(raw.as_bytes()));
    }

    /// Writes a key; `write` writes the text between the quotes.
    pub fn key_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.quoted(write);
        self.buffer.push(b':');
        if self.look != Look::Compact {
            self.buffer.push(b' ');
        }
        self.before = Before::Key;
    }

    /// Writes a string; `raw` goes between the quotes unchanged.
    pub fn string(&mut self, raw: &str) {
        self.string_with(|buffer| buffer.extend_from_slice(raw.as_bytes()));
    }

    /// Writes a string; `write` writes the text between the quotes.
    pub fn string_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.quoted(write);
        self.before = Before::Value;
    }

    fn quoted(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        self.buffer.push(b'"');
        write(&mut self.buffer);
        self.buffer.push(b'"');
    }

    /// Writes a number or literal.
    pub fn scalar_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        write(&mut self.buffer);
        self.before = Before::Value;
    }

    pub fn integer(&mut self, value: u64) {
        self.scalar_with(|buffer| push_integer(buffer, value));
    }

    pub fn boolean(&mut self, value: bool) {
        self.scalar_with(|buffer| buffer.extend_from_slice(if value { b"true" } else { b"false" }));
    }

    pub fn null(&mut self) {
        self.scalar_with(|buffer| buffer.extend_from_slice(b"null"));
    }

    fn separate(&mut self) {
        match self.before {
            Before::Start | Before::Key => {}
            Before::Open => self.new_line(),
            Before::Value => {
                self.buffer.push(b',');
                self.new_line();
                if self.look == Look::Spaced {
                    self.buffer.push(b' ');
                }
            }
        }
    }

    fn new_line(&mut self) {
        let depth = self.open.len();
        match self.look {
            Look::Compact | Look::Spaced => {}
            Look::Pretty => {
                self.buffer.push(b'\n');
                self.buffer.resize(self.buffer.len() + 2 * depth, b' ');
            }
            Look::Tabs => {
                self.buffer.extend_from_slice(b"\r\n");
                self.buffer.resize(self.buffer.len() + depth, b'\t');
            }
        }
    }

    /// Ends a line of JSON Lines.
    pub fn end_line(&mut self) {
        self.buffer.push(b'\n');
        self.before = Before::Start;
    }

    pub fn mark(&self) -> Mark {
        Mark {
            len: self.buffer.len(),
            before: self.before,
        }
    }

    /// Removes everything after `mark`. The same number of containers must be open, and nothing may have been flushed since.
    pub fn take_back(&mut self, mark: Mark) {
        self.buffer.truncate(mark.len);
        self.before = mark.before;
    }

    /// Closes all open containers; an indented document ends with a line end.
    pub fn close_all(&mut self) {
        let line_end = self.wants_line_end();
        while !self.open.is_empty() {
            self.close();
        }
        if line_end {
            self.buffer.push(b'\n');
        }
    }

    fn wants_line_end(&self) -> bool {
        self.look == Look::Pretty && !self.open.is_empty()
    }

    /// The length of the document in bytes after [`Document::close_all`].
    pub fn len_when_closed(&self) -> u64 {
        let lines = self.before == Before::Value;
        let closing: usize = (0..self.open.len())
            .map(|depth| match self.look {
                Look::Pretty if lines || depth + 1 < self.open.len() => 2 + 2 * depth,
                Look::Tabs if lines || depth + 1 < self.open.len() => 3 + depth,
                _ => 1,
            })
            .sum();
        self.flushed + (self.buffer.len() + closing + usize::from(self.wants_line_end())) as u64
    }

    pub fn flush_when_full(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.buffer.len() >= FLUSH_AT {
            self.flush(out)
        } else {
            Ok(())
        }
    }

    pub fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.buffer)?;
        self.flushed += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Appends `value` in decimal.
pub fn push_integer(buffer: &mut Vec<u8>, value: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = value;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[start..]);
}

/// Appends the last `width` decimal digits of `value`, at most 20, with leading zeros.
pub fn push_padded(buffer: &mut Vec<u8>, value: u64, width: usize) {
    let start = buffer.len();
    buffer.resize(start + width.min(20), b'0');
    let mut rest = value;
    for digit in buffer[start..].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
}
