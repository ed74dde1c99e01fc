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
    rank: Rank,
}

/// All conditions that somebody still uses, by number.
#[derive(Debug)]
pub(super) struct Conditions {
    all: Vec<Condition>,
    free: Vec<u32>,
}

impl Conditions {
    pub(super) fn new() -> Self {
        Conditions {
            all: vec![Condition {
                parent: CERTAIN,
                users: 1,
                truth: Truth::Holds,
                again: false,
                rank: [0; 3],
            }],
            free: Vec::new(),
        }
    }

    /// A condition on top of `parent`, with one user.
    pub(super) fn open(&mut self, parent: u32, truth: Truth, rank: Rank) -> u32 {
        self.hold(parent);
        let condition = Condition {
            parent,
            users: 1,
            truth,
            again: false,
            rank,
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
        self.all[number as usize].truth = if holds { Truth::Holds } else { Truth::Fails };
    }

    /// The key of this step came before in the same object.
    pub(super) fn mark_again(&mut self, number: u32) {
        self.all[number as usize].again = true;
    }

    fn chain(&self, number: u32) -> impl Iterator<Item = &Condition> {
        let condition = |number: u32| (number != CERTAIN).then(|| &self.all[number as usize]);
        std::iter::successors(condition(number), move |one| condition(one.parent))
    }

    /// Whether it and all it stands on hold; failing wins over open.
    pub(super) fn truth(&self, number: u32) -> Truth {
        let mut truth = Truth::Holds;
        for condition in self.chain(number) {
            match condition.truth {
                Truth::Fails => return Truth::Fails,
                Truth::Open => truth = Truth::Open,
                Truth::Holds => {}
            }
        }
        truth
    }

    pub(super) fn again(&self, number: u32) -> bool {
        self.chain(number).any(|condition| condition.again)
    }

    /// The ranks of all steps, the last step first.
    pub(super) fn ranks(&self, number: u32) -> Vec<Rank> {
        self.chain(number).map(|condition| condition.rank).collect()
    }

    /// How many are in use.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        self.all.len() - 1 - self.free.len()
    }
}
