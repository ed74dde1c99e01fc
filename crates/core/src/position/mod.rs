//! Converts an offset to a line and a column.
//!
//! Validation does not count lines. Positions are computed only when they are needed: by [`locate`] for a text in memory, by
//! [`LineCounter`] for a stream.
//!
//! A line ends with LF, CRLF or CR. A column is a code point; a byte outside any code point counts as one. A byte-order mark
//! at the very start counts in offsets but not in columns.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use crate::kernel::{self, BlockTask, Isa, Kernel, run_with};

/// The number of bytes whose count fits in one byte; a multiple of every vector width.
const STEP: usize = 192;

/// The number of bytes measured at once: few enough to be read several times from the L1 cache.
const PIECE: usize = 4096;

const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// A position in a text, counted from one.
///
/// ```
/// use jsonx_core::position::{Position, locate};
///
/// let position = locate("[\"😀\", 1]".as_bytes(), 9);
/// assert_eq!(position, Position { line: 1, column: 7, column_utf16: 8 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line number.
    pub line: u64,
    /// The column in Unicode code points. A tab counts as one.
    pub column: u64,
    /// The column in UTF-16 code units, as in the Language Server Protocol.
    pub column_utf16: u64,
}

/// The position of the byte at `offset`, or of the end of the text if `offset` is its length or more.
///
/// Bytes inside a code point have its position, and the LF of a CRLF is on the line that it ends.
///
/// The cost is one pass of `memchr` over the text before `offset`, and one pass over its last line.
///
/// ```
/// use jsonx_core::position::locate;
///
/// let text = "[\n  \"да\" 1\n]".as_bytes();
/// let position = locate(text, 11);
/// assert_eq!((position.line, position.column), (2, 8));
/// ```
pub fn locate(text: &[u8], offset: usize) -> Position {
    let (before, from) = text.split_at(offset.min(text.len()));
    let mut counter = LineCounter::new();
    counter.feed(before);
    counter.position(from)
}

/// The offset at which the line of the byte at `offset` starts.
///
/// ```
/// use jsonx_core::position::line_start;
///
/// assert_eq!(line_start(b"[1,\r\n2]", 5), 5);
/// assert_eq!(line_start(b"[1,\r\n2]", 4), 0);
/// ```
// For the program.
#[doc(hidden)]
pub fn line_start(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    let before = if inside_crlf(text, offset) {
        offset - 1
    } else {
        offset
    };
    memrchr2(b'\n', b'\r', &text[..before]).map_or(0, |end| end + 1)
}

/// The line of the byte at `offset`, without its line ending. A byte-order mark is part of the first line.
///
/// ```
/// use jsonx_core::position::line_range;
///
/// assert_eq!(line_range(b"[1,\r\n2]", 1), 0..3);
/// assert_eq!(line_range(b"[1,\r\n2]", 6), 5..7);
/// ```
#[doc(hidden)]
pub fn line_range(text: &[u8], offset: usize) -> Range<usize> {
    let offset = offset.min(text.len());
    let end = if inside_crlf(text, offset) {
        offset - 1
    } else {
        memchr2(b'\n', b'\r', &text[offset..]).map_or(text.len(), |end| offset + end)
    };
    line_start(text, offset)..end
}

/// Whether `offset` is at the LF of a CRLF.
fn inside_crlf(text: &[u8], offset: usize) -> bool {
    offset > 0 && text[offset - 1..].starts_with(b"\r\n")
}

/// Counts the lines of a text that arrives in windows, in constant memory.
///
/// Positions can be queried in ascending order: feed the bytes before a position, query it, feed more.
///
/// ```
/// use jsonx_core::position::LineCounter;
///
/// let mut counter = LineCounter::new();
/// counter.feed(b"[1,\n2,\r");
/// counter.feed(b"\n x");
/// let position = counter.position(b"yz]");
/// assert_eq!((position.line, position.column), (3, 3));
/// assert_eq!(counter.line_start(), 8);
/// assert_eq!(counter.offset(), 10);
/// ```
#[derive(Clone, Debug)]
pub struct LineCounter {
    /// The number of bytes fed.
    offset: u64,
    /// The offset at which the current line starts.
    line_start: u64,
    /// The number of line endings before `line_start`.
    lines: u64,
    /// The width of the current line so far, including a byte-order mark, excluding pending bytes.
    width: Width,
    /// The first bytes of the text.
    head: [u8; 3],
    /// The last bytes fed, if their meaning depends on the next one: a CR, or the start of a code point.
    pending: [u8; 3],
    pending_len: usize,
}

