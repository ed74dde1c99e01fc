//! An object-safe consumer of chunks: the validator is compiled once instead of once per sink, at the cost of two indirect
//! calls per 8 KiB.

use core::ops::ControlFlow;

use super::{Chunk, Interest, Mode, Sink, Stop};
use crate::syntax::SyntaxError;

/// The methods of a [`Sink`] that a validator calls for each chunk.
pub(crate) trait Consume {
    /// The streams to fill.
    fn interest(&self, mode: Mode) -> Interest;

    /// Receives the next chunk; `Break` stops the validator.
    fn chunk(&mut self, chunk: &Chunk<'_>) -> ControlFlow<()>;
}

/// The reason why the validator stopped.
pub(crate) enum Halt {
    /// The text is not JSON.
    Invalid(SyntaxError),
    /// The consumer returned `Break`.
    Consumer,
}

/// Adapts a sink to a consumer, and stores the error with which it stopped.
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
        // The consumer breaks only with an error.
        (Ok(()) | Err(Halt::Consumer), None) => Ok(()),
    }
}
