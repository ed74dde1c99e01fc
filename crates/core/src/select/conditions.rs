//! Conditions: undecided steps that a match depends on.
//!
//! A step whose outcome is known only later (an index from the end, a filter, a key that may be repeated) opens a
//! condition. Every match below that step carries it, so nothing has to be read twice: the outcome accepts or discards
//! them. The conditions of a derivation form a chain, which is at most as long as the path.
//!
//! Where derivations come together, in one state at one value, a *sum* takes the place of their conditions: it counts those that
//! hold, and goes on as one. With a thread and a match for each of them, `$..a..a` in 8,000 nested objects took 2.3 GB.
//!
//! ```text
//! {"a": {"a": {"a": 1}}}                $..a..a
//!       │    │    └ a₃ ─ if this is the last `a` ─ of a₁ + a₂     one match, twice
//!       │    └ a₂ ──────────────────────────────── of a₁          one match
//!       └ a₁
//! ```

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
    /// Of a sum, its number among the sums.
    parent: u32,
    users: u32,
    truth: Truth,
    again: bool,
    is_sum: bool,
}

/// How often derivations lead to one place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sum {
    /// A use of each of two conditions, and how many copies each counts for.
    Open {
        terms: [(u32, u64); 2],
        /// A condition that was open when the sum was last asked for, and a use of it.
        waits_for: u32,
    },
    Counted(u64),
}

/// What is known of a condition and its ancestors.
enum Known {
    /// So many derivations hold.
    Count(u64),
    /// This condition is open.
    Open(u32),
    /// This sum has to be counted first.
    Sum(u32),
}

