//! Operations on bits and selected bytes for kernels without special instructions for them.

use super::{BLOCK, Bytes};

/// Doubles the distance in each step; see [`Isa::prefix_xor`](super::Isa::prefix_xor).
#[inline(always)]
pub(super) fn prefix_xor(bits: u64) -> u64 {
    let mut sum = bits;
    sum ^= sum << 1;
    sum ^= sum << 2;
    sum ^= sum << 4;
    sum ^= sum << 8;
    sum ^= sum << 16;
    sum ^ sum << 32
}

/// Gathers bit by bit: one step per set bit under the mask.
#[inline(always)]
pub(super) fn pext(bits: u64, mask: u64) -> u64 {
    let mut gathered = 0;
    let mut rest = bits & mask;
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        gathered |= 1 << (mask & (lowest - 1)).count_ones();
        rest ^= lowest;
    }
    gathered
}

/// Scatters bit by bit: one step per bit of the mask.
#[inline(always)]
pub(super) fn pdep(mut bits: u64, mut mask: u64) -> u64 {
    let mut scattered = 0;
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        scattered |= lowest & (bits & 1).wrapping_neg();
        bits >>= 1;
        mask ^= lowest;
    }
    scattered
}

/// Compresses byte by byte.
#[inline(always)]
pub(super) fn compress(bytes: &Bytes, mask: u64, out: &mut Bytes) {
    each_bit::<8>(mask, |at, index| out[at] = bytes[index as usize % BLOCK]);
}

/// Compresses byte by byte, with a space for the bytes not selected by `keep`.
#[inline(always)]
pub(super) fn compress_spaced(bytes: &Bytes, keep: u64, mask: u64, out: &mut Bytes) {
    each_bit::<8>(mask, |at, index| {
        out[at] = match keep >> (index % 64) & 1 {
            1 => bytes[index as usize % BLOCK],
            _ => b' ',
        };
    });
}

/// Compresses byte by byte and writes the indices of the bytes, in one pass.
#[inline(always)]
pub(super) fn compress_indexed(
    bytes: &Bytes,
    mask: u64,
    base: u32,
    out: &mut Bytes,
    indices: &mut [u32; BLOCK],
) {
    each_bit::<4>(mask, |at, index| {
        out[at] = bytes[index as usize % BLOCK];
        indices[at] = base + index;
    });
}

/// The indices of the bits.
#[inline(always)]
pub(super) fn indices(mask: u64, base: u32, out: &mut [u32; BLOCK]) {
    each_bit::<8>(mask, |at, index| out[at] = base + index);
}

/// The indices of the bits, fewer per step.
#[inline(always)]
pub(super) fn few_indices(mask: u64, base: u32, out: &mut [u32; BLOCK]) {
    each_bit::<4>(mask, |at, index| out[at] = base + index);
}

/// Calls `take` with the rank and the index of every set bit, `N` at a time without a branch: up to `N - 1` meaningless calls
/// follow the last one.
#[inline(always)]
fn each_bit<const N: usize>(mask: u64, mut take: impl FnMut(usize, u32)) {
    let mut rest = mask;
    let mut at = 0;
    while rest != 0 {
        for _ in 0..N {
            take(at % BLOCK, rest.trailing_zeros());
            rest &= rest.wrapping_sub(1);
            at += 1;
        }
    }
}
