//! NEON: four registers a block. Every 64-bit ARM processor that runs a general operating system has it.

use core::arch::aarch64::*;

use super::swar::Swar;
use super::utf8_tables as tables;
use super::{BLOCK, Bytes, Isa, KindMasks, NumberMasks, TextMasks};

/// Proof that the CPU has NEON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon(());

/// A block, first bytes first.
type Block = [uint8x16_t; 4];

impl Neon {
    /// The kernel, where the CPU has it. The order of the bits in a mask relies on little-endian lanes.
    pub(super) fn new() -> Option<Self> {
        let has = cfg!(target_endian = "little") && std::arch::is_aarch64_feature_detected!("neon");
        has.then_some(Neon(()))
    }
}

/// A table or a quarter of a block.
#[inline(always)]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: a `[u8; 16]` is readable for 16 bytes; the callers own a `Neon`, so the CPU has the instructions.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline(always)]
fn splat(byte: u8) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vdupq_n_u8(byte) }
}

/// The mask of a block under a predicate, whose bytes are all ones or all zeros.
///
/// No instruction gathers one bit of each byte. Instead each byte keeps the bit of its place among eight, and three
/// rounds of adding neighbours make one byte out of eight; four registers become two, one, and half of one.
#[inline(always)]
fn mask(block: Block, predicate: impl Fn(uint8x16_t) -> uint8x16_t) -> u64 {
    const PLACES: &[u8; 16] = b"\x01\x02\x04\x08\x10\x20\x40\x80\x01\x02\x04\x08\x10\x20\x40\x80";
    let [a, b, c, d] = block;
    let [a, b, c, d] = [predicate(a), predicate(b), predicate(c), predicate(d)];
    let places = load(PLACES);
    // SAFETY: the callers own a `Neon`.
    unsafe {
        let pairs = [
            vpaddq_u8(vandq_u8(a, places), vandq_u8(b, places)),
            vpaddq_u8(vandq_u8(c, places), vandq_u8(d, places)),
        ];
        let fours = vpaddq_u8(pairs[0], pairs[1]);
        let eights = vpaddq_u8(fours, fours);
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(eights))
    }
}

/// Where the bytes are `byte`.
#[inline(always)]
fn equal(bytes: uint8x16_t, byte: u8) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vceqq_u8(bytes, splat(byte)) }
}

/// Where the bytes are `first` to `first + span`.
#[inline(always)]
fn within(bytes: uint8x16_t, first: u8, span: u8) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vcleq_u8(vsubq_u8(bytes, splat(first)), splat(span)) }
}

/// Where `bytes` find `sought` in a table that is indexed by their low four bits.
#[inline(always)]
fn found(table: &[u8; 16], bytes: uint8x16_t, sought: uint8x16_t) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vceqq_u8(sought, low_half(table, bytes)) }
}

/// What a table has for the low four bits of the bytes.
#[inline(always)]
fn low_half(table: &[u8; 16], bytes: uint8x16_t) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vqtbl1q_u8(load(table), vandq_u8(bytes, splat(0x0F))) }
}

/// What a table has for the high four bits of the bytes.
#[inline(always)]
fn high_half(table: &[u8; 16], bytes: uint8x16_t) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vqtbl1q_u8(load(table), vshrq_n_u8::<4>(bytes)) }
}

/// The bytes with the bit 0x20 set: the two cases of a letter, `[` and `{`, `]` and `}` become one.
#[inline(always)]
fn fold(bytes: uint8x16_t) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vorrq_u8(bytes, splat(0x20)) }
}

/// Where the bytes have one of `bits`.
#[inline(always)]
fn any_of(bytes: uint8x16_t, bits: u8) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vtstq_u8(bytes, splat(bits)) }
}

#[inline(always)]
fn either(left: uint8x16_t, right: uint8x16_t) -> uint8x16_t {
    // SAFETY: the callers own a `Neon`.
    unsafe { vorrq_u8(left, right) }
}

impl Isa for Neon {
    type Block = Block;

    const COMPRESSES: bool = false;
    const CHECKS_UTF8: bool = true;
    const HAS_PEXT: bool = false;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> Block {
        let (quarters, _) = bytes.as_chunks::<16>();
        [
            load(&quarters[0]),
            load(&quarters[1]),
            load(&quarters[2]),
            load(&quarters[3]),
        ]
    }

    #[inline(always)]
    fn text(self, block: Block) -> TextMasks {
        // A byte is in the class when it finds itself at its low four bits. No byte of index 1 to 15 is 0.
        const SPACE: &[u8; 16] = b"\x20\0\0\0\0\0\0\0\0\x09\x0A\0\0\x0D\0\0";
        // Brackets with the bit 0x20 set. Index 0 holds a byte that no byte of index 0 is.
        const OP: &[u8; 16] = b"\xFF\0\0\0\0\0\0\0\0\0\x3A\x7B\x2C\x7D\0\0";
        let control = mask(block, |bytes| within(bytes, 0, 0x1F));
        TextMasks {
            backslash: self.equal(block, b'\\'),
            quote: self.equal(block, b'"'),
            control,
            space: mask(block, |bytes| found(SPACE, bytes, bytes)),
            // 0x1A and 0x0C fold to `:` and `,`.
            op: mask(block, |bytes| found(OP, bytes, fold(bytes))) & !control,
            non_ascii: mask(block, |bytes| any_of(bytes, 0x80)),
        }
    }

