//! The columns of rows, and the text of a row: cells between fixed texts.
//!
//! ```text
//! --tsv       ""       cell "\t"     cell "\n"
//! --json      "{\"a\":" cell ",\"b\":" cell "}\n"
//! ```

use std::ffi::OsStr;

use jsonx_core::engine::Options;
use jsonx_core::path::{Path, Reach, Segment, Selector};
use jsonx_core::string::{Surrogates, decode_into};

use super::values::is_json;
use crate::commands::UsageError;
use crate::commands::tally::compact;
use crate::output::Form;
use crate::report::{escape, escape_lines};

/// One column.
pub struct Column {
    pub source: ColumnSource,
    pub name: String,
}

/// The source of a column's cells.
pub enum ColumnSource {
    /// The values at a path in the match.
    Path(Path),
    /// The values at a path in the value this many levels above the match.
    Above(usize, Path),
    /// The key or index of the match, or of the value this many levels above it.
    Key(usize),
    /// The name of the file.
    File,
    /// All keys of the matches, to be replaced by one column each.
    All,
}

impl ColumnSource {
    /// Whether a match has at most one such value.
    pub fn is_singular(&self) -> bool {
        match self {
            ColumnSource::Path(path) | ColumnSource::Above(_, path) => path.is_singular(),
            ColumnSource::Key(_) | ColumnSource::File | ColumnSource::All => true,
        }
    }
}

impl Column {
    /// Whether it is a placeholder for all keys.
    pub fn is_all(&self) -> bool {
        matches!(self.source, ColumnSource::All)
    }

    /// The column of file names.
    pub fn file() -> Column {
        Column {
            source: ColumnSource::File,
            name: "file".to_owned(),
        }
    }

    /// The default name of a column.
    fn last_key(source: &ColumnSource) -> String {
        match source {
            ColumnSource::Path(path) => last_key(path),
            ColumnSource::Above(levels, path) if path.segments().is_empty() => "^".repeat(*levels),
            ColumnSource::Above(_, path) => last_key(path),
            ColumnSource::Key(_) => "key".to_owned(),
            ColumnSource::File => "file".to_owned(),
            ColumnSource::All => String::new(),
        }
    }

    /// The default name of a column if the short one is ambiguous.
    fn whole_name(source: &ColumnSource) -> Option<String> {
        match source {
            ColumnSource::Path(path) => Some(whole_name(path)),
            ColumnSource::Above(levels, path) => Some("^".repeat(*levels) + &whole_name(path)),
            ColumnSource::Key(levels) => Some(format!("key({})", "^".repeat(*levels))),
            ColumnSource::File | ColumnSource::All => None,
        }
    }

    /// A column for each of these keys.
    fn of_key(key: &str) -> Column {
        Column {
            source: ColumnSource::Path(Path::root().key(key)),
            name: key.to_owned(),
        }
    }
}

/// Replaces the placeholder for all keys by a column for each of the `keys`, except those with a column of this name.
pub fn expand(columns: Vec<Column>, keys: &[String]) -> Vec<Column> {
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let new = || keys.iter().filter(|key| !names.contains(key));
    columns
        .into_iter()
        .flat_map(|column| match column.source {
            ColumnSource::All => new().map(|key| Column::of_key(key)).collect(),
            _ => vec![column],
        })
        .collect()
}

