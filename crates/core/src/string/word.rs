//! Marks bytes of strings, eight at a time in a plain `u64`:
//!
//! ```text
//! c             "  a  b  \  n  .. 1f       the word, lowest byte first
//! c - 0x20      .  .  .  .  .  .. ff       borrows where a byte is below 0x20
//! c^'\\' - 1    .  .  .  ff .  .. .        borrows where a byte is a backslash
//! c^'"'  - 1    ff .  .  .  .  .. .        borrows where a byte is a quote
//! & !c & 0x80   80 .  .  80 .  .. 80       the lowest mark is exact
//! ```
//!
//! A borrow runs into the bytes above it, so marks above the lowest one may be false; only the lowest is used.

/// A byte repeated in all eight lanes.
const fn lanes(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The top bit of each lane.
const TOP: u64 = lanes(0x80);

/// The little-endian word at `at`, on any machine; `None` if fewer than eight bytes are left.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Marks the first quote, backslash or control byte of a word in the top bit of its lane.
#[inline(always)]
pub fn special_marks(word: u64) -> u64 {
    let control = word.wrapping_sub(lanes(0x20));
    let backslash = (word ^ lanes(b'\\')).wrapping_sub(lanes(1));
    let quote = (word ^ lanes(b'"')).wrapping_sub(lanes(1));
    (control | backslash | quote) & !word & TOP
}

/// Marks the first backslash of a word in the top bit of its lane.
#[inline(always)]
pub(super) fn backslash_marks(word: u64) -> u64 {
    let zeroed = word ^ lanes(b'\\');
    zeroed.wrapping_sub(lanes(1)) & !zeroed & TOP
}

/// The lane of the lowest mark, 0 to 7; 8 if there is none.
#[inline(always)]
pub(super) fn lowest_lane(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[inline(always)]
pub(super) fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}
