//! A canonical form of values: two values are equal if and only if their forms are equal byte by byte.
//!
//! A value that is compared with many others is converted to this form once.

use std::borrow::Cow;

use super::node::Node;
use crate::number::Number;
use crate::string::decode_key;
use crate::token::Kind;

impl Node<'_, '_> {
    /// Whether two values, of the same document or of two, are equal as in RFC 9535 and `test` of RFC 6902: numbers by exact
    /// value (`1`, `1.0` and `10e-1` are equal), strings after decoding, objects regardless of the order of members. The last
    /// of duplicate keys counts.
    ///
    /// Takes time proportional to the length of both texts (n log n for objects with n members) and memory for a copy of both.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let a = Document::parse(br#"{"n": 1.0, "s": "\u0061"}"#)?;
    /// let b = Document::parse(br#"{"s": "a", "n": 2, "n": 1}"#)?;
    /// assert!(a.root().equals(b.root()));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn equals(self, other: Node<'_, '_>) -> bool {
        self.kind() == other.kind()
            && (self.raw() == other.raw() || canonical(self) == canonical(other))
    }

    /// A canonical form: the same bytes for all values that are [equal](Node::equals), and for no others. Use it to compare one
    /// value with many, or to put values into a set. It is not JSON. Takes time and memory like [`equals`](Node::equals).
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b"[1, 1.0, 10e-1, \"1\", [1]]")?;
    /// let distinct: HashSet<Vec<u8>> = document.root().elements().map(|node| node.canonical()).collect();
    /// assert_eq!(distinct.len(), 3);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn canonical(self) -> Vec<u8> {
        canonical(self)
    }
}

/// The values still to be written, next one last.
enum Task<'d, 't> {
    Value(Node<'d, 't>),
    Member(Cow<'t, [u8]>, Node<'d, 't>),
    End,
}

/// Writes the canonical form of a value: members sorted by key, only the last of duplicate keys, strings decoded, numbers as
/// digits and a power of ten.
fn canonical(node: Node<'_, '_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut tasks = vec![Task::Value(node)];
    while let Some(task) = tasks.pop() {
        let value = match task {
            Task::Value(value) => value,
            Task::Member(key, value) => {
                text(&mut out, &key);
                value
            }
            Task::End => {
                out.push(b']');
                continue;
            }
        };
        match value.kind() {
            Kind::Array => {
                out.push(b'[');
                tasks.push(Task::End);
                let first = tasks.len();
                tasks.extend(value.elements().map(Task::Value));
                tasks[first..].reverse();
            }
            Kind::Object => {
                out.push(b'{');
                tasks.push(Task::End);
                let members = members(value).into_iter().rev();
                tasks.extend(members.map(|(key, value)| Task::Member(key, value)));
            }
            Kind::String => text(
                &mut out,
                &decode_key(value.string_content().unwrap_or_default()),
            ),
            Kind::Number => number(&mut out, value.raw()),
            Kind::Boolean | Kind::Null => out.push(value.raw()[0]),
        }
    }
    out
}

/// The members, without all but the last of duplicate keys, sorted by decoded key.
fn members<'d, 't>(object: Node<'d, 't>) -> Vec<(Cow<'t, [u8]>, Node<'d, 't>)> {
    let decoded = |(key, value): (Node<'_, 't>, _)| {
        (decode_key(key.string_content().unwrap_or_default()), value)
    };
    let mut members: Vec<(Cow<'t, [u8]>, Node<'d, 't>)> = object.members().map(decoded).collect();
    members.sort_by(|(a, first), (b, second)| a.cmp(b).then(second.at.cmp(&first.at)));
    members.dedup_by(|earlier, last| earlier.0 == last.0);
    members
}

/// Length-prefixed, so that no byte of the text can be mistaken for its end.
fn text(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text);
}

fn number(out: &mut Vec<u8>, raw: &[u8]) {
    let value = Number::new(raw).decimal();
    if value.is_zero() {
        out.extend_from_slice(b"0;");
        return;
    }
    out.push(if value.is_negative() { b'-' } else { b'+' });
    out.extend(value.digits());
    out.push(b'e');
    out.extend_from_slice(value.exact_power().to_string().as_bytes());
    out.push(b';');
}
