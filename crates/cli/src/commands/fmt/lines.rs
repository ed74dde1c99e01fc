//! JSON Lines: each record is formatted separately, and an invalid record does not end the run.
//!
//! A batch of whole lines is formatted in memory, as one stream. If that fails, it is formatted line by line, and invalid lines
//! are noted. A long file is divided among all threads. Standard input is read this way too, as long as it has one value per
//! line.

use std::convert::Infallible;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use jsonx_core::engine::{Mode, OnePerLine, Options, Stop, Validator};
use jsonx_core::format::{LineEnd, NotCanonical, Output, RewriteError, RewriteOptions, Rewriter};

use crate::check::lines::file::each_batch as each_batch_of_file;
use crate::check::lines::{
    Batch, Batching, Consumer, Early, LineFindings, Records, Run, Search, divide, each_batch,
    filled_lines, line_feeds,
};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Strategy, Task};
use crate::output::TerminalOutput;
use crate::session::Session;

/// Formats an input line by line, passes the lines to `print`, with whether more may be long in coming, and reports invalid
/// records. Standard input may turn out to have values that span lines; then the rest is left to the caller.
///
/// # Errors
/// Reading fails; a record has no canonical form; `print` fails.
pub fn format(
    session: &mut Session,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
    print: impl FnMut(&mut Session, &[u8], bool) -> Result<(), Failure>,
) -> Result<ControlFlow<Early>, Failure> {
    let options = session.check_options().engine(InputKind::Json);
    let batches = Batches {
        options,
        rewrite,
        one_per_line: kind == InputKind::Jsonl,
        formatted: Vec::new(),
        separates: false,
    };
    let search = session.diagnoser().search(options).without_checks();
    // If all findings are wanted, they are reported on the way, so that memory does not depend on their number.
    if let Strategy::Segments(threads) = input.strategy(kind.text(), Task::Format)
        && search.limit > 0
    {
        return in_segments(session, input, threads, &search, &batches, print);
    }
    let batching = Batching {
        search,
        whole_lines: true,
        may_span_lines: !batches.one_per_line,
        positions: false,
        reports_early: true,
    };
    let mut printing = Printing {
        session,
        batches,
        print,
        origin: None,
    };
    let (ended, found) = each_batch(input, batching, &mut printing)?;
    session
        .report_records(input, found)
        .map_err(Failure::Write)?;
    Ok(ended)
}

/// The same for a file of JSON Lines.
fn in_segments(
    session: &mut Session,
    input: &mut Input,
    threads: NonZeroUsize,
    search: &Search,
    batches: &Batches,
    mut print: impl FnMut(&mut Session, &[u8], bool) -> Result<(), Failure>,
) -> Result<ControlFlow<Early>, Failure> {
    input.skip_byte_order_mark();
    let origin = input.text_start();
    let mut separates = false;
    let (found, end) = each_batch_of_file(
        input,
        threads,
        search,
        |batch, records| Ok(batches.part(batch, origin, records)),
        |part| part.join(batches, &mut separates, |text| print(session, text, false)),
    )?;
    input.note_end(end);
    session
        .report_records(input, found)
        .map_err(Failure::Write)?;
    Ok(ControlFlow::Continue(()))
}

/// Formats batches, and prints each as it comes.
struct Printing<'s, P> {
    session: &'s mut Session,
    batches: Batches,
    print: P,
    /// Offset of the text in the input.
    origin: Option<u64>,
}

impl<P: FnMut(&mut Session, &[u8], bool) -> Result<(), Failure>> Consumer for Printing<'_, P> {
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        let origin = *self.origin.get_or_insert(batch.offset);
        let flow = self.batches.format(batch.text, batch.is_last, records);
        let is_live = batch.window.is_some_and(|window| window.is_live());
        (self.print)(self.session, &self.batches.formatted, is_live)?;
        flow.map_err(|refusal| Failure::Refused(refusal.moved(batch.offset - origin)))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        self.session.report_records(input, found)
    }
}

/// The output of one of several threads.
struct Part {
    formatted: Vec<u8>,
    /// The reason why the output is incomplete.
    refused: Option<NotCanonical>,
}

impl Part {
    /// Prints it. `separates` is whether something must come before the next value.
    fn join(
        self,
        batches: &Batches,
        separates: &mut bool,
        mut print: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if *separates && !self.formatted.is_empty() {
            print(batches.line_end())?;
        }
        print(&self.formatted)?;
        if let Some(&last) = self.formatted.last() {
            *separates = last != b'\n';
        }
        self.refused
            .map_or(Ok(()), |refusal| Err(Failure::Refused(refusal)))
    }
}

