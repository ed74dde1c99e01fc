//! Searches for keys, 64 tokens at a time.

use super::keys::Keys;
use super::positions::Positions;
use crate::kernel::{BLOCK, BlockTask, Isa, KindMasks, run_with};
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

/// The keys that a scan searches for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'k> {
    pub(super) keys: &'k Keys,
    /// At any depth; otherwise only the keys of the object itself.
    pub(super) descends: bool,
}

/// Searches a container for keys. `depth` is the current depth below that container; the depth at the end of the scan is
/// returned.
#[inline(always)]
pub(super) fn scan(
    chunk: &Chunk<'_>,
    positions: &mut Positions,
    search: Search<'_>,
    from: usize,
    depth: u64,
) -> (Scanned, u64) {
    let task = Scan {
        chunk,
        positions,
        search,
        from,
        depth,
    };
    run_with(chunk.kernel, task)
}

struct Scan<'c, 'p> {
    chunk: &'c Chunk<'c>,
    positions: &'p mut Positions,
    search: Search<'c>,
    from: usize,
    depth: u64,
}

impl BlockTask for Scan<'_, '_> {
    type Output = (Scanned, u64);

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> (Scanned, u64) {
        let Search { keys, descends } = self.search;
        let mut positions = *self.positions;
        let (chunk, kinds) = (self.chunk, self.chunk.kinds);
        let mut depth = self.depth;
        let mut at = self.from;
        let scanned = loop {
            if at >= kinds.len() {
                break Scanned::End;
            }
            let masks = group(isa, kinds, at);
            let Level { inside, closed, .. } = match descends {
                true => Level::any(&masks, depth),
                false => Level::own(&masks, depth),
            };
            let colons = masks.colon & inside;
            // A key before the first token of the chunk was checked at the end of the last chunk.
            let (first, mut strings) = match at {
                0 => (0, colons >> 1),
                _ => (at - 1, colons),
            };
            let found = 'keys: loop {
                let (block, mut starts) = positions.next_block(isa, chunk, first, strings);
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
            if let Some((place, key)) = found {
                let before = (1 << place) - 1;
                depth += u64::from((masks.open & before).count_ones());
                depth -= u64::from((masks.close & before).count_ones());
                break Scanned::Key(at + place, key);
            }
            if let Some(place) = closed {
                depth = 0;
                break Scanned::Closed(at + place as usize);
            }
            depth += u64::from(masks.open.count_ones());
            depth -= u64::from(masks.close.count_ones());
            at += BLOCK;
        };
        *self.positions = positions;
        (scanned, depth)
    }
}

/// The tokens of a group that belong to a container.
struct Level {
    inside: u64,
    /// The bracket that closes it.
    closed: Option<u32>,
}

impl Level {
    /// Those at any depth below it; the first of the group is at this one.
    #[inline(always)]
    fn any(masks: &KindMasks, depth: u64) -> Level {
        let closed = closing(masks, depth + 1);
        Level {
            inside: closed.map_or(u64::MAX, |place| (1 << place) - 1),
            closed,
        }
    }

    /// Those in no other container below it, and the brackets that end one.
    ///
    /// ```text
    /// kinds     ":1,":{":[1],":{}},":"}    the last one closes it
    /// inside    111111...........11111.
    /// ```
    #[inline(always)]
    fn own(masks: &KindMasks, depth: u64) -> Level {
        if u64::from(masks.close.count_ones()) < depth {
            return Level {
                inside: 0,
                closed: None,
            };
        }
        let mut depth = depth;
        let mut inside = match depth {
            0 => u64::MAX,
            _ => 0,
        };
        let mut brackets = masks.open | masks.close;
        while brackets != 0 {
            let bracket = brackets & brackets.wrapping_neg();
            brackets ^= bracket;
            let changes = match (masks.open & bracket != 0, depth) {
                (true, _) => {
                    depth += 1;
                    depth == 1
                }
                (false, 0) => {
                    return Level {
                        inside: inside & (bracket - 1),
                        closed: Some(bracket.trailing_zeros()),
                    };
                }
                (false, _) => {
                    depth -= 1;
                    depth == 0
                }
            };
            if changes {
                // From here on.
                inside ^= bracket.wrapping_neg();
            }
        }
        Level {
            inside,
            closed: None,
        }
    }
}
