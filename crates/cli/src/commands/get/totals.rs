//! Totals of all matches of a run: `--tally`, and the shape of them.

use std::collections::HashSet;
use std::io::{self, Write};

use jsonx_core::engine::{Members, Options, Shape, Validator};
use jsonx_core::path::Path;
use jsonx_core::string::decode_key;

use super::columns::{Cell, Column, ColumnSource, Columns, RowOptions};
use super::print::Show;
use super::text::ValueText;
use crate::check::Failure;
use crate::commands::tally::Tally;
use crate::report::escape_json;

/// Maximum number of columns of `--columns '*'`.
const MOST_COLUMNS: usize = 1 << 12;

/// The totals of all matches.
pub enum Totals {
    Tally(Tally),
    Columns(KeyNames),
    Shape(Box<Shape>),
}

/// The keys of objects, in order of first occurrence.
#[derive(Default)]
pub struct KeyNames {
    names: Vec<String>,
    known: HashSet<String>,
}

impl Totals {
    /// The totals to print, if any; initially empty.
    pub fn new(show: Show) -> Option<Totals> {
        match show {
            Show::Tally => Some(Totals::Tally(Tally::default())),
            Show::Columns => Some(Totals::Columns(KeyNames::default())),
            Show::Shape => Some(Totals::Shape(Box::default())),
            _ => None,
        }
    }

    /// Adds this many copies of a value.
    ///
    /// # Errors
    /// Reading fails; the reason why it cannot be added.
    pub fn add(
        &mut self,
        text: &mut ValueText<'_>,
        copies: u64,
        options: Options,
    ) -> Result<Result<(), String>, Failure> {
        if let Totals::Shape(shape) = self {
            text.push(options, &mut **shape)?;
            let ended = shape.end();
            return Ok(ended.map_err(|_| "there is no memory for more paths".to_owned()));
        }
        let value = text.whole()?;
        Ok(self.add_text(&value, copies, options))
    }

    fn add_text(&mut self, value: &[u8], copies: u64, options: Options) -> Result<(), String> {
        match self {
            Totals::Shape(_) => Ok(()),
            Totals::Tally(tally) => tally.add(value, copies, options),
            Totals::Columns(keys) => keys.add(value, options),
        }
    }

    /// Adds the totals of a later part.
    ///
    /// # Errors
    /// The reason why they cannot be added.
    pub fn merge(&mut self, other: Totals) -> Result<(), String> {
        match (self, other) {
            (Totals::Tally(all), Totals::Tally(part)) => all.merge(part),
            (Totals::Columns(all), Totals::Columns(part)) => {
                part.names.into_iter().try_for_each(|name| all.insert(name))
            }
            (Totals::Shape(all), Totals::Shape(part)) => {
                all.merge(*part);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether there was no match.
    pub fn are_none(&self) -> bool {
        match self {
            Totals::Tally(tally) => tally.is_empty(),
            Totals::Columns(keys) => keys.names.is_empty(),
            Totals::Shape(shape) => shape.paths().iter().all(|path| path.count == 0),
        }
    }

    /// Prints them, as rows if a `form` is requested, otherwise one per line. `raw`: strings without quotes.
    ///
    /// # Errors
    /// Writing fails.
    pub fn print(
        self,
        form: bool,
        raw: bool,
        rows: RowOptions,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self {
            Totals::Tally(tally) => print_tally(tally, form, raw, rows, out),
            Totals::Columns(_) | Totals::Shape(_) => Ok(()),
        }
    }
}

impl KeyNames {
    /// The keys.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn add(&mut self, value: &[u8], options: Options) -> Result<(), String> {
        if !value.starts_with(b"{") {
            return Ok(());
        }
        let mut added = Ok(());
        let mut members = Members::new(|key: &[u8]| {
            let key = decode_key(key);
            if added.is_ok() && std::str::from_utf8(&key).is_ok_and(|key| !self.known.contains(key))
            {
                added = self.insert(String::from_utf8_lossy(&key).into_owned());
            }
        });
        // The value was verified.
        let _ = Validator::new(options).check(value, &mut members);
        added
    }

    fn insert(&mut self, name: String) -> Result<(), String> {
        if self.known.contains(&name) {
            return Ok(());
        }
        if self.names.len() == MOST_COLUMNS {
            return Err(format!(
                "--columns '*': there are more than {MOST_COLUMNS} keys; list the columns"
            ));
        }
        self.known.insert(name.clone());
        self.names.push(name);
        Ok(())
    }
}

fn print_tally(
    tally: Tally,
    form: bool,
    raw: bool,
    rows: RowOptions,
    out: &mut impl Write,
) -> io::Result<()> {
    let guard = rows.guard;
    let columns = Columns::new(named(&["count", "value"]), rows);
    out.write_all(&columns.first_row())?;
    let mut line = Vec::new();
    for (value, count) in tally.into_counts() {
        let (value, count) = (&*value, count.to_string());
        line.clear();
        if form || raw {
            columns.row(
                [Cell::Value(count.as_bytes()), Cell::Value(value)].into_iter(),
                &mut line,
            );
        } else if guard {
            line.extend_from_slice(format!("{count}\t{}\n", escape_json(value)).as_bytes());
        } else {
            line.extend_from_slice(count.as_bytes());
            line.push(b'\t');
            line.extend_from_slice(value);
            line.push(b'\n');
        }
        out.write_all(&line)?;
    }
    Ok(())
}

fn named(names: &[&str]) -> Vec<Column> {
    let root = Path::parse(".").ok();
    let column = |name: &&str| {
        Some(Column {
            name: (*name).to_owned(),
            source: ColumnSource::Path(root.clone()?),
        })
    };
    names.iter().filter_map(column).collect()
}
