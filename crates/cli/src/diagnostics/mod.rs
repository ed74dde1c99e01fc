//! Turns the engine's errors into reports: diagnoses the cause on the cold path, then renders it in each format.

mod levels;
mod lines;
mod parts;

use std::io;

use jsonx_core::diagnose::{
    Advice, Code, DiagnoseOptions, Diagnostic, Framing, Lints, Report, diagnose, diagnose_each,
    not_canonical, not_encodable, syntax_error,
};
use jsonx_core::lint::{self, Linter};
use jsonx_core::{Error, ErrorKind};

use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{Evidence, Excerpt, HEAD, Input, MAX_EVIDENCE, Missing, Name, Patience};
use crate::output::reason;
use crate::report::{Checked, Counts, File, FileTotals, Format, Outcome, Settings};
pub use levels::Levels;
pub use lines::{LinesReport, Origin};
pub use parts::{Deliver, Delivery};
use parts::{HELD, Parts};

/// Bytes of a file to read for its warnings when memory for all of them is short.
const SCARCE: u64 = 1 << 20;

/// More findings than the text has that is retained of a pipe.
const FINDINGS_IN_A_PREFIX: usize = 1 << 20;

/// The format of a report, and its settings.
pub struct Form {
    /// The format.
    pub format: Format,
    /// The settings for its destination.
    pub settings: Settings,
    /// The report is not printed.
    pub muted: bool,
}

/// Turns errors into text. It holds no state of the run: each [`FileReport`] has the counts of its own file, so several
/// threads may share one diagnoser.
pub struct Diagnoser {
    /// The requested reports.
    pub forms: Vec<Form>,
    /// Maximum nesting depth; `u64::MAX` for no limit.
    pub max_depth: u64,
    /// The lints.
    pub levels: Levels,
    /// Exit code for an invalid input.
    pub refusal: Exit,
}

/// The report on one input, or on a part of one.
#[derive(Default)]
pub struct FileReport {
    /// Messages for standard error, outside the reports.
    pub messages: String,
    /// The text for each requested report.
    pub fragments: Vec<String>,
    /// The counts for the totals of the run.
    pub totals: FileTotals,
    /// The exit code for this input.
    pub exit: Exit,
    /// Length of the input in bytes.
    pub length: u64,
    /// There are too many findings to hold: check the input again with [`Delivery::Parts`].
    pub deferred: bool,
}

impl FileReport {
    fn deferred() -> FileReport {
        FileReport {
            deferred: true,
            ..FileReport::default()
        }
    }

    /// Whether there is nothing to print.
    pub fn is_silent(&self) -> bool {
        self.messages.is_empty() && self.fragments.iter().all(String::is_empty)
    }
}

