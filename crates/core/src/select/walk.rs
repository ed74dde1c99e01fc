//! Begins and ends values, and tracks the states active in them.
//!
//! A thread is a state of the program in one value: the next segment to apply, its condition, and its owner. The threads of a
//! value are computed from those of the enclosing container and the step into the value; those active at any depth stay where
//! they began (`descents.rs`). The threads of all open values share one stack.

use std::sync::Arc;

use super::Missing;
use super::candidate::Captured;
use super::conditions::{CERTAIN, Conditions, Truth};
use super::descents::Descents;
use super::filter::Need;
use super::frame::{Frame, Opened};
use super::options::QueryOptions;
use super::pending::{Pending, Spare};
use super::pending_filters::PendingFilters;
use super::plan::{Plan, Plans};
use super::positions::Positions;
use super::program::{Accept, Element, Program};
use super::results::{Answer, Results};
use super::thread::Thread;
use super::tree::{RecordResults, Tree};
use crate::assembler::TokenAssembler;
use crate::token::{Chunk, Kind};

/// The meaning of the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The start of a value at the root.
    Root,
    /// Any token in the innermost frame, or in a container inside it.
    Inside,
    /// The assembler has a string that may be a key of the set.
    Key,
    /// The colon after a key, with the number of the key if it is in the set.
    Colon(Option<u32>),
    /// The start of a value that has threads.
    Value,
    /// The start of a value to skip.
    SkippedValue,
}

#[derive(Clone, Debug)]
pub(super) struct PathWalk {
    pub(super) options: QueryOptions,
    /// The location of the walk is known.
    pub(super) locates: bool,
    /// Plans that only search for keys need no frames for intermediate containers.
    pub(super) scans: bool,
    plans: Plans,
    pub(super) conditions: Conditions,
    pub(super) results: Results,
    pub(super) threads: Vec<Thread>,
    pub(super) descents: Descents,
    /// The first thread and the number of candidates of the value that is about to begin.
    pub(super) fresh: usize,
    pub(super) fresh_candidates: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) spare: Spare,
    /// For records, which need no walk.
    pub(super) tree: Option<Arc<Tree>>,
    pub(super) record_results: RecordResults,
    /// Number of open containers inside the innermost frame.
    pub(super) depth: u64,
    /// With locations, the number of commas so far in each open container that a search for keys entered.
    pub(super) commas: Vec<u64>,
    /// The number, string or literal at the end of the last chunk, if it has work to do at its end.
    pub(super) scalar: Option<Opened>,
    /// That scalar, or a string that may be a key.
    pub(super) assembler: TokenAssembler,
    /// The offsets of tokens in the current chunk.
    pub(super) positions: Positions,
    /// The same for the containers that a search enters.
    pub(super) entered_positions: Positions,
    pub(super) pending_filters: PendingFilters,
    /// Number of open values whose matches are sorted at their end.
    pub(super) sorting: usize,
    pub(super) state: Expected,
    /// Offsets: the end of the chunk, and the position of the walk at the end of the last value.
    pub(super) at: u64,
    pub(super) position: u64,
}

impl PathWalk {
    pub(super) fn new(program: &Program, options: QueryOptions) -> PathWalk {
        let locates = options.locations;
        PathWalk {
            options,
            locates,
            scans: !program.states.iter().any(|state| state.ordered),
            plans: Plans::new(),
            conditions: Conditions::new(),
            results: Results::default(),
            threads: Vec::new(),
            descents: Descents::new(program),
            fresh: 0,
            fresh_candidates: 0,
            frames: Vec::new(),
            spare: Spare::default(),
            tree: if locates {
                None
            } else {
                Tree::new(program).map(Arc::new)
            },
            record_results: RecordResults::default(),
            depth: 0,
            commas: Vec::new(),
            scalar: None,
            assembler: TokenAssembler::default(),
            positions: Positions::default(),
            entered_positions: Positions::default(),
            pending_filters: PendingFilters::default(),
            sorting: 0,
            state: Expected::Root,
            at: 0,
            position: 0,
        }
    }

    /// The next answer that is complete, certain and in order.
    #[cfg(feature = "serde")]
    pub(super) fn next_unresolved(&mut self) -> Option<(Answer, Option<u32>)> {
        self.results.next_unresolved(&mut self.conditions)
    }

    /// The same, with its location resolved.
    pub(super) fn next_answer(&mut self) -> Option<Answer> {
        self.results.next_answer(&mut self.conditions)
    }

    /// Assumes that the keys of the open objects that were read before the offset `before` are unique.
    pub(super) fn assume_unique_keys(&mut self, before: u64) {
        // Matches that are to be sorted would not be returned any earlier.
        if self.sorting > 0 {
            return;
        }
        // From the outermost object in: a key inside depends on the keys around it.
        for frame in &mut self.frames {
            if frame.kind == Kind::Object {
                frame
                    .pending
                    .assume_unique_keys(before, &mut self.conditions);
            }
        }
    }

