//! The expressions of JSONPath filters, after parsing and type checks: RFC 9535, sections 2.3.5 and
//! 2.4. What RFC 9535 calls well-typedness holds by construction.

use super::regexp::Pattern;
use super::segment::{Segment, Selector, are_singular};
use crate::terminal::sanitize;

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
    Exists(FilterQuery),
    /// `match(…)`, `search(…)`
    Matches(Box<Matches>),
}

/// A path inside a filter: as the path around it, but for where it starts.
///
/// ```
/// use jsonx_core::path::{Expression, Origin, Path, Selector};
///
/// let path = Path::parse("$[?@.tags[0]]")?;
/// let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { unreachable!() };
/// let Expression::Exists(query) = &**filter else { unreachable!() };
/// assert_eq!(query.origin, Origin::Current);
/// assert_eq!(query.segments, Path::parse("$.tags[0]")?.segments());
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterQuery {
    /// Where it starts.
    pub origin: Origin,
    /// Its steps.
    pub segments: Vec<Segment>,
}

impl FilterQuery {
    /// Whether it can select at most one node, by its form and not by the document; only then it can be compared.
    ///
    /// ```
    /// use jsonx_core::path::{Origin, Path, FilterQuery};
    ///
    /// let is_singular = |path: &str| {
    ///     let segments = Path::parse(path)?.segments().to_vec();
    ///     Ok(FilterQuery { origin: Origin::Current, segments }.is_singular())
    /// };
    /// assert!(is_singular("$.a[-1]")? && is_singular("$")?);
    /// assert!(!is_singular("$.a[0:1]")?);
    ///
    /// assert!(Path::parse("$[?@.a[0:1]]").is_ok());
    /// assert!(Path::parse("$[?@.a[0:1] == 1]").is_err());
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn is_singular(&self) -> bool {
        are_singular(&self.segments)
    }
}

/// Where a [`FilterQuery`] starts.
///
/// ```
/// use jsonx_core::path::{Expression, Operand, Origin, Path, Selector};
///
/// let path = Path::parse("$.items[?@.id == $.chosen]")?;
/// let Selector::Filter(filter) = &path.segments()[1].selectors[0] else { unreachable!() };
/// let Expression::Compare { left: Operand::Query(item), right: Operand::Query(whole), .. } = &**filter else {
///     unreachable!()
/// };
/// assert_eq!((item.origin, whole.origin), (Origin::Current, Origin::Root));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `$`: the whole document.
    Root,
    /// `@`: the node that the filter is asked about.
    Current,
}

/// The operators between two values.
///
/// ```
/// use jsonx_core::path::{Comparison, Expression, Path, Selector};
///
/// let path = Path::parse("$[?10 >= @.price]")?;
/// let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { unreachable!() };
/// // Kept as it is written: the sides are not swapped.
/// assert!(matches!(**filter, Expression::Compare { comparison: Comparison::GreaterOrEqual, .. }));
///
/// let error = Path::parse("$[?@.price = 10]").unwrap_err();
/// assert_eq!(error.suggestion.as_deref(), Some("$[?@.price == 10]"));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
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
///
/// ```
/// use jsonx_core::path::{Expression, Literal, Operand, Path, Selector};
///
/// let path = Path::parse("$[?length(@.name) > count(@..id)]")?;
/// let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { unreachable!() };
/// let Expression::Compare { left, right, .. } = &**filter else { unreachable!() };
/// assert!(matches!(left, Operand::Length(of) if matches!(**of, Operand::Query(_))));
/// assert!(matches!(right, Operand::Count(query) if !query.is_singular()));
///
/// assert_eq!(right.to_string(), "count(@..['id'])");
/// assert_eq!(Operand::Literal(Literal::Null).to_string(), "null");
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Literal(Literal),
    /// The value of the node that a singular query selects, or nothing.
    Query(FilterQuery),
    /// `length(…)`: characters of a string, elements of an array, members of an object; of anything
    /// else nothing.
    Length(Box<Operand>),
    /// `count(…)`: how many nodes the query selects, duplicates counted.
    Count(FilterQuery),
    /// `value(…)`: the value of the node, when the query selects exactly one; otherwise nothing.
    Value(FilterQuery),
}

/// A constant in a filter: numbers as they are written, strings decoded.
///
/// ```
/// use jsonx_core::path::{Expression, Literal, Operand, Path, Selector};
///
/// let constant = |text: &str| {
///     let path = Path::parse(&format!("$[?@ == {text}]")).ok()?;
///     let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { return None };
///     match &**filter {
///         Expression::Compare { right: Operand::Literal(literal), .. } => Some(literal.clone()),
///         _ => None,
///     }
/// };
/// assert_eq!(constant("1.50e1"), Some(Literal::Number("1.50e1".into())));
/// assert_eq!(constant(r"'\u00e9'"), Some(Literal::String("é".as_bytes().into())));
/// assert_eq!(constant("true"), Some(Literal::Bool(true)));
/// assert_eq!(constant("True"), None);
/// ```
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
///
/// ```
/// # #[cfg(feature = "regex")] {
/// use jsonx_core::path::{Expression, Path, Pattern, Selector};
///
/// let path = Path::parse("$[?search(@.name, 'web')]")?;
/// let Selector::Filter(filter) = &path.segments()[0].selectors[0] else { unreachable!() };
/// let Expression::Matches(matches) = &**filter else { unreachable!() };
/// assert!(!matches.entire);
/// assert_eq!(matches.subject.to_string(), "@['name']");
/// assert!(matches!(&matches.pattern, Pattern::Constant { text, .. } if &**text == "web"));
/// # }
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
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
                    sanitize(text),
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
