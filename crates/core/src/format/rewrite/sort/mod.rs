//! Sorts members by key.
//!
//! An object can be sorted once it has closed, so the text of the outermost open object is buffered, and text outside it passes
//! through. Only structure that may move is recorded: the members of open objects, and those of large unsorted objects. Small
//! objects are sorted in place. Nothing recurses, and no byte is moved more often than [`SMALL`] allows, however deep it is.
//!
//! ```text
//! text      [{"b":1,"a":{"d":1,"c":2}}, …
//! held       {"b":1,"a":{"d":1,"c":2}            `}`: the inner object is sorted
//!            {"b":1,"a":{"c":2,"d":1}}           `}`: the outer one is sorted and written
//! ```

mod commented;
#[cfg(test)]
mod commented_tests;
mod keys;
mod records;

pub use self::commented::sort_commented;
pub(super) use self::keys::Order;
use self::keys::SortKeys;
use self::records::{Object, Records, Span};
use super::{NotCanonical, NotCanonicalKind, RewriteError};
use crate::format::buffer::OutputBuffer;
use crate::format::{Output, Separated};
use crate::token::{Chunk, Interest, Mode, Sink};

/// Objects up to this many bytes are sorted in place. An object has at least two members per level, so a byte is moved at most
/// 340 times, in the L1 cache; in everyday documents once or twice. Other sizes were not measured.
const SMALL: usize = 4096;

/// Sorts the members of objects in minified text with line feeds between values at the root.
#[derive(Debug)]
pub(super) struct Sorter<W> {
    output: W,
    buffer: OutputBuffer,
    order: Order,
    /// Text from the outermost open object on.
    text: Vec<u8>,
    /// The number of its bytes that have been written.
    written: usize,
    /// The written text does not end in a line feed.
    in_line: bool,
    /// The start of the outermost open object in the text. Offsets in objects count from here.
    outer: usize,
    /// The index of the last structural byte.
    previous: usize,
    /// Whether the held text has a backslash.
    escapes: bool,
    open: Vec<OpenObject>,
    /// The members of the open objects, object by object.
    members: Vec<Member>,
    /// Offsets of their keys in the input, if known.
    sources: Vec<u64>,
    records: Records,
    keys: SortKeys,
    moved: Vec<u8>,
}

/// An open object.
#[derive(Clone, Copy, Debug)]
struct OpenObject {
    start: usize,
    /// The number of its first member.
    members: usize,
    /// The number of its record.
    record: usize,
}

/// A member of an open object. It ends before the next one, or with the object.
#[derive(Clone, Copy, Debug)]
struct Member {
    start: usize,
    colon: usize,
    /// The number of the first record inside.
    record: usize,
}

impl<E, W: Output<Error = RewriteError<E>>> Sorter<W> {
    pub(super) fn new(order: Order, output: W) -> Self {
        Sorter {
            output,
            buffer: OutputBuffer::default(),
            order,
            text: Vec::new(),
            written: 0,
            in_line: false,
            outer: 0,
            previous: 0,
            escapes: false,
            open: Vec::new(),
            members: Vec::new(),
            sources: Vec::new(),
            records: Records::default(),
            keys: SortKeys::default(),
            moved: Vec::new(),
        }
    }

    pub(super) fn output(&mut self) -> &mut W {
        &mut self.output
    }

    pub(super) fn flush(&mut self) -> Result<(), RewriteError<E>> {
        self.buffer.flush(&mut self.output)
    }

    /// Ends the line that the written text ends in. A held object has no line yet.
    pub(super) fn end_line(&mut self) -> Result<(), RewriteError<E>> {
        if std::mem::take(&mut self.in_line) {
            self.buffer.append(b"\n", &mut self.output)
        } else {
            Ok(())
        }
    }

    pub(super) fn into_output(mut self) -> Result<W, RewriteError<E>> {
        self.flush()?;
        Ok(self.output)
    }

    /// Appends text with the indexes of its structural bytes. `sources` has the offsets in the input of the keys before
    /// its colons; it may be empty.
    pub(super) fn text(
        &mut self,
        bytes: &[u8],
        structurals: &[u32],
        sources: &[u64],
    ) -> Result<(), RewriteError<E>> {
        self.escapes |= memchr::memchr(b'\\', bytes).is_some();
        let mut sources = sources.iter();
        let base = self.text.len();
        self.text.extend_from_slice(bytes);
        for &structural in structurals {
            let at = base + structural as usize;
            match self.text[at] {
                b':' => {
                    self.members.push(Member {
                        start: self.previous + 1 - self.outer,
                        colon: at - self.outer,
                        record: self.records.objects.len(),
                    });
                    self.sources.extend(sources.next());
                }
                b'{' => {
                    if self.open.is_empty() {
                        self.outer = at;
                    }
                    self.open.push(OpenObject {
                        start: at - self.outer,
                        members: self.members.len(),
                        record: self.records.objects.len(),
                    });
                    self.records.objects.push(Object::at(at - self.outer));
                }
                b'}' => self.close(at)?,
                _ => {}
            }
            self.previous = at;
        }
        self.pass()
    }

