//! Access by key, index, slice and path; changes by path.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::error::{Result, described, error};
use crate::value::{MAX_DEPTH, Type, Value, order};

/// The maximum length of an array, to bound memory.
pub(crate) const MAX_LENGTH: usize = 1 << 27;

/// `.[key]`: a member, an element, a slice, or the positions of a subsequence.
pub(crate) fn index(target: &Value, key: &Value) -> Result<Value> {
    match (target.type_of(), key.type_of()) {
        (Type::Object, Type::String) => {
            let found = key.as_str().and_then(|key| member(target, &key));
            Ok(found.unwrap_or(Value::Null))
        }
        (Type::Array, Type::Number) => {
            let at = key.as_f64().and_then(|at| position(at, target.children()));
            let found = at.and_then(|at| match target {
                Value::Lazy(lazy) => lazy.element(at),
                built => built.built_items()?.get(at).cloned(),
            });
            Ok(found.unwrap_or(Value::Null))
        }
        (Type::Array | Type::String, Type::Object) => {
            let (from, to) = slice_of(key)?;
            slice(target, &from, &to)
        }
        (Type::Array, Type::Array) => Ok(subsequences(target, key)),
        (Type::Null, Type::String | Type::Number | Type::Object) => Ok(Value::Null),
        _ => Err(cannot_index(target, key)),
    }
}

/// The member of an object with this name.
pub(crate) fn member(target: &Value, name: &str) -> Option<Value> {
    match target {
        Value::Object(members) => members.get(name).cloned(),
        Value::Lazy(lazy) => lazy.member(name),
        _ => None,
    }
}

fn cannot_index(target: &Value, key: &Value) -> crate::Exception {
    error(format!(
        "Cannot index {} with {}",
        target.type_of().name(),
        described(key)
    ))
    .of(target)
}

/// The position of an index, rounded to zero and counted from the end if negative.
fn position(at: f64, length: usize) -> Option<usize> {
    if at.is_nan() {
        return None;
    }
    let at = at.trunc();
    let at = if at < 0.0 { at + length as f64 } else { at };
    (at >= 0.0 && at < length as f64).then_some(at as usize)
}

/// The positions at which an array occurs in another.
fn subsequences(target: &Value, wanted: &Value) -> Value {
    let (target, wanted) = (
        target.elements().unwrap_or_default(),
        wanted.elements().unwrap_or_default(),
    );
    if wanted.is_empty() {
        return Value::array(Vec::new());
    }
    let is_equal = |(a, b): (&Value, &Value)| order(a, b).is_eq();
    let matches = target.windows(wanted.len()).enumerate();
    let matches = matches.filter(|(_, window)| window.iter().zip(&*wanted).all(is_equal));
    Value::array(matches.map(|(at, _)| Value::from(at)).collect())
}

fn bounds_needed() -> crate::Exception {
    error("Array/string slice indices must be integers")
}

/// The bounds of a slice: the start is rounded down and the end up; both are limited to the length.
fn bounds(from: &Value, to: &Value, length: usize) -> Result<(usize, usize)> {
    let bound = |value: &Value, default: f64| {
        if value.is_null() {
            Ok(default)
        } else {
            let number = value.as_f64();
            number.ok_or_else(bounds_needed)
        }
    };
    let count = length as f64;
    let (from, to) = (bound(from, 0.0)?, bound(to, count)?);
    let from = if from.is_nan() { 0.0 } else { from };
    let to = if to.is_nan() { count } else { to };
    let absolute = |at: f64| if at < 0.0 { at + count } else { at };
    let from = absolute(from).floor().clamp(0.0, count);
    let to = absolute(to).ceil().clamp(from, count.max(from));
    Ok((from as usize, to.min(count) as usize))
}

