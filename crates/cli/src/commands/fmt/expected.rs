//! An output that compares formatted text with the original.

use std::convert::Infallible;

use jsonx_core::format::Output;

/// An output that compares the written bytes with the expected ones. The formatter never writes ahead of its input, so
/// this holds only the bytes that the formatter has not written yet.
#[derive(Default)]
pub struct Expected {
    bytes: Vec<u8>,
    /// Number of expected bytes written so far.
    seen: usize,
    differs: bool,
}

impl Expected {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.seen..]
    }

    /// Whether the written bytes differ.
    pub fn differs(&self) -> bool {
        self.differs
    }

    /// Whether all expected bytes were written.
    pub fn is_equal(&self) -> bool {
        !self.differs && self.rest().is_empty()
    }

    /// Adds expected bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.differs {
            return;
        }
        // Only when fewer bytes are moved than removed.
        if self.seen > self.bytes.len() / 2 {
            self.bytes.drain(..self.seen);
            self.seen = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }
}

impl Output for Expected {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        if !self.differs && self.rest().starts_with(bytes) {
            self.seen += bytes.len();
        } else {
            self.differs = true;
            self.bytes = Vec::new();
            self.seen = 0;
        }
        Ok(())
    }
}
