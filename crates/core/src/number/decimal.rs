//! The exact value of a number: its digits and a power of ten, without rounding, expanding or copying.

use core::cmp::Ordering;
use core::fmt::{self, Display, Formatter};
use core::hash::{Hash, Hasher};

/// The exact value of a number. Comparison is by value: `1`, `1.0` and `10e-1` are equal, and so are `0` and `-0`.
///
/// Borrows from the text of the number. Parsing and comparing take time proportional to the length of the texts,
/// independent of the exponents: `1e999999999` costs as much as `1.23456789`.
///
/// ```
/// use jsonx_core::number::{Decimal, Number};
///
/// let value = |text: &'static str| Number::new(text.as_bytes()).decimal();
/// assert_eq!(value("1.0"), value("10e-1"));
/// assert!(value("9007199254740993") > value("9007199254740992.0"));
/// assert!(value("-1e999999999") < value("-1e999999998"));
/// // Equal values have equal hashes.
/// let distinct: std::collections::HashSet<Decimal> = ["1", "1.00", "2"].map(value).into();
/// assert_eq!(distinct.len(), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    negative: bool,
    /// From the first non-zero digit to the last, possibly with a decimal point in between. Empty for zero.
    digits: &'a [u8],
    /// The value is ± 0.`digits` × 10^(`places` + `exponent`).
    places: i64,
    exponent: Exponent<'a>,
}

/// The number after `e`.
#[derive(Clone, Copy, Debug)]
struct Exponent<'a> {
    negative: bool,
    /// Without leading zeros.
    digits: &'a [u8],
}

/// The power of ten of the last significant digit, exact: equal powers are displayed alike, and different ones are not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power<'a> {
    exponent: Exponent<'a>,
    /// The number to add to the exponent.
    shift: i128,
}

/// Number of significant digits that decide the nearest double; the longest number halfway between two doubles has 767.
pub(super) const DECISIVE: usize = 800;

/// Number of digits of an exponent that leave an `i128` enough range for additions.
const NEAR: usize = 36;

/// An exponent that the digits of no text can outweigh; larger exponents are treated as equal to it.
const FAR: i128 = 10_i128.pow(NEAR as u32);

impl<'a> Decimal<'a> {
    pub(super) fn new(raw: &'a [u8]) -> Self {
        let (negative, rest) = match raw {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (mantissa, exponent) = split(rest, memchr::memchr2(b'e', b'E', rest));
        let point = memchr::memchr(b'.', mantissa).unwrap_or(mantissa.len());
        let nonzero = |byte: &u8| !matches!(byte, b'0' | b'.');
        let Some(first) = mantissa.iter().position(nonzero) else {
            return Decimal {
                negative: false,
                digits: &[],
                places: 0,
                exponent: Exponent::new(&[]),
            };
        };
        let last = mantissa.iter().rposition(nonzero).unwrap_or(first);
        let places = if first < point {
            (point - first) as i64
        } else {
            -((first - point - 1) as i64)
        };
        Decimal {
            negative,
            digits: &mantissa[first..=last],
            places,
            exponent: Exponent::new(exponent),
        }
    }

    /// Whether the value is zero.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert!(Number::new(b"-0.00e5").decimal().is_zero());
    /// ```
    pub fn is_zero(self) -> bool {
        self.digits.is_empty()
    }

    /// Whether the value is below zero; `-0` is not.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert!(Number::new(b"-1").decimal().is_negative());
    /// assert!(!Number::new(b"-0").decimal().is_negative());
    /// ```
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// Whether the value is a whole number in any notation, as `type: integer` in JSON Schema requires.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// let is_whole = |text: &str| Number::new(text.as_bytes()).decimal().is_whole();
    /// assert!(is_whole("1.0") && is_whole("1.5e1") && is_whole("-0"));
    /// assert!(!is_whole("1.5") && !is_whole("1e-1"));
    /// ```
    pub fn is_whole(self) -> bool {
        self.is_zero() || self.power() >= 0
    }

    /// The significant digits as ASCII, from the first to the last that is not zero. The absolute value is this integer
    /// times ten to the [power](Decimal::power).
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// let value = Number::new(b"-0.01200e4").decimal();
    /// assert!(value.digits().eq(*b"12"));
    /// assert_eq!(value.power(), 1);
    /// ```
    pub fn digits(self) -> impl Iterator<Item = u8> + use<'a> {
        self.digits.iter().copied().filter(|&byte| byte != b'.')
    }

