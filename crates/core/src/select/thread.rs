//! The states that are active in one value.

use super::conditions::Conditions;

/// Identity of a thread: state and owner. Equivalent threads are merged by adding their copies, or their conditions as a sum. If
/// results are shared, the owner is 0: the outer thread is suspended and gets the results of the inner one at its end.
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
    /// A step of this thread has matched.
    pub(super) matched: bool,
}

impl Thread {
    pub(super) fn new(state: u32, condition: u32, owner: u32) -> Thread {
        Thread {
            state,
            condition,
            owner,
            copies: 1,
            owns: false,
            matched: false,
        }
    }

    /// The fields in which equivalent threads agree.
    #[inline]
    pub(super) fn identity(&self) -> Identity {
        (self.state, self.owner)
    }

    /// Adds `copies` copies of an equivalent thread with another condition. Consumes a use of that condition.
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