    /// Writes text outside of objects, and closed objects.
    fn pass(&mut self) -> Result<(), RewriteError<E>> {
        let held = if self.open.is_empty() {
            self.text.len()
        } else {
            self.outer
        };
        self.buffer
            .append(&self.text[self.written..held], &mut self.output)?;
        if let Some(&last) = self.text[..held].last() {
            self.in_line = last != b'\n';
        }
        self.text.drain(..held);
        self.previous = self.previous.saturating_sub(held);
        self.escapes &= !self.text.is_empty();
        (self.written, self.outer) = (0, 0);
        Ok(())
    }

    /// The innermost open object closes at `at`.
    fn close(&mut self, at: usize) -> Result<(), RewriteError<E>> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let end = at - self.outer;
        let members = &self.members[open.members..];
        let held = &mut self.text[self.outer..];
        // Inner objects need no record, or have one.
        let records_inside = self.records.objects.len() > open.record + 1;
        let mut moves = false;
        if members.len() > 1 {
            moves = !self.keys.sort(held, members, self.escapes, self.order);
            if self.order == Order::Utf16
                && let Some((first, later)) = self.keys.duplicate(held, self.order)
            {
                let source = |member| self.sources.get(open.members + member).copied();
                return Err(RewriteError::NotCanonical(NotCanonical {
                    kind: NotCanonicalKind::DuplicateKey {
                        first: source(first).unwrap_or_default(),
                    },
                    offset: source(later).unwrap_or_default(),
                }));
            }
        }
        let span = |member: usize| Span {
            start: members[member].start,
            end: members.get(member + 1).map_or(end, |next| next.start - 1),
            record: members[member].record,
        };
        let small = end - open.start < SMALL && !records_inside;
        if moves && small {
            self.moved.clear();
            for (number, member) in self.keys.members().enumerate() {
                let span = span(member);
                if number > 0 {
                    self.moved.push(b',');
                }
                self.moved.extend_from_slice(&held[span.start..span.end]);
            }
            held[open.start + 1..end].copy_from_slice(&self.moved);
        } else if moves {
            let spans = self.keys.members().map(span);
            self.records.note(open.record, open.start, end, spans);
        }
        if !records_inside && (small || !moves) {
            self.records.objects.truncate(open.record);
        }
        self.members.truncate(open.members);
        self.sources.truncate(open.members);
        if self.open.is_empty() && !self.records.objects.is_empty() {
            self.write_outermost(at)?;
        }
        Ok(())
    }

    /// Writes the outermost object, which has closed at `at` and has members to reorder.
    fn write_outermost(&mut self, at: usize) -> Result<(), RewriteError<E>> {
        let before = &self.text[self.written..self.outer];
        self.buffer.append(before, &mut self.output)?;
        let object = &self.text[self.outer..=at];
        let (buffer, output) = (&mut self.buffer, &mut self.output);
        self.records
            .write(object, |piece| buffer.append(piece, output))?;
        self.written = at + 1;
        Ok(())
    }
}

/// A sink that sorts by code points.
#[derive(Debug)]
pub(super) struct Sorted<W> {
    separated: Separated,
    sorter: Sorter<W>,
}

impl<E, W: Output<Error = RewriteError<E>>> Sorted<W> {
    pub(super) fn new(output: W) -> Self {
        Sorted {
            separated: Separated::default(),
            sorter: Sorter::new(Order::CodePoints, output),
        }
    }

    pub(super) fn output(&mut self) -> &mut W {
        self.sorter.output()
    }

    pub(super) fn flush(&mut self) -> Result<(), RewriteError<E>> {
        self.sorter.flush()
    }

    /// Ends the line of a complete value at the root.
    pub(super) fn end_line(&mut self) -> Result<(), RewriteError<E>> {
        if self.separated.end_line() {
            self.sorter.end_line()
        } else {
            Ok(())
        }
    }

    /// Ends the last line and returns the output.
    pub(super) fn finish(mut self) -> Result<W, RewriteError<E>> {
        self.end_line()?;
        self.sorter.into_output()
    }
}

impl<E, W: Output<Error = RewriteError<E>>> Sink for Sorted<W> {
    type Error = RewriteError<E>;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        Interest {
            minified: true,
            structurals: true,
            offsets: mode == Mode::Stream,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<E>> {
        let (bytes, structurals) = self.separated.chunk(chunk);
        self.sorter.text(bytes, structurals, &[])
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
