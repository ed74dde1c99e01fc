//! The last steps: white space, then changes of bytes.

use super::line_end::LineEnds;
use crate::format::escape::Escaping;
use crate::format::{Formatter, Output, Prettier};
use crate::token::{Chunk, Interest, Mode, Sink};

/// The output, through layers for escapes and line ends.
pub(super) type BytesLayer<O> = Escaping<LineEnds<O>>;

/// A sink that writes the white space of the options.
#[derive(Debug)]
pub(super) enum Layout<O> {
    /// Compact, or one element per line.
    Lines(Formatter<BytesLayer<O>>),
    /// Arrays and objects that fit are on one line, or comments are kept.
    Prettier(Box<Prettier<BytesLayer<O>>>),
}

impl<O: Output> Layout<O> {
    pub(super) fn output(&mut self) -> &mut O {
        let layer = match self {
            Layout::Lines(formatter) => formatter.output(),
            Layout::Prettier(prettier) => prettier.output(),
        };
        layer.output().output()
    }

    /// Ends the line of a complete value at the root.
    pub(super) fn end_line(&mut self) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.end_line(),
            // A comment may follow on the line.
            Layout::Prettier(prettier) if prettier.is_plain_commented() => Ok(()),
            Layout::Prettier(prettier) => prettier.end_line(),
        }
    }

    pub(super) fn flush(&mut self) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.flush(),
            Layout::Prettier(prettier) => prettier.flush(),
        }
    }

    /// Writes the decided text, including a final line feed.
    pub(super) fn pause(mut self) -> Result<O, O::Error> {
        self.flush()?;
        let mut line_ends = match self {
            Layout::Lines(formatter) => formatter.into_output().into_output(),
            Layout::Prettier(prettier) => prettier.finish()?.into_output(),
        };
        line_ends.release()?;
        Ok(line_ends.into_output())
    }

    pub(super) fn finish(self) -> Result<O, O::Error> {
        let written = match self {
            Layout::Lines(formatter) => formatter.finish(),
            Layout::Prettier(prettier) => prettier.finish(),
        };
        Ok(written?.into_output().into_output())
    }
}

impl<O: Output> Sink for Layout<O> {
    type Error = O::Error;
    type Output = Self;

    #[inline]
    fn interest(&self, mode: Mode) -> Interest {
        match self {
            Layout::Lines(formatter) => formatter.interest(mode),
            Layout::Prettier(prettier) => prettier.interest(mode),
        }
    }

    #[inline]
    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        match self {
            Layout::Lines(formatter) => formatter.chunk(chunk),
            Layout::Prettier(prettier) => prettier.chunk(chunk),
        }
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