/// The width of part of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Width {
    points: u64,
    /// UTF-16 code units.
    units: u64,
}

impl LineCounter {
    /// Creates a counter at the start of a text: line 1, column 1.
    ///
    /// ```
    /// use jsonx_core::position::{LineCounter, Position};
    ///
    /// let counter = LineCounter::new();
    /// assert_eq!(counter.position(b""), Position { line: 1, column: 1, column_utf16: 1 });
    /// assert_eq!((counter.offset(), counter.line_start()), (0, 0));
    /// ```
    pub fn new() -> Self {
        LineCounter {
            offset: 0,
            line_start: 0,
            lines: 0,
            width: Width::default(),
            head: [0; 3],
            pending: [0; 3],
            pending_len: 0,
        }
    }

    /// The number of bytes fed, including a byte-order mark.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let mut counter = LineCounter::new();
    /// counter.feed("\u{feff}[\"é\"".as_bytes());
    /// assert_eq!((counter.offset(), counter.position(b"]").column), (8, 5));
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The offset at which the line of the last byte fed starts, or the next line if that byte ends a line. A CR fed
    /// last does not end its line yet, because it may belong to a CRLF.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let mut counter = LineCounter::new();
    /// let mut start_after = |window| {
    ///     counter.feed(window);
    ///     counter.line_start()
    /// };
    /// assert_eq!(start_after(b"[\n1,"), 2);
    /// assert_eq!(start_after(b"\r"), 2);
    /// assert_eq!(start_after(b"\n"), 6);
    /// ```
    pub fn line_start(&self) -> u64 {
        self.line_start
    }

    /// Counts the next bytes of the text.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let mut counter = LineCounter::new();
    /// counter.feed(b"[1,\n");
    /// counter.feed(b" 2");
    /// assert_eq!((counter.offset(), counter.line_start()), (6, 4));
    /// assert_eq!((counter.position(b"]").line, counter.position(b"]").column), (2, 3));
    /// ```
    pub fn feed(&mut self, window: &[u8]) {
        self.feed_as(window, false);
    }

    /// Counts the next bytes of the text, which a [`Validator`](crate::engine::Validator) has accepted: they are UTF-8, which
    /// is not checked again. (In other text, bytes that look like continuation bytes are not counted.)
    ///
    /// Validating a minified text of 1 GB from a pipe, one line in many scripts, took 0.70 s of processor time with
    /// [`feed`](LineCounter::feed) and 0.39 s with this.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    /// use jsonx_core::engine::{Options, Validator, Verdict};
    ///
    /// let text = format!("[1,\n\"{}\"", "é".repeat(40));
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(text.as_bytes(), &mut Verdict).unwrap();
    /// let (checked, rest) = text.as_bytes().split_at(validator.verified() as usize);
    ///
    /// // A block of 64 bytes was accepted and ends inside a character. The rest has not been checked yet.
    /// let mut counter = LineCounter::new();
    /// counter.feed_verified(checked);
    /// assert_eq!((counter.offset(), counter.position(rest).column), (64, 31));
    /// counter.feed(rest);
    /// assert_eq!((counter.offset(), counter.position(b"]").column), (86, 43));
    /// ```
    pub fn feed_verified(&mut self, window: &[u8]) {
        self.feed_as(window, true);
    }

