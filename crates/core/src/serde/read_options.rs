//! Options for reading values.

use std::borrow::Cow;
use std::io;

use serde_core::de::DeserializeOwned;

use super::tokens::Tokens;
#[cfg(feature = "diagnose")]
use crate::diagnose::{Code, Lints};
use crate::error::Error;
use crate::jsonc::{self, Dialect};
use crate::kernel::Kernel;
#[cfg(feature = "diagnose")]
use crate::lint::Linter;
#[cfg(feature = "diagnose")]
use crate::locate::Locator;
#[cfg(feature = "diagnose")]
use crate::path::Step;
#[cfg(feature = "diagnose")]
use crate::syntax::OutOfMemory;
use crate::window::Options;
#[cfg(feature = "diagnose")]
use crate::window::Validator;

/// Options for reading a text into a type: comments, a depth limit, duplicate keys. Only for owned types; to borrow,
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
    #[cfg(feature = "diagnose")]
    rejects_duplicates: bool,
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
        ReadOptions { engine, ..self }
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
        ReadOptions { engine, ..self }
    }

    /// Sets the kernel. No result depends on it.
    ///
    /// ```
    /// use jsonx_core::ReadOptions;
    /// use jsonx_core::engine::Kernel;
    ///
    /// let read = ReadOptions::default().kernel(Kernel::swar());
    /// assert_eq!(read.from_str::<Vec<u8>>("[1]")?, [1]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn kernel(self, kernel: Kernel) -> Self {
        let engine = self.engine.kernel(kernel);
        ReadOptions { engine, ..self }
    }

    /// Sets whether an object with two equal keys is an error, anywhere in the text; otherwise the type decides, and for most the
    /// last one counts. Costs a pass over the text at the speed of lints, and the feature `diagnose`.
    ///
    /// ```
    /// use jsonx_core::ReadOptions;
    /// use std::collections::BTreeMap;
    ///
    /// let text = r#"{"a": {"b": 1, "\u0062": 2}}"#;
    /// let read = ReadOptions::default().reject_duplicates(true);
    /// let error = read.from_str::<BTreeMap<String, BTreeMap<String, u8>>>(text).unwrap_err();
    /// assert_eq!(error.to_string(), ".a.b: duplicate key at line 1 column 16");
    /// ```
    #[cfg(feature = "diagnose")]
    #[must_use]
    pub fn reject_duplicates(self, rejects_duplicates: bool) -> Self {
        ReadOptions {
            rejects_duplicates,
            ..self
        }
    }

    /// Reads a value from JSON in memory.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice); nested too deeply; a duplicate key, if they are rejected.
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
        #[cfg(feature = "diagnose")]
        if self.rejects_duplicates
            && let Some(offset) = duplicate(&plain, options)?
        {
            let error = Error::data("duplicate key").at_offset(offset);
            let mut locator = Locator::new(offset);
            Validator::new(options).check(&plain, &mut locator)?;
            let place = locator.finish()?;
            let steps = place.iter().flat_map(|place| place.location.steps().iter());
            return Err(steps.rev().fold(error, |error, step| match step {
                Step::Key(key) => error.in_member(key),
                Step::Index(index) => error.in_element(*index),
            }));
        }
        super::read(Tokens::new(&plain, options))
    }
}

#[cfg(feature = "diagnose")]
/// The offset of the first duplicate key.
fn duplicate(text: &[u8], options: Options) -> Result<Option<u64>, Error> {
    let linter = Linter::new(Lints::NONE.with(Code::DuplicateKey, true), 1);
    let found = Validator::new(options).check(text, linter)?;
    match found.findings.first() {
        Some(finding) => Ok(Some(finding.offset)),
        None if found.keys_unchecked => Err(OutOfMemory.into()),
        None => Ok(None),
    }
}
