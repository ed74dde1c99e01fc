//! `$ref` as definition, and the references to a value.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jsonx_core::path::{Notation, Path as JsonPath};
use jsonx_core::{Document, Kind, Node};
use jsonx_schema::read_named;
use serde_json::{Value, json};

use super::document::Open;
use super::protocol::range;
use super::server::Server;
use super::text::DocumentText;
use super::uri;
use super::view::{View, each_below, path_to};
use crate::check::by_name;
use crate::files::folders::full;

/// Maximum number of references.
const REFERRING: usize = 10_000;

/// The longest file that a reference is followed into.
const LONGEST: u64 = 16 << 20;

/// The keys whose values refer to schemas.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The members and elements of a document that are strings.
fn strings<'d, 't>(
    document: &'d Document<'t>,
) -> impl Iterator<Item = (Option<Node<'d, 't>>, Node<'d, 't>)> {
    each_below(document.root()).filter(|(_, value)| value.kind() == Kind::String)
}

fn is_reference(key: Option<Node<'_, '_>>) -> bool {
    let key = key.and_then(Node::as_str);
    key.is_some_and(|key| REFERENCES.contains(&&*key))
}

impl<W: Write> Server<W> {
    /// The folder of a document, if it was saved, and those of the workspace: only files in these, on this computer, are followed.
    fn folders_of(&self, open: &Open) -> Vec<PathBuf> {
        let file = uri::to_path(&open.uri);
        let own = file.and_then(|file| file.parent().map(Path::to_owned));
        own.into_iter().chain(self.roots.iter().cloned()).collect()
    }

    /// The target of the reference at an offset.
    pub fn definition(&self, open: &Open, at: usize) -> Option<Value> {
        let view = self.view(open, at);
        let document = view.document()?;
        let path = path_to(&document, view.offset(at));
        let (key, value) = *path.last()?;
        if !is_reference(key) {
            return None;
        }
        let reference = value.as_str()?;
        let (file, fragment) = reference.split_once('#').unwrap_or((&reference, ""));
        if file.is_empty() {
            let span = view.span(target(&document, fragment)?.span());
            return Some(json!({"uri": open.uri, "range": range(open.text.range(span))}));
        }
        let folders = self.folders_of(open);
        let path = file_of(file, folders.first()?)?;
        let (other, bytes) = match self.open_at(&path) {
            Some(open) => (open.uri.clone(), open.text.bytes().to_vec()),
            None => {
                let bytes = read_named(&path, folders.into_iter(), LONGEST).ok()?;
                (uri::of_path(&path), bytes)
            }
        };
        let view = View::at(&bytes, by_name(&path), &self.reading(open).0, 0);
        let document = view.document()?;
        let span = view.span(target(&document, fragment)?.span());
        let text = DocumentText::new(String::from_utf8(bytes.clone()).ok()?, self.encoding);
        Some(json!({"uri": other, "range": range(text.range(span))}))
    }

    /// The references in the document to the value at an offset; at a reference, those to its target.
    pub fn references(&self, open: &Open, at: usize) -> Option<Value> {
        let view = self.view(open, at);
        let document = view.document()?;
        let path = path_to(&document, view.offset(at));
        let (key, value) = *path.last()?;
        let wanted = if is_reference(key) {
            target(&document, value.as_str()?.strip_prefix('#')?)?
        } else {
            value
        };
        let names = Names::of(&document, wanted);
        let is_wanted = |value: Node<'_, '_>| {
            let text = value.as_str()?;
            names
                .contains(text.strip_prefix('#')?)
                .then(|| view.span(value.span()))
        };
        let references = strings(&document).filter(|(key, _)| is_reference(*key));
        let spans = references.filter_map(|(_, value)| is_wanted(value));
        let mut spans: Vec<Range<usize>> = spans.take(REFERRING).collect();
        spans.sort_by_key(|span| span.start);
        let all = spans
            .into_iter()
            .map(|span| json!({"uri": open.uri, "range": range(open.text.range(span))}));
        Some(Value::Array(all.collect()))
    }
}

/// The file that a reference names, relative to a folder.
fn file_of(reference: &str, folder: &Path) -> Option<PathBuf> {
    let name = reference.split('#').next().filter(|it| !it.is_empty())?;
    match uri::to_path(name) {
        Some(path) => full(&path),
        None => full(&folder.join(uri::decoded(name)?)),
    }
}

/// The fragments that lead to a value.
struct Names {
    /// Its path, if a pointer leads to it.
    path: Option<JsonPath>,
    anchors: Vec<String>,
}

impl Names {
    fn of(document: &Document<'_>, wanted: Node<'_, '_>) -> Names {
        let leads_to_it = |found: Node<'_, '_>| found.span() == wanted.span();
        let location = wanted.path();
        let pointer = location.is_expressible(Notation::Pointer).then(|| {
            let pointer = location.display(Notation::Pointer).to_string();
            match &*pointer {
                "" => Some(JsonPath::root()),
                _ => JsonPath::parse(&pointer).ok(),
            }
        });
        let path = pointer.flatten();
        let anchors = ANCHORS
            .iter()
            .filter_map(|&name| wanted.get(name)?.as_str());
        let anchors = anchors.filter(|name| target(document, name).is_some_and(leads_to_it));
        Names {
            // Of duplicate keys, it leads to one.
            path: path.filter(|path| document.find(path).is_ok_and(leads_to_it)),
            anchors: anchors.map(|name| name.into_owned()).collect(),
        }
    }

    fn contains(&self, fragment: &str) -> bool {
        if fragment.is_empty() || fragment.starts_with('/') {
            let path = pointer(fragment);
            let own = self.path.as_ref();
            path.zip(own)
                .is_some_and(|(path, own)| path.segments() == own.segments())
        } else {
            self.anchors.iter().any(|name| name == fragment)
        }
    }
}

/// The keys that name the schema around them.
const ANCHORS: [&str; 2] = ["$anchor", "$dynamicAnchor"];

/// The path of a fragment that is a JSON Pointer.
fn pointer(fragment: &str) -> Option<JsonPath> {
    let path = JsonPath::parse(&format!("#{fragment}")).ok()?;
    (path.notation() == Notation::Pointer).then_some(path)
}

/// The value that a fragment leads to: a JSON Pointer, or the name of an anchor.
fn target<'d, 't>(document: &'d Document<'t>, fragment: &str) -> Option<Node<'d, 't>> {
    if fragment.is_empty() || fragment.starts_with('/') {
        return document.find(&pointer(fragment)?).ok();
    }
    let has_name = |node: Node<'_, '_>| {
        let mut named = ANCHORS.iter().filter_map(|&name| node.get(name)?.as_str());
        named.any(|name| name == fragment)
    };
    let mut all = each_below(document.root()).map(|(_, node)| node);
    all.find(|node| has_name(*node))
}
