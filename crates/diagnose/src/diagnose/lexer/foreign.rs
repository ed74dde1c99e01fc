//! Lexes strings in quotes that JSON does not have: single, backtick, typographic.

use jsonx_core::hex;
use jsonx_core::internal::Escape;
use jsonx_core::string::EscapedChar;

use super::super::code::Code;
use super::super::diagnostic::Applicability::{self, Review, Safe};
use super::super::diagnostic::Span;
use super::super::{quote, windows_path};
use super::faults::code_point;
use super::trivia::is_word;
use super::{Container, Lexer, Quotes, TokenKind};

impl Lexer<'_> {
    pub(super) fn foreign(&mut self, quotes: Quotes) -> TokenKind {
        if let Some(kind) = self.stray(quotes) {
            return kind;
        }
        let start = self.at;
        if quotes == Quotes::Single
            && let Some(kind) = self.triple(b"\'\'\'").or_else(|| self.doubled())
        {
            return kind;
        }
        let open = quotes.at(self.rest()).unwrap_or(1);
        let inside = start + open;
        if quotes == Quotes::Smart && self.is_before_string(inside) {
            self.report(Code::SmartQuotes, Span::new(start, inside), |d| {
                d.message("typographic (“smart”) quote before a string")
                    .label("remove it")
                    .replace(Review, Span::new(start, inside), "");
            });
            self.at = inside;
            return self.string();
        }
        let first = self.ahead.foreign(quotes, inside);
        // `'a' 'b'` are two strings; `('a'), 'b'` ends a tuple.
        let apart = first.filter(|&first| {
            let length = self.ahead.ends_foreign(quotes, first).unwrap_or(1);
            let next = self.ahead.nonblank(first + length);
            let family = quotes.at(&self.text[next..]);
            // `{“a” “b”}`
            let opens = self.in_key_position() && self.text[next..].starts_with("“".as_bytes());
            (quotes == Quotes::Single || quotes == Quotes::Smart && opens)
                && next > first + length
                && family.is_some()
                || self.separates(self.ahead.nonblank(first + length))
                || quotes == Quotes::Single
                    && self.closes_paren(self.ahead.nonblank(first + length))
        });
        let close = apart
            .or_else(|| self.closing_double_quote(quotes, inside, first))
            .or_else(|| self.before_member(quotes, inside))
            .or(first)
            .or_else(|| self.end_on_a_later_line(quotes, inside));
        let member = close.and_then(|close| self.member_before(inside, close));
        let Some(close) = close.filter(|_| member.is_none()) else {
            // Not closed on this line: the string ends with the line, before separators and closers of the document.
            let line_end = self.ahead.line_end(inside);
            let end = self.tail(inside, member.unwrap_or(line_end));
            self.at = end.max(inside);
            self.open_string = Some(self.at);
            let fixed = rewrite(&self.text[inside..self.at], quotes);
            let guess = fixed.map(|(text, _)| (text, Review));
            self.finish(quotes, Span::new(start, self.at), guess);
            return TokenKind::String;
        };
        let length = self.ahead.ends_foreign(quotes, close).unwrap_or(1);
        let mut fixed = rewrite(&self.text[inside..close], quotes);
        // Three backticks are a Markdown fence, too.
        let is_guess = quotes != Quotes::Smart && self.text[close] == b'"'
            || self.text[start..].starts_with(b"```");
        if is_guess {
            fixed = fixed.map(|(text, _)| (text, Review));
        }
        self.at = close + length;
        self.crossed_lines(start, self.at);
        self.finish(quotes, Span::new(start, self.at), fixed);
        TokenKind::String
    }

    /// The next quote on this line that looks like a closing one; in a value, rather one before the next key or element than one
    /// within prose: `'He said 'yes', then 'no'', 'n': 1`, or code: `'d['k'] = 'v'', 'n': 1`.
    fn before_member(&self, quotes: Quotes, inside: usize) -> Option<usize> {
        let first = self.ahead.foreign_closing(quotes, inside)?;
        let has_inner = self.ahead.foreign(quotes, inside) != Some(first);
        let container = self.nesting.up(0);
        let is_member = container == Some(Container::Object);
        let mut close = first;
        for _ in 0..QUOTATIONS {
            let length = self.ahead.ends_foreign(quotes, close)?;
            let next = self.ahead.nonblank(close + length);
            let after = || self.ahead.nonblank(next + 1);
            let goes_on = match self.text.get(next) {
                Some(b',') => self.is_enumeration(quotes, after(), has_inner),
                Some(b']') if is_member => {
                    let after = self.text.get(after());
                    after.is_some_and(|&byte| is_word(byte) || b"=.[(".contains(&byte))
                }
                _ => false,
            };
            if !goes_on || !self.in_value_position() || !is_member && !has_inner {
                return Some(close);
            }
            match self.ahead.foreign_closing(quotes, close + length) {
                Some(next) => close = next,
                None => break,
            }
        }
        Some(first)
    }

    /// Whether words and a quotation follow at `at`, or the reverse, and no key: `'Say 'a', 'b' or 'c''`. After a quotation, words
    /// may also end the string.
    fn is_enumeration(&self, quotes: Quotes, at: usize, has_inner: bool) -> bool {
        let near = &self.text[..self.text.len().min(at + WORDS)];
        let words = |from: usize| {
            let is_end = |at: &usize| {
                let byte = near[*at];
                let is_letter = byte.is_ascii_alphabetic() || byte == b' ' || byte >= 0x80;
                !is_letter || quotes.at(&near[*at..]).is_some()
            };
            (from..near.len()).find(is_end).unwrap_or(from)
        };
        let is_quote = |at: usize| near.get(at..).is_some_and(|text| quotes.at(text).is_some());
        let end = words(at);
        if end > at {
            let ends = || {
                self.ahead.closes(end + 1)
                    && self.text.get(self.ahead.nonblank(end + 1)) != Some(&b':')
            };
            return is_quote(end) && (near[end - 1] == b' ' || has_inner && ends());
        }
        let Some(length) = near.get(at..).and_then(|text| quotes.at(text)) else {
            return false;
        };
        let close = words(at + length);
        let after = close + length;
        let end = words(after.min(near.len()));
        // `'print('a', 'b')'`
        let is_call = has_inner && near.get(after) == Some(&b')');
        let goes_on = near.get(after) == Some(&b' ') && end > after + 1 && is_quote(end);
        is_quote(close) && (is_call || goes_on)
    }

    /// Whether a string in double quotes starts at `at`, rather than ends there.
    fn is_before_string(&self, at: usize) -> bool {
        self.text.get(at) == Some(&b'"') && !self.ahead.closes(at + 1)
    }

    /// The double quote that closes a string opened by another quote, as in `'a", "b"`: its own kind closes none on this
    /// line, or opens the next string.
    fn closing_double_quote(
        &self,
        quotes: Quotes,
        inside: usize,
        first: Option<usize>,
    ) -> Option<usize> {
        let close = self.ahead.closing(inside)?;
        let opens = |quote: usize| {
            let before = self.text[close..quote].trim_ascii_end();
            !self.ahead.closes(quote + 1)
                && before.last().is_some_and(|byte| b",:[{".contains(byte))
        };
        let is_closed = match first {
            Some(first) if first < close => true,
            Some(first) => self.ahead.foreign_closing(quotes, inside).is_some() && !opens(first),
            None => {
                let later = self.end_on_a_later_line(quotes, inside);
                later.is_some_and(|later| self.ahead.closes(later + 1))
            }
        };
        (quotes != Quotes::Smart && !is_closed).then_some(close)
    }

    /// The quote on a later line that ends a template literal, or a string with line breaks, which are escaped or raw.
    fn end_on_a_later_line(&self, quotes: Quotes, inside: usize) -> Option<usize> {
        let close = match quotes {
            Quotes::Backtick => self.ahead.backtick(inside),
            Quotes::Single | Quotes::Smart => {
                let (mut at, mut is_raw) = (inside, false);
                loop {
                    let end = self.ahead.line_end(at);
                    if end == self.text.len() || end - inside > REACH {
                        return None;
                    }
                    is_raw |= self.text.get(end.wrapping_sub(1)) != Some(&b'\\');
                    let crlf = self.text[end..].starts_with(b"\r\n");
                    at = (end + 1 + usize::from(crlf)).min(self.text.len());
                    if let Some(close) = self.ahead.foreign(quotes, at) {
                        // Otherwise it opens the next string.
                        let length = self.ahead.ends_foreign(quotes, close)?;
                        let before = self.text[inside..close].trim_ascii_end().last();
                        let opens = before.is_none_or(|byte| b",:[{".contains(byte));
                        if is_raw && (opens || !self.ahead.closes(close + length)) {
                            return None;
                        }
                        break close;
                    }
                }
            }
            Quotes::Triple => return None,
        };
        (close < self.text.len() && close - inside <= REACH).then_some(close)
    }

    /// The end of a value whose closing quote is missing, as in `'Jack O'Sullivan, 'id': 5`: the one at `close` is an
    /// apostrophe or ends the next key, which begins after a comma.
    fn member_before(&self, inside: usize, close: usize) -> Option<usize> {
        let is_member = self.in_value_position() && self.nesting.up(0) == Some(Container::Object);
        let is_key = self.text.get(self.ahead.nonblank(close + 1)) == Some(&b':');
        let is_apostrophe = self.text.get(close + 1).copied().is_some_and(is_word);
        (is_member && self.text[close] == b'\'' && (is_key || is_apostrophe))
            .then(|| self.ahead.member(inside))
            .flatten()
    }

    /// A string with two quotes before it, and one or two after it.
    pub(super) fn doubled(&mut self) -> Option<TokenKind> {
        let (start, inside) = (self.at, self.at + 2);
        let quote = self.text[start];
        let is_open = self.byte(1) == Some(quote) && self.byte(2).is_some_and(is_word);
        if !is_open || !(self.in_value_position() || self.in_key_position()) {
            return None;
        }
        let close = match quote {
            b'"' => self.ahead.quote(inside),
            _ => self.ahead.foreign(Quotes::Single, inside)?,
        };
        let are_two = self.text.get(close + 1) == Some(&quote);
        let end = close + if are_two { 2 } else { 1 };
        if close >= self.ahead.line_end(inside) || !self.ahead.closes(end) {
            return None;
        }
        // `""x": the unknown"`
        let is_before_colon = self.text.get(self.ahead.nonblank(end)) == Some(&b':');
        if is_before_colon && !self.in_key_position() {
            return None;
        }
        // `""Yes", she said"`
        if !are_two && quote == b'"' && self.end_of_prose(inside, close).is_some() {
            return None;
        }
        let extra = Span::new(start, start + 1);
        let fixed = rewrite(&self.text[inside..close], Quotes::Triple);
        self.at = end;
        self.report(Code::UnexpectedText, extra, |d| {
            d.message(format_args!(
                "extra {} before a string",
                quote::ticked(&[quote])
            ))
            .label("remove it");
            if let Some((fixed, _)) = fixed {
                d.replace(Review, Span::new(start, end), fixed);
            }
        });
        Some(TokenKind::String)
    }

    /// A string between escaped quotes: `{"a": \"b\"}`.
    pub(super) fn escaped_quotes(&mut self) -> Option<TokenKind> {
        let (start, inside) = (self.at, self.at + 2);
        let has_place = self.in_value_position() || self.in_key_position();
        if !has_place || self.byte(1) != Some(b'"') {
            return None;
        }
        let close = self.ahead.any_quote(inside);
        self.text.get(close)?;
        let content = self.text.get(inside..close)?.strip_suffix(b"\\")?;
        if content.contains(&b'\n') || content.ends_with(b"\\") || !self.ahead.closes(close + 1) {
            return None;
        }
        self.at = close + 1;
        self.report(Code::BadEscape, Span::new(start, start + 1), |d| {
            d.message("the quotes around a string are escaped")
                .label("write `\"`")
                .replace(Review, Span::new(start, start + 1), "")
                .replace(Review, Span::new(close - 1, close), "");
        });
        Some(TokenKind::String)
    }

    /// A string of Python in triple quotes.
    pub(super) fn triple(&mut self, quotes: &[u8; 3]) -> Option<TokenKind> {
        let start = self.at;
        if !self.rest().starts_with(quotes) || !(self.in_value_position() || self.in_key_position())
        {
            return None;
        }
        let inside = start + 3;
        let reach = &self.text[inside..self.text.len().min(inside + REACH)];
        let close = inside + memchr::memmem::find(reach, quotes)?;
        // `""""a""""` ends with a quote.
        let close = close + usize::from(self.text.get(close + 3) == Some(&quotes[0]));
        let fixed = rewrite(&self.text[inside..close], Quotes::Triple);
        self.at = close + 3;
        self.crossed_lines(start, self.at);
        self.finish(Quotes::Triple, Span::new(start, self.at), fixed);
        Some(TokenKind::String)
    }

    /// A string with a prefix of Python: `u'a'`, `b"a"`, `r'a'`.
    pub(super) fn prefixed(&mut self) -> Option<TokenKind> {
        let rest = self.rest();
        let length = rest
            .iter()
            .take(3)
            .take_while(|byte| b"uUbBrRfF".contains(byte))
            .count();
        let quote = *rest.get(length)?;
        if !(1..=2).contains(&length)
            || !matches!(quote, b'"' | b'\'')
            || !(self.in_value_position() || self.in_key_position())
        {
            return None;
        }
        let start = self.at;
        let inside = start + length + 1;
        let line_end = self.ahead.line_end(inside);
        let body = &self.text[inside..line_end];
        let close = body.iter().position(|&byte| byte == quote)?;
        let body = &body[..close];
        let is_colon = |at: usize| self.text.get(self.ahead.nonblank(at)) == Some(&b':');
        let end = inside + close + 1;
        let is_torn = match self.in_key_position() {
            true => is_colon(inside) && !is_colon(end) || !self.ahead.closes(end),
            false => self.ahead.closes(inside) && !self.ahead.closes(end),
        };
        if is_torn {
            // `b": 1`: the quote ends the key. `b", "c": 1`: it ends a string that began before.
            return None;
        }
        let letters = rest[..length].to_ascii_lowercase();
        let span = Span::new(start, start + length);
        let what = quote::ticked(&rest[..length]);
        let raw = letters.contains(&b'r') && body.contains(&b'\\');
        // Bytes are not text, and `{` in a formatted string is code.
        let certain = match letters[..] {
            [b'u'] | [b'r'] => Safe,
            _ => Review,
        };
        self.report(Code::StringPrefix, span, |d| {
            d.message(format_args!("JSON strings have no prefix {what}"))
                .label("remove it");
            if raw {
                // A backslash is a backslash.
                d.replace(
                    certain,
                    Span::new(start, inside + close + 1),
                    quote::quoted(body),
                )
            } else {
                d.replace(certain, span, "")
            };
        });
        if raw {
            self.at = inside + close + 1;
            return Some(TokenKind::String);
        }
        self.at = start + length;
        Some(match quote {
            b'"' => self.string(),
            _ => self.foreign(Quotes::Single),
        })
    }

    fn finish(&mut self, quotes: Quotes, span: Span, fixed: Option<(String, Applicability)>) {
        let (code, message) = match quotes {
            Quotes::Single => (
                Code::SingleQuotes,
                "JSON strings use double quotes, not single quotes",
            ),
            Quotes::Backtick => (
                Code::BacktickString,
                "JSON strings use double quotes, not backticks",
            ),
            Quotes::Triple => (
                Code::TripleQuotes,
                "JSON strings have one quote on each side, not three",
            ),
            Quotes::Smart => (
                Code::SmartQuotes,
                "JSON strings use double quotes, not typographic (“smart”) quotes",
            ),
        };
        self.report(code, span, |d| {
            d.message(message);
            match fixed {
                Some((fixed, certain)) => {
                    d.label(quote::write(&fixed, "use `\"` instead"))
                        .replace(certain, span, fixed);
                }
                None => {
                    d.label("use `\"` instead");
                }
            }
        });
    }
}

