//! Parses the text around a mistake, between two positions; the text before the first and after the second has been checked.
//!
//! The brackets of the whole text are assumed to match. A rule that needs more of the text ends the run, and the whole text has
//! to be parsed.

use super::super::diagnostic::Span;
use super::super::lexer::{Container, Lexer, Token, TokenKind};
use super::frame::{Expected, Frame};
use super::{Flow, Parser, RunSettings};

/// The length of text without a finding, in bytes, that ends a run.
pub(crate) const QUIET: usize = 2048;

/// A position in a text: its start, or after a comma between two members or elements.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Resume {
    pub at: usize,
    /// The containers that are open there, outermost first.
    pub open: Vec<Open>,
}

/// An open container.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Open {
    pub kind: Container,
    /// The offset of its opener.
    pub opener: u32,
    /// Whether there is more than one member or element.
    pub is_long: bool,
}

/// The result of a run.
pub(in super::super) enum Next {
    /// From here on, the text may be valid again.
    Resume(Resume),
    /// The end of the text.
    End,
    /// The whole text has to be parsed.
    Whole,
}

impl<'a> Parser<'a> {
    /// Creates a parser that starts at `place`, with a lexer that is new or has read the text before it.
    pub fn resume(lexer: Lexer<'a>, place: &Resume, settings: RunSettings) -> Self {
        let Some(comma) = place.at.checked_sub(1).filter(|_| !place.open.is_empty()) else {
            let mut parser = Parser::of(lexer, 0, settings);
            parser.stream.assume_balance();
            return parser;
        };
        let kinds = place.open.iter().map(|open| open.kind);
        let lexer = lexer.resume(place.at, kinds);
        let line = lexer.line_start();
        let mut parser = Parser::of(lexer, place.at, settings);
        parser.stream.assume_balance();
        let token = Token {
            kind: TokenKind::Comma,
            first: false,
            start: comma as u32,
            end: place.at as u32,
            line: 1,
            indent: 0,
        };
        for open in &place.open {
            let opener = Token {
                start: open.opener,
                end: open.opener + 1,
                line: u32::from(open.opener as usize >= line),
                ..token
            };
            parser.frames.push(Frame {
                state: Expected::After,
                index: u32::from(open.is_long),
                key: (open.opener, open.opener),
                ..Frame::new(open.kind, opener)
            });
        }
        parser.top().state = Expected::Next;
        parser.first_value_start = place.open[0].opener as usize;
        parser.last = token;
        parser.comma_before = Span::new(comma, place.at);
        parser
    }

    /// Parses up to a position after `past` that begins a stretch without findings. Returns the lexer, and the number of
    /// steps of the parser.
    pub fn run_near(mut self, past: usize) -> (Lexer<'a>, u64, Next) {
        let mut reported = 0;
        let mut quiet_from = past;
        let next = loop {
            if self.gave_up || self.stream.needs_whole {
                break Next::Whole;
            }
            let errors = self.stream.lexer.findings.errors;
            if errors != reported {
                (reported, quiet_from) = (errors, self.stream.lexer.offset().max(past));
            } else if self.stream.lexer.offset() > quiet_from + QUIET
                && let Some(place) = self.place_after_comma()
            {
                break Next::Resume(place);
            }
            // A container that ends too early or too late has extra or missing brackets.
            let is_end = self.stream.peek(0).kind == TokenKind::End;
            if is_end != self.frames.is_empty() && (is_end || self.root_done) {
                break Next::Whole;
            }
            if matches!(self.turn(), Flow::Stop) {
                break Next::End;
            }
        };
        self.finish_multiple();
        (self.stream.lexer, self.turns, next)
    }

    /// The current position, if the last token was a comma between two members or elements.
    fn place_after_comma(&self) -> Option<Resume> {
        let is_next =
            self.frames.last()?.state == Expected::Next && self.last.kind == TokenKind::Comma;
        if !is_next
            || self
                .frames
                .iter()
                .any(|frame| frame.paren || frame.imagined)
        {
            return None;
        }
        let open = self.frames.iter().map(|frame| Open {
            kind: frame.kind,
            opener: frame.opener,
            is_long: frame.index > 0,
        });
        Some(Resume {
            at: self.last.end(),
            open: open.collect(),
        })
    }
}
