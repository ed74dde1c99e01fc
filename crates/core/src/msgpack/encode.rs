//! JSON to MessagePack: a walk over verified tokens.

use core::convert::Infallible;

use super::error::WriteError;
use super::interleave::{Interleave, Spool};
use super::{EncodeError, EncodeErrorKind, Growing, Writer};
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::format::Output;
use crate::format::buffer::OutputBuffer;
use crate::number::Number;
use crate::string::{Surrogates, decode_into};
use crate::token::{Chunk, Sink, Stop};
use crate::window::{Options, Validator};

/// Options for converting JSON to MessagePack.
///
/// ```
/// use jsonx_core::msgpack::{EncodeOptions, from_json};
///
/// let options = EncodeOptions::default().float32(true);
/// assert_eq!(from_json(b"[0.5, 0.1]", options).unwrap(), b"\x92\xca\x3f\0\0\0\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// Fields that the program reads are hidden: options are set by methods.
pub struct EncodeOptions {
    pub(crate) big: BigNumbers,
    pub(crate) float32: bool,
    #[doc(hidden)]
    pub unwrap: bool,
}

/// The treatment of integers below −2⁶³ or above 2⁶⁴ − 1, and of numbers beyond the range of doubles.
///
/// ```
/// use jsonx_core::msgpack::{BigNumbers, EncodeOptions, from_json};
///
/// let encode = |big| from_json(b"18446744073709551616", EncodeOptions::default().big(big));
/// assert!(encode(BigNumbers::Error).is_err());
/// assert_eq!(encode(BigNumbers::Float).unwrap(), b"\xcb\x43\xf0\0\0\0\0\0\0");
/// assert_eq!(encode(BigNumbers::String).unwrap(), b"\xb418446744073709551616");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BigNumbers {
    /// An error.
    #[default]
    Error,
    /// Integers become the nearest double. Numbers beyond the range of doubles are an error.
    Float,
    /// A string with the text of the number.
    String,
}

impl EncodeOptions {
    /// Sets the treatment of numbers that are too large.
    ///
    /// ```
    /// use jsonx_core::msgpack::{BigNumbers, EncodeOptions, from_json};
    ///
    /// let options = EncodeOptions::default().big(BigNumbers::String);
    /// assert_eq!(from_json(b"1e400", options).unwrap(), b"\xa51e400");
    /// ```
    #[must_use]
    pub fn big(self, big: BigNumbers) -> Self {
        EncodeOptions { big, ..self }
    }

    /// Writes a float in single precision if that is exact.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeOptions, from_json};
    ///
    /// assert_eq!(from_json(b"1.0", EncodeOptions::default().float32(true)).unwrap(), b"\xca\x3f\x80\0\0");
    /// ```
    #[must_use]
    pub fn float32(self, float32: bool) -> Self {
        EncodeOptions { float32, ..self }
    }

    /// Writes the elements of a top-level array as a sequence of values. Needs memory for the largest element.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeOptions, from_json};
    ///
    /// assert_eq!(from_json(b"[1, [2]]", EncodeOptions::default().unwrap(true)).unwrap(), b"\x01\x91\x02");
    /// ```
    #[must_use]
    pub fn unwrap(self, unwrap: bool) -> Self {
        EncodeOptions { unwrap, ..self }
    }
}

/// Converts one JSON text to MessagePack. Costs memory for the result, twice while it is assembled, and 24 bytes for each
/// container.
///
/// # Errors
///
/// [`Stop::Invalid`] if the text is not JSON, [`EncodeError`] if MessagePack cannot represent a value.
///
/// ```
/// use jsonx_core::msgpack::{EncodeOptions, from_json};
///
/// let packed = from_json(r#"{"a": [1, -1.5, "\u00e9", null]}"#.as_bytes(), EncodeOptions::default()).unwrap();
/// assert_eq!(packed, b"\x81\xa1a\x94\x01\xcb\xbf\xf8\0\0\0\0\0\0\xa2\xc3\xa9\xc0");
/// ```
pub fn from_json(
    text: &[u8],
    options: EncodeOptions,
) -> Result<Vec<u8>, Stop<EncodeError<Infallible>>> {
    Validator::new(Options::default()).check(text, Encoder::new(options, Vec::new()))
}

