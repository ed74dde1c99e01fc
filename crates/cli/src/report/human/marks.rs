//! The rows under a source line: marks, and their labels.
//!
//! ```text
//!  ^^^^^^  -----  ^ the rightmost label is next to its mark
//!  |       |
//!  |       the others hang below, from right to left
//!  like this
//! ```
//!
//! A label that would leave the width there hangs below its mark, further left if need be.

use super::super::escape;
use super::paint::{Painter, Role};
use super::window::Placed;
use jsonx_core::order::sort_by_place;
use jsonx_diagnose::Severity;

/// A row as segments of text, each at its cell.
#[derive(Default)]
pub(super) struct MarkRow {
    pieces: Vec<(usize, String, bool)>,
}

impl MarkRow {
    pub fn put(&self, severity: Severity, painter: &mut Painter) {
        painter.put(Role::Plain, " ");
        let mut column = 0;
        for (at, text, primary) in &self.pieces {
            if *at > column {
                painter.put(Role::Plain, &" ".repeat(at - column));
            }
            painter.put(
                if *primary {
                    Role::Primary(severity)
                } else {
                    Role::Related
                },
                text,
            );
            column = at + escape::width_of(text);
        }
    }
}

/// The rows for the marks of one line, of this width in cells; `marks` are in order of position.
pub(super) fn rows(marks: &[Placed], width: usize) -> Vec<MarkRow> {
    let Some(mark_row) = mark_row(marks) else {
        return Vec::new();
    };
    let mut rows = vec![mark_row];
    let mut labeled: Vec<&Placed> = marks.iter().filter(|mark| !mark.label.is_empty()).collect();
    sort_by_place(&mut labeled, |mark| (mark.from, 0));
    // The rightmost label is in the row of the marks, unless a secondary mark without a label starts after it.
    let end = marks.iter().map(|mark| mark.to).max().unwrap_or(0);
    if let Some(last) = labeled.last()
        && end + 1 + escape::width_of(&last.label) <= width
        && marks
            .iter()
            .all(|mark| mark.from <= last.from || mark.primary && mark.label.is_empty())
    {
        rows[0]
            .pieces
            .push((end + 1, last.label.clone(), last.primary));
        labeled.pop();
    }
    if labeled.is_empty() {
        return rows;
    }
    rows.push(stems(&labeled));
    while let Some(mark) = labeled.pop() {
        let mut row = stems(&labeled);
        // Of two labels at one cell, the second is drawn without the stem of the first.
        let most = width.saturating_sub(escape::width_of(&mark.label));
        let from = mark.from.min(most);
        row.pieces.retain(|(at, ..)| *at < from);
        row.pieces.push((from, mark.label.clone(), mark.primary));
        rows.push(row);
    }
    rows
}

/// The carets and dashes.
fn mark_row(marks: &[Placed]) -> Option<MarkRow> {
    let end = marks.iter().map(|mark| mark.to).max()?;
    // A primary mark covers a related one.
    let mut cells = vec![(' ', false); end];
    for (primary, sign) in [(false, '-'), (true, '^')] {
        for mark in marks.iter().filter(|mark| mark.primary == primary) {
            cells[mark.from..mark.to].fill((sign, primary));
        }
    }
    let mut row = MarkRow::default();
    for (at, &(sign, primary)) in cells
        .iter()
        .enumerate()
        .filter(|(_, (sign, _))| *sign != ' ')
    {
        match row.pieces.last_mut() {
            Some((from, text, kind))
                if *from + escape::width_of(text) == at && *kind == primary =>
            {
                text.push(sign)
            }
            _ => row.pieces.push((at, sign.to_string(), primary)),
        }
    }
    Some(row)
}

fn stems(marks: &[&Placed]) -> MarkRow {
    let mut row = MarkRow::default();
    for mark in marks {
        if row.pieces.last().is_none_or(|(at, ..)| *at < mark.from) {
            row.pieces.push((mark.from, "|".to_owned(), mark.primary));
        }
    }
    row
}
