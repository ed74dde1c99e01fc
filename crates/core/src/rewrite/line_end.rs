//! CR LF in place of LF.

use crate::format::Output;
use crate::format::buffer::CAPACITY;

/// How lines end.
///
/// ```
/// use jsonx_core::LineEnd;
///
/// assert_eq!(LineEnd::default(), LineEnd::Lf);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// With a line feed, as everywhere but on Windows.
    #[default]
    Lf,
    /// With a carriage return and a line feed.
    CrLf,
}

/// An output in front of another one that ends lines otherwise. Formatted text has line feeds between tokens only,
/// since in strings they are escaped.
#[derive(Debug)]
pub(super) struct LineEnds<O> {
    line_end: LineEnd,
    ended: Vec<u8>,
    output: O,
}

impl<O> LineEnds<O> {
    pub(super) fn new(line_end: LineEnd, output: O) -> Self {
        LineEnds {
            line_end,
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

impl<O: Output> Output for LineEnds<O> {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        if self.line_end == LineEnd::Lf {
            return self.output.write(bytes);
        }
        // What is written at once may be as long as the text.
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
