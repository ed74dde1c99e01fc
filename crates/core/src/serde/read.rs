//! Values of JSON for `serde`: a walk over verified tokens, so that nothing here checks the grammar.

use serde_core::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde_core::de::{self, Error as _, IntoDeserializer, Unexpected, Visitor};

use super::access::{Elements, Members, Variant};
use super::tokens::{Token, Tokens};
use super::{raw, spanned};
use crate::error::Error;
use crate::kernel::{Kernel, to_str};
use crate::number::Number;
use crate::string::{Surrogates, decode_into};
use crate::window::Options;

/// Types that contain themselves may be nested as deep as this, as in `serde_json`. Each level takes stack, some hundred bytes to some KiB.
pub(super) const DEPTH: usize = 127;

/// Reads values from JSON in memory, for `serde`. [`from_slice`](crate::from_slice) is the short form.
///
/// The text is checked as it is read, 8 KiB at a time. What is ignored is checked too, but takes no stack.
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
    /// Levels that may still be entered.
    depth: usize,
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
        Deserializer::of(Tokens::new(text, options))
    }

    pub(super) fn of(tokens: Tokens<'de>) -> Self {
        Deserializer {
            tokens,
            depth: DEPTH,
        }
    }

    /// Checks that nothing but white space follows the value.
    ///
    /// # Errors
    ///
    /// Something follows, or the text is not JSON.
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
    fn first(&mut self) -> Result<Token, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            0 => Err(no_value(token.at)),
            _ => Ok(token),
        }
    }

    /// Consumes the next token, a string that was peeked, and returns its text.
    pub(super) fn string(&mut self) -> Result<Text<'de, '_>, Error> {
        let start = self.tokens.offset() + 1;
        let end = self.tokens.string();
        self.text_of(start, end)
    }

    /// The text of a string whose contents begin and end here: borrowed if it has no escapes.
    #[inline(never)]
    pub(super) fn text_of(&mut self, start: usize, end: usize) -> Result<Text<'de, '_>, Error> {
        if self.tokens.has_escape(end) {
            return self.decoded(start, end);
        }
        match self.tokens.str(start, end) {
            Some(text) => Ok(Text::Borrowed(text)),
            None => Err(not_utf8(start)),
        }
    }

    #[inline(never)]
    fn decoded(&mut self, start: usize, end: usize) -> Result<Text<'de, '_>, Error> {
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
        match to_str(Kernel::for_text(scratch.len()), scratch) {
            Some(text) => Ok(Text::Decoded(text)),
            None => Err(not_utf8(start)),
        }
    }

    /// A string that has escapes, or is not at hand.
    #[inline(never)]
    fn other_str<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            b'"' => {
                let visited = self.string()?.visit(visitor);
                visited.map_err(|error| error.at(token.at))
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// An error of the type for the next value, which is consumed.
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

    /// Enters a container, whose token has been peeked.
    #[inline(always)]
    fn enter(&mut self) -> Result<(), Error> {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Err(too_deep(self.tokens.offset())),
        }
        self.tokens.skip(1);
        Ok(())
    }

    #[inline]
    fn seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let mut elements = Elements::of(self);
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        self.depth += 1;
        Ok(value)
    }

    #[inline]
    fn map<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let mut members = Members::of(self);
        let value = visitor.visit_map(&mut members)?;
        members.end()?;
        self.depth += 1;
        Ok(value)
    }
}

/// The text of a string.
pub(super) enum Text<'de, 's> {
    Borrowed(&'de str),
    Decoded(&'s str),
}

impl Text<'_, '_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Text::Borrowed(text) => text,
            Text::Decoded(text) => text,
        }
    }
}

impl<'de> Text<'de, '_> {
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Text::Borrowed(text) => visitor.visit_borrowed_str(text),
            Text::Decoded(text) => visitor.visit_str(text),
        }
    }
}

/// The engine has checked the text, so this does not happen.
#[cold]
fn not_utf8(start: usize) -> Error {
    Error::data("the text is not valid UTF-8").at(start)
}

