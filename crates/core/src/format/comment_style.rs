//! The style of a text with comments.

use super::Indent;

/// The treatment of a comma after the last value of an array or object.
///
/// ```
/// assert_eq!(jsonx_core::format::TrailingCommas::default(), jsonx_core::format::TrailingCommas::Keep);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrailingCommas {
    /// Existing commas are kept.
    #[default]
    Keep,
    /// It is omitted.
    None,
    /// Every array and object that is not empty gets one.
    All,
}

/// The style of a [`CommentFormatter`](crate::format::CommentFormatter).
///
/// ```
/// use jsonx_core::format::{CommentStyle, Indent, TrailingCommas};
///
/// let style = CommentStyle::default().indent(Indent::Tab);
/// assert_eq!(style.trailing_commas, TrailingCommas::Keep);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommentStyle {
    /// The white space for one level.
    pub indent: Indent,
    /// The treatment of trailing commas.
    pub trailing_commas: TrailingCommas,
    /// Lines end with a carriage return and a line feed, in comments too.
    pub crlf: bool,
    /// The text ends with a line end.
    pub final_newline: bool,
    /// Arrays and objects without comments are put on one line if they fit in this many columns; without a trailing comma,
    /// unless it is kept.
    pub width: Option<u16>,
    /// Characters beyond ASCII in strings and keys are escaped. Comments stay as they are.
    pub ascii: bool,
    /// `<`, `>`, `&`, U+2028 and U+2029 in strings and keys are escaped. Comments stay as they are.
    pub html_safe: bool,
}

impl Default for CommentStyle {
    fn default() -> Self {
        CommentStyle {
            indent: Indent::Spaces(2),
            trailing_commas: TrailingCommas::Keep,
            crlf: false,
            final_newline: true,
            width: None,
            ascii: false,
            html_safe: false,
        }
    }
}

impl CommentStyle {
    /// Sets the white space for one level.
    ///
    /// ```
    /// use jsonx_core::format::{CommentStyle, Indent};
    ///
    /// assert_eq!(CommentStyle::default().indent(Indent::Tab).indent, Indent::Tab);
    /// ```
    #[must_use]
    pub fn indent(self, indent: Indent) -> Self {
        CommentStyle { indent, ..self }
    }

    /// Sets how to treat trailing commas.
    ///
    /// ```
    /// use jsonx_core::format::{CommentStyle, TrailingCommas};
    ///
    /// let style = CommentStyle::default().trailing_commas(TrailingCommas::None);
    /// assert_eq!(style.trailing_commas, TrailingCommas::None);
    /// ```
    #[must_use]
    pub fn trailing_commas(self, trailing_commas: TrailingCommas) -> Self {
        CommentStyle {
            trailing_commas,
            ..self
        }
    }

    /// Sets whether lines end with a carriage return and a line feed.
    ///
    /// ```
    /// assert!(jsonx_core::format::CommentStyle::default().crlf(true).crlf);
    /// ```
    #[must_use]
    pub fn crlf(self, crlf: bool) -> Self {
        CommentStyle { crlf, ..self }
    }

    /// Sets whether the text ends with a line end.
    ///
    /// ```
    /// assert!(!jsonx_core::format::CommentStyle::default().final_newline(false).final_newline);
    /// ```
    #[must_use]
    pub fn final_newline(self, final_newline: bool) -> Self {
        CommentStyle {
            final_newline,
            ..self
        }
    }

    /// Sets the width up to which arrays and objects are put on one line.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{CommentFormatter, CommentStyle};
    ///
    /// let formatter = CommentFormatter::new(CommentStyle::default().width(Some(20)), Vec::new());
    /// let options = Options::default().dialect(Dialect::Jsonc);
    /// let text = b"[[1, 2], // short\n [3, // three\n 4]]";
    /// let formatted = Validator::new(options).check(text, formatter).unwrap();
    /// assert_eq!(formatted, b"[\n  [1, 2], // short\n  [\n    3, // three\n    4\n  ]\n]\n");
    /// ```
    #[must_use]
    pub fn width(self, width: Option<u16>) -> Self {
        CommentStyle { width, ..self }
    }

    /// Sets whether characters beyond ASCII in strings and keys are escaped.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{CommentFormatter, CommentStyle};
    ///
    /// let formatter = CommentFormatter::new(CommentStyle::default().ascii(true), Vec::new());
    /// let options = Options::default().dialect(Dialect::Jsonc);
    /// let formatted = Validator::new(options).check("\"é\" // é".as_bytes(), formatter).unwrap();
    /// assert_eq!(String::from_utf8(formatted).unwrap(), "\"\\u00e9\" // é\n");
    /// ```
    #[must_use]
    pub fn ascii(self, ascii: bool) -> Self {
        CommentStyle { ascii, ..self }
    }

    /// Sets whether the characters that are unsafe in HTML scripts are escaped in strings and keys.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{CommentFormatter, CommentStyle};
    ///
    /// let formatter = CommentFormatter::new(CommentStyle::default().html_safe(true), Vec::new());
    /// let formatted = Validator::new(Options::default()).check(b"\"</script>\"", formatter).unwrap();
    /// assert_eq!(formatted, b"\"\\u003c/script\\u003e\"\n");
    /// ```
    #[must_use]
    pub fn html_safe(self, html_safe: bool) -> Self {
        CommentStyle { html_safe, ..self }
    }
}
