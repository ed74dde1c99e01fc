//! Steps from one container that are decided at its end or shortly before.

use std::collections::VecDeque;

use super::conditions::Conditions;
use super::program::Element;

/// An undecided step.
#[derive(Clone, Debug)]
pub(super) struct PendingStep {
    /// The thread that it starts from, and the index of the choice in the state of that thread.
    pub(super) thread: usize,
    pub(super) choice: usize,
    /// In an array, the index of the element. In an object, the end offset of the chunk that the key ends in.
    pub(super) index: u64,
    /// The step owns a use of its condition.
    pub(super) condition: u32,
}

/// Steps in the order in which they were taken. Boxed because most containers have none, and there may be as many open
/// containers as bytes of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending(Option<Box<Waiting>>);

#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    steps: VecDeque<PendingStep>,
    /// Steps to members, by thread and choice, that were decided before the end of the object.
    settled: Vec<(usize, usize)>,
}

/// Reusable lists of containers that have ended.
#[derive(Clone, Debug, Default)]
#[expect(clippy::vec_box, reason = "containers take them as they are")]
pub(super) struct Spare(Vec<Box<Waiting>>);

/// Maximum number of reusable lists: containers with steps are seldom nested deeper.
const MAX_SPARE: usize = 8;

/// Maximum capacity of a reusable list; longer ones are freed.
const LONG: usize = 64;

impl Spare {
    fn take(&mut self) -> Box<Waiting> {
        self.0.pop().unwrap_or_default()
    }

    fn put(&mut self, mut waiting: Box<Waiting>) {
        if self.0.len() < MAX_SPARE && waiting.steps.capacity() <= LONG {
            waiting.steps.clear();
            waiting.settled.clear();
            self.0.push(waiting);
        }
    }
}

impl Pending {
    pub(super) fn element(&mut self, step: PendingStep, spare: &mut Spare) {
        let waiting = self.0.get_or_insert_with(|| spare.take());
        waiting.steps.push_back(step);
    }

    /// Adds a step to a member. The last of the members with the same key wins: an earlier step fails.
    pub(super) fn member(
        &mut self,
        step: PendingStep,
        conditions: &mut Conditions,
        spare: &mut Spare,
    ) {
        let waiting = self.0.get_or_insert_with(|| spare.take());
        if waiting.settled.contains(&(step.thread, step.choice)) {
            // The earlier match has been returned, so this one matches too.
            conditions.mark_duplicate(step.condition);
            conditions.late_duplicates = true;
            conditions.decide(step.condition, true);
            conditions.release(step.condition);
            return;
        }
        let mut steps = waiting.steps.iter_mut();
        match steps.find(|one| (one.thread, one.choice) == (step.thread, step.choice)) {
            Some(earlier) => {
                conditions.decide(earlier.condition, false);
                conditions.release(earlier.condition);
                conditions.mark_duplicate(step.condition);
                *earlier = step;
            }
            None => waiting.steps.push_back(step),
        }
    }

    /// Whether no step is undecided.
    pub(super) fn is_settled(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|waiting| waiting.steps.is_empty())
    }

    /// Whether an undecided step here was decided `before`, or has a key that `before` assumed to be unique.
    pub(super) fn repeats(&self, before: &Pending) -> bool {
        let (Some(waiting), Some(before)) = (&self.0, &before.0) else {
            return false;
        };
        let mut steps = waiting.steps.iter();
        steps.any(|step| before.settled.contains(&(step.thread, step.choice)))
    }

    /// Adds the steps that were decided `before`.
    pub(super) fn follow(&mut self, before: Pending) {
        if let Some(before) = before.0 {
            self.0.get_or_insert_default().settled = before.settled;
        }
    }

    /// Decides the steps to members whose keys were read before the offset `before`, assuming that the keys are unique.
    /// Steps that depend on another undecided condition remain: their matches could not be returned any sooner.
    pub(super) fn assume_unique_keys(&mut self, before: u64, conditions: &mut Conditions) {
        let Some(waiting) = &mut self.0 else {
            return;
        };
        let settled = &mut waiting.settled;
        waiting.steps.retain(|step| {
            let waits = step.index > before || conditions.depends_on_open(step.condition);
            if !waits {
                conditions.decide(step.condition, true);
                conditions.release(step.condition);
                settled.push((step.thread, step.choice));
            }
            waits
        });
    }

    /// Decides the steps to elements that can be decided once the array has at least `least` elements.
    pub(super) fn decide_early<'p>(
        &mut self,
        least: u64,
        element: impl Fn(&PendingStep) -> &'p Element,
        conditions: &mut Conditions,
    ) {
        let Some(waiting) = &mut self.0 else {
            return;
        };
        while let Some(first) = waiting.steps.front()
            && let Some(selected) = element(first).selects(first.index, least)
        {
            conditions.decide(first.condition, selected);
            conditions.release(first.condition);
            waiting.steps.pop_front();
        }
    }

    /// Decides all steps, at the end of the container.
    pub(super) fn decide(
        self,
        conditions: &mut Conditions,
        spare: &mut Spare,
        mut decide: impl FnMut(&PendingStep) -> bool,
    ) {
        let Some(waiting) = self.0 else {
            return;
        };
        for step in &waiting.steps {
            conditions.decide(step.condition, decide(step));
            conditions.release(step.condition);
        }
        spare.put(waiting);
    }
}
