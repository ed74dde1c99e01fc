//! Values compared as JSONPath filters compare them: RFC 9535, section 2.3.5.2.2.

use std::borrow::Cow;
use std::convert::Infallible;

use crate::path::compare_numbers;
use crate::string::decode_key;
use crate::token::trim_end;
use crate::{Chunk, Options, Sink, Validator};

/// A value as far as comparing needs to know it.
pub(super) enum Value<'t> {
    Nothing,
    Null,
    Bool(bool),
    /// As it is written.
    Number(Cow<'t, [u8]>),
    /// Decoded.
    String(Cow<'t, [u8]>),
    /// An array or object, as it is written.
    Container(&'t [u8]),
}

impl<'t> Value<'t> {
    /// By its text, which is known to be a value, without white space around it.
    pub(super) fn of(text: &'t [u8]) -> Value<'t> {
        match text {
            [] => Value::Nothing,
            [b'n', ..] => Value::Null,
            [b't', ..] => Value::Bool(true),
            [b'f', ..] => Value::Bool(false),
            [b'{' | b'[', ..] => Value::Container(text),
            [b'"', raw @ .., b'"'] => Value::String(decode_key(raw)),
            _ => Value::Number(Cow::Borrowed(text)),
        }
    }

    pub(super) fn number(number: u64) -> Value<'t> {
        Value::Number(number.to_string().into_bytes().into())
    }

    /// Characters of a string, elements of an array, members of an object.
    pub(super) fn length(&self) -> Value<'t> {
        match self {
            // Every byte but the continuation bytes begins a character.
            Value::String(text) => {
                let first = |byte: &&u8| **byte & 0xc0 != 0x80;
                Value::number(text.iter().filter(first).count() as u64)
            }
            Value::Container(text) => Value::number(Tree::new(text).length()),
            _ => Value::Nothing,
        }
    }
}

/// Nothing equals nothing. Numbers are compared exactly, objects whatever the order of their members; of members
/// with equal keys the last one counts.
pub(super) fn equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Nothing, Value::Nothing) | (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b).is_eq(),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Container(a), Value::Container(b)) => {
            a == b || a[0] == b[0] && Tree::new(a).equals(&Tree::new(b))
        }
        _ => false,
    }
}

/// Only numbers and strings have an order.
pub(super) fn less(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b).is_lt(),
        (Value::String(a), Value::String(b)) => a < b,
        _ => false,
    }
}

/// The tokens of a text, and for each opening bracket where its closing bracket is.
struct Tree<'t> {
    text: &'t [u8],
    kinds: Vec<u8>,
    offsets: Vec<usize>,
    closes: Vec<usize>,
}

impl Sink for Tree<'_> {
    type Error = Infallible;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        let before = chunk.offset as usize;
        self.kinds.extend_from_slice(chunk.kinds);
        self.offsets
            .extend(chunk.offsets.iter().map(|&at| before + at as usize));
        Ok(())
    }
}

impl<'t> Tree<'t> {
    fn new(text: &'t [u8]) -> Tree<'t> {
        let mut tree = Tree {
            text,
            kinds: Vec::new(),
            offsets: Vec::new(),
            closes: Vec::new(),
        };
        // The text was cut out of one that has been verified.
        let verdict = Validator::new(Options::default()).finish(text, &mut tree);
        debug_assert!(verdict.is_ok());
        tree.closes = vec![0; tree.kinds.len()];
        let mut open = Vec::new();
        for (at, kind) in tree.kinds.iter().enumerate() {
            match kind {
                b'{' | b'[' => open.push(at),
                b'}' | b']' => {
                    if let Some(opened) = open.pop() {
                        tree.closes[opened] = at;
                    }
                }
                _ => {}
            }
        }
        tree
    }

    fn raw(&self, token: usize) -> &'t [u8] {
        let end = self.offsets.get(token + 1).copied();
        trim_end(&self.text[self.offsets[token]..end.unwrap_or(self.text.len())])
    }

    fn key(&self, token: usize) -> Cow<'t, [u8]> {
        match self.raw(token) {
            [b'"', raw @ .., b'"'] => decode_key(raw),
            raw => Cow::Borrowed(raw),
        }
    }

    /// The first tokens of the elements, or of the keys of the members, of the container that begins at a token.
    fn children(&self, token: usize) -> impl Iterator<Item = usize> + '_ {
        let object = self.kinds[token] == b'{';
        let mut at = token + 1;
        std::iter::from_fn(move || {
            if self.kinds[at] == b',' {
                at += 1;
            }
            if matches!(self.kinds[at], b'}' | b']') {
                return None;
            }
            let child = at;
            at += if object { 2 } else { 0 };
            at = self.closes[at].max(at) + 1;
            Some(child)
        })
    }

    /// The members of an object, by key: each key once, with the first token of its value.
    fn members(&self, token: usize) -> Vec<(Cow<'t, [u8]>, usize)> {
        let mut members: Vec<_> = self
            .children(token)
            .map(|key| (self.key(key), key + 2))
            .collect();
        members.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        members.dedup_by(|later, kept| later.0 == kept.0);
        members
    }

    fn length(&self) -> u64 {
        match self.kinds[0] {
            b'{' => self.members(0).len() as u64,
            _ => self.children(0).count() as u64,
        }
    }

    fn equals(&self, other: &Tree<'_>) -> bool {
        let mut waiting = vec![(0, 0)];
        while let Some((a, b)) = waiting.pop() {
            let same = match (self.kinds[a], other.kinds[b]) {
                (b'[', b'[') => {
                    waiting.extend(self.children(a).zip(other.children(b)));
                    self.children(a).count() == other.children(b).count()
                }
                (b'{', b'{') => {
                    let (a, b) = (self.members(a), other.members(b));
                    waiting.extend(a.iter().zip(&b).map(|(a, b)| (a.1, b.1)));
                    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.0 == b.0)
                }
                (b'[' | b'{', _) | (_, b'[' | b'{') => false,
                _ => equal(&Value::of(self.raw(a)), &Value::of(other.raw(b))),
            };
            if !same {
                return false;
            }
        }
        true
    }
}
