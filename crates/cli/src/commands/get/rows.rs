//! Rows: several columns of each match.
//!
//! Matches are collected as a stream of values, and the columns of all of them are looked up in one pass over it.

use std::io;

use jsonx_core::engine::{Mode, Validator};
use jsonx_core::format::Output;
use jsonx_core::path::{Location, Path, Step};
use jsonx_core::query::{Answer, Order, Query, QueryOptions};

use super::above::{CompleteRow, Waiting};
use super::columns::{Cell, ColumnSource, Columns, Span, quoted};
use super::print::PrintTarget;
use crate::check::Failure;
use crate::exit::Exit;
use crate::input::Name;
use crate::messages;
use crate::path_messages::{self, NoMatch};
use crate::report::escape;

/// Bytes of matches to collect before their columns are looked up: they stay in the L2 cache.
const BATCH: usize = 128 << 10;

/// Maximum number of values in a cell: a path may select the same value more often than memory allows.
const MOST_IN_CELL: u64 = 1 << 24;

/// Collects matches and prints rows.
pub struct Rows<'r> {
    columns: &'r Columns,
    /// The file of the matches.
    name: &'r Name,
    /// The matches, one after another.
    values: Vec<u8>,
    count: usize,
    /// The paths to look up: the columns, and the prefix of each column that may have several values.
    paths: Vec<Path>,
    /// The column of each path.
    column_of: Vec<usize>,
    /// The number of paths of columns, which come first.
    looked_up: usize,
    /// Rows waiting for values above the matches.
    waiting: Option<Waiting>,
    /// The span of each cell in the matches.
    cells: Vec<Option<(usize, usize)>>,
    /// The values of cells that may have several, or that come from outside the matches.
    several: Vec<Span>,
    /// Values that are not in the matches, by cell.
    others: Vec<(usize, Vec<u8>)>,
    out: Vec<u8>,
    /// A lone surrogate was replaced.
    pub replaced: bool,
    pub seen: Seen,
}

/// The columns with a value in some row.
#[derive(Default)]
pub struct Seen {
    /// For each column, the first position where its path stopped, if known, or success in some row; `None` before the first
    /// row.
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

    /// Warns about columns without any value in the matches of `path`.
    pub fn report(&self, columns: &Columns, path: &Path) {
        let segments = path.segments().iter().rev();
        let object_above = segments
            .map(|segment| segment.selectors[..].first()?.key())
            .position(|key| key.is_some())
            .map(|level| level + 1)
            .filter(|&levels| path.above(levels).is_some());
        for (source, seen) in columns.sources().zip(&self.columns) {
            let (ColumnSource::Path(path) | ColumnSource::Above(_, path)) = source else {
                continue;
            };
            if let Some(Err(stopped)) = seen {
                let stopped = stopped.as_ref();
                let hint = stopped.map(|stopped| path_messages::explain(path, stopped).1);
                let mut hint = hint.unwrap_or_default();
                let above = match source {
                    ColumnSource::Above(levels, _) => "^".repeat(*levels),
                    _ => String::new(),
                };
                if let (true, "", Some(levels)) = (hint.is_empty(), &above[..], object_above) {
                    let (above, path) = ("^".repeat(levels), escape(&path.to_string()));
                    hint = format!("{above}{path} is that field of the object around a match");
                }
                let path = above + &escape(&path.to_string());
                let text = format!("jsonx: warning: --columns {path}: no row has a value there");
                let lines = [&text[..], &hint[..]];
                messages::line(lines.join("\n").trim_end());
            }
        }
    }
}

