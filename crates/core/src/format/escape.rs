//! An output layer that replaces characters with `\u` escapes.
//!
//! The escaped characters occur only in strings, and never after a backslash. So this layer works on bytes, needs no tokens,
//! and does not depend on where a write ends.

use super::Output;
use super::buffer::CAPACITY;
use crate::string::EscapedChar;

/// The characters to escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Escapes {
    /// All beyond ASCII.
    pub(crate) ascii: bool,
    /// `<`, `>`, `&`, U+2028 and U+2029.
    pub(crate) html: bool,
}

/// An output that escapes characters and writes to another output.
#[derive(Debug)]
pub(crate) struct Escaping<O> {
    escapes: Escapes,
    /// An incomplete character.
    partial: Vec<u8>,
    escaped: Vec<u8>,
    output: O,
}

/// Number of bytes tested together.
const LANES: usize = 32;

impl<O> Escaping<O> {
    pub(crate) fn new(escapes: Escapes, output: O) -> Self {
        Escaping {
            escapes,
            partial: Vec::new(),
            escaped: Vec::new(),
            output,
        }
    }

    pub(crate) fn output(&mut self) -> &mut O {
        &mut self.output
    }

    pub(crate) fn into_output(self) -> O {
        self.output
    }

    /// Continues after a text that may end inside a character.
    pub(crate) fn resume(&mut self, before: &[u8]) {
        let last = before.len().saturating_sub(3);
        let is_first = |byte: &u8| byte & 0xc0 != 0x80;
        let Some(at) = before[last..].iter().rposition(is_first) else {
            return;
        };
        let partial = &before[last + at..];
        if self.escapes.concern(partial[0]) && partial.len() < length(partial[0]) {
            self.partial.extend_from_slice(partial);
        }
    }
}

impl<O> Escaping<O> {
    /// Appends `bytes` to `escaped`, with escapes.
    fn escape(&mut self, mut bytes: &[u8]) {
        if let Some(&first) = self.partial.first() {
            let missing = length(first) - self.partial.len();
            let (end, rest) = bytes.split_at(missing.min(bytes.len()));
            self.partial.extend_from_slice(end);
            if self.partial.len() < length(first) {
                return;
            }
            self.escapes.push(&self.partial, &mut self.escaped);
            self.partial.clear();
            bytes = rest;
        }
        loop {
            let (literal, rest) = bytes.split_at(self.escapes.find(bytes));
            self.escaped.extend_from_slice(literal);
            let Some(&first) = rest.first() else {
                return;
            };
            let Some((character, rest)) = rest.split_at_checked(length(first)) else {
                self.partial.extend_from_slice(rest);
                return;
            };
            self.escapes.push(character, &mut self.escaped);
            bytes = rest;
        }
    }
}

impl Escapes {
    /// Whether the byte is, or may begin, a character to escape.
    #[inline(always)]
    fn concern(self, byte: u8) -> bool {
        (self.ascii & (byte >= 0x80))
            | (self.html & ((byte == b'<') | (byte == b'>') | (byte == b'&') | (byte == 0xe2)))
    }

    /// The first such byte; the length of `bytes` when there is none.
    fn find(self, bytes: &[u8]) -> usize {
        let (lanes, _) = bytes.as_chunks::<LANES>();
        let clean = lanes.iter().take_while(|lanes| {
            // Without a branch per byte, so that it compiles to a few wide comparisons.
            !lanes
                .iter()
                .fold(false, |any, &byte| any | self.concern(byte))
        });
        let from = clean.count() * LANES;
        let rest = bytes[from..].iter();
        from + rest.take_while(|&&byte| !self.concern(byte)).count()
    }

    /// Appends a character, or its escape.
    fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        let character = str::from_utf8(bytes).ok().and_then(|s| s.chars().next());
        match character {
            Some(character) if self.escapes(character) => {
                out.extend_from_slice(EscapedChar::utf16(character).as_bytes());
            }
            _ => out.extend_from_slice(bytes),
        }
    }

    fn escapes(self, character: char) -> bool {
        match character {
            '<' | '>' | '&' => self.html,
            '\u{2028}' | '\u{2029}' => self.html || self.ascii,
            other => self.ascii && !other.is_ascii(),
        }
    }
}

/// The length of the character that begins with this byte of UTF-8.
fn length(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

impl<O: Output> Output for Escaping<O> {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        if self.escapes == Escapes::default() {
            return self.output.write(bytes);
        }
        // A write may be as long as the text.
        for piece in bytes.chunks(CAPACITY) {
            self.escaped.clear();
            self.escape(piece);
            self.output.write(&self.escaped)?;
        }
        Ok(())
    }
}
