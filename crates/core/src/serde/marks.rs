//! The structural indexes of one chunk of a text, read one by one.

use crate::kernel::Kernel;
use crate::window::{STEP, StructuralIndex};

/// Capacity for the marks of a chunk and one before them: a power of two, so that no index needs a bounds check.
const CAPACITY: usize = 2 * STEP;

/// The marks of one chunk of a text.
#[derive(Debug)]
pub(super) struct Marks {
    /// The bytes at the offsets, followed by a zero.
    kinds: Box<[u8; CAPACITY]>,
    offsets: Box<[u64; CAPACITY]>,
    count: usize,
    /// The closing quotes of strings with escapes.
    pub(super) escaped: Vec<u64>,
    /// The kernel used.
    pub(super) kernel: Option<Kernel>,
}

impl Default for Marks {
    fn default() -> Self {
        Marks {
            kinds: boxed(),
            offsets: boxed(),
            count: 0,
            escaped: Vec::new(),
            kernel: None,
        }
    }
}

/// A zeroed array, allocated without a copy on the stack.
fn boxed<T: Copy + Default>() -> Box<[T; CAPACITY]> {
    let zeros = vec![T::default(); CAPACITY].into_boxed_slice();
    zeros
        .try_into()
        .unwrap_or_else(|_| Box::new([T::default(); CAPACITY]))
}

impl Marks {
    /// The byte at a mark; 0 after the last mark.
    #[inline(always)]
    pub(super) fn kind(&self, index: usize) -> u8 {
        self.kinds[index % CAPACITY]
    }

    /// The offset of a mark; after the last mark, the offset given to [`end`](Marks::end).
    #[inline(always)]
    pub(super) fn offset(&self, index: usize) -> u64 {
        self.offsets[index % CAPACITY]
    }

    /// The bytes at the marks.
    pub(super) fn kinds(&self) -> &[u8] {
        &self.kinds[..self.count]
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.end(0);
    }

    /// Adds a mark.
    pub(super) fn push(&mut self, kind: u8, offset: u64) {
        self.kinds[self.count % CAPACITY] = kind;
        self.offsets[self.count % CAPACITY] = offset;
        self.count = (self.count + 1).min(CAPACITY - 1);
    }

    /// Removes the last mark.
    pub(super) fn pop(&mut self) -> Option<u64> {
        self.count = self.count.checked_sub(1)?;
        Some(self.offsets[self.count])
    }

    /// Sets the end of the marks; `offset` is the end of the text, if reached.
    pub(super) fn end(&mut self, offset: u64) {
        self.kinds[self.count % CAPACITY] = 0;
        self.offsets[self.count % CAPACITY] = offset;
    }

    /// Adds the index of a chunk.
    pub(super) fn add(&mut self, index: &StructuralIndex<'_>) {
        let StructuralIndex {
            start,
            offsets,
            kinds,
            escaped,
            kernel,
        } = *index;
        self.kernel = Some(kernel);
        let from = self.count;
        let moved = |&at: &u32| start + u64::from(at);
        let slots = self.offsets[from..].iter_mut();
        for (mark, at) in slots.zip(offsets.iter().map(moved)) {
            *mark = at;
        }
        self.kinds[from..from + kinds.len()].copy_from_slice(kinds);
        self.count += kinds.len();
        self.escaped.extend(escaped.iter().map(moved));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::token::{Chunk, Sink};
    use crate::window::{Options, Preset, Validator};
    use jsonx_testing::cases;

    /// The oracle: the same marks, computed from whole tokens.
    #[derive(Default)]
    struct Naive(Vec<u64>, Vec<u64>);

    impl Sink for Naive {
        type Error = core::convert::Infallible;
        type Output = Self;

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
            for ((kind, raw), &at) in chunk.tokens().zip(chunk.offsets) {
                let start = chunk.offset + u64::from(at);
                match kind {
                    b',' | b':' => {}
                    b'"' => {
                        let end = start + raw.len() as u64 - 1;
                        self.0.extend([start, end]);
                        if raw.contains(&b'\\') {
                            self.1.push(end);
                        }
                    }
                    _ => self.0.push(start),
                }
            }
            Ok(())
        }

        fn finish(self) -> Result<Self, Self::Error> {
            Ok(self)
        }
    }

    proptest! {
        #![proptest_config(cases(300))]

        #[test]
        fn like_whole_tokens(choices in prop::collection::vec(any::<u32>(), 0..300)) {
            let text = crate::agreement::valid_text(&choices);
            // Only in one chunk, which does not split tokens.
            if text.len() >= STEP {
                return Ok(());
            }
            for kernel in Kernel::available() {
                let options = Options::default().kernel(kernel);
                let naive = Validator::new(options).check(&text, Naive::default()).unwrap();
                let mut marks = Marks::default();
                let preset = Preset::Values { is_utf8: true };
                let add = |index: &StructuralIndex<'_>| marks.add(index);
                Validator::new(options).index(&text, preset, add).unwrap();
                let offsets: Vec<u64> = (0..marks.count()).map(|at| marks.offset(at)).collect();
                let kinds: Vec<u8> = offsets.iter().map(|&at| text[at as usize]).collect();
                prop_assert_eq!(marks.kinds(), kinds);
                prop_assert_eq!((offsets, marks.escaped), (naive.0, naive.1));
            }
        }
    }
}
