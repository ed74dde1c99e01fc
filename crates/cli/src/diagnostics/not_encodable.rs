//! Explains why a JSON text cannot be converted to MessagePack.

use jsonx_core::number::Number;

use jsonx_diagnose::{Advice, Code, Diagnostic, Severity, Span};
use jsonx_msgpack::EncodeErrorKind;

/// The finding for a value that MessagePack does not have. `text` is an excerpt around the value, and `at` is the offset in
/// it that [`EncodeError::Value`](jsonx_msgpack::EncodeError::Value) names.
pub fn not_encodable(kind: EncodeErrorKind, text: &[u8], at: usize) -> Diagnostic {
    let at = at.min(text.len());
    let rest = &text[at..];
    let mut advice = None;
    let (code, length, message, label) = match kind {
        EncodeErrorKind::BigNumber => {
            let is_part =
                |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
            let raw = &rest[..rest.iter().take_while(is_part).count()];
            let message = match Number::new(raw).as_f64() {
                Some(_) => "MessagePack has no integer beyond 64 bits",
                None => "MessagePack has no number beyond the range of doubles",
            };
            advice = Some(Advice::ConvertBigNumbers);
            (Code::NumberRange, raw.len(), message, "out of range")
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
    finding.message = message.to_owned();
    finding.label = label.to_owned();
    finding.severity = Severity::Error;
    finding.advice = advice;
    finding
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
        assert_eq!(number.advice, Some(Advice::ConvertBigNumbers));
        // Also as an integer.
        let huge = "9".repeat(400);
        let number = not_encodable(EncodeErrorKind::BigNumber, huge.as_bytes(), 0);
        assert!(number.message.contains("doubles"));
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
