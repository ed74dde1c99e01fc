//! The elements of an array that may be larger than memory.

#[cfg(test)]
mod tests;

use std::io::{self, Read};

use serde_core::de::DeserializeOwned;

use super::incoming::Incoming;
use crate::error::Error;

/// Number of bytes read at a time.
const READ: usize = 64 << 10;

/// The elements of an array, or the values of a stream, one after another: see [`elements`] and [`values`].
///
/// ```
/// let mut rows = jsonx_core::elements::<u8, _>(&b"[1, 2]"[..], "")?;
/// assert_eq!(rows.next().unwrap()?, 1);
/// assert_eq!(rows.next().unwrap()?, 2);
/// assert!(rows.next().is_none());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Elements<T, R> {
    reader: R,
    incoming: Incoming<T>,
}

/// Reads the elements of an array, or the values of an object, into a type, one at a time. Needs memory for the largest
/// element, 8 bytes for each of its brackets, quotes, numbers and literals, and 64 KiB.
///
/// `path` is a JSON Pointer (`/data/rows`, empty for the root), a dot path, or JSONPath. If it selects a single value, the
/// elements of that value are read; if it has a wildcard, slice, filter or descent, and so may select several values, the
/// selected values themselves are read:
///
/// | path | reads |
/// |---|---|
/// | `/data/rows`, `$.data.rows`, `$.data.rows[*]` | each row |
/// | `$.data.rows[?@.price > 998]` | each row with this price |
/// | `$.data.rows[*].price`, `$..price` | each price |
///
/// The text is checked as it is read. An error in it, or of the reader, comes after the elements before it, and is the last
/// item; only after an error of the kind `WouldBlock` or `TimedOut` the next call reads on. An element is returned as soon as
/// it is complete, without another read. An element that does not fit the type yields an error, and reading continues. If a
/// path to a single value does not exist, or its value has no elements, the last item is an error; a path that may select
/// several values may select none. All duplicates of a key on the path count.
///
/// # Errors
///
/// The path is invalid: the source is a [`PathError`](crate::path::PathError).
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Row {
///     id: u32,
/// }
///
/// let file = &br#"{"data": [{"id": 1}, {"id": "2"}, {"id": 3}]}"#[..]; // Any std::io::Read.
/// let rows = jsonx_core::elements::<Row, _>(file, "/data")?;
/// let (mut sum, mut errors) = (0, Vec::new());
/// for row in rows {
///     match row {
///         Ok(row) => sum += row.id,
///         Err(error) => errors.push(error.to_string()),
///     }
/// }
/// assert_eq!((sum, errors), (4, vec![r#".data[1].id: expected u32, found string "2" at line 1 column 29"#.to_owned()]));
///
/// let file = &br#"{"data": [{"id": 1}, {"id": 2}, {"id": 3}]}"#[..];
/// let rows = jsonx_core::elements::<Row, _>(file, "$.data[?@.id > 1]")?;
/// let ids: Vec<u32> = rows.map(|row| Ok(row?.id)).collect::<Result<_, jsonx_core::Error>>()?;
/// assert_eq!(ids, [2, 3]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn elements<T: DeserializeOwned, R: Read>(
    reader: R,
    path: &str,
) -> Result<Elements<T, R>, Error> {
    let incoming = Incoming::elements(path)?;
    Ok(Elements { reader, incoming })
}

/// Reads the values of a stream into a type, one at a time, with or without white space between them, like `serde_json`'s
/// `StreamDeserializer` over a reader. Needs memory for the largest value, as [`elements`] does.
///
/// The text is checked as it is read. An error in it, or of the reader, comes after the values before it, and is the last item;
/// only after an error of the kind `WouldBlock` or `TimedOut` the next call reads on. A value that does not fit the type yields
/// an error, and reading continues. If each value is on its own line, [`lines`](crate::lines()) also continues after an error
/// in the text. A value is returned as soon as it is complete, without another read; a number or literal, once the byte after
/// it arrives.
///
/// ```
/// let file = &b"{\"id\": 1}{\"id\": 2}\n{\n  \"id\": 3\n}"[..]; // Any std::io::Read.
/// let records = jsonx_core::values::<std::collections::BTreeMap<String, u32>, _>(file);
/// let ids: Result<Vec<u32>, jsonx_core::Error> = records.map(|record| Ok(record?["id"])).collect();
/// assert_eq!(ids?, [1, 2, 3]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn values<T: DeserializeOwned, R: Read>(reader: R) -> Elements<T, R> {
    Elements {
        reader,
        incoming: Incoming::values(),
    }
}

impl<T: DeserializeOwned, R: Read> Elements<T, R> {
    /// Sets the maximum number of bytes to buffer for an incomplete element; exceeding it is an error, the last item. By default
    /// there is no limit.
    ///
    /// ```
    /// let endless = std::io::repeat(b'[');
    /// let mut values = jsonx_core::values::<Vec<u8>, _>(endless).max_held(1 << 20);
    /// let error = values.next().unwrap().unwrap_err();
    /// assert_eq!(error.to_string(), "a value is longer than 1048576 bytes at line 1 column 1");
    /// assert!(values.next().is_none());
    /// ```
    #[must_use]
    pub fn max_held(self, max_held: usize) -> Self {
        let incoming = self.incoming.max_held(max_held);
        Elements { incoming, ..self }
    }

    /// Number of buffered bytes.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.incoming.held.len()
    }

    /// Reads and checks more of the text. Returns whether there may be more elements.
    fn read_more(&mut self) -> bool {
        let incoming = &mut self.incoming;
        let Some(from) = incoming.prepare(READ) else {
            return false;
        };
        let read = loop {
            match self.reader.read(&mut incoming.held[from..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        incoming.received(from, read)
    }
}

impl<T: DeserializeOwned, R: Read> Iterator for Elements<T, R> {
    /// The offset, the line and the path of an error are those in the text.
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            let next = self.incoming.next();
            if next.is_some() || !self.read_more() {
                return next;
            }
        }
    }
}
