//! Quotes within prose that are not escaped, in a value that the end of the text or of the line cuts off, or that has inches.
//!
//! ```text
//! {"answer": "He called it a "must-see" film and     quoted_words: a word follows a blank and the quote
//! {"size": "a 65", which is good"}                   end_of_prose: no key follows the comma
//! ```

use super::roles::closes;
use super::string::Quote;
use super::trivia::is_word;
use super::{Container, Lexer};

impl Lexer<'_> {
    /// The end of the quotes in the value of a member that begin with the one at `at`: as in `"a 65", which is good"` and
    /// `"see [1"] more"`, no key follows, and the next quote ends the value; or the text, truncated, has only words after it.
    pub(super) fn end_of_prose(&self, inside: usize, at: usize) -> Option<usize> {
        let container = self.nesting.up(0)?;
        let after = self.ahead.nonblank(at + 1);
        let next = *self.text.get(after)?;
        let is_member = self.in_value_position() && container == Container::Object;
        if !is_member || self.ahead.expects_full_width() {
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
            let ends = closes(self.text, close, false, Some(container)) || self.is_cut_after(close);
            return (is_apart && ends).then_some(close);
        }
        let goes_on = match next {
            // A member may follow: `"x", b`.
            b',' => {
                prose[1..].trim_ascii().contains(&b' ') || self.text[inside..at].contains(&b'"')
            }
            b']' => true,
            byte => after > at + 1 && is_word(byte),
        };
        (line_end == self.text.len() && goes_on).then_some(at + 1)
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
        let is_word_end = !self.text[close - 1].is_ascii_whitespace();
        let is_quotation = is_word_end
            && !self.text[close + 1..]
                .first()
                .is_some_and(|&byte| is_word(byte));
        match is_quotation {
            true => Quote::Inner(close + 1),
            false => Quote::Closing,
        }
    }
}
