//! Threads of descendant segments, which remain active at any depth below the value in which they began.
//!
//! They are not copied into every container on the way down: with `$..a..b` in containers nested n deep, each of which
//! begins a thread, that would be n² copies (1 GB for 54 KB of input). They stay in the thread stack and are indexed by
//! state, so that a step visits them only if the state may select the child.

use std::collections::HashMap;

use super::conditions::Conditions;
use super::pending_filters::PendingFilters;
use super::program::Program;
use super::thread::{Identity, Thread};

/// The threads of descending states that are active in the innermost frame.
#[derive(Clone, Debug)]
pub(super) struct Descents {
    /// For each state, the indices of its threads in `PathWalk::threads`.
    threads: Vec<Vec<usize>>,
    /// Index of each mergeable thread in the list of its state.
    known: HashMap<Identity, usize>,
    /// Undo log of `enter`, newest last.
    entered: Vec<Entered>,
}

#[derive(Clone, Debug)]
struct Entered {
    thread: usize,
    state: u32,
    /// Index in the list of the state.
    index: usize,
    /// The equivalent outer thread that it replaced there.
    covered: Option<usize>,
    identity: Option<Identity>,
}

impl Descents {
    pub(super) fn new(program: &Program) -> Descents {
        Descents {
            threads: vec![Vec::new(); program.states.len()],
            known: HashMap::new(),
            entered: Vec::new(),
        }
    }

    /// Number of threads of a state.
    #[inline]
    pub(super) fn count(&self, state: u32) -> usize {
        self.threads[state as usize].len()
    }

    /// Index in `PathWalk::threads` of a thread of a state.
    #[inline]
    pub(super) fn thread(&self, state: u32, number: usize) -> usize {
        self.threads[state as usize][number]
    }

    /// Enters the threads of a container that begins: those from `from` on. A thread replaces an equivalent outer one
    /// until the container ends.
    pub(super) fn enter(
        &mut self,
        program: &Program,
        threads: &mut [Thread],
        from: usize,
        conditions: &mut Conditions,
        pending_filters: &mut PendingFilters,
    ) {
        for at in from..threads.len() {
            let thread = threads[at];
            let state = &program.states[thread.state as usize];
            if !state.descends {
                continue;
            }
            let list = &mut self.threads[thread.state as usize];
            let mut entered = Entered {
                thread: at,
                state: thread.state,
                index: list.len(),
                covered: None,
                identity: match state.shared {
                    Some(_) => Some((thread.state, 0)),
                    None => (program.merges && !state.ordered).then_some(thread.identity()),
                },
            };
            if let Some(identity) = entered.identity {
                match self.known.get(&identity) {
                    Some(&index) => {
                        entered.index = index;
                        entered.covered = Some(list[index]);
                    }
                    None => {
                        self.known.insert(identity, entered.index);
                    }
                }
            }
            match entered.covered {
                Some(covered) => {
                    let covered = threads[covered];
                    if let Some(slot) = state.shared {
                        pending_filters.share(thread.owner - 1, slot, covered.owner - 1);
                    } else {
                        conditions.hold(covered.condition);
                        threads[at].merge(covered.condition, covered.copies, conditions);
                    }
                    list[entered.index] = at;
                }
                None => list.push(at),
            }
            self.entered.push(entered);
        }
    }

    /// Removes the threads from `from` on, at the end of the container.
    pub(super) fn leave(&mut self, from: usize) {
        while let Some(entered) = self.entered.pop_if(|entered| entered.thread >= from) {
            let list = &mut self.threads[entered.state as usize];
            match entered.covered {
                Some(covered) => list[entered.index] = covered,
                None => {
                    list.pop();
                    if let Some(identity) = entered.identity {
                        self.known.remove(&identity);
                    }
                }
            }
        }
    }

    /// Whether all threads have been removed.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.entered.is_empty() && self.known.is_empty() && self.threads.iter().all(Vec::is_empty)
    }
}
