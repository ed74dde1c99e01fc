//! JSON to MessagePack: a walk over verified tokens.

use core::convert::Infallible;

use super::interleave::{Interleave, Lengths, LongValues};
use super::{EncodeError, EncodeErrorKind, TooLong, Writer};
use jsonx_core::engine::{Chunk, Options, Sink, Stop, Validator};
use jsonx_core::format::Output;
use jsonx_core::internal::OutputBuffer;
use jsonx_core::internal::{Token, TokenAssembler, Walk};
use jsonx_core::number::Number;
use jsonx_core::string::{Surrogates, decode_into};

/// Options for converting JSON to MessagePack.
///
/// ```
/// use jsonx_msgpack::{EncodeOptions, from_json};
///
/// let encode = |lossy| from_json(b"18446744073709551616", EncodeOptions::default().lossy(lossy));
/// assert!(encode(false).is_err());
/// assert_eq!(encode(true).unwrap(), b"\xcb\x43\xf0\0\0\0\0\0\0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    lossy: bool,
}

impl EncodeOptions {
    /// Sets whether integers below −2⁶³ or above 2⁶⁴ − 1, and numbers beyond the range of doubles, become the nearest double
    /// that is finite. Otherwise, they are an error.
    ///
    /// ```
    /// use jsonx_msgpack::{EncodeOptions, from_json};
    ///
    /// let options = EncodeOptions::default().lossy(true);
    /// assert_eq!(from_json(b"-1e400", options).unwrap(), b"\xcb\xff\xef\xff\xff\xff\xff\xff\xff");
    /// ```
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        EncodeOptions { lossy }
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
/// use jsonx_msgpack::{EncodeOptions, from_json};
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
/// In MessagePack, the length of a container precedes it. So the encoder buffers each top-level value until it is complete:
/// memory for its result, and 32 bytes for each of its containers, unless there is a [limit](Encoder::limit).
///
/// ```
/// use jsonx_msgpack::{EncodeOptions, Encoder};
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
    after_open: bool,
    started: bool,
    cursor: TokenAssembler,
    scratch: Vec<u8>,
}

impl<O: Output> Encoder<O> {
    /// An encoder that writes to `output`.
    ///
    /// ```
    /// use jsonx_msgpack::{EncodeOptions, Encoder};
    ///
    /// let encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    /// assert_eq!(encoder.finish().unwrap(), b"");
    /// ```
    pub fn new(options: EncodeOptions, output: O) -> Self {
        Encoder {
            options,
            output,
            buffer: OutputBuffer::default(),
            value: Interleave::default(),
            after_open: false,
            started: false,
            cursor: TokenAssembler::default(),
            scratch: Vec::new(),
        }
    }

    /// Sets a limit in bytes for the result of a value, and the treatment of longer ones: a text that can be read twice is
    /// measured first, and then written in constant memory for its contents.
    ///
    /// ```
    /// use jsonx_msgpack::{EncodeOptions, Encoder, Lengths, LongValues};
    /// use jsonx_core::engine::{Options, Validator};
    ///
    /// let encode = |long| {
    ///     let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new()).limit(1, long);
    ///     Validator::new(Options::default()).check(b"[1, [2, 3]]", &mut encoder).unwrap();
    ///     encoder
    /// };
    /// let lengths = encode(LongValues::Measure(Lengths::default())).lengths().unwrap();
    /// let packed = encode(LongValues::Write(lengths)).finish().unwrap();
    /// assert_eq!(packed, b"\x92\x01\x92\x02\x03");
    /// ```
    #[must_use]
    pub fn limit(mut self, limit: usize, long: LongValues) -> Self {
        self.value.limit = limit;
        self.value.long = long;
        self
    }