    /// The number of significant digits.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert_eq!(Number::new(b"1.020e9").decimal().digit_count(), 3);
    /// ```
    pub fn digit_count(self) -> usize {
        self.digits.len() - usize::from(memchr::memchr(b'.', self.digits).is_some())
    }

    /// The power of ten of the last significant digit; 0 for zero. Exact up to ±10^36, and close to that limit beyond
    /// it.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert_eq!(Number::new(b"1200").decimal().power(), 2);
    /// assert_eq!(Number::new(b"0.5e-3").decimal().power(), -4);
    /// ```
    pub fn power(self) -> i128 {
        if self.is_zero() {
            0
        } else {
            self.exponent.clamped() + self.shift()
        }
    }

    /// The [power](Decimal::power) less that of another value: exact up to ±10^36, else beyond that with the right sign.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// let value = |text: &'static str| Number::new(text.as_bytes()).decimal();
    /// assert_eq!(value("1.25").power_over(value("500")), -4);
    /// assert!(value("1e-1000000000000000000000000000000000000000").power_over(value("1")) < -(10_i128.pow(36)));
    /// ```
    pub fn power_over(self, other: Self) -> i128 {
        self.exponent.minus(other.exponent) + self.shift() - other.shift()
    }

    fn shift(self) -> i128 {
        i128::from(self.places) - self.digit_count() as i128
    }

    /// The exact [power](Decimal::power) of a non-zero value.
    pub(crate) fn exact_power(self) -> Power<'a> {
        Power {
            exponent: self.exponent,
            shift: self.shift(),
        }
    }

    /// A short number with the same nearest double as the absolute value.
    pub(super) fn abridged(self) -> String {
        let mut digits: Vec<u8> = self.digits().take(DECISIVE + 1).collect();
        let beyond = self.digit_count().saturating_sub(DECISIVE + 1);
        if let Some(last) = digits.get_mut(DECISIVE) {
            // Stands for all further digits, of which the last one is not zero.
            *last = b'1';
        }
        let power = self.power() + beyond as i128;
        format!("0{}e{power}", String::from_utf8_lossy(&digits))
    }

    /// The absolute value, if it is a whole number below 2⁶⁴.
    pub(super) fn magnitude(self) -> Option<u64> {
        if self.is_zero() {
            return Some(0);
        }
        let power = self.power();
        // 2⁶⁴ has 20 digits.
        if power < 0 || self.digit_count() as i128 + power > 20 {
            return None;
        }
        let value = self.digits().try_fold(0u64, |value, digit| {
            value
                .checked_mul(10)?
                .checked_add(u64::from(digit.wrapping_sub(b'0')))
        });
        value?.checked_mul(10u64.checked_pow(power as u32)?)
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |value: &Self| match (value.is_zero(), value.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign.is_ne() || self.is_zero() {
            return by_sign;
        }
        let places = i128::from(self.places) - i128::from(other.places);
        let by_size = (self.exponent.minus(other.exponent) + places)
            .cmp(&0)
            // The last digits are not zero, so a proper prefix is less.
            .then_with(|| self.digits().cmp(other.digits()));
        if self.negative {
            by_size.reverse()
        } else {
            by_size
        }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        if self.is_zero() {
            return;
        }
        let power = self.exact_power();
        match power.small() {
            Some(power) => power.hash(state),
            None => power.to_string().hash(state),
        }
        self.digits().for_each(|digit| digit.hash(state));
    }
}

impl Power<'_> {
    /// The exponent as an integer, if it is small by value, regardless of leading zeros.
    pub(crate) fn small(self) -> Option<i64> {
        if self.exponent.digits.len() <= NEAR {
            i64::try_from(self.exponent.clamped() + self.shift).ok()
        } else {
            None
        }
    }
}

