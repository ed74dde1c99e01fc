//! Presents documents to the validator without copying.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use jsonx_core::document::{ArrayElements, ObjectMembers};
use jsonx_core::number::Number;
use jsonx_core::{Document, Kind, Node};
use serde_json::Value;

use crate::backtracking::Pattern;
use crate::limits::{charge, step};

/// The representation of instances: nodes of a [`Document`].
pub enum Instances {}

/// A value in an instance, or a property name.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// A value.
    Value {
        node: Node<'a, 'a>,
        options: &'a ViewOptions<'a>,
    },
    /// A name.
    Name(&'a str),
}

/// How to read the objects of an instance.
pub struct ViewOptions<'a> {
    /// Whether objects may have duplicate keys, of which the last one counts.
    pub may_repeat: bool,
    /// The patterns whose cost is [counted](Pattern::matches) for each name before the validator sees it.
    pub names: &'a [Arc<Pattern>],
}

/// A key to look up.
pub struct PreparedKey(String);

impl Json for Instances {
    type Node<'a> = View<'a>;
    type PreparedKey = PreparedKey;
    type StringBuffer = String;

    fn prepare_key(key: &str) -> PreparedKey {
        PreparedKey(key.to_owned())
    }

    fn with_string_node<T>(
        buffer: &mut String,
        string: &str,
        work: impl FnOnce(View<'_>) -> T,
    ) -> T {
        buffer.clear();
        buffer.push_str(string);
        work(View::Name(buffer))
    }
}

/// The decoded text of a key or a string, in which lone surrogates are U+FFFD.
#[inline]
pub fn text<'t>(node: Node<'_, 't>) -> Cow<'t, str> {
    let text = node.as_str();
    text.unwrap_or_else(|| String::from_utf8_lossy(node.raw()))
}

impl<'a> jsonschema::json::Node<'a, Instances> for View<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Decimal<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        step();
        match *self {
            View::Value { node, options } if node.kind() == Kind::Object => {
                Some(Members::new(node, options))
            }
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        step();
        match *self {
            View::Value { node, options } if node.kind() == Kind::Array => {
                Some(Elements { node, options })
            }
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        step();
        match *self {
            View::Value { node, .. } if node.kind() == Kind::String => Some(text(node)),
            View::Value { .. } => None,
            View::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Decimal<'a>> {
        step();
        match self {
            View::Value { node, .. } => node.number().map(Decimal),
            View::Name(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        step();
        match self {
            View::Value { node, .. } => node.as_bool(),
            View::Name(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn is_number(&self) -> bool {
        self.json_type() == JsonType::Number
    }

    fn json_type(&self) -> JsonType {
        step();
        match self {
            View::Value { node, .. } => type_of(node.kind()),
            View::Name(_) => JsonType::String,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        let text = expected.to_string();
        let expected = Document::parse(text.as_bytes());
        expected.is_ok_and(|expected| self.canonical() == expected.root().canonical())
    }

    /// Only for scalars: errors refer to an instance by its path.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self {
            View::Name(name) => Value::String((*name).to_owned()),
            View::Value { node, .. } => match node.kind() {
                Kind::String => Value::String(text(*node).into_owned()),
                Kind::Boolean => Value::Bool(node.as_bool().unwrap_or_default()),
                Kind::Number => node.number().map_or(Value::Null, |number| {
                    Value::Number(Decimal(number).to_number().into_owned())
                }),
                Kind::Null | Kind::Array | Kind::Object => Value::Null,
            },
        })
    }

    fn lazy_value(&self) -> LazyInstance<'a> {
        match self {
            View::Name(_) => LazyInstance::Ready(self.to_value()),
            View::Value { .. } => LazyInstance::Deferred {
                bytes: b"",
                tag: 0,
                make: |_, _| Value::Null,
                cell: OnceLock::new(),
            },
        }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        step();
        let address = match self {
            View::Value { node, .. } => node.raw().as_ptr().addr(),
            View::Name(name) => name.as_ptr().addr(),
        };
        Some(NodeIdentity::new(address))
    }
}

/// Number of bytes converted to canonical form in the time of one step.
pub const BYTES_PER_STEP: usize = 16;

impl<'a> View<'a> {
    /// A value.
    pub fn new(node: Node<'a, 'a>, options: &'a ViewOptions<'a>) -> View<'a> {
        View::Value { node, options }
    }

    /// The offset of a value in the text of the instance.
    pub fn start(&self) -> Option<usize> {
        match self {
            View::Value { node, .. } => Some(node.span().start),
            View::Name(_) => None,
        }
    }

    /// The number of elements, or of members with distinct keys.
    pub fn len(&self) -> usize {
        match *self {
            View::Value { node, options } if node.kind() == Kind::Object => {
                Members::new(node, options).len()
            }
            View::Value { node, .. } => node.len(),
            View::Name(_) => 0,
        }
    }

    /// The canonical form: the same bytes for equal values.
    pub fn canonical(&self) -> Vec<u8> {
        match self {
            View::Value { node, .. } => node.canonical(),
            View::Name(name) => {
                let text = Value::String((*name).to_owned()).to_string();
                let document = Document::parse(text.as_bytes());
                document.map_or_else(|_| Vec::new(), |document| document.root().canonical())
            }
        }
    }
}

/// The JSON Schema type of a value; an integral number is also an integer.
pub fn type_of(kind: Kind) -> JsonType {
    match kind {
        Kind::Null => JsonType::Null,
        Kind::Boolean => JsonType::Boolean,
        Kind::Number => JsonType::Number,
        Kind::String => JsonType::String,
        Kind::Array => JsonType::Array,
        Kind::Object => JsonType::Object,
    }
}

/// An exact number of an instance.
#[derive(Clone, Copy)]
pub struct Decimal<'a>(pub Number<'a>);

impl JsonNumber for Decimal<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    /// Zero only for zero, and never infinite: the meta-schemas compare it with bounds.
    fn as_f64(&self) -> Option<f64> {
        let exact = self.0.decimal();
        let rounded = self.0.as_f64().map_or(f64::MAX, f64::abs);
        let magnitude = if exact.is_zero() {
            0.0
        } else {
            rounded.max(f64::from_bits(1))
        };
        Some(if exact.is_negative() {
            -magnitude
        } else {
            magnitude
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.0.raw())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let rounded = || {
            let value = self.as_f64().unwrap_or_default();
            serde_json::Number::from_f64(value).unwrap_or_else(|| 0.into())
        };
        let whole = self.0.as_i64().map(serde_json::Number::from);
        let whole = whole.or_else(|| self.0.as_u64().map(serde_json::Number::from));
        Cow::Owned(whole.unwrap_or_else(rounded))
    }

    fn is_integer(&self) -> bool {
        self.0.is_integer() || self.0.decimal().is_whole()
    }

    fn is_written_as_integer(&self) -> bool {
        memchr::memchr3(b'.', b'e', b'E', self.0.raw()).is_none()
    }
}

/// An object.
pub struct Members<'a> {
    node: Node<'a, 'a>,
    options: &'a ViewOptions<'a>,
    /// Number of member lookups so far.
    lookups: Cell<usize>,
    index: OnceCell<HashMap<Cow<'a, str>, Node<'a, 'a>>>,
}

/// An object with more members than this gets an index after this many lookups: building it takes about as long as that many scans.
/// In smaller objects, that many lookups take a few steps.
const SCANNED: usize = 16;

/// Number of members scanned in the time of one step.
const MEMBERS_PER_STEP: usize = 16;

impl<'a> Members<'a> {
    fn new(node: Node<'a, 'a>, options: &'a ViewOptions<'a>) -> Members<'a> {
        Members {
            node,
            options,
            lookups: Cell::new(0),
            index: OnceCell::new(),
        }
    }