    fn feed_as(&mut self, window: &[u8], verified: bool) {
        let known = self.offset.min(3) as usize;
        for (kept, byte) in self.head[known..].iter_mut().zip(window) {
            *kept = *byte;
        }
        let window = self.settle(window);
        let (body, ends_in_return) = match window {
            [body @ .., b'\r'] => (body, true),
            body => (body, false),
        };
        let mut tail = body;
        if let Some(last) = memrchr2(b'\n', b'\r', body) {
            self.lines += line_ends(&body[..=last]);
            self.line_start = self.offset + last as u64 + 1;
            self.width = Width::default();
            tail = &body[last + 1..];
        }
        self.offset += window.len() as u64;
        let unfinished = if verified {
            self.width.extend_verified(tail)
        } else {
            self.width.extend(tail)
        };
        if ends_in_return {
            self.width.add_bytes(unfinished.len());
            self.hold(b"\r");
        } else {
            self.hold(unfinished);
        }
    }

    /// The position of the byte after those fed.
    ///
    /// `next` has the following bytes that are known, and is empty at the end of the text: after a CR, or inside a code point,
    /// the position depends on up to three of them. They are not counted: the query can be repeated, and feeding can continue.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let mut counter = LineCounter::new();
    /// counter.feed(b"[1,\r");
    /// let place = |next| (counter.position(next).line, counter.position(next).column);
    /// // The LF of a CRLF is on the line that it ends; any other byte after a CR starts the next line.
    /// assert_eq!(place(b"\n"), (1, 5));
    /// assert_eq!(place(b"2"), (2, 1));
    /// assert_eq!(place(b""), (2, 1));
    /// ```
    pub fn position(&self, next: &[u8]) -> Position {
        let mut lines = self.lines;
        let mut width = self.width;
        match &self.pending[..self.pending_len] {
            [] => {}
            b"\r" if next.first() == Some(&b'\n') => width.add_bytes(1),
            b"\r" => {
                lines += 1;
                width = Width::default();
            }
            begun => match join(begun, next) {
                Joined::CodePoint { .. } => {}
                Joined::Unfinished | Joined::Neither => width.add_bytes(begun.len()),
            },
        }
        // The mark was counted like any other code point.
        let mark = u64::from(lines == 0 && self.head == BYTE_ORDER_MARK);
        Position {
            line: lines + 1,
            column: width.points + 1 - mark,
            column_utf16: width.units + 1 - mark,
        }
    }

    /// Decides the meaning of the pending bytes, given that `window` follows them. Returns the part of `window` left
    /// to count.
    fn settle<'w>(&mut self, window: &'w [u8]) -> &'w [u8] {
        let begun = &self.pending[..self.pending_len];
        if begun.is_empty() || window.is_empty() {
            return window;
        }
        let taken = if begun == b"\r" {
            let line_feed = usize::from(window[0] == b'\n');
            self.lines += 1;
            self.line_start = self.offset + line_feed as u64;
            self.width = Width::default();
            line_feed
        } else {
            match join(begun, window) {
                Joined::CodePoint { units, taken } => {
                    self.width.points += 1;
                    self.width.units += units;
                    taken
                }
                Joined::Unfinished => {
                    let longer = self.pending_len + window.len();
                    self.pending[self.pending_len..longer].copy_from_slice(window);
                    self.pending_len = longer;
                    self.offset += window.len() as u64;
                    return &[];
                }
                Joined::Neither => {
                    self.width.add_bytes(begun.len());
                    0
                }
            }
        };
        self.pending_len = 0;
        self.offset += taken as u64;
        &window[taken..]
    }

    fn hold(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.pending[..bytes.len()].copy_from_slice(bytes);
            self.pending_len = bytes.len();
        }
    }
}

impl Default for LineCounter {
    fn default() -> Self {
        LineCounter::new()
    }
}

/// The result of joining the start of a code point and the bytes after it.
enum Joined {
    /// One code point of `units` UTF-16 code units, which takes `taken` of the bytes after the start.
    CodePoint { units: u64, taken: usize },
    /// A longer start of a code point, which takes all the bytes.
    Unfinished,
    /// Not a code point.
    Neither,
}

fn join(begun: &[u8], next: &[u8]) -> Joined {
    let mut bytes = [0; 4];
    bytes[..begun.len()].copy_from_slice(begun);
    for (taken, &byte) in (1..).zip(next) {
        let length = begun.len() + taken;
        bytes[length - 1] = byte;
        match str::from_utf8(&bytes[..length]) {
            Ok(_) => {
                return Joined::CodePoint {
                    units: length as u64 / 2,
                    taken,
                };
            }
            Err(error) if error.error_len().is_some() => return Joined::Neither,
            Err(_) => {}
        }
    }
    Joined::Unfinished
}

