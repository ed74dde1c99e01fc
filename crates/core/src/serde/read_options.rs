//! Options for reading values.

use std::borrow::Cow;
use std::io;

use serde_core::de::DeserializeOwned;

use super::tokens::Tokens;
use crate::error::Error;
use crate::jsonc::{self, Dialect};
use crate::window::Options;

/// Options for reading a text into a type: comments, a depth limit. Only for owned types; to borrow,
/// [`blank`](crate::jsonc::blank) the comments first.
///
/// ```
/// use jsonx_core::ReadOptions;
/// use jsonx_core::jsonc::Dialect;
///
/// let config = b"{\"port\": 80, // of the proxy\n}";
/// let read = ReadOptions::default().dialect(Dialect::Jsonc);
/// let ports: std::collections::BTreeMap<String, u16> = read.from_slice(config)?;
/// assert_eq!(ports["port"], 80);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    engine: Options,
}

impl ReadOptions {
    /// Sets whether comments and trailing commas are allowed. By default neither is.
    ///
    /// ```
    /// use jsonx_core::ReadOptions;
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let read = ReadOptions::default().dialect(Dialect::Comments);
    /// assert_eq!(read.from_str::<Vec<u8>>("[1 /* one */]")?, [1]);
    /// assert!(read.from_str::<Vec<u8>>("[1,]").is_err());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        let engine = self.engine.dialect(dialect);
        ReadOptions { engine }
    }

    /// Sets the maximum nesting depth, including ignored values. By default there is no limit.
    ///
    /// ```
    /// use jsonx_core::{ErrorKind, ReadOptions};
    ///
    /// let read = ReadOptions::default().max_depth(1);
    /// let error = read.from_str::<Vec<Vec<u8>>>("[[1]]").unwrap_err();
    /// assert_eq!(error.kind(), Some(ErrorKind::TooDeep));
    /// ```
    #[must_use]
    pub fn max_depth(self, max_depth: u64) -> Self {
        let engine = self.engine.max_depth(max_depth);
        ReadOptions { engine }
    }

    /// Reads a value from JSON in memory.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice); nested too deeply.
    ///
    /// ```
    /// assert!(jsonx_core::ReadOptions::default().from_slice::<bool>(b"true")?);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn from_slice<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, Error> {
        self.read(text).map_err(|error| error.in_text(text))
    }

    /// As [`from_slice`](ReadOptions::from_slice), from a string.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](ReadOptions::from_slice).
    ///
    /// ```
    /// assert_eq!(jsonx_core::ReadOptions::default().from_str::<u8>("1")?, 1);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn from_str<T: DeserializeOwned>(&self, text: &str) -> Result<T, Error> {
        self.from_slice(text.as_bytes())
    }

    /// As [`from_slice`](ReadOptions::from_slice), from a reader, up to its end.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`from_slice`](ReadOptions::from_slice).
    ///
    /// ```
    /// assert_eq!(jsonx_core::ReadOptions::default().from_reader::<u8, _>(&b"1"[..])?, 1);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn from_reader<T: DeserializeOwned, R: io::Read>(&self, mut reader: R) -> Result<T, Error> {
        let mut text = Vec::new();
        reader.read_to_end(&mut text)?;
        self.from_slice(&text)
    }

    fn read<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, Error> {
        let mut plain = Cow::Borrowed(text);
        if self.engine.dialect.allows_comments() {
            jsonc::blank(plain.to_mut(), self.engine.dialect)?;
        }
        let options = self.engine.dialect(Dialect::Json);
        super::read(Tokens::new(&plain, options))
    }
}
