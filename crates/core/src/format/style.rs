//! Layouts of formatted text.

use crate::token::Chunk;

/// The white space of formatted text.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{Formatter, Indent, Style};
///
/// let format = |style| {
///     let mut formatter = Formatter::new(style, Vec::new());
///     Validator::new(Options::default()).check(br#"{ "a b": [ ], "c": [1.50, {}] }"#, &mut formatter).unwrap();
///     String::from_utf8(formatter.finish().unwrap()).unwrap()
/// };
/// assert_eq!(format(Style::Compact), "{\"a b\":[],\"c\":[1.50,{}]}\n");
/// assert_eq!(
///     format(Style::Pretty(Indent::Spaces(2))),
///     "{\n  \"a b\": [],\n  \"c\": [\n    1.50,\n    {}\n  ]\n}\n",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Minified: no white space, except a line feed after each value at the root.
    Compact,
    /// One element or member per line, `{}` and `[]` without a line feed, one space after the colon, as in `jq .`.
    Pretty(Indent),
}

/// One step of indentation.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{Formatter, Indent, Style};
///
/// let format = |indent| {
///     let mut formatter = Formatter::new(Style::Pretty(indent), Vec::new());
///     Validator::new(Options::default()).check(b"[[1]]", &mut formatter).unwrap();
///     String::from_utf8(formatter.finish().unwrap()).unwrap()
/// };
/// assert_eq!(format(Indent::Tab), "[\n\t[\n\t\t1\n\t]\n]\n");
/// assert_eq!(format(Indent::Spaces(1)), "[\n [\n  1\n ]\n]\n");
/// // Line feeds without indentation.
/// assert_eq!(format(Indent::Spaces(0)), "[\n[\n1\n]\n]\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// This many spaces.
    Spaces(u8),
    /// One tab.
    Tab,
}

impl Indent {
    /// The fill byte, and its number of repetitions per step.
    pub(crate) fn bytes(self) -> (u8, usize) {
        match self {
            Indent::Spaces(count) => (b' ', count as usize),
            Indent::Tab => (b'\t', 1),
        }
    }
}

/// Classes of tokens, by the white space around them.
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

impl Class {
    /// The class of the last token before a chunk.
    pub(crate) fn before(chunk: &Chunk<'_>) -> Class {
        match chunk.before.last_kind {
            0 => Class::Start,
            kind => CLASSES[usize::from(kind)],
        }
    }
}
