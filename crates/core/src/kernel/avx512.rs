//! AVX-512 (F, BW, VL, VBMI, VBMI2) with BMI2 and PCLMULQDQ: one register per block, mask registers for masks, and an
//! instruction that compresses.

use core::arch::x86_64::*;

use super::utf8::{self, LAST_COMPLETE};
use super::vector::Lanes;
use super::{BLOCK, Bytes, Isa, KindMasks, NumberMasks, SeparatorMasks, TextMasks};

proof! {
    Avx512, is_x86_feature_detected,
    "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2",
    "bmi1", "bmi2", "lzcnt", "popcnt", "pclmulqdq"
}

bmi2! { Avx512 }

/// Structural bytes and white space, each at the index of its low six bits. Every other entry is a byte with different
/// low six bits, so that it never matches.
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

// SAFETY (every block below): owning a `self` proves that the CPU has the instructions; loads and stores are of arrays
// at least as long as the access.
impl Lanes for Avx512 {
    type Register = __m512i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn saturating_sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_subs_epu8(a, b) }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16], bytes: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe {
            let lanes = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
            _mm512_shuffle_epi8(lanes, bytes)
        }
    }

    #[inline(always)]
    fn high_nibbles(self, bytes: __m512i) -> __m512i {
        // SAFETY: see above.
        let shifted = unsafe { _mm512_srli_epi16::<4>(bytes) };
        self.and(shifted, self.splat(0x0F))
    }

    #[inline(always)]
    fn previous<const N: usize>(self, bytes: __m512i, before: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe {
            // Prepends the last lane of `before`, then shifts lane by lane.
            let lanes = _mm512_alignr_epi64::<6>(bytes, before);
            match N {
                1 => _mm512_alignr_epi8::<15>(bytes, lanes),
                2 => _mm512_alignr_epi8::<14>(bytes, lanes),
                _ => _mm512_alignr_epi8::<13>(bytes, lanes),
            }
        }
    }
}

impl Avx512 {
    /// Widens each byte to 32 bits and adds `base`.
    #[inline(always)]
    fn widen(self, bytes: __m128i, base: u32, out: &mut [u32; 16]) {
        // SAFETY: see above.
        unsafe {
            let wide =
                _mm512_add_epi32(_mm512_set1_epi32(base as i32), _mm512_cvtepu8_epi32(bytes));
            _mm512_storeu_si512(out.as_mut_ptr().cast(), wide);
        }
    }
}

impl Isa for Avx512 {
    type Block = __m512i;

    const COMPRESSES: bool = true;
    const CHECKS_UTF8: bool = true;
    const FAST_PEXT: bool = true;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn text(self, block: __m512i) -> TextMasks {
        // SAFETY: see above.
        unsafe {
            TextMasks {
                backslash: _mm512_cmpeq_epi8_mask(block, self.splat(b'\\')),
                quote: _mm512_cmpeq_epi8_mask(block, self.splat(b'"')),
                control: _mm512_cmplt_epu8_mask(block, self.splat(0x20)),
                non_ascii: _mm512_movepi8_mask(block),
            }
        }
    }

    #[inline(always)]
    fn separators(self, block: __m512i, _: u64) -> SeparatorMasks {
        // SAFETY: see above.
        unsafe {
            // The permutation indexes the table by the low six bits of a byte, which differ for all ten; a byte that
            // finds itself is one of the ten. White space is at most 0x20, structural bytes are above.
            let table = _mm512_loadu_si512(SPECIAL.as_ptr().cast());
            let special = _mm512_cmpeq_epi8_mask(block, _mm512_permutexvar_epi8(block, table));
            let low = _mm512_cmple_epu8_mask(block, self.splat(0x20));
            SeparatorMasks {
                space: special & low,
                op: special & !low,
            }
        }
    }

    #[inline(always)]
    fn kinds(self, block: __m512i) -> KindMasks {
        // SAFETY: see above.
        unsafe {
            let folded = _mm512_or_si512(block, self.splat(0x20));
            KindMasks {
                open: _mm512_cmpeq_epi8_mask(folded, self.splat(b'{')),
                close: _mm512_cmpeq_epi8_mask(folded, self.splat(b'}')),
                brace: _mm512_test_epi8_mask(block, self.splat(0x20)),
                colon: _mm512_cmpeq_epi8_mask(block, self.splat(b':')),
                comma: _mm512_cmpeq_epi8_mask(block, self.splat(b',')),
                quote: _mm512_cmpeq_epi8_mask(block, self.splat(b'"')),
            }
        }
    }

