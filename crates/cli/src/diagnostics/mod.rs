//! Turns the engine's errors into reports: diagnoses the cause on the cold path, then renders it in each format.

mod levels;
mod lines;

use std::io;

use jsonx_core::diagnose::{
    Advice, Code, DiagnoseOptions, Diagnostic, Framing, Lints, Report, diagnose, not_canonical,
    not_encodable, syntax_error,
};
use jsonx_core::lint::{self, Linter};
use jsonx_core::{Error, ErrorKind};

use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{Evidence, Excerpt, HEAD, Input, MAX_EVIDENCE, Name, Patience};
use crate::output::reason;
use crate::report::{Checked, File, FileTotals, Format, Settings};
pub use levels::Levels;

/// Bytes of a file to read for its warnings when memory for all of them is short.
const SCARCE: u64 = 1 << 20;

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

/// The report on one input.
#[derive(Default)]
pub struct FileReport {
    /// Messages for standard error, outside the reports.
    pub aside: String,
    /// The text for each requested report.
    pub pieces: Vec<String>,
    /// The counts for the totals of the run.
    pub tally: FileTotals,
    /// The exit code for this input.
    pub exit: Exit,
    /// Length of the input in bytes.
    pub length: u64,
}

impl FileReport {
    /// Marks the report as one on a part of an input; more of the same input follows.
    pub fn so_far(self) -> FileReport {
        FileReport {
            tally: self.tally.so_far(),
            length: 0,
            ..self
        }
    }

