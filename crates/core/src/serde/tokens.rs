//! Verified tokens on demand: the text is checked a few KiB at a time, just before its tokens are needed.

use core::convert::Infallible;

use crate::error::{Error, ErrorKind};
use crate::token::{Chunk, Interest, Mode, Sink, Stop, trim_end};
use crate::window::{Options, Validator};

/// Bytes that are checked at a time: a chunk of the engine, so that text and tokens stay in the L1 cache.
const STEP: usize = 8 << 10;

/// The tokens of a text in memory, in order.
pub(super) struct Tokens<'de> {
    text: &'de [u8],
    /// `None` when all of the text was checked.
    validator: Option<Validator>,
    /// Bytes that were handed to the validator.
    checked: usize,
    /// The tokens that are known and not yet consumed, from `next` on.
    known: Known,
    next: usize,
}

#[derive(Default)]
struct Known {
    kinds: Vec<u8>,
    offsets: Vec<usize>,
    /// There was no memory for them.
    out_of_memory: bool,
}

impl Sink for &mut Known {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        let count = chunk.kinds.len();
        if self.kinds.try_reserve(count).is_err() || self.offsets.try_reserve(count).is_err() {
            self.out_of_memory = true;
            return Ok(());
        }
        // The text is in memory, so its offsets fit.
        let start = chunk.offset as usize;
        self.kinds.extend_from_slice(chunk.kinds);
        let offsets = chunk.offsets.iter().map(|&offset| start + offset as usize);
        self.offsets.extend(offsets);
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<'de> Tokens<'de> {
    pub(super) fn new(text: &'de [u8], options: Options) -> Self {
        Tokens {
            text,
            validator: Some(Validator::new(options)),
            checked: 0,
            known: Known::default(),
            next: 0,
        }
    }

    pub(super) fn text(&self) -> &'de [u8] {
        self.text
    }

    /// The kind of the next token; `None` at the end of the text.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Error> {
        match self.known.kinds.get(self.next) {
            Some(&kind) => Ok(Some(kind)),
            None => self.peek_further(0),
        }
    }

    /// The offset of the next token; at the end, the length of the text.
    pub(super) fn offset(&self) -> usize {
        let offset = self.known.offsets.get(self.next);
        offset.copied().unwrap_or(self.text.len())
    }

    /// Checks more of the text until a token `ahead` of the next one is known.
    #[cold]
    #[inline(never)]
    fn peek_further(&mut self, ahead: usize) -> Result<Option<u8>, Error> {
        loop {
            if let Some(&kind) = self.known.kinds.get(self.next + ahead) {
                return Ok(Some(kind));
            }
            let Some(validator) = &mut self.validator else {
                return Ok(None);
            };
            self.known.kinds.drain(..self.next);
            self.known.offsets.drain(..self.next);
            self.next = 0;
            let rest = &self.text[self.checked..];
            let mut known = &mut self.known;
            let checked = match rest.len() > STEP {
                true => {
                    self.checked += STEP;
                    validator.write(&rest[..STEP], &mut known)
                }
                false => {
                    self.checked = self.text.len();
                    self.validator
                        .take()
                        .map_or(Ok(()), |validator| validator.check(rest, known))
                }
            };
            match checked {
                Ok(()) if self.known.out_of_memory => {
                    return Err(Error {
                        kind: ErrorKind::OutOfMemory,
                        offset: self.checked as u64,
                    });
                }
                Ok(()) => {}
                Err(Stop::Invalid(error)) => return Err(error),
                Err(Stop::Sink(never)) => match never {},
            }
        }
    }

    /// Consumes the next token, of which only the kind matters.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.next += 1;
    }

    /// Consumes the next token, a string, number or literal, and returns its text, quotes included.
    #[inline]
    pub(super) fn scalar(&mut self) -> Result<&'de [u8], Error> {
        if self.next + 1 >= self.known.kinds.len() {
            self.peek_further(1)?;
        }
        let start = self.offset();
        self.next += 1;
        Ok(trim_end(&self.text[start..self.offset()]))
    }

    /// Where the last token that was consumed ends.
    pub(super) fn consumed(&mut self) -> Result<usize, Error> {
        self.peek()?;
        Ok(trim_end(&self.text[..self.offset()]).len())
    }

    /// Consumes the next value, whatever it is, and returns its text. Takes no stack, whatever its depth.
    pub(super) fn value(&mut self) -> Result<&'de [u8], Error> {
        self.peek()?;
        let start = self.offset();
        let mut depth = 0u64;
        loop {
            let end = match self.peek()? {
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.offset() + 1
                }
                Some(b'}' | b']') => {
                    depth -= 1;
                    self.offset() + 1
                }
                Some(b',' | b':') => self.offset() + 1,
                Some(_) if depth == 0 => {
                    let raw = self.scalar()?;
                    return Ok(raw);
                }
                Some(_) => self.offset(),
                None => return Ok(&self.text[start..]),
            };
            self.skip();
            if depth == 0 {
                return Ok(&self.text[start..end]);
            }
        }
    }
}
