//! The records of JSON Lines in memory: many lines are checked together, and one by one only where one of them is wrong.

use serde_core::de::Deserialize;

use super::read::Deserializer;
use super::tokens::{Parts, Tokens};
use crate::error::Error;
use crate::token::Mode;
use crate::window::Options;

/// How far the lines of a text have been read.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// The line after the last one begins here.
    at: usize,
    /// The last line began here.
    pub(super) start: usize,
    /// Its number, from 1.
    pub(super) line: u64,
    /// Lines that begin before this are read one by one.
    singly: usize,
    /// The tokens of the lines from `base` on.
    together: Option<Parts>,
    base: usize,
}

/// A text of lines.
#[derive(Clone, Copy)]
pub(super) enum Lined<'de> {
    /// It is known to be UTF-8.
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
    /// Begins with another text, which follows the last one. If it is not UTF-8, the lines are read one by one.
    pub(super) fn renew(&mut self, is_utf8: bool) {
        self.retire();
        *self = Records {
            line: self.line,
            singly: match is_utf8 {
                true => 0,
                false => usize::MAX,
            },
            ..Records::default()
        };
    }

    fn retire(&mut self) {
        if let Some(parts) = self.together.take() {
            parts.retire();
        }
    }

    /// The value of the next line that is not blank; the offset of an error counts from the start of the line. `known` is what
    /// the line before it has left there: how far the text from some line on is known to be UTF-8.
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

    /// The value of the line that ends at `end`, if everything is right with it.
    fn read_from_batch<'de, T: Deserialize<'de>>(
        &mut self,
        text: Lined<'de>,
        known: &mut &'de str,
        end: usize,
    ) -> Option<T> {
        let parts = match self.together.take() {
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
        let mut reader = Deserializer::of(Tokens::resume(text, parts, known));
        let read = T::deserialize(&mut reader).and_then(|value| {
            let next = reader.tokens.peek()?;
            // The value ends in this line, and no other begins in it.
            let is_alone = next.at >= end && reader.tokens.consumed() <= end;
            Ok(is_alone.then_some(value))
        });
        match read {
            Ok(Some(value)) => {
                let (parts, text) = reader.tokens.into_parts();
                self.together = Some(parts);
                *known = text;
                return Some(value);
            }
            Ok(None) => {}
            Err(error) => {
                // The lines before an error of the text may be sound.
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
