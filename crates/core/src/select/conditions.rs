//! Conditions: undecided steps that a match depends on.
//!
//! A step whose outcome is known only later (an index from the end, a filter, a key that may be repeated) opens a
//! condition. Every match below that step carries it, so nothing has to be read twice: the outcome accepts or discards
//! them. The conditions of a derivation form a chain, which is at most as long as the path.

use std::collections::TryReserveError;

use super::room::reserve;

/// The condition that always holds.
pub(super) const CERTAIN: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Open,
    Holds,
    Fails,
}

/// Position of a step among its siblings in the order of RFC 9535: the value it starts from (for a descendant segment),
/// the selector, the position of the child.
pub(super) type Rank = [u64; 3];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    parent: u32,
    users: u32,
    truth: Truth,
    again: bool,
}

/// All conditions in use, by number.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    all: Vec<Condition>,
    /// Their ranks, if the order needs them.
    ranks: Vec<Rank>,
    free: Vec<u32>,
    /// Number of failures so far.
    pub(super) failures: u64,
    /// A key was repeated in its object.
    pub(super) duplicates: bool,
    /// A key was repeated that had been assumed to be unique.
    pub(super) unsettled: bool,
}

impl Conditions {
    /// Makes room for more conditions.
    pub(super) fn make_room(&mut self, more: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.all, more)?;
        reserve(&mut self.free, more)
    }

    pub(super) fn new() -> Self {
        Conditions {
            all: vec![Condition {
                parent: CERTAIN,
                users: 1,
                truth: Truth::Holds,
                again: false,
            }],
            ranks: Vec::new(),
            free: Vec::new(),
            failures: 0,
            duplicates: false,
            unsettled: false,
        }
    }

    /// Opens a condition with the parent `parent` and one user. The conditions of a path that has to be sorted have
    /// ranks.
    pub(super) fn open(&mut self, parent: u32, truth: Truth, rank: Option<Rank>) -> u32 {
        let number = self.allocate(parent, truth);
        if let Some(rank) = rank {
            let length = self.ranks.len().max(number as usize + 1);
            self.ranks.resize(length, [0; 3]);
            self.ranks[number as usize] = rank;
        }
        number
    }

    fn allocate(&mut self, parent: u32, truth: Truth) -> u32 {
        self.hold(parent);
        let condition = Condition {
            parent,
            users: 1,
            truth,
            again: false,
        };
        match self.free.pop() {
            Some(number) => {
                self.all[number as usize] = condition;
                number
            }
            None => {
                self.all.push(condition);
                self.all.len() as u32 - 1
            }
        }
    }

    /// Adds a user.
    pub(super) fn hold(&mut self, number: u32) {
        if number != CERTAIN {
            self.all[number as usize].users += 1;
        }
    }

    /// Removes a user.
    pub(super) fn release(&mut self, number: u32) {
        let mut number = number;
        while number != CERTAIN {
            let condition = &mut self.all[number as usize];
            condition.users -= 1;
            if condition.users > 0 {
                return;
            }
            self.free.push(number);
            number = condition.parent;
        }
    }

    pub(super) fn decide(&mut self, number: u32, holds: bool) {
        self.failures += u64::from(!holds);
        self.all[number as usize].truth = if holds { Truth::Holds } else { Truth::Fails };
    }

    /// Records that the key of this step occurred before in the same object.
    pub(super) fn mark_again(&mut self, number: u32) {
        self.all[number as usize].again = true;
        self.duplicates = true;
    }

    /// A condition and its ancestors, by number.
    fn chain(&self, number: u32) -> impl Iterator<Item = u32> {
        let certain = |number: u32| (number != CERTAIN).then_some(number);
        std::iter::successors(certain(number), move |&number| {
            certain(self.all[number as usize].parent)
        })
    }

    /// Combined truth of a condition and its ancestors. `Fails` takes precedence over `Open`.
    pub(super) fn truth(&self, number: u32) -> Truth {
        let mut truth = Truth::Holds;
        for condition in self.chain(number) {
            match self.all[condition as usize].truth {
                Truth::Fails => return Truth::Fails,
                Truth::Open => truth = Truth::Open,
                Truth::Holds => {}
            }
        }
        truth
    }

    /// Whether an ancestor is open.
    pub(super) fn depends_on_open(&self, number: u32) -> bool {
        self.truth(self.all[number as usize].parent) == Truth::Open
    }

    pub(super) fn again(&self, number: u32) -> bool {
        self.chain(number)
            .any(|condition| self.all[condition as usize].again)
    }

    /// Ranks of all steps, last step first.
    pub(super) fn ranks(&self, number: u32) -> Vec<Rank> {
        let rank = |condition| self.ranks.get(condition as usize).copied();
        self.chain(number).filter_map(rank).collect()
    }

    /// Whether the conditions in use are the same as in `other`.
    pub(super) fn are_those_of(&self, other: &Conditions) -> bool {
        let same = |(number, theirs): (usize, &Condition)| {
            theirs.users == 0 || self.all.get(number) == Some(theirs)
        };
        self.in_use() == other.in_use() && other.all.iter().enumerate().skip(1).all(same)
    }

    /// Adds the flags of another set.
    pub(super) fn note_keys(&mut self, other: &Conditions) {
        self.duplicates |= other.duplicates;
        self.unsettled |= other.unsettled;
    }

    /// Number of conditions in use.
    pub(super) fn in_use(&self) -> usize {
        self.all.len() - 1 - self.free.len()
    }
}
