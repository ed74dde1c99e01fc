//! Lookahead in linear time.
//!
//! Many rules ask for the next quote, line break or quote that looks like a closing one. Answered by a scan at every
//! byte of a long line, that would be quadratic. Each question has the form "the first position at or after `at` where
//! …", so one cached answer serves every question between the position it was computed for and the answer: together
//! they read the text about once.

use super::characters::{self, Quotes};
use std::cell::Cell;

/// A cached answer.
#[derive(Default)]
struct Memo {
    from: Cell<usize>,
    to: Cell<usize>,
    known: Cell<bool>,
}

impl Memo {
    fn get(&self, at: usize, work: &Cell<u64>, find: impl FnOnce() -> usize) -> usize {
        if self.known.get() && self.from.get() <= at && at <= self.to.get() {
            return self.to.get();
        }
        let to = find();
        work.set(work.get() + (to - at) as u64 + 1);
        self.from.set(at);
        self.to.set(to);
        self.known.set(true);
        to
    }
}

/// Maximum number of parentheses that end at one place.
const PARENS: usize = 64;

/// The maximum length of a key, in bytes.
const KEY: usize = 64;

/// The maximum length of a call, in bytes.
const CALL: usize = 4096;

#[derive(Default)]
pub(in super::super) struct Ahead<'a> {
    text: &'a [u8],
    /// The end of the text without trailing white space.
    pub end: usize,
    line_end: Memo,
    quote: Memo,
    any_quote: Memo,
    closing: Memo,
    blank: Memo,
    opener: Memo,
    paren: Memo,
    /// The offset up to which no parenthesis is closed.
    unmatched: Cell<usize>,
    template: Memo,
    member: Memo,
    theirs: Memo,
    conflict_end: Memo,
    comment_end: Memo,
    /// Whether the text has full-width punctuation outside strings.
    full_width: Cell<bool>,
    documents: [Memo; 2],
    foreign: [Memo; 4],
    foreign_closing: [Memo; 4],
    /// The total number of bytes read ahead.
    pub work: Cell<u64>,
}

