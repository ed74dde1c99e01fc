//! `jsonx validate`: checks files and reports every error with its position.

mod checker;
mod references;

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Validate};
use crate::config::{Config, Configs, FileOptions, FileSchemas, Unchecked};
use crate::diagnostics::{Deliver, FileReport, MissingSchemas};
use crate::exit::Exit;
use crate::files::{Files, Problem, Selection};
use crate::input::{Input, Name};
use crate::output::Guard;
use crate::schema::name_of;
use crate::session::{Channel, Session, check_targets, default_reporters, refuse_inputs};
use crate::threads::in_batches;
pub use checker::Checker;

impl Command for Validate {
    const NAME: &'static str = "validate";
    const DEPTH_MAY_BE_UNLIMITED: bool = true;
    const NO_INPUT: &'static str = "no FILE was given, and standard input is a terminal; `jsonx validate .` checks this \
        directory";
    type Work<'a> = (Files<'a>, FileSchemas);

    fn named(&self) -> Option<&[PathBuf]> {
        Some(&self.selection.paths)
    }

    fn common(&self) -> &Common {
        &self.common
    }

    fn staged(&mut self) -> Option<&mut Selection> {
        self.staged.then_some(&mut self.selection)
    }

    fn plan(&self, _: &Global) -> Result<Plan<Self::Work<'_>>, UsageError> {
        let files = self.selection.files().map_err(|e| UsageError::new(&e))?;
        check_targets(&self.reporter, &self.selection).map_err(UsageError::Arguments)?;
        let options = self.schemas.options(self.levels);
        if self.selection.has_stdin() && options.reads_stdin() {
            let text = "standard input is both the schema and a file to check: name one of them";
            return Err(UsageError::Arguments(text.to_owned()));
        }
        // A config may name a schema.
        if let Err(text) = options.check()
            && !Configs::new(&self.common.config).apply_here()
        {
            return Err(UsageError::Arguments(text));
        }
        let schemas = FileSchemas::new(options, self.levels);
        let schemas = schemas.map_err(UsageError::Arguments)?;
        let reporters = match &self.reporter[..] {
            [] => default_reporters(),
            reporters => reporters.to_vec(),
        };
        Ok(Plan {
            meant: None,
            stdin_is_implied: self.selection.is_empty() && !self.needs_no_file(),
            channel: Channel::Data,
            reporters,
            levels: self.levels,
            work: (files, schemas),
        })
    }

    fn run(&self, (files, schemas): Self::Work<'_>, session: &mut Session) -> io::Result<()> {
        session.expect_documents();
        if let Some(form) = self.print_references {
            return references::print(session, self, files, &schemas, form);
        }
        if let Err(unusable) = schemas.prepare() {
            let report = session.diagnoser().unusable(&unusable);
            return session.print_report(report);
        }
        let files = session.select(files, true);
        run(session, self, files, &schemas)
    }
}

impl Validate {
    /// Whether only the references of `--schema` are printed.
    fn needs_no_file(&self) -> bool {
        self.print_references.is_some() && self.schemas.schema.is_some()
    }
}

