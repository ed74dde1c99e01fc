//! The elements of arrays, the members of objects, and variants with content.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed};

use super::data_model::VariantContent;
use super::key::KeyReader;
use super::read::Deserializer;
use super::tokens::Token;
use crate::error::Error;

/// The elements of the entered array. The closing bracket is consumed when there is no further element; in a tuple, together with
/// the last one, so that the value is built directly in its destination with no work left after the last element.
pub(super) struct Elements<'a, 'de, const IS_TUPLE: bool> {
    reader: &'a mut Deserializer<'de>,
    index: u64,
    /// The length of a tuple.
    length: u64,
    is_closed: bool,
}

impl<'a, 'de, const IS_TUPLE: bool> Elements<'a, 'de, IS_TUPLE> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Deserializer<'de>, length: usize) -> Self {
        Elements {
            reader,
            index: 0,
            length: length as u64,
            is_closed: false,
        }
    }

    /// Consumes the closing bracket, unless already consumed.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.is_closed {
            return Ok(());
        }
        let next = self.reader.tokens.peek()?;
        match next.kind {
            b']' => {
                self.close();
                Ok(())
            }
            _ => Err(self.more(next.at)),
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.reader.tokens.skip(1);
        self.is_closed = true;
    }

    #[cold]
    fn more(&self, offset: usize) -> Error {
        let message = format!("expected an array of {}, found more elements", self.index);
        Error::data(message).at(offset)
    }
}

impl<'de, const IS_TUPLE: bool> de::SeqAccess<'de> for &mut Elements<'_, 'de, IS_TUPLE> {
    type Error = Error;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Error> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.is_closed {
            return Ok(None);
        }
        let Token { kind, at } = self.reader.tokens.peek()?;
        if kind == b']' {
            self.close();
            return Ok(None);
        }
        match seed.deserialize(&mut *self.reader) {
            Ok(value) => {
                self.index += 1;
                if IS_TUPLE && self.index == self.length {
                    self.end()?;
                }
                Ok(Some(value))
            }
            Err(error) => Err(error.at(at).in_element(self.index)),
        }
    }

    /// A cheap estimate, which is only used to reserve capacity.
    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.reader.tokens.size_hint())
    }
}

/// The members of the entered object. The closing brace is consumed when there is no further member.
pub(super) struct Members<'a, 'de> {
    reader: &'a mut Deserializer<'de>,
    /// The offset of the current key.
    key: usize,
    is_closed: bool,
}

impl<'a, 'de> Members<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'a mut Deserializer<'de>) -> Self {
        Members {
            reader,
            key: usize::MAX,
            is_closed: false,
        }
    }

    /// Consumes the closing brace, unless already consumed.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.is_closed {
            return Ok(());
        }
        let next = self.reader.tokens.peek()?;
        match next.kind {
            b'}' => {
                self.close();
                Ok(())
            }
            _ => Err(Error::data("expected fewer members").at(next.at)),
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.reader.tokens.skip(1);
        self.is_closed = true;
    }

    /// Locates an error of the visitor: at the key, if it has read a key and not its value.
    #[cold]
    pub(super) fn at_key(&self, error: Error) -> Error {
        if self.reader.tokens.last_string() == Some(self.key) {
            error.at(self.key)
        } else {
            error
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>, Error> {
        self.next_key_seed(PhantomData)
    }

    #[inline(always)]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.is_closed {
            return Ok(None);
        }
        let Token { kind, at } = self.reader.tokens.peek()?;
        if kind == b'}' {
            self.close();
            return Ok(None);
        }
        self.key = at;
        let end = self.reader.tokens.string();
        let reader = KeyReader {
            reader: &mut *self.reader,
            start: at + 1,
            end,
        };
        let read = seed.deserialize(reader);
        read.map(Some).map_err(|error| error.at(at))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = seed.deserialize(&mut *self.reader);
        value.map_err(|error| self.in_member(error))
    }
}

impl Members<'_, '_> {
    /// Locates an error in the value of the current key, which begins after the colon.
    #[cold]
    fn in_member(&self, error: Error) -> Error {
        let raw = self.reader.tokens.text().get(self.key..);
        let raw = raw.unwrap_or_default();
        let end = crate::string::end(raw, 1).unwrap_or(raw.len());
        let key = crate::string::decode_key(raw.get(1..end).unwrap_or_default());
        let after = raw.get(end + 1..).unwrap_or_default();
        let is_between = |byte: &&u8| b" \t\n\r:".contains(byte);
        let value = end + 1 + after.iter().take_while(is_between).count();
        error.at(self.key + value).in_member(&key)
    }
}

/// A variant with content, as the only member of the entered object.
pub(super) struct Variant<'a, 'de> {
    pub(super) reader: &'a mut Deserializer<'de>,
}

impl<'a, 'de> de::EnumAccess<'de> for Variant<'a, 'de> {
    type Error = Error;
    type Variant = VariantContent<&'a mut Deserializer<'de>>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), Error> {
        self.reader.tokens.peek()?;
        let start = self.reader.tokens.offset();
        let name = seed.deserialize(&mut *self.reader);
        let name = name.map_err(|error| error.at(start))?;
        Ok((name, VariantContent(self.reader)))
    }
}
