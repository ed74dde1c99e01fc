//! Conversion errors, with their position.

use core::convert::Infallible;
use core::fmt;

use jsonx_core::Error;

/// An error in MessagePack input.
///
/// ```
/// use jsonx_msgpack::{DecodeErrorKind, JsonOptions, to_json};
///
/// let packed = b"\x81\xa1a\x92\x01\xc1";
/// let error = to_json(packed, JsonOptions::default()).unwrap_err();
/// assert_eq!((error.kind, error.offset), (DecodeErrorKind::Reserved, 5));
/// assert_eq!(error.to_string(), "the byte 0xc1 is reserved");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The kind of error.
    pub kind: DecodeErrorKind,
    /// Bytes from the start of the input.
    pub offset: u64,
}

/// The kinds of [`DecodeError`]. The first three are errors in the MessagePack; the others are values that JSON cannot
/// represent.
///
/// ```
/// use jsonx_msgpack::{DecodeErrorKind, JsonOptions, to_json};
///
/// let kind = |bytes: &[u8]| to_json(bytes, JsonOptions::default()).unwrap_err().kind;
/// assert_eq!(kind(b"\x92\x01"), DecodeErrorKind::Truncated);
/// assert_eq!(kind(b"\xca\x7f\xc0\x00\x00"), DecodeErrorKind::NonFinite);
/// assert_eq!(kind(b"\x81\x01\x02"), DecodeErrorKind::Key);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends in the middle of a value; the offset is its length. Or a length is larger than the rest.
    Truncated,
    /// The byte 0xc1, which begins no value.
    Reserved,
    /// A string is not UTF-8.
    InvalidUtf8,
    /// A float is infinite or not a number.
    NonFinite,
    /// A key is not a string; or it is a container or an extension, which cannot become one.
    Key,
    /// Containers are nested deeper than [`JsonOptions::max_depth`](super::JsonOptions::max_depth) allows.
    TooDeep,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            DecodeErrorKind::Truncated => "the input ends in the middle of a value",
            DecodeErrorKind::Reserved => "the byte 0xc1 is reserved",
            DecodeErrorKind::InvalidUtf8 => "the string is not valid UTF-8",
            DecodeErrorKind::NonFinite => "JSON has no infinite numbers and no NaN",
            DecodeErrorKind::Key => "the key is not a string",
            DecodeErrorKind::TooDeep => "the value is nested too deeply",
        })
    }
}

impl core::error::Error for DecodeError {}

impl From<DecodeError> for Error {
    #[cold]
    fn from(error: DecodeError) -> Self {
        Error::other(error).at_offset(error.offset)
    }
}

/// An error of converting JSON to MessagePack. `E` is the error of the output.
///
/// ```
/// use jsonx_msgpack::{EncodeError, EncodeErrorKind, EncodeOptions, from_json};
/// use jsonx_core::engine::Stop;
///
/// let stop = from_json(b"[1, 18446744073709551616]", EncodeOptions::default()).unwrap_err();
/// let Stop::Sink(EncodeError::Value { kind, offset }) = stop else { unreachable!() };
/// assert_eq!((kind, offset), (EncodeErrorKind::BigNumber, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError<E> {
    /// MessagePack has no such value.
    Value {
        /// The kind of error.
        kind: EncodeErrorKind,
        /// Bytes from the start of the input to the number, string, escape or bracket.
        offset: u64,
    },
    /// The output could not be written.
    Output(E),
    /// The result of a value is longer than the [limit](super::Encoder::limit).
    TooLarge,
    /// The text was not encoded from its start, or is not the one that was measured.
    OtherText,
}

/// The values that MessagePack cannot represent.
///
/// ```
/// use jsonx_msgpack::EncodeErrorKind;
///
/// assert_eq!(EncodeErrorKind::LoneSurrogate.to_string(), "a lone surrogate is not a character");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeErrorKind {
    /// An integer below −2⁶³ or above 2⁶⁴ − 1, or a number that is infinite as a double.
    BigNumber,
    /// An escaped lone surrogate.
    LoneSurrogate,
    /// A string of more than 2³² − 1 bytes, or a container of more than 2³² − 1 values.
    TooLong,
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EncodeErrorKind::BigNumber => "the number is out of range for MessagePack",
            EncodeErrorKind::LoneSurrogate => "a lone surrogate is not a character",
            EncodeErrorKind::TooLong => "MessagePack has no lengths beyond 4294967295",
        })
    }
}

impl<E: fmt::Display> fmt::Display for EncodeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Value { kind, .. } => kind.fmt(f),
            EncodeError::Output(error) => error.fmt(f),
            EncodeError::TooLarge => f.write_str("the value is too long to be buffered"),
            EncodeError::OtherText => {
                f.write_str("the text is not the one that was measured, or not from its start")
            }
        }
    }
}

impl<E: core::error::Error> core::error::Error for EncodeError<E> {}

/// The error of writing a string, binary data or an extension of more than 2³² − 1 bytes, of which nothing was written.
///
/// ```
/// use jsonx_msgpack::TooLong;
///
/// assert_eq!(TooLong.to_string(), "MessagePack has no lengths beyond 4294967295 bytes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessagePack has no lengths beyond 4294967295 bytes")
    }
}

impl core::error::Error for TooLong {}

impl From<TooLong> for Error {
    #[cold]
    fn from(error: TooLong) -> Self {
        Error::other(error)
    }
}

impl<E: Into<Error>> From<EncodeError<E>> for Error {
    #[cold]
    fn from(error: EncodeError<E>) -> Self {
        match error {
            EncodeError::Value { kind, offset } => Error::data(kind).at_offset(offset),
            EncodeError::Output(error) => error.into(),
            EncodeError::TooLarge => Error::other(EncodeError::<Infallible>::TooLarge),
            EncodeError::OtherText => Error::other(EncodeError::<Infallible>::OtherText),
        }
    }
}

impl<E> EncodeError<E> {
    /// The error of a string or container at `offset` that is too long.
    pub(super) fn too_long(offset: u64) -> Self {
        EncodeError::Value {
            kind: EncodeErrorKind::TooLong,
            offset,
        }
    }
}
