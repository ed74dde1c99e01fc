//! Keywords that compare numbers exactly; those of the validator compare doubles.

use std::cmp::Ordering;

use jsonschema::json::Node;
use jsonschema::{Keyword, ValidationError};
use jsonx_core::number::{self, Number};
use serde_json::{Map, Value};

use crate::instance::{Decimal, Instances, View};
use crate::limits::charge;

/// The key of the member with the exact number of a keyword.
pub fn exact_key(keyword: &str) -> String {
    format!("\u{0}{keyword}")
}

/// A keyword of the validator.
pub type Made<'a> = Result<Box<dyn for<'i> Keyword<'i, Instances>>, ValidationError<'a>>;

/// A keyword given by a predicate. Findings are made from its place or its message.
struct Test<T> {
    holds: T,
    message: String,
}

impl<'i, T: Fn(View<'i>) -> bool + Send + Sync> Keyword<'i, Instances> for Test<T> {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            Ok(())
        } else {
            Err(ValidationError::custom(&*self.message))
        }
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        (self.holds)(instance)
    }
}

/// A keyword with this predicate.
pub fn test<'a>(holds: impl Fn(View<'_>) -> bool + Send + Sync + 'static) -> Made<'a> {
    test_with("", holds)
}

/// A keyword with this predicate and error message.
pub fn test_with<'a>(
    message: &str,
    holds: impl Fn(View<'_>) -> bool + Send + Sync + 'static,
) -> Made<'a> {
    let message = message.to_owned();
    Ok(Box::new(Test { holds, message }))
}

/// `maximum`, `exclusiveMaximum`, `minimum` or `exclusiveMinimum`, as given by `keyword`.
pub fn limit<'a>(keyword: &str, parent: &'a Map<String, Value>, value: &'a Value) -> Made<'a> {
    let Some(limit) = exact(keyword, parent, value) else {
        return test(|_| true);
    };
    let wrong = match keyword {
        "maximum" | "exclusiveMaximum" => Ordering::Greater,
        _ => Ordering::Less,
    };
    // In draft 4 the exclusive keywords are booleans that modify the others.
    let is_exclusive = match keyword {
        "exclusiveMaximum" | "exclusiveMinimum" => true,
        "maximum" => parent.get("exclusiveMaximum") == Some(&Value::Bool(true)),
        _ => parent.get("exclusiveMinimum") == Some(&Value::Bool(true)),
    };
    let nearest = Number::new(limit.as_bytes()).as_f64();
    test(move |instance: View<'_>| match instance.as_number() {
        Some(Decimal(number)) => {
            let order = compare(number, &limit, nearest);
            order != wrong && !(is_exclusive && order.is_eq())
        }
        None => true,
    })
}

/// Compares a number with a limit, whose nearest double is `nearest`. Rounding keeps the order of numbers, so doubles that differ
/// decide.
fn compare(number: Number<'_>, limit: &str, nearest: Option<f64>) -> Ordering {
    match number.as_f64().zip(nearest) {
        Some((number, limit)) if number != limit => number.total_cmp(&limit),
        _ => number::compare(number.raw(), limit.as_bytes()),
    }
}

/// Maximum number of significant digits of `multipleOf`: a division takes that many steps for each digit of the number.
pub const MAX_DIVISOR: usize = 1000;

/// `multipleOf`.
pub fn multiple_of<'a>(parent: &'a Map<String, Value>, value: &'a Value) -> Made<'a> {
    let Some(divisor) = exact("multipleOf", parent, value) else {
        return test(|_| true);
    };
    if Number::new(divisor.as_bytes()).decimal().digit_count() > MAX_DIVISOR {
        return Err(ValidationError::schema("too many digits"));
    }
    test(move |instance: View<'_>| match instance.as_number() {
        Some(Decimal(number)) => is_multiple(number, Number::new(divisor.as_bytes())),
        None => true,
    })
}

/// The text of a number in a schema.
fn exact(keyword: &str, parent: &Map<String, Value>, value: &Value) -> Option<String> {
    match parent.get(&exact_key(keyword)) {
        Some(Value::String(exact)) => Some(exact.clone()),
        _ => value.as_number().map(ToString::to_string),
    }
}

/// Number of limbs divided per digit in the time of one step.
const LIMBS_PER_STEP: usize = 16;