    /// Computes the threads of a value at the root, before it begins.
    pub(super) fn enter_root(&mut self, program: &Program) {
        self.fresh = self.threads.len();
        self.fresh_candidates = 0;
        for &state in &program.starts {
            self.threads.push(Thread::new(state, CERTAIN, 0));
        }
        if !program.absolute.is_empty() {
            let number = self.pending_filters.begin_root(program.absolute.len());
            for &state in &program.absolute {
                self.threads.push(Thread::new(state, CERTAIN, number + 1));
            }
        }
    }

    /// Begins the value of the fresh threads. Returns it if it is a scalar that has to be ended.
    pub(super) fn begin(&mut self, program: &Program, kind: Kind, start: u64) -> Option<Opened> {
        let mut opened = Opened {
            start,
            kind,
            threads: self.fresh,
            first_match: self.results.next(),
            matches: 0,
            captures: 0,
            candidates: 0,
            sorts: false,
            counts: false,
        };
        self.add_all_below(program, start);
        let mut retained = self.fresh;
        let mut at = self.fresh;
        while at < self.threads.len() {
            let thread = self.threads[at];
            at += 1;
            let state = &program.states[thread.state as usize];
            if state.itself {
                self.add_itself(program, thread, start);
            }
            let Some(accept) = state.accept else {
                opened.sorts |= state.disorders;
                self.threads[retained] = thread;
                retained += 1;
                continue;
            };
            if !thread.owns {
                self.conditions.hold(thread.condition);
            }
            self.accept(accept, thread, &mut opened);
        }
        opened.candidates = self.fresh_candidates as u32;
        self.threads.truncate(retained);
        if opened.sorts {
            self.sorting += 1;
            self.results.begin_sort();
        }
        let container = matches!(kind, Kind::Object | Kind::Array);
        if container {
            let fresh = &mut self.threads[self.fresh..];
            if !fresh.is_sorted_by_key(|thread| thread.state) {
                fresh.sort_by_key(|thread| thread.state);
            }
            let states = fresh.iter().map(|thread| thread.state);
            let around = self.frames.last().map(|frame| &*frame.plan.descending);
            let around = around.unwrap_or_default().iter().copied();
            let plan = self.plans.find(program, states.chain(around));
            self.descents.enter(
                program,
                &mut self.threads,
                self.fresh,
                &mut self.conditions,
                &mut self.pending_filters,
            );
            self.push(kind, plan, self.fresh, Some(opened));
            return None;
        }
        Some(opened)
    }

