//! `--tally` and `--stats`: totals of all matches of a run.

use std::collections::HashSet;
use std::io::{self, Write};

use jsonx_core::Kind;
use jsonx_core::engine::{Members, Options, Shape, Validator};
use jsonx_core::number::{Number, Sum, compare};
use jsonx_core::path::Path;
use jsonx_core::string::decode_key;

use super::columns::{Cell, Column, ColumnSource, Columns, RowOptions};
use super::print::Show;
use super::text::ValueText;
use crate::check::Failure;
use crate::commands::tally::Tally;
use crate::messages;
use crate::report::escape_json;

/// Maximum number of columns of `--columns '*'`.
const MOST_COLUMNS: usize = 1 << 12;

/// The totals of all matches.
pub enum Totals {
    Tally(Tally),
    Stats(Stats),
    Columns(KeyNames),
    Shape(Box<Shape>),
}

/// The keys of objects, in order of first occurrence.
#[derive(Default)]
pub struct KeyNames {
    names: Vec<String>,
    known: HashSet<String>,
}

/// The numbers.
#[derive(Default)]
pub struct Stats {
    count: u64,
    sum: Sum,
    least: Option<Box<[u8]>>,
    greatest: Option<Box<[u8]>>,
    /// Matches that are not numbers, and the kind of the first.
    others: u64,
    other: Option<Kind>,
}

impl Totals {
    /// The totals to print, if any; initially empty.
    pub fn new(show: Show) -> Option<Totals> {
        match show {
            Show::Tally => Some(Totals::Tally(Tally::default())),
            Show::Stats => Some(Totals::Stats(Stats::default())),
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
            Totals::Stats(stats) => stats.add(value, copies),
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
            (Totals::Stats(all), Totals::Stats(part)) => all.merge(part),
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
            Totals::Stats(stats) => stats.count == 0 && stats.others == 0,
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
            Totals::Stats(stats) => stats.print(form || rows.header, rows, out),
            Totals::Columns(_) => Ok(()),
            Totals::Shape(shape) => print_shape(&shape, rows, out),
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

impl Stats {
    fn add(&mut self, value: &[u8], copies: u64) -> Result<(), String> {
        let [b'-' | b'0'..=b'9', ..] = value else {
            self.others = self.others.saturating_add(copies);
            let kind = || Kind::from_first(value.first().copied().unwrap_or(b'n'));
            self.other.get_or_insert_with(kind);
            return Ok(());
        };
        let mut one = Sum::default();
        let sum = if copies == 1 { &mut self.sum } else { &mut one };
        sum.add(Number::new(value)).map_err(|error| {
            let shown = crate::path_messages::shown(value);
            format!("--stats cannot add {shown}: {error}")
        })?;
        if copies > 1 {
            self.add_copies(one, copies);
        }
        self.count = self.count.saturating_add(copies);
        self.bound(value);
        Ok(())
    }

    /// Adds a number more than once, in as many steps as the number of copies has bits.
    fn add_copies(&mut self, one: Sum, copies: u64) {
        let (mut power, mut left) = (one, copies);
        while left > 0 {
            if left & 1 == 1 {
                self.sum.add_sum(&power);
            }
            power.add_sum(&power.clone());
            left >>= 1;
        }
    }

    fn bound(&mut self, value: &[u8]) {
        let is = |old: &Option<Box<[u8]>>, order: std::cmp::Ordering| {
            old.as_ref().is_none_or(|old| compare(value, old) == order)
        };
        if is(&self.least, std::cmp::Ordering::Less) {
            self.least = Some(value.into());
        }
        if is(&self.greatest, std::cmp::Ordering::Greater) {
            self.greatest = Some(value.into());
        }
    }

    fn merge(&mut self, part: Stats) -> Result<(), String> {
        self.count = self.count.saturating_add(part.count);
        self.sum.add_sum(&part.sum);
        for bound in [part.least, part.greatest].iter().flatten() {
            self.bound(bound);
        }
        self.others = self.others.saturating_add(part.others);
        self.other = self.other.or(part.other);
        Ok(())
    }

    fn print(self, form: bool, rows: RowOptions, out: &mut impl Write) -> io::Result<()> {
        if let Some(kind) = self.other {
            messages::line(&format!(
                "jsonx: warning: {} of {} matches are not numbers (the first is {kind}) and were skipped",
                self.others,
                self.count.saturating_add(self.others)
            ));
        }
        let values = [
            ("count", Some(self.count.to_string().into_bytes())),
            ("sum", Some(self.sum.to_string().into_bytes())),
            ("mean", self.sum.mean(self.count).map(String::into_bytes)),
            ("least", self.least.map(Vec::from)),
            ("greatest", self.greatest.map(Vec::from)),
        ];
        if !form {
            for (name, value) in values {
                if let Some(value) = value {
                    out.write_all(format!("{name}\t").as_bytes())?;
                    out.write_all(&value)?;
                    out.write_all(b"\n")?;
                }
            }
            return Ok(());
        }
        let columns = Columns::new(named(&values.each_ref().map(|(name, _)| *name)), rows);
        let mut text = columns.first_row();
        let cells = values.iter().map(|(_, value)| match value {
            Some(value) => Cell::Value(value),
            None => Cell::Missing { several: false },
        });
        columns.row(cells, &mut text);
        out.write_all(&text)
    }
}

/// Prints a row for each path of a shape.
fn print_shape(shape: &Shape, rows: RowOptions, out: &mut impl Write) -> io::Result<()> {
    if shape.is_incomplete() {
        messages::line("jsonx: warning: --shape: there are more paths than can be told apart");
    }
    let columns = Columns::new(named(&["path", "share", "types", "example"]), rows);
    let mut text = columns.first_row();
    for path in shape.paths() {
        let share = match path.are_elements {
            true if path.count % path.of.max(1) == 0 => {
                format!("{} each", path.count / path.of.max(1))
            }
            true => format!("{:.1} each", path.count as f64 / path.of.max(1) as f64),
            false => percent(path.count, path.of),
        };
        let kinds = path
            .kinds
            .iter()
            .map(|(kind, count)| match path.kinds.len() {
                1 => kind.name().to_owned(),
                _ => format!("{} {}", kind.name(), percent(*count, path.count)),
            });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let cut = |text: &[u8]| {
            let text = String::from_utf8_lossy(text).into_owned();
            format!("{}…", text.trim_end_matches('\u{fffd}'))
        };
        let shown = match &path.example {
            Some((text, false)) => cut(text),
            _ => String::new(),
        };
        let example = match &path.example {
            None => Cell::Missing { several: false },
            Some((text, true)) => Cell::Value(text),
            Some((_, false)) => Cell::Text(shown.as_bytes()),
        };
        let cells = [&path.path, &share, &kinds].map(|cell| Cell::Text(cell.as_bytes()));
        columns.row(cells.into_iter().chain([example]), &mut text);
    }
    out.write_all(&text)
}

/// A share in percent, in which only all is 100% and only nothing 0%.
fn percent(count: u64, of: u64) -> String {
    let share = 100.0 * count as f64 / of.max(1) as f64;
    match share.round() {
        0.0 if count > 0 => "<1%".to_owned(),
        100.0 if count < of => "99%".to_owned(),
        share => format!("{share}%"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_as_many_values() {
        let mut stats = Stats::default();
        stats.add(b"0.3", 1 << 40).unwrap();
        stats.add(b"-1", 3).unwrap();
        assert_eq!(stats.sum.to_string(), "329853488329.8");
        assert_eq!(stats.count, (1 << 40) + 3);
    }
}
