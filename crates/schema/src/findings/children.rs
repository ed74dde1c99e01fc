//! Finds children of values on the paths of many errors, in a time independent of their number.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonx_core::{Kind, Node};

use crate::instance::text;
use crate::pointer::tokens;

/// Values with fewer children are scanned.
const FEW: usize = 16;

/// The children of values, by the address of the value.
#[derive(Default)]
pub struct Children<'n> {
    indexed: Mutex<HashMap<usize, Arc<Index<'n>>>>,
}

/// A key and its value.
type Member<'n> = (Node<'n, 'n>, Node<'n, 'n>);

enum Index<'n> {
    Elements(Vec<Node<'n, 'n>>),
    Members(HashMap<Cow<'n, str>, Member<'n>>),
}

impl<'n> Children<'n> {
    /// The last member of an object with this key.
    pub fn member(&self, object: Node<'n, 'n>, name: &str) -> Option<Member<'n>> {
        if object.len() <= FEW {
            let members = object.members();
            return members.filter(|(key, _)| text(*key) == name).last();
        }
        match &*self.index(object) {
            Index::Members(members) => members.get(name).copied(),
            Index::Elements(_) => None,
        }
    }

    /// An element of an array.
    pub fn element(&self, array: Node<'n, 'n>, number: usize) -> Option<Node<'n, 'n>> {
        if number <= FEW {
            return array.get(number);
        }
        match &*self.index(array) {
            Index::Elements(elements) => elements.get(number).copied(),
            Index::Members(_) => None,
        }
    }

    /// The target of a JSON Pointer.
    pub fn target(&self, root: Node<'n, 'n>, pointer: &str) -> Option<Node<'n, 'n>> {
        tokens(pointer).try_fold(root, |node, name| match node.kind() {
            Kind::Array => self.element(node, name.parse().ok()?),
            _ => self.member(node, &name).map(|(_, value)| value),
        })
    }

    fn index(&self, of: Node<'n, 'n>) -> Arc<Index<'n>> {
        let mut indexed = self.indexed.lock().unwrap_or_else(PoisonError::into_inner);
        let build = || match of.kind() {
            Kind::Object => {
                let members = of.members().map(|(key, value)| (text(key), (key, value)));
                Index::Members(members.collect())
            }
            _ => Index::Elements(of.elements().collect()),
        };
        let address = of.raw().as_ptr().addr();
        let index = indexed.entry(address).or_insert_with(|| Arc::new(build()));
        index.clone()
    }
}
