//! One run of a command over some inputs: the settings, where things are printed, and the exit code.

mod repository;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonx_core::Kernel;

use crate::check::{self, CheckOptions, Failure, InputKind};
use crate::diagnostics::{Diagnoser, FileReport, Form, Levels, byte_order_mark};
use crate::exit::Exit;
use crate::files::Problem;
use crate::input::{Input, Name};
use crate::messages;
use crate::output::{self, Guard, ReportFile, Stdout, reason};
use crate::progress::Progress;
use crate::report::{Format, Run, Settings, amount, human};
use crate::terminal::{Color, human_options};
use repository::repository;

const NO_FILES: &str = "jsonx: no files: nothing there has one of the extensions looked for, or all of it is ignored; \
    see --ext, --glob, --no-ignore, and --allow-no-files if that is fine";

/// Where messages about the text of an input go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: the findings of `validate` are its data.
    Data,
    /// Standard error.
    Diagnostics,
}

/// One value of `--reporter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reporter {
    /// The format.
    pub format: Format,
    /// The file to write; standard output otherwise.
    pub file: Option<PathBuf>,
}

impl Reporter {
    /// For people, where the findings are not redirected.
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
    pub kind: InputKind,
    /// `--max-depth`; 0 is no limit.
    pub max_depth: u64,
    /// `--max-errors`.
    pub max_errors: Option<usize>,
    /// `--unicode`.
    pub unicode: bool,
    /// `--color`.
    pub color: Color,
    /// `--quiet`.
    pub quiet: bool,
    /// `--verbose`.
    pub verbose: bool,
    /// Where the findings go.
    pub channel: Channel,
    /// In which formats.
    pub reporters: Vec<Reporter>,
    /// Which lints are reported.
    pub levels: Levels,
}

/// One run of a command over some inputs.
pub struct Session {
    check_options: CheckOptions,
    channel: Channel,
    diagnoser: Arc<Diagnoser>,
    /// As many as there are forms of findings.
    reports: Vec<Report>,
    run: Run,
    /// Bytes of all inputs.
    bytes: u64,
    quiet: bool,
    verbose: bool,
    color: Color,
    /// When the work began, if it is to be said how long it took.
    began: Option<Instant>,
    progress: Option<Progress>,
    /// Standard output.
    pub out: Stdout,
    exit: Exit,
}

/// A report that is being written.
struct Report {
    /// Where it goes, if not to the channel; nothing goes there any more after an error.
    file: Option<(PathBuf, Option<ReportFile>)>,
    begun: bool,
    /// Something was said about a file, so that the next one is separated from it.
    filled: bool,
}

