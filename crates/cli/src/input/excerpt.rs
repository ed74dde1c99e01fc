//! The text around one byte, for the source line of a message.

use std::io;

use jsonx_core::position::{LineCounter, Position as LineAndColumn, line_range};
use jsonx_diagnose::json5::Translation;

use super::read::{Reader, TAIL};
use super::{BYTE_ORDER_MARK, Consumed, Input, Window, in_source};
use crate::report::Position;

/// A position in the input and the text of its line that is in the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Bytes of the line, including its line break if that is near.
    pub text: Vec<u8>,
    /// The index of the position in `text`.
    pub at: usize,
    /// The position of the first byte of `text`.
    pub base: Position,
    /// Whether the line may continue after `text`.
    pub cut: bool,
    line: u64,
    column: u64,
}

/// A range of the input that contains the position.
struct LineContext<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether the range begins at the start of the input.
    from_start: bool,
    /// Whether the range ends at the end of the input.
    to_end: bool,
}

impl Excerpt {
    fn new(position: LineAndColumn, offset: u64, part: &LineContext<'_>) -> Excerpt {
        let LineContext { text, at, .. } = *part;
        let line = line_range(text, at);
        let mut start = line.start.max(at.saturating_sub(TAIL));
        if start > line.start || !part.from_start && start == 0 {
            // Avoids the middle of a character.
            let inside = |byte: &&u8| (0x80..0xC0).contains(*byte);
            start += text[start..at].iter().take(3).take_while(inside).count();
        }
        let mut end = line.end.min(at + TAIL).max(at);
        if end == line.end.max(at) {
            let rest = &text[end..];
            end += match rest {
                [b'\r', b'\n', ..] => 2,
                [b'\r' | b'\n', ..] => 1,
                _ => 0,
            };
        }
        // A space before the text prevents its start from being counted as a byte-order mark.
        let mut before = LineCounter::new();
        before.feed(b" ");
        before.feed(&text[start..at]);
        let width = before.position(&text[at..]);
        let base = Position {
            offset: offset - (at - start) as u64,
            line: position.line,
            column: (position.column + 2).saturating_sub(width.column).max(1),
            column_utf16: (position.column_utf16 + 2)
                .saturating_sub(width.column_utf16)
                .max(1),
        };
        Excerpt {
            text: text[start..end].to_vec(),
            at: at - start,
            base,
            cut: end < line.end || end == text.len() && !part.to_end,
            line: position.line,
            column: position.column,
        }
    }

    /// Line and column of the position.
    pub fn position(&self) -> (u64, u64) {
        (self.line, self.column)
    }

    /// Excerpt of a file: lines are counted now, on demand.
    pub(super) fn of_file(input: &mut Input, offset: u64) -> io::Result<Excerpt> {
        let content = input.text_start();
        // One more byte on each side distinguishes a line end from a cut.
        let start = offset.saturating_sub(TAIL as u64 + 1).max(content);
        let end = offset.saturating_add(TAIL as u64 + 1);
        let text = input.span(start, end)?;
        let at = ((offset - start) as usize).min(text.len());
        let to_end = (text.len() as u64) < end - start;
        let mut lines = LineCounter::new();
        input.each_window_of(content, offset, |window| -> io::Result<Consumed> {
            lines.feed_verified(window.bytes());
            Ok(window.bytes().len().into())
        })?;
        Ok(Excerpt::new(
            lines.position(&text[at..]),
            offset,
            &LineContext {
                text: &text,
                at,
                from_start: start == content,
                to_end,
            },
        ))
    }

    /// Excerpt of a text in JSON5, at an offset of its translation.
    pub(super) fn of_json5(translation: &Translation, offset: u64) -> Excerpt {
        let source = translation.source();
        let text = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
        let offset = in_source(translation, offset);
        let at = offset.saturating_sub(source.len() - text.len());
        let mut lines = LineCounter::new();
        lines.feed(&text[..at]);
        let part = LineContext {
            text,
            at,
            from_start: true,
            to_end: true,
        };
        Excerpt::new(lines.position(&text[at..]), offset as u64, &part)
    }

    /// Excerpt of a stream that is being read.
    pub(super) fn of_window(window: &Window<'_>, offset: u64) -> Option<Excerpt> {
        let place = (offset, window.buffered_offset);
        Excerpt::of_buffer(window.buffered, window.lines, place, (false, window.last))
    }

    /// Excerpt of the buffer of a stream; `None` if the position is not in it.
    pub(super) fn of_stream(reader: &Reader, marked: bool, offset: u64) -> Option<Excerpt> {
        let (text, start, lines) = reader.buffered();
        let content = if marked { BYTE_ORDER_MARK.len() } else { 0 };
        let is_start = start == content as u64;
        Excerpt::of_buffer(text, lines, (offset, start), (is_start, reader.has_ended()))
    }

    /// Excerpt of a buffer that begins at an offset, with the lines before it, and whether it is the start and the end of the
    /// input.
    fn of_buffer(
        text: &[u8],
        lines: Option<&LineCounter>,
        (offset, start): (u64, u64),
        (from_start, to_end): (bool, bool),
    ) -> Option<Excerpt> {
        let at = usize::try_from(offset.checked_sub(start)?).ok()?;
        let mut lines = lines?.clone();
        lines.feed(text.get(..at)?);
        let part = LineContext {
            text,
            at,
            from_start,
            to_end,
        };
        Some(Excerpt::new(lines.position(&text[at..]), offset, &part))
    }
}
