//! Maps positions between a JSON5 text and its translation.

use super::lexer::{Kind, Lexer};
use super::number::{self, Number};
use super::{space, string, wording};
use crate::diagnose::{Diagnostic, Fix, Replacements, Span};
use crate::number::NonFinite;
use crate::repair::Offsets;

/// A JSON5 text and its translation to JSON with comments.
///
/// ```
/// use jsonx_core::diagnose::Span;
/// use jsonx_core::json5::Translation;
///
/// let translation = Translation::new(b"[{key: 0x10}]".to_vec());
/// assert_eq!(translation.text(), br#"[{"key": 16}]"#);
/// assert_eq!(translation.in_source(Span::new(9, 11)), Span::new(7, 11));
/// assert_eq!(translation.in_text(7), 9);
/// ```
pub struct Translation {
    source: Vec<u8>,
    text: Vec<u8>,
    offsets: Offsets,
    non_finite: Vec<Span>,
}

impl Translation {
    /// Translates a text of less than 700 MB. `Infinity` and `NaN` become `null`, as JavaScript writes them in JSON. Takes time
    /// linear in the length of the text.
    pub fn new(source: Vec<u8>) -> Translation {
        Translation::with(source, NonFinite::Null)
    }

    /// Like `new`, with a choice for `Infinity` and `NaN`: with [`NonFinite::Error`] they are kept, and are then errors in
    /// JSON.
    pub fn with(source: Vec<u8>, non_finite: NonFinite) -> Translation {
        let mut edits = Replacements::default();
        let mut not_finite = Vec::new();
        for token in Lexer::new(&source) {
            let (start, end) = (token.start, token.end);
            let bytes = &source[start..end];
            match token.kind {
                Kind::OtherSpace => edits.push(Span::new(start, end), blank(bytes, start)),
                Kind::String => string::translate(bytes, start, &mut edits),
                Kind::Key if space::is_name(bytes) => {
                    edits.push(Span::point(start), "\"");
                    edits.push(Span::point(end), "\"");
                }
                Kind::Word => match number::parse(bytes) {
                    Some(Number::Hexadecimal(decimal)) => {
                        edits.push(Span::new(start, end), &decimal);
                    }
                    Some(Number::NonFinite) => {
                        not_finite.push(Span::new(start, end));
                        if non_finite == NonFinite::Null {
                            edits.push(Span::new(start, end), "null");
                        }
                    }
                    Some(Number::Decimal { plus, zero, point }) => {
                        // The number begins at its sign.
                        match (plus, zero) {
                            (true, Some(at)) => edits.push(Span::new(start, start + at), "0"),
                            (false, Some(at)) => edits.push(Span::point(start + at), "0"),
                            (true, None) => {
                                let digit = (bytes[1] as char).to_string();
                                edits.push(Span::new(start, start + 2), &digit);
                            }
                            (false, None) => {}
                        }
                        if let Some(at) = point {
                            edits.push(Span::new(start + at, start + at + 1), "");
                        }
                    }
                    None => {}
                },
                _ => {}
            }
        }
        let mut offsets = Offsets::default();
        offsets.push(&edits);
        Translation {
            text: edits.apply(&source),
            source,
            offsets,
            non_finite: not_finite,
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
                Kind::OtherSpace => blank(bytes, token.start).as_bytes(),
                _ => bytes,
            };
            let after = rest.strip_prefix(written);
            rest = after.unwrap_or(rest);
            after.is_some()
        });
        are_json && rest.is_empty()
    }

    /// The spans of `Infinity` and `NaN` in the source, in ascending order.
    pub fn non_finite(&self) -> &[Span] {
        &self.non_finite
    }

    /// The span in the source for a span of the translation.
    pub fn in_source(&self, span: Span) -> Span {
        self.offsets.source(span)
    }

    /// The offset in the translation for an offset in the source.
    pub fn in_text(&self, at: usize) -> usize {
        self.offsets.result(at)
    }

    /// Maps a finding in the translation to the source. A fix is kept if it also applies to the source.
    pub fn locate(&self, finding: &mut Diagnostic) {
        let fix = finding.fix.take();
        self.offsets.locate(finding);
        finding.fix = fix.and_then(|fix| self.fix(fix));
    }

    /// Rewords a finding for JSON5, which allows more than JSON.
    pub fn adapt(&self, finding: &mut Diagnostic) {
        wording::adapt(finding, &self.source);
    }

    /// A fix of the text as one of the source, if it touches nothing that was translated.
    fn fix(&self, mut fix: Fix) -> Option<Fix> {
        for edit in &mut fix.edits {
            let span = self.in_source(edit.span);
            let old = &self.source[span.start..span.end];
            if old != &self.text[edit.span.start..edit.span.end] {
                return None;
            }
            edit.span = span;
        }
        Some(fix)
    }
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
