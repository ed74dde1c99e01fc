//! UTF-8, where the kernel checks it block by block and where the standard library checks whole chunks.

use core::str::Utf8Error;

use crate::kernel::{BLOCK, Bytes, Isa};

/// What is carried from one chunk to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8 {
    /// The last three bytes of the text so far.
    pub(crate) last: [u8; 3],
    /// The last block ended inside a sequence. (Kernels that check block by block.)
    pub(crate) open: bool,
    /// A byte above 0x7F was met in this chunk. (The others.)
    pub(crate) seen: bool,
}

impl Default for Utf8 {
    fn default() -> Self {
        Utf8 {
            last: [b' '; 3],
            open: false,
            seen: false,
        }
    }
}

impl Utf8 {
    /// A block that ends as the text so far does.
    #[inline(always)]
    pub(crate) fn last_block(&self) -> Bytes {
        let mut block = [b' '; BLOCK];
        block[BLOCK - 3..].copy_from_slice(&self.last);
        block
    }

    #[inline(always)]
    pub(crate) fn remember(&mut self, block: &Bytes) {
        self.last.copy_from_slice(&block[BLOCK - 3..]);
    }

    /// Checks a chunk that has been scanned, with the standard library, where the kernel has not done it.
    /// Non-zero for an error.
    #[inline(always)]
    pub(crate) fn chunk<K: Isa>(&mut self, _: K, blocks: &[Bytes]) -> u64 {
        if K::CHECKS_UTF8 || !(self.seen | self.open) {
            return 0;
        }
        self.seen = false;
        u64::from(self.check(blocks.as_flattened()).is_err())
    }

    #[inline(never)]
    fn check(&mut self, text: &[u8]) -> Result<(), Utf8Error> {
        let mut rest = text;
        if self.open {
            // The sequence that was left open is completed in a place of its own.
            let begun = self
                .last
                .iter()
                .rposition(|&byte| byte >= 0xC0)
                .map_or(3, |at| 3 - at);
            let mut sequence = [0; 4];
            sequence[..begun].copy_from_slice(&self.last[3 - begun..]);
            let width = match sequence[0] {
                0xF0.. => 4,
                0xE0.. => 3,
                _ => 2,
            };
            let (missing, after) = rest.split_at(width - begun);
            sequence[begun..width].copy_from_slice(missing);
            str::from_utf8(&sequence[..width])?;
            rest = after;
        }
        self.open = match str::from_utf8(rest) {
            Ok(_) => false,
            Err(error) if error.error_len().is_none() => true,
            Err(error) => return Err(error),
        };
        Ok(())
    }
}
