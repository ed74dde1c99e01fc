//! The options of the layout.

/// The options of Prettier's layout besides indentation and width.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
///
/// let options = RewriteOptions::default().prettier(Some(PrettierStyle::default()));
/// let mut rewriter = Rewriter::new(options, Vec::new());
/// let text = b"{\n\"a\":[1,2.50],\"b\":{\"c\":[\n\n]}}";
/// Validator::new(Options::default()).check(text, &mut rewriter).unwrap();
/// let expected = "{\n  \"a\": [1, 2.5],\n  \"b\": { \"c\": [] }\n}\n";
/// assert_eq!(rewriter.finish().unwrap(), expected.as_bytes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Fields that the program reads are hidden: options are set by methods.
#[non_exhaustive]
pub struct PrettierStyle {
    #[doc(hidden)]
    pub tab_width: u8,
    #[doc(hidden)]
    pub bracket_spacing: bool,
    #[doc(hidden)]
    pub collapse: bool,
    /// All containers that are not empty have one element or member per line.
    pub(super) expand: bool,
    #[doc(hidden)]
    pub trailing_commas: bool,
    #[doc(hidden)]
    pub comments: bool,
}

impl Default for PrettierStyle {
    /// The defaults of Prettier, for a text without comments.
    fn default() -> Self {
        PrettierStyle {
            tab_width: 2,
            bracket_spacing: true,
            collapse: false,
            expand: false,
            trailing_commas: false,
            comments: false,
        }
    }
}

impl PrettierStyle {
    /// Sets the columns of a tab (`tabWidth`); 2 by default.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let style = PrettierStyle::default().tab_width(4);
    /// let rewriter = Rewriter::new(RewriteOptions::default().prettier(Some(style)), Vec::new());
    /// let options = Options::default();
    /// let formatted = Validator::new(options).check(b"[[1], [\"two\"]]", rewriter).unwrap();
    /// assert_eq!(formatted, b"[[1], [\"two\"]]\n");
    /// ```
    #[must_use]
    pub fn tab_width(self, tab_width: u8) -> Self {
        PrettierStyle { tab_width, ..self }
    }

    /// Sets whether there are spaces inside the braces of an object on one line (`bracketSpacing`), as by default.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let style = PrettierStyle::default().bracket_spacing(false);
    /// let rewriter = Rewriter::new(RewriteOptions::default().prettier(Some(style)), Vec::new());
    /// let options = Options::default();
    /// let formatted = Validator::new(options).check(br#"{"a": 1}"#, rewriter).unwrap();
    /// assert_eq!(formatted, b"{\"a\": 1}\n");
    /// ```
    #[must_use]
    pub fn bracket_spacing(self, bracket_spacing: bool) -> Self {
        PrettierStyle {
            bracket_spacing,
            ..self
        }
    }

    /// Sets whether an object is put on one line whenever it fits, even if its first key was on a separate line (`objectWrap:
    /// "collapse"`).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let style = PrettierStyle::default().collapse(true);
    /// let rewriter = Rewriter::new(RewriteOptions::default().prettier(Some(style)), Vec::new());
    /// let options = Options::default();
    /// let formatted = Validator::new(options).check(b"{\n\"a\": 1}", rewriter).unwrap();
    /// assert_eq!(formatted, b"{ \"a\": 1 }\n");
    /// ```
    #[must_use]
    pub fn collapse(self, collapse: bool) -> Self {
        PrettierStyle { collapse, ..self }
    }

    /// Sets whether containers that are not on one line have a trailing comma (`trailingComma`).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let style = PrettierStyle::default().trailing_commas(true);
    /// let rewriter = Rewriter::new(RewriteOptions::default().prettier(Some(style)), Vec::new());
    /// let options = Options::default();
    /// let formatted = Validator::new(options).check(b"{\n\"a\": 1}", rewriter).unwrap();
    /// assert_eq!(formatted, b"{\n  \"a\": 1,\n}\n");
    /// ```
    #[must_use]
    pub fn trailing_commas(self, trailing_commas: bool) -> Self {
        PrettierStyle {
            trailing_commas,
            ..self
        }
    }

    /// Sets whether the text may have comments, which are kept.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::format::{PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let style = PrettierStyle::default().comments(true);
    /// let rewriter = Rewriter::new(RewriteOptions::default().prettier(Some(style)), Vec::new());
    /// let options = Options::default().dialect(Dialect::Jsonc);
    /// let formatted = Validator::new(options).check(b"[1 /* one */]", rewriter).unwrap();
    /// assert_eq!(formatted, b"[1 /* one */]\n");
    /// ```
    #[must_use]
    pub fn comments(self, comments: bool) -> Self {
        PrettierStyle { comments, ..self }
    }
}
