//! Places as people write them, and where they are in a text that passes by.

use std::fmt;

use memchr::memchr2;

/// A place in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes from the start.
    Offset(u64),
    /// A line, counted from 1: the first thing on it.
    Line(u64),
    /// A line and a column, both counted from 1; columns are code points.
    Column(u64, u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Offset(offset) => write!(f, "byte {offset}"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Column(line, column) => write!(f, "line {line}, column {column}"),
        }
    }
}

/// `FILE:LINE:COL` or `FILE:LINE`; a colon behind them, as compilers print it, does no harm.
pub fn parse(text: &[u8]) -> Option<(&[u8], Place)> {
    let text = text.strip_suffix(b":").unwrap_or(text);
    let (rest, last) = number(text)?;
    let (file, place) = match number(rest) {
        Some((_, 0)) => return None,
        Some((file, line)) => (file, Place::Column(line, last)),
        None => (rest, Place::Line(last)),
    };
    (last > 0 && !file.is_empty()).then_some((file, place))
}

/// What stands before the last colon, and the number behind it.
fn number(text: &[u8]) -> Option<(&[u8], u64)> {
    let colon = memchr::memrchr(b':', text)?;
    let digits = std::str::from_utf8(&text[colon + 1..]).ok()?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = digits.parse().ok()?;
    plain.then_some((&text[..colon], number))
}

/// Where a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// At this offset.
    At(u64),
    /// Nowhere, and why.
    Beyond(String),
}

/// Looks for a place in a text that passes by.
///
/// Lines end with LF, CRLF or CR, as in our messages. The end of a line is a column of it: that is where a cursor can
/// stand.
pub struct Finder {
    place: Place,
    found: Option<Found>,
    /// The offset of the first byte that has not been looked at.
    seen: u64,
    /// The line that it is on, from 1.
    line: u64,
    /// Where that line begins.
    begin: u64,
    /// How many code points of that line begin before it.
    columns: u64,
    /// The byte before it is a CR, which ends a line unless it is the first half of a CRLF.
    behind_return: bool,
}

impl Finder {
    pub fn new(place: Place) -> Finder {
        Finder {
            place,
            found: match place {
                Place::Offset(offset) => Some(Found::At(offset)),
                _ => None,
            },
            seen: 0,
            line: 1,
            begin: 0,
            columns: 0,
            behind_return: false,
        }
    }

    /// What is known so far.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// Looks at what is new in some bytes, the first of which stands at `offset`.
    pub fn look(&mut self, offset: u64, bytes: &[u8]) {
        // A byte-order mark has no column, and no window.
        self.seen = self.seen.max(offset);
        let mut bytes = bytes
            .get((self.seen - offset) as usize..)
            .unwrap_or_default();
        while let (None, false) = (&self.found, bytes.is_empty()) {
            let taken = match std::mem::take(&mut self.behind_return) {
                // The line has been ended by the CR.
                true if bytes[0] == b'\n' => {
                    self.begin += 1;
                    1
                }
                _ if self.line < self.wanted() => self.pass(bytes),
                _ => self.on_line(bytes),
            };
            self.seen += taken as u64;
            bytes = &bytes[taken..];
        }
    }

    fn wanted(&self) -> u64 {
        match self.place {
            Place::Offset(_) => 0,
            Place::Line(line) | Place::Column(line, _) => line,
        }
    }

    /// Passes over a line that is not the one; how many bytes that are.
    fn pass(&mut self, bytes: &[u8]) -> usize {
        let Some(end) = memchr2(b'\n', b'\r', bytes) else {
            return bytes.len();
        };
        self.line += 1;
        self.begin = self.seen + end as u64 + 1;
        self.behind_return = bytes[end] == b'\r';
        end + 1
    }

