//! Numbers compared as they are written.

use std::cmp::Ordering;

/// Compares two JSON numbers by value, exactly: no digit is rounded away and no exponent expanded, so
/// `9007199254740993` is more than `9007199254740992.0`, `1e400` less than `1e401`, and `-0` equals
/// `0`. Takes time in proportion to the two texts and no memory.
///
/// Both texts must be numbers by the grammar of RFC 8259; of others the result means nothing.
/// Exponents beyond 10^36 either way count as if they were that.
///
/// ```
/// use std::cmp::Ordering;
/// use jsonx_core::path::compare_numbers;
/// assert_eq!(compare_numbers(b"1.10e2", b"110"), Ordering::Equal);
/// assert_eq!(compare_numbers(b"-1e999999999", b"0.1"), Ordering::Less);
/// ```
pub fn compare_numbers(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (Decimal::new(a), Decimal::new(b));
    let by_sign = a.sign.cmp(&b.sign);
    if by_sign.is_ne() || a.sign == 0 {
        return by_sign;
    }
    let by_size = a
        .exponent
        .cmp(&b.exponent)
        .then_with(|| compare_digits(a.digits, b.digits));
    if a.sign < 0 {
        by_size.reverse()
    } else {
        by_size
    }
}

/// A number as sign × 0.digits × 10^exponent.
struct Decimal<'t> {
    /// -1, 0 or 1.
    sign: i8,
    /// From the first digit that is not 0; a decimal point may stand among them.
    digits: &'t [u8],
    exponent: i128,
}

impl<'t> Decimal<'t> {
    fn new(text: &'t [u8]) -> Self {
        let (sign, text) = match text.strip_prefix(b"-") {
            Some(text) => (-1, text),
            None => (1, text),
        };
        let e = text.iter().position(|b| matches!(b, b'e' | b'E'));
        let (mantissa, power) = match e {
            Some(e) => (&text[..e], power(&text[e + 1..])),
            None => (text, 0),
        };
        let point = mantissa
            .iter()
            .position(|&b| b == b'.')
            .unwrap_or(mantissa.len());
        let first = mantissa.iter().position(|b| matches!(b, b'1'..=b'9'));
        let Some(first) = first else {
            return Decimal {
                sign: 0,
                digits: &[],
                exponent: 0,
            };
        };
        // How many places the first digit stands left of the point; 0.07 has -1.
        let places = if first < point {
            (point - first) as i128
        } else {
            -((first - point - 1) as i128)
        };
        Decimal {
            sign,
            digits: &mantissa[first..],
            exponent: places + power,
        }
    }
}

/// The number after `e`.
fn power(text: &[u8]) -> i128 {
    const LIMIT: i128 = 10_i128.pow(36);
    let (negative, digits) = match text.split_first() {
        Some((b'-', digits)) => (true, digits),
        Some((b'+', digits)) => (false, digits),
        _ => (false, text),
    };
    let power = digits.iter().fold(0, |power: i128, digit| {
        (power * 10 + i128::from(digit.wrapping_sub(b'0'))).min(LIMIT)
    });
    if negative { -power } else { power }
}

/// Compares digits after a common decimal point.
fn compare_digits(a: &[u8], b: &[u8]) -> Ordering {
    let mut a = a.iter().filter(|&&byte| byte != b'.');
    let mut b = b.iter().filter(|&&byte| byte != b'.');
    loop {
        let (x, y) = (a.next(), b.next());
        if x.is_none() && y.is_none() {
            return Ordering::Equal;
        }
        let order = x.unwrap_or(&b'0').cmp(y.unwrap_or(&b'0'));
        if order.is_ne() {
            return order;
        }
    }
}
