//! The request: the arguments, parsed.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::path::{Filter, Path};
use jsonx_core::query::{Order, Query, QueryOptions};

use super::columns::{self, Column, ColumnSource, Columns};
use super::{above, filters, missing, values};
use crate::args::Get;
use crate::commands::UsageError;
use crate::files::Selection;
use crate::messages;
use crate::path_messages;
use crate::report::escape;

/// The request: the arguments, parsed.
pub struct Request {
    pub paths: Vec<Path>,
    /// The paths as typed, escaped for messages.
    pub typed: Vec<String>,
    /// Matches must pass all of them.
    pub filters: Vec<Filter>,
    /// The files to search.
    pub selection: Selection,
    /// Each path selects at most one value.
    pub singular: bool,
    order: Order,
    /// Maximum number of matches to print per input.
    pub limit: u64,
    pub default: Option<Vec<u8>>,
    /// The columns as parsed.
    pub parsed: Vec<Column>,
    /// The columns of rows, if they are printed.
    pub columns: Option<Columns>,
    /// The paths of the columns' values above the matches.
    above: Vec<Path>,
    /// Matches need locations, for printed paths or for columns.
    pub locates: bool,
    pub messages: bool,
}

impl Request {
    /// The query with these options: the paths of the request, then those of values above the matches.
    pub fn query(&self, options: QueryOptions) -> Query {
        Query::with_others(&self.paths, &self.filters, &self.above, options)
    }

    /// Options of the query, with or without the locations of matches.
    pub fn query_options(&self, locations: bool) -> QueryOptions {
        QueryOptions::default()
            .order(self.order)
            .locations(locations)
    }

    /// Whether a file was named rather than found in a directory.
    pub fn names(&self, file: &FilePath) -> bool {
        self.selection.is_empty() || self.selection.paths.iter().any(|named| named == file)
    }
}

/// Converts the arguments to a request.
pub fn parse(args: &Get) -> Result<Request, UsageError> {
    let mut selection = args.selection.clone();
    let first = match (args.option_paths.as_slice(), &args.path) {
        ([], path) => path.as_slice(),
        (_, Some(file)) => {
            selection.paths.insert(0, PathBuf::from(file));
            &[]
        }
        (_, None) => &[][..],
    };
    let texts: Vec<&OsStr> = first
        .iter()
        .chain(&args.option_paths)
        .map(|t| t.as_os_str())
        .collect();
    let mut paths = Vec::new();
    for text in &texts {
        paths.push(path(text, Some(&selection.paths))?);
    }
    let filters = filters::parse(&args.filters)?;
    let file = args.with_filename.then(Column::file);
    let parsed = match &args.columns[..] {
        [] => Vec::new(),
        lists => columns::parse(file, lists, |text| path(text, None))?,
    };
    let sources: Vec<&ColumnSource> = parsed.iter().map(|column| &column.source).collect();
    let levels = filters.iter().map(Filter::levels).max().unwrap_or(0);
    let mut above = Vec::new();
    for path in &paths {
        let checked = above::paths(path, &sources).and_then(|above| match path.above(levels) {
            Some(_) => Ok(above),
            None => Err(levels),
        });
        above = checked.map_err(|levels| {
            let shown = escape(&path.to_string());
            let above = "^".repeat(levels);
            UsageError::message(format!(
                "jsonx: `{above}` leads too far up from the matches of {shown}: each `^` takes back one step of the path, up to a \
                 `..`, and the document is the last"
            ))
        })?;
    }
    let locates = args.with_path
        || !above.is_empty()
        || sources
            .iter()
            .any(|source| matches!(source, ColumnSource::Key(_)));
    let request = Request {
        singular: paths.iter().all(Path::is_singular),
        // Without values, the order does not matter, and equal matches that need not be sorted are merged. Values above the
        // matches enclose them.
        order: if args.count || args.exists || !above.is_empty() {
            Order::Document
        } else {
            Order::Written
        },
        limit: args.limit.unwrap_or(u64::MAX),
        default: default(args)?,
        parsed,
        columns: None,
        above,
        locates,
        messages: !args.count,
        typed: texts.iter().map(|t| escape(t.as_encoded_bytes())).collect(),
        filters,
        paths,
        selection,
    };
    let has_columns = !args.columns.is_empty();
    if request.paths.len() > 1 && has_columns {
        return Err(UsageError::Arguments(
            "--columns takes the matches of one path; add other paths to --columns".to_owned(),
        ));
    }
    if request.paths.len() > 1 && args.tally {
        return Err(UsageError::Arguments(
            "--tally takes the matches of one path".to_owned(),
        ));
    }
    if !args.filters.is_empty() && args.default.is_some() && !has_columns {
        return Err(UsageError::Arguments(
            "--default replaces a missing match, and --where excludes matches; with --columns, it replaces a missing cell"
                .to_owned(),
        ));
    }
    // A file name may be a valid JSON Pointer; on a terminal, without other arguments, the file was meant.
    if request.selection.is_empty() && io::stdin().is_terminal() {
        name_of_a_file(texts.first()).map_or(Ok(()), |text| Err(UsageError::message(text)))?;
    }
    Ok(request)
}

/// Compiles a path; the path of a column has no files.
fn path(text: &OsStr, files: Option<&[PathBuf]>) -> Result<Path, UsageError> {
    let path = Path::parse(text.as_encoded_bytes()).map_err(|error| {
        let mut out = missing::bad_path(text, &error, files);
        if let Some(file) = files.and_then(<[_]>::first)
            && is_path(file.as_os_str())
            && !std::fs::exists(text).unwrap_or(false)
        {
            out += &format!(
                "\n{} is a path; {}",
                escape(file.as_os_str().as_encoded_bytes()),
                missing::PATH_FIRST
            );
        }
        UsageError::message(out)
    })?;
    warn_of(&path);
    Ok(path)
}

/// Warns about error-prone paths.
fn warn_of(path: &Path) {
    for warning in path.warnings() {
        messages::line(&format!("jsonx: warning: {}", escape(&warning)));
    }
}

/// Whether an argument is a valid path and not an existing file.
fn is_path(text: &OsStr) -> bool {
    !std::fs::exists(text).unwrap_or(true) && Path::parse(text.as_encoded_bytes()).is_ok()
}

/// The default for paths without a match, if any.
fn default(args: &Get) -> Result<Option<Vec<u8>>, UsageError> {
    let Some(value) = &args.default else {
        return Ok(None);
    };
    let value = value.as_encoded_bytes();
    if values::is_json(value) {
        return Ok(Some(value.trim_ascii().to_vec()));
    }
    let text = String::from_utf8_lossy(value);
    if let Some(meant) = path_messages::spelled_in_json(&text).filter(|_| args.json) {
        let shown = escape(value);
        return Err(UsageError::message(format!(
            "jsonx: --default {shown}: in JSON it is spelled {meant}; the string has quotes: '\"{shown}\"'"
        )));
    }
    if args.raw || args.join || args.raw_output0 || !args.columns.is_empty() {
        return Ok(Some(value.to_vec()));
    }
    let shown = escape(value);
    Err(UsageError::message(format!(
        "jsonx: --default {shown}: not JSON; with --raw any text is allowed, a JSON string has quotes: '\"{shown}\"'"
    )))
}

/// The message if the path is the name of a file.
pub fn name_of_a_file(text: Option<&&OsStr>) -> Option<String> {
    let text = text.filter(|text| FilePath::new(text).is_file())?;
    Some(format!(
        "jsonx: {} is the name of a file; {}",
        escape(text.as_encoded_bytes()),
        missing::PATH_FIRST
    ))
}
