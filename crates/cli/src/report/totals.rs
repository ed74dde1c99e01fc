//! The totals of a run, added up file by file.

use jsonx_diagnose::{Code, Diagnostic, Severity};

use super::{Checked, Outcome};

/// Counts over all files of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files that were checked.
    pub files: u64,
    /// Files with at least one error.
    pub invalid: u64,
    /// Errors, shown or not.
    pub errors: u64,
    /// Warnings, shown or not.
    pub warnings: u64,
}

impl Totals {
    /// The last line of a run: `2 errors in 1 file, 1 warning; 3 files checked`, or `ok: 3 files checked`.
    ///
    /// ```
    /// use jsonx_cli::report::Totals;
    /// let totals = Totals { files: 3, invalid: 1, errors: 2, warnings: 1 };
    /// assert_eq!(totals.summary(), "2 errors in 1 file, 1 warning; 3 files checked");
    /// ```
    pub fn summary(&self) -> String {
        let mut found = Vec::new();
        if self.errors > 0 {
            found.push(format!(
                "{} in {}",
                count(self.errors, "error"),
                count(self.invalid, "file")
            ));
        }
        if self.warnings > 0 {
            found.push(count(self.warnings, "warning"));
        }
        let checked = format!("{} checked", count(self.files, "file"));
        if found.is_empty() {
            format!("ok: {checked}")
        } else {
            format!("{}; {checked}", found.join(", "))
        }
    }
}

/// `1 error`, `2 errors`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A number of bytes with three digits, in powers of ten: `12.3 kB`.
pub fn amount(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if amount < 999.5 {
            let digits = match (unit, amount) {
                ("bytes", _) | (_, 99.95..) => 0,
                (_, 9.995..) => 1,
                _ => 2,
            };
            return format!("{amount:.digits$} {unit}");
        }
        amount /= 1000.0;
    }
    format!("{amount:.2} TB")
}

/// A file that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its name, unescaped.
    pub name: Vec<u8>,
    /// The error of the system.
    pub reason: String,
}

/// The number of errors and warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
}

/// The counts of one file. They are small, and outlive the file and its report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    errors: u64,
    warnings: u64,
    first: Option<(Severity, Code)>,
    unreadable: Option<Unreadable>,
    /// More counts of the same file follow.
    unfinished: bool,
}

impl FileTotals {
    /// The counts of a text that belongs to no file, or to one that was counted.
    pub fn none() -> FileTotals {
        FileTotals {
            unfinished: true,
            ..FileTotals::default()
        }
    }

    /// The counts of `checked`.
    pub fn new(checked: &Checked) -> FileTotals {
        FileTotals {
            errors: checked.report.errors - checked.earlier.errors,
            warnings: checked.report.warnings - checked.earlier.warnings,
            first: first(&checked.report.diagnostics),
            unreadable: match &checked.outcome {
                Outcome::Unreadable { reason } => Some(Unreadable {
                    name: checked.file.name.to_vec(),
                    reason: reason.to_string(),
                }),
                _ => None,
            },
            unfinished: checked.outcome == Outcome::Unfinished,
        }
    }
}

/// The code of the first error or, without errors, of the first finding, and its severity.
fn first(findings: &[Diagnostic]) -> Option<(Severity, Code)> {
    let first = findings.iter().min_by_key(|it| it.severity);
    first.map(|it| (it.severity, it.code))
}

/// Maximum number of unreadable files to list; a run over a broken disk may have millions.
const NAMED: usize = 1000;

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The counts.
    pub totals: Totals,
    /// The maximum number of errors, or of warnings, of any one file.
    pub most: u64,
    /// The severity and code of the first error or, without errors, of the first finding.
    pub first: Option<(Severity, Code)>,
    /// The first files that could not be checked.
    pub unreadable: Vec<Unreadable>,
    /// The number of files that could not be checked.
    pub failures: u64,
    /// The counts so far of a file that is not complete.
    so_far: Counts,
}

impl Run {
    /// Adds a file, or a fragment of one.
    pub fn add(&mut self, file: FileTotals) {
        if let Some(unreadable) = file.unreadable {
            self.failures += 1;
            if self.unreadable.len() < NAMED {
                self.unreadable.push(unreadable);
            }
            return;
        }
        self.totals.errors += file.errors;
        self.totals.warnings += file.warnings;
        let found = self.first.into_iter().chain(file.first);
        self.first = found.min_by_key(|(severity, _)| *severity);
        let Counts { errors, warnings } = &mut self.so_far;
        *errors += file.errors;
        *warnings += file.warnings;
        self.most = self.most.max(*errors).max(*warnings);
        if !file.unfinished {
            self.totals.files += 1;
            self.totals.invalid += u64::from(*errors > 0);
            self.so_far = Counts::default();
        }
    }
}
