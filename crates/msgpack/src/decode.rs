//! MessagePack to JSON.

mod common;
mod data;
mod frame;

use core::convert::Infallible;
use core::fmt;

use self::data::Data;
use self::frame::Frame;
use super::text::{Json, SHORT, copy_short, push_key};
use super::{DecodeError, DecodeErrorKind, JsonOptions, Reader, Token};
use jsonx_core::format::Output;
use jsonx_core::path::Location;

/// Converts a sequence of MessagePack values to minified JSON, with a line feed between two of them and, with
/// [`JsonOptions::final_newline`], after the last one. Costs memory for the result, and eight bytes per level of nesting.
///
/// Floats are written with the fewest digits that read back as the same double, also those of single precision, and with a
/// point or an exponent. Binary data becomes base64 (RFC 4648, section 4). Extensions become `{"$ext":[type,"base64"]}`, timestamps of the years 0 to 9999
/// strings as in RFC 3339.
///
/// # Errors
///
/// The input is not MessagePack, or JSON has no such value.
///
/// ```
/// use jsonx_msgpack::{JsonOptions, to_json};
///
/// let json = |bytes: &[u8]| String::from_utf8(to_json(bytes, JsonOptions::default()).unwrap()).unwrap();
/// assert_eq!(json(b"\x93\xc0\xa1\"\xcb\x3f\xf0\0\0\0\0\0\0\x01"), "[null,\"\\\"\",1.0]\n1");
/// assert_eq!(json(b"\xca\x3d\xcc\xcc\xcd"), "0.10000000149011612");
/// assert_eq!(json(b"\xd6\xff\0\0\0\0"), "\"1970-01-01T00:00:00Z\"");
/// assert_eq!(json(b"\xd4\x05\x61"), "{\"$ext\":[5,\"YQ==\"]}");
/// ```
pub fn to_json(bytes: &[u8], options: JsonOptions) -> Result<Vec<u8>, DecodeError> {
    // Most values are longer in JSON.
    let mut decoder = Decoder::new(options, Vec::with_capacity(bytes.len()));
    let decoded = decoder.tokens(Reader::new(bytes));
    match decoded.and_then(|read| {
        decoder.offset = read as u64;
        decoder.finish()
    }) {
        Ok(text) => Ok(text),
        Err(JsonError::Invalid(error)) => Err(error),
        Err(JsonError::Output(never)) => {
            let never: Infallible = never;
            match never {}
        }
    }
}

/// The error of a [`Decoder`].
///
/// ```
/// use jsonx_msgpack::{Decoder, JsonError, JsonOptions};
/// use jsonx_core::format::WriteTo;
///
/// let mut one = [0; 1];
/// let mut decoder = Decoder::new(JsonOptions::default(), WriteTo(&mut one[..]));
/// decoder.write(b"\xc0").unwrap();
/// let error = decoder.finish().map(|_| ()).unwrap_err();
/// assert!(matches!(error, JsonError::Output(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonError<E> {
    /// The input is not MessagePack, or JSON has no such value.
    Invalid(DecodeError),
    /// The output could not be written.
    Output(E),
}

