//! What schemas say of a place: titles, keys, values. It only informs; `jsonx_schema` decides what is valid.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::path::Step;
use serde_json::Value;

/// The longest schema file that is read.
const LONGEST: u64 = 16 << 20;

/// Schemas that apply to one place.
const MOST: usize = 500;

/// The files of schemas that were read.
#[derive(Default)]
pub struct SchemaFiles(HashMap<PathBuf, Option<Arc<Value>>>);

/// A schema in a file.
#[derive(Clone)]
pub struct Part {
    file: PathBuf,
    root: Arc<Value>,
    pointer: String,
}

impl Part {
    /// The schema itself.
    pub fn value(&self) -> &Value {
        self.root.pointer(&self.pointer).unwrap_or(&Value::Null)
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<String> {
        Some(self.value().get(key)?.as_str()?.to_owned())
    }

    /// The part at a key; `None` if there is none.
    fn child(&self, key: &str) -> Option<Part> {
        let key = key.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{}/{key}", self.pointer);
        self.root.pointer(&pointer)?;
        Some(Part {
            pointer,
            ..self.clone()
        })
    }

    /// The schemas of a member or an element.
    fn step(&self, step: &Step) -> Vec<Part> {
        match step {
            Step::Key(key) => {
                let key = String::from_utf8_lossy(key);
                let named = self.child("properties").and_then(|all| all.child(&key));
                if let Some(named) = named {
                    return vec![named];
                }
                let patterns = self.child("patternProperties");
                let names = patterns.iter().filter_map(|all| all.value().as_object());
                let matching = names.flat_map(|all| all.keys()).filter(|pattern| {
                    regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(&key))
                });
                let parts = matching.filter_map(|name| patterns.as_ref()?.child(name));
                let parts: Vec<Part> = parts.collect();
                match parts.is_empty() {
                    true => self.child("additionalProperties").into_iter().collect(),
                    false => parts,
                }
            }
            Step::Index(index) => {
                let listed = ["prefixItems", "items"].iter().find_map(|name| {
                    let all = self.child(name)?;
                    all.value().as_array()?;
                    all.child(&index.to_string())
                });
                let rest = || {
                    let items = self.child("items").filter(|it| !it.value().is_array());
                    items.or_else(|| self.child("additionalItems"))
                };
                listed.or_else(rest).into_iter().collect()
            }
        }
    }
}

impl SchemaFiles {
    /// The schemas that apply at a place of a document whose schema is in `path`, at `fragment`.
    pub fn at(&mut self, path: &Path, fragment: Option<&str>, steps: &[Step]) -> Vec<Part> {
        let start = self.part(path, fragment.unwrap_or_default());
        let start = self.expanded(start.into_iter().collect());
        self.below(start, steps)
    }

    /// The schemas that apply below others.
    pub fn below(&mut self, mut parts: Vec<Part>, steps: &[Step]) -> Vec<Part> {
        for step in steps {
            let below = parts.iter().flat_map(|part| part.step(step));
            parts = self.expanded(below.take(MOST).collect());
        }
        parts
    }

    fn part(&mut self, path: &Path, fragment: &str) -> Option<Part> {
        let root = self.read(path)?;
        let pointer = match fragment.is_empty() || fragment.starts_with('/') {
            true => percent_decoded(fragment),
            false => anchored(&root, fragment)?,
        };
        root.pointer(&pointer)?;
        Some(Part {
            file: path.to_owned(),
            root,
            pointer,
        })
    }

    fn read(&mut self, path: &Path) -> Option<Arc<Value>> {
        if let Some(known) = self.0.get(path) {
            return known.clone();
        }
        let read = || {
            let about = std::fs::metadata(path).ok()?;
            if !about.is_file() || about.len() > LONGEST {
                return None;
            }
            let bytes = std::fs::read(path).ok()?;
            serde_json::from_slice(&bytes).ok().map(Arc::new)
        };
        let value = read();
        self.0.insert(path.to_owned(), value.clone());
        value
    }

    /// These schemas, what they refer to, and their alternatives.
    fn expanded(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let mut all: Vec<Part> = Vec::new();
        let mut waiting = parts;
        waiting.reverse();
        while let Some(part) = waiting.pop() {
            let is_known = |other: &Part| other.pointer == part.pointer && other.file == part.file;
            if all.len() >= MOST || all.iter().any(is_known) {
                continue;
            }
            let mut more = Vec::new();
            for key in ["$ref", "$dynamicRef"] {
                let Some(reference) = part.text(key) else {
                    continue;
                };
                let (file, fragment) = reference.split_once('#').unwrap_or((&reference, ""));
                let path = match file.is_empty() {
                    true => part.file.clone(),
                    false => part.file.parent().unwrap_or(Path::new("")).join(file),
                };
                more.extend(self.part(&path, fragment));
            }
            for key in ["allOf", "anyOf", "oneOf"] {
                let Some(list) = part.child(key) else {
                    continue;
                };
                let count = list.value().as_array().map_or(0, Vec::len).min(MOST);
                more.extend((0..count).filter_map(|at| list.child(&at.to_string())));
            }
            more.extend(["then", "else"].iter().filter_map(|key| part.child(key)));
            waiting.extend(more.into_iter().rev());
            all.push(part);
        }
        all
    }
}

/// A fragment of a URI without its percent signs.
fn percent_decoded(fragment: &str) -> String {
    super::uri::decoded(fragment).unwrap_or_else(|| fragment.to_owned())
}

/// The pointer to the schema with an anchor.
fn anchored(root: &Value, name: &str) -> Option<String> {
    let mut open = vec![(String::new(), root)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                let is_named = |key: &str| members.get(key).and_then(Value::as_str) == Some(name);
                if is_named("$anchor") || is_named("$dynamicAnchor") {
                    return Some(pointer);
                }
                open.extend(members.iter().map(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{key}"), value)
                }));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(at, value)| (format!("{pointer}/{at}"), value)));
            }
            _ => {}
        }
    }
    None
}
