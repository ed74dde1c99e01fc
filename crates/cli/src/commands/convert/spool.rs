//! Temporary files for values that do not fit in memory. They have no name, so none is left behind.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A file that is created when the first byte is written.
#[derive(Debug, Default)]
pub struct LazyFile(Option<File>);

impl LazyFile {
    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.0 {
            Some(file) => Ok(file),
            none => Ok(none.insert(tempfile::tempfile()?)),
        }
    }
}

impl Read for LazyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file()?.read(buffer)
    }
}

impl Write for LazyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for LazyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file()?.seek(to)
    }
}

/// An error of a temporary file, with a message.
pub fn failed(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file: {error}"))
}
