//! Values that begin and end, and the states that are at work in them.
//!
//! A thread is a state of the program in one value: what is to be applied to it next, under which condition, on whose
//! behalf. The threads of a value are computed from those of the container around it and the step into the value. Those
//! of the open values stand on one stack.

use std::collections::VecDeque;
use std::sync::Arc;

use super::conditions::{CERTAIN, Conditions, Truth};
use super::filter::{Candidate, Decision};
use super::plan::{Plan, Plans};
use super::program::{Accept, Choice, Element, Member, Need, Program};
use super::query::{Duplicates, QueryOptions};
use super::results::{Answer, Results};
use super::{Kind, Missing};
use crate::path::Location;

#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    state: u32,
    condition: u32,
    /// 0 for a path; else the candidate with this number less 1.
    owner: u32,
    /// How many derivations lead here.
    copies: u64,
    /// The condition was opened with the thread, which uses it.
    owns: bool,
    /// A step has led on from here.
    hit: bool,
}

/// What there is to do at the end of a value.
#[derive(Debug)]
pub(super) struct Opened {
    start: u64,
    kind: Kind,
    /// Its first thread.
    pub(super) threads: usize,
    /// Its matches: the number of the first, and how many.
    matches: (u64, usize),
    pub(super) captures: usize,
    candidates: usize,
    gathers: bool,
}

/// A container that something is looked for in.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) plan: Arc<Plan>,
    /// Its first thread.
    threads: usize,
    /// How many members or elements have been begun.
    pub(super) children: u64,
    /// Nothing more can be found in it.
    pub(super) spent: bool,
    /// How many open containers there are between this one and the frame around it.
    depth: u64,
    /// Steps that are not decided.
    pending: VecDeque<Pending>,
    /// None for an object that is noted only because a key in it may come again.
    pub(super) opened: Option<Opened>,
}

#[derive(Debug)]
struct Pending {
    thread: usize,
    choice: usize,
    index: u64,
    condition: u32,
}

/// A step from a container to a child.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    /// A member, and the number of its key when that is asked for.
    Member(Option<u32>),
    Element(u64),
}

/// The text of a value that a filter needs.
#[derive(Debug)]
struct Capture {
    thread: Thread,
    slot: u32,
    start: u64,
    text: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Walk {
    pub(super) options: QueryOptions,
    /// Plans that look for keys alone need no frames for the containers in between.
    pub(super) scans: bool,
    plans: Plans,
    conditions: Conditions,
    pub(super) results: Results,
    threads: Vec<Thread>,
    /// The first thread of the value that is about to begin, and how many candidates it has.
    fresh: usize,
    fresh_candidates: usize,
    pub(super) frames: Vec<Frame>,
    /// How many containers are open inside the innermost frame.
    pub(super) depth: u64,
    /// A number, string or literal that something is to be done about when it has ended.
    pub(super) scalar: Option<Opened>,
    /// Where it ends, as far as has been seen.
    pub(super) scalar_end: u64,
    pub(super) location: Location,
    captures: Vec<Capture>,
    candidates: Vec<Candidate>,
    free: Vec<u32>,
    /// The candidates of the open values.
    open: Vec<u32>,
    /// Candidates that wait for the end of the root, each with its round.
    waiting: Vec<(u32, u32)>,
    root: Option<u32>,
    gathering: usize,
    pub(super) state: super::tokens::State,
    pub(super) partial_key: Vec<u8>,
    /// Where the chunk ends, and how far in it the walk has come when a value ends.
    pub(super) at: u64,
    pub(super) here: u64,
}

impl Walk {
    pub(super) fn new(program: &Program, options: QueryOptions) -> Walk {
        Walk {
            options,
            scans: !options.locations && !program.states.iter().any(|state| state.ordered),
            plans: Plans::new(),
            conditions: Conditions::new(),
            results: Results::default(),
            threads: Vec::new(),
            fresh: 0,
            fresh_candidates: 0,
            frames: Vec::new(),
            depth: 0,
            scalar: None,
            scalar_end: 0,
            location: Location::default(),
            captures: Vec::new(),
            candidates: Vec::new(),
            free: Vec::new(),
            open: Vec::new(),
            waiting: Vec::new(),
            root: None,
            gathering: 0,
            state: super::tokens::State::Root,
            partial_key: Vec::new(),
            at: 0,
            here: 0,
        }
    }

