//! Walks two documents side by side, with an explicit stack.

use super::arrays::{self, Element, Matching};
use super::members::{self, Pair, Side};
use super::options::KeyPath;
use super::sequence::WORK;
use super::{ChangeKind, DiffStep, Record, StepKind};
use crate::document::{Document, Fingerprints, Node, Rules};
use crate::number::compare;
use crate::string::{decode_key, key_equals};
use crate::token::Kind;

/// No value on this side.
pub(super) const NONE: usize = usize::MAX;

/// The work at a step.
#[derive(Clone, Copy)]
enum Work {
    Compare,
    Record(ChangeKind),
    Move {
        from: usize,
    },
    /// Ends the comparison of the contents of a step; `changes` is the number of changes before it.
    End {
        step: usize,
        changes: usize,
    },
}

#[derive(Clone, Copy)]
struct Task {
    step: DiffStep,
    work: Work,
}

/// One document, with its fingerprints and ignored values.
pub(super) struct Known<'d, 't> {
    pub(super) document: &'d Document<'t>,
    pub(super) fingerprints: Fingerprints,
    pub(super) rules: Rules,
}

pub(super) struct DiffWalk<'a, 'd, 't> {
    pub(super) old: &'a Known<'d, 't>,
    pub(super) new: &'a Known<'d, 't>,
    /// The keys by which elements are matched.
    pub(super) keys: &'a [KeyPath],
    tasks: Vec<Task>,
    pub(super) steps: Vec<DiffStep>,
    pub(super) changes: Vec<Record>,
    /// Number of bytes that may still be compared without finding texts equal.
    compare_budget: usize,
    work: u64,
    pub(super) is_minimal: bool,
}

impl<'a, 'd, 't> DiffWalk<'a, 'd, 't> {
    pub(super) fn new(old: &'a Known<'d, 't>, new: &'a Known<'d, 't>, keys: &'a [KeyPath]) -> Self {
        DiffWalk {
            old,
            new,
            keys,
            tasks: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
            compare_budget: 4 * old.document.text().len(),
            work: WORK,
            is_minimal: true,
        }
    }

    pub(super) fn run(&mut self) {
        let root = DiffStep {
            parent: NONE,
            old: 0,
            new: 0,
            kind: StepKind::Root,
        };
        let (old, new) = (self.old.document.root(), self.new.document.root());
        if !self.old.rules.is_ignored(old) && !self.new.rules.is_ignored(new) {
            self.compare_later(root);
        }
        while let Some(Task { step, work }) = self.tasks.pop() {
            match work {
                Work::Compare => self.compare(step),
                Work::Record(kind) => self.record(step, kind),
                Work::Move { from } => self.record(step, ChangeKind::Moved { from }),
                Work::End { step, changes } => {
                    if self.changes.len() == changes {
                        self.steps.truncate(step);
                    }
                }
            }
        }
    }

    fn record(&mut self, step: DiffStep, kind: ChangeKind) {
        self.changes.push(Record {
            kind,
            step: self.steps.len(),
        });
        self.steps.push(step);
    }

    fn later(&mut self, step: DiffStep, work: Work) {
        self.tasks.push(Task { step, work });
    }

    /// Schedules the comparison of two values, unless their texts are equal.
    fn compare_later(&mut self, step: DiffStep) {
        let (old, new) = (
            self.old.document.node(step.old),
            self.new.document.node(step.new),
        );
        let (a, b) = (old.raw(), new.raw());
        if self.old.fingerprints.get(old) == self.new.fingerprints.get(new) && a.len() == b.len() {
            // If only white space differs, texts are compared again at each level below.
            if a.len() <= self.compare_budget {
                if a == b {
                    return;
                }
                self.compare_budget -= a.len();
            }
        }
        self.later(step, Work::Compare);
    }

    fn compare(&mut self, step: DiffStep) {
        let (old, new) = (
            self.old.document.node(step.old),
            self.new.document.node(step.new),
        );
        if !old.is_container() || !new.is_container() || old.kind() != new.kind() {
            let same_print = self.old.fingerprints.get(old) == self.new.fingerprints.get(new);
            if !same_print || !equal_scalars(old, new, self.old.rules.exact) {
                self.record(step, ChangeKind::Replaced);
            }
            return;
        }
        let number = self.steps.len();
        self.steps.push(step);
        let end = Work::End {
            step: number,
            changes: self.changes.len(),
        };
        self.later(step, end);
        let first = self.tasks.len();
        match old.kind() {
            Kind::Object => self.objects(number, old, new),
            _ => self.arrays(number, old, new),
        }
        self.tasks[first..].reverse();
    }

