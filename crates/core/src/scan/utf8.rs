//! The state of UTF-8 validation. Kernels either check each block themselves or leave whole chunks to the standard
//! library.

use core::str::Utf8Error;

use crate::kernel::{BLOCK, Bytes, Isa};

/// The state carried from one chunk to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8 {
    /// The last three bytes of the text so far.
    pub(crate) last: [u8; 3],
    /// The last block or chunk ended inside a sequence.
    pub(crate) open: bool,
    /// This chunk has a byte above 0x7F. Used by kernels that do not check UTF-8.
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
    /// A block that ends with the last bytes of the text so far.
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

    /// Checks a scanned chunk with the standard library, unless the kernel has checked it. Returns non-zero for an
    /// error.
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
            // Completes the sequence at the end of the last chunk in a separate buffer.
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