    /// Writes the rest, and returns the lengths measured in the whole text.
    ///
    /// # Errors
    ///
    /// As [`Encoder::finish`].
    ///
    /// ```
    /// use jsonx_msgpack::{EncodeOptions, Encoder};
    ///
    /// assert!(Encoder::new(EncodeOptions::default(), Vec::new()).lengths().is_ok());
    /// ```
    pub fn lengths(mut self) -> Result<Lengths, EncodeError<O::Error>> {
        self.end()?;
        self.flush_full()?;
        self.flush()?;
        Ok(self.value.into_lengths())
    }

    /// The output, with the bytes flushed so far.
    ///
    /// ```
    /// use jsonx_msgpack::{EncodeOptions, Encoder};
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
    /// use jsonx_msgpack::{EncodeOptions, Encoder};
    /// use jsonx_core::engine::{Mode, Options, Validator};
    ///
    /// let mut encoder = Encoder::new(EncodeOptions::default(), Vec::new());
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.write(b"[1]\n", &mut encoder).unwrap();
    /// validator.flush(&mut encoder).unwrap();
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
    /// use jsonx_msgpack::{EncodeError, EncodeErrorKind, EncodeOptions, Encoder};
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
        match raw.first() {
            Some(b'"') => {
                let raw = raw.get(1..raw.len() - 1).unwrap_or_default();
                return match memchr::memchr(b'\\', raw) {
                    None => contents
                        .utf8(raw)
                        .map_err(|TooLong| EncodeError::too_long(at)),
                    Some(_) => self.escaped(raw, at),
                };
            }
            Some(b'n') => contents.nil(),
            Some(b't') => contents.bool(true),
            Some(b'f') => contents.bool(false),
            _ => return self.number(raw, at),
        }
        Ok(())
    }

    /// Encodes a string with escapes; `raw` is without its quotes.
    fn escaped(&mut self, raw: &[u8], at: u64) -> Result<(), EncodeError<O::Error>> {
        self.scratch.clear();
        let lone = |first: u64| EncodeError::Value {
            kind: EncodeErrorKind::LoneSurrogate,
            offset: at + 1 + first,
        };
        // The engine has checked the escapes.
        match decode_into(raw, &mut self.scratch).map_err(|error| lone(error.offset))? {
            Surrogates::Replaced { first } => Err(lone(first)),
            Surrogates::Paired => {
                let written = self.value.contents.utf8(&self.scratch);
                written.map_err(|TooLong| EncodeError::too_long(at))
            }
        }
    }

    fn number(&mut self, raw: &[u8], at: u64) -> Result<(), EncodeError<O::Error>> {
        let written = number(raw, self.options, &mut self.value.contents);
        written.ok_or(EncodeError::Value {
            kind: EncodeErrorKind::BigNumber,
            offset: at,
        })
    }

    fn close(&mut self, at: u64) -> Result<(), EncodeError<O::Error>> {
        let is_empty = std::mem::take(&mut self.after_open);
        self.value.close(is_empty, at)?;
        self.end_value()
    }
}

/// Encodes a number; `None` if it is too large.
#[inline]
fn number(raw: &[u8], options: EncodeOptions, writer: &mut Writer) -> Option<()> {
    let number = Number::new(raw);
    // `-0` is a float.
    let is_integer = number.is_integer() && raw != b"-0";
    if is_integer {
        if let Some(value) = number.as_u64() {
            writer.uint(value);
            return Some(());
        }
        if let Some(value) = number.as_i64() {
            writer.int(value);
            return Some(());
        }
        if !options.lossy {
            return None;
        }
    }
    writer.float(match number.as_f64() {
        Some(value) => value,
        None if !options.lossy => return None,
        None if raw.starts_with(b"-") => f64::MIN,
        None => f64::MAX,
    });
    Some(())
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
            kind @ (b'{' | b'[') => {
                self.after_open = true;
                return self.value.open(kind == b'{');
            }
            b'}' | b']' => self.close(at)?,
            b',' => self.value.comma(at)?,
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
        let mut buffered = Buffered {
            buffer: &mut self.buffer,
            output: &mut self.output,
        };
        self.value.limit_memory(&mut buffered)
    }

    fn finish(self) -> Result<O, Self::Error> {
        Encoder::finish(self)
    }
}
