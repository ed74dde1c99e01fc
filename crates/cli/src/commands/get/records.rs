//! JSON Lines files, processed on all cores.
//!
//! ```text
//! file ──► segments, cut after line feeds ──► worker: validate, look up, print to memory ──► output, in order
//! ```

use std::io::Write;

use super::Request;
use super::answers::{Answers, PathCounts, Warnings};
use super::lines::LineQuery;
use super::print::{Printer, Show, Target};
use crate::check::lines::file::{each_batch, pays_in_batches};
use crate::check::{Failure, InputKind};
use crate::input::Input;
use crate::session::Session;

/// The results of a segment.
struct SegmentOutput {
    out: Vec<u8>,
    counts: Vec<PathCounts>,
    warnings: Warnings,
}

/// Whether an input can be processed in parallel: positions depend on the lines before, and a limit on the matches
/// before.
pub fn is_for(input: &Input, kind: InputKind, request: &Request, printer: &Printer) -> bool {
    kind == InputKind::Jsonl
        && pays_in_batches(input)
        && !request.lazy
        && request.limit == u64::MAX
        && printer.show != Show::Locate
        && !request.has_table()
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
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    input.skip_byte_order_mark()?;
    let name = input.name().clone();
    let query = LineQuery::new(session, request, printer, InputKind::Jsonl);
    let noted = session.diagnoser().search(query.options()).without_checks();
    let (found, end) = each_batch(
        input,
        &noted,
        |batch, records| {
            let mut part = Answers::new(request, printer, &name);
            let mut out = Vec::new();
            let target = &mut Target::Buffer(&mut out);
            let _ = query.run(request, batch, &mut part, target, records)?;
            part.print_rows(true, target)?;
            Ok(SegmentOutput {
                out,
                counts: part.counts,
                warnings: part.warnings,
            })
        },
        |part| {
            session.out.write_all(&part.out).map_err(Failure::Write)?;
            answers.add(&part.counts, part.warnings);
            Ok(())
        },
    )?;
    input.note_end(end);
    session.report_records(input, found).map_err(Failure::Write)
}
