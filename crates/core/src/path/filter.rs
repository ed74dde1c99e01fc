//! The expressions of JSONPath filters, after parsing and type checks: RFC 9535, sections 2.3.5 and
//! 2.4. What RFC 9535 calls well-typedness holds by construction.

use super::segment::{Segment, are_singular};

/// Something that is true or false of a node, called the current node.
///
/// Nested at most [`MAX_NESTING`](super::MAX_NESTING) levels deep, whatever the text of the path is,
/// so walking it by recursion is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `a || b`: at least two, of which one must hold.
    Or(Vec<Expression>),
    /// `a && b`: at least two, all of which must hold.
    And(Vec<Expression>),
    /// `!a`
    Not(Box<Expression>),
    /// `a < b`
    Compare {
        /// What stands left of the operator.
        left: Operand,
        /// The operator.
        comparison: Comparison,
        /// What stands right of the operator.
        right: Operand,
    },
    /// `@.a`: the query selects at least one node, were it `null` or `false`.
    Exists(Query),
    /// `match(…)`, `search(…)`
    Matches(Box<Matches>),
}

/// A path inside a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Where it starts.
    pub origin: Origin,
    /// Its steps.
    pub segments: Vec<Segment>,
}

impl Query {
    /// Whether it can select at most one node.
    pub fn is_singular(&self) -> bool {
        are_singular(&self.segments)
    }
}

/// Where a [`Query`] starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `$`: the whole document.
    Root,
    /// `@`: the node that the filter is asked about.
    Current,
}

/// The operators between two values.
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

/// A value, or nothing: nothing equals nothing and no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Literal(Literal),
    /// The value of the node that a singular query selects, or nothing.
    Query(Query),
    /// `length(…)`: characters of a string, elements of an array, members of an object; of anything
    /// else nothing.
    Length(Box<Operand>),
    /// `count(…)`: how many nodes the query selects, duplicates counted.
    Count(Query),
    /// `value(…)`: the value of the node, when the query selects exactly one; otherwise nothing.
    Value(Query),
}

/// A constant in a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A JSON number, as it is written (RFC 9535 also allows `-0`).
    Number(Box<str>),
    /// A string, decoded, in UTF-8.
    String(Box<[u8]>),
}

/// `match(subject, pattern)` and `search(subject, pattern)`: false when either is no string, or the
/// pattern no I-Regexp (RFC 9485).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matches {
    /// `match`: the pattern covers all of the subject; otherwise `search`: some part of it.
    pub entire: bool,
    /// The string looked at.
    pub subject: Operand,
    /// The I-Regexp.
    pub pattern: Operand,
}
