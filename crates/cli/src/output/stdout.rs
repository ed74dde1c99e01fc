//! Standard output in large writes.
//!
//! The standard library's handle writes at every newline and swallows some errors (`EBADF`). This one buffers bytes, writes
//! them in one call, and returns every error, and again from each later call: one caller that drops it does not lose it.

use std::io::{self, IsTerminal, Write};

use super::Table;
use crate::bar;
use crate::messages;
use crate::system;

/// Bytes gathered before they are written. A pipe takes 64 KiB at once.
const CAPACITY: usize = 64 * 1024;

/// Standard output. Nothing is written on drop: the caller calls [`Stdout::flush`].
pub struct Stdout {
    out: system::Output,
    pending: Vec<u8>,
    terminal: bool,
    /// It is a regular file. Whoever reads anything else may print to the terminal, where the progress bar would be in the way.
    is_file: bool,
    /// What is printed are the rows of this table.
    table: Option<Table>,
    /// The first error.
    failed: Option<io::Error>,
}

impl Stdout {
    /// Takes a second handle on standard output.
    ///
    /// # Errors
    /// No file descriptor is available.
    pub fn new() -> io::Result<Stdout> {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Ok(Stdout {
            out: system::Output::new()?,
            pending: Vec::new(),
            terminal,
            is_file: system::stdout()
                .and_then(|out| out.metadata())
                .is_ok_and(|about| about.is_file()),
            table: None,
            failed: None,
        })
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether it is stored rather than read by a program or a person as it arrives.
    pub fn is_file(&self) -> bool {
        self.is_file
    }

    /// Aligns what is printed from now on: rows whose cells are separated by tabs.
    pub fn begin_table(&mut self, table: Table) {
        self.table = Some(table);
    }

    /// The first row of the table is a header.
    pub fn note_header(&mut self) {
        if let Some(table) = &mut self.table {
            table.has_header = true;
        }
    }

    /// Prints what a table holds.
    ///
    /// # Errors
    /// Those of the system.
    pub fn end_table(&mut self) -> io::Result<()> {
        match self.table.take() {
            Some(table) => self.push(&table.end()),
            None => Ok(()),
        }
    }

    /// Writes the buffered text.
    ///
    /// # Errors
    /// Errors of the system; nothing is written after one.
    pub fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let written = self.write_all(&pending);
        self.pending = pending;
        self.pending.clear();
        written
    }

    /// Writes bytes to the system.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(error) = &self.failed {
            return Err(again(error));
        }
        if !self.is_file && !bytes.is_empty() {
            bar::end();
        }
        let wait = || system::wait_writable(&io::stdout());
        let written = system::write_all(&mut self.out, bytes, wait, messages::after_output);
        self.failed = written.as_ref().err().map(again);
        written
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.table {
            Some(table) => {
                let aligned = table.push(bytes);
                self.gather(&aligned)
            }
            None => self.gather(bytes),
        }
    }

    fn gather(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() >= CAPACITY - self.pending.len() {
            self.flush()?;
            // A large block goes straight to the system: copying it first would gain nothing.
            if bytes.len() >= CAPACITY {
                return self.write_all(bytes);
            }
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }
}

impl jsonx_core::format::Output for Stdout {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.push(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Stdout::flush(self)
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

/// The same error of the system.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}