    /// The next answer that is complete, certain and in order.
    pub(super) fn next_answer(&mut self) -> Option<Answer> {
        self.results.next_answer(&mut self.conditions)
    }

    /// Computes the threads of the value at the root that is about to begin.
    pub(super) fn enter_root(&mut self, program: &Program) {
        self.fresh = self.threads.len();
        self.fresh_candidates = 0;
        for &state in &program.starts {
            self.threads.push(Thread::new(state, CERTAIN, 0));
        }
        if !program.absolute.is_empty() {
            let number = self.candidate(0, CERTAIN, program.absolute.len());
            self.root = Some(number);
            for &state in &program.absolute {
                self.threads.push(Thread::new(state, CERTAIN, number + 1));
            }
        }
    }

    /// Computes the threads of a child of the innermost frame that is about to begin. Returns whether there are any.
    pub(super) fn step(&mut self, program: &Program, child: Child) -> bool {
        self.fresh = self.threads.len();
        self.fresh_candidates = 0;
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let start = frame.opened.as_ref().map_or(0, |opened| opened.start);
        let (from, position) = (frame.threads, frame.children);
        for at in from..self.fresh {
            let thread = self.threads[at];
            let state = &program.states[thread.state as usize];
            if state.descends {
                let below = Thread {
                    owns: false,
                    hit: false,
                    ..thread
                };
                self.add(program, below);
            }
            for (number, choice) in state.choices.iter().enumerate() {
                let Some((certain, filter)) = self.chosen(choice, child) else {
                    continue;
                };
                let mut next = Thread {
                    state: thread.state + 1,
                    owns: false,
                    hit: false,
                    ..thread
                };
                if state.ordered || !certain || filter.is_some() {
                    let truth = match certain && filter.is_none() {
                        true => Truth::Holds,
                        false => Truth::Open,
                    };
                    let rank = state.ordered.then(|| {
                        let origin = if state.descends { start } else { 0 };
                        let place = match child {
                            Child::Element(index) if choice.element.is_backwards() => !index,
                            Child::Element(index) => index,
                            Child::Member(_) => position,
                        };
                        [origin, number as u64, place]
                    });
                    next.condition = self.conditions.open(thread.condition, truth, rank);
                    next.owns = true;
                }
                if let Some(filter) = filter {
                    self.ask(program, filter, next.condition);
                } else if !certain {
                    self.wait(at, number, child, next.condition);
                }
                self.threads[at].hit |= certain || matches!(child, Child::Member(_));
                self.add(program, next);
            }
        }
        if let Child::Element(index) = child {
            self.decide_early(program, index + 1);
        }
        self.threads.len() > self.fresh
    }