    /// The members by key, once there were enough lookups.
    fn index(&self) -> Option<&HashMap<Cow<'a, str>, Node<'a, 'a>>> {
        if self.lookups.get() <= SCANNED {
            return None;
        }
        let build = || {
            charge(self.node.len());
            let members = self.node.members();
            members.map(|(key, node)| (text(key), node)).collect()
        };
        Some(self.index.get_or_init(build))
    }

    #[inline]
    fn source(&self) -> MembersSource<'a> {
        if self.options.may_repeat {
            self.distinct()
        } else {
            MembersSource::Plain(self.node.members())
        }
    }

    /// The members; of duplicate keys, the last one.
    fn distinct(&self) -> MembersSource<'a> {
        let mut all: Vec<_> = self.node.members().collect();
        all.reverse();
        let mut seen = HashSet::new();
        all.retain(|(key, _)| seen.insert(text(*key)));
        MembersSource::Distinct(all)
    }

    fn scan(&self, key: &PreparedKey) -> Option<Node<'a, 'a>> {
        let is_key = |node: Node<'_, '_>| node.is_str(&key.0);
        let mut found = self.node.members().filter(|(key, _)| is_key(*key));
        let found = if self.options.may_repeat {
            found.last()
        } else {
            found.next()
        };
        found.map(|(_, node)| node)
    }
}

