//! Resolves paths in the edited document: ancestors of edits are lists of children, everything else remains a span.
//!
//! ```text
//! {"a": [1, 2, 3], "b": {…}}      set /a/1 to 5
//!
//! root ──► Open { "a" ──► Open { Old 1, New 5, Old 3 }, Old "b" }
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::Blocks;
use super::error::EditError;
use super::step::EditStep;
use crate::document::{Document, Index};
use crate::string::decode_key;
use crate::token::Kind;
use crate::window::Options;

/// The position of a new child.
#[derive(Clone, Copy)]
pub(super) enum ChildAt {
    /// Replaces this one.
    Existing(usize),
    /// Before this one, or at the end.
    New(usize),
}

/// A value, somewhere in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// Unchanged in a source: its number, and the word of its index.
    Old { source: usize, word: usize },
    /// A container whose children are listed.
    Open(usize),
}

/// A new text whose values have been edited.
#[derive(Debug)]
pub(super) struct EditedText {
    pub(super) text: Vec<u8>,
    pub(super) index: Index,
    /// Its address in the rope.
    pub(super) at: usize,
}

/// The children of a container.
#[derive(Debug)]
pub(super) struct Container {
    pub(super) source: usize,
    pub(super) word: usize,
    pub(super) children: Blocks<Child>,
    /// The position of each key, in decoded bytes; of duplicate keys, the last one.
    pub(super) keys: BTreeMap<Vec<u8>, usize>,
    /// For a child with a duplicate key, the previous one.
    earlier: BTreeMap<usize, usize>,
}

#[derive(Debug)]
pub(super) enum Child {
    /// Unchanged in the text: the word of its key, or of the element.
    Old(usize),
    /// A removed member: the positions of members do not change.
    Gone,
    /// A new or edited value.
    New(Value),
}

/// The position of a value in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Root,
    Child { container: usize, at: usize },
}

#[derive(Debug)]
pub(super) struct Tree<'d, 't> {
    document: &'d Document<'t>,
    pub(super) added: Vec<EditedText>,
    pub(super) containers: Vec<Container>,
    pub(super) root: Value,
    /// A path passed through a duplicate key.
    pub(super) duplicates: bool,
    /// A child that is about to be removed: lookups skip it.
    pub(super) pending_removal: Option<(usize, usize)>,
}

impl<'d, 't> Tree<'d, 't> {
    pub(super) fn new(document: &'d Document<'t>) -> Tree<'d, 't> {
        Tree {
            document,
            added: Vec::new(),
            containers: Vec::new(),
            root: Value::Old { source: 0, word: 0 },
            duplicates: false,
            pending_removal: None,
        }
    }

    pub(super) fn text(&self, source: usize) -> &[u8] {
        match source.checked_sub(1) {
            None => self.document.text(),
            Some(number) => &self.added[number].text,
        }
    }

    /// The span of a key or value in its source.
    pub(super) fn span(&self, source: usize, word: usize) -> Range<usize> {
        self.index(source).span(self.text(source), word)
    }

    pub(super) fn index(&self, source: usize) -> &Index {
        match source.checked_sub(1) {
            None => &self.document.index,
            Some(number) => &self.added[number].index,
        }
    }

    pub(super) fn value(&self, slot: Slot) -> Option<Value> {
        let Slot::Child { container, at } = slot else {
            return Some(self.root);
        };
        let container = &self.containers[container];
        match container.children.get(at)? {
            Child::Gone => None,
            Child::New(value) => Some(*value),
            Child::Old(word) => Some(Value::Old {
                source: container.source,
                word: word + usize::from(self.is_object(container)),
            }),
        }
    }

    /// The position in the document of the value in a slot; `None` if an edit has created it.
    pub(super) fn source_span(&self, slot: Slot) -> Option<Range<usize>> {
        let (_, word) = self.word(slot).filter(|(source, _)| *source == 0)?;
        Some(self.span(0, word))
    }

    pub(super) fn set_value(&mut self, slot: Slot, value: Value) {
        let Slot::Child { container, at } = slot else {
            self.root = value;
            return;
        };
        match self.containers[container].children.get_mut(at) {
            Some(child @ (Child::Old(_) | Child::New(_))) => *child = Child::New(value),
            Some(Child::Gone) | None => {}
        }
    }

    pub(super) fn is_object(&self, container: &Container) -> bool {
        self.index(container.source).kind(container.word) == Kind::Object
    }

    pub(super) fn kind(&self, value: &Value) -> Kind {
        match value {
            Value::Old { source, word } => self.index(*source).kind(*word),
            Value::Open(container) => {
                if self.is_object(&self.containers[*container]) {
                    Kind::Object
                } else {
                    Kind::Array
                }
            }
        }
    }

    /// The source and word of the value in a slot.
    pub(super) fn word(&self, slot: Slot) -> Option<(usize, usize)> {
        match self.value(slot)? {
            Value::Old { source, word } => Some((source, word)),
            Value::Open(container) => Some(self.source_word(container)),
        }
    }

    /// The source of a container, and its word there.
    pub(super) fn source_word(&self, container: usize) -> (usize, usize) {
        let Container { source, word, .. } = self.containers[container];
        (source, word)
    }

    /// Adds a source for a value stored at an address of the rope.
    ///
    /// # Errors
    /// The value is not valid.
    pub(super) fn kept(&mut self, text: Vec<u8>, at: usize) -> Result<Value, EditError> {
        let options = Options::default().max_depth(u64::MAX);
        self.added.push(EditedText {
            index: Index::new(&text, options).map_err(EditError::Value)?,
            text,
            at,
        });
        Ok(Value::Old {
            source: self.added.len(),
            word: 0,
        })
    }

