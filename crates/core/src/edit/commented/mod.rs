//! Applies replacements to a text with comments that were found in the same text without comments.
//!
//! A comment inside a value, or after it on its line, belongs to the value. Comments directly above it belong to it when a
//! value is inserted before it or when it is moved; when it is removed, they stay, unless [`CommentedOptions`] say otherwise. A
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

use self::gaps::{Kind, Mark, heads_others, is_blank, is_break, marks};
use super::text::same_tokens;
use crate::jsonc::{Dialect, blank};
use crate::splice::Splices;

/// A text with comments after an edit: see [`Splices::apply_commented`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::jsonc::{Dialect, blank};
///
/// let text = b"{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}\n";
/// let mut plain = text.to_vec();
/// blank(&mut plain, Dialect::Jsonc)?;
/// let splices = Document::parse(&plain)?.edit().delete("/a").unwrap().splices();
/// let edited = splices.apply_commented(text, &plain, Dialect::Jsonc).unwrap();
/// assert_eq!(edited.text, b"{\n  \"b\": 2, // two\n}\n");
/// assert_eq!(edited.dropped, ["// one"]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commented {
    /// The new text.
    pub text: Vec<u8>,
    /// The comments that were removed with removed or replaced values, in order.
    pub dropped: Vec<String>,
}

/// Options for comments in edits. A [`Dialect`] converts into them.
///
/// ```
/// use jsonx_core::edit::CommentedOptions;
/// use jsonx_core::jsonc::Dialect;
///
/// let options = CommentedOptions::from(Dialect::Jsonc);
/// assert_ne!(options, options.removes_above(true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Fields that the program reads are hidden: options are set by methods.
pub struct CommentedOptions {
    /// The comments and commas of the text.
    #[doc(hidden)]
    pub dialect: Dialect,
    pub(crate) removes_above: bool,
}

impl CommentedOptions {
    /// Sets whether removing a value also removes the comments directly above it: those on lines of their own without an empty
    /// line between. Comments above the first of several children are the header of the container, and stay, if no other child
    /// has comments and none follow the opening bracket. By default, all comments stay.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::CommentedOptions;
    /// use jsonx_core::jsonc::{Dialect, blank};
    ///
    /// let text = b"{\n  \"a\": 1,\n  // two\n  \"b\": 2\n}\n";
    /// let mut plain = text.to_vec();
    /// blank(&mut plain, Dialect::Jsonc)?;
    /// let splices = Document::parse(&plain)?.edit().delete("/b").unwrap().splices();
    /// let options = CommentedOptions::from(Dialect::Jsonc).removes_above(true);
    /// let edited = splices.apply_commented(text, &plain, options).unwrap();
    /// assert_eq!(edited.text, b"{\n  \"a\": 1\n}\n");
    /// assert_eq!(edited.dropped, ["// two"]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn removes_above(mut self, removes: bool) -> Self {
        self.removes_above = removes;
        self
    }
}

impl From<Dialect> for CommentedOptions {
    fn from(dialect: Dialect) -> Self {
        Self {
            dialect,
            removes_above: false,
        }
    }
}

impl Splices {
    /// Applies replacements that were found in `plain` to `text`, which is the same text with comments and trailing commas: see
    /// [`blank`](crate::jsonc::blank).
    ///
    /// All comments are kept, except those that belong to a removed value: after it on its line, inside it, and, with
    /// [`removes_above`](CommentedOptions::removes_above), directly above it. A moved value takes all of these along. `None` if
    /// a comment is ambiguous in an edit of several values at once; then make the edits one by one.
    ///
    /// Takes a few passes over the text, and memory for it and its comments.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::jsonc::{Dialect, blank};
    ///
    /// let text = b"[\n  1, // one\n  // about two\n  2 // two\n]\n";
    /// let mut plain = text.to_vec();
    /// blank(&mut plain, Dialect::Jsonc)?;
    /// let splices = Document::parse(&plain)?.edit().append("", "3").unwrap().splices();
    /// let edited = splices.apply_commented(text, &plain, Dialect::Jsonc).unwrap();
    /// assert_eq!(edited.text, b"[\n  1, // one\n  // about two\n  2, // two\n  3\n]\n");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn apply_commented(
        &self,
        text: &[u8],
        plain: &[u8],
        options: impl Into<CommentedOptions>,
    ) -> Option<Commented> {
        let marks = marks(text, plain);
        let heads = |first: usize| heads_others(text, plain, first);
        let around = Around {
            heads: &heads,
            has_marks: !marks.is_empty(),
            has_crlf: memchr::memmem::find(text, b"\r\n").is_some(),
        };
        let edit = Edit::of(text, plain, options.into(), around);
        edit.make(self).map(|made| made.commented)
    }
}

