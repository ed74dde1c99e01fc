//! Verified tokens on demand: the text is checked a few KiB at a time, just before its tokens are needed.
//!
//! What is needed of them is a list of offsets, the marks: of brackets, of both quotes of each string, and of the first
//! bytes of numbers and literals. Commas and colons have been verified, and say nothing more.

use core::cell::Cell;

use crate::error::Error;
use crate::kernel::{Kernel, to_str};
use crate::syntax::SyntaxError;
use crate::window::{Marks, Options, STEP, Validator};

/// Bytes that are made a `str` at a time, from a string that is needed on: at first, and at most.
const TEXT: (usize, usize) = (512, 4 << 10);

/// Marks that are always known: two of a key, and the first one of its value.
const AHEAD: usize = 3;

/// A token: its first byte, 0 at the end of the text, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: u8,
    pub(super) at: usize,
}

/// The tokens of a text in memory, in order.
pub(super) struct Tokens<'de> {
    text: &'de [u8],
    known: Known<'de>,
    parts: Parts,
}

/// A part of the text that is known to be UTF-8, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'de> {
    text: &'de str,
    from: usize,
    /// Bytes of the next part that is made known.
    part: usize,
}

impl Default for Known<'_> {
    fn default() -> Self {
        Known {
            text: "",
            from: 0,
            part: TEXT.0,
        }
    }
}

/// All but the text, for a text that moves.
#[derive(Debug)]
pub(super) struct Parts {
    /// The marks that are known, of which those from `next` on are not yet consumed: at least [`AHEAD`], or all that there
    /// are and as many ends.
    marks: Vec<u64>,
    /// Of 32 bits, so that the compiler knows that the next number is greater.
    next: u32,
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
    state: State,
    /// The closing quotes of strings with escapes, of which those before `next_escaped` have been consumed.
    escaped: Vec<u64>,
    next_escaped: usize,
    /// The mark that was consumed before those at hand.
    last: u64,
    /// Strings with escapes are decoded here.
    scratch: Vec<u8>,
    /// Those of a reader that is not in use.
    marks: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Checking,
    Complete,
    Failed(SyntaxError),
}

thread_local! {
    /// The buffers of the last reader, so that reading a small text allocates nothing.
    static SPARE: Cell<Option<Box<Rest>>> = const { Cell::new(None) };
}

impl Parts {
    pub(super) fn new(options: Options) -> Parts {
        let mut rest = match SPARE.take() {
            Some(mut rest) => {
                rest.validator.begin(options);
                rest
            }
            None => Box::new(Rest {
                validator: Validator::new(options),
                checked: 0,
                state: State::Checking,
                escaped: Vec::new(),
                next_escaped: 0,
                last: 0,
                scratch: Vec::new(),
                marks: Vec::new(),
            }),
        };
        rest.checked = 0;
        rest.state = State::Checking;
        rest.escaped.clear();
        rest.next_escaped = 0;
        rest.last = 0;
        let mut marks = core::mem::take(&mut rest.marks);
        marks.clear();
        Parts {
            marks,
            next: 0,
            escaped: u64::MAX,
            rest,
        }
    }

    /// Of a text whose marks have been verified. They count from `start` of another text.
    fn verified(verified: &[u64], escaped: &[u64], start: u64, length: usize) -> Parts {
        let mut parts = Parts::new(Options::default());
        parts.rest.state = State::Complete;
        parts.marks.extend(verified.iter().map(|mark| mark - start));
        let escaped = escaped.iter().map(|mark| mark - start);
        parts.rest.escaped.extend(escaped);
        parts.escaped = parts.rest.escaped.first().copied().unwrap_or(u64::MAX);
        ends(&mut parts.marks, length);
        parts
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(mut self) {
        /// Longer buffers are not retained.
        const LONGEST: usize = 1 << 20;
        self.rest.marks = self.marks;
        if self.rest.scratch.capacity() < LONGEST && self.rest.marks.capacity() < LONGEST {
            SPARE.set(Some(self.rest));
        }
    }

    /// Checks more of the text until enough marks are known.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, text: &[u8]) -> Result<(), SyntaxError> {
        let rest = &mut *self.rest;
        let consumed = (self.next as usize).min(self.marks.len());
        if let Some(&last) = self.marks[..consumed].last() {
            rest.last = last;
        }
        self.marks.drain(..consumed);
        self.next = 0;
        let left = self.marks.first().copied().unwrap_or(u64::MAX);
        let done = rest.escaped.partition_point(|&at| at < left);
        rest.escaped.drain(..done);
        rest.next_escaped = 0;
        let mut marks = Marks {
            all: core::mem::take(&mut self.marks),
            escaped: core::mem::take(&mut rest.escaped),
        };
        let filled = rest.fill(text, &mut marks);
        self.marks = marks.all;
        rest.escaped = marks.escaped;
        self.escaped = rest.escaped.first().copied().unwrap_or(u64::MAX);
        filled
    }

