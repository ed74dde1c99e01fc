//! The schemas that apply to a part of a value, for editors: titles, keys and values. Alternatives are included, because only the
//! validator decides between them, except those that a value contradicts with a `const` or `enum`, such as `"kind": "a"`.

use std::sync::Arc;

use jsonx_core::number::compare;
use jsonx_core::path::Step;
use jsonx_core::{Kind, Node};

use crate::convert::{REFERENCES, to_data};
use crate::instance::text;
use crate::pointer;
use crate::resources::{Resources, resolved};
use crate::store::{SchemaText, Store, decoded, id_of, path_of};

/// Schemas that apply to one value.
const MOST: usize = 500;

type Schema = Node<'static, 'static>;

/// A schema in a file.
#[derive(Clone)]
pub struct Subschema {
    store: Arc<Store>,
    file: &'static SchemaText,
    /// The root schema: files below its folder may be opened.
    named: &'static SchemaText,
    node: Schema,
    /// The enclosing schema with the `$id` that is the base of references.
    resource: Schema,
    base: Arc<str>,
    /// The alternatives that it is part of, outermost first, each by the place of its text in memory.
    branch: Arc<[usize]>,
}

impl Subschema {
    /// The schemas that apply at a place in `value`, whose schema is at a fragment of a file.
    pub fn at(
        store: &Arc<Store>,
        file: &'static SchemaText,
        fragment: Option<&str>,
        steps: &[Step],
        value: Option<Node<'_, '_>>,
    ) -> Vec<Subschema> {
        let start = Subschema::new(store, file).fragment(fragment.unwrap_or_default());
        Subschema::below(&Vec::from_iter(start), steps, value)
    }

    /// The schema of a whole file.
    pub fn new(store: &Arc<Store>, file: &'static SchemaText) -> Subschema {
        let root = file.document.root();
        let base = id_of(root, &file.uri).unwrap_or_else(|| file.uri.clone());
        Subschema {
            store: store.clone(),
            file,
            named: file,
            node: root,
            resource: root,
            base: base.into(),
            branch: Arc::default(),
        }
    }

    /// The schemas that apply at a place in `value`, to which these apply.
    pub fn below(
        schemas: &[Subschema],
        steps: &[Step],
        mut value: Option<Node<'_, '_>>,
    ) -> Vec<Subschema> {
        let mut schemas = expanded(schemas.to_vec(), value, steps.first());
        for (at, step) in steps.iter().enumerate() {
            value = value.and_then(|value| match step {
                Step::Key(key) => value.get(std::str::from_utf8(key).ok()?),
                Step::Index(index) => value.get(usize::try_from(*index).ok()?),
            });
            let below = schemas.iter().flat_map(|schema| schema.step(step));
            schemas = expanded(below.take(MOST).collect(), value, steps.get(at + 1));
        }
        schemas
    }

    /// The schemas of which a value must satisfy all: one list for each choice between alternatives.
    pub fn choices(schemas: &[Subschema]) -> Vec<Vec<Subschema>> {
        let mut ends: Vec<&[usize]> = schemas.iter().map(|it| &*it.branch).collect();
        ends.sort_unstable();
        ends.dedup();
        let is_inner = |one: &[usize]| {
            let mut all = ends.iter();
            all.any(|other| other.len() > one.len() && other.starts_with(one))
        };
        // In the order of the schemas.
        let mut chosen: Vec<&[usize]> = Vec::new();
        for schema in schemas {
            if !is_inner(&schema.branch) && !chosen.contains(&&*schema.branch) {
                chosen.push(&schema.branch);
            }
        }
        let with = |end: &&[usize]| {
            let all = schemas.iter().filter(|it| end.starts_with(&it.branch));
            all.cloned().collect()
        };
        chosen.iter().map(with).collect()
    }

    /// The value of a keyword, if it is a string.
    pub fn text(&self, keyword: &str) -> Option<String> {
        let value = self.node.get(keyword)?;
        (value.kind() == Kind::String).then(|| text(value).into_owned())
    }

    /// The strings of a keyword with one string or a list, such as `type` and `required`.
    pub fn texts(&self, keyword: &str) -> Vec<String> {
        let Some(value) = self.node.get(keyword) else {
            return Vec::new();
        };
        let listed = value.elements();
        let all = std::iter::once(value).chain(listed);
        let strings = all.filter(|it| it.kind() == Kind::String);
        strings.map(|it| text(it).into_owned()).collect()
    }

    /// The value of a keyword such as `const`, minified.
    pub fn value(&self, keyword: &str) -> Option<String> {
        Some(written(self.node.get(keyword)?))
    }

