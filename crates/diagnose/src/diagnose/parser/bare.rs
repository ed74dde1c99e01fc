//! Bare text as a value: a malformed number or literal, or a string without quotes.

use std::borrow::Cow;

use jsonx_core::internal::edit_distance;
use jsonx_core::terminal::sanitize;

use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::lexer::{NumberFault, Token, is_number, number_fault};
use super::super::{lints, literals, quote};
use super::Parser;

/// Words that often mean a truth value but may also be meant literally.
const LIKELY: [(&str, &str); 4] = [
    ("yes", "true"),
    ("no", "false"),
    ("on", "true"),
    ("off", "false"),
];

impl Parser<'_> {
    pub(super) fn bare_value(&mut self, token: Token) {
        let span = token.span();
        let Ok(text) = std::str::from_utf8(self.bytes(token)) else {
            // The encoding pass has reported the invalid bytes.
            return self.deviate();
        };
        let what = || quote::ticked(text.as_bytes());
        if let Some(fault) = number_fault(text) {
            return self.bad_number(token, text, fault);
        }
        if literals::is_non_finite(text) {
            self.report(Code::NonFiniteNumber, span, |d| {
                d.message(format_args!("JSON has no {}", what()))
                    .label("use `null`, or a string that the reader knows")
                    .replace(Review, span, "null");
            });
            return;
        }
        if let Some(foreign) = literals::find(text) {
            let (right, language) = (foreign.literal, foreign.language);
            self.report(Code::WrongLiteral, span, |d| {
                match language {
                    "" => d.message(format_args!("{} is not a JSON value", what())),
                    _ => d.message(format_args!(
                        "{} is not a JSON value (that is {language})",
                        what()
                    )),
                };
                // An undefined element is not `null`.
                let certain = if text == "undefined" { Review } else { Safe };
                d.label(format_args!("write `{right}`"))
                    .replace(certain, span, right);
            });
            return;
        }
        for right in ["true", "false", "null"] {
            let same = text.eq_ignore_ascii_case(right);
            if same || is_typo(text, right) {
                self.report(Code::WrongLiteral, span, |d| {
                    d.message(format_args!("{} is not a JSON value", what()));
                    if same {
                        d.label(format_args!("write `{right}`"))
                            .replace(Safe, span, right);
                    } else {
                        d.label(format_args!("did you mean `{right}`?"))
                            .replace(Review, span, right);
                    }
                });
                return;
            }
        }
        if let Some(&(_, right)) = LIKELY
            .iter()
            .find(|(word, _)| text.eq_ignore_ascii_case(word))
        {
            self.report(Code::WrongLiteral, span, |d| {
                d.message(format_args!("{} is not a JSON value", what()))
                    .label(format_args!("did you mean `{right}`?"))
                    .replace(Review, span, right);
            });
            return;
        }
        if is_calculation(text) {
            return self.report_expression(span);
        }
        self.report(Code::UnquotedValue, span, |d| {
            let fixed = quote::quoted(text.as_bytes());
            d.message("text values must be strings in double quotes")
                .label(if fixed.chars().count() <= 40 {
                    format!("quote it: `{}`", sanitize(&fixed))
                } else {
                    "quote it".to_string()
                })
                .replace(Review, span, fixed);
        });
    }

    fn bad_number(&mut self, token: Token, text: &str, fault: NumberFault) {
        let span = token.span();
        let what = || quote::ticked(text.as_bytes());
        let two_signs = matches!(fault, NumberFault::TwoSigns);
        let without_exponent = text.trim_end_matches(['+', '-']).strip_suffix(['e', 'E']);
        let mantissa = without_exponent.filter(|number| is_number(number.as_bytes()));
        let (code, message, applicability, fixed): (_, Cow<str>, _, _) = match fault {
            NumberFault::LeadingZero(fixed) => (
                Code::LeadingZero,
                "numbers must not have leading zeros".into(),
                Review,
                Some(fixed),
            ),
            NumberFault::LeadingPlus(fixed) => (
                Code::LeadingPlus,
                "numbers must not start with `+`".into(),
                Safe,
                Some(fixed),
            ),
            NumberFault::MissingDigits(before, fixed) => {
                let message = if before {
                    "a number needs a digit before the decimal point"
                } else {
                    "a number needs a digit after the decimal point"
                };
                (Code::MissingDigits, message.into(), Safe, Some(fixed))
            }
            NumberFault::NonDecimal(name, fixed) => (
                Code::NonDecimalNumber,
                format!("{name} numbers are not allowed in JSON").into(),
                Safe,
                fixed,
            ),
            NumberFault::Separator(separator, fixed) => (
                Code::DigitSeparator,
                format!("numbers must not have `{separator}` between their digits").into(),
                if separator == '_' { Safe } else { Review },
                Some(fixed),
            ),
            NumberFault::BigInt(fixed) => (
                Code::BadNumber,
                format!("{} is a BigInt of JavaScript, not a JSON number", what()).into(),
                Safe,
                Some(fixed),
            ),
            NumberFault::FractionInExponent(fixed) => (
                Code::BadNumber,
                "the exponent of a number must be an integer".into(),
                Review,
                Some(fixed),
            ),
            NumberFault::TwoSigns => (
                Code::BadNumber,
                format!("{} has two signs", what()).into(),
                Review,
                None,
            ),
            NumberFault::Incomplete => (
                Code::BadNumber,
                format!("{} is not a complete number", what()).into(),
                Review,
                None,
            ),
            NumberFault::Calculation => return self.report_expression(span),
        };
        self.report(code, span, |d| {
            d.message(message);
            match fixed {
                Some(fixed) => {
                    d.label(quote::write(&fixed, "write it in decimal"))
                        .replace(applicability, span, fixed);
                }
                None if two_signs => {
                    d.label("a number has one minus sign, or none");
                }
                None if code == Code::BadNumber => {
                    d.label("digits are missing");
                    d.replace(Review, span, mantissa.unwrap_or("null"));
                }
                None => {
                    d.label("write it in decimal");
                }
            }
            if code == Code::LeadingZero
                && text.len() >= 4
                && text.bytes().all(|byte| byte.is_ascii_digit())
            {
                let quoted = quote::excerpt(text.as_bytes());
                d.help(format_args!(
                    "if this is a code such as a ZIP or phone number, quote it: \"{quoted}\""
                ));
            }
        });
    }

    /// Warns about a number that many parsers cannot represent.
    pub(super) fn lint_number(&mut self, token: Token) {
        if let Some(code) = self.options.lints.of_number(self.bytes(token)) {
            let raw = self.bytes(token);
            self.report(code, token.span(), |d| lints::describe(d, raw, None));
        }
    }
}

