//! Paths of keys as a tree, for records that are searched without a walk, and the results in one record.

use super::Missing;
use super::conditions::CERTAIN;
use super::keys::SearchKeys;
use super::program::{Program, State};
use super::results::Results;

/// The paths of a program as a tree of keys; the first node is the value at the root.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

#[derive(Debug, Default)]
pub(super) struct Node {
    /// The keys by their index in `children`.
    pub(super) keys: SearchKeys,
    pub(super) children: Vec<(u32, usize)>,
    /// The paths that end there.
    pub(super) paths: Vec<u32>,
    /// The paths that continue below: path, step, and the index of its key.
    pub(super) open: Vec<(u32, u32, u32)>,
}

/// Maximum number of keys in a node: one bit each in [`OpenObject::found`].
const MAX_KEYS: usize = 64;

impl Tree {
    /// `None` if the program has steps other than keys.
    pub(super) fn new(program: &Program) -> Option<Tree> {
        let is_plain =
            |state: &State| state.accept.is_some() || state.only_key.is_some() && !state.itself;
        if !program.states.iter().all(is_plain) {
            return None;
        }
        let mut tree = Tree {
            nodes: vec![Node::default()],
        };
        for (path, &start) in (0..).zip(&program.starts) {
            let end = tree.add(program, start, path);
            tree.nodes[end].paths.push(path);
        }
        for node in &mut tree.nodes {
            if node.children.len() > MAX_KEYS {
                return None;
            }
            let text = |(number, &(key, _))| (number, program.keys[key as usize].clone());
            node.keys = SearchKeys::new((0..).zip(&node.children).map(text));
        }
        Some(tree)
    }

    /// Adds the keys of a path. Returns the node of its results.
    fn add(&mut self, program: &Program, start: u32, path: u32) -> usize {
        let mut at = 0;
        let keys = program.states[start as usize..]
            .iter()
            .map(|state| state.only_key);
        for (step, key) in (0..).zip(keys.map_while(|key| key)) {
            let next = self.nodes.len();
            let node = &mut self.nodes[at];
            let known = node.children.iter().position(|&(known, _)| known == key);
            let number = known.unwrap_or_else(|| {
                node.children.push((key, next));
                node.children.len() - 1
            });
            node.open.push((path, step, number as u32));
            at = node.children[number].1;
            if known.is_none() {
                self.nodes.push(Node::default());
            }
        }
        at
    }
}

/// A result of a record.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Match {
        path: u32,
        start: u64,
        end: u64,
    },
    Missing {
        path: u32,
        missing: Missing,
        position: u64,
    },
}

/// An open object of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenObject {
    pub(super) node: usize,
    pub(super) start: u64,
    /// The index of its first outcome.
    pub(super) first: usize,
    /// The keys found in it, one bit for each.
    pub(super) found: u64,
}

/// The results in one record, which are discarded if the record needs a walk.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordResults {
    pub(super) open: Vec<OpenObject>,
    pub(super) outcomes: Vec<Outcome>,
}

impl RecordResults {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.outcomes.clear();
    }

    /// Delivers the outcomes, which are decided, complete and in order.
    pub(super) fn deliver(&mut self, results: &mut Results) {
        for outcome in self.outcomes.drain(..) {
            match outcome {
                Outcome::Match { path, start, end } => results.add(path, CERTAIN, (start, end), 1),
                Outcome::Missing {
                    path,
                    missing,
                    position,
                } => results.missing(path, CERTAIN, missing, position),
            }
        }
    }
}
