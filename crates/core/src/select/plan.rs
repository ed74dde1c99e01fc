//! The search of the states active in a container: computed once per set of states, not per container.

use std::sync::Arc;

use super::keys::SearchKeys;
use super::program::{Element, Member, Program, State};
use crate::path::Slice;

/// The search of a set of states that are active in one container, regardless of their conditions.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In ascending order.
    pub(super) states: Box<[u32]>,
    pub(super) keys: SearchKeys,
    /// Every member may match, whatever its key.
    pub(super) any_member: bool,
    /// Indices of the elements that may match.
    pub(super) elements: core::ops::Range<u64>,
    /// The states only search for keys, at any depth: all other tokens can be skipped.
    pub(super) only_keys: bool,
    /// There are no states: the whole container can be skipped.
    pub(super) idle: bool,
    /// The element indices that they depend on, in an array that is skipped.
    pub(super) indices: Indices,
    /// The states that are active in nested containers too.
    pub(super) descending: Box<[u32]>,
    /// The states of `descending` that select every value below.
    pub(super) itself: Box<[u32]>,
}

/// The element indices of an array that a set of states depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Indices {
    /// Indices do not matter.
    #[default]
    Unused,
    /// Elements from `from` on; the others only have to be counted. From `rest` on indices do not matter: a choice selects all or
    /// none.
    Known { from: u64, rest: u64 },
    /// All before this one; from there on indices do not matter.
    Before(u64),
    /// All.
    Any,
}

impl Indices {
    /// The union with the indices of an element.
    fn and(self, element: &Element) -> Indices {
        let one = match *element {
            Element::None | Element::Any | Element::Filter(_) => return self,
            Element::Index(from) => Indices::Known {
                from,
                rest: from + 1,
            },
            Element::Last(_) => Indices::Any,
            Element::Slice(Slice { start, end, step }) => match (start.unwrap_or(0), step) {
                (_, Some(..=0)) | (..0, _) => Indices::Any,
                (start, step) => Indices::Known {
                    from: start.unsigned_abs(),
                    rest: match (end, step) {
                        (Some(end @ 0..), _) => end.unsigned_abs(),
                        (None, None | Some(1)) => start.unsigned_abs(),
                        _ => u64::MAX,
                    },
                },
            },
        };
        match (self, one) {
            (Indices::Unused, one) => one,
            (
                Indices::Known { from, rest },
                Indices::Known {
                    from: first,
                    rest: all,
                },
            ) => Indices::Known {
                from: from.min(first),
                rest: rest.max(all),
            },
            _ => Indices::Any,
        }
    }
}

impl Plan {
    fn new(program: &Program, states: &[u32]) -> Plan {
        let mut keys = Vec::new();
        let mut any_member = false;
        let (mut first, mut end) = (u64::MAX, 0);
        let mut only_keys = !states.is_empty();
        let mut indices = Indices::Unused;
        let mut everywhere = false;
        for &state in states {
            let state = &program.states[state as usize];
            only_keys &= state.descends && !state.itself;
            any_member |= state.descends;
            everywhere |= state.descends;
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
                indices = indices.and(&choice.element);
                everywhere |= matches!(choice.element, Element::Any | Element::Filter(_));
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
            keys: SearchKeys::new(keys.into_iter().map(text)),
            any_member,
            elements: first..end,
            only_keys,
            idle: states.is_empty(),
            indices: match indices {
                Indices::Known { rest, .. } if everywhere => Indices::Before(rest),
                indices => indices,
            },
            descending: of(|state| state.descends),
            itself: of(|state| state.descends && state.itself),
        }
    }
}

/// Cache of plans. A path with few descendant segments needs few; one with many may need as many as there are sets of its states,
/// so a new plan replaces an old one if the cache is full.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    known: Vec<Option<Arc<Plan>>>,
    /// The set being looked up.
    set: Vec<u32>,
}

/// Capacity of the cache.
const KNOWN: usize = 64;

/// Number of slots probed for a plan, from that of its hash on.
const PROBED: usize = 8;

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
        if !self.set.is_sorted_by(|one, next| one < next) {
            self.set.sort_unstable();
            self.set.dedup();
        }
        let mix = |sum: usize, state: &u32| sum.wrapping_mul(31).wrapping_add(*state as usize);
        let first = self.set.iter().fold(0, mix);
        for probe in 0..PROBED {
            match &mut self.known[(first + probe) % KNOWN] {
                Some(plan) if *plan.states == *self.set => return Arc::clone(plan),
                Some(_) => {}
                slot => return Arc::clone(slot.insert(Arc::new(Plan::new(program, &self.set)))),
            }
        }
        let plan = Arc::new(Plan::new(program, &self.set));
        self.known[first % KNOWN] = Some(Arc::clone(&plan));
        plan
    }
}
