//! Pretty text with its comments.
//!
//! The text between two tokens, the gap, is collected until the second token arrives, and is then laid out: comments after a
//! token on its line stay there, comments on their own lines stay on their own lines, and consecutive blank lines become one.
//! Commas are written right after the value, before its comments.
//!
//! ```text
//! source   [1 /* one */ , // first⏎⏎⏎ // then⏎ 2,]
//! gaps       ^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^  ^
//! written  [⏎  1, /* one */ // first⏎⏎  // then⏎  2,⏎]
//! ```

mod fit;
mod gap;
#[cfg(test)]
mod tests;

use self::fit::FitQueue;
pub(crate) use self::gap::CommentGap;
use super::buffer::OutputBuffer;
use super::escape::{Escapes, Escaping};
use super::{CLASSES, Class, Indent, Output};
use crate::token::{Chunk, Interest, Mode, Sink};

/// The treatment of a comma after the last value of an array or object.
///
/// ```
/// assert_eq!(jsonx_core::format::TrailingCommas::default(), jsonx_core::format::TrailingCommas::Keep);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrailingCommas {
    /// Existing commas are kept.
    #[default]
    Keep,
    /// It is omitted.
    None,
    /// Every array and object that is not empty gets one.
    All,
}

/// A [`Sink`] that formats a text with its comments, one value per line.
///
/// Needs memory for the comments between two tokens, one line, and 128 KiB of output. It is about five times slower than
/// [`Formatter`](crate::format::Formatter).
#[derive(Debug)]
pub(crate) struct CommentFormatter<O> {
    indent: Indent,
    trailing_commas: TrailingCommas,
    output: O,
    buffer: OutputBuffer,
    depth: usize,
    /// The class of the last token, ignoring commas.
    before: Class,
    /// The text since the last token.
    source: Vec<u8>,
    gap: CommentGap,
    /// Set if characters are escaped.
    escaping: Option<Escaping<Vec<u8>>>,
    /// Set if containers that fit are on one line.
    queue: Option<FitQueue>,
    /// The current column, for the queue.
    column: u64,
}

impl<O: Output> CommentFormatter<O> {
    pub(crate) fn new(
        indent: Indent,
        trailing_commas: TrailingCommas,
        width: Option<u16>,
        escapes: Escapes,
        output: O,
    ) -> Self {
        CommentFormatter {
            indent,
            trailing_commas,
            output,
            buffer: OutputBuffer::default(),
            depth: 0,
            before: Class::Start,
            source: Vec::new(),
            gap: CommentGap::default(),
            escaping: (escapes != Escapes::default()).then(|| Escaping::new(escapes, Vec::new())),
            queue: width.map(|width| FitQueue::new(width, trailing_commas)),
            column: 0,
        }
    }

    pub(crate) fn output(&mut self) -> &mut O {
        &mut self.output
    }

