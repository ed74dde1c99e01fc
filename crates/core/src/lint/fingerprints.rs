//! Fingerprints of keys: equal keys have equal fingerprints, and the different keys of one object rarely do.

use crate::kernel::{BLOCK, Bytes, Kernel, Task, compiled_for};
use crate::string::decode_key;

/// The longest key, in bytes, that fits a window of 64 from which words of eight are loaded.
pub(super) const LONG: usize = BLOCK - 8;

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

/// The eight bytes at `at`.
#[inline(always)]
fn word(window: &Bytes, at: usize) -> u64 {
    let at = at % LONG;
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
    // Searches short keys here: memchr would first detect the features of the CPU, which takes 0.03 ms, and a small
    // document needs them for nothing else.
    match raw.len() < BLOCK && !raw.contains(&b'\\') {
        true => fingerprint(raw),
        false => fingerprint(&decode_key(raw)),
    }
}

/// The maximum number of keys to compare pair by pair.
pub(super) const FEW: usize = 64;

/// Most objects have no more keys than this.
const USUAL: usize = 16;

/// A cache of fingerprint sequences known to be all different, for objects that follow no path of
/// [`Shapes`](super::shapes::Shapes).
#[derive(Debug, Default)]
pub(super) struct Known(Option<Box<Slots>>);

#[derive(Debug)]
struct Slots {
    single: [(u32, bool); SLOTS],
    /// Two per slot. With one, and fewer slots, two of the six shapes in a gigabyte of tweets shared a slot, and
    /// learning them over and over took a sixth of the time of all lints.
    usual: [[Shape<USUAL>; 2]; SLOTS],
    large: [Shape<FEW>; LARGE_SLOTS],
}

#[derive(Clone, Copy, Debug)]
struct Shape<const N: usize> {
    count: usize,
    fingerprints: [u32; N],
    seen_again: bool,
}

/// Whether fingerprints are all different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// They are, for the second time.
    Again,
    /// They are.
    Different,
    /// Perhaps not.
    Equal,
}

/// The number of slots; if one more shape maps to a full slot, it evicts the oldest.
const SLOTS: usize = 64;
const LARGE_SLOTS: usize = 16;

impl Known {
    /// Whether the first `count` fingerprints, from 1 to [`FEW`], are all different.
    #[inline(always)]
    pub(super) fn look(&mut self, kernel: Kernel, fingerprints: &[u32; FEW], count: usize) -> Seen {
        let slots = self.0.get_or_insert_with(Slots::new);
        let mixed = fingerprints[0] ^ fingerprints[(count - 1) % FEW].rotate_left(9) ^ count as u32;
        let place = (mixed.wrapping_mul(0x9E37_79B1) >> 16) as usize;
        match fingerprints.first_chunk() {
            _ if count == 1 => {
                let (known, again) = &mut slots.single[place % SLOTS];
                if *known == fingerprints[0] {
                    return seen(again);
                }
                (*known, *again) = (fingerprints[0], false);
                Seen::Different
            }
            Some(usual) if count <= USUAL => {
                let known = &mut slots.usual[place % SLOTS];
                if known[0].is(usual, count) {
                    seen(&mut known[0].seen_again)
                } else if known[1].is(usual, count) {
                    seen(&mut known[1].seen_again)
                } else {
                    learn(kernel, usual, count, known)
                }
            }
            _ => {
                let known = &mut slots.large[place % LARGE_SLOTS];
                match known.is(fingerprints, count) {
                    true => seen(&mut known.seen_again),
                    false => learn(kernel, fingerprints, count, core::array::from_mut(known)),
                }
            }
        }
    }
}

impl Slots {
    #[cold]
    fn new() -> Box<Slots> {
        Box::new(Slots {
            single: [(0, false); _],
            usual: [[Shape::NONE; 2]; _],
            large: [Shape::NONE; _],
        })
    }
}

fn seen(again: &mut bool) -> Seen {
    match core::mem::replace(again, true) {
        true => Seen::Different,
        false => Seen::Again,
    }
}

impl<const N: usize> Shape<N> {
    const NONE: Shape<N> = Shape {
        count: 0,
        fingerprints: [0; N],
        seen_again: false,
    };

    #[inline(always)]
    fn is(&self, fingerprints: &[u32; N], count: usize) -> bool {
        let mut unequal = 0;
        for (lane, (fingerprint, known)) in fingerprints.iter().zip(&self.fingerprints).enumerate()
        {
            let is_key = u32::from(lane < count).wrapping_neg();
            unequal |= (fingerprint ^ known) & is_key;
        }
        self.count == count && unequal == 0
    }
}

/// Whether the fingerprints are all different. If so, caches them at the front of the slot.
#[inline(never)]
fn learn<const N: usize>(
    kernel: Kernel,
    fingerprints: &[u32; N],
    count: usize,
    known: &mut [Shape<N>],
) -> Seen {
    let different = compiled_for(
        kernel,
        AllDifferent {
            fingerprints,
            count,
        },
    );
    if !different {
        return Seen::Equal;
    }
    known.rotate_right(1);
    known[0] = Shape {
        count,
        fingerprints: *fingerprints,
        seen_again: false,
    };
    Seen::Different
}

/// Compares each fingerprint with all others at once.
struct AllDifferent<'a, const N: usize> {
    fingerprints: &'a [u32; N],
    count: usize,
}

impl<const N: usize> Task for AllDifferent<'_, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let mut lanes = [0; N];
        for (lane, fingerprint) in lanes.iter_mut().enumerate() {
            // Lanes after the last key get values that differ from each other and rarely equal a fingerprint.
            let filler = 0x9E37_79B9_u32.wrapping_add(lane as u32);
            *fingerprint = match lane < self.count {
                true => self.fingerprints[lane],
                false => filler,
            };
        }
        let mut equal = [0; N];
        for (one, fingerprint) in lanes.iter().enumerate() {
            for (lane, equal) in equal.iter_mut().enumerate() {
                *equal |= u32::from(lanes[lane] == *fingerprint && lane != one);
            }
        }
        equal.iter().fold(0, |any, lane| any | lane) == 0
    }
}
