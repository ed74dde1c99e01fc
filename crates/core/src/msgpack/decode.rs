//! MessagePack to JSON.

use core::convert::Infallible;
use core::fmt;
use std::io::Write;

use super::base64::{base64, hex};
use super::{DecodeError, DecodeErrorKind, Reader, TIMESTAMP, Token, timestamp};
use crate::format::Output;
use crate::string::{escape, find_special};

/// How MessagePack becomes JSON, where JSON has no such value.
///
/// ```
/// use jsonx_core::msgpack::{Binary, JsonOptions, Keys, NonFinite, to_json};
///
/// let options = JsonOptions::default().keys(Keys::Stringify).binary(Binary::Hex).non_finite(NonFinite::Null);
/// assert_eq!(to_json(b"\x82\x01\xc4\x01\xaf\xc3\xca\x7f\xc0\0\0", options).unwrap(), b"{\"1\":\"af\",\"true\":null}\n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonOptions {
    /// What becomes of infinities and NaN.
    pub non_finite: NonFinite,
    /// What becomes of binary data.
    pub binary: Binary,
    /// What becomes of keys that are not strings.
    pub keys: Keys,
}

/// What becomes of infinities and NaN.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::NonFinite::default(), jsonx_core::msgpack::NonFinite::Error);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonFinite {
    /// An error.
    #[default]
    Error,
    /// `null`.
    Null,
}

/// What becomes of binary data.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::Binary::default(), jsonx_core::msgpack::Binary::Base64);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Binary {
    /// A string in base64, with padding (RFC 4648, section 4).
    #[default]
    Base64,
    /// A string in lower-case hexadecimal.
    Hex,
    /// An error.
    Error,
}

/// What becomes of keys that are not strings.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::Keys::default(), jsonx_core::msgpack::Keys::Error);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// An error.
    #[default]
    Error,
    /// The text that they would have as values. Arrays, maps and extensions are an error nevertheless.
    Stringify,
}

impl JsonOptions {
    /// Sets what becomes of infinities and NaN.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, NonFinite, to_json};
    ///
    /// let options = JsonOptions::default().non_finite(NonFinite::Null);
    /// assert_eq!(to_json(b"\xca\x7f\xc0\0\0", options).unwrap(), b"null\n");
    /// ```
    #[must_use]
    pub fn non_finite(self, non_finite: NonFinite) -> Self {
        JsonOptions { non_finite, ..self }
    }

    /// Sets what becomes of binary data.
    ///
    /// ```
    /// use jsonx_core::msgpack::{Binary, JsonOptions, to_json};
    ///
    /// let json = |binary| to_json(b"\xc4\x02\xfb\xff", JsonOptions::default().binary(binary));
    /// assert_eq!(json(Binary::Base64).unwrap(), b"\"+/8=\"\n");
    /// assert_eq!(json(Binary::Hex).unwrap(), b"\"fbff\"\n");
    /// assert!(json(Binary::Error).is_err());
    /// ```
    #[must_use]
    pub fn binary(self, binary: Binary) -> Self {
        JsonOptions { binary, ..self }
    }

    /// Sets what becomes of keys that are not strings.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, Keys, to_json};
    ///
    /// let options = JsonOptions::default().keys(Keys::Stringify);
    /// assert_eq!(to_json(b"\x81\xff\xc0", options).unwrap(), b"{\"-1\":null}\n");
    /// // A map as a key.
    /// assert!(to_json(b"\x81\x80\xc0", options).is_err());
    /// ```
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        JsonOptions { keys, ..self }
    }
}

/// Converts a sequence of MessagePack values to minified JSON, a line each. Costs memory for the result, and eight bytes
/// per level of nesting.
///
/// Floats are written with the fewest digits that are read as the same float, and with a point or an exponent; single
/// precision with the fewest for single precision. Extensions become `{"$ext":[type,"base64"]}`, timestamps of the
/// years 0 to 9999 strings as in RFC 3339.
///
/// # Errors
///
/// The input is not MessagePack, or JSON has no such value.
///
/// ```
/// use jsonx_core::msgpack::{JsonOptions, to_json};
///
/// let json = |bytes: &[u8]| String::from_utf8(to_json(bytes, JsonOptions::default()).unwrap()).unwrap();
/// assert_eq!(json(b"\x93\xc0\xa1\"\xcb\x3f\xf0\0\0\0\0\0\0\x01"), "[null,\"\\\"\",1.0]\n1\n");
/// assert_eq!(json(b"\xca\x3d\xcc\xcc\xcd"), "0.1\n");
/// assert_eq!(json(b"\xd6\xff\0\0\0\0"), "\"1970-01-01T00:00:00Z\"\n");
/// assert_eq!(json(b"\xd4\x05\x61"), "{\"$ext\":[5,\"YQ==\"]}\n");
/// ```
pub fn to_json(bytes: &[u8], options: JsonOptions) -> Result<Vec<u8>, DecodeError> {
    match write_json(bytes, options, Vec::new()) {
        Ok(text) => Ok(text),
        Err(JsonError::Invalid(error)) => Err(error),
        Err(JsonError::Output(never)) => {
            let never: Infallible = never;
            match never {}
        }
    }
}

