//! JSON Lines into a type.

use core::marker::PhantomData;
use std::io::{self, BufRead};

use serde_core::de::DeserializeOwned;

use super::ReadError;

/// The values of JSON Lines, one after another: see [`lines`].
///
/// ```
/// let mut lines = jsonx_core::lines::<u8>(&b"1\n\n2\n"[..]);
/// assert_eq!(lines.next().unwrap()?, 1);
/// assert_eq!(lines.next().unwrap()?, 2);
/// assert_eq!(lines.line(), 3);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<T, R> {
    reader: R,
    text: Vec<u8>,
    line: u64,
    value: PhantomData<T>,
}

/// Reads JSON Lines: a value from each line that is not blank. An error in one line does not keep the others from being
/// read. Costs memory for the longest line.
///
/// ```
/// let text = "{\"id\": 1}\n{\"id\": \n{\"id\": 3}\n";
/// let records = jsonx_core::lines::<std::collections::BTreeMap<String, u32>>(text.as_bytes());
/// let valid: Vec<u32> = records.filter_map(Result::ok).map(|record| record["id"]).collect();
/// assert_eq!(valid, [1, 3]);
/// ```
pub fn lines<T: DeserializeOwned>(reader: impl BufRead) -> Lines<T, impl BufRead> {
    Lines {
        reader,
        text: Vec::new(),
        line: 0,
        value: PhantomData,
    }
}

impl<T, R> Lines<T, R> {
    /// The number of the line that was read last, from 1.
    ///
    /// ```
    /// let mut lines = jsonx_core::lines::<bool>(&b"true\nfals\n"[..]);
    /// let _ = (lines.next(), lines.next());
    /// assert_eq!(lines.line(), 2);
    /// ```
    pub fn line(&self) -> u64 {
        self.line
    }
}

impl<T: DeserializeOwned, R: BufRead> Iterator for Lines<T, R> {
    /// An error of the reader, or one of the line, of kind `InvalidData`, which wraps a [`ReadError`].
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<io::Result<T>> {
        loop {
            self.text.clear();
            match self.reader.read_until(b'\n', &mut self.text) {
                Ok(0) => return None,
                Ok(_) => self.line += 1,
                Err(error) => return Some(Err(error)),
            }
            if self.text.trim_ascii().is_empty() {
                continue;
            }
            let invalid = |error: ReadError| io::Error::new(io::ErrorKind::InvalidData, error);
            return Some(super::from_slice(&self.text).map_err(invalid));
        }
    }
}