impl Session {
    /// Opens standard output and the files of reports.
    ///
    /// # Errors
    /// Standard output cannot be had.
    pub fn new(options: SessionOptions) -> io::Result<Session> {
        let SessionOptions { channel, color, .. } = options;
        let max_depth = match options.max_depth {
            0 => u64::MAX,
            levels => levels,
        };
        let shown = match channel {
            Channel::Data => (
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
            Form {
                format: reporter.format,
                settings: Settings {
                    human,
                    terminal,
                    max_errors: options.max_errors,
                    totals: channel == Channel::Data,
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
                Channel::Diagnostics => Exit::NotJson,
            },
        };
        let mut session = Session {
            out: Stdout::new()?,
            check_options: CheckOptions {
                kernel: options.kernel,
                max_depth,
                kind: options.kind,
                stdin_is_a_stream: channel == Channel::Diagnostics,
            },
            channel,
            diagnoser: Arc::new(diagnoser),
            reports: Vec::new(),
            run: Run::default(),
            bytes: 0,
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

    /// Whether results are reported for every file.
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

    /// Prints no messages and no findings from now on, except to the files of reports.
    pub fn set_quiet(&mut self) {
        self.quiet = true;
        messages::set_quiet();
        if let Some(diagnoser) = Arc::get_mut(&mut self.diagnoser) {
            for (form, report) in diagnoser.forms.iter_mut().zip(&self.reports) {
                form.muted = report.file.is_none();
            }
        }
    }

    /// For a person who is looking: shows how far work on these files, and perhaps others, has come while it takes long,
    /// and says at the end what was done in which time.
    pub fn watch(&mut self, paths: &[PathBuf], and_others: bool) {
        if !self.quiet {
            self.began = io::stderr().is_terminal().then(Instant::now);
            self.progress = Progress::start(paths, and_others);
        }
    }

    /// Writes what is left and says how it all ended, where `result` is how the work ended.
    pub fn end(mut self, result: io::Result<()>) -> Exit {
        // What is said last stands where the bar was.
        self.progress = None;
        let result = result.and_then(|()| self.end_reports());
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => {
                self.tell_sum();
                self.exit
            }
            // The reader has seen enough; what is already known stays true.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.exit,
            Err(error) => self.exit.and(output::exit_code(Err(error))),
        }
    }

    fn end_reports(&mut self) -> io::Result<()> {
        let diagnoser = self.diagnoser.clone();
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

    /// Says what was done, unless a report on the terminal has just said it.
    fn tell_sum(&self) {
        let Some(began) = self.began.filter(|_| !self.quiet) else {
            return;
        };
        let found = self.run.first.is_some();
        let said = |form: &Form| form.format == Format::Human && form.settings.terminal && found;
        if !self.diagnoser.forms.iter().any(said) {
            messages::line(&summary(self.run.totals.files, self.bytes, began.elapsed()));
        }
    }

    /// How inputs are read: what can be had by several threads.
    pub fn check_options(&self) -> CheckOptions {
        self.check_options
    }

    /// What is said about inputs: what can be had by several threads.
    pub fn diagnoser(&self) -> Arc<Diagnoser> {
        self.diagnoser.clone()
    }

    /// What tells whether an input is a file that a report would replace.
    pub fn guards(&self) -> Vec<Guard> {
        let files = self
            .reports
            .iter()
            .filter_map(|report| report.file.as_ref());
        files
            .filter_map(|(_, file)| file.as_ref()?.guard().cloned())
            .collect()
    }

    /// Notes how a part of the work ended.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Opens an input, or says why not and goes on.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        match check::open(path) {
            Ok(input) => Ok(Some(input)),
            Err(error) => {
                let said = self.diagnoser.unreadable(&Name::of(path), &error);
                self.say(said).map(|()| None)
            }
        }
    }

    /// Says which file cannot be looked at, or that there is none.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn miss(&mut self, problem: &Problem) -> io::Result<()> {
        match problem {
            Problem::Unreadable { name, error } => {
                let said = self.diagnoser.unreadable(name, error);
                self.say(said)
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

    /// Tells of a failure in an input of this kind and notes it in the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn report(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        failure: Failure,
    ) -> io::Result<()> {
        let said = self.diagnoser.failure(input, kind, failure)?;
        self.say(said)
    }

    /// Warns of a byte-order mark, once the input was read.
    pub fn warn_of_byte_order_mark(&self, input: &Input) {
        if let Some(warning) = byte_order_mark(input) {
            messages::line(warning.trim_end());
        }
    }

    /// Says what is to be said about an input, and adds it up.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn say(&mut self, said: FileReport) -> io::Result<()> {
        let Some(progress) = self.progress.take() else {
            return self.print(said);
        };
        let printed = match said.is_silent() {
            true => self.print(said),
            false => progress.aside(|| self.print(said).and_then(|()| self.out.flush())),
        };
        self.progress = Some(progress);
        printed
    }

    fn print(&mut self, said: FileReport) -> io::Result<()> {
        self.note(said.exit);
        self.run.add(said.tally);
        self.bytes += said.length;
        if !said.aside.is_empty() && !self.quiet {
            // What was printed so far comes first, where both go to one place.
            self.out.flush()?;
            messages::text(&said.aside);
        }
        let diagnoser = self.diagnoser.clone();
        for (number, (piece, form)) in said.pieces.iter().zip(&diagnoser.forms).enumerate() {
            if piece.is_empty() {
                continue;
            }
            self.begin(number, form)?;
            if std::mem::replace(&mut self.reports[number].filled, true) {
                self.write(number, form.format.separator())?;
            }
            self.write(number, piece)?;
        }
        Ok(())
    }

    fn begin(&mut self, number: usize, form: &Form) -> io::Result<()> {
        match std::mem::replace(&mut self.reports[number].begun, true) {
            true => Ok(()),
            false => self.write(number, &form.format.begin()),
        }
    }

    /// Writes text where the report of this number goes.
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
            (None, Channel::Data) => self.out.write_all(text.as_bytes()),
            (None, Channel::Diagnostics) => {
                // What was printed so far comes first, where both go to one place.
                self.out.flush()?;
                messages::text(text);
                Ok(())
            }
        }
    }

    /// Says why a report cannot be written to its file, and goes on without.
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

/// What was done in which time.
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
