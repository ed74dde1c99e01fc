//! Values as text.

use jsonx_core::string::{escape, find_special};
use jsonx_core::{Kind, Node};

use super::{FEW, Lazy, MAX_DEPTH, Value, push_number};

/// Line breaks and indentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// On one line, without spaces.
    #[default]
    Compact,
    /// A line for each element and member, indented by this many spaces.
    Spaces(u8),
    /// A line for each element and member, indented by tabs.
    Tabs,
}

/// Prints values.
#[derive(Clone, Debug, Default)]
pub struct Printer {
    /// Line breaks and indentation.
    pub layout: Layout,
    /// Sort keys.
    pub sort_keys: bool,
    /// Escape all non-ASCII characters.
    pub ascii: bool,
    /// Keep the escapes and the equal keys of values of a text.
    pub as_written: bool,
}

/// A value to print: built, or a node of a text.
#[derive(Clone, Copy)]
enum Printed<'v> {
    Value(&'v Value),
    Node(Node<'v, 'v>),
}

impl Printer {
    /// Appends a value.
    pub fn push(&self, value: &Value, out: &mut Vec<u8>) {
        self.value(Printed::Value(value), 0, out);
    }

    /// Appends a value as an element of an array: after a comma, and on a line of its own.
    pub fn push_element(&self, value: &Value, out: &mut Vec<u8>) {
        out.push(b',');
        self.line(1, out);
        self.value(Printed::Value(value), 1, out);
    }

    /// Appends the end of an array.
    pub fn push_end(&self, out: &mut Vec<u8>) {
        self.line(0, out);
        out.push(b']');
    }

    fn value(&self, mut value: Printed<'_>, depth: usize, out: &mut Vec<u8>) {
        if let Printed::Value(Value::Lazy(lazy)) = value {
            let node = lazy.node();
            let is_container = matches!(node.kind(), Kind::Array | Kind::Object);
            if is_container && self.text_within(node.raw(), depth, out) {
                return;
            }
            value = Printed::Node(node);
        }
        let is_container = match value {
            Printed::Value(value) => {
                matches!(value, Value::Array(_) | Value::Slice(_) | Value::Object(_))
            }
            Printed::Node(node) => matches!(node.kind(), Kind::Array | Kind::Object),
        };
        if is_container && depth > MAX_DEPTH {
            out.extend_from_slice(b"\"<skipped: too deep>\"");
        } else if is_container {
            self.container(value, depth, out);
        } else {
            self.scalar(value, out);
        }
    }

    fn scalar(&self, value: Printed<'_>, out: &mut Vec<u8>) {
        match value {
            Printed::Value(Value::Bool(true)) => out.extend_from_slice(b"true"),
            Printed::Value(Value::Bool(false)) => out.extend_from_slice(b"false"),
            Printed::Value(Value::Number(number)) => push_number(*number, out),
            Printed::Value(Value::Literal(text)) => out.extend_from_slice(text.as_bytes()),
            Printed::Value(Value::String(text)) => self.push_string(text, out),
            Printed::Value(Value::Buffer(text)) => self.push_string(text, out),
            Printed::Value(_) => out.extend_from_slice(b"null"),
            Printed::Node(node) if node.kind() == Kind::String => self.string_node(node, out),
            Printed::Node(node) => out.extend_from_slice(node.raw()),
        }
    }

    /// Copies a string that has no escapes.
    fn string_node(&self, node: Node<'_, '_>, out: &mut Vec<u8>) {
        let raw = node.raw();
        let is_plain = self.as_written || !raw.contains(&b'\\') && !raw.contains(&0x7f);
        if is_plain && (!self.ascii || raw.is_ascii()) {
            out.extend_from_slice(raw)
        } else {
            self.push_string(&node.as_str().unwrap_or_default(), out)
        }
    }

    fn container(&self, value: Printed<'_>, depth: usize, out: &mut Vec<u8>) {
        match value {
            Printed::Value(Value::Array(items)) => {
                self.array(items.iter().map(Printed::Value), depth, out);
            }
            Printed::Value(Value::Slice(items)) => {
                self.array(items.iter().map(Printed::Value), depth, out);
            }
            Printed::Value(Value::Object(members)) => {
                let mut entries: Vec<_> = members
                    .iter()
                    .map(|(key, value)| (Key::Text(key), Printed::Value(value)))
                    .collect();
                self.object(&mut entries, depth, out);
            }
            Printed::Node(node) if node.kind() == Kind::Array => {
                self.array(node.elements().map(Printed::Node), depth, out);
            }
            Printed::Node(node) => {
                let mut entries: Vec<_> = node
                    .members()
                    .map(|(key, value)| (Key::Node(key), Printed::Node(value)))
                    .collect();
                if !self.as_written && has_duplicates(&entries) {
                    remove_duplicates(&mut entries);
                }
                self.object(&mut entries, depth, out);
            }
            Printed::Value(_) => {}
        }
    }

