//! A change to the text of an input, and the action on the result.

use crate::check::{Failure, InputKind};
use crate::config::FileOptions;
use crate::diagnostics::{Diagnoser, FileReport};
use crate::files::layout::Unknown;
use crate::input::{Input, Name};
use crate::output::AnyOutput;

/// The action on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is printed.
    Print,
    /// It replaces the file, or is written into it.
    Write { in_place: bool },
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

    /// Whether its users expect the file to change, so that a terminal shows how to write a printed result.
    const IS_EDIT: bool = true;

    /// The result of the first pass, for the second.
    type Plan;

    /// The first pass: reads an input to its end if it can be read again, or if the second pass does not read it. A pipe whose
    /// result is to be printed as it arrives is left to the second pass.
    ///
    /// # Errors
    /// The input is invalid or cannot be read.
    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Self::Plan, Failure>;

    /// Whether the result differs from the input, or may differ if that was not read.
    fn changes(&self, plan: &Self::Plan) -> bool;

    /// Reads an input to its end, and returns whether the result equals it.
    ///
    /// # Errors
    /// The input is invalid or cannot be read.
    fn is_unchanged(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        Ok(!self.changes(&self.plan(input, kind)?))
    }

    /// What differs in a file that it would change, if that is hard to see.
    fn difference(&self, _: &mut Input, _: InputKind) -> Option<&'static str> {
        None
    }

    /// Reads an input to its end, and writes the result.
    ///
    /// # Errors
    /// The input is invalid or cannot be read; `Failure::Write` if the output fails.
    fn write(
        &self,
        plan: &Self::Plan,
        input: &mut Input,
        kind: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure>;

    /// What to do about files that it would change.
    fn advice(&self) -> Option<String> {
        None
    }

    /// The setting that keeps a file of this name and kind from being changed, as it is not understood.
    fn unknown(&self, _name: &Name, _kind: InputKind) -> Option<Unknown> {
        None
    }

    /// The same transform with the options for a file.
    fn with_options(&self, options: &FileOptions) -> Self;

    /// Adds the notes from reading a file to its report. A file with findings counts as failed.
    fn report(&self, report: FileReport, _name: &Name, _diagnoser: &Diagnoser) -> FileReport {
        report
    }
}

/// The new text of an input in memory, without its byte-order mark.
pub struct NewText {
    pub text: Vec<u8>,
    /// Whether it differs from the old text.
    pub differs: bool,
}

impl NewText {
    /// In place of an old text.
    pub fn new(old: &[u8], text: Vec<u8>) -> NewText {
        NewText {
            differs: text != old,
            text,
        }
    }

    /// Writes it, with the byte-order mark of the input.
    ///
    /// # Errors
    /// `Failure::Write` if the output fails.
    pub fn write(&self, input: &Input, output: &mut AnyOutput<'_>) -> Result<(), Failure> {
        let written = output.write(input.byte_order_mark());
        let written = written.and_then(|()| output.write(&self.text));
        written.map_err(Failure::Write)
    }
}
