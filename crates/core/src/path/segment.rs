//! The compiled form: what every dialect becomes.

use std::fmt;

use super::filter::Expression;

/// One step of a path: which nodes it starts from and what it selects there.
///
/// ```
/// use jsonx_core::path::{Path, Selector};
/// let path = Path::parse(".servers[0, 2].name")?;
/// let [servers, some, name] = path.segments() else { unreachable!() };
/// assert_eq!(servers.selectors, [Selector::Key(b"servers"[..].into())]);
/// assert_eq!(some.selectors, [Selector::Index(0), Selector::Index(2)]);
/// assert!(!name.optional);
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where the selectors are applied.
    pub reach: Reach,
    /// What is selected, in this order, duplicates included; never empty.
    pub selectors: Vec<Selector>,
    /// The step ended in `?` (dot path only): nothing found here is nothing to complain of.
    pub optional: bool,
}

/// Where the selectors of a [`Segment`] are applied.
///
/// ```
/// use jsonx_core::path::{Path, Reach};
///
/// let path = Path::parse("$.a..b")?;
/// let reach: Vec<Reach> = path.segments().iter().map(|segment| segment.reach).collect();
/// assert_eq!(reach, [Reach::Child, Reach::Descendant]);
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To each node the path has led to so far.
    Child,
    /// To each of these nodes and to everything inside them, each node before what is inside it and
    /// the elements of an array in order (RFC 9535, section 2.5.2).
    Descendant,
}

/// What is selected below one node.
///
/// Keys are compared after unescaping: they are the bytes of the decoded string, UTF-8, where half of
/// a surrogate pair (which only a `\u` escape in JSON can name) takes its three-byte WTF-8 form.
///
/// ```
/// use jsonx_core::path::{Path, Selector};
///
/// let path = Path::parse("$[-1]['a', *]")?;
/// assert_eq!(path.segments()[0].selectors, [Selector::Index(-1)]);
/// assert_eq!(path.segments()[1].selectors, [Selector::Key(b"a"[..].into()), Selector::Wildcard]);
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The member of an object with this key.
    Key(Box<[u8]>),
    /// The element of an array: from the front, or, negative, from the end (-1 is the last).
    Index(i64),
    /// Some elements of an array.
    Slice(Slice),
    /// All members of an object, all elements of an array.
    Wildcard,
    /// Those members or elements for which an expression holds.
    Filter(Box<Expression>),
    /// `.3` in a dot path, `/3` in a pointer: a key on an object, an index on an array.
    KeyOrIndex {
        /// The step as it is written.
        key: Box<[u8]>,
        /// What it says to an array.
        index: i64,
    },
    /// `.0:5` in a dot path: a key on an object, a slice on an array.
    KeyOrSlice {
        /// The step as it is written.
        key: Box<[u8]>,
        /// What it says to an array.
        slice: Slice,
    },
    /// The node itself: only in the dot path's bare `..`, which is every value there is.
    Itself,
}

impl Selector {
    /// The key this selector asks an object for, if it asks for one.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// let path = Path::parse(".3")?;
    /// assert_eq!(path.segments()[0].selectors[0].key(), Some(&b"3"[..]));
    /// assert_eq!(path.segments()[0].selectors[0].index(), Some(3));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn key(&self) -> Option<&[u8]> {
        match self {
            Selector::Key(key)
            | Selector::KeyOrIndex { key, .. }
            | Selector::KeyOrSlice { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The index this selector asks an array for, if it asks for one; negative counts from the end.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    ///
    /// let path = Path::parse(".[-1].7.name[0:1]")?;
    /// let indices = path.segments().iter().map(|segment| segment.selectors[0].index());
    /// // A name asks no array for anything, and a slice for no single element.
    /// assert_eq!(indices.collect::<Vec<_>>(), [Some(-1), Some(7), None, None]);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn index(&self) -> Option<i64> {
        match self {
            Selector::Index(index) | Selector::KeyOrIndex { index, .. } => Some(*index),
            _ => None,
        }
    }

    /// The slice this selector asks an array for, if it asks for one.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    ///
    /// let path = Path::parse(".[::-1].2:5[3]")?;
    /// let slices = path.segments().iter().map(|segment| segment.selectors[0].slice());
    /// let written: Vec<Option<String>> = slices.map(|slice| Some(slice?.to_string())).collect();
    /// assert_eq!(written, [Some("::-1".to_owned()), Some("2:5".to_owned()), None]);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn slice(&self) -> Option<Slice> {
        match self {
            Selector::Slice(slice) | Selector::KeyOrSlice { slice, .. } => Some(*slice),
            _ => None,
        }
    }

