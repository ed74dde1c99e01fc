//! The elements of arrays, the pairs of maps, and variants with content.

use serde_core::de::{self, DeserializeSeed};

use super::unpacker::Unpacker;
use crate::data_model::VariantContent;
use crate::error::Error;
use crate::msgpack::text::push_key;

/// The elements of an array whose header has been read.
pub(super) struct Elements<'a, 'de> {
    unpacker: &'a mut Unpacker<'de>,
    length: u32,
    left: u32,
}

impl<'a, 'de> Elements<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(unpacker: &'a mut Unpacker<'de>, length: u32) -> Self {
        Elements {
            unpacker,
            length,
            left: length,
        }
    }

    /// Checks that there are no more.
    #[inline(always)]
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.left {
            0 => Ok(()),
            _ => Err(self.more()),
        }
    }

    #[cold]
    fn more(&self) -> Error {
        let index = self.length - self.left;
        let message = format!("expected an array of {index}, found more elements");
        Error::data(message).at_offset(self.unpacker.offset())
    }

    #[cold]
    fn in_element(&self, error: Error) -> Error {
        error.in_element(u64::from(self.length - self.left - 1))
    }
}

impl<'de> de::SeqAccess<'de> for &mut Elements<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let start = self.unpacker.offset();
        match seed.deserialize(&mut *self.unpacker) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.in_element(error.at_offset(start))),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // The reader has checked that the input has a byte for each.
        usize::try_from(self.left).ok()
    }
}

/// The pairs of a map whose header has been read.
pub(super) struct Members<'a, 'de> {
    unpacker: &'a mut Unpacker<'de>,
    left: u32,
    /// The span of the current key.
    key: usize,
    key_end: usize,
}

impl<'a, 'de> Members<'a, 'de> {
    #[inline(always)]
    pub(super) fn new(unpacker: &'a mut Unpacker<'de>, length: u32) -> Self {
        Members {
            unpacker,
            left: length,
            key: usize::MAX,
            key_end: usize::MAX,
        }
    }

    /// Checks that there are no more.
    #[inline(always)]
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.left {
            0 => Ok(()),
            _ => Err(Error::data("expected fewer members").at_offset(self.unpacker.offset())),
        }
    }

    /// Locates an error of the visitor: at the key, if it has read a key and not its value.
    #[cold]
    pub(super) fn at_key(&self, error: Error) -> Error {
        match self.key_end == self.unpacker.reader.offset() {
            true => error.at_offset(self.key as u64),
            false => error,
        }
    }

    #[cold]
    fn in_member(&self, error: Error) -> Error {
        let mut reader = self.unpacker.reader;
        reader.seek(self.key);
        let mut key = Vec::new();
        if let Ok(Some(token)) = reader.token() {
            push_key(token, &mut key);
        }
        error.in_member(&key)
    }
}

impl<'de> de::MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.key = self.unpacker.reader.offset();
        match seed.deserialize(&mut *self.unpacker) {
            Ok(key) => {
                self.key_end = self.unpacker.reader.offset();
                Ok(Some(key))
            }
            Err(error) => Err(error.at_offset(self.key as u64)),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let start = self.unpacker.offset();
        let value = seed.deserialize(&mut *self.unpacker);
        value.map_err(|error| self.in_member(error.at_offset(start)))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.left).ok()
    }
}

/// A variant with content: the only pair of a map whose header has been read.
pub(super) struct Variant<'a, 'de> {
    pub(super) unpacker: &'a mut Unpacker<'de>,
}

impl<'a, 'de> de::EnumAccess<'de> for Variant<'a, 'de> {
    type Error = Error;
    type Variant = VariantContent<&'a mut Unpacker<'de>>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), Error> {
        let start = self.unpacker.offset();
        let name = seed.deserialize(&mut *self.unpacker);
        let name = name.map_err(|error| error.at_offset(start))?;
        Ok((name, VariantContent(self.unpacker)))
    }
}
