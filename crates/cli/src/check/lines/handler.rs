//! The work of a command on the batches of an input.

use std::io;
use std::ops::ControlFlow;

use super::batch::{Batch, Early};
use super::{LineFindings, Records, Search};
use crate::check::Failure;
use crate::input::{Input, InputKind, Task};

/// The number of bytes processed, or the reason to stop.
pub type Flow = Result<ControlFlow<Early, usize>, Failure>;

/// How to divide an input, and the work on the batches.
pub struct Batching {
    pub task: Task,
    /// The checks of records, and the options for one.
    pub search: Search,
    /// A line with several values is invalid. Otherwise values may turn out to span lines, in the first lines or later.
    pub one_per_line: bool,
    /// The first error ends the work. Without broken records to skip, values that span lines are processed, too.
    pub stops: bool,
    /// Broken records are skipped at the user's request, also after other text that is followed by a single value.
    pub skips: bool,
    /// Offset of a file at which the work begins; a stream goes on where it is.
    pub from: u64,
    /// With `stops`, batches may end after any value. A file is divided at line ends as long as these divide its values.
    pub by_values: bool,
    /// Batches consist of whole lines. Otherwise they may end anywhere, and the handler passes all of them to [`Records`].
    pub whole_lines: bool,
    /// A batch can be processed without those before it. Otherwise all have the same part, and [`Batch::line`] counts from the start
    /// of the input.
    pub is_divisible: bool,
    /// Findings are reported before the end of the input: when its writer pauses or when there are many.
    pub reports_early: bool,
}

impl Batching {
    /// Batches of whole lines in any order, up to the end of an input of this kind.
    pub fn new(task: Task, search: Search, kind: InputKind) -> Batching {
        Batching {
            task,
            search,
            one_per_line: kind == InputKind::Jsonl,
            stops: false,
            skips: false,
            from: 0,
            by_values: false,
            whole_lines: true,
            is_divisible: true,
            reports_early: true,
        }
    }
}

/// The work of a command on a batch, on any thread.
pub trait Handler: Sync {
    /// The results.
    type Part: Send;

    /// No results.
    fn begin(&self) -> Self::Part;

    /// Processes a batch, and passes it to `records`. Returns the number of bytes processed; an incomplete value is passed again.
    ///
    /// # Errors
    /// Processing fails, which ends work on the input; the results so far are collected.
    fn batch(&self, batch: Batch<'_>, records: &mut Records, part: &mut Self::Part) -> Flow;

    /// Ends a part.
    ///
    /// # Errors
    /// As for [`Handler::batch`].
    fn end(&self, _part: &mut Self::Part) -> Result<(), Failure> {
        Ok(())
    }
}

/// Consumes the results, in order, on the reading thread.
pub trait Collector {
    /// The results of a batch.
    type Part;

    /// Takes the results of the next batch; its lines count from `line`. With `is_live`, more may take long to arrive. A break
    /// means that no more are needed.
    ///
    /// # Errors
    /// Errors of the output.
    fn join(
        &mut self,
        part: &mut Self::Part,
        line: u64,
        is_live: bool,
    ) -> Result<ControlFlow<()>, Failure>;

    /// Reports findings while there may be more.
    ///
    /// # Errors
    /// Errors of the output.
    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()>;
}
