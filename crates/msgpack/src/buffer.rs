//! A buffer that grows.

/// Bytes, of which those after `length` are arbitrary.
#[derive(Debug, Default)]
pub(super) struct Growing {
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
}

impl Growing {
    /// The bytes written.
    #[inline]
    pub(super) fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// At least `count` free bytes.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < count {
            self.grow(count);
        }
        &mut self.bytes[self.length..]
    }

    /// Marks `count` free bytes as written.
    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.length += count;
    }

    /// Appends bytes.
    #[inline]
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Doubles until `count` more bytes fit.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let length = self.length + count;
        let length = length.max(2 * self.bytes.len()).max(64);
        self.bytes.resize(length, 0);
    }
}
