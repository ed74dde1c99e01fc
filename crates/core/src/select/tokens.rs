//! Steps from token to token, entering the values that have threads and skipping the others.

use super::Duplicates;
use std::borrow::Cow;

use super::pass::{Scanned, scan, skip};
use super::program::Program;
use super::step::Child;
use super::walk::Walk;
use crate::path::Step;
use crate::string::{self, decode_key};
use crate::token::{Chunk, Kind, trim_end};

/// The meaning of the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The start of a value at the root.
    Root,
    /// Any token in the innermost frame, or in a container inside it.
    Inside,
    /// The chunk ended in or after a string that may be a relevant key.
    Key,
    /// The colon after a key, with the number of the key if it is in the set.
    Colon(Option<u32>),
    /// The start of a value that has threads.
    Value,
    /// The start of a value to skip.
    Passed,
}

impl Walk {
    pub(super) fn chunk(&mut self, program: &Program, chunk: &Chunk<'_>) {
        self.at = chunk.offset + chunk.bytes.len() as u64;
        if !chunk.kinds.is_empty() {
            self.end_scalar(program, chunk, 0);
        }
        if self.state == State::Key {
            self.continue_key(chunk);
        }
        let mut index = 0;
        while index < chunk.kinds.len() {
            index = match self.state {
                State::Inside => self.inside(program, chunk, index),
                State::Root => {
                    self.enter_root(program);
                    self.value(program, chunk, index)
                }
                State::Value => self.value(program, chunk, index),
                State::Passed => {
                    self.depth += u64::from(matches!(chunk.kinds[index], b'{' | b'['));
                    self.state = State::Inside;
                    index + 1
                }
                State::Colon(key) => {
                    self.member(program, key, None);
                    index + 1
                }
                // `continue_key` leaves this state before the first token of a chunk.
                State::Key => chunk.kinds.len(),
            };
        }
        self.leave_chunk(program, chunk);
    }

    /// Saves the state of values that continue in the next chunk.
    fn leave_chunk(&mut self, program: &Program, chunk: &Chunk<'_>) {
        if self.scalar.is_some() {
            let seen = match chunk.ends_in_string {
                true => chunk.bytes.len(),
                false => trim_end(chunk.bytes).len(),
            };
            if seen > 0 {
                self.scalar_end = chunk.offset + seen as u64;
            }
        }
        let all = self.asking.capturing();
        self.asking.copy(all, chunk.offset, chunk.bytes);
        // A number on its own line is complete. The next line of a pipe may take long to arrive.
        if chunk.bytes.ends_with(b"\n") {
            self.finish(program);
        }
    }

    /// Ends a number, string or literal followed by white space or by the end of the input.
    pub(super) fn finish(&mut self, program: &Program) {
        if let Some(opened) = self.scalar.take() {
            self.here = self.at;
            self.end(program, opened, self.scalar_end, 0);
        }
    }

    /// The pending number, string or literal ended before this token.
    fn end_scalar(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) {
        let Some(opened) = self.scalar.take() else {
            return;
        };
        let before = &chunk.bytes[..chunk.offsets[index] as usize];
        let end = match trim_end(before).len() {
            0 => self.scalar_end,
            length => chunk.offset + length as u64,
        };
        self.here = chunk.offset + before.len() as u64;
        self.asking.copy(opened.captures(), chunk.offset, before);
        self.end(program, opened, end, 0);
    }

    /// Begins a value that has threads.
    fn value(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let start = chunk.offset + u64::from(chunk.offsets[index]);
        self.state = State::Inside;
        let kind = Kind::of(chunk.kinds[index]);
        if let Some(&next) = chunk.offsets.get(index + 1)
            && !matches!(kind, Kind::Object | Kind::Array)
        {
            let before = trim_end(&chunk.bytes[..next as usize]);
            let end = chunk.offset + before.len() as u64;
            if self.leaf(program, start, end) {
                return index + 1;
            }
        }
        self.scalar = self.begin(program, kind, start);
        if index + 1 < chunk.kinds.len() {
            self.end_scalar(program, chunk, index + 1);
        }
        index + 1
    }

    /// Continues inside the innermost frame. Returns the index of the next token.
    fn inside(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let Some(frame) = self.frames.last() else {
            return chunk.kinds.len();
        };
        if frame.plan.idle || frame.spent {
            let (next, depth) = skip(chunk, index, self.depth + 1);
            if depth == 0 {
                self.close_at(program, chunk, next - 1);
            } else {
                self.depth = depth - 1;
            }
            return next;
        }
        if frame.plan.only_keys && self.scans {
            return self.scan(program, chunk, index);
        }
        if self.depth > 0 {
            let (next, depth) = skip(chunk, index, self.depth);
            self.depth = depth;
            return next;
        }
        match frame.kind {
            Kind::Object => self.object(program, chunk, index),
            _ => self.array(program, chunk, index),
        }
    }

    fn close_at(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) {
        let at = chunk.offsets[index] as usize;
        let opened = self.frames.last().and_then(|frame| frame.opened.as_ref());
        let captures = opened.map_or(0, |opened| opened.captures());
        self.asking
            .copy(captures, chunk.offset, &chunk.bytes[..=at]);
        self.here = chunk.offset + at as u64 + 1;
        self.close(program, self.here);
    }

