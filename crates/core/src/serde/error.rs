//! Errors of reading values: of the text, or of the data in it.

use core::fmt;

use serde_core::{de, ser};

use crate::error::ErrorKind;
use crate::path::{Location, Notation};
use crate::position::{self, Position};

/// Why a text could not be read into a type, or a value could not be written.
///
/// ```
/// use std::collections::HashMap;
///
/// let text = br#"{"ports": {"http": 80, "https": "443"}}"#;
/// let error = jsonx_core::from_slice::<HashMap<String, HashMap<String, u16>>>(text).unwrap_err();
/// assert_eq!(error.to_string(), r#".ports.https: expected u16, found string "443""#);
/// assert_eq!((error.offset(), error.is_data()), (Some(32), true));
/// assert_eq!(error.line_column(text), Some((1, 33)));
/// ```
pub struct ReadError(Box<Inner>);

struct Inner {
    cause: Cause,
    offset: Option<u64>,
    /// From the innermost step to the outermost.
    steps: Vec<Step>,
}

enum Cause {
    Syntax(ErrorKind),
    Data(String),
}

enum Step {
    Key(Vec<u8>),
    Index(u64),
}

impl ReadError {
    pub(super) fn data(message: impl fmt::Display) -> Self {
        ReadError(Box::new(Inner {
            cause: Cause::Data(message.to_string()),
            offset: None,
            steps: Vec::new(),
        }))
    }

    /// Sets the offset of an error that has none.
    #[cold]
    pub(super) fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset as u64);
        self
    }

    /// The same error, of a text that begins at `start` of another.
    #[cold]
    pub(super) fn moved(mut self, start: u64) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset + start);
        self
    }

    #[cold]
    pub(super) fn in_element(mut self, index: u64) -> Self {
        if self.is_data() {
            self.0.steps.push(Step::Index(index));
        }
        self
    }

    #[cold]
    pub(super) fn in_member(mut self, key: &[u8]) -> Self {
        // The text is checked ahead of the values, so that its errors are found anywhere.
        if self.is_data() {
            self.0.steps.push(Step::Key(key.to_vec()));
        }
        self
    }

    /// What the grammar requires, if the text is not JSON; `None` if its data does not fit the type.
    ///
    /// ```
    /// use jsonx_core::ErrorKind;
    ///
    /// let error = jsonx_core::from_str::<Vec<u8>>("[1,]").unwrap_err();
    /// assert_eq!(error.kind(), Some(ErrorKind::ExpectedValue));
    /// ```
    pub fn kind(&self) -> Option<ErrorKind> {
        match self.0.cause {
            Cause::Syntax(kind) => Some(kind),
            Cause::Data(_) => None,
        }
    }

    /// Whether the text is JSON as far as it was read, and its data does not fit the type.
    ///
    /// ```
    /// assert!(jsonx_core::from_str::<Vec<u8>>("[256]").unwrap_err().is_data());
    /// ```
    pub fn is_data(&self) -> bool {
        matches!(self.0.cause, Cause::Data(_))
    }

    /// Bytes from the start of the text to the error: for an error of the data, to the value.
    ///
    /// ```
    /// let error = jsonx_core::from_str::<Vec<u8>>("[1, 256]").unwrap_err();
    /// assert_eq!(error.offset(), Some(4));
    /// ```
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The path of the value with the error; the root for an error of the text.
    ///
    /// ```
    /// use jsonx_core::path::Notation;
    ///
    /// let error = jsonx_core::from_str::<Vec<Vec<u8>>>("[[], [1, true]]").unwrap_err();
    /// assert_eq!(error.path().display(Notation::Pointer).to_string(), "/1/1");
    /// ```
    pub fn path(&self) -> Location {
        let mut location = Location::default();
        for step in self.0.steps.iter().rev() {
            match step {
                Step::Key(key) => location.push_key(key),
                Step::Index(index) => location.push_index(*index),
            }
        }
        location
    }

    /// Line and column of the error in `text`, both from 1, columns in code points.
    ///
    /// ```
    /// let text = "[\n  \"é\", 1]";
    /// let error = jsonx_core::from_str::<Vec<String>>(text).unwrap_err();
    /// assert_eq!(error.line_column(text.as_bytes()), Some((2, 8)));
    /// ```
    pub fn line_column(&self, text: &[u8]) -> Option<(u64, u64)> {
        let Position { line, column, .. } = self.position(text)?;
        Some((line, column))
    }

    fn position(&self, text: &[u8]) -> Option<Position> {
        let offset = usize::try_from(self.0.offset?).ok()?;
        Some(position::locate(text, offset.min(text.len())))
    }

    /// The error with its line of `text`, and a caret under it. Takes time in proportion to the text before it.
    ///
    /// ```
    /// let text = "{\n  \"a\": 1,\n  \"b\": null\n}\n";
    /// let error = jsonx_core::from_str::<std::collections::HashMap<String, u8>>(text).unwrap_err();
    /// assert_eq!(error.render(text.as_bytes()), "\
    /// error: expected u8, found null
    ///  --> 3:8 (.b)
    ///   |
    /// 3 |   \"b\": null
    ///   |        ^
    /// ");
    /// ```
    pub fn render(&self, text: &[u8]) -> String {
        let mut out = format!("error: {}\n", self.0.cause);
        let (Some(position), Some(offset)) = (self.position(text), self.0.offset) else {
            return out;
        };
        let offset = usize::try_from(offset).unwrap_or(text.len());
        let line = position::line_range(text, offset.min(text.len()));
        let source = String::from_utf8_lossy(&text[line]);
        // As much of a long line as is seen.
        let column = usize::try_from(position.column).unwrap_or(1);
        let from = column.saturating_sub(SHOWN / 2);
        let shown: String = source.trim_end().chars().skip(from).take(SHOWN).collect();
        let shown: String = shown.chars().map(visible).collect();
        let number = position.line.to_string();
        let margin = " ".repeat(number.len());
        let caret = " ".repeat(column - 1 - from.min(column - 1));
        let path = self.path();
        let place = match path.steps().is_empty() {
            true => String::new(),
            false => format!(" ({})", path.display(Notation::Dot)),
        };
        out += &format!(
            "{margin}--> {number}:{column}{place}\n{margin} |\n{number} | {shown}\n{margin} | {caret}^\n"
        );
        out
    }
}

