//! The reports of a run: written to standard output, standard error or files, with the totals at the end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Channel, Session};
use crate::bar;
use crate::check::lines::LineFindings;
use crate::check::{Failure, InputKind};
use crate::diagnostics::{FileReport, LinesReport, Origin, ReportTarget};
use crate::exit::Exit;
use crate::files::Problem;
use crate::input::{Input, Name};
use crate::messages;
use crate::output::{ReportFile, reason};
use crate::report::{Format, amount};

const NO_FILES: &str = "jsonx: no files to process: none has a JSON extension or name, or all are ignored (-v lists them); \
    --ext and --glob select others, --follow follows symbolic links, and --allow-no-files accepts it";

/// The state of a report.
pub(super) struct Report {
    /// The file to write to, `None` for the channel. After an error the inner `Option` is `None`, and nothing more is
    /// written.
    pub(super) file: Option<(PathBuf, Option<ReportFile>)>,
    pub(super) begun: bool,
    /// A fragment was written; the next one needs a separator.
    pub(super) filled: bool,
}

impl Session {
    /// Reports a file that cannot be found or listed, or an empty selection.
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
                if self.is_verbose() || *is_only {
                    messages::line(&format!(
                        "jsonx: {name}: excluded by {reason}; --no-ignore includes it"
                    ));
                }
                Ok(())
            }
            Problem::NoFiles => {
                messages::line(NO_FILES);
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
        let report = self.diagnoser().failure(input, kind, failure)?;
        self.print_report(report)
    }

    /// Reports the first record of JSON Lines that was refused, and the number of others.
    pub fn report_refused(&mut self, failure: Failure, others: u64) {
        let Failure::Declined { exit, message } = failure else {
            return;
        };
        if !self.skip_invalid {
            self.note(exit);
        }
        messages::line(&match others {
            0 => message,
            _ => format!("{message}; {others} more are left out"),
        });
    }

    /// Reports the invalid records of JSON Lines, if there are any.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_records(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        if found.noted.is_empty() && found.more.is_empty() {
            return Ok(());
        }
        let diagnoser = self.file.diagnoser.for_input(input).into_owned();
        let report = LinesReport::new(&diagnoser).of_unread(&found, self.skip_invalid);
        let report = report.finish(&Origin::new(input), found);
        self.print_report(report)
    }

    /// Warns of lines with several values in a file that was read as a stream of this number of `values`, if known, and if most
    /// of its lines have one.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn warn_of_several(&mut self, input: &mut Input, values: Option<u64>) -> io::Result<()> {
        let options = self.check_options();
        let search = self.diagnoser().search(options.engine(InputKind::Json));
        // The values have been read and printed, so a file that cannot be read again has no warning.
        let found = options.several_on_lines(input, values, search.for_reading());
        self.report_records(input, found.unwrap_or_default())
    }

    /// Prints the report on an input, and adds it to the totals.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn print_report(&mut self, report: FileReport) -> io::Result<()> {
        if report.is_silent() || self.progress.is_none() {
            self.print_now(report)
        } else {
            bar::hide_during(|| self.print_now(report).and_then(|()| self.out.flush()))
        }
    }

    fn print_now(&mut self, report: FileReport) -> io::Result<()> {
        self.note(report.exit);
        self.run.add(report.totals);
        self.bytes += report.length;
        if !report.messages.is_empty() {
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
        if std::mem::replace(&mut self.reports[number].begun, true) {
            Ok(())
        } else {
            self.write(number, &form.format.begin())
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
    pub(super) fn written_to<T>(&mut self, path: &Path, result: io::Result<T>) -> Option<T> {
        let error = match result {
            Ok(done) => return Some(done),
            Err(error) => error,
        };
        self.note(Exit::Failure);
        messages::line(&format!("jsonx: {}: {}", Name::new(path), reason(&error)));
        None
    }

    pub(super) fn end_reports(&mut self) -> io::Result<()> {
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
    pub(super) fn print_summary(&self) {
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
