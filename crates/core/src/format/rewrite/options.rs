//! The options of a rewriter.

use super::line_end::LineEnd;
use crate::format::{Indent, PrettierStyle, Style};

/// The changes that a [`Rewriter`](super::Rewriter) makes besides white space. Everything else is copied byte for byte.
///
/// ```
/// use jsonx_core::format::{Indent, RewriteOptions, Style};
///
/// let options = RewriteOptions::default().sort_keys(true);
/// assert_eq!(options, options.style(Style::Pretty(Indent::Spaces(2))).ascii(false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Fields that the program reads are hidden: options are set by methods.
#[non_exhaustive]
pub struct RewriteOptions {
    #[doc(hidden)]
    pub style: Style,
    #[doc(hidden)]
    pub width: Option<u16>,
    #[doc(hidden)]
    pub prettier: Option<PrettierStyle>,
    #[doc(hidden)]
    pub comments: Option<TrailingCommas>,
    #[doc(hidden)]
    pub line_end: LineEnd,
    #[doc(hidden)]
    pub final_newline: bool,
    #[doc(hidden)]
    pub sort_keys: bool,
    #[doc(hidden)]
    pub ascii: bool,
    #[doc(hidden)]
    pub html_safe: bool,
    #[doc(hidden)]
    pub unescape: bool,
    #[doc(hidden)]
    pub canonical: bool,
}

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
    /// Every array and object that is not empty gets one; on one line, because of a width, only if it had one.
    All,
}

impl Default for RewriteOptions {
    /// The style of `jq .`, with all tokens unchanged.
    fn default() -> Self {
        RewriteOptions {
            style: Style::Pretty(Indent::Spaces(2)),
            width: None,
            prettier: None,
            comments: None,
            line_end: LineEnd::Lf,
            final_newline: true,
            sort_keys: false,
            ascii: false,
            html_safe: false,
            unescape: false,
            canonical: false,
        }
    }
}

impl From<Style> for RewriteOptions {
    /// This style, with all tokens unchanged.
    fn from(style: Style) -> Self {
        RewriteOptions {
            style,
            ..RewriteOptions::default()
        }
    }
}

impl RewriteOptions {
    /// Whether a [`Rewriter`](super::Rewriter) can [resume](super::Rewriter::resume) in the middle of a text: its output for a
    /// token depends on little more than the previous token. Sorted keys, the canonical form and a width need whole containers.
    ///
    /// ```
    /// use jsonx_core::format::{LineEnd, RewriteOptions};
    ///
    /// assert!(RewriteOptions::default().ascii(true).line_end(LineEnd::CrLf).can_resume());
    /// assert!(!RewriteOptions::default().sort_keys(true).can_resume());
    /// ```
    pub fn can_resume(self) -> bool {
        let has_layout = self.width.is_some() || self.prettier.is_some() || self.comments.is_some();
        let is_fitted = has_layout && self.style != Style::Compact;
        !(self.sort_keys || self.canonical || self.unescape || is_fitted)
    }