    /// Whether a choice may select a child: whether that is certain, and the filter it depends on.
    #[inline]
    fn chosen(&self, choice: &Choice, child: Child) -> Option<(bool, Option<u32>)> {
        match child {
            Child::Member(key) => match choice.member {
                Member::Any => Some((true, None)),
                Member::Filter(filter) => Some((true, Some(filter))),
                Member::Key(wanted) if key == Some(wanted) => {
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

    /// Adds a thread to the fresh ones, or to the copies of one like it.
    fn add(&mut self, program: &Program, thread: Thread) {
        if program.merges && !thread.owns {
            let like = |other: &&mut Thread| {
                (other.state, other.condition, other.owner)
                    == (thread.state, thread.condition, thread.owner)
            };
            if let Some(other) = self.threads[self.fresh..].iter_mut().find(like) {
                other.copies = other.copies.saturating_add(thread.copies);
                return;
            }
        }
        self.threads.push(thread);
    }

    /// Lets a filter look at the value that is about to begin.
    fn ask(&mut self, program: &Program, filter: u32, condition: u32) {
        let queries = &program.filters[filter as usize].queries;
        self.conditions.hold(condition);
        let number = self.candidate(filter, condition, queries.len());
        self.open.push(number);
        self.fresh_candidates += 1;
        for &state in queries {
            self.threads.push(Thread::new(state, CERTAIN, number + 1));
        }
    }

    fn candidate(&mut self, filter: u32, condition: u32, slots: usize) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.candidates.push(Candidate::default());
            self.candidates.len() as u32 - 1
        });
        self.candidates[number as usize].reset(filter, condition, slots);
        number
    }

    /// Notes a step of the innermost frame that is not decided. An earlier one to the same key has failed.
    fn wait(&mut self, thread: usize, choice: usize, child: Child, condition: u32) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let index = match child {
            Child::Element(index) => index,
            Child::Member(_) => 0,
        };
        if let Child::Member(_) = child {
            let like = |one: &&mut Pending| one.thread == thread && one.choice == choice;
            if let Some(earlier) = frame.pending.iter_mut().find(like) {
                self.conditions.decide(earlier.condition, false);
                self.conditions.release(earlier.condition);
                self.conditions.mark_again(condition);
                self.conditions.hold(condition);
                earlier.condition = condition;
                return;
            }
        }
        self.conditions.hold(condition);
        frame.pending.push_back(Pending {
            thread,
            choice,
            index,
            condition,
        });
    }

    /// Decides those steps of the innermost frame, an array of so many elements or more, that can be decided.
    fn decide_early(&mut self, program: &Program, least: u64) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        while let Some(first) = frame.pending.front() {
            let state = &program.states[self.threads[first.thread].state as usize];
            let element = &state.choices[first.choice].element;
            let Some(selected) = element.selects(first.index, least) else {
                break;
            };
            self.conditions.decide(first.condition, selected);
            self.conditions.release(first.condition);
            frame.pending.pop_front();
        }
    }

    /// Begins the value that the fresh threads are for. Returns it when it is a scalar that has to be ended.
    pub(super) fn begin(&mut self, program: &Program, kind: Kind, start: u64) -> Option<Opened> {
        let mut opened = Opened {
            start,
            kind,
            threads: self.fresh,
            matches: (self.results.next(), 0),
            captures: 0,
            candidates: self.fresh_candidates,
            gathers: false,
        };
        let mut kept = self.fresh;
        let mut at = self.fresh;
        while at < self.threads.len() {
            let thread = self.threads[at];
            at += 1;
            let state = &program.states[thread.state as usize];
            if state.itself {
                self.add_itself(program, thread, start);
            }
            let Some(accept) = state.accept else {
                opened.gathers |= state.disorders;
                self.threads[kept] = thread;
                kept += 1;
                continue;
            };
            if !thread.owns {
                self.conditions.hold(thread.condition);
            }
            self.accept(accept, thread, &mut opened);
        }
        self.threads.truncate(kept);
        if opened.gathers {
            self.gathering += 1;
            self.results.gather();
        }
        let container = matches!(kind, Kind::Object | Kind::Array);
        if container {
            let states = self.threads[self.fresh..].iter().map(|t| t.state);
            let plan = self.plans.find(program, states);
            self.push(kind, plan, self.fresh, Some(opened));
            return None;
        }
        Some(opened)
    }

