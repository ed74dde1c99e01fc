//! Types generated at run time: a shape calls a deserializer like a type would, and records the result.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use super::choices::Choices;
use super::seen::{Recorder, Seen};

pub(crate) const FIELDS: [&str; 8] = [
    "a",
    "b",
    "type",
    "é",
    "",
    "back\\slash",
    "a_longer_name_of_a_field",
    "t",
];
pub(crate) const VARIANTS: [&str; 5] = ["Unit", "Newtype", "Tuple", "Struct", "ü\n"];

/// A request to a deserializer.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Any,
    Ignored,
    Scalar(Scalar),
    /// Like a scalar, but with a visitor that accepts everything.
    Hint(Scalar),
    Option(Box<Shape>),
    UnitStruct,
    Newtype(Box<Shape>),
    Seq(Box<Shape>),
    /// Takes only the first element or member.
    First(Box<Shape>),
    Tuple(Vec<Shape>),
    TupleStruct(Vec<Shape>),
    Map(Key, Box<Shape>),
    /// A prefix of [`FIELDS`]; whether others are denied.
    Struct(Vec<Shape>, bool),
    /// A prefix of [`VARIANTS`].
    Enum(Vec<Variant>),
}

#[derive(Clone, Debug)]
pub(crate) enum Variant {
    Unit,
    Newtype(Shape),
    Tuple(Vec<Shape>),
    Struct(Vec<Shape>),
}

/// The key of a map: a scalar, or read like a value.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Scalar(Scalar),
    Shape(Box<Shape>),
}

macro_rules! scalars {
    ($($name:ident $type:ty, $ask:ident, $seen:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Scalar { $($name),* }

        pub(crate) const SCALARS: &[Scalar] = &[$(Scalar::$name),*];

        impl<'de> DeserializeSeed<'de> for Scalar {
            type Value = Seen;

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
                match self {
                    $(Scalar::$name => <$type>::deserialize(from).map($seen)),*
                }
            }
        }

        impl Scalar {
            fn ask<'de, D: Deserializer<'de>>(self, from: D, visitor: Recorder) -> Result<Seen, D::Error> {
                match self {
                    $(Scalar::$name => from.$ask(visitor)),*
                }
            }
        }
    };
}

scalars! {
    U8 u8, deserialize_u8, |v| Seen::U64(v.into());
    Bool bool, deserialize_bool, Seen::Bool;
    I8 i8, deserialize_i8, |v| Seen::I64(v.into());
    I16 i16, deserialize_i16, |v| Seen::I64(v.into());
    I32 i32, deserialize_i32, |v| Seen::I64(v.into());
    I64 i64, deserialize_i64, Seen::I64;
    I128 i128, deserialize_i128, Seen::I128;
    U16 u16, deserialize_u16, |v| Seen::U64(v.into());
    U32 u32, deserialize_u32, |v| Seen::U64(v.into());
    U64 u64, deserialize_u64, Seen::U64;
    U128 u128, deserialize_u128, Seen::U128;
    F32 f32, deserialize_f32, |v: f32| Seen::F32(v.to_bits());
    F64 f64, deserialize_f64, |v: f64| Seen::F64(v.to_bits());
    Char char, deserialize_char, |v: char| Seen::Str(v.into(), false);
    Str &str, deserialize_str, |v: &str| Seen::Str(v.into(), true);
    String String, deserialize_string, |v| Seen::Str(v, false);
    Identifier String, deserialize_identifier, |v| Seen::Str(v, false);
    Bytes &[u8], deserialize_bytes, |v: &[u8]| Seen::Bytes(v.into(), true);
    ByteBuf &[u8], deserialize_byte_buf, |v: &[u8]| Seen::Bytes(v.into(), true);
    Unit (), deserialize_unit, |()| Seen::Unit;
}

