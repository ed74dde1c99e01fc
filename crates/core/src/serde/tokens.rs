//! Verified tokens on demand: the text is checked a few KiB at a time, just before its tokens are needed.

use core::cell::Cell;
use core::convert::Infallible;

use crate::error::Error;
use crate::kernel::{Kernel, to_str};
use crate::string::has_backslash;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::{Chunk, Interest, Mode, Sink, Stop, trim_end};
use crate::window::{Options, Validator};

/// Bytes that are checked at a time: a chunk of the engine, so that text and tokens stay in the L1 cache.
const STEP: usize = 8 << 10;

/// Bytes that are made a `str` at a time, from a string that is needed on: at first, and at most.
const TEXT: (usize, usize) = (512, 4 << 10);

/// Tokens that are always known: a comma, a key, its colon and the value.
pub(super) const AHEAD: usize = 4;

/// A token: its kind in the lowest byte, 0 at the end of the text, and its offset in the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token(u64);

const OFFSET_SHIFT: u32 = 8;

impl Token {
    #[inline(always)]
    pub(super) fn new(kind: u8, offset: u64) -> Token {
        Token(offset << OFFSET_SHIFT | u64::from(kind))
    }

    /// Its first byte.
    #[inline(always)]
    pub(super) fn kind(self) -> u8 {
        self.0 as u8
    }

    /// Where it begins; at the end, the length of the text.
    #[inline(always)]
    pub(super) fn offset(self) -> usize {
        (self.0 >> OFFSET_SHIFT) as usize
    }
}

/// The tokens of a text in memory, in order.
pub(super) struct Tokens<'de> {
    text: &'de [u8],
    /// A part of the text that is known to be UTF-8, and its offset.
    known: &'de str,
    known_from: usize,
    /// Bytes of the next part that is made known.
    part: usize,
    parts: Parts,
}

/// All but the text, for a text that moves.
#[derive(Debug)]
pub(super) struct Parts {
    /// The tokens that are known, of which those from `next` on are not yet consumed: at least [`AHEAD`], or all that there
    /// are and as many ends.
    tokens: Vec<Token>,
    next: usize,
    /// The tokens at hand may have escapes.
    escapes: bool,
    rest: Box<Rest>,
}

/// What is not needed for each token.
#[derive(Debug)]
struct Rest {
    validator: Validator,
    /// Bytes that were handed to the validator.
    checked: usize,
    state: State,
    /// The chunks of the last time may have escapes.
    escapes: bool,
    /// Strings with escapes are decoded here.
    scratch: Vec<u8>,
    /// Those of a reader that is not in use.
    tokens: Vec<Token>,
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

/// Tokens of a chunk on their way into a vector.
struct Known<'a> {
    tokens: &'a mut Vec<Token>,
    escapes: bool,
    out_of_memory: bool,
}

