//! The comments and trailing commas of a text, and the surroundings of an offset.

use std::ops::Range;

use super::ExcerptEdit;
use crate::edit::text::{Text, child_end, next_child, skip_white};
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

pub(super) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The text after a value on its line.
pub(super) struct Rest {
    /// The end of the last comment or comma there; the end of the value if there is none.
    pub(super) end: usize,
    /// Nothing else is on the line.
    pub(super) is_last: bool,
}

impl ExcerptEdit<'_> {
    /// The comment or trailing comma that ends at an offset.
    pub(super) fn mark_before(&self, at: usize) -> Option<&CommentMark> {
        let found = self.marks.binary_search_by_key(&at, |mark| mark.span.end);
        found.ok().map(|number| &self.marks[number])
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
    pub(super) fn comma_after(&self, at: usize) -> Option<usize> {
        let next = skip_white(self.plain, at);
        if self.plain.get(next) == Some(&b',') {
            return Some(next);
        }
        let mut marks = self.marks_in(&(at..next)).iter();
        let comma = marks.find(|mark| mark.kind == MarkKind::TrailingComma);
        comma.map(|comma| comma.span.start)
    }

    /// The comments after an offset on its line, and trailing commas in dialects that allow them.
    pub(super) fn rest_of_line(&self, from: usize) -> Rest {
        let mut end = from;
        loop {
            let spaces = self.text[end..].iter().take_while(|byte| is_space(byte));
            let at = end + spaces.count();
            match self.marks_in(&(at..at + 1)).first() {
                Some(mark) => end = mark.span.end,
                None => {
                    let is_last = self.text.get(at).is_none_or(|&byte| is_break(byte));
                    return Rest { end, is_last };
                }
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
        let mut first = start;
        loop {
            let spaces = self.text[..first].iter().rev();
            let spaces = spaces.take_while(|byte| is_space(byte)).count();
            match self.mark_before(first - spaces) {
                Some(mark) if mark.kind == MarkKind::Block => first = mark.span.start,
                _ => return first,
            }
        }
    }

    /// The start of a child with the comments directly above it: those on lines of their own without an empty line between,
    /// except for the header of its object.
    pub(super) fn start_above(&self, child: usize) -> usize {
        let start = start_above(self.text, &self.marks, child);
        let before = self.text[..start].trim_ascii_end();
        let is_header = self.text[start..child].contains(&b'\n')
            && before.last() == Some(&b'{')
            && self.mark_before(before.len()).is_none()
            && (self.around.heads)(child);
        if is_header {
            self.start_on_line(child)
        } else {
            start
        }
    }
}

/// The start of a child with all comments directly above it.
fn start_above(text: &[u8], marks: &[CommentMark], child: usize) -> usize {
    let mut start = child;
    let before = marks.partition_point(|mark| mark.span.end <= child);
    for mark in marks[..before].iter().rev() {
        let gap = &text[mark.span.end..start];
        let breaks = memchr::memchr_iter(b'\n', gap).count();
        let mut line = text[..mark.span.start].iter().rev();
        let own_line = line
            .find(|byte| !is_space(byte))
            .is_none_or(|&byte| is_break(byte));
        let is_above = match mark.kind {
            MarkKind::Line => own_line,
            MarkKind::Block => own_line || breaks == 0,
            MarkKind::TrailingComma => false,
        };
        if !is_above || breaks > 1 || !is_blank(gap) {
            break;
        }
        start = mark.span.start;
    }
    start
}

/// Whether the first child of a container is followed by others, and no comments are beside any of those.
pub(in crate::edit) fn heads_others<T: Text + ?Sized>(text: &T, plain: &T, first: usize) -> bool {
    let (mut end, mut has_others) = (child_end(plain, first), false);
    while let Some(next) = next_child(plain, end) {
        // The comments after the first child on its line are its own.
        let own = match has_others {
            true => end,
            false => {
                let gap = text.copy(end..next);
                let line = memchr::memchr(b'\n', &gap).unwrap_or(gap.len());
                end + line
            }
        };
        if has_comment(text, plain, own..next) {
            return false;
        }
        (end, has_others) = (child_end(plain, next), true);
    }
    let close = skip_white(plain, end);
    let after = text.copy(end..close);
    let line = memchr::memchr(b'\n', &after).unwrap_or(after.len());
    has_others && !has_comment(text, plain, end..end + line)
}

fn has_comment<T: Text + ?Sized>(text: &T, plain: &T, span: Range<usize>) -> bool {
    let marks = marks(&text.copy(span.clone()), &plain.copy(span));
    marks
        .iter()
        .any(|mark| mark.kind != MarkKind::TrailingComma)
}
