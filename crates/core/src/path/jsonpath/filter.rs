//! Filter expressions: RFC 9535, section 2.3.5, with the type checks of section 2.4.3.

use std::ops::Range;

use super::super::MAX_NESTING;
use super::super::cursor::{Cursor, is_blank};
use super::super::error::Fault;
use super::super::quoted;
use super::super::syntax_tree::{Comparison, Expression, FilterQuery, Literal, Operand, Origin};
use super::term::{Side, Term, comparison, not_comparable};
use super::{function, is_name_first, segments};

/// Parses `?` and the expression after it.
///
/// The functions here recurse once per level of nesting, so the levels are counted: see [`nested`].
pub(in super::super) fn filter(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    nested(cursor, |cursor| {
        cursor.bump();
        cursor.skip_blank();
        expression(cursor)
    })
}

/// Parses an expression, without the blank space after it.
fn expression(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let mut parts = vec![conjunction(cursor)?];
    while operator(cursor, "||", "or")? {
        parts.push(conjunction(cursor)?);
    }
    Ok(match parts.len() {
        1 => parts.swap_remove(0),
        _ => Expression::Or(parts),
    })
}

fn conjunction(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let mut parts = vec![basic(cursor)?];
    while operator(cursor, "&&", "and")? {
        parts.push(basic(cursor)?);
    }
    Ok(match parts.len() {
        1 => parts.swap_remove(0),
        _ => Expression::And(parts),
    })
}

/// Parses an operator, if there is one, and the blank space around it.
fn operator(cursor: &mut Cursor<'_>, symbol: &str, word: &str) -> Result<bool, Fault> {
    let mut ahead = *cursor;
    ahead.skip_blank();
    let start = ahead.at;
    if ahead.eat(symbol) {
        ahead.skip_blank();
        *cursor = ahead;
        return Ok(true);
    }
    let single = ahead.eat(&symbol[..1]);
    if single && symbol == "||" {
        let mut piped = ahead;
        piped.skip_blank();
        let word = piped.take_while(|c| c.is_ascii_alphabetic() || c == '_');
        if !word.is_empty() && piped.peek() == Some('(') {
            return Err(Fault::at(
                start,
                "a filter has no pipes: a function takes its input as an argument, as in `search(@.name, 'x')`",
            ));
        }
    }
    if single
        || ahead
            .take_while(|c| c.is_ascii_alphabetic())
            .eq_ignore_ascii_case(word)
    {
        return Err(
            Fault::at(start, format!("this operator is written `{symbol}`"))
                .repair(start..ahead.at, symbol),
        );
    }
    Ok(false)
}

/// Runs `read` one nesting level deeper, for an expression that begins here.
pub(super) fn nested<T>(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    if cursor.nesting == MAX_NESTING {
        return Err(too_deep(cursor));
    }
    cursor.nesting += 1;
    let read = read(cursor);
    cursor.nesting -= 1;
    read
}

fn too_deep(cursor: &Cursor<'_>) -> Fault {
    cursor.fault(format!(
        "a filter is nested at most {MAX_NESTING} levels deep"
    ))
}

/// `(…)`, `@.a`, `@.a < 1`, and `!` before the first two.
fn basic(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let start = cursor.at;
    if !cursor.eat("!") {
        return match cursor.peek() {
            Some('(') => nested(cursor, group),
            _ => test_or_comparison(cursor),
        };
    }
    cursor.skip_blank();
    let inner = cursor.at;
    let negated = match cursor.peek() {
        Some('(') => nested(cursor, group)?,
        Some('!') => return Err(twice_negated(cursor, start)),
        _ => test_or_comparison(cursor)?,
    };
    match negated {
        Expression::Compare { .. } if !cursor.text[inner..].starts_with('(') => {
            Err(negated_comparison(cursor, start, inner))
        }
        negated => Ok(Expression::Not(Box::new(negated))),
    }
}

