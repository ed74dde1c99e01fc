//! AVX-512 (F, BW, VL, VBMI, VBMI2) with BMI2 and PCLMULQDQ: one register a block, mask registers for masks,
//! and one instruction that compresses.

use core::arch::x86_64::*;

use super::utf8_tables as tables;
use super::{BLOCK, Bytes, Isa, KindMasks, NumberMasks, TextMasks};

/// Proof that the CPU has the instructions named above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    /// The kernel, where the CPU has it.
    pub(super) fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("pclmulqdq");
        has.then_some(Avx512(()))
    }
}

/// At the low six bits of each structural byte and each kind of white space, that byte; elsewhere, what is not found
/// there.
const SPECIAL: Bytes = {
    let mut table = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        table[i] = !(i as u8);
        i += 1;
    }
    let bytes = b"{}[]:, \t\n\r";
    i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize % BLOCK] = bytes[i];
        i += 1;
    }
    table
};

/// A table of 16 bytes, once in every lane.
#[inline(always)]
fn lanes(table: &[u8; 16]) -> __m512i {
    // SAFETY: a `[u8; 16]` is readable for 16 bytes; the callers own an `Avx512`, so the CPU has the instructions.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast())) }
}

#[inline(always)]
fn splat(byte: u8) -> __m512i {
    // SAFETY: the callers own an `Avx512`.
    unsafe { _mm512_set1_epi8(byte as i8) }
}

/// Writes `base` plus each byte.
#[inline(always)]
fn widen(bytes: __m128i, base: u32, out: &mut [u32; 16]) {
    // SAFETY: the callers own an `Avx512`; `out` is as long as the register.
    unsafe {
        let wide = _mm512_add_epi32(_mm512_set1_epi32(base as i32), _mm512_cvtepu8_epi32(bytes));
        _mm512_storeu_si512(out.as_mut_ptr().cast(), wide);
    }
}

// SAFETY (every block below): owning a `self` proves that the CPU has the instructions; loads and stores are of
// arrays that are as long as the register.
impl Isa for Avx512 {
    type Block = __m512i;

    const COMPRESSES: bool = true;
    const CHECKS_UTF8: bool = true;
    const HAS_PEXT: bool = true;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn text(self, block: __m512i) -> TextMasks {
        // SAFETY: see above.
        unsafe {
            // The instruction looks a byte up by its low six bits, in which all ten differ; a byte is one of them
            // when it finds itself. White space and structural bytes are told apart by their size.
            let table = _mm512_loadu_si512(SPECIAL.as_ptr().cast());
            let special = _mm512_cmpeq_epi8_mask(block, _mm512_permutexvar_epi8(block, table));
            let low = _mm512_cmple_epu8_mask(block, splat(0x20));
            TextMasks {
                backslash: _mm512_cmpeq_epi8_mask(block, splat(b'\\')),
                quote: _mm512_cmpeq_epi8_mask(block, splat(b'"')),
                control: _mm512_cmplt_epu8_mask(block, splat(0x20)),
                space: special & low,
                op: special & !low,
                non_ascii: _mm512_movepi8_mask(block),
            }
        }
    }

    #[inline(always)]
    fn kinds(self, block: __m512i) -> KindMasks {
        // SAFETY: see above.
        unsafe {
            let folded = _mm512_or_si512(block, splat(0x20));
            KindMasks {
                open: _mm512_cmpeq_epi8_mask(folded, splat(b'{')),
                close: _mm512_cmpeq_epi8_mask(folded, splat(b'}')),
                brace: _mm512_test_epi8_mask(block, splat(0x20)),
                colon: _mm512_cmpeq_epi8_mask(block, splat(b':')),
                comma: _mm512_cmpeq_epi8_mask(block, splat(b',')),
                quote: _mm512_cmpeq_epi8_mask(block, splat(b'"')),
            }
        }
    }