impl Shape {
    pub(crate) fn choose(choices: &mut Choices<'_>, depth: usize) -> Shape {
        let scalar = |choices: &mut Choices<'_>| choices.of(SCALARS);
        if depth == 0 {
            return Shape::Scalar(scalar(choices));
        }
        let child = |choices: &mut Choices<'_>| Box::new(Shape::choose(choices, depth - 1));
        let some = |choices: &mut Choices<'_>, upto| {
            choices.list(upto, |choices| Shape::choose(choices, depth - 1))
        };
        match choices.below(18) {
            0..=2 => Shape::Scalar(scalar(choices)),
            3 => Shape::Any,
            4 => Shape::Ignored,
            5 => Shape::Hint(scalar(choices)),
            6 => Shape::Option(child(choices)),
            7 => Shape::UnitStruct,
            8 => Shape::Newtype(child(choices)),
            9 => Shape::Seq(child(choices)),
            10 => Shape::First(child(choices)),
            11 => Shape::Tuple(some(choices, 3)),
            12 => Shape::TupleStruct(some(choices, 3)),
            13 | 14 => Shape::Map(
                if choices.once_in(3) {
                    Key::Shape(child(choices))
                } else {
                    Key::Scalar(scalar(choices))
                },
                child(choices),
            ),
            15 | 16 => Shape::Struct(some(choices, FIELDS.len()), choices.once_in(2)),
            _ => Shape::Enum(
                choices.list(VARIANTS.len(), |choices| match choices.below(4) {
                    0 => Variant::Unit,
                    1 => Variant::Newtype(*child(choices)),
                    2 => Variant::Tuple(some(choices, 3)),
                    _ => Variant::Struct(some(choices, 3)),
                }),
            ),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &Shape {
    type Value = Seen;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        let visitor = Takes(self);
        match self {
            Shape::Any => from.deserialize_any(Recorder),
            Shape::Ignored => IgnoredAny::deserialize(from).map(|_| Seen::Unit),
            Shape::Scalar(scalar) => scalar.deserialize(from),
            Shape::Hint(scalar) => match (scalar, scalar.ask(from, Recorder)?) {
                // serde_json passes singles as doubles.
                (Scalar::F32, Seen::F64(bits)) => {
                    Ok(Seen::F32((f64::from_bits(bits) as f32).to_bits()))
                }
                (Scalar::F32, Seen::U64(value)) => Ok(Seen::F32((value as f32).to_bits())),
                (Scalar::F32, Seen::I64(value)) => Ok(Seen::F32((value as f32).to_bits())),
                (_, seen) => Ok(seen),
            },
            Shape::Option(_) => from.deserialize_option(visitor),
            Shape::UnitStruct => from.deserialize_unit_struct("UnitStruct", Recorder),
            Shape::Newtype(_) => from.deserialize_newtype_struct("Newtype", visitor),
            Shape::Seq(_) => from.deserialize_seq(visitor),
            Shape::First(_) => from.deserialize_any(visitor),
            Shape::Tuple(shapes) => from.deserialize_tuple(shapes.len(), visitor),
            Shape::TupleStruct(shapes) => {
                from.deserialize_tuple_struct("TupleStruct", shapes.len(), visitor)
            }
            Shape::Map(..) => from.deserialize_map(visitor),
            Shape::Struct(shapes, _) => {
                from.deserialize_struct("Struct", &FIELDS[..shapes.len()], visitor)
            }
            Shape::Enum(variants) => {
                from.deserialize_enum("Enum", &VARIANTS[..variants.len()], visitor)
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for &Key {
    type Value = Seen;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        match self {
            Key::Scalar(scalar) => scalar.deserialize(from),
            Key::Shape(shape) => shape.deserialize(from),
        }
    }
}

/// The visitor of a shape.
struct Takes<'s>(&'s Shape);

fn tuple<'de, A: SeqAccess<'de>>(shapes: &[Shape], mut from: A) -> Result<Seen, A::Error> {
    let mut seen = Vec::new();
    for (index, shape) in shapes.iter().enumerate() {
        match from.next_element_seed(shape)? {
            Some(one) => seen.push(one),
            None => return Err(A::Error::invalid_length(index, &"more elements")),
        }
    }
    Ok(Seen::Seq(seen))
}

fn fields<'de, A: MapAccess<'de>>(
    shapes: &[Shape],
    denies: bool,
    mut from: A,
) -> Result<Seen, A::Error> {
    let names = &FIELDS[..shapes.len()];
    let mut seen: Vec<Option<Seen>> = vec![None; shapes.len()];
    while let Some(field) = from.next_key_seed(Name(names))? {
        match field {
            Ok(field) if seen[field].is_some() => {
                return Err(A::Error::duplicate_field(names[field]));
            }
            Ok(field) => seen[field] = Some(from.next_value_seed(&shapes[field])?),
            Err(name) if denies => return Err(A::Error::unknown_field(&name, names)),
            Err(_) => drop(from.next_value::<IgnoredAny>()?),
        }
    }
    let seen = seen.into_iter().zip(shapes).zip(names);
    let seen = seen.map(|((seen, shape), name)| match (seen, shape) {
        (Some(seen), _) => Ok(seen),
        (None, Shape::Option(_)) => Ok(Seen::None),
        _ => Err(A::Error::missing_field(name)),
    });
    seen.collect::<Result<_, _>>().map(Seen::Seq)
}

/// The index of a name, or the name.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        let index = self.0.iter().position(|&known| known == name);
        Ok(index.ok_or_else(|| name.to_owned()))
    }
}

impl<'de> Visitor<'de> for Takes<'_> {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what the shape asks for")
    }

    fn visit_none<E: Error>(self) -> Result<Seen, E> {
        Ok(Seen::None)
    }

    fn visit_unit<E: Error>(self) -> Result<Seen, E> {
        match self.0 {
            Shape::Option(_) => Ok(Seen::None),
            _ => Err(E::custom("no unit")),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        match self.0 {
            Shape::Option(shape) => Ok(Seen::Some(Box::new(shape.deserialize(from)?))),
            _ => Err(D::Error::custom("no option")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Seen, D::Error> {
        match self.0 {
            Shape::Newtype(shape) => Ok(Seen::Newtype(Box::new(shape.deserialize(from)?))),
            _ => Err(D::Error::custom("no newtype")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Seen, A::Error> {
        match self.0 {
            Shape::Seq(shape) => {
                let mut seen = Vec::new();
                while let Some(one) = from.next_element_seed(&**shape)? {
                    seen.push(one);
                }
                Ok(Seen::Seq(seen))
            }
            Shape::First(shape) => {
                let first = from.next_element_seed(&**shape)?;
                Ok(Seen::Seq(first.into_iter().collect()))
            }
            Shape::Tuple(shapes) | Shape::TupleStruct(shapes) | Shape::Struct(shapes, _) => {
                tuple(shapes, from)
            }
            _ => Err(A::Error::custom("no sequence")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Seen, A::Error> {
        match self.0 {
            Shape::Map(key, shape) => {
                let mut seen = Vec::new();
                while let Some(key) = from.next_key_seed(key)? {
                    seen.push((key, from.next_value_seed(&**shape)?));
                }
                Ok(Seen::Map(seen))
            }
            Shape::First(shape) => {
                let key = Key::Scalar(Scalar::String);
                let first = from.next_entry_seed(&key, &**shape)?;
                Ok(Seen::Map(first.into_iter().collect()))
            }
            Shape::Struct(shapes, denies) => fields(shapes, *denies, from),
            _ => Err(A::Error::custom("no map")),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Seen, A::Error> {
        let Shape::Enum(variants) = self.0 else {
            return Err(A::Error::custom("no enum"));
        };
        let names = &VARIANTS[..variants.len()];
        let (name, content) = from.variant_seed(Name(names))?;
        let index = name.map_err(|name| A::Error::unknown_variant(&name, names))?;
        let seen = match &variants[index] {
            Variant::Unit => content.unit_variant().map(|()| Seen::Unit),
            Variant::Newtype(shape) => content.newtype_variant_seed(shape),
            Variant::Tuple(shapes) => {
                let takes = Shape::Tuple(shapes.clone());
                content.tuple_variant(shapes.len(), Takes(&takes))
            }
            Variant::Struct(shapes) => {
                let takes = Shape::Struct(shapes.clone(), false);
                content.struct_variant(&FIELDS[..shapes.len()], Takes(&takes))
            }
        };
        Ok(Seen::Enum(index, Box::new(seen?)))
    }
}
