//! Values compared as JSONPath filters compare them: RFC 9535, section 2.3.5.2.2.

use std::borrow::Cow;

use crate::Document;
use crate::number;
use crate::string::decode_key;

/// A value as far as comparing needs to know it.
pub(super) enum Value<'t> {
    Nothing,
    Null,
    Bool(bool),
    /// As it is written.
    Number(Cow<'t, [u8]>),
    /// Decoded.
    String(Cow<'t, [u8]>),
    /// An array or object, as it is written, and in the [canonical](crate::Node::canonical) form where that is known.
    Container(&'t [u8], Option<&'t [u8]>),
}

impl<'t> Value<'t> {
    /// By its text, which is known to be a value, without white space around it.
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

    /// Characters of a string, elements of an array, members of an object.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            // Every byte but the continuation bytes begins a character.
            Value::String(text) => {
                let first = |byte: &&u8| **byte & 0xc0 != 0x80;
                Some(text.iter().filter(first).count() as u64)
            }
            Value::Container(text, _) => Document::parse(text)
                .ok()
                .map(|document| document.root().distinct_len() as u64),
            _ => None,
        }
    }
}

/// The one value of a query at `$`, with all that is made of it for comparisons: it is compared with every candidate, so
/// each of these is made once.
#[derive(Debug)]
pub(super) struct Prepared<'t> {
    text: &'t [u8],
    /// A string decoded, a container in its canonical form.
    form: Option<Cow<'t, [u8]>>,
    pub(super) length: Option<u64>,
}

impl<'t> Prepared<'t> {
    pub(super) fn new(text: &'t [u8]) -> Prepared<'t> {
        let value = Value::of(text);
        Prepared {
            text,
            length: value.length(),
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

/// The text was cut out of one that has been verified, so that only a lack of memory is an error.
fn canonical(text: &[u8]) -> Vec<u8> {
    Document::parse(text).map_or(Vec::new(), |document| document.root().canonical())
}

fn form<'t>(text: &[u8], known: Option<&'t [u8]>) -> Cow<'t, [u8]> {
    known.map_or_else(|| Cow::Owned(canonical(text)), Cow::Borrowed)
}

/// Nothing equals nothing. Numbers are compared exactly, objects whatever the order of their members; of members
/// with equal keys the last one counts.
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
