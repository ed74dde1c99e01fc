//! Steps from token to token, entering the values that have threads and skipping all others.

use super::Duplicates;
use super::key_scan::{KeyScan, Scanned, Search};
use super::open_containers::{OpenContainers, key_step};
use super::positions::Positions;
use super::program::Program;
use super::step::Child;
use super::walk::{Expected, PathWalk};
use crate::kernel::run_with;
use crate::path::Step;
use crate::token::{Chunk, Kind, trim_end};

impl PathWalk {
    pub(super) fn chunk(&mut self, program: &Program, chunk: &Chunk<'_>) {
        self.at = chunk.offset + chunk.bytes.len() as u64;
        self.positions = Positions::default();
        self.entered_positions = Positions::default();
        let (first, rest) = if chunk.kinds.is_empty() {
            (None, chunk.before_first())
        } else {
            let first = self.positions.locate(chunk, 0);
            (Some(first), trim_end(&chunk.bytes[..first]))
        };
        let has_ended = self.assembler.resume_with(chunk, rest);
        if let Some(first) = first {
            if has_ended {
                self.end_scalar(program, chunk, first);
            }
            if self.state == Expected::Key {
                self.end_key(chunk);
            }
        }
        let mut index = 0;
        while index < chunk.kinds.len() {
            index = match self.state {
                Expected::Inside => self.inside(program, chunk, index),
                Expected::Root => match self.record(chunk, index) {
                    Some(next) => next,
                    None => {
                        self.enter_root(program);
                        self.value(program, chunk, index)
                    }
                },
                Expected::Value => self.value(program, chunk, index),
                Expected::SkippedValue => {
                    let opens = matches!(chunk.kinds[index], b'{' | b'[');
                    if opens && self.locates && self.scans_for_keys() {
                        let step = key_step(self.assembler.retained());
                        self.results.locations.push(step);
                        self.commas.push(0);
                    }
                    self.depth += u64::from(opens);
                    self.state = Expected::Inside;
                    index + 1
                }
                Expected::Colon(key) => {
                    self.member(program, key, None);
                    index + 1
                }
                // `end_key` leaves this state before the first token of a chunk.
                Expected::Key => chunk.kinds.len(),
            };
        }
        self.pending_filters.read(chunk.offset, chunk.bytes);
        // Does not wait for the next token: a number on its own line is complete, and the next line of a pipe may take
        // long to arrive.
        if self.assembler.has_ended() {
            self.finish(program);
        }
    }

    /// Ends a number, string or literal at the end of the input, or once no further byte can belong to it.
    pub(super) fn finish(&mut self, program: &Program) {
        if let Some(opened) = self.scalar.take()
            && let Some((_, end, _)) = self.assembler.take()
        {
            self.position = self.at;
            self.end(program, opened, end, 0);
        }
    }

    /// Ends a number, string or literal that began in an earlier chunk and ended before `next`, the first token of this
    /// one.
    fn end_scalar(&mut self, program: &Program, chunk: &Chunk<'_>, next: usize) {
        if let Some(opened) = self.scalar.take()
            && let Some((_, end, _)) = self.assembler.take()
        {
            self.position = chunk.offset + next as u64;
            self.pending_filters
                .read(chunk.offset, &chunk.bytes[..next]);
            self.end(program, opened, end, 0);
        }
    }

    /// Begins a value that has threads.
    fn value(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let from = self.positions.locate(chunk, index);
        let start = chunk.offset + from as u64;
        self.state = Expected::Inside;
        let kind = Kind::from_first(chunk.kinds[index]);
        if matches!(kind, Kind::Object | Kind::Array) {
            self.begin(program, kind, start);
            return index + 1;
        }
        if index + 1 == chunk.kinds.len() {
            self.scalar = self.begin(program, kind, start);
            self.assembler.begin_at(chunk, from, 0);
            return index + 1;
        }
        let next = self.positions.locate(chunk, index + 1);
        let before = &chunk.bytes[..next];
        let to = trim_end(before).len();
        let end = chunk.offset + to as u64;
        if !self.leaf(program, chunk, (from, to))
            && let Some(opened) = self.begin(program, kind, start)
        {
            self.position = chunk.offset + next as u64;
            self.pending_filters.read(chunk.offset, before);
            self.end(program, opened, end, 0);
        }
        index + 1
    }

    /// Continues inside the innermost frame. Returns the index of the next token.
    fn inside(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let Some(frame) = self.frames.last() else {
            return chunk.kinds.len();
        };
        if (frame.plan.idle || frame.spent) && !frame.counts {
            let (next, depth) = chunk.skip(index, self.depth + 1);
            if depth == 0 {
                self.close_at(program, chunk, next - 1);
            } else {
                self.depth = depth - 1;
            }
            return next;
        }
        let descends = self.scans_for_keys();
        if descends || frame.kind == Kind::Object && !frame.plan.any_member && !frame.counts {
            return self.scan(program, chunk, index, descends);
        }
        if self.depth > 0 {
            let (next, depth) = chunk.skip(index, self.depth);
            self.depth = depth;
            return next;
        }
        match frame.kind {
            Kind::Object => self.object(program, chunk, index),
            _ => self.array(program, chunk, index),
        }
    }

    fn close_at(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) {
        let at = self.positions.locate(chunk, index);
        self.pending_filters.read(chunk.offset, &chunk.bytes[..=at]);
        self.position = chunk.offset + at as u64 + 1;
        self.close(program, self.position);
    }

