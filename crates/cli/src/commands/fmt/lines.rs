//! JSON Lines: each record is formatted by itself, and an invalid one does not end the run.
//!
//! A batch of whole lines is formatted in memory, as one stream. If that fails, it is formatted line by line, and invalid
//! lines are noted. Standard input is read this way too while its values are one per line.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::atomic::Ordering;

use jsonx_core::{
    LineEnd, Mode, NotCanonical, OnePerLine, Options, Output, RewriteError, RewriteOptions,
    Rewriter, Stop, Validator,
};

use crate::check::lines::{Records, WholeLines, begins_with_lines, filled_lines, spans_lines};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Taken};
use crate::output::TerminalOutput;
use crate::session::Session;

/// How the formatting of an input ended.
pub enum Ended {
    /// All of it was formatted.
    Complete,
    /// From the next byte on it is a stream of values that span lines.
    Stream,
}

/// What a batch turned out to hold.
enum Content {
    Lines,
    /// Values that span lines; nothing was formatted.
    Stream,
}

/// Why reading stopped.
enum Stopped {
    Failed(Failure),
    Stream,
}

impl<F: Into<Failure>> From<F> for Stopped {
    fn from(failure: F) -> Stopped {
        Stopped::Failed(failure.into())
    }
}

/// Formats an input line by line, passes the lines to `print`, with whether more may be long in coming, and reports invalid
/// records.
///
/// # Errors
/// Reading fails; a record has no canonical form; `print` fails.
pub fn format(
    session: &mut Session,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
    mut print: impl FnMut(&mut Session, &[u8], bool) -> Result<(), Failure>,
) -> Result<Ended, Failure> {
    let mut batches = Batches {
        options: session.check_options().engine(InputKind::Json),
        rewrite,
        one_per_line: kind == InputKind::Jsonl,
        formatted: Vec::new(),
        separates: false,
    };
    let noted = session.diagnoser().search(batches.options).without_lints();
    let mut whole = WholeLines::default();
    let mut records: Option<Records> = None;
    let mut origin = None;
    let pauses = input.idle_timeout();
    let ended = loop {
        let read = input.each_chunk(false, |window| -> Result<Taken, Stopped> {
            if records.is_none()
                && !batches.one_per_line
                && !begins_with_lines(window, batches.options)
            {
                return Err(Stopped::Stream);
            }
            let length = whole.length(window);
            let text = &window.bytes()[..length];
            let origin = *origin.get_or_insert(window.offset());
            let records = records.get_or_insert_with(|| Records::new(noted, window.offset()));
            if !text.is_empty() {
                let content = batches.format(text, window.is_last(), records);
                print(session, &batches.formatted, window.is_live())?;
                match content {
                    Ok(Content::Lines) => {}
                    Ok(Content::Stream) => return Err(Stopped::Stream),
                    Err(refusal) => {
                        let start = window.offset() - origin;
                        return Err(Failure::Refused(refusal.moved(start)).into());
                    }
                }
            }
            pauses.store(records.has_findings(), Ordering::Relaxed);
            Ok(Taken {
                bytes: length,
                keep_from: window.offset() + length as u64,
            })
        });
        match read {
            Ok(()) => break Ended::Complete,
            Err(Stopped::Stream) => break Ended::Stream,
            Err(Stopped::Failed(Failure::Read(error)))
                if error.kind() == io::ErrorKind::TimedOut =>
            {
                if let Some(records) = &mut records {
                    let found = records.take();
                    session
                        .report_records(input, found)
                        .map_err(Failure::Write)?;
                }
                pauses.store(false, Ordering::Relaxed);
            }
            Err(Stopped::Failed(failure)) => return Err(failure),
        }
    };
    pauses.store(false, Ordering::Relaxed);
    if let Some(records) = records {
        session
            .report_records(input, records.finish())
            .map_err(Failure::Write)?;
    }
    Ok(ended)
}

/// Formats batches of whole lines.
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
    /// Formats the valid lines of a batch, and notes the others. Before an error it has formatted the lines up to there.
    ///
    /// # Errors
    /// A line has no canonical form; the offset counts from the start of the batch.
    fn format(
        &mut self,
        text: &[u8],
        is_last: bool,
        records: &mut Records,
    ) -> Result<Content, NotCanonical> {
        self.formatted.clear();
        if let Ok(Some(filled)) = self.append(text, Mode::Stream) {
            records.skip(text, filled);
            return Ok(Content::Lines);
        }
        if !self.one_per_line && spans_lines(text, is_last, self.options) {
            return Ok(Content::Stream);
        }
        records.push(text);
        for (at, line) in filled_lines(text) {
            self.append(line, Mode::One)
                .map_err(|refusal| refusal.moved(at as u64))?;
        }
        Ok(Content::Lines)
    }

    /// Appends the formatted text and returns the number of its lines that are not blank; `None` if it is invalid.
    fn append(&mut self, text: &[u8], mode: Mode) -> Result<Option<u64>, NotCanonical> {
        let start = self.formatted.len();
        if self.separates {
            self.formatted
                .extend_from_slice(match self.rewrite.line_end {
                    LineEnd::Lf => b"\n",
                    LineEnd::CrLf => b"\r\n",
                });
        }
        let begin = self.formatted.len();
        let appending = Appending(&mut self.formatted);
        let mut lines = OnePerLine::new(Rewriter::new(self.rewrite, appending));
        let checked = Validator::new(self.options.mode(mode)).check(text, &mut lines);
        let is_accepted = lines.holds() || !self.one_per_line;
        let filled = lines.filled();
        let written = match checked {
            Ok(()) if is_accepted => lines.into_inner().finish().map(|_| Some(filled)),
            Ok(()) | Err(Stop::Invalid(_)) => Ok(None),
            Err(Stop::Sink(error)) => Err(error),
        };
        match written {
            Ok(Some(filled)) if self.formatted.len() > begin => {
                self.separates = !self.formatted.ends_with(b"\n");
                Ok(Some(filled))
            }
            other => {
                self.formatted.truncate(start);
                match other {
                    Ok(filled) => Ok(filled),
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
    let printed = match TerminalOutput::of(&mut session.out, color) {
        Ok(mut guard) => guard.write(formatted),
        Err(out) => out.write_all(formatted),
    };
    let flushed = printed.and_then(|()| match is_live {
        true => session.out.flush(),
        false => Ok(()),
    });
    flushed.map_err(Failure::Write)
}

/// Appends to a buffer.
struct Appending<'b>(&'b mut Vec<u8>);

impl Output for Appending<'_> {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}
