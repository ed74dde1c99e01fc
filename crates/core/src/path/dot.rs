//! The dot path: `.a[3].b`, `.a.3.b`, `.items.0:5`, `..name`, `."any key"`.
//!
//! ```text
//! dot-path = "." / 1*seg
//! seg      = "." bare / "." quoted / ["."] "[" sel *("," sel) "]" / ["."] "[]" / ".*"
//!          / ".." [bare / quoted / "*" / "[" sel *("," sel) "]"] / seg "?"
//! sel      = int / [int] ":" [int] [":" int] / quoted / "*"
//! quoted   = a JSON string / a single-quoted RFC 9535 string
//! bare     = 1*(ALPHA / DIGIT / any of _ - $ @ / : % + ~ = # / non-ASCII / "\" any character)
//! ```
//!
//! Blank space is allowed inside brackets, as in JSONPath. A backslash in a bare step also makes a number a key: `.\3`
//! is the key `3` and never an index.

use std::fmt::{self, Write};

use super::bracket::{self, Syntax};
use super::cursor::{Cursor, integer, is_blank};
use super::error::Fault;
use super::quoted;
use super::slice::Slice;
use super::syntax_tree::{Reach, Segment, Selector};

/// The bracket syntax of the dot path.
const SYNTAX: Syntax = Syntax {
    filter: None,
    quote: '"',
    is_dot_path: true,
};

/// Parses a whole dot path.
pub(super) fn parse(text: &str) -> Result<Vec<Segment>, Fault> {
    let mut segments = Vec::new();
    if text == "." {
        return Ok(segments);
    }
    let mut cursor = Cursor::new(text);
    // Start of the last step if it is bare: an invalid character after it may belong to a key that needs quotes.
    let mut bare_start = None;
    while let Some(c) = cursor.peek() {
        match c {
            '.' | '[' => {
                let (segment, bare) = segment(&mut cursor)?;
                segments.push(segment);
                bare_start = bare;
            }
            '?' => {
                cursor.bump();
                let Some(last) = segments.last_mut() else {
                    return Err(Fault::at(0, "expected a step before `?`"));
                };
                last.optional = true;
                bare_start = None;
            }
            _ => return Err(unexpected(&cursor, bare_start)),
        }
    }
    Ok(segments)
}

/// Parses one step. Also returns its start if it is bare.
fn segment(cursor: &mut Cursor<'_>) -> Result<(Segment, Option<usize>), Fault> {
    let start = cursor.at;
    let reach = if cursor.eat("..") {
        Reach::Descendant
    } else {
        cursor.eat(".");
        Reach::Child
    };
    let at = cursor.at;
    let mut bare_start = None;
    let selectors = match cursor.peek() {
        Some('[') => bracket::read(cursor, &SYNTAX)?,
        Some('*') => {
            cursor.bump();
            vec![Selector::Wildcard]
        }
        Some('"' | '\'') => vec![Selector::Key(quoted::read(cursor, true)?)],
        Some(c) if is_bare(c) || c == '\\' => {
            bare_start = Some(at);
            vec![bare(cursor)?]
        }
        Some('.' | '?') | None if reach == Reach::Descendant => vec![Selector::Itself],
        Some('?') => {
            return Err(cursor.fault("expected a key before `?`"));
        }
        None => {
            return Err(Fault::at(start, "expected a key after the last dot").repair(start..at, ""));
        }
        Some(_) => {
            // After `..`, which may be a step by itself, the next step may follow; a single dot with nothing after it
            // is removed.
            let from = if reach == Reach::Descendant {
                at
            } else {
                start
            };
            return Err(between_steps(cursor, from).unwrap_or_else(|| needs_quotes(cursor, at)));
        }
    };
    let segment = Segment {
        reach,
        selectors,
        optional: false,
    };
    Ok((segment, bare_start))
}

/// Parses a step without quotes.
pub(super) fn bare(cursor: &mut Cursor<'_>) -> Result<Selector, Fault> {
    let start = cursor.at;
    let mut key = String::new();
    let mut escaped = false;
    while let Some(c) = cursor.peek().filter(|&c| is_bare(c) || c == '\\') {
        let at = cursor.at;
        cursor.bump();
        if c == '\\' {
            escaped = true;
            let Some(literal) = cursor.bump() else {
                return Err(Fault::at(at, "expected a character after the backslash")
                    .repair(at..cursor.at, ""));
            };
            key.push(literal);
        } else {
            key.push(c);
        }
    }
    let raw = &cursor.text[start..cursor.at];
    let key: Box<[u8]> = key.into_bytes().into();
    Ok(match element(raw) {
        Some(Selector::Index(index)) if !escaped => Selector::KeyOrIndex { key, index },
        Some(Selector::Slice(slice)) if !escaped => Selector::KeyOrSlice { key, slice },
        _ => Selector::Key(key),
    })
}

/// The meaning of a bare step for an array: an index, a slice, or none.
fn element(bare: &str) -> Option<Selector> {
    if !bare.contains(':') {
        return integer(bare).map(Selector::Index);
    }
    let mut parts = bare.split(':').map(|part| match part {
        "" => Some(None),
        part => integer(part).map(Some),
    });
    let slice = Slice {
        start: parts.next()??,
        end: parts.next()??,
        step: parts.next().unwrap_or(Some(None))?,
    };
    parts.next().is_none().then_some(Selector::Slice(slice))
}

