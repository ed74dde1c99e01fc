//! `--width`: puts a container on one line if that line fits a given width.
//!
//! This takes a single pass, with the queue of Oppen ("Prettyprinting", ACM TOPLAS 2, 1980). Text after an opening bracket is
//! buffered until the container closes, and fits, or until the buffered text is wider than the rest of the line, and does not
//! fit. In the second case, the bracket is written with a line feed, and the same applies to the next bracket. The widths of
//! inner containers are stored, so no text is scanned twice. At most one line and one chunk are buffered.
//!
//! ```text
//! width 20    {"a":[1,2,3],"b":[1,{"c":"long enough"}]}
//! queue       {                                           waits for 20 columns
//!             {"a": [1, 2, 3], "b"                        too wide: { is written, its members are lines
//!              "a": [1, 2, 3],                            closed and narrow: written
//!                               "b": [1, {"c": "lo        too wide: [ is written
//! ```

use std::collections::VecDeque;

use super::buffer::OutputBuffer;
use super::{CLASSES, Class, Indent, Output, Separated};
use crate::token::{Chunk, Interest, Mode, Sink};

/// Writes text in the pretty style, with containers that fit on one line. Columns are code points.
#[derive(Debug)]
pub(crate) struct Fitted<O> {
    output: O,
    buffer: OutputBuffer,
    separated: Separated,
    fill: u8,
    step: usize,
    width: u64,
    /// A line feed and the longest indentation so far.
    line: Vec<u8>,
    /// Separated text that has not been written.
    held: Vec<u8>,
    /// The structural bytes and line feeds of `held`.
    queue: VecDeque<Entry>,
    /// The number of entries that have left the queue, which is the number of its first entry.
    popped: u64,
    /// The numbers of the queued entries whose containers are open.
    open: VecDeque<u64>,
    /// Columns of all text so far on a single line.
    total: u64,
    /// The number of open containers that were written with a line feed.
    depth: usize,
    /// The column at which the current line began, and `total` there.
    line_column: u64,
    line_total: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its index in `held`.
    at: usize,
    /// Columns before it.
    total: u64,
    /// For an opening bracket, the number of the entry that closes it, once known.
    closer: Option<u64>,
}

/// The layout of the container at the front of the queue.
enum Fit {
    /// One line, up to the entry at this index of the queue.
    OneLine(usize),
    TooWide,
    /// Undecided without more text.
    Undecided,
}

