//! Infers a schema from the first records.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType, Field, Schema};
use jsonx_core::engine::Mode;
use jsonx_core::number::Number;
use jsonx_core::string::decode_key;
use jsonx_core::{Document, Kind, Node};

use crate::blocks::is_array;
use crate::column::json_field;
use crate::tokens::{Cursor, Tokens};

/// Containers nested deeper are read as their own text.
const DEEPEST: usize = 32;

/// Objects with more members are read as their own text.
const WIDEST: usize = 2000;

/// The type of the values seen so far.
#[derive(Clone, Debug, Default, PartialEq)]
enum Seen {
    #[default]
    Null,
    Boolean,
    /// Whether a value is negative, outside of `i64`, outside of `u64` too; and the maximum number of digits.
    Integer {
        negative: bool,
        large: bool,
        huge: bool,
        digits: usize,
        /// Every value is exact as a double.
        as_double: bool,
    },
    Float,
    String,
    List(Box<Seen>),
    Struct(Members),
    /// Values of several types.
    Mixed,
}

/// The members of objects by name, numbered by their first appearance.
type Members = HashMap<String, (usize, Seen)>;

/// Infers a schema from the first `records` records of some texts, or from all with `None`: JSON Lines, or arrays of objects, which may
/// be truncated. Records that are not objects are skipped.
///
/// Every field is nullable. The values of a field determine its type:
///
/// | values | type |
/// |---|---|
/// | booleans | `Boolean` |
/// | integers | `Int64`; else `UInt64`; else `Decimal128(38, 0)` up to 38 digits |
/// | numbers with a fraction or exponent, and integers up to 2^53 | `Float64` |
/// | strings | `Utf8` |
/// | arrays | `List` of the type of all elements |
/// | objects | `Struct` of all members |
/// | mixed types, only null, longer integers, nested over 32 levels deep, over 2000 members | [`json_field`], their own text |
///
/// `null` fits every type.
///
/// # Errors
///
/// No line is an object.
///
/// ```
/// let text = br#"{"id": 1, "x": 1, "n": 18446744073709551615, "t": ["a"], "m": 1}
/// {"id": 2, "x": 2.5, "n": 1, "t": [], "m": "one"}"#;
/// let schema = jsonx_arrow::infer([text], None)?;
/// let types: Vec<String> = schema.fields().iter().map(|field| field.data_type().to_string()).collect();
/// assert_eq!(types[..3], ["Int64", "Float64", "UInt64"]);
/// assert_eq!(schema.field(4).metadata()["ARROW:extension:name"], "arrow.json");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn infer(
    texts: impl IntoIterator<Item = impl AsRef<[u8]>>,
    records: Option<usize>,
) -> Result<Schema, ArrowError> {
    let mut all = Seen::Null;
    let mut left = records.unwrap_or(usize::MAX);
    let mut add = |record: &[u8]| {
        if left > 0
            && let Ok(document) = Document::parse(record)
            && document.root().kind() == Kind::Object
        {
            all = join(std::mem::take(&mut all), seen(document.root(), 0));
            left -= 1;
        }
        left > 0
    };
    for text in texts {
        let text = text.as_ref();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let has_room = match is_array(text) {
            Some(true) => elements(text)
                .iter()
                .all(|element| add(&text[element.clone()])),
            _ => text.split(|&byte| byte == b'\n').all(&mut add),
        };
        if !has_room {
            break;
        }
    }
    match all {
        Seen::Struct(members) => Ok(Schema::new(fields(members))),
        _ => Err(ArrowError::SchemaError(
            "no object to infer a schema from".to_owned(),
        )),
    }
}

/// The complete elements of an array, which may be truncated.
fn elements(text: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Tokens::default();
    // Tokens before an error are complete.
    let _ = tokens.read(text, Mode::One);
    let mut cursor = Cursor::new(text, &tokens);
    cursor.at = 1;
    let mut elements = Vec::new();
    while cursor.at < tokens.count() {
        let (start, length) = (cursor.starts[cursor.at] as usize, cursor.value().len());
        cursor.skip();
        elements.push(start..start + length);
        cursor.at += 1;
    }
    elements
}

