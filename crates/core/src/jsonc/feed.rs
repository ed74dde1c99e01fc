//! Buffers filtered text that the validator cannot check yet.
//!
//! A comma is held until it is known whether a closing bracket follows. Until then, the bytes after the comma are buffered
//! here, or only their number if the comments are not needed.

use super::Dialect;
use super::filter::{Filter, Trailing};
use crate::kernel::{BLOCK, Kernel};
use crate::syntax::ErrorKind;

/// Number of bytes filtered at once, few enough to stay in the L1 cache until they are checked.
const AT_ONCE: usize = 8 << 10;

/// Number of blank bytes after a comma beyond which only their number is retained.
const LONG_GAP: usize = 4 << 10;

/// An overwritten trailing comma and the closing bracket after it, as offsets in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blanked {
    pub(crate) comma: u64,
    pub(crate) close: u64,
}

/// Filtered text that has not been checked yet.
#[derive(Clone, Debug)]
pub(crate) struct Feed {
    filter: Filter,
    /// The filtered text.
    pub(crate) bytes: Vec<u8>,
    /// The same bytes before filtering, if a sink requests them.
    pub(crate) source: Vec<u8>,
    has_source: bool,
    /// Number of blank bytes removed after the first one of `bytes`, which is then a comma.
    gap: u64,
    trailing: Vec<Trailing>,
}

impl Feed {
    /// Creates a buffer for a dialect; `None` for strict JSON, which needs no filter.
    pub(crate) fn new(dialect: Dialect) -> Option<Box<Feed>> {
        dialect.allows_comments().then(|| {
            Box::new(Feed {
                filter: Filter::new(dialect.allows_trailing_commas()),
                bytes: Vec::new(),
                source: Vec::new(),
                has_source: false,
                gap: 0,
                trailing: Vec::new(),
            })
        })
    }

    /// The number of unchecked bytes.
    pub(crate) fn waiting(&self) -> u64 {
        self.bytes.len() as u64 + self.gap
    }

    /// Filters the next bytes, and returns their number. `checked` is the offset of the first unchecked byte; trailing commas are
    /// added to `blanked`.
    ///
    /// # Errors
    ///
    /// A byte cannot continue a comment: the kind of the error and the number of unchecked bytes before it.
    pub(crate) fn fill(
        &mut self,
        kernel: Kernel,
        bytes: &[u8],
        checked: u64,
        has_source: bool,
        blanked: &mut Vec<Blanked>,
    ) -> Result<usize, (ErrorKind, usize)> {
        let from = self.bytes.len();
        let room = match AT_ONCE.saturating_sub(from) {
            0..BLOCK => AT_ONCE,
            room => room,
        };
        let taken = bytes.len().min(room);
        // A sink that begins to request comments receives those from here on.
        if has_source && !self.has_source {
            self.source.clone_from(&self.bytes);
        }
        self.has_source = has_source;
        self.bytes.extend_from_slice(&bytes[..taken]);
        if has_source {
            self.source.extend_from_slice(&bytes[..taken]);
        }
        self.trailing.clear();
        let filtered = self
            .filter
            .run(kernel, &mut self.bytes, from, &mut self.trailing);
        // After the first byte, if that is a comma with a long gap, all offsets are larger by the gap.
        let offset = |at: usize| checked + at as u64 + if at > 0 { self.gap } else { 0 };
        blanked.extend(self.trailing.iter().map(|found| Blanked {
            comma: offset(found.comma),
            close: offset(found.close),
        }));
        filtered.map(|()| taken)
    }

    /// The number of unchecked bytes that are final.
    pub(crate) fn settled(&self) -> usize {
        self.filter.pending().unwrap_or(self.bytes.len())
    }

    /// Removes the bytes from `at` on.
    pub(crate) fn truncate(&mut self, at: usize) {
        self.bytes.truncate(at);
        self.source.truncate(at);
    }

    /// Removes checked bytes. Returns the number of blank bytes that had been removed after the first of them.
    pub(crate) fn drain(&mut self, bytes: usize) -> u64 {
        self.bytes.drain(..bytes);
        if self.has_source {
            self.source.drain(..bytes);
        }
        self.filter.drained(bytes);
        match bytes {
            0 => 0,
            _ => std::mem::take(&mut self.gap),
        }
    }

    /// The position of a comma with a gap too long to buffer.
    pub(crate) fn long_gap(&self) -> Option<usize> {
        let comma = self.filter.pending()?;
        (!self.has_source && self.bytes.len() - comma > LONG_GAP).then_some(comma)
    }

    /// Replaces the bytes after the first one, which is a comma, by their number.
    pub(crate) fn shorten(&mut self) {
        self.gap += self.bytes.len() as u64 - 1;
        self.bytes.truncate(1);
    }

    /// Whether the first byte is a comma with a long gap after it.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap > 0
    }

    /// Whether the text may end here.
    pub(crate) fn may_end(&self) -> bool {
        self.filter.may_end()
    }
}
