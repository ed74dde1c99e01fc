//! The canonical form of RFC 8785 (JCS): members sorted by UTF-16, numbers as ECMAScript writes them, strings with the
//! fewest escapes, no white space.

mod number;
mod string;
#[cfg(test)]
mod tests;

use super::sort::{Order, Sorter};
use super::{NotCanonical, NotCanonicalKind, RewriteError};
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::format::{CLASSES, Class, Output};
use crate::token::{Chunk, Sink};

/// Rewritten text of this length is passed on before the end of the chunk.
const LONG: usize = 1 << 20;

/// A sink that writes each value at the root in its canonical form, with a line feed between two of them and none at
/// the end.
#[derive(Debug)]
pub(super) struct Canonical<W> {
    sorter: Sorter<W>,
    before: Class,
    cursor: TokenAssembler,
    /// The offset of the last number, string or literal.
    last_at: u64,
    /// Rewritten text, the indexes of its structural bytes, and the offsets in the input of the keys before its colons.
    text: Vec<u8>,
    structurals: Vec<u32>,
    sources: Vec<u64>,
}

impl<E, W: Output<Error = RewriteError<E>>> Canonical<W> {
    pub(super) fn new(output: W) -> Self {
        Canonical {
            sorter: Sorter::new(Order::Utf16, output),
            before: Class::Start,
            cursor: TokenAssembler::default(),
            last_at: 0,
            text: Vec::new(),
            structurals: Vec::new(),
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
        self.end()?;
        self.hand_over()?;
        self.sorter.into_output()
    }

    /// Returns the output without an incomplete token.
    pub(super) fn abandon(self) -> Result<W, RewriteError<E>> {
        self.sorter.into_output()
    }

    /// Appends a number, string or literal.
    fn rewrite(&mut self, raw: &[u8], at: u64) -> Result<(), RewriteError<E>> {
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
        self.structurals.push(self.text.len() as u32);
        self.text.push(byte);
    }

    fn hand_over(&mut self) -> Result<(), RewriteError<E>> {
        self.sorter
            .text(&self.text, &self.structurals, &self.sources)?;
        self.text.clear();
        self.structurals.clear();
        self.sources.clear();
        Ok(())
    }
}

impl<E, W: Output<Error = RewriteError<E>>> Walk for Canonical<W> {
    type Error = RewriteError<E>;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, _: u8) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn token(&mut self, token: Token<'_>) -> Result<(), RewriteError<E>> {
        let class = CLASSES[token.kind as usize];
        if matches!(
            (self.before, class),
            (Class::Value | Class::Close, Class::Value | Class::Open)
        ) {
            self.structural(b'\n');
        }
        self.before = class;
        match class {
            Class::Value => {
                self.last_at = token.start();
                self.rewrite(token.raw(), self.last_at)?;
                // Indexes have 32 bits, and a string may be longer than that.
                if self.text.len() > LONG {
                    self.hand_over()?;
                }
            }
            _ => {
                if class == Class::Colon {
                    self.sources.push(self.last_at);
                }
                self.structural(token.kind);
            }
        }
        Ok(())
    }
}

impl<E, W: Output<Error = RewriteError<E>>> Sink for Canonical<W> {
    type Error = RewriteError<E>;
    type Output = Self;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<E>> {
        self.walk(chunk)?;
        self.hand_over()
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
