//! `jsonx validate`: checks files and reports every error with its position.

mod checker;
mod references;

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Validate};
use crate::config::{Config, Configs, FileOptions, FileSchemas, RunOptions, Unchecked};
use crate::diagnostics::{Deliver, FileReport, MissingSchemas};
use crate::exit::Exit;
use crate::files::{Files, Problem, Selection};
use crate::input::Name;
use crate::schema::name_of;
use crate::session::{Channel, Session, check_targets, default_reporters};
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
        let schemas = schemas.map_err(UsageError::of_option)?;
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
    let files = session.without_reports(files);
    // A single file is checked on all threads.
    let is_one = selection.is_one();
    let stopped = Cell::new(false);
    let mut missing = MissingSchemas::default();
    let diagnoser = session.diagnoser();
    in_batches(
        selection.threads(),
        files.take_while(|_| !stopped.get()),
        |found| match found {
            Err(problem) => Ok(Checked::Missed(problem)),
            // Standard input can be read once; the findings of a single file are printed as they are found.
            Ok(path) if is_one || path.as_os_str() == "-" => Ok(Checked::Deferred(path)),
            Ok(path) => check(&path, &options, schemas, verbose, None),
        },
        |checked| {
            // Files that were already in progress when the run stopped.
            if stopped.get() {
                return Ok(());
            }
            let checked = match checked? {
                Checked::Deferred(path) => {
                    let deliver: &mut Deliver<'_> = &mut |report| {
                        session.print_report(report)?;
                        session.out.flush()
                    };
                    check(&path, &options, schemas, verbose, Some(deliver))?
                }
                checked => checked,
            };
            match checked {
                Checked::Report(report) => {
                    session.print_report(missing.hold(report, &diagnoser))?;
                }
                Checked::WithoutSchema(name, file, unusable) => {
                    report_without(session, &name, &file, &unusable, &mut missing)?;
                }
                Checked::WithoutConfig(name, config) => {
                    session.report_config(&name, &config)?;
                }
                Checked::Missed(problem) => session.report_problem(&problem)?,
                Checked::Deferred(_) => {}
            }
            stopped.set(args.fail_fast && session.exit() != Exit::Done);
            Ok::<_, io::Error>(())
        },
    )?;
    let mut reports = missing.reports(&diagnoser);
    reports.try_for_each(|report| session.print_report(report))
}

/// Checks a file, and passes findings to `deliver` as they are found if the reports can have parts.
fn check(
    path: &Path,
    options: &RunOptions,
    schemas: &FileSchemas,
    verbose: bool,
    deliver: Option<&mut Deliver<'_>>,
) -> io::Result<Checked> {
    let name = Name::new(path);
    let file = match options.for_file(&name) {
        Ok(file) => file,
        Err(config) => return Ok(Checked::WithoutConfig(name, config)),
    };
    let schema = match schemas.schema_for(&name, &file) {
        Ok(schema) => Some(schema),
        Err(unusable) => return Ok(Checked::WithoutSchema(name, file, unusable)),
    };
    let deliver = deliver.filter(|_| file.diagnoser.can_report_in_parts());
    let input = file.check.open(path);
    let checker = Checker {
        options: &file,
        schema,
        verbose,
    };
    checker.check(&name, input, deliver).map(Checked::Report)
}

/// Reports a file whose schema cannot be used, and the schema once.
fn report_without(
    session: &mut Session,
    name: &Name,
    file: &FileOptions,
    unchecked: &Unchecked,
    missing: &mut MissingSchemas,
) -> io::Result<()> {
    let unusable = match unchecked {
        Unchecked::Config(mistakes, exit) => {
            session.note(*exit);
            return session.report_mistakes(name, mistakes);
        }
        Unchecked::Schema(unusable) => unusable,
    };
    let diagnoser = &file.diagnoser;
    if missing.is_new(name_of(unusable)) {
        session.print_report(diagnoser.unusable(unusable))?;
    }
    let report = diagnoser.without_schema(name, unusable);
    session.print_report(missing.hold(report, diagnoser))
}

/// The result for a file.
enum Checked {
    Report(FileReport),
    /// To be checked when its turn comes to be reported on.
    Deferred(PathBuf),
    /// Not checked.
    WithoutSchema(Name, FileOptions, Unchecked),
    WithoutConfig(Name, Arc<Config>),
    Missed(Problem),
}
