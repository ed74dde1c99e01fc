//! Turns a failure into findings: the cause of the error if the whole text is available, otherwise only the error.

use jsonx_core::order::sort_by_place;
use std::io;

use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_diagnose::{Advice, Code, Diagnostic, Report, diagnose, not_canonical, syntax_error};

use super::not_encodable::not_encodable;
use super::valid::encoding;
use super::{Diagnoser, FileReport, yaml};
use crate::check::{Failure, InputKind};
use crate::exit::Exit;
use crate::input::{Evidence, Excerpt, HEAD, Input, MAX_EVIDENCE, Missing, Name};
use crate::report::{Checked, File};

/// Maximum length of a text in an editor whose errors are diagnosed: it takes 0.2 s, for each keystroke.
const MAX_EDITED: u64 = 8 << 20;

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
        let diagnoser = &*self.for_input(input);
        let report = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => Err(error),
            Failure::Invalid(error) => match diagnoser.evidence(input, error.offset) {
                Ok(evidence) => Ok(diagnoser.invalid(input, error, kind, evidence)),
                // A pipe retains fewer bytes than were read.
                Err(failure) if failure.kind() == io::ErrorKind::Unsupported => {
                    let (name, at) = (input.name(), error.offset);
                    let message = format!("jsonx: {name}, byte {at}: {}\n", error.kind);
                    return Ok(unexplained(input, diagnoser.exit(error), message));
                }
                Err(failure) => Err(failure),
            },
            Failure::Refused(refusal) => {
                let reason = format!("no canonical form: {refusal}");
                diagnoser.refused(input, refusal.offset, &reason, |moved, text, at| {
                    not_canonical(refusal.moved(moved), text, at)
                })
            }
            Failure::NotEncodable { kind, offset } => {
                diagnoser.refused(input, offset, &kind.to_string(), |_, text, at| {
                    not_encodable(kind, text, at)
                })
            }
            Failure::Declined { exit, message } => {
                return Ok(unexplained(input, exit, message + "\n"));
            }
        };
        Ok(report.unwrap_or_else(|error| self.unreadable(input.name(), &error)))
    }

    /// The text that an error is explained with; `None` if only the exit code is needed.
    fn evidence(&self, input: &mut Input, offset: u64) -> io::Result<Option<Evidence>> {
        if self.are_muted() {
            Ok(None)
        } else {
            let limit = if self.keeps_findings {
                MAX_EDITED
            } else {
                MAX_EVIDENCE
            };
            input.evidence(offset, limit, self.patience()).map(Some)
        }
    }

    fn invalid(
        &self,
        input: &mut Input,
        error: SyntaxError,
        kind: InputKind,
        evidence: Option<Evidence>,
    ) -> FileReport {
        let Some(evidence) = evidence else {
            return unexplained(input, self.exit(error), String::new());
        };
        let name = input.name().clone();
        let note = encoding(input);
        let mut report = match evidence {
            Evidence::Whole(text) => self.examine(&name, &text, kind, error),
            Evidence::Excerpt(excerpt, missing) => {
                let missing = match missing {
                    Missing::LongFile if self.keeps_findings => Missing::LongEdited,
                    missing => missing,
                };
                let length = input.length();
                // After that much valid text the file is JSON with an error, not another format.
                let near = error.offset < HEAD as u64;
                let mut report = match near.then(|| self.foreign(&input.head())).flatten() {
                    Some(report) => {
                        let head = input.head();
                        let file = File {
                            cut: true,
                            ..File::new(name.bytes(), &head)
                        };
                        self.render(report, file, error, length)
                    }
                    None => self.first_error(&name, &excerpt, error, &missing, length),
                };
                if let Missing::Unreadable(error) = missing {
                    let unreadable = self.unreadable(&name, &error);
                    report.messages += &unreadable.messages;
                    report.exit = unreadable.exit;
                }
                report
            }
        };
        report.messages += &note;
        report
    }

    /// Reports the error alone, because only an excerpt around it is in memory.
    fn first_error(
        &self,
        name: &Name,
        excerpt: &Excerpt,
        error: SyntaxError,
        missing: &Missing,
        length: u64,
    ) -> FileReport {
        let mut finding = self.syntax_error(error, &excerpt.text, excerpt.at);
        finding.notes.push(only_the_first(missing));
        let file = File {
            cut: excerpt.cut,
            ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
        };
        self.render(Report::from(finding), file, error, length)
    }

    /// The diagnostic of an error whose cause was not searched for.
    pub(super) fn syntax_error(&self, error: SyntaxError, text: &[u8], at: usize) -> Diagnostic {
        let mut finding = syntax_error(error, text, at);
        if error.kind == ErrorKind::TooDeep {
            finding.code = Code::DeepNesting;
            finding.message = format!("nested more than {} levels deep", self.max_depth);
            finding.label = "one level too many".to_owned();
            finding.advice = Some(Advice::RaiseDepthLimit);
        }
        finding
    }

    /// Reports a value that the output cannot represent, at `offset` of the text: `reason` is the short form; `finding`
    /// takes the offset of the text in the input, an excerpt, and the offset of the value in it.
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
            return Ok(unexplained(input, Exit::NotJson, String::new()));
        }
        let name = input.name().clone();
        let evidence = match input.evidence(offset, MAX_EVIDENCE, self.patience()) {
            // An object may be read to its end before it is printed, but a pipe retains fewer bytes than that.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let message = format!("jsonx: {name}, byte {offset}: {reason}\n");
                return Ok(unexplained(input, Exit::NotJson, message));
            }
            other => other?,
        };
        let report = |finding, file, length| {
            self.file_report(
                &Checked::invalid(file, Report::from(finding), None, length),
                Exit::NotJson,
            )
        };
        Ok(match evidence {
            Evidence::Whole(text) => {
                let at = usize::try_from(offset).unwrap_or(text.len());
                let file = File::new(name.bytes(), &text);
                report(finding(start, &text, at), file, text.len() as u64)
            }
            Evidence::Excerpt(excerpt, _) => {
                let file = File {
                    cut: excerpt.cut,
                    ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
                };
                let finding = finding(start, &excerpt.text, excerpt.at);
                report(finding, file, input.length())
            }
        })
    }

    /// Diagnoses a long input as another format or encoding, if its first bytes show that.
    pub(super) fn foreign(&self, head: &[u8]) -> Option<Report> {
        let mut report = diagnose(head, &self.options(InputKind::Json));
        let found = report
            .diagnostics
            .iter()
            // A message between records is not another format.
            .position(|d| {
                matches!(d.code, Code::WrongFormat | Code::WrongEncoding)
                    && d.detected != Some("text")
            })?;
        let text = report.text.take();
        let mut report = Report::from(report.diagnostics.swap_remove(found));
        report.text = text;
        Some(report)
    }

    /// Reports the errors of a text that could not be repaired.
    pub fn unrepaired(&self, name: &Name, text: &[u8], report: Report) -> FileReport {
        let report = yaml::line(name, text).map_or(report, Report::from);
        let at = report.diagnostics.first().map(|it| it.span.start as u64);
        let file = File::new(name.bytes(), text);
        let checked = Checked::invalid(file, report, at, text.len() as u64);
        self.file_report(&checked, Exit::No)
    }
}