/// The maximum length, in bytes, of the words between two quotations.
const WORDS: usize = 64;

/// The maximum number of quotations in a value.
const QUOTATIONS: usize = 16;

/// The maximum length, in bytes, of a string over several lines.
const REACH: usize = 64 << 10;

/// The equivalent string in double quotes, and whether JavaScript, Python and JSON5 agree on it; `None` if it is not
/// UTF-8.
pub(in super::super) fn rewrite(inside: &[u8], quotes: Quotes) -> Option<(String, Applicability)> {
    let text = std::str::from_utf8(inside).ok()?;
    let (mut out, certain, may_be_path) = rewritten(text, quotes, &[]);
    if may_be_path && let Some(backslashes) = windows_path::backslashes(inside) {
        (out, ..) = rewritten(text, quotes, &backslashes);
    }
    Some((out, certain))
}

/// The same, with these backslashes doubled, and whether it may be a path of Windows.
fn rewritten(text: &str, quotes: Quotes, doubled: &[usize]) -> (String, Applicability, bool) {
    let mut certain = Safe;
    let mut may_be_path = false;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if doubled.binary_search(&at).is_ok() => out.push_str("\\\\"),
            '\\' => {
                let (escaped, length, sure) = escaped(&text[at..]);
                out.push_str(&escaped);
                if !sure {
                    certain = Review;
                    may_be_path = true;
                }
                while chars.next_if(|&(next, _)| next < at + length).is_some() {}
            }
            // A line break is a line feed in both languages that allow one.
            '\r' => {
                chars.next_if(|&(_, next)| next == '\n');
                out.push_str("\\n");
            }
            '$' if quotes == Quotes::Backtick && text[at..].starts_with("${") => {
                certain = Review;
                out.push('$');
            }
            // `'don't'`, or two strings of Python.
            '\'' if quotes == Quotes::Single => {
                certain = Review;
                out.push('\'');
            }
            c => quote::json_character(c, &mut out),
        }
    }
    out.push('"');
    (out, certain, may_be_path)
}

