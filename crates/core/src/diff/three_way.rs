//! Merges two changed versions of a document by value.
//!
//! ```text
//! one value in base, ours, theirs
//!   objects   by key                                   an object that both added: as if the base had an empty one
//!   arrays    by whole elements, as diff3 merges lines
//!               base     a  b  c     e
//!               ours     a  x  c     e                  a, c, e are in all three. Between a and c only ours has changed: x stays.
//!               theirs   a  b  c  d  e                  Between c and e only theirs has: d is added.
//!   others    as a whole: the side that differs from the base counts; if both do, this is a conflict
//! ```
//!
//! Between two common elements, the side that changed counts. If both did, and each version has exactly one element there, the
//! insides of these three are merged; everything else is a conflict.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::ChangeKind;
use super::members::{Pair, pairs};
use super::sequence::{Table, WORK, common};
use super::walk::Known;
use crate::document::{Document, Node, Rules};
use crate::path::Location;
use crate::string::{decode_key, key_equals};
use crate::token::Kind;

/// The changes that turn one version into the merged one, made by [`merge`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
///
/// let texts = [r#"{"a": 1, "b": 1}"#, r#"{"a": 2, "b": 1}"#, r#"{"a": 1, "b": 2}"#];
/// let [base, ours, theirs] = texts.map(|text| Document::parse(text.as_bytes()).unwrap());
/// let merge = merge(&base, &ours, &theirs);
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
/// let merge = merge(&base, &ours, &theirs);
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

/// A value that both versions changed in different ways, or the elements between two common ones if both changed these.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
///
/// let texts = [r#"{"a": 1, "b": 1}"#, r#"{"a": 2, "b": 1}"#, r#"{"a": 3, "b": 1}"#];
/// let [base, ours, theirs] = texts.map(|text| Document::parse(text.as_bytes()).unwrap());
/// let merge = merge(&base, &ours, &theirs);
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

/// Merges the changes from `base` to `theirs` into `ours`, by value as in [`diff`](super::diff()). Objects are merged by key; objects
/// that both added for one key merge, as if the base had an empty one. Arrays are merged by whole elements, as diff3 merges lines:
/// between two elements that are equal in all three versions, the version that changed something counts. If both did, the change
/// is merged inside of an element only if it is the only one there in each version, and the same one by the members that name it;
/// otherwise it is a conflict, as are different changes to one value, changes to an element that the other version moved, and
/// two elements with one name that the versions added.
///
/// Takes time and memory like two differences.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::merge;
/// use jsonx_core::path::Notation;
///
/// let base = Document::parse(br#"{"name": "a", "port": 80, "tags": ["x"]}"#)?;
/// let ours = Document::parse(br#"{"name": "a", "port": 81, "tags": ["w", "x"]}"#)?;
/// let theirs = Document::parse(br#"{"name": "b", "port": 82, "tags": ["x", "y"]}"#)?;
/// let merge = merge(&base, &ours, &theirs);
/// let changes = merge.changes.iter().map(|change| change.path.display(Notation::Dot).to_string());
/// assert_eq!(changes.collect::<Vec<_>>(), [".name", ".tags[2]"]);
/// assert_eq!(merge.conflicts[0].path.display(Notation::Dot).to_string(), ".port");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn merge<'d, 't>(
    base: &'d Document<'t>,
    ours: &'d Document<'t>,
    theirs: &'d Document<'t>,
) -> Merge<'d, 't> {
    let known = |document| Known::new(document, Rules::default());
    let mut merging = Merging {
        base: known(base),
        ours: known(ours),
        theirs: known(theirs),
        work: WORK,
        tasks: Vec::new(),
        merge: Merge {
            changes: Vec::new(),
            conflicts: Vec::new(),
        },
    };
    let [base, ours, theirs] = [base, ours, theirs].map(|document| Some(document.root()));
    merging.later(Location::default(), Three { base, ours, theirs }, false);
    while let Some(task) = merging.tasks.pop() {
        let first = merging.tasks.len();
        match task {
            Task::Conflict(conflict) => merging.merge.conflicts.push(conflict),
            Task::Value {
                path,
                three,
                is_base,
            } => merging.value(path, three, is_base),
        }
        merging.tasks[first..].reverse();
    }
    merging.merge
}

