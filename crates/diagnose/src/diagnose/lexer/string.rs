//! Lexes strings in double quotes: finds their end if a quote is missing or extra, and invalid characters in them.

use jsonx_core::engine::Mode;
use jsonx_core::hex;
use jsonx_core::internal::{Escape, Value};
use jsonx_core::string::find_special;

use super::super::code::Code;
use super::super::diagnostic::Applicability::Review;
use super::super::diagnostic::Span;
use super::super::windows_path;
use super::faults::{FaultKind, Faults, MAX_SPANS, code_point, escape_length};
use super::roles::{closes, closing_quote, inner_quotes};
use super::trivia::is_word;
use super::{Container, Lexer, TokenKind};

/// The maximum distance, in bytes, to the closing quote of a string with a raw line break.
const REACH: usize = 4096;

/// The maximum length, in bytes, of the brackets at the start of a document inside a string.
const BRACKETS: usize = 8;

/// The maximum number of quotes that may precede a key.
const RUN: usize = 64;

/// The maximum number of bytes of punctuation that a missing quote may have drawn into the string.
const TAIL: usize = 64;

/// The role of a double quote inside a string.
pub(super) enum Quote {
    Closing,
    /// Closes the string, and the next byte is an extra quote.
    Repeated,
    /// Part of the content: the quotes before this offset, where the closing quote may be, lack a backslash.
    Inner(usize),
    /// Opens the next string; this one ended at this offset.
    Opening(usize),
}

