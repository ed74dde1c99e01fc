//! The differences between two documents.
//!
//! ```text
//! old ──► Document ──► fingerprints ──┐            objects by key       members.rs
//!                      of all values  ├──► walk ──► arrays in order     arrays.rs ──► sequence.rs, moves.rs
//! new ──► Document ──► fingerprints ──┘            scalars by value
//!                                                   │
//!                                                   ▼
//!                                                  Diff: changes ──► patch.rs   RFC 6902
//!                                                                └─► merge.rs   RFC 7396
//!
//! base, ours, theirs, with fingerprints ──► three_way.rs ──► Merge: changes to make in ours, and conflicts
//! ```
//!
//! Fingerprints only find candidates for equality: values with equal fingerprints are compared as texts, and as values if the
//! texts differ. Memory is needed for the fingerprints (8 bytes per word of the index) and for the changes.

mod arrays;
mod members;
mod merge;
mod moves;
mod options;
mod patch;
mod select;
mod sequence;
#[cfg(test)]
mod tests;
mod three_way;
mod walk;

use crate::document::{Document, Node, Rules};
use crate::path::Location;
use crate::string::decode_key;
pub use merge::NotMergeable;
pub use options::DiffOptions;
// For the program.
#[doc(hidden)]
pub use three_way::{Conflict, Merge, MergeChange, merge};
use walk::{DiffWalk, Known, NONE};

/// The differences between two documents, made by [`diff`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{Diff, DiffOptions, diff};
///
/// fn count(diff: &Diff<'_, '_>) -> usize {
///     diff.changes().len()
/// }
///
/// let (old, new) = (Document::parse(b"[1, 2]")?, Document::parse(b"[1, 3]")?);
/// assert_eq!(count(&diff(&old, &new, &DiffOptions::default())), 1);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Diff<'d, 't> {
    old: &'d Document<'t>,
    new: &'d Document<'t>,
    /// The steps to the changes; each has the index of its parent.
    steps: Vec<DiffStep>,
    changes: Vec<Record>,
    is_minimal: bool,
    duplicates: (bool, bool),
}

/// A step from a container to a value in it.
#[derive(Clone, Copy, Debug)]
struct DiffStep {
    /// The step that leads to the container.
    parent: usize,
    /// The words of the value in both documents, or [`NONE`].
    old: usize,
    new: usize,
    kind: StepKind,
}

#[derive(Clone, Copy, Debug)]
enum StepKind {
    Root,
    /// The value of a member, whose key precedes it.
    Key,
    /// The element of an array: its index in both documents, and in the array that a patch has changed so far.
    Index {
        old: usize,
        new: usize,
        at: usize,
    },
}

#[derive(Clone, Copy, Debug)]
struct Record {
    kind: ChangeKind,
    step: usize,
}

/// The kind of a change.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{ChangeKind, DiffOptions, diff};
///
/// let old = Document::parse(br#"{"a": 1, "b": 2}"#)?;
/// let new = Document::parse(br#"{"a": 3, "c": 2}"#)?;
/// let kinds: Vec<ChangeKind> = diff(&old, &new, &DiffOptions::default()).changes().map(|change| change.kind()).collect();
/// assert_eq!(kinds, [ChangeKind::Replaced, ChangeKind::Removed, ChangeKind::Added]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Only the new document has it.
    Added,
    /// Only the old document has it.
    Removed,
    /// The new document has another value in this position.
    Replaced,
    /// An element matched by its key ([`DiffOptions::key`]) has another position among the others. Changes inside it are separate
    /// changes.
    Moved {
        /// The index before the move, in the array after the previous changes.
        from: usize,
    },
}

/// One change. Cheap to copy; it borrows from the [`Diff`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{DiffOptions, diff};
/// use jsonx_core::path::Notation;
///
/// let old = Document::parse(br#"{"ports": [80, 8080, 443]}"#)?;
/// let new = Document::parse(br#"{"ports": [8080, 443, 81]}"#)?;
/// let diff = diff(&old, &new, &DiffOptions::default());
/// let mut changes = diff.changes();
/// let removed = changes.next().unwrap();
/// assert_eq!(removed.path().display(Notation::Dot).to_string(), ".ports[0]");
/// assert_eq!((removed.old().unwrap().raw(), removed.new().is_none()), (&b"80"[..], true));
/// let added = changes.next().unwrap();
/// assert_eq!(added.path().display(Notation::Dot).to_string(), ".ports[2]");
/// assert!(changes.next().is_none());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Change<'a, 'd, 't> {
    diff: &'a Diff<'d, 't>,
    record: Record,
}

