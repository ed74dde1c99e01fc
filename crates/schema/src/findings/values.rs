//! Values, types, formats and places in messages.

use std::sync::Arc;

use jsonschema::error::{TypeKind, ValidationErrorKind as Cause};
use jsonschema::{JsonType, ValidationError};
use jsonx_core::path::{Location, Step};
use jsonx_core::{Kind, Node};
use serde_json::Value;

use super::context::Listed;
use super::place::{Place, locate};
use super::{Context, keyword_of};
use crate::convert::to_text;
use crate::instance::text;

/// Maximum length of a value or key quoted in full, in characters.
pub const LONGEST: usize = 48;

/// Shortens a text.
pub fn short(text: &str) -> String {
    if text.chars().count() > LONGEST {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

/// A value in a sentence.
pub fn shown(node: Node<'_, '_>) -> String {
    match node.kind() {
        Kind::Object if node.is_empty() => "an empty object".to_owned(),
        Kind::Array if node.is_empty() => "an empty array".to_owned(),
        Kind::Object => "an object".to_owned(),
        Kind::Array => "an array".to_owned(),
        Kind::String => {
            let text = text(node);
            if text.chars().count() > LONGEST {
                format!("\"{}\"", short(&text))
            } else {
                String::from_utf8_lossy(node.raw()).into_owned()
            }
        }
        _ => short(&String::from_utf8_lossy(node.raw())),
    }
}

/// A value of a schema as JSON.
pub fn shown_value(value: &Value) -> String {
    short(&to_text(value))
}

/// Items in a sentence: "a, b or c". Only the first of many are requested.
pub fn list(number: usize, items: impl IntoIterator<Item = String>, conjunction: &str) -> String {
    const MOST: usize = 8;
    let items: Vec<String> = items.into_iter().take(MOST).collect();
    match &items[..] {
        _ if number > MOST => {
            let rest = number - MOST;
            format!("{} {conjunction} {rest} others", items.join(", "))
        }
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}

/// Texts in a sentence, each shortened.
pub fn list_short(texts: &[String], conjunction: &str) -> String {
    list(
        texts.len(),
        texts.iter().map(|text| short(text)),
        conjunction,
    )
}

/// A number with its unit.
pub fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

pub fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

pub fn types(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(set) => set.into_iter().collect(),
    }
}

/// The types or values allowed by a `type`, `const` or `enum` that failed.
pub fn allowed(context: &Context<'_>, error: &ValidationError<'_>) -> Option<Vec<String>> {
    if let Cause::Type { kind } = error.kind() {
        let names = types(kind).into_iter().map(type_name);
        return Some(names.map(str::to_owned).collect());
    }
    let values = &listed(context, error).texts;
    (!values.is_empty()).then(|| values.iter().map(|text| short(text)).collect())
}

/// Whether a `const` or `enum` that failed lists a value of the instance's kind, or its values are not known.
pub fn lists_kind(context: &Context<'_>, error: &ValidationError<'_>) -> bool {
    let kind = Place::new(context, error).node.kind();
    let values = &listed(context, error).texts;
    let is_kind = |json: &String| match json.as_bytes().first() {
        Some(b'{') => kind == Kind::Object,
        Some(b'[') => kind == Kind::Array,
        Some(b'"') => kind == Kind::String,
        Some(b't' | b'f') => kind == Kind::Boolean,
        Some(b'n') => kind == Kind::Null,
        _ => kind == Kind::Number,
    };
    values.is_empty() || values.iter().any(is_kind)
}

/// The listed values of a `const` or `enum`, as JSON.
pub fn listed(context: &Context<'_>, error: &ValidationError<'_>) -> Arc<Listed> {
    let raw = |node: Node<'_, '_>| String::from_utf8_lossy(&node.minified()).into_owned();
    if let Some(located) = locate(context, error) {
        return context
            .known
            .listed
            .get(&located.uri, || match keyword_of(error) {
                "enum" => Listed::of_json(located.node.elements().map(raw)),
                _ => Listed::of_json([raw(located.node)]),
            });
    }
    Arc::new(match error.kind() {
        Cause::Constant { expected_value } => Listed::of_json([to_text(expected_value)]),
        Cause::Enum { options } => {
            let options = options.as_array().map_or(&[][..], Vec::as_slice);
            Listed::of_json(options.iter().map(to_text))
        }
        _ => Listed::default(),
    })
}

/// Whether a text is the JSON text of a value of this type.
pub fn is_written(text: &str, kind: JsonType) -> bool {
    let parsed = serde_json::from_str::<Value>(text);
    match (kind, parsed) {
        (JsonType::Integer, Ok(Value::Number(number))) => number.is_i64() || number.is_u64(),
        (JsonType::Number, Ok(Value::Number(_)))
        | (JsonType::Boolean, Ok(Value::Bool(_)))
        | (JsonType::Null, Ok(Value::Null)) => true,
        _ => false,
    }
}

/// The name of a value: its key, followed by indices.
pub fn name(path: &Location, whole: &str) -> String {
    let steps = path.steps();
    let from = steps
        .iter()
        .rposition(|step| matches!(step, Step::Key(_)))
        .unwrap_or(0);
    let mut out = String::new();
    for step in &steps[from..] {
        match step {
            Step::Key(key) if key.is_empty() => out.push_str("\"\""),
            Step::Key(key) => out.push_str(&short(&String::from_utf8_lossy(key))),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    if out.is_empty() && steps.is_empty() {
        whole.to_owned()
    } else {
        format!("`{out}`")
    }
}

/// A format in words.
pub fn format_name(format: &str) -> String {
    match format {
        "date-time" => "a date and time like 2026-01-31T12:00:00Z",
        "date" => "a date like 2026-01-31",
        "time" => "a time like 12:00:00Z",
        "duration" => "a duration like P1DT12H",
        "email" | "idn-email" => "an email address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" => "a URI like https://example.com/",
        "uri-reference" => "a URI or a relative reference",
        "iri" => "an IRI",
        "iri-reference" => "an IRI or a relative reference",
        "uri-template" => "a URI template",
        "uuid" => "a UUID",
        "json-pointer" => "a JSON Pointer like /a/0",
        "relative-json-pointer" => "a relative JSON Pointer like 1/a",
        "regex" => "a regular expression",
        other => return format!("in the format `{}`", short(other)),
    }
    .to_owned()
}
