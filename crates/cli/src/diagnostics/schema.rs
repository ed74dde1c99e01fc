//! Checks an input as a whole, value by value, and reports schemas that cannot be used.

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Mode, Options, Stop, Validator};
use jsonx_core::order::sort_by_place;
use jsonx_diagnose::lint;
use jsonx_diagnose::{Diagnostic, Omitted, Report, Severity};

use super::{Diagnoser, FileReport, MissingSchema};
use crate::check::lines::{query_of_roots, roots};
use crate::check::{CheckOptions, Checks, Findings, InputKind, Value};
use crate::exit::Exit;
use crate::files::dialects;
use crate::input::{BYTE_ORDER_MARK, Input, Name};
use crate::report::{Checked, File, MOST_FINDINGS};
use crate::schema::{NO_LOCAL_COPY, name_of};
use jsonx_schema::{DOCUMENT, RECORD, Unusable};

/// The least number of findings of an input to describe: they are not found in the order of the text.
const DESCRIBED: usize = 10_000;

impl Diagnoser {
    /// Maximum number of findings of a schema to describe.
    pub(super) fn described(&self) -> usize {
        self.limit().max(DESCRIBED)
    }

    /// Runs the `checks` of values on an input other than JSON Lines, all of it in memory. Also returns whether it is JSON.
    pub fn with_values(
        &self,
        input: &mut Input,
        kind: InputKind,
        check_options: &CheckOptions,
        checks: &Checks,
    ) -> (FileReport, bool) {
        let diagnoser = &*self.for_input(input);
        let name = input.name().clone();
        let text = match input.read_all(u64::MAX) {
            Ok(text) => text,
            Err(error) => return (self.unreadable(&name, &error), false),
        };
        let start = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let engine = check_options.engine(kind);
        let options = check_options.engine(match kind {
            InputKind::Stream => InputKind::Json,
            other => other,
        });
        let mut checks = checks.restart(self.described());
        let found = match find(&mut checks, &text, start, engine, options) {
            Ok(found) => found,
            Err(error) => {
                return (diagnoser.examine(&name, &text, kind, error), false);
            }
        };
        let linted = found.linted;
        let mut report = linted.report(&text, 0, kind.framing().into());
        if start > 0 && self.levels.shown.byte_order_mark {
            report.diagnostics.insert(0, lint::byte_order_mark(&text));
            report.warnings += 1;
        }
        add(&mut report, found.diagnostics, self.described());
        report.deny(self.levels.denied);
        let exit = match report.errors {
            _ if found.limited => Exit::Failure,
            0 => Exit::Done,
            _ => Exit::No,
        };
        let length = text.len() as u64;
        let checked = Checked::valid(File::new(name.bytes(), &text), report, length);
        let report = FileReport {
            missing: missing(&checked.report),
            ..diagnoser.file_report(&checked, exit)
        };
        (report, true)
    }

    /// Reports a schema that cannot be used.
    pub fn unusable(&self, unusable: &Unusable) -> FileReport {
        match unusable {
            Unusable::Unreadable { path, error } => {
                let reason = if path.to_string_lossy().contains("://") {
                    crate::report::escape(&error.to_string())
                } else {
                    format!(
                        "the schema cannot be read: {}",
                        crate::output::reason(error)
                    )
                };
                self.not_processed(&Name::new(path), &reason)
            }
            Unusable::NotJson { source, .. } => {
                let path = std::path::PathBuf::from(String::from_utf8_lossy(&source.name).as_ref());
                self.mistaken(unusable, dialects::kind_of(&path))
            }
            Unusable::Wrong { .. } => self.mistaken(unusable, InputKind::Json),
        }
    }

    /// Reports a config that cannot be used.
    pub fn unusable_config(&self, unusable: &Unusable) -> FileReport {
        match unusable {
            Unusable::Unreadable { path, error } => self.unreadable(&Name::new(path), error),
            _ => self.mistaken(unusable, InputKind::Jsonc),
        }
    }

