//! Locations of the walk and of its matches, as a tree of shared steps.
//!
//! A match stores one node number. With a list of steps per match, `$..*` in 59 KB of brackets took 2.3 GB.

use crate::path::{Location, Step};

/// The location of the root; with locations disabled, of every value.
const ROOT: u32 = 0;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    /// Number of child nodes and matches that refer to it, plus one for the current location.
    users: u32,
    step: Step,
}

#[derive(Clone, Debug)]
pub(super) struct Locations {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// The location of the walk.
    current: u32,
}

impl Default for Locations {
    fn default() -> Locations {
        let root = Node {
            parent: ROOT,
            users: 1,
            step: Step::Index(0),
        };
        Locations {
            nodes: vec![root],
            free: Vec::new(),
            current: ROOT,
        }
    }
}

impl Locations {
    /// Enters a child.
    pub(super) fn push(&mut self, step: Step) {
        self.current = self.add(self.current, step);
    }

    /// Adds a node with one user.
    fn add(&mut self, parent: u32, step: Step) -> u32 {
        let node = Node {
            parent,
            users: 1,
            step,
        };
        match self.free.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Leaves a child. Its node remains as long as another node or a match refers to it.
    pub(super) fn pop(&mut self) {
        let left = self.current;
        let parent = self.nodes[left as usize].parent;
        if left != ROOT {
            self.current = parent;
            self.hold(parent);
            self.release(left);
        }
    }

    /// The location of the walk, with a user added.
    pub(super) fn hold_here(&mut self) -> u32 {
        self.hold(self.current);
        self.current
    }

    /// The location of the walk.
    pub(super) fn current(&self) -> u32 {
        self.current
    }

    /// Adds `more` to the element indices of an array.
    pub(super) fn shift(&mut self, container: u32, more: u64) {
        let children = self.nodes[1..]
            .iter_mut()
            .filter(|node| node.parent == container);
        for node in children {
            if let Step::Index(index) = &mut node.step {
                *index += more;
            }
        }
    }

    /// Replaces the last `depth` steps to a node by the last `by_depth` steps to the location of another walk.
    pub(super) fn replace(&mut self, number: u32, depth: u64, by: &Locations, by_depth: u64) {
        let parent = |number: u32, _| self.nodes[number as usize].parent;
        let outermost = (0..depth).fold(number, parent);
        let steps = by.outwards(by.current).take(by_depth as usize);
        let mut steps: Vec<Step> = steps.cloned().collect();
        steps.reverse();
        let Some(last) = steps.pop() else {
            return;
        };
        self.hold(outermost);
        let parent = (steps.into_iter()).fold(outermost, |parent, step| self.add(parent, step));
        let node = &mut self.nodes[number as usize];
        let replaced = std::mem::replace(&mut node.parent, parent);
        node.step = last;
        self.release(replaced);
    }

    fn hold(&mut self, number: u32) {
        if number != ROOT {
            self.nodes[number as usize].users += 1;
        }
    }

    /// Removes a user.
    pub(super) fn release(&mut self, number: u32) {
        let mut number = number;
        while number != ROOT {
            let node = &mut self.nodes[number as usize];
            node.users -= 1;
            if node.users > 0 {
                return;
            }
            node.step = Step::Index(0);
            self.free.push(number);
            number = node.parent;
        }
    }

    /// All steps of a location, of which a user is removed.
    pub(super) fn take(&mut self, number: u32) -> Location {
        let location = self.resolve(number);
        self.release(number);
        location
    }

    /// All steps of a location, in time linear in its depth.
    fn resolve(&self, number: u32) -> Location {
        let mut steps: Vec<Step> = self.outwards(number).cloned().collect();
        steps.reverse();
        steps.into()
    }

    /// The steps to a node, the last one first.
    fn outwards(&self, number: u32) -> impl Iterator<Item = &Step> {
        let parent = |&number: &u32| Some(self.nodes[number as usize].parent);
        let ancestors = std::iter::successors(Some(number), parent);
        let inside = ancestors.take_while(|&number| number != ROOT);
        inside.map(|number| &self.nodes[number as usize].step)
    }

    /// Number of nodes in use.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        self.nodes.len() - 1 - self.free.len()
    }
}
