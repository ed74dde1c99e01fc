//! Mistakes in a schema that its meta-schema accepts: dead references, mistyped keywords, duplicate `$id`s and anchors, patterns that
//! are not regular expressions.

use std::collections::HashMap;
use std::path::Path;

use jsonschema::Draft;
use jsonx_core::diagnose::nearest::nearest;
use jsonx_core::diagnose::{Applicability, Code, Diagnostic, Fix, Related, Severity, Span};
use jsonx_core::order::sort_by_place;
use jsonx_core::{Document, Kind, Node};

use crate::DRAFT_URIS;
use crate::compile::{draft_name, draft_of_uri};
use crate::convert::{REFERENCES, Role, encoded, role_of};
use crate::findings::{self, is_pattern, no_pattern, shown};
use crate::instance::text;
use crate::keywords::{UNENCODED, UNKNOWN};
use crate::pointer::target;
use crate::references::{cycle, explain_dead, resolved, stops};
use crate::store::{SchemaText, Store, TEXT, decoded, path_of, uri_of, without_fragment};

/// Maximum number of findings of each kind.
const MOST: usize = 100;

/// Keywords of all drafts, except those with a code: candidates for did-you-mean.
const OTHERS: [&str; 39] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$vocabulary",
    "allOf",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "dependentSchemas",
    "description",
    "else",
    "examples",
    "id",
    "if",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "prefixItems",
    "properties",
    "patternProperties",
    "readOnly",
    "required",
    "then",
    "title",
    "unevaluatedItems",
    "unevaluatedProperties",
    "writeOnly",
    "$id",
    "$ref",
];

/// Names that other programs use in schemas and that resemble keywords.
const FOREIGN: [&str; 4] = ["example", "enumNames", "extends", "types"];

/// Keywords that are rules, and the draft in which each is new.
const NEWER: [(&str, Draft); 13] = [
    ("const", Draft::Draft6),
    ("contains", Draft::Draft6),
    ("propertyNames", Draft::Draft6),
    ("if", Draft::Draft7),
    ("then", Draft::Draft7),
    ("else", Draft::Draft7),
    ("dependentRequired", Draft::Draft201909),
    ("dependentSchemas", Draft::Draft201909),
    ("maxContains", Draft::Draft201909),
    ("minContains", Draft::Draft201909),
    ("unevaluatedItems", Draft::Draft201909),
    ("unevaluatedProperties", Draft::Draft201909),
    ("prefixItems", Draft::Draft202012),
];

/// Keywords that decide nothing, which may stand beside `$ref` in any draft.
const ANNOTATIONS: [&str; 14] = [
    "$comment",
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "id",
    "readOnly",
    "title",
    "writeOnly",
];

/// Findings in a schema that names its draft in `$schema`, beyond those of the meta-schema; none for any other document. Relative
/// references are resolved against `path`, its file.
pub fn mistakes(store: &Store, document: &Document<'_>, path: Option<&Path>) -> Vec<Diagnostic> {
    let root = document.root();
    let named = root.get("$schema").and_then(Node::as_str);
    let Some(draft) = named.and_then(|uri| draft_of_uri(&uri)) else {
        return Vec::new();
    };
    let uri = path.and_then(|path| uri_of(path).ok());
    let parts = Parts::of(root, uri.unwrap_or_else(|| TEXT.to_owned()), draft);
    let mut found = parts.found.clone();
    found.extend(unencoded(&parts.references));
    let mut dead = Vec::new();
    for reference in &parts.references {
        dead.extend(parts.dead(store, reference, root));
        if dead.len() == MOST {
            break;
        }
    }
    if dead.is_empty() {
        dead.extend(cycle(root));
    }
    found.extend(dead);
    sort_by_place(&mut found, |finding| (finding.span.start, finding.span.end));
    found
}

