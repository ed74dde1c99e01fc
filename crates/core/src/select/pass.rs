//! Searches for keys at any depth, 64 tokens at a time.

use super::keys::Keys;
use crate::kernel::{BLOCK, BlockTask, Isa, run_with};
use crate::skip::{closing, group};
use crate::token::Chunk;

/// Why a scan for keys stopped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scanned {
    /// The chunk has no more tokens.
    End,
    /// The token at this index closes the container that was scanned.
    Closed(usize),
    /// The token at this index is the colon after a key of the set, which has this number.
    Key(usize, u32),
}

/// Searches for keys at any depth of a container. `depth` is the current depth below that container; the depth at the
/// end of the scan is returned.
#[inline]
pub(super) fn scan(chunk: &Chunk<'_>, keys: &Keys, from: usize, depth: u64) -> (Scanned, u64) {
    let task = Scan {
        chunk,
        keys,
        from,
        depth,
    };
    run_with(chunk.kernel, task)
}

struct Scan<'c> {
    chunk: &'c Chunk<'c>,
    keys: &'c Keys,
    from: usize,
    depth: u64,
}

impl BlockTask for Scan<'_> {
    type Output = (Scanned, u64);

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> (Scanned, u64) {
        let Chunk {
            kinds,
            offsets,
            bytes,
            ..
        } = *self.chunk;
        let mut depth = self.depth;
        let mut at = self.from;
        while at < kinds.len() {
            let masks = group(isa, kinds, at);
            let closed = closing(&masks, depth + 1);
            let inside = closed.map_or(u64::MAX, |place| (1 << place) - 1);
            let mut colons = masks.colon & inside;
            while colons != 0 {
                let place = colons.trailing_zeros();
                let token = at + place as usize;
                // A key before the first token of the chunk was checked at the end of the last chunk.
                if token > 0
                    && let Some(key) = self.keys.find(&bytes[offsets[token - 1] as usize..])
                {
                    let before = (1 << place) - 1;
                    depth += u64::from((masks.open & before).count_ones());
                    depth -= u64::from((masks.close & before).count_ones());
                    return (Scanned::Key(token, key), depth);
                }
                colons &= colons - 1;
            }
            if let Some(place) = closed {
                return (Scanned::Closed(at + place as usize), 0);
            }
            depth += u64::from(masks.open.count_ones());
            depth -= u64::from(masks.close.count_ones());
            at += BLOCK;
        }
        (Scanned::End, depth)
    }
}
