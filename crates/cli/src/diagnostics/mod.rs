//! Turns the engine's errors into reports: diagnoses the cause on the cold path, then renders it in each format.
//!
//! ```text
//! Failure ──► failure.rs ──► examined: the whole text, or one error ──┐
//! lint findings ──► valid.rs ─────────────────────────────────────────┼──► Checked ──► FileReport
//! findings of schemas ──► schema.rs ──────────────────────────────────┤
//! lines ──► lines.rs ─────────────────────────────────────────────────┘
//! ```

mod collected;
mod comments;
mod failure;
mod json5;
mod levels;
mod lines;
mod missing;
mod not_encodable;
mod schema;
mod valid;
mod yaml;

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_diagnose::json5::Translation;
use jsonx_diagnose::{Code, DiagnoseOptions, Diagnostic, Report, Span, diagnose};

use crate::check::InputKind;
use crate::exit::Exit;
use crate::input::{self, MAX_EVIDENCE, Name, ReadTimeouts};
use crate::output::reason;
use crate::report::{Checked, File, FileTotals, Format, Index, MOST_FINDINGS, ReportSettings};
use failure::contradict;
pub use levels::{Level, Levels, LintSelection};
#[cfg(feature = "jq")]
pub use lines::SKIPS;
pub use lines::{Deliver, LinesReport, Origin};
pub use missing::{MissingSchema, MissingSchemas};
pub use valid::byte_order_mark;

/// The format of a report, and its settings.
#[derive(Clone)]
pub struct ReportTarget {
    /// The format.
    pub format: Format,
    /// The settings for its destination.
    pub settings: ReportSettings,
    /// The report is not printed.
    pub muted: bool,
}

/// The advice for an input whose first byte is not UTF-8.
const MESSAGEPACK: &str = "`--input msgpack` reads MessagePack";

/// The finding at the first byte of a file, if that is not UTF-8.
fn begins_with_other_bytes(checked: &Checked) -> Option<usize> {
    let found = checked.report.diagnostics.iter();
    let at = found.take(1).position(|it| it.code == Code::InvalidUtf8)?;
    let place = Index::new(&checked.file).position(checked.report.diagnostics[at].span.start);
    (place.offset == 0).then_some(at)
}

/// Turns errors into text. It holds no state of the run: each [`FileReport`] has the counts of its own file, so several
/// threads may share one diagnoser.
#[derive(Clone)]
pub struct Diagnoser {
    /// The requested reports.
    pub forms: Vec<ReportTarget>,
    /// Maximum nesting depth; `u64::MAX` for no limit.
    pub max_depth: u64,
    /// The lints.
    pub levels: Levels,
    /// Exit code for an invalid input.
    pub refusal: Exit,
    /// Findings are collected in [`FileReport::findings`] instead of rendered.
    pub keeps_findings: bool,
    /// The end of a broken stream is not waited for longer than a second.
    pub is_hasty: bool,
    /// The translation of a JSON5 input, which the findings refer to.
    pub translation: Option<Arc<Translation>>,
}

/// The report on one input, or on a part of one.
#[derive(Default)]
pub struct FileReport {
    /// Messages for standard error, outside the reports.
    pub messages: String,
    /// The text for each requested report.
    pub fragments: Vec<String>,
    /// The findings, if they are [kept](Diagnoser::keeps_findings), with offsets in the input.
    pub findings: Vec<Diagnostic>,
    /// The counts for the totals of the run.
    pub totals: FileTotals,
    /// The exit code for this input.
    pub exit: Exit,
    /// Length of the input in bytes.
    pub length: u64,
    /// Set if the only finding is that this schema is missing.
    pub missing: Option<MissingSchema>,
}

impl FileReport {
    /// Whether there is nothing to print.
    pub fn is_silent(&self) -> bool {
        self.messages.is_empty() && self.fragments.iter().all(String::is_empty)
    }
}

impl Diagnoser {
    /// Diagnoses `error` in a whole text.
    fn examine(&self, name: &Name, text: &[u8], kind: InputKind, error: SyntaxError) -> FileReport {
        let mut report = match yaml::line(name, text) {
            Some(finding) => Report::from(finding),
            None => diagnose(text, &self.options(kind)),
        };
        contradict(&mut report, error, text);
        if !kind.dialect().allows_comments() {
            comments::merge(&mut report, text);
        }
        self.render(
            report,
            File::new(name.bytes(), text),
            error,
            text.len() as u64,
        )
    }

    fn options(&self, kind: InputKind) -> DiagnoseOptions {
        DiagnoseOptions::default()
            .framing(kind.framing())
            .lints(self.levels.shown)
            .limit(self.limit())
            .max_depth(match usize::try_from(self.max_depth) {
                Ok(usize::MAX) | Err(_) => 0,
                Ok(levels) => levels,
            })
            .max_input(MAX_EVIDENCE as usize)
            .dialect(kind.dialect())
    }

