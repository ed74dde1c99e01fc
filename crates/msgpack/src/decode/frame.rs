//! Open containers.

/// An open container in a word: the number of remaining values, keys included, and the lowest bit for a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame(u64);

impl Frame {
    pub(super) fn new(length: u32, is_map: bool) -> Frame {
        Frame(u64::from(length) << (1 + u32::from(is_map)) | u64::from(is_map))
    }

    pub(super) fn is_map(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn expects_key(self) -> bool {
        self.0 & 3 == 1
    }

    /// The number of remaining values, including the current one.
    pub(super) fn left(self) -> u64 {
        self.0 >> 1
    }

    /// Counts a value. Returns whether it was the last one.
    pub(super) fn end_value(&mut self) -> bool {
        self.0 -= 2;
        self.0 < 2
    }
}
