//! References between schemas that are dead, need the network, or are circular.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use jsonschema::error::ValidationErrorKind as Cause;
use jsonschema::{Draft, ReferencingError, ValidationError};
use jsonx_core::Node;
use jsonx_core::document::NodeId;
use jsonx_core::order::sort_by_place;
use jsonx_core::string::nearest::nearest;
use jsonx_diagnose::{Code, Diagnostic, Elsewhere, Related};

use crate::Unusable;
use crate::exact::MAX_DIVISOR;
use crate::findings::{self, Children, is_pattern, no_pattern, shown};
use crate::instance::text;
use crate::pointer::{child, escaped, target, tokens};
use crate::reach::{Dead, both, near};
use crate::resources::{Reference, Resources, is_built_in, resolve, resolved};
use crate::store::{SchemaText, Store, TEXT, decoded, without_fragment};

/// The reason why a schema that its meta-schema accepts could not be compiled.
pub fn explain(
    store: &Store,
    schema: &'static SchemaText,
    fragment: Option<&str>,
    error: &ValidationError<'_>,
) -> Unusable {
    if let Cause::Referencing(error) = error.kind() {
        return reference(store, schema, fragment, error);
    }
    // For example, an invalid pattern.
    let root = schema.document.root();
    let paths = [error.instance_path(), error.schema_path()];
    let path = paths.into_iter().find(|path| !path.is_empty());
    let pointer = path.map_or("", |path| path.as_str());
    let node = target(root, pointer).unwrap_or(root);
    let keyword = pointer.rsplit('/').next().unwrap_or_default();
    let code = crate::keywords::code(keyword).unwrap_or("schema");
    let mut finding = findings::at(code, node);
    let cause = match error.kind() {
        Cause::PropertyNames { error } => error.kind(),
        cause => cause,
    };
    finding.message = match cause {
        Cause::Format { .. } | Cause::Pattern { .. } => {
            // For a name in `patternProperties`, the path leads to the object, or to the value of the name.
            let above = pointer.rsplit_once('/').map(|(above, _)| above);
            let above = above.filter(|above| above.ends_with("/patternProperties"));
            let object = above.and_then(|above| target(root, above));
            let mut names = object.unwrap_or(node).members().map(|(name, _)| name);
            let wrong = names.find(|name| !is_pattern(&text(*name)));
            let node = wrong.unwrap_or(node);
            let (message, label) = no_pattern(&text(node), node);
            finding = findings::at("schema/pattern", node);
            finding.label = label;
            message
        }
        Cause::Custom { .. } if keyword == "multipleOf" => {
            finding = findings::at("schema/limit", node);
            format!("`multipleOf` has more than {MAX_DIVISOR} digits")
        }
        _ => format!("not a schema: {error}"),
    };
    wrong(schema, vec![finding])
}

/// The reason why this schema is not one.
pub fn wrong(schema: &SchemaText, findings: Vec<Diagnostic>) -> Unusable {
    Unusable::Wrong {
        source: schema.source.clone(),
        findings,
    }
}

