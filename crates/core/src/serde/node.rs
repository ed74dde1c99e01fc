//! Reads values of a document into types, and documents as fields of types.

use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Error as _, Serialize, Serializer};

use super::raw::{Content, NAME, owned_text};
use super::tokens::Tokens;
use crate::document::{Node, OwnedDocument};
use crate::error::Error;
use crate::jsonc::Dialect;
use crate::path::Step;

impl<'t> Node<'_, 't> {
    /// Reads the value into a type, as [`from_slice`](crate::from_slice) reads a text. Strings without escapes can be borrowed
    /// from the text of the document. In a document with comments, these are skipped.
    ///
    /// # Errors
    ///
    /// The value does not fit the type. The error has its path, line and column in the document.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Server<'a> {
    ///     name: &'a str,
    ///     port: u16,
    /// }
    ///
    /// let text = br#"{
    ///   "servers": [{"name": "front", "port": 443}, {"name": "back", "port": "80"}]
    /// }"#;
    /// let document = Document::parse(text)?;
    /// let front: Server = document.find(".servers[0]")?.read()?;
    /// assert_eq!((front.name, front.port), ("front", 443));
    ///
    /// let error = document.find(".servers[1]")?.read::<Server>().err().unwrap();
    /// assert_eq!(error.to_string(), r#".servers[1].port: expected u16, found string "80" at line 2 column 72"#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn read<T: Deserialize<'t>>(self) -> Result<T, Error> {
        let start = self.start() as u64;
        let read = super::read(Tokens::of_value(self.raw(), start, self.dialect())?);
        read.map_err(|error| self.in_document(error.moved(start)))
    }

    /// Locates an error in the value within the document.
    #[cold]
    fn in_document(self, error: Error) -> Error {
        let path = self.path();
        let error = path
            .steps()
            .iter()
            .rev()
            .fold(error, |error, step| match step {
                Step::Key(key) => error.in_member(key),
                Step::Index(index) => error.in_element(*index),
            });
        error.in_text(self.whole_text())
    }
}

/// Serializes the text unchanged, like [`Raw`](crate::Raw); minified, if the document may have comments.
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"price": 1.50}"#)?;
/// assert_eq!(jsonx_core::to_string(&[document.get("price")])?, "[1.50]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
impl Serialize for Node<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = match self.dialect() {
            Dialect::Json => self.raw().into(),
            _ => self.minified(),
        };
        let text = str::from_utf8(&text).map_err(S::Error::custom)?;
        serializer.serialize_newtype_struct(NAME, &Content(text))
    }
}

/// Serializes its root.
///
/// ```
/// use jsonx_core::OwnedDocument;
///
/// let document = OwnedDocument::parse(" [1.50] ")?;
/// assert_eq!(jsonx_core::to_string(&document)?, "[1.50]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
impl Serialize for OwnedDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}

/// Any value; only supported by [`from_slice`](crate::from_slice) and the other functions of this crate.
///
/// ```
/// use jsonx_core::OwnedDocument;
///
/// #[derive(serde::Deserialize)]
/// struct Event {
///     kind: String,
///     payload: OwnedDocument,
/// }
///
/// let event: Event = jsonx_core::from_str(r#"{"kind": "order", "payload": {"id": 7}}"#)?;
/// assert_eq!((&*event.kind, event.payload.find(".id")?.as_u64()), ("order", Some(7)));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
impl<'de> Deserialize<'de> for OwnedDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = owned_text(deserializer, "OwnedDocument")?;
        OwnedDocument::parse(raw.into_string()).map_err(D::Error::custom)
    }
}
