//! Patterns with look-around or back-references, which are matched by backtracking.
//!
//! The validator bounds the backtracks of such a pattern, but neither the bytes read for each nor the sum over all texts; and it matches
//! a slow text up to 64 times. So we replace `pattern`: the same engine, with a limit that is raised while the budget lasts. A match that
//! would exceed the budget is not started, and ends the validation.
//!
//! The patterns of `patternProperties` belong to several keywords of the validator. Each name is first matched here with those that may
//! be costly ([`ViewOptions::names`](super::instance::ViewOptions)), so the validator's own matching is known to be short.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::ValidationError;
use jsonschema::json::Node as _;
use jsonx_core::Node;
use serde_json::Value;

use crate::backtracking::{Pattern, may_backtrack};
use crate::exact::{Made, test_with};
use crate::instance::{View, text};

/// The patterns of a schema, each compiled once.
#[derive(Default)]
pub struct Patterns(Mutex<HashMap<String, Option<Arc<Pattern>>>>);

impl Patterns {
    fn get(&self, pattern: &str) -> Option<Arc<Pattern>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = |pattern: &String| Pattern::new(pattern).map(Arc::new);
        all.entry(pattern.to_owned())
            .or_insert_with_key(made)
            .clone()
    }

    /// The keyword `pattern`.
    pub fn keyword<'v>(&self, value: &'v Value) -> Made<'v> {
        let pattern = value.as_str().and_then(|pattern| self.get(pattern));
        let pattern = pattern.ok_or_else(|| ValidationError::schema("not a pattern"))?;
        let source = value.as_str().unwrap_or_default();
        test_with(source, move |instance: View<'_>| {
            let text = instance.as_string();
            text.is_none_or(|text| pattern.matches(&text, instance.start()))
        })
    }

    /// The patterns for names in these schemas that may be costly.
    pub fn costly_names(
        &self,
        schemas: impl Iterator<Item = Node<'static, 'static>>,
    ) -> Vec<Arc<Pattern>> {
        let mut nodes: Vec<_> = schemas.collect();
        let mut names = HashSet::new();
        while let Some(node) = nodes.pop() {
            for (key, value) in node.members().filter(|(_, value)| !value.is_empty()) {
                if key.is_str("patternProperties") {
                    names.extend(value.members().map(|(name, _)| text(name)));
                }
                nodes.push(value);
            }
            nodes.extend(node.elements().filter(|value| !value.is_empty()));
        }
        let costly = names.iter().filter(|name| may_backtrack(name));
        costly.filter_map(|name| self.get(name)).collect()
    }
}

/// The place of a pattern in a schema: the value of the keyword, or a key of `patternProperties`.
pub fn place_of(root: Node<'_, '_>, pattern: &str) -> Option<Range<usize>> {
    let mut nodes = vec![root];
    while let Some(node) = nodes.pop() {
        for (key, value) in node.members() {
            if key.is_str("pattern") && value.is_str(pattern) {
                return Some(key.span().start..value.span().end);
            }
            if key.is_str("patternProperties") {
                let mut names = value.members().map(|(name, _)| name);
                if let Some(name) = names.find(|name| name.is_str(pattern)) {
                    return Some(name.span());
                }
            }
            nodes.push(value);
        }
        nodes.extend(node.elements());
    }
    None
}
