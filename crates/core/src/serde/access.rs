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
            b']' => {
                tokens.skip(1);
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

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        let tokens = &mut self.reader.tokens;
        let [first, second, ..] = tokens.ahead()?;
        let start = match first.kind() {
            b']' => return Ok(None),
            b',' => {
                tokens.skip(1);
                second.offset()
            }
            _ => first.offset(),
        };
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
    /// Where the current key begins and ends, quotes and white space after it included.
    key: (usize, usize),
    /// The names of the type's fields, and the one that is expected next.
    fields: &'static [&'static str],
    expected: usize,
}

/// As many fields after the one that is expected may be missing.
const PROBED: usize = 6;

impl<'a, 'de> Members<'a, 'de> {
    pub(super) fn of(reader: &'a mut Reader<'de>, fields: &'static [&'static str]) -> Self {
        Members {
            reader,
            key: (0, 0),
            fields,
            expected: 0,
        }
    }

    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        let tokens = &mut self.reader.tokens;
        match tokens.peek()? {
            b'}' => {
                tokens.skip(1);
                Ok(())
            }
            _ => Err(ReadError::data("expected fewer members").at(tokens.offset())),
        }
    }

    /// The field that a key names, if it is one of the next few in their order.
    #[inline(always)]
    fn field(&mut self, key: &[u8]) -> Option<&'static str> {
        let upto = self.fields.len().min(self.expected + PROBED);
        let probed = self.fields.get(self.expected..upto)?;
        for (index, field) in probed.iter().enumerate() {
            if field.as_bytes() == key {
                self.expected += index + 1;
                return Some(field);
            }
        }
        // Those that come in another order begin anew.
        self.expected = 0;
        None
    }
}

impl<'de> de::MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = ReadError;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let tokens = &mut self.reader.tokens;
        let [first, second, third, _] = tokens.ahead()?;
        let (key, colon) = match first.kind() {
            b'}' => return Ok(None),
            b',' => {
                tokens.skip(1);
                (second, third)
            }
            _ => (first, second),
        };
        self.key = (key.offset(), colon.offset());
        let known = match self.fields {
            [] => None,
            _ => {
                let (start, end) = tokens.contents(key, colon);
                let raw = &tokens.text()[start..end];
                let may_differ = tokens.may_have_escapes() && raw.contains(&b'\\');
                if may_differ { None } else { self.field(raw) }
            }
        };
        let reader = KeyReader {
            reader: &mut *self.reader,
            known,
        };
        let key = seed.deserialize(reader);
        key.map(Some).map_err(|error| error.at(self.key.0))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        self.reader.tokens.skip(1);
        self.reader.tokens.ahead()?;
        let start = self.reader.tokens.offset();
        let value = seed.deserialize(&mut *self.reader);
        value.map_err(|error| {
            let raw = &self.reader.tokens.text()[self.key.0..self.key.1];
            error.at(start).in_member(&key_text(raw))
        })
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
        self.reader.tokens.ahead()?;
        let start = self.reader.tokens.offset();
        let name = seed.deserialize(&mut *self.reader);
        let name = name.map_err(|error| error.at(start))?;
        self.reader.tokens.ahead()?;
        self.reader.tokens.skip(1);
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