impl<'a> Object<'a, Instances> for Members<'a> {
    type Node = View<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        match self.source() {
            MembersSource::Plain(_) => self.node.len(),
            MembersSource::Distinct(members) => members.len(),
        }
    }

    fn get(&self, key: &PreparedKey) -> Option<View<'a>> {
        let lookups = self.lookups.get() + 1;
        self.lookups.set(lookups);
        let len = self.node.len();
        let node = if len <= SCANNED {
            if lookups.is_multiple_of(SCANNED) {
                charge(SCANNED);
            }
            self.scan(key)
        } else if let Some(index) = self.index() {
            step();
            index.get(key.0.as_str()).copied()
        } else {
            charge(len / MEMBERS_PER_STEP);
            self.scan(key)
        };
        node.map(|node| View::new(node, self.options))
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter {
            source: self.source(),
            options: self.options,
        }
    }
}

/// The members of an object; steps for matching their names are counted.
pub struct MembersIter<'a> {
    source: MembersSource<'a>,
    options: &'a ViewOptions<'a>,
}

/// All members of an object; or, in reverse order, those with distinct keys.
enum MembersSource<'a> {
    Plain(ObjectMembers<'a, 'a>),
    Distinct(Vec<(Node<'a, 'a>, Node<'a, 'a>)>),
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (Cow<'a, str>, View<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, node) = match &mut self.source {
            MembersSource::Plain(members) => members.next()?,
            MembersSource::Distinct(members) => members.pop()?,
        };
        let name = text(key);
        for pattern in self.options.names {
            pattern.matches(&name, Some(key.span().start));
        }
        Some((name, View::new(node, self.options)))
    }
}

/// An array.
pub struct Elements<'a> {
    node: Node<'a, 'a>,
    options: &'a ViewOptions<'a>,
}

impl<'a> Array<'a, Instances> for Elements<'a> {
    type Node = View<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.node.len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        ElementsIter {
            elements: self.node.elements(),
            options: self.options,
        }
    }

    fn is_unique(&self) -> bool {
        charge(self.node.raw().len() / BYTES_PER_STEP);
        let mut seen = HashSet::new();
        self.node
            .elements()
            .all(|element| seen.insert(element.canonical()))
    }
}

/// The elements of an array.
pub struct ElementsIter<'a> {
    elements: ArrayElements<'a, 'a>,
    options: &'a ViewOptions<'a>,
}

impl<'a> Iterator for ElementsIter<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        let node = self.elements.next()?;
        Some(View::new(node, self.options))
    }
}
