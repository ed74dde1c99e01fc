//! Tests against wide integers, the standard library and serde_json, including ties and extreme exponents.

use proptest::prelude::*;

use super::*;
use jsonx_testing::cases;

fn number(text: &str) -> Number<'_> {
    Number::new(text.as_bytes())
}

#[test]
fn integers_at_their_ends() {
    for value in [
        0,
        1,
        9,
        10,
        i64::MAX as i128,
        i64::MAX as i128 + 1,
        u64::MAX as i128,
        u64::MAX as i128 + 1,
    ] {
        for value in [value, -value, value * 10, -value * 10] {
            let text = value.to_string();
            assert_eq!(number(&text).as_i64(), value.try_into().ok(), "{text}");
            assert_eq!(number(&text).as_u64(), value.try_into().ok(), "{text}");
            assert_eq!(
                number(&text).exceeds_2_53(),
                value.abs() > 1 << 53,
                "{text}"
            );
        }
    }
    assert_eq!(number("-0").as_i64(), Some(0));
    assert_eq!(number("-0").as_u64(), Some(0));
    assert_eq!(number("-0.0e5").as_u64(), Some(0));
}

#[test]
fn integers_beyond_2_53() {
    for (text, exceeds) in [
        ("9007199254740991", false),
        ("9007199254740992", false),
        ("9007199254740993", true),
        ("-9007199254740992", false),
        ("-9007199254740993", true),
        ("10000000000000000", true),
        ("100000000000000000000000000000", true),
        ("9007199254740993.0", false),
        ("1e100000000000000000", false),
    ] {
        assert_eq!(number(text).exceeds_2_53(), exceeds, "{text}");
    }
}

#[test]
fn huge_exponents_are_not_expanded() {
    for exponent in [
        "2147483648",
        "9223372036854775807",
        "9223372036854775808",
        &"9".repeat(100_000),
    ] {
        let large = format!("1.5E+{exponent}");
        assert!(number(&large).overflows_f64());
        assert_eq!(
            (number(&large).as_f64(), number(&large).as_i64()),
            (None, None)
        );
        let small = format!("-1.5e-{exponent}");
        assert!(!number(&small).overflows_f64());
        assert_eq!(
            (number(&small).as_f64(), number(&small).as_i64()),
            (Some(-0.0), None)
        );
        let zero = format!("0.00e{exponent}");
        assert!(!number(&zero).overflows_f64());
        assert_eq!(
            (number(&zero).as_f64(), number(&zero).as_i64()),
            (Some(0.0), Some(0))
        );
    }
}

#[test]
fn long_digits_and_the_exponent_that_undoes_them() {
    let zeros = "0".repeat(700_000);
    let tiny = format!("0.{zeros}1e700001");
    assert_eq!(
        (number(&tiny).as_f64(), number(&tiny).as_i64()),
        (Some(1.0), Some(1))
    );
    let large = format!("-12{zeros}e-700000");
    assert_eq!(
        (number(&large).as_f64(), number(&large).as_i64()),
        (Some(-12.0), Some(-12))
    );
    let digits = "7".repeat(100_000);
    assert!(number(&digits).overflows_f64() && number(&digits).exceeds_2_53());
    assert_eq!(number(&format!("0.{digits}")).as_f64(), Some(7.0 / 9.0));
    assert_eq!(
        number(&format!("{digits}e-99999")).as_f64(),
        Some(70.0 / 9.0)
    );
}

