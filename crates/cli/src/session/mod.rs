//! A run of a command over its inputs: settings, reports, output and exit code.

mod open;
mod repository;
mod targets;

use std::collections::HashSet;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonx_core::engine::Kernel;

use crate::check::lines::LineFindings;
use crate::check::{CheckOptions, Failure, InputKind, InputRule};
use crate::config::{Configs, FileOptions, RunOptions};
use crate::diagnostics::{
    Delivery, Diagnoser, FileReport, Levels, LinesReport, Origin, ReportTarget, byte_order_mark,
};
use crate::exit::Exit;
use crate::files::{Exceptions, Files, Problem};
use crate::input::{Input, Name};
use crate::messages;
use crate::output::{self, Guard, ReportFile, Stdout, reason};
use crate::progress::Progress;
use crate::report::{Format, Run, Settings, amount, human};
use crate::terminal::{Color, human_options};
use repository::repository;
pub use targets::{check_targets, default_reporters, refuse_inputs};

const NO_FILES: &str = "jsonx: no files to process: none has an extension or a name of JSON, or all are ignored (-v names these); \
    --ext and --glob select others, and --allow-no-files accepts it";

/// The note on an input whose content overrode its name.
pub fn read_as(by_name: InputKind, found: InputKind) -> Option<&'static str> {
    match found {
        _ if by_name == found => None,
        InputKind::Jsonl => Some("one value per line: read as JSON Lines"),
        InputKind::Stream => Some("several values: read as a stream"),
        _ => None,
    }
}

/// Where findings are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: the findings of `validate` are its data.
    Data,
    /// Standard output too, for a check by a command whose findings are not its data.
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
    /// `--max-depth`; 0 for no limit.
    pub max_depth: Option<u64>,
    /// `--max-errors`.
    pub max_errors: Option<usize>,
    /// `--unicode`.
    pub unicode: bool,
    /// `--color`.
    pub color: Color,
    /// `--skip-invalid`: invalid records of JSON Lines are warnings.
    pub skip_invalid: bool,
    /// `--quiet`.
    pub quiet: bool,
    /// `--verbose`.
    pub verbose: bool,
    /// Where findings are printed.
    pub channel: Channel,
    /// `--reporter`.
    pub reporters: Vec<Reporter>,
    /// The levels of the lints.
    pub levels: Levels,
    /// The configs of the files.
    pub configs: Configs,
}

/// Levels of nesting if neither the command line nor a config has a limit.
pub const MAX_DEPTH: u64 = 10_000;

/// A run of a command over its inputs.
pub struct Session {
    /// The options of the command line.
    options: RunOptions,
    /// Those for the file that was opened last.
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
}

