//! Handles the end of the text while containers are open.

use super::super::character::character_at;
use super::super::code::Code;
use super::super::diagnostic::Applicability::Review;
use super::super::diagnostic::Span;
use super::super::lexer::{Kind, Token, may_go_on};
use super::Parser;
use super::frame::State;

/// The maximum number of closers that a note spells out.
const SPELLED: usize = 32;

/// The maximum number of containers for which a closing edit is offered.
const CLOSED: usize = 1000;

impl Parser<'_> {
    /// Whether the end of the text truncates this bare text, which is reported later.
    pub(super) fn is_cut_off(&self, token: Token) -> bool {
        token.kind == Kind::Bare
            && token.end() == self.text.len()
            && !self.frames.is_empty()
            && may_go_on(self.bytes(token)).is_some()
    }

    /// Whether the closers of the document are inside a comment after the last token, which runs to the end of the
    /// line and of the text: in a file of one line, a comment hides the rest. Then the comment is the only mistake.
    fn is_in_comment(&mut self) -> bool {
        let Some((comment, line, index)) = self.stream.lexer.line_comment else {
            return false;
        };
        let rest = self.text[comment.start..comment.end].trim_ascii_end();
        let outermost = self.frames.first().map(|frame| frame.kind.closer());
        let closes = outermost.is_some_and(|closer| rest.ends_with(closer.as_bytes()));
        if !closes || line != self.last.line || !self.text[comment.end..].trim_ascii().is_empty() {
            return false;
        }
        if let Some(d) = index.and_then(|index| self.stream.lexer.findings.get_mut(index)) {
            d.label("the rest of the line is part of this comment")
                .help(
                    "remove the comment up to where the data goes on, or end it with a line break",
                );
            d.fix = None;
        }
        self.deviate();
        true
    }

    pub(super) fn finish(&mut self) {
        if self.is_in_comment() {
            return;
        }
        if self.stream.lexer.in_comment {
            // What is missing is in the comment.
            self.deviate();
            return;
        }
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
            // The text was cut before the trailing white space.
            at = self.last.end();
        }
        let open = self.frames.len();
        let closers = self.closers();
        let record = self.settings.record;
        let start = character_at(self.text, unfinished.map_or(at, Token::start));
        self.report(Code::TruncatedInput, Span::point(at), |d| {
            let text = if record { "record" } else { "input" };
            d.message(format!("{text} ends {what}"));
            d.label(if record { "record ends here" } else { "file ends here" });
            if unfinished.is_some() {
                let what = what.split(' ').next_back().unwrap_or("value");
                d.related(start, format!("unfinished {what} starts here"));
            }
            let (noun, verb, them) = if open == 1 { ("container", "is", "it") } else { ("containers", "are", "them") };
            if open == 0 {
                // A value outside any container.
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
