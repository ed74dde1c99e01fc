//! Lexes text without quotes: numbers, literals, words, placeholders, and characters that JSON does not have.

use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::Span;
use super::super::{literals, quote};
use super::trivia::{is_word, trim_end};
use super::{Lexer, Previous, Quotes, TokenKind, characters, is_number};

/// The maximum distance, in bytes, from an ellipsis to the comma next to it.
const GAP: usize = 256;

/// The maximum length of a template placeholder.
const PLACEHOLDER: usize = 60;

/// The maximum number of literals with blanks between them to follow.
const LITERALS: usize = 64;

/// The maximum length of text that may be a string without its opening quote.
const LOST_QUOTE: usize = 4096;

/// The maximum length of a literal or number before a comment of Python.
const SCALAR: usize = 64;

/// The maximum length of a number with quotes between its digits, in bytes.
const GROUPS: usize = 64;

/// Characters between the groups of digits of a number.
const SEPARATORS: [char; 3] = ['_', '\'', '`'];

impl Lexer<'_> {
    pub(super) fn number(&mut self) -> TokenKind {
        let start = self.at;
        // The mark of a list: `- "a"`.
        let next = self.ahead.nonblank(start + 1);
        if self.byte(0) == Some(b'-')
            && next > start + 1
            && matches!(self.text.get(next), Some(b'"' | b'\'' | b'{' | b'['))
        {
            self.at += 1;
            return TokenKind::Junk;
        }
        let run = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._%".contains(byte))
            .count();
        let end = start + run;
        let sound = is_number(&self.text[start..end]);
        if self.is_time(end) || sound && self.is_before_words(end) {
            return self.bare();
        }
        if sound && let Some(end) = self.end_of_groups(end) {
            self.at = end;
            return TokenKind::Bare;
        }
        let next = self.text.get(end).copied();
        let after = self.ahead.ascii(self.ahead.nonblank(end));
        if sound
            && matches!(
                after,
                None | Some(b',' | b'}' | b']' | b':' | b'\n' | b'\r')
            )
        {
            self.at = end;
            return TokenKind::Number;
        }
        if self.is_missing_its_quote() {
            return self.lost_quote();
        }
        let is_apart = characters::ascii(&self.text[end..]).is_some();
        if sound
            && (is_apart || !next.is_some_and(|byte| byte >= 0x80 || b"\\@$&~#^!?".contains(&byte)))
        {
            self.at = end;
            return TokenKind::Number;
        }
        self.bare()
    }

    /// The end of a number such as `1'000`, whose first group of digits ends at `end`: quotes between digits that open no string.
    fn end_of_groups(&self, mut end: usize) -> Option<usize> {
        let is_digit = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
        let start = end;
        while end - self.at < GROUPS && matches!(self.text.get(end), Some(b'\'' | b'`')) {
            let digits = self.text[end + 1..].iter().take(GROUPS);
            let length = digits.take_while(is_digit).count();
            if length == 0 {
                return None;
            }
            end += 1 + length;
        }
        let next = self.text.get(self.ahead.nonblank(end));
        let ends = matches!(next, None | Some(b',' | b'}' | b']' | b'\n' | b'\r'));
        (end > start && ends).then_some(end)
    }

    /// Whether the value here is a time of day, `7:30` or `12:30:00`, whose hours end at `end`.
    fn is_time(&self, end: usize) -> bool {
        let minutes = self.text.get(end..end + 3);
        (1..=2).contains(&(end - self.at))
            && self.text[self.at..end].iter().all(u8::is_ascii_digit)
            && matches!(minutes, Some([b':', a, b]) if a.is_ascii_digit() && b.is_ascii_digit())
            && !self.text.get(end + 3).is_some_and(u8::is_ascii_digit)
            && self.in_value_position()
    }

    /// Whether the number that ends at `end` is the value of a member, and words follow it: `5 kg`, but not `5 b: 6`.
    fn is_before_words(&self, end: usize) -> bool {
        let next = self.ahead.nonblank(end);
        let is_letter = |byte: &u8| is_word(*byte) && !byte.is_ascii_digit();
        if next == end
            || self.previous != Previous::Separator
            || self.nesting.up(0) != Some(super::Container::Object)
            || !self.text.get(next).is_some_and(is_letter)
        {
            return false;
        }
        let line = &self.text[next..self.ahead.line_end(next)];
        let stop = line.iter().find(|byte| b",:;=\"{}[]".contains(byte));
        matches!(stop, None | Some(b',' | b'}' | b']'))
    }

    /// Lexes text that starts with a byte that starts no JSON token.
    pub(super) fn other(&mut self) -> TokenKind {
        if let Some(kind) = self.full_width() {
            return kind;
        }
        let rest = self.rest();
        if rest.starts_with(b"...") || rest.starts_with("…".as_bytes()) {
            return self.ellipsis();
        }
        if Quotes::Smart.at(rest).is_some() {
            return self.foreign(Quotes::Smart);
        }
        if let Some(kind) = self.prefixed() {
            return kind;
        }
        if self.is_missing_its_quote() {
            return self.lost_quote();
        }
        if let Some(kind) = self.template() {
            return kind;
        }
        let byte = rest[0];
        if byte == b'=' {
            self.at += 1;
            return TokenKind::Junk;
        }
        let value = self.in_value_position() || self.in_key_position();
        if value && self.emphasis_end(self.at).is_some() {
            return self.bare();
        }
        if b"*/|?&%^!~<>".contains(&byte) || byte == b'+' && !value {
            let is_operator = |byte: &&u8| b"+*/|?&%^!~<>=".contains(byte);
            let run = rest.iter().take_while(is_operator).count();
            let word = rest[run..].iter().find(|byte| **byte != b'.');
            if value && byte != b'+' && word.copied().is_some_and(is_word) {
                return self.bare();
            }
            self.at += run;
            return TokenKind::Operator;
        }
        if is_word(byte)
            && std::str::from_utf8(&rest[..rest.len().min(4)])
                .map_or_else(|e| e.valid_up_to() > 0, |_| true)
            || b"$@.+#".contains(&byte)
        {
            return self.bare();
        }
        self.junk()
    }

    /// Lexes a run of bytes that have no meaning.
    pub(super) fn junk(&mut self) -> TokenKind {
        let run = self
            .rest()
            .iter()
            .take_while(|byte| {
                !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'"')
                    && !b"{}[]".contains(byte)
            })
            .count();
        self.at += run.max(1);
        TokenKind::Junk
    }

    fn ellipsis(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 3;
        while self.byte(0) == Some(b'.') {
            self.at += 1;
        }
        let span = Span::new(start, self.at);
        let (gap, text) = self.omission(span);
        self.report(Code::Ellipsis, span, |d| {
            d.message("`...` stands for omitted content")
                .label("replace with real content or remove")
                .replace(Review, gap, text);
        });
        TokenKind::Ellipsis
    }

    /// The edit that removes an ellipsis with one of the commas next to it.
    fn omission(&self, span: Span) -> (Span, &'static str) {
        let blank = |byte: &&u8| byte.is_ascii_whitespace();
        let after = &self.text[span.end..self.text.len().min(span.end + GAP)];
        let next = span.end + after.iter().take_while(blank).count();
        let ahead = &self.text[span.start.saturating_sub(GAP)..span.start];
        let previous = span.start - ahead.iter().rev().take_while(blank).count();
        let before = previous.checked_sub(1).map(|at| self.text[at]);
        match (before, self.text.get(next)) {
            (Some(b':'), _) => (span, "null"),
            (_, Some(b',')) => (Span::new(span.start, next + 1), ""),
            (Some(b','), _) => (Span::new(previous - 1, span.end), ""),
            _ => (span, ""),
        }
    }

    /// `{{name}}`, `${name}` or `<name>`.
    pub(super) fn template(&mut self) -> Option<TokenKind> {
        let rest = &self.rest()[..self.rest().len().min(PLACEHOLDER)];
        let close: &[u8] = match rest {
            [b'{', b'{', ..] => b"}}",
            [b'{', b'%', ..] => b"%}",
            [b'$', b'{', ..] => b"}",
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => b">",
            _ => return None,
        };
        let open = if close == b">" { 1 } else { 2 };
        let length = rest[open..]
            .iter()
            .position(|&byte| byte == close[0] || matches!(byte, b'"' | b'\n' | b'\r'))?;
        let inside = &rest[open..open + length];
        if !rest[open + length..].starts_with(close)
            || inside.trim_ascii().is_empty()
            || inside.iter().any(|byte| b",[{".contains(byte)) && close != b"%}"
        {
            return None;
        }
        let end = self.at + open + length + close.len();
        if self
            .text
            .get(end)
            .copied()
            .is_some_and(|byte| is_word(byte) || b"/.-".contains(&byte))
            && !matches!(self.text[end..], [b'/', b'/' | b'*', ..])
            && close != b"%}"
        {
            return None;
        }
        let span = Span::new(self.at, end);
        self.at = end;
        let what = quote::ticked(&self.text[span.start..span.end]);
        let filled = quote::quoted(&self.text[span.start..span.end]);
        self.report(Code::TemplatePlaceholder, span, |d| {
            d.message(format_args!("placeholder {what} was never filled in"))
                .label("still a template");
            d.replace(Review, span, filled);
        });
        Some(TokenKind::Template)
    }

    /// Whether a string without its opening quote starts here.
    pub(super) fn is_missing_its_quote(&self) -> bool {
        let (key, value) = (self.in_key_position(), self.in_value_position());
        if !key && !value {
            return false;
        }
        let start = self.at;
        let quote = self.ahead.any_quote(start);
        if self.previous == Previous::Start {
            // `key": 1}`
            return quote < self.text.len().min(start + LITERALS)
                && self.text[start..quote]
                    .iter()
                    .all(u8::is_ascii_alphanumeric)
                && self.text.get(self.ahead.nonblank(quote + 1)) == Some(&b':');
        }
        if quote >= self.ahead.line_end(start)
            || quote - start > LOST_QUOTE
            || self.ahead.opener(start) < quote
                && !(key && has_parameters(&self.text[start..quote]))
            || self.ahead.quote(start) != quote
            || self.is_before_comment(quote)
        {
            return false;
        }
        if self.text[start..quote].trim_ascii_end().ends_with(b",") {
            return false;
        }
        let next = self.text.get(self.ahead.nonblank(quote + 1)).copied();
        if key {
            // The quote has to end the key: a colon follows it, and no comma precedes it.
            return next == Some(b':') && !self.text[start..quote].contains(&b',');
        }
        matches!(next, None | Some(b',' | b'}' | b']' | b'\n' | b'\r'))
            && !self.text[start..quote].trim_ascii_end().ends_with(b":")
    }

    /// Lexes a string without its opening quote, and reports it.
    pub(super) fn lost_quote(&mut self) -> TokenKind {
        let start = self.at;
        let key = self.in_key_position();
        // A key ends at its colon; the end of a value is a guess.
        let certain = match key && self.ahead.opener(start) > self.ahead.quote(start) {
            true => Safe,
            false => Review,
        };
        let (first, is_first) = (
            char::from(self.text[start]),
            self.previous == Previous::Start,
        );
        self.report(Code::UnterminatedString, Span::point(start), |d| {
            d.message(if key {
                "key is missing its opening quote"
            } else {
                "string is missing its opening quote"
            })
            .label("insert `\"` here");
            // A bracket that is missing too is inserted before the quote.
            match is_first {
                true => d.replace(Review, Span::new(start, start + 1), format!("\"{first}")),
                false => d.replace(certain, Span::point(start), "\""),
            };
        });
        self.string_body(start, start)
    }

    /// Lexes text without quotes. Its end depends on the context.
    pub(super) fn bare(&mut self) -> TokenKind {
        if let Some(length) = self.literal_before_another_token() {
            self.at += length;
            return TokenKind::Literal;
        }
        let start = self.at;
        let line_end = self.ahead.line_end(start);
        if let Some(length) = literals::non_finite_call(&self.text[start..line_end]) {
            self.at += length;
            return TokenKind::Bare;
        }
        // On the line after `key:`, `word: ` is the next key, and the value is missing.
        let value = self.in_value_position()
            && !(self.previous == Previous::Separator && self.is_next_key());
        let mut end = start;
        // A word, not a path or a URL, in which `//` and `/*` are text.
        let (mut is_word_run, mut is_ascii) = (true, true);
        while end < line_end {
            let byte = self.text[end];
            let stops = match byte {
                // `$1,299.99`
                b',' if value && end > start && self.is_digit_group(end) => false,
                b',' if value && self.is_in_prose(end) => {
                    end = self.clause_end(end) - 1;
                    false
                }
                // `h"that"`
                b'"' if value && end > start && self.is_quoted_part(end) => {
                    end = self.ahead.quote(end + 1);
                    false
                }
                b',' | b'}' | b']' | b'"' | b';' | b'{' | b'[' => {
                    // `${` is part of the text.
                    !(byte == b'{' && end > start && self.text[end - 1] == b'$')
                }
                b':' | b'=' if !value => true,
                // `{a 'b'}`, `{a “b”}`
                b'\'' if !value => end > start && self.text[end - 1] == b' ',
                0xE2 if !value && end > start && self.text[end - 1] == b' ' => {
                    self.text[end..].starts_with("“".as_bytes())
                }
                b'/' if end > start => match self.text[end - 1] {
                    b' ' | b'\t' => matches!(self.text.get(end + 1), Some(b'/' | b'*')),
                    _ => is_word_run && self.comment_ends(start, end),
                },
                b'#' if end > start => {
                    // `12#34` and `1.#INF` are words.
                    let is_within = self.text[end - 1..].starts_with(b".#IN")
                        || self.text[end - 1..].starts_with(b".#QN")
                        || self.text.get(end + 1).is_some_and(u8::is_ascii_digit);
                    matches!(self.text[end - 1], b' ' | b'\t')
                        || !is_within && end - start <= SCALAR && self.comment_ends(start, end)
                }
                b'(' if value && end > start => {
                    let call = self.text[start..end]
                        .iter()
                        .all(|&byte| is_word(byte) || b".$ ".contains(&byte));
                    let matching = call.then(|| self.ahead.matching_paren(end)).flatten();
                    if let Some(close) = matching.or_else(|| self.ahead.closing_paren(end)) {
                        self.crossed_lines(start, close);
                        self.at = close + 1;
                        return TokenKind::Expression;
                    }
                    false
                }
                b')' => value && end > start && self.closes_paren(end),
                b'*' | b'_' | b'~'
                    if value && self.text[..end].last().is_none_or(|b| !is_word(*b)) =>
                {
                    if let Some(close) = self.emphasis_end(end) {
                        is_ascii &= self.text[end..close].is_ascii();
                        end = close - 1;
                    }
                    false
                }
                0x80.. if is_ascii || self.ahead.expects_full_width() => {
                    end > start && characters::ascii(&self.text[end..]).is_some()
                }
                _ => false,
            };
            if stops {
                break;
            }
            is_word_run &= !matches!(byte, b':' | b'/');
            is_ascii &= byte < 0x80;
            end += 1;
        }
        let text = &self.text[start..end];
        let trimmed = trim_end(text).len().max(1);
        self.at = start + trimmed;
        // Signs before a key, as in `▁▁"a": 1`, are no key.
        let is_junk =
            !value && self.byte(0) == Some(b'"') && !text.iter().any(u8::is_ascii_alphanumeric);
        match &text[..trimmed.min(text.len())] {
            _ if is_junk => TokenKind::Junk,
            b"true" | b"false" | b"null" => TokenKind::Literal,
            // A comment of Python follows.
            text if is_number(text) => TokenKind::Number,
            _ => TokenKind::Bare,
        }
    }

    /// Lexes a tuple of Python as a key, or its `(`.
    pub(super) fn tuple(&mut self) -> TokenKind {
        let start = self.at;
        let close = self.ahead.matching_paren(start).unwrap_or(start);
        self.crossed_lines(start, close);
        self.at = close + 1;
        TokenKind::Expression
    }

    /// The length of a literal that starts here, if it is followed by a blank, but not by a word that would make it
    /// bare text. Values of a stream are separated only by blanks.
    fn literal_before_another_token(&self) -> Option<usize> {
        let literal = ["true", "false", "null"]
            .iter()
            .find(|word| self.rest().starts_with(word.as_bytes()))?;
        let end = self.at + literal.len();
        let next = self.ahead.nonblank(end);
        let is_letter = |byte: u8| is_word(byte) && !byte.is_ascii_digit();
        // `true false null`: not bare text.
        let after = &self.text[next..self.text.len().min(next + LITERALS)];
        let mut words = after.split(|&byte| !is_word(byte) && byte != b' ');
        let mut words = words.next().unwrap_or_default().split(|&byte| byte == b' ');
        let are_literals = words.all(|word| matches!(word, b"" | b"true" | b"false" | b"null"));
        let word = after.first().is_some_and(|&byte| is_letter(byte)) && !are_literals;
        // `true: "key"`: the colon is meant as a comma.
        let is_before_key = self.nesting.len() > 0
            && self.text.get(next) == Some(&b':')
            && self.text.get(self.ahead.nonblank(next + 1)) == Some(&b'"');
        (next > end && (self.nesting.len() == 0 || !word) || is_before_key).then_some(literal.len())
    }

    /// The end of the words from the comma at `at` on: the next quote, bracket, separator or line end.
    fn clause_end(&self, at: usize) -> usize {
        let line = &self.text[at + 1..self.ahead.line_end(at)];
        let length = line.iter().position(|byte| b",:=;\"'`{}[]".contains(byte));
        at + 1 + length.unwrap_or(line.len())
    }

    /// Whether the comma at `at` is between groups of three digits of an amount in the value of a member.
    fn is_digit_group(&self, at: usize) -> bool {
        let digits = self.text[at + 1..].iter().take(4);
        self.nesting.up(0) == Some(super::Container::Object)
            && !self.text[self.at].is_ascii_digit()
            && self.text[at - 1].is_ascii_digit()
            && digits.take_while(|byte| byte.is_ascii_digit()).count() == 3
    }

    /// Whether several words follow the comma at `at`, in the value of a member, and no colon: a key has one.
    fn is_in_prose(&self, at: usize) -> bool {
        let end = self.clause_end(at);
        let clause = self.text[at + 1..end].trim_ascii();
        let is_prose =
            |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80 || b" .!?-".contains(byte);
        let next = self.text.get(end);
        self.nesting.up(0) == Some(super::Container::Object)
            && clause.contains(&b' ')
            && clause.iter().all(is_prose)
            && matches!(next, None | Some(b'"' | b',' | b'}' | b'\n' | b'\r'))
    }

    /// Whether the quotes at `at`, right after a word in the value of a member, are around a part of it.
    fn is_quoted_part(&self, at: usize) -> bool {
        let close = self.ahead.quote(at + 1);
        is_word(self.text[at - 1])
            && self.nesting.up(0) == Some(super::Container::Object)
            && close < self.ahead.line_end(at)
            && matches!(
                self.text.get(self.ahead.nonblank(close + 1)),
                None | Some(b',' | b'}' | b'\n' | b'\r')
            )
    }

    /// Whether the `)` at `at` ends a tuple rather than a call.
    pub(super) fn closes_paren(&self, at: usize) -> bool {
        self.nesting.up(0) == Some(super::Container::Array) && self.ahead.closes_parens(at)
    }

    /// Whether this is the first token of its line, and `word: `.
    ///
    /// The line is checked first: a word without a space may be as long as the text, and start at every token.
    fn is_next_key(&self) -> bool {
        let before = &self.text[self.line..self.at];
        if !before.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            return false;
        }
        let word = self
            .rest()
            .iter()
            .take_while(|&&byte| is_word(byte) || byte == b'-' || byte == b'$')
            .count();
        let colon = self.ahead.nonblank(self.at + word);
        word > 0
            && self.text.get(colon) == Some(&b':')
            && matches!(
                self.text.get(colon + 1),
                Some(b' ' | b'\t' | b'"' | b'{' | b'[')
            )
    }
}

