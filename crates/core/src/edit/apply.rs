//! How an edit is made in the tree: places are found first, so that an edit that fails changes nothing.

use std::sync::Arc;

use super::editor::Editor;
use super::error::EditError;
use super::step::{Step, key_text};
use super::style::{self, Layout};
use super::tree::{Slot, Value};
use super::write;
use crate::token::Kind;
use crate::window::validate;

/// Where a child is to be added.
enum ChildAt {
    /// In place of this one.
    Existing(usize),
    /// Before this one, or at the end.
    New(usize),
}

impl Editor<'_, '_> {
    /// Replaces the value in a slot.
    pub(super) fn put(&mut self, slot: Slot, value: &[u8]) {
        let layout = self.layout(slot);
        let text = layout.write(value);
        self.tree.set_value(slot, Value::New { text, layout });
    }

    /// The layout of a value that replaces the one in a slot.
    fn layout(&self, slot: Slot) -> Arc<Layout> {
        Arc::new(match self.tree.value(slot) {
            Some(Value::New { layout, .. }) => return layout,
            Some(Value::Old { source, word }) => {
                let span = self.tree.span(source, word);
                style::of_value(self.tree.text(source), span)
            }
            Some(Value::Open(container)) => {
                let container = &self.tree.containers[container];
                let span = self.tree.span(container.source, container.word);
                style::of_value(self.tree.text(container.source), span)
            }
            None => style::of_value(&b"0"[..], 0..1),
        })
    }

    /// Adds a verified value where steps lead.
    pub(super) fn add_at(&mut self, steps: &[Step], value: &[u8]) -> Result<(), EditError> {
        let Some((last, parent)) = steps.split_last() else {
            self.put(Slot::Root, value);
            return Ok(());
        };
        let slot = self.tree.find(parent)?;
        self.add_to(slot, last, parent.len(), value)
    }

    /// Adds a verified value to the container in a slot, which is `depth` steps from the root.
    fn add_to(
        &mut self,
        slot: Slot,
        last: &Step,
        depth: usize,
        value: &[u8],
    ) -> Result<(), EditError> {
        let container = self.tree.enter(slot, depth)?;
        let length = self.tree.containers[container].children.len();
        match self.place_in(container, last, depth, length)? {
            ChildAt::Existing(at) => self.put(Slot::Child { container, at }, value),
            ChildAt::New(at) => {
                let style = self.tree.style(container, at);
                let layout = style.layout.clone();
                let text = layout.write(value);
                let key = last.key.as_deref().filter(|_| self.is_object(container));
                let value = Value::New { text, layout };
                self.tree.insert(container, at, key, style, value);
            }
        }
        Ok(())
    }

    /// The slot of a member of the object in a slot. Errors here and below count their steps from that object.
    pub(crate) fn member(&mut self, object: Slot, key: &[u8]) -> Result<Slot, EditError> {
        let container = self.tree.enter(object, 0)?;
        let at = self.tree.child(container, &Step::of_key(key), 0)?;
        Ok(Slot::Child { container, at })
    }

    /// Sets a member of the object in a slot.
    pub(crate) fn set_member(
        &mut self,
        object: Slot,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), EditError> {
        self.add_to(object, &Step::of_key(key), 0, verified(value)?)
    }

    /// Removes a member of the object in a slot.
    pub(crate) fn delete_member(&mut self, object: Slot, key: &[u8]) -> Result<(), EditError> {
        let slot = self.member(object, key)?;
        self.remove(slot, Some(&Step::of_key(key)))
    }

    /// Adds a value that has a layout to a container.
    pub(super) fn add_in(
        &mut self,
        container: usize,
        last: &Step,
        depth: usize,
        value: Value,
    ) -> Result<(), EditError> {
        let length = self.tree.containers[container].children.len();
        match self.place_in(container, last, depth, length)? {
            ChildAt::Existing(at) => {
                let slot = Slot::Child { container, at };
                let layout = self.layout(slot);
                let value = self.indented(value, layout);
                self.tree.set_value(slot, value);
            }
            ChildAt::New(at) => {
                let style = self.tree.style(container, at);
                let value = self.indented(value, style.layout.clone());
                let key = last.key.as_deref().filter(|_| self.is_object(container));
                self.tree.insert(container, at, key, style, value);
            }
        }
        Ok(())
    }

