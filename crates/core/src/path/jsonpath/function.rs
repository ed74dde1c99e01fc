//! Function extensions: RFC 9535, section 2.4.

use super::super::cursor::Cursor;
use super::super::error::Fault;
use super::super::syntax_tree::{
    Expression, FilterQuery, Function, Literal, Matches, NodesFunction, Operand, Origin, Pattern,
};
use super::term::{Side, Term, any, comparison};
use crate::string::edit_distance;

/// Parses a term of an expression, used for arguments.
type ReadTerm = fn(&mut Cursor<'_>, Side) -> Result<Term, Fault>;

pub(super) fn is_name(word: &str) -> bool {
    Function::of_name(word).is_some()
}

/// Parses the arguments of the function `name` at `start`; the cursor is at its parenthesis. `read` parses a term.
pub(super) fn call(
    cursor: &mut Cursor<'_>,
    start: usize,
    name: &str,
    read: ReadTerm,
) -> Result<Term, Fault> {
    let Some(function) = Function::of_name(name) else {
        let fault = Fault::at(
            start,
            "there is no such function: the functions are length, count, value, key, match and search, and in any case \
             imatch and isearch",
        );
        if name == "select" && cursor.is_filter {
            // As in jq.
            return Err(
                Fault::at(start, "a filter is the condition alone, without `select`")
                    .repair(start..cursor.at, ""),
            );
        }
        // At most a third of the letters are wrong.
        let bound = (name.len() / 3).clamp(1, 2) + 1;
        let lower = name.to_ascii_lowercase();
        let edits = |other: &str| edit_distance(lower.as_bytes(), other.as_bytes(), bound);
        let near = Function::ALL
            .iter()
            .filter_map(|(other, _)| Some((edits(other)?, *other)))
            .min();
        return Err(match near {
            Some((_, near)) => fault.repair(start..cursor.at, near),
            None => fault,
        });
    };
    cursor.bump();
    cursor.skip_blank();
    let call = match function {
        Function::OfValue(function) => Term::Value(Operand::OfValue(
            function,
            Box::new(value(cursor, name, read)?),
        )),
        Function::OfNodes(function) => {
            let at = cursor.at;
            let query = nodes(cursor, name, read)?;
            let is_itself = query.origin != Origin::Root && query.segments.is_empty();
            if function == NodesFunction::Key && !is_itself {
                return Err(Fault::at(
                    at,
                    "key() takes the tested value itself, as in `key(@)`",
                ));
            }
            Term::Value(Operand::OfNodes(function, query))
        }
        Function::Matches { entire, any_case } => {
            if cfg!(not(feature = "regex")) {
                return Err(Fault::at(start, "this build has no regular expressions"));
            }
            let at = cursor.at;
            let subject = argument(cursor, name, "a value", read)?;
            cursor.skip_blank();
            if !cursor.eat(",") {
                return Err(cursor.expected(&format!("`,`: {name}() takes a string and a pattern")));
            }
            cursor.skip_blank();
            let pattern = Pattern::new(value(cursor, name, read)?, entire, any_case);
            matches(cursor, (subject, at), pattern, [entire, any_case])?
        }
    };
    let end = cursor.at;
    cursor.skip_blank();
    if cursor.eat(")") {
        return Ok(call);
    }
    Err(match cursor.peek() {
        Some(',') => cursor.fault(match function {
            Function::Matches { .. } => format!("{name}() takes two arguments"),
            _ => format!("{name}() takes one argument"),
        }),
        None | Some(']') => cursor.expected("`)`").repair(end..end, ")"),
        Some(_) => cursor.expected("`)`"),
    })
}

/// A call of `match` or `search`, in a filter by itself for any of several subjects. A function of its own, because the one that
/// calls it is nested.
#[inline(never)]
fn matches(
    cursor: &Cursor<'_>,
    (subject, at): (Term, usize),
    pattern: Pattern,
    [entire, any_case]: [bool; 2],
) -> Result<Term, Fault> {
    let other = match &pattern {
        Pattern::Constant { .. } => Operand::Literal(Literal::Null),
        Pattern::Computed(pattern) => pattern.clone(),
    };
    let test = |subject| {
        Expression::Matches(Box::new(Matches {
            entire,
            any_case,
            subject,
            pattern,
        }))
    };
    Ok(Term::Test(match subject {
        Term::Query(query) if cursor.is_filter && !query.is_singular() => {
            any(query, at, other, |node, _| test(node))?
        }
        subject => test(subject.into_operand(at)?),
    }))
}

/// Parses an argument that is one value.
fn value(cursor: &mut Cursor<'_>, name: &str, read: ReadTerm) -> Result<Operand, Fault> {
    let at = cursor.at;
    argument(cursor, name, "a value", read)?.into_operand(at)
}

/// Parses an argument that is a list of nodes.
fn nodes(cursor: &mut Cursor<'_>, name: &str, read: ReadTerm) -> Result<FilterQuery, Fault> {
    let at = cursor.at;
    match argument(cursor, name, "a path", read)? {
        Term::Query(query) => Ok(query),
        _ => Err(Fault::at(at, format!("{name}() takes a path"))),
    }
}

fn argument(
    cursor: &mut Cursor<'_>,
    name: &str,
    wanted: &str,
    read: ReadTerm,
) -> Result<Term, Fault> {
    let at = cursor.at;
    let condition = || Fault::at(at, format!("{name}() takes {wanted} here, not a condition"));
    match cursor.peek() {
        Some(')') => return Err(cursor.fault(format!("{name}() needs {wanted} here"))),
        Some('(' | '!') => return Err(condition()),
        _ => {}
    }
    let term = read(cursor, Side::Left)?;
    let mut ahead = *cursor;
    if comparison(&mut ahead)?.is_some() {
        return Err(condition().repair(cursor.at..cursor.at, ")"));
    }
    ahead.skip_blank();
    if ahead.rest().starts_with("&&") || ahead.rest().starts_with("||") {
        return Err(condition());
    }
    Ok(term)
}
