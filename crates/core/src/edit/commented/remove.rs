//! Removes children, with the comments after them on their lines, and those above them.

use std::ops::Range;

use super::gaps::{is_blank, is_space};
use super::{ExcerptEdit, Removed, inner};
use crate::edit::text::{child_end, comma_before};

impl ExcerptEdit<'_> {
    /// Removes the children in a span, each with its comma; `None` if the span ends inside one.
    pub(super) fn delete(&mut self, span: Range<usize>) -> Option<()> {
        let next = |at: usize| at + inner(&self.plain[at..span.end]).start;
        let mut children = Vec::new();
        let mut start = next(span.start);
        while start < span.end {
            let end = Some(child_end(self.plain, start)).filter(|&end| end <= span.end)?;
            children.push(start..end);
            start = next(end);
        }
        let first = children.first()?.start;
        let has_next = |edit: &Self, child: &Range<usize>| edit.comma_after(child.end);
        let last_has_comma = has_next(self, children.last()?).is_some();
        if !last_has_comma && let Some(comma) = comma_before(self.plain, first) {
            self.changes.push((comma..comma + 1, Vec::new()));
        }
        for child in children {
            let comma = has_next(self, &child);
            self.remove(&child, comma);
        }
        Some(())
    }

    /// Removes one child, and the comments that belong to it.
    pub(super) fn remove(&mut self, child: &Range<usize>, comma: Option<usize>) {
        let start = self.start_on_line(child.start);
        let line = self.line_start(start);
        let begins = is_blank(&self.text[line..start]);
        let after = comma.map_or(child.end, |comma| comma + 1);
        let rest = self.rest_of_line(after);
        let above = self.start_above(child.start)..line;
        let above = (begins && above.start < line).then(|| self.line_start(above.start)..line);
        if self.options.removes_above {
            let lines = above.clone();
            self.changes.extend(lines.map(|lines| (lines, Vec::new())));
        }
        self.removed.push(Removed {
            above,
            child: child.clone(),
            comments: if rest.is_last {
                child.end..rest.end
            } else {
                child.end..after
            },
        });
        // Comments on lines of their own between the value and its comma.
        let mut until = child.end;
        if let Some(comma) = comma {
            until = self.rest_of_line(child.end).end.min(comma);
            if self.has_comment(&(until..comma)) {
                // These and the comments after the comma stay: only those before them may move
                // along.
                if let Some(removed) = self.removed.last_mut() {
                    removed.comments = child.end..until;
                }
                self.changes.push((start..until, Vec::new()));
                self.changes.push((comma..comma + 1, Vec::new()));
                return;
            }
            until = until.max(comma + 1);
        }
        let (from, to) = match (begins, rest.is_last) {
            (true, true) => {
                let mut end = rest.end.max(until);
                while self.text.get(end).is_some_and(is_space) {
                    end += 1;
                }
                match self.text.get(end..end + 2) {
                    Some(b"\r\n") => end += 2,
                    _ => end += usize::from(end < self.text.len()),
                }
                (line, end)
            }
            (false, true) => {
                let spaces = self.text[..start].trim_ascii_end().len();
                (spaces.max(line), rest.end.max(until))
            }
            (_, false) => {
                let next = self.text[rest.end..].trim_ascii_start();
                if matches!(next.first(), Some(b']' | b'}')) {
                    // The text before a closing bracket stays.
                    let spaces = self.text[..start].trim_ascii_end().len();
                    (spaces.max(line), rest.end.max(until))
                } else {
                    let next = self.text[until..].trim_ascii_start();
                    (start, self.text.len() - next.len())
                }
            }
        };
        self.changes.push((from..to, Vec::new()));
    }
}
