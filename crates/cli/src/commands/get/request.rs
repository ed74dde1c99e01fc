//! The request: the arguments, parsed.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::path::Path;
use jsonx_core::query::{Order, Query, QueryOptions};
use jsonx_core::validate;

use super::missing;
use crate::args::Get;
use crate::commands::UsageError;
use crate::files::Selection;
use crate::messages;
use crate::report::escape;

/// The request: the arguments, parsed.
pub struct Request {
    pub paths: Vec<Path>,
    /// The paths as typed, escaped for messages.
    pub typed: Vec<String>,
    /// The files to search.
    pub selection: Selection,
    /// Each path selects at most one value.
    pub singular: bool,
    order: Order,
    /// Maximum number of matches to print per input.
    pub limit: u64,
    pub default: Option<Vec<u8>>,
    /// Matches need locations, for printed paths.
    pub locates: bool,
    pub messages: bool,
}

impl Request {
    /// The query with these options.
    pub fn query(&self, options: QueryOptions) -> Query {
        Query::new(&self.paths, options)
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
        paths.push(path(text, &selection.paths)?);
    }
    let request = Request {
        singular: paths.iter().all(Path::is_singular),
        // Without values, the order does not matter, and equal matches that need not be sorted are merged.
        order: match args.count {
            true => Order::Document,
            false => Order::Written,
        },
        limit: args.limit.unwrap_or(u64::MAX),
        default: default(args)?,
        locates: args.with_path,
        messages: !args.count,
        typed: texts.iter().map(|t| escape(t.as_encoded_bytes())).collect(),
        paths,
        selection,
    };
    // A file name may be a valid JSON Pointer; on a terminal, without other arguments, the file was meant.
    if request.selection.is_empty() && io::stdin().is_terminal() {
        name_of_a_file(texts.first()).map_or(Ok(()), |text| Err(UsageError::message(text)))?;
    }
    Ok(request)
}

/// Compiles a path, which these files follow.
fn path(text: &OsStr, files: &[PathBuf]) -> Result<Path, UsageError> {
    let path = Path::parse(text.as_encoded_bytes()).map_err(|error| {
        let mut out = missing::bad_path(text, &error, files);
        if let Some(file) = files.first()
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
    if validate(value).is_ok() {
        return Ok(Some(value.trim_ascii().to_vec()));
    }
    if args.raw || args.join || args.raw_output0 {
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
