//! References: links, `$ref` as definition, and the references to a value.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jsonx_core::path::{Notation, Path as JsonPath};
use jsonx_core::{Document, Kind, Node};
use serde_json::{Value, json};

use super::document::Open;
use super::protocol::range;
use super::server::Server;
use super::text::Text;
use super::uri;
use super::view::{View, path_to};
use crate::check::by_name;
use crate::files::folders::full;

/// Links of a document.
const LINKS: usize = 10_000;

/// The longest file that a reference is followed into.
const LONGEST: u64 = 16 << 20;

/// A span of an open document.
pub struct ReferenceTo {
    pub uri: String,
    pub span: Range<usize>,
}

/// The keys whose values refer to schemas.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Calls `work` with every member whose value is a string; until it returns false.
fn each_string<'d, 't>(
    root: Node<'d, 't>,
    mut work: impl FnMut(Option<Node<'d, 't>>, Node<'d, 't>) -> bool,
) {
    let mut open = vec![(None, root)];
    while let Some((key, node)) = open.pop() {
        match node.kind() {
            Kind::String => {
                if !work(key, node) {
                    return;
                }
            }
            _ => {
                open.extend(node.members().map(|(key, value)| (Some(key), value)));
                open.extend(node.elements().map(|value| (None, value)));
            }
        }
    }
}

fn is_reference(key: Option<Node<'_, '_>>) -> bool {
    let key = key.and_then(Node::as_str);
    key.is_some_and(|key| REFERENCES.contains(&&*key))
}

impl<W: Write> Server<W> {
    /// The links of a document: URLs, and files that `$schema` and `$ref` name.
    pub fn links(&mut self, uri: &str) -> Value {
        let Some(open) = self.documents.get(uri) else {
            return json!([]);
        };
        let (check, kind) = self.reading(open);
        let bytes = open.text.bytes().clone();
        let folders = self.folders_of(open);
        let Some(open) = self.documents.get_mut(uri) else {
            return json!([]);
        };
        let mut links = Vec::new();
        for view in View::all(&bytes, kind, &check, LINKS) {
            let view = view.repaired().unwrap_or(view);
            let Some(document) = view.document() else {
                continue;
            };
            each_string(document.root(), |key, value| {
                let raw = value.raw();
                let is_url = raw.starts_with(b"\"http://") || raw.starts_with(b"\"https://");
                let names = key.and_then(Node::as_str);
                let names_file =
                    names.is_some_and(|key| *key == *"$schema" || REFERENCES.contains(&&*key));
                if !is_url && !names_file || raw.len() < 3 {
                    return true;
                }
                let text = value.as_str().unwrap_or_default();
                let target = if is_url {
                    (!text.contains(char::is_whitespace)).then(|| text.into_owned())
                } else {
                    let path = file_of(&text, &folders);
                    path.filter(|path| path.is_file())
                        .map(|path| uri::of_path(&path))
                };
                if let Some(target) = target {
                    let span = value.span();
                    let range = range(open.text.range(view.span(span.start + 1..span.end - 1)));
                    links.push(json!({"range": range, "target": target}));
                }
                links.len() < LINKS
            });
        }
        Value::Array(links)
    }

    /// The folder of a document, and those of the workspace: only files in these, on this computer, are followed.
    fn folders_of(&self, open: &Open) -> Vec<PathBuf> {
        let own = open.path.parent().map(Path::to_owned);
        own.into_iter().chain(self.roots.iter().cloned()).collect()
    }

    /// The target of the reference at an offset.
    pub fn definition(&mut self, uri: &str, at: usize) -> Option<Value> {
        let open = self.documents.get(uri)?;
        let (check, kind) = self.reading(open);
        let bytes = open.text.bytes().clone();
        let view = View::at(&bytes, kind, &check, at);
        let document = view.document()?;
        let path = path_to(&document, view.offset(at));
        let (key, value) = *path.last()?;
        if !is_reference(key) {
            return None;
        }
        let reference = value.as_str()?;
        let (file, fragment) = reference.split_once('#').unwrap_or((&reference, ""));
        if file.is_empty() {
            let span = target(&document, fragment)?;
            return self.location(ReferenceTo {
                uri: uri.to_owned(),
                span: view.span(span),
            });
        }
        let path = file_of(file, &self.folders_of(open))?;
        let (other, bytes) = match self.open_at(&path) {
            Some((uri, open)) => (uri.clone(), open.text.bytes().to_vec()),
            None => {
                let about = std::fs::metadata(&path).ok()?;
                if !about.is_file() || about.len() > LONGEST {
                    return None;
                }
                (uri::of_path(&path), std::fs::read(&path).ok()?)
            }
        };
        let view = View::at(&bytes, by_name(&path), &check, 0);
        let document = view.document()?;
        let span = view.span(target(&document, fragment)?);
        let text = Text::new(String::from_utf8(bytes.clone()).ok()?, self.encoding);
        Some(json!({"uri": other, "range": range(text.range(span))}))
    }

    /// The references in the document to the value at an offset; at a reference, those to its target.
    pub fn references(&mut self, uri: &str, at: usize) -> Option<Value> {
        let open = self.documents.get(uri)?;
        let (check, kind) = self.reading(open);
        let bytes = open.text.bytes().clone();
        let view = View::at(&bytes, kind, &check, at);
        let document = view.document()?;
        let path = path_to(&document, view.offset(at));
        let (key, value) = *path.last()?;
        let wanted = if is_reference(key) {
            target(&document, value.as_str()?.strip_prefix('#')?)?
        } else {
            value.span()
        };
        let mut spans = Vec::new();
        each_string(document.root(), |key, value| {
            if is_reference(key)
                && let Some(text) = value.as_str()
                && let Some(fragment) = text.strip_prefix('#')
                && target(&document, fragment) == Some(wanted.clone())
            {
                spans.push(view.span(value.span()));
            }
            spans.len() < LINKS
        });
        spans.sort_by_key(|span| span.start);
        let open = self.documents.get_mut(uri)?;
        let all = spans
            .into_iter()
            .map(|span| json!({"uri": uri, "range": range(open.text.range(span))}));
        Some(Value::Array(all.collect()))
    }
}

/// The file that a reference names, relative to the first of these folders, if it is in one of them.
fn file_of(reference: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let name = reference.split('#').next().filter(|it| !it.is_empty())?;
    let path = match uri::to_path(name) {
        Some(path) => path,
        None => folders.first()?.join(uri::decoded(name)?),
    };
    let path = full(&path)?;
    folders
        .iter()
        .any(|folder| path.starts_with(folder))
        .then_some(path)
}

/// The value that a fragment leads to: a JSON Pointer, or the name of an anchor.
fn target(document: &Document<'_>, fragment: &str) -> Option<Range<usize>> {
    if fragment.is_empty() || fragment.starts_with('/') {
        let path = JsonPath::parse(&format!("#{fragment}")).ok()?;
        if path.notation() != Notation::Pointer {
            return None;
        }
        return Some(document.find(&path).ok()?.span());
    }
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        let names = ["$anchor", "$dynamicAnchor"];
        let mut named = names.iter().filter_map(|&name| node.get(name)?.as_str());
        if named.any(|name| name == fragment) {
            return Some(node.span());
        }
        open.extend(node.members().map(|(_, value)| value));
        open.extend(node.elements());
    }
    None
}