impl Diagnoser {
    /// Reports the failure of an input.
    ///
    /// # Errors
    /// The error of [`Failure::Write`], which concerns the output and no input.
    pub fn failure(
        &self,
        input: &mut Input,
        kind: InputKind,
        failure: Failure,
        delivery: Delivery<'_>,
    ) -> io::Result<FileReport> {
        let report = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => Err(error),
            // Whether the input is valid is not known.
            Failure::Invalid(Error {
                kind: ErrorKind::OutOfMemory,
                ..
            }) => Err(io::ErrorKind::OutOfMemory.into()),
            Failure::Invalid(error) => match self.evidence(input, error.offset) {
                Ok(evidence) => return self.invalid(input, error, kind, evidence, delivery),
                Err(error) => Err(error),
            },
            Failure::Refused(refusal) => {
                let reason = format!("no canonical form: {refusal}");
                self.refused(input, refusal.offset, &reason, |moved, text, at| {
                    not_canonical(refusal.moved(moved), text, at)
                })
            }
            Failure::NotEncodable { kind, offset } => {
                self.refused(input, offset, &kind.to_string(), |_, text, at| {
                    not_encodable(kind, text, at)
                })
            }
            Failure::Declined { exit, message } => {
                return Ok(FileReport {
                    messages: message + "\n",
                    exit,
                    length: input.length(),
                    ..FileReport::default()
                });
            }
        };
        Ok(report.unwrap_or_else(|error| self.unreadable(input.name(), &error)))
    }

    /// The text that an error is explained with; `None` if only the exit code is needed.
    fn evidence(&self, input: &mut Input, offset: u64) -> io::Result<Option<Evidence>> {
        match self.are_muted() {
            true => Ok(None),
            false => input
                .evidence(offset, MAX_EVIDENCE, self.patience())
                .map(Some),
        }
    }

    /// # Errors
    /// Those of the output.
    fn invalid(
        &self,
        input: &mut Input,
        error: Error,
        kind: InputKind,
        evidence: Option<Evidence>,
        delivery: Delivery<'_>,
    ) -> io::Result<FileReport> {
        let Some(evidence) = evidence else {
            return Ok(FileReport {
                exit: self.exit(error),
                length: input.length(),
                ..FileReport::default()
            });
        };
        let name = input.name().clone();
        Ok(match evidence {
            Evidence::Whole(text) => self.examine(&name, &text, kind, Some(error), delivery)?,
            Evidence::Excerpt(excerpt, missing) => {
                let length = input.length();
                // After that much valid text the file is JSON with an error, not another format.
                let near = error.offset < HEAD as u64;
                match near.then(|| self.foreign(&input.head())).flatten() {
                    Some(report) => {
                        let head = input.head();
                        let file = File {
                            cut: true,
                            ..File::new(name.bytes(), &head)
                        };
                        self.render(report, file, error, length)
                    }
                    None => self.first_error(&name, &excerpt, error, missing, length),
                }
            }
        })
    }

    /// Examines a whole text: an invalid one for the causes of `error`, a valid one for its lints.
    ///
    /// # Errors
    /// Those of the output.
    fn examine(
        &self,
        name: &Name,
        text: &[u8],
        kind: InputKind,
        error: Option<Error>,
        delivery: Delivery<'_>,
    ) -> io::Result<FileReport> {
        let mut options = self.options(kind);
        let file = File::new(name.bytes(), text);
        let length = text.len() as u64;
        match delivery {
            Delivery::Parts(deliver) if self.streams() => {
                let mut parts = Parts::new(self, deliver, Counts::default());
                let mut report = diagnose_each(text, &options, |shown, finding| {
                    let decoded = !std::ptr::eq(shown, text);
                    let file = File {
                        bytes: shown,
                        decoded,
                        ..file.clone()
                    };
                    parts.push(&file, finding);
                });
                contradict(&mut report, error, text);
                parts.finish(&mut report)?;
                let file = File {
                    marks: Some(&parts.marks),
                    ..file
                };
                return Ok(self.render_rest(report, parts.earlier, file, error, length));
            }
            Delivery::Deferrable if self.streams() => options.limit = HELD,
            _ => {}
        }
        let mut report = diagnose(text, &options);
        if self.limit() == 0 && !report.omitted.is_empty() {
            return Ok(FileReport::deferred());
        }
        contradict(&mut report, error, text);
        Ok(self.render_rest(report, Counts::default(), file, error, length))
    }

    /// Reports the error alone, because only an excerpt around it is in memory.
    fn first_error(
        &self,
        name: &Name,
        excerpt: &Excerpt,
        error: Error,
        missing: Missing,
        length: u64,
    ) -> FileReport {
        let mut finding = self.syntax_error(error, &excerpt.text, excerpt.at);
        finding.notes.push(only_the_first(missing));
        let file = File {
            cut: excerpt.cut,
            ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
        };
        self.render(only(finding), file, error, length)
    }

    /// The diagnostic of an error whose cause was not searched for.
    fn syntax_error(&self, error: Error, text: &[u8], at: usize) -> Diagnostic {
        let mut finding = syntax_error(error, text, at);
        if error.kind == ErrorKind::TooDeep {
            finding.code = Code::DeepNesting;
            finding.message = format!("nested more than {} levels deep", self.max_depth);
            finding.label = "one level too many".to_owned();
            finding.advice = Some(Advice::RaiseDepthLimit);
        }
        finding
    }

    /// Reports a value that the output cannot hold, at `offset` of the text: `reason` in short, `finding` from how far the
    /// text is in the input, an excerpt, and the offset of the value in it.
    fn refused(
        &self,
        input: &mut Input,
        offset: u64,
        reason: &str,
        finding: impl Fn(u64, &[u8], usize) -> Diagnostic,
    ) -> io::Result<FileReport> {
        let start = input.text_start();
        let offset = offset + start;
        if self.are_muted() {
            return Ok(FileReport {
                exit: Exit::NotJson,
                length: input.length(),
                ..FileReport::default()
            });
        }
        let name = input.name().clone();
        let evidence = match input.evidence(offset, MAX_EVIDENCE, self.patience()) {
            // An object may be read to its end before it is printed, but a pipe retains fewer bytes than that.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(FileReport {
                    messages: format!("jsonx: {name}, byte {offset}: {reason}\n"),
                    exit: Exit::NotJson,
                    ..FileReport::default()
                });
            }
            other => other?,
        };
        let said = |finding, file, length| {
            self.file_report(
                &Checked::invalid(file, only(finding), None, length),
                Exit::NotJson,
            )
        };
        Ok(match evidence {
            Evidence::Whole(text) => {
                let at = usize::try_from(offset).unwrap_or(text.len());
                let file = File::new(name.bytes(), &text);
                said(finding(start, &text, at), file, text.len() as u64)
            }
            Evidence::Excerpt(excerpt, _) => {
                let file = File {
                    cut: excerpt.cut,
                    ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
                };
                let finding = finding(start, &excerpt.text, excerpt.at);
                said(finding, file, input.length())
            }
        })
    }

    /// Diagnoses a long input as another format or encoding, if its first bytes show that.
    fn foreign(&self, head: &[u8]) -> Option<Report> {
        let mut report = diagnose(head, &self.options(InputKind::Json));
        let found = report
            .diagnostics
            .iter()
            .position(|d| matches!(d.code, Code::WrongFormat | Code::WrongEncoding))?;
        let text = report.text.take();
        let mut report = only(report.diagnostics.swap_remove(found));
        report.text = text;
        Some(report)
    }

    fn options(&self, kind: InputKind) -> DiagnoseOptions {
        DiagnoseOptions {
            framing: match kind {
                InputKind::Auto | InputKind::Json | InputKind::Jsonc | InputKind::Comments => {
                    Framing::OneValue
                }
                InputKind::Jsonl => Framing::Lines,
                InputKind::Stream => Framing::Stream,
            },
            lints: self.levels.shown,
            limit: self.limit(),
            max_depth: match usize::try_from(self.max_depth) {
                Ok(usize::MAX) | Err(_) => 0,
                Ok(levels) => levels,
            },
            max_input: MAX_EVIDENCE as usize,
            dialect: kind.dialect(),
        }
    }

    /// Maximum number of findings of each severity that any report may show; 0 for all.
    pub fn limit(&self) -> usize {
        let limits = self
            .forms
            .iter()
            .map(|form| form.format.findings(&form.settings));
        match limits.clone().min() {
            Some(0) | None => 0,
            Some(_) => limits.max().unwrap_or(0),
        }
    }

    /// Reports what could not be repaired in a text.
    pub fn unrepaired(&self, name: &Name, text: &[u8], report: Report) -> FileReport {
        let at = report.diagnostics.first().map(|it| it.span.start as u64);
        let file = File::new(name.bytes(), text);
        let checked = Checked::invalid(file, report, at, text.len() as u64);
        self.file_report(&checked, Exit::No)
    }

    fn render(&self, report: Report, file: File, error: Error, length: u64) -> FileReport {
        self.render_rest(report, Counts::default(), file, Some(error), length)
    }

    /// Renders the last part of a report, after parts with these counts.
    fn render_rest(
        &self,
        mut report: Report,
        earlier: Counts,
        file: File,
        error: Option<Error>,
        length: u64,
    ) -> FileReport {
        report.deny(self.levels.denied);
        report.errors += earlier.errors;
        report.warnings += earlier.warnings;
        let (outcome, exit) = match error {
            Some(error) => {
                let at = invalid_at(error);
                (Outcome::Invalid { at }, self.exit(error))
            }
            None if report.errors == 0 => (Outcome::Valid, Exit::Done),
            None => (Outcome::Valid, Exit::No),
        };
        let checked = Checked {
            file,
            report,
            earlier,
            outcome,
            length,
        };
        self.file_report(&checked, exit)
    }

    /// Exit code for this error.
    fn exit(&self, error: Error) -> Exit {
        match error.kind {
            ErrorKind::TooDeep | ErrorKind::OutOfMemory => Exit::Failure,
            _ => self.refusal,
        }
    }

    /// Whether only the exit code is needed, so that no cause has to be found.
    fn are_muted(&self) -> bool {
        self.forms.iter().all(|form| form.muted)
    }

    /// Whether findings can be printed before the whole input is read: no format wraps the findings of a file.
    pub fn can_report_in_parts(&self) -> bool {
        self.forms.iter().all(|form| form.format.is_streamable())
    }

    /// Whether all findings are to be reported, and can be without holding them.
    fn streams(&self) -> bool {
        self.limit() == 0 && self.can_report_in_parts()
    }

    fn patience(&self) -> Patience {
        match self.forms.iter().any(|form| form.settings.terminal) {
            true => Patience::INTERACTIVE,
            false => Patience::BATCH,
        }
    }

    /// Returns a constructor of linters; `None` if no lint is enabled.
    pub fn linter(&self) -> Option<impl Fn() -> Linter + use<>> {
        self.linter_to(self.limit())
    }

    /// As [`Diagnoser::linter`], for an input that can be examined again where it has very many findings.
    pub fn linter_for(&self, input: &Input) -> Option<impl Fn() -> Linter + use<>> {
        let limit = match self.streams() {
            // With more findings, the input is examined once more.
            true if input.is_file() && input.size() <= MAX_EVIDENCE => HELD,
            // The text of later ones is gone.
            true if !input.is_file() => FINDINGS_IN_A_PREFIX,
            _ => self.limit(),
        };
        self.linter_to(limit)
    }

    fn linter_to(&self, limit: usize) -> Option<impl Fn() -> Linter + use<>> {
        let lints = self.levels.shown.with(Code::ByteOrderMark, false);
        (lints != Lints::NONE).then_some(move || Linter::new(lints, limit))
    }

    /// Reports on a valid input with these lint findings.
    ///
    /// # Errors
    /// Those of the output.
    pub fn valid(
        &self,
        input: &mut Input,
        kind: InputKind,
        linted: &lint::Findings,
        delivery: Delivery<'_>,
    ) -> io::Result<FileReport> {
        let mark = input.has_byte_order_mark() && self.levels.shown.byte_order_mark;
        if linted.count == 0 && !mark {
            return Ok(self.sound(input.name(), input.length(), linted));
        }
        let are_more = linted.count > linted.findings.len() as u64;
        if are_more && self.streams() && input.is_file() {
            match delivery {
                Delivery::Deferrable => return Ok(FileReport::deferred()),
                Delivery::Parts(_) => {
                    let name = input.name().clone();
                    // Where memory is short, some are left out, which the report says.
                    if let Ok(Some(text)) = input.whole_file(MAX_EVIDENCE) {
                        let mut report = self.examine(&name, &text, kind, None, delivery)?;
                        report.messages = unchecked(&name, linted);
                        return Ok(report);
                    }
                }
                Delivery::Whole => {}
            }
        }
        Ok(self
            .linted(input, kind, linted, mark)
            .unwrap_or_else(|error| self.unreadable(input.name(), &error)))
    }

    /// Reports on a valid input without findings.
    fn sound(&self, name: &Name, length: u64, linted: &lint::Findings) -> FileReport {
        let checked = Checked::valid(File::new(name.bytes(), b""), Report::default(), length);
        FileReport {
            messages: unchecked(name, linted),
            ..self.file_report(&checked, Exit::Done)
        }
    }

    /// Reports on a valid input with findings.
    fn linted(
        &self,
        input: &mut Input,
        kind: InputKind,
        linted: &lint::Findings,
        mark: bool,
    ) -> io::Result<FileReport> {
        let mode = match kind {
            InputKind::Stream => jsonx_core::Mode::Stream,
            _ => jsonx_core::Mode::One,
        };
        let (start, end) = (linted.start(), linted.end());
        let part = match input.segment(start, end, MAX_EVIDENCE) {
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                input.segment(start, end, SCARCE)?
            }
            part => part?,
        };
        let name = input.name().clone();
        let mut report = linted.report(&part.text, part.base.offset, mode);
        if mark && part.base.offset == 0 {
            report
                .diagnostics
                .insert(0, lint::byte_order_mark(&part.text));
        }
        report.warnings += u64::from(mark);
        report.deny(self.levels.denied);
        let file = File {
            base: part.base,
            cut: part.cut,
            ..File::new(name.bytes(), &part.text)
        };
        let exit = match report.errors {
            0 => Exit::Done,
            _ => Exit::No,
        };
        let checked = Checked::valid(file, report, input.length());
        Ok(FileReport {
            messages: unchecked(input.name(), linted),
            ..self.file_report(&checked, exit)
        })
    }

    /// Reports an input that could not be read.
    pub fn unreadable(&self, name: &Name, error: &io::Error) -> FileReport {
        self.trouble(name, &(reason(error) + &not_a_file(name, error)))
    }

    /// Reports an input that could not be processed, for this reason.
    pub fn trouble(&self, name: &Name, reason: &str) -> FileReport {
        FileReport {
            messages: format!("jsonx: {name}: {reason}\n"),
            ..self.file_report(&Checked::unreadable(name.bytes(), reason), Exit::Failure)
        }
    }

    /// Reports an input that was checked for its layout only.
    pub fn layout(&self, name: &Name, length: u64, is_formatted: bool) -> FileReport {
        let file = File::new(name.bytes(), b"");
        let checked = match is_formatted {
            true => Checked::valid(file, Report::default(), length),
            false => Checked::unformatted(file, length),
        };
        self.file_report(&checked, Exit::Done)
    }

    fn file_report(&self, checked: &Checked, exit: Exit) -> FileReport {
        let piece = |form: &Form| match form.muted {
            true => String::new(),
            false => form.format.file(checked, &form.settings),
        };
        FileReport {
            messages: String::new(),
            fragments: self.forms.iter().map(piece).collect(),
            totals: FileTotals::of(checked),
            exit,
            length: checked.length,
            deferred: false,
        }
    }
}

