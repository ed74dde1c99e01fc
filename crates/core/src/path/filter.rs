//! The expressions of JSONPath filters, after parsing and type checks: RFC 9535, sections 2.3.5 and
//! 2.4. What RFC 9535 calls well-typedness holds by construction.

use super::printable::printable;
use super::regexp::Pattern;
use super::segment::{Segment, Selector, are_singular};

/// Something that is true or false of a node, called the current node.
///
/// Nested at most [`MAX_NESTING`](super::MAX_NESTING) levels deep, whatever the text of the path is,
/// so walking it by recursion is safe.
///
/// ```
/// use jsonx_core::path::{Comparison, Expression, Literal, Operand, Path, Selector};
/// let path = Path::parse("$[?@.price < 10]")?;
/// let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { unreachable!() };
/// let Expression::Compare { left, comparison, right } = &**filter else { unreachable!() };
/// assert_eq!(left.to_string(), "@['price']");
/// assert_eq!(*comparison, Comparison::Less);
/// assert_eq!(*right, Operand::Literal(Literal::Number("10".into())));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
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
    pub pattern: Pattern,
}

/// Finds patterns that can match nothing, in all filters of a path.
pub(super) fn warn_of_segments(segments: &[Segment], warnings: &mut Vec<String>) {
    for selector in segments.iter().flat_map(|segment| &segment.selectors) {
        if let Selector::Filter(expression) = selector {
            warn_of_expression(expression, warnings);
        }
    }
}

fn warn_of_expression(expression: &Expression, warnings: &mut Vec<String>) {
    match expression {
        Expression::Or(parts) | Expression::And(parts) => {
            parts
                .iter()
                .for_each(|part| warn_of_expression(part, warnings));
        }
        Expression::Not(part) => warn_of_expression(part, warnings),
        Expression::Compare { left, right, .. } => {
            warn_of_operand(left, warnings);
            warn_of_operand(right, warnings);
        }
        Expression::Exists(query) => warn_of_segments(&query.segments, warnings),
        Expression::Matches(matches) => {
            warn_of_operand(&matches.subject, warnings);
            match &matches.pattern {
                Pattern::Constant {
                    text,
                    compiled: Err(error),
                } => warnings.push(format!(
                    "{}() is always false: in `{}`, {error}",
                    if matches.entire { "match" } else { "search" },
                    printable(text),
                )),
                Pattern::Constant { .. } => {}
                Pattern::Computed(operand) => warn_of_operand(operand, warnings),
            }
        }
    }
}

fn warn_of_operand(operand: &Operand, warnings: &mut Vec<String>) {
    match operand {
        Operand::Literal(_) => {}
        Operand::Query(query) | Operand::Count(query) | Operand::Value(query) => {
            warn_of_segments(&query.segments, warnings);
        }
        Operand::Length(of) => warn_of_operand(of, warnings),
    }
}
