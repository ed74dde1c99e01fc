//! JSONPath: RFC 9535.

mod filter;
mod function;
mod term;

pub(super) use filter::filter;

use std::fmt;

use super::bracket::{self, Syntax};
use super::cursor::{Cursor, integer};
use super::error::Fault;
use super::quoted;
use super::syntax_tree::{Reach, Segment, Selector};

/// The bracket syntax of JSONPath.
const SYNTAX: Syntax = Syntax {
    filter: Some(filter),
    quote: '\'',
    is_dot_path: false,
};

/// Parses a whole JSONPath query; its first character is `$`.
pub(super) fn parse(text: &str) -> Result<Vec<Segment>, Fault> {
    let mut cursor = Cursor::new(text);
    cursor.bump();
    let segments = segments(&mut cursor)?;
    if cursor.peek().is_none() {
        return Ok(segments);
    }
    let end = cursor.at;
    let mut ahead = cursor;
    ahead.skip_blank();
    Err(if ahead.peek().is_none() {
        cursor
            .fault("a space after the end of the path")
            .repair(end..ahead.at, "")
    } else if segments.is_empty() {
        cursor
            .expected("`.` or `[` after `$`")
            .repair(end..end, ".")
    } else {
        let fault = cursor.expected("`.`, `[` or the end of the path");
        match cursor.peek() {
            Some('?') => fault.repair(end..end + 1, ""),
            Some('(') => cursor.fault("functions are only allowed in filters"),
            Some(c) if is_name_first(c) => fault.repair(end..end, "."),
            _ => fault,
        }
    })
}

/// Parses all segments that follow, without the blank space after them.
pub(super) fn segments(cursor: &mut Cursor<'_>) -> Result<Vec<Segment>, Fault> {
    let mut segments = Vec::new();
    loop {
        let mut ahead = *cursor;
        ahead.skip_blank();
        if !matches!(ahead.peek(), Some('.' | '[')) {
            return Ok(segments);
        }
        segments.push(segment(&mut ahead)?);
        *cursor = ahead;
    }
}

fn segment(cursor: &mut Cursor<'_>) -> Result<Segment, Fault> {
    let start = cursor.at;
    let reach = if cursor.eat("..") {
        Reach::Descendant
    } else if cursor.eat(".") {
        Reach::Child
    } else {
        return Ok(Segment {
            reach: Reach::Child,
            selectors: bracket::read(cursor, &SYNTAX)?,
            optional: false,
        });
    };
    let selectors = match cursor.peek() {
        Some('[') if reach == Reach::Descendant => bracket::read(cursor, &SYNTAX)?,
        Some('*') => {
            cursor.bump();
            vec![Selector::Wildcard]
        }
        Some(c) if is_name_first(c) => vec![Selector::Key(name(cursor, start, reach)?)],
        _ => return Err(no_name(cursor, start, reach)),
    };
    Ok(Segment {
        reach,
        selectors,
        optional: false,
    })
}

/// Parses the name after the dots at `start`.
fn name(cursor: &mut Cursor<'_>, start: usize, reach: Reach) -> Result<Box<[u8]>, Fault> {
    let name = cursor.take_while(|c| is_name_first(c) || c.is_ascii_digit());
    // `-` can never follow a name, not even in a filter.
    if cursor.peek() == Some('-') {
        return Err(in_brackets(
            cursor.fault("a key with `-` in it needs brackets and quotes"),
            cursor,
            start,
            reach,
        ));
    }
    Ok(name.as_bytes().into())
}

/// An error for a missing name after the dots at `start`.
fn no_name(cursor: &Cursor<'_>, start: usize, reach: Reach) -> Fault {
    let at = cursor.at;
    match cursor.peek() {
        None if reach == Reach::Descendant => cursor
            .fault("expected a key, `*` or `[` after `..`")
            .repair(at..at, "*"),
        None => Fault::at(start, "expected a key after the last dot").repair(start..at, ""),
        Some('[') => Fault::at(start, "no dot is allowed before a bracket").repair(start..at, ""),
        Some(c @ ('"' | '\'')) => {
            let end = cursor.rest()[1..].find(c).map(|length| at + length + 2);
            let fault = cursor.fault("a key in quotes needs brackets");
            match end {
                Some(end) => {
                    let dots = if reach == Reach::Descendant { ".." } else { "" };
                    let key = &cursor.text[at..end];
                    fault.repair(start..end, format!("{dots}[{key}]"))
                }
                None => fault,
            }
        }
        Some(' ' | '\t' | '\n' | '\r') => {
            let mut end = *cursor;
            end.skip_blank();
            cursor
                .fault("no blank space may follow a dot")
                .repair(at..end.at, "")
        }
        Some(c) if c.is_ascii_digit() => in_brackets(
            cursor.fault("a key may not begin with a digit here: write an index in brackets"),
            cursor,
            start,
            reach,
        ),
        Some(_) => in_brackets(cursor.expected("a key or `*`"), cursor, start, reach),
    }
}

/// Repairs a segment that can only be written in brackets; its dots are at `start`.
fn in_brackets(fault: Fault, cursor: &Cursor<'_>, start: usize, reach: Reach) -> Fault {
    let from = start + if reach == Reach::Descendant { 2 } else { 1 };
    let mut end = Cursor {
        at: from,
        ..*cursor
    };
    let word =
        end.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$' | '/' | ':'));
    if word.is_empty() {
        return fault;
    }
    let dots = &cursor.text[start..from];
    let dots = if reach == Reach::Descendant { dots } else { "" };
    let selector = if integer(word).is_some() {
        word.to_owned()
    } else {
        format!("'{word}'")
    };
    fault.repair(start..end.at, format!("{dots}[{selector}]"))
}

/// Whether a name without quotes may begin with this character.
fn is_name_first(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

/// Writes the segments after `$`, in the style of normalized paths: `$['a'][3]`.
pub(super) fn write(f: &mut fmt::Formatter<'_>, segments: &[Segment]) -> fmt::Result {
    for segment in segments {
        if segment.reach == Reach::Descendant {
            f.write_str("..")?;
        }
        bracket::write(f, &segment.selectors, quoted::write_normalized)?;
    }
    Ok(())
}