    /// Whether at most one node can be selected below a node.
    pub(super) fn is_singular(&self) -> bool {
        matches!(
            self,
            Selector::Key(_) | Selector::Index(_) | Selector::KeyOrIndex { .. }
        )
    }
}

/// Whether a path of these segments can select at most one node (RFC 9535's singular query).
pub(super) fn are_singular(segments: &[Segment]) -> bool {
    segments.iter().all(|segment| {
        segment.reach == Reach::Child
            && matches!(segment.selectors.as_slice(), [only] if only.is_singular())
    })
}

/// Elements of an array from `start` up to `end`, every `step`th: RFC 9535, section 2.3.4, and
/// Python's slices but for a step of 0, which selects nothing.
///
/// ```
/// use jsonx_core::path::{Path, Slice};
///
/// let path = Path::parse(".[1:-1]")?;
/// let slice = Slice { start: Some(1), end: Some(-1), step: None };
/// assert_eq!(path.segments()[0].selectors[0].slice(), Some(slice));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// First element; negative counts from the end. None: the first in the direction of `step`.
    pub start: Option<i64>,
    /// The element before which to stop; negative counts from the end. None: none.
    pub end: Option<i64>,
    /// Distance between elements; negative goes backwards; None is 1.
    pub step: Option<i64>,
}

impl Slice {
    /// The indices selected in an array of `length` elements, in the order they are selected.
    ///
    /// ```
    /// use jsonx_core::path::Slice;
    /// let slice = Slice { start: None, end: Some(0), step: Some(-2) };
    /// assert_eq!(slice.indices(6).collect::<Vec<_>>(), [5, 3, 1]);
    /// ```
    pub fn indices(&self, length: u64) -> impl Iterator<Item = u64> + use<> {
        // All bounds fit: the parser keeps them below 2^53, and no array has 2^62 elements. Values
        // that a caller made up are saturated.
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let step = self.step.unwrap_or(1);
        let from_front = |at: i64| {
            if at < 0 {
                length.saturating_add(at)
            } else {
                at
            }
        };
        let (mut next, stop) = if step >= 0 {
            (
                from_front(self.start.unwrap_or(0)).clamp(0, length),
                from_front(self.end.unwrap_or(length)).clamp(0, length),
            )
        } else {
            (
                self.start
                    .map_or(length - 1, from_front)
                    .clamp(-1, length - 1),
                self.end
                    .map_or(-1, |end| from_front(end).clamp(-1, length - 1)),
            )
        };
        std::iter::from_fn(move || {
            let more = (step > 0 && next < stop) || (step < 0 && next > stop);
            let index = more.then(|| u64::try_from(next).unwrap_or(0))?;
            next = next.saturating_add(step);
            Some(index)
        })
    }
}

/// As JSONPath and the dot path write it in brackets: `1:5`, `:-1`, `::2`.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = self.start {
            write!(f, "{start}")?;
        }
        f.write_str(":")?;
        if let Some(end) = self.end {
            write!(f, "{end}")?;
        }
        if let Some(step) = self.step {
            write!(f, ":{step}")?;
        }
        Ok(())
    }
}
