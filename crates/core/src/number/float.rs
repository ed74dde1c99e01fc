//! The nearest float of a short number: Clinger's fast path and, beyond it, the algorithm of Eisel and Lemire ("Number
//! Parsing at a Gigabyte per Second", 2021). What they leave open, the standard library decides.

use super::power::power_of_ten;

/// The digits of a number as an integer, and the power of ten to multiply it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    negative: bool,
    digits: u64,
    power: i32,
}

/// Digits that always fit in 64 bits.
const DIGITS: usize = 19;

/// Eight bytes as one word.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes))
}

/// Whether all of eight bytes are digits.
#[inline(always)]
fn are_digits(word: u64) -> bool {
    let above = word.wrapping_add(0x4646_4646_4646_4646);
    let below = word.wrapping_sub(0x3030_3030_3030_3030);
    (above | below) & 0x8080_8080_8080_8080 == 0
}

/// The value of eight digits, in three multiplications: pairs, fours, all of them.
#[inline(always)]
fn value_of_eight(word: u64) -> u64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// Adds the digits from `at` on to `value`, which wraps if there are too many; returns where they end.
#[inline(always)]
fn digits(raw: &[u8], mut at: usize, value: &mut u64) -> usize {
    while let Some(word) = eight(raw, at)
        && are_digits(word)
    {
        *value = value
            .wrapping_mul(100_000_000)
            .wrapping_add(value_of_eight(word));
        at += 8;
    }
    while let Some(&byte) = raw.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// Whether it is negative, and its magnitude, of an integer of up to 18 digits: it fits in 63 bits.
#[inline]
pub(super) fn short_integer(raw: &[u8]) -> Option<(bool, u64)> {
    let negative = raw.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut value = 0;
    let end = digits(raw, start, &mut value);
    (end == raw.len() && end > start && end - start < DIGITS).then_some((negative, value))
}

impl Parsed {
    /// Reads a number of RFC 8259 that has few digits; `None` for others.
    #[inline]
    pub(super) fn of(raw: &[u8]) -> Option<Parsed> {
        let negative = raw.first() == Some(&b'-');
        let start = usize::from(negative);
        let mut value = 0;
        let mut at = digits(raw, start, &mut value);
        let mut count = at - start;
        if count == 0 {
            return None;
        }
        let mut power = 0;
        if raw.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = digits(raw, fraction, &mut value);
            power = -((at - fraction) as i64);
            count += at - fraction;
        }
        if count > DIGITS {
            // Zeros in front take no room.
            let significant = raw[start..]
                .iter()
                .skip_while(|byte| matches!(byte, b'0' | b'.'));
            let significant = significant.take_while(|byte| !matches!(byte, b'e' | b'E'));
            if significant.filter(|byte| **byte != b'.').count() > DIGITS {
                return None;
            }
        }
        if let Some(b'e' | b'E') = raw.get(at) {
            at += 1;
            let sign = raw.get(at).copied();
            at += usize::from(matches!(sign, Some(b'+' | b'-')));
            let mut exponent = 0;
            let end = digits(raw, at, &mut exponent);
            if !(1..=4).contains(&(end - at)) {
                return None;
            }
            at = end;
            power += match sign {
                Some(b'-') => -(exponent as i64),
                _ => exponent as i64,
            };
        }
        (at == raw.len()).then_some(Parsed {
            negative,
            digits: value,
            power: power as i32,
        })
    }
}

/// A float that a number can be turned into.
pub(super) trait Float: Sized + core::ops::Neg<Output = Self> {
    /// Bits of the significand, without the one in front.
    const BITS: u32;
    /// The least exponent, of subnormal numbers.
    const LEAST: i32;
    /// The exponent of infinity, as it is stored.
    const INFINITY: i32;
    /// The powers of ten between which a product can be halfway between two floats.
    const HALFWAY: (i32, i32);
    /// The largest power of ten that is exact.
    const EXACT: i32;

    /// An integer of up to `BITS + 1` bits times or by an exact power of ten.
    fn exact(digits: u64, power: i32) -> Self;
    fn from_parts(exponent: i32, significand: u64) -> Self;
}