    /// Sets the white space.
    ///
    /// ```
    /// use jsonx_core::format::{RewriteOptions, Style};
    ///
    /// let options = RewriteOptions::default().style(Style::Compact);
    /// assert_eq!(options, RewriteOptions::from(Style::Compact));
    /// ```
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        RewriteOptions { style, ..self }
    }

    /// In the pretty style, puts an array or object on one line, with a space after each comma and colon, if that line
    /// has at most `width` code points; by default, none are. Costs memory for one such line and a few KiB.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(RewriteOptions::default().width(Some(20)), Vec::new());
    /// Validator::new(Options::default()).check(br#"{"a":["long","enough"],"b":[1]}"#, &mut rewriter).unwrap();
    /// let expected = "{\n  \"a\": [\n    \"long\",\n    \"enough\"\n  ],\n  \"b\": [1]\n}\n";
    /// assert_eq!(rewriter.finish().unwrap(), expected.as_bytes());
    /// ```
    #[must_use]
    pub fn width(self, width: Option<u16>) -> Self {
        RewriteOptions { width, ..self }
    }

    /// In the pretty style, lays the text out as Prettier 3 does, with its spelling of numbers: `1.50` becomes `1.5`, and
    /// `1E+05` becomes `1e5`. Lines are 80 columns wide without [`RewriteOptions::width`]. The layout depends on the line
    /// breaks of the text; sorted text is laid out as if it had none. Costs memory for one line, and for an array of numbers.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let options = RewriteOptions::default().prettier(Some(PrettierStyle::default())).width(Some(20));
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check(b"[[1,2],[30,400,5000,60000]]", &mut rewriter).unwrap();
    /// let expected = "[\n  [1, 2],\n  [\n    30, 400, 5000,\n    60000\n  ]\n]\n";
    /// assert_eq!(String::from_utf8(rewriter.finish().unwrap()).unwrap(), expected);
    /// ```
    #[must_use]
    pub fn prettier(self, prettier: Option<PrettierStyle>) -> Self {
        RewriteOptions { prettier, ..self }
    }

    /// In the pretty style, keeps comments and treats trailing commas like this. Every comment keeps its text, its order and its
    /// side: after a value, it stays on the line of the value; on a line of its own, it stays there, indented. The first line of
    /// a block comment is indented, the others keep their bytes. Consecutive blank lines between two members become one.
    /// Formatting is idempotent. With [`RewriteOptions::width`], arrays and objects that fit are on one line, unless there is a
    /// comment inside. Keys are sorted by [`sort_commented`](super::sort_commented) instead.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, TrailingCommas};
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let text = b"{ // settings\n\"a\": [1, 2], /* two */\n\n\n\n// last\n\"b\": true,}";
    /// let options = RewriteOptions::default().comments(Some(TrailingCommas::Keep));
    /// let dialect = Options::default().dialect(Dialect::Jsonc);
    /// let formatted = Validator::new(dialect).check(text, Rewriter::new(options, Vec::new())).unwrap();
    /// let expected = "\
    /// { // settings
    ///   \"a\": [
    ///     1,
    ///     2
    ///   ], /* two */
    ///
    ///   // last
    ///   \"b\": true,
    /// }
    /// ";
    /// assert_eq!(String::from_utf8(formatted).unwrap(), expected);
    /// ```
    #[must_use]
    pub fn comments(self, comments: Option<TrailingCommas>) -> Self {
        RewriteOptions { comments, ..self }
    }

    /// Sets the line ends.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{LineEnd, RewriteOptions, Rewriter};
    ///
    /// let options = RewriteOptions::default().line_end(LineEnd::CrLf);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check(b"[1]", &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), b"[\r\n  1\r\n]\r\n");
    /// ```
    #[must_use]
    pub fn line_end(self, line_end: LineEnd) -> Self {
        RewriteOptions { line_end, ..self }
    }

    /// Sets whether the text ends with a line end; on by default. In a stream, there is one between two values in either case.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter};
    ///
    /// let options = RewriteOptions::default().final_newline(false);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check(b"[1]\n", &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), b"[\n  1\n]");
    /// ```
    #[must_use]
    pub fn final_newline(self, final_newline: bool) -> Self {
        RewriteOptions {
            final_newline,
            ..self
        }
    }

    /// Sorts the members of every object by the code points of their decoded keys. Members with equal keys keep their
    /// order. Costs memory for the outermost object that is open.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check(br#"{"b": 1, "\u0061": 2}"#, &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), b"{\"\\u0061\":2,\"b\":1}\n");
    /// ```
    #[must_use]
    pub fn sort_keys(self, sort_keys: bool) -> Self {
        RewriteOptions { sort_keys, ..self }
    }

    /// Replaces non-ASCII characters with `\u` escapes, those beyond U+FFFF with surrogate pairs.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).ascii(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check("\"é😀\"".as_bytes(), &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), b"\"\\u00e9\\ud83d\\ude00\"\n");
    /// ```
    #[must_use]
    pub fn ascii(self, ascii: bool) -> Self {
        RewriteOptions { ascii, ..self }
    }

    /// Replaces every escape with its character, except those that JSON requires: `"`, `\` and control characters get their
    /// shortest escape, and lone surrogates keep theirs. `\/` becomes `/`.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).unescape(true);
    /// let text = br#"["\u00e9\/\ud83d\ude00", "\\u00e9\u000a\ud83d"]"#;
    /// let formatted = Validator::new(Options::default()).check(text, Rewriter::new(options, Vec::new())).unwrap();
    /// assert_eq!(String::from_utf8(formatted).unwrap(), "[\"é/😀\",\"\\\\u00e9\\n\\ud83d\"]\n");
    /// ```
    #[must_use]
    pub fn unescape(self, unescape: bool) -> Self {
        RewriteOptions { unescape, ..self }
    }

    /// Replaces `<`, `>`, `&`, U+2028 and U+2029 with `\u` escapes, so that the text can be embedded in HTML and JavaScript.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).html_safe(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// Validator::new(Options::default()).check(b"\"</script>\"", &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), b"\"\\u003c/script\\u003e\"\n");
    /// ```
    #[must_use]
    pub fn html_safe(self, html_safe: bool) -> Self {
        RewriteOptions { html_safe, ..self }
    }

    /// Writes the canonical form of RFC 8785 (JCS); all other options then have no effect. Top-level values are separated by a
    /// line feed, with none at the end. A text without a canonical form is an [error](super::NotCanonical). Costs memory for
    /// the outermost object that is open.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(RewriteOptions::default().canonical(true), Vec::new());
    /// Validator::new(Options::default()).check(br#"{"b": 1.50, "a": "\u00e9"}"#, &mut rewriter).unwrap();
    /// assert_eq!(rewriter.finish().unwrap(), "{\"a\":\"é\",\"b\":1.5}".as_bytes());
    /// ```
    #[must_use]
    pub fn canonical(self, canonical: bool) -> Self {
        RewriteOptions { canonical, ..self }
    }
}
