//! Values: built ones, and lazy ones that refer to a verified text.

mod children;
mod compare;
mod drop;
mod lazy;
mod members;
mod number;
mod print;
mod print_text;
mod reduced;
mod slice;

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use jsonx_core::engine::{Options, validate_with};
use jsonx_core::string::decode;
use jsonx_core::{ErrorKind, Kind, number::Number};

pub use compare::order;
pub(crate) use compare::{DeepError, compare, contains, equals, is_identical, merge};
pub use drop::Items;
pub use lazy::{IndexedText, Lazy, TextBytes, read_all};
pub use members::Members;
use number::push_number;
pub use print::{Layout, Printer};
pub use reduced::Reduced;
pub use slice::Slice;

/// The maximum nesting for parsing, printing, comparing and merging, as in jq.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// The number of members up to which nested loops find duplicates faster than a table.
const FEW: usize = 12;

/// A JSON value. Cheap to clone: containers and texts are shared until one of their owners changes them.
#[derive(Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A computed number, or a literal that a double prints unchanged.
    Number(f64),
    /// A number as written: a literal that a double may print differently.
    Literal(Rc<str>),
    /// A string.
    String(Rc<str>),
    /// A string that is being appended to.
    Buffer(Rc<String>),
    /// An array.
    Array(Rc<Items>),
    /// Some elements of a longer array, which they share.
    Slice(Slice),
    /// An object, in the order of its members.
    Object(Rc<Members>),
    /// A value of a verified text, decoded on use.
    Lazy(Lazy),
}

/// The names of types, in the order in which values of different types are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::False | Type::True => "boolean",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }
}