/// The report on an input of which nothing is shown.
fn unexplained(input: &Input, exit: Exit, messages: String) -> FileReport {
    FileReport {
        messages,
        exit,
        length: input.length(),
        ..FileReport::default()
    }
}

/// The reason why errors after the first one are not reported.
pub(super) fn only_the_first(missing: &Missing) -> String {
    let why = match missing {
        Missing::LongFile => "in a single value of more than 256 MB",
        Missing::LongEdited => "while a text of more than 8 MB is edited,",
        Missing::LongPipe => "in a pipe of more than 256 MB",
        Missing::LatePipe => "after the first 4 MB of a pipe",
        Missing::Memory => "there is not enough memory to examine the input;",
        Missing::Silence => "the rest of the input did not arrive in time;",
        Missing::Unreadable(_) => "the rest of the input cannot be read;",
    };
    format!("{why} only the first error is reported")
}

/// Adds the error of the verdict path if the cold path found none: only the verdict path decides validity.
pub(super) fn contradict(report: &mut Report, error: SyntaxError, text: &[u8]) {
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
    sort_by_place(&mut report.diagnostics, |d| (d.span.start, d.span.end));
    report.errors += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::DiagnoseOptions;

    #[test]
    fn the_verdict_path_decides_validity() {
        let text = b"[1, 2]";
        let error = SyntaxError {
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
        let error = SyntaxError {
            offset: 1 << 40,
            ..error
        };
        contradict(&mut report, error, text);
        assert_eq!(report.diagnostics[0].span.start, text.len());

        // A known cause is unchanged.
        let mut report = diagnose(b"[1,]", &DiagnoseOptions::default());
        contradict(&mut report, error, b"[1,]");
        assert_eq!(report.errors, 1);
        assert_eq!(report.diagnostics[0].code, Code::TrailingComma);
    }
}