/// Whether a number is an integer multiple of another.
fn is_multiple(number: Number<'_>, divisor: Number<'_>) -> bool {
    let (n, d) = (number.decimal(), divisor.decimal());
    if n.is_zero() || d.is_zero() {
        return n.is_zero();
    }
    // Neither ends in zero, so a larger power of ten in the divisor cannot be compensated.
    let Ok(zeros) = u128::try_from(n.power_over(d)) else {
        return false;
    };
    // Zeros beyond the number of factors 2 or 5 in the divisor have no effect; that number is at most its bit length.
    let most = 4 * d.digit_count();
    let zeros = usize::try_from(zeros).map_or(most, |zeros| zeros.min(most));
    let digits = n.digits().chain(std::iter::repeat_n(b'0', zeros));
    let mut short = d.digits().map(|digit| u64::from(digit - b'0'));
    let short = short.try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(digit));
    if let Some(divisor) = short.map(u128::from) {
        return digits.fold(0, |rest, digit| {
            (rest * 10 + u128::from(digit - b'0')) % divisor
        }) == 0;
    }
    // A digit takes fewer than 4 bits, a limb has 64.
    let mut limbs = vec![0; d.digit_count() / 16 + 2];
    let all = d.digit_count() + n.digit_count() + zeros;
    charge(all.saturating_mul(limbs.len()) / LIMBS_PER_STEP);
    d.digits().for_each(|digit| append(&mut limbs, digit));
    let mut rest = vec![0; limbs.len()];
    for digit in digits {
        append(&mut rest, digit);
        while rest.iter().rev().ge(limbs.iter().rev()) {
            subtract(&mut rest, &limbs);
        }
    }
    rest.iter().all(|&limb| limb == 0)
}

/// Appends a decimal digit to a number with its lowest limb first.
fn append(limbs: &mut [u64], digit: u8) {
    let mut carry = u128::from(digit - b'0');
    for limb in limbs {
        carry += u128::from(*limb) * 10;
        (*limb, carry) = (carry as u64, carry >> 64);
    }
}

