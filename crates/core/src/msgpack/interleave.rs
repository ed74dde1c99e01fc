//! A value whose lengths are not known until its containers close.

use super::{Growing, WriteError, Writer};
use crate::format::Output;

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
}

#[derive(Clone, Copy, Debug)]
struct Header {
    /// Where it goes in the contents.
    at: usize,
    length: u32,
    is_map: bool,
}

impl Interleave {
    pub(super) fn new() -> Self {
        Interleave {
            contents: Writer::growing(),
            headers: Vec::new(),
            open: Vec::new(),
        }
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
            at: self.contents.as_bytes().len(),
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

    /// Writes the complete value.
    pub(super) fn write<O: Output>(&mut self, output: &mut O) -> Result<(), O::Error> {
        let contents = self.contents.as_bytes();
        let mut from = 0;
        // Headers are short: they are gathered with the contents between them.
        let mut gathered = [0; GATHERED];
        let mut length = 0;
        for header in &self.headers {
            let run = &contents[from..header.at];
            from = header.at;
            if length + run.len() + LONGEST_HEADER > GATHERED {
                output.write(&gathered[..length])?;
                length = 0;
            }
            if run.len() > GATHERED - LONGEST_HEADER {
                output.write(run)?;
            } else {
                gathered[length..length + run.len()].copy_from_slice(run);
                length += run.len();
            }
            let mut writer = Writer::new(&mut gathered[length..]);
            let written = match header.is_map {
                true => writer.map(header.length),
                false => writer.array(header.length),
            };
            debug_assert!(written.is_ok(), "there is room for a header");
            length += writer.written().len();
        }
        output.write(&gathered[..length])?;
        output.write(&contents[from..])?;
        self.contents.clear();
        self.headers.clear();
        Ok(())
    }
}

/// Bytes that are gathered before they are written.
const GATHERED: usize = 4096;

/// A length in five bytes.
const LONGEST_HEADER: usize = 5;
