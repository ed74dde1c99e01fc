//! Searches objects for keys, 64 tokens at a time.

use super::keys::SearchKeys;
use super::open_containers::OpenContainers;
use super::positions::Positions;
use crate::kernel::{BLOCK, BlockTask, Isa, KindMasks};
use crate::skip::{closing, group};
use crate::token::Chunk;
use crate::verify::containers::leaf_pairs;

/// Why a scan for keys stopped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scanned {
    /// The chunk has no more tokens.
    End,
    /// The token at this index closes the scanned container.
    Closed(usize),
    /// The index of the colon after a key of the set, and the number of that key.
    Key(usize, u32),
}

/// The keys that a scan searches for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'k> {
    pub(super) keys: &'k SearchKeys,
    /// Search at any depth; otherwise only the keys of the object itself.
    pub(super) descends: bool,
}

/// A search of a container for keys, from a token on.
pub(super) struct KeyScan<'c, 'p> {
    pub(super) chunk: &'c Chunk<'c>,
    pub(super) positions: &'p mut Positions,
    pub(super) search: Search<'c>,
    pub(super) from: usize,
    /// The depth at that token, relative to the container.
    pub(super) depth: u64,
    /// Follows the location, for a search at any depth.
    pub(super) open_containers: Option<OpenContainers<'p>>,
}

impl BlockTask for KeyScan<'_, '_> {
    /// The reason for the end of the scan, and the depth there.
    type Output = (Scanned, u64);

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> (Scanned, u64) {
        let KeyScan {
            chunk,
            positions,
            search: Search { keys, descends },
            from: mut at,
            mut depth,
            mut open_containers,
        } = self;
        let mut blocks = *positions;
        let kinds = chunk.kinds;
        let scanned = loop {
            if at >= kinds.len() {
                break Scanned::End;
            }
            let masks = group(isa, kinds, at);
            let Level { inside, closed, .. } = if descends {
                Level::any(&masks, depth)
            } else {
                Level::own(isa, &masks, depth)
            };
            let colons = masks.colon & inside;
            // A key at the end of the last chunk has been handled there.
            let (first, mut strings) = match at {
                0 => (0, colons >> 1),
                _ => (at - 1, colons),
            };
            let found = 'keys: loop {
                let (block, mut starts) = blocks.next_block(isa, chunk, first, strings);
                if starts == 0 {
                    break None;
                }
                while starts != 0 {
                    let from = block + starts.trailing_zeros() as usize;
                    if let Some(key) = keys.find(&chunk.bytes[from..]) {
                        let colon = first + strings.trailing_zeros() as usize + 1;
                        break 'keys Some((colon - at, key));
                    }
                    starts &= starts - 1;
                    strings &= strings - 1;
                }
            };
            if let Some(open_containers) = &mut open_containers {
                let end = found.map(|(bit, _)| bit as u32).or(closed);
                open_containers.follow(isa, chunk, &masks, (at, end.unwrap_or(BLOCK as u32)));
            }
            if let Some((bit, key)) = found {
                let before = (1 << bit) - 1;
                depth += u64::from((masks.open & before).count_ones());
                depth -= u64::from((masks.close & before).count_ones());
                break Scanned::Key(at + bit, key);
            }
            if let Some(bit) = closed {
                depth = 0;
                break Scanned::Closed(at + bit as usize);
            }
            depth += u64::from(masks.open.count_ones());
            depth -= u64::from(masks.close.count_ones());
            at += BLOCK;
        };
        *positions = blocks;
        (scanned, depth)
    }
}

/// The tokens of a group at one level of nesting.
struct Level {
    inside: u64,
    /// The bracket that closes the container.
    closed: Option<u32>,
}

impl Level {
    /// The tokens at any depth below the container. `depth` is that of the first token of the group.
    #[inline(always)]
    fn any(masks: &KindMasks, depth: u64) -> Level {
        let closed = closing(masks, depth + 1);
        Level {
            inside: closed.map_or(u64::MAX, |bit| (1 << bit) - 1),
            closed,
        }
    }

    /// The tokens at depth 0. Leaf pairs are removed until none is left, in as many rounds as containers are nested in the group.
    ///
    /// ```text
    /// kinds     " : 1 , " : { " : [ 1 ] , " : { } } , " : " }    at depth 0; the last one closes it
    /// round 1   . . . . . . . . . 1 1 . . . . 1 . . . . . . .    leaf_close - leaf_open
    /// round 2   . . . . . . 1 1 1 1 1 1 1 1 1 1 . . . . . . .
    /// inside    1 1 1 1 1 1 . . . . . . . . . . 1 1 1 1 1 1 .
    /// ```
    #[inline(always)]
    fn own<K: Isa>(isa: K, masks: &KindMasks, depth: u64) -> Level {
        let outside = Level {
            inside: 0,
            closed: None,
        };
        let (mut open, mut close) = (masks.open, masks.close);
        if u64::from(close.count_ones()) < depth {
            return outside;
        }
        let mut inner = 0;
        while open != 0 && close > open & open.wrapping_neg() {
            let (leaf_open, leaf_close, _) = leaf_pairs(isa, open, close, masks.brace);
            inner |= leaf_close.wrapping_sub(leaf_open);
            open ^= leaf_open;
            close ^= leaf_close;
        }
        // All remaining closing brackets come before the opening ones.
        let mut after = u64::MAX;
        for _ in 0..depth {
            after = (close & close.wrapping_neg()).wrapping_neg();
            close &= close.wrapping_sub(1);
        }
        if after == 0 {
            return outside;
        }
        let end = match close {
            0 => open,
            _ => close,
        };
        let before = (end & end.wrapping_neg()).wrapping_sub(1);
        Level {
            inside: after & before & !inner,
            closed: (close != 0).then(|| close.trailing_zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::{Kernel, run_with};

    struct Own<'k> {
        kinds: &'k [u8],
        depth: u64,
    }

    impl BlockTask for Own<'_> {
        type Output = (u64, Option<u32>);

        #[inline(always)]
        fn run<K: Isa>(self, isa: K) -> Self::Output {
            let masks = group(isa, self.kinds, 0);
            let Level { inside, closed } = Level::own(isa, &masks, self.depth);
            (masks.colon & inside, closed)
        }
    }

    proptest! {
        #![proptest_config(jsonx_testing::cases(5_000))]

        #[test]
        fn own_tokens_are_those_at_depth_0(
            kinds in prop::collection::vec(prop::sample::select(&b"::[{]}"[..]), 1..=BLOCK),
            depth in 0_u64..6,
        ) {
            let (mut expected, mut closed, mut level) = (0, None, depth as i64);
            for (bit, kind) in (0..).zip(&kinds) {
                match kind {
                    b':' => expected |= u64::from(level == 0) << bit,
                    b'[' | b'{' => level += 1,
                    _ => level -= 1,
                }
                if level < 0 {
                    closed = Some(bit);
                    break;
                }
            }
            for kernel in Kernel::available() {
                let own = Own { kinds: &kinds, depth };
                prop_assert_eq!(run_with(kernel, own), (expected, closed), "{:?}", kernel);
            }
        }
    }
}
