//! The references of a schema, and the schemas and anchors in it to which they may lead.

use std::collections::HashMap;

use jsonschema::{Draft, uri};
use jsonx_core::document::NodeId;
use jsonx_core::order::sort_by_place;
use jsonx_core::{Kind, Node};
use jsonx_diagnose::Span;

use crate::convert::{REFERENCES, Role, encoded, role_of};
use crate::instance::text;
use crate::keywords::is_keyword;
use crate::pointer::target;
use crate::store::{SchemaText, without_fragment};

/// A keyword with a reference.
pub struct Reference<'d, 't> {
    pub keyword: &'static str,
    pub node: Node<'d, 't>,
    /// The index of its base.
    base: usize,
    /// The start of the innermost object of definitions around it.
    definitions: usize,
}

/// A schema, and all that references need.
pub struct Resources<'d, 't> {
    pub root: Node<'d, 't>,
    /// The file, then each schema with an `$id`.
    bases: Vec<(String, Node<'d, 't>)>,
    by_uri: HashMap<String, Node<'d, 't>>,
    /// The name of each and its schema, by the schema with the URL and the name.
    anchors: HashMap<(NodeId, String), (Node<'d, 't>, Node<'d, 't>)>,
    /// In the order of the text.
    pub references: Vec<Reference<'d, 't>>,
    /// Whether a `$ref` makes an `$id` beside it ineffective, as before draft 2019-09.
    references_stand_alone: bool,
    /// The `$id`s and anchors that an earlier schema has, and the place of the earlier one.
    pub repeated: Vec<(Node<'d, 't>, Span)>,
}

/// Is given a schema, and one of its members: key, name and value.
pub type Visit<'a, 'd, 't> = dyn FnMut(Node<'d, 't>, Node<'d, 't>, &str, Node<'d, 't>) + 'a;

impl Resources<'static, 'static> {
    /// Those of a schema that was read.
    pub fn of_text(text: &'static SchemaText) -> Self {
        Resources::new(text.document.root(), &text.uri, None, &mut |_, _, _, _| {})
    }
}

impl<'d, 't> Resources<'d, 't> {
    /// Those of a schema at this URL. With a `draft`, without what is below keywords that no draft has.
    pub fn new(
        root: Node<'d, 't>,
        uri: &str,
        draft: Option<Draft>,
        visit: &mut Visit<'_, 'd, 't>,
    ) -> Resources<'d, 't> {
        let mut all = Resources {
            root,
            bases: vec![(uri.to_owned(), root)],
            by_uri: HashMap::from([(uri.to_owned(), root)]),
            anchors: HashMap::new(),
            references: Vec::new(),
            references_stand_alone: stand_alone(root, draft),
            repeated: Vec::new(),
        };
        let mut waiting = vec![(root, Role::Schema, 0, 0)];
        while let Some((node, role, base, definitions)) = waiting.pop() {
            let is_schema = role == Role::Schema;
            let base = if is_schema {
                all.identified(node, base, draft)
            } else {
                base
            };
            let inside = match role {
                Role::Schemas => Role::Schema,
                other => other,
            };
            let before = waiting.len();
            for (key, value) in node.members() {
                let name = text(key);
                let mut at = (value, inside, base, definitions);
                if is_schema {
                    visit(node, key, &name, value);
                    if let Some(keyword) = REFERENCES.iter().find(|keyword| name == **keyword)
                        && value.kind() == Kind::String
                    {
                        all.references.push(Reference {
                            keyword,
                            node: value,
                            base,
                            definitions,
                        });
                    }
                    at.1 = role_of(&name);
                    if matches!(&*name, "$defs" | "definitions") {
                        at.3 = value.span().start;
                    }
                    if draft.is_some() && !is_keyword(&name) {
                        continue;
                    }
                }
                if at.1 != Role::Data && !value.is_empty() {
                    waiting.push(at);
                }
            }
            let elements = node.elements().filter(|element| !element.is_empty());
            waiting.extend(elements.map(|element| (element, inside, base, definitions)));
            waiting[before..].reverse();
        }
        sort_by_place(&mut all.references, |reference| {
            (reference.node.span().start, 0)
        });
        all
    }