/// A [`Sink`] that writes verified JSON as MessagePack: each value at the root as one value of a sequence.
///
/// In MessagePack, the length of a container precedes it. So the encoder buffers each top-level value (with
/// [`EncodeOptions::unwrap`], each element of a top-level array) until it is complete: memory for its result, unless there is a
/// [`spool`](Encoder::spool), and 24 bytes for each of its containers.
///
/// ```
/// use jsonx_core::msgpack::{EncodeOptions, Encoder};
/// use jsonx_core::engine::{Mode, Options, Validator};
///
/// let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
/// Validator::new(Options::default().mode(Mode::Stream)).check(b"1\n[true]\n", &mut encoder).unwrap();
/// assert_eq!(encoder.finish().unwrap(), b"\x01\x91\xc3");
/// ```
#[derive(Debug)]
pub struct Encoder<O> {
    options: EncodeOptions,
    output: O,
    buffer: OutputBuffer,
    value: Interleave,
    /// The number of open containers.
    depth: u64,
    /// The array at the root is omitted.
    unwraps: bool,
    after_open: bool,
    started: bool,
    cursor: TokenAssembler,
    scratch: Vec<u8>,
}

impl<O: Output> Encoder<O> {
    /// An encoder that writes to `output`.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeOptions, Encoder};
    ///
    /// let encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    /// assert_eq!(encoder.finish().unwrap(), b"");
    /// ```
    pub fn new(options: EncodeOptions, output: O) -> Self {
        Encoder {
            options,
            output,
            buffer: OutputBuffer::default(),
            value: Interleave::new(),
            depth: 0,
            unwraps: false,
            after_open: false,
            started: false,
            cursor: TokenAssembler::default(),
            scratch: Vec::new(),
        }
    }

    /// Moves the contents of a value to `spool` when they reach `limit` bytes, so that memory is limited to `limit` and 24
    /// bytes for each container of the value. Earlier contents of the spool are overwritten.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use jsonx_core::msgpack::{EncodeOptions, Encoder};
    /// use jsonx_core::engine::{Options, Validator};
    ///
    /// // A program would use a temporary file.
    /// let spool = Box::new(Cursor::new(Vec::new()));
    /// let encoder = Encoder::new(EncodeOptions::default(), Vec::new()).spool(1, spool);
    /// let packed = Validator::new(Options::default()).check(b"[1, [2, 3]]", encoder).unwrap();
    /// assert_eq!(packed, b"\x92\x01\x92\x02\x03");
    /// ```
    #[must_use]
    pub fn spool(mut self, limit: usize, spool: Box<dyn Spool>) -> Self {
        self.value.spool = Some((limit, spool));
        self
    }

    /// The output, with the bytes flushed so far.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeOptions, Encoder};
    ///
    /// let mut encoder = Encoder::new(EncodeOptions::default(), b"before".to_vec());
    /// assert_eq!(encoder.output(), b"before");
    /// ```
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }

    /// Writes the complete values to the output.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeOptions, Encoder};
    /// use jsonx_core::engine::{Mode, Options, Validator};
    ///
    /// let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.write(b"[1]\n", &mut encoder).unwrap();
    /// validator.flush_lines(&mut encoder).unwrap();
    /// encoder.flush().unwrap();
    /// assert_eq!(encoder.output(), b"\x91\x01");
    /// ```
    pub fn flush(&mut self) -> Result<(), EncodeError<O::Error>> {
        self.buffer
            .flush(&mut self.output)
            .map_err(EncodeError::Output)
    }

    /// Writes the rest and returns the output. Call it after [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// The error of the output; that of a number that ends with the text.
    ///
    /// ```
    /// use jsonx_core::msgpack::{EncodeError, EncodeErrorKind, EncodeOptions, Encoder};
    /// use jsonx_core::engine::{Options, Validator};
    ///
    /// let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    /// Validator::new(Options::default()).check(b" 1e400", &mut encoder).unwrap();
    /// let error = EncodeError::Value { kind: EncodeErrorKind::BigNumber, offset: 1 };
    /// assert_eq!(encoder.finish(), Err(error));
    /// ```
    pub fn finish(mut self) -> Result<O, EncodeError<O::Error>> {
        self.end()?;
        self.flush_full()?;
        self.flush()?;
        Ok(self.output)
    }

    /// Ends a value or a key. At the root, writes the buffered value.
    #[inline]
    fn end_value(&mut self) -> Result<(), EncodeError<O::Error>> {
        if self.value.depth() == 0 {
            self.flush_full()
        } else {
            Ok(())
        }
    }

    /// Writes complete contents to the output.
    fn flush_full(&mut self) -> Result<(), EncodeError<O::Error>> {
        let mut buffered = Buffered {
            buffer: &mut self.buffer,
            output: &mut self.output,
        };
        self.value.write(&mut buffered)
    }

    /// Encodes a string, number or literal.
    #[inline]
    fn scalar(&mut self, raw: &[u8], at: u64) -> Result<(), EncodeError<O::Error>> {
        let contents = &mut self.value.contents;
        let written = match raw.first() {
            Some(b'"') => {
                let raw = raw.get(1..raw.len() - 1).unwrap_or_default();
                return match memchr::memchr(b'\\', raw) {
                    None => contents
                        .utf8(raw)
                        .map_err(|error| EncodeError::write(error, at)),
                    Some(_) => self.escaped(raw, at),
                };
            }
            Some(b'n') => contents.nil(),
            Some(b't') => contents.bool(true),
            Some(b'f') => contents.bool(false),
            _ => return self.number(raw, at),
        };
        written.map_err(|error| EncodeError::write(error, at))
    }

    /// Encodes a string with escapes; `raw` is without its quotes.
    fn escaped(&mut self, raw: &[u8], at: u64) -> Result<(), EncodeError<O::Error>> {
        self.scratch.clear();
        let lone = |first: u64| EncodeError::Value {
            kind: EncodeErrorKind::LoneSurrogate,
            offset: at + 1 + first,
        };
        let reserved = self.scratch.try_reserve(raw.len() + 16);
        reserved.map_err(|_| EncodeError::OutOfMemory)?;
        // The engine has checked the escapes.
        match decode_into(raw, &mut self.scratch).map_err(|error| lone(error.offset))? {
            Surrogates::Replaced { first } => Err(lone(first)),
            Surrogates::Paired => {
                let written = self.value.contents.utf8(&self.scratch);
                written.map_err(|error| EncodeError::write(error, at))
            }
        }
    }

    fn number(&mut self, raw: &[u8], at: u64) -> Result<(), EncodeError<O::Error>> {
        let written = number(raw, self.options, &mut self.value.contents);
        match written {
            Some(written) => written.map_err(|error| EncodeError::write(error, at)),
            None => Err(EncodeError::Value {
                kind: EncodeErrorKind::BigNumber,
                offset: at,
            }),
        }
    }

    fn open(&mut self, is_map: bool, at: u64) -> Result<(), EncodeError<O::Error>> {
        self.after_open = true;
        self.depth += 1;
        if self.depth == 1 && self.options.unwrap && !is_map {
            self.unwraps = true;
            return Ok(());
        }
        let opened = self.value.open(is_map);
        opened.map_err(|error| EncodeError::write(error, at))
    }

    fn close(&mut self, at: u64) -> Result<(), EncodeError<O::Error>> {
        self.depth = self.depth.saturating_sub(1);
        let is_empty = std::mem::take(&mut self.after_open);
        if self.depth == 0 && std::mem::take(&mut self.unwraps) {
            return Ok(());
        }
        let closed = self.value.close(is_empty);
        closed.map_err(|error| EncodeError::write(error, at))?;
        self.end_value()
    }
}

