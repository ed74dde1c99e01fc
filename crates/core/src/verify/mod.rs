//! Streams become a verdict: the grammar 64 tokens at a time, the numbers 64 digits at a time, by bit algebra.

pub(crate) mod containers;
pub(crate) mod grammar;
pub(crate) mod machine;
pub(crate) mod scalars;
pub(crate) mod utf8;

/// Shifts `bits`, of which `count` are valid, to the next place, lets `carry` (0 or 1) in and puts out the bit
/// after the last valid one.
#[inline(always)]
pub(crate) fn shift_in(bits: u64, carry: &mut u64, count: u32) -> u64 {
    let shifted = bits << 1 | *carry;
    *carry = bits >> (count - 1) & 1;
    shifted
}
