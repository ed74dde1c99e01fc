//! The number of children of the containers of a chunk.

use std::collections::TryReserveError;

/// The lengths of the containers that begin in a chunk, in order.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    lengths: Vec<u32>,
    /// The open containers, as indices into `lengths`.
    open: Vec<u32>,
    next: usize,
}

/// The container does not end in the chunk.
const UNKNOWN: u32 = u32::MAX;

impl Lengths {
    /// Counts the children in the tokens of a chunk, given by their kinds.
    pub(super) fn count(&mut self, kinds: &[u8]) -> Result<(), TryReserveError> {
        self.lengths.clear();
        self.open.clear();
        self.next = 0;
        self.lengths.try_reserve(kinds.len())?;
        self.open.try_reserve(kinds.len())?;
        let mut last = 0;
        for &kind in kinds {
            match kind {
                b'{' | b'[' => {
                    self.open.push(self.lengths.len() as u32);
                    self.lengths.push(0);
                }
                b'}' | b']' => {
                    if let Some(at) = self.open.pop() {
                        self.lengths[at as usize] += u32::from(!matches!(last, b'{' | b'['));
                    }
                }
                b',' => {
                    if let Some(&at) = self.open.last() {
                        self.lengths[at as usize] += 1;
                    }
                }
                _ => {}
            }
            last = kind;
        }
        for at in self.open.drain(..) {
            self.lengths[at as usize] = UNKNOWN;
        }
        Ok(())
    }

    /// The length of the next container.
    pub(super) fn next(&mut self) -> Option<u64> {
        let length = self.lengths.get(self.next).copied();
        self.next += 1;
        length.filter(|&length| length != UNKNOWN).map(u64::from)
    }
}