/// `.[from:to]` of an array, a string (by characters) or `null`.
pub(crate) fn slice(target: &Value, from: &Value, to: &Value) -> Result<Value> {
    match target.type_of() {
        Type::Null => Ok(Value::Null),
        Type::Array => {
            let (from, to) = bounds(from, to, target.children())?;
            Ok(match target {
                Value::Lazy(lazy) => Value::array(lazy.range(from..to)),
                built => built.slice(from..to).unwrap_or_default(),
            })
        }
        Type::String => {
            let text = target.as_str().unwrap_or_default();
            let (from, to) = bounds(from, to, text.chars().count())?;
            let offset = |at: usize| {
                text.char_indices()
                    .nth(at)
                    .map_or(text.len(), |(offset, _)| offset)
            };
            Ok(Value::from(&text[offset(from)..offset(to)]))
        }
        _ => Err(cannot_index(target, &slice_key(from, to))),
    }
}

/// The value at a path.
pub(crate) fn get_path(value: &Value, path: &[Value]) -> Result<Value> {
    if path.len() > MAX_DEPTH {
        return Err(error("Path too deep"));
    }
    let mut value = value.clone();
    for key in path {
        value = index(&value, key)?;
    }
    Ok(value)
}

/// Replaces the value at a path by the result of `update`. Containers with one owner are not copied.
pub(crate) fn set_path(
    value: Value,
    path: &[Value],
    update: &mut dyn FnMut(Value) -> Result<Value>,
) -> Result<Value> {
    if path.len() > MAX_DEPTH {
        return Err(error("Path too deep"));
    }
    // The containers on the path, each without its next child.
    let mut parents = Vec::with_capacity(path.len());
    let mut value = value;
    for key in path {
        let (parent, child) = take(value, key)?;
        parents.push(parent);
        value = child;
    }
    value = update(value)?;
    for (parent, key) in parents.into_iter().zip(path).rev() {
        value = set_index(parent, key, value)?;
    }
    Ok(value)
}

/// Takes a child out of a container for an update, leaving `null`.
fn take(parent: Value, key: &Value) -> Result<(Value, Value)> {
    let mut parent = parent.forced();
    let child = match (&mut parent, key.type_of()) {
        (Value::Object(members), Type::String) => {
            let key = key.as_str().unwrap_or_default();
            let child = Rc::make_mut(members).get_mut(&key);
            child.map_or(Value::Null, |child| std::mem::replace(child, Value::Null))
        }
        (Value::Array(items), Type::Number) => {
            let at = key.as_f64().and_then(|at| position(at, items.len()));
            let child = at.and_then(|at| Rc::make_mut(items).as_mut().get_mut(at));
            child.map_or(Value::Null, |child| std::mem::replace(child, Value::Null))
        }
        (target, _) => index(target, key)?,
    };
    Ok((parent, child))
}

/// The container with a child replaced or added.
pub(crate) fn set_index(parent: Value, key: &Value, child: Value) -> Result<Value> {
    match (parent.forced(), key.type_of()) {
        (Value::Null, Type::String) => set_index(Value::Object(Rc::default()), key, child),
        (Value::Null, Type::Number | Type::Object) => {
            set_index(Value::array(Vec::new()), key, child)
        }
        (Value::Object(mut members), Type::String) => {
            let Some(key) = key.to_rc_str() else {
                return Ok(Value::Object(members));
            };
            Rc::make_mut(&mut members).insert(key, child);
            Ok(Value::Object(members))
        }
        (Value::Array(mut items), Type::Number) => {
            let at = key.as_f64().unwrap_or_default();
            if at.is_nan() {
                return Err(error("Cannot set array element at NaN index"));
            }
            let mut at = at.trunc();
            if at < 0.0 {
                at += items.len() as f64;
                if at < 0.0 {
                    return Err(error("Out of bounds negative array index"));
                }
            }
            if at >= MAX_LENGTH as f64 {
                return Err(error("Array index too large"));
            }
            let items_mut = Rc::make_mut(&mut items).as_mut();
            let at = at as usize;
            if at >= items_mut.len() {
                items_mut.resize(at + 1, Value::Null);
            }
            items_mut[at] = child;
            Ok(Value::Array(items))
        }
        (Value::Array(items), Type::Object) => {
            let (from, to) = slice_of(key)?;
            let (from, to) = bounds(&from, &to, items.len())?;
            let Some(child) = child.items() else {
                return Err(error(
                    "A slice of an array can only be assigned another array",
                ));
            };
            let mut all = Value::Array(items).items().unwrap_or_default();
            all.splice(from..to, child);
            Ok(Value::array(all))
        }
        (Value::Array(_), Type::Array) => Err(error("Cannot update field at array index of array")),
        (Value::String(_), Type::Object) => Err(error("Cannot update string slices")),
        (parent, _) => Err(cannot_index(&parent, key)),
    }
}

