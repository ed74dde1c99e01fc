//! A position in the text of a path, and the parsers that all notations share.

use super::error::Fault;
use crate::terminal::is_printable;

/// The largest index, and the negative of the smallest: 2^53 - 1, the limit of interoperable integers in I-JSON (RFC
/// 7493) and of indices in RFC 9535, section 2.1.
const MAX_INTEGER: i64 = (1 << 53) - 1;

#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    /// Byte offset of the next character.
    pub at: usize,
    /// Number of open filters, parentheses and functions.
    pub nesting: usize,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str) -> Self {
        Cursor {
            text,
            at: 0,
            nesting: 0,
        }
    }

    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next.
    pub fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Skips blank space as defined by RFC 9535.
    pub fn skip_blank(&mut self) {
        self.take_while(is_blank);
    }

    pub fn fault(&self, message: impl Into<std::borrow::Cow<'static, str>>) -> Fault {
        Fault::at(self.at, message)
    }

    /// An error that names what was expected and the next character.
    pub fn expected(&self, wanted: &str) -> Fault {
        self.fault(format!("expected {wanted}, found {}", self.found()))
    }

    /// A printable name of the next character.
    pub fn found(&self) -> String {
        match self.peek() {
            None => "the end of the path".to_owned(),
            Some(' ') => "a space".to_owned(),
            Some('`') => "a backtick".to_owned(),
            Some(c) if !is_printable(c) => format!("U+{:04X}", c as u32),
            Some(c) => format!("`{c}`"),
        }
    }

    /// Parses an integer of RFC 9535: `0`, or digits without a leading zero after an optional minus sign, at most
    /// [`MAX_INTEGER`] in magnitude.
    pub fn integer(&mut self) -> Result<i64, Fault> {
        let start = self.at;
        if self.peek() == Some('+') {
            return Err(self
                .fault("an index has no plus sign")
                .repair(start..start + 1, ""));
        }
        let negative = self.eat("-");
        let from = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            let fault = self.expected("a digit");
            let mut after = *self;
            after.skip_blank();
            return Err(if after.at > from {
                fault.repair(from..after.at, "")
            } else if negative && self.peek().is_none() {
                fault.repair(from..from, "1")
            } else {
                fault
            });
        }
        let trimmed = digits.trim_start_matches('0');
        if trimmed.is_empty() && negative {
            return Err(Fault::at(start, "there is no index -0").repair(start..self.at, "0"));
        }
        if digits.len() > 1 && digits.starts_with('0') {
            let end = from + digits.len() - trimmed.len().max(1);
            return Err(Fault::at(from, "an index has no leading zeros").repair(from..end, ""));
        }
        if let Some('.' | 'e' | 'E') = self.peek()
            && self.peek_second().is_some_and(|c| c.is_ascii_digit())
        {
            return Err(self.fault("an index is a whole number"));
        }
        match digits.parse::<i64>() {
            Ok(magnitude) if magnitude <= MAX_INTEGER => {
                Ok(if negative { -magnitude } else { magnitude })
            }
            _ => Err(Fault::at(
                start,
                "an index is between -9007199254740991 and 9007199254740991",
            )),
        }
    }
}

pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Parses an integer of RFC 9535 within its range.
pub(super) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let canonical = digits.bytes().all(|b| b.is_ascii_digit())
        && match digits.as_bytes() {
            [b'0'] => digits.len() == text.len(),
            [first, ..] => *first != b'0',
            [] => false,
        };
    let value: i64 = text.parse().ok().filter(|_| canonical)?;
    (-MAX_INTEGER..=MAX_INTEGER)
        .contains(&value)
        .then_some(value)
}
