//! Objects that follow the keys of an earlier one, leave them, or become a path of their own.

use super::{COLLECTS, Keys, Object};
use crate::lint::shapes::{HEAD, NewKey};
use crate::string;
use crate::token::Chunk;

/// What a key costs that goes on with another path, and one that is on none, in keys that are on the path: of documents whose
/// objects all differ, lints took twice the time that they take without paths.
const COST_OF_TURN: i32 = 2;
const COST_OF_FAILURE: i32 = 8;

/// The largest gain, and the largest loss.
pub(super) const MOST: i32 = 512;

/// The numbers of objects for which no path is followed after the largest loss.
const SHORTEST_PAUSE: u32 = 1 << 10;
const LONGEST_PAUSE: u32 = 1 << 16;

impl Keys {
    /// Handles a key that is not the next one of a path; `head` are the bytes from its opening quote on. It may be on another
    /// path.
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
        self.gain = self.gain.min(MOST);
        match found {
            // A long key.
            Some(node) if node == self.object.node => {
                self.follow(node, chunk.offset + from as u64);
            }
            Some(node) => {
                self.gain -= COST_OF_TURN;
                self.follow(node, chunk.offset + from as u64);
            }
            None => {
                self.gain -= COST_OF_FAILURE;
                self.collect(Some(chunk));
                self.push(fingerprint, from as u64 + 1);
            }
        }
        if self.gain < -MOST {
            self.gain = -MOST / 2;
            self.last_pause = (2 * self.last_pause).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
            self.pause = self.last_pause;
        }
    }

    /// Goes on with the path that begins with the key at this node, which is at `at` in the text.
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

    /// Takes the key at this node.
    #[inline(always)]
    pub(super) fn take(&mut self, node: u32, at: u64) {
        if let Some(offset) = self.offsets.get_mut(self.followed) {
            *offset = at;
            self.followed += 1;
        }
        self.object.node = node + 1;
    }

    /// Collects the keys of the innermost object from now on, and those before. Without the current chunk, none of them is in
    /// it, and all that are collected are stored.
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
        if !self.room() {
            return self.give_up();
        }
        let mut path = core::mem::take(&mut self.path);
        path.clear();
        path.extend(self.shapes.before(node).take(count));
        for (index, &node) in path.iter().rev().enumerate() {
            let at = self.offsets[start + index];
            let (key, fingerprint) = self.shapes.key(node);
            let place = match in_chunk {
                Some(chunk) => Some(at - chunk.offset + 1),
                None => self.store.push(at, key.as_slice()),
            };
            let Some(place) = place else {
                return self.give_up();
            };
            self.push(fingerprint, place);
        }
        self.path = path;
        if in_chunk.is_none() {
            self.stored = self.top;
        }
    }

    /// Makes a path of the keys from `start` on, which are all different.
    #[cold]
    pub(super) fn learn(&mut self, start: usize, chunk: &Chunk<'_>) {
        self.new.clear();
        for index in start..self.top {
            let place = self.places[index];
            let raw = match index < self.stored {
                true => self.store.get(place).1,
                false => {
                    let from = place as usize;
                    let end = string::end(chunk.bytes, from).unwrap_or(from);
                    &chunk.bytes[from..end]
                }
            };
            let Some(key) = NewKey::new(raw, self.fingerprints[index]) else {
                return;
            };
            self.new.push(key);
        }
        self.shapes.add(&self.new);
    }
}
