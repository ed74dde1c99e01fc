//! Offsets of the values of a text in memory, for a pull consumer that needs neither separators nor separate tokens for
//! strings.

pub(crate) use super::starts::STEP;
use super::{Validator, carry};
use crate::chunk::{State, check_values};
use crate::jsonc::Dialect;
use crate::kernel::{Bytes, Kernel};
use crate::scan::Streams;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::Interest;
use crate::window::Options;

impl Validator {
    /// Begins another text and reuses the buffers. Optimised for short texts after a valid one.
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

    /// Checks the next [`STEP`] bytes of a text, or the fewer bytes at its end. Adds their marks: brackets, both quotes of each
    /// string, and the first bytes of numbers and literals. `is_utf8` states whether the text so far is valid UTF-8, which the
    /// caller checks.
    ///
    /// ```text
    /// text     {"a": [10,  "\n"]}
    /// offsets  0 1 3 6 7 12 15 16 17
    /// kinds    { " " [ 1 "  "  ]  }
    /// escaped  15
    /// ```
    pub(crate) fn values(
        &mut self,
        text: &[u8],
        is_utf8: bool,
        marks: &mut Marks,
    ) -> Result<(), SyntaxError> {
        if text.len() >= STEP {
            return self.values_of(text.as_chunks().0, text, is_utf8, marks);
        }
        self.with_padding(text, |validator, blocks| {
            validator.values_of(blocks, text, is_utf8, marks)
        })?;
        self.may_end()
    }

    fn values_of(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        is_utf8: bool,
        marks: &mut Marks,
    ) -> Result<(), SyntaxError> {
        // Requests the buffer of quotes, which otherwise only the lints need.
        let interest = Interest {
            offsets: true,
            minified: true,
            lints: true,
            ..Interest::default()
        };
        let check = |kernel: Kernel, state: &mut State, streams: &mut Streams| {
            check_values(kernel, state, blocks, streams) || !is_utf8
        };
        let (offset, kernel, streams) = self.part(blocks.len(), text, interest, check)?;
        let kinds = &streams.minified[..streams.marks];
        marks.kernel = Some(kernel);
        marks.add(offset, kinds, &streams.offsets[..streams.marks]);
        let escaped = &streams.quotes[..streams.quote_count];
        if marks.escaped.try_reserve(escaped.len()).is_err() {
            return Err(SyntaxError {
                kind: ErrorKind::OutOfMemory,
                offset,
            });
        }
        let moved = |&at: &u32| offset + u64::from(at);
        marks.escaped.extend(escaped.iter().map(moved));
        Ok(())
    }

    /// Whether the text so far ends in a string.
    pub(crate) fn is_in_string(&self) -> bool {
        self.state.carry.scan.strings.inside != 0
    }
}

/// Capacity for the marks of a chunk and one before them: a power of two, so that no index needs a bounds check.
const ROOM: usize = 2 * STEP;

/// The marks of one chunk of a text.
#[derive(Debug)]
pub(crate) struct Marks {
    /// The bytes at the offsets, followed by a zero.
    kinds: Box<[u8; ROOM]>,
    offsets: Box<[u64; ROOM]>,
    count: usize,
    /// The closing quotes of strings with escapes.
    pub(crate) escaped: Vec<u64>,
    /// The kernel that found them.
    pub(crate) kernel: Option<Kernel>,
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
fn boxed<T: Copy + Default>() -> Box<[T; ROOM]> {
    let zeros = vec![T::default(); ROOM].into_boxed_slice();
    zeros
        .try_into()
        .unwrap_or_else(|_| Box::new([T::default(); ROOM]))
}

impl Marks {
    /// The byte at a mark; 0 after the last mark.
    #[inline(always)]
    pub(crate) fn kind(&self, index: usize) -> u8 {
        self.kinds[index % ROOM]
    }

    /// The offset of a mark; after the last mark, the offset given to [`end`](Marks::end).
    #[inline(always)]
    pub(crate) fn offset(&self, index: usize) -> u64 {
        self.offsets[index % ROOM]
    }

    /// The bytes at the marks.
    pub(crate) fn kinds(&self) -> &[u8] {
        &self.kinds[..self.count]
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.end(0);
    }

    /// Adds a mark.
    pub(crate) fn push(&mut self, kind: u8, offset: u64) {
        self.kinds[self.count % ROOM] = kind;
        self.offsets[self.count % ROOM] = offset;
        self.count = (self.count + 1).min(ROOM - 1);
    }

    /// Removes the last mark.
    pub(crate) fn pop(&mut self) -> Option<u64> {
        self.count = self.count.checked_sub(1)?;
        Some(self.offsets[self.count])
    }

    /// Sets the end of the marks; `offset` is the end of the text, if reached.
    pub(crate) fn end(&mut self, offset: u64) {
        self.kinds[self.count % ROOM] = 0;
        self.offsets[self.count % ROOM] = offset;
    }

    /// Adds the marks of a chunk that begins at `start`.
    fn add(&mut self, start: u64, kinds: &[u8], offsets: &[u32]) {
        let from = self.count;
        let room = self.offsets[from..].iter_mut();
        for (mark, &at) in room.zip(offsets) {
            *mark = start + u64::from(at);
        }
        self.kinds[from..from + kinds.len()].copy_from_slice(kinds);
        self.count += kinds.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cases::cases;
    use crate::token::{Chunk, Sink};

    /// The same marks, computed from whole tokens.
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
            // In one chunk, which splits no token.
            if text.len() >= STEP {
                return Ok(());
            }
            for kernel in Kernel::available() {
                let options = Options::default().kernel(kernel);
                let naive = Validator::new(options).check(&text, Naive::default()).unwrap();
                let mut marks = Marks::default();
                Validator::new(options).values(&text, true, &mut marks).unwrap();
                let offsets: Vec<u64> = (0..marks.count()).map(|at| marks.offset(at)).collect();
                let kinds: Vec<u8> = offsets.iter().map(|&at| text[at as usize]).collect();
                prop_assert_eq!(marks.kinds(), kinds);
                prop_assert_eq!((offsets, marks.escaped), (naive.0, naive.1));
            }
        }
    }
}
