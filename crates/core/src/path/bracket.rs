//! `[…]`: what the dot path and JSONPath share.

use super::Dialect;
use super::cursor::{Cursor, is_blank};
use super::error::Fault;
use super::quoted;
use super::segment::{Selector, Slice};

/// Reads a bracketed list of selectors; the cursor stands at `[`.
pub(super) fn read(cursor: &mut Cursor<'_>, dialect: Dialect) -> Result<Vec<Selector>, Fault> {
    let open = cursor.at;
    cursor.bump();
    cursor.skip_blank();
    if cursor.eat("]") {
        if dialect == Dialect::Dot {
            return Ok(vec![Selector::Wildcard]);
        }
        return Err(
            Fault::at(open, "`[]` selects nothing; `[*]` selects everything")
                .repair(open..cursor.at, "[*]"),
        );
    }
    let mut selectors = Vec::new();
    loop {
        let start = cursor.at;
        selectors.push(selector(cursor, open, dialect)?);
        let end = cursor.at;
        cursor.skip_blank();
        match cursor.peek() {
            Some(']') => {
                cursor.bump();
                return Ok(selectors);
            }
            Some(',') => {
                let comma = cursor.at;
                cursor.bump();
                cursor.skip_blank();
                if let Some(']') = cursor.peek() {
                    return Err(Fault::at(comma, "expected a selector after the comma")
                        .repair(comma..cursor.at, ""));
                }
            }
            None => {
                return Err(Fault::at(open, "this `[` is never closed").repair(end..cursor.at, "]"));
            }
            Some(c) if cursor.at == end && is_word(c) => {
                return Err(unquoted(cursor, start, dialect));
            }
            Some(_) => {
                return Err(cursor.expected("`,` or `]`").repair(end..cursor.at, ", "));
            }
        }
    }
}

fn selector(cursor: &mut Cursor<'_>, open: usize, dialect: Dialect) -> Result<Selector, Fault> {
    let start = cursor.at;
    match cursor.peek() {
        Some('"' | '\'') => {
            let key = quoted::read(cursor, dialect == Dialect::Dot)?;
            Ok(Selector::Key(key))
        }
        Some('*') => {
            cursor.bump();
            Ok(Selector::Wildcard)
        }
        Some('0'..='9' | '-' | '+' | ':') => index_or_slice(cursor),
        Some('?') if dialect == Dialect::Dot => {
            let fault = cursor.fault("filters belong to JSONPath, which begins with `$`");
            let dot = usize::from(cursor.text.starts_with(".["));
            Err(fault.repair(0..dot, "$"))
        }
        Some(',') => {
            let fault = cursor.fault("expected a selector before the comma");
            cursor.bump();
            cursor.skip_blank();
            Err(fault.repair(start..cursor.at, ""))
        }
        Some('(') => {
            let fault = cursor.fault("expressions in parentheses are not part of JSONPath");
            let last = "(@.length-1)";
            Err(if cursor.eat(last) {
                fault.repair(start..cursor.at, "-1")
            } else {
                fault
            })
        }
        Some(c) if is_word(c) => Err(unquoted(cursor, start, dialect)),
        None => Err(Fault::at(open, "this `[` is never closed").repair(open..cursor.at, "")),
        Some(_) => Err(cursor.expected("a key in quotes, an index, a slice or `*`")),
    }
}

/// `3`, `-1`, `1:`, `:5`, `::2`
fn index_or_slice(cursor: &mut Cursor<'_>) -> Result<Selector, Fault> {
    let start = match cursor.peek() {
        Some(':') => None,
        _ => Some(cursor.integer()?),
    };
    let after_start = *cursor;
    cursor.skip_blank();
    if !cursor.eat(":") {
        *cursor = after_start;
        return match start {
            Some(index) => Ok(Selector::Index(index)),
            None => Err(cursor.expected("an index or a slice")),
        };
    }
    let end = bound(cursor)?;
    let after_end = *cursor;
    cursor.skip_blank();
    let step = if cursor.eat(":") {
        bound(cursor)?
    } else {
        *cursor = after_end;
        None
    };
    Ok(Selector::Slice(Slice { start, end, step }))
}

/// What may stand after a colon of a slice.
fn bound(cursor: &mut Cursor<'_>) -> Result<Option<i64>, Fault> {
    let after_colon = *cursor;
    cursor.skip_blank();
    match cursor.peek() {
        Some('0'..='9' | '-' | '+') => cursor.integer().map(Some),
        _ => {
            *cursor = after_colon;
            Ok(None)
        }
    }
}

/// A key without its quotes, from `start` to the next `]`, `,` or blank.
fn unquoted(cursor: &Cursor<'_>, start: usize, dialect: Dialect) -> Fault {
    let mut end = Cursor {
        at: start,
        ..*cursor
    };
    let word =
        end.take_while(|c| !matches!(c, ']' | ',' | '[' | '"' | '\'' | '\\') && !is_blank(c));
    let fault = Fault::at(start, "a key in brackets needs quotes");
    let quote = match dialect {
        Dialect::JsonPath => '\'',
        _ => '"',
    };
    fault.repair(start..end.at, format!("{quote}{word}{quote}"))
}

/// Characters that an unquoted key is likely to begin with.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '$' | '/')
}