/// Characters that need neither quotes nor a backslash.
pub(super) fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || !c.is_ascii()
        || matches!(
            c,
            '_' | '-' | '$' | '@' | '/' | ':' | '%' | '+' | '~' | '=' | '#'
        )
}

/// An error for an unexpected character after a complete step, where only `.`, `[`, `?` or the end may follow.
fn unexpected(cursor: &Cursor<'_>, bare_start: Option<usize>) -> Fault {
    if let Some(fault) = between_steps(cursor, cursor.at) {
        return fault;
    }
    match (cursor.peek(), bare_start) {
        (Some('"' | '\''), _) | (_, None) => cursor
            .expected("`.`, `[` or the end of the path")
            .repair(cursor.at..cursor.at, "."),
        (_, Some(start)) => needs_quotes(cursor, start),
    }
}

/// An error for common mistakes between or after steps: pipes, commas, blank space. The repair removes them, from
/// `from` on.
fn between_steps(cursor: &Cursor<'_>, from: usize) -> Option<Fault> {
    let mut ahead = *cursor;
    ahead.skip_blank();
    let pipe = ahead.eat("|");
    let comma = !pipe && ahead.eat(",");
    ahead.skip_blank();
    let fault = cursor.fault(match ahead.peek() {
        _ if pipe => "a path has no pipes and no functions: its steps follow one another",
        _ if comma => {
            "this is one path: several keys of one object go in brackets, `[\"a\",\"b\"]`"
        }
        None => "a space after the end of the path",
        Some(_) => "no space is allowed between steps",
    });
    match ahead.peek() {
        Some('.') if comma => Some(match keys(cursor.text) {
            Some(keys) => fault.repair(0..cursor.text.len(), keys),
            None => fault,
        }),
        _ if comma => None,
        Some('.' | '[') => Some(fault.repair(from..ahead.at, "")),
        // A dot alone is a path, so the first one stays.
        None => Some(fault.repair(from.max(1)..ahead.at, "")),
        Some(_) if pipe => Some(fault),
        Some(_) => None,
    }
}

/// `.a, .b`, in one step.
fn keys(text: &str) -> Option<String> {
    let quoted = text.split(',').map(|key| {
        let key = key.trim_matches(is_blank).strip_prefix('.')?;
        let is_key = !key.is_empty() && key.chars().all(is_bare);
        is_key.then(|| format!("\"{key}\""))
    });
    let keys: Option<Vec<String>> = quoted.collect();
    Some(format!(".[{}]", keys?.join(",")))
}

/// An error for a character that is not allowed in a bare step, which begins at `start`.
fn needs_quotes(cursor: &Cursor<'_>, start: usize) -> Fault {
    let mut end = *cursor;
    end.take_while(|c| !matches!(c, '.' | '['));
    let key = cursor.text[start..end.at].replace('\\', "");
    let quoted = super::display(|f| quoted::write_json(f, key.as_bytes())).to_string();
    let found = cursor.found();
    cursor
        .fault(format!("{found} in a key needs quotes or a backslash"))
        .repair(start..end.at, quoted)
}

/// Writes segments as a dot path, with quotes only where necessary.
pub(super) fn write(f: &mut fmt::Formatter<'_>, segments: &[Segment]) -> fmt::Result {
    if segments.is_empty() {
        return f.write_char('.');
    }
    // Brackets follow the previous step directly, except at the start (a path begins with its dot) and after a bare
    // `..` (which they would become part of).
    let mut dot = true;
    for segment in segments {
        if segment.reach == Reach::Descendant {
            f.write_str("..")?;
        }
        let dot_before_bracket = segment.reach == Reach::Child && dot;
        match segment.selectors.as_slice() {
            [Selector::Itself] => {}
            [Selector::Wildcard] => write_step(f, segment.reach, "*")?,
            [Selector::KeyOrIndex { key, .. } | Selector::KeyOrSlice { key, .. }] => {
                write_step(f, segment.reach, &String::from_utf8_lossy(key))?;
            }
            [Selector::Key(key)] => write_key(f, key, segment.reach == Reach::Child, dot)?,
            several => {
                if dot_before_bracket {
                    f.write_char('.')?;
                }
                bracket::write(f, several, quoted::write_json)?;
            }
        }
        if segment.optional {
            f.write_char('?')?;
        }
        dot = matches!(segment.selectors.as_slice(), [Selector::Itself]);
    }
    Ok(())
}

fn write_step(f: &mut fmt::Formatter<'_>, reach: Reach, step: &str) -> fmt::Result {
    if reach == Reach::Child {
        f.write_char('.')?;
    }
    f.write_str(step)
}

/// Writes the step to a key, bare if that parses back as this key. `child` is false after `..`, which has written its
/// dots; `dot` means that a bracket needs a dot before it.
pub(super) fn write_key(
    f: &mut fmt::Formatter<'_>,
    key: &[u8],
    child: bool,
    dot: bool,
) -> fmt::Result {
    match std::str::from_utf8(key) {
        Ok(bare) if is_plain(bare) => {
            if child {
                f.write_char('.')?;
            }
            f.write_str(bare)
        }
        _ => {
            if child && dot {
                f.write_char('.')?;
            }
            f.write_char('[')?;
            quoted::write_json(f, key)?;
            f.write_char(']')
        }
    }
}

/// Whether a key can be written bare: it is ASCII, needs no escapes and is not an index or slice. Other letters are read
/// bare too, but quoted they also work in jq.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii() && is_bare(c)) && element(key).is_none()
}
