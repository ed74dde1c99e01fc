//! The offsets of single tokens.

use crate::kernel::{BLOCK, BlockTask, Isa, run_with};
use crate::token::Chunk;

/// Finds the offsets of tokens in a chunk by their indices, which mostly ascend.
///
/// If the chunk has no offsets, they are computed from the masks of first bytes. Listing all offsets takes a fifth of the
/// instructions of a verdict (AVX2), and a search for a few keys needs one token in three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Positions {
    /// The block after that of the last token looked up.
    next: usize,
    /// The mask of first bytes of the block of that token, their number, and the number of tokens before that block.
    firsts: u64,
    tokens: usize,
    before: usize,
}

impl Positions {
    /// The offset of a token, relative to the chunk. The chunk has offsets or first bytes.
    #[inline(always)]
    pub(super) fn find<K: Isa>(&mut self, isa: K, chunk: &Chunk<'_>, token: usize) -> usize {
        if let Some(&offset) = chunk.offsets.get(token) {
            return offset as usize;
        }
        let block = self.go_to(chunk, token);
        block + nth(isa, self.firsts, token - self.before) as usize
    }

    /// Locates the next of a set of tokens: the offset of its block, and the mask of the first bytes of the set in it. Bit 0 of
    /// `tokens` stands for the token `first`.
    #[inline(always)]
    pub(super) fn next_block<K: Isa>(
        &mut self,
        isa: K,
        chunk: &Chunk<'_>,
        first: usize,
        tokens: u64,
    ) -> (usize, u64) {
        if tokens == 0 {
            return (0, 0);
        }
        let token = first + tokens.trailing_zeros() as usize;
        if let Some(&offset) = chunk.offsets.get(token) {
            return (offset as usize, 1);
        }
        let block = self.go_to(chunk, token);
        let in_block = match self.before.checked_sub(first) {
            Some(past) => tokens >> past,
            None => tokens << (first - self.before),
        };
        (block, isa.pdep(in_block, self.firsts))
    }

    /// Moves to the block in which a token begins, and returns its offset.
    #[inline(always)]
    fn go_to(&mut self, chunk: &Chunk<'_>, token: usize) -> usize {
        if token < self.before {
            *self = Positions::default();
        }
        while token - self.before >= self.tokens
            && let Some(&firsts) = chunk.firsts.get(self.next)
        {
            self.before += self.tokens;
            self.firsts = firsts;
            self.tokens = firsts.count_ones() as usize;
            self.next += 1;
        }
        self.next.saturating_sub(1) * BLOCK
    }

    /// As [`find`](Positions::find), outside a block task.
    pub(super) fn locate(&mut self, chunk: &Chunk<'_>, token: usize) -> usize {
        struct Find<'p, 'c> {
            positions: &'p mut Positions,
            chunk: &'c Chunk<'c>,
            token: usize,
        }

        impl BlockTask for Find<'_, '_> {
            type Output = usize;

            #[inline(always)]
            fn run<K: Isa>(self, isa: K) -> usize {
                self.positions.find(isa, self.chunk, self.token)
            }
        }

        let find = Find {
            positions: self,
            chunk,
            token,
        };
        run_with(chunk.kernel, find)
    }
}

/// The position of the set bit with `number` set bits below it.
#[inline(always)]
fn nth<K: Isa>(isa: K, bits: u64, number: usize) -> u32 {
    if K::FAST_PEXT {
        return isa.pdep(1 << number, bits).trailing_zeros();
    }
    let mut rest = bits;
    for _ in 0..number {
        rest &= rest.wrapping_sub(1);
    }
    rest.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::engine::{Interest, Kernel, Mode, Options, Sink, Validator};

    /// Receives the offsets of tokens in both forms.
    struct Both<F>(F);

    impl<F: FnMut(&Chunk<'_>)> Sink for Both<F> {
        type Error = Infallible;
        type Output = ();

        fn interest(&self, _: Mode) -> Interest {
            Interest {
                offsets: true,
                firsts: true,
                ..Interest::default()
            }
        }

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
            (self.0)(chunk);
            Ok(())
        }

        fn finish(self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    proptest! {
        #[test]
        fn offsets_are_those_of_the_list(
            parts in prop::collection::vec(
                prop::sample::select(vec!["[1,22]", "{\"a\\\"b\" : null}", "\"\"", " \n", "\"a string of some length\""]),
                0..400,
            ),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 20),
        ) {
            let text = parts.join("\n");
            for kernel in Kernel::available() {
                let sink = Both(|chunk: &Chunk<'_>| {
                    let tokens = chunk.offsets.len();
                    let mut positions = Positions::default();
                    let mut asked: Vec<usize> = asked.iter().filter(|_| tokens > 0).map(|one| one.index(tokens)).collect();
                    asked.extend(0..tokens);
                    for token in asked {
                        let without = Chunk { offsets: &[], ..*chunk };
                        assert_eq!(positions.locate(&without, token), chunk.offsets[token] as usize);
                        assert_eq!(positions.locate(chunk, token), chunk.offsets[token] as usize);
                    }
                });
                let options = Options::default().mode(Mode::Stream).kernel(kernel);
                prop_assert!(Validator::new(options).check(text.as_bytes(), sink).is_ok());
            }
        }
    }
}
