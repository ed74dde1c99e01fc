//! Formats token by token: for streams of small values, in which white space separates tokens, and for chunks without minified
//! text.

use super::{CLASSES, Class, Formatter, Output, Style};
use crate::token::{Chunk, trim_end};

/// The white space before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhiteSpace {
    None,
    Space,
    Line,
}

/// The white space between two adjacent tokens of these classes. Values are adjacent only at the root.
const fn gap(before: Class, class: Class, pretty: bool) -> WhiteSpace {
    match (before, class) {
        (Class::Start, _) | (_, Class::Colon | Class::Comma) | (Class::Open, Class::Close) => {
            WhiteSpace::None
        }
        (Class::Value | Class::Close, Class::Value | Class::Open) => WhiteSpace::Line,
        _ if !pretty => WhiteSpace::None,
        (Class::Colon, _) => WhiteSpace::Space,
        _ => WhiteSpace::Line,
    }
}

/// [`gap`] as a table, by style and classes.
pub(super) const GAPS: [[[WhiteSpace; 6]; 6]; 2] = {
    const ALL: [Class; 6] = [
        Class::Value,
        Class::Open,
        Class::Close,
        Class::Colon,
        Class::Comma,
        Class::Start,
    ];
    let mut gaps = [[[WhiteSpace::None; 6]; 6]; 2];
    let mut i = 0;
    while i < 36 {
        gaps[0][i / 6][i % 6] = gap(ALL[i / 6], ALL[i % 6], false);
        gaps[1][i / 6][i % 6] = gap(ALL[i / 6], ALL[i % 6], true);
        i += 1;
    }
    gaps
};

impl<O: Output> Formatter<O> {
    /// Formats a chunk token by token. `before` is the class of the token before it.
    pub(super) fn tokens(&mut self, chunk: &Chunk<'_>, mut before: Class) -> Result<(), O::Error> {
        let mut offsets = Vec::new();
        let chunk = &chunk.with_offsets(&mut offsets);
        let (pretty, fill, step) = match self.style {
            Style::Compact => (0, b' ', 0),
            Style::Pretty(indent) => (1, indent.bytes().0, indent.bytes().1),
        };
        self.buffer.append(chunk.before_first(), &mut self.output)?;
        let mut depth = self.depth;
        for (index, (&kind, &from)) in chunk.kinds.iter().zip(chunk.offsets).enumerate() {
            let from = from as usize;
            let class = CLASSES[kind as usize];
            let gap = GAPS[pretty][before as usize][class as usize];
            // May wrap: the fast path of the compact style does not count levels, which compact text does not need.
            depth = depth.wrapping_sub(usize::from(class == Class::Close));
            let raw = match class {
                Class::Value => match chunk.offsets.get(index + 1) {
                    Some(&next) => trim_end(&chunk.bytes[from..next as usize]),
                    None if chunk.ends_in_string => &chunk.bytes[from..],
                    None => trim_end(&chunk.bytes[from..]),
                },
                _ => &chunk.bytes[from..from + 1],
            };
            if gap == WhiteSpace::Line {
                let length = 1 + depth.wrapping_mul(step);
                if self.line.len() < length {
                    self.line.resize(length, fill);
                }
                self.buffer.append(&self.line[..length], &mut self.output)?;
            } else if gap == WhiteSpace::Space {
                self.buffer.append(b" ", &mut self.output)?;
            }
            self.buffer.append(raw, &mut self.output)?;
            depth = depth.wrapping_add(usize::from(class == Class::Open));
            before = class;
        }
        (self.before, self.depth) = (Some(before), depth);
        Ok(())
    }
}
