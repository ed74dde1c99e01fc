//! Layouts that depend on a width or have comments: the plain one, in which arrays and objects are on one line if they fit, and that
//! of Prettier 3: an object stays expanded if there is a line break before its first key, other containers are on
//! one line if they fit; arrays of numbers fill lines; blank lines are kept, at most one at a time.
//!
//! ```text
//! tokens ──► gap: blank lines, line breaks, comments ──► queue ──► settle ──► output
//!            mod.rs, gap.rs, comments.rs, plain.rs       queue.rs  settle.rs
//! ```
//!
//! Text whose layout is undecided waits in a queue, as in Oppen's algorithm ("Prettyprinting", ACM TOPLAS 2, 1980): until a container
//! closes, and fits, or is wider than the rest of the line. The widths of inner containers are stored, so no text is scanned twice.
//!
//! ```text
//! width 20    {"a":[1,2,3],"b":[1,{"c":"long enough"}]}
//! queue       {                                           waits for 20 columns
//!             {"a": [1, 2, 3], "b"                        too wide: { is written, its members are lines
//!              "a": [1, 2, 3],                            closed and narrow: written
//!                               "b": [1, {"c": "lo        too wide: [ is written
//! ```
//!
//! Written from the documentation and from experiments with the program, whose results are in `tests/data/prettier.jsonl`.

mod arrays;
mod comments;
mod gap;
mod number;
mod plain;
#[cfg(test)]
mod plain_tests;
mod queue;
mod settle;
mod style;
mod width;

pub use self::arrays::NumberArrays;
use self::comments::Commented;
use self::queue::Queue;
pub use self::style::PrettierStyle;
use super::buffer::OutputBuffer;
use super::escape::{Escapes, Escaping};
use super::{CLASSES, Class, Indent, Output, TrailingCommas};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A scalar of this length is wider than any line, and is not buffered.
const LONG: usize = 64 << 10;

/// Writes text in the layout of Prettier or, with `is_plain`, without its rules: columns are code points, tokens stay as they are,
/// and white space of the source does not matter, apart from the blank lines of a text with comments.
#[derive(Debug)]
pub(crate) struct Prettier<O> {
    output: O,
    buffer: OutputBuffer,
    style: PrettierStyle,
    is_plain: bool,
    /// In the plain layout, commas before closing brackets are kept.
    keeps_commas: bool,
    width: u64,
    indent: Indent,
    /// Columns of a level.
    step_columns: usize,
    escaping: Option<Escaping<Vec<u8>>>,
    /// The text has comments in the layout of Prettier, or characters are escaped.
    is_changed: bool,
    queue: Queue,
    /// The class of the last token.
    before: Class,
    /// The text since the last token in earlier chunks; in the plain layout, also a comma and the comments before it.
    gap: Vec<u8>,
    /// Line ends before the last comma, at most 2.
    lines_before_comma: u8,
    /// The state of a text with comments.
    comments: Commented,
    /// The number of open containers that were written with a line feed, and of comments that indent.
    depth: usize,
    /// The elements of the innermost written array fill lines.
    fills: bool,
    /// Whether the text up to the first forced line break in the current element of such an array fits.
    fits: Option<bool>,
    /// A line feed and the longest indentation so far.
    line: Vec<u8>,
    /// The column at which the current line began, and the total of the queue there.
    line_column: u64,
    line_total: u64,
}

impl<O: Output> Prettier<O> {
    /// The layout of Prettier, or the plain one; that keeps comments if it is given a treatment of trailing commas, and has one
    /// member or element per line without a width.
    pub(crate) fn new(
        style: Option<PrettierStyle>,
        commas: Option<TrailingCommas>,
        indent: Indent,
        width: Option<u16>,
        escapes: Escapes,
        output: O,
    ) -> Self {
        let is_plain = style.is_none();
        let plain = PrettierStyle {
            tab_width: 1,
            bracket_spacing: false,
            collapse: true,
            expand: width.is_none(),
            comments: commas.is_some(),
            trailing_commas: commas == Some(TrailingCommas::All),
        };
        let style = style.unwrap_or(plain);
        Prettier {
            output,
            buffer: OutputBuffer::default(),
            style,
            is_plain,
            keeps_commas: commas.is_some_and(|commas| commas != TrailingCommas::None),
            width: u64::from(width.unwrap_or(80)),
            indent,
            step_columns: match indent {
                Indent::Tab => usize::from(style.tab_width),
                Indent::Spaces(spaces) => usize::from(spaces),
            },
            escaping: (escapes != Escapes::default()).then(|| Escaping::new(escapes, Vec::new())),
            is_changed: style.comments && !is_plain || escapes != Escapes::default(),
            queue: Queue::new(is_plain, style),
            before: Class::Start,
            gap: Vec::new(),
            lines_before_comma: 0,
            comments: Commented::default(),
            depth: 0,
            fills: false,
            fits: None,
            line: vec![b'\n'],
            line_column: 0,
            line_total: 0,
        }
    }

