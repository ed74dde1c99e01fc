//! Reasons for ending the processing of an input early.

use std::convert::Infallible;
use std::fmt::Debug;
use std::io;

use jsonx_core::SyntaxError;
use jsonx_core::engine::Stop;
use jsonx_core::format::{NotCanonical, RewriteError};
use jsonx_msgpack::EncodeErrorKind;

use crate::exit::Exit;

/// The error of processing an input.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid; the offset counts from the start of the input.
    Invalid(SyntaxError),
    /// The input has no canonical form; the offset counts from the start of the text, after any byte-order mark.
    Refused(NotCanonical),
    /// MessagePack has no such value; the offset counts from the start of the text, after any byte-order mark.
    NotEncodable {
        /// The error of the value.
        kind: EncodeErrorKind,
        /// Its offset.
        offset: u64,
    },
    /// The input could not be read.
    Read(io::Error),
    /// Standard output could not be written, which ends the whole run.
    Write(io::Error),
    /// The command does nothing with this input, for the reason in the message.
    Declined {
        /// The exit code.
        exit: Exit,
        /// The whole message, without a final line feed.
        message: String,
    },
}

/// Moves the offset of a failure by `origin`.
pub fn moved(failure: Failure, origin: u64) -> Failure {
    match failure {
        Failure::Invalid(error) => Failure::Invalid(SyntaxError {
            offset: error.offset + origin,
            ..error
        }),
        other => other,
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Read(error)
    }
}

impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Failure {
        match never {}
    }
}

/// The error of a sink or of its output.
pub trait SinkError {
    /// The failure that it causes.
    fn failure(self) -> Failure;
}

impl SinkError for Infallible {
    fn failure(self) -> Failure {
        match self {}
    }
}

impl SinkError for io::Error {
    fn failure(self) -> Failure {
        Failure::Write(self)
    }
}

/// The error of a sink of events.
impl<E: SinkError> SinkError for Stop<E> {
    fn failure(self) -> Failure {
        self.into()
    }
}

impl<E: SinkError + Debug> SinkError for RewriteError<E> {
    fn failure(self) -> Failure {
        match self {
            RewriteError::Output(error) => error.failure(),
            RewriteError::NotCanonical(refusal) => Failure::Refused(refusal),
            other => Failure::Read(io::Error::other(format!(
                "the output is not valid JSON; this is a bug in jsonx, please report it ({other:?})"
            ))),
        }
    }
}

impl<E: SinkError + Debug> From<RewriteError<E>> for Failure {
    fn from(error: RewriteError<E>) -> Failure {
        error.failure()
    }
}

impl<E: SinkError> From<Stop<E>> for Failure {
    fn from(stop: Stop<E>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(error) => error.failure(),
        }
    }
}

/// The reason for ending work on an input early: a failure, or a reason of the command.
#[derive(Debug)]
pub enum Interrupted<Reason> {
    /// A failure.
    Failed(Failure),
    /// The command needs no more input.
    Early(Reason),
}

impl<F: Into<Failure>, Reason> From<F> for Interrupted<Reason> {
    fn from(failure: F) -> Interrupted<Reason> {
        Interrupted::Failed(failure.into())
    }
}
