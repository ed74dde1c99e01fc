//! Merges two changed versions of a document by value.
//!
//! ```text
//! base ──► diff ──► ours     what each value of the base became, where elements were added and removed ──┐
//!   └────► diff ──► theirs   each change ──► is the value, what holds it, or a part of it changed? ◄─────┘
//!                                             │ no                    │ yes, in another way
//!                                             ▼                       ▼
//!                                            a change of ours        a conflict
//! ```
//!
//! A value is identified by its word in the index of the base. Indices of the base become those of ours by the number of elements
//! that ours added and removed before them, and those of the result by the changes so far.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::walk::NONE;
use super::{ChangeKind, Diff, DiffOptions, DiffStep, StepKind, diff};
use crate::document::{Document, Node};
use crate::path::Location;
use crate::string::decode_key;
use crate::syntax::SyntaxError;
use crate::token::Kind;

/// The changes that turn one version into the merged one, made by [`merge`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
///
/// let texts = [r#"{"a": 1, "b": 1}"#, r#"{"a": 2, "b": 1}"#, r#"{"a": 1, "b": 2}"#];
/// let [base, ours, theirs] = texts.map(|text| Document::parse(text.as_bytes()).unwrap());
/// let merge = merge(&base, &ours, &theirs)?;
/// assert_eq!((merge.changes.len(), merge.conflicts.len()), (1, 0));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Merge<'d, 't> {
    /// The changes of theirs to make in ours, each to the result of the previous ones.
    pub changes: Vec<MergeChange<'d, 't>>,
    /// The values that both changed in different ways, in the order of the base.
    pub conflicts: Vec<Conflict<'d, 't>>,
}

/// A change to make in ours.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
///
/// let texts = [r#"{"a": 1, "b": 1}"#, r#"{"a": 2, "b": 1}"#, r#"{"a": 1, "b": 2}"#];
/// let [base, ours, theirs] = texts.map(|text| Document::parse(text.as_bytes()).unwrap());
/// let merge = merge(&base, &ours, &theirs)?;
/// assert_eq!(merge.changes[0].value.map(|value| value.raw()), Some(&b"2"[..]));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct MergeChange<'d, 't> {
    /// Added, removed or replaced.
    pub kind: ChangeKind,
    /// Where, after the previous changes.
    pub path: Location,
    /// The value in theirs; `None` if it is removed.
    pub value: Option<Node<'d, 't>>,
}

/// A value that both versions changed in different ways, or the elements that both added at the same position.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
///
/// let texts = [r#"{"a": 1, "b": 1}"#, r#"{"a": 2, "b": 1}"#, r#"{"a": 3, "b": 1}"#];
/// let [base, ours, theirs] = texts.map(|text| Document::parse(text.as_bytes()).unwrap());
/// let merge = merge(&base, &ours, &theirs)?;
/// let conflict = &merge.conflicts[0];
/// assert_eq!((conflict.ours[0].raw(), conflict.theirs[0].raw()), (&b"2"[..], &b"3"[..]));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Conflict<'d, 't> {
    /// Where, after all changes.
    pub path: Location,
    /// The value in ours, or the elements; empty if it was removed.
    pub ours: Vec<Node<'d, 't>>,
    /// The value in theirs, or the elements; empty if it was removed.
    pub theirs: Vec<Node<'d, 't>>,
}