    /// The children with the key of the one at `at`, that one first.
    pub(super) fn equal(&self, container: usize, at: usize) -> impl Iterator<Item = usize> {
        let earlier = &self.containers[container].earlier;
        std::iter::successors(Some(at), |at| earlier.get(at).copied())
    }

    /// Opens the container in a slot by listing its children; `None` for a scalar.
    pub(super) fn open(&mut self, slot: Slot) -> Option<usize> {
        let (source, word) = match self.value(slot)? {
            Value::Open(container) => return Some(container),
            Value::Old { source, word } => (source, word),
        };
        let index = self.index(source);
        let is_object = match index.kind(word) {
            Kind::Object => true,
            Kind::Array => false,
            _ => return None,
        };
        let inside = index.inside(word);
        let words = || {
            let skip = |at: usize| index.skip(at + usize::from(is_object));
            let next = move |&at: &usize| Some(skip(at)).filter(|&next| next < inside.end);
            let first = Some(index.inside(word).start).filter(|&at| at < inside.end);
            std::iter::successors(first, next)
        };
        let children = Blocks::new(words().map(Child::Old));
        let (mut keys, mut earlier) = (BTreeMap::new(), BTreeMap::new());
        if is_object {
            let text = self.text(source);
            for (at, word) in words().enumerate() {
                let span = index.span(text, word);
                let key = decode_key(&text[span.start + 1..span.end - 1]).into_owned();
                if let Some(before) = keys.insert(key, at) {
                    earlier.insert(at, before);
                }
            }
        }
        self.containers.push(Container {
            source,
            word,
            children,
            keys,
            earlier,
        });
        let container = self.containers.len() - 1;
        self.set_value(slot, Value::Open(container));
        Some(container)
    }

    /// The position of the child that a step selects in a container, `depth` steps from the root.
    ///
    /// # Errors
    /// No child matches.
    pub(super) fn child(
        &mut self,
        container: usize,
        step: &EditStep,
        depth: usize,
    ) -> Result<usize, EditError> {
        let found = &self.containers[container];
        if self.is_object(found) {
            let Some(key) = &step.key else {
                return Err(EditError::not_container(depth, Kind::Object));
            };
            let at = found.keys.get(&key[..]).copied();
            let at = at.filter(|&at| self.pending_removal != Some((container, at)));
            let at = at.ok_or_else(|| EditError::missing(depth))?;
            self.duplicates |= found.earlier.contains_key(&at);
            return Ok(at);
        }
        let pending_removal = self
            .pending_removal
            .filter(|(array, _)| *array == container);
        let length = found.children.len() - usize::from(pending_removal.is_some());
        match step.index {
            _ if step.is_end => Err(EditError::past_end(depth, length)),
            None => Err(EditError::not_container(depth, Kind::Array)),
            Some(index) => {
                let at = absolute(index, length).filter(|&at| at < length);
                let at = at.ok_or_else(|| EditError::past_end(depth, length))?;
                Ok(at
                    + usize::from(
                        pending_removal.is_some_and(|(_, pending_removal)| at >= pending_removal),
                    ))
            }
        }
    }

    /// The slot that steps select.
    ///
    /// # Errors
    /// A step has no match.
    pub(super) fn find(&mut self, steps: &[EditStep]) -> Result<Slot, EditError> {
        let mut slot = Slot::Root;
        for (depth, step) in steps.iter().enumerate() {
            let container = self.enter(slot, depth)?;
            let at = self.child(container, step, depth)?;
            slot = Slot::Child { container, at };
        }
        Ok(slot)
    }

    /// The container in a slot that is `depth` steps from the root.
    ///
    /// # Errors
    /// The value is a scalar.
    pub(super) fn enter(&mut self, slot: Slot, depth: usize) -> Result<usize, EditError> {
        if let Some(container) = self.open(slot) {
            return Ok(container);
        }
        let kind = self
            .value(slot)
            .map_or(Kind::Null, |value| self.kind(&value));
        Err(EditError::not_container(depth, kind))
    }

    /// Adds a child before the one at `at`, or at the end.
    pub(super) fn insert(&mut self, container: usize, at: usize, key: Option<&[u8]>, value: Value) {
        let found = &mut self.containers[container];
        if let Some(key) = key {
            found.keys.insert(key.to_vec(), found.children.len());
        }
        found.children.insert(at, Child::New(value));
    }

    /// Renames a member to a key that the object lacks, and removes others with the old key.
    pub(super) fn rename(&mut self, (container, at): (usize, usize), old: &[u8], new: &[u8]) {
        let found = &mut self.containers[container];
        if let Some(duplicate) = found.earlier.remove(&at) {
            self.remove(container, duplicate, Some(old));
        }
        let keys = &mut self.containers[container].keys;
        keys.remove(old);
        keys.insert(new.to_vec(), at);
    }

    /// Removes a child, and all with the same key.
    pub(super) fn remove(&mut self, container: usize, at: usize, key: Option<&[u8]>) {
        let found = &mut self.containers[container];
        let Some(key) = key.filter(|_| !found.keys.is_empty()) else {
            found.children.remove(at);
            return;
        };
        found.keys.remove(key);
        let mut next = Some(at);
        while let Some(at) = next {
            if let Some(child) = found.children.get_mut(at) {
                *child = Child::Gone;
            }
            next = found.earlier.remove(&at);
        }
    }
}

/// Resolves an index in an array of this length; a negative one counts from the end.
pub(super) fn absolute(index: i64, length: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(at) => Some(at),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