    /// The elements of the value of a keyword such as `enum`, minified.
    pub fn values(&self, keyword: &str) -> Vec<String> {
        let list = self.node.get(keyword).into_iter();
        list.flat_map(Node::elements).map(written).collect()
    }

    /// The keys of the value of a keyword such as `properties`.
    pub fn keys(&self, keyword: &str) -> Vec<String> {
        let all = self.node.get(keyword).into_iter();
        all.flat_map(Node::members)
            .map(|(key, _)| text(key).into_owned())
            .collect()
    }

    /// The value of a keyword, if it is a number.
    pub fn number(&self, keyword: &str) -> Option<f64> {
        self.node.get(keyword)?.as_f64()
    }

    /// Whether the schema allows a string, by its length and its pattern.
    pub fn allows_text(&self, text: &str) -> bool {
        let length = text.chars().count() as f64;
        let pattern = self.text("pattern");
        self.number("minLength").is_none_or(|least| length >= least)
            && self.number("maxLength").is_none_or(|most| length <= most)
            && pattern.is_none_or(|pattern| matches(&pattern, text))
    }

    /// The schemas of `propertyNames`.
    pub fn of_names(schemas: &[Subschema]) -> Vec<Subschema> {
        let all = schemas.iter().filter_map(|it| it.child("propertyNames"));
        expanded(all.collect(), None, None)
    }

    /// Whether a member of the value, except the one at `step`, is not one of the values that `const` or `enum` lists for its key.
    fn contradicts(&self, value: Node<'_, '_>, step: Option<&Step>) -> bool {
        let all = self.node.get("properties").into_iter();
        let mut all = all.flat_map(Node::members);
        all.any(|(key, schema)| {
            let key = text(key);
            let is_step = matches!(step, Some(Step::Key(step)) if **step == *key.as_bytes());
            let Some(value) = value.get(&*key).filter(|_| !is_step) else {
                return false;
            };
            let schema = self.with(schema);
            let listed = schema.node.get("const").into_iter();
            let several = schema.node.get("enum").into_iter().flat_map(Node::elements);
            let mut listed = listed.chain(several).peekable();
            listed.peek().is_some() && !listed.any(|it| are_equal(it, value))
        })
    }

    /// A subschema in the same file.
    fn with(&self, node: Schema) -> Subschema {
        let named = node.get("$id").is_some();
        match named.then(|| id_of(node, &self.base)).flatten() {
            Some(base) => Subschema {
                node,
                resource: node,
                base: base.into(),
                ..self.clone()
            },
            None => Subschema {
                node,
                ..self.clone()
            },
        }
    }

    /// This schema as an alternative.
    fn into_branch(self) -> Subschema {
        let branch = [&*self.branch, &[self.node.raw().as_ptr() as usize]].concat();
        self.in_branch(&branch.into())
    }

    /// This schema as a part of an alternative.
    fn in_branch(self, branch: &Arc<[usize]>) -> Subschema {
        Subschema {
            branch: branch.clone(),
            ..self
        }
    }

    fn child(&self, keyword: &str) -> Option<Subschema> {
        Some(self.with(self.node.get(keyword)?))
    }

    /// The schemas of a member or an element.
    fn step(&self, step: &Step) -> Vec<Subschema> {
        match step {
            Step::Key(key) => {
                let key = String::from_utf8_lossy(key);
                let named = self
                    .node
                    .get("properties")
                    .and_then(|all| all.get(&*key))
                    .map(|node| self.with(node));
                let patterns = self.node.get("patternProperties").into_iter();
                let matching = patterns
                    .flat_map(Node::members)
                    .filter(|(pattern, _)| matches(&text(*pattern), &key));
                let matching = matching.map(|(_, schema)| self.with(schema));
                let found: Vec<Subschema> = named.into_iter().chain(matching).collect();
                if found.is_empty() {
                    self.child("additionalProperties").into_iter().collect()
                } else {
                    found
                }
            }
            Step::Index(index) => {
                let index = usize::try_from(*index).unwrap_or(usize::MAX);
                let listed = ["prefixItems", "items"].iter().find_map(|name| {
                    let all = self.node.get(*name)?;
                    (all.kind() == Kind::Array).then(|| all.get(index))?
                });
                let listed = listed.map(|node| self.with(node));
                let rest = || {
                    let items = self.child("items");
                    let items = items.filter(|it| it.node.kind() != Kind::Array);
                    items.or_else(|| self.child("additionalItems"))
                };
                listed.or_else(rest).into_iter().collect()
            }
        }
    }

