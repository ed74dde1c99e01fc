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
        let gap = self.gap(end, gap, self.ends_line(after));
        if trailing.is_none() {
            self.changes.push((end..end, b",".to_vec()));
        }
        let mut new = [&gap[..], child].concat();
        if trailing.is_some() {
            new.push(b',');
        }
        let (child, end) = (gap.len()..gap.len() + child.len(), new.len());
        self.add(after..after, new, child, end);
    }

    /// Adds a child before the one that begins at `at` and the comments directly above that.
    pub(super) fn insert(&mut self, at: usize, child: &[u8], gap: &[u8]) {
        let start = self.start_above(at);
        let is_above = start < at && self.text[start..at].contains(&b'\n');
        let gap = self.gap(start, gap, is_above);
        let new = [child, b",", &gap].concat();
        self.add(start..start, new, 0..child.len(), child.len() + 1);
    }

    /// Adds the first child of a container that contains only comments.
    pub(super) fn first(&mut self, span: Range<usize>, new: &[u8]) -> Option<()> {
        let mut child = inner(new);
        if !self.has_comment(&span) {
            let (change, end) = (self.changes.len(), child.end);
            self.exact(span, new)?;
            self.added.push(Added { change, child, end });
            return Some(());
        }
        let kept = self.text[span.clone()].trim_ascii_end().len();
        let position = span.start + kept;
        let mut new = new.to_vec();
        if self.ends_line(position) && !matches!(new.first(), Some(b'\n' | b'\r')) {
            let line = self.next_line(position);
            child = child.start + line.len()..child.end + line.len();
            new.splice(0..0, line);
        }
        let end = child.end;
        self.add(position..span.end, new, child, end);
        Some(())
    }

    /// Writes a text that has a new child, and the end of what is new.
    fn add(&mut self, at: Range<usize>, new: Vec<u8>, child: Range<usize>, end: usize) {
        let change = self.changes.len();
        self.added.push(Added { change, child, end });
        self.changes.push((at, new));
    }

    /// The white space between a new child and the text at `at`, where it may have to begin a line.
    fn gap(&self, at: usize, gap: &[u8], on_line: bool) -> Vec<u8> {
        match on_line || gap.contains(&b'\n') {
            true => self.next_line(at),
            false if !self.around.has_marks => gap.to_vec(),
            false => b" "[..gap.len().min(1)].to_vec(),
        }
    }

    /// Whether a comment before `at` takes the rest of its line.
    fn ends_line(&self, at: usize) -> bool {
        self.mark_before(at)
            .is_some_and(|mark| mark.kind == MarkKind::Line)
    }
}
