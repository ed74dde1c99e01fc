//! Values of code: calls around a value, strings that are joined.

use super::super::diagnostic::Applicability::{self, Review, Safe};
use super::super::diagnostic::Span;
use super::super::lexer::{Quotes, rewrite};
use super::super::quote;

/// The edits, relative to the start of `code`, that leave the value of an expression, if it is a call around a value or
/// joins strings.
pub(super) fn evaluated(code: &[u8]) -> Option<(Applicability, Vec<(Span, String)>)> {
    let whole = |text: String| (Span::new(0, code.len()), text);
    if let Some(joined) = joined(code) {
        return Some((Safe, vec![whole(joined)]));
    }
    // `1/3` and `12/05/2024` are no numbers of JSON: as text.
    let mut parts = code.split(|&byte| byte == b'/');
    let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if matches!(parts.clone().count(), 2 | 3) && parts.all(is_digits) {
        return Some((Review, vec![whole(quote::quoted(code))]));
    }
    let open = memchr::memchr(b'(', code)?;
    let name = code[..open].trim_ascii();
    let name = name.strip_prefix(b"new ").unwrap_or(name);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    // `This is F(3)`: words.
    let words = |name: &[u8]| {
        name.split(|&byte| byte == b' ')
            .all(|word| word.iter().all(is_name))
    };
    if !name.iter().all(is_name) && words(name) && code.last() == Some(&b')') {
        return Some((Review, vec![whole(quote::quoted(code))]));
    }
    if name.is_empty() || !name.iter().all(is_name) || code.last() != Some(&b')') {
        return None;
    }
    let inside = Span::new(open + 1, code.len() - 1);
    let arguments = arguments(&code[inside.start..inside.end])?;
    let edits = match arguments {
        Arguments::None => vec![whole("null".to_owned())],
        Arguments::One => vec![
            (Span::new(0, inside.start), String::new()),
            (Span::new(inside.end, code.len()), String::new()),
        ],
        // `datetime.date(2020, 1, 1)`: as text.
        Arguments::Several => vec![whole(quote::quoted(code))],
    };
    Some((Review, edits))
}

/// Whether an expression has no value of its own: it is words, or a call that would become a string or `null`.
pub(in super::super) fn is_only_code(code: &[u8]) -> bool {
    matches!(evaluated(code), Some((Review, edits)) if edits.len() == 1)
}

enum Arguments {
    None,
    One,
    Several,
}

/// The number of arguments; `None` if brackets or quotes do not match.
fn arguments(inside: &[u8]) -> Option<Arguments> {
    if inside.trim_ascii().is_empty() {
        return Some(Arguments::None);
    }
    let mut depth = 0usize;
    let mut several = false;
    let mut at = 0;
    while at < inside.len() {
        match inside[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => several = true,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while *inside.get(at)? != quote {
                    at += if inside[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then_some(if several {
        Arguments::Several
    } else {
        Arguments::One
    })
}

/// Whether an expression joins strings.
pub(super) fn is_joined(code: &[u8]) -> bool {
    joined(code).is_some()
}

/// `"a" + 'b'` as one string.
fn joined(code: &[u8]) -> Option<String> {
    let mut out = String::from("\"");
    let mut rest = code.trim_ascii();
    let mut count = 0;
    loop {
        let (&quote, body) = rest.split_first()?;
        let quotes = match quote {
            b'"' => None,
            b'\'' => Some(Quotes::Single),
            _ => return None,
        };
        let mut end = 0;
        while *body.get(end)? != quote {
            end += if body[end] == b'\\' { 2 } else { 1 };
        }
        let inside = body.get(..end)?;
        match quotes {
            None => out.push_str(std::str::from_utf8(inside).ok()?),
            Some(quotes) => {
                let (text, certain) = rewrite(inside, quotes)?;
                if certain != Safe {
                    return None;
                }
                out.push_str(&text[1..text.len() - 1]);
            }
        }
        count += 1;
        rest = body[end + 1..].trim_ascii_start();
        match rest.split_first() {
            None => break,
            Some((b'+', after)) => rest = after.trim_ascii_start(),
            Some(_) => return None,
        }
    }
    out.push('"');
    (count > 1).then_some(out)
}