/// A slice in a path: `{"start": 1, "end": null}`.
pub(crate) fn slice_key(from: &Value, to: &Value) -> Value {
    Value::object([("start".into(), from.clone()), ("end".into(), to.clone())])
}

/// The bounds of a slice in a path.
fn slice_of(key: &Value) -> Result<(Value, Value)> {
    let part = |name: &str| member(key, name).ok_or_else(bounds_needed);
    Ok((part("start")?, part("end")?))
}

/// Deletes the values at these paths. Indices and slices refer to the original containers.
pub(crate) fn delete_paths(value: Value, paths: &Value) -> Result<Value> {
    let Some(mut paths) = paths.clone().items() else {
        return Err(error("Paths must be specified as an array"));
    };
    paths.sort_by(order);
    let mut keys = Vec::with_capacity(paths.len());
    for path in paths {
        let kind = path.type_of().name();
        let Some(path) = path.items() else {
            let message = format!("Path must be specified as array, not {kind}");
            return Err(error(message));
        };
        if path.len() > MAX_DEPTH {
            return Err(error("Path too deep"));
        }
        keys.push(path);
    }
    // Drop the paths below another path.
    keys.dedup_by(|path, shorter| {
        path.len() >= shorter.len() && order_keys(&path[..shorter.len()], shorter).is_eq()
    });
    // Delete contents before their containers.
    keys.sort_by_key(|path| std::cmp::Reverse(path.len()));
    let parent = |path: &[Value]| path[..path.len().saturating_sub(1)].to_vec();
    let mut value = value;
    for siblings in
        keys.chunk_by(|a, b| a.len() == b.len() && order_keys(&parent(a), &parent(b)).is_eq())
    {
        let Some((_, parents)) = siblings[0].split_last() else {
            return Ok(Value::Null);
        };
        // Missing parents are not created.
        if !get_path(&value, parents)?.is_null() {
            let keys: Vec<&Value> = siblings.iter().filter_map(|path| path.last()).collect();
            value = set_path(value, parents, &mut |parent| delete(parent, &keys))?;
        }
    }
    Ok(value)
}

fn order_keys(a: &[Value], b: &[Value]) -> Ordering {
    let differences = a.iter().zip(b).map(|(a, b)| order(a, b));
    differences
        .fold(Ordering::Equal, Ordering::then)
        .then(a.len().cmp(&b.len()))
}

/// The container without some children.
fn delete(parent: Value, keys: &[&Value]) -> Result<Value> {
    let wrong = |child: &str, key: &Value| {
        let message = format!("Cannot delete {} {child}", key.type_of().name());
        Err(error(message))
    };
    match parent.forced() {
        Value::Null => Ok(Value::Null),
        Value::Object(mut members) => {
            let members_mut = Rc::make_mut(&mut members);
            for key in keys {
                match key.as_str() {
                    Some(key) => members_mut.remove(&key),
                    None => return wrong("field of object", key),
                }
            }
            Ok(Value::Object(members))
        }
        Value::Array(mut items) => {
            let mut is_removed = vec![false; items.len()];
            for key in keys {
                match key.type_of() {
                    Type::Number => {
                        if let Some(at) = key.as_f64().and_then(|at| position(at, items.len())) {
                            is_removed[at] = true;
                        }
                    }
                    Type::Object => {
                        let (from, to) = slice_of(key)?;
                        let (from, to) = bounds(&from, &to, items.len())?;
                        is_removed[from..to].fill(true);
                    }
                    _ => return wrong("element of array", key),
                }
            }
            let mut is_removed = is_removed.into_iter();
            Rc::make_mut(&mut items)
                .as_mut()
                .retain(|_| is_removed.next() != Some(true));
            Ok(Value::Array(items))
        }
        parent => {
            let kind = parent.type_of().name();
            Err(error(format!("Cannot delete fields from {kind}")).of(&parent))
        }
    }
}
