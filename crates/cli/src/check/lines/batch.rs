//! A range of an input that is processed at once.

use std::ops::ControlFlow;

use jsonx_core::engine::{Mode, OnePerLine, Options, Sink, Stop, Validator, Verdict};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_core::{ErrorKind, SyntaxError};

use super::{Counts, Records, Rest, Run, divide, filled_lines, line_breaks, stream_error};
use crate::check::{Failure, moved};

/// A range of an input that is processed at once.
#[derive(Clone, Copy)]
pub struct Batch<'t> {
    /// Its bytes.
    pub text: &'t [u8],
    /// Offset in the input.
    pub offset: u64,
    /// Lines before it in the text that is processed with it.
    pub line: u64,
    /// Lines with one value each in the input before it, as far as is known; 0 if values span lines.
    pub before: u64,
    /// Offset of the text of the input.
    pub start: u64,
    /// Whether it begins a line.
    pub begins_line: bool,
    /// Whether it ends the input.
    pub is_last: bool,
    /// The options for one value.
    pub options: Options,
    /// A line with several values is invalid.
    pub one_per_line: bool,
    /// As in [`Batching::stops`](super::Batching::stops).
    pub stops: bool,
    /// As in [`Batching::by_values`](super::Batching::by_values).
    pub by_values: bool,
}

/// The reason why a command stops before the end of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Values span lines; nothing was done with the batch.
    SpansLines,
    /// The rest of the input cannot change the output.
    Enough,
    /// A record is broken, which is a finding; nothing is read after it.
    Broken,
}

