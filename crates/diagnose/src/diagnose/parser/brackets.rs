//! Repairs missing, mismatched and extra brackets.
//!
//! Two kinds of evidence decide. The *surplus* of openers over closers in the whole text tells whether a closer of
//! this kind is missing or extra: the parser makes no repair that the count does not support, so indentation alone can
//! never make a valid file look broken. The *indentation* tells where: a closer belongs to the container whose line
//! has the same indentation, and a member to the container whose other members have the same indentation.
//!
//! ```text
//! closer      matches the innermost container?
//!   yes         lines up with an outer one, and the text lacks closers    the inner ones end before it
//!               is indented deeper, and the text has too many closers     it is extra
//!               otherwise                                                 it closes the container
//!   no          an outer one matches, and the text lacks closers          the inner ones end before it
//!               the text has too many closers                             an opener is missing above, or it is extra
//!               otherwise                                                 it is the wrong kind of bracket
//! ```

use super::super::character::character_before;
use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::{Diagnostic, Related, Span};
use super::super::lexer::{Container, Token, TokenKind, bracket};
use super::super::quote;
use super::Parser;
use super::frame::{Expected, Frame};

/// The number of levels to search outward for a matching container.
const LEVELS: usize = 64;

/// The maximum number of empty key lists kept for reuse.
const SPARE: usize = 16;

/// The maximum number of openers to show where several containers should end.
const SHOWN: usize = 3;

