//! Offsets of the values of a text in memory and of the ends of its containers, for an index of the whole text.

use super::{Validator, begin_chunk, locate};
use crate::chunk::{CHUNK_BLOCKS, State, check_starts};
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::scan::Streams;
use crate::syntax::SyntaxError;
use crate::token::Interest;

/// Number of bytes checked at a time: a chunk of the engine, so that text and offsets stay in the L1 cache.
pub(crate) const STEP: usize = CHUNK_BLOCKS * BLOCK;

/// Receives the offset of a chunk of the text and, relative to it, the offsets of brackets and of the first bytes of strings,
/// numbers and literals.
pub(crate) trait Starts {
    /// Receives the offsets of one chunk.
    ///
    /// # Errors
    /// Memory runs out.
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
        let interest = Interest {
            offsets: true,
            ..Interest::default()
        };
        let check = |kernel: Kernel, state: &mut State, streams: &mut Streams| {
            check_starts(kernel, state, blocks, streams)
        };
        let (offset, _, streams) = self.part(blocks.len(), text, interest, check)?;
        index.starts(offset, &streams.offsets[..streams.marks])
    }

    /// Checks the next `blocks` of a text. `check` returns whether they are invalid. Returns their offset, the kernel and its
    /// streams.
    #[inline(always)]
    pub(super) fn part(
        &mut self,
        blocks: usize,
        text: &[u8],
        interest: Interest,
        check: impl FnOnce(Kernel, &mut State, &mut Streams) -> bool,
    ) -> Result<(u64, Kernel, &Streams), SyntaxError> {
        let carried = self.state.carry;
        let streams = begin_chunk(&mut self.state, &mut self.streams, blocks, interest);
        let offset = self.offset;
        let seen = offset as usize + text.len();
        let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
        if check(kernel, &mut self.state, streams) {
            return Err(locate(&mut self.state, carried, offset, text, &[]));
        }
        self.offset += text.len() as u64;
        Ok((offset, kernel, streams))
    }
}