/// Compares two documents by value: objects by key, in any order (of duplicate keys, the last counts), arrays by a longest
/// common subsequence of their elements, strings after decoding, numbers by their exact decimal value. Elements between equal
/// ones are compared pairwise.
///
/// Takes time proportional to the length of both texts, n log n for objects with members in another order, and for arrays up to a
/// limit of about a second in total: see [`Diff::is_minimal`]. Takes 8 bytes of memory for each word of both
/// indexes, and about 70 for each change. Nothing recurses.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{DiffOptions, diff};
///
/// let old = Document::parse(br#"{"port": 80, "hosts": ["a", "b"], "v": 1.0}"#)?;
/// let new = Document::parse(br#"{"v": 1, "port": 8080, "hosts": ["b"]}"#)?;
/// let diff = diff(&old, &new, &DiffOptions::default());
/// assert_eq!(
///     String::from_utf8_lossy(&diff.to_patch()),
///     "[\n  {\"op\":\"replace\",\"path\":\"/port\",\"value\":8080},\n  {\"op\":\"remove\",\"path\":\"/hosts/0\"}\n]\n"
/// );
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn diff<'d, 't>(
    old: &'d Document<'t>,
    new: &'d Document<'t>,
    options: &DiffOptions,
) -> Diff<'d, 't> {
    let known = |document| {
        let rules = Rules {
            exact: options.exact,
            ignored: select::selected(document, &options.ignored),
            sets: select::selected(document, &options.sets),
        };
        Known::new(document, rules)
    };
    let (before, after) = (known(old), known(new));
    let mut walk = DiffWalk::new(&before, &after, &options.keys);
    walk.run();
    let DiffWalk {
        steps,
        changes,
        is_minimal,
        ..
    } = walk;
    Diff {
        old,
        new,
        steps,
        changes,
        is_minimal,
        duplicates: (
            before.fingerprints.any_duplicates,
            after.fingerprints.any_duplicates,
        ),
    }
}

impl<'d, 't> Diff<'d, 't> {
    /// The changes in the order of a patch: the order of the old document, with additions to an object after the changes in it.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let document = Document::parse(b"[1, 2]")?;
    /// assert_eq!(diff(&document, &document, &DiffOptions::default()).changes().count(), 0);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn changes(&self) -> impl ExactSizeIterator<Item = Change<'_, 'd, 't>> {
        let change = |&record| Change { diff: self, record };
        self.changes.iter().map(change)
    }

    /// Whether the documents are equal.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (a, b) = (Document::parse(br#"{"a":1,"b":2}"#)?, Document::parse(br#"{"b": 2.0, "\u0061": 1}"#)?);
    /// assert!(diff(&a, &b, &DiffOptions::default()).is_empty());
    /// assert!(!diff(&a, &b, &DiffOptions::default().exact(true)).is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether every array was matched by a longest common subsequence. If long arrays with few distinct values differ in tens
    /// of thousands of positions, the search stops early: the changes are correct, but there may be more than necessary.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (a, b) = (Document::parse(b"[1, 2]")?, Document::parse(b"[2, 1]")?);
    /// assert!(diff(&a, &b, &DiffOptions::default()).is_minimal());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn is_minimal(&self) -> bool {
        self.is_minimal
    }

    /// Whether the old and the new document have an object with duplicate keys, of which the last one counts.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(br#"{"a": 1, "a": 2}"#)?, Document::parse(br#"{"a": 2}"#)?);
    /// let diff = diff(&old, &new, &DiffOptions::default());
    /// assert_eq!((diff.is_empty(), diff.duplicate_keys()), (true, (true, false)));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn duplicate_keys(&self) -> (bool, bool) {
        self.duplicates
    }

    fn node_old(&self, step: &DiffStep) -> Option<Node<'d, 't>> {
        (step.old != NONE).then(|| self.old.node(step.old))
    }

    fn node_new(&self, step: &DiffStep) -> Option<Node<'d, 't>> {
        (step.new != NONE).then(|| self.new.node(step.new))
    }

    /// The key of a member, as written in the new document if it has the member.
    fn key(&self, step: &DiffStep) -> &'t [u8] {
        let key = match step.new {
            NONE => self.old.node(step.old - 1),
            new => self.new.node(new - 1),
        };
        key.string_content().unwrap_or_default()
    }

    /// The steps from the root to a step, inclusive.
    fn chain(&self, step: usize) -> Vec<usize> {
        let next = |&step: &usize| Some(self.steps[step].parent).filter(|&step| step != NONE);
        let mut chain: Vec<usize> = std::iter::successors(Some(step), next).collect();
        chain.reverse();
        chain
    }
}

