//! Adds children to a container, between its comments.

use std::ops::Range;

use super::gaps::MarkKind;
use super::{Added, ExcerptEdit, inner};

impl ExcerptEdit<'_> {
    /// Adds a last child, after the one that ends at `end`.
    pub(super) fn append(&mut self, end: usize, child: &[u8], gap: &[u8]) {
        let is_trailing = |&comma: &usize| self.plain[comma] != b',';
        let trailing = self.comma_after(end).filter(is_trailing);
        let rest = self.rest_of_line(end);
        // A comment that is not last on its line belongs to the next token.
        let mut after = if rest.is_last { rest.end } else { end };
        after = trailing.map_or(after, |comma| after.max(comma + 1));
        let ends_line = self
            .mark_before(after)
            .is_some_and(|mark| mark.kind == MarkKind::Line);
        let gap = match gap.contains(&b'\n') || ends_line {
            true => self.next_line(end),
            false if !self.around.has_marks => gap.to_vec(),
            false => b" "[..gap.len().min(1)].to_vec(),
        };
        if trailing.is_none() {
            self.changes.push((end..end, b",".to_vec()));
        }
        let mut new = [&gap[..], child].concat();
        if trailing.is_some() {
            new.push(b',');
        }
        self.added.push(Added {
            change: self.changes.len(),
            child: gap.len()..gap.len() + child.len(),
            end: new.len(),
        });
        self.changes.push((after..after, new));
    }

    /// Adds a child before the one that begins at `at` and the comments directly above that.
    pub(super) fn insert(&mut self, at: usize, child: &[u8], gap: &[u8]) {
        let start = self.start_above(at);
        let gap = match gap.contains(&b'\n') || start < at && self.text[start..at].contains(&b'\n')
        {
            true => self.next_line(start),
            false if !self.around.has_marks => gap.to_vec(),
            false => b" "[..gap.len().min(1)].to_vec(),
        };
        let new = [child, b",", &gap].concat();
        self.added.push(Added {
            change: self.changes.len(),
            child: 0..child.len(),
            end: child.len() + 1,
        });
        self.changes.push((start..start, new));
    }

    /// Adds the first child of a container that contains only comments.
    pub(super) fn first(&mut self, span: Range<usize>, new: &[u8]) -> Option<()> {
        let child = inner(new);
        let mut added = Added {
            change: self.changes.len(),
            child: child.clone(),
            end: child.end,
        };
        if !self.has_comment(&span) {
            self.exact(span, new)?;
            self.added.push(added);
            return Some(());
        }
        let kept = self.text[span.clone()].trim_ascii_end().len();
        let position = span.start + kept;
        let ends_line = self
            .mark_before(position)
            .is_some_and(|mark| mark.kind == MarkKind::Line);
        let mut new = new.to_vec();
        if ends_line && !matches!(new.first(), Some(b'\n' | b'\r')) {
            let line = self.next_line(position);
            added.child = child.start + line.len()..child.end + line.len();
            added.end = added.child.end;
            new.splice(0..0, line);
        }
        self.changes.push((position..span.end, new));
        self.added.push(added);
        Some(())
    }
}