#[test]
fn overflow_begins_half_a_step_above_the_largest_double() {
    let half = (1u128 << 54) - 1;
    // (2⁵⁴ − 1) × 2⁹⁷⁰, digit by digit: the tie between the largest double and the next power of two.
    let mut digits: Vec<u8> = half
        .to_string()
        .bytes()
        .rev()
        .map(|digit| digit - b'0')
        .collect();
    for _ in 0..970 {
        let mut carry = 0;
        for digit in &mut digits {
            carry += *digit * 2;
            *digit = carry % 10;
            carry /= 10;
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    let tie: String = digits
        .iter()
        .rev()
        .map(|&digit| char::from(b'0' + digit))
        .collect();
    assert_eq!(tie.len(), 309);
    assert!(number(&tie).overflows_f64());
    assert!(number(&format!("{tie}.{}1", "0".repeat(10_000))).overflows_f64());
    let below = format!("{}1.{}", &tie[..tie.len() - 1], "9".repeat(2000));
    assert_eq!(&tie[tie.len() - 1..], "2");
    assert!(!number(&below).overflows_f64());
    assert_eq!(number(&below).as_f64(), Some(f64::MAX));
}

#[test]
fn the_longest_tie_is_decided_by_its_last_digit() {
    // 2⁻¹⁰⁷⁵ = 5¹⁰⁷⁵ × 10⁻¹⁰⁷⁵, halfway between zero and the smallest double.
    let mut digits = vec![1u8];
    for _ in 0..1075 {
        let mut carry = 0;
        for digit in &mut digits {
            carry += *digit * 5;
            *digit = carry % 10;
            carry /= 10;
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    let tie: String = digits
        .iter()
        .rev()
        .map(|&digit| char::from(b'0' + digit))
        .collect();
    for zeros in [0, 1, 40, 100, 5000] {
        let zeros = "0".repeat(zeros);
        let padded = format!("{tie}{zeros}");
        assert_eq!(
            number(&format!("{padded}e-{}", 1075 + zeros.len())).as_f64(),
            Some(0.0)
        );
        let above = format!("{padded}1e-{}", 1076 + zeros.len());
        assert_eq!(number(&above).as_f64(), Some(f64::from_bits(1)));
    }
}

#[test]
fn other_text_does_not_panic() {
    for text in [
        "", "-", "+1", ".5", ".", "e", "e5", "-e", "1e", "1e+", "inf", "-inf", "nan", "-NaN",
        "infinity", "1..2", "1e5e5", "0x10", "true", "\u{661}", "--1", "1-",
    ] {
        for text in [text.to_owned(), text.repeat(500)] {
            let number = number(&text);
            let _ = (
                number.is_integer(),
                number.as_i64(),
                number.as_u64(),
                number.exceeds_2_53(),
            );
            let _ = number.overflows_f64();
            assert!(number.as_f64().is_none_or(f64::is_finite));
        }
    }
    assert_eq!(number("inf").as_f64(), None);
    assert!(!number("-inf").overflows_f64());
}

/// An integer in one of its notations: digits with a point anywhere, and the matching exponent.
fn notation(value: i128, zeros: usize, point: usize, shift: i64, plus: bool) -> String {
    let digits = format!("{}{}", value.unsigned_abs(), "0".repeat(zeros));
    let point = point % digits.len() + 1;
    let fraction = (digits.len() - point) as i64;
    let padding = "0".repeat(shift.unsigned_abs() as usize);
    let sign = if value < 0 { "-" } else { "" };
    let (mantissa, exponent) = if shift >= 0 {
        let (integer, fraction_digits) = digits.split_at(point);
        (
            format!("{integer}.{fraction_digits}{padding}0"),
            fraction - zeros as i64,
        )
    } else {
        (
            format!("0.{padding}{digits}"),
            digits.len() as i64 - shift - zeros as i64,
        )
    };
    let plus = if plus && exponent >= 0 { "+" } else { "" };
    format!("{sign}{mantissa}e{plus}{exponent}")
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn integers_in_every_notation(
        value in prop_oneof![any::<i64>().prop_map(i128::from), any::<u64>().prop_map(i128::from), -300i128..300],
        zeros in 0usize..30, point in any::<usize>(), shift in -40i64..40, plus in any::<bool>(),
    ) {
        let text = notation(value, zeros, point, shift, plus);
        prop_assert_eq!(number(&text).as_i64(), value.try_into().ok(), "{}", text);
        prop_assert_eq!(number(&text).as_u64(), value.try_into().ok(), "{}", text);
        // A tenth of it is an integer only if its last digit is zero.
        let (mantissa, exponent) = text.split_once('e').unwrap();
        let tenth = format!("{mantissa}e{}", exponent.parse::<i64>().unwrap() - 1);
        let expected = (value % 10 == 0).then_some(value / 10).and_then(|value| i64::try_from(value).ok());
        prop_assert_eq!(number(&tenth).as_i64(), expected, "{}", tenth);
    }

    #[test]
    fn doubles_as_the_standard_library_reads_them(text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?") {
        let expected: f64 = text.parse().unwrap();
        prop_assert_eq!(number(&text).as_f64().map(f64::to_bits), expected.is_finite().then(|| expected.to_bits()));
        prop_assert_eq!(number(&text).overflows_f64(), expected.is_infinite());
        let theirs = serde_json::from_str::<serde_json::Number>(&text).unwrap_or_else(|_| 0.into());
        if number(&text).is_integer() && text != "-0" {
            prop_assert_eq!(number(&text).as_i64(), theirs.as_i64());
            prop_assert_eq!(number(&text).as_u64(), theirs.as_u64());
        }
        let beyond = text.trim_start_matches('-').parse::<u128>().is_ok_and(|value| value > 1 << 53);
        prop_assert_eq!(number(&text).exceeds_2_53(), beyond);
    }

    #[test]
    fn long_doubles_as_the_standard_library_reads_them(
        bits in any::<u64>(), zeros in 0usize..3000, last in 0u8..10, fill in "[0-9]{0,900}",
    ) {
        // All digits of a double, which lies between ties, and of numbers near it.
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let scientific = format!("{value:e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap();
        let point = if mantissa.contains('.') { "" } else { "." };
        for text in [
            format!("{value:.1100}{}{last}", "0".repeat(zeros)),
            format!("{value:.800}{fill}{last}"),
            format!("{mantissa}{point}{fill}{last}e{exponent}"),
        ] {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(number(&text).nearest().map(f64::to_bits), Some(expected.to_bits()), "{}", text);
        }
    }

    #[test]
    fn any_bytes(raw in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"0123456789.eE+-".to_vec())], 0..1000)) {
        let number = Number::new(&raw);
        let _ = (number.as_i64(), number.as_u64(), number.exceeds_2_53(), number.overflows_f64());
        prop_assert!(number.as_f64().is_none_or(f64::is_finite));
    }
}
