//! Minified text with a line feed between top-level values.

use super::{CLASSES, Class};
use crate::token::{Chunk, Interest};

/// Inserts line feeds into the minified text of chunks, so that no two values at the root run together.
///
/// ```text
/// text        {"a": 1} 2 3
/// minified    {"a":1}23
/// separated   {"a":1}⏎2⏎3
/// structurals ^   ^ ^^ ^         with these line feeds
/// ```
///
/// A line feed in separated text is always one of these: inside strings it is escaped, elsewhere removed.
#[derive(Debug, Default)]
pub(crate) struct Separated {
    /// The class of the last token. `None` before the first chunk.
    before: Option<Class>,
    bytes: Vec<u8>,
    structurals: Vec<u32>,
}

impl Separated {
    /// Closes the line. Returns whether one was open, which the caller must then end.
    pub(crate) fn end_line(&mut self) -> bool {
        match &mut self.before {
            None | Some(Class::Start) => false,
            Some(before) => {
                *before = Class::Start;
                true
            }
        }
    }

    /// The separated text of the next chunk, and the offsets of structural bytes and line feeds in it. Fast if the
    /// chunk has minified text and structurals, in a stream also offsets.
    pub(crate) fn chunk<'a>(&'a mut self, chunk: &Chunk<'a>) -> (&'a [u8], &'a [u32]) {
        let last = chunk.kinds.last().map(|&kind| CLASSES[kind as usize]);
        let before = self.before.unwrap_or_else(|| Class::before(chunk));
        self.before = Some(last.unwrap_or(before));
        let Interest {
            minified,
            structurals,
            ..
        } = chunk.interest;
        if chunk.further_roots == 0 && minified && structurals {
            return (chunk.minified, chunk.structurals);
        }
        self.separate(chunk, before);
        (&self.bytes, &self.structurals)
    }

    fn separate(&mut self, chunk: &Chunk<'_>, mut before: Class) {
        self.bytes.clear();
        self.structurals.clear();
        self.bytes.extend_from_slice(chunk.before_first());
        for (kind, raw) in chunk.tokens() {
            let class = CLASSES[kind as usize];
            if matches!(
                (before, class),
                (Class::Value | Class::Close, Class::Value | Class::Open)
            ) {
                self.structurals.push(self.bytes.len() as u32);
                self.bytes.push(b'\n');
            }
            if class != Class::Value {
                self.structurals.push(self.bytes.len() as u32);
            }
            self.bytes.extend_from_slice(raw);
            before = class;
        }
    }
}