fn twice_negated(cursor: &Cursor<'_>, start: usize) -> Fault {
    let fault = cursor.fault("only one `!` is allowed");
    fault.repair(start..cursor.at + 1, "")
}

fn negated_comparison(cursor: &Cursor<'_>, start: usize, inner: usize) -> Fault {
    let compared = &cursor.text[inner..cursor.at];
    Fault::at(start, "a comparison needs parentheses after `!`")
        .repair(inner..cursor.at, format!("({compared})"))
}

/// `(…)`; the cursor is at the parenthesis.
fn group(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let open = cursor.at;
    cursor.bump();
    cursor.skip_blank();
    let inside = expression(cursor)?;
    let end = cursor.at;
    cursor.skip_blank();
    if !cursor.eat(")") {
        return Err(no_parenthesis(cursor, open, end));
    }
    let mut ahead = *cursor;
    match comparison(&mut ahead)? {
        None => Ok(inside),
        Some(_) => Err(compared_group(cursor, open)),
    }
}

fn no_parenthesis(cursor: &Cursor<'_>, open: usize, end: usize) -> Fault {
    match cursor.peek() {
        None | Some(']') => {
            Fault::at(open, "this parenthesis is never closed").repair(end..end, ")")
        }
        _ => cursor.expected("an operator or `)`"),
    }
}

fn compared_group(cursor: &Cursor<'_>, open: usize) -> Fault {
    let inside = cursor.text[open + 1..cursor.at - 1].trim_matches(is_blank);
    Fault::at(
        open,
        "parentheses hold a condition, which cannot be compared",
    )
    .repair(open..cursor.at, inside)
}

/// `@.a`, `@.a < 1`, `match(@.a, 'x')`
fn test_or_comparison(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let start = cursor.at;
    let left = term(cursor, Side::Left)?;
    let end = cursor.at;
    let Some(comparison) = comparison(cursor)? else {
        return left.into_test(start);
    };
    let right_start = cursor.at;
    let right = term(cursor, Side::Right)?;
    join(
        cursor,
        (left, start..end),
        comparison,
        (right, right_start..cursor.at),
    )
}

/// A comparison of two terms, each with its range. A function of its own, because the one that calls it is nested.
#[inline(never)]
fn join(
    cursor: &Cursor<'_>,
    (left, left_at): (Term, Range<usize>),
    comparison: Comparison,
    (right, right_at): (Term, Range<usize>),
) -> Result<Expression, Fault> {
    let start = left_at.start;
    if let Term::Test(_) = left {
        let fault = not_comparable(start);
        return Err(match (comparison, &cursor.text[right_at.clone()]) {
            (Comparison::Equal, "true") => fault.repair(left_at.end..right_at.end, ""),
            _ => fault,
        });
    }
    let left = left.into_operand(start)?;
    Ok(Expression::Compare {
        left,
        comparison,
        right: right.into_operand(right_at.start)?,
    })
}

/// Parses a term on this side of a comparison.
fn term(cursor: &mut Cursor<'_>, side: Side) -> Result<Term, Fault> {
    match cursor.peek() {
        Some(c @ ('@' | '$')) => {
            cursor.bump();
            let origin = match c {
                '@' => Origin::Current,
                _ => Origin::Root,
            };
            let segments = segments(cursor)?;
            Ok(Term::Query(FilterQuery { origin, segments }))
        }
        Some('"' | '\'') => {
            let string = quoted::read(cursor, false)?;
            Ok(Term::Value(Operand::Literal(Literal::String(string))))
        }
        Some('0'..='9' | '-' | '+') => {
            let number = number(cursor)?;
            Ok(Term::Value(Operand::Literal(Literal::Number(number))))
        }
        Some(c) if is_name_first(c) => word(cursor, side),
        _ => Err(no_term(cursor, side)),
    }
}

