//! Detects numbers that a double cannot represent.

use super::collector::{Collector, Region};
use crate::cursor::Cursor;
use crate::diagnose::{Code, Lints};
use crate::kernel::{BLOCK, BlockTask, Isa, run_with};
use crate::number::{Abridged, Number};
use crate::skip::group;
use crate::token::{Chunk, trim_end};

/// The detector. Remembers the number that the last chunk ended with.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    cursor: Cursor<Abridged>,
}

impl Numbers {
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>, lints: Lints, findings: &mut Collector) {
        // An abridged number needs no memory that could run out.
        if let Ok(true) = self.cursor.resume(chunk) {
            self.end(lints, findings);
        }
        run_with(
            chunk.kernel,
            Pass {
                chunk,
                lints,
                findings,
            },
        );
        if let Some(b'-' | b'0'..=b'9') = chunk.kinds.last()
            && let Ok(true) = self.cursor.begin(chunk, usize::MAX)
        {
            self.end(lints, findings);
        }
    }

    /// Ends the text, and with it the number at the end of the last chunk, if any.
    pub(super) fn end(&mut self, lints: Lints, findings: &mut Collector) {
        if let Some((start, end, number)) = self.cursor.take() {
            let place = Region {
                offset: start,
                length: end - start,
            };
            judge(&number.text(), place, lints, findings);
        }
    }
}

/// Checks all numbers of a chunk, except one that is the last token.
struct Pass<'a, 'c> {
    chunk: &'a Chunk<'c>,
    lints: Lints,
    findings: &'a mut Collector,
}

/// The minimum length, in bytes, of a number that is too large: of an integer such as 2⁵³ + 1, and of one with an
/// exponent such as `1e309`.
const SHORTEST: [u32; 2] = [16, 5];

impl BlockTask for Pass<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) {
        let Chunk {
            kinds,
            offsets,
            bytes,
            ..
        } = *self.chunk;
        let exponents = self.chunk.contents.exponents;
        let shortest = SHORTEST[usize::from(exponents)];
        let mut at = 0;
        while at < kinds.len() {
            let masks = group(isa, kinds, at);
            let valid = u64::MAX >> (BLOCK - (kinds.len() - at).min(BLOCK));
            let others = masks.open | masks.close | masks.colon | masks.comma | masks.quote;
            let mut scalars = valid & !others & long_tokens(isa, offsets, at, shortest);
            while scalars != 0 {
                let index = at + scalars.trailing_zeros() as usize;
                scalars &= scalars - 1;
                let (Some(&from), Some(&to)) = (offsets.get(index), offsets.get(index + 1)) else {
                    break;
                };
                if kinds[index] >= b'a' {
                    continue;
                }
                let (from, to) = (from as usize, to as usize);
                let long = to - from >= 16 && all_digits(&bytes[from + 1..]);
                if long || exponents && may_overflow(&bytes[from..to]) {
                    let text = trim_end(&bytes[from..to]);
                    let place = Region {
                        offset: self.chunk.offset + from as u64,
                        length: text.len() as u64,
                    };
                    judge(text, place, self.lints, self.findings);
                }
            }
            at += BLOCK;
        }
    }
}

/// Selects those of the 64 tokens from `at` on that have at least `shortest` bytes, including the white space after
/// them. The last token of the chunk has no end yet and is not selected.
#[inline(always)]
fn long_tokens<K: Isa>(isa: K, offsets: &[u32], at: usize, shortest: u32) -> u64 {
    let mut few = [0; BLOCK + 1];
    let begins: &[u32; BLOCK + 1] = match offsets[at..].first_chunk() {
        Some(begins) => begins,
        None => {
            let rest = &offsets[at..];
            few[..rest.len()].copy_from_slice(rest);
            if let Some(&last) = rest.last() {
                few[rest.len()..].fill(last);
            }
            &few
        }
    };
    let mut long = [0; BLOCK];
    for (index, long) in long.iter_mut().enumerate() {
        *long = u8::from(begins[index + 1] - begins[index] >= shortest);
    }
    isa.equal(isa.load(&long), 1)
}

/// The high half of every byte.
const HIGH: u64 = u64::from_ne_bytes([0xF0; 8]);

/// Non-zero in each byte of the word that is not a digit. The word must be ASCII.
#[inline(always)]
fn no_digit(word: u64) -> u64 {
    let value = word ^ u64::from_ne_bytes([b'0'; 8]);
    (value | value.wrapping_add(u64::from_ne_bytes([6; 8]))) & HIGH
}

/// Whether the first eight bytes are digits.
#[inline(always)]
fn all_digits(bytes: &[u8]) -> bool {
    bytes
        .first_chunk()
        .is_some_and(|word| no_digit(u64::from_le_bytes(*word)) == 0)
}

/// Whether a number, with the white space after it, may end with an exponent of at least three digits and no minus
/// sign.
#[inline(always)]
fn may_overflow(bytes: &[u8]) -> bool {
    let Some(word) = bytes.last_chunk() else {
        return true;
    };
    let other = no_digit(u64::from_le_bytes(*word));
    if other == 0 {
        return true;
    }
    let digits = other.leading_zeros() / 8;
    match word[7 - digits as usize] {
        b'.' | b'-' => false,
        b' ' | b'\t' | b'\n' | b'\r' => true,
        _ => digits >= 3,
    }
}

/// Reports the number if it is too large.
#[inline(never)]
fn judge(text: &[u8], place: Region, lints: Lints, findings: &mut Collector) {
    let number = Number::new(text);
    if lints.number_range && number.overflows_f64() {
        findings.add(Code::NumberRange, place, None, Vec::new());
    } else if lints.unsafe_integer && number.exceeds_2_53() {
        findings.add(Code::UnsafeInteger, place, None, Vec::new());
    }
}
