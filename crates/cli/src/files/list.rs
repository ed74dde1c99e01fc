//! Lists of file names: one per line, or each followed by a NUL byte.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::Problem;
use crate::input::Name;
use crate::system;

/// Longer than any file name. A file that is not a list may be one endless line.
const MAX_NAME: u64 = 64 << 10;

/// The names in one list, read lazily.
pub struct List<'a> {
    path: &'a Path,
    /// The terminator of names.
    end: u8,
    source: Source,
}

enum Source {
    Closed,
    Open(Box<dyn BufRead>),
    Ended,
}

impl<'a> List<'a> {
    /// The list in `path`, `-` for standard input, whose names each end with this byte.
    pub fn new(path: &'a Path, end: u8) -> List<'a> {
        List {
            path,
            end,
            source: Source::Closed,
        }
    }

    fn open(&self) -> io::Result<Box<dyn BufRead>> {
        Ok(match self.path.as_os_str() == "-" {
            true => Box::new(BufReader::new(io::stdin())),
            false => Box::new(BufReader::new(File::open(self.path)?)),
        })
    }

    /// The next name that is not empty.
    fn read(&mut self) -> io::Result<Option<PathBuf>> {
        if let Source::Closed = self.source {
            self.source = Source::Open(self.open()?);
        }
        let Source::Open(source) = &mut self.source else {
            return Ok(None);
        };
        let mut name = Vec::new();
        loop {
            name.clear();
            if source.take(MAX_NAME).read_until(self.end, &mut name)? == 0 {
                return Ok(None);
            }
            if name.last() == Some(&self.end) {
                name.pop();
            } else if name.len() as u64 == MAX_NAME {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    "not a list of file names: a name is longer than 64 KiB",
                ));
            }
            if self.end == b'\n' && name.last() == Some(&b'\r') {
                name.pop();
            }
            if !name.is_empty() {
                return Ok(Some(system::file_name(name)?.into()));
            }
        }
    }
}

impl Iterator for List<'_> {
    type Item = Result<PathBuf, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.read() {
            Ok(Some(path)) if path.as_os_str() == "-" && self.path.as_os_str() == "-" => {
                let error = "standard input is the list, and cannot be in it";
                Some(Err(Problem::Unreadable {
                    name: Name::Stdin,
                    error: io::Error::new(ErrorKind::InvalidInput, error),
                }))
            }
            Ok(Some(path)) => Some(Ok(path)),
            Ok(None) => {
                self.source = Source::Ended;
                None
            }
            Err(error) => {
                self.source = Source::Ended;
                Some(Err(Problem::unreadable(self.path, error)))
            }
        }
    }
}