/// Subtracts a number that is not greater.
fn subtract(limbs: &mut [u64], other: &[u64]) {
    let mut borrows = false;
    for (limb, &other) in limbs.iter_mut().zip(other) {
        let (less, first) = limb.overflowing_sub(other);
        let (less, second) = less.overflowing_sub(u64::from(borrows));
        (*limb, borrows) = (less, first || second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a number with a limit.
    fn compared(number: &str, limit: &str) -> Ordering {
        let nearest = Number::new(limit.as_bytes()).as_f64();
        compare(Number::new(number.as_bytes()), limit, nearest)
    }

    #[test]
    fn comparisons_by_doubles_are_exact() {
        let numbers = [
            "0",
            "-0",
            "0.0",
            "-0.0",
            "1",
            "-1",
            "0.5",
            "-0.5",
            "1.0",
            "-1.0",
            "1.5",
            "-1.5",
            "180",
            "180.0",
            "179.99",
            "180.01",
            "-180.0",
            "-179.9",
            "-180.01",
            "1e2",
            "1.8e2",
            "-1.8E2",
            "999999999999999999",
            "9999999999999999999",
            "0.0000000000000000000001",
            "181e-1",
            "-9223372036854775808",
            "9223372036854775807",
            "4503599627370496.5",
            "4503599627370495.99999999999999999999",
            "-4503599627370496.00000000000000000001",
            "1e400",
            "-1e400",
            "2e400",
            "-1e-400",
            "9007199254740992",
            "9007199254740993",
            "0.1",
            "0.10000000000000000555",
        ];
        for number in numbers {
            for limit in numbers {
                let exact = number::compare(number.as_bytes(), limit.as_bytes());
                assert_eq!(compared(number, limit), exact, "{number} {limit}");
            }
        }
    }

    fn multiple(n: &str, d: &str) -> bool {
        is_multiple(Number::new(n.as_bytes()), Number::new(d.as_bytes()))
    }

    #[test]
    fn multiples_are_exact() {
        for (n, d) in [
            ("19.99", "0.01"),
            ("0.3", "0.1"),
            ("0", "7"),
            ("-0.0", "7e9"),
            ("1e400", "1e399"),
            ("123456789012345678901234567890", "10"),
            ("-4.5", "1.5"),
        ] {
            assert!(multiple(n, d), "{n} {d}");
        }
        for (n, d) in [
            ("19.995", "0.01"),
            ("9007199254740993", "2"),
            ("1", "3"),
            ("10", "100"),
            ("1e1000000", "7e999999"),
        ] {
            assert!(!multiple(n, d), "{n} {d}");
        }
    }

    /// Exponents in increasing order, some equal in any fixed width. Divisibility must not depend on their distance from zero and from
    /// each other.
    #[test]
    fn multiples_are_exact_with_any_exponent() {
        let long = |digits: usize, last: char| format!("{}{last}", "9".repeat(digits));
        let mut exponents = vec!["0".to_owned(), "400".to_owned()];
        for digits in [9, 11, 18, 35, 36, 37, 40, 100] {
            exponents.extend([long(digits, '0'), long(digits, '7')]);
        }
        let negative = exponents.iter().skip(1).rev().map(|it| format!("-{it}"));
        let exponents: Vec<String> = negative.chain(exponents.iter().cloned()).collect();
        for (i, x) in exponents.iter().enumerate() {
            for (j, y) in exponents.iter().enumerate() {
                assert_eq!(
                    multiple(&format!("6e{x}"), &format!("3e{y}")),
                    i >= j,
                    "{x} {y}"
                );
                assert!(!multiple(&format!("10e{x}"), &format!("3e{y}")), "{x} {y}");
                // The zeros compensate for factors of the divisor, if any.
                assert_eq!(
                    multiple(&format!("9e{x}"), &format!("36e{y}")),
                    i > j,
                    "{x} {y}"
                );
                assert_eq!(
                    multiple(&format!("0.1e{x}"), &format!("10e{y}")),
                    i > j,
                    "{x} {y}"
                );
            }
        }
    }

    proptest::proptest! {
        /// Equals the comparison of integers with shifted points.
        #[test]
        fn comparisons_are_those_of_integers(
            (n, d) in (-3_000_000_000i128..3_000_000_000, -3_000_000_000i128..3_000_000_000),
            (near, x, y) in (-2i128..3, 0usize..12, 0usize..12),
        ) {
            // Random numbers are far apart, so some are chosen close together.
            let near = d * 10i128.pow(x as u32) / 10i128.pow(y as u32) + near;
            for n in [n, near] {
                let written = |n: i128, point: usize| {
                    let digits = format!("{:0width$}", n.abs(), width = point + 1);
                    let (whole, fraction) = digits.split_at(digits.len() - point);
                    let sign = if n < 0 { "-" } else { "" };
                    match point {
                        0 => format!("{sign}{whole}"),
                        _ => format!("{sign}{whole}.{fraction}"),
                    }
                };
                let expected = (n * 10i128.pow(y as u32)).cmp(&(d * 10i128.pow(x as u32)));
                let (n, d) = (written(n, x), written(d, y));
                proptest::prop_assert_eq!(number::compare(n.as_bytes(), d.as_bytes()), expected, "{} {}", n, d);
                proptest::prop_assert_eq!(compared(&n, &d), expected, "{} {}", n, d);
            }
        }

        /// For numbers that fit in 128 bits with shifted points.
        #[test]
        fn multiples_are_those_of_integers(
            (n, x) in (-300_000i128..300_000, 0u32..8),
            (d, y) in (1i128..3000, 0u32..8),
            (point, up) in (0usize..5, -20i32..20),
        ) {
            let expected = n * 10i128.pow(x) % (d * 10i128.pow(y)) == 0;
            // The same number, with `point` digits after the point.
            let written = |n: i128, exponent: u32| {
                let digits = format!("{:0width$}", n.abs(), width = point + 1);
                let (whole, fraction) = digits.split_at(digits.len() - point);
                let sign = if n < 0 { "-" } else { "" };
                let fraction = if point > 0 { format!(".{fraction}") } else { String::new() };
                let exponent = exponent as i32 + point as i32 + up;
                format!("{sign}{whole}{fraction}e{exponent}")
            };
            let (n, d) = (written(n, x), written(d, y));
            proptest::prop_assert_eq!(multiple(&n, &d), expected, "{} {}", n, d);
        }

        /// For numbers with many digits, with short and long divisors.
        #[test]
        fn multiples_of_long_numbers_are_exact(
            (n, d) in (proptest::num::u128::ANY, proptest::num::u128::ANY),
            (fewer, factor) in (0u32..128, 1u128..1000),
            times in 1usize..4,
        ) {
            let d = (d >> fewer).max(2);
            let less = n % d;
            let near = (n / d / factor) * d * factor;
            for n in [n, near, near.saturating_add(less)] {
                let multiple = multiple(&n.to_string(), &d.to_string());
                proptest::prop_assert_eq!(multiple, n % d == 0, "{} {}", n, d);
            }
            // The maximum number of digits: a number written twice is a multiple of itself.
            let long = d.to_string().repeat(times);
            let next = |last: &str| format!("{long}{}{last}", "0".repeat(long.len()));
            proptest::prop_assert!(multiple(&next(&long), &long), "{}", long);
            let other = next(&format!("{:0width$}", 1, width = long.len()));
            proptest::prop_assert!(!multiple(&other, &long), "{}", long);
        }
    }
}