/// An error for a missing term.
fn no_term(cursor: &Cursor<'_>, side: Side) -> Fault {
    let at = cursor.at;
    match cursor.peek() {
        Some('.') if cursor.peek_second().is_some_and(|c| c.is_ascii_digit()) => cursor
            .fault("a number begins with a digit")
            .repair(at..at, "0"),
        Some('[' | '{') if side == Side::Right => {
            cursor.fault("constants are strings, numbers, `true`, `false` and `null`")
        }
        Some('.' | '[') => cursor
            .fault("a path in a filter begins with `@`")
            .repair(at..at, "@"),
        Some(c) if quoted::is_typographic(c) => quoted::typographic(cursor),
        _ => cursor.expected("a path, a constant or a function"),
    }
}

/// `true`, `false`, `null`, or a function.
fn word(cursor: &mut Cursor<'_>, side: Side) -> Result<Term, Fault> {
    let start = cursor.at;
    let word = cursor.take_while(|c| is_name_first(c) || c.is_ascii_digit());
    if cursor.peek() == Some('(') {
        return nested(cursor, |cursor| function::call(cursor, start, word, term));
    }
    let literal = match word {
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        "null" => Literal::Null,
        _ => return Err(stray_word(cursor, start, word, side)),
    };
    Ok(Term::Value(Operand::Literal(literal)))
}

/// An error for an unknown word at `start`.
fn stray_word(cursor: &Cursor<'_>, start: usize, word: &str, side: Side) -> Fault {
    let mut ahead = *cursor;
    ahead.skip_blank();
    let range = start..cursor.at;
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "true" | "false" | "null" => {
            Fault::at(start, "constants are written in lower case").repair(range, lower)
        }
        "none" | "nil" | "undefined" => {
            Fault::at(start, "the constant is `null`").repair(range, "null")
        }
        "not" if side == Side::Left => {
            Fault::at(start, "this operator is written `!`").repair(start..ahead.at, "!")
        }
        _ if ahead.peek() == Some('(') && function::is_name(word) => Fault::at(
            cursor.at,
            "no space is allowed between a function and its parenthesis",
        )
        .repair(cursor.at..ahead.at, ""),
        _ if side == Side::Left => {
            Fault::at(start, "a path in a filter begins with `@`").repair(start..start, "@.")
        }
        _ if word.starts_with(quoted::is_typographic) => quoted::typographic(&Cursor {
            at: start,
            ..*cursor
        }),
        _ => Fault::at(start, "a string needs quotes").repair(range, format!("'{word}'")),
    }
}

/// Parses a JSON number, kept as text.
fn number(cursor: &mut Cursor<'_>) -> Result<Box<str>, Fault> {
    let start = cursor.at;
    if cursor.peek() == Some('+') {
        return Err(cursor
            .fault("a number has no plus sign")
            .repair(start..start + 1, ""));
    }
    cursor.eat("-");
    let from = cursor.at;
    let whole = digits(cursor)?;
    if whole.len() > 1 && whole.starts_with('0') {
        let zeros = whole.len() - whole.trim_start_matches('0').len().max(1);
        return Err(Fault::at(from, "a number has no leading zeros").repair(from..from + zeros, ""));
    }
    if cursor.eat(".") {
        digits(cursor)?;
    }
    if cursor.eat("e") || cursor.eat("E") {
        if !cursor.eat("+") {
            cursor.eat("-");
        }
        digits(cursor)?;
    }
    Ok(cursor.text[start..cursor.at].into())
}

fn digits<'t>(cursor: &mut Cursor<'t>) -> Result<&'t str, Fault> {
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    if !digits.is_empty() {
        return Ok(digits);
    }
    let fault = cursor.expected("a digit");
    let at = cursor.at;
    cursor.take_while(is_blank);
    Err(match cursor.peek() {
        Some('.') if cursor.text[..at].ends_with('-') => fault.repair(at..at, "0"),
        Some('0'..='9') => fault.repair(at..cursor.at, ""),
        _ if cursor.text[..at].ends_with('.') => fault.repair(at..at, "0"),
        _ => fault,
    })
}