    /// The container that `parent` leads to, which has a place for `last`.
    pub(super) fn target(&mut self, parent: &[Step], last: &Step) -> Result<usize, EditError> {
        let slot = self.tree.find(parent)?;
        let container = self.tree.enter(slot, parent.len())?;
        let hole = self.tree.hole.filter(|(array, _)| *array == container);
        let length = self.tree.containers[container].children.len();
        self.place_in(
            container,
            last,
            parent.len(),
            length - usize::from(hole.is_some()),
        )?;
        Ok(container)
    }

    fn is_object(&self, container: usize) -> bool {
        self.tree.is_object(&self.tree.containers[container])
    }

    /// Where a step adds a child to a container of `length` children.
    fn place_in(
        &mut self,
        container: usize,
        step: &Step,
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
        let past = EditError::PastEnd {
            steps: depth,
            length,
        };
        match step.index {
            _ if step.is_end => Ok(ChildAt::New(length)),
            None => Err(EditError::NotContainer {
                steps: depth,
                kind: Kind::Array,
            }),
            Some(index) => {
                let at = match usize::try_from(index) {
                    Ok(at) => Some(at),
                    Err(_) => usize::try_from(index.unsigned_abs())
                        .ok()
                        .and_then(|back| length.checked_sub(back)),
                };
                at.filter(|&at| at <= length).map(ChildAt::New).ok_or(past)
            }
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, last: Option<&Step>) -> Result<(), EditError> {
        let Slot::Child { container, at } = slot else {
            return Err(EditError::Root);
        };
        let key = last.and_then(|step| step.key.as_deref());
        let key = key.filter(|_| self.is_object(container));
        self.tree.remove(container, at, key);
        Ok(())
    }

    /// Whether steps lead through a slot to something inside it.
    pub(super) fn leads_into(&mut self, steps: &[Step], slot: Slot) -> Result<bool, EditError> {
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

    /// The value in a slot, for another place: what was edited in it becomes text.
    pub(super) fn detached(&self, slot: Slot) -> Value {
        match self.tree.value(slot) {
            Some(value @ Value::Open(_)) => {
                let text = write::text_of(&self.tree, &value);
                let layout = Arc::new(style::of_value(&text[..], 0..text.len()));
                Value::New { text, layout }
            }
            Some(value) => value,
            None => Value::Open(0),
        }
    }

    /// A value whose lines have the indentation of their new place; on one line where that has none.
    fn indented(&self, value: Value, layout: Arc<Layout>) -> Value {
        let text = match &value {
            Value::New { text, .. } => text,
            Value::Old { source, word } => &self.tree.text(*source)[self.tree.span(*source, *word)],
            Value::Open(_) => return value,
        };
        let Some(feed) = text.iter().rposition(|byte| *byte == b'\n') else {
            return match value {
                Value::New { text, .. } => Value::New { text, layout },
                other => other,
            };
        };
        let Some(lines) = &layout.lines else {
            let text = layout.write(text);
            return Value::New { text, layout };
        };
        // The last line has the closing bracket, and the indentation of the line that the value begins on.
        let last = &text[feed + 1..text.len() - 1];
        let old = match last.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            true => last,
            false => &[],
        };
        let indented = style::reindent(text, old, lines);
        if matches!(value, Value::Old { .. }) && indented == text {
            return value;
        }
        Value::New {
            text: indented,
            layout,
        }
    }
}

/// A value without the white space around it.
pub(super) fn verified(value: &[u8]) -> Result<&[u8], EditError> {
    validate(value).map_err(EditError::Value)?;
    Ok(crate::token::trim_end(value).trim_ascii_start())
}

/// A value inside one object for each step, the outermost first.
pub(super) fn parents(steps: &[Step], value: &[u8]) -> Result<Vec<u8>, EditError> {
    let mut text = Vec::new();
    for (depth, step) in steps.iter().enumerate() {
        let missing = EditError::Missing { steps: depth };
        let key = step.key.as_ref().ok_or(missing)?;
        text.push(b'{');
        text.extend(key_text(key));
        text.push(b':');
    }
    text.extend_from_slice(value);
    text.extend(steps.iter().map(|_| b'}'));
    Ok(text)
}
