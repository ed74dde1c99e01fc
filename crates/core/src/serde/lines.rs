//! Reads JSON Lines into a type.

use core::marker::PhantomData;
use std::io::{self, BufRead};

use serde_core::de::{Deserialize, DeserializeOwned};

use super::records::{Lined, Records};
use crate::error::Error;
use crate::kernel::{Kernel, into_string};

/// Maximum number of bytes of lines read at a time.
const READ: usize = 64 << 10;

/// The values of JSON Lines, one after another: see [`lines`].
///
/// ```
/// let mut lines = jsonx_core::lines::<u8, _>(&b"1\n\n2\n"[..]);
/// assert_eq!(lines.next().unwrap()?, 1);
/// assert_eq!(lines.next().unwrap()?, 2);
/// assert_eq!(lines.line(), 3);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<T, R> {
    reader: R,
    /// Whole lines; as bytes, if they are not UTF-8.
    text: Result<String, Vec<u8>>,
    /// The start of a line, before the reader paused.
    unfinished: Vec<u8>,
    /// The reader has failed.
    is_over: bool,
    records: Records,
    value: PhantomData<T>,
}

/// Reads JSON Lines: a value from each line that is not blank. After an error in one line, reading continues with the next.
/// Needs memory for up to 64 KiB of the reader's buffer, or for the longest line.
///
/// Lines in the reader's buffer are checked together; more are requested only after these have been read, so a line is returned
/// as soon as it arrives.
///
/// An error of the reader comes after the lines before it, and is the last item; only after an error of the kind `WouldBlock`
/// or `TimedOut` the next call reads on, in the middle of a line if the reader paused there. A line that is incomplete when the
/// reader fails is not read.
///
/// ```
/// let text = "{\"id\": 1}\n{\"id\": \n{\"id\": 3}\n";
/// let records = jsonx_core::lines::<std::collections::BTreeMap<String, u32>, _>(text.as_bytes());
/// let valid: Vec<u32> = records.filter_map(Result::ok).map(|record| record["id"]).collect();
/// assert_eq!(valid, [1, 3]);
/// ```
pub fn lines<T: DeserializeOwned, R: BufRead>(reader: R) -> Lines<T, R> {
    Lines {
        reader,
        text: Ok(String::new()),
        unfinished: Vec::new(),
        is_over: false,
        records: Records::default(),
        value: PhantomData,
    }
}

impl<T, R> Lines<T, R> {
    /// The number of the last line read, counted from 1.
    ///
    /// ```
    /// let mut lines = jsonx_core::lines::<bool, _>(&b"true\nfals\n"[..]);
    /// let _ = (lines.next(), lines.next());
    /// assert_eq!(lines.line(), 2);
    /// ```
    pub fn line(&self) -> u64 {
        self.records.line
    }
}

impl<T, R: BufRead> Lines<T, R> {
    /// Reads some whole lines, or the rest of one. Returns whether there are any.
    fn read_more(&mut self) -> io::Result<bool> {
        let text = core::mem::replace(&mut self.text, Err(Vec::new()));
        let mut text = text.map_or_else(|bytes| bytes, String::into_bytes);
        text.clear();
        if !self.unfinished.is_empty() {
            text = core::mem::take(&mut self.unfinished);
        }
        let read = self.read_into(&mut text);
        if let Err(error) = &read {
            self.unfinished = core::mem::take(&mut text);
            self.is_over = !is_pause(error);
        }
        self.text = into_string(Kernel::for_text(text.len()), text);
        self.records.renew(self.text.is_ok());
        read
    }

    fn read_into(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let available = loop {
            match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        let available = &available[..available.len().min(READ)];
        if let Some(last) = memchr::memrchr(b'\n', available) {
            text.extend_from_slice(&available[..=last]);
            self.reader.consume(last + 1);
            return Ok(true);
        }
        self.reader.read_until(b'\n', text)?;
        Ok(!text.is_empty())
    }
}

impl<T: DeserializeOwned, R: BufRead> Iterator for Lines<T, R> {
    /// The offset of an error counts from the start of its line.
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            let text = match &self.text {
                Ok(text) => Lined::Str(text),
                Err(bytes) => Lined::Bytes(bytes),
            };
            if let Some(read) = self.records.next(text, &mut "") {
                return Some(read);
            }
            if self.is_over {
                return None;
            }
            match self.read_more() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

/// Whether the reader only paused.
pub(super) fn is_pause(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// The values of JSON Lines in memory, one after another: see [`lines_in`].
///
/// ```
/// let mut lines = jsonx_core::lines_in::<&str>(b"\"one\"\n\n\"two\"\n");
/// assert_eq!(lines.next().unwrap()?, "one");
/// assert_eq!(lines.next().unwrap()?, "two");
/// assert_eq!(lines.line(), 3);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct LinesIn<'de, T> {
    text: &'de [u8],
    /// A part of the text, from some line on, that is known to be UTF-8.
    known: &'de str,
    records: Records,
    value: PhantomData<T>,
}

/// As [`lines`], for a text in memory: strings without escapes can be borrowed from it, and nothing is copied.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Level<'a> {
///     price: &'a str,
/// }
///
/// let text = b"{\"price\": \"1.50\"}\n{\"price\": 2}\n{\"price\": \"3\"}\n";
/// let levels: Vec<_> = jsonx_core::lines_in::<Level>(text).collect();
/// assert_eq!(levels[0].as_ref().unwrap().price, "1.50");
/// assert_eq!(levels[1].as_ref().err().unwrap().offset(), Some(28));
/// assert_eq!(levels[2].as_ref().unwrap().price, "3");
/// ```
pub fn lines_in<'de, T: Deserialize<'de>>(text: &'de [u8]) -> LinesIn<'de, T> {
    LinesIn {
        text,
        known: "",
        records: Records::default(),
        value: PhantomData,
    }
}

impl<T> LinesIn<'_, T> {
    /// The number of the last line read, counted from 1.
    ///
    /// ```
    /// let mut lines = jsonx_core::lines_in::<bool>(b"true\nfals\n");
    /// let _ = (lines.next(), lines.next());
    /// assert_eq!(lines.line(), 2);
    /// ```
    pub fn line(&self) -> u64 {
        self.records.line
    }
}

impl<'de, T: Deserialize<'de>> Iterator for LinesIn<'de, T> {
    /// The offset of an error counts from the start of the text.
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        let read = self
            .records
            .next(Lined::Bytes(self.text), &mut self.known)?;
        Some(read.map_err(|error| error.moved(self.records.start as u64)))
    }
}
