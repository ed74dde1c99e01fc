//! Converts schemas to `serde_json::Value`, the validator's representation, which rounds numbers.
//!
//! A number that a `Value` cannot hold is kept in full: next to a limit such as `maximum` as an additional member ([`exact_key`]), and
//! in `const` and `enum` as a [marked](MARK) string.

use std::borrow::Cow;

use jsonschema::json::JsonNumber;
use jsonx_core::{Kind, Node};
use serde_json::{Map, Value};

use crate::ecma;
use crate::exact::exact_key;
use crate::instance::{Decimal, text};
use crate::keywords::NUMERIC;

/// The keywords whose value is a reference.
pub const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Prefix of a string that represents a number.
const MARK: &str = "\u{0}number:";

/// The meaning of the members of an object.
#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    /// Keywords.
    Schema,
    /// Schemas by name.
    Schemas,
    /// Anything.
    Data,
}

/// Converts a schema. Recurses, so the depth of the document must be limited.
pub fn to_value(node: Node<'_, '_>) -> Value {
    convert(node, Role::Schema)
}

fn convert(node: Node<'_, '_>, role: Role) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Boolean => Value::Bool(node.as_bool().unwrap_or_default()),
        Kind::String => Value::String(text(node).into_owned()),
        Kind::Number => match node.number() {
            Some(number) if role == Role::Data && !is_exact(node) => {
                let raw = String::from_utf8_lossy(number.raw());
                Value::String(format!("{MARK}{raw}"))
            }
            Some(number) => Value::Number(Decimal(number).to_number().into_owned()),
            None => Value::Null,
        },
        Kind::Array => {
            let role = match role {
                Role::Schemas => Role::Schema,
                other => other,
            };
            let elements = node.elements().map(|node| convert(node, role));
            Value::Array(elements.collect())
        }
        Kind::Object => {
            let mut object = Map::new();
            for (key, value) in node.members() {
                let key = text(key).into_owned();
                if role == Role::Schema && NUMERIC.contains(&&*key) && !is_exact(value) {
                    let raw = String::from_utf8_lossy(value.raw()).into_owned();
                    object.insert(exact_key(&key), Value::String(raw));
                }
                let is_keyword = role == Role::Schema;
                let role = match role {
                    Role::Data => Role::Data,
                    Role::Schemas => Role::Schema,
                    Role::Schema => role_of(&key),
                };
                let value = match convert(value, role) {
                    // The validator ignores an empty reference, which leads to the schema around it.
                    Value::String(reference) if is_keyword && REFERENCES.contains(&&*key) => {
                        let written = if reference.is_empty() {
                            "#"
                        } else {
                            &reference
                        };
                        Value::String(encoded(written).into_owned())
                    }
                    other => other,
                };
                let value = match value {
                    Value::Object(patterns) if is_keyword && key == "patternProperties" => {
                        let patterns = patterns.into_iter();
                        Value::Object(
                            patterns
                                .map(|(key, value)| (name_pattern(key), value))
                                .collect(),
                        )
                    }
                    value => value,
                };
                object.insert(key, value);
            }
            Value::Object(object)
        }
    }
}

/// A pattern of `patternProperties` for the validator, which has its own engine.
pub fn name_pattern(pattern: String) -> String {
    if ecma::differs(&pattern) {
        ecma::translated(&pattern, false).unwrap_or(pattern)
    } else {
        pattern
    }
}

/// The role of the value of a keyword.
pub fn role_of(keyword: &str) -> Role {
    match keyword {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            Role::Schemas
        }
        "const" | "enum" | "default" | "examples" => Role::Data,
        _ => Role::Schema,
    }
}

/// Percent-encodes the characters of a reference that are not allowed in URIs: programs write `#/definitions/List<Item>`, with the
/// plain key.
pub fn encoded(reference: &str) -> Cow<'_, str> {
    let bytes = reference.as_bytes();
    let fragment = fragment_of(reference);
    let is_sound = |at| is_sound(bytes, fragment, at);
    if (0..bytes.len()).all(is_sound) {
        return Cow::Borrowed(reference);
    }
    let mut out = String::with_capacity(reference.len() + 8);
    for (at, &byte) in bytes.iter().enumerate() {
        if is_sound(at) {
            out.push(char::from(byte))
        } else {
            out += &format!("%{byte:02X}")
        }
    }
    Cow::Owned(out)
}

/// The offset of the fragment of a URI, or its length.
pub fn fragment_of(uri: &str) -> usize {
    uri.find('#').unwrap_or(uri.len())
}

/// Whether the byte at this offset is allowed in a URI whose fragment begins at `fragment`.
pub fn is_sound(uri: &[u8], fragment: usize, at: usize) -> bool {
    match uri[at] {
        b'%' => {
            let code = uri.get(at + 1..at + 3);
            code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
        }
        b'[' | b']' => at < fragment,
        b'#' => at == fragment,
        b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => false,
        byte => byte.is_ascii_graphic(),
    }
}

/// Whether a `Value` can hold a number exactly. True for other kinds.
fn is_exact(node: Node<'_, '_>) -> bool {
    let Some(number) = node.number() else {
        return true;
    };
    if number.as_i64().is_some() || number.as_u64().is_some() {
        return true;
    }
    let rounded = Decimal(number).to_number().to_string();
    jsonx_core::number::compare(number.raw(), rounded.as_bytes()).is_eq()
}

/// The JSON text of a converted value, with the original notation of numbers.
pub fn to_text(value: &Value) -> String {
    match value {
        Value::String(string) => match string.strip_prefix(MARK) {
            Some(number) => number.to_owned(),
            None => value.to_string(),
        },
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(to_text).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), to_text(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}
