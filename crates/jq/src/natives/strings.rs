//! Functions of strings.

use super::{Native, native};
use crate::error::{Result, about, described, error};
use crate::iterate::each;
use crate::ops::{Operator, binary};
use crate::value::{Type, Value};

pub(super) const NATIVES: &[Native] = &[
    native("startswith", 1, |input, arguments| {
        both(
            &input,
            &arguments[0],
            "startswith() requires string inputs",
            |text, part| text.starts_with(part).into(),
        )
    }),
    native("format", 1, |input, arguments| {
        super::format::by_name(&input, &arguments[0])
    }),
    native("endswith", 1, |input, arguments| {
        both(
            &input,
            &arguments[0],
            "endswith() requires string inputs",
            |text, part| text.ends_with(part).into(),
        )
    }),
    native("ltrimstr", 1, |input, arguments| {
        both(
            &input,
            &arguments[0],
            "startswith() requires string inputs",
            |text, part| text.strip_prefix(part).unwrap_or(text).into(),
        )
    }),
    native("rtrimstr", 1, |input, arguments| {
        both(
            &input,
            &arguments[0],
            "endswith() requires string inputs",
            |text, part| text.strip_suffix(part).unwrap_or(text).into(),
        )
    }),
    native("trim", 0, |input, _| trimmed(&input, str::trim)),
    native("ltrim", 0, |input, _| trimmed(&input, str::trim_start)),
    native("rtrim", 0, |input, _| trimmed(&input, str::trim_end)),
    native("split", 1, |input, arguments| {
        both(
            &input,
            &arguments[0],
            "split input and separator must be strings",
            crate::ops::split,
        )
    }),
    native("join", 1, |input, arguments| join(&input, &arguments[0])),
    native("ascii_downcase", 0, |input, _| {
        text_of(&input, "explode input must be a string")
            .map(|text| text.to_ascii_lowercase().into())
    }),
    native("ascii_upcase", 0, |input, _| {
        text_of(&input, "explode input must be a string")
            .map(|text| text.to_ascii_uppercase().into())
    }),
    native("explode", 0, |input, _| {
        let Some(text) = input.as_str() else {
            return Err(error("explode input must be a string").of(&input));
        };
        let code_points = text
            .chars()
            .map(|character| Value::Number(f64::from(u32::from(character))));
        Ok(Value::array(code_points.collect()))
    }),
    native("implode", 0, |input, _| implode(&input)),
    native("utf8bytelength", 0, |input, _| match input.as_str() {
        Some(text) => Ok(text.len().into()),
        None => Err(about(&input, "only strings have UTF-8 byte length")),
    }),
    native("_strindices", 1, |input, arguments| {
        if input.type_of() != Type::String {
            return Err(about(&input, "cannot be searched, as it is not a string"));
        }
        positions(&input, &arguments[0])
    }),
];

fn text_of(value: &Value, message: &str) -> Result<String> {
    match value.as_str() {
        Some(text) => Ok(text.into_owned()),
        None => Err(error(message).of(value)),
    }
}

fn both(
    value: &Value,
    argument: &Value,
    message: &str,
    function: impl Fn(&str, &str) -> Value,
) -> Result<Value> {
    match (value.as_str(), argument.as_str()) {
        (Some(text), Some(argument)) => Ok(function(&text, &argument)),
        _ => Err(error(message).of(value)),
    }
}

fn trimmed(value: &Value, trim: impl Fn(&str) -> &str) -> Result<Value> {
    match value.as_str() {
        Some(text) => Ok(trim(&text).into()),
        None => Err(error("trim input must be a string").of(value)),
    }
}

/// The positions of a text in another, in characters.
fn positions(value: &Value, wanted: &Value) -> Result<Value> {
    let (Some(text), Some(part)) = (value.as_str(), wanted.as_str()) else {
        return Err(error(format!("{} is not a string", described(wanted))).of(value));
    };
    if part.is_empty() {
        return Ok(Value::array(Vec::new()));
    }
    let mut found = Vec::new();
    let (mut characters, mut counted, mut from) = (0, 0, 0);
    while let Some(at) = memchr::memmem::find(&text.as_bytes()[from..], part.as_bytes()) {
        let at = from + at;
        characters += text[counted..at].chars().count();
        counted = at;
        found.push(Value::from(characters));
        // Matches may overlap.
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    Ok(Value::array(found))
}

fn join(value: &Value, separator: &Value) -> Result<Value> {
    let mut joined = Value::Null;
    each(value, &mut |item| {
        let start = match std::mem::take(&mut joined) {
            Value::Null => Value::from(""),
            start => binary(Operator::Add, start, separator.clone())?,
        };
        let item = match item.type_of() {
            Type::Null => Value::from(""),
            Type::Number | Type::False | Type::True => item.to_text().into(),
            _ => item,
        };
        joined = binary(Operator::Add, start, item)?;
        Ok(())
    })?;
    Ok(match joined {
        Value::Null => Value::from(""),
        joined => joined,
    })
}

fn implode(value: &Value) -> Result<Value> {
    if value.type_of() != Type::Array {
        return Err(error("implode input must be an array").of(value));
    }
    let mut text = String::new();
    each(value, &mut |code_point| {
        let number = code_point.as_f64().filter(|number| !number.is_nan());
        let Some(number) = number else {
            let described = described(&code_point);
            return Err(error(format!(
                "{described} can't be imploded, unicode codepoint needs to be numeric"
            ))
            .of(value));
        };
        let character = (number >= 0.0)
            .then(|| char::from_u32(number as u32))
            .flatten();
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(())
    })?;
    Ok(text.into())
}
