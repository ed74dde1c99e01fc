//! Finds the end of words without quotes, as the lexers of JavaScript and Python do.

use super::super::literals;
use super::bare::number_fault;
use super::trivia::is_word;
use super::{Container, Lexer, NumberFault, is_number};

impl Lexer<'_> {
    /// Whether a comment begins at `at`, directly after the word that starts at `start`. `src/*.js` and `a#b` have none.
    pub(super) fn comment_ends(&self, start: usize, at: usize) -> bool {
        let is_scalar = || is_scalar(&self.text[start..at]);
        match self.text[at..] {
            // If the comment would hide the end of the text, it is rather part of the word.
            [b'/', b'/', ..] => self.ahead.line_end(at) < self.ahead.end || is_scalar(),
            [b'/', b'*', ..] => match self.ahead.comment_end(at + 2) {
                Some(end) => self
                    .text
                    .get(end)
                    .is_none_or(|byte| b" \t\r\n,:;={}[]()/#\"'".contains(byte)),
                None => is_scalar(),
            },
            [b'#', ..] => is_scalar(),
            _ => false,
        }
    }

    /// Whether a comment begins here before the quote at `quote`, and thus contains it. `//` in a URL is not a
    /// comment.
    pub(super) fn is_before_comment(&self, quote: usize) -> bool {
        let text = &self.text[self.at..quote];
        memchr::memchr2_iter(b'/', b'#', text).any(|at| {
            let before = at.checked_sub(1).map(|before| text[before]);
            let is_url = before == Some(b':') && text.get(at + 2).copied().is_some_and(is_word);
            match text[at..] {
                [b'/', b'/', ..] => !is_url,
                // `@app/*"` is a key of a tsconfig.json.
                [b'/', b'*', _, ..] => self.ahead.comment_end(self.at + at + 2).is_some(),
                [b'#', ..] => matches!(before, Some(b' ' | b'\t')),
                _ => false,
            }
        })
    }

    /// The end of the text in marks of emphasis, as Markdown has them, that starts at `at`. It may have commas.
    pub(super) fn emphasis_end(&self, at: usize) -> Option<usize> {
        let line = &self.text[at..self.ahead.line_end(at)];
        let mark = line.first().filter(|byte| b"*_~".contains(byte))?;
        let length = line.iter().take_while(|byte| *byte == mark).count();
        let (marks, rest) = line.split_at_checked(length).filter(|_| length <= 3)?;
        // Paths and globs begin with marks too: `~/x`, `**/*.js`, `*.js`.
        if !rest
            .first()
            .is_some_and(|&byte| is_word(byte) || b"\"'(".contains(&byte))
        {
            return None;
        }
        let is_word_at = |at: usize| rest.get(at).copied().is_some_and(is_word);
        // Marks within a word, as in `snake_case`, do not end it. One search for each pair of marks is linear.
        let inside = memchr::memmem::find_iter(rest, marks)
            .find(|&end| !(is_word_at(end - 1) && is_word_at(end + length)))?;
        let end = at + 2 * length + inside;
        let has_key = memchr::memmem::find(&rest[..=inside], b"\":").is_some();
        // Names begin or end with an underscore, too: those of elements and keys are no emphasis.
        let may_be_names = length == 1
            && *mark != b'*'
            && (self.nesting.up(0) == Some(Container::Array)
                || rest[..inside].contains(&b':')
                || self.ahead.ascii(self.ahead.nonblank(end)) == Some(b':'));
        let closes = !rest[inside - 1].is_ascii_whitespace()
            && rest
                .get(inside + length)
                .is_none_or(|next| next != mark && !is_word(*next));
        (closes && !has_key && !may_be_names).then_some(end)
    }
}

/// Whether `text` is a number or a literal, as any language writes them.
pub(in super::super) fn is_scalar(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text.trim_ascii_end()) else {
        return false;
    };
    let is_meant = |fault| !matches!(fault, NumberFault::Calculation | NumberFault::TwoSigns);
    is_number(text.as_bytes())
        || literals::is_literal(text)
        || number_fault(text).is_some_and(is_meant)
}
