//! Containers that are dropped without recursion, at any depth.

use std::cell::RefCell;
use std::ops::Deref;

use super::{Members, Value};

/// The elements of an array.
#[derive(Clone, Default)]
pub struct Items(Vec<Value>);

impl Items {
    pub(crate) fn new(items: Vec<Value>) -> Items {
        Items(items)
    }

    pub(crate) fn into_vec(mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }

    pub(crate) fn as_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

thread_local! {
    /// The contents of containers that are being dropped; `None` unless one is.
    static PENDING: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Drops the contents of a container; those of nested ones are added to the list of the outermost one.
fn drop_all(values: impl Iterator<Item = Value>) {
    let mut nested = values
        .filter(|value| matches!(value, Value::Array(_) | Value::Slice(_) | Value::Object(_)))
        .peekable();
    if nested.peek().is_none() {
        return;
    }
    let is_outermost = PENDING.try_with(|pending| {
        let mut pending = pending.borrow_mut();
        let is_outermost = pending.is_none();
        pending.get_or_insert_default().extend(&mut nested);
        is_outermost
    });
    if is_outermost == Ok(true) {
        while let Some(value) = PENDING.with(|pending| pending.borrow_mut().as_mut()?.pop()) {
            drop(value);
        }
        PENDING.with(|pending| *pending.borrow_mut() = None);
    }
}

impl Drop for Items {
    fn drop(&mut self) {
        drop_all(self.0.drain(..));
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        drop_all(self.drain());
    }
}
