//! A range of an input that is processed at once.

use std::ops::ControlFlow;

use jsonx_core::engine::{Mode, Options};

use super::{Counts, Records, Rest, Run, divide, filled_lines, line_breaks};
use crate::check::Failure;

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
    /// Whether it ends the input.
    pub is_last: bool,
    /// The options for one value.
    pub options: Options,
    /// A line with several values is invalid.
    pub one_per_line: bool,
}

/// The reason why a command stops before the end of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Values span lines; nothing was done with the batch.
    SpansLines,
    /// The rest of the input cannot change the output.
    Enough,
}

impl<'t> Batch<'t> {
    /// A part of the batch, which is `at` bytes and `line` lines after its start.
    pub fn part(self, at: usize, text: &'t [u8], line: u64) -> Batch<'t> {
        Batch {
            text,
            offset: self.offset + at as u64,
            line: self.line + line,
            ..self
        }
    }

    /// Passes on the records of whole lines: all at once, as a stream, if they are valid; otherwise line by line or, if values may
    /// span lines, in runs of valid ones. `process` returns what a text has, or `None` if it is invalid. Passes all to `records`, and
    /// returns the number of bytes processed.
    ///
    /// # Errors
    /// Errors of `process`.
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
}
