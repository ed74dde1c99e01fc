//! Applies replacements to a text with comments that were found in the same text without comments.
//!
//! A comment inside a value, or after it on its line, belongs to the value. Comments directly above it belong to it when a
//! value is inserted before it or when it is moved; when it is removed, they stay, unless the editor is to remove them too. A
//! comma comes right after a value, before its comments.
//!
//! ```text
//! text    [⏎  1, // one⏎  2 // two⏎]        append 3
//! plain   [⏎  1,       ⏎  2       ⏎]        splice: `,⏎  3` after the 2
//! result  [⏎  1, // one⏎  2, // two⏎  3⏎]
//! ```

mod add;
pub(super) mod gaps;
mod remove;

use crate::order::sort_by_place;
use std::ops::Range;

use self::gaps::{CommentMark, MarkKind, is_blank, is_break, is_space, marks};
use super::text::{child_value, same_tokens, skip_white};
use crate::jsonc::{Dialect, blank};
use crate::splice::Splices;

/// The comments and commas of a text, and those that are removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) dialect: Dialect,
    /// Whether removing a value also removes the comments directly above it.
    pub(super) removes_above: bool,
}

/// Queries about the whole text.
pub(super) struct Around<'t> {
    /// Whether comments above the first child, which begins at an offset, head its container.
    pub(super) heads: &'t dyn Fn(usize) -> bool,
    pub(super) has_marks: bool,
    pub(super) has_crlf: bool,
}

/// An edit of an excerpt of a text with the tokens around it.
pub(super) struct ExcerptEdit<'t> {
    options: Options,
    text: &'t [u8],
    plain: &'t [u8],
    marks: Vec<CommentMark>,
    around: Around<'t>,
    /// Spans and their replacements.
    changes: Vec<(Range<usize>, Vec<u8>)>,
    /// The children that were removed.
    removed: Vec<Removed>,
    /// The children that were added.
    added: Vec<Added>,
}

/// An excerpt after an edit.
pub(super) struct Made {
    pub(super) splices: Splices,
    pub(super) text: Vec<u8>,
    /// The same text without comments.
    pub(super) plain: Vec<u8>,
    /// The comments that were removed with removed or replaced values, in order.
    pub(super) dropped: Vec<String>,
}

/// A removed child, the lines of comments directly above it, and the comments after it on its line.
struct Removed {
    above: Option<Range<usize>>,
    child: Range<usize>,
    comments: Range<usize>,
}

/// An added child: the index of the change, and the span of its text in it.
struct Added {
    change: usize,
    child: Range<usize>,
    /// The position for comments after it.
    end: usize,
}

/// The span between white space and commas at both ends.
fn inner(bytes: &[u8]) -> Range<usize> {
    let is_inside = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b',';
    let start = bytes.iter().position(is_inside).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(is_inside);
    start..end.map_or(start, |end| end + 1)
}

/// Removes the spaces that replaced a comment beside copied text: those at the end of a line and before a comma.
fn without_blanks(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end: &[u8] = match line {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\n'] => b"\n",
            _ => b"",
        };
        let line = match end {
            b"" => line,
            _ => line.trim_ascii_end(),
        };
        let (mut inside, mut escaped) = (false, false);
        for &byte in line {
            let spaces = lines.iter().rev().take_while(|byte| **byte == b' ').count();
            let kept = lines.len() - spaces;
            if byte == b',' && !inside && spaces > 1 && !lines[..kept].ends_with(b"\n") {
                lines.truncate(kept);
            }
            inside ^= byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            lines.push(byte);
        }
        lines.extend_from_slice(end);
    }
    lines
}

