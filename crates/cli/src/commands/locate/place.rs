//! Positions: parsed from arguments, and found in an input while it is read.

use std::fmt;

use jsonx_diagnose::json5::Translation;
use memchr::memchr2;

use crate::input::BYTE_ORDER_MARK;

/// A position in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPosition {
    /// Offset in bytes from the start.
    Offset(u64),
    /// Line, counted from 1: the first character on it that is not blank.
    Line(u64),
    /// Line and column, both counted from 1; columns are code points.
    Column(u64, u64),
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextPosition::Offset(offset) => write!(f, "byte {offset}"),
            TextPosition::Line(line) => write!(f, "line {line}"),
            TextPosition::Column(line, column) => write!(f, "line {line}, column {column}"),
        }
    }
}

/// Parses `FILE:LINE:COL` or `FILE:LINE`. A trailing colon, as printed by compilers, is ignored.
pub fn parse(text: &[u8]) -> Option<(&[u8], TextPosition)> {
    let text = text.strip_suffix(b":").unwrap_or(text);
    let (rest, last) = number(text)?;
    let (file, place) = match number(rest) {
        Some((_, 0)) => return None,
        Some((file, line)) => (file, TextPosition::Column(line, last)),
        None => (rest, TextPosition::Line(last)),
    };
    (last > 0 && !file.is_empty()).then_some((file, place))
}

/// Splits off the number after the last colon.
fn number(text: &[u8]) -> Option<(&[u8], u64)> {
    let colon = memchr::memrchr(b':', text)?;
    let digits = std::str::from_utf8(&text[colon + 1..]).ok()?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = digits.parse().ok()?;
    plain.then_some((&text[..colon], number))
}

/// The result of a search for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchResult {
    /// The offset of the position.
    At(u64),
    /// The position does not exist, with the reason.
    Beyond(String),
}

/// Searches for a position in an input while it is read.
///
/// Lines end with LF, CRLF or CR, as in messages. The end of a line counts as a column, because a cursor can be there.
pub struct Finder {
    place: TextPosition,
    found: Option<SearchResult>,
    /// Offset of the first unread byte.
    seen: u64,
    /// Line of that byte, counted from 1.
    line: u64,
    /// Offset of the start of that line.
    begin: u64,
    /// Number of code points of that line before that byte.
    columns: u64,
    /// The byte before it is a CR, which ends a line unless it is the first half of a CRLF.
    after_return: bool,
}

impl Finder {
    pub fn new(place: TextPosition) -> Finder {
        Finder {
            place,
            found: match place {
                TextPosition::Offset(offset) => Some(SearchResult::At(offset)),
                _ => None,
            },
            seen: 0,
            line: 1,
            begin: 0,
            columns: 0,
            after_return: false,
        }
    }

    /// The result, if it is known.
    pub fn found(&self) -> Option<&SearchResult> {
        self.found.as_ref()
    }

    /// Reads the new part of `bytes`, which begin at `offset`.
    pub fn read(&mut self, offset: u64, bytes: &[u8]) {
        // A byte-order mark has no column and is not part of any window.
        self.seen = self.seen.max(offset);
        let mut bytes = bytes
            .get((self.seen - offset) as usize..)
            .unwrap_or_default();
        while let (None, false) = (&self.found, bytes.is_empty()) {
            let taken = match std::mem::take(&mut self.after_return) {
                // The CR has ended the line.
                true if bytes[0] == b'\n' => {
                    self.begin += 1;
                    1
                }
                _ if self.line < self.line_of_place() => self.pass(bytes),
                _ => self.on_line(bytes),
            };
            self.seen += taken as u64;
            bytes = &bytes[taken..];
        }
    }

    fn line_of_place(&self) -> u64 {
        match self.place {
            TextPosition::Offset(_) => 0,
            TextPosition::Line(line) | TextPosition::Column(line, _) => line,
        }
    }

    /// Skips a line before that of the position. Returns the number of bytes read.
    fn pass(&mut self, bytes: &[u8]) -> usize {
        let Some(end) = memchr2(b'\n', b'\r', bytes) else {
            return bytes.len();
        };
        self.line += 1;
        self.begin = self.seen + end as u64 + 1;
        self.after_return = bytes[end] == b'\r';
        end + 1
    }

