//! Verified tokens on demand: the text is checked a few KiB at a time, just before its tokens are needed.
//!
//! What is needed of them are the marks: the offsets of brackets, of both quotes of each string, and of the first bytes of
//! numbers and literals, and the bytes there. Commas and colons have been verified, and say nothing more.

mod refill;

use core::cell::Cell;
use std::borrow::Cow;

use super::marks::Marks;
use crate::error::Error;
use crate::jsonc::{Dialect, blank};
use crate::kernel::Kernel;
use crate::number::FRONT;
use crate::skip::skip_kinds;
use crate::syntax::SyntaxError;
use crate::window::{Options, Validator, validate};

/// A token: its first byte, 0 at the end of the text, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: u8,
    pub(super) at: usize,
}

/// The tokens of a text in memory, in order.
pub(super) struct Tokens<'de> {
    text: &'de [u8],
    /// The first bytes of the text, which are known to be UTF-8: at least those of the strings at hand.
    known: &'de str,
    parts: Parts,
}

/// All but the text, for a text that moves.
#[derive(Debug)]
pub(super) struct Parts {
    /// The marks at hand. A string is never cut: both of its quotes are there, or none.
    marks: Marks,
    /// The first mark that is not yet consumed.
    next: usize,
    /// No string that ends before this has escapes, among those that are not yet consumed.
    escaped: u64,
    rest: Box<Rest>,
}

/// What is not needed for each token.
#[derive(Debug)]
struct Rest {
    validator: Validator,
    /// Bytes that were handed to the validator.
    checked: usize,
    state: CheckState,
    /// The opening quote of a string that does not end in what was checked.
    open: Option<u64>,
    /// Of the strings with escapes among the marks, those before this have been consumed.
    next_escaped: usize,
    /// The mark that was consumed before those at hand.
    last: u64,
    /// Marks that have been verified before, of which those before `next_given` are among the marks, or have been.
    given: Vec<u64>,
    next_given: usize,
    /// Strings with escapes are decoded here.
    scratch: Vec<u8>,
    /// Where the text begins in another one.
    origin: u64,
    /// Whether there may be comments between the marks that are given.
    dialect: Dialect,
}

#[derive(Clone, Copy, Debug)]
enum CheckState {
    Checking,
    /// The marks are given.
    Given,
    Complete,
    Failed(SyntaxError),
}

thread_local! {
    /// The buffers of the last reader, so that reading a small text allocates nothing.
    static SPARE: Cell<Option<Parts>> = const { Cell::new(None) };
}

impl Parts {
    pub(super) fn new(options: Options) -> Parts {
        match SPARE.take() {
            Some(mut parts) => {
                parts.begin(options);
                parts
            }
            None => Parts::allocate(options),
        }
    }

    #[cold]
    fn allocate(options: Options) -> Parts {
        Parts {
            marks: Marks::default(),
            next: 0,
            escaped: u64::MAX,
            rest: Box::new(Rest {
                validator: Validator::new(options),
                checked: 0,
                state: CheckState::Checking,
                open: None,
                next_escaped: 0,
                last: 0,
                given: Vec::new(),
                next_given: 0,
                scratch: Vec::new(),
                origin: 0,
                dialect: Dialect::Json,
            }),
        }
    }

    fn begin(&mut self, options: Options) {
        self.marks.clear();
        self.marks.escaped.clear();
        self.next = 0;
        self.escaped = u64::MAX;
        let rest = &mut *self.rest;
        rest.validator.begin(options);
        rest.checked = 0;
        rest.state = CheckState::Checking;
        rest.open = None;
        rest.next_escaped = 0;
        rest.last = 0;
        rest.origin = 0;
        rest.dialect = Dialect::Json;
    }

