//! Squeezed text in which a line feed stands between values at the root.

use super::{CLASSES, Class};
use crate::token::Chunk;

/// Makes the squeezed text of chunks such that no two values at the root run together.
///
/// ```text
/// text        {"a": 1} 2 3
/// squeezed    {"a":1}23
/// separated   {"a":1}⏎2⏎3
/// places      ^   ^ ^^ ^         the structural bytes, and these line feeds
/// ```
///
/// A line feed in separated text is always one of these: inside strings it is escaped, elsewhere squeezed out.
#[derive(Debug)]
pub(crate) struct Separated {
    before: Class,
    bytes: Vec<u8>,
    places: Vec<u32>,
}

impl Separated {
    /// At the start of a text.
    pub(crate) fn new() -> Self {
        Separated {
            before: Class::Start,
            bytes: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Whether a line has been begun that a line feed would end. It is taken to have been ended then.
    pub(crate) fn end_line(&mut self) -> bool {
        std::mem::replace(&mut self.before, Class::Start) != Class::Start
    }

    /// The separated text of the next chunk, and where the structural bytes and line feeds are in it. The chunk must have
    /// been squeezed, with places, and in a stream of values with tokens.
    pub(crate) fn chunk<'a>(&'a mut self, chunk: &Chunk<'a>) -> (&'a [u8], &'a [u32]) {
        let last = chunk.kinds.last().map(|&kind| CLASSES[kind as usize]);
        let before = self.before;
        self.before = last.unwrap_or(before);
        if chunk.further_roots == 0 {
            return (chunk.minified, chunk.structurals);
        }
        self.separate(chunk, before);
        (&self.bytes, &self.places)
    }

    fn separate(&mut self, chunk: &Chunk<'_>, mut before: Class) {
        self.bytes.clear();
        self.places.clear();
        self.bytes.extend_from_slice(chunk.before_first());
        for (kind, raw) in chunk.tokens() {
            let class = CLASSES[kind as usize];
            if matches!(
                (before, class),
                (Class::Value | Class::Close, Class::Value | Class::Open)
            ) {
                self.places.push(self.bytes.len() as u32);
                self.bytes.push(b'\n');
            }
            if class != Class::Value {
                self.places.push(self.bytes.len() as u32);
            }
            self.bytes.extend_from_slice(raw);
            before = class;
        }
    }
}