/// Characters of a source line that are shown.
const SHOWN: usize = 80;

/// A character that takes one column and changes nothing else on a terminal.
fn visible(character: char) -> char {
    match crate::terminal::is_printable(character) {
        true => character,
        false => '\u{FFFD}',
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Syntax(kind) => kind.fmt(f),
            Cause::Data(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.steps.is_empty() {
            write!(f, "{}: ", self.path().display(Notation::Dot))?;
        }
        self.0.cause.fmt(f)
    }
}

impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.to_string();
        f.debug_struct("ReadError")
            .field("message", &message)
            .field("offset", &self.0.offset)
            .finish()
    }
}

impl core::error::Error for ReadError {}

impl From<crate::Error> for ReadError {
    #[cold]
    fn from(error: crate::Error) -> Self {
        ReadError(Box::new(Inner {
            cause: Cause::Syntax(error.kind),
            offset: Some(error.offset),
            steps: Vec::new(),
        }))
    }
}

impl de::Error for ReadError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        ReadError::data(message)
    }

    #[cold]
    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        ReadError::data(format_args!("expected {expected}, found {}", Found(found)))
    }

    #[cold]
    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        ReadError::data(format_args!("expected {expected}, found {}", Found(found)))
    }
}

/// What was found, in the words of JSON.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Unit | de::Unexpected::Option => f.write_str("null"),
            de::Unexpected::Seq => f.write_str("an array"),
            de::Unexpected::Map => f.write_str("an object"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "{value}"),
            de::Unexpected::Signed(value) => write!(f, "{value}"),
            de::Unexpected::Float(value) => write!(f, "{value:?}"),
            other => other.fmt(f),
        }
    }
}

impl ser::Error for ReadError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        ReadError::data(message)
    }
}
