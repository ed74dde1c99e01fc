//! Maps positions between a JSON5 text and its translation.

use jsonx_core::internal::Splices;
use jsonx_core::number::NonFinite;

use super::lexer::{ElementKind, Lexer};
use super::number::{self, Number};
use super::{space, string};
use std::ops::Range;

/// A JSON5 text and its translation to JSON with comments.
///
/// ```
/// use jsonx_diagnose::json5::Translation;
///
/// let translation = Translation::new(b"[{key: 0x10}]".to_vec());
/// assert_eq!(translation.text(), br#"[{"key": 16}]"#);
/// assert_eq!(translation.in_source(9..11), 7..11);
/// assert_eq!(translation.in_text(7), 9);
/// ```
pub struct Translation {
    source: Vec<u8>,
    text: Vec<u8>,
    splices: Splices,
    non_finite: Vec<Range<usize>>,
}

impl Translation {
    /// Translates a text of less than 700 MB. `Infinity` and `NaN` become `null`, as JavaScript writes them in JSON. Takes time
    /// linear in the length of the text.
    ///
    /// ```
    /// use jsonx_diagnose::json5::Translation;
    ///
    /// assert_eq!(Translation::new(b"{key: 'x'}".to_vec()).text(), br#"{"key": "x"}"#);
    /// ```
    pub fn new(source: Vec<u8>) -> Translation {
        Translation::with(source, NonFinite::Null)
    }

    /// Like `new`, with a choice for `Infinity` and `NaN`: with [`NonFinite::Error`] they are kept, and are then errors in
    /// JSON.
    ///
    /// ```
    /// use jsonx_diagnose::json5::Translation;
    /// use jsonx_core::number::NonFinite;
    ///
    /// let text = |non_finite| Translation::with(b"[-Infinity, +1]".to_vec(), non_finite);
    /// assert_eq!(text(NonFinite::Null).text(), b"[null, 1]");
    /// assert_eq!(text(NonFinite::Error).text(), b"[-Infinity, 1]");
    /// ```
    pub fn with(source: Vec<u8>, non_finite: NonFinite) -> Translation {
        Translation::translated(source, |_| {
            (non_finite == NonFinite::Null).then(|| "null".to_owned())
        })
    }

    /// Like `new`, for [`edited`](Translation::edited): each `Infinity` and `NaN` becomes a unique number, too large for any
    /// format, which distinguishes it from `null` and from others.
    ///
    /// ```
    /// use jsonx_diagnose::json5::Translation;
    ///
    /// let translation = Translation::for_edits(b"[NaN, null]".to_vec());
    /// assert!(translation.text().ends_with(b", null]") && translation.text() != b"[null, null]");
    /// ```
    pub fn for_edits(source: Vec<u8>) -> Translation {
        Translation::translated(source, |number| Some(stand_in(number)))
    }

    /// Restores `Infinity` and `NaN` in a message about an edit.
    #[doc(hidden)]
    pub fn spelled_in(&self, message: &str) -> String {
        let spans = self.non_finite.iter().enumerate();
        spans.fold(message.to_owned(), |message, (number, span)| {
            let spelling = String::from_utf8_lossy(&self.source[span.clone()]);
            message.replace(&stand_in(number), &spelling)
        })
    }

    /// `non_finite` gives the replacement of each `Infinity` and `NaN` by its number; `None` keeps it.
    fn translated(source: Vec<u8>, non_finite: impl Fn(usize) -> Option<String>) -> Translation {
        let mut rewriting = Rewriting {
            splices: Splices::default(),
            non_finite: (Vec::new(), non_finite),
        };
        rewriting.text(&source);
        Translation {
            text: rewriting.splices.apply(&source),
            source,
            splices: rewriting.splices,
            non_finite: rewriting.non_finite.0,
        }
    }

    /// The text in JSON5.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The text as JSON with comments.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether the translation equals the source: nothing in it is specific to JSON5.
    pub fn is_jsonc(&self) -> bool {
        self.text == self.source
    }

    /// Whether the source differs from JSON with comments at most in its white space.
    pub fn has_json_tokens(&self) -> bool {
        let mut rest = &self.text[..];
        let mut tokens = Lexer::new(&self.source);
        let are_json = tokens.all(|token| {
            let bytes = &self.source[token.start..token.end];
            let written = match token.kind {
                ElementKind::OtherSpace => blank(bytes, token.start).as_bytes(),
                _ => bytes,
            };
            let after = rest.strip_prefix(written);
            rest = after.unwrap_or(rest);
            after.is_some()
        });
        are_json && rest.is_empty()
    }

    /// The spans of `Infinity` and `NaN` in the source, in ascending order.
    pub fn non_finite(&self) -> &[Range<usize>] {
        &self.non_finite
    }

    /// The span in the source for a span of the translation.
    pub fn in_source(&self, span: Range<usize>) -> Range<usize> {
        self.splices.old_span(span)
    }

    /// The offset in the translation for an offset in the source.
    pub fn in_text(&self, at: usize) -> usize {
        self.splices.new_offset(at)
    }
}

/// The replacements in a text, so far.
struct Rewriting<F> {
    splices: Splices,
    /// The spans of `Infinity` and `NaN`, and the replacement of each by its number; `None` keeps it.
    non_finite: (Vec<Range<usize>>, F),
}

impl<F: Fn(usize) -> Option<String>> Rewriting<F> {
    /// Translates the tokens of a text.
    fn text(&mut self, text: &[u8]) {
        let edits = &mut self.splices;
        let (not_finite, replacement) = &mut self.non_finite;
        for token in Lexer::new(text) {
            let (start, end) = (token.start, token.end);
            let bytes = &text[start..end];
            match token.kind {
                ElementKind::OtherSpace => {
                    edits.push(start..end, blank(bytes, start).as_bytes());
                }
                ElementKind::String => string::translate(bytes, start, edits),
                ElementKind::Key if space::is_name(bytes) => {
                    edits.push(start..start, b"\"");
                    edits.push(end..end, b"\"");
                }
                ElementKind::Word => match number::parse(bytes) {
                    Some(Number::Hexadecimal(decimal)) => {
                        edits.push(start..end, decimal.as_bytes());
                    }
                    Some(Number::NonFinite) => {
                        if let Some(text) = replacement(not_finite.len()) {
                            edits.push(start..end, text.as_bytes());
                        }
                        not_finite.push(start..end);
                    }
                    Some(Number::Decimal { plus, zero, point }) => {
                        // The number begins at its sign.
                        match (plus, zero) {
                            (true, Some(at)) => edits.push(start..start + at, b"0"),
                            (false, Some(at)) => edits.push(start + at..start + at, b"0"),
                            (true, None) => {
                                edits.push(start..start + 2, &bytes[1..2]);
                            }
                            (false, None) => {}
                        }
                        if let Some(at) = point {
                            edits.push(start + at..start + at + 1, b"");
                        }
                    }
                    None => {}
                },
                _ => {}
            }
        }
    }
}

/// The unique number that replaces the `Infinity` or `NaN` with this index.
fn stand_in(number: usize) -> String {
    format!("9e9{number:09}")
}

/// JSON white space in place of the JSON5 white space at `start`.
fn blank(bytes: &[u8], start: usize) -> &'static str {
    match bytes {
        // A byte-order mark is not part of the text.
        [0xEF, ..] if start == 0 => "",
        _ if space::is_separator(bytes) => "\n",
        _ => " ",
    }
}