impl Width {
    /// Measures more bytes. Returns the incomplete code point at the end, which is not measured.
    fn extend<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let (mut rest, unfinished) = bytes.split_at(bytes.len() - unfinished(bytes));
        while !rest.is_empty() {
            let mut piece = &rest[..rest.len().min(PIECE)];
            if piece.len() < rest.len() {
                piece = &piece[..piece.len() - self::unfinished(piece)];
            }
            rest = &rest[piece.len()..];
            if piece.is_ascii() {
                self.add_bytes(piece.len());
            } else if kernel::to_str(piece).is_some() {
                self.add_code_points(piece);
            } else {
                for chunk in piece.utf8_chunks() {
                    self.add_code_points(chunk.valid().as_bytes());
                    self.add_bytes(chunk.invalid().len());
                }
            }
        }
        unfinished
    }

    /// Measures more bytes of valid UTF-8. Returns the incomplete code point at the end, which is not measured.
    fn extend_verified<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let (rest, unfinished) = bytes.split_at(bytes.len() - unfinished(bytes));
        self.add_code_points(rest);
        unfinished
    }

    /// Adds bytes that count as one column each.
    fn add_bytes(&mut self, count: usize) {
        self.points += count as u64;
        self.units += count as u64;
    }

    /// Adds valid UTF-8.
    fn add_code_points(&mut self, valid: &[u8]) {
        let kernel = Kernel::for_text(valid.len());
        let (points, units) = run_with(kernel, CodePoints(valid));
        self.points += points;
        self.units += units;
    }
}

/// Valid UTF-8 whose code points and UTF-16 code units are counted.
struct CodePoints<'a>(&'a [u8]);

impl BlockTask for CodePoints<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run<K: Isa>(self, _: K) -> (u64, u64) {
        let (mut points, mut pairs) = (0, 0);
        for piece in self.0.chunks(STEP) {
            let (mut first, mut wide) = (0_u8, 0_u8);
            for &byte in piece {
                first += u8::from(byte & 0xC0 != 0x80);
                wide += u8::from(byte >= 0xF0);
            }
            points += u64::from(first);
            pairs += u64::from(wide);
        }
        (points, points + pairs)
    }
}

/// The number of bytes at the end that start a code point which the next bytes may complete.
fn unfinished(bytes: &[u8]) -> usize {
    let begins = |length: &usize| {
        let end = &bytes[bytes.len() - length..];
        str::from_utf8(end)
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=bytes.len().min(3)).find(begins).unwrap_or(0)
}

/// The number of line endings in `bytes`; a CR at the end counts as one.
fn line_ends(bytes: &[u8]) -> u64 {
    let mut ends = 0;
    let mut rest = bytes;
    while !rest.is_empty() {
        // Small enough to be read twice from the L2 cache. A text without a CR pays only for the check.
        let (piece, after) = rest.split_at(rest.len().min(1 << 16));
        ends += memchr_iter(b'\n', piece).count() as u64;
        if let Some(first) = memchr(b'\r', piece) {
            ends += lone_returns(&piece[first..], after.first());
        }
        rest = after;
    }
    ends
}

/// The number of CRs in `bytes` without an LF after them; `next` follows the last byte. Steps small enough for a count
/// in one byte are vectorized: files with CRLF are common, and searching for each CR is slower.
fn lone_returns(bytes: &[u8], next: Option<&u8>) -> u64 {
    let lone = |byte: u8, next: u8| u8::from((byte == b'\r') & (next != b'\n'));
    let Some((&last, followed)) = bytes.split_last() else {
        return 0;
    };
    let inside = followed.chunks(STEP).zip(bytes[1..].chunks(STEP));
    let inside = inside.map(|(bytes, next)| {
        u64::from(
            bytes
                .iter()
                .zip(next)
                .map(|(&a, &b)| lone(a, b))
                .sum::<u8>(),
        )
    });
    inside.sum::<u64>() + u64::from(lone(last, next.copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