/// All conditions in use, by number.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    all: Vec<Condition>,
    /// Their ranks, if the order needs them.
    ranks: Vec<Rank>,
    free: Vec<u32>,
    sums: Vec<Sum>,
    free_sums: Vec<u32>,
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
        reserve(&mut self.free, more)?;
        reserve(&mut self.sums, more)
    }

    pub(super) fn new() -> Self {
        Conditions {
            all: vec![Condition {
                parent: CERTAIN,
                users: 1,
                truth: Truth::Holds,
                again: false,
                is_sum: false,
            }],
            ranks: Vec::new(),
            free: Vec::new(),
            sums: Vec::new(),
            free_sums: Vec::new(),
            failures: 0,
            duplicates: false,
            unsettled: false,
        }
    }

    /// Opens a condition with the parent `parent` and one user. The conditions of a path that has to be sorted have
    /// ranks.
    pub(super) fn open(&mut self, parent: u32, truth: Truth, rank: Option<Rank>) -> u32 {
        self.hold(parent);
        let number = self.allocate(parent, truth, false);
        if let Some(rank) = rank {
            let length = self.ranks.len().max(number as usize + 1);
            self.ranks.resize(length, [0; 3]);
            self.ranks[number as usize] = rank;
        }
        number
    }

    /// A condition that holds as often as two others together, each of so many copies. Consumes a use of both.
    pub(super) fn sum(&mut self, terms: [(u32, u64); 2]) -> u32 {
        let sum = Sum::Open {
            terms,
            waits_for: CERTAIN,
        };
        let place = match self.free_sums.pop() {
            Some(place) => {
                self.sums[place as usize] = sum;
                place
            }
            None => {
                self.sums.push(sum);
                self.sums.len() as u32 - 1
            }
        };
        self.allocate(place, Truth::Open, true)
    }

    fn allocate(&mut self, parent: u32, truth: Truth, is_sum: bool) -> u32 {
        let condition = Condition {
            parent,
            users: 1,
            truth,
            again: false,
            is_sum,
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
        // Of sums, all but the first terms.
        let mut others = Vec::new();
        loop {
            while number != CERTAIN {
                let condition = &mut self.all[number as usize];
                condition.users -= 1;
                if condition.users > 0 {
                    break;
                }
                self.free.push(number);
                number = condition.parent;
                if condition.is_sum {
                    self.free_sums.push(number);
                    number = match self.sums[number as usize] {
                        Sum::Counted(_) => CERTAIN,
                        Sum::Open { terms, waits_for } => {
                            others.extend([terms[1].0, waits_for]);
                            terms[0].0
                        }
                    };
                }
            }
            match others.pop() {
                Some(other) => number = other,
                None => return,
            }
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

    /// A condition and its ancestors up to a sum, by number.
    fn chain(&self, number: u32) -> impl Iterator<Item = u32> {
        let certain = |number: u32| (number != CERTAIN).then_some(number);
        std::iter::successors(certain(number), move |&number| {
            let condition = &self.all[number as usize];
            certain(condition.parent).filter(|_| !condition.is_sum)
        })
    }

    /// `Count(0)` takes precedence over `Open`.
    fn known(&self, number: u32) -> Known {
        let mut known = Known::Count(1);
        for number in self.chain(number) {
            let condition = &self.all[number as usize];
            match condition.truth {
                Truth::Fails => return Known::Count(0),
                Truth::Open if condition.is_sum => {
                    if !matches!(known, Known::Open(_)) {
                        known = self.known_sum(number);
                    }
                }
                Truth::Open => known = Known::Open(number),
                Truth::Holds if condition.is_sum => {
                    let sum = &self.sums[condition.parent as usize];
                    if let (Known::Count(_), &Sum::Counted(count)) = (&known, sum) {
                        known = Known::Count(count);
                    }
                }
                Truth::Holds => {}
            }
        }
        known
    }

    fn known_sum(&self, number: u32) -> Known {
        match self.sums[self.all[number as usize].parent as usize] {
            Sum::Open { waits_for, .. } if self.is_open(waits_for) => Known::Open(waits_for),
            _ => Known::Sum(number),
        }
    }

    fn is_open(&self, number: u32) -> bool {
        self.all[number as usize].truth == Truth::Open
    }

    /// Combined truth of a condition and its ancestors, as far as sums have been counted.
    pub(super) fn truth_so_far(&self, number: u32) -> Truth {
        match self.known(number) {
            Known::Count(0) => Truth::Fails,
            Known::Count(_) => Truth::Holds,
            Known::Open(_) | Known::Sum(_) => Truth::Open,
        }
    }

    /// Combined truth of a condition and its ancestors. `Fails` takes precedence over `Open`.
    pub(super) fn truth(&mut self, number: u32) -> Truth {
        match self.count(number) {
            None => Truth::Open,
            Some(0) => Truth::Fails,
            Some(_) => Truth::Holds,
        }
    }

    /// How many derivations hold; `None` while that is open. Sums are counted once, so this takes no more time than they took to
    /// make, and a few steps for one that is open.
    pub(super) fn count(&mut self, number: u32) -> Option<u64> {
        let mut sum = match self.known(number) {
            Known::Count(count) => return Some(count),
            Known::Open(_) => return None,
            Known::Sum(sum) => sum,
        };
        // Sums that are being counted, each for the one before it.
        let mut counting = Vec::new();
        loop {
            match self.known_terms(sum) {
                Known::Count(count) => {
                    self.close_sum(sum, count);
                    match counting.pop() {
                        Some(next) => sum = next,
                        None => break,
                    }
                }
                Known::Sum(inner) => {
                    counting.push(sum);
                    sum = inner;
                }
                Known::Open(leaf) => {
                    counting.push(sum);
                    counting.into_iter().for_each(|sum| self.wait(sum, leaf));
                    return None;
                }
            }
        }
        self.count(number)
    }

    fn wait(&mut self, sum: u32, leaf: u32) {
        let place = self.all[sum as usize].parent as usize;
        if let Sum::Open { waits_for, .. } = &mut self.sums[place] {
            let before = std::mem::replace(waits_for, leaf);
            self.hold(leaf);
            self.release(before);
        }
    }

    fn known_terms(&self, sum: u32) -> Known {
        let Sum::Open { terms, .. } = self.sums[self.all[sum as usize].parent as usize] else {
            return Known::Count(0);
        };
        let mut count = 0_u64;
        for (term, copies) in terms {
            match self.known(term) {
                Known::Count(one) => count = count.saturating_add(one.saturating_mul(copies)),
                other => return other,
            }
        }
        Known::Count(count)
    }

    /// All terms of a sum are decided: it needs them no more.
    fn close_sum(&mut self, sum: u32, count: u64) {
        let place = self.all[sum as usize].parent as usize;
        let Sum::Open { terms, waits_for } = self.sums[place] else {
            return;
        };
        let again =
            terms.map(|(term, _)| self.again(term) && self.truth_so_far(term) == Truth::Holds);
        self.sums[place] = Sum::Counted(count);
        let condition = &mut self.all[sum as usize];
        condition.again = again != [false; 2];
        condition.truth = match count {
            0 => Truth::Fails,
            _ => Truth::Holds,
        };
        self.release(waits_for);
        for (term, _) in terms {
            self.release(term);
        }
    }

    /// Whether an ancestor is open.
    pub(super) fn depends_on_open(&mut self, number: u32) -> bool {
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
        self.in_use() == other.in_use()
            && self.sums == other.sums
            && other.all.iter().enumerate().skip(1).all(same)
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
