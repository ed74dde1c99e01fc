//! The bytes of a value: in memory, or a span of a file that may exceed memory.

use std::borrow::Cow;
use std::io::{self, ErrorKind};

use jsonx_core::engine::{Options, Sink, Stop, Validator};

use crate::check::{Failure, push};
use crate::input::{Consumed, Input};

/// A value of an input, without white space around it.
pub enum ValueText<'t> {
    Bytes(&'t [u8]),
    /// From one offset to another.
    Span(&'t mut Input, u64, u64),
}

impl ValueText<'_> {
    /// The first byte, which determines the kind of the value.
    ///
    /// # Errors
    /// Returns an error if reading fails.
    pub fn first(&mut self) -> io::Result<u8> {
        let first = match self {
            ValueText::Bytes(bytes) => bytes.first().copied(),
            ValueText::Span(input, start, _) => input.span(*start, *start + 1)?.first().copied(),
        };
        first.ok_or(ErrorKind::UnexpectedEof.into())
    }

    /// The whole value in memory.
    ///
    /// # Errors
    /// Returns an error if reading or allocating fails.
    pub fn whole(&mut self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            ValueText::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            ValueText::Span(input, start, end) => input.span(*start, *end).map(Cow::Owned),
        }
    }

    /// Passes the bytes to `each`, in parts.
    ///
    /// # Errors
    /// Returns an error if reading or `each` fails.
    pub fn each_part(
        &mut self,
        mut each: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            ValueText::Bytes(bytes) => each(bytes),
            ValueText::Span(input, start, end) => input.each_window_of(*start, *end, |window| {
                each(window.bytes())?;
                Ok(Consumed::from(window.bytes().len()))
            }),
        }
    }

    /// Passes its tokens to a sink.
    ///
    /// # Errors
    /// Returns an error if reading or the sink fails; `Invalid` if the file was changed since it was checked.
    pub fn push<S: Sink>(&mut self, options: Options, sink: &mut S) -> Result<(), Failure>
    where
        Failure: From<Stop<S::Error>>,
    {
        let mut validator = Validator::new(options);
        match self {
            ValueText::Bytes(bytes) => Ok(validator.check(bytes, sink)?),
            ValueText::Span(input, start, end) => input.each_window_of(*start, *end, |window| {
                Ok(push(&mut validator, window, sink)?)
            }),
        }
    }
}
