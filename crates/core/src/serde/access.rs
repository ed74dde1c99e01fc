//! The elements of arrays, the members of objects, and variants with content.

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::error::ReadError;
use super::key::KeyReader;
use super::read::Reader;

/// The elements of the array that was entered.
pub(super) struct Elements<'a, 'de> {
    reader: &'a mut Reader<'de>,
    index: u64,
}

impl<'a, 'de> Elements<'a, 'de> {
    pub(super) fn of(reader: &'a mut Reader<'de>) -> Self {
        Elements { reader, index: 0 }
    }
}

impl Elements<'_, '_> {
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        let tokens = &mut self.reader.tokens;
        match tokens.peek()? {
            Some(b']') => {
                tokens.skip();
                Ok(())
            }
            _ => {
                let message = format!("expected an array of {}, found more elements", self.index);
                Err(ReadError::data(message).at(tokens.offset()))
            }
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut Elements<'_, 'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        let tokens = &mut self.reader.tokens;
        match tokens.peek()? {
            Some(b']') => return Ok(None),
            Some(b',') => {
                tokens.skip();
                tokens.peek()?;
            }
            _ => {}
        }
        let start = tokens.offset();
        match seed.deserialize(&mut *self.reader) {
            Ok(value) => {
                self.index += 1;
                Ok(Some(value))
            }
            Err(error) => Err(error.at(start).in_element(self.index)),
        }
    }
}

/// The members of the object that was entered.
pub(super) struct Members<'a, 'de> {
    reader: &'a mut Reader<'de>,
    /// The text of the current key, quotes included.
    key: &'de [u8],
    is_first: bool,
}

impl<'a, 'de> Members<'a, 'de> {
    pub(super) fn of(reader: &'a mut Reader<'de>) -> Self {
        Members {
            reader,
            key: b"",
            is_first: true,
        }
    }
}

impl Members<'_, '_> {
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        let tokens = &mut self.reader.tokens;
        match tokens.peek()? {
            Some(b'}') => {
                tokens.skip();
                Ok(())
            }
            _ => Err(ReadError::data("expected fewer members").at(tokens.offset())),
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let tokens = &mut self.reader.tokens;
        match tokens.peek()? {
            Some(b'}') => return Ok(None),
            Some(b',') if !self.is_first => {
                tokens.skip();
                tokens.peek()?;
            }
            _ => {}
        }
        self.is_first = false;
        let start = tokens.offset();
        let text = tokens.text();
        let key = seed.deserialize(KeyReader {
            reader: &mut *self.reader,
        });
        // Up to the colon, white space included, which nobody shows.
        self.reader.tokens.peek()?;
        self.key = &text[start..self.reader.tokens.offset()];
        key.map(Some).map_err(|error| error.at(start))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let tokens = &mut self.reader.tokens;
        tokens.peek()?;
        tokens.skip();
        tokens.peek()?;
        let start = tokens.offset();
        let value = seed.deserialize(&mut *self.reader);
        value.map_err(|error| error.at(start).in_member(&key_text(self.key)))
    }
}

/// The decoded key of a raw text that begins with it.
#[cold]
fn key_text(raw: &[u8]) -> Vec<u8> {
    let end = crate::string::end(raw, 1).unwrap_or(raw.len());
    crate::string::decode_key(raw.get(1..end).unwrap_or_default()).into_owned()
}

/// A variant with content: the object that was entered has it as its only member.
pub(super) struct Variant<'a, 'de> {
    pub(super) reader: &'a mut Reader<'de>,
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ReadError> {
        let start = self.reader.tokens.offset();
        let name = seed.deserialize(&mut *self.reader);
        let name = name.map_err(|error| error.at(start))?;
        self.reader.tokens.peek()?;
        self.reader.tokens.skip();
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        de::Deserialize::deserialize(self.reader)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        de::Deserializer::deserialize_seq(self.reader, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        de::Deserializer::deserialize_struct(self.reader, "", fields, visitor)
    }
}