impl Display for Power<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Exponent { negative, digits } = self.exponent;
        let Some(split) = digits.len().checked_sub(NEAR).filter(|&split| split > 0) else {
            return write!(f, "{}", self.exponent.clamped() + self.shift);
        };
        // The shift changes the last digits, and carries at most one into those before them.
        let (high, low) = digits.split_at(split);
        let low = Exponent {
            negative: false,
            digits: low,
        };
        let shift = if negative { -self.shift } else { self.shift };
        let low = low.clamped() + shift;
        let (carry, low) = (low.div_euclid(FAR), low.rem_euclid(FAR));
        let mut high = high.to_vec();
        // Propagates the carry from the last digit on.
        let (limit, around) = if carry > 0 {
            (b'9', b'0')
        } else {
            (b'0', b'9')
        };
        for digit in high.iter_mut().rev().take_while(|_| carry != 0) {
            if *digit != limit {
                *digit = if carry > 0 { *digit + 1 } else { *digit - 1 };
                break;
            }
            *digit = around;
        }
        let overflows = carry > 0 && high.iter().all(|&digit| digit == b'0');
        let text = format!(
            "{}{}{low:0NEAR$}",
            u8::from(overflows),
            String::from_utf8_lossy(&high)
        );
        let sign = if negative { "-" } else { "" };
        write!(f, "{sign}{}", text.trim_start_matches('0'))
    }
}

impl<'a> Exponent<'a> {
    fn new(text: &'a [u8]) -> Self {
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        Exponent {
            negative,
            digits: &digits[zeros..],
        }
    }

    /// The exponent, clamped to ±[`FAR`].
    fn clamped(self) -> i128 {
        let value = self.digits.iter().fold(0, |value: i128, digit| {
            (value * 10 + i128::from(digit.wrapping_sub(b'0'))).min(FAR)
        });
        if self.negative { -value } else { value }
    }

    /// The difference: exact up to ±10^36, else a value beyond that with the same sign. No text has that many digits.
    fn minus(self, other: Self) -> i128 {
        let longest = self.digits.len().max(other.digits.len());
        let mut difference = 0;
        for place in (0..longest).rev() {
            difference = difference * 10 + self.digit(place) - other.digit(place);
            // The remaining digits add less than 20 times their place value, which cannot change the sign.
            if difference.abs() > FAR {
                break;
            }
        }
        difference
    }

    /// The digit at a place, counted from the last digit, with the sign of the exponent.
    fn digit(self, place: usize) -> i128 {
        let digit = match self.digits.len().checked_sub(place + 1) {
            Some(index) => i128::from(self.digits[index].wrapping_sub(b'0')),
            None => 0,
        };
        if self.negative { -digit } else { digit }
    }
}

