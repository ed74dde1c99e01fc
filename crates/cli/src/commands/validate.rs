//! `jsonx validate`: checks files and reports every error with its position.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use jsonx_core::lint;

use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Validate};
use crate::check::InputKind;
use crate::check::lines::{self, Found, Records, Search};
use crate::check::{self, CheckOptions, Failure};
use crate::diagnostics::{Diagnoser, FileReport};
use crate::exit::Exit;
use crate::files::{Files, Problem};
use crate::input::{Input, Name, Taken};
use crate::output::Guard;
use crate::report::Format;
use crate::session::Reporter;
use crate::session::{Channel, Session};
use crate::system;
use crate::threads::{self, in_batches};

impl Command for Validate {
    const NAME: &'static str = "validate";
    const DEPTH_MAY_BE_UNLIMITED: bool = true;
    const NO_INPUT: &'static str = "no PATH was given, and standard input is a terminal; `jsonx validate .` checks this \
        directory";
    type Work<'a> = Files<'a>;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Files<'_>>, UsageError> {
        let files = self.selection.files().map_err(|e| UsageError::of(&e))?;
        check_targets(self).map_err(UsageError::Arguments)?;
        let reporters = match &self.reporter[..] {
            [] => default_reporters(),
            given => given.to_vec(),
        };
        Ok(Plan {
            stdin_is_implied: self.selection.is_empty(),
            channel: Channel::Data,
            reporters,
            levels: self.levels,
            work: files,
        })
    }

    fn run(&self, files: Files<'_>, session: &mut Session) -> io::Result<()> {
        run(session, self, files)
    }
}

/// Rejects targets of reports that conflict: two reports with one target, or a report that would overwrite an input.
fn check_targets(args: &Validate) -> Result<(), String> {
    let files = || args.reporter.iter().filter_map(|it| it.file.as_ref());
    if args.reporter.len() > files().count() + 1 {
        return Err(
            "only one reporter can have standard output; give the others a file: --reporter NAME=FILE"
                .to_owned(),
        );
    }
    for (number, file) in files().enumerate() {
        let name = Name::of(file);
        let id = system::input_id(file);
        let is_same =
            |other: &PathBuf| other == file || id.is_some() && system::input_id(other) == id;
        if files().take(number).any(is_same) {
            return Err(format!("two reporters would be written to {name}"));
        }
        if id.is_some() && args.selection.named().any(is_same) {
            return Err(format!("{name} is an input, a report would overwrite it"));
        }
    }
    Ok(())
}

/// The default reports: for people, plus annotations in GitHub Actions.
fn default_reporters() -> Vec<Reporter> {
    let in_actions = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let formats = match in_actions {
        true => &[Format::Human, Format::Github][..],
        false => &[Format::Human],
    };
    let reporter = |&format| Reporter { format, file: None };
    formats.iter().map(reporter).collect()
}

/// Checks files in parallel, and reports on them in order.
fn run(session: &mut Session, args: &Validate, files: Files<'_>) -> io::Result<()> {
    let selection = &args.selection;
    session.watch(
        &selection.paths,
        selection.has_lists() || selection.paths.is_empty(),
    );
    let verbose = session.is_verbose();
    let (check_options, diagnoser) = (session.check_options(), session.diagnoser());
    let guards = session.guards();
    let stale = guards.iter().filter(|guard| guard.is_stale_report());
    // A report written into a searched directory is not an input, neither as a file nor as standard output.
    let is_one = selection.is_one();
    let files = files.leaving_out(stale.map(Guard::id).collect());
    let files =
        files.filter(|found| is_one || !found.as_ref().is_ok_and(|path| system::is_stdout(path)));
    let mut files = files.inspect(|found| {
        if let Ok(path) = found {
            refuse_inputs(&guards, path);
        }
    });
    if is_one {
        let mut say = |report| session.say(report).and_then(|()| session.out.flush());
        let live: Option<Live<'_>> = match diagnoser.can_be_said_in_parts() {
            true => Some(&mut say),
            false => None,
        };
        return match files.next() {
            Some(Ok(path)) => {
                let said = check_file(&check_options, &diagnoser, &path, verbose, live)?;
                session.say(said)
            }
            Some(Err(problem)) => session.miss(&problem),
            None => Ok(()),
        };
    }
    let stopped = Cell::new(false);
    in_batches(
        selection.threads(),
        files.take_while(|_| !stopped.get()),
        |found| -> Result<FileReport, Failed> {
            let path = found?;
            Ok(check_file(
                &check_options,
                &diagnoser,
                &path,
                verbose,
                None,
            )?)
        },
        |checked| {
            // Files that were already in progress when the run stopped.
            if stopped.get() {
                return Ok(());
            }
            let failed = match checked {
                Ok(said) => {
                    let failed = said.exit != Exit::Done;
                    session.say(said)?;
                    failed
                }
                Err(Failed::Missed(problem)) => {
                    session.miss(&problem)?;
                    true
                }
                Err(Failed::Output(error)) => return Err(error),
            };
            stopped.set(args.fail_fast && failed);
            Ok(())
        },
    )
}