/// Queries about the whole text.
#[derive(Clone, Copy)]
pub(super) struct Around<'t> {
    /// Whether comments above the first child, which begins at an offset, head its container.
    pub(super) heads: &'t dyn Fn(usize) -> bool,
    pub(super) has_marks: bool,
    pub(super) has_crlf: bool,
}

/// An edit of a text, or of an excerpt with the tokens around it.
pub(super) struct Edit<'t> {
    options: CommentedOptions,
    text: &'t [u8],
    plain: &'t [u8],
    marks: Vec<Mark>,
    around: Around<'t>,
    /// Spans and their replacements.
    changes: Vec<(Range<usize>, Vec<u8>)>,
    /// The children that were removed.
    removed: Vec<Removed>,
    /// The children that were added.
    added: Vec<Added>,
}

/// Spans of the old text that remain, with their offsets in the new text.
type Kept = Vec<(Range<usize>, usize)>;

/// A text after an edit.
pub(super) struct Made {
    pub(super) commented: Commented,
    /// The same text without comments.
    pub(super) plain: Vec<u8>,
    pub(super) kept: Kept,
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

/// The start of the value of a member or an element.
fn value_start(child: &[u8]) -> usize {
    let mut escaped = false;
    let quote = child.iter().skip(1).position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    let Some(key) = quote.filter(|_| child.starts_with(b"\"")) else {
        return 0;
    };
    let rest = child[key + 2..].trim_ascii_start();
    match rest.strip_prefix(b":") {
        Some(value) => child.len() - value.trim_ascii_start().len(),
        None => 0,
    }
}

/// Whether a byte is white space or a comma.
fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b','
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

impl<'t> Edit<'t> {
    pub(super) fn of(
        text: &'t [u8],
        plain: &'t [u8],
        options: CommentedOptions,
        around: Around<'t>,
    ) -> Edit<'t> {
        Edit {
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
        let (plain, dialect) = (self.plain, self.options.dialect);
        let (commented, kept) = self.finish()?;
        // Without comments, the result must be the edited plain text.
        let mut result = commented.text.clone();
        blank(&mut result, dialect).ok()?;
        let is_same = same_tokens(&result[..], 0..result.len(), &splices.apply(plain));
        is_same.then_some(Made {
            commented,
            plain: result,
            kept,
        })
    }

