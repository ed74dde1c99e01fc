//! Applies an edit to the tree. All positions are found first, so an edit that fails changes nothing.

use super::editor::Editor;
use super::error::EditError;
use super::local::Written;
use super::step::EditStep;
use super::text::verified;
use super::tree::{ChildAt, Slot, absolute};
use crate::token::Kind;

impl Editor<'_, '_> {
    /// Replaces the value in a slot, unless it has the same tokens.
    pub(super) fn put(&mut self, slot: Slot, value: &[u8]) -> Result<(), EditError> {
        self.rope
            .set(&mut self.tree, slot, (value, Written::Tokens))
    }

    /// Adds a verified value at the position of a path.
    pub(super) fn add_at(&mut self, steps: &[EditStep], value: &[u8]) -> Result<(), EditError> {
        let Some((last, parent)) = steps.split_last() else {
            return self.put(Slot::Root, value);
        };
        let slot = self.tree.find(parent)?;
        self.add_to(slot, last, parent.len(), value)
    }

    /// Adds a verified value to the container in a slot, which is `depth` steps from the root.
    fn add_to(
        &mut self,
        slot: Slot,
        last: &EditStep,
        depth: usize,
        value: &[u8],
    ) -> Result<(), EditError> {
        let container = self.tree.enter(slot, depth)?;
        let length = self.tree.containers[container].children.len();
        let target = self.position_in(container, last, depth, length)?;
        self.add_in((container, target), last, (value, Written::Tokens))
    }

    /// Adds a verified value to the end of the array in a slot, which is `depth` steps from the root.
    pub(super) fn append_to(
        &mut self,
        slot: Slot,
        depth: usize,
        value: &[u8],
    ) -> Result<(), EditError> {
        match self.kind(slot) {
            Kind::Array => self.add_to(slot, &EditStep::END, depth, value),
            kind => Err(EditError::not_container(depth, kind)),
        }
    }

    /// The kind of the value in a slot.
    pub(crate) fn kind(&self, slot: Slot) -> Kind {
        let value = self.tree.value(slot);
        value.map_or(Kind::Null, |value| self.tree.kind(&value))
    }

    /// The slot of a member of the object in a slot. Errors here and below count their steps from that object.
    pub(crate) fn member(&mut self, object: Slot, key: &[u8]) -> Result<Slot, EditError> {
        let container = self.tree.enter(object, 0)?;
        let at = self.tree.child(container, &EditStep::of_key(key), 0)?;
        Ok(Slot::Child { container, at })
    }

    /// Sets a member of the object in a slot.
    pub(crate) fn set_member(
        &mut self,
        object: Slot,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), EditError> {
        self.add_to(object, &EditStep::of_key(key), 0, verified(value)?)
    }

    /// Removes a member of the object in a slot.
    pub(crate) fn delete_member(&mut self, object: Slot, key: &[u8]) -> Result<(), EditError> {
        let slot = self.member(object, key)?;
        self.remove(slot, Some(&EditStep::of_key(key)))
    }

    /// Adds a value that has a layout to a container.
    pub(super) fn add_in(
        &mut self,
        (container, child_at): (usize, ChildAt),
        last: &EditStep,
        value: (&[u8], Written),
    ) -> Result<(), EditError> {
        let key = last.key.as_deref().filter(|_| self.is_object(container));
        match child_at {
            ChildAt::Existing(at) => {
                let slot = Slot::Child { container, at };
                self.rope.set(&mut self.tree, slot, value)
            }
            ChildAt::New(at) => self.rope.add(&mut self.tree, (container, at), key, value),
        }
    }

    /// The container that `parent` selects, and the position of `last` in it.
    pub(super) fn place(
        &mut self,
        parent: &[EditStep],
        last: &EditStep,
    ) -> Result<(usize, ChildAt), EditError> {
        let slot = self.tree.find(parent)?;
        let container = self.tree.enter(slot, parent.len())?;
        let pending_removal = self
            .tree
            .pending_removal
            .filter(|(array, _)| *array == container);
        let length = self.tree.containers[container].children.len();
        let length = length - usize::from(pending_removal.is_some());
        let child_at = self.position_in(container, last, parent.len(), length)?;
        Ok((container, child_at))
    }

    pub(super) fn is_object(&self, container: usize) -> bool {
        self.tree.is_object(&self.tree.containers[container])
    }

    /// The position at which a step adds a child to a container of `length` children.
    fn position_in(
        &mut self,
        container: usize,
        step: &EditStep,
        depth: usize,
        length: usize,
    ) -> Result<ChildAt, EditError> {
        if self.is_object(container) {
            let end = self.tree.containers[container].children.len();
            return match self.tree.child(container, step, depth) {
                Ok(at) => Ok(ChildAt::Existing(at)),
                Err(EditError::Missing { .. }) => Ok(ChildAt::New(end)),
                Err(error) => Err(error),
            };
        }
        match step.index {
            _ if step.is_end => Ok(ChildAt::New(length)),
            None => Err(EditError::not_container(depth, Kind::Array)),
            Some(index) => {
                let at = absolute(index, length).filter(|&at| at <= length);
                let at = at.map(ChildAt::New);
                at.ok_or_else(|| EditError::past_end(depth, length))
            }
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, last: Option<&EditStep>) -> Result<(), EditError> {
        let Slot::Child { container, at } = slot else {
            return Err(EditError::Root);
        };
        let key = last.and_then(|step| step.key.as_deref());
        let key = key.filter(|_| self.is_object(container));
        self.rope.remove(&self.tree, (container, at))?;
        self.tree.remove(container, at, key);
        Ok(())
    }

    /// Whether a path leads through a slot to a value inside it.
    pub(super) fn leads_into(&mut self, steps: &[EditStep], slot: Slot) -> Result<bool, EditError> {
        let mut at = Slot::Root;
        for (depth, step) in steps.iter().enumerate() {
            if at == slot {
                return Ok(true);
            }
            let Some(container) = self.tree.open(at) else {
                return Ok(false);
            };
            at = match self.tree.child(container, step, depth) {
                Ok(child) => Slot::Child {
                    container,
                    at: child,
                },
                Err(_) => return Ok(false),
            };
        }
        Ok(false)
    }
}