/// The first keyword without effect below `node`, a schema or a list of schemas in `schema`: its place, and why it has none.
pub fn without_effect(
    store: &Store,
    schema: &SchemaText,
    node: Node<'_, '_>,
) -> Option<(Span, String)> {
    let named = schema.document.root().get("$schema").and_then(Node::as_str);
    let named = || named.and_then(|uri| draft_of_uri(&uri));
    let draft = store.settings.draft.or_else(named)?;
    let found = Parts::of(node, schema.uri.clone(), draft).found;
    let first = found
        .into_iter()
        .find(|it| it.code == Code::Custom(UNKNOWN))?;
    Some((first.span, first.message))
}

/// The order of drafts by their names: `4` before `2019-09`.
fn age(draft: &str) -> (usize, &str) {
    (draft.len(), draft)
}

/// A reference: the keyword, its value, and the index of its base URL.
struct Reference<'d, 't> {
    keyword: &'static str,
    node: Node<'d, 't>,
    base: usize,
}

/// The resources and anchors of a schema, and the findings in its keywords.
struct Parts<'d, 't> {
    /// URLs of the resources: that of the file, and each `$id`.
    bases: Vec<String>,
    resources: HashMap<String, Node<'d, 't>>,
    anchors: HashMap<(String, String), Span>,
    references: Vec<Reference<'d, 't>>,
    found: Vec<Diagnostic>,
    draft: Draft,
}

impl<'d, 't> Parts<'d, 't> {
    fn of(root: Node<'d, 't>, uri: String, draft: Draft) -> Parts<'d, 't> {
        let mut parts = Parts {
            resources: HashMap::from([(uri.clone(), root)]),
            bases: vec![uri],
            anchors: HashMap::new(),
            references: Vec::new(),
            found: Vec::new(),
            draft,
        };
        let mut waiting = vec![(root, Role::Schema, 0)];
        while let Some((node, role, base)) = waiting.pop() {
            let base = match role {
                Role::Schema => parts.identified(node, base),
                _ => base,
            };
            let before = waiting.len();
            for (key, value) in node.members() {
                let key_text = text(key);
                let inner = match role {
                    Role::Schemas => Role::Schema,
                    Role::Schema => role_of(&key_text),
                    Role::Data => Role::Data,
                };
                if role == Role::Schema {
                    parts.keyword(key, &key_text, value, base);
                    parts.beside_reference(node, key, &key_text);
                }
                if inner != Role::Data && (role != Role::Schema || is_keyword(&key_text)) {
                    waiting.push((value, inner, base));
                }
            }
            let inner = match role {
                Role::Schemas => Role::Schema,
                other => other,
            };
            waiting.extend(node.elements().map(|element| (element, inner, base)));
            waiting[before..].reverse();
        }
        parts
    }

