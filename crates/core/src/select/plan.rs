//! What a set of states asks of the containers below it: found out once, not for every container.

use std::sync::Arc;

use super::keys::Keys;
use super::program::{Element, Member, Program, State};

/// What the states that are at work in one container look for there, whatever conditions they carry.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In rising order.
    pub(super) states: Box<[u32]>,
    pub(super) keys: Keys,
    /// Members are looked at whatever their keys are.
    pub(super) any_member: bool,
    /// The elements that may be looked at: from the first to before the last.
    pub(super) elements: core::ops::Range<u64>,
    /// All that is looked for is keys, at any depth: everything else can be passed over.
    pub(super) only_keys: bool,
    /// Nothing is looked for.
    pub(super) idle: bool,
    /// The states that are at work in the containers below too.
    pub(super) descending: Box<[u32]>,
    /// Of these, the ones that select every value below.
    pub(super) itself: Box<[u32]>,
}

impl Plan {
    fn new(program: &Program, states: &[u32]) -> Plan {
        let mut keys = Vec::new();
        let mut any_member = false;
        let (mut first, mut end) = (u64::MAX, 0);
        let mut only_keys = !states.is_empty();
        for &state in states {
            let state = &program.states[state as usize];
            only_keys &= state.descends && !state.itself;
            any_member |= state.descends;
            if state.descends {
                (first, end) = (0, u64::MAX);
            }
            for choice in &state.choices {
                match choice.member {
                    Member::Key(key) => keys.push(key),
                    Member::None => {}
                    Member::Any | Member::Filter(_) => {
                        any_member = true;
                        only_keys = false;
                    }
                }
                let wanted = match choice.element {
                    Element::None => continue,
                    Element::Index(index) => index..index + 1,
                    Element::Slice(slice) => match (slice.start, slice.end, slice.step) {
                        (Some(start @ 0..), Some(end @ 0..), None | Some(1..)) => {
                            start.unsigned_abs()..end.unsigned_abs()
                        }
                        _ => 0..u64::MAX,
                    },
                    Element::Last(_) | Element::Any | Element::Filter(_) => 0..u64::MAX,
                };
                only_keys = false;
                (first, end) = (first.min(wanted.start), end.max(wanted.end));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let of = |is: fn(&State) -> bool| {
            let states = states.iter().copied();
            states
                .filter(|&state| is(&program.states[state as usize]))
                .collect()
        };
        let text = |key: u32| (key, program.keys[key as usize].clone());
        Plan {
            states: states.into(),
            keys: Keys::new(keys.into_iter().map(text)),
            any_member,
            elements: first..end,
            only_keys,
            idle: states.is_empty(),
            descending: of(|state| state.descends),
            itself: of(|state| state.descends && state.itself),
        }
    }
}

/// The plans that have been needed so far. A path with few descents needs few; one with many may need as many as there
/// are sets of its states, so old ones are forgotten.
#[derive(Debug)]
pub(super) struct Plans {
    known: Vec<Option<Arc<Plan>>>,
    /// The states of the set that is being asked for.
    set: Vec<u32>,
}

/// How many plans are remembered.
const KNOWN: usize = 64;

impl Plans {
    pub(super) fn new() -> Plans {
        Plans {
            known: vec![None; KNOWN],
            set: Vec::new(),
        }
    }

    /// The plan for some states, in any order, with repetitions.
    pub(super) fn find(
        &mut self,
        program: &Program,
        states: impl Iterator<Item = u32>,
    ) -> Arc<Plan> {
        self.set.clear();
        self.set.extend(states);
        self.set.sort_unstable();
        self.set.dedup();
        let mix = |sum: usize, state: &u32| sum.wrapping_mul(31).wrapping_add(*state as usize);
        let place = &mut self.known[self.set.iter().fold(0, mix) % KNOWN];
        match place {
            Some(plan) if *plan.states == *self.set => Arc::clone(plan),
            _ => Arc::clone(place.insert(Arc::new(Plan::new(program, &self.set)))),
        }
    }
}
