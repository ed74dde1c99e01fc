//! A window of an input, and the interface between readers and consumers.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use jsonx_core::position::LineCounter;
use jsonx_diagnose::json5::Translation;

use super::BYTE_ORDER_MARK;
use super::in_source;

/// The bytes in the buffer, and their offset in the input.
pub struct Window<'a> {
    pub(super) buffered: &'a [u8],
    pub(super) buffered_offset: u64,
    pub(super) from: usize,
    pub(super) last: bool,
    pub(super) live: bool,
    pub(super) torn: bool,
    /// Line and column of `held[0]`, if counted.
    pub(super) lines: Option<&'a LineCounter>,
    /// The translation, if the bytes are those of a translated JSON5 input.
    pub(super) translation: Option<&'a Translation>,
}

impl<'a> Window<'a> {
    /// Bytes of a file that start at `offset`.
    pub(super) fn of_file(buffered: &'a [u8], offset: u64, last: bool) -> Window<'a> {
        Window {
            buffered,
            buffered_offset: offset,
            from: 0,
            last,
            live: false,
            torn: false,
            lines: None,
            translation: None,
        }
    }

    /// The bytes that have not been consumed yet.
    pub fn bytes(&self) -> &'a [u8] {
        &self.buffered[self.from..]
    }

    /// The offset in the input of the first of [`Window::bytes`].
    pub fn offset(&self) -> u64 {
        self.buffered_offset + self.from as u64
    }

    /// The offset in the input of the next byte.
    pub fn end(&self) -> u64 {
        self.buffered_offset + self.buffered.len() as u64
    }

    /// Whether no bytes follow.
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// Whether more bytes may take long to arrive, so that complete lines should be processed now.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Whether reading fails after these bytes, because the data of an encoded input is damaged.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// The bytes from `start` to `end`, offsets in the input, if all of them are still held.
    pub fn buffered(&self, start: u64, end: u64) -> Option<&'a [u8]> {
        let at = |offset: u64| usize::try_from(offset.checked_sub(self.buffered_offset)?).ok();
        self.buffered.get(at(start)?..at(end)?)
    }

    /// Line and column of each of these offsets whose bytes are still held, if lines are counted.
    pub fn positions(&self, offsets: impl Iterator<Item = u64>) -> BTreeMap<u64, (u64, u64)> {
        if let Some(translation) = self.translation {
            return in_source::positions(translation, offsets);
        }
        let mut places: BTreeMap<u64, (u64, u64)> = offsets.map(|at| (at, (0, 0))).collect();
        let Some(mut lines) = self.lines.cloned() else {
            return BTreeMap::new();
        };
        let mut from = self.buffered_offset;
        places.retain(|&at, place| {
            let Some(between) = self.buffered(from, at) else {
                return false;
            };
            lines.feed(between);
            from = at;
            let next = &self.buffered[(at - self.buffered_offset) as usize..];
            let position = lines.position(next);
            *place = (position.line, position.column);
            true
        });
        places
    }

    /// Line and column of the byte at `offset`, if lines are counted and the byte is still held.
    pub fn position(&self, offset: u64) -> Option<(u64, u64)> {
        self.positions([offset].into_iter()).remove(&offset)
    }
}

/// The result of consuming a window.
pub struct Consumed {
    /// Number of bytes consumed; the rest is passed again. At least one for a window of a block or more, except in
    /// [`Input::each_chunk`](super::Input::each_chunk), whose next window is then longer. Consuming nothing of the last window
    /// ends the input.
    pub bytes: usize,
    /// The lowest offset in the input that it may still ask [`Window::held`] for.
    pub keep_from: u64,
}

impl From<usize> for Consumed {
    fn from(bytes: usize) -> Consumed {
        Consumed {
            bytes,
            keep_from: u64::MAX,
        }
    }
}

/// A consumer of windows. Its own errors are replaced by a marker (`each_window.rs`).
pub(super) type Consume<'c, T = Consumed> = dyn FnMut(&Window<'_>) -> io::Result<T> + 'c;

/// The result of a method of reading a file.
pub(super) enum Ended {
    /// Every byte was consumed.
    Complete,
    /// The method does not work; nothing from this offset on was consumed.
    Fallback(u64),
}

/// Removes a byte-order mark from the bytes at the offset `at` of a file, and records it.
pub(super) fn skip_mark<'a>(bytes: &'a [u8], at: &mut u64, marked: &mut bool) -> &'a [u8] {
    match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) if *at == 0 => {
            *marked = true;
            *at = BYTE_ORDER_MARK.len() as u64;
            text
        }
        _ => bytes,
    }
}

/// The error of a file that has become shorter.
pub(super) fn truncated() -> io::Error {
    io::Error::new(
        ErrorKind::UnexpectedEof,
        "the file was truncated while it was being read",
    )
}
