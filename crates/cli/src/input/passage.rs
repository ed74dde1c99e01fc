//! The text that several findings of an input refer to.

use std::io;

use super::budget::{self, Share};
use super::excerpt::Excerpt;
use super::prefix::LIMIT;
use super::{Input, Source, Window};
use crate::report::Position;

/// A range of the text of an input.
#[derive(Debug)]
pub struct RetainedText {
    /// Its bytes.
    pub text: Vec<u8>,
    /// Position of the first byte.
    pub base: Position,
    /// Whether the input continues after them.
    pub cut: bool,
    /// Its share of the memory budget.
    _share: Option<Share>,
}

/// Number of bytes kept after the end of a passage: the rest of a line to show, and more than a chunk of the engine.
const AFTER: u64 = 16 << 10;

impl Input {
    /// The text from the start of the input, or from shortly before `start` if that would exceed `limit` bytes, to shortly
    /// after `end`. For a stream it is the retained text: all of a short stream, otherwise the text after the first finding.
    /// The input must have been read.
    ///
    /// # Errors
    /// Errors of reading a file again.
    pub fn passage(&mut self, start: u64, end: u64, limit: u64) -> io::Result<RetainedText> {
        if let Source::Stream(_, prefix) = &self.source {
            let prefix = RetainedText {
                text: prefix.bytes().to_vec(),
                base: Position::START,
                cut: prefix.is_cut(),
                _share: None,
            };
            let retained = self.retained.part.take();
            return Ok(retained.unwrap_or(prefix));
        }
        let length = self.length();
        let upto = end.saturating_add(AFTER);
        let (base, mut text) = if end <= limit {
            (Position::START, self.byte_order_mark().to_vec())
        } else {
            (self.excerpt(start)?.base, Vec::new())
        };
        let from = base.offset + text.len() as u64;
        let upto = upto.min(base.offset.saturating_add(limit).saturating_add(AFTER));
        let share = budget::share(upto.min(length).saturating_sub(base.offset));
        text.append(&mut self.span(from, upto)?);
        Ok(RetainedText {
            cut: upto < length,
            text,
            base,
            _share: Some(share),
        })
    }
}

/// The text of a long stream that is retained while it is read.
#[derive(Debug, Default)]
pub(super) struct Retained {
    part: Option<RetainedText>,
}

impl Retained {
    /// Retains the text from this offset on, unless an earlier offset was set.
    pub(super) fn begin(&mut self, window: &Window<'_>, offset: u64) {
        if self.part.is_some() {
            return;
        }
        let first = offset.max(window.buffered_offset);
        self.part = Excerpt::of_window(window, first).map(|excerpt| RetainedText {
            text: Vec::new(),
            base: excerpt.base,
            cut: false,
            _share: None,
        });
    }

    /// Retains the new bytes of a window.
    pub(super) fn push(&mut self, window: &Window<'_>) {
        let Some(part) = self.part.as_mut().filter(|part| !part.cut) else {
            return;
        };
        let known = part.base.offset + part.text.len() as u64;
        let new = window.buffered(known, window.end()).unwrap_or_default();
        let room = LIMIT - part.text.len();
        part.cut = new.len() > room;
        part.text.extend_from_slice(&new[..new.len().min(room)]);
    }
}
