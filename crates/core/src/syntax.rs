//! Errors of the engine: kind and offset.

use core::fmt;
use std::io;

/// A validation error: the expected token, and the offset of the first byte at which the input is no longer a prefix of any valid
/// JSON text (its length if it ends too early). It converts into [`Error`](crate::Error), which also has a line and a column.
///
/// ```
/// let error = jsonx_core::validate(b"[1,]").unwrap_err();
/// assert_eq!(error.offset, 3);
/// assert_eq!(error.to_string(), "expected a value");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// The kind of error at `offset`.
    pub kind: ErrorKind,
    /// Bytes from the start of the input to the offending byte.
    pub offset: u64,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for SyntaxError {}

impl From<SyntaxError> for io::Error {
    /// Wraps the error, as kind `InvalidData`.
    fn from(error: SyntaxError) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// The kinds of [`SyntaxError`]: the requirement of the grammar at the offending byte.
///
/// ```
/// use jsonx_core::{ErrorKind, validate};
///
/// assert_eq!(validate(b"tru").unwrap_err().kind, ErrorKind::UnexpectedEnd);
/// assert_eq!(validate(b"[1 2]").unwrap_err().kind, ErrorKind::ExpectedCommaOrCloseArray);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value must start here: at the start of the input, after `:`, or after `,` in an array.
    ExpectedValue,
    /// A value or `]` must follow `[`.
    ExpectedValueOrClose,
    /// A key (a string) must follow `,` in an object.
    ExpectedKey,
    /// A key or `}` must follow `{`.
    ExpectedKeyOrClose,
    /// `:` must follow a key.
    ExpectedColon,
    /// `,` or `}` must follow a member of an object.
    ExpectedCommaOrCloseObject,
    /// `,` or `]` must follow an element of an array.
    ExpectedCommaOrCloseArray,
    /// The value is complete, and only white space may follow it.
    TrailingContent,
    /// A byte of `true`, `false` or `null` is wrong.
    BadLiteral,
    /// A digit must follow the minus sign.
    ExpectedDigitAfterMinus,
    /// A digit must follow the decimal point.
    ExpectedFractionDigit,
    /// A digit must follow `e` or `E` and an optional sign.
    ExpectedExponentDigit,
    /// A string contains an unescaped byte below 0x20.
    ControlCharacter,
    /// The byte after a backslash is none of `" \ / b f n r t u`.
    BadEscape,
    /// One of the four digits after `\u` is not a hexadecimal digit.
    BadUnicodeEscape,
    /// The bytes of a string are not UTF-8 (RFC 3629).
    InvalidUtf8,
    /// `/` or `*` must follow a slash outside strings, where comments are allowed.
    ExpectedComment,
    /// The input ends before the value, or a comment, is complete; the offset is its length.
    UnexpectedEnd,
    /// The containers are nested deeper than the limit allows; the offset is that of the opening bracket.
    TooDeep,
    /// A [`Document`](crate::Document) would have 1 TiB or more; the offset is 1 TiB.
    TooLong,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::ExpectedValue => "expected a value",
            ErrorKind::ExpectedValueOrClose => "expected a value or `]`",
            ErrorKind::ExpectedKey => "expected a key in double quotes",
            ErrorKind::ExpectedKeyOrClose => "expected a key in double quotes or `}`",
            ErrorKind::ExpectedColon => "expected `:` after the key",
            ErrorKind::ExpectedCommaOrCloseObject => "expected `,` or `}`",
            ErrorKind::ExpectedCommaOrCloseArray => "expected `,` or `]`",
            ErrorKind::TrailingContent => "expected the end of the input after the value",
            ErrorKind::BadLiteral => "expected `true`, `false` or `null`",
            ErrorKind::ExpectedDigitAfterMinus => "expected a digit after `-`",
            ErrorKind::ExpectedFractionDigit => "expected a digit after the decimal point",
            ErrorKind::ExpectedExponentDigit => "expected a digit in the exponent",
            ErrorKind::ControlCharacter => "control characters in strings must be escaped",
            ErrorKind::BadEscape => {
                "expected one of `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` after the backslash"
            }
            ErrorKind::BadUnicodeEscape => "expected four hexadecimal digits after `\\u`",
            ErrorKind::InvalidUtf8 => "the text is not valid UTF-8 here",
            ErrorKind::ExpectedComment => "expected a comment: `//` or `/*`",
            ErrorKind::UnexpectedEnd => "the text ends before the value is complete",
            ErrorKind::TooDeep => "nested too deeply",
            ErrorKind::TooLong => "the text is too long for a document",
        })
    }
}
