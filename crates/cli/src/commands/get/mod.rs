//! `jsonx get`: the values that paths select.
//!
//! ```text
//! paths ──► query ──► answers.rs ──► print.rs ──► standard output
//!             ▲       in order,      as JSON, raw,
//!             │       limited        type, length …
//!  file.rs    validates a file, then prints
//!  stream.rs  prints while reading
//!  lines.rs   searches JSON Lines record by record, and continues after an invalid one
//! ```

mod answers;
mod columns;
mod conclude;
mod file;
mod filters;
mod keys;
mod lines;
mod missing;
mod notes;
mod print;
mod rows;
mod stream;
mod text;
mod totals;
mod values;

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::engine::Mode;
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::{Filter, Path};
use jsonx_core::query::{Duplicates, Order, Query, QueryOptions};

use self::answers::Answers;
use self::columns::{Column, Columns, Form, RowOptions};
use self::conclude::{conclude, warn_of_duplicates};
use self::print::{Printer, Show, Target};
use self::rows::Seen;
use self::stream::StreamOptions;
use self::totals::Totals;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Get, Global};
use crate::check::{Failure, InputKind};
use crate::input::Input;
use crate::messages;
use crate::path_messages;
use crate::report::escape;
use crate::session::Session;

/// The request: the arguments, parsed.
pub struct Request {
    pub paths: Vec<Path>,
    /// The paths as typed, escaped for messages.
    typed: Vec<String>,
    /// Matches have to pass all of them.
    filters: Vec<Filter>,
    /// The files to search.
    pub files: Vec<PathBuf>,
    /// Each path selects at most one value.
    pub singular: bool,
    order: Order,
    /// Maximum number of matches to print per input.
    pub limit: u64,
    pub default: Option<Vec<u8>>,
    /// The columns as parsed.
    parsed: Vec<Column>,
    /// The columns of rows, if they are printed.
    pub columns: Option<Columns>,
    messages: bool,
}

impl Request {
    /// Whether matches are the rows of an aligned table.
    pub fn has_table(&self) -> bool {
        let columns = self.columns.as_ref();
        columns.is_some_and(|columns| columns.form == Form::Table)
    }

    /// The query with these options.
    pub fn query(&self, options: QueryOptions) -> Query {
        Query::filtered(&self.paths, &self.filters, options)
    }

    /// Options of the query, with or without the locations of matches.
    pub fn query_options(&self, locations: bool) -> QueryOptions {
        QueryOptions::default()
            .order(self.order)
            .locations(locations)
    }
}

impl Command for Get {
    const NAME: &'static str = "get";
    type Work<'a> = Request;

    fn common(&self) -> &Common {
        &self.common
    }

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn plan(&self, _: &Global) -> Result<Plan<Request>, UsageError> {
        let request = parse(self)?;
        let stdin_is_implied = request.files.is_empty();
        Ok(Plan::with_findings_on_stderr(request, stdin_is_implied))
    }

    fn run(&self, request: Request, session: &mut Session) -> io::Result<()> {
        let stdin = [PathBuf::from("-")];
        let named = request.files.clone();
        let files = match &named[..] {
            [] => &stdin,
            named => named,
        };
        run(session, self, request, files)
    }
}

