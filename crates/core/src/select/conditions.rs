//! What a match depends on that is not known yet.
//!
//! A step whose outcome shows only later (an index from the end, a filter, a key that may come again) opens a condition.
//! Everything found behind that step carries it, so that nothing has to be read twice: when the outcome shows, what
//! was found stands or falls. Conditions form a chain for each derivation, as long as its path at most.

/// The condition that always holds.
pub(super) const CERTAIN: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Open,
    Holds,
    Fails,
}

/// Where a step stands among its siblings in the order of RFC 9535: the value it starts from (for a descent), the
/// selector, the place.
pub(super) type Rank = [u64; 3];

#[derive(Debug)]
struct Condition {
    parent: u32,
    users: u32,
    truth: Truth,
    again: bool,
}

/// All conditions that somebody still uses, by number.
#[derive(Debug)]
pub(super) struct Conditions {
    all: Vec<Condition>,
    /// Their ranks, when anybody asks for them.
    ranks: Vec<Rank>,
    free: Vec<u32>,
    /// How many have failed so far.
    pub(super) failures: u64,
    /// A key came again in its object.
    pub(super) duplicates: bool,
    /// A key came again that had been taken for the only one.
    pub(super) unsettled: bool,
}

impl Conditions {
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

    /// A condition on top of `parent`, with one user. Those of a path that has to be sorted have ranks.
    pub(super) fn open(&mut self, parent: u32, truth: Truth, rank: Option<Rank>) -> u32 {
        let number = self.place(parent, truth);
        if let Some(rank) = rank {
            let length = self.ranks.len().max(number as usize + 1);
            self.ranks.resize(length, [0; 3]);
            self.ranks[number as usize] = rank;
        }
        number
    }

    fn place(&mut self, parent: u32, truth: Truth) -> u32 {
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

    /// One user more.
    pub(super) fn hold(&mut self, number: u32) {
        if number != CERTAIN {
            self.all[number as usize].users += 1;
        }
    }

    /// One user less.
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

    /// The key of this step came before in the same object.
    pub(super) fn mark_again(&mut self, number: u32) {
        self.all[number as usize].again = true;
        self.duplicates = true;
    }

    /// It and those it stands on, by number.
    fn chain(&self, number: u32) -> impl Iterator<Item = u32> {
        let certain = |number: u32| (number != CERTAIN).then_some(number);
        std::iter::successors(certain(number), move |&number| {
            certain(self.all[number as usize].parent)
        })
    }

    /// Whether it and all it stands on hold; failing wins over open.
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

    /// Whether a condition further out that it stands on is open.
    pub(super) fn depends_on_open(&self, number: u32) -> bool {
        self.truth(self.all[number as usize].parent) == Truth::Open
    }

    pub(super) fn again(&self, number: u32) -> bool {
        self.chain(number)
            .any(|condition| self.all[condition as usize].again)
    }

    /// The ranks of all steps, the last step first.
    pub(super) fn ranks(&self, number: u32) -> Vec<Rank> {
        let rank = |condition| self.ranks.get(condition as usize).copied();
        self.chain(number).filter_map(rank).collect()
    }

    /// How many are in use.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        self.all.len() - 1 - self.free.len()
    }
}