impl<O: Output> Fitted<O> {
    pub(crate) fn new(indent: Indent, width: u16, output: O) -> Self {
        let (fill, step) = indent.bytes();
        Fitted {
            output,
            buffer: OutputBuffer::default(),
            separated: Separated::default(),
            fill,
            step,
            width: u64::from(width),
            line: vec![b'\n'],
            held: Vec::new(),
            queue: VecDeque::new(),
            popped: 0,
            open: VecDeque::new(),
            total: 0,
            depth: 0,
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
        if self.separated.end_line() {
            self.settle(true)?;
            self.buffer.append(b"\n", &mut self.output)?;
            self.line_column = 0;
            self.line_total = self.total;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<O, O::Error> {
        self.end_line()?;
        self.flush()?;
        Ok(self.output)
    }

    /// Appends separated text to the queue and counts its columns.
    fn hold(&mut self, bytes: &[u8], structurals: &[u32]) {
        let base = self.held.len();
        self.held.extend_from_slice(bytes);
        let ascii = bytes.is_ascii();
        let columns = |run: &[u8]| match ascii {
            true => run.len() as u64,
            false => code_points(run),
        };
        let mut run = 0;
        for &at in structurals {
            let at = at as usize;
            self.total += columns(&bytes[run..at]);
            let number = self.popped + self.queue.len() as u64;
            self.queue.push_back(Entry {
                at: base + at,
                total: self.total,
                closer: None,
            });
            match CLASSES[bytes[at] as usize] {
                Class::Open => {
                    self.open.push_back(number);
                    self.total += 1;
                }
                Class::Close => {
                    // The opener of a container that was written with a line feed has left the queue.
                    if let Some(opener) = self.open.pop_back() {
                        self.queue[(opener - self.popped) as usize].closer = Some(number);
                    }
                    self.total += 1;
                }
                // The byte and the space after it.
                Class::Comma | Class::Colon => self.total += 2,
                Class::Value | Class::Start => {}
            }
            run = at + 1;
        }
        self.total += columns(&bytes[run..]);
    }

    /// Writes the text whose layout is decided.
    fn settle(&mut self, ended: bool) -> Result<(), O::Error> {
        let mut written = 0;
        let mut undecided = false;
        while let Some(&entry) = self.queue.front() {
            let class = CLASSES[self.held[entry.at] as usize];
            match class {
                Class::Open => match self.fit(entry, ended) {
                    Fit::Undecided => {
                        undecided = true;
                        break;
                    }
                    Fit::OneLine(closer) => {
                        self.one_line(closer, &mut written)?;
                        continue;
                    }
                    Fit::TooWide => {
                        self.write_to(entry.at + 1, &mut written)?;
                        if entry.closer.is_none() {
                            self.open.pop_front();
                        }
                        self.depth += 1;
                        self.new_line(entry.total + 1)?;
                    }
                },
                Class::Close => {
                    self.write_to(entry.at, &mut written)?;
                    self.depth -= 1;
                    self.new_line(entry.total)?;
                    self.write_to(entry.at + 1, &mut written)?;
                }
                Class::Comma => {
                    self.write_to(entry.at + 1, &mut written)?;
                    self.new_line(entry.total + 2)?;
                }
                Class::Colon => {
                    self.write_to(entry.at + 1, &mut written)?;
                    self.buffer.append(b" ", &mut self.output)?;
                }
                // A line feed between values at the root.
                Class::Value | Class::Start => {
                    self.write_to(entry.at + 1, &mut written)?;
                    self.line_column = 0;
                    self.line_total = entry.total;
                }
            }
            self.pop(1);
        }
        if !undecided {
            self.write_to(self.held.len(), &mut written)?;
        }
        self.held.drain(..written);
        for entry in &mut self.queue {
            entry.at -= written;
        }
        Ok(())
    }

    /// Whether the container that the first entry opens fits on the line.
    fn fit(&self, entry: Entry, ended: bool) -> Fit {
        let column = self.line_column + (entry.total - self.line_total);
        let Some(number) = entry.closer else {
            // At least the closing bracket is still to come.
            let least = column + (self.total - entry.total) + 1;
            // An empty container is never broken, so the next byte must be known.
            return match least > self.width && self.held.len() > entry.at + 1 {
                true => Fit::TooWide,
                false => Fit::Undecided,
            };
        };
        let closer = (number - self.popped) as usize;
        let end = self.queue[closer];
        if end.at == entry.at + 1 {
            return Fit::OneLine(closer);
        }
        let width = column + (end.total + 1 - entry.total);
        // A comma after the container is on the same line.
        let comma = match self.queue.get(closer + 1) {
            Some(next) => u64::from(self.held[next.at] == b','),
            None if ended || self.depth == 0 => 0,
            None if width == self.width => return Fit::Undecided,
            None => 0,
        };
        match width + comma > self.width {
            true => Fit::TooWide,
            false => Fit::OneLine(closer),
        }
    }

    /// Writes the container at the front of the queue on one line.
    fn one_line(&mut self, closer: usize, written: &mut usize) -> Result<(), O::Error> {
        for index in 0..=closer {
            let at = self.queue[index].at;
            self.write_to(at + 1, written)?;
            if matches!(self.held[at], b',' | b':') {
                self.buffer.append(b" ", &mut self.output)?;
            }
        }
        self.pop(closer + 1);
        Ok(())
    }

    /// Writes the held text from `written` to `to`.
    fn write_to(&mut self, to: usize, written: &mut usize) -> Result<(), O::Error> {
        self.buffer
            .append(&self.held[*written..to], &mut self.output)?;
        *written = to;
        Ok(())
    }

    /// Begins a line at the point where the text is `total` columns wide.
    fn new_line(&mut self, total: u64) -> Result<(), O::Error> {
        let indentation = self.depth * self.step;
        self.line_column = indentation as u64;
        self.line_total = total;
        if self.line.len() < 1 + indentation {
            self.line.resize(1 + indentation, self.fill);
        }
        self.buffer
            .append(&self.line[..=indentation], &mut self.output)
    }

    /// Removes the first entries of the queue.
    fn pop(&mut self, count: usize) {
        self.queue.drain(..count);
        self.popped += count as u64;
    }
}

impl<O: Output> Sink for Fitted<O> {
    type Error = O::Error;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        Interest {
            minified: true,
            structurals: true,
            offsets: mode == Mode::Stream,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        if !self.separated.has_begun() {
            self.depth = chunk.before.depth as usize;
        }
        let mut separated = std::mem::take(&mut self.separated);
        let (bytes, structurals) = separated.chunk(chunk);
        self.hold(bytes, structurals);
        self.separated = separated;
        self.settle(false)
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

/// The number of code points that begin in `text`.
pub(super) fn code_points(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64
}