/// The bytes before and after `at`; without `at`, all bytes and none.
fn split(bytes: &[u8], at: Option<usize>) -> (&[u8], &[u8]) {
    match at {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;

    use super::*;

    fn hash(value: Decimal<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    /// Texts in ascending order of their values; the texts of one row are equal.
    fn rows() -> Vec<Vec<String>> {
        let nines = "9".repeat(60);
        let long = format!("1{}", "0".repeat(60));
        let row = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        vec![
            vec![format!("-1e{long}")],
            vec![format!("-1e{nines}"), format!("-0.1e{long}")],
            row(&["-1e999999999", "-10E999999998", "-0.01e1000000001"]),
            row(&["-9007199254740993"]),
            row(&["-9007199254740992.0", "-9007199254740992"]),
            row(&["-1.01"]),
            row(&["-1", "-1.0", "-10e-1", "-0.001e+3"]),
            vec![format!("-1e-{nines}")],
            vec![
                "0".into(),
                "-0".into(),
                "0.00e5".into(),
                format!("-0e{nines}"),
            ],
            vec![format!("1e-{long}"), format!("0.1e-{nines}")],
            vec![format!("1e-{nines}"), format!("10e-{long}")],
            row(&["1e-999999999"]),
            row(&["0.1", "1e-1", "0.10"]),
            row(&["0.12", "12e-2"]),
            row(&["0.123"]),
            row(&[
                "1", "1.0", "10e-1", "1e0", "1e-0", "0.1e1", "100E-2", "1e000",
            ]),
            row(&["1.5"]),
            row(&["10", "1e1", "1.0e01"]),
            row(&["1e999999998"]),
            row(&["1e999999999"]),
            vec![
                format!("1e{nines}"),
                format!("0.1e{long}"),
                format!("100e{}7", &nines[1..]),
            ],
            vec![format!("1e{long}"), format!("10e{nines}")],
            vec![format!("2e{long}")],
        ]
    }

    #[test]
    fn values_are_in_order_and_equal_ones_have_equal_hashes() {
        let rows = rows();
        for (i, row) in rows.iter().enumerate() {
            for (j, other) in rows.iter().enumerate() {
                for (a, b) in row.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                    let (x, y) = (Decimal::new(a.as_bytes()), Decimal::new(b.as_bytes()));
                    assert_eq!(x.cmp(&y), i.cmp(&j), "{a} {b}");
                    assert_eq!(hash(x) == hash(y), i == j, "{a} {b}");
                }
            }
            for (a, b) in row.iter().flat_map(|a| row.iter().map(move |b| (a, b))) {
                let power = |text: &str| Decimal::new(text.as_bytes()).exact_power().to_string();
                assert_eq!(power(a), power(b), "{a} {b}");
            }
        }
    }

    /// Order, hash and canonical form take the whole exponent into account.
    #[test]
    fn powers_are_exact_at_any_length() {
        let one = |length: usize| format!("1{}", "0".repeat(length));
        for length in [17, 18, 19, 20, 35, 36, 37, 38, 40, 72, 73, 100] {
            for sign in ["", "-"] {
                let nines = "9".repeat(length);
                let texts = |exponents: &[&str]| -> Vec<String> {
                    let mut texts = Vec::new();
                    for (shift, exponent) in exponents.iter().enumerate() {
                        texts.push(match (sign, shift) {
                            // Each is ten times the one before, by digits and not by the exponent.
                            ("", 0) => format!("1e{exponent}"),
                            ("", _) => format!("10e{exponent}"),
                            (_, 0) => format!("1e-{exponent}"),
                            _ => format!("0.1e-{exponent}"),
                        });
                    }
                    texts
                };
                let [a, b] = &texts(&[&one(length), &nines])[..] else {
                    unreachable!()
                };
                let (x, y) = (Decimal::new(a.as_bytes()), Decimal::new(b.as_bytes()));
                let expected = format!("{sign}{}", one(length));
                assert_eq!((x == y, hash(x) == hash(y)), (true, true), "{a} {b}");
                assert_eq!(x.exact_power().to_string(), expected);
                assert_eq!(y.exact_power().to_string(), expected);
                // The neighbors differ from it, and from each other.
                let others = [
                    format!("1e{sign}{}1", &one(length)[..length]),
                    format!("1e{sign}{nines}"),
                ];
                for other in &others {
                    let z = Decimal::new(other.as_bytes());
                    assert_ne!(x, z);
                    assert_ne!(hash(x), hash(z), "{a} {other}");
                    assert_ne!(x.exact_power().to_string(), z.exact_power().to_string());
                }
            }
        }
    }

    #[test]
    fn long_digits_are_compared_to_the_last() {
        let digits = "123456789".repeat(1000);
        let value = |text: &str| text.to_owned();
        let (whole, moved) = (value(&digits), format!("0.{digits}e9000"));
        assert_eq!(
            Decimal::new(whole.as_bytes()),
            Decimal::new(moved.as_bytes())
        );
        let more = format!("{digits}.{}1", "0".repeat(9000));
        assert!(Decimal::new(whole.as_bytes()) < Decimal::new(more.as_bytes()));
    }

    #[test]
    fn texts_that_are_not_numbers_are_harmless() {
        for text in [
            "",
            "-",
            ".",
            "e",
            "-.e-",
            "1e",
            "..1",
            "1.2.3",
            "\u{ff}e\u{ff}",
            "eee",
        ] {
            let value = Decimal::new(text.as_bytes());
            assert_eq!(value.cmp(&value), Ordering::Equal);
            let _ = (
                value.power(),
                value.magnitude(),
                value.is_whole(),
                hash(value),
            );
        }
    }
}
