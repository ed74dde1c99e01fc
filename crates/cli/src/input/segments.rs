//! Divides a file into segments for several threads.
//!
//! ```text
//! file ──► segments ──► thread: reads one and works on it ──► results, in order
//!          of a length                                        (threads/in_order.rs)
//!          of whole lines
//!          between given offsets
//! ```
//!
//! The file is not scanned first: the thread that processes a segment finds where its lines begin and end, and the thread that
//! reaches the end of the file records it. A segment is mapped or read at once, or in windows. If the file has become shorter,
//! an error is returned, whatever the results.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::window::truncated;
use super::{FileText, Input, RandomAccess};
use crate::threads::in_order;

/// Length of a window in bytes, which stays in the L2 cache while it is processed.
const WINDOW: usize = 256 << 10;

/// Number of bytes searched at once for the end of a line.
const LOOKED_AT: usize = 4 << 10;

/// A file, for several threads.
pub struct Segments<'a> {
    file: RandomAccess<'a>,
    /// The offset at which the text starts.
    start: u64,
    /// The initial length of the file.
    expected: u64,
    /// The end of the file, once a thread has reached it; `u64::MAX` before.
    end: AtomicU64,
}

impl<'a> Segments<'a> {
    /// The segments of a file, whose byte-order mark must have been recorded.
    ///
    /// # Errors
    /// Errors of the system; `Unsupported` for an input that can be read only once.
    pub fn new(input: &'a Input) -> io::Result<Segments<'a>> {
        let file = input.random_access().ok_or(ErrorKind::Unsupported)?;
        Ok(Segments {
            file,
            start: input.text_start(),
            expected: file.length()?,
            end: AtomicU64::new(u64::MAX),
        })
    }

    /// Offset of the text in the input.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Segments of `length` bytes from the offset `from` on, until a thread has reached the end of the file.
    pub fn every(&self, from: u64, length: u64) -> impl Iterator<Item = Segment<'_>> {
        (0..)
            .map(move |number| from + number * length)
            .take_while(|&from| from < self.end.load(Ordering::Relaxed))
            .map(move |from| self.between(from, Some(from + length)))
    }

    /// The segment between two offsets; without a second one, up to the end of the file.
    pub fn between(&self, start: u64, end: Option<u64>) -> Segment<'_> {
        Segment {
            file: self,
            start,
            end: end.unwrap_or(u64::MAX),
        }
    }

    /// Processes segments on up to `threads` threads, and passes the results to `join` in order, on this thread. Returns the
    /// end of the file, if a segment reached it.
    ///
    /// # Errors
    /// The first error of `join`, after which no work is started; `UnexpectedEof` if the file has become shorter.
    ///
    /// # Panics
    /// If `work` panics, in the order of the segments.
    pub fn each<T: Send, R: Send, E: From<io::Error>>(
        &self,
        threads: NonZeroUsize,
        segments: impl Iterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
        join: impl FnMut(R) -> Result<(), E>,
    ) -> Result<u64, E> {
        in_order(threads, segments, work, join)?;
        Ok(self.ended()?)
    }

    /// The end of the file, if a segment reached it; `u64::MAX` before.
    fn ended(&self) -> io::Result<u64> {
        match self.end.load(Ordering::Relaxed) {
            end if end < self.expected => Err(truncated()),
            end => Ok(end),
        }
    }

    /// Checks that the text still matches the file. Call it before using any result.
    ///
    /// # Errors
    /// `UnexpectedEof` for a file that has become shorter; errors of the system.
    pub fn verify(&self, text: &FileText) -> io::Result<()> {
        self.file.verify(text)
    }

    /// Up to 3 bytes before `offset`.
    ///
    /// # Errors
    /// Errors of the system; `UnexpectedEof`.
    pub fn before(&self, offset: u64) -> io::Result<Vec<u8>> {
        let start = offset.saturating_sub(3).max(self.start);
        let mut bytes = vec![0; (offset - start) as usize];
        match self.file.peek(&mut bytes, start)? {
            read if read < bytes.len() => Err(truncated()),
            _ => Ok(bytes),
        }
    }

    fn note_end(&self, end: u64) {
        self.end.fetch_min(end, Ordering::Relaxed);
    }

    /// The offset after the first line feed at or after `from`; `None` if none begins before `to` or the end of the file.
    fn line_after(&self, from: u64, to: u64) -> io::Result<Option<u64>> {
        let mut bytes = [0; LOOKED_AT];
        let mut at = from;
        while at < to {
            let read = self.file.peek(&mut bytes, at)?;
            if let Some(found) = memchr::memchr(b'\n', &bytes[..read]) {
                return Ok(Some(at + found as u64 + 1));
            }
            at += read as u64;
            if read < LOOKED_AT {
                self.note_end(at);
                return Ok(None);
            }
        }
        Ok(None)
    }
}

/// A segment of a file, for any thread.
#[derive(Clone, Copy)]
pub struct Segment<'s> {
    file: &'s Segments<'s>,
    /// Offset in the input.
    start: u64,
    /// Offset of its end in the input; `u64::MAX` for the end of the file.
    end: u64,
}