    /// Takes a scalar when nothing but matches is to be had of it, as mostly. False when that is not so.
    #[inline]
    pub(super) fn leaf(&mut self, program: &Program, start: u64, end: u64) -> bool {
        let fresh = self.fresh..self.threads.len();
        let is_simple = |thread: &Thread| {
            let state = &program.states[thread.state as usize];
            matches!(state.accept, None | Some(Accept::Path(_)))
                && !state.itself
                && !state.disorders
                && state.single.is_none()
        };
        if self.options.locations
            || self.frames.is_empty()
            || self.fresh_candidates > 0
            || !self.threads[fresh.clone()].iter().all(is_simple)
        {
            return false;
        }
        for at in fresh {
            let thread = self.threads[at];
            let condition = thread.condition;
            match program.states[thread.state as usize].accept {
                Some(Accept::Path(path)) => {
                    if !thread.owns {
                        self.conditions.hold(condition);
                    }
                    let span = (start, end);
                    self.results.add(path, condition, span, thread.copies);
                }
                _ if thread.owns => self.conditions.release(condition),
                _ => {}
            }
        }
        self.threads.truncate(self.fresh);
        self.results.trim(&mut self.conditions);
        true
    }

    /// The value that begins is selected itself by a thread of its own.
    fn add_itself(&mut self, program: &Program, thread: Thread, start: u64) {
        let mut next = Thread {
            state: thread.state + 1,
            owns: false,
            ..thread
        };
        if program.states[thread.state as usize].ordered {
            let rank = Some([start, 0, 0]);
            next.condition = self.conditions.open(thread.condition, Truth::Holds, rank);
            next.owns = true;
        }
        self.threads.push(next);
    }

    /// A query ends at the value that begins. Uses the thread's condition.
    fn accept(&mut self, accept: Accept, thread: Thread, opened: &mut Opened) {
        let Thread {
            condition, copies, ..
        } = thread;
        match accept {
            Accept::Path(path) => {
                let location = self.options.locations.then_some(&self.location);
                let start = opened.start;
                self.results
                    .begin(path, condition, start, copies, location);
                opened.matches.1 += 1;
            }
            Accept::Slot(slot, Need::Count) => {
                let candidate = &mut self.candidates[thread.owner as usize - 1];
                candidate.count(slot, condition, copies, &mut self.conditions);
            }
            Accept::Slot(slot, Need::Text) => {
                opened.captures += 1;
                self.captures.push(Capture {
                    thread,
                    slot,
                    start: opened.start,
                    text: Vec::new(),
                });
            }
        }
    }

    fn push(&mut self, kind: Kind, plan: Arc<Plan>, threads: usize, opened: Option<Opened>) {
        self.frames.push(Frame {
            kind,
            plan,
            threads,
            children: 0,
            spent: false,
            depth: self.depth,
            pending: VecDeque::new(),
            opened,
        });
        self.depth = 0;
    }

    /// Makes a frame of the innermost open container, an object, in which a key is asked for.
    pub(super) fn push_scanned(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (plan, from, to) = (Arc::clone(&frame.plan), frame.threads, self.threads.len());
        for at in from..to {
            self.threads.push(Thread {
                owns: false,
                hit: false,
                ..self.threads[at]
            });
        }
        self.depth -= 1;
        self.push(Kind::Object, plan, to, None);
    }

