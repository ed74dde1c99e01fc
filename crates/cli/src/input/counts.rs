//! Counts files and bytes read, for the progress bar.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes that this process has read so far.
pub static READ: Counts = Counts {
    files: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
};

/// Files and bytes.
pub struct Counts {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Counts {
    /// Counts a file that was opened.
    pub(super) fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts bytes that were read.
    pub(super) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Files that were opened.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Bytes that were read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
