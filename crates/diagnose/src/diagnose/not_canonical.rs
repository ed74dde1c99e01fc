//! Explains why a text has no canonical form.

use jsonx_core::format::{NotCanonical, NotCanonicalKind};
use jsonx_core::internal::push_ecmascript;
use jsonx_core::number::Number;
use jsonx_core::string;

use super::advice::Advice;
use super::code::{Code, Severity};
use super::diagnostic::{Diagnostic, Span};
use super::{keys, quote};

/// The finding for a text that has no form in RFC 8785. `text` is an excerpt around the error, and `at` is the offset
/// of the error in it.
#[doc(hidden)]
pub fn not_canonical(reason: NotCanonical, text: &[u8], at: usize) -> Diagnostic {
    let at = at.min(text.len());
    let rest = &text[at..];
    let string_end = |from: usize| {
        let end = string::end(text, (from + 1).min(text.len()));
        end.map_or(text.len(), |end| end + 1)
    };
    let mut finding = match reason.kind {
        NotCanonicalKind::DuplicateKey { first } => {
            let span = Span::new(at, string_end(at));
            let quoted = &text[span.start..span.end];
            let raw = quoted.strip_prefix(b"\"").unwrap_or(quoted);
            let (name, _) = keys::text(raw.strip_suffix(b"\"").unwrap_or(raw));
            let mut finding = Diagnostic::new(Code::DuplicateKey, span);
            finding
                .message(format_args!(
                    "no canonical form: duplicate key {}",
                    quote::ticked(name.as_bytes())
                ))
                .label("remove or rename one of the two");
            let back = usize::try_from(reason.offset.saturating_sub(first));
            if let Some(first) = back.ok().and_then(|back| at.checked_sub(back)) {
                finding.related(Span::new(first, string_end(first)), "first defined here");
            }
            finding
        }
        NotCanonicalKind::LoneSurrogate => {
            let span = Span::new(at, at + rest.len().min(6));
            let mut finding = Diagnostic::new(Code::LoneSurrogate, span);
            finding
                .message("no canonical form: a lone surrogate is not a character")
                .label("complete or remove this escape");
            finding
        }
        NotCanonicalKind::Rounded => {
            let raw = number(rest);
            let span = Span::new(at, at + raw.len());
            let (code, message) = match Number::new(raw).as_f64() {
                Some(nearest) => {
                    let mut rounded = Vec::new();
                    push_ecmascript(nearest, &mut rounded);
                    let rounded = String::from_utf8_lossy(&rounded);
                    (
                        Code::UnsafeInteger,
                        format!("the number would be rounded to {rounded}"),
                    )
                }
                None => (
                    Code::NumberRange,
                    "the number is too large for a double".to_owned(),
                ),
            };
            let mut finding = Diagnostic::new(code, span);
            finding
                .message(format_args!("no canonical form: {message}"))
                .label("write it as a string if its digits matter");
            finding
        }
    };
    finding.severity = Severity::Error;
    finding.advise(Advice::LeaveCanonicalForm);
    finding
}

/// The number at the start of a text.
fn number(text: &[u8]) -> &[u8] {
    let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    &text[..text.iter().take_while(is_part).count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_clamped_to_the_excerpt() {
        let text = br#"{"a": 1, "\u0061": "\ud800", "b": -1e999}"#;
        let finding =
            |kind, offset: u64, at| not_canonical(NotCanonical { kind, offset }, text, at);
        let key = finding(NotCanonicalKind::DuplicateKey { first: 101 }, 109, 9);
        assert_eq!(&text[key.span.start..key.span.end], br#""\u0061""#);
        assert_eq!(key.related[0].span, Span::new(1, 4));
        assert_eq!(key.message, "no canonical form: duplicate key `a`");
        // The first key is not available.
        let key = finding(NotCanonicalKind::DuplicateKey { first: 1 }, 109, 9);
        assert!(key.related.is_empty());
        let half = finding(NotCanonicalKind::LoneSurrogate, 20, 20);
        assert_eq!(&text[half.span.start..half.span.end], br"\ud800");
        let number = finding(NotCanonicalKind::Rounded, 34, 34);
        assert_eq!(number.code, Code::NumberRange);
        assert_eq!(&text[number.span.start..number.span.end], b"-1e999");
        for at in [0, text.len(), usize::MAX] {
            for kind in [
                NotCanonicalKind::DuplicateKey { first: u64::MAX },
                NotCanonicalKind::LoneSurrogate,
                NotCanonicalKind::Rounded,
            ] {
                assert!(finding(kind, 5, at).span.end <= text.len());
            }
        }
    }
}
