//! Random access to the children of large containers of a text.
//!
//! The index of a text has the order of its values, so a child is found by counting. A container that is accessed often gets a table.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use jsonx_core::Node;
use jsonx_core::document::NodeId;

/// Containers with fewer children are searched.
const MANY: usize = 64;

/// The number of searches before a table is built, which costs about as much for an object.
const SEARCHES: u8 = 8;

/// The tables of a text.
#[derive(Default)]
pub(super) struct Children(RefCell<HashMap<NodeId, Table>>);

enum Table {
    /// None yet; the number of searches so far.
    Searched(u8),
    Elements(Vec<NodeId>),
    /// By key; of duplicate keys, the last one.
    Members(HashMap<Box<str>, NodeId>),
}

impl Children {
    /// Calls `find` with the table of a container, if it has one.
    fn find<R>(&self, parent: Node<'_, '_>, find: impl FnOnce(Option<&Table>) -> R) -> R {
        if parent.len() < MANY {
            return find(None);
        }
        let mut tables = self.0.borrow_mut();
        let table = tables.entry(parent.id()).or_insert(Table::Searched(0));
        if let Table::Searched(count) = table {
            if *count < SEARCHES {
                *count += 1;
                return find(None);
            }
            *table = Table::new(parent);
        }
        find(Some(table))
    }

    pub(super) fn element(&self, parent: Node<'_, '_>, at: usize) -> Option<NodeId> {
        self.find(parent, |table| match table {
            Some(Table::Elements(ids)) => ids.get(at).copied(),
            _ => parent.get(at).map(Node::id),
        })
    }

    pub(super) fn range(&self, parent: Node<'_, '_>, range: Range<usize>) -> Vec<NodeId> {
        self.find(parent, |table| match table {
            Some(Table::Elements(ids)) => ids.get(range).unwrap_or_default().to_vec(),
            _ => {
                let elements = parent.elements().skip(range.start);
                elements.take(range.len()).map(Node::id).collect()
            }
        })
    }

    pub(super) fn member(&self, parent: Node<'_, '_>, key: &str) -> Option<NodeId> {
        self.find(parent, |table| match table {
            Some(Table::Members(ids)) => ids.get(key).copied(),
            _ => parent.get(key).map(Node::id),
        })
    }

    /// The number of different keys of an object.
    pub(super) fn count_members(&self, parent: Node<'_, '_>) -> usize {
        self.find(parent, |table| match table {
            Some(Table::Members(ids)) => ids.len(),
            _ => count_keys(parent),
        })
    }
}

impl Table {
    fn new(parent: Node<'_, '_>) -> Table {
        match parent.kind() {
            jsonx_core::Kind::Array => Table::Elements(parent.elements().map(Node::id).collect()),
            _ => {
                let members = parent.members();
                let members = members.map(|(key, value)| {
                    let key = key.as_str().unwrap_or_default();
                    (Box::from(&*key), value.id())
                });
                Table::Members(members.collect())
            }
        }
    }
}

/// The number of different keys of an object.
fn count_keys(object: Node<'_, '_>) -> usize {
    let keys = object.members();
    let keys: Vec<_> = keys
        .map(|(key, _)| key.as_str().unwrap_or_default())
        .collect();
    if keys.len() > super::FEW {
        return keys.iter().collect::<std::collections::HashSet<_>>().len();
    }
    let is_first = |at: &usize| !keys[..*at].contains(&keys[*at]);
    (0..keys.len()).filter(is_first).count()
}
