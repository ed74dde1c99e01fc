//! Functions of arrays, objects and values of any type.

use std::cmp::Ordering;

use super::{By, Native, native, sorted};
use crate::access;
use crate::error::{Result, about, described, error};
use crate::iterate::each;
use crate::lex;
use crate::ops::{Operator, binary};
use crate::value::{self, DeepError, Type, Value, order};

pub(super) const NATIVES: &[Native] = &[
    native("not", 0, |input, _| Ok((!input.is_true()).into())),
    native("type", 0, |input, _| Ok(input.type_of().name().into())),
    native("length", 0, |input, _| length(&input)),
    native("keys", 0, |input, _| keys(&input, true)),
    native("keys_unsorted", 0, |input, _| keys(&input, false)),
    native("has", 1, |input, arguments| has(&input, &arguments[0])),
    native("contains", 1, |input, arguments| {
        contains(&input, &arguments[0])
    }),
    native("setpath", 2, |input, arguments| {
        let path = arguments[0]
            .clone()
            .items()
            .ok_or_else(|| error("Path must be specified as an array"))?;
        access::set_path(input, &path, &mut |_| Ok(arguments[1].clone()))
    }),
    native("delpaths", 1, |input, arguments| {
        access::delete_paths(input, &arguments[0])
    }),
    native("to_entries", 0, |input, _| to_entries(&input)),
    native("from_entries", 0, |input, _| from_entries(&input)),
    native("reverse", 0, |input, _| reverse(input)),
    native("sort", 0, |input, _| sorted(By::Sort, input)),
    native("unique", 0, |input, _| sorted(By::Unique, input)),
    native("min", 0, |input, _| sorted(By::Min, input)),
    native("max", 0, |input, _| sorted(By::Max, input)),
    native("flatten", 0, |input, _| flatten(input, f64::INFINITY)),
    native("flatten", 1, |input, arguments| {
        let depth = &arguments[0];
        if order(depth, &Value::Number(0.0)).is_lt() {
            return Err(error("flatten depth must not be negative"));
        }
        let Some(number) = depth.as_f64() else {
            // The depth is decreased for an array only.
            each(&input, &mut |item| match item.type_of() {
                Type::Array => {
                    binary(Operator::Subtract, depth.clone(), Value::Number(1.0)).map(drop)
                }
                _ => Ok(()),
            })?;
            return flatten(input, 0.0);
        };
        flatten(input, number)
    }),
    native("bsearch", 1, |input, arguments| {
        search(&input, &arguments[0])
    }),
    native("tojson", 0, |input, _| Ok(input.to_string().into())),
    native("fromjson", 0, |input, _| from_json(&input)),
    native("tostring", 0, |input, _| Ok(input.to_text().into())),
    native("tonumber", 0, |input, _| to_number(input)),
    native("toboolean", 0, |input, _| to_boolean(input)),
];

fn length(value: &Value) -> Result<Value> {
    Ok(match value.type_of() {
        Type::Null => Value::Number(0.0),
        Type::Number => super::math::absolute(value.clone())?,
        Type::String => value.as_str().unwrap_or_default().chars().count().into(),
        Type::Array | Type::Object => value.children().into(),
        Type::False | Type::True => return Err(about(value, "has no length")),
    })
}

fn keys(value: &Value, sort: bool) -> Result<Value> {
    let Some(mut keys) = value.keys_in_order() else {
        return Err(about(value, "has no keys"));
    };
    if sort && value.type_of() == Type::Object {
        keys.sort_by(order);
    }
    Ok(Value::array(keys))
}

fn has(value: &Value, key: &Value) -> Result<Value> {
    match (value.type_of(), key.type_of()) {
        (Type::Object, Type::String) => {
            let key = key.as_str().unwrap_or_default();
            Ok(access::member(value, &key).is_some().into())
        }
        (Type::Array, Type::Number) => {
            let at = key.as_f64().unwrap_or_default().trunc();
            Ok((at >= 0.0 && at < value.children() as f64).into())
        }
        (Type::Null, _) => Ok(false.into()),
        (kind, other) => {
            let message = format!(
                "Cannot check whether {} has a {} key",
                kind.name(),
                other.name()
            );
            Err(error(message).of(value))
        }
    }
}

fn contains(value: &Value, wanted: &Value) -> Result<Value> {
    match value::contains(value, wanted, 0) {
        Ok(Some(contains)) => Ok(contains.into()),
        Ok(None) => {
            let (value_text, wanted) = (described(value), described(wanted));
            Err(error(format!(
                "{value_text} and {wanted} cannot have their containment checked"
            ))
            .of(value))
        }
        Err(DeepError) => Err(error("Containment check too deep")),
    }
}

