//! Pretty text with its comments.
//!
//! The text between two tokens, the gap, is collected until the second one comes, and is then laid out: comments that
//! follow a token on its line stay there, comments on lines of their own stay on lines of their own, and several blank
//! lines become one. Commas are written right after the value, before its comments.
//!
//! ```text
//! source   [1 /* one */ , // first⏎⏎⏎ // then⏎ 2,]
//! gaps       ^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^  ^
//! written  [⏎  1, /* one */ // first⏎⏎  // then⏎  2,⏎]
//! ```

use super::buffer::OutputBuffer;
use super::{CLASSES, Class, CommentStyle, Output, TrailingCommas};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A [`Sink`] that writes a text with its comments, one value per line.
///
/// Every comment keeps its text, its order and its side: after a value, it stays on the line of the value; on a line of
/// its own, it stays there, indented. Of a block comment of several lines the first is indented, the others keep their
/// bytes. Several blank lines between two members become one. Formatted text is a fixed point.
///
/// Memory is that of the comments between two tokens, and 128 KiB of output. It is about five times slower than
/// [`Formatter`](crate::Formatter).
///
/// ```
/// use jsonx_core::jsonc::Dialect;
/// use jsonx_core::{CommentFormatter, CommentStyle, Options, Validator};
///
/// let text = b"{ // settings\n\"a\": [1, 2], /* two */\n\n\n\n// last\n\"b\": true,}";
/// let formatter = CommentFormatter::new(CommentStyle::default(), Vec::new());
/// let options = Options::default().dialect(Dialect::Jsonc);
/// let formatted = Validator::new(options).check(text, formatter).unwrap();
/// let expected = "\
/// { // settings
///   \"a\": [
///     1,
///     2
///   ], /* two */
///
///   // last
///   \"b\": true,
/// }
/// ";
/// assert_eq!(String::from_utf8(formatted).unwrap(), expected);
/// ```
#[derive(Debug)]
pub struct CommentFormatter<O> {
    style: CommentStyle,
    output: O,
    buffer: OutputBuffer,
    /// A chunk was received, which tells where in the text it starts.
    has_begun: bool,
    depth: usize,
    /// The class of the last token, commas left out.
    before: Class,
    /// The text since the last token.
    source: Vec<u8>,
    gap: Gap,
}

/// The comments between two tokens, on both sides of the comma if there is one.
#[derive(Debug, Default)]
struct Gap {
    comments: Vec<Comment>,
    /// Line ends after the last comment.
    lines: usize,
    /// There is a comma after this many of the comments.
    comma: Option<usize>,
}

#[derive(Debug)]
struct Comment {
    /// Line ends before it.
    lines: usize,
    text: Vec<u8>,
}

impl Gap {
    /// Adds the text between two tokens, of which one may be a comma.
    fn read(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\r' if text.get(at + 1) == Some(&b'\n') => {
                    self.lines += 1;
                    at += 1;
                }
                b'\n' | b'\r' => self.lines += 1,
                b',' => self.comma = Some(self.comments.len()),
                b'/' => {
                    let rest = &text[at..];
                    let length = match rest.get(1) {
                        Some(b'*') => memchr::memmem::find(&rest[2..], b"*/").map(|end| end + 4),
                        _ => memchr::memchr2(b'\n', b'\r', rest),
                    };
                    let length = length.unwrap_or(rest.len());
                    self.comments.push(Comment {
                        lines: std::mem::take(&mut self.lines),
                        text: rest[..length].to_vec(),
                    });
                    at += length - 1;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// How many of the comments follow the token before the gap on its line, if it does not end in front of it.
    fn following(&self, next: Class) -> usize {
        match self.comments.iter().position(|comment| comment.lines > 0) {
            Some(first) => first,
            None if self.lines > 0 || next == Class::Start => self.comments.len(),
            // All on one line with the token after them: those after the comma belong to it.
            None => match (self.comma, next) {
                (_, Class::Close) => self.comments.len(),
                (Some(before), _) => before,
                (None, _) => 0,
            },
        }
    }
}

impl Comment {
    fn is_line(&self) -> bool {
        self.text.starts_with(b"//")
    }
}

impl<O: Output> CommentFormatter<O> {
    /// Writes to an output.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::{CommentFormatter, CommentStyle, Options, TrailingCommas, Validator};
    ///
    /// let style = CommentStyle::default().trailing_commas(TrailingCommas::All);
    /// let formatter = CommentFormatter::new(style, Vec::new());
    /// let options = Options::default().dialect(Dialect::Jsonc);
    /// let formatted = Validator::new(options).check(b"[1 /* one */]", formatter).unwrap();
    /// assert_eq!(formatted, b"[\n  1, /* one */\n]\n");
    /// ```
    pub fn new(style: CommentStyle, output: O) -> Self {
        CommentFormatter {
            style,
            output,
            buffer: OutputBuffer::default(),
            has_begun: false,
            depth: 0,
            before: Class::Start,
            source: Vec::new(),
            gap: Gap::default(),
        }
    }

    /// The output, which has received what was flushed.
    ///
    /// ```
    /// use jsonx_core::{CommentFormatter, CommentStyle};
    ///
    /// let mut formatter = CommentFormatter::new(CommentStyle::default(), Vec::new());
    /// assert!(formatter.output().is_empty());
    /// ```
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }

    /// Writes what is in the buffer to the output.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::{CommentFormatter, CommentStyle, Options, Validator};
    ///
    /// let mut formatter = CommentFormatter::new(CommentStyle::default(), Vec::new());
    /// Validator::new(Options::default()).check(b"[1]", &mut formatter).unwrap();
    /// formatter.flush()?;
    /// assert_eq!(formatter.output(), b"[\n  1\n]");
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    pub fn flush(&mut self) -> Result<(), O::Error> {
        self.buffer.flush(&mut self.output)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        self.buffer.append(bytes, &mut self.output)
    }