/// Whether bare text is a number or a literal that is written in another way: text that may be the whole of a document.
pub(in super::super) fn is_misspelled(bare: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bare) else {
        return false;
    };
    let is_number =
        number_fault(text).is_some_and(|fault| !matches!(fault, NumberFault::Calculation));
    is_number
        || literals::is_literal(text)
        || ["true", "false", "null"]
            .iter()
            .any(|right| text.eq_ignore_ascii_case(right) || is_typo(text, right))
}

/// Whether `text` is a typo of `word`: one letter off but the first, two in a long word, or a prefix.
fn is_typo(text: &str, word: &str) -> bool {
    if text.len() < 3
        || text.len() > word.len() + 2
        || !text.bytes().all(|byte| byte.is_ascii_alphabetic())
        || !text[..1].eq_ignore_ascii_case(&word[..1])
    {
        return false;
    }
    let allowed = if word.len() > 4 { 2 } else { 1 };
    let text = text.to_ascii_lowercase();
    edit_distance(text.as_bytes(), word.as_bytes(), allowed + 1).is_some()
}

/// Whether bare text looks like code: an operator between operands, or a call.
fn is_calculation(text: &str) -> bool {
    [" + ", " * ", " || ", " && ", " ? ", " ?? ", "=>"]
        .iter()
        .any(|sign| text.contains(sign))
        || text.starts_with("new ")
        || text.ends_with(')') && text.contains('(')
}
