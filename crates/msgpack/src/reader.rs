//! Bytes to tokens.

use super::{DecodeError, DecodeErrorKind};
use jsonx_core::internal::to_str;

/// One token of MessagePack. A container is its length, followed by that many values or pairs.
///
/// ```
/// use jsonx_msgpack::{Reader, Token};
///
/// let mut reader = Reader::new(b"\x81\xa1n\xff");
/// assert_eq!(reader.token()?, Some(Token::Map(1)));
/// assert_eq!(reader.token()?, Some(Token::Str("n")));
/// assert_eq!(reader.token()?, Some(Token::Int(-1)));
/// assert_eq!(reader.token()?, None);
/// # Ok::<(), jsonx_msgpack::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// Nil.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A non-negative integer.
    Uint(u64),
    /// A negative integer.
    Int(i64),
    /// A single-precision float.
    Float32(f32),
    /// A double.
    Float(f64),
    /// A string, borrowed from the input.
    Str(&'a str),
    /// Binary data, borrowed from the input.
    Bin(&'a [u8]),
    /// An extension: its type, and its data, borrowed from the input.
    Ext(i8, &'a [u8]),
    /// The start of an array of this many values.
    Array(u32),
    /// The start of a map of this many pairs.
    Map(u32),
}

/// Reads the tokens of a slice. Nothing is allocated, and strings are borrowed.
///
/// A length that the rest of the input cannot hold is an error at once, so memory may be reserved for a length.
///
/// ```
/// use jsonx_msgpack::{DecodeErrorKind, Reader};
///
/// // An array of 4,294,967,295 values.
/// let error = Reader::new(b"\xdd\xff\xff\xff\xff\xc0").token().unwrap_err();
/// assert_eq!((error.kind, error.offset), (DecodeErrorKind::Truncated, 6));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// More bytes may follow, so the number of values in the input is not limited by its length.
    is_part: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    ///
    /// ```
    /// use jsonx_msgpack::{Reader, Token};
    ///
    /// assert_eq!(Reader::new(b"\xc3").token(), Ok(Some(Token::Bool(true))));
    /// assert_eq!(Reader::new(b"").token(), Ok(None));
    /// ```
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader {
            bytes,
            at: 0,
            is_part: false,
        }
    }

    /// A reader of a part of the input, after which more bytes may follow.
    pub(super) fn part(bytes: &'a [u8]) -> Self {
        Reader {
            is_part: true,
            ..Reader::new(bytes)
        }
    }

    /// The input from the next token on.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Skips a token that was read from [`rest`](Self::rest).
    #[inline(always)]
    pub(super) fn skip(&mut self, length: usize) {
        self.at += length;
    }

    #[inline(always)]
    pub(super) fn is_part(&self) -> bool {
        self.is_part
    }

    /// The length of the token that begins with the non-empty `bytes`; if it is not known yet, the number of bytes needed to
    /// continue.
    pub(super) fn token_length(bytes: &[u8]) -> u64 {
        // The size of the number, or of the length and type before the data.
        let (header, data) = match bytes[0] {
            first @ 0xa0..=0xbf => return 1 + u64::from(first & 31),
            first @ (0xc4..=0xc6 | 0xd9..=0xdb) => {
                let form = if first < 0xd9 {
                    first - 0xc4
                } else {
                    first - 0xd9
                };
                (1 << form, 0)
            }
            first @ 0xc7..=0xc9 => (1 << (first - 0xc7), 1),
            first @ 0xd4..=0xd8 => return 2 + (1 << (first - 0xd4)),
            0xcc | 0xd0 => return 2,
            0xcd | 0xd1 | 0xdc | 0xde => return 3,
            0xca | 0xce | 0xd2 | 0xdd | 0xdf => return 5,
            0xcb | 0xcf | 0xd3 => return 9,
            _ => return 1,
        };
        match bytes.get(1..1 + header) {
            None => 1 + header as u64,
            Some(length) => {
                let length = length
                    .iter()
                    .fold(0, |length, &byte| length << 8 | u64::from(byte));
                1 + header as u64 + data + length
            }
        }
    }

    /// The lengths of the header and the data of a token with much data, if `bytes` has its header. Shorter data always has a
    /// shorter header from a packer.
    pub(super) fn long_data(bytes: &[u8]) -> Option<(usize, u64)> {
        let header = match bytes.first()? {
            0xc6 | 0xdb => 5,
            0xc9 => 6,
            _ => return None,
        };
        let length = u32::from_be_bytes(*bytes.get(1..header)?.first_chunk()?);
        (length as usize > LONG).then_some((header, u64::from(length)))
    }

    /// The data of the string at the start of `bytes`, all of which is there.
    pub(super) fn string_data(bytes: &[u8]) -> &[u8] {
        let header = match bytes.first() {
            Some(0xd9) => 2,
            Some(0xda) => 3,
            Some(0xdb) => 5,
            _ => 1,
        };
        let length = Reader::token_length(bytes) as usize;
        bytes.get(header..length).unwrap_or_default()
    }

    /// Bytes from the start of the input to the next token.
    ///
    /// ```
    /// let mut reader = jsonx_msgpack::Reader::new(b"\xa2ab\xc0");
    /// reader.token()?;
    /// assert_eq!(reader.offset(), 3);
    /// # Ok::<(), jsonx_msgpack::DecodeError>(())
    /// ```
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Reads the next token; `None` at the end of the input. Takes constant time, except for checking the UTF-8 of a string.
    ///
    /// # Errors
    ///
    /// [`DecodeErrorKind::Truncated`] at the length of the input, [`DecodeErrorKind::Reserved`] for the byte 0xc1,
    /// [`DecodeErrorKind::InvalidUtf8`] at the first byte of a string that is not UTF-8. The reader does not advance.
    ///
    /// ```
    /// use jsonx_msgpack::{DecodeErrorKind, Reader};
    ///
    /// let error = Reader::new(b"\xa2a\xff").token().unwrap_err();
    /// assert_eq!((error.kind, error.offset), (DecodeErrorKind::InvalidUtf8, 2));
    /// ```
    #[inline]
    pub fn token(&mut self) -> Result<Option<Token<'a>>, DecodeError> {
        let Some((&first, rest)) = self.bytes.get(self.at..).and_then(<[u8]>::split_first) else {
            return Ok(None);
        };
        let (token, length) = match first {
            0x00..=0x7f => (Token::Uint(u64::from(first)), 0),
            0xe0..=0xff => (Token::Int(i64::from(first as i8)), 0),
            0xa0..=0xbf => self.string(rest, 0, u32::from(first & 31))?,
            0x90..=0x9f => self.container(rest, 0, u32::from(first & 15), false)?,
            0x80..=0x8f => self.container(rest, 0, u32::from(first & 15), true)?,
            0xc0 => (Token::Nil, 0),
            0xc1 => return Err(self.error(DecodeErrorKind::Reserved)),
            0xc2 | 0xc3 => (Token::Bool(first == 0xc3), 0),
            _ => self.long(first, rest)?,
        };
        self.at += 1 + length;
        Ok(Some(token))
    }

    /// Tokens whose first byte is followed by a number or a length.
    fn long(&self, first: u8, rest: &'a [u8]) -> Result<(Token<'a>, usize), DecodeError> {
        Ok(match first {
            0xcc => (
                Token::Uint(u64::from(u8::from_be_bytes(self.take(rest)?))),
                1,
            ),
            0xcd => (
                Token::Uint(u64::from(u16::from_be_bytes(self.take(rest)?))),
                2,
            ),
            0xce => (
                Token::Uint(u64::from(u32::from_be_bytes(self.take(rest)?))),
                4,
            ),
            0xcf => (Token::Uint(u64::from_be_bytes(self.take(rest)?)), 8),
            0xd0 => (int(i64::from(i8::from_be_bytes(self.take(rest)?))), 1),
            0xd1 => (int(i64::from(i16::from_be_bytes(self.take(rest)?))), 2),
            0xd2 => (int(i64::from(i32::from_be_bytes(self.take(rest)?))), 4),
            0xd3 => (int(i64::from_be_bytes(self.take(rest)?)), 8),
            0xca => (Token::Float32(f32::from_be_bytes(self.take(rest)?)), 4),
            0xcb => (Token::Float(f64::from_be_bytes(self.take(rest)?)), 8),
            0xd9..=0xdb => {
                let (size, length) = self.length(rest, first - 0xd9)?;
                self.string(rest, size, length)?
            }
            0xc4..=0xc6 => {
                let (size, length) = self.length(rest, first - 0xc4)?;
                let data = self.data(rest, size, length)?;
                (Token::Bin(data), size + data.len())
            }
            0xc7..=0xc9 => {
                let (size, length) = self.length(rest, first - 0xc7)?;
                self.ext(rest, size, length)?
            }
            0xd4..=0xd8 => self.ext(rest, 0, 1 << (first - 0xd4))?,
            0xdc | 0xdd => {
                let (size, length) = self.length(rest, first - 0xdc + 1)?;
                self.container(rest, size, length, false)?
            }
            // 0xde and 0xdf: all others are matched.
            _ => {
                let (size, length) = self.length(rest, first.wrapping_sub(0xde) + 1)?;
                self.container(rest, size, length, true)?
            }
        })
    }

    /// The size and the value of the length in the first 1, 2 or 4 bytes of `rest`, by `form` 0, 1 or 2.
    fn length(&self, rest: &[u8], form: u8) -> Result<(usize, u32), DecodeError> {
        Ok(match form {
            0 => (1, u32::from(u8::from_be_bytes(self.take(rest)?))),
            1 => (2, u32::from(u16::from_be_bytes(self.take(rest)?))),
            _ => (4, u32::from_be_bytes(self.take(rest)?)),
        })
    }

    /// A container whose length takes `size` bytes. Each of its values takes at least one byte.
    fn container(
        &self,
        rest: &[u8],
        size: usize,
        length: u32,
        is_map: bool,
    ) -> Result<(Token<'a>, usize), DecodeError> {
        let least = u64::from(length) << u32::from(is_map);
        if !self.is_part && ((rest.len() - size) as u64) < least {
            return Err(self.truncated());
        }
        let token = if is_map {
            Token::Map(length)
        } else {
            Token::Array(length)
        };
        Ok((token, size))
    }

    fn string(
        &self,
        rest: &'a [u8],
        size: usize,
        length: u32,
    ) -> Result<(Token<'a>, usize), DecodeError> {
        let data = self.data(rest, size, length)?;
        match utf8(data) {
            Some(text) => Ok((Token::Str(text), size + data.len())),
            None => Err(self.not_utf8(data, size)),
        }
    }

    fn ext(
        &self,
        rest: &'a [u8],
        size: usize,
        length: u32,
    ) -> Result<(Token<'a>, usize), DecodeError> {
        let [kind] = self.take(&rest[size..])?;
        let data = self.data(rest, size + 1, length)?;
        Ok((Token::Ext(kind as i8, data), size + 1 + data.len()))
    }

    fn data(&self, rest: &'a [u8], size: usize, length: u32) -> Result<&'a [u8], DecodeError> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        rest[size..].get(..length).ok_or_else(|| self.truncated())
    }

    fn take<const N: usize>(&self, rest: &[u8]) -> Result<[u8; N], DecodeError> {
        rest.first_chunk().copied().ok_or_else(|| self.truncated())
    }

    /// The error of an input that is too short for the token.
    #[cold]
    fn truncated(&self) -> DecodeError {
        DecodeError {
            kind: DecodeErrorKind::Truncated,
            offset: self.bytes.len() as u64,
        }
    }

    /// The error of a string that is not UTF-8, after a length of `size` bytes.
    #[cold]
    fn not_utf8(&self, data: &[u8], size: usize) -> DecodeError {
        let valid = str::from_utf8(data).map_or_else(|error| error.valid_up_to(), str::len);
        DecodeError {
            kind: DecodeErrorKind::InvalidUtf8,
            offset: (self.at + 1 + size + valid) as u64,
        }
    }

    /// An error at the token.
    #[cold]
    pub(super) fn error(&self, kind: DecodeErrorKind) -> DecodeError {
        DecodeError {
            kind,
            offset: self.at as u64,
        }
    }
}

/// Longer data need not be in memory. In tests, boundaries within data are frequent.
const LONG: usize = if cfg!(test) { 16 } else { 64 << 10 };

/// The text of a string, if it is UTF-8.
pub(super) fn utf8(data: &[u8]) -> Option<&str> {
    match data.len() {
        // For short strings the standard library is faster than selecting a kernel.
        0..32 => str::from_utf8(data).ok(),
        _ => to_str(data),
    }
}

/// A signed form may hold a non-negative integer.
fn int<'a>(value: i64) -> Token<'a> {
    u64::try_from(value).map_or(Token::Int(value), Token::Uint)
}
