//! Function extensions: RFC 9535, section 2.4.

use super::super::cursor::Cursor;
use super::super::error::Fault;
use super::super::syntax_tree::{Expression, FilterQuery, Function, Matches, Operand, Pattern};
use super::term::{Side, Term, comparison};
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
            "there is no such function: the functions are length, count, value, match and search",
        );
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
            Term::Value(Operand::OfNodes(function, nodes(cursor, name, read)?))
        }
        Function::Matches { entire } => {
            if cfg!(not(feature = "regex")) {
                return Err(Fault::at(start, "this build has no regular expressions"));
            }
            let subject = value(cursor, name, read)?;
            cursor.skip_blank();
            if !cursor.eat(",") {
                return Err(cursor.expected(&format!("`,`: {name}() takes a string and a pattern")));
            }
            cursor.skip_blank();
            let pattern = Pattern::new(value(cursor, name, read)?, entire);
            Term::Test(Expression::Matches(Box::new(Matches {
                entire,
                subject,
                pattern,
            })))
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
