//! Skips containers and counts elements, 64 tokens at a time.

#[cfg(feature = "serde")]
use crate::kernel::Kernel;
use crate::kernel::{BLOCK, BlockTask, Isa, KindMasks, run_with};
use crate::token::Chunk;

impl Chunk<'_> {
    /// Skips from the token with index `from` to the one after the bracket that closes the innermost `depth` containers, 64
    /// tokens at a time. Returns its index and 0; or, if the chunk ends before, the number of tokens and of containers still open.
    ///
    /// ```
    /// use jsonx_core::engine::{Validator, sink_fn};
    ///
    /// let mut after = (0, 0);
    /// let sink = sink_fn(|chunk| {
    ///     // From the token after `{`.
    ///     after = chunk.skip(2, 1);
    ///     Ok::<_, std::convert::Infallible>(())
    /// });
    /// Validator::default().check(br#"[{"a": [1]}, 2]"#, sink).unwrap();
    /// assert_eq!(after, (8, 0));
    /// ```
    #[inline]
    pub fn skip(&self, from: usize, depth: u64) -> (usize, u64) {
        let kinds = self.kinds;
        run_with(self.kernel, Skip { kinds, from, depth })
    }
}

/// As [`Chunk::skip`], over the first bytes of tokens, possibly without separators.
#[cfg(feature = "serde")]
#[inline]
pub(crate) fn skip_kinds(kernel: Kernel, kinds: &[u8], from: usize, depth: u64) -> (usize, u64) {
    run_with(kernel, Skip { kinds, from, depth })
}

/// Skips to the end of a container, inside a block task or as one.
pub(crate) struct Skip<'c> {
    kinds: &'c [u8],
    from: usize,
    depth: u64,
}

#[cfg(feature = "query")]
impl<'c> Skip<'c> {
    /// Skips the rest of the container that contains the token at `from`.
    pub(crate) fn out_of(chunk: &Chunk<'c>, from: usize) -> Skip<'c> {
        Skip {
            kinds: chunk.kinds,
            from,
            depth: 1,
        }
    }
}

impl BlockTask for Skip<'_> {
    type Output = (usize, u64);

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> (usize, u64) {
        let Skip {
            kinds,
            from: mut at,
            mut depth,
        } = self;
        while at < kinds.len() {
            let masks = group(isa, kinds, at);
            if let Some(bit) = closing(&masks, depth) {
                return (at + bit as usize + 1, 0);
            }
            depth += u64::from(masks.open.count_ones());
            depth -= u64::from(masks.close.count_ones());
            at += BLOCK;
        }
        (kinds.len(), depth)
    }
}

/// The masks of up to 64 tokens from `at` on.
#[inline(always)]
pub fn group<K: Isa>(isa: K, kinds: &[u8], at: usize) -> KindMasks {
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

/// Position of the bracket that closes the innermost `depth` containers, if it is in the group.
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

/// Counts the elements that begin in an array, from some position in it on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Elements {
    /// The position is in an array.
    pub(crate) is_array: bool,
    pub(crate) begun: u64,
    /// Open containers in the array.
    depth: u64,
    /// The next token in the array begins an element.
    expects: bool,
}

impl Elements {
    /// Starts at a position in an array; with `after_comma`, the next token begins an element. Outside an array nothing is
    /// counted.
    pub(crate) fn new(is_array: bool, after_comma: bool) -> Elements {
        Elements {
            is_array,
            begun: 0,
            depth: 0,
            expects: after_comma,
        }
    }

    /// Adds the elements that begin in a chunk. The array must not end in it.
    #[inline]
    pub(crate) fn after(self, chunk: &Chunk<'_>) -> Elements {
        if self.is_array {
            run_with(
                chunk.kernel,
                Count {
                    elements: self,
                    kinds: chunk.kinds,
                },
            )
        } else {
            self
        }
    }
}

/// Counts the elements that begin in a chunk, 64 tokens at a time.
struct Count<'c> {
    elements: Elements,
    kinds: &'c [u8],
}

impl BlockTask for Count<'_> {
    type Output = Elements;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> Elements {
        let Elements {
            is_array,
            mut begun,
            mut depth,
            mut expects,
        } = self.elements;
        let mut at = 0;
        while at < self.kinds.len() {
            let masks = group(isa, self.kinds, at);
            let tokens = (self.kinds.len() - at).min(BLOCK);
            let closing = u64::from(masks.close.count_ones());
            if depth > closing {
                depth += u64::from(masks.open.count_ones());
                depth -= closing;
                at += tokens;
                continue;
            }
            // The tokens from one bracket to the next are at one depth.
            let mut brackets = masks.open | masks.close;
            let mut from = 0;
            loop {
                let to = brackets.trailing_zeros().min(tokens as u32);
                if depth == 0 && from < to {
                    let inside = (u64::MAX >> (BLOCK as u32 - to)) & (u64::MAX << from);
                    let commas = masks.comma & inside;
                    // One element per comma, except for a comma that is the last token.
                    let awaits = commas >> (to - 1) & 1;
                    begun += u64::from(commas.count_ones()) + u64::from(expects) - awaits;
                    expects = awaits == 1;
                }
                if brackets == 0 {
                    break;
                }
                let bracket = brackets & brackets.wrapping_neg();
                if masks.open & bracket != 0 {
                    begun += u64::from(depth == 0 && expects);
                    expects &= depth != 0;
                    depth += 1;
                } else {
                    depth = depth.saturating_sub(1);
                }
                brackets &= brackets - 1;
                from = to + 1;
                if from >= tokens as u32 {
                    break;
                }
            }
            at += tokens;
        }
        Elements {
            is_array,
            begun,
            depth,
            expects,
        }
    }
}