    /// The closing quote of the next string with escapes, if that is not before `end`.
    #[cold]
    fn next_escaped(&mut self, end: usize) -> u64 {
        let rest = &mut *self.rest;
        let left = rest.escaped.get(rest.next_escaped..).unwrap_or_default();
        rest.next_escaped += left.iter().take_while(|&&at| at < end as u64).count();
        let next = rest.escaped.get(rest.next_escaped);
        self.escaped = next.copied().unwrap_or(u64::MAX);
        self.escaped
    }
}

impl Rest {
    /// Checks more of the text until enough marks are known.
    fn fill(&mut self, text: &[u8], marks: &mut Marks) -> Result<(), SyntaxError> {
        while marks.all.len() < AHEAD {
            match self.state {
                State::Checking => {}
                State::Complete => {
                    ends(&mut marks.all, text.len());
                    break;
                }
                State::Failed(error) => return Err(error),
            }
            let unchecked = &text[self.checked..];
            let chunk = &unchecked[..unchecked.len().min(STEP)];
            self.checked += chunk.len();
            if let Err(error) = self.validator.values(chunk, marks) {
                self.state = State::Failed(error);
                return Err(error);
            }
            if chunk.len() < STEP {
                self.state = State::Complete;
                ends(&mut marks.all, text.len());
            }
        }
        Ok(())
    }
}

/// After the last mark, so that as many are always known.
fn ends(marks: &mut Vec<u64>, length: usize) {
    marks.extend([length as u64; AHEAD]);
}

impl<'de> Tokens<'de> {
    pub(super) fn new(text: &'de [u8], options: Options) -> Self {
        Tokens::resume(text, Parts::new(options), Known::default())
    }

    /// Of a text that is known to be UTF-8.
    pub(super) fn of_str(text: &'de str, options: Options) -> Self {
        let known = Known {
            text,
            ..Known::default()
        };
        Tokens::resume(text.as_bytes(), Parts::new(options), known)
    }

    /// Of a text that was read before as far as `parts` have it.
    pub(super) fn resume(text: &'de [u8], parts: Parts, known: Known<'de>) -> Self {
        Tokens { text, known, parts }
    }

    /// Of a text whose marks have been verified. They count from `start` of another text.
    pub(super) fn verified(text: &'de [u8], marks: &[u64], escaped: &[u64], start: u64) -> Self {
        let parts = Parts::verified(marks, escaped, start, text.len());
        Tokens::resume(text, parts, Known::default())
    }

    /// What is left, without the text.
    pub(super) fn into_parts(self) -> (Parts, Known<'de>) {
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
        let token = self.at_hand();
        match token.kind {
            0 => self.further(),
            _ => Ok(token),
        }
    }

    /// The next token, or one whose kind is 0, if it is not at hand.
    #[inline(always)]
    fn at_hand(&self) -> Token {
        let (at, _) = self.known_ahead().unwrap_or((usize::MAX, 0));
        self.token(at)
    }

    #[inline(always)]
    fn token(&self, at: usize) -> Token {
        Token {
            kind: self.text.get(at).copied().unwrap_or(0),
            at,
        }
    }

    /// The next two marks.
    #[inline(always)]
    fn known_ahead(&self) -> Option<(usize, usize)> {
        let next = self.parts.next as usize;
        // The greatest one first: then the others take no test.
        let marks = &self.parts.marks;
        marks.get(next + AHEAD - 1)?;
        let (first, second) = (*marks.get(next)?, *marks.get(next + 1)?);
        Some((first as usize, second as usize))
    }

    #[cold]
    #[inline(never)]
    fn further(&mut self) -> Result<Token, Error> {
        if self.known_ahead().is_none() {
            self.parts.refill(self.text)?;
        }
        Ok(self.at_hand())
    }

    /// The offset of the next token, which is known after a key; at the end, the length of the text.
    #[inline(always)]
    pub(super) fn offset(&self) -> usize {
        let next = self.parts.marks.get(self.parts.next as usize);
        next.map_or(self.text.len(), |&at| at as usize)
    }

