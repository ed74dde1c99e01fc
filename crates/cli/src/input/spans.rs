//! Short spans of a file, mostly in ascending order.

use std::borrow::Cow;
use std::fs::File;
use std::io;

use super::Input;
use super::random_access::fill;
use super::window::truncated;

/// Number of bytes read at once if the next span is near, so that one read serves several.
const NEAR: usize = 64 * 1024;

/// Number of bytes read at once otherwise.
const FAR: usize = 4 * 1024;

/// Reads spans of a file through one buffer.
pub struct Spans<'i> {
    /// `None` if all of it is in the buffer.
    file: Option<&'i File>,
    origin: u64,
    buffer: Cow<'i, [u8]>,
    /// Number of bytes read into the buffer, and the offset of the first one in the input.
    filled: usize,
    offset: u64,
}

impl<'i> Spans<'i> {
    /// Creates a reader of spans; `None` for an input that cannot be read again.
    pub fn new(input: &'i Input) -> Option<Spans<'i>> {
        if let Some((text, _)) = input.source.in_memory() {
            return Some(Spans {
                file: None,
                origin: 0,
                buffer: Cow::Borrowed(text),
                filled: text.len(),
                offset: 0,
            });
        }
        let file = input.random_access()?;
        Some(Spans {
            file: Some(file.file),
            origin: file.origin,
            buffer: Cow::default(),
            filled: 0,
            offset: 0,
        })
    }

    /// The bytes from `start` to `end`.
    ///
    /// # Errors
    /// Errors of the system; `UnexpectedEof` if the file has become shorter.
    pub fn get(&mut self, start: u64, end: u64) -> io::Result<&[u8]> {
        if start == end {
            // A match to be counted: the file need not be read.
            return Ok(&[]);
        }
        let buffered_end = self.offset + self.filled as u64;
        if start < self.offset || end > buffered_end {
            let length = (end - start) as usize;
            // The first span may be the only one, and for a small file a large buffer would cost more than everything else.
            let near =
                self.filled > 0 && start >= self.offset && start - self.offset < 4 * NEAR as u64;
            self.read(start, length, length.max(if near { NEAR } else { FAR }))?;
        }
        let from = (start - self.offset) as usize;
        Ok(&self.buffer[from..from + (end - start) as usize])
    }

    /// Fills the buffer from `offset` on with `wanted` bytes, or fewer at the end of the file, but at least `needed`.
    fn read(&mut self, offset: u64, needed: usize, wanted: usize) -> io::Result<()> {
        let file = self.file.ok_or_else(truncated)?;
        let buffer = self.buffer.to_mut();
        if buffer.len() < wanted {
            buffer.resize(wanted, 0);
        }
        self.offset = offset;
        self.filled = fill(file, &mut buffer[..wanted], self.origin + offset)?;
        if self.filled < needed {
            self.filled = 0;
            return Err(truncated());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn parts_in_any_order() {
        let text: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let input = Input::open(file.path()).unwrap();
        let mut spans = Spans::new(&input).unwrap();
        for (start, end) in [
            (0, 1),
            (10, 20),
            (70_000, 70_001),
            (5, 300_000),
            (999_990, 1_000_000),
            (3, 3),
            (500_000, 500_300),
            (500_200, 566_000),
        ] {
            let got = spans.get(start, end).unwrap();
            assert!(got == &text[start as usize..end as usize], "{start} {end}");
        }
        let cut = spans.get(999_000, 1_000_001).unwrap_err();
        assert_eq!(cut.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(spans.get(0, 2).unwrap(), &text[..2]);
    }
}