/// Merges the changes from `base` to `theirs` into `ours`, by value as in [`diff`](super::diff()). Changes to different values
/// merge, and so do equal changes; elements are followed as the other version adds and removes elements. Different changes to one
/// value are a conflict, as are changes inside a value that the other version replaced or removed, different values for one new
/// key, and different elements at one position. Objects that both added for one key merge, as if the base had an empty one.
///
/// Takes time and memory like two differences.
///
/// # Errors
///
/// [`OutOfMemory`](crate::ErrorKind::OutOfMemory).
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
/// use jsonx_core::path::Notation;
///
/// let base = Document::parse(br#"{"name": "a", "port": 80, "tags": ["x"]}"#)?;
/// let ours = Document::parse(br#"{"name": "a", "port": 81, "tags": ["w", "x"]}"#)?;
/// let theirs = Document::parse(br#"{"name": "b", "port": 82, "tags": ["x", "y"]}"#)?;
/// let merge = merge(&base, &ours, &theirs)?;
/// let changes = merge.changes.iter().map(|change| change.path.display(Notation::Dot).to_string());
/// assert_eq!(changes.collect::<Vec<_>>(), [".name", ".tags[2]"]);
/// assert_eq!(merge.conflicts[0].path.display(Notation::Dot).to_string(), ".port");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn merge<'d, 't>(
    base: &'d Document<'t>,
    ours: &'d Document<'t>,
    theirs: &'d Document<'t>,
) -> Result<Merge<'d, 't>, SyntaxError> {
    let options = DiffOptions::default();
    let (mine, other) = (diff(base, ours, &options)?, diff(base, theirs, &options)?);
    let mut merging = Merging {
        ours: Version::new(&mine),
        theirs: Version::new(&other),
        shifts: HashMap::new(),
        reported: HashSet::new(),
        merge: Merge {
            changes: Vec::new(),
            conflicts: Vec::new(),
        },
    };
    for record in &other.changes {
        merging.change(record.kind, &other.chain(record.step));
    }
    Ok(merging.merge)
}

/// The changes from the base to one version, by words of the base.
struct Version<'a, 'd, 't> {
    diff: &'a Diff<'d, 't>,
    /// The values that were changed, with their words in this version or [`NONE`], and whether as a whole.
    changed: HashMap<usize, (usize, bool)>,
    members: HashMap<(usize, Cow<'t, [u8]>), usize>,
    /// The steps to the elements that were added to an array before the element with an index.
    elements: HashMap<(usize, usize), Vec<usize>>,
    /// For each array, the indices from which on elements have moved, ascending, and how far.
    shifts: HashMap<usize, Vec<(usize, isize)>>,
    /// The index in the array of the base before which an element was added, by its step.
    gaps: HashMap<usize, usize>,
}

impl<'a, 'd, 't> Version<'a, 'd, 't> {
    fn new(diff: &'a Diff<'d, 't>) -> Self {
        let mut version = Version {
            diff,
            changed: HashMap::new(),
            members: HashMap::new(),
            elements: HashMap::new(),
            shifts: HashMap::new(),
            gaps: HashMap::new(),
        };
        for step in diff.steps.iter().filter(|step| step.old != NONE) {
            version.changed.insert(step.old, (step.new, false));
        }
        for record in &diff.changes {
            let step = &diff.steps[record.step];
            if step.old != NONE {
                version.changed.insert(step.old, (step.new, true));
            }
            let Some(parent) = diff.steps.get(step.parent) else {
                continue;
            };
            match (record.kind, step.kind) {
                (ChangeKind::Added, StepKind::Key) => {
                    let key = (parent.old, decode_key(diff.key(step)));
                    version.members.insert(key, step.new);
                }
                (ChangeKind::Added, StepKind::Index { new, .. }) => {
                    let shifts = version.shifts.entry(parent.old).or_default();
                    let by = shifts.last().map_or(0, |last| last.1);
                    let gap = new.saturating_add_signed(-by);
                    shifts.push((gap, by + 1));
                    version.gaps.insert(record.step, gap);
                    let added = version.elements.entry((parent.old, gap)).or_default();
                    added.push(record.step);
                }
                (ChangeKind::Removed, StepKind::Index { old, .. }) => {
                    let shifts = version.shifts.entry(parent.old).or_default();
                    let by = shifts.last().map_or(0, |last| last.1);
                    shifts.push((old + 1, by - 1));
                }
                _ => {}
            }
        }
        version
    }

    fn value(&self, word: usize) -> Option<Node<'d, 't>> {
        (word != NONE).then(|| self.diff.new.node(word))
    }

    /// The elements added at a position of an array of the base.
    fn added(&self, array: usize, gap: usize) -> Vec<Node<'d, 't>> {
        let steps = self.elements.get(&(array, gap));
        let nodes = steps.into_iter().flatten();
        nodes
            .filter_map(|&step| self.diff.node_new(&self.diff.steps[step]))
            .collect()
    }

