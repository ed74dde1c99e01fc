//! The records of JSON Lines and of streams, on several threads.
//!
//! ```text
//! batch of lines ──► worker: verify ──► run the program, if it sees one record at a time ──► results and messages ─┐
//!                      │                    └─ too deep, or too many results ─┐                                   ├─► interpreter,
//!                      │                                                      ▼                                   │   in order
//!                      └────── otherwise ───────────────────────────────► verified texts ─────────────────────────┘
//!
//! The paths that a program reads are known ──► projection.rs: only these values; a record that it passes on is printed from its text
//! ```

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use jsonx_core::engine::Mode;
use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_jq::{IndexedText, TextBytes};

use super::flush;
use super::jobs::{Job, Ran};
use super::projection::Record;
use super::settings::STDIN;
use super::worker::{self, Compiled, Shared, Worker};
use crate::check::Failure;
use crate::check::lines::{
    Batch, Collector, Counts, Early, Flow, Handler, LineFindings, Records, Search, are_lines,
    begins_with_lines, line_breaks, line_feeds, whole_values,
};
use crate::input::Input;
use crate::messages;
use crate::report::escape;
use crate::session::Session;

/// Verifies the records of batches, and runs a program for each.
pub struct Running<'a> {
    /// Whether the program sees one record at a time.
    pub is_for_each: bool,
    pub shared: Shared<'a>,
    pub search: Search,
    /// Whether the input begins with records on lines, for advice.
    pub is_log: AtomicBool,
}

/// The texts of batches, with the line on which each begins, or the results for them.
#[derive(Default)]
pub struct Part {
    texts: Vec<(IndexedText, u64)>,
    ran: Option<worker::Part>,
    /// Bytes that are not UTF-8 were replaced.
    is_replaced: bool,
}

impl Handler for Running<'_> {
    type Part = Part;

    fn begin(&self) -> Part {
        Part::default()
    }

    fn batch(
        &self,
        batch: Batch<'_>,
        records: &mut Records,
        part: &mut Part,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        if batch.offset <= batch.start && begins_with_records(batch) {
            self.is_log.store(true, Ordering::Relaxed);
        }
        let flow = self.run(batch, records, part);
        if !batch.stops {
            return flow;
        }
        if !is_not_utf8(&flow) {
            return self.reported(flow, batch, records);
        }
        // As in jq, U+FFFD takes the place of bytes that are not UTF-8. A character may be cut off.
        let end = match str::from_utf8(batch.text) {
            Err(error) if error.error_len().is_none() && !batch.is_last => error.valid_up_to(),
            _ => batch.text.len(),
        };
        let text = String::from_utf8_lossy(&batch.text[..end]);
        let whole = match batch.is_last {
            true => text.len(),
            // A number may go on.
            false => whole_values(text.as_bytes(), batch.options).unwrap_or(text.len()),
        };
        *part = Part {
            is_replaced: true,
            ..Part::default()
        };
        *records = Records::new(self.search.clone(), batch.offset);
        let replaced = Batch {
            text: &text.as_bytes()[..whole],
            ..batch
        };
        let origin = |length| length_before(batch.text, length);
        match self.run(replaced, records, part) {
            Ok(ControlFlow::Continue(length)) => Ok(ControlFlow::Continue(origin(length))),
            Err(Failure::Invalid(error)) => {
                let offset = batch.offset + origin((error.offset - batch.offset) as usize) as u64;
                Err(Failure::Invalid(SyntaxError { offset, ..error }))
            }
            other => other,
        }
    }
}

fn is_not_utf8(flow: &Result<ControlFlow<Early, usize>, Failure>) -> bool {
    matches!(flow, Err(Failure::Invalid(error)) if error.kind == ErrorKind::InvalidUtf8)
}

/// The length of the bytes that this many bytes have come from by replacement.
pub fn length_before(text: &[u8], replaced: usize) -> usize {
    let (mut length, mut left) = (0, replaced);
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid().len();
        if left <= valid {
            return length + left;
        }
        length += valid + chunk.invalid().len();
        left = (left - valid).saturating_sub(char::REPLACEMENT_CHARACTER.len_utf8());
    }
    length
}