    #[inline(always)]
    fn digits(self, block: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmplt_epu8_mask(_mm512_sub_epi8(block, self.splat(b'0')), self.splat(10)) }
    }

    #[inline(always)]
    fn numbers(self, block: __m512i) -> NumberMasks {
        // SAFETY: see above.
        let folded = unsafe { _mm512_or_si512(block, self.splat(0x20)) };
        NumberMasks {
            minus: self.equal(block, b'-'),
            point: self.equal(block, b'.'),
            exponent: self.equal(folded, b'e'),
        }
    }

    #[inline(always)]
    fn equal(self, block: __m512i, byte: u8) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi8_mask(block, self.splat(byte)) }
    }

    #[inline(always)]
    fn escapable(self, block: __m512i) -> u64 {
        // Indexed by the low four bits. Three bytes have the index 2: the quote is in the table, `b` and `r` are
        // compared on their own.
        const ESCAPABLE: &[u8; 16] = b"\xFF\0\x22\0\x74\x75\x66\0\0\0\0\0\x5C\0\x6E\x2F";
        let entries = self.look_up(ESCAPABLE, block);
        // SAFETY: see above.
        unsafe {
            _mm512_cmpeq_epi8_mask(block, entries)
                | self.equal(block, b'b')
                | self.equal(block, b'r')
        }
    }

    #[inline(always)]
    fn hex(self, block: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe {
            let letter =
                _mm512_sub_epi8(_mm512_or_si512(block, self.splat(0x20)), self.splat(b'a'));
            _mm512_cmplt_epu8_mask(_mm512_sub_epi8(block, self.splat(b'0')), self.splat(10))
                | _mm512_cmplt_epu8_mask(letter, self.splat(6))
        }
    }

    #[inline(always)]
    fn compress(self, _: &Bytes, block: __m512i, mask: u64, out: &mut Bytes) {
        // Into a register, then a store: the memory form of the instruction is slow on some cores.
        // SAFETY: see above.
        unsafe {
            _mm512_storeu_si512(
                out.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi8(mask, block),
            )
        }
    }

    #[inline(always)]
    fn compress_spaced(self, _: &Bytes, block: __m512i, keep: u64, mask: u64, out: &mut Bytes) {
        // SAFETY: see above.
        unsafe {
            let spaced = _mm512_mask_mov_epi8(self.splat(b' '), keep, block);
            _mm512_storeu_si512(
                out.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi8(mask, spaced),
            );
        }
    }

    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        const IDENTITY: [u8; BLOCK] = {
            let mut identity = [0; BLOCK];
            let mut i = 0;
            while i < BLOCK {
                identity[i] = i as u8;
                i += 1;
            }
            identity
        };
        let count = mask.count_ones();
        let (quarters, _) = out.as_chunks_mut::<16>();
        // SAFETY: see above.
        unsafe {
            let identity = _mm512_loadu_si512(IDENTITY.as_ptr().cast());
            let compressed = _mm512_maskz_compress_epi8(mask, identity);
            self.widen(_mm512_castsi512_si128(compressed), base, &mut quarters[0]);
            if count > 16 {
                self.widen(
                    _mm512_extracti32x4_epi32::<1>(compressed),
                    base,
                    &mut quarters[1],
                );
            }
            if count > 32 {
                self.widen(
                    _mm512_extracti32x4_epi32::<2>(compressed),
                    base,
                    &mut quarters[2],
                );
                self.widen(
                    _mm512_extracti32x4_epi32::<3>(compressed),
                    base,
                    &mut quarters[3],
                );
            }
        }
    }

    #[inline(always)]
    fn few_indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        self.indices(mask, base, out);
    }

    #[inline(always)]
    fn utf8(self, block: __m512i, before: __m512i) -> bool {
        let error = utf8::error(self, block, before);
        // SAFETY: see above.
        unsafe { _mm512_test_epi8_mask(error, _mm512_set1_epi8(-1)) != 0 }
    }

    #[inline(always)]
    fn utf8_open(self, block: __m512i) -> bool {
        // SAFETY: see above.
        unsafe {
            let least = _mm512_loadu_si512(LAST_COMPLETE.as_ptr().cast());
            _mm512_cmpgt_epu8_mask(block, least) != 0
        }
    }
}
