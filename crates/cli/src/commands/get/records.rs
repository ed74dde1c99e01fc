//! JSON Lines files, processed on all cores.
//!
//! ```text
//! file ──► segments, cut after line feeds ──► worker: validate, look up, print to memory ──► output, in order
//! ```

use std::io::Write;
use std::num::NonZeroUsize;

use super::Request;
use super::answers::{Answers, PathCounts, Warnings};
use super::lines::LineQuery;
use super::print::{Printer, Show, Target};
use super::rows::Seen;
use super::totals::Totals;
use crate::check::lines::file::each_batch;
use crate::check::{Failure, InputKind};
use crate::input::{Input, Strategy, Task};
use crate::session::Session;

/// The results of a segment.
struct SegmentOutput {
    out: Vec<u8>,
    counts: Vec<PathCounts>,
    warnings: Warnings,
    seen: Seen,
    totals: Option<Totals>,
}

/// How many threads may process an input, if that is possible in segments: positions depend on the lines before, and a limit on
/// the matches before.
pub fn threads(
    input: &Input,
    kind: InputKind,
    request: &Request,
    printer: &Printer,
) -> Option<NonZeroUsize> {
    let is_for_each = kind == InputKind::Jsonl
        && request.limit == u64::MAX
        && printer.show != Show::Locate
        && !request.has_table();
    let may_count = false;
    match input.strategy(kind.text(), Task::LookUp { may_count }) {
        Strategy::Segments(threads) if is_for_each => Some(threads),
        _ => None,
    }
}

/// Prints the answers of a JSON Lines file, and reports invalid records.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn run(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    threads: NonZeroUsize,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    input.skip_byte_order_mark();
    let name = input.name().clone();
    let query = LineQuery::new(session, request, printer, InputKind::Jsonl);
    let noted = session.diagnoser().search(query.options()).without_checks();
    let (found, end) = each_batch(
        input,
        threads,
        &noted,
        |batch, records| {
            let mut part = Answers::new(request, printer, &name);
            let mut out = Vec::new();
            let target = &mut Target::Buffer(&mut out);
            let _ = query.run(request, batch, &mut part, target, records)?;
            part.print_rows(true, target)?;
            Ok(SegmentOutput {
                out,
                seen: part.columns_seen(),
                totals: part.take_totals(),
                counts: part.counts,
                warnings: part.warnings,
            })
        },
        |part| {
            session.out.write_all(&part.out).map_err(Failure::Write)?;
            answers.add(&part.counts, part.warnings, part.seen, part.totals)
        },
    )?;
    input.note_end(end);
    session.report_records(input, found).map_err(Failure::Write)
}