    /// Sets which arrays contain only numbers.
    pub(crate) fn set_number_arrays(&mut self, arrays: Option<NumberArrays>) {
        // Comments may end the lines of such an array too.
        if !self.style.comments {
            self.queue.number_arrays = arrays;
        }
    }

    /// Whether the layout of some comment is not known.
    pub(crate) fn is_unclear(&self) -> bool {
        self.comments.is_unclear
    }

    pub(crate) fn output(&mut self) -> &mut O {
        &mut self.output
    }

    pub(crate) fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    /// Whether comments are kept without the rules of Prettier.
    pub(crate) fn is_plain_commented(&self) -> bool {
        self.is_plain && self.style.comments
    }

    /// Ends the line of a complete value at the root.
    pub(crate) fn end_line(&mut self) -> Result<(), O::Error> {
        self.end_commented();
        self.queue.end_scalar();
        if self.before != Class::Start || self.is_plain_commented() {
            self.settle(true)?;
            self.put(b"\n")?;
            self.line_column = 0;
            self.line_total = self.queue.total;
            self.before = Class::Start;
            self.gap.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<O, O::Error> {
        self.end_line()?;
        self.flush()?;
        Ok(self.output)
    }

    /// Handles a token and the white space before it. It `is_complete` unless it is the last of a chunk.
    #[inline(always)]
    fn token(&mut self, gap: &[u8], kind: u8, raw: &[u8], is_complete: bool, ascii: bool) {
        self.queue.end_scalar();
        let class = CLASSES[usize::from(kind)];
        let before = std::mem::replace(&mut self.before, class);
        match class {
            Class::Comma => {
                self.lines_before_comma = if gap.is_empty() || !self.keeps_lines() {
                    0
                } else {
                    lines(gap)
                };
                return;
            }
            // Comments may follow.
            Class::Colon if self.is_plain_commented() => return self.queue.plain(b":"),
            Class::Colon => return self.queue.plain(b": "),
            _ => {}
        }
        match (before, class) {
            (Class::Comma, Class::Value | Class::Open) => {
                let blank = self.keeps_lines() && self.is_blank(self.lines_before_comma, gap);
                self.queue.plain(b",");
                self.separate(blank);
            }
            (Class::Open, Class::Close) => {}
            (Class::Open, _) => {
                self.first(!self.style.collapse && !gap.is_empty() && lines(gap) > 0);
            }
            (Class::Comma | Class::Value | Class::Close, Class::Close) => self.last(),
            (Class::Value | Class::Close, _) => {
                let blank = self.is_plain_commented() && lines(gap) > 1;
                self.queue.hard(blank);
            }
            (Class::Colon, _) if self.is_plain_commented() => self.queue.plain(b" "),
            _ => {}
        }
        if !self.is_plain && before != Class::Colon && class != Class::Close {
            self.queue.element(kind);
        }
        match class {
            Class::Close => {
                self.queue.close();
                self.queue.plain(&[kind]);
            }
            Class::Open => {
                self.queue.plain(&[kind]);
                self.queue.open(kind == b'{');
            }
            _ if is_complete => {
                let is_last = before == Class::Colon && self.queue.is_expanded();
                self.queue.scalar(raw, !ascii && !is_last);
            }
            _ => self.queue.begin_scalar(raw),
        }
    }

    /// The first element or member follows, after a line break if `breaks`.
    fn first(&mut self, breaks: bool) {
        let is_object = self.queue.in_object() == Some(true);
        let flat = u8::from(is_object && self.style.bracket_spacing);
        let breaks = breaks && is_object && !self.style.collapse;
        self.queue.first(flat, false, breaks || self.style.expand);
    }

    /// The last element or member precedes.
    fn last(&mut self) {
        if self.style.trailing_commas {
            self.queue.trailing_comma();
        }
    }

    /// A comma was appended, and another element or member follows.
    fn separate(&mut self, blank: bool) {
        if blank && !self.is_plain {
            self.queue.note_blank();
        }
        self.queue.line(blank, 1);
    }

    /// Whether blank lines are kept.
    fn keeps_lines(&self) -> bool {
        !self.is_plain || self.style.comments
    }

    /// Whether a line break before the comma counts.
    fn counts_before_comma(&self) -> bool {
        self.queue.in_object() == Some(true)
    }

    /// Whether a blank line follows an element or member: in an object right after the value, or else after the comma; in the plain
    /// layout at either.
    fn is_blank(&self, lines_before: u8, after: &[u8]) -> bool {
        if lines_before > 0 && self.counts_before_comma() && !self.is_plain {
            lines_before > 1
        } else {
            self.is_plain && lines_before > 1 || after.len() > 1 && lines(after) > 1
        }
    }

    /// Handles the continuation of a token.
    fn rest(&mut self, raw: &[u8]) -> Result<(), O::Error> {
        if raw.is_empty() {
            return Ok(());
        }
        let escaped = self.escape(raw);
        let raw = escaped.as_deref().unwrap_or(raw);
        if !self.comments.rest(raw) {
            self.queue.unwritten.extend_from_slice(raw);
        }
        Ok(())
    }

    /// The bytes of a token after escaping; `None` if unchanged.
    fn escape(&mut self, raw: &[u8]) -> Option<Vec<u8>> {
        let escaping = self.escaping.as_mut()?;
        let Ok(()) = escaping.write(raw);
        Some(std::mem::take(escaping.output()))
    }
}

impl<O: Output> Sink for Prettier<O> {
    type Error = O::Error;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            source: self.style.comments,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let source = chunk.source_or_bytes();
        let rest = chunk.before_first();
        self.rest(rest)?;
        let mut end = rest.len();
        let ascii = chunk.bytes.is_ascii();
        let last = chunk.offsets.len().wrapping_sub(1);
        let may_comment = self.is_plain_commented();
        for (index, (&kind, &start)) in chunk.kinds.iter().zip(chunk.offsets).enumerate() {
            let start = start as usize;
            let raw = match (CLASSES[usize::from(kind)], chunk.offsets.get(index + 1)) {
                // Without white space after it, as before most commas and colons.
                (Class::Value, Some(&next)) if chunk.bytes[next as usize - 1] > b' ' => {
                    &chunk.bytes[start..next as usize]
                }
                (Class::Value, _) => chunk.raw(index),
                _ => &chunk.bytes[start..=start],
            };
            let gap = &source[end..start];
            end = start + raw.len();
            if self.gap.is_empty() && !self.is_changed && !(may_comment && has_marks(gap)) {
                self.token(gap, kind, raw, index < last, ascii);
            } else {
                self.changed(gap, kind, raw);
            }
        }
        if self.keeps_lines() {
            self.gap.extend_from_slice(&source[end..]);
        }
        self.settle(false)?;
        self.pass_long()
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

impl<O: Output> Prettier<O> {
    /// As [`token`](Prettier::token), with white space of an earlier chunk, comments or escapes.
    #[cold]
    fn changed(&mut self, between: &[u8], kind: u8, raw: &[u8]) {
        let escaped = self.escape(raw);
        let raw = escaped.as_deref().unwrap_or(raw);
        let mut gap = std::mem::take(&mut self.gap);
        gap.extend_from_slice(between);
        if self.is_plain_commented() && has_marks(&gap) {
            return self.plain_commented(gap, kind, raw);
        }
        if self.style.comments && !self.is_plain {
            self.commented(&gap, CLASSES[usize::from(kind)], raw)
        } else {
            self.token(&gap, kind, raw, false, false)
        }
        gap.clear();
        self.gap = gap;
    }

    /// Writes the beginning of a scalar that is too long for any line.
    fn pass_long(&mut self) -> Result<(), O::Error> {
        let Some(start) = self.queue.scalar else {
            return Ok(());
        };
        let long = &self.queue.unwritten[start..];
        if long.len() <= LONG || self.queue.is_number() && !self.is_plain {
            return Ok(());
        }
        self.queue.total += width::columns(long, self.is_plain);
        self.queue.scalar = Some(self.queue.unwritten.len());
        self.settle(false)
    }
}

/// Whether the text between two tokens has comments or a comma.
fn has_marks(gap: &[u8]) -> bool {
    memchr::memchr2(b'/', b',', gap).is_some()
}

/// The number of line ends in white space, at most 2.
#[inline]
fn lines(gap: &[u8]) -> u8 {
    let mut rest = match gap {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => rest,
        [] => return 0,
        gap => match memchr::memchr2(b'\n', b'\r', gap) {
            Some(at) => &gap[at + 1..],
            None => return 0,
        },
    };
    if gap.len() > rest.len() + 1 && gap[gap.len() - rest.len() - 1] == b'\r' {
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    // Usually this is the indentation of the line.
    while let Some((word, others)) = rest.split_first_chunk::<8>() {
        if *word != [b' '; 8] {
            break;
        }
        rest = others;
    }
    if rest.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        2
    } else {
        1
    }
}
