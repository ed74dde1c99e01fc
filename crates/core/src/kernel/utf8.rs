//! UTF-8 validation with the lookup tables of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per
//! Byte" (2021).
//!
//! Two adjacent bytes are looked up in three tables, by the high and the low nibble of the first and the high nibble of
//! the second. Each bit stands for one kind of error; a pair has that error if all three tables have its bit.

use super::vector::Lanes;

/// Zero for each byte without an error in it and the three bytes before it.
#[inline(always)]
pub(super) fn error<L: Lanes>(lanes: L, bytes: L::Register, before: L::Register) -> L::Register {
    let previous1 = lanes.previous::<1>(bytes, before);
    let previous2 = lanes.previous::<2>(bytes, before);
    let previous3 = lanes.previous::<3>(bytes, before);
    let low_nibbles = lanes.and(previous1, lanes.splat(0x0F));
    let special = lanes.and(
        lanes.and(
            lanes.look_up(&BYTE_1_HIGH, lanes.high_nibbles(previous1)),
            lanes.look_up(&BYTE_1_LOW, low_nibbles),
        ),
        lanes.look_up(&BYTE_2_HIGH, lanes.high_nibbles(bytes)),
    );
    // Bytes that must be continuations: two after the lead of three or four bytes, three after the lead of four.
    let third = lanes.saturating_sub(previous2, lanes.splat(0xE0 - 0x80));
    let fourth = lanes.saturating_sub(previous3, lanes.splat(0xF0 - 0x80));
    let must = lanes.and(lanes.or(third, fourth), lanes.splat(0x80));
    lanes.xor(must, special)
}

/// A lead byte that no continuation follows.
const TOO_SHORT: u8 = 1 << 0;
/// A continuation after an ASCII byte.
const TOO_LONG: u8 = 1 << 1;
/// E0 followed by less than A0.
const OVERLONG_3: u8 = 1 << 2;
/// F4 followed by more than 8F, or a lead above F4.
const TOO_LARGE: u8 = 1 << 3;
/// ED followed by more than 9F.
const SURROGATE: u8 = 1 << 4;
/// C0 or C1.
const OVERLONG_2: u8 = 1 << 5;
/// A lead above F4 followed by 80 to 8F; shares its bit with F0 followed by less than 90.
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
/// Two continuations in a row: valid only two bytes after the lead of three or four bytes, or three after the lead of
/// four.
const TWO_CONTINUATIONS: u8 = 1 << 7;

const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// By the high nibble of the first byte.
const BYTE_1_HIGH: [u8; 16] = [
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
];

/// By the low nibble of the first byte.
const BYTE_1_LOW: [u8; 16] = [
    CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    CARRY | OVERLONG_2,
    CARRY,
    CARRY,
    CARRY | TOO_LARGE,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000,
];

/// By the high nibble of the second byte.
const BYTE_2_HIGH: [u8; 16] = [
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
];

/// The maximum of each byte of a block that does not end inside a sequence.
pub(super) const LAST_COMPLETE: [u8; 64] = {
    let mut bytes = [0xFF; 64];
    bytes[61] = 0xF0 - 1;
    bytes[62] = 0xE0 - 1;
    bytes[63] = 0xC0 - 1;
    bytes
};
