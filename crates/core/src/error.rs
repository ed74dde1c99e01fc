//! The error type of the library: cause, path, offset, line, column, and the source line.

mod excerpt;
#[cfg(feature = "serde")]
mod place;
#[cfg(test)]
mod tests;

use core::convert::Infallible;
use core::fmt;
use std::io;

use crate::kernel::KernelError;
use crate::path::{Location, Notation, PathError, RegexpError, Step};
#[cfg(feature = "serde")]
use crate::position;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::Stop;
use excerpt::Excerpt;

/// Any error of this library: a text that is not JSON, data that does not fit a type, or a reader or writer that failed.
///
/// The functions that read and write values return it, and all other errors of the crate convert into it, so `?` needs no other
/// type. It has the size of a pointer.
///
/// | of | `is_…` | has |
/// |---|---|---|
/// | the text | [`is_syntax`](Error::is_syntax), [`is_eof`](Error::is_eof) | [`kind`](Error::kind), offset |
/// | the data | [`is_data`](Error::is_data) | path, offset |
/// | a reader or writer | [`is_io`](Error::is_io) | [`io_error_kind`](Error::io_error_kind), `source` |
/// | paths, edits, patches | - | `source`: the original |
///
/// `{}` displays one line that ends with the position; `{:#}` displays a diagnostic with the source line and a caret. In an
/// `anyhow::Error`, `{:#}` prints the causes on one line instead: to print the diagnostic, format
/// `error.downcast_ref::<jsonx_core::Error>()`.
///
/// ```
/// use std::collections::HashMap;
///
/// let text = br#"{"ports": {"http": 80, "https": "443"}}"#;
/// let error = jsonx_core::from_slice::<HashMap<String, HashMap<String, u16>>>(text).unwrap_err();
/// assert_eq!(error.to_string(), r#".ports.https: expected u16, found string "443" at line 1 column 33"#);
/// assert_eq!((error.offset(), error.line(), error.column()), (Some(32), Some(1), Some(33)));
/// assert_eq!(format!("{error:#}"), "\
/// error: expected u16, found string \"443\"
///  --> 1:33 (.ports.https)
///   |
/// 1 | {\"ports\": {\"http\": 80, \"https\": \"443\"}}
///   |                                 ^
/// ");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    cause: Cause,
    offset: Option<u64>,
    /// From the innermost step to the outermost.
    steps: Vec<Step>,
    /// The line with the error.
    excerpt: Option<Excerpt>,
}

enum Cause {
    Syntax(ErrorKind),
    Data(String),
    Io(io::Error),
    Other(Box<dyn core::error::Error + Send + Sync>),
}

impl Error {
    #[cold]
    fn new(cause: Cause, offset: Option<u64>) -> Self {
        Error(Box::new(Inner {
            cause,
            offset,
            steps: Vec::new(),
            excerpt: None,
        }))
    }

    /// An error of data that does not fit the type, or cannot be written.
    ///
    /// ```
    /// let error = jsonx_core::Error::data("expected an even number").at_offset(3);
    /// assert_eq!(error.to_string(), "expected an even number at offset 3");
    /// assert!(error.is_data());
    /// ```
    #[cold]
    pub fn data(message: impl fmt::Display) -> Self {
        Error::new(Cause::Data(message.to_string()), None)
    }

    /// Wraps an error of another type, as that of your own [`Sink`](crate::engine::Sink).
    ///
    /// ```
    /// use std::error::Error as _;
    ///
    /// let error = jsonx_core::Error::other("one".parse::<u8>().unwrap_err());
    /// assert!(error.source().unwrap().is::<std::num::ParseIntError>());
    /// ```
    #[cold]
    pub fn other(source: impl core::error::Error + Send + Sync + 'static) -> Self {
        Error::new(Cause::Other(Box::new(source)), None)
    }

    /// Sets the offset of an error that has none, in bytes from the start of the text.
    ///
    /// ```
    /// let error = jsonx_core::Error::data("expected an even number").at_offset(3);
    /// assert_eq!(error.at_offset(5).offset(), Some(3));
    /// ```
    #[cold]
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// The same error with its line and column in `text`, and an excerpt of the line to show. Takes time proportional to the
    /// length of the text before the error, and memory for at most 80 characters.
    ///
    /// Functions that read from memory or from lines have already done this.
    ///
    /// ```
    /// let text = b"[1,\n2,]";
    /// let error = jsonx_core::Error::from(jsonx_core::validate(text).unwrap_err());
    /// assert_eq!(error.to_string(), "expected a value at offset 6");
    /// assert_eq!(error.in_text(text).to_string(), "expected a value at line 2 column 3");
    /// ```
    #[cold]
    #[must_use]
    pub fn in_text(mut self, text: &[u8]) -> Self {
        if let Some(offset) = self.0.offset {
            self.0.excerpt = Some(Excerpt::new(text, offset));
        }
        self
    }

