//! Values to JSON.

use core::fmt;
use std::io::Write as _;

use serde_core::ser::{self, Serialize};

use super::raw;
use crate::error::Error;
use crate::number::NonFinite;
use crate::number::print::{Ieee754, push_float, push_i64, push_u64};
use crate::string::{escape, find_special};

/// Writes values as minified JSON into memory, for `serde`. [`to_vec`](crate::to_vec) is the short form, and
/// [`Formatter`](crate::format::Formatter) lays text out.
///
/// ```
/// use jsonx_core::Serializer;
/// use serde::Serialize;
///
/// let mut writer = Serializer::default();
/// [1, 2].serialize(&mut writer)?;
/// assert_eq!(writer.into_vec(), b"[1,2]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer {
    text: Vec<u8>,
    non_finite: NonFinite,
}

impl Default for Serializer {
    fn default() -> Self {
        Serializer {
            text: Vec::new(),
            non_finite: NonFinite::Null,
        }
    }
}

impl Serializer {
    /// Sets what becomes of infinity and NaN.
    ///
    /// ```
    /// use jsonx_core::Serializer;
    /// use jsonx_core::number::NonFinite;
    /// use serde::Serialize;
    ///
    /// let mut writer = Serializer::default().non_finite(NonFinite::Error);
    /// assert!(f64::INFINITY.serialize(&mut writer).is_err());
    /// ```
    #[must_use]
    pub fn non_finite(self, non_finite: NonFinite) -> Self {
        Serializer { non_finite, ..self }
    }

    /// What was written.
    ///
    /// ```
    /// assert!(jsonx_core::Serializer::default().into_vec().is_empty());
    /// ```
    pub fn into_vec(self) -> Vec<u8> {
        self.text
    }

    fn string(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.text.reserve(bytes.len() + 2);
        self.text.push(b'"');
        let mut from = 0;
        loop {
            let at = find_special(bytes, from);
            self.text.extend_from_slice(&bytes[from..at]);
            let Some(&byte) = bytes.get(at) else {
                break;
            };
            self.text
                .extend_from_slice(escape(char::from(byte)).as_bytes());
            from = at + 1;
        }
        self.text.push(b'"');
    }

    /// Writes what a string has the text of.
    fn verbatim<T: Serialize + ?Sized>(&mut self, text: &T) -> Result<(), Error> {
        let start = self.text.len();
        text.serialize(&mut *self)?;
        let written = self.text.split_off(start);
        let inner = written.get(1..written.len() - 1).unwrap_or_default();
        crate::string::decode_into(inner, &mut self.text)
            .map(drop)
            .map_err(Error::from)
    }

    fn display(&mut self, value: impl fmt::Display) {
        let written = write!(self.text, "{value}");
        debug_assert!(written.is_ok(), "a vector takes all bytes");
    }

    /// A finite float in its fewest digits.
    fn float(&mut self, value: impl Ieee754 + fmt::Debug, is_finite: bool) -> Result<(), Error> {
        match (is_finite, self.non_finite) {
            (true, _) => push_float(value, &mut self.text),
            (false, NonFinite::Null) => self.text.extend_from_slice(b"null"),
            (false, NonFinite::Error) => {
                let message = format!("JSON cannot write the number {value:?}");
                return Err(Error::data(message));
            }
        }
        Ok(())
    }

    fn open(&mut self, bracket: u8) -> Items<'_> {
        self.text.push(bracket);
        Items {
            writer: self,
            is_first: true,
            close: match bracket {
                b'[' => b"]",
                _ => b"}",
            },
        }
    }

    /// The start of an object with one member, whose value is a container.
    fn open_variant(&mut self, variant: &str, bracket: u8) -> Items<'_> {
        self.text.push(b'{');
        self.string(variant);
        self.text.push(b':');
        Items {
            close: match bracket {
                b'[' => b"]}",
                _ => b"}}",
            },
            ..self.open(bracket)
        }
    }
}

macro_rules! integers {
    ($print:ident $wide:ty: $($name:ident $type:ty)*) => {$(
        fn $name(self, value: $type) -> Result<(), Error> {
            $print(<$wide>::from(value), &mut self.text);
            Ok(())
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Items<'a>;
    type SerializeStructVariant = Items<'a>;

    integers! { push_i64 i64: serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 }
    integers! { push_u64 u64: serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        self.display(value);
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.display(value);
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.display(value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.float(value, value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(value, value.is_finite())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.text.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match name == raw::NAME {
            true => self.verbatim(value),
            false => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.text.push(b'{');
        self.string(variant);
        self.text.push(b':');
        value.serialize(&mut *self)?;
        self.text.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Error> {
        Ok(self.open_variant(variant, b'['))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>, Error> {
        Ok(self.open(b'{'))
    }

    fn serialize_struct(self, name: &'static str, fields: usize) -> Result<Items<'a>, Error> {
        if fields == 1 && raw::SERDE_JSON.contains(&name) {
            return Ok(Items {
                writer: self,
                is_first: true,
                close: b"",
            });
        }
        Ok(self.open(b'{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Error> {
        Ok(self.open_variant(variant, b'{'))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.string(&value.to_string());
        Ok(())
    }
}

/// The elements or members of a container that is open.
#[derive(Debug)]
pub struct Items<'a> {
    writer: &'a mut Serializer,
    is_first: bool,
    /// Nothing for a value whose only field is a string with its text.
    close: &'static [u8],
}

impl Items<'_> {
    fn separate(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.writer.text.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        value.serialize(&mut *self.writer)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.separate();
        self.writer.string(key);
        self.writer.text.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn close(self) -> Result<(), Error> {
        self.writer.text.extend_from_slice(self.close);
        Ok(())
    }
}

macro_rules! elements {
    ($($trait:ident $name:ident)*) => {$(
        impl ser::$trait for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn $name<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                match self.close {
                    b"" => self.writer.verbatim(value),
                    _ => self.field(key, value),
                }
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.writer.text.len();
        key.serialize(&mut *self.writer)?;
        let written = &self.writer.text[start..];
        match written.first() {
            Some(b'"') => Ok(()),
            // A number, or a boolean.
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.writer.text.insert(start, b'"');
                self.writer.text.push(b'"');
                Ok(())
            }
            _ => Err(Error::data("a key must be a string, a number or a boolean")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.text.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}
