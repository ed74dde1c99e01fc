//! Handles the end of the text while containers are open.

use super::super::Framing;
use super::super::character::character_at;
use super::super::code::Code;
use super::super::diagnostic::Applicability::Review;
use super::super::diagnostic::{Cut, Edit, Span};
use super::super::lexer::{Container, Token, TokenKind, is_number, is_scalar, may_go_on};
use super::super::literals;
use super::Parser;
use super::frame::Expected;

/// The maximum number of closers that a note spells out.
const SPELLED: usize = 32;

/// The maximum number of positions tried as the end of a comment.
const ENDS: usize = 16;

/// The maximum number of open containers of a text that is not considered truncated.
const CLOSED: usize = 1000;

/// The end of the string that starts at `start` and is truncated by the end of the text, without an incomplete escape,
/// surrogate pair or character.
fn whole(text: &[u8], start: usize) -> usize {
    let string = &text[start..];
    let valid = std::str::from_utf8(string).map_or_else(|error| error.valid_up_to(), str::len);
    let tail = string[..valid].len().saturating_sub(6).max(1).min(valid);
    let escape = memchr::memrchr(b'\\', &string[tail..valid]).map(|at| tail + at);
    let is_escape = |at: usize| {
        let slashes = string[..=at].iter().rev();
        slashes.take_while(|&&byte| byte == b'\\').count() % 2 == 1
    };
    let end = match escape {
        Some(at) => {
            let rest = &string[at + 1..valid];
            let cut = rest.is_empty() || rest[0] == b'u' && rest.len() < 5;
            if cut && is_escape(at) { at } else { valid }
        }
        None => valid,
    };
    let half = end.saturating_sub(6).max(1).min(end);
    let is_half = |escape: &[u8]| matches!(escape, [b'\\', b'u', b'd' | b'D', digit, _, _] if b"89abAB".contains(digit));
    match is_half(&string[half..end]) && is_escape(half) {
        true => start + half,
        false => start + end,
    }
}

/// The literal or number that starts with `cut`, if enough of it is present.
fn completed(cut: &[u8]) -> Option<String> {
    if let Some(literal) = literals::completed(cut) {
        return Some(literal.to_owned());
    }
    let text = std::str::from_utf8(cut).ok()?;
    let number = text.trim_end_matches(['+', '-', 'e', 'E', '.']);
    is_number(number.as_bytes()).then(|| number.to_owned())
}

