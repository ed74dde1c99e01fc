//! Detects duplicate keys of an object.
//!
//! ```text
//! text       {"a": {"x": 1, "y": 2}, "b": 3, …
//! fingerprints     a
//! frames     ^
//!            a | x y                 the object inside is complete: compare x and y, then pop them
//!            a b                     so that the keys of every open object are adjacent
//! ```
//!
//! Every key has a fingerprint and a position. When an object closes, its fingerprints are compared all at once; the
//! keys themselves are compared only if two fingerprints are equal, or if there are many keys
//! ([`exact`](super::exact)). Most objects open and close within a chunk, and their keys are never copied; the keys of
//! the others are copied at the end of the chunk.

use super::collector::{Collector, Region};
use super::exact::{Exact, Store};
use super::fingerprints::{FEW, LONG, Shapes, fingerprint_spelled, fingerprint_window};
use crate::cursor::Cursor;
use crate::diagnose::Code;
use crate::kernel::{BLOCK, BlockTask, Bytes, Isa, run_with};
use crate::skip::group;
use crate::string;
use crate::token::{Chunk, trim_end};

/// The keys of the open objects.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The fingerprints and positions of the keys: up to `stored`, a position is one in `store`, after that an offset
    /// in the current chunk. The entries from `top` on are spare capacity.
    fingerprints: Vec<u32>,
    places: Vec<u64>,
    top: usize,
    /// The number of keys in `store`.
    stored: usize,
    store: Store,
    /// The index of the first key of each open object.
    frames: Vec<usize>,
    /// The open objects with many keys, outermost first, each with its nesting depth.
    many: Vec<(usize, Exact)>,
    /// The table for objects with few keys.
    few: Exact,
    /// The key that the last chunk ended with.
    cursor: Cursor,
    shapes: Shapes,
    unchecked: bool,
    /// The number of keys seen, and of keys compared in closed objects.
    steps: u64,
}

/// The number of fingerprints copied at a time.
const WIDE: usize = 16;

impl Keys {
    pub(super) fn unchecked(&self) -> bool {
        self.unchecked
    }

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
        self.resume(chunk);
        if !self.unchecked {
            let pass = Pass {
                keys: self,
                chunk,
                findings,
            };
            run_with(chunk.kernel, pass);
        }
        self.leave(chunk, findings);
    }

    /// Ends the text. All objects are closed, unless memory ran out.
    pub(super) fn end(&mut self, _: &mut Collector) {
        self.forget();
    }

    /// Continues the key that the last chunk ended with.
    fn resume(&mut self, chunk: &Chunk<'_>) {
        match self.cursor.resume(chunk) {
            Ok(false) => {}
            Ok(true) => self.end_key(),
            Err(_) => self.give_up(),
        }
    }

    /// Stores the key that the last chunk ended with, which is complete.
    fn end_key(&mut self) {
        let Some((at, _, key)) = self.cursor.take() else {
            return;
        };
        let raw = &key[1..key.len() - 1];
        let fingerprint = fingerprint_spelled(raw);
        let place = self.store.push(at, raw);
        match (self.room(), place) {
            (true, Some(place)) => {
                self.fingerprints[self.top] = fingerprint;
                self.places[self.top] = place;
                self.top += 1;
                self.stored = self.top;
            }
            _ => self.give_up(),
        }
    }

    /// Saves the keys that are still needed at the end of a chunk.
    fn leave(&mut self, chunk: &Chunk<'_>, findings: &mut Collector) {
        if self.unchecked {
            return;
        }
        self.commit(chunk);
        if let Some(&start) = self.frames.last()
            && self.top - start > FEW
        {
            self.spill(start, self.frames.len(), findings);
        }
        if chunk.contents.ends_with_key && !chunk.offsets.is_empty() {
            match self.cursor.begin(chunk, usize::MAX) {
                Ok(false) => {}
                Ok(true) => self.end_key(),
                Err(_) => self.give_up(),
            }
        }
    }

    /// Copies the keys in this chunk to the store.
    fn commit(&mut self, chunk: &Chunk<'_>) {
        let end = match self.stored.checked_sub(1) {
            Some(last) => self.store.end_of(self.places[last]),
            None => 0,
        };
        let end = self
            .many
            .last()
            .map_or(end, |(_, exact)| end.max(exact.end));
        self.store.truncate(end);
        while self.stored < self.top {
            let from = self.places[self.stored] as usize;
            let end = string::end(chunk.bytes, from).unwrap_or(chunk.bytes.len());
            let at = chunk.offset + from as u64 - 1;
            let Some(place) = self.store.push(at, &chunk.bytes[from..end]) else {
                return self.give_up();
            };
            self.places[self.stored] = place;
            self.stored += 1;
        }
    }

    /// Moves the keys from `start` on, which belong to the innermost object at this `depth` and are stored, to a table
    /// of their own.
    fn spill(&mut self, start: usize, depth: usize, findings: &mut Collector) {
        if self.many.last().is_none_or(|(of, _)| *of != depth) {
            self.many.push((depth, Exact::default()));
        }
        let Some((_, exact)) = self.many.last_mut() else {
            return;
        };
        for &place in &self.places[start..self.top] {
            match exact.insert(&self.store, place) {
                Ok(None) => {}
                Ok(Some(first)) => report(&self.store, first, place, findings),
                Err(_) => return self.give_up(),
            }
        }
        if let Some(&last) = self.places[start..self.top].last() {
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
        if self.unchecked {
            return;
        }
        if self.has_many() || self.top - start > FEW {
            self.spill(start, self.frames.len() + 1, findings);
            if let Some((_, exact)) = self.many.pop() {
                self.steps += exact.steps();
            }
            return;
        }
        self.few.clear();
        for &place in &self.places[start..self.top] {
            match self.few.insert(&self.store, place) {
                Ok(None) => {}
                Ok(Some(first)) => report(&self.store, first, place, findings),
                Err(_) => return self.give_up(),
            }
        }
    }

    /// Whether the object that is closing, already popped from `frames`, has a table.
    #[inline(always)]
    fn has_many(&self) -> bool {
        matches!(self.many.last(), Some((depth, _)) if *depth == self.frames.len() + 1)
    }

    /// Reserves capacity for the keys and objects of one group of tokens. Returns `false` if memory runs out.
    #[inline(always)]
    fn room(&mut self) -> bool {
        let keys = self.top + BLOCK + FEW;
        if self.fingerprints.len() >= keys && self.frames.capacity() - self.frames.len() >= BLOCK {
            return true;
        }
        self.grow(keys * 2)
    }

    #[cold]
    fn grow(&mut self, keys: usize) -> bool {
        let more = keys.saturating_sub(self.fingerprints.len());
        let got = self.fingerprints.try_reserve(more).is_ok()
            && self.places.try_reserve(more).is_ok()
            && self.frames.try_reserve(BLOCK).is_ok();
        if got && more > 0 {
            self.fingerprints.resize(keys, 0);
            self.places.resize(keys, 0);
        }
        got
    }

    /// Stops comparing keys because memory ran out. The verdict does not depend on it.
    #[cold]
    fn give_up(&mut self) {
        self.unchecked = true;
        self.forget();
        (self.fingerprints, self.places) = (Vec::new(), Vec::new());
    }

    fn forget(&mut self) {
        self.steps += self
            .many
            .iter()
            .map(|(_, exact)| exact.steps())
            .sum::<u64>();
        self.many.clear();
        self.frames.clear();
        (self.top, self.stored) = (0, 0);
        self.store.truncate(0);
        self.cursor = Cursor::default();
    }
}

