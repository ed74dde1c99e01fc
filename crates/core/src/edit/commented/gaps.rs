//! The comments and trailing commas of a text, and what is around an offset.

use std::ops::Range;

use super::Edit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Block,
    TrailingComma,
}

/// A comment or a trailing comma.
#[derive(Clone, Debug)]
pub(in crate::edit) struct Mark {
    pub(super) kind: Kind,
    pub(in crate::edit) span: Range<usize>,
}

/// The comments and trailing commas of a text, in their order.
pub(in crate::edit) fn marks(text: &[u8], plain: &[u8]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == plain[at] {
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let (kind, length) = match rest {
            [b',', ..] => (Kind::TrailingComma, Some(1)),
            [b'/', b'*', ..] => {
                let end = memchr::memmem::find(&rest[2..], b"*/");
                (Kind::Block, end.map(|end| end + 4))
            }
            _ => (Kind::Line, memchr::memchr2(b'\n', b'\r', rest)),
        };
        let span = at..at + length.unwrap_or(rest.len());
        at = span.end;
        marks.push(Mark { kind, span });
    }
    marks
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty()
}

pub(super) fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The text after a value on its line.
pub(super) struct Rest {
    /// The end of the last comment or comma there; the end of the value if there is none.
    pub(super) end: usize,
    /// The line ends after that.
    pub(super) is_last: bool,
}

impl Edit<'_> {
    /// The comment or trailing comma that begins at an offset.
    pub(super) fn mark_at(&self, at: usize) -> Option<&Mark> {
        let found = self.marks.binary_search_by_key(&at, |mark| mark.span.start);
        found.ok().map(|number| &self.marks[number])
    }

    /// The one that ends there.
    pub(super) fn mark_before(&self, at: usize) -> Option<&Mark> {
        mark_before(&self.marks, at)
    }

    pub(super) fn marks_in(&self, span: &Range<usize>) -> &[Mark] {
        let start = self
            .marks
            .partition_point(|mark| mark.span.start < span.start);
        let end = self
            .marks
            .partition_point(|mark| mark.span.start < span.end);
        &self.marks[start..end.max(start)]
    }

    pub(super) fn has_comment(&self, span: &Range<usize>) -> bool {
        let comment = |mark: &Mark| mark.kind != Kind::TrailingComma;
        self.marks_in(span).iter().any(comment)
    }

    /// The offset of the next comma of a container after a value, trailing or not.
    pub(super) fn comma_after(&self, mut at: usize) -> Option<usize> {
        loop {
            match *self.text.get(at)? {
                b',' => return Some(at),
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => at = self.mark_at(at)?.span.end,
            }
        }
    }

    pub(super) fn comma_before(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.mark_before(at) {
                Some(mark) if mark.kind != Kind::TrailingComma => at = mark.span.start,
                _ => match self.text[at.checked_sub(1)?] {
                    b',' => return Some(at - 1),
                    byte if byte.is_ascii_whitespace() => at -= 1,
                    _ => return None,
                },
            }
        }
    }

    /// The comments after an offset on its line, and trailing commas if they count.
    pub(super) fn rest_of_line(&self, from: usize) -> Rest {
        let (mut at, mut end) = (from, from);
        loop {
            match self.text.get(at) {
                None => return Rest { end, is_last: true },
                Some(&byte) if is_break(byte) => return Rest { end, is_last: true },
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(_) => match self.mark_at(at) {
                    Some(mark) => {
                        at = mark.span.end;
                        end = at;
                    }
                    None => {
                        return Rest {
                            end,
                            is_last: false,
                        };
                    }
                },
            }
        }
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        let found = self.text[..at].iter().rposition(|&byte| is_break(byte));
        found.map_or(0, |at| at + 1)
    }

    /// A line end as the text has them, and the white space at the start of the line of an offset.
    pub(super) fn next_line(&self, at: usize) -> Vec<u8> {
        let start = self.line_start(at);
        let line = &self.text[start..];
        let indent = line.len() - line.trim_ascii_start().len();
        [self.line_end(), &line[..indent]].concat()
    }

    /// A line end as the text has them.
    pub(super) fn line_end(&self) -> &'static [u8] {
        match memchr::memmem::find(self.text, b"\r\n") {
            Some(_) => b"\r\n",
            None => b"\n",
        }
    }

    /// The start of a value with the comments directly before it on its line.
    pub(super) fn start_on_line(&self, start: usize) -> usize {
        let (mut at, mut first) = (start, start);
        loop {
            match self.mark_before(at) {
                Some(mark) if mark.kind == Kind::Block => {
                    at = mark.span.start;
                    first = at;
                }
                _ => match at.checked_sub(1).map(|before| self.text[before]) {
                    Some(b' ' | b'\t') => at -= 1,
                    _ => return first,
                },
            }
        }
    }

    /// The start of a child with the comments directly above it: those on lines of their own without an empty line between,
    /// except for the header of its container.
    pub(super) fn start_above(&self, child: usize) -> usize {
        let start = start_above(self.text, &self.marks, child);
        let headers = self
            .headers
            .get_or_init(|| headers(self.text, self.plain, &self.marks));
        match headers.binary_search(&start) {
            Ok(_) => self.start_on_line(child),
            Err(_) => start,
        }
    }
}

