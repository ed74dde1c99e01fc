//! JSON Lines: each record is searched by itself, and an invalid one does not end the search.
//!
//! ```text
//! window or segment ──► whole lines ──► one query over all of them ──► answers
//!                                   └─ invalid ──► a query for each line ──► answers of the valid ones; the others noted
//! ```
//!
//! A batch is held in memory until it is validated, so nothing of an invalid record is printed. Standard input is read
//! this way too while its values are one per line.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use jsonx_core::engine::{Mode, OnePerLine, Options, Validator};
use jsonx_core::query::{Answer, Query, QueryOptions};

use super::Request;
use super::answers::Answers;
use super::print::{Printer, Show, Target};
use super::text::Text;
use crate::check::lines::{
    Batch, Batching, Consumer, Early, LineFindings, Records, Run, divide, each_batch, filled_lines,
    line_feeds,
};
use crate::check::{Failure, InputKind};
use crate::input::Input;
use crate::session::Session;

/// How to search a batch of lines.
#[derive(Clone, Copy)]
pub struct LineQuery {
    /// Options for one value.
    options: Options,
    query: QueryOptions,
    /// A line with several values is invalid.
    one_per_line: bool,
}

impl LineQuery {
    pub fn new(
        session: &Session,
        request: &Request,
        printer: &Printer,
        kind: InputKind,
    ) -> LineQuery {
        LineQuery {
            options: session.check_options().engine(InputKind::Json),
            query: request.query_options(printer.with_path),
            one_per_line: kind == InputKind::Jsonl,
        }
    }

    /// Options for one value.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Looks up the paths in the lines of a batch. Prints the answers of the valid ones, and passes the others to `records`.
    ///
    /// # Errors
    /// Printing fails.
    pub fn run(
        &self,
        request: &Request,
        batch: Batch<'_>,
        answers: &mut Answers<'_>,
        target: &mut Target<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        let text = batch.text;
        let query = request.query(self.query);
        let stream = Validator::new(self.options.mode(Mode::Stream));
        let mut lines = OnePerLine::new(query);
        let is_valid = stream.check_lines(text, &mut lines).is_ok();
        if is_valid && (lines.holds() || !self.one_per_line) {
            let (line_feeds, filled) = (lines.breaks(), lines.filled());
            let values = deliver(lines.into_inner(), batch, answers, target)?;
            // In a pipe that is not declared as lines, a value is read as a record.
            let count = if self.one_per_line { filled } else { values };
            records.skip(text, line_feeds, count);
            return Ok(ControlFlow::Continue(text.len()));
        }
        if self.one_per_line {
            records.push(text);
            for (at, line) in filled_lines(text) {
                self.search(request, batch.of(at, line), Mode::One, answers, target)?;
            }
            return Ok(ControlFlow::Continue(text.len()));
        }
        let mut at = 0;
        let rest = divide(text, batch.is_last, self.options, |run| {
            let length = match run {
                Run::Values(values) => {
                    let searched = batch.of(at, values);
                    let found = self.search(request, searched, Mode::Stream, answers, target)?;
                    records.skip(values, line_feeds(values), found.unwrap_or(0));
                    values.len()
                }
                Run::Broken(line) => {
                    records.push(line);
                    line.len()
                }
            };
            at += length;
            Ok::<_, Failure>(())
        })?;
        Ok(Early::of_rest(rest, text.len()))
    }

    /// Looks up the paths in a part of a batch, and prints the answers. Returns how many values it has; `None` if it is invalid.
    fn search(
        &self,
        request: &Request,
        batch: Batch<'_>,
        mode: Mode,
        answers: &mut Answers<'_>,
        target: &mut Target<'_>,
    ) -> Result<Option<u64>, Failure> {
        let mut query = request.query(self.query);
        let checked = Validator::new(self.options.mode(mode)).check_lines(batch.text, &mut query);
        match checked.is_ok() {
            true => deliver(query, batch, answers, target).map(Some),
            false => Ok(None),
        }
    }
}

/// Prints the answers of a query over a batch. Returns how many values the batch has.
fn deliver(
    mut query: Query,
    batch: Batch<'_>,
    answers: &mut Answers<'_>,
    target: &mut Target<'_>,
) -> Result<u64, Failure> {
    query.end();
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let roots = query.roots();
    match batch
        .window
        .filter(|_| answers.printer().show == Show::Locate)
    {
        Some(window) => {
            let found: Vec<Answer> = query.answers().collect();
            let starts = found.iter().filter_map(|answer| match answer {
                Answer::Match(one) => Some(one.start + batch.offset),
                Answer::Missing { .. } => None,
            });
            let places = window.positions(starts);
            for answer in found {
                deliver_one(answer, batch, &places, answers, target)?;
            }
        }
        None => {
            for answer in query.answers() {
                deliver_one(answer, batch, &BTreeMap::new(), answers, target)?;
            }
        }
    }
    answers.end_roots(roots, target)?;
    answers.restart();
    Ok(roots)
}

fn deliver_one(
    answer: Answer,
    batch: Batch<'_>,
    places: &BTreeMap<u64, (u64, u64)>,
    answers: &mut Answers<'_>,
    target: &mut Target<'_>,
) -> Result<(), Failure> {
    match answer {
        Answer::Match(one) => {
            let value = &batch.text[one.start as usize..one.end as usize];
            let place = places.get(&(one.start + batch.offset)).copied();
            answers.take(&one, place, &mut Text::Bytes(value), target)
        }
        Answer::Missing {
            path, mut missing, ..
        } => {
            missing.start += batch.offset;
            missing.end += batch.offset;
            answers.miss(path, missing, || batch.window?.position(missing.start));
            Ok(())
        }
    }
}

/// Searches batches, and prints the answers of each as it comes.
struct Printing<'s, 'a, 'r> {
    session: &'s mut Session,
    request: &'r Request,
    query: LineQuery,
    answers: &'a mut Answers<'r>,
}

impl Consumer for Printing<'_, '_, '_> {
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        let (request, target) = (self.request, &mut Target::Stdout(&mut self.session.out));
        let flow = self
            .query
            .run(request, batch, self.answers, target, records)?;
        let ControlFlow::Continue(at) = flow else {
            return Ok(flow);
        };
        if batch.window.is_some_and(|window| window.is_live()) {
            self.answers.print_rows(false, target)?;
            self.session.out.flush().map_err(Failure::Write)?;
        }
        Ok(ControlFlow::Continue(at))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        self.session.report_records(input, found)
    }
}

/// Prints the answers of each line as it comes, and reports invalid records. Of standard input, a line may hold several
/// values, and it may turn out that they span lines; then the rest is left to the caller.
///
/// # Errors
/// Reading or writing fails.
pub fn run<'r>(
    session: &mut Session,
    request: &'r Request,
    printer: &Printer,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'r>,
) -> Result<ControlFlow<Early>, Failure> {
    let query = LineQuery::new(session, request, printer, kind);
    let diagnoser = session.diagnoser();
    let batching = Batching {
        search: diagnoser.search(query.options).without_checks(),
        whole_lines: true,
        may_span_lines: !query.one_per_line,
        positions: printer.show == Show::Locate,
        reports_early: true,
    };
    let mut printing = Printing {
        session,
        request,
        query,
        answers,
    };
    let (ended, found) = each_batch(input, batching, &mut printing)?;
    session
        .report_records(input, found)
        .map_err(Failure::Write)?;
    Ok(ended)
}