/// Whether all brackets in a key are pairs of braces, as in `/pets/{id}`.
fn has_parameters(key: &[u8]) -> bool {
    let mut is_open = false;
    for byte in key {
        match byte {
            b'{' if !is_open => is_open = true,
            b'}' if is_open => is_open = false,
            b'{' | b'}' | b'[' | b']' | b' ' => return false,
            _ => {}
        }
    }
    !is_open
}

/// The fault in text that was meant as a number, with the correction.
pub(in super::super) enum NumberFault {
    LeadingZero(String),
    LeadingPlus(String),
    /// Whether the digits before the point are missing (else those after it), and the correction.
    MissingDigits(bool, String),
    NonDecimal(&'static str, Option<String>),
    /// `1_000`, `1'000`
    Separator(char, String),
    /// `10n`, a JavaScript BigInt.
    BigInt(String),
    /// `1e-08.0`
    FractionInExponent(String),
    /// `--1`, `+-1`
    TwoSigns,
    Incomplete,
    Calculation,
}

/// The fault in `text`, which is not a number; `None` if it does not resemble one.
pub(in super::super) fn number_fault(text: &str) -> Option<NumberFault> {
    let sign = if text.starts_with('-') { "-" } else { "" };
    let body = text.strip_prefix(['-', '+']).unwrap_or(text);
    if body.len() < text.len() && body.starts_with(['-', '+']) {
        let number = body.trim_start_matches(['-', '+']);
        return number
            .starts_with(|c: char| c.is_ascii_digit() || c == '.')
            .then_some(NumberFault::TwoSigns);
    }
    if let Some(digits) = text.strip_suffix('n')
        && is_number(digits.as_bytes())
        && !digits.contains(['.', 'e', 'E'])
    {
        return Some(NumberFault::BigInt(digits.to_owned()));
    }
    let sound = |text: String| is_number(text.as_bytes()).then_some(text);
    for (prefixes, radix, name) in [
        (["0x", "0X"], 16, "hexadecimal"),
        (["0o", "0O"], 8, "octal"),
        (["0b", "0B"], 2, "binary"),
    ] {
        if let Some(digits) = prefixes.iter().find_map(|prefix| body.strip_prefix(prefix)) {
            let digits = digits.replace('_', "");
            if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
                return Some(NumberFault::Incomplete);
            }
            let value = u64::from_str_radix(&digits, radix).ok();
            return Some(NumberFault::NonDecimal(
                name,
                value.map(|value| format!("{sign}{value}")),
            ));
        }
    }
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !body.contains(|c: char| c.is_ascii_digit())
    {
        return (body.is_empty() || body == ".").then_some(NumberFault::Incomplete);
    }
    if let Some(separator) = body.chars().find(|c| SEPARATORS.contains(c)) {
        let joined = body.replace(SEPARATORS, "");
        let whole = sound(format!("{sign}{joined}"));
        return whole.map(|whole| NumberFault::Separator(separator, whole));
    }
    let stripped = strip_zeros(body);
    if stripped.len() < body.len() {
        // A number may have several faults; the correction fixes all of them.
        if let Some(whole) = sound(format!("{sign}{}", with_digits(stripped))) {
            return Some(NumberFault::LeadingZero(whole));
        }
    }
    let whole = with_digits(body);
    if text.starts_with('+') {
        return match sound(whole) {
            Some(whole) => Some(NumberFault::LeadingPlus(whole)),
            None => fault_of_tail(body),
        };
    }
    if whole != body
        && let Some(whole) = sound([sign, &whole].concat())
    {
        return Some(NumberFault::MissingDigits(body.starts_with('.'), whole));
    }
    if let Some((number, zeros)) = body.rsplit_once('.')
        && number.contains(['e', 'E'])
        && zeros.bytes().all(|byte| byte == b'0')
        && let Some(whole) = sound([sign, number].concat())
    {
        return Some(NumberFault::FractionInExponent(whole));
    }
    fault_of_tail(body)
}

