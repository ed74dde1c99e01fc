//! What a set of states searches for in a container: computed once per set, not per container.

use std::sync::Arc;

use super::keys::Keys;
use super::program::{Element, Member, Program, State};

/// The search of the states that are active in one container, whatever their conditions.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In ascending order.
    pub(super) states: Box<[u32]>,
    pub(super) keys: Keys,
    /// Every member may match, whatever its key.
    pub(super) any_member: bool,
    /// Indices of the elements that may match.
    pub(super) elements: core::ops::Range<u64>,
    /// The states only search for keys, at any depth: all other tokens can be skipped.
    pub(super) only_keys: bool,
    /// There are no states: the whole container can be skipped.
    pub(super) idle: bool,
    /// The states that are active in the containers below too.
    pub(super) descending: Box<[u32]>,
    /// The states of `descending` that select every value below.
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
                let range = match choice.element {
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
                (first, end) = (first.min(range.start), end.max(range.end));
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

/// Cache of plans. A path with few descendant segments needs few; one with many may need as many as there are sets of
/// its states, so a new plan replaces the old one in its slot.
#[derive(Debug)]
pub(super) struct Plans {
    known: Vec<Option<Arc<Plan>>>,
    /// The set being looked up.
    set: Vec<u32>,
}

/// Capacity of the cache.
const KNOWN: usize = 64;

impl Plans {
    pub(super) fn new() -> Plans {
        Plans {
            known: vec![None; KNOWN],
            set: Vec::new(),
        }
    }

    /// Returns the plan of the given states, which may be unordered and contain duplicates.
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
        let slot = &mut self.known[self.set.iter().fold(0, mix) % KNOWN];
        match slot {
            Some(plan) if *plan.states == *self.set => Arc::clone(plan),
            _ => Arc::clone(slot.insert(Arc::new(Plan::new(program, &self.set)))),
        }
    }
}