impl<'a> Ahead<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Ahead {
            text,
            end: text.trim_ascii_end().len(),
            ..Ahead::default()
        }
    }

    fn find(&self, memo: &Memo, at: usize, is: impl Fn(usize) -> bool) -> usize {
        memo.get(at, &self.work, || {
            (at..self.text.len())
                .find(|&i| is(i))
                .unwrap_or(self.text.len())
        })
    }

    /// The first position on this line at or after `at` that satisfies `is`.
    fn on_line(&self, memo: &Memo, at: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
        let line_end = self.line_end(at);
        let found = self.find(memo, at, |i| i >= line_end || is(i));
        (found < line_end).then_some(found)
    }

    /// The line break at or after `at`, or the end of the text.
    pub fn line_end(&self, at: usize) -> usize {
        self.line_end.get(at, &self.work, || {
            memchr::memchr2(b'\n', b'\r', &self.text[at..]).map_or(self.text.len(), |i| at + i)
        })
    }

    /// The first byte at or after `at` that is neither space nor tab.
    pub fn nonblank(&self, at: usize) -> usize {
        self.find(&self.blank, at, |i| !matches!(self.text[i], b' ' | b'\t'))
    }

    /// Whether a closing quote may end at `at`: `,`, a closer, `:`, a comment or the end of the line follows.
    pub fn closes(&self, at: usize) -> bool {
        let next = self.nonblank(at);
        match self.ascii(next) {
            None | Some(b',' | b'}' | b']' | b':' | b'\n' | b'\r') => true,
            Some(b'/') => matches!(self.text.get(next + 1), Some(b'/' | b'*')),
            // A comment of Python, not `"a"#1"`.
            Some(b'#') => next > at || self.text[..at].ends_with(b"'"),
            _ => false,
        }
    }

    /// The byte at `at`; in a text with full-width punctuation, the intended ASCII character.
    pub fn ascii(&self, at: usize) -> Option<u8> {
        let full_width = self
            .full_width
            .get()
            .then(|| characters::ascii(self.text.get(at..)?));
        full_width.flatten().or_else(|| self.text.get(at).copied())
    }

    pub fn expects_full_width(&self) -> bool {
        self.full_width.get()
    }

    /// From now on, full-width punctuation ends strings and words.
    pub fn expect_full_width(&mut self) {
        if !self.full_width.get() {
            // Cached answers may have changed.
            let work = self.work.get();
            *self = Ahead::new(self.text);
            self.work.set(work);
            self.full_width.set(true);
        }
    }

    /// The end of the comment whose content starts at `at`.
    pub fn comment_end(&self, at: usize) -> Option<usize> {
        let found = self.comment_end.get(at, &self.work, || {
            memchr::memmem::find(&self.text[at..], b"*/").map_or(self.text.len(), |i| at + i)
        });
        (found < self.text.len()).then_some(found + 2)
    }

    fn is_escaped(&self, at: usize) -> bool {
        let mut start = at;
        while start > 0 && self.text[start - 1] == b'\\' {
            start -= 1;
        }
        (at - start) % 2 == 1
    }

    /// The next double quote, escaped or not, or the end of the text.
    pub fn any_quote(&self, at: usize) -> usize {
        self.any_quote.get(at, &self.work, || {
            memchr::memchr(b'"', &self.text[at..]).map_or(self.text.len(), |i| at + i)
        })
    }

    /// The next double quote that no backslash escapes, or the end of the text.
    pub fn quote(&self, at: usize) -> usize {
        self.quote.get(at, &self.work, || {
            let mut i = at;
            loop {
                i += memchr::memchr(b'"', &self.text[i..]).unwrap_or(self.text.len() - i);
                if i == self.text.len() || !self.is_escaped(i) {
                    return i;
                }
                i += 1;
            }
        })
    }

    /// The next unescaped double quote on this line that looks like a closing one, if any.
    pub fn closing(&self, at: usize) -> Option<usize> {
        let line_end = self.line_end(at);
        let found = self.closing.get(at, &self.work, || {
            let mut i = at;
            loop {
                i = self.quote(i);
                if i >= line_end {
                    return line_end;
                }
                if self.closes(i + 1) {
                    return i;
                }
                i += 1;
            }
        });
        (found < line_end).then_some(found)
    }

    /// The next quote on this line that looks like a closing one and directly follows a closing bracket: `}` if
    /// `brace`, else `]`.
    pub fn quote_after(&self, brace: bool, at: usize) -> Option<usize> {
        let bracket = if brace { b'}' } else { b']' };
        self.on_line(&self.documents[usize::from(brace)], at, |i| {
            self.text[i - 1..].starts_with(&[bracket, b'"']) && self.closes(i + 1)
        })
    }

    /// The next `{` or `[`, or the end of the text.
    pub fn opener(&self, at: usize) -> usize {
        self.opener.get(at, &self.work, || {
            memchr::memchr2(b'{', b'[', &self.text[at..]).map_or(self.text.len(), |i| at + i)
        })
    }

    /// The next `)` on this line that may end a value.
    pub fn closing_paren(&self, at: usize) -> Option<usize> {
        self.on_line(&self.paren, at, |i| {
            let next = || self.text.get(self.nonblank(i + 1));
            self.text[i] == b')'
                && matches!(next(), None | Some(b',' | b'}' | b']' | b'\n' | b'\r'))
        })
    }

    /// Whether there is a `)` at `at` that may end a value, perhaps with the parentheses around it.
    pub fn closes_parens(&self, mut at: usize) -> bool {
        for count in 0..PARENS {
            match self.text.get(at) {
                Some(b')') => at = self.nonblank(at + 1),
                None | Some(b',' | b'}' | b']' | b'\n' | b'\r') => return count > 0,
                _ => return false,
            }
        }
        false
    }

    /// The `)` that closes the `(` at `at`, if it is near. Strings are skipped.
    pub fn matching_paren(&self, at: usize) -> Option<usize> {
        if at < self.unmatched.get() {
            return None;
        }
        let end = self.text.len().min(at + CALL);
        let mut depth = 0usize;
        let mut i = at;
        while i < end {
            match self.text[i] {
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    self.work.set(self.work.get() + (i - at) as u64);
                    return Some(i);
                }
                b')' => depth -= 1,
                quote @ (b'"' | b'\'') => {
                    i += 1;
                    while i < end && self.text[i] != quote {
                        i += if self.text[i] == b'\\' { 2 } else { 1 };
                    }
                }
                _ => {}
            }
            i += 1;
        }
        self.work.set(self.work.get() + (end - at) as u64);
        self.unmatched.set(end);
        None
    }

    /// The next backtick that no backslash escapes, or the end of the text.
    pub fn backtick(&self, at: usize) -> usize {
        self.find(&self.template, at, |i| {
            self.text[i] == b'`' && !self.is_escaped(i)
        })
    }

    /// The next quote of a foreign family on this line.
    pub fn foreign(&self, quotes: Quotes, at: usize) -> Option<usize> {
        self.on_line(&self.foreign[quotes as usize], at, |i| {
            self.ends_foreign(quotes, i).is_some()
        })
    }

    /// The next quote of this family on this line that looks like a closing one.
    pub fn foreign_closing(&self, quotes: Quotes, at: usize) -> Option<usize> {
        self.on_line(&self.foreign_closing[quotes as usize], at, |i| {
            let length = self.ends_foreign(quotes, i);
            length.is_some_and(|length| self.closes(i + length))
        })
    }

    /// The length of the quote at `at` if it can end a string opened by a quote of this family. `“x"` counts as one.
    pub fn ends_foreign(&self, quotes: Quotes, at: usize) -> Option<usize> {
        let length = match quotes.at(&self.text[at..]) {
            None if quotes == Quotes::Smart && self.text[at] == b'"' => Some(1),
            // `a´
            None if quotes == Quotes::Backtick && self.text[at..].starts_with("´".as_bytes()) => {
                Some("´".len())
            }
            length => length,
        }?;
        (!self.is_escaped(at)).then_some(length)
    }

    /// The next comma on this line that a key in quotes and a colon follow.
    pub fn member(&self, at: usize) -> Option<usize> {
        self.on_line(&self.member, at, |i| {
            self.text[i] == b',' && self.is_key(self.nonblank(i + 1))
        })
    }

    /// Whether a short key in quotes and a colon begin at `at`.
    fn is_key(&self, at: usize) -> bool {
        let rest = &self.text[at..self.text.len().min(at + KEY)];
        let quote = rest.first().filter(|quote| b"'\"".contains(quote));
        let end = quote.and_then(|&quote| memchr::memchr(quote, &rest[1..]));
        end.is_some_and(|end| self.text.get(self.nonblank(at + end + 2)) == Some(&b':'))
    }

    /// The next line that starts the other side of a merge conflict, or the end of the text.
    pub fn theirs(&self, at: usize) -> usize {
        self.marker(&self.theirs, at, b"=|")
    }

    /// The next line that ends a merge conflict, or the end of the text.
    pub fn conflict_end(&self, at: usize) -> usize {
        self.marker(&self.conflict_end, at, b">")
    }

    fn marker(&self, memo: &Memo, at: usize, of: &[u8]) -> usize {
        memo.get(at, &self.work, || {
            let mut i = at;
            while i < self.text.len() {
                if (i == 0 || matches!(self.text[i - 1], b'\n' | b'\r'))
                    && marker(&self.text[i..]).is_some_and(|kind| of.contains(&kind))
                {
                    return i;
                }
                i += memchr::memchr2(b'\n', b'\r', &self.text[i..])
                    .map_or(self.text.len() - i, |n| n + 1);
            }
            self.text.len()
        })
    }
}

/// The character of a merge-conflict marker at the start of a line: seven of the same, then a space or the end of the
/// line.
pub(super) fn marker(line: &[u8]) -> Option<u8> {
    let (seven, rest) = line.split_at_checked(7)?;
    let sign = seven[0];
    (matches!(sign, b'<' | b'|' | b'=' | b'>')
        && seven.iter().all(|&byte| byte == sign)
        && matches!(rest.first(), None | Some(b' ' | b'\n' | b'\r')))
    .then_some(sign)
}