impl Lexer<'_> {
    pub(super) fn string(&mut self) -> TokenKind {
        let start = self.at;
        let run = self.rest().iter().take(RUN);
        let quotes = run.take_while(|&&byte| byte == b'"').count();
        // Quotes before a key: `"a": "x", """" "b": 1`.
        let next = self.ahead.nonblank(start + quotes);
        if quotes > 1
            && next > start + quotes
            && self.text.get(next) == Some(&b'"')
            && self.in_key_position()
        {
            self.at += quotes;
            return TokenKind::Junk;
        }
        if self.is_stray_quote() {
            self.at += 1;
            return TokenKind::Junk;
        }
        let kind = self.triple(b"\"\"\"").or_else(|| self.doubled());
        kind.unwrap_or_else(|| self.string_body(start, start + 1))
    }

    /// Lexes a string that starts at `start` and whose content starts at `inside`.
    pub(super) fn string_body(&mut self, start: usize, inside: usize) -> TokenKind {
        let mut faults = Faults::default();
        // Quotes and line breaks before this offset are known to be content.
        let mut known = inside;
        let mut at = inside;
        let mut line = None;
        let end = loop {
            at = find_special(self.text, at);
            match self.text.get(at) {
                None => {
                    break self.string_at_end(start, inside, &mut faults);
                }
                Some(b'"') if at < known => at += 1,
                Some(b'"') => match self.classify(inside, at) {
                    Quote::Closing => break at + 1,
                    Quote::Repeated => {
                        let extra = Span::new(at + 1, at + 2);
                        self.report(Code::UnexpectedText, extra, |d| {
                            d.message("extra `\"` after a string")
                                .label("remove it")
                                .replace(Review, extra, "");
                        });
                        break at + 2;
                    }
                    Quote::Opening(end) => {
                        self.lost_end(start, inside, end, &mut faults);
                        break end;
                    }
                    Quote::Inner(close) => {
                        self.unescaped(at, close);
                        known = close;
                        at += 1;
                        if at > close {
                            break at;
                        }
                    }
                },
                Some(b'\\') if self.ends_path(inside, at) => {
                    self.lost_end(start, inside, at + 2, &mut faults);
                    break at + 2;
                }
                Some(b'\\') => at = self.escape(at, &mut faults),
                Some(&byte @ (b'\n' | b'\r')) => {
                    if at >= known && self.inner_quotes().is_none() {
                        let close = self.pairs_end(inside, at);
                        match close.or_else(|| self.string_continues(at)) {
                            Some(close) => {
                                self.unescaped(self.ahead.quote(at), close);
                                known = close;
                            }
                            None => break self.ends_on_line(start, inside, at, &mut faults),
                        }
                    }
                    let crlf = byte == b'\r' && self.text.get(at + 1) == Some(&b'\n');
                    let length = if crlf { 2 } else { 1 };
                    faults.add(FaultKind::LineBreak, at, at + length);
                    at += length;
                    line = Some(at);
                }
                Some(_) => {
                    faults.add(FaultKind::Control, at, at + 1);
                    at += 1;
                }
            }
        };
        self.at = end.max(start + 1).min(self.text.len());
        if let Some(line) = line {
            let breaks = super::super::line_breaks(&self.text[start..self.at]);
            self.line_number += (breaks as u32).saturating_sub(1);
            self.start_line(line.min(self.at));
            self.first = false;
        }
        faults.list.retain(|fault| fault.span.start < self.at);
        if !faults.list.is_empty() {
            self.report_faults(start, inside, &mut faults);
        }
        TokenKind::String
    }

    /// Classifies the double quote at `at`, which would close the string whose content starts at `inside`.
    fn classify(&mut self, inside: usize, at: usize) -> Quote {
        if self.stream && self.nesting.len() == 0 {
            // In a stream, `"a"1"b"` is three values.
            return Quote::Closing;
        }
        let key = self.in_key_position();
        // Only what follows the quote decides whether the whole text is read, so that the quotes examined before have no influence.
        if closes(self.text, at, key, self.nesting.up(0)) {
            return Quote::Closing;
        }
        if !key && self.is_joined(at) {
            return Quote::Closing;
        }
        if let Some(end) = self.smart_end(inside, at) {
            return Quote::Opening(end);
        }
        if let Some(close) = self.end_of_prose(inside, at) {
            return Quote::Inner(close);
        }
        if let Some(inner) = self.inner_quotes() {
            return self.role(inner, at);
        }
        let next = self.text.get(at + 1).copied();
        if next == Some(b'"') && at > inside && self.is_end(at + 2, key) {
            return match self.ends_measure(inside, at) {
                true => Quote::Inner(at + 1),
                false => Quote::Repeated,
            };
        }
        let tight = !matches!(
            next,
            None | Some(
                b' ' | b'\t'
                    | b'\n'
                    | b'\r'
                    | b','
                    | b':'
                    | b'}'
                    | b']'
                    | b'"'
                    | b'{'
                    | b'['
                    | b';'
                    | b'='
                    | b'/'
            )
        );
        let after = self.ahead.nonblank(at + 1);
        let separated = self.separates(after);
        let tight =
            tight && !separated && !(self.ahead.expects_full_width() && self.ahead.closes(at + 1));
        let after_byte = self.text.get(after).copied();
        if key && separated {
            return Quote::Closing;
        }
        if key {
            if matches!(after_byte, Some(b':' | b'=')) {
                return Quote::Closing;
            }
            // After `"a:b"`, the colon is missing; the quote in `"a: "b"` opens a value.
            let opens = b" \t:,[{".contains(&self.text[at - 1]);
            if (opens || tight)
                && !matches!(after_byte, Some(b',' | b'}' | b']' | b'\n' | b'\r') | None)
                && let Some(colon) = self.key_colon(inside, at)
            {
                return Quote::Opening(colon);
            }
        }
        let value = self.in_value_position();
        // A word after a blank is suspicious only where a value could have ended.
        let loose = (value || key)
            && matches!(next, Some(b' ' | b'\t'))
            && after_byte.is_some_and(|byte| is_word(byte) && !byte.is_ascii_digit());
        if value
            && after_byte == Some(b':')
            && let Some(close) = self.words_after_colon(inside, at, after)
        {
            return Quote::Inner(close);
        }
        if value
            && (tight || after_byte == Some(b':'))
            && let Some(close) = self.document_end(inside, at)
        {
            return Quote::Inner(close);
        }
        if let Some(close) = self.doubled_end(at) {
            return Quote::Inner(close);
        }
        if !tight && !loose || loose && self.is_element(after) {
            return Quote::Closing;
        }
        let line_end = self.ahead.line_end(at);
        if tight && let Some(close) = self.pairs_end(inside, at) {
            return Quote::Inner(close);
        }
        let end = self.tail(inside, at);
        let next_quote = self.ahead.quote(at + 1);
        if tight
            && self.text[end..at].contains(&b',')
            && next_quote < line_end
            && self.ahead.closes(next_quote + 1)
        {
            return Quote::Opening(end);
        }
        let mut closing = self.ahead.closing(at + 1);
        if let Some(close) = closing {
            let colon = self.text.get(self.ahead.nonblank(close + 1)) == Some(&b':');
            // In a value, that is the next key, and this string ended before it; a key extends to its colon.
            let apart = key && close - at < REACH && self.text[at..close].contains(&b',');
            // Unless that key begins an object in the text.
            if value && colon && tight && self.text[inside..at].ends_with(b"{") {
                return Quote::Inner(close + 1);
            }
            if key != colon || apart {
                closing = None;
            }
        }
        if next == Some(b'\'') && value {
            closing = None;
        }
        match closing {
            Some(close) => Quote::Inner(close),
            None if value && tight => self.quoted_words(inside, at),
            None => Quote::Closing,
        }
    }

    /// Whether the text at `at` ends a key, or a value.
    fn is_end(&self, at: usize, key: bool) -> bool {
        let byte = self.text.get(self.ahead.nonblank(at));
        match key {
            true => byte == Some(&b':'),
            false => {
                self.in_value_position()
                    && matches!(byte, None | Some(b',' | b'}' | b']' | b'\n' | b'\r'))
            }
        }
    }

    /// Whether a string follows the quote at `at` after a `+`, and ends a value or is joined to another one.
    fn is_joined(&self, at: usize) -> bool {
        let joined = |quote: usize| {
            let plus = self.ahead.nonblank(quote + 1);
            let opening = self.ahead.nonblank(plus + 1);
            let is_plus = self.text.get(plus) == Some(&b'+');
            (is_plus && self.text.get(opening) == Some(&b'"')).then_some(opening)
        };
        joined(at).is_some_and(|opening| {
            let close = self.ahead.quote(opening + 1);
            close < self.ahead.line_end(at)
                && (self.ahead.closes(close + 1) || joined(close).is_some())
        })
    }

    /// The quotes inside strings, if everything else is JSON.
    fn inner_quotes(&self) -> Option<&[usize]> {
        let inner = self.inner.get_or_init(|| {
            let text = &self.text[self.start..];
            let work = &self.ahead.work;
            work.set(work.get() + 4 * text.len() as u64);
            let mode = if self.stream { Mode::Stream } else { Mode::One };
            let mut inner = inner_quotes(text, self.dialect, mode)?;
            inner.iter_mut().for_each(|at| *at += self.start);
            Some(inner)
        });
        inner.as_deref()
    }

    /// The role of the quote at `at`, if the roles of all quotes are known.
    fn role(&self, inner: &[usize], at: usize) -> Quote {
        let Ok(index) = inner.binary_search(&at) else {
            return Quote::Closing;
        };
        let mut close = at;
        for &quote in &inner[index..] {
            if quote != close {
                break;
            }
            close = self.ahead.quote(quote + 1);
        }
        Quote::Inner(close)
    }

    /// The closing quote of a value with paired quotes or none, and a mistake at `at`.
    fn pairs_end(&mut self, inside: usize, at: usize) -> Option<usize> {
        if !self.in_value_position() || at < self.unclear {
            return None;
        }
        let container = self.nesting.up(0)?;
        let close = closing_quote(self.text, inside, container);
        let (Ok(end) | Err(end)) = close;
        self.steps += (end - inside) as u64;
        // No string is read again up to this offset.
        self.unclear = end;
        close.ok().filter(|&close| close > at)
    }

    /// The closing quote of a document inside a string with unescaped quotes, as in `"{"a": 1}"` and `"{ b": {} }"`, if only
    /// opening brackets precede the quote at `at`, or also a key before its colon.
    fn document_end(&self, inside: usize, at: usize) -> Option<usize> {
        let before = &self.text[inside..at];
        let is_colon = self.text.get(self.ahead.nonblank(at + 1)) == Some(&b':');
        let is_start = match is_colon {
            true => before.len() <= TAIL && before.trim_ascii_start().starts_with(b"{"),
            false => before.len() <= BRACKETS && before.iter().all(|byte| b"[{ \\".contains(byte)),
        };
        match before.trim_ascii().first() {
            Some(&bracket) if is_start => self.ahead.quote_after(bracket == b'{', at + 1),
            _ => None,
        }
    }

    /// The end of the key in `word: …`, where the closing quote is missing, if the content from `inside` on has that
    /// form.
    fn key_colon(&self, inside: usize, end: usize) -> Option<usize> {
        let key = &self.text[inside..end.min(inside + 256)];
        let colon = key
            .iter()
            .position(|byte| matches!(byte, b':' | b',' | b'{' | b'}' | b'[' | b']'))?;
        (colon > 0 && key[colon] == b':').then(|| inside + key[..colon].trim_ascii_end().len())
    }

    /// The end of the content of a string that lost its closing quote somewhere before `end`: separators and closers
    /// of open containers that follow it belong to the document.
    pub(super) fn tail(&self, inside: usize, end: usize) -> usize {
        let floor = inside.max(end.saturating_sub(TAIL));
        let mut start = end;
        while start > floor && b" \t,{}[]".contains(&self.text[start - 1]) {
            start -= 1;
        }
        // The start of the separators and closers that belong to the document.
        let mut tail = start;
        let (mut closed, mut opened) = (0, 0usize);
        let mut comma = false;
        for at in start..end {
            let fits = match self.text[at] {
                b'}' | b']' if opened > 0 => {
                    opened -= 1;
                    true
                }
                byte @ (b'}' | b']') => {
                    closed += 1;
                    self.nesting.up(closed - 1) == Some(Container::holding(byte == b'}'))
                }
                b',' => {
                    // Two separators in a row are content.
                    let again = comma && opened == 0;
                    comma = true;
                    !again
                }
                b'{' | b'[' => {
                    opened += 1;
                    comma
                }
                _ => true,
            };
            if !fits {
                tail = at + 1;
                (closed, opened, comma) = (0, 0, false);
            }
        }
        tail
    }

    /// At a raw line break, the quote that closes the string on a later line, or `None` if the string was meant to end
    /// on this line.
    fn string_continues(&mut self, at: usize) -> Option<usize> {
        let close = self.ahead.quote(at);
        if close >= self.text.len() || close - at > REACH {
            return None;
        }
        // Every line break before this quote asks the same question.
        let answer = match self.continues {
            Some((of, answer)) if of == close => answer,
            _ => self.closes_after_line_break(at, close),
        };
        self.continues = Some((close, answer));
        answer.then_some(close)
    }

    fn closes_after_line_break(&self, at: usize, close: usize) -> bool {
        let before = self.text[at..close].trim_ascii_end();
        let first = self.text[at..close]
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let first_on_line = matches!(self.text[close - first - 1], b'\n' | b'\r');
        let closes = self.ahead.closes(close + 1);
        if first_on_line {
            let second = self.ahead.quote(close + 1);
            if second < self.ahead.line_end(close) && self.ahead.closes(second + 1) {
                return false;
            }
            return closes;
        }
        let last = before.last().copied().unwrap_or(b' ');
        closes && !matches!(last, b':' | b',' | b'{' | b'[')
    }

    /// The end of a string that was meant to end before the line break at `at`.
    fn ends_on_line(
        &mut self,
        start: usize,
        inside: usize,
        at: usize,
        faults: &mut Faults,
    ) -> usize {
        if self.in_key_position()
            && let Some(colon) = self.key_colon(inside, at)
        {
            self.unterminated(start, colon);
            return colon;
        }
        let end = self.tail(inside, at);
        self.lost_end(start, inside, end, faults);
        end
    }

    /// Reports that the string, which was meant to end at `end`, is not closed there.
    fn lost_end(&mut self, start: usize, inside: usize, end: usize, faults: &mut Faults) {
        // `"C:\dir\",`: the closing quote is present, but the backslash before it escapes it.
        if end < inside + 2 || &self.text[end - 2..end] != b"\\\"" {
            return self.unterminated(start, end);
        }
        let span = Span::new(end - 2, end - 1);
        faults.end = Some(span.start);
        // The others are also mistakes, or are doubled here.
        let path = if faults.has_escapes() {
            None
        } else {
            windows_path::backslashes(&self.text[inside..span.start])
        };
        self.report(Code::BadEscape, span, |d| {
            d.message("this backslash escapes the closing quote")
                .label("write `\\\\`");
            for at in path.unwrap_or_default() {
                d.replace(Review, Span::new(inside + at, inside + at + 1), "\\\\");
            }
            d.replace(Review, span, "\\\\")
                .help("in a Windows path every backslash must be doubled, also in `\\n`, `\\t`, …");
        });
    }

    /// Whether the backslash at `at` ends a path that begins with a drive, in an array: `["D:\", "E:\"]`.
    fn ends_path(&self, inside: usize, at: usize) -> bool {
        let content = &self.text[inside..=at];
        self.text.get(at + 1) == Some(&b'"')
            && matches!(content, [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic())
            && self.nesting.up(0) == Some(Container::Array)
            && closes(self.text, at + 1, false, Some(Container::Array))
    }

    /// Whether one word begins at `at`, as an element of an array without quotes.
    fn is_element(&self, at: usize) -> bool {
        let length = self.text[at..].iter().take_while(|byte| is_word(**byte));
        let end = at + length.count();
        self.nesting.up(0) == Some(Container::Array) && self.ahead.closes(end)
    }

    /// The end of a string that the end of the text truncates.
    fn string_at_end(&mut self, start: usize, inside: usize, faults: &mut Faults) -> usize {
        let fence = self.closing_fence();
        let is_fenced = inside < fence
            && fence < self.text.len()
            && memchr::memmem::find(&self.text[inside..fence], b"```").is_none();
        let length = if is_fenced { fence } else { self.text.len() };
        let end = self.tail(inside, length);
        let closers = self.text[end..length]
            .iter()
            .filter(|byte| matches!(byte, b'}' | b']'))
            .count();
        let is_cut = || is_open_json(&self.text[inside..end]);
        // All containers are closed after it, or the answer is complete: only the quote is missing.
        let is_closed = is_fenced || closers > 0 && closers == self.nesting.len() && !is_cut();
        if self.in_key_position()
            && let Some(colon) = self.key_colon(inside, length)
        {
            self.unterminated(start, colon);
            return colon;
        }
        if is_closed {
            self.lost_end(start, inside, end, faults);
            return end;
        }
        self.truncated = true;
        length
    }

    fn unterminated(&mut self, start: usize, end: usize) {
        if self.ends_smart(start, end) {
            let span = Span::new(end - "”".len(), end);
            self.report(Code::SmartQuotes, span, |d| {
                d.message("typographic (“smart”) quote at the end of a string")
                    .label("write `\"`")
                    .replace(Review, span, "\"");
            });
            return;
        }
        self.open_string = Some(end);
        let key = self.in_key_position();
        let lost_both = self.text[start] != b'"';
        self.report(Code::UnterminatedString, Span::point(end), |d| {
            d.message(if key {
                "key is missing its closing quote"
            } else {
                "string is never closed"
            })
            .label("insert `\"` here")
            .replace(Review, Span::point(end), "\"");
            if !lost_both {
                d.related(Span::new(start, start + 1), "string starts here");
            }
        });
    }

    /// Reports the quotes from `first` to `close`, if there are any.
    fn unescaped(&mut self, first: usize, close: usize) {
        if first >= close {
            return;
        }
        let mut places = Vec::new();
        let mut at = first;
        while at < close && places.len() <= MAX_SPANS {
            places.push(Span::new(at, at + 1));
            at = self.ahead.quote(at + 1);
        }
        self.report(Code::UnescapedQuote, places[0], |d| {
            d.message("double quote inside a string is not escaped")
                .label("write `\\\"`");
            if places.len() <= MAX_SPANS {
                for &place in &places {
                    d.replace(Review, Span::point(place.start), "\\");
                }
            }
            d.more = places[1..].iter().copied().take(9).collect();
        });
    }

    /// Lexes the escape at `at` and returns the offset after it.
    fn escape(&mut self, at: usize, faults: &mut Faults) -> usize {
        let rest = &self.text[at..];
        match rest.get(1) {
            None => at + 1,
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at + 2,
            Some(b'u') => match Escape::first(rest) {
                Some(Escape { value, length }) => {
                    let is_cut = match value {
                        Value::Surrogate(0xD800..=0xDBFF) => is_start_of_pair(&rest[length..]),
                        _ => false,
                    };
                    if matches!(value, Value::Surrogate(_)) && self.surrogates && !is_cut {
                        faults.add(FaultKind::LoneSurrogate, at, at + length);
                    }
                    at + length
                }
                None => {
                    let digits = hex::count_digits(&rest[2..]);
                    let braced = code_point(rest);
                    if at + 2 + digits == self.text.len() {
                        // Truncated by the end of the text.
                        return self.text.len();
                    }
                    let (what, length) = match braced {
                        Some((_, length)) => (FaultKind::Unicode, length),
                        None if digits > 0 => (FaultKind::Unicode, 2 + digits),
                        None => (FaultKind::Escape, 2),
                    };
                    faults.add(what, at, at + length);
                    at + length
                }
            },
            Some(b'\n' | b'\r') => {
                let length = if rest.starts_with(b"\\\r\n") { 3 } else { 2 };
                match self.string_continues(at + 1) {
                    Some(_) => {
                        faults.add(FaultKind::Continuation, at, at + length);
                        at + length
                    }
                    None => {
                        faults.add(FaultKind::Escape, at, at + 1);
                        at + 1
                    }
                }
            }
            Some(_) => {
                let (what, length) = match code_point(rest) {
                    Some((_, length)) => (FaultKind::Unicode, length),
                    None => (FaultKind::Escape, escape_length(rest)),
                };
                faults.add(what, at, at + length);
                at + length
            }
        }
    }
}

/// Whether `rest`, which ends the text after half of a surrogate pair, may be the start of the other half.
fn is_start_of_pair(rest: &[u8]) -> bool {
    match rest {
        [] | [b'\\'] => true,
        [b'\\', b'u', digits @ ..] => digits.len() < 4 && hex::count_digits(digits) == digits.len(),
        _ => false,
    }
}

/// Whether the content of a string is JSON with escaped quotes, of which a bracket is still open.
fn is_open_json(content: &[u8]) -> bool {
    let (mut at, mut depth, mut quotes) = (0, 0, 0_usize);
    while let Some(&byte) = content.get(at) {
        let is_inside = quotes % 2 == 1;
        match byte {
            b'\\' => {
                quotes += usize::from(content.get(at + 1) == Some(&b'"'));
                at += 1;
            }
            b'{' | b'[' if !is_inside => depth += 1,
            b'}' | b']' if !is_inside => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    quotes > 0 && quotes.is_multiple_of(2) && depth > 0
}
