//! Where the matches of a file go: to standard output, or into memory until the turn of the file comes.

use std::fmt;
use std::io::{self, Write};

use crate::check::Failure;
use crate::diagnostics::FileReport;
use crate::session::Session;

/// Bytes of output for a file that are held in memory until the file is known to be valid, or its turn comes.
const HELD: usize = 4 << 20;

/// The rest of an input is not needed.
#[derive(Debug)]
struct Enough;

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rest is not needed")
    }
}

impl std::error::Error for Enough {}

/// Ends the work on an input.
pub fn enough() -> Failure {
    Failure::Read(io::Error::other(Enough))
}

/// Whether the work on an input ended because the rest is not needed.
pub fn is_enough(failure: &Failure) -> bool {
    let Failure::Read(error) = failure else {
        return false;
    };
    error.get_ref().is_some_and(|inner| inner.is::<Enough>())
}

/// The output for a file.
pub struct Target<'s> {
    /// `None`: it is not the turn of the file.
    session: Option<&'s mut Session>,
    most: usize,
    held: Vec<u8>,
    reports: Vec<FileReport>,
    is_printed: bool,
    is_full: bool,
}

impl<'s> Target<'s> {
    pub fn new(session: Option<&'s mut Session>) -> Target<'s> {
        Target {
            session,
            most: HELD,
            held: Vec::new(),
            reports: Vec::new(),
            is_printed: false,
            is_full: false,
        }
    }

    /// Whether it is the turn of the file.
    pub fn is_in_turn(&self) -> bool {
        self.session.is_some()
    }

    /// Takes the output for an input that can be read only once: printed as it comes, or all of it held.
    pub fn set_streaming(&mut self) {
        self.most = match self.session {
            Some(_) => 0,
            None => usize::MAX,
        };
    }

    /// Whether there is too much output to hold, and the file is to be searched again in its turn.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Takes lines.
    ///
    /// # Errors
    /// They cannot be written; or there is too much, and the work ends.
    pub fn write(&mut self, lines: &[u8]) -> Result<(), Failure> {
        self.held.extend_from_slice(lines);
        if self.held.len() <= self.most {
            return Ok(());
        }
        let Some(session) = &mut self.session else {
            self.is_full = true;
            return Err(enough());
        };
        self.is_printed = true;
        let written = session.out.write_all(&self.held);
        self.held.clear();
        written.map_err(Failure::Write)
    }

    /// Drops all lines, as the work on the input begins again. Returns false if some have been printed.
    pub fn restart(&mut self) -> bool {
        self.held.clear();
        !self.is_printed
    }

    /// Passes on what was printed, because more may take long to arrive.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.session {
            Some(session) => session.out.flush().map_err(Failure::Write),
            None => Ok(()),
        }
    }

    /// Takes the report on records.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn report(&mut self, report: FileReport) -> io::Result<()> {
        match &mut self.session {
            Some(session) => session.print_report(report),
            None => {
                self.reports.push(report);
                Ok(())
            }
        }
    }

    /// Ends the output, without what is held of an invalid file. Returns what is to be printed, and whether anything was printed before.
    pub fn end(self, is_valid: bool) -> (Vec<u8>, Vec<FileReport>, bool) {
        let held = if is_valid { self.held } else { Vec::new() };
        (held, self.reports, self.is_printed)
    }
}
