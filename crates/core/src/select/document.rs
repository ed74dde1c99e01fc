//! Lookup of any path in a document.

use super::options::{Order, QueryOptions};
use super::query::Query;
use super::results::Answer;
use crate::document::{Document, Node, OwnedDocument, ToPath};
use crate::error::Error;
use crate::window::{Options, Validator};

impl<'d, 't> Node<'d, 't> {
    /// All values that a path selects, with this value as the root: in the order of RFC 9535, each once. Of duplicate keys, the
    /// last one counts. Scans the text of the value again; [`find`](Node::find) is faster for a path to one value.
    ///
    /// # Errors
    ///
    /// The path is not valid; memory runs out. A path without a match is no error.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"items": [{"id": 1, "price": 5}, {"id": 2, "price": 999}]}"#)?;
    /// let items = document.find(".items")?;
    /// let cheap = items.query("$[?@.price < 10].id")?;
    /// assert_eq!(cheap.iter().map(|id| id.as_u64()).collect::<Vec<_>>(), [Some(1)]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(self, path: impl ToPath) -> Result<Vec<Node<'d, 't>>, Error> {
        let path = path.to_path()?.into_owned();
        let mut query = Query::new(&[path], QueryOptions::default().order(Order::Standard));
        // The depth was checked when the document was parsed.
        let options = Options::default()
            .max_depth(u64::MAX)
            .dialect(self.dialect());
        Validator::new(options).check(self.raw(), &mut query)?;
        query.end();
        let starts = query.answers().filter_map(|answer| match answer {
            Answer::Match(one) => Some(self.start() + one.start as usize),
            Answer::Missing { .. } => None,
        });
        Ok(self.beginning_at(&starts.collect::<Vec<usize>>()))
    }

    /// The nodes below this one that begin at these offsets, in the same order.
    fn beginning_at(self, starts: &[usize]) -> Vec<Node<'d, 't>> {
        let mut in_order: Vec<usize> = (0..starts.len()).collect();
        in_order.sort_unstable_by_key(|&at| starts[at]);
        let mut found = vec![self; starts.len()];
        let mut node = self;
        for at in in_order {
            while node.start() < starts[at] {
                let is_around = node.is_container() && starts[at] < node.span().end;
                let inside = node.word() + 2;
                node = node.at_word(if is_around { inside } else { node.end_word() });
            }
            found[at] = node;
        }
        found
    }
}

impl<'t> Document<'t> {
    /// All values that a path selects: see [`Node::query`].
    ///
    /// # Errors
    ///
    /// As for [`Node::query`].
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": {"id": 1}, "b": [{"id": 2}]}"#)?;
    /// let ids: Vec<Option<u64>> = document.query("$..id")?.iter().map(|id| id.as_u64()).collect();
    /// assert_eq!(ids, [Some(1), Some(2)]);
    /// assert!(document.query("$.c[*]")?.is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(&self, path: impl ToPath) -> Result<Vec<Node<'_, 't>>, Error> {
        self.root().query(path)
    }
}

impl OwnedDocument {
    /// All values that a path selects: see [`Node::query`].
    ///
    /// # Errors
    ///
    /// As for [`Node::query`].
    ///
    /// ```
    /// use jsonx_core::OwnedDocument;
    ///
    /// let document = OwnedDocument::parse("[1, [2, 3]]")?;
    /// assert_eq!(document.query("$[1][*]")?.len(), 2);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn query(&self, path: impl ToPath) -> Result<Vec<Node<'_, '_>>, Error> {
        self.root().query(path)
    }
}