    /// The index in this version of an element of the base, or of a position before it.
    fn index(&self, array: usize, index: usize) -> usize {
        let Some(shifts) = self.shifts.get(&array) else {
            return index;
        };
        let count = shifts.partition_point(|&(from, _)| from <= index);
        let by = count.checked_sub(1).map_or(0, |last| shifts[last].1);
        index.saturating_add_signed(by)
    }
}

struct Merging<'a, 'd, 't> {
    ours: Version<'a, 'd, 't>,
    theirs: Version<'a, 'd, 't>,
    /// How far the changes so far have moved the following elements of an array of the base.
    shifts: HashMap<usize, isize>,
    /// The values of the base, and the positions in its arrays, that are conflicts already.
    reported: HashSet<(usize, usize)>,
    merge: Merge<'d, 't>,
}

impl<'d, 't> Merging<'_, 'd, 't> {
    /// Makes a change of theirs, at the end of these steps from the root.
    fn change(&mut self, kind: ChangeKind, chain: &[usize]) {
        let other = self.theirs.diff;
        let step = |at: usize| &other.steps[chain[at]];
        let last = chain.len() - 1;
        for at in 0..=last {
            let Some(&(word, is_whole)) = self.ours.changed.get(&step(at).old) else {
                continue;
            };
            if !is_whole && at < last {
                continue;
            }
            let (mine, theirs) = (self.ours.value(word), other.node_new(step(at)));
            if at < last || !is_whole || !equal(mine.as_slice(), theirs.as_slice()) {
                let path = self.path(&chain[..=at], None);
                self.conflict((step(at).old, NONE), path, list(mine), list(theirs));
            }
            return;
        }
        let container = last.checked_sub(1).map_or(NONE, |at| step(at).old);
        let (step, value) = (step(last), other.node_new(step(last)));
        let mut index = None;
        match (kind, step.kind) {
            (ChangeKind::Added, StepKind::Key) => {
                let key = (container, decode_key(other.key(step)));
                if let Some(&word) = self.ours.members.get(&key) {
                    if let Some((mine, value)) = self.ours.value(word).zip(value) {
                        let path = self.path(chain, None);
                        self.both_added(path, mine, value);
                    }
                    return;
                }
            }
            (ChangeKind::Added, _) => {
                let gap = self.theirs.gaps.get(&chain[last]).copied();
                let gap = gap.unwrap_or_default();
                let mine = self.ours.added(container, gap);
                if !mine.is_empty() {
                    let theirs = self.theirs.added(container, gap);
                    if !equal(&mine, &theirs) {
                        let first = self.ours.elements[&(container, gap)][0];
                        let StepKind::Index { new, .. } = self.ours.diff.steps[first].kind else {
                            return;
                        };
                        let path = self.path(chain, Some(new));
                        self.conflict((container, gap), path, mine, theirs);
                    }
                    return;
                }
                index = Some(self.ours.index(container, gap));
            }
            _ => {}
        }
        let path = self.path(chain, index);
        self.merge.changes.push(MergeChange { kind, path, value });
        if let StepKind::Index { .. } = step.kind {
            let by = match kind {
                ChangeKind::Added => 1,
                ChangeKind::Removed => -1,
                _ => 0,
            };
            *self.shifts.entry(container).or_default() += by;
        }
    }

    /// Merges two values of one new key, as if the base had an empty object there.
    fn both_added(&mut self, path: Location, mine: Node<'d, 't>, theirs: Node<'d, 't>) {
        let mut waiting = vec![(path, mine, theirs)];
        while let Some((path, mine, theirs)) = waiting.pop() {
            if [mine, theirs].iter().any(|it| it.kind() != Kind::Object) {
                if !equal(&[mine], &[theirs]) {
                    let (ours, theirs) = (vec![mine], vec![theirs]);
                    self.merge.conflicts.push(Conflict { path, ours, theirs });
                }
                continue;
            }
            let text = |key: Node<'d, 't>| decode_key(key.string_content().unwrap_or_default());
            let members = mine.members().map(|(key, value)| (text(key), value));
            let members: HashMap<_, _> = members.collect();
            let next = waiting.len();
            for (key, value) in theirs.members() {
                let key = text(key);
                let mut path = path.clone();
                path.push_key(&key);
                match members.get(&key) {
                    Some(&mine) => waiting.push((path, mine, value)),
                    None => self.merge.changes.push(MergeChange {
                        kind: ChangeKind::Added,
                        path,
                        value: Some(value),
                    }),
                }
            }
            waiting[next..].reverse();
        }
    }

    fn conflict(
        &mut self,
        id: (usize, usize),
        path: Location,
        ours: Vec<Node<'d, 't>>,
        theirs: Vec<Node<'d, 't>>,
    ) {
        if self.reported.insert(id) {
            let conflict = Conflict { path, ours, theirs };
            self.merge.conflicts.push(conflict);
        }
    }

    /// The path of a step in the result so far; `index` in ours is that of the last step, if it adds an element.
    fn path(&self, chain: &[usize], index: Option<usize>) -> Location {
        let other = self.theirs.diff;
        let mut location = Location::default();
        let mut container = NONE;
        for (at, &step) in chain.iter().enumerate() {
            let step: &DiffStep = &other.steps[step];
            match step.kind {
                StepKind::Root => {}
                StepKind::Key => location.push_key(&decode_key(other.key(step))),
                StepKind::Index { old, .. } => {
                    let here = index.filter(|_| at + 1 == chain.len());
                    let here = here.unwrap_or_else(|| self.ours.index(container, old));
                    let by = self.shifts.get(&container).copied().unwrap_or_default();
                    location.push_index(here.saturating_add_signed(by) as u64);
                }
            }
            container = step.old;
        }
        location
    }
}

