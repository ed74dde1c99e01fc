//! Cells from above the matches: values at paths that begin at an enclosing value of a match.
//!
//! The query of the matches also selects these values. Both have locations, whose common prefix assigns values to matches:
//!
//! ```text
//! .files[].messages[]      the match     .files[3].messages[0]
//! ^^.name                  its cell      .files[3].name
//! ```
//!
//! Rows wait until their outermost enclosing value ends, because a cell may follow its matches.

use std::collections::HashMap;

use jsonx_core::path::{Location, Path, Step};

use super::columns::{ColumnSource, Columns};

/// The texts of the values in a cell.
type Texts = Vec<Vec<u8>>;

/// A column with such cells.
struct Column {
    number: usize,
    levels: usize,
    /// Number of steps from the enclosing value to the cell's value.
    steps: usize,
}

/// The waiting rows.
pub struct Waiting {
    columns: Vec<Column>,
    /// The maximum number of levels of a column.
    levels: usize,
    /// Matches and their locations.
    rows: Vec<(Vec<u8>, Vec<Step>)>,
    /// The values of each column, by enclosing value.
    values: HashMap<(usize, Box<[Step]>), Texts>,
    /// The outermost enclosing value of the rows and values.
    around: Option<Box<[Step]>>,
}

/// A complete row: the match, its location, and the values of each column with its number.
pub struct CompleteRow {
    pub value: Vec<u8>,
    pub steps: Vec<Step>,
    pub cells: Vec<(usize, Texts)>,
}

impl Waiting {
    /// `None` if no column needs it.
    pub fn new(columns: &Columns) -> Option<Waiting> {
        let column = |(number, source): (usize, &ColumnSource)| match source {
            ColumnSource::Above(levels, path) => Some(Column {
                number,
                levels: *levels,
                steps: path.segments().len(),
            }),
            _ => None,
        };
        let columns: Vec<Column> = columns.sources().enumerate().filter_map(column).collect();
        let levels = columns.iter().map(|column| column.levels).max()?;
        Some(Waiting {
            columns,
            levels,
            rows: Vec::new(),
            values: HashMap::new(),
            around: None,
        })
    }

    /// Adds a match. Returns the rows that it completes.
    pub fn push(&mut self, value: &[u8], location: &Location) -> Vec<CompleteRow> {
        let steps = location.steps();
        let before = self.enter(&steps[..steps.len().saturating_sub(self.levels)]);
        self.rows.push((value.to_vec(), steps.to_vec()));
        before
    }

    /// Adds a value of one of these columns. Returns the rows that it completes.
    pub fn add(&mut self, column: usize, value: &[u8], location: &Location) -> Vec<CompleteRow> {
        let Some(column) = self.columns.get(column) else {
            return Vec::new();
        };
        let steps = location.steps();
        let above = &steps[..steps.len().saturating_sub(column.steps)];
        let (number, levels) = (column.number, self.levels - column.levels);
        let before = self.enter(&above[..above.len().saturating_sub(levels)]);
        let values = self.values.entry((number, above.into())).or_default();
        values.push(value.to_vec());
        before
    }

    /// Enters a value. If it is not inside the last one, that one has ended.
    fn enter(&mut self, steps: &[Step]) -> Vec<CompleteRow> {
        if self
            .around
            .as_deref()
            .is_some_and(|around| steps.starts_with(around))
        {
            return Vec::new();
        }
        let before = self.end();
        self.around = Some(steps.into());
        before
    }

    /// Ends the value at the root, and returns all rows.
    pub fn end(&mut self) -> Vec<CompleteRow> {
        self.around = None;
        let values = std::mem::take(&mut self.values);
        let rows = std::mem::take(&mut self.rows).into_iter();
        rows.map(|(value, steps)| {
            let cells = self.columns.iter().map(|column| {
                let above = &steps[..steps.len().saturating_sub(column.levels)];
                let values = values.get(&(column.number, above.into()));
                (column.number, values.cloned().unwrap_or_default())
            });
            let cells = cells.collect();
            CompleteRow {
                value,
                steps,
                cells,
            }
        })
        .collect()
    }
}

/// The paths of these values in a document with the matches at `path`.
///
/// # Errors
/// A path begins above the root.
pub fn paths(path: &Path, sources: &[&ColumnSource]) -> Result<Vec<Path>, usize> {
    let mut paths = Vec::new();
    for source in sources {
        match source {
            ColumnSource::Above(levels, below) => {
                paths.push(path.above(*levels).ok_or(*levels)?.join(below));
            }
            ColumnSource::Key(levels) if *levels > 0 => {
                path.above(*levels).ok_or(*levels)?;
            }
            _ => {}
        }
    }
    Ok(paths)
}
