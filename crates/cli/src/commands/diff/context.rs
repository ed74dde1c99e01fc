//! `--context`: the members or elements around a change.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use jsonx_core::Node;
use jsonx_core::diff::{Change, Diff};
use jsonx_core::document::NodeId;
use jsonx_core::path::Location;
use jsonx_core::string::decode_key;

/// A value of one of the two documents; `true` for the old one.
type Place = (bool, NodeId);

/// Finds the context of changes. Each value is context once, and no value with a change is.
pub struct Context<'d, 't> {
    count: usize,
    /// The offsets of changed values, and of the containers of added and removed ones.
    changed: BTreeSet<(bool, usize)>,
    listed: HashSet<Place>,
    /// The keys and values of containers with changes. Each is read once, because a long array may have many changes.
    children: HashMap<Place, Vec<(Option<Node<'d, 't>>, Node<'d, 't>)>>,
    last: Option<Place>,
}

/// The values around a change.
#[derive(Default)]
pub struct Around<'d, 't> {
    /// They are in another container than those of the change before.
    pub separated: bool,
    pub before: Vec<(Location, Node<'d, 't>)>,
    pub after: Vec<(Location, Node<'d, 't>)>,
}

impl<'d, 't> Context<'d, 't> {
    /// Up to `count` values before and after each change.
    pub fn new(diff: &Diff<'d, 't>, count: usize) -> Context<'d, 't> {
        let changes = diff.changes().filter(|_| count > 0);
        let changed = |change: Change<'_, 'd, 't>| {
            let (old, new) = change.containers().unzip();
            let places = [
                (true, change.old()),
                (false, change.new()),
                (true, old),
                (false, new),
            ];
            places
                .into_iter()
                .filter_map(|(is_old, node)| Some((is_old, node?.span().start)))
        };
        Context {
            count,
            changed: changes.flat_map(changed).collect(),
            listed: HashSet::new(),
            children: HashMap::new(),
            last: None,
        }
    }

    /// The context of a change: in the new document, or in the old one for a removed value.
    pub fn around(&mut self, change: &Change<'_, 'd, 't>) -> Around<'d, 't> {
        let Some((old, new)) = change.containers().filter(|_| self.count > 0) else {
            return Around::default();
        };
        let (is_old, container, node) = match (change.new(), change.old()) {
            (Some(node), _) => (false, new, node),
            (None, Some(node)) => (true, old, node),
            (None, None) => return Around::default(),
        };
        let place = (is_old, container.id());
        let children = self.children.entry(place).or_insert_with(|| {
            let elements = container.elements().map(|element| (None, element));
            let members = container.members().map(|(key, value)| (Some(key), value));
            elements.chain(members).collect()
        });
        let at = children.partition_point(|(_, child)| child.id() < node.id());
        let end = at
            .saturating_add(self.count)
            .saturating_add(1)
            .min(children.len());
        let mut path = change.path();
        path.pop();
        let (changed, listed) = (&self.changed, &mut self.listed);
        let mut is_new = |child: Node<'_, '_>| {
            let Range { start, end } = child.span();
            let inside = (is_old, start)..(is_old, end);
            changed.range(inside).next().is_none() && listed.insert((is_old, child.id()))
        };
        let mut nodes = |range: Range<usize>| {
            let new = range.filter(|&index| is_new(children[index].1));
            let located = new.map(|index| {
                let (key, child) = children[index];
                let mut path = path.clone();
                match key {
                    Some(key) => path.push_key(&decode_key(&key.raw()[1..key.raw().len() - 1])),
                    None => path.push_index(index as u64),
                }
                (path, child)
            });
            located.collect()
        };
        Around {
            separated: self.last.replace(place).is_some_and(|last| last != place),
            before: nodes(at.saturating_sub(self.count)..at),
            after: nodes((at + 1).min(end)..end),
        }
    }
}
