//! Arithmetic and comparison.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::access::MAX_LENGTH;
use crate::error::{Exception, Result, about, described, error};
use crate::value::{DeepError, Type, Value, compare, merge};

/// The longest string, in bytes.
const MAX_STRING: usize = i32::MAX as usize;

/// The maximum length of a repeated string.
const MAX_REPEATED: usize = i32::MAX as usize / 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Applies an operator.
pub(crate) fn binary(operator: Operator, left: Value, right: Value) -> Result<Value> {
    match operator {
        Operator::Add => add(left, right),
        Operator::Subtract => subtract(left, right),
        Operator::Multiply => multiply(left, right),
        Operator::Divide => divide(left, right),
        Operator::Remainder => remainder(left, right),
        _ => Ok(compared(operator, &left, &right)?.into()),
    }
}

fn compared(operator: Operator, left: &Value, right: &Value) -> Result<bool> {
    let is_equality = matches!(operator, Operator::Equal | Operator::Unequal);
    let ordering = match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left.partial_cmp(right).unwrap_or(if left.is_nan() {
                Ordering::Less
            } else {
                Ordering::Greater
            })
        }
        _ => compare(left, right, 0).map_err(|DeepError| {
            if is_equality {
                error("Equality check too deep")
            } else {
                error("Comparison too deep")
            }
        })?,
    };
    Ok(match operator {
        Operator::Equal => ordering.is_eq(),
        Operator::Unequal => ordering.is_ne(),
        Operator::Less => ordering.is_lt(),
        Operator::LessEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        _ => ordering.is_ge(),
    })
}

fn both(left: &Value, right: &Value, what: &str) -> Exception {
    error(format!(
        "{} and {} cannot be {what}",
        described(left),
        described(right)
    ))
}

fn add(left: Value, right: Value) -> Result<Value> {
    if let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) {
        return Ok(Value::Number(a + b));
    }
    match (left.type_of(), right.type_of()) {
        (Type::Null, _) => Ok(right),
        (_, Type::Null) => Ok(left),
        (Type::String, Type::String) => {
            let end = right.as_str().unwrap_or_default();
            append(left, &end)
        }
        (Type::Array, Type::Array) => {
            let more = right.elements().unwrap_or_default();
            if left.children() + more.len() > MAX_LENGTH {
                return Err(error("Array too long"));
            }
            match left {
                Value::Slice(slice) => Ok(slice.append(&more)),
                left => {
                    let Value::Array(mut items) = left.forced() else {
                        return Ok(right);
                    };
                    Rc::make_mut(&mut items).as_mut().extend_from_slice(&more);
                    Ok(Value::Array(items))
                }
            }
        }
        (Type::Object, Type::Object) => {
            let (Some(mut members), Some(more)) = (left.members(), right.clone().members()) else {
                return Ok(right);
            };
            let all = Rc::make_mut(&mut members);
            for (key, value) in more.iter() {
                all.insert(key.clone(), value.clone());
            }
            Ok(Value::Object(members))
        }
        _ => Err(both(&left, &right, "added").of(&left)),
    }
}

/// Strings up to this length are not given room to grow.
const SHORT: usize = 64;

/// A string with another one appended, in place if nothing else refers to it.
fn append(mut text: Value, end: &str) -> Result<Value> {
    if let Value::Buffer(buffer) = &mut text
        && let Some(buffer) = Rc::get_mut(buffer)
    {
        check_length([&**buffer, end])?;
        buffer.push_str(end);
        return Ok(text);
    }
    let start = text.as_str().unwrap_or_default();
    check_length([&*start, end])?;
    let whole = [&*start, end].concat();
    Ok(match whole.len() {
        0..=SHORT => whole.into(),
        _ => Value::Buffer(Rc::new(whole)),
    })
}

/// Whether a string may consist of these parts.
///
/// # Errors
/// It would be longer than those of jq.
pub(crate) fn check_length<'t>(parts: impl IntoIterator<Item = &'t str>) -> Result<()> {
    if parts.into_iter().map(str::len).sum::<usize>() > MAX_STRING {
        return Err(error("String too long"));
    }
    Ok(())
}

