//! Standard output in large writes.
//!
//! The standard library's handle breaks its output at every newline and swallows some errors (`EBADF`); this one
//! does neither: bytes are gathered, written in one call, and every failure reaches the caller.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};

use crate::system;

/// Bytes that are gathered before they are written. A pipe takes 64 KiB at once.
const CAPACITY: usize = 64 * 1024;

/// Standard output, unbuffered by anybody else. Nothing is written on drop: [`Stdout::flush`] is the caller's part.
pub struct Stdout {
    file: File,
    pending: Vec<u8>,
    terminal: bool,
}

impl Stdout {
    /// Takes a second handle on standard output.
    ///
    /// # Errors
    /// The system has no descriptor left.
    pub fn new() -> io::Result<Stdout> {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Ok(Stdout {
            file: system::stdout()?,
            pending: Vec::new(),
            terminal,
        })
    }

    /// Whether a person is looking.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Writes what was gathered.
    ///
    /// # Errors
    /// Those of the system; what was gathered is then dropped, so that a second call cannot write it twice.
    pub fn flush(&mut self) -> io::Result<()> {
        let written = write_all(&mut self.file, &self.pending);
        self.pending.clear();
        written
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= CAPACITY - self.pending.len() {
            self.flush()?;
            // A large piece goes straight to the system: copying it first would gain nothing.
            if bytes.len() >= CAPACITY {
                return write_all(&mut self.file, bytes);
            }
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }
}

impl jsonx_core::Output for &mut Stdout {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.push(bytes)
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Stdout::flush(self)
    }
}

/// `Write::write_all` that also waits where the reader's end was made non-blocking (node does this to terminals
/// and pipes it shares with us).
fn write_all(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => system::wait_writable(file)?,
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
