//! The last step: white space.

use super::escape::Escaping;
use super::line_end::LineEnds;
use crate::format::{Fitted, Formatter, Output};
use crate::token::{Chunk, Interest, Mode, Sink};

/// The output, behind the changes that bytes are enough for.
pub(super) type Written<O> = Escaping<LineEnds<O>>;

/// A sink that writes white space as it was asked for.
#[derive(Debug)]
pub(super) enum Layout<O> {
    /// Compact, or one element a line.
    Lines(Formatter<Written<O>>),
    /// One line where it fits.
    Fitted(Fitted<Written<O>>),
}

impl<O: Output> Layout<O> {
    pub(super) fn output(&mut self) -> &mut O {
        let written = match self {
            Layout::Lines(formatter) => formatter.output(),
            Layout::Fitted(fitted) => fitted.output(),
        };
        written.output().output()
    }

    /// Ends the line of a value at the root that is complete.
    pub(super) fn end_line(&mut self) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.end_line(),
            Layout::Fitted(fitted) => fitted.end_line(),
        }
    }

    pub(super) fn flush(&mut self) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.flush(),
            Layout::Fitted(fitted) => fitted.flush(),
        }
    }

    pub(super) fn finish(self) -> Result<O, O::Error> {
        let written = match self {
            Layout::Lines(formatter) => formatter.finish(),
            Layout::Fitted(fitted) => fitted.finish(),
        };
        Ok(written?.into_output().into_output())
    }
}

impl<O: Output> Sink for Layout<O> {
    type Error = O::Error;

    #[inline]
    fn interest(&self, mode: Mode) -> Interest {
        match self {
            Layout::Lines(formatter) => formatter.interest(mode),
            Layout::Fitted(fitted) => fitted.interest(mode),
        }
    }

    #[inline]
    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.chunk(chunk),
            Layout::Fitted(fitted) => fitted.chunk(chunk),
        }
    }
}
