//! Writes compiled paths as JSONPath, in the style of normalized paths: `$['a'][3]`.

use std::fmt::{self, Write};

use super::super::quoted;
use super::super::syntax_tree::{
    Comparison, Expression, FilterQuery, Function, Literal, Matches, Operand, Origin, Pattern,
    Reach, Segment, Selector,
};

/// Writes the segments after `$` or `@`.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, segments: &[Segment]) -> fmt::Result {
    for segment in segments {
        if segment.reach == Reach::Descendant {
            f.write_str("..")?;
        }
        write_separated(f, "[", ",", &segment.selectors, write_selector)?;
        f.write_char(']')?;
    }
    Ok(())
}

fn write_separated<T>(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    separator: &str,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i == 0 { open } else { separator })?;
        write(f, item)?;
    }
    Ok(())
}

fn write_selector(f: &mut fmt::Formatter<'_>, selector: &Selector) -> fmt::Result {
    match selector {
        Selector::Key(key)
        | Selector::KeyOrIndex { key, .. }
        | Selector::KeyOrSlice { key, .. } => quoted::write_normalized(f, key),
        Selector::Index(index) => write!(f, "{index}"),
        Selector::Slice(slice) => write!(f, "{slice}"),
        Selector::Wildcard | Selector::Itself => f.write_char('*'),
        Selector::Filter(expression) => write!(f, "?{expression}"),
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Parentheses if an operand binds no tighter than its expression.
        let grouped = |f: &mut fmt::Formatter<'_>, part: &Expression| write!(f, "({part})");
        match self {
            Expression::Or(parts) => write_separated(f, "", "||", parts, |f, part| match part {
                Expression::Or(_) => grouped(f, part),
                _ => part.fmt(f),
            }),
            Expression::And(parts) => write_separated(f, "", "&&", parts, |f, part| match part {
                Expression::Or(_) | Expression::And(_) => grouped(f, part),
                _ => part.fmt(f),
            }),
            Expression::Not(part) => match &**part {
                Expression::Exists(_) | Expression::Matches(_) => write!(f, "!{part}"),
                _ => write!(f, "!({part})"),
            },
            Expression::Compare {
                left,
                comparison,
                right,
            } => write!(f, "{left}{comparison}{right}"),
            Expression::Exists(query) => query.fmt(f),
            Expression::Matches(matches) => matches.fmt(f),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        })
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Literal(literal) => literal.fmt(f),
            Operand::Query(query) => query.fmt(f),
            Operand::OfValue(function, of) => {
                write!(f, "{}({of})", Function::OfValue(*function).name())
            }
            Operand::OfNodes(function, query) => {
                write!(f, "{}({query})", Function::OfNodes(*function).name())
            }
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Number(text) => f.write_str(text),
            Literal::String(bytes) => quoted::write_normalized(f, bytes),
        }
    }
}

impl fmt::Display for FilterQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(f)?;
        write(f, &self.segments)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Root => f.write_char('$'),
            Origin::Current => f.write_char('@'),
        }
    }
}

impl fmt::Display for Matches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({},", self.name(), self.subject)?;
        match &self.pattern {
            Pattern::Constant { text, .. } => quoted::write_normalized(f, text.as_bytes())?,
            Pattern::Computed(operand) => write!(f, "{operand}")?,
        }
        f.write_char(')')
    }
}
