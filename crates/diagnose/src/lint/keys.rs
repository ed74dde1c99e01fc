//! Detects duplicate keys of an object.
//!
//! ```text
//! text       {"a": {"x": 1, "y": 2}, "b": 3, …
//! follow     node of a, then of b, as in the object before (shapes)
//! collect        a                     no such object before: fingerprints, adjacent for each open object
//!                a | x y               the object inside is complete: compare x and y, then pop them
//!                a b
//! ```
//!
//! An object follows the path of an earlier one as long as it has the same keys in the same order ([`shapes`](super::shapes)):
//! its keys are then all different, and only their offsets are retained. At the first other key, the object starts to collect:
//! every key has a position and a fingerprint, which is added to the set of its object ([`Table`]). The keys themselves are
//! compared when the object closes, and only if a fingerprint was already in the set or if there are many keys
//! ([`exact`](super::exact)). If few objects follow paths, most of them collect from the start. Collected keys of objects that
//! are still open at the end of a chunk are copied.

mod follow;
mod segment;

use jsonx_core::engine::Chunk;
use jsonx_core::internal::{BLOCK, BlockTask, Isa, TokenAssembler, group, run_with};
use jsonx_core::string;

use self::follow::MOST;
use self::segment::SegmentKeys;
use super::collector::{Collector, Region};
use super::exact::{Exact, Store};
use super::fingerprints::{LONG, Recent, Table, fingerprint_spelled, fingerprint_window};
use super::shapes::{self, HEAD, NewKey, Shapes};
use crate::diagnose::Code;

/// The keys of the open objects.
#[derive(Debug, Default)]
pub(super) struct OpenKeys {
    /// The innermost open object, and the outer ones.
    object: Object,
    outer: Vec<Object>,
    shapes: Shapes,
    /// The number of the last object that was opened.
    number: u16,
    /// Net benefit of shape prediction: keys that were on a path, minus the cost of keys that were not.
    savings: i32,
    /// The number of objects that will not follow a path, and its last initial value.
    pause: u32,
    last_pause: u32,
    /// The nodes of a path whose keys are collected, the last one first.
    path: Vec<u32>,
    /// Keys of a new path.
    new: Vec<NewKey>,
    /// The offsets of the keys of objects that follow a path. The entries from `followed` on are spare capacity.
    offsets: Vec<u64>,
    followed: usize,
    /// The fingerprints and positions of the collected keys. Up to `stored`, a position is an index into `store`, after that an
    /// offset in the current chunk. The entries from `top` on are spare capacity.
    fingerprints: Vec<u32>,
    positions: Vec<u64>,
    top: usize,
    /// The number of keys in `store`.
    stored: usize,
    store: Store,
    table: Table,
    recent: Recent,
    /// The open objects with many keys, outermost first, each with its nesting depth.
    many: Vec<(usize, Exact)>,
    /// The table for objects with few keys.
    few: Exact,
    /// The key at the end of the last chunk.
    cursor: TokenAssembler,
    /// The end of the last chunk. If segments are joined, the next chunk may begin before it, with white space.
    seen: u64,
    /// In a segment: the ends, in `fingerprints`, of the objects that it closes but did not open.
    enclosing_ends: Vec<usize>,
    is_segment: bool,
    /// The keys of a segment that has ended.
    ended: Option<SegmentKeys>,
    /// The number of keys seen, and of keys compared in closed objects.
    steps: u64,
}

/// An open object, in two words. The outermost one stands for the root.
#[derive(Clone, Copy, Debug)]
struct Object {
    /// The index of its first key, in `offsets` or in `fingerprints`.
    start: usize,
    /// The node of `shapes` for its next key, or [`COLLECTS`].
    node: u32,
    /// If the object collects, from the lowest bit: a 16-bit number that distinguishes it from other objects at its depth, a
    /// bit that is set if it may have a duplicate key, and the first node of the last object in one of its values.
    collected: u32,
}

/// The bit of `collected` that is set if the object may have a duplicate key.
const UNSURE: u32 = 1 << 16;

impl Object {
    #[inline(always)]
    fn is_unsure(self) -> bool {
        self.collected & UNSURE != 0
    }

    /// The first node of the last object in one of its values, if it collects.
    #[inline(always)]
    fn child(self) -> u32 {
        self.collected >> 17
    }

    fn set_child(&mut self, node: u32) {
        self.collected = self.collected & (UNSURE | 0xFFFF) | node << 17;
    }
}

/// Maximum number of keys to compare without a separate table.
const FEW: usize = 64;

