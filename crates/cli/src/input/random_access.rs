//! Reads of a file at any offset by any thread, without a shared position.

use std::fs::File;
use std::io::{self, ErrorKind};

use super::READ;
use super::map::MappedRange;
use super::window::truncated;
use crate::system;

/// A regular file whose offset 0 is at `origin`.
#[derive(Clone, Copy)]
pub struct RandomAccess<'a> {
    pub(super) file: &'a File,
    pub(super) origin: u64,
}

impl RandomAccess<'_> {
    /// Reads from `offset` on, until the buffer is full or the file has ended.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn fill(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let filled = fill(self.file, buffer, self.origin + offset)?;
        READ.add_bytes(filled as u64);
        Ok(filled)
    }

    /// Like [`RandomAccess::fill`], for bytes that will be read again.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn peek(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        fill(self.file, bytes, self.origin + offset)
    }

    /// Length of the input in bytes, queried from the system.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len().saturating_sub(self.origin))
    }
}

/// A range of a file, mapped if possible, because copying takes as long as checking.
pub enum FileText {
    Mapped(MappedRange),
    Read(Vec<u8>),
}

impl AsRef<[u8]> for FileText {
    fn as_ref(&self) -> &[u8] {
        match self {
            FileText::Mapped(part) => part.bytes(),
            FileText::Read(bytes) => bytes,
        }
    }
}

impl RandomAccess<'_> {
    /// At most `length` bytes at `offset`, fewer at the end of the file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn text(&self, offset: u64, length: usize) -> io::Result<FileText> {
        if let Some(part) = MappedRange::new(self.file, self.origin + offset, length as u64) {
            READ.add_bytes(part.bytes().len() as u64);
            return Ok(FileText::Mapped(part));
        }
        let mut bytes = vec![0; length];
        let filled = self.fill(&mut bytes, offset)?;
        bytes.truncate(filled);
        Ok(FileText::Read(bytes))
    }

    /// Checks that the text still matches the file. Call it before using any result.
    ///
    /// # Errors
    /// `UnexpectedEof` for a file that has become shorter; errors of the system.
    pub fn verify(&self, text: &FileText) -> io::Result<()> {
        match text {
            FileText::Mapped(part) if part.was_cut(self.file)? => Err(truncated()),
            _ => Ok(()),
        }
    }
}

/// Reads from `from` on, until the buffer is full or the file has ended, without counting what was read.
///
/// # Errors
/// Errors of the system.
pub(super) fn fill(file: &File, buffer: &mut [u8], from: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_at(file, &mut buffer[filled..], from + filled as u64)? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

/// Reads once at an offset of a file.
///
/// # Errors
/// Errors of the system.
pub(super) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        match system::read_at(file, buffer, at) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
