//! Quotes within prose that are not escaped, in a value that the end of the text or of the line cuts off, or that has inches.
//!
//! ```text
//! {"answer": "He called it a "must-see" film and     quoted_words: a word follows a blank and the quote
//! {"size": "a 65", which is good"}                   end_of_prose: no key follows the comma
//! ```

use super::roles::closes;
use super::string::Quote;
use super::trivia::is_word;
use super::{Container, Lexer, Previous};

impl Lexer<'_> {
    /// The end of the quotes in the value of a member that begin with the one at `at`: as in `"a 65", which is good"` and
    /// `"see [1"] more"`, no key follows, and the next quote ends the value; or the text, truncated, has only words after it.
    pub(super) fn end_of_prose(&self, inside: usize, at: usize) -> Option<usize> {
        let container = self.nesting.up(0)?;
        let after = self.ahead.nonblank(at + 1);
        let next = *self.text.get(after)?;
        // In an array, words follow the bracket: `"see [1"] more"`.
        let is_word_after = || {
            self.text
                .get(self.ahead.nonblank(after + 1))
                .copied()
                .is_some_and(is_word)
        };
        let is_prose = container == Container::Object || next == b']' && is_word_after();
        if !self.in_value_position() || !is_prose || self.ahead.expects_full_width() {
            return None;
        }
        let (close, line_end) = (self.ahead.quote(at + 1), self.ahead.line_end(at));
        let prose = &self.text[after..close.min(line_end)];
        let has_words = prose.iter().any(|&byte| is_word(byte));
        let is_structure = |&byte: &u8| b":={}".contains(&byte) || byte == b'[' && next != b']';
        if !has_words || prose.iter().any(is_structure) {
            return None;
        }
        if close < line_end {
            let is_apart = matches!(next, b',' | b']');
            let ends = closes(self.text, close, false, Some(container))
                || self.is_cut_after(close)
                || self.is_before_bare_key(close);
            return (is_apart && ends).then_some(close);
        }
        let goes_on = match next {
            // A member may follow: `"x", b`.
            b',' => {
                prose[1..].trim_ascii().contains(&b' ') || self.text[inside..at].contains(&b'"')
            }
            b']' => container == Container::Object,
            byte => after > at + 1 && is_word(byte),
        };
        (line_end == self.text.len() && goes_on).then_some(at + 1)
    }

    /// The closing quote of the value `"a ": b", "n": 1`: no key ends at `at`, and words follow the colon.
    pub(super) fn words_after_colon(
        &self,
        inside: usize,
        at: usize,
        colon: usize,
    ) -> Option<usize> {
        let before = &self.text[inside.max(at.saturating_sub(GAP))..at];
        let close = self.ahead.quote(at + 1);
        let is_near = close < self.ahead.line_end(at) && close - at <= GAP;
        let words = self.text.get(colon + 1..close).filter(|_| is_near)?;
        let is_text = |byte: &u8| is_word(*byte) || b" .-'".contains(byte);
        let has_words = words.iter().any(u8::is_ascii_alphabetic) && words.iter().all(is_text);
        (has_words
            && !before.iter().any(|byte| b",{".contains(byte))
            && closes(self.text, close, false, self.nesting.up(0)))
        .then_some(close)
    }

    /// Whether a comma follows the quote at `close`, and after it a comment, or a word and a colon on this line or the next.
    fn is_before_bare_key(&self, close: usize) -> bool {
        let comma = self.ahead.nonblank(close + 1);
        if self.text.get(comma) != Some(&b',') {
            return false;
        }
        let near = &self.text[comma + 1..self.text.len().min(comma + GAP)];
        let key = near.trim_ascii_start();
        let word = key.iter().take_while(|byte| is_word(**byte)).count();
        key.starts_with(b"//")
            || key.starts_with(b"/*")
            || word > 0 && key[word..].starts_with(b":")
    }

    /// Whether the text ends after the quote at `close` and a comma, or in the next key.
    fn is_cut_after(&self, close: usize) -> bool {
        // Blanks at the end of the text are not read again for each quote.
        let rest = &self.text[close + 1..self.ahead.end.max(close + 1)];
        let key = rest
            .trim_ascii_start()
            .strip_prefix(b",")
            .map(<[u8]>::trim_ascii_start);
        key.is_some_and(|key| match key.strip_prefix(b"\"") {
            Some(key) => key.iter().all(|&byte| is_word(byte) || byte == b'"'),
            None => key.is_empty(),
        })
    }

    /// The role of the quote at `at` before a word, in a value whose closing quote is not on this line: as in
    /// `"He called it a "must-see" film and`, it opens a quotation within prose.
    pub(super) fn quoted_words(&self, inside: usize, at: usize) -> Quote {
        let before = &self.text[inside..at];
        let is_after_word = before.ends_with(b" ") && before.iter().any(|&byte| is_word(byte));
        if !is_after_word && !before.is_empty() {
            return Quote::Closing;
        }
        let line_end = self.ahead.line_end(at);
        let close = self.ahead.quote(at + 1);
        if close >= line_end {
            return Quote::Inner(at + 1);
        }
        let is_last = || {
            !self.text[close + 1..line_end]
                .iter()
                .any(|byte| b"\":".contains(byte))
        };
        let is_word_end = !self.text[close - 1].is_ascii_whitespace() || is_last();
        let is_quotation = is_word_end
            && !self.text[close + 1..]
                .first()
                .is_some_and(|&byte| is_word(byte));
        match is_quotation {
            true => Quote::Inner(close + 1),
            false => Quote::Closing,
        }
    }

    /// Whether the text up to `end` ends with a typographic quote that closes no other one: the end of a string that `start`
    /// opens in another way, as in `{"a": "text”, "b": 1}`.
    pub(super) fn ends_smart(&self, start: usize, end: usize) -> bool {
        let content = &self.text[start.max(end.saturating_sub(REACH))..end];
        let Some(content) = content.strip_suffix("”".as_bytes()) else {
            return false;
        };
        let mut quotes = content.windows(SMART).rev();
        quotes
            .find(|quote| quote.starts_with(b"\xE2\x80") && matches!(quote[2], 0x9C..=0x9F))
            .is_none_or(|quote| quote == "”".as_bytes())
    }

    /// The end of the string whose content starts at `inside`, if a typographic quote closes it, and the one at `at` opens
    /// another string: separators and brackets are between them.
    pub(super) fn smart_end(&self, inside: usize, at: usize) -> Option<usize> {
        let near = &self.text[inside.max(at.saturating_sub(GAP))..at];
        let is_between = |byte: &&u8| b" \t,:{}[]".contains(byte);
        let gap = near.iter().rev().take_while(is_between).count();
        let is_apart = near[near.len() - gap..]
            .iter()
            .any(|byte| b",:".contains(byte));
        (is_apart && self.ends_smart(inside, at - gap)).then_some(at - gap)
    }

    /// The end of the two quotes at `at` in the value of a member, as SQL and CSV double them: `"He said ""hi"" to me"`. They
    /// do not begin the next key.
    pub(super) fn doubled_end(&self, at: usize) -> Option<usize> {
        let is_member = self.in_value_position() && self.nesting.up(0) == Some(Container::Object);
        if !is_member || self.text.get(at + 1) != Some(&b'"') {
            return None;
        }
        let close = self.ahead.quote(at + 2);
        let is_key = || self.text.get(self.ahead.nonblank(close + 1)) == Some(&b':');
        (close < self.ahead.line_end(at) && !is_key()).then_some(at + 2)
    }

    /// Whether a measure ends at `end`, as in `a 65"` and `5 1/2"`: inches or seconds after a blank, or after feet or minutes.
    pub(super) fn ends_measure(&self, inside: usize, end: usize) -> bool {
        let text = &self.text[inside..end];
        let is_part = |byte: &&u8| byte.is_ascii_digit() || b"./".contains(byte);
        let length = text.iter().rev().take_while(is_part).count();
        let (before, number) = text.split_at(text.len() - length);
        let digits = number.iter().rev().take_while(|byte| byte.is_ascii_digit());
        length <= MEASURE
            && (1..=3).contains(&digits.count())
            && number != b"0"
            && before.last().is_some_and(|byte| b" '".contains(byte))
    }

    /// Whether a quote at the end of its line is a stray one: alone on the line, or after a value, and no string begins there.
    pub(super) fn is_stray_quote(&self) -> bool {
        let end = self.ahead.nonblank(self.at + 1);
        if !matches!(self.text.get(end), None | Some(b'\n' | b'\r')) {
            return false;
        }
        let is_alone = self.text[self.line..self.at].trim_ascii().is_empty();
        match (self.previous, self.text[end..].trim_ascii_start().first()) {
            (Previous::Value, next) => is_alone || next.is_none_or(|next| b"\"}],".contains(next)),
            (_, next) => is_alone && matches!(next, Some(b'"' | b'}' | b']')),
        }
    }
}

/// The length, in bytes, of a typographic quote.
const SMART: usize = "”".len();

/// The maximum distance, in bytes, between two typographic quotes that are a pair.
const REACH: usize = 1024;

/// The maximum length, in bytes, of separators and brackets between two strings.
const GAP: usize = 64;

/// The maximum length of a number of inches, in bytes.
const MEASURE: usize = 5;
