//! Deserializes MessagePack.

use serde_core::de::value::SeqDeserializer;
use serde_core::de::{self, Error as _, IntoDeserializer, Unexpected, Visitor};

use super::access::{Elements, Members, Variant};
use super::unpacker::Unpacker;
use crate::error::Error;
use crate::msgpack::Token;

impl<'de> Unpacker<'de> {
    #[inline]
    fn seq<V: Visitor<'de>>(&mut self, length: u32, visitor: V) -> Result<V::Value, Error> {
        self.nested(|unpacker| {
            let mut elements = Elements::new(unpacker, length);
            let value = visitor.visit_seq(&mut elements)?;
            elements.end()?;
            Ok(value)
        })
    }

    #[inline]
    fn map<V: Visitor<'de>>(&mut self, length: u32, visitor: V) -> Result<V::Value, Error> {
        self.nested(|unpacker| {
            let mut members = Members::new(unpacker, length);
            match visitor.visit_map(&mut members) {
                Ok(value) => members.end().map(|()| value),
                Err(error) => Err(members.at_key(error)),
            }
        })
    }

    /// Passes any next value to the visitor, which reports a mismatch.
    #[inline(never)]
    fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let start = self.offset();
        let value = match self.token()? {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Uint(value) => visitor.visit_u64(value),
            Token::Int(value) => visitor.visit_i64(value),
            Token::Float32(value) => visitor.visit_f32(value),
            Token::Float(value) => visitor.visit_f64(value),
            Token::Str(value) => visitor.visit_borrowed_str(value),
            Token::Bin(value) => visitor.visit_borrowed_bytes(value),
            Token::Array(length) => self.seq(length, visitor),
            Token::Map(length) => self.map(length, visitor),
            Token::Ext(..) => Err(Error::invalid_type(
                Unexpected::Other("an extension"),
                &visitor,
            )),
        };
        value.map_err(|error: Error| error.at_offset(start))
    }
}

/// Integers of up to 64 bits.
macro_rules! integers {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let start = self.offset();
            match self.reader.uint() {
                Some(value) => {
                    let value = visitor.visit_u64(value);
                    value.map_err(|error: Error| error.at_offset(start))
                }
                None => self.any(visitor),
            }
        }
    )*};
}

/// Integers of 128 bits.
macro_rules! wide {
    ($($name:ident $visit:ident $type:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.wide() {
                Some(bytes) => visitor.$visit($type::from_be_bytes(bytes)),
                None => self.any(visitor),
            }
        }
    )*};
}

/// Strings.
macro_rules! strings {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let start = self.offset();
            match self.reader.short_str() {
                Some(text) => {
                    let value = visitor.visit_borrowed_str(text);
                    value.map_err(|error: Error| error.at_offset(start))
                }
                None => self.any(visitor),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Unpacker<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.any(visitor)
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    wide! { deserialize_i128 visit_i128 i128 deserialize_u128 visit_u128 u128 }

    strings! { deserialize_str deserialize_string deserialize_identifier }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.reader.rest().first_chunk::<9>() {
            Some([0xcb, bits @ ..]) => {
                self.reader.skip(9);
                visitor.visit_f64(f64::from_be_bytes(*bits))
            }
            _ => self.any(visitor),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.first() {
            0xc0 => {
                self.reader.skip(1);
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.first() {
            0xc0 => {
                self.reader.skip(1);
                visitor.visit_unit()
            }
            _ => self.any(visitor),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.first() {
            value @ (0xc2 | 0xc3) => {
                self.reader.skip(1);
                visitor.visit_bool(value == 0xc3)
            }
            _ => self.any(visitor),
        }
    }

    /// Nil, or an empty array, as written by `rmp_serde`.
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.first() {
            0x90 => {
                self.reader.skip(1);
                visitor.visit_unit()
            }
            _ => self.any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.offset();
        match self.first() {
            first @ 0x90..=0x9f if usize::from(first & 15) < self.reader.rest().len() => {
                self.reader.skip(1);
                let value = self.seq(u32::from(first & 15), visitor);
                value.map_err(|error| error.at_offset(start))
            }
            // A vector of bytes.
            0xc4..=0xc6 => match self.token()? {
                Token::Bin(bytes) => {
                    let bytes: SeqDeserializer<_, Error> =
                        SeqDeserializer::new(bytes.iter().copied());
                    let value = visitor.visit_seq(bytes);
                    value.map_err(|error| error.at_offset(start))
                }
                _ => Err(self.truncated()),
            },
            _ => self.any(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let start = self.offset();
        match self.first() {
            first @ 0x80..=0x8f if 2 * usize::from(first & 15) < self.reader.rest().len() => {
                self.reader.skip(1);
                let value = self.map(u32::from(first & 15), visitor);
                value.map_err(|error| error.at_offset(start))
            }
            _ => self.any(visitor),
        }
    }

    /// A map, or an array of the fields in order.
    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let start = self.offset();
        let value = match self.token()? {
            Token::Str(name) => visitor.visit_enum(name.into_deserializer()),
            Token::Uint(index) => visitor.visit_enum((index as u32).into_deserializer()),
            Token::Map(1) => self.nested(|unpacker| visitor.visit_enum(Variant { unpacker })),
            Token::Map(_) => Err(Error::data(
                "expected a map of one member, the name of a variant and its content",
            )),
            _ => Err(Error::data(
                "expected a variant: a string, or a map of one member",
            )),
        };
        value.map_err(|error: Error| error.at_offset(start))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip_value()?;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde_core::forward_to_deserialize_any! {
        f32 char bytes byte_buf
    }
}
