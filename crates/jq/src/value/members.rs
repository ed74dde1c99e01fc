//! The members of an object.

use std::rc::Rc;

use indexmap::IndexMap;

use super::{FEW, Value};

type Member = (Rc<str>, Value);

/// Members by key. Few are compared one by one, which takes less than to hash them.
#[derive(Clone, Default)]
struct Map {
    /// Empty if there are many.
    few: Vec<Member>,
    many: Option<Box<IndexMap<Rc<str>, Value>>>,
}

impl Map {
    fn len(&self) -> usize {
        self.many.as_ref().map_or(self.few.len(), |many| many.len())
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.many {
            None => self.few.iter().position(|(other, _)| **other == *key),
            Some(many) => many.get_index_of(key),
        }
    }

    fn at(&self, at: usize) -> &Value {
        match &self.many {
            None => &self.few[at].1,
            Some(many) => &many[at],
        }
    }

    fn at_mut(&mut self, at: usize) -> &mut Value {
        match &mut self.many {
            None => &mut self.few[at].1,
            Some(many) => &mut many[at],
        }
    }

    fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Value)> {
        let many = self.many.iter().flat_map(|many| many.iter());
        self.few.iter().map(|(key, value)| (key, value)).chain(many)
    }

    fn insert(&mut self, key: Rc<str>, value: Value) {
        if let Some(at) = self.position(&key) {
            *self.at_mut(at) = value;
        } else if self.many.is_none() && self.few.len() < FEW {
            self.few.push((key, value));
        } else {
            let many = self.many.get_or_insert_default();
            many.extend(self.few.drain(..));
            many.insert(key, value);
        }
    }

    fn remove(&mut self, at: usize) {
        match &mut self.many {
            None => drop(self.few.remove(at)),
            Some(many) => drop(many.shift_remove_index(at)),
        }
    }

    /// Removes the value of a member that waits to be removed, among many.
    fn clear(&mut self, at: usize) {
        *self.at_mut(at) = Value::Null;
        // The key may be added again, at the end. If there is a member of the other name, both stay until they move together.
        if let Some(many) = &mut self.many {
            let _ = many.replace_index(at, format!("\0{at}").into());
        }
    }

    fn drain(&mut self) -> impl Iterator<Item = Member> {
        let many = self.many.take().map(|many| *many);
        self.few.drain(..).chain(many.into_iter().flatten())
    }
}

/// Members in their order. Without the marks, a program that removes one after another would move all others each time.
#[derive(Clone, Default)]
pub struct Members {
    map: Map,
    /// Members that were removed, and wait for the others to move together.
    removed: Option<Box<Removed>>,
}

#[derive(Clone, Default)]
struct Removed {
    /// Whether a member is one; false beyond the end.
    marks: Vec<bool>,
    count: usize,
}

impl Members {
    pub(crate) fn len(&self) -> usize {
        self.map.len() - self.removed.as_ref().map_or(0, |removed| removed.count)
    }

    fn marks(&self) -> &[bool] {
        self.removed.as_ref().map_or(&[], |removed| &removed.marks)
    }

    /// The position of a member.
    fn position(&self, key: &str) -> Option<usize> {
        let at = self.map.position(key)?;
        (self.marks().get(at) != Some(&true)).then_some(at)
    }

    pub(crate) fn contains_key(&self, key: &str) -> bool {
        self.position(key).is_some()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        Some(self.map.at(self.position(key)?))
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.position(key)?;
        Some(self.map.at_mut(at))
    }

    /// The value of the member at a position, if none were removed.
    pub(super) fn at_mut(&mut self, at: usize) -> &mut Value {
        self.map.at_mut(at)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Value)> {
        let mut marks = self.marks().iter();
        let members = self.map.iter();
        members.filter(move |_| marks.next() != Some(&true))
    }

    pub(crate) fn insert(&mut self, key: Rc<str>, value: Value) {
        if self.removed.is_some() && !self.contains_key(&key) && self.map.position(&key).is_some() {
            self.move_together();
        }
        self.map.insert(key, value);
    }

    pub(crate) fn remove(&mut self, key: &str) {
        /// Members that may move for each one before them.
        const FEW: usize = 256;

        let Some(at) = self.position(key) else { return };
        if self.removed.is_none() && self.map.len() - at <= FEW {
            self.map.remove(at);
            return;
        }
        self.map.clear(at);
        let removed = self.removed.get_or_insert_default();
        removed.marks.resize(self.map.len(), false);
        removed.marks[at] = true;
        removed.count += 1;
        if removed.count > self.map.len() / 2 {
            self.move_together();
        }
    }

    fn move_together(&mut self) {
        let removed = self.removed.take().unwrap_or_default();
        let mut marks = removed.marks.into_iter();
        if let Some(many) = &mut self.map.many {
            many.retain(|_, _| marks.next() != Some(true));
        }
    }

    /// Takes all values out.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Value> {
        self.map.drain().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Members stay in order, wherever others are removed and added again.
        #[test]
        fn members_are_those_of_a_list(
            count in 250..600_usize,
            changes in prop::collection::vec((0..620_usize, any::<bool>()), 0..600),
        ) {
            let key = |at: usize| -> Rc<str> { format!("{}{at}", ["", "\0"][at % 2]).into() };
            let mut members = Members::default();
            let mut list = Vec::new();
            let changes = (0..count).map(|at| (at, true)).chain(changes);
            for (number, (at, adds)) in changes.enumerate() {
                let (key, value) = (key(at), Value::Number(number as f64));
                let place = list.iter().position(|(other, _)| *other == key);
                prop_assert_eq!(members.contains_key(&key), place.is_some());
                match (adds, place) {
                    (true, Some(place)) => list[place].1 = value.to_string(),
                    (true, None) => list.push((key.clone(), value.to_string())),
                    (false, Some(place)) => drop(list.remove(place)),
                    (false, None) => {}
                }
                match adds {
                    true => members.insert(key, value),
                    false => members.remove(&key),
                }
                prop_assert_eq!(members.len(), list.len());
            }
            for (key, value) in &list {
                prop_assert_eq!(&members.get(key).unwrap().to_string(), value);
            }
            let found = members.iter().map(|(key, value)| (key.clone(), value.to_string()));
            prop_assert_eq!(found.collect::<Vec<_>>(), list);
        }
    }
}
