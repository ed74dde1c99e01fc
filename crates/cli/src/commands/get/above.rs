//! Cells from above the matches: the values at paths that begin at a value around a match.
//!
//! The query of the matches also selects these values. Both have locations, whose common start tells them to belong together:
//!
//! ```text
//! .files[].messages[]      the match     .files[3].messages[0]
//! ^^.name                  its cell      .files[3].name
//! ```
//!
//! Rows wait until the outermost of the values around them ends, as a cell may follow its matches.

use std::collections::HashMap;

use jsonx_core::path::{Location, Path, Step};

use super::columns::{Columns, Source};

/// The texts of the values in a cell.
type Texts = Vec<Vec<u8>>;

/// A column of such cells.
struct Column {
    number: usize,
    levels: usize,
    /// Number of steps from there to the value.
    steps: usize,
}

/// The rows that wait.
pub struct Waiting {
    columns: Vec<Column>,
    /// The most levels of a column.
    levels: usize,
    /// Matches and their locations.
    rows: Vec<(Vec<u8>, Vec<Step>)>,
    /// The values of a column above a value.
    values: HashMap<(usize, Box<[Step]>), Texts>,
    /// The outermost value around the rows and values.
    around: Option<Box<[Step]>>,
}

/// A row that need not wait: the match, the location, and the values of each column with its number.
pub struct Row {
    pub value: Vec<u8>,
    pub steps: Vec<Step>,
    pub cells: Vec<(usize, Texts)>,
}

impl Waiting {
    /// `None` if no column needs it.
    pub fn of(columns: &Columns) -> Option<Waiting> {
        let column = |(number, source): (usize, &Source)| match source {
            Source::Above(levels, path) => Some(Column {
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

    /// Adds a match. Returns the rows before it that need not wait any more.
    pub fn push(&mut self, value: &[u8], location: &Location) -> Vec<Row> {
        let steps = location.steps();
        let before = self.enter(&steps[..steps.len().saturating_sub(self.levels)]);
        self.rows.push((value.to_vec(), steps.to_vec()));
        before
    }

    /// Adds a value of one of these columns. Returns the rows that need not wait any more.
    pub fn add(&mut self, column: usize, value: &[u8], location: &Location) -> Vec<Row> {
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

    /// Enters a value: if it is not in the last one, that one has ended.
    fn enter(&mut self, steps: &[Step]) -> Vec<Row> {
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
    pub fn end(&mut self) -> Vec<Row> {
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
            Row {
                value,
                steps,
                cells,
            }
        })
        .collect()
    }
}

/// The paths of these values in a document, of which the matches are at `path`.
///
/// # Errors
/// A column whose path begins further up than the matches have levels.
pub fn paths(path: &Path, sources: &[&Source]) -> Result<Vec<Path>, usize> {
    let mut paths = Vec::new();
    for source in sources {
        match source {
            Source::Above(levels, below) => {
                paths.push(path.above(*levels).ok_or(*levels)?.join(below));
            }
            Source::Key(levels) if *levels > 0 => {
                path.above(*levels).ok_or(*levels)?;
            }
            _ => {}
        }
    }
    Ok(paths)
}
