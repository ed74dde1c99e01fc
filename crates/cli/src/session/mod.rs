//! A run of a command over its inputs: settings, reports, output and exit code.

mod open;
mod report;
mod repository;
mod targets;

use std::collections::HashSet;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use jsonx_core::engine::Kernel;

use crate::check::{CheckOptions, Failure, InputKind, InputRule, json5};
use crate::config::{Configs, FileOptions, RunOptions};
use crate::diagnostics::{Diagnoser, Levels, ReportTarget, byte_order_mark};
use crate::exit::Exit;
use crate::files::staged::Staged;
use crate::files::{Exceptions, Files, Problem};
use crate::input::Input;
use crate::messages;
use crate::output::{self, Guard, ReportFile, Stdout};
use crate::progress::Progress;
use crate::report::{Format, ReportSettings, Run, human};
use crate::terminal::{Color, human_options};
use report::Report;
use repository::repository;
use targets::refuse_inputs;
pub use targets::{check_targets, default_reporters};

/// The note on an input whose content overrode its name.
pub fn read_as(by_name: InputKind, found: InputKind) -> Option<&'static str> {
    match found {
        _ if by_name == found => None,
        InputKind::Jsonl => Some("one value per line: read as JSON Lines"),
        InputKind::Stream => Some("several values: read as a stream"),
        _ => None,
    }
}

/// The destination of findings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: the findings of `validate` are its data.
    Data,
    /// Standard output too, for a check whose findings are not the command's data.
    Check,
    /// Standard error.
    Diagnostics,
}

/// One value of `--reporter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reporter {
    /// The format.
    pub format: Format,
    /// The file to write to; `None` for standard output.
    pub file: Option<PathBuf>,
}

impl Reporter {
    /// The report for people, not written to a file.
    pub const HUMAN: Reporter = Reporter {
        format: Format::Human,
        file: None,
    };
}

/// The settings of a session.
pub struct SessionOptions {
    /// The kernel of `JSONX_KERNEL`.
    pub kernel: Option<Kernel>,
    /// `--input`.
    pub rules: Vec<InputRule>,
    /// `--lossy`.
    pub lossy: bool,
    /// `--max-depth`; 0 for no limit.
    pub max_depth: Option<u64>,
    /// `--max-errors`.
    pub max_errors: Option<usize>,
    /// `--color`.
    pub color: Color,
    /// `--skip-invalid`: invalid records of JSON Lines are warnings.
    pub skip_invalid: bool,
    /// `--quiet`.
    pub quiet: bool,
    /// `--verbose`.
    pub verbose: bool,
    /// The destination of findings.
    pub channel: Channel,
    /// `--reporter`.
    pub reporters: Vec<Reporter>,
    /// The levels of the lints.
    pub levels: Levels,
    /// The configs of the files.
    pub configs: Configs,
    /// `--staged`: the texts of git's index.
    pub staged: Option<Arc<Staged>>,
}

/// Levels of nesting if neither the command line nor a config has a limit.
pub const MAX_DEPTH: u64 = 10_000;

/// A run of a command over its inputs.
pub struct Session {
    /// The options of the command line.
    options: RunOptions,
    /// The options for the file that was opened last.
    file: FileOptions,
    channel: Channel,
    /// Configs that cannot be used and were reported.
    reported: HashSet<Vec<u8>>,
    /// The state of each report, by the forms of the diagnoser.
    reports: Vec<Report>,
    run: Run,
    /// Total length of all inputs in bytes.
    bytes: u64,
    skip_invalid: bool,
    quiet: bool,
    verbose: bool,
    color: Color,
    /// Start of the run, if its duration is to be reported.
    began: Option<Instant>,
    progress: Option<Progress>,
    /// Standard output.
    pub out: Stdout,
    exit: Exit,
    /// The exit code, if the command sets its own.
    code: Option<u8>,
}