    /// Records the `$id` and the anchors of a schema; returns its base URL.
    fn identified(&mut self, node: Node<'d, 't>, base: usize) -> usize {
        let keyword = match self.draft {
            Draft::Draft4 => "id",
            _ => "$id",
        };
        let own = node.get(keyword).filter(|id| id.kind() == Kind::String);
        let mut base = base;
        if let Some(id) = own {
            let id_text = text(id);
            match id_text.strip_prefix('#') {
                Some(anchor) => self.anchor(anchor, id, base),
                None => {
                    let uri = resolved(&id_text, &self.bases[base]);
                    let uri = without_fragment(&uri).to_owned();
                    let is_root = self.resources.len() == 1 && base == 0;
                    if let Some(other) = self.resources.get(&uri).filter(|_| !is_root) {
                        let first = other.get(keyword).unwrap_or(*other);
                        self.twice(id, first.span().into());
                    } else {
                        self.resources.insert(uri.clone(), node);
                    }
                    self.bases.push(uri);
                    base = self.bases.len() - 1;
                }
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = node.get(keyword).filter(|it| it.kind() == Kind::String) {
                self.anchor(&text(anchor), anchor, base);
            }
        }
        base
    }

    fn anchor(&mut self, name: &str, node: Node<'d, 't>, base: usize) {
        let key = (self.bases[base].clone(), name.to_owned());
        match self.anchors.get(&key).copied() {
            Some(first) => self.twice(node, first),
            None => {
                self.anchors.insert(key, node.span().into());
            }
        }
    }

    fn twice(&mut self, node: Node<'_, '_>, first: Span) {
        let mut finding = findings::at("schema/$id", node);
        finding.message = format!("{} is the name of two schemas", shown(node));
        finding.label = "a reference to it reaches only one of them".to_owned();
        finding.related.push(Related::new(first, "first here"));
        self.push(finding);
    }

    fn push(&mut self, finding: Diagnostic) {
        if self.found.len() < MOST {
            self.found.push(finding);
        }
    }

    /// Checks a member of a schema.
    fn keyword(&mut self, key: Node<'d, 't>, name: &str, value: Node<'d, 't>, base: usize) {
        self.newer(key, name, value);
        if let Some(keyword) = REFERENCES.iter().find(|keyword| name == **keyword)
            && value.kind() == Kind::String
        {
            self.references.push(Reference {
                keyword,
                node: value,
                base,
            });
        } else if name == "pattern" && value.kind() == Kind::String {
            self.pattern(value);
        } else if name == "patternProperties" {
            for (pattern, _) in value.members() {
                self.pattern(pattern);
            }
        } else if !is_keyword(name) && !name.starts_with("x-") && !FOREIGN.contains(&name) {
            self.unknown(key, name);
        }
    }

    /// Reports a rule beside `$ref`, which is ignored before draft 2019-09.
    fn beside_reference(&mut self, schema: Node<'d, 't>, key: Node<'d, 't>, name: &str) {
        let is_ignored = matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
            && is_keyword(name)
            && !ANNOTATIONS.contains(&name)
            && schema
                .get("$ref")
                .is_some_and(|node| node.kind() == Kind::String);
        if let (true, Some(own)) = (is_ignored, draft_name(self.draft)) {
            let mut finding = warning(UNKNOWN, key);
            finding.message = format!("{} is ignored beside \"$ref\" in draft {own}", shown(key));
            finding.label = "put it and the reference into an `allOf`".to_owned();
            self.push(finding);
        }
    }

    /// Reports a rule of a later draft.
    fn newer(&mut self, key: Node<'_, '_>, name: &str, value: Node<'_, '_>) {
        let newer = NEWER.iter().find(|(keyword, _)| *keyword == name);
        let (Some((_, since)), Some(own)) = (newer, draft_name(self.draft)) else {
            return;
        };
        let Some(since) = draft_name(*since).filter(|since| age(since) > age(own)) else {
            return;
        };
        let mut finding = warning(UNKNOWN, key);
        finding.message = format!(
            "{} is new in draft {since}, and has no meaning in draft {own}",
            shown(key)
        );
        if name == "const" {
            let json = String::from_utf8_lossy(value.raw());
            let whole = Span::new(key.span().start, value.span().end);
            finding.label = "write an `enum` of one value".to_owned();
            finding.fix = Some(Fix::replace(
                "write an `enum`",
                Applicability::Review,
                whole,
                format!("\"enum\": [{json}]"),
            ));
        }
        self.push(finding);
    }

    fn pattern(&mut self, node: Node<'_, '_>) {
        let pattern = text(node);
        if !is_pattern(&pattern) {
            let mut finding = findings::at("schema/pattern", node);
            (finding.message, finding.label) = no_pattern(&pattern, node);
            self.push(finding);
        }
    }

    /// Reports a name that resembles a keyword. Any other unknown name may be an extension.
    fn unknown(&mut self, key: Node<'_, '_>, name: &str) {
        let known = keywords().map(str::as_bytes);
        let Some(near) = nearest(name.as_bytes(), known) else {
            return;
        };
        let near = String::from_utf8_lossy(near);
        let mut finding = warning(UNKNOWN, key);
        finding.message = format!("{} is not a keyword and has no effect", shown(key));
        finding.label = format!("did you mean `{near}`?");
        finding.fix = Some(Fix::replace(
            format!("write `{near}`"),
            Applicability::Review,
            key.span().into(),
            format!("\"{near}\""),
        ));
        self.push(finding);
    }

    /// The finding for a reference to a schema that does not exist on this machine.
    fn dead(
        &self,
        store: &Store,
        reference: &Reference<'d, 't>,
        root: Node<'d, 't>,
    ) -> Option<Diagnostic> {
        let node = reference.node;
        let uri = resolved(&text(node), &self.bases[reference.base]);
        let (file, fragment) = uri.split_once('#').unwrap_or((&uri, ""));
        let code = crate::keywords::code(reference.keyword).unwrap_or("schema/$ref");
        let mut finding = findings::at(code, node);
        let fragment = decoded(fragment);
        if let Some(resource) = self.resources.get(file) {
            let anchor = || (file.to_owned(), fragment.clone());
            let is_there = match fragment.starts_with('/') || fragment.is_empty() {
                true => target(*resource, &fragment).is_some(),
                false => self.anchors.contains_key(&anchor()),
            };
            return (!is_there).then(|| nowhere(finding, node, *resource, &fragment));
        }
        if DRAFT_URIS.iter().any(|uri| without_fragment(uri) == file)
            || file.contains("json-schema.org/draft")
        {
            return None;
        }
        let path = store.find(file, root, &self.bases[0])?;
        let from = path_of(&self.bases[0]);
        let other = match store.refer(&path, from.as_deref()) {
            Ok(other) => other,
            Err(dead) => {
                explain_dead(store, &mut finding, &shown(node), file, &dead);
                return Some(finding);
            }
        };
        let other = other.document.root();
        let is_pointer = fragment.starts_with('/') || fragment.is_empty();
        (is_pointer && target(other, &fragment).is_none())
            .then(|| nowhere(finding, node, other, &fragment))
    }
}

fn warning(code: &'static str, node: Node<'_, '_>) -> Diagnostic {
    let mut finding = findings::at(code, node);
    finding.severity = Severity::Warning;
    finding
}

/// References with characters that are not allowed in URIs: the first, and the number of others.
fn unencoded(references: &[Reference<'_, '_>]) -> Option<Diagnostic> {
    let is_encoded = |reference: &&Reference<'_, '_>| {
        let written = text(reference.node);
        encoded(&written) == written
    };
    let mut all = references.iter().filter(|reference| !is_encoded(reference));
    let node = all.next()?.node;
    let more = all.count();
    let mut finding = warning(UNENCODED, node);
    finding.message = format!("{} is not a URI", shown(node));
    finding.label = "some validators refuse this".to_owned();
    finding
        .help
        .push(format!("write {:?}", encoded(&text(node))));
    if more > 0 {
        finding
            .help
            .push(format!("{more} other references have the same problem"));
    }
    Some(finding)
}

fn nowhere(
    mut finding: Diagnostic,
    node: Node<'_, '_>,
    resource: Node<'_, '_>,
    fragment: &str,
) -> Diagnostic {
    finding.message = format!("{} leads nowhere", shown(node));
    finding.label = match fragment.starts_with('/') {
        true => stops(resource, fragment),
        false => format!("there is no anchor `{fragment}`"),
    };
    finding
}

fn keywords() -> impl Iterator<Item = &'static str> {
    let coded = crate::keywords::KEYWORDS.iter().map(|keyword| keyword.name);
    // Their values are not schemas.
    let coded =
        coded.filter(|name| !["false", "limit", "unencoded", "unknown-keyword"].contains(name));
    coded.chain(OTHERS)
}

fn is_keyword(name: &str) -> bool {
    keywords().any(|keyword| keyword == name)
}