    /// Consumes marks that are known.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.parts.next += count;
    }

    /// The text from a token on.
    #[inline(always)]
    pub(super) fn text_from(&self, token: Token) -> &'de [u8] {
        self.text.get(token.at..).unwrap_or_default()
    }

    /// Consumes the next token, a string that was peeked, and returns where its contents end.
    #[inline(always)]
    pub(super) fn string(&mut self) -> usize {
        let close = self.parts.marks.get(self.parts.next as usize + 1);
        let close = close.map_or(self.text.len(), |&close| close as usize);
        self.skip(2);
        close
    }

    /// Consumes the next token, if it is a string that takes no more work than this; returns its offset as well.
    #[inline(always)]
    pub(super) fn plain_string(&mut self) -> Option<(usize, &'de str)> {
        let (open, close) = self.known_ahead()?;
        if self.token(open).kind != b'"' {
            return None;
        }
        let text = self.plain_text(open + 1, close)?;
        self.skip(2);
        Some((open, text))
    }

    /// The text of a string whose contents begin and end here, if that takes no more work than this.
    #[inline(always)]
    pub(super) fn plain_text(&self, start: usize, end: usize) -> Option<&'de str> {
        let Known { text, from, .. } = self.known;
        match end as u64 >= self.parts.escaped {
            true => None,
            false => text.get(start.wrapping_sub(from)..end.wrapping_sub(from)),
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
        let length = text.take_while(|byte| !b" \t\n\r,:]}".contains(byte));
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

    /// Text between two ASCII bytes as a `str`. It has been verified, so that there is one.
    #[inline]
    pub(super) fn str(&mut self, start: usize, end: usize) -> Option<&'de str> {
        let Known { text, from, .. } = self.known;
        match text.get(start.wrapping_sub(from)..end.wrapping_sub(from)) {
            Some(text) => Some(text),
            None => self.further_str(start, end),
        }
    }

    #[cold]
    #[inline(never)]
    fn further_str(&mut self, start: usize, end: usize) -> Option<&'de str> {
        let text = self.text;
        let mut upto = text.len().min(end.max(start + self.known.part));
        self.known.part = (2 * self.known.part).min(TEXT.1);
        while upto > end && text.get(upto).is_some_and(|byte| byte & 0xC0 == 0x80) {
            upto -= 1;
        }
        let kernel = Kernel::for_text(upto - start);
        match to_str(kernel, text.get(start..upto)?) {
            Some(known) => {
                self.known.text = known;
                self.known.from = start;
                known.get(..end - start)
            }
            // What follows has not been verified.
            None => str::from_utf8(text.get(start..end)?).ok(),
        }
    }

    /// Where the token that was consumed last ends.
    pub(super) fn consumed(&self) -> usize {
        let Parts {
            marks, next, rest, ..
        } = &self.parts;
        let last = marks.get(..*next as usize).and_then(<[u64]>::last);
        let last = *last.unwrap_or(&rest.last) as usize;
        match self.text.get(last) {
            Some(b'"' | b'}' | b']') => last + 1,
            _ => self.scalar_end(last),
        }
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
        let mut depth = 0u64;
        loop {
            let next = self.parts.next as usize;
            let known = self.parts.marks.get(next..).unwrap_or_default();
            for (index, &mark) in known.iter().enumerate() {
                // Braces and brackets differ in one bit.
                match self.token(mark as usize).kind | 0x20 {
                    b'{' => depth += 1,
                    b'}' => {
                        depth -= 1;
                        if depth == 0 {
                            self.parts.next += index as u32 + 1;
                            return Ok(());
                        }
                    }
                    _ => {}
                }
            }
            self.parts.next = self.parts.marks.len() as u32;
            if matches!(self.parts.rest.state, State::Complete) {
                return Ok(());
            }
            self.parts.refill(self.text)?;
        }
    }

    /// How many elements of the array that was entered are at hand, so far as a few of its marks tell: room for as many is
    /// made at first. 0 where it is not worth the effort.
    #[inline(never)]
    pub(super) fn elements_at_hand(&self) -> usize {
        /// Marks of the first element that are looked at.
        const FIRST: usize = 16;
        /// Elements that are counted.
        const MOST: usize = 128;
        /// Room for as many is made with the first one anyway.
        const FEW: usize = 4;
        let next = self.parts.next as usize;
        let marks = self.parts.marks.get(next..).unwrap_or_default();
        let kind = |index: usize| {
            marks
                .get(index)
                .map_or(0, |&at| self.token(at as usize).kind)
        };
        let first = kind(0);
        let stride = match first {
            b']' | 0 => return 0,
            b'"' => 2,
            b'{' | b'[' => {
                let (mut depth, mut index) = (0, 0);
                loop {
                    match kind(index) | 0x20 {
                        b'{' => depth += 1,
                        b'}' => depth -= 1,
                        _ => {}
                    }
                    index += 1;
                    match depth {
                        0 => break index,
                        _ if index == FIRST => return 0,
                        _ => {}
                    }
                }
            }
            _ => 1,
        };
        // Elements that are not like the first one end the count, or are counted wrong.
        let is_like_first = |index| kind(index) == first || stride == 1 && is_scalar(kind(index));
        if !is_like_first(FEW * stride) {
            return 0;
        }
        let like_first = (0..MOST).take_while(|&count| is_like_first(count * stride));
        like_first.count()
    }
}

/// Whether this is the first byte of a number or literal.
fn is_scalar(kind: u8) -> bool {
    !matches!(kind, b'"' | b'[' | b']' | b'{' | b'}' | 0)
}