/// `text` without leading zeros.
fn strip_zeros(text: &str) -> &str {
    let bytes = text.as_bytes();
    let zeros = bytes.iter().take_while(|&&byte| byte == b'0').count();
    let keep_one = !bytes.get(zeros).is_some_and(u8::is_ascii_digit);
    &text[zeros - usize::from(keep_one && zeros > 0)..]
}

/// `text` with a zero on each side of the point that has no digit.
fn with_digits(text: &str) -> String {
    let Some(point) = text.find('.') else {
        return text.to_string();
    };
    let (integer, fraction) = (&text[..point], &text[point + 1..]);
    let integer = if integer.is_empty() { "0" } else { integer };
    let zero = if fraction.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        "0"
    };
    [integer, ".", zero, fraction].concat()
}

fn fault_of_tail(body: &str) -> Option<NumberFault> {
    // `1e+x` and `1ea`, but not `1em`, which is a length, nor `1ea4f2c`, which is the name of a commit.
    let is_exponent = |tail: &str| match tail.strip_prefix(['+', '-']) {
        Some(digits) => digits.starts_with(|c: char| c.is_ascii_alphabetic()),
        None => tail.len() == 1 && tail.bytes().all(|byte| byte.is_ascii_hexdigit()),
    };
    if let Some((mantissa, tail)) = body.split_once(['e', 'E'])
        && is_exponent(tail)
        && is_number(with_digits(strip_zeros(mantissa)).as_bytes())
    {
        return Some(NumberFault::Incomplete);
    }
    let exponent = body.trim_end_matches(['+', '-']);
    if let Some(mantissa) = exponent.strip_suffix(['e', 'E'])
        && is_number(with_digits(strip_zeros(mantissa)).as_bytes())
    {
        return Some(NumberFault::Incomplete);
    }
    let parts: Vec<&str> = body.split('+').collect();
    if parts.len() > 1 && parts.iter().all(|part| is_number(part.as_bytes())) {
        return Some(NumberFault::Calculation);
    }
    None
}

/// Whether `text`, at the end of the input, may be the start of a number or a literal.
pub(in super::super) fn may_go_on(text: &[u8]) -> Option<&'static str> {
    if literals::completed(text).is_some() {
        return Some("a literal");
    }
    let mut longer = text.to_vec();
    longer.push(b'0');
    let is_start = || {
        let text = std::str::from_utf8(text).ok();
        matches!(text.and_then(number_fault), Some(NumberFault::Incomplete))
    };
    (is_number(&longer) || is_start()).then_some("a number")
}
