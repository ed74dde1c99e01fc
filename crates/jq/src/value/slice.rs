//! Slices of arrays, which share their elements: `.[1:]` takes constant time.

use std::ops::{Deref, Range};
use std::rc::Rc;

use super::{Items, Value};

/// Some elements of an array.
#[derive(Clone)]
pub struct Slice {
    items: Rc<Items>,
    from: u32,
    length: u32,
}

/// Fewer elements are copied instead of shared, so that they do not keep a long array alive.
const LEAST: usize = 8;

impl Value {
    /// The elements of a built array within a range of positions.
    pub(crate) fn slice(&self, range: Range<usize>) -> Option<Value> {
        let (items, start) = match self {
            Value::Array(items) => (items, 0),
            Value::Slice(slice) => (&slice.items, slice.from as usize),
            _ => return None,
        };
        let (from, length) = (start + range.start, range.len());
        if length == items.len() {
            return Some(Value::Array(items.clone()));
        }
        let bounds = u32::try_from(from).ok().zip(u32::try_from(length).ok());
        Some(match bounds.filter(|_| length >= LEAST) {
            Some((from, length)) => Value::Slice(Slice {
                items: items.clone(),
                from,
                length,
            }),
            None => Value::array(items[from..from + length].to_vec()),
        })
    }
}

impl Slice {
    /// Its elements, moved if nothing else refers to them.
    pub(super) fn into_vec(self) -> Vec<Value> {
        let (from, length) = (self.from as usize, self.length as usize);
        match Rc::try_unwrap(self.items) {
            Ok(items) => {
                let mut all = items.into_vec();
                all.truncate(from + length);
                all.drain(..from);
                all
            }
            Err(items) => items[from..from + length].to_vec(),
        }
    }

    /// Appends elements, in place if nothing else refers to the array.
    pub(crate) fn append(mut self, more: &[Value]) -> Value {
        let (from, length) = (self.from as usize, self.length as usize);
        // The elements before the slice are dropped once they are the greater part, so that a queue takes constant time.
        if let Some(items) = Rc::get_mut(&mut self.items).filter(|_| from <= length) {
            let all = items.as_mut();
            all.truncate(from + length);
            all.extend_from_slice(more);
            if let Ok(length) = u32::try_from(length + more.len()) {
                self.length = length;
                return Value::Slice(self);
            }
        }
        let mut all = self.into_vec();
        all.extend_from_slice(more);
        Value::array(all)
    }
}

impl Deref for Slice {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        let from = self.from as usize;
        &self.items[from..from + self.length as usize]
    }
}
