//! Object keys of types other than strings: integers, booleans, variants.

use serde_core::de::{self, IntoDeserializer, Visitor};

use super::numbers::{out_of_range, visit_number};
use super::read::{Deserializer, StringText};
use super::{raw, spanned};
use crate::error::Error;
use crate::number::Number;

/// A key that has been consumed.
pub(super) struct KeyReader<'a, 'de> {
    pub(super) reader: &'a mut Deserializer<'de>,
    /// The span of the text of the key.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a, 'de> KeyReader<'a, 'de> {
    #[inline]
    fn text(self) -> Result<StringText<'de, 'a>, Error> {
        self.reader.text_of(self.start, self.end)
    }
}

impl<'de> KeyReader<'_, 'de> {
    /// The offset of its opening quote.
    fn offset(&self) -> usize {
        self.start - 1
    }

    /// The key as a number in JSON syntax: no plus sign, no leading zero, no escape.
    fn number(self, expected: &dyn de::Expected) -> Result<&'de [u8], Error> {
        let start = self.offset();
        let key = self.text()?;
        if let StringText::Borrowed(text) = key
            && text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit())
            && crate::validate(text.as_bytes()).is_ok()
        {
            return Ok(text.as_bytes());
        }
        let found = de::Unexpected::Str(key.as_str());
        Err(<Error as de::Error>::invalid_type(found, expected).at(start))
    }
}

/// Numbers of up to 64 bits.
macro_rules! numbers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let start = self.offset();
            let text = self.number(&visitor)?;
            visit_number(Number::new(text), visitor).map_err(|error| error.at(start))
        }
    )*};
}

macro_rules! wide {
    ($($name:ident $visit:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let start = self.offset();
            let text = self.number(&visitor)?;
            match str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
                Some(value) => visitor.$visit(value),
                None => Err(out_of_range(start)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for KeyReader<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text()?.visit(visitor)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f64
    }

    wide! { deserialize_i128 visit_i128 deserialize_u128 visit_u128 }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.offset();
        let text = self.number(&visitor)?;
        match Number::new(text).as_f32() {
            Some(value) => visitor.visit_f32(value),
            None => Err(out_of_range(start)),
        }
    }

    /// Only the literal text, without escapes.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.offset();
        let key = self.text()?;
        match key {
            StringText::Borrowed("true") => visitor.visit_bool(true),
            StringText::Borrowed("false") => visitor.visit_bool(false),
            other => {
                let found = de::Unexpected::Str(other.as_str());
                Err(<Error as de::Error>::invalid_type(found, &visitor).at(start))
            }
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text()? {
            StringText::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            StringText::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text()? {
            StringText::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            StringText::Decoded(text) => visitor.visit_bytes(text.as_bytes()),
        }
    }

    /// A key is never null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match name {
            raw::NAME | spanned::NAME => {
                let error = "a key cannot be a `Raw` or `Spanned`";
                Err(Error::data(error).at(self.offset()))
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let start = self.offset();
        let name = self.text()?;
        let variant: de::value::StrDeserializer<'_, Error> = name.as_str().into_deserializer();
        visitor.visit_enum(variant).map_err(|error| error.at(start))
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.reader.tokens.plain_text(self.start, self.end) {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.text()?.visit(visitor),
        }
    }

    serde_core::forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
