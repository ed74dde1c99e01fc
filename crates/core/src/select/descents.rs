//! States that remain active at any depth below the value in which they began.
//!
//! Their threads are not copied into every container on the way down: with `$..a..b` in containers nested n deep, each
//! of which begins a thread, that would be n² copies (a gigabyte of them for 54 KB of input). They remain where they
//! are and are listed by state, so that a step only visits them if the state may select the child.

use std::collections::{HashMap, TryReserveError};

use super::asking::PendingFilters;
use super::conditions::Conditions;
use super::program::Program;
use super::room::reserve;
use super::thread::{Identity, Thread};

/// The threads of descending states that are active in the innermost frame.
#[derive(Clone, Debug)]
pub(super) struct Descents {
    /// For each state the indices of its threads in the walk.
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
    /// Index in the list of the state, and the equivalent thread it replaced there, if any.
    place: usize,
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

    /// Makes room for the threads of more containers.
    pub(super) fn make_room(&mut self, more: usize) -> Result<(), TryReserveError> {
        for list in &mut self.threads {
            reserve(list, more)?;
        }
        if self.known.len() > more {
            self.known.try_reserve(more)?;
        }
        reserve(&mut self.entered, more * self.threads.len())
    }

    /// Number of threads of a state.
    #[inline]
    pub(super) fn count(&self, state: u32) -> usize {
        self.threads[state as usize].len()
    }

    /// Index among the threads of the walk of one thread of a state.
    #[inline]
    pub(super) fn thread(&self, state: u32, number: usize) -> usize {
        self.threads[state as usize][number]
    }

    /// Enters the threads from `from` on: those of a container that begins. A thread that is equivalent to one further
    /// out replaces it until the container ends.
    pub(super) fn enter(
        &mut self,
        program: &Program,
        threads: &mut [Thread],
        from: usize,
        conditions: &mut Conditions,
        asking: &mut PendingFilters,
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
                place: list.len(),
                covered: None,
                identity: match state.shared {
                    Some(_) => Some((thread.state, 0)),
                    None => (program.merges && !state.ordered).then_some(thread.identity()),
                },
            };
            if let Some(identity) = entered.identity {
                match self.known.get(&identity) {
                    Some(&place) => {
                        entered.place = place;
                        entered.covered = Some(list[place]);
                    }
                    None => {
                        self.known.insert(identity, entered.place);
                    }
                }
            }
            match entered.covered {
                Some(covered) => {
                    let covered = threads[covered];
                    if let Some(slot) = state.shared {
                        asking.share(thread.owner - 1, slot, covered.owner - 1);
                    } else {
                        conditions.hold(covered.condition);
                        threads[at].merge(covered.condition, covered.copies, conditions);
                    }
                    list[entered.place] = at;
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
                Some(covered) => list[entered.place] = covered,
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
