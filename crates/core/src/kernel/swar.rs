//! The portable kernel: eight `u64` words, and the reference for all the others.
//!
//! A predicate over the eight bytes of a word gives a word in which the high bit of every byte that fulfils it is
//! set. All of them are exact, not only at the lowest hit, because the carries of an addition are kept inside
//! their byte by clearing its high bit first:
//!
//! ```text
//! bytes          7b 22 61 e9        x = word ^ 22 22 22 22   (looking for 22)
//! x              59 00 43 cb
//! x & 7f..       59 00 43 4b
//! … + 7f..       d8 7f c2 ca        high bit clear only where the seven low bits were 0
//! … | x          d9 7f c3 cb        … and where the high bit was 0 too
//! ! … & 80..     00 80 00 00
//! ```

use super::{BLOCK, Bytes, Isa, KindMasks, NumberMasks, TextMasks};

/// The portable kernel. Every machine has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swar;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
const LOW7: u64 = 0x7F * ONES;

/// The high bits of the bytes that are `byte`.
#[inline(always)]
fn equal(word: u64, byte: u8) -> u64 {
    let x = word ^ (byte as u64 * ONES);
    !((x & LOW7).wrapping_add(LOW7) | x) & HIGH
}

/// The high bits of the bytes that are `limit` or more, from `word & LOW7` and `word`; `limit` is 1 to 0x80.
#[inline(always)]
fn at_least(low7: u64, word: u64, limit: u8) -> u64 {
    (low7.wrapping_add((0x80 - limit as u64) * ONES) | word) & HIGH
}