    /// Of a text whose marks have been verified. They count from `start` of another text.
    fn verified(verified: &[u64], escaped: &[u64], start: u64) -> Parts {
        let mut parts = Parts::new(Options::default());
        let moved = |mark: &u64| mark - start;
        parts.rest.state = CheckState::Given;
        parts.rest.given.clear();
        parts.rest.given.extend(verified.iter().map(moved));
        parts.rest.next_given = 0;
        parts.rest.origin = start;
        parts.marks.escaped.extend(escaped.iter().map(moved));
        parts.escaped = parts.marks.escaped.first().copied().unwrap_or(u64::MAX);
        parts
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(mut self) {
        /// Longer buffers are not retained.
        const LONGEST: usize = 1 << 20;
        let rest = &mut self.rest;
        if rest.scratch.capacity() > LONGEST || rest.given.capacity() > LONGEST / 8 {
            (rest.scratch, rest.given) = (Vec::new(), Vec::new());
        }
        SPARE.set(Some(self));
    }

    /// The closing quote of the next string with escapes, if that is not before `end`.
    #[cold]
    fn next_escaped(&mut self, end: usize) -> u64 {
        let rest = &mut *self.rest;
        let all = &self.marks.escaped;
        let left = all.get(rest.next_escaped..).unwrap_or_default();
        rest.next_escaped += left.iter().take_while(|&&at| at < end as u64).count();
        self.escaped = all.get(rest.next_escaped).copied().unwrap_or(u64::MAX);
        self.escaped
    }
}

impl<'de> Tokens<'de> {
    pub(super) fn new(text: &'de [u8], options: Options) -> Self {
        Tokens::resume(text, Parts::new(options), "")
    }

    /// Of a text that is known to be UTF-8.
    pub(super) fn of_str(text: &'de str, options: Options) -> Self {
        Tokens::resume(text.as_bytes(), Parts::new(options), text)
    }

    /// Of a text that was read before as far as `parts` have it. What is `known` are its first bytes.
    pub(super) fn resume(text: &'de [u8], parts: Parts, known: &'de str) -> Self {
        Tokens { text, known, parts }
    }

    /// Of a text whose marks have been verified. They count from `start` of another text.
    pub(super) fn verified(text: &'de [u8], marks: &[u64], escaped: &[u64], start: u64) -> Self {
        Tokens::resume(text, Parts::verified(marks, escaped, start), "")
    }

    /// Of a text that may have comments; its marks are given.
    pub(super) fn with_comments(mut self, dialect: Dialect) -> Self {
        self.parts.rest.dialect = dialect;
        self
    }

    /// The text of a value that was consumed, as JSON.
    pub(super) fn without_comments(&self, text: &'de str) -> Result<Cow<'de, str>, Error> {
        let dialect = self.parts.rest.dialect;
        if !dialect.allows_comments() || validate(text.as_bytes()).is_ok() {
            return Ok(Cow::Borrowed(text));
        }
        let mut blanked = text.as_bytes().to_vec();
        blank(&mut blanked, dialect)?;
        String::from_utf8(blanked)
            .map(Cow::Owned)
            .map_err(Error::data)
    }

    /// The offset in the text around this one, if it is part of another.
    pub(super) fn absolute(&self, offset: usize) -> u64 {
        self.parts.rest.origin + offset as u64
    }

    /// What is left, without the text.
    pub(super) fn into_parts(self) -> (Parts, &'de str) {
        (self.parts, self.known)
    }

    pub(super) fn text(&self) -> &'de [u8] {
        self.text
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(self) {
        self.parts.retire();
    }

    /// The next token; its kind is 0 at the end of the text.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<Token, Error> {
        if self.kind() == 0 {
            self.further()?;
        }
        Ok(self.at_hand())
    }

    /// The next token, or one whose kind is 0, if it is not at hand.
    #[inline(always)]
    pub(super) fn at_hand(&self) -> Token {
        Token {
            kind: self.kind(),
            at: self.offset(),
        }
    }

    /// The offset of one of the marks that were consumed last, among those at hand.
    #[cold]
    pub(super) fn before(&self, count: usize) -> usize {
        self.parts.marks.offset(self.parts.next.wrapping_sub(count)) as usize
    }

    /// The offset of the string that was consumed last, if no other token was since.
    #[cold]
    pub(super) fn last_string(&self) -> Option<usize> {
        let open = self.parts.next.checked_sub(2)?;
        (self.parts.marks.kind(open) == b'"').then(|| self.before(2))
    }

    /// The first byte of the next token, 0 if it is not at hand.
    #[inline(always)]
    fn kind(&self) -> u8 {
        self.parts.marks.kind(self.parts.next)
    }

    /// The offset of the next token, which was peeked; at the end, the length of the text.
    #[inline(always)]
    pub(super) fn offset(&self) -> usize {
        self.parts.marks.offset(self.parts.next) as usize
    }

    /// Consumes marks that are at hand.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) {
        self.parts.next += count;
    }

