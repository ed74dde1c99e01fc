//! Converts tokens of common forms directly from their bytes to JSON.

use super::super::text::SHORT;
use super::super::{DecodeErrorKind, Reader};
use super::Decoder;
use jsonx_core::format::Output;

impl<O: Output> Decoder<O> {
    /// Converts the next token if it is complete and of a common form. Returns whether it was. Creating and matching a `Token`
    /// takes several times as long, because its fields go through memory.
    #[inline(always)]
    pub(super) fn common(&mut self, reader: &mut Reader<'_>) -> Result<bool, DecodeErrorKind> {
        let Some((&first, rest)) = reader.rest().split_first() else {
            return Ok(false);
        };
        let is_key = self.frames.last().is_some_and(|frame| frame.expects_key());
        let (header, length) = match first {
            0xa0..=0xbf => (1, usize::from(first & 31)),
            0xd9 => (2, rest.first().map_or(0, |&length| usize::from(length))),
            _ if is_key => return Ok(false),
            _ => return self.common_value(first, rest, reader),
        };
        let Some(from) = rest.get(header - 1..) else {
            return Ok(false);
        };
        if length > from.len().min(SHORT) {
            return Ok(false);
        }
        let before = self.json.text.length;
        self.json.separate(self.separator);
        if !self.json.short_ascii(from, length) {
            self.json.text.length = before;
            return Ok(false);
        }
        reader.skip(header + length);
        if is_key {
            self.retain_key(from, length);
            self.end_key();
        } else {
            self.end_value();
        }
        Ok(true)
    }

    /// As [`common`](Self::common), for a value that is not a string.
    #[inline(always)]
    fn common_value(
        &mut self,
        first: u8,
        rest: &[u8],
        reader: &mut Reader<'_>,
    ) -> Result<bool, DecodeErrorKind> {
        let (value, size) = match first {
            0x00..=0x7f => (Some(u64::from(first)), 0),
            0xcc => (uint(rest, u8::from_be_bytes), 1),
            0xcd => (uint(rest, u16::from_be_bytes), 2),
            0xce => (uint(rest, u32::from_be_bytes), 4),
            0xcf => (uint(rest, u64::from_be_bytes), 8),
            0xcb => {
                let value = rest.first_chunk().copied().map(f64::from_be_bytes);
                let Some(value) = value.filter(|value| value.is_finite()) else {
                    return Ok(false);
                };
                self.json.separate(self.separator);
                self.json.float(value);
                reader.skip(9);
                self.end_value();
                return Ok(true);
            }
            0x80..=0x9f => {
                let is_map = first < 0x90;
                let length = u32::from(first & 15);
                let least = (length << u32::from(is_map)) as usize;
                if length == 0 || rest.len() < least && !reader.is_part() {
                    return Ok(false);
                }
                self.json.separate(self.separator);
                self.open(length, is_map)?;
                reader.skip(1);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let Some(value) = value else {
            return Ok(false);
        };
        self.json.separate(self.separator);
        self.json.uint(value);
        reader.skip(1 + size);
        self.end_value();
        Ok(true)
    }
}

/// The number in the first `N` bytes, if there are as many.
#[inline(always)]
fn uint<const N: usize, T: Into<u64>>(bytes: &[u8], read: fn([u8; N]) -> T) -> Option<u64> {
    bytes.first_chunk().copied().map(|bytes| read(bytes).into())
}