    /// As [`in_text`](Error::in_text), where only `text` is left, and `before` has counted the lines before it. An error before
    /// `text` keeps its offset only.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn in_rest(mut self, before: &position::LineCounter, text: &[u8]) -> Self {
        let at = self.0.offset.and_then(|at| at.checked_sub(before.offset()));
        if let Some(at) = at {
            let at = usize::try_from(at).map_or(text.len(), |at| at.min(text.len()));
            let mut counter = before.clone();
            counter.feed(&text[..at]);
            let position = counter.position(&text[at..]);
            let whole = before.line_start() == before.offset();
            self.0.excerpt = Some(Excerpt::at(position, text, at, whole));
        }
        self
    }

    /// The syntax error, if the text is not JSON; `None` for any other error.
    ///
    /// ```
    /// use jsonx_core::ErrorKind;
    ///
    /// let error = jsonx_core::from_str::<Vec<u8>>("[1,]").unwrap_err();
    /// assert_eq!(error.kind(), Some(ErrorKind::ExpectedValue));
    /// ```
    pub fn kind(&self) -> Option<ErrorKind> {
        match self.0.cause {
            Cause::Syntax(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether the text is not JSON.
    ///
    /// ```
    /// assert!(jsonx_core::from_str::<Vec<u8>>("[256,]").unwrap_err().is_syntax());
    /// ```
    pub fn is_syntax(&self) -> bool {
        self.kind().is_some()
    }

    /// Whether the text ends before its value is complete, so that more input could complete it.
    ///
    /// ```
    /// assert!(jsonx_core::from_str::<Vec<u8>>("[1, 2").unwrap_err().is_eof());
    /// assert!(!jsonx_core::from_str::<Vec<u8>>("[1}").unwrap_err().is_eof());
    /// ```
    pub fn is_eof(&self) -> bool {
        self.kind() == Some(ErrorKind::UnexpectedEnd)
    }

    /// Whether the text is JSON as far as it was read but its data does not fit the type, or a value cannot be written as JSON.
    ///
    /// ```
    /// assert!(jsonx_core::from_str::<Vec<u8>>("[256]").unwrap_err().is_data());
    /// ```
    pub fn is_data(&self) -> bool {
        matches!(self.0.cause, Cause::Data(_))
    }

    /// Whether the reader or writer failed.
    ///
    /// ```
    /// let error = jsonx_core::to_writer(&mut [0; 2][..], "long").unwrap_err();
    /// assert!(error.is_io());
    /// ```
    pub fn is_io(&self) -> bool {
        matches!(self.0.cause, Cause::Io(_))
    }

    /// The kind of the error of the reader or writer; `None` for any other error.
    ///
    /// ```
    /// use std::io;
    ///
    /// let error = jsonx_core::to_writer(&mut [0; 2][..], "long").unwrap_err();
    /// assert_eq!(error.io_error_kind(), Some(io::ErrorKind::WriteZero));
    /// ```
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        match &self.0.cause {
            Cause::Io(error) => Some(error.kind()),
            _ => None,
        }
    }

    /// Bytes from the start of the text to the error: for an error of the data, to the value. Of `lines`,
    /// from the start of the line.
    ///
    /// ```
    /// let error = jsonx_core::from_str::<Vec<u8>>("[1, 256]").unwrap_err();
    /// assert_eq!(error.offset(), Some(4));
    /// ```
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The line of the error, from 1; `None` if the text was not available.
    ///
    /// ```
    /// let text = "{\"a\": 1}\n{\"a\": 2}\n{\"a\": }\n";
    /// let last = jsonx_core::lines::<serde::de::IgnoredAny, _>(text.as_bytes()).last();
    /// let error = last.unwrap().unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(3), Some(7)));
    /// ```
    pub fn line(&self) -> Option<u64> {
        self.0.excerpt.as_ref().map(|excerpt| excerpt.line)
    }

    /// The column of the error, from 1, in code points; `None` if the text was not available.
    ///
    /// ```
    /// let error = jsonx_core::from_str::<Vec<&str>>("[\"é\", 1]").unwrap_err();
    /// assert_eq!(error.column(), Some(7));
    /// ```
    pub fn column(&self) -> Option<u64> {
        self.0.excerpt.as_ref().map(|excerpt| excerpt.column)
    }

    /// The path of the value with the error: the root, if the text is not JSON.
    ///
    /// ```
    /// use jsonx_core::path::Notation;
    ///
    /// let error = jsonx_core::from_str::<Vec<Vec<u8>>>("[[], [1, true]]").unwrap_err();
    /// assert_eq!(error.path().display(Notation::Pointer).to_string(), "/1/1");
    /// ```
    pub fn path(&self) -> Location {
        let steps: Vec<Step> = self.0.steps.iter().rev().cloned().collect();
        steps.into()
    }

    fn diagnostic(&self) -> String {
        let path = self.path();
        let place = if path.steps().is_empty() {
            String::new()
        } else {
            format!(" ({})", path.display(Notation::Dot))
        };
        let excerpt = self.0.excerpt.as_ref();
        let cause = self.cause(excerpt);
        match (excerpt, self.0.offset) {
            (Some(excerpt), _) => format!("error: {cause}\n{}", excerpt.render(&place)),
            (None, Some(offset)) => format!("error: {cause}\n --> offset {offset}{place}\n"),
            (None, None) => format!("error: {cause}\n"),
        }
    }

    /// The cause; names a byte-order mark at its position.
    fn cause(&self, excerpt: Option<&Excerpt>) -> String {
        let is_marked = self.is_syntax() && excerpt.is_some_and(|excerpt| excerpt.is_marked);
        let found = if is_marked {
            ", found a byte-order mark"
        } else {
            ""
        };
        format!("{}{found}", self.0.cause)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Syntax(kind) => kind.fmt(f),
            Cause::Data(message) => f.write_str(message),
            Cause::Io(error) => error.fmt(f),
            Cause::Other(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            offset,
            steps,
            excerpt,
            ..
        } = &*self.0;
        if f.alternate() {
            return f.write_str(&self.diagnostic());
        }
        if !steps.is_empty() {
            write!(f, "{}: ", self.path().display(Notation::Dot))?;
        }
        f.write_str(&self.cause(excerpt.as_ref()))?;
        match (excerpt, offset) {
            (Some(Excerpt { line, column, .. }), _) => {
                write!(f, " at line {line} column {column}")
            }
            (None, Some(offset)) => write!(f, " at offset {offset}"),
            (None, None) => Ok(()),
        }
    }
}

/// One line with the position, as printed by a `main` that returns the error.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?})", self.to_string())
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.cause {
            Cause::Syntax(_) | Cause::Data(_) => None,
            Cause::Io(error) => Some(error),
            Cause::Other(error) => Some(&**error),
        }
    }
}