/// One value in the three versions; `None` in a version that lacks it.
#[derive(Clone, Copy)]
struct Three<'d, 't> {
    base: Option<Node<'d, 't>>,
    ours: Option<Node<'d, 't>>,
    theirs: Option<Node<'d, 't>>,
}

enum Task<'d, 't> {
    /// Merges a value, which has this path in the result. `is_base`: ours is known to be equal to the base.
    Value {
        path: Location,
        three: Three<'d, 't>,
        is_base: bool,
    },
    Conflict(Conflict<'d, 't>),
}

/// The elements of each version between two common elements.
struct Region {
    base: Range<usize>,
    ours: Range<usize>,
    theirs: Range<usize>,
    resolution: Resolution,
}

impl Region {
    fn ranges(&self) -> [&Range<usize>; 3] {
        [&self.base, &self.ours, &self.theirs]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Resolution {
    Ours,
    Theirs,
    /// Each version has one element, the insides of which are merged.
    Inside,
    Conflict,
}

/// The elements of an array, with their fingerprints.
struct Elements<'d, 't> {
    nodes: Vec<Node<'d, 't>>,
    ids: Vec<u64>,
}

impl<'d, 't> Elements<'d, 't> {
    fn new(version: &Known<'d, 't>, array: Node<'d, 't>) -> Self {
        let nodes: Vec<_> = array.elements().collect();
        let ids = nodes.iter().map(|&node| version.fingerprints.get(node));
        Elements {
            ids: ids.collect(),
            nodes,
        }
    }

    fn equal(&self, range: &Range<usize>, other: &Self, others: &Range<usize>) -> bool {
        let same = |(a, b): (usize, usize)| {
            self.ids[a] == other.ids[b] && self.nodes[a].equals(other.nodes[b])
        };
        range.len() == others.len() && range.clone().zip(others.clone()).all(same)
    }

    /// For each element, the index of the equal one in the other version.
    fn partners(&self, other: &Self, work: &mut u64) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.ids.len()];
        for (a, b) in common(&self.ids, &other.ids, work).pairs {
            if self.nodes[a].equals(other.nodes[b]) {
                partners[a] = Some(b);
            }
        }
        partners
    }
}

struct Merging<'d, 't> {
    base: Known<'d, 't>,
    ours: Known<'d, 't>,
    theirs: Known<'d, 't>,
    work: u64,
    tasks: Vec<Task<'d, 't>>,
    merge: Merge<'d, 't>,
}

impl<'d, 't> Merging<'d, 't> {
    fn later(&mut self, path: Location, three: Three<'d, 't>, is_base: bool) {
        self.tasks.push(Task::Value {
            path,
            three,
            is_base,
        });
    }

    fn value(&mut self, path: Location, three: Three<'d, 't>, is_base: bool) {
        let Three { base, ours, theirs } = three;
        let is_kind = |kind, nodes: &[Option<Node<'_, '_>>]| {
            let mut nodes = nodes.iter().flatten();
            nodes.all(|node| node.kind() == kind)
        };
        if same(&self.theirs, theirs, &self.base, base)
            || !is_base && same(&self.theirs, theirs, &self.ours, ours)
        {
            return;
        }
        match (base, ours, theirs) {
            (_, Some(ours), Some(theirs))
                if is_kind(Kind::Object, &[base, Some(ours), Some(theirs)]) =>
            {
                self.objects(&path, base, [ours, theirs], is_base);
            }
            (Some(base), Some(ours), Some(theirs))
                if is_kind(Kind::Array, &[Some(base), Some(ours), Some(theirs)]) =>
            {
                self.arrays(&path, [base, ours, theirs], is_base);
            }
            _ if is_base || same(&self.ours, ours, &self.base, base) => {
                let kind = match (ours, theirs) {
                    (None, _) => ChangeKind::Added,
                    (_, None) => ChangeKind::Removed,
                    _ => ChangeKind::Replaced,
                };
                self.change(kind, path, theirs);
            }
            _ => self.merge.conflicts.push(Conflict {
                path,
                ours: ours.into_iter().collect(),
                theirs: theirs.into_iter().collect(),
            }),
        }
    }

