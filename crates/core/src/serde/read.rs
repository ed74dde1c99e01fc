//! Reads values of JSON for `serde`: the state of the reader, strings, and errors of the type.

use serde_core::de::{self, Error as _, Unexpected, Visitor};

use super::error::begin_text;
use super::tokens::{Token, Tokens};
use crate::error::Error;
use crate::kernel::to_str;
use crate::number::Number;
use crate::string::{Surrogates, decode_into};
use crate::window::Options;

/// Maximum nesting of recursive types, as in `serde_json`. Each level takes some hundred bytes to some KiB of stack.
pub(super) const DEPTH: usize = 127;

/// Reads values from JSON in memory, for `serde`. [`from_slice`](crate::from_slice) is the short form.
///
/// The text is checked as it is read, 8 KiB at a time. Ignored values are checked too, but without recursion.
///
/// ```
/// use jsonx_core::Deserializer;
/// use serde::Deserialize;
///
/// let mut reader = Deserializer::new(b"{\"b\": [1, 2]}");
/// let map = std::collections::BTreeMap::<&str, Vec<u8>>::deserialize(&mut reader)?;
/// reader.end()?;
/// assert_eq!(map["b"], [1, 2]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub struct Deserializer<'de> {
    pub(super) tokens: Tokens<'de>,
    /// Number of levels that may still be entered.
    pub(super) depth: usize,
}

impl<'de> Deserializer<'de> {
    /// A reader of one value.
    ///
    /// ```
    /// use serde::Deserialize;
    ///
    /// let flag = bool::deserialize(&mut jsonx_core::Deserializer::new(b" true "))?;
    /// assert!(flag);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn new(text: &'de [u8]) -> Self {
        Deserializer::with_options(text, Options::default())
    }

    pub(super) fn with_options(text: &'de [u8], options: Options) -> Self {
        Deserializer::from_tokens(Tokens::new(text, options))
    }

    pub(super) fn from_tokens(tokens: Tokens<'de>) -> Self {
        begin_text();
        Deserializer {
            tokens,
            depth: DEPTH,
        }
    }

    /// Checks that nothing but white space follows the value.
    ///
    /// # Errors
    ///
    /// Another value follows, or the text is not JSON.
    ///
    /// ```
    /// use serde::Deserialize;
    ///
    /// let mut reader = jsonx_core::Deserializer::new(b"1 2");
    /// assert_eq!(u8::deserialize(&mut reader).unwrap_err().offset(), Some(2));
    /// ```
    pub fn end(&mut self) -> Result<(), Error> {
        let next = self.tokens.peek()?;
        match next.kind {
            0 => Ok(()),
            _ => Err(Error::data("the value is not the only one").at(next.at)),
        }
    }

    /// The first token of the next value. The engine has found an error if there is none.
    #[inline]
    pub(super) fn first(&mut self) -> Result<Token, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            0 => Err(no_value(token.at)),
            _ => Ok(token),
        }
    }

    /// Consumes the next token, a peeked string, and returns its text.
    pub(super) fn string(&mut self) -> Result<StringText<'de, '_>, Error> {
        let start = self.tokens.offset() + 1;
        let end = self.tokens.string();
        self.text_of(start, end)
    }

    /// The text of a string with contents at this span: borrowed if it has no escapes.
    #[inline(never)]
    pub(super) fn text_of(
        &mut self,
        start: usize,
        end: usize,
    ) -> Result<StringText<'de, '_>, Error> {
        if self.tokens.has_escape(end) {
            return self.decoded(start, end);
        }
        match self.tokens.str(start, end) {
            Some(text) => Ok(StringText::Borrowed(text)),
            None => Err(not_utf8(start)),
        }
    }

    #[inline(never)]
    fn decoded(&mut self, start: usize, end: usize) -> Result<StringText<'de, '_>, Error> {
        let raw = &self.tokens.text()[start..end];
        let scratch = self.tokens.scratch();
        scratch.clear();
        match decode_into(raw, scratch)? {
            Surrogates::Paired => {}
            Surrogates::Replaced { first } => {
                let at = start + usize::try_from(first).unwrap_or(0);
                let error = "expected a character, found a lone surrogate";
                return Err(Error::data(error).at(at));
            }
        }
        match to_str(scratch) {
            Some(text) => Ok(StringText::Decoded(text)),
            None => Err(not_utf8(start)),
        }
    }

    /// Slow path: a string that has escapes or is not in the current chunk.
    #[inline(never)]
    pub(super) fn other_str<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            b'"' => {
                let visited = self.string()?.visit(visitor);
                visited.map_err(|error| error.at(token.at))
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// A type error for the next value, which is consumed.
    #[cold]
    pub(super) fn mismatch(&mut self, expected: &dyn de::Expected) -> Error {
        let next = self.tokens.peek();
        let start = next.as_ref().map_or(0, |token| token.at);
        let error = match next.map(|token| token.kind) {
            Err(error) => return error,
            Ok(0) => no_value(start),
            Ok(b'{') => Error::invalid_type(Unexpected::Map, expected),
            Ok(b'[') => Error::invalid_type(Unexpected::Seq, expected),
            Ok(b'n') => Error::invalid_type(Unexpected::Unit, expected),
            Ok(kind @ (b't' | b'f')) => {
                Error::invalid_type(Unexpected::Bool(kind == b't'), expected)
            }
            Ok(b'"') => match self.string() {
                Ok(text) => Error::invalid_type(Unexpected::Str(text.as_str()), expected),
                Err(error) => error,
            },
            Ok(_) => {
                let raw = self.tokens.scalar().unwrap_or_default();
                let number = Number::new(raw);
                let found = match (number.is_integer(), number.as_u64(), number.as_i64()) {
                    (true, Some(value), _) => Unexpected::Unsigned(value),
                    (true, _, Some(value)) => Unexpected::Signed(value),
                    _ => Unexpected::Float(number.as_f64().unwrap_or(f64::INFINITY)),
                };
                Error::invalid_type(found, expected)
            }
        };
        error.at(start)
    }

    /// Enters a container whose token has been peeked.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Err(too_deep(self.tokens.offset())),
        }
        self.tokens.skip(1);
        Ok(())
    }
}

/// The text of a string.
pub(super) enum StringText<'de, 's> {
    Borrowed(&'de str),
    Decoded(&'s str),
}

impl StringText<'_, '_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            StringText::Borrowed(text) => text,
            StringText::Decoded(text) => text,
        }
    }
}

impl<'de> StringText<'de, '_> {
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            StringText::Borrowed(text) => visitor.visit_borrowed_str(text),
            StringText::Decoded(text) => visitor.visit_str(text),
        }
    }
}

/// An internal error: the engine has checked the text.
#[cold]
pub(super) fn not_utf8(start: usize) -> Error {
    Error::data("the text is not valid UTF-8").at(start)
}

#[cold]
fn no_value(start: usize) -> Error {
    Error::data("there are no more values").at(start)
}

#[cold]
fn too_deep(start: usize) -> Error {
    Error::data("nested too deeply for this type").at(start)
}
