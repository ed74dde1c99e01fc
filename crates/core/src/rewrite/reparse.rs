//! Text that was rewritten, on its way to a layout.

use super::RewriteError;
use super::layout::Layout;
use crate::format::Output;
use crate::kernel::BLOCK;
use crate::token::Stop;
use crate::window::{Options, Validator};

/// An output that lays out the text it is given. What was rewritten is checked once more: a walk over tokens needs
/// their places, and what comes out of here is JSON even if what came in was made badly.
#[derive(Debug)]
pub(super) struct Reparse<O> {
    validator: Validator,
    /// Less than a block, for which more has to come.
    rest: Vec<u8>,
    layout: Layout<O>,
}

impl<O: Output> Reparse<O> {
    pub(super) fn new(options: Options, layout: Layout<O>) -> Self {
        Reparse {
            // How deep it may be was asked of the text that was read.
            validator: Validator::new(options.max_depth(u64::MAX)),
            rest: Vec::with_capacity(BLOCK),
            layout,
        }
    }

    pub(super) fn layout(&mut self) -> &mut Layout<O> {
        &mut self.layout
    }

    /// Lays out all that has come, which ends between two tokens.
    pub(super) fn catch_up(&mut self) -> Result<(), RewriteError<O::Error>> {
        if !self.rest.is_empty() {
            self.rest.push(b'\n');
            let fed = self.validator.feed_lines(&self.rest, &mut self.layout);
            self.rest.clear();
            fed.map_err(halt)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<O, RewriteError<O::Error>> {
        self.validator
            .finish(&self.rest, &mut self.layout)
            .map_err(halt)?;
        self.layout.finish().map_err(RewriteError::Output)
    }

    /// Lays out what has come, though the text may not end there. Where a token breaks off, its block is left out.
    pub(super) fn abandon(mut self) -> Result<O, RewriteError<O::Error>> {
        if !self.rest.is_empty()
            && let Err(Stop::Sink(error)) = self.validator.finish(&self.rest, &mut self.layout)
        {
            return Err(RewriteError::Output(error));
        }
        self.layout.finish().map_err(RewriteError::Output)
    }
}

impl<O: Output> Output for Reparse<O> {
    type Error = RewriteError<O::Error>;

    fn write(&mut self, mut bytes: &[u8]) -> Result<(), RewriteError<O::Error>> {
        if !self.rest.is_empty() {
            let (end, others) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend_from_slice(end);
            if self.rest.len() < BLOCK {
                return Ok(());
            }
            let fed = self.validator.feed(&self.rest, &mut self.layout);
            self.rest.clear();
            fed.map_err(halt)?;
            bytes = others;
        }
        let taken = self.validator.feed(bytes, &mut self.layout).map_err(halt)?;
        self.rest.extend_from_slice(&bytes[taken..]);
        Ok(())
    }
}

fn halt<E>(stop: Stop<E>) -> RewriteError<E> {
    match stop {
        Stop::Sink(error) => RewriteError::Output(error),
        Stop::Invalid(error) if error.kind == crate::ErrorKind::OutOfMemory => {
            RewriteError::OutOfMemory
        }
        Stop::Invalid(error) => RewriteError::Internal(error),
    }
}