fn to_entries(value: &Value) -> Result<Value> {
    let Some(keys) = value.keys_in_order() else {
        return Err(about(value, "has no keys"));
    };
    let mut entries = Vec::with_capacity(keys.len());
    let mut keys = keys.into_iter();
    each(value, &mut |value| {
        let key = keys.next().unwrap_or_default();
        entries.push(Value::object([
            ("key".into(), key),
            ("value".into(), value),
        ]));
        Ok(())
    })?;
    Ok(Value::array(entries))
}

fn from_entries(value: &Value) -> Result<Value> {
    let mut members = Vec::new();
    each(value, &mut |entry| {
        let mut key = Value::Null;
        for name in ["key", "k", "name", "Name", "Key", "K"] {
            let found = access::index(&entry, &Value::from(name))?;
            if found.is_true() {
                key = found;
                break;
            }
        }
        let mut values = ["value", "v", "Value", "V"].iter();
        let value = values.find_map(|name| access::member(&entry, name));
        let Some(key) = key.to_rc_str() else {
            let message = format!("Cannot use {} as object key", described(&key));
            return Err(error(message).of(&entry));
        };
        members.push((key, value.unwrap_or_default()));
        Ok(())
    })?;
    Ok(Value::object(members))
}

fn reverse(value: Value) -> Result<Value> {
    match value.type_of() {
        Type::String => Ok(value
            .as_str()
            .unwrap_or_default()
            .chars()
            .rev()
            .collect::<String>()
            .into()),
        Type::Array => {
            let mut items = value.items().unwrap_or_default();
            items.reverse();
            Ok(Value::array(items))
        }
        _ => match length(&value)?.as_f64() {
            Some(length) if length > 0.0 => access::index(&value, &Value::Number(length - 1.0)),
            _ => Ok(Value::array(Vec::new())),
        },
    }
}

fn flatten(value: Value, depth: f64) -> Result<Value> {
    let mut flat = Vec::new();
    // The pending values, and the remaining levels to flatten of each.
    let mut pending = Vec::new();
    let open = |value: &Value, depth: f64, pending: &mut Vec<(Value, f64)>| -> Result {
        let start = pending.len();
        each(value, &mut |item| {
            pending.push((item, depth));
            Ok(())
        })?;
        pending[start..].reverse();
        Ok(())
    };
    open(&value, depth, &mut pending)?;
    while let Some((value, depth)) = pending.pop() {
        if depth > 0.0 && value.type_of() == Type::Array {
            open(&value, depth - 1.0, &mut pending)?
        } else {
            flat.push(value)
        }
    }
    Ok(Value::array(flat))
}

fn search(value: &Value, wanted: &Value) -> Result<Value> {
    if value.type_of() != Type::Array {
        return Err(about(value, "cannot be searched from"));
    }
    let (mut from, mut to) = (0, value.children());
    while from < to {
        let middle = from + (to - from) / 2;
        match order(&access::index(value, &Value::from(middle))?, wanted) {
            Ordering::Less => from = middle + 1,
            // Of equal elements, the one that jq finds.
            Ordering::Equal => return Ok(middle.into()),
            Ordering::Greater => to = middle,
        }
    }
    Ok(Value::Number(-1.0 - from as f64))
}

fn from_json(value: &Value) -> Result<Value> {
    let Some(text) = value.as_str() else {
        return Err(about(value, "only strings can be parsed"));
    };
    Value::from_json(&text).map_err(error)
}

fn to_number(value: Value) -> Result<Value> {
    match value.type_of() {
        Type::Number => return Ok(value),
        Type::String => {
            let text = value.as_str().unwrap_or_default();
            let unsigned = text.strip_prefix('+').unwrap_or(&text);
            let digits = text.strip_prefix('-').unwrap_or(unsigned);
            if !digits.is_empty() && lex::number(digits.as_bytes()) == digits.len() {
                return Ok(Value::literal(unsigned));
            }
            // `nan`, `inf` and `infinity`, in any case and with a sign.
            if let Some(number) = text.parse().ok().filter(|number: &f64| !number.is_finite()) {
                return Ok(Value::Number(number));
            }
        }
        _ => {}
    }
    Err(about(&value, "cannot be parsed as a number"))
}

fn to_boolean(value: Value) -> Result<Value> {
    match (value.type_of(), value.as_str().as_deref()) {
        (Type::True, _) | (_, Some("true")) => Ok(Value::Bool(true)),
        (Type::False, _) | (_, Some("false")) => Ok(Value::Bool(false)),
        _ => Err(about(&value, "cannot be parsed as a boolean")),
    }
}
