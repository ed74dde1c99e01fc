//! What is active in one value.

use super::conditions::Conditions;

/// Identity of a thread: state and owner. Equivalent threads are merged: their copies are added, or their conditions. Where results
/// are shared, the owner does not matter: the thread of an outer one rests, and at the end it is given what the inner one has.
pub(super) type Identity = (u32, u32);

/// A state of the program in one value: the next segment to apply, its condition, and its owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    pub(super) state: u32,
    pub(super) condition: u32,
    /// 0 for a path, otherwise the number of the candidate plus 1.
    pub(super) owner: u32,
    /// Number of derivations that lead here.
    pub(super) copies: u64,
    /// The thread owns its condition, which was opened with it.
    pub(super) owns: bool,
    /// A step from here has matched.
    pub(super) hit: bool,
}

impl Thread {
    pub(super) fn new(state: u32, condition: u32, owner: u32) -> Thread {
        Thread {
            state,
            condition,
            owner,
            copies: 1,
            owns: false,
            hit: false,
        }
    }

    /// The fields by which equivalent threads are recognized.
    #[inline]
    pub(super) fn identity(&self) -> Identity {
        (self.state, self.owner)
    }

    /// Adds so many copies of an equivalent thread with another condition, of which it consumes a use.
    pub(super) fn merge(&mut self, condition: u32, copies: u64, conditions: &mut Conditions) {
        if condition == self.condition {
            conditions.release(condition);
            self.copies = self.copies.saturating_add(copies);
            return;
        }
        if !self.owns {
            conditions.hold(self.condition);
        }
        self.condition = conditions.sum([(condition, copies), (self.condition, self.copies)]);
        (self.copies, self.owns) = (1, true);
    }
}