impl<'r> Rows<'r> {
    pub fn new(columns: &'r Columns, name: &'r Name) -> Rows<'r> {
        let in_match = || {
            let sources = columns.sources().enumerate();
            sources.filter_map(|(column, source)| match source {
                ColumnSource::Path(path) => Some((column, path)),
                _ => None,
            })
        };
        let all = in_match().map(|(column, path)| (column, path.clone()));
        let (mut column_of, mut paths): (Vec<usize>, Vec<Path>) = all.unzip();
        let looked_up = paths.len();
        for (column, path) in in_match() {
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
            name,
            values: Vec::new(),
            count: 0,
            paths,
            column_of,
            looked_up,
            waiting: Waiting::new(columns),
            cells: Vec::new(),
            several: Vec::new(),
            others: Vec::new(),
            out: Vec::new(),
            replaced: false,
            seen: Seen::default(),
        }
    }

    /// Adds a match, with its location if a column needs it.
    ///
    /// # Errors
    /// Printing fails.
    pub fn push(
        &mut self,
        value: &[u8],
        location: Option<&Location>,
        target: &mut PrintTarget<'_>,
    ) -> Result<(), Failure> {
        let Some((waiting, location)) = self.waiting.as_mut().zip(location) else {
            let steps = location.map_or(&[][..], Location::steps);
            return self.add(value, steps, &[], target);
        };
        let rows = waiting.push(value, location);
        self.add_all(rows, target)
    }

    /// Adds a value of one of the columns of values above the matches.
    ///
    /// # Errors
    /// Printing fails.
    pub fn push_above(
        &mut self,
        column: usize,
        value: &[u8],
        location: Option<&Location>,
        target: &mut PrintTarget<'_>,
    ) -> Result<(), Failure> {
        let Some((waiting, location)) = self.waiting.as_mut().zip(location) else {
            return Ok(());
        };
        let rows = waiting.add(column, value, location);
        self.add_all(rows, target)
    }

    /// Ends a value at the root, and completes all rows.
    ///
    /// # Errors
    /// Printing fails.
    pub fn end_root(&mut self, target: &mut PrintTarget<'_>) -> Result<(), Failure> {
        let rows = self.waiting.as_mut().map(Waiting::end);
        self.add_all(rows.unwrap_or_default(), target)
    }

    fn add_all(
        &mut self,
        rows: Vec<CompleteRow>,
        target: &mut PrintTarget<'_>,
    ) -> Result<(), Failure> {
        rows.into_iter()
            .try_for_each(|row| self.add(&row.value, &row.steps, &row.cells, target))
    }

    fn add(
        &mut self,
        value: &[u8],
        steps: &[Step],
        above: &[(usize, Vec<Vec<u8>>)],
        target: &mut PrintTarget<'_>,
    ) -> Result<(), Failure> {
        self.values
            .try_reserve(value.len() + 1)
            .map_err(io::Error::from)?;
        self.values.extend_from_slice(value);
        self.values.push(b'\n');
        let first = self.count * self.columns.sources().len();
        for (column, source) in self.columns.sources().enumerate() {
            let step = |levels: usize| steps.get(steps.len().checked_sub(levels + 1)?);
            match source {
                ColumnSource::Key(levels) => {
                    let key = step(*levels).map(|step| match step {
                        Step::Key(key) => quoted(key),
                        Step::Index(index) => index.to_string().into_bytes(),
                    });
                    self.others.extend(key.map(|key| (first + column, key)));
                }
                ColumnSource::Above(..) => {
                    let cells = above.iter().filter(|(number, _)| *number == column);
                    let values = cells.flat_map(|(_, values)| values);
                    self.others
                        .extend(values.map(|value| (first + column, value.clone())));
                }
                _ => {}
            }
        }
        self.count += 1;
        if self.values.len() >= BATCH {
            self.print(target)
        } else {
            Ok(())
        }
    }

    /// Prints the rows of the matches so far.
    ///
    /// # Errors
    /// Printing fails.
    pub fn print(&mut self, target: &mut PrintTarget<'_>) -> Result<(), Failure> {
        self.look_up()?;
        target.write(&self.out).map_err(Failure::Write)?;
        self.out.clear();
        Ok(())
    }

    /// Converts the matches to rows.
    fn look_up(&mut self) -> Result<(), Failure> {
        let columns = self.columns;
        let width = columns.sources().len();
        let is_single: Vec<bool> = columns.sources().map(ColumnSource::is_singular).collect();
        self.cells.clear();
        self.cells.resize(self.count * width, None);
        let mut query = Query::new(&self.paths, QueryOptions::default().order(Order::Written));
        let options = columns.rows.options.mode(Mode::Stream);
        Validator::new(options).check_lines(&self.values, &mut query)?;
        query.end();
        self.seen.columns.resize_with(width, || None);
        for answer in query.answers() {
            match answer {
                Answer::Match(one) if one.path >= self.looked_up => {}
                Answer::Match(one) => {
                    let column = self.column_of[one.path];
                    let cell = one.root as usize * width + column;
                    let (start, end) = (one.start as usize, one.end as usize);
                    self.seen.columns[column] = Some(Ok(()));
                    if is_single[column] {
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
        // Values from outside the matches follow them.
        for (cell, value) in self.others.drain(..) {
            let start = self.values.len();
            self.values.extend_from_slice(&value);
            self.seen.columns[cell % width] = Some(Ok(()));
            self.several.push((cell, start, self.values.len()));
        }
        if self.count > 0 {
            let unseen = self.seen.columns.iter_mut();
            unseen.for_each(|seen| *seen = Some(seen.take().unwrap_or(Err(None))));
        }
        // The values of a cell are already in order.
        self.several.sort_by_key(|&(cell, ..)| cell);
        let mut several = &self.several[..];
        for row in 0..self.count {
            let cells = columns.sources().enumerate().map(|(column, source)| {
                let cell = row * width + column;
                if let (ColumnSource::Path(_), true) = (source, is_single[column]) {
                    return match self.cells[cell] {
                        Some((start, end)) => Cell::Value(&self.values[start..end]),
                        None => Cell::Missing { several: false },
                    };
                }
                if let ColumnSource::File = source {
                    return Cell::Text(self.name.bytes());
                }
                let count = several.partition_point(|&(other, ..)| other <= cell);
                let (of_cell, rest) = several.split_at(count);
                several = rest;
                match of_cell {
                    [] => Cell::Missing {
                        several: !is_single[column],
                    },
                    &[(_, start, end)] if is_single[column] => {
                        Cell::Value(&self.values[start..end])
                    }
                    of_cell => Cell::Several(of_cell, &self.values),
                }
            });
            self.replaced |= columns.row(cells, &mut self.out);
        }
        self.several.clear();
        self.values.clear();
        self.count = 0;
        Ok(())
    }
}

fn too_many() -> Failure {
    Failure::Declined {
        exit: Exit::Failure,
        message: format!("jsonx: --columns: more than {MOST_IN_CELL} values in one cell"),
    }
}
