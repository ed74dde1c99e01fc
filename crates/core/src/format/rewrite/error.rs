//! Errors of rewriting.

use core::convert::Infallible;
use core::fmt;
use std::io;

use crate::syntax::SyntaxError;

/// The reason why a text has no canonical form, and its position.
///
/// ```
/// use jsonx_core::engine::{Options, Stop, Validator};
/// use jsonx_core::format::{NotCanonical, NotCanonicalKind, RewriteError, RewriteOptions, Rewriter};
///
/// let mut rewriter = Rewriter::new(RewriteOptions::default().canonical(true), Vec::new());
/// let stop = Validator::new(Options::default()).check(br#"{"n": 1e400}"#, &mut rewriter).unwrap_err();
/// let reason = NotCanonical { kind: NotCanonicalKind::Rounded, offset: 6 };
/// assert_eq!(stop, Stop::Sink(RewriteError::NotCanonical(reason)));
/// assert_eq!(reason.to_string(), "the number would be rounded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCanonical {
    /// The reason.
    pub kind: NotCanonicalKind,
    /// Bytes from the start of the input to the key, escape or number.
    pub offset: u64,
}

/// The kinds of [`NotCanonical`].
///
/// ```
/// use jsonx_core::engine::{Options, Stop, Validator};
/// use jsonx_core::format::{NotCanonicalKind, RewriteError, RewriteOptions, Rewriter};
///
/// let reason = |text: &str| {
///     let mut rewriter = Rewriter::new(RewriteOptions::default().canonical(true), Vec::new());
///     match Validator::new(Options::default()).check(text.as_bytes(), &mut rewriter) {
///         Err(Stop::Sink(RewriteError::NotCanonical(reason))) => Some(reason.kind),
///         other => other.map(|()| None).unwrap(),
///     }
/// };
/// assert_eq!(reason(r#"{"a": 1, "\u0061": 2}"#), Some(NotCanonicalKind::DuplicateKey { first: 1 }));
/// assert_eq!(reason(r#"["\ud83d", "\ud83d\ude00"]"#), Some(NotCanonicalKind::LoneSurrogate));
/// assert_eq!(reason("[9007199254740993]"), Some(NotCanonicalKind::Rounded));
/// assert_eq!(reason("[9007199254740992, 0.1, 1.50, -0]"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCanonicalKind {
    /// The object has this key already, compared after decoding.
    DuplicateKey {
        /// The first such key, in bytes from the start of the input.
        first: u64,
    },
    /// An escaped lone surrogate, which is not a character.
    LoneSurrogate,
    /// A number that equals no double when that is written with as many digits: `9007199254740993` and `1e400`, but not
    /// `0.1`.
    Rounded,
}

impl NotCanonical {
    /// The same error in an input with `bytes` more bytes before the text: adjusts all offsets.
    ///
    /// ```
    /// use jsonx_core::format::{NotCanonical, NotCanonicalKind};
    ///
    /// // For `{"a": 1, "a": 2}` after a byte order mark.
    /// let reason = NotCanonical { kind: NotCanonicalKind::DuplicateKey { first: 1 }, offset: 9 };
    /// let moved = reason.moved("\u{feff}".len() as u64);
    /// assert_eq!(moved, NotCanonical { kind: NotCanonicalKind::DuplicateKey { first: 4 }, offset: 12 });
    /// ```
    #[must_use]
    pub fn moved(self, bytes: u64) -> Self {
        NotCanonical {
            kind: match self.kind {
                NotCanonicalKind::DuplicateKey { first } => NotCanonicalKind::DuplicateKey {
                    first: first + bytes,
                },
                other => other,
            },
            offset: self.offset + bytes,
        }
    }
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            NotCanonicalKind::DuplicateKey { .. } => "the object has this key already",
            NotCanonicalKind::LoneSurrogate => "a lone surrogate is not a character",
            NotCanonicalKind::Rounded => "the number would be rounded",
        })
    }
}

impl core::error::Error for NotCanonical {}

impl From<NotCanonical> for crate::Error {
    #[cold]
    fn from(error: NotCanonical) -> Self {
        crate::Error::data(error).at_offset(error.offset)
    }
}

/// The error of a [`Rewriter`](super::Rewriter). `E` is the error of the output.
///
/// ```
/// use std::io;
///
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{RewriteError, Rewriter, Style, WriteTo};
///
/// let mut five = [0; 5];
/// let mut rewriter = Rewriter::new(Style::Compact, WriteTo(&mut five[..]));
/// // Output is buffered, so a write may fail as late as at the end.
/// Validator::new(Options::default()).check(b"[1, 2, 3]", &mut rewriter).unwrap();
/// let Err(RewriteError::Output(error)) = rewriter.finish() else { unreachable!() };
/// assert_eq!(error.kind(), io::ErrorKind::WriteZero);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError<E> {
    /// The output could not be written.
    Output(E),
    /// The text has no canonical form.
    NotCanonical(NotCanonical),
    /// The rewriter was started inside a text with options that need whole objects or lines: sorted keys, the canonical
    /// form, or a width.
    NotFromStart,
    /// A bug in this library: the rewritten text is not JSON. It is detected before that text is written.
    Internal(SyntaxError),
}

impl<E: fmt::Display> fmt::Display for RewriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::Output(error) => error.fmt(f),
            RewriteError::NotCanonical(reason) => write!(f, "no canonical form: {reason}"),
            RewriteError::NotFromStart => {
                f.write_str("only a whole text can be rewritten like this")
            }
            RewriteError::Internal(error) => {
                write!(f, "internal error: the rewritten text is not JSON: {error}")
            }
        }
    }
}

impl<E: core::error::Error> core::error::Error for RewriteError<E> {}

impl<E: Into<crate::Error>> From<RewriteError<E>> for crate::Error {
    #[cold]
    fn from(error: RewriteError<E>) -> Self {
        match error {
            RewriteError::Output(error) => error.into(),
            RewriteError::NotCanonical(reason) => reason.into(),
            RewriteError::NotFromStart => {
                crate::Error::other(RewriteError::<Infallible>::NotFromStart)
            }
            RewriteError::Internal(error) => {
                crate::Error::other(RewriteError::<Infallible>::Internal(error))
            }
        }
    }
}

impl From<RewriteError<io::Error>> for io::Error {
    /// The error of the output itself, or one that describes the text.
    fn from(error: RewriteError<io::Error>) -> io::Error {
        match error {
            RewriteError::Output(error) => error,
            error @ RewriteError::NotFromStart => {
                io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
            }
            error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
        }
    }
}
