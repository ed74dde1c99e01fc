//! Where the values of a text in memory are: for a consumer that pulls, and that needs neither separators nor tokens of their
//! own for strings.

use super::{Validator, begin_chunk, carry, locate};
use crate::chunk::{CHUNK_BLOCKS, check_values};
use crate::jsonc::Dialect;
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::Interest;
use crate::window::Options;

/// Bytes that are checked at a time: a chunk of the engine, so that text and marks stay in the first-level cache.
pub(crate) const STEP: usize = CHUNK_BLOCKS * BLOCK;

impl Validator {
    /// Begins another text, with the buffers of this one. As fast as can be where this one was valid, for short texts.
    pub(crate) fn begin(&mut self, options: Options) {
        let was_valid = self.state.stack.depth == 0 && !self.state.stack.exhausted;
        if !was_valid || self.feed.is_some() || options.dialect != Dialect::default() {
            let streams = self.streams.take();
            let padded = core::mem::take(&mut self.padded);
            *self = Validator {
                streams,
                padded,
                ..Validator::new(options)
            };
            return;
        }
        self.kernel = options.kernel;
        self.mode = options.mode;
        self.state.carry = carry(&options);
        self.offset = 0;
        self.last_kind = 0;
        self.held = 0;
        self.blanked.clear();
    }

    /// Checks the next [`STEP`] bytes of a text, or its last bytes, of which there are fewer. Adds the offsets of its marks: the
    /// brackets, both quotes of each string, and the first bytes of numbers and literals.
    ///
    /// ```text
    /// text     {"a": [10,  "\n"]}
    /// all      0 1 3 6 7 12 15 16 17
    /// escaped  15
    /// ```
    pub(crate) fn values(&mut self, text: &[u8], marks: &mut Marks) -> Result<(), SyntaxError> {
        if text.len() >= STEP {
            return self.values_of(text.as_chunks().0, text, marks);
        }
        self.with_padding(text, |validator, blocks| {
            validator.values_of(blocks, text, marks)
        })?;
        self.may_end()
    }

    fn values_of(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        marks: &mut Marks,
    ) -> Result<(), SyntaxError> {
        let carried = self.state.carry;
        // Of what the lints need, the buffer for quotes.
        let interest = Interest {
            offsets: true,
            lints: true,
            ..Interest::default()
        };
        let streams = begin_chunk(&mut self.state, &mut self.streams, blocks.len(), interest);
        let offset = self.offset;
        let seen = offset as usize + text.len();
        let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
        if check_values(kernel, &mut self.state, blocks, streams) {
            return Err(locate(&mut self.state, carried, offset, text, &[]));
        }
        self.offset += text.len() as u64;
        let all = &streams.offsets[..streams.marks];
        let escaped = &streams.quotes[..streams.quote_count];
        let room = marks.all.try_reserve(all.len() + SPARE);
        if room.is_err() || marks.escaped.try_reserve(escaped.len()).is_err() {
            return Err(SyntaxError {
                kind: ErrorKind::OutOfMemory,
                offset,
            });
        }
        // By value: the loops would read a reference again after each write.
        let moved = move |&at: &u32| offset + u64::from(at);
        marks.all.extend(all.iter().map(moved));
        marks.escaped.extend(escaped.iter().map(moved));
        Ok(())
    }
}

/// Where the values of a text are.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) all: Vec<u64>,
    /// The closing quotes of strings with escapes.
    pub(crate) escaped: Vec<u64>,
}

/// Marks for which there is room besides those of a chunk.
const SPARE: usize = 8;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cases::cases;
    use crate::token::{Chunk, Sink};

    /// The same from whole tokens.
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
            // In one chunk, in which no token is cut.
            if text.len() >= STEP {
                return Ok(());
            }
            for kernel in Kernel::available() {
                let options = Options::default().kernel(kernel);
                let naive = Validator::new(options).check(&text, Naive::default()).unwrap();
                let mut marks = Marks::default();
                Validator::new(options).values(&text, &mut marks).unwrap();
                prop_assert_eq!((marks.all, marks.escaped), (naive.0, naive.1));
            }
        }
    }
}
