//! Explains why a JSON text cannot be converted to MessagePack.

use super::advice::Advice;
use super::code::{Code, Severity};
use super::diagnostic::{Diagnostic, Span};
use crate::msgpack::EncodeErrorKind;

/// The finding for a value that MessagePack does not have. `text` is an excerpt around the value, and `at` is the offset in
/// it that [`EncodeError::Value`](crate::msgpack::EncodeError::Value) names.
#[doc(hidden)]
pub fn not_encodable(kind: EncodeErrorKind, text: &[u8], at: usize) -> Diagnostic {
    let at = at.min(text.len());
    let rest = &text[at..];
    let digits = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let (code, length, message, label) = match kind {
        EncodeErrorKind::BigNumber => {
            let raw = &rest[..rest.iter().take_while(|byte| digits(byte)).count()];
            let message = if has_double(raw) {
                "MessagePack has no integer beyond 64 bits"
            } else {
                "MessagePack has no number beyond the range of doubles"
            };
            let label = "out of range";
            (Code::NumberRange, raw.len(), message, label)
        }
        EncodeErrorKind::LoneSurrogate => (
            Code::LoneSurrogate,
            rest.len().min(r"\ud800".len()),
            "MessagePack has no lone surrogates: its strings are UTF-8",
            "complete or remove this escape",
        ),
        EncodeErrorKind::TooLong => (
            Code::NumberRange,
            rest.len().min(1),
            "MessagePack has no lengths beyond 4294967295",
            "a string or container of more bytes or values",
        ),
    };
    let mut finding = Diagnostic::new(code, Span::new(at, at + length));
    finding.message(message).label(label);
    finding.severity = Severity::Error;
    if kind == EncodeErrorKind::BigNumber {
        finding.advise(if has_double(&text[at..at + length]) {
            Advice::ConvertBigNumbers
        } else {
            Advice::ConvertHugeNumbers
        });
    }
    finding
}

/// Whether a number is in the range of doubles.
fn has_double(number: &[u8]) -> bool {
    let number = str::from_utf8(number).ok();
    number
        .and_then(|number| number.parse().ok())
        .is_some_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_clamped_to_the_excerpt() {
        let text = br#"["\ud8", -1e999]"#;
        let number = not_encodable(EncodeErrorKind::BigNumber, text, 9);
        assert_eq!(&text[number.span.start..number.span.end], b"-1e999");
        assert!(number.message.contains("doubles"));
        assert_eq!(number.advice, Some(Advice::ConvertHugeNumbers));
        // Also as an integer.
        let huge = "9".repeat(400);
        let number = not_encodable(EncodeErrorKind::BigNumber, huge.as_bytes(), 0);
        assert_eq!(number.advice, Some(Advice::ConvertHugeNumbers));
        for kind in [
            EncodeErrorKind::BigNumber,
            EncodeErrorKind::LoneSurrogate,
            EncodeErrorKind::TooLong,
        ] {
            for at in [0, 12, text.len(), usize::MAX] {
                let span = not_encodable(kind, text, at).span;
                assert!(span.start <= span.end && span.end <= text.len());
            }
        }
    }
}
