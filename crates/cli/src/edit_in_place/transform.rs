//! A change to the text of a file, and what becomes of the result.

use crate::check::{Failure, InputKind};
use crate::config::FileOptions;
use crate::diagnostics::{Diagnoser, FileReport};
use crate::input::{Input, Name};
use crate::output::AnyOutput;

/// The action on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It replaces the file.
    Write,
    /// The name of the file is printed if it differs.
    Check,
    /// The differences are printed.
    Diff,
}

/// A change to the text of a file.
pub trait Transform: Sync + Sized {
    /// The word for a file that the transform does not change.
    const UNCHANGED: &'static str;

    /// The word for a file that it would change.
    const WOULD_CHANGE: &'static str;

    /// Whether a byte-order mark is not part of the result.
    const DROPS_BYTE_ORDER_MARK: bool;

    /// The result of the first pass, for the second.
    type Plan;

    /// The advice for such files.
    const ADVICE: Option<&'static str> = None;

    /// Whether it lists rewritten files even without --verbose.
    const NAMES_REWRITTEN: bool = false;

    /// Reads an input to its end, and returns whether the result equals it.
    ///
    /// # Errors
    /// The input is invalid or cannot be read.
    fn is_unchanged(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure>;

    /// The first pass: reads an input to its end if it can be read again, or if the second pass does not read it. `None` if
    /// the result equals it.
    ///
    /// # Errors
    /// The input is invalid or cannot be read.
    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Option<Self::Plan>, Failure>;

    /// Reads an input to its end, writes the result, and writes the original text to `source`.
    ///
    /// # Errors
    /// The input is invalid or cannot be read; `Failure::Write` if the output or `source` fails.
    fn write(
        &self,
        plan: &Self::Plan,
        input: &mut Input,
        kind: InputKind,
        output: &mut AnyOutput<'_>,
        source: &mut AnyOutput<'_>,
    ) -> Result<(), Failure>;

    /// The same transform with the options for a file.
    fn with_options(&self, options: &FileOptions) -> Self;

    /// Adds the notes from reading a file to its report. A file with findings counts as failed.
    fn report(&self, report: FileReport, _name: &Name, _diagnoser: &Diagnoser) -> FileReport {
        report
    }
}
