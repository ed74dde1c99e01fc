//! Detects numbers that a double cannot represent.

use jsonx_core::engine::{Chunk, Inside};
use jsonx_core::internal::{BLOCK, LONG_EXPONENT, LONG_INTEGER, TokenAssembler, no_digits};

use super::collector::{Collector, Region};
use crate::diagnose::{Code, Lints};

/// The detector. Retains the number at the end of the last chunk.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    cursor: TokenAssembler,
}

impl Numbers {
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>, lints: Lints, findings: &mut Collector) {
        if self.cursor.is_open() && self.cursor.resume_with(chunk, chunk.continued()) {
            self.end(lints, findings);
        }
        let last = match chunk.kinds.last() {
            Some(b'-' | b'0'..=b'9') => last_scalar(chunk),
            _ => None,
        };
        if chunk.flags.long_integers || chunk.flags.long_exponents {
            pass(chunk, last, lints, findings);
        }
        if let Some(last) = last
            && self.cursor.begin_at(chunk, last, RETAINED)
        {
            self.end(lints, findings);
        }
    }

    /// Ends the text, and with it the number at the end of the last chunk, if any.
    pub(super) fn end(&mut self, lints: Lints, findings: &mut Collector) {
        if let Some((start, end, number)) = self.cursor.take() {
            let region = Region::new(start, end - start);
            judge(number, region, lints, findings);
        }
    }
}

/// The number of bytes by which a longer number is judged.
const RETAINED: usize = 1 << 24;

/// The minimum length in bytes of a number that is too large: of an integer such as 2⁵³ + 1, and of a number with an exponent
/// such as `1e309`.
const SHORTEST: [u32; 2] = [LONG_INTEGER, 2 + LONG_EXPONENT];

/// The offset of the last number or literal of a chunk.
fn last_scalar(chunk: &Chunk<'_>) -> Option<usize> {
    let mut blocks = 0..chunk.scalars.len();
    let index = blocks.rfind(|&block| firsts(chunk, block) != 0)?;
    let first = firsts(chunk, index).ilog2();
    Some(index * BLOCK + first as usize)
}

/// A mask of the bytes of a block that begin a number or a literal.
fn firsts(chunk: &Chunk<'_>, block: usize) -> u64 {
    let before = match block.checked_sub(1) {
        Some(before) => chunk.scalars[before] >> 63,
        None => u64::from(chunk.before.inside == Inside::Scalar),
    };
    let mask = chunk.scalars[block];
    mask & !(mask << 1 | before)
}

/// Checks all numbers of a chunk but the one at `last`, which may continue.
///
/// Called only for chunks with long numbers, which are rare.
#[inline(never)]
fn pass(chunk: &Chunk<'_>, last: Option<usize>, lints: Lints, findings: &mut Collector) {
    let bytes = chunk.bytes;
    let exponents = chunk.flags.long_exponents;
    let shortest = SHORTEST[usize::from(exponents)];
    for block in 0..chunk.scalars.len() {
        let after = chunk.scalars.get(block + 1).copied().unwrap_or_default();
        if !exponents && !has_full_byte(chunk.scalars[block]) && after as u8 != u8::MAX {
            continue;
        }
        let firsts = firsts(chunk, block);
        let scalars = u128::from(after) << BLOCK | u128::from(chunk.scalars[block]);
        let mut long = firsts & followed(scalars, shortest);
        while long != 0 {
            let from = block * BLOCK + long.trailing_zeros() as usize;
            long &= long - 1;
            if bytes[from] >= b'a' || Some(from) == last {
                continue;
            }
            let text = &bytes[from..scalar_end(chunk, from)];
            let is_long = text.len() >= LONG_INTEGER as usize && all_digits(&text[1..]);
            if is_long || exponents && may_overflow(text) {
                let region = Region::new(chunk.offset + from as u64, text.len() as u64);
                judge(text, region, lints, findings);
            }
        }
    }
}

/// Whether all eight bits of any byte are set, as in every run of 15 set bits.
#[inline(always)]
fn has_full_byte(mask: u64) -> bool {
    let ones = u64::from_ne_bytes([1; 8]);
    let tops = u64::from_ne_bytes([0x80; 8]);
    (!mask).wrapping_sub(ones) & mask & tops != 0
}

