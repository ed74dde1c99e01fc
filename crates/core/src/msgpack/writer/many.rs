//! Writes many numbers at once, checking the capacity once for eight of them.

use super::{Form, LONGEST_HEAD, NEGATIVE, UNSIGNED, WriteError, last_number};
use crate::msgpack::buffer::Buffer;

/// Number of values that share a check.
const GROUP: usize = 8;

/// Maximum size of a group.
const GROUP_BYTES: usize = GROUP * LONGEST_HEAD;

/// A number that can be written in groups.
pub(super) trait Number: Copy {
    /// The bytes of a group, if each number takes one byte.
    fn bytes(group: &[Self; GROUP]) -> Option<[u8; GROUP]>;

    /// Writes a group, and arbitrary bytes after it; returns its length.
    #[inline(always)]
    fn write_group(group: &[Self; GROUP], room: &mut [u8; GROUP_BYTES]) -> usize {
        let mut at = 0;
        for number in group {
            let (form, bits) = number.form();
            let next = room.get_mut(at..).and_then(<[u8]>::first_chunk_mut);
            store(form, bits, next);
            at += 1 + usize::from(form.payload);
        }
        at
    }

    /// The form, and its further bytes (possibly none) at the upper end of a word.
    fn form(self) -> (Form, u64);
}

impl Number for u64 {
    #[inline(always)]
    fn bytes(group: &[Self; GROUP]) -> Option<[u8; GROUP]> {
        let all = group.iter().fold(0, |all, value| all | value);
        (all < 0x80).then(|| group.map(|value| value as u8))
    }

    #[inline(always)]
    fn form(self) -> (Form, u64) {
        match self {
            0..0x80 => one_byte(self),
            _ => aligned(UNSIGNED[64 - self.leading_zeros() as usize], self),
        }
    }
}

impl Number for i64 {
    #[inline(always)]
    fn bytes(group: &[Self; GROUP]) -> Option<[u8; GROUP]> {
        let fits = |value: &i64| i64::from(*value as i8) == *value && *value as i8 >= -32;
        let count = group.iter().map(|value| u8::from(fits(value))).sum::<u8>();
        (usize::from(count) == GROUP).then(|| group.map(|value| value as u8))
    }

    #[inline(always)]
    fn form(self) -> (Form, u64) {
        let bits = self as u64;
        match self {
            -32..0x80 => one_byte(bits),
            0x80.. => aligned(UNSIGNED[64 - self.leading_zeros() as usize], bits),
            _ => aligned(NEGATIVE[65 - self.leading_ones() as usize], bits),
        }
    }
}

impl Number for f64 {
    #[inline(always)]
    fn bytes(_: &[Self; GROUP]) -> Option<[u8; GROUP]> {
        None
    }

    #[inline(always)]
    fn write_group(group: &[Self; GROUP], room: &mut [u8; GROUP_BYTES]) -> usize {
        let (rooms, _) = room.as_chunks_mut::<LONGEST_HEAD>();
        for (number, [first, rest @ ..]) in group.iter().zip(rooms) {
            *first = 0xcb;
            *rest = number.to_be_bytes();
        }
        GROUP_BYTES
    }

    #[inline(always)]
    fn form(self) -> (Form, u64) {
        let form = Form {
            first: 0xcb,
            payload: 8,
        };
        (form, self.to_bits())
    }
}

/// A number of one byte is its own first byte.
#[inline(always)]
fn one_byte(bits: u64) -> (Form, u64) {
    let form = Form {
        first: bits as u8,
        payload: 0,
    };
    (form, 0)
}

#[inline(always)]
fn aligned(form: Form, bits: u64) -> (Form, u64) {
    (form, bits << (64 - 8 * u32::from(form.payload)))
}

/// Writes numbers one after another: all or, if they do not fit, none.
#[inline(always)]
pub(super) fn write<N: Number>(buffer: &mut impl Buffer, numbers: &[N]) -> Result<(), WriteError> {
    let before = buffer.length();
    let (groups, rest) = numbers.as_chunks::<GROUP>();
    for group in groups {
        if let Some(bytes) = N::bytes(group)
            && let Ok(room) = buffer.reserve(GROUP)
            && let Some(room) = room.first_chunk_mut()
        {
            *room = bytes;
            buffer.advance(GROUP);
            continue;
        }
        let written = match buffer.reserve(GROUP_BYTES) {
            Ok(room) => room
                .first_chunk_mut()
                .map(|room| N::write_group(group, room)),
            Err(_) => None,
        };
        match written {
            Some(written) => buffer.advance(written),
            None => write_each(buffer, group, before)?,
        }
    }
    write_each(buffer, rest, before)
}

#[inline(always)]
fn store(form: Form, bits: u64, room: Option<&mut [u8; LONGEST_HEAD]>) {
    if let Some([first, rest @ ..]) = room {
        *first = form.first;
        *rest = bits.to_be_bytes();
    }
}

/// Writes numbers close to the end of the buffer; truncates to `before` if they do not fit.
#[inline(always)]
fn write_each<N: Number>(
    buffer: &mut impl Buffer,
    numbers: &[N],
    before: usize,
) -> Result<(), WriteError> {
    for number in numbers {
        let (form, bits) = number.form();
        let size = 1 + usize::from(form.payload);
        if let Some(room) = buffer.spare() {
            store(form, bits, Some(room));
        } else {
            match buffer.reserve(size) {
                Ok(room) => last_number(room, form, bits.to_be_bytes()),
                Err(error) => {
                    buffer.truncate(before);
                    return Err(error);
                }
            }
        }
        buffer.advance(size);
    }
    Ok(())
}