impl<'t> Batch<'t> {
    /// A part of the batch, which is `at` bytes and `line` lines after its start.
    pub fn part(self, at: usize, text: &'t [u8], line: u64) -> Batch<'t> {
        Batch {
            text,
            begins_line: match at.checked_sub(1) {
                Some(before) => self.text[before] == b'\n',
                None => self.begins_line,
            },
            offset: self.offset + at as u64,
            line: self.line + line,
            ..self
        }
    }

    /// Passes the text to a sink. Returns the sink and what the text has, or `None` if it is invalid.
    ///
    /// # Errors
    /// Errors of the sink.
    pub fn checked<S: Sink>(self, mode: Mode, sink: S) -> Result<Option<(S, Counts)>, S::Error> {
        let mut lines = OnePerLine::new(sink);
        let validator = Validator::new(self.options.mode(mode));
        match validator.check_lines(self.text, &mut lines) {
            Ok(_) if lines.holds() || !self.one_per_line => {}
            Ok(_) | Err(Stop::Invalid(_)) => return Ok(None),
            Err(Stop::Sink(error)) => return Err(error),
        }
        let counts = Counts {
            line_feeds: lines.breaks(),
            records: lines.values(),
        };
        Ok(Some((lines.into_inner(), counts)))
    }

    /// Passes on the records of whole lines: all at once, as a stream, if they are valid; otherwise line by line or, if values may
    /// span lines, in runs of valid ones; with [`Batch::stops`], those before the first error. `process` returns what a text has, or
    /// `None` if it is invalid. Passes all to `records`, and returns the number of bytes processed.
    ///
    /// # Errors
    /// Errors of `process`; with [`Batch::stops`], the first error.
    pub fn each_valid(
        self,
        records: &mut Records,
        mut process: impl FnMut(Batch<'t>, Mode) -> Result<Option<Counts>, Failure>,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        let text = self.text;
        if let Some(counts) = process(self, Mode::Stream)? {
            records.skip(text, counts, self.before);
            return Ok(ControlFlow::Continue(text.len()));
        }
        if self.stops {
            let (length, error) = self.whole_values(records.take_several());
            let values = &text[..length];
            let counts = process(self.part(0, values, 0), Mode::Stream)?;
            records.skip(values, counts.unwrap_or_default(), self.before);
            return match error {
                Some(error) => Err(error),
                None => Ok(ControlFlow::Continue(length)),
            };
        }
        let (mut line, mut counted) = (0, 0);
        let mut part = |at, part| {
            line += line_breaks(&text[counted..at]);
            counted = at;
            self.part(at, part, line)
        };
        if self.one_per_line {
            records.push(text);
            for (at, line) in filled_lines(text) {
                let line = part(at, line);
                if process(line, Mode::One)?.is_none() && records.take_several() {
                    let several = Batch {
                        one_per_line: false,
                        ..line
                    };
                    process(several, Mode::Stream)?;
                }
            }
            return Ok(ControlFlow::Continue(text.len()));
        }
        let mut at = 0;
        let rest = divide(text, self.is_last, self.before, self.options, |run| {
            at += match run {
                Run::Values(values) => {
                    let counts = process(part(at, values), Mode::Stream)?;
                    records.skip(values, counts.unwrap_or_default(), self.before);
                    values.len()
                }
                Run::Broken(line) => {
                    records.push(line);
                    line.len()
                }
            };
            Ok::<_, Failure>(())
        })?;
        Ok(match rest {
            Some((left, Rest::SpansLines)) if left == text.len() => {
                ControlFlow::Break(Early::SpansLines)
            }
            rest => ControlFlow::Continue(text.len() - rest.map_or(0, |(left, _)| left)),
        })
    }

    /// The length of the whole values, or of their whole lines, before the first error or an incomplete value, and the error. With
    /// `takes_several`, the values before an error on its line are whole.
    fn whole_values(self, takes_several: bool) -> (usize, Option<Failure>) {
        if self.one_per_line {
            for (at, line) in filled_lines(self.text) {
                if let Err(error) = Validator::new(self.options).check(line, Verdict) {
                    return (at, Some(moved(error.into(), self.offset + at as u64)));
                }
            }
            return (self.text.len(), None);
        }
        let Some(error) = stream_error(self.text, self.options) else {
            return (self.text.len(), None);
        };
        let at = error.offset as usize;
        let is_incomplete = error.kind == ErrorKind::UnexpectedEnd && at == self.text.len();
        let is_error = self.is_last || !is_incomplete;
        let error = is_error.then(|| moved(Failure::Invalid(error), self.offset));
        let before = &self.text[..at];
        let length = match self.by_values || is_error && takes_several {
            true => whole_values(before, self.options).unwrap_or_default(),
            false => whole_lines_length(before, self.options),
        };
        (length, error)
    }
}

/// The spans of the values in a stream; `query` has read it.
pub fn roots(query: &mut Query) -> Vec<(usize, usize)> {
    let spans = query.answers().filter_map(|answer| match answer {
        Answer::Match(one) => Some((one.start as usize, one.end as usize)),
        Answer::Missing { .. } => None,
    });
    spans.collect()
}

/// A query of the values in a stream.
pub fn query_of_roots() -> Query {
    let root = Path::parse(".").expect("a path");
    Query::new(&[root], QueryOptions::default())
}

/// The length of the whole values at the start of a stream that may end anywhere, and of the white space after them.
///
/// # Errors
/// The text is no start of a stream.
pub fn whole_values(text: &[u8], options: Options) -> Result<usize, SyntaxError> {
    let mut query = query_of_roots();
    let mut validator = Validator::new(options.mode(Mode::Stream));
    let written = validator.write(text, &mut query);
    match written.and_then(|()| validator.flush(&mut query)) {
        Ok(()) => {}
        Err(Stop::Invalid(error)) => return Err(error),
        Err(Stop::Sink(_)) => {}
    }
    let end = roots(&mut query).last().map_or(0, |&(_, end)| end);
    let blank = text[end..].iter();
    let blank = blank.take_while(|byte| byte.is_ascii_whitespace());
    Ok(end + blank.count())
}

/// The length of the lines of whole values at the start of a stream that is valid, but may end anywhere.
fn whole_lines_length(text: &[u8], options: Options) -> usize {
    let lines = &text[..memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)];
    let mut query = query_of_roots();
    let mut validator = Validator::new(options.mode(Mode::Stream));
    let written = validator.write(lines, &mut query);
    if written.and_then(|()| validator.flush(&mut query)).is_err() {
        return 0;
    }
    let values = roots(&mut query);
    let last = values.last().map_or(0, |&(_, end)| end);
    let blank = lines[last..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    let mut next = last + blank.count();
    for (start, end) in values.into_iter().rev() {
        if let Some(at) = memchr::memrchr(b'\n', &lines[end..next]) {
            return end + at + 1;
        }
        next = start;
    }
    memchr::memrchr(b'\n', &lines[..next]).map_or(0, |at| at + 1)
}
