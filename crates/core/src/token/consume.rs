//! A consumer of chunks without a type of its own, so that what drives one is compiled once: two indirect calls for 8 KiB, and no copy
//! of the validator for each sink.

use core::ops::ControlFlow;

use super::{Chunk, Interest, Mode, Sink, Stop};
use crate::syntax::SyntaxError;

/// The part of a [`Sink`] that a validator calls for each chunk.
pub(crate) trait Consume {
    /// The streams that it needs.
    fn interest(&self, mode: Mode) -> Interest;

    /// Takes the next chunk; `Break` stops the validator.
    fn chunk(&mut self, chunk: &Chunk<'_>) -> ControlFlow<()>;
}

/// Why the validator stopped.
pub(crate) enum Halt {
    /// The text is not JSON.
    Invalid(SyntaxError),
    /// The consumer broke off.
    Consumer,
}

/// A sink as a consumer, and the error with which it stopped.
struct Catch<'a, S: Sink> {
    sink: &'a mut S,
    error: Option<S::Error>,
}

impl<S: Sink> Consume for Catch<'_, S> {
    fn interest(&self, mode: Mode) -> Interest {
        self.sink.interest(mode)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> ControlFlow<()> {
        match self.sink.chunk(chunk) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Runs a check with a sink as its consumer.
pub(crate) fn catch<S: Sink>(
    sink: &mut S,
    check: impl FnOnce(&mut dyn Consume) -> Result<(), Halt>,
) -> Result<(), Stop<S::Error>> {
    let mut caught = Catch { sink, error: None };
    match (check(&mut caught), caught.error) {
        (_, Some(error)) => Err(Stop::Sink(error)),
        (Err(Halt::Invalid(error)), None) => Err(Stop::Invalid(error)),
        // The consumer breaks off only with an error.
        (Ok(()) | Err(Halt::Consumer), None) => Ok(()),
    }
}
