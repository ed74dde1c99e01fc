//! Reports the findings of one input in parts, so that memory does not depend on their number.
//!
//! ```text
//! diagnose_each ──► batch ──► FileReport, unfinished ──► printed
//!                     └─ what is left at the end ──► FileReport, with the counts of all
//! ```

use std::io;

use jsonx_core::diagnose::{Diagnostic, Report, Severity};

use super::{Diagnoser, FileReport};
use crate::exit::Exit;
use crate::report::{Checked, Counts, File, Marks, Outcome};

/// The number of findings of one input to hold in memory if all are to be reported.
pub const HELD: usize = 8192;

/// Findings of a part.
const BATCH: usize = 1024;

/// When to report the findings of an input.
pub enum Delivery<'a> {
    /// All at the end.
    Whole,
    /// All at the end, unless there are more than [`HELD`]: the report is then [deferred](FileReport::deferred).
    Deferrable,
    /// In parts, as they are found.
    Parts(&'a mut Deliver<'a>),
}

/// Prints a part of the report on an input.
pub type Deliver<'a> = dyn FnMut(FileReport) -> io::Result<()> + 'a;

/// The parts of the report on one text.
pub(super) struct Parts<'d, 'p> {
    diagnoser: &'d Diagnoser,
    deliver: &'p mut Deliver<'p>,
    batch: Vec<Diagnostic>,
    /// Counts of the printed findings, with their original severities.
    printed: Counts,
    /// The same with denied lints as errors.
    pub earlier: Counts,
    pub marks: Marks,
    result: io::Result<()>,
}

impl<'d, 'p> Parts<'d, 'p> {
    pub fn new(diagnoser: &'d Diagnoser, deliver: &'p mut Deliver<'p>, earlier: Counts) -> Self {
        Parts {
            diagnoser,
            deliver,
            batch: Vec::new(),
            printed: Counts::default(),
            earlier,
            marks: Marks::default(),
            result: Ok(()),
        }
    }

    /// Adds a finding in `file`, and prints the batch when it is full. Does nothing after an error of the output.
    pub fn push(&mut self, file: &File, finding: Diagnostic) {
        if self.result.is_err() {
            return;
        }
        self.batch.push(finding);
        if self.batch.len() < BATCH {
            return;
        }
        let diagnostics = std::mem::take(&mut self.batch);
        let counts = count(&diagnostics);
        let mut report = Report::default();
        report.diagnostics = diagnostics;
        report.errors = counts.errors;
        report.warnings = counts.warnings;
        report.deny(self.diagnoser.levels.denied);
        self.printed.errors += counts.errors;
        self.printed.warnings += counts.warnings;
        self.earlier.errors += report.errors;
        self.earlier.warnings += report.warnings;
        let checked = Checked {
            file: File {
                marks: Some(&self.marks),
                ..file.clone()
            },
            report,
            earlier: Counts::default(),
            outcome: Outcome::Unfinished,
            length: 0,
        };
        let part = self.diagnoser.file_report(&checked, Exit::Done);
        self.result = (self.deliver)(part);
    }

    /// Subtracts the printed findings from the counts of `report`, and adds the others.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn finish(&mut self, report: &mut Report) -> io::Result<()> {
        std::mem::replace(&mut self.result, Ok(()))?;
        report.errors -= self.printed.errors;
        report.warnings -= self.printed.warnings;
        let mut rest = std::mem::take(&mut self.batch);
        rest.append(&mut report.diagnostics);
        report.diagnostics = rest;
        Ok(())
    }
}

fn count(findings: &[Diagnostic]) -> Counts {
    let warnings = findings
        .iter()
        .filter(|it| it.severity == Severity::Warning);
    let warnings = warnings.count() as u64;
    Counts {
        errors: findings.len() as u64 - warnings,
        warnings,
    }
}
