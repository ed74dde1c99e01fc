//! Formatting: changes only the white space of verified text.

pub(crate) mod buffer;
#[cfg(feature = "format")]
mod comment_gap;
#[cfg(feature = "format")]
pub(crate) mod escape;
mod lines;
mod output;
#[cfg(feature = "format")]
mod prettier;
mod pretty;
#[cfg(feature = "format")]
mod rewrite;
#[cfg(feature = "format")]
mod separated;
mod style;
#[cfg(test)]
mod tests;
mod tokens;

use self::buffer::OutputBuffer;
pub use self::output::{Output, WriteTo};
#[cfg(feature = "format")]
#[doc(hidden)]
pub use self::prettier::NumberArrays;
#[cfg(feature = "format")]
pub(crate) use self::prettier::Prettier;
#[cfg(feature = "format")]
pub use self::prettier::PrettierStyle;
#[cfg(feature = "format")]
#[doc(hidden)]
pub use self::rewrite::sort_commented;
#[cfg(feature = "format")]
pub use self::rewrite::{
    LineEnd, NotCanonical, NotCanonicalKind, RewriteError, RewriteOptions, Rewriter, TrailingCommas,
};
#[cfg(feature = "format")]
pub(crate) use self::separated::Separated;
pub(crate) use self::style::{CLASSES, Class};
pub use self::style::{Indent, Style};
use crate::lines::LineValues;
use crate::token::{Chunk, Interest, Mode, Sink};

/// A [`Sink`] that writes verified text in a given [`Style`], each top-level value on its own lines. Numbers, strings, key
/// order and duplicate keys are kept byte for byte.
///
/// It buffers up to 128 KiB of output, and one line of indentation as long as the deepest one. A chunk costs one pass
/// over its minified text, and no allocation once the buffers have grown.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{Formatter, Indent, Style};
///
/// let mut formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
/// Validator::new(Options::default()).check(br#"{"a":[1.50,{}]}"#, &mut formatter).unwrap();
/// let pretty = formatter.finish().unwrap();
/// assert_eq!(pretty, b"{\n  \"a\": [\n    1.50,\n    {}\n  ]\n}\n");
/// ```
///
/// A formatter may start in the middle of a text: at a clone of a [`Validator`](crate::engine::Validator), which is a checkpoint.
/// Segments of a text that are formatted separately, each but the last ended with [`flush`](Formatter::flush), are
/// segments of the formatted text.
///
/// ```
/// use jsonx_core::engine::{Options, Validator, Verdict};
/// use jsonx_core::format::{Formatter, Style};
///
/// let text = format!("[ {}1 ]", "[ 0 ], ".repeat(20));
/// let mut validator = Validator::new(Options::default());
/// let (before, after) = text.as_bytes().split_at(64);
/// validator.write(before, &mut Verdict).unwrap();
/// let rest = Formatter::new(Style::Compact, Vec::new());
/// assert!(validator.check(after, rest).unwrap().ends_with(b",[0],[0],1]\n"));
/// ```
#[derive(Debug)]
pub struct Formatter<O> {
    output: O,
    buffer: OutputBuffer,
    style: Style,
    /// A line feed and the longest indentation so far.
    line: Vec<u8>,
    /// The class of the last token. `None` before the first chunk.
    before: Option<Class>,
    depth: usize,
    /// Set for compact text of a stream, as long as each line has one value.
    lines: Option<LineValues>,
    /// In such a stream: the last byte was a line feed, which has not been written yet.
    at_line_start: bool,
}

impl<O: Output> Formatter<O> {
    /// A formatter that writes to `output`: a `Vec<u8>`, or [`WriteTo`] a writer.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let compact = |stream: &[u8]| {
    ///     // Output is appended to a vector.
    ///     let mut formatter = Formatter::new(Style::Compact, b"# ".to_vec());
    ///     Validator::new(Options::default().mode(Mode::Stream)).check(stream, &mut formatter).unwrap();
    ///     formatter.finish().unwrap()
    /// };
    /// assert_eq!(compact(b"[1, 2]{ } 3"), b"# [1,2]\n{}\n3\n");
    /// assert_eq!(compact(b"\n"), b"# ");
    /// ```
    pub fn new(style: Style, output: O) -> Self {
        Formatter {
            output,
            buffer: OutputBuffer::default(),
            style,
            line: vec![b'\n'],
            before: None,
            depth: 0,
            lines: (style == Style::Compact).then(LineValues::default),
            at_line_start: false,
        }
    }

