//! Values of JSON for `serde`: a walk over verified tokens, so that nothing here checks the grammar.

use serde_core::de::{self, Error as _, IntoDeserializer, Unexpected, Visitor};

use super::access::{Elements, Members, Variant};
use super::tokens::{Token, Tokens};
use super::{raw, spanned};
use crate::error::Error;
use crate::kernel::{Kernel, to_str};
use crate::number::{Leading, Number};
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

    /// Consumes the next token, a number.
    #[inline(always)]
    fn number<V: Visitor<'de>>(&mut self, token: Token, visitor: V) -> Result<V::Value, Error> {
        let text = self.tokens.text_from(token);
        match Leading::of(text, token.kind == b'-') {
            Leading::Integer(false, magnitude) => {
                self.tokens.skip(1);
                visitor.visit_u64(magnitude)
            }
            Leading::Integer(true, magnitude) => {
                self.tokens.skip(1);
                match magnitude {
                    0 => visitor.visit_f64(-0.0),
                    _ => visitor.visit_i64(-(magnitude as i64)),
                }
            }
            Leading::Real(real) if let Some(value) = real.as_f64(text) => {
                self.tokens.skip(1);
                visitor.visit_f64(value)
            }
            _ => self.long_number(visitor),
        }
    }

    /// Consumes the next token, a number of more digits.
    #[cold]
    #[inline(never)]
    fn long_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let start = self.tokens.offset();
        let number = Number::new(self.tokens.scalar()?);
        visit_number(number, visitor).map_err(|error| error.at(start))
    }

    /// A number for a type wider than 64 bits.
    fn wide<T: std::str::FromStr>(&mut self) -> Result<Option<T>, Error> {
        if !is_number(self.tokens.peek()?) {
            return Ok(None);
        }
        let start = self.tokens.offset();
        let raw = self.tokens.scalar()?;
        let parsed = str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok());
        match parsed {
            Some(value) => Ok(Some(value)),
            None if Number::new(raw).is_integer() => Err(out_of_range(start)),
            None => {
                Err(Error::data("expected an integer, found a floating point number").at(start))
            }
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
    fn mismatch(&mut self, expected: &dyn de::Expected) -> Error {
        let start = self.tokens.offset();
        let error = match self.tokens.peek().map(|token| token.kind) {
            Err(error) => error,
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

/// Hands a number over as an integer of 64 bits, if it is one of them, and as a double otherwise.
pub(super) fn visit_number<'de, V: Visitor<'de>>(
    number: Number<'_>,
    visitor: V,
) -> Result<V::Value, Error> {
    let is_integer = number.is_integer() && number.raw() != b"-0";
    if let Some(value) = number.as_u64().filter(|_| is_integer) {
        return visitor.visit_u64(value);
    }
    if let Some(value) = number.as_i64().filter(|_| is_integer) {
        return visitor.visit_i64(value);
    }
    match number.as_f64() {
        Some(value) => visitor.visit_f64(value),
        None => Err(Error::data("the number is out of range")),
    }
}

#[cold]
pub(super) fn out_of_range(start: usize) -> Error {
    Error::data("the number is out of range").at(start)
}

/// Whether a token is that of a number.
#[inline(always)]
fn is_number(token: Token) -> bool {
    matches!(token.kind, b'-' | b'0'..=b'9')
}

/// Numbers of up to 64 bits.
macro_rules! numbers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let token = self.tokens.peek()?;
            match is_number(token) {
                true => {
                    let value = self.number(token, visitor);
                    value.map_err(|error| error.at(token.at))
                }
                false => Err(self.mismatch(&visitor)),
            }
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
        deserialize_f64
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

    /// The nearest `f32`: by way of a double it would be rounded twice.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        if !is_number(token) {
            return Err(self.mismatch(&visitor));
        }
        let start = token.at;
        let text = self.tokens.text_from(token);
        let read = match Leading::of(text, token.kind == b'-') {
            Leading::Integer(false, magnitude) => Some(magnitude as f32),
            Leading::Integer(true, magnitude) => Some(-(magnitude as f32)),
            Leading::Real(real) => real.as_f32(text),
            Leading::Long => None,
        };
        let value = match read {
            Some(value) => {
                self.tokens.skip(1);
                visitor.visit_f32(value)
            }
            None => match Number::new(self.tokens.scalar()?).as_f32() {
                Some(value) => visitor.visit_f32(value),
                None => return Err(out_of_range(start)),
            },
        };
        value.map_err(|error: Error| error.at(start))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            kind @ (b't' | b'f') => {
                self.tokens.skip(1);
                visitor.visit_bool(kind == b't')
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.plain_string() {
            Some((start, text)) => {
                let visited = visitor.visit_borrowed_str(text);
                visited.map_err(|error: Error| error.at(start))
            }
            None => self.other_str(visitor),
        }
    }

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

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.peek()?.kind {
            b'n' => {
                self.tokens.skip(1);
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

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
        if name == raw::NAME {
            let start = self.first()?.at;
            let end = start + self.tokens.value()?.len();
            let text = self.tokens.str(start, end).ok_or_else(|| not_utf8(start))?;
            return visitor.visit_borrowed_str(text);
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

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
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
