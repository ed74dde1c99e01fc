//! Saves states of the engine at regular intervals, from which a check can resume.

use core::convert::Infallible;
use core::fmt;

use super::{SegmentScope, SegmentSink, SegmentedSink, Validator};
use crate::token::{Chunk, Interest, Mode, Sink, Verdict};

/// The verdict, and calls with the state of the engine about every `spacing` bytes of each segment of a text.
///
/// ```
/// use jsonx_core::engine::{Checkpoints, Options, SegmentedSink, TextSegment, Validator, Verdict};
///
/// let text = format!("[{}1]", "1, ".repeat(100_000));
/// let options = Options::default();
/// let mut states = Vec::new();
/// let mut sink = Checkpoints::new(64 << 10, |state: &Validator| states.push(state.clone()));
/// let mut work = sink.for_segment();
/// let segment = TextSegment::new(&text, 0, options, &mut work);
/// Validator::new(options).join(&segment, work, &mut sink)?;
/// assert_eq!(states.len(), 4);
/// let last = states.pop().unwrap();
/// let rest = &text.as_bytes()[last.offset() as usize..];
/// assert_eq!(last.check(rest, Verdict), Ok(()));
/// # Ok::<(), jsonx_core::engine::Stop<std::convert::Infallible>>(())
/// ```
#[doc(hidden)]
#[derive(Clone)]
pub struct Checkpoints<N> {
    spacing: u64,
    note: N,
}

impl<N: FnMut(&Validator)> Checkpoints<N> {
    /// Calls `note` about every `spacing` bytes.
    pub fn new(spacing: u64, note: N) -> Checkpoints<N> {
        Checkpoints { spacing, note }
    }
}

impl<N> fmt::Debug for Checkpoints<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Checkpoints").field(&self.spacing).finish()
    }
}

impl<N> Sink for Checkpoints<N> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        Verdict.interest(mode)
    }

    fn chunk(&mut self, _: &Chunk<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<N: FnMut(&Validator)> SegmentedSink for Checkpoints<N> {
    type Segment = Checkpoints<()>;

    fn for_segment(&self) -> Checkpoints<()> {
        Checkpoints {
            spacing: self.spacing,
            note: (),
        }
    }

    fn take(&mut self, _: Checkpoints<()>, _: u64) -> bool {
        true
    }

    fn checkpoint(&mut self, validator: &Validator) {
        (self.note)(validator);
    }
}

impl SegmentSink for Checkpoints<()> {
    fn scope(&self) -> SegmentScope {
        SegmentScope::Nothing
    }

    fn checkpoint_spacing(&self) -> u64 {
        self.spacing
    }
}