    /// Writes the buffered text to the output. The line feed after the last value at the root is not part of it: it is
    /// written with the next value or at the end.
    ///
    /// # Errors
    ///
    /// The error of the output, after which the formatter must not be used.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// let mut formatter = Formatter::new(Style::Compact, Vec::new());
    /// validator.write(b"{\"a\": [1]}\n", &mut formatter).unwrap();
    /// validator.flush(&mut formatter).unwrap();
    /// assert_eq!(formatter.output(), b"");
    /// formatter.flush().unwrap();
    /// assert_eq!(formatter.output(), b"{\"a\":[1]}");
    /// assert_eq!(validator.check(b"2", formatter).unwrap(), b"{\"a\":[1]}\n2\n");
    /// ```
    pub fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    /// Ends the line of a complete value at the root, for a reader that waits for the line.
    pub(crate) fn end_line(&mut self) -> Result<(), O::Error> {
        if self.before.is_some_and(|before| before != Class::Start) {
            self.buffer.append(b"\n", &mut self.output)?;
            self.before = Some(Class::Start);
        }
        Ok(())
    }

    /// Writes the rest, ends the last line and returns the output. Call it after
    /// [`Validator::finish`](crate::engine::Validator::finish). If the text turned out to be invalid, the output ends before the
    /// chunk with the error.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let compact = |text: &[u8]| {
    ///     let mut formatter = Formatter::new(Style::Compact, Vec::new());
    ///     let checked = Validator::new(Options::default()).check(text, &mut formatter);
    ///     (checked.is_ok(), formatter.finish().unwrap())
    /// };
    /// assert_eq!(compact(b" 1e5 "), (true, b"1e5\n".to_vec()));
    /// assert_eq!(compact(b"[1, 2"), (false, b"[1,2\n".to_vec()));
    /// assert_eq!(compact(b"[1, 2}"), (false, b"".to_vec()));
    /// ```
    pub fn finish(mut self) -> Result<O, O::Error> {
        self.end_line()?;
        self.flush()?;
        Ok(self.output)
    }

    /// The output, with the text flushed so far.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let text = format!("[{}0]", "1, ".repeat(1_000_000));
    /// let mut validator = Validator::new(Options::default());
    /// let mut formatter = Formatter::new(Style::Compact, Vec::new());
    /// let (mut length, mut most) = (0, 0);
    /// for window in text.as_bytes().chunks(1 << 16) {
    ///     validator.write(window, &mut formatter).unwrap();
    ///     // Draining the output keeps memory constant.
    ///     let bytes = std::mem::take(formatter.output());
    ///     length += bytes.len();
    ///     most = most.max(bytes.len());
    /// }
    /// length += validator.finish(formatter).unwrap().len();
    /// assert_eq!(length, "[0]\n".len() + 2_000_000);
    /// assert!((1..=1 << 18).contains(&most));
    /// ```
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }

    /// The output, without unflushed text.
    pub(crate) fn into_output(self) -> O {
        self.output
    }

    /// Whether the chunk was made for a sink with another interest.
    fn lacks_streams(&self, chunk: &Chunk<'_>) -> bool {
        let streams = chunk.interest;
        !streams.minified || self.style != Style::Compact && !streams.structurals
    }

    /// The class of the last token. The first chunk has the position in the text at which the formatter starts.
    fn before(&mut self, chunk: &Chunk<'_>) -> Class {
        match self.before {
            Some(before) => before,
            None => {
                self.depth = chunk.before.depth as usize;
                let before = Class::before(chunk);
                if before != Class::Start {
                    // The formatter starts inside a line.
                    self.lines = None;
                }
                *self.before.insert(before)
            }
        }
    }
}

impl<O: Output> Sink for Formatter<O> {
    type Error = O::Error;
    type Output = O;

    fn interest(&self, mode: Mode) -> Interest {
        if mode == Mode::Stream && self.lines.is_some() {
            return Interest {
                lines: true,
                ..Interest::default()
            };
        }
        Interest {
            minified: true,
            structurals: self.style != Style::Compact,
            offsets: mode == Mode::Stream,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let before = self.before(chunk);
        if chunk.interest.lines && self.lines(chunk, before)? {
            return Ok(());
        }
        // Two values at the root need a line feed between them.
        if chunk.further_roots > 0 || self.lacks_streams(chunk) {
            return self.tokens(chunk, before);
        }
        match self.style {
            Style::Compact => {
                if let Some(&last) = chunk.kinds.last() {
                    self.before = Some(CLASSES[last as usize]);
                }
                self.buffer.append(chunk.minified, &mut self.output)
            }
            Style::Pretty(indent) => {
                let (fill, step) = indent.bytes();
                self.pretty(chunk, before, fill, step)
            }
        }
    }

    fn finish(self) -> Result<O, Self::Error> {
        Formatter::finish(self)
    }
}