/// Whether a reference with this base URL is the one that failed.
type Test<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// Explains a dead reference.
fn reference(
    store: &Store,
    schema: &'static SchemaText,
    fragment: Option<&str>,
    error: &ReferencingError,
) -> Unusable {
    let is_meant: Box<Test<'_>> = match error {
        ReferencingError::PointerToNowhere { pointer }
        | ReferencingError::InvalidPercentEncoding { pointer, .. }
        | ReferencingError::InvalidArrayIndex { pointer, .. } => {
            let pointer = pointer.clone();
            Box::new(move |reference, _| {
                let end = reference.split_once('#').map_or("", |(_, end)| end);
                decoded(end) == pointer || end == pointer
            })
        }
        ReferencingError::NoSuchAnchor { anchor } | ReferencingError::InvalidAnchor { anchor } => {
            let anchor = anchor.clone();
            Box::new(move |reference, _| reference.ends_with(&format!("#{anchor}")))
        }
        _ => Box::new(|reference, base| resolve(reference, base).is_none()),
    };
    let place = Place::find(store, schema, &*is_meant);
    let Place { of, node, .. } = place;
    let shown_as = match node {
        Some(node) => shown(node),
        None => format!("#{}", fragment.unwrap_or_default()),
    };
    let mut finding = place.finding();
    match error {
        ReferencingError::PointerToNowhere { pointer } => {
            finding.message = format!("{shown_as} leads nowhere");
            let target = node.map(|node| resolved(&text(node), &of.uri));
            let is_here = |uri: &String| without_fragment(uri) == without_fragment(&of.uri);
            finding.label = match target.as_ref().map(|uri| store.known(uri)) {
                Some(Some(known)) => stops(known.document.root(), pointer),
                Some(None) if !target.as_ref().is_some_and(is_here) => {
                    format!("there is no `#{pointer}` in it")
                }
                _ => stops(of.document.root(), pointer),
            };
            if let (true, Some(id)) = (finding.label.is_empty(), place.id) {
                finding.label = format!("it begins at the schema with the `$id` {}", shown(id));
            }
        }
        ReferencingError::NoSuchAnchor { anchor } => {
            finding.message = format!("{shown_as} leads nowhere");
            finding.label = format!("there is no anchor `{anchor}`");
        }
        ReferencingError::InvalidAnchor { anchor } => {
            finding.message = format!("{shown_as} leads nowhere");
            let pointer = format!("/{}", decoded(anchor));
            finding.label = if stops(of.document.root(), &pointer).is_empty() {
                format!("did you mean `#/{anchor}`?")
            } else {
                "a path in a schema begins with `#/`".to_owned()
            };
        }
        _ if place.base.starts_with("urn:") => {
            finding.message = format!("{shown_as} is relative to `{}`", place.base);
            finding.label = "a URN has no folder".to_owned();
            finding.help.push(
                "write the `$id` of the other schema, or an `$id` here that is a URL such as `https://example.com/…`"
                    .to_owned(),
            );
        }
        other => {
            finding.message = format!("{shown_as} is not a reference: {other}");
        }
    }
    wrong(of, vec![finding])
}

/// The place of a reference.
struct Place {
    of: &'static SchemaText,
    keyword: &'static str,
    /// Its value; `None` if the reference is not in a schema.
    node: Option<Node<'static, 'static>>,
    /// The `$id` of an enclosing schema, where pointers begin.
    id: Option<Node<'static, 'static>>,
    /// The URL against which it is resolved.
    base: String,
}

impl Place {
    /// The first reference with this property, in this schema or those read for it; otherwise the start of this schema, for the
    /// fragment of a command line and for references in meta-schemas.
    fn find(store: &Store, schema: &'static SchemaText, is_meant: &Test<'_>) -> Place {
        let others = store.all().into_iter();
        let others = others.filter(|other| !std::ptr::eq(*other, schema));
        let found = [schema].into_iter().chain(others).find_map(|of| {
            let all = Resources::of_text(of);
            let is_meant = |it: &&Reference<'_, '_>| is_meant(&text(it.node), all.base(it));
            let reference = all.references.iter().find(is_meant)?;
            let (keyword, node) = (reference.keyword, Some(reference.node));
            let id = all.id_around(reference);
            let base = all.base(reference).to_owned();
            Some(Place {
                of,
                keyword,
                node,
                id,
                base,
            })
        });
        let (keyword, node, id) = ("$ref", None, None);
        found.unwrap_or(Place {
            of: schema,
            keyword,
            node,
            id,
            base: String::new(),
        })
    }

    fn start(&self) -> usize {
        let node = self.node.unwrap_or_else(|| self.of.document.root());
        node.span().start
    }

    fn finding(&self) -> Diagnostic {
        let code = crate::keywords::code(self.keyword).unwrap_or("schema/$ref");
        match self.node {
            Some(node) => findings::at(code, node),
            None => Diagnostic::new(Code::Custom(code), (self.start()..self.start() + 1).into()),
        }
    }
}

