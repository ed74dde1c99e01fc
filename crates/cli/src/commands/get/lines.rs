//! JSON Lines: each record is searched separately, and an invalid one does not end the search.
//!
//! A batch is held in memory until it is validated, so nothing is printed for an invalid record. Standard input is
//! also read this way as long as it has one value per line.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use jsonx_core::position::{Position, locate};
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_diagnose::json5::Translation;

use super::Request;
use super::answers::Answers;
use super::print::{Buffer, Printer, Show};
use super::text::ValueText;
use crate::check::lines::{
    Batch, Batching, Collector, Early, Flow, Handler, LineFindings, Records, each_batch,
};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Name, Task, in_source};
use crate::output::AnyOutput;
use crate::report::Marks;
use crate::session::Session;

/// The search of a batch.
struct Search<'r> {
    request: &'r Request,
    printer: &'r Printer,
    name: &'r Name,
    query: QueryOptions,
    translation: Option<Arc<Translation>>,
}

/// The answers of batches, and the output for them.
struct Part<'r> {
    answers: Answers<'r>,
    out: Vec<u8>,
}

impl<'r> Handler for Search<'r> {
    type Part = Part<'r>;

    fn begin(&self) -> Part<'r> {
        let mut answers = Answers::new(self.request, self.printer, self.name);
        answers.translation.clone_from(&self.translation);
        Part {
            answers,
            out: Vec::new(),
        }
    }

    fn batch(&self, batch: Batch<'_>, records: &mut Records, part: &mut Part<'r>) -> Flow {
        let Part { answers, out } = part;
        let target = &mut Buffer(out);
        batch.each_valid(records, |batch, mode| {
            let query = self.request.query(self.query);
            let Some((query, counts)) = batch.checked(mode, query)? else {
                return Ok(None);
            };
            deliver(query, batch, answers, target)?;
            Ok(Some(counts))
        })
    }
}

/// Prints the answers of a query over a batch.
fn deliver(
    mut query: Query,
    batch: Batch<'_>,
    answers: &mut Answers<'_>,
    target: &mut AnyOutput<'_>,
) -> Result<(), Failure> {
    query.end();
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let roots = query.roots();
    answers.base = Some(batch.offset);
    let translation = answers.translation.clone();
    let translation = translation.as_deref();
    let marks = Marks::default();
    let place = |at: u64| {
        let start = at as usize;
        let counter = marks.counter(batch.text, start);
        let Position { line, column, .. } = counter.position(&batch.text[start..]);
        let column = column_in(translation, batch.offset + at).unwrap_or(column);
        (batch.line + line, column)
    };
    for answer in query.answers() {
        match answer {
            Answer::Match(one) => {
                let value = &batch.text[one.start as usize..one.end as usize];
                let located = (answers.printer.show == Show::Locate).then(|| place(one.start));
                answers.take(&one, located, &mut ValueText::Bytes(value), target)?;
            }
            Answer::Missing {
                path, mut missing, ..
            } => {
                let at = missing.start;
                missing.start += batch.offset;
                missing.end += batch.offset;
                answers.miss(path, missing, || Some(place(at)));
            }
        }
    }
    answers.end_roots(roots, target)?;
    answers.restart();
    Ok(())
}

/// The column in the source of the byte at an offset in its translation.
fn column_in(translation: Option<&Translation>, at: u64) -> Option<u64> {
    let translation = translation?;
    let (source, at) = (translation.source(), in_source(translation, at));
    let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |end| end + 1);
    Some(locate(&source[start..], at - start).column)
}

/// Prints the answers.
struct Printing<'s, 'a, 'r> {
    session: &'s mut Session,
    answers: &'a mut Answers<'r>,
}

impl<'r> Collector for Printing<'_, '_, 'r> {
    type Part = Part<'r>;

    fn join(
        &mut self,
        part: &mut Part<'r>,
        line: u64,
        is_live: bool,
    ) -> Result<ControlFlow<()>, Failure> {
        let out = &mut self.session.out;
        out.write_all(&part.out).map_err(Failure::Write)?;
        part.out.clear();
        self.answers.add(&mut part.answers, line);
        if is_live {
            out.flush().map_err(Failure::Write)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        self.session.report_records(input, found)
    }
}

/// Prints the answers of each line, and reports invalid records. A line of standard input may hold several values, and values may
/// turn out to span lines; then the rest is left to the caller.
///
/// # Errors
/// Reading or writing fails.
pub fn run<'r>(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'r>,
) -> Result<ControlFlow<Early>, Failure> {
    let Answers {
        request,
        printer,
        name,
        ..
    } = *answers;
    let search = Search {
        request,
        printer,
        name,
        query: request.query_options(request.locates),
        translation: input.json5().cloned(),
    };
    let engine = session.check_options().engine(InputKind::Json);
    let search_of_records = session.diagnoser().search(engine).for_reading();
    let batching = Batching {
        // Positions depend on the lines before, a limit on the matches before.
        is_divisible: printer.show != Show::Locate && request.limit == u64::MAX,
        ..Batching::new(Task::LookUp, search_of_records, kind)
    };
    let mut printing = Printing { session, answers };
    let ended = each_batch(input, &batching, &search, &mut printing)?;
    let reported = printing.report(input, ended.found);
    reported.map_err(Failure::Write)?;
    Ok(ended.flow)
}
