//! Names of `--key` by which no array is matched.

use jsonx_core::{Document, Kind, Node};

use crate::messages;
use crate::report::escape;
use jsonx_core::diagnose::nearest::{Nearest, SHORT};

/// Warns about each name that the first object of no array has: its elements are then compared by their order.
pub fn report_unused(names: &[String], documents: [&Document<'_>; 2]) {
    let mut unused: Vec<(&str, Nearest)> = names
        .iter()
        .map(|name| (&name[..], Nearest::new(name.as_bytes())))
        .collect();
    let mut waiting: Vec<Node<'_, '_>> = documents.iter().map(|document| document.root()).collect();
    while let Some(node) = waiting.pop()
        && !unused.is_empty()
    {
        let first = node.elements().find(|child| child.kind() == Kind::Object);
        if let Some(object) = first {
            unused.retain(|(name, _)| object.get(*name).is_none());
            for key in object.members().filter_map(|(key, _)| key.as_str()) {
                let key = key.as_bytes();
                unused.iter_mut().for_each(|(_, near)| near.offer(key));
            }
        }
        let children = node.elements();
        let values = node.members().map(|(_, value)| value);
        waiting.extend(
            children
                .chain(values)
                .filter(|child| matches!(child.kind(), Kind::Array | Kind::Object)),
        );
    }
    for (name, near) in unused {
        let shown = escape(name);
        let mut text = format!(
            "jsonx: warning: --key {shown} matches nothing: no array begins with an object that has it"
        );
        let is_near =
            |near: &&[u8]| name.len() >= SHORT || near.eq_ignore_ascii_case(name.as_bytes());
        if let Some(meant) = near.found().filter(is_near) {
            text += &format!("\ndid you mean --key {}?", escape(meant));
        }
        messages::line(&text);
    }
}
