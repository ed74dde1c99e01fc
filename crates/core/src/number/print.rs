//! Writes integers and floats: floats with the fewest digits that read back as the same float.
//!
//! The digits are found by Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020). In a tie, the even
//! decimal is chosen, as in JavaScript; the standard library chooses the greater one.

use super::power::power_of_ten;

/// Appends a decimal integer.
#[inline]
pub(crate) fn push_u64(value: u64, out: &mut Vec<u8>) {
    let mut text = [0; INTEGER];
    let length = write_u64(value, &mut text);
    out.extend_from_slice(&text[..length]);
}

/// Appends a decimal integer.
#[inline]
pub(crate) fn push_i64(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_u64(value.unsigned_abs(), out);
}

/// Capacity for an integer, which is written eight digits at a time; 2⁶⁴ has 20.
pub(crate) const INTEGER: usize = 24;

/// Capacity for a float.
pub(crate) const FLOAT: usize = 64;

/// Eight digits, the first in the lowest byte: splits into halves, pairs and digits, in all lanes of a word at once.
#[inline(always)]
fn eight_digits(value: u32) -> u64 {
    let fours = u64::from(value / 10_000) | u64::from(value % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (pairs - 10 * tens) << 8
}

const ZEROS: u64 = 0x3030_3030_3030_3030;
const HUNDRED_MILLION: u64 = 100_000_000;

/// Writes up to eight digits, and arbitrary bytes after them; returns the number of digits.
#[inline(always)]
fn write_first(value: u32, out: &mut [u8; 8]) -> usize {
    let digits = eight_digits(value);
    // At least one digit, for 0.
    let skipped = (digits.trailing_zeros() / 8).min(7);
    *out = ((digits | ZEROS) >> (8 * skipped)).to_le_bytes();
    8 - skipped as usize
}

#[inline(always)]
fn write_eight(value: u32, out: &mut [u8; INTEGER], at: usize) -> usize {
    if let Some(out) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *out = (eight_digits(value) | ZEROS).to_le_bytes();
    }
    at + 8
}

/// Writes a decimal integer, and arbitrary bytes after it; returns its length.
#[inline(always)]
pub(crate) fn write_u64(value: u64, out: &mut [u8; INTEGER]) -> usize {
    let Some(first) = out.first_chunk_mut::<8>() else {
        return 0;
    };
    if value < HUNDRED_MILLION {
        return write_first(value as u32, first);
    }
    let (upper, last) = (value / HUNDRED_MILLION, (value % HUNDRED_MILLION) as u32);
    if upper < HUNDRED_MILLION {
        let length = write_first(upper as u32, first);
        return write_eight(last, out, length);
    }
    let (first_digits, middle) = (upper / HUNDRED_MILLION, (upper % HUNDRED_MILLION) as u32);
    let length = write_first(first_digits as u32, first);
    let length = write_eight(middle, out, length);
    write_eight(last, out, length)
}

/// Single and double precision.
pub(crate) trait Ieee754: Copy {
    /// Sign, significand as an integer, binary exponent of its last bit, and whether the float below is nearer than the one
    /// above, as for most powers of two.
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
    // The exponent of the last bit of a subnormal number.
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
    let mut text = [0; FLOAT];
    let length = write_float(value, &mut text);
    out.extend_from_slice(&text[..length]);
}

/// Writes a finite float as [`push_float`] does, and arbitrary bytes after it; returns its length.
#[inline]
pub(crate) fn write_float(value: impl Ieee754, out: &mut [u8; FLOAT]) -> usize {
    let (is_negative, significand, exponent, is_below_nearer) = value.parts();
    out[0] = b'-';
    let start = usize::from(is_negative);
    if significand == 0 {
        out[start..start + 3].copy_from_slice(b"0.0");
        return start + 3;
    }
    let (decimal, power) = digits_of(significand, exponent, is_below_nearer);
    // Copied at their full size; the bytes after the digits are overwritten later.
    let mut digits = [0; 2 * INTEGER];
    let Some((first, _)) = digits.split_first_chunk_mut() else {
        return 0;
    };
    let count = write_u64(decimal, first);
    let copy = |out: &mut [u8; FLOAT], at: usize, from: usize| {
        let copied = digits[from..from + INTEGER].iter();
        let out = &mut out[start + at..start + at + INTEGER];
        out.iter_mut()
            .zip(copied)
            .for_each(|(to, &from)| *to = from);
    };
    // The value is 0.DIGITS times this power of ten.
    let point = count as i32 + power;
    match point {
        1..=16 if point as usize >= count => {
            let point = point as usize;
            copy(out, 0, 0);
            out[start + count..start + point].fill(b'0');
            out[start + point] = b'.';
            out[start + point + 1] = b'0';
            start + point + 2
        }
        1..=16 => {
            let point = point as usize;
            copy(out, 0, 0);
            copy(out, point + 1, point);
            out[start + point] = b'.';
            start + count + 1
        }
        -3..=0 => {
            let zeros = 2 + point.unsigned_abs() as usize;
            out[start..start + 5].copy_from_slice(b"0.000");
            copy(out, zeros, 0);
            start + zeros + count
        }
        _ => {
            copy(out, 1, 0);
            out[start] = digits[0];
            out[start + 1] = b'.';
            let end = start + if count > 1 { count + 1 } else { 1 };
            out[end] = b'e';
            out[end + 1] = b'-';
            let power = point - 1;
            let end = end + 1 + usize::from(power < 0);
            let mut digits = [0; INTEGER];
            let count = write_u64(u64::from(power.unsigned_abs()), &mut digits);
            out[end..end + count].copy_from_slice(&digits[..count]);
            end + count
        }
    }
}

