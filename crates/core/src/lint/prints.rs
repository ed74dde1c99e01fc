//! Fingerprints of keys: equal keys have equal ones, and of the keys of one object hardly any two others do.

use crate::chunk::CHUNK_BLOCKS;
use crate::kernel::{BLOCK, Kernel, Task, compiled_for};
use crate::string::decode_key;

/// A chunk, and room behind it for loads that reach over its end.
pub(super) type Room = [u8; CHUNK + BLOCK];

/// The most bytes of a chunk.
pub(super) const CHUNK: usize = CHUNK_BLOCKS * BLOCK;

/// The fingerprint of the key whose text between its quotes is the bytes from `from` to `to`: of its length, its first
/// eight bytes, the next eight, and the last eight. It is not empty.
///
/// All loads are of eight bytes, and no branch depends on the key.
#[inline(always)]
pub(super) fn print_at(text: &Room, from: usize, to: usize) -> u32 {
    let (from, to) = (from % CHUNK, to % CHUNK);
    let length = to.wrapping_sub(from);
    let last = to.saturating_sub(8).max(from);
    // Of a shorter key, what stands behind it is shifted out.
    let shift = 8 * 8usize.saturating_sub(length) as u32;
    let word = |at: usize| word(text, at).wrapping_shl(shift);
    // Odd numbers without a pattern: the digits of pi.
    let mixed = ((length as u64) << 32)
        .wrapping_add(word(from).wrapping_mul(0x243F_6A88_85A3_08D3))
        .wrapping_add(word((from + 8).min(last)).wrapping_mul(0x1319_8A2E_0370_7345))
        .wrapping_add(word(last).wrapping_mul(0xA409_3822_299F_31D1));
    (mixed >> 32) as u32
}

/// The eight bytes at `at`, which is in the chunk.
#[inline(always)]
fn word(text: &Room, at: usize) -> u64 {
    text[at..at + 8]
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The same for a key that stands alone: of as many bytes as are looked at.
pub(super) fn print(key: &[u8]) -> u32 {
    if key.is_empty() {
        return 0;
    }
    let mut room = [0; CHUNK + BLOCK];
    let length = key.len();
    if length <= 24 {
        room[..length].copy_from_slice(key);
    } else {
        room[..16].copy_from_slice(&key[..16]);
        room[16..24].copy_from_slice(&key[length - 8..]);
    }
    print_at(&room, 0, length.min(24)).wrapping_add((length - length.min(24)) as u32)
}

/// The same for a key as it is spelled.
#[cold]
#[inline(never)]
pub(super) fn print_spelled(raw: &[u8]) -> u32 {
    // Short ones are looked through here: memchr would ask the CPU for its instructions first, which takes 0.03 ms, and a
    // small document has nothing else to ask for.
    match raw.len() < BLOCK && !raw.contains(&b'\\') {
        true => print(raw),
        false => print(&decode_key(raw)),
    }
}

/// More keys than this are not compared pair by pair.
pub(super) const FEW: usize = 64;

/// Sequences of fingerprints that are known to be all different. The objects of one document have few shapes: most are
/// found here, sixteen keys by one comparison.
#[derive(Debug)]
pub(super) struct Shapes {
    known: Box<[Shape; SHAPES]>,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    count: usize,
    prints: [u32; FEW],
}

/// Shapes that are remembered; a new one takes the place of another.
const SHAPES: usize = 32;

impl Default for Shapes {
    fn default() -> Shapes {
        let none = Shape {
            count: 0,
            prints: [0; FEW],
        };
        Shapes {
            known: Box::new([none; SHAPES]),
        }
    }
}

impl Shapes {
    /// Whether the first `count` fingerprints, from 2 to [`FEW`], are all different. May say no when they are.
    #[inline(always)]
    pub(super) fn all_different(
        &mut self,
        kernel: Kernel,
        prints: &[u32; FEW],
        count: usize,
    ) -> bool {
        let place = prints[0].wrapping_add(prints[(count - 1) % FEW]) as usize + count;
        let shape = &mut self.known[place % SHAPES];
        shape.count == count && starts_equal(prints, &shape.prints, count)
            || shape.learn(kernel, prints, count)
    }
}

impl Shape {
    /// Whether the fingerprints are all different; if so they are the shape from now on.
    #[inline(never)]
    fn learn(&mut self, kernel: Kernel, prints: &[u32; FEW], count: usize) -> bool {
        let different = compiled_for(kernel, AllDifferent { prints, count });
        if different {
            *self = Shape {
                count,
                prints: *prints,
            };
        }
        different
    }
}

#[inline(always)]
fn starts_equal(a: &[u32; FEW], b: &[u32; FEW], count: usize) -> bool {
    const LANES: usize = 16;
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let mut left = count as u32;
    for (a, b) in a.iter().zip(b) {
        let mut unequal = 0;
        for lane in 0..LANES {
            let is_key = (lane as u32) < left;
            unequal |= (a[lane] ^ b[lane]) & u32::from(is_key).wrapping_neg();
        }
        if unequal != 0 {
            return false;
        }
        left = left.saturating_sub(LANES as u32);
        if left == 0 {
            break;
        }
    }
    true
}

/// Each fingerprint is compared with all others at once, by rotation: 8 keys in four steps of one register, 64 in 32
/// steps of four.
struct AllDifferent<'a> {
    prints: &'a [u32; FEW],
    count: usize,
}

impl Task for AllDifferent<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let AllDifferent { prints, count } = self;
        match count {
            0..=8 => rotate::<8, 16>(prints, count),
            9..=16 => rotate::<16, 32>(prints, count),
            17..=32 => rotate::<32, 64>(prints, count),
            _ => rotate::<64, 128>(prints, count),
        }
    }
}

#[inline(always)]
fn rotate<const N: usize, const TWICE: usize>(prints: &[u32; FEW], count: usize) -> bool {
    let mut lanes = [0; N];
    let mut twice = [0; TWICE];
    for lane in 0..N {
        // What stands behind the last key is different from itself, and hardly ever a fingerprint.
        let filler = 0x9E37_79B9_u32.wrapping_add(lane as u32);
        lanes[lane] = match lane < count {
            true => prints[lane],
            false => filler,
        };
        twice[lane] = lanes[lane];
        twice[lane + N] = lanes[lane];
    }
    let mut equal = [0u32; N];
    for by in 1..=N / 2 {
        for lane in 0..N {
            equal[lane] |= u32::from(lanes[lane] == twice[lane + by]);
        }
    }
    equal.iter().fold(0, |any, lane| any | lane) == 0
}
