//! Parses the inside of an object: keys, colons, and the values after them.

use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::Span;
use super::super::lexer::{Container, Token, TokenKind, is_number};
use super::super::{keys, lints, quote};
use super::frame::Expected;
use super::{Flow, Parser};

/// The maximum number of digits on either side of a comma that may form one number.
const DECIMALS: usize = 20;

/// The maximum number of tokens in doubled braces.
const DOUBLED: usize = 128;

/// The maximum number of groups of three digits that may form one number.
const GROUPS: usize = 20;

impl Parser<'_> {
    /// Handles a token where a key or `}` is expected.
    pub(super) fn at_key(&mut self, token: Token) -> Flow {
        if token.kind != TokenKind::Comma && self.belongs_elsewhere(token) {
            return Flow::Go;
        }
        match token.kind {
            kind if kind.is_closer() => self.closer(token),
            TokenKind::Comma => self.commas(token),
            TokenKind::Colon | TokenKind::Equals => {
                self.missing_key(token);
                self.advance();
                self.top().state = Expected::Value;
            }
            kind if kind.opens().is_some() => {
                if self.lost_bracket(token) || self.doubled_brace(token) {
                    return Flow::Go;
                }
                self.missing_key(token);
                self.value(token);
            }
            TokenKind::Expression if self.stream.peek(1).is_separator() => self.code_as_key(token),
            TokenKind::Ellipsis | TokenKind::Expression => self.value(token),
            TokenKind::Template if !self.stream.peek(1).is_separator() => self.value(token),
            _ if token.is_keylike() => self.key(token),
            _ => self.unexpected(token, "expected a key in double quotes"),
        }
        Flow::Go
    }

    /// Reports the second brace of `{{"a": 1}`, if the text has too many, or of `{{"a": 1}}`. Returns whether it did.
    fn doubled_brace(&mut self, token: Token) -> bool {
        let is_doubled = token.kind == TokenKind::OpenObject
            && self.top().state == Expected::First
            && (self.stream.surplus(Container::Object) > 0
                || self.last.end == token.start && self.closes_twice());
        if is_doubled {
            self.report(Code::ExtraBracket, token.span(), |d| {
                d.message("extra `{`")
                    .label("remove it")
                    .replace(Review, token.span(), "");
            });
            self.stream.account(Container::Object, -1);
            self.advance();
        }
        is_doubled
    }

    /// Whether two braces without a gap close the next token, a brace, and the one before it.
    fn closes_twice(&mut self) -> bool {
        let mut depth = 0_usize;
        for ahead in 0..DOUBLED {
            let token = self.stream.peek(ahead);
            match token.kind {
                TokenKind::End => return false,
                kind if kind.opens().is_some() => depth += 1,
                kind if kind.closes().is_some() => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let next = self.stream.peek(ahead + 1);
                return next.kind == TokenKind::CloseObject && next.start == token.end;
            }
        }
        false
    }

    fn key(&mut self, token: Token) {
        let next = self.stream.peek(1);
        if !next.is_separator() && (self.lost_bracket(token) || self.grouped_digits(token)) {
            return;
        }
        self.note_indent(token);
        if matches!(
            token.kind,
            TokenKind::Bare | TokenKind::Number | TokenKind::Literal
        ) {
            let valued = next.is_separator();
            if std::str::from_utf8(self.bytes(token)).is_err() {
                self.deviate();
            } else if !valued && matches!(next.kind, TokenKind::Comma | TokenKind::CloseObject) {
                // `{1, 2}`: report only the missing value.
                self.deviate();
            } else {
                let raw = self.bytes(token);
                self.report(Code::UnquotedKey, token.span(), |d| {
                    let text = quote::quoted(raw);
                    let certain = if is_certain(raw) { Safe } else { Review };
                    d.message("object keys must be strings in double quotes")
                        .label(quote::write(&text, "put it in double quotes"))
                        .replace(certain, token.span(), text);
                });
            }
        }
        self.advance();
        self.top().key = (token.start, token.end);
        self.check_duplicate(token);
        self.top().state = Expected::Colon;
    }

    /// Whether `token` is the second group of digits of `12,345,678` or `12 345 678`, whose first group is the value before
    /// it. If so, reports and consumes the number.
    pub(super) fn grouped_digits(&mut self, token: Token) -> bool {
        let is_next = self.top().state == Expected::Next;
        let (separator, name) = match self.last.kind {
            TokenKind::Comma if is_next && self.last.end == token.start => {
                (self.last.start(), "comma")
            }
            TokenKind::Number if !is_next => (self.last.end(), "space"),
            _ => return false,
        };
        let Some((span, joined)) = digit_groups(self.text, separator) else {
            return false;
        };
        let frame = self.top();
        if is_next {
            frame.index = frame.index.saturating_sub(1);
        }
        frame.state = Expected::After;
        self.report(Code::DigitSeparator, span, |d| {
            match name {
                "comma" => d.message("numbers must not have `,` between their digits"),
                _ => d.message("numbers must not have spaces between their digits"),
            };
            d.label(quote::write(
                &joined,
                &format!("write it without the {name}s"),
            ))
            .replace(Review, span, joined);
        });
        while self.stream.peek(0).start() < span.end && self.stream.peek(0).kind != TokenKind::End {
            self.advance();
        }
        true
    }

    /// Reports a key that a program would evaluate, such as a tuple, whose JSON equivalent is unknown.
    fn code_as_key(&mut self, token: Token) {
        let what = quote::ticked(self.bytes(token));
        self.report(Code::UnquotedKey, token.span(), |d| {
            d.message(format_args!(
                "{what} is not a string, and JSON has no other keys"
            ))
            .label("write a string that no other key has");
        });
        self.advance();
        self.top().key = (token.start, token.end);
        self.top().state = Expected::Colon;
    }

    fn missing_key(&mut self, token: Token) {
        let opener = self.opener_span();
        self.report(Code::MissingKey, token.span(), |d| {
            d.message("value without a key")
                .label("inside an object every value needs `\"key\":`")
                .related(opener, "this is an object");
        });
        self.top().key = (token.start, token.start);
    }

    /// Handles a token where a colon is expected.
    pub(super) fn at_colon(&mut self, token: Token) -> Flow {
        let is_colon = match token.kind {
            TokenKind::Colon | TokenKind::Equals => true,
            TokenKind::Semicolon => {
                self.stream.peek(1).starts_value() && !self.stream.peek(2).is_separator()
            }
            TokenKind::Comma => self.is_before_value(),
            _ => false,
        };
        if is_colon {
            let colon = self.stream.peek(1);
            if token.kind == TokenKind::Equals && colon.kind == TokenKind::Colon {
                // `=:` is one mistake. The colon stays; a comment before it has its own fix.
                let what = quote::ticked(&self.text[token.start()..colon.end()]);
                self.report(Code::WrongSeparator, token.span(), |d| {
                    d.message(format_args!("{what} is not a JSON separator"))
                        .label("remove this: `:` is enough")
                        .replace(Safe, token.span(), "");
                });
                self.advance();
            } else if token.kind != TokenKind::Colon {
                self.wrong_separator(token, ":");
            }
            self.advance();
            self.top().state = Expected::Value;
            return Flow::Go;
        }
        match token.kind {
            TokenKind::CloseObject | TokenKind::CloseArray
                if self.stream.peek(1).is_separator() && self.stream.peek(2).starts_value() =>
            {
                self.closer_in_member(token);
            }
            kind if kind.is_closer() || matches!(kind, TokenKind::Comma | TokenKind::Semicolon) => {
                self.missing_value("expected `:` and a value here");
            }
            _ if token.starts_value()
                && !(token.is_keylike() && self.stream.peek(1).is_separator()) =>
            {
                let at = Span::point(self.last.end());
                self.report(Code::MissingColon, at, |d| {
                    d.message("missing colon after object key")
                        .label("insert `:` here")
                        .replace(Safe, at, ":");
                });
                self.top().state = Expected::Value;
            }
            _ if token.is_keylike() => {
                self.missing_value("expected `:` and a value here");
                self.next_member();
            }
            _ => self.unexpected(token, "expected `:` here"),
        }
        Flow::Go
    }

    /// Reports and skips a closer between a key and its colon: `"a"}: 1`.
    fn closer_in_member(&mut self, token: Token) {
        let what = quote::ticked(self.bytes(token));
        let colon = self.stream.peek(1);
        self.report(Code::ExtraBracket, token.span(), |d| {
            d.message(format_args!("{what} between a key and its colon"))
                .label("remove it")
                .show(colon.start())
                .replace(Review, token.span(), "");
        });
        if let Some(kind) = token.kind.closes() {
            self.stream.account(kind, 1);
        }
        self.advance();
    }

    /// Whether the comma after a key precedes its value: a container, or a scalar before another member or the end of an
    /// object that has members.
    fn is_before_value(&mut self) -> bool {
        let has_members = self.top().index > 0;
        let (value, end) = (self.stream.peek(1), self.stream.peek(2));
        match value.kind {
            _ if self.last.kind == TokenKind::Number || self.top().valueless.is_some() => false,
            TokenKind::OpenObject | TokenKind::OpenArray => true,
            _ if !value.is_scalar() => false,
            _ => match end.kind {
                TokenKind::Comma => {
                    let next = self.stream.peek(3);
                    next.is_keylike() && self.stream.peek(4).is_separator()
                }
                TokenKind::CloseObject => has_members,
                _ => false,
            },
        }
    }

    /// Reports a separator of other languages, or a colon in place of a comma or the reverse, which may be another mistake.
    pub(super) fn wrong_separator(&mut self, token: Token, right: &str) {
        let what = quote::ticked(self.bytes(token));
        let (message, certain) = match token.kind {
            TokenKind::Comma | TokenKind::Colon => {
                (format!("expected `{right}`, found {what}"), Review)
            }
            _ => (format!("{what} is not a JSON separator"), Safe),
        };
        self.report(Code::WrongSeparator, token.span(), |d| {
            d.message(message)
                .label(format_args!("write `{right}`"))
                .replace(certain, token.span(), right);
        });
    }

    /// Reports, once per object, that a value is missing here, and proceeds as if it were present.
    fn missing_value(&mut self, label: &str) {
        let separator = matches!(self.top().state, Expected::Colon);
        let at = Span::point(self.last.end());
        let null = if separator { ": null" } else { " null" };
        if let Some(number) = self.top().valueless {
            self.deviate();
            // The same finding, at another position.
            if let Some(finding) = self.stream.lexer.findings.get_mut(number as usize)
                && finding
                    .fix
                    .as_ref()
                    .is_some_and(|fix| fix.edits[0].text.ends_with("null"))
            {
                finding.replace(Review, at, null);
            }
        } else {
            let opener = self.opener_span();
            let key = self.top().key;
            let shown = quote::ticked(&self.text[key.0 as usize..key.1 as usize]);
            let comma = self.decimal_comma();
            let set = separator && self.is_set();
            let number = self.report(Code::MissingValue, at, |d| {
                d.message(if key.0 == key.1 {
                    "missing value".into()
                } else {
                    format!("key {shown} has no value")
                })
                .label(label)
                .related(opener, "this is an object: every key needs a value");
                if let Some((written, meant, span, text)) = comma {
                    d.help(format_args!(
                        "if `{written}` is one number, write `{meant}`"
                    ))
                    .replace(Review, span, text);
                } else if set {
                    // The closer follows in another round.
                    d.replace(Review, opener, "[");
                } else {
                    d.replace(Review, at, null);
                }
            });
            self.top().valueless = Some(number.map_or(u32::MAX, |number| number as u32));
        }
        self.top().state = Expected::After;
    }

    /// Whether the object looks like a set of Python: its first two members have no values.
    fn is_set(&mut self) -> bool {
        let frame = self.top();
        frame.index == 0
            && !frame.imagined
            && self.stream.peek(0).kind == TokenKind::Comma
            && self.stream.peek(1).is_scalar()
            && matches!(
                self.stream.peek(2).kind,
                TokenKind::Comma | TokenKind::CloseObject
            )
    }

    /// A number such as `1,5` or `1.234,5`, if the last two tokens and the number before them form one: as written, as
    /// meant, and the edit that makes it so.
    fn decimal_comma(&self) -> Option<(String, String, Span, String)> {
        let (comma, fraction) = (self.before, self.last);
        let digits = self.bytes(fraction);
        if comma.kind != TokenKind::Comma
            || comma.end != fraction.start
            || digits.len() > DECIMALS
            || !digits.iter().all(u8::is_ascii_digit)
        {
            return None;
        }
        let before = self.text[..comma.start()].iter().rev().take(DECIMALS);
        let length = before.take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
        let start = comma.start() - length.count();
        let text = |from, to| String::from_utf8_lossy(&self.text[from..to]).into_owned();
        let (whole, part) = (
            text(start, comma.start()),
            text(fraction.start(), fraction.end()),
        );
        let integer = whole.replace('.', "");
        // Without points between groups, only the comma changes.
        let (from, kept) = match whole.split_once('.') {
            None if !whole.is_empty() => (comma.start(), ""),
            Some((first, groups))
                if (1..=3).contains(&first.len())
                    && !first.starts_with('0')
                    && groups.split('.').all(|group| group.len() == 3)
                    && part.len() <= 2 =>
            {
                (start, &*integer)
            }
            _ => return None,
        };
        Some((
            format!("{whole},{part}"),
            format!("{integer}.{part}"),
            Span::new(from, comma.end()),
            format!("{kept}."),
        ))
    }

    /// Handles a token where a value is expected, after the colon.
    pub(super) fn at_member_value(&mut self, token: Token) -> Flow {
        let below = token.first && token.line != self.last.line;
        let keyed = token.is_keylike() && self.stream.peek(1).is_separator();
        match token.kind {
            _ if keyed && self.stream.surplus(Container::Object) < 0 => {
                self.imagine(Container::Object, token, Expected::First);
            }
            _ if keyed && below => {
                self.missing_value("expected a value here");
                self.next_member();
            }
            _ if token.starts_value() => {
                self.top().value_below = below.then_some(self.last.end);
                self.value(token);
            }
            TokenKind::CloseObject | TokenKind::CloseArray => {
                let kind = token.kind.closes().unwrap_or(Container::Array);
                let another = kind != Container::Object
                    || self.stream.next_unmatched() == Some(Container::Object);
                if another && self.stream.surplus(kind) < 0 {
                    self.imagine(kind, token, Expected::First);
                } else {
                    self.missing_value("expected a value here");
                }
            }
            TokenKind::CloseParen if self.stream.peek(1).starts_value() => {
                self.unexpected(token, "remove it");
            }
            TokenKind::Comma | TokenKind::Semicolon | TokenKind::CloseParen => {
                self.missing_value("expected a value here")
            }
            TokenKind::Colon | TokenKind::Equals => {
                let what = quote::ticked(self.bytes(token));
                self.report(Code::UnexpectedText, token.span(), |d| {
                    d.message(format_args!("{what} after the colon"))
                        .label("remove it")
                        .replace(Safe, token.span(), "");
                });
                self.advance();
            }
            _ => {
                self.unexpected(token, "not part of any JSON value");
                if !self.stream.peek(0).starts_value() {
                    self.deviate();
                    self.top().state = Expected::After;
                }
            }
        }
        Flow::Go
    }

    /// Warns if the object already has this key.
    fn check_duplicate(&mut self, token: Token) {
        let text = self.text;
        let key = (token.start, token.end);
        let frame = self.frames.last_mut().expect("a key is in an object");
        if frame.index == 0 {
            // A single key needs no table.
            frame.first_key = key;
            return;
        }
        if !self.options.lints.duplicate_key || token.kind == TokenKind::Template {
            return;
        }
        let first_key = frame.first_key;
        let spare = &mut self.spare;
        let seen = frame.seen.get_or_insert_with(|| {
            let mut seen = Box::new(spare.pop().unwrap_or_default());
            keys::insert(&mut seen, text, first_key);
            seen
        });
        let Some(first) = keys::insert(seen, text, key) else {
            return;
        };
        let (old, new) = (&text[first.0 as usize..first.1 as usize], self.bytes(token));
        if self.options.lints.may_repeat(keys::body(new)) {
            return;
        }
        let state = std::mem::replace(&mut self.top().state, Expected::Next);
        self.report(Code::DuplicateKey, token.span(), |d| {
            let first = Span::new(first.0 as usize, first.1 as usize);
            lints::describe(d, new, Some((first, old)));
        });
        self.top().state = state;
    }
}