    /// The target of a reference.
    fn referred(&self, reference: &str) -> Option<Subschema> {
        let url = resolved(reference, &self.base);
        let (url, fragment) = url.split_once('#').unwrap_or((&url, ""));
        let resource = match url {
            _ if url == &*self.base => Some(Subschema {
                node: self.resource,
                ..self.clone()
            }),
            _ if url == self.file.uri => Some(self.whole(self.file)),
            _ => self.with_id(url).or_else(|| {
                let root = self.file.document.root();
                let known = self.store.known(url).or_else(|| {
                    let path = self.store.find(url, root, &self.file.uri)?;
                    let from = path_of(&self.named.uri);
                    self.store.refer(&path, from.as_deref()).ok()
                });
                Some(self.whole(known?))
            }),
        };
        resource?.fragment(fragment)
    }

    /// The schema of a whole file that this one refers to.
    fn whole(&self, file: &'static SchemaText) -> Subschema {
        Subschema {
            named: self.named,
            ..Subschema::new(&self.store, file)
        }
    }

    /// The schema in this file with an `$id`.
    fn with_id(&self, url: &str) -> Option<Subschema> {
        let node = Resources::of_text(self.file).resource(url)?;
        Some(Subschema {
            node,
            resource: node,
            base: url.into(),
            ..self.whole(self.file)
        })
    }

    /// The schema at a JSON Pointer in this one, or with an anchor.
    fn fragment(&self, fragment: &str) -> Option<Subschema> {
        let fragment = decoded(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            let mut tokens = pointer::tokens(&fragment);
            return tokens.try_fold(self.clone(), |schema, token| {
                Some(schema.with(pointer::child(schema.node, &token)?))
            });
        }
        let all = Resources::of_text(self.file);
        Some(self.with(all.target(self.node, &fragment)?))
    }
}

/// These schemas, those they refer to, and their alternatives, except those that the value contradicts with a member other than
/// the one at `step`.
fn expanded(
    schemas: Vec<Subschema>,
    value: Option<Node<'_, '_>>,
    step: Option<&Step>,
) -> Vec<Subschema> {
    let contradicts =
        |schema: &Subschema| value.is_some_and(|value| schema.contradicts(value, step));
    let mut all: Vec<Subschema> = Vec::new();
    let mut waiting = schemas;
    waiting.reverse();
    while let Some(schema) = waiting.pop() {
        // Each has its own bytes.
        let is_known = |other: &Subschema| {
            std::ptr::eq(other.node.raw(), schema.node.raw())
                && schema.branch.starts_with(&other.branch)
        };
        if all.len() >= MOST || all.iter().any(is_known) {
            continue;
        }
        if !schema.branch.is_empty() && contradicts(&schema) {
            // Nor do the other parts of this alternative apply.
            let branch = &schema.branch;
            all.retain(|it| !it.branch.starts_with(branch));
            waiting.retain(|it| !it.branch.starts_with(branch));
            continue;
        }
        let references = REFERENCES
            .iter()
            .filter_map(|keyword| schema.referred(&schema.text(keyword)?))
            .map(|it| it.in_branch(&schema.branch));
        let mut more: Vec<Subschema> = references.collect();
        let list = |keyword: &str| {
            let list = schema.node.get(keyword).into_iter();
            let below = list.flat_map(Node::elements).take(MOST);
            below.map(|it| schema.with(it)).collect::<Vec<_>>()
        };
        more.extend(list("allOf"));
        for keyword in ["anyOf", "oneOf"] {
            more.extend(list(keyword).into_iter().map(Subschema::into_branch));
        }
        let then = schema.child("if").is_none_or(|it| !contradicts(&it));
        let then = then.then(|| schema.child("then")).flatten();
        more.extend(
            [then, schema.child("else")]
                .into_iter()
                .flatten()
                .map(Subschema::into_branch),
        );
        for keyword in ["dependentSchemas", "dependencies"] {
            let below = schema.node.get(keyword).into_iter().flat_map(Node::members);
            let is_there = |key| value.is_some_and(|value| value.get(&*text(key)).is_some());
            more.extend(
                below
                    .filter(|(key, _)| is_there(*key))
                    .map(|it| schema.with(it.1)),
            );
        }
        waiting.extend(more.into_iter().rev());
        all.push(schema);
    }
    all
}

/// A value as it is written, minified.
fn written(node: Node<'_, '_>) -> String {
    String::from_utf8_lossy(&node.minified()).into_owned()
}

/// Whether a text matches a pattern that can be used without backtracking.
fn matches(pattern: &str, text: &str) -> bool {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok();
    let pattern = translated.and_then(|it| regex::Regex::new(&it).ok());
    pattern.is_some_and(|pattern| pattern.is_match(text))
}

