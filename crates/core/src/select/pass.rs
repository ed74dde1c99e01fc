//! Skips the tokens that no state is interested in, 64 at a time.

use super::keys::Keys;
use crate::Chunk;
use crate::kernel::{BLOCK, BlockTask, Isa, KindMasks, run_with};

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
fn group<K: Isa>(isa: K, kinds: &[u8], at: usize) -> KindMasks {
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
fn closing(masks: &KindMasks, depth: u64) -> Option<u32> {
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