impl Session {
    /// Opens standard output and the report files.
    ///
    /// # Errors
    /// Standard output cannot be opened.
    pub fn new(options: SessionOptions) -> io::Result<Session> {
        let SessionOptions { channel, color, .. } = options;
        let max_depth = match options.max_depth {
            Some(0) => u64::MAX,
            levels => levels.unwrap_or(MAX_DEPTH),
        };
        let shown = match channel {
            Channel::Data | Channel::Check => (
                human_options(color, &io::stdout()),
                io::stdout().is_terminal(),
            ),
            Channel::Diagnostics => (
                human_options(color, &io::stderr()),
                io::stderr().is_terminal(),
            ),
        };
        let form = |reporter: &Reporter| {
            let (human, terminal) = match reporter.file {
                None => shown,
                Some(_) => (human::Options::default(), false),
            };
            ReportTarget {
                format: reporter.format,
                settings: ReportSettings {
                    human,
                    terminal,
                    max_errors: options.max_errors,
                    totals: channel != Channel::Diagnostics,
                    repository: repository(),
                },
                // Except in report files.
                muted: options.quiet && reporter.file.is_none(),
            }
        };
        let diagnoser = Diagnoser {
            forms: options.reporters.iter().map(form).collect(),
            max_depth,
            levels: options.levels,
            refusal: match channel {
                Channel::Data => Exit::No,
                Channel::Check | Channel::Diagnostics => Exit::NotJson,
            },
            keeps_findings: false,
            is_hasty: false,
            translation: None,
        };
        let run = RunOptions {
            configs: Arc::new(options.configs),
            check: CheckOptions {
                kernel: options.kernel,
                max_depth,
                lossy: options.lossy,
                rules: options.rules.into(),
                configured: None,
                takes_streams: true,
                staged: options.staged,
            },
            diagnoser: Arc::new(diagnoser),
            told_depth: options.max_depth.is_some(),
        };
        let mut session = Session {
            out: Stdout::new()?,
            file: run.for_all(),
            options: run,
            channel,
            reported: HashSet::new(),
            reports: Vec::new(),
            run: Run::default(),
            bytes: 0,
            skip_invalid: options.skip_invalid,
            quiet: options.quiet,
            verbose: options.verbose,
            color,
            began: None,
            progress: None,
            exit: Exit::Done,
            code: None,
        };
        for reporter in &options.reporters {
            let file = reporter.file.as_ref().map(|path| {
                let is_report = |head: &[u8]| reporter.format.is_report(head);
                let file = ReportFile::create(path, is_report);
                (path.clone(), session.written_to(path, file))
            });
            session.reports.push(Report {
                file,
                begun: false,
                filled: false,
            });
        }
        Ok(session)
    }

    /// Whether the result for every file is reported.
    pub fn is_verbose(&self) -> bool {
        self.verbose && !self.quiet
    }

    /// Whether only data is printed.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// `--color`.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Explains an error of a stream without waiting long for its end: nothing after the error is read.
    #[cfg(feature = "jq")]
    pub fn set_hasty(&mut self) {
        Arc::make_mut(&mut self.options.diagnoser).is_hasty = true;
        self.file = self.options.for_all();
    }

    /// On a terminal, shows a progress bar for the files that were named, if any were.
    pub fn start_progress(&mut self, named: Option<&[PathBuf]>) {
        let named = named.unwrap_or_default();
        if !self.quiet {
            self.progress = Progress::start(named, named.is_empty());
        }
    }

    /// On a terminal, prints a summary with the time taken at the end.
    pub fn summarize(&mut self) {
        self.began = io::stderr().is_terminal().then(Instant::now);
    }

