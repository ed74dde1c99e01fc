//! Sorting, grouping and adding.

use std::cmp::Ordering;

use crate::error::{Result, about, described, error};
use crate::value::{DeepError, Type, Value, compare, order};

/// An operation on elements with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Sort,
    Group,
    Unique,
    Min,
    Max,
}

/// Sorts by keys; an error if any are too deep.
fn sort<T>(items: &mut [T], key: impl Fn(&T) -> &Value) -> Result {
    let mut failed = false;
    items.sort_by(|a, b| {
        compare(key(a), key(b), 0).unwrap_or_else(|DeepError| {
            failed = true;
            Ordering::Equal
        })
    });
    if failed {
        Err(error("Comparison too deep"))
    } else {
        Ok(())
    }
}

/// The error for an input or keys that are not arrays.
pub(crate) fn not_arrays(by: By, value: &Value, keys: &Value) -> crate::Exception {
    let what = match by {
        By::Min | By::Max => "cannot be iterated over",
        _ => "cannot be sorted, as they are not both arrays",
    };
    let (shown, keys) = (described(value), described(keys));
    error(format!("{shown} and {keys} {what}")).of(value)
}

/// The elements with themselves as keys.
pub(crate) fn sorted(by: By, value: Value) -> Result<Value> {
    if value.type_of() != Type::Array {
        return Err(match by {
            By::Min | By::Max => not_arrays(by, &value, &value),
            _ => about(&value, "cannot be sorted, as it is not an array"),
        });
    }
    let items = value.items().unwrap_or_default();
    by_keys(
        by,
        items.into_iter().map(|item| (item.clone(), item)).collect(),
    )
}

/// Sorts, groups or selects by keys.
pub(crate) fn by_keys(by: By, mut keyed: Vec<(Value, Value)>) -> Result<Value> {
    if matches!(by, By::Min | By::Max) {
        let mut best: Option<(Value, Value)> = None;
        for (key, item) in keyed {
            let is_better = match &best {
                None => true,
                Some((other, _)) => {
                    let order = compare(&key, other, 0)
                        .map_err(|DeepError| error("Comparison too deep"))?;
                    if by == By::Min {
                        order.is_lt()
                    } else {
                        order.is_ge()
                    }
                }
            };
            if is_better {
                best = Some((key, item));
            }
        }
        return Ok(best.map_or(Value::Null, |(_, item)| item));
    }
    sort(&mut keyed, |(key, _)| key)?;
    if by == By::Sort {
        return Ok(Value::array(
            keyed.into_iter().map(|(_, item)| item).collect(),
        ));
    }
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for (key, item) in keyed {
        match groups.last_mut() {
            Some((last, items)) if order(last, &key).is_eq() => items.push(item),
            _ => groups.push((key, vec![item])),
        }
    }
    let groups = groups.into_iter().map(|(_, items)| match by {
        By::Group => Value::array(items),
        _ => items.into_iter().next().unwrap_or(Value::Null),
    });
    Ok(Value::array(groups.collect()))
}