/// Whether a key without quotes is the same string in every language: not `None`, which is `null` in Python, nor `1.0`,
/// which is `1` in JavaScript, nor one with an escape.
fn is_certain(key: &[u8]) -> bool {
    match key {
        b"None" | b"True" | b"False" => false,
        [b'0'] => true,
        [b'0'..=b'9' | b'-' | b'+' | b'.', ..] => {
            key.len() <= 15 && key[0] != b'0' && key.iter().all(u8::is_ascii_digit)
        }
        // `f(1)` and `a#b` are other things elsewhere.
        _ => {
            let is_name = |&byte: &u8| {
                byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_$-./@ ".contains(&byte)
            };
            key.iter().all(is_name) && memchr::memmem::find(key, b"//").is_none()
        }
    }
}

/// The number with commas or spaces between groups of three digits whose first one is at `separator`: its span, and the
/// number without them. A number with spaces ends a value.
fn digit_groups(text: &[u8], separator: usize) -> Option<(Span, String)> {
    let digits = |range: &[u8]| {
        range
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let byte = *text.get(separator)?;
    let before = text[..separator].iter().rev();
    let first = before
        .take(4)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let mut start = separator - first;
    if start > 0 && text[start - 1] == b'-' {
        start -= 1;
    }
    let mut end = separator;
    while end - separator < 4 * GROUPS
        && text.get(end) == Some(&byte)
        && digits(&text[end + 1..]) == 3
    {
        end += 4;
    }
    if text.get(end) == Some(&b'.') {
        end += 1 + digits(&text[end + 1..][..DECIMALS.min(text.len() - end - 1)]);
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.%".contains(byte);
    let joined = String::from_utf8_lossy(&text[start..end]).replace(char::from(byte), "");
    let apart = start == 0 || !is_word(&text[start - 1]);
    let ends = match byte {
        b',' => !text.get(end).is_some_and(is_word),
        // The text may be truncated in the number.
        _ => {
            let rest = text[end..].trim_ascii_start();
            let blank = &text[end..text.len() - rest.len()];
            match rest {
                [] => false,
                [b',', next, ..] => !next.is_ascii_digit(),
                [first, ..] => b"};,/".contains(first) || blank.contains(&b'\n'),
            }
        }
    };
    let is_one = matches!(byte, b',' | b' ') && (1..=3).contains(&first) && end > separator;
    (is_one && apart && ends && is_number(joined.as_bytes()))
        .then_some((Span::new(start, end), joined))
}