    #[inline(always)]
    fn kinds(self, block: Block) -> KindMasks {
        KindMasks {
            open: mask(block, |bytes| equal(fold(bytes), b'{')),
            close: mask(block, |bytes| equal(fold(bytes), b'}')),
            brace: mask(block, |bytes| any_of(bytes, 0x20)),
            colon: self.equal(block, b':'),
            comma: self.equal(block, b','),
            quote: self.equal(block, b'"'),
        }
    }

    #[inline(always)]
    fn digits(self, block: Block) -> u64 {
        mask(block, |bytes| within(bytes, b'0', 9))
    }

    #[inline(always)]
    fn numbers(self, block: Block) -> NumberMasks {
        NumberMasks {
            minus: self.equal(block, b'-'),
            point: self.equal(block, b'.'),
            exponent: mask(block, |bytes| equal(fold(bytes), b'e')),
        }
    }

    #[inline(always)]
    fn equal(self, block: Block, byte: u8) -> u64 {
        mask(block, |bytes| equal(bytes, byte))
    }

    #[inline(always)]
    fn escapable(self, block: Block) -> u64 {
        // By the low four bits; `b` and `r` share the index 2 with the quote.
        const ESCAPABLE: &[u8; 16] = b"\xFF\0\x22\0\x74\x75\x66\0\0\0\0\0\x5C\0\x6E\x2F";
        mask(block, |bytes| {
            let shared = either(equal(bytes, b'b'), equal(bytes, b'r'));
            either(found(ESCAPABLE, bytes, bytes), shared)
        })
    }

    #[inline(always)]
    fn hex(self, block: Block) -> u64 {
        mask(block, |bytes| {
            either(within(bytes, b'0', 9), within(fold(bytes), b'a', 5))
        })
    }

    // The carry-less multiplication is an extension that not every CPU with NEON has: shifts.
    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        Swar.prefix_xor(bits)
    }

    #[inline(always)]
    fn pext(self, bits: u64, mask: u64) -> u64 {
        Swar.pext(bits, mask)
    }

    fn pdep(self, _: u64, _: u64) -> u64 {
        unreachable!("HAS_PEXT is false")
    }

    #[inline(always)]
    fn compress(self, bytes: &Bytes, _: Block, mask: u64, out: &mut Bytes) {
        super::swar::compress_by_bits(bytes, mask, out);
    }

    fn compress_spaced(self, _: Block, _: u64, _: u64, _: &mut Bytes) {
        unreachable!("COMPRESSES is false")
    }

    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        super::swar::indices_by_bits(mask, base, out);
    }

    #[inline(always)]
    fn utf8(self, block: Block, before: Block) -> bool {
        let [a, b, c, d] = block;
        let error = either(
            either(utf8_error(a, before[3]), utf8_error(b, a)),
            either(utf8_error(c, b), utf8_error(d, c)),
        );
        // SAFETY: owning a `self` proves that the CPU has NEON.
        unsafe { vmaxvq_u8(error) != 0 }
    }

    #[inline(always)]
    fn utf8_open(self, block: Block) -> bool {
        let (quarters, _) = tables::LAST_COMPLETE.as_chunks::<16>();
        // SAFETY: owning a `self` proves that the CPU has NEON.
        unsafe { vmaxvq_u8(vcgtq_u8(block[3], load(&quarters[3]))) != 0 }
    }
}

/// Keiser and Lemire's lookup over 16 bytes: zero where they are UTF-8, so far as they and those before can tell.
#[inline(always)]
fn utf8_error(bytes: uint8x16_t, before: uint8x16_t) -> uint8x16_t {
    // SAFETY: the caller owns a `Neon`.
    unsafe {
        let prev1 = vextq_u8::<15>(before, bytes);
        let prev2 = vextq_u8::<14>(before, bytes);
        let prev3 = vextq_u8::<13>(before, bytes);
        let special = vandq_u8(
            vandq_u8(
                high_half(&tables::BYTE_1_HIGH, prev1),
                low_half(&tables::BYTE_1_LOW, prev1),
            ),
            high_half(&tables::BYTE_2_HIGH, bytes),
        );
        // Bytes that must continue: 2 after a lead of three or four, 3 after a lead of four.
        let third = vqsubq_u8(prev2, splat(0xE0 - 0x80));
        let fourth = vqsubq_u8(prev3, splat(0xF0 - 0x80));
        let must = vandq_u8(vorrq_u8(third, fourth), splat(0x80));
        veorq_u8(must, special)
    }
}
