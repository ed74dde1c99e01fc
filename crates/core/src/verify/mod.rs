//! Turns streams into a verdict: checks the grammar 64 tokens at a time and numbers 64 bytes at a time, by bit algebra.
//!
//! `machine.rs` has the same grammar one byte at a time: it finds the offset of an error, and is the reference.

pub(crate) mod containers;
pub(crate) mod grammar;
pub(crate) mod machine;
pub(crate) mod scalars;

use self::grammar::Grammar;
use self::scalars::Scalars;
use crate::scan::Scan;

/// The state carried from one chunk to the next, except the open containers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    pub(crate) scan: Scan,
    pub(crate) grammar: Grammar,
    pub(crate) scalars: Scalars,
}

/// Shifts `bits` left by one and shifts in `carry` (0 or 1), which is set to the last of the `count` valid bits.
#[inline(always)]
pub(crate) fn shift_in(bits: u64, carry: &mut u64, count: u32) -> u64 {
    let shifted = bits << 1 | *carry;
    *carry = bits >> (count - 1) & 1;
    shifted
}