/// Explains all references to missing, unreadable or forbidden files in the first affected schema, so that one run lists every
/// missing file.
pub fn absent(
    store: &Store,
    schema: &'static SchemaText,
    urls: &BTreeMap<String, Dead>,
) -> Unusable {
    let places = urls.iter().map(|(url, dead)| {
        let is_meant =
            |reference: &str, base: &str| without_fragment(&resolved(reference, base)) == url;
        (Place::find(store, schema, &is_meant), (url, dead))
    });
    let mut places: Vec<(Place, (&String, &Dead))> = places.collect();
    let is_other = |place: &Place| usize::from(!std::ptr::eq(place.of, schema));
    sort_by_place(&mut places, |(place, _)| (is_other(place), place.start()));
    let of = places.first().map_or(schema, |(place, _)| place.of);
    places.retain(|(place, _)| std::ptr::eq(place.of, of));
    let findings = places.iter().map(|(place, (url, dead))| {
        let mut finding = place.finding();
        let shown_as = place.node.map_or_else(|| format!("{url:?}"), shown);
        explain_dead(store, &mut finding, &shown_as, without_fragment(url), dead);
        finding
    });
    wrong(of, findings.collect())
}

/// The missing files that are reachable from the start of a schema. Unused definitions may refer to anything.
pub fn reached(
    store: &Store,
    schema: &'static SchemaText,
    fragment: Option<&str>,
    urls: &BTreeMap<String, Dead>,
) -> BTreeMap<String, Dead> {
    if urls.is_empty() {
        return BTreeMap::new();
    }
    let texts = store.all().into_iter().chain([schema]);
    let all: HashMap<&str, Resources<'_, '_>> =
        texts.map(|of| (&*of.uri, Resources::of_text(of))).collect();
    let files = |of: &Resources<'_, '_>| -> Vec<String> {
        let uris = of.references.iter().map(|reference| of.uri(reference));
        uris.map(|uri| without_fragment(&uri).to_owned()).collect()
    };
    let mentioned: HashSet<String> = all.values().flat_map(files).collect();
    let (mut found, mut seen) = (HashSet::new(), HashSet::new());
    let root = schema.document.root();
    let start = target(root, fragment.unwrap_or_default()).unwrap_or(root);
    let mut waiting = vec![(&*schema.uri, start)];
    while let Some((of, node)) = waiting.pop() {
        if !seen.insert((of, node.id())) {
            continue;
        }
        for reference in all[of].below(node) {
            let uri = all[of].uri(reference);
            let (file, fragment) = uri.split_once('#').unwrap_or((&uri, ""));
            found.insert(file.to_owned());
            let of = match all[of].resource(file) {
                Some(_) => of,
                None => store.known(file).map_or("", |other| &*other.uri),
            };
            let Some(other) = all.get(of) else { continue };
            let resource = other.resource(file).unwrap_or(other.root);
            let target = other.target(resource, &decoded(fragment));
            match target.filter(|_| reference.keyword == "$ref") {
                Some(node) => waiting.push((of, node)),
                // Where others lead depends on the value.
                None => found.extend(files(other)),
            }
        }
    }
    let mut reached = urls.clone();
    reached.retain(|url, _| found.contains(url) || !mentioned.contains(url));
    reached
}

