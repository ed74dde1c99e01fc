//! Mistakes in a schema that its meta-schema accepts: dead references, mistyped keywords, duplicate `$id`s and anchors, patterns that
//! are not regular expressions.

use std::path::Path;

use jsonschema::Draft;
use jsonx_core::order::sort_by_place;
use jsonx_core::string::nearest::nearest;
use jsonx_core::{Document, Kind, Node};
use jsonx_diagnose::{Applicability, Code, Diagnostic, Fix, Related, Severity, Span};

use crate::compile::{draft_name, draft_of_uri};
use crate::contradictions::contradictions;
use crate::convert::encoded;
use crate::findings::{self, is_pattern, no_pattern, shown};
use crate::instance::text;
use crate::keywords::{UNENCODED, UNKNOWN, is_keyword, keywords};
use crate::pointer::target;
use crate::references::{FIRST, explain_dead, repeated_id, stops, unbounded};
use crate::resources::{Reference, Resources, is_built_in};
use crate::store::{SchemaText, Store, TEXT, decoded, uri_of};

/// Maximum number of findings of each kind.
const MOST: usize = 100;

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
    let uri = uri.unwrap_or_else(|| TEXT.to_owned());
    let (mut found, all) = Keywords::of(root, &uri, draft);
    found.extend(unencoded(&all.references));
    let references = all.references.iter();
    let dead = references.filter_map(|reference| dead(store, &all, &uri, reference));
    let mut dead: Vec<Diagnostic> = dead.take(MOST).collect();
    if dead.is_empty() {
        dead.extend(unbounded(root));
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
    let (found, _) = Keywords::of(node, &schema.uri, draft);
    let first = found
        .into_iter()
        .find(|it| it.code == Code::Custom(UNKNOWN))?;
    Some((first.span, first.message))
}

/// The order of drafts by their names: `4` before `2019-09`.
fn age(draft: &str) -> (usize, &str) {
    (draft.len(), draft)
}

/// Checks the keywords of a schema.
struct Keywords {
    draft: Draft,
    found: Vec<Diagnostic>,
}

impl Keywords {
    /// The findings in a schema at this URL, and its references.
    fn of<'d, 't>(
        root: Node<'d, 't>,
        uri: &str,
        draft: Draft,
    ) -> (Vec<Diagnostic>, Resources<'d, 't>) {
        let found = Vec::new();
        let mut keywords = Keywords { draft, found };
        let all = Resources::new(root, uri, Some(draft), &mut |schema, key, name, value| {
            keywords.keyword(key, name, value);
            if !keywords.has_lone_reference(schema) {
                contradictions(schema, name, value, &mut |finding| keywords.push(finding));
            }
            keywords.beside_reference(schema, key, name);
        });
        for (node, first) in &all.repeated {
            let mut finding = repeated_id(*node);
            finding.related.push(Related::new(*first, FIRST));
            keywords.push(finding);
        }
        (keywords.found, all)
    }

    fn push(&mut self, finding: Diagnostic) {
        if self.found.len() < MOST {
            self.found.push(finding);
        }
    }

    /// Checks a member of a schema.
    fn keyword(&mut self, key: Node<'_, '_>, name: &str, value: Node<'_, '_>) {
        self.newer(key, name, value);
        if name == "pattern" && value.kind() == Kind::String {
            self.pattern(value);
        } else if name == "patternProperties" {
            for (pattern, _) in value.members() {
                self.pattern(pattern);
            }
        } else if !is_keyword(name) && !name.starts_with("x-") && !FOREIGN.contains(&name) {
            self.unknown(key, name);
        }
    }

    /// Whether a schema has a `$ref`, beside which nothing counts before draft 2019-09.
    fn has_lone_reference(&self, schema: Node<'_, '_>) -> bool {
        let reference = || schema.get("$ref");
        matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
            && reference().is_some_and(|node| node.kind() == Kind::String)
    }

    /// Reports a rule beside such a `$ref`.
    fn beside_reference(&mut self, schema: Node<'_, '_>, key: Node<'_, '_>, name: &str) {
        let is_ignored =
            is_keyword(name) && !ANNOTATIONS.contains(&name) && self.has_lone_reference(schema);
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
}

/// The finding for a reference to a schema that does not exist on this machine. A URL without a local copy is not a mistake.
fn dead(
    store: &Store,
    all: &Resources<'_, '_>,
    at: &str,
    reference: &Reference<'_, '_>,
) -> Option<Diagnostic> {
    let node = reference.node;
    let uri = all.uri(reference);
    let (file, fragment) = uri.split_once('#').unwrap_or((&uri, ""));
    let code = crate::keywords::code(reference.keyword).unwrap_or("schema/$ref");
    let mut finding = findings::at(code, node);
    let fragment = decoded(fragment);
    if let Some(resource) = all.resource(file) {
        let is_there = all.target(resource, &fragment).is_some();
        return (!is_there).then(|| nowhere(finding, node, resource, &fragment));
    }
    if is_built_in(file) {
        return None;
    }
    match store.retrieve(file, all.root, at)? {
        Ok(other) => {
            let other = other.document.root();
            let is_pointer = fragment.starts_with('/') || fragment.is_empty();
            (is_pointer && target(other, &fragment).is_none())
                .then(|| nowhere(finding, node, other, &fragment))
        }
        Err(dead) => {
            explain_dead(store, &mut finding, &shown(node), file, &dead);
            Some(finding)
        }
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
    finding.label = if fragment.starts_with('/') {
        stops(resource, fragment)
    } else {
        format!("there is no anchor `{fragment}`")
    };
    finding
}
