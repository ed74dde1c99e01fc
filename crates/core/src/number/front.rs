//! Parses most numbers at the start of verified text without a loop. Only the position of the first byte is known.
//!
//! ```text
//! -65.613616999999977,      one word of up to seven digits, the point, two words of up to fifteen digits
//! 1700000000123}            two words of up to fifteen digits, or three of up to eighteen
//! ```
//!
//! The end of the digits in a word comes from [`no_digits`]; a shift moves them to the end of the word, so that the bytes before
//! them count as zeros. Longer numbers and numbers with an exponent are left to the standard library.

use super::float::{Float, MAX_PLACES, POWERS, add_eight, no_digits, rounded, value_of_eight};

/// Number of bytes needed: a sign, seven digits, a point, sixteen digits and the byte after them, in whole words.
pub(crate) const FRONT: usize = 32;

#[inline(always)]
fn word(text: &[u8; FRONT], at: usize) -> u64 {
    let bytes = text[at..].first_chunk::<8>();
    u64::from_le_bytes(*bytes.unwrap_or(&[0; 8]))
}

/// The number of bits before the first byte that is not a digit, from [`no_digits`]; more than 63 if all are digits.
#[inline(always)]
fn bits_of_digits(no_digits: u64) -> u32 {
    // The bit found is the highest of its byte.
    no_digits.trailing_zeros() ^ 7
}

/// The value of the digits in the first `bits` of a word, 8 to 56.
#[inline(always)]
fn value_of_front(word: u64, bits: u32) -> u64 {
    value_of_eight(word.wrapping_shl(bits.wrapping_neg()))
}

/// As [`value_of_eight`], in different steps: the compiler would vectorize two identical sequences with AVX-512, whose 64-bit
/// multiplication takes longer than both.
#[inline(always)]
fn value_of_whole(word: u64) -> u64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// Whether the byte after an integer part continues the number.
#[inline(always)]
fn is_real(next: u64) -> bool {
    matches!(next as u8 | 0x20, b'.' | b'e')
}

/// The magnitude of an integer of up to 18 digits.
#[inline(always)]
pub(crate) fn integer(text: &[u8; FRONT], negative: bool) -> Option<u64> {
    let start = usize::from(negative);
    let first = word(text, start);
    let no_digits_first = no_digits(first);
    let bits = bits_of_digits(no_digits_first);
    let (value, next) = if no_digits_first != 0 {
        (value_of_front(first, bits), first.wrapping_shr(bits))
    } else {
        let second = word(text, start + 8);
        let no_digits_second = no_digits(second);
        if no_digits_second == 0 {
            let third = word(text, start + 16);
            let bits = bits_of_digits(no_digits(third));
            if bits > 16 {
                return None;
            }
            let sixteen = value_of_whole(first) * 100_000_000 + value_of_eight(second);
            (and_digits(sixteen, third, bits), third >> bits)
        } else {
            let bits = bits_of_digits(no_digits_second);
            let value = and_digits(value_of_whole(first), second, bits);
            (value, second >> bits)
        }
    };
    if is_real(next) { None } else { Some(value) }
}

/// Appends up to seven digits to `value`: those in the first `bits` of a word.
#[inline(always)]
fn and_digits(value: u64, word: u64, bits: u32) -> u64 {
    let moved = word << (56 - bits) << 8;
    let power = POWERS[(bits / 8) as usize & 7];
    value
        .wrapping_mul(power)
        .wrapping_add(value_of_eight(moved))
}

/// The float nearest to a number with an integer part of up to 7 digits and a fraction of up to 15, at most 19 digits in total.
#[inline(always)]
pub(crate) fn real<F: Float>(text: &[u8; FRONT], negative: bool) -> Option<F> {
    let start = usize::from(negative);
    let first = word(text, start);
    let bits = bits_of_digits(no_digits(first));
    if bits > 56 || first >> bits & 0xFF != u64::from(b'.') {
        return None;
    }
    let integer = value_of_front(first, bits);
    let fraction = start + (bits / 8) as usize + 1;
    let (first, second) = (word(text, fraction), word(text, fraction + 8));
    let no_digits_first = no_digits(first);
    let (digits, count, next) = if no_digits_first != 0 {
        let bits = bits_of_digits(no_digits_first);
        let power = POWERS[(bits / 8) as usize & 7];
        let digits = integer * power + value_of_front(first, bits);
        (digits, bits / 8, first.wrapping_shr(bits))
    } else {
        let no_digits_second = no_digits(second);
        let more = bits_of_digits(no_digits_second);
        if no_digits_second == 0 || bits + more > 88 {
            return None;
        }
        let mut digits = integer;
        add_eight(first, &mut digits);
        (
            and_digits(digits, second, more),
            8 + more / 8,
            second >> more,
        )
    };
    match next as u8 | 0x20 {
        b'e' => None,
        _ => Some(quotient(digits, count, negative)),
    }
}

