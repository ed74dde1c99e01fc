//! The nearest float of a short number: Clinger's fast path and, beyond it, the algorithm of Eisel and Lemire ("Number Parsing
//! at a Gigabyte per Second", 2021). The cases they cannot decide are left to the standard library.

use super::power::power_of_ten;

/// The digits of a number as an integer, and the power of ten to multiply it with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    negative: bool,
    digits: u64,
    power: i32,
}

/// Number of digits that always fit in 64 bits.
const DIGITS: usize = 19;

/// Eight bytes as one word.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes))
}

/// Marks each of eight bytes that is not a digit, in its highest bit.
///
/// ```text
/// byte           '0'..'9'   others below 0x80   from 0x80 on
/// byte ^ 0x30    0..9       10..0x7F            0x80..
/// + 0x76         0x76..7F   0x80..              (its highest bit by itself)
/// ```
#[inline(always)]
pub(crate) fn no_digits(word: u64) -> u64 {
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

/// Appends the digits from `at` on to `value`, which wraps if there are too many; returns their end. Fastest if eight bytes
/// follow the last digit.
#[inline(always)]
fn digits(text: &[u8], at: usize, value: &mut u64) -> usize {
    match eight(text, at) {
        Some(word) if no_digits(word) != 0 => fewer_than_eight(word, at, value),
        Some(first) => match eight(text, at + 8) {
            Some(second) if no_digits(second) != 0 => {
                add_eight(first, value);
                fewer_than_eight(second, at + 8, value)
            }
            _ => more_digits(text, at, value),
        },
        None => more_digits(text, at, value),
    }
}

#[inline(always)]
pub(super) fn add_eight(word: u64, value: &mut u64) {
    *value = value
        .wrapping_mul(100_000_000)
        .wrapping_add(value_of_eight(word));
}

/// Appends the digits at the start of a word, fewer than eight.
#[inline(always)]
fn fewer_than_eight(word: u64, at: usize, value: &mut u64) -> usize {
    // The number of digits is that of the zero bytes below the lowest mark. Shifts them to the end of the word, after zeros.
    let count = no_digits(word).trailing_zeros() / 8;
    let moved = word << (56 - 8 * count) << 8;
    *value = value
        .wrapping_mul(POWERS[count as usize & 7])
        .wrapping_add(value_of_eight(moved));
    at + count as usize
}

/// [`digits`] for sixteen digits or more, or close to the end of the text.
#[inline(never)]
fn more_digits(text: &[u8], mut at: usize, value: &mut u64) -> usize {
    while let Some(word) = eight(text, at) {
        if no_digits(word) != 0 {
            return fewer_than_eight(word, at, value);
        }
        add_eight(word, value);
        at += 8;
    }
    last_digits(text, at, value)
}

/// [`digits`] if fewer than eight bytes are left.
#[cold]
#[inline(never)]
fn last_digits(text: &[u8], mut at: usize, value: &mut u64) -> usize {
    while let Some(&byte) = text.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// Sign and magnitude of an integer of up to 18 digits, which fits in 63 bits.
#[inline]
pub(super) fn short_integer(raw: &[u8]) -> Option<(bool, u64)> {
    let negative = raw.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut value = 0;
    let end = digits(raw, start, &mut value);
    (end == raw.len() && end > start && end - start < DIGITS).then_some((negative, value))
}

#[cfg(feature = "serde")]
/// A number at the start of a verified text, parsed up to the end of its integer part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    /// An integer of up to 18 digits: sign and magnitude.
    Integer(bool, u64),
    /// A number with a fraction or an exponent.
    Real(Real),
    /// An integer of more digits.
    Long,
}

#[cfg(feature = "serde")]
/// The integer part of a number, and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Real {
    negative: bool,
    digits: u64,
    at: usize,
}

#[cfg(feature = "serde")]
impl Leading {
    /// `negative` is known from the first byte. Bytes after the number only mark its end.
    #[inline(always)]
    pub(crate) fn of(text: &[u8], negative: bool) -> Leading {
        let start = usize::from(negative);
        let mut value = 0;
        let at = digits(text, start, &mut value);
        match text.get(at) {
            Some(b'.' | b'e' | b'E') => Leading::Real(Real {
                negative,
                digits: value,
                at,
            }),
            _ if at - start < DIGITS => Leading::Integer(negative, value),
            _ => Leading::Long,
        }
    }
}

