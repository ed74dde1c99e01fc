//! Bracketed selectors, `[…]`, shared by the dot path and JSONPath.

use std::fmt::{self, Write};
use std::ops::Range;

use super::cursor::{Cursor, is_blank};
use super::error::Fault;
use super::quoted;
use super::slice::Slice;
use super::syntax_tree::{Expression, Filter, Selector};

/// Parses a filter from its `?` on.
pub(super) type ReadFilter = fn(&mut Cursor<'_>) -> Result<Expression, Fault>;

/// The differences between the two notations.
pub(super) struct Syntax {
    /// Parses a filter, if the notation has them. The cursor is at its `?`.
    pub filter: Option<ReadFilter>,
    /// The quote that a suggestion puts around a key.
    pub quote: char,
    /// `[]` selects every element, and a key may contain lone surrogates.
    pub is_dot_path: bool,
}

/// Parses a bracketed list of selectors; the cursor is at `[`.
pub(super) fn read(cursor: &mut Cursor<'_>, syntax: &Syntax) -> Result<Vec<Selector>, Fault> {
    let open = cursor.at;
    cursor.bump();
    cursor.skip_blank();
    if syntax.is_dot_path && cursor.eat("]") {
        return Ok(vec![Selector::Wildcard]);
    }
    // There is nearly always exactly one.
    let mut selectors = Vec::with_capacity(1);
    loop {
        let start = cursor.at;
        selectors.push(selector(cursor, open, syntax)?);
        let end = cursor.at;
        cursor.skip_blank();
        if cursor.eat("]") {
            return Ok(selectors);
        }
        if !cursor.eat(",") {
            let is_index = matches!(selectors.last(), Some(Selector::Index(_)));
            return Err(if is_index && cursor.at == end {
                not_an_index(cursor, open, start, syntax)
            } else {
                no_separator(cursor, open, end)
            });
        }
        cursor.skip_blank();
        if cursor.peek() == Some(']') {
            return Err(trailing_comma(cursor, end));
        }
    }
}

fn selector(cursor: &mut Cursor<'_>, open: usize, syntax: &Syntax) -> Result<Selector, Fault> {
    match cursor.peek() {
        Some('"' | '\'') => {
            let key = quoted::read(cursor, syntax.is_dot_path)?;
            Ok(Selector::Key(key))
        }
        Some('*') => {
            cursor.bump();
            Ok(Selector::Wildcard)
        }
        // In other languages, the place of a new element.
        Some('-' | '+') if cursor.peek_second() == Some(']') => Err(cursor.fault(
            "an index has digits: `[-1]` is the last element, and `/-` in a JSON Pointer the place after it",
        )),
        Some('0'..='9' | '-' | '+' | ':') => index_or_slice(cursor),
        next => match syntax.filter.filter(|_| next == Some('?')) {
            Some(filter) => {
                let from = cursor.at + 1;
                let expression = filter(cursor)?;
                let text = cursor.text[from..cursor.at].trim_matches(is_blank).into();
                Ok(Selector::Filter(Box::new(Filter { expression, text })))
            }
            None => Err(no_selector(cursor, open, syntax)),
        },
    }
}

/// An error for a missing selector in the bracket that begins at `open`.
fn no_selector(cursor: &mut Cursor<'_>, open: usize, syntax: &Syntax) -> Fault {
    let start = cursor.at;
    match cursor.peek() {
        None => Fault::at(open, NEVER_CLOSED).repair(open..start, ""),
        Some(']') => Fault::at(open, "`[]` selects nothing; `[*]` selects everything")
            .repair(open..start + 1, "[*]"),
        Some('?') => {
            let dot = usize::from(cursor.text.starts_with(".["));
            cursor
                .fault("filters belong to JSONPath, which begins with `$`")
                .repair(0..dot, "$")
        }
        Some(',') => {
            let fault = cursor.fault("expected a selector before the comma");
            cursor.bump();
            cursor.skip_blank();
            fault.repair(start..cursor.at, "")
        }
        Some('(') => {
            let fault = cursor.fault("expressions in parentheses are not part of JSONPath");
            if cursor.eat("(@.length-1)") {
                fault.repair(start..cursor.at, "-1")
            } else {
                fault
            }
        }
        Some(c) if quoted::is_typographic(c) => quoted::typographic(cursor),
        Some('@' | '$') if !syntax.is_dot_path => cursor
            .fault("a filter begins with `?`")
            .repair(start..start, "?"),
        Some(c) if is_word(c) => unquoted(cursor, start, syntax),
        Some(_) => cursor.expected("a key in quotes, an index, a slice or `*`"),
    }
}

/// An error for a character after the selector that ended at `end` that is neither `,` nor `]`.
fn no_separator(cursor: &Cursor<'_>, open: usize, end: usize) -> Fault {
    match cursor.peek() {
        None => never_closed(open, end..cursor.at),
        Some(_) if cursor.at > end => cursor.expected("`,` or `]`").repair(end..cursor.at, ", "),
        Some(_) => cursor.expected("`,` or `]`"),
    }
}

/// An error for a character directly after the digits that begin at `start`.
fn not_an_index(cursor: &Cursor<'_>, open: usize, start: usize, syntax: &Syntax) -> Fault {
    let end = cursor.at;
    match cursor.peek() {
        Some('.') if cursor.peek_second() == Some('.') => {
            Fault::at(end, "a slice is written with a colon").repair(end..end + 2, ":")
        }
        Some('-') if is_range(cursor) => {
            Fault::at(end, "a slice is written with a colon").repair(end..end + 1, ":")
        }
        Some('.') if !cursor.rest().contains(']') => never_closed(open, end..end),
        Some(c) if is_word(c) => unquoted(cursor, start, syntax),
        _ => no_separator(cursor, open, end),
    }
}

const NEVER_CLOSED: &str = "this `[` is never closed";

/// An error for the unclosed bracket at `open`. The repair closes it at `missing`.
fn never_closed(open: usize, missing: Range<usize>) -> Fault {
    Fault::at(open, NEVER_CLOSED).repair(missing, "]")
}

/// Whether `-3]` follows an index: a range as in other languages, not a date.
fn is_range(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.bump();
    !ahead.take_while(|c| c.is_ascii_digit()).is_empty() && ahead.peek() == Some(']')
}

/// An error for a comma before `]`, after the selector that ended at `end`.
fn trailing_comma(cursor: &Cursor<'_>, end: usize) -> Fault {
    let comma = cursor.text[end..].find(',').map_or(end, |at| end + at);
    Fault::at(comma, "expected a selector after the comma").repair(comma..cursor.at, "")
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

/// Parses the optional number after a colon of a slice.
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

/// An error for a key without quotes, from `start` to the next `]`, `,` or blank.
fn unquoted(cursor: &Cursor<'_>, start: usize, syntax: &Syntax) -> Fault {
    let mut end = Cursor {
        at: start,
        ..*cursor
    };
    let word =
        end.take_while(|c| !matches!(c, ']' | ',' | '[' | '"' | '\'' | '\\') && !is_blank(c));
    if word.contains(['<', '>', '=']) {
        return Fault::at(
            start,
            "a condition begins with `?@`, in a JSONPath: `$.a[?@.b > 2]`",
        );
    }
    let quote = syntax.quote;
    // VS Code has keys such as `[json]`.
    let may_be_key = syntax.is_dot_path && cursor.text[..start].ends_with(".[");
    let problem = if may_be_key && end.peek() == Some(']') {
        format!("a key in brackets needs quotes; the key `[{word}]` is `[\"[{word}]\"]`")
    } else {
        "a key in brackets needs quotes".to_owned()
    };
    Fault::at(start, problem).repair(start..end.at, format!("{quote}{word}{quote}"))
}

/// Characters that an unquoted key is likely to begin with.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '$' | '/')
}

/// Writes bracketed selectors; `write_key` quotes a key.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    selectors: &[Selector],
    write_key: fn(&mut fmt::Formatter<'_>, &[u8]) -> fmt::Result,
) -> fmt::Result {
    for (i, selector) in selectors.iter().enumerate() {
        f.write_char(if i == 0 { '[' } else { ',' })?;
        match selector {
            // A dot path has those that may be an index or a slice outside brackets only; in them, the key is equivalent.
            Selector::Key(key)
            | Selector::KeyOrIndex { key, .. }
            | Selector::KeyOrSlice { key, .. } => write_key(f, key)?,
            Selector::Index(index) => write!(f, "{index}")?,
            Selector::Slice(slice) => write!(f, "{slice}")?,
            Selector::Wildcard | Selector::Itself => f.write_char('*')?,
            Selector::Filter(filter) => write!(f, "?{}", filter.text)?,
        }
    }
    f.write_char(']')
}