#[cold]
fn report(store: &Store, first: u64, again: u64, findings: &mut Collector) {
    let place = |of| {
        let (at, raw) = store.get(of);
        Region {
            offset: at,
            length: raw.len() as u64 + 2,
        }
    };
    findings.add(
        Code::DuplicateKey,
        place(again),
        Some(place(first)),
        Vec::new(),
    );
}

struct Pass<'a, 'c> {
    keys: &'a mut Keys,
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
        let Chunk { kinds, offsets, .. } = *chunk;
        let mut group_keys = Group::default();
        // A leading colon belongs to the key that the last chunk ended with.
        let mut known = u64::from(kinds.first() == Some(&b':'));
        let mut at = 0;
        while at < kinds.len() && !keys.unchecked {
            if !keys.room() {
                return keys.give_up();
            }
            let masks = group(isa, kinds, at);
            let colons = masks.colon & !core::mem::take(&mut known);
            let mut ends = [0; BLOCK + 1];
            let ends = match at
                .checked_sub(1)
                .and_then(|before| offsets[before..].first_chunk())
            {
                Some(all) => all,
                None => {
                    let first = at.saturating_sub(1);
                    let count = (offsets.len() - first).min(BLOCK);
                    let to = usize::from(at == 0);
                    ends[to..to + count].copy_from_slice(&offsets[first..first + count]);
                    &ends
                }
            };
            let count = group_keys.fill(isa, chunk, colons, ends);
            keys.steps += count as u64;

            let (open, mut braces) = (masks.open, (masks.open | masks.close) & masks.brace);
            let mut taken = 0;
            loop {
                let brace = braces & braces.wrapping_neg();
                // With no brace left, one below zero selects all keys.
                let upto = (colons & brace.wrapping_sub(1)).count_ones() as usize;
                keys.push(&group_keys, taken, upto);
                taken = upto;
                if braces == 0 {
                    break;
                }
                braces ^= brace;
                let next = braces & braces.wrapping_neg();
                if open & brace == 0 {
                    keys.leave_object(chunk, findings);
                } else if next & !open != 0 {
                    // An object without nested objects that closes within this group: its keys need not be copied.
                    braces ^= next;
                    let upto = (colons & (next - 1)).count_ones() as usize;
                    let count = upto - taken;
                    if count > 1
                        && !keys.shapes.all_different(
                            chunk.kernel,
                            group_keys.fingerprints_from(taken),
                            count,
                        )
                    {
                        keys.frames.push(keys.top);
                        keys.push(&group_keys, taken, upto);
                        keys.leave_object(chunk, findings);
                    }
                    taken = upto;
                } else {
                    keys.frames.push(keys.top);
                }
            }
            at += BLOCK;
        }
    }
}

