//! Selects the part of a line to show. A line that fits is shown whole, a longer one only around its marks.
//!
//! The cost does not depend on the length of the line: the search for its end stops where no more could be shown, and a window
//! grows by characters until its cells are used up.

use super::super::{File, escape, position::character};
use super::lines::{Line, Mark};
use super::paint::{Painter, Role};
use jsonx_core::order::sort_by_place;
use jsonx_diagnose::Severity;

/// A mark with its position in cells.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub from: usize,
    /// At least one cell after `from`.
    pub to: usize,
    pub label: String,
    pub primary: bool,
}

/// A line as displayed.
pub(super) struct View {
    /// Segments of text, and whether each belongs to a primary span.
    pieces: Vec<(String, bool)>,
    pub marks: Vec<Placed>,
}

impl View {
    /// Writes the line, with a space before it if there is anything on it.
    pub fn put(&self, severity: Severity, painter: &mut Painter) {
        if self.pieces.iter().any(|(text, _)| !text.is_empty()) {
            painter.put(Role::Plain, " ");
        }
        for (text, primary) in &self.pieces {
            let role = if *primary {
                Role::Source(severity)
            } else {
                Role::Plain
            };
            painter.put(role, text);
        }
    }
}

/// Marks closer than this to the previous one share its window, in bytes.
const NEAR: usize = 24;

/// Maximum length of a span when windows are laid out, in bytes.
const SPAN: usize = 60;

/// Cells on each side of a secondary window, and the cells it takes from the main one.
const SIDE: usize = 10;
const COST: usize = 28;

/// Minimum width of the main window in cells.
const LEAST: usize = 40;

pub(super) fn view(file: &File, line: &Line, budget: usize, ci: bool) -> View {
    let mut marks = line.marks.clone();
    sort_by_place(&mut marks, |mark| (mark.start, mark.end));
    let (end, complete) = line_end(file.bytes, line.start, 8 * budget, &marks);
    let leap = file.leaps.binary_search_by_key(&line.start, |leap| leap.0);
    let column = match leap {
        Ok(leap) => file.leaps[leap].1.column,
        Err(_) if line.start == 0 => file.base.column,
        Err(_) => 1,
    };
    let starts_line = column == 1;
    let is_continuation = file.cut && end == file.bytes.len();
    if complete
        && starts_line
        && !is_continuation
        && cells(&file.bytes[line.start..end], budget) <= budget
    {
        return draw(file.bytes, &[(line.start, end)], ("", ""), &marks, ci);
    }
    let windows = if marks.is_empty() {
        vec![(line.start, forward(file.bytes, line.start, budget - 3))]
    } else {
        windows(file.bytes, line.start, &marks, budget)
    };
    let last = windows[windows.len() - 1].1;
    let at_end = last >= file.bytes.len() && !file.cut || is_break(file.bytes, last);
    let before = if windows[0].0 > line.start || !starts_line {
        "..."
    } else {
        ""
    };
    draw(
        file.bytes,
        &windows,
        (before, if at_end { "" } else { "..." }),
        &marks,
        ci,
    )
}

/// Searches `reach` bytes for the end of the line. Returns where the search ended, and whether that is the end.
fn line_end(bytes: &[u8], start: usize, reach: usize, marks: &[Mark]) -> (usize, bool) {
    let start = start.min(bytes.len());
    let start = if start == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
        3.min(bytes.len())
    } else {
        start
    };
    let limit = bytes.len().min(start + reach);
    match memchr::memchr2(b'\n', b'\r', &bytes[start..limit]) {
        Some(at) => (start + at, true),
        None => (
            limit,
            limit == bytes.len() && marks.iter().all(|mark| mark.start <= limit),
        ),
    }
}

fn is_break(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'\n' | b'\r'))
}

/// The width of `bytes` in cells; stops counting beyond `most`.
fn cells(bytes: &[u8], most: usize) -> usize {
    let (mut at, mut sum) = (0, 0);
    let mut text = String::new();
    while at < bytes.len() && sum <= most {
        let (length, width) = escape::push(&bytes[at..], &mut text);
        at += length;
        sum += width;
    }
    sum
}

/// The offset that `budget` cells reach from `at` on, within the line.
fn forward(bytes: &[u8], mut at: usize, budget: usize) -> usize {
    let mut sum = 0;
    let mut text = String::new();
    // Characters may have no width, so bytes are limited too.
    let limit = at + 8 * budget;
    while at < bytes.len() && at < limit && !is_break(bytes, at) {
        let (length, width) = escape::push(&bytes[at..], &mut text);
        if sum + width > budget {
            break;
        }
        sum += width;
        at += length;
    }
    at
}

/// Like [`forward`], toward the start of the line.
fn backward(bytes: &[u8], start: usize, mut at: usize, budget: usize) -> usize {
    let mut sum = 0;
    let mut text = String::new();
    let limit = at.saturating_sub(8 * budget).max(start);
    while at > limit {
        let previous = previous(bytes, limit, at);
        let (_, width) = escape::push(&bytes[previous..], &mut text);
        if sum + width > budget {
            break;
        }
        sum += width;
        at = previous;
    }
    at
}

