use proptest::prelude::*;

use super::*;
use jsonx_testing::cases;

/// Compares with the standard library; returns whether there was a result.
fn agrees(text: &str) -> bool {
    let Some(parsed) = Parsed::of(text.as_bytes()) else {
        return false;
    };
    let double: Option<f64> = nearest(parsed);
    if let Some(double) = double {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(double.to_bits(), expected.to_bits(), "{text}");
    }
    let single: Option<f32> = nearest(parsed);
    if let Some(single) = single {
        let expected: f32 = text.parse().unwrap();
        assert_eq!(single.to_bits(), expected.to_bits(), "{text}");
    }
    double.is_some() && single.is_some()
}

#[test]
fn borders() {
    for text in [
        "0",
        "-0",
        "0.0",
        "-0.000",
        "1",
        "-1.5",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740995",
        "18014398509481985",
        "16777216",
        "16777217",
        "16777219",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "8.5e22",
        "65.613616999999977",
        "1.000000000000000111",
        "1.0000000596046448",
        "0.000001",
        "1e-10",
        "5e-20",
        "9999999999999999999",
        "1234567890123456789e-27",
        "9223372036854775808",
    ] {
        assert!(agrees(text), "{text}");
    }
    // Left to the slow path.
    for text in ["1e400", "1e-60", "123456789012345678901", "1e99999"] {
        agrees(text);
    }
    assert_eq!(
        Parsed::of(b"1."),
        Parsed::of(b"1.0").map(|parsed| Parsed {
            digits: 1,
            power: 0,
            ..parsed
        })
    );
    for text in ["", "-", "x", "1x", "1e", "1e+", "inf"] {
        assert_eq!(Parsed::of(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn bytes_that_are_not_digits() {
    for byte in 0..=u8::MAX {
        for lane in 0..8 {
            let mut word = *b"90123456";
            word[lane] = byte;
            let first = word.iter().position(|byte| !byte.is_ascii_digit());
            let marks = no_digits(u64::from_le_bytes(word));
            assert_eq!(
                marks.trailing_zeros() / 8,
                first.unwrap_or(8) as u32,
                "{byte} {lane}"
            );
        }
    }
}

/// Compares a number at the start of a text, with various bytes after it.
#[cfg(feature = "serde")]
fn leading_agrees(number: &str) {
    let negative = number.starts_with('-');
    for after in [
        "",
        ",",
        "]",
        " ",
        "\n  ",
        ",\"12345678\"",
        "]]]]]]]]]]]]]]]]]]]]]]",
        ",1234567890123456789",
    ] {
        let text = format!("{number}{after}");
        match Leading::of(text.as_bytes(), negative) {
            Leading::Integer(negative, magnitude) => {
                assert_eq!(
                    short_integer(number.as_bytes()),
                    Some((negative, magnitude)),
                    "{text}"
                );
            }
            Leading::Long => assert!(number.trim_start_matches('-').len() > 18, "{text}"),
            Leading::Real(real) => {
                let expected = Parsed::of(number.as_bytes());
                let double: Option<f64> = expected.and_then(nearest);
                let single: Option<f32> = expected.and_then(nearest);
                assert_eq!(
                    real.as_f64(text.as_bytes()).map(f64::to_bits),
                    double.map(f64::to_bits)
                );
                assert_eq!(
                    real.as_f32(text.as_bytes()).map(f32::to_bits),
                    single.map(f32::to_bits)
                );
                assert!(number.contains(['.', 'e', 'E']), "{text}");
            }
        }
    }
}

#[test]
fn halfway_between_two_floats() {
    for base in [1u64 << 53, 1 << 54, 1 << 60, (1 << 53) + 2, 1 << 62] {
        let step = base >> 53;
        for near in 0..8 {
            let value = base + near * step.max(1) / 2 + near;
            for scale in ["", "e1", "e-1", "e5", "e-4", "e20"] {
                agrees(&format!("{value}{scale}"));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn like_the_standard_library(digits in any::<u64>(), keep in 0..64u32, power in -330..310i32, point in 0..22usize, negative in any::<bool>()) {
        let mut text = format!("{}", digits >> keep);
        if point > 0 && point < text.len() {
            text.insert(point, '.');
        }
        let real = format!("{}{text}e{power}", if negative { "-" } else { "" });
        agrees(&real);
        agrees(&text);
        leading_agrees(&real);
        leading_agrees(&text);
    }

    #[test]
    fn every_class_of_bits(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        if double.is_finite() {
            agrees(&format!("{double:?}"));
            agrees(&format!("{double:e}"));
        }
        let single = f32::from_bits(bits as u32);
        if single.is_finite() {
            agrees(&format!("{single:?}"));
            agrees(&format!("{single:e}"));
        }
    }

    #[test]
    fn integers(value in any::<i64>(), keep in 0..64u32) {
        let value = value >> keep;
        let text = value.to_string();
        leading_agrees(&text);
        match short_integer(text.as_bytes()) {
            Some((negative, magnitude)) => {
                prop_assert_eq!((negative, magnitude), (value < 0, value.unsigned_abs()));
            }
            None => prop_assert!(text.trim_start_matches('-').len() > 18),
        }
    }
}

/// A power beyond 32 bits is not truncated: 0.[2³² − 1 zeros]1 was read as 1.
#[test]
fn powers_out_of_range_are_left_to_the_slow_path() {
    for power in [i64::from(i32::MIN), -400, 0, 308, i64::from(i32::MAX)] {
        assert!(Parsed::with_power(false, 1, power).is_some(), "{power}");
    }
    for power in [
        -(1 << 32),
        i64::from(i32::MIN) - 1,
        i64::from(i32::MAX) + 1,
        1 << 32,
    ] {
        assert_eq!(Parsed::with_power(false, 1, power), None, "{power}");
    }
}
