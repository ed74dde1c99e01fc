//! Finds the arrays that contain only numbers, before a text is laid out.

use core::convert::Infallible;

use crate::token::{Chunk, Interest, Mode, Sink};

/// A [`Sink`] that finds the arrays that contain only numbers: the layout of Prettier fills lines with them, so without this a
/// [`Rewriter`](crate::format::Rewriter) buffers each until it closes. It needs one bit per array that begins with a number.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{NumberArrays, PrettierStyle, RewriteOptions, Rewriter};
///
/// let text = b"[[1, 2], [3, \"a\"]]";
/// let arrays = Validator::new(Options::default()).check(text, NumberArrays::default()).unwrap();
/// let options = RewriteOptions::default().prettier(Some(PrettierStyle::default())).width(Some(3));
/// let rewriter = Rewriter::new(options, Vec::new()).number_arrays(arrays);
/// let formatted = Validator::new(Options::default()).check(text, rewriter).unwrap();
/// assert_eq!(formatted, b"[\n  [\n    1,\n    2\n  ],\n  [\n    3,\n    \"a\"\n  ]\n]\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct NumberArrays {
    bits: Vec<u64>,
    count: usize,
    /// The number of requests so far.
    taken: usize,
    state: Array,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Array {
    #[default]
    Other,
    /// After an opening bracket.
    Open,
    /// In an array with numbers so far.
    Numbers,
}

impl NumberArrays {
    /// Whether the next array that begins with a number contains only numbers.
    pub(super) fn next(&mut self) -> bool {
        let at = self.taken;
        self.taken += 1;
        self.bits
            .get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

impl Sink for NumberArrays {
    type Error = Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest::default()
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        for &kind in chunk.kinds {
            self.state = match (self.state, kind) {
                (Array::Open, b'-' | b'0'..=b'9') => {
                    if self.count.is_multiple_of(64) {
                        self.bits.push(0);
                    }
                    self.count += 1;
                    Array::Numbers
                }
                (Array::Numbers, b'-' | b'0'..=b'9' | b',') => Array::Numbers,
                (Array::Numbers, b']') => {
                    let last = self.count - 1;
                    self.bits[last / 64] |= 1 << (last % 64);
                    Array::Other
                }
                (_, b'[') => Array::Open,
                _ => Array::Other,
            };
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}
