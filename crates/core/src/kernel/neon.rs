//! NEON: four registers per block. Every 64-bit ARM processor that runs a general-purpose operating system has it. The bit order
//! of a mask relies on little-endian lanes.

use core::arch::aarch64::*;

use super::utf8::{self, LAST_COMPLETE};
use super::vector::{Lanes, Predicate, Vector};
use super::{Bits, Bytes};

proof! {
    Neon, is_aarch64_feature_detected,
    "neon"
}

// Carry-less multiplication is an extension that not every CPU with NEON has, so `prefix_xor` uses shifts.
//
// SAFETY (every block below): owning a `self` proves that the CPU has the instructions; loads are of arrays at least as long as
// the access.
impl Bits for Neon {}

impl Lanes for Neon {
    type Register = uint8x16_t;

    #[inline(always)]
    fn splat(self, byte: u8) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vdupq_n_u8(byte) }
    }

    #[inline(always)]
    fn and(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vandq_u8(a, b) }
    }

    #[inline(always)]
    fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vorrq_u8(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { veorq_u8(a, b) }
    }

    #[inline(always)]
    fn saturating_sub(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vqsubq_u8(a, b) }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16], bytes: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vqtbl1q_u8(vld1q_u8(table.as_ptr()), vandq_u8(bytes, self.splat(0x0F))) }
    }

    #[inline(always)]
    fn high_nibbles(self, bytes: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vshrq_n_u8::<4>(bytes) }
    }

    #[inline(always)]
    fn previous<const N: usize>(self, bytes: uint8x16_t, before: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe {
            match N {
                1 => vextq_u8::<15>(before, bytes),
                2 => vextq_u8::<14>(before, bytes),
                _ => vextq_u8::<13>(before, bytes),
            }
        }
    }
}

impl Vector for Neon {
    type Block = [uint8x16_t; 4];

    const FAST_PEXT: bool = false;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> [uint8x16_t; 4] {
        let (quarters, _) = bytes.as_chunks::<16>();
        // SAFETY: see above.
        unsafe {
            [
                vld1q_u8(quarters[0].as_ptr()),
                vld1q_u8(quarters[1].as_ptr()),
                vld1q_u8(quarters[2].as_ptr()),
                vld1q_u8(quarters[3].as_ptr()),
            ]
        }
    }

    /// No instruction gathers one bit of each byte. Instead, each byte keeps the bit of its position among eight, and
    /// three rounds of pairwise additions combine eight bytes into one; four registers become two, one, and half of
    /// one.
    #[inline(always)]
    fn mask<P: Predicate>(self, block: [uint8x16_t; 4], predicate: P) -> u64 {
        const LANE_BITS: &[u8; 16] =
            b"\x01\x02\x04\x08\x10\x20\x40\x80\x01\x02\x04\x08\x10\x20\x40\x80";
        let [a, b, c, d] = block;
        let a = predicate.test(self, a);
        let b = predicate.test(self, b);
        let c = predicate.test(self, c);
        let d = predicate.test(self, d);
        // SAFETY: see above.
        unsafe {
            let lane_bits = vld1q_u8(LANE_BITS.as_ptr());
            let pairs = [
                vpaddq_u8(vandq_u8(a, lane_bits), vandq_u8(b, lane_bits)),
                vpaddq_u8(vandq_u8(c, lane_bits), vandq_u8(d, lane_bits)),
            ];
            let fours = vpaddq_u8(pairs[0], pairs[1]);
            let eights = vpaddq_u8(fours, fours);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(eights))
        }
    }

    #[inline(always)]
    fn equals(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vceqq_u8(a, b) }
    }

    #[inline(always)]
    fn in_range(self, bytes: uint8x16_t, first: u8, span: u8) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vcleq_u8(vsubq_u8(bytes, self.splat(first)), self.splat(span)) }
    }

    #[inline(always)]
    fn non_ascii(self, bytes: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vtstq_u8(bytes, self.splat(0x80)) }
    }

    #[inline(always)]
    fn bit_0x20(self, bytes: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe { vtstq_u8(bytes, self.splat(0x20)) }
    }

    #[inline(always)]
    fn utf8(self, block: [uint8x16_t; 4], before: [uint8x16_t; 4]) -> bool {
        let [a, b, c, d] = block;
        let first = self.or(utf8::error(self, a, before[3]), utf8::error(self, b, a));
        let second = self.or(utf8::error(self, c, b), utf8::error(self, d, c));
        let error = self.or(first, second);
        // SAFETY: see above.
        unsafe { vmaxvq_u8(error) != 0 }
    }

    #[inline(always)]
    fn utf8_open(self, block: [uint8x16_t; 4]) -> bool {
        let [_, _, _, least] = self.load(&LAST_COMPLETE);
        let over = self.saturating_sub(block[3], least);
        // SAFETY: see above.
        unsafe { vmaxvq_u8(over) != 0 }
    }
}
