//! Converts offsets to lines and columns.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use jsonx_core::diagnose::Span;
use jsonx_core::position::{LineCounter, line_start};

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

/// Distance between cached positions in bytes.
const STRIDE: usize = 1024;

/// On the way to an offset further away than `NEAR` bytes, only lines are counted, `LEAP` bytes at a time, until the
/// line of the offset; characters are counted only in that line. This takes a twentieth of the time.
const NEAR: usize = 256;
const LEAP: usize = 64 * 1024;

#[derive(Clone, Copy, Debug)]
struct PositionMark {
    at: usize,
    /// Start of the line, as an index into the bytes.
    line_start: usize,
    position: Position,
}

/// The positions found by an index, for the next index over the same bytes.
#[derive(Clone, Debug, Default)]
pub struct Marks(RefCell<Vec<PositionMark>>);

/// Finds the position of offsets. Caches a position about every 1,024 bytes on the first pass, so that lookups in one
/// long line do not each count from its start.
pub struct Index<'a> {
    bytes: &'a [u8],
    marks: Cow<'a, Marks>,
    /// The last result: the next lookup is often for an offset soon after it.
    last: Cell<PositionMark>,
}

impl<'a> Index<'a> {
    /// An index over the bytes of a file.
    pub fn new(file: &File<'a>) -> Self {
        let start = PositionMark {
            at: 0,
            line_start: 0,
            position: file.base,
        };
        let leap = |&(at, position)| PositionMark {
            at,
            line_start: at,
            position,
        };
        let first = || [start].into_iter().chain(file.leaps.iter().map(leap));
        let marks = match file.marks {
            Some(marks) => Cow::Borrowed(marks),
            None => Cow::Owned(Marks::default()),
        };
        if marks.0.borrow().is_empty() {
            marks.0.borrow_mut().extend(first());
        }
        Index {
            bytes: file.bytes,
            marks,
            last: Cell::new(start),
        }
    }

    /// The position of the character that contains the byte at `at`.
    pub fn position(&self, at: usize) -> Position {
        self.locate(at).position
    }

    /// The offset in the file of the byte at `at`.
    pub fn offset(&self, at: usize) -> u64 {
        let mark = self.locate(at);
        mark.position.offset + at.saturating_sub(mark.at) as u64
    }

    /// The span in the file of a span in the bytes.
    pub fn span(&self, span: Span) -> Span {
        let start = self.offset(span.start) as usize;
        Span::new(start, start + (span.end - span.start))
    }

    /// The start of the line of `at`, as an offset into the bytes.
    pub fn line_start(&self, at: usize) -> usize {
        self.locate(at).line_start
    }

    fn locate(&self, at: usize) -> PositionMark {
        let at = at.min(self.bytes.len());
        let mut marks = self.marks.0.borrow_mut();
        let known = marks.partition_point(|mark| mark.at <= at);
        let mut mark = marks[known - 1];
        let last = self.last.get();
        if last.at <= at && last.at > mark.at {
            mark = last;
        }
        // Beyond the last cached position: extends the cache.
        let grows = known == marks.len();
        let mut walk_to = 0;
        while mark.at < at {
            if mark.at >= walk_to && at - mark.at > NEAR {
                let most = LEAP.min(at - mark.at);
                if let Some(next) = self.leap(mark, most) {
                    mark = next;
                    if grows && mark.at - marks[marks.len() - 1].at >= STRIDE {
                        marks.push(mark);
                    }
                    continue;
                }
                walk_to = mark.at + most;
            }
            let plain = plain(&self.bytes[mark.at..at.min(mark.at + STRIDE)]);
            if plain > 0 {
                mark.at += plain;
                mark.position.offset += plain as u64;
                mark.position.column += plain as u64;
                mark.position.column_utf16 += plain as u64;
                if grows && mark.at - marks[marks.len() - 1].at >= STRIDE {
                    marks.push(mark);
                }
                continue;
            }
            let Some(next) = self.step(mark, at) else {
                break;
            };
            mark = next;
            if grows && mark.at - marks[marks.len() - 1].at >= STRIDE {
                marks.push(mark);
            }
        }
        self.last.set(mark);
        mark
    }

    /// The start of the last line that begins within `most` bytes, if one does.
    fn leap(&self, mark: PositionMark, most: usize) -> Option<PositionMark> {
        let rest = &self.bytes[mark.at..];
        let length = line_start(rest, most);
        if length == 0 {
            return None;
        }
        let mut counter = LineCounter::new();
        counter.feed(&rest[..length]);
        let breaks = counter.position(&rest[length..]).line - 1;
        let at = mark.at + length;
        Some(PositionMark {
            at,
            line_start: at,
            position: Position {
                offset: mark.position.offset + length as u64,
                line: mark.position.line + breaks,
                column: 1,
                column_utf16: 1,
            },
        })
    }

    /// The position of the next character, or `None` if that is after `limit`.
    fn step(&self, mark: PositionMark, limit: usize) -> Option<PositionMark> {
        let (c, length) = character(&self.bytes[mark.at..]);
        let mut next = mark;
        next.at += length;
        if next.at > limit {
            return None;
        }
        next.position.offset += length as u64;
        let breaks = match c {
            Some('\n') => true,
            Some('\r') => self.bytes.get(next.at) != Some(&b'\n'),
            _ => false,
        };
        if breaks {
            next.position.line += 1;
            next.position.column = 1;
            next.position.column_utf16 = 1;
            next.line_start = next.at;
        } else if !(c == Some('\u{feff}') && mark.position.offset == 0) {
            next.position.column += 1;
            next.position.column_utf16 += c.map_or(1, |c| c.len_utf16() as u64);
        }
        Some(next)
    }
}

/// The length, a multiple of eight, of the prefix in which each byte is a character and none a line break.
fn plain(bytes: &[u8]) -> usize {
    let eights = bytes.chunks_exact(8);
    8 * eights
        .take_while(|eight| {
            eight
                .iter()
                .fold(true, |all, byte| all & (0x20..0x80).contains(byte))
        })
        .count()
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
    fn leaps_do_not_change_positions() {
        let lines = [
            "{\"a\": 1},\n",
            "é\r\n",
            "\r\n",
            "\r",
            "long ",
            "\u{1F600}x\n",
        ];
        for line in lines {
            let text = "\u{feff}".to_owned() + &line.repeat(300_000 / line.len()) + "\nend";
            let file = File::new("x", text.as_bytes());
            let near = [NEAR - 1, NEAR, NEAR + 1, 5 * NEAR];
            let far = [LEAP - 1, LEAP, 2 * LEAP + 1, 200_000, text.len() - 2];
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

    #[test]
    fn cached_positions_are_equal() {
        let text: Vec<u8> = "aé\u{1F600}\n\u{FF}x\r\n"
            .bytes()
            .cycle()
            .take(20_000)
            .collect();
        let file = File::new("x", &text);
        let warm = Index::new(&file);
        warm.position(text.len());
        for at in (0..text.len()).step_by(777) {
            assert_eq!(
                warm.position(at),
                Index::new(&file).position(at),
                "offset {at}"
            );
        }
    }
}
