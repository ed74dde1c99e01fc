//! Converts offsets to lines and columns.

use std::cell::RefCell;

use jsonx_core::position::LineCounter;
use jsonx_diagnose::Span;

use super::File;

/// A position in a file. Lines end with LF, CR or CRLF; a column is a Unicode code point, and a byte that is not UTF-8
/// counts as one. A byte-order mark has no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Offset in bytes, from 0.
    pub offset: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in code points, from 1.
    pub column: u64,
    /// Column in UTF-16 code units, from 1.
    pub column_utf16: u64,
}

impl Position {
    /// The first byte of a file.
    pub const START: Position = Position {
        offset: 0,
        line: 1,
        column: 1,
        column_utf16: 1,
    };
}

/// Distance between cached counters in bytes.
const STRIDE: usize = 1024;

/// Counters of the lines of a text, about one per KiB, each between two characters, so that lookups in one long
/// line do not each count from its start.
#[derive(Clone, Debug, Default)]
pub struct Marks(RefCell<Vec<LineCounter>>);

impl Marks {
    /// The counter of the text before an offset.
    pub fn counter(&self, text: &[u8], offset: usize) -> LineCounter {
        let mut counter = self.last(text, |mark| mark.offset() <= offset as u64);
        let from = counter.offset() as usize;
        counter.feed(&text[from..offset]);
        counter
    }

    /// The last cached counter before which there is no other text than that before a position.
    pub fn last(&self, text: &[u8], is_before: impl Fn(&LineCounter) -> bool) -> LineCounter {
        let mut marks = self.0.borrow_mut();
        let mut last = marks.last().cloned().unwrap_or_default();
        while is_before(&last) {
            let from = last.offset() as usize;
            let Some(rest) = text.get(from + STRIDE..) else {
                break;
            };
            // Up to the start of a character.
            let continued = rest.iter().take(3).take_while(|&byte| byte & 0xC0 == 0x80);
            let to = from + STRIDE + continued.count();
            last.feed(&text[from..to]);
            marks.push(last.clone());
        }
        let known = marks.partition_point(is_before);
        known
            .checked_sub(1)
            .map_or_else(LineCounter::new, |mark| marks[mark].clone())
    }

    /// Drops the counters after an offset.
    pub fn truncate(&mut self, offset: usize) {
        let is_kept = |mark: &LineCounter| mark.offset() <= offset as u64;
        self.0.get_mut().retain(is_kept);
    }
}

/// The start of the line that a counter is in.
pub fn line_start(counter: &LineCounter, text: &[u8]) -> usize {
    let at = counter.offset() as usize;
    // A CR ends a line, unless an LF follows.
    if text[..at].ends_with(b"\r") && text.get(at) != Some(&b'\n') {
        at
    } else {
        counter.line_start() as usize
    }
}

/// Finds the position of offsets.
pub struct Index<'a> {
    bytes: &'a [u8],
    base: Position,
    leaps: &'a [(usize, Position)],
    marks: Marks,
}

impl<'a> Index<'a> {
    /// An index over the bytes of a file.
    pub fn new(file: &File<'a>) -> Self {
        Index {
            bytes: file.bytes,
            base: file.base,
            leaps: file.leaps,
            marks: Marks::default(),
        }
    }

    /// The position of the character that contains the byte at `at`.
    pub fn position(&self, at: usize) -> Position {
        let at = at.min(self.bytes.len());
        let (start, base) = self.base(at);
        let found = |at| {
            self.marks
                .counter(self.bytes, at)
                .position(&self.bytes[at..])
        };
        let (start, found) = (found(start), found(at));
        let lines = found.line - start.line;
        let (column, column_utf16) = match lines {
            0 => (base.column - 1, base.column_utf16 - 1),
            _ => (0, 0),
        };
        Position {
            offset: self.offset(at),
            line: base.line + lines,
            column: column + found.column,
            column_utf16: column_utf16 + found.column_utf16,
        }
    }

    /// The offset in the file of the byte at `at`.
    pub fn offset(&self, at: usize) -> u64 {
        let (start, base) = self.base(at);
        base.offset + (at.min(self.bytes.len()) - start) as u64
    }

    /// The last offset before `at` with a known position in the file, which is the start of the bytes or of a line.
    fn base(&self, at: usize) -> (usize, Position) {
        let known = self.leaps.partition_point(|leap| leap.0 <= at);
        known
            .checked_sub(1)
            .map_or((0, self.base), |leap| self.leaps[leap])
    }

