//! Objects that are too large to be sorted in place.

use crate::format::rewrite::RewriteError;

/// The objects inside the outermost one.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Objects that are open, have members to reorder, or contain such an object, in the order in which they begin.
    pub(super) objects: Vec<Object>,
    /// The sorted members of the closed ones, object by object.
    spans: Vec<Span>,
}

/// An object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Object {
    start: usize,
    end: usize,
    /// The range of its members among the spans; empty if they are in order.
    first: usize,
    last: usize,
    /// The number of the first record after it.
    after: usize,
}

impl Object {
    /// An open object that begins at `start`.
    pub(super) fn at(start: usize) -> Object {
        Object {
            start,
            ..Object::default()
        }
    }
}

/// The text of a member, and the number of the first record inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) record: usize,
}

/// The position at which writing continues after an inner object.
struct Frame {
    next: usize,
    last: usize,
    then: Span,
}

impl Records {
    /// Records the sorted members of the object from `start` to `end`, its closing bracket.
    pub(super) fn note(
        &mut self,
        number: usize,
        start: usize,
        end: usize,
        spans: impl ExactSizeIterator<Item = Span>,
    ) {
        let first = self.spans.len();
        self.spans.extend(spans);
        self.objects[number] = Object {
            start,
            end,
            first,
            last: self.spans.len(),
            after: self.objects.len(),
        };
    }

    /// Writes the outermost object, whose text is `text`, with its members sorted, and clears the records.
    pub(super) fn write<E>(
        &mut self,
        text: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), RewriteError<E>>,
    ) -> Result<(), RewriteError<E>> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut span = Span {
            start: 0,
            end: text.len(),
            record: 0,
        };
        loop {
            let object = self.objects.get(span.record).copied();
            if let Some(object) = object.filter(|object| object.start < span.end) {
                if object.first == object.last {
                    span.record += 1;
                    continue;
                }
                write(&text[span.start..=object.start])?;
                frames.push(Frame {
                    next: object.first + 1,
                    last: object.last,
                    then: Span {
                        start: object.end,
                        end: span.end,
                        record: object.after,
                    },
                });
                span = self.spans[object.first];
                continue;
            }
            write(&text[span.start..span.end])?;
            match frames.pop() {
                None => break,
                Some(frame) if frame.next == frame.last => span = frame.then,
                Some(frame) => {
                    write(b",")?;
                    span = self.spans[frame.next];
                    frames.push(Frame {
                        next: frame.next + 1,
                        ..frame
                    });
                }
            }
        }
        self.objects.clear();
        self.spans.clear();
        Ok(())
    }
}
