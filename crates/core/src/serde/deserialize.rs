//! Values of JSON for `serde`: a walk over verified tokens, so that nothing here checks the grammar.

use std::borrow::Cow;

use serde_core::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde_core::de::{self, IntoDeserializer, Visitor};

use super::access::{Elements, Members, Variant};
use super::read::{Deserializer, StringText, not_utf8};
use super::{raw, spanned};
use crate::error::Error;

impl<'de> Deserializer<'de> {
    #[inline]
    fn seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let mut elements = Elements::<false>::new(self, 0);
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        self.depth += 1;
        Ok(value)
    }

    #[inline]
    fn map<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let mut members = Members::new(self);
        let value = match visitor.visit_map(&mut members) {
            Ok(value) => value,
            Err(error) => return Err(members.at_key(error)),
        };
        members.end()?;
        self.depth += 1;
        Ok(value)
    }
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
                StringText::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                StringText::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
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
            let text = self.tokens.without_comments(start, end);
            let text = text.ok_or_else(|| not_utf8(start))?;
            let key = BorrowedStrDeserializer::new(name);
            let read = match (name == raw::NAME, text) {
                (true, Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
                (true, Cow::Owned(text)) => visitor.visit_str(&text),
                (false, Cow::Borrowed(text)) => {
                    let text = BorrowedStrDeserializer::new(text);
                    visitor.visit_map(MapDeserializer::new([(key, text)].into_iter()))
                }
                (false, Cow::Owned(text)) => {
                    visitor.visit_map(MapDeserializer::new([(key, text)].into_iter()))
                }
            };
            return read.map_err(|error: Error| error.at(start));
        }
        if name == spanned::NAME {
            return visitor.visit_seq(spanned::Parts::new(self));
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

    /// As `deserialize_seq`, but short and inlined, so that the elements of a tuple stay in registers.
    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        if token.kind != b'[' {
            return Err(self.mismatch(&visitor));
        }
        self.enter()?;
        let mut elements = Elements::<true>::new(self, length);
        match visitor.visit_seq(&mut elements) {
            Ok(value) => {
                elements.end()?;
                self.depth += 1;
                Ok(value)
            }
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

    /// An object, or an array of the fields in order, as in `serde_json`.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        match token.kind {
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
