//! The recovering parser: an explicit stack and, for every unexpected token, a repair that lets the rest be parsed as
//! intended.
//!
//! It never skips to a synchronizing token. It proceeds as if a missing token were present, or an extra one absent.
//! Repairs of brackets rest on evidence: the number of openers and closers in the whole text ([`Stream::surplus`]) and
//! the indentation of the lines.

mod array;
mod bare;
mod brackets;
mod expression;
mod finish;
mod frame;
mod object;
mod root;
mod stream;

use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Location;

use super::advice::Advice;
use super::code::Code;
use super::collector::Collector;

use super::diagnostic::{Applicability, Diagnostic, MAX_PATH_STEPS, Span};
use super::lexer::{Container, Lexer, Token, TokenKind, is_full_width, joins};
use super::{DiagnoseOptions, Framing, keys};
pub(super) use bare::is_misspelled;
pub(super) use expression::is_only_code;
use frame::{Expected, Frame};
use std::collections::HashSet;
use stream::Stream;

/// The maximum number of nesting levels to track, in about 100 MB. Deeper text is not examined further: only the verdict and its
/// offset are reported.
const MOST_FRAMES: usize = 1 << 20;

/// The result of a run.
pub(super) struct Outcome<'a> {
    pub findings: Collector<'a>,
    pub steps: u64,
    /// Nested deeper than [`MOST_FRAMES`]: the rest is not examined.
    pub gave_up: bool,
    /// The number of values at the root.
    pub values: u64,
    /// The end of the first value, if it is complete.
    pub first_value_end: Option<usize>,
}

enum Flow {
    Go,
    Stop,
}

#[derive(Default)]
pub(super) struct Parser<'a> {
    text: &'a [u8],
    stream: Stream<'a>,
    options: DiagnoseOptions,
    frames: Vec<Frame>,
    /// The last token, and the one before it.
    last: Token,
    before: Token,
    /// The last comma between two members or elements.
    comma_before: Span,
    /// The container closed last, with its closer.
    closed: Option<(Frame, Token)>,
    /// A mismatched bracket was reported: unclosed containers at the end are not.
    tainted: bool,
    /// The end of the run of text reported last.
    junk_until: u32,
    values: u64,
    root_done: bool,
    first_value_line: (u32, u32),
    first_value_start: usize,
    first_value_end: usize,
    multiple: Option<usize>,
    /// The offsets of commas that are missing between values.
    separators: Vec<u32>,
    separated_by_commas: bool,
    /// The first value is on one line.
    lines: bool,
    /// Number of lines with one value, and with several.
    line_values: (u64, u64),
    /// The last value begins a line.
    begins_line: bool,
    /// Excessive nesting has been reported.
    too_deep: bool,
    gave_up: bool,
    /// The empty key sets of closed objects, for reuse.
    spare: Vec<keys::Keys>,
    turns: u64,
}

impl<'a> Parser<'a> {
    pub fn new(
        text: &'a [u8],
        start: usize,
        findings: Collector<'a>,
        options: DiagnoseOptions,
    ) -> Self {
        let mut lexer = Lexer::new(text, start, findings);
        lexer.surrogates = options.lints.lone_surrogate;
        lexer.dialect = options.dialect;
        lexer.stream = options.framing == Framing::Stream;
        lexer.record = options.framing == Framing::Lines;
        lexer.advises_comments =
            options.framing == Framing::OneValue && options.dialect == Dialect::Json;
        let nowhere = Token {
            first: true,
            start: start as u32,
            end: start as u32,
            line: 1,
            ..Token::default()
        };
        Parser {
            text,
            stream: Stream::new(lexer, start),
            options,
            last: nowhere,
            before: nowhere,
            comma_before: Span::point(start),
            first_value_start: start,
            line_values: (1, 0),
            begins_line: true,
            ..Parser::default()
        }
    }