fn mark_before(marks: &[Mark], at: usize) -> Option<&Mark> {
    let found = marks.binary_search_by_key(&at, |mark| mark.span.end);
    found.ok().map(|number| &marks[number])
}

/// The start of a child with all comments directly above it.
fn start_above(text: &[u8], marks: &[Mark], child: usize) -> usize {
    let (mut start, mut place) = (child, child);
    let mut breaks = 0;
    loop {
        match mark_before(marks, place) {
            Some(mark) if mark.kind != Kind::TrailingComma && breaks < 2 => {
                let (comment, kind) = (mark.span.start, mark.kind);
                let before = text[..comment].iter().rev();
                let before = before.copied().find(|byte| !b" \t".contains(byte));
                let own_line = before.is_none_or(is_break);
                if !own_line && (kind == Kind::Line || breaks > 0) {
                    return start;
                }
                (start, place, breaks) = (comment, comment, 0);
            }
            _ => match place.checked_sub(1).map(|before| text[before]) {
                Some(byte) if byte.is_ascii_whitespace() => {
                    breaks += usize::from(byte == b'\n');
                    place -= 1;
                }
                _ => return start,
            },
        }
    }
}

/// The starts of the comments that head a container: those above its first child, if there are others, and no other
/// comments are above any of them or after the opening bracket. One pass over the text.
fn headers(text: &[u8], plain: &[u8], marks: &[Mark]) -> Vec<usize> {
    struct Open {
        header: Option<usize>,
        children: usize,
        has_others: bool,
    }
    let mut headers = Vec::new();
    let mut containers: Vec<Open> = Vec::new();
    let (mut inside, mut escaped, mut begins) = (false, false, false);
    for (at, &byte) in plain.iter().enumerate() {
        if inside {
            inside = byte != b'"' || escaped;
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        if byte.is_ascii_whitespace() {
            continue;
        }
        if begins
            && byte != b']'
            && byte != b'}'
            && let Some(open) = containers.last_mut()
        {
            let start = start_above(text, marks, at);
            let is_above = text[start..at].contains(&b'\n');
            let first = open.children == 0;
            let before = text[..start].trim_ascii_end();
            match is_above {
                true if first && matches!(before.last(), Some(b'[' | b'{')) => {
                    open.header = mark_before(marks, before.len()).is_none().then_some(start);
                }
                true if !first => open.has_others = true,
                _ => {}
            }
            open.children += 1;
        }
        begins = matches!(byte, b'[' | b'{' | b',');
        match byte {
            b'"' => inside = true,
            b'[' | b'{' => containers.push(Open {
                header: None,
                children: 0,
                has_others: false,
            }),
            b']' | b'}' => {
                if let Some(open) = containers.pop()
                    && open.children > 1
                    && !open.has_others
                {
                    headers.extend(open.header);
                }
            }
            _ => {}
        }
    }
    headers.sort_unstable();
    headers
}
