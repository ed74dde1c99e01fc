//! The calls of a deserializer.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// A call of a visitor's method, with floats as bits, and whether strings and bytes were borrowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Unit,
    None,
    Some(Box<Seen>),
    Bool(bool),
    I64(i64),
    U64(u64),
    I128(i128),
    U128(u128),
    F32(u32),
    F64(u64),
    Str(String, bool),
    Bytes(Vec<u8>, bool),
    Newtype(Box<Seen>),
    Seq(Vec<Seen>),
    Map(Vec<(Seen, Seen)>),
    Enum(usize, Box<Seen>),
}

/// Accepts every value with `deserialize_any`.
#[derive(Clone, Copy)]
pub(crate) struct Recorder;

impl<'de> DeserializeSeed<'de> for Recorder {
    type Value = Seen;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        from.deserialize_any(self)
    }
}

macro_rules! visits {
    ($($visit:ident $type:ty: $seen:expr;)*) => {$(
        fn $visit<E: Error>(self, value: $type) -> Result<Seen, E> {
            Ok($seen(value))
        }
    )*};
}

impl<'de> Visitor<'de> for Recorder {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visits! {
        visit_bool bool: Seen::Bool;
        visit_i64 i64: Seen::I64;
        visit_u64 u64: Seen::U64;
        visit_i128 i128: Seen::I128;
        visit_u128 u128: Seen::U128;
        visit_f32 f32: |value: f32| Seen::F32(value.to_bits());
        visit_f64 f64: |value: f64| Seen::F64(value.to_bits());
        visit_str &str: |value: &str| Seen::Str(value.into(), false);
        visit_borrowed_str &'de str: |value: &str| Seen::Str(value.into(), true);
        visit_bytes &[u8]: |value: &[u8]| Seen::Bytes(value.into(), false);
        visit_borrowed_bytes &'de [u8]: |value: &[u8]| Seen::Bytes(value.into(), true);
    }

    fn visit_unit<E: Error>(self) -> Result<Seen, E> {
        Ok(Seen::Unit)
    }

    fn visit_none<E: Error>(self) -> Result<Seen, E> {
        Ok(Seen::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        Ok(Seen::Some(Box::new(self.deserialize(from)?)))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        Ok(Seen::Newtype(Box::new(self.deserialize(from)?)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Seen, A::Error> {
        let mut seen = Vec::new();
        while let Some(one) = from.next_element_seed(Recorder)? {
            seen.push(one);
        }
        Ok(Seen::Seq(seen))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Seen, A::Error> {
        let mut seen = Vec::new();
        while let Some(one) = from.next_entry_seed(Recorder, Recorder)? {
            seen.push(one);
        }
        Ok(Seen::Map(seen))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Seen, A::Error> {
        let (name, content) = from.variant_seed(Recorder)?;
        let content = content.newtype_variant_seed(Recorder)?;
        Ok(Seen::Map(vec![(name, content)]))
    }
}
