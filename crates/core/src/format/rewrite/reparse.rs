//! Checks rewritten text and passes it to a layout.

use super::RewriteError;
use super::layout::Layout;
use crate::format::Output;
use crate::token::{Mode, Stop};
use crate::window::{Options, Validator};

/// An output that lays out the text written to it. The text is checked a second time, because a layout needs tokens; so
/// only JSON is ever written, even after a bug in an earlier step.
#[derive(Debug)]
pub(super) struct Reparse<O> {
    validator: Validator,
    layout: Layout<O>,
}

impl<O: Output> Reparse<O> {
    pub(super) fn new(layout: Layout<O>) -> Self {
        Reparse {
            validator: Validator::new(Options::default().mode(Mode::Stream)),
            layout,
        }
    }

    /// Sets the options of the second check, before the first write. The first check has enforced the depth.
    pub(super) fn start(&mut self, options: Options) {
        self.validator = Validator::new(options.max_depth(u64::MAX));
    }

    pub(super) fn layout(&mut self) -> &mut Layout<O> {
        &mut self.layout
    }

    /// Lays out all text so far, which ends between two tokens.
    pub(super) fn catch_up(&mut self) -> Result<(), RewriteError<O::Error>> {
        if self.validator.offset() > self.validator.verified() {
            self.write(b"\n")?;
            self.validator
                .flush(&mut self.layout)
                .map_err(rewrite_error)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<O, RewriteError<O::Error>> {
        self.validator
            .finish(&mut self.layout)
            .map_err(rewrite_error)?;
        self.layout.finish().map_err(RewriteError::Output)
    }

    /// Lays out the text so far, even if it is incomplete. The block of an incomplete token is omitted.
    pub(super) fn abandon(mut self) -> Result<O, RewriteError<O::Error>> {
        if let Err(Stop::Sink(error)) = self.validator.finish(&mut self.layout) {
            return Err(RewriteError::Output(error));
        }
        self.layout.finish().map_err(RewriteError::Output)
    }
}

impl<O: Output> Output for Reparse<O> {
    type Error = RewriteError<O::Error>;

    fn write(&mut self, bytes: &[u8]) -> Result<(), RewriteError<O::Error>> {
        self.validator
            .write(bytes, &mut self.layout)
            .map_err(rewrite_error)
    }
}

fn rewrite_error<E>(stop: Stop<E>) -> RewriteError<E> {
    match stop {
        Stop::Sink(error) => RewriteError::Output(error),
        Stop::Invalid(error) => RewriteError::Internal(error),
    }
}