    /// Reports the mistakes in a file of this kind, named on the command line or in a config.
    fn mistaken(&self, unusable: &Unusable, kind: InputKind) -> FileReport {
        let report = match unusable {
            Unusable::Unreadable { .. } => FileReport::default(),
            Unusable::NotJson { source, error } => {
                let path = std::path::PathBuf::from(String::from_utf8_lossy(&source.name).as_ref());
                let name = Name::new(&path);
                self.examine(&name, &source.text, kind, *error)
            }
            Unusable::Wrong { source, findings } => {
                let mut report = Report::default();
                add(&mut report, findings.clone(), MOST_FINDINGS);
                let file = File::new(&source.name, &source.text);
                let checked = Checked::valid(file, report, source.text.len() as u64);
                self.file_report(&checked, Exit::Usage)
            }
        };
        FileReport {
            exit: Exit::Usage,
            ..report
        }
    }

    /// Reports an input whose config cannot be used; the first one with a message.
    pub fn without_config(
        &self,
        name: &Name,
        config: &[u8],
        unusable: &Unusable,
        is_first: bool,
    ) -> FileReport {
        let config = crate::report::escape(config);
        let reason = format!("not processed, because its config {config} cannot be used");
        let report = self.not_processed(name, &reason);
        FileReport {
            messages: if is_first {
                report.messages
            } else {
                String::new()
            },
            exit: exit_without(unusable),
            ..report
        }
    }

    /// Reports an input whose schema cannot be used.
    pub fn without_schema(&self, name: &Name, unusable: &Unusable) -> FileReport {
        let schema = crate::report::escape(&name_of(unusable));
        let report = self.not_processed(
            name,
            &format!("not checked, because its schema {schema} cannot be used"),
        );
        FileReport {
            exit: exit_without(unusable),
            missing: Some(MissingSchema::Unusable { name: schema }),
            ..report
        }
    }
}

/// The missing schema, if the report has no other finding.
fn missing(report: &Report) -> Option<MissingSchema> {
    let [finding] = &report.diagnostics[..] else {
        return None;
    };
    finding
        .message
        .starts_with(NO_LOCAL_COPY)
        .then(|| MissingSchema::Named {
            severity: finding.severity,
            code: finding.code,
            message: finding.message.clone(),
            help: finding.help.first().unwrap_or(&finding.label).clone(),
        })
}

/// The exit code for an input that cannot be processed without this file.
fn exit_without(unusable: &Unusable) -> Exit {
    match unusable {
        Unusable::Unreadable { .. } => Exit::Failure,
        _ => Exit::Usage,
    }
}

/// Adds the findings of a schema to a report of at most this number of findings, in the order of the text.
pub(super) fn add(report: &mut Report, findings: Vec<Diagnostic>, most: usize) {
    for finding in findings {
        match finding.severity {
            Severity::Error => report.errors += 1,
            Severity::Warning => report.warnings += 1,
        }
        if report.diagnostics.len() < most {
            report.diagnostics.push(finding);
            continue;
        }
        Omitted::new(finding.code, finding.severity, finding.span.start)
            .add_to(&mut report.omitted);
    }
    let place = |finding: &Diagnostic| (finding.span.start, finding.span.end);
    sort_by_place(&mut report.diagnostics, place);
}

/// The findings of `checks` in a text that is valid from `start` on; `options` are those of one value.
///
/// # Errors
/// The text is invalid.
fn find(
    checks: &mut Checks,
    text: &[u8],
    start: usize,
    engine: Options,
    options: Options,
) -> Result<Findings, SyntaxError> {
    let in_text = |error: SyntaxError, from: usize| SyntaxError {
        offset: error.offset + from as u64,
        ..error
    };
    let content = &text[start..];
    checks.begin(start as u64, None);
    if let Err(Stop::Invalid(error)) = Validator::new(engine).check(content, &mut *checks) {
        return Err(in_text(error, start));
    }
    let mut findings = checks.end();
    let is_one = engine.mode == Mode::One;
    let spans = if is_one {
        vec![(0, content.len())]
    } else {
        values(content, engine)
    };
    for (from, to) in spans {
        let value = Value {
            text: &content[from..to],
            offset: start + from,
            options,
            called: if is_one { DOCUMENT } else { RECORD },
        };
        let checked = checks.value(&value, &mut findings);
        checked.map_err(|error| in_text(error, value.offset))?;
    }
    Ok(findings)
}

/// The spans of the values of a valid stream.
fn values(text: &[u8], engine: Options) -> Vec<(usize, usize)> {
    let mut query = query_of_roots();
    // It was found valid.
    let _ = Validator::new(engine).check(text, &mut query);
    query.end();
    roots(&mut query)
}