/// The state of a report.
struct Report {
    /// The file to write to, `None` for the channel. After an error the inner `Option` is `None`, and nothing more is
    /// written.
    file: Option<(PathBuf, Option<ReportFile>)>,
    begun: bool,
    /// A fragment was written, so the next one needs a separator.
    filled: bool,
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
            let human = human::Options {
                unicode: options.unicode,
                ..human
            };
            ReportTarget {
                format: reporter.format,
                settings: Settings {
                    human,
                    terminal,
                    max_errors: options.max_errors,
                    totals: channel != Channel::Diagnostics,
                    repository: repository(),
                },
                muted: false,
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
            translation: None,
        };
        let run = RunOptions {
            configs: Arc::new(options.configs),
            check: CheckOptions {
                kernel: options.kernel,
                max_depth,
                rules: options.rules.into(),
                configured: None,
                takes_streams: channel != Channel::Data,
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
            quiet: false,
            verbose: options.verbose,
            color,
            began: None,
            progress: None,
            exit: Exit::Done,
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
        if options.quiet {
            session.set_quiet();
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

    /// Suppresses messages and findings from now on, except in report files.
    pub fn set_quiet(&mut self) {
        self.quiet = true;
        messages::set_quiet();
        let diagnoser = Arc::make_mut(&mut self.options.diagnoser);
        for (form, report) in diagnoser.forms.iter_mut().zip(&self.reports) {
            form.muted = report.file.is_none();
        }
        self.file = self.options.for_all();
    }

    /// On a terminal, shows a progress bar for these files, `and_others` if the list is incomplete, and prints a
    /// summary with the time taken at the end.
    pub fn start_progress(&mut self, paths: &[PathBuf], and_others: bool) {
        if !self.quiet {
            self.began = io::stderr().is_terminal().then(Instant::now);
            self.progress = Progress::start(paths, and_others);
        }
    }

    /// Ends the reports and the output, and returns the exit code; `result` is that of the command.
    pub fn end(mut self, result: io::Result<()>) -> Exit {
        // Removes the progress bar first: the last lines replace it.
        self.progress = None;
        let result = result.and_then(|()| self.end_reports());
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => {
                self.print_summary();
                self.exit
            }
            // The reader closed the pipe, which is not a failure; the exit code so far is right.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.exit,
            Err(error) => self.exit.and(output::exit_code(Err(error))),
        }
    }

    fn end_reports(&mut self) -> io::Result<()> {
        let diagnoser = self.options.diagnoser.clone();
        for (number, form) in diagnoser.forms.iter().enumerate() {
            self.begin(number, form)?;
            let last = form.format.end(&self.run, &form.settings);
            self.write(number, &last)?;
            if let Some((path, file)) = &mut self.reports[number].file {
                let (path, file) = (path.clone(), file.take());
                let finished = file.map_or(Ok(()), ReportFile::finish);
                self.written_to(&path, finished);
            }
        }
        Ok(())
    }

    /// Prints a summary, unless a report on the terminal ended with one.
    fn print_summary(&self) {
        let Some(began) = self.began.filter(|_| !self.quiet) else {
            return;
        };
        let found = self.run.first.is_some();
        let has_ended_with_totals =
            |form: &ReportTarget| form.format == Format::Human && form.settings.terminal && found;
        if !self
            .options
            .diagnoser
            .forms
            .iter()
            .any(has_ended_with_totals)
        {
            messages::line(&summary(self.run.totals.files, self.bytes, began.elapsed()));
        }
    }

    /// The options for checking the input that was opened last, or all where none was.
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

    /// The same files without what the repository says to leave out, `named` or found in directories; with `--verbose`, what a
    /// walk leaves out is named.
    pub fn select<'f>(&self, files: Files<'f>, named: bool) -> Files<'f> {
        let files = files.with_exceptions(self.exceptions(), named);
        match self.is_verbose() {
            true => files.noting(),
            false => files,
        }
    }

