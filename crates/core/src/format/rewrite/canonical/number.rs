//! Numbers as ECMAScript writes them (RFC 8785, section 3.2.2.3).

use crate::number::Number;
use crate::number::print::push_ecmascript;

/// The number would be rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounded;

/// Integers of up to this many characters, minus sign included, are below 2⁵³ and copied.
const PLAIN: usize = 15;

/// No double has more significant digits than this.
const MOST_DIGITS: usize = 767;

/// Programs write doubles with up to this many significant digits, not always the correct ones.
const WRITTEN_DIGITS: usize = 17;

/// Appends the number in its canonical form: the shortest digits that are read as the same double.
///
/// # Errors
///
/// No double equals the number when written with as many digits: `9007199254740993` and `1e400`, but not `0.1`, because
/// the nearest double is `0.1` to one digit. A fraction of up to 17 digits means the nearest double, even if its last
/// digits differ, as in an example of RFC 8785 (`333333333.33333329`).
pub(super) fn push(raw: &[u8], out: &mut Vec<u8>) -> Result<(), Rounded> {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    if raw.len() <= PLAIN && digits.iter().all(u8::is_ascii_digit) && raw != b"-0" {
        out.extend_from_slice(raw);
        return Ok(());
    }
    let number = Number::new(raw);
    let value = number.as_f64().ok_or(Rounded)?;
    if !is_exact(number, value) {
        return Err(Rounded);
    }
    push_ecmascript(value, out);
    Ok(())
}

/// Whether the double, written with as many significant digits as the number has, is the number.
fn is_exact(number: Number<'_>, value: f64) -> bool {
    let decimal = number.decimal();
    if decimal.is_zero() || value == 0.0 {
        return decimal.is_zero() && value == 0.0;
    }
    if decimal.digit_count() > MOST_DIGITS {
        return false;
    }
    let (digits, power) = (decimal.digits().collect::<Vec<u8>>(), decimal.power());
    if power < 0 && digits.len() <= WRITTEN_DIGITS && value.is_normal() {
        return true;
    }
    // One digit, a point, the others, and the exponent of the first.
    let written = format!("{:.*e}", digits.len() - 1, value.abs());
    let Some((mantissa, exponent)) = written.split_once('e') else {
        return false;
    };
    let first = power + digits.len() as i128 - 1;
    exponent.parse() == Ok(first)
        && mantissa
            .bytes()
            .filter(|&byte| byte != b'.')
            .eq(digits.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(raw: &str) -> Option<String> {
        let mut out = Vec::new();
        push(raw.as_bytes(), &mut out).ok()?;
        String::from_utf8(out).ok()
    }

    #[test]
    fn the_same_value_in_its_shortest_form() {
        for (raw, expected) in [
            ("0", "0"),
            ("-0", "0"),
            ("0.000", "0"),
            ("-0e999999999999999999999", "0"),
            ("1.0", "1"),
            ("-1.50", "-1.5"),
            ("1e2", "100"),
            ("1E+20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1e-6", "0.000001"),
            ("0.0000001", "1e-7"),
            ("123456789012345", "123456789012345"),
            ("9007199254740992", "9007199254740992"),
            ("9007199254740994.0", "9007199254740994"),
            ("18446744073709551616", "18446744073709552000"),
            ("333333333.33333329", "333333333.3333333"),
            ("0.1", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("0.30000000000000003", "0.30000000000000004"),
            ("0.1000000000000000055511151231257827", "0.1"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            assert_eq!(canonical(raw).as_deref(), Some(expected), "{raw}");
        }
        let long = format!("1{}.{}e-100000", "0".repeat(100_000), "0".repeat(1000));
        assert_eq!(canonical(&long).as_deref(), Some("1"));
    }

    #[test]
    fn numbers_that_no_double_equals_are_rejected() {
        for raw in [
            "9007199254740993",
            "-9007199254740993",
            "1e400",
            "-1e309",
            "1e-400",
            "3e-324",
            "0.1000000000000000055511151231257828",
            "3.141592653589793238",
            "3.3333333333333333e-324",
            "12345678901234567890",
        ] {
            assert_eq!(canonical(raw), None, "{raw}");
        }
        assert_eq!(canonical(&format!("0.{}", "3".repeat(100_000))), None);
    }
}
