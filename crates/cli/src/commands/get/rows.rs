//! Rows: several columns of each match.
//!
//! Matches are collected as a stream of values, and the columns of all of them are looked up in one pass over it.

use std::io;

use jsonx_core::engine::{Mode, Validator};
use jsonx_core::format::Output;
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Order, Query, QueryOptions};

use super::columns::{Cell, Columns, Form, Span};
use super::print::Target;
use crate::check::Failure;
use crate::exit::Exit;
use crate::messages;
use crate::path_messages::{self, NoMatch};
use crate::report::{escape, width_of};

/// Bytes of matches that are collected before their columns are looked up: they stay in the second-level cache.
const BATCH: usize = 128 << 10;

/// Bytes of a table that are held to align its columns. Of a longer one, the first rows decide how wide they are.
const ALIGNED: usize = 1 << 20;

/// Spaces between the columns of a table.
const GAP: usize = 2;

/// The most values of one cell: a path may lead to the same value more often than there is memory.
const MOST_IN_CELL: u64 = 1 << 24;

/// Matches on their way to rows.
pub struct Rows<'r> {
    columns: &'r Columns,
    /// The matches, one after another.
    values: Vec<u8>,
    count: usize,
    /// The paths that are looked up: the columns, and the prefix of each column that may have several values.
    paths: Vec<Path>,
    /// The column of each path.
    column_of: Vec<usize>,
    /// Where each cell is in the matches.
    cells: Vec<Option<(usize, usize)>>,
    /// The values of cells that may have several.
    several: Vec<Span>,
    out: Vec<u8>,
    /// The widths of the columns of a table, once they are fixed.
    widths: Option<Vec<usize>>,
    /// A lone surrogate was replaced.
    pub replaced: bool,
    pub seen: Seen,
}

/// Which columns had a value in some row.
#[derive(Default)]
pub struct Seen {
    /// Where the path of each column stopped first, if that is known, or that it did not in some row; `None` before the first row.
    columns: Vec<Option<Result<(), Option<NoMatch>>>>,
}

impl Seen {
    /// Adds the rows of another input.
    pub fn add(&mut self, other: Seen) {
        self.columns
            .resize_with(other.columns.len().max(self.columns.len()), || None);
        for (all, one) in self.columns.iter_mut().zip(other.columns) {
            match (&all, &one) {
                (None, _) | (Some(Err(_)), Some(Ok(()))) => *all = one,
                _ => {}
            }
        }
    }

    /// Warns about columns without any value.
    pub fn report(&self, columns: &Columns) {
        for (path, seen) in columns.paths().zip(&self.columns) {
            if let Some(Err(stopped)) = seen {
                let stopped = stopped.as_ref();
                let hint = stopped.map(|stopped| path_messages::explain(path, stopped).1);
                let hint = hint.unwrap_or_default();
                let path = escape(&path.to_string());
                let text = format!("jsonx: warning: --columns {path}: no row has a value there");
                let lines = [&text[..], &hint[..]];
                messages::line(lines.join("\n").trim_end());
            }
        }
    }
}