impl<'s> Segment<'s> {
    /// Offset in the input.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Its end in the input, if that is not the end of the file.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Its bytes, up to the end of the file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn text(&self) -> io::Result<FileText> {
        let length = (self.end - self.start) as usize;
        let text = self.file.file.text(self.start, length)?;
        let filled = text.as_ref().len();
        if filled < length {
            self.file.note_end(self.start + filled as u64);
        }
        Ok(text)
    }

    /// The lines that start in this segment, up to the end of the last one; `None` if none does.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn lines(self) -> io::Result<Option<Segment<'s>>> {
        let file = self.file;
        // A line starts after a line feed or at the start of the text.
        let start = if self.start == file.start {
            Some(self.start)
        } else {
            file.line_after(self.start - 1, self.end - 1)?
        };
        let Some(start) = start.filter(|&start| start < self.end) else {
            return Ok(None);
        };
        let end = file.line_after(self.end - 1, u64::MAX)?;
        Ok(Some(file.between(start, end)))
    }

    /// Passes the bytes to `take` in windows, read into `buffer`, with a flag that is set if the file ends after the window.
    ///
    /// # Errors
    /// Errors of the system and of `take`; `UnexpectedEof` if the file has become shorter.
    pub fn each_window<E: From<io::Error>>(
        &self,
        buffer: &mut Vec<u8>,
        mut take: impl FnMut(&[u8], bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = self.start;
        while at < self.end {
            let (read, is_last) = self.fill(buffer, 0, at)?;
            at += read as u64;
            take(&buffer[..read], is_last)?;
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Reads all its bytes into `buffer`.
    ///
    /// # Errors
    /// As for [`Segment::each_window`].
    pub fn read<'b>(&self, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        let mut filled = 0;
        while self.start + (filled as u64) < self.end {
            let (read, is_last) = self.fill(buffer, filled, self.start + filled as u64)?;
            filled += read;
            if is_last {
                break;
            }
        }
        Ok(&buffer[..filled])
    }

    /// Reads a window from `at` on into the buffer at `place`. Returns its length, and whether the file ends after it.
    fn fill(&self, buffer: &mut Vec<u8>, place: usize, at: u64) -> io::Result<(usize, bool)> {
        let wanted = (self.end - at).min(WINDOW as u64) as usize;
        let needed = place + wanted;
        if buffer.len() < needed {
            buffer.resize(needed, 0);
        }
        let read = self.file.file.fill(&mut buffer[place..needed], at)?;
        if read == wanted {
            return Ok((read, false));
        }
        if self.end < u64::MAX {
            return Err(truncated());
        }
        self.file.note_end(at + read as u64);
        Ok((read, true))
    }
}

/// A pool of buffers: freeing and allocating memory again costs a fault per page, an eighth of the time of `fmt`.
#[derive(Default)]
pub struct Buffers(Mutex<Vec<Vec<u8>>>);

impl Buffers {
    /// A buffer with arbitrary contents.
    pub fn take(&self) -> Vec<u8> {
        let mut pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_default()
    }

    /// Returns a buffer to the pool.
    pub fn put(&self, buffer: Vec<u8>) {
        let mut pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pool.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file_of(text: &[u8]) -> (tempfile::NamedTempFile, Input) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let input = Input::open(file.path()).unwrap();
        (file, input)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn segments_of_lines_join_to_the_file(
            lines in prop::collection::vec("[a-c]{0,30}", 0..20),
            length in 1u64..80,
            start in 0u64..4,
            threads in 1usize..4,
        ) {
            let text = lines.join("\n").into_bytes();
            let start = start.min(text.len() as u64);
            let (_file, input) = file_of(&text);
            let segments = Segments { start, ..Segments::new(&input).unwrap() };
            let mut all = Vec::new();
            let end = segments.each(
                NonZeroUsize::new(threads).unwrap(),
                segments.every(start, length),
                |segment| -> io::Result<(Vec<u8>, Vec<u8>)> {
                    let Some(lines) = segment.lines()? else {
                        return Ok(Default::default());
                    };
                    let mut windows = Vec::new();
                    lines.each_window(&mut Vec::new(), |bytes, _| {
                        windows.extend_from_slice(bytes);
                        Ok::<_, io::Error>(())
                    })?;
                    Ok((lines.read(&mut Vec::new())?.to_vec(), windows))
                },
                |read| {
                    let (read, windows) = read?;
                    assert_eq!(read, windows);
                    let is_whole = all.is_empty() || all.ends_with(b"\n") || read.is_empty();
                    assert!(is_whole, "a segment ends in a line");
                    all.extend(read);
                    Ok::<_, io::Error>(())
                },
            );
            prop_assert_eq!(&all, &text[start as usize..]);
            prop_assert_eq!(end.unwrap(), text.len() as u64);
        }
    }

    #[test]
    fn a_line_may_be_longer_than_segments_and_windows() {
        let text = format!("1\n{}\n2", " ".repeat(3 * WINDOW)).into_bytes();
        let (_file, input) = file_of(&text);
        let segments = Segments::new(&input).unwrap();
        let mut all = Vec::new();
        let mut found = 0;
        for segment in segments.every(0, 1000) {
            if let Some(lines) = segment.lines().unwrap() {
                found += 1;
                all.extend_from_slice(lines.read(&mut Vec::new()).unwrap());
            }
        }
        assert!(all == text);
        assert_eq!(found, 2);
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let text = "1\n".repeat(10_000).into_bytes();
        for left in [0, 5, 5001, 19_999] {
            let (file, input) = file_of(&text);
            let segments = Segments::new(&input).unwrap();
            let lines = segments.between(5000, Some(6000)).lines().unwrap().unwrap();
            file.as_file().set_len(left).unwrap();
            if left < 6000 {
                let read = lines.read(&mut Vec::new()).map(<[u8]>::len);
                assert_eq!(read.unwrap_err().kind(), ErrorKind::UnexpectedEof, "{left}");
            }
            let ended = segments.each(
                NonZeroUsize::MIN,
                segments.every(0, 1000),
                |segment| {
                    if let Some(lines) = segment.lines().unwrap() {
                        lines.read(&mut Vec::new()).unwrap();
                    }
                },
                |_| Ok::<_, io::Error>(()),
            );
            assert_eq!(
                ended.unwrap_err().kind(),
                ErrorKind::UnexpectedEof,
                "{left}"
            );
        }
    }
}