fn subtract(left: Value, right: Value) -> Result<Value> {
    if let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) {
        return Ok(Value::Number(a - b));
    }
    if (left.type_of(), right.type_of()) != (Type::Array, Type::Array) {
        return Err(both(&left, &right, "subtracted").of(&left));
    }
    let removed = right.items().unwrap_or_default();
    let mut items = left.items().unwrap_or_default();
    let mut failed = false;
    items.retain(|item| {
        !removed
            .iter()
            .any(|removed| match crate::value::equals(item, removed) {
                Ok(equal) => equal,
                Err(DeepError) => {
                    failed = true;
                    false
                }
            })
    });
    if failed {
        Err(error("Equality check too deep"))
    } else {
        Ok(Value::array(items))
    }
}

fn multiply(left: Value, right: Value) -> Result<Value> {
    match (left.type_of(), right.type_of()) {
        (Type::Number, Type::Number) => Ok(Value::Number(
            left.as_f64().unwrap_or_default() * right.as_f64().unwrap_or_default(),
        )),
        (Type::String, Type::Number) => repeat(&left, right.as_f64().unwrap_or_default()),
        (Type::Number, Type::String) => repeat(&right, left.as_f64().unwrap_or_default()),
        (Type::Object, Type::Object) => {
            merge(left, right, 0).map_err(|DeepError| error("Object merge too deep"))
        }
        _ => Err(both(&left, &right, "multiplied").of(&left)),
    }
}

/// A string, repeated the number of times, rounded down; `null` if negative.
fn repeat(text: &Value, count: f64) -> Result<Value> {
    let text = text.as_str().unwrap_or_default();
    if count.is_nan() || count < 0.0 {
        return Ok(Value::Null);
    }
    let count = count.floor();
    if text.len() as f64 * count > MAX_REPEATED as f64 {
        return Err(error("Repeat string result too long"));
    }
    if text.is_empty() {
        Ok("".into())
    } else {
        Ok(text.repeat(count as usize).into())
    }
}

fn divide(left: Value, right: Value) -> Result<Value> {
    if let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) {
        return if b == 0.0 {
            Err(both(&left, &right, "divided because the divisor is zero").of(&right))
        } else {
            Ok(Value::Number(a / b))
        };
    }
    match (left.as_str(), right.as_str()) {
        (Some(text), Some(separator)) => Ok(split(&text, &separator)),
        _ => Err(both(&left, &right, "divided").of(&left)),
    }
}

/// Splits a text at separators, or into characters if the separator is empty.
pub(crate) fn split(text: &str, separator: &str) -> Value {
    let parts: Vec<Value> = match (text, separator) {
        ("", _) => Vec::new(),
        (_, "") => text
            .chars()
            .map(|character| Value::from(&*character.encode_utf8(&mut [0; 4])))
            .collect(),
        _ => text.split(separator).map(Value::from).collect(),
    };
    Value::array(parts)
}

fn remainder(left: Value, right: Value) -> Result<Value> {
    let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) else {
        return Err(both(&left, &right, "divided (remainder)").of(&left));
    };
    if a.is_nan() || b.is_nan() {
        return Ok(Value::Number(f64::NAN));
    }
    let divisor = b as i64;
    if divisor == 0 {
        return Err(both(
            &left,
            &right,
            "divided (remainder) because the divisor is zero",
        )
        .of(&right));
    }
    let magnitude = (a as i64).unsigned_abs() % divisor.unsigned_abs();
    let sign = if (a as i64) < 0 { -1.0 } else { 1.0 };
    let result = magnitude as f64 * sign;
    Ok(Value::Number(if result == 0.0 { 0.0 } else { result }))
}

/// `-value`; a literal keeps its digits.
pub(crate) fn negate(value: Value) -> Result<Value> {
    if value.type_of() != Type::Number {
        return Err(about(&value, "cannot be negated"));
    }
    // A zero as written has no sign.
    if let (Value::Lazy(_) | Value::Literal(_), Some(0.0)) = (&value, value.as_f64()) {
        return Ok(value);
    }
    Ok(match value.forced() {
        Value::Literal(text) => match text.strip_prefix('-') {
            Some(positive) => Value::literal(positive),
            None => Value::literal(&format!("-{text}")),
        },
        value => Value::Number(-value.as_f64().unwrap_or_default()),
    })
}
