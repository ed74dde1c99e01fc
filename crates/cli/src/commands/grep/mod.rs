//! `jsonx grep`: the values whose text matches a regular expression, with their positions and paths.
//!
//! ```text
//! files ──► any thread: search.rs ──► target.rs, held ──► in order ──► standard output
//!      └──► this thread, if a file is long, the only one, or has many matches ──►┘
//! ```

mod lines;
mod matches;
mod pattern;
mod print;
mod search;
mod target;

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::matches::{Matches, Search};
use self::pattern::Pattern;
use self::print::{Printer, Show};
use self::target::Target;
use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Grep};
use crate::check::InputKind;
use crate::config::{Config, FileOptions, RunOptions};
use crate::diagnostics::{FileReport, byte_order_mark};
use crate::exit::Exit;
use crate::files::{Problem, Selection};
use crate::input::Name;
use crate::messages;
use crate::session::Session;
use crate::threads::in_batches;

/// Files up to this length in bytes are searched by threads that each search one.
const SHORT: u64 = 16 << 20;

/// What is searched.
pub struct Request {
    pattern: Pattern,
    selection: Selection,
}

impl Command for Grep {
    const NAME: &'static str = "grep";
    type Work<'a> = Request;

    fn named(&self) -> Option<&[PathBuf]> {
        Some(&self.selection.paths)
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn skips_invalid(&self) -> bool {
        self.skip_invalid
    }

    fn plan(&self, _: &Global) -> Result<Plan<Request>, UsageError> {
        let pattern = Pattern::new(self).map_err(UsageError::message)?;
        let mut selection = self.selection.clone();
        if selection.is_empty() && io::stdin().is_terminal() {
            selection.paths.push(".".into());
        }
        selection.files().map_err(|error| UsageError::new(&error))?;
        let stdin_is_implied = selection.is_empty();
        let request = Request { pattern, selection };
        Ok(Plan::with_findings_on_stderr(request, stdin_is_implied))
    }

    fn run(&self, request: Request, session: &mut Session) -> io::Result<()> {
        let Request { pattern, selection } = request;
        if session.is_verbose() {
            messages::line(
                "jsonx: -v is --verbose; `jsonx jq -c 'select(.key | test(\"text\") | not)' FILE` prints the records without a text",
            );
        }
        let show = Show::new(self, session.is_quiet());
        let (is_terminal, color) = (session.out.is_terminal(), session.color());
        let search = Search {
            printer: Printer::new(pattern, show, is_terminal, color),
            finds_keys: self.keys,
            skips_invalid: self.skip_invalid,
            limit: self.limit.map_or(u64::MAX, |limit| limit.get()),
        };
        let any = run(session, &search, &selection)?;
        if !any {
            session.note(Exit::No);
        }
        Ok(())
    }
}

/// Searches all files. Returns whether any has a match.
fn run(session: &mut Session, search: &Search, selection: &Selection) -> io::Result<bool> {
    let files = selection.files().map_err(io::Error::other)?;
    let files = session.select(files, false);
    let (is_one, options) = (selection.is_one(), session.options().clone());
    let any = Cell::new(false);
    let is_done = || any.get() && search.printer.show == Show::Nothing;
    in_batches(
        selection.threads(),
        files.take_while(|_| !is_done()),
        |found| match found {
            Err(problem) => Ok(Searched::Missed(problem)),
            // Standard input can be read once; a single file is searched on all threads.
            Ok(path) if is_one || path.as_os_str() == "-" => Ok(Searched::Deferred(path)),
            Ok(path) => search_file(&path, &options, search, None),
        },
        |searched: io::Result<Searched>| {
            if is_done() {
                return Ok(());
            }
            let searched = match searched? {
                Searched::Deferred(path) => {
                    search_file(&path, &options, search, Some(&mut *session))?
                }
                searched => searched,
            };
            match searched {
                Searched::File(file) => {
                    any.set(any.get() || file.count > 0);
                    print(session, search, is_one, file)
                }
                Searched::WithoutConfig(name, config) => session.report_config(&name, &config),
                Searched::Missed(problem) => session.report_problem(&problem),
                Searched::Deferred(_) => Ok(()),
            }
        },
    )?;
    Ok(any.get())
}

/// Prints the result for a file.
fn print(
    session: &mut Session,
    search: &Search,
    is_one: bool,
    file: SearchedFile,
) -> io::Result<()> {
    let SearchedFile {
        name, count, kind, ..
    } = file;
    if !file.messages.is_empty() {
        session.out.flush()?;
        messages::text(&file.messages);
    }
    session.out.write_all(&file.held)?;
    let mut reports = file.reports.into_iter();
    reports.try_for_each(|report| session.print_report(report))?;
    let printer = &search.printer;
    let line = match printer.show {
        Show::Count if is_one => count.to_string().into_bytes(),
        Show::Count => [printer.name(&name), format!(":{count}").into_bytes()].concat(),
        Show::Name => printer.name(&name),
        _ => Vec::new(),
    };
    if count > 0 && !line.is_empty() {
        session.out.write_all(&line)?;
        session.out.write_all(b"\n")?;
    }
    if session.is_verbose() {
        session.out.flush()?;
        let plural = if count == 1 { "" } else { "es" };
        messages::line(&format!("{name}: {count} match{plural}{}", kind.note()));
    }
    Ok(())
}

/// The result for a file.
enum Searched {
    File(SearchedFile),
    /// To be searched when its turn comes to be printed.
    Deferred(PathBuf),
    WithoutConfig(Name, Arc<Config>),
    Missed(Problem),
}

struct SearchedFile {
    name: Name,
    count: u64,
    kind: InputKind,
    /// Messages, output and reports that were held.
    messages: String,
    held: Vec<u8>,
    reports: Vec<FileReport>,
}

/// Searches a file, in its turn if there is a session.
fn search_file(
    path: &Path,
    options: &RunOptions,
    search: &Search,
    session: Option<&mut Session>,
) -> io::Result<Searched> {
    let name = Name::new(path);
    let file = match options.for_file(&name) {
        Ok(file) => file,
        Err(config) => return Ok(Searched::WithoutConfig(name, config)),
    };
    let FileOptions {
        check, diagnoser, ..
    } = &file;
    let mut target = Target::new(session);
    let mut searched = SearchedFile {
        name,
        count: 0,
        kind: InputKind::Json,
        messages: String::new(),
        held: Vec::new(),
        reports: Vec::new(),
    };
    let opened = check.open(path).and_then(|input| check.translated(input));
    let mut input = match opened {
        Ok(input) => input,
        Err(error) => {
            searched.reports = vec![diagnoser.unreadable(&searched.name, &error)];
            return Ok(Searched::File(searched));
        }
    };
    if !target.is_in_turn() && input.is_file() && input.size() >= SHORT {
        return Ok(Searched::Deferred(path.to_owned()));
    }
    if !input.is_file() {
        // A compressed file is opened again if there is too much output.
        let is_regular = std::fs::metadata(path).is_ok_and(|about| about.is_file());
        if target.is_in_turn() || !is_regular {
            target.set_streaming();
        }
    }
    let mut kind = check.kind_of(&input);
    let mut matches = Matches::new(search, &searched.name, &mut target);
    let done = search::run(check, diagnoser, &mut input, &mut kind, &mut matches);
    searched.count = matches.count;
    searched.kind = kind;
    if target.is_full() {
        return Ok(Searched::Deferred(path.to_owned()));
    }
    let (held, reports, is_printed) = target.end(done.is_ok() || !input.is_file());
    (searched.held, searched.reports) = (held, reports);
    searched.messages = byte_order_mark(&input).unwrap_or_default();
    if let Err(failure) = done {
        if input.is_file() && !is_printed {
            searched.count = 0;
        }
        let report = diagnoser.failure(&mut input, kind, failure)?;
        searched.reports.push(report);
    }
    Ok(Searched::File(searched))
}
