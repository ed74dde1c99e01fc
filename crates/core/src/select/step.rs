//! Steps from a container to a child: computes the states that are active in the child.

use super::conditions::{CERTAIN, Truth};
use super::options::Duplicates;
use super::pending::PendingStep;
use super::program::{Choice, Element, Member, Program};
use super::thread::Thread;
use super::walk::PathWalk;

/// A step from a container to a child.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    /// A member, with the number of its key if the set has it.
    Member(Option<u32>),
    Element(u64),
}

/// The offset of the container that a step starts from, and the position of the child.
struct Origin {
    start: u64,
    position: u64,
}

impl PathWalk {
    /// Computes the threads of a child of the innermost frame, before it begins. Returns whether there are any.
    pub(super) fn step(&mut self, program: &Program, child: Child) -> bool {
        self.fresh = self.threads.len();
        self.fresh_candidates = 0;
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let start = frame.opened.as_ref().map_or(0, |opened| opened.start);
        let origin = Origin {
            start,
            position: frame.children,
        };
        let (mut own, states) = (frame.threads, frame.plan.states.len());
        let descends = !frame.plan.descending.is_empty();
        let key = match child {
            Child::Member(key) => key,
            Child::Element(_) => None,
        };
        // Both the states of the plan and the frame's own threads are sorted by state.
        for at in 0..states {
            let number = self.frames[self.frames.len() - 1].plan.states[at];
            let state = &program.states[number as usize];
            let first = own;
            while own < self.fresh && self.threads[own].state == number {
                own += 1;
            }
            if state.only_key.is_some() && state.only_key != key {
                continue;
            }
            if !state.descends {
                for thread in first..own {
                    self.step_from(program, thread, child, &origin);
                }
            } else if state
                .choices
                .iter()
                .any(|choice| self.chosen(choice, child).is_some())
            {
                for thread in 0..self.descents.count(number) {
                    let thread = self.descents.thread(number, thread);
                    self.step_from(program, thread, child, &origin);
                }
            }
        }
        if let (Child::Element(index), Some(frame)) = (child, self.frames.last_mut()) {
            let element = |step: &PendingStep| {
                let state = &program.states[self.threads[step.thread].state as usize];
                &state.choices[step.choice].element
            };
            frame
                .pending
                .decide_early(index + 1, element, &mut self.conditions);
        }
        descends || self.threads.len() > self.fresh
    }

    /// Takes the steps of one thread of the innermost frame to a child.
    fn step_from(&mut self, program: &Program, at: usize, child: Child, origin: &Origin) {
        let thread = self.threads[at];
        let state = &program.states[thread.state as usize];
        let first = self.threads.len();
        for (number, choice) in state.choices.iter().enumerate() {
            let Some((certain, filter)) = self.chosen(choice, child) else {
                continue;
            };
            let mut next = Thread {
                state: thread.state + 1,
                owns: false,
                matched: false,
                ..thread
            };
            if state.ordered || !certain || filter.is_some() {
                let truth = if certain && filter.is_none() {
                    Truth::Holds
                } else {
                    Truth::Open
                };
                let rank = state.ordered.then(|| {
                    let start = if state.descends { origin.start } else { 0 };
                    let place = match child {
                        Child::Element(index) if choice.element.is_backwards() => !index,
                        Child::Element(index) => index,
                        Child::Member(_) => origin.position,
                    };
                    [start, number as u64, place]
                });
                next.condition = self.conditions.open(thread.condition, truth, rank);
                next.owns = true;
            }
            if let Some(filter) = filter {
                self.begin_filter(program, filter, next.condition);
            } else if !certain {
                self.wait(at, number, child, next.condition);
            }
            self.threads[at].matched |= certain || matches!(child, Child::Member(_));
            self.add(program, next, first);
        }
    }

    /// Checks whether a choice may select a child. Returns whether that is certain, and the filter it depends on.
    #[inline]
    fn chosen(&self, choice: &Choice, child: Child) -> Option<(bool, Option<u32>)> {
        match child {
            Child::Member(key) => match choice.member {
                Member::Any => Some((true, None)),
                Member::Filter(filter) => Some((true, Some(filter))),
                Member::Key(selected) if key == Some(selected) => {
                    Some((self.options.duplicates == Duplicates::Each, None))
                }
                _ => None,
            },
            Child::Element(index) => match choice.element {
                Element::Filter(filter) => Some((true, Some(filter))),
                element => match element.selects(index, index + 1) {
                    Some(false) => None,
                    certain => Some((certain.is_some(), None)),
                },
            },
        }
    }

    /// Adds a fresh thread, or merges it into an equivalent one among those from `first` on.
    fn add(&mut self, program: &Program, thread: Thread, first: usize) {
        if program.merges && !program.states[thread.state as usize].ordered {
            let like = |other: &&mut Thread| other.identity() == thread.identity();
            if let Some(other) = self.threads[first..].iter_mut().find(like) {
                if !thread.owns {
                    self.conditions.hold(thread.condition);
                }
                other.merge(thread.condition, thread.copies, &mut self.conditions);
                return;
            }
        }
        self.threads.push(thread);
    }

    /// Starts a filter on the value that is about to begin.
    pub(super) fn begin_filter(&mut self, program: &Program, filter: u32, condition: u32) {
        let queries = &program.filters[filter as usize].queries;
        self.conditions.hold(condition);
        let number = self.pending_filters.begin(filter, condition, queries.len());
        self.fresh_candidates += 1;
        for &state in queries {
            self.threads.push(Thread::new(state, CERTAIN, number + 1));
        }
    }

    /// Records an undecided step of the innermost frame.
    fn wait(&mut self, thread: usize, choice: usize, child: Child, condition: u32) {
        self.conditions.hold(condition);
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let step = |index| PendingStep {
            thread,
            choice,
            index,
            condition,
        };
        match child {
            Child::Element(index) => frame.pending.element(step(index), &mut self.spare),
            Child::Member(_) => {
                let (conditions, spare) = (&mut self.conditions, &mut self.spare);
                frame.pending.member(step(self.at), conditions, spare);
            }
        }
    }
}
