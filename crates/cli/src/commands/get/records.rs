//! JSON Lines files, processed on all cores.
//!
//! ```text
//! file ──► segments, cut after line feeds ──► worker: validate, look up, print to memory ──► output, in order
//! ```

use std::cell::RefCell;
use std::io::{self, Write};

use super::Request;
use super::answers::{Answers, PathCounts, Warnings};
use super::lines::LineQuery;
use super::print::{Printer, Show, Target};
use crate::check::Failure;
use crate::check::InputKind;
use crate::check::lines::{Batch, Found, Records};
use crate::input::{Input, Spans};
use crate::session::Session;
use crate::threads::{self, in_order};

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

thread_local! {
    /// Buffer for the segments of this thread.
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
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
    let content = input.skip_byte_order_mark()?;
    let name = input.name().clone();
    let query = LineQuery::new(session, request, printer, InputKind::Jsonl);
    let noted = session.diagnoser().search(query.options()).without_checks();
    let mut found = Found::default();
    let end = input.length();
    let mut failure = None;
    {
        let input = &*input;
        let work = |(start, end): (u64, u64)| -> Result<SegmentOutput, Failure> {
            let mut spans = spans(input, ROOM.take())?;
            let text = spans.get(start, end)?;
            let mut part = Answers::new(request, printer, &name);
            let mut out = Vec::new();
            let mut records = Records::new(noted.clone(), start);
            let target = &mut Target::Buffer(&mut out);
            let batch = Batch {
                text,
                offset: start,
                is_last: false,
                window: None,
            };
            let _ = query.run(request, batch, &mut part, target, &mut records)?;
            part.print_rows(true, target)?;
            ROOM.set(spans.into_buffer());
            Ok(SegmentOutput {
                out,
                counts: part.counts,
                warnings: part.warnings,
                found: records.finish(),
            })
        };
        let segments = Segments {
            spans: spans(input, Vec::new())?,
            at: content,
            end,
        };
        let printed = in_order(threads::count(), segments, work, |part| {
            let part = part.and_then(|part| {
                session.out.write_all(&part.out).map_err(Failure::Write)?;
                Ok(part)
            });
            match part {
                Ok(part) => {
                    answers.add(&part.counts, part.warnings);
                    found.append(part.found, noted.limit);
                    Ok(())
                }
                Err(why) => {
                    failure = Some(why);
                    Err(io::Error::other("given up"))
                }
            }
        });
        match (failure, printed) {
            (Some(failure), _) => return Err(failure),
            (None, printed) => printed?,
        }
    }
    input.note_end(end);
    session.report_records(input, found).map_err(Failure::Write)
}

fn spans(input: &Input, buffer: Vec<u8>) -> Result<Spans<'_>, Failure> {
    Spans::of(input, buffer).ok_or_else(|| Failure::Read(io::ErrorKind::Unsupported.into()))
}

/// Splits the file into segments. Each ends after a line feed, except the last.
struct Segments<'i> {
    spans: Spans<'i>,
    at: u64,
    end: u64,
}

impl Iterator for Segments<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        /// Number of bytes searched at a time for a line feed.
        const STEP: u64 = 4096;

        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let mut from = (start + SEGMENT).min(self.end);
        while from < self.end {
            let to = (from + STEP).min(self.end);
            // If reading fails here, it fails in the worker too, which reports the error.
            let Ok(bytes) = self.spans.get(from, to) else {
                break;
            };
            if let Some(at) = memchr::memchr(b'\n', bytes) {
                from += at as u64 + 1;
                break;
            }
            from = to;
        }
        self.at = from;
        Some((start, from))
    }
}
