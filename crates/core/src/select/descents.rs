//! States that stay at work at any depth below the value in which they began.
//!
//! Their threads are not copied into every container on the way down: with `$..a..b` in containers nested n deep, each of
//! which begins a thread, those would be n² copies (54 KB of text held a gigabyte of them). They stay where they are, and
//! are listed by state, so that a step looks at them only when the state has something to say to the child.

use std::collections::HashMap;

use super::program::Program;
use super::step::Thread;

/// The threads of descending states that are at work in the innermost frame.
#[derive(Debug)]
pub(super) struct Descents {
    /// For each state its threads, by their places in the walk's.
    threads: Vec<Vec<usize>>,
    /// Of those that may meet one like them: where they are in the list of their state.
    known: HashMap<Likeness, usize>,
    /// What has been entered, the newest last.
    entered: Vec<Entered>,
}

/// Threads with the same state, condition and owner are one, with the copies of both.
pub(super) type Likeness = (u32, u32, u32);

#[derive(Debug)]
struct Entered {
    thread: usize,
    state: u32,
    /// The place in the list of the state, and the thread that had it before, if there was one like this.
    place: usize,
    covered: Option<usize>,
    likeness: Option<Likeness>,
}

impl Descents {
    pub(super) fn new(program: &Program) -> Descents {
        Descents {
            threads: vec![Vec::new(); program.states.len()],
            known: HashMap::new(),
            entered: Vec::new(),
        }
    }

    /// How many threads of a state there are.
    #[inline]
    pub(super) fn count(&self, state: u32) -> usize {
        self.threads[state as usize].len()
    }

    /// One of them, by its place among the walk's threads.
    #[inline]
    pub(super) fn thread(&self, state: u32, number: usize) -> usize {
        self.threads[state as usize][number]
    }

    /// Enters the threads from `from` on: those of a container that begins. One that is like another further out does
    /// that one's work too.
    pub(super) fn enter(&mut self, program: &Program, threads: &mut [Thread], from: usize) {
        for at in from..threads.len() {
            let thread = threads[at];
            if !program.states[thread.state as usize].descends {
                continue;
            }
            let list = &mut self.threads[thread.state as usize];
            let mut entered = Entered {
                thread: at,
                state: thread.state,
                place: list.len(),
                covered: None,
                likeness: program.merges.then_some(thread.likeness()),
            };
            if let Some(likeness) = entered.likeness {
                match self.known.get(&likeness) {
                    Some(&place) => {
                        entered.place = place;
                        entered.covered = Some(list[place]);
                    }
                    None => {
                        self.known.insert(likeness, entered.place);
                    }
                }
            }
            match entered.covered {
                Some(covered) => {
                    let copies = threads[covered].copies;
                    threads[at].copies = thread.copies.saturating_add(copies);
                    list[entered.place] = at;
                }
                None => list.push(at),
            }
            self.entered.push(entered);
        }
    }

    /// Takes back those from `from` on: the container ends.
    pub(super) fn leave(&mut self, from: usize) {
        while let Some(entered) = self.entered.pop_if(|entered| entered.thread >= from) {
            let list = &mut self.threads[entered.state as usize];
            match entered.covered {
                Some(covered) => list[entered.place] = covered,
                None => {
                    list.pop();
                    if let Some(likeness) = entered.likeness {
                        self.known.remove(&likeness);
                    }
                }
            }
        }
    }

    /// Whether all that was entered has been taken back.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.entered.is_empty() && self.known.is_empty() && self.threads.iter().all(Vec::is_empty)
    }
}