/// Encodes a number; `None` if it is too large.
#[inline]
fn number(
    raw: &[u8],
    options: EncodeOptions,
    writer: &mut Writer<Growing>,
) -> Option<Result<(), WriteError>> {
    let number = Number::new(raw);
    // `-0` is a float.
    let is_integer = number.is_integer() && raw != b"-0";
    if is_integer {
        if let Some(value) = number.as_u64() {
            return Some(writer.uint(value));
        }
        if let Some(value) = number.as_i64() {
            return Some(writer.int(value));
        }
    }
    let value = match options.big {
        BigNumbers::Error if is_integer => None,
        BigNumbers::String if is_integer => None,
        _ => number.as_f64(),
    };
    match value {
        Some(value) if options.float32 && f64::from(value as f32).to_bits() == value.to_bits() => {
            Some(writer.float32(value as f32))
        }
        Some(value) => Some(writer.float(value)),
        None if options.big == BigNumbers::String => Some(writer.utf8(raw)),
        None => None,
    }
}

/// A buffer before an output.
struct Buffered<'a, O> {
    buffer: &'a mut OutputBuffer,
    output: &'a mut O,
}

impl<O: Output> Output for Buffered<'_, O> {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        self.buffer.append(bytes, self.output)
    }
}

impl<O: Output> Walk for Encoder<O> {
    type Error = EncodeError<O::Error>;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, _: u8) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn token(&mut self, token: Token<'_>) -> Result<(), Self::Error> {
        let at = token.start();
        match token.kind {
            kind @ (b'{' | b'[') => return self.open(kind == b'{', at),
            b'}' | b']' => self.close(at)?,
            b',' => {
                let counted = self.value.comma();
                counted.map_err(|error| EncodeError::write(error, at))?;
            }
            b':' => {}
            _ => {
                self.scalar(token.raw(), at)?;
                self.end_value()?;
            }
        }
        self.after_open = false;
        Ok(())
    }
}

impl<O: Output> Sink for Encoder<O> {
    type Error = EncodeError<O::Error>;
    type Output = O;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        if !std::mem::replace(&mut self.started, true) && chunk.before.last_kind != 0 {
            return Err(EncodeError::OtherText);
        }
        self.walk(chunk)?;
        self.value.limit_memory()
    }

    fn finish(self) -> Result<O, Self::Error> {
        Encoder::finish(self)
    }
}