/// The keys of one group of tokens, padded for wide reads.
struct Group {
    fingerprints: [u32; 2 * BLOCK],
    places: [u64; BLOCK + WIDE],
}

impl Default for Group {
    fn default() -> Group {
        Group {
            fingerprints: [0; _],
            places: [0; _],
        }
    }
}

impl Group {
    /// Adds the keys before `colons`. `ends` holds the offsets of the tokens, starting with the one before the group.
    #[inline(always)]
    fn fill<K: Isa>(
        &mut self,
        isa: K,
        chunk: &Chunk<'_>,
        colons: u64,
        ends: &[u32; BLOCK + 1],
    ) -> usize {
        let mut rest = colons;
        let mut count = 0;
        while rest != 0 {
            let colon = rest.trailing_zeros() as usize % BLOCK;
            let (fingerprint, place) = key(isa, chunk, ends[colon], ends[colon + 1]);
            self.fingerprints[count % BLOCK] = fingerprint;
            self.places[count % BLOCK] = place;
            count += 1;
            rest &= rest - 1;
        }
        count
    }

    #[inline(always)]
    fn fingerprints_from(&self, from: usize) -> &[u32; FEW] {
        self.fingerprints[from % BLOCK..]
            .first_chunk()
            .expect("room for as many again")
    }
}

impl Keys {
    /// Pushes the keys `from..to` of a group.
    #[inline(always)]
    fn push(&mut self, group: &Group, from: usize, to: usize) {
        let mut from = from;
        while from < to {
            let top = self.top;
            let (Some(fingerprint), Some(place)) = (
                wide(&mut self.fingerprints, top),
                wide(&mut self.places, top),
            ) else {
                return;
            };
            if let Some(new) = group
                .fingerprints
                .get(from..)
                .and_then(<[u32]>::first_chunk)
            {
                *fingerprint = *new;
            }
            if let Some(new) = group.places.get(from..).and_then(<[u64]>::first_chunk) {
                *place = *new;
            }
            let count = (to - from).min(WIDE);
            self.top += count;
            from += count;
        }
    }

    /// Closes the innermost object.
    #[inline(always)]
    fn leave_object(&mut self, chunk: &Chunk<'_>, findings: &mut Collector) {
        let Some(start) = self.frames.pop() else {
            return;
        };
        let count = self.top - start;
        if count > 1 || self.has_many() {
            let different = count <= FEW
                && !self.has_many()
                && self
                    .fingerprints
                    .get(start..)
                    .and_then(<[u32]>::first_chunk)
                    .is_some_and(|fingerprints| {
                        self.shapes.all_different(chunk.kernel, fingerprints, count)
                    });
            if !different {
                self.close(start, chunk, findings);
            }
        }
        self.top = start;
        self.stored = self.stored.min(start);
    }
}

/// The entries from `at` on; the capacity always suffices.
#[inline(always)]
fn wide<T>(room: &mut [T], at: usize) -> Option<&mut [T; WIDE]> {
    room.get_mut(at..)?.first_chunk_mut()
}

/// The fingerprint and the position of the key between the offsets of its opening quote and its colon.
///
/// A single bounds check covers all loads, and no hard-to-predict branch depends on the key.
#[inline(always)]
fn key<K: Isa>(isa: K, chunk: &Chunk<'_>, quote: u32, colon: u32) -> (u32, u64) {
    let from = quote as usize + 1;
    let length = (colon as usize).wrapping_sub(from + 1);
    let fingerprint = match chunk.bytes.get(from..).and_then(<[u8]>::first_chunk) {
        Some(window)
            if length.wrapping_sub(1) < LONG
                && window[length % BLOCK] == b'"'
                && !(chunk.contents.escapes && has_escape(isa, window, length)) =>
        {
            fingerprint_window(window, length)
        }
        _ => unusual(chunk.bytes, from, colon as usize),
    };
    (fingerprint, from as u64)
}

/// The fingerprint of a key that is empty, long or escaped, is followed by white space, or ends with the chunk.
#[cold]
#[inline(never)]
fn unusual(bytes: &[u8], from: usize, colon: usize) -> u32 {
    let key = trim_end(&bytes[from..colon]);
    // Drops the closing quote.
    fingerprint_spelled(&key[..key.len() - 1])
}

/// Whether the key contains a backslash.
#[inline(always)]
fn has_escape<K: Isa>(isa: K, window: &Bytes, length: usize) -> bool {
    let beyond = u64::MAX << (length % BLOCK);
    isa.equal(isa.load(window), b'\\') & !beyond != 0
}