    fn array<'v>(&self, items: impl Iterator<Item = Printed<'v>>, depth: usize, out: &mut Vec<u8>) {
        let mut items = items.peekable();
        out.extend_from_slice(b"[");
        if items.peek().is_none() {
            out.extend_from_slice(b"]");
            return;
        }
        let mut is_first = true;
        for item in items {
            if !std::mem::take(&mut is_first) {
                out.extend_from_slice(b",");
            }
            self.line(depth + 1, out);
            self.value(item, depth + 1, out);
        }
        self.line(depth, out);
        out.extend_from_slice(b"]");
    }

    fn object(&self, entries: &mut Vec<(Key<'_>, Printed<'_>)>, depth: usize, out: &mut Vec<u8>) {
        if self.sort_keys {
            entries.sort_by_cached_key(|(key, _)| key.text());
        }
        out.extend_from_slice(b"{");
        for (at, (key, value)) in entries.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(b",");
            }
            self.line(depth + 1, out);
            match key {
                Key::Text(text) => self.push_string(text, out),
                Key::Node(node) => self.string_node(*node, out),
            }
            out.extend_from_slice(b":");
            if self.layout != Layout::Compact {
                out.push(b' ');
            }
            self.value(*value, depth + 1, out);
        }
        if !entries.is_empty() {
            self.line(depth, out);
        }
        out.extend_from_slice(b"}");
    }

    pub(super) fn line(&self, depth: usize, out: &mut Vec<u8>) {
        let (unit, count) = match self.layout {
            Layout::Compact => return,
            Layout::Spaces(spaces) => (b' ', depth * usize::from(spaces)),
            Layout::Tabs => (b'\t', depth),
        };
        out.push(b'\n');
        out.resize(out.len() + count, unit);
    }

    /// Appends a string in quotes.
    pub fn push_string(&self, text: &str, out: &mut Vec<u8>) {
        out.push(b'"');
        let bytes = text.as_bytes();
        let mut done = 0;
        while done < bytes.len() {
            let mut plain = find_special(bytes, done);
            // DEL is escaped too.
            if let Some(delete) = memchr::memchr(0x7f, &bytes[done..plain]) {
                plain = done + delete;
            }
            if self.ascii
                && let Some(first) = bytes[done..plain].iter().position(|byte| !byte.is_ascii())
            {
                plain = done + first;
            }
            out.extend_from_slice(&bytes[done..plain]);
            let Some(character) = text.get(plain..).and_then(|rest| rest.chars().next()) else {
                break;
            };
            out.extend_from_slice(escape(character).as_bytes());
            done = plain + character.len_utf8();
        }
        out.push(b'"');
    }
}

/// The key of a member.
#[derive(Clone, Copy)]
enum Key<'v> {
    Text(&'v str),
    Node(Node<'v, 'v>),
}

impl<'v> Key<'v> {
    fn text(self) -> std::borrow::Cow<'v, str> {
        match self {
            Key::Text(text) => text.into(),
            Key::Node(node) => node.as_str().unwrap_or_default(),
        }
    }
}

/// Whether two members may have the same key.
fn has_duplicates(entries: &[(Key<'_>, Printed<'_>)]) -> bool {
    let hashes = entries.iter().map(|(key, _)| match key {
        Key::Node(node) if node.raw().contains(&b'\\') => ESCAPED,
        Key::Node(node) => fingerprint(node.raw()),
        Key::Text(text) => fingerprint(text.as_bytes()),
    });
    may_repeat(&mut hashes.collect::<Vec<_>>())
}

/// Whether keys with these fingerprints may be equal. Compares few with each other, and sorts many.
pub(super) fn may_repeat(hashes: &mut [u64]) -> bool {
    if hashes.len() > FEW {
        hashes.sort_unstable();
        return hashes[0] == ESCAPED || hashes.windows(2).any(|pair| pair[0] == pair[1]);
    }
    let is_again = |(at, hash): (usize, &u64)| *hash == ESCAPED || hashes[..at].contains(hash);
    hashes.iter().enumerate().any(is_again)
}

/// The fingerprint of a key with escapes, which may equal any other key.
pub(super) const ESCAPED: u64 = 0;

/// Different for most different keys without escapes.
pub(super) fn fingerprint(raw: &[u8]) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let (words, rest) = raw.as_chunks();
    let hash = words.iter().fold(raw.len() as u64, |hash, word| {
        mix(hash, u64::from_le_bytes(*word))
    });
    let rest = rest
        .iter()
        .fold(0, |rest, byte| rest << 8 | u64::from(*byte));
    mix(hash, rest).max(1)
}

/// Keeps the last value of each key, at the position of the first.
fn remove_duplicates(entries: &mut Vec<(Key<'_>, Printed<'_>)>) {
    let mut kept = indexmap::IndexMap::new();
    for (key, value) in entries.iter() {
        kept.entry(key.text()).or_insert((*key, *value)).1 = *value;
    }
    *entries = kept.into_values().collect();
}

impl Lazy {
    /// The value as in the text, including white space and comments.
    pub fn raw(&self) -> &[u8] {
        self.node().raw()
    }
}
