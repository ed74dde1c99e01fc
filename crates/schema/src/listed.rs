//! `enum` and `const`: looks a value up in a list, at a cost independent of its length.
//!
//! The validator's own keywords compare a value with each listed one, and numbers as doubles.

use std::collections::HashSet;

use jsonx_core::{Document, Kind, number};
use serde_json::Value;

use crate::convert::to_text;
use crate::exact::{Made, test};
use crate::instance::{BYTES_PER_STEP, View, text};
use crate::limits::{charge, step};

/// The values of a `const` or an `enum`. The hash keys are random, so neither a schema nor an instance can choose colliding values.
///
/// Strings and numbers are sorted: binary search is faster than hashing a short string, and equal numbers may have different
/// notations.
#[derive(Default)]
struct Listed {
    null: bool,
    yes: bool,
    no: bool,
    strings: Vec<String>,
    /// In their original notation.
    numbers: Vec<Vec<u8>>,
    /// Arrays and objects in canonical form.
    containers: HashSet<Vec<u8>>,
    /// Their numbers of elements or members: a value with another number needs no canonical form.
    sizes: HashSet<usize>,
}

impl Listed {
    fn new<'v>(values: impl IntoIterator<Item = &'v Value>) -> Listed {
        let mut listed = Listed::default();
        for value in values {
            listed.add(value);
        }
        listed.strings.sort_unstable();
        listed
            .numbers
            .sort_unstable_by(|a, b| number::compare(a, b));
        listed
    }

    fn add(&mut self, value: &Value) {
        let json = to_text(value);
        let Ok(document) = Document::parse(json.as_bytes()) else {
            return;
        };
        let root = document.root();
        match root.kind() {
            Kind::Null => self.null = true,
            Kind::Boolean if root.as_bool() == Some(true) => self.yes = true,
            Kind::Boolean => self.no = true,
            Kind::Number => self.numbers.push(root.raw().to_vec()),
            Kind::String => self.strings.push(text(root).into_owned()),
            Kind::Array | Kind::Object => {
                self.sizes.insert(root.len());
                self.containers.insert(root.canonical());
            }
        }
    }

    fn has_string(&self, string: &str) -> bool {
        let found = |known: &String| known.as_str().cmp(string);
        self.strings.binary_search_by(found).is_ok()
    }

    fn contains(&self, instance: &View<'_>) -> bool {
        step();
        let node = match *instance {
            View::Value { node, .. } => node,
            View::Name(name) => return self.has_string(name),
        };
        match node.kind() {
            Kind::Null => self.null,
            Kind::Boolean if node.as_bool() == Some(true) => self.yes,
            Kind::Boolean => self.no,
            Kind::Number => {
                let found = |known: &Vec<u8>| number::compare(known, node.raw());
                self.numbers.binary_search_by(found).is_ok()
            }
            // Decoding is slower than a few comparisons.
            Kind::String if self.strings.len() <= 4 => {
                self.strings.iter().any(|string| node.is_str(string))
            }
            Kind::String => self.has_string(&text(node)),
            Kind::Array | Kind::Object => {
                if !self.sizes.contains(&instance.len()) {
                    return false;
                }
                charge(node.raw().len() / BYTES_PER_STEP);
                self.containers.contains(&node.canonical())
            }
        }
    }
}

/// `const`.
pub fn constant(value: &Value) -> Made<'_> {
    let listed = Listed::new([value]);
    test(move |instance: View<'_>| listed.contains(&instance))
}

/// `enum`.
pub fn one_of(value: &Value) -> Made<'_> {
    let listed = Listed::new(value.as_array().into_iter().flatten());
    test(move |instance: View<'_>| listed.contains(&instance))
}
