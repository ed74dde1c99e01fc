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
use crate::check::Failure;
use crate::check::InputKind;
use crate::check::lines::{Batch, Found, Records};
use crate::input::{Buffers, Input, Segment, Segments};
use crate::session::Session;
use crate::threads;

/// Length of a segment in bytes, which fits in the L2 cache while it is processed.
const SEGMENT: u64 = 1 << 20;

/// Minimum length of a file for this to pay off.
const MIN_LENGTH: u64 = 2 * SEGMENT;

/// The results of a segment.
struct SegmentOutput {
    out: Vec<u8>,
    counts: Vec<PathCounts>,
    warnings: Warnings,
    found: Found,
}

/// Whether an input can be processed in parallel: positions depend on the lines before, and a limit on the matches
/// before.
pub fn is_for(input: &Input, kind: InputKind, request: &Request, printer: &Printer) -> bool {
    kind == InputKind::Jsonl
        && input.is_file()
        && input.length() >= MIN_LENGTH
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
    let mut found = Found::default();
    let file = Segments::of(input)?;
    let buffers = Buffers::default();
    let work = |segment: Segment<'_>| -> Result<Option<SegmentOutput>, Failure> {
        let Some(lines) = segment.lines()? else {
            return Ok(None);
        };
        let mut buffer = buffers.take();
        let mut part = Answers::new(request, printer, &name);
        let mut out = Vec::new();
        let mut records = Records::new(noted.clone(), lines.start());
        let target = &mut Target::Buffer(&mut out);
        let batch = Batch {
            text: lines.read(&mut buffer)?,
            offset: lines.start(),
            is_last: false,
            window: None,
        };
        let _ = query.run(request, batch, &mut part, target, &mut records)?;
        part.print_rows(true, target)?;
        buffers.put(buffer);
        Ok(Some(SegmentOutput {
            out,
            counts: part.counts,
            warnings: part.warnings,
            found: records.finish(),
        }))
    };
    let segments = file.every(file.start(), SEGMENT);
    let end = file.each(threads::count(), segments, work, |part| {
        if let Some(part) = part? {
            session.out.write_all(&part.out).map_err(Failure::Write)?;
            answers.add(&part.counts, part.warnings);
            found.append(part.found, noted.limit);
        }
        Ok::<_, Failure>(())
    })?;
    input.note_end(end);
    session.report_records(input, found).map_err(Failure::Write)
}
