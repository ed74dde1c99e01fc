//! The canonical form of RFC 8785 (JCS): members sorted by UTF-16, numbers as ECMAScript writes them, strings with as few
//! escapes as there can be, no white space at all.

mod number;
mod string;
#[cfg(test)]
mod tests;

use super::sort::{Order, Sorter};
use super::{NotCanonical, NotCanonicalKind, RewriteError};
use crate::format::{CLASSES, Class, Output};
use crate::token::{Chunk, Sink};

/// Rewritten text that is handed on before the chunk is at its end.
const LONG: usize = 1 << 20;

/// A sink that writes each value at the root in its canonical form, with a line feed between two of them and none at
/// the end.
#[derive(Debug)]
pub(super) struct Canonical<W> {
    sorter: Sorter<W>,
    before: Class,
    /// The number, string or literal that was begun last, as far as it has come, and where it stands in the input.
    begun: Vec<u8>,
    begun_at: u64,
    /// Rewritten text, the places of its structural bytes, and where the keys before its colons are in the input.
    text: Vec<u8>,
    places: Vec<u32>,
    sources: Vec<u64>,
}

impl<E, W: Output<Error = RewriteError<E>>> Canonical<W> {
    pub(super) fn new(output: W) -> Self {
        Canonical {
            sorter: Sorter::new(Order::Utf16, output),
            before: Class::Start,
            begun: Vec::new(),
            begun_at: 0,
            text: Vec::new(),
            places: Vec::new(),
            sources: Vec::new(),
        }
    }

    pub(super) fn output(&mut self) -> &mut W {
        self.sorter.output()
    }

    pub(super) fn flush(&mut self) -> Result<(), RewriteError<E>> {
        self.sorter.flush()
    }

    pub(super) fn finish(mut self) -> Result<W, RewriteError<E>> {
        self.end_token()?;
        self.hand_over()?;
        self.sorter.into_output()
    }

    /// Without the token that was begun last.
    pub(super) fn abandon(self) -> Result<W, RewriteError<E>> {
        self.sorter.into_output()
    }

    /// More of the token that was begun last.
    fn go_on(&mut self, bytes: &[u8]) -> Result<(), RewriteError<E>> {
        self.begun.try_reserve(bytes.len())?;
        self.begun.extend_from_slice(bytes);
        Ok(())
    }

    /// The token that was begun last is complete.
    fn end_token(&mut self) -> Result<(), RewriteError<E>> {
        let begun = std::mem::take(&mut self.begun);
        self.rewrite(&begun, self.begun_at)?;
        self.begun = begun;
        self.begun.clear();
        // Places count from here in 32 bits, and a string may be longer than that.
        match self.text.len() > LONG {
            true => self.hand_over(),
            false => Ok(()),
        }
    }

    /// Appends a number, string or literal.
    fn rewrite(&mut self, raw: &[u8], at: u64) -> Result<(), RewriteError<E>> {
        // What is rewritten may be as long as what was, and a little longer: `1e20`.
        self.text.try_reserve(raw.len() + 64)?;
        let reason = |kind, offset| RewriteError::NotCanonical(NotCanonical { kind, offset });
        match raw.first() {
            Some(b'"') => string::push(raw, &mut self.text)
                .map_err(|offset| reason(NotCanonicalKind::LoneSurrogate, at + offset)),
            Some(b'-' | b'0'..=b'9') => number::push(raw, &mut self.text)
                .map_err(|number::Rounded| reason(NotCanonicalKind::Rounded, at)),
            _ => {
                self.text.extend_from_slice(raw);
                Ok(())
            }
        }
    }

    fn structural(&mut self, byte: u8) {
        self.places.push(self.text.len() as u32);
        self.text.push(byte);
    }

    fn hand_over(&mut self) -> Result<(), RewriteError<E>> {
        self.sorter.text(&self.text, &self.places, &self.sources)?;
        self.text.clear();
        self.places.clear();
        self.sources.clear();
        Ok(())
    }
}

impl<E, W: Output<Error = RewriteError<E>>> Sink for Canonical<W> {
    type Error = RewriteError<E>;
    type Output = Self;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<E>> {
        self.go_on(chunk.before_first())?;
        let mut tokens = chunk.tokens().zip(chunk.offsets).peekable();
        if tokens.peek().is_some() && !self.begun.is_empty() {
            self.end_token()?;
        }
        // A key that was begun in an earlier chunk has its colon here.
        let mut last_at = self.begun_at;
        while let Some(((kind, raw), &offset)) = tokens.next() {
            let class = CLASSES[kind as usize];
            if matches!(
                (self.before, class),
                (Class::Value | Class::Close, Class::Value | Class::Open)
            ) {
                self.structural(b'\n');
            }
            self.before = class;
            match class {
                Class::Value => {
                    last_at = chunk.offset + u64::from(offset);
                    if tokens.peek().is_some() {
                        self.rewrite(raw, last_at)?;
                    } else {
                        self.begun_at = last_at;
                        self.go_on(raw)?;
                    }
                }
                _ => {
                    if class == Class::Colon {
                        self.sources.push(last_at);
                    }
                    self.structural(kind);
                }
            }
        }
        self.hand_over()
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