/// The float nearest to `digits` / 10^`places`.
#[inline(always)]
fn quotient<F: Float>(digits: u64, places: u32, negative: bool) -> F {
    let places = places & MAX_PLACES;
    // A lower limit than `BITS + 1`, because numbers with as many digits as a float holds are on both sides of that, which would
    // make the branch hard to predict.
    if digits < 1 << (F::BITS - 9) && places <= F::EXACT {
        let magnitude: F = F::exact(digits, places);
        return if negative { -magnitude } else { magnitude };
    }
    if digits == 0 {
        return F::assemble(1, 0, negative);
    }
    let (exponent, significand) = rounded::<F>(digits, places);
    // The leading bit of the significand and the carry of rounding up are added to the exponent.
    F::assemble(exponent, significand, negative)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_testing::cases;

    /// Compares a number at the start of a text with the standard library; returns which of the functions had a result.
    fn agrees(number: &str, after: &str) -> (bool, bool) {
        let negative = number.starts_with('-');
        let mut text = format!("{number}{after}").into_bytes();
        text.resize(text.len().max(FRONT), b'7');
        let text = text.first_chunk::<FRONT>().unwrap();
        let magnitude = integer(text, negative);
        if let Some(magnitude) = magnitude {
            assert_eq!(
                number.trim_start_matches('-').parse(),
                Ok(magnitude),
                "{number}"
            );
        }
        let (double, single) = (real::<f64>(text, negative), real::<f32>(text, negative));
        if let Some(double) = double {
            let expected: f64 = number.parse().unwrap();
            assert_eq!(double.to_bits(), expected.to_bits(), "{number}");
        }
        if let Some(single) = single {
            let expected: f32 = number.parse().unwrap();
            assert_eq!(single.to_bits(), expected.to_bits(), "{number}");
        }
        assert_eq!(double.is_some(), single.is_some(), "{number}");
        (magnitude.is_some(), double.is_some())
    }

    #[test]
    fn as_long_as_they_fit() {
        for (number, expected) in [
            ("0", (true, false)),
            ("-7", (true, false)),
            ("1234567", (true, false)),
            ("12345678", (true, false)),
            ("123456789012345", (true, false)),
            ("1234567890123456", (true, false)),
            ("-999999999999999999", (true, false)),
            ("1000000000000000000", (false, false)),
            ("12345678901234567890123456789", (false, false)),
            ("0.0", (false, true)),
            ("-0.000000000000000", (false, true)),
            ("65.613616999999977", (false, true)),
            ("1234567.1", (false, true)),
            ("1234567.123456789012", (false, true)),
            ("1234567.1234567890123", (false, false)),
            ("12345678.5", (false, false)),
            ("1.123456789012345", (false, true)),
            ("1.1234567890123456", (false, false)),
            ("1e5", (false, false)),
            ("1.5E5", (false, false)),
            ("1.123456789e5", (false, false)),
        ] {
            for after in [",", "]", "}", " ", "\n", "\t", "\r", ",0.5", ", 1e9"] {
                assert_eq!(agrees(number, after), expected, "{number}");
            }
        }
    }

    /// Fractions exactly between two floats, and next to that.
    #[test]
    fn halfway_between_two_floats() {
        for bits in [24u32, 25, 53, 54] {
            let step = 1u64 << bits;
            for count in 1..=4u32 {
                let scale = 2u64.pow(count);
                for odd in (1..40).step_by(2) {
                    let halves = step + odd;
                    let (whole, rest) = (halves / scale, halves % scale);
                    let digits = rest * 5u64.pow(count);
                    let number = format!("{whole}.{digits:0width$}", width = count as usize);
                    for number in [number.clone(), format!("{number}1"), format!("-{number}")] {
                        agrees(&number, ",");
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(cases(4000))]

        #[test]
        fn like_the_standard_library(
            digits in 0..10_000_000_000_000_000_000u64,
            keep in 0..64u32,
            point in 0..20usize,
            negative in any::<bool>(),
            after in prop::sample::select(vec![",", "]", " ", "\n", "}", ",-1.5", ",\"a\""]),
        ) {
            let mut text = (digits >> keep).to_string();
            if point > 0 && point < text.len() {
                text.insert(point, '.');
            }
            agrees(&format!("{}{text}", if negative { "-" } else { "" }), after);
            agrees(&format!("0.{}", text.replace('.', "")), after);
        }
    }
}