impl Sink for Known<'_> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.escapes |= chunk.contents.escapes;
        if self.tokens.try_reserve(chunk.kinds.len() + AHEAD).is_err() {
            self.out_of_memory = true;
            return Ok(());
        }
        let tokens = chunk.kinds.iter().zip(chunk.offsets);
        let tokens =
            tokens.map(|(&kind, &offset)| Token::new(kind, chunk.offset + u64::from(offset)));
        self.tokens.extend(tokens);
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
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
                escapes: false,
                scratch: Vec::new(),
                tokens: Vec::new(),
            }),
        };
        rest.checked = 0;
        rest.state = State::Checking;
        rest.escapes = false;
        let mut tokens = core::mem::take(&mut rest.tokens);
        tokens.clear();
        Parts {
            tokens,
            next: 0,
            escapes: false,
            rest,
        }
    }

    /// Of a text whose tokens have been verified. Their offsets count from `start` of another text.
    fn verified(verified: &[Token], start: u64, length: usize) -> Parts {
        let mut parts = Parts::new(Options::default());
        parts.rest.state = State::Complete;
        parts.escapes = true;
        let moved = verified
            .iter()
            .map(|token| Token(token.0 - (start << OFFSET_SHIFT)));
        parts.tokens.extend(moved);
        ends(&mut parts.tokens, length);
        parts
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(mut self) {
        /// Longer buffers are not retained.
        const LONGEST: usize = 1 << 20;
        self.rest.tokens = self.tokens;
        if self.rest.scratch.capacity() < LONGEST {
            SPARE.set(Some(self.rest));
        }
    }

    /// Checks more of the text until enough tokens are known.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, text: &[u8]) -> Result<(), SyntaxError> {
        let rest = &mut *self.rest;
        let consumed = self.next.min(self.tokens.len());
        self.tokens.drain(..consumed);
        self.next = 0;
        // Tokens of the last time are left.
        self.escapes = core::mem::take(&mut rest.escapes);
        while self.tokens.len() < AHEAD {
            match rest.state {
                State::Checking => {}
                State::Complete => {
                    ends(&mut self.tokens, text.len());
                    break;
                }
                State::Failed(error) => return Err(error),
            }
            let unchecked = &text[rest.checked..];
            let mut known = Known {
                tokens: &mut self.tokens,
                escapes: false,
                out_of_memory: false,
            };
            let checked = match unchecked.len() > STEP {
                true => {
                    rest.checked += STEP;
                    rest.validator.write(&unchecked[..STEP], &mut known)
                }
                false => {
                    rest.checked = text.len();
                    rest.state = State::Complete;
                    rest.validator.complete(unchecked, &mut known)
                }
            };
            rest.escapes |= known.escapes;
            self.escapes |= known.escapes;
            let error = match checked {
                Ok(()) if known.out_of_memory => SyntaxError {
                    kind: ErrorKind::OutOfMemory,
                    offset: rest.checked as u64,
                },
                Ok(()) => {
                    if matches!(rest.state, State::Complete) {
                        ends(&mut self.tokens, text.len());
                    }
                    continue;
                }
                Err(Stop::Invalid(error)) => error,
                Err(Stop::Sink(never)) => match never {},
            };
            rest.state = State::Failed(error);
            return Err(error);
        }
        Ok(())
    }
}

/// After the last token, so that as many are always known.
fn ends(tokens: &mut Vec<Token>, length: usize) {
    let end = Token::new(0, length as u64);
    tokens.extend([end; AHEAD]);
}

impl<'de> Tokens<'de> {
    pub(super) fn new(text: &'de [u8], options: Options) -> Self {
        Tokens {
            text,
            known: "",
            known_from: 0,
            part: TEXT.0,
            parts: Parts::new(options),
        }
    }

    /// Of a text that is known to be UTF-8.
    pub(super) fn of_str(text: &'de str, options: Options) -> Self {
        Tokens {
            known: text,
            ..Tokens::new(text.as_bytes(), options)
        }
    }

    /// Of a text that was read before as far as `parts` have it. About `length` bytes more are to be read.
    pub(super) fn resume(text: &'de [u8], parts: Parts, length: usize) -> Self {
        Tokens {
            text,
            known: "",
            known_from: 0,
            part: length.min(TEXT.1),
            parts,
        }
    }

    /// Of a text whose tokens have been verified. Their offsets count from `start` of another text.
    pub(super) fn verified(text: &'de [u8], tokens: &[Token], start: u64) -> Self {
        let parts = Parts::verified(tokens, start, text.len());
        Tokens::resume(text, parts, text.len())
    }

    /// What is left, without the text.
    pub(super) fn into_parts(self) -> Parts {
        self.parts
    }