/// Formats batches of whole lines.
#[derive(Clone)]
struct Batches {
    /// Options for one value.
    options: Options,
    rewrite: RewriteOptions,
    /// A line with several values is invalid.
    one_per_line: bool,
    /// The formatted lines of a batch.
    formatted: Vec<u8>,
    /// There is no newline at the end, only between values.
    separates: bool,
}

impl Batches {
    /// The separator between two values.
    fn line_end(&self) -> &'static [u8] {
        match self.rewrite.line_end {
            LineEnd::Lf => b"\n",
            LineEnd::CrLf => b"\r\n",
        }
    }

    /// Formats a batch for its turn, in a text that starts at `origin`.
    fn part(&self, batch: Batch<'_>, origin: u64, records: &mut Records) -> Part {
        let mut batches = self.clone();
        let formatted = batches.format(batch.text, batch.is_last, records);
        let refused = formatted.map_err(|refusal| refusal.moved(batch.offset - origin));
        Part {
            formatted: batches.formatted,
            refused: refused.err(),
        }
    }

    /// Formats the valid lines of a batch, and notes the others. Before an error it has formatted the lines up to there.
    ///
    /// # Errors
    /// A line has no canonical form; the offset counts from the start of the batch.
    fn format(
        &mut self,
        text: &[u8],
        is_last: bool,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, NotCanonical> {
        self.formatted.clear();
        if let Ok(Some((line_feeds, filled))) = self.append(text, Mode::Stream) {
            records.skip(text, line_feeds, filled);
            return Ok(ControlFlow::Continue(text.len()));
        }
        if self.one_per_line {
            records.push(text);
            for (at, line) in filled_lines(text) {
                self.append(line, Mode::One)
                    .map_err(|refusal| refusal.moved(at as u64))?;
            }
            return Ok(ControlFlow::Continue(text.len()));
        }
        let mut at = 0;
        let rest = divide(text, is_last, self.options, |run| {
            let length = match run {
                Run::Values(values) => {
                    let formatted = self.append(values, Mode::Stream);
                    let counts = formatted.map_err(|refusal| refusal.moved(at))?;
                    let (line_feeds, filled) = counts.unwrap_or_else(|| (line_feeds(values), 0));
                    records.skip(values, line_feeds, filled);
                    values.len()
                }
                Run::Broken(line) => {
                    records.push(line);
                    line.len()
                }
            };
            at += length as u64;
            Ok(())
        })?;
        Ok(Early::of_rest(rest, text.len()))
    }

    /// Appends the formatted text. Returns the number of line feeds, and of lines that are not blank; `None` if it is invalid.
    fn append(&mut self, text: &[u8], mode: Mode) -> Result<Option<(u64, u64)>, NotCanonical> {
        let start = self.formatted.len();
        if self.separates {
            self.formatted.extend_from_slice(self.line_end());
        }
        let begin = self.formatted.len();
        let formatted: &mut dyn Output<Error = Infallible> = &mut self.formatted;
        let mut lines = OnePerLine::new(Rewriter::new(self.rewrite, formatted));
        let checked = Validator::new(self.options.mode(mode)).check(text, &mut lines);
        let is_accepted = lines.holds() || !self.one_per_line;
        let counts = (lines.breaks(), lines.filled());
        let written = match checked {
            Ok(()) if is_accepted => lines.into_inner().finish().map(|_| Some(counts)),
            Ok(()) | Err(Stop::Invalid(_)) => Ok(None),
            Err(Stop::Sink(error)) => Err(error),
        };
        match written {
            Ok(Some(counts)) if self.formatted.len() > begin => {
                self.separates = !self.formatted.ends_with(b"\n");
                Ok(Some(counts))
            }
            other => {
                self.formatted.truncate(start);
                match other {
                    Ok(counts) => Ok(counts),
                    Err(RewriteError::NotCanonical(refusal)) => Err(refusal),
                    Err(_) => Ok(None),
                }
            }
        }
    }
}

/// Prints formatted lines; on a terminal, with control characters escaped. Flushes them if more may be long in coming.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(session: &mut Session, formatted: &[u8], is_live: bool) -> Result<(), Failure> {
    let color = session.color();
    let printed = TerminalOutput::any(&mut session.out, color).write(formatted);
    let flushed = printed.and_then(|()| match is_live {
        true => session.out.flush(),
        false => Ok(()),
    });
    flushed.map_err(Failure::Write)
}
