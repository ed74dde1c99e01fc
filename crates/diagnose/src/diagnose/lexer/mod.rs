//! The tolerant lexer. It reports a malformed token and returns the intended kind, so the grammar never sees a
//! lexical error.

mod ahead;
mod bare;
mod characters;
mod faults;
mod foreign;
mod full_width;
mod prose;
mod roles;
mod string;
mod token;
mod trivia;
mod word;

use jsonx_core::jsonc::Dialect;

use super::code::Code;
use super::collector::Collector;
use super::diagnostic::{Diagnostic, Span};
pub(super) use crate::json5::is_number;
use ahead::Ahead;
pub(super) use bare::{NumberFault, may_go_on, number_fault};
pub(super) use characters::{Quotes, bracket, is_full_width};
pub(super) use foreign::rewrite;
use std::cell::OnceCell;
use std::collections::VecDeque;
pub(super) use token::{Container, Nesting, Token, TokenKind};
pub(super) use trivia::joins;
pub(super) use word::is_scalar;

/// The maximum length of the name of a tag.
const TAG: usize = 64;

/// The kind of the previous token, as far as lexing the next one depends on it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Previous {
    #[default]
    Start,
    Open,
    Separator,
    Comma,
    Value,
}

#[derive(Default)]
pub(super) struct Lexer<'a> {
    pub text: &'a [u8],
    at: usize,
    /// The start, number and indentation of the current line, and whether no token has been on it yet.
    line: usize,
    line_number: u32,
    indent: usize,
    first: bool,
    previous: Previous,
    nesting: Nesting,
    ahead: Ahead<'a>,
    pub findings: Collector<'a>,
    /// Findings that have no path yet, as offset and index. The parser sets the path when it reaches them.
    unplaced: VecDeque<(usize, usize)>,
    /// Whether to report lone surrogates.
    pub surrogates: bool,
    /// Whether values may follow one another without a separator.
    pub stream: bool,
    /// Whether the text is one line of a file with one value per line.
    pub record: bool,
    /// Whether comments are mistakes.
    pub dialect: Dialect,
    /// Whether the next comment is reported with the advice to allow comments: the first of a document is.
    pub advises_comments: bool,
    /// Whether the text has a merge conflict.
    pub conflict: bool,
    /// The start and end of the other side of the current merge conflict.
    skip: Option<(usize, usize)>,
    /// The cached answer to whether a string with a raw line break continues to this closing quote.
    continues: Option<(usize, bool)>,
    /// The offset up to which quotes in values are known not to be paired.
    unclear: usize,
    /// The start of the document, for `inner`.
    start: usize,
    /// The quotes in the content of strings, if everything else is JSON; computed at the first mistake in a string.
    inner: OnceCell<Option<Vec<usize>>>,
    /// The last comment that ends with its line, the number of that line, and the index of its finding.
    pub line_comment: Option<(Span, u32, Option<usize>)>,
    /// The end of the last string whose closing quote is missing.
    pub open_string: Option<usize>,
    /// The text ends inside the last token, as already reported.
    pub truncated: bool,
    /// The text ends inside a block comment, as already reported.
    pub in_comment: bool,
    steps: u64,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer for `text` that starts at byte `start`.
    pub fn new(text: &'a [u8], start: usize, findings: Collector<'a>) -> Self {
        let mut lexer = Lexer {
            text,
            at: start,
            line: start,
            line_number: super::line_breaks(&text[..start]) as u32,
            first: true,
            ahead: Ahead::new(text),
            findings,
            start,
            ..Lexer::default()
        };
        lexer.start_line(start);
        if is_unopened_object(&text[start..]) {
            lexer.nesting.push(Container::Object);
        }
        lexer
    }

    /// Whether the text has had full-width punctuation.
    pub fn expects_full_width(&self) -> bool {
        self.ahead.expects_full_width()
    }

    /// The work done: tokens produced and bytes read ahead.
    pub fn steps(&self) -> u64 {
        self.steps + self.ahead.work.get()
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Reports a finding, and returns its index if it is retained.
    fn report(
        &mut self,
        code: Code,
        span: Span,
        fill: impl FnOnce(&mut Diagnostic),
    ) -> Option<usize> {
        let index = self.findings.report(code, span, fill)?;
        self.unplaced.push_back((span.start, index));
        Some(index)
    }

    /// The next finding of the lexer at or before `end` that has no path yet.
    pub fn unplaced(&mut self, end: usize) -> Option<usize> {
        match self.unplaced.front() {
            Some(&(at, index)) if at <= end => {
                self.unplaced.pop_front();
                Some(index)
            }
            _ => None,
        }
    }

    /// The findings of the lexer that have no path yet.
    pub fn unplaced_findings(&self) -> impl Iterator<Item = usize> {
        self.unplaced.iter().map(|(_, index)| *index)
    }

    fn in_key_position(&self) -> bool {
        let may_be_key = matches!(
            self.previous,
            Previous::Start | Previous::Open | Previous::Comma
        );
        may_be_key && self.nesting.up(0) == Some(Container::Object)
    }

    fn in_value_position(&self) -> bool {
        match self.previous {
            Previous::Value => false,
            Previous::Separator => true,
            _ => !self.in_key_position(),
        }
    }

    /// The next token; [`TokenKind::End`] forever after the last one.
    pub fn next_token(&mut self) -> Token {
        self.skip_trivia();
        let start = self.at;
        self.steps += 1;
        let mut token = Token {
            kind: TokenKind::End,
            first: self.first,
            start: start as u32,
            end: start as u32,
            line: self.line_number,
            indent: self.indent as u32,
        };
        if start < self.text.len() {
            self.first = false;
            token.kind = self.scan();
            token.end = self.at as u32;
            debug_assert!(self.at > start, "the lexer makes progress");
        }
        self.steps += (self.at - start) as u64;
        self.remember(token.kind);
        token
    }

    fn remember(&mut self, kind: TokenKind) {
        if let Some(container) = kind.opens() {
            self.nesting.push(container);
        } else if kind.is_closer() {
            self.nesting.pop();
        }
        self.previous = match kind {
            _ if kind.opens().is_some() => Previous::Open,
            TokenKind::Colon | TokenKind::Equals => Previous::Separator,
            TokenKind::Comma | TokenKind::Semicolon => Previous::Comma,
            _ => Previous::Value,
        };
    }

    /// Whether the text ends with the tag here, in which a language model put the JSON: `</tool_call>`, `<|im_end|>`.
    fn is_closing_tag(&self) -> bool {
        let rest = &self.text[self.at..self.ahead.end];
        let name = rest.strip_prefix(b"</").or(rest.strip_prefix(b"<|"));
        let name = name.and_then(|name| name.strip_suffix(b">"));
        name.is_some_and(|name| {
            name.len() <= TAG
                && name
                    .iter()
                    .all(|byte| trivia::is_word(*byte) || b"|-:_=".contains(byte))
        })
    }

    /// The start of the Markdown fence that ends the text, or the end of the text.
    fn closing_fence(&self) -> usize {
        let end = self.ahead.end;
        match self.text[..end].ends_with(b"```") {
            true => end - 3,
            false => self.text.len(),
        }
    }

    /// Whether the backticks here are a line between elements, at most with the name of a language, or a separator after them.
    fn is_fence_line(&self) -> bool {
        let line = &self.text[self.at..self.ahead.line_end(self.at)];
        let ticks = line.iter().take_while(|byte| **byte == b'`').count();
        let rest = line[ticks..].trim_ascii();
        self.nesting.up(0) == Some(Container::Array)
            && self.text[self.line..self.at].trim_ascii().is_empty()
            && line.len() <= TAG
            && (rest.iter().all(|byte| trivia::is_word(*byte))
                || matches!(rest, b"," | b"]" | b"]," | b"]}"))
    }

    /// Whether one or two backticks on their own line end the text.
    fn is_cut_fence(&self) -> bool {
        self.text[self.line..self.at].trim_ascii().is_empty()
            && matches!(&self.text[self.at..self.ahead.end], b"`" | b"``")
    }

    /// Skips the quote of this family here if it is a stray one: after a value, and before the end of another.
    fn stray(&mut self, quotes: Quotes) -> Option<TokenKind> {
        let length = quotes.at(self.rest())?;
        let is_stray = self.previous == Previous::Value && self.ahead.closes(self.at + length);
        is_stray.then(|| {
            self.at += length;
            TokenKind::Junk
        })
    }

    /// Lexes the token that starts at `self.at`, which is not the end.
    fn scan(&mut self) -> TokenKind {
        let byte = self.text[self.at];
        let single = match byte {
            b'{' => match self.template() {
                Some(kind) => return kind,
                None => TokenKind::OpenObject,
            },
            b'}' => TokenKind::CloseObject,
            b'[' => TokenKind::OpenArray,
            b']' => TokenKind::CloseArray,
            b':' if self.byte(1) == Some(b'=') => {
                self.at += 2;
                return TokenKind::Equals;
            }
            b':' => TokenKind::Colon,
            b',' => TokenKind::Comma,
            b';' => TokenKind::Semicolon,
            b'(' if self.in_value_position() => TokenKind::OpenParen,
            // A tuple as a key.
            b'(' if self.in_key_position() => return self.tuple(),
            b')' => TokenKind::CloseParen,
            b'"' => return self.string(),
            b'\'' => return self.foreign(Quotes::Single),
            // A Markdown fence.
            b'`' if self.previous != Previous::Start
                && (self.rest().starts_with(b"```")
                    && (self.nesting.len() == 0
                        || self.at == self.closing_fence()
                        || self.is_fence_line())
                    || self.nesting.len() == 0 && self.is_cut_fence()) =>
            {
                return self.junk();
            }
            b'`' => return self.foreign(Quotes::Backtick),
            b'\\' => {
                return match self.escaped_quotes() {
                    Some(kind) => kind,
                    None => self.other(),
                };
            }
            b'<' if self.previous == Previous::Value && self.is_closing_tag() => {
                self.at = self.ahead.end;
                return TokenKind::Junk;
            }
            b'-' if self.byte(1) == Some(b'>') && self.previous == Previous::Value => {
                self.at += 2;
                return TokenKind::Equals;
            }
            b'0'..=b'9' | b'-' => return self.number(),
            b'=' if !self.in_value_position() => {
                let length = match self.byte(1) {
                    Some(b'>' | b'=') => 2,
                    _ => 1,
                };
                self.at += length;
                return TokenKind::Equals;
            }
            _ => return self.other(),
        };
        self.at += 1;
        single
    }
}

/// Whether the text is an object without its opening brace, as `a: 1, "b": 2}`: it begins with a key and its colon, and ends with a
/// closing brace that nothing opens.
fn is_unopened_object(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let key = match text {
        [b'"', rest @ ..] => memchr::memchr2(b'"', b'\n', rest).map(|end| &rest[end + 1..]),
        _ => {
            let word = text.iter().take_while(|byte| trivia::is_word(**byte));
            let (word, rest) = text.split_at(word.count());
            (!word.is_empty()).then(|| rest.strip_prefix(b"\"").unwrap_or(rest))
        }
    };
    let count = |byte| memchr::memchr_iter(byte, text).count();
    text.ends_with(b"}")
        && key.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
        && count(b'}') > count(b'{')
}

/// The tokens before the end.
impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        Some(self.next_token()).filter(|token| token.kind != TokenKind::End)
    }
}
