//! Indexes text during a validation that has other consumers too, and streams of values.

use super::index::{Builder, Index, LONGEST_TEXT};
use super::{Document, Node, NodeId};
use crate::syntax::SyntaxError;
use crate::token::{Chunk, Interest, Mode, Sink};
use crate::window::Options;

/// A sink that indexes a text during another check, so that its [`Document`] needs no second check.
///
/// ```
/// use jsonx_core::document::Indexer;
/// use jsonx_core::engine::{Options, Validator};
///
/// let text = br#"{"a": [1, 2]}"#;
/// let mut indexer = Indexer::new();
/// Validator::new(Options::default()).check(text, &mut indexer)?;
/// let document = indexer.document(text, 100).unwrap();
/// assert_eq!(document.find(".a[1]").unwrap().as_i64(), Some(2));
/// # Ok::<(), jsonx_core::engine::Stop<std::convert::Infallible>>(())
/// ```
#[derive(Debug)]
pub struct Indexer {
    builder: Builder,
    /// The number of bytes so far.
    length: u64,
}

impl Default for Indexer {
    fn default() -> Self {
        Indexer::new()
    }
}

impl Indexer {
    /// An empty index.
    ///
    /// ```
    /// use jsonx_core::document::Indexer;
    ///
    /// assert!(Indexer::new().document(b"1", 1).is_none());
    /// ```
    pub fn new() -> Indexer {
        Indexer {
            builder: Builder::with_room(0),
            length: 0,
        }
    }

    /// The document of the text of one value that passed through the sink and was found valid. `None` if the text has another
    /// length, is nested deeper than `max_depth`, or has 1 TiB or more. The text must not have comments.
    ///
    /// ```
    /// use jsonx_core::document::Indexer;
    /// use jsonx_core::engine::{Options, Validator};
    ///
    /// let indexed = |max_depth| {
    ///     let mut indexer = Indexer::new();
    ///     Validator::new(Options::default()).check(b"[[1]]", &mut indexer).unwrap();
    ///     indexer.document(b"[[1]]", max_depth).is_some()
    /// };
    /// assert!(indexed(2) && !indexed(1));
    /// ```
    pub fn document(self, text: &[u8], max_depth: u64) -> Option<Document<'_>> {
        let index = self.index(text, max_depth)?;
        (index.words() > 0).then_some(Document { text, index })
    }

    /// The documents of a stream that passed through the sink and was found valid. `None` as for
    /// [`document`](Indexer::document).
    ///
    /// ```
    /// use jsonx_core::document::Indexer;
    /// use jsonx_core::engine::{Mode, Options, Validator};
    ///
    /// let text = b"{\"a\": 1}\n{\"a\": 2}\n";
    /// let mut indexer = Indexer::new();
    /// Validator::new(Options::default().mode(Mode::Stream)).check(text, &mut indexer)?;
    /// let documents = indexer.documents(text, 100).unwrap();
    /// let values = documents.roots().filter_map(|root| root.get("a")?.as_i64());
    /// assert!(values.eq([1, 2]));
    /// # Ok::<(), jsonx_core::engine::Stop<std::convert::Infallible>>(())
    /// ```
    pub fn documents(self, text: &[u8], max_depth: u64) -> Option<Documents<&[u8]>> {
        let index = self.index(text, max_depth)?;
        Some(Documents { text, index })
    }

    fn index(self, text: &[u8], max_depth: u64) -> Option<Index> {
        let is_whole = self.length == text.len() as u64 && self.builder.deepest() <= max_depth;
        (is_whole && self.length < LONGEST_TEXT).then(|| self.builder.finish())
    }
}

impl Sink for Indexer {
    type Error = core::convert::Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        self.length = chunk.offset + chunk.bytes.len() as u64;
        let tokens = chunk.kinds.iter().copied();
        let tokens = tokens.zip(chunk.offsets.iter().copied());
        self.builder.add::<true>(chunk.offset, tokens);
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

/// The verified values of a stream in memory, such as the records of JSON Lines, with one index. The text is a slice, a `Vec<u8>`,
/// a file mapping, or whatever yields the same bytes at each call.
///
/// ```
/// use jsonx_core::document::Documents;
/// use jsonx_core::engine::Options;
///
/// let documents = Documents::index(b"[1]\n{}\n".to_vec(), Options::default())?;
/// let first = documents.first().unwrap();
/// assert_eq!(documents.node(first).raw(), b"[1]");
/// let second = documents.after(first).unwrap();
/// assert_eq!((documents.node(second).raw(), documents.after(second)), (&b"{}"[..], None));
/// # Ok::<(), jsonx_core::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Documents<T = Vec<u8>> {
    text: T,
    index: Index,
}