#[cold]
fn no_value(start: usize) -> Error {
    Error::data("there is no further value").at(start)
}

#[cold]
fn too_deep(start: usize) -> Error {
    Error::data("nested too deeply for this type").at(start)
}

/// Numbers of up to 64 bits.
macro_rules! numbers {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.integer(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        let value = match token.kind {
            b'{' => self.map(visitor),
            b'[' => self.seq(visitor),
            b'"' => self.string()?.visit(visitor),
            kind @ (b't' | b'f') => {
                self.tokens.skip(1);
                visitor.visit_bool(kind == b't')
            }
            b'n' => {
                self.tokens.skip(1);
                visitor.visit_unit()
            }
            b'-' | b'0'..=b'9' => self.number(token, visitor),
            _ => Err(self.mismatch(&visitor)),
        };
        value.map_err(|error| error.at(token.at))
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.single(visitor)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.double(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.wide()? {
            Some(value) => visitor.visit_i128(value),
            None => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.wide()? {
            Some(value) => visitor.visit_u128(value),
            None => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            kind @ (b't' | b'f') => {
                self.tokens.skip(1);
                visitor.visit_bool(kind == b't')
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.plain_string() {
            Some(text) => {
                let visited = visitor.visit_borrowed_str(text);
                visited.map_err(|error: Error| error.at(self.tokens.before(2)))
            }
            None => self.other_str(visitor),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            b'"' => match self.string()? {
                Text::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                Text::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
            },
            b'[' => self.seq(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            b'n' => {
                self.tokens.skip(1);
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            b'n' => {
                self.tokens.skip(1);
                visitor.visit_unit()
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == raw::NAME || name == raw::SERDE_JSON_RAW {
            let start = self.first()?.at;
            let end = start + self.tokens.value()?.len();
            let text = self.tokens.str(start, end).ok_or_else(|| not_utf8(start))?;
            return match name == raw::NAME {
                true => visitor.visit_borrowed_str(text),
                false => {
                    let field = [name, text].map(BorrowedStrDeserializer::new);
                    let [name, text] = field;
                    visitor.visit_map(MapDeserializer::new([(name, text)].into_iter()))
                }
            };
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            b'[' => {
                let value = self.seq(visitor);
                value.map_err(|error| error.at(token.at))
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// As `deserialize_seq`, but a part of the caller, as it is short: what a tuple consists of then stays in registers.
    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        if token.kind != b'[' {
            return Err(self.mismatch(&visitor));
        }
        match self.seq(visitor) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.at(token.at)),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            b'{' => {
                let value = self.map(visitor);
                value.map_err(|error| error.at(token.at))
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// An object, or an array of the fields in their order, as `serde_json` has it.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
            _ if core::ptr::eq(fields, &spanned::FIELDS) && name == spanned::NAME => {
                visitor.visit_map(spanned::Parts::new(self))
            }
            b'{' => {
                let value = self.map(visitor);
                value.map_err(|error| error.at(token.at))
            }
            b'[' => self.deserialize_seq(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        let start = token.at;
        match token.kind {
            b'"' => {
                let name = self.string()?;
                let variant: de::value::StrDeserializer<'_, Error> =
                    name.as_str().into_deserializer();
                visitor.visit_enum(variant).map_err(|error| error.at(start))
            }
            b'{' => {
                self.enter()?;
                if self.tokens.peek()?.kind != b'"' {
                    let error = "expected an object with the name of a variant, found an empty one";
                    return Err(Error::data(error).at(start));
                }
                let key = self.tokens.offset();
                let value = visitor
                    .visit_enum(Variant { reader: self })
                    .map_err(|error| error.at(key))?;
                if self.tokens.peek()?.kind != b'}' {
                    let error = "expected an object with one variant, found another member";
                    return Err(Error::data(error).at(self.tokens.offset()));
                }
                self.tokens.skip(1);
                self.depth += 1;
                Ok(value)
            }
            _ => Err(self.mismatch(&"a variant: a string, or an object with one member")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.first()?;
        self.tokens.skip_value()?;
        visitor.visit_unit()
    }
}
