//! Where the values of a text in memory begin, and where its containers end: for an index of the whole text.

use super::{Validator, begin_chunk, locate};
use crate::chunk::{CHUNK_BLOCKS, check_starts};
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::syntax::SyntaxError;
use crate::token::Interest;

/// Bytes that are checked at a time: a chunk of the engine, so that text and offsets stay in the first-level cache.
const STEP: usize = CHUNK_BLOCKS * BLOCK;

/// Gets the offset of a part of the text, and, relative to it, the offsets of brackets and of the first bytes of strings, numbers
/// and literals in it.
pub(crate) trait Starts {
    /// Takes them.
    ///
    /// # Errors
    /// There is no memory for what is made of them.
    fn starts(&mut self, offset: u64, starts: &[u32]) -> Result<(), SyntaxError>;
}

impl Validator {
    /// Checks a text from its first byte to its last. The options must not allow comments.
    ///
    /// ```text
    /// text    {"a": [10,  "\n"]}
    /// starts  0 1 6 7 12 16 17
    /// ```
    pub(crate) fn check_starts(
        &mut self,
        text: &[u8],
        index: &mut impl Starts,
    ) -> Result<(), SyntaxError> {
        let mut parts = text.chunks_exact(STEP);
        for part in &mut parts {
            self.starts_of(part.as_chunks().0, part, index)?;
        }
        let last = parts.remainder();
        self.with_padding(last, |validator, blocks| {
            validator.starts_of(blocks, last, index)
        })?;
        self.may_end()
    }

    fn starts_of(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        index: &mut impl Starts,
    ) -> Result<(), SyntaxError> {
        let carried = self.state.carry;
        let interest = Interest {
            offsets: true,
            ..Interest::default()
        };
        let streams = begin_chunk(&mut self.state, &mut self.streams, blocks.len(), interest);
        let offset = self.offset;
        let seen = offset as usize + text.len();
        let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
        if check_starts(kernel, &mut self.state, blocks, streams) {
            return Err(locate(&mut self.state, carried, offset, text, &[]));
        }
        self.offset += text.len() as u64;
        index.starts(offset, &streams.offsets[..streams.marks])
    }
}
