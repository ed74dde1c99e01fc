//! Serializes to MessagePack.

use core::fmt;

use serde_core::ser::{self, Serialize};

use crate::data_model::{RAW, SERDE_JSON, forward_to_serialize, serialize_elements};
use crate::error::Error;
use crate::msgpack::{EncodeOptions, Growing, Reader, Token, Writer, from_json};

/// Writes values for `serde`.
pub(super) struct Packer {
    out: Writer<Growing>,
}

impl Default for Packer {
    fn default() -> Self {
        Packer {
            out: Writer::growing(),
        }
    }
}

impl Packer {
    pub(super) fn into_vec(self) -> Vec<u8> {
        self.out.into_vec()
    }

    /// Begins a container of as many values or pairs as the type announces.
    #[inline]
    fn open(&mut self, is_map: bool, announced: Option<usize>) -> Result<Items<'_>, Error> {
        // The announced length only selects the form of the header.
        let announced = announced.and_then(|count| u32::try_from(count).ok());
        let announced = announced.unwrap_or(0);
        let header = self.out.as_bytes().len();
        match is_map {
            true => self.out.map(announced)?,
            false => self.out.array(announced)?,
        }
        Ok(Items {
            packer: self,
            header,
            is_map,
            announced,
            count: 0,
        })
    }

    /// Begins the map of one member for a variant with content.
    fn begin_variant(&mut self, variant: &str) -> Result<(), Error> {
        self.out.map(1)?;
        Ok(self.out.str(variant)?)
    }

    /// Converts the JSON text in a string.
    #[cold]
    fn json<T: Serialize + ?Sized>(&mut self, text: &T) -> Result<(), Error> {
        let start = self.out.as_bytes().len();
        text.serialize(&mut *self)?;
        let packed = match Reader::new(&self.out.as_bytes()[start..]).token()? {
            Some(Token::Str(text)) => from_json(text.as_bytes(), EncodeOptions::default())?,
            _ => return Err(Error::data("expected the text of a value")),
        };
        self.out.truncate(start);
        Ok(self.out.packed(&packed)?)
    }
}

macro_rules! scalars {
    ($($name:ident $type:ty, $write:ident $wide:ty;)*) => {$(
        #[inline]
        fn $name(self, value: $type) -> Result<(), Error> {
            Ok(self.out.$write(<$wide>::from(value))?)
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Packer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Items<'a>;

    scalars! {
        serialize_bool bool, bool bool;
        serialize_i8 i8, int i64;
        serialize_i16 i16, int i64;
        serialize_i32 i32, int i64;
        serialize_i64 i64, int i64;
        serialize_u8 u8, uint u64;
        serialize_u16 u16, uint u64;
        serialize_u32 u32, uint u64;
        serialize_u64 u64, uint u64;
        serialize_f32 f32, float32 f32;
        serialize_f64 f64, float f64;
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => self.serialize_u64(value),
            (_, Ok(value)) => self.serialize_i64(value),
            _ => self.serialize_bytes(&value.to_be_bytes()),
        }
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        match u64::try_from(value) {
            Ok(value) => self.serialize_u64(value),
            Err(_) => self.serialize_bytes(&value.to_be_bytes()),
        }
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        Ok(self.out.str(value)?)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        Ok(self.out.bin(value)?)
    }

    forward_to_serialize! {}

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(self.out.nil()?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match name == RAW {
            true => self.json(value),
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
        self.begin_variant(variant)?;
        value.serialize(self)
    }

    fn serialize_seq(self, count: Option<usize>) -> Result<Items<'a>, Error> {
        self.open(false, count)
    }

    fn serialize_tuple(self, count: usize) -> Result<Items<'a>, Error> {
        self.open(false, Some(count))
    }

    fn serialize_tuple_struct(self, _: &'static str, count: usize) -> Result<Items<'a>, Error> {
        self.open(false, Some(count))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        count: usize,
    ) -> Result<Items<'a>, Error> {
        self.begin_variant(variant)?;
        self.open(false, Some(count))
    }

    fn serialize_map(self, count: Option<usize>) -> Result<Items<'a>, Error> {
        self.open(true, count)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, count: usize) -> Result<Fields<'a>, Error> {
        match count == 1 && SERDE_JSON.contains(&name) {
            true => Ok(Fields::Json(self)),
            false => Ok(Fields::Map(self.open(true, Some(count))?)),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        count: usize,
    ) -> Result<Items<'a>, Error> {
        self.begin_variant(variant)?;
        self.open(true, Some(count))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.serialize_str(&value.to_string())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The values of an open container.
pub(super) struct Items<'a> {
    packer: &'a mut Packer,
    /// The position of its header.
    header: usize,
    is_map: bool,
    /// The length in the header, and the number of values or pairs written.
    announced: u32,
    count: u64,
}

impl Items<'_> {
    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.count += 1;
        value.serialize(&mut *self.packer)
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.count += 1;
        self.packer.out.str(key)?;
        value.serialize(&mut *self.packer)
    }

    #[inline]
    fn close(self) -> Result<(), Error> {
        match self.count == u64::from(self.announced) {
            true => Ok(()),
            false => self.set_length(),
        }
    }

    /// Corrects the length in the header.
    #[inline(never)]
    fn set_length(self) -> Result<(), Error> {
        let Items {
            header,
            is_map,
            announced,
            count,
            ..
        } = self;
        let out = &mut self.packer.out;
        Ok(out.set_length(header, is_map, announced, count)?)
    }
}

serialize_elements!(Items<'_>);

impl ser::SerializeMap for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.element(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.packer)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeStructVariant for Items<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

/// The fields of a structure, or the only field of one that is JSON text.
pub(super) enum Fields<'a> {
    Map(Items<'a>),
    Json(&'a mut Packer),
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match self {
            Fields::Map(items) => items.field(key, value),
            Fields::Json(packer) => packer.json(value),
        }
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        match self {
            Fields::Map(items) => items.close(),
            Fields::Json(_) => Ok(()),
        }
    }
}
