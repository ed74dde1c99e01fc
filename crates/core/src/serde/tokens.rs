//! Verified tokens on demand: the text is checked a few KiB at a time, just before its tokens are needed.
//!
//! The reader only needs the marks: the offsets of brackets, of both quotes of each string, and of the first bytes of numbers and
//! literals, and the bytes there. Commas and colons have been verified and carry no further information.

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
use crate::window::{Options, Validator};

/// A token: its first byte, 0 at the end of the text, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: u8,
    pub(super) at: usize,
}

/// The tokens of a text in memory, in order.
pub(super) struct Tokens<'de> {
    text: &'de [u8],
    /// A prefix of the text that is known to be UTF-8: at least up to the last string in the current chunk.
    known: &'de str,
    parts: Parts,
}

/// The state without the text, for a text that moves.
#[derive(Debug)]
pub(super) struct Parts {
    /// The marks of the current chunk. Strings are never split: both quotes are in it, or none.
    marks: Marks,
    /// The first mark that has not been consumed.
    next: usize,
    /// No string that has not been consumed and ends before this offset has escapes.
    escaped: u64,
    rest: Box<Rest>,
}

/// The fields that are not needed for each token.
#[derive(Debug)]
struct Rest {
    validator: Validator,
    /// Number of bytes passed to the validator.
    checked: usize,
    state: CheckState,
    /// The opening quote of a string that continues after the checked text.
    open: Option<u64>,
    /// Index of the next string with escapes.
    next_escaped: usize,
    /// The last mark of the previous chunk.
    last: u64,
    /// Buffer for decoded strings.
    scratch: Vec<u8>,
    /// The offset of the text in another one.
    origin: u64,
    /// The text without comments, if it may have them: what the validator gets.
    blanked: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug)]
