//! Types in all forms of serde's derive, and texts with their names.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::agree;
use super::choices::Choices;
use super::text;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, Option<String>),
    Struct {
        a: i32,
        #[serde(default)]
        b: Vec<bool>,
    },
    #[serde(alias = "also", rename = "t")]
    Renamed(Box<External>),
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Newtype(BTreeMap<String, f64>),
    Struct {
        a: i32,
        b: Option<Box<Internal>>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(f64),
    Tuple(u8, i64),
    Struct { a: Option<f32>, b: char },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum AdjacentStrict {
    Unit,
    Newtype(Option<Unit>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Unit,
    Bool(bool),
    Small(u8),
    Integer(i64),
    Float(f64),
    Pair(u8, String),
    Struct { a: u8, b: Box<Untagged> },
    External(External),
    Text(String),
    List(Vec<Untagged>),
    Map(BTreeMap<String, Untagged>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Transparent {
    a: Option<i8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair(u8, #[serde(default)] String);

fn ten() -> u8 {
    10
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
    #[serde(default = "ten", alias = "c")]
    b: u8,
    #[serde(skip)]
    t: u8,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Defaults {
    a: u32,
    b: Option<()>,
    t: (i8, i8),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    a: Option<u32>,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    b: Option<Unit>,
    #[serde(default)]
    t: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FlatEnum {
    #[serde(flatten)]
    kind: Internal,
    #[serde(flatten)]
    other: Option<Strict>,
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Name {
    Unit,
    Newtype,
    #[serde(rename = "1")]
    One,
}

type Maps = (
    BTreeMap<Name, u8>,
    Option<BTreeMap<i16, f32>>,
    Option<HashMap<bool, ()>>,
    Option<BTreeMap<char, u64>>,
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Borrowed<'a> {
    a: &'a str,
    #[serde(borrow)]
    b: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    t: BTreeMap<&'a str, &'a str>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
struct Even(u16);

impl TryFrom<u16> for Even {
    type Error = String;

    fn try_from(value: u16) -> Result<Even, String> {
        match value % 2 {
            0 => Ok(Even(value)),
            _ => Err(format!("{value} is odd")),
        }
    }
}

impl From<Even> for u16 {
    fn from(even: Even) -> u16 {
        even.0
    }
}

impl Clone for Even {
    fn clone(&self) -> Even {
        Even(self.0)
    }
}

const KEYS: &[&str] = &[
    "a", "b", "c", "t", "type", "Unit", "Newtype", "Tuple", "Struct", "also", "1", "-2", "true",
    "\\u0061", "x", "",
];

const SCALARS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "300",
    "1.5",
    "-0.0",
    "1e3",
    "1e400",
    "null",
    "true",
    "false",
    "\"Unit\"",
    "\"Newtype\"",
    "\"Struct\"",
    "\"Tuple\"",
    "\"Other\"",
    "\"t\"",
    "\"a\"",
    "\"\\u00e9\"",
    "\"two words\"",
    "18446744073709551615",
    "\"1\"",
];

/// Writes a value from the names of the types.
fn write(choices: &mut Choices<'_>, depth: usize, text: &mut String) {
    let comma = |index, text: &mut String| {
        if index > 0 {
            *text += ", ";
        }
    };
    match choices.below(if depth == 0 { 2 } else { 5 }) {
        0 | 1 => *text += choices.of(SCALARS),
        2 => {
            *text += "[";
            for index in 0..choices.below(4) {
                comma(index, text);
                write(choices, depth - 1, text);
            }
            *text += "]";
        }
        _ => {
            *text += "{";
            for index in 0..choices.below(5) {
                comma(index, text);
                *text += &format!("\"{}\": ", choices.of(KEYS));
                // A tag with its value.
                match choices.below(3) {
                    0 => *text += choices.of(SCALARS),
                    _ => write(choices, depth - 1, text),
                }
            }
            *text += "}";
        }
    }
}

/// Seed texts that fit.
const SEEDS: &[&str] = &[
    r#"{"Struct": {"a": -1, "b": [true]}}"#,
    r#"{"t": {"also": {"Tuple": [1, null]}}}"#,
    r#"{"type": "Struct", "a": 1, "b": {"b": {"type": "what"}, "a": 2, "type": "Struct"}}"#,
    r#"{"type": "Newtype", "a": 1, "b": 2.5}"#,
    r#"{"c": {"b": "é", "a": 1}, "t": "Struct"}"#,
    r#"{"c": [1, -2], "t": "Tuple"}"#,
    r#"{"t": "Newtype", "c": null}"#,
    r#"[1, "a", [1, "b"], {"a": 1, "b": {"a": 2, "b": null}}, {"Tuple": [1, "x"]}, {"x": 300}]"#,
    r#"{"a": 5, "c": 6, "type": "x"}"#,
    r#"{"a": 1, "b": null, "t": "x", "x": [1, {"y": 2}], "Unit": "Unit"}"#,
    r#"{"t": [1, -1], "a": 7}"#,
    r#"[{"Unit": 1, "1": 2}, {"-2": 1.5, "1": 3}, {"true": null}, {"é": 1, "\n": 2}]"#,
    r#"{"a": "plain", "b": "with \"escapes\"", "t": {"x": "y"}}"#,
    "[1, \"x\"]",
    "12",
    "null",
];

fn both<'de, T: Deserialize<'de> + Serialize + PartialEq + std::fmt::Debug>(
    text: &'de [u8],
) -> usize {
    let name = std::any::type_name::<T>();
    let ours = jsonx_core::from_slice::<T>(text);
    let read = ours.is_ok();
    if let Ok(value) = &ours {
        super::out::both(value);
    }
    agree(ours, serde_json::from_slice::<T>(text), text, &name);
    usize::from(read)
}

macro_rules! types {
    ($($type:ty),* $(,)?) => {
        pub(crate) const TYPES: usize = [$(stringify!($type)),*].len();

        fn all(text: &[u8]) -> usize {
            0 $(+ both::<$type>(text))*
        }
    };
}

types! {
    External, Internal, Adjacent, AdjacentStrict, Untagged, Unit, Transparent, Pair, Strict, Defaults, Flat, FlatEnum, Maps,
    Borrowed<'_>, Even, Vec<Untagged>, Option<External>, Vec<Internal>, HashMap<String, Adjacent>, (Pair, Option<Flat>),
    Result<u8, String>, std::ops::Range<i8>, std::time::Duration, std::net::IpAddr, std::num::NonZeroU8, [Option<char>; 2],
    std::collections::BTreeSet<i64>, Box<str>, serde_json::Value,
}

/// The number of types that a text fits.
pub(crate) fn case(choices: &[u32]) -> usize {
    let mut choices = Choices::new(choices);
    let mut written = String::new();
    match choices.below(3) {
        0 => write(&mut choices, 3, &mut written),
        _ => written += choices.of(SEEDS),
    }
    let mut text = written.into_bytes();
    if choices.once_in(2) {
        // Replace a scalar by another, so that the text stays valid.
        let old = choices.of(SCALARS);
        let new = choices.of(SCALARS);
        text = String::from_utf8_lossy(&text)
            .replacen(old, new, 1)
            .into_bytes();
    }
    if choices.once_in(4) {
        text::mutate(&mut text, &mut choices);
    }
    all(&text)
}
