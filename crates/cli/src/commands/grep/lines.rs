//! JSON Lines, and pipes as long as they have one value per line: batches of whole lines, on any thread.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use jsonx_core::position::Position;
use jsonx_diagnose::json5::Translation;

use super::matches::{Matches, Search, source};
use super::print::Lines;
use crate::check::lines::{
    Batch, Batching, Collector, Early, Flow, Handler, LineFindings, Records, each_batch,
};
use crate::check::{CheckOptions, Failure, InputKind};
use crate::diagnostics::{Diagnoser, LinesReport, Origin};
use crate::input::{Input, Task};
use crate::report::Marks;

/// The search of a batch.
struct Searching<'s> {
    search: &'s Search,
    translation: Option<Arc<Translation>>,
}

/// A match in a batch: its offset in the input, its line from the start of the part, its column, and the text after these.
struct Match {
    offset: u64,
    line: u64,
    column: u64,
    lines: Lines,
}

impl Handler for Searching<'_> {
    type Part = Vec<Match>;

    fn begin(&self) -> Vec<Match> {
        Vec::new()
    }

    fn batch(&self, batch: Batch<'_>, records: &mut Records, part: &mut Vec<Match>) -> Flow {
        let printer = &self.search.printer;
        batch.each_valid(records, |batch, mode| {
            let Some((mut finder, counts)) = batch.checked(mode, self.search.finder())? else {
                return Ok(None);
            };
            finder.end();
            let marks = Marks::default();
            for found in finder.found() {
                let offset = batch.offset + found.start;
                let mut one = Match {
                    offset,
                    line: 0,
                    column: 0,
                    lines: Vec::new(),
                };
                if printer.show.prints_matches() {
                    let start = found.start as usize;
                    let counter = marks.counter(batch.text, start);
                    let Position { line, column, .. } = counter.position(&batch.text[start..]);
                    (one.line, one.column) = (batch.line + line, column);
                    let source = source(&found, offset, self.translation.as_deref());
                    one.lines = printer.text(&found, source);
                }
                part.push(one);
            }
            Ok(Some(counts))
        })
    }
}

/// Prints the matches.
struct Printing<'a, 'm, 's> {
    matches: &'a mut Matches<'m, 's>,
    diagnoser: &'a Diagnoser,
}

impl Collector for Printing<'_, '_, '_> {
    type Part = Vec<Match>;

    fn join(
        &mut self,
        part: &mut Vec<Match>,
        line: u64,
        is_live: bool,
    ) -> Result<ControlFlow<()>, Failure> {
        for one in part.drain(..) {
            let place = (line + one.line, one.column);
            self.matches.push(one.offset, place, |_| one.lines)?;
        }
        if is_live {
            self.matches.target.flush()?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        if found.noted.is_empty() && found.more.is_empty() {
            return Ok(());
        }
        let diagnoser = self.diagnoser.for_input(input).into_owned();
        let skips = self.matches.search.skips_invalid;
        let report = LinesReport::new(&diagnoser).of_unread(&found, skips);
        let report = report.finish(&Origin::new(input), found);
        self.matches.target.report(report)
    }
}

/// Searches each line. A line of standard input may hold several values, and values may turn out to span lines; then the rest is left
/// to the caller.
///
/// # Errors
/// Reading or the target fails.
pub fn run(
    options: &CheckOptions,
    diagnoser: &Diagnoser,
    input: &mut Input,
    kind: InputKind,
    matches: &mut Matches<'_, '_>,
) -> Result<ControlFlow<Early>, Failure> {
    let searching = Searching {
        search: matches.search,
        translation: input.json5().cloned(),
    };
    let engine = options.engine(InputKind::Json);
    let search = diagnoser.search(engine).for_reading();
    let batching = Batching::new(Task::LookUp, search, kind);
    let mut printing = Printing { matches, diagnoser };
    let ended = each_batch(input, &batching, &searching, &mut printing)?;
    let reported = printing.report(input, ended.found);
    reported.map_err(Failure::Write)?;
    Ok(ended.flow)
}