enum CheckState {
    Checking,
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
                scratch: Vec::new(),
                origin: 0,
                blanked: None,
            }),
        }
    }

    fn begin(&mut self, options: Options) {
        self.marks.clear();
        self.marks.escaped.clear();
        self.next = 0;
        self.escaped = u64::MAX;
        let rest = &mut *self.rest;
        rest.validator.restart(&options);
        rest.checked = 0;
        rest.state = CheckState::Checking;
        rest.open = None;
        rest.next_escaped = 0;
        rest.last = 0;
        rest.origin = 0;
        rest.blanked = None;
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(mut self) {
        /// Longer buffers are not retained.
        const LONGEST: usize = 1 << 20;
        if self.rest.scratch.capacity() > LONGEST {
            self.rest.scratch = Vec::new();
        }
        SPARE.set(Some(self));
    }

    /// The closing quote of the next string with escapes at or after `end`.
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

    /// The tokens of a text that is known to be UTF-8.
    pub(super) fn of_str(text: &'de str, options: Options) -> Self {
        Tokens::resume(text.as_bytes(), Parts::new(options), text)
    }

    /// The tokens of a text that was read before up to the position of `parts`. `known` is a prefix of the text.
    pub(super) fn resume(text: &'de [u8], parts: Parts, known: &'de str) -> Self {
        Tokens { text, known, parts }
    }

    /// The tokens of a valid value that begins at `start` in another text.
    pub(super) fn of_value(text: &'de [u8], start: u64, dialect: Dialect) -> Result<Self, Error> {
        let mut tokens = Tokens::new(text, Options::default());
        let rest = &mut *tokens.parts.rest;
        rest.origin = start;
        if dialect.allows_comments() {
            let mut blanked = text.to_vec();
            blank(&mut blanked, dialect)?;
            rest.blanked = Some(blanked);
        }
        Ok(tokens)
    }

    /// The text of a consumed value without comments; `None` if it is not UTF-8.
    pub(super) fn without_comments(&self, start: usize, end: usize) -> Option<Cow<'de, str>> {
        // A number or literal may continue after the checked text.
        let decoded = || str::from_utf8(self.text.get(start..end)?).ok();
        let text = self.str(start, end).or_else(decoded)?;
        let blanked = self.parts.rest.blanked.as_ref();
        match blanked.and_then(|blanked| blanked.get(start..end)) {
            Some(plain) if plain != text.as_bytes() => {
                let plain = str::from_utf8(plain).ok()?;
                Some(Cow::Owned(plain.to_owned()))
            }
            _ => Some(Cow::Borrowed(text)),
        }
    }

    /// The offset in the enclosing text, if this one is part of another.
    pub(super) fn absolute(&self, offset: usize) -> u64 {
        self.parts.rest.origin + offset as u64
    }

    /// The remaining state, without the text.
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
        Ok(self.buffered())
    }

    /// The next token; its kind is 0 if it is not in the current chunk.
    #[inline(always)]
    pub(super) fn buffered(&self) -> Token {
        Token {
            kind: self.kind(),
            at: self.offset(),
        }
    }

    /// The offset of the mark consumed `count` marks ago, in the current chunk.
    #[cold]
    pub(super) fn before(&self, count: usize) -> usize {
        self.parts.marks.offset(self.parts.next.wrapping_sub(count)) as usize
    }

    /// The offset of the last consumed token, if it was a string.
    #[cold]
    pub(super) fn last_string(&self) -> Option<usize> {
        let open = self.parts.next.checked_sub(2)?;
        (self.parts.marks.kind(open) == b'"').then(|| self.before(2))
    }

    /// The first byte of the next token; 0 if it is not in the current chunk.
    #[inline(always)]
    fn kind(&self) -> u8 {
        self.parts.marks.kind(self.parts.next)
    }

    /// The offset of the next token, which must have been peeked; at the end, the length of the text.
    #[inline(always)]
    pub(super) fn offset(&self) -> usize {
        self.parts.marks.offset(self.parts.next) as usize
    }

    /// Consumes marks of the current chunk.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) {
        self.parts.next += count;
    }

    /// The text from a token on, long enough for most numbers; `None` near the end.
    #[inline(always)]
    pub(super) fn front(&self, token: Token) -> Option<&'de [u8; FRONT]> {
        self.text.get(token.at..)?.first_chunk()
    }

    /// The text from a token near the end on, followed by spaces.
    pub(super) fn padded_front(&self, token: Token) -> [u8; FRONT] {
        let mut front = [b' '; FRONT];
        let rest = self.text.get(token.at..).unwrap_or_default();
        front
            .iter_mut()
            .zip(rest)
            .for_each(|(to, byte)| *to = *byte);
        front
    }

    /// Consumes the next token, a peeked string, and returns the end of its contents.
    #[inline(always)]
    pub(super) fn string(&mut self) -> usize {
        let close = self.parts.marks.offset(self.parts.next + 1);
        self.skip(2);
        close as usize
    }

    /// Fast path: consumes the next token, if it is a string without escapes in checked UTF-8. Not generic, and returns in
    /// registers.
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

    /// Fast path: the text of a string with contents at this span, if it has no escapes and is known to be UTF-8.
    #[inline(always)]
    pub(super) fn plain_text(&self, start: usize, end: usize) -> Option<&'de str> {
        if end as u64 >= self.parts.escaped {
            None
        } else {
            self.str(start, end)
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

    /// The end of the number or literal at `start`.
    fn scalar_end(&self, start: usize) -> usize {
        let text = self.text.get(start..).unwrap_or_default().iter();
        // In a stream the next value may follow without white space, in other dialects a comment.
        let length = text
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'));
        start + length.count()
    }

    /// Whether the string that ends at `end` has an escape.
    #[inline]
    pub(super) fn has_escape(&mut self, end: usize) -> bool {
        end as u64 >= self.parts.escaped && self.parts.next_escaped(end) == end as u64
    }

    /// The buffer for strings with escapes.
    #[inline]
    pub(super) fn scratch(&mut self) -> &mut Vec<u8> {
        &mut self.parts.rest.scratch
    }

    /// The text between two ASCII bytes of the consumed text.
    #[inline(always)]
    pub(super) fn str(&self, start: usize, end: usize) -> Option<&'de str> {
        self.known.get(start..end)
    }

    /// The end of the last consumed token.
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

    /// The bytes at the remaining marks of the current chunk.
    pub(super) fn kinds(&self) -> &[u8] {
        let kinds = self.parts.marks.kinds().get(self.parts.next..);
        kinds.unwrap_or_default()
    }

    /// Consumes any value, and returns its text. Uses no stack per level.
    pub(super) fn value(&mut self) -> Result<&'de [u8], Error> {
        let start = self.peek()?.at;
        self.skip_value()?;
        Ok(self.text.get(start..self.consumed()).unwrap_or_default())
    }

    /// Consumes any value.
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