    /// Ends the reports and the output, and returns the exit code; `result` is that of the command.
    pub fn end(mut self, result: io::Result<()>) -> u8 {
        // Removes the progress bar first: the last lines replace it.
        self.progress = None;
        let result = result.and_then(|()| self.end_reports());
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => self.print_summary(),
            // The reader closed the pipe, which is not a failure; the exit code so far is right.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            Err(error) => {
                self.code = None;
                self.note(output::exit_code(Err(error)));
            }
        }
        self.code.unwrap_or(self.exit as u8)
    }

    /// Sets the exit code.
    pub fn exit_with(&mut self, code: u8) {
        self.code = Some(code);
    }

    /// The options for checking the input that was opened last, or for all inputs if none was opened.
    pub fn check_options(&self) -> CheckOptions {
        self.file.check.clone()
    }

    /// The diagnoser of that input, which threads may share.
    pub fn diagnoser(&self) -> Arc<Diagnoser> {
        self.file.diagnoser.clone()
    }

    /// All options for that input.
    pub fn file_options(&self) -> &FileOptions {
        &self.file
    }

    /// The options of the run, for files that are not opened with [`Session::open`].
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// Skips files that the repository excludes, as `select_with` does.
    pub fn select<'f>(&self, files: Files<'f>, named: bool) -> Files<'f> {
        self.select_with(files, self.exceptions(), named)
    }

    /// Skips files that these exceptions exclude, `named` or found in directories; with `--verbose`, lists the files that a walk
    /// skips.
    pub fn select_with<'f>(
        &self,
        files: Files<'f>,
        exceptions: Arc<dyn Exceptions>,
        named: bool,
    ) -> Files<'f> {
        let files = files.with_exceptions(exceptions, named);
        if self.is_verbose() {
            files.noting()
        } else {
            files
        }
    }

    /// Skips files that the repository excludes, for a command that rewrites files, if it does so `in_place`.
    pub fn select_to_rewrite<'f>(&self, files: Files<'f>, in_place: bool) -> Files<'f> {
        self.select(files, in_place).rewritten(in_place)
    }

    /// The exclusions of the repository.
    pub fn exceptions(&self) -> Arc<dyn Exceptions> {
        self.options.configs.clone()
    }

    /// Whether findings are printed on standard output.
    pub fn reports_on_stdout(&self) -> bool {
        self.channel != Channel::Diagnostics
    }

    /// Leaves out reports: one that was written into a searched directory is not an input, neither as a file nor as standard
    /// output. No report overwrites an input.
    pub fn without_reports<'f>(
        &self,
        files: Files<'f>,
    ) -> impl Iterator<Item = Result<PathBuf, Problem>> + use<'f> {
        let reports = self.reports.iter();
        let written = reports.filter_map(|report| report.file.as_ref()?.1.as_ref()?.guard());
        let guards: Vec<Guard> = written.cloned().collect();
        let stale = guards.iter().filter(|guard| guard.is_stale_report());
        let files = files.leaving_out(stale.map(Guard::id).collect());
        files.inspect(move |found| {
            if let Ok(path) = found {
                refuse_inputs(&guards, path);
            }
        })
    }

    /// The exit code so far.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Adds an outcome to the exit code of the run.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Takes each input for one document unless `--input`, its name or its lines say otherwise.
    pub fn expect_documents(&mut self) {
        self.options.check.takes_streams = false;
        self.file = self.options.for_all();
    }

    /// Whether an input of unknown kind can be read only once: its values may be one per line.
    pub fn is_piped(&self, input: &Input) -> bool {
        self.file.check.is_open(input) && !input.is_file()
    }

    /// Classifies an input by content; see [`CheckOptions::by_content`].
    ///
    /// # Errors
    /// Errors of `work`; the error of an open input without any value.
    pub fn by_content<T>(
        &mut self,
        input: &mut Input,
        kind: &mut InputKind,
        mut work: impl FnMut(&mut Session, &mut Input, InputKind) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let options = self.check_options();
        let by_name = options.kind_of(input);
        let done = options.by_content(input, kind, |input, kind| work(self, input, kind));
        if self.is_verbose()
            && let Some(note) = read_as(by_name, *kind)
        {
            messages::line(&format!("{}: {note}", input.name()));
        }
        done
    }

    /// Reads a whole input, and checks it. If that fails, reports why and returns `None`.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn read(&mut self, input: &mut Input, kind: InputKind) -> io::Result<Option<Vec<u8>>> {
        let mut text = Vec::new();
        let read = self.file.check.read_checked(input, kind, &mut text);
        let read = read.and_then(|()| json5::finite(input));
        self.warn_of_byte_order_mark(input);
        match read {
            Ok(()) => Ok(Some(text)),
            Err(failure) => self.report_failure(input, kind, failure).map(|()| None),
        }
    }

    /// Warns about a byte-order mark. Call it after the input has been read.
    pub fn warn_of_byte_order_mark(&self, input: &Input) {
        if let Some(warning) = byte_order_mark(input) {
            messages::line(warning.trim_end());
        }
    }
}