/// Parses the source of a column.
fn source(
    text: &str,
    path: impl Fn(&OsStr) -> Result<Path, UsageError>,
) -> Result<ColumnSource, UsageError> {
    let of_key = text
        .strip_prefix("key(")
        .and_then(|rest| rest.strip_suffix(')'));
    if let Some(of) = of_key.map(str::trim) {
        let levels = of.trim_start_matches('^').is_empty().then_some(of.len());
        return match (of, levels) {
            ("." | "@", _) => Ok(ColumnSource::Key(0)),
            (_, Some(levels @ 1..)) => Ok(ColumnSource::Key(levels)),
            _ => Err(UsageError::message(format!(
                "jsonx: --columns: {}: the key of a match is `key(.)`, that of the value above it `key(^)`",
                escape(text)
            ))),
        };
    }
    if text == "*" {
        return Ok(ColumnSource::All);
    }
    let below = text.trim_start_matches('^');
    let levels = text.len() - below.len();
    let path = path(OsStr::new(if below.is_empty() && levels > 0 {
        "."
    } else {
        below
    }))?;
    if levels == 0 {
        return Ok(ColumnSource::Path(path));
    }
    let is_child = |segment: &Segment| segment.reach == Reach::Child;
    if path.segments().iter().all(is_child) {
        Ok(ColumnSource::Above(levels, path))
    } else {
        Err(UsageError::message(format!(
            "jsonx: --columns: {}: a path from `^` has no `..`",
            escape(text)
        )))
    }
}

/// Options for printing rows.
#[derive(Clone)]
pub struct RowOptions {
    pub form: Form,
    /// The first row has the names.
    pub header: bool,
    /// Printed for a missing value: JSON, or any text.
    pub default: Option<Vec<u8>>,
    /// Control characters are escaped.
    pub guard: bool,
    /// Options for one value.
    pub options: Options,
}

/// The requested columns.
pub struct Columns {
    columns: Vec<Column>,
    /// The texts before, between and after the cells.
    texts: Vec<Vec<u8>>,
    pub rows: RowOptions,
}

/// The offset of the first `stop` outside of brackets and quotes.
pub fn until(text: &str, stop: u8) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (_, b'\\') => escaped = true,
            (Some(open), _) => quote = quote.filter(|_| byte != open),
            (None, _) if byte == stop && depth == 0 => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[' | b'(') => depth += 1,
            (None, b']' | b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Splits a list of columns at commas.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), list);
    while let Some(at) = until(rest, b',') {
        parts.push(rest[..at].trim());
        rest = &rest[at + 1..];
    }
    parts.push(rest.trim());
    parts
}

/// The name of a column and its path, as typed. Without a name, the text begins like a path.
fn name_and_path(text: &str) -> (Option<String>, &str) {
    if text.starts_with(['.', '$', '/', '#', '^']) {
        return (None, text);
    }
    match until(text, b'=') {
        Some(at) if at > 0 => {
            let name = text[..at].trim_end();
            let quoted = ['"', '\''].iter().find_map(|&quote| {
                let inside = name.strip_prefix(quote)?;
                inside.strip_suffix(quote)
            });
            let name = quoted.unwrap_or(name).to_owned();
            (Some(name), text[at + 1..].trim_start())
        }
        _ => (None, text),
    }
}

/// The columns of lists such as `.a,name=.b[0]`, after the `first` ones. `path` compiles a path.
///
/// # Errors
/// A path is invalid, or two columns have the same name.
pub fn parse(
    first: Option<Column>,
    lists: &[String],
    path: impl Fn(&OsStr) -> Result<Path, UsageError>,
) -> Result<Vec<Column>, UsageError> {
    let mut is_named = vec![true; first.iter().len()];
    let mut columns = Vec::from_iter(first);
    for text in lists.iter().flat_map(|list| split(list)) {
        let (name, text) = name_and_path(text);
        let source = source(text, &path)?;
        is_named.push(name.is_some());
        columns.push(Column {
            name: name.unwrap_or_else(|| Column::last_key(&source)),
            source,
        });
    }
    // Equal keys are ambiguous.
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    for (column, is_named) in columns.iter_mut().zip(is_named) {
        let same = names.iter().filter(|name| **name == column.name);
        let is_ambiguous = same.count() > 1 && !is_named;
        if let Some(name) = Column::whole_name(&column.source).filter(|_| is_ambiguous) {
            column.name = name;
        }
    }
    for (at, column) in columns.iter().enumerate() {
        if columns[..at].iter().any(|other| other.name == column.name) {
            let name = escape(&column.name);
            let path = match &column.source {
                ColumnSource::Path(path) => path.to_string(),
                other => Column::whole_name(other).unwrap_or_default(),
            };
            return Err(UsageError::message(format!(
                "jsonx: --columns: two columns have the name `{name}`; name one of them, as in `other={}`",
                escape(&path)
            )));
        }
    }
    Ok(columns)
}

