//! Lexes strings in quotes that JSON does not have: single, backtick, typographic.

use super::super::code::Code;
use super::super::diagnostic::Applicability::Safe;
use super::super::diagnostic::Span;
use super::super::quote;
use super::{Kind, Lexer, Quotes};
use crate::string::Escape;

impl Lexer<'_> {
    pub(super) fn foreign(&mut self, quotes: Quotes) -> Kind {
        let start = self.at;
        let open = quotes.at(self.rest()).unwrap_or(1);
        let inside = start + open;
        let close = self
            .ahead
            .foreign_closing(quotes, inside)
            .or_else(|| self.ahead.foreign(quotes, inside));
        let Some(close) = close else {
            // Not closed on this line: the string ends with the line, before separators and closers of the document.
            let end = self.tail(inside, self.ahead.line_end(inside));
            self.at = end.max(inside);
            let fixed = rewrite(&self.text[inside..self.at], quotes);
            self.finish(quotes, Span::new(start, self.at), fixed);
            return Kind::String;
        };
        let length = self.ahead.ends_foreign(quotes, close).unwrap_or(1);
        let fixed = rewrite(&self.text[inside..close], quotes);
        self.at = close + length;
        self.finish(quotes, Span::new(start, self.at), fixed);
        Kind::String
    }

    fn finish(&mut self, quotes: Quotes, span: Span, fixed: Option<String>) {
        let (code, message) = match quotes {
            Quotes::Single => (
                Code::SingleQuotes,
                "JSON strings use double quotes, not single quotes",
            ),
            Quotes::Backtick => (
                Code::BacktickString,
                "JSON strings use double quotes, not backticks",
            ),
            Quotes::Smart => (
                Code::SmartQuotes,
                "JSON strings use double quotes, not typographic (“smart”) quotes",
            ),
        };
        self.report(code, span, |d| {
            d.message(message);
            match fixed {
                Some(fixed) => {
                    d.label(quote::write(&fixed, "use `\"` instead"))
                        .replace(Safe, span, fixed);
                }
                None => {
                    d.label("use `\"` instead");
                }
            }
        });
    }
}

/// The equivalent string in double quotes; `None` if it is not certain.
fn rewrite(inside: &[u8], quotes: Quotes) -> Option<String> {
    let text = std::str::from_utf8(inside).ok()?;
    if quotes == Quotes::Backtick && text.contains("${") {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            quote::json_character(c, &mut out);
            continue;
        }
        let (_, escaped) = chars.next()?;
        match escaped {
            '\'' | '`' | '‘' | '’' | '“' | '”' => out.push(escaped),
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => {
                out.push('\\');
                out.push(escaped);
            }
            'u' => {
                Escape::first(&inside[at..])?;
                out.push_str("\\u");
            }
            _ => return None,
        }
    }
    out.push('"');
    Some(out)
}
