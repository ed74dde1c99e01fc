//! Conditions: undecided steps that a match depends on.
//!
//! A step whose outcome is decided later (an index from the end, a filter, a key that may be repeated) opens a condition. Every
//! match below that step refers to it, and is accepted or discarded with its outcome, so nothing is read twice. The conditions of
//! a derivation form a chain at most as long as the path.
//!
//! Derivations that meet in one state at one value are merged, and a *sum* replaces their conditions: it counts those that hold.
//! With a thread and a match per derivation, `$..a..a` in 8,000 nested objects took 2.3 GB.
//!
//! ```text
//! {"a": {"a": {"a": 1}}}                $..a..a
//!       │    │    └ a₃ ─ if this is the last `a` ─ of a₁ + a₂     one match, twice
//!       │    └ a₂ ──────────────────────────────── of a₁          one match
//!       └ a₁
//! ```

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
    /// The parent condition; for a sum its index in `sums`.
    parent: u32,
    users: u32,
    truth: Truth,
    duplicate: bool,
    is_sum: bool,
}

/// The number of derivations that lead to one state at one value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sum {
    /// Two conditions and their numbers of copies. The sum owns a use of each.
    Open {
        terms: [(u32, u64); 2],
        /// A condition that was open at the last evaluation. The sum owns a use of it: while it is open, so is the sum.
        open_leaf: u32,
    },
    Counted(u64),
}

/// The state of a condition and its ancestors.
enum Evaluation {
    /// This number of derivations hold.
    Count(u64),
    /// This condition is open.
    Open(u32),
    /// Undecided until this sum is counted.
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
    /// A key that had been assumed to be unique was repeated.
    pub(super) late_duplicates: bool,
}

impl Conditions {
    pub(super) fn new() -> Self {
        Conditions {
            all: vec![Condition {
                parent: CERTAIN,
                users: 1,
                truth: Truth::Holds,
                duplicate: false,
                is_sum: false,
            }],
            ranks: Vec::new(),
            free: Vec::new(),
            sums: Vec::new(),
            free_sums: Vec::new(),
            failures: 0,
            duplicates: false,
            late_duplicates: false,
        }
    }

    /// Opens a condition with one user. The conditions of a path whose matches are sorted have ranks.
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

    /// Opens the sum of two conditions, each with a number of copies. Consumes a use of both.
    pub(super) fn sum(&mut self, terms: [(u32, u64); 2]) -> u32 {
        let sum = Sum::Open {
            terms,
            open_leaf: CERTAIN,
        };
        let index = match self.free_sums.pop() {
            Some(index) => {
                self.sums[index as usize] = sum;
                index
            }
            None => {
                self.sums.push(sum);
                self.sums.len() as u32 - 1
            }
        };
        self.allocate(index, Truth::Open, true)
    }