/// What to type where the name of a file that does not exist is something else.
fn not_a_file(name: &Name, error: &io::Error) -> String {
    let bytes = name.bytes();
    let is_url = bytes.starts_with(b"http://") || bytes.starts_with(b"https://");
    let text = name.to_string();
    match bytes.first() {
        _ if !matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename
        ) =>
        {
            String::new()
        }
        Some(b'{' | b'[' | b'"') => {
            "; JSON comes from a file or standard input: `echo '…' | jsonx …`".to_owned()
        }
        _ if is_url => format!("; to read a URL: `curl -sS {text} | jsonx …`"),
        _ if bytes.iter().any(|byte| matches!(byte, b'*' | b'?')) => {
            format!(
                "; a pattern in quotes is no name: use {text} without quotes, or `--glob '{text}' .`"
            )
        }
        _ => String::new(),
    }
}

/// A warning about keys that were not compared.
fn unchecked(name: &Name, linted: &lint::Findings) -> String {
    if !linted.keys_unchecked {
        return String::new();
    }
    format!("jsonx: {name}: warning: not all keys were compared: there is not enough memory\n")
}

/// Why the errors after the first one are not reported.
fn only_the_first(missing: Missing) -> String {
    let why = match missing {
        Missing::LongFile => "in a single value of more than 256 MB",
        Missing::LongPipe => "in a pipe of more than 4 MB",
        Missing::Memory => "there is not enough memory to examine the file;",
        Missing::Silence => "the rest of the input did not arrive in time;",
    };
    format!("{why} only the first error is reported")
}

