//! Rows: several columns of each match, as TSV, CSV, JSON arrays or an aligned table.
//!
//! Matches are collected as a stream of values, and the columns of all of them are looked up in one pass over it.

use std::io;

use jsonx_core::engine::{Mode, Options, Validator};
use jsonx_core::format::{Formatter, Output, Style};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_core::string::{Surrogates, decode_into};

use super::print::{Target, is_json};
use crate::check::Failure;
use crate::messages;
use crate::path_messages::{self, NoMatch};
use crate::report::{escape, escape_lines, width_of};

/// Bytes of matches that are collected before their columns are looked up: they stay in the second-level cache.
const BATCH: usize = 128 << 10;

/// Bytes of a table that are held to align its columns. Of a longer one, the first rows decide how wide they are.
const ALIGNED: usize = 1 << 20;

/// Spaces between the columns of a table.
const GAP: usize = 2;

/// The format of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Tsv,
    Csv,
    Json,
    Table,
}

/// The columns that were asked for.
pub struct Columns {
    paths: Vec<Path>,
    names: Vec<String>,
    pub form: Form,
    /// A row with the names comes first.
    pub header: bool,
    /// Printed where a value is missing.
    default: Vec<u8>,
    /// Control characters are escaped.
    guard: bool,
    /// Options for one value.
    options: Options,
}