/// Why [`write_json`] stopped.
///
/// ```
/// use jsonx_core::msgpack::{JsonError, JsonOptions, write_json};
/// use jsonx_core::WriteTo;
///
/// let mut one = [0; 1];
/// let error = write_json(b"\xc0", JsonOptions::default(), WriteTo(&mut one[..])).map(|_| ()).unwrap_err();
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

impl<E> From<DecodeError> for JsonError<E> {
    fn from(error: DecodeError) -> Self {
        JsonError::Invalid(error)
    }
}

/// As [`to_json`], but writes to `output`, 64 KiB or a string at a time. Returns the output.
///
/// # Errors
///
/// As [`to_json`], after what precedes the error may have been written; the error of the output.
///
/// ```
/// use jsonx_core::msgpack::{JsonOptions, write_json};
/// use jsonx_core::WriteTo;
///
/// let mut file = Vec::new(); // Anything that implements std::io::Write.
/// write_json(b"\x91\x01", JsonOptions::default(), WriteTo(&mut file)).unwrap();
/// assert_eq!(file, b"[1]\n");
/// ```
pub fn write_json<O: Output>(
    bytes: &[u8],
    options: JsonOptions,
    mut output: O,
) -> Result<O, JsonError<O::Error>> {
    let mut reader = Reader::new(bytes);
    let mut json = Json {
        options,
        text: Vec::new(),
        key: Vec::new(),
    };
    let mut frames: Vec<Frame> = Vec::new();
    let mut is_first = true;
    loop {
        if json.text.len() >= WRITTEN {
            output.write(&json.text).map_err(JsonError::Output)?;
            json.text.clear();
        }
        let here = reader;
        let Some(token) = reader.token()? else {
            if frames.is_empty() {
                break;
            }
            return Err(here.error(DecodeErrorKind::Truncated).into());
        };
        let frame = frames.last().copied();
        let is_key = frame.is_some_and(Frame::expects_key);
        match frame {
            Some(frame) if frame.is_map() && !is_key => json.text.push(b':'),
            Some(_) if !is_first => json.text.push(b','),
            _ => {}
        }
        is_first = false;
        let container = match token {
            Token::Array(length) if !is_key => Some((length, false)),
            Token::Map(length) if !is_key => Some((length, true)),
            _ => None,
        };
        if let Some((length, is_map)) = container {
            json.text.push(if is_map { b'{' } else { b'[' });
            let reserved = frames.try_reserve(1);
            reserved.map_err(|_| here.error(DecodeErrorKind::OutOfMemory))?;
            frames.push(Frame::new(length, is_map));
            if length > 0 {
                is_first = true;
                continue;
            }
            json.text.push(if is_map { b'}' } else { b']' });
            frames.pop();
        } else if is_key {
            json.key(token).map_err(|kind| here.error(kind))?;
        } else {
            json.scalar(token).map_err(|kind| here.error(kind))?;
        }
        while let Some(frame) = frames.last_mut() {
            if !frame.end_value() {
                break;
            }
            json.text.push(if frame.is_map() { b'}' } else { b']' });
            frames.pop();
        }
        if frames.is_empty() {
            json.text.push(b'\n');
        }
    }
    output.write(&json.text).map_err(JsonError::Output)?;
    Ok(output)
}

/// Text is written to the output when there is so much of it.
const WRITTEN: usize = 64 << 10;

/// An open container in a word: how many values are left, keys included, and the lowest bit for a map.
#[derive(Clone, Copy)]
struct Frame(u64);

impl Frame {
    fn new(length: u32, is_map: bool) -> Frame {
        Frame(u64::from(length) << (1 + u32::from(is_map)) | u64::from(is_map))
    }

    fn is_map(self) -> bool {
        self.0 & 1 == 1
    }

    fn expects_key(self) -> bool {
        self.0 & 3 == 1
    }

    /// Counts a value; whether it was the last one.
    fn end_value(&mut self) -> bool {
        self.0 -= 2;
        self.0 < 2
    }
}

/// Text on its way to the output.
struct Json {
    options: JsonOptions,
    text: Vec<u8>,
    key: Vec<u8>,
}

