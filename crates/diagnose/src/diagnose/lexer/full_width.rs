//! Full-width punctuation of East Asian input methods: `｛"a"：1，"b"：2｝`.

use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::Span;
use super::super::quote;
use super::characters::{LENGTH, Quotes, ascii};
use super::{Lexer, TokenKind};

impl Lexer<'_> {
    /// Lexes a full-width character, and reports it.
    pub(super) fn full_width(&mut self) -> Option<TokenKind> {
        let meant = ascii(self.rest())?;
        let span = Span::new(self.at, self.at + LENGTH);
        let (kind, right) = match meant {
            b'{' => (TokenKind::OpenObject, "{"),
            b'}' => (TokenKind::CloseObject, "}"),
            b'[' => (TokenKind::OpenArray, "["),
            b']' => (TokenKind::CloseArray, "]"),
            b':' => (TokenKind::Colon, ":"),
            // `;` is a separate mistake.
            b';' => (TokenKind::Semicolon, ";"),
            _ => (TokenKind::Comma, ","),
        };
        let what = quote::ticked(&self.text[span.start..span.end]);
        let code = match meant {
            b',' | b':' | b';' => Code::WrongSeparator,
            _ => Code::WrongBracket,
        };
        // `、` separates items of a list, also in prose.
        let certain = if self.text[span.start] == 0xE3 {
            Review
        } else {
            Safe
        };
        self.report(code, span, |d| {
            d.message(format_args!("{what} is a full-width `{right}`"))
                .label(format_args!("write `{right}`"))
                .replace(certain, span, right);
        });
        self.at = span.end;
        self.ahead.expect_full_width();
        Some(kind)
    }

    /// Whether the full-width character at `at`, after a quote, separates values: another value follows.
    pub(super) fn separates(&self, at: usize) -> bool {
        let Some(meant) = ascii(&self.text[at..]) else {
            return false;
        };
        let next = self.ahead.nonblank(at + LENGTH);
        let rest = &self.text[next.min(self.text.len())..];
        let starts_value = match rest {
            [b'"' | b'\'' | b'-' | b'{' | b'[' | b'0'..=b'9', ..] => true,
            _ => Quotes::Smart.at(rest).is_some() || matches!(ascii(rest), Some(b'{' | b'[')),
        };
        match meant {
            b':' => self.in_key_position() || starts_value,
            b',' | b';' => starts_value,
            _ => false,
        }
    }
}
