//! The portable kernel: eight `u64` words, and the reference for all the others.
//!
//! A predicate on the eight bytes of a word returns a word with the high bit of every matching byte set. All matches
//! are exact, not only the lowest, because clearing the high bit of each byte first keeps the carries of an addition
//! inside it:
//!
//! ```text
//! bytes          7b 22 61 e9        x = word ^ 22 22 22 22   (looking for 22)
//! x              59 00 43 cb
//! x & 7f..       59 00 43 4b
//! … + 7f..       d8 7f c2 ca        high bit clear only where the seven low bits were 0
//! … | x          d9 7f c3 cb        … and where the high bit was 0 too
//! ! … & 80..     00 80 00 00
//! ```
//!
//! In an ASCII block, as most are, no high bit needs clearing, and a comparison takes three operations instead of five.
//!
//! The block is transposed when it is loaded: word `j` holds the bytes `j`, `8 + j`, `16 + j`, … of the text. The high
//! bits of its bytes are then eight places apart in the mask, so one shift per word moves them into place. Without
//! this, every mask costs eight multiplications to gather bits (1,900 instructions per block on twitter, 1,100 with
//! it).

use super::{Bits, Bytes, Compiled, Isa, KindMasks, NumberMasks, SeparatorMasks, Task, TextMasks};

/// The portable kernel. Every CPU has its instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swar;

/// 64 bytes, transposed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    words: [u64; 8],
    /// No byte is above 0x7F.
    ascii: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
const LOW7: u64 = 0x7F * ONES;

/// Comparisons on the bytes of a word: [`Ascii`] if all of them are known to be ASCII, else [`Any`].
trait Bytewise {
    /// The high bits of the bytes equal to `byte`, which is ASCII; the other bits are arbitrary.
    fn equal(word: u64, byte: u8) -> u64;
    /// The high bits of the bytes that are at least `limit` (1 to 0x80); the other bits are arbitrary.
    fn at_least(word: u64, limit: u8) -> u64;
}

struct Ascii;

impl Bytewise for Ascii {
    #[inline(always)]
    fn equal(word: u64, byte: u8) -> u64 {
        !(word ^ (byte as u64 * ONES)).wrapping_add(LOW7)
    }

    #[inline(always)]
    fn at_least(word: u64, limit: u8) -> u64 {
        word.wrapping_add((0x80 - limit as u64) * ONES)
    }
}

struct Any;

impl Bytewise for Any {
    #[inline(always)]
    fn equal(word: u64, byte: u8) -> u64 {
        let x = word ^ (byte as u64 * ONES);
        !((x & LOW7).wrapping_add(LOW7) | x)
    }

    #[inline(always)]
    fn at_least(word: u64, limit: u8) -> u64 {
        (word & LOW7).wrapping_add((0x80 - limit as u64) * ONES) | word
    }
}

/// Sets the bit 0x20 of each byte: folds upper case, `[` and `]` to lower case, `{` and `}`.
#[inline(always)]
fn fold(word: u64) -> u64 {
    word | (0x20 * ONES)
}

#[inline(always)]
fn is_digit<B: Bytewise>(word: u64) -> u64 {
    B::at_least(word, b'0') & !B::at_least(word, b'9' + 1)
}

/// The mask of a block from the high bits of its words.
#[inline(always)]
fn mask(words: [u64; 8], predicate: impl Fn(u64) -> u64) -> u64 {
    let mut mask = 0;
    for (index, word) in words.into_iter().enumerate() {
        mask |= (predicate(word) & HIGH) >> (7 - index);
    }
    mask
}

/// The mask of a block under a predicate that is written once, generic over [`Bytewise`].
macro_rules! mask {
    ($block:expr, $bytes:ident, $word:ident => $predicate:expr) => {{
        let block: Block = $block;
        if block.ascii {
            type $bytes = Ascii;
            mask(block.words, |$word| $predicate)
        } else {
            type $bytes = Any;
            mask(block.words, |$word| $predicate)
        }
    }};
}

/// Transposes a matrix of 8 × 8 bytes in three rounds: swaps halves, quarters, then bytes.
#[inline(always)]
fn transpose(words: [u64; 8]) -> [u64; 8] {
    let [a, b, c, d, e, f, g, h] = words;
    let ((a, e), (b, f), (c, g), (d, h)) = (
        swap::<32>(a, e),
        swap::<32>(b, f),
        swap::<32>(c, g),
        swap::<32>(d, h),
    );
    let ((a, c), (b, d), (e, g), (f, h)) = (
        swap::<16>(a, c),
        swap::<16>(b, d),
        swap::<16>(e, g),
        swap::<16>(f, h),
    );
    let ((a, b), (c, d), (e, f), (g, h)) = (
        swap::<8>(a, b),
        swap::<8>(c, d),
        swap::<8>(e, f),
        swap::<8>(g, h),
    );
    [a, b, c, d, e, f, g, h]
}

