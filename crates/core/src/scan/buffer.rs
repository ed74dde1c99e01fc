//! The buffer of a stream.

use core::ops::{Deref, DerefMut};

/// Bytes in a page of memory.
const PAGE: usize = 4096;

/// A buffer that is page-aligned if it is longer than a page.
///
/// Compressing stores 64 bytes at any alignment, and a store across a page boundary takes some 25 cycles. The data of most
/// streams is shorter than a page, so an aligned buffer has no such stores. When the allocator placed the streams of numbers and
/// of kinds close to a boundary, `github_events` took 1.2 of the time (AVX-512).
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Box<[u8]>,
    start: usize,
    /// Its length, without the slack from alignment, which the other buffers of a chunk do not have.
    length: usize,
}

impl Buffer {
    /// `length` zeros.
    pub(super) fn new(length: usize) -> Buffer {
        if length <= PAGE {
            return Buffer {
                bytes: vec![0; length].into(),
                start: 0,
                length,
            };
        }
        let bytes = vec![0; length + PAGE].into_boxed_slice();
        let start = bytes.as_ptr().align_offset(PAGE).min(PAGE);
        Buffer {
            bytes,
            start,
            length,
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.length]
    }
}

impl DerefMut for Buffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_buffers_begin_at_a_page() {
        for length in [0, 1, 64, PAGE, PAGE + 1, 2 * PAGE + 64] {
            let buffer = Buffer::new(length);
            assert_eq!(buffer.len(), length);
            assert!(length <= PAGE || buffer.as_ptr().addr().is_multiple_of(PAGE));
        }
    }
}
