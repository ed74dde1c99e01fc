//! The first of two passes over JSON: counts the values of each container.

use core::convert::Infallible;

use super::{EncodeError, EncodeErrorKind};
use crate::token::{Chunk, Interest, Mode, Sink};

/// The lengths of the containers of a text, in the order in which they open: four bytes each. Made by a [`Counter`].
///
/// ```
/// use jsonx_core::msgpack::Counter;
/// use jsonx_core::engine::{Options, Validator};
///
/// let mut counter = Counter::default();
/// Validator::new(Options::default()).check(b"[{}, [1, 2]]", &mut counter).unwrap();
/// assert_eq!(counter.finish().len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(super) lengths: Vec<u32>,
}

impl Counts {
    /// The number of containers in the text.
    ///
    /// ```
    /// assert_eq!(jsonx_core::msgpack::Counts::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether the text has no containers.
    ///
    /// ```
    /// assert!(jsonx_core::msgpack::Counts::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }
}

/// A [`Sink`] that counts the values of each container, for an [`Encoder`](super::Encoder) that writes a large text in a second
/// pass without buffering it. Costs four bytes per container, and eight per level.
///
/// ```
/// use jsonx_core::msgpack::{Counter, EncodeOptions, Encoder};
/// use jsonx_core::engine::{Options, Validator};
///
/// let text = b"[[1, 2], 3]";
/// let mut counter = Counter::default();
/// Validator::new(Options::default()).check(text, &mut counter).unwrap();
/// let mut encoder = Encoder::with_counts(EncodeOptions::default(), counter.finish(), Vec::new());
/// Validator::new(Options::default()).check(text, &mut encoder).unwrap();
/// assert_eq!(encoder.finish().unwrap(), b"\x92\x92\x01\x02\x03");
/// ```
#[derive(Debug, Default)]
pub struct Counter {
    counts: Counts,
    open: Vec<usize>,
    after_open: bool,
}

impl Counter {
    /// The counts. Call it after [`Validator::finish`](crate::engine::Validator::finish).
    ///
    /// ```
    /// use jsonx_core::msgpack::{Counter, Counts};
    ///
    /// assert_eq!(Counter::default().finish(), Counts::default());
    /// ```
    pub fn finish(self) -> Counts {
        self.counts
    }
}

impl Sink for Counter {
    type Error = EncodeError<Infallible>;
    type Output = Counts;

    fn interest(&self, _: Mode) -> Interest {
        // The kinds of tokens are always available.
        Interest::default()
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        let lengths = &mut self.counts.lengths;
        // At most one container per token: reserved at once, so that a push cannot abort.
        let containers = memchr::memchr2_iter(b'{', b'[', chunk.kinds).count();
        let reserved = lengths.try_reserve(containers);
        let reserved = reserved.and_then(|()| self.open.try_reserve(containers));
        reserved.map_err(|_| EncodeError::OutOfMemory)?;
        for &kind in chunk.kinds {
            match kind {
                b'{' | b'[' => {
                    self.open.push(lengths.len());
                    lengths.push(0);
                    self.after_open = true;
                    continue;
                }
                b',' => {
                    if let Some(&last) = self.open.last() {
                        lengths[last] = more(lengths[last], chunk.offset)?;
                    }
                }
                b'}' | b']' => {
                    if let Some(last) = self.open.pop()
                        && !self.after_open
                    {
                        lengths[last] = more(lengths[last], chunk.offset)?;
                    }
                }
                _ => {}
            }
            self.after_open = false;
        }
        Ok(())
    }

    fn finish(self) -> Result<Counts, Self::Error> {
        Ok(Counter::finish(self))
    }
}

fn more(length: u32, offset: u64) -> Result<u32, EncodeError<Infallible>> {
    length.checked_add(1).ok_or(EncodeError::Value {
        kind: EncodeErrorKind::TooLong,
        offset,
    })
}
