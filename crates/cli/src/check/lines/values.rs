//! Finds where a batch of an input may end: after whole lines or, if values span lines, after whole values.

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Mode, Options, Stop, Validator};
use jsonx_core::query::Query;

use super::Batching;
use super::batch::{query_of_roots, roots};
use crate::input::Window;

/// The end of a batch in a window.
#[derive(Clone, Copy, Default)]
pub struct BatchEnd {
    pub length: usize,
    /// The batch, with the rest before the window, consists of whole values.
    pub is_whole: bool,
    /// There is an error in it.
    pub is_broken: bool,
}

/// Finds the ends of batches.
pub struct Ends<'a> {
    batching: &'a Batching,
    lines: WholeLines,
    /// From the first line on that does not end a value, until a value ends with a line again.
    scan: Option<Values>,
}

impl<'a> Ends<'a> {
    pub fn new(batching: &'a Batching) -> Ends<'a> {
        Ends {
            batching,
            lines: WholeLines::default(),
            scan: None,
        }
    }

    /// The end of a batch that begins with `rest`, an incomplete value before the window. With `is_pending`, the rest is not known
    /// yet.
    pub fn of(&mut self, window: &Window<'_>, rest: &[u8], is_pending: bool) -> BatchEnd {
        let (batching, options) = (self.batching, self.batching.search.options);
        let (text, offset) = (window.bytes(), window.offset());
        let whole = |length| BatchEnd {
            length,
            is_whole: true,
            is_broken: false,
        };
        let at = |length| BatchEnd {
            length,
            ..BatchEnd::default()
        };
        if window.is_last() || !batching.whole_lines {
            return at(text.len());
        }
        let lines = self.lines.length(window);
        if !batching.by_values {
            return at(lines);
        }
        let may_wait = window.is_live() && !text[lines..].trim_ascii().is_empty();
        if self.scan.is_none() && rest.is_empty() && lines > 0 && !may_wait {
            return at(lines);
        }
        if self.scan.is_none() && is_pending {
            return at(0);
        }
        let start = offset - rest.len() as u64;
        let scan = self.scan.get_or_insert_with(|| {
            let mut scan = Values::new(options, start);
            // The error is found again.
            let _ = scan.read(rest, start);
            scan
        });
        if scan.read(text, offset).is_err() {
            self.scan = None;
            return BatchEnd {
                length: text.len(),
                is_whole: false,
                is_broken: true,
            };
        }
        if scan.end <= start {
            return at(0);
        }
        let length = scan.length(text, offset, window.is_live()).unwrap_or(0);
        if length == lines {
            self.scan = None;
        }
        whole(length)
    }
}

/// Finds the whole lines at the start of windows.
#[derive(Default)]
struct WholeLines {
    /// Offset up to which line feeds were searched, so that only the new bytes of a long line are.
    searched: u64,
    /// Offset after the last line feed.
    end: u64,
}

impl WholeLines {
    /// Number of bytes of whole lines in a window.
    fn length(&mut self, window: &Window<'_>) -> usize {
        let known = self.searched.saturating_sub(window.offset()) as usize;
        let new = &window.bytes()[known.min(window.bytes().len())..];
        if let Some(at) = memchr::memrchr(b'\n', new) {
            self.end = window.end() - (new.len() - at - 1) as u64;
        }
        self.searched = window.end();
        self.end.saturating_sub(window.offset()) as usize
    }
}

/// A scan of a stream, each byte once.
pub struct Values {
    validator: Validator,
    query: Query,
    /// Offset in the input of the first byte.
    start: u64,
    /// Offset up to which bytes were read.
    read: u64,
    /// The end of the last value.
    end: u64,
    /// The end of the last value with a line feed after it.
    line_end: u64,
}

impl Values {
    /// A scan from this offset on, where a value may begin; `options` are those for one.
    pub fn new(options: Options, start: u64) -> Values {
        Values {
            validator: Validator::new(options.mode(Mode::Stream)),
            query: query_of_roots(),
            start,
            read: start,
            end: start,
            line_end: start,
        }
    }

    /// The offset from which it began.
    #[cfg(feature = "jq")]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Reads on in a text that begins at `offset`.
    ///
    /// # Errors
    /// No value continues like this.
    pub fn read(&mut self, text: &[u8], offset: u64) -> Result<(), SyntaxError> {
        let new = &text[(self.read - offset) as usize..];
        self.read += new.len() as u64;
        let written = self.validator.write(new, &mut self.query);
        let written = written.and_then(|()| self.validator.flush(&mut self.query));
        if let Err(Stop::Invalid(error)) = written {
            return Err(error);
        }
        let mut end = self.end;
        for (from, to) in roots(&mut self.query) {
            let (from, to) = (self.start + from as u64, self.start + to as u64);
            if has_line_feed(text, offset, end, from) {
                self.line_end = end;
            }
            end = to;
        }
        let blank = blank_after(text, offset, end);
        if has_line_feed(text, offset, end, end + blank as u64) {
            self.line_end = end;
        }
        self.end = end;
        Ok(())
    }

    /// The length of the whole values at the start of a text that begins at `offset`, and of the white space after them; without
    /// `is_live`, up to the last value that ends a line, if any: nobody waits for those after it. `None` if no value has ended.
    pub fn length(&self, text: &[u8], offset: u64, is_live: bool) -> Option<usize> {
        let end = match is_live {
            false if self.line_end > offset => self.line_end,
            _ => self.end,
        };
        let length = usize::try_from(end.checked_sub(offset)?).ok()?;
        Some(length + blank_after(text, offset, end))
    }
}

/// Whether there is a line feed between two offsets of the input, in a text that begins at `offset`.
fn has_line_feed(text: &[u8], offset: u64, from: u64, to: u64) -> bool {
    let at = |of: u64| of.saturating_sub(offset) as usize;
    text[at(from)..at(to).max(at(from))].contains(&b'\n')
}

/// The length of the white space after an offset of the input. A carriage return at the end may belong to a line feed.
fn blank_after(text: &[u8], offset: u64, end: u64) -> usize {
    let after = &text[end.saturating_sub(offset) as usize..];
    let blank = after.len() - after.trim_ascii_start().len();
    match after[..blank] {
        [.., b'\r'] if blank == after.len() => blank - 1,
        _ => blank,
    }
}
