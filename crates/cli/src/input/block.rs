//! A block: text of a stream that is processed by one thread.

/// A block of a stream.
pub struct Block {
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
    /// Offset in the input.
    pub(super) offset: u64,
}

impl Block {
    /// Offset in the input.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn end(&self) -> u64 {
        self.offset + self.length as u64
    }
}

impl AsRef<[u8]> for Block {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}
