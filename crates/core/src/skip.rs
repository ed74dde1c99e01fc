//! Skips containers, 64 tokens at a time.

use crate::kernel::{BLOCK, BlockTask, Isa, KindMasks, run_with};
use crate::token::Chunk;

/// Skips to the token after the bracket that closes the innermost `depth` containers. Returns its index and 0; or, if
/// the chunk ends before, the number of tokens and the number of containers still open.
///
/// Every skip of a whole container uses this function.
#[inline]
pub(crate) fn skip(chunk: &Chunk<'_>, from: usize, depth: u64) -> (usize, u64) {
    let kinds = chunk.kinds;
    run_with(chunk.kernel, Skip { kinds, from, depth })
}

struct Skip<'c> {
    kinds: &'c [u8],
    from: usize,
    depth: u64,
}

impl BlockTask for Skip<'_> {
    type Output = (usize, u64);

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> (usize, u64) {
        let mut depth = self.depth;
        let mut at = self.from;
        while at < self.kinds.len() {
            let masks = group(isa, self.kinds, at);
            if let Some(place) = closing(&masks, depth) {
                return (at + place as usize + 1, 0);
            }
            depth += u64::from(masks.open.count_ones());
            depth -= u64::from(masks.close.count_ones());
            at += BLOCK;
        }
        (self.kinds.len(), depth)
    }
}

/// The masks of up to 64 tokens from `at` on.
#[inline(always)]
pub(crate) fn group<K: Isa>(isa: K, kinds: &[u8], at: usize) -> KindMasks {
    let rest = &kinds[at..];
    match rest.first_chunk() {
        Some(bytes) => isa.kinds(isa.load(bytes)),
        None => {
            let mut last = [0; BLOCK];
            last[..rest.len()].copy_from_slice(rest);
            isa.kinds(isa.load(&last))
        }
    }
}

/// Position in the group of the bracket that closes the innermost `depth` containers, if it is there.
#[inline(always)]
pub(crate) fn closing(masks: &KindMasks, depth: u64) -> Option<u32> {
    if u64::from(masks.close.count_ones()) < depth {
        return None;
    }
    let mut close = masks.close;
    let mut level = depth;
    let mut seen = 0;
    while close != 0 {
        let below = close & close.wrapping_neg();
        let opened = (masks.open & (below - 1)).count_ones();
        level = level + u64::from(opened - seen) - 1;
        seen = opened;
        if level == 0 {
            return Some(close.trailing_zeros());
        }
        close &= close - 1;
    }
    None
}