impl Value {
    /// A string.
    pub fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    /// An array of values.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(Items::new(items)))
    }

    /// An object of members; of duplicate keys, the last one counts.
    pub fn object(members: impl IntoIterator<Item = (Rc<str>, Value)>) -> Value {
        let mut object = Members::default();
        for (key, value) in members {
            object.insert(key, value);
        }
        Value::Object(Rc::new(object))
    }

    /// A number as written.
    pub(crate) fn literal(text: &str) -> Value {
        let double = double(text);
        let mut printed = Vec::new();
        push_number(double, &mut printed);
        // `.5`, `1.` and `007` are numbers in programs, but not in JSON.
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, rest) = digits.split_at(
            digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len()),
        );
        let is_json = matches!(whole.as_bytes(), [b'0'] | [b'1'..=b'9', ..])
            && rest
                .strip_prefix('.')
                .is_none_or(|fraction| fraction.starts_with(|c: char| c.is_ascii_digit()));
        let is_exact = printed == text.as_bytes() && double.abs() <= EXACT;
        if is_json && !is_exact {
            Value::Literal(text.into())
        } else {
            Value::Number(double)
        }
    }

    /// Parses a JSON value; also accepts `nan` and `NaN`.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    pub fn from_json(text: &str) -> Result<Value, String> {
        match text.trim() {
            "nan" | "NaN" => return Ok(Value::Number(f64::NAN)),
            "-nan" | "-NaN" => return Ok(Value::Number(-f64::NAN)),
            _ => {}
        }
        let options = Options::default().max_depth(MAX_DEPTH as u64);
        // An indexed text may have any number of values.
        let source = validate_with(text.as_bytes(), options)
            .and_then(|()| IndexedText::inner(text.as_bytes(), options));
        match source {
            Ok(source) => Ok(Rc::new(source).values().next().unwrap_or_default()),
            Err(error) if error.kind == ErrorKind::TooDeep => {
                Err("Exceeds depth limit for parsing".to_owned())
            }
            Err(error) => {
                let error = jsonx_core::Error::from(error).in_text(text.as_bytes());
                Err(format!("{error} (while parsing '{text}')"))
            }
        }
    }

    /// The value of a verified text, unless it is an array or an object.
    pub fn scalar(raw: &[u8]) -> Option<Value> {
        match raw {
            [b'"', raw @ .., b'"'] => Some(Value::String(decoded(raw).as_ref().into())),
            [b'n', ..] => Some(Value::Null),
            [b't' | b'f', ..] => Some(Value::Bool(raw.starts_with(b"t"))),
            [b'-' | b'0'..=b'9', ..] => {
                let text = std::str::from_utf8(raw).ok()?;
                Some(Value::Literal(text.into()))
            }
            _ => None,
        }
    }

    pub(crate) fn type_of(&self) -> Type {
        match self {
            Value::Null => Type::Null,
            Value::Bool(false) => Type::False,
            Value::Bool(true) => Type::True,
            Value::Number(_) | Value::Literal(_) => Type::Number,
            Value::String(_) | Value::Buffer(_) => Type::String,
            Value::Array(_) | Value::Slice(_) => Type::Array,
            Value::Object(_) => Type::Object,
            Value::Lazy(lazy) => match lazy.node().kind() {
                Kind::Null => Type::Null,
                Kind::Boolean if lazy.node().as_bool() == Some(true) => Type::True,
                Kind::Boolean => Type::False,
                Kind::Number => Type::Number,
                Kind::String => Type::String,
                Kind::Array => Type::Array,
                Kind::Object => Type::Object,
            },
        }
    }

    /// The name of its type, as `type` yields it.
    pub fn type_name(&self) -> &'static str {
        self.type_of().name()
    }

    /// Whether it counts as true: neither `null` nor `false`.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Null => false,
            Value::Bool(value) => *value,
            Value::Lazy(_) => self.type_of() > Type::False,
            _ => true,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.type_of() == Type::Null
    }

    /// A number as a double, infinite if it is too large.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Literal(text) => Some(double(text)),
            Value::Lazy(lazy) if lazy.node().kind() == Kind::Number => {
                Some(double(lazy.raw_text()))
            }
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Buffer(text) => Some(Cow::Borrowed(text)),
            Value::Lazy(lazy) => lazy.node().as_str(),
            _ => None,
        }
    }

    pub(crate) fn to_rc_str(&self) -> Option<Rc<str>> {
        match self {
            Value::String(text) => Some(text.clone()),
            _ => self.as_str().map(|text| text.as_ref().into()),
        }
    }

    /// A string unchanged, any other value as JSON.
    pub(crate) fn to_text(&self) -> String {
        match self.as_str() {
            Some(text) => text.into_owned(),
            None => self.to_string(),
        }
    }

    /// The value with its outermost level built, and owned if it is a slice.
    pub(crate) fn forced(self) -> Value {
        match self {
            Value::Lazy(lazy) => lazy.build(),
            Value::Slice(slice) => Value::array(slice.into_vec()),
            value => value,
        }
    }

    /// The elements of a built array, or of part of one.
    pub(crate) fn built_items(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            Value::Slice(slice) => Some(slice),
            _ => None,
        }
    }

    /// The elements of an array, built if need be; `None` for other values.
    pub(crate) fn elements(&self) -> Option<Cow<'_, [Value]>> {
        match self {
            Value::Lazy(lazy) if lazy.node().kind() == Kind::Array => {
                Some(Cow::Owned(lazy.elements().collect()))
            }
            value => value.built_items().map(Cow::Borrowed),
        }
    }

    /// The number of characters, elements or members; the absolute value of a number.
    pub(crate) fn children(&self) -> usize {
        match self {
            Value::Array(items) => items.len(),
            Value::Slice(slice) => slice.len(),
            Value::Object(members) => members.len(),
            Value::Lazy(lazy) => lazy.len(),
            _ => 0,
        }
    }

    /// The elements of an array; `None` for other values.
    pub(crate) fn items(self) -> Option<Vec<Value>> {
        match self.forced() {
            Value::Array(items) => Some(match Rc::try_unwrap(items) {
                Ok(items) => items.into_vec(),
                Err(items) => items.to_vec(),
            }),
            _ => None,
        }
    }

    /// The members of an object; `None` for other values.
    pub(crate) fn members(self) -> Option<Rc<Members>> {
        match self.forced() {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements of an array, or the members of an object with their keys; `None` for any other value.
    pub fn entries(&self) -> Option<Vec<(Option<Rc<str>>, Value)>> {
        if self.type_of() == Type::Object {
            let members = self.clone().members()?;
            let members = members
                .iter()
                .map(|(key, value)| (Some(key.clone()), value.clone()));
            return Some(members.collect());
        }
        let mut elements = Vec::new();
        self.each(|element| {
            elements.push((None, element));
            Ok::<(), ()>(())
        })?
        .ok()?;
        Some(elements)
    }

    /// The elements of an array, or the values of an object, in order.
    pub(crate) fn each<E>(
        &self,
        mut visit: impl FnMut(Value) -> Result<(), E>,
    ) -> Option<Result<(), E>> {
        let mut all = |values: &mut dyn Iterator<Item = Value>| -> Result<(), E> {
            for value in values {
                visit(value)?;
            }
            Ok(())
        };
        match self {
            Value::Array(items) => Some(all(&mut items.iter().cloned())),
            Value::Slice(slice) => Some(all(&mut slice.iter().cloned())),
            Value::Object(members) => {
                Some(all(&mut members.iter().map(|(_, value)| value.clone())))
            }
            Value::Lazy(lazy) => match lazy.node().kind() {
                Kind::Array => Some(all(&mut lazy.elements())),
                Kind::Object => Some(all(&mut lazy.members().into_iter().map(|(_, value)| value))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The keys of an object in order, or the indices of an array.
    pub(crate) fn keys_in_order(&self) -> Option<Vec<Value>> {
        match self {
            Value::Object(members) => Some(
                members
                    .iter()
                    .map(|(key, _)| Value::String(key.clone()))
                    .collect(),
            ),
            Value::Lazy(lazy) if lazy.node().kind() == Kind::Object => Some(
                lazy.members()
                    .into_iter()
                    .map(|(key, _)| Value::String(key))
                    .collect(),
            ),
            _ if self.type_of() == Type::Array => Some(
                (0..self.children())
                    .map(|at| Value::Number(at as f64))
                    .collect(),
            ),
            _ => None,
        }
    }
}

/// The text between the quotes of a verified string.
fn decoded(raw: &[u8]) -> Cow<'_, str> {
    match decode(raw).map(|decoded| decoded.text) {
        Ok(Cow::Borrowed(text)) => std::str::from_utf8(text).unwrap_or_default().into(),
        Ok(Cow::Owned(text)) => String::from_utf8_lossy(&text).into_owned().into(),
        Err(_) => Cow::default(),
    }
}

/// Doubles represent every integer up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The double nearest to a number as text, infinite if it is too large.
fn double(text: &str) -> f64 {
    /// As many are exact.
    const DIGITS: usize = 15;
    if text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = text.bytes().map(|byte| u64::from(byte - b'0'));
        return digits.fold(0, |number, digit| number * 10 + digit) as f64;
    }
    let literal = Number::new(text.as_bytes());
    literal
        .as_f64()
        .unwrap_or_else(|| text.parse().unwrap_or(f64::NAN))
}

/// Prints the value as minified JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        Printer::default().push(self, &mut out);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Number(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Value {
        Value::Number(value as f64)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(text.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::array(items)
    }
}