    /// Records the `$id` and the anchors of a schema; returns its base.
    fn identified(&mut self, node: Node<'d, 't>, base: usize, draft: Option<Draft>) -> usize {
        let string = |keyword: &str| node.get(keyword).filter(|it| it.kind() == Kind::String);
        let own = match draft {
            Some(Draft::Draft4) => string("id"),
            Some(_) => string("$id"),
            None => string("$id").or_else(|| string("id")),
        };
        let mut base = base;
        let is_ignored = |_: &_| node.id() != self.root.id() && self.has_lone_reference(node);
        if let Some(id) = own.filter(|id| !is_ignored(id)) {
            let name = text(id);
            match name.strip_prefix('#') {
                Some(anchor) => self.anchor(anchor, id, node, base),
                None => {
                    let uri = resolved(&name, &self.bases[base].0);
                    let uri = without_fragment(&uri).to_owned();
                    match self.by_uri.get(&uri) {
                        Some(other) if node.id() != self.root.id() => {
                            let first = other.get("$id").or_else(|| other.get("id"));
                            self.repeated
                                .push((id, first.unwrap_or(*other).span().into()));
                        }
                        _ => drop(self.by_uri.insert(uri.clone(), node)),
                    }
                    self.bases.push((uri, node));
                    base = self.bases.len() - 1;
                }
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = string(keyword) {
                self.anchor(&text(anchor), anchor, node, base);
            }
        }
        base
    }

    fn anchor(&mut self, name: &str, node: Node<'d, 't>, schema: Node<'d, 't>, base: usize) {
        let key = (self.bases[base].1.id(), name.to_owned());
        match self.anchors.get(&key) {
            Some((first, _)) => self.repeated.push((node, first.span().into())),
            None => drop(self.anchors.insert(key, (node, schema))),
        }
    }

    /// The absolute URL of a reference.
    pub fn uri(&self, reference: &Reference<'_, '_>) -> String {
        resolved(&text(reference.node), self.base(reference))
    }

    /// The URL against which a reference is resolved.
    pub fn base(&self, reference: &Reference<'_, '_>) -> &str {
        &self.bases[reference.base].0
    }

    /// The `$id` below the root against which a reference is resolved.
    pub fn id_around(&self, reference: &Reference<'_, '_>) -> Option<Node<'d, 't>> {
        let schema = self.bases[reference.base].1;
        let id = schema.get("$id").or_else(|| schema.get("id"));
        id.filter(|_| schema.id() != self.root.id())
    }

    /// Whether only the `$ref` of a schema counts.
    pub fn has_lone_reference(&self, schema: Node<'_, '_>) -> bool {
        let is_reference = |node: Node<'_, '_>| node.kind() == Kind::String;
        self.references_stand_alone && schema.get("$ref").is_some_and(is_reference)
    }

    /// Each schema with an `$id`, after its absolute URL.
    pub fn identified_schemas(&self) -> impl Iterator<Item = &(String, Node<'d, 't>)> {
        self.bases.iter().skip(1)
    }

    /// The schema with this URL.
    pub fn resource(&self, file: &str) -> Option<Node<'d, 't>> {
        self.by_uri.get(file).copied()
    }

    /// The target of a decoded fragment in one of the schemas with a URL.
    pub fn target(&self, resource: Node<'d, 't>, fragment: &str) -> Option<Node<'d, 't>> {
        if fragment.starts_with('/') || fragment.is_empty() {
            target(resource, fragment)
        } else {
            let anchor = self.anchors.get(&(resource.id(), fragment.to_owned()));
            anchor.map(|(_, schema)| *schema)
        }
    }

    /// The references that apply to a value of a schema, in definitions only if it is there too.
    pub fn below(&self, schema: Node<'_, '_>) -> impl Iterator<Item = &Reference<'d, 't>> {
        let span = schema.span();
        let start = |reference: &Reference<'_, '_>| reference.node.span().start;
        let first = self.references.partition_point(|it| start(it) < span.start);
        let inside = self.references[first..]
            .iter()
            .take_while(move |it| start(it) < span.end);
        inside.filter(move |it| it.definitions <= span.start)
    }
}

/// Whether a schema is of a draft in which nothing beside `$ref` counts.
fn stand_alone(root: Node<'_, '_>, draft: Option<Draft>) -> bool {
    let named = || root.get("$schema").and_then(Node::as_str);
    let draft = draft.or_else(|| named().map(|uri| Draft::from_schema_uri(&uri)));
    matches!(draft, Some(Draft::Draft4 | Draft::Draft6 | Draft::Draft7))
}

/// Whether this is the URL of the meta-schema of a draft, or of a part of one.
pub fn is_built_in(uri: &str) -> bool {
    uri.contains("json-schema.org/draft")
}

/// Resolves a reference to an absolute URL; unchanged if that fails.
pub fn resolved(reference: &str, base: &str) -> String {
    resolve(reference, base).unwrap_or_else(|| reference.to_owned())
}

pub fn resolve(reference: &str, base: &str) -> Option<String> {
    let base = uri::from_str(base).ok()?;
    let uri = uri::resolve_against(&base.borrow(), &encoded(reference)).ok()?;
    Some(uri.as_str().to_owned())
}