/// Prevents reports from overwriting an input that came from a list or a directory.
fn refuse_inputs(guards: &[Guard], path: &Path) {
    if guards.is_empty() {
        return;
    }
    if let Some(id) = system::input_id(path) {
        let same = guards.iter().filter(|guard| guard.id() == id);
        same.for_each(Guard::refuse);
    }
}

/// Why there is no report on a file.
enum Failed {
    Missed(Problem),
    Output(io::Error),
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Failed {
        Failed::Missed(problem)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Output(error)
    }
}

/// Prints the findings so far in the lines of a stream, while its writer pauses.
type Live<'a> = &'a mut dyn FnMut(FileReport) -> io::Result<()>;

/// Checks one file, and returns the report on it, without the findings that `live` has printed already.
fn check_file(
    check_options: &CheckOptions,
    diagnoser: &Diagnoser,
    path: &Path,
    verbose: bool,
    live: Option<Live<'_>>,
) -> io::Result<FileReport> {
    let mut input = match check::open(path) {
        Ok(input) => input,
        Err(error) => return Ok(diagnoser.unreadable(&Name::of(path), &error)),
    };
    let kind = check_options.kind_of(&input);
    let by_line = kind == InputKind::Jsonl && (!input.is_file() || input.length() > SHORT);
    let mut is_json = false;
    let mut said = if by_line {
        match check_lines(check_options, diagnoser, &mut input, live) {
            Ok((said, are_json)) => {
                is_json = are_json;
                said
            }
            Err(failure) => diagnoser.failure(&mut input, kind, failure)?,
        }
    } else {
        let checked = match diagnoser.linter() {
            Some(linter) => check_options.lint(&mut input, kind, linter),
            None => check_options
                .check(&mut input, kind)
                .map(|()| lint::Findings::default()),
        };
        is_json = checked.is_ok();
        match checked {
            Ok(linted) => diagnoser.valid(&mut input, kind, &linted),
            Err(failure) => diagnoser.failure(&mut input, kind, failure)?,
        }
    };
    if verbose && said.exit != Exit::Failure {
        let verdict = match (said.exit, is_json) {
            (Exit::Done, _) => "valid",
            (_, true) => "valid, but not without findings that are denied",
            (_, false) => "invalid",
        };
        said.aside += &format!("{}: {verdict}\n", input.name());
    }
    Ok(said)
}

/// A file of JSON Lines up to this length, in bytes, is diagnosed as a whole.
const SHORT: u64 = 4 << 20;

/// Checks any number of lines: only invalid and error-prone lines are read twice. Also returns whether all lines are
/// valid.
fn check_lines(
    check_options: &CheckOptions,
    diagnoser: &Diagnoser,
    input: &mut Input,
    live: Option<Live<'_>>,
) -> Result<(FileReport, bool), Failure> {
    let search = diagnoser.search(check_options.engine(InputKind::Json));
    let start = input.skip_byte_order_mark()?;
    let mut before = Exit::Done;
    let found = if let Some(file) = input.random_access() {
        let checked = threads::lend(|threads| lines::file::check(file, start, search, threads));
        let (found, length) = checked?;
        input.note_end(length);
        found
    } else {
        follow(input, search, live, |input, found| {
            let said = diagnoser.lines(input, found).so_far();
            before = before.and(said.exit);
            said
        })?
    };
    let are_json = found.first.is_none();
    let mut said = diagnoser.lines(input, found);
    said.exit = said.exit.and(before);
    Ok((said, are_json))
}

/// Checks the lines of a stream, which may never end. Whenever nothing arrives for a while, passes the findings so far
/// to `part` and `live`, because a person may be waiting for them; returns the remaining findings.
fn follow(
    input: &mut Input,
    search: Search,
    mut live: Option<Live<'_>>,
    mut part: impl FnMut(&mut Input, Found) -> FileReport,
) -> Result<Found, Failure> {
    let idle_timeout = input.idle_timeout();
    let mut records: Option<Records> = None;
    loop {
        let read = input.each_window(|window| {
            let records = records.get_or_insert_with(|| Records::new(search, window.offset()));
            records.push(window.bytes());
            idle_timeout.store(live.is_some() && records.has_news(), Ordering::Relaxed);
            io::Result::Ok(Taken::from(window.bytes().len()))
        });
        match (read, &mut records, &mut live) {
            (Ok(()), _, _) => return Ok(records.map(Records::finish).unwrap_or_default()),
            (Err(error), Some(records), Some(say)) if error.kind() == io::ErrorKind::TimedOut => {
                say(part(input, records.take())).map_err(Failure::Write)?;
                idle_timeout.store(false, Ordering::Relaxed);
            }
            (Err(error), _, _) => return Err(Failure::Read(error)),
        }
    }
}