/// The start of the character that ends at `at`.
fn previous(bytes: &[u8], start: usize, at: usize) -> usize {
    (at.saturating_sub(4).max(start)..at)
        .find(|&i| {
            let (c, length) = character(&bytes[i..at]);
            c.is_some() && i + length == at
        })
        .unwrap_or(at - 1)
}

/// Marks that share a window.
struct Group {
    from: usize,
    to: usize,
    /// Width in cells of the label after it.
    label: usize,
    /// The group has the first primary mark with a label.
    main: bool,
}

fn groups(marks: &[Mark]) -> Vec<Group> {
    let main = marks
        .iter()
        .position(|mark| mark.primary && !mark.label.is_empty());
    let main = main
        .or_else(|| marks.iter().position(|mark| mark.primary))
        .unwrap_or(0);
    let mut groups: Vec<Group> = Vec::new();
    for (number, mark) in marks.iter().enumerate() {
        let to = mark
            .end
            .min(mark.start + if mark.primary { SPAN } else { SIDE });
        let label = escape::width_of(&mark.label);
        match groups.last_mut() {
            Some(group) if mark.start < group.to + NEAR && mark.start < group.from + SPAN => {
                group.to = group.to.max(to.min(group.from + SPAN));
                group.main |= number == main;
                group.label = label;
            }
            _ => groups.push(Group {
                from: mark.start,
                to,
                label,
                main: number == main,
            }),
        }
    }
    groups
}

/// The ranges of a long line to show.
fn windows(bytes: &[u8], start: usize, marks: &[Mark], budget: usize) -> Vec<(usize, usize)> {
    let mut groups = groups(marks);
    // Windows that do not fit next to the main one are omitted, the furthest first.
    let most = budget.saturating_sub(8 + LEAST) / COST + 1;
    let main = groups.iter().position(|group| group.main).unwrap_or(0);
    let first = main.saturating_sub(most / 2);
    groups.drain(..first);
    groups.truncate(most.max(main - first + 1));
    let room = budget
        .saturating_sub(8 + COST * (groups.len() - 1))
        .max(LEAST);
    let mut windows: Vec<(usize, usize)> = Vec::new();
    for mut group in groups {
        let (left, right) = if group.main {
            group.to = group.to.min(forward(bytes, group.from, room / 2));
            let inside = cells(&bytes[group.from.min(group.to)..group.to], SPAN);
            let room = room.saturating_sub(inside);
            let right = (room / 2).max(group.label + 1).min(room);
            (room - right, right)
        } else {
            group.to = group.to.min(forward(bytes, group.from, SIDE));
            (SIDE, SIDE)
        };
        // A mark may be at the end of the line.
        group.to = group.to.max(group.from);
        let to = forward(bytes, group.to, right);
        // Cells not used on the right are added on the left.
        let used = cells(&bytes[group.to.min(to)..to], right);
        let ends = to >= bytes.len() || is_break(bytes, to);
        let spare = if ends && group.main {
            right.saturating_sub(used.max(group.label + 1))
        } else {
            0
        };
        let from = backward(bytes, start, group.from, left + spare);
        match windows.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => windows.push((from, to)),
        }
    }
    windows
}

const BETWEEN: &str = " ... ";

/// Draws the windows and computes the cells of the marks.
fn draw(
    bytes: &[u8],
    windows: &[(usize, usize)],
    around: (&str, &str),
    marks: &[Mark],
    ci: bool,
) -> View {
    let mut pieces: Vec<(String, bool)> = vec![(around.0.to_string(), false)];
    let mut column = around.0.len();
    let mut placed: Vec<Option<(usize, usize)>> = vec![None; marks.len()];
    for (number, &(from, to)) in windows.iter().enumerate() {
        if number > 0 {
            pieces.push((BETWEEN.to_string(), false));
            column += BETWEEN.len();
        }
        let mut at = from;
        loop {
            let inside = at < to;
            let (length, width, text) = if inside {
                let mut text = String::new();
                let (length, width) = escape::push(&bytes[at..], &mut text);
                // A byte-order mark has no column and is not shown.
                if at == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
                    at += length;
                    continue;
                }
                (length, width, text)
            } else {
                (0, 0, String::new())
            };
            let (text, width) = if ci && text == "#" && bytes[..at].ends_with(b"#") {
                ("<U+0023>".to_string(), 8)
            } else {
                (text, width)
            };
            for (mark, place) in marks.iter().zip(&mut placed) {
                if mark.start < at + length.max(1) && mark.start >= at
                    || place.is_none() && mark.start < at && mark.end > at
                {
                    *place = Some((column, column));
                }
                if let Some(place) = place
                    && mark.end > at
                    && inside
                {
                    place.1 = column + width;
                }
            }
            if !inside {
                break;
            }
            let primary = marks
                .iter()
                .any(|mark| mark.primary && mark.start <= at && at < mark.end);
            match pieces.last_mut() {
                Some((last, kind)) if *kind == primary => last.push_str(&text),
                _ => pieces.push((text, primary)),
            }
            column += width;
            at += length;
        }
    }
    pieces.push((around.1.to_string(), false));
    let marks = marks
        .iter()
        .zip(placed)
        .filter_map(|(mark, place)| {
            let (from, to) = place?;
            Some(Placed {
                from,
                to: to.max(from + 1),
                label: mark.label.clone(),
                primary: mark.primary,
            })
        })
        .collect();
    View { pieces, marks }
}
