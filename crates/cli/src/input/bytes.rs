//! The source of a reader's bytes.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::encoded::Decoded;
use crate::system;

/// The bytes of an input, from front to back.
pub enum Bytes {
    File(Arc<File>),
    Decoded(Decoded),
}

impl Bytes {
    /// Whether a read returns at once, as far as is known.
    pub fn are_ready(&self) -> bool {
        match self {
            Bytes::File(file) => system::wait_readable(file, Some(Instant::now())).is_ok(),
            Bytes::Decoded(_) => false,
        }
    }

    /// Reads once; 0 at the end.
    ///
    /// # Errors
    /// `TimedOut` if nothing arrives before `until`, where the system supports it; other errors of the system.
    pub fn read(&mut self, buffer: &mut [u8], until: Option<Instant>) -> io::Result<usize> {
        match self {
            Bytes::File(file) => system::read(file, buffer, until),
            Bytes::Decoded(text) => text.read(buffer, until),
        }
    }
}