impl<'d, 't> Change<'_, 'd, 't> {
    /// The kind of the change.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{ChangeKind, DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(br#"[{"id": 1}, {"id": 2}]"#)?, Document::parse(br#"[{"id": 2}, {"id": 1}]"#)?);
    /// let diff = diff(&old, &new, &DiffOptions::default().key("id"));
    /// assert!(matches!(diff.changes().next().unwrap().kind(), ChangeKind::Moved { .. }));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn kind(&self) -> ChangeKind {
        self.record.kind
    }

    /// The value in the old document; `None` if it was added.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(b"[1]")?, Document::parse(b"[2]")?);
    /// let diff = diff(&old, &new, &DiffOptions::default());
    /// assert_eq!(diff.changes().next().unwrap().old().unwrap().raw(), b"1");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn old(&self) -> Option<Node<'d, 't>> {
        self.diff.node_old(self.step())
    }

    /// The value in the new document; `None` if it was removed.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(b"[1]")?, Document::parse(b"[2]")?);
    /// let diff = diff(&old, &new, &DiffOptions::default());
    /// assert_eq!(diff.changes().next().unwrap().new().unwrap().raw(), b"2");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[expect(clippy::new_ret_no_self)]
    pub fn new(&self) -> Option<Node<'d, 't>> {
        self.diff.node_new(self.step())
    }

    /// The containers of the value in the old and in the new document, even if one of them lacks the value; `None` at the root.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(br#"{"a": []}"#)?, Document::parse(br#"{"a": [1]}"#)?);
    /// let diff = diff(&old, &new, &DiffOptions::default());
    /// let (before, after) = diff.changes().next().unwrap().containers().unwrap();
    /// assert_eq!((before.raw(), after.raw()), (&b"[]"[..], &b"[1]"[..]));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn containers(&self) -> Option<(Node<'d, 't>, Node<'d, 't>)> {
        let parent = self.diff.steps.get(self.step().parent)?;
        Some((self.diff.node_old(parent)?, self.diff.node_new(parent)?))
    }

    /// The path of the value in the new document, or in the old one for a removed value.
    ///
    /// Takes time proportional to its depth.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    /// use jsonx_core::path::Notation;
    ///
    /// let (old, new) = (Document::parse(br#"{"a": [1, [2]]}"#)?, Document::parse(br#"{"a": [[3]]}"#)?);
    /// let diff = diff(&old, &new, &DiffOptions::default());
    /// let paths: Vec<_> = diff.changes().map(|change| change.path().display(Notation::JsonPath).to_string()).collect();
    /// assert_eq!(paths, ["$['a'][0]", "$['a'][1]"]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn path(&self) -> Location {
        self.location(self.record.kind == ChangeKind::Removed)
    }

    /// The path of the value in the old document; `None` if it was added.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    /// use jsonx_core::path::Notation;
    ///
    /// let (old, new) = (Document::parse(b"[0, [1], 2]")?, Document::parse(b"[[3], 2]")?);
    /// let diff = diff(&old, &new, &DiffOptions::default().key("id"));
    /// let paths: Vec<_> = diff.changes().filter_map(|change| Some(change.old_path()?.display(Notation::Dot).to_string())).collect();
    /// assert_eq!(paths, [".[0]", ".[1]"]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn old_path(&self) -> Option<Location> {
        (self.step().old != NONE).then(|| self.location(true))
    }

    fn location(&self, in_old: bool) -> Location {
        let mut location = Location::default();
        for step in self.diff.chain(self.record.step) {
            let step = &self.diff.steps[step];
            match step.kind {
                StepKind::Root => {}
                StepKind::Key => location.push_key(&decode_key(self.diff.key(step))),
                StepKind::Index { old, new, .. } => {
                    location.push_index(if in_old { old } else { new } as u64);
                }
            }
        }
        location
    }

    fn step(&self) -> &DiffStep {
        &self.diff.steps[self.record.step]
    }
}
