//! Comparison of values in JSONPath filters: RFC 9535, section 2.3.5.2.2.

use std::borrow::Cow;
use std::collections::HashMap;

use super::candidate::Item;
use super::texts::{Span, Texts};
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
    /// The source text of an array or object, and its span unless only the kind matters.
    Container(&'t [u8], Option<Span>),
    /// The number of children of an array or object whose content does not matter.
    Counted(u64),
}

impl<'t> Value<'t> {
    /// Classifies a value by its text, which is valid and trimmed.
    pub(super) fn new(text: &'t [u8]) -> Value<'t> {
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

    pub(super) fn of_item(item: Item<'t>) -> Value<'t> {
        match item {
            Item::Length(length) => Value::Counted(length),
            Item::Text(text, span @ Some(_)) => Value::Container(text, span),
            Item::Text(text, None) => Value::new(text),
        }
    }

    pub(super) fn number(number: u64) -> Value<'t> {
        Value::Number(number.to_string().into_bytes().into())
    }

    /// Number of characters of a string, elements of an array, or members of an object.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            // Every byte except the continuation bytes begins a character.
            Value::String(text) => {
                let first = |byte: &&u8| **byte & 0xc0 != 0x80;
                Some(text.iter().filter(first).count() as u64)
            }
            Value::Counted(children) => Some(*children),
            _ => None,
        }
    }
}

/// Cache of exact comparisons of containers with equal fingerprints: the same two may be compared once per value around them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    known: HashMap<(Span, Span), bool>,
    /// [`Texts::freed`] when they were compared.
    freed: u64,
}

/// Capacity of the cache.
const KNOWN: usize = 64;

impl Pairs {
    /// Two absent values are equal. Numbers are compared exactly, and objects regardless of the order of their members; of
    /// duplicate keys the last one counts.
    pub(super) fn equal(&mut self, a: &Value<'_>, b: &Value<'_>, texts: &Texts) -> bool {
        match (a, b) {
            (Value::Nothing, Value::Nothing) | (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => number::compare(a, b).is_eq(),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Container(a, Some(x)), Value::Container(b, Some(y))) => {
                a == b || a[0] == b[0] && self.containers(*x, *y, texts)
            }
            _ => false,
        }
    }

    fn containers(&mut self, a: Span, b: Span, texts: &Texts) -> bool {
        let prints = (texts.fingerprint(a), texts.fingerprint(b));
        if let (Some(x), Some(y)) = prints
            && x != y
        {
            return false;
        }
        if self.freed != texts.freed() || self.known.len() == KNOWN {
            self.known.clear();
            self.freed = texts.freed();
        }
        let equal = || canonical(texts.get(a)) == canonical(texts.get(b));
        *self.known.entry((a, b)).or_insert_with(equal)
    }
}

/// The canonical form. The text was verified, so the only possible error is a lack of memory.
fn canonical(text: &[u8]) -> Vec<u8> {
    Document::parse(text).map_or(Vec::new(), |document| document.root().canonical())
}

/// Only numbers and strings have an order.
pub(super) fn less(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => number::compare(a, b).is_lt(),
        (Value::String(a), Value::String(b)) => a < b,
        _ => false,
    }
}