    fn scan(
        &mut self,
        program: &Program,
        chunk: &Chunk<'_>,
        index: usize,
        descends: bool,
    ) -> usize {
        let Some(frame) = self.frames.last_mut() else {
            return index;
        };
        let follows = descends && self.locates;
        let search = Search {
            keys: &frame.plan.keys,
            descends,
        };
        let scan = KeyScan {
            chunk,
            positions: &mut self.positions,
            search,
            from: index,
            depth: self.depth,
            open_containers: follows.then(|| OpenContainers {
                outside: self.commas.len() - self.depth as usize,
                commas: &mut self.commas,
                frame_commas: &mut frame.children,
                locations: &mut self.results.locations,
                positions: &mut self.entered_positions,
            }),
        };
        let (scanned, depth) = run_with(chunk.kernel, scan);
        self.depth = depth;
        match scanned {
            Scanned::End => {
                match chunk.kinds {
                    [.., b'"'] if descends || depth == 0 => self.begin_key(chunk),
                    [.., b':'] if follows => self.retain_key(chunk),
                    _ => {}
                }
                chunk.kinds.len()
            }
            Scanned::Closed(at) => {
                self.close_at(program, chunk, at);
                at + 1
            }
            Scanned::Key(at, key) => {
                let quoted = if self.locates && at > 0 {
                    let from = self.positions.locate(chunk, at - 1);
                    let to = self.positions.locate(chunk, at);
                    Some(trim_end(&chunk.bytes[from..to]))
                } else {
                    None
                };
                self.member(program, Some(key), quoted);
                at + 1
            }
        }
    }

    fn object(&mut self, program: &Program, chunk: &Chunk<'_>, index: usize) -> usize {
        let mut index = index;
        while let (Some(&kind), Some(frame)) = (chunk.kinds.get(index), self.frames.last_mut()) {
            match kind {
                b'}' => {
                    self.close_at(program, chunk, index);
                    return index + 1;
                }
                b',' => index += 1,
                _ if index + 1 == chunk.kinds.len() => {
                    self.begin_key(chunk);
                    return index + 1;
                }
                _ => {
                    let from = self.positions.locate(chunk, index);
                    let key = frame.plan.keys.find(&chunk.bytes[from..]);
                    let to = self.positions.locate(chunk, index + 1);
                    if let Some(keys) = &mut frame.keys {
                        keys.insert(trim_end(&chunk.bytes[from..to]));
                    }
                    if key.is_none() && !frame.plan.any_member {
                        // Skips key, colon and value; the value may be in the next chunk.
                        match chunk.kinds.get(index + 2) {
                            Some(b'{' | b'[') => {
                                let (next, depth) = chunk.skip(index + 3, 1);
                                self.depth = depth;
                                index = next;
                            }
                            Some(_) => index += 3,
                            None => {
                                self.state = Expected::SkippedValue;
                                return index + 2;
                            }
                        }
                        continue;
                    }
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
                    if self.locates {
                        self.results.locations.push(Step::Index(number));
                    }
                    return self.value(program, chunk, index);
                }
                self.depth += u64::from(matches!(kind, b'{' | b'['));
            }
        }
        index + 1
    }

    /// Steps into the member whose value comes next. `quoted` is its key with quotes; if `None`, the assembler has the
    /// key.
    fn member(&mut self, program: &Program, key: Option<u32>, quoted: Option<&[u8]>) {
        let scans = self.scans_for_keys();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if quoted.is_none()
            && let Some(keys) = &mut frame.keys
        {
            keys.insert(self.assembler.retained());
        }
        if key.is_none() && (scans || !frame.plan.any_member) {
            self.state = Expected::SkippedValue;
            return;
        }
        // A search counts the elements of an array itself.
        frame.children += u64::from(frame.kind == Kind::Object);
        if self.depth > 0 && self.options.duplicates == Duplicates::Last {
            self.push_scanned();
        }
        self.state = if self.step(program, Child::Member(key)) {
            Expected::Value
        } else {
            Expected::SkippedValue
        };
        if self.locates && self.state == Expected::Value {
            let step = key_step(quoted.unwrap_or(self.assembler.retained()));
            self.results.locations.push(step);
        }
    }

    /// Begins to assemble the string at the end of the chunk, which may be a key.
    fn begin_key(&mut self, chunk: &Chunk<'_>) {
        let room = match self.frames.last() {
            Some(frame) if self.locates || frame.counts => usize::MAX,
            frame => frame.map_or(0, |frame| frame.plan.keys.longest()),
        };
        self.state = Expected::Key;
        let last = self.positions.locate(chunk, chunk.kinds.len() - 1);
        self.assembler.begin_at(chunk, last, room);
    }

    /// Retains the key before the colon at the end of the chunk: its value, which begins in the next one, may be a container.
    fn retain_key(&mut self, chunk: &Chunk<'_>) {
        if let Some(key) = chunk.kinds.len().checked_sub(2) {
            let from = self.positions.locate(chunk, key);
            let to = self.positions.locate(chunk, key + 1);
            self.assembler.retain(&chunk.bytes[from..to]);
            self.state = Expected::SkippedValue;
        }
    }

    /// Ends the string that began in an earlier chunk, at the first token of this one.
    fn end_key(&mut self, chunk: &Chunk<'_>) {
        let Some((start, end, key)) = self.assembler.take() else {
            return;
        };
        self.state = match chunk.kinds.first() {
            Some(b':') => {
                // A string that is only partly retained is longer than any key of the set.
                let is_whole = key.len() as u64 == end - start;
                let keys = self.frames.last().map(|frame| &frame.plan.keys);
                let keys = keys.filter(|_| is_whole);
                Expected::Colon(keys.and_then(|keys| keys.find(key)))
            }
            // The string was not a key but a skipped value.
            _ => Expected::Inside,
        };
    }
}