/// Whether two values are the same.
fn are_equal(one: Node<'_, '_>, other: Node<'_, '_>) -> bool {
    match one.number().zip(other.number()) {
        Some((one, other)) => compare(one.raw(), other.raw()).is_eq(),
        None => to_data(one) == to_data(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fetch, Fetched, Settings};
    use jsonx_core::jsonc::Dialect;
    use std::io;
    use std::path::Path;

    /// Reads files from memory.
    struct Texts(&'static [(&'static str, &'static str)]);

    impl Fetch for Texts {
        fn fetch(&self, path: &Path, _: u64) -> io::Result<Fetched> {
            let found = self.0.iter().find(|(name, _)| path.ends_with(name));
            let (name, text) = found.ok_or(io::ErrorKind::NotFound)?;
            Ok(Fetched {
                name: name.as_bytes().to_vec(),
                text: text.as_bytes().to_vec(),
                dialect: Dialect::Jsonc,
            })
        }
    }

    fn titles(texts: &'static [(&'static str, &'static str)], steps: &[Step]) -> Vec<String> {
        let store = Store::new(Settings::default(), Texts(texts));
        let found = Subschema::at(
            &store,
            store.load(Path::new("/s/a.json")).unwrap(),
            None,
            steps,
            None,
        );
        found.iter().filter_map(|it| it.text("title")).collect()
    }

    fn key(name: &str) -> Step {
        Step::Key(name.as_bytes().into())
    }

    #[test]
    fn references_are_followed() {
        let files = &[
            (
                "a.json",
                r##"{ // A comment.
                    "$id": "https://x.org/s/a.json",
                    "properties": {
                        "pointer": {"$ref": "#/$defs/a~1b%20c"},
                        "anchor": {"$ref": "#here"},
                        "id": {"$ref": "inner.json"},
                        "file": {"$ref": "file:///s/b.json#/$defs/x"},
                        "circle": {"$ref": "#/properties/circle", "title": "circle"}
                    },
                    "$defs": {
                        "a/b c": {"title": "pointer"},
                        "named": {"$anchor": "here", "title": "anchor"},
                        "inner": {"$id": "inner.json", "$ref": "#/$defs/own", "$defs": {"own": {"title": "own"}}}
                    }
                }"##,
            ),
            ("b.json", r#"{"$defs": {"x": {"title": "file"}}}"#),
        ];
        for name in ["pointer", "anchor", "file", "circle"] {
            assert_eq!(titles(files, &[key(name)]), [name]);
        }
        assert_eq!(titles(files, &[key("id")]), ["own"]);
        assert_eq!(titles(files, &[key("none")]), [""; 0]);
    }

    #[test]
    fn all_that_applies_is_found() {
        let files = &[(
            "a.json",
            r#"{
                "allOf": [{"properties": {"a": {"title": "1"}}}, true],
                "if": {"properties": {"a": {"title": "not"}}},
                "then": {"properties": {"a": {"title": "2"}}},
                "properties": {"a": {"title": "0", "prefixItems": [{"title": "first"}], "items": {"title": "rest"}}},
                "patternProperties": {"^a\\b": {"title": "pattern"}},
                "additionalProperties": {"title": "else"}
            }"#,
        )];
        assert_eq!(titles(files, &[key("a")]), ["0", "pattern", "1", "2"]);
        assert_eq!(titles(files, &[key("b")]), ["else"]);
        assert_eq!(titles(files, &[key("a"), Step::Index(0)]), ["first"]);
        assert_eq!(titles(files, &[key("a"), Step::Index(1)]), ["rest"]);
    }

    #[test]
    fn values_are_as_they_are_written() {
        let files = &[(
            "a.json",
            r#"{"enum": [1.50, 1e400, {"b": 1, "a": [ ]}], "const": 12345678901234567890123, "type": ["null", 5], "required": "x"}"#,
        )];
        let store = Store::new(Settings::default(), Texts(files));
        let found = Subschema::at(
            &store,
            store.load(Path::new("/s/a.json")).unwrap(),
            Some(""),
            &[],
            None,
        );
        assert_eq!(
            found[0].values("enum"),
            ["1.50", "1e400", r#"{"b":1,"a":[]}"#]
        );
        assert_eq!(found[0].value("const").unwrap(), "12345678901234567890123");
        assert_eq!(found[0].texts("type"), ["null"]);
        assert_eq!(found[0].texts("required"), ["x"]);
        assert_eq!(found[0].values("type")[0], "\"null\"");
    }
}
