//! AVX2 with BMI2 and PCLMULQDQ: two registers a block.

use core::arch::x86_64::*;

use super::utf8_tables as tables;
use super::{BLOCK, Bytes, Isa, KindMasks, NumberMasks, TextMasks};

/// Proof that the CPU has the instructions named above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The kernel, where the CPU has it.
    pub(super) fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("pclmulqdq");
        has.then_some(Avx2(()))
    }
}

/// A table of 16 bytes, once in each lane.
#[inline(always)]
fn lanes(table: &[u8; 16]) -> __m256i {
    // SAFETY: a `[u8; 16]` is readable for 16 bytes; the callers own an `Avx2`, so the CPU has the instructions.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) }
}

#[inline(always)]
fn splat(byte: u8) -> __m256i {
    // SAFETY: the callers own an `Avx2`.
    unsafe { _mm256_set1_epi8(byte as i8) }
}

/// The mask of a block, whose registers have been compared: their high bits.
#[inline(always)]
fn mask(compared: [__m256i; 2]) -> u64 {
    // SAFETY: the callers own an `Avx2`.
    let [low, high] = unsafe {
        [
            _mm256_movemask_epi8(compared[0]),
            _mm256_movemask_epi8(compared[1]),
        ]
    };
    u64::from(low as u32) | u64::from(high as u32) << 32
}

/// Where the bytes are `byte`.
#[inline(always)]
fn equal(bytes: __m256i, byte: u8) -> __m256i {
    // SAFETY: the callers own an `Avx2`.
    unsafe { _mm256_cmpeq_epi8(bytes, splat(byte)) }
}

/// Where the bytes are `first` to `first + span`.
#[inline(always)]
fn within(bytes: __m256i, first: u8, span: u8) -> __m256i {
    // SAFETY: the callers own an `Avx2`.
    unsafe {
        let above = _mm256_sub_epi8(bytes, splat(first));
        _mm256_cmpeq_epi8(_mm256_min_epu8(above, splat(span)), above)
    }
}

/// Where `bytes` find `sought` in a table that is indexed by their low four bits.
#[inline(always)]
fn found(table: &[u8; 16], bytes: __m256i, sought: __m256i) -> __m256i {
    // SAFETY: the callers own an `Avx2`.
    unsafe { _mm256_cmpeq_epi8(sought, _mm256_shuffle_epi8(lanes(table), bytes)) }
}

/// The bytes with the bit 0x20 set: the two cases of a letter, `[` and `{`, `]` and `}` become one.
#[inline(always)]
fn fold(bytes: __m256i) -> __m256i {
    // SAFETY: the callers own an `Avx2`.
    unsafe { _mm256_or_si256(bytes, splat(0x20)) }
}

// SAFETY (every block below): owning a `self` proves that the CPU has the instructions; loads and stores are of
// arrays that are as long as the registers.
impl Isa for Avx2 {
    type Block = [__m256i; 2];