    /// The text from a token on.
    #[inline(always)]
    pub(super) fn text_from(&self, token: Token) -> &'de [u8] {
        self.text.get(token.at..).unwrap_or_default()
    }

    /// The text from a token on, as far as most numbers go; `None` near the end.
    #[inline(always)]
    pub(super) fn front(&self, token: Token) -> Option<&'de [u8; FRONT]> {
        self.text.get(token.at..)?.first_chunk()
    }

    /// Consumes the next token, a string that was peeked, and returns where its contents end.
    #[inline(always)]
    pub(super) fn string(&mut self) -> usize {
        let close = self.parts.marks.offset(self.parts.next + 1);
        self.skip(2);
        close as usize
    }

    /// Consumes the next token, if it is a string that takes no more work than this. No type is compiled into it, and it
    /// returns in registers.
    #[inline(never)]
    pub(super) fn plain_string(&mut self) -> Option<&'de str> {
        if self.kind() != b'"' {
            return None;
        }
        let open = self.offset();
        let close = self.parts.marks.offset(self.parts.next + 1) as usize;
        let text = self.plain_text(open + 1, close)?;
        self.skip(2);
        Some(text)
    }

    /// The text of a string whose contents begin and end here, if that takes no more work than this.
    #[inline(always)]
    pub(super) fn plain_text(&self, start: usize, end: usize) -> Option<&'de str> {
        match end as u64 >= self.parts.escaped {
            true => None,
            false => self.str(start, end),
        }
    }

    /// Consumes the next token, a number or literal, and returns its text.
    pub(super) fn scalar(&mut self) -> Result<&'de [u8], Error> {
        let start = self.peek()?.at;
        self.skip(1);
        Ok(self
            .text
            .get(start..self.scalar_end(start))
            .unwrap_or_default())
    }

    /// Where the number or literal at `start` ends.
    fn scalar_end(&self, start: usize) -> usize {
        let text = self.text.get(start..).unwrap_or_default().iter();
        // In a stream a value may follow without white space, and elsewhere a comment.
        let length = text.take_while(|byte| !b" \t\n\r,:]}\"[{/".contains(byte));
        start + length.count()
    }

    /// Whether a string that ends here has an escape.
    #[inline]
    pub(super) fn has_escape(&mut self, end: usize) -> bool {
        end as u64 >= self.parts.escaped && self.parts.next_escaped(end) == end as u64
    }

    /// The buffer for strings with escapes.
    #[inline]
    pub(super) fn scratch(&mut self) -> &mut Vec<u8> {
        &mut self.parts.rest.scratch
    }

    /// Text between two ASCII bytes of what has been consumed.
    #[inline(always)]
    pub(super) fn str(&self, start: usize, end: usize) -> Option<&'de str> {
        self.known.get(start..end)
    }

    /// Where the token that was consumed last ends.
    pub(super) fn consumed(&self) -> usize {
        let Parts {
            marks, next, rest, ..
        } = &self.parts;
        let last = next.checked_sub(1);
        let last = last.map_or(rest.last, |last| marks.offset(last)) as usize;
        match self.text.get(last) {
            Some(b'"' | b'}' | b']') => last + 1,
            _ => self.scalar_end(last),
        }
    }

    /// The first bytes of the tokens at hand, closing quotes included.
    pub(super) fn kinds(&self) -> &[u8] {
        let kinds = self.parts.marks.kinds().get(self.parts.next..);
        kinds.unwrap_or_default()
    }

    /// Consumes the next value, whatever it is, and returns its text. Takes no stack, whatever its depth.
    pub(super) fn value(&mut self) -> Result<&'de [u8], Error> {
        let start = self.peek()?.at;
        self.skip_value()?;
        Ok(self.text.get(start..self.consumed()).unwrap_or_default())
    }

    /// Consumes the next value, whatever it is.
    #[inline]
    pub(super) fn skip_value(&mut self) -> Result<(), Error> {
        match self.peek()?.kind {
            b'{' | b'[' => self.skip_container(),
            b'"' => {
                self.skip(2);
                Ok(())
            }
            _ => {
                self.skip(1);
                Ok(())
            }
        }
    }

    #[inline(never)]
    fn skip_container(&mut self) -> Result<(), Error> {
        let mut depth = 0;
        loop {
            let marks = &self.parts.marks;
            let kernel = marks.kernel.unwrap_or(Kernel::swar());
            let next;
            (next, depth) = skip_kinds(kernel, marks.kinds(), self.parts.next, depth);
            self.parts.next = next;
            if depth == 0 || matches!(self.parts.rest.state, CheckState::Complete) {
                return Ok(());
            }
            self.refill()?;
        }
    }
}
