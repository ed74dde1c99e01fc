//! Functions implemented in Rust.

mod calendar;
mod containers;
mod format;
mod keyed;
mod math;
mod regex;
mod strings;
mod strptime;
mod time;

use crate::error::Result;
use crate::value::Value;

pub(crate) use format::{FORMATS, Format, format};
pub(crate) use keyed::{By, by_keys, not_arrays, sorted};

/// A function of its input and its arguments with one result.
pub(crate) struct Native {
    pub name: &'static str,
    pub arity: usize,
    pub call: fn(Value, &[Value]) -> Result<Value>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// A table entry.
const fn native(
    name: &'static str,
    arity: usize,
    call: fn(Value, &[Value]) -> Result<Value>,
) -> Native {
    Native { name, arity, call }
}

const TABLES: [&[Native]; 5] = [
    containers::NATIVES,
    math::NATIVES,
    regex::NATIVES,
    strings::NATIVES,
    time::NATIVES,
];

/// The function with this name and number of arguments.
pub(crate) fn find(name: &str, arity: usize) -> Option<&'static Native> {
    let mut all = TABLES.into_iter().flatten();
    all.find(|native| native.name == name && native.arity == arity)
}

/// The names of all functions, and their numbers of arguments.
pub(crate) fn names() -> impl Iterator<Item = (String, usize)> {
    let natives = TABLES
        .into_iter()
        .flatten()
        .map(|native| (native.name.to_owned(), native.arity));
    natives.chain(CONSTANTS.map(|name| (name.to_owned(), 0)))
}

const CONSTANTS: [&str; 8] = [
    "null",
    "true",
    "false",
    "nan",
    "infinite",
    "env",
    "have_decnum",
    "have_literal_numbers",
];

/// The value of a named constant.
pub(crate) fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "null" => Value::Null,
        "true" | "have_decnum" | "have_literal_numbers" => Value::Bool(true),
        "false" => Value::Bool(false),
        "nan" => Value::Number(f64::NAN),
        "infinite" => Value::Number(f64::INFINITY),
        "env" => environment(),
        _ => return None,
    })
}

/// The environment variables, as an object.
pub(crate) fn environment() -> Value {
    let variables = std::env::vars_os().map(|(name, value)| {
        let value = Value::from(value.to_string_lossy().into_owned());
        (name.to_string_lossy().as_ref().into(), value)
    });
    Value::object(variables)
}
