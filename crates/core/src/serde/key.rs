//! Keys of objects as other types than strings: integers, booleans, variants.

use serde_core::de::{self, IntoDeserializer, Visitor};

use super::read::{Deserializer, Text};
use super::tokens::Token;
use crate::error::Error;
use crate::number::Number;

/// A key of which the token, and the one after it, have been consumed.
pub(super) struct KeyReader<'a, 'de> {
    pub(super) reader: &'a mut Deserializer<'de>,
    pub(super) key: Token,
    pub(super) colon: Token,
}

impl<'a, 'de> KeyReader<'a, 'de> {
    #[inline(always)]
    fn text(self) -> Result<Text<'de, 'a>, Error> {
        self.reader.text_of(self.key, self.colon)
    }
}

macro_rules! integers {
    ($($name:ident $visit:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let start = self.key.offset();
            let key = self.text()?;
            // Only what is a number in JSON too: no plus sign, no leading zero.
            let text = key.as_str();
            let is_number = crate::validate(text.as_bytes()).is_ok()
                && !text.ends_with([' ', '\t', '\n', '\r'])
                && Number::new(text.as_bytes()).is_integer();
            match text.parse() {
                Ok(value) if is_number => visitor.$visit(value),
                _ => {
                    let found = de::Unexpected::Str(text);
                    Err(<Error as de::Error>::invalid_type(found, &visitor).at(start))
                }
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for KeyReader<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text()?.visit(visitor)
    }

    integers! {
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.key.offset();
        let key = self.text()?;
        match key.as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            other => {
                let found = de::Unexpected::Str(other);
                Err(<Error as de::Error>::invalid_type(found, &visitor).at(start))
            }
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.key.offset();
        let key = self.text()?;
        match Number::new(key.as_str().as_bytes()).as_f64() {
            Some(value) => visitor.visit_f64(value),
            None => {
                let found = de::Unexpected::Str(key.as_str());
                Err(<Error as de::Error>::invalid_type(found, &visitor).at(start))
            }
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text()? {
            Text::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Text::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text()? {
            Text::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Text::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
        }
    }

    /// A key is never null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let start = self.key.offset();
        let name = self.text()?;
        let variant: de::value::StrDeserializer<'_, Error> = name.as_str().into_deserializer();
        visitor.visit_enum(variant).map_err(|error| error.at(start))
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text()?.visit(visitor)
    }

    serde_core::forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