    fn change(&mut self, kind: ChangeKind, path: Location, value: Option<Node<'d, 't>>) {
        self.merge.changes.push(MergeChange { kind, path, value });
    }

    /// Merges the members that theirs changed. The base is `None` if both added the object.
    fn objects(
        &mut self,
        path: &Location,
        base: Option<Node<'d, 't>>,
        [ours, theirs]: [Node<'d, 't>; 2],
        is_base: bool,
    ) {
        let key = |document: &'d Document<'t>, value: Node<'d, 't>| {
            decode_key(
                document
                    .node(value.word() - 1)
                    .string_content()
                    .unwrap_or_default(),
            )
        };
        // The members of ours, by the word of the value in the base, or by the key that ours added.
        let (mut kept, mut added) = (HashMap::new(), HashMap::new());
        let old = base.map(|base| self.base.side(base));
        pairs(old, self.ours.side(ours), |pair| match pair {
            Pair::Both(base, ours) => drop(kept.insert(base.word(), ours)),
            Pair::Old(_) => {}
            Pair::New(ours) => drop(added.insert(key(self.ours.document, ours), ours)),
        });
        let mut threes = Vec::new();
        pairs(old, self.theirs.side(theirs), |pair| {
            let (key, base, theirs) = match pair {
                Pair::Both(base, theirs) => {
                    (key(self.base.document, base), Some(base), Some(theirs))
                }
                Pair::Old(base) => (key(self.base.document, base), Some(base), None),
                Pair::New(theirs) => (key(self.theirs.document, theirs), None, Some(theirs)),
            };
            let ours = match base {
                Some(base) => kept.get(&base.word()),
                None => added.get(&key),
            };
            threes.push((
                key,
                Three {
                    base,
                    ours: ours.copied(),
                    theirs,
                },
            ));
        });
        for (key, three) in threes {
            let mut path = path.clone();
            path.push_key(&key);
            self.later(path, three, is_base);
        }
    }

    fn arrays(&mut self, path: &Location, [base, ours, theirs]: [Node<'d, 't>; 3], is_base: bool) {
        let base = Elements::new(&self.base, base);
        let ours = Elements::new(&self.ours, ours);
        let theirs = Elements::new(&self.theirs, theirs);
        let regions = self.regions(&base, &ours, &theirs, is_base);
        // The index in the result.
        let mut at = 0;
        let here = |at: usize| {
            let mut path = path.clone();
            path.push_index(at as u64);
            path
        };
        for region in regions {
            let (old, new) = (region.ours.len(), region.theirs.len());
            let list = |elements: &Elements<'d, 't>, range: &Range<usize>| {
                elements.nodes[range.clone()].to_vec()
            };
            match region.resolution {
                Resolution::Ours => at += old,
                Resolution::Conflict => {
                    self.tasks.push(Task::Conflict(Conflict {
                        path: here(at),
                        ours: list(&ours, &region.ours),
                        theirs: list(&theirs, &region.theirs),
                    }));
                    at += old;
                }
                // Ours is equal to the base here, so each element becomes that of theirs, whatever it is paired with.
                Resolution::Theirs | Resolution::Inside => {
                    let is_base = region.resolution == Resolution::Theirs;
                    let both = region
                        .base
                        .clone()
                        .zip(region.ours.clone())
                        .zip(region.theirs.clone());
                    for ((b, o), t) in both {
                        let three = Three {
                            base: Some(base.nodes[b]),
                            ours: Some(ours.nodes[o]),
                            theirs: Some(theirs.nodes[t]),
                        };
                        self.later(here(at), three, is_base);
                        at += 1;
                    }
                    for _ in new..old {
                        self.change(ChangeKind::Removed, here(at), None);
                    }
                    for &node in theirs.nodes[region.theirs].iter().skip(old) {
                        self.change(ChangeKind::Added, here(at), Some(node));
                        at += 1;
                    }
                }
            }
            // The common element that ends the region.
            at += 1;
        }
    }

