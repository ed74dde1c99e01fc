//! The end of the text, with containers open.

use super::super::code::Code;
use super::super::diagnostic::Applicability::Review;
use super::super::diagnostic::Span;
use super::super::lexer::{Kind, Token, may_go_on};
use super::Parser;
use super::frame::State;

/// The number of closers that a note spells out.
const SPELLED: usize = 32;

/// The number of containers for which an edit that closes them is offered.
const CLOSED: usize = 1000;

impl Parser<'_> {
    /// Whether the end of the text cut this bare text off, which is reported later.
    pub(super) fn is_cut_off(&self, token: Token) -> bool {
        token.kind == Kind::Bare
            && token.end() == self.text.len()
            && !self.frames.is_empty()
            && may_go_on(self.bytes(token)).is_some()
    }

    pub(super) fn finish(&mut self) {
        let last = self.last;
        let one_line = last.line == 1 || self.settings.record;
        let inside = if self.stream.lexer.truncated {
            Some("a string")
        } else if self.is_cut_off(last) {
            may_go_on(self.bytes(last))
        } else {
            None
        };
        if let Some(what) = inside {
            let what = format!("inside {what}");
            return self.truncated(&what, Some(last));
        }
        let state = self.frames.last().map(|frame| frame.state);
        match state {
            Some(State::Colon) => self.truncated("after a key", None),
            Some(State::Value) => self.truncated("before a value", None),
            Some(State::Next) => self.truncated("after a comma", None),
            _ if self.tainted => self.deviate(),
            _ if one_line && self.frames.len() > 1 || self.frames.len() > CLOSED => {
                let name = self.frames.last().map_or("", |frame| frame.kind.name());
                let what = format!("inside an {name}");
                self.truncated(&what, None);
            }
            _ => self.unclosed_at_end(),
        }
    }

    fn closers(&self) -> String {
        self.frames
            .iter()
            .rev()
            .take(CLOSED)
            .map(|frame| frame.kind.closer())
            .collect()
    }

    fn truncated(&mut self, what: &str, unfinished: Option<Token>) {
        let mut at = self.text.len();
        if unfinished.is_none() {
            // White space at the end is not where anything was cut.
            at = self.last.end();
        }
        let open = self.frames.len();
        let closers = self.closers();
        let record = self.settings.record;
        self.report(Code::TruncatedInput, Span::point(at), |d| {
            let text = if record { "record" } else { "input" };
            d.message(format!("{text} ends {what}"));
            d.label(if record { "record ends here" } else { "file ends here" });
            if let Some(token) = unfinished {
                let what = what.split(' ').next_back().unwrap_or("value");
                d.related(Span::new(token.start(), token.start() + 1), format!("unfinished {what} starts here"));
            }
            let (noun, verb, them) = if open == 1 { ("container", "is", "it") } else { ("containers", "are", "them") };
            if open == 0 {
                // A value on its own.
            } else if open > SPELLED {
                d.note(format!("{open} {noun} {verb} still open"));
            } else {
                d.note(format!("{open} {noun} {verb} still open; `{closers}` would close {them}"));
            }
            d.help(if record {
                "JSON Lines has a whole value on each line: what does not go on is cut off, what does belongs on one line"
            } else {
                "the file is probably incomplete: an interrupted download or write, or a size limit"
            });
        });
    }

    fn unclosed_at_end(&mut self) {
        let at = Span::point(self.last.end());
        let closers = self.closers();
        let name = self.frames.last().map_or("", |frame| frame.kind.name());
        let several = self.frames.len() > 1;
        let openers: Vec<(Span, &str)> = self
            .frames
            .iter()
            .rev()
            .filter(|frame| !frame.imagined)
            .take(3)
            .map(|frame| {
                (
                    Span::new(frame.opener as usize, frame.opener as usize + 1),
                    frame.kind.name(),
                )
            })
            .collect();
        self.report_at_depth(self.depth(), Code::UnclosedBracket, at, |d| {
            d.message(if several {
                "several containers are never closed".to_string()
            } else {
                format!("{name} is never closed")
            });
            if closers.len() <= SPELLED {
                d.label(format!("insert `{closers}` here"));
            } else {
                d.label("the brackets that close them are missing here");
            }
            for (span, name) in openers {
                d.related(span, format!("this {name} is not closed"));
            }
            d.replace(Review, at, closers);
        });
    }
}
