//! Formatting: a walk over verified text that changes white space and nothing else.

pub(crate) mod buffer;
mod check;
mod fit;
mod pretty;
mod separated;
#[cfg(test)]
mod tests;
mod tokens;

use core::convert::Infallible;

use self::buffer::OutputBuffer;
pub use self::check::FormatCheck;
pub(crate) use self::fit::Fitted;
pub(crate) use self::separated::Separated;
use crate::token::{Chunk, Interest, Mode, Sink};
use crate::window::Validator;

/// Where formatted bytes go.
///
/// ```
/// use std::io;
///
/// use jsonx_core::{Formatter, Options, Output, Style, Validator};
///
/// /// Anything of the standard library that can be written to.
/// struct Written<W>(W);
///
/// impl<W: io::Write> Output for Written<W> {
///     type Error = io::Error;
///
///     fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
///         self.0.write_all(bytes)
///     }
/// }
///
/// let compact = |room: &mut [u8]| {
///     let mut formatter = Formatter::new(Style::Compact, Written(room));
///     Validator::new(Options::default()).finish(b"[1, 2]", &mut formatter).unwrap();
///     formatter.finish().map(|rest| rest.0.len())
/// };
/// assert_eq!(compact(&mut [0; 8]).unwrap(), 2);
/// assert_eq!(compact(&mut [0; 5]).unwrap_err().kind(), io::ErrorKind::WriteZero);
/// ```
pub trait Output {
    /// Why it takes no more.
    type Error;

    /// Takes the next bytes, all of them. They come in pieces of any length, and may end in the middle of a character.
    ///
    /// # Errors
    ///
    /// When it cannot.
    ///
    /// ```
    /// use jsonx_core::{Formatter, Indent, Options, Output, Style, Validator};
    ///
    /// /// How long the formatted text is, without the text.
    /// struct Length(usize);
    ///
    /// impl Output for Length {
    ///     type Error = std::convert::Infallible;
    ///
    ///     fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
    ///         self.0 += bytes.len();
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut formatter = Formatter::new(Style::Pretty(Indent::Tab), Length(0));
    /// Validator::new(Options::default()).finish(b"[1,2]", &mut formatter).unwrap();
    /// assert_eq!(formatter.finish().unwrap().0, "[\n\t1,\n\t2\n]\n".len());
    /// ```
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
///
/// ```
/// use jsonx_core::{Formatter, Indent, Options, Style, Validator};
///
/// let format = |style| {
///     let mut formatter = Formatter::new(style, Vec::new());
///     Validator::new(Options::default()).finish(br#"{ "a b": [ ], "c": [1.50, {}] }"#, &mut formatter).unwrap();
///     String::from_utf8(formatter.finish().unwrap()).unwrap()
/// };
/// assert_eq!(format(Style::Compact), "{\"a b\":[],\"c\":[1.50,{}]}\n");
/// assert_eq!(
///     format(Style::Pretty(Indent::Spaces(2))),
///     "{\n  \"a b\": [],\n  \"c\": [\n    1.50,\n    {}\n  ]\n}\n",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No white space at all, but for a line feed behind each value at the root.
    Compact,
    /// One element or member a line, `{}` and `[]` closed up, one space after the colon: the look of `jq .`.
    Pretty(Indent),
}