    /// The regions between elements that are equal in all versions.
    fn regions(
        &mut self,
        base: &Elements<'d, 't>,
        ours: &Elements<'d, 't>,
        theirs: &Elements<'d, 't>,
        is_base: bool,
    ) -> Vec<Region> {
        let mine = if is_base {
            (0..base.ids.len()).map(Some).collect()
        } else {
            base.partners(ours, &mut self.work)
        };
        let other = base.partners(theirs, &mut self.work);
        let common = mine.iter().zip(other).enumerate();
        let common = common.filter_map(|(b, (o, t))| Some((b, (*o)?, t?)));
        let end = (base.ids.len(), ours.ids.len(), theirs.ids.len());
        let (mut b, mut o, mut t) = (0, 0, 0);
        let mut regions = Vec::new();
        for (next_b, next_o, next_t) in common.chain([end]) {
            let (in_base, in_ours, in_theirs) = (b..next_b, o..next_o, t..next_t);
            let resolution = if theirs.equal(&in_theirs, base, &in_base)
                || theirs.equal(&in_theirs, ours, &in_ours)
            {
                Resolution::Ours
            } else if is_base || ours.equal(&in_ours, base, &in_base) {
                Resolution::Theirs
            } else if [&in_base, &in_ours, &in_theirs]
                .iter()
                .all(|range| range.len() == 1)
                && is_same_element(base.nodes[b], ours.nodes[o])
                && is_same_element(base.nodes[b], theirs.nodes[t])
            {
                Resolution::Inside
            } else {
                Resolution::Conflict
            };
            regions.push(Region {
                base: in_base,
                ours: in_ours,
                theirs: in_theirs,
                resolution,
            });
            (b, o, t) = (next_b + 1, next_o + 1, next_t + 1);
        }
        refuse_moves(&mut regions, [base, ours, theirs]);
        regions
    }
}

fn content<'t>(key: Node<'_, 't>) -> &'t [u8] {
    key.string_content().unwrap_or_default()
}

/// The members that usually name an object in an array.
const NAMES: [&[u8]; 4] = [b"id", b"_id", b"name", b"key"];

/// A hash of the first of these members that an object has.
fn name(element: Node<'_, '_>) -> Option<u64> {
    let members = element.members().filter(|(_, value)| !value.is_container());
    let names = members.filter_map(|(key, value)| {
        let index = NAMES
            .iter()
            .position(|name| key_equals(content(key), name))?;
        Some((index, value))
    });
    let (index, value) = names.min_by_key(|&(index, _)| index)?;
    let value = value
        .string_content()
        .map_or(value.raw().into(), decode_key);
    let mut hasher = DefaultHasher::new();
    (index, value).hash(&mut hasher);
    Some(hasher.finish())
}

/// Whether an element may be another version of this one, and not another element in its place: the members of an object that
/// usually name it, and its first one, have the same values.
fn is_same_element(base: Node<'_, '_>, other: Node<'_, '_>) -> bool {
    let same = |(index, (key, value)): (usize, (Node<'_, '_>, Node<'_, '_>))| {
        let key = decode_key(content(key));
        let names = index == 0 || NAMES.contains(&&*key);
        let mut others = other
            .members()
            .filter(|(name, _)| key_equals(content(*name), &key));
        !names || value.is_container() || others.any(|(_, other)| value.equals(other))
    };
    base.kind() == other.kind() && base.is_container() && base.members().enumerate().all(same)
}

