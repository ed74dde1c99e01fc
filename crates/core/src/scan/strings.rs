//! Finds the bytes inside strings, and checks escapes.

use crate::kernel::{Isa, TextMasks};

/// The state carried from one block to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strings {
    /// 1 if the first byte of the next block is escaped by the last backslash.
    pub(crate) escape: u64,
    /// All ones inside a string, else 0.
    pub(crate) inside: u64,
    /// Mask of the first bytes of the next block that must be hexadecimal digits of an escape.
    pub(crate) hex: u64,
    /// This chunk has a backslash.
    pub(crate) escapes: bool,
    /// 1 inside a string that has had an escape. Only set with [`outputs::Values`](super::outputs::Values).
    pub(crate) escaped: u64,
    /// This chunk has a `\ud`, possibly half of a surrogate pair. Only set for the lints.
    pub(crate) surrogates: bool,
}

/// The odd-numbered bits.
const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;

impl Strings {
    /// The unescaped quotes of a block. Sets bits of `error` for invalid escapes. With `SURROGATES`, it also detects surrogates.
    /// Only needed for a block with a backslash or after a [pending](Strings::pending) escape.
    #[inline(always)]
    pub(crate) fn unescaped<K: Isa, const SURROGATES: bool>(
        &mut self,
        isa: K,
        block: K::Block,
        text: &TextMasks,
        error: &mut u64,
    ) -> u64 {
        if text.backslash | self.pending() == 0 {
            return text.quote;
        }
        self.escapes = true;
        let escaped = self.escaped(text.backslash);
        *error |= escaped & !isa.escapable(block);
        let unicode = escaped & isa.equal(block, b'u');
        if unicode | self.hex != 0 {
            if SURROGATES {
                // `hex` has its bit 3 set only if the last block ended with the `u`.
                let first = unicode << 1 | self.hex >> 3;
                let letter = isa.equal(block, b'd') | isa.equal(block, b'D');
                self.surrogates |= first & letter != 0;
            }
            let digits = unicode << 1 | unicode << 2 | unicode << 3 | unicode << 4 | self.hex;
            *error |= digits & !isa.hex(block);
            self.hex = unicode >> 63 | unicode >> 62 | unicode >> 61 | unicode >> 60;
        }
        text.quote & !escaped
    }

    /// Not zero if the next block begins inside an escape.
    #[inline(always)]
    pub(crate) fn pending(&self) -> u64 {
        self.escape | self.hex
    }

    /// The bytes inside strings, including the opening quote but not the closing one.
    #[inline(always)]
    pub(crate) fn in_string<K: Isa>(&mut self, isa: K, quote: u64) -> u64 {
        let in_string = isa.prefix_xor(quote) ^ self.inside;
        self.inside = ((in_string as i64) >> 63) as u64;
        in_string
    }

    /// The closing quotes of strings with escapes. The carry of an addition runs from the first backslash of a string to the
    /// byte after its contents:
    ///
    /// ```text
    /// text       " a \ n b " , " c "      (bit 0 on the left)
    /// in_string  1 1 1 1 1 . . 1 1 .
    /// backslash  . . 1 . . . . . . .
    /// sum        1 1 . . . 1 . 1 1 .
    /// ```
    #[inline(always)]
    pub(crate) fn ends_escaped(&mut self, backslash: u64, quote: u64, in_string: u64) -> u64 {
        if backslash | self.escaped == 0 {
            return 0;
        }
        let (sum, over) = in_string.overflowing_add(backslash & in_string);
        let (sum, over_again) = sum.overflowing_add(self.escaped);
        self.escaped = u64::from(over | over_again);
        sum & !in_string & quote
    }

    /// The bytes escaped by a backslash: in a run of backslashes every second one, and the byte after a run of odd
    /// length.
    ///
    /// As in simdjson's `json_escape_scanner`. Subtracting the backslashes that may start a run from the bits after them, with
    /// the odd bits set, and flipping the odd bits back leaves the escaping backslashes, and the byte after a run if it is
    /// escaped:
    ///
    /// ```text
    /// text       a \ \ \ n \ t        (bit 0 on the left)
    /// backslash  . 1 1 1 . 1 .
    /// escaped    . . 1 . 1 . 1
    /// ```
    #[inline(always)]
    pub(crate) fn escaped(&mut self, backslash: u64) -> u64 {
        if backslash == 0 {
            return core::mem::take(&mut self.escape);
        }
        let start = backslash & !self.escape;
        let maybe = start << 1 | ODD;
        let terminal = maybe.wrapping_sub(start) ^ ODD;
        let escaped = terminal ^ (backslash | self.escape);
        self.escape = (terminal & backslash) >> 63;
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle for `escaped`, byte by byte.
    fn naive(backslash: u64, escape: &mut bool) -> u64 {
        let mut escaped = 0;
        for i in 0..64 {
            if *escape {
                escaped |= 1 << i;
                *escape = false;
            } else if backslash >> i & 1 == 1 {
                *escape = true;
            }
        }
        escaped
    }

    #[test]
    fn finds_escaped_bytes_like_a_naive_loop() {
        let mut strings = Strings::default();
        let mut escape = false;
        let mut random = 0x1234_5678_9ABC_DEF0_u64;
        for round in 0..100_000_u64 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let backslash = match round % 4 {
                0 => random,
                1 => random & (random >> 3) & (random >> 7),
                2 => random | random.rotate_left(1) | random.rotate_left(2),
                _ => u64::MAX << (random % 64) >> (random / 64 % 64),
            };
            assert_eq!(
                strings.escaped(backslash),
                naive(backslash, &mut escape),
                "{backslash:#x}"
            );
            assert_eq!(strings.escape == 1, escape);
        }
    }
}
