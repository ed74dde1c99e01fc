//! An output layer that replaces LF with CR LF, and can omit the last one.

use crate::format::Output;
use crate::format::buffer::CAPACITY;

/// The line ends of formatted text.
///
/// ```
/// use jsonx_core::format::LineEnd;
///
/// assert_eq!(LineEnd::default(), LineEnd::Lf);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// A line feed, as everywhere except on Windows.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

/// An output that replaces line ends and writes to another output. Formatted text has line feeds between tokens only: in
/// strings they are escaped.
#[derive(Debug)]
pub(super) struct LineEnds<O> {
    line_end: LineEnd,
    final_newline: bool,
    /// A line feed waits for more text.
    line_feed_waits: bool,
    ended: Vec<u8>,
    output: O,
}

impl<O> LineEnds<O> {
    pub(super) fn new(line_end: LineEnd, final_newline: bool, output: O) -> Self {
        LineEnds {
            line_end,
            final_newline,
            line_feed_waits: false,
            ended: Vec::new(),
            output,
        }
    }

    pub(super) fn output(&mut self) -> &mut O {
        &mut self.output
    }

    pub(super) fn into_output(self) -> O {
        self.output
    }
}

impl<O: Output> LineEnds<O> {
    /// Writes the waiting line feed.
    pub(super) fn release(&mut self) -> Result<(), O::Error> {
        if std::mem::take(&mut self.line_feed_waits) {
            self.convert(b"\n")
        } else {
            Ok(())
        }
    }

    fn convert(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        if self.line_end == LineEnd::Lf {
            return self.output.write(bytes);
        }
        // A write may be as long as the text.
        for piece in bytes.chunks(CAPACITY) {
            self.ended.clear();
            let mut from = 0;
            for at in memchr::memchr_iter(b'\n', piece) {
                self.ended.extend_from_slice(&piece[from..at]);
                self.ended.extend_from_slice(b"\r\n");
                from = at + 1;
            }
            self.ended.extend_from_slice(&piece[from..]);
            self.output.write(&self.ended)?;
        }
        Ok(())
    }
}

impl<O: Output> Output for LineEnds<O> {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        if self.final_newline || bytes.is_empty() {
            return self.convert(bytes);
        }
        self.release()?;
        let text = bytes.strip_suffix(b"\n");
        self.line_feed_waits = text.is_some();
        self.convert(text.unwrap_or(bytes))
    }
}
