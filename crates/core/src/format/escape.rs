//! An output layer that replaces characters with `\u` escapes, or escapes with characters.
//!
//! Both occur only in strings, and an escaped character never after a backslash. So this layer works on bytes, needs no tokens,
//! and does not depend on where a write ends.

use super::Output;
use super::buffer::CAPACITY;
use crate::string::{Escape, EscapedChar, Value, escape};

/// The characters to escape, and whether others are decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Escapes {
    /// All beyond ASCII.
    pub(crate) ascii: bool,
    /// `<`, `>`, `&`, U+2028 and U+2029.
    pub(crate) html: bool,
    /// Escapes of other characters are decoded, or shortened where JSON requires them.
    pub(crate) decodes: bool,
}

/// An output that escapes characters and writes to another output.
#[derive(Debug)]
pub(crate) struct Escaping<O> {
    escapes: Escapes,
    /// An incomplete character or escape.
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
        while !self.partial.is_empty() {
            if let Some(length) = complete(&self.partial) {
                self.escapes
                    .push(&self.partial[..length], &mut self.escaped);
                self.partial.drain(..length);
            } else if let Some((&next, rest)) = bytes.split_first() {
                self.partial.push(next);
                bytes = rest;
            } else {
                return;
            }
        }
        loop {
            let (literal, rest) = bytes.split_at(self.escapes.find(bytes));
            self.escaped.extend_from_slice(literal);
            let Some(length) = complete(rest) else {
                self.partial.extend_from_slice(rest);
                return;
            };
            let (character, rest) = rest.split_at(length);
            self.escapes.push(character, &mut self.escaped);
            bytes = rest;
        }
    }
}

impl Escapes {
    /// Whether the byte is, or may begin, a character to escape, or an escape to decode.
    #[inline(always)]
    fn concern(self, byte: u8) -> bool {
        (self.decodes & (byte == b'\\'))
            | (self.ascii & (byte >= 0x80))
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

    /// Appends a character, or its escape; for an escape, the character if it is decoded.
    fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        if let Some(Escape {
            value: Value::Char(character),
            ..
        }) = Escape::first(bytes)
        {
            match character {
                '"' | '\\' | '\0'..='\x1f' => {
                    out.extend_from_slice(escape(character).as_bytes());
                }
                other if self.escapes(other) => out.extend_from_slice(bytes),
                other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            return;
        }
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

/// The length of the character or escape at the start of a text; of a surrogate pair, both escapes. `None` if it is cut off or empty.
fn complete(text: &[u8]) -> Option<usize> {
    match *text {
        [
            b'\\',
            b'u',
            b'd' | b'D',
            b'8' | b'9' | b'a' | b'b' | b'A' | b'B',
            _,
            _,
            ref next @ ..,
        ] if matches!(next, [] | [b'\\'] | [b'\\', b'u', ..] if next.len() < 6) => None,
        [b'\\', b'u', ..] if text.len() < 6 => None,
        [b'\\', _, ..] => Some(Escape::first(text)?.length),
        [b'\\'] | [] => None,
        [first, ..] => Some(length(first)).filter(|&length| length <= text.len()),
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
