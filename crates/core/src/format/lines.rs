//! Compact JSON Lines: minified text that keeps its line feeds is the formatted text, if each line has one value.

use memchr::memchr_iter;

use super::{CLASSES, Class, Formatter, Output};
use crate::token::Chunk;

/// The lines of a chunk of minified text.
struct Lines {
    /// Each line has one value, as far as this chunk tells.
    have_one_value: bool,
    has_blank: bool,
}

impl<O: Output> Formatter<O> {
    /// Writes a chunk of lines with one value each, and returns true. Otherwise it returns false, and the chunks after this one are
    /// not read as lines.
    pub(super) fn lines(&mut self, chunk: &Chunk<'_>, before: Class) -> Result<bool, O::Error> {
        let text = chunk.minified;
        let lines = self.examine(chunk, before);
        self.one_per_line &= lines.have_one_value;
        if !self.one_per_line {
            return Ok(false);
        }
        let lead = text.iter().take_while(|&&byte| byte == b'\n').count();
        let trail = text[lead..].iter().rev();
        let trail = trail.take_while(|&&byte| byte == b'\n').count();
        let values = &text[lead..text.len() - trail];
        let begins_line = self.at_line_start || lead > 0;
        if values.is_empty() {
            self.at_line_start = begins_line;
            return Ok(true);
        }
        if begins_line && before != Class::Start {
            self.buffer.append(b"\n", &mut self.output)?;
        }
        if lines.has_blank {
            let filled = values.split(|&byte| byte == b'\n');
            let filled = filled.filter(|line| !line.is_empty());
            for (number, line) in filled.enumerate() {
                if number > 0 {
                    self.buffer.append(b"\n", &mut self.output)?;
                }
                self.buffer.append(line, &mut self.output)?;
            }
        } else {
            self.buffer.append(values, &mut self.output)?;
        }
        self.at_line_start = trail > 0;
        if let Some(&last) = chunk.kinds.last() {
            self.before = Some(CLASSES[last as usize]);
        }
        Ok(true)
    }

    /// As for [`OnePerLine`](crate::engine::OnePerLine): a line feed without punctuation on either side is at the root, and lines
    /// that end there have one value each if there are as many of both.
    fn examine(&self, chunk: &Chunk<'_>, before: Class) -> Lines {
        let text = chunk.minified;
        let class = |byte: &u8| CLASSES[usize::from(*byte)];
        let mut is_at_start = self.at_line_start || before == Class::Start;
        let (mut begun, mut start) = (0, 0);
        let mut lines = Lines {
            have_one_value: true,
            has_blank: false,
        };
        for end in memchr_iter(b'\n', text).chain([text.len()]) {
            let is_whole = end < text.len();
            match &text[start..end] {
                [] if is_at_start => lines.has_blank |= is_whole,
                [] => lines.have_one_value &= !is_whole || ends_value(before),
                line => {
                    if is_at_start {
                        begun += 1;
                        lines.have_one_value &=
                            line.first().is_some_and(|first| begins_value(class(first)));
                    }
                    lines.have_one_value &=
                        !is_whole || line.last().is_some_and(|last| ends_value(class(last)));
                }
            }
            is_at_start = true;
            start = end + 1;
        }
        let is_first = chunk.before.last_kind == 0 && !chunk.kinds.is_empty();
        lines.have_one_value &= begun == chunk.further_roots + u64::from(is_first);
        lines
    }
}

fn begins_value(class: Class) -> bool {
    matches!(class, Class::Value | Class::Open)
}

fn ends_value(class: Class) -> bool {
    matches!(class, Class::Value | Class::Close)
}