/// Splits a list of paths at commas outside brackets and quotes.
pub fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, byte) in list.bytes().enumerate() {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (_, b'\\') => escaped = true,
            (Some(open), _) => quote = quote.filter(|_| byte != open),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[' | b'(') => depth += 1,
            (None, b']' | b')') => depth = depth.saturating_sub(1),
            (None, b',') if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().map(str::trim).collect()
}

impl Columns {
    /// Columns at these paths. `default` is JSON, or any text.
    pub fn new(
        paths: Vec<Path>,
        form: Form,
        header: bool,
        default: Option<&[u8]>,
        guard: bool,
        options: Options,
    ) -> Columns {
        let name = |path: &Path| {
            let text = path.to_string();
            let name = text.trim_start_matches(['.', '$', '/', '#']);
            match name {
                "" => text.clone(),
                name => name.to_owned(),
            }
        };
        let default = match (default, form) {
            (None, Form::Json) => b"null".to_vec(),
            (None, _) => Vec::new(),
            (Some(text), Form::Json) if !is_json(text) => quoted(text),
            (Some(text), _) => text.to_vec(),
        };
        Columns {
            names: paths.iter().map(name).collect(),
            paths,
            form,
            header,
            default,
            guard,
            options,
        }
    }

    /// The row with the names, if it is printed before all others.
    pub fn first_row(&self) -> Vec<u8> {
        let mut row = Vec::new();
        if self.header && self.form != Form::Table {
            let cells = self.names.iter().map(|name| Cell::Text(name.as_bytes()));
            self.row(cells, &mut row);
        }
        row
    }

    /// Appends a row. Returns whether a lone surrogate was replaced.
    fn row<'c>(&self, cells: impl Iterator<Item = Cell<'c>>, out: &mut Vec<u8>) -> bool {
        let mut replaced = false;
        let begin = out.len();
        for (number, cell) in cells.enumerate() {
            match (number, self.form) {
                (0, Form::Json) => out.push(b'['),
                (0, _) => {}
                (_, Form::Tsv | Form::Table) => out.push(b'\t'),
                (_, Form::Csv | Form::Json) => out.push(b','),
            }
            replaced |= self.cell(cell, out);
        }
        if self.form == Form::Json {
            out.push(b']');
        }
        // An empty line would be no row.
        if self.form == Form::Csv && out.len() == begin {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
        replaced
    }

    fn cell(&self, cell: Cell<'_>, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        let mut replaced = false;
        match (cell, self.form) {
            (Cell::Missing, Form::Csv) => quote_csv(out, &self.default),
            (Cell::Missing, _) => out.extend_from_slice(&self.default),
            (Cell::Text(text), Form::Json) => out.extend_from_slice(&quoted(text)),
            (Cell::Text(text), _) => self.text(text, out),
            (Cell::Value(value), Form::Json) => compact(value, self.options, out),
            (Cell::Value(b"null"), _) => {}
            (Cell::Value([b'"', raw @ .., b'"']), _) => {
                if memchr::memchr(b'\\', raw).is_none() {
                    self.text(raw, out);
                } else {
                    let mut decoded = Vec::new();
                    let done = decode_into(raw, &mut decoded);
                    replaced = matches!(done, Ok(Surrogates::Replaced { .. }));
                    self.text(&decoded, out);
                }
            }
            (Cell::Value(value @ [b'{' | b'[', ..]), _) => {
                let mut text = Vec::new();
                compact(value, self.options, &mut text);
                self.text(&text, out);
            }
            (Cell::Value(value), _) => out.extend_from_slice(value),
        }
        if self.guard {
            let shown = escape_lines(&out[start..]);
            out.truncate(start);
            out.extend_from_slice(shown.as_bytes());
        }
        replaced
    }

    /// Appends a text: quoted by RFC 4180 in CSV; else with `\t`, `\n`, `\r` and `\\` in place of what would end a cell.
    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        if self.form == Form::Csv {
            return quote_csv(out, text);
        }
        if memchr::memchr3(b'\t', b'\n', b'\r', text).is_none()
            && memchr::memchr(b'\\', text).is_none()
        {
            return out.extend_from_slice(text);
        }
        for &byte in text {
            match byte {
                b'\t' => out.extend_from_slice(b"\\t"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\\' => out.extend_from_slice(b"\\\\"),
                other => out.push(other),
            }
        }
    }
}

/// A value of a row.
#[derive(Clone, Copy)]
enum Cell<'c> {
    Missing,
    /// JSON.
    Value(&'c [u8]),
    /// Any text.
    Text(&'c [u8]),
}

fn quote_csv(out: &mut Vec<u8>, text: &[u8]) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    // Spaces are part of a field, but some readers trim them.
    let trimmed =
        matches!(text.first(), Some(b' ' | b'\t')) || matches!(text.last(), Some(b' ' | b'\t'));
    if !trimmed && !text.iter().any(special) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// A text as a JSON string.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\0'..='\x1f' => {
                out.extend_from_slice(format!("\\u{:04x}", character as u32).as_bytes())
            }
            other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
    out
}

/// Appends a value without white space.
fn compact(value: &[u8], options: Options, out: &mut Vec<u8>) {
    if !matches!(value, [b'{' | b'[', ..]) {
        return out.extend_from_slice(value);
    }
    let formatter = Formatter::new(Style::Compact, Vec::new());
    match Validator::new(options).check(value, formatter) {
        Ok(text) => out.extend_from_slice(text.strip_suffix(b"\n").unwrap_or(&text)),
        // The file was changed since it was checked.
        Err(_) => out.extend_from_slice(value),
    }
}

/// Matches on their way to rows.
pub struct Rows<'r> {
    columns: &'r Columns,
    /// The matches, one after another.
    values: Vec<u8>,
    count: usize,
    /// Where each cell is in them.
    cells: Vec<Option<(usize, usize)>>,
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
    /// Where the path of each column stopped first, or that it did not in some row; `None` before the first row.
    columns: Vec<Option<Result<(), NoMatch>>>,
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
        for (path, seen) in columns.paths.iter().zip(&self.columns) {
            if let Some(Err(stopped)) = seen {
                let (_, hint) = path_messages::explain(path, stopped);
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
        Rows {
            columns,
            values: Vec::new(),
            count: 0,
            cells: Vec::new(),
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
        let width = columns.paths.len();
        self.cells.clear();
        self.cells.resize(self.count * width, None);
        let mut query = Query::new(&columns.paths, QueryOptions::default());
        let options = columns.options.mode(Mode::Stream);
        Validator::new(options).check(&self.values, &mut query)?;
        query.end();
        self.seen.columns.resize_with(width, || None);
        for answer in query.answers() {
            match answer {
                Answer::Match(one) => {
                    let cell = one.root as usize * width + one.path;
                    self.cells[cell] = Some((one.start as usize, one.end as usize));
                    self.seen.columns[one.path] = Some(Ok(()));
                }
                Answer::Missing { path, missing, .. } => {
                    let container = missing.start as usize..missing.end as usize;
                    let container = || self.values[container].to_vec();
                    let seen = &mut self.seen.columns[path];
                    seen.get_or_insert_with(|| Err(NoMatch::of_missing(&missing, container)));
                }
            }
        }
        for row in self.cells.chunks(width) {
            let cells = row.iter().map(|cell| match *cell {
                Some((start, end)) => Cell::Value(&self.values[start..end]),
                None => Cell::Missing,
            });
            self.replaced |= columns.row(cells, &mut self.out);
        }
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
            rows.insert(0, self.columns.names.iter().map(String::as_str).collect());
        }
        let widths = self.widths.get_or_insert_with(|| {
            let mut widths = vec![0; self.columns.names.len()];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_quotes_do_not_split() {
        assert_eq!(split(".a,.b.c, /d"), [".a", ".b.c", "/d"]);
        assert_eq!(
            split(r#".["a,b"],.'x,y',.z\,z"#),
            [r#".["a,b"]"#, ".'x,y'", r".z\,z"]
        );
        assert_eq!(split("$['a','b'],.c"), ["$['a','b']", ".c"]);
    }
}