    fn allocate(&mut self, parent: u32, truth: Truth, is_sum: bool) -> u32 {
        let condition = Condition {
            parent,
            users: 1,
            truth,
            duplicate: false,
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
        // The second terms and open leaves of sums.
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
                        Sum::Open { terms, open_leaf } => {
                            others.extend([terms[1].0, open_leaf]);
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
    pub(super) fn mark_duplicate(&mut self, number: u32) {
        self.all[number as usize].duplicate = true;
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

    /// Evaluates a chain without counting sums. `Count(0)` takes precedence over `Open`.
    fn evaluate(&self, number: u32) -> Evaluation {
        let mut known = Evaluation::Count(1);
        for number in self.chain(number) {
            let condition = &self.all[number as usize];
            match condition.truth {
                Truth::Fails => return Evaluation::Count(0),
                Truth::Open if condition.is_sum => {
                    if !matches!(known, Evaluation::Open(_)) {
                        known = self.evaluate_sum(number);
                    }
                }
                Truth::Open => known = Evaluation::Open(number),
                Truth::Holds if condition.is_sum => {
                    let sum = &self.sums[condition.parent as usize];
                    if let (Evaluation::Count(_), &Sum::Counted(count)) = (&known, sum) {
                        known = Evaluation::Count(count);
                    }
                }
                Truth::Holds => {}
            }
        }
        known
    }

    fn evaluate_sum(&self, number: u32) -> Evaluation {
        match self.sums[self.all[number as usize].parent as usize] {
            Sum::Open { open_leaf, .. } if self.is_open(open_leaf) => Evaluation::Open(open_leaf),
            _ => Evaluation::Sum(number),
        }
    }

    fn is_open(&self, number: u32) -> bool {
        self.all[number as usize].truth == Truth::Open
    }

    /// Combined truth of a condition and its ancestors; `Open` if it depends on a sum that has not been counted.
    pub(super) fn truth_so_far(&self, number: u32) -> Truth {
        match self.evaluate(number) {
            Evaluation::Count(0) => Truth::Fails,
            Evaluation::Count(_) => Truth::Holds,
            Evaluation::Open(_) | Evaluation::Sum(_) => Truth::Open,
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

    /// The number of derivations that hold; `None` if undecided. A sum is counted once and an open one is tested through its open
    /// leaf, so the total cost is linear in the number of sums.
    pub(super) fn count(&mut self, number: u32) -> Option<u64> {
        let mut sum = match self.evaluate(number) {
            Evaluation::Count(count) => return Some(count),
            Evaluation::Open(_) => return None,
            Evaluation::Sum(sum) => sum,
        };
        // Stack of the sums being counted, each a term of the one below it.
        let mut counting = Vec::new();
        loop {
            match self.evaluate_terms(sum) {
                Evaluation::Count(count) => {
                    self.close_sum(sum, count);
                    match counting.pop() {
                        Some(next) => sum = next,
                        None => break,
                    }
                }
                Evaluation::Sum(inner) => {
                    counting.push(sum);
                    sum = inner;
                }
                Evaluation::Open(leaf) => {
                    counting.push(sum);
                    counting
                        .into_iter()
                        .for_each(|sum| self.wait_for(sum, leaf));
                    return None;
                }
            }
        }
        self.count(number)
    }

    fn wait_for(&mut self, sum: u32, leaf: u32) {
        let index = self.all[sum as usize].parent as usize;
        if let Sum::Open { open_leaf, .. } = &mut self.sums[index] {
            let before = std::mem::replace(open_leaf, leaf);
            self.hold(leaf);
            self.release(before);
        }
    }

    fn evaluate_terms(&self, sum: u32) -> Evaluation {
        let Sum::Open { terms, .. } = self.sums[self.all[sum as usize].parent as usize] else {
            return Evaluation::Count(0);
        };
        let mut count = 0_u64;
        for (term, copies) in terms {
            match self.evaluate(term) {
                Evaluation::Count(one) => count = count.saturating_add(one.saturating_mul(copies)),
                other => return other,
            }
        }
        Evaluation::Count(count)
    }

    /// Stores the count of a sum whose terms are decided, and releases the terms.
    fn close_sum(&mut self, sum: u32, count: u64) {
        let index = self.all[sum as usize].parent as usize;
        let Sum::Open { terms, open_leaf } = self.sums[index] else {
            return;
        };
        let duplicate = terms
            .map(|(term, _)| self.is_duplicate(term) && self.truth_so_far(term) == Truth::Holds);
        self.sums[index] = Sum::Counted(count);
        let condition = &mut self.all[sum as usize];
        condition.duplicate = duplicate != [false; 2];
        condition.truth = match count {
            0 => Truth::Fails,
            _ => Truth::Holds,
        };
        self.release(open_leaf);
        for (term, _) in terms {
            self.release(term);
        }
    }

    /// Whether an ancestor is open.
    pub(super) fn depends_on_open(&mut self, number: u32) -> bool {
        self.truth(self.all[number as usize].parent) == Truth::Open
    }

    pub(super) fn is_duplicate(&self, number: u32) -> bool {
        self.chain(number)
            .any(|condition| self.all[condition as usize].duplicate)
    }

    /// The ranks of all steps, last step first.
    pub(super) fn ranks(&self, number: u32) -> Vec<Rank> {
        let rank = |condition| self.ranks.get(condition as usize).copied();
        self.chain(number).filter_map(rank).collect()
    }

    /// Whether the conditions in use are the same as in `other`.
    pub(super) fn equals_in_use(&self, other: &Conditions) -> bool {
        let same = |(number, theirs): (usize, &Condition)| {
            theirs.users == 0 || self.all.get(number) == Some(theirs)
        };
        self.in_use() == other.in_use()
            && self.sums == other.sums
            && other.all.iter().enumerate().skip(1).all(same)
    }

    /// Adds the flags of another set.
    pub(super) fn merge_flags(&mut self, other: &Conditions) {
        self.duplicates |= other.duplicates;
        self.late_duplicates |= other.late_duplicates;
    }

    /// Number of conditions in use.
    pub(super) fn in_use(&self) -> usize {
        self.all.len() - 1 - self.free.len()
    }
}
