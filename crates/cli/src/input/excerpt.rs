//! The text around one byte, for the source line of a message.

use std::io;

use jsonx_core::position::{LineCounter, Position, line_range};

use super::read::{Reader, TAIL};
use super::{BYTE_ORDER_MARK, Input, Taken};

/// A place in the input and the part of its line that is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Line, from 1.
    pub line: u64,
    /// Column in code points, from 1.
    pub column: u64,
    /// Bytes of the line before the place.
    pub before: Vec<u8>,
    /// Bytes of the line from the place on, without the line end.
    pub after: Vec<u8>,
    /// The line begins before [`Excerpt::before`].
    pub cut_before: bool,
    /// The line goes on behind [`Excerpt::after`], as far as one knows.
    pub cut_after: bool,
}

/// A part of the input that holds the place.
struct Part<'a> {
    text: &'a [u8],
    at: usize,
    /// The input begins where the part does.
    from_start: bool,
    /// The input ends where the part does.
    to_end: bool,
}

impl Excerpt {
    fn new(position: Position, part: &Part<'_>) -> Excerpt {
        let Part { text, at, .. } = *part;
        let line = line_range(text, at);
        let (start, end) = (
            line.start.max(at.saturating_sub(TAIL)),
            line.end.min(at + TAIL).max(at),
        );
        Excerpt {
            line: position.line,
            column: position.column,
            before: text[start..at].to_vec(),
            after: text[at..end].to_vec(),
            cut_before: start > line.start || start == 0 && !part.from_start,
            cut_after: end < line.end || end == text.len() && !part.to_end,
        }
    }

    /// Of a file: lines are counted only now, when somebody wants to know.
    pub(super) fn of_file(input: &mut Input, offset: u64) -> io::Result<Excerpt> {
        let content = if input.has_byte_order_mark {
            BYTE_ORDER_MARK.len() as u64
        } else {
            0
        };
        let mut counter = LineCounter::new();
        input.each_window_of(content, offset, |window| -> io::Result<Taken> {
            counter.feed(window.bytes());
            Ok(window.bytes().len().into())
        })?;
        // One byte more on each side tells a line end from a cut.
        let start = offset.saturating_sub(TAIL as u64 + 1).max(content);
        let end = offset.saturating_add(TAIL as u64 + 1);
        let text = input.span(start, end)?;
        let at = ((offset - start) as usize).min(text.len());
        let to_end = (text.len() as u64) < end - start;
        Ok(Excerpt::new(
            counter.position(&text[at..]),
            &Part {
                text: &text,
                at,
                from_start: start == content,
                to_end,
            },
        ))
    }

    /// Of a stream: what is still in its buffer; `None` if the place is not.
    pub(super) fn of_stream(reader: &Reader, marked: bool, offset: u64) -> Option<Excerpt> {
        let (text, held_offset, counter) = reader.held();
        let at = usize::try_from(offset.checked_sub(held_offset)?).ok()?;
        let mut counter = counter?.clone();
        counter.feed(text.get(..at)?);
        let content = if marked {
            BYTE_ORDER_MARK.len() as u64
        } else {
            0
        };
        let part = Part {
            text,
            at,
            from_start: held_offset == content,
            to_end: reader.has_ended(),
        };
        Some(Excerpt::new(counter.position(&text[at..]), &part))
    }
}