/// A path without a prefix.
fn whole_name(path: &Path) -> String {
    let text = path.to_string();
    match text.trim_start_matches(['.', '$', '/', '#']) {
        "" => text,
        name => name.to_owned(),
    }
}

/// The last key of a path, and the indices after it.
fn last_key(path: &Path) -> String {
    let segments = path.segments();
    let is_any = |selectors: &[Selector]| selectors == [Selector::Wildcard];
    let any = segments.iter().rev().take_while(|it| is_any(&it.selectors));
    let end = segments.len() - any.count();
    let key = segments[..end].iter().enumerate().rev();
    let mut key = key.filter_map(|(at, segment)| match &segment.selectors[..] {
        [Selector::Key(key)] => Some((at, String::from_utf8_lossy(key).into_owned())),
        _ => None,
    });
    match key.next() {
        Some((at, key)) => {
            let (until, whole) = (path.first(at + 1).to_string(), path.first(end).to_string());
            key + whole.strip_prefix(&until).unwrap_or_default()
        }
        None => whole_name(path),
    }
}

impl Columns {
    /// Columns in this form.
    pub fn new(columns: Vec<Column>, rows: RowOptions) -> Columns {
        let last = columns.len();
        let text = |at: usize| -> Vec<u8> {
            let (begin, separator, end) = match rows.form {
                Form::Tsv | Form::Table | Form::Markdown => ("", "\t", "\n"),
                Form::Csv => ("", ",", "\n"),
                Form::Json => ("{", ",", "}\n"),
            };
            let mut text = match at {
                0 => begin,
                at if at == last => end,
                _ => separator,
            }
            .as_bytes()
            .to_vec();
            if let (Form::Json, Some(column)) = (rows.form, columns.get(at)) {
                text.extend_from_slice(&quoted(column.name.as_bytes()));
                text.push(b':');
            }
            text
        };
        Columns {
            texts: (0..=last).map(text).collect(),
            columns,
            rows,
        }
    }

