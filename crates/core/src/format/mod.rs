//! Formatting: a walk over verified text that changes white space and nothing else.

mod fit;
mod formatted;
mod lines;
pub(crate) mod page;
mod separated;
#[cfg(test)]
mod tests;
mod tokens;

use core::convert::Infallible;

pub(crate) use self::fit::Fitted;
pub use self::formatted::Formatted;
use self::page::Page;
pub(crate) use self::separated::Separated;
use crate::token::{Chunk, Sink, Wanted};
use crate::window::{Mode, Validator};

/// Where formatted bytes go.
pub trait Output {
    /// Why it takes no more.
    type Error;

    /// Takes the next bytes, all of them.
    ///
    /// # Errors
    ///
    /// When it cannot.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
}

impl Output for Vec<u8> {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// How formatted text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No white space at all.
    Compact,
    /// One element or member a line, `{}` and `[]` closed up, one space after the colon: the look of `jq .`.
    Pretty(Indent),
}

/// One step of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// So many spaces.
    Spaces(u8),
    /// A tab.
    Tab,
}

impl Indent {
    pub(crate) fn bytes(self) -> (u8, usize) {
        match self {
            Indent::Spaces(count) => (b' ', count as usize),
            Indent::Tab => (b'\t', 1),
        }
    }
}

/// A sink that writes the text it is handed in another style, each value at the root on lines of its own. The text
/// of numbers and strings, the order of keys and duplicates stay byte for byte.
///
/// ```
/// use jsonx_core::{Formatter, Indent, Options, Style, Validator};
///
/// let mut formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
/// Validator::new(Options::default()).finish(br#"{"a":[1.50,{}]}"#, &mut formatter).unwrap();
/// let pretty = formatter.finish().unwrap();
/// assert_eq!(pretty, b"{\n  \"a\": [\n    1.50,\n    {}\n  ]\n}\n");
/// ```
#[derive(Debug)]
pub struct Formatter<O> {
    output: O,
    page: Page,
    style: Style,
    /// A line feed and as much indentation as has been needed so far.
    line: Vec<u8>,
    before: Class,
    depth: usize,
}

/// What decides about the white space around a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    Value,
    Open,
    Close,
    Colon,
    Comma,
    /// Before the first token.
    Start,
}

/// The class of a token by its kind.
pub(crate) const CLASSES: [Class; 256] = {
    let mut classes = [Class::Value; 256];
    classes[b'{' as usize] = Class::Open;
    classes[b'[' as usize] = Class::Open;
    classes[b'}' as usize] = Class::Close;
    classes[b']' as usize] = Class::Close;
    classes[b':' as usize] = Class::Colon;
    classes[b',' as usize] = Class::Comma;
    classes
};

impl<O: Output> Formatter<O> {
    /// A formatter that writes to `output`.
    pub fn new(style: Style, output: O) -> Self {
        Formatter {
            output,
            page: Page::default(),
            style,
            line: vec![b'\n'],
            before: Class::Start,
            depth: 0,
        }
    }

    /// A formatter that writes to `output` what follows on the text that `validator` has taken: parts of a text that are
    /// formatted by themselves, each but the last ended with [`Formatter::flush`], are the parts of the formatted text.
    ///
    /// ```
    /// use jsonx_core::{Formatter, Options, Style, Validator, Verdict};
    ///
    /// let text = format!("[ {}1 ]", "[ 0 ], ".repeat(20));
    /// let mut validator = Validator::new(Options::default());
    /// let taken = validator.feed(&text.as_bytes()[..64], &mut Verdict).unwrap();
    /// let mut rest = Formatter::resume(Style::Compact, Vec::new(), &validator);
    /// validator.finish(&text.as_bytes()[taken..], &mut rest).unwrap();
    /// assert!(rest.finish().unwrap().ends_with(b",[0],[0],1]\n"));
    /// ```
    pub fn resume(style: Style, output: O, validator: &Validator) -> Self {
        Formatter {
            before: validator
                .last_kind()
                .map_or(Class::Start, |kind| CLASSES[usize::from(kind)]),
            depth: validator.depth() as usize,
            ..Formatter::new(style, output)
        }
    }

    /// Hands all that has been formatted so far to the output.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn flush(&mut self) -> Result<(), O::Error> {
        self.page.flush(&mut self.output)
    }

    /// Ends the line of a value at the root that is complete, for who waits for the line.
    pub(crate) fn end_line(&mut self) -> Result<(), O::Error> {
        if self.before != Class::Start {
            self.page.append(b"\n", &mut self.output)?;
            self.before = Class::Start;
        }
        Ok(())
    }

    /// Ends the last line and returns the output. To be called when the validator has finished.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn finish(mut self) -> Result<O, O::Error> {
        self.end_line()?;
        self.flush()?;
        Ok(self.output)
    }

    /// The output, to see how much has reached it.
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }
}

impl<O: Output> Sink for Formatter<O> {
    type Error = O::Error;

    fn wanted(&self, mode: Mode) -> Wanted {
        Wanted {
            squeezed: true,
            places: self.style != Style::Compact,
            tokens: mode == Mode::Stream,
            ..Wanted::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        // Where a chunk begins another value at the root, there must be a line between the two.
        if chunk.further_roots > 0 {
            return self.tokens(chunk);
        }
        match self.style {
            Style::Compact => {
                if let Some(&last) = chunk.kinds.last() {
                    self.before = CLASSES[last as usize];
                }
                self.page.append(chunk.squeezed, &mut self.output)
            }
            Style::Pretty(indent) => {
                let (fill, step) = indent.bytes();
                self.lines(chunk, fill, step)
            }
        }
    }
}
