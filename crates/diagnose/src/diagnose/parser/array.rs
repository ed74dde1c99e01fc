//! Parses the inside of an array, and the token after a value in either container.

use super::super::code::Code;
use super::super::diagnostic::Applicability::{self, Review, Safe};
use super::super::diagnostic::Span;
use super::super::lexer::{Container, Token, TokenKind, is_scalar};
use super::super::quote;
use super::expression::evaluated;
use super::frame::Expected;
use super::{Flow, Parser};

/// The number of commas in a row that a report marks.
const MARKED: usize = 10;

impl Parser<'_> {
    /// Handles a token where an element or `]` is expected.
    pub(super) fn at_element(&mut self, token: Token) -> Flow {
        if token.kind != TokenKind::Comma && self.belongs_elsewhere(token) {
            return Flow::Go;
        }
        match token.kind {
            kind if kind.is_closer() => self.closer(token),
            TokenKind::Comma => self.commas(token),
            TokenKind::Colon | TokenKind::Equals => self.colon_in_array(token),
            _ if token.starts_value() => {
                if token.is_keylike()
                    && self.stream.peek(1).is_separator()
                    && self.lost_bracket_of_array(token)
                {
                    return Flow::Go;
                }
                // `1,000`, but not `1,234`, which may be two numbers.
                if self.bytes(token).starts_with(b"0") && self.grouped_digits(token) {
                    return Flow::Go;
                }
                self.note_indent(token);
                self.value(token);
            }
            _ => {
                self.unexpected(token, "not part of any JSON value");
                // It counts as an element, unless one follows.
                if !self.stream.peek(0).starts_value() {
                    self.top().state = Expected::After;
                }
            }
        }
        Flow::Go
    }

    fn colon_in_array(&mut self, token: Token) {
        let opener = self.opener_span();
        if self.top().colon {
            self.deviate();
        } else {
            let frame = self.top();
            let is_object = frame.index == 0 && !frame.imagined && !opener.is_empty();
            let is_object = is_object && self.last.is_keylike();
            self.report(Code::ColonInArray, token.span(), |d| {
                d.message("colon in an array")
                    .label("arrays hold plain values")
                    .related(opener, "if this should be an object, use `{` and `}`");
                // The closer follows in another round.
                if is_object {
                    d.replace(Review, opener, "{");
                }
            });
            self.top().colon = true;
        }
        self.advance();
        // The value after it belongs to the key before it.
        let next = self.stream.peek(0);
        if next.starts_value() {
            self.value(next);
        } else {
            self.top().state = Expected::After;
        }
    }

    /// Handles one or more commas where a member or element is expected.
    pub(super) fn commas(&mut self, token: Token) {
        let after_comma = self.top().state == Expected::Next;
        let mut run = vec![token.span()];
        self.advance();
        while self.stream.peek(0).kind == TokenKind::Comma {
            let comma = self.advance().span();
            // Collects all of them, because the fix has to remove every one. After the first few, which the report marks,
            // one edit removes many.
            let is_marked = run.len() < MARKED;
            let between = &self.text[run[run.len() - 1].end..comma.start];
            match run.last_mut() {
                Some(last) if !is_marked && between.iter().all(u8::is_ascii_whitespace) => {
                    last.end = comma.end;
                }
                _ => run.push(comma),
            }
        }
        let next = self.stream.peek(0);
        if after_comma && next.kind.is_closer() {
            // `, , ]`: all of them form one trailing comma. The first was read as a separator.
            run.insert(0, self.comma_before);
            self.trailing_comma(&run, next);
            self.top().state = Expected::First;
            return;
        }
        let kind = self.top().kind;
        let keyed = next.is_keylike() && self.stream.peek(1).is_separator();
        if !after_comma && run.len() == 1 && keyed {
            // `"a": [, "b": 1`: the container is empty, and its closer is missing.
            let end = self.opener_span().end;
            if self.ends_before_key(end) {
                self.comma_before = run[0];
                self.next_member();
                return;
            }
        }
        self.report(Code::ExtraComma, run[0], |d| {
            d.message(match (after_comma, kind) {
                (true, _) if run.len() > 1 => "several commas in a row",
                (true, _) => "two commas in a row",
                (false, Container::Object) => "comma before the first member",
                (false, Container::Array) => "comma before the first element",
            });
            d.label("remove this comma");
            d.more = run[1..].iter().copied().take(MARKED - 1).collect();
            // In an array of JavaScript, nothing between two commas is an element.
            let certain = match kind {
                Container::Object => Safe,
                Container::Array => Review,
            };
            for &span in &run {
                d.replace(certain, span, "");
            }
        });
    }

    /// Reports the commas before the closer `next`; in a dialect with trailing commas, all but one.
    pub(super) fn trailing_comma(&mut self, run: &[Span], next: Token) {
        if self.options.dialect.allows_trailing_commas() {
            let [_, rest @ ..] = run else { return };
            if let Some(&first) = rest.first() {
                self.report(Code::ExtraComma, first, |d| {
                    d.message("two commas in a row").label("remove this comma");
                    d.more = rest[1..].iter().copied().take(MARKED - 1).collect();
                    for &span in rest {
                        d.replace(Safe, span, "");
                    }
                });
            }
            return;
        }
        let kind = self.top().kind;
        let state = std::mem::replace(&mut self.top().state, Expected::First);
        self.report(Code::TrailingComma, run[0], |d| {
            d.message(format_args!("trailing comma in {}", kind.name()))
                .label("remove this comma")
                .show(next.start());
            d.more = run[1..].iter().copied().take(MARKED - 1).collect();
            let certain = match (kind, run.len()) {
                (Container::Array, 2..) => Review,
                _ => Safe,
            };
            for &span in run {
                d.replace(certain, span, "");
            }
        });
        self.top().state = state;
    }

    /// Handles a token where a comma or the closer is expected.
    pub(super) fn after_value(&mut self, token: Token) -> Flow {
        let kind = self.top().kind;
        match token.kind {
            TokenKind::Comma => {
                self.comma_before = token.span();
                self.next_member();
                self.advance();
            }
            kind if kind.is_closer() => self.closer(token),
            TokenKind::Semicolon => {
                let closes = self.stream.peek(1).kind.closes().is_some();
                self.report(Code::WrongSeparator, token.span(), |d| {
                    d.message("`;` is not a JSON separator");
                    if closes {
                        d.label("remove it").replace(Safe, token.span(), "");
                    } else {
                        d.label("write `,`").replace(Safe, token.span(), ",");
                    }
                });
                if !closes {
                    self.next_member();
                }
                self.advance();
            }
            TokenKind::Colon | TokenKind::Equals => self.stray_colon(token, kind),
            TokenKind::Operator => self.expression(token),
            _ if token.starts_value() => self.second_value(token, kind),
            _ => {
                let label = format!("expected `,` or `{}`", kind.closer());
                self.unexpected(token, &label);
            }
        }
        Flow::Go
    }

    pub(super) fn next_member(&mut self) {
        let frame = self.top();
        frame.state = Expected::Next;
        frame.index = frame.index.saturating_add(1);
    }

    fn stray_colon(&mut self, token: Token, kind: Container) {
        let keyed = self.last.is_keylike();
        if keyed && self.stream.surplus(Container::Object) < 0 {
            // The value is a key, and the brace before it is missing.
            let key = self.last;
            self.imagine(Container::Object, key, Expected::Colon);
            self.top().key = (key.start, key.end);
            return;
        }
        if kind == Container::Array {
            self.colon_in_array(token);
            return;
        }
        if self.stream.peek(1).is_keylike() && self.stream.peek(2).is_separator() {
            self.wrong_separator(token, ",");
            self.advance();
            self.next_member();
            return;
        }
        let what = quote::ticked(self.bytes(token));
        self.report(Code::UnexpectedText, token.span(), |d| {
            d.message(format_args!("unexpected {what} after a value"))
                .label("expected `,` or `}` here");
        });
        self.advance();
        let next = self.stream.peek(0);
        if next.starts_value() {
            self.value(next);
        }
    }

    fn second_value(&mut self, token: Token, kind: Container) {
        let (next, after) = (self.stream.peek(1), self.stream.peek(2).kind);
        // `"a" "x" "b" "y"`
        let ends = matches!(
            after,
            TokenKind::Comma | TokenKind::CloseObject | TokenKind::End
        );
        let is_pair = kind == Container::Object
            && (token.kind == TokenKind::String || token.kind == TokenKind::Bare && token.first)
            && next.starts_value()
            && (ends || next.kind.opens().is_some());
        let keyed = token.is_keylike() && next.is_separator() || is_pair;
        let plain = matches!(token.kind, TokenKind::Bare | TokenKind::Literal);
        if kind == Container::Object && self.belongs_elsewhere(token)
            || keyed && kind == Container::Array && self.ends_before_key(self.last.end())
        {
            return;
        }
        if kind == Container::Object && self.ends_before_element(token) {
            return;
        }
        if kind == Container::Object && self.grouped_digits(token) {
            return;
        }
        // `[1 $ 2]`
        let is_sign = plain
            && self.last.kind != TokenKind::String
            && self.text[token.start()].is_ascii_punctuation()
            && !is_scalar(self.bytes(token));
        if keyed || kind == Container::Array && !is_sign {
            let at = Span::point(self.last.end());
            let certain = match kind {
                Container::Array if self.continues(token) => Review,
                _ => Safe,
            };
            self.report(Code::MissingComma, at, |d| {
                d.message(match kind {
                    Container::Object => "missing comma between members",
                    Container::Array => "missing comma between elements",
                });
                d.label("insert `,` here")
                    .replace(certain, at, ",")
                    .show(token.start());
            });
            self.next_member();
            return;
        }
        if plain {
            let label = format!("expected `,` or `{}`", kind.closer());
            self.unexpected(token, &label);
            return;
        }
        let span = token.span();
        self.report(Code::UnexpectedText, span, |d| {
            d.message("unexpected second value").label(format_args!(
                "expected `,` or `{}` before this",
                kind.closer()
            ));
        });
        self.value(token);
    }

    /// Whether JavaScript or Python may read `token`, after a value without a comma, as a continuation: `"a" "b"` is one
    /// string, `x [0]` an element, `1 -2` a difference.
    fn continues(&self, token: Token) -> bool {
        let first = self.text.get(token.start());
        self.last.kind == TokenKind::String && token.kind == TokenKind::String
            || self.last.is_scalar() && token.kind == TokenKind::Bare && !token.first
            || matches!(first, Some(b'[' | b'(' | b'-' | b'+' | b'`'))
    }

    /// Reads an operator after a value: the whole expression is reported as one mistake.
    fn expression(&mut self, token: Token) {
        let start = self.top().value as usize;
        let mut end = token.end();
        self.advance();
        let mut depth = 0usize;
        loop {
            let next = self.stream.peek(0);
            match next.kind {
                TokenKind::End => break,
                kind if kind.opens().is_some() => depth += 1,
                kind if kind.is_closer() && depth > 0 => depth -= 1,
                TokenKind::CloseArray | TokenKind::CloseObject => break,
                TokenKind::Comma | TokenKind::Semicolon if depth == 0 => break,
                // A key at the start of a line begins another member.
                _ if depth == 0
                    && next.first
                    && next.is_keylike()
                    && self.stream.peek(1).is_separator() =>
                {
                    break;
                }
                _ => {}
            }
            end = next.end();
            self.advance();
        }
        self.report_expression(Span::new(start, end));
    }

    pub(super) fn report_expression(&mut self, span: Span) {
        let code = &self.text[span.start..span.end];
        let what = quote::ticked(code);
        let fix = evaluated(code);
        self.report(Code::Expression, span, |d| {
            d.message(format_args!("{what} is an expression, not a value"))
                .label("write the resulting value");
            if let Some((certain, edits)) = fix {
                for (edit, text) in edits {
                    let edit = Span::new(span.start + edit.start, span.start + edit.end);
                    d.replace(certain, edit, text);
                }
            }
        });
    }

    /// Reports parentheses used as brackets, or around a single value.
    pub(super) fn parentheses(
        &mut self,
        open: Span,
        close: Option<Span>,
        single: bool,
        certain: Applicability,
    ) {
        self.report_at_depth(self.depth(), Code::WrongBracket, open, |d| {
            d.more = close.into_iter().collect();
            if single && close.is_some() {
                d.message("a value is in parentheses").label("remove them");
            } else {
                d.message("arrays are written with brackets, not parentheses")
                    .label("use `[` and `]`");
            }
            d.replace(certain, open, if single { "" } else { "[" });
            if let Some(close) = close {
                d.replace(certain, close, if single { "" } else { "]" });
            } else if let Some(fix) = &mut d.fix {
                fix.applicability = Review;
            }
        });
    }
}