/// Turns regions into conflicts if both versions changed where an element is, or how often it occurs: one would move what the
/// other one removes, or both would move it to different places. So each element must occur in the result as often as in the version
/// that changed its number; if both did, in the same region or in different ones.
///
/// An object that one version moved *and* changed is known by its name only. It must not be changed or removed by the other one,
/// nor occur twice in the result.
fn refuse_moves(regions: &mut [Region], versions: [&Elements<'_, '_>; 3]) {
    let mut counts: Table<Count> = Table::default();
    let mut named: Table<Count> = Table::default();
    for region in regions.iter() {
        // How often our and their elements are in both results.
        let merged = match region.resolution {
            Resolution::Inside => continue,
            Resolution::Ours => [[0, 0], [1, 1], [0, 0]],
            Resolution::Theirs => [[0, 0], [0, 0], [1, 1]],
            Resolution::Conflict => [[0, 0], [1, 0], [0, 1]],
        };
        // Both added the same elements here.
        let is_shared =
            region.base.is_empty() && versions[1].equal(&region.ours, versions[2], &region.theirs);
        for (version, (elements, range)) in versions.iter().zip(region.ranges()).enumerate() {
            for element in range.clone() {
                let id = elements.ids[element];
                let count = counts.entry(id).or_default();
                count.add(version, id, merged[version]);
                count.shared += isize::from(is_shared && version == 1);
                if let Some(name) = name(elements.nodes[element]) {
                    let count = named.entry(name).or_default();
                    count.add(version, id, merged[version]);
                }
            }
        }
    }
    counts.retain(|_, count| !count.is_kept());
    named.retain(|_, count| !count.is_one());
    if counts.is_empty() && named.is_empty() {
        return;
    }
    for region in regions {
        let [ours, theirs] = [
            &versions[1].ids[region.ours.clone()],
            &versions[2].ids[region.theirs.clone()],
        ];
        let is_refused = versions
            .iter()
            .zip(region.ranges())
            .any(|(elements, range)| {
                range.clone().any(|element| {
                    counts.contains_key(&elements.ids[element])
                        || !named.is_empty()
                            && name(elements.nodes[element])
                                .is_some_and(|name| named.contains_key(&name))
                })
            });
        if ours != theirs && is_refused {
            region.resolution = Resolution::Conflict;
        }
    }
}

/// How often an element occurs in the three versions, and in the result with our and with their side of all conflicts.
#[derive(Clone, Copy, Default)]
struct Count {
    versions: [isize; 3],
    /// Its last value in each version.
    ids: [Option<u64>; 3],
    merged: [isize; 2],
    /// How many both versions added at the same place.
    shared: isize,
}

impl Count {
    fn add(&mut self, version: usize, id: u64, merged: [isize; 2]) {
        self.versions[version] += 1;
        self.ids[version] = Some(id);
        (0..2).for_each(|result| self.merged[result] += merged[result]);
    }

    /// Whether a value occurs in the result as often as the versions want.
    fn is_kept(&self) -> bool {
        let [base, ours, theirs] = self.versions;
        let wanted = ours + theirs - base - self.shared;
        let alike = ours == theirs && ours != base;
        let fits = |&merged: &isize| merged == wanted || alike && merged == ours;
        self.merged.iter().all(fits)
    }

    /// Whether an object with this name is changed by one version or by both alike, and occurs in the result at most once. A name
    /// that several elements of a version have is none.
    fn is_one(&self) -> bool {
        let [base, ours, theirs] = self.ids;
        let is_clear = ours == base || theirs == base || ours == theirs;
        self.versions.iter().any(|&count| count > 1)
            || is_clear && self.merged.iter().all(|&count| count < 2)
    }
}

/// Whether two versions have equal values, or none.
fn same<'d, 't>(
    in_a: &Known<'d, 't>,
    a: Option<Node<'d, 't>>,
    in_b: &Known<'d, 't>,
    b: Option<Node<'d, 't>>,
) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => in_a.fingerprints.get(a) == in_b.fingerprints.get(b) && a.equals(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

#[cfg(test)]
mod tests;
