//! JSON Lines: each record is formatted separately, and an invalid record does not end the run.
//!
//! A batch of whole lines is formatted in memory, as one stream. If that fails, it is formatted line by line, and invalid lines
//! are noted. Standard input is read this way too, as long as it has one value per line.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;

use jsonx_core::engine::Mode;
use jsonx_core::format::{LineEnd, NotCanonical, Output, RewriteError, RewriteOptions, Rewriter};

use crate::check::lines::{
    Batch, Batching, Collector, Counts, Early, Flow, Handler, LineFindings, Records, each_batch,
};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Task};
use crate::output::TerminalOutput;
use crate::session::Session;

/// Formats an input line by line, prints the lines, and reports invalid records. Standard input may turn out to have values that
/// span lines; then the rest is left to the caller.
///
/// # Errors
/// Reading fails; a record has no canonical form; standard output cannot be written.
pub fn format(
    session: &mut Session,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
) -> Result<ControlFlow<Early>, Failure> {
    let options = session.check_options().engine(InputKind::Json);
    let search = session.diagnoser().search(options).for_reading();
    let batching = Batching::new(Task::Format, search, kind);
    let line_end: &[u8] = match rewrite.line_end {
        LineEnd::Lf => b"\n",
        LineEnd::CrLf => b"\r\n",
    };
    let mut printing = Printing {
        session,
        line_end,
        separates: false,
    };
    let formatting = Formatting { rewrite, line_end };
    let ended = each_batch(input, &batching, &formatting, &mut printing)?;
    let reported = session.report_records(input, ended.found);
    reported.map_err(Failure::Write)?;
    Ok(ended.flow)
}

/// Prints each batch.
struct Printing<'s> {
    session: &'s mut Session,
    line_end: &'static [u8],
    /// A line end must come before the next value.
    separates: bool,
}

impl Printing<'_> {
    /// Prints formatted lines; on a terminal, with control characters escaped. Flushes them if a pause may follow.
    fn print(&mut self, formatted: &[u8], is_live: bool) -> Result<(), Failure> {
        let color = self.session.color();
        let out = &mut self.session.out;
        let printed = TerminalOutput::any(out, color).write(formatted);
        let flushed = printed.and_then(|()| if is_live { out.flush() } else { Ok(()) });
        flushed.map_err(Failure::Write)
    }
}

impl Collector for Printing<'_> {
    type Part = Vec<u8>;

    fn join(
        &mut self,
        formatted: &mut Vec<u8>,
        _: u64,
        is_live: bool,
    ) -> Result<ControlFlow<()>, Failure> {
        if self.separates && !formatted.is_empty() {
            self.print(self.line_end, false)?;
        }
        self.print(formatted, is_live)?;
        if let Some(&last) = formatted.last() {
            self.separates = last != b'\n';
        }
        formatted.clear();
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        self.session.report_records(input, found)
    }
}

/// Formats batches.
struct Formatting {
    rewrite: RewriteOptions,
    line_end: &'static [u8],
}

impl Handler for Formatting {
    type Part = Vec<u8>;

    fn begin(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Formats the lines before a line without a canonical form.
    fn batch(&self, batch: Batch<'_>, records: &mut Records, formatted: &mut Vec<u8>) -> Flow {
        let mut is_first = true;
        batch.each_valid(records, |batch, mode| {
            let is_whole = std::mem::take(&mut is_first);
            match self.append(batch, mode, formatted) {
                Err(_) if is_whole => Ok(None),
                Err(refusal) => {
                    let within = batch.offset - batch.start;
                    Err(Failure::Refused(refusal.moved(within)))
                }
                Ok(counts) => Ok(counts),
            }
        })
    }
}

impl Formatting {
    /// Appends the formatted text; `None` if it is invalid.
    fn append(
        &self,
        batch: Batch<'_>,
        mode: Mode,
        formatted: &mut Vec<u8>,
    ) -> Result<Option<Counts>, NotCanonical> {
        let start = formatted.len();
        // There may be no line end after a value, only between two.
        if start > 0 && !formatted.ends_with(b"\n") {
            formatted.extend_from_slice(self.line_end);
        }
        let begin = formatted.len();
        let output: &mut dyn Output<Error = Infallible> = formatted;
        let checked = batch.checked(mode, Rewriter::new(self.rewrite, output));
        let written = checked.and_then(|valid| match valid {
            Some((rewriter, counts)) => rewriter.finish().map(|_| Some(counts)),
            None => Ok(None),
        });
        if !matches!(written, Ok(Some(_))) || formatted.len() == begin {
            formatted.truncate(start);
        }
        match written {
            Ok(counts) => Ok(counts),
            Err(RewriteError::NotCanonical(refusal)) => Err(refusal),
            Err(_) => Ok(None),
        }
    }
}
