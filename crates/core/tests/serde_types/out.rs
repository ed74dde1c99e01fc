//! Values that use every method of a serializer.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::choices::Choices;
use super::shape::{FIELDS, VARIANTS};

#[derive(Clone, Debug)]
enum Out {
    Unit,
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Str(String),
    /// Through `Display`.
    Displayed(String),
    Bytes(Vec<u8>),
    None,
    Some(Box<Out>),
    UnitStruct,
    UnitVariant(usize),
    Newtype(Box<Out>),
    NewtypeVariant(usize, Box<Out>),
    /// Whether its length is known.
    Seq(Vec<Out>, bool),
    Tuple(Vec<Out>),
    TupleStruct(Vec<Out>),
    TupleVariant(usize, Vec<Out>),
    /// Whether its length is known, and each entry is written at once.
    Map(Vec<(Out, Out)>, bool),
    Struct(Vec<Out>),
    StructVariant(usize, Vec<Out>),
    Fails,
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "é",
    "\"",
    "\\",
    "/",
    "\n\r\t\u{8}\u{c}",
    "\u{0}\u{1f}",
    "\u{7f}\u{80}\u{2028}",
    "😀",
    "a longer text of more than thirty-two bytes, \"some\" of them escaped\n",
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    0.1,
    1e15,
    1e16,
    1e17,
    123456789012345680.0,
    1e-5,
    1e-6,
    1e-7,
    1e21,
    1e22,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    16777217.0,
    0.3,
];

impl Out {
    fn choose(choices: &mut Choices<'_>, depth: usize) -> Out {
        let inner = |choices: &mut Choices<'_>| Out::choose(choices, depth.saturating_sub(1));
        let boxed = |choices: &mut Choices<'_>| Box::new(inner(choices));
        let kinds = if depth == 0 { 19 } else { 33 };
        match choices.below(kinds) {
            0 => Out::Unit,
            1 => Out::Bool(choices.once_in(2)),
            2 => Out::I8(choices.wide() as i8),
            3 => Out::I16(choices.wide() as i16),
            4 => Out::I32(choices.wide() as i32),
            5 => Out::I64(choices.wide() as i64 >> choices.below(64)),
            6 => Out::I128(
                (i128::from(choices.wide() as i64) << 64 | i128::from(choices.wide()))
                    >> choices.below(128),
            ),
            7 => Out::U8(choices.wide() as u8),
            8 => Out::U16(choices.wide() as u16),
            9 => Out::U32(choices.wide() as u32),
            10 => Out::U64(choices.wide() >> choices.below(64)),
            11 => Out::U128(
                (u128::from(choices.wide()) << 64 | u128::from(choices.wide()))
                    >> choices.below(128),
            ),
            12 => Out::F32(if choices.once_in(2) {
                choices.of(FLOATS) as f32
            } else {
                f32::from_bits(choices.wide() as u32)
            }),
            13 => Out::F64(if choices.once_in(2) {
                choices.of(FLOATS)
            } else {
                f64::from_bits(choices.wide())
            }),
            14 => Out::Char(char::from_u32(choices.wide() as u32 % 0x11_0000).unwrap_or('"')),
            15 => Out::Str(choices.of(TEXTS).into()),
            16 => Out::Displayed(choices.of(TEXTS).into()),
            17 => Out::None,
            18 => Out::UnitVariant(choices.below(VARIANTS.len())),
            19 => Out::UnitStruct,
            20 => Out::Bytes(choices.list(4, |choices| choices.wide() as u8)),
            21 => Out::Some(boxed(choices)),
            22 => Out::Newtype(boxed(choices)),
            23 => Out::NewtypeVariant(choices.below(VARIANTS.len()), boxed(choices)),
            24 | 25 => Out::Seq(choices.list(4, inner), choices.once_in(2)),
            26 => Out::Tuple(choices.list(3, inner)),
            27 => Out::TupleStruct(choices.list(3, inner)),
            28 => Out::TupleVariant(choices.below(VARIANTS.len()), choices.list(3, inner)),
            29 => {
                // Most keys are valid keys.
                let key = |choices: &mut Choices<'_>| {
                    if choices.once_in(12) {
                        Out::choose(choices, 2)
                    } else {
                        match choices.below(16) {
                            0 | 12.. => Out::Str(choices.of(TEXTS).into()),
                            1 => Out::Bool(choices.once_in(2)),
                            2 => Out::I8(choices.wide() as i8),
                            3 => Out::I64(choices.wide() as i64),
                            4 => Out::U128(choices.wide().into()),
                            5 => Out::I128(-i128::from(choices.wide())),
                            6 => Out::U64(choices.wide()),
                            7 => Out::F32(choices.below(100) as f32 / 8.0),
                            8 => Out::F64(choices.below(100) as f64 / 10.0),
                            9 => Out::Char('"'),
                            10 => Out::UnitVariant(choices.below(VARIANTS.len())),
                            _ => Out::Newtype(Box::new(Out::Displayed("k".into()))),
                        }
                    }
                };
                Out::Map(
                    choices.list(4, |choices| (key(choices), inner(choices))),
                    choices.once_in(2),
                )
            }
            30 => Out::Struct(choices.list(FIELDS.len(), inner)),
            31 => Out::StructVariant(
                choices.below(VARIANTS.len()),
                choices.list(FIELDS.len(), inner),
            ),
            _ => {
                if choices.once_in(8) {
                    Out::Fails
                } else {
                    Out::Unit
                }
            }
        }
    }
}