    /// The span in the file of a span in the bytes.
    pub fn span(&self, span: Span) -> Span {
        let start = self.offset(span.start) as usize;
        Span::new(start, start + (span.end - span.start))
    }

    /// The start of the line of `at`, as an offset into the bytes.
    pub fn line_start(&self, at: usize) -> usize {
        let at = at.min(self.bytes.len());
        line_start(&self.marks.counter(self.bytes, at), self.bytes)
    }
}

/// The character at the start of `bytes`, which are not empty, and its length; `None` and 1 for a byte that starts no
/// character.
pub(super) fn character(bytes: &[u8]) -> (Option<char>, usize) {
    if bytes[0] < 0x80 {
        return (Some(char::from(bytes[0])), 1);
    }
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
    };
    match valid.chars().next() {
        Some(c) => (Some(c), c.len_utf8()),
        None => (None, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_columns_count_characters() {
        let text = "\u{feff}a\r\né😀b\rc\n\nd".as_bytes();
        let index = Index::new(&File::new("x", text));
        let at = |needle: &str| {
            let at = String::from_utf8_lossy(text)
                .find(needle)
                .expect("in the text");
            let position = index.position(at);
            (position.line, position.column, position.column_utf16)
        };
        assert_eq!(at("a"), (1, 1, 1));
        assert_eq!(at("é"), (2, 1, 1));
        assert_eq!(at("b"), (2, 3, 4));
        assert_eq!(at("c"), (3, 1, 1));
        assert_eq!(at("d"), (5, 1, 1));
        assert_eq!(index.position(text.len()).column, 2);
    }

    #[test]
    fn an_excerpt_counts_on_from_its_base() {
        let base = Position {
            offset: 1000,
            line: 7,
            column: 50,
            column_utf16: 60,
        };
        let index = Index::new(&File::excerpt("x", b"ab\nc", base));
        assert_eq!(index.position(1).column, 51);
        assert_eq!(index.position(1).offset, 1001);
        assert_eq!(index.position(3).line, 8);
        assert_eq!(index.position(3).column, 1);
    }

    #[test]
    fn lines_may_be_left_out() {
        let whole = "{\"a\": 1}\n[é, 2\n{}\n\n語 語\n";
        let text = "[é, 2\n語 語\n";
        let place = |offset, line| Position {
            offset,
            line,
            ..Position::START
        };
        let leaps = [(0, place(9, 2)), (7, place(20, 5))];
        let file = File {
            leaps: &leaps,
            ..File::new("x", text.as_bytes())
        };
        for order in [[1, 3, 9, 12, 7], [12, 9, 7, 3, 1]] {
            let index = Index::new(&file);
            let all = Index::new(&File::new("x", whole.as_bytes()));
            for at in order {
                let real = if at < 7 { at + 9 } else { at + 13 };
                assert_eq!(index.position(at), all.position(real), "{at}");
                assert_eq!(index.offset(at), real as u64);
            }
        }
    }

    #[test]
    fn cached_counters_do_not_change_positions() {
        let lines = [
            "{\"a\": 1},\n",
            "é\r\n",
            "\r\n",
            "\r",
            "long ",
            "\u{1F600}x\n",
            "aé\u{1F600}",
        ];
        for line in lines {
            let text = "\u{feff}".to_owned() + &line.repeat(300_000 / line.len()) + "\nend";
            let file = File::new("x", text.as_bytes());
            let near = [1, STRIDE - 1, STRIDE, STRIDE + 1, 5 * STRIDE];
            let far = [64 * STRIDE - 1, 200_000, text.len() - 2];
            let index = Index::new(&file);
            // Forwards, where positions are cached, and backwards between them.
            for at in near.into_iter().chain(far).chain(far).chain(near) {
                let at = (at..).find(|&at| text.is_char_boundary(at)).expect("one");
                let found = index.position(at);
                assert_eq!(found, Index::new(&file).position(at));
                let expected = jsonx_core::position::locate(text.as_bytes(), at);
                assert_eq!(
                    (found.line, found.column, found.column_utf16),
                    (expected.line, expected.column, expected.column_utf16),
                    "{line:?} at {at}"
                );
                assert_eq!(found.offset, at as u64);
            }
        }
    }
}