macro_rules! float {
    ($float:ty, $word:ty, $bits:literal, $least:literal, $infinity:literal, $halfway:expr, $exact:literal) => {
        impl Float for $float {
            const BITS: u32 = $bits;
            const LEAST: i32 = $least;
            const INFINITY: i32 = $infinity;
            const HALFWAY: (i32, i32) = $halfway;
            const EXACT: i32 = $exact;

            #[inline(always)]
            fn exact(digits: u64, power: i32) -> Self {
                const POWERS: [$float; $exact + 1] = {
                    let mut powers = [1.0; $exact + 1];
                    let mut at = 1;
                    while at <= $exact {
                        powers[at] = powers[at - 1] * 10.0;
                        at += 1;
                    }
                    powers
                };
                let power_of_ten = POWERS[power.unsigned_abs() as usize];
                match power < 0 {
                    true => digits as $float / power_of_ten,
                    false => digits as $float * power_of_ten,
                }
            }

            #[inline(always)]
            fn from_parts(exponent: i32, significand: u64) -> Self {
                <$float>::from_bits((exponent as $word) << $bits | significand as $word)
            }
        }
    };
}

float!(f64, u64, 52, -1023, 0x7FF, (-4, 23), 22);
float!(f32, u32, 23, -127, 0xFF, (-17, 10), 10);

/// Between these, the powers of ten in 128 bits are exact or rounded up, as the algorithm wants them.
const LEAST_POWER: i32 = -292;
const GREATEST_POWER: i32 = 55;

/// From here up to `GREATEST_POWER`, 128 bits of a product always decide.
const DECISIVE_POWER: i32 = -27;

/// The nearest float; `None` where it takes more to tell.
#[inline]
pub(super) fn nearest<F: Float>(parsed: Parsed) -> Option<F> {
    let Parsed {
        negative,
        digits,
        power,
    } = parsed;
    let magnitude = if digits < 1 << (F::BITS + 1) && power.abs() <= F::EXACT {
        F::exact(digits, power)
    } else {
        product(digits, power)?
    };
    Some(if negative { -magnitude } else { magnitude })
}

#[inline]
fn product<F: Float>(digits: u64, power: i32) -> Option<F> {
    if digits == 0 {
        return Some(F::from_parts(0, 0));
    }
    if !(LEAST_POWER..=GREATEST_POWER).contains(&power) {
        return None;
    }
    let zeros = digits.leading_zeros();
    let digits = digits << zeros;
    let scale = power_of_ten(power);
    let first = u128::from(digits) * (scale >> 64);
    let (mut low, mut high) = (first as u64, (first >> 64) as u64);
    let mask = u64::MAX >> (F::BITS + 3);
    if high & mask == mask {
        // The lower half of the power may carry.
        let second = (u128::from(digits) * u128::from(scale as u64)) >> 64;
        let (sum, carries) = low.overflowing_add(second as u64);
        low = sum;
        high += u64::from(carries);
    }
    if low == u64::MAX && power < DECISIVE_POWER {
        return None;
    }
    let upper = (high >> 63) as u32;
    let shift = upper + 64 - F::BITS - 3;
    let mut significand = high >> shift;
    // The logarithm of five to base two is 2.3219, that of ten 3.3219.
    let mut exponent =
        ((power * (152_170 + 65_536)) >> 16) + 63 + upper as i32 - zeros as i32 - F::LEAST;
    if exponent <= 0 {
        return None;
    }
    let (least, greatest) = F::HALFWAY;
    if low <= 1
        && (least..=greatest).contains(&power)
        && significand & 3 == 1
        && significand << shift == high
    {
        // Halfway, and the even one is below.
        significand &= !1;
    }
    significand += significand & 1;
    significand >>= 1;
    if significand >= 2 << F::BITS {
        significand = 1 << F::BITS;
        exponent += 1;
    }
    if exponent >= F::INFINITY {
        return None;
    }
    Some(F::from_parts(exponent, significand & !(1 << F::BITS)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cases::cases;

    /// Against the standard library, wherever there is an answer; returns whether there is one.
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
        // Left to others.
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
            agrees(&format!("{}{text}e{power}", if negative { "-" } else { "" }));
            agrees(&text);
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
            match short_integer(text.as_bytes()) {
                Some((negative, magnitude)) => {
                    prop_assert_eq!((negative, magnitude), (value < 0, value.unsigned_abs()));
                }
                None => prop_assert!(text.trim_start_matches('-').len() > 18),
            }
        }
    }
}
