//! Passes text with comments through the filter.

use super::Validator;
use crate::chunk::CHUNK_BLOCKS;
use crate::jsonc::Feed;
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::consume::{Consume, Halt};

/// White space that replaces a long comment.
static BLANK: [Bytes; CHUNK_BLOCKS] = [[b' '; BLOCK]; CHUNK_BLOCKS];

impl Validator {
    /// [`write`](Validator::write) for a text with comments.
    pub(super) fn write_filtered(
        &mut self,
        mut bytes: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        let Some(mut feed) = self.feed.take() else {
            return Ok(());
        };
        while !bytes.is_empty() {
            let seen = usize::try_from(self.offset).unwrap_or(usize::MAX);
            let seen = seen.saturating_add(bytes.len());
            let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
            let has_source = consumer.interest(self.mode).source;
            match feed.fill(kernel, bytes, self.offset, has_source, &mut self.blanked) {
                Ok(taken) => bytes = &bytes[taken..],
                Err((kind, at)) => {
                    feed.truncate(at);
                    self.drain(&mut feed, consumer)?;
                    let offset = self.offset;
                    return Err(Halt::Invalid(SyntaxError { kind, offset }));
                }
            }
            if feed.has_gap() && feed.settled() > 0 {
                self.take(&mut feed, 1, consumer)?;
            }
            let blocks = feed.settled() / BLOCK;
            self.take(&mut feed, blocks * BLOCK, consumer)?;
            if let Some(comma) = feed.long_gap() {
                self.take(&mut feed, comma, consumer)?;
                feed.shorten();
            }
        }
        self.feed = Some(feed);
        Ok(())
    }

    /// [`write`](Validator::write) for the last bytes of a text with comments. Removes the filter from the validator.
    pub(super) fn finish_filtered(
        &mut self,
        bytes: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        self.write_filtered(bytes, consumer)?;
        let Some(mut feed) = self.feed.take() else {
            return Ok(());
        };
        self.drain(&mut feed, consumer)?;
        if feed.may_end() {
            Ok(())
        } else {
            Err(Halt::Invalid(SyntaxError {
                kind: ErrorKind::UnexpectedEnd,
                offset: self.offset,
            }))
        }
    }

    /// Checks all buffered bytes.
    fn drain(&mut self, feed: &mut Feed, consumer: &mut dyn Consume) -> Result<(), Halt> {
        if feed.has_gap() {
            self.take(feed, 1, consumer)?;
        }
        // Padded with white space to whole blocks.
        self.take(feed, feed.bytes.len(), consumer)
    }

    /// Checks the first buffered bytes, possibly padded with white space.
    fn take(
        &mut self,
        feed: &mut Feed,
        length: usize,
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        if length == 0 {
            return Ok(());
        }
        let (blocks, rest) = feed.bytes[..length].as_chunks::<BLOCK>();
        let source = |from: usize, length: usize| {
            let source = feed.source.get(from..from + length);
            source.unwrap_or_default()
        };
        let mut at = 0;
        for blocks in blocks.chunks(CHUNK_BLOCKS) {
            let text = blocks.as_flattened();
            self.chunk(blocks, text, source(at, text.len()), consumer)?;
            at += text.len();
        }
        if !rest.is_empty() {
            self.padded(rest, source(at, rest.len()), consumer)?;
        }
        let mut gap = feed.drain(length);
        while gap > 0 {
            let length = usize::try_from(gap).unwrap_or(usize::MAX);
            let length = length.min(BLANK.as_flattened().len());
            let text = &BLANK.as_flattened()[..length];
            self.chunk(&BLANK[..length.div_ceil(BLOCK)], text, text, consumer)?;
            gap -= length as u64;
        }
        let checked = self.offset;
        self.blanked.retain(|found| found.close >= checked);
        Ok(())
    }
}