/// The keys of the object are collected.
const COLLECTS: u32 = u32::MAX;

impl Default for Object {
    fn default() -> Object {
        Object {
            start: 0,
            node: COLLECTS,
            collected: shapes::FIRST << 17,
        }
    }
}

impl OpenKeys {
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps
            + self.few.steps()
            + self
                .many
                .iter()
                .map(|(_, exact)| exact.steps())
                .sum::<u64>()
    }

    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>, findings: &mut Collector) {
        if self.cursor.is_open() {
            self.resume(chunk);
        }
        let pass = Pass {
            keys: self,
            chunk,
            findings,
        };
        run_with(chunk.kernel, pass);
        self.leave(chunk, findings);
    }

    /// Continues the key at the end of the last chunk.
    fn resume(&mut self, chunk: &Chunk<'_>) {
        if self.cursor.resume_with(chunk, chunk.continued()) {
            self.end_key();
        }
    }

    /// Handles the now complete key at the end of the last chunk. All collected keys are stored.
    fn end_key(&mut self) {
        let Some((at, _, key)) = self.cursor.take() else {
            return;
        };
        let raw = &key[1..key.len() - 1];
        let fingerprint = fingerprint_spelled(raw);
        if self.object.node != COLLECTS {
            let is_key = |node| self.shapes.has(node, key);
            let found = self.shapes.find(self.object.node, fingerprint, is_key);
            self.reserve();
            match found {
                Some(node) => return self.follow(node, at),
                None => self.collect(None),
            }
        }
        let key = self.cursor.retained();
        let raw = &key[1..key.len() - 1];
        let position = self.store.push(at, raw);
        self.reserve();
        self.push(fingerprint, position);
        self.stored = self.top;
    }

    fn push(&mut self, fingerprint: u32, position: u64) {
        let mut object = self.object;
        self.push_to(&mut object, fingerprint, position);
        self.object = object;
    }

    /// Adds a key to the innermost object.
    #[inline(always)]
    fn push_to(&mut self, object: &mut Object, fingerprint: u32, position: u64) {
        if let (Some(to), Some(at)) = (
            self.fingerprints.get_mut(self.top),
            self.positions.get_mut(self.top),
        ) {
            (*to, *at) = (fingerprint, position);
            self.top += 1;
        }
        let depth = self.outer.len();
        if self.table.insert(depth, object.collected, fingerprint) {
            object.collected |= UNSURE;
        }
    }

    /// Saves the keys that are still needed at the end of a chunk.
    fn leave(&mut self, chunk: &Chunk<'_>, findings: &mut Collector) {
        self.commit(chunk);
        self.seen = chunk.offset + chunk.bytes.len() as u64;
        let Object { node, start, .. } = self.object;
        // The first of two equal keys may be in another segment.
        if node == COLLECTS && self.top - start > FEW && !self.is_segment {
            self.object.collected |= UNSURE;
            self.spill(start, self.outer.len(), findings);
        }
        if chunk.flags.ends_with_key
            && let Some(&last) = chunk.quotes.last()
            && self.cursor.begin_at(chunk, last as usize, usize::MAX)
        {
            self.end_key();
        }
    }

    /// Removes the keys of closed objects from the store.
    fn trim(&mut self) {
        let end = match self.stored.checked_sub(1) {
            Some(last) => self.store.end_of(self.positions[last]),
            None => 0,
        };
        let end = self
            .many
            .last()
            .map_or(end, |(_, exact)| end.max(exact.end));
        self.store.truncate(end);
    }

    /// Copies the keys in this chunk to the store.
    fn commit(&mut self, chunk: &Chunk<'_>) {
        self.trim();
        while self.stored < self.top {
            let from = self.positions[self.stored] as usize;
            let end = string::end(chunk.bytes, from).unwrap_or(chunk.bytes.len());
            let at = chunk.offset + from as u64 - 1;
            self.positions[self.stored] = self.store.push(at, &chunk.bytes[from..end]);
            self.stored += 1;
        }
    }

    /// Moves the stored keys from `start` on, which belong to the innermost object at this `depth`, to a separate table.
    fn spill(&mut self, start: usize, depth: usize, findings: &mut Collector) {
        if self.many.last().is_none_or(|(of, _)| *of != depth) {
            self.many.push((depth, Exact::default()));
        }
        let Some((_, exact)) = self.many.last_mut() else {
            return;
        };
        for &position in &self.positions[start..self.top] {
            if let Some(first) = exact.insert(&self.store, position) {
                report(&self.store, first, position, findings);
            }
        }
        if let Some(&last) = self.positions[start..self.top].last() {
            exact.end = self.store.end_of(last);
        }
        self.top = start;
        self.stored = start;
    }

    /// Closes the innermost object by comparing its keys, because the fingerprints do not suffice.
    #[cold]
    #[inline(never)]
    fn close(&mut self, start: usize, chunk: &Chunk<'_>, findings: &mut Collector) {
        self.commit(chunk);
        self.compare(start, findings);
    }

    /// Compares the stored keys from `start` on of an object that is closing.
    fn compare(&mut self, start: usize, findings: &mut Collector) {
        if self.has_many() || self.top - start > FEW {
            self.spill(start, self.outer.len() + 1, findings);
            if let Some((_, exact)) = self.many.pop() {
                self.steps += exact.steps();
            }
            return;
        }
        self.few.clear();
        for &position in &self.positions[start..self.top] {
            if let Some(first) = self.few.insert(&self.store, position) {
                report(&self.store, first, position, findings);
            }
        }
    }

    /// Whether the object that is closing, already popped from `outer`, has a table.
    #[inline(always)]
    fn has_many(&self) -> bool {
        matches!(self.many.last(), Some((depth, _)) if *depth == self.outer.len() + 1)
    }

    /// Reserves capacity for the keys and objects of one group of tokens, and for a path.
    #[inline(always)]
    fn reserve(&mut self) {
        let collected = self.top + BLOCK + 2 * FEW;
        let followed = self.followed + BLOCK;
        if self.fingerprints.len() < collected
            || self.offsets.len() < followed
            || self.outer.capacity() - self.outer.len() < BLOCK
        {
            self.grow(collected * 2, followed * 2);
        }
    }

    #[cold]
    fn grow(&mut self, collected: usize, followed: usize) {
        self.fingerprints
            .resize(collected.max(self.fingerprints.len()), 0);
        self.positions.resize(self.fingerprints.len(), 0);
        self.offsets.resize(followed.max(self.offsets.len()), 0);
        self.outer.reserve(BLOCK);
    }

    /// Ends the text. All objects are closed.
    pub(super) fn end(&mut self) {
        self.steps += self
            .many
            .iter()
            .map(|(_, exact)| exact.steps())
            .sum::<u64>();
        self.many.clear();
        let child = self.outer.first().unwrap_or(&self.object).child();
        self.outer.clear();
        self.object = self.collecting(0);
        self.object.set_child(child);
        self.enclosing_ends.clear();
        (self.top, self.stored, self.followed, self.seen) = (0, 0, 0, 0);
        self.store.truncate(0);
        self.cursor = TokenAssembler::default();
    }

    /// A new object that collects its keys from `start` on.
    #[inline(always)]
    fn collecting(&mut self, start: usize) -> Object {
        self.number = self.number.wrapping_add(1);
        let unsure = u32::from(self.table.is_short(self.outer.len())) * UNSURE;
        Object {
            start,
            node: COLLECTS,
            collected: u32::from(self.number) | unsure | shapes::FIRST << 17,
        }
    }

    /// Compares the keys of a closed object if necessary. If they are all different and another object had the same keys, adds
    /// a path for them.
    #[inline(never)]
    fn close_collected(&mut self, object: Object, chunk: &Chunk<'_>, findings: &mut Collector) {
        let start = object.start;
        let fingerprints = &self.fingerprints[start..self.top];
        if object.is_unsure() {
            self.close(start, chunk, findings);
        } else if (1..=FEW).contains(&fingerprints.len()) && self.recent.has(fingerprints) {
            self.learn(start, chunk);
        }
    }
}