impl Serialize for Out {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let number = |index: &usize| u32::try_from(*index).expect("a few");
        match self {
            Out::Unit => to.serialize_unit(),
            Out::Bool(value) => to.serialize_bool(*value),
            Out::I8(value) => to.serialize_i8(*value),
            Out::I16(value) => to.serialize_i16(*value),
            Out::I32(value) => to.serialize_i32(*value),
            Out::I64(value) => to.serialize_i64(*value),
            Out::I128(value) => to.serialize_i128(*value),
            Out::U8(value) => to.serialize_u8(*value),
            Out::U16(value) => to.serialize_u16(*value),
            Out::U32(value) => to.serialize_u32(*value),
            Out::U64(value) => to.serialize_u64(*value),
            Out::U128(value) => to.serialize_u128(*value),
            Out::F32(value) => to.serialize_f32(*value),
            Out::F64(value) => to.serialize_f64(*value),
            Out::Char(value) => to.serialize_char(*value),
            Out::Str(value) => to.serialize_str(value),
            Out::Displayed(value) => to.collect_str(value),
            Out::Bytes(value) => to.serialize_bytes(value),
            Out::None => to.serialize_none(),
            Out::Some(value) => to.serialize_some(value),
            Out::UnitStruct => to.serialize_unit_struct("UnitStruct"),
            Out::UnitVariant(index) => {
                to.serialize_unit_variant("Enum", number(index), VARIANTS[*index])
            }
            Out::Newtype(value) => to.serialize_newtype_struct("Newtype", value),
            Out::NewtypeVariant(index, value) => {
                to.serialize_newtype_variant("Enum", number(index), VARIANTS[*index], value)
            }
            Out::Seq(values, known) => {
                let mut seq = to.serialize_seq(known.then_some(values.len()))?;
                values
                    .iter()
                    .try_for_each(|value| seq.serialize_element(value))?;
                seq.end()
            }
            Out::Tuple(values) => {
                let mut tuple = to.serialize_tuple(values.len())?;
                values
                    .iter()
                    .try_for_each(|value| tuple.serialize_element(value))?;
                tuple.end()
            }
            Out::TupleStruct(values) => {
                let mut tuple = to.serialize_tuple_struct("TupleStruct", values.len())?;
                values
                    .iter()
                    .try_for_each(|value| tuple.serialize_field(value))?;
                tuple.end()
            }
            Out::TupleVariant(index, values) => {
                let name = VARIANTS[*index];
                let mut tuple =
                    to.serialize_tuple_variant("Enum", number(index), name, values.len())?;
                values
                    .iter()
                    .try_for_each(|value| tuple.serialize_field(value))?;
                tuple.end()
            }
            Out::Map(entries, together) => {
                let mut map = to.serialize_map(together.then_some(entries.len()))?;
                for (key, value) in entries {
                    if *together {
                        map.serialize_entry(key, value)?;
                    } else {
                        map.serialize_key(key)?;
                        map.serialize_value(value)?;
                    }
                }
                map.end()
            }
            Out::Struct(values) => {
                let mut fields = to.serialize_struct("Struct", values.len())?;
                for (name, value) in FIELDS.iter().zip(values) {
                    match value {
                        Out::None => fields.skip_field(name)?,
                        _ => fields.serialize_field(name, value)?,
                    }
                }
                fields.end()
            }
            Out::StructVariant(index, values) => {
                let name = VARIANTS[*index];
                let mut fields =
                    to.serialize_struct_variant("Enum", number(index), name, values.len())?;
                for (name, value) in FIELDS.iter().zip(values) {
                    match value {
                        Out::None => fields.skip_field(name)?,
                        _ => fields.serialize_field(name, value)?,
                    }
                }
                fields.end()
            }
            Out::Fails => Err(S::Error::custom("this value has no JSON")),
        }
    }
}

/// Whether two texts are equal except for the exponents of floats: `1e16` is `1e+16` in some versions of `serde_json`.
fn is_same(ours: &str, theirs: &str) -> bool {
    let parts = |text: &'_ str| {
        let parts = text.split_inclusive(|c: char| "[]{},: \n\"".contains(c));
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let (ours, theirs) = (parts(ours), parts(theirs));
    let are_same = |(one, other): (&String, &String)| {
        if one == other {
            return true;
        }
        let end = |text: &str| {
            text.trim_start_matches(|c: char| "+-.e0123456789".contains(c))
                .to_owned()
        };
        let float = |text: &str| text.trim_end_matches(&end(text)).parse().map(f64::to_bits);
        end(one) == end(other) && float(one).is_ok() && float(one) == float(other)
    };
    ours.len() == theirs.len() && ours.iter().zip(&theirs).all(are_same)
}

/// Writes a value with both; returns whether it can be written.
pub(crate) fn both<T: Serialize + std::fmt::Debug>(value: &T) -> bool {
    let agree = |ours: Result<String, jsonx_core::Error>,
                 theirs: Result<String, serde_json::Error>| {
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) if ours == theirs || is_same(&ours, &theirs) => {}
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{value:?}\n{ours:?}\n{theirs:?}"),
        }
    };
    let written = jsonx_core::to_string(value);
    let is_written = written.is_ok();
    agree(written, serde_json::to_string(value));
    agree(
        jsonx_core::to_string_pretty(value),
        serde_json::to_string_pretty(value),
    );
    is_written
}

/// Whether the value can be written.
pub(crate) fn case(choices: &[u32]) -> bool {
    both(&Out::choose(&mut Choices::new(choices), 3))
}
