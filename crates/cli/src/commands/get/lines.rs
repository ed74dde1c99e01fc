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
use std::sync::atomic::Ordering;

use jsonx_core::{Answer, Duplicates, Mode, OnePerLine, Options, Query, QueryOptions, Validator};

use super::Request;
use super::answers::Answers;
use super::print::{Printer, Show, Target};
use super::text::Text;
use crate::check::lines::{Records, WholeLines, begins_with_lines, filled_lines, spans_lines};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Taken, Window};
use crate::session::Session;

/// How to search a batch of lines.
#[derive(Clone, Copy)]
pub struct Search {
    /// Options for one value.
    options: Options,
    query: QueryOptions,
    /// A line with several values is invalid.
    one_per_line: bool,
}

/// Whole lines of an input.
#[derive(Clone, Copy)]
pub struct Batch<'t> {
    pub text: &'t [u8],
    /// Offset in the input.
    pub offset: u64,
    /// Nothing follows.
    pub is_last: bool,
    /// Tells the positions of matches.
    pub window: Option<&'t Window<'t>>,
}

/// What a batch turned out to hold.
pub enum Content {
    /// Lines. The answers of the valid ones were printed, the others were noted.
    Lines,
    /// Values that span lines; nothing was printed.
    Stream,
}

impl Search {
    pub fn new(session: &Session, request: &Request, printer: &Printer, kind: InputKind) -> Search {
        let duplicates = match request.lazy {
            true => Duplicates::Each,
            false => Duplicates::Last,
        };
        Search {
            options: session.check_options().engine(InputKind::Json),
            query: request
                .query_options(printer.with_path)
                .duplicates(duplicates),
            one_per_line: kind == InputKind::Jsonl,
        }
    }

    /// Options for one value.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Looks up the paths in the lines of a batch.
    ///
    /// # Errors
    /// Printing fails.
    pub fn batch(
        &self,
        request: &Request,
        batch: Batch<'_>,
        answers: &mut Answers<'_>,
        target: &mut Target<'_>,
        records: &mut Records,
    ) -> Result<Content, Failure> {
        let text = batch.text;
        let query = Query::new(&request.paths, self.query);
        let stream = Validator::new(self.options.mode(Mode::Stream));
        let searched = if self.one_per_line {
            let mut lines = OnePerLine::new(query);
            let valid = stream.check(text, &mut lines).is_ok() && lines.holds();
            let filled = lines.filled();
            valid.then(|| (lines.into_inner(), Some(filled)))
        } else {
            let mut query = query;
            let valid = stream.check(text, &mut query).is_ok();
            valid.then_some((query, None))
        };
        if let Some((query, filled)) = searched {
            let values = deliver(query, batch, answers, target)?;
            // In a pipe that is not declared as lines, a value is taken for a record.
            records.skip(text, filled.unwrap_or(values));
            return Ok(Content::Lines);
        }
        if !self.one_per_line && spans_lines(text, batch.is_last, self.options) {
            return Ok(Content::Stream);
        }
        records.push(text);
        for (at, line) in filled_lines(text) {
            let mut query = Query::new(&request.paths, self.query);
            if Validator::new(self.options).check(line, &mut query).is_ok() {
                let line = Batch {
                    text: line,
                    offset: batch.offset + at as u64,
                    ..batch
                };
                deliver(query, line, answers, target)?;
            }
        }
        Ok(Content::Lines)
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

/// How the search of an input ended.
pub enum Ended {
    /// All of it was searched.
    Complete,
    /// From the next byte on it is a stream of values that span lines.
    Stream,
}

/// Why reading stopped.
enum Stop {
    Failed(Failure),
    /// The rest of the input cannot change the output.
    Enough,
    Stream,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failed(error.into())
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}

/// Prints the answers of each line as it comes, and reports invalid records. Of standard input, a line may hold several
/// values, and it may turn out that they span lines.
///
/// # Errors
/// Reading or writing fails.
pub fn run(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'_>,
) -> Result<Ended, Failure> {
    let search = Search::new(session, request, printer, kind);
    let diagnoser = session.diagnoser();
    let noted = diagnoser.search(search.options).without_lints();
    let mut whole = WholeLines::default();
    let mut records: Option<Records> = None;
    let pauses = input.idle_timeout();
    let locates = printer.show == Show::Locate;
    let ended = loop {
        let read = input.each_chunk(locates, |window| -> Result<Taken, Stop> {
            if records.is_none()
                && !search.one_per_line
                && !begins_with_lines(window, search.options)
            {
                return Err(Stop::Stream);
            }
            let length = whole.length(window);
            let text = &window.bytes()[..length];
            let target = &mut Target::Stdout(&mut session.out);
            let records = records.get_or_insert_with(|| Records::new(noted, window.offset()));
            // After the last match needed nothing is checked, not even the rest of the batch.
            let lines = text.split_inclusive(|&byte| byte == b'\n' && request.lazy);
            let mut offset = window.offset();
            for text in lines {
                let batch = Batch {
                    text,
                    offset,
                    is_last: window.is_last(),
                    window: Some(window),
                };
                if let Content::Stream = search.batch(request, batch, answers, target, records)? {
                    return Err(Stop::Stream);
                }
                if request.lazy && answers.are_complete(false) {
                    return Err(Stop::Enough);
                }
                offset += text.len() as u64;
            }
            if window.is_live() {
                answers.print_rows(false, target)?;
                session.out.flush().map_err(Failure::Write)?;
            }
            pauses.store(records.has_findings(), Ordering::Relaxed);
            Ok(Taken {
                bytes: length,
                keep_from: window.offset() + length as u64,
            })
        });
        match read {
            Ok(()) => break Ended::Complete,
            Err(Stop::Stream) => break Ended::Stream,
            Err(Stop::Enough) => {
                let target = &mut Target::Stdout(&mut session.out);
                answers.stop(target).map_err(Failure::Write)?;
                break Ended::Complete;
            }
            // Somebody may be waiting for what is wrong with the records so far.
            Err(Stop::Failed(Failure::Read(error)))
                if error.kind() == io::ErrorKind::TimedOut && records.is_some() =>
            {
                if let Some(records) = &mut records {
                    let found = records.take();
                    session
                        .report_records(input, found)
                        .map_err(Failure::Write)?;
                }
                pauses.store(false, Ordering::Relaxed);
            }
            Err(Stop::Failed(failure)) => return Err(failure),
        }
    };
    pauses.store(false, Ordering::Relaxed);
    if let Some(records) = records {
        let found = records.finish();
        session
            .report_records(input, found)
            .map_err(Failure::Write)?;
    }
    Ok(ended)
}