    /// Maximum number of findings of each severity that any report may show.
    pub fn limit(&self) -> usize {
        let limits = self
            .forms
            .iter()
            .map(|form| form.format.findings(&form.settings));
        limits.max().unwrap_or(MOST_FINDINGS)
    }

    fn render(
        &self,
        mut report: Report,
        file: File,
        error: SyntaxError,
        length: u64,
    ) -> FileReport {
        report.deny(self.levels.denied);
        let checked = Checked::invalid(file, report, invalid_at(error), length);
        self.file_report(&checked, self.exit(error))
    }

    /// Exit code for this error.
    fn exit(&self, error: SyntaxError) -> Exit {
        match error.kind {
            ErrorKind::TooDeep | ErrorKind::TooLong => Exit::Failure,
            _ => self.refusal,
        }
    }

    /// Whether only the exit code is needed, and no cause has to be found.
    fn are_muted(&self) -> bool {
        self.forms.iter().all(|form| form.muted)
    }

    /// Whether findings can be printed before the whole input is read: no format wraps the findings of a file.
    pub fn can_report_in_parts(&self) -> bool {
        self.forms.iter().all(|form| form.format.is_streamable())
    }

    fn patience(&self) -> ReadTimeouts {
        if self.is_hasty {
            ReadTimeouts::HASTY
        } else if self.forms.iter().any(|form| form.settings.terminal) {
            ReadTimeouts::INTERACTIVE
        } else {
            ReadTimeouts::BATCH
        }
    }

    /// Reports an input that could not be read.
    pub fn unreadable(&self, name: &Name, error: &io::Error) -> FileReport {
        let report = self.not_processed(name, &(reason(error) + &not_a_file(name, error)));
        match input::invalid(error) {
            Some(invalid) if !invalid.is_limit() => FileReport {
                exit: self.refusal,
                ..report
            },
            _ => report,
        }
    }

    /// Reports an input that could not be processed, for this reason.
    pub fn not_processed(&self, name: &Name, reason: &str) -> FileReport {
        FileReport {
            messages: format!("jsonx: {name}: {reason}\n"),
            ..self.file_report(&Checked::unreadable(name.bytes(), reason), Exit::Failure)
        }
    }

    /// Reports an input of which only the layout was checked.
    pub fn layout(&self, name: &Name, length: u64, is_formatted: bool) -> FileReport {
        let file = File::new(name.bytes(), b"");
        let checked = if is_formatted {
            Checked::valid(file, Report::default(), length)
        } else {
            Checked::unformatted(file, length)
        };
        self.file_report(&checked, Exit::Done)
    }

    fn file_report(&self, checked: &Checked, exit: Exit) -> FileReport {
        let mut checked = match &self.translation {
            Some(translation) => Cow::Owned(json5::in_source(translation, checked)),
            None => Cow::Borrowed(checked),
        };
        if let Some(found) = begins_with_other_bytes(&checked) {
            let finding = &mut checked.to_mut().report.diagnostics[found];
            finding.help.push(MESSAGEPACK.to_owned());
        }
        let checked = &*checked;
        let fragment = |form: &ReportTarget| {
            if form.muted || self.keeps_findings {
                String::new()
            } else {
                form.format.file(checked, &form.settings)
            }
        };
        FileReport {
            messages: String::new(),
            findings: if self.keeps_findings {
                in_input(checked)
            } else {
                Vec::new()
            },
            fragments: self.forms.iter().map(fragment).collect(),
            totals: FileTotals::new(checked),
            exit,
            length: checked.length,
            missing: None,
        }
    }
}

/// The findings with offsets in the input, even if only a part of it was in memory; without offsets in a decoded text.
fn in_input(checked: &Checked) -> Vec<Diagnostic> {
    let file = checked.text();
    let index = Index::new(&file);
    let mut findings = checked.report.diagnostics.clone();
    for finding in &mut findings {
        if file.decoded {
            finding.span = Span::point(0);
            finding.more.clear();
            finding.related.clear();
            finding.fix = None;
        } else {
            finding.map_spans(|span| index.span(span))
        }
    }
    findings
}

/// The hint for a missing file whose name is JSON, a URL or a glob.
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
                "; quotes keep the shell from expanding a glob: use {text} without quotes, or `--glob '{text}' .`"
            )
        }
        _ => String::new(),
    }
}

/// Offset of the first byte at which the text is no longer a prefix of any valid text; `None` for an error caused by a
/// limit.
fn invalid_at(error: SyntaxError) -> Option<u64> {
    match error.kind {
        ErrorKind::TooDeep | ErrorKind::TooLong => None,
        _ => Some(error.offset),
    }
}
