//! Translates JSON5 numbers to JSON.

/// A word read as a number.
#[derive(Debug, PartialEq)]
pub(super) enum Number {
    /// A decimal number, and the edits that translate it to JSON.
    Decimal {
        /// It begins with `+`.
        plus: bool,
        /// The position of a missing `0` before the point.
        zero: Option<usize>,
        /// The position of a point without a digit after it.
        point: Option<usize>,
    },
    /// A hexadecimal number, in decimal.
    Hexadecimal(String),
    /// `Infinity` or `NaN`, or a hexadecimal number that overflows a double.
    NonFinite,
}

/// Parses a word as a number.
pub(super) fn parse(word: &[u8]) -> Option<Number> {
    let (plus, minus) = (word.first() == Some(&b'+'), word.first() == Some(&b'-'));
    let sign = usize::from(plus || minus);
    match &word[sign..] {
        b"Infinity" | b"NaN" => Some(Number::NonFinite),
        [b'0', b'x' | b'X', digits @ ..] => hexadecimal(digits, minus),
        rest => {
            let count = |from: usize| {
                let digits = rest[from..].iter();
                digits.take_while(|byte| byte.is_ascii_digit()).count()
            };
            let whole = count(0);
            if whole > 1 && rest[0] == b'0' {
                return None;
            }
            let has_point = rest.get(whole) == Some(&b'.');
            let from = whole + usize::from(has_point);
            let fraction = if has_point { count(from) } else { 0 };
            if whole + fraction == 0 {
                return None;
            }
            let mut end = from + fraction;
            if let Some(b'e' | b'E') = rest.get(end) {
                let signed = matches!(rest.get(end + 1), Some(b'+' | b'-'));
                let from = end + 1 + usize::from(signed);
                if from > rest.len() || count(from) == 0 {
                    return None;
                }
                end = from + count(from);
            }
            (end == rest.len()).then_some(Number::Decimal {
                plus,
                zero: (whole == 0).then_some(sign),
                point: (has_point && fraction == 0).then_some(sign + whole),
            })
        }
    }
}

/// Whether a word is a number in the grammar of RFC 8259.
pub(crate) fn is_number(word: &[u8]) -> bool {
    let decimal = Number::Decimal {
        plus: false,
        zero: None,
        point: None,
    };
    parse(word) == Some(decimal)
}

/// Number of hexadecimal digits in 128 bits.
const HELD: usize = 32;

/// Converts a hexadecimal number: exactly if it has at most 32 digits, else to the nearest double, as in JavaScript.
fn hexadecimal(digits: &[u8], minus: bool) -> Option<Number> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let (held, more) = digits[zeros..]
        .split_at_checked(HELD)
        .unwrap_or((&digits[zeros..], b""));
    let value = held.iter().fold(0u128, |value, &digit| {
        value << 4 | u128::from((digit as char).to_digit(16).unwrap_or(0))
    });
    let sign = if minus { "-" } else { "" };
    if more.is_empty() {
        return Some(Number::Hexadecimal(format!("{sign}{value}")));
    }
    // The last bit is sticky: it stands for all further digits, which decide a tie.
    let rest = more.iter().any(|&digit| digit != b'0');
    let exponent = i32::try_from(4 * more.len()).unwrap_or(i32::MAX);
    let double = (value | u128::from(rest)) as f64 * 2f64.powi(exponent.min(1024));
    Some(if double.is_finite() {
        Number::Hexadecimal(format!("{sign}{double:e}"))
    } else {
        Number::NonFinite
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_numbers_are_exact_or_the_nearest_double() {
        let decimal = |word: &str| match parse(word.as_bytes()) {
            Some(Number::Hexadecimal(text)) => text,
            other => format!("{other:?}"),
        };
        for (word, text) in [
            ("0x0", "0"),
            ("-0X0", "-0"),
            ("+0xdecAF", "912559"),
            ("0x20000000000001", "9007199254740993"),
            (
                "-0x00FfffFfffFfffFfffFfffFfffFfffFfff",
                "-340282366920938463463374607431768211455",
            ),
            // A tie, and one above it: 2^180 + 2^127 is halfway for the 53 bits of 2^180.
            (
                "0x1000000000000080000000000000000000000000000000",
                "1.532495540865889e54",
            ),
            (
                "0x1000000000000080000000000000000000000000000001",
                "1.5324955408658892e54",
            ),
        ] {
            assert_eq!(decimal(word), text, "{word}");
        }
        let long = |digits: usize| format!("0x1{}", "0".repeat(digits));
        assert_eq!(decimal(&long(255)), format!("{:e}", 2f64.powi(1020)));
        assert_eq!(decimal(&long(256)), "Some(NonFinite)");
        assert_eq!(decimal(&long(1 << 20)), "Some(NonFinite)");
    }

    #[test]
    fn words_that_are_not_numbers() {
        for word in [
            "",
            "+",
            "-",
            ".",
            "+.",
            "e1",
            ".e1",
            "1e",
            "1e+",
            "1.2.3",
            "01",
            "-00",
            "0x",
            "0xg",
            "1_0",
            "--1",
            "+-1",
            "0b1",
            "0o7",
            "infinity",
            "nan",
            "Infinityx",
            "1a",
            "5.a",
            "1e1.5",
            "1n",
        ] {
            assert_eq!(parse(word.as_bytes()), None, "{word}");
        }
    }
}