    fn objects(&mut self, parent: usize, old: Node<'d, 't>, new: Node<'d, 't>) {
        let (old, new) = (self.old.side(old), self.new.side(new));
        let step = |old, new| DiffStep {
            parent,
            old,
            new,
            kind: StepKind::Key,
        };
        members::pairs(Some(old), new, |pair| match pair {
            Pair::Both(old, new) => self.compare_later(step(old.word(), new.word())),
            Pair::Old(old) => {
                self.later(step(old.word(), NONE), Work::Record(ChangeKind::Removed));
            }
            Pair::New(new) => self.later(step(NONE, new.word()), Work::Record(ChangeKind::Added)),
        });
    }

    fn arrays(&mut self, parent: usize, old: Node<'d, 't>, new: Node<'d, 't>) {
        let is_keyed = self
            .keys
            .iter()
            .any(|key| has_key(old, key) || has_key(new, key));
        let matching = match self.old.rules.is_set(old) || self.new.rules.is_set(new) {
            true => Matching::Set,
            false if is_keyed => Matching::Keys,
            false => Matching::Values,
        };
        let keys = if is_keyed { self.keys } else { &[] };
        let (olds, news) = (self.old.elements(old, keys), self.new.elements(new, keys));
        let length = old.len();
        let mut work = self.work;
        let is_minimal = arrays::steps(&olds, &news, length, matching, &mut work, |step| {
            self.element(parent, &olds, &news, step);
        });
        self.work = work;
        self.is_minimal &= is_minimal;
    }

    fn element(
        &mut self,
        parent: usize,
        olds: &[Element],
        news: &[Element],
        step: arrays::ArrayStep,
    ) {
        let place = |old: Option<usize>, new: Option<usize>, at| DiffStep {
            parent,
            old: old.map_or(NONE, |old| olds[old].word),
            new: new.map_or(NONE, |new| news[new].word),
            kind: StepKind::Index {
                old: old.map_or(NONE, |old| olds[old].index),
                new: new.map_or(NONE, |new| news[new].index),
                at,
            },
        };
        match step {
            arrays::ArrayStep::Both { old, new, at } => {
                self.compare_later(place(Some(old), Some(new), at));
            }
            arrays::ArrayStep::Remove { old, at } => {
                let step = place(Some(old), None, at);
                self.later(step, Work::Record(ChangeKind::Removed));
            }
            arrays::ArrayStep::Add { new, at } => {
                self.later(place(None, Some(new), at), Work::Record(ChangeKind::Added));
            }
            arrays::ArrayStep::Move { old, new, from, at } => {
                self.later(place(Some(old), Some(new), at), Work::Move { from });
            }
        }
    }
}

impl<'d, 't> Known<'d, 't> {
    pub(super) fn new(document: &'d Document<'t>, rules: Rules) -> Self {
        Known {
            document,
            fingerprints: Fingerprints::new(document, &rules),
            rules,
        }
    }

    pub(super) fn side(&self, node: Node<'d, 't>) -> Side<'_, 'd, 't> {
        Side {
            fingerprints: &self.fingerprints,
            rules: &self.rules,
            node,
        }
    }

    /// The elements to compare. The identity of an object is the value of the first of `keys` that it has.
    fn elements(&self, array: Node<'d, 't>, keys: &[KeyPath]) -> Vec<Element> {
        let elements = array.elements().enumerate();
        let compared = elements.filter(|&(_, node)| !self.rules.is_ignored(node));
        compared
            .map(|(index, node)| {
                let named = keys.iter().find_map(|path| member_at(node, path));
                Element {
                    word: node.word(),
                    index,
                    id: self.fingerprints.get(named.unwrap_or(node)),
                }
            })
            .collect()
    }
}

/// Whether the first object of an array has this key, so that the elements are matched by it.
fn has_key(array: Node<'_, '_>, path: &KeyPath) -> bool {
    let mut objects = array.elements().filter(|node| node.kind() == Kind::Object);
    objects
        .next()
        .is_some_and(|object| member_at(object, path).is_some())
}

/// The nested member at these keys.
fn member_at<'d, 't>(object: Node<'d, 't>, path: &KeyPath) -> Option<Node<'d, 't>> {
    path.iter().try_fold(object, |node, key| member(node, key))
}

/// The last member with this key.
fn member<'d, 't>(object: Node<'d, 't>, key: &[u8]) -> Option<Node<'d, 't>> {
    let is_key = |node: Node<'_, '_>| key_equals(node.string_content().unwrap_or_default(), key);
    let members = object.members().filter(|&(name, _)| is_key(name));
    members.last().map(|(_, value)| value)
}

/// Whether two values are equal; `false` for two objects or two arrays.
fn equal_scalars(old: Node<'_, '_>, new: Node<'_, '_>, exact: bool) -> bool {
    let (a, b) = (old.raw(), new.raw());
    match (old.kind(), new.kind()) {
        (Kind::Number, Kind::Number) => a == b || !exact && compare(a, b).is_eq(),
        (Kind::String, Kind::String) => {
            let content = |node: Node<'_, '_>| -> Vec<u8> {
                decode_key(node.string_content().unwrap_or_default()).into_owned()
            };
            a == b || content(old) == content(new)
        }
        (old, new) => old == new && a == b,
    }
}
