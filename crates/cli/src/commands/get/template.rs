//! `--template`: text with paths in braces.

use std::ffi::OsStr;

use jsonx_core::path::Path;
use jsonx_core::string::decode_into;

use super::columns::{Column, until};
use crate::commands::UsageError;
use crate::path_messages;

/// The texts before, between and after the values of a row, and the columns of these values.
pub struct Template {
    pub texts: Vec<Vec<u8>>,
    pub columns: Vec<Column>,
}

/// An error in a template: its offset, the message, and a suggestion.
struct Fault {
    offset: usize,
    message: String,
    meant: Option<String>,
}

/// Parses a template.
///
/// # Errors
/// It is not UTF-8, has a brace or an escape too few or too many, or a path is invalid.
pub fn parse(typed: &OsStr) -> Result<Template, UsageError> {
    let parsed = match typed.to_str() {
        Some(text) => read(text),
        None => Err(fault(0, "a template is UTF-8, and this is not")),
    };
    parsed.map_err(|fault| {
        let message =
            path_messages::with_caret("bad template", typed, &fault.message, fault.offset);
        let meant = fault.meant.map_or(String::new(), |meant| {
            format!("\ndid you mean {}?", crate::report::escape(&meant))
        });
        UsageError::Message(message + &meant)
    })
}

fn fault(offset: usize, message: impl Into<String>) -> Fault {
    Fault {
        offset,
        message: message.into(),
        meant: None,
    }
}

fn read(text: &str) -> Result<Template, Fault> {
    let (mut texts, mut columns) = (Vec::new(), Vec::new());
    let mut literal = String::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at + next.len_utf8()..];
        match next {
            '{' | '}' if rest.starts_with(next) => {
                literal.push(next);
                at += 2;
            }
            '{' => {
                let Some(length) = until(rest, b'}') else {
                    return Err(fault(
                        at,
                        "this brace is never closed; a literal one is `{{`",
                    ));
                };
                let typed = rest[..length].trim();
                if typed.is_empty() {
                    return Err(fault(
                        at,
                        "a path is expected in the braces, such as `{.name}`",
                    ));
                }
                let from = at + 1 + rest[..length].find(typed).unwrap_or(0);
                let path = Path::parse(typed).map_err(|error| Fault {
                    offset: from + error.offset,
                    message: error.message,
                    meant: error.suggestion.map(|path| {
                        format!("{}{path}{}", &text[..from], &text[from + typed.len()..])
                    }),
                })?;
                texts.push(decoded(&literal));
                literal.clear();
                columns.push(Column {
                    name: String::new(),
                    path,
                });
                at += length + 2;
            }
            '}' => {
                return Err(fault(
                    at,
                    "this brace closes nothing; a literal one is `}}`",
                ));
            }
            '\\' => {
                let length = escape_length(rest).ok_or_else(|| {
                    fault(
                        at,
                        "an escape is one of JSON: `\\n`, `\\t`, `\\\\`, `\\u00e9`",
                    )
                })?;
                literal.push_str(&text[at..=at + length]);
                at += 1 + length;
            }
            other => {
                literal.push(other);
                at += other.len_utf8();
            }
        }
    }
    let mut last = decoded(&literal);
    last.push(b'\n');
    texts.push(last);
    Ok(Template { texts, columns })
}

/// The length of an escape after its backslash.
fn escape_length(rest: &str) -> Option<usize> {
    match rest.bytes().next()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => {
            let digits = rest.as_bytes().get(1..5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(5)
        }
        _ => None,
    }
}

/// A text with its escapes decoded, which are those of JSON.
fn decoded(literal: &str) -> Vec<u8> {
    let mut out = Vec::new();
    match decode_into(literal.as_bytes(), &mut out) {
        Ok(_) => out,
        // Its escapes have been checked.
        Err(_) => literal.as_bytes().to_vec(),
    }
}
