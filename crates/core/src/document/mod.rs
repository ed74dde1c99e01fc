//! Documents: a text that has been verified once, and an index to walk it by.
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
#[cfg(test)]
mod tests;

pub use iter::{ArrayElements, ObjectMembers};
pub use lookup::{LookupError, NodeIndex};
pub use node::Node;

use crate::error::Error;
use crate::jsonc::Dialect;
use crate::path::Path;
use crate::syntax::SyntaxError;
use crate::token::Mode;
use crate::window::Options;
pub(crate) use fingerprint::{Fingerprints, Rules};
pub(crate) use index::Index;

/// A JSON text in memory, verified, with an index of its values. It borrows the text.
///
/// Nothing is decoded or copied until requested: a [`Node`] is two pointers and a number, its raw text is a
/// slice of the text, and skipping a container takes one step whatever is inside. Duplicate keys are all there in
/// [`Node::members`]; by name the last one counts, as in JavaScript, Python and jq.
///
/// The index takes 8 bytes for each key and scalar and 16 for each array and object: 0.3 to 1.5 times the size of usual
/// text, 8 times that of nothing but `[` and `]`. Nothing recurses, so depth does not matter.
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"servers": [{"name": "a", "port": 80}, {"name": "\u0062"}]}"#)?;
/// let servers = document.root().get("servers").unwrap();
/// assert_eq!(servers.len(), 2);
/// assert_eq!(document.get(".servers[0].port").unwrap().as_u64(), Some(80));
///
/// let names = servers.elements().filter_map(|server| server.get("name")?.as_str());
/// assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t [u8],
    dialect: Dialect,
    pub(crate) index: Index,
}

impl<'t> Document<'t> {
    /// Verifies a text of one value and builds its index, in one pass. Time and memory are proportional to the length of
    /// the text.
    ///
    /// # Errors
    ///
    /// As [`validate`](crate::validate); [`OutOfMemory`](crate::ErrorKind::OutOfMemory) where there is no memory for the index, or the text
    /// has 1 TiB or more.
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
            .map_err(|error| Error::from(error).in_text(text))
    }

    /// As [`parse`](Document::parse), with a limit on the depth or a kernel of your choice. The
    /// [mode](Options::mode) is always [`Mode::One`]. The error is the engine's own, which costs no allocation. With a
    /// [dialect](Options::dialect) that has comments, a [blanked](crate::jsonc::blank) copy of the text is checked; what
    /// [`raw`](Node::raw) returns of a container has its comments, and [`minified`](Node::minified) has not. [Edits](Document::edit)
    /// keep them.
    ///
    /// # Errors
    ///
    /// As [`parse`](Document::parse), and [`TooDeep`](crate::ErrorKind::TooDeep).
    ///
    /// ```
    /// use jsonx_core::{Document, ErrorKind, Options};
    ///
    /// let options = Options::default().max_depth(2);
    /// assert!(Document::parse_with(b"[[1]]", options).is_ok());
    /// let error = Document::parse_with(b"[[[1]]]", options).unwrap_err();
    /// assert_eq!(error.kind, ErrorKind::TooDeep);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse_with(text: &'t [u8], options: Options) -> Result<Document<'t>, SyntaxError> {
        let index = Index::new(text, options.mode(Mode::One))?;
        Ok(Document {
            text,
            dialect: options.dialect,
            index,
        })
    }

    /// Whether the text may have comments.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The text that was parsed, all of it.
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

    /// The value of the document.
    ///
    /// ```
    /// use jsonx_core::{Document, Kind};
    ///
    /// assert_eq!(Document::parse(b"[]")?.root().kind(), Kind::Array);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn root(&self) -> Node<'_, 't> {
        Node::new(self, 0)
    }

    /// The number of words of the index.
    pub(crate) fn words(&self) -> usize {
        self.index.words()
    }

    /// The key or value that begins at a word of the index, which is not the second one of a container.
    pub(crate) fn node(&self, word: usize) -> Node<'_, 't> {
        Node::new(self, word)
    }

    /// The value that a path leads to, given in any [notation](crate::path::Notation). Parses the path each time; for one
    /// that is used often, see [`Node::find`].
    ///
    /// # Errors
    ///
    /// A text that is no path, a path that may lead to several values, and one that leads nowhere.
    ///
    /// ```
    /// use jsonx_core::{Document, LookupError};
    ///
    /// let document = Document::parse(br#"{"a": [{"b c": true}]}"#)?;
    /// for path in [r#".a[0]["b c"]"#, ".a.-1.'b c'", "$.a[0]['b c']", "/a/0/b c"] {
    ///     assert_eq!(document.get(path).unwrap().as_bool(), Some(true));
    /// }
    /// assert!(matches!(document.get("a"), Err(LookupError::Path(_))));
    /// assert!(matches!(document.get(".a[]"), Err(LookupError::NotSingular)));
    /// assert!(matches!(document.get(".a[1].x"), Err(LookupError::Missing { steps: 1 })));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn get(&self, path: &(impl AsRef<[u8]> + ?Sized)) -> Result<Node<'_, 't>, LookupError> {
        let path = Path::parse(path).map_err(LookupError::Path)?;
        self.root().find(&path)
    }

    /// The memory of the index in bytes, without the text.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert_eq!(Document::parse(br#"{"a": [1, 2]}"#)?.index_size(), 16 + 8 + 16 + 8 + 8);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn index_size(&self) -> usize {
        self.index.bytes()
    }
}
