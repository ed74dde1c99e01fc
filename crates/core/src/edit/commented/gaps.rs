//! The comments and trailing commas of a text, and the surroundings of an offset.

use std::ops::Range;

use super::ExcerptEdit;
use crate::edit::text::{Text, skip_white, value_end};
use crate::jsonc::comment_length;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    Line,
    Block,
    TrailingComma,
}

/// A comment or a trailing comma.
#[derive(Clone, Debug)]
pub(in crate::edit) struct CommentMark {
    pub(super) kind: MarkKind,
    pub(in crate::edit) span: Range<usize>,
}

/// The comments and trailing commas of a text, in order.
pub(in crate::edit) fn marks(text: &[u8], plain: &[u8]) -> Vec<CommentMark> {
    let mut marks = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == plain[at] {
            at += 1;
            continue;
        }
        let (kind, length) = match &text[at..] {
            [b',', ..] => (MarkKind::TrailingComma, 1),
            rest @ [b'/', b'*', ..] => (MarkKind::Block, comment_length(rest)),
            rest => (MarkKind::Line, comment_length(rest)),
        };
        let span = at..at + length;
        at = span.end;
        marks.push(CommentMark { kind, span });
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
    /// Nothing else is on the line.
    pub(super) is_last: bool,
}

impl ExcerptEdit<'_> {
    /// The comment or trailing comma that begins at an offset.
    pub(super) fn mark_at(&self, at: usize) -> Option<&CommentMark> {
        let found = self.marks.binary_search_by_key(&at, |mark| mark.span.start);
        found.ok().map(|number| &self.marks[number])
    }

    /// The comment or trailing comma that ends at an offset.
    pub(super) fn mark_before(&self, at: usize) -> Option<&CommentMark> {
        mark_before(&self.marks, at)
    }

    pub(super) fn marks_in(&self, span: &Range<usize>) -> &[CommentMark] {
        let start = self
            .marks
            .partition_point(|mark| mark.span.start < span.start);
        let end = self
            .marks
            .partition_point(|mark| mark.span.start < span.end);
        &self.marks[start..end.max(start)]
    }

    pub(super) fn has_comment(&self, span: &Range<usize>) -> bool {
        let comment = |mark: &CommentMark| mark.kind != MarkKind::TrailingComma;
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
                Some(mark) if mark.kind != MarkKind::TrailingComma => at = mark.span.start,
                _ => match self.text[at.checked_sub(1)?] {
                    b',' => return Some(at - 1),
                    byte if byte.is_ascii_whitespace() => at -= 1,
                    _ => return None,
                },
            }
        }
    }

    /// The comments after an offset on its line, and trailing commas in dialects that allow them.
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

    /// A line end in the style of the text, and the indentation of the line of an offset.
    pub(super) fn next_line(&self, at: usize) -> Vec<u8> {
        let start = self.line_start(at);
        let line = &self.text[start..];
        let indent = line.len() - line.trim_ascii_start().len();
        [self.line_end(), &line[..indent]].concat()
    }

    /// A line end in the style of the text.
    pub(super) fn line_end(&self) -> &'static [u8] {
        if self.around.has_crlf { b"\r\n" } else { b"\n" }
    }

    /// The start of a value with the comments directly before it on its line.
    pub(super) fn start_on_line(&self, start: usize) -> usize {
        let (mut at, mut first) = (start, start);
        loop {
            match self.mark_before(at) {
                Some(mark) if mark.kind == MarkKind::Block => {
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
        let before = self.text[..start].trim_ascii_end();
        let is_header = self.text[start..child].contains(&b'\n')
            && matches!(before.last(), Some(b'[' | b'{'))
            && self.mark_before(before.len()).is_none()
            && (self.around.heads)(child);
        if is_header {
            self.start_on_line(child)
        } else {
            start
        }
    }
}

fn mark_before(marks: &[CommentMark], at: usize) -> Option<&CommentMark> {
    let found = marks.binary_search_by_key(&at, |mark| mark.span.end);
    found.ok().map(|number| &marks[number])
}

/// The start of a child with all comments directly above it.
fn start_above(text: &[u8], marks: &[CommentMark], child: usize) -> usize {
    let (mut start, mut position) = (child, child);
    let mut breaks = 0;
    loop {
        match mark_before(marks, position) {
            Some(mark) if mark.kind != MarkKind::TrailingComma && breaks < 2 => {
                let (comment, kind) = (mark.span.start, mark.kind);
                let before = text[..comment].iter().rev();
                let before = before.copied().find(|byte| !b" \t".contains(byte));
                let own_line = before.is_none_or(is_break);
                if !own_line && (kind == MarkKind::Line || breaks > 0) {
                    return start;
                }
                (start, position, breaks) = (comment, comment, 0);
            }
            _ => match position.checked_sub(1).map(|before| text[before]) {
                Some(byte) if byte.is_ascii_whitespace() => {
                    breaks += usize::from(byte == b'\n');
                    position -= 1;
                }
                _ => return start,
            },
        }
    }
}

/// Whether the first child of a container is followed by others, and no comments are directly above any of those.
pub(in crate::edit) fn heads_others<T: Text + ?Sized>(text: &T, plain: &T, first: usize) -> bool {
    let end_from = |at: usize| value_end(plain, at, usize::MAX).unwrap_or(plain.length());
    let (mut at, mut has_others) = (first, false);
    loop {
        let mut next = skip_white(plain, end_from(at));
        if next < plain.length() && plain.byte(next) == b':' {
            next = skip_white(plain, end_from(skip_white(plain, next + 1)));
        }
        if next >= plain.length() || plain.byte(next) != b',' {
            return has_others;
        }
        at = skip_white(plain, next + 1);
        let gap = text.copy(next..at);
        let marks = marks(&gap, &plain.copy(next..at));
        if gap[start_above(&gap, &marks, gap.len())..].contains(&b'\n') {
            return false;
        }
        has_others = true;
    }
}
