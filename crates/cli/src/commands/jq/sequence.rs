//! `--seq`: a text sequence (RFC 7464) without records that are torn or invalid, as in jq.
//!
//! ```text
//! ␞{"a":1}⏎␞{"a":⏎␞{"a":3}⏎  ──►  ␞{"a":1}⏎␞     ⏎␞{"a":3}⏎
//! ```

use std::io::{self, Read};

use jsonx_core::engine::Options;

use crate::check::lines::{Values, line_feeds, whole_values};

/// The record separator.
const SEPARATOR: u8 = 0x1e;

/// The length of a read.
const CHUNK: usize = 64 << 10;

/// A sequence in which spaces take the place of the text from an error up to the next record. A value is passed on once it is whole.
pub struct Intact<S, F> {
    source: S,
    options: Options,
    /// Receives the number of lines before each text that is ignored.
    report: F,
    /// The bytes that were not passed on, and their offset. The first `ready` can be, of which `taken` were.
    bytes: Vec<u8>,
    offset: u64,
    ready: usize,
    taken: usize,
    /// The same, with a letter in place of each byte that is not ASCII: such bytes are not errors here.
    ascii: Vec<u8>,
    /// The number of lines before the bytes.
    lines: u64,
    /// The values of the current record, until an error.
    values: Option<Values>,
    has_ended: bool,
}

impl<S: Read, F: FnMut(u64)> Intact<S, F> {
    pub fn new(source: S, options: Options, report: F) -> Intact<S, F> {
        Intact {
            source,
            options,
            report,
            bytes: Vec::new(),
            offset: 0,
            ready: 0,
            taken: 0,
            ascii: Vec::new(),
            lines: 0,
            values: None,
            has_ended: false,
        }
    }

    /// Reads more.
    fn fill(&mut self) -> io::Result<()> {
        self.lines += line_feeds(&self.bytes[..self.ready]);
        self.offset += self.ready as u64;
        self.bytes.drain(..self.ready);
        self.ascii.drain(..self.ready);
        (self.ready, self.taken) = (0, 0);
        let mut chunk = [0; CHUNK];
        let length = self.source.read(&mut chunk)?;
        self.has_ended = length == 0;
        for part in chunk[..length].split_inclusive(|&byte| byte == SEPARATOR) {
            let text = part.strip_suffix(&[SEPARATOR]).unwrap_or(part);
            self.push(text);
            self.read_values();
            if text.len() < part.len() {
                self.end_record();
                self.push(&[SEPARATOR]);
                self.ready = self.bytes.len();
                let next = self.offset + self.ready as u64;
                self.values = Some(Values::new(self.options, next));
            }
        }
        if self.has_ended {
            self.end_record();
        }
        Ok(())
    }

    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        let ascii = text
            .iter()
            .map(|&byte| if byte.is_ascii() { byte } else { b'x' });
        self.ascii.extend(ascii);
    }

    /// Finds the values that are whole.
    fn read_values(&mut self) {
        let Some(values) = &mut self.values else {
            return self.ignore();
        };
        let start = values.start();
        let Err(error) = values.read(&self.ascii, self.offset) else {
            let whole = values.length(&self.ascii, self.offset, true);
            self.ready = self.ready.max(whole.unwrap_or_default());
            return;
        };
        let end = (start + error.offset).saturating_sub(self.offset) as usize;
        let before = self.ascii.get(self.ready..end).unwrap_or_default();
        self.ready += whole_values(before, self.options).unwrap_or_default();
        self.ignore();
    }

    /// Ignores a value that the end of its record has cut off, perhaps after a digit of a number.
    fn end_record(&mut self) {
        let rest = self.ascii[self.ready..].trim_ascii();
        let is_literal = matches!(rest, b"true" | b"false" | b"null");
        match rest.is_empty() || is_literal && self.has_ended {
            true => self.ready = self.bytes.len(),
            false => self.ignore(),
        }
    }

    /// Ignores the text that is not ready, and what follows in the record.
    fn ignore(&mut self) {
        let rest = &mut self.bytes[self.ready..];
        let blank = rest.len() - rest.trim_ascii_start().len();
        if self.values.take().is_some() {
            (self.report)(self.lines + line_feeds(&self.bytes[..self.ready + blank]));
        }
        for byte in &mut self.bytes[self.ready..] {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
        self.ready = self.bytes.len();
    }
}

impl<S: Read, F: FnMut(u64)> Read for Intact<S, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready && !self.has_ended {
            self.fill()?;
        }
        let count = (&self.bytes[self.taken..self.ready]).read(buffer)?;
        self.taken += count;
        Ok(count)
    }
}