    /// Whether there is nothing to print.
    pub fn is_silent(&self) -> bool {
        self.aside.is_empty() && self.pieces.iter().all(String::is_empty)
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
    ) -> io::Result<FileReport> {
        let said = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => return Ok(self.unreadable(input.name(), &error)),
            Failure::Invalid(error) => self.invalid(input, error, kind),
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
        };
        Ok(said.unwrap_or_else(|error| self.unreadable(input.name(), &error)))
    }

    fn invalid(&self, input: &mut Input, error: Error, kind: InputKind) -> io::Result<FileReport> {
        if self.are_muted() {
            return Ok(FileReport {
                exit: self.exit(error),
                length: input.length(),
                ..FileReport::default()
            });
        }
        let evidence = input.evidence(error.offset, MAX_EVIDENCE, self.patience())?;
        let name = input.name().clone();
        Ok(match evidence {
            Evidence::Whole(text) => {
                let mut report = diagnose(&text, &self.options(kind));
                contradict(&mut report, error, &text);
                let length = text.len() as u64;
                self.render(report, File::new(name.bytes(), &text), error, length)
            }
            Evidence::Excerpt(excerpt) => {
                let length = input.length();
                // After that much valid text the file is JSON with an error, not another format.
                let near = error.offset < HEAD as u64;
                match near.then(|| self.foreign(input)).flatten() {
                    Some((report, head)) => {
                        let file = File {
                            cut: true,
                            ..File::new(name.bytes(), &head)
                        };
                        self.render(report, file, error, length)
                    }
                    None => self.part(&name, &excerpt, error, length),
                }
            }
        })
    }

    /// Reports the error alone, because only an excerpt around it is in memory.
    fn part(&self, name: &Name, excerpt: &Excerpt, error: Error, length: u64) -> FileReport {
        let finding = self.syntax_error(error, &excerpt.text, excerpt.at);
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
                    aside: format!("jsonx: {name}, byte {offset}: {reason}\n"),
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
            Evidence::Excerpt(excerpt) => {
                let file = File {
                    cut: excerpt.cut,
                    ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
                };
                let finding = finding(start, &excerpt.text, excerpt.at);
                said(finding, file, input.length())
            }
        })
    }

    /// Diagnoses a long input as another format or encoding, if its first bytes show that, and returns these bytes.
    fn foreign(&self, input: &mut Input) -> Option<(Report, Vec<u8>)> {
        let head = input.head();
        let mut report = diagnose(&head, &self.options(InputKind::Json));
        let found = report
            .diagnostics
            .iter()
            .position(|d| matches!(d.code, Code::WrongFormat | Code::WrongEncoding))?;
        let text = report.text.take();
        let mut report = only(report.diagnostics.swap_remove(found));
        report.text = text;
        Some((report, head))
    }

    fn options(&self, kind: InputKind) -> DiagnoseOptions {
        DiagnoseOptions {
            framing: match kind {
                InputKind::Auto | InputKind::Json => Framing::OneValue,
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

    fn render(&self, mut report: Report, file: File, error: Error, length: u64) -> FileReport {
        report.deny(self.levels.denied);
        self.file_report(
            &Checked::invalid(file, report, invalid_at(error), length),
            self.exit(error),
        )
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
    pub fn can_be_said_in_parts(&self) -> bool {
        self.forms.iter().all(|form| form.format.is_streamable())
    }

    fn patience(&self) -> Patience {
        match self.forms.iter().any(|form| form.settings.terminal) {
            true => Patience::INTERACTIVE,
            false => Patience::BATCH,
        }
    }

    /// Returns a constructor of linters; `None` if no lint is enabled.
    pub fn linter(&self) -> Option<impl Fn() -> Linter> {
        let lints = self.levels.shown.with(Code::ByteOrderMark, false);
        let limit = self.limit();
        (lints != Lints::NONE).then_some(move || Linter::new(lints, limit))
    }

    /// Reports on a valid input with these lint findings.
    pub fn valid(&self, input: &mut Input, kind: InputKind, linted: &lint::Findings) -> FileReport {
        let mark = input.has_byte_order_mark() && self.levels.shown.byte_order_mark;
        if linted.count == 0 && !mark {
            return self.sound(input, linted);
        }
        match self.linted(input, kind, linted, mark) {
            Ok(said) => said,
            Err(error) => self.unreadable(&input.name().clone(), &error),
        }
    }

    /// Reports on a valid input without findings.
    fn sound(&self, input: &Input, linted: &lint::Findings) -> FileReport {
        let file = File::new(input.name().bytes(), b"");
        let checked = Checked::valid(file, Report::default(), input.length());
        FileReport {
            aside: unchecked(input, linted),
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
            aside: unchecked(input, linted),
            ..self.file_report(&checked, exit)
        })
    }

    /// Reports an input that could not be read.
    pub fn unreadable(&self, name: &Name, error: &io::Error) -> FileReport {
        self.trouble(name, &reason(error))
    }

    /// Reports an input that could not be processed, for this reason.
    pub fn trouble(&self, name: &Name, reason: &str) -> FileReport {
        FileReport {
            aside: format!("jsonx: {name}: {reason}\n"),
            ..self.file_report(&Checked::unreadable(name.bytes(), reason), Exit::Failure)
        }
    }

    fn file_report(&self, checked: &Checked, exit: Exit) -> FileReport {
        let piece = |form: &Form| match form.muted {
            true => String::new(),
            false => form.format.file(checked, &form.settings),
        };
        FileReport {
            aside: String::new(),
            pieces: self.forms.iter().map(piece).collect(),
            tally: FileTotals::of(checked),
            exit,
            length: checked.length,
        }
    }
}

/// A warning about keys that were not compared.
fn unchecked(input: &Input, linted: &lint::Findings) -> String {
    if !linted.keys_unchecked {
        return String::new();
    }
    let name = input.name();
    format!("jsonx: {name}: warning: not all keys were compared: there is not enough memory\n")
}

/// A warning about the byte-order mark, if the input has one; the input has been read.
pub fn byte_order_mark(input: &Input) -> Option<String> {
    input.has_byte_order_mark().then(|| {
        let name = input.name();
        format!("jsonx: {name}: warning: starts with a byte-order mark, which is ignored\n")
    })
}

/// Adds the error of the verdict path if the cold path found none: only the verdict path decides validity.
fn contradict(report: &mut Report, error: Error, text: &[u8]) {
    if !report.is_valid() {
        return;
    }
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
        contradict(&mut report, error, text);
        assert_eq!((report.errors, report.diagnostics.len()), (1, 1));
        assert_eq!(report.diagnostics[0].code, Code::SyntaxError);
        assert_eq!(report.diagnostics[0].span.start, 4);

        // Beyond the end, as in a file that became shorter.
        let mut report = Report::default();
        let error = Error {
            offset: 1 << 40,
            ..error
        };
        contradict(&mut report, error, text);
        assert_eq!(report.diagnostics[0].span.start, text.len());

        // A known cause is left alone.
        let mut report = diagnose(b"[1,]", &DiagnoseOptions::default());
        contradict(&mut report, error, b"[1,]");
        assert_eq!(report.errors, 1);
        assert_eq!(report.diagnostics[0].code, Code::TrailingComma);
    }
}
