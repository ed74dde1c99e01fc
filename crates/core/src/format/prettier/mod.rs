//! The layout of Prettier 3: an object stays expanded if there was a line break before its first key, other containers are on
//! one line if they fit; arrays of numbers fill lines; blank lines stay, at most one.
//!
//! ```text
//! tokens ──► gap: blank lines, line breaks, comments ──► queue ──► settle ──► output
//!            mod.rs, comments.rs                         queue.rs  settle.rs
//! ```
//!
//! It was written from documentation and from experiments with the program; `tests/data/prettier.jsonl` has their
//! results.

mod comments;
mod number;
mod queue;
mod settle;
mod style;
mod width;
mod widths;

use self::comments::Commented;
use self::queue::Queue;
pub use self::style::PrettierStyle;
use super::buffer::OutputBuffer;
use super::escape::{Escapes, Escaping};
use super::{CLASSES, Class, Indent, Output};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A scalar of this length is wider than any line, and is not held.
const LONG: usize = 64 << 10;

/// Writes text in the layout of Prettier.
#[derive(Debug)]
pub(crate) struct Prettier<O> {
    output: O,
    buffer: OutputBuffer,
    style: PrettierStyle,
    width: u64,
    indent: Indent,
    /// Columns of a level.
    step_columns: usize,
    escaping: Option<Escaping<Vec<u8>>>,
    queue: Queue,
    /// The class of the last token.
    before: Class,
    /// White space since the last token, of earlier chunks.
    gap: Vec<u8>,
    /// Line ends before the last comma, at most 2.
    lines_before_comma: u8,
    /// The state of a text with comments.
    comments: Commented,
    /// How many open containers were written with a line feed, and comments that indent.
    depth: usize,
    /// The elements of the innermost written array fill lines.
    fills: bool,
    /// Whether the text up to the first line break in the current element of such an array fits, if one is forced.
    fits: Option<bool>,
    /// A line feed and as much indentation as has been needed so far.
    line: Vec<u8>,
    /// The column at which the current line began, and the total of the queue there.
    line_column: u64,
    line_total: u64,
}

impl<O: Output> Prettier<O> {
    pub(crate) fn new(
        style: PrettierStyle,
        indent: Indent,
        width: u16,
        escapes: Escapes,
        output: O,
    ) -> Self {
        Prettier {
            output,
            buffer: OutputBuffer::default(),
            style,
            width: u64::from(width),
            indent,
            step_columns: match indent {
                Indent::Tab => usize::from(style.tab_width),
                Indent::Spaces(spaces) => usize::from(spaces),
            },
            escaping: (escapes != Escapes::default()).then(|| Escaping::new(escapes, Vec::new())),
            queue: Queue::default(),
            before: Class::Start,
            gap: Vec::new(),
            lines_before_comma: 0,
            comments: Commented::default(),
            depth: 0,
            fills: false,
            fits: None,
            line: vec![b'\n'],
            line_column: 0,
            line_total: 0,
        }
    }

    pub(crate) fn output(&mut self) -> &mut O {
        &mut self.output
    }

