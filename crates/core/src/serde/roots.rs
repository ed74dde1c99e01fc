//! Locates the values at the root of a stream.

use std::collections::VecDeque;

use crate::assembler::{Token, TokenAssembler, Walk};
use crate::syntax::OutOfMemory;
use crate::token::{Chunk, Sink};

/// Finds the values at the root.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// The offsets of complete values.
    pub(super) complete: VecDeque<(u64, u64)>,
    /// The end of the last complete value.
    pub(super) end_of_last: u64,
    depth: u64,
    /// The offset of the open container at the root.
    start: u64,
    assembler: TokenAssembler,
}

impl Walk for Roots {
    type Error = OutOfMemory;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.assembler
    }

    fn retains(&self, _: u8) -> usize {
        0
    }

    #[inline]
    fn token(&mut self, token: Token<'_>) -> Result<(), OutOfMemory> {
        match token.kind {
            b'{' | b'[' => {
                if self.depth == 0 {
                    self.start = token.start();
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.push(self.start, token.start() + 1)?;
                }
            }
            _ if self.depth == 0 => self.push(token.start(), token.end())?,
            _ => {}
        }
        Ok(())
    }
}

impl Roots {
    fn push(&mut self, start: u64, end: u64) -> Result<(), OutOfMemory> {
        self.complete.try_reserve(1)?;
        self.complete.push_back((start, end));
        self.end_of_last = end;
        Ok(())
    }
}

impl Sink for Roots {
    type Error = OutOfMemory;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        self.walk(chunk)
    }

    fn finish(mut self) -> Result<(), OutOfMemory> {
        self.end()
    }
}