/// A mask of those of the first 64 bits that begin a run of `count` (up to 64) set bits.
fn followed(mask: u128, count: u32) -> u64 {
    let (mut found, mut length) = (mask, 1);
    while length < count {
        let step = length.min(count - length);
        found &= found >> step;
        length += step;
    }
    found as u64
}

/// The end of the number or literal that begins at `from`.
fn scalar_end(chunk: &Chunk<'_>, from: usize) -> usize {
    let mut block = from / BLOCK;
    let mut others = !chunk.scalars[block] >> (from % BLOCK) << (from % BLOCK);
    while others == 0 {
        block += 1;
        match chunk.scalars.get(block) {
            Some(mask) => others = !mask,
            None => return chunk.bytes.len(),
        }
    }
    (block * BLOCK + others.trailing_zeros() as usize).min(chunk.bytes.len())
}

/// Whether the first eight bytes are digits.
#[inline(always)]
fn all_digits(bytes: &[u8]) -> bool {
    bytes
        .first_chunk()
        .is_some_and(|word| no_digits(u64::from_le_bytes(*word)) == 0)
}

/// Whether a number may end with an exponent of at least three digits and no minus sign.
#[inline(always)]
fn may_overflow(bytes: &[u8]) -> bool {
    let Some(word) = bytes.last_chunk() else {
        return true;
    };
    let other = no_digits(u64::from_le_bytes(*word));
    if other == 0 {
        return true;
    }
    let digits = other.leading_zeros() / 8;
    match word[7 - digits as usize] {
        b'.' | b'-' => false,
        _ => digits >= 3,
    }
}

/// Reports the number if it is too large.
#[inline(never)]
fn judge(text: &[u8], region: Region, lints: Lints, findings: &mut Collector) {
    if let Some(exceeds) = short_integer_exceeds(text) {
        if lints.unsafe_integer && exceeds {
            findings.add(Code::UnsafeInteger, region, None, Vec::new());
        }
        return;
    }
    if let Some(code) = lints.of_number(text) {
        findings.add(code, region, None, Vec::new());
    }
}

/// Whether an integer of 16 to 24 digits is above 2^53; `None` for every other number.
#[inline(always)]
fn short_integer_exceeds(text: &[u8]) -> Option<bool> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let first: [u8; 16] = *digits.first_chunk()?;
    let last = digits.last_chunk()?;
    let [first_half, second_half] = [&first[..8], &first[8..]].map(|half| half.first_chunk());
    let mut others = no_digits(u64::from_le_bytes(*last));
    others |= no_digits(u64::from_le_bytes(*first_half?));
    others |= no_digits(u64::from_le_bytes(*second_half?));
    // Integers have no leading zeros, and digits are in the order of their values.
    match digits.len() {
        _ if others != 0 => None,
        16 => Some(first > *b"9007199254740992"),
        ..=24 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_core::number::Number;
    use jsonx_testing::cases;

    proptest! {
        #![proptest_config(cases(4000))]

        #[test]
        fn short_integers_are_judged_as_all_others(text in "-?(90071992547409[89][0-9]|[1-9][0-9]{14,25})([.eE-][0-9])?") {
            if let Some(exceeds) = short_integer_exceeds(text.as_bytes()) {
                let number = Number::new(text.as_bytes());
                prop_assert!(number.is_integer());
                prop_assert_eq!(exceeds, number.exceeds_2_53());
                prop_assert!(!number.overflows_f64());
            } else {
                let digits = text.trim_start_matches('-').len();
                prop_assert!(!(16..=24).contains(&digits) || !text[1..].bytes().all(|byte| byte.is_ascii_digit()));
            }
        }
    }

    #[test]
    fn every_run_of_fifteen_bits_fills_a_byte() {
        for length in 0..=64_u32 {
            for at in 0..=64 - length {
                let run = u64::MAX.checked_shr(64 - length).unwrap_or(0);
                let run = run.checked_shl(at).unwrap_or(0);
                let full = run.to_le_bytes().contains(&0xFF);
                assert_eq!(has_full_byte(run), full);
                assert!(full || length < 15);
            }
        }
    }
}