    /// The source of each column.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &ColumnSource> {
        self.columns.iter().map(|column| &column.source)
    }

    /// The row with the names, if it is printed before all others.
    pub fn first_row(&self) -> Vec<u8> {
        let mut row = Vec::new();
        if self.rows.header {
            let names = self.columns.iter().map(|column| column.name.as_bytes());
            self.row(names.map(Cell::Text), &mut row);
        }
        row
    }

    /// Appends a row. Returns whether a lone surrogate was replaced.
    pub fn row<'c>(&self, cells: impl Iterator<Item = Cell<'c>>, out: &mut Vec<u8>) -> bool {
        let mut replaced = false;
        let begin = out.len();
        let Some((end, texts)) = self.texts.split_last() else {
            return false;
        };
        for (cell, text) in cells.zip(texts) {
            out.extend_from_slice(text);
            replaced |= self.cell(cell, out);
        }
        // An empty line would not be a row.
        if self.rows.form == Form::Csv && out.len() == begin {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(end);
        replaced
    }

    fn cell(&self, cell: Cell<'_>, out: &mut Vec<u8>) -> bool {
        if self.rows.guard {
            let mut plain = Vec::new();
            let replaced = self.unguarded(cell, &mut plain);
            out.extend_from_slice(escape_lines(&plain).as_bytes());
            return replaced;
        }
        self.unguarded(cell, out)
    }

    fn unguarded(&self, cell: Cell<'_>, out: &mut Vec<u8>) -> bool {
        match (cell, self.rows.form == Form::Json) {
            (Cell::Missing { several }, true) => match &self.rows.default {
                None if several => out.extend_from_slice(b"[]"),
                None => out.extend_from_slice(b"null"),
                Some(text) if is_json(text) => compact(text, self.rows.options, out),
                Some(text) => out.extend_from_slice(&quoted(text)),
            },
            (Cell::Missing { .. }, false) => {
                self.text(self.rows.default.as_deref().unwrap_or(b""), out)
            }
            (Cell::Text(text), true) => out.extend_from_slice(&quoted(text)),
            (Cell::Text(text), false) => self.text(text, out),
            (Cell::Value(value), true) => compact(value, self.rows.options, out),
            (Cell::Value([b'"', raw @ .., b'"']), false)
                if memchr::memchr(b'\\', raw).is_none() =>
            {
                self.text(raw, out);
            }
            (Cell::Value(value @ ([b'"' | b'{' | b'[', ..] | b"null")), false) => {
                let mut text = Vec::new();
                let replaced = self.plain(value, &mut text);
                self.text(&text, out);
                return replaced;
            }
            (Cell::Value(value), false) => out.extend_from_slice(value),
            (Cell::Several(values, source), true) => {
                for (number, &(_, start, end)) in values.iter().enumerate() {
                    out.push(if number == 0 { b'[' } else { b',' });
                    compact(&source[start..end], self.rows.options, out);
                }
                out.push(b']');
            }
            (Cell::Several(values, source), false) => {
                let (mut text, mut replaced) = (Vec::new(), false);
                for (number, &(_, start, end)) in values.iter().enumerate() {
                    if number > 0 {
                        text.push(b';');
                    }
                    replaced |= self.plain(&source[start..end], &mut text);
                }
                self.text(&text, out);
                return replaced;
            }
        }
        false
    }

    /// Appends the text of a value: strings decoded, containers minified, nothing for null. Returns whether a lone surrogate was
    /// replaced.
    fn plain(&self, value: &[u8], out: &mut Vec<u8>) -> bool {
        match value {
            b"null" => {}
            [b'"', raw @ .., b'"'] => {
                return matches!(decode_into(raw, out), Ok(Surrogates::Replaced { .. }));
            }
            other => compact(other, self.rows.options, out),
        }
        false
    }

    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        self.rows.form.push_cell(text, out);
    }
}

/// One of several values in a cell: the number of the cell, and the span of the value in the matches.
pub type Span = (usize, usize, usize);

/// A value of a row.
#[derive(Clone, Copy)]
pub enum Cell<'c> {
    /// `several`: there could have been several.
    Missing { several: bool },
    /// JSON.
    Value(&'c [u8]),
    /// The values at these spans of the matches.
    Several(&'c [Span], &'c [u8]),
    /// Any text.
    Text(&'c [u8]),
}

/// A text as a JSON string.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    serde_json::to_vec(&*String::from_utf8_lossy(text)).unwrap_or_default()
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

    #[test]
    fn columns_are_named_by_their_last_key() {
        for (list, names) in [
            (".a,.b.c,$['d e'][0]", "a|c|d e[0]"),
            (".tags.0,.tags[],..x", "tags.0|tags|x"),
            (".,$,/a~1b/c", ".|$|c"),
            (".a.name,.b.name", "a.name|b.name"),
            (".name,.b.name,name2=.c.name", "name|b.name|name2"),
            ("x=.a,'y, z'=.b,\"q=\"=.c", "x|y, z|q="),
            (".a=b,c=.d", "a=b|c"),
            ("n=.", "n"),
        ] {
            let path = |text: &OsStr| Ok(Path::parse(text.as_encoded_bytes()).expect(list));
            let Ok(columns) = parse(None, &[list.to_owned()], path) else {
                panic!("{list}");
            };
            let found: Vec<&str> = columns.iter().map(|column| &column.name[..]).collect();
            assert_eq!(found.join("|"), names, "{list}");
        }
    }
}