    const COMPRESSES: bool = false;
    const CHECKS_UTF8: bool = true;
    const HAS_PEXT: bool = true;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> [__m256i; 2] {
        let (halves, _) = bytes.as_chunks::<32>();
        // SAFETY: see above.
        unsafe {
            [
                _mm256_loadu_si256(halves[0].as_ptr().cast()),
                _mm256_loadu_si256(halves[1].as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    fn text(self, block: [__m256i; 2]) -> TextMasks {
        // A byte is in the class when it finds itself at its low four bits.
        const SPACE: &[u8; 16] =
            b"\x20\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x09\x0A\xFF\xFF\x0D\xFF\xFF";
        // Brackets with the bit 0x20 set. Index 0 holds a byte that no byte of index 0 is.
        const OP: &[u8; 16] = b"\xFF\0\0\0\0\0\0\0\0\0\x3A\x7B\x2C\x7D\0\0";
        let [low, high] = block;
        let control = mask([within(low, 0, 0x1F), within(high, 0, 0x1F)]);
        TextMasks {
            backslash: self.equal(block, b'\\'),
            quote: self.equal(block, b'"'),
            control,
            space: mask([found(SPACE, low, low), found(SPACE, high, high)]),
            // 0x1A and 0x0C fold to `:` and `,`.
            op: mask([found(OP, low, fold(low)), found(OP, high, fold(high))]) & !control,
            non_ascii: mask(block),
        }
    }

    #[inline(always)]
    fn kinds(self, block: [__m256i; 2]) -> KindMasks {
        let [low, high] = block;
        let folded = [fold(low), fold(high)];
        // SAFETY: see above.
        let brace = unsafe { [_mm256_slli_epi16::<2>(low), _mm256_slli_epi16::<2>(high)] };
        KindMasks {
            open: self.equal(folded, b'{'),
            close: self.equal(folded, b'}'),
            brace: mask(brace),
            colon: self.equal(block, b':'),
            comma: self.equal(block, b','),
            quote: self.equal(block, b'"'),
        }
    }

    #[inline(always)]
    fn digits(self, [low, high]: [__m256i; 2]) -> u64 {
        mask([within(low, b'0', 9), within(high, b'0', 9)])
    }

    #[inline(always)]
    fn numbers(self, block: [__m256i; 2]) -> NumberMasks {
        let [low, high] = block;
        NumberMasks {
            minus: self.equal(block, b'-'),
            point: self.equal(block, b'.'),
            exponent: self.equal([fold(low), fold(high)], b'e'),
        }
    }

    #[inline(always)]
    fn equal(self, [low, high]: [__m256i; 2], byte: u8) -> u64 {
        mask([equal(low, byte), equal(high, byte)])
    }

    #[inline(always)]
    fn escapable(self, block: [__m256i; 2]) -> u64 {
        // By the low four bits; `b` and `r` share the index 2 with the quote.
        const ESCAPABLE: &[u8; 16] = b"\xFF\0\x22\0\x74\x75\x66\0\0\0\0\0\x5C\0\x6E\x2F";
        let [low, high] = block;
        mask([found(ESCAPABLE, low, low), found(ESCAPABLE, high, high)])
            | self.equal(block, b'b')
            | self.equal(block, b'r')
    }

    #[inline(always)]
    fn hex(self, block: [__m256i; 2]) -> u64 {
        let [low, high] = block;
        self.digits(block) | mask([within(fold(low), b'a', 5), within(fold(high), b'a', 5)])
    }

    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        // SAFETY: see above.
        unsafe {
            let all = _mm_set1_epi8(-1);
            _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128(bits as i64), all, 0)) as u64
        }
    }

    #[inline(always)]
    fn pext(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn pdep(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn compress(self, bytes: &Bytes, _: [__m256i; 2], mask: u64, out: &mut Bytes) {
        super::swar::compress_by_bits(bytes, mask, out);
    }

    fn compress_spaced(self, _: [__m256i; 2], _: u64, _: u64, _: &mut Bytes) {
        unreachable!("COMPRESSES is false")
    }

    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        super::swar::indices_by_bits(mask, base, out);
    }

    #[inline(always)]
    fn utf8(self, block: [__m256i; 2], before: [__m256i; 2]) -> bool {
        // SAFETY: see above.
        unsafe {
            let error = _mm256_or_si256(
                utf8_error(block[0], before[1]),
                utf8_error(block[1], block[0]),
            );
            _mm256_testz_si256(error, error) == 0
        }
    }

    #[inline(always)]
    fn utf8_open(self, block: [__m256i; 2]) -> bool {
        // SAFETY: see above.
        unsafe {
            let least = _mm256_loadu_si256(tables::LAST_COMPLETE[32..].as_ptr().cast());
            let over = _mm256_subs_epu8(block[1], least);
            _mm256_testz_si256(over, over) == 0
        }
    }
}

/// Keiser and Lemire's lookup over 32 bytes: zero where they are UTF-8, so far as they and those before can tell.
#[inline(always)]
fn utf8_error(bytes: __m256i, before: __m256i) -> __m256i {
    // SAFETY: the caller owns an `Avx2`.
    unsafe {
        // The last lane of what stood before in front, then shifted lane by lane.
        let earlier = _mm256_permute2x128_si256::<0x21>(before, bytes);
        let prev1 = _mm256_alignr_epi8::<15>(bytes, earlier);
        let prev2 = _mm256_alignr_epi8::<14>(bytes, earlier);
        let prev3 = _mm256_alignr_epi8::<13>(bytes, earlier);
        let low4 = splat(0x0F);
        let special = _mm256_and_si256(
            _mm256_and_si256(
                _mm256_shuffle_epi8(
                    lanes(&tables::BYTE_1_HIGH),
                    _mm256_and_si256(_mm256_srli_epi16::<4>(prev1), low4),
                ),
                _mm256_shuffle_epi8(lanes(&tables::BYTE_1_LOW), _mm256_and_si256(prev1, low4)),
            ),
            _mm256_shuffle_epi8(
                lanes(&tables::BYTE_2_HIGH),
                _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low4),
            ),
        );
        // Bytes that must continue: 2 after a lead of three or four, 3 after a lead of four.
        let third = _mm256_subs_epu8(prev2, splat(0xE0 - 0x80));
        let fourth = _mm256_subs_epu8(prev3, splat(0xF0 - 0x80));
        let must = _mm256_and_si256(_mm256_or_si256(third, fourth), splat(0x80));
        _mm256_xor_si256(must, special)
    }
}
