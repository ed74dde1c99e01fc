//! Reports missing schemas: one line per schema instead of a report per file.

use std::collections::HashSet;

use jsonx_diagnose::{Code, Severity};

use super::{Diagnoser, FileReport, ReportTarget};
use crate::report::{FileTotals, Format, human};

/// A schema that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingSchema {
    /// A value names it.
    Named {
        severity: Severity,
        code: Code,
        /// The message with its name.
        message: String,
        /// The remedy.
        help: String,
    },
    /// The command line or a config names it.
    Unusable {
        /// Its name.
        name: String,
    },
}

/// The unusable schemas of a run, and the files that need them.
#[derive(Default)]
pub struct MissingSchemas {
    /// In the order in which the schemas were found to be missing.
    files: Vec<Files>,
    reported: HashSet<Vec<u8>>,
}

struct Files {
    schema: MissingSchema,
    count: u64,
    /// The message for a single file.
    first: FileReport,
}

impl MissingSchemas {
    /// Whether the schema of this name is reported for the first time.
    pub fn is_new(&mut self, name: Vec<u8>) -> bool {
        self.reported.insert(name)
    }

    /// Removes and keeps the human-readable part of a report that is only about a missing schema.
    pub fn hold(&mut self, mut report: FileReport, diagnoser: &Diagnoser) -> FileReport {
        let Some(schema) = report.missing.take() else {
            return report;
        };
        let mut fragments = Vec::new();
        for (fragment, form) in report.fragments.iter_mut().zip(&diagnoser.forms) {
            fragments.push(match form.format {
                Format::Human => std::mem::take(fragment),
                _ => String::new(),
            });
        }
        let messages = match schema {
            MissingSchema::Unusable { .. } => std::mem::take(&mut report.messages),
            MissingSchema::Named { .. } => String::new(),
        };
        match self.files.iter_mut().find(|files| files.schema == schema) {
            Some(files) => files.count += 1,
            None => self.files.push(Files {
                schema,
                count: 1,
                first: FileReport {
                    messages,
                    fragments,
                    totals: FileTotals::none(),
                    ..FileReport::default()
                },
            }),
        }
        report
    }

    /// The reports on the files.
    pub fn reports(self, diagnoser: &Diagnoser) -> impl Iterator<Item = FileReport> {
        self.files.into_iter().map(|files| match files.count {
            1 => files.first,
            _ => files.report(diagnoser),
        })
    }
}

impl Files {
    fn report(&self, diagnoser: &Diagnoser) -> FileReport {
        let count = self.count;
        match &self.schema {
            MissingSchema::Unusable { name } => FileReport {
                messages: format!(
                    "jsonx: {count} files not checked, because their schema {name} cannot be used\n"
                ),
                totals: FileTotals::none(),
                ..FileReport::default()
            },
            MissingSchema::Named {
                severity,
                code,
                message,
                help,
            } => {
                let message = format!("{message}, which {count} files name: {help}");
                let fragment = |form: &ReportTarget| match (form.format, form.muted) {
                    (Format::Human, false) => {
                        human::without_place(*severity, *code, &message, &form.settings)
                    }
                    _ => String::new(),
                };
                FileReport {
                    fragments: diagnoser.forms.iter().map(fragment).collect(),
                    totals: FileTotals::none(),
                    ..FileReport::default()
                }
            }
        }
    }
}