impl<T: AsRef<[u8]>> Documents<T> {
    /// Verifies a stream of any number of values and builds their index.
    ///
    /// # Errors
    ///
    /// As for [`Document::index`].
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// assert!(Documents::index("", Options::default())?.first().is_none());
    /// assert!(Documents::index("[1", Options::default()).is_err());
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn index(text: T, options: Options) -> Result<Documents<T>, SyntaxError> {
        let index = Index::new(text.as_ref(), options.mode(Mode::Stream))?;
        Ok(Documents { text, index })
    }

    /// The whole text.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// assert_eq!(Documents::index("1 2", Options::default())?.text(), b"1 2");
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn text(&self) -> &[u8] {
        self.text.as_ref()
    }

    /// The first value of the stream; `None` if it is empty.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// let documents = Documents::index("1 2", Options::default())?;
    /// assert_eq!(documents.first().map(|id| documents.node(id).raw()), Some(&b"1"[..]));
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn first(&self) -> Option<NodeId> {
        (self.index.words() > 0).then_some(NodeId(0))
    }

    /// The value that follows a value of the stream.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// let documents = Documents::index("1 2", Options::default())?;
    /// let second = documents.first().and_then(|first| documents.after(first));
    /// assert_eq!(second.map(|id| documents.node(id).raw()), Some(&b"2"[..]));
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn after(&self, id: NodeId) -> Option<NodeId> {
        let next = self.index.skip(id.0);
        (next < self.index.words()).then_some(NodeId(next))
    }

    /// A key or value. The identifier must come from these documents.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// let documents = Documents::index("[true]", Options::default())?;
    /// let array = documents.node(documents.first().unwrap());
    /// let id = array.get(0).unwrap().id();
    /// assert_eq!(documents.node(id).as_bool(), Some(true));
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    #[inline]
    pub fn node(&self, id: NodeId) -> Node<'_, '_> {
        Node::root_of(self.text.as_ref(), &self.index).at_word(id.0)
    }

    /// The values, in order.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// let documents = Documents::index(b"{} [1]\n2", Options::default())?;
    /// let roots: Vec<&[u8]> = documents.roots().map(|root| root.raw()).collect();
    /// assert_eq!(roots, [&b"{}"[..], b"[1]", b"2"]);
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn roots(&self) -> impl Iterator<Item = Node<'_, '_>> {
        let ids = core::iter::successors(self.first(), |id| self.after(*id));
        ids.map(|id| self.node(id))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::window::Validator;
    use jsonx_testing::cases;

    fn shape(root: Node<'_, '_>) -> String {
        let inside: Vec<String> = root
            .members()
            .flat_map(|(key, value)| [key, value])
            .chain(root.elements())
            .map(shape)
            .collect();
        format!(
            "{:?} {:?} {} [{}]",
            root.kind(),
            root.span(),
            root.len(),
            inside.join(", ")
        )
    }

    proptest! {
        #![proptest_config(cases(200))]

        /// A sink builds the same index as a document, and so does a stream of the value.
        #[test]
        fn all_indexes_are_equal(choices in prop::collection::vec(any::<u32>(), 0..300), spaces in 8000..8200usize) {
            let mut text = vec![b' '; spaces];
            text.extend(crate::agreement::valid_text(&choices));
            let direct = Document::parse(&text).unwrap();
            let mut indexer = Indexer::new();
            Validator::new(Options::default()).check(&text, &mut indexer).unwrap();
            let passed = indexer.document(&text, u64::MAX).unwrap();
            prop_assert_eq!(shape(passed.root()), shape(direct.root()));
            let twice = [&text[..], b"\n", &text].concat();
            let documents = Documents::index(&twice[..], Options::default()).unwrap();
            let roots: Vec<&[u8]> = documents.roots().map(Node::raw).collect();
            prop_assert_eq!(roots, [direct.root().raw(); 2]);
        }
    }

    #[test]
    fn part_of_a_text_has_no_document() {
        let mut indexer = Indexer::new();
        Validator::new(Options::default())
            .check(b"[1]", &mut indexer)
            .unwrap();
        assert!(indexer.document(b"[1, 2]", 9).is_none());
        let stream = Options::default().mode(Mode::Stream);
        let mut indexer = Indexer::new();
        Validator::new(stream).check(b" ", &mut indexer).unwrap();
        assert!(indexer.document(b" ", 9).is_none());
    }
}
