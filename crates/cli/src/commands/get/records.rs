//! JSON Lines in a file, on all processors.
//!
//! ```text
//! file ──► segments, cut behind line feeds ──► worker: check, look up, print into memory ──► output, in order
//! ```
//!
//! Nothing is printed before all is checked, so what the workers have printed is held back until then. Of more output
//! than is worth holding, the file is gone through again.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use jsonx_core::{Answer, Mode, OnePerLine, Output, Query, Validator};

use super::Request;
use super::answers::{Answers, Tally, Warnings};
use super::print::{Printer, Sheet, Show};
use super::text::Text;
use crate::check::InputKind;
use crate::check::{CheckOptions, Failure};
use crate::input::{Input, Spans};
use crate::session::Session;
use crate::threads::{self, in_order};

/// Bytes of a segment: they stay in the second-level cache while they are gone over.
const SEGMENT: u64 = 1 << 20;

/// Files from this size are worth it.
const FROM: u64 = 2 * SEGMENT;

/// Output that is held back.
const HELD: usize = 64 << 20;

/// What a segment holds.
struct Part {
    out: Vec<u8>,
    tallies: Vec<Tally>,
    warnings: Warnings,
}

/// Why a segment was given up.
enum Bad {
    /// Some line is not one value.
    NotLines,
    Failed(Failure),
}

thread_local! {
    /// The bytes of the last segment of this thread: room for the next one.
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Whether an input is one for all processors: places need the lines before them, and a limit the matches.
pub fn is_for(input: &Input, kind: InputKind, request: &Request, printer: &Printer) -> bool {
    kind == InputKind::Jsonl
        && input.is_file()
        && input.length() >= FROM
        && !request.lazy
        && request.limit == u64::MAX
        && printer.show != Show::Locate
}

/// Checks a file of JSON Lines and prints its answers. False when some line is not one value: which, and what is
/// wrong with it, is for others to say.
///
/// # Errors
/// Those of the file and of the output.
pub fn look(
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
        Ok(Part {
            out,
            tallies: part.tallies,
            warnings: part.warnings,
        })
    };

    let mut held: Vec<Vec<u8>> = Vec::new();
    let mut bytes = 0;
    let mut bad = None;
    let checked = in_order(threads, segments()?, work, |part: Result<Part, Bad>| {
        match part {
            Err(why) => {
                bad = Some(why);
                return Err(io::Error::other("given up"));
            }
            Ok(part) => {
                answers.add(&part.tallies, part.warnings);
                bytes += part.out.len();
                if bytes <= HELD {
                    held.push(part.out);
                } else {
                    printing.store(false, Ordering::Relaxed);
                    held = Vec::new();
                }
            }
        }
        Ok(())
    });
    match bad {
        Some(Bad::NotLines) => return Ok(false),
        Some(Bad::Failed(failure)) => return Err(failure),
        None => checked?,
    }
    if bytes <= HELD {
        let mut sheet = Sheet::Out(&mut session.out);
        let written = held.iter().try_for_each(|out| sheet.write(out));
        return written.map(|()| true).map_err(Failure::Write);
    }
    printing.store(true, Ordering::Relaxed);
    let printed = in_order(threads, segments()?, work, |part| match part {
        Ok(part) => Sheet::Out(&mut session.out).write(&part.out),
        Err(why) => {
            bad = Some(why);
            Err(io::Error::other("given up"))
        }
    });
    match bad {
        // It was well a moment ago.
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

/// Looks up what stands in the lines of one segment.
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
    let sheet = &mut Sheet::Kept(out);
    let roots = query.roots();
    for answer in query.answers() {
        match answer {
            Answer::Match(one) => {
                let value = &text[one.start as usize..one.end as usize];
                let taken = answers.take(&one, None, &mut Text::Bytes(value), sheet);
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
    answers.end_roots(roots, sheet).map_err(Bad::Failed)
}

/// Where segments begin and end: each behind a line feed, but the last.
struct Segments<'i> {
    spans: Spans<'i>,
    at: u64,
    end: u64,
}

impl Iterator for Segments<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        /// Bytes in which a line feed is looked for.
        const PIECE: u64 = 4096;

        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let mut from = (start + SEGMENT).min(self.end);
        while from < self.end {
            let to = (from + PIECE).min(self.end);
            // A file that cannot be read here cannot be read by the worker either, who says so.
            let Ok(piece) = self.spans.get(from, to) else {
                break;
            };
            if let Some(at) = memchr::memchr(b'\n', piece) {
                from += at as u64 + 1;
                break;
            }
            from = to;
        }
        self.at = from;
        Some((start, from))
    }
}