    /// The same for a command that rewrites them, if it does so `in_place`.
    pub fn select_to_rewrite<'f>(&self, files: Files<'f>, in_place: bool) -> Files<'f> {
        self.select(files, in_place).rewritten(in_place)
    }

    /// What the repository says to leave out.
    pub fn exceptions(&self) -> Arc<dyn Exceptions> {
        self.options.configs.clone()
    }

    /// Whether findings are printed on standard output.
    pub fn reports_on_stdout(&self) -> bool {
        self.channel != Channel::Diagnostics
    }

    /// Guards that detect inputs that a report file would overwrite.
    pub fn guards(&self) -> Vec<Guard> {
        let files = self
            .reports
            .iter()
            .filter_map(|report| report.file.as_ref());
        files
            .filter_map(|(_, file)| file.as_ref()?.guard().cloned())
            .collect()
    }

    /// The exit code so far.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Adds an outcome to the exit code of the run.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Reports a file that cannot be found or listed, or that no file matched.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_problem(&mut self, problem: &Problem) -> io::Result<()> {
        match problem {
            Problem::Unreadable { name, error } => {
                let report = self.options.diagnoser.unreadable(name, error);
                self.print_report(report)
            }
            Problem::LeftOut {
                name,
                reason,
                is_only,
            } => {
                if self.is_verbose() || *is_only && !self.quiet {
                    messages::line(&format!(
                        "jsonx: {name}: left out by {reason}; --no-ignore includes it"
                    ));
                }
                Ok(())
            }
            Problem::NoFiles => {
                if !self.quiet {
                    messages::line(NO_FILES);
                }
                self.note(Exit::Usage);
                Ok(())
            }
        }
    }

    /// Reports the failure of an input, and adds it to the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_failure(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        failure: Failure,
    ) -> io::Result<()> {
        let diagnoser = self.diagnoser();
        let mut deliver = |part| self.print_report(part);
        let delivery = match diagnoser.can_report_in_parts() {
            true => Delivery::Parts(&mut deliver),
            false => Delivery::Whole,
        };
        let report = diagnoser.failure(input, kind, failure, delivery)?;
        self.print_report(report)
    }

    /// Reports the invalid records of JSON Lines, if there are any.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_records(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        if found.noted.is_empty() && found.more.is_empty() {
            return Ok(());
        }
        let report = LinesReport::new(&self.file.diagnoser);
        let report = match self.skip_invalid {
            true => report.of_skipped(&found),
            false => report,
        };
        let report = report.finish(&Origin::of(input), found, Delivery::Whole)?;
        self.print_report(report)
    }

    /// Whether an input is a pipe whose kind was not given: its values may be one per line.
    pub fn is_piped(&self, input: &Input) -> bool {
        !self.file.check.is_told(input) && input.name().is_stdin() && !input.is_file()
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

    /// Warns about a byte-order mark. Call it after the input has been read.
    pub fn warn_of_byte_order_mark(&self, input: &Input) {
        if let Some(warning) = byte_order_mark(input) {
            messages::line(warning.trim_end());
        }
    }

    /// Prints the report on an input, and adds it to the totals.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn print_report(&mut self, report: FileReport) -> io::Result<()> {
        let Some(progress) = self.progress.take() else {
            return self.print_now(report);
        };
        let printed = match report.is_silent() {
            true => self.print_now(report),
            false => progress.suspend(|| self.print_now(report).and_then(|()| self.out.flush())),
        };
        self.progress = Some(progress);
        printed
    }

    fn print_now(&mut self, report: FileReport) -> io::Result<()> {
        self.note(report.exit);
        self.run.add(report.totals);
        self.bytes += report.length;
        if !report.messages.is_empty() && !self.quiet {
            // Keeps the order if both streams go to the same target.
            self.out.flush()?;
            messages::text(&report.messages);
        }
        let diagnoser = self.options.diagnoser.clone();
        for (number, (fragment, form)) in report.fragments.iter().zip(&diagnoser.forms).enumerate()
        {
            if fragment.is_empty() {
                continue;
            }
            self.begin(number, form)?;
            if std::mem::replace(&mut self.reports[number].filled, true) {
                self.write(number, form.format.separator())?;
            }
            self.write(number, fragment)?;
        }
        Ok(())
    }

    fn begin(&mut self, number: usize, form: &ReportTarget) -> io::Result<()> {
        match std::mem::replace(&mut self.reports[number].begun, true) {
            true => Ok(()),
            false => self.write(number, &form.format.begin()),
        }
    }

    /// Writes text to the report of this number.
    fn write(&mut self, number: usize, text: &str) -> io::Result<()> {
        match (&mut self.reports[number].file, self.channel) {
            (Some((path, Some(file))), _) => {
                if let Err(error) = file.write_all(text.as_bytes()) {
                    let path = path.clone();
                    self.reports[number].file = Some((path.clone(), None));
                    self.written_to::<()>(&path, Err(error));
                }
                Ok(())
            }
            (Some((_, None)), _) => Ok(()),
            (None, _) if self.quiet => Ok(()),
            (None, Channel::Data | Channel::Check) => self.out.write_all(text.as_bytes()),
            (None, Channel::Diagnostics) => {
                // Keeps the order if both streams go to the same target.
                self.out.flush()?;
                messages::text(text);
                Ok(())
            }
        }
    }

    /// Returns the result of an operation on a report file. Reports an error and returns `None`, so that the run continues
    /// without this report.
    fn written_to<T>(&mut self, path: &Path, result: io::Result<T>) -> Option<T> {
        let error = match result {
            Ok(done) => return Some(done),
            Err(error) => error,
        };
        self.note(Exit::Failure);
        if !self.quiet {
            messages::line(&format!("jsonx: {}: {}", Name::of(path), reason(&error)));
        }
        None
    }
}

/// The last line of a run on a terminal: files, bytes and time.
fn summary(files: u64, bytes: u64, took: Duration) -> String {
    let plural = if files == 1 { "" } else { "s" };
    format!(
        "{files} file{plural} checked ({}) in {:.2} s",
        amount(bytes),
        took.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_three_digits() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (12_345, "12.3 kB"),
            (999_499, "999 kB"),
            (999_501, "1.00 MB"),
            (4_567_000_000, "4.57 GB"),
            (1 << 40, "1.10 TB"),
        ] {
            assert_eq!(amount(bytes), text);
        }
        assert_eq!(
            summary(1, 20, Duration::from_millis(5)),
            "1 file checked (20 bytes) in 0.01 s"
        );
    }
}