    /// Parses the whole text.
    pub fn run(mut self) -> Outcome<'a> {
        while matches!(self.turn(), Flow::Go) && !self.gave_up {}
        self.place(self.text.len());
        self.finish_multiple();
        let steps = self.stream.steps() + self.turns;
        let conflict = self.stream.lexer.conflict;
        let mut findings = self.stream.lexer.findings;
        if conflict {
            findings.retract(Code::DuplicateKey);
        }
        Outcome {
            findings,
            steps,
            gave_up: self.gave_up,
            values: self.values,
            first_value_end: (self.first_value_end > 0).then_some(self.first_value_end),
        }
    }

    /// Handles the next token.
    fn turn(&mut self) -> Flow {
        self.turns += 1;
        let token = self.stream.peek(0);
        let Some(frame) = self.frames.last() else {
            return self.at_root(token);
        };
        if token.kind == TokenKind::End {
            self.finish();
            return Flow::Stop;
        }
        match (frame.kind, frame.state) {
            (Container::Object, Expected::First | Expected::Next) => self.at_key(token),
            (Container::Object, Expected::Colon) => self.at_colon(token),
            (Container::Object, Expected::Value) => self.at_member_value(token),
            (Container::Array, Expected::After) | (Container::Object, Expected::After) => {
                self.after_value(token)
            }
            (Container::Array, _) => self.at_element(token),
        }
    }

    /// Consumes the next token and sets the paths of the findings that the lexer reported up to its end.
    fn advance(&mut self) -> Token {
        let token = self.stream.next();
        self.place(token.end());
        self.before = self.last;
        self.last = token;
        token
    }

    fn place(&mut self, end: usize) {
        while let Some(index) = self.stream.lexer.unplaced(end) {
            self.set_path(index, self.frames.len());
        }
        if self.stream.lexer.findings.is_full() {
            self.emit_settled();
        }
    }

    #[cold]
    fn set_path(&mut self, index: usize, frames: usize) {
        let path = self.path_of(frames);
        if let Some(finding) = self.stream.lexer.findings.get_mut(index) {
            finding.path = path;
        }
    }

    /// Emits the findings before the current position, except those that will still change.
    #[cold]
    fn emit_settled(&mut self) {
        let lexer = &mut self.stream.lexer;
        let unplaced: HashSet<usize> = lexer.unplaced_findings().collect();
        let comment = lexer.line_comment.and_then(|(.., index)| index);
        let multiple = self.multiple;
        let horizon = self.last.start();
        let is_pinned = |index: usize| {
            Some(index) == comment || Some(index) == multiple || unplaced.contains(&index)
        };
        lexer.findings.emit_before(self.text, horizon, is_pinned);
    }

    fn report(
        &mut self,
        code: Code,
        span: Span,
        fill: impl FnOnce(&mut Diagnostic),
    ) -> Option<usize> {
        let index = self.stream.lexer.findings.report(code, span, fill)?;
        self.wait_for_ascii(index);
        self.set_path(index, self.frames.len());
        Some(index)
    }

    /// Drops a safe fix that overlaps full-width punctuation, which has its own fix: remaining mistakes are found
    /// again.
    fn wait_for_ascii(&mut self, index: usize) {
        let lexer = &mut self.stream.lexer;
        if !lexer.expects_full_width() {
            return;
        }
        let text = self.text;
        let is_wide = |span: Span| (span.start..span.end).any(|at| is_full_width(&text[at..]));
        if let Some(finding) = lexer.findings.get_mut(index) {
            finding.fix.take_if(|fix| {
                fix.applicability == Applicability::Safe
                    && fix.edits.iter().any(|edit| is_wide(edit.span))
            });
        }
    }

    /// Like [`report`](Self::report), for a finding about the container at `depth` itself.
    fn report_at_depth(
        &mut self,
        depth: usize,
        code: Code,
        span: Span,
        fill: impl FnOnce(&mut Diagnostic),
    ) {
        if let Some(index) = self.stream.lexer.findings.report(code, span, fill) {
            self.wait_for_ascii(index);
            self.set_path(index, depth);
        }
    }

    /// The number of containers around the innermost one.
    fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Records a mistake that is reported elsewhere.
    fn deviate(&mut self) {
        self.stream.lexer.findings.deviated = true;
    }

    fn top(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("called with a container open")
    }

    /// The path through this many frames.
    fn path_of(&self, frames: usize) -> Location {
        let mut path = Location::default();
        for frame in self.frames.iter().take(frames.min(MAX_PATH_STEPS)) {
            if !frame.is_inside_member() {
                break;
            }
            match frame.kind {
                Container::Array => path.push_index(u64::from(frame.index)),
                Container::Object => {
                    let raw = &self.text[frame.key.0 as usize..frame.key.1 as usize];
                    keys::push_key(&mut path, raw);
                }
            }
        }
        if frames > MAX_PATH_STEPS {
            path.truncate();
        }
        path
    }

    fn bytes(&self, token: Token) -> &'a [u8] {
        &self.text[token.start()..token.end()]
    }

    /// Opens a container whose opener is `token`.
    fn open(&mut self, kind: Container, token: Token) {
        if self.frames.len() >= MOST_FRAMES {
            self.gave_up = true;
            return;
        }
        let mut frame = Frame::new(kind, token);
        frame.paren = token.kind == TokenKind::OpenParen;
        let limit = self.options.max_depth;
        if limit > 0 && self.frames.len() == limit && !self.too_deep {
            self.too_deep = true;
            self.report(Code::DeepNesting, token.span(), |d| {
                d.message(format_args!("nested more than {limit} levels deep"))
                    .label("one level too many")
                    .advise(Advice::RaiseDepthLimit);
            });
        }
        self.frames.push(frame);
    }

    /// Parses the value that starts with `token`, in the current member or element.
    fn value(&mut self, token: Token) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = Expected::After;
            frame.value = token.start;
        }
        match token.kind {
            TokenKind::OpenObject => {
                self.advance();
                self.open(Container::Object, token);
            }
            TokenKind::OpenArray | TokenKind::OpenParen => {
                self.advance();
                self.open(Container::Array, token);
            }
            TokenKind::Bare => {
                if !self.is_cut_off(token) {
                    self.bare_value(token);
                }
                self.advance();
            }
            TokenKind::Number => {
                self.lint_number(token);
                self.advance();
            }
            TokenKind::Expression => {
                self.report_expression(token.span());
                self.advance();
            }
            _ => {
                self.advance();
            }
        }
    }

    /// The replacement for dropped text: a space, if the text around it would merge into one token.
    ///
    /// The text after it may be dropped too, so the next byte that may be part of a token decides. Only the first byte of a
    /// run follows such a byte, so all searches together read the text once.
    fn apart(&self, span: Span) -> &'static str {
        let before = self.text[..span.start].last();
        let mut after = self.text[span.end..].iter().copied();
        let ends = |byte: u8| joins(byte) || byte.is_ascii_whitespace() || b",:".contains(&byte);
        if before.is_some_and(|&byte| joins(byte))
            && after.find(|&byte| ends(byte)).is_some_and(joins)
        {
            " "
        } else {
            ""
        }
    }

    /// Reports text where none is allowed, once per run of tokens, and skips it.
    fn unexpected(&mut self, token: Token, label: &str) {
        let broken = std::str::from_utf8(self.bytes(token)).is_err();
        if broken || token.start <= self.junk_until && self.junk_until > 0 {
            self.deviate();
        } else {
            let end = self.run_end(token);
            let span = Span::new(token.start(), end);
            let raw = &self.text[span.start..span.end];
            let apart = self.apart(span);
            // Several words may be content, unless in a tag: they are not dropped.
            let words = raw.split(|byte| !byte.is_ascii_alphanumeric() && *byte < 0x80);
            let is_tag = matches!(raw, [b'<', b'/' | b'|', .., b'>']);
            let is_droppable = is_tag || words.filter(|word| word.len() > 1).nth(1).is_none();
            self.report(Code::UnexpectedText, span, |d| {
                d.message(format_args!("unexpected {}", super::quote::ticked(raw)))
                    .label(label);
                if is_droppable {
                    d.replace(super::Applicability::Review, span, apart);
                }
            });
        }
        let end = self.run_end(token);
        while self.stream.peek(0).start() < end && self.stream.peek(0).kind != TokenKind::End {
            self.advance();
        }
        self.junk_until = end as u32;
    }

    /// The end of a run of tokens on one line that cannot be part of the document.
    fn run_end(&mut self, token: Token) -> usize {
        let mut end = token.end();
        // `{"a": * 5}`: the mark goes, the value stays.
        let marks = [
            TokenKind::Operator,
            TokenKind::Junk,
            TokenKind::CloseParen,
            TokenKind::Semicolon,
        ];
        let is_mark = marks.contains(&token.kind)
            && self.frames.last().is_some_and(|frame| match frame.kind {
                Container::Object => frame.state == Expected::Value,
                Container::Array => frame.state != Expected::After,
            });
        for ahead in 1..32 {
            let next = self.stream.peek(ahead);
            let same = matches!(
                next.kind,
                TokenKind::Bare
                    | TokenKind::Junk
                    | TokenKind::Operator
                    | TokenKind::Literal
                    | TokenKind::Number
                    | TokenKind::Expression
            );
            let after = self.stream.peek(ahead + 1);
            let is_value = matches!(next.kind, TokenKind::Literal | TokenKind::Number)
                && matches!(
                    after.kind,
                    TokenKind::Comma | TokenKind::CloseObject | TokenKind::CloseArray
                );
            if next.first
                || !same
                || is_mark && is_value
                || next.kind == TokenKind::Bare && after.is_separator()
            {
                break;
            }
            end = next.end();
        }
        end
    }
}