    #[inline(always)]
    fn digits(self, block: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmplt_epu8_mask(_mm512_sub_epi8(block, splat(b'0')), splat(10)) }
    }

    #[inline(always)]
    fn numbers(self, block: __m512i) -> NumberMasks {
        // SAFETY: see above.
        let folded = unsafe { _mm512_or_si512(block, splat(0x20)) };
        NumberMasks {
            minus: self.equal(block, b'-'),
            point: self.equal(block, b'.'),
            exponent: self.equal(folded, b'e'),
        }
    }

    #[inline(always)]
    fn equal(self, block: __m512i, byte: u8) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi8_mask(block, splat(byte)) }
    }

    #[inline(always)]
    fn escapable(self, block: __m512i) -> u64 {
        // By the low four bits: 6E 2F 2 / 62 66 / 5C / 72 74 75, where only index 2 is met three times.
        let table = lanes(b"\xFF\0\x22\0\x74\x75\x66\0\0\0\0\0\x5C\0\x6E\x2F");
        // SAFETY: see above.
        unsafe {
            _mm512_cmpeq_epi8_mask(block, _mm512_shuffle_epi8(table, block))
                | self.equal(block, b'b')
                | self.equal(block, b'r')
        }
    }

    #[inline(always)]
    fn hex(self, block: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe {
            let letter = _mm512_sub_epi8(_mm512_or_si512(block, splat(0x20)), splat(b'a'));
            _mm512_cmplt_epu8_mask(_mm512_sub_epi8(block, splat(b'0')), splat(10))
                | _mm512_cmplt_epu8_mask(letter, splat(6))
        }
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
    fn compress(self, _: &Bytes, block: __m512i, mask: u64, out: &mut Bytes) {
        // To a register, then a store: the memory form of the instruction is slow on some cores.
        // SAFETY: see above.
        unsafe {
            _mm512_storeu_si512(
                out.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi8(mask, block),
            )
        }
    }

    #[inline(always)]
    fn compress_spaced(self, block: __m512i, keep: u64, mask: u64, out: &mut Bytes) {
        // SAFETY: see above.
        unsafe {
            let spaced = _mm512_mask_mov_epi8(splat(b' '), keep, block);
            _mm512_storeu_si512(
                out.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi8(mask, spaced),
            );
        }
    }

    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        const PLACES: [u8; BLOCK] = {
            let mut places = [0; BLOCK];
            let mut i = 0;
            while i < BLOCK {
                places[i] = i as u8;
                i += 1;
            }
            places
        };
        let count = mask.count_ones();
        let (quarters, _) = out.as_chunks_mut::<16>();
        // SAFETY: see above.
        unsafe {
            let places = _mm512_loadu_si512(PLACES.as_ptr().cast());
            let compressed = _mm512_maskz_compress_epi8(mask, places);
            widen(_mm512_castsi512_si128(compressed), base, &mut quarters[0]);
            if count > 16 {
                widen(
                    _mm512_extracti32x4_epi32::<1>(compressed),
                    base,
                    &mut quarters[1],
                );
            }
            if count > 32 {
                widen(
                    _mm512_extracti32x4_epi32::<2>(compressed),
                    base,
                    &mut quarters[2],
                );
                widen(
                    _mm512_extracti32x4_epi32::<3>(compressed),
                    base,
                    &mut quarters[3],
                );
            }
        }
    }

    #[inline(always)]
    fn utf8(self, block: __m512i, before: __m512i) -> bool {
        // SAFETY: see above.
        unsafe {
            // The bytes 1, 2 and 3 places earlier: the last lane of `before` in front, then shifted lane by lane.
            let earlier = _mm512_alignr_epi64::<6>(block, before);
            let prev1 = _mm512_alignr_epi8::<15>(block, earlier);
            let prev2 = _mm512_alignr_epi8::<14>(block, earlier);
            let prev3 = _mm512_alignr_epi8::<13>(block, earlier);
            let low4 = splat(0x0F);
            let special = _mm512_and_si512(
                _mm512_and_si512(
                    _mm512_shuffle_epi8(
                        lanes(&tables::BYTE_1_HIGH),
                        _mm512_and_si512(_mm512_srli_epi16::<4>(prev1), low4),
                    ),
                    _mm512_shuffle_epi8(lanes(&tables::BYTE_1_LOW), _mm512_and_si512(prev1, low4)),
                ),
                _mm512_shuffle_epi8(
                    lanes(&tables::BYTE_2_HIGH),
                    _mm512_and_si512(_mm512_srli_epi16::<4>(block), low4),
                ),
            );
            // Bytes that must continue: 2 after a lead of three or four, 3 after a lead of four.
            let third = _mm512_subs_epu8(prev2, splat(0xE0 - 0x80));
            let fourth = _mm512_subs_epu8(prev3, splat(0xF0 - 0x80));
            // (third | fourth) & 0x80 ^ special
            let must = _mm512_and_si512(_mm512_or_si512(third, fourth), splat(0x80));
            _mm512_test_epi8_mask(_mm512_xor_si512(must, special), _mm512_set1_epi8(-1)) != 0
        }
    }

    #[inline(always)]
    fn utf8_open(self, block: __m512i) -> bool {
        // SAFETY: see above.
        unsafe {
            let least = _mm512_loadu_si512(tables::LAST_COMPLETE.as_ptr().cast());
            _mm512_cmpgt_epu8_mask(block, least) != 0
        }
    }
}
