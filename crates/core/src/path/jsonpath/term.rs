//! Terms of expressions: operands of comparisons, tests, and arguments.

use super::super::cursor::Cursor;
use super::super::error::Fault;
use super::super::syntax_tree::{Comparison, Expression, FilterQuery, Operand};

/// The side of a comparison that a term is on, for errors about bare words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A term whose role as an operand, a test or an argument is not known yet.
pub(super) enum Term {
    /// A constant, or a function whose result is a value.
    Value(Operand),
    Query(FilterQuery),
    /// A call of `match` or `search`.
    Test(Expression),
}

impl Term {
    /// Converts it to a test; it begins at `at`.
    pub fn into_test(self, at: usize) -> Result<Expression, Fault> {
        match self {
            Term::Query(query) => Ok(Expression::Exists(query)),
            Term::Test(test) => Ok(test),
            Term::Value(Operand::Literal(_)) => Err(Fault::at(
                at,
                "a constant alone is not a condition; compare it with something",
            )),
            Term::Value(_) => Err(Fault::at(
                at,
                "a value alone is not a condition; compare it with something",
            )),
        }
    }

    /// Converts it to an operand; it begins at `at`.
    pub fn into_operand(self, at: usize) -> Result<Operand, Fault> {
        match self {
            Term::Value(value) => Ok(value),
            Term::Query(query) if query.is_singular() => Ok(Operand::Query(query)),
            Term::Query(_) => Err(Fault::at(
                at,
                "one value is needed here, and this path may select several",
            )),
            Term::Test(_) => Err(not_comparable(at)),
        }
    }
}

pub(super) fn not_comparable(at: usize) -> Fault {
    Fault::at(at, "match() and search() are true or false, not a value")
}

/// Parses a comparison operator and the blank space around it, if there is one.
pub(super) fn comparison(cursor: &mut Cursor<'_>) -> Result<Option<Comparison>, Fault> {
    let mut ahead = *cursor;
    ahead.skip_blank();
    let start = ahead.at;
    let wrong = match ahead.take_while(|c| matches!(c, '=' | '!' | '<' | '>' | '~')) {
        "" => return Ok(None),
        "==" => Ok(Comparison::Equal),
        "!=" => Ok(Comparison::NotEqual),
        "<" => Ok(Comparison::Less),
        "<=" => Ok(Comparison::LessOrEqual),
        ">" => Ok(Comparison::Greater),
        ">=" => Ok(Comparison::GreaterOrEqual),
        "=" | "===" => Err(Some("==")),
        "<>" | "!==" => Err(Some("!=")),
        "=<" => Err(Some("<=")),
        "=>" => Err(Some(">=")),
        _ => Err(None),
    };
    match wrong {
        Ok(comparison) => {
            ahead.skip_blank();
            *cursor = ahead;
            Ok(Some(comparison))
        }
        Err(Some(right)) => Err(
            Fault::at(start, format!("this operator is written `{right}`"))
                .repair(start..ahead.at, right),
        ),
        Err(None) => Err(Fault::at(
            start,
            "expected a comparison: `==`, `!=`, `<`, `<=`, `>`, `>=`; patterns are for match() and \
             search()",
        )),
    }
}
