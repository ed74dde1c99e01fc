//! Order and equality of values.

use std::cmp::Ordering;
use std::rc::Rc;

use jsonx_core::number;

use super::{MAX_DEPTH, Members, Type, Value};

/// Values are nested deeper than [`MAX_DEPTH`].
pub(crate) struct DeepError;

type Checked<T> = Result<T, DeepError>;

/// The order in which values are sorted: `null`, `false`, `true`, numbers, strings by code points, arrays, objects. Objects are
/// compared by their sorted keys first. Values deeper than 10,000 levels are equal from there on.
pub fn order(a: &Value, b: &Value) -> Ordering {
    compare(a, b, 0).unwrap_or(Ordering::Equal)
}

/// Like [`order`], with an error if the values are too deep.
pub(crate) fn compare(a: &Value, b: &Value, depth: usize) -> Checked<Ordering> {
    if depth > MAX_DEPTH {
        return Err(DeepError);
    }
    let (type_a, type_b) = (a.type_of(), b.type_of());
    if type_a != type_b {
        return Ok(type_a.cmp(&type_b));
    }
    match type_a {
        Type::Null | Type::False | Type::True => Ok(Ordering::Equal),
        Type::Number => Ok(numbers(a, b)),
        Type::String => Ok(a.as_str().cmp(&b.as_str())),
        Type::Array => {
            let (Some(a), Some(b)) = (a.elements(), b.elements()) else {
                return Ok(Ordering::Equal);
            };
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b, depth + 1)? {
                    Ordering::Equal => {}
                    different => return Ok(different),
                }
            }
            Ok(a.len().cmp(&b.len()))
        }
        Type::Object => {
            let (Some(a), Some(b)) = (a.clone().members(), b.clone().members()) else {
                return Ok(Ordering::Equal);
            };
            let (keys_a, keys_b) = (sorted_keys(&a), sorted_keys(&b));
            match keys_a.cmp(&keys_b) {
                Ordering::Equal => {}
                different => return Ok(different),
            }
            for key in keys_a {
                let (Some(a), Some(b)) = (a.get(key), b.get(key)) else {
                    continue;
                };
                match compare(a, b, depth + 1)? {
                    Ordering::Equal => {}
                    different => return Ok(different),
                }
            }
            Ok(Ordering::Equal)
        }
    }
}

fn sorted_keys(members: &Members) -> Vec<&Rc<str>> {
    let mut keys: Vec<&Rc<str>> = members.iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    keys
}

/// The text of an unmodified number.
fn written(value: &Value) -> Option<&str> {
    match value {
        Value::Literal(text) => Some(text),
        Value::Lazy(lazy) => Some(lazy.raw_text()),
        _ => None,
    }
}

/// Literals are compared exactly, computed numbers as doubles. `nan` is less than any number.
fn numbers(a: &Value, b: &Value) -> Ordering {
    let (Some(x), Some(y)) = (a.as_f64(), b.as_f64()) else {
        return Ordering::Equal;
    };
    match x.partial_cmp(&y) {
        None if x.is_nan() => Ordering::Less,
        None => Ordering::Greater,
        Some(Ordering::Equal) => match (written(a), written(b)) {
            (Some(a), Some(b)) if is_finite(a) && is_finite(b) => {
                number::compare(a.as_bytes(), b.as_bytes())
            }
            _ => Ordering::Equal,
        },
        Some(different) => different,
    }
}

/// Whether it is a JSON number.
fn is_finite(text: &str) -> bool {
    !text.contains(['n', 'N', 'y'])
}

/// Whether two values are equal; `nan` is not equal to itself.
pub(crate) fn equals(a: &Value, b: &Value) -> Checked<bool> {
    if let (Value::Number(a), Value::Number(b)) = (a, b) {
        return Ok(a == b);
    }
    Ok(compare(a, b, 0)? == Ordering::Equal)
}

/// Whether two values are the same object, or equal scalars: a path expression may yield either for the value at its path.
pub(crate) fn is_identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
        (Value::Slice(a), Value::Slice(b)) => std::ptr::eq(&**a, &**b),
        (Value::Buffer(a), Value::Buffer(b)) => Rc::ptr_eq(a, b),
        (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
        (Value::String(a), Value::String(b)) | (Value::Literal(a), Value::Literal(b)) => {
            Rc::ptr_eq(a, b)
        }
        (Value::Lazy(a), Value::Lazy(b)) => a.is_same(b),
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

/// Whether `a` contains `b`: a substring, elements that are contained in some element, members that are contained in those of the
/// same key, or an equal scalar. `None` if the types differ.
pub(crate) fn contains(a: &Value, b: &Value, depth: usize) -> Checked<Option<bool>> {
    if depth > MAX_DEPTH {
        return Err(DeepError);
    }
    let kind = a.type_of();
    if kind != b.type_of() {
        return Ok(None);
    }
    let within = |a: &Value, b: &Value| -> Checked<bool> {
        match contains(a, b, depth + 1)? {
            Some(contains) => Ok(contains),
            None => equals(a, b),
        }
    };
    Ok(Some(match kind {
        Type::String => {
            let (a, b) = (
                a.as_str().unwrap_or_default(),
                b.as_str().unwrap_or_default(),
            );
            memchr::memmem::find(a.as_bytes(), b.as_bytes()).is_some()
        }
        Type::Array => {
            let (Some(a), Some(b)) = (a.elements(), b.elements()) else {
                return Ok(Some(false));
            };
            for wanted in b.iter() {
                let mut found = false;
                for item in a.iter() {
                    if within(item, wanted)? {
                        found = true;
                        break;
                    }
                }
                if !found {
                    return Ok(Some(false));
                }
            }
            true
        }
        Type::Object => {
            let (Some(a), Some(b)) = (a.clone().members(), b.clone().members()) else {
                return Ok(Some(false));
            };
            for (key, wanted) in b.iter() {
                match a.get(key) {
                    Some(item) if within(item, wanted)? => {}
                    _ => return Ok(Some(false)),
                }
            }
            true
        }
        _ => equals(a, b)?,
    }))
}

/// `a * b` of objects: members of both, merged where both values are objects.
pub(crate) fn merge(a: Value, b: Value, depth: usize) -> Checked<Value> {
    if depth > MAX_DEPTH {
        return Err(DeepError);
    }
    let (Some(mut merged), Some(b)) = (a.clone().members(), b.clone().members()) else {
        return Ok(a);
    };
    drop(a);
    let members = Rc::make_mut(&mut merged);
    for (key, value) in b.iter() {
        match members.get_mut(key) {
            Some(old) if old.type_of() == Type::Object && value.type_of() == Type::Object => {
                let taken = std::mem::replace(old, Value::Null);
                *old = merge(taken, value.clone(), depth + 1)?;
            }
            Some(old) => *old = value.clone(),
            None => {
                members.insert(key.clone(), value.clone());
            }
        }
    }
    Ok(Value::Object(merged))
}
