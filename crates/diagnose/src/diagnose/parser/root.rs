//! Parses text outside every container: the value of the document and any text after it.

use super::super::advice::Advice;
use super::super::character::character_before;
use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::Span;
use super::super::lexer::{Container, Token, TokenKind, bracket};
use super::super::{Framing, embedded, leading};
use super::expression::is_joined;
use super::frame::Expected;
use super::{Flow, Parser};

impl Parser<'_> {
    pub(super) fn at_root(&mut self, token: Token) -> Flow {
        if token.kind == TokenKind::End {
            self.place(self.text.len());
            if self.last.kind != TokenKind::End && !self.root_done {
                // The text has been reported.
                self.deviate();
            } else if !self.root_done && self.options.framing != Framing::Stream {
                self.empty();
            } else if self.stream.lexer.truncated {
                self.finish();
            }
            return Flow::Stop;
        }
        if !self.root_done {
            return self.before_value(token);
        }
        if self.options.framing == Framing::Stream {
            return self.between_values(token);
        }
        self.after_document(token)
    }

    fn empty(&mut self) {
        // A line that is no record: its mistakes are already reported.
        if self.options.framing == Framing::Lines && self.stream.lexer.findings.errors > 0 {
            return;
        }
        let length = self.text.len();
        let text = self
            .text
            .strip_prefix("\u{feff}".as_bytes())
            .unwrap_or(self.text);
        let has_text = !text.trim_ascii().is_empty();
        self.stream.lexer.findings.retract(Code::Comment);
        self.report(Code::EmptyInput, Span::point(length), |d| {
            d.label("expected a JSON value");
            if length == 0 {
                d.message("the file is empty")
                    .note("0 bytes; even `null` or `{}` would be valid");
            } else if has_text {
                d.message("the file has comments and no value");
            } else {
                d.message("the file has only white space")
                    .note("even `null` or `{}` would be valid");
            }
        });
    }

    fn before_value(&mut self, token: Token) -> Flow {
        let next = self.stream.peek(1).kind;
        match token.kind {
            TokenKind::CloseObject | TokenKind::CloseArray => self.extra_at_root(token),
            TokenKind::Comma => {
                let value_follows = self.stream.peek(1).starts_value();
                self.report(Code::ExtraComma, token.span(), |d| {
                    d.message("comma before the value")
                        .label("remove this comma");
                    // Without a value, removing the comma would not repair the text.
                    if value_follows {
                        d.replace(Safe, token.span(), "");
                    }
                });
                self.advance();
            }
            _ if token.is_keylike()
                && matches!(next, TokenKind::Colon | TokenKind::Equals)
                && self.stream.surplus(Container::Object) < 0 =>
            {
                self.start_value(token);
                self.imagine(Container::Object, token, Expected::First);
            }
            _ if token.starts_value()
                && next == TokenKind::Comma
                && self.stream.surplus(Container::Array) < 0 =>
            {
                self.start_value(token);
                self.imagine(Container::Array, token, Expected::First);
            }
            _ if token.starts_value() => {
                self.start_value(token);
                self.value(token);
                if self.frames.is_empty() {
                    self.end_value();
                }
            }
            _ => {
                self.unexpected(token, "not part of any JSON value");
            }
        }
        Flow::Go
    }

    fn start_value(&mut self, token: Token) {
        if self.values == 0 {
            self.first_value_line.0 = token.line;
            self.first_value_start = token.start();
        }
    }

    /// Records that a value at the root is complete.
    pub(super) fn end_value(&mut self) {
        self.values += 1;
        self.root_done = true;
        if self.values == 1 {
            self.first_value_line.1 = self.last.line;
            self.first_value_end = self.last.end();
        }
    }

    fn between_values(&mut self, token: Token) -> Flow {
        match token.kind {
            TokenKind::Comma => {
                self.report(Code::ExtraComma, token.span(), |d| {
                    d.message("comma between two values of a stream")
                        .label("remove this comma")
                        .replace(Safe, token.span(), " ");
                });
                self.advance();
            }
            _ => return self.before_value(token),
        }
        Flow::Go
    }

    /// Handles a token after the only value allowed.
    fn after_document(&mut self, token: Token) -> Flow {
        let next = self.stream.peek(1);
        match token.kind {
            TokenKind::Comma if next.kind == TokenKind::End => {
                self.report(Code::TrailingComma, token.span(), |d| {
                    // In Python, that is a tuple.
                    d.message("trailing comma after the document")
                        .label("remove this comma")
                        .replace(Review, token.span(), "");
                });
                self.advance();
            }
            TokenKind::Semicolon if next.kind == TokenKind::End => {
                self.report(Code::WrongSeparator, token.span(), |d| {
                    d.message("`;` after the document")
                        .label("remove it")
                        .replace(Safe, token.span(), "");
                });
                self.advance();
            }
            TokenKind::Comma if next.starts_value() => {
                let keyed = next.is_keylike() && self.stream.peek(2).is_separator();
                if self.reopen_root(next, keyed) {
                    return Flow::Go;
                }
                if keyed || self.is_bare_member(next) {
                    return self.trailing_content(token);
                }
                self.separated_by_commas = true;
                self.advance();
                self.another_value(next);
            }
            TokenKind::CloseObject | TokenKind::CloseArray => self.extra_at_root(token),
            _ if token.starts_value() => {
                let keyed = token.is_keylike() && next.is_separator();
                if keyed && self.reopen_root(token, keyed) {
                    return Flow::Go;
                }
                if keyed || matches!(token.kind, TokenKind::Bare | TokenKind::Expression) {
                    return self.trailing_content(token);
                }
                self.another_value(token);
            }
            _ => return self.trailing_content(token),
        }
        Flow::Go
    }

    /// Reopens the root if the brackets show that it was closed too early and `next` may be inside it.
    fn reopen_root(&mut self, next: Token, keyed: bool) -> bool {
        let Some((frame, end)) = self.closed.take() else {
            return false;
        };
        let kind = Container::holding(keyed);
        if self.values != 1 || frame.kind != kind || self.stream.surplus(kind) >= 0 {
            self.closed = Some((frame, end));
            return false;
        }
        self.values = 0;
        self.root_done = false;
        let at = frame.opener as usize;
        let opener = if frame.imagined {
            Span::point(at)
        } else {
            bracket(self.text, at)
        };
        self.reopen(frame, end, opener, next);
        true
    }

    fn another_value(&mut self, token: Token) {
        if self.values == 1 {
            let end = self.first_value_end;
            let last = character_before(self.text, end);
            self.multiple = self.report(Code::MultipleValues, token.span(), |d| {
                d.label("second value starts here")
                    .related(last, "first value ends here");
            });
            self.lines = self.first_value_line.0 == self.first_value_line.1;
        }
        let (one, several) = &mut self.line_values;
        if token.first {
            *one += 1;
        } else if self.begins_line {
            *one -= 1;
            *several += 1;
        }
        self.begins_line = token.first;
        // `[1], [2]` has a comma already.
        if self.last.kind != TokenKind::Comma {
            self.separators.push(self.last.end() as u32);
        }
        self.value(token);
        if self.frames.is_empty() {
            self.end_value();
        }
    }

    /// Completes the finding at the end, when the number of values is known.
    pub(super) fn finish_multiple(&mut self) {
        let Some(index) = self.multiple else { return };
        let count = self.values.max(2);
        // Two writers of a log may share a line.
        let (one, several) = self.line_values;
        let are_lines = self.lines && several <= one;
        let Some(d) = self.stream.lexer.findings.get_mut(index) else {
            return;
        };
        d.message(format_args!("{count} JSON values in one document"));
        // One value per line can stay.
        if self.options.framing != Framing::Lines
            && (!self.lines || several > 0 || self.separated_by_commas)
            && !self.separators.is_empty() | self.separated_by_commas
        {
            let end = self.last.end();
            d.replace(Review, Span::point(self.first_value_start), "[");
            for &at in &self.separators {
                d.replace(Review, Span::point(at as usize), ",");
            }
            d.replace(Review, Span::point(end), "]");
        }
        if self.options.framing == Framing::Lines {
            d.help("put each value on its own line");
        } else if self.separated_by_commas {
            d.help("wrap them in `[` and `]`");
        } else if are_lines {
            d.advise(Advice::ReadLines);
        } else {
            d.advise(Advice::ReadStream);
        }
    }

    /// Whether bare text is `b: 2`, which outside an object is one token.
    fn is_bare_member(&self, token: Token) -> bool {
        let text = self.bytes(token);
        token.kind == TokenKind::Bare && memchr::memchr2(b':', b'=', text).is_some()
    }

    fn trailing_content(&mut self, token: Token) -> Flow {
        let colon = matches!(token.kind, TokenKind::Colon | TokenKind::Equals);
        if colon && self.values == 1 && self.last.is_keylike() {
            // The value is a key.
            let (start, end) = (self.first_value_start, self.text.trim_ascii_end().len());
            self.report(Code::TrailingContent, token.span(), |d| {
                d.message("a key and its value with no object around them")
                    .label("only an object has keys")
                    .help("put `{` before the first key, and `}` after the last value")
                    .replace(Review, Span::point(start), "{")
                    .replace(Review, Span::point(end), "}");
            });
            return Flow::Stop;
        }
        let whole = Span::new(self.first_value_start, self.text.trim_ascii_end().len());
        if self.values == 1 && is_joined(&self.text[whole.start..whole.end]) {
            self.report_expression(whole);
            return Flow::Stop;
        }
        let start = token.start();
        let further = embedded::values(self.text, start);
        let has_further = !further.values.is_empty();
        // In `200 OK`, the number is not meant as JSON.
        let is_scalar = !matches!(self.text[self.first_value_start], b'{' | b'[' | b'(');
        // `{"a": 1}, b: 2`, and `"b": 2` below it
        let is_keyed = match token.kind {
            TokenKind::Comma => {
                let next = self.stream.peek(1);
                self.is_bare_member(next) || next.is_keylike() && self.stream.peek(2).is_separator()
            }
            TokenKind::String => self.stream.peek(1).is_separator(),
            // `{"a": "b"}: "c d"`
            TokenKind::Colon | TokenKind::Equals => self.stream.peek(1).kind == TokenKind::String,
            _ => false,
        };
        let rest = &self.text[start..];
        let line = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = start + rest[..line].trim_ascii_end().len().max(1);
        let more = self.text[end..]
            .iter()
            .any(|byte| !byte.is_ascii_whitespace());
        if std::str::from_utf8(self.bytes(token)).is_err() {
            self.deviate();
        }
        if has_further && self.options.framing != Framing::Lines {
            let all = embedded::values(self.text, self.stream.start);
            let next = further.values.first().map_or(end, |value| value.start);
            let text = self.text[start..end.min(next)].trim_ascii_end();
            let end = start + text.len().max(1);
            let findings = &mut self.stream.lexer.findings;
            leading::report_several(
                self.text,
                Code::TrailingContent,
                Span::new(start, end),
                &all,
                findings,
            );
            return Flow::Stop;
        }
        self.report(Code::TrailingContent, Span::new(start, end), |d| {
            d.message("text after the end of the document")
                .label(if more {
                    "remove everything from here"
                } else {
                    "remove this"
                });
            let end = self.text.trim_ascii_end().len().max(end);
            if !has_further && !is_scalar && !is_keyed {
                d.replace(Review, Span::new(start, end), "");
            }
        });
        Flow::Stop
    }
}