    fn splice(&mut self, mut span: Range<usize>, new: &[u8]) -> Option<()> {
        let new = without_blanks(new);
        let mut new = &new[..];
        // The common text around the value is kept.
        let old = &self.plain[span.clone()];
        let leads = |bytes: &[u8]| bytes.iter().take_while(|byte| is_between(byte)).count();
        let trails = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .take_while(|byte| is_between(byte))
                .count()
        };
        let commas = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b',').count();
        if leads(old) < old.len() && leads(new) < new.len() {
            let (before, after) = (leads(old), trails(old));
            let (new_before, new_after) = (leads(new), trails(new));
            let same = commas(&old[..before]) == commas(&new[..new_before])
                && commas(&old[old.len() - after..]) == commas(&new[new.len() - new_after..]);
            if !same {
                return self.exact(span, new);
            }
            new = &new[new_before..new.len() - new_after];
            span = span.start + before..span.end - after;
            let emptied = matches!((new, self.plain[span.start]), (b"{}", b'{') | (b"[]", b'['));
            if emptied && self.has_comment(&span) {
                return self.delete(span.start + 1..span.end - 1);
            }
            self.replace(span, new);
            return Some(());
        }
        if leads(old) < old.len() {
            return self.delete(span);
        }
        let child = new.trim_ascii();
        if let Some(child) = child.strip_prefix(b",") {
            self.append(span.start, child);
        } else if let Some(child) = child.strip_suffix(b",") {
            let gap = &new[new.len() - trails(new)..];
            let gap = &gap[memchr::memchr(b',', gap)? + 1..];
            self.insert(span.end, child.trim_ascii(), gap);
        } else {
            self.first(span, new)?;
        }
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
            Some(mark) if mark.kind == Kind::Line => start = mark.span.start.max(span.start),
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
        let value = removed.child.start + value_start(&self.plain[removed.child.clone()]);
        let value = value..removed.child.end;
        let target = added.child.start + value_start(&new[added.child.clone()])..added.child.end;
        if without_blanks(&self.plain[value.clone()]) != new[target.clone()] {
            return Vec::new();
        }
        let mut carried = vec![value.clone()];
        let mut moved = new.clone();
        let follows = self.text.get(self.changes[added.change].0.end);
        let ends_line = follows.is_none_or(|&byte| is_break(byte));
        let has_line = |mark: &Mark| mark.kind == Kind::Line;
        let comments = self.marks_in(&removed.comments);
        if !comments.iter().any(has_line) || ends_line || new[added.end..].starts_with(b"\n") {
            let texts = comments
                .iter()
                .filter(|mark| mark.kind != Kind::TrailingComma);
            let texts: Vec<_> = texts.map(|mark| &self.text[mark.span.clone()]).collect();
            if !texts.is_empty() {
                let texts = [b" ", &texts.join(&b' ')[..]].concat();
                moved.splice(added.end..added.end, texts);
            }
            carried.push(removed.comments.clone());
        }
        moved.splice(target, self.text[value].iter().copied());
        if let Some(above) = &removed.above
            && let Some(comments) = self.above_new_line(above, added)
        {
            moved.splice(added.child.start..added.child.start, comments);
            carried.push(above.clone());
            if !self.options.removes_above {
                self.changes.push((above.clone(), Vec::new()));
            }
        }
        let change = added.change;
        self.changes[change].1 = moved;
        carried
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

    /// Applies the changes.
    fn finish(mut self) -> Option<(Commented, Kept)> {
        let carried = self.carry();
        let is_carried = |mark: &&Mark| carried.iter().any(|span| span.contains(&mark.span.start));
        sort_by_place(&mut self.changes, |(span, _)| (span.start, span.end));
        // Merges adjacent removed lines.
        self.changes.dedup_by(|(span, new), (before, last)| {
            let joins = span.start <= before.end && new.is_empty() && last.is_empty();
            if joins {
                before.end = before.end.max(span.end);
            }
            joins
        });
        let mut commented = Commented::default();
        let mut kept = vec![(0..0, 0)];
        let mut at = 0;
        let changes = std::mem::take(&mut self.changes);
        for (span, new) in changes {
            // Skips a comma that was removed with its line.
            let span = span.start.max(at)..span.end.max(at);
            kept.push((at..span.start, commented.text.len()));
            commented.text.extend_from_slice(&self.text[at..span.start]);
            let removed = self.marks_in(&span).iter();
            let removed =
                removed.filter(|mark| mark.kind != Kind::TrailingComma && !is_carried(mark));
            commented.dropped.extend(
                removed.map(|mark| {
                    String::from_utf8_lossy(&self.text[mark.span.clone()]).into_owned()
                }),
            );
            if new.is_empty() {
                // The container is empty now.
                let is_open = matches!(commented.text.trim_ascii_end().last(), Some(b'[' | b'{'));
                let rest = self.text[span.end..].trim_ascii_start();
                if is_open
                    && matches!(rest.first(), Some(b']' | b'}'))
                    && self
                        .mark_before(self.text[..span.start].trim_ascii_end().len())
                        .is_none()
                {
                    let end = commented.text.trim_ascii_end().len();
                    commented.text.truncate(end);
                    let last = kept.iter_mut().rev();
                    for (span, at) in last.take_while(|(span, at)| *at + span.len() > end) {
                        *at = end.min(*at);
                        span.end = span.end.min(span.start + end - *at);
                    }
                    at = self.text.len() - rest.len();
                    continue;
                }
            }
            commented.text.extend_from_slice(&new);
            at = span.end;
        }
        kept.push((at..self.text.len(), commented.text.len()));
        commented.text.extend_from_slice(self.text.get(at..)?);
        Some((commented, kept))
    }
}
