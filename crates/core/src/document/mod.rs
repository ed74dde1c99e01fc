//! Documents: verified text and an index of its values.
//!
//! ```text
//! text ──► Validator ──► Builder ──► Index ──► Document ──► Node: kind, raw, span, values, children
//!          verdict       one word a token, in order          │
//!                                                            └──► canonical, fingerprint: compare values
//! ```

mod canonical;
mod fingerprint;
mod index;
mod iter;
mod lookup;
mod node;
mod owned;
mod stream;
#[cfg(test)]
mod tests;

pub use iter::{ArrayElements, ObjectMembers};
pub use lookup::{LookupError, NodeIndex, ToPath};
#[cfg(feature = "edit")]
pub(crate) use lookup::{Stop, nearest_key};
pub use node::{Node, NodeId};
pub use owned::OwnedDocument;
// For the program.
#[doc(hidden)]
pub use stream::{Documents, Indexer};

use crate::error::Error;
use crate::jsonc::Dialect;
use crate::syntax::SyntaxError;
use crate::token::Mode;
use crate::window::Options;
pub(crate) use fingerprint::{Fingerprints, Rules};
pub(crate) use index::Index;

/// A verified JSON text in memory, with an index of its values. It borrows the text; [`OwnedDocument`] owns it.
///
/// Nothing is decoded or copied until requested: a [`Node`] is two pointers and a number, its raw text is a slice of the text,
/// and skipping a container takes one step, regardless of its size. [`Node::members`] yields all duplicate keys; a lookup by
/// key finds the last one, as in JavaScript, Python and jq.
///
/// The index takes 8 bytes per key and scalar and 16 per array and object: 0.3 to 1.5 times the size of typical text, and 8
/// times in the worst case, a text of only `[` and `]`. Nothing recurses, so depth does not matter.
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"servers": [{"name": "a", "port": 80}, {"name": "\u0062"}]}"#)?;
/// let servers = document.root().get("servers").unwrap();
/// assert_eq!(servers.len(), 2);
/// assert_eq!(document.find(".servers[0].port").unwrap().as_u64(), Some(80));
///
/// let names = servers.elements().filter_map(|server| server.get("name")?.as_str());
/// assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t [u8],
    /// Borrowed from an [`OwnedDocument`].
    pub(crate) index: Index,
}

impl<'t> Document<'t> {
    /// Verifies a text of one value and builds its index in one pass. Time and memory are proportional to the length of the
    /// text.
    ///
    /// # Errors
    ///
    /// As for [`validate`](crate::validate); [`TooLong`](crate::ErrorKind::TooLong) if the text has 1 TiB or more.
    ///
    /// ```
    /// use jsonx_core::{Document, ErrorKind};
    ///
    /// assert_eq!(Document::parse(b" [1, 2]\n")?.root().raw(), b"[1, 2]");
    ///
    /// let error = Document::parse(b"[1, 2").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (Some(ErrorKind::UnexpectedEnd), Some(5)));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse(text: &'t [u8]) -> Result<Document<'t>, Error> {
        Document::parse_with(text, Options::default())
    }

    /// Like [`parse`](Document::parse), with a depth limit, a dialect or a kernel. The [mode](Options::mode) is always
    /// [`Mode::One`]. With a [dialect](Options::dialect) that has comments, a [blanked](crate::jsonc::blank) copy of the text is
    /// checked; [`raw`](Node::raw) of a container includes its comments, [`minified`](Node::minified) does not.
    /// [Edits](Document::edit) keep them.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Document::parse), and [`TooDeep`](crate::ErrorKind::TooDeep).
    ///
    /// ```
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::{Document, ErrorKind};
    ///
    /// let options = Options::default().max_depth(2);
    /// assert!(Document::parse_with(b"[[1]]", options).is_ok());
    /// let error = Document::parse_with(b"[[[1]]]", options).unwrap_err();
    /// assert_eq!((error.kind(), error.line(), error.column()), (Some(ErrorKind::TooDeep), Some(1), Some(3)));
    /// ```
    pub fn parse_with(text: &'t [u8], options: Options) -> Result<Document<'t>, Error> {
        Document::index(text, options).map_err(|error| Error::from(error).in_text(text))
    }

    /// Like [`parse_with`](Document::parse_with), with the error of the engine, as in [`validate`](crate::validate): a kind and
    /// an offset, without a line and without allocation.
    ///
    /// # Errors
    ///
    /// As for [`parse_with`](Document::parse_with).
    ///
    /// ```
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::{Document, ErrorKind, SyntaxError};
    ///
    /// let error = Document::index(b"[1, 2", Options::default()).unwrap_err();
    /// assert_eq!(error, SyntaxError { kind: ErrorKind::UnexpectedEnd, offset: 5 });
    /// ```
    pub fn index(text: &'t [u8], options: Options) -> Result<Document<'t>, SyntaxError> {
        let index = Index::new(text, options.mode(Mode::One))?;
        Ok(Document { text, index })
    }

    /// Whether the text may have comments.
    pub(crate) fn dialect(&self) -> Dialect {
        self.index.dialect()
    }

    /// The whole text that was parsed.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b" null ")?;
    /// assert_eq!((document.text(), document.root().raw()), (&b" null "[..], &b"null"[..]));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// The value at the root.
    ///
    /// ```
    /// use jsonx_core::{Document, Kind};
    ///
    /// assert_eq!(Document::parse(b"[]")?.root().kind(), Kind::Array);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn root(&self) -> Node<'_, 't> {
        Node::root_of(self.text, &self.index)
    }

    /// The number of words of the index.
    pub(crate) fn words(&self) -> usize {
        self.index.words()
    }

    /// The key or value at a word of the index, which must not be the second word of a container.
    pub(crate) fn node(&self, word: usize) -> Node<'_, 't> {
        self.root().at_word(word)
    }

    /// The member of the root with this key, or its element at this index: see [`Node::get`].
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": [1, 2]}"#)?;
    /// assert_eq!(document.get("a").and_then(|a| a.get(1)?.as_i64()), Some(2));
    /// assert!(document.get(0).is_none());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn get(&self, index: impl NodeIndex) -> Option<Node<'_, 't>> {
        self.root().get(index)
    }

    /// The value that a path selects: see [`Node::find`].
    ///
    /// # Errors
    ///
    /// An invalid path, a path that may select several values, or one that selects none.
    ///
    /// ```
    /// use jsonx_core::{Document, LookupError};
    ///
    /// let document = Document::parse(br#"{"a": [{"b c": true}]}"#)?;
    /// for path in [r#".a[0]["b c"]"#, ".a.-1.'b c'", "$.a[0]['b c']", "/a/0/b c"] {
    ///     assert_eq!(document.find(path).unwrap().as_bool(), Some(true));
    /// }
    /// assert!(matches!(document.find("a"), Err(LookupError::Path(_))));
    /// assert!(matches!(document.find(".a[]"), Err(LookupError::NotSingular)));
    /// assert!(matches!(document.find(".a[1].x"), Err(LookupError::Missing { steps: 1, .. })));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn find(&self, path: impl ToPath) -> Result<Node<'_, 't>, LookupError> {
        self.root().find(path)
    }
}