/// Checks files in parallel, and reports on them in order.
fn run(
    session: &mut Session,
    args: &Validate,
    files: Files<'_>,
    schemas: &FileSchemas,
) -> io::Result<()> {
    let selection = &args.selection;
    session.summarize();
    let verbose = session.is_verbose();
    let options = session.options().clone();
    let guards = session.guards();
    let stale = guards.iter().filter(|guard| guard.is_stale_report());
    // A report written into a searched directory is not an input, neither as a file nor as standard output.
    let files = files.leaving_out(stale.map(Guard::id).collect());
    let files = files.inspect(|found| {
        if let Ok(path) = found {
            refuse_inputs(&guards, path);
        }
    });
    // A single file is checked on all threads.
    let is_one = selection.is_one();
    let stopped = Cell::new(false);
    let mut missing = MissingSchemas::default();
    let diagnoser = session.diagnoser();
    in_batches(
        selection.threads(),
        files.take_while(|_| !stopped.get()),
        |found| -> Result<Checked, Failed> {
            let path = found?;
            let name = Name::new(&path);
            let file = match options.for_file(&name) {
                Ok(file) => file,
                Err(config) => return Ok(Checked::WithoutConfig(name, config)),
            };
            // Standard input can be read once; the findings of a single file are printed as they are found.
            if is_one || path.as_os_str() == "-" {
                return Ok(Checked::Deferred(path));
            }
            let schema = match schemas.schema_for(&name, &file) {
                Ok(schema) => Some(schema),
                Err(unusable) => return Ok(Checked::WithoutSchema(path, file, unusable)),
            };
            let input = file.check.open(&path);
            if input.as_ref().is_ok_and(Input::is_stdout) {
                return Ok(Checked::Report(FileReport::default()));
            }
            let checker = Checker {
                options: &file,
                schema,
                verbose,
            };
            Ok(Checked::Report(checker.check(&name, input, None)?))
        },
        |checked| {
            // Files that were already in progress when the run stopped.
            if stopped.get() {
                return Ok(());
            }
            match checked {
                Ok(Checked::Report(report)) => {
                    session.print_report(missing.hold(report, &diagnoser))?;
                }
                Ok(Checked::Deferred(path)) => {
                    check_alone(session, &path, schemas, &mut missing)?;
                }
                Ok(Checked::WithoutSchema(path, file, unusable)) => {
                    report_without(session, &path, &file, &unusable, &mut missing)?;
                }
                Ok(Checked::WithoutConfig(name, config)) => {
                    session.report_config(&name, &config)?;
                }
                Err(Failed::Missed(problem)) => session.report_problem(&problem)?,
                Err(Failed::Output(error)) => return Err(error),
            }
            stopped.set(args.fail_fast && session.exit() != Exit::Done);
            Ok(())
        },
    )?;
    let mut reports = missing.reports(&diagnoser);
    reports.try_for_each(|report| session.print_report(report))
}

/// Checks a file while no other is reported on, and prints the findings as they are found.
fn check_alone(
    session: &mut Session,
    path: &Path,
    schemas: &FileSchemas,
    missing: &mut MissingSchemas,
) -> io::Result<()> {
    let name = Name::new(path);
    let file = match session.options().for_file(&name) {
        Ok(file) => file,
        Err(config) => return session.report_config(&name, &config),
    };
    let schema = match schemas.schema_for(&name, &file) {
        Ok(schema) => Some(schema),
        Err(unusable) => return report_without(session, path, &file, &unusable, missing),
    };
    let verbose = session.is_verbose();
    let diagnoser = &file.diagnoser;
    let mut deliver = |report| {
        session.print_report(report)?;
        session.out.flush()
    };
    let deliver: &mut Deliver<'_> = &mut deliver;
    let deliver = diagnoser.can_report_in_parts().then_some(deliver);
    let input = file.check.open(path);
    let checker = Checker {
        options: &file,
        schema,
        verbose,
    };
    let report = checker.check(&name, input, deliver)?;
    let report = missing.hold(report, diagnoser);
    session.print_report(report)
}

/// Reports a file whose schema cannot be used, and the schema once.
fn report_without(
    session: &mut Session,
    path: &Path,
    file: &FileOptions,
    unchecked: &Unchecked,
    missing: &mut MissingSchemas,
) -> io::Result<()> {
    let name = Name::new(path);
    let unusable = match unchecked {
        Unchecked::Config(mistakes) => return session.report_mistakes(&name, mistakes),
        Unchecked::Schema(unusable) => unusable,
    };
    let diagnoser = &file.diagnoser;
    if missing.is_new(name_of(unusable)) {
        session.print_report(diagnoser.unusable(unusable))?;
    }
    let report = diagnoser.without_schema(&name, unusable);
    session.print_report(missing.hold(report, diagnoser))
}

/// The result for a file that was checked together with others.
enum Checked {
    Report(FileReport),
    /// To be checked when its turn comes to be reported on.
    Deferred(PathBuf),
    /// Not checked.
    WithoutSchema(PathBuf, FileOptions, Unchecked),
    WithoutConfig(Name, Arc<Config>),
}

/// The reason why there is no report on a file.
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