    fn end_line(&mut self) -> Result<(), O::Error> {
        match self.style.crlf {
            true => self.put(b"\r\n"),
            false => self.put(b"\n"),
        }
    }

    /// Ends the line, leaves one blank for two line ends or more, and indents the next.
    fn next_line(&mut self, lines: usize, depth: usize) -> Result<(), O::Error> {
        if lines > 1 {
            self.end_line()?;
        }
        self.end_line()?;
        let (fill, step) = self.style.indent.bytes();
        let mut left = depth * step;
        while left > 0 {
            let spaces = [fill; 64];
            let some = left.min(spaces.len());
            self.put(&spaces[..some])?;
            left -= some;
        }
        Ok(())
    }

    /// Writes a comment, with the line ends of the style.
    fn comment(&mut self, text: &[u8]) -> Result<(), O::Error> {
        let mut rest = text;
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            self.put(&rest[..end])?;
            self.end_line()?;
            let length = if rest[end..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            rest = &rest[end + length..];
        }
        self.put(rest)
    }

    /// Writes what comes before a token of this class; [`Class::Start`] means the end of the text.
    fn before(&mut self, next: Class) -> Result<(), O::Error> {
        let source = std::mem::take(&mut self.source);
        self.gap.read(&source);
        self.source = source;
        self.source.clear();
        if next == Class::Comma {
            self.gap.comma = Some(self.gap.comments.len());
            return Ok(());
        }
        let gap = std::mem::take(&mut self.gap);
        let before = std::mem::replace(&mut self.before, next);
        if next == Class::Colon || before == Class::Colon {
            return self.around_colon(&gap, next);
        }
        let was_empty = before == Class::Open && next == Class::Close;
        let comma = match (next, self.style.trailing_commas) {
            (Class::Close, TrailingCommas::All) => !was_empty,
            (Class::Close, TrailingCommas::None) => false,
            _ => gap.comma.is_some(),
        };
        if comma {
            self.put(b",")?;
        }
        let mut following = gap.following(next);
        if was_empty && gap.lines == 0 && following == gap.comments.len() {
            following = 0;
        }
        if before == Class::Start {
            following = 0;
        }
        let mut is_first = before == Class::Start;
        for (number, comment) in gap.comments.iter().enumerate() {
            let lines = match number == 0 && before == Class::Open {
                true => comment.lines.min(1),
                false => comment.lines,
            };
            let after_line = number > 0 && gap.comments[number - 1].is_line();
            if std::mem::take(&mut is_first) {
                // The text begins with it.
            } else if number < following
                || number > 0 && lines == 0 && !after_line && number != following
            {
                self.put(b" ")?;
            } else {
                self.next_line(lines, self.depth)?;
            }
            self.comment(&comment.text)?;
        }
        if next == Class::Start {
            return match self.style.final_newline {
                true => self.end_line(),
                false => Ok(()),
            };
        }
        self.depth -= usize::from(next == Class::Close);
        let last = gap.comments.last();
        let on_its_line = last.is_some_and(|last| {
            gap.lines == 0 && !last.is_line() && gap.comments.len() > following
        });
        match (before, next) {
            (Class::Start, _) if last.is_none() => {}
            (Class::Open, Class::Close) if last.is_none() => {}
            (_, Class::Close) => self.next_line(1, self.depth)?,
            _ if on_its_line => self.put(b" ")?,
            (Class::Open, _) if last.is_none() => self.next_line(1, self.depth)?,
            _ => self.next_line(gap.lines, self.depth)?,
        }
        Ok(())
    }

    /// Writes what comes between a key, its colon and its value.
    fn around_colon(&mut self, gap: &Gap, next: Class) -> Result<(), O::Error> {
        let mut must_break = false;
        for comment in &gap.comments {
            match must_break || comment.lines > 0 {
                true => self.next_line(1, self.depth + 1)?,
                false => self.put(b" ")?,
            }
            self.comment(&comment.text)?;
            must_break = comment.is_line();
        }
        match gap.comments.is_empty() {
            false if must_break || gap.lines > 0 => self.next_line(1, self.depth + 1),
            true if next == Class::Colon => Ok(()),
            false if next == Class::Colon => Ok(()),
            _ => self.put(b" "),
        }
    }

    /// Writes the beginning of a token.
    fn token(&mut self, class: Class, raw: &[u8]) -> Result<(), O::Error> {
        self.before(class)?;
        if class == Class::Comma {
            return Ok(());
        }
        self.depth += usize::from(class == Class::Open);
        self.put(raw)
    }
}

impl<O: Output> Sink for CommentFormatter<O> {
    type Error = O::Error;
    type Output = O;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            source: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.depth = chunk.before.depth as usize;
            self.before = Class::before(chunk);
        }
        let mut offsets = Vec::new();
        let chunk = chunk.with_offsets(&mut offsets);
        let source = match chunk.streams.source {
            true => chunk.source,
            false => chunk.bytes,
        };
        let rest = chunk.before_first();
        self.put(rest)?;
        let mut end = rest.len();
        for (index, (kind, raw)) in chunk.tokens().enumerate() {
            let start = chunk.offsets[index] as usize;
            self.source.extend_from_slice(&source[end..start]);
            self.token(CLASSES[usize::from(kind)], raw)?;
            end = start + raw.len();
        }
        self.source.extend_from_slice(&source[end..]);
        Ok(())
    }

    fn finish(mut self) -> Result<O, O::Error> {
        self.before(Class::Start)?;
        self.flush()?;
        Ok(self.output)
    }
}