impl<'r> Rows<'r> {
    pub fn new(columns: &'r Columns) -> Rows<'r> {
        let mut paths: Vec<Path> = columns.paths().cloned().collect();
        let mut column_of: Vec<usize> = (0..paths.len()).collect();
        for (column, path) in columns.paths().enumerate() {
            if !path.is_singular() {
                let prefix = (0..path.segments().len()).rev().find_map(|count| {
                    let prefix = Path::parse(&path.first(count).to_string()).ok()?;
                    prefix.is_singular().then_some(prefix)
                });
                column_of.extend(prefix.iter().map(|_| column));
                paths.extend(prefix);
            }
        }
        Rows {
            columns,
            values: Vec::new(),
            count: 0,
            paths,
            column_of,
            cells: Vec::new(),
            several: Vec::new(),
            out: Vec::new(),
            widths: None,
            replaced: false,
            seen: Seen::default(),
        }
    }

    /// Adds a match.
    ///
    /// # Errors
    /// Printing fails.
    pub fn push(&mut self, value: &[u8], target: &mut Target<'_>) -> Result<(), Failure> {
        self.values
            .try_reserve(value.len() + 1)
            .map_err(io::Error::from)?;
        self.values.extend_from_slice(value);
        self.values.push(b'\n');
        self.count += 1;
        match self.values.len() >= BATCH {
            true => self.print(target, false),
            false => Ok(()),
        }
    }

    /// Prints the rows of the matches so far. A table waits for more rows unless they are `due`.
    ///
    /// # Errors
    /// Printing fails.
    pub fn print(&mut self, target: &mut Target<'_>, due: bool) -> Result<(), Failure> {
        self.look_up()?;
        if self.columns.form == Form::Table {
            if !due && self.widths.is_none() && self.out.len() < ALIGNED {
                return Ok(());
            }
            self.align();
        }
        target.write(&self.out).map_err(Failure::Write)?;
        self.out.clear();
        Ok(())
    }

    /// Turns the matches into rows.
    fn look_up(&mut self) -> Result<(), Failure> {
        let columns = self.columns;
        let width = columns.paths().len();
        let is_single: Vec<bool> = columns.paths().map(Path::is_singular).collect();
        self.cells.clear();
        self.cells.resize(self.count * width, None);
        let mut query = Query::new(&self.paths, QueryOptions::default().order(Order::Written));
        let options = columns.options().mode(Mode::Stream);
        Validator::new(options).check_lines(&self.values, &mut query)?;
        query.end();
        self.seen.columns.resize_with(width, || None);
        for answer in query.answers() {
            match answer {
                Answer::Match(one) if one.path >= width => {}
                Answer::Match(one) => {
                    let cell = one.root as usize * width + one.path;
                    let (start, end) = (one.start as usize, one.end as usize);
                    self.seen.columns[one.path] = Some(Ok(()));
                    if is_single[one.path] {
                        self.cells[cell] = Some((start, end));
                        continue;
                    }
                    if one.copies.saturating_add(self.several.len() as u64) > MOST_IN_CELL {
                        return Err(too_many());
                    }
                    let copies = (0..one.copies).map(|_| (cell, start, end));
                    self.several.extend(copies);
                }
                Answer::Missing { path, missing, .. } => {
                    let container = missing.start as usize..missing.end as usize;
                    let container = || self.values[container].to_vec();
                    let seen = &mut self.seen.columns[self.column_of[path]];
                    let stopped = || Some(NoMatch::of_missing(&missing, container));
                    seen.get_or_insert_with(|| Err(stopped()));
                }
            }
        }
        if self.count > 0 {
            let unseen = self.seen.columns.iter_mut();
            unseen.for_each(|seen| *seen = Some(seen.take().unwrap_or(Err(None))));
        }
        // The values of a cell are in order already.
        self.several.sort_by_key(|&(cell, ..)| cell);
        let mut several = &self.several[..];
        for row in 0..self.count {
            let cells = (0..width).map(|column| {
                let cell = row * width + column;
                if is_single[column] {
                    return match self.cells[cell] {
                        Some((start, end)) => Cell::Value(&self.values[start..end]),
                        None => Cell::Missing { several: false },
                    };
                }
                let count = several.partition_point(|&(other, ..)| other <= cell);
                let (here, rest) = several.split_at(count);
                several = rest;
                match here {
                    [] => Cell::Missing { several: true },
                    here => Cell::Several(here, &self.values),
                }
            });
            self.replaced |= columns.row(cells, &mut self.out);
        }
        self.several.clear();
        self.values.clear();
        self.count = 0;
        Ok(())
    }

    /// Pads the cells of a table.
    fn align(&mut self) {
        let text = String::from_utf8_lossy(&self.out).into_owned();
        let mut rows: Vec<Vec<&str>> = text.lines().map(|row| row.split('\t').collect()).collect();
        let is_first = self.widths.is_none();
        if is_first && !rows.is_empty() {
            rows.insert(0, self.columns.names().collect());
        }
        let widths = self.widths.get_or_insert_with(|| {
            let mut widths = vec![0; self.columns.names().len()];
            for row in &rows {
                for (width, cell) in widths.iter_mut().zip(row) {
                    *width = width_of(cell).max(*width);
                }
            }
            widths
        });
        self.out.clear();
        for row in &rows {
            let mut line = String::new();
            for (number, (cell, width)) in row.iter().zip(&*widths).enumerate() {
                line += cell;
                if number + 1 < row.len() {
                    line += &" ".repeat(width.saturating_sub(width_of(cell)) + GAP);
                }
            }
            self.out.extend_from_slice(line.trim_end().as_bytes());
            self.out.push(b'\n');
        }
        if rows.is_empty() {
            self.widths = None;
        }
    }
}

fn too_many() -> Failure {
    Failure::Declined {
        exit: Exit::Failure,
        message: format!("jsonx: --columns: more than {MOST_IN_CELL} values are to be in one cell"),
    }
}
