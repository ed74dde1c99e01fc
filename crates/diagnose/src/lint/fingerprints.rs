//! Fingerprints of keys: equal keys have equal fingerprints; different keys of one object rarely do.

use jsonx_core::internal::{BLOCK, Bytes};
use jsonx_core::string::decode_key;

/// Maximum length in bytes of a key whose fingerprint is computed from a window of 64 bytes.
pub(super) const LONG: usize = 39;

/// The fingerprint of the key in the first `length` bytes of `window`, from 1 to [`LONG`]. It depends on the length,
/// the first eight bytes, the next eight and the last eight.
///
/// All loads have eight bytes, and no branch depends on the key.
#[inline(always)]
pub(super) fn fingerprint_window(window: &Bytes, length: usize) -> u32 {
    let last = length.saturating_sub(8);
    // Shifts out the bytes that follow a shorter key.
    let shift = 8 * 8usize.saturating_sub(length) as u32;
    let word = |at: usize| word(window, at).wrapping_shl(shift);
    // Odd numbers without a pattern: digits of pi.
    let mixed = ((length as u64) << 32)
        .wrapping_add(word(0).wrapping_mul(0x243F_6A88_85A3_08D3))
        .wrapping_add(word(last.min(8)).wrapping_mul(0x1319_8A2E_0370_7345))
        .wrapping_add(word(last).wrapping_mul(0xA409_3822_299F_31D1));
    (mixed >> 32) as u32
}

/// The eight bytes at `at`, which is at most `LONG - 8`.
#[inline(always)]
fn word(window: &Bytes, at: usize) -> u64 {
    let at = at % (LONG - 7);
    window[at..at + 8]
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The fingerprint of an unescaped key of any length.
fn fingerprint(key: &[u8]) -> u32 {
    let mut window = [0; BLOCK];
    let length = key.len();
    match length {
        0 => 0,
        1..=LONG => {
            window[..length].copy_from_slice(key);
            fingerprint_window(&window, length)
        }
        _ => {
            window[..16].copy_from_slice(&key[..16]);
            window[16..24].copy_from_slice(&key[length - 8..]);
            fingerprint_window(&window, 24).wrapping_add(length as u32)
        }
    }
}

/// The fingerprint of a key as written, which may have escapes.
#[inline(never)]
pub(super) fn fingerprint_spelled(raw: &[u8]) -> u32 {
    // Searches short keys directly: memchr would first detect CPU features, which takes 0.03 ms and is not otherwise needed for
    // a small document.
    if raw.len() < BLOCK && !raw.contains(&b'\\') {
        fingerprint(raw)
    } else {
        fingerprint(&decode_key(raw))
    }
}

/// Hash sets of the fingerprints in the open objects, one per depth, where only one object is open at a time. Entries carry the
/// number of their object, which identifies stale ones, so nothing is ever cleared.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Each slot holds two fingerprints, the low half first: 16 bits of the number of the object, then 16 bits of the
    /// fingerprint.
    sets: Vec<[u64; SLOTS]>,
}

/// Slots per set: 4 KiB. An object with three keys in one slot compares all its keys, which is rare.
const SLOTS: usize = 512;

/// The maximum number of sets.
const DEPTHS: usize = 64;

impl Table {
    /// Whether objects at this depth have no set.
    #[inline(always)]
    pub(super) fn is_short(&mut self, depth: usize) -> bool {
        depth >= self.sets.len() && self.grow(depth)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, depth: usize) -> bool {
        if depth < DEPTHS {
            self.sets.push([0; SLOTS]);
        }
        depth >= self.sets.len()
    }

    /// Adds the fingerprint of a key to the object with this number, the only open one at this depth. Returns whether the
    /// object may already have the key; never false if it does.
    ///
    /// No branch depends on the key.
    #[inline(always)]
    pub(super) fn insert(&mut self, depth: usize, object: u32, fingerprint: u32) -> bool {
        let Some(set) = self.sets.get_mut(depth) else {
            return true;
        };
        let slot = &mut set[(fingerprint >> (32 - SLOTS.ilog2())) as usize % SLOTS];
        let entry = object << 16 | fingerprint & 0xFFFF;
        let (low, high) = (*slot as u32, (*slot >> 32) as u32);
        let has_low = (low ^ entry) >> 16 == 0;
        let has_high = (high ^ entry) >> 16 == 0;
        // Arithmetic, because a branch would be mispredicted.
        let half = u64::from(u32::MAX) << (32 * u32::from(has_low));
        let both = u64::from(entry) << 32 | u64::from(entry);
        *slot = *slot & !half | both & half;
        (low == entry) | (high == entry) | (has_low & has_high)
    }
}

/// The most recent sequences of keys, by their fingerprints.
#[derive(Debug, Default)]
pub(super) struct Recent(Vec<u32>);

/// Number of sequences.
const RECENT: usize = 256;

impl Recent {
    /// Adds a sequence, and returns whether it was among the recent ones.
    pub(super) fn has(&mut self, fingerprints: &[u32]) -> bool {
        let mixed = fingerprints.iter().fold(0_u32, |mixed, fingerprint| {
            (mixed ^ fingerprint)
                .wrapping_mul(0x9E37_79B9)
                .rotate_left(13)
        });
        if self.0.is_empty() {
            self.0.resize(RECENT, 0);
        }
        core::mem::replace(&mut self.0[mixed as usize % RECENT], mixed) == mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More objects than numbers, at two depths, with up to 200 keys. Different keys may look equal, but rarely in objects of
    /// few keys; equal keys are never missed.
    #[test]
    fn an_equal_fingerprint_in_the_same_object_is_never_missed() {
        let mut table = Table::default();
        let mut random = 0x1234_5678_9ABC_DEF0_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let (mut few, mut unsure) = (0_u32, 0);
        for number in 1..150_000_u32 {
            let count = if number % 100 == 0 { 200 } else { next() % 20 };
            let keys: Vec<u32> = (0..count).map(|_| next() as u32).collect();
            let depth = 1 + number as usize % 2;
            assert!(!table.is_short(0) && !table.is_short(1) && !table.is_short(2));
            let mut is_unsure = false;
            for &key in &keys {
                is_unsure |= table.insert(depth, number, key);
                // Nested objects have other numbers and greater depths.
                table.insert(depth + 1, number.wrapping_add(7), key);
            }
            if let Some(&again) = keys.get(next() as usize % keys.len().max(1)) {
                assert!(is_unsure || table.insert(depth, number, again));
            }
            few += u32::from(count < 20);
            unsure += u32::from(is_unsure && count < 20);
        }
        assert!(unsure * 50 < few, "{unsure} of {few}");
        assert!((3..DEPTHS).all(|depth| !table.is_short(depth)) && table.is_short(DEPTHS));
        assert!(table.insert(DEPTHS, 1, 2), "there is no set");
    }

    #[test]
    fn sequences_are_recognized_the_second_time() {
        let mut recent = Recent::default();
        for keys in [&[1, 2, 3][..], &[3, 2, 1], &[1], &[1, 2]] {
            assert!(!recent.has(keys));
            assert!(recent.has(keys));
        }
    }
}
