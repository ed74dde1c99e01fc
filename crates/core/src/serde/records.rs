//! The records of JSON Lines in memory: many lines are checked together, and one by one only after an error.

use serde_core::de::Deserialize;

use super::read::Deserializer;
use super::tokens::{Parts, Tokens};
use crate::error::Error;
use crate::token::Mode;
use crate::window::Options;

/// The position in the lines of a text.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// The offset of the next line.
    at: usize,
    /// The offset of the last line.
    pub(super) start: usize,
    /// The number of the last line, counted from 1.
    pub(super) line: u64,
    /// Lines that begin before this are read one by one.
    singly: usize,
    /// The tokens of the lines from `base` on.
    batch: Option<Parts>,
    base: usize,
}

/// A text of lines.
#[derive(Clone, Copy)]
pub(super) enum Lined<'de> {
    /// Known to be UTF-8.
    Str(&'de str),
    Bytes(&'de [u8]),
}

impl<'de> Lined<'de> {
    fn bytes(self) -> &'de [u8] {
        match self {
            Lined::Str(text) => text.as_bytes(),
            Lined::Bytes(text) => text,
        }
    }
}

impl Records {
    /// Begins the next part of the text. If it is not UTF-8, its lines are read one by one.
    pub(super) fn renew(&mut self, is_utf8: bool) {
        self.retire();
        *self = Records {
            line: self.line,
            singly: if is_utf8 { 0 } else { usize::MAX },
            ..Records::default()
        };
    }

    fn retire(&mut self) {
        if let Some(parts) = self.batch.take() {
            parts.retire();
        }
    }

    /// The value of the next non-blank line; the offset of an error counts from the start of the line. `known` is retained
    /// between calls: a part of the text that is known to be UTF-8.
    pub(super) fn next<'de, T: Deserialize<'de>>(
        &mut self,
        text: Lined<'de>,
        known: &mut &'de str,
    ) -> Option<Result<T, Error>> {
        loop {
            let rest = text.bytes().get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                self.retire();
                return None;
            }
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            self.start = self.at;
            self.at += (length + 1).min(rest.len());
            self.line += 1;
            if line.trim_ascii_start().is_empty() {
                continue;
            }
            if self.start >= self.singly
                && let Some(value) = self.read_from_batch(text, known, self.start + length)
            {
                return Some(Ok(value));
            }
            return Some(super::from_slice(line).map_err(|error: Error| error.on_line(self.line)));
        }
    }

    /// The value of the line that ends at `end`; `None` for a line that has to be read on its own.
    fn read_from_batch<'de, T: Deserialize<'de>>(
        &mut self,
        text: Lined<'de>,
        known: &mut &'de str,
        end: usize,
    ) -> Option<T> {
        let parts = match self.batch.take() {
            Some(parts) => parts,
            None => {
                self.base = self.start;
                *known = "";
                Parts::new(Options::default().mode(Mode::Stream))
            }
        };
        if let Lined::Str(text) = text {
            *known = text.get(self.base..).unwrap_or_default();
        }
        let text = text.bytes().get(self.base..).unwrap_or_default();
        let end = end - self.base;
        let mut reader = Deserializer::from_tokens(Tokens::resume(text, parts, known));
        let read = T::deserialize(&mut reader).and_then(|value| {
            let next = reader.tokens.peek()?;
            // The value ends on this line, and no other begins on it.
            let is_alone = next.at >= end && reader.tokens.consumed() <= end;
            Ok(is_alone.then_some(value))
        });
        match read {
            Ok(Some(value)) => {
                let (parts, text) = reader.tokens.into_parts();
                self.batch = Some(parts);
                *known = text;
                return Some(value);
            }
            Ok(None) => {}
            Err(error) => {
                // The lines before a syntax error may be valid.
                if let (Some(_), Some(offset)) = (error.kind(), error.offset()) {
                    let offset = usize::try_from(offset).unwrap_or(text.len());
                    self.singly = (self.base + offset).saturating_add(1);
                }
            }
        }
        reader.tokens.retire();
        None
    }
}
