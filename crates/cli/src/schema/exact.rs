//! Keywords that compare numbers exactly: the validator's own compare them as doubles.

use std::cmp::Ordering;

use jsonschema::json::Node;
use jsonschema::{Keyword, ValidationError};
use jsonx_core::number::{self, Number};
use serde_json::{Map, Value};

use super::convert::exact_key;
use super::instance::{Decimal, Instances, View};

/// A keyword of the validator.
pub type Made<'a> = Result<Box<dyn for<'i> Keyword<'i, Instances>>, ValidationError<'a>>;

/// A keyword that holds or not. What is wrong is found out from its place, or from the message.
struct Test<T> {
    holds: T,
    message: String,
}

impl<'i, T: Fn(View<'i>) -> bool + Send + Sync> Keyword<'i, Instances> for Test<T> {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        match self.is_valid(instance) {
            true => Ok(()),
            false => Err(ValidationError::custom(&*self.message)),
        }
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        (self.holds)(instance)
    }
}

/// A keyword that holds where this is true.
pub fn test<'a>(holds: impl Fn(View<'_>) -> bool + Send + Sync + 'static) -> Made<'a> {
    test_with("", holds)
}

/// A keyword that holds where this is true, with a message for its errors.
pub fn test_with<'a>(
    message: &str,
    holds: impl Fn(View<'_>) -> bool + Send + Sync + 'static,
) -> Made<'a> {
    let message = message.to_owned();
    Ok(Box::new(Test { holds, message }))
}

/// `maximum`, `exclusiveMaximum`, `minimum` or `exclusiveMinimum`, of which `keyword` is one.
pub fn limit<'a>(keyword: &str, parent: &'a Map<String, Value>, value: &'a Value) -> Made<'a> {
    // In draft 4 the exclusive ones are true or false, and change the meaning of the others.
    let is_exclusive = match keyword {
        "exclusiveMaximum" | "exclusiveMinimum" => true,
        "maximum" => parent.get("exclusiveMaximum") == Some(&Value::Bool(true)),
        _ => parent.get("exclusiveMinimum") == Some(&Value::Bool(true)),
    };
    let Some(limit) = exact(keyword, parent, value) else {
        return test(|_| true);
    };
    let wrong = match keyword {
        "maximum" | "exclusiveMaximum" => Ordering::Greater,
        _ => Ordering::Less,
    };
    let small = Number::new(limit.as_bytes()).as_i64();
    test(move |instance: View<'_>| {
        let Some(Decimal(number)) = instance.as_number() else {
            return true;
        };
        let order = small
            .and_then(|limit| order_of(number.raw(), limit))
            .unwrap_or_else(|| number::compare(number.raw(), limit.as_bytes()));
        order != wrong && !(is_exclusive && order.is_eq())
    })
}

/// How a number compares with a limit, if the digits before its decimal point tell.
fn order_of(raw: &[u8], limit: i64) -> Option<Ordering> {
    /// More digits may not fit.
    const MOST: usize = 18;
    let (negative, digits) = match raw {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut whole = 0i64;
    let mut ends = digits.len();
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' if at < MOST => whole = whole * 10 + i64::from(byte - b'0'),
            b'.' => {
                ends = at;
                break;
            }
            _ => return None,
        }
    }
    let fraction = &digits[ends..];
    if memchr::memchr2(b'e', b'E', fraction).is_some() {
        return None;
    }
    let whole = if negative { -whole } else { whole };
    // With a fraction, the number is between these digits and the next integer away from zero.
    let (least, most) = match (fraction.is_empty(), negative) {
        (true, _) => (whole, whole),
        (false, false) => (whole, whole + 1),
        (false, true) => (whole - 1, whole),
    };
    if least > limit || least == limit && least == most {
        return Some(least.cmp(&limit));
    }
    (most < limit).then_some(Ordering::Less)
}

/// `multipleOf`.
pub fn multiple_of<'a>(parent: &'a Map<String, Value>, value: &'a Value) -> Made<'a> {
    let Some(divisor) = exact("multipleOf", parent, value) else {
        return test(|_| true);
    };
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

/// Whether a number is a whole multiple of another. Exact if the digits of the divisor fit into 120 bits.
fn is_multiple(number: Number<'_>, divisor: Number<'_>) -> bool {
    let (n, d) = (number.decimal(), divisor.decimal());
    if n.is_zero() {
        return true;
    }
    let mut digits = d.digits().map(|digit| u128::from(digit - b'0'));
    let modulus = digits.try_fold(0u128, |sum, digit| {
        let next = sum.checked_mul(10)?.checked_add(digit)?;
        (next < 1 << 120).then_some(next)
    });
    let Some(modulus) = modulus.filter(|&modulus| modulus > 0) else {
        let (n, d) = (number.as_f64(), divisor.as_f64());
        return n.zip(d).is_some_and(|(n, d)| (n / d).fract() == 0.0);
    };
    // Neither ends in a zero, so that a power of ten too many in the divisor cannot be made up for.
    let Ok(power) = u128::try_from(n.power() - d.power()) else {
        return false;
    };
    let rest = n.digits().fold(0, |rest, digit| {
        (rest * 10 + u128::from(digit - b'0')) % modulus
    });
    product(rest, power_of_ten(power, modulus), modulus) == 0
}

/// 10 to the power of `exponent`, modulo `modulus`.
fn power_of_ten(mut exponent: u128, modulus: u128) -> u128 {
    let (mut result, mut square) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, square, modulus);
        }
        square = product(square, square, modulus);
        exponent >>= 1;
    }
    result
}

/// The product modulo `modulus`, which is below 2¹²⁰, as are the factors.
fn product(mut a: u128, mut b: u128, modulus: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % modulus;
    }
    let mut sum = 0;
    while b > 0 {
        if b & 1 == 1 {
            sum = (sum + a) % modulus;
        }
        a = a * 2 % modulus;
        b >>= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_comparison_is_the_exact_one() {
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
        ];
        for number in numbers {
            for limit in [
                -180i64,
                -1,
                0,
                1,
                180,
                i64::MAX,
                i64::MIN,
                999_999_999_999_999_999,
            ] {
                let exact = number::compare(number.as_bytes(), limit.to_string().as_bytes());
                let quick = order_of(number.as_bytes(), limit);
                assert!(quick.is_none_or(|quick| quick == exact), "{number} {limit}");
            }
        }
        assert_eq!(order_of(b"-65.6", 180), Some(Ordering::Less));
        assert_eq!(order_of(b"-65.6", -180), Some(Ordering::Greater));
    }

    #[test]
    fn multiples_are_exact() {
        let is_multiple =
            |n: &str, d: &str| is_multiple(Number::new(n.as_bytes()), Number::new(d.as_bytes()));
        for (n, d) in [
            ("19.99", "0.01"),
            ("0.3", "0.1"),
            ("0", "7"),
            ("1e400", "1e399"),
            ("123456789012345678901234567890", "10"),
            ("1e1000000", "7e999999"),
            ("-4.5", "1.5"),
        ] {
            let expected = d != "7e999999";
            assert_eq!(is_multiple(n, d), expected, "{n} {d}");
        }
        for (n, d) in [
            ("19.995", "0.01"),
            ("9007199254740993", "2"),
            ("1", "3"),
            ("10", "100"),
            ("340282366920938463463374607431768211457", "2"),
        ] {
            assert!(!is_multiple(n, d), "{n} {d}");
        }
        // The product of two factors does not fit into 128 bits.
        assert!(is_multiple("1e40", "1000000000000000000000000000000"));
        assert!(!is_multiple("1e40", "1000000000000000000000000000001"));
    }
}
