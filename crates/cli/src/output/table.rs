//! Rows of cells, aligned: on a terminal, or in Markdown.

use std::borrow::Cow;

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

use crate::report::width_of;
use crate::terminal::Screen;

/// Bytes that are held to align the columns. Of a longer table, the first rows decide how wide they are.
const ALIGNED: usize = 1 << 20;

/// Spaces between columns.
const GAP: &str = "  ";

/// The least width of a column in Markdown, in which dashes separate the header.
const DASHES: usize = 3;

/// The least width of a column that is narrowed to fit.
const NARROW: usize = 6;

/// Aligns rows whose cells are separated by tabs.
#[derive(Default)]
pub struct Table {
    is_markdown: bool,
    /// Cells are cut to its width.
    screen: Option<Screen>,
    /// The first row is a header, which is bold on a terminal.
    pub has_header: bool,
    /// What has not been printed.
    pending: Vec<u8>,
    /// The widths of the columns, once they are fixed.
    widths: Option<Vec<usize>>,
    /// The columns that have only numbers below their first row, which are aligned to the right.
    numbers: Vec<bool>,
}

impl Table {
    /// A table; the first row of one in Markdown is the header.
    pub fn new(is_markdown: bool) -> Table {
        Table {
            is_markdown,
            ..Table::default()
        }
    }

    /// The same for a terminal, if there is one.
    pub fn on(self, screen: Option<Screen>) -> Table {
        Table { screen, ..self }
    }

    /// Takes bytes of rows, and returns what can be printed.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(bytes);
        if self.widths.is_some() || self.pending.len() >= ALIGNED {
            self.align()
        } else {
            Vec::new()
        }
    }

    /// Returns what has not been printed.
    pub fn end(mut self) -> Vec<u8> {
        self.align()
    }

    /// Aligns the rows that are complete.
    fn align(&mut self) -> Vec<u8> {
        let complete = memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1);
        let rest = self.pending.split_off(complete);
        let text = std::mem::replace(&mut self.pending, rest);
        let text = String::from_utf8_lossy(&text);
        let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split('\t').collect()).collect();
        let is_first = self.widths.is_none();
        if is_first {
            self.numbers = numbers(&rows);
        }
        let is_number = |column: usize| self.numbers.get(column) == Some(&true);
        let least = if self.is_markdown { DASHES } else { 0 };
        let widths = self.widths.get_or_insert_with(|| {
            let mut widths = Vec::new();
            for row in &rows {
                widths.resize(row.len().max(widths.len()), least);
                for (width, cell) in widths.iter_mut().zip(row) {
                    *width = width_of(cell).max(*width);
                }
            }
            if let Some(screen) = self.screen {
                narrow(&mut widths, screen.width);
            }
            widths
        });
        let mut out = String::new();
        for (number, row) in rows.iter().enumerate() {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&*widths).enumerate() {
                let cell = match self.screen {
                    Some(_) => &*cut(cell, *width),
                    None => cell,
                };
                line += match (self.is_markdown, column) {
                    (true, 0) => "| ",
                    (true, _) => " | ",
                    (false, _) => "",
                };
                let space = " ".repeat(width.saturating_sub(width_of(cell)));
                let (before, after) = if is_number(column) {
                    (&*space, "")
                } else {
                    ("", &*space)
                };
                line += &[before, cell, after].concat();
                line += if self.is_markdown { "" } else { GAP };
            }
            if !self.is_markdown {
                let is_bold = is_first && number == 0 && self.has_header;
                let style = match self.screen {
                    Some(screen) if is_bold && screen.is_colored => Style::new().bold(),
                    _ => Style::new(),
                };
                out += &format!("{style}{}{style:#}", line.trim_end());
            } else if is_first && number == 0 {
                let dashes = widths.iter().enumerate().map(|(column, &width)| {
                    let dashes = "-".repeat(width);
                    if is_number(column) {
                        format!("{}:", &dashes[1..])
                    } else {
                        dashes
                    }
                });
                let dashes: Vec<String> = dashes.collect();
                out += &format!("{line} |\n| {} |", dashes.join(" | "));
            } else {
                out += &format!("{line} |");
            }
            out.push('\n');
        }
        out.into_bytes()
    }
}

/// Narrows the widest columns until a row fits.
fn narrow(widths: &mut [usize], width: usize) {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    loop {
        let excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > NARROW) else {
            return;
        };
        if excess == 0 {
            return;
        }
        // Columns of the same width are narrowed alike.
        let step = (*widest / 16).clamp(1, excess);
        *widest = (*widest - step).max(NARROW);
    }
}

/// The start of a cell that is wider than its column.
pub fn cut(cell: &str, width: usize) -> Cow<'_, str> {
    if width_of(cell) <= width {
        return cell.into();
    }
    let mut rest = width.saturating_sub(1);
    let fits = |c: &char| {
        let fits = c.width().unwrap_or(0) <= rest;
        rest = rest.saturating_sub(c.width().unwrap_or(0));
        fits
    };
    let start: String = cell.chars().take_while(fits).collect();
    (start + "…").into()
}

/// Which columns have only numbers and empty cells; the first row may be the header.
fn numbers(rows: &[Vec<&str>]) -> Vec<bool> {
    let is_number = |cell: &str| {
        cell.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && cell.parse::<f64>().is_ok()
    };
    let below = rows
        .get(1..)
        .filter(|rows| !rows.is_empty())
        .unwrap_or(rows);
    let columns = below.iter().map(Vec::len).max().unwrap_or_default();
    let cells = |column: usize| below.iter().filter_map(move |row| row.get(column));
    let fits = |column: usize| {
        let mut filled = cells(column).filter(|cell| !cell.is_empty()).peekable();
        filled.peek().is_some() && filled.all(|cell| is_number(cell))
    };
    (0..columns).map(fits).collect()
}
