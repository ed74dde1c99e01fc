//! The syntax tree of a path, common to all notations.
//!
//! Segments contain filters and filters contain paths, so both are here. Filters are those of RFC 9535, sections 2.3.5
//! and 2.4, after parsing and type checks: they are well-typed in the sense of RFC 9535 by construction.

use super::regexp::{Regexp, RegexpError};
use super::slice::Slice;

/// One segment of a path: the nodes that it is applied to, and its selectors.
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
    /// The nodes to which the selectors are applied.
    pub reach: Reach,
    /// The selectors, in order, including duplicates; never empty.
    pub selectors: Vec<Selector>,
    /// The segment ends in `?` (dot path only): no match here is not an error.
    pub optional: bool,
}

/// The nodes to which the selectors of a [`Segment`] are applied.
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
    /// To each node selected so far.
    Child,
    /// To each of these nodes and all its descendants, each node before its children and the elements of an array in
    /// order (RFC 9535, section 2.5.2).
    Descendant,
}

/// A selector of a segment.
///
/// Keys are compared after unescaping. They are the UTF-8 bytes of the decoded string, with a lone surrogate (which
/// only a `\u` escape can express in JSON) in its three-byte WTF-8 form.
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
    /// The element of an array at this index; a negative one counts from the end (-1 is the last).
    Index(i64),
    /// A slice of an array.
    Slice(Slice),
    /// All members of an object or elements of an array.
    Wildcard,
    /// The members or elements for which an expression holds.
    Filter(Box<Filter>),
    /// `.3` in a dot path, `/3` in a pointer: a key on an object, an index on an array.
    KeyOrIndex {
        /// The step as written.
        key: Box<[u8]>,
        /// Its meaning for an array.
        index: i64,
    },
    /// `.0:5` in a dot path: a key on an object, a slice on an array.
    KeyOrSlice {
        /// The step as written.
        key: Box<[u8]>,
        /// Its meaning for an array.
        slice: Slice,
    },
    /// The node itself: only in the bare `..` of a dot path, which selects every value.
    Itself,
}

impl Segment {
    /// The key, if this is a step to the member with one key.
    #[doc(hidden)]
    pub fn key(&self) -> Option<&[u8]> {
        match &self.selectors[..] {
            [selector] if self.reach == Reach::Child => selector.key(),
            _ => None,
        }
    }
}

impl Selector {
    /// The key this selector selects from an object, if any.
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

    /// The index this selector selects from an array, if any; a negative one counts from the end.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    ///
    /// let path = Path::parse(".[-1].7.name[0:1]")?;
    /// let indices = path.segments().iter().map(|segment| segment.selectors[0].index());
    /// // A name selects nothing from an array, and a slice no single element.
    /// assert_eq!(indices.collect::<Vec<_>>(), [Some(-1), Some(7), None, None]);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn index(&self) -> Option<i64> {
        match self {
            Selector::Index(index) | Selector::KeyOrIndex { index, .. } => Some(*index),
            _ => None,
        }
    }

    /// The slice this selector selects from an array, if any.
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

/// A filter. Two filters are equal if they are written alike.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Filter {
    /// The condition.
    pub expression: Expression,
    /// Its source text.
    pub text: Box<str>,
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Filter {}

/// A logical expression, evaluated for a node called the current node.
///
/// Nested at most [`MAX_NESTING`](super::MAX_NESTING) levels deep for any input, so recursion over it is safe.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Expression {
    /// `a || b`: at least two, of which one must hold.
    Or(Vec<Expression>),
    /// `a && b`: at least two, all of which must hold.
    And(Vec<Expression>),
    /// `!a`
    Not(Box<Expression>),
    /// `a < b`
    Compare {
        /// The left operand.
        left: Operand,
        /// The operator.
        comparison: Comparison,
        /// The right operand.
        right: Operand,
    },
    /// `@.a`: the query selects at least one node, even if that is `null` or `false`.
    Exists(FilterQuery),
    /// `match(…)`, `search(…)`
    Matches(Box<Matches>),
}