    /// Fast path for a scalar, at `from..to` of a chunk, that only needs its matches recorded. Returns `false` for any other.
    #[inline]
    pub(super) fn leaf(
        &mut self,
        program: &Program,
        chunk: &Chunk<'_>,
        (from, to): (usize, usize),
    ) -> bool {
        let before = self.threads.len();
        let is_simple = |thread: &Thread| {
            let state = &program.states[thread.state as usize];
            matches!(state.accept, None | Some(Accept::Path(_)))
                && !state.itself
                && !state.disorders
                && state.single.is_none()
        };
        if self.locates
            || self.fresh_candidates > 0
            || !self.add_leaf_below(program)
            || !self.threads[self.fresh..].iter().all(is_simple)
        {
            self.threads.truncate(before);
            return false;
        }
        let span = (chunk.offset + from as u64, chunk.offset + to as u64);
        for at in self.fresh..self.threads.len() {
            let thread = self.threads[at];
            let condition = thread.condition;
            match program.states[thread.state as usize].accept {
                Some(Accept::Path(path)) => {
                    if !thread.owns {
                        self.conditions.hold(condition);
                    }
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

    /// Applies the threads of outer containers that select every value below to a scalar. Returns `false` if that takes more.
    fn add_leaf_below(&mut self, program: &Program) -> bool {
        let Some(plan) = self.frames.last().map(|frame| &frame.plan) else {
            // With a value at the root, more ends.
            return false;
        };
        if plan.itself.is_empty() {
            return true;
        }
        for &state in &Arc::clone(plan).itself {
            if program.states[state as usize].ordered {
                return false;
            }
            for thread in 0..self.descents.count(state) {
                let thread = self.threads[self.descents.thread(state, thread)];
                self.threads.push(Thread {
                    state: state + 1,
                    owns: false,
                    ..thread
                });
            }
        }
        true
    }

    /// Applies the threads of outer containers that select every value below to the value that begins.
    fn add_all_below(&mut self, program: &Program, start: u64) {
        let Some(frame) = self
            .frames
            .last()
            .filter(|frame| !frame.plan.itself.is_empty())
        else {
            return;
        };
        let plan = Arc::clone(&frame.plan);
        for &state in &plan.itself {
            for number in 0..self.descents.count(state) {
                let thread = self.threads[self.descents.thread(state, number)];
                self.add_itself(program, thread, start);
            }
        }
    }

    /// Lets a thread select the value itself that begins.
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

    /// Accepts the value that begins as a result of a query. Consumes a use of the thread's condition.
    fn accept(&mut self, accept: Accept, thread: Thread, opened: &mut Opened) {
        let Thread {
            condition, copies, ..
        } = thread;
        match accept {
            Accept::Path(path) => {
                let start = opened.start;
                let with_location = self.options.locations;
                self.results
                    .begin(path, condition, start, copies, with_location);
                opened.matches += 1;
            }
            Accept::Slot(slot, need) => {
                let to = (thread.owner - 1, slot);
                let is_container = matches!(opened.kind, Kind::Array | Kind::Object);
                let captured = match (need, opened.kind) {
                    (Need::Count, _) => Captured::Nothing,
                    (Need::Scalar, Kind::Array) => Captured::StandIn(b"[]"),
                    (Need::Scalar, Kind::Object) => Captured::StandIn(b"{}"),
                    _ => {
                        let counts = need == Need::Length && is_container;
                        opened.counts |= counts;
                        opened.captures += 1;
                        return self.pending_filters.capture(
                            to,
                            condition,
                            copies,
                            opened.start,
                            counts,
                        );
                    }
                };
                self.pending_filters
                    .add(to, condition, copies, captured, &mut self.conditions);
            }
        }
    }

    fn push(&mut self, kind: Kind, plan: Arc<Plan>, threads: usize, opened: Option<Opened>) {
        let counts = opened.as_ref().is_some_and(|opened| opened.counts);
        self.frames.push(Frame {
            kind,
            plan,
            threads,
            children: 0,
            spent: false,
            depth: self.depth,
            pending: Pending::default(),
            counts,
            keys: (counts && kind == Kind::Object).then(Box::default),
            opened,
        });
        self.depth = 0;
    }

    /// Pushes a frame for the innermost open container, an object in which a key of the set was found.
    pub(super) fn push_scanned(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        // All states of the plan are active at any depth, so the frame needs no threads of its own.
        let plan = Arc::clone(&frame.plan);
        self.depth -= 1;
        self.push(Kind::Object, plan, self.threads.len(), None);
    }

    /// Closes the innermost frame, whose bracket ends at `end`.
    pub(super) fn close(&mut self, program: &Program, end: u64) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.depth = frame.depth;
        let spare = &mut self.spare;
        frame.pending.decide(&mut self.conditions, spare, |step| {
            let thread = &mut self.threads[step.thread];
            let choice = &program.states[thread.state as usize].choices[step.choice];
            let selected = match frame.kind {
                Kind::Array => choice.element.selects_of(step.index, frame.children),
                _ => true,
            };
            thread.matched |= selected;
            selected
        });
        match frame.opened {
            Some(opened) => {
                let children = frame.keys.map_or(frame.children, |keys| keys.len());
                self.end(program, opened, end, children);
            }
            None => {
                if self.locates {
                    self.results.locations.pop();
                    self.commas.pop();
                }
                self.results.trim(&mut self.conditions);
            }
        }
    }

    /// Ends a value at `end`, which had `children` members or elements.
    pub(super) fn end(&mut self, program: &Program, opened: Opened, end: u64, children: u64) {
        for at in opened.threads..self.threads.len() {
            let thread = self.threads[at];
            let state = &program.states[thread.state as usize];
            if let (Some((path, step)), false) = (state.single, thread.matched) {
                let index = matches!(
                    state.choices[0].element,
                    Element::Index(_) | Element::Last(_)
                );
                let missing = Missing {
                    steps: step as usize,
                    start: opened.start,
                    end,
                    kind: opened.kind,
                    length: (opened.kind == Kind::Array && index).then_some(children),
                };
                self.conditions.hold(thread.condition);
                self.results
                    .missing(path, thread.condition, missing, self.position);
            }
            if thread.owns {
                self.conditions.release(thread.condition);
            }
        }
        self.threads.truncate(opened.threads);
        self.descents.leave(opened.threads);
        let conditions = &mut self.conditions;
        let captures = opened.captures as usize;
        self.pending_filters
            .end_captures(program, captures, (end, children), conditions);
        self.pending_filters
            .end(program, opened.candidates as usize, conditions);
        if opened.matches > 0 {
            self.results
                .end(opened.first_match, opened.matches as usize, end);
        }
        if opened.sorts {
            self.sorting -= 1;
            if self.sorting == 0 {
                let ordered = |path: u32| {
                    let start = program.starts[path as usize];
                    program.states[start as usize].ordered
                };
                self.results.sort(&self.conditions, ordered);
            }
        }
        if self.locates && !self.frames.is_empty() {
            self.results.locations.pop();
        }
        self.results.trim(&mut self.conditions);
        if self.frames.is_empty() {
            self.end_root(program);
        }
    }

    fn end_root(&mut self, program: &Program) {
        self.pending_filters.end_root(program, &mut self.conditions);
        self.results.end_root(&mut self.conditions);
        self.state = Expected::Root;
    }

    /// Whether everything opened has been released.
    #[cfg(test)]
    pub(super) fn is_clean(&self) -> bool {
        self.conditions.in_use() == 0
            && self.threads.is_empty()
            && self.descents.is_empty()
            && self.pending_filters.is_clean()
            && self.results.locations.in_use() == 0
    }
}
