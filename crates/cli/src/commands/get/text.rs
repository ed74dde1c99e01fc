//! The bytes of a value: at hand, or a part of a file that may be longer than memory.

use std::borrow::Cow;
use std::io::{self, ErrorKind};

use jsonx_core::{Options, Sink, Stop, Validator};

use crate::check::{Failure, push};
use crate::input::{Input, Taken};

/// A value of an input, without white space around it.
pub enum Text<'t> {
    Bytes(&'t [u8]),
    /// From one offset to another.
    Span(&'t mut Input, u64, u64),
}

impl Text<'_> {
    /// Its first byte, which says what it is.
    ///
    /// # Errors
    /// Those of reading.
    pub fn first(&mut self) -> io::Result<u8> {
        let first = match self {
            Text::Bytes(bytes) => bytes.first().copied(),
            Text::Span(input, start, _) => input.span(*start, *start + 1)?.first().copied(),
        };
        first.ok_or(ErrorKind::UnexpectedEof.into())
    }

    /// All of it in memory.
    ///
    /// # Errors
    /// Those of reading and of memory.
    pub fn whole(&mut self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Text::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Text::Span(input, start, end) => input.span(*start, *end).map(Cow::Owned),
        }
    }

    /// Its bytes, one part after the other.
    ///
    /// # Errors
    /// Those of reading and of `each`.
    pub fn each_part(
        &mut self,
        mut each: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Text::Bytes(bytes) => each(bytes),
            Text::Span(input, start, end) => input.each_window_of(*start, *end, |window| {
                each(window.bytes())?;
                Ok(Taken::from(window.bytes().len()))
            }),
        }
    }

    /// Hands its tokens to a sink.
    ///
    /// # Errors
    /// Those of reading and of the sink; `Invalid` if the file was changed since it was checked.
    pub fn push<S: Sink>(&mut self, options: Options, sink: &mut S) -> Result<(), Failure>
    where
        Failure: From<Stop<S::Error>>,
    {
        let mut validator = Validator::new(options);
        match self {
            Text::Bytes(bytes) => Ok(validator.check(bytes, sink)?),
            Text::Span(input, start, end) => input.each_window_of(*start, *end, |window| {
                Ok(push(&mut validator, window, sink)?)
            }),
        }
    }
}