/// A path inside a filter. Only its start distinguishes it from the enclosing path.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct FilterQuery {
    /// Its start.
    pub origin: Origin,
    /// Its segments.
    pub segments: Vec<Segment>,
}

impl FilterQuery {
    /// Whether it can select at most one node of any document (RFC 9535's singular query). Only such a query can be
    /// compared.
    pub fn is_singular(&self) -> bool {
        are_singular(&self.segments)
    }
}

/// The start of a [`FilterQuery`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `$`: the whole document.
    Root,
    /// `@`: the current node of the filter.
    Current,
}

/// A comparison operator.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// An operand of a comparison, which evaluates to a value or to nothing. Nothing equals nothing, and equals no value.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Operand {
    /// A constant.
    Literal(Literal),
    /// The value of the node that a singular query selects, or nothing.
    Query(FilterQuery),
    /// A call with a value.
    OfValue(ValueFunction, Box<Operand>),
    /// A call with the nodes of a query.
    OfNodes(NodesFunction, FilterQuery),
}

/// A function of a value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFunction {
    /// `length(…)`: number of characters of a string, elements of an array or members of an object; nothing for any
    /// other value.
    Length,
}

/// A function of the nodes that a query selects.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodesFunction {
    /// `count(…)`: their number, including duplicates.
    Count,
    /// `value(…)`: the value of the node if there is exactly one, otherwise nothing.
    Value,
}

/// A function of filters (RFC 9535, section 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    OfValue(ValueFunction),
    OfNodes(NodesFunction),
    /// A call of [`Matches`].
    Matches {
        entire: bool,
    },
}

impl Function {
    /// All functions with their names.
    pub(super) const ALL: [(&str, Function); 5] = [
        ("length", Function::OfValue(ValueFunction::Length)),
        ("count", Function::OfNodes(NodesFunction::Count)),
        ("value", Function::OfNodes(NodesFunction::Value)),
        ("match", Function::Matches { entire: true }),
        ("search", Function::Matches { entire: false }),
    ];

    pub(super) fn of_name(name: &str) -> Option<Function> {
        let found = Function::ALL.iter().find(|(other, _)| *other == name);
        found.map(|(_, function)| *function)
    }

    pub(super) fn name(self) -> &'static str {
        let found = Function::ALL.iter().find(|(_, function)| *function == self);
        found.map_or("", |(name, _)| name)
    }
}

/// A constant in a filter: numbers as written, strings decoded.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A JSON number as written (RFC 9535 also allows `-0`).
    Number(Box<str>),
    /// A string, decoded, in UTF-8.
    String(Box<[u8]>),
}

/// `match(subject, pattern)` and `search(subject, pattern)`: false if either is not a string, or if the pattern is not
/// a regular expression.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Matches {
    /// True for `match`, which matches the whole subject; false for `search`, which matches any part of it.
    pub entire: bool,
    /// The string to match.
    pub subject: Operand,
    /// The regular expression.
    pub pattern: Pattern,
}

impl Matches {
    /// The name of the function.
    pub(super) fn name(&self) -> &'static str {
        let entire = self.entire;
        Function::Matches { entire }.name()
    }
}

/// The pattern of `match` or `search`.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A constant string, compiled once. If it is invalid, it matches nothing (RFC 9535, section 2.4.6): see
    /// [`Path::warnings`](super::Path::warnings).
    Constant {
        /// The pattern.
        text: Box<str>,
        /// The compiled pattern, or the error.
        compiled: Result<Regexp, RegexpError>,
    },
    /// Computed for each node that the filter tests. A value that is not a string matches nothing.
    Computed(Operand),
}

impl Pattern {
    pub(super) fn new(operand: Operand, entire: bool) -> Pattern {
        match &operand {
            Operand::Literal(Literal::String(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => Pattern::Constant {
                    text: text.into(),
                    compiled: Regexp::new(text, entire),
                },
                Err(_) => Pattern::Computed(operand),
            },
            _ => Pattern::Computed(operand),
        }
    }
}