/// Appends a finite double as ECMAScript writes it (`Number::toString`): an integer has no point below 10²¹, and an exponent a sign.
pub(crate) fn push_ecmascript(value: f64, out: &mut Vec<u8>) {
    let (is_negative, significand, exponent, is_below_nearer) = value.parts();
    if significand == 0 {
        out.push(b'0');
        return;
    }
    if is_negative {
        out.push(b'-');
    }
    let (decimal, power) = digits_of(significand, exponent, is_below_nearer);
    let mut text = [0; INTEGER];
    let count = write_u64(decimal, &mut text);
    let digits = &text[..count];
    let zeros = |out: &mut Vec<u8>, count: i32| out.extend((0..count).map(|_| b'0'));
    // The value is 0.DIGITS times this power of ten.
    let point = count as i32 + power;
    match point {
        1..=21 if point as usize >= count => {
            out.extend_from_slice(digits);
            zeros(out, power);
        }
        1..=21 => {
            let (whole, fraction) = digits.split_at(point as usize);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
        -5..=0 => {
            out.extend_from_slice(b"0.");
            zeros(out, -point);
            out.extend_from_slice(digits);
        }
        _ => {
            let (first, others) = digits.split_at(1);
            out.extend_from_slice(first);
            if !others.is_empty() {
                out.push(b'.');
                out.extend_from_slice(others);
            }
            out.extend_from_slice(if point > 0 { b"e+" } else { b"e-" });
            push_u64(u64::from((point - 1).unsigned_abs()), out);
        }
    }
}

/// [`shortest`], without zeros at the end of the integer.
fn digits_of(significand: u64, exponent: i32, is_below_nearer: bool) -> (u64, i32) {
    let (mut decimal, mut power) = shortest(significand, exponent, is_below_nearer);
    while decimal.is_multiple_of(10) {
        decimal /= 10;
        power += 1;
    }
    (decimal, power)
}

/// The shortest decimal, and the nearest of these, in the interval that rounds to `significand` · 2^`exponent`, which must not be
/// 0: an integer, which may end in zeros, and the power of ten of its last digit.
fn shortest(significand: u64, exponent: i32, is_below_nearer: bool) -> (u64, i32) {
    // Integers below 2⁵³ are exact.
    if (-63..=0).contains(&exponent) && significand.trailing_zeros() >= exponent.unsigned_abs() {
        return (significand >> exponent.unsigned_abs(), 0);
    }
    let is_odd = significand & 1;
    // The value and the bounds of its interval, times four, so that all are integers.
    let below = 4 * significand - 2 + u64::from(is_below_nearer);
    let value = 4 * significand;
    let above = 4 * significand + 2;
    // ⌊log₁₀ of the width of the interval⌋.
    let power = (exponent * 1_262_611 - if is_below_nearer { 524_031 } else { 0 }) >> 22;
    let scale = power_of_ten(-power);
    // ⌊log₂ 10⁻ᵏ⌋ + 1.
    let shift = exponent + ((-power * 1_741_647) >> 19) + 1;
    // The bounds belong to the interval only if the significand is even.
    let lower = round_to_odd(scale, below << shift) + is_odd;
    let middle = round_to_odd(scale, value << shift);
    let upper = round_to_odd(scale, above << shift) - is_odd;

    let candidate = middle / 4;
    if candidate >= 10 {
        // One digit shorter.
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
    // If both or neither are in the interval: the nearer one, or the even one of a tie.
    let half = 4 * candidate + 2;
    let rounds_up = middle > half || (middle == half && candidate & 1 != 0);
    (candidate + u64::from(rounds_up), power)
}

/// ⌊`factor` · `value` / 2¹²⁸⌋, with a sticky last bit for the remainder.
#[inline]
fn round_to_odd(factor: u128, value: u64) -> u64 {
    let low = u128::from(factor as u64) * u128::from(value);
    let high = (factor >> 64) * u128::from(value) + (low >> 64);
    (high >> 64) as u64 | u64::from(high as u64 > 1)
}

#[cfg(test)]
mod tests;
