//! Sorting, grouping and adding.

use std::cmp::Ordering;

use crate::error::{Result, about, error};
use crate::iterate::cannot_iterate;
use crate::ops::Operator;
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

/// Adds values one by one, without copying the preceding sum of strings and arrays.
#[derive(Default)]
pub(crate) struct Sum {
    sum: Option<Value>,
    text: String,
}

impl Sum {
    pub(crate) fn add(&mut self, value: Value) -> Result {
        if let (Some(text), Some(Value::String(_))) = (value.as_str(), &self.sum) {
            self.text.push_str(&text);
            return Ok(());
        }
        self.flush();
        self.sum = Some(match self.sum.take() {
            Some(sum) => crate::ops::binary(Operator::Add, sum, value)?,
            None => value.forced(),
        });
        Ok(())
    }

    fn flush(&mut self) {
        if let (Some(Value::String(start)), false) = (&self.sum, self.text.is_empty()) {
            self.sum = Some([&**start, &*self.text].concat().into());
            self.text.clear();
        }
    }

    pub(crate) fn result(mut self) -> Value {
        self.flush();
        self.sum.unwrap_or(Value::Null)
    }
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

/// The error for an input that is not an array.
pub(crate) fn needs_array(by: By, value: &Value) -> Option<crate::Exception> {
    let what = match by {
        _ if value.type_of() == Type::Array => return None,
        By::Sort | By::Unique => "sorted",
        By::Group => "grouped",
        By::Min | By::Max => return Some(cannot_iterate(value)),
    };
    Some(about(
        value,
        &format!("cannot be {what}, as it is not an array"),
    ))
}

/// The elements with themselves as keys.
pub(crate) fn sorted(by: By, value: Value) -> Result<Value> {
    if let Some(error) = needs_array(by, &value) {
        return Err(error);
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
