//! The nearest float of a number with few decimal places, by the algorithm of Eisel and Lemire ("Number Parsing at a Gigabyte per
//! Second", 2021).

/// Marks each of eight bytes that is not a digit, in its highest bit.
///
/// ```text
/// byte           '0'..'9'   others below 0x80   from 0x80 on
/// byte ^ 0x30    0..9       10..0x7F            0x80..
/// + 0x76         0x76..7F   0x80..              (its highest bit by itself)
/// ```
#[inline(always)]
pub fn no_digits(word: u64) -> u64 {
    let flipped = word ^ 0x3030_3030_3030_3030;
    let above = (flipped & 0x7F7F_7F7F_7F7F_7F7F).wrapping_add(0x7676_7676_7676_7676);
    (above | flipped) & 0x8080_8080_8080_8080
}

/// The value of eight digits, in three multiplications: pairs, fours, all of them. A zero byte counts as the digit 0.
#[inline(always)]
pub(super) fn value_of_eight(word: u64) -> u64 {
    // Each factor has the weight of the lower half in its high bits and 1 in its low ones, so that one product adds both.
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (digits.wrapping_mul(10 << 8 | 1) >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000 << 32 | 1) >> 32
}

pub(super) const POWERS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

#[inline(always)]
pub(super) fn add_eight(word: u64, value: &mut u64) {
    *value = value
        .wrapping_mul(100_000_000)
        .wrapping_add(value_of_eight(word));
}

/// A binary float format.
pub(crate) trait Float: Sized + core::ops::Neg<Output = Self> {
    /// Stored bits of the significand, without the implicit leading one.
    const BITS: u32;
    /// The least exponent, of subnormal numbers.
    const LEAST: i32;
    /// The maximum number of places for which a quotient can be halfway between two floats.
    const HALFWAY: u32;
    /// The maximum number of places for which their power of ten is exact; 15 if it is larger.
    const EXACT: u32;

    /// An integer of up to `BITS + 1` bits, divided by an exact power of ten.
    fn exact(digits: u64, places: u32) -> Self;
    /// Assembles a float from a significand with its leading bit, or from a subnormal one with the exponent 1.
    fn assemble(exponent: i32, significand: u64, negative: bool) -> Self;
}

macro_rules! float {
    ($float:ty, $word:ty, $bits:literal, $least:literal, $halfway:literal, $exact:literal) => {
        impl Float for $float {
            const BITS: u32 = $bits;
            const LEAST: i32 = $least;
            const HALFWAY: u32 = $halfway;
            const EXACT: u32 = $exact;

            #[inline(always)]
            fn exact(digits: u64, places: u32) -> Self {
                const POWERS: [$float; $exact + 1] = {
                    let mut powers = [1.0; $exact + 1];
                    let mut at = 1;
                    while at <= $exact {
                        powers[at] = powers[at - 1] * 10.0;
                        at += 1;
                    }
                    powers
                };
                digits as $float / POWERS[places as usize]
            }

            #[inline(always)]
            fn assemble(exponent: i32, significand: u64, negative: bool) -> Self {
                let sign = <$word>::from(negative) << (<$word>::BITS - 1);
                let exponent = ((exponent - 1) as $word) << $bits;
                <$float>::from_bits(exponent.wrapping_add(significand as $word) | sign)
            }
        }
    };
}

float!(f64, u64, 52, -1023, 4, 15);
float!(f32, u32, 23, -127, 15, 10);

/// Up to this number of places, 128 bits of a product are always sufficient.
pub(super) const MAX_PLACES: u32 = 15;

/// The first 128 bits of 10⁰ to 10⁻¹⁵, rounded up unless exact, as the algorithm requires.
const INVERSES: [u128; MAX_PLACES as usize + 1] = {
    let mut inverses = [1 << 127; MAX_PLACES as usize + 1];
    let mut power: u128 = 10;
    let mut at = 1;
    while at < inverses.len() {
        // 2¹²⁷⁺ⁿ / 10ᵃᵗ in two steps, where n is the number of bits of 10ᵃᵗ.
        let high = 1 << (63 + u128::BITS - power.leading_zeros());
        let low = (high % power) << 64;
        inverses[at] = ((high / power) << 64) + low / power + 1;
        power *= 10;
        at += 1;
    }
    inverses
};

/// The exponent and the significand of the float nearest to `digits` / 10^`places`, which is not subnormal. Rounding may carry into
/// one more bit of the significand.
#[inline(always)]
pub(super) fn rounded<F: Float>(digits: u64, places: u32) -> (i32, u64) {
    let zeros = digits.leading_zeros();
    let digits = digits << zeros;
    let scale = INVERSES[places as usize];
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
    let upper = (high >> 63) as u32;
    let shift = upper + 64 - F::BITS - 3;
    let mut significand = high >> shift;
    // log₂ 10 is 3.3219.
    let power = (-(places as i32) * 217_706) >> 16;
    let exponent = power + 63 + upper as i32 - zeros as i32 - F::LEAST;
    if low <= 1 && places <= F::HALFWAY && significand & 3 == 1 && significand << shift == high {
        // A tie, rounded down to even.
        significand &= !1;
    }
    significand += significand & 1;
    (exponent, significand >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