    pub(crate) fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    /// Ends the line of a complete value at the root, for a reader that waits for the line.
    pub(crate) fn end_line(&mut self) -> Result<(), O::Error> {
        self.end_commented();
        self.queue.end_scalar();
        if self.before != Class::Start {
            self.settle(true)?;
            self.put(b"\n")?;
            self.line_column = 0;
            self.line_total = self.queue.total;
            self.before = Class::Start;
            self.gap.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<O, O::Error> {
        self.end_line()?;
        self.flush()?;
        Ok(self.output)
    }

    /// Takes the beginning of a token and the white space before it.
    #[inline]
    fn token(&mut self, gap: &[u8], class: Class, raw: &[u8]) {
        self.queue.end_scalar();
        let before = std::mem::replace(&mut self.before, class);
        match class {
            Class::Comma => {
                self.lines_before_comma = match gap {
                    [] => 0,
                    gap => lines(gap),
                };
                return;
            }
            Class::Colon => {
                self.queue.text(b": ");
                return;
            }
            _ => {}
        }
        match (before, class) {
            (Class::Open, Class::Close) => {}
            (Class::Open, _) => self.first(!gap.is_empty() && lines(gap) > 0),
            (Class::Comma, Class::Close) | (Class::Value | Class::Close, Class::Close) => {
                self.last();
            }
            (Class::Comma, _) => {
                let blank = self.is_blank(self.lines_before_comma, gap);
                self.queue.text(b",");
                self.separate(blank);
            }
            (Class::Value | Class::Close, _) => self.queue.root(),
            _ => {}
        }
        self.value(before, class, raw);
    }

    /// Appends an opening or closing bracket, a key or a scalar.
    #[inline]
    fn value(&mut self, before: Class, class: Class, raw: &[u8]) {
        if before != Class::Colon && class != Class::Close {
            self.queue.element(raw.first().copied().unwrap_or_default());
        }
        match class {
            Class::Close => {
                self.queue.close();
                self.queue.text(raw);
            }
            Class::Open => {
                self.queue.text(raw);
                self.queue.open(raw == b"{");
            }
            _ => self.queue.begin_scalar(raw),
        }
    }

    /// The first element or member follows, after a line break if `breaks`.
    fn first(&mut self, breaks: bool) {
        let is_object = self.queue.in_object() == Some(true);
        let flat = u8::from(is_object && self.style.bracket_spacing);
        self.queue
            .first(flat, breaks && is_object && !self.style.collapse);
    }

    /// The last element or member precedes.
    fn last(&mut self) {
        if self.style.trailing_commas {
            self.queue.trailing_comma();
        }
    }

    /// A comma was appended, and another element or member follows.
    fn separate(&mut self, blank: bool) {
        if blank {
            self.queue.note_blank();
        }
        self.queue.line(blank, 1);
    }

    /// Whether a blank line follows an element or member: in an object right after the value, or else after the comma.
    fn is_blank(&self, lines_before: u8, after: &[u8]) -> bool {
        let is_object = self.queue.in_object() == Some(true);
        match is_object && lines_before > 0 {
            true => lines_before > 1,
            false => after.len() > 1 && lines(after) > 1,
        }
    }

    /// Takes more of a token.
    fn rest(&mut self, raw: &[u8]) -> Result<(), O::Error> {
        if raw.is_empty() {
            return Ok(());
        }
        let escaped = self.escape(raw);
        let raw = escaped.as_deref().unwrap_or(raw);
        if !self.comments.rest(raw) {
            self.queue.held.extend_from_slice(raw);
        }
        Ok(())
    }

    /// The bytes of a token, with escapes if some are to be made.
    fn escape(&mut self, raw: &[u8]) -> Option<Vec<u8>> {
        let escaping = self.escaping.as_mut()?;
        let Ok(()) = escaping.write(raw);
        Some(std::mem::take(escaping.output()))
    }
}

impl<O: Output> Sink for Prettier<O> {
    type Error = O::Error;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            source: self.style.comments,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let mut offsets = Vec::new();
        let chunk = chunk.with_offsets(&mut offsets);
        let source = match chunk.streams.source {
            true => chunk.source,
            false => chunk.bytes,
        };
        let rest = chunk.before_first();
        self.rest(rest)?;
        let mut end = rest.len();
        for (&kind, (index, &start)) in chunk.kinds.iter().zip(chunk.offsets.iter().enumerate()) {
            let start = start as usize;
            let class = CLASSES[usize::from(kind)];
            let raw = match class {
                Class::Value => chunk.raw(index),
                _ => &chunk.bytes[start..=start],
            };
            let escaped = self.escape(raw);
            let raw = escaped.as_deref().unwrap_or(raw);
            let between = &source[end..start];
            end = start + chunk_length(class, escaped.is_some(), raw, &chunk, index);
            if self.gap.is_empty() {
                self.take(between, class, raw);
            } else {
                let mut gap = std::mem::take(&mut self.gap);
                gap.extend_from_slice(between);
                self.take(&gap, class, raw);
                gap.clear();
                self.gap = gap;
            }
        }
        self.gap.extend_from_slice(&source[end..]);
        self.settle(false)?;
        self.pass_long()
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

/// The length of a token in its chunk.
fn chunk_length(
    class: Class,
    is_escaped: bool,
    raw: &[u8],
    chunk: &Chunk<'_>,
    index: usize,
) -> usize {
    match class == Class::Value && is_escaped {
        true => chunk.raw(index).len(),
        false => raw.len(),
    }
}

impl<O: Output> Prettier<O> {
    #[inline]
    fn take(&mut self, gap: &[u8], class: Class, raw: &[u8]) {
        match self.style.comments {
            true => self.commented(gap, class, raw),
            false => self.token(gap, class, raw),
        }
    }

    /// Writes the beginning of a scalar that is too long for any line.
    fn pass_long(&mut self) -> Result<(), O::Error> {
        let Some(start) = self.queue.scalar else {
            return Ok(());
        };
        let long = &self.queue.held[start..];
        if long.len() <= LONG || self.queue.is_number() {
            return Ok(());
        }
        self.queue.total += width::columns(long);
        self.queue.scalar = Some(self.queue.held.len());
        self.settle(false)
    }
}

/// Line ends in white space; no more than 2 are counted.
#[inline]
fn lines(gap: &[u8]) -> u8 {
    let mut lines = 0;
    for (at, &byte) in gap.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && gap.get(at + 1) != Some(&b'\n')) {
            lines += 1;
            if lines == 2 {
                break;
            }
        }
    }
    lines
}