#[cfg(feature = "serde")]
impl Real {
    /// The nearest double, if the number has few digits. `text` is the text that starts with the number.
    #[inline(never)]
    pub(crate) fn as_f64(self, text: &[u8]) -> Option<f64> {
        self.nearest(text)
    }

    /// As [`as_f64`](Real::as_f64), in single precision, rounded once.
    #[inline(never)]
    pub(crate) fn as_f32(self, text: &[u8]) -> Option<f32> {
        self.nearest(text)
    }

    #[inline(always)]
    fn nearest<F: Float>(self, text: &[u8]) -> Option<F> {
        match self.with_short_fraction(text) {
            Some(parsed) => nearest(parsed),
            None => self.other(text),
        }
    }

    #[cold]
    #[inline(never)]
    fn other<F: Float>(self, text: &[u8]) -> Option<F> {
        let (parsed, _) = Parsed::after(text, self.negative, self.digits, self.at)?;
        nearest(parsed)
    }

    /// Parses, without a loop, a fraction of up to 15 digits without an exponent, if enough bytes follow: most numbers.
    #[inline(always)]
    fn with_short_fraction(self, text: &[u8]) -> Option<Parsed> {
        let rest = text.get(self.at..)?.first_chunk::<18>()?;
        let (first, second) = (eight(rest, 1)?, eight(rest, 9)?);
        let mut digits = self.digits;
        let count = match no_digits(first) {
            0 if no_digits(second) == 0 => return None,
            0 => {
                add_eight(first, &mut digits);
                fewer_than_eight(second, 8, &mut digits)
            }
            _ => fewer_than_eight(first, 0, &mut digits),
        };
        let is_short = self.at - usize::from(self.negative) + count <= DIGITS;
        let next = rest.get(1 + count)?;
        if rest[0] != b'.' || next | 0x20 == b'e' || !is_short {
            return None;
        }
        Some(Parsed {
            negative: self.negative,
            digits,
            power: -(count as i32),
        })
    }
}

impl Parsed {
    /// Parses a number of few digits; `None` for others.
    #[inline]
    pub(super) fn of(raw: &[u8]) -> Option<Parsed> {
        let negative = raw.first() == Some(&b'-');
        let mut value = 0;
        let at = digits(raw, usize::from(negative), &mut value);
        let (parsed, end) = Parsed::after(raw, negative, value, at)?;
        (end == raw.len()).then_some(parsed)
    }

    /// `None` if the power is out of range: a fraction may have 2³² zeros.
    #[inline(always)]
    fn with_power(negative: bool, digits: u64, power: i64) -> Option<Parsed> {
        Some(Parsed {
            negative,
            digits,
            power: i32::try_from(power).ok()?,
        })
    }

    /// Parses the rest of a number, from the end of its integer part on. Also returns its end.
    #[inline(always)]
    fn after(text: &[u8], negative: bool, mut value: u64, end: usize) -> Option<(Parsed, usize)> {
        let mut at = end;
        let start = usize::from(negative);
        let mut count = at - start;
        if count == 0 {
            return None;
        }
        let mut power = 0;
        if text.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = digits(text, fraction, &mut value);
            power = -((at - fraction) as i64);
            count += at - fraction;
        }
        if count > DIGITS && significant(&text[start..at]) > DIGITS {
            return None;
        }
        if let Some(b'e' | b'E') = text.get(at) {
            at += 1;
            let sign = text.get(at).copied();
            at += usize::from(matches!(sign, Some(b'+' | b'-')));
            let mut exponent = 0;
            let end = digits(text, at, &mut exponent);
            if !(1..=4).contains(&(end - at)) {
                return None;
            }
            at = end;
            power += match sign {
                Some(b'-') => -(exponent as i64),
                _ => exponent as i64,
            };
        }
        Some((Parsed::with_power(negative, value, power)?, at))
    }
}