/// The error for an `$id` of two schemas that differ, if a reference leads to it: which one it means is not known.
pub fn repeated(texts: &[&'static SchemaText]) -> Option<Unusable> {
    let all: Vec<_> = texts
        .iter()
        .map(|&text| (text, Resources::of_text(text)))
        .collect();
    let references = all
        .iter()
        .flat_map(|(_, own)| own.references.iter().map(|it| own.uri(it)));
    let wanted: HashSet<String> = references
        .map(|uri| without_fragment(&uri).to_owned())
        .collect();
    let mut known: HashMap<&str, (&'static SchemaText, Node<'_, '_>)> = HashMap::new();
    for (text, own) in &all {
        let named = own.identified_schemas();
        for (uri, schema) in named.filter(|(uri, _)| wanted.contains(uri)) {
            let (first_text, first) = *known.entry(uri).or_insert((*text, *schema));
            if first.canonical() == schema.canonical() {
                continue;
            }
            let id = |schema: Node<'static, 'static>| {
                let id = schema.get("$id").or_else(|| schema.get("id"));
                id.unwrap_or(schema)
            };
            let mut finding = repeated_id(id(*schema));
            let span = id(first).span().into();
            if std::ptr::eq(first_text, *text) {
                finding.related.push(Related::new(span, FIRST));
            } else {
                let source = first_text.source.clone();
                finding.elsewhere.push(Elsewhere::new(source, span, FIRST));
            }
            return Some(wrong(text, vec![finding]));
        }
    }
    None
}

/// The label of the first of two schemas with one name.
pub const FIRST: &str = "first here";

/// The finding for an `$id` or an anchor that another schema has.
pub fn repeated_id(node: Node<'_, '_>) -> Diagnostic {
    let mut finding = findings::at("schema/$id", node);
    finding.message = format!("{} is the name of two schemas", shown(node));
    finding.label = "a reference to it reaches only one of them".to_owned();
    finding
}

/// Where a reference leads out of a schema.
pub enum Target {
    /// To a file.
    File(&'static SchemaText),
    /// To the meta-schema of a draft, or a part of one.
    BuiltIn,
    /// To nothing that can be used.
    Dead(Dead),
}

/// All schemas to which the references of a schema lead, directly or through others, by their URLs.
pub fn targets(store: &Store, schema: &'static SchemaText) -> Vec<(String, Target)> {
    let mut seen = HashSet::from([schema.uri.clone()]);
    let mut waiting = VecDeque::from([(schema.uri.clone(), schema)]);
    let mut found = Vec::new();
    while let Some((uri, of)) = waiting.pop_front() {
        let all = Resources::new(of.document.root(), &uri, None, &mut |_, _, _, _| {});
        let draft = all.root.get("$schema").and_then(Node::as_str);
        let uris = all.references.iter().map(|reference| all.uri(reference));
        for uri in draft.map(Cow::into_owned).into_iter().chain(uris) {
            let uri = without_fragment(&uri);
            if all.resource(uri).is_some() || !seen.insert(uri.to_owned()) {
                continue;
            }
            let target = if is_built_in(uri) {
                Target::BuiltIn
            } else {
                match store.retrieve(uri, schema.document.root(), &schema.uri) {
                    Some(Ok(text)) => Target::File(text),
                    Some(Err(dead)) => Target::Dead(dead),
                    None => Target::Dead(Dead::Missing),
                }
            };
            if let Target::File(text) = target {
                waiting.push_back((uri.to_owned(), text));
            }
            found.push((uri.to_owned(), target));
        }
    }
    found
}

/// Completes the finding for a reference without a target. The contents of the file are not shown: it may be any file.
pub fn explain_dead(
    store: &Store,
    finding: &mut Diagnostic,
    shown_as: &str,
    uri: &str,
    dead: &Dead,
) {
    let file = uri.strip_prefix("file://").map(decoded);
    match (dead, file) {
        (Dead::Outside, _) => outside(finding, shown_as),
        (Dead::Repeated(one, other), _) => {
            finding.message = format!("{shown_as} is the name of two schemas");
            finding.label = both(one, other);
        }
        (Dead::Missing, _) if uri.starts_with(TEXT) => {
            finding.message = format!("{shown_as} leads to a file, which may not be opened");
            finding.label = "this schema has no folder".to_owned();
            finding.help.push(HELP.to_owned());
        }
        (Dead::Missing, Some(path)) => {
            finding.message = format!("{shown_as} leads to a file that does not exist");
            finding.label = format!("there is no {}", near(&path));
        }
        (Dead::Missing, None) => {
            finding.message = format!("no local copy of {uri}");
            finding.label = "jsonx does not use the network".to_owned();
            finding.help.push(store.advice(uri));
        }
        (Dead::Unusable(unusable), file) => {
            let path = file.unwrap_or_else(|| match unusable {
                Unusable::Unreadable { path, .. } => path.to_string_lossy().into_owned(),
                Unusable::NotJson { source, .. } | Unusable::Wrong { source, .. } => {
                    String::from_utf8_lossy(&source.name).into_owned()
                }
            });
            let path = near(&path);
            let (what, label) = match unusable {
                Unusable::Unreadable { error, .. } => {
                    ("cannot be read", format!("{path}: {error}"))
                }
                Unusable::NotJson { error, .. } => {
                    finding
                        .help
                        .push(format!("`jsonx validate {path}` explains the error"));
                    let at = error.offset;
                    ("is not JSON", format!("{path}: first error at byte {at}"))
                }
                Unusable::Wrong { findings, .. } => {
                    let first = findings.first().map_or("", |first| &*first.message);
                    ("is not a schema", format!("{path}: {first}"))
                }
            };
            finding.message = format!("{shown_as} leads to a file that {what}");
            finding.label = label;
        }
    }
}

const HELP: &str =
    "`--schema-root DIR` (in Python `schema_root=`) allows references to files below DIR";

/// Completes the finding for a reference to a file that may not be opened.
pub fn outside(finding: &mut Diagnostic, shown_as: &str) {
    finding.message = format!("{shown_as} leads out of the folder and may not be opened");
    finding.label = "outside of the folder of this reference".to_owned();
    finding.help.push(HELP.to_owned());
}

/// The place where a pointer stops, in words; empty if it has a target.
pub fn stops(root: Node<'_, '_>, pointer: &str) -> String {
    let mut node = root;
    let mut path = String::from("#");
    for name in tokens(pointer) {
        let Some(next) = child(node, &name) else {
            let keys: Vec<String> = node
                .members()
                .map(|(key, _)| text(key).into_owned())
                .collect();
            let near = nearest(name.as_bytes(), keys.iter().map(String::as_bytes));
            let hint = near.map_or(String::new(), |near| {
                format!("; did you mean `{}`?", String::from_utf8_lossy(near))
            });
            return format!("there is no `{name}` in {path}{hint}");
        };
        node = next;
        path = format!("{path}/{}", escaped(&name));
    }
    String::new()
}

/// Whether compilation failed because a schema names the meta-schema of another draft.
pub fn lacks_draft(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        Cause::Referencing(ReferencingError::Unretrievable { uri, .. }) => {
            Draft::from_schema_uri(without_fragment(uri)) != Draft::Unknown
        }
        _ => false,
    }
}

/// The maximum number of subschemas that one `unevaluatedProperties` or `unevaluatedItems` combines, and all of a file. The validator
/// compiles a part for each, once for each way that leads to it.
const MAX_COMBINED: (u64, u64) = (10_000, 100_000);

/// Finds a reference within one file that leads back to itself without a step into the value, or a keyword that combines too many
/// schemas.
pub fn unbounded(root: Node<'_, '_>) -> Option<Diagnostic> {
    let graph = Applied::new(root);
    cycle(&graph).or_else(|| {
        let mut counts = HashMap::new();
        let mut all = 0u64;
        let combines_too_many = |(schema, _): &&(NodeId, Node<'_, '_>)| {
            let count = graph.count(*schema, &mut counts);
            all = all.saturating_add(count);
            count > MAX_COMBINED.0 || all > MAX_COMBINED.1
        };
        let (_, key) = graph.combining.iter().find(combines_too_many)?;
        let mut finding = findings::at("schema/limit", *key);
        finding.message = format!("{} combines too many subschemas", shown(*key));
        finding.label = "with this keyword".to_owned();
        let (one, all) = MAX_COMBINED;
        finding.notes.push(format!(
            "the limit is {one}, and {all} for all such keywords: a subschema counts once for each way through `$ref`, `anyOf` and the \
             like that leads to it"
        ));
        Some(finding)
    })
}

fn cycle(graph: &Applied<'_>) -> Option<Diagnostic> {
    // The schemas from which all is known, and those of the current path with the number of the next edge.
    let mut done = HashSet::new();
    for &start in &graph.starts {
        if done.contains(&start) {
            continue;
        }
        let mut path = vec![(start, 0)];
        let mut on_path = HashSet::from([start]);
        while let Some((schema, number)) = path.last_mut() {
            let edges = graph.edges.get(schema).map_or(&[][..], Vec::as_slice);
            let Some(edge) = edges.get(*number) else {
                on_path.remove(schema);
                done.insert(*schema);
                path.pop();
                continue;
            };
            *number += 1;
            if on_path.contains(&edge.to) {
                let from = path.iter().position(|(schema, _)| *schema == edge.to);
                let around = path[from.unwrap_or_default()..].iter();
                let around = around.map(|(schema, next)| &graph.edges[schema][next - 1]);
                return circular(around);
            }
            if !done.contains(&edge.to) {
                on_path.insert(edge.to);
                path.push((edge.to, 0));
            }
        }
    }
    None
}

/// The finding for the first reference of a circle.
fn circular<'a, 'd: 'a, 't: 'a>(
    edges: impl Iterator<Item = &'a Edge<'d, 't>> + Clone,
) -> Option<Diagnostic> {
    let references = edges.clone().filter_map(|edge| edge.reference);
    let first = references.min_by_key(|node| node.span().start)?;
    let mut finding = findings::at("schema/$ref", first);
    finding.message = format!("{} is a circular reference", shown(first));
    finding.label = "it leads back to itself".to_owned();
    let needed = if edges.into_iter().all(|edge| edge.reference.is_some()) {
        "another keyword is needed along the way"
    } else {
        "a keyword that leads into the value, such as `properties` or `items`, is needed along the way"
    };
    finding
        .notes
        .push(format!("no value can be checked with it: {needed}"));
    Some(finding)
}

/// Which schemas of a file apply which others to the same value.
struct Applied<'n> {
    /// Those with references, in the order of the text.
    starts: Vec<NodeId>,
    edges: HashMap<NodeId, Vec<Edge<'n, 'n>>>,
    /// The schemas with `unevaluatedProperties` or `unevaluatedItems`, and this key.
    combining: Vec<(NodeId, Node<'n, 'n>)>,
}