impl Running<'_> {
    /// The error of a record on a line of a log is a finding with its number; `records` has the records before it.
    fn reported(&self, flow: Flow, batch: Batch<'_>, records: &mut Records) -> Flow {
        let Err(Failure::Invalid(error)) = &flow else {
            return flow;
        };
        let start = (records.offset() - batch.offset) as usize;
        let rest = &batch.text[start..];
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let begins_line = batch.part(start, rest, 0).begins_line;
        let is_alone = error.offset - batch.offset < (start + end) as u64 || end == rest.len();
        // The records of a pipe that came one by one are a log, too.
        let is_next = records.offset() > batch.start && matches!(rest.first(), Some(b'{' | b'['));
        let is_log = is_next || batch.before >= 2 || self.is_log.load(Ordering::Relaxed);
        if !(begins_line && is_alone && is_log) {
            return flow;
        }
        records.push(&rest[..end]);
        Ok(ControlFlow::Break(Early::Broken))
    }

    fn run(
        &self,
        batch: Batch<'_>,
        records: &mut Records,
        part: &mut Part,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        if self.is_for_each {
            let mut worker = Worker::new(Compiled::for_thread(self.shared.source), self.shared);
            let flow = batch.each_valid(records, |batch, mode| {
                let projected = projected(&mut worker, batch, mode);
                Ok(projected.or_else(|| {
                    let (text, counts) = verified(batch, b"", mode)?;
                    worker.text(text, Some(batch.line));
                    Some(counts)
                }))
            });
            part.ran = Some(worker.finish()).filter(|ran| !ran.is_given_up);
            if part.ran.is_some() {
                return flow;
            }
            // The interpreter runs it.
            *records = Records::new(self.search.clone(), batch.offset);
        }
        batch.each_valid(records, |values, mode| {
            let end = (values.offset - batch.offset) as usize + values.text.len();
            // For `input_line_number`, an error leaves the last line whole.
            let line_end = match memchr::memchr(b'\n', &batch.text[end..]) {
                Some(_) => &b"\n"[..],
                None => b"",
            };
            Ok(verified(values, line_end, mode).map(|(text, counts)| {
                part.texts.push((text, values.line));
                counts
            }))
        })
    }
}

/// Whether a text begins with records on lines, also after other text.
fn begins_with_records(batch: Batch<'_>) -> bool {
    let Batch {
        text,
        is_last,
        options,
        ..
    } = batch;
    begins_with_lines(text, is_last, options) == Some(true)
        || are_lines(text, is_last, options, true) == Some(true)
}

/// Verifies the records of a batch, with a line end after them.
fn verified(batch: Batch<'_>, line_end: &[u8], mode: Mode) -> Option<(IndexedText, Counts)> {
    let text = TextBytes::Owned([batch.text, line_end].concat());
    let text = IndexedText::new(text, batch.options.mode(mode)).ok()?;
    let is_accepted = !batch.one_per_line || text.has_one_value_per_line();
    let counts = Counts {
        line_feeds: line_feeds(batch.text),
        records: text.count(),
    };
    is_accepted.then_some((text, counts))
}

/// Runs the program for the records of a batch, reduced to the values that it reads if possible.
fn projected(worker: &mut Worker<'_>, batch: Batch<'_>, mode: Mode) -> Option<Counts> {
    let compiled = worker.compiled();
    let projection = compiled
        .projection
        .as_ref()
        .filter(|_| mode == Mode::Stream)?;
    let projected = projection.of_lines(batch.text, batch.options)?;
    let counts = Counts {
        line_feeds: projected.line_feeds,
        records: projected.records.len() as u64,
    };
    let text = batch.text;
    worker.see_text(text, batch.options);
    let (mut line, mut counted) = (0, 0);
    let begin =
        |record: Record| memchr::memrchr(b'\n', &text[..record.within]).map_or(0, |at| at + 1);
    let text_of = |_, record| {
        let rest = &text[begin(record)..];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    };
    worker.projected(&projected, batch.options, text_of, |record| {
        let from = begin(record);
        line += line_breaks(&text[counted..from]);
        counted = from;
        Some(batch.line + line)
    });
    Some(counts)
}

/// Warns that bytes of an input are not UTF-8.
pub fn warn_of_replaced(name: Option<&str>) {
    let name = escape(name.unwrap_or(STDIN));
    messages::line(&format!(
        "jsonx jq: warning: {name}: not UTF-8; each invalid byte becomes U+FFFD"
    ));
}

/// Passes the results on to the interpreter.
pub struct Sending<'s> {
    pub session: &'s mut Session,
    pub jobs: &'s SyncSender<Job>,
    pub name: Option<String>,
    /// The number of lines before the first record.
    pub line: u64,
    /// The warning about replaced bytes has been printed.
    pub is_warned: bool,
}

impl Collector for Sending<'_> {
    type Part = Part;

    fn join(&mut self, part: &mut Part, line: u64, _: bool) -> Result<ControlFlow<()>, Failure> {
        let (name, line) = (&self.name, self.line + line);
        if part.is_replaced && !std::mem::replace(&mut self.is_warned, true) {
            warn_of_replaced(name.as_deref());
        }
        let ran = part.ran.take().map(|part| {
            Job::Ran(Box::new(Ran {
                part,
                name: name.clone(),
                line,
                elements: None,
            }))
        });
        let texts = part.texts.drain(..).map(|(text, within)| Job::Text {
            text,
            name: name.clone(),
            line: line + within,
        });
        for job in ran.into_iter().chain(texts) {
            if self.jobs.send(job).is_err() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        if flush(self.jobs) {
            self.session.report_records(input, found)
        } else {
            Ok(())
        }
    }
}