    fn scan(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let Some(frame) = self.frames.last() else {
            return index;
        };
        let (scanned, depth) = scan(chunk, &frame.plan.keys, index, self.depth);
        self.depth = depth;
        match scanned {
            Scanned::End => {
                if chunk.kinds.last() == Some(&b'"') {
                    self.stash_key(chunk);
                }
                chunk.kinds.len()
            }
            Scanned::Closed(at) => {
                self.close_at(program, chunk, at);
                at + 1
            }
            Scanned::Key(at, key) => {
                self.member(program, Some(key), None);
                at + 1
            }
        }
    }

    fn object(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let mut index = index;
        while let (Some(&kind), Some(frame)) = (chunk.kinds.get(index), self.frames.last()) {
            match kind {
                b'}' => {
                    self.close_at(program, chunk, index);
                    return index + 1;
                }
                b',' => index += 1,
                _ if index + 1 == chunk.kinds.len() => {
                    self.stash_key(chunk);
                    return index + 1;
                }
                _ => {
                    let from = chunk.offsets[index] as usize;
                    let key = frame.plan.keys.find(&chunk.bytes[from..]);
                    if key.is_none() && !frame.plan.any_member {
                        // Key, colon and value; the value may be in the next chunk.
                        match chunk.kinds.get(index + 2) {
                            Some(b'{' | b'[') => {
                                let (next, depth) = skip(chunk, index + 3, 1);
                                self.depth = depth;
                                index = next;
                            }
                            Some(_) => index += 3,
                            None => {
                                self.state = State::Passed;
                                return index + 2;
                            }
                        }
                        continue;
                    }
                    let to = chunk.offsets[index + 1] as usize;
                    self.member(program, key, Some(trim_end(&chunk.bytes[from..to])));
                    return index + 2;
                }
            }
        }
        index
    }

    fn array(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let Some(frame) = self.frames.last_mut() else {
            return index;
        };
        match chunk.kinds[index] {
            b']' => self.close_at(program, chunk, index),
            b',' => {}
            kind => {
                let number = frame.children;
                frame.children += 1;
                let elements = &frame.plan.elements;
                frame.spent = number >= elements.end;
                if elements.contains(&number) && self.step(program, Child::Element(number)) {
                    if self.options.locations {
                        self.results.locations.push(Step::Index(number));
                    }
                    return self.value(program, chunk, index);
                }
                self.depth += u64::from(matches!(kind, b'{' | b'['));
            }
        }
        index + 1
    }

    /// Steps into the member whose value comes next. `quoted` is its key with quotes; if it is `None`, `partial_key`
    /// holds it.
    fn member(&mut self, program: &Program, key: Option<u32>, quoted: Option<&[u8]>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if key.is_none() && (!frame.plan.any_member || self.scans && frame.plan.only_keys) {
            self.state = State::Passed;
            return;
        }
        frame.children += 1;
        if self.depth > 0 && self.options.duplicates == Duplicates::Last {
            self.push_scanned();
        }
        self.state = match self.step(program, Child::Member(key)) {
            true => State::Value,
            false => State::Passed,
        };
        if self.options.locations && self.state == State::Value {
            let key = match quoted.unwrap_or(&self.partial_key) {
                [b'"', raw @ .., b'"'] => decode_key(raw),
                other => Cow::Borrowed(other),
            };
            let step = Step::Key(key.into_owned().into());
            self.results.locations.push(step);
        }
    }

    /// Saves the string at the end of the chunk: it may be a key, and may continue in the next chunk.
    fn stash_key(&mut self, chunk: &Chunk<'_>) {
        let from = chunk.offsets.last().map_or(0, |&from| from as usize);
        self.partial_key.clear();
        self.partial_key.extend_from_slice(&chunk.bytes[from..]);
        self.state = State::Key;
    }

    /// Continues the string at the end of the last chunk.
    fn continue_key(&mut self, chunk: &Chunk<'_>) {
        // Its first bytes decide whether it is in the set; a location needs all of it.
        let room = self
            .frames
            .last()
            .map_or(0, |frame| frame.plan.keys.longest());
        let rest = chunk
            .offsets
            .first()
            .map_or(chunk.bytes, |&to| &chunk.bytes[..to as usize]);
        if self.options.locations || self.partial_key.len() <= room {
            self.partial_key.extend_from_slice(rest);
        }
        match chunk.kinds.first() {
            None => {}
            Some(b':') => {
                // A truncated key has no end; it is longer than any key of the set.
                let complete = string::end(&self.partial_key, 1).map(|end| end + 1);
                self.partial_key.truncate(complete.unwrap_or(0));
                let keys = self.frames.last().map(|frame| &frame.plan.keys);
                let key = keys.and_then(|keys| keys.find(&self.partial_key));
                self.state = State::Colon(key);
            }
            // The string was a value to skip.
            Some(_) => self.state = State::Inside,
        }
    }
}