impl From<SyntaxError> for Error {
    #[cold]
    fn from(error: SyntaxError) -> Self {
        Error::new(Cause::Syntax(error.kind), Some(error.offset))
    }
}

impl From<io::Error> for Error {
    /// Unwraps an error of this library that was converted to an `io::Error`.
    #[cold]
    fn from(error: io::Error) -> Self {
        match error.downcast::<Error>() {
            Ok(error) => error,
            Err(error) => Error::new(Cause::Io(error), None),
        }
    }
}

impl From<Error> for io::Error {
    /// The error of the reader or writer itself, or one that wraps this one, as kind `InvalidInput` (of paths, edits and
    /// patches) or `InvalidData`.
    fn from(error: Error) -> io::Error {
        let kind = match error.0.cause {
            Cause::Io(error) => return error,
            Cause::Syntax(_) | Cause::Data(_) => io::ErrorKind::InvalidData,
            Cause::Other(_) => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, error)
    }
}

/// Implements the conversion of errors of other types, which are wrapped.
macro_rules! wrap {
    ($($source:ident)*) => {$(
        impl From<$source> for $crate::Error {
            #[cold]
            fn from(error: $source) -> Self {
                $crate::Error::other(error)
            }
        }
    )*};
}
pub(crate) use wrap;

wrap! { KernelError PathError RegexpError }

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl<E: Into<Error>> From<Stop<E>> for Error {
    fn from(stop: Stop<E>) -> Self {
        match stop {
            Stop::Invalid(error) => error.into(),
            Stop::Sink(error) => error.into(),
        }
    }
}
