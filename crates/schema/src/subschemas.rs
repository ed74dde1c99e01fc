//! The schemas that apply to a part of a value, for editors: titles, keys and values. All alternatives are included, because only the
//! validator decides between them.

use std::sync::Arc;

use jsonx_core::path::Step;
use jsonx_core::{Kind, Node};

use crate::convert::{REFERENCES, to_data, to_text};
use crate::instance::text;
use crate::pointer;
use crate::references::resolved;
use crate::store::{SchemaText, Store, decoded, id_of, path_of, without_fragment};

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
}

impl Subschema {
    /// The schemas that apply at a place in a value whose schema is at a fragment of a file.
    pub fn at(
        store: &Arc<Store>,
        file: &'static SchemaText,
        fragment: Option<&str>,
        steps: &[Step],
    ) -> Vec<Subschema> {
        let start = Subschema::of(store, file).fragment(fragment.unwrap_or_default());
        Subschema::below(&Vec::from_iter(start), steps)
    }

    /// The schema of a whole file.
    pub fn of(store: &Arc<Store>, file: &'static SchemaText) -> Subschema {
        let root = file.document.root();
        let base = id_of(root, &file.uri).unwrap_or_else(|| file.uri.clone());
        Subschema {
            store: store.clone(),
            file,
            named: file,
            node: root,
            resource: root,
            base: base.into(),
        }
    }

    /// The schemas that apply to a child of the values of these.
    pub fn below(schemas: &[Subschema], steps: &[Step]) -> Vec<Subschema> {
        let mut schemas = expanded(schemas.to_vec());
        for step in steps {
            let below = schemas.iter().flat_map(|schema| schema.step(step));
            schemas = expanded(below.take(MOST).collect());
        }
        schemas
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
        Some(to_text(&to_data(self.node.get(keyword)?)))
    }

    /// The elements of the value of a keyword such as `enum`, minified.
    pub fn values(&self, keyword: &str) -> Vec<String> {
        let list = self.node.get(keyword).into_iter();
        list.flat_map(Node::elements)
            .map(|it| to_text(&to_data(it)))
            .collect()
    }

    /// The keys of `properties`.
    pub fn properties(&self) -> Vec<String> {
        let all = self.node.get("properties").into_iter();
        all.flat_map(Node::members)
            .map(|(key, _)| text(key).into_owned())
            .collect()
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
                let matching = patterns.flat_map(Node::members).filter(|(pattern, _)| {
                    let pattern = text(*pattern);
                    let translated = jsonschema_regex::to_rust_regex(&pattern).ok();
                    let pattern = translated.and_then(|it| regex::Regex::new(&it).ok());
                    pattern.is_some_and(|pattern| pattern.is_match(&key))
                });
                let matching = matching.map(|(_, schema)| self.with(schema));
                let found: Vec<Subschema> = named.into_iter().chain(matching).collect();
                match found.is_empty() {
                    true => self.child("additionalProperties").into_iter().collect(),
                    false => found,
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
            ..Subschema::of(&self.store, file)
        }
    }

    /// The schema in this file with an `$id`.
    fn with_id(&self, url: &str) -> Option<Subschema> {
        self.whole(self.file)
            .first_within(|schema| without_fragment(&schema.base) == url)
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
        self.first_within(|schema| {
            let anchors = ["$anchor", "$dynamicAnchor"];
            let named = |it: &&str| schema.text(it).as_ref() == Some(&fragment);
            anchors.iter().any(named)
        })
    }

    /// This schema and its subschemas.
    fn first_within(&self, is_wanted: impl Fn(&Subschema) -> bool) -> Option<Subschema> {
        let mut open = vec![self.clone()];
        while let Some(schema) = open.pop() {
            if is_wanted(&schema) {
                return Some(schema);
            }
            let members = schema.node.members().map(|(_, value)| value);
            let below = members.chain(schema.node.elements());
            let below = below.filter(|it| matches!(it.kind(), Kind::Object | Kind::Array));
            open.extend(below.map(|it| schema.with(it)));
        }
        None
    }
}

/// These schemas, those they refer to, and their alternatives.
fn expanded(schemas: Vec<Subschema>) -> Vec<Subschema> {
    let mut all: Vec<Subschema> = Vec::new();
    let mut waiting = schemas;
    waiting.reverse();
    while let Some(schema) = waiting.pop() {
        // Each has its own bytes.
        let is_known = |other: &Subschema| std::ptr::eq(other.node.raw(), schema.node.raw());
        if all.len() >= MOST || all.iter().any(is_known) {
            continue;
        }
        let references = REFERENCES
            .iter()
            .filter_map(|keyword| schema.referred(&schema.text(keyword)?));
        let mut more: Vec<Subschema> = references.collect();
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let list = schema.node.get(keyword).into_iter();
            let below = list.flat_map(Node::elements).take(MOST);
            more.extend(below.map(|it| schema.with(it)));
        }
        more.extend(["then", "else"].iter().filter_map(|it| schema.child(it)));
        waiting.extend(more.into_iter().rev());
        all.push(schema);
    }
    all
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
            r#"{"enum": [1.50, 1e400, {"a": [ ]}], "const": 12345678901234567890123, "type": ["null", 5], "required": "x"}"#,
        )];
        let store = Store::new(Settings::default(), Texts(files));
        let found = Subschema::at(
            &store,
            store.load(Path::new("/s/a.json")).unwrap(),
            Some(""),
            &[],
        );
        assert_eq!(found[0].values("enum")[1..], ["1e400", r#"{"a":[]}"#]);
        assert_eq!(found[0].value("const").unwrap(), "12345678901234567890123");
        assert_eq!(found[0].texts("type"), ["null"]);
        assert_eq!(found[0].texts("required"), ["x"]);
        assert_eq!(found[0].values("type")[0], "\"null\"");
    }
}
