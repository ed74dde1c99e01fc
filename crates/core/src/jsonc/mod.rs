//! JSON with comments: `//` to the end of the line, `/* … */`, and, in one of its two dialects, trailing commas.
//!
//! The grammar has no comments. A filter overwrites comments and trailing commas with spaces first, in place, so all offsets stay
//! correct:
//!
//! ```text
//! source    {"a": [1, 2,], // two\n "b": "/*" /* c */}
//! filtered  {"a": [1, 2 ],       \n "b": "/*"        }
//! ```
//!
//! [`Options::dialect`](crate::engine::Options::dialect) enables the filter in a [`Validator`](crate::engine::Validator), for
//! all consumers of its tokens. Strict text never passes through it.
//!
//! ```
//! use jsonx_core::jsonc::Dialect;
//! use jsonx_core::engine::{Options, validate_with};
//!
//! let text = b"{\n  // strict is the default\n  \"strict\": true,\n}\n";
//! assert!(validate_with(text, Options::default().dialect(Dialect::Jsonc)).is_ok());
//! assert!(validate_with(text, Options::default()).is_err());
//! ```
//!
//! A carriage return ends a line comment, like a line feed. Comments are UTF-8 and may contain control characters.

mod blank;
mod feed;
mod filter;
#[cfg(test)]
mod reference;
#[cfg(test)]
pub(crate) mod tests;

pub use blank::blank;
pub(crate) use feed::{Blanked, Feed};

/// The dialect of a text.
///
/// ```
/// use jsonx_core::jsonc::Dialect;
/// use jsonx_core::engine::{Options, validate_with};
///
/// let valid = |text: &[u8], dialect| validate_with(text, Options::default().dialect(dialect)).is_ok();
/// assert!(valid(b"[1] // one", Dialect::Comments) && !valid(b"[1,]", Dialect::Comments));
/// assert!(valid(b"[1] // one", Dialect::Jsonc) && valid(b"[1,]", Dialect::Jsonc));
/// // A trailing comma follows a value.
/// assert!(!valid(b"[,]", Dialect::Jsonc) && !valid(b"[1,,]", Dialect::Jsonc));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// RFC 8259: neither comments nor trailing commas.
    #[default]
    Json,
    /// JSON with comments.
    Comments,
    /// JSON with comments and trailing commas.
    Jsonc,
}

/// The length of the comment at the start of a text, without the end of its line. A comment that never ends takes the whole text.
///
/// ```
/// use jsonx_core::jsonc::comment_length;
///
/// assert_eq!((comment_length(b"// one\n2"), comment_length(b"/* one */ 2")), (6, 9));
/// ```
pub fn comment_length(text: &[u8]) -> usize {
    let length = match text.get(1) {
        Some(b'*') => memchr::memmem::find(&text[2..], b"*/").map(|end| end + 4),
        _ => memchr::memchr2(b'\n', b'\r', text),
    };
    length.unwrap_or(text.len())
}

impl Dialect {
    /// Whether comments are white space.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// assert!(Dialect::Comments.allows_comments() && !Dialect::Json.allows_comments());
    /// ```
    #[inline]
    pub fn allows_comments(self) -> bool {
        self != Dialect::Json
    }

    /// Whether a comma may follow the last value of an array or object.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// assert!(Dialect::Jsonc.allows_trailing_commas() && !Dialect::Comments.allows_trailing_commas());
    /// ```
    #[inline]
    pub fn allows_trailing_commas(self) -> bool {
        self == Dialect::Jsonc
    }
}