/// Converts the arguments to a request.
fn parse(args: &Get) -> Result<Request, UsageError> {
    let mut files = args.files.clone();
    let first = match (args.paths.as_slice(), &args.path) {
        ([], path) => path.as_slice(),
        (_, Some(file)) => {
            files.insert(0, PathBuf::from(file));
            &[]
        }
        (_, None) => &[],
    };
    let texts: Vec<&OsStr> = first
        .iter()
        .chain(&args.paths)
        .map(|t| t.as_os_str())
        .collect();
    let mut paths = Vec::new();
    for text in &texts {
        paths.push(path(text, Some(&files))?);
    }
    let request = Request {
        singular: paths.iter().all(Path::is_singular),
        // Without values, their order does not matter, and equal matches that need not be sorted are one.
        order: if args.count || args.exists {
            Order::Document
        } else {
            Order::Written
        },
        limit: args.limit.unwrap_or(u64::MAX),
        default: default(args)?,
        parsed: columns::parse(&args.columns, |text| path(text, None))?,
        columns: None,
        messages: !args.count,
        typed: texts.iter().map(|t| escape(t.as_encoded_bytes())).collect(),
        filters: filters::parse(&args.filters)?,
        paths,
        files,
    };
    let has_columns = !args.columns.is_empty();
    if request.paths.len() > 1 && has_columns {
        return Err(UsageError::Arguments(
            "--columns prints rows of the matches of one path; put its other paths into it"
                .to_owned(),
        ));
    }
    if request.paths.len() > 1 && (args.tally || args.stats) {
        return Err(UsageError::Arguments(
            "--tally and --stats are of the matches of one path".to_owned(),
        ));
    }
    if !args.filters.is_empty() && args.default.is_some() && !has_columns {
        return Err(UsageError::Arguments(
            "--default stands for a missing match, and --where leaves matches out; with --columns it stands for a missing cell"
                .to_owned(),
        ));
    }
    // A file name may be a valid JSON Pointer; at a terminal without other arguments the file was meant.
    if request.files.is_empty() && io::stdin().is_terminal() {
        name_of_a_file(texts.first()).map_or(Ok(()), |text| Err(UsageError::Message(text)))?;
    }
    Ok(request)
}

/// Compiles a path; that of a column has no files.
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
        UsageError::Message(out)
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

/// Whether an argument is not an existing file, but a valid path.
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
        return Err(UsageError::Message(format!(
            "jsonx: --default {shown}: in JSON it is spelled {meant}; the string has quotes: '\"{shown}\"'"
        )));
    }
    if args.raw || args.join || args.raw_output0 || !args.columns.is_empty() {
        return Ok(Some(value.to_vec()));
    }
    let shown = escape(value);
    Err(UsageError::Message(format!(
        "jsonx: --default {shown}: not JSON; with --raw any text is allowed, a JSON string has quotes: '\"{shown}\"'"
    )))
}

/// The message if the path is the name of a file.
fn name_of_a_file(text: Option<&&OsStr>) -> Option<String> {
    let text = text.filter(|text| FilePath::new(text).is_file())?;
    Some(format!(
        "jsonx: {} is the name of a file; {}",
        escape(text.as_encoded_bytes()),
        missing::PATH_FIRST
    ))
}

/// The form of rows that was asked for.
fn form(args: &Get) -> Option<Form> {
    Some(match args {
        Get { csv: true, .. } => Form::Csv,
        Get { tsv: true, .. } => Form::Tsv,
        Get { json: true, .. } => Form::Json,
        Get { table: true, .. } => Form::Table,
        _ => return None,
    })
}

/// How rows are printed.
fn row_options<'r>(
    args: &'r Get,
    default: Option<&'r [u8]>,
    terminal: bool,
    options: jsonx_core::engine::Options,
) -> RowOptions<'r> {
    let usual = match terminal && !args.columns.is_empty() {
        true => Form::Table,
        false => Form::Tsv,
    };
    RowOptions {
        form: form(args).unwrap_or(usual),
        header: args.header,
        default,
        guard: terminal,
        options,
    }
}