    /// Searches the line of the position. Returns the number of bytes read.
    fn on_line(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            let offset = Some(SearchResult::At(self.seen + at as u64));
            let ends = matches!(byte, b'\n' | b'\r');
            match self.place {
                TextPosition::Line(_) if !matches!(byte, b' ' | b'\t') => self.found = offset,
                TextPosition::Column(_, wanted) if !(0x80..0xC0).contains(&byte) => {
                    self.columns += 1;
                    if self.columns == wanted {
                        self.found = offset;
                    } else if ends {
                        self.columns -= 1;
                        self.found = Some(self.beyond());
                    }
                }
                _ => {}
            }
            if self.found.is_some() {
                return at;
            }
        }
        bytes.len()
    }

    fn beyond(&self) -> SearchResult {
        let (line, columns) = (self.line, self.columns);
        SearchResult::Beyond(match columns {
            1 => format!("line {line} has 1 column"),
            _ => format!("line {line} has {columns} columns"),
        })
    }

    /// Ends the input.
    pub fn end(self) -> SearchResult {
        match (&self.found, self.place) {
            (Some(found), _) => found.clone(),
            (None, TextPosition::Line(wanted) | TextPosition::Column(wanted, _))
                if self.line < wanted =>
            {
                // The text after the last line feed is only a line if it is not empty.
                let empty = self.seen == self.begin && self.line > 1;
                SearchResult::Beyond(match self.line - u64::from(empty) {
                    1 => "the file has 1 line".to_owned(),
                    lines => format!("the file has {lines} lines"),
                })
            }
            (None, _) => self.beyond(),
        }
    }
}

/// Converts a position in a JSON5 text to one in its translation, or returns the reason why there is none.
pub fn of_json5(place: TextPosition, translation: &Translation) -> Result<TextPosition, String> {
    let source = translation.source();
    let text = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
    let mut finder = Finder::new(place);
    finder.read((source.len() - text.len()) as u64, text);
    match finder.end() {
        SearchResult::At(offset) if offset < source.len() as u64 => Ok(TextPosition::Offset(
            translation.in_text(offset as usize) as u64,
        )),
        SearchResult::At(_) => Err(format!("no value at {place}")),
        SearchResult::Beyond(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::position::locate;

    #[test]
    fn positions_are_parsed_from_the_end() {
        for (text, file, place) in [
            ("a.json:4:14", "a.json", TextPosition::Column(4, 14)),
            ("a.json:4:14:", "a.json", TextPosition::Column(4, 14)),
            ("a.json:4", "a.json", TextPosition::Line(4)),
            (
                "C:\\a:b.json:1:2",
                "C:\\a:b.json",
                TextPosition::Column(1, 2),
            ),
            ("a:1:2:3", "a:1", TextPosition::Column(2, 3)),
            ("-:1:1", "-", TextPosition::Column(1, 1)),
        ] {
            let expected = Some((file.as_bytes(), place));
            assert_eq!(parse(text.as_bytes()), expected, "{text}");
        }
        for text in [
            "",
            "a.json",
            "a:0",
            "a:x",
            "a:1:0x",
            ":1",
            "a:+1",
            "a:99999999999999999999",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        // Lines and columns start at 1. A file named `a:0` is less likely.
        assert_eq!(parse(b"a:0:5"), None);
        assert_eq!(parse(b"a:5:0"), None);
    }

    fn find(text: &[u8], place: TextPosition, size: usize) -> SearchResult {
        let mut finder = Finder::new(place);
        for (number, chunk) in text.chunks(size).enumerate() {
            finder.read((number * size) as u64, chunk);
        }
        finder.end()
    }

    #[test]
    fn a_final_line_end_does_not_begin_a_line() {
        for (text, why) in [
            ("[1]", "the file has 1 line"),
            ("[1]\n", "the file has 1 line"),
            ("[\n1]\r\n", "the file has 2 lines"),
            ("[\r\n1]\n\n", "the file has 3 lines"),
            ("", "the file has 1 line"),
        ] {
            for size in [1, 2, 100] {
                let found = find(text.as_bytes(), TextPosition::Line(9), size);
                assert_eq!(found, SearchResult::Beyond(why.to_owned()), "{text:?}");
            }
        }
    }

    #[test]
    fn positions_agree_with_messages() {
        let text = "{\"é\": 1,\r\n \"\u{1F600}b\":\t2,\r\r\"c\":\n3}".as_bytes();
        for size in [1, 2, 3, 7, 100] {
            for at in 0..text.len() {
                let inside = (0x80..0xC0).contains(&text[at]);
                if inside || text[at] == b'\n' && at > 0 && text[at - 1] == b'\r' {
                    continue;
                }
                let position = locate(text, at);
                let place = TextPosition::Column(position.line, position.column);
                assert_eq!(
                    find(text, place, size),
                    SearchResult::At(at as u64),
                    "{place} {size}"
                );
            }
            for (line, at) in [(1, 0), (2, 12), (3, 24), (4, 25), (5, 30)] {
                let found = find(text, TextPosition::Line(line), size);
                assert_eq!(found, SearchResult::At(at), "{line} {size}");
            }
            for (place, why) in [
                (TextPosition::Column(1, 10), "line 1 has 8 columns"),
                (TextPosition::Column(3, 2), "line 3 has 0 columns"),
                (TextPosition::Column(5, 3), "line 5 has 2 columns"),
                (TextPosition::Column(6, 1), "the file has 5 lines"),
                (TextPosition::Line(9), "the file has 5 lines"),
            ] {
                let expected = SearchResult::Beyond(why.to_owned());
                assert_eq!(find(text, place, size), expected, "{place} {size}");
            }
        }
    }
}