fn seen(node: Node<'_, '_>, depth: usize) -> Seen {
    match node.kind() {
        Kind::Array | Kind::Object if depth > DEEPEST => Seen::Mixed,
        Kind::Object if node.len() > WIDEST => Seen::Mixed,
        Kind::Null => Seen::Null,
        Kind::Boolean => Seen::Boolean,
        Kind::String => Seen::String,
        Kind::Number => node.number().map_or(Seen::Null, number),
        Kind::Array => {
            let elements = node.elements().map(|element| seen(element, depth + 1));
            Seen::List(Box::new(elements.fold(Seen::Null, join)))
        }
        Kind::Object => {
            let mut members = Members::new();
            for (key, value) in node.members() {
                let raw = key.raw();
                let name = decode_key(&raw[1..raw.len() - 1]);
                let name = String::from_utf8_lossy(&name).into_owned();
                merge(&mut members, name, seen(value, depth + 1));
            }
            Seen::Struct(members)
        }
    }
}

fn number(number: Number<'_>) -> Seen {
    if !number.is_integer() {
        return match number.as_f64() {
            Some(_) => Seen::Float,
            None => Seen::Mixed,
        };
    }
    let digits = number.raw().len() - usize::from(number.raw()[0] == b'-');
    let is_small = number
        .as_i64()
        .is_some_and(|it| it.unsigned_abs() <= 1 << 53);
    Seen::Integer {
        negative: number.decimal().is_negative(),
        large: number.as_i64().is_none(),
        huge: number.as_i64().is_none() && number.as_u64().is_none(),
        digits,
        as_double: is_small,
    }
}

fn merge(members: &mut Members, name: String, value: Seen) {
    let number = members.len();
    let (_, seen) = members.entry(name).or_insert((number, Seen::Null));
    *seen = join(std::mem::take(seen), value);
}

/// Members in the order of their first appearance.
fn in_order(members: Members) -> impl Iterator<Item = (String, Seen)> {
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_unstable_by_key(|(_, (number, _))| *number);
    members.into_iter().map(|(name, (_, seen))| (name, seen))
}

/// The smallest type of both.
fn join(a: Seen, b: Seen) -> Seen {
    match (a, b) {
        (Seen::Null, other) | (other, Seen::Null) => other,
        (
            Seen::Integer {
                negative,
                large,
                huge,
                digits,
                as_double,
            },
            Seen::Integer {
                negative: n,
                large: l,
                huge: h,
                digits: d,
                as_double: e,
            },
        ) => Seen::Integer {
            negative: negative || n,
            large: large || l,
            huge: huge || h,
            digits: digits.max(d),
            as_double: as_double && e,
        },
        (
            Seen::Integer {
                as_double: true, ..
            },
            Seen::Float,
        )
        | (
            Seen::Float,
            Seen::Integer {
                as_double: true, ..
            },
        ) => Seen::Float,
        (Seen::List(a), Seen::List(b)) => Seen::List(Box::new(join(*a, *b))),
        (Seen::Struct(mut a), Seen::Struct(b)) => {
            for (name, value) in in_order(b) {
                merge(&mut a, name, value);
            }
            match a.len() {
                ..=WIDEST => Seen::Struct(a),
                _ => Seen::Mixed,
            }
        }
        (a, b) if a == b => a,
        _ => Seen::Mixed,
    }
}

fn fields(members: Members) -> Vec<Field> {
    let fields = in_order(members).map(|(name, seen)| field(&name, seen));
    fields.collect()
}

fn field(name: &str, seen: Seen) -> Field {
    let kind = match seen {
        Seen::Boolean => DataType::Boolean,
        Seen::Integer { large: false, .. } => DataType::Int64,
        Seen::Integer {
            negative: false,
            huge: false,
            ..
        } => DataType::UInt64,
        Seen::Integer { digits: ..=38, .. } => DataType::Decimal128(38, 0),
        Seen::Float => DataType::Float64,
        Seen::String => DataType::Utf8,
        Seen::List(element) => DataType::List(Arc::new(field("item", *element))),
        Seen::Struct(members) if !members.is_empty() => DataType::Struct(fields(members).into()),
        Seen::Null | Seen::Mixed | Seen::Integer { .. } | Seen::Struct(_) => {
            return json_field(name, true);
        }
    };
    Field::new(name, kind, true)
}
