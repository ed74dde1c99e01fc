//! Assembles a value whose lengths are unknown until its containers close.

use core::fmt;
use std::io::{self, SeekFrom};

use super::{EncodeError, Growing, WriteError, Writer};
use crate::format::Output;

/// A temporary file or other storage for the contents of a value that is too large for memory: see
/// [`Encoder::spool`](super::Encoder::spool).
///
/// ```
/// use std::io::Cursor;
///
/// use jsonx_core::msgpack::{EncodeOptions, Encoder};
///
/// let encoder = Encoder::new(EncodeOptions::default(), Vec::new()).spool(1 << 20, Box::new(Cursor::new(Vec::new())));
/// assert_eq!(encoder.finish().unwrap(), b"");
/// ```
pub trait Spool: io::Read + io::Write + io::Seek + fmt::Debug {}

impl<T: io::Read + io::Write + io::Seek + fmt::Debug> Spool for T {}

/// Collects the contents of a value apart from the headers of its containers, and joins the two when it is complete.
///
/// ```text
/// {"a":[1,2]}     contents   ^ a1 61 ^ 01 02
///                 headers    │       └ array, 2
///                            └ map, 1
/// ```
#[derive(Debug)]
pub(super) struct Interleave {
    pub(super) contents: Writer<Growing>,
    headers: Vec<Header>,
    /// The numbers of the headers whose containers are open.
    open: Vec<usize>,
    /// The spool for contents beyond a length, and the number of bytes of this value already in it.
    pub(super) spool: Option<(usize, Box<dyn Spool>)>,
    spooled: u64,
}

#[derive(Clone, Copy, Debug)]
struct Header {
    /// Its position in the contents.
    at: u64,
    length: u32,
    is_map: bool,
}

impl Interleave {
    pub(super) fn new() -> Self {
        Interleave {
            contents: Writer::growing(),
            headers: Vec::new(),
            open: Vec::new(),
            spool: None,
            spooled: 0,
        }
    }

    /// Moves the contents to the spool if they have reached its limit.
    #[inline]
    pub(super) fn limit_memory<E>(&mut self) -> Result<(), EncodeError<E>> {
        match &self.spool {
            Some((limit, _)) if self.contents.as_bytes().len() >= *limit => self.move_to_spool(),
            _ => Ok(()),
        }
    }

    #[cold]
    fn move_to_spool<E>(&mut self) -> Result<(), EncodeError<E>> {
        let Some((_, spool)) = &mut self.spool else {
            return Ok(());
        };
        let contents = self.contents.as_bytes();
        let begun = match self.spooled {
            0 => spool.seek(SeekFrom::Start(0)).map(drop),
            _ => Ok(()),
        };
        let written = begun.and_then(|()| spool.write_all(contents));
        written.map_err(|error| EncodeError::Spool(error.kind()))?;
        self.spooled += contents.len() as u64;
        self.contents.clear();
        Ok(())
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn open(&mut self, is_map: bool) -> Result<(), WriteError> {
        let memory = |_| WriteError::OutOfMemory;
        self.headers.try_reserve(1).map_err(memory)?;
        self.open.try_reserve(1).map_err(memory)?;
        self.open.push(self.headers.len());
        self.headers.push(Header {
            at: self.spooled + self.contents.as_bytes().len() as u64,
            length: 0,
            is_map,
        });
        Ok(())
    }

    /// A comma in the innermost container.
    pub(super) fn comma(&mut self) -> Result<(), WriteError> {
        if let Some(&last) = self.open.last() {
            let length = &mut self.headers[last].length;
            *length = length.checked_add(1).ok_or(WriteError::TooLong)?;
        }
        Ok(())
    }

    /// Closes the innermost container.
    pub(super) fn close(&mut self, is_empty: bool) -> Result<(), WriteError> {
        if !is_empty {
            // One more value than commas.
            self.comma()?;
        }
        self.open.pop();
        Ok(())
    }

    /// Writes the complete value to a buffered output: contents and headers are short.
    pub(super) fn write<O: Output>(&mut self, output: &mut O) -> Result<(), EncodeError<O::Error>> {
        let mut contents = Contents {
            memory: self.contents.as_bytes(),
            spool: None,
            copied: Vec::new(),
        };
        if self.spooled > 0
            && let Some((_, spool)) = &mut self.spool
        {
            let begun = spool.seek(SeekFrom::Start(0));
            begun.map_err(|error| EncodeError::Spool(error.kind()))?;
            contents.spool = Some((self.spooled, &mut **spool));
        }
        let mut from = 0;
        for header in &self.headers {
            contents.copy(header.at - from, output)?;
            from = header.at;
            let mut room = [0; LONGEST_HEADER];
            let mut writer = Writer::new(&mut room);
            let written = if header.is_map {
                writer.map(header.length)
            } else {
                writer.array(header.length)
            };
            debug_assert!(written.is_ok(), "there is room for a header");
            let written = output.write(writer.written());
            written.map_err(EncodeError::Output)?;
        }
        let rest = self.spooled + self.contents.as_bytes().len() as u64 - from;
        contents.copy(rest, output)?;
        self.contents.clear();
        self.headers.clear();
        self.spooled = 0;
        Ok(())
    }
}

/// The contents of a value from their start: first those in the spool, then those in memory.
struct Contents<'a> {
    spool: Option<(u64, &'a mut dyn Spool)>,
    memory: &'a [u8],
    /// The buffer for contents of the spool.
    copied: Vec<u8>,
}

impl Contents<'_> {
    /// Copies the next `length` bytes.
    fn copy<O: Output>(
        &mut self,
        mut length: u64,
        output: &mut O,
    ) -> Result<(), EncodeError<O::Error>> {
        while let Some((left, spool)) = &mut self.spool {
            let count = length.min(*left).min(COPIED as u64);
            if count == 0 {
                break;
            }
            self.copied.resize(count as usize, 0);
            let read = spool.read_exact(&mut self.copied);
            read.map_err(|error| EncodeError::Spool(error.kind()))?;
            output.write(&self.copied).map_err(EncodeError::Output)?;
            length -= count;
            *left -= count;
        }
        // A length in memory fits in `usize`.
        let (run, rest) = self.memory.split_at(length as usize);
        self.memory = rest;
        output.write(run).map_err(EncodeError::Output)
    }
}

/// Number of bytes copied from the spool at a time.
const COPIED: usize = 64 << 10;

/// A header with a 32-bit length.
const LONGEST_HEADER: usize = 5;
