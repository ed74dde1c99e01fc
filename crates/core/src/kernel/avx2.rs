//! AVX2 with BMI2 and PCLMULQDQ: two registers per block.

use core::arch::x86_64::*;

use super::utf8::{self, LAST_COMPLETE};
use super::vector::{Lanes, Predicate, Vector};
use super::{BLOCK, Bytes, portable};

proof! {
    Avx2, is_x86_feature_detected,
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "pclmulqdq"
}

bmi2! { Avx2 }

// SAFETY (every block below): owning a `self` proves that the CPU has the instructions. Loads and stores are of arrays
// at least as long as the access.
impl Lanes for Avx2 {
    type Register = __m256i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn saturating_sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_subs_epu8(a, b) }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16], bytes: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let lanes = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            _mm256_shuffle_epi8(lanes, bytes)
        }
    }

    #[inline(always)]
    fn high_nibbles(self, bytes: __m256i) -> __m256i {
        // SAFETY: see above.
        let shifted = unsafe { _mm256_srli_epi16::<4>(bytes) };
        self.and(shifted, self.splat(0x0F))
    }

    #[inline(always)]
    fn previous<const N: usize>(self, bytes: __m256i, before: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe {
            // Prepends the last lane of `before`, then shifts lane by lane.
            let lanes = _mm256_permute2x128_si256::<0x21>(before, bytes);
            match N {
                1 => _mm256_alignr_epi8::<15>(bytes, lanes),
                2 => _mm256_alignr_epi8::<14>(bytes, lanes),
                _ => _mm256_alignr_epi8::<13>(bytes, lanes),
            }
        }
    }
}

/// For each 8-bit mask, the indices of its set bits in ascending order.
static ORDER: [[u8; 8]; 256] = {
    let mut order = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut at, mut index) = (0, 0);
        while index < 8 {
            if mask >> index & 1 == 1 {
                order[mask][at] = index as u8;
                at += 1;
            }
            index += 1;
        }
        mask += 1;
    }
    order
};

impl Vector for Avx2 {
    type Block = [__m256i; 2];

    #[inline(always)]
    fn compress(self, bytes: &Bytes, mask: u64, out: &mut Bytes) {
        if mask.count_ones() > 8 {
            let mut at = 0;
            for (number, (eight, mask)) in bytes
                .as_chunks::<8>()
                .0
                .iter()
                .zip(mask.to_le_bytes())
                .enumerate()
            {
                if let Some(out) = out.get_mut(at..).and_then(|out| out.first_chunk_mut::<8>()) {
                    // SAFETY: see above.
                    unsafe {
                        let order = _mm_loadl_epi64(ORDER[mask as usize].as_ptr().cast());
                        let eight = match number {
                            0 => _mm_loadu_si128(bytes.as_ptr().cast()),
                            _ => _mm_loadl_epi64(eight.as_ptr().cast()),
                        };
                        _mm_storel_epi64(out.as_mut_ptr().cast(), _mm_shuffle_epi8(eight, order));
                    }
                }
                at += mask.count_ones() as usize;
            }
            return;
        }
        let mut rest = mask;
        for four in out.as_chunks_mut::<4>().0.iter_mut().take(2) {
            for byte in four {
                *byte = bytes[rest.trailing_zeros() as usize % BLOCK];
                rest &= rest.wrapping_sub(1);
            }
            if rest == 0 {
                return;
            }
        }
    }

    #[inline(always)]
    fn compress_indexed(
        self,
        bytes: &Bytes,
        mask: u64,
        base: u32,
        out: &mut Bytes,
        indices: &mut [u32; BLOCK],
    ) {
        if mask.count_ones() <= 8 {
            portable::compress_indexed(bytes, mask, base, out, indices);
            return;
        }
        let mut at = 0;
        let eights = bytes.as_chunks::<8>().0.iter().zip(mask.to_le_bytes());
        for (number, (eight, mask)) in eights.enumerate() {
            let out = out.get_mut(at..).and_then(|out| out.first_chunk_mut::<8>());
            let indices = indices
                .get_mut(at..)
                .and_then(|indices| indices.first_chunk_mut::<8>());
            if let (Some(out), Some(indices)) = (out, indices) {
                // SAFETY: see above.
                unsafe {
                    let order = _mm_loadl_epi64(ORDER[mask as usize].as_ptr().cast());
                    let eight = _mm_loadl_epi64(eight.as_ptr().cast());
                    _mm_storel_epi64(out.as_mut_ptr().cast(), _mm_shuffle_epi8(eight, order));
                    let base = _mm256_set1_epi32((base + 8 * number as u32) as i32);
                    let widened = _mm256_add_epi32(_mm256_cvtepu8_epi32(order), base);
                    _mm256_storeu_si256(indices.as_mut_ptr().cast(), widened);
                }
            }
            at += mask.count_ones() as usize;
        }
    }

    const FAST_PEXT: bool = true;

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
    fn mask<P: Predicate>(self, [low, high]: [__m256i; 2], predicate: P) -> u64 {
        let low = predicate.test(self, low);
        let high = predicate.test(self, high);
        // SAFETY: see above.
        let [low, high] = unsafe { [_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)] };
        u64::from(low as u32) | u64::from(high as u32) << 32
    }

    #[inline(always)]
    fn equals(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_cmpeq_epi8(a, b) }
    }

    #[inline(always)]
    fn in_range(self, bytes: __m256i, first: u8, span: u8) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let above = _mm256_sub_epi8(bytes, self.splat(first));
            _mm256_cmpeq_epi8(_mm256_min_epu8(above, self.splat(span)), above)
        }
    }

    #[inline(always)]
    fn non_ascii(self, bytes: __m256i) -> __m256i {
        bytes
    }

    #[inline(always)]
    fn bit_0x20(self, bytes: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_slli_epi16::<2>(bytes) }
    }

    #[inline(always)]
    fn utf8(self, block: [__m256i; 2], before: [__m256i; 2]) -> bool {
        let low = utf8::error(self, block[0], before[1]);
        let high = utf8::error(self, block[1], block[0]);
        let error = self.or(low, high);
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(error, error) == 0 }
    }

    #[inline(always)]
    fn utf8_open(self, block: [__m256i; 2]) -> bool {
        let [_, least] = self.load(&LAST_COMPLETE);
        let over = self.saturating_sub(block[1], least);
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(over, over) == 0 }
    }
}