impl Parser<'_> {
    /// Whether the end of the text truncates this bare text, which is reported later.
    pub(super) fn is_cut_off(&self, token: Token) -> bool {
        token.kind == TokenKind::Bare
            && self.is_at_end(token)
            && !self.frames.is_empty()
            && may_go_on(self.bytes(token)).is_some()
    }

    /// Whether the closers of the document are inside a comment after the last token, which runs to the end of the
    /// line and of the text: in a one-line file, a comment hides the rest. Then the comment is the only mistake.
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
        let ends = self.comment_ends(comment);
        if ends.is_none() && line > 1 {
            // The text is rather truncated after this comment.
            return false;
        }
        if let Some(d) = index.and_then(|index| self.stream.lexer.findings.get_mut(index)) {
            d.label("the rest of the line is part of this comment")
                .help(
                    "remove the comment up to where the data goes on, or end it with a line break",
                );
            d.fix = None;
            if let Some(end) = ends {
                d.replace(Review, Span::new(comment.start, end), "");
            }
        }
        self.deviate();
        true
    }

    /// The offset at which the data continues in a comment that hides the rest of the text: the text is valid without
    /// the bytes before it.
    fn comment_ends(&self, comment: Span) -> Option<usize> {
        let inside = &self.text[comment.start..comment.end];
        let starts = inside.iter().enumerate().skip(1);
        let starts = starts.filter(|(_, byte)| b"{}[],\"".contains(byte));
        let mut ends = starts.map(|(at, _)| comment.start + at).take(ENDS);
        ends.find(|&end| {
            let mut validator =
                jsonx_core::engine::Validator::new(jsonx_core::engine::Options::default());
            let mut push = |text: &[u8]| {
                let pushed = validator.write(text, &mut jsonx_core::engine::Verdict);
                pushed.is_ok()
            };
            push(&self.text[self.stream.start..comment.start])
                && push(&self.text[end..])
                && validator.finish(jsonx_core::engine::Verdict).is_ok()
        })
    }

    pub(super) fn finish(&mut self) {
        if self.is_in_comment() {
            return;
        }
        if self.stream.lexer.in_comment {
            // The missing text is in the comment.
            self.deviate();
            return;
        }
        let last = self.last;
        let one_line = last.line == 1 || self.options.framing == Framing::Lines;
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
            Some(Expected::Colon) => self.truncated("after a key", None),
            Some(Expected::Value) => self.truncated("before a value", None),
            Some(Expected::Next) => self.truncated("after a comma", None),
            _ if self.tainted => self.deviate(),
            _ if one_line && self.frames.len() > 1 || self.frames.len() > CLOSED => {
                let name = self.frames.last().map_or("", |frame| frame.kind.name());
                let what = format!("inside an {name}");
                self.truncated(&what, None);
            }
            _ => self.unclosed_at_end(),
        }
    }

    /// The edit that closes a truncated text: it keeps complete values, and a string up to the end of the text.
    /// `unfinished` is the truncated token.
    fn closing_edit(&self, unfinished: Option<Token>) -> (Span, String) {
        let closers = self.closers(0);
        let end = self.text.len();
        let Some(frame) = self.frames.last() else {
            let start = self.last.start();
            return (Span::new(whole(self.text, start), end), "\"".to_owned());
        };
        let comma = self.comma_before;
        let key = |start: usize| (Span::new(self.comma_or(start), end), closers.clone());
        match (frame.kind, frame.state, unfinished) {
            (Container::Object, Expected::Colon, Some(token)) => key(token.start()),
            (Container::Object, Expected::Colon | Expected::Value, _) => key(frame.key.0 as usize),
            // A comment after the comma stays.
            (_, Expected::Next, None) => {
                let is_last = self.text[comma.end..].trim_ascii().is_empty();
                let end = if is_last { end } else { comma.end };
                (Span::new(comma.start, end), closers)
            }
            (_, _, Some(token)) if token.kind == TokenKind::String => (
                Span::new(whole(self.text, token.start()), end),
                format!("\"{closers}"),
            ),
            (_, _, Some(token)) => match completed(self.bytes(token)) {
                Some(text) => (token.span(), format!("{text}{closers}")),
                None if frame.kind == Container::Object => key(frame.key.0 as usize),
                None => key(token.start()),
            },
            _ => (Span::new(self.last.end(), self.last.end()), closers),
        }
    }

    /// The value at which the text ends, if it may be incomplete: `12` may be the start of `123`.
    fn cut(&self) -> Option<Box<Cut>> {
        let (last, frame) = (self.last, self.frames.last()?);
        let is_open =
            self.stream.lexer.truncated || self.stream.lexer.open_string == Some(last.end());
        let raw = self.bytes(last);
        let text = std::str::from_utf8(raw).unwrap_or_default();
        let what = match last.kind {
            TokenKind::Number => "number",
            TokenKind::String if is_open => "string",
            TokenKind::Bare if literals::is_literal(text) => return None,
            TokenKind::Bare if literals::completed(raw).is_some() => "literal",
            TokenKind::Bare if is_scalar(raw) => "number",
            TokenKind::Bare => "value",
            _ => return None,
        };
        if !self.is_at_end(last) || frame.state != Expected::After || frame.value != last.start {
            return None;
        }
        let start = match frame.kind {
            Container::Object => frame.key.0 as usize,
            Container::Array => last.start(),
        };
        Some(Box::new(Cut {
            value: last.span(),
            what,
            without: Edit::new(self.comma_or(start)..last.end(), self.closers(0)),
        }))
    }

    /// Whether the text may have been truncated in `token`. A line end after a single line, or after a string that is not
    /// closed, does not rule that out: programs that print lines also end a truncated one.
    fn is_at_end(&self, token: Token) -> bool {
        let rest = &self.text[token.end()..];
        let is_open = self.stream.lexer.open_string == Some(token.end());
        rest.is_empty() || (token.line == 1 || is_open) && matches!(rest, b"\n" | b"\r\n")
    }

    /// The start of the comma before a member or element that starts at `start`, if nothing else is between them.
    fn comma_or(&self, start: usize) -> usize {
        let comma = self.comma_before;
        if comma.end <= start && self.text[comma.end..start].trim_ascii().is_empty() {
            comma.start
        } else {
            start
        }
    }

    fn truncated(&mut self, what: &str, unfinished: Option<Token>) {
        let mut at = self.text.len();
        if unfinished.is_none() {
            // The text was truncated before the trailing white space.
            at = self.last.end();
        }
        let open = self.frames.len();
        let (span, text) = self.closing_edit(unfinished);
        let closers = text
            .trim_start_matches(|c| !matches!(c, '}' | ']'))
            .to_owned();
        let record = self.options.framing == Framing::Lines;
        // An omitted value is not treated as complete.
        let cut = self
            .cut()
            .filter(|cut| span.start > cut.value.start || text != closers);
        let start = character_at(self.text, unfinished.map_or(at, Token::start));
        self.report(Code::TruncatedInput, Span::point(at), |d| {
            d.cut = cut;
            let text_name = if record { "record" } else { "input" };
            d.message(format_args!("{text_name} ends {what}"));
            d.label(if record { "record ends here" } else { "file ends here" });
            d.replace(Review, span, text);
            if unfinished.is_some() {
                let what = what.split(' ').next_back().unwrap_or("value");
                d.related(start, format!("unfinished {what} starts here"));
            }
            let (noun, verb, them) = if open == 1 { ("container", "is", "it") } else { ("containers", "are", "them") };
            if open == 0 {
                // A value outside any container.
            } else if open > SPELLED {
                d.note(format_args!("{open} {noun} {verb} still open"));
            } else {
                d.note(format_args!("{open} {noun} {verb} still open; `{closers}` would close {them}"));
            }
            d.help(if record {
                "in JSON Lines, each value is whole on one line: this one is truncated, or continues on the next line"
            } else {
                "the file is probably incomplete: an interrupted download or write, or a size limit"
            });
        });
    }

    fn unclosed_at_end(&mut self) {
        let (cut, closers) = (self.cut(), self.closers(0));
        let label = if closers.len() <= SPELLED {
            format!("insert `{closers}` here")
        } else {
            "the brackets that close them are missing here".to_owned()
        };
        self.report_unclosed(0, self.depth(), self.last.end(), label, |d| d.cut = cut);
    }
}
