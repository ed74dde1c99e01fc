//! JSON Lines files, processed on all cores.
//!
//! ```text
//! file ──► segments, cut after line feeds ──► worker: validate, look up, print to memory ──► output, in order
//! ```
//!
//! Nothing is printed before the whole file is validated, so the output of the workers is buffered until then. If it
//! exceeds the buffer, the file is processed again.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use jsonx_core::{Answer, Mode, OnePerLine, Output, Query, Validator};

use super::Request;
use super::answers::{Answers, Tally, Warnings};
use super::print::{Printer, Show, Target};
use super::text::Text;
use crate::check::InputKind;
use crate::check::{CheckOptions, Failure};
use crate::input::{Input, Spans};
use crate::session::Session;
use crate::threads::{self, in_order};

/// Length of a segment in bytes, which fits in the L2 cache while it is processed.
const SEGMENT: u64 = 1 << 20;

/// Minimum length of a file for this to pay off.
const MIN_LENGTH: u64 = 2 * SEGMENT;

/// Maximum length of the buffered output.
const MAX_BUFFERED: usize = 64 << 20;

/// The results of a segment.
struct SegmentOutput {
    out: Vec<u8>,
    tallies: Vec<Tally>,
    warnings: Warnings,
}

/// Why processing a segment failed.
enum Bad {
    /// A line is not exactly one value.
    NotLines,
    Failed(Failure),
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
}

/// Validates a JSON Lines file and prints its answers. Returns false if a line is not exactly one value; the caller
/// finds which line, and the error.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn run(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    answers: &mut Answers<'_>,
) -> Result<bool, Failure> {
    let threads = threads::count();
    let content = input.skip_byte_order_mark()?;
    let input = &*input;
    let segments = || -> Result<Segments<'_>, Failure> {
        Ok(Segments {
            spans: spans(input, Vec::new())?,
            at: content,
            end: input.length(),
        })
    };
    let check_options = session.check_options();
    let printing = AtomicBool::new(true);
    let name = input.name().clone();
    let work = |(start, end): (u64, u64)| {
        let mut spans = spans(input, ROOM.take()).map_err(Bad::Failed)?;
        let text = spans.get(start, end).map_err(|e| Bad::Failed(e.into()))?;
        let mut part = Answers::new(request, printer, &name);
        let mut out = Vec::new();
        segment(
            check_options,
            request,
            printer,
            text,
            start,
            &mut part,
            &mut out,
        )?;
        if !printing.load(Ordering::Relaxed) {
            out = Vec::new();
        }
        ROOM.set(spans.into_buffer());
        Ok(SegmentOutput {
            out,
            tallies: part.tallies,
            warnings: part.warnings,
        })
    };

    let mut held: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    let mut bad = None;
    let checked = in_order(
        threads,
        segments()?,
        work,
        |part: Result<SegmentOutput, Bad>| {
            match part {
                Err(why) => {
                    bad = Some(why);
                    return Err(io::Error::other("given up"));
                }
                Ok(part) => {
                    answers.add(&part.tallies, part.warnings);
                    bytes += part.out.len();
                    if bytes <= MAX_BUFFERED {
                        held.push(part.out);
                    } else {
                        printing.store(false, Ordering::Relaxed);
                        held = Vec::new();
                    }
                }
            }
            Ok(())
        },
    );
    match bad {
        Some(Bad::NotLines) => return Ok(false),
        Some(Bad::Failed(failure)) => return Err(failure),
        None => checked?,
    }
    if bytes <= MAX_BUFFERED {
        let mut target = Target::Stdout(&mut session.out);
        let written = held.iter().try_for_each(|out| target.write(out));
        return written.map(|()| true).map_err(Failure::Write);
    }
    printing.store(true, Ordering::Relaxed);
    let printed = in_order(threads, segments()?, work, |part| match part {
        Ok(part) => Target::Stdout(&mut session.out).write(&part.out),
        Err(why) => {
            bad = Some(why);
            Err(io::Error::other("given up"))
        }
    });
    match bad {
        // The first pass found no error.
        Some(Bad::NotLines) => Err(Failure::Read(changed())),
        Some(Bad::Failed(failure)) => Err(failure),
        None => printed.map(|()| true).map_err(Failure::Write),
    }
}

fn changed() -> io::Error {
    io::Error::other("the file was changed while it was being read")
}

fn spans(input: &Input, buffer: Vec<u8>) -> Result<Spans<'_>, Failure> {
    Spans::of(input, buffer).ok_or_else(|| Failure::Read(io::ErrorKind::Unsupported.into()))
}

/// Looks up the paths in the lines of one segment.
fn segment(
    check_options: CheckOptions,
    request: &Request,
    printer: &Printer,
    text: &[u8],
    offset: u64,
    answers: &mut Answers<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Bad> {
    let query = Query::new(&request.paths, request.query_options(printer.with_path));
    let mut lines = OnePerLine::new(query);
    let options = check_options.engine(InputKind::Jsonl).mode(Mode::Stream);
    let checked = Validator::new(options).check(text, &mut lines);
    if checked.is_err() || !lines.holds() {
        return Err(Bad::NotLines);
    }
    let mut query = lines.into_inner();
    query.end();
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let target = &mut Target::Buffer(out);
    let roots = query.roots();
    for answer in query.answers() {
        match answer {
            Answer::Match(one) => {
                let value = &text[one.start as usize..one.end as usize];
                let taken = answers.take(&one, None, &mut Text::Bytes(value), target);
                taken.map_err(Bad::Failed)?;
            }
            Answer::Missing {
                path, mut missing, ..
            } => {
                missing.start += offset;
                missing.end += offset;
                answers.miss(path, missing, || None);
            }
        }
    }
    answers.end_roots(roots, target).map_err(Bad::Failed)
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