    pub(crate) fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        if self.queue.is_some() {
            let line = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
            self.column = crate::format::code_points(&bytes[line..])
                + if line == 0 { self.column } else { 0 };
        }
        self.buffer.append(bytes, &mut self.output)
    }

    /// Ends the line, adds a blank one for two line ends or more, and indents the next.
    fn next_line(&mut self, lines: usize, depth: usize) -> Result<(), O::Error> {
        self.put(if lines > 1 { b"\n\n" } else { b"\n" })?;
        let (fill, step) = self.indent.bytes();
        let mut left = depth * step;
        while left > 0 {
            let spaces = [fill; 64];
            let some = left.min(spaces.len());
            self.put(&spaces[..some])?;
            left -= some;
        }
        Ok(())
    }

    /// Writes a comment, with line feeds for line ends.
    fn comment(&mut self, text: &[u8]) -> Result<(), O::Error> {
        let mut rest = text;
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            self.put(&rest[..end])?;
            self.put(b"\n")?;
            let length = if rest[end..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            rest = &rest[end + length..];
        }
        self.put(rest)
    }

    /// Takes the gap before a token of this class; `None` for a comma, which is part of a gap.
    fn take_gap(&mut self, next: Class) -> Option<CommentGap> {
        self.gap.read(&self.source);
        self.source.clear();
        if next == Class::Comma {
            self.gap.end_value();
            return None;
        }
        Some(std::mem::take(&mut self.gap))
    }

    /// Writes the gap before a token of this class; [`Class::Start`] stands for the end of the text.
    fn before(&mut self, gap: &CommentGap, next: Class) -> Result<(), O::Error> {
        let before = std::mem::replace(&mut self.before, next);
        if next == Class::Colon || before == Class::Colon {
            return self.around_colon(gap, next);
        }
        let was_empty = before == Class::Open && next == Class::Close;
        let comma = match (next, self.trailing_commas) {
            (Class::Close, TrailingCommas::All) => !was_empty,
            (Class::Close, TrailingCommas::None) => false,
            _ => gap.comma.is_some(),
        };
        if comma {
            self.put(b",")?;
        }
        let mut following = gap.following(next);
        if was_empty && gap.lines == 0 && following == gap.comments.len() {
            following = 0;
        }
        if before == Class::Start {
            following = 0;
        }
        let mut is_first = before == Class::Start;
        for (number, comment) in gap.comments.iter().enumerate() {
            let lines = if number == 0 && before == Class::Open {
                comment.lines.min(1)
            } else {
                comment.lines
            };
            let after_line = number > 0 && gap.comments[number - 1].is_line();
            if std::mem::take(&mut is_first) {
                // The text begins with the comment.
            } else if number < following
                || number > 0 && lines == 0 && !after_line && number != following
            {
                self.put(b" ")?;
            } else {
                self.next_line(lines, self.depth)?;
            }
            self.comment(&comment.text)?;
        }
        if next == Class::Start {
            return self.put(b"\n");
        }
        self.depth -= usize::from(next == Class::Close);
        let last = gap.comments.last();
        let on_its_line = last.is_some_and(|last| {
            gap.lines == 0 && !last.is_line() && gap.comments.len() > following
        });
        match (before, next) {
            (Class::Start, _) if last.is_none() => {}
            (Class::Open, Class::Close) if last.is_none() => {}
            (_, Class::Close) => self.next_line(1, self.depth)?,
            _ if on_its_line => self.put(b" ")?,
            (Class::Open, _) if last.is_none() => self.next_line(1, self.depth)?,
            _ => self.next_line(gap.lines, self.depth)?,
        }
        Ok(())
    }

    /// Writes the gaps around a colon.
    fn around_colon(&mut self, gap: &CommentGap, next: Class) -> Result<(), O::Error> {
        let mut must_break = false;
        for comment in &gap.comments {
            if must_break || comment.lines > 0 {
                self.next_line(1, self.depth)?
            } else {
                self.put(b" ")?
            }
            self.comment(&comment.text)?;
            must_break = comment.is_line();
        }
        match gap.comments.is_empty() {
            false if must_break || gap.lines > 0 => self.next_line(1, self.depth),
            true if next == Class::Colon => Ok(()),
            false if next == Class::Colon => Ok(()),
            _ => self.put(b" "),
        }
    }

    /// Handles the start of a token.
    fn token(&mut self, class: Class, raw: &[u8]) -> Result<(), O::Error> {
        let Some(gap) = self.take_gap(class) else {
            return Ok(());
        };
        let escaped = self.escape(raw)?;
        let raw = escaped.as_deref().unwrap_or(raw);
        if let Some(queue) = &mut self.queue {
            queue.push(class, gap, raw);
            return self.settle(false);
        }
        self.write(&gap, class, raw)
    }

    /// Handles the continuation of a token.
    fn rest(&mut self, raw: &[u8]) -> Result<(), O::Error> {
        if raw.is_empty() {
            return Ok(());
        }
        let escaped = self.escape(raw)?;
        let raw = escaped.as_deref().unwrap_or(raw);
        if self.queue.as_mut().is_some_and(|queue| queue.extend(raw)) {
            return self.settle(false);
        }
        self.put(raw)
    }

    /// The bytes of a token after escaping; `None` if unchanged.
    fn escape(&mut self, raw: &[u8]) -> Result<Option<Vec<u8>>, O::Error> {
        let Some(escaping) = &mut self.escaping else {
            return Ok(None);
        };
        let Ok(()) = escaping.write(raw);
        Ok(Some(std::mem::take(escaping.output())))
    }

    /// Writes a token and the gap before it.
    fn write(&mut self, gap: &CommentGap, class: Class, raw: &[u8]) -> Result<(), O::Error> {
        self.before(gap, class)?;
        self.depth += usize::from(class == Class::Open);
        self.put(raw)
    }
}

impl<O: Output> Sink for CommentFormatter<O> {
    type Error = O::Error;
    type Output = O;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            source: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let source = chunk.source_or_bytes();
        let rest = chunk.before_first();
        self.rest(rest)?;
        let mut end = rest.len();
        for (index, (kind, raw)) in chunk.tokens().enumerate() {
            let start = chunk.offsets[index] as usize;
            self.source.extend_from_slice(&source[end..start]);
            self.token(CLASSES[usize::from(kind)], raw)?;
            end = start + raw.len();
        }
        self.source.extend_from_slice(&source[end..]);
        Ok(())
    }

    fn finish(mut self) -> Result<O, O::Error> {
        if self.queue.is_some() {
            self.settle(true)?;
        }
        let gap = self.take_gap(Class::Start).unwrap_or_default();
        self.before(&gap, Class::Start)?;
        self.flush()?;
        Ok(self.output)
    }
}