/// Bit `i` of the result is the high bit of byte `i` (the lowest byte is byte 0).
///
/// The product brings the eight bits, 8 apart, to lie side by side in the highest byte; no two partial products
/// meet in one bit.
#[inline(always)]
fn gather(high: u64) -> u64 {
    (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The mask of a block under a predicate over words.
#[inline(always)]
fn mask(block: [u64; 8], predicate: impl Fn(u64) -> u64) -> u64 {
    let mut mask = 0;
    for (i, word) in block.into_iter().enumerate() {
        mask |= gather(predicate(word)) << (8 * i);
    }
    mask
}

/// Squeezes byte by byte: eight at once without a branch; what is written after the last one is never read.
#[inline(always)]
pub(super) fn squeeze_by_bits(bytes: &Bytes, mask: u64, out: &mut Bytes) {
    each_bit(mask, |at, place| out[at] = bytes[place as usize % BLOCK]);
}

/// The indices of the bits, eight at once without a branch.
#[inline(always)]
pub(super) fn indices_by_bits(mask: u64, base: u32, out: &mut [u32; BLOCK]) {
    each_bit(mask, |at, place| out[at] = base + place);
}

/// Hands over the number and the place of every bit, and up to seven more of no meaning.
#[inline(always)]
fn each_bit(mask: u64, mut take: impl FnMut(usize, u32)) {
    let mut rest = mask;
    let mut at = 0;
    while rest != 0 {
        for _ in 0..8 {
            take(at % BLOCK, rest.trailing_zeros());
            rest &= rest.wrapping_sub(1);
            at += 1;
        }
    }
}

impl Isa for Swar {
    type Block = [u64; 8];

    const SQUEEZES: bool = false;
    const CHECKS_UTF8: bool = false;
    const HAS_PEXT: bool = false;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> [u64; 8] {
        let mut block = [0; 8];
        for (word, eight) in block.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*eight);
        }
        block
    }

    #[inline(always)]
    fn text(self, block: [u64; 8]) -> TextMasks {
        let non_ascii = match block.iter().fold(0, |all, word| all | word) & HIGH {
            0 => 0,
            _ => mask(block, |word| word & HIGH),
        };
        let control = match block
            .iter()
            .fold(0, |all, word| all | !at_least(word & LOW7, *word, 0x20))
            & HIGH
        {
            0 => 0,
            _ => mask(block, |word| !at_least(word & LOW7, word, 0x20) & HIGH),
        };
        let blank = mask(block, |word| equal(word, b' '));
        let space = match control {
            0 => blank,
            _ => {
                blank
                    | mask(block, |word| {
                        equal(word, b'\t') | equal(word, b'\n') | equal(word, b'\r')
                    })
            }
        };
        TextMasks {
            backslash: mask(block, |word| equal(word, b'\\')),
            quote: mask(block, |word| equal(word, b'"')),
            control,
            space,
            // The brackets differ from one another in the bits 0x20 and 0x06: 5B 5D 7B 7D.
            op: mask(block, |word| {
                let folded = word | (0x20 * ONES);
                equal(folded, b'{') | equal(folded, b'}') | equal(word, b':') | equal(word, b',')
            }),
            non_ascii,
        }
    }

    #[inline(always)]
    fn kinds(self, block: [u64; 8]) -> KindMasks {
        KindMasks {
            open: mask(block, |word| equal(word | (0x20 * ONES), b'{')),
            close: mask(block, |word| equal(word | (0x20 * ONES), b'}')),
            brace: mask(block, |word| (word << 2) & HIGH),
            colon: mask(block, |word| equal(word, b':')),
            comma: mask(block, |word| equal(word, b',')),
            quote: mask(block, |word| equal(word, b'"')),
        }
    }

    #[inline(always)]
    fn numbers(self, block: [u64; 8]) -> NumberMasks {
        NumberMasks {
            digit: mask(block, |word| {
                let low7 = word & LOW7;
                at_least(low7, word, b'0') & !at_least(low7, word, b'9' + 1)
            }),
            minus: mask(block, |word| equal(word, b'-')),
            point: mask(block, |word| equal(word, b'.')),
            exponent: mask(block, |word| equal(word | (0x20 * ONES), b'e')),
        }
    }

    #[inline(always)]
    fn equal(self, block: [u64; 8], byte: u8) -> u64 {
        mask(block, |word| equal(word, byte))
    }

    #[inline(always)]
    fn escapable(self, block: [u64; 8]) -> u64 {
        mask(block, |word| {
            b"\"\\/bfnrtu"
                .iter()
                .fold(0, |any, &byte| any | equal(word, byte))
        })
    }

    #[inline(always)]
    fn hex(self, block: [u64; 8]) -> u64 {
        mask(block, |word| {
            let low7 = word & LOW7;
            let folded = word | (0x20 * ONES);
            let folded7 = folded & LOW7;
            at_least(low7, word, b'0') & !at_least(low7, word, b'9' + 1)
                | at_least(folded7, folded, b'a') & !at_least(folded7, folded, b'f' + 1)
        })
    }

    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        let mut sum = bits;
        sum ^= sum << 1;
        sum ^= sum << 2;
        sum ^= sum << 4;
        sum ^= sum << 8;
        sum ^= sum << 16;
        sum ^ sum << 32
    }

    fn pext(self, _: u64, _: u64) -> u64 {
        unreachable!("HAS_PEXT is false")
    }

    fn pdep(self, _: u64, _: u64) -> u64 {
        unreachable!("HAS_PEXT is false")
    }

    #[inline(always)]
    fn squeeze(self, bytes: &Bytes, _: [u64; 8], mask: u64, out: &mut Bytes) {
        squeeze_by_bits(bytes, mask, out);
    }

    fn squeeze_spaced(self, _: [u64; 8], _: u64, _: u64, _: &mut Bytes) {
        unreachable!("SQUEEZES is false")
    }

    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        indices_by_bits(mask, base, out);
    }

    fn utf8(self, _: [u64; 8], _: [u64; 8]) -> bool {
        unreachable!("CHECKS_UTF8 is false")
    }

    fn utf8_open(self, _: [u64; 8]) -> bool {
        unreachable!("CHECKS_UTF8 is false")
    }
}