/// The JSON escape for one of another language at the start of `text`, the length of the latter, and whether its meaning is
/// certain.
fn escaped(text: &str) -> (String, usize, bool) {
    let bytes = text.as_bytes();
    let sure = |escape: &str, length| (escape.to_owned(), length, true);
    let Some(&byte) = bytes.get(1) else {
        return ("\\\\".to_owned(), 1, false);
    };
    match byte {
        b'\'' => sure("'", 2),
        // Python keeps the backslash.
        b'`' => ("`".to_owned(), 2, false),
        b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => sure(&text[..2], 2),
        b'/' => ("/".to_owned(), 2, false),
        b'v' => sure("\\u000b", 2),
        b'0' if !bytes.get(2).is_some_and(u8::is_ascii_digit) => sure("\\u0000", 2),
        b'x' if hex::count_digits(&bytes[2..]) >= 2 => {
            let digits = &text[2..4];
            sure(&format!("\\u00{digits}"), 4)
        }
        b'\r' if bytes.get(2) == Some(&b'\n') => sure("", 3),
        b'\n' | b'\r' => sure("", 2),
        b'u' | b'U' => match (Escape::first(bytes), code_point(bytes)) {
            (Some(Escape { length, .. }), _) => sure(&text[..length], length),
            (None, Some((c, length))) => sure(EscapedChar::utf16(c).as_str(), length),
            (None, None) => (format!("\\\\{}", char::from(byte)), 2, false),
        },
        byte @ 0x20..0x80 => (format!("\\\\{}", char::from(byte)), 2, false),
        _ => ("\\\\".to_owned(), 1, false),
    }
}
