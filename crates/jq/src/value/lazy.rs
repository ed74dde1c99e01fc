//! Values of a verified text, decoded on use.

use std::ops::Range;
use std::rc::Rc;

use jsonx_core::document::{Documents, NodeId};
use jsonx_core::engine::Options;
use jsonx_core::{Kind, Node, SyntaxError};

use super::children::Children;
use super::{FEW, Items, Members, Value};

/// The bytes of a text.
pub enum TextBytes {
    /// Bytes in memory.
    Owned(Vec<u8>),
    /// Bytes with another owner, such as a file mapping.
    Shared(Box<dyn AsRef<[u8]> + Send>),
}

impl AsRef<[u8]> for TextBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            TextBytes::Owned(bytes) => bytes,
            TextBytes::Shared(bytes) => (**bytes).as_ref(),
        }
    }
}

/// A verified text and the index of its values.
pub struct IndexedText {
    documents: Documents<TextBytes>,
    children: Children,
    is_input: bool,
}

impl IndexedText {
    /// Verifies an input of any number of values.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    pub fn new(text: TextBytes, options: Options) -> Result<IndexedText, SyntaxError> {
        let documents = Documents::index(text, options)?;
        Ok(IndexedText {
            documents,
            children: Children::default(),
            is_input: true,
        })
    }

    /// The text as one that is not an input: positions in it mean nothing to the user.
    #[must_use]
    pub fn derived(self) -> IndexedText {
        IndexedText {
            is_input: false,
            ..self
        }
    }

    /// Verifies a text of any number of values that is not an input, such as that of `fromjson`.
    pub(super) fn inner(text: &[u8], options: Options) -> Result<IndexedText, SyntaxError> {
        let text = TextBytes::Owned(text.to_vec());
        Ok(IndexedText::new(text, options)?.derived())
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        let ids = std::iter::successors(self.documents.first(), |id| self.documents.after(*id));
        ids.count() as u64
    }

    /// Whether no value spans lines, and no line has two.
    pub fn has_one_value_per_line(&self) -> bool {
        let text = self.text();
        let mut line_end = None;
        let mut ids = std::iter::successors(self.documents.first(), |id| self.documents.after(*id));
        ids.all(|id| {
            let span = self.documents.node(id).span();
            let is_on_new_line = line_end.is_none_or(|end| end < span.start);
            let end =
                memchr::memchr(b'\n', &text[span.start..]).map_or(text.len(), |at| span.start + at);
            line_end = Some(end);
            is_on_new_line && end >= span.end
        })
    }

    /// The text.
    pub fn text(&self) -> &[u8] {
        self.documents.text()
    }

    /// Whether it is an input, rather than a text that the program reads.
    pub fn is_input(&self) -> bool {
        self.is_input
    }

    /// The values of the text, in order.
    pub fn values(self: &Rc<Self>) -> impl Iterator<Item = Value> + use<> {
        let source = self.clone();
        let mut next = self.first();
        std::iter::from_fn(move || {
            let id = next?;
            next = source.after(id);
            Some(source.value(id))
        })
    }

    /// The first value of the text.
    pub fn first(&self) -> Option<NodeId> {
        self.documents.first()
    }

    /// The value after another of the text.
    pub fn after(&self, id: NodeId) -> Option<NodeId> {
        self.documents.after(id)
    }

    /// A value of the text.
    pub fn value(self: &Rc<Self>, id: NodeId) -> Value {
        let source = self.clone();
        Value::Lazy(Lazy { source, id })
    }
}

/// A value of an [`IndexedText`].
#[derive(Clone)]
pub struct Lazy {
    source: Rc<IndexedText>,
    id: NodeId,
}

impl Lazy {
    pub(crate) fn node(&self) -> Node<'_, '_> {
        self.source.documents.node(self.id)
    }

    /// The text of a number or literal.
    pub(super) fn raw_text(&self) -> &str {
        std::str::from_utf8(self.node().raw()).unwrap_or_default()
    }

    /// Its text.
    pub fn source(&self) -> &IndexedText {
        &self.source
    }

