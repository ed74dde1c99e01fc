//! Reads of a file at any offset by any thread, without a shared position.

use std::fs::File;
use std::io::{self, ErrorKind};

use super::READ;
use crate::system;

/// A regular file whose offset 0 is at `origin`.
#[derive(Clone, Copy)]
pub struct RandomAccess<'a> {
    pub(super) file: &'a File,
    pub(super) origin: u64,
}

impl RandomAccess<'_> {
    /// Reads some bytes that stand at `offset`; none at the end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        loop {
            match system::read_at(self.file, bytes, self.origin + offset) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(length) => {
                    READ.add_bytes(length as u64);
                    return Ok(length);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads what stands at `offset` until the buffer is full or the file has ended.
    ///
    /// # Errors
    /// Those of the system.
    pub fn fill(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let filled = fill(self.file, buffer, self.origin + offset)?;
        READ.add_bytes(filled as u64);
        Ok(filled)
    }

    /// Bytes of the input, as the system says.
    ///
    /// # Errors
    /// Those of the system.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len().saturating_sub(self.origin))
    }
}

/// Reads what stands at `from` until the buffer is full or the file has ended; for who counts himself what was read.
///
/// # Errors
/// Those of the system.
pub(super) fn fill(file: &File, buffer: &mut [u8], from: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match system::read_at(file, &mut buffer[filled..], from + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