impl Json {
    fn scalar(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Nil => self.text.extend_from_slice(b"null"),
            Token::Bool(true) => self.text.extend_from_slice(b"true"),
            Token::Bool(false) => self.text.extend_from_slice(b"false"),
            Token::Uint(value) => push_uint(value, &mut self.text),
            Token::Int(value) => push_int(value, &mut self.text),
            Token::Float(value) if value.is_finite() => push_float(value, &mut self.text),
            Token::Float32(value) if value.is_finite() => push_float(value, &mut self.text),
            Token::Float(_) | Token::Float32(_) => match self.options.non_finite {
                NonFinite::Error => return Err(DecodeErrorKind::NonFinite),
                NonFinite::Null => self.text.extend_from_slice(b"null"),
            },
            Token::Str(value) => self.string(value.as_bytes())?,
            Token::Bin(data) => {
                if self.options.binary == Binary::Error {
                    return Err(DecodeErrorKind::Binary);
                }
                self.reserve(2 * data.len() + 2)?;
                self.text.push(b'"');
                match self.options.binary {
                    Binary::Hex => hex(data, &mut self.text),
                    _ => base64(data, &mut self.text),
                }
                self.text.push(b'"');
            }
            Token::Ext(kind, data) => self.ext(kind, data)?,
            // Containers are no scalars.
            Token::Array(_) | Token::Map(_) => return Err(DecodeErrorKind::Key),
        }
        Ok(())
    }

    fn ext(&mut self, kind: i8, data: &[u8]) -> Result<(), DecodeErrorKind> {
        if kind == TIMESTAMP {
            self.text.push(b'"');
            if timestamp::push(data, &mut self.text) {
                self.text.push(b'"');
                return Ok(());
            }
            self.text.pop();
        }
        self.reserve(2 * data.len() + 20)?;
        self.text.extend_from_slice(b"{\"$ext\":[");
        push_int(i64::from(kind), &mut self.text);
        self.text.extend_from_slice(b",\"");
        base64(data, &mut self.text);
        self.text.extend_from_slice(b"\"]}");
        Ok(())
    }

    fn key(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Str(key) => self.string(key.as_bytes()),
            _ if self.options.keys == Keys::Error => Err(DecodeErrorKind::Key),
            Token::Bin(_) => self.scalar(token),
            _ => {
                let mut key = std::mem::take(&mut self.key);
                key.clear();
                if !push_key(token, &mut key) {
                    return Err(DecodeErrorKind::Key);
                }
                self.string(&key)?;
                self.key = key;
                Ok(())
            }
        }
    }

    /// Appends a string, quotes included.
    fn string(&mut self, text: &[u8]) -> Result<(), DecodeErrorKind> {
        self.reserve(text.len() + 2)?;
        self.text.push(b'"');
        let mut from = 0;
        loop {
            let at = find_special(text, from);
            self.text.extend_from_slice(&text[from..at]);
            let Some(&byte) = text.get(at) else {
                break;
            };
            self.reserve(text.len() - at + 8)?;
            self.text
                .extend_from_slice(escape(char::from(byte)).as_bytes());
            from = at + 1;
        }
        self.text.push(b'"');
        Ok(())
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), DecodeErrorKind> {
        self.text
            .try_reserve(bytes)
            .map_err(|_| DecodeErrorKind::OutOfMemory)
    }
}

/// Appends the text of a key that may not be a string; whether there is one.
pub(super) fn push_key(token: Token<'_>, out: &mut Vec<u8>) -> bool {
    match token {
        Token::Str(key) => out.extend_from_slice(key.as_bytes()),
        Token::Nil => out.extend_from_slice(b"null"),
        Token::Bool(true) => out.extend_from_slice(b"true"),
        Token::Bool(false) => out.extend_from_slice(b"false"),
        Token::Uint(value) => push_uint(value, out),
        Token::Int(value) => push_int(value, out),
        Token::Float(value) if value.is_finite() => push_float(value, out),
        Token::Float32(value) if value.is_finite() => push_float(value, out),
        Token::Bin(data) => base64(data, out),
        _ => return false,
    }
    true
}

fn push_int(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_uint(value.unsigned_abs(), out);
}

fn push_uint(mut value: u64, out: &mut Vec<u8>) {
    // 2⁶⁴ has 20 digits.
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a finite float. The standard library writes the fewest digits, with a point or an exponent, as JSON does.
fn push_float(value: impl fmt::Debug, out: &mut Vec<u8>) {
    let written = write!(out, "{value:?}");
    debug_assert!(written.is_ok(), "a vector takes all bytes");
}
