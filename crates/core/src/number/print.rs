//! Writes integers and floats: floats with the fewest digits that are read as the same float.
//!
//! The digits are found by Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020). Of two decimals
//! that are equally near, the even one is taken, as in JavaScript; the standard library takes the greater one.

use super::power::power_of_ten;

/// Appends a decimal integer.
pub(crate) fn push_u64(value: u64, out: &mut Vec<u8>) {
    let mut text = [0; LONGEST_INTEGER];
    let start = digits(value, &mut text);
    out.extend_from_slice(&text[start..]);
}

/// Appends a decimal integer.
pub(crate) fn push_i64(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_u64(value.unsigned_abs(), out);
}

/// 2⁶⁴ has 20 digits.
const LONGEST_INTEGER: usize = 20;

/// Writes digits so that they end with `text`; returns where they start.
fn digits(mut value: u64, text: &mut [u8; LONGEST_INTEGER]) -> usize {
    let mut start = text.len();
    while value >= 100 {
        let pair = 2 * (value % 100) as usize;
        value /= 100;
        start -= 2;
        text[start..start + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if value >= 10 {
        let pair = 2 * value as usize;
        start -= 2;
        text[start..start + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        start -= 1;
        text[start] = b'0' + value as u8;
    }
    start
}

/// 00 to 99.
const PAIRS: [u8; 200] = {
    let mut pairs = [0; 200];
    let mut at = 0;
    while at < 100 {
        pairs[2 * at] = b'0' + (at / 10) as u8;
        pairs[2 * at + 1] = b'0' + (at % 10) as u8;
        at += 1;
    }
    pairs
};

/// The two binary formats.
pub(crate) trait Ieee754: Copy {
    /// Sign, significand as an integer, exponent of two of its last bit, and whether the float below is nearer than the
    /// one above, which is so for most powers of two.
    fn parts(self) -> (bool, u64, i32, bool);
}

impl Ieee754 for f64 {
    fn parts(self) -> (bool, u64, i32, bool) {
        parts(self.to_bits(), 52, 0x7ff)
    }
}

impl Ieee754 for f32 {
    fn parts(self) -> (bool, u64, i32, bool) {
        parts(u64::from(self.to_bits()), 23, 0xff)
    }
}

#[inline]
fn parts(bits: u64, stored: u32, all_ones: u64) -> (bool, u64, i32, bool) {
    let fraction = bits & ((1 << stored) - 1);
    let exponent = bits >> stored & all_ones;
    let is_negative = bits >> stored > all_ones;
    // That of the last bit of a subnormal number.
    let least = 2 - (all_ones as i32 >> 1) - 1 - stored as i32;
    match exponent {
        0 => (is_negative, fraction, least, false),
        _ => (
            is_negative,
            fraction | 1 << stored,
            least + exponent as i32 - 1,
            fraction == 0 && exponent > 1,
        ),
    }
}

/// Appends a finite float in the layout of the standard library's `Debug`: with a point or an exponent, the latter from 10¹⁶ and
/// below 10⁻⁴.
pub(crate) fn push_float(value: impl Ieee754, out: &mut Vec<u8>) {
    let (is_negative, significand, exponent, is_below_nearer) = value.parts();
    if is_negative {
        out.push(b'-');
    }
    if significand == 0 {
        out.extend_from_slice(b"0.0");
        return;
    }
    let (mut decimal, mut power) = shortest(significand, exponent, is_below_nearer);
    while decimal.is_multiple_of(10) {
        decimal /= 10;
        power += 1;
    }
    let mut text = [0; LONGEST_INTEGER];
    let start = digits(decimal, &mut text);
    let digits = &text[start..];
    let count = digits.len() as i32;
    // The value is 0.DIGITS times this power of ten.
    let point = count + power;
    match point {
        1..=16 if point >= count => {
            out.extend_from_slice(digits);
            zeros(point - count, out);
            out.extend_from_slice(b".0");
        }
        1..=16 => {
            let (whole, fraction) = digits.split_at(point as usize);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
        -3..=0 => {
            out.extend_from_slice(b"0.");
            zeros(-point, out);
            out.extend_from_slice(digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            out.extend_from_slice(first);
            if !rest.is_empty() {
                out.push(b'.');
                out.extend_from_slice(rest);
            }
            out.push(b'e');
            push_i64(i64::from(point - 1), out);
        }
    }
}

fn zeros(count: i32, out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'0'; 16][..count as usize]);
}

/// The decimal of the fewest digits, and of those the nearest, in the interval that rounds to `significand` · 2^`exponent`,
/// which is not 0; as an integer, which may end in zeros, and the power of ten of its last digit.
fn shortest(significand: u64, exponent: i32, is_below_nearer: bool) -> (u64, i32) {
    // Integers below 2⁵³ are exact.
    if (-63..=0).contains(&exponent) && significand.trailing_zeros() >= exponent.unsigned_abs() {
        return (significand >> exponent.unsigned_abs(), 0);
    }
    let is_odd = significand & 1;
    // Four times the value and the ends of its interval, so that all are integers.
    let below = 4 * significand - 2 + u64::from(is_below_nearer);
    let value = 4 * significand;
    let above = 4 * significand + 2;
    // ⌊log₁₀ of the width of the interval⌋.
    let power = (exponent * 1_262_611 - if is_below_nearer { 524_031 } else { 0 }) >> 22;
    let scale = power_of_ten(-power);
    // ⌊log₂ 10⁻ᵏ⌋ and one.
    let shift = exponent + ((-power * 1_741_647) >> 19) + 1;
    // Only ends of even significands belong to the interval.
    let lower = round_to_odd(scale, below << shift) + is_odd;
    let middle = round_to_odd(scale, value << shift);
    let upper = round_to_odd(scale, above << shift) - is_odd;

    let candidate = middle / 4;
    if candidate >= 10 {
        // One digit less.
        let tenth = candidate / 10;
        let fits_down = lower <= 40 * tenth;
        let fits_up = 40 * tenth + 40 <= upper;
        if fits_down != fits_up {
            return (tenth + u64::from(fits_up), power + 1);
        }
    }
    let fits_down = lower <= 4 * candidate;
    let fits_up = 4 * candidate + 4 <= upper;
    if fits_down != fits_up {
        return (candidate + u64::from(fits_up), power);
    }
    // Both or neither: the nearer one, and the even one of two that are equally near.
    let half = 4 * candidate + 2;
    let rounds_up = middle > half || (middle == half && candidate & 1 != 0);
    (candidate + u64::from(rounds_up), power)
}

/// ⌊`factor` · `value` / 2¹²⁸⌋, with the last bit set if anything is cut off.
#[inline]
fn round_to_odd(factor: u128, value: u64) -> u64 {
    let low = u128::from(factor as u64) * u128::from(value);
    let high = (factor >> 64) * u128::from(value) + (low >> 64);
    (high >> 64) as u64 | u64::from(high as u64 > 1)
}

#[cfg(test)]
mod tests;
