//! Streams become a verdict: the grammar 64 tokens at a time, the numbers 64 digits at a time, by bit algebra.
//!
//! `machine.rs` is the same grammar one byte at a time: it finds the offset of an error, and is the reference.

pub(crate) mod containers;
pub(crate) mod grammar;
pub(crate) mod machine;
pub(crate) mod scalars;

use self::grammar::Grammar;
use self::scalars::Scalars;
use crate::scan::Scan;

/// All that is carried from one chunk to the next besides the open containers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    pub(crate) scan: Scan,
    pub(crate) grammar: Grammar,
    pub(crate) scalars: Scalars,
}

/// Shifts `bits`, of which `count` are valid, to the next place, lets `carry` (0 or 1) in and puts out the bit
/// after the last valid one.
#[inline(always)]
pub(crate) fn shift_in(bits: u64, carry: &mut u64, count: u32) -> u64 {
    let shifted = bits << 1 | *carry;
    *carry = bits >> (count - 1) & 1;
    shifted
}
