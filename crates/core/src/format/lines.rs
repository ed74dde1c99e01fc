//! Compact JSON Lines: minified text that keeps its line feeds is the formatted text, if each line has one value.

use memchr::memchr_iter;

use super::{CLASSES, Class, Formatter, Output};
use crate::token::Chunk;

impl<O: Output> Formatter<O> {
    /// Writes a chunk of lines with one value each, and returns true. Otherwise it returns false, and the chunks after this one are
    /// not read as lines.
    pub(super) fn lines(&mut self, chunk: &Chunk<'_>, before: Class) -> Result<bool, O::Error> {
        let text = chunk.minified;
        let Some(lines) = &mut self.lines else {
            return Ok(false);
        };
        lines.add(text, chunk.further_roots);
        if !lines.have_one_each() {
            self.lines = None;
            return Ok(false);
        }
        let mut is_first = before == Class::Start;
        let mut start = 0;
        for end in memchr_iter(b'\n', text).chain([text.len()]) {
            let line = &text[start..end];
            start = end + 1;
            if !line.is_empty() {
                if self.at_line_start && !is_first {
                    self.buffer.append(b"\n", &mut self.output)?;
                }
                self.buffer.append(line, &mut self.output)?;
                (self.at_line_start, is_first) = (false, false);
            }
            self.at_line_start |= end < text.len();
        }
        if let Some(&last) = chunk.kinds.last() {
            self.before = Some(CLASSES[last as usize]);
        }
        Ok(true)
    }
}
