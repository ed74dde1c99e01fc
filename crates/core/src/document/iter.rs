//! Iterators over the children of a value.

use std::ops::Range;

use super::node::Node;
use crate::token::Kind;

impl<'d, 't> Node<'d, 't> {
    /// The elements of an array in order; empty for any other value. Each step takes constant time, regardless of the size of the
    /// element.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b"[1, [2, 3], 4]")?;
    /// let numbers: Vec<Option<i64>> = document.root().elements().map(|node| node.as_i64()).collect();
    /// assert_eq!(numbers, [Some(1), None, Some(4)]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn elements(self) -> ArrayElements<'d, 't> {
        ArrayElements::new(self)
    }

    /// The members of an object, key and value, in order, duplicate keys included; empty for any other value. Each step takes
    /// constant time, regardless of the size of the value. Keys are nodes of the kind string.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1, "b": {"c": 2}, "a": 3}"#)?;
    /// let keys: Vec<_> = document.root().members().filter_map(|(key, _)| key.as_str()).collect();
    /// assert_eq!(keys, ["a", "b", "a"]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn members(self) -> ObjectMembers<'d, 't> {
        ObjectMembers::new(self)
    }
}

/// The elements of an array: see [`Node::elements`].
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(b"[1, 2, 3]")?;
/// let mut elements = document.root().elements();
/// assert_eq!(elements.next().and_then(|node| node.as_i64()), Some(1));
/// assert_eq!(elements.count(), 2);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrayElements<'d, 't> {
    children: Children<'d, 't>,
}

/// The members of an object, key and value: see [`Node::members`].
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"a": 1, "b": 2}"#)?;
/// let sum: i64 = document.root().members().filter_map(|(_, value)| value.as_i64()).sum();
/// assert_eq!(sum, 3);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObjectMembers<'d, 't> {
    children: Children<'d, 't>,
}

#[derive(Clone, Debug)]
struct Children<'d, 't> {
    parent: Node<'d, 't>,
    /// The word indices of the remaining children.
    left: Range<usize>,
}

impl<'d, 't> Children<'d, 't> {
    /// Empty unless the parent is of this kind.
    #[inline]
    fn new(parent: Node<'d, 't>, kind: Kind) -> Self {
        let left = if parent.kind() == kind {
            parent.index.inside(parent.at)
        } else {
            0..0
        };
        Children { parent, left }
    }

    #[inline]
    fn next(&mut self) -> Option<Node<'d, 't>> {
        if self.left.is_empty() {
            return None;
        }
        let child = self.parent.at_word(self.left.start);
        self.left.start = child.end_word();
        Some(child)
    }
}

impl<'d, 't> ArrayElements<'d, 't> {
    #[inline]
    pub(super) fn new(array: Node<'d, 't>) -> Self {
        let children = Children::new(array, Kind::Array);
        ArrayElements { children }
    }
}

impl<'d, 't> ObjectMembers<'d, 't> {
    #[inline]
    pub(super) fn new(object: Node<'d, 't>) -> Self {
        let children = Children::new(object, Kind::Object);
        ObjectMembers { children }
    }
}

impl<'d, 't> Iterator for ArrayElements<'d, 't> {
    type Item = Node<'d, 't>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.children.next()
    }
}

impl<'d, 't> Iterator for ObjectMembers<'d, 't> {
    type Item = (Node<'d, 't>, Node<'d, 't>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some((self.children.next()?, self.children.next()?))
    }
}

impl std::iter::FusedIterator for ArrayElements<'_, '_> {}
impl std::iter::FusedIterator for ObjectMembers<'_, '_> {}