    /// The path from the root of its document, in jq's notation: `.items[0].name`.
    pub fn path(&self) -> String {
        let at = self.node().span().start;
        let holds = |node: &Node<'_, '_>| node.span().contains(&at);
        let documents = &self.source.documents;
        let mut roots = std::iter::successors(documents.first(), |id| documents.after(*id));
        let mut node = roots.find_map(|id| Some(documents.node(id)).filter(holds));
        let mut path = String::new();
        while let Some(parent) = node.filter(|node| node.id() != self.id) {
            node = parent
                .elements()
                .enumerate()
                .find(|(_, child)| holds(child))
                .map(|(index, child)| {
                    path += &format!("[{index}]");
                    child
                });
            if node.is_none() {
                node = parent
                    .members()
                    .find(|(_, child)| holds(child))
                    .map(|(key, child)| {
                        let key = key.as_str().unwrap_or_default();
                        let is_word = key.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
                            && !key.starts_with(|c: char| c.is_ascii_digit());
                        path += &if is_word && !key.is_empty() {
                            format!(".{key}")
                        } else {
                            format!("[{}]", Value::from(&*key))
                        };
                        child
                    });
            }
        }
        if path.starts_with('.') {
            path
        } else {
            format!(".{path}")
        }
    }

    /// The range of its bytes in its text.
    pub fn span(&self) -> Range<usize> {
        self.node().span()
    }

    pub(crate) fn is_same(&self, other: &Lazy) -> bool {
        Rc::ptr_eq(&self.source, &other.source) && self.id == other.id
    }

    fn at(&self, node: Node<'_, '_>) -> Value {
        self.with_id(node.id())
    }

    fn with_id(&self, id: NodeId) -> Value {
        self.source.value(id)
    }

    /// The number of elements or members.
    pub(crate) fn len(&self) -> usize {
        match self.node().kind() {
            Kind::Object => self.source.children.count_members(self.node()),
            _ => self.node().len(),
        }
    }

    /// The elements of an array.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Value> {
        self.node().elements().map(|node| self.at(node))
    }

    /// The element at an index.
    pub(crate) fn element(&self, at: usize) -> Option<Value> {
        Some(self.with_id(self.source.children.element(self.node(), at)?))
    }

    /// The elements within a range of positions.
    pub(crate) fn range(&self, range: Range<usize>) -> Vec<Value> {
        let ids = self.source.children.range(self.node(), range);
        ids.into_iter().map(|id| self.with_id(id)).collect()
    }

    /// The value of a member.
    pub(crate) fn member(&self, key: &str) -> Option<Value> {
        Some(self.with_id(self.source.children.member(self.node(), key)?))
    }

    /// The members of an object; of duplicate keys, the last one.
    pub(super) fn members(&self) -> Vec<(Rc<str>, Value)> {
        let members = self.node().members();
        let members: Vec<(Rc<str>, Value)> = members
            .map(|(key, value)| {
                (
                    key.as_str().unwrap_or_default().as_ref().into(),
                    self.at(value),
                )
            })
            .collect();
        if !has_duplicates(&members) {
            return members;
        }
        let mut kept = Members::default();
        for (key, value) in members {
            kept.insert(key, value);
        }
        kept.iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// The value with its outermost level built.
    pub(super) fn build(&self) -> Value {
        let node = self.node();
        match node.kind() {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(node.as_bool() == Some(true)),
            Kind::Number => Value::literal(self.raw_text()),
            Kind::String => Value::String(node.as_str().unwrap_or_default().as_ref().into()),
            Kind::Array => Value::Array(Rc::new(Items::new(self.elements().collect()))),
            Kind::Object => {
                let mut members = Members::default();
                for (key, value) in self.node().members() {
                    let key = key.as_str().unwrap_or_default();
                    members.insert(key.as_ref().into(), self.at(value));
                }
                Value::Object(Rc::new(members))
            }
        }
    }
}

fn has_duplicates(members: &[(Rc<str>, Value)]) -> bool {
    if members.len() <= FEW {
        let mut rest = members.iter();
        return std::iter::from_fn(|| rest.next().map(|(key, _)| (key, rest.clone())))
            .any(|(key, mut rest)| rest.any(|(other, _)| key == other));
    }
    let mut seen = std::collections::HashSet::with_capacity(members.len());
    !members.iter().all(|(key, _)| seen.insert(&**key))
}

/// Reads a text of any number of values.
///
/// # Errors
///
/// The text is not JSON.
pub fn read_all(text: &[u8]) -> Result<Vec<Value>, SyntaxError> {
    let source = IndexedText::inner(text, Options::default())?;
    Ok(Rc::new(source).values().collect())
}
