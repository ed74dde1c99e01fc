//! The tokens of a block, verified by the engine.

use std::cell::Cell;
use std::convert::Infallible;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Chunk, Mode, Options, Sink, Stop, Validator, Verdict};
use jsonx_core::number::Number;

/// Tokens after the last one, which end every walk.
const SENTINELS: usize = 4;

/// Kinds and offsets of tokens.
#[derive(Default)]
pub(crate) struct Tokens {
    /// The first bytes; 0 after the last one.
    pub kinds: Vec<u8>,
    /// Offsets in the text; its length after the last one.
    pub starts: Vec<u32>,
    /// The number of bytes that were verified before an error.
    pub verified: usize,
    /// Whether values are coerced to the types of their fields.
    pub coerces: bool,
    /// Coerced values that lost digits.
    pub cut: Cell<u64>,
}

struct Collect<'a>(&'a mut Tokens);

impl Sink for Collect<'_> {
    type Error = Infallible;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        // Blocks are shorter than 4 GB.
        let base = chunk.offset as u32;
        self.0.kinds.extend_from_slice(chunk.kinds);
        self.0
            .starts
            .extend(chunk.offsets.iter().map(|at| base + at));
        self.0.verified = chunk.offset as usize + chunk.bytes.len();
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Tokens {
    /// Reads the tokens of a text; with an error, those of the chunks before it.
    pub fn read(&mut self, text: &[u8], mode: Mode) -> Result<(), SyntaxError> {
        self.kinds.clear();
        self.starts.clear();
        self.verified = 0;
        let validator = Validator::new(Options::default().mode(mode));
        let checked = validator.check(text, Collect(self));
        self.kinds.extend([0; SENTINELS]);
        self.starts.extend([text.len() as u32; SENTINELS]);
        checked.map_err(|stop| match stop {
            Stop::Invalid(error) => error,
            Stop::Sink(never) => match never {},
        })
    }

    /// The number of tokens.
    pub fn count(&self) -> usize {
        self.kinds.len() - SENTINELS
    }
}

/// A place among the tokens of a text.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub text: &'t [u8],
    pub kinds: &'t [u8],
    pub starts: &'t [u32],
    pub at: usize,
    /// The count of coerced values that lost digits, if values are coerced.
    pub coerced: Option<&'t Cell<u64>>,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t [u8], tokens: &'t Tokens) -> Self {
        Cursor {
            text,
            kinds: &tokens.kinds,
            starts: &tokens.starts,
            at: 0,
            coerced: tokens.coerces.then_some(&tokens.cut),
        }
    }

    /// The kind of the token: its first byte; 0 at the end.
    #[inline(always)]
    pub fn kind(&self) -> u8 {
        self.kinds[self.at]
    }

    /// The text of a string, number or literal.
    #[inline(always)]
    pub fn raw(&self) -> &'t [u8] {
        let start = self.starts[self.at] as usize;
        let mut end = self.starts[self.at + 1] as usize;
        while end > start + 1 && matches!(self.text[end - 1], b' ' | b'\n' | b'\r' | b'\t') {
            end -= 1;
        }
        &self.text[start..end]
    }

    /// The text between the quotes of a string.
    #[inline(always)]
    pub fn content(&self) -> &'t [u8] {
        let raw = self.raw();
        raw.get(1..raw.len() - 1).unwrap_or_default()
    }

    /// The number at the cursor; with coercion, also the one that a string holds.
    #[inline(always)]
    pub fn number(&self) -> Option<Number<'t>> {
        match self.kind() {
            b'-' | b'0'..=b'9' => Some(Number::new(self.raw())),
            b'"' if self.coerced.is_some() => number_in(self.content()),
            _ => None,
        }
    }

    /// The text of a value.
    pub fn value(&self) -> &'t [u8] {
        if !matches!(self.kind(), b'{' | b'[') {
            return self.raw();
        }
        let mut end = *self;
        end.skip();
        let (from, to) = (self.starts[self.at], self.starts[end.at - 1]);
        &self.text[from as usize..(to as usize + 1).min(self.text.len())]
    }

    /// Skips a value.
    #[inline]
    pub fn skip(&mut self) {
        if !matches!(self.kind(), b'{' | b'[') {
            self.at += usize::from(self.kind() != 0);
            return;
        }
        let mut depth = 0_usize;
        loop {
            match self.kind() {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                0 => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

/// The number that a string consists of, by the grammar of JSON.
#[cold]
fn number_in(content: &[u8]) -> Option<Number<'_>> {
    let [b'-' | b'0'..=b'9', ..] = content else {
        return None;
    };
    // White space may follow a value.
    let is_number = content.last()?.is_ascii_digit()
        && Validator::new(Options::default())
            .check(content, Verdict)
            .is_ok();
    is_number.then(|| Number::new(content))
}

/// A number times ten to the scale, below 10^38, or the code of the mismatch.
pub(crate) fn scaled(number: Number<'_>, scale: i8) -> Result<i128, &'static str> {
    let decimal = number.decimal();
    if decimal.is_zero() {
        return Ok(0);
    }
    let power = decimal.power() + i128::from(scale);
    if power < 0 {
        return Err("inexact");
    }
    // More digits exceed the limit.
    if power > 38 || decimal.digit_count() > 38 {
        return Err("out-of-range");
    }
    let digits = decimal.digits();
    let whole = digits.fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    let scaled = whole.checked_mul(10_i128.pow(power as u32));
    let scaled = scaled.ok_or("out-of-range")?;
    Ok(if decimal.is_negative() {
        -scaled
    } else {
        scaled
    })
}