    pub(super) fn text(&self) -> &'de [u8] {
        self.text
    }

    /// Leaves the buffers to the next reader.
    pub(super) fn retire(self) {
        self.parts.retire();
    }

    /// The next token, the one after it and the one after that. Their kinds are 0 at the end of the text.
    ///
    /// Not an array: one that is returned is copied by way of memory, which took a tenth of the time of a number.
    #[inline(always)]
    pub(super) fn ahead(&mut self) -> Result<(Token, Token, Token), Error> {
        match self.known_ahead() {
            Some(&[first, second, third, _]) => Ok((first, second, third)),
            None => self
                .further()
                .map(|[first, second, third, _]| (first, second, third)),
        }
    }

    /// The next token; its kind is 0 at the end of the text.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<Token, Error> {
        match self.known_ahead() {
            Some(&[first, ..]) => Ok(first),
            None => self.further().map(|[first, ..]| first),
        }
    }

    #[inline(always)]
    fn known_ahead(&self) -> Option<&[Token; AHEAD]> {
        self.parts.tokens.get(self.parts.next..)?.first_chunk()
    }

    #[cold]
    #[inline(never)]
    fn further(&mut self) -> Result<[Token; AHEAD], Error> {
        self.parts.refill(self.text)?;
        let end = SyntaxError {
            kind: ErrorKind::UnexpectedEnd,
            offset: self.text.len() as u64,
        };
        // An error is boxed: it is made only where there is one.
        self.known_ahead().copied().ok_or_else(|| end.into())
    }

    /// The offset of the next token, which is known; at the end, the length of the text.
    #[inline(always)]
    pub(super) fn offset(&self) -> usize {
        let next = self.parts.tokens.get(self.parts.next);
        next.map_or(self.text.len(), |token| token.offset())
    }

    /// Consumes tokens that are known.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) {
        self.parts.next += count;
    }

    /// The text from a token on.
    #[inline(always)]
    pub(super) fn text_from(&self, token: Token) -> &'de [u8] {
        self.text.get(token.offset()..).unwrap_or_default()
    }

    /// Consumes the next token, a number or literal, and returns its text.
    pub(super) fn scalar(&mut self) -> Result<&'de [u8], Error> {
        let (first, second, _) = self.ahead()?;
        self.skip(1);
        let text = self.text.get(first.offset()..second.offset());
        Ok(trim_end(text.unwrap_or_default()))
    }

    /// Where the contents of a string begin and end, of which this is the token and the one after it.
    #[inline(always)]
    pub(super) fn contents(&self, string: Token, next: Token) -> (usize, usize) {
        let start = string.offset() + 1;
        let mut end = next.offset().saturating_sub(1);
        // Back to the closing quote, over white space.
        while end > start && self.text.get(end) != Some(&b'"') {
            end -= 1;
        }
        (start, end.max(start))
    }

    /// Whether a text at hand has an escape.
    #[inline(always)]
    pub(super) fn has_escape(&self, start: usize, end: usize) -> bool {
        self.parts.escapes && has_backslash(self.text.get(start..end).unwrap_or_default())
    }

    /// The buffer for strings with escapes.
    #[inline]
    pub(super) fn scratch(&mut self) -> &mut Vec<u8> {
        &mut self.parts.rest.scratch
    }

    /// Text between two ASCII bytes as a `str`. It has been verified, so that there is one.
    #[inline(always)]
    pub(super) fn str(&mut self, start: usize, end: usize) -> Option<&'de str> {
        let from = start.wrapping_sub(self.known_from);
        match self.known.get(from..end.wrapping_sub(self.known_from)) {
            Some(text) => Some(text),
            None => self.further_str(start, end),
        }
    }

    #[cold]
    #[inline(never)]
    fn further_str(&mut self, start: usize, end: usize) -> Option<&'de str> {
        let text = self.text;
        let mut upto = text.len().min(end.max(start + self.part));
        self.part = (2 * self.part).min(TEXT.1);
        while upto > end && text.get(upto).is_some_and(|byte| byte & 0xC0 == 0x80) {
            upto -= 1;
        }
        let kernel = Kernel::for_text(upto - start);
        match to_str(kernel, text.get(start..upto)?) {
            Some(known) => {
                self.known = known;
                self.known_from = start;
                known.get(..end - start)
            }
            // What follows has not been verified.
            None => str::from_utf8(text.get(start..end)?).ok(),
        }
    }

    /// Where the last token that was consumed ends.
    pub(super) fn consumed(&mut self) -> Result<usize, Error> {
        let next = self.peek()?;
        Ok(trim_end(&self.text[..next.offset()]).len())
    }

    /// Consumes the next value, whatever it is, and returns its text. Takes no stack, whatever its depth.
    pub(super) fn value(&mut self) -> Result<&'de [u8], Error> {
        let first = self.peek()?;
        let start = first.offset();
        if !matches!(first.kind(), b'{' | b'[') {
            return self.scalar();
        }
        let mut depth = 0u64;
        loop {
            let known = self.parts.tokens.get(self.parts.next..).unwrap_or_default();
            for (index, token) in known.iter().enumerate() {
                // Braces and brackets differ in one bit.
                match token.kind() | 0x20 {
                    b'{' => depth += 1,
                    b'}' => {
                        depth -= 1;
                        if depth == 0 {
                            let end = token.offset() + 1;
                            self.parts.next += index + 1;
                            return Ok(self.text.get(start..end).unwrap_or_default());
                        }
                    }
                    _ => {}
                }
            }
            self.parts.next = self.parts.tokens.len();
            if matches!(self.parts.rest.state, State::Complete) {
                return Ok(self.text.get(start..).unwrap_or_default());
            }
            self.parts.refill(self.text)?;
        }
    }
}
