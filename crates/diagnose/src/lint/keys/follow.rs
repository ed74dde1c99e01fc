//! Objects that follow the path of an earlier one, leave it, or become a new path.

use jsonx_core::engine::Chunk;
use jsonx_core::string;

use super::{COLLECTS, Object, OpenKeys};
use crate::lint::shapes::{HEAD, NewKey};

/// The cost of a key that is on another path, and of one that is on none, in units of keys on the path. With documents whose
/// objects all differ, paths doubled the time of the lints.
const COST_OF_TURN: i32 = 2;
const COST_OF_FAILURE: i32 = 8;

/// The maximum absolute value of `savings`.
pub(super) const MOST: i32 = 512;

/// Number of objects that follow no path after the maximum loss.
const SHORTEST_PAUSE: u32 = 1 << 10;
const LONGEST_PAUSE: u32 = 1 << 16;

impl OpenKeys {
    /// Handles a key that is not the next one on the current path but may be on another. `head` holds the bytes from its
    /// opening quote on.
    #[inline(never)]
    pub(super) fn turn(
        &mut self,
        chunk: &Chunk<'_>,
        from: usize,
        head: Option<&[u8; HEAD]>,
        fingerprint: u32,
    ) {
        let shapes = &self.shapes;
        let is_key = |node| match head {
            Some(head) if !shapes.is_long(node) => shapes.is(node, head),
            _ => {
                let end = string::end(chunk.bytes, from + 1).unwrap_or(from);
                shapes.has(node, &chunk.bytes[from..=end])
            }
        };
        let found = shapes.find(self.object.node, fingerprint, is_key);
        self.savings = self.savings.min(MOST);
        match found {
            // A long key.
            Some(node) if node == self.object.node => {
                self.follow(node, chunk.offset + from as u64);
            }
            Some(node) => {
                self.savings -= COST_OF_TURN;
                self.follow(node, chunk.offset + from as u64);
            }
            None => {
                self.savings -= COST_OF_FAILURE;
                self.collect(Some(chunk));
                self.push(fingerprint, from as u64 + 1);
            }
        }
        if self.savings < -MOST {
            self.savings = -MOST / 2;
            self.last_pause = (2 * self.last_pause).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
            self.pause = self.last_pause;
        }
    }

    /// Continues on the path that begins with the key at this node, which is at `at` in the text.
    pub(super) fn follow(&mut self, node: u32, at: u64) {
        if self.followed == self.object.start
            && let Some(outer) = self.outer.last_mut()
        {
            match outer.node {
                COLLECTS => outer.set_child(node),
                next => self.shapes.set_child(next - 1, node),
            }
        }
        self.take(node, at);
    }

    /// Accepts the key at this node.
    #[inline(always)]
    pub(super) fn take(&mut self, node: u32, at: u64) {
        if let Some(offset) = self.offsets.get_mut(self.followed) {
            *offset = at;
            self.followed += 1;
        }
        self.object.node = node + 1;
    }

    /// Makes the innermost object collect its keys, including earlier ones. `None` for `chunk` means that none of them is in
    /// the current chunk and all collected keys are stored.
    pub(super) fn collect(&mut self, chunk: Option<&Chunk<'_>>) {
        let Object { node, start, .. } = self.object;
        let before = self.offsets[start..self.followed].first();
        let in_chunk =
            chunk.filter(|chunk| before.is_some_and(|&at| at >= chunk.offset.max(self.seen)));
        if let (Some(_), None, Some(chunk)) = (before, in_chunk, chunk) {
            self.commit(chunk);
        }
        let from = self.top;
        let count = self.followed - start;
        self.object = self.collecting(from);
        if count == 0 {
            return;
        }
        self.followed = start;
        self.reserve();
        let mut path = core::mem::take(&mut self.path);
        path.clear();
        path.extend(self.shapes.before(node).take(count));
        for (index, &node) in path.iter().rev().enumerate() {
            let at = self.offsets[start + index];
            let (key, fingerprint) = self.shapes.key(node);
            let position = match in_chunk {
                Some(chunk) => at - chunk.offset + 1,
                None => self.store.push(at, key.as_slice()),
            };
            self.push(fingerprint, position);
        }
        self.path = path;
        if in_chunk.is_none() {
            self.stored = self.top;
        }
    }

    /// Adds a path for the keys from `start` on, which are all different.
    #[cold]
    pub(super) fn learn(&mut self, start: usize, chunk: &Chunk<'_>) {
        self.new.clear();
        for index in start..self.top {
            let position = self.positions[index];
            let raw = if index < self.stored {
                self.store.get(position).1
            } else {
                let from = position as usize;
                let end = string::end(chunk.bytes, from).unwrap_or(from);
                &chunk.bytes[from..end]
            };
            let Some(key) = NewKey::new(raw, self.fingerprints[index]) else {
                return;
            };
            self.new.push(key);
        }
        self.shapes.add(&self.new);
    }
}