/// The number of digits without leading zeros, which do not count.
#[cold]
fn significant(digits: &[u8]) -> usize {
    let significant = digits.iter().skip_while(|byte| matches!(byte, b'0' | b'.'));
    significant.filter(|byte| **byte != b'.').count()
}

/// A binary float format.
pub(crate) trait Float: Sized + core::ops::Neg<Output = Self> {
    /// Stored bits of the significand, without the implicit leading one.
    const BITS: u32;
    /// The least exponent, of subnormal numbers.
    const LEAST: i32;
    /// The stored (biased) exponent of infinity.
    const INFINITY: i32;
    /// The range of powers of ten for which a product can be halfway between two floats.
    const HALFWAY: (i32, i32);
    /// The largest power of ten that is exact.
    const EXACT: i32;

    /// An integer of up to `BITS + 1` bits, multiplied or divided by an exact power of ten.
    fn exact(digits: u64, power: i32) -> Self;
    fn from_parts(exponent: i32, significand: u64) -> Self;
    /// Assembles a float from a significand with its leading bit, or from a subnormal one with the exponent 1.
    fn assemble(exponent: i32, significand: u64, negative: bool) -> Self;
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

            #[inline(always)]
            fn assemble(exponent: i32, significand: u64, negative: bool) -> Self {
                let sign = <$word>::from(negative) << (<$word>::BITS - 1);
                let exponent = ((exponent - 1) as $word) << $bits;
                <$float>::from_bits(exponent.wrapping_add(significand as $word) | sign)
            }
        }
    };
}

float!(f64, u64, 52, -1023, 0x7FF, (-4, 23), 22);
float!(f32, u32, 23, -127, 0xFF, (-17, 10), 10);

/// From here up to `GREATEST_POWER`, the powers of ten in 128 bits are exact or rounded up, as the algorithm requires.
const LEAST_POWER: i32 = -292;
const GREATEST_POWER: i32 = 55;

/// From here up to `GREATEST_POWER`, 128 bits of a product are always sufficient.
const DECISIVE_POWER: i32 = -27;

/// The nearest float; `None` if the algorithm cannot decide.
#[inline(always)]
pub(super) fn nearest<F: Float>(parsed: Parsed) -> Option<F> {
    let Parsed {
        negative,
        digits,
        power,
    } = parsed;
    // A lower limit than `BITS + 1`, because numbers with as many digits as a float holds are on both sides of that, which would
    // make the branch hard to predict.
    let magnitude = if digits < 1 << (F::BITS - 9) && power.abs() <= F::EXACT {
        F::exact(digits, power)
    } else {
        product(digits, power)?
    };
    Some(if negative { -magnitude } else { magnitude })
}

#[inline(always)]
fn product<F: Float>(digits: u64, power: i32) -> Option<F> {
    if digits == 0 {
        return Some(F::from_parts(0, 0));
    }
    if !(LEAST_POWER..=GREATEST_POWER).contains(&power) {
        return None;
    }
    let (mut exponent, mut significand) = rounded::<F>(digits, power)?;
    if exponent <= 0 {
        return None;
    }
    if significand >= 2 << F::BITS {
        significand = 1 << F::BITS;
        exponent += 1;
    }
    if exponent >= F::INFINITY {
        return None;
    }
    Some(F::from_parts(exponent, significand & !(1 << F::BITS)))
}

/// The exponent and the significand of the nearest float, if it is not subnormal; `None` if the algorithm cannot decide. Rounding
/// may carry into one more bit of the significand.
#[inline(always)]
pub(super) fn rounded<F: Float>(digits: u64, power: i32) -> Option<(i32, u64)> {
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
    // log₂ 5 is 2.3219, log₂ 10 is 3.3219.
    let exponent =
        ((power * (152_170 + 65_536)) >> 16) + 63 + upper as i32 - zeros as i32 - F::LEAST;
    let (least, greatest) = F::HALFWAY;
    if low <= 1
        && (least..=greatest).contains(&power)
        && significand & 3 == 1
        && significand << shift == high
    {
        // A tie, rounded down to even.
        significand &= !1;
    }
    significand += significand & 1;
    Some((exponent, significand >> 1))
}

#[cfg(test)]
mod tests;