/// Looks up the paths in each input.
fn run(
    session: &mut Session,
    args: &Get,
    mut request: Request,
    files: &[PathBuf],
) -> io::Result<()> {
    if args.exists {
        session.set_quiet();
    }
    let quiet = session.is_quiet();
    let terminal = session.out.is_terminal();
    let options = session.check_options().engine(InputKind::Json);
    let printer = Printer::new(args, quiet, files.len(), terminal, session.color(), options);
    let options = options.dialect(Dialect::Jsonc);
    if !args.columns.is_empty() && printer.show == Show::Value {
        let parsed = std::mem::take(&mut request.parsed);
        let options = row_options(args, request.default.as_deref(), terminal, options);
        request.columns = Some(Columns::new(parsed, &options));
    }
    if let Some(columns) = &request.columns {
        session.out.write_all(&columns.first_row())?;
    }
    let request = &request;
    let mut seen = Seen::default();
    let mut totals = Totals::of(printer.show);
    for file in files {
        let Some(mut input) = session.open(file)? else {
            continue;
        };
        let check_options = session.check_options();
        let mut kind = check_options.kind_of(&input);
        // Values are printed as they are read.
        kind = check_options.by_header(&mut input, kind);
        let options = check_options.engine(kind).mode(Mode::One);
        let printer = Printer::new(args, quiet, files.len(), terminal, session.color(), options);
        let name = input.name().clone();
        let mut answers = Answers::new(request, &printer, &name);
        let mut printed = session.by_content(&mut input, &mut kind, |session, input, kind| {
            answers = Answers::new(request, &printer, &name);
            answers.translation = input.json5().cloned();
            print_answers(session, request, &printer, input, kind, &mut answers)
        });
        if printed.is_ok() {
            let target = &mut Target::Stdout(&mut session.out);
            if let Err(failure) = answers.print_rows(true, target) {
                printed = Err(failure);
            }
        }
        seen.add(answers.columns_seen());
        let part = answers.take_totals();
        if printed.is_ok()
            && let Err(failure) = answers.merge_totals(&mut totals, part)
        {
            printed = Err(failure);
        }
        session.warn_of_byte_order_mark(&input);
        if answers.warnings.oversized_patterns {
            messages::line(&format!(
                "jsonx: {name}: warning: a pattern in the document is too large and matches nothing; at most 1 KiB is compiled"
            ));
        }
        if answers.warnings.surrogates {
            messages::line(&format!(
                "jsonx: {name}: warning: lone surrogate in a string; printed as U+FFFD"
            ));
        }
        let counts = std::mem::take(&mut answers.counts);
        let unsettled = match printed {
            Ok(unsettled) => unsettled,
            Err(failure) => {
                warn_of_duplicates(request, &counts, &input, false);
                session.report_failure(&mut input, kind, failure)?;
                if request.files.is_empty()
                    && let Some(text) = name_of_a_file(args.path.as_deref().as_ref())
                {
                    messages::line(&text);
                }
                continue;
            }
        };
        warn_of_duplicates(request, &counts, &input, unsettled);
        for (path, count) in counts.iter().enumerate() {
            if printer.show == Show::Count {
                let target = &mut Target::Stdout(&mut session.out);
                printer.count(target, &name, count.matches)?;
            }
            conclude(session, request, args, path, count, &mut input, kind);
        }
        if session.is_verbose() {
            session.out.flush()?;
            let matches: u64 = counts.iter().map(|count| count.matches).sum();
            let plural = if matches == 1 { "" } else { "es" };
            messages::line(&format!("{name}: {matches} match{plural}{}", kind.note()));
        }
    }
    if let Some(totals) = totals.filter(|totals| !totals.are_none()) {
        let rows = row_options(args, None, terminal, options);
        let form = form(args).map(|_| rows);
        totals.print(form.as_ref(), args.raw, &rows, &mut session.out)?;
    }
    if let Some(columns) = &request.columns
        && request.default.is_none()
        && request.messages
    {
        session.out.flush()?;
        seen.report(columns);
    }
    Ok(())
}

/// Prints the answers of one input. Returns whether a key was repeated after its first value had been printed.
fn print_answers<'r>(
    session: &mut Session,
    request: &'r Request,
    printer: &'r Printer,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'r>,
) -> Result<bool, Failure> {
    if kind == InputKind::Jsonl || session.is_piped(input) {
        let ended = lines::run(session, request, printer, input, kind, answers)?;
        if ended.is_continue() {
            return Ok(false);
        }
    }
    if input.is_file() {
        return file::run(session, request, printer, input, kind, answers).map(|()| false);
    }
    let options = StreamOptions {
        duplicates: Duplicates::Last,
        settles: !request.singular,
        checked: false,
    };
    stream::run(session, request, printer, input, kind, options, answers)
}