impl Parser<'_> {
    pub(super) fn opener_span(&self) -> Span {
        let Some(frame) = self.frames.last() else {
            return Span::point(0);
        };
        let at = frame.opener as usize;
        if frame.imagined {
            Span::point(at)
        } else {
            bracket(self.text, at)
        }
    }

    /// Records the indentation of the members of the innermost container.
    pub(super) fn note_indent(&mut self, token: Token) {
        let frame = self.top();
        if token.first && frame.member_indent.is_none() && token.line != frame.line {
            frame.member_indent = Some(token.indent);
        }
    }

    /// Handles a closer inside a container.
    pub(super) fn closer(&mut self, token: Token) {
        let Some(kind) = token.kind.closes() else {
            return match self.top().paren {
                true => self.close(token),
                false => self.unexpected(token, "remove it"),
            };
        };
        let &mut Frame {
            kind: top_kind,
            line,
            indent,
            ..
        } = self.top();
        if kind != top_kind {
            return self.wrong_closer(token, kind);
        }
        if token.first && token.line != line && token.indent != indent {
            if token.indent < indent {
                if let Some(outer) = self.outer_with_indent(kind, token)
                    && self.may_be_unclosed(outer + 1)
                {
                    self.unclosed_at_closer(outer, token);
                    return self.close(token);
                }
            } else if self.stream.surplus(kind) < 0 {
                return self.extra(token, kind);
            }
        }
        self.close(token);
    }

    /// Closes the innermost container, which `token` matches.
    fn close(&mut self, token: Token) {
        self.drop_comma(token);
        if self.top().paren {
            let open = self.opener_span();
            let close = (token.kind == TokenKind::CloseParen).then(|| token.span());
            // `(1)` is a value in parentheses, `(1,)` a tuple.
            let frame = self.top();
            let single = frame.index == 0 && frame.state == Expected::After && close.is_some();
            // In JavaScript, `(1, 2)` is 2.
            let is_operator = frame.index > 0 && frame.state == Expected::After;
            let certain = if is_operator { Review } else { Safe };
            self.parentheses(open, close, single, certain);
        }
        self.advance();
        let frame = self.frames.pop().expect("a container is open");
        // The container closed before this one can no longer be reopened, so its key set is free for reuse.
        if let Some((
            Frame {
                seen: Some(mut seen),
                ..
            },
            _,
        )) = self.closed.replace((frame, token))
            && self.spare.len() < SPARE
        {
            seen.clear();
            self.spare.push(*seen);
        }
        if self.frames.is_empty() {
            self.end_value();
        }
    }

    /// Reports the comma before a closer, if there is one.
    fn drop_comma(&mut self, closer: Token) -> bool {
        let is_after_comma = self.top().state == Expected::Next;
        if is_after_comma {
            self.trailing_comma(&[self.comma_before], closer);
        }
        is_after_comma
    }

    /// Handles a closer that does not match the innermost container.
    fn wrong_closer(&mut self, token: Token, kind: Container) {
        if let Some(outer) = self.outer_with_indent(kind, token)
            && self.may_be_unclosed(outer + 1)
        {
            self.unclosed_at_closer(outer, token);
            return self.close(token);
        }
        let top_kind = self.top().kind;
        if let Some(outer) = self.outer(|frame| frame.kind == kind)
            && self.may_be_unclosed(outer + 1)
            && self.stream.surplus(kind) >= 0
        {
            let at = self.last.end();
            self.unclosed(outer + 1, at, None);
            return self.close(token);
        }
        if self.stream.surplus(kind) < 0 && self.stream.surplus(top_kind) <= 0 {
            let top = self.top();
            if top.kind == Container::Object
                && let Some(colon) = top.value_below
                && token.first
                && top.state == Expected::After
            {
                // `"key":`, followed on the next line by apparent elements of an array and its closer.
                let value = top.value;
                self.report_missing_opener(kind, colon, value);
                self.advance();
                return;
            }
            return self.extra(token, kind);
        }
        if self.drop_comma(token) {
            let top = self.top();
            top.state = Expected::After;
            top.index = top.index.saturating_sub(1);
        }
        let opener = self.opener_span();
        self.report(Code::MismatchedBracket, token.span(), |d| {
            d.message(format_args!(
                "`{}` does not match `{}`",
                kind.closer(),
                top_kind.opener()
            ))
            .label(format_args!("change to `{}`", top_kind.closer()))
            .related(opener, format!("{} opened here", top_kind.name()))
            .replace(Review, token.span(), top_kind.closer());
        });
        self.tainted = true;
        self.stream.account(top_kind, -1);
        self.stream.account(kind, 1);
        self.top().state = Expected::After;
        self.close(token);
    }

    /// The nearest container outside the innermost one that `fits`.
    fn outer(&self, fits: impl Fn(&Frame) -> bool) -> Option<usize> {
        let inner = self.frames.len() - 1;
        (inner.saturating_sub(LEVELS)..inner)
            .rev()
            .find(|&i| fits(&self.frames[i]))
    }

    /// The container of this kind whose line has the same indentation as `token`, a closer that starts its line.
    fn outer_with_indent(&self, kind: Container, token: Token) -> Option<usize> {
        if !token.first {
            return None;
        }
        self.outer(|frame| {
            frame.kind == kind && frame.indent == token.indent && frame.line != token.line
        })
        .filter(|&outer| self.frames[outer + 1].line != token.line)
    }

    /// Whether the text lacks at least the closers of the containers from `from` on.
    fn may_be_unclosed(&mut self, from: usize) -> bool {
        [Container::Array, Container::Object]
            .into_iter()
            .all(|kind| {
                let open = self.frames[from..].iter();
                let open = open.filter(|frame| frame.kind == kind).count() as i64;
                open == 0 || self.stream.surplus(kind) >= open
            })
    }

    /// Ends the containers inside `outer` before its closer.
    fn unclosed_at_closer(&mut self, outer: usize, closer: Token) {
        let line = self.frames[outer].line;
        let bracket = self.frames[outer].kind.closer();
        let evidence = Related {
            span: closer.span(),
            label: format!("this `{bracket}` lines up with line {line}"),
        };
        self.drop_comma(closer);
        self.unclosed(outer + 1, self.last.end(), Some(evidence));
    }

    /// Reports that the containers from `from` on end at `at`, and closes them.
    fn unclosed(&mut self, from: usize, at: usize, evidence: Option<Related>) {
        let at_line_end = matches!(self.text.get(at), None | Some(b'\n' | b'\r'));
        let place = if at_line_end { "after this" } else { "here" };
        let label = format!("insert `{}` {place}", self.closers(from));
        self.report_unclosed(from, from, at, label, |d| {
            if let Some(evidence) = evidence {
                d.related.push(evidence);
                d.note("found by indentation; the brackets alone only show the problem at the end of the file");
            }
        });
        while self.frames.len() > from {
            let frame = self.frames.pop().expect("counted");
            self.stream.account(frame.kind, -1);
        }
    }

    /// Reports that the containers from `from` on end at `at`.
    pub(super) fn report_unclosed(
        &mut self,
        from: usize,
        depth: usize,
        at: usize,
        label: String,
        fill: impl FnOnce(&mut Diagnostic),
    ) {
        let (at, closers) = (Span::point(at), self.closers(from));
        let open = &self.frames[from..];
        let message = match open {
            [one] => format!("{} is never closed", one.kind.name()),
            _ => "several containers are never closed".to_owned(),
        };
        let openers = open.iter().rev().filter(|frame| !frame.imagined);
        let openers = openers
            .take(SHOWN)
            .map(|frame| (bracket(self.text, frame.opener as usize), frame.kind.name()));
        let openers: Vec<(Span, &str)> = openers.collect();
        self.report_at_depth(depth, Code::UnclosedBracket, at, |d| {
            d.message(message).label(label).replace(Review, at, closers);
            for (span, name) in openers {
                d.related(span, format!("this {name} is not closed"));
            }
            fill(d);
        });
    }

    /// The closers of the containers from `from` on.
    pub(super) fn closers(&self, from: usize) -> String {
        let frames = self.frames[from..].iter().rev();
        frames.map(|frame| frame.kind.closer()).collect()
    }

    /// Reports and skips an extra closer.
    fn extra(&mut self, token: Token, kind: Container) {
        // The first of two closers is the extra one if it ends a line on which nothing was opened.
        let last = self.last;
        let blamed = match &self.closed {
            Some((frame, closer))
                if closer.start == last.start
                    && !last.first
                    && frame.line != last.line
                    && token.kind == last.kind =>
            {
                last
            }
            _ => token,
        };
        let is_comma = self.stream.peek(1).kind == TokenKind::Comma;
        let next = self.stream.peek(1 + usize::from(is_comma));
        let opener = self.opener_span();
        let matches = self.frames.last().is_some_and(|frame| frame.kind == kind);
        let end = self.first_value_end;
        let last_of_document = character_before(self.text, end);
        let apart = self.apart(blamed.span());
        self.report_at_depth(self.depth(), Code::ExtraBracket, blamed.span(), |d| {
            d.message(format_args!("extra `{}`", kind.closer()))
                .label("remove it");
            if matches {
                d.related(opener, "it closes this, but more content follows");
                if next.kind != TokenKind::End {
                    d.show(next.start());
                }
            } else if end > 0 && blamed.start() >= end {
                d.related(last_of_document, "the document ends here");
            }
            d.replace(Review, blamed.span(), apart);
        });
        self.stream.account(kind, 1);
        self.advance();
    }

    /// Handles a closer outside every container.
    pub(super) fn extra_at_root(&mut self, token: Token) {
        match token.kind.closes() {
            Some(kind) if !self.tainted => self.extra(token, kind),
            _ => {
                self.deviate();
                self.advance();
            }
        }
    }

    /// Reports that the container whose first token is at `inside` lacks its opener. The opener belongs at `at`:
    /// before that token, or at the end of a line above it.
    fn report_missing_opener(&mut self, kind: Container, at: u32, inside: u32) {
        let opener = kind.opener();
        let span = Span::point(at as usize);
        self.report(Code::MissingOpenBracket, span, |d| {
            d.message(format_args!("{} is never opened", kind.name()))
                .label(format_args!("insert `{opener}` here"));
            if at == inside {
                d.replace(Review, span, opener);
            } else {
                d.replace(Review, span, format!(" {opener}"))
                    .show(inside as usize);
            }
        });
        self.stream.account(kind, 1);
    }

    /// The offset at which the opener of a container that starts with `token` belongs. If the line above ends with
    /// `"key":`, that is after the colon, as in `"key": {`; likewise after the comma before an element.
    fn opener_place(&self, token: Token) -> u32 {
        let before = if self.last.start == token.start {
            self.before
        } else {
            self.last
        };
        let ends_line = token.first && before.line != token.line;
        match before.kind {
            TokenKind::Colon | TokenKind::Equals | TokenKind::Comma if ends_line => before.end,
            _ => token.start,
        }
    }

    /// Proceeds as if there were an opener before `token`.
    pub(super) fn imagine(&mut self, kind: Container, token: Token, state: Expected) {
        self.report_missing_opener(kind, self.opener_place(token), token.start);
        if let Some(frame) = self.frames.last_mut() {
            frame.state = Expected::After;
            frame.value = token.start;
            frame.value_below = None;
        }
        self.open(kind, token);
        if let Some(frame) = self.frames.last_mut() {
            frame.imagined = true;
            frame.state = state;
        }
    }

    /// In an object, after a comma, at a token that does not start a member: repairs a missing bracket before it.
    /// Returns whether there was one.
    pub(super) fn lost_bracket(&mut self, token: Token) -> bool {
        let next = self.stream.peek(1).kind;
        let element =
            !token.is_keylike() || matches!(next, TokenKind::Comma | TokenKind::CloseArray);
        if self.top().state != Expected::Next || !element {
            return false;
        }
        if self.stream.next_unmatched() != Some(Container::Array) {
            return false;
        }
        let in_array = self
            .outer(|_| true)
            .is_some_and(|outer| self.frames[outer].kind == Container::Array);
        if in_array && self.stream.surplus(Container::Object) > 0 {
            self.unclosed_before_comma(self.frames.len() - 1, None);
            return true;
        }
        if self.stream.surplus(Container::Array) < 0 {
            let frame = self.top();
            frame.state = Expected::After;
            frame.index = frame.index.saturating_sub(1);
            let at = frame.value;
            let place = frame.value_below.unwrap_or(at);
            self.report_missing_opener(Container::Array, place, at);
            self.open(Container::Array, Token { start: at, ..token });
            if let Some(frame) = self.frames.last_mut() {
                frame.imagined = true;
                frame.state = Expected::Next;
                frame.index = 1;
            }
            return true;
        }
        false
    }

    /// Like [`lost_bracket`](Self::lost_bracket), in an array at a token that looks like a member.
    pub(super) fn lost_bracket_of_array(&mut self, token: Token) -> bool {
        let in_object =
            self.frames.len() > 1 && self.frames[self.frames.len() - 2].kind == Container::Object;
        let frame = self.top();
        if frame.paren && frame.state == Expected::Next && frame.index == 1 && in_object {
            let open = self.opener_span();
            self.report_at_depth(self.depth(), Code::WrongBracket, open, |d| {
                d.message("a parenthesis is never closed")
                    .label("remove it")
                    .replace(Review, open, "");
            });
            self.frames.pop();
            self.next_member();
            return true;
        }
        if self.top().state == Expected::Next
            && in_object
            && self.stream.surplus(Container::Array) > 0
        {
            self.unclosed_before_comma(self.frames.len() - 1, None);
            return true;
        }
        if self.stream.surplus(Container::Object) < 0 {
            self.imagine(Container::Object, token, Expected::First);
            return true;
        }
        false
    }

    /// In an object, at a `{` after a value: ends the object if it is in an array and its closer is missing. Returns
    /// whether it is.
    pub(super) fn ends_before_element(&mut self, token: Token) -> bool {
        let inner = self.frames.len() - 1;
        let in_array = inner > 0 && self.frames[inner - 1].kind == Container::Array;
        if !in_array
            || token.kind != TokenKind::OpenObject
            || self.stream.surplus(Container::Object) <= 0
            || self.stream.next_unmatched() != Some(Container::Array)
        {
            return false;
        }
        self.unclosed(inner, self.last.end(), None);
        true
    }

    /// In a container, at a key that is not its member: ends it at `at`, if it is inside an object and its closer is
    /// missing. Returns whether it is.
    pub(super) fn ends_before_key(&mut self, at: usize) -> bool {
        let inner = self.frames.len() - 1;
        let in_object = inner > 0 && self.frames[inner - 1].kind == Container::Object;
        let kind = self.top().kind;
        if !in_object || self.stream.surplus(kind) <= 0 {
            return false;
        }
        self.unclosed(inner, at, None);
        true
    }

    /// Ends the containers from `from` on before the comma that was just read.
    fn unclosed_before_comma(&mut self, from: usize, evidence: Option<Related>) {
        let comma = self.last;
        let after_comma = self.top().state == Expected::Next;
        let at = match () {
            () if !after_comma => comma.end(),
            // A comma that starts a line is where the closer should have been.
            () if comma.first => comma.start(),
            () => self.before.end(),
        };
        self.top().state = Expected::After;
        self.unclosed(from, at, evidence);
        if after_comma {
            self.next_member();
        }
    }

    /// Repairs the containers if `token`, the first on its line, has the indentation of the members of another
    /// container than the innermost, and if the bracket counts support that. Returns whether they do.
    pub(super) fn belongs_elsewhere(&mut self, token: Token) -> bool {
        if !token.first || !matches!(self.top().state, Expected::Next | Expected::After) {
            return false;
        }
        let top = self.top();
        // Members on the line of their opener count as indented further than any line.
        let indent = top.member_indent.unwrap_or(u32::MAX);
        if token.line == top.line {
            return false;
        }
        if token.indent < indent {
            self.belongs_outside(token)
        } else {
            self.belongs_inside(token, indent)
        }
    }

    fn belongs_outside(&mut self, token: Token) -> bool {
        let keyed = token.is_keylike() && self.stream.peek(1).is_separator();
        let Some(outer) = self.outer(|frame| {
            frame.member_indent == Some(token.indent)
                && match frame.kind {
                    Container::Object => keyed,
                    Container::Array => token.starts_value() && !keyed,
                }
        }) else {
            return false;
        };
        if !self.may_be_unclosed(outer + 1) {
            return false;
        }
        let frame = &self.frames[outer + 1];
        let evidence = Related {
            span: Span::new(token.start(), token.end()),
            label: format!(
                "indented like line {}, so it belongs to the parent",
                frame.line
            ),
        };
        self.unclosed_before_comma(outer + 1, Some(evidence));
        true
    }

    /// Handles a closer before `token` that came too early: the member belongs to the container it closed.
    fn belongs_inside(&mut self, token: Token, indent: u32) -> bool {
        let after_comma = self.top().state == Expected::Next;
        let closer = if after_comma { self.before } else { self.last };
        let fits = token.indent > indent
            && self.closed.as_ref().is_some_and(|(frame, end)| {
                end.start == closer.start && frame.member_indent == Some(token.indent)
            });
        if !fits {
            return false;
        }
        let keyed = token.is_keylike() && self.stream.peek(1).is_separator();
        let Some((frame, end)) = self.closed.take() else {
            return false;
        };
        // With the first key of the object before it, another one begins.
        let (from, to) = frame.first_key;
        let begins_again = keyed && self.bytes(token) == &self.text[from as usize..to as usize];
        if keyed != (frame.kind == Container::Object)
            || begins_again
            || self.stream.surplus(frame.kind) >= 0
        {
            self.closed = Some((frame, end));
            return false;
        }
        let opener = bracket(self.text, frame.opener as usize);
        self.reopen(frame, end, opener, token);
        if after_comma {
            self.next_member();
        }
        true
    }

    /// Undoes the closer `end` of `frame`, which came too early.
    pub(super) fn reopen(&mut self, mut frame: Frame, end: Token, opener: Span, next: Token) {
        if let Some(top) = self.frames.last_mut() {
            if top.state == Expected::Next {
                top.index = top.index.saturating_sub(1);
            }
            top.state = Expected::After;
        }
        let closer = frame.kind.closer();
        let apart = self.apart(end.span());
        self.report(Code::ExtraBracket, end.span(), |d| {
            d.message(format_args!("extra {}", quote::ticked(closer.as_bytes())))
                .label("remove it")
                .related(opener, "it closes this, but more content follows")
                .show(next.start())
                .replace(Review, end.span(), apart);
        });
        self.stream.account(frame.kind, 1);
        frame.state = Expected::After;
        self.frames.push(frame);
    }
}
