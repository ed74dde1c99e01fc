//! A document that owns its text.

use std::io;

use super::Node;
use super::index::Index;
use super::lookup::{LookupError, NodeIndex, ToPath};
use crate::error::Error;
use crate::token::Mode;
use crate::window::Options;

/// A [`Document`](crate::Document) that owns its text: it can be a field of a struct, be sent to another thread, and be deserialized by `serde`.
///
/// ```
/// use jsonx_core::OwnedDocument;
///
/// struct Settings {
///     document: OwnedDocument,
/// }
///
/// impl Settings {
///     fn port(&self) -> Option<u64> {
///         self.document.find(".server.port").ok()?.as_u64()
///     }
/// }
///
/// let document = OwnedDocument::parse(r#"{"server": {"port": 8080}}"#)?;
/// let settings = Settings { document };
/// let port = std::thread::spawn(move || settings.port()).join().unwrap();
/// assert_eq!(port, Some(8080));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnedDocument {
    text: Vec<u8>,
    index: Index,
}

impl OwnedDocument {
    /// Verifies a text of one value and builds its index: see [`Document::parse`](crate::Document::parse).
    ///
    /// # Errors
    ///
    /// As for [`Document::parse`](crate::Document::parse).
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// assert_eq!(OwnedDocument::parse(b"[1, 2]".to_vec())?.root().len(), 2);
    /// assert_eq!(OwnedDocument::parse("[1,\n2").unwrap_err().line(), Some(2));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse(text: impl Into<Vec<u8>>) -> Result<OwnedDocument, Error> {
        OwnedDocument::parse_with(text, Options::default())
    }

    /// As [`parse`](OwnedDocument::parse), with the options of [`Document::parse_with`](crate::Document::parse_with).
    ///
    /// # Errors
    ///
    /// As for [`Document::parse_with`](crate::Document::parse_with).
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let options = Options::default().dialect(Dialect::Jsonc);
    /// let document = OwnedDocument::parse_with("[1, // one\n]", options)?;
    /// assert_eq!(document.get(0).unwrap().as_u64(), Some(1));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse_with(text: impl Into<Vec<u8>>, options: Options) -> Result<OwnedDocument, Error> {
        let text = text.into();
        match Index::new(&text, options.mode(Mode::One)) {
            Ok(index) => Ok(OwnedDocument { text, index }),
            Err(error) => Err(Error::from(error).in_text(&text)),
        }
    }

    /// As [`parse`](OwnedDocument::parse), of the whole text of a reader.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`parse`](OwnedDocument::parse).
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// let document = OwnedDocument::from_reader(&b"{\"a\": true}"[..])?; // Any std::io::Read.
    /// assert_eq!(document.get("a").unwrap().as_bool(), Some(true));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn from_reader(mut reader: impl io::Read) -> Result<OwnedDocument, Error> {
        let mut text = Vec::new();
        reader.read_to_end(&mut text)?;
        OwnedDocument::parse(text)
    }

    /// The value at the root.
    ///
    /// ```
    /// use jsonx_core::{Kind, OwnedDocument};
    ///
    /// assert_eq!(OwnedDocument::parse("[]")?.root().kind(), Kind::Array);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn root(&self) -> Node<'_, '_> {
        Node::root_of(&self.text, &self.index)
    }

    /// The member of the root with this key, or its element at this index: see [`Node::get`].
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// let document = OwnedDocument::parse("[10, 20]")?;
    /// assert_eq!(document.get(1).unwrap().as_u64(), Some(20));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn get(&self, index: impl NodeIndex) -> Option<Node<'_, '_>> {
        self.root().get(index)
    }

    /// The value that a path selects: see [`Node::find`].
    ///
    /// # Errors
    ///
    /// As for [`Node::find`].
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// let document = OwnedDocument::parse(r#"{"a": [true]}"#)?;
    /// assert_eq!(document.find(".a[0]")?.as_bool(), Some(true));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn find(&self, path: impl ToPath) -> Result<Node<'_, '_>, LookupError> {
        self.root().find(path)
    }

    /// The whole text.
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// assert_eq!(OwnedDocument::parse(" null ")?.text(), b" null ");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}