    /// The innermost frame is closed by the bracket before `end`.
    pub(super) fn close(&mut self, program: &Program, end: u64) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        self.depth = frame.depth;
        for pending in frame.pending.drain(..) {
            let thread = &mut self.threads[pending.thread];
            let state = &program.states[thread.state as usize];
            let selected = match (frame.kind, &state.choices[pending.choice]) {
                (Kind::Array, choice) => choice.element.selects_of(pending.index, frame.children),
                _ => true,
            };
            thread.hit |= selected;
            self.conditions.decide(pending.condition, selected);
            self.conditions.release(pending.condition);
        }
        match frame.opened {
            Some(opened) => self.end(program, opened, end, frame.children),
            None => {
                self.threads.truncate(frame.threads);
                self.results.trim(&mut self.conditions);
            }
        }
    }

    /// Ends a value before `end`. It had so many children.
    pub(super) fn end(&mut self, program: &Program, opened: Opened, end: u64, children: u64) {
        for at in opened.threads..self.threads.len() {
            let thread = self.threads[at];
            let state = &program.states[thread.state as usize];
            if let (Some((path, step)), false) = (state.single, thread.hit) {
                let index = matches!(
                    state.choices[0].element,
                    Element::Index(_) | Element::Last(_)
                );
                let missing = Missing {
                    steps: step as usize,
                    start: opened.start,
                    kind: opened.kind,
                    length: (opened.kind == Kind::Array && index).then_some(children),
                };
                self.conditions.hold(thread.condition);
                self.results
                    .missing(path, thread.condition, missing, self.here);
            }
            if thread.owns {
                self.conditions.release(thread.condition);
            }
        }
        self.threads.truncate(opened.threads);
        self.end_captures(opened.captures, end);
        for _ in 0..opened.candidates {
            let Some(number) = self.open.pop() else {
                break;
            };
            let filter = self.candidates[number as usize].filter;
            match program.filters[filter as usize].round {
                0 => self.decide(program, number),
                round => self.waiting.push((round, number)),
            }
        }
        let (first, count) = opened.matches;
        if count > 0 {
            self.results.end(first, count, end);
        }
        if opened.gathers {
            self.gathering -= 1;
            if self.gathering == 0 {
                let ordered = |path: u32| {
                    let start = program.starts[path as usize];
                    program.states[start as usize].ordered
                };
                self.results.sort(&self.conditions, ordered);
            }
        }
        if self.options.locations && !self.frames.is_empty() {
            self.location.pop();
        }
        self.results.trim(&mut self.conditions);
        if self.frames.is_empty() {
            self.end_root(program);
        }
    }

    fn end_captures(&mut self, count: usize, end: u64) {
        for _ in 0..count {
            if let Some(mut capture) = self.captures.pop() {
                let Thread {
                    owner,
                    condition,
                    copies,
                    ..
                } = capture.thread;
                capture.text.truncate((end - capture.start) as usize);
                let candidate = &mut self.candidates[owner as usize - 1];
                candidate.add(capture.slot, condition, copies, capture.text);
            }
        }
    }

    /// Copies the bytes up to `end` of the chunk that the walk is in to the newest captures, which end there.
    pub(super) fn capture(&mut self, count: usize, offset: u64, bytes: &[u8]) {
        let from = self.captures.len() - count;
        for capture in &mut self.captures[from..] {
            let from = capture.start.saturating_sub(offset) as usize;
            capture.text.extend_from_slice(bytes.get(from..).unwrap_or_default());
        }
    }

    /// How many values are being copied.
    pub(super) fn capturing(&self) -> usize {
        self.captures.len()
    }

    fn decide(&mut self, program: &Program, number: u32) {
        let candidate = &self.candidates[number as usize];
        let condition = candidate.condition;
        let decision = Decision {
            candidate,
            root: self.root.map(|root| &self.candidates[root as usize]),
            conditions: &self.conditions,
        };
        let test = &program.filters[candidate.filter as usize].test;
        let holds = test.as_ref().is_some_and(|test| decision.holds(test));
        self.conditions.decide(condition, holds);
        self.conditions.release(condition);
        self.candidates[number as usize].clear(&mut self.conditions);
        self.free.push(number);
    }

    fn end_root(&mut self, program: &Program) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|(round, _)| *round);
        for (_, number) in waiting {
            self.decide(program, number);
        }
        if let Some(root) = self.root.take() {
            self.candidates[root as usize].clear(&mut self.conditions);
            self.free.push(root);
        }
        self.results.end_root(&mut self.conditions);
        self.state = super::tokens::State::Root;
    }

    /// Whether all that was opened has been given back.
    #[cfg(test)]
    pub(super) fn is_clean(&self) -> bool {
        self.conditions.in_use() == 0 && self.threads.is_empty() && self.captures.is_empty()
    }
}

impl Thread {
    fn new(state: u32, condition: u32, owner: u32) -> Thread {
        Thread {
            state,
            condition,
            owner,
            copies: 1,
            owns: false,
            hit: false,
        }
    }
}