    /// Looks for the place on its line.
    fn on_line(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            let here = Some(Found::At(self.seen + at as u64));
            let ends = matches!(byte, b'\n' | b'\r');
            match self.place {
                Place::Line(_) if !matches!(byte, b' ' | b'\t') => self.found = here,
                Place::Column(_, wanted) if !(0x80..0xC0).contains(&byte) => {
                    self.columns += 1;
                    if self.columns == wanted {
                        self.found = here;
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

    fn beyond(&self) -> Found {
        let (line, columns) = (self.line, self.columns);
        Found::Beyond(match columns {
            1 => format!("line {line} has 1 column"),
            _ => format!("line {line} has {columns} columns"),
        })
    }

    /// The text has ended.
    pub fn end(self) -> Found {
        match (&self.found, self.place) {
            (Some(found), _) => found.clone(),
            (None, Place::Line(wanted) | Place::Column(wanted, _)) if self.line < wanted => {
                // What stands behind the last line feed is a line only if it is something.
                let empty = self.seen == self.begin && self.line > 1;
                Found::Beyond(match self.line - u64::from(empty) {
                    1 => "there is 1 line".to_owned(),
                    lines => format!("there are {lines} lines"),
                })
            }
            (None, _) => self.beyond(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::position::locate;

    #[test]
    fn places_are_read_from_the_end() {
        for (text, file, place) in [
            ("a.json:4:14", "a.json", Place::Column(4, 14)),
            ("a.json:4:14:", "a.json", Place::Column(4, 14)),
            ("a.json:4", "a.json", Place::Line(4)),
            ("C:\\a:b.json:1:2", "C:\\a:b.json", Place::Column(1, 2)),
            ("a:1:2:3", "a:1", Place::Column(2, 3)),
            ("-:1:1", "-", Place::Column(1, 1)),
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
        // Somebody counts from 0. That a file is called `a:0` is less likely.
        assert_eq!(parse(b"a:0:5"), None);
        assert_eq!(parse(b"a:5:0"), None);
    }

    fn find(text: &[u8], place: Place, size: usize) -> Found {
        let mut finder = Finder::new(place);
        for (number, piece) in text.chunks(size).enumerate() {
            finder.look((number * size) as u64, piece);
        }
        finder.end()
    }

    #[test]
    fn the_end_of_the_last_line_begins_no_other() {
        for (text, why) in [
            ("[1]", "there is 1 line"),
            ("[1]\n", "there is 1 line"),
            ("[\n1]\r\n", "there are 2 lines"),
            ("[\r\n1]\n\n", "there are 3 lines"),
            ("", "there is 1 line"),
        ] {
            for size in [1, 2, 100] {
                let found = find(text.as_bytes(), Place::Line(9), size);
                assert_eq!(found, Found::Beyond(why.to_owned()), "{text:?}");
            }
        }
    }

    #[test]
    fn every_place_is_found_where_messages_put_it() {
        let text = "{\"é\": 1,\r\n \"\u{1F600}b\":\t2,\r\r\"c\":\n3}".as_bytes();
        for size in [1, 2, 3, 7, 100] {
            for at in 0..text.len() {
                let inside = (0x80..0xC0).contains(&text[at]);
                if inside || text[at] == b'\n' && at > 0 && text[at - 1] == b'\r' {
                    continue;
                }
                let position = locate(text, at);
                let place = Place::Column(position.line, position.column);
                assert_eq!(
                    find(text, place, size),
                    Found::At(at as u64),
                    "{place} {size}"
                );
            }
            for (line, at) in [(1, 0), (2, 12), (3, 24), (4, 25), (5, 30)] {
                let found = find(text, Place::Line(line), size);
                assert_eq!(found, Found::At(at), "{line} {size}");
            }
            for (place, why) in [
                (Place::Column(1, 10), "line 1 has 8 columns"),
                (Place::Column(3, 2), "line 3 has 0 columns"),
                (Place::Column(5, 3), "line 5 has 2 columns"),
                (Place::Column(6, 1), "there are 5 lines"),
                (Place::Line(9), "there are 5 lines"),
            ] {
                let expected = Found::Beyond(why.to_owned());
                assert_eq!(find(text, place, size), expected, "{place} {size}");
            }
        }
    }
}