impl<'t> ExcerptEdit<'t> {
    pub(super) fn new(
        text: &'t [u8],
        plain: &'t [u8],
        options: Options,
        around: Around<'t>,
    ) -> ExcerptEdit<'t> {
        ExcerptEdit {
            options,
            text,
            plain,
            marks: marks(text, plain),
            around,
            changes: Vec::new(),
            removed: Vec::new(),
            added: Vec::new(),
        }
    }

    /// `None` if a comment is ambiguous.
    pub(super) fn make(mut self, splices: &Splices) -> Option<Made> {
        for (span, new) in splices.iter() {
            self.splice(span, new)?;
        }
        let (made, dropped) = self.finish();
        let text = made.apply(self.text);
        // Without comments, the result must be the edited plain text.
        let mut plain = text.clone();
        blank(&mut plain, self.options.dialect).ok()?;
        let expected = splices.apply(self.plain);
        same_tokens(&plain[..], 0..plain.len(), &expected).then_some(Made {
            splices: made,
            text,
            plain,
            dropped,
        })
    }

    fn splice(&mut self, span: Range<usize>, new: &[u8]) -> Option<()> {
        let new = without_blanks(new);
        let old = &self.plain[span.clone()];
        let (old_value, new_value) = (inner(old), inner(&new));
        let (before, child, after) = (
            &new[..new_value.start],
            &new[new_value.clone()],
            &new[new_value.end..],
        );
        if old_value.is_empty() {
            match (memchr::memchr(b',', before), memchr::memchr(b',', after)) {
                (Some(comma), _) => self.append(span.start, child, &before[comma + 1..]),
                (None, Some(comma)) => self.insert(span.end, child, &after[comma + 1..]),
                (None, None) => self.first(span, &new)?,
            }
            return Some(());
        }
        if child.is_empty() {
            return self.delete(span);
        }
        // The common text around the value is kept.
        let commas = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b',').count();
        if commas(&old[..old_value.start]) != commas(before)
            || commas(&old[old_value.end..]) != commas(after)
        {
            return self.exact(span, &new);
        }
        let value = span.start + old_value.start..span.start + old_value.end;
        let emptied = matches!((child, old[old_value.start]), (b"{}", b'{') | (b"[]", b'['));
        if emptied && self.has_comment(&value) {
            return self.delete(value.start + 1..value.end - 1);
        }
        self.replace(value, child);
        Some(())
    }

    /// Replaces a value or a member. Equal bytes at both ends are kept, with their comments.
    fn replace(&mut self, span: Range<usize>, new: &[u8]) {
        let old = &self.plain[span.clone()];
        let inside = |at: usize| {
            let found = self.marks.partition_point(|mark| mark.span.end <= at);
            let mark = self.marks.get(found).map(|mark| mark.span.clone());
            mark.filter(|mark| mark.start < at)
        };
        let equal = old.iter().zip(new).take_while(|(old, new)| old == new);
        let mut start = span.start + equal.count();
        start = inside(start).map_or(start, |mark| mark.start.max(span.start));
        // Text after a line comment would become part of it.
        match self.mark_before(start) {
            Some(mark) if mark.kind == MarkKind::Line => start = mark.span.start.max(span.start),
            _ => {}
        }
        let longest = (span.end - start).min(new.len() - (start - span.start));
        let equal = old.iter().rev().zip(new.iter().rev()).take(longest);
        let mut end = span.end - equal.take_while(|(old, new)| old == new).count();
        end = inside(end).map_or(end, |mark| mark.end.min(span.end));
        let new = &new[start - span.start..new.len() - (span.end - end)];
        self.changes.push((start..end, new.to_vec()));
    }

    /// A replacement of a span without comments.
    fn exact(&mut self, span: Range<usize>, new: &[u8]) -> Option<()> {
        let is_free = self.text[span.clone()] == self.plain[span.clone()]
            && self.rest_of_line(span.end).end == span.end;
        is_free.then(|| self.changes.push((span, new.to_vec())))
    }

    /// Moves comments along with a moved value.
    fn carry(&mut self) -> Vec<Range<usize>> {
        let ([removed], [added]) = (&self.removed[..], &self.added[..]) else {
            return Vec::new();
        };
        let new = &self.changes[added.change].1;
        let value = child_value(self.plain, removed.child.start)..removed.child.end;
        let target = child_value(&new[..], added.child.start)..added.child.end;
        if !same_tokens(self.plain, value.clone(), &new[target.clone()]) {
            return Vec::new();
        }
        let commented = self.with_comments(&value, &new[target.clone()]);
        let mut carried = Vec::new();
        let mut moved = new.clone();
        let follows = self.text.get(self.changes[added.change].0.end);
        let ends_line = follows.is_none_or(|&byte| is_break(byte));
        let has_line = |mark: &CommentMark| mark.kind == MarkKind::Line;
        let comments = self.marks_in(&removed.comments);
        if !comments.iter().any(has_line) || ends_line || new[added.end..].starts_with(b"\n") {
            let texts = comments
                .iter()
                .filter(|mark| mark.kind != MarkKind::TrailingComma);
            let texts: Vec<_> = texts.map(|mark| &self.text[mark.span.clone()]).collect();
            if !texts.is_empty() {
                let texts = [b" ", &texts.join(&b' ')[..]].concat();
                moved.splice(added.end..added.end, texts);
            }
            carried.push(removed.comments.clone());
        }
        if let Some(commented) = commented {
            moved.splice(target, commented);
            carried.push(value);
        }
        if let Some(above) = &removed.above {
            // They are removed if there is no line for them.
            if let Some(comments) = self.above_new_line(above, added) {
                moved.splice(added.child.start..added.child.start, comments);
                carried.push(above.clone());
            }
            if !self.options.removes_above {
                self.changes.push((above.clone(), Vec::new()));
            }
        }
        let change = added.change;
        self.changes[change].1 = moved;
        carried
    }

    /// A copy of a value that differs in white space only, with the comments and trailing commas of the value; `None` if a line
    /// comment would not end at a line end.
    fn with_comments(&self, value: &Range<usize>, copy: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(value.len());
        let (mut old, mut new) = (value.start, 0);
        let mut in_string = false;
        while old < value.end {
            let byte = self.plain[old];
            if in_string || !byte.is_ascii_whitespace() {
                let escaped = in_string && byte == b'\\';
                in_string ^= byte == b'"';
                let length = 1 + usize::from(escaped);
                out.extend_from_slice(copy.get(new..new + length)?);
                (old, new) = (old + length, new + length);
                continue;
            }
            let gap = old..skip_white(self.plain, old).min(value.end);
            let copied = skip_white(copy, new);
            if self.marks_in(&gap).is_empty() {
                out.extend_from_slice(&copy[new..copied]);
            } else {
                self.indented(&gap, &copy[new..copied], &mut out)?;
            }
            (old, new) = (gap.end, copied);
        }
        (new == copy.len()).then_some(out)
    }

    /// Appends a gap with its comments. Its lines are indented as those of a copy of the gap without comments.
    fn indented(&self, gap: &Range<usize>, copy: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let last_line = |gap: &[u8]| {
            gap.iter()
                .rposition(|&byte| is_break(byte))
                .map(|at| at + 1)
        };
        let marks = self.marks_in(gap);
        let (plain, own) = (&self.plain[gap.clone()], &self.text[gap.clone()]);
        let (Some(from), Some(to)) = (last_line(plain), last_line(copy)) else {
            // On one line, where no line comment can be.
            let has_line = marks.iter().any(|mark| mark.kind == MarkKind::Line);
            return (!has_line).then(|| out.extend_from_slice(own));
        };
        let spaces = own[from..].iter().take_while(|byte| is_space(byte)).count();
        // Spaces in the place of comments before the next token.
        let blanks = plain.len() - from - spaces;
        let old = &own[from..from + spaces];
        let new = &copy[to..copy.len().saturating_sub(blanks).max(to)];
        let mut at = gap.start;
        while at < gap.end {
            if let Some(mark) = self.marks_in(&(at..at + 1)).first() {
                out.extend_from_slice(&self.text[mark.span.clone()]);
                at = mark.span.end;
                continue;
            }
            out.push(self.text[at]);
            at += 1;
            if self.text[at - 1] == b'\n' {
                let line = &self.text[at..gap.end];
                let indent = line.iter().take_while(|byte| is_space(byte)).count();
                out.extend_from_slice(new);
                out.extend_from_slice(line[..indent].strip_prefix(old).unwrap_or_default());
                at += indent;
            }
        }
        Some(())
    }

    /// Comments for the position above an added child, each on its own line; `None` if the child does not begin a line.
    fn above_new_line(&self, above: &Range<usize>, added: &Added) -> Option<Vec<u8>> {
        let (span, new) = &self.changes[added.change];
        let line = &self.text[self.line_start(span.start)..span.start];
        let before = [line, &new[..added.child.start]].concat();
        let start = before.iter().rposition(|&byte| is_break(byte));
        let indent = &before[start.map_or(0, |at| at + 1)..];
        if !is_blank(indent) {
            return None;
        }
        let end = self.line_end();
        let mut comments = Vec::new();
        for mark in self.marks_in(above) {
            comments.extend_from_slice(&self.text[mark.span.clone()]);
            comments.extend_from_slice(end);
            comments.extend_from_slice(indent);
        }
        Some(comments)
    }

    /// The changes in the order of the text, and the comments that are removed.
    fn finish(&mut self) -> (Splices, Vec<String>) {
        let carried = self.carry();
        let is_carried =
            |mark: &&CommentMark| carried.iter().any(|span| span.contains(&mark.span.start));
        let mut changes = std::mem::take(&mut self.changes);
        sort_by_place(&mut changes, |(span, _)| (span.start, span.end));
        let mut dropped = Vec::new();
        let mut made: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        for (span, new) in changes {
            let at = made.last().map_or(0, |(last, _)| last.end);
            // Skips a comma that was removed with its line.
            let mut span = span.start.max(at)..span.end.max(at);
            let removed = self.marks_in(&span).iter();
            let removed =
                removed.filter(|mark| mark.kind != MarkKind::TrailingComma && !is_carried(mark));
            let text =
                |mark: &CommentMark| String::from_utf8_lossy(&self.text[mark.span.clone()]).into();
            dropped.extend(removed.map(text));
            if new.is_empty()
                && let Some((emptied, count)) = self.emptied(&made, &span)
            {
                made.truncate(count);
                span = emptied;
            }
            made.push((span, new));
        }
        let mut splices = Splices::default();
        for (span, new) in made {
            splices.push(span, &new);
        }
        (splices, dropped)
    }

    /// The white space and removed text between the brackets of a container that has nothing else once a span is removed, and
    /// the number of changes before it.
    fn emptied(
        &self,
        changes: &[(Range<usize>, Vec<u8>)],
        span: &Range<usize>,
    ) -> Option<(Range<usize>, usize)> {
        let trimmed = |at: usize| self.text[..at].trim_ascii_end().len();
        let (mut start, mut count) = (trimmed(span.start), changes.len());
        while let Some((last, new)) = changes[..count].last()
            && last.end >= start
        {
            if !is_blank(new) {
                return None;
            }
            start = trimmed(last.start);
            count -= 1;
        }
        let rest = self.text[span.end..].trim_ascii_start();
        let is_empty = matches!(self.text[..start].last(), Some(b'[' | b'{'))
            && self.mark_before(start).is_none()
            && matches!(rest.first(), Some(b']' | b'}'));
        is_empty.then(|| (start..self.text.len() - rest.len(), count))
    }
}
