//! Comparison of values in JSONPath filters: RFC 9535, section 2.3.5.2.2.

use std::borrow::Cow;

use crate::Document;
use crate::number;
use crate::string::decode_key;

/// A value, decoded as far as a comparison needs.
pub(super) enum Value<'t> {
    Nothing,
    Null,
    Bool(bool),
    /// The source text.
    Number(Cow<'t, [u8]>),
    /// Decoded.
    String(Cow<'t, [u8]>),
    /// The source text of an array or object, and its [canonical](crate::Node::canonical) form if known.
    Container(&'t [u8], Option<&'t [u8]>),
}

impl<'t> Value<'t> {
    /// Classifies a value by its text, which is valid and has no white space around it.
    pub(super) fn of(text: &'t [u8]) -> Value<'t> {
        match text {
            [] => Value::Nothing,
            [b'n', ..] => Value::Null,
            [b't', ..] => Value::Bool(true),
            [b'f', ..] => Value::Bool(false),
            [b'{' | b'[', ..] => Value::Container(text, None),
            [b'"', raw @ .., b'"'] => Value::String(decode_key(raw)),
            _ => Value::Number(Cow::Borrowed(text)),
        }
    }

    pub(super) fn number(number: u64) -> Value<'t> {
        Value::Number(number.to_string().into_bytes().into())
    }

    /// Number of characters of a string. Arrays and objects are counted by the walk.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            // Every byte except the continuation bytes begins a character.
            Value::String(text) => {
                let first = |byte: &&u8| **byte & 0xc0 != 0x80;
                Some(text.iter().filter(first).count() as u64)
            }
            _ => None,
        }
    }
}

/// The only value of a query at `$`, with its decoded forms. It is compared with every candidate, so each form is
/// computed once.
#[derive(Debug)]
pub(super) struct Prepared<'t> {
    text: &'t [u8],
    /// The decoded string, or the canonical form of a container.
    form: Option<Cow<'t, [u8]>>,
}

impl<'t> Prepared<'t> {
    pub(super) fn new(text: &'t [u8]) -> Prepared<'t> {
        let value = Value::of(text);
        Prepared {
            text,
            form: match value {
                Value::String(decoded) => Some(decoded),
                Value::Container(..) => Some(canonical(text).into()),
                _ => None,
            },
        }
    }

    pub(super) fn value(&self) -> Value<'_> {
        match (self.text, self.form.as_deref()) {
            ([b'"', ..], Some(decoded)) => Value::String(Cow::Borrowed(decoded)),
            (text, Some(canonical)) => Value::Container(text, Some(canonical)),
            (text, None) => Value::of(text),
        }
    }
}

/// The text is part of a verified document, so the only possible error is a lack of memory.
fn canonical(text: &[u8]) -> Vec<u8> {
    Document::parse(text).map_or(Vec::new(), |document| document.root().canonical())
}

fn form<'t>(text: &[u8], known: Option<&'t [u8]>) -> Cow<'t, [u8]> {
    known.map_or_else(|| Cow::Owned(canonical(text)), Cow::Borrowed)
}

/// Two absent values are equal. Numbers are compared exactly, and objects regardless of the order of their members; of
/// duplicate keys the last one counts.
pub(super) fn equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Nothing, Value::Nothing) | (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => number::compare(a, b).is_eq(),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Container(a, x), Value::Container(b, y)) => {
            a == b || a[0] == b[0] && form(a, *x) == form(b, *y)
        }
        _ => false,
    }
}

/// Only numbers and strings have an order.
pub(super) fn less(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => number::compare(a, b).is_lt(),
        (Value::String(a), Value::String(b)) => a < b,
        _ => false,
    }
}
