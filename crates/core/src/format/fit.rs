//! One line where it fits: a container is laid out on a single line when that is no longer than a given width.
//!
//! Decided in a single pass, with the queue of Oppen ("Prettyprinting", ACM TOPLAS 2, 1980): what follows an opening
//! bracket is held back until the container has closed, and fits, or what is held is wider than the rest of the line,
//! and does not. Then the bracket is written with a line feed after it, and the next one waits in the same way; what
//! is known of containers inside it stays known, so that nothing is looked at twice. Never more is held than a line
//! can take and one chunk.
//!
//! ```text
//! width 20    {"a":[1,2,3],"b":[1,{"c":"long enough"}]}
//! queue       {                                           waits: 20 columns have not been seen
//!             {"a": [1, 2, 3], "b"                        too wide: { is written, its members are lines
//!              "a": [1, 2, 3],                            closed and narrow: written
//!                               "b": [1, {"c": "lo        too wide: [ is written
//! ```

use std::collections::VecDeque;

use super::buffer::OutputBuffer;
use super::{CLASSES, Class, Indent, Output, Separated};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A sink that writes text in the pretty style, and on one line what fits there. Columns are code points.
#[derive(Debug)]
pub(crate) struct Fitted<O> {
    output: O,
    buffer: OutputBuffer,
    separated: Separated,
    fill: u8,
    step: usize,
    width: u64,
    /// A line feed and as much indentation as has been needed so far.
    line: Vec<u8>,
    /// Separated text that has not been written.
    held: Vec<u8>,
    /// Its structural bytes and line feeds.
    queue: VecDeque<Entry>,
    /// How many entries have left the queue: the number of its first one.
    gone: u64,
    /// The numbers of the entries in the queue that opened a container which is open.
    open: VecDeque<u64>,
    /// Columns of all the text so far, as if it stood on one line.
    total: u64,
    /// Containers that are open and were written with a line feed.
    depth: usize,
    /// The column at which the present line began, and `total` there.
    line_column: u64,
    line_total: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where it is in `held`.
    at: usize,
    /// Columns before it.
    total: u64,
    /// Of an opening bracket: the number of the entry that closes it, once it is known.
    closer: Option<u64>,
}

/// What becomes of the container at the front of the queue.
enum Verdict {
    /// It goes on one line, up to the entry at this place in the queue.
    Fits(usize),
    TooWide,
    /// What has been seen cannot tell.
    Waits,
}

impl<O: Output> Fitted<O> {
    pub(crate) fn new(indent: Indent, width: u32, output: O) -> Self {
        let (fill, step) = indent.bytes();
        Fitted {
            output,
            buffer: OutputBuffer::default(),
            separated: Separated::new(),
            fill,
            step,
            width: u64::from(width),
            line: vec![b'\n'],
            held: Vec::new(),
            queue: VecDeque::new(),
            gone: 0,
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

    /// Ends the line of a value at the root that is complete, for who waits for the line.
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

    /// Takes separated text into the queue, and counts its columns.
    fn hold(&mut self, bytes: &[u8], places: &[u32]) {
        let base = self.held.len();
        self.held.extend_from_slice(bytes);
        let ascii = bytes.is_ascii();
        let columns = |run: &[u8]| match ascii {
            true => run.len() as u64,
            false => code_points(run),
        };
        let mut run = 0;
        for &place in places {
            let place = place as usize;
            self.total += columns(&bytes[run..place]);
            let number = self.gone + self.queue.len() as u64;
            self.queue.push_back(Entry {
                at: base + place,
                total: self.total,
                closer: None,
            });
            match CLASSES[bytes[place] as usize] {
                Class::Open => {
                    self.open.push_back(number);
                    self.total += 1;
                }
                Class::Close => {
                    // What opened a container that has been written with a line feed is no longer in the queue.
                    if let Some(opener) = self.open.pop_back() {
                        self.queue[(opener - self.gone) as usize].closer = Some(number);
                    }
                    self.total += 1;
                }
                // With the space after it.
                Class::Comma | Class::Colon => self.total += 2,
                Class::Value | Class::Start => {}
            }
            run = place + 1;
        }
        self.total += columns(&bytes[run..]);
    }

    /// Writes all that is decided.
    fn settle(&mut self, ended: bool) -> Result<(), O::Error> {
        let mut written = 0;
        let mut waits = false;
        while let Some(&entry) = self.queue.front() {
            let class = CLASSES[self.held[entry.at] as usize];
            match class {
                Class::Open => match self.verdict(entry, ended) {
                    Verdict::Waits => {
                        waits = true;
                        break;
                    }
                    Verdict::Fits(closer) => {
                        self.one_line(closer, &mut written)?;
                        continue;
                    }
                    Verdict::TooWide => {
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
            self.leave(1);
        }
        if !waits {
            self.write_to(self.held.len(), &mut written)?;
        }
        self.held.drain(..written);
        for entry in &mut self.queue {
            entry.at -= written;
        }
        Ok(())
    }

    /// Whether the container that the first entry of the queue opens fits on the line.
    fn verdict(&self, entry: Entry, ended: bool) -> Verdict {
        let column = self.line_column + (entry.total - self.line_total);
        let Some(number) = entry.closer else {
            // Its closing bracket at least will follow.
            let least = column + (self.total - entry.total) + 1;
            // What is empty stays closed up, so the next byte has to be known.
            return match least > self.width && self.held.len() > entry.at + 1 {
                true => Verdict::TooWide,
                false => Verdict::Waits,
            };
        };
        let closer = (number - self.gone) as usize;
        let end = self.queue[closer];
        if end.at == entry.at + 1 {
            return Verdict::Fits(closer);
        }
        let width = column + (end.total + 1 - entry.total);
        // A comma belongs to the line.
        let comma = match self.queue.get(closer + 1) {
            Some(next) => u64::from(self.held[next.at] == b','),
            None if ended || self.depth == 0 => 0,
            None if width == self.width => return Verdict::Waits,
            None => 0,
        };
        match width + comma > self.width {
            true => Verdict::TooWide,
            false => Verdict::Fits(closer),
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
        self.leave(closer + 1);
        Ok(())
    }

    /// Writes what is held from `written` to `to`.
    fn write_to(&mut self, to: usize, written: &mut usize) -> Result<(), O::Error> {
        self.buffer
            .append(&self.held[*written..to], &mut self.output)?;
        *written = to;
        Ok(())
    }

    /// Begins a line before the place where the text is `total` columns wide.
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

    /// Lets the first entries leave the queue.
    fn leave(&mut self, count: usize) {
        self.queue.drain(..count);
        self.gone += count as u64;
    }
}

impl<O: Output> Sink for Fitted<O> {
    type Error = O::Error;

    fn interest(&self, mode: Mode) -> Interest {
        Interest {
            minified: true,
            structurals: true,
            offsets: mode == Mode::Stream,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let mut separated = std::mem::replace(&mut self.separated, Separated::new());
        let (bytes, places) = separated.chunk(chunk);
        self.hold(bytes, places);
        self.separated = separated;
        self.settle(false)
    }
}

/// How many code points begin in `text`.
fn code_points(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64
}