struct Edge<'d, 't> {
    to: NodeId,
    /// The reference, if the other schema is not in this one.
    reference: Option<Node<'d, 't>>,
}

impl<'n> Applied<'n> {
    fn new(root: Node<'n, 'n>) -> Self {
        let (mut inner, mut combining) = (Vec::new(), Vec::new());
        // The schemas of references, by the starts of these.
        let mut owners = HashMap::new();
        let all = Resources::new(root, TEXT, None, &mut |schema, key, name, value| {
            let from = schema.id();
            match name {
                "$ref" => drop(owners.insert(value.span().start, from)),
                "allOf" | "anyOf" | "oneOf" => {
                    inner.extend(value.elements().map(|it| (schema, it)));
                }
                "unevaluatedProperties" | "unevaluatedItems" => combining.push((from, key)),
                "not" | "if" => inner.push((schema, value)),
                "then" | "else" if schema.get("if").is_some() => inner.push((schema, value)),
                "dependentSchemas" | "dependencies" => {
                    inner.extend(value.members().map(|(_, it)| (schema, it)));
                }
                _ => {}
            }
        });
        let mut edges: HashMap<NodeId, Vec<Edge<'_, '_>>> = HashMap::new();
        for (schema, node) in inner {
            if !all.has_lone_reference(schema) {
                let (to, reference) = (node.id(), None);
                edges
                    .entry(schema.id())
                    .or_default()
                    .push(Edge { to, reference });
            }
        }
        let children = Children::default();
        let mut starts = Vec::new();
        let references = all.references.iter().filter(|it| it.keyword == "$ref");
        for reference in references {
            let uri = all.uri(reference);
            let (file, fragment) = uri.split_once('#').unwrap_or((&uri, ""));
            let Some(resource) = all.resource(file) else {
                continue;
            };
            let fragment = decoded(fragment);
            let target = match fragment.starts_with('/') {
                true => children.target(resource, &fragment),
                false => all.target(resource, &fragment),
            };
            let target = target.filter(|target| !target.is_empty());
            if let (Some(target), Some(from)) = (target, owners.get(&reference.node.span().start)) {
                let (to, reference) = (target.id(), Some(reference.node));
                edges.entry(*from).or_default().push(Edge { to, reference });
                starts.push(*from);
            }
        }
        Applied {
            starts,
            edges,
            combining,
        }
    }

    /// The number of ways from a schema to those that it applies, in a file without circles.
    fn count(&self, schema: NodeId, counts: &mut HashMap<NodeId, u64>) -> u64 {
        let mut waiting = vec![(schema, false)];
        while let Some((schema, is_second)) = waiting.pop() {
            if counts.contains_key(&schema) {
                continue;
            }
            let edges = self.edges.get(&schema).map_or(&[][..], Vec::as_slice);
            if is_second {
                let below = edges.iter().map(|edge| counts.get(&edge.to).unwrap_or(&0));
                let count = below.fold(1u64, |sum, below| sum.saturating_add(*below));
                counts.insert(schema, count);
            } else {
                waiting.push((schema, true));
                waiting.extend(edges.iter().map(|edge| (edge.to, false)));
            }
        }
        counts[&schema]
    }
}