impl<E: fmt::Display> fmt::Display for JsonError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Invalid(error) => error.fmt(f),
            JsonError::Output(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for JsonError<E> {}

impl<E: Into<jsonx_core::Error>> From<JsonError<E>> for jsonx_core::Error {
    #[cold]
    fn from(error: JsonError<E>) -> Self {
        match error {
            JsonError::Invalid(error) => error.into(),
            JsonError::Output(error) => error.into(),
        }
    }
}

impl<E> From<DecodeError> for JsonError<E> {
    fn from(error: DecodeError) -> Self {
        JsonError::Invalid(error)
    }
}

/// Converts MessagePack to minified JSON, a line for each value of the sequence, as the bytes arrive: in slices of any
/// size, which may end in the middle of a value.
///
/// Costs constant memory, and eight bytes per level of nesting.
///
/// ```
/// use jsonx_msgpack::{Decoder, JsonOptions};
///
/// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
/// for byte in b"\x92\xa3one\xcd\x01\x00" {
///     decoder.write(&[*byte]).unwrap();
/// }
/// assert_eq!(decoder.finish().unwrap(), b"[\"one\",256]");
/// ```
#[derive(Debug)]
pub struct Decoder<O> {
    output: O,
    json: Json,
    max_depth: u64,
    /// The open containers, and the path through the outermost of them.
    frames: Vec<Frame>,
    outer: Vec<Outer>,
    keys: Vec<u8>,
    /// The byte between the last value and the next one in its container, or at the root; 0 if there is none.
    separator: u8,
    final_newline: bool,
    /// The token that is incomplete at the end of the last slice; of a long one, data that is not converted yet.
    partial: Vec<u8>,
    /// The long token that is incomplete.
    data: Option<Data>,
    /// Number of bytes before `partial`.
    offset: u64,
}

impl<O: Output> Decoder<O> {
    /// A decoder that writes to `output`.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// assert_eq!(decoder.finish().unwrap(), b"");
    /// ```
    pub fn new(options: JsonOptions, output: O) -> Self {
        Decoder {
            output,
            max_depth: options.max_depth.unwrap_or(u64::MAX),
            json: Json::new(options),
            frames: Vec::new(),
            outer: Vec::new(),
            keys: Vec::new(),
            separator: 0,
            final_newline: options.final_newline,
            partial: Vec::new(),
            data: None,
            offset: 0,
        }
    }

    /// Converts the next bytes of the input. Takes time for these bytes only, regardless of earlier ones.
    ///
    /// # Errors
    ///
    /// The input is not MessagePack, or JSON has no such value; the error of the output. Afterward, only [`Decoder::location`]
    /// may be called.
    ///
    /// ```
    /// use jsonx_msgpack::{DecodeErrorKind, Decoder, JsonError, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\xdd\xff\xff\xff\xff").unwrap();
    /// let error = decoder.write(b"\x01\xc1").unwrap_err();
    /// let JsonError::Invalid(error) = error else { unreachable!() };
    /// assert_eq!((error.kind, error.offset), (DecodeErrorKind::Reserved, 6));
    /// ```
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), JsonError<O::Error>> {
        loop {
            bytes = self.data(bytes)?;
            if bytes.is_empty() {
                return Ok(());
            }
            if !self.partial.is_empty() {
                // First the header, which has the length, then the rest.
                let missing = Reader::token_length(&self.partial) - self.partial.len() as u64;
                let taken = usize::try_from(missing).unwrap_or(usize::MAX);
                let (taken, rest) = bytes.split_at(taken.min(bytes.len()));
                self.partial.extend_from_slice(taken);
                bytes = rest;
                self.complete_partial()?;
                continue;
            }
            let read = self.tokens(Reader::part(bytes))?;
            self.offset += read as u64;
            bytes = &bytes[read..];
            if !bytes.is_empty() {
                self.partial.extend_from_slice(bytes);
                self.complete_partial()?;
                return Ok(());
            }
        }
    }

    /// Converts the partial token if it is complete, or its data so far if it is long.
    fn complete_partial(&mut self) -> Result<(), JsonError<O::Error>> {
        let token = std::mem::take(&mut self.partial);
        let offset = self.offset;
        let begun = self.begin_data(&token);
        if let Some(header) = begun.map_err(|kind| DecodeError { kind, offset })? {
            self.data(&token[header..])?;
        } else if Reader::token_length(&token) == token.len() as u64 {
            let read = self.tokens(Reader::part(&token))?;
            debug_assert_eq!(read, token.len(), "the token is complete");
            self.offset += token.len() as u64;
            self.partial = token;
            self.partial.clear();
        } else {
            self.partial = token;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.partial.capacity() + self.json.text.written().len()
    }

    /// Writes the text so far to the output, for a reader that waits. The text may end in the middle of a value; the only line
    /// feeds are those between values.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\x90\x92\x01").unwrap();
    /// decoder.flush().unwrap();
    /// assert_eq!(decoder.output(), b"[]\n[1");
    /// ```
    pub fn flush(&mut self) -> Result<(), JsonError<O::Error>> {
        let written = self.output.write(self.json.text.written());
        written.map_err(JsonError::Output)?;
        self.json.text.length = 0;
        Ok(())
    }

    /// The output, with the text flushed so far, and text that did not fit in 64 KiB.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), b"before".to_vec());
    /// assert_eq!(decoder.output(), b"before");
    /// ```
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }

    /// The path of the next value in its document; after an error, the path of the value with the error, or of the map if the
    /// error is in a key. Only the outermost 1,000 steps are returned.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    /// use jsonx_core::path::Notation;
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\x81\xa1a\x92\x01").unwrap();
    /// assert!(decoder.write(b"\xc1").is_err());
    /// assert_eq!(decoder.location().display(Notation::Dot).to_string(), ".a[1]");
    /// ```
    pub fn location(&self) -> Location {
        let mut location = Location::default();
        for (level, outer) in self.outer.iter().enumerate() {
            let frame = self.frames[level];
            match frame.is_map() {
                false => location.push_index(u64::from(outer.length) - frame.left()),
                true if frame.expects_key() => {}
                true => {
                    let next = self.outer.get(level + 1);
                    let end = next.map_or(self.keys.len(), |next| next.key_at);
                    location.push_key(&self.keys[outer.key_at..end]);
                }
            }
        }
        location
    }

    /// Writes the rest of the text and returns the output.
    ///
    /// # Errors
    ///
    /// [`DecodeErrorKind::Truncated`] if the input has ended in the middle of a value; the error of the output.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\x91").unwrap();
    /// assert!(decoder.finish().is_err());
    /// ```
    pub fn finish(mut self) -> Result<O, JsonError<O::Error>> {
        self.end()?;
        self.flush()?;
        Ok(self.output)
    }

    /// Number of input bytes up to the incomplete token.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\x01\xa2a").unwrap();
    /// assert_eq!(decoder.offset(), 1);
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Checks that the input may end here. Unlike [`Decoder::finish`], does not consume the decoder, so its location remains
    /// available.
    ///
    /// # Errors
    ///
    /// [`DecodeErrorKind::Truncated`] if it may not end here.
    ///
    /// ```
    /// use jsonx_msgpack::{Decoder, JsonOptions};
    ///
    /// let mut decoder = Decoder::new(JsonOptions::default(), Vec::new());
    /// decoder.write(b"\xa2a").unwrap();
    /// assert_eq!(decoder.end().unwrap_err().offset, 2);
    /// ```
    pub fn end(&self) -> Result<(), DecodeError> {
        if self.partial.is_empty() && self.data.is_none() && self.frames.is_empty() {
            Ok(())
        } else {
            Err(DecodeError {
                kind: DecodeErrorKind::Truncated,
                offset: self.offset + self.partial.len() as u64,
            })
        }
    }

    /// Converts tokens. Returns the number of their bytes.
    fn tokens(&mut self, mut reader: Reader<'_>) -> Result<usize, JsonError<O::Error>> {
        loop {
            if self.json.text.length >= WRITTEN {
                self.flush()?;
            }
            let here = reader;
            let at = self.offset + here.offset() as u64;
            let error = |kind| DecodeError { kind, offset: at };
            if self.common(&mut reader).map_err(error)? {
                continue;
            }
            match reader.token() {
                Ok(Some(token)) => self.token(token).map_err(error)?,
                Ok(None) => return Ok(here.offset()),
                Err(error) if error.kind == DecodeErrorKind::Truncated && here.is_part() => {
                    return Ok(here.offset());
                }
                Err(DecodeError {
                    kind: DecodeErrorKind::InvalidUtf8,
                    ..
                }) if self.json.options().lossy => {
                    let data = Reader::string_data(here.rest());
                    let text = String::from_utf8_lossy(data);
                    self.token(Token::Str(&text)).map_err(error)?;
                    reader.skip(Reader::token_length(here.rest()) as usize);
                }
                Err(error) => {
                    return Err(JsonError::Invalid(DecodeError {
                        offset: self.offset + error.offset,
                        ..error
                    }));
                }
            }
        }
    }

    #[inline(never)]
    fn token(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        let json = &mut self.json;
        let frame = self.frames.last().copied();
        let is_key = frame.is_some_and(Frame::expects_key);
        let container = match token {
            Token::Array(length) if !is_key => Some((length, false)),
            Token::Map(length) if !is_key => Some((length, true)),
            _ => None,
        };
        json.separate(self.separator);
        if let Some((length, is_map)) = container {
            self.open(length, is_map)?;
            if length > 0 {
                return Ok(());
            }
        } else if is_key {
            json.key(token)?;
            self.push_key(token);
            self.end_key();
            return Ok(());
        } else {
            json.scalar(token)?;
        }
        self.end_value();
        Ok(())
    }

    /// Ends a key. Its value follows, so the map cannot end here.
    #[inline(always)]
    fn end_key(&mut self) {
        self.separator = 0;
        if let Some(frame) = self.frames.last_mut() {
            frame.end_value();
        }
        self.json.byte(b':');
    }

    /// Begins a container, and ends it if it is empty.
    #[inline(always)]
    fn open(&mut self, length: u32, is_map: bool) -> Result<(), DecodeErrorKind> {
        if self.frames.len() as u64 >= self.max_depth {
            return Err(DecodeErrorKind::TooDeep);
        }
        let [open, close] = if is_map { *b"{}" } else { *b"[]" };
        self.json.byte(open);
        if length == 0 {
            self.json.byte(close);
            return Ok(());
        }
        if self.frames.len() < STEPS {
            self.outer.push(Outer {
                length,
                key_at: self.keys.len(),
            });
        }
        self.frames.push(Frame::new(length, is_map));
        self.separator = 0;
        Ok(())
    }

    /// Retains a short key for the path.
    #[inline(always)]
    fn retain_key(&mut self, from: &[u8], length: usize) {
        let level = self.frames.len();
        if let Some(outer) = self.outer.last().filter(|_| level <= STEPS) {
            self.keys.truncate(outer.key_at);
            // A fixed number of bytes, which needs no call of `memcpy`.
            self.keys.extend_from_slice(&[0; SHORT]);
            let room = self.keys.get_mut(outer.key_at..);
            if let Some(room) = room.and_then(|room| room.first_chunk_mut()) {
                copy_short(from, length, room);
            }
            self.keys.truncate(outer.key_at + length);
        }
    }

    /// Retains a key for the path.
    #[inline]
    fn push_key(&mut self, key: Token<'_>) {
        let level = self.frames.len();
        if let Some(outer) = self.outer.last().filter(|_| level <= STEPS) {
            self.keys.truncate(outer.key_at);
            push_key(key, &mut self.keys);
        }
    }

    /// Ends a value, and the containers of which it was the last value.
    #[inline(always)]
    fn end_value(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if !frame.end_value() {
                self.separator = b',';
                return;
            }
            let is_map = frame.is_map();
            self.json.byte(if is_map { b'}' } else { b']' });
            self.frames.pop();
            if self.frames.len() < self.outer.len()
                && let Some(outer) = self.outer.pop()
            {
                self.keys.truncate(outer.key_at);
            }
        }
        if self.final_newline {
            self.separator = 0;
            self.json.byte(b'\n');
        } else {
            self.separator = b'\n';
        }
    }
}

/// Length of text to buffer before it is written to the output.
const WRITTEN: usize = 64 << 10;

/// The maximum number of steps of a path: longer ones are unreadable, and may be hostile.
const STEPS: usize = 1000;

/// The state of an open container, for the path.
#[derive(Debug)]
struct Outer {
    length: u32,
    /// The position of its current key in the keys.
    key_at: usize,
}