/// Swaps the odd `BITS`-wide groups of `upper` with the even groups of `lower`.
#[inline(always)]
fn swap<const BITS: u32>(upper: u64, lower: u64) -> (u64, u64) {
    // Ones in the even groups: 00FF00FF… for eight bits.
    let even = u64::MAX / ((1 << BITS) + 1);
    let exchanged = (upper >> BITS ^ lower) & even;
    (upper ^ exchanged << BITS, lower ^ exchanged)
}

/// The masks of a text except `non_ascii`.
#[inline(always)]
fn text<B: Bytewise>(words: [u64; 8]) -> TextMasks {
    TextMasks {
        backslash: mask(words, |word| B::equal(word, b'\\')),
        quote: mask(words, |word| B::equal(word, b'"')),
        control: mask(words, |word| !B::at_least(word, 0x20)),
        non_ascii: 0,
    }
}

#[inline(always)]
fn separators<B: Bytewise>(words: [u64; 8], control: u64) -> SeparatorMasks {
    let mut space = mask(words, |word| B::equal(word, b' '));
    // Few texts have control characters other than line feeds.
    if control != 0 {
        space |= mask(words, |word| B::equal(word, b'\n'));
        if control & !space != 0 {
            space |= mask(words, |word| B::equal(word, b'\t') | B::equal(word, b'\r'));
        }
    }
    SeparatorMasks {
        space,
        op: mask(words, |word| {
            B::equal(fold(word), b'{')
                | B::equal(fold(word), b'}')
                | B::equal(word, b':')
                | B::equal(word, b',')
        }),
    }
}

impl Compiled for Swar {
    fn detect() -> Option<Self> {
        Some(Swar)
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run()
    }
}

impl Bits for Swar {}

impl Isa for Swar {
    type Block = Block;

    const COMPRESSES: bool = false;
    // Presets would be a twentieth of the program, for short texts and for CPUs without a faster kernel.
    const HAS_PRESETS: bool = false;
    const CHECKS_UTF8: bool = false;
    const FAST_PEXT: bool = false;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> Block {
        let mut words = [0; 8];
        for (word, eight) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*eight);
        }
        let ascii = words.iter().fold(0, |all, word| all | word) & HIGH == 0;
        Block {
            words: transpose(words),
            ascii,
        }
    }

    #[inline(always)]
    fn text(self, block: Block) -> TextMasks {
        if block.ascii {
            text::<Ascii>(block.words)
        } else {
            TextMasks {
                non_ascii: mask(block.words, |word| word),
                ..text::<Any>(block.words)
            }
        }
    }

    #[inline(always)]
    fn separators(self, block: Block, control: u64) -> SeparatorMasks {
        if block.ascii {
            separators::<Ascii>(block.words, control)
        } else {
            separators::<Any>(block.words, control)
        }
    }

    #[inline(always)]
    fn kinds(self, block: Block) -> KindMasks {
        KindMasks {
            open: mask!(block, B, word => B::equal(fold(word), b'{')),
            close: mask!(block, B, word => B::equal(fold(word), b'}')),
            brace: mask(block.words, |word| word << 2),
            colon: mask!(block, B, word => B::equal(word, b':')),
            comma: mask!(block, B, word => B::equal(word, b',')),
            quote: mask!(block, B, word => B::equal(word, b'"')),
        }
    }

    #[inline(always)]
    fn digits(self, block: Block) -> u64 {
        mask!(block, B, word => is_digit::<B>(word))
    }

    #[inline(always)]
    fn numbers(self, block: Block) -> NumberMasks {
        NumberMasks {
            minus: mask!(block, B, word => B::equal(word, b'-')),
            point: mask!(block, B, word => B::equal(word, b'.')),
            exponent: mask!(block, B, word => B::equal(fold(word), b'e')),
        }
    }

    #[inline(always)]
    fn equal(self, block: Block, byte: u8) -> u64 {
        mask!(block, B, word => B::equal(word, byte))
    }

    #[inline(always)]
    fn escapable(self, block: Block) -> u64 {
        mask!(block, B, word => {
            b"\"\\/bfnrtu".iter().fold(0, |any, &byte| any | B::equal(word, byte))
        })
    }

    #[inline(always)]
    fn hex(self, block: Block) -> u64 {
        mask!(block, B, word => {
            is_digit::<B>(word) | B::at_least(fold(word), b'a') & !B::at_least(fold(word), b'f' + 1)
        })
    }
}