/// A warning about the byte-order mark, if the input has one; the input has been read.
pub fn byte_order_mark(input: &Input) -> Option<String> {
    input.has_byte_order_mark().then(|| {
        let name = input.name();
        format!("jsonx: {name}: warning: starts with a byte-order mark, which is ignored\n")
    })
}

/// Adds the error of the verdict path if the cold path found none: only the verdict path decides validity.
fn contradict(report: &mut Report, error: Option<Error>, text: &[u8]) {
    let Some(error) = error.filter(|_| report.is_valid()) else {
        return;
    };
    let at = usize::try_from(error.offset).unwrap_or(text.len());
    let mut finding = syntax_error(error, text, at);
    finding.notes.push(
        "no cause was found; unless the file was changed while it was read, please report this"
            .to_owned(),
    );
    report.diagnostics.push(finding);
    report
        .diagnostics
        .sort_by_key(|d| (d.span.start, d.span.end));
    report.errors += 1;
}

/// A report with a single error.
fn only(finding: Diagnostic) -> Report {
    Report {
        diagnostics: vec![finding],
        errors: 1,
        ..Report::default()
    }
}

/// Offset of the first byte at which the text is no longer a prefix of any valid text; `None` for an error caused by a
/// limit.
fn invalid_at(error: Error) -> Option<u64> {
    match error.kind {
        ErrorKind::TooDeep | ErrorKind::OutOfMemory => None,
        _ => Some(error.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_path_decides_validity() {
        let text = b"[1, 2]";
        let error = Error {
            kind: ErrorKind::ExpectedValue,
            offset: 4,
        };
        let mut report = diagnose(text, &DiagnoseOptions::default());
        assert!(report.is_valid());
        contradict(&mut report, Some(error), text);
        assert_eq!((report.errors, report.diagnostics.len()), (1, 1));
        assert_eq!(report.diagnostics[0].code, Code::SyntaxError);
        assert_eq!(report.diagnostics[0].span.start, 4);

        // Beyond the end, as in a file that became shorter.
        let mut report = Report::default();
        let error = Error {
            offset: 1 << 40,
            ..error
        };
        contradict(&mut report, Some(error), text);
        assert_eq!(report.diagnostics[0].span.start, text.len());

        // A known cause is left alone.
        let mut report = diagnose(b"[1,]", &DiagnoseOptions::default());
        contradict(&mut report, Some(error), b"[1,]");
        assert_eq!(report.errors, 1);
        assert_eq!(report.diagnostics[0].code, Code::TrailingComma);
    }
}