fn list<'d, 't>(node: Option<Node<'d, 't>>) -> Vec<Node<'d, 't>> {
    node.into_iter().collect()
}

/// Whether these are equal values, one by one.
fn equal(ours: &[Node<'_, '_>], theirs: &[Node<'_, '_>]) -> bool {
    let mut pairs = ours.iter().zip(theirs);
    ours.len() == theirs.len() && pairs.all(|(a, b)| a.equals(*b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::tests::{add, changed, remove};
    use super::*;
    use crate::agreement::valid_text;
    use crate::path::Notation;
    use jsonx_testing::cases;

    /// The merged text, and the conflicts.
    fn merged(base: &str, ours: &str, theirs: &str) -> (Value, Vec<String>) {
        let documents = [base, ours, theirs].map(|text| Document::parse(text.as_bytes()).unwrap());
        let merge = merge(&documents[0], &documents[1], &documents[2]).unwrap();
        let mut result: Value = serde_json::from_str(ours).unwrap();
        for change in &merge.changes {
            let path = change.path.display(Notation::Pointer).to_string();
            let value = change
                .value
                .map(|node| serde_json::from_slice(node.raw()).unwrap());
            match (change.kind, value) {
                (ChangeKind::Added, Some(value)) => add(&mut result, &path, value),
                (ChangeKind::Removed, None) => drop(remove(&mut result, &path)),
                (_, value) => *result.pointer_mut(&path).unwrap() = value.unwrap(),
            }
        }
        let shown = |nodes: &[Node<'_, '_>]| {
            let texts = nodes.iter().map(|node| String::from_utf8_lossy(node.raw()));
            texts.collect::<Vec<_>>().join(" ")
        };
        let conflict = |conflict: &Conflict<'_, '_>| {
            let path = conflict.path.display(Notation::Dot);
            format!(
                "{path}: {} | {}",
                shown(&conflict.ours),
                shown(&conflict.theirs)
            )
        };
        (result, merge.conflicts.iter().map(conflict).collect())
    }

    #[test]
    fn changes_and_conflicts() {
        for (base, ours, theirs, expected, conflicts) in [
            // Of different values, and the same change.
            (
                r#"{"a":1,"b":2,"c":3}"#,
                r#"{"a":9,"b":2,"d":4}"#,
                r#"{"b":8,"e":5}"#,
                r#"{"a":9,"b":8,"d":4,"e":5}"#,
                &[".a: 9 | "][..],
            ),
            (
                r#"{"a":1,"c":[2]}"#,
                r#"{"a":2.0,"n":[1],"c":[]}"#,
                r#"{"a":2,"n":[1],"c":[]}"#,
                r#"{"a":2.0,"n":[1],"c":[]}"#,
                &[],
            ),
            (
                r#"{"a":1}"#,
                r#"{"a":2,"n":1}"#,
                r#"{"a":3,"n":[]}"#,
                r#"{"a":2,"n":1}"#,
                &[".a: 2 | 3", ".n: 1 | []"],
            ),
            // Objects for one new key.
            (
                "{}",
                r#"{"n":{"a":1,"same":[2],"o":{"x":1}}}"#,
                r#"{"n":{"same":[2],"a":3,"o":{"y":2,"x":1},"b":0}}"#,
                r#"{"n":{"a":1,"same":[2],"o":{"x":1,"y":2},"b":0}}"#,
                &[".n.a: 1 | 3"],
            ),
            // Inside a value that the other replaces or removes: once.
            (
                r#"{"a":{"b":1,"c":2}}"#,
                r#"{"a":0}"#,
                r#"{"a":{"b":2}}"#,
                r#"{"a":0}"#,
                &[r#".a: 0 | {"b":2}"#],
            ),
            (
                r#"{"a":{"b":1}}"#,
                r#"{"a":{"b":2}}"#,
                "{}",
                r#"{"a":{"b":2}}"#,
                &[r#".a: {"b":2} | "#],
            ),
            ("1", "2", "[]", "2", &[".: 2 | []"]),
            // Elements are followed.
            ("[1,2,3]", "[0,1,2,3]", "[1,2,4,3]", "[0,1,2,4,3]", &[]),
            ("[1,2,3]", "[2,3]", "[1,2,9]", "[2,9]", &[]),
            (
                r#"[{"a":1},5,{"b":1}]"#,
                r#"[7,{"a":1},{"b":1}]"#,
                r#"[{"a":1},5,{"b":1,"c":2},6]"#,
                r#"[7,{"a":1},{"b":1,"c":2},6]"#,
                &[],
            ),
            ("[1,2,3,4]", "[1,3,4,8]", "[0,1,2,3]", "[0,1,3,8]", &[]),
            // Different elements at one position, after other changes; the same ones.
            (
                "[1,2]",
                "[1,2,3]",
                "[0,1,2,4,5]",
                "[0,1,2,3]",
                &[".[3]: 3 | 4 5"],
            ),
            ("[1]", "[1,2,3]", "[1,2,3]", "[1,2,3]", &[]),
        ] {
            let (result, found) = merged(base, ours, theirs);
            let expected: Value = serde_json::from_str(expected).unwrap();
            assert_eq!(
                (result, &found[..]),
                (
                    expected,
                    &conflicts
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()[..]
                ),
                "{base} {ours} {theirs}"
            );
        }
    }

    proptest! {
        #![proptest_config(cases(3000))]

        /// Laws: what only one version changes is taken, and without conflicts, the order of the versions does not matter.
        #[test]
        fn merging_is_symmetric(
            choices in prop::collection::vec(any::<u32>(), 0..150),
            first in prop::collection::vec(any::<u32>(), 0..150),
            second in prop::collection::vec(any::<u32>(), 0..150),
        ) {
            let Ok(base) = serde_json::from_slice::<Value>(&valid_text(&choices)) else {
                return Ok(());
            };
            let ours = changed(&base, &mut first.iter().copied()).to_string();
            let theirs = changed(&base, &mut second.iter().copied()).to_string();
            let base = base.to_string();
            let equal = |a: &Value, b: &str| super::super::tests::equal(a, &serde_json::from_str(b).unwrap());
            for (mine, other, result) in [(&base, &theirs, &theirs), (&ours, &base, &ours), (&ours, &ours, &ours)] {
                let (merged, conflicts) = merged(&base, mine, other);
                prop_assert!(equal(&merged, result) && conflicts.is_empty(), "{} {:?}", merged, conflicts);
            }
            let (one, conflicts) = merged(&base, &ours, &theirs);
            let (two, same) = merged(&base, &theirs, &ours);
            prop_assert_eq!(conflicts.len(), same.len());
            prop_assert!(!conflicts.is_empty() || equal(&one, &two.to_string()), "{} {}", one, two);
        }
    }
}
