//! Code shared by the readers and writers of all formats in the data model of `serde`.

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, VariantAccess, Visitor};

/// The name of a [`Raw`](crate::Raw): a newtype struct of a string with the source text of the value.
pub(super) const RAW: &str = "$jsonx_core::Raw";

/// The name of a [`Spanned`](crate::Spanned): read as the sequence of its start, its value and its end.
pub(super) const SPANNED: &str = "$jsonx_core::Spanned";

/// The names under which `serde_json` passes its own types to other formats: a number of the feature `arbitrary_precision`, and
/// a `RawValue`. Each is a structure of one field with the same name, a string with the text of the value.
pub(super) const SERDE_JSON: [&str; 2] = [SERDE_JSON_RAW, "$serde_json::private::Number"];
pub(super) const SERDE_JSON_RAW: &str = "$serde_json::private::RawValue";

/// The content of a variant: the next value of a reader.
pub(super) struct VariantContent<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> VariantAccess<'de> for VariantContent<D> {
    type Error = D::Error;

    fn unit_variant(self) -> Result<(), D::Error> {
        Deserialize::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, D::Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct("", fields, visitor)
    }
}

/// Methods of a `Serializer`: `None` is null, `Some` the value itself, and a unit variant its name.
macro_rules! forward_to_serialize {
    () => {
        fn serialize_none(self) -> Result<Self::Ok, Self::Error> {
            self.serialize_unit()
        }

        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Self::Error> {
            value.serialize(self)
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Self::Error> {
            self.serialize_unit()
        }

        fn serialize_unit_variant(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
        ) -> Result<Self::Ok, Self::Error> {
            self.serialize_str(variant)
        }
    };
}

/// The traits of sequences for a type with the methods `element` and `close`.
macro_rules! serialize_elements {
    ($items:ty: $($trait:ident $name:ident)*) => {$(
        impl ser::$trait for $items {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $name<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
    ($items:ty) => {
        serialize_elements! {
            $items:
            SerializeSeq serialize_element
            SerializeTuple serialize_element
            SerializeTupleStruct serialize_field
            SerializeTupleVariant serialize_field
        }
    };
}

pub(super) use {forward_to_serialize, serialize_elements};