#[cold]
fn report(store: &Store, first: u64, again: u64, findings: &mut Collector) {
    if findings.lints.may_repeat(store.get(again).1) {
        return;
    }
    let position = |of| {
        let (at, raw) = store.get(of);
        Region::new(at, raw.len() as u64 + 2)
    };
    findings.add(
        Code::DuplicateKey,
        position(again),
        Some(position(first)),
        Vec::new(),
    );
}

struct Pass<'a, 'c> {
    keys: &'a mut OpenKeys,
    chunk: &'a Chunk<'c>,
    findings: &'a mut Collector,
}

impl BlockTask for Pass<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) {
        let Pass {
            keys,
            chunk,
            findings,
        } = self;
        let Chunk { kinds, quotes, .. } = *chunk;
        // A leading colon belongs to the key at the end of the last chunk.
        let mut known = u64::from(kinds.first() == Some(&b':'));
        // The number of strings before the group, and whether it begins right after one.
        let mut strings = 0;
        let mut after_string = 0;
        let mut at = 0;
        // Local copies stay in registers; fields of `keys` would be written back for every key.
        let mut object = keys.object;
        let mut followed = keys.followed;
        macro_rules! with_keys {
            ($task:expr) => {{
                (keys.object, keys.followed) = (object, followed);
                $task;
                (object, followed) = (keys.object, keys.followed);
            }};
        }
        while at < kinds.len() {
            with_keys!(keys.reserve());
            let masks = group(isa, kinds, at);
            let colons = masks.colon & !core::mem::take(&mut known);
            keys.steps += u64::from(colons.count_ones());
            // A key is the string right before a colon.
            let after_strings = masks.quote << 1 | after_string;
            let mut of_keys = isa.pext(colons, after_strings);
            let first = strings - after_string as usize;
            let mut events = colons | (masks.open | masks.close) & masks.brace;
            while events != 0 {
                let event = events & events.wrapping_neg();
                events ^= event;
                if colons & event != 0 {
                    let index = first + of_keys.trailing_zeros() as usize;
                    of_keys &= of_keys.wrapping_sub(1);
                    let Some(&quote) = quotes.get(index) else {
                        continue;
                    };
                    let quote = quote as usize;
                    let from = quote + 1;
                    if object.node == COLLECTS {
                        let fingerprint = fingerprint(isa, chunk, from);
                        keys.push_to(&mut object, fingerprint, from as u64);
                        continue;
                    }
                    let head = chunk.bytes.get(quote..).and_then(<[u8]>::first_chunk);
                    if head.is_some_and(|head: &[u8; HEAD]| keys.shapes.is(object.node, head)) {
                        if let Some(offset) = keys.offsets.get_mut(followed) {
                            *offset = chunk.offset + quote as u64;
                            followed += 1;
                        }
                        object.node += 1;
                    } else {
                        let fingerprint = fingerprint(isa, chunk, from);
                        with_keys!(keys.turn(chunk, quote, head, fingerprint));
                    }
                } else if masks.open & event != 0 {
                    let first = match object.node {
                        COLLECTS => object.child(),
                        next => keys.shapes.child(next.wrapping_sub(1)),
                    };
                    keys.outer.push(object);
                    if keys.pause == 0 {
                        object = Object {
                            node: first,
                            start: followed,
                            ..Object::default()
                        };
                    } else {
                        keys.pause -= 1;
                        object = keys.collecting(keys.top);
                    }
                } else if let Some(outer) = keys.outer.pop() {
                    let closed = object;
                    object = outer;
                    if closed.node != COLLECTS {
                        keys.savings += (followed - closed.start) as i32;
                        followed = closed.start;
                        continue;
                    }
                    if closed.is_unsure() || keys.pause == 0 {
                        with_keys!(keys.close_collected(closed, chunk, findings));
                    }
                    keys.top = closed.start;
                    keys.stored = keys.stored.min(closed.start);
                } else {
                    with_keys!(keys.close_enclosing(chunk));
                }
            }
            after_string = masks.quote >> (BLOCK - 1);
            strings += masks.quote.count_ones() as usize;
            at += BLOCK;
        }
        (keys.object, keys.followed) = (object, followed);
        keys.savings = keys.savings.min(MOST);
    }
}

/// The fingerprint of the key that begins at `from`, after its quote.
#[inline(always)]
fn fingerprint<K: Isa>(isa: K, chunk: &Chunk<'_>, from: usize) -> u32 {
    if let Some(window) = chunk.bytes.get(from..).and_then(<[u8]>::first_chunk) {
        let block = isa.load(window);
        let quotes = isa.equal(block, b'"');
        let length = quotes.trailing_zeros() as usize;
        let escapes = chunk.flags.escapes
            && isa.equal(block, b'\\') & (quotes.wrapping_sub(1) & !quotes) != 0;
        if length.wrapping_sub(1) < LONG && !escapes {
            return fingerprint_window(window, length);
        }
    }
    unusual(chunk.bytes, from)
}

/// The fingerprint of a key that is empty, long, escaped, or close to the end of the chunk.
#[cold]
#[inline(never)]
fn unusual(bytes: &[u8], from: usize) -> u32 {
    let end = string::end(bytes, from).unwrap_or(from);
    fingerprint_spelled(&bytes[from..end])
}
