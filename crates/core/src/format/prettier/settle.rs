//! Writes the text whose layout is decided.

use super::Prettier;
use super::queue::{Entry, EntryKind, Fill, NONE};
use crate::format::Output;

/// The layout of a container.
enum Fit {
    /// One line, up to the entry at this index of the queue.
    OneLine(usize),
    /// Several lines; whether its elements fill them.
    Lines(bool),
    /// Undecided without more text.
    Undecided,
}

impl<O: Output> Prettier<O> {
    /// Writes the text whose layout is decided: all text at the end of a value at the root.
    pub(super) fn settle(&mut self, ended: bool) -> Result<(), O::Error> {
        let mut written = 0;
        let mut undecided = false;
        let mut index = 0;
        while let Some(&entry) = self.queue.entries.get(index) {
            match entry.kind {
                EntryKind::Group if self.fills => {}
                EntryKind::Open | EntryKind::Group => match self.fit(entry, ended) {
                    Fit::Undecided => {
                        undecided = true;
                        break;
                    }
                    Fit::OneLine(closer) => {
                        self.one_line(index, closer, &mut written)?;
                        index = closer + 1;
                        continue;
                    }
                    Fit::Lines(_) if entry.kind == EntryKind::Group && entry.flat == 0 => {}
                    Fit::Lines(fills) => {
                        self.depth += 1;
                        self.fills = fills;
                        self.fits = None;
                        self.new_line(entry, &mut written)?;
                    }
                },
                EntryKind::Close => {
                    self.depth -= 1;
                    self.fills = false;
                    self.new_line(entry, &mut written)?;
                }
                EntryKind::Line if self.fills && !entry.blank => {
                    let Some(end) = self.queue.line_end(index + 1, ended) else {
                        undecided = true;
                        break;
                    };
                    let fits = self.line_column + (end - self.line_total) <= self.width;
                    if self.fits.take().unwrap_or(fits) {
                        self.write_to(entry.at, &mut written)?;
                        self.put(b" ")?;
                    } else {
                        self.new_line(entry, &mut written)?;
                    }
                }
                EntryKind::Soft if self.fills => {
                    self.write_to(entry.at, &mut written)?;
                    self.put(b" ")?;
                }
                EntryKind::Line | EntryKind::HardLine | EntryKind::Soft => {
                    self.fits = None;
                    self.new_line(entry, &mut written)?;
                }
                EntryKind::SoftHard => {
                    self.note_fit(entry);
                    let blank = !self.fills;
                    self.new_line(Entry { blank, ..entry }, &mut written)?;
                }
                EntryKind::Hard => {
                    self.note_fit(entry);
                    self.new_line(entry, &mut written)?;
                }
                EntryKind::Literal => {
                    self.write_to(entry.at, &mut written)?;
                    self.line_column = 0;
                    self.line_total = entry.total;
                }
                EntryKind::TrailingComma => {
                    self.write_to(entry.at, &mut written)?;
                    self.put(b",")?;
                }
                EntryKind::Indent => self.depth += 1,
                EntryKind::Dedent => self.depth -= 1,
                EntryKind::GroupEnd => {}
            }
            index += 1;
        }
        self.queue.pop(index);
        if !undecided {
            let end = self.queue.scalar.unwrap_or(self.queue.unwritten.len());
            self.write_to(end, &mut written)?;
        }
        // An undecided long array is not scanned again for each chunk.
        if written == 0 {
            return Ok(());
        }
        self.queue.unwritten.drain(..written);
        if let Some(scalar) = &mut self.queue.scalar {
            *scalar -= written;
        }
        for entry in &mut self.queue.entries {
            entry.at -= written;
        }
        Ok(())
    }

    /// Records whether the text up to a line break in an element fits.
    fn note_fit(&mut self, entry: Entry) {
        let column = self.line_column + (entry.total - self.line_total);
        self.fits.get_or_insert(column <= self.width);
    }

    /// Whether the container that an entry opens fits on the line.
    fn fit(&self, entry: Entry, ended: bool) -> Fit {
        let lines = match entry.fill {
            // Depends on the remaining elements.
            Fill::Unknown if !ended => Fit::Undecided,
            fill => Fit::Lines(fill == Fill::Yes),
        };
        let queue = &self.queue;
        let column = self.line_column + (entry.total - self.line_total);
        let room = self.width.saturating_sub(column);
        if entry.closer == NONE {
            // At least the closing bracket is still to come.
            let is_wide = queue.total - entry.total + 1 > room;
            return if is_wide || queue.breaks > entry.breaks {
                lines
            } else {
                Fit::Undecided
            };
        }
        let closer = (entry.closer - queue.popped) as usize;
        if queue.entries[closer].breaks > entry.breaks {
            return lines;
        }
        match queue.line_end(closer + 1, ended) {
            Some(end) if end - entry.total <= room => Fit::OneLine(closer),
            None if queue.total - entry.total <= room => Fit::Undecided,
            _ => lines,
        }
    }

    /// Writes a container on one line, from an entry to the one that closes it.
    fn one_line(&mut self, from: usize, to: usize, written: &mut usize) -> Result<(), O::Error> {
        for index in from..=to {
            let entry = self.queue.entries[index];
            if entry.flat > 0 {
                self.write_to(entry.at, written)?;
                self.put(b" ")?;
            }
        }
        self.write_to(self.queue.entries[to].at, written)
    }

    /// Writes the held text from `written` to `to`.
    #[inline]
    fn write_to(&mut self, to: usize, written: &mut usize) -> Result<(), O::Error> {
        let text = &self.queue.unwritten[*written..to];
        *written = to;
        self.buffer.append(text, &mut self.output)
    }

    /// Begins a line at an entry, after a blank one if the entry has one.
    #[inline]
    fn new_line(&mut self, entry: Entry, written: &mut usize) -> Result<(), O::Error> {
        self.write_to(entry.at, written)?;
        if entry.blank {
            self.put(b"\n")?;
        }
        let (fill, step) = self.indent.bytes();
        let length = 1 + self.depth * step;
        self.line_column = (self.depth * self.step_columns) as u64;
        self.line_total = entry.total + u64::from(entry.flat);
        if self.line.len() < length {
            self.line.resize(length, fill);
        }
        self.buffer.append(&self.line[..length], &mut self.output)
    }

    pub(super) fn put(&mut self, text: &[u8]) -> Result<(), O::Error> {
        self.buffer.append(text, &mut self.output)
    }
}