/// One step of indentation.
///
/// ```
/// use jsonx_core::{Formatter, Indent, Options, Style, Validator};
///
/// let format = |indent| {
///     let mut formatter = Formatter::new(Style::Pretty(indent), Vec::new());
///     Validator::new(Options::default()).finish(b"[[1]]", &mut formatter).unwrap();
///     String::from_utf8(formatter.finish().unwrap()).unwrap()
/// };
/// assert_eq!(format(Indent::Tab), "[\n\t[\n\t\t1\n\t]\n]\n");
/// assert_eq!(format(Indent::Spaces(1)), "[\n [\n  1\n ]\n]\n");
/// // Lines, and nothing in front of them.
/// assert_eq!(format(Indent::Spaces(0)), "[\n[\n1\n]\n]\n");
/// ```
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
    buffer: OutputBuffer,
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
    ///
    /// ```
    /// use jsonx_core::{Formatter, Mode, Options, Style, Validator};
    ///
    /// let compact = |stream: &[u8]| {
    ///     // What is there already stays.
    ///     let mut formatter = Formatter::new(Style::Compact, b"# ".to_vec());
    ///     Validator::new(Options::default().mode(Mode::Stream)).finish(stream, &mut formatter).unwrap();
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

    /// Hands all that has been formatted so far to the output, which otherwise gets it in pieces of 128 KiB or so. The
    /// line feed behind the last value at the root is not among it: that comes with the next value or the end.
    ///
    /// # Errors
    ///
    /// Those of the output.
    ///
    /// ```
    /// use jsonx_core::{Formatter, Mode, Options, Style, Validator};
    ///
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// let mut formatter = Formatter::new(Style::Compact, Vec::new());
    /// validator.feed_lines(b"{\"a\": [1]}\n", &mut formatter).unwrap();
    /// assert_eq!(formatter.output(), b"");
    /// formatter.flush().unwrap();
    /// assert_eq!(formatter.output(), b"{\"a\":[1]}");
    /// validator.finish(b"2", &mut formatter).unwrap();
    /// assert_eq!(formatter.finish().unwrap(), b"{\"a\":[1]}\n2\n");
    /// ```
    pub fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    /// Ends the line of a value at the root that is complete, for who waits for the line.
    pub(crate) fn end_line(&mut self) -> Result<(), O::Error> {
        if self.before != Class::Start {
            self.buffer.append(b"\n", &mut self.output)?;
            self.before = Class::Start;
        }
        Ok(())
    }

    /// Writes what is left, ends the last line and returns the output. To be called when the validator has finished; of a
    /// text that turned out to be wrong, it leaves what came before the chunk with the error.
    ///
    /// # Errors
    ///
    /// Those of the output.
    ///
    /// ```
    /// use jsonx_core::{Formatter, Options, Style, Validator};
    ///
    /// let compact = |text: &[u8]| {
    ///     let mut formatter = Formatter::new(Style::Compact, Vec::new());
    ///     let checked = Validator::new(Options::default()).finish(text, &mut formatter);
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

    /// The output, to see how much has reached it, or to take that away.
    ///
    /// ```
    /// use jsonx_core::{Formatter, Options, Style, Validator};
    ///
    /// let text = format!("[{}0]", "1, ".repeat(1_000_000));
    /// let mut validator = Validator::new(Options::default());
    /// let mut formatter = Formatter::new(Style::Compact, Vec::new());
    /// let (mut taken, mut length, mut most) = (0, 0, 0);
    /// for window in text.as_bytes().chunks_exact(1 << 16) {
    ///     taken += validator.feed(window, &mut formatter).unwrap();
    ///     // Here the bytes would go where they are to go; what is held at once does not grow with the text.
    ///     let bytes = std::mem::take(formatter.output());
    ///     length += bytes.len();
    ///     most = most.max(bytes.len());
    /// }
    /// validator.finish(&text.as_bytes()[taken..], &mut formatter).unwrap();
    /// length += formatter.finish().unwrap().len();
    /// assert_eq!(length, "[0]\n".len() + 2_000_000);
    /// assert!((1..=1 << 18).contains(&most));
    /// ```
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }
}

impl<O: Output> Sink for Formatter<O> {
    type Error = O::Error;

    fn interest(&self, mode: Mode) -> Interest {
        Interest {
            minified: true,
            structurals: self.style != Style::Compact,
            offsets: mode == Mode::Stream,
            ..Interest::default()
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
                self.buffer.append(chunk.minified, &mut self.output)
            }
            Style::Pretty(indent) => {
                let (fill, step) = indent.bytes();
                self.lines(chunk, fill, step)
            }
        }
    }
}
