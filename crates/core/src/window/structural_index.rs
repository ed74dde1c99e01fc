//! The structural indexes of a text in memory: offsets of brackets, strings, numbers and literals, a chunk at a time, for
//! consumers that need neither separators nor whole tokens.

use super::{Validator, Verified};
pub(crate) use crate::chunk::Preset;
use crate::chunk::{CHUNK_BLOCKS, CheckState, check_index};
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::scan::Streams;
use crate::syntax::SyntaxError;
use crate::token::Interest;

/// Number of bytes checked at a time: a chunk of the engine, so that text and offsets stay in the L1 cache.
pub(crate) const STEP: usize = CHUNK_BLOCKS * BLOCK;

/// The structural indexes of a verified chunk. All offsets are relative to the chunk.
#[derive(Debug)]
pub(crate) struct StructuralIndex<'a> {
    /// The offset of the chunk in the text.
    pub(crate) start: u64,
    pub(crate) offsets: &'a [u32],
    /// The bytes at the offsets. Only with [`Preset::Values`].
    #[cfg(feature = "serde")]
    pub(crate) kinds: &'a [u8],
    /// The closing quotes of strings with escapes. Only with [`Preset::Values`].
    #[cfg(feature = "serde")]
    pub(crate) escaped: &'a [u32],
    /// The kernel used.
    #[cfg(feature = "serde")]
    pub(crate) kernel: Kernel,
}

impl Validator {
    /// Checks the next [`STEP`] bytes of a text, or the fewer bytes at its end (none, if a multiple of [`STEP`] precedes), and
    /// passes on their index. The options must not allow comments.
    pub(crate) fn index(
        &mut self,
        text: &[u8],
        preset: Preset,
        add: impl FnOnce(&StructuralIndex<'_>),
    ) -> Result<(), SyntaxError> {
        if text.len() >= STEP {
            return self.index_blocks(text.as_chunks().0, text, preset, add);
        }
        self.with_padding(text, |validator, blocks| {
            validator.index_blocks(blocks, text, preset, add)
        })?;
        self.may_end()
    }

    fn index_blocks(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        preset: Preset,
        add: impl FnOnce(&StructuralIndex<'_>),
    ) -> Result<(), SyntaxError> {
        let interest = match preset {
            Preset::Starts => Interest {
                offsets: true,
                ..Interest::default()
            },
            // The escaped quotes go to the buffer for the lints.
            #[cfg(feature = "serde")]
            Preset::Values { .. } => Interest {
                offsets: true,
                minified: true,
                lints: true,
                ..Interest::default()
            },
        };
        let check = |kernel: Kernel, state: &mut CheckState, streams: &mut Streams| {
            check_index(kernel, preset, state, blocks, streams)
        };
        let Verified {
            offset,
            streams,
            #[cfg(feature = "serde")]
            kernel,
            ..
        } = self.check_chunk_with(blocks.len(), text, interest, check)?;
        add(&StructuralIndex {
            start: offset,
            offsets: &streams.offsets[..streams.marks],
            #[cfg(feature = "serde")]
            kinds: streams.minified.get(..streams.marks).unwrap_or_default(),
            #[cfg(feature = "serde")]
            escaped: streams
                .quotes
                .get(..streams.quote_count)
                .unwrap_or_default(),
            #[cfg(feature = "serde")]
            kernel,
        });
        Ok(())
    }

    /// Whether the text so far ends in a string.
    #[cfg(feature = "serde")]
    pub(crate) fn is_in_string(&self) -> bool {
        self.state.carry.scan.strings.inside != 0
    }
}
