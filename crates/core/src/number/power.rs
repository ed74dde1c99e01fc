//! Powers of ten in 128 bits, computed by the compiler.

/// The first 128 bits of 10^`exponent`, rounded up unless exact.
///
/// `exponent` is from −292, of the largest double, to 324, of the smallest.
pub(super) fn power_of_ten(exponent: i32) -> u128 {
    POWERS[(exponent - LEAST) as usize]
}

const LEAST: i32 = -292;

const POWERS: [u128; 617] = {
    let mut powers = [0; 617];
    let zero = -LEAST as usize;
    // 10ⁿ is 5ⁿ followed by n zero bits; 5³²⁴ has 753 bits.
    let mut number = [0; LIMBS];
    number[0] = 1;
    let mut at = zero;
    while at < powers.len() {
        powers[at] = leading_bits(&number, false);
        number = times_five(number);
        at += 1;
    }
    // ⌊⌊n / 5⌋ / 5⌋ is ⌊n / 25⌋, and so on; the last quotient has 474 bits.
    let mut number = [0; LIMBS];
    number[LIMBS - 1] = 1 << 63;
    let mut at = zero;
    while at > 0 {
        at -= 1;
        number = fifth(number);
        powers[at] = leading_bits(&number, true);
    }
    powers
};

/// For 1,152 bits.
const LIMBS: usize = 18;

const fn times_five(mut number: [u64; LIMBS]) -> [u64; LIMBS] {
    let mut carry = 0;
    let mut at = 0;
    while at < LIMBS {
        let product = number[at] as u128 * 5 + carry;
        number[at] = product as u64;
        carry = product >> 64;
        at += 1;
    }
    number
}

const fn fifth(mut number: [u64; LIMBS]) -> [u64; LIMBS] {
    let mut rest = 0;
    let mut at = LIMBS;
    while at > 0 {
        at -= 1;
        let part = rest << 64 | number[at] as u128;
        number[at] = (part / 5) as u64;
        rest = part % 5;
    }
    number
}

/// The first 128 bits, rounded up if any later bit is set, or with `is_more`, which stands for a fraction.
const fn leading_bits(number: &[u64; LIMBS], mut is_more: bool) -> u128 {
    let mut top = LIMBS - 1;
    while number[top] == 0 {
        top -= 1;
    }
    let shift = number[top].leading_zeros();
    // Three limbs hold 128 bits wherever they begin.
    let mut limbs = [0; 3];
    let mut at = 0;
    while at < 3 && at <= top {
        limbs[at] = number[top - at];
        at += 1;
    }
    let high = (limbs[0] as u128) << 64 | limbs[1] as u128;
    let bits = match shift {
        0 => high,
        _ => high << shift | (limbs[2] >> (64 - shift)) as u128,
    };
    is_more |= limbs[2] << shift != 0;
    let mut at = 3;
    while at <= top {
        is_more |= number[top - at] != 0;
        at += 1;
    }
    bits + is_more as u128
}
